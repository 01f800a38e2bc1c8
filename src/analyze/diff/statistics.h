/* SPDX-License-Identifier: MIT */
/* Whether two samples of numbers differ by more than noise. Knows nothing of recordings. */
#ifndef TACHO_ANALYZE_DIFF_STATISTICS_H
#define TACHO_ANALYZE_DIFF_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

enum { TACHO__RANKED_MAX = 32 }; /* values of a side of tacho__rank_test() */

/* Both are two-sided. */
struct tacho__test {
	double p;	   /* 1 where nothing can be said */
	double smallest_p; /* the smallest that samples like these could have */
	bool has_interval; /* enough values for the wanted confidence */
	double low, high;  /* the interval of b - a */
};

void tacho__sort(double *values, size_t count);
/* Of values in rising order; count is not 0. */
double tacho__median(const double *sorted, size_t count);
/* The smallest distance of two different values in rising order; 0 when all are the same. */
double tacho__smallest_gap(const double *sorted, size_t count);

/*
 * The rank sum test of Wilcoxon, Mann and Whitney. p is exact, given the ties: over all ways to
 * deal the ranks out. The interval is that of Hodges and Lehmann over the differences of pairs, its
 * ends chosen by the distribution without ties. At most TACHO__RANKED_MAX values a side, at least
 * one. NOMEM.
 */
int tacho__rank_test(const double *a, size_t a_count, const double *b, size_t b_count,
		     double confidence, struct tacho__test *out_test);

/*
 * Welch's t test of means; Student's with the variance of the other side where one has a single
 * value. `a_floor` and `b_floor` are the least variances of a single value that are believed, as a
 * clock that ticks coarsely hides what is smaller. With a value on each side nothing can be said.
 */
void tacho__mean_test(const double *a, size_t a_count, double a_floor, const double *b,
		      size_t b_count, double b_floor, double confidence,
		      struct tacho__test *out_test);

/* The chance that |t| is that large or larger; t that exceeds it in both tails with chance p. */
double tacho__t_tails(double t, double freedom);
double tacho__t_quantile(double p, double freedom);

/* Holm's correction: makes each p of `count` tests the one that holds for all of them. NOMEM. */
int tacho__holm(double *p, size_t count);

#endif
