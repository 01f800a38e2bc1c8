/* SPDX-License-Identifier: MIT */
/* How many values a counter has on an agent, and where they come from. */
#include <stdlib.h>
#include <string.h>

#include "face/rocprofiler/rocprofiler.h"

#define DRAIN_NS UINT64_C(5000000000)

/*
 * Positions where no unit exists are known to the device only: a session in which nothing runs has
 * them. Not where it needs several passes: all positions count then.
 */
static struct tacho_result *count_nothing(const struct tacho__rocp_unit *unit,
					  const struct tacho_entry *entry)
{
	const struct tacho_config_entry wanted = {.name = entry->name, .keeps_instances = 1};
	const struct tacho_plan_options plan_options = {.size = sizeof(plan_options),
							.passes_max = 1};
	const struct tacho_session_options options = {.size = sizeof(options),
						      .replay = TACHO_REPLAY_ROTATE};
	struct tacho_config *config = NULL;
	struct tacho_plan *plan = NULL;
	struct tacho_session *session = NULL;
	struct tacho_result *result = NULL;
	tacho_range range;
	int rc = tacho_config_create(unit->arch, unit->model, &wanted, 1, &config);

	if (!rc)
		rc = tacho_device_plan(unit->device, config, &plan_options, &plan);
	if (!rc)
		rc = tacho_session_create(unit->device, plan, &options, &session);
	if (!rc)
		rc = tacho_session_begin_range(session, 0, 0, "", &range);
	if (!rc)
		rc = tacho_session_end_range(session, range);
	if (!rc)
		rc = tacho_session_drain(session, DRAIN_NS, NULL);
	if (!rc)
		tacho_session_take(session, &result);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return result;
}

static void find_present(const struct tacho__rocp_unit *unit, const struct tacho_entry *entry,
			 struct tacho__rocp_shape *shape)
{
	struct tacho_result *result = count_nothing(unit, entry);
	const struct tacho_column *column = tacho_result_get_column(result, 0);
	size_t count = shape->column.instance_count, size = (count + 7) / 8;

	if (column && column->present && column->instance_count == count)
		shape->present = malloc(size);
	if (shape->present) {
		memcpy(shape->present, column->present, size);
		shape->column.present = shape->present;
	}
	tacho_result_destroy(result);
}

bool tacho__rocp_shape_find(const struct tacho__rocp_unit *unit, const struct tacho_entry *entry,
			    struct tacho__rocp_shape *out_shape)
{
	struct tacho__rocp_shape shape = {.column = {.instance_count = 1}};
	struct tacho_column *column = &shape.column;

	if (entry->kind != TACHO_ENTRY_CONSTANT && !entry->is_of_command &&
	    tacho_arch_get_dimensions(unit->arch, entry, unit->model, column->dimensions,
				      &column->dimension_count))
		return false;
	for (uint32_t i = 0; i < column->dimension_count; i++)
		column->instance_count *= column->dimensions[i].extent;
	if (column->instance_count > 1)
		find_present(unit, entry, &shape);
	if (!column->dimension_count)
		column->dimensions[column->dimension_count++] = (struct tacho_dimension){
			.name = tacho__rocp_dimension_name(ROCPROFILER_DIMENSION_INSTANCE),
			.extent = 1};
	for (size_t i = 0; i < column->instance_count; i++)
		shape.count += tacho_column_is_present(column, i) != 0;
	*out_shape = shape;
	return true;
}

void tacho__rocp_shape_finish(struct tacho__rocp_shape *shape)
{
	free(shape->present);
}
