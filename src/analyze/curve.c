/* SPDX-License-Identifier: MIT */
#include "analyze/curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static int fail(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for how long something was busy");
}

int tacho__curve_init(struct tacho__curve *curve, uint64_t origin_ns)
{
	curve->points = calloc(TACHO__CURVE_POINTS + 1, sizeof(*curve->points));
	if (!curve->points)
		return fail();
	curve->origin_ns = curve->horizon_ns = origin_ns;
	return 0;
}

void tacho__curve_finish(struct tacho__curve *curve)
{
	free(curve->intervals);
	free(curve->aside);
	free(curve->before);
	free(curve->points);
	memset(curve, 0, sizeof(*curve));
}

/* At least half of the gaps are not longer than twice the average: these are closed. */
static void join_short_gaps(struct tacho__curve *curve)
{
	struct tacho__interval *all = curve->intervals;
	uint64_t gaps_ns = 0, longest_ns;
	size_t kept = 0;

	for (size_t i = 1; i < curve->count; i++)
		gaps_ns += all[i].start_ns - all[i - 1].end_ns;
	longest_ns = 2 * (gaps_ns / (curve->count - 1) + 1);
	for (size_t i = 1; i < curve->count; i++) {
		uint64_t gap_ns = all[i].start_ns - all[kept].end_ns;

		if (gap_ns <= longest_ns) {
			curve->joined_ns += gap_ns;
			all[kept].end_ns = all[i].end_ns;
		} else {
			all[++kept] = all[i];
		}
	}
	curve->count = kept + 1;
}

/* Leaves what counts of an interval: that behind the horizon. False: nothing. */
static bool clip(struct tacho__curve *curve, struct tacho__interval *interval)
{
	if (interval->start_ns < curve->origin_ns)
		interval->start_ns = curve->origin_ns;
	if (interval->start_ns >= interval->end_ns)
		return false;
	if (interval->start_ns < curve->horizon_ns) {
		uint64_t below_ns =
			interval->end_ns < curve->horizon_ns ? interval->end_ns : curve->horizon_ns;

		curve->late_ns += below_ns - interval->start_ns;
		interval->start_ns = below_ns;
	}
	return interval->start_ns < interval->end_ns;
}

static void settle_waiting(struct tacho__curve *curve)
{
	tacho__intervals_settle(curve->intervals, &curve->count, &curve->waiting);
}

static int add(struct tacho__curve *curve, struct tacho__interval interval)
{
	if (curve->count + curve->waiting.count >= TACHO__CURVE_INTERVALS_MAX)
		settle_waiting(curve); /* how many there are is known only then */
	if (curve->count == TACHO__CURVE_INTERVALS_MAX)
		join_short_gaps(curve);
	return tacho__intervals_wait(&curve->intervals, &curve->count, &curve->capacity,
				     &curve->waiting, interval)
		       ? fail()
		       : 0;
}

int tacho__curve_add(struct tacho__curve *curve, uint64_t start_ns, uint64_t end_ns)
{
	struct tacho__interval interval = {start_ns, end_ns};

	return clip(curve, &interval) ? add(curve, interval) : 0;
}

int tacho__curve_append(struct tacho__curve *curve, uint64_t start_ns, uint64_t end_ns)
{
	struct tacho__interval interval = {start_ns, end_ns}, *aside = curve->aside;
	size_t count = curve->aside_count;

	if (!clip(curve, &interval))
		return 0;
	if (count && aside[count - 1].end_ns > end_ns)
		return add(curve, interval); /* it is out of order */
	for (; count && aside[count - 1].end_ns >= interval.start_ns; count--)
		if (aside[count - 1].start_ns < interval.start_ns)
			interval.start_ns = aside[count - 1].start_ns;
	curve->aside_count = count;
	if (tacho__array_reserve(&curve->aside, &curve->aside_capacity, count, sizeof(interval)))
		return fail();
	curve->aside[count].start_ns = interval.start_ns;
	curve->aside[count].end_ns = interval.end_ns;
	curve->aside_count++;
	return 0;
}

/* Joins what was put aside with the others. */
static int join_aside(struct tacho__curve *curve)
{
	size_t all = curve->count + curve->aside_count;
	struct tacho__interval *intervals;

	if (!curve->aside_count)
		return 0;
	if (all > curve->capacity) {
		intervals = realloc(curve->intervals, 2 * all * sizeof(*intervals));
		if (!intervals)
			return fail();
		curve->intervals = intervals;
		curve->capacity = 2 * all;
	}
	tacho__intervals_join(curve->intervals, &curve->count, curve->aside, curve->aside_count);
	curve->aside_count = 0;
	while (curve->count > TACHO__CURVE_INTERVALS_MAX)
		join_short_gaps(curve);
	return 0;
}

