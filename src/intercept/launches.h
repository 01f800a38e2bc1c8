/* SPDX-License-Identifier: MIT */
/*
 * Launches before they are enqueued: who wants to count one attaches to it, and it is held back
 * until it has its device for itself. An API's layer tells of every launch:
 *
 *	if (!tacho__launches_are_wanted() || !(held = tacho__launch_hold(&launch, &calls, user)))
 *		enqueue as usual
 *	else
 *		enqueue it behind a gate of its own that is shut;
 *		tacho__launch_ready(held) when all that it waits for has ended;
 *		calls.let_go(user) is the order to open the gate;
 *		tacho__launch_end(held, &outcome) when it has ended, was refused, or never will be
 *seen to.
 *
 * Launches that somebody attached to never overlap on a device, one after the other in the order in
 * which they became ready: one that waits for something else keeps nobody waiting. Others are not
 * held and run at any time.
 *
 * Kernels that need each other at the same time would wait for ever. So when launches wait and
 * none has ended for TACHO__LAUNCH_PATIENCE_NS, all of them are let go: they, and those that they
 * ran beside, are not counted, and their outcome says so (serial.h is that machine).
 *
 * All functions are safe from any thread; they keep errno.
 */
#ifndef TACHO_INTERCEPT_LAUNCHES_H
#define TACHO_INTERCEPT_LAUNCHES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "intercept/intercept.h"
#include "tacho/export.h"

#define TACHO__LAUNCH_PATIENCE_NS UINT64_C(10000000000)

/* A launch that is about to be enqueued, on the thread that launches. Borrowed for the call. */
struct tacho__launch {
	uint64_t start; /* tick of its call; with the thread it names the call */
	/* Handles of the API; the same kernel object may be launched with several programs' code.
	 */
	uint64_t device, queue, kernel, program;
	const char *name;	/* of the kernel */
	uint64_t grid[3];	/* work-items; 0: unknown */
	uint32_t workgroup[3];	/* work-items; 0: the API chooses, or unknown */
	uint64_t local_bytes;	/* of a work-group; 0: none, or unknown */
	uint64_t private_bytes; /* of a work-item; 0: none, or unknown */
	uint16_t api;
	bool is_elsewhere; /* on a device that was not chosen to be counted */
};

enum tacho__launch_end {
	TACHO__LAUNCH_ENDED = 0, /* it was alone between begin() and end() */
	TACHO__LAUNCH_BESIDE,	 /* it ended, but others that were held ran beside it */
	TACHO__LAUNCH_FAILED,	 /* it ended with an error of the device */
	TACHO__LAUNCH_REFUSED,	 /* the API refused it: there is no launch */
	TACHO__LAUNCH_UNSEEN,	 /* the driver does not tell when it ends */
};

/* What became of it. Of what an API's layer fills in, `end` is any but BESIDE. */
struct tacho__launch_outcome {
	uint32_t end;		   /* enum tacho__launch_end */
	int32_t vendor_code;	   /* of FAILED and REFUSED; else 0 */
	uint64_t tick;		   /* when it was seen to have ended */
	struct tacho__times times; /* of the device; code says whether there are any */
	const char *why;	   /* a sentence, static; "" when it ended alone */
};

/* Who counts launches. */
struct tacho__launch_subscriber {
	/*
	 * Whether it wants this one: what it returns is handed to the other two; NULL: it does not.
	 * It may call back into a program's tool, and run long.
	 */
	void *(*attach)(const struct tacho__launch *launch);
	/* It has the device for itself and is let go behind this. Not called for one that never
	 * was. */
	void (*begin)(void *attached);
	/* Called once for each that was attached. */
	void (*end)(void *attached, const struct tacho__launch_outcome *outcome);
	/* Optional. This program is gone: its handle may come again and be another. */
	void (*unload)(uint16_t api, uint64_t program);
};

struct tacho__launches {
	atomic_uint wanting; /* subscribers that want launches now */
	atomic_uint subscriber_count;
	const struct tacho__launch_subscriber *subscribers[TACHO__SUBSCRIBERS_MAX];
};

TACHO_API extern struct tacho__launches tacho__launches;

/* False when nobody attaches to launches now. */
static inline bool tacho__launches_are_wanted(void)
{
	return atomic_load_explicit(&tacho__launches.wanting, memory_order_relaxed) != 0;
}

/*
 * Adds a subscriber (static storage) for the life of the process; it wants launches. False when
 * there are too many.
 */
TACHO_API bool tacho__launches_subscribe(const struct tacho__launch_subscriber *subscriber);
/* One that wanted launches wants none for now, and one that wanted none does again. */
TACHO_API void tacho__launches_pause(void);
TACHO_API void tacho__launches_resume(void);
/* How long to wait for progress instead of TACHO__LAUNCH_PATIENCE_NS; for tests and users. */
TACHO_API void tacho__launches_set_patience(uint64_t patience_ns);

/* What the layer of an API does with a launch that is held. */
struct tacho__held_calls {
	/* Opens its gate. It may run and end before this returns. Called once, on any thread. */
	void (*let_go)(void *user);
	/* Optional, for drivers that may forget to say: asked now and then until it is ready. */
	bool (*is_ready)(void *user);
	/* Optional, for the same: called now and then while it has the device; it tells the end. */
	void (*look)(void *user);
	/* Nothing is called any more. Once, behind its end. */
	void (*release)(void *user);
};

struct tacho__held;

/* NULL: nobody attached to it; enqueue it as usual. */
TACHO_API struct tacho__held *tacho__launch_hold(const struct tacho__launch *launch,
						 const struct tacho__held_calls *calls, void *user);
/* It was enqueued and cannot be held: who would have attached to it hears why, as of UNSEEN. */
TACHO_API void tacho__launch_tell_unheld(const struct tacho__launch *launch, const char *why);
/* All that it waits for has ended. Again, or behind its end: nothing. */
TACHO_API void tacho__launch_ready(struct tacho__held *held);
/* It is over, whether it was let go or not. Once. */
TACHO_API void tacho__launch_end(struct tacho__held *held,
				 const struct tacho__launch_outcome *outcome);
/* The caller does not know it any more; once, behind or before its end is told by somebody. */
TACHO_API void tacho__launch_drop(struct tacho__held *held);

/* The API gave up a program: launches that name it from now on are of another. */
TACHO_API void tacho__launch_unload(uint16_t api, uint64_t program);

#endif
