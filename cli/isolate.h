/* SPDX-License-Identifier: MIT */
/*
 * Running vendors' code in a child process, because drivers crash and hang. The child sends
 * messages of a few strings; they arrive even when it dies right after sending.
 */
#ifndef TACHO_CLI_ISOLATE_H
#define TACHO_CLI_ISOLATE_H

#include <stddef.h>

enum { CLI_FIELDS_MAX = 24, CLI_ISOLATE_TIMEOUT_MS = 30000 };

/* In the child. What it returns, 0 to 254, is the exit status. */
typedef int (*cli_isolate_fn)(int channel);
/* In the parent, for each message. */
typedef void (*cli_message_fn)(void *user, const char *const *fields, size_t count);

enum cli_isolate_end {
	CLI_ISOLATE_EXITED,  /* number: exit status */
	CLI_ISOLATE_KILLED,  /* number: signal */
	CLI_ISOLATE_HUNG,    /* no message within the limit; it was killed */
	CLI_ISOLATE_GARBLED, /* its messages made no sense; it was killed */
	CLI_ISOLATE_NO_CHILD /* number: errno */
};

struct cli_isolate_result {
	enum cli_isolate_end end;
	int number;
};

/* Runs `work` in a child that may take timeout_ms from one message to the next. */
struct cli_isolate_result cli_isolate_run(cli_isolate_fn work, int timeout_ms, cli_message_fn fn,
					  void *user);

/* In the child: sends `count` strings; NULL is "". */
void cli_isolate_send(int channel, const char *const *fields, size_t count);

#endif
