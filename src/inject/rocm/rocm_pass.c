/* SPDX-License-Identifier: MIT */
/*
 * Values are added up by tacho's session: what AMD's library works out itself has known faults, so
 * it is only asked for raw counters, and each value is put where its own id says.
 */
#include "inject/rocm/rocm_pass.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "inject/rocm/rocm_functions.h"

enum { INSTANCES_MAX = 1 << 20 };

static int fail_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for counters");
}

static int fail_status(rocprofiler_status_t status, const char *what, const char *name)
{
	return tacho__fail(TACHO_E_UNSUPPORTED, tacho__rocm_get_status(status),
			   status == ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT
				   ? "count fewer at a time, and report it: the plan should fit"
				   : "install the ROCm that fits the kernel's driver",
			   "AMD's library refuses %s%s", what, name);
}

/* ---- counters of the agent ---- */

static rocprofiler_status_t on_counters(rocprofiler_agent_id_t agent,
					rocprofiler_counter_id_t *counters, size_t count,
					void *user_data)
{
	struct tacho__rocm_names *names = user_data;

	(void)agent;
	names->list = calloc(count + 1, sizeof(*names->list));
	if (!names->list)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	for (size_t i = 0; i < count; i++) {
		rocprofiler_counter_info_v0_t info = {.name = NULL};

		if (tacho__rocm.query_counter_info(counters[i], ROCPROFILER_COUNTER_INFO_VERSION_0,
						   &info) ||
		    !info.name)
			continue;
		names->list[names->count].name = info.name;
		names->list[names->count++].id = counters[i].handle;
	}
	return ROCPROFILER_STATUS_SUCCESS;
}

int tacho__rocm_names_read(rocprofiler_agent_id_t agent, struct tacho__rocm_names *out_names)
{
	struct tacho__rocm_names names = {0};
	rocprofiler_status_t status =
		tacho__rocm.iterate_agent_supported_counters(agent, on_counters, &names);

	if (status) {
		free(names.list);
		return status == ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES
			       ? fail_memory()
			       : fail_status(status, "the list of counters", "");
	}
	*out_names = names;
	return 0;
}

static uint64_t find_name(const struct tacho__rocm_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->list[i].name, name))
			return names->list[i].id;
	return 0;
}

/* ---- a counter ---- */

/* A counter that the hardware adds up over cycles exists as an expression only. */
static rocprofiler_status_t create_accumulated(const struct tacho__rocm_pass_options *options,
					       const struct tacho_plan_counter *counter,
					       uint64_t *out_id)
{
	char name[160], expression[160];
	rocprofiler_counter_id_t id = {0};
	rocprofiler_status_t status;

	snprintf(name, sizeof(name), "tacho_%s_%s", counter->entry->name, counter->accumulate);
	snprintf(expression, sizeof(expression), "accumulate(%s, %s)", counter->entry->name,
		 counter->accumulate);
	status = tacho__rocm.create_counter(name, strlen(name), expression, strlen(expression), "",
					    0, options->agent, &id);
	*out_id = id.handle;
	return status;
}

static int compare_dimensions(const void *left, const void *right)
{
	const rocprofiler_counter_record_dimension_info_t *const *a = left, *const *b = right;

	return (*a)->id < (*b)->id ? -1 : (*a)->id > (*b)->id;
}

/* Which of the shape's positions the id is of; false when the shape has no such one. */
static bool find_position(const struct tacho__rocm_counter *counter,
			  const struct tacho_column *column, rocprofiler_counter_instance_id_t id,
			  size_t *out_position)
{
	size_t place = 0;

	for (uint32_t i = 0; i < column->dimension_count; i++) {
		size_t position = 0;

		if (tacho__rocm.query_record_dimension_position(id, counter->dimensions[i],
								&position) ||
		    position >= column->dimensions[i].extent)
			return false;
		place = place * column->dimensions[i].extent + position;
	}
	*out_position = place;
	return true;
}

/* Positions of units that exist: a GPU may lack some of its compute units. */
static int read_instances(struct tacho__rocm_counter *counter, struct tacho_column *column,
			  const rocprofiler_counter_info_v1_t *info)
{
	size_t position;

	counter->instances = column->instance_count;
	if (!info->dimensions_instances || !info->dimensions_instances_count ||
	    info->dimensions_instances_count >= column->instance_count)
		return 0;
	counter->present = calloc(1, column->instance_count / 8 + 1);
	if (!counter->present)
		return fail_memory();
	counter->instances = 0;
	for (size_t i = 0; i < info->dimensions_instances_count; i++) {
		if (!find_position(counter, column, info->dimensions_instances[i]->instance_id,
				   &position) ||
		    counter->present[position / 8] >> position % 8 & 1)
			continue;
		counter->present[position / 8] |= (uint8_t)(1u << position % 8);
		counter->instances++;
	}
	column->present = counter->present;
	return 0;
}

