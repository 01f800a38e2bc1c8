/* SPDX-License-Identifier: MIT */
/* rocpd databases: calls, ranges, kernels with their values, copies, allocations. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/amd_rocpd.h"
#include "format/foreign/foreign_csv.h"

static const char *text_of(const struct tacho__rocpd_set *set, uint32_t text)
{
	return text ? set->amd.foreign->texts[text - 1] : "";
}

static struct tacho__amd_number number(const struct tacho__foreign_query *query, int column)
{
	int64_t value = 0;
	struct tacho__amd_number number = {
		.is_known = tacho__foreign_query_int(query, column, &value) && value >= 0};

	number.value = number.is_known ? (uint64_t)value : 0;
	return number;
}

typedef int (*take_fn)(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query);

static int read_table(struct tacho__rocpd_set *set, const char *table, const char *const *columns,
		      size_t count, take_fn take)
{
	struct tacho__foreign_query query = {0};
	struct tacho__buf buf = {0};
	const char *name = tacho__rocpd_table(set, table, &buf);
	int rc = name ? tacho__foreign_query_open(set->db, name, columns, count, "", &query)
		      : TACHO_E_NOMEM;

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1)
		rc = take(set, &query);
	tacho__foreign_query_close(&query);
	tacho__buf_finish(&buf);
	return rc;
}

/* ---- calls and ranges ---- */

static int add_range(struct tacho__rocpd_set *set, const char *category, const char *name,
		     const struct tacho__foreign_call *call)
{
	struct tacho__foreign_range range = {.process = call->process,
					     .thread = call->thread,
					     .start_ns = call->start_ns,
					     .end_ns = call->end_ns,
					     .has_end = 1};

	return tacho__amd_add_marker(&set->amd, category, name, &range);
}

/* Whose it is, and when; *out_is_one is false of one that has no time. */
static int begin_call(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query,
		      struct tacho__foreign_call *call, bool *out_is_one)
{
	struct tacho__rocpd_place place;
	struct tacho__amd_number start, end = {0};
	int rc = tacho__rocpd_time(set, query, TACHO__ROCPD_START, &start);

	*call = (struct tacho__foreign_call){0};
	*out_is_one = !rc && start.is_known;
	if (!*out_is_one)
		return rc;
	rc = tacho__rocpd_time(set, query, TACHO__ROCPD_END, &end);
	call->start_ns = (int64_t)start.value;
	call->end_ns = (int64_t)(end.is_known ? end.value : start.value);
	if (!rc)
		rc = tacho__rocpd_place(set, query, &place);
	if (!rc)
		rc = tacho__rocpd_process(set, place.process, &call->process);
	return rc ? rc : tacho__rocpd_thread(set, place.thread, &call->thread);
}

/* Behind the columns of the place: name_id. */
static int take_region(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query)
{
	int64_t name_id = tacho__foreign_query_get(query, TACHO__ROCPD_PLACE_COUNT);
	struct tacho__foreign_call call;
	uint32_t category, name;
	bool is_one;
	int rc = begin_call(set, query, &call, &is_one);

	if (rc || !is_one)
		return rc;
	rc = tacho__rocpd_text(set, name_id, &name);
	if (!rc)
		rc = tacho__rocpd_event(set, tacho__foreign_query_get(query, TACHO__ROCPD_EVENT),
					&call.link, &category);
	if (rc)
		return rc;
	if (tacho__amd_is_marker(text_of(set, category)))
		return add_range(set, text_of(set, category), text_of(set, name), &call);
	set->calls++;
	rc = tacho__amd_function(&set->amd, text_of(set, category), text_of(set, name),
				 &call.function);
	return rc ? rc : tacho__foreign_add_call(set->amd.foreign, &call);
}

/* Behind the columns of the place: type, level. Its event is that of the call around it. */
static int take_allocation(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query)
{
	struct tacho__foreign_call call;
	bool is_one;
	char name[64];
	int rc = begin_call(set, query, &call, &is_one);

	if (rc || !is_one)
		return rc;
	set->allocations++;
	snprintf(name, sizeof(name), "%.24s %.24s",
		 tacho__foreign_query_text(query, TACHO__ROCPD_PLACE_COUNT),
		 tacho__foreign_query_text(query, TACHO__ROCPD_PLACE_COUNT + 1));
	rc = tacho__amd_function(&set->amd, "memory", name, &call.function);
	return rc ? rc : tacho__foreign_add_call(set->amd.foreign, &call);
}

/* ---- work ---- */

static int take_place(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query,
		      const struct tacho__rocpd_place *place,
		      struct tacho__foreign_command *command)
{
	struct tacho__amd_number start, end;
	uint32_t category;
	int rc = tacho__rocpd_time(set, query, TACHO__ROCPD_START, &start);

