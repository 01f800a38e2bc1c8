/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Only the first failure tells why: what is told later may be a consequence. */
static bool fail(struct tacho__buf *buf, size_t bytes)
{
	if (!buf->failed)
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a text of %zu bytes", bytes);
	buf->failed = true;
	return false;
}

/* Room for `more` bytes and the NUL. */
static bool reserve(struct tacho__buf *buf, size_t more)
{
	size_t need = buf->size + more + 1, capacity = buf->capacity ? buf->capacity : 128;
	char *text;

	if (buf->failed || need <= more)
		return fail(buf, more);
	if (need <= buf->capacity)
		return true;
	while (capacity < need)
		capacity *= 2;
	text = realloc(buf->text, capacity);
	if (!text)
		return fail(buf, need);
	buf->text = text;
	buf->capacity = capacity;
	return true;
}

void tacho__buf_finish(struct tacho__buf *buf)
{
	free(buf->text);
	memset(buf, 0, sizeof(*buf));
}

void tacho__buf_clear(struct tacho__buf *buf)
{
	buf->size = 0;
	buf->failed = false;
	if (buf->text)
		buf->text[0] = '\0';
}

void tacho__buf_add(struct tacho__buf *buf, const void *bytes, size_t size)
{
	if (!size || !reserve(buf, size))
		return;
	memcpy(buf->text + buf->size, bytes, size);
	buf->size += size;
	buf->text[buf->size] = '\0';
}

void tacho__buf_put(struct tacho__buf *buf, const char *string)
{
	tacho__buf_add(buf, string, strlen(string));
}

void tacho__buf_char(struct tacho__buf *buf, char c)
{
	tacho__buf_add(buf, &c, 1);
}

void tacho__buf_printf(struct tacho__buf *buf, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	tacho__buf_vprintf(buf, format, list);
	va_end(list);
}

void tacho__buf_vprintf(struct tacho__buf *buf, const char *format, va_list list)
{
	va_list again;
	int size;

	va_copy(again, list);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (size < 0)
		fail(buf, 0);
	if (size < 0 || !reserve(buf, (size_t)size))
		return;
	vsnprintf(buf->text + buf->size, (size_t)size + 1, format, list);
	buf->size += (size_t)size;
}

const char *tacho__buf_text(const struct tacho__buf *buf)
{
	return buf->text ? buf->text : "";
}

const char *tacho__buf_show(const struct tacho__buf *buf)
{
	return buf->failed ? "(no memory for a text)" : tacho__buf_text(buf);
}

char *tacho__buf_keep(struct tacho__buf *buf, struct tacho__arena *arena)
{
	char *copy = buf->failed ? NULL : tacho__arena_text(arena, tacho__buf_text(buf), buf->size);

	tacho__buf_finish(buf);
	return copy;
}
