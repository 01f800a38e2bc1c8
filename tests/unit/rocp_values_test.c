/* SPDX-License-Identifier: MIT */
/*
 * Device counting of the ROCprofiler-SDK face on simulated devices, over launches that are held as
 * an API's layer does it: every counter and metric, instance by instance, against a session of
 * tacho's own and against metrics worked out from counters.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "face/rocprofiler/rocprofiler.h"
#include "record/wire.h"
#include "tacho/error.h"
#include "tacho/formula.h"
#include "tacho/sim.h"

#define OK ROCPROFILER_STATUS_SUCCESS

enum { AGENTS = 4, ROOM = 1 << 16, BUFFER_BYTES = 1 << 16 };

static const char *const models[AGENTS] = {"", "sim:mi210", "sim:mi300x", "sim:navi31"};

/* ---- the tool ---- */

static struct {
	rocprofiler_context_id_t contexts[AGENTS], both, empty;
	rocprofiler_buffer_id_t buffer;
	rocprofiler_counter_config_id_t config; /* that is chosen next; 0: none */
	rocprofiler_status_t chosen;
	unsigned asked;
	rocprofiler_device_counting_agent_cb_t set_config;
	rocprofiler_counter_record_t records[ROOM];
	size_t record_count;
	rocprofiler_counter_record_t buffered[ROOM];
	size_t buffered_count;
} tool;

static rocprofiler_agent_id_t agent_id(size_t index)
{
	return tacho__rocp_agent_get(index)->info.id;
}

static void choose(rocprofiler_context_id_t context, rocprofiler_agent_id_t agent,
		   rocprofiler_device_counting_agent_cb_t set_config, void *user_data)
{
	assert_ptr_equal(user_data, &tool);
	assert_non_null(tacho__rocp_agent_find(agent));
	tool.asked++;
	tool.set_config = set_config;
	tool.chosen = tool.config.handle ? set_config(context, tool.config) : OK;
}

static void receive(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
		    rocprofiler_record_header_t **headers, size_t count, void *data,
		    uint64_t dropped)
{
	(void)context;
	(void)data;
	assert_int_equal(buffer.handle, tool.buffer.handle);
	assert_int_equal(dropped, 0);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(headers[i]->category, ROCPROFILER_BUFFER_CATEGORY_COUNTERS);
		assert_int_equal(headers[i]->kind, ROCPROFILER_COUNTER_RECORD_VALUE);
		tool.buffered[tool.buffered_count++] =
			*(rocprofiler_counter_record_t *)headers[i]->payload;
	}
}

static rocprofiler_status_t count_device(rocprofiler_context_id_t context, uint64_t buffer,
					 rocprofiler_agent_id_t agent)
{
	return rocprofiler_configure_device_counting_service(
		context, (rocprofiler_buffer_id_t){buffer}, agent, choose, &tool);
}

