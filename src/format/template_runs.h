/* SPDX-License-Identifier: MIT */
/*
 * Numbers for what executions of templates run, from 1: each state of each template has one and is
 * written once. Memory grows with the templates, not with their states or executions.
 */
#ifndef TACHO_FORMAT_TEMPLATE_RUNS_H
#define TACHO_FORMAT_TEMPLATE_RUNS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"
#include "tacho/recording.h"

/* {0} at first. */
struct tacho__template_numbers {
	struct tacho__arena arena;
	struct tacho__map by_handle; /* the state that was seen last */
	uint64_t count;
};

void tacho__template_numbers_finish(struct tacho__template_numbers *numbers);

/* *out_is_new: it is to be written. NOMEM. */
int tacho__template_numbers_get(struct tacho__template_numbers *numbers,
				const struct tacho_process *process,
				const struct tacho_template *contents, uint64_t *out_number,
				bool *out_is_new);

#endif
