/* SPDX-License-Identifier: MIT */
/* tacho record -I: what is sampled beside the program, in windows of time. */
#ifndef TACHO_CLI_SAMPLING_H
#define TACHO_CLI_SAMPLING_H

#include <stdint.h>
#include <stdio.h>

#include <tacho/sys/launch.h>

#include "count.h"

struct cli_sampling;

/*
 * Finds what the names stand for, and whether one pass has all of it. Otherwise it says why not and
 * returns the class of the failure. Owned.
 */
int cli_sampling_create(const struct cli_count_choice *choice, uint64_t interval_ms,
			struct cli_sampling **out_sampling);
void cli_sampling_destroy(struct cli_sampling *sampling);

/* For a launch. Borrowed; NULL of NULL. */
const struct tacho_launch_sampling *cli_sampling_get(const struct cli_sampling *sampling);

void cli_sampling_announce(const struct cli_sampling *sampling, FILE *stream);

#endif
