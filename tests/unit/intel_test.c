/* SPDX-License-Identifier: MIT */
/* Intel's OA unit as a backend, over drivers that check what they are asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/intel/uapi.h"
#include "base/error.h"
#include "intel_fake.h"
#include "oa/period.h"
#include "session/session.h"
#include "tacho/session.h"
#include "tacho/sys/oa_stream.h"

static struct intel_fake fake;

/* A GPU that is open, with a plan. */
struct world {
	struct tacho__backend backend;
	const struct tacho__backend *table[2];
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	const struct tacho_oa_format *format;
	struct tacho_oa_report report; /* the next one to put */
};

static void open_context(struct world *world, const char *tree)
{
	char sysroot[8192];
	const char *definition = intel_fake_path("lnl.xml");
	const char *definitions[] = {definition};
	const struct tacho_catalog_options catalog = {.size = sizeof(catalog),
						      .api = "oa",
						      .definitions = definitions,
						      .definition_count = 1};
	struct tacho_context_options options = {.size = sizeof(options), .catalog = &catalog};

	memset(world, 0, sizeof(*world));
	intel_fake_served = intel_fake_system(&fake);
	world->backend = tacho__backend_intel;
	world->backend.probe = intel_fake_probe;
	world->backend.open = intel_fake_open;
	world->table[0] = &world->backend;
	snprintf(sysroot, sizeof(sysroot), "%s/tests/data/intel/%s", getenv("TACHO_SOURCE_ROOT"),
		 tree);
	options.sysroot = sysroot;
	assert_int_equal(tacho__context_create(&options, world->table, &world->context), 0);
}

static void open_world(struct world *world, enum tacho_oa_driver driver, const char *tree,
		       const char *names)
{
	intel_fake_init(&fake, driver);
	open_context(world, tree);
	assert_int_equal(tacho_device_open(world->context,
					   tacho_context_get_device_info(world->context, 0),
					   &world->device),
			 0);
	assert_int_equal(
		tacho_device_parse_config(world->device, names, NULL, &world->config, NULL), 0);
	assert_int_equal(tacho_device_plan(world->device, world->config, NULL, &world->plan), 0);
	world->format =
		tacho_oa_format_get_usual(driver == TACHO_OA_XE ? TACHO_OA_XE2 : TACHO_OA_GEN8);
	world->report.id = TACHO_OA_REASON_TIMER << 19;
	world->report.context = TACHO_OA_NO_CONTEXT;
}

static int begin(struct world *world, uint64_t window_ns)
{
	struct tacho_session_options options = {
		.size = sizeof(options), .pid = -1, .window_ns = window_ns};

	if (window_ns)
		options.replay = TACHO_REPLAY_NONE;
	return tacho_session_create(world->device, world->plan, &options, &world->session);
}

static void close_world(struct world *world)
{
	tacho_session_destroy(world->session);
	tacho_plan_destroy(world->plan);
	tacho_config_destroy(world->config);
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
	/* Nothing stays behind. */
	assert_false(fake.has_stream);
	assert_false(fake.has_node);
	assert_int_equal(fake.configs_added, fake.configs_removed);
	intel_fake_finish(&fake);
}

/* The report after `ticks` of the timestamp and `clocks` of the core. */
static void put(struct world *world, uint64_t ticks, uint64_t clocks)
{
	uint64_t *values = world->report.values;

	values[0] = (values[0] + ticks) & 0xffffffff;
	values[1] = (values[1] + clocks) & 0xffffffff;
	intel_fake_put(&fake, world->format, &world->report);
}

static void add(struct world *world, const char *counter, uint64_t amount)
{
	int index = tacho_oa_format_find_counter(world->format, counter);

	assert_true(index >= 0);
	world->report.values[index] += amount;
}

static struct tacho_result *finish(struct world *world)
{
	struct tacho_result *result;

	assert_int_equal(tacho_session_take(world->session, &result), 0);
	return result;
}

static double value_of(const struct tacho_result *result, const char *name, size_t row)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);

	assert_non_null(column);
	return tacho_column_get_value(column, row, 0);
}

