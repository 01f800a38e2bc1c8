/* SPDX-License-Identifier: MIT */
/* From the numbers of runs to how far the sides lie apart. */
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

static bool has_whole_pair(const struct tacho_diff *diff, const struct tacho__diff_line *line,
			   size_t measure)
{
	for (size_t i = 0; i < diff->side_runs[TACHO_DIFF_A]; i++)
		if (tacho__diff_get_cell(diff, line, i, measure)->has_value &&
		    tacho__diff_get_cell(diff, line, tacho__diff_get_partner(diff, i), measure)
			    ->has_value)
			return true;
	return false;
}

/* What is known of the runs themselves; and where they are pairs, those of one alone are out. */
static void complete_cells(const struct tacho_diff *diff, struct tacho__diff_line *line,
			   size_t measure)
{
	for (size_t i = 0; i < diff->run_count; i++)
		complete_cell(diff, &diff->runs[i], tacho__diff_get_cell(diff, line, i, measure),
			      measure);
	if (!diff->is_paired || !has_whole_pair(diff, line, measure))
		return;
	for (size_t i = 0; i < diff->side_runs[TACHO_DIFF_A]; i++) {
		struct tacho__diff_cell *a = tacho__diff_get_cell(diff, line, i, measure);
		struct tacho__diff_cell *b =
			tacho__diff_get_cell(diff, line, tacho__diff_get_partner(diff, i), measure);

		a->has_value = b->has_value = a->has_value && b->has_value;
	}
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

/* ---- estimates ---- */

/* The first run of a side that has the measure. */
static const struct tacho__diff_cell *get_first(const struct tacho_diff *diff,
						const struct tacho__diff_line *line, size_t index,
						enum tacho_diff_side side)
{
	for (size_t i = 0; i < diff->run_count; i++) {
		const struct tacho__diff_cell *cell = tacho__diff_get_cell(diff, line, i, index);

		if (diff->runs[i].side == side && cell->has_value)
			return cell;
	}
	return NULL;
}

/* One run of each side: what it did over its length, and what runs are taken to differ by. */
static struct tacho__estimate estimate_lone(const struct tacho_diff *diff,
					    const struct tacho__diff_line *line, size_t index,
					    const struct pair *pair)
{
	struct tacho__lone sides[2];
	double values[2];

	for (int side = 0; side < 2; side++) {
		const struct tacho__diff_cell *cell =
			get_first(diff, line, index, (enum tacho_diff_side)side);
		double scale = pair->is_positive ? cell->value : 1;

		values[side] = pair->is_positive ? log(cell->value) : cell->value;
		sides[side].wander = &cell->wander;
		sides[side].floor = cell->gap / scale * (cell->gap / scale) / 12;
		sides[side].effect = diff->run_effect * (pair->is_positive ? 1 : fabs(cell->value));
	}
	return tacho__wander_compare(values[1] - values[0], sides, pair->is_positive);
}

/* The smallest distance of two values within runs; where these are all the same, between runs. */
static double find_gap(const struct tacho_diff *diff, const struct tacho__diff_line *line,
		       size_t index, const double *values, size_t count, double *room)
{
	double gap = 0;

	for (size_t i = 0; i < diff->run_count; i++) {
		double own = tacho__diff_get_cell(diff, line, i, index)->gap;

		if (own > 0 && (!gap || own < gap))
			gap = own;
	}
	if (gap > 0)
		return gap;
	memcpy(room, values, count * sizeof(*room));
	tacho__sort(room, count);
	return tacho__smallest_gap(room, count);
}

/*
 * Runs of one side against those of the other. A value that a clock rounded to steps of `gap` has
 * at least the variance of that rounding, gap^2 / 12, even if all runs agree.
 */
static struct tacho__estimate estimate_runs(const struct tacho_diff_measure *measure,
					    const struct pair *pair, double *room)
{
	double floors[2];

	for (int side = 0; side < 2; side++) {
		double scale = pair->is_positive ? measure->sides[side].value : 1;

		floors[side] = pair->gap / scale * (pair->gap / scale) / 12;
		for (size_t i = 0; i < pair->counts[side]; i++)
			room[side * (int)pair->counts[0] + (int)i] =
				pair->is_positive ? log(pair->values[side][i])
						  : pair->values[side][i];
	}
	return tacho__estimate_of_means(room, pair->counts[0], floors[0], room + pair->counts[0],
					pair->counts[1], floors[1]);
}

/* The runs of each pair against each other; that they are rounded holds for both. */
static struct tacho__estimate estimate_pairs(const struct tacho_diff_measure *measure,
					     const struct pair *pair, double *room)
{
	double floor = 0;

	for (int side = 0; side < 2; side++) {
		double scale = pair->is_positive ? measure->sides[side].value : 1;

		floor += pair->gap / scale * (pair->gap / scale) / 12;
	}
	for (size_t i = 0; i < pair->counts[0]; i++) {
		double a = pair->values[0][i], b = pair->values[1][i];

		room[i] = pair->is_positive ? log(b) - log(a) : b - a;
	}
	return tacho__estimate_of_pairs(room, pair->counts[0], floor);
}

/* Numbers that are exact need no test while the runs of a side agree. */
static bool decide_number(struct tacho_diff_measure *measure, const struct pair *pair)
{
	if (!pair->is_constant[0] || !pair->is_constant[1])
		return false;
	measure->verdict = pair->is_one			   ? TACHO_DIFF_SAME
			   : tacho__diff_has_runs(measure) ? TACHO_DIFF_DIFFERS
							   : TACHO_DIFF_UNSURE;
	return true;
}

/* All values of all runs are the same number. */
static bool decide_same(const struct tacho_diff *diff, const struct tacho__diff_line *line,
			size_t index, struct tacho_diff_measure *measure, const struct pair *pair)
{
	for (size_t i = 0; i < diff->run_count; i++)
		if (tacho__diff_get_cell(diff, line, i, index)->gap > 0)
			return false;
	if (!pair->is_one)
		return false;
	measure->verdict = TACHO_DIFF_SAME;
	return true;
}

static void set_change(struct tacho_diff_measure *measure)
{
	const struct tacho_diff_value *sides = measure->sides;

	measure->has_difference = 1;
	measure->difference = sides[1].value - sides[0].value;
	if (sides[0].value != 0)
		measure->change = measure->difference / fabs(sides[0].value);
	measure->has_change = sides[0].value != 0 && isfinite(measure->change);
}

static void estimate_measure(const struct tacho_diff *diff, struct tacho__diff_line *line,
			     size_t index, struct pair *pair, double *room)
{
	struct tacho_diff_measure *measure = &line->measures[index];
	struct tacho__diff_test *test = &line->tests[index];
	size_t all = pair->counts[0] + pair->counts[1];

	for (int side = 0; side < 2; side++)
		if (is_sum(diff, index) &&
		    (measure->sides[side].state & TACHO_STATE_MASK) > TACHO_STATE_SCALED)
			return;
	if (is_number(diff, index) && decide_number(measure, pair))
		return;
	if (!is_sum(diff, index) && decide_same(diff, line, index, measure, pair))
		return;
	test->is_log = pair->is_positive;
	pair->gap = find_gap(diff, line, index, room, all, room + all);
	if (pair->is_one && !pair->gap && all > 2)
		measure->verdict = TACHO_DIFF_SAME;
	else if (all > 2 && !diff->is_paired)
		test->estimate = estimate_runs(measure, pair, room + all);
	else if (all > 2 && has_whole_pair(diff, line, index))
		test->estimate = estimate_pairs(measure, pair, room + all);
	else if (all == 2 && !is_sum(diff, index) && !diff->is_of_means)
		test->estimate = estimate_lone(diff, line, index, pair);
	if (measure->verdict == TACHO_DIFF_UNKNOWN)
		measure->verdict = test->estimate.is_known ? TACHO_DIFF_NOISE : TACHO_DIFF_FEW;
}

/* `room` holds three values a run. */
static void compare_measure(const struct tacho_diff *diff, struct tacho__diff_line *line,
			    size_t index, double *room)
{
	struct tacho_diff_measure *measure = &line->measures[index];
	struct pair pair = {0};

	measure->name = diff->kinds[index].name;
	measure->unit = diff->kinds[index].unit;
	measure->is_simulated = diff->kinds[index].is_simulated;
	measure->is_counter = index >= TACHO__DIFF_OTHERS && !is_sum(diff, index);
	complete_cells(diff, line, index);
	for (int side = 0; side < 2; side++) {
		pair.values[side] = room + (side ? pair.counts[0] : 0);
		pair.counts[side] = gather(diff, line, index, (enum tacho_diff_side)side,
					   room + (side ? pair.counts[0] : 0));
	}
	look_at(&pair);
	pair.is_positive = pair.is_positive && !is_number(diff, index);
	for (int side = 0; side < 2; side++)
		if (pair.counts[side])
			measure->sides[side].value =
				combine(pair.values[side], pair.counts[side], pair.is_positive);
	if (!pair.counts[0] || !pair.counts[1])
		return;
	set_change(measure);
	estimate_measure(diff, line, index, &pair, room);
}

int tacho__diff_compare(struct tacho_diff *diff)
{
	double *room = calloc(3 * diff->run_count, sizeof(*room));
	int rc = 0;

	if (!room)
		return tacho__diff_fail_memory();
	for (size_t i = 0; i < diff->line_count; i++)
		for (size_t k = 0; k < diff->kind_count; k++)
			compare_measure(diff, diff->lines[i], k, room);
	free(room);
	for (size_t k = 0; k < diff->kind_count && !rc; k++)
		rc = tacho__diff_judge(diff, k);
	return rc;
}
