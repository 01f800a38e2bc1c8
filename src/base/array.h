/* SPDX-License-Identifier: MIT */
/* Growing a plain C array. */
#ifndef TACHO_BASE_ARRAY_H
#define TACHO_BASE_ARRAY_H

#include <stddef.h>

#define TACHO__ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Makes room for element `count` in an array of `*capacity` elements of `element` bytes, doubling.
 * Returns the array, moved perhaps, or NULL with the error set, the old array then as it was.
 */
void *tacho__array_grow(void *array, size_t *capacity, size_t count, size_t element);

#endif
