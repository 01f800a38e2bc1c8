/* SPDX-License-Identifier: MIT */
/* The arguments of a call: decoded as far as they are asked for, and made text one by one. */
#ifndef TACHO_RECORD_CALL_ARGUMENTS_H
#define TACHO_RECORD_CALL_ARGUMENTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/pack.h"
#include "record/argument.h"
#include "record/call_format.h"
#include "record/call_table.h"

/* {0} before the first call. */
struct tacho__call_arguments {
	const struct tacho__function *function;
	struct tacho__unpack *rest; /* behind those that are decoded; borrowed */
	size_t decoded;
	struct tacho__unpack places[TACHO__ARGUMENTS_COUNT_MAX]; /* where each begins */
	struct tacho__value values[TACHO__ARGUMENTS_COUNT_MAX];
	struct tacho__buf texts[TACHO__ARGUMENTS_COUNT_MAX], joined;
	bool is_text[TACHO__ARGUMENTS_COUNT_MAX];
	bool failed; /* no memory for a text */
};

void tacho__call_arguments_finish(struct tacho__call_arguments *arguments);
/* Those of another call, which begin there; it moves on as they are decoded. */
static inline void tacho__call_arguments_begin(struct tacho__call_arguments *arguments,
					       const struct tacho__function *function,
					       struct tacho__unpack *unpack)
{
	arguments->function = function;
	arguments->rest = unpack;
	arguments->decoded = 0;
}
/* The values before `end`, as far as they are not yet. */
void tacho__call_arguments_decode(struct tacho__call_arguments *arguments, size_t end);
/* All as text, and that text until the next call. */
const char *tacho__call_arguments_format(struct tacho__call_arguments *arguments,
					 const char *separator);
/* The one of that number among those that are shown; NULL: there is none, or no memory. */
const char *tacho__call_arguments_get(struct tacho__call_arguments *arguments, size_t number,
				      const char **out_name);
/* The same for who takes numbers as they are. False: there is none, or no memory for its text. */
bool tacho__call_arguments_read(struct tacho__call_arguments *arguments, size_t number,
				struct tacho__call_argument *out_argument);
/* argument.h: a handle, or one that was written. */
bool tacho__call_arguments_read_handle(struct tacho__call_arguments *arguments, size_t number,
				       struct tacho__call_handle *out_handle);

#endif
