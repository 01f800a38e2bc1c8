/* SPDX-License-Identifier: MIT */
/*
 * What a command does, for the program that started it: --status-fd. A line of JSON for each event
 * (docs/status.md). Without --status-fd nothing of this does anything.
 */
#ifndef TACHO_CLI_EVENTS_H
#define TACHO_CLI_EVENTS_H

#include <tacho/sys/launch.h>

/* NULL; else why the descriptor cannot be written to. Static. */
const char *cli_events_open(int fd);

void cli_events_start(const char *command);
/* A run of the program begins, from 1; `recording` may be NULL. */
void cli_events_run(const char *recording, unsigned run, unsigned run_count);
/* Left out while nobody reads. */
void cli_events_progress(unsigned run, const struct tacho_progress *progress);
/* `event` is "error" or "warning"; texts may be NULL or "", `class` is NULL when none is told. */
void cli_events_message(const char *event, const char *class, const char *message,
			const char *cause, const char *cure);
/* The last one. */
void cli_events_end(int status);

#endif
