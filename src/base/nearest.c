/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

enum { LENGTH_MAX = 128, LETTER = 10 };

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

struct letters {
	char all[LENGTH_MAX];
	size_t count;
};

static void take_letters(struct letters *letters, const char *text, bool ignores_case)
{
	letters->count = strnlen(text, LENGTH_MAX);
	for (size_t i = 0; i < letters->count; i++)
		letters->all[i] = ignores_case ? (char)tolower((unsigned char)text[i]) : text[i];
}

/* Optimal string alignment; more than `most` where it is more, whatever it is then. */
static unsigned measure(const struct letters *a, const struct letters *b, unsigned most)
{
	unsigned rows[3][LENGTH_MAX + 1], least_before = 0;

	if ((a->count > b->count ? a->count - b->count : b->count - a->count) > most)
		return UINT_MAX;
	for (size_t j = 0; j <= b->count; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a->count; i++) {
		unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3];
		const unsigned *before_that = rows[(i + 1) % 3];
		unsigned least = now[0] = (unsigned)i;

		for (size_t j = 1; j <= b->count; j++) {
			unsigned change = before[j - 1] + (a->all[i - 1] != b->all[j - 1]);

			now[j] = min(change, min(before[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a->all[i - 1] == b->all[j - 2] &&
			    a->all[i - 2] == b->all[j - 1])
				now[j] = min(now[j], before_that[j - 2] + 1);
			least = min(least, now[j]);
		}
		/* Each way goes through one of two rows. */
		if (least > most && least_before > most)
			return UINT_MAX;
		least_before = least;
	}
	return rows[a->count % 3][b->count];
}

unsigned tacho_nearest_distance(const char *a, const char *b, int ignores_case)
{
	struct letters letters[2];

	take_letters(&letters[0], a, ignores_case);
	take_letters(&letters[1], b, ignores_case);
	return measure(&letters[0], &letters[1], UINT_MAX);
}

unsigned tacho_nearest_score_below(const char *written, const char *name, unsigned below)
{
	struct letters letters[2];
	size_t length = strlen(written), name_length = strlen(name);
	unsigned distance, score = UINT_MAX;

	if (!below)
		return score;
	take_letters(&letters[0], written, true);
	take_letters(&letters[1], name, true);
	distance = measure(&letters[0], &letters[1], (below - 1) / LETTER);
	if (distance != UINT_MAX)
		score = LETTER * distance;
	if (length >= 2 && name_length >= length) {
		unsigned rest = (unsigned)(name_length - length) / 4;

		if (!strncasecmp(written, name, length))
			score = min(score, LETTER - 1 + rest);
		else if (strcasestr(name, written))
			score = min(score, 2 * LETTER - 1 + rest);
	}
	return score;
}

unsigned tacho_nearest_score(const char *written, const char *name)
{
	return tacho_nearest_score_below(written, name, UINT_MAX);
}

const char *tacho__nearest_describe(const struct tacho__nearest *nearest)
{
	const char *text = "";

	for (size_t i = 0; i < nearest->used; i++)
		text = tacho__detail("%s%s%s", text, i ? ", " : "the nearest names are ",
				     (const char *)nearest->things[i]);
	return text;
}

unsigned tacho__nearest_worst(const struct tacho__nearest *nearest)
{
	if (nearest->used < nearest->count)
		return UINT_MAX;
	return nearest->count ? nearest->scores[nearest->count - 1] : 0;
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
