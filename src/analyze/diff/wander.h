/* SPDX-License-Identifier: MIT */
/* What the values of one run do over its length. Knows nothing of recordings. */
#ifndef TACHO_ANALYZE_DIFF_WANDER_H
#define TACHO_ANALYZE_DIFF_WANDER_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/diff/statistics.h"

struct tacho__wander {
	double freedom;	     /* of the variances; 0: there are too few values */
	double variance;     /* of the medians of the eighths of a run */
	double log_variance; /* of their logarithms; NAN: not all are above 0 */
	double drift_p;	     /* that the run neither rises nor falls; 1 where it cannot be told */
};

/*
 * Of values in the order of time. The first eighth is left out where there are more than two, as it
 * holds the warming up. `room` is for as many values.
 */
void tacho__wander_measure(const double *values, size_t count, double *room,
			   struct tacho__wander *out_wander);

/* A side that is one run. */
struct tacho__lone {
	const struct tacho__wander *wander;
	double floor;  /* the least variance of its eighths that is believed */
	double effect; /* what runs of the program are taken to differ by: a standard deviation */
};

/*
 * The difference of two runs, each of which may be off by as much as its eighths are from each
 * other, and by its effect. `is_log`: of logarithms. Not known when an eighth is all there is.
 */
struct tacho__estimate tacho__wander_compare(double difference, const struct tacho__lone sides[2],
					     bool is_log);

#endif
