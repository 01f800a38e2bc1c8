/* SPDX-License-Identifier: MIT */
/* Which streams are looked at when, and what becomes of those whose threads are over. */
#include <string.h>

#include "record/keeper/keeper_private.h"

/* All windows of a stream but those with slots. */
static void free_windows(struct keeper *k, uint32_t stream)
{
	uint32_t ready = atomic_load(&k->pool->ready);

	for (uint32_t i = 0; i < ready; i++)
		if (atomic_load_explicit(&k->pool->windows[i], memory_order_relaxed) ==
			    TACHO__POOL_OWNED + stream &&
		    tacho__pool_window(k->pool, i)->kind != TACHO__POOL_SLOTS_OF_COMMANDS)
			tacho__keeper_free_window(k, i);
}

static void forget(struct keeper *k, uint32_t stream)
{
	struct tacho__pool_stream *shared = &k->pool->stream[stream];

	k->streams[stream] = TACHO__STREAM_UNKNOWN;
	memset((char *)shared + sizeof(shared->state), 0, sizeof(*shared) - sizeof(shared->state));
	atomic_store_explicit(&shared->state, TACHO__POOL_FREE, memory_order_release);
}

/* A stream of whose thread nothing will come any more, and of which all is in files. */
static void end_stream(struct keeper *k, uint32_t stream, bool process_is_over)
{
	if (k->streams[stream] == TACHO__STREAM_LIVE)
		free_windows(k, stream);
	k->streams[stream] = TACHO__STREAM_LINGERS;
	if (tacho__keeper_free_slots(k, stream, process_is_over))
		forget(k, stream);
}

/*
 * A turn of each stream of which a bit is set in `wanted`; bits of those with nothing left are
 * cleared. False when it could not be written.
 */
static bool take_turns(struct keeper *k, uint64_t *wanted)
{
	static uint64_t over[TACHO__POOL_STREAMS_MAX / 64];

	memset(over, 0, sizeof(over));
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		uint64_t bit = UINT64_C(1) << (i % 64);
		bool has_ended;

		if (!(wanted[i / 64] & bit))
			continue;
		/* before the drain: what came before the end is then there */
		has_ended =
			atomic_load_explicit(&k->pool->stream[i].has_ended, memory_order_acquire);
		if (k->streams[i] != TACHO__STREAM_LINGERS && tacho__keeper_drain(k, i))
			continue;
		wanted[i / 64] &= ~bit;
		if (has_ended && !k->files.error) /* else not all of it may be taken */
			over[i / 64] |= bit;
	}
	if (!tacho__keeper_commit(k))
		return false;
	tacho__keeper_take_times(k);
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++)
		if (over[i / 64] >> (i % 64) & 1 && k->streams[i] == TACHO__STREAM_LIVE)
			end_stream(k, i, false);
	return true;
}

static bool is_any(const uint64_t *bits)
{
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX / 64; i++)
		if (bits[i])
			return true;
	return false;
}

/*
 * In turns, so that threads that wait get windows soon and none is kept waiting by a busier one;
 * and no more of them than what is there by now can take.
 */
static void take(struct keeper *k, uint64_t *wanted)
{
	uint32_t turns = k->pool->window_count / TACHO__KEEPER_TURN_WINDOWS + 1;

	tacho__keeper_watch_disk(k);
	while (take_turns(k, wanted) && is_any(wanted) && --turns &&
	       tacho__keeper_files_turn(&k->files))
		tacho__keeper_ready_windows(k);
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX / 64; i++)
		if (wanted[i])
			atomic_fetch_or(&k->pool->switched[i], wanted[i]);
}

/* What could not be written yet comes first. False: it still cannot. */
static bool catch_up(struct keeper *k)
{
	if ((k->files.error || k->progress_count) && !tacho__keeper_commit(k))
		return false;
	if (!tacho__keeper_files_turn(&k->files) || !tacho__keeper_files_make_room(&k->files))
		return false;
	k->files.error = 0;
	return true;
}

void tacho__keeper_take_switched(struct keeper *k)
{
	static uint64_t wanted[TACHO__POOL_STREAMS_MAX / 64];

	if (!catch_up(k))
		return;
	for (size_t i = 0; i < TACHO__POOL_STREAMS_MAX / 64; i++)
		wanted[i] = atomic_load_explicit(&k->pool->switched[i], memory_order_relaxed)
				    ? atomic_exchange_explicit(&k->pool->switched[i], 0,
							       memory_order_acquire)
				    : 0;
	take(k, wanted);
}

void tacho__keeper_take_all(struct keeper *k)
{
	static uint64_t wanted[TACHO__POOL_STREAMS_MAX / 64];

	if (!catch_up(k))
		return;
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		uint64_t bit = UINT64_C(1) << (i % 64);

		if (atomic_load_explicit(&k->pool->stream[i].state, memory_order_relaxed) >=
		    TACHO__POOL_OWNED)
			wanted[i / 64] |= bit;
		else
			wanted[i / 64] &= ~bit;
	}
	take(k, wanted);
	for (uint32_t i = 0; i < k->stream_bound; i++)
		if (k->streams[i] == TACHO__STREAM_LINGERS)
			end_stream(k, i, false);
}

void tacho__keeper_end_streams(struct keeper *k, uint32_t process)
{
	unsigned owned = TACHO__POOL_OWNED + process;

	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		if (atomic_load(&k->pool->stream[i].state) != owned)
			continue;
		end_stream(k, i, true);
	}
}
