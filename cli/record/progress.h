/* SPDX-License-Identifier: MIT */
/* One line on a terminal that says how far a run is. */
#ifndef TACHO_CLI_PROGRESS_H
#define TACHO_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <tacho/sys/launch.h>

struct cli_progress {
	bool enabled;
	unsigned drawn;		 /* columns on the terminal */
	unsigned run, run_count; /* of the program, from 1; it is told when there are several */
	unsigned pass_count;	 /* in which each launch runs again; told when there are several */
	uint64_t drawn_ns;	 /* elapsed time when it was drawn */
};

/* Enabled when `wanted` and stderr is a terminal that can move its cursor. */
void cli_progress_init(struct cli_progress *line, bool wanted);
/* Draws, at most twice a second. */
void cli_progress_update(struct cli_progress *line, const struct tacho_progress *progress);
/* Draws this text, now. */
void cli_progress_draw(struct cli_progress *line, const char *text);
void cli_progress_erase(struct cli_progress *line);

#endif
