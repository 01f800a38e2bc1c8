/* SPDX-License-Identifier: MIT */
/*
 * Work that is done beside the work that finds out what there is to do. Items of one size are
 * gathered into batches; a thread of the lane's own does one batch while the next is gathered, all
 * in the order in which they were put. What it does is its own until tacho__lane_wait(): nobody
 * else looks at it before.
 *
 * The thread starts with the first full batch. Without another CPU, or when no thread starts,
 * batches are done at once where they are full: the same work in the same order.
 */
#ifndef TACHO_BASE_LANE_H
#define TACHO_BASE_LANE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Does `count` items that lie one behind the other. Not 0: nothing more is done. */
typedef int (*tacho__lane_fn)(void *user, const void *items, size_t count);

/* Batches that are gathered, wait or are done. */
enum { TACHO__LANE_BATCHES = 4 };

struct tacho__lane {
	/* Of the one who puts items. */
	uint8_t *next, *end; /* in the batch that is gathered */
	uint8_t *items;	     /* all batches; NULL: there was none yet */
	size_t item_bytes, batch_items;
	tacho__lane_fn fn;
	void *user;
	bool was_tried, has_thread;
	pthread_t thread;
	/* Of both. */
	pthread_mutex_t mutex;
	pthread_cond_t is_put, is_done;
	size_t counts[TACHO__LANE_BATCHES];
	size_t first, waiting; /* batches, with the one that is being done */
	bool is_over;
	int rc;
	struct tacho__carried_error error;
};

/* Of one that is all zero. Nothing is taken before the first item. */
void tacho__lane_init(struct tacho__lane *lane, size_t item_bytes, size_t batch_items,
		      tacho__lane_fn fn, void *user);
/* What was put and not waited for may be left undone. Also of one that is all zero. */
void tacho__lane_finish(struct tacho__lane *lane);

/* Hands over the batch that is full, or the first one. NOMEM, or what `fn` returned. */
int tacho__lane_turn(struct tacho__lane *lane);

/* Where the next item is to be written, at once. NULL: *out_rc says why not. */
static inline void *tacho__lane_put(struct tacho__lane *lane, int *out_rc)
{
	uint8_t *item;

	if (lane->next == lane->end && (*out_rc = tacho__lane_turn(lane)))
		return NULL;
	item = lane->next;
	lane->next += lane->item_bytes;
	return item;
}

/* All that was put is done, and may be looked at; more may be put. What `fn` returned. */
int tacho__lane_wait(struct tacho__lane *lane);

#endif
