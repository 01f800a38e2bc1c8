/* SPDX-License-Identifier: MIT */
/*
 * Which threads of this process are the driver's workers: those that appeared while a call of the
 * API was in flight, or in the second before the first, and never call the API themselves.
 */
#ifndef TACHO_INTERCEPT_WORKERS_H
#define TACHO_INTERCEPT_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "tacho/export.h"

/*
 * Watches from now on; again: nothing. Threads that are there now are the program's, but for those
 * that began within the last second.
 */
TACHO_API void tacho__workers_start(void);

/* The boot time from which on a thread counts as a driver's, where the first call is at that one.
 */
uint64_t tacho__workers_since(uint64_t first_ns);

/* Whether there are any, as far as it is known. */
TACHO_API bool tacho__workers_are_known(void);

/* As struct tacho_session_options wants it: not 0 for a worker; without workers for the caller. */
TACHO_API int tacho__workers_wants(void *unused, int64_t thread);

#endif
