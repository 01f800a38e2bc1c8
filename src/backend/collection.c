/* SPDX-License-Identifier: MIT */
#include "backend/collection.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/cond.h"
#include "base/error.h"
#include "base/thread.h"

enum { SWEEP_NS = 50 * 1000 };

void *tacho__collection_create(size_t size, const struct tacho__collection_options *options)
{
	struct tacho__collection *collection = calloc(1, size);

	if (!collection) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a collection");
		return NULL;
	}
	collection->options = options;
	collection->ended_link = &collection->ended;
	pthread_mutex_init(&collection->draining, NULL);
	pthread_mutex_init(&collection->lock, NULL);
	tacho__cond_init(&collection->changed);
	return collection;
}

void tacho__collection_destroy(struct tacho__collection *collection)
{
	tacho__arena_finish(&collection->arena);
	pthread_cond_destroy(&collection->changed);
	pthread_mutex_destroy(&collection->lock);
	pthread_mutex_destroy(&collection->draining);
	free(collection);
}

int tacho__collection_begin_pass(struct tacho__collection *collection, uint32_t pass)
{
	collection->pass = pass;
	return 0;
}

int tacho__collection_end_pass(struct tacho__collection *collection)
{
	return 0;
}

int tacho__collection_deliver(const struct tacho__collection *collection,
			      const struct tacho__batch *batch)
{
	const struct tacho__sink *sink = collection->options->sink;

	return sink->deliver(sink->user, batch);
}

uint64_t tacho__collection_find_key(const struct tacho__collection *collection, uint64_t range)
{
	const struct tacho__sink *sink = collection->options->sink;

	return sink->find_key ? sink->find_key(sink->user, range) : range;
}

int tacho__collection_fail(struct tacho__collection *collection, int code)
{
	const struct tacho__sink *sink = collection->options->sink;
	const struct tacho_error_detail *detail = tacho_error_last();
	bool is_first;

	pthread_mutex_lock(&collection->lock);
	is_first = !collection->has_failed;
	collection->has_failed = true;
	pthread_cond_broadcast(&collection->changed);
	pthread_mutex_unlock(&collection->lock);
	if (is_first)
		sink->fail(sink->user, code, detail->cause, detail->cure);
	return code;
}

int tacho__collection_start_thread(struct tacho__collection *collection, void *(*run)(void *user),
				   pthread_t *out_thread)
{
	int error = tacho__thread_start(out_thread, run, collection);

	if (!error)
		return 0;
	return tacho__fail_errno(TACHO_E_NOMEM, error, "allow more threads: ulimit -u",
				 "no thread to read counters");
}

/* ---- rows ---- */

struct tacho__rows *tacho__rows_create(const struct tacho_plan_pass *pass, size_t row_max)
{
	size_t count = pass->counter_count, cell_count = count * row_max;
	struct tacho__rows *rows = calloc(
		1, sizeof(*rows) + count * sizeof(*rows->columns) +
			   cell_count * (sizeof(*rows->values) + sizeof(*rows->coverage) + 1));

	if (!rows) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for rows");
		return NULL;
	}
	rows->counter_count = count;
	rows->row_max = row_max;
	rows->columns = (struct tacho_column *)(rows + 1);
	rows->values = (uint64_t *)(rows->columns + count);
	rows->coverage = (double *)(rows->values + cell_count);
	rows->states = (uint8_t *)(rows->coverage + cell_count);
	memset(rows->states, TACHO_STATE_ABSENT, cell_count);
	for (size_t i = 0; i < count; i++)
		rows->columns[i] = (struct tacho_column){.type = pass->counters[i].entry->type,
							 .instance_count = 1,
							 .data.u64 = rows->values + i * row_max,
							 .states = rows->states + i * row_max};
	return rows;
}

void tacho__rows_put(struct tacho__rows *rows, size_t counter, size_t row, uint64_t whole,
		     double real, uint8_t state)
{
	size_t cell = counter * rows->row_max + row;

	if (rows->columns[counter].type == TACHO_TYPE_F64)
		memcpy(&rows->values[cell], &real, sizeof(real));
	else
		rows->values[cell] = whole;
	rows->states[cell] = state;
}

