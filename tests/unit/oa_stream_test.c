/* SPDX-License-Identifier: MIT */
/* Reports of a simulated GPU: by its timer, and around ranges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "backend/sim/sim_private.h"
#include "oa/report.h"
#include "tacho/error.h"
#include "tacho/session.h"
#include "tacho/sys/oa_stream.h"
#include "test_folder.h"

struct world {
	struct tacho_context *context;
	struct tacho_device *device;
	const struct tacho_oa_format *format;
};

static void open_world(struct world *world, const char *backends)
{
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = backends};

	assert_int_equal(tacho_context_create(&options, &world->context), 0);
	assert_int_equal(tacho_device_open(world->context,
					   tacho_context_get_device_info(world->context, 0),
					   &world->device),
			 0);
	world->format = tacho_oa_format_get_usual(TACHO_OA_GEN8);
}

static void close_world(struct world *world)
{
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
}

static struct tacho__sim_oa *get_oa(const struct world *world)
{
	return TACHO__OWN(struct tacho__sim_device, world->device)->oa;
}

static size_t find(const struct world *world, const char *name)
{
	int index = tacho_oa_format_find_counter(world->format, name);

	assert_true(index >= 0);
	return (size_t)index;
}

static void read_report(struct world *world, struct tacho_oa_stream *stream,
			struct tacho_oa_report *out_report)
{
	struct tacho_oa_record record;

	assert_int_equal(tacho_oa_stream_next(stream, 10000, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT);
	assert_int_equal(record.size, 256);
	assert_int_equal(
		tacho_oa_report_decode(world->format, record.bytes, record.size, out_report), 0);
}

static void open_stream(struct world *world, const char *set, uint64_t period_ns,
			struct tacho_oa_stream **out_stream)
{
	const struct tacho_oa_stream_options options = {.set = set, .period_ns = period_ns};

	assert_int_equal(tacho_oa_stream_open(world->device, &options, out_stream), 0);
}

/* i/6 of the clocks; a wrap of 32 bits in between is none. */
static void test_ratios(void **state)
{
	static const uint64_t sixths[] = {0, 6, 6, 3, 2, 2, 1, 4};
	struct tacho_oa_report before, after;
	struct tacho_oa_stream *stream;
	struct world world;

	(void)state;
	open_world(&world, "sim:bsw");
	for (size_t i = 0; i < 8; i++)
		get_oa(&world)->totals[find(&world, "B0") + i] = 0xfffffff0;
	open_stream(&world, "TestOa", 1000000, &stream);
	read_report(&world, stream, &before);
	for (int round = 0; round < 8; round++) {
		uint32_t clocks;

		read_report(&world, stream, &after);
		clocks = (uint32_t)(after.values[1] - before.values[1]);
		assert_true(clocks > 0);
		for (size_t i = 0; i < 8; i++) {
			size_t at = find(&world, "B0") + i;
			uint32_t b = (uint32_t)(after.values[at] - before.values[at]);
			double expected = (double)clocks * (double)sixths[i] / 6;

			assert_true((double)b >= expected - 1 && (double)b <= expected + 1);
		}
		before = after;
	}
	tacho_oa_stream_close(stream);
	close_world(&world);
}

/*
 * Every 5 ms the kernel begins or ends: a report of its own, with the context that runs from there.
 * A period of 2^14 ticks of 80 ns: reports at 1.31072, 2.62144, 3.93216, 5, 5.24288 ms ...
 */
