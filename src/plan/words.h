/* SPDX-License-Identifier: MIT */
/* Lists of counters as people write them: how they fall into words. docs/lists.md has the rules. */
#ifndef TACHO_PLAN_WORDS_H
#define TACHO_PLAN_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define TACHO__BLANKS " \t\r\n"

struct tacho__word {
	const char *text; /* in the list, without the blanks around it */
	size_t size;
};

/*
 * The next word of a list of `*size` bytes, and the list without it; empty words are left out.
 * False when there is none. Commas separate, but not between slashes, brackets or braces.
 */
bool tacho__words_next(const char **list, size_t *size, struct tacho__word *out_word);

#endif
