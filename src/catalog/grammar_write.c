/* SPDX-License-Identifier: MIT */
/* The expressions of metrics that the grammar names. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "catalog/grammar.h"

enum {
	NESTING_MAX = 16, /* of throughputs in throughputs */
	CHECK_MAX = 4096, /* of their parts */
};

struct writer {
	const struct tacho_arch *arch;
	struct tacho__written *out;
	struct tacho__buf *text; /* its expression */
	char *reason;
	size_t nesting, check_count;
};

static bool refuse(const struct writer *writer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool refuse(const struct writer *writer, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(writer->reason, TACHO__REASON_MAX, format, list);
	va_end(list);
	return false;
}

static void put_name(const struct writer *writer, const char *name)
{
	const char *quote = tacho__infix_is_name(name) ? "" : "\"";

	tacho__buf_printf(writer->text, "%s%s%s", quote, name, quote);
}

static void put_number(const struct writer *writer, double number)
{
	char text[TACHO__NUMBER_MAX];

	tacho__number_format(number, text);
	tacho__buf_put(writer->text, text);
}

static void put_reduced(const struct writer *writer, const struct tacho_entry *entry,
			const char *reduction)
{
	tacho__buf_put(writer->text, "reduce(");
	put_name(writer, entry->name);
	tacho__buf_printf(writer->text, ",%s)", reduction);
}

/* The reduction of a rollup; without one values are added up, as everywhere. */
static const char *get_reduction(enum tacho__rollup rollup)
{
	return rollup == TACHO__ROLLUP_NONE ? "sum" : tacho__rollup_word(rollup);
}

/* One more that a number in the expression stands for. */
static void add_input(const struct writer *writer, const char *base, const char *ending)
{
	tacho__buf_printf(&writer->out->inputs, "%s%s", base, ending);
	tacho__buf_char(&writer->out->inputs, '\0');
	tacho__buf_printf(writer->text, "%zu,", writer->out->input_count++);
}

/* The notation that has the largest of several expressions. */
static void end_extreme(const struct writer *writer, bool is_min)
{
	tacho__buf_printf(writer->text, "%s%zu", is_min ? "min" : "max", writer->out->input_count);
	writer->out->notation = tacho__postfix_notation;
}

static void put_family(const struct writer *writer, const struct tacho__base *base,
		       enum tacho__rollup rollup)
{
	const struct tacho_entry *entry;
	size_t at = 0, count = 0;

	tacho__buf_char(writer->text, '(');
	while ((entry = tacho__base_next(writer->arch, base, &at))) {
		tacho__buf_put(writer->text, count++ ? "+" : "");
		put_reduced(writer, entry, get_reduction(rollup));
	}
	tacho__buf_char(writer->text, ')');
	if (rollup == TACHO__ROLLUP_AVG)
		tacho__buf_printf(writer->text, "/%zu", count);
}

/* A name of its own, so that others are made of it. */
static void put_family_extreme(const struct writer *writer, const struct tacho__base *base,
			       enum tacho__rollup rollup)
{
	tacho__buf_char(writer->text, '"');
	tacho__base_format(writer->arch, base, writer->text);
	tacho__buf_printf(writer->text, ".%s\"", tacho__rollup_word(rollup));
}

static void write_family_extreme(const struct writer *writer, const struct tacho__base *base,
				 const struct tacho__ending *ending)
{
	const struct tacho__ending rollup = {.rollup = ending->rollup};
	const struct tacho_entry *entry;
	size_t at = 0;

	while ((entry = tacho__base_next(writer->arch, base, &at)))
		add_input(writer, entry->name, tacho__ending_format(&rollup));
	end_extreme(writer, ending->rollup == TACHO__ROLLUP_MIN);
}

static bool is_extreme(enum tacho__rollup rollup)
{
	return rollup == TACHO__ROLLUP_MIN || rollup == TACHO__ROLLUP_MAX;
}

static void put_rollup(const struct writer *writer, const struct tacho__base *base,
		       enum tacho__rollup rollup)
{
	if (!base->family)
		put_reduced(writer, base->entry, get_reduction(rollup));
	else if (is_extreme(rollup))
		put_family_extreme(writer, base, rollup);
	else
		put_family(writer, base, rollup);
}

/* The counter of the cycles of the base's unit. */
static bool find_cycles(const struct writer *writer, const struct tacho__base *base, bool is_active,
			const struct tacho_entry **out_entry)
{
	const struct tacho_block *block = tacho__base_block(writer->arch, base);
	const char *which = is_active ? "active" : "elapsed", *name;
	char unit[TACHO__REASON_MAX];

	tacho__base_describe_unit(base, unit);
	if (!block && base->entry->kind != TACHO_ENTRY_COUNTER)
		return refuse(writer,
			      "%.200s is worked out, and of no unit whose cycles it could "
			      "be divided by",
			      base->entry->name);
	name = !block || base->family ? "" : is_active ? block->active : block->elapsed;
	if (!*name)
		return refuse(writer, "no counter of the cycles %s of %s is stated", which, unit);
	*out_entry = tacho__arch_get_exact(writer->arch, name);
	if (!*out_entry || (*out_entry)->kind != TACHO_ENTRY_COUNTER)
		return refuse(writer,
			      "the cycles %s of %s are to be in %.100s, which is no counter", which,
			      unit, name);
	return true;
}

/*
 * Of all instances together there are as many cycles as they have, whoever counts them: a unit
 * whose cycles another one counts takes part with each of its own.
 */
static void put_cycles(const struct writer *writer, const struct tacho__base *base,
		       const struct tacho_entry *cycles, enum tacho__rollup rollup)
{
	bool is_own = !strcmp(cycles->block, base->entry->block);

	if (rollup == TACHO__ROLLUP_SUM && !is_own) {
		put_number(writer, (double)tacho__base_instances(writer->arch, base));
		tacho__buf_char(writer->text, '*');
		rollup = TACHO__ROLLUP_AVG;
	}
	put_reduced(writer, cycles, get_reduction(rollup));
}

/* What a second is counted by. */
static bool find_time(const struct writer *writer, const struct tacho_entry **out_entry,
		      double *out_per_second)
{
	static const struct {
		const char *unit;
		double per_second;
	} units[] = {{"nanoseconds", 1e9},  {"ns", 1e9}, {"microseconds", 1e6}, {"us", 1e6},
		     {"milliseconds", 1e3}, {"ms", 1e3}, {"seconds", 1},	{"s", 1}};
	static const char name[] = "gpu__time_duration";

	*out_entry = tacho__arch_get_exact(writer->arch, name);
	if (!*out_entry)
		return refuse(writer, "%s has no %s to divide by", writer->arch->name, name);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(units); i++) {
		if (strcmp((*out_entry)->unit, units[i].unit) != 0)
			continue;
		*out_per_second = units[i].per_second;
		return true;
	}
	return refuse(writer, "%s of %s is in \"%.40s\", which is no unit of time", name,
		      writer->arch->name, (*out_entry)->unit);
}

