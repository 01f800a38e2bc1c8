/* SPDX-License-Identifier: MIT */
/* Threads of tacho's own, beside those of the program. */
#ifndef TACHO_BASE_THREAD_H
#define TACHO_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

#include <tacho/export.h>

/*
 * Starts a thread that is called "tacho": by that name it is told from a driver's workers
 * (intercept/workers.h). Signals to the process are handled on the program's own threads; but what
 * this one does wrong itself reaches the program's handlers, for some learn by it: layers that
 * guard memory (SIGSEGV, SIGBUS), sandboxes that answer system calls (SIGSYS). Blocked, it would be
 * the end of the program. 0, or errno.
 */
TACHO_API int tacho__thread_start(pthread_t *out_thread, void *(*run)(void *user), void *user);

/* Whether the process may use another CPU, on which a second thread would run beside the first. */
bool tacho__thread_may_help(void);

#endif
