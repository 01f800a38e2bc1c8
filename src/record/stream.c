/* SPDX-License-Identifier: MIT */
/* A thread and its stream: getting one, moving on to the next window, giving it back. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/pack.h"
#include "record/recorder.h"

#define WAIT_NS	      (UINT64_C(1000000) * TACHO__WAIT_MS)
#define WAIT_SLICE_NS UINT64_C(1000000)
#define WAIT_MAX_NS   (8 * WAIT_NS)

/*
 * A wait for the helper: over when it has delivered nothing to anybody for WAIT_NS, so that many
 * threads that ask at once all get theirs. A slice that takes longer than it should counts as one
 * slice: the process was stopped, and the helper with it.
 */
struct wait {
	uint64_t last_ns, idle_ns, total_ns;
	unsigned seen;
};

_Thread_local __attribute__((tls_model("initial-exec"))) struct tacho__own_stream tacho__own_stream;

static bool may_wait(struct wait *wait)
{
	unsigned delivered = atomic_load(&tacho__recorder.delivered);
	uint64_t now_ns = tacho__clock_raw_ns();
	uint64_t took_ns = wait->last_ns ? now_ns - wait->last_ns : 0;

	if (took_ns > WAIT_SLICE_NS)
		took_ns = WAIT_SLICE_NS;
	wait->total_ns += took_ns;
	wait->idle_ns = delivered == wait->seen ? wait->idle_ns + took_ns : 0;
	wait->last_ns = now_ns;
	wait->seen = delivered;
	return wait->idle_ns < WAIT_NS && wait->total_ns < WAIT_MAX_NS;
}

static pthread_key_t exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;

static bool put_idle(struct tacho__stream *stream)
{
	for (int i = 0; i < TACHO__IDLE_SLOTS; i++) {
		struct tacho__stream *empty = NULL;

		if (atomic_compare_exchange_strong(&tacho__recorder.idle[i], &empty, stream))
			return true;
	}
	return false;
}

static void give_back(void *value)
{
	struct tacho__recorder *r = &tacho__recorder;
	struct tacho__stream *stream = value;

	tacho__own_stream.stream = NULL;
	if (stream->generation != r->page->generation || stream->busy)
		return; /* inherited by a forked child, or cancelled inside a record */
	stream->idle_since = tacho__tick();
	if (put_idle(stream))
		return;
	/* More idle streams than places: this one stays unused, its records are in its file. */
}

static void make_exit_key(void)
{
	pthread_key_create(&exit_key, give_back);
}

static struct tacho__stream *take(_Atomic(struct tacho__stream *) *place)
{
	if (!atomic_load_explicit(place, memory_order_relaxed))
		return NULL;
	return atomic_exchange(place, NULL);
}

/* An idle stream whose last record is not from after `since`, else a new one. */
static struct tacho__stream *take_ready(uint64_t since)
{
	struct tacho__recorder *r = &tacho__recorder;
	struct tacho__stream *stream;

	for (int i = 0; i < TACHO__IDLE_SLOTS; i++) {
		stream = take(&r->idle[i]);
		if (stream && stream->idle_since <= since)
			return stream;
		if (stream)
			put_idle(stream);
	}
	for (int i = 0; i < TACHO__READY_SLOTS; i++) {
		stream = take(&r->ready[i]);
		if (stream)
			return stream;
	}
	return NULL;
}

/* A ready stream, made by the helper if need be. */
static struct tacho__stream *acquire(uint64_t since)
{
	struct tacho__recorder *r = &tacho__recorder;
	struct tacho__stream *stream = take_ready(since);
	struct wait wait = {0};

	if (!stream && !tacho__own_stream.starved) {
		tacho__live_add(waits);
		atomic_fetch_add(&r->stream_requests, 1);
		tacho__helper_wake();
		while (!stream && may_wait(&wait)) {
			stream = take_ready(since);
			if (!stream)
				tacho__futex_wait(&r->delivered, wait.seen, WAIT_SLICE_NS);
		}
	}
	tacho__own_stream.starved = !stream;
	return stream;
}

