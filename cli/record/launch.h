/* SPDX-License-Identifier: MIT */
/* Running a program with a recorder inside, as `tacho record` and `tacho stat` do. */
#ifndef TACHO_CLI_LAUNCH_H
#define TACHO_CLI_LAUNCH_H

#include <stdbool.h>

#include <tacho/sys/launch.h>

#include "count.h"
#include "record/ending.h"

struct cli_launch {
	char **argv;
	struct tacho_launch_options options; /* but for `counting` */
	struct cli_count *count;	     /* NULL: only record */
	bool is_quiet;			     /* nothing but warnings and errors */
	bool is_silent;			     /* no word about the recording itself */
	bool is_again;			     /* nor warnings before the start */
	bool ends_on_interrupt;		     /* Ctrl-C ends the program, also when only we get it */
	/* Instead of the line that tells how far it is, some times a second; NULL: that line. */
	void (*watch)(void *user, const struct tacho_progress *progress);
	void *user;
};

/*
 * Runs it, once per pass where that was asked for, and returns its status, or 125 to 127 when that
 * was not to be; then it was said why. *out_ending is what became of the recording; its path stays
 * as it was when there is none.
 */
int cli_launch_run(const struct cli_launch *launch, struct cli_ending *out_ending);

/*
 * For a command that runs several: from now on signals that ask to end do not end tacho, also
 * between its programs.
 */
void cli_launch_catch_signals(void);
/* The first signal that asked tacho to end since then; 0: none did. */
int cli_launch_get_stop(void);
/* Signals do again what they did before. */
void cli_launch_release_signals(void);

/* The last error of finding or starting a program: 126 and 127 as env(1) has them, 125 for all
 * else. */
int cli_launch_complain(void);

#endif
