/* SPDX-License-Identifier: MIT */
/* What every reader asks of a command. */
#ifndef TACHO_RECORD_COMMAND_H
#define TACHO_RECORD_COMMAND_H

#include <stdbool.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "tacho/recording.h"

static inline bool tacho__kind_is_transfer(enum tacho_command_kind kind)
{
	return kind >= TACHO_COMMAND_WRITE && kind <= TACHO_COMMAND_UNMAP;
}

static inline bool tacho__command_is_transfer(const struct tacho_command *command)
{
	return tacho__kind_is_transfer(command->kind);
}

/* Whether it is known when it was: of a command without a call, when its own times are. */
static inline bool tacho__call_has_time(const struct tacho_call *call)
{
	return !call->is_bare || call->start_ns ||
	       (call->command && call->command->state == TACHO_STATE_OK);
}

/* How long the thread was in the call, and in the equal ones behind it that it stands for. */
static inline uint64_t tacho__call_busy_ns(const struct tacho_call *call)
{
	return call->repeats ? call->busy_ns : call->end_ns - call->start_ns;
}

/* The kernels that ran by it. */
static inline uint64_t tacho__command_kernels(const struct tacho_command *command)
{
	if (command->kind == TACHO_COMMAND_BUFFER)
		return command->contents->kernel_count;
	return command->kind == TACHO_COMMAND_KERNEL;
}

/* Whether the command is counted as a whole, for those that it stands for: it has a row then. */
static inline bool tacho__row_is_of_whole(const struct tacho_recorded_row *row,
					  const struct tacho_command *command)
{
	return row && row->is_counted && command->kind == TACHO_COMMAND_OTHER &&
	       (row->passes || *row->note);
}

/* Whether its times are those of one device; else it is not known which one worked when. */
static inline bool tacho__command_is_of_one_device(const struct tacho_command *command)
{
	return command->kind != TACHO_COMMAND_BUFFER || command->contents->device_count < 2;
}

enum { TACHO__QUEUE_NAME_MAX = 64, TACHO__QUEUE_TEXT_MAX = TACHO__QUEUE_NAME_MAX + 32 };

/* "queue 3", and behind it what it is called, if it has a name: "queue 3, default stream". */
static inline const char *tacho__queue_format(char text[TACHO__QUEUE_TEXT_MAX],
					      const struct tacho_object *queue)
{
	size_t size = strlen(queue->name);

	snprintf(text, TACHO__QUEUE_TEXT_MAX, "queue %" PRIu32 "%s%.*s", queue->id,
		 size ? ", " : "", (int)tacho__utf8_fit(queue->name, size, TACHO__QUEUE_NAME_MAX),
		 queue->name);
	return text;
}

#endif
