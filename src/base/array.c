/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdlib.h>

#include "base/error.h"

void *tacho__array_grow(void *array, size_t *capacity, size_t count, size_t element)
{
	size_t bigger = *capacity ? *capacity : 8, bytes;
	void *moved;

	if (count < *capacity)
		return array;
	while (bigger <= count)
		bigger *= 2;
	if (__builtin_mul_overflow(bigger, element, &bytes) || !(moved = realloc(array, bytes))) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu elements", bigger);
		return NULL;
	}
	*capacity = bigger;
	return moved;
}
