/* SPDX-License-Identifier: MIT */
/* One turn of `tacho diff --run`. */
#ifndef TACHO_CLI_TURNS_PROGRAM_H
#define TACHO_CLI_TURNS_PROGRAM_H

#include "diff/turns.h"

/*
 * Runs the program of a side, and opens its recording into the group; of a warming up (pair 0) it
 * is removed. OK also when a signal came that asks to end: then nothing of it stays. Otherwise the
 * status of the command, and why was said.
 */
int cli_turns_run_program(struct cli_turns *turns, unsigned side, uint64_t pair,
			  struct cli_diff_group *group);

/* "pair 3 of 10, B" */
void cli_turns_name(const struct cli_turns *turns, unsigned side, uint64_t pair, char *out_title,
		    size_t size);

#endif
