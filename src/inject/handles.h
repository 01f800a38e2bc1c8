/* SPDX-License-Identifier: MIT */
/*
 * A table from handles to numbers that any thread may read and write at any time without a lock.
 * It has room for TACHO__HANDLES_MAX different handles in the life of a process; drivers hand the
 * same ones out again, so that is many.
 */
#ifndef TACHO_INJECT_HANDLES_H
#define TACHO_INJECT_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Pages of it that are never used cost nothing. */
enum { TACHO__HANDLES_BITS = 16, TACHO__HANDLES_MAX = 1 << TACHO__HANDLES_BITS };

struct tacho__handles {
	_Atomic(uintptr_t) keys[TACHO__HANDLES_MAX];
	_Atomic(uint64_t) values[TACHO__HANDLES_MAX];
};

/* False when the table is full and the handle is not in it. */
bool tacho__handles_set(struct tacho__handles *handles, const void *handle, uint64_t value);

/* 0 when the handle is not there. */
uint64_t tacho__handles_get(const struct tacho__handles *handles, const void *handle);

#endif
