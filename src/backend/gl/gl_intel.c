/* SPDX-License-Identifier: MIT */
/*
 * What GL_INTEL_performance_query lists: a query is a set that is programmed as a whole, and its
 * counters are named QUERY/COUNTER, blanks made underscores.
 */
#include <string.h>

#include "backend/gl/gl_private.h"
#include "base/error.h"
#include "catalog/arch.h"

enum {
	QUERIES_MAX = 1024,
	COUNTERS_MAX = 4096, /* of a query */
	NAME_BYTES = 256,
	TEXT_BYTES = 1024,
	DATA_MAX = 1 << 20,
};

/* A query as it is being added. */
struct query {
	uint32_t id, data_size, counter_count;
	char name[NAME_BYTES];
	const char *short_name;
};

static bool is_whole(const struct tacho__gl *gl)
{
	return gl->get_first_perf_query && gl->get_next_perf_query && gl->get_perf_query_info &&
	       gl->get_perf_counter_info && gl->create_perf_query && gl->delete_perf_query &&
	       gl->begin_perf_query && gl->end_perf_query && gl->get_perf_query_data;
}

static const char *join_words(struct tacho__gl_device *device, const char *text)
{
	char *joined = tacho__arena_string(tacho__catalog_arena(device->own.catalog), text);

	for (char *at = joined; at && *at; at++)
		if (*at == ' ' || *at == ',')
			*at = '_';
	return joined;
}

static const char *get_semantic(uint32_t type)
{
	switch (type) {
	case GL__PERFQUERY_COUNTER_EVENT_INTEL: return "event";
	case GL__PERFQUERY_COUNTER_DURATION_NORM_INTEL:
	case GL__PERFQUERY_COUNTER_DURATION_RAW_INTEL: return "duration";
	case GL__PERFQUERY_COUNTER_THROUGHPUT_INTEL: return "throughput";
	case GL__PERFQUERY_COUNTER_TIMESTAMP_INTEL: return "timestamp";
	default: return "";
	}
}

static uint32_t get_size(uint32_t data_type)
{
	switch (data_type) {
	case GL__PERFQUERY_COUNTER_DATA_UINT64_INTEL:
	case GL__PERFQUERY_COUNTER_DATA_DOUBLE_INTEL: return 8;
	case GL__PERFQUERY_COUNTER_DATA_UINT32_INTEL:
	case GL__PERFQUERY_COUNTER_DATA_BOOL32_INTEL:
	case GL__PERFQUERY_COUNTER_DATA_FLOAT_INTEL: return 4;
	default: return 0;
	}
}

/* *out_name is NULL for a counter whose value cannot be read. */
static int add_counter(struct tacho__gl_device *device, const struct query *query, uint32_t counter,
		       const char *block, const char **out_name)
{
	char name[NAME_BYTES] = "", description[TEXT_BYTES] = "";
	uint32_t offset = 0, data_size = 0, type = 0, data_type = 0, size;
	uint64_t maximum = 0;
	struct tacho__gl_counter how = {.kind = TACHO__GL_PERF, .target = query->id};
	struct tacho_entry entry = {.kind = TACHO_ENTRY_COUNTER, .is_programmed = 1};
	const char *short_name;

	*out_name = NULL;
	device->gl.get_perf_counter_info(query->id, counter, sizeof(name), name,
					 sizeof(description), description, &offset, &data_size,
					 &type, &data_type, &maximum);
	name[sizeof(name) - 1] = '\0';
	description[sizeof(description) - 1] = '\0';
	size = get_size(data_type);
	if (!*name || !size || query->data_size < size || offset > query->data_size - size)
		return 0;
	short_name = join_words(device, name);
	entry.name = short_name ? tacho__catalog_text(device->own.catalog, "%s/%s",
						      query->short_name, short_name)
				: NULL;
	entry.title = tacho__catalog_text(device->own.catalog, "%s", name);
	entry.description = tacho__catalog_text(device->own.catalog, "%s", description);
	entry.group = tacho__catalog_text(device->own.catalog, "%s", query->name);
	if (!entry.name || !entry.title || !entry.description || !entry.group)
		return TACHO_E_NOMEM;
	if (tacho__arch_get_exact(tacho__arch_public(device->own.arch), entry.name))
		return 0; /* a name twice in one query: the first is meant */
	entry.type = data_type == GL__PERFQUERY_COUNTER_DATA_FLOAT_INTEL ||
				     data_type == GL__PERFQUERY_COUNTER_DATA_DOUBLE_INTEL
			     ? TACHO_TYPE_F64
			     : TACHO_TYPE_U64;
	entry.semantic = get_semantic(type);
	entry.block = block;
	entry.event = (uint64_t)query->id << 32 | offset;
	entry.width_bits = size * 8;
	entry.source = "GL_INTEL_performance_query of the driver";
	how.index = offset;
	how.type = data_type;
	how.size = size;
	how.data_size = query->data_size;
	*out_name = entry.name;
	return tacho__gl_add_counter(device, &entry, &how);
}

static int add_query(struct tacho__gl_device *device, uint32_t id)
{
	struct query query = {.id = id};
	uint32_t instances = 0, caps = 0, count = 0;
	struct tacho_set set = {.is_exclusive = 1};
	struct tacho_block block = {.instances = 1};
	const char **names;
	int rc = 0;

	device->gl.get_perf_query_info(id, sizeof(query.name), query.name, &query.data_size,
				       &query.counter_count, &instances, &caps);
	query.name[sizeof(query.name) - 1] = '\0';
	if (!*query.name || query.counter_count > COUNTERS_MAX || query.data_size > DATA_MAX)
		return 0;
	query.short_name = join_words(device, query.name);
	names = tacho__arena_get(tacho__catalog_arena(device->own.catalog),
				 (query.counter_count + 1) * sizeof(*names));
	set.name = block.name = query.short_name;
	set.title = tacho__catalog_text(device->own.catalog, "%s", query.name);
	if (!query.short_name || !names || !set.title)
		return TACHO_E_NOMEM;
	/* numbers of counters begin with 1 */
	for (uint32_t i = 1; i <= query.counter_count && !rc; i++) {
		rc = add_counter(device, &query, i, block.name, &names[count]);
		count += names[count] != NULL;
	}
	block.slots = block.event_count = count;
	block.description = "a query of GL_INTEL_performance_query";
	set.guid = "";
	if (!rc && count)
		rc = tacho__arch_add_block(device->own.arch, &block);
	return rc || !count ? rc : tacho__arch_add_set(device->own.arch, &set, names, count);
}

int tacho__gl_add_perf_queries(struct tacho__gl_device *device)
{
	uint32_t id = 0, next;
	int rc = 0;

	if (!is_whole(&device->gl) ||
	    !tacho__gl_has_extension(&device->gl, "GL_INTEL_performance_query"))
		return 0;
	device->gl.get_first_perf_query(&id);
	for (unsigned i = 0; id && i < QUERIES_MAX && !rc; i++) {
		rc = add_query(device, id);
		next = 0;
		device->gl.get_next_perf_query(id, &next);
		id = next;
	}
	return rc;
}