static void put_thread(struct tacho__stream *stream)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];
	char name[16] = "";
	struct tacho__pack pack;

	prctl(PR_GET_NAME, name);
	name[sizeof(name) - 1] = '\0';
	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, tacho__tick());
	tacho__pack_u64(&pack, (uint64_t)syscall(SYS_gettid));
	tacho__pack_u64(&pack, strlen(name));
	tacho__pack_bytes(&pack, name, strlen(name));
	tacho__stream_put(stream, TACHO__RECORD_THREAD, packed, (uint32_t)(pack.at - packed));
}

static void request_window(struct tacho__stream *stream)
{
	struct tacho__recorder *r = &tacho__recorder;

	if (atomic_exchange(&stream->requested, true))
		return;
	stream->request_link = atomic_load(&r->requests);
	while (!atomic_compare_exchange_weak(&r->requests, &stream->request_link, stream))
		;
	tacho__helper_wake();
}

struct tacho__stream *tacho__stream_begin_thread(uint64_t since)
{
	int error = errno;
	struct tacho__own_stream *own = &tacho__own_stream;
	struct tacho__stream *stream;

	own->stream = NULL;
	if (!tacho__recorder_alive())
		return NULL;
	if (own->generation != tacho__recorder.page->generation)
		own->starved = false;
	own->generation = tacho__recorder.page->generation;
	pthread_once(&exit_key_once, make_exit_key);
	stream = acquire(since);
	if (stream) {
		own->stream = stream;
		pthread_setspecific(exit_key, stream);
		put_thread(stream);
		request_window(stream); /* and the helper makes another stream ready */
	} else {
		tacho__live_add(lost_no_thread);
	}
	errno = error;
	return stream;
}

/* The next window, waiting for it when it is worth it. */
static struct tacho__window *next_window(struct tacho__stream *stream)
{
	struct tacho__recorder *r = &tacho__recorder;
	struct tacho__window *window = atomic_exchange(&stream->next, NULL);
	struct wait wait = {0};

	if (window || stream->starved || atomic_load(&stream->growth_error))
		return window;
	tacho__live_add(waits);
	request_window(stream);
	while (may_wait(&wait)) {
		window = atomic_exchange(&stream->next, NULL);
		if (window || atomic_load(&stream->growth_error))
			return window;
		tacho__futex_wait(&r->delivered, wait.seen, WAIT_SLICE_NS);
	}
	return atomic_exchange(&stream->next, NULL);
}

/* Moves the stream to a fresh window. False: none came, and the stream is as before. */
static bool switch_window(struct tacho__stream *stream)
{
	int error = errno;
	struct tacho__window *window = next_window(stream);

	stream->starved = !window;
	if (window) {
		if (stream->window)
			tacho__window_release(stream->window);
		stream->window = window;
		stream->at = window->base + window->first;
		stream->end = window->base + window->bytes;
	}
	request_window(stream);
	errno = error;
	return window != NULL;
}

uint8_t *tacho__stream_grow(struct tacho__stream *stream, uint32_t bytes)
{
	if (bytes > TACHO__RECORD_MAX) {
		tacho__live_add(lost_too_big);
		return NULL;
	}
	if (switch_window(stream))
		return stream->at;
	if (atomic_load(&stream->growth_error))
		tacho__live_add(lost_no_space);
	else
		tacho__live_add(lost_no_window);
	return NULL;
}

void tacho__stream_put(struct tacho__stream *stream, uint16_t kind, const uint8_t *packed,
		       uint32_t size)
{
	uint32_t bytes = (8 + size + 7) & ~UINT32_C(7);
	uint8_t *at;

	if (stream->busy) {
		tacho__live_add(lost_nested);
		return;
	}
	stream->busy = true;
	atomic_signal_fence(memory_order_seq_cst);
	at = tacho__stream_reserve(stream, bytes);
	if (at) {
		memcpy(at + 8, packed, size);
		tacho__stream_commit(stream, bytes, kind, false);
	}
	atomic_signal_fence(memory_order_seq_cst);
	stream->busy = false;
}

void tacho__window_release(struct tacho__window *window)
{
	struct tacho__recorder *r = &tacho__recorder;

	if (atomic_fetch_sub(&window->outstanding, 1) != 1)
		return;
	window->link = atomic_load(&r->retired);
	while (!atomic_compare_exchange_weak(&r->retired, &window->link, window))
		;
}
