/* SPDX-License-Identifier: MIT */
/*
 * Choosing few options such that everything has one of those that would do for it: sets that are
 * programmed as a whole, each with its own passes.
 */
#ifndef TACHO_PLAN_COVER_H
#define TACHO_PLAN_COVER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct tacho__cover_element {
	const uint32_t *options; /* rising, at least one */
	size_t count;
	uint32_t choice; /* out: one of them */
};

/*
 * Fills in the choices so that few different options are chosen. The order of the elements changes
 * nothing. *out_bound: nothing does with fewer options. Deterministic, bounded in work. NOMEM.
 */
int tacho__cover_find(struct tacho__arena *arena, struct tacho__cover_element *elements,
		      size_t count, size_t option_count, size_t *out_used, size_t *out_bound);

#endif
