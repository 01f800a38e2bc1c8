/* SPDX-License-Identifier: MIT */
/*
 * What tools are told of a counter. It is made once for each and stays: strings and arrays are
 * never freed. Dimensions are those on the first agent of the counter's family.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "face/rocprofiler/rocprofiler.h"

struct info {
	rocprofiler_counter_info_v1_t v1;
	rocprofiler_counter_record_dimension_info_t *dimensions;
};

static struct {
	pthread_mutex_t lock;
	struct tacho__arena arena;
	struct tacho__map by_id; /* to struct info */
} infos = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- how many there are of it ---- */

static bool add_dimensions(struct info *info, const struct tacho_column *shape)
{
	size_t count = shape->dimension_count;
	rocprofiler_counter_record_dimension_info_t *dimensions =
		tacho__arena_get(&infos.arena, count * sizeof(*dimensions));
	const rocprofiler_counter_record_dimension_info_t **list =
		tacho__arena_get(&infos.arena, count * sizeof(*list));

	if (!dimensions || !list)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t id = tacho__rocp_dimension_find(shape->dimensions[i].name);

		dimensions[i] = (rocprofiler_counter_record_dimension_info_t){
			.name = tacho__rocp_dimension_name(id),
			.instance_size = shape->dimensions[i].extent,
			.id = id};
		list[i] = &dimensions[i];
	}
	info->dimensions = dimensions;
	info->v1.dimensions = list;
	info->v1.dimensions_count = count;
	return true;
}

/* The positions of an instance; shared with no other. */
static const rocprofiler_counter_dimension_info_t **make_positions(const struct tacho_column *shape,
								   size_t instance)
{
	size_t count = shape->dimension_count;
	rocprofiler_counter_dimension_info_t *positions =
		tacho__arena_get(&infos.arena, count * sizeof(*positions));
	const rocprofiler_counter_dimension_info_t **list =
		tacho__arena_get(&infos.arena, count * sizeof(*list));

	for (size_t i = count; positions && list && i-- > 0;) {
		const struct tacho_dimension *dimension = &shape->dimensions[i];
		uint64_t id = tacho__rocp_dimension_find(dimension->name);

		positions[i] = (rocprofiler_counter_dimension_info_t){
			.size = sizeof(positions[i]),
			.dimension_name = tacho__rocp_dimension_name(id),
			.index = instance % dimension->extent};
		instance /= dimension->extent;
		list[i] = &positions[i];
	}
	return positions ? list : NULL;
}

static bool add_instances(struct info *info, const struct tacho_column *shape)
{
	size_t count = shape->instance_count;
	rocprofiler_counter_record_dimension_instance_info_t *instances =
		tacho__arena_get(&infos.arena, count * sizeof(*instances));
	const rocprofiler_counter_record_dimension_instance_info_t **list =
		tacho__arena_get(&infos.arena, count * sizeof(*list));
	size_t added = 0;

	for (size_t i = 0; instances && list && i < count; i++) {
		rocprofiler_counter_record_dimension_instance_info_t *instance = &instances[added];

		if (!tacho_column_is_present(shape, i))
			continue;
		*instance = (rocprofiler_counter_record_dimension_instance_info_t){
			.size = sizeof(*instance),
			.counter_id = info->v1.id.handle,
			.dimensions_count = shape->dimension_count,
			.dimensions = make_positions(shape, i)};
		if (!instance->dimensions)
			return false;
		if (tacho__rocp_instance_id(info->v1.id.handle, shape, i, &instance->instance_id))
			list[added++] = instance;
	}
	info->v1.dimensions_instances = list;
	info->v1.dimensions_instances_count = added;
	return instances && list;
}

/* ---- the whole ---- */

static bool add_texts(struct info *info, const struct tacho_entry *entry)
{
	rocprofiler_counter_info_v1_t *v1 = &info->v1;

	v1->size = sizeof(*v1);
	v1->is_constant = entry->kind == TACHO_ENTRY_CONSTANT;
	v1->is_derived = entry->kind == TACHO_ENTRY_METRIC;
	v1->name = tacho__arena_string(&infos.arena, entry->name);
	v1->description = tacho__arena_string(&infos.arena, entry->description);
	v1->block = tacho__arena_string(&infos.arena,
					entry->kind == TACHO_ENTRY_COUNTER ? entry->block : "");
	v1->expression = tacho__arena_string(
		&infos.arena, v1->is_derived && entry->expression ? entry->expression : "");
	return v1->name && v1->description && v1->block && v1->expression;
}

/* Under the lock. NULL when there is no memory. */
static const struct info *make_info(uint64_t id, const struct tacho__rocp_unit *unit,
				    const struct tacho_entry *entry)
{
	struct info *info = tacho__arena_get(&infos.arena, sizeof(*info));
	struct tacho__rocp_shape shape;
	bool is_whole;

	if (!info)
		return NULL;
	info->v1.id.handle = id;
	is_whole = add_texts(info, entry);
	if (tacho__rocp_shape_find(unit, entry, &shape)) {
		is_whole = is_whole && add_dimensions(info, &shape.column) &&
			   add_instances(info, &shape.column);
		tacho__rocp_shape_finish(&shape);
	} else {
		tacho__rocp_fail("a counter's dimensions cannot be told");
	}
	return is_whole && !tacho__map_set(&infos.by_id, id, info) ? info : NULL;
}

