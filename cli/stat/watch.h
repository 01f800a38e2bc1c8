/* SPDX-License-Identifier: MIT */
/* Waiting for the end of what tacho did not start: a process, a time, or Ctrl-C. */
#ifndef TACHO_CLI_WATCH_H
#define TACHO_CLI_WATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cli_watch {
	pid_t pid; /* 0: nobody */
	int pid_fd, signal_fd;
	sigset_t old_mask;
	uint64_t begin_ns, duration_ns; /* 0: without end */
	uint64_t elapsed_ns;		/* once it is over */
	bool is_over, runs;
};

/* OK, or why this process cannot be watched, which was said. Signals that end tacho are held. */
int cli_watch_begin(struct cli_watch *watch, pid_t pid, uint64_t duration_ns);
/* Waits at most timeout_ms. True: it is over. */
bool cli_watch_wait(struct cli_watch *watch, int timeout_ms);
/* Nothing for {0}. */
void cli_watch_finish(struct cli_watch *watch);

#endif
