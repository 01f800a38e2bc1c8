/* SPDX-License-Identifier: MIT */
/* Sentences for people: notes, warnings; and texts of programs made fit for them. */
#ifndef TACHO_ANALYZE_SENTENCES_H
#define TACHO_ANALYZE_SENTENCES_H

#include <stdarg.h>
#include <stddef.h>

#include "base/arena.h"

/* {0} at first. */
struct tacho__sentences {
	const char **all;
	size_t count, capacity;
};

void tacho__sentences_finish(struct tacho__sentences *sentences);
/* One more, as in vprintf(), in one printable line that lives in the arena. NOMEM. */
int tacho__sentences_add(struct tacho__sentences *sentences, struct tacho__arena *arena,
			 const char *format, va_list list) __attribute__((format(printf, 3, 0)));
/* NULL past the last. */
const char *tacho__sentences_get(const struct tacho__sentences *sentences, size_t index);

/* A copy in one line, in which what is not seen is spelled. NULL: no memory, which is told. */
const char *tacho__printable(struct tacho__arena *arena, const char *text);

#endif
