/* SPDX-License-Identifier: MIT */
/* The writer's state, shared by its files: process.c stream.c writer.c helper.c window.c. */
#ifndef TACHO_RECORD_RECORDER_H
#define TACHO_RECORD_RECORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/pack.h"
#include "record/place.h"
#include "record/wire.h"

enum {
	TACHO__WAIT_MS = 250,	  /* how long a thread waits for a helper that delivers nothing */
	TACHO__READY_STREAMS = 2, /* streams kept ready for new threads */
	TACHO__READY_SLOTS = 16,  /* where they wait */
	TACHO__IDLE_SLOTS = 1024, /* where those wait that ended threads gave back */
	TACHO__TABLES_MAX = 8,
	TACHO__PATH_MAX = 4096,
};

/* A mapped piece of a stream's file. */
struct tacho__window {
	uint8_t *base;
	uint32_t bytes;
	uint32_t first;		 /* offset of the first record */
	atomic_uint outstanding; /* slots that wait for device times, and 1 while it is written */
	struct tacho__window *link;
};

struct tacho__stream {
	/* of the thread that owns it */
	uint8_t *at, *end;
	struct tacho__window *window;
	volatile bool busy;  /* inside a record: a signal handler must keep out */
	bool starved;	     /* a wait ran out: do not wait again until a window came */
	uint32_t generation; /* of the process image that made it */
	uint32_t serial;
	uint64_t idle_since;	      /* tick at which its thread gave it back */
	atomic_ulong calls, commands; /* counted by the owner, read by the helper */
	/* between owner and helper */
	_Atomic(struct tacho__window *) next; /* made by the helper, taken by the owner */
	atomic_bool requested;		      /* it is on the helper's list of requests */
	atomic_int growth_error;	      /* errno of the last attempt, 0 when it worked */
	/* of the helper */
	struct tacho__stream *request_link;
	struct tacho__stream *all_link;
	uint64_t file_bytes;
	uint32_t windows;
	uint32_t next_bytes; /* size of the next window */
	bool created;	     /* its file exists */
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
	char root[TACHO__PATH_MAX];   /* NAME.tacho, absolute */
	char stamp[TACHO__STAMP_MAX]; /* of the recording; "": not known */
	uint32_t only_pid;	      /* 0: every process */
	/* below: of this process image, started over in a forked child */
	char directory[TACHO__PATH_MAX + 64];
	uint32_t pid;
	atomic_uint up;	       /* futex: 0 the helper is on its way, 1 it works, 2 it cannot */
	atomic_uint wake;      /* futex: raised to wake the helper */
	atomic_uint delivered; /* futex: raised when windows or streams were made */
	_Atomic(struct tacho__live *) live;
	_Atomic(struct tacho__stream *) requests;
	_Atomic(struct tacho__window *) retired;
	_Atomic(struct tacho__stream *) ready[TACHO__READY_SLOTS]; /* new ones */
	_Atomic(struct tacho__stream *) idle[TACHO__IDLE_SLOTS];
	atomic_uint stream_requests; /* threads that found none ready */
	struct tacho__stream control;
	struct tacho__stream *streams; /* all but control, by all_link */
	uint32_t serials;
};

extern struct tacho__recorder tacho__recorder;

/* process.c: whether this process image records, starting it when it is a new one. */
bool tacho__recorder_alive(void);

/* stream.c: what a thread has of its own. Initial-exec: no call into the dynamic linker. */
struct tacho__own_stream {
	struct tacho__stream *stream;
	uint32_t generation;
	bool starved; /* no stream came in time: do not wait for one again */
};

extern _Thread_local
	__attribute__((tls_model("initial-exec"))) struct tacho__own_stream tacho__own_stream;

/*
 * stream.c: a stream for a thread that has none in this process image, NULL when none came. It has
 * no record from after the tick `since`, so that its records stay in order.
 */
struct tacho__stream *tacho__stream_begin_thread(uint64_t since);

/* stream.c: moves the stream to a fresh window, NULL when the record is lost (counted). */
uint8_t *tacho__stream_grow(struct tacho__stream *stream, uint32_t bytes);

/* The calling thread's stream for a record of the tick `since`, NULL when there is none for it. */
static inline struct tacho__stream *tacho__stream_own(uint64_t since)
{
	struct tacho__stream *stream = tacho__own_stream.stream;

	if (__builtin_expect(
		    stream && tacho__own_stream.generation == tacho__recorder.page->generation, 1))
		return stream;
	return tacho__stream_begin_thread(since);
}

/* A pointer to `bytes` free bytes and slack, NULL when the record is lost (counted). */
static inline uint8_t *tacho__stream_reserve(struct tacho__stream *stream, uint32_t bytes)
{
	if (__builtin_expect((size_t)(stream->end - stream->at) >= bytes + TACHO__PACK_SLACK, 1))
		return stream->at;
	return tacho__stream_grow(stream, bytes);
}

/* Makes the record at stream->at visible. `bytes` is a multiple of 8. */
static inline void tacho__stream_commit(struct tacho__stream *stream, uint32_t bytes, uint16_t kind,
					bool slot)
{
	__atomic_store_n((uint64_t *)(void *)stream->at, TACHO__WORD(bytes, kind, slot),
			 __ATOMIC_RELEASE);
	stream->at += bytes;
}

/* stream.c: writes a structural record from packed bytes. Counts what does not fit. */
void tacho__stream_put(struct tacho__stream *stream, uint16_t kind, const uint8_t *packed,
		       uint32_t size);

/* window.c (helper only): a window for the stream. 0 or an errno. */
int tacho__window_create(struct tacho__stream *stream, struct tacho__window **out_window);
void tacho__window_destroy(struct tacho__window *window);

/* A window has no writer or no slot any more: the last one hands it to the helper. */
void tacho__window_release(struct tacho__window *window);

/* window.c (helper only): zeroed memory that is never given back, NULL when there is none. */
void *tacho__metadata_get(size_t bytes);

/* helper.c: starts the helper of this process image. */
bool tacho__helper_start(void);
void tacho__helper_wake(void);

/* Adds to a live counter, when there is a control stream to hold it. */
#define tacho__live_add(member)                                                  \
	do {                                                                     \
		struct tacho__live *live_ = atomic_load(&tacho__recorder.live);  \
		if (live_)                                                       \
			__atomic_fetch_add(&live_->member, 1, __ATOMIC_RELAXED); \
	} while (0)

#endif
