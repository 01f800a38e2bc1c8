/* SPDX-License-Identifier: MIT */
/*
 * Interception: everything that happens in a profiled process goes through the one singleton here.
 * Wrappers (src/inject) report; subscribers (src/record, sessions, faces) listen.
 *
 * A wrapper looks like this, and is generated:
 *
 *	struct tacho__call call;
 *	struct tacho__pack pack;
 *	if (!tacho__call_begin(&call, KIND))
 *		return real(...);
 *	result = real(...);
 *	tacho__call_end(&call, &pack);
 *	tacho__pack_i64(&pack, result); ... arguments ...
 *	tacho__call_commit(&call, &pack);
 *
 * All functions are safe from any thread at any time; they keep errno. No lock, no allocation and
 * no system call between begin and commit, but when a subscriber must switch its storage.
 */
#ifndef TACHO_INTERCEPT_INTERCEPT_H
#define TACHO_INTERCEPT_INTERCEPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/pack.h"
#include "tacho/export.h"

enum {
	TACHO__ARGUMENTS_MAX = 1536, /* packed bytes of one call; generators keep below */
	TACHO__SUBSCRIBERS_MAX = 8,
};

/* One call while it is in flight, on the wrapper's stack. */
struct tacho__call {
	uint64_t start, end; /* ticks */
	uint16_t kind;	     /* TACHO__KIND(api, function) */
	bool has_slot;	     /* a successful enqueue: wants room for device times */
	void *token;	     /* out of commit: the room, NULL when nobody made any */
	uint32_t size;	     /* of the packed result and arguments */
	uint8_t arguments[TACHO__ARGUMENTS_MAX + TACHO__PACK_SLACK];
};

/* Device times of a finished command, in the device's clock. `code`: enum tacho__slot_code. */
struct tacho__times {
	uint32_t code;
	int32_t vendor_code;
	uint64_t queued, submit, start, end;
	bool is_unseen; /* it is told of without that its end was seen: it may run yet */
};

/* Something that an API made. Attributes are "key=value" lines. */
struct tacho__made {
	uint16_t api;
	uint32_t kind; /* enum tacho_object_kind */
	uint64_t handle;
	const char *attributes;
};

/* A large thing of a program that was asked to be kept. */
struct tacho__blob_note {
	uint16_t api;
	uint64_t handle;  /* of the program */
	const char *kind; /* "build_log", "binary", "source" */
	const void *bytes;
	uint64_t size;
};

/* One counter of a launch. */
struct tacho__count {
	uint32_t column;   /* of counting.json's columns */
	uint32_t instance; /* 0: its only value; else one of an instance, whose number is 1 less */
	uint8_t state;	   /* enum tacho_state and marks */
	uint8_t type;	   /* enum tacho_type */
	uint64_t bits;	   /* u64, or those of the f64; 0 when absent */
	double coverage;   /* 1 but for scaled values */
};

/*
 * Which instances a counter has values of: told once by a process, in front of the first of them.
 * Of `column` nothing but dimensions and presence is looked at.
 */
struct tacho__count_shape {
	uint32_t index; /* of counting.json's columns */
	const struct tacho_column *column;
};

/* What was counted for a launch, which its thread and the start tick of its call name. */
struct tacho__counts {
	uint32_t thread;
	uint64_t start;
	uint64_t seen;	  /* bit n: pass n was run, of the first 64 */
	const char *note; /* why something is missing; "" when there is nothing to say */
	const struct tacho__count *counts;
	size_t count;
};

/*
 * A command of a template. One whose index is there already changes that one: what is told here
 * replaces what was told before, the rest stays.
 */
struct tacho__template_command {
	uint64_t index;	     /* in the template, from 0 */
	uint32_t kind;	     /* enum tacho_command_kind */
	const char *name;    /* what the API calls it; "": as before */
	uint64_t queue;	     /* handle; 0: the template's first */
	uint64_t kernel;     /* handle; 0: not told */
	uint32_t dimensions; /* 0: no sizes are told */
	bool has_global;     /* `global` is told */
	bool has_local;	     /* `local` is told; without it the API chooses */
	uint64_t global[3], local[3];
	bool has_bytes;
	bool has_extra_local;
	uint64_t bytes;
	uint64_t extra_local_bytes; /* of a kernel: local memory that its launch asks for, too */
};

/*
 * Commands that were recorded to run many times: a command buffer, a graph. Each state of one has
 * a version of its own, never 0, and executions name the version that they run. A template may be
 * told in pieces, in the order of the indices, before the first execution.
 */
struct tacho__template {
	uint16_t api;
	uint64_t handle, version;
	uint64_t base_handle, base_version; /* what it began as a copy of; 0: it began empty */
	/* Handles of the queues that it runs on; NULL: told before. They take the place of all that
	 * was told of queues. */
	const uint64_t *queues;
	size_t queue_count;
	const struct tacho__template_command *commands;
	size_t count;
	bool is_complete; /* with this piece: */
	uint64_t total;	  /* it has so many commands */
};

/* What a program says of a range (tacho/profile.h and APIs like it). */
enum tacho__range_event {
	TACHO__RANGE_PUSH = 1, /* of the calling thread */
	TACHO__RANGE_POP = 2,
	TACHO__RANGE_BEGIN = 3, /* of the process */
	TACHO__RANGE_END = 4,
	TACHO__RANGE_MARK = 5,
};

enum { TACHO__RANGE_NAME_MAX = 255, TACHO__RANGE_DOMAIN_MAX = 63 };