static uint8_t state_of(const struct tacho_result *result, const char *name, size_t row)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);

	assert_non_null(column);
	return tacho_column_get_state(column, row, 0) & TACHO_STATE_MASK;
}

static void test_exponents(void **state)
{
	(void)state;
	/* 2^(e + 1) ticks of 80 ns: 160 ns, 5.12 us, 10.24 us, 1.31072 ms, 10.48576 ms. */
	assert_int_equal(tacho__oa_get_period_ns(12500000, 0), 160);
	assert_int_equal(tacho__oa_get_period_ns(12500000, 5), 5120);
	assert_int_equal(tacho__oa_get_period_ns(12500000, 6), 10240);
	assert_int_equal(tacho__oa_get_period_ns(12500000, 13), 1310720);
	assert_int_equal(tacho__oa_get_period_ns(12500000, 16), 10485760);
	assert_int_equal(tacho__oa_get_period_ns(12500000, 31), 343597383680);
	/* 2 ticks of 83.33 ns are 166.67: rounded up. */
	assert_int_equal(tacho__oa_get_period_ns(12000000, 0), 167);

	assert_int_equal(tacho__oa_find_exponent(12500000, 0), 0);
	assert_int_equal(tacho__oa_find_exponent(12500000, 240), 0);
	assert_int_equal(tacho__oa_find_exponent(12500000, 241), 1);
	assert_int_equal(tacho__oa_find_exponent(12500000, 1000000), 13);
	/* Between 0.65536 and 1.31072 ms the middle is 0.98304. */
	assert_int_equal(tacho__oa_find_exponent(12500000, 983040), 12);
	assert_int_equal(tacho__oa_find_exponent(12500000, 983041), 13);
	assert_int_equal(tacho__oa_find_exponent(12500000, 10000000), 16);
	assert_int_equal(tacho__oa_find_exponent(12500000, UINT64_MAX), 31);
}

static void test_probe(void **state)
{
	const struct tacho_device_info *info;
	struct world world;

	(void)state;
	intel_fake_init(&fake, TACHO_OA_I915);
	open_context(&world, "i915");
	info = tacho_context_get_device_info(world.context, 0);
	assert_non_null(info);
	assert_string_equal(info->name, "card0");
	assert_string_equal(info->vendor, "Intel");
	assert_string_equal(info->platform, "Intel OA, i915");
	assert_string_equal(info->driver, "PCI 8086:22b1, chv");
	assert_true(info->usable);
	assert_int_equal(info->compute_units, 16);
	assert_int_equal(info->timer_resolution_ns, 80);
	/* The card of another vendor is not ours. */
	assert_null(tacho_context_get_device_info(world.context, 1));
	tacho_context_destroy(world.context);
	intel_fake_finish(&fake);
}

static void test_permission(void **state)
{
	const struct tacho_device_info *info;
	struct world world;

	(void)state;
	intel_fake_init(&fake, TACHO_OA_I915);
	fake.is_privileged = false;
	open_context(&world, "i915");
	info = tacho_context_get_device_info(world.context, 0);
	assert_false(info->usable);
	assert_int_equal(info->code, TACHO_E_PERM);
	assert_non_null(
		strstr(info->cause, "dev.i915.perf_stream_paranoid is 1, CAP_PERFMON is missing"));
	assert_non_null(strstr(info->cure, "sysctl dev.i915.perf_stream_paranoid=0"));
	tacho_context_destroy(world.context);

	fake.open_error = EACCES;
	open_context(&world, "i915");
	info = tacho_context_get_device_info(world.context, 0);
	assert_int_equal(info->code, TACHO_E_PERM);
	assert_non_null(strstr(info->cause, "/dev/dri/renderD128 may not be opened"));
	tacho_context_destroy(world.context);

	/* With 0 nobody needs a privilege. */
	fake.open_error = 0;
	fake.is_paranoid = false;
	open_context(&world, "i915-free");
	assert_true(tacho_context_get_device_info(world.context, 0)->usable);
	tacho_context_destroy(world.context);
	intel_fake_finish(&fake);

	intel_fake_init(&fake, TACHO_OA_XE);
	fake.is_privileged = false;
	open_context(&world, "xe");
	info = tacho_context_get_device_info(world.context, 0);
	assert_int_equal(info->code, TACHO_E_PERM);
	assert_non_null(strstr(info->cause, "dev.xe.observation_paranoid is 1"));
	tacho_context_destroy(world.context);
	intel_fake_finish(&fake);
}

