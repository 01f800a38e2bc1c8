/* SPDX-License-Identifier: MIT */
#include "analyze/diff/together.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/diff/statistics.h"
#include "base/error.h"

enum {
	DRAWS = 1999,
	WORK_MAX = 500 * 1000 * 1000, /* values over all draws: a second */
	RANK_MIN = 20,		      /* draws below the level: of fewer it is not known well */
};

/* ---- weights ---- */

/* Xorshift64*, from a fixed start. */
static double draw_uniform(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return ((double)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 11) + 0.5) * 0x1p-53;
}

/* From the normal distribution, in pairs: their direction is like any other. */
static void draw_weights(uint64_t *state, double *weights, size_t count)
{
	for (size_t i = 0; i < count; i += 2) {
		double length = sqrt(-2 * log(draw_uniform(state)));
		double angle = 2 * M_PI * draw_uniform(state);

		weights[i] = length * cos(angle);
		if (i + 1 < count)
			weights[i + 1] = length * sin(angle);
	}
}

/* ---- lines ---- */

/* Moves the mean of a line to 0, unless 0 is what chance would make it, and its length to 1, what
 * is missing to 0. Returns its runs. */
static size_t normalize(enum tacho__family_kind kind, double *values, size_t runs)
{
	double mean = 0, squares = 0;
	size_t count = 0;

	for (size_t i = 0; i < runs; i++)
		if (!isnan(values[i])) {
			mean += values[i];
			count++;
		}
	mean = kind == TACHO__FAMILY_OF_PAIRS ? 0 : mean / (double)count;
	for (size_t i = 0; i < runs; i++)
		if (!isnan(values[i]))
			squares += (values[i] - mean) * (values[i] - mean);
	for (size_t i = 0; i < runs; i++)
		values[i] =
			isnan(values[i]) || !(squares > 0) ? 0 : (values[i] - mean) / sqrt(squares);
	return count;
}

/* What part of the squares of a line the weights explain; of a line with all runs the mean of the
 * weights falls away, and its length is the same for all. */
static double explain(const double *values, const double *weights, size_t runs)
{
	double sum = 0;

	for (size_t i = 0; i < runs; i++)
		sum += values[i] * weights[i];
	return sum * sum;
}

/* The squared length of weights of the runs that a line has, around their mean but for pairs. */
static double measure_weights(enum tacho__family_kind kind, const double *weights,
			      const uint8_t *has, size_t runs, size_t count)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < runs; i++)
		if (!has || has[i]) {
			sum += weights[i];
			squares += weights[i] * weights[i];
		}
	return kind == TACHO__FAMILY_OF_PAIRS ? squares : squares - sum * sum / (double)count;
}

/* What the means of a line take of its numbers' freedom: one of each side, or that of the pairs. */
static size_t count_means(enum tacho__family_kind kind)
{
	return kind == TACHO__FAMILY_OF_PAIRS ? 1 : 2;
}

/* p of a line of that many numbers, of whose squares a part is explained. */
static double find_p(enum tacho__family_kind kind, double part, size_t count)
{
	double freedom = (double)(count - count_means(kind));

	return part < 1 ? tacho__t_tails(sqrt(freedom * part / (1 - part)), freedom) : 0;
}

/* ---- families ---- */

struct draws {
	enum tacho__family_kind kind;
	double *values, *weights, *best; /* best: by number of runs */
	uint8_t *has;
	size_t *counts;
	size_t lines, runs;
};

static double draw_smallest(struct draws *draws, uint64_t *state)
{
	double smallest = 1, all;

	draw_weights(state, draws->weights, draws->runs);
	all = measure_weights(draws->kind, draws->weights, NULL, draws->runs, draws->runs);
	for (size_t i = 0; i <= draws->runs; i++)
		draws->best[i] = 0;
	for (size_t i = 0; i < draws->lines; i++) {
		size_t count = draws->counts[i], first = i * draws->runs;
		double part = explain(draws->values + first, draws->weights, draws->runs);

		if (count <= count_means(draws->kind))
			continue;
		part /= count == draws->runs
				? all
				: measure_weights(draws->kind, draws->weights, draws->has + first,
						  draws->runs, count);
		draws->best[count] = fmax(draws->best[count], part);
	}
	for (size_t i = count_means(draws->kind) + 1; i <= draws->runs; i++)
		if (draws->best[i] > 0)
			smallest = fmin(smallest, find_p(draws->kind, draws->best[i], i));
	return smallest;
}

static int make_draws(enum tacho__family_kind kind, double *values, size_t lines, size_t runs,
		      struct draws *out_draws)
{
	struct draws draws = {.kind = kind, .values = values, .lines = lines, .runs = runs};

	draws.weights = calloc(2 * runs + 1, sizeof(*draws.weights));
	draws.best = draws.weights ? draws.weights + runs : NULL;
	draws.has = calloc(lines * runs, sizeof(*draws.has));
	draws.counts = calloc(lines, sizeof(*draws.counts));
	*out_draws = draws;
	if (!draws.weights || !draws.has || !draws.counts)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compare recordings");
	for (size_t i = 0; i < lines * runs; i++)
		draws.has[i] = !isnan(values[i]);
	for (size_t i = 0; i < lines; i++)
		draws.counts[i] = normalize(kind, values + i * runs, runs);
	return 0;
}

static void finish_draws(struct draws *draws)
{
	free(draws->weights);
	free(draws->has);
	free(draws->counts);
}

struct tacho__family tacho__family_plain(size_t lines, double level)
{
	return (struct tacho__family){.level = lines > 1 ? level / (double)lines : level,
				      .lines = lines};
}

/* The smallest p that too few of the draws stay below; never milder than for a line alone. */
static double find_level(const struct tacho__family *family, double level)
{
	size_t rank = (size_t)ceil(level * (double)(family->draws + 1)) - 1;

	return fmin(level, family->smallest[rank - 1]);
}

int tacho__family_make(enum tacho__family_kind kind, double *values, size_t lines, size_t count,
		       double level, struct tacho__family *out_family)
{
	struct tacho__family family = tacho__family_plain(lines, level);
	uint64_t state = UINT64_C(0x7461636f);
	double draws_max = WORK_MAX / ((double)lines * (double)count + 1);
	struct draws draws;
	int rc;

	*out_family = family;
	family.draws = draws_max < DRAWS ? (size_t)draws_max : DRAWS;
	if (lines < 2 || count <= count_means(kind) || level * (double)family.draws < RANK_MIN)
		return 0;
	rc = make_draws(kind, values, lines, count, &draws);
	family.smallest = rc ? NULL : calloc(family.draws, sizeof(*family.smallest));
	if (!rc && !family.smallest)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compare recordings");
	for (size_t i = 0; i < family.draws && !rc; i++)
		family.smallest[i] = draw_smallest(&draws, &state);
	finish_draws(&draws);
	if (rc)
		return rc;
	tacho__sort(family.smallest, family.draws);
	family.level = find_level(&family, level);
	*out_family = family;
	return 0;
}

void tacho__family_finish(struct tacho__family *family)
{
	free(family->smallest);
	family->smallest = NULL;
}

double tacho__family_adjust(const struct tacho__family *family, double p)
{
	size_t low = 0, high = family->draws;

	if (!family->smallest)
		return fmin(1, p * (double)(family->lines ? family->lines : 1));
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (family->smallest[middle] <= p)
			low = middle + 1;
		else
			high = middle;
	}
	return fmax(p, (double)(low + 1) / (double)(family->draws + 1));
}
