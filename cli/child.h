/* SPDX-License-Identifier: MIT */
/*
 * A program that waits before its first instruction, so that counting can begin exactly there.
 * One at a time: from prepare to finish the signals that matter are blocked and read here.
 */
#ifndef TACHO_CLI_CHILD_H
#define TACHO_CLI_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cli_child {
	pid_t pid;
	const char *program;
	int go_fd, report_fd;
	sigset_t old_mask;
	struct sigaction old_child_action;
	uint64_t begin_ns;
	bool is_prepared;
	/* Once it has ended. */
	int status;				 /* as a shell shows it: 128+N for signal N */
	uint64_t elapsed_ns, user_ns, system_ns; /* with its children that it waited for */
	bool is_stopped;			 /* a signal ended it, or was there to end it */
};

/* Forks. The child waits for cli_child_start(). OK or FAILED, which was said. */
int cli_child_prepare(struct cli_child *child, char *const argv[]);
/* Lets it execute the program. Otherwise it has ended, and the status of env(1) is returned. */
int cli_child_start(struct cli_child *child);
/*
 * Waits at most timeout_ms. True: it has ended. Ctrl-C reaches the program by itself; signals that
 * somebody sends to this process alone are handed on to the program.
 */
bool cli_child_wait(struct cli_child *child, int timeout_ms);
/* Ends it if it was not started, and gives signals their old meaning. */
void cli_child_finish(struct cli_child *child);

#endif