/* What the parts of a submetric are; those that it does not need are not looked for. */
struct parts {
	double peak, per_second;
	const struct tacho_entry *cycles, *time;
};

static bool needs_peak(enum tacho__submetric submetric)
{
	return (submetric >= TACHO__SUB_PEAK && submetric <= TACHO__SUB_PEAK_ELAPSED_PER_SECOND) ||
	       submetric == TACHO__SUB_PCT_ACTIVE || submetric == TACHO__SUB_PCT_ELAPSED;
}

static bool needs_cycles(enum tacho__submetric submetric)
{
	return submetric != TACHO__SUB_VALUE && submetric != TACHO__SUB_PEAK &&
	       submetric != TACHO__SUB_PER_SECOND;
}

static bool is_of_active(enum tacho__submetric submetric)
{
	return submetric == TACHO__SUB_PEAK_ACTIVE ||
	       submetric == TACHO__SUB_PEAK_ACTIVE_PER_SECOND ||
	       submetric == TACHO__SUB_PER_CYCLE_ACTIVE || submetric == TACHO__SUB_PCT_ACTIVE;
}

static bool needs_time(enum tacho__submetric submetric)
{
	return submetric == TACHO__SUB_PER_SECOND ||
	       submetric == TACHO__SUB_PEAK_ACTIVE_PER_SECOND ||
	       submetric == TACHO__SUB_PEAK_ELAPSED_PER_SECOND;
}