/* A range has what was counted from the report after its begin to the one after its end. */
static void test_range(void **state)
{
	struct tacho_result *result;
	struct world world;
	tacho_range range;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915",
		   "GpuTime,GpuBusy,EuActive,PsEuBothFpuActive,A0,A32");
	assert_int_equal(begin(&world, 0), 0);
	/* sysfs has this set. */
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(fake.config, 7);
	assert_int_equal(fake.configs_added, 0);
	assert_int_equal(fake.exponent, 16);
	add(&world, "A0", 999);
	put(&world, 5, 5);
	intel_fake_wait(&fake);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "r", &range), 0);
	add(&world, "A0", 1000); /* before the range's first report */
	put(&world, 1000, 1000);
	intel_fake_wait(&fake);
	add(&world, "A0", 100000);
	add(&world, "A7", 16 * 50000);
	add(&world, "A32", 77);
	put(&world, 12500, 400000); /* 1 ms at 400 MHz */
	intel_fake_wait(&fake);
	assert_int_equal(tacho_session_end_range(world.session, range), 0);
	assert_int_equal(tacho_session_drain(world.session, 0, NULL), TACHO_E_TIMEOUT);
	add(&world, "A0", 100000);
	put(&world, 12500, 400000);
	assert_int_equal(tacho_session_drain(world.session, 10000000000, NULL), 0);
	add(&world, "A0", 5000); /* behind its last */
	put(&world, 12500, 400000);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	result = finish(&world);
	assert_int_equal(tacho_result_get_row_count(result), 1);
	assert_true(value_of(result, "A0", 0) == 200000);
	assert_true(value_of(result, "A32", 0) == 77);
	assert_true(value_of(result, "GpuTime", 0) == 2000000);
	assert_true(value_of(result, "GpuBusy", 0) == 25);
	/* 50000 of 800000 clocks on each of 16 EUs */
	assert_true(value_of(result, "EuActive", 0) == 6.25);
	assert_int_equal(state_of(result, "A0", 0), TACHO_STATE_OK);
	tacho_result_destroy(result);
	close_world(&world);
}

/* Counters of 40 bits, of 32, and the timestamp run over once. */
static void test_wraps(void **state)
{
	struct tacho_result *result;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "GPU_TIME,GPU_CLOCK,A0,C3");
	assert_int_equal(begin(&world, 1000000), 0);
	world.report.values[0] = 0xfffffff0;
	world.report.values[1] = 0xffffff00;
	add(&world, "A0", 0xffffffffff);
	add(&world, "C3", 0xfffffff0);
	put(&world, 0, 0);
	world.report.values[tacho_oa_format_find_counter(world.format, "A0")] = 5;
	world.report.values[tacho_oa_format_find_counter(world.format, "C3")] = 0x10;
	put(&world, 12500, 400000);
	intel_fake_wait(&fake);
	tacho_session_drain(world.session, 100000000, NULL);
	result = finish(&world);
	while (!tacho_result_get_row_count(result)) {
		tacho_result_destroy(result);
		result = finish(&world);
	}
	assert_true(value_of(result, "GPU_TIME", 0) == 12500);
	assert_true(value_of(result, "GPU_CLOCK", 0) == 400000);
	assert_true(value_of(result, "A0", 0) == 6);
	assert_true(value_of(result, "C3", 0) == 0x20);
	tacho_result_destroy(result);
	close_world(&world);
}

static struct tacho_result *end_windows(struct world *world)
{
	intel_fake_wait(&fake);
	assert_int_equal(tacho_session_end_pass(world->session, NULL), 0);
	return finish(world);
}

