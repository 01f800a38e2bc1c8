/* SPDX-License-Identifier: MIT */
/*
 * What counting does with CUDA itself: waits with a bound, runs launches again, keeps memory. All
 * of these are tacho's own calls, with the context of the launch current, as it is where a program
 * launches.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_RUN_H
#define TACHO_INJECT_CUDA_CUDA_RUN_H

#include "inject/cuda/cuda_counting.h"

/* What a context is waited for with. {0} at first. */
struct tacho__cuda_waiter {
	void *events[2]; /* of the whole context, of one stream; NULL: not made */
	bool is_recorded[2];
};

/* Finds CUDA's functions, once. NULL, or what is missing: a sentence, static. */
const char *tacho__cuda_run_resolve(void);

/* Marks the end of all that the context has to do, or of what the stream has. NULL, or why not. */
const char *tacho__cuda_mark_context(struct tacho__cuda_waiter *waiter, void *context,
				     void *stream);
const char *tacho__cuda_mark_stream(struct tacho__cuda_waiter *waiter, void *stream);
/* Whether what was marked last is over: waits for at most so long. What failed is over. */
bool tacho__cuda_wait(const struct tacho__cuda_waiter *waiter, uint64_t timeout_ns);
void tacho__cuda_waiter_finish(struct tacho__cuda_waiter *waiter);

/* The CUdevice of the current context; -1: not known. */
int tacho__cuda_get_device(void);

/* The launch's, by a handle that means it in every call. */
void *tacho__cuda_get_launch_stream(const struct tacho__cuda_launch *launch);
/* The launch once more, as the program made it. 0, or the driver's status. */
int tacho__cuda_launch_again(const struct tacho__cuda_launch *launch);

/* Memory that a launch may change, all that the context has of it. */
struct tacho__cuda_memory;

/* Keeps it, in at most so many bytes. NULL, or why it cannot be: a sentence, static. */
const char *tacho__cuda_memory_save(void *context, uint64_t limit_bytes,
				    struct tacho__cuda_memory **out_memory);
/* False: it is not as it was, and nobody knows how it is. */
bool tacho__cuda_memory_restore(struct tacho__cuda_memory *memory);
void tacho__cuda_memory_free(struct tacho__cuda_memory *memory);

#endif
