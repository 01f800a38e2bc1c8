/* SPDX-License-Identifier: MIT */
/*
 * A thread and its stream: getting one, moving on to the next window, giving it back. Nothing here
 * makes a system call, takes a lock or allocates; errno stays as it is.
 */
#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "record/recorder.h"

/*
 * Between two users of a window, or of a stream, comes the keeper: another process, of which the
 * thread sanitizer knows nothing.
 */
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#define GOT(pool, window)   __tsan_acquire(&(pool)->windows[window])
#define LEFT(pool, window)  __tsan_release(&(pool)->windows[window])
#define GOT_STREAM(shared)  __tsan_acquire(&(shared)->has_ended)
#define LEFT_STREAM(shared) __tsan_release(&(shared)->has_ended)
#else
#define GOT(pool, window)   ((void)0)
#define LEFT(pool, window)  ((void)0)
#define GOT_STREAM(shared)  ((void)0)
#define LEFT_STREAM(shared) ((void)0)
#endif

#define STEP_MAX_NS UINT64_C(1000000)

enum {
	LONGEST_WAIT = 4, /* in times of tacho__stream_wait_ms */
	SPINS = 64,
	RETRY_CALLS = 1000, /* of a thread without a stream, before it looks for one again */
};

/*
 * A wait for the keeper: over when it has freed nothing for tacho__stream_wait_ms, so that many
 * threads that wait at once all get theirs. A step that takes longer than it should counts as a
 * short one: the process was stopped, or the machine, and the keeper with it.
 */
struct wait {
	uint64_t last_ns, idle_ns, total_ns;
	unsigned freed;
};

uint32_t tacho__stream_wait_ms = 1000;

_Thread_local __attribute__((tls_model("initial-exec"))) struct tacho__own_stream tacho__own_stream;

static pthread_key_t exit_key;

static void pause_a_little(void)
{
	for (int i = 0; i < SPINS; i++) {
#if defined(__x86_64__)
		__builtin_ia32_pause();
#elif defined(__aarch64__)
		__asm__ volatile("yield");
#endif
	}
}

static bool may_wait(struct wait *wait)
{
	struct tacho__pool *pool = tacho__recorder.pool;
	unsigned freed = atomic_load(&pool->freed);
	uint64_t now_ns = tacho__clock_raw_ns();
	uint64_t wait_ns = tacho__stream_wait_ms * UINT64_C(1000000);
	uint64_t took_ns = wait->last_ns ? now_ns - wait->last_ns : 0;

	if (took_ns > STEP_MAX_NS)
		took_ns = STEP_MAX_NS;
	wait->total_ns += took_ns;
	wait->idle_ns = freed == wait->freed ? wait->idle_ns + took_ns : 0;
	wait->last_ns = now_ns;
	wait->freed = freed;
	if (wait->idle_ns >= wait_ns || wait->total_ns >= LONGEST_WAIT * wait_ns ||
	    atomic_load(&pool->growth_error))
		return false;
	atomic_store(&pool->pressure, 1);
	pause_a_little();
	return true;
}

/* A window for the stream, waiting for it when it is worth it; -1 when none came. */
static int32_t get_window(struct tacho__stream *stream, bool is_work)
{
	struct tacho__recorder *r = &tacho__recorder;
	uint32_t limit = r->pool->window_count;
	struct wait wait = {0};
	int32_t window;

	if (!is_work)
		limit -= limit / TACHO__POOL_RESERVE;
	if (limit > r->windows)
		limit = r->windows;
	window = tacho__pool_claim(r->pool, limit, stream->index);
	if (window >= 0 || stream->starved)
		return window;
	tacho__process_add(waits);
	while (window < 0 && may_wait(&wait))
		window = tacho__pool_claim(r->pool, limit, stream->index);
	return window;
}

/* Asks the keeper to look at the stream with this number soon. */
static void note_switch(uint32_t index)
{
	atomic_fetch_or_explicit(&tacho__recorder.pool->switched[index / 64],
				 UINT64_C(1) << (index % 64), memory_order_release);
}

/* Moves the stream to a fresh window. False: none came, and the stream is as before. */
static bool switch_window(struct tacho__stream *stream, bool is_work)
{
	struct tacho__recorder *r = &tacho__recorder;
	int32_t window = get_window(stream, is_work);
	atomic_uint *last;

	stream->starved = window < 0;
	if (window < 0)
		return false;
	GOT(r->pool, window);
	tacho__pool_window(r->pool, (uint32_t)window)->kind = TACHO__POOL_RECORDS;
	last = stream->at ? &tacho__pool_window(r->pool, stream->window)->next
			  : &stream->shared->first;
	if (stream->at)
		LEFT(r->pool, stream->window);
	atomic_store_explicit(last, (unsigned)window + 1, memory_order_release);
	stream->window = (uint32_t)window;
	stream->at = tacho__pool_at(r->pool, stream->window) + sizeof(struct tacho__pool_window);
	stream->end = tacho__pool_at(r->pool, stream->window) + TACHO__POOL_WINDOW_BYTES;
	note_switch(stream->index);
	return true;
}

