/* SPDX-License-Identifier: MIT */
#include "base/cond.h"

#include <errno.h>
#include <time.h>

static const uint64_t NS_PER_S = 1000000000;

void tacho__cond_init(pthread_cond_t *out_cond)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(out_cond, &attributes);
	pthread_condattr_destroy(&attributes);
}

bool tacho__cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t end_ns)
{
	const struct timespec end = {.tv_sec = (time_t)(end_ns / NS_PER_S),
				     .tv_nsec = (long)(end_ns % NS_PER_S)};

	return pthread_cond_timedwait(cond, lock, &end) != ETIMEDOUT;
}
