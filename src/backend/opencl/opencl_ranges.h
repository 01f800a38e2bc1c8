/* SPDX-License-Identifier: MIT */
/*
 * The ranges of a collection on a queue: those that are open, and behind them, in the order of
 * ending, those that wait to be delivered. All functions but init and finish are for any thread.
 */
#ifndef TACHO_BACKEND_OPENCL_OPENCL_RANGES_H
#define TACHO_BACKEND_OPENCL_OPENCL_RANGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* What every range has, first in the struct that its collection makes of it. */
struct tacho__opencl_range {
	struct tacho__opencl_range *next;
	uint64_t key;
};

/* What a collection does with its ranges. Ranges are given as the struct that it makes of them. */
struct tacho__opencl_range_kind {
	size_t size; /* of that struct */
	/* Whether one that ended waits for the device no longer. */
	bool (*is_over)(void *collection, const void *range);
	/* One that is over. Not 0: with the error set. */
	int (*deliver)(void *collection, const void *range);
	/* Gives back to the driver what the range holds. */
	void (*release)(void *collection, void *range);
	/* Some are not over: the device may not have been told of their commands. */
	void (*flush)(void *collection);
};

struct tacho__opencl_ranges {
	struct tacho__opencl_range_kind kind;
	void *collection;
	pthread_mutex_t draining; /* one thread at a time looks at those that ended */
	pthread_mutex_t lock;	  /* of what follows */
	struct tacho__arena arena;
	struct tacho__opencl_range *free, *open;
	struct tacho__opencl_range *first, **last_link; /* ended, and not delivered */
};

/* `collection` is what the functions of the kind are given. */
void tacho__opencl_ranges_init(struct tacho__opencl_ranges *ranges,
			       const struct tacho__opencl_range_kind *kind, void *collection);
/* Releases all that is there, delivered or not. */
void tacho__opencl_ranges_finish(struct tacho__opencl_ranges *ranges);

/* Opens a range: zeroed, but for what is here. NULL with the error set: no memory. */
void *tacho__opencl_ranges_begin(struct tacho__opencl_ranges *ranges, uint64_t key);
/* An open range that did not come about is there no longer. */
void tacho__opencl_ranges_drop_open(struct tacho__opencl_ranges *ranges, uint64_t key);
/* From the open ranges to the end of those that ended. NULL: it is not open. */
void *tacho__opencl_ranges_end(struct tacho__opencl_ranges *ranges, uint64_t key);
/*
 * Delivers and releases what is over, in the order of ending. Waits for what is not: TIMEOUT, after
 * which those ranges are still there. Otherwise as the kind's deliver().
 */
int tacho__opencl_ranges_drain(struct tacho__opencl_ranges *ranges, uint64_t timeout_ns);

#endif
