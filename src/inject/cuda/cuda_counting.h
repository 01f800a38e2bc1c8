/* SPDX-License-Identifier: MIT */
/*
 * Counting launches of a CUDA program. The callbacks of the recorder (cuda_callbacks.c) tell of
 * every launch, on the thread that launches: before the driver has it, and when the driver has
 * returned. What is in between is the program's own launch, which always happens; runs again are
 * launches of tacho's, which are not recorded. Nothing here fails for the program.
 *
 * A launch that is counted: the context is idle (waited for, with a bound), its memory is kept when
 * there are several passes, the range of the first pass is around the program's own launch, and
 * the wait for its end is bounded, too: a kernel that waits for something the program does later is
 * left to run, uncounted, with a note. Then memory is put back and the kernel runs once for each
 * further pass.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_COUNTING_H
#define TACHO_INJECT_CUDA_CUDA_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "inject/counting_select.h"

/* A launch as its call has it. Borrowed; the same at enter and exit. */
struct tacho__cuda_launch {
	uint64_t start; /* tick of its call, by exit; with the thread it names the call */
	void *context, *stream, *function;
	struct tacho__counted_kernel *kernel;	/* NULL: it has no name, as a graph */
	uint32_t grid[3], block[3], cluster[3]; /* cluster: 0 without */
	uint32_t shared_bytes;			/* dynamic */
	bool is_per_thread;			/* stream NULL is the thread's own */
	bool is_cooperative;
	bool is_graph;	  /* a graph as a whole: function is NULL, it is not run again */
	bool is_captured; /* the stream is being captured: nothing runs now */
	void **arguments; /* as the program gave them, NULL: in `extra` */
	void **extra;
	const void *config; /* CUlaunchConfig of cuLaunchKernelEx; NULL: none */
	/* Of cuda_counting.c, from enter to exit; NULL at first. */
	void *counted;
	const char *uncounted; /* why */
	bool simulated;	       /* it is counted as work of a simulated device */
};

/* Reads what is to be counted, when the environment names it. Once, before any context. */
void tacho__cuda_counting_start(void);
/* Whether any launch may be counted. */
bool tacho__cuda_counting_is_on(void);

void tacho__cuda_counting_enter(struct tacho__cuda_launch *launch);
/* `status` of the driver: not 0 when it refused. */
void tacho__cuda_counting_exit(struct tacho__cuda_launch *launch, int status);

/*
 * A capture of the process begins or ends: what counting waits with would break it, so nothing is
 * counted meanwhile. From any thread.
 */
void tacho__cuda_counting_capture(bool begins);

/* It is about to be destroyed: what is open in it ends. */
void tacho__cuda_counting_lose_context(void *context);
/* The process ends, orderly. */
void tacho__cuda_counting_finish(void);

/* Whether the calling thread is inside of tacho's own calls of CUDA: callbacks ignore them. */
bool tacho__cuda_is_own_call(void);
void tacho__cuda_begin_own_calls(void);
void tacho__cuda_end_own_calls(void);

#endif
