/* SPDX-License-Identifier: MIT */
#include "analyze/diff/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static int fail_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compare recordings");
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

void tacho__sort(double *values, size_t count)
{
	if (count > 1)
		qsort(values, count, sizeof(*values), compare);
}

double tacho__median(const double *sorted, size_t count)
{
	double low = sorted[(count - 1) / 2], high = sorted[count / 2];

	return low == high ? low : low + (high - low) / 2;
}

double tacho__smallest_gap(const double *sorted, size_t count)
{
	double gap = 0;

	for (size_t i = 1; i < count; i++)
		if (sorted[i] > sorted[i - 1] && (gap == 0 || sorted[i] - sorted[i - 1] < gap))
			gap = sorted[i] - sorted[i - 1];
	return gap;
}

/* ---- ranks ---- */

/* Twice the rank of each value among all, the mean rank for ties. */
static void make_ranks(const double *values, size_t count, unsigned *ranks)
{
	for (size_t i = 0; i < count; i++) {
		unsigned below = 0, same = 0;

		for (size_t k = 0; k < count; k++) {
			below += values[k] < values[i];
			same += values[k] == values[i];
		}
		ranks[i] = 2 * below + same + 1;
	}
}

/*
 * In how many ways `chosen` of the ranks can be picked for each sum: ways[sum], up to the sum of
 * all of them. Counts stay exact in a double up to 2^53, and close beyond.
 */
static double *count_ways(const unsigned *ranks, size_t count, size_t chosen, size_t *out_sums)
{
	size_t sums = 1;
	double *table, *ways;

	for (size_t i = 0; i < count; i++)
		sums += ranks[i];
	table = calloc((chosen + 1) * sums, sizeof(*table));
	ways = calloc(sums, sizeof(*ways));
	if (table && ways) {
		size_t reached = 0;

		table[0] = 1;
		for (size_t i = 0; i < count; i++) {
			reached += ranks[i];
			for (size_t k = chosen < i + 1 ? chosen : i + 1; k > 0; k--)
				for (size_t sum = ranks[i]; sum <= reached; sum++)
					table[k * sums + sum] +=
						table[(k - 1) * sums + sum - ranks[i]];
		}
		memcpy(ways, table + chosen * sums, sums * sizeof(*ways));
		*out_sums = sums;
		free(table);
		return ways;
	}
	free(table);
	free(ways);
	return NULL;
}

/* The part of all ways whose sum is at least `distance` away from the middle. */
static double tails(const double *ways, size_t sums, double middle, double distance)
{
	double all = 0, far = 0;

	for (size_t sum = 0; sum < sums; sum++) {
		all += ways[sum];
		if (fabs((double)sum - middle) >= distance)
			far += ways[sum];
	}
	return far / all;
}

/* The largest distance of a sum from the middle that there is a way to. */
static double farthest(const double *ways, size_t sums, double middle)
{
	double distance = 0;

	for (size_t sum = 0; sum < sums; sum++)
		if (ways[sum] > 0 && fabs((double)sum - middle) > distance)
			distance = fabs((double)sum - middle);
	return distance;
}

static int set_rank_p(const unsigned *ranks, size_t a_count, size_t count,
		      struct tacho__test *out_test)
{
	/* the expected sum of doubled ranks of a: a_count of `count` values of mean count + 1 */
	double middle = (double)a_count * (double)(count + 1), sum = 0;
	size_t sums;
	double *ways = count_ways(ranks, count, a_count, &sums);

	if (!ways)
		return fail_memory();
	for (size_t i = 0; i < a_count; i++)
		sum += ranks[i];
	out_test->p = tails(ways, sums, middle, fabs(sum - middle));
	out_test->smallest_p = tails(ways, sums, middle, farthest(ways, sums, middle));
	free(ways);
	return 0;
}

/*
 * How many of the sorted differences of pairs are cut off at each end; 0: the confidence cannot be
 * had. This is the largest number for which the chance of fewer pairs than that is small enough.
 */
static int count_cut(size_t a_count, size_t b_count, double confidence, size_t *out_cut)
{
	unsigned ranks[2 * TACHO__RANKED_MAX];
	size_t sums, lowest = a_count * (a_count + 1) / 2, cut = 0;
	double *ways, all = 0, below = 0;

	for (size_t i = 0; i < a_count + b_count; i++)
		ranks[i] = (unsigned)i + 1;
	ways = count_ways(ranks, a_count + b_count, a_count, &sums);
	if (!ways)
		return fail_memory();
	for (size_t sum = 0; sum < sums; sum++)
		all += ways[sum];
	for (size_t sum = lowest; sum < sums; sum++) {
		below += ways[sum];
		if (below / all > (1 - confidence) / 2)
			break;
		cut++;
	}
	free(ways);
	*out_cut = cut;
	return 0;
}

