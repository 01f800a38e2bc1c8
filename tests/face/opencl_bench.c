/* SPDX-License-Identifier: MIT */
#include "opencl_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

struct opencl_fake fake;
struct tacho_context *context;
struct tacho_device *device;
struct tacho_config *config;
struct tacho_plan *plan;
struct tacho_session *session;

int reset(void **state)
{
	fake = (struct opencl_fake){.version = "OpenCL 1.2 fake", .properties = PROFILING};
	return 0;
}

int open_queue(void)
{
	struct tacho_context_options options = {
		.size = sizeof(options), .backends = "opencl_queue", .handle = &fake};
	const struct tacho_device_info *info;
	int rc;

	assert_int_equal(tacho_context_create(&options, &context), 0);
	info = tacho_context_get_device_info(context, 0);
	assert_non_null(info);
	assert_string_equal(info->name, fake.name ? fake.name : "Fake");
	rc = tacho_device_open(context, info, &device);
	if (rc)
		tacho_context_destroy(context);
	return rc;
}

void add_range(uint64_t begin_ns, uint64_t end_ns)
{
	tacho_range range;

	fake.now_ns = begin_ns;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &range), 0);
	fake.now_ns = end_ns;
	assert_int_equal(tacho_session_end_range(session, range), 0);
}

void finish(void)
{
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
	assert_int_equal(fake.events, 0);
	assert_int_equal(fake.queue_references, 0);
}

int plan_list(const char *list)
{
	int rc;

	assert_int_equal(tacho_device_parse_config(device, list, NULL, &config, NULL), 0);
	rc = tacho_device_plan(device, config, NULL, &plan);
	if (rc) {
		tacho_config_destroy(config);
		config = NULL;
	}
	return rc;
}

void begin_list(const char *list)
{
	fake.status = 1;
	fake.calls_back = 1;
	assert_int_equal(plan_list(list), 0);
	assert_int_equal(tacho_session_create(device, plan, NULL, &session), 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
}

struct tacho_result *take_result(void)
{
	struct tacho_result *result;

	fake.status = 0;
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	return result;
}

void assert_value(const struct tacho_result *result, const char *name, size_t row, double value)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);

	assert_non_null(column);
	assert_int_equal(tacho_column_get_state(column, row, 0), TACHO_STATE_OK);
	assert_true(tacho_column_get_value(column, row, 0) == value);
}

static uint32_t get_slots(uint64_t block)
{
	return 4;
}

/* A block and an event, so that each value is another one. */
static uint64_t get_value(uint64_t block, uint64_t event)
{
	return block * 1000 + event;
}

void open_amd(void)
{
	fake.type = 4; /* CL_DEVICE_TYPE_GPU */
	fake.vendor = 0x1002;
	fake.name = "gfx803";
	fake.has_counters = 1;
	fake.get_slots = get_slots;
	fake.get_value = get_value;
	assert_int_equal(open_queue(), 0);
}
