/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

int tacho__array_grow(void *array, size_t *capacity, size_t count, size_t size)
{
	size_t bigger = *capacity ? *capacity : 8, bytes;
	void *now;

	while (bigger <= count)
		bigger *= 2;
	memcpy(&now, array, sizeof(now)); /* through whatever type its pointer has */
	if (__builtin_mul_overflow(bigger, size, &bytes) || !(now = realloc(now, bytes)))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu elements", bigger);
	memcpy(array, &now, sizeof(now));
	*capacity = bigger;
	return 0;
}

int tacho__array_add(void *array, size_t *capacity, size_t *count, const void *element, size_t size)
{
	int rc = tacho__array_reserve(array, capacity, *count, size);
	char *now;

	if (rc)
		return rc;
	memcpy(&now, array, sizeof(now));
	memcpy(now + *count * size, element, size);
	++*count;
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

size_t tacho__array_sort_unique(uint32_t *numbers, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(numbers, count, sizeof(*numbers), compare_numbers);
	for (size_t i = 0; i < count; i++)
		if (!kept || numbers[kept - 1] != numbers[i])
			numbers[kept++] = numbers[i];
	return kept;
}