static void check_refusals(void)
{
	rocprofiler_context_id_t one = tool.contexts[1];

	assert_int_equal(count_device((rocprofiler_context_id_t){9999}, 0, agent_id(1)),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID);
	assert_int_equal(count_device(one, 0, agent_id(1)),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT); /* once is enough */
	assert_int_equal(count_device(one, 9999, agent_id(2)),
			 ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
	assert_int_equal(count_device(one, 0, (rocprofiler_agent_id_t){9999}),
			 ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND);
	assert_int_equal(rocprofiler_configure_device_counting_service(
				 one, (rocprofiler_buffer_id_t){0}, agent_id(2), NULL, NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
}

static int initialize(rocprofiler_client_finalize_t finalize, void *data)
{
	(void)finalize;
	(void)data;
	for (size_t i = 1; i < AGENTS; i++) {
		assert_int_equal(rocprofiler_create_context(&tool.contexts[i]), OK);
		assert_int_equal(count_device(tool.contexts[i], 0, agent_id(i)), OK);
	}
	check_refusals();
	assert_int_equal(rocprofiler_create_context(&tool.empty), OK);
	assert_int_equal(rocprofiler_create_context(&tool.both), OK);
	assert_int_equal(rocprofiler_create_buffer(tool.both, BUFFER_BYTES, BUFFER_BYTES / 2,
						   ROCPROFILER_BUFFER_POLICY_LOSSLESS, receive,
						   NULL, &tool.buffer),
			 OK);
	assert_int_equal(count_device(tool.both, tool.buffer.handle, agent_id(1)), OK);
	assert_int_equal(count_device(tool.both, tool.buffer.handle, agent_id(2)), OK);
	return 0;
}

static rocprofiler_tool_configure_result_t *
configure(uint32_t version, const char *text, uint32_t priority, rocprofiler_client_id_t *client)
{
	static rocprofiler_tool_configure_result_t result = {.size = sizeof(result),
							     .initialize = initialize};

	(void)version;
	(void)text;
	(void)priority;
	client->name = "test";
	return &result;
}

static int set_up(void **state)
{
	struct tacho__rocp_edition *edition;

	(void)state;
	setenv("TACHO_SIM", "mi210,mi300x,navi31", 1);
	assert_int_equal(rocprofiler_force_configure(configure), OK);
	assert_true(tool.both.handle != 0);
	for (size_t i = 1; i < AGENTS; i++)
		assert_int_equal(tacho__rocp_agent_of_launch(1, i)->index, i);
	assert_int_equal(tacho__rocp_edition_take(&edition), OK); /* counters have ids now */
	tacho__rocp_edition_release(edition);
	return 0;
}

/* ---- launches, as an API's layer tells of them ---- */

static void ignore(void *user)
{
	(void)user;
}

static const struct tacho__held_calls held_calls = {.let_go = ignore, .release = ignore};

/* Device 1 is the first agent's behind the CPU, and so on. */
static struct tacho__launch make_launch(size_t agent, uint64_t items)
{
	return (struct tacho__launch){.device = agent,
				      .name = "kernel",
				      .grid = {items, 1, 1},
				      .workgroup = {64, 1, 1},
				      .api = 1};
}

static bool launch(size_t agent, uint64_t items, uint32_t end)
{
	struct tacho__launch own = make_launch(agent, items);
	struct tacho__launch_outcome outcome = {
		.end = end,
		.why = end ? "so" : "",
		.times = {.code = TACHO__SLOT_TIMES, .start = 1000, .end = 1500}};
	struct tacho__held *held = tacho__launch_hold(&own, &held_calls, NULL);

	if (!held)
		return false;
	tacho__launch_ready(held);
	tacho__launch_end(held, &outcome);
	tacho__launch_drop(held);
	return true;
}

/* ---- the same by tacho alone ---- */

struct plain {
	struct tacho_context *context;
	struct tacho_device *device;
	const struct tacho_arch *arch;
	const struct tacho_model *model;
	struct tacho_sim_kernels *kernels;
};

static struct plain plains[AGENTS];

static struct plain *open_plain(size_t agent)
{
	struct plain *plain = &plains[agent];
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = models[agent]};

	if (plain->context)
		return plain;
	assert_int_equal(tacho_context_create(&options, &plain->context), 0);
	assert_int_equal(tacho_device_open(plain->context,
					   tacho_context_get_device_info(plain->context, 0),
					   &plain->device),
			 0);
	plain->arch = tacho_device_get_arch(plain->device);
	plain->model = tacho_device_get_model(plain->device);
	assert_int_equal(tacho_sim_kernels_read(NULL, &plain->kernels), 0);
	return plain;
}

static void close_plains(void)
{
	for (size_t i = 0; i < AGENTS; i++) {
		tacho_sim_kernels_destroy(plains[i].kernels);
		tacho_device_close(plains[i].device);
		tacho_context_destroy(plains[i].context);
	}
}

static void submit(const struct plain *plain, uint64_t items)
{
	struct tacho_sim_work work = {.size = sizeof(work),
				      .name = "kernel",
				      .grid = {items, 1, 1},
				      .workgroup = {64, 1, 1}};
	uint64_t given;

	tacho_sim_kernels_describe(plain->kernels, "kernel", &work, &given);
	assert_int_equal(tacho_sim_submit(plain->device, &work, NULL), 0);
}

/* All passes of the entries over a launch. */
static struct tacho_result *count_plain(struct plain *plain,
					const struct tacho_config_entry *entries, size_t count,
					uint64_t items)
{
	const struct tacho_session_options options = {.size = sizeof(options)};
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *result;
	tacho_range range;
	int more = 1;

	assert_int_equal(tacho_config_create(plain->arch, plain->model, entries, count, &config),
			 0);
	assert_int_equal(tacho_device_plan(plain->device, config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(plain->device, plan, &options, &session), 0);
	while (more) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "r", &range), 0);
		submit(plain, items);
		assert_int_equal(tacho_session_end_range(session, range), 0);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	assert_int_equal(tacho_session_take(session, &result), 0);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return result;
}

/* ---- comparing ---- */

/* The instance of a column that a record names. */
static size_t find_instance(const struct tacho_column *column, uint64_t id)
{
	size_t instance = 0;

	for (uint32_t i = 0; i < column->dimension_count; i++) {
		size_t position;

		assert_int_equal(rocprofiler_query_record_dimension_position(
					 id, tacho__rocp_dimension_find(column->dimensions[i].name),
					 &position),
				 OK);
		assert_true(position < column->dimensions[i].extent);
		instance = instance * column->dimensions[i].extent + position;
	}
	return instance;
}

static bool is_near(double one, double other)
{
	return one == other || fabs(one - other) <= 1e-9 * fmax(fabs(one), fabs(other));
}

/* Each instance that exists has a record, and no other has. */
static void compare(const char *name, const struct tacho_column *column)
{
	size_t expected = 0;
	uint8_t *is_seen = calloc(column->instance_count, 1);

	for (size_t i = 0; i < column->instance_count; i++)
		expected +=
			tacho_column_is_present(column, i) &&
			(tacho_column_get_state(column, 0, i) & TACHO_STATE_MASK) == TACHO_STATE_OK;
	if (tool.record_count != expected)
		fail_msg("%s: %zu records, not %zu", name, tool.record_count, expected);
	for (size_t i = 0; i < tool.record_count; i++) {
		size_t instance = find_instance(column, tool.records[i].id);
		double value = tacho_column_get_value(column, 0, instance);

		assert_true(tacho_column_is_present(column, instance));
		assert_false(is_seen[instance]);
		is_seen[instance] = 1;
		if (!is_near(tool.records[i].counter_value, value))
			fail_msg("%s[%zu] is %g, not %g", name, instance,
				 tool.records[i].counter_value, value);
	}
	free(is_seen);
}

/* What `tacho eval` does: the metric from counters with all their instances. */
static bool compare_derived(struct plain *plain, const struct tacho_entry *metric, uint64_t items)
{
	const struct tacho_derive_options options = {
		.size = sizeof(options), .arch = plain->arch, .model = plain->model};
	const struct tacho_formula formula = {.name = metric->name};
	struct tacho_config_entry entries[256];
	const struct tacho_entry **inputs;
	struct tacho_result *counted, *derived;
	size_t input_count, count = 0;
	char *text;
	bool is_there;

	/* values have no columns of levels that were added up */
	assert_int_equal(tacho_arch_format_expanded(plain->arch, metric, &text), 0);
	is_there = !strstr(text, "accumulate(");
	free(text);
	if (!is_there)
		return false;
	assert_int_equal(tacho_arch_list_inputs(plain->arch, metric, &inputs, &input_count), 0);
	for (size_t i = 0; i < input_count; i++)
		if (inputs[i]->kind == TACHO_ENTRY_COUNTER) {
			assert_true(count < TACHO__ARRAY_SIZE(entries));
			entries[count++] = (struct tacho_config_entry){.name = inputs[i]->name,
								       .keeps_instances = 1};
		}
	free(inputs);
	if (!count)
		return false;
	counted = count_plain(plain, entries, count, items);
	assert_int_equal(tacho_result_derive(counted, &formula, 1, &options, &derived, NULL), 0);
	compare(metric->name, tacho_result_get_column(derived, 0));
	tacho_result_destroy(counted);
	tacho_result_destroy(derived);
	return true;
}

static void sample(rocprofiler_context_id_t context, uint64_t user)
{
	tool.record_count = ROOM;
	assert_int_equal(rocprofiler_sample_device_counting_service(
				 context, (rocprofiler_user_data_t){.value = user},
				 ROCPROFILER_COUNTER_FLAG_NONE, tool.records, &tool.record_count),
			 OK);
}

static void start(rocprofiler_context_id_t context)
{
	tool.asked = 0;
	assert_int_equal(rocprofiler_start_context(context), OK);
	assert_int_equal(tool.chosen, OK);
}

static rocprofiler_status_t make_config(size_t agent, const char *const *names, size_t count)
{
	rocprofiler_counter_id_t ids[16];

	for (size_t i = 0; i < count; i++)
		ids[i].handle =
			tacho__rocp_counter_find(tacho__rocp_agent_get(agent)->info.name, names[i]);
	tool.config.handle = 0;
	return rocprofiler_create_counter_config(agent_id(agent), ids, count, &tool.config);
}

/* ---- every counter ---- */

struct seen {
	size_t counters, metrics, derived, refused;
};

/* What does not fit into one pass needs more by the planner alone, too. */
static void check_refused(struct plain *plain, const struct tacho_entry *entry)
{
	const struct tacho_plan_options options = {.size = sizeof(options), .passes_max = 1};
	const struct tacho_config_entry wanted = {.name = entry->name, .keeps_instances = 1};
	struct tacho_config *config;
	struct tacho_plan *plan;

	assert_int_equal(tacho_config_create(plain->arch, plain->model, &wanted, 1, &config), 0);
	assert_int_equal(tacho_device_plan(plain->device, config, &options, &plan), TACHO_E_PASSES);
	tacho_config_destroy(config);
}

static void check_entry(size_t agent, const struct tacho_entry *entry, struct seen *seen)
{
	const uint64_t items = 37 * 64 + 1000;
	struct plain *plain = open_plain(agent);
	const struct tacho_config_entry wanted = {.name = entry->name, .keeps_instances = 1};
	rocprofiler_status_t status = make_config(agent, &entry->name, 1);
	struct tacho_result *result;

	if (status == ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT) {
		check_refused(plain, entry);
		seen->refused++;
		return;
	}
	assert_int_equal(status, OK);
	start(tool.contexts[agent]);
	assert_int_equal(tool.asked, 1);
	assert_true(launch(agent, items, TACHO__LAUNCH_ENDED));
	sample(tool.contexts[agent], 5);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[agent]), OK);
	result = count_plain(plain, &wanted, 1, items);
	compare(entry->name, tacho_result_get_column(result, 0));
	tacho_result_destroy(result);
	for (size_t i = 0; i < tool.record_count; i++) {
		assert_int_equal(tool.records[i].dispatch_id, 0);
		assert_int_equal(tool.records[i].user_data.value, 5);
		assert_int_equal(tool.records[i].agent_id.handle, agent_id(agent).handle);
	}
	seen->counters += entry->kind == TACHO_ENTRY_COUNTER;
	seen->metrics += entry->kind == TACHO_ENTRY_METRIC;
	if (entry->kind == TACHO_ENTRY_METRIC)
		seen->derived += compare_derived(plain, entry, items);
}