enum { TACHO__THREAD_NAME_MAX = 63 };

/* Names are cut to these lengths, at the end of a character. */
struct tacho__range_note {
	uint32_t event; /* enum tacho__range_event */
	uint32_t color; /* 0xAARRGGBB; valid when has_color */
	bool has_color;
	uint64_t id;	 /* of BEGIN and END, and of PUSH and POP the stack that it is on: 0, or a
			    domain's */
	uint32_t level;	 /* of PUSH and POP, on that stack: 1 for the outermost; 0: not known */
	const char *api; /* that it came through: "tacho", "nvtx", "roctx", "itt" */
	const char *domain; /* "": none */
	const char *name;   /* not of POP and END */
	/* Of what is not named through an API of ranges; the rest is 0 in others. */
	uint32_t kind;	 /* enum tacho_range_kind */
	uint16_t api_id; /* whose handle the queue is */
	uint64_t queue;	 /* that gets the commands in between; 0: none does */
	uint64_t number; /* of a frame */
	uint64_t tick;	 /* when it was; 0: now */
};

struct tacho__subscriber {
	bool keeps_nothing; /* it sees calls go by, and wants no times of commands */
	/* A call has returned: store it. Sets call->token when it stored a slot for its times. */
	void (*call)(struct tacho__call *call);
	/* The command behind a token has ended, or never will be seen to. Called once per token. */
	void (*complete)(void *token, const struct tacho__times *times);
	void (*made)(const struct tacho__made *made);
	void (*blob)(const struct tacho__blob_note *blob);
	/* Text about this process, "key=value" lines: its loader, which part of it is not watched.
	 */
	void (*process)(const char *attributes);
	/* The instances of a counter are known. May be NULL. */
	void (*count_shape)(const struct tacho__count_shape *shape);
	/* The counters of a launch are there. May be NULL, as `call` for who wants no calls. */
	void (*counts)(const struct tacho__counts *counts);
	/* Commands that will run as a whole, many times. May be NULL. */
	void (*template)(const struct tacho__template *template);
	/* A call went unreported, inside of too many others of its kind. May be NULL. */
	void (*nested)(void);
	/*
	 * As `call`, of a call of another thread that somebody heard of later. One at a time, in
	 * the order of a thread's calls as far as it is known. May be NULL.
	 */
	void (*call_of)(struct tacho__call *call, uint32_t thread);
	/* The program says where it is. May be NULL. */
	void (*range)(const struct tacho__range_note *note);
	/* The program has a name for the calling thread. May be NULL. */
	void (*thread_name)(const char *name);
	/* So many calls were lost before anybody could report them. May be NULL. */
	void (*lost)(uint64_t count);
};

struct tacho__intercept {
	atomic_bool active; /* some subscriber listens */
	atomic_bool keeps;  /* and not all of them keep nothing */
	atomic_uint subscriber_count;
	const struct tacho__subscriber *subscribers[TACHO__SUBSCRIBERS_MAX];
	/* A number that a forked child does not share with its parent; NULL: nobody keeps one. */
	_Atomic(const uint32_t *) image;
};

/* The singleton. It lives in libtacho.so, so that all that is injected shares it. */
TACHO_API extern struct tacho__intercept tacho__intercept;

/* Adds a subscriber (static storage) for the life of the process. False when there are too many. */
TACHO_API bool tacho__intercept_subscribe(const struct tacho__subscriber *subscriber);

TACHO_API void tacho__intercept_commit(struct tacho__call *call);
TACHO_API void tacho__intercept_complete(void *token, const struct tacho__times *times);
TACHO_API void tacho__intercept_made(const struct tacho__made *made);
TACHO_API void tacho__intercept_blob(const struct tacho__blob_note *blob);
TACHO_API void tacho__intercept_process(const char *attributes);
TACHO_API void tacho__intercept_count_shape(const struct tacho__count_shape *shape);
TACHO_API void tacho__intercept_counts(const struct tacho__counts *counts);
TACHO_API void tacho__intercept_template(const struct tacho__template *template);
TACHO_API void tacho__intercept_nested(void);
TACHO_API void tacho__intercept_commit_of(struct tacho__call *call, uint32_t thread);
TACHO_API void tacho__intercept_range(const struct tacho__range_note *note);
TACHO_API void tacho__intercept_thread_name(const char *name);
TACHO_API void tacho__intercept_lost(uint64_t count);

/* False when nobody listens. */
static inline bool tacho__call_begin(struct tacho__call *call, uint16_t kind)
{
	if (!atomic_load_explicit(&tacho__intercept.active, memory_order_relaxed))
		return false;
	call->kind = kind;
	call->has_slot = false;
	call->token = NULL;
	call->start = tacho__tick();
	return true;
}

/* False: times of commands are not worth an event that the program did not ask for. */
static inline bool tacho__calls_are_kept(void)
{
	return atomic_load_explicit(&tacho__intercept.keeps, memory_order_relaxed);
}

/* The packer is the wrapper's own: it stays in registers. */
static inline void tacho__call_end(struct tacho__call *call, struct tacho__pack *out_pack)
{
	call->end = tacho__tick();
	tacho__pack_begin(out_pack, call->arguments);
}

static inline void tacho__call_commit(struct tacho__call *call, const struct tacho__pack *pack)
{
	call->size = (uint32_t)(pack->at - call->arguments);
	tacho__intercept_commit(call);
}

#endif