/* The shape that the library announces; its order of dimensions means nothing. */
static int read_shape(struct tacho__rocm_counter *counter, struct tacho_column *column)
{
	const rocprofiler_counter_record_dimension_info_t *sorted[TACHO_DIMENSION_MAX];
	rocprofiler_counter_info_v1_t info = {.size = sizeof(info)};
	const rocprofiler_counter_id_t id = {.handle = counter->id};
	rocprofiler_status_t status =
		tacho__rocm.query_counter_info(id, ROCPROFILER_COUNTER_INFO_VERSION_1, &info);

	if (status)
		return fail_status(status, "to describe ", counter->name);
	if (info.dimensions_count > TACHO_DIMENSION_MAX)
		return tacho__fail(TACHO_E_UNSUPPORTED, "it has too many dimensions",
				   "use a newer tacho", "%s cannot be counted", counter->name);
	if (info.dimensions_count)
		memcpy(sorted, info.dimensions, info.dimensions_count * sizeof(sorted[0]));
	qsort(sorted, info.dimensions_count, sizeof(sorted[0]), compare_dimensions);
	column->instance_count = 1;
	for (size_t i = 0; i < info.dimensions_count; i++) {
		if (!sorted[i]->instance_size || sorted[i]->instance_size > INSTANCES_MAX ||
		    column->instance_count * sorted[i]->instance_size > INSTANCES_MAX)
			return tacho__fail(TACHO_E_UNSUPPORTED, "its shape cannot be",
					   "install a newer ROCm", "%s cannot be counted",
					   counter->name);
		column->dimensions[i] = (struct tacho_dimension){
			.name = sorted[i]->name, .extent = (uint32_t)sorted[i]->instance_size};
		counter->dimensions[i] = sorted[i]->id;
		column->instance_count *= sorted[i]->instance_size;
	}
	column->dimension_count = (uint32_t)info.dimensions_count;
	return read_instances(counter, column, &info);
}

static int make_counter(const struct tacho__rocm_pass_options *options,
			const struct tacho_plan_counter *wanted,
			struct tacho__rocm_counter *counter, struct tacho_column *column)
{
	rocprofiler_status_t status;

	counter->name = wanted->entry->name;
	counter->id = find_name(options->names, counter->name);
	*column = (struct tacho_column){
		.name = counter->name, .type = TACHO_TYPE_U64, .instance_count = 1};
	if (!counter->id)
		return 0;
	if (*wanted->accumulate) {
		status = create_accumulated(options, wanted, &counter->id);
		if (status)
			return fail_status(status, "to accumulate ", counter->name);
	}
	return read_shape(counter, column);
}

/* ---- the pass ---- */

static int make_counters(const struct tacho__rocm_pass_options *options,
			 const struct tacho_plan_pass *plan, struct tacho__rocm_count_pass *pass)
{
	int rc = 0;

	pass->counter_count = plan->counter_count;
	pass->counters = calloc(plan->counter_count + 1, sizeof(*pass->counters));
	pass->columns = calloc(plan->counter_count + 1, sizeof(*pass->columns));
	if (!pass->counters || !pass->columns)
		return fail_memory();
	for (size_t i = 0; i < plan->counter_count && !rc; i++) {
		pass->counters[i].first = pass->value_count;
		rc = make_counter(options, &plan->counters[i], &pass->counters[i],
				  &pass->columns[i]);
		pass->value_count += pass->columns[i].instance_count;
	}
	if (rc)
		return rc;
	pass->values = calloc(pass->value_count + 1, sizeof(*pass->values));
	pass->states = calloc(pass->value_count + 1, 1);
	if (!pass->values || !pass->states)
		return fail_memory();
	for (size_t i = 0; i < plan->counter_count; i++) {
		pass->columns[i].data.u64 = pass->values + pass->counters[i].first;
		pass->columns[i].states = pass->states + pass->counters[i].first;
	}
	return 0;
}

static int make_config(const struct tacho__rocm_pass_options *options,
		       struct tacho__rocm_count_pass *pass)
{
	rocprofiler_counter_id_t *ids = calloc(pass->counter_count + 1, sizeof(*ids));
	rocprofiler_status_t status;
	size_t count = 0;

