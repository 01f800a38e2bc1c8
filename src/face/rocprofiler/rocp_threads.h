/* SPDX-License-Identifier: MIT */
/* Threads of the face's own, in which callbacks of tools run. */
#ifndef TACHO_FACE_ROCPROFILER_ROCP_THREADS_H
#define TACHO_FACE_ROCPROFILER_ROCP_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	TACHO__ROCP_THREADS_MAX = 256,
};

/* Something to be done in a thread. {.run = ...} is one that waits for nothing. */
struct tacho__rocp_task {
	void (*run)(struct tacho__rocp_task *task);
	struct tacho__rocp_task *next;
	atomic_bool is_posted;
};

/* The thread that all share, made when it is not there. False: it cannot be made. */
bool tacho__rocp_thread_make_shared(void);
/* Another one. */
bool tacho__rocp_thread_make(uint64_t *out_handle);
bool tacho__rocp_thread_exists(uint64_t handle);

/*
 * Has the task run in a thread, 0: the shared one. Once for any number of calls until it begins;
 * what is posted behind that runs again. Nothing happens behind tacho__rocp_threads_end().
 */
void tacho__rocp_thread_post(uint64_t handle, struct tacho__rocp_task *task);

/* The caller is one of these threads. */
bool tacho__rocp_thread_is_own(void);

/* Runs what is posted and ends all threads, but for the caller's own. */
void tacho__rocp_threads_end(void);

#endif
