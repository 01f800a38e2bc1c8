/* SPDX-License-Identifier: MIT */
/* Pieces of a text that is read: lines, words and numbers, without copies. */
#ifndef TACHO_FORMAT_IMPORT_SPAN_H
#define TACHO_FORMAT_IMPORT_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is no text at all; a text that is empty has at == end and is not NULL. */
struct tacho__span {
	const char *at, *end;
};

struct tacho__span tacho__span_of(const char *string);
size_t tacho__span_size(struct tacho__span span);
bool tacho__span_is(struct tacho__span span, const char *string);
bool tacho__span_equals(struct tacho__span one, struct tacho__span other);
bool tacho__span_starts(struct tacho__span span, const char *string);
bool tacho__span_ends(struct tacho__span span, const char *string);
/* Without blanks and tabs at both ends. */
struct tacho__span tacho__span_trim(struct tacho__span span);
/* The first occurrence of the string; NULL when there is none. */
const char *tacho__span_find(struct tacho__span span, const char *string);

/* Takes the next line off the text, without its line break of one or two bytes. False at the end.
 */
bool tacho__span_take_line(struct tacho__span *text, struct tacho__span *out_line);
/* Takes the next word off the text: what stands between blanks and tabs. False at the end. */
bool tacho__span_take_word(struct tacho__span *text, struct tacho__span *out_word);
/* Takes the last word off the text. */
bool tacho__span_take_last_word(struct tacho__span *text, struct tacho__span *out_word);
/* Takes all digits at the end off the text. */
struct tacho__span tacho__span_take_digits(struct tacho__span *text);

/* Readers of numbers that are the whole span; *out_value is untouched when it is none. */
bool tacho__span_to_u64(struct tacho__span span, uint64_t *out_value);
bool tacho__span_to_i64(struct tacho__span span, int64_t *out_value);
bool tacho__span_to_u32(struct tacho__span span, uint32_t *out_value);
/* `decimal` is "." or ".,": what may stand before decimals. */
bool tacho__span_to_f64(struct tacho__span span, const char *decimal, double *out_value);
/* "NULL" is 0, else "0x" and digits. */
bool tacho__span_to_handle(struct tacho__span span, uint64_t *out_value);
/* Milliseconds with decimals, to the nearest nanosecond. */
bool tacho__span_to_ms(struct tacho__span span, const char *decimal, uint64_t *out_ns);
/* One to three numbers within braces or brackets, by commas, semicolons or blanks. */
bool tacho__span_to_sizes(struct tacho__span span, uint64_t out_sizes[3], uint32_t *out_count);

#endif
