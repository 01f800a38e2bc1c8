/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

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

void tacho__buf_add_grown(struct tacho__buf *buf, const void *bytes, size_t size)
{
	if (!size || !reserve(buf, size))
		return;
	memcpy(buf->text + buf->size, bytes, size);
	buf->size += size;
	buf->text[buf->size] = '\0';
}

void tacho__buf_unsigned(struct tacho__buf *buf, uint64_t value)
{
	char text[TACHO__NUMBER_MAX];

	tacho__buf_add(buf, text, tacho__number_format_whole(value, text));
}

void tacho__buf_signed(struct tacho__buf *buf, int64_t value)
{
	if (value < 0)
		tacho__buf_char(buf, '-');
	tacho__buf_unsigned(buf, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void tacho__buf_hex(struct tacho__buf *buf, uint64_t value)
{
	char text[2 + 2 * sizeof(value)];
	size_t at = sizeof(text);

	do {
		text[--at] = "0123456789ABCDEF"[value & 15];
		value >>= 4;
	} while (value);
	text[--at] = 'x';
	text[--at] = '0';
	tacho__buf_add(buf, text + at, sizeof(text) - at);
}

void tacho__buf_pad(struct tacho__buf *buf, size_t start, size_t column)
{
	static const char blanks[] = "                                ";
	size_t end = start + column;

	while (buf->size < end && !buf->failed)
		tacho__buf_add(buf, blanks,
			       end - buf->size < sizeof(blanks) - 1 ? end - buf->size
								    : sizeof(blanks) - 1);
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
