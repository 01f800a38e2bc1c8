/* SPDX-License-Identifier: MIT */
/* Numbers of runs that no recording has. */
#include <math.h>
#include <stdlib.h>

#include "analyze/diff/diff.h"
#include "analyze/diff/statistics.h"
#include "base/error.h"

#define LEVEL 0.05

static bool look_at(const double *values, size_t count, double first, bool *is_positive,
		    bool *is_one)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i]))
			return false;
		*is_positive = *is_positive && values[i] > 0;
		*is_one = *is_one && values[i] == first;
	}
	return count != 0;
}

/* On the scale of the test; the mean of them. */
static double put_scaled(const double *values, size_t count, bool is_log, double *out_values)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		out_values[i] = is_log ? log(values[i]) : values[i];
		sum += out_values[i];
	}
	return sum / (double)count;
}

static struct tacho_diff_value make_side(double mean, bool is_log, size_t count)
{
	return (struct tacho_diff_value){
		.value = is_log ? exp(mean) : mean,
		.has_value = 1,
		.runs = (uint32_t)count,
		.count = count,
		.measured = count,
		.kept = count,
		.state = TACHO_STATE_OK,
		.reason = "",
	};
}

static void judge(struct tacho_diff_measure *measure, const struct tacho__estimate *estimate,
		  bool is_log, double level)
{
	double a = measure->sides[TACHO_DIFF_A].value;
	double reach = tacho__estimate_reach(estimate, level);
	double low = estimate->difference - reach, high = estimate->difference + reach;

	measure->verdict = TACHO_DIFF_NOISE;
	measure->together = 1;
	measure->has_p = 1;
	measure->p = measure->adjusted_p = tacho__estimate_p(estimate);
	if (fabs(estimate->difference) > reach)
		measure->verdict =
			tacho__diff_has_runs(measure) ? TACHO_DIFF_DIFFERS : TACHO_DIFF_UNSURE;
	low = is_log ? expm1(low) : low / a;
	high = is_log ? expm1(high) : high / a;
	measure->has_interval = (is_log || a > 0) && isfinite(low) && isfinite(high);
	if (measure->has_interval) {
		measure->low = low;
		measure->high = high;
	}
}

/* Those of two sides, or of pairs. */
struct numbers {
	const double *values[2];
	size_t counts[2];
	bool are_pairs;
};

/* `room` holds all of them, on the scale of the test. */
static struct tacho__estimate estimate_of(const struct numbers *numbers, double *room)
{
	size_t a_count = numbers->counts[0], b_count = numbers->counts[1];

	if (!numbers->are_pairs)
		return tacho__estimate_of_means(room, a_count, 0, room + a_count, b_count, 0);
	for (size_t i = 0; i < a_count; i++)
		room[i] = room[a_count + i] - room[i];
	return tacho__estimate_of_pairs(room, a_count, 0);
}

static void compare(const struct numbers *numbers, double level, bool is_log, double *room,
		    struct tacho_diff_measure *measure)
{
	size_t a_count = numbers->counts[0], b_count = numbers->counts[1];
	double means[2] = {put_scaled(numbers->values[0], a_count, is_log, room),
			   put_scaled(numbers->values[1], b_count, is_log, room + a_count)};
	struct tacho__estimate estimate = estimate_of(numbers, room);

	measure->sides[TACHO_DIFF_A] = make_side(means[0], is_log, a_count);
	measure->sides[TACHO_DIFF_B] = make_side(means[1], is_log, b_count);
	measure->has_difference = 1;
	measure->difference = measure->sides[1].value - measure->sides[0].value;
	if (measure->sides[0].value != 0)
		measure->change = measure->difference / fabs(measure->sides[0].value);
	measure->has_change = measure->sides[0].value != 0 && isfinite(measure->change);
	if (measure->verdict == TACHO_DIFF_SAME)
		return;
	measure->verdict = TACHO_DIFF_FEW;
	if (estimate.is_known)
		judge(measure, &estimate, is_log, level);
}

static int compare_all(const struct numbers *numbers, double level,
		       struct tacho_diff_measure *out_measure)
{
	size_t a_count = numbers->counts[0], b_count = numbers->counts[1];
	struct tacho_diff_measure measure = {.name = "", .unit = ""};
	double *room, first = a_count ? numbers->values[0][0] : 0;
	bool is_positive = true, is_one = true;

	if (!look_at(numbers->values[0], a_count, first, &is_positive, &is_one) ||
	    !look_at(numbers->values[1], b_count, first, &is_positive, &is_one))
		return tacho__fail(TACHO_E_INVAL, "a side has no number, or one that is not finite",
				   "give a number for each run", "cannot compare numbers");
	if (level != 0 && !(level > 0 && level < 1))
		return tacho__fail(TACHO_E_INVAL, tacho__detail("it is %g", level),
				   "give a number between 0 and 1, such as 0.05",
				   "the level cannot be used");
	room = calloc(a_count + b_count, sizeof(*room));
	if (!room)
		return tacho__diff_fail_memory();
	if (is_one && a_count + b_count > 2)
		measure.verdict = TACHO_DIFF_SAME;
	compare(numbers, level > 0 ? level : LEVEL, is_positive, room, &measure);
	free(room);
	*out_measure = measure;
	return 0;
}

int tacho_diff_compare_numbers(const double *a, size_t a_count, const double *b, size_t b_count,
			       double level, struct tacho_diff_measure *out_measure)
{
	const struct numbers numbers = {{a, b}, {a_count, b_count}, false};

	if (!a || !b || !out_measure)
		return tacho__fail_null(__func__);
	return compare_all(&numbers, level, out_measure);
}

int tacho_diff_compare_pairs(const double *a, const double *b, size_t pair_count, double level,
			     struct tacho_diff_measure *out_measure)
{
	const struct numbers numbers = {{a, b}, {pair_count, pair_count}, true};

	if (!a || !b || !out_measure)
		return tacho__fail_null(__func__);
	return compare_all(&numbers, level, out_measure);
}