uint8_t *tacho__stream_grow(struct tacho__stream *stream, uint32_t bytes, bool is_work)
{
	if (bytes > TACHO__POOL_RECORD_MAX) {
		tacho__process_add(lost_too_big);
		return NULL;
	}
	if (switch_window(stream, is_work))
		return stream->at;
	if (atomic_load(&tacho__recorder.pool->growth_error))
		tacho__process_add(lost_no_space);
	else
		tacho__process_add(lost_no_window);
	return NULL;
}

struct tacho__pool_slot *tacho__stream_take_slot(struct tacho__stream *stream)
{
	struct tacho__pool *pool = tacho__recorder.pool;
	int32_t window;

	if (!stream->slots_left) {
		window = get_window(stream, true);
		if (window < 0) {
			tacho__process_add(untimed);
			return NULL;
		}
		GOT(pool, window);
		tacho__pool_window(pool, (uint32_t)window)->kind = TACHO__POOL_SLOTS_OF_COMMANDS;
		stream->slot = tacho__pool_slot(pool, (uint32_t)window * TACHO__POOL_SLOTS);
		stream->slots_left = TACHO__POOL_SLOTS - 1;
	}
	stream->slots_left--;
	return ++stream->slot;
}

/* The thread ends. What a fork left behind, or a cancellation cut, is not its own any more. */
static void give_back(void *value)
{
	struct tacho__stream *stream = value;
	struct tacho__pool_stream *shared = stream->shared;
	uint32_t index = stream->index;

	tacho__own_stream.stream = NULL;
	if (tacho__own_stream.generation != tacho__recorder.page->generation || stream->busy)
		return;
	if (stream->at)
		LEFT(tacho__recorder.pool, stream->window);
	LEFT_STREAM(shared);
	/* from here on it may be another thread's */
	atomic_store_explicit(&shared->has_ended, 1, memory_order_release);
	note_switch(index);
}

void tacho__stream_watch_ends(void)
{
	pthread_key_create(&exit_key, give_back);
}

struct tacho__stream *tacho__stream_claim(uint32_t thread)
{
	struct tacho__recorder *r = &tacho__recorder;

	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		struct tacho__pool_stream *shared = &r->pool->stream[i];
		unsigned free = TACHO__POOL_FREE;

		if (atomic_load_explicit(&shared->state, memory_order_relaxed) != free ||
		    !atomic_compare_exchange_strong(&shared->state, &free,
						    TACHO__POOL_OWNED + r->process_index))
			continue;
		GOT_STREAM(shared);
		r->streams[i] =
			(struct tacho__stream){.shared = shared, .index = i, .thread = thread};
		shared->tid = thread;
		atomic_fetch_add_explicit(&r->pool->begun, 1, memory_order_release);
		return &r->streams[i];
	}
	return NULL;
}

struct tacho__stream *tacho__stream_begin_thread(void)
{
	struct tacho__own_stream *own = &tacho__own_stream;
	struct tacho__stream *stream;

	own->stream = NULL;
	if (!tacho__recorder_alive())
		return NULL;
	if (own->generation != tacho__recorder.page->generation)
		own->refused = 0;
	own->generation = tacho__recorder.page->generation;
	if (own->refused && --own->refused) {
		tacho__process_add(lost_no_thread);
		return NULL;
	}
	stream = tacho__stream_claim(tacho__recorder_thread_id());
	if (stream) {
		own->stream = stream;
		pthread_setspecific(exit_key, stream);
	} else {
		own->refused = RETRY_CALLS;
		tacho__process_add(lost_no_thread);
	}
	return stream;
}

void tacho__stream_put(struct tacho__stream *stream, uint64_t tick, uint16_t kind,
		       const uint8_t *packed, uint32_t size)
{
	uint32_t bytes = ((uint32_t)sizeof(struct tacho__pool_record) + size + 7) & ~UINT32_C(7);
	uint8_t *at;

	if (stream->busy) {
		tacho__process_add(lost_nested);
		return;
	}
	stream->busy = true;
	atomic_signal_fence(memory_order_seq_cst);
	at = tacho__stream_reserve(stream, bytes, true);
	if (at) {
		struct tacho__pool_record *record = (struct tacho__pool_record *)(void *)at;

		record->start = record->end = tick;
		memcpy(record + 1, packed, size);
		tacho__stream_commit(stream, bytes, kind, false);
	}
	atomic_signal_fence(memory_order_seq_cst);
	stream->busy = false;
}
