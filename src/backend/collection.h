/* SPDX-License-Identifier: MIT */
/* What the collections of backends have in common: options, a lock, ranges, the sink. */
#ifndef TACHO_BACKEND_COLLECTION_H
#define TACHO_BACKEND_COLLECTION_H

#include <pthread.h>
#include <stdbool.h>

#include "backend/backend.h"
#include "base/arena.h"

/* A range: every backend's own struct has it first, and calls it `base`. */
struct tacho__device_range {
	struct tacho__device_range *next;
	uint64_t key;
};

/* A collection: the same. */
struct tacho__collection {
	const struct tacho__collection_options *options;
	uint32_t pass;		  /* of tacho__collection_begin_pass() */
	size_t range_size;	  /* of the backend's struct; set before the first range begins */
	pthread_mutex_t draining; /* one thread at a time looks at the ranges that ended */
	pthread_mutex_t lock;	  /* of what follows, and of what else a backend says */
	pthread_cond_t changed;	  /* of tacho__cond_init() */
	bool has_failed;
	struct tacho__arena arena; /* of ranges */
	struct tacho__device_range *free;
	struct tacho__device_range *open;		 /* the last one first */
	struct tacho__device_range *ended, **ended_link; /* not delivered; the first one first */
};

/* Zeroed, of `size` bytes, with the base ready. NULL with the error set: no memory. */
void *tacho__collection_create(size_t size, const struct tacho__collection_options *options);
void tacho__collection_destroy(struct tacho__collection *collection);

/* begin_pass() and end_pass() where there is nothing to program. */
int tacho__collection_begin_pass(struct tacho__collection *collection, uint32_t pass);
int tacho__collection_end_pass(struct tacho__collection *collection);

/* All functions from here on are for any thread. */
int tacho__collection_deliver(const struct tacho__collection *collection,
			      const struct tacho__batch *batch);
/* What the sink says of a range that the program names. */
uint64_t tacho__collection_find_key(const struct tacho__collection *collection, uint64_t range);
/*
 * It cannot go on: the sink is told so once, with the calling thread's last error, and waiting
 * threads are woken. Returns `code`.
 */
int tacho__collection_fail(struct tacho__collection *collection, int code);
/* Starts a thread of the backend, on which no signal of the program arrives. NOMEM. */
int tacho__collection_start_thread(struct tacho__collection *collection, void *(*run)(void *user),
				   pthread_t *out_thread);

/* Rows that a backend fills: a value for each counter of a pass, 8 bytes each, and its state. */
struct tacho__rows {
	size_t counter_count, row_max;
	struct tacho_column *columns; /* of the counters, with what follows, for a batch */
	uint64_t *values;	      /* [counter][row]; reals as their bits */
	double *coverage;	      /* the same; not in columns until the backend says so */
	uint8_t *states;	      /* the same; absent at first */
};

/* In one piece: free(). NULL with the error set: no memory. */
struct tacho__rows *tacho__rows_create(const struct tacho_plan_pass *pass, size_t row_max);
/* Sets a value, of which the number that the counter's type has is taken. */
void tacho__rows_put(struct tacho__rows *rows, size_t counter, size_t row, uint64_t whole,
		     double real, uint8_t state);

/* Opens a range: zeroed but for its key. NULL with the error set: no memory. */
void *tacho__collection_begin_range(struct tacho__collection *collection, uint64_t key);
/* An open range, which stays open. NULL with the error set: it is not open. */
void *tacho__collection_find_range(struct tacho__collection *collection, uint64_t key);
/* From the open ranges to the ended ones. NULL with the error set: it is not open. */
void *tacho__collection_end_range(struct tacho__collection *collection, uint64_t key);
/* An open range is there no longer, nor its memory. */
void tacho__collection_drop_range(struct tacho__collection *collection,
				  struct tacho__device_range *range);
/* The range that ended first, which stays there; NULL: none. For the thread that delivers. */
void *tacho__collection_get_ended(struct tacho__collection *collection);
/* It was delivered: it is there no longer, and waiting threads are woken. */
void tacho__collection_drop_ended(struct tacho__collection *collection);
/* Drops all ranges; before, `release` gives back what each holds (NULL: nothing). */
void tacho__collection_clear(struct tacho__collection *collection,
			     void (*release)(struct tacho__collection *collection,
					     struct tacho__device_range *range));

/* How values are found that no thread waits for. */
struct tacho__sweep {
	/* Delivers what is ready. *out_waits, false before: there is more, and not ready. */
	int (*sweep)(struct tacho__collection *collection, bool *out_waits);
	/* The device may not have been told of the work that is waited for. */
	void (*flush)(struct tacho__collection *collection);
	const char *cause, *cure; /* of a TIMEOUT */
};

/* drain() by sweeping again and again. */
int tacho__collection_sweep(struct tacho__collection *collection, const struct tacho__sweep *how,
			    uint64_t timeout_ns);

#endif
