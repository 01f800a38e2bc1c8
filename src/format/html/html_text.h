/* SPDX-License-Identifier: MIT */
/*
 * Text in a page, escaped for its place. Bytes that are no UTF-8, and characters that are not seen
 * (sys/character.h), are spelled.
 */
#ifndef TACHO_FORMAT_HTML_HTML_TEXT_H
#define TACHO_FORMAT_HTML_HTML_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

/* As content of an element, or inside a double-quoted attribute. */
void tacho__html_put_text(FILE *stream, const char *text);

/* At most `size` bytes of it, cut at a character, with "..." where it was cut. */
void tacho__html_put_short(FILE *stream, const char *text, size_t size);

/* As a string of JSON, with its quotes, inside a script element; cut likewise. */
void tacho__html_put_json(FILE *stream, const char *text, size_t size);
/* The same into memory, which takes less where there are many of them. */
void tacho__html_add_json(struct tacho__buf *buf, const char *text, size_t size);

/*
 * Markup as printf() would write it, but that each %s is text and is escaped. Knows %s, %u, %lu,
 * %zu, %d and %%.
 */
void tacho__html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Cells of a table: of what is not known, of a number as it is sorted and shown, and with a bar. */
void tacho__html_put_absent(FILE *stream, const char *reason);
void tacho__html_put_number(FILE *stream, uint64_t value, const char *text);
void tacho__html_put_share(FILE *stream, double percent, const char *text);

/* Titles of columns by which a table can be sorted. */
void tacho__html_put_titles(FILE *stream, bool is_number, const char *const *titles, size_t count);

#endif
