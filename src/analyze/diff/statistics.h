/* SPDX-License-Identifier: MIT */
/* How far two means lie apart, and how well that is known. Knows nothing of recordings. */
#ifndef TACHO_ANALYZE_DIFF_STATISTICS_H
#define TACHO_ANALYZE_DIFF_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

void tacho__sort(double *values, size_t count);
/* Of values in rising order; count is not 0. */
double tacho__median(const double *sorted, size_t count);
/* The mean without the eighth that is smallest and the one that is largest, at least one value each
 * of three and more. */
double tacho__middle_mean(const double *sorted, size_t count);
/* The smallest distance of two different values in rising order; 0 when all are the same. */
double tacho__smallest_gap(const double *sorted, size_t count);

/* The chance that |t| is that large or larger; t that exceeds it in both tails with chance p. The
 * freedom may be INFINITY. */
double tacho__t_tails(double t, double freedom);
double tacho__t_quantile(double p, double freedom);

/* A part of what a difference varies by. */
struct tacho__part {
	double variance;
	double freedom; /* degrees that it was estimated with; INFINITY: it is assumed */
};

/* A difference b - a. */
struct tacho__estimate {
	bool is_known; /* else there is no error to it */
	double difference, error, freedom;
};

/* Parts that are independent of each other; their freedoms together are those of Satterthwaite. */
struct tacho__estimate tacho__estimate_of_parts(double difference, const struct tacho__part *parts,
						size_t count);

/*
 * Of means: by Student where both have as many values, else by Welch, and with the variance of the
 * other side where one has a single value.
 * `a_floor` and `b_floor` are the least variances of a single value that are believed, as a clock
 * that ticks coarsely hides what is smaller. With a value on each side nothing is known.
 */
struct tacho__estimate tacho__estimate_of_means(const double *a, size_t a_count, double a_floor,
						const double *b, size_t b_count, double b_floor);

/*
 * Of pairs of values: by the mean of their differences b - a. `floor` is the least variance of a
 * difference that is believed. With one pair nothing is known.
 */
struct tacho__estimate tacho__estimate_of_pairs(const double *differences, size_t count,
						double floor);

/* Two-sided, that the difference is 0; 1 where nothing is known. */
double tacho__estimate_p(const struct tacho__estimate *estimate);
/* The interval of confidence 1 - level reaches that far to each side: it holds 0 just when p is
 * not below the level. */
double tacho__estimate_reach(const struct tacho__estimate *estimate, double level);

#endif
