/* SPDX-License-Identifier: MIT */
/* Functions that a process got and that are not recorded. */
#ifndef TACHO_RECORD_UNWATCHED_H
#define TACHO_RECORD_UNWATCHED_H

#include "base/arena.h"
#include "tacho/recording.h"

/*
 * Adds what the process said of one (`text`, "key=value" lines) to what is known of it. What finds
 * no memory is left out.
 */
void tacho__unwatched_take(struct tacho__arena *arena, const char *text,
			   struct tacho_process *process);

#endif
