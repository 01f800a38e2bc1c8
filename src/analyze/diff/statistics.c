/* SPDX-License-Identifier: MIT */
#include "analyze/diff/statistics.h"

#include <math.h>
#include <stdlib.h>

/* From here on the normal distribution is nearer than what log_gamma() can tell apart. */
#define FREEDOM_MAX 1e7

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

double tacho__middle_mean(const double *sorted, size_t count)
{
	size_t cut = count / 8 ? count / 8 : count > 2;
	double sum = 0;

	for (size_t i = cut; i < count - cut; i++)
		sum += sorted[i] - sorted[cut];
	return sorted[cut] + sum / (double)(count - 2 * cut);
}

double tacho__smallest_gap(const double *sorted, size_t count)
{
	double gap = 0;

	for (size_t i = 1; i < count; i++)
		if (sorted[i] > sorted[i - 1] && (gap == 0 || sorted[i] - sorted[i - 1] < gap))
			gap = sorted[i] - sorted[i - 1];
	return gap;
}

/* ---- Student's distribution ---- */

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
	if (freedom > FREEDOM_MAX)
		return erfc(fabs(t) * M_SQRT1_2);
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

/* ---- estimates ---- */

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

/* What the mean of `count` values varies by; that of a single one is not known from itself. */
static struct tacho__part part_of(const double *values, size_t count, double floor_variance)
{
	if (count < 2)
		return (struct tacho__part){0};
	return (struct tacho__part){
		.variance = variance_of(values, count, floor_variance) / (double)count,
		.freedom = (double)(count - 1),
	};
}

struct tacho__estimate tacho__estimate_of_parts(double difference, const struct tacho__part *parts,
						size_t count)
{
	struct tacho__estimate estimate = {.difference = difference, .freedom = INFINITY};
	double variance = 0, spread = 0;

	for (size_t i = 0; i < count; i++) {
		variance += parts[i].variance;
		spread += parts[i].variance * parts[i].variance / parts[i].freedom;
	}
	estimate.is_known = isfinite(variance) && !isnan(spread) && !isnan(difference);
	estimate.error = sqrt(variance);
	if (spread > 0)
		estimate.freedom = variance * variance / spread;
	return estimate;
}

struct tacho__estimate tacho__estimate_of_means(const double *a, size_t a_count, double a_floor,
						const double *b, size_t b_count, double b_floor)
{
	struct tacho__part parts[] = {part_of(a, a_count, a_floor), part_of(b, b_count, b_floor)};
	struct tacho__estimate estimate = {0};

	if (!a_count || !b_count || a_count + b_count < 3)
		return estimate;
	estimate = tacho__estimate_of_parts(mean_of(b, b_count) - mean_of(a, a_count), parts, 2);
	if (a_count != b_count && a_count > 1 && b_count > 1 && estimate.error > 0)
		return estimate;
	/* of two equal sides the error is the same, and their variances count as one */
	/* one value is as far from the mean of such values as those of the other side are */
	if (a_count == 1)
		estimate.error = sqrt(parts[1].variance * (double)(b_count + 1));
	else if (b_count == 1)
		estimate.error = sqrt(parts[0].variance * (double)(a_count + 1));
	estimate.freedom = (double)(a_count + b_count - 2);
	estimate.is_known = isfinite(estimate.difference) && isfinite(estimate.error);
	return estimate;
}

struct tacho__estimate tacho__estimate_of_pairs(const double *differences, size_t count,
						double floor)
{
	struct tacho__part part = part_of(differences, count, floor);
	struct tacho__estimate estimate = {0};

	if (count < 2)
		return estimate;
	estimate.difference = mean_of(differences, count);
	estimate.error = sqrt(part.variance);
	estimate.freedom = part.freedom;
	estimate.is_known = isfinite(estimate.difference) && isfinite(estimate.error);
	return estimate;
}

double tacho__estimate_p(const struct tacho__estimate *estimate)
{
	if (!estimate->is_known || estimate->difference == 0)
		return 1;
	if (!(estimate->error > 0))
		return 0;
	return tacho__t_tails(estimate->difference / estimate->error, estimate->freedom);
}

double tacho__estimate_reach(const struct tacho__estimate *estimate, double level)
{
	return estimate->error > 0 ? estimate->error * tacho__t_quantile(level, estimate->freedom)
				   : 0;
}
