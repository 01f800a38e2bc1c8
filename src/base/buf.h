/* SPDX-License-Identifier: MIT */
/* A growing byte buffer that is also a string: always NUL-terminated once something was added. */
#ifndef TACHO_BASE_BUF_H
#define TACHO_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct tacho__buf {
	char *text;  /* NULL while nothing was added: see tacho__buf_text() */
	size_t size; /* without the NUL */
	size_t capacity;
	/* Memory ran out, which is the thread's error: later additions do nothing. Check once at
	 * the end, before anybody takes the text for a whole one. */
	bool failed;
};

/* {0} is an empty buffer. */
void tacho__buf_finish(struct tacho__buf *buf);
void tacho__buf_clear(struct tacho__buf *buf);
/* The same as tacho__buf_add(), which calls it when there is no room yet. */
void tacho__buf_add_grown(struct tacho__buf *buf, const void *bytes, size_t size);

/* Here, because an export adds some dozen pieces for each call of a recording. */
static inline void tacho__buf_add(struct tacho__buf *buf, const void *bytes, size_t size)
{
	if (!size || buf->failed || size >= buf->capacity - buf->size) {
		tacho__buf_add_grown(buf, bytes, size);
		return;
	}
	memcpy(buf->text + buf->size, bytes, size);
	buf->size += size;
	buf->text[buf->size] = '\0';
}

static inline void tacho__buf_put(struct tacho__buf *buf, const char *string)
{
	tacho__buf_add(buf, string, strlen(string));
}

static inline void tacho__buf_char(struct tacho__buf *buf, char c)
{
	tacho__buf_add(buf, &c, 1);
}

/* As "%" PRIu64, "%" PRId64 and "0x%" PRIX64 print them. */
void tacho__buf_unsigned(struct tacho__buf *buf, uint64_t value);
void tacho__buf_signed(struct tacho__buf *buf, int64_t value);
void tacho__buf_hex(struct tacho__buf *buf, uint64_t value);
/* Blanks up to `column`, counted in bytes from `start`; none when the text is there already. */
void tacho__buf_pad(struct tacho__buf *buf, size_t start, size_t column);
void tacho__buf_printf(struct tacho__buf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void tacho__buf_vprintf(struct tacho__buf *buf, const char *format, va_list list);

/* The text, "" when empty. Borrowed until the next addition. */
const char *tacho__buf_text(const struct tacho__buf *buf);

/* The same for a person to read, who is told when memory ran out for it. */
const char *tacho__buf_show(const struct tacho__buf *buf);

/*
 * The text in an arena, and the buffer finished. NULL with the error set when memory ran out, for
 * the buffer or now.
 */
char *tacho__buf_keep(struct tacho__buf *buf, struct tacho__arena *arena);

#endif