static struct seen check_all(size_t agent)
{
	struct plain *plain = open_plain(agent);
	const struct tacho_entry *entry;
	struct seen seen = {0};

	for (size_t i = 0; (entry = tacho_arch_get_entry(plain->arch, i)); i++) {
		double value;
		bool is_constant =
			!tacho_arch_get_constant(plain->arch, entry, plain->model, &value);

		if (entry->kind != TACHO_ENTRY_CONSTANT && !is_constant)
			check_entry(agent, entry, &seen);
	}
	assert_int_equal(rocprofiler_destroy_counter_config(tool.config), OK);
	tool.config.handle = 0;
	return seen;
}

static void test_all_values(void **state)
{
	static const size_t counters[AGENTS] = {0, 261, 266, 40};

	(void)state;
	for (size_t agent = 1; agent < AGENTS; agent++) {
		struct seen seen = check_all(agent);

		print_message("%s: %zu counters, %zu metrics, %zu from counters, %zu refused\n",
			      models[agent], seen.counters, seen.metrics, seen.derived,
			      seen.refused);
		assert_int_equal(seen.counters, counters[agent]);
	}
}

/* ---- by hand ---- */

static double value_of(uint64_t counter, uint64_t position)
{
	for (size_t i = 0; i < tool.record_count; i++)
		if (tool.records[i].id == (counter << 48 | position))
			return tool.records[i].counter_value;
	fail_msg("no value at %llx", (unsigned long long)position);
	return -1;
}

