/* SPDX-License-Identifier: MIT */
/* The names that are nearest to another. */
#ifndef TACHO_BASE_NEAREST_H
#define TACHO_BASE_NEAREST_H

#include <stddef.h>

#include "tacho/sys/nearest.h"

/* The `count` best of what is offered one by one; ties stay in their order. */
struct tacho__nearest {
	const void **things; /* room for `count` */
	unsigned *scores;
	size_t count, used;
};

void tacho__nearest_offer(struct tacho__nearest *nearest, const void *thing, unsigned score);

#endif