static bool find_parts(const struct writer *writer, const struct tacho__base *base,
		       enum tacho__submetric submetric, struct parts *out_parts)
{
	struct parts parts = {.peak = base->entry->peak};

	if (needs_peak(submetric) && !(parts.peak > 0))
		return refuse(writer, "no peak of %.200s is stated", base->entry->name);
	if (needs_cycles(submetric) &&
	    !find_cycles(writer, base, is_of_active(submetric), &parts.cycles))
		return false;
	if (needs_time(submetric) && !find_time(writer, &parts.time, &parts.per_second))
		return false;
	*out_parts = parts;
	return true;
}

static void put_peaks(const struct writer *writer, const struct tacho__base *base,
		      enum tacho__rollup rollup, const struct parts *parts)
{
	put_number(writer, parts->peak);
	tacho__buf_char(writer->text, '*');
	put_cycles(writer, base, parts->cycles, rollup);
}

static void put_over_time(const struct writer *writer, const struct parts *parts)
{
	tacho__buf_char(writer->text, '/');
	put_reduced(writer, parts->time, "avg");
}

static void put_submetric(const struct writer *writer, const struct tacho__base *base,
			  const struct tacho__ending *ending, const struct parts *parts)
{
	/* the percentage of a unit is that of an average instance */
	enum tacho__rollup rollup = ending->rollup ? ending->rollup : TACHO__ROLLUP_AVG;
	bool is_sum = rollup == TACHO__ROLLUP_SUM;

	if (parts->time) {
		put_number(writer, parts->per_second);
		tacho__buf_char(writer->text, '*');
	}
	switch (ending->submetric) {
	case TACHO__SUB_PEAK:
		put_number(writer,
			   parts->peak * (is_sum ? (double)tacho__base_instances(writer->arch, base)
						 : 1));
		break;
	case TACHO__SUB_PEAK_ACTIVE:
	case TACHO__SUB_PEAK_ACTIVE_PER_SECOND:
	case TACHO__SUB_PEAK_ELAPSED:
	case TACHO__SUB_PEAK_ELAPSED_PER_SECOND: put_peaks(writer, base, rollup, parts); break;
	case TACHO__SUB_PER_CYCLE_ACTIVE:
	case TACHO__SUB_PER_CYCLE_ELAPSED:
		put_rollup(writer, base, rollup);
		tacho__buf_char(writer->text, '/');
		/* all instances count in the same cycle */
		put_cycles(writer, base, parts->cycles, is_sum ? TACHO__ROLLUP_AVG : rollup);
		break;
	case TACHO__SUB_PCT_ACTIVE:
	case TACHO__SUB_PCT_ELAPSED:
		tacho__buf_put(writer->text, "100*");
		put_rollup(writer, base, rollup);
		tacho__buf_put(writer->text, "/(");
		put_peaks(writer, base, rollup, parts);
		tacho__buf_char(writer->text, ')');
		break;
	default: put_rollup(writer, base, ending->rollup); break;
	}
	if (parts->time)
		put_over_time(writer, parts);
}

/* The largest value of a ratio; 0: it is not stated. */
static double get_max_rate(const struct tacho_entry *entry)
{
	if (!strcmp(entry->unit, "percent"))
		return 1;
	return entry->range_high > 0 && isfinite(entry->range_high) ? entry->range_high : 0;
}