	if (!ids)
		return fail_memory();
	for (size_t i = 0; i < pass->counter_count; i++)
		if (pass->counters[i].id)
			ids[count++].handle = pass->counters[i].id;
	if (!count) { /* its dispatches have rows that say so */
		free(ids);
		return 0;
	}
	status = tacho__rocm.create_counter_config(options->agent, ids, count, &pass->config);
	free(ids);
	return status ? fail_status(status, "the counters of a pass", "") : 0;
}

/* A session in which the program runs once, with this pass. */
static int make_session(const struct tacho__rocm_pass_options *options,
			struct tacho__rocm_count_pass *pass)
{
	const struct tacho_session_options session = {.size = sizeof(session),
						      .replay = TACHO_REPLAY_PROCESS,
						      .only_pass = options->pass,
						      .strict = options->is_strict};
	int rc = tacho_session_create(options->device, options->plan, &session, &pass->session);

	if (!rc)
		rc = tacho_session_begin_pass(pass->session);
	pass->open = options->live->open;
	return rc;
}

int tacho__rocm_pass_make(const struct tacho__rocm_pass_options *options,
			  struct tacho__rocm_count_pass *out_pass)
{
	struct tacho__rocm_count_pass pass = {.rows = 0};
	int rc = make_counters(options, tacho_plan_get_pass(options->plan, options->pass), &pass);

	if (!rc)
		rc = make_config(options, &pass);
	if (!rc)
		rc = make_session(options, &pass);
	if (!rc)
		*out_pass = pass;
	return rc;
}

/* ---- values ---- */

static void add_note(struct tacho__rocm_count_pass *pass, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The first one stays. */
static void add_note(struct tacho__rocm_count_pass *pass, const char *format, ...)
{
	va_list list;

	if (pass->note[0])
		return;
	va_start(list, format);
	vsnprintf(pass->note, sizeof(pass->note), format, list);
	va_end(list);
}

static size_t find_counter(const struct tacho__rocm_count_pass *pass, uint64_t id)
{
	size_t i = 0;

	while (i < pass->counter_count && pass->counters[i].id != id)
		i++;
	return i;
}

static void put_value(struct tacho__rocm_count_pass *pass,
		      const rocprofiler_counter_record_t *value)
{
	rocprofiler_counter_id_t id = {0};
	size_t index = pass->counter_count, place = 0;
	struct tacho__rocm_counter *counter;

	if (!tacho__rocm.query_record_counter_id(value->id, &id))
		index = find_counter(pass, id.handle);
	if (index == pass->counter_count) {
		add_note(pass, "AMD's library gave values of counters that it was not asked for");
		return;
	}
	counter = &pass->counters[index];
	counter->came++;
	if (!find_position(counter, &pass->columns[index], value->id, &place) ||
	    !tacho_column_is_present(&pass->columns[index], place) ||
	    pass->states[counter->first + place] != TACHO_STATE_ABSENT ||
	    !(value->counter_value >= 0 && value->counter_value < 0x1p64)) {
		counter->is_wrong = true;
		return;
	}
	pass->values[counter->first + place] = (uint64_t)value->counter_value;
	pass->states[counter->first + place] = TACHO_STATE_OK;
}

/* What is not whole is no number: a sum of some of the instances would look like one. */
static void judge(struct tacho__rocm_count_pass *pass, size_t index)
{
	const struct tacho__rocm_counter *counter = &pass->counters[index];
	size_t instances = pass->columns[index].instance_count;

	if (!counter->id)
		add_note(pass, "AMD's library has no counter %s", counter->name);
	else if (counter->is_wrong)
		add_note(pass, "AMD's library gave values of %s that cannot be", counter->name);
	else if (counter->came < counter->instances)
		add_note(pass, "AMD's library gave %zu of %zu values of %s", counter->came,
			 counter->instances, counter->name);
	if (counter->is_wrong)
		memset(pass->states + counter->first, TACHO_STATE_ABSENT, instances);
}

int tacho__rocm_pass_take(struct tacho__rocm_count_pass *pass, const char *kernel,
			  const rocprofiler_counter_record_t *values, size_t count,
			  struct tacho_result **out_result)
{
	const struct tacho_row row = {.id = pass->rows++, .name = kernel};
	int rc;

	pass->note[0] = '\0';
	memset(pass->states, TACHO_STATE_ABSENT, pass->value_count);
	for (size_t i = 0; i < pass->counter_count; i++) {
		pass->counters[i].is_wrong = false;
		pass->counters[i].came = 0;
	}
	for (size_t i = 0; i < count; i++)
		put_value(pass, &values[i]);
	for (size_t i = 0; i < pass->counter_count; i++)
		judge(pass, i);
	rc = tacho__rocm_deliver(&pass->open, &row, pass->columns);
	return rc ? rc : tacho_session_take(pass->session, out_result);
}
