/* SPDX-License-Identifier: MIT */
/*
 * The ranges of a collection on a queue: those that are open, and behind them, in the order of
 * ending, those that wait to be delivered. Any thread may begin and end ranges; one thread at a
 * time takes out those that ended.
 */
#ifndef TACHO_BACKEND_OPENCL_RANGES_H
#define TACHO_BACKEND_OPENCL_RANGES_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* What every range has, first in the struct that its collection makes of it. */
struct tacho__opencl_range {
	struct tacho__opencl_range *next;
	uint64_t key;
};

struct tacho__opencl_ranges {
	size_t size;	      /* of the collection's struct */
	pthread_mutex_t lock; /* of what follows */
	struct tacho__arena arena;
	struct tacho__opencl_range *free, *open;
	struct tacho__opencl_range *first, **last_link; /* ended, and not delivered */
};

void tacho__opencl_ranges_init(struct tacho__opencl_ranges *ranges, size_t size);
/* What ranges hold of the driver is the collection's to release before. */
void tacho__opencl_ranges_finish(struct tacho__opencl_ranges *ranges);

/* Opens a range: zeroed, but for what is here. NULL with the error set: no memory. */
void *tacho__opencl_ranges_begin(struct tacho__opencl_ranges *ranges, uint64_t key);
/* An open range that did not come about is there no longer. */
void tacho__opencl_ranges_drop_open(struct tacho__opencl_ranges *ranges, uint64_t key);
/* From the open ranges to the end of those that ended. NULL: it is not open. */
void *tacho__opencl_ranges_end(struct tacho__opencl_ranges *ranges, uint64_t key);
/* The one that ended first, which stays there; NULL: none. */
void *tacho__opencl_ranges_get_first(struct tacho__opencl_ranges *ranges);
/* It is there no longer; its memory is another range's. */
void tacho__opencl_ranges_drop_first(struct tacho__opencl_ranges *ranges);

#endif