static uint64_t counter_of(size_t agent, const char *name)
{
	return tacho__rocp_counter_find(tacho__rocp_agent_get(agent)->info.name, name);
}

/*
 * 37 waves on 8 dies with 4 engines each: one for each engine, and a second one for the first
 * engine of dies 0 to 4. Then the same again: values go on from sample to sample.
 */
static void test_by_hand(void **state)
{
	static const char *const names[] = {"SQ_WAVES", "SQ_INSTS_VALU", "VALUUtilization",
					    "CU_NUM"};
	uint64_t waves = counter_of(2, "SQ_WAVES");

	(void)state;
	assert_int_equal(make_config(2, names, TACHO__ARRAY_SIZE(names)), OK);
	start(tool.contexts[2]);
	sample(tool.contexts[2], 0);
	assert_int_equal(tool.record_count, 32 + 32 + 1 + 1);
	assert_true(value_of(waves, 0) == 0);
	assert_true(value_of(counter_of(2, "CU_NUM"), 0) == 304);
	for (unsigned turn = 1; turn <= 3; turn++) {
		assert_true(launch(2, 37 * 64, TACHO__LAUNCH_ENDED));
		sample(tool.contexts[2], turn);
		assert_int_equal(tool.record_count, 32 + 32 + 1 + 1);
		for (uint64_t die = 0; die < 8; die++)
			for (uint64_t engine = 0; engine < 4; engine++)
				assert_true(value_of(waves, engine << 12 | die) ==
					    turn * (engine == 0 && die < 5 ? 2 : 1));
		/* 64 for each wave, by default */
		assert_true(value_of(counter_of(2, "SQ_INSTS_VALU"), UINT64_C(1) << 12 | 7) ==
			    turn * 64);
		/* a metric is not added up */
		assert_true(value_of(counter_of(2, "VALUUtilization"), 0) == 100);
	}
	assert_int_equal(rocprofiler_stop_context(tool.contexts[2]), OK);
	/* the next start begins from nothing */
	start(tool.contexts[2]);
	sample(tool.contexts[2], 0);
	assert_true(value_of(waves, 0) == 0);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[2]), OK);
}

