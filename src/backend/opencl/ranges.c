/* SPDX-License-Identifier: MIT */
#include "backend/opencl/ranges.h"

#include <string.h>

void tacho__opencl_ranges_init(struct tacho__opencl_ranges *ranges, size_t size)
{
	*ranges = (struct tacho__opencl_ranges){.size = size};
	ranges->last_link = &ranges->first;
	pthread_mutex_init(&ranges->lock, NULL);
}

void tacho__opencl_ranges_finish(struct tacho__opencl_ranges *ranges)
{
	tacho__arena_finish(&ranges->arena);
	pthread_mutex_destroy(&ranges->lock);
}

void *tacho__opencl_ranges_begin(struct tacho__opencl_ranges *ranges, uint64_t key)
{
	struct tacho__opencl_range *range;

	pthread_mutex_lock(&ranges->lock);
	range = ranges->free;
	if (range)
		ranges->free = range->next;
	else
		range = tacho__arena_get(&ranges->arena, ranges->size);
	if (range) {
		memset(range, 0, ranges->size);
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

void *tacho__opencl_ranges_get_first(struct tacho__opencl_ranges *ranges)
{
	struct tacho__opencl_range *range;

	pthread_mutex_lock(&ranges->lock);
	range = ranges->first;
	pthread_mutex_unlock(&ranges->lock);
	return range;
}

void tacho__opencl_ranges_drop_first(struct tacho__opencl_ranges *ranges)
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
