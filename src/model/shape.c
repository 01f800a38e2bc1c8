/* SPDX-License-Identifier: MIT */
#include "model/shape.h"

#include <string.h>

#define INSTANCES_MAX (UINT64_C(1) << 31)

size_t tacho__shape_count(const struct tacho_dimension *dimensions, uint32_t count)
{
	uint64_t product = 1;

	for (uint32_t i = 0; i < count; i++) {
		product *= dimensions[i].extent;
		if (!product || product > INSTANCES_MAX)
			return 0;
	}
	return (size_t)product;
}

int tacho__shape_find(const struct tacho_dimension *dimensions, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(dimensions[i].name, name))
			return (int)i;
	return -1;
}

void tacho__shape_position(const struct tacho_dimension *dimensions, uint32_t count,
			   size_t instance, uint32_t *out_positions)
{
	for (uint32_t i = count; i-- > 0;) {
		uint32_t at = (uint32_t)(instance % dimensions[i].extent);

		out_positions[i] = dimensions[i].positions ? dimensions[i].positions[at] : at;
		instance /= dimensions[i].extent;
	}
}
