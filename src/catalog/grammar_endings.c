/* SPDX-License-Identifier: MIT */
/* What stands behind the base of a metric's name. */
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "catalog/grammar.h"

static const char *const rollups[] = {
	[TACHO__ROLLUP_NONE] = "",   [TACHO__ROLLUP_AVG] = "avg", [TACHO__ROLLUP_SUM] = "sum",
	[TACHO__ROLLUP_MIN] = "min", [TACHO__ROLLUP_MAX] = "max",
};

#define OLD(rollup) "_" rollup, "_" rollup "_pct"
#define BEHIND(rollup)                                                                           \
	"." rollup, "." rollup ".peak_sustained", "." rollup ".peak_sustained_active",           \
		"." rollup ".peak_sustained_active.per_second",                                  \
		"." rollup ".peak_sustained_elapsed",                                            \
		"." rollup ".peak_sustained_elapsed.per_second", "." rollup ".per_cycle_active", \
		"." rollup ".per_cycle_elapsed", "." rollup ".per_second",                       \
		"." rollup ".pct_of_peak_sustained_active",                                      \
		"." rollup ".pct_of_peak_sustained_elapsed"

/* In the order of the enums: tacho__ending_get() counts on it. */
static const char *const texts[] = {
	OLD("avg"),    OLD("sum"),    OLD("min"),    OLD("max"), "_pct",   BEHIND("avg"),
	BEHIND("sum"), BEHIND("min"), BEHIND("max"), ".pct",	 ".ratio", ".max_rate",
};

enum {
	ROLLUPS = TACHO__ARRAY_SIZE(rollups) - 1,
	OLD_COUNT = 2 * ROLLUPS + 1,
	BEHIND_COUNT = ROLLUPS * TACHO__SUB_COUNT,
	COUNT = TACHO__ARRAY_SIZE(texts),
};

_Static_assert(COUNT == OLD_COUNT + BEHIND_COUNT + 3 && COUNT < 64, "all are there, and are bits");

const char *tacho_metric_get_ending(size_t index)
{
	return index < COUNT ? texts[index] : NULL;
}

bool tacho__ending_get(size_t index, struct tacho__ending *out_ending)
{
	struct tacho__ending ending = {.is_old = index < OLD_COUNT};

	if (index >= COUNT)
		return false;
	if (index < OLD_COUNT) {
		ending.rollup = index < 2 * ROLLUPS ? 1 + index / 2 : TACHO__ROLLUP_NONE;
		ending.submetric = index % 2 || index == OLD_COUNT - 1 ? TACHO__SUB_PCT_ELAPSED
								       : TACHO__SUB_VALUE;
	} else if (index < OLD_COUNT + BEHIND_COUNT) {
		ending.rollup = 1 + (index - OLD_COUNT) / TACHO__SUB_COUNT;
		ending.submetric = (index - OLD_COUNT) % TACHO__SUB_COUNT;
	} else {
		ending.submetric = TACHO__SUB_COUNT + index - OLD_COUNT - BEHIND_COUNT;
	}
	*out_ending = ending;
	return true;
}

const char *tacho__rollup_word(enum tacho__rollup rollup)
{
	return rollups[rollup];
}

const char *tacho__ending_format(const struct tacho__ending *ending)
{
	size_t rollup = (size_t)ending->rollup, submetric = (size_t)ending->submetric;

	if (!rollup && submetric == TACHO__SUB_VALUE)
		return "";
	if (ending->is_old)
		return rollup ? texts[2 * (rollup - 1) + (submetric != TACHO__SUB_VALUE)] : "_pct";
	return rollup ? texts[OLD_COUNT + (rollup - 1) * TACHO__SUB_COUNT + submetric]
		      : texts[OLD_COUNT + BEHIND_COUNT + submetric - TACHO__SUB_COUNT];
}

bool tacho__ending_adds_up(const struct tacho__ending *ending)
{
	return ending->submetric == TACHO__SUB_VALUE ||
	       ending->submetric == TACHO__SUB_PEAK_ACTIVE ||
	       ending->submetric == TACHO__SUB_PEAK_ELAPSED;
}

bool tacho__ending_parse(const char *text, bool ignores_case, struct tacho__ending *out_ending)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (!(ignores_case ? strcasecmp(text, texts[i]) : strcmp(text, texts[i])))
			return tacho__ending_get(i, out_ending);
	}
	return false;
}
