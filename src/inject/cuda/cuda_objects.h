/* SPDX-License-Identifier: MIT */
/*
 * What a recording says of the devices, contexts, streams, modules and functions of a CUDA program.
 * Each is told when it is met first, on the thread that has it; handles that the driver gives out
 * again are new things. From any thread; lock-free for what was met, but nothing here is called for
 * a call that gives no work.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_OBJECTS_H
#define TACHO_INJECT_CUDA_CUDA_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "inject/counting_select.h"

/* A function as it was met; kept for the life of the process. */
struct tacho__cuda_kernel {
	struct tacho__counted_kernel counted; /* its name, as its author wrote it */
	uint64_t handle;		      /* in the recording */
};

/*
 * The handle of a stream in the recording. `stream` as the program has it; per_thread: the function
 * takes stream 0 for the calling thread's own. 0: there is no room for more.
 */
uint64_t tacho__cuda_meet_stream(void *context, void *stream, bool per_thread);

/* NULL: there is no room for it. `symbol`: its mangled name when that is known, or NULL. */
struct tacho__cuda_kernel *tacho__cuda_meet_kernel(void *context, void *function,
						   const char *symbol);

/* All functions that are nodes of a graph, so that they are known when it runs. */
void tacho__cuda_meet_graph(void *graph);

/* The handle of the stream that records mean; one that was not met has a name alone. */
uint64_t tacho__cuda_find_stream(uint32_t device, uint32_t context_id, uint32_t stream_id);

/* The handle of the kernel that has this mangled name, 0: none was met. */
uint64_t tacho__cuda_find_kernel(const char *symbol);

/* They are about to be destroyed. */
void tacho__cuda_lose_context(void *context);
void tacho__cuda_lose_stream(void *stream);
/* NULL: nobody knows which. */
void tacho__cuda_lose_module(void *module);
void tacho__cuda_lose_library(void *library);

/* A stream begins, or ends, to be captured into a graph instead of being run. */
void tacho__cuda_count_captures(int more);
/* Whether what is given to the stream now is only captured. */
bool tacho__cuda_is_captured(void *stream, bool per_thread);

#endif
