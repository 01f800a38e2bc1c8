/* SPDX-License-Identifier: MIT */
/* Small questions about texts. */
#ifndef TACHO_BASE_TEXT_H
#define TACHO_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What stands behind the last slash. Borrowed. */
static inline const char *tacho__base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether it ends so, and has more before that. */
static inline bool tacho__ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);

	return size > end_size && !strcmp(text + size - end_size, end);
}

static inline bool tacho__is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Without the blanks at both ends, which is done in place. */
static inline char *tacho__trim(char *text)
{
	size_t size;

	while (tacho__is_blank(*text))
		text++;
	size = strlen(text);
	while (size && tacho__is_blank(text[size - 1]))
		text[--size] = '\0';
	return text;
}

/* Digits, and what names begin with and consist of: ASCII only, whatever the locale. */
static inline bool tacho__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool tacho__is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool tacho__is_name(char c)
{
	return tacho__is_name_start(c) || tacho__is_digit(c);
}

/* The value of a digit in base 16; 16: it is none. */
static inline unsigned tacho__hex_digit(char c)
{
	if (tacho__is_digit(c))
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* "" or "s", to go behind a noun. Static. */
static inline const char *tacho__plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

#endif
