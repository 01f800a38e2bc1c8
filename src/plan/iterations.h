/* SPDX-License-Identifier: MIT */
/* Lists of numbers that select launches of a kernel: "[1-2],[5]". */
#ifndef TACHO_PLAN_ITERATIONS_H
#define TACHO_PLAN_ITERATIONS_H

#include <stdbool.h>

#include "tacho/config.h"

enum { TACHO__ITERATIONS_MAX = 10000 };

/* Sorts them and joins what overlaps or touches. Returns how many stay. */
size_t tacho__iterations_join(struct tacho_iterations *list, size_t count);

/* Whether the n-th launch is among them, which are joined. */
bool tacho__iterations_has(const struct tacho_iterations *list, size_t count, uint64_t n);

#endif