static int sum_up(struct tacho__curve *curve)
{
	uint64_t sum_ns = 0, *before;

	if (curve->before_capacity < curve->count) {
		before = realloc(curve->before, curve->capacity * sizeof(*before));
		if (!before)
			return fail();
		curve->before = before;
		curve->before_capacity = curve->capacity;
	}
	for (size_t i = 0; i < curve->count; i++) {
		curve->before[i] = sum_ns;
		sum_ns += curve->intervals[i].end_ns - curve->intervals[i].start_ns;
	}
	curve->near_index = 0;
	curve->near = (struct tacho__curve_span){.from_ns = UINT64_MAX}; /* of none yet */
	return 0;
}

int tacho__curve_settle(struct tacho__curve *curve)
{
	int rc;

	settle_waiting(curve);
	rc = join_aside(curve);
	return rc ? rc : sum_up(curve);
}

/* What is known between the end of the interval before and that of this one. */
static struct tacho__curve_span find_span(const struct tacho__curve *curve, size_t i)
{
	const struct tacho__interval *all = curve->intervals;
	struct tacho__curve_span span = {.from_ns = i ? all[i - 1].end_ns + 1 : curve->horizon_ns,
					 .until_ns = UINT64_MAX,
					 .start_ns = UINT64_MAX,
					 .sum_ns = curve->horizon_sum_ns};

	if (i < curve->count) {
		span.until_ns = all[i].end_ns;
		span.start_ns = all[i].start_ns;
		span.sum_ns += curve->before[i];
	} else if (i) {
		span.sum_ns += curve->before[i - 1] + (all[i - 1].end_ns - all[i - 1].start_ns);
	}
	return span;
}

/* Behind the horizon. */
static uint64_t at(struct tacho__curve *curve, uint64_t ns)
{
	size_t i =
		tacho__intervals_find_near(curve->intervals, curve->count, ns, curve->near_index);

	curve->near_index = i;
	curve->near = find_span(curve, i);
	return curve->near.sum_ns + (ns > curve->near.start_ns ? ns - curve->near.start_ns : 0);
}

uint64_t tacho__curve_search(struct tacho__curve *curve, uint64_t ns, uint64_t *doubt_ns)
{
	uint64_t point, from_ns, until_ns, low_ns, high_ns, busy_ns, least_ns, most_ns;

	if (ns <= curve->origin_ns)
		return 0;
	if (ns >= curve->horizon_ns)
		return at(curve, ns);
	point = (ns - curve->origin_ns) >> curve->shift;
	from_ns = curve->origin_ns + (point << curve->shift);
	until_ns = from_ns + (UINT64_C(1) << curve->shift);
	low_ns = curve->points[point];
	high_ns = curve->points[point + 1];
	if (until_ns > curve->horizon_ns) {
		until_ns = curve->horizon_ns;
		high_ns = curve->horizon_sum_ns;
	}
	/* as if it had been busy evenly; it was not for sure more than this, nor less */
	busy_ns = high_ns - low_ns;
	most_ns = busy_ns < ns - from_ns ? busy_ns : ns - from_ns;
	least_ns = busy_ns > until_ns - ns ? busy_ns - (until_ns - ns) : 0;
	*doubt_ns += most_ns - least_ns;
	return low_ns +
	       (uint64_t)((double)busy_ns * (double)(ns - from_ns) / (double)(until_ns - from_ns));
}

/* Makes room for points up to there: every other one stays. */
static void spread_points(struct tacho__curve *curve, uint64_t ns)
{
	while ((ns - curve->origin_ns) >> curve->shift >= TACHO__CURVE_POINTS) {
		for (size_t i = 0; i <= TACHO__CURVE_POINTS / 2; i++)
			curve->points[i] = curve->points[2 * i];
		curve->shift++;
	}
}

void tacho__curve_forget(struct tacho__curve *curve, uint64_t ns)
{
	uint64_t sum_ns, point;
	size_t gone;

	if (ns <= curve->horizon_ns)
		return;
	sum_ns = at(curve, ns);
	spread_points(curve, ns);
	point = ((curve->horizon_ns - curve->origin_ns) >> curve->shift) + 1;
	for (; point <= (ns - curve->origin_ns) >> curve->shift; point++)
		curve->points[point] = at(curve, curve->origin_ns + (point << curve->shift));
	gone = tacho__intervals_find(curve->intervals, curve->count, ns);
	curve->count -= gone;
	if (curve->count)
		memmove(curve->intervals, curve->intervals + gone,
			curve->count * sizeof(*curve->intervals));
	if (curve->count && curve->intervals[0].start_ns < ns)
		curve->intervals[0].start_ns = ns;
	curve->horizon_sum_ns = sum_ns;
	curve->horizon_ns = ns;
	(void)sum_up(curve); /* there are no more than before: no memory is needed */
}