	if (!rc)
		rc = tacho__rocpd_time(set, query, TACHO__ROCPD_END, &end);
	if (!rc)
		rc = tacho__rocpd_process(set, place->process, &command->process);
	if (!rc)
		rc = tacho__rocpd_thread(set, place->thread, &command->thread);
	if (!rc)
		rc = tacho__rocpd_device(set, command->process, place->agent, &command->device);
	if (!rc && place->has_queue)
		rc = tacho__rocpd_queue(set, place->queue, command);
	if (!rc)
		rc = tacho__rocpd_event(set, tacho__foreign_query_get(query, TACHO__ROCPD_EVENT),
					&command->link, &category);
	return rc ? rc : tacho__amd_take_times(&set->amd, &start, &end, NULL, command);
}

/* Behind the columns of the place: name_id, dst_agent_id, src_agent_id, size. */
static int take_copy(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query)
{
	const struct tacho__amd_number bytes = number(query, TACHO__ROCPD_PLACE_COUNT + 3);
	struct tacho__foreign_command copy = {.has_bytes = bytes.is_known, .bytes = bytes.value};
	int64_t name_id = tacho__foreign_query_get(query, TACHO__ROCPD_PLACE_COUNT);
	struct tacho__rocpd_place place;
	uint32_t name;
	int rc = tacho__rocpd_text(set, name_id, &name);

	set->copies++;
	if (!rc)
		rc = tacho__amd_take_direction(&set->amd, text_of(set, name), &copy);
	if (!rc)
		rc = tacho__rocpd_place(set, query, &place);
	if (rc)
		return rc;
	place.agent = tacho__foreign_query_get(
		query, TACHO__ROCPD_PLACE_COUNT + (copy.kind == TACHO_COMMAND_WRITE ? 1 : 2));
	rc = take_place(set, query, &place, &copy);
	return rc ? rc : tacho__foreign_add_command(set->amd.foreign, &copy);
}

/* ---- kernels and their values: both in the order of the event that they are of ---- */

struct values {
	struct tacho__rocpd_set *set;
	struct tacho__foreign_query query; /* event_id, pmc_id, value, extdata, sample_id */
	bool has_row;
};

/* Samples stand among the values of launches since schema 3.0.3, and are none. */
static int next_value(struct values *values)
{
	int64_t sample;
	int rc;

	while ((rc = tacho__foreign_query_next(&values->query)) == 1 &&
	       tacho__foreign_query_int(&values->query, 4, &sample))
		values->set->samples++;
	values->has_row = rc == 1;
	return rc < 0 ? rc : 0;
}

static int open_values(struct values *values, struct tacho__buf *buf)
{
	static const char *const columns[] = {"event_id", "pmc_id", "value", "extdata",
					      "sample_id"};
	const char *name = tacho__rocpd_table(values->set, "pmc_event", buf);
	int rc = name ? tacho__foreign_query_open(values->set->db, name, columns, 5,
						  " ORDER BY \"event_id\", \"pmc_id\"",
						  &values->query)
		      : TACHO_E_NOMEM;

	return rc ? rc : next_value(values);
}

/* All rows of a counter and event are instances of it: together they are its value. */
static int take_value(struct values *values, const struct tacho__foreign_command *launch)
{
	const struct tacho__foreign_query *query = &values->query;
	int64_t event = tacho__foreign_query_get(query, 0), id = tacho__foreign_query_get(query, 1);
	struct tacho__foreign_value value = {
		.process = launch->process, .values = launch->values, .state = TACHO_STATE_OK};
	uint64_t count = 0;
	double number;
	int rc = tacho__rocpd_counter(values->set, id, &value.counter);

	for (; !rc && values->has_row && tacho__foreign_query_get(query, 0) == event &&
	       tacho__foreign_query_get(query, 1) == id;
	     rc = next_value(values)) {
		if (!tacho__foreign_query_real(query, 2, &number))
			continue;
		value.number.f64 += number;
		values->set->summed += ++count == 2;
		if (strstr(tacho__foreign_query_text(query, 3), "\"coverage\""))
			value.state = TACHO_STATE_SCALED;
	}
	if (rc || !value.counter || !count)
		return rc;
	return tacho__foreign_add_value(values->set->amd.foreign, &value);
}

/* Those of the launch's event; those before it are of no launch. */
static int take_values(struct values *values, int64_t event,
		       const struct tacho__foreign_command *launch)
{
	int rc = 0;

	while (!rc && launch->values && values->has_row &&
	       tacho__foreign_query_get(&values->query, 0) <= event) {
		if (tacho__foreign_query_get(&values->query, 0) == event) {
			rc = take_value(values, launch);
		} else {
			values->set->lonely++;
			rc = next_value(values);
		}
	}
	return rc;
}

static const char *const kernel_columns[] = {
	TACHO__ROCPD_PLACE,   "kernel_id",   "workgroup_size_x", "workgroup_size_y",
	"workgroup_size_z",   "grid_size_x", "grid_size_y",	 "grid_size_z",
	"group_segment_size", "dispatch_id"};

/* A launch may ask for more local memory than its kernel has of its own. */
static void take_local(const struct tacho__rocpd_set *set, struct tacho__amd_number all,
		       struct tacho__foreign_command *launch)
{
	const struct tacho__objects *objects = &set->amd.foreign->objects;
	const char *text =
		launch->kernel
			? tacho_object_get(&objects->all[launch->kernel - 1]->object, "local_bytes")
			: NULL;
	uint64_t own;

