/* SPDX-License-Identifier: MIT */
/* Units and descriptions of metrics that the grammar names. */
#include <string.h>

#include "catalog/grammar.h"

/* Of a value by something: the "1" of a number that has no unit. */
static void put_per(struct tacho__buf *text, const char *unit, const char *what)
{
	tacho__buf_printf(text, "%s/%s", *unit ? unit : "1", what);
}

static void put_unit(const struct tacho_entry *entry, enum tacho__submetric submetric,
		     struct tacho__buf *unit)
{
	bool is_percent = !strcmp(entry->unit, "percent");

	switch (submetric) {
	case TACHO__SUB_PER_SECOND:
	case TACHO__SUB_PEAK_ACTIVE_PER_SECOND:
	case TACHO__SUB_PEAK_ELAPSED_PER_SECOND: put_per(unit, entry->unit, "second"); break;
	case TACHO__SUB_PEAK:
	case TACHO__SUB_PER_CYCLE_ACTIVE:
	case TACHO__SUB_PER_CYCLE_ELAPSED: put_per(unit, entry->unit, "cycle"); break;
	case TACHO__SUB_PCT:
	case TACHO__SUB_PCT_ACTIVE:
	case TACHO__SUB_PCT_ELAPSED: tacho__buf_put(unit, "percent"); break;
	case TACHO__SUB_RATIO:
	case TACHO__SUB_MAX_RATE: tacho__buf_put(unit, is_percent ? "ratio" : entry->unit); break;
	default: tacho__buf_put(unit, entry->unit);
	}
}

static const char *get_words(enum tacho__submetric submetric)
{
	static const char *const words[] = {
		[TACHO__SUB_VALUE] = "",
		[TACHO__SUB_PEAK] = ": the peak of a cycle",
		[TACHO__SUB_PEAK_ACTIVE] = ": the peak of the cycles with work",
		[TACHO__SUB_PEAK_ACTIVE_PER_SECOND] =
			": the peak of the cycles with work, per second",
		[TACHO__SUB_PEAK_ELAPSED] = ": the peak of the cycles that passed",
		[TACHO__SUB_PEAK_ELAPSED_PER_SECOND] =
			": the peak of the cycles that passed, per second",
		[TACHO__SUB_PER_CYCLE_ACTIVE] = ", per cycle with work",
		[TACHO__SUB_PER_CYCLE_ELAPSED] = ", per cycle that passed",
		[TACHO__SUB_PER_SECOND] = ", per second",
		[TACHO__SUB_PCT_ACTIVE] = ", in percent of the peak of the cycles with work",
		[TACHO__SUB_PCT_ELAPSED] = ", in percent of the peak of the cycles that passed",
		[TACHO__SUB_PCT] = "In percent of the largest value.",
		[TACHO__SUB_RATIO] = "As a ratio.",
		[TACHO__SUB_MAX_RATE] = "The largest value.",
	};

	return words[submetric];
}

void tacho__grammar_describe(const struct tacho_arch *arch, const struct tacho__base *base,
			     const struct tacho__ending *ending, struct tacho__buf *unit,
			     struct tacho__buf *description)
{
	static const char *const rollups[] = {
		[TACHO__ROLLUP_NONE] = "Sum",	 [TACHO__ROLLUP_AVG] = "Average",
		[TACHO__ROLLUP_SUM] = "Sum",	 [TACHO__ROLLUP_MIN] = "Smallest",
		[TACHO__ROLLUP_MAX] = "Largest",
	};
	const char *text = base->entry->description;
	bool is_pct = !ending->rollup && ending->submetric == TACHO__SUB_PCT_ELAPSED;
	char of[TACHO__REASON_MAX];

	put_unit(base->entry, ending->submetric, unit);
	tacho__buf_printf(description, "%s%s", text, *text ? " " : "");
	if (ending->submetric >= TACHO__SUB_COUNT) {
		tacho__buf_put(description, get_words(ending->submetric));
		return;
	}
	tacho__base_describe_unit(base, of);
	tacho__buf_printf(description, "%s of the instances of %s%s.",
			  is_pct ? rollups[TACHO__ROLLUP_AVG] : rollups[ending->rollup],
			  base->entry->kind == TACHO_ENTRY_COUNTER ? of : "its units",
			  get_words(ending->submetric));
}
