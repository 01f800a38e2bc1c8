/* SPDX-License-Identifier: MIT */
/* Words that the command knows. */
#include "suggest.h"

#include <string.h>

#include <tacho/sys/nearest.h>

enum { LENGTH_MAX = 40, FAR = 99 };

static unsigned get_distance(const char *a, const char *b)
{
	if (strlen(a) > LENGTH_MAX || strlen(b) > LENGTH_MAX)
		return FAR;
	return tacho_nearest_distance(a, b, 0);
}

const char *cli_suggest(const char *word, const char *const *known)
{
	const char *nearest = NULL;
	unsigned best = FAR;

	for (; *known; known++) {
		unsigned distance = get_distance(word, *known);
		size_t length = strlen(*known);

		/* A beginning of a word counts as near. */
		if (*word && strncmp(word, *known, strlen(word)) == 0)
			distance = 1;
		if (distance < best && distance <= 1 + length / 4) {
			best = distance;
			nearest = *known;
		}
	}
	return nearest;
}
