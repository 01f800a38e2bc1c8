/* SPDX-License-Identifier: MIT */
/*
 * Characters of texts from outside: names of kernels, labels, arguments, paths. Which of them an
 * output can show, and how the others are spelled in it. For the command: no ABI promise.
 */
#ifndef TACHO_SYS_CHARACTER_H
#define TACHO_SYS_CHARACTER_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tacho_character_kind {
	TACHO_CHARACTER_SHOWN,
	/* It does something to the text around it and has no picture of its own: controls, what
	 * turns the direction, ends lines, joins, fills, tags. */
	TACHO_CHARACTER_HIDDEN,
	TACHO_CHARACTER_BAD, /* a byte that is no UTF-8 */
};

enum { TACHO_CHARACTER_SPELLED_MAX = 11 }; /* with the NUL */

struct tacho_character {
	enum tacho_character_kind kind;
	unsigned length; /* in bytes, at least 1 */
	uint32_t code;	 /* of a bad one: the byte */
};

/* The character that `text` begins with, which is not empty. */
TACHO_API struct tacho_character tacho_character_read(const char *text);

/*
 * "\n", "\r", "\t", "\x1b" for a byte, "\u202e", "\U000e0001" beyond U+FFFF; returns its length. A
 * backslash itself stays one, so that paths and C strings are what they were.
 */
TACHO_API size_t tacho_character_spell(const struct tacho_character *character,
				       char out_text[TACHO_CHARACTER_SPELLED_MAX]);

#ifdef __cplusplus
}
#endif

#endif
