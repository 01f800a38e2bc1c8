/* SPDX-License-Identifier: MIT */
/* Numbers as text. */
#ifndef TACHO_BASE_NUMBER_H
#define TACHO_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum { TACHO__NUMBER_MAX = 32 };

/*
 * A finite number with the fewest digits that are read back as the same one, with a point whatever
 * the locale. Returns the size of the text.
 */
size_t tacho__number_format(double value, char out_text[TACHO__NUMBER_MAX]);
size_t tacho__number_format_whole(uint64_t value, char out_text[TACHO__NUMBER_MAX]);

/* Seconds: "0.050000000". */
size_t tacho__number_format_seconds(uint64_t ns, char out_text[TACHO__NUMBER_MAX]);

/*
 * Reads all of the text as a decimal number: a sign perhaps, digits with a point perhaps, an
 * exponent perhaps; the point is "." whatever the locale. Rounded to the nearest; infinite when no
 * double is that large. -1, and no error, for any other text.
 */
int tacho__number_parse(const char *text, size_t size, double *out_value);

#endif