/* What failed, what runs on another agent, and what comes when nobody counts is not in it. */
static void test_what_counts(void **state)
{
	static const char *const names[] = {"SQ_WAVES"};
	uint64_t waves = counter_of(2, "SQ_WAVES");
	struct tacho__launch own = make_launch(2, 64);
	const struct tacho__launch_outcome ended = {.why = ""};
	struct tacho__held *held;

	(void)state;
	assert_false(launch(2, 64, TACHO__LAUNCH_ENDED));
	assert_int_equal(make_config(2, names, 1), OK);
	start(tool.contexts[2]);
	assert_false(launch(1, 64, TACHO__LAUNCH_ENDED));
	assert_true(launch(2, 64, TACHO__LAUNCH_FAILED));
	assert_true(launch(2, 64, TACHO__LAUNCH_REFUSED));
	sample(tool.contexts[2], 0);
	assert_true(value_of(waves, 0) == 0);
	/* one that runs while the context stops, and starts again, is of neither window */
	held = tacho__launch_hold(&own, &held_calls, NULL);
	tacho__launch_ready(held);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[2]), OK);
	start(tool.contexts[2]);
	tacho__launch_end(held, &ended);
	tacho__launch_drop(held);
	sample(tool.contexts[2], 0);
	assert_true(value_of(waves, 0) == 0);
	assert_true(launch(2, 64, TACHO__LAUNCH_ENDED));
	sample(tool.contexts[2], 0);
	assert_true(value_of(waves, 0) == 1);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[2]), OK);
}

/* ---- samples ---- */

static rocprofiler_status_t try_sample(rocprofiler_context_id_t context,
				       rocprofiler_counter_flag_t flags,
				       rocprofiler_counter_record_t *records, size_t *count)
{
	return rocprofiler_sample_device_counting_service(
		context, (rocprofiler_user_data_t){.value = 0}, flags, records, count);
}

