/* SPDX-License-Identifier: MIT */
/* What stands behind the base of a metric's name. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "catalog/grammar.h"

static const char *const rollups[] = {
	[TACHO__ROLLUP_NONE] = "",   [TACHO__ROLLUP_AVG] = "avg", [TACHO__ROLLUP_SUM] = "sum",
	[TACHO__ROLLUP_MIN] = "min", [TACHO__ROLLUP_MAX] = "max",
};

/* Behind a rollup and those that stand alone. */
static const char *const submetrics[] = {
	[TACHO__SUB_VALUE] = "",
	[TACHO__SUB_PEAK] = ".peak_sustained",
	[TACHO__SUB_PEAK_ACTIVE] = ".peak_sustained_active",
	[TACHO__SUB_PEAK_ACTIVE_PER_SECOND] = ".peak_sustained_active.per_second",
	[TACHO__SUB_PEAK_ELAPSED] = ".peak_sustained_elapsed",
	[TACHO__SUB_PEAK_ELAPSED_PER_SECOND] = ".peak_sustained_elapsed.per_second",
	[TACHO__SUB_PER_CYCLE_ACTIVE] = ".per_cycle_active",
	[TACHO__SUB_PER_CYCLE_ELAPSED] = ".per_cycle_elapsed",
	[TACHO__SUB_PER_SECOND] = ".per_second",
	[TACHO__SUB_PCT_ACTIVE] = ".pct_of_peak_sustained_active",
	[TACHO__SUB_PCT_ELAPSED] = ".pct_of_peak_sustained_elapsed",
	[TACHO__SUB_PCT] = ".pct",
	[TACHO__SUB_RATIO] = ".ratio",
	[TACHO__SUB_MAX_RATE] = ".max_rate",
};

enum {
	ROLLUP_SIZE = 3, /* of each word */
	ROLLUPS = TACHO__ARRAY_SIZE(rollups) - 1,
	OLD = 2 * ROLLUPS + 1, /* "_sum", "_sum_pct", ..., and "_pct" */
	MODERN = ROLLUPS * TACHO__SUB_COUNT,
	ALONE = TACHO__ARRAY_SIZE(submetrics) - TACHO__SUB_COUNT,
};

_Static_assert(OLD + MODERN + ALONE == TACHO__ENDING_COUNT, "all are counted");

struct tacho__ending tacho__ending_get(size_t index)
{
	struct tacho__ending ending = {.is_old = index < OLD};

	if (index < OLD) {
		ending.rollup = index < 2 * ROLLUPS ? 1 + index / 2 : TACHO__ROLLUP_NONE;
		ending.submetric =
			index % 2 || index == OLD - 1 ? TACHO__SUB_PCT_ELAPSED : TACHO__SUB_VALUE;
	} else if (index < OLD + MODERN) {
		ending.rollup = 1 + (index - OLD) / TACHO__SUB_COUNT;
		ending.submetric = (index - OLD) % TACHO__SUB_COUNT;
	} else {
		ending.submetric = TACHO__SUB_COUNT + index - OLD - MODERN;
	}
	return ending;
}

const char *tacho__rollup_word(enum tacho__rollup rollup)
{
	return rollups[rollup];
}

void tacho__ending_format(const struct tacho__ending *ending, char out_text[TACHO__ENDING_MAX])
{
	const char *rollup = rollups[ending->rollup];

	if (ending->is_old)
		snprintf(out_text, TACHO__ENDING_MAX, "%s%s%s", *rollup ? "_" : "", rollup,
			 ending->submetric == TACHO__SUB_VALUE ? "" : "_pct");
	else
		snprintf(out_text, TACHO__ENDING_MAX, "%s%s%s", *rollup ? "." : "", rollup,
			 submetrics[ending->submetric]);
}

bool tacho__ending_adds_up(const struct tacho__ending *ending)
{
	return ending->submetric == TACHO__SUB_VALUE ||
	       ending->submetric == TACHO__SUB_PEAK_ACTIVE ||
	       ending->submetric == TACHO__SUB_PEAK_ELAPSED;
}

typedef int compare_function(const char *one, const char *other, size_t size);

static bool is(const char *text, const char *word, compare_function *compare)
{
	return !compare(text, word, strlen(word) + 1);
}

bool tacho__ending_parse(const char *text, bool ignores_case, struct tacho__ending *out_ending)
{
	compare_function *compare = ignores_case ? strncasecmp : strncmp;
	struct tacho__ending ending = {.is_old = *text == '_'};
	const char *rest = *text ? text + 1 : text;
	size_t first = 0, past = TACHO__SUB_COUNT;

	for (size_t i = 1; i <= ROLLUPS && !ending.rollup; i++)
		if (!compare(rest, rollups[i], ROLLUP_SIZE))
			ending.rollup = (enum tacho__rollup)i;
	if (ending.rollup)
		rest += ROLLUP_SIZE;
	if (ending.is_old) {
		ending.submetric = *rest ? TACHO__SUB_PCT_ELAPSED : TACHO__SUB_VALUE;
		*out_ending = ending;
		return is(rest, ending.rollup ? "_pct" : "pct", compare) ||
		       (ending.rollup && !*rest);
	}
	if (!ending.rollup) {
		first = TACHO__SUB_COUNT;
		past = TACHO__ARRAY_SIZE(submetrics);
		rest = text;
	}
	for (size_t i = first; i < past && *text == '.'; i++) {
		if (!is(rest, submetrics[i], compare))
			continue;
		ending.submetric = (enum tacho__submetric)i;
		*out_ending = ending;
		return true;
	}
	return false;
}
