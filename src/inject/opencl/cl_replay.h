/* SPDX-License-Identifier: MIT */
/* Keeping what a launch may change, and bringing it back, so that it can run again. */
#ifndef TACHO_INJECT_OPENCL_CL_REPLAY_H
#define TACHO_INJECT_OPENCL_CL_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/counting.h"

struct tacho__opencl_kernel;

/* A piece of memory and its copy. */
struct tacho__kept {
	enum { TACHO__KEPT_BUFFER, TACHO__KEPT_IMAGE, TACHO__KEPT_SVM } kind;
	void *memory; /* cl_mem, or a pointer */
	void *copy;   /* cl_mem, or a pointer */
	size_t bytes;
	size_t region[3]; /* of an image */
};

struct tacho__replay {
	void *queue, *context;
	struct tacho__kept *kept;
	size_t count, capacity;
	uint64_t patience_ns; /* for a device that has brought back a part and refuses the rest */
	char text[160];	      /* why not */
};

/*
 * Copies all that the kernel may write on the queue's device, to be brought back by
 * tacho__copies_bring_back(). NULL, or why it cannot run again: static, or the replay's text.
 * tacho__replay_finish() follows in any case.
 */
const char *tacho__replay_save(struct tacho__replay *replay, void *queue, void *kernel,
			       struct tacho__opencl_kernel *known, uint64_t limit_bytes);
void tacho__replay_finish(struct tacho__replay *replay);

/*
 * Waits for an event: NULL when it ended well, tacho__count_timeout, or that it failed. It must not
 * depend on events that the program sets.
 */
const char *tacho__opencl_await(void *event, uint64_t timeout_ns);

#endif