/* Windows of 1 ms, 12500 ticks, of reports every 0.4 ms: they end with reports 3, 5 and 8. */
/* No work waits for another because the GPU is counted. */
static void test_modes(void **state)
{
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct world world;

	open_world(&world, TACHO_OA_I915, "i915", "GPU_TIME");
	for (uint32_t mode = TACHO_MODE_SERIALIZED; mode < TACHO_MODE_COUNT; mode++) {
		const struct tacho_config_entry entry = {.name = "A0", .mode = mode};

		assert_int_equal(tacho_config_create(tacho_device_get_arch(world.device), NULL,
						     &entry, 1, &config),
				 0);
		assert_int_equal(tacho_device_plan(world.device, config, NULL, &plan),
				 TACHO_E_UNSUPPORTED);
		assert_non_null(strstr(tacho_error_last()->cause, "whole GPU"));
		tacho_config_destroy(config);
	}
	close_world(&world);
}

static void test_windows(void **state)
{
	static const double amounts[] = {111, 11, 111};
	struct tacho_result *result;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "GPU_TIME,A1");
	assert_int_equal(begin(&world, 1000000), 0);
	/* 8 reports in a window: 125 us; the nearest is 163.84, not 81.92. */
	assert_int_equal(fake.exponent, 10);
	put(&world, 0, 0);
	for (int i = 1; i <= 8; i++) {
		add(&world, "A1",
		    i == 1 || i == 4 || i == 6	 ? 1
		    : i == 2 || i == 5 || i == 7 ? 10
						 : 100);
		put(&world, 5000, 160000);
	}
	result = end_windows(&world);
	assert_int_equal(tacho_result_get_row_count(result), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_true(value_of(result, "A1", i) == amounts[i]);
		assert_true(value_of(result, "GPU_TIME", i) == (i == 1 ? 10000 : 15000));
		assert_int_equal(state_of(result, "A1", i), TACHO_STATE_OK);
	}
	assert_string_equal(tacho_result_get_row(result, 0)->name, "0.001200000");
	assert_string_equal(tacho_result_get_row(result, 1)->name, "0.002000000");
	assert_string_equal(tacho_result_get_row(result, 2)->name, "0.003200000");
	tacho_result_destroy(result);
	close_world(&world);
}

/* What was lost is said, in the window where it was and of those that never were. */
static void test_lost(void **state)
{
	struct tacho_result *result;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "A1,GpuBusy");
	assert_int_equal(begin(&world, 1000000), 0);
	put(&world, 0, 0);
	put(&world, 12500, 100000);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_REPORT_LOST, NULL, 0);
	put(&world, 12500, 100000);
	put(&world, 12500, 100000);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_BUFFER_LOST, NULL, 0);
	put(&world, 50000, 100000); /* 4 ms */
	put(&world, 12500, 100000);
	result = end_windows(&world);
	assert_int_equal(tacho_result_get_row_count(result), 5);
	assert_int_equal(state_of(result, "A1", 0), TACHO_STATE_OK);
	assert_int_equal(state_of(result, "A1", 1), TACHO_STATE_LOST);
	assert_int_equal(state_of(result, "A1", 2), TACHO_STATE_OK);
	assert_int_equal(state_of(result, "GpuBusy", 3), TACHO_STATE_LOST);
	assert_int_equal(state_of(result, "A1", 4), TACHO_STATE_OK);
	assert_int_equal(tacho_session_get_lost_rows(world.session), 3);
	tacho_result_destroy(result);
	close_world(&world);
}

/* Before the first report: it lies between no two, as in tacho oa metrics. */
static void test_lost_first(void **state)
{
	struct tacho_result *result;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "A1");
	assert_int_equal(begin(&world, 1000000), 0);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_REPORT_LOST, NULL, 0);
	put(&world, 0, 0);
	add(&world, "A1", 7);
	put(&world, 12500, 100000);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_BUFFER_LOST, NULL, 0);
	put(&world, 12500, 100000);
	result = end_windows(&world);
	assert_int_equal(tacho_result_get_row_count(result), 2);
	assert_int_equal(state_of(result, "A1", 0), TACHO_STATE_OK);
	assert_true(value_of(result, "A1", 0) == 7);
	assert_int_equal(state_of(result, "A1", 1), TACHO_STATE_LOST);
	assert_int_equal(tacho_session_get_lost_rows(world.session), 0);
	tacho_result_destroy(result);
	close_world(&world);
}