static void test_reasons(void **state)
{
	static const struct {
		uint32_t ticks, reasons, context;
	} expected[] = {
		{16384, TACHO_OA_REASON_TIMER, 0x1000},
		{32768, TACHO_OA_REASON_TIMER, 0x1000},
		{49152, TACHO_OA_REASON_TIMER, 0x1000},
		{62500, TACHO_OA_REASON_CONTEXT_SWITCH, TACHO_OA_NO_CONTEXT},
		{65536, TACHO_OA_REASON_TIMER, TACHO_OA_NO_CONTEXT},
		{81920, TACHO_OA_REASON_TIMER, TACHO_OA_NO_CONTEXT},
		{98304, TACHO_OA_REASON_TIMER, TACHO_OA_NO_CONTEXT},
		{114688, TACHO_OA_REASON_TIMER, TACHO_OA_NO_CONTEXT},
		{125000, TACHO_OA_REASON_CONTEXT_SWITCH, 0x1000},
	};
	struct tacho_oa_report report;
	struct tacho_oa_report_id id;
	struct tacho_oa_stream *stream;
	struct world world;

	(void)state;
	open_world(&world, "sim:bsw");
	open_stream(&world, NULL, 1000000, &stream);
	assert_int_equal(tacho_oa_stream_get_period_ns(stream), 1310720);
	assert_int_equal(tacho_oa_stream_get_topology(stream)->eu_count, 16);
	assert_int_equal(tacho_oa_stream_get_device(stream)->format, 10);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		read_report(&world, stream, &report);
		tacho_oa_report_id_decode(report.id, TACHO_OA_GEN8, TACHO_OA_SOURCE_PERIODIC, &id);
		assert_int_equal(report.values[0], expected[i].ticks);
		assert_int_equal(id.reasons, expected[i].reasons);
		assert_int_equal(report.context, expected[i].context);
		assert_int_equal(id.context_valid, expected[i].context == TACHO_OA_NO_CONTEXT
							   ? TACHO_OA_NO
							   : TACHO_OA_YES);
		assert_int_equal(id.unslice_hz, 400000000);
		/* A0 counts 400 MHz while it runs: 5 ms at most up to here. */
		assert_int_equal(report.values[find(&world, "A0")],
				 i < 3 ? report.values[1] : 2000000);
	}
	tacho_oa_stream_close(stream);
	close_world(&world);
}

/* A range of 1 ms over counters that are about to run over: 8 waves of 16 items. */
static struct tacho_result *count_range(struct world *world, uint64_t duration_ns)
{
	static const struct tacho_config_entry entries[] = {
		{.name = "A4"}, {.name = "A0"}, {.name = "C6"}};
	const struct tacho_sim_work work = {.size = sizeof(work),
					    .grid = {128, 1, 1},
					    .workgroup = {16, 1, 1},
					    .bytes_read = 64 * 50,
					    .duration_ns = duration_ns};
	const struct tacho_session_options options = {.size = sizeof(options)};
	struct tacho_session *session;
	struct tacho_config *config;
	struct tacho_result *result;
	struct tacho_plan *plan;
	tacho_range range;

