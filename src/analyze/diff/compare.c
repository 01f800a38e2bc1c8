/* SPDX-License-Identifier: MIT */
/* From the numbers of runs to what changed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff/diff.h"
#include "analyze/diff/statistics.h"
#include "model/shape.h"

/* The values of both sides of one measure of a line. */
struct pair {
	const double *values[2];
	size_t counts[2];
	double gap; /* the smallest distance of two different values of a run; 0: none */
	bool is_positive, is_one, is_constant[2];
};

static const char reason_calls[] = "the recording lacks calls that were not recorded";

/* ---- sides ---- */

static bool is_sum(const struct tacho_diff *diff, size_t measure)
{
	return measure == TACHO__DIFF_TOTAL || measure == TACHO__DIFF_COUNT ||
	       (measure == TACHO__DIFF_OTHERS && diff->key == TACHO_BY_TRANSFER);
}

static bool is_number(const struct tacho_diff *diff, size_t measure)
{
	return is_sum(diff, measure) && measure != TACHO__DIFF_TOTAL;
}

/* Whether what a run does not have did not happen in it. */
static bool is_complete(const struct tacho_diff *diff, const struct tacho__diff_run *run)
{
	if (diff->key == TACHO_BY_API)
		return run->totals.calls != 0;
	return run->totals.calls || run->totals.commands;
}

static void complete_cell(const struct tacho_diff *diff, const struct tacho__diff_run *run,
			  struct tacho__diff_cell *cell, size_t measure)
{
	if (measure == TACHO__DIFF_COUNT && !cell->has_value && is_complete(diff, run)) {
		cell->has_value = 1;
		cell->state = TACHO_STATE_OK;
	}
	if (is_sum(diff, measure) && run->lost_calls && cell->has_value) {
		cell->state = TACHO_STATE_LOST;
		cell->reason = reason_calls;
	}
	if (!cell->has_value && (cell->state & TACHO_STATE_MASK) == TACHO_STATE_OK)
		cell->state = TACHO_STATE_ABSENT;
}

/* Means of logarithms are what is compared, so their mean is what is shown. */
static double combine(const double *values, size_t count, bool is_log)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += is_log ? log(values[i]) : values[i];
	if (count == 1)
		return values[0];
	return is_log ? exp(sum / (double)count) : sum / (double)count;
}

/* Gathers one side: the values of its runs, with what is known of them; returns their number. */
static size_t gather(const struct tacho_diff *diff, struct tacho__diff_line *line, size_t measure,
		     enum tacho_diff_side side, double *values)
{
	struct tacho_diff_value *sum = &line->measures[measure].sides[side];
	size_t count = 0;

	sum->reason = "";
	for (size_t i = 0; i < diff->run_count; i++) {
		struct tacho__diff_cell *cell = tacho__diff_get_cell(diff, line, i, measure);

		if (diff->runs[i].side != side)
			continue;
		complete_cell(diff, &diff->runs[i], cell, measure);
		sum->count += cell->count;
		sum->measured += cell->measured;
		sum->kept += cell->kept;
		if (!*sum->reason)
			sum->reason = cell->reason;
		if (!cell->has_value) {
			if (!count && cell->count)
				sum->state = tacho__state_worse(sum->state, cell->state);
			continue;
		}
		if (!count)
			sum->state = cell->state;
		else
			sum->state = tacho__state_worse(sum->state, cell->state);
		values[count++] = cell->value;
	}
	sum->runs = (uint32_t)count;
	sum->has_value = count != 0;
	if (!count && (sum->state & TACHO_STATE_MASK) == TACHO_STATE_OK)
		sum->state = TACHO_STATE_ABSENT;
	return count;
}

static void look_at(struct pair *pair)
{
	pair->is_positive = pair->is_one = true;
	for (int side = 0; side < 2; side++) {
		pair->is_constant[side] = true;
		for (size_t i = 0; i < pair->counts[side]; i++) {
			double value = pair->values[side][i];

			pair->is_positive = pair->is_positive && value > 0;
			pair->is_one = pair->is_one && value == pair->values[0][0];
			pair->is_constant[side] =
				pair->is_constant[side] && value == pair->values[side][0];
		}
	}
}

/* ---- tests ---- */

