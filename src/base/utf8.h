/* SPDX-License-Identifier: MIT */
/* UTF-8 as RFC 3629 has it. */
#ifndef TACHO_BASE_UTF8_H
#define TACHO_BASE_UTF8_H

#include <stddef.h>

/* The length of the well-formed character at `s`, 0 if there is none. A NUL ends the text. */
unsigned tacho__utf8_length(const unsigned char *s);

/* How much of a text of `size` bytes fits into `max` without a character that is cut. */
size_t tacho__utf8_fit(const char *text, size_t size, size_t max);

#endif