/* A range whose first report may be a lost one misses its beginning; one that begins later not. */
static void test_lost_range(void **state)
{
	struct tacho_result *result;
	struct world world;
	tacho_range early, late;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "A1");
	assert_int_equal(begin(&world, 0), 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "early", &early), 0);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_REPORT_LOST, NULL, 0);
	put(&world, 5, 5);
	intel_fake_wait(&fake);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 2, "late", &late), 0);
	put(&world, 12500, 100000);
	intel_fake_wait(&fake);
	assert_int_equal(tacho_session_end_range(world.session, early), 0);
	assert_int_equal(tacho_session_end_range(world.session, late), 0);
	add(&world, "A1", 3);
	put(&world, 12500, 100000);
	assert_int_equal(tacho_session_drain(world.session, 10000000000, NULL), 0);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	result = finish(&world);
	assert_int_equal(tacho_result_get_row_count(result), 2);
	for (size_t row = 0; row < 2; row++) {
		const struct tacho_row *info = tacho_result_get_row(result, row);

		assert_true(value_of(result, "A1", row) == 3);
		assert_int_equal(state_of(result, "A1", row), strcmp(info->name, "early") == 0
								      ? TACHO_STATE_LOST
								      : TACHO_STATE_OK);
	}
	tacho_result_destroy(result);
	close_world(&world);
}

/* A GPU that is pulled out: rows stay. */
static void test_unplug(void **state)
{
	struct tacho_result *result;
	struct world world;
	int rc = 0;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "A1");
	assert_int_equal(begin(&world, 1000000), 0);
	put(&world, 0, 0);
	add(&world, "A1", 3);
	put(&world, 12500, 100000);
	intel_fake_wait(&fake);
	intel_fake_unplug(&fake);
	for (int i = 0; i < 10000 && rc != TACHO_E_LOST; i++) {
		usleep(1000);
		rc = tacho_session_drain(world.session, 0, NULL);
	}
	assert_int_equal(rc, TACHO_E_LOST);
	assert_non_null(strstr(tacho_error_last()->cause, "No such device"));
	result = finish(&world);
	assert_int_equal(tacho_result_get_row_count(result), 1);
	assert_true(value_of(result, "A1", 0) == 3);
	tacho_result_destroy(result);
	close_world(&world);
}

/* The set is given to the driver when sysfs does not have it, and taken back. */
static void test_own_set(void **state)
{
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "Fpu0Active");
	assert_int_equal(begin(&world, 1000000), 0);
	assert_int_equal(fake.config, 2);
	assert_string_equal(fake.configs[2].guid, "f522a89c-ecd1-4522-8331-3383c54af5f5");
	/* 43 NOA, 4 OA and 7 flexible ones */
	assert_int_equal(fake.configs[2].register_count, 54);
	/* once to see whether it works, once to count */
	assert_int_equal(fake.configs_added, 2);
	close_world(&world);
}

static void expect_error(struct world *world, int code, const char *text)
{
	const struct tacho_error_detail *detail;

	world->session = NULL;
	assert_int_equal(begin(world, 1000000), code);
	detail = tacho_error_last();
	if (!strstr(detail->message, text) && !strstr(detail->cause, text) &&
	    !strstr(detail->cure, text))
		fail_msg("\"%s\" is not in \"%s\", \"%s\", \"%s\"", text, detail->message,
			 detail->cause, detail->cure);
}

static void test_errors(void **state)
{
	struct tacho_session_options options = {.size = sizeof(options)};
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "PsEuBothFpuActive");
	fake.is_held = true;
	expect_error(&world, TACHO_E_BUSY, "another program uses the OA unit");
	fake.is_held = false;
	fake.has_no_unit = true;
	expect_error(&world, TACHO_E_NODEVICE, "No such device");
	fake.has_no_unit = false;
	fake.configs[7].is_there = false;
	expect_error(&world, TACHO_E_UNSUPPORTED, "refuses a stream");
	fake.configs[7].is_there = true;
	fake.is_privileged = false;
	expect_error(&world, TACHO_E_PERM, "dev.i915.perf_stream_paranoid is 1");
	fake.is_privileged = true;
	/* It does not count one process. */
	assert_int_equal(tacho_session_create(world.device, world.plan, &options, &world.session),
			 TACHO_E_UNSUPPORTED);
	world.session = NULL;
	assert_int_equal(begin(&world, 1000000), 0);
	close_world(&world);

	/* Without privilege too many reports a second are refused, by name. */
	intel_fake_init(&fake, TACHO_OA_I915);
	open_world(&world, TACHO_OA_I915, "i915-free", "A1");
	fake.is_privileged = fake.is_paranoid = false;
	fake.max_rate_hz = 1000;
	expect_error(&world, TACHO_E_PERM, "dev.i915.oa_max_sample_rate is 1000, CAP_PERFMON");
	close_world(&world);
}

