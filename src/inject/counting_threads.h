/* SPDX-License-Identifier: MIT */
/*
 * Which threads of this process are the driver's workers: those that appeared while a call of the
 * API was in flight, or in the second before the first, and never call the API themselves.
 */
#ifndef TACHO_INJECT_COUNTING_THREADS_H
#define TACHO_INJECT_COUNTING_THREADS_H

#include <stdint.h>

/* Threads that are there now are the program's, but for those that began within the last second. */
void tacho__counting_threads_start(void);

/* The boot time from which on a thread counts as a driver's, where the first call is at that one.
 */
uint64_t tacho__counting_threads_since(uint64_t first_ns);

/* As struct tacho_session_options wants it: not 0 for a worker; without workers for the caller. */
int tacho__counting_wants_thread(void *unused, int64_t thread);

#endif
