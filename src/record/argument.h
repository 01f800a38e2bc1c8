/* SPDX-License-Identifier: MIT */
/* An argument of a call for formats that have numbers of their own: most are made no text. */
#ifndef TACHO_RECORD_ARGUMENT_H
#define TACHO_RECORD_ARGUMENT_H

#include <stdbool.h>

#include "record/call_format.h"
#include "tacho/recording.h"

struct tacho__call_argument {
	const char *name;
	enum tacho__number_form form;
	uint64_t number;  /* signed ones as two's complement */
	const char *text; /* where it is no number; until the next call */
};

/*
 * As tacho_cursor_get_argument(); false behind the last. Files of other tools have texts only.
 */
bool tacho__cursor_read_argument(struct tacho_cursor *cursor, size_t index,
				 struct tacho__call_argument *out_argument);

/* A handle that is an argument, or that the call wrote through one; 0 is NULL. */
struct tacho__call_handle {
	uint64_t handle;
	bool is_written;
};

/* False: the argument is neither, or only its text tells. */
bool tacho__cursor_read_handle(struct tacho_cursor *cursor, size_t index,
			       struct tacho__call_handle *out_handle);

/*
 * What the call's result and arguments were recorded as: where the function and all of these bytes
 * are the same, so are the texts of both. The bytes are there until the next call, the function is
 * as long as the recording. False: only the texts tell.
 */
bool tacho__cursor_read_recorded(struct tacho_cursor *cursor, const void **out_bytes,
				 size_t *out_size);

#endif
