/* SPDX-License-Identifier: MIT */
#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff/together.h"
#include "analyze/diff/statistics.h"
#include "analyze/diff/wander.h"

#define SPREAD	    0.1
#define RUN_EFFECT  0.03 /* the library's, of one run a side */
#define DRIFT_LEVEL 0.01

const double trial_changes[TRIAL_CHANGES] = {0.03, 0.05};

enum { SPLITS = 252 }; /* ways to deal ten runs out to two sides of five */

struct trial {
	const struct trial_noise *noise;
	uint64_t random;
	size_t launches;
	double *values, *room;
	unsigned splits[SPLITS]; /* a bit for each run of B */
	/* logarithms of the middle means and of the geometric means of the runs, those of A first
	 */
	double middles[TRIAL_KERNELS][TRIAL_RUNS], means[TRIAL_KERNELS][TRIAL_RUNS];
	struct tacho__wander first[2]; /* of the first run of each side, of the first kernel */
};

/* ---- chance ---- */

static double draw_uniform(struct trial *trial)
{
	uint64_t mixed = trial->random += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
	return ((double)((mixed ^ (mixed >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* From the normal distribution, by the polar method. */
static double draw_normal(struct trial *trial)
{
	double x, y, square;

	do {
		x = 2 * draw_uniform(trial) - 1;
		y = 2 * draw_uniform(trial) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	return x * sqrt(-2 * log(square) / square);
}

/* ---- runs ---- */

static void make_run(struct trial *trial, size_t kernel, size_t run, double effect)
{
	double part = trial->noise->correlation, rest = sqrt(1 - part * part);
	double state = draw_normal(trial), sum = 0;

	for (size_t i = 0; i < trial->launches; i++) {
		double value = effect + SPREAD * state;

		sum += value;
		trial->values[i] = exp(value);
		state = part * state + rest * draw_normal(trial);
	}
	trial->means[kernel][run] = sum / (double)trial->launches;
	if (kernel == 0 && run % TRIAL_SIDE == 0)
		tacho__wander_measure(trial->values, trial->launches, trial->room,
				      &trial->first[run / TRIAL_SIDE]);
	tacho__sort(trial->values, trial->launches);
	trial->middles[kernel][run] = log(tacho__middle_mean(trial->values, trial->launches));
}

static void make_runs(struct trial *trial)
{
	double effects[TRIAL_SIDE] = {0};

	for (size_t i = 0; i < TRIAL_SIDE && trial->noise->pair_effect > 0; i++)
		effects[i] = trial->noise->pair_effect * draw_normal(trial);
	for (size_t run = 0; run < TRIAL_RUNS; run++) {
		double shared = trial->noise->run_effect * draw_normal(trial);

		for (size_t i = 0; i < TRIAL_KERNELS; i++)
			make_run(trial, i, run,
				 effects[run % TRIAL_SIDE] +
					 (trial->noise->is_shared
						  ? shared
						  : trial->noise->run_effect * draw_normal(trial)));
	}
}

/* ---- tacho diff ---- */

static double find_p(const double *values, enum tacho__family_kind kind)
{
	struct tacho__estimate estimate =
		kind == TACHO__FAMILY_OF_PAIRS
			? tacho__estimate_of_pairs(values, TRIAL_SIDE, 0)
			: tacho__estimate_of_means(values, TRIAL_SIDE, 0, values + TRIAL_SIDE,
						   TRIAL_SIDE, 0);

	return tacho__estimate_p(&estimate);
}

/* The runs of a kernel, those of B changed; or the differences of its pairs. Returns how many. */
static size_t put_values(const double *runs, double change, enum tacho__family_kind kind,
			 double *out_values)
{
	for (size_t i = 0; i < TRIAL_SIDE; i++) {
		double a = runs[i], b = runs[TRIAL_SIDE + i] + change;

		out_values[i] = kind == TACHO__FAMILY_OF_PAIRS ? b - a : a;
		if (kind == TACHO__FAMILY_OF_RUNS)
			out_values[TRIAL_SIDE + i] = b;
	}
	return kind == TACHO__FAMILY_OF_PAIRS ? TRIAL_SIDE : TRIAL_RUNS;
}

static bool is_beside(const struct trial *trial)
{
	const struct tacho__lone sides[2] = {{&trial->first[0], 0, RUN_EFFECT},
					     {&trial->first[1], 0, RUN_EFFECT}};
	struct tacho__estimate estimate = tacho__wander_compare(
		trial->middles[0][TRIAL_SIDE] - trial->middles[0][0], sides, true);

	return tacho__estimate_p(&estimate) < TRIAL_LEVEL;
}

/* One of the kernels changed, or with 0 none. The family is that of what is then seen. */
static bool shows(const struct trial *trial, double change, size_t kernels,
		  enum tacho__family_kind kind)
{
	double values[TRIAL_KERNELS * TRIAL_RUNS], smallest = 1;
	struct tacho__family family;
	size_t filled = 0, per_line = 0;
	bool is_shown;

	for (size_t i = 0; i < kernels; i++) {
		double *line = values + filled;

		per_line = put_values(trial->middles[i], i ? 0 : change, kind, line);
		filled += per_line;
		if (!i || change == 0)
			smallest = fmin(smallest, find_p(line, kind));
	}
	if (tacho__family_make(kind, values, kernels, per_line, TRIAL_LEVEL, &family))
		abort();
	is_shown = smallest < family.level;
	tacho__family_finish(&family);
	return is_shown;
}

static void judge(const struct trial *trial, struct trial_rates *rates)
{
	for (size_t i = 0; i <= TRIAL_CHANGES; i++) {
		double change = i ? log1p(trial_changes[i - 1]) : 0;

		rates->alone[i] += shows(trial, change, 1, TACHO__FAMILY_OF_RUNS);
		rates->together[i] += shows(trial, change, TRIAL_KERNELS, TACHO__FAMILY_OF_RUNS);
		rates->paired[i] += shows(trial, change, 1, TACHO__FAMILY_OF_PAIRS);
		rates->paired_together[i] +=
			shows(trial, change, TRIAL_KERNELS, TACHO__FAMILY_OF_PAIRS);
	}
	rates->drift += trial->first[0].drift_p < DRIFT_LEVEL;
	rates->beside += is_beside(trial);
}

/* ---- exact tests ---- */

/* Student's |t| of the runs, dealt out in that way; B's are shifted first. */
static double find_t(const double *runs, double change, unsigned split)
{
	double sums[2] = {0}, squares[2] = {0}, inner;

	for (size_t i = 0; i < TRIAL_RUNS; i++) {
		double value = runs[i] + (i < TRIAL_SIDE ? 0 : change);

		sums[split >> i & 1] += value;
		squares[split >> i & 1] += value * value;
	}
	inner = squares[0] + squares[1] - (sums[0] * sums[0] + sums[1] * sums[1]) / TRIAL_SIDE;
	return fabs(sums[1] - sums[0]) / sqrt(inner > 0 ? inner : 1e-300);
}

/*
 * The share of all ways in which the largest t of all kernels is at least that of the first one;
 * with `others` NULL there is one kernel. As |t| grows with the difference of means in all ways of
 * one kernel, this is the exact test of that.
 */
static double find_exact(const struct trial *trial, const double *runs, double change,
			 const double *others)
{
	const unsigned actual = ((1u << TRIAL_SIDE) - 1) << TRIAL_SIDE;
	double t = find_t(runs, change, actual) * (1 - 1e-12);
	size_t count = 0;

	for (size_t i = 0; i < SPLITS; i++)
		count += find_t(runs, change, trial->splits[i]) >= t || (others && others[i] >= t);
	return (double)count / SPLITS;
}

static void judge_exactly(const struct trial *trial, struct trial_rates *rates)
{
	double others[SPLITS] = {0}, smallest = 1;
	size_t strongest = 0;

	for (size_t i = 0; i < SPLITS; i++)
		for (size_t k = 1; k < TRIAL_KERNELS; k++)
			others[i] = fmax(others[i], find_t(trial->means[k], 0, trial->splits[i]));
	for (size_t i = 0; i <= TRIAL_CHANGES; i++) {
		double change = i ? log1p(trial_changes[i - 1]) : 0;

		rates->alone_exact[i] +=
			find_exact(trial, trial->means[0], change, NULL) <= TRIAL_LEVEL;
		if (i)
			rates->together_exact[i] +=
				find_exact(trial, trial->means[0], change, others) <= TRIAL_LEVEL;
	}
	for (size_t i = 0; i < SPLITS; i++)
		others[i] = fmax(others[i], find_t(trial->means[0], 0, trial->splits[i]));
	for (size_t i = 1; i < TRIAL_KERNELS; i++) {
		const unsigned actual = ((1u << TRIAL_SIDE) - 1) << TRIAL_SIDE;

		if (find_t(trial->means[i], 0, actual) > find_t(trial->means[strongest], 0, actual))
			strongest = i;
	}
	smallest = find_exact(trial, trial->means[strongest], 0, others);
	rates->together_exact[0] += smallest <= TRIAL_LEVEL;
}

/* ---- trials ---- */

static void list_splits(struct trial *trial)
{
	size_t count = 0;

	for (unsigned split = 0; split < 1u << TRIAL_RUNS; split++)
		if (__builtin_popcount(split) == TRIAL_SIDE)
			trial->splits[count++] = split;
}

struct trial_rates trial_run(const struct trial_noise *noise, size_t launches, size_t trials,
			     uint64_t seed)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	struct trial_rates rates = {0};
	double *rate = (double *)&rates;

	if (trial)
		trial->values = calloc(2 * launches, sizeof(*trial->values));
	if (!trial || !trial->values)
		abort();
	trial->room = trial->values + launches;
	trial->noise = noise;
	trial->launches = launches;
	trial->random = seed;
	list_splits(trial);
	for (size_t i = 0; i < trials; i++) {
		make_runs(trial);
		judge(trial, &rates);
		judge_exactly(trial, &rates);
	}
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rate); i++)
		rate[i] /= (double)trials;
	free(trial->values);
	free(trial);
	return rates;
}