static void set_interval(const struct tacho_diff *diff, struct tacho_diff_measure *measure,
			 const struct tacho__test *test, bool is_log)
{
	double a = measure->sides[TACHO_DIFF_A].value;

	measure->has_interval = test->has_interval && (is_log || a > 0);
	if (!measure->has_interval)
		return;
	measure->low = is_log ? expm1(test->low) : test->low / a;
	measure->high = is_log ? expm1(test->high) : test->high / a;
	measure->has_interval = isfinite(measure->low) && isfinite(measure->high);
}

static void set_p(const struct tacho_diff *diff, struct tacho_diff_measure *measure,
		  const struct tacho__test *test)
{
	measure->has_p = 1;
	measure->p = measure->adjusted_p = test->p;
	measure->verdict = test->smallest_p < diff->level ? TACHO_DIFF_NOISE : TACHO_DIFF_FEW;
}

/* Whether a run came to this value by itself. The first batch holds the warming up. */
static bool is_in_drift(const struct tacho__diff_cell *cell, double value)
{
	bool is_below = false, is_above = false;

	for (size_t i = cell->batch_count > 2; i < cell->batch_count; i++) {
		is_below = is_below || cell->batches[i] <= value;
		is_above = is_above || cell->batches[i] >= value;
	}
	return is_below && is_above;
}

/* Launches of one run against those of another. */
static int test_batches(const struct tacho_diff *diff, const struct tacho__diff_line *line,
			size_t index, struct tacho_diff_measure *measure)
{
	const struct tacho__diff_cell *a = tacho__diff_get_cell(diff, line, 0, index);
	const struct tacho__diff_cell *b = tacho__diff_get_cell(diff, line, 1, index);
	struct pair pair = {.values = {a->batches, b->batches},
			    .counts = {a->batch_count, b->batch_count}};
	double logs[2][TACHO__BATCHES];
	struct tacho__test test;
	int rc;

	if (!a->gap && !b->gap && a->value == b->value) {
		measure->verdict = TACHO_DIFF_SAME;
		return 0;
	}
	look_at(&pair);
	if (pair.is_one && a->value == b->value) {
		measure->verdict = TACHO_DIFF_SAME;
		return 0;
	}
	measure->is_in_drift = is_in_drift(a, b->value) || is_in_drift(b, a->value);
	for (int side = 0; side < 2 && pair.is_positive; side++) {
		for (size_t i = 0; i < pair.counts[side]; i++)
			logs[side][i] = log(pair.values[side][i]);
		pair.values[side] = logs[side];
	}
	rc = tacho__rank_test(pair.values[0], pair.counts[0], pair.values[1], pair.counts[1],
			      1 - diff->level, &test);
	if (rc)
		return rc;
	set_p(diff, measure, &test);
	set_interval(diff, measure, &test, pair.is_positive);
	return 0;
}

/* The smallest distance of two values, within runs and between them. */
static double find_gap(const struct tacho_diff *diff, const struct tacho__diff_line *line,
		       size_t index, const double *values, size_t count, double *room)
{
	double gap;

	memcpy(room, values, count * sizeof(*room));
	tacho__sort(room, count);
	gap = tacho__smallest_gap(room, count);
	for (size_t i = 0; i < diff->run_count; i++) {
		double own = tacho__diff_get_cell(diff, line, i, index)->gap;

		if (own > 0 && (!gap || own < gap))
			gap = own;
	}
	return gap;
}

/*
 * Runs of one side against those of the other. A value that a clock rounded to steps of `gap` has
 * at least the variance of that rounding, gap^2 / 12, even if all runs agree.
 */
static void test_runs(const struct tacho_diff *diff, struct tacho_diff_measure *measure,
		      const struct pair *pair, double *room)
{
	double floors[2];
	struct tacho__test test;

	for (int side = 0; side < 2; side++) {
		double scale = pair->is_positive ? measure->sides[side].value : 1;

		floors[side] = pair->gap / scale * (pair->gap / scale) / 12;
		for (size_t i = 0; i < pair->counts[side]; i++)
			room[side * (int)pair->counts[0] + (int)i] =
				pair->is_positive ? log(pair->values[side][i])
						  : pair->values[side][i];
	}
	tacho__mean_test(room, pair->counts[0], floors[0], room + pair->counts[0], pair->counts[1],
			 floors[1], 1 - diff->level, &test);
	set_p(diff, measure, &test);
	set_interval(diff, measure, &test, pair->is_positive);
}

