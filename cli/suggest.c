/* SPDX-License-Identifier: MIT */
/* Edit distance, optimal string alignment. */
#include "suggest.h"

#include <string.h>

enum { LENGTH_MAX = 40, FAR = 99 };

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned cli_suggest_distance(const char *a, const char *b)
{
	unsigned rows[3][LENGTH_MAX + 1];
	size_t a_length = strlen(a), b_length = strlen(b);

	if (a_length > LENGTH_MAX || b_length > LENGTH_MAX)
		return FAR;
	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3];
		const unsigned *before_that = rows[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= b_length; j++) {
			unsigned change = before[j - 1] + (a[i - 1] != b[j - 1]);

			now[j] = min(change, min(before[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min(now[j], before_that[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

const char *cli_suggest(const char *word, const char *const *known)
{
	const char *nearest = NULL;
	unsigned best = FAR;

	for (; *known; known++) {
		unsigned distance = cli_suggest_distance(word, *known);
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
