/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

enum { LENGTH_MAX = 128, LETTER = 10 };

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static int is_same(char a, char b, int ignores_case)
{
	return a == b || (ignores_case && tolower((unsigned char)a) == tolower((unsigned char)b));
}

unsigned tacho_nearest_distance(const char *a, const char *b, int ignores_case)
{
	unsigned rows[3][LENGTH_MAX + 1];
	size_t a_length = strnlen(a, LENGTH_MAX), b_length = strnlen(b, LENGTH_MAX);

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3];
		const unsigned *before_that = rows[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= b_length; j++) {
			unsigned change =
				before[j - 1] + !is_same(a[i - 1], b[j - 1], ignores_case);

			now[j] = min(change, min(before[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2], ignores_case) &&
			    is_same(a[i - 2], b[j - 1], ignores_case))
				now[j] = min(now[j], before_that[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

unsigned tacho_nearest_score(const char *written, const char *name)
{
	unsigned score = LETTER * tacho_nearest_distance(written, name, 1);
	size_t length = strlen(written), name_length = strlen(name);

	if (length >= 2 && name_length >= length) {
		unsigned rest = (unsigned)(name_length - length) / 4;

		if (!strncasecmp(written, name, length))
			score = min(score, LETTER - 1 + rest);
		else if (strcasestr(name, written))
			score = min(score, 2 * LETTER - 1 + rest);
	}
	return score;
}

const char *tacho__nearest_describe(const struct tacho__nearest *nearest)
{
	const char *text = "";

	for (size_t i = 0; i < nearest->used; i++)
		text = tacho__detail("%s%s%s", text, i ? ", " : "the nearest names are ",
				     (const char *)nearest->things[i]);
	return text;
}

void tacho__nearest_offer(struct tacho__nearest *nearest, const void *thing, unsigned score)
{
	size_t at = nearest->used;

	while (at > 0 && nearest->scores[at - 1] > score)
		at--;
	if (at == nearest->count)
		return;
	if (nearest->used < nearest->count)
		nearest->used++;
	memmove(&nearest->things[at + 1], &nearest->things[at],
		(nearest->used - at - 1) * sizeof(nearest->things[0]));
	memmove(&nearest->scores[at + 1], &nearest->scores[at],
		(nearest->used - at - 1) * sizeof(nearest->scores[0]));
	nearest->things[at] = thing;
	nearest->scores[at] = score;
}