/* ---- ranges ---- */

/* Under the lock. */
static struct tacho__device_range *take(struct tacho__device_range **list, uint64_t key)
{
	struct tacho__device_range *range;

	while (*list && (*list)->key != key)
		list = &(*list)->next;
	range = *list;
	if (range)
		*list = range->next;
	return range;
}

static void push(struct tacho__device_range **list, struct tacho__device_range *range)
{
	range->next = *list;
	*list = range;
}

void *tacho__collection_begin_range(struct tacho__collection *collection, uint64_t key)
{
	struct tacho__device_range *range;

	pthread_mutex_lock(&collection->lock);
	range = collection->free;
	if (range)
		collection->free = range->next;
	else
		range = tacho__arena_get(&collection->arena, collection->range_size);
	if (range) {
		memset(range, 0, collection->range_size);
		range->key = key;
		push(&collection->open, range);
	}
	pthread_mutex_unlock(&collection->lock);
	return range;
}

void tacho__collection_drop_range(struct tacho__collection *collection,
				  struct tacho__device_range *range)
{
	pthread_mutex_lock(&collection->lock);
	push(&collection->free, take(&collection->open, range->key));
	pthread_mutex_unlock(&collection->lock);
}

void *tacho__collection_find_range(struct tacho__collection *collection, uint64_t key)
{
	struct tacho__device_range *range;

	pthread_mutex_lock(&collection->lock);
	for (range = collection->open; range && range->key != key; range = range->next)
		;
	pthread_mutex_unlock(&collection->lock);
	if (!range)
		tacho__fail(TACHO_E_INVAL, "", "", "a range ends that did not begin");
	return range;
}

void *tacho__collection_end_range(struct tacho__collection *collection, uint64_t key)
{
	struct tacho__device_range *range;

	pthread_mutex_lock(&collection->lock);
	range = take(&collection->open, key);
	if (range) {
		range->next = NULL;
		*collection->ended_link = range;
		collection->ended_link = &range->next;
	}
	pthread_mutex_unlock(&collection->lock);
	if (!range)
		tacho__fail(TACHO_E_INVAL, "", "", "a range ends that did not begin");
	return range;
}

void *tacho__collection_get_ended(struct tacho__collection *collection)
{
	struct tacho__device_range *range;

	pthread_mutex_lock(&collection->lock);
	range = collection->ended;
	pthread_mutex_unlock(&collection->lock);
	return range;
}

void tacho__collection_drop_ended(struct tacho__collection *collection)
{
	struct tacho__device_range *range;

	pthread_mutex_lock(&collection->lock);
	range = collection->ended;
	collection->ended = range->next;
	if (!collection->ended)
		collection->ended_link = &collection->ended;
	push(&collection->free, range);
	pthread_cond_broadcast(&collection->changed);
	pthread_mutex_unlock(&collection->lock);
}

void tacho__collection_clear(struct tacho__collection *collection,
			     void (*release)(struct tacho__collection *collection,
					     struct tacho__device_range *range))
{
	struct tacho__device_range *range;

	while ((range = collection->open)) {
		if (release)
			release(collection, range);
		tacho__collection_drop_range(collection, range);
	}
	while ((range = collection->ended)) {
		if (release)
			release(collection, range);
		tacho__collection_drop_ended(collection);
	}
}

int tacho__collection_sweep(struct tacho__collection *collection, const struct tacho__sweep *how,
			    uint64_t timeout_ns)
{
	uint64_t begin_ns = tacho__clock_monotonic_ns();
	bool waits = false;
	int rc;

	pthread_mutex_lock(&collection->draining);
	rc = how->sweep(collection, &waits);
	if (!rc && waits)
		how->flush(collection);
	while (!rc && waits && tacho__clock_monotonic_ns() - begin_ns < timeout_ns) {
		nanosleep(&(struct timespec){.tv_nsec = SWEEP_NS}, NULL);
		waits = false;
		rc = how->sweep(collection, &waits);
	}
	pthread_mutex_unlock(&collection->draining);
	if (!rc && waits)
		rc = tacho__fail(TACHO_E_TIMEOUT, how->cause, how->cure,
				 "the values are not there yet");
	return rc;
}
