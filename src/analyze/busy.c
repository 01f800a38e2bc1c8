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

/* Puts one in front of the first of what is joined already, or into it. */
static struct tacho__interval *join_front(struct tacho__interval *first,
					  const struct tacho__interval *end,
					  struct tacho__interval one)
{
	for (; first < end && first->start_ns <= one.end_ns; first++)
		if (first->end_ns > one.end_ns)
			one.end_ns = first->end_ns;
	*--first = one;
	return first;
}

/* From the last to the first: what lies before all of the others stays where it is. */
void tacho__intervals_join(struct tacho__interval *intervals, size_t *count,
			   const struct tacho__interval *others, size_t other_count)
{
	size_t left = *count;
	struct tacho__interval *const end = intervals + left + other_count, *first = end;

	while (other_count) {
		const struct tacho__interval *one = &others[other_count - 1];

		if (left && intervals[left - 1].start_ns >= one->start_ns)
			one = &intervals[--left];
		else
			other_count--;
		first = join_front(first, end, *one);
	}
	if (left && first < end && intervals[left - 1].end_ns >= first->start_ns)
		first = join_front(first, end, intervals[--left]);
	if (first < end)
		memmove(intervals + left, first, (size_t)(end - first) * sizeof(*first));
	*count = left + (size_t)(end - first);
}

/* Merges two that lie one behind the other, each in order. */
static void merge(struct tacho__interval *first, size_t count, size_t second_count)
{
	struct tacho__interval copy[TACHO__WAITING_MAX];
	const struct tacho__interval *second = first + count, *end = second + second_count;
	const struct tacho__interval *left = copy, *left_end = copy + count;

	if (first[count - 1].start_ns <= second->start_ns)
		return;
	memcpy(copy, first, count * sizeof(*first));
	while (left < left_end)
		*first++ = second < end && second->start_ns < left->start_ns ? *second++ : *left++;
}

/* They come from a few queues, each in its order: most of what is merged is in order already. */
static void sort(struct tacho__interval *all, size_t count)
{
	for (size_t width = 1; width < count; width *= 2)
		for (size_t i = 0; i + width < count; i += 2 * width)
			merge(all + i, width, count - i < 2 * width ? count - i - width : width);
}

void tacho__intervals_settle(struct tacho__interval *intervals, size_t *count,
			     struct tacho__waiting *waiting)
{
	if (!waiting->count)
		return;
	sort(waiting->all, waiting->count);
	tacho__intervals_join(intervals, count, waiting->all, waiting->count);
	waiting->count = 0;
}

int tacho__intervals_wait(struct tacho__interval **intervals, size_t *count, size_t *capacity,
			  struct tacho__waiting *waiting, struct tacho__interval interval)
{
	if (waiting->count == TACHO__WAITING_MAX)
		tacho__intervals_settle(*intervals, count, waiting);
	if (tacho__array_reserve(intervals, capacity, *count + waiting->count, sizeof(interval)))
		return TACHO_E_NOMEM;
	waiting->all[waiting->count].start_ns = interval.start_ns;
	waiting->all[waiting->count++].end_ns = interval.end_ns;
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

void tacho__busy_settle(struct tacho__busy *busy)
{
	tacho__intervals_settle(busy->intervals, &busy->count, &busy->waiting);
}

int tacho__busy_add(struct tacho__busy *busy, uint64_t start_ns, uint64_t end_ns)
{
	struct tacho__interval interval = {start_ns, end_ns};

	if (start_ns > end_ns)
		return 0;
	extend(busy, start_ns, end_ns);
	if (busy->count + busy->waiting.count >= TACHO__BUSY_INTERVALS_MAX)
		tacho__busy_settle(busy); /* how many there are is known only then */
	if (busy->count == TACHO__BUSY_INTERVALS_MAX)
		give_up_half(busy);
	if (start_ns < busy->horizon_ns) {
		uint64_t below = end_ns < busy->horizon_ns ? end_ns : busy->horizon_ns;

		busy->late_ns += below - start_ns;
		interval.start_ns = busy->horizon_ns;
	}
	if (interval.start_ns >= end_ns)
		return 0;
	return tacho__intervals_wait(&busy->intervals, &busy->count, &busy->capacity,
				     &busy->waiting, interval);
}

uint64_t tacho__busy_sum_ns(struct tacho__busy *busy)
{
	uint64_t sum = busy->given_up_ns;

	tacho__busy_settle(busy);
	for (size_t i = 0; i < busy->count; i++)
		sum += busy->intervals[i].end_ns - busy->intervals[i].start_ns;
	return sum;
}