static bool check_ratio(const struct writer *writer, const struct tacho_entry *entry,
			const struct tacho__ending *ending)
{
	if (ending->rollup ||
	    (ending->submetric != TACHO__SUB_PCT_ELAPSED && ending->submetric < TACHO__SUB_COUNT))
		return refuse(writer, "%.200s is a ratio, which has .pct, .ratio and .max_rate",
			      entry->name);
	if (ending->submetric != TACHO__SUB_RATIO && !(get_max_rate(entry) > 0))
		return refuse(writer, "no largest value of %.200s is stated", entry->name);
	return true;
}

static void write_ratio(const struct writer *writer, const struct tacho_entry *entry,
			const struct tacho__ending *ending)
{
	bool is_percent = !strcmp(entry->unit, "percent");

	if (ending->submetric == TACHO__SUB_MAX_RATE) {
		put_number(writer, get_max_rate(entry));
		return;
	}
	if (ending->submetric != TACHO__SUB_RATIO && !is_percent)
		tacho__buf_put(writer->text, "100*");
	put_name(writer, entry->name);
	if (ending->submetric != TACHO__SUB_RATIO && !is_percent) {
		tacho__buf_char(writer->text, '/');
		put_number(writer, get_max_rate(entry));
	} else if (ending->submetric == TACHO__SUB_RATIO && is_percent) {
		tacho__buf_put(writer->text, "/100");
	}
}

static bool refuse_none(const struct writer *writer, const struct tacho_entry *entry)
{
	if (entry->kind == TACHO_ENTRY_CONSTANT)
		return refuse(writer, "%.200s is a constant", entry->name);
	if (*entry->expression)
		return refuse(writer, "%.200s is there only where a condition holds", entry->name);
	return refuse(writer, "no expression of %.200s is published%s%.200s", entry->name,
		      *entry->caveat ? ": " : "", entry->caveat);
}

/* Without memory the expression has failed. */
static enum tacho__base_kind get_kind(const struct writer *writer, const struct tacho__base *base)
{
	enum tacho__base_kind kind = tacho__base_kind(writer->arch, base);

	if (kind == TACHO__BASE_UNKNOWN)
		writer->text->failed = true;
	return kind;
}

/* Can it be, and of what is it made? */
static bool check(const struct writer *writer, const struct tacho__base *base,
		  enum tacho__base_kind kind, const struct tacho__ending *ending,
		  struct parts *out_parts)
{
	const struct tacho_entry *entry = base->entry;

	if (strchr(entry->name, '"'))
		return refuse(writer, "its name has a quote, which no formula can have");
	if (kind == TACHO__BASE_NONE)
		return refuse_none(writer, entry);
	if (kind == TACHO__BASE_UNKNOWN)
		return false;
	if (kind == TACHO__BASE_RATIO)
		return check_ratio(writer, entry, ending);
	if (kind == TACHO__BASE_RATE && ending->submetric != TACHO__SUB_VALUE)
		return refuse(writer, "%.200s does not add up: it has rollups alone", entry->name);
	if (ending->submetric >= TACHO__SUB_COUNT)
		return refuse(writer, "%.200s is no ratio", entry->name);
	return find_parts(writer, base, ending->submetric, out_parts);
}

static bool check_base(struct writer *writer, const struct tacho__base *base,
		       const struct tacho__ending *ending, struct parts *out_parts);

/* The percentage that a part is in a throughput. */
static struct tacho__ending get_part_ending(const struct writer *writer,
					    const struct tacho__base *part,
					    const struct tacho__ending *ending)
{
	struct tacho__ending own = {.rollup = ending->rollup ? ending->rollup : TACHO__ROLLUP_AVG,
				    .submetric = ending->submetric};

	if (!part->entry->part_count && get_kind(writer, part) == TACHO__BASE_RATIO)
		own = (struct tacho__ending){.submetric = TACHO__SUB_PCT};
	return own;
}