/* The first agent of the counter's family that has it. */
static const struct tacho_entry *find_entry(const struct tacho__rocp_edition *edition,
					    const struct tacho__rocp_counter *counter,
					    const struct tacho__rocp_unit **out_unit)
{
	const struct tacho__rocp_agent *agent;
	const struct tacho_entry *entry = NULL;

	for (size_t i = 0; !entry && (agent = tacho__rocp_agent_get(i)); i++) {
		*out_unit = tacho__rocp_edition_get(edition, agent);
		if (!strcmp((*out_unit)->family, counter->family))
			entry = tacho__rocp_edition_find(edition, agent, counter->name);
	}
	return entry;
}

static rocprofiler_status_t add_info(uint64_t id, const struct info **out_info)
{
	const struct tacho__rocp_counter *counter = tacho__rocp_counter_get(id);
	const struct tacho__rocp_unit *unit;
	const struct tacho_entry *entry;
	struct tacho__rocp_edition *edition;
	rocprofiler_status_t status = tacho__rocp_edition_take(&edition);

	if (status)
		return status;
	entry = counter ? find_entry(edition, counter, &unit) : NULL;
	*out_info = NULL;
	if (entry) {
		pthread_mutex_lock(&infos.lock);
		*out_info = tacho__map_get(&infos.by_id, id);
		if (!*out_info)
			*out_info = make_info(id, unit, entry);
		pthread_mutex_unlock(&infos.lock);
	}
	tacho__rocp_edition_release(edition);
	if (!entry)
		return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
	return *out_info ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
}

static rocprofiler_status_t find_info(uint64_t id, const struct info **out_info)
{
	pthread_mutex_lock(&infos.lock);
	*out_info = tacho__map_get(&infos.by_id, id);
	pthread_mutex_unlock(&infos.lock);
	return *out_info ? ROCPROFILER_STATUS_SUCCESS : add_info(id, out_info);
}

rocprofiler_status_t rocprofiler_query_counter_info(rocprofiler_counter_id_t counter_id,
						    rocprofiler_counter_info_version_id_t version,
						    void *out_info)
{
	const struct info *info;
	rocprofiler_status_t status;

	if (!out_info)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	if (version != ROCPROFILER_COUNTER_INFO_VERSION_0 &&
	    version != ROCPROFILER_COUNTER_INFO_VERSION_1)
		return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI;
	status = find_info(counter_id.handle, &info);
	if (status)
		return status;
	if (version == ROCPROFILER_COUNTER_INFO_VERSION_1)
		*(rocprofiler_counter_info_v1_t *)out_info = info->v1;
	else
		*(rocprofiler_counter_info_v0_t *)out_info = (rocprofiler_counter_info_v0_t){
			.id = info->v1.id,
			.name = info->v1.name,
			.description = info->v1.description,
			.block = info->v1.block,
			.expression = info->v1.expression,
			.is_constant = info->v1.is_constant,
			.is_derived = info->v1.is_derived,
		};
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t
rocprofiler_iterate_counter_dimensions(rocprofiler_counter_id_t id,
				       rocprofiler_available_dimensions_cb_t callback,
				       void *user_data)
{
	const struct info *info;
	rocprofiler_status_t status;

	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	status = find_info(id.handle, &info);
	if (status)
		return status;
	if (!info->v1.dimensions_count)
		return ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND;
	callback(id, info->dimensions, info->v1.dimensions_count, user_data);
	return ROCPROFILER_STATUS_SUCCESS;
}

/* On this agent, where agents of a family differ. */
rocprofiler_status_t rocprofiler_query_counter_instance_count(rocprofiler_agent_id_t agent_id,
							      rocprofiler_counter_id_t counter_id,
							      size_t *out_count)
{
	const struct tacho__rocp_agent *agent = tacho__rocp_agent_find(agent_id);
	const struct tacho__rocp_counter *counter = tacho__rocp_counter_get(counter_id.handle);
	struct tacho__rocp_edition *edition;
	const struct tacho_entry *entry = NULL;
	struct tacho__rocp_shape shape = {.count = 0};
	rocprofiler_status_t status;

	if (!out_count)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	status = tacho__rocp_edition_take(&edition);
	if (status)
		return status;
	if (agent && counter &&
	    !strcmp(tacho__rocp_edition_get(edition, agent)->family, counter->family))
		entry = tacho__rocp_edition_find(edition, agent, counter->name);
	pthread_mutex_lock(&infos.lock);
	if (entry && tacho__rocp_shape_find(tacho__rocp_edition_get(edition, agent), entry, &shape))
		tacho__rocp_shape_finish(&shape);
	pthread_mutex_unlock(&infos.lock);
	tacho__rocp_edition_release(edition);
	if (!agent)
		return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
	if (!entry)
		return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
	*out_count = shape.count;
	return ROCPROFILER_STATUS_SUCCESS;
}
