/* SPDX-License-Identifier: MIT */
/* The recorder inside a program, shared by its files: process.c stream.c writer.c refusal.c. */
#ifndef TACHO_RECORD_RECORDER_H
#define TACHO_RECORD_RECORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/pack.h"
#include "record/pool.h"

enum {
	TACHO__TABLES_MAX = 8,
	TACHO__PATH_MAX = 4096,
};

/* What a thread has of its stream. */
struct tacho__stream {
	uint8_t *at, *end; /* in its window, NULL before the first one */
	struct tacho__pool_stream *shared;
	volatile bool busy; /* inside a record: a signal handler must keep out */
	uint8_t turn;	    /* of calls, until the next one whose recording is timed */
	bool starved;	    /* a wait ran out: do not wait again until a window came */
	uint32_t index;	    /* in the pool */
	uint32_t thread;    /* its id */
	uint32_t window;
	struct tacho__pool_slot *slot; /* the next free one */
	uint32_t slots_left;
};

enum tacho__recorder_state {
	TACHO__RECORDER_NONE = 0, /* what a wiped page says: nothing was started here */
	TACHO__RECORDER_STARTING,
	TACHO__RECORDER_ON,
	TACHO__RECORDER_OFF,
};

/* Lives in a page that the kernel wipes in a forked child. */
struct tacho__fork_page {
	atomic_uint state;
	uint32_t generation;
};

struct tacho__table {
	uint16_t api;
	const char *text;
	uint64_t size;
};

struct tacho__recorder {
	struct tacho__fork_page *page;
	uint32_t generations; /* handed out so far */
	struct tacho__table tables[TACHO__TABLES_MAX];
	unsigned table_count;
	struct tacho__pool *pool;
	uint32_t windows; /* that are mapped here */
	bool asks_kernel; /* for thread ids, because libc's are not to be found */
	/* of this process image */
	struct tacho__pool_process *process;
	uint32_t process_index;
	struct tacho__stream streams[TACHO__POOL_STREAMS_MAX]; /* by their index in the pool */
};

extern struct tacho__recorder tacho__recorder;

/* process.c: whether this process image records, starting it when it is a new one. */
bool tacho__recorder_alive(void);

/* process.c: this thread's id, without a system call. */
uint32_t tacho__recorder_thread_id(void);

/* refusal.c: tells the keeper why nothing is recorded in this process, when that is possible. */
void tacho__refusal_send(const char *stamp, const char *stage, int error);

/* stream.c: how long a thread waits for a keeper that frees nothing. */
extern uint32_t tacho__stream_wait_ms;

/* stream.c: what a thread has of its own. Initial-exec: no call into the dynamic linker. */
struct tacho__own_stream {
	struct tacho__stream *stream;
	uint32_t generation;
	uint32_t refused; /* calls until it asks for a stream again, plus 1 */
};

extern _Thread_local
	__attribute__((tls_model("initial-exec"))) struct tacho__own_stream tacho__own_stream;

/* writer.c: has the recorder hear of everything that is intercepted. Once per process. */
void tacho__record_subscribe(void);

/* stream.c: from now on streams of threads that end are given back. Once, at the start. */
void tacho__stream_watch_ends(void);

/* stream.c: a stream for a thread that has none in this process image, NULL when there is none. */
struct tacho__stream *tacho__stream_begin_thread(void);

/* stream.c: a stream for the thread with this id, NULL when all are in use. */
struct tacho__stream *tacho__stream_claim(uint32_t thread);

/*
 * other_threads.c: a stream for calls of another thread, which a vendor's library told of later.
 * NULL when there is none (counted). From one thread at a time.
 */
struct tacho__stream *tacho__stream_of(uint32_t thread);

/* stream.c: moves the stream to a fresh window, NULL when the record is lost (counted). */
uint8_t *tacho__stream_grow(struct tacho__stream *stream, uint32_t bytes, bool is_work);

/* stream.c: a slot for a command's times, NULL when there is none (counted). */
struct tacho__pool_slot *tacho__stream_take_slot(struct tacho__stream *stream);

/* The calling thread's stream, NULL when there is none for it. */
static inline struct tacho__stream *tacho__stream_own(void)
{
	struct tacho__stream *stream = tacho__own_stream.stream;

	if (__builtin_expect(
		    stream && tacho__own_stream.generation == tacho__recorder.page->generation, 1))
		return stream;
	return tacho__stream_begin_thread();
}

/* A pointer to `bytes` free bytes and slack, NULL when the record is lost (counted). */
static inline uint8_t *tacho__stream_reserve(struct tacho__stream *stream, uint32_t bytes,
					     bool is_work)
{
	if (__builtin_expect((size_t)(stream->end - stream->at) >= bytes + TACHO__PACK_SLACK, 1))
		return stream->at;
	return tacho__stream_grow(stream, bytes, is_work);
}

/* Makes the record at stream->at visible. `bytes` is a multiple of 8. */
static inline void tacho__stream_commit(struct tacho__stream *stream, uint32_t bytes, uint16_t kind,
					bool slot)
{
	__atomic_store_n((uint64_t *)(void *)stream->at, TACHO__WORD(bytes, kind, slot),
			 __ATOMIC_RELEASE);
	stream->at += bytes;
}

/* stream.c: writes a structural record of a moment from packed bytes. Counts what does not fit. */
void tacho__stream_put(struct tacho__stream *stream, uint64_t tick, uint16_t kind,
		       const uint8_t *packed, uint32_t size);

/* Adds to a counter of this process. */
#define tacho__process_add_many(member, count)                                                     \
	do {                                                                                       \
		struct tacho__pool_process *process_ = tacho__recorder.process;                    \
		if (process_)                                                                      \
			atomic_fetch_add_explicit(&process_->member, count, memory_order_relaxed); \
	} while (0)
#define tacho__process_add(member) tacho__process_add_many(member, 1)

#endif