static int set_rank_interval(const double *a, size_t a_count, const double *b, size_t b_count,
			     double confidence, struct tacho__test *out_test)
{
	double pairs[TACHO__RANKED_MAX * TACHO__RANKED_MAX];
	size_t count = 0, cut = 0;
	int rc = count_cut(a_count, b_count, confidence, &cut);

	if (rc || !cut)
		return rc;
	for (size_t i = 0; i < a_count; i++)
		for (size_t k = 0; k < b_count; k++)
			pairs[count++] = b[k] - a[i];
	tacho__sort(pairs, count);
	out_test->low = pairs[cut - 1];
	out_test->high = pairs[count - cut];
	out_test->has_interval = true;
	return 0;
}

int tacho__rank_test(const double *a, size_t a_count, const double *b, size_t b_count,
		     double confidence, struct tacho__test *out_test)
{
	struct tacho__test test = {.p = 1, .smallest_p = 1};
	double all[2 * TACHO__RANKED_MAX];
	unsigned ranks[2 * TACHO__RANKED_MAX];
	int rc;

	if (!a_count || !b_count || a_count > TACHO__RANKED_MAX || b_count > TACHO__RANKED_MAX)
		return tacho__fail(TACHO_E_INVAL, "", "", "a rank test of %zu and %zu values",
				   a_count, b_count);
	memcpy(all, a, a_count * sizeof(*a));
	memcpy(all + a_count, b, b_count * sizeof(*b));
	make_ranks(all, a_count + b_count, ranks);
	rc = set_rank_p(ranks, a_count, a_count + b_count, &test);
	if (!rc)
		rc = set_rank_interval(a, a_count, b, b_count, confidence, &test);
	if (!rc)
		*out_test = test;
	return rc;
}

/* ---- means ---- */

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m < 1000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		if (fabs(d * c - 1) < 1e-15)
			break;
	}
	return h;
}

/* lgamma() keeps the sign in a variable of the process; arguments here are above 0. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* The regularized incomplete beta function. */
static double beta_part(double a, double b, double x)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double tacho__t_tails(double t, double freedom)
{
	if (!(freedom > 0))
		return 1;
	if (isinf(t))
		return 0;
	return beta_part(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double tacho__t_quantile(double p, double freedom)
{
	double low = 0, high = 1;

	while (high < 1e300 && tacho__t_tails(high, freedom) > p)
		high *= 2;
	for (int i = 0; i < 200 && high - low > high * 1e-14; i++) {
		double middle = low + (high - low) / 2;

		if (tacho__t_tails(middle, freedom) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

/* Of a single value, not of the mean. */
static double variance_of(const double *values, size_t count, double floor_variance)
{
	double mean = mean_of(values, count), sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	sum /= (double)(count - 1);
	return sum > floor_variance ? sum : floor_variance;
}

void tacho__mean_test(const double *a, size_t a_count, double a_floor, const double *b,
		      size_t b_count, double b_floor, double confidence,
		      struct tacho__test *out_test)
{
	struct tacho__test test = {.p = 1, .smallest_p = 1};
	double difference, a_part, b_part, error, freedom, reach;

	*out_test = test;
	if (!a_count || !b_count || a_count + b_count < 3)
		return;
	difference = mean_of(b, b_count) - mean_of(a, a_count);
	a_part = a_count > 1 ? variance_of(a, a_count, a_floor) : variance_of(b, b_count, b_floor);
	b_part = b_count > 1 ? variance_of(b, b_count, b_floor) : a_part;
	a_part /= (double)a_count;
	b_part /= (double)b_count;
	error = sqrt(a_part + b_part);
	if (a_count == 1 || b_count == 1)
		freedom = (double)(a_count + b_count - 2);
	else if (error > 0)
		freedom = (a_part + b_part) * (a_part + b_part) /
			  (a_part * a_part / (double)(a_count - 1) +
			   b_part * b_part / (double)(b_count - 1));
	else
		freedom = (double)(a_count + b_count - 2);
	test.smallest_p = 0;
	test.p = error > 0 ? tacho__t_tails(difference / error, freedom) : difference == 0 ? 1 : 0;
	reach = error > 0 ? error * tacho__t_quantile(1 - confidence, freedom) : 0;
	test.low = difference - reach;
	test.high = difference + reach;
	test.has_interval = isfinite(reach);
	*out_test = test;
}

/* ---- several tests ---- */

struct ranked {
	double p;
	size_t index;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->p != b->p)
		return a->p < b->p ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

int tacho__holm(double *p, size_t count)
{
	struct ranked *all = count ? malloc(count * sizeof(*all)) : NULL;
	double largest = 0;

	if (!count)
		return 0;
	if (!all)
		return fail_memory();
	for (size_t i = 0; i < count; i++)
		all[i] = (struct ranked){p[i], i};
	qsort(all, count, sizeof(*all), compare_ranked);
	for (size_t i = 0; i < count; i++) {
		double adjusted = all[i].p * (double)(count - i);

		if (adjusted > largest)
			largest = adjusted < 1 ? adjusted : 1;
		p[all[i].index] = largest;
	}
	free(all);
	return 0;
}
