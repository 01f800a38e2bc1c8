/* SPDX-License-Identifier: MIT */
#include "record/window_writer.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"

bool tacho__window_writer_open(struct tacho__pool *pool, struct tacho__window_writer *out_writer)
{
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		struct tacho__pool_stream *shared = &pool->stream[i];
		unsigned free = TACHO__POOL_FREE;

		if (!atomic_compare_exchange_strong(&shared->state, &free, TACHO__POOL_SAMPLER))
			continue;
		shared->tid = (uint32_t)getpid();
		*out_writer =
			(struct tacho__window_writer){.pool = pool, .shared = shared, .stream = i};
		return true;
	}
	return false;
}

/* Asks the keeper to look at it soon. */
static void note_switch(const struct tacho__window_writer *writer)
{
	atomic_fetch_or_explicit(&writer->pool->switched[writer->stream / 64],
				 UINT64_C(1) << (writer->stream % 64), memory_order_release);
}

/* The last windows are for the program's work. */
static bool switch_window(struct tacho__window_writer *writer)
{
	struct tacho__pool *pool = writer->pool;
	uint32_t limit = pool->window_count - pool->window_count / TACHO__POOL_RESERVE;
	int32_t window = tacho__pool_claim(pool, limit, writer->stream);
	atomic_uint *last;

	if (window < 0)
		return false;
	tacho__pool_window(pool, (uint32_t)window)->kind = TACHO__POOL_RECORDS;
	last = writer->at ? &tacho__pool_window(pool, writer->window)->next
			  : &writer->shared->first;
	atomic_store_explicit(last, (unsigned)window + 1, memory_order_release);
	writer->window = (uint32_t)window;
	writer->at = tacho__pool_at(pool, writer->window) + sizeof(struct tacho__pool_window);
	writer->end = tacho__pool_at(pool, writer->window) + TACHO__POOL_WINDOW_BYTES;
	note_switch(writer);
	return true;
}

bool tacho__window_writer_put(struct tacho__window_writer *writer, uint16_t kind,
			      const uint8_t *packed, uint32_t size)
{
	uint32_t bytes = ((uint32_t)sizeof(struct tacho__pool_record) + size + 7) & ~UINT32_C(7);
	struct tacho__pool_record *record;

	if (!writer->shared || bytes > TACHO__POOL_RECORD_MAX)
		return false;
	if ((size_t)(writer->end - writer->at) < bytes && !switch_window(writer))
		return false;
	record = (struct tacho__pool_record *)(void *)writer->at;
	record->start = record->end = tacho__tick();
	memcpy(record + 1, packed, size);
	__atomic_store_n(&record->word, TACHO__WORD(bytes, kind, false), __ATOMIC_RELEASE);
	writer->at += bytes;
	return true;
}

void tacho__window_writer_close(struct tacho__window_writer *writer)
{
	if (!writer->shared)
		return;
	/* from here on it may be somebody else's */
	atomic_store_explicit(&writer->shared->has_ended, 1, memory_order_release);
	note_switch(writer);
	writer->shared = NULL;
}