static void test_xe_windows(void **state)
{
	struct tacho_result *result;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_XE, "xe", "GpuTime,EventsPerEu,PEC3");
	assert_int_equal(begin(&world, 1000000), 0);
	assert_int_equal(fake.config, 2);
	assert_int_equal(fake.configs[2].register_count, 3);
	put(&world, 0, 0);
	add(&world, "PEC3", 1600);
	put(&world, 19200, 1000000); /* 1 ms */
	result = end_windows(&world);
	assert_int_equal(tacho_result_get_row_count(result), 1);
	assert_true(value_of(result, "PEC3", 0) == 1600);
	assert_true(value_of(result, "GpuTime", 0) == 1000000);
	assert_true(value_of(result, "EventsPerEu", 0) == 100);
	tacho_result_destroy(result);
	close_world(&world);
}

/* Reports themselves, as recordings have them. */
static void test_stream(void **state)
{
	const struct tacho_oa_stream_options options = {.set = "RenderBasic", .period_ns = 1000000};
	struct tacho_oa_stream *stream;
	struct tacho_oa_record record;
	uint64_t cpu_ns, ticks;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915", "A1");
	fake.is_held = true;
	assert_int_equal(tacho_oa_stream_open(world.device, &options, &stream), TACHO_E_BUSY);
	fake.is_held = false;
	fake.is_privileged = false;
	assert_int_equal(tacho_oa_stream_open(world.device, &options, &stream), TACHO_E_PERM);
	fake.is_privileged = true;
	assert_int_equal(tacho_oa_stream_open(world.device, &options, &stream), 0);
	assert_int_equal(fake.config, 7);
	assert_int_equal(fake.exponent, 13);
	assert_int_equal(tacho_oa_stream_get_period_ns(stream), 1310720);
	assert_string_equal(tacho_oa_stream_get_device(stream)->set_name, "RenderBasic");
	assert_int_equal(tacho_oa_stream_get_device(stream)->revision, 33);
	assert_int_equal(tacho_oa_stream_get_topology(stream)->eu_count, 16);
	assert_int_equal(tacho_oa_stream_get_clock(stream, &cpu_ns, &ticks), 0);
	assert_int_equal(ticks, 123456789);
	assert_int_equal(tacho_oa_stream_next(stream, 0, &record), 0);
	put(&world, 5, 5);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_BUFFER_LOST, NULL, 0);
	assert_int_equal(tacho_oa_stream_next(stream, 0, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT);
	assert_int_equal(record.size, 256);
	assert_int_equal(record.bytes[4], 5);
	assert_int_equal(tacho_oa_stream_next(stream, 0, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_BUFFER_LOST);
	intel_fake_unplug(&fake);
	assert_int_equal(tacho_oa_stream_next(stream, 0, &record), TACHO_E_LOST);
	tacho_oa_stream_close(stream);
	close_world(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exponents),  cmocka_unit_test(test_probe),
		cmocka_unit_test(test_permission), cmocka_unit_test(test_range),
		cmocka_unit_test(test_modes),	   cmocka_unit_test(test_wraps),
		cmocka_unit_test(test_windows),	   cmocka_unit_test(test_lost),
		cmocka_unit_test(test_lost_first), cmocka_unit_test(test_lost_range),
		cmocka_unit_test(test_unplug),	   cmocka_unit_test(test_own_set),
		cmocka_unit_test(test_errors),

		cmocka_unit_test(test_stream),	   cmocka_unit_test(test_xe_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
