/* SPDX-License-Identifier: MIT */
#include "analyze/busy.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tacho/error.h"

void tacho__busy_finish(struct tacho__busy *busy)
{
	free(busy->intervals);
	memset(busy, 0, sizeof(*busy));
}

static void give_up_half(struct tacho__busy *busy)
{
	size_t half = busy->count / 2;

	for (size_t i = 0; i < half; i++)
		busy->given_up_ns += busy->intervals[i].end_ns - busy->intervals[i].start_ns;
	busy->horizon_ns = busy->intervals[half - 1].end_ns;
	busy->count -= half;
	memmove(busy->intervals, busy->intervals + half, busy->count * sizeof(*busy->intervals));
}

/* Between these two. */
static size_t search(const struct tacho__interval *intervals, size_t low, size_t high, uint64_t ns)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (intervals[middle].end_ns < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* It is `near` or before: in steps that double. */
static size_t find_before(const struct tacho__interval *intervals, size_t near, uint64_t ns)
{
	size_t low = 0, high = near, step = 1;

	while (step < high && intervals[near - step].end_ns >= ns) {
		high = near - step;
		step *= 2;
	}
	if (step <= near && intervals[near - step].end_ns < ns)
		low = near - step + 1;
	return search(intervals, low, high, ns);
}

size_t tacho__intervals_find(const struct tacho__interval *intervals, size_t count, uint64_t ns)
{
	return find_before(intervals, count, ns); /* time goes on: most is asked of the last */
}

size_t tacho__intervals_find_near(const struct tacho__interval *intervals, size_t count,
				  uint64_t ns, size_t near)
{
	size_t step = 1;

	if (near >= count || intervals[near].end_ns >= ns)
		return find_before(intervals, near < count ? near : count, ns);
	while (near + step < count && intervals[near + step].end_ns < ns) {
		near += step;
		step *= 2;
	}
	return search(intervals, near + 1, near + step < count ? near + step : count, ns);
}

int tacho__intervals_add(struct tacho__interval **intervals, size_t *count, size_t *capacity,
			 struct tacho__interval interval)
{
	size_t from = tacho__intervals_find(*intervals, *count, interval.start_ns), to;
	struct tacho__interval *all;

	if (tacho__array_reserve(intervals, capacity, *count, sizeof(interval)))
		return TACHO_E_NOMEM;
	all = *intervals;
	for (to = from; to < *count && all[to].start_ns <= interval.end_ns; to++) {
		if (all[to].start_ns < interval.start_ns)
			interval.start_ns = all[to].start_ns;
		if (all[to].end_ns > interval.end_ns)
			interval.end_ns = all[to].end_ns;
	}
	if (to != from + 1)
		memmove(all + from + 1, all + to, (*count - to) * sizeof(*all));
	all[from] = interval;
	*count = *count - (to - from) + 1;
	return 0;
}

static void extend(struct tacho__busy *busy, uint64_t start_ns, uint64_t end_ns)
{
	if (!busy->has_any || start_ns < busy->first_ns)
		busy->first_ns = start_ns;
	if (!busy->has_any || end_ns > busy->last_ns)
		busy->last_ns = end_ns;
	busy->has_any = true;
}

int tacho__busy_add(struct tacho__busy *busy, uint64_t start_ns, uint64_t end_ns)
{
	struct tacho__interval interval = {start_ns, end_ns};

	if (start_ns > end_ns)
		return 0;
	extend(busy, start_ns, end_ns);
	if (busy->count == TACHO__BUSY_INTERVALS_MAX)
		give_up_half(busy);
	if (start_ns < busy->horizon_ns) {
		uint64_t below = end_ns < busy->horizon_ns ? end_ns : busy->horizon_ns;

		busy->late_ns += below - start_ns;
		interval.start_ns = busy->horizon_ns;
	}
	if (interval.start_ns >= end_ns)
		return 0;
	return tacho__intervals_add(&busy->intervals, &busy->count, &busy->capacity, interval);
}

uint64_t tacho__busy_sum_ns(const struct tacho__busy *busy)
{
	uint64_t sum = busy->given_up_ns;

	for (size_t i = 0; i < busy->count; i++)
		sum += busy->intervals[i].end_ns - busy->intervals[i].start_ns;
	return sum;
}