static bool check_throughput(struct writer *writer, const struct tacho_entry *entry,
			     const struct tacho__ending *ending)
{
	struct parts unwanted;
	bool good = true;

	if (ending->submetric != TACHO__SUB_PCT_ACTIVE &&
	    ending->submetric != TACHO__SUB_PCT_ELAPSED)
		return refuse(writer,
			      "a throughput is in percent of its peak: "
			      "%.100s.avg.pct_of_peak_sustained_elapsed",
			      entry->name);
	if (writer->nesting == NESTING_MAX)
		return refuse(writer, "throughputs are nested deeper than %d", NESTING_MAX);
	writer->nesting++;
	for (size_t i = 0; i < entry->part_count && good; i++) {
		struct tacho__base part = {
			.entry = tacho__arch_get_exact(writer->arch, entry->parts[i])};
		struct tacho__ending own;

		if (!part.entry)
			return refuse(writer, "its part %.100s is not there", entry->parts[i]);
		if (++writer->check_count > CHECK_MAX)
			return refuse(writer, "its parts have more than %d parts", CHECK_MAX);
		own = get_part_ending(writer, &part, ending);
		good = check_base(writer, &part, &own, &unwanted);
	}
	writer->nesting--;
	return good;
}

static bool check_base(struct writer *writer, const struct tacho__base *base,
		       const struct tacho__ending *ending, struct parts *out_parts)
{
	if (base->entry->part_count)
		return check_throughput(writer, base->entry, ending);
	return check(writer, base, get_kind(writer, base), ending, out_parts);
}

/* The largest of its parts' percentages. */
static void write_throughput(const struct writer *writer, const struct tacho_entry *entry,
			     const struct tacho__ending *ending)
{
	for (size_t i = 0; i < entry->part_count; i++) {
		const struct tacho__base part = {
			.entry = tacho__arch_get_exact(writer->arch, entry->parts[i])};
		const struct tacho__ending own = get_part_ending(writer, &part, ending);

		add_input(writer, part.entry->name, tacho__ending_format(&own));
	}
	end_extreme(writer, false);
}

bool tacho__grammar_write(const struct tacho_arch *arch, const struct tacho__base *base,
			  const struct tacho__ending *ending, struct tacho__written *out_written,
			  char reason[TACHO__REASON_MAX])
{
	struct writer writer = {.arch = arch,
				.out = out_written,
				.text = &out_written->expression,
				.reason = reason};
	struct parts parts = {0};

	out_written->notation = "infix";
	if (!check_base(&writer, base, ending, &parts))
		return false;
	if (base->entry->part_count)
		write_throughput(&writer, base->entry, ending);
	else if (get_kind(&writer, base) == TACHO__BASE_RATIO)
		write_ratio(&writer, base->entry, ending);
	else if (base->family && is_extreme(ending->rollup) &&
		 ending->submetric == TACHO__SUB_VALUE)
		write_family_extreme(&writer, base, ending);
	else
		put_submetric(&writer, base, ending, &parts);
	return true;
}

int tacho__grammar_has(const struct tacho_arch *arch, const struct tacho__base *base,
		       enum tacho__base_kind kind, const struct tacho__ending *ending,
		       bool *out_has)
{
	char reason[TACHO__REASON_MAX];
	struct tacho__buf text = {0}; /* nothing is written */
	struct writer writer = {.arch = arch, .text = &text, .reason = reason};
	struct parts parts;
	bool has = base->entry->part_count ? check_throughput(&writer, base->entry, ending)
					   : check(&writer, base, kind, ending, &parts);

	if (text.failed)
		return TACHO_E_NOMEM;
	*out_has = has;
	return 0;
}

void tacho__written_finish(struct tacho__written *written)
{
	tacho__buf_finish(&written->expression);
	tacho__buf_finish(&written->inputs);
}
