/* SPDX-License-Identifier: MIT */
/* Waiting for a word of memory to change; the kernel's futex, errno kept. */
#ifndef TACHO_BASE_FUTEX_H
#define TACHO_BASE_FUTEX_H

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Returns when *word is not `seen`, on a wake, a signal, or after timeout_ns. */
static inline void tacho__futex_wait(atomic_uint *word, unsigned seen, uint64_t timeout_ns)
{
	struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / 1000000000),
				   .tv_nsec = (long)(timeout_ns % 1000000000)};
	int error = errno;

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &timeout, NULL, 0);
	errno = error;
}

static inline void tacho__futex_raise(atomic_uint *word)
{
	int error = errno;

	atomic_fetch_add(word, 1);
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	errno = error;
}

#endif
