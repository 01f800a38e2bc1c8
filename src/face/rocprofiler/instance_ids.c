/* SPDX-License-Identifier: MIT */
/*
 * Which copy of a block a value comes from, in 64 bits: the counter's id above bit 48, positions
 * below. INSTANCE has the 10 bits that it has from ROCprofiler-SDK 1.3 on; smaller positions read
 * the same in 1.0.
 */
#include <string.h>

#include "base/array.h"
#include "face/rocprofiler/rocprofiler.h"

enum { COUNTER_SHIFT = 48 };

static const struct {
	const char *name;
	unsigned shift, bits;
} fields[] = {
	[ROCPROFILER_DIMENSION_NONE] = {"DIMENSION_NONE", 0, COUNTER_SHIFT},
	[ROCPROFILER_DIMENSION_XCC] = {"DIMENSION_XCC", 0, 6},
	[ROCPROFILER_DIMENSION_AID] = {"DIMENSION_AID", 6, 6},
	[ROCPROFILER_DIMENSION_SHADER_ENGINE] = {"DIMENSION_SHADER_ENGINE", 12, 6},
	[ROCPROFILER_DIMENSION_AGENT] = {"DIMENSION_AGENT", 18, 6},
	[ROCPROFILER_DIMENSION_SHADER_ARRAY] = {"DIMENSION_SHADER_ARRAY", 24, 6},
	[ROCPROFILER_DIMENSION_WGP] = {"DIMENSION_WGP", 30, 6},
	[ROCPROFILER_DIMENSION_INSTANCE] = {"DIMENSION_INSTANCE", 36, 10},
};

_Static_assert(TACHO__ARRAY_SIZE(fields) == TACHO__ROCP_DIMENSION_COUNT, "one for each dimension");

static uint64_t mask_of(uint64_t dimension)
{
	return (UINT64_C(1) << fields[dimension].bits) - 1;
}

uint64_t tacho__rocp_dimension_find(const char *name)
{
	for (uint64_t i = 1; i < TACHO__ROCP_DIMENSION_COUNT; i++)
		if (!strcmp(fields[i].name, name))
			return i;
	return 0;
}

const char *tacho__rocp_dimension_name(uint64_t dimension)
{
	return dimension < TACHO__ROCP_DIMENSION_COUNT ? fields[dimension].name : NULL;
}

void tacho__rocp_places_read(const struct tacho_column *column,
			     struct tacho__rocp_places *out_places)
{
	out_places->column = column;
	for (uint32_t i = 0; i < column->dimension_count; i++)
		out_places->fields[i] = tacho__rocp_dimension_find(column->dimensions[i].name);
}

bool tacho__rocp_places_get_id(const struct tacho__rocp_places *places, uint64_t counter,
			       size_t instance, uint64_t *out_id)
{
	uint64_t id = counter << COUNTER_SHIFT;

	for (uint32_t i = places->column->dimension_count; i-- > 0;) {
		const struct tacho_dimension *dimension = &places->column->dimensions[i];
		uint64_t field = places->fields[i];
		uint64_t position = instance % dimension->extent;

		instance /= dimension->extent;
		if (dimension->positions)
			position = dimension->positions[position];
		if (!field || position > mask_of(field))
			return false;
		id |= position << fields[field].shift;
	}
	*out_id = id;
	return true;
}

bool tacho__rocp_instance_id(uint64_t counter, const struct tacho_column *column, size_t instance,
			     uint64_t *out_id)
{
	struct tacho__rocp_places places;

	tacho__rocp_places_read(column, &places);
	return tacho__rocp_places_get_id(&places, counter, instance, out_id);
}

rocprofiler_status_t rocprofiler_query_record_counter_id(rocprofiler_counter_instance_id_t id,
							 rocprofiler_counter_id_t *out_counter)
{
	if (!out_counter)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	out_counter->handle = id >> COUNTER_SHIFT;
	return ROCPROFILER_STATUS_SUCCESS;
}

/* A dimension that the value does not have reads 0, and NONE gives all of them as they are. */
rocprofiler_status_t
rocprofiler_query_record_dimension_position(rocprofiler_counter_instance_id_t id,
					    rocprofiler_counter_dimension_id_t dimension,
					    size_t *out_position)
{
	if (!out_position)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	if (dimension >= TACHO__ROCP_DIMENSION_COUNT)
		return ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND;
	*out_position = id >> fields[dimension].shift & mask_of(dimension);
	return ROCPROFILER_STATUS_SUCCESS;
}
