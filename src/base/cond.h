/* SPDX-License-Identifier: MIT */
/* Conditions whose waits end by CLOCK_MONOTONIC. */
#ifndef TACHO_BASE_COND_H
#define TACHO_BASE_COND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

void tacho__cond_init(pthread_cond_t *out_cond);
/* As pthread_cond_timedwait(): waits once. False: the time has come, and nobody woke it. */
bool tacho__cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t end_ns);

#endif
