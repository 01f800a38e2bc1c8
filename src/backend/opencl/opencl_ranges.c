/* SPDX-License-Identifier: MIT */
#include "backend/opencl/opencl_ranges.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"

enum { POLL_NS = 50 * 1000 };

void tacho__opencl_ranges_init(struct tacho__opencl_ranges *ranges,
			       const struct tacho__opencl_range_kind *kind, void *collection)
{
	*ranges = (struct tacho__opencl_ranges){.kind = *kind, .collection = collection};
	ranges->last_link = &ranges->first;
	pthread_mutex_init(&ranges->draining, NULL);
	pthread_mutex_init(&ranges->lock, NULL);
}

static void release_all(struct tacho__opencl_ranges *ranges, struct tacho__opencl_range *range)
{
	for (; range; range = range->next)
		ranges->kind.release(ranges->collection, range);
}

void tacho__opencl_ranges_finish(struct tacho__opencl_ranges *ranges)
{
	release_all(ranges, ranges->open);
	release_all(ranges, ranges->first);
	tacho__arena_finish(&ranges->arena);
	pthread_mutex_destroy(&ranges->lock);
	pthread_mutex_destroy(&ranges->draining);
}

void *tacho__opencl_ranges_begin(struct tacho__opencl_ranges *ranges, uint64_t key)
{
	struct tacho__opencl_range *range;

	pthread_mutex_lock(&ranges->lock);
	range = ranges->free;
	if (range)
		ranges->free = range->next;
	else
		range = tacho__arena_get(&ranges->arena, ranges->kind.size);
	if (range) {
		memset(range, 0, ranges->kind.size);
		range->key = key;
		range->next = ranges->open;
		ranges->open = range;
	}
	pthread_mutex_unlock(&ranges->lock);
	return range;
}

/* Takes an open range out of its list; NULL: it is not there. Under the lock. */
static struct tacho__opencl_range *take_open(struct tacho__opencl_ranges *ranges, uint64_t key)
{
	struct tacho__opencl_range **link = &ranges->open, *range;

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	range = *link;
	if (range)
		*link = range->next;
	return range;
}

static void put_free(struct tacho__opencl_ranges *ranges, struct tacho__opencl_range *range)
{
	range->next = ranges->free;
	ranges->free = range;
}

void tacho__opencl_ranges_drop_open(struct tacho__opencl_ranges *ranges, uint64_t key)
{
	struct tacho__opencl_range *range;

	pthread_mutex_lock(&ranges->lock);
	range = take_open(ranges, key);
	if (range)
		put_free(ranges, range);
	pthread_mutex_unlock(&ranges->lock);
}

void *tacho__opencl_ranges_end(struct tacho__opencl_ranges *ranges, uint64_t key)
{
	struct tacho__opencl_range *range;

	pthread_mutex_lock(&ranges->lock);
	range = take_open(ranges, key);
	if (range) {
		range->next = NULL;
		*ranges->last_link = range;
		ranges->last_link = &range->next;
	}
	pthread_mutex_unlock(&ranges->lock);
	return range;
}

/* The one that ended first, which stays there; NULL: none. */
static struct tacho__opencl_range *get_first(struct tacho__opencl_ranges *ranges)
{
	struct tacho__opencl_range *range;

	pthread_mutex_lock(&ranges->lock);
	range = ranges->first;
	pthread_mutex_unlock(&ranges->lock);
	return range;
}

/* It is there no longer; its memory is another range's. */
static void drop_first(struct tacho__opencl_ranges *ranges)
{
	struct tacho__opencl_range *range;

	pthread_mutex_lock(&ranges->lock);
	range = ranges->first;
	ranges->first = range->next;
	if (!ranges->first)
		ranges->last_link = &ranges->first;
	put_free(ranges, range);
	pthread_mutex_unlock(&ranges->lock);
}

/* Delivers what is done, up to one that is not: *out_waits. */
static int sweep(struct tacho__opencl_ranges *ranges, bool *out_waits)
{
	const struct tacho__opencl_range_kind *kind = &ranges->kind;
	struct tacho__opencl_range *range;
	int rc = 0;

	*out_waits = false;
	while (!rc && (range = get_first(ranges))) {
		*out_waits = !kind->is_over(ranges->collection, range);
		if (*out_waits)
			return 0;
		rc = kind->deliver(ranges->collection, range);
		kind->release(ranges->collection, range);
		drop_first(ranges);
	}
	return rc;
}

int tacho__opencl_ranges_drain(struct tacho__opencl_ranges *ranges, uint64_t timeout_ns)
{
	uint64_t begin_ns = tacho__clock_raw_ns();
	bool waits;
	int rc;

	pthread_mutex_lock(&ranges->draining);
	rc = sweep(ranges, &waits);
	if (!rc && waits)
		ranges->kind.flush(ranges->collection);
	while (!rc && waits && tacho__clock_raw_ns() - begin_ns < timeout_ns) {
		nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
		rc = sweep(ranges, &waits);
	}
	pthread_mutex_unlock(&ranges->draining);
	if (!rc && waits)
		rc = tacho__fail(TACHO_E_TIMEOUT, "the queue has not come to the range's end",
				 "wait longer", "the values are not there yet");
	return rc;
}
