/* SPDX-License-Identifier: MIT */
/*
 * Memory for windows: there before a program may touch it, so that no store finds the file system
 * full, and given back when it is not needed for long.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <string.h>

#include "base/clock.h"
#include "record/keeper/keeper_private.h"

#define IDLE_NS UINT64_C(10000000000)

enum {
	READY_MIN = 256, /* free windows, 4 MiB */
	GROW_MAX = 1024, /* at a time */
	AHEAD = 4,	 /* times what was used between two looks */
};

static uint64_t offset_of(const struct keeper *k, uint32_t window)
{
	return k->pool->window_offset + (uint64_t)window * TACHO__POOL_WINDOW_BYTES;
}

/* Memory for `count` windows from `first`. False when there is none. */
static bool allocate(struct keeper *k, uint32_t first, uint32_t count)
{
	int rc;

	do
		rc = fallocate(k->pool_fd, 0, (off_t)offset_of(k, first),
			       (off_t)count * TACHO__POOL_WINDOW_BYTES);
	while (rc && errno == EINTR);
	return !rc;
}

static void publish(struct keeper *k, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++)
		atomic_store_explicit(&k->pool->windows[i], TACHO__POOL_FREE, memory_order_release);
	if (atomic_load(&k->pool->ready) < first + count)
		atomic_store_explicit(&k->pool->ready, first + count, memory_order_release);
	atomic_fetch_add(&k->pool->freed, 1);
	k->free_windows += count;
}

/* More windows, first where some were given back. Stops for good where memory ends. */
static void grow(struct keeper *k, uint32_t wanted)
{
	uint32_t ready = atomic_load(&k->pool->ready);

	for (uint32_t i = 0; i < ready && wanted; i++) {
		if (atomic_load(&k->pool->windows[i]) != TACHO__POOL_ABSENT)
			continue;
		if (!allocate(k, i, 1))
			return;
		publish(k, i, 1);
		wanted--;
	}
	if (wanted > k->window_limit - ready)
		wanted = k->window_limit - ready;
	if (wanted && allocate(k, ready, wanted))
		publish(k, ready, wanted);
	else if (wanted)
		k->window_limit = ready;
}

/* Windows beyond the first ones that nobody has needed for long. */
static void shrink(struct keeper *k)
{
	uint32_t ready = atomic_load(&k->pool->ready);

	for (uint32_t i = READY_MIN; i < ready; i++) {
		unsigned state = TACHO__POOL_FREE;

		if (atomic_compare_exchange_strong(&k->pool->windows[i], &state,
						   TACHO__POOL_ABSENT))
			fallocate(k->pool_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				  (off_t)offset_of(k, i), TACHO__POOL_WINDOW_BYTES);
	}
}

static uint32_t count_free(const struct keeper *k)
{
	uint32_t ready = atomic_load(&k->pool->ready), count = 0;

	for (uint32_t i = 0; i < ready; i++)
		count += atomic_load_explicit(&k->pool->windows[i], memory_order_relaxed) ==
			 TACHO__POOL_FREE;
	return count;
}

void tacho__keeper_ready_windows(struct keeper *k)
{
	bool is_pressed = atomic_exchange(&k->pool->pressure, 0);
	uint32_t before = k->free_windows, used, wanted = READY_MIN;
	uint64_t now_ns = tacho__clock_raw_ns();

	k->free_windows = count_free(k);
	used = before > k->free_windows ? before - k->free_windows : 0;
	k->used_windows = used;
	if (used * AHEAD > wanted)
		wanted = used * AHEAD;
	if (is_pressed)
		wanted += GROW_MAX;
	if (used * AHEAD > READY_MIN || is_pressed)
		k->needed_ns = now_ns;
	if (k->free_windows < wanted)
		grow(k, wanted - k->free_windows < GROW_MAX ? wanted - k->free_windows : GROW_MAX);
	else if (now_ns - k->needed_ns > IDLE_NS && k->free_windows > 2 * READY_MIN) {
		shrink(k);
		k->needed_ns = now_ns;
		k->free_windows = count_free(k);
	}
	/* Without room in the files nothing becomes free: threads need not wait for it. */
	atomic_store(&k->pool->growth_error, k->free_windows ? 0 : k->files.error);
}

void tacho__keeper_free_window(struct keeper *k, uint32_t window)
{
	memset(tacho__pool_at(k->pool, window), 0, TACHO__POOL_WINDOW_BYTES);
	atomic_store_explicit(&k->pool->windows[window], TACHO__POOL_FREE, memory_order_release);
	atomic_fetch_add(&k->pool->freed, 1);
	k->free_windows++;
}