	if (!text || !tacho__foreign_csv_unsigned(text, &own) || !all.is_known || all.value <= own)
		return;
	launch->has_extra_local = 1;
	launch->extra_local_bytes = all.value - own;
}

/* What its values are known by: events are of one run, and the same launch has others in each. */
static uint64_t get_key(const struct tacho__rocpd_set *set,
			const struct tacho__foreign_query *query,
			const struct tacho__foreign_command *launch)
{
	const struct tacho__amd_number event = number(query, TACHO__ROCPD_EVENT),
				       dispatch = number(query, TACHO__ROCPD_PLACE_COUNT + 8);

	if (!set->passes)
		return event.is_known ? event.value + 1 : 0;
	return event.is_known && dispatch.is_known && dispatch.value <= UINT32_MAX
		       ? dispatch.value << 32 | launch->kernel
		       : 0;
}

static int take_kernel(struct tacho__rocpd_set *set, const struct tacho__foreign_query *query,
		       struct tacho__foreign_command *launch)
{
	struct tacho__amd_number grid[3], group[3];
	struct tacho__rocpd_place place;
	int at = TACHO__ROCPD_PLACE_COUNT;
	int rc = tacho__rocpd_place(set, query, &place);

	set->launches++;
	if (!rc)
		rc = take_place(set, query, &place, launch);
	if (!rc)
		rc = tacho__rocpd_kernel(set, tacho__foreign_query_get(query, at), launch);
	for (int i = 0; i < 3; i++) {
		group[i] = number(query, at + 1 + i);
		grid[i] = number(query, at + 4 + i);
	}
	tacho__amd_take_sizes(grid, group, launch);
	take_local(set, number(query, at + 7), launch);
	launch->values = get_key(set, query, launch);
	return rc;
}

/* When it ran in another run than the first says nothing of when it is in the first. */
static int add_launch(struct tacho__rocpd_set *set, struct tacho__foreign_command *launch)
{
	if (!set->passes)
		return tacho__foreign_add_command(set->amd.foreign, launch);
	if (!set->is_again)
		return tacho__amd_add_launch(set->passes, launch, TACHO__AMD_TRACE);
	launch->state = TACHO_STATE_ABSENT;
	launch->start_ns = launch->end_ns = 0;
	return tacho__foreign_word(set->amd.foreign,
				   "it ran in another run of the program than the first",
				   &launch->reason)
		       ? TACHO_E_NOMEM
		       : tacho__amd_add_launch(set->passes, launch, TACHO__AMD_COUNTERS);
}

static int read_launches(struct values *values, struct tacho__foreign_query *query)
{
	int rc = 0;

	while (!rc && (rc = tacho__foreign_query_next(query)) == 1) {
		struct tacho__foreign_command launch = {0};

		rc = take_kernel(values->set, query, &launch);
		if (!rc)
			rc = add_launch(values->set, &launch);
		if (!rc)
			rc = take_values(values,
					 tacho__foreign_query_get(query, TACHO__ROCPD_EVENT),
					 &launch);
	}
	while (!rc && values->has_row) {
		values->set->lonely++;
		rc = next_value(values);
	}
	return rc;
}

static int read_kernels(struct tacho__rocpd_set *set)
{
	struct tacho__buf kernels = {0}, events = {0};
	struct values values = {.set = set};
	struct tacho__foreign_query query = {0};
	const char *name = tacho__rocpd_table(set, "kernel_dispatch", &kernels);
	int rc = name ? open_values(&values, &events) : TACHO_E_NOMEM;

	if (!rc)
		rc = tacho__foreign_query_open(set->db, name, kernel_columns,
					       TACHO__ROCPD_PLACE_COUNT + 9,
					       " ORDER BY \"event_id\"", &query);
	if (!rc)
		rc = read_launches(&values, &query);
	tacho__foreign_query_close(&query);
	tacho__foreign_query_close(&values.query);
	tacho__buf_finish(&kernels);
	tacho__buf_finish(&events);
	return rc;
}

int tacho__rocpd_read_rows(struct tacho__rocpd_set *set)
{
	static const char *const regions[] = {TACHO__ROCPD_PLACE, "name_id"};
	static const char *const allocations[] = {TACHO__ROCPD_PLACE, "type", "level"};
	static const char *const copies[] = {TACHO__ROCPD_PLACE, "name_id", "dst_agent_id",
					     "src_agent_id", "size"};
	enum { PLACE = TACHO__ROCPD_PLACE_COUNT };
	int rc = read_kernels(set);

	if (set->is_again)
		return rc;
	if (!rc)
		rc = read_table(set, "region", regions, PLACE + 1, take_region);
	if (!rc)
		rc = read_table(set, "memory_copy", copies, PLACE + 4, take_copy);
	return rc ? rc
		  : read_table(set, "memory_allocate", allocations, PLACE + 2, take_allocation);
}
