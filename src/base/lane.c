/* SPDX-License-Identifier: MIT */
#include "base/lane.h"

#include <stdlib.h>

#include "base/thread.h"

void tacho__lane_init(struct tacho__lane *lane, size_t item_bytes, size_t batch_items,
		      tacho__lane_fn fn, void *user)
{
	lane->item_bytes = item_bytes;
	lane->batch_items = batch_items;
	lane->fn = fn;
	lane->user = user;
	pthread_mutex_init(&lane->mutex, NULL);
	pthread_cond_init(&lane->is_put, NULL);
	pthread_cond_init(&lane->is_done, NULL);
}

static uint8_t *batch_at(const struct tacho__lane *lane, size_t index)
{
	return lane->items + index % TACHO__LANE_BATCHES * lane->batch_items * lane->item_bytes;
}

/* ---- the thread ---- */

/* The first batch that waits; its place is free when it is done. */
static void do_first(struct tacho__lane *lane)
{
	size_t first = lane->first;
	int rc = lane->rc;

	pthread_mutex_unlock(&lane->mutex);
	if (!rc)
		rc = lane->fn(lane->user, batch_at(lane, first),
			      lane->counts[first % TACHO__LANE_BATCHES]);
	pthread_mutex_lock(&lane->mutex);
	if (rc && !lane->rc)
		tacho__error_take(&lane->error, rc);
	lane->rc = rc;
	lane->first++;
	lane->waiting--;
	pthread_cond_signal(&lane->is_done);
}

static void *work(void *user)
{
	struct tacho__lane *lane = user;

	pthread_mutex_lock(&lane->mutex);
	for (;;) {
		while (!lane->waiting && !lane->is_over)
			pthread_cond_wait(&lane->is_put, &lane->mutex);
		if (lane->is_over)
			break;
		do_first(lane);
	}
	pthread_mutex_unlock(&lane->mutex);
	return NULL;
}

/* ---- who puts items ---- */

static void begin_batch(struct tacho__lane *lane, size_t index)
{
	lane->next = batch_at(lane, index);
	lane->end = lane->next + lane->batch_items * lane->item_bytes;
}

/* Until no more than so many batches are left. */
static int wait_until(struct tacho__lane *lane, size_t most)
{
	while (lane->waiting > most)
		pthread_cond_wait(&lane->is_done, &lane->mutex);
	return lane->rc ? tacho__error_give(&lane->error) : 0;
}

/* Gives the batch to the thread, and goes on with the next place. */
static int give(struct tacho__lane *lane, size_t count, size_t most)
{
	size_t next;
	int rc;

	pthread_mutex_lock(&lane->mutex);
	next = lane->first + lane->waiting;
	if (count) {
		lane->counts[next++ % TACHO__LANE_BATCHES] = count;
		lane->waiting++;
		pthread_cond_signal(&lane->is_put);
	}
	rc = wait_until(lane, most);
	pthread_mutex_unlock(&lane->mutex);
	begin_batch(lane, next);
	return rc;
}

static int do_here(struct tacho__lane *lane, size_t count)
{
	if (!lane->rc && count)
		lane->rc = lane->fn(lane->user, batch_at(lane, 0), count);
	begin_batch(lane, 0);
	return lane->rc;
}

static size_t count_put(const struct tacho__lane *lane)
{
	return lane->batch_items - (size_t)(lane->end - lane->next) / lane->item_bytes;
}

int tacho__lane_turn(struct tacho__lane *lane)
{
	if (!lane->items) {
		lane->items = calloc(TACHO__LANE_BATCHES * lane->batch_items, lane->item_bytes);
		if (!lane->items)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu items",
					   TACHO__LANE_BATCHES * lane->batch_items);
		begin_batch(lane, 0);
		return 0;
	}
	if (!lane->was_tried) {
		lane->was_tried = true;
		lane->has_thread =
			tacho__thread_may_help() && !tacho__thread_start(&lane->thread, work, lane);
	}
	return lane->has_thread ? give(lane, count_put(lane), TACHO__LANE_BATCHES - 1)
				: do_here(lane, count_put(lane));
}

int tacho__lane_wait(struct tacho__lane *lane)
{
	if (!lane->items)
		return 0;
	return lane->has_thread ? give(lane, count_put(lane), 0) : do_here(lane, count_put(lane));
}

void tacho__lane_finish(struct tacho__lane *lane)
{
	if (!lane->fn)
		return;
	if (lane->has_thread) {
		pthread_mutex_lock(&lane->mutex);
		lane->is_over = true;
		pthread_cond_signal(&lane->is_put);
		pthread_mutex_unlock(&lane->mutex);
		pthread_join(lane->thread, NULL);
	}
	pthread_cond_destroy(&lane->is_done);
	pthread_cond_destroy(&lane->is_put);
	pthread_mutex_destroy(&lane->mutex);
	free(lane->items);
	lane->fn = NULL;
}
