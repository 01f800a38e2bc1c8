/* SPDX-License-Identifier: MIT */
/* Growing a plain C array. */
#ifndef TACHO_BASE_ARRAY_H
#define TACHO_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#define TACHO__ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Makes room for element `count` in the array whose address is at `array`, doubling `*capacity`.
 * NOMEM; the array is then as it was.
 */
int tacho__array_grow(void *array, size_t *capacity, size_t count, size_t size);
static inline int tacho__array_reserve(void *array, size_t *capacity, size_t count, size_t size)
{
	return count < *capacity ? 0 : tacho__array_grow(array, capacity, count, size);
}

/* Appends a copy of `element`, which is `size` bytes, and counts it. NOMEM. */
int tacho__array_add(void *array, size_t *capacity, size_t *count, const void *element,
		     size_t size);

/* Sorts the numbers and drops those that are there before. Returns how many stay. */
size_t tacho__array_sort_unique(uint32_t *numbers, size_t count);

#endif