/* Numbers that are exact need no test while the runs of a side agree. */
static bool decide_number(struct tacho_diff_measure *measure, const struct pair *pair)
{
	if (!pair->is_constant[0] || !pair->is_constant[1])
		return false;
	measure->verdict = pair->is_one ? TACHO_DIFF_SAME : TACHO_DIFF_DIFFERS;
	return true;
}

/* `room` holds three values a run. */
static int compare_measure(const struct tacho_diff *diff, struct tacho__diff_line *line,
			   size_t index, double *room)
{
	struct tacho_diff_measure *measure = &line->measures[index];
	struct tacho_diff_value *sides = measure->sides;
	struct pair pair = {0};
	size_t all;

	measure->name = diff->kinds[index].name;
	measure->unit = diff->kinds[index].unit;
	measure->is_simulated = diff->kinds[index].is_simulated;
	measure->is_counter = index >= TACHO__DIFF_OTHERS && !is_sum(diff, index);
	for (int side = 0; side < 2; side++) {
		pair.values[side] = room + (side ? pair.counts[0] : 0);
		pair.counts[side] = gather(diff, line, index, (enum tacho_diff_side)side,
					   room + (side ? pair.counts[0] : 0));
	}
	all = pair.counts[0] + pair.counts[1];
	look_at(&pair);
	pair.is_positive = pair.is_positive && !is_number(diff, index);
	for (int side = 0; side < 2; side++)
		if (pair.counts[side])
			sides[side].value =
				combine(pair.values[side], pair.counts[side], pair.is_positive);
	if (!pair.counts[0] || !pair.counts[1])
		return 0;
	measure->has_difference = 1;
	measure->difference = sides[1].value - sides[0].value;
	if (sides[0].value != 0)
		measure->change = measure->difference / fabs(sides[0].value);
	measure->has_change = sides[0].value != 0 && isfinite(measure->change);
	for (int side = 0; side < 2; side++)
		if (is_sum(diff, index) &&
		    (sides[side].state & TACHO_STATE_MASK) > TACHO_STATE_SCALED)
			return 0;
	if (is_number(diff, index) && decide_number(measure, &pair))
		return 0;
	if (diff->run_count == 2 && !is_sum(diff, index))
		return test_batches(diff, line, index, measure);
	pair.gap = find_gap(diff, line, index, room, all, room + all);
	if (pair.is_one && !pair.gap)
		measure->verdict = TACHO_DIFF_SAME;
	else
		test_runs(diff, measure, &pair, room + all);
	return 0;
}

/* The tests of one measure over all lines are one family. */
static int correct(struct tacho_diff *diff, size_t index, double *room)
{
	size_t count = 0;
	int rc;

	for (size_t i = 0; i < diff->line_count; i++)
		if (diff->lines[i]->measures[index].verdict == TACHO_DIFF_NOISE)
			room[count++] = diff->lines[i]->measures[index].p;
	rc = tacho__holm(room, count);
	count = 0;
	for (size_t i = 0; i < diff->line_count && !rc; i++) {
		struct tacho_diff_measure *measure = &diff->lines[i]->measures[index];

		if (measure->verdict != TACHO_DIFF_NOISE)
			continue;
		measure->adjusted_p = room[count++];
		if (measure->adjusted_p < diff->level)
			measure->verdict =
				measure->is_in_drift ? TACHO_DIFF_DRIFT : TACHO_DIFF_DIFFERS;
	}
	return rc;
}

int tacho__diff_compare(struct tacho_diff *diff)
{
	size_t needed =
		3 * diff->run_count > diff->line_count ? 3 * diff->run_count : diff->line_count;
	double *room = calloc(needed, sizeof(*room));
	int rc = 0;

	if (!room)
		return tacho__diff_fail_memory();
	for (size_t i = 0; i < diff->line_count && !rc; i++)
		for (size_t k = 0; k < diff->kind_count && !rc; k++)
			rc = compare_measure(diff, diff->lines[i], k, room);
	for (size_t k = 0; k < diff->kind_count && !rc; k++)
		rc = correct(diff, k, room);
	free(room);
	return rc;
}
