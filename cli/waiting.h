/* SPDX-License-Identifier: MIT */
/* A line on a terminal while something takes long of which nobody knows how long. */
#ifndef TACHO_CLI_WAITING_H
#define TACHO_CLI_WAITING_H

#include <pthread.h>
#include <stdbool.h>

struct tacho_recording;

struct cli_waiting {
	char *text;
	struct tacho_recording *recording; /* that is read meanwhile; NULL: none */
	bool runs, ends;
	int drawn; /* columns */
	pthread_t thread;
	pthread_mutex_t lock; /* of `ends` and `recording` */
	pthread_cond_t changed;
};

/*
 * From a second on the line says what is done and for how long, when it is `wanted` and stderr is a
 * terminal that can move its cursor. `waiting` stays where it is until cli_waiting_end().
 */
void cli_waiting_begin(struct cli_waiting *waiting, bool wanted, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* From now on the line says, too, how much of the recording has been read. */
void cli_waiting_watch(struct cli_waiting *waiting, struct tacho_recording *recording);
/* The line is gone. */
void cli_waiting_end(struct cli_waiting *waiting);

#endif