static void test_sample_errors(void **state)
{
	static const char *const names[] = {"SQ_WAVES"};
	rocprofiler_context_id_t context = tool.contexts[1];
	size_t room = 7;

	(void)state;
	assert_int_equal(try_sample((rocprofiler_context_id_t){0}, 0, NULL, NULL),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
	assert_int_equal(try_sample((rocprofiler_context_id_t){9999}, 0, NULL, NULL),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED);
	assert_int_equal(try_sample(context, 0, NULL, NULL),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED);
	assert_int_equal(make_config(1, names, 1), OK);
	start(context);
	assert_int_equal(try_sample(context, ROCPROFILER_COUNTER_FLAG_ASYNC, tool.records, &room),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(try_sample(context, 0, tool.records, NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(try_sample(context, 0, tool.records, &room),
			 ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES);
	assert_int_equal(room, 8); /* engines of MI210 */
	assert_int_equal(try_sample(context, 0, tool.records, &room), OK);
	room = 0;
	assert_int_equal(try_sample(context, 0, tool.records, &room),
			 ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES);
	assert_int_equal(rocprofiler_stop_context(context), OK);
	assert_int_equal(rocprofiler_start_context(tool.empty), OK);
	assert_int_equal(try_sample(tool.empty, 0, NULL, NULL),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID);
	assert_int_equal(rocprofiler_stop_context(tool.empty), OK);
}

static void test_set_config(void **state)
{
	static const char *const names[] = {"SQ_WAVES"};
	rocprofiler_counter_config_id_t good;

	(void)state;
	/* nothing chosen: the agent is not counted, and a sample is empty */
	tool.config.handle = 0;
	start(tool.contexts[1]);
	assert_int_equal(tool.asked, 1);
	assert_false(launch(1, 64, TACHO__LAUNCH_ENDED));
	sample(tool.contexts[1], 0);
	assert_int_equal(tool.record_count, 0);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[1]), OK);
	/* of another agent, and of none */
	assert_int_equal(make_config(2, names, 1), OK);
	assert_int_equal(rocprofiler_start_context(tool.contexts[1]), OK);
	assert_int_equal(tool.chosen, ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[1]), OK);
	tool.config.handle = 1 << 20;
	assert_int_equal(rocprofiler_start_context(tool.contexts[1]), OK);
	assert_int_equal(tool.chosen, ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND);
	/* outside of the callback */
	assert_int_equal(make_config(1, names, 1), OK);
	good = tool.config;
	assert_int_equal(tool.set_config(tool.contexts[1], good),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
	assert_int_equal(tool.set_config(tool.empty, good),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[1]), OK);
	/* a config that is destroyed goes on where it counts */
	start(tool.contexts[1]);
	assert_int_equal(rocprofiler_destroy_counter_config(good), OK);
	assert_true(launch(1, 64, TACHO__LAUNCH_ENDED));
	sample(tool.contexts[1], 0);
	assert_int_equal(tool.record_count, 8);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[1]), OK);
	/* services are made while tools initialize only */
	assert_int_equal(count_device(tool.contexts[1], 0, agent_id(2)),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
}

/* Of two agents the tool chooses a config for one. */
static void test_buffered(void **state)
{
	static const char *const names[] = {"SQ_WAVES", "TCC_HIT"};
	size_t count;

	(void)state;
	assert_int_equal(make_config(2, names, 2), OK);
	tool.asked = 0;
	assert_int_equal(rocprofiler_start_context(tool.both), OK);
	assert_int_equal(tool.asked, 2);
	assert_true(launch(2, 37 * 64, TACHO__LAUNCH_ENDED));
	assert_int_equal(rocprofiler_sample_device_counting_service(
				 tool.both, (rocprofiler_user_data_t){.value = 77},
				 ROCPROFILER_COUNTER_FLAG_ASYNC, NULL, NULL),
			 OK);
	assert_int_equal(rocprofiler_flush_buffer(tool.buffer), OK);
	count = tool.buffered_count;
	assert_int_equal(count, 32 + 8 * 16);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(tool.buffered[i].user_data.value, 77);
		assert_int_equal(tool.buffered[i].agent_id.handle, agent_id(2).handle);
		assert_int_equal(tool.buffered[i].dispatch_id, 0);
	}
	/* into the array and into the buffer */
	sample(tool.both, 78);
	assert_int_equal(tool.record_count, count);
	assert_int_equal(rocprofiler_flush_buffer(tool.buffer), OK);
	assert_int_equal(tool.buffered_count, 2 * count);
	assert_memory_equal(tool.records, &tool.buffered[count], count * sizeof(tool.records[0]));
	assert_int_equal(rocprofiler_stop_context(tool.both), OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_values),  cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_what_counts), cmocka_unit_test(test_sample_errors),
		cmocka_unit_test(test_set_config),  cmocka_unit_test(test_buffered),
	};
	int failed = cmocka_run_group_tests(tests, set_up, NULL);

	close_plains();
	return failed;
}