	assert_int_equal(tacho_config_create(tacho_device_get_arch(world->device),
					     tacho_device_get_model(world->device), entries, 3,
					     &config),
			 0);
	assert_int_equal(tacho_device_plan(world->device, config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(world->device, plan, &options, &session), 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 0, NULL, &range), 0);
	assert_int_equal(tacho_sim_submit(world->device, &work, NULL), 0);
	assert_int_equal(tacho_session_end_range(session, range), 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return result;
}

static double value_of(const struct tacho_result *result, const char *name)
{
	return tacho_column_get_value(tacho_result_find_column(result, name), 0, 0);
}

static uint8_t state_of(const struct tacho_result *result, const char *name)
{
	return tacho_column_get_state(tacho_result_find_column(result, name), 0, 0) &
	       TACHO_STATE_MASK;
}

static void test_ranges(void **state)
{
	struct tacho_result *result;
	struct tacho__sim_oa *oa;
	struct world world;

	(void)state;
	open_world(&world, "sim:bsw");
	oa = get_oa(&world);
	/* Both halves of a counter are of one moment: the low one wraps with a carry. */
	oa->totals[find(&world, "A4")] = 0x12ffffffff;
	oa->totals[find(&world, "A0")] = 0xffffffffff;
	oa->totals[1] = 0xffffffff;
	result = count_range(&world, 1000000);
	assert_true(value_of(result, "A4") == 8);
	assert_true(value_of(result, "A0") == 400000);
	assert_int_equal(state_of(result, "A0"), TACHO_STATE_OK);
	tacho_result_destroy(result);
	/* They are in the power context: they stand while the GPU sleeps, and go on. */
	assert_int_equal(oa->totals[find(&world, "A4")], 0x12ffffffff + 8);
	assert_int_equal(tacho_sim_advance(world.device, 60000000000), 0);
	assert_int_equal(oa->totals[find(&world, "A4")], 0x12ffffffff + 8);
	result = count_range(&world, 1000000);
	assert_int_equal(oa->totals[find(&world, "A4")], 0x12ffffffff + 16);
	/* Two pairs of reports were written. */
	assert_int_equal(oa->report_number, 4);
	tacho_result_destroy(result);
	close_world(&world);
}

/* In 3 s C can have come to 3 * 400e6 * 16, over 2^32; A of 40 bits cannot have run over. */
static void test_long_range(void **state)
{
	struct tacho_result *result;
	struct world world;

	(void)state;
	open_world(&world, "sim:bsw");
	result = count_range(&world, 3000000000);
	assert_int_equal(state_of(result, "C6"), TACHO_STATE_OVERFLOW);
	assert_int_equal(state_of(result, "A0"), TACHO_STATE_OK);
	assert_true(value_of(result, "A0") == 1200000000);
	tacho_result_destroy(result);
	close_world(&world);
}

static void test_errors(void **state)
{
	struct tacho_oa_stream_options options = {.set = "Nonsense"};
	struct tacho_oa_stream *stream;
	struct world world;

	(void)state;
	open_world(&world, "sim:bsw");
	assert_int_equal(tacho_oa_stream_open(world.device, &options, &stream), TACHO_E_NOTFOUND);
	close_world(&world);
	open_world(&world, "sim:mi300x");
	options.set = NULL;
	assert_int_equal(tacho_oa_stream_open(world.device, &options, &stream),
			 TACHO_E_UNSUPPORTED);
	close_world(&world);
	tacho_oa_stream_close(NULL);
}

/* Writes a device without a model, and opens it. */
static void open_described(struct world *world, const char *clock_mhz, const char *more)
{
	struct folder folder;
	char backends[300];
	const char *path;
	FILE *file;

	folder_make(&folder);
	path = folder_name(&folder, "mine.yaml");
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file,
		"sim-device: 1\nname: mine\ntitle: Mine\nvendor: Intel\n"
		"faces:\n- {arch: chv, api: oa, rules: rules-oa}\n"
		"hardware: {clock_mhz: %s, timestamp_mhz: 12.5, dies: 1, engines: 1, "
		"compute_units: 16, simds: 16, wave_size: 16, waves_per_unit: 7, channels: 2, "
		"channel_bytes: 64, bytes_per_ns: 20, memory_gib: 4}\n%s",
		clock_mhz, more);
	assert_int_equal(fclose(file), 0);
	snprintf(backends, sizeof(backends), "sim:%s", path);
	open_world(world, backends);
	folder_remove(&folder);
}

/* Times and clocks cannot be worked out of nothing. */
static void test_missing_constants(void **state)
{
	static const struct {
		const char *clock_mhz, *more, *cause; /* NULL: nothing is missing */
	} cases[] = {
		{"400", "", "GpuTimestampFrequency"},
		{"400", "properties: {GpuTimestampFrequency: 0}\n", "GpuTimestampFrequency"},
		{"1e-9", "properties: {GpuTimestampFrequency: 12500000}\n", "clock_mhz"},
		{"400", "properties: {GpuTimestampFrequency: 12500000}\n", NULL},
	};
	const struct tacho_oa_stream_options options = {.set = "TestOa", .period_ns = 1000000};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tacho_oa_stream *stream = NULL;
		struct world world;
		int rc;

		open_described(&world, cases[i].clock_mhz, cases[i].more);
		rc = tacho_oa_stream_open(world.device, &options, &stream);
		if (cases[i].cause) {
			assert_int_equal(rc, TACHO_E_INVAL);
			assert_null(stream);
			assert_non_null(strstr(tacho_error_last()->cause, cases[i].cause));
		} else {
			if (rc)
				fail_msg("%s: %s", tacho_error_last()->message,
					 tacho_error_last()->cause);
			/* 2^14 ticks of 80 ns */
			assert_int_equal(tacho_oa_stream_get_period_ns(stream), 1310720);
			tacho_oa_stream_close(stream);
		}
		close_world(&world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratios),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_long_range),
		cmocka_unit_test(test_missing_constants),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
