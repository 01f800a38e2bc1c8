/* SPDX-License-Identifier: MIT */
/* What became of a recording, as it is known without reading it: how `tacho record` ends. */
#ifndef TACHO_CLI_ENDING_H
#define TACHO_CLI_ENDING_H

#include <stdbool.h>
#include <stdio.h>

#include <tacho/sys/launch.h>

#include "cli.h"

/* Over all runs of a program. */
struct cli_ending {
	char *path; /* of the recording; NULL: there is none */
	int status; /* of the program, as a shell shows it */
	unsigned run_count;
	struct tacho_launch_outcome sum; /* but for its texts */
	char *why_empty, *loss, *cure;	 /* of the first run that has some; NULL: none has */
	enum cli_exit class;		 /* of the first loss; CLI_OK: nothing was lost */
	enum cli_exit export_class;	 /* of the first export that failed; CLI_OK: none did */
};

/* How it is told. */
struct cli_ending_style {
	bool is_quiet;	  /* nothing but warnings */
	bool has_report;  /* one follows */
	bool is_strict;	  /* a loss is a failure */
	bool needs_calls; /* a recording without any is one, too */
	bool has_bounds;  /* calls were to be left out */
	bool is_ring;
};

void cli_ending_add(struct cli_ending *ending, const struct tacho_launch_outcome *outcome);

/* One line for each thing that is to be said. Returns the exit status of the command. */
int cli_ending_tell(const struct cli_ending *ending, const struct cli_ending_style *style,
		    FILE *stream);

void cli_ending_print_json(const struct cli_ending *ending, const struct cli_ending_style *style,
			   FILE *stream);
void cli_ending_finish(struct cli_ending *ending);

#endif
