/* SPDX-License-Identifier: MIT */
/* What can be said of differences, of all lines together: verdicts and intervals that agree. */
#include <math.h>
#include <stdlib.h>

#include "analyze/diff/diff.h"
#include "analyze/diff/together.h"
#include "model/shape.h"

/* Of all runs and lines of a measure, the chance that one without drift is said to have it. */
#define DRIFT_LEVEL 0.01

/* ---- drift ---- */

static double *get_drift(const struct tacho_diff *diff, size_t line, size_t run, size_t index)
{
	return &tacho__diff_get_cell(diff, diff->lines[line], run, index)->wander.drift_p;
}

static void find_drift(struct tacho_diff *diff, size_t index)
{
	size_t tested = 0;

	for (size_t i = 0; i < diff->line_count; i++)
		for (size_t k = 0; k < diff->run_count; k++)
			tested += *get_drift(diff, i, k, index) < 1;
	for (size_t i = 0; i < diff->line_count; i++)
		for (size_t k = 0; k < diff->run_count; k++)
			if (*get_drift(diff, i, k, index) * (double)tested < DRIFT_LEVEL && tested)
				diff->lines[i]->measures[index].is_in_drift = 1;
}

/* ---- families ---- */

static bool is_tested(const struct tacho_diff *diff, size_t line, size_t index, bool has_runs)
{
	const struct tacho_diff_measure *measure = &diff->lines[line]->measures[index];

	return measure->verdict == TACHO_DIFF_NOISE && tacho__diff_has_runs(measure) == has_runs;
}

static size_t count_tested(const struct tacho_diff *diff, size_t index, bool has_runs)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->line_count; i++)
		count += is_tested(diff, i, index, has_runs);
	return count;
}

/* The number of a run on the scale of its line's test; NAN when it has none. */
static double get_value(const struct tacho_diff *diff, const struct tacho__diff_line *line,
			size_t run, size_t index)
{
	const struct tacho__diff_cell *cell = tacho__diff_get_cell(diff, line, run, index);

	return !cell->has_value ? NAN : line->tests[index].is_log ? log(cell->value) : cell->value;
}

/* How many numbers a line has: one of each run, or of each pair of them. */
static size_t count_values(const struct tacho_diff *diff)
{
	return diff->is_paired ? diff->side_runs[TACHO_DIFF_A] : diff->run_count;
}

static void put_values(const struct tacho_diff *diff, const struct tacho__diff_line *line,
		       size_t index, double *out_values)
{
	for (size_t i = 0; i < count_values(diff); i++) {
		out_values[i] = get_value(diff, line, i, index);
		if (diff->is_paired)
			out_values[i] =
				get_value(diff, line, tacho__diff_get_partner(diff, i), index) -
				out_values[i];
	}
}

static int make_family(const struct tacho_diff *diff, size_t index, size_t count,
		       struct tacho__family *out_family)
{
	enum tacho__family_kind kind =
		diff->is_paired ? TACHO__FAMILY_OF_PAIRS : TACHO__FAMILY_OF_RUNS;
	size_t filled = 0, per_line = count_values(diff);
	double *values = calloc(count * per_line + 1, sizeof(*values));
	int rc;

	if (!values)
		return tacho__diff_fail_memory();
	for (size_t i = 0; i < diff->line_count; i++)
		if (is_tested(diff, i, index, true))
			put_values(diff, diff->lines[i], index, values + per_line * filled++);
	rc = tacho__family_make(kind, values, count, per_line, diff->level, out_family);
	free(values);
	return rc;
}

/* ---- verdicts ---- */

/* Of the change, in parts of A. */
static void set_interval(struct tacho_diff_measure *measure, const struct tacho__diff_test *test,
			 double low, double high)
{
	double a = measure->sides[TACHO_DIFF_A].value;

	measure->low = test->is_log ? expm1(low) : low / a;
	measure->high = test->is_log ? expm1(high) : high / a;
	measure->has_interval =
		(test->is_log || a > 0) && isfinite(measure->low) && isfinite(measure->high);
	if (!measure->has_interval)
		measure->low = measure->high = 0;
}

/* The verdict is whether the interval holds 0, so they cannot disagree. */
static void judge(struct tacho_diff_measure *measure, const struct tacho__diff_test *test,
		  const struct tacho__family *family)
{
	double difference = test->estimate.difference;
	double reach = tacho__estimate_reach(&test->estimate, family->level);

	measure->has_p = 1;
	measure->p = tacho__estimate_p(&test->estimate);
	measure->adjusted_p = tacho__family_adjust(family, measure->p);
	measure->together = (uint32_t)family->lines;
	set_interval(measure, test, difference - reach, difference + reach);
	if (fabs(difference) <= reach)
		return;
	measure->verdict = tacho__diff_has_runs(measure) ? TACHO_DIFF_DIFFERS
			   : measure->is_in_drift	 ? TACHO_DIFF_DRIFT
							 : TACHO_DIFF_UNSURE;
}

int tacho__diff_judge(struct tacho_diff *diff, size_t index)
{
	size_t counts[2] = {count_tested(diff, index, false), count_tested(diff, index, true)};
	struct tacho__family families[2] = {tacho__family_plain(counts[0], diff->level)};
	int rc = make_family(diff, index, counts[1], &families[1]);

	if (rc)
		return rc;
	find_drift(diff, index);
	for (size_t i = 0; i < diff->line_count; i++) {
		struct tacho__diff_line *line = diff->lines[i];
		struct tacho_diff_measure *measure = &line->measures[index];

		if (measure->verdict == TACHO_DIFF_NOISE)
			judge(measure, &line->tests[index],
			      &families[tacho__diff_has_runs(measure)]);
	}
	tacho__family_finish(&families[1]);
	return 0;
}
