/* SPDX-License-Identifier: MIT */
/* The names that are nearest to another. */
#ifndef TACHO_BASE_NEAREST_H
#define TACHO_BASE_NEAREST_H

#include <stddef.h>

#include "tacho/sys/nearest.h"

enum { TACHO__HINT_COUNT = 3 }; /* names that an error offers */

/* The `count` best of what is offered one by one; ties stay in their order. */
struct tacho__nearest {
	const void **things; /* room for `count` */
	unsigned *scores;
	size_t count, used;
};

/* "the nearest names are A, B" of things that are names; "" when there are none. */
const char *tacho__nearest_describe(const struct tacho__nearest *nearest);
/* What does not score below it is not kept. */
unsigned tacho__nearest_worst(const struct tacho__nearest *nearest);
void tacho__nearest_offer(struct tacho__nearest *nearest, const void *thing, unsigned score);

#endif
