/* SPDX-License-Identifier: MIT */
/*
 * Triggers and comparators of the simulated Braswell, through its reports. A clock has 2.5 ns, a
 * tick of the timestamp 32 clocks; a kernel runs on clocks 0 to 1999999, from 4000000 on, and so
 * on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tacho/error.h"
#include "tacho/oa.h"
#include "tacho/session.h"
#include "tacho/sim.h"
#include "tacho/sys/oa_stream.h"
#include "test_folder.h"

/* All inputs of a trigger see one signal. */
#define SIGNAL(first_high, first_low, digit) \
	first_high ": " digit digit digit digit "\n" first_low ": " digit digit digit digit "\n"
#define START1(digit)  SIGNAL("2718", "271c", digit digit)
#define START2(digit)  SIGNAL("2728", "272c", digit digit)
#define REPORT1(digit) SIGNAL("2748", "274c", digit digit)
#define REPORT2(digit) SIGNAL("2758", "275c", digit digit)

/* A timer that does not come, and one of 2^14 ticks: 524288 clocks. */
static const uint64_t LONG_NS = 1000000000, TIMER_NS = 1310720;

struct world {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_oa_stream *stream;
	const struct tacho_oa_format *format;
};

/* A set "Mine" of these registers, in a file as users give it. */
static void write_file(const char *path, const char *registers)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs("oa-definitions: 1\narchitecture: chv\nsource: test\nmetrics:\n"
	      "  Mine.Running: {type: u64, unit: cycles, equation: B 0 READ, description: B0.}\n"
	      "  Mine.All: {type: u64, unit: cycles, equation: B 1 READ, description: B1.}\n"
	      "sets:\n  Mine:\n"
	      "    title: Mine\n    guid: 00000000-0000-4000-8000-000000000001\n"
	      "    metrics: [GpuTime, GpuCoreClocks, Mine.Running, Mine.All]\n"
	      "    registers:\n      - kind: OA\n        writes: |\n",
	      file);
	for (const char *line = registers; *line; line = strchr(line, '\n') + 1)
		fprintf(file, "          %.*s\n", (int)(strchr(line, '\n') - line), line);
	assert_int_equal(fclose(file), 0);
}

static void open_world(struct world *world, const char *registers)
{
	struct folder folder;
	const char *path;

	*world = (struct world){.format = tacho_oa_format_get_usual(TACHO_OA_GEN8)};
	folder_make(&folder);
	path = folder_name(&folder, "mine.yaml");
	write_file(path, registers);
	{
		const struct tacho_catalog_options catalog = {
			.size = sizeof(catalog), .definitions = &path, .definition_count = 1};
		const struct tacho_context_options options = {
			.size = sizeof(options), .backends = "sim:bsw", .catalog = &catalog};

		if (tacho_context_create(&options, &world->context) != 0)
			fail_msg("%s", tacho_error_last()->message);
	}
	folder_remove(&folder);
	assert_int_equal(tacho_device_open(world->context,
					   tacho_context_get_device_info(world->context, 0),
					   &world->device),
			 0);
}

static int open_stream(struct world *world, uint64_t period_ns)
{
	const struct tacho_oa_stream_options options = {.set = "Mine", .period_ns = period_ns};

	return tacho_oa_stream_open(world->device, &options, &world->stream);
}

static void open_all(struct world *world, uint64_t period_ns, const char *registers)
{
	open_world(world, registers);
	if (open_stream(world, period_ns) != 0)
		fail_msg("%s", tacho_error_last()->message);
}

static void close_world(struct world *world)
{
	tacho_oa_stream_close(world->stream);
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
}

/* The next report, from its 256 bytes. */
static struct tacho_oa_report read_report(struct world *world, uint32_t *out_reasons)
{
	struct tacho_oa_record record;
	struct tacho_oa_report_id id;
	struct tacho_oa_report report;

	assert_int_equal(tacho_oa_stream_next(world->stream, 10000, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT);
	assert_int_equal(record.size, 256);
	assert_int_equal(tacho_oa_report_decode(world->format, record.bytes, 256, &report), 0);
	tacho_oa_report_id_decode(report.id, TACHO_OA_GEN8, TACHO_OA_SOURCE_PERIODIC, &id);
	*out_reasons = id.reasons;
	return report;
}

static uint64_t get(const struct world *world, const struct tacho_oa_report *report,
		    const char *name)
{
	int index = tacho_oa_format_find_counter(world->format, name);

	assert_true(index >= 0);
	return report->values[index];
}

/* A report at this clock, the unit having started at `start`. */
static struct tacho_oa_report check_report(struct world *world, uint64_t start, uint64_t clock,
					   uint32_t reasons)
{
	uint32_t own;
	struct tacho_oa_report report = read_report(world, &own);

	if (own != reasons || report.values[0] != clock / 32 || report.values[1] != clock - start)
		fail_msg("reasons 0x%x, tick %llu, clock %llu instead of 0x%x, %llu, %llu", own,
			 (unsigned long long)report.values[0], (unsigned long long)report.values[1],
			 reasons, (unsigned long long)clock / 32,
			 (unsigned long long)(clock - start));
	return report;
}

static void test_thresholds(void **state)
{
	/* From the third clock of 1000 on, which is number 2999. */
	const uint64_t start = 2999;
	struct world world;

	(void)state;
	open_all(&world, LONG_NS,
		 "2710: 3\n2714: f0800000\n" START1("9") "2740: c350\n2744: 80800000\n" REPORT1(
			 "3") "2750: c350\n2754: 80800000\n" REPORT2("1"));
	/*
	 * Report 1: 50000 clocks of signal 3, which is true on every second one, the first on clock
	 * 2999: the k-th time when 2999 + 100000 k - 1 clocks have passed. Report 2: 50000 clocks
	 * of kernels, when 2999 + 50000 k have.
	 */
	for (uint64_t k = 1; k <= 39; k++) {
		struct tacho_oa_report report;
		uint64_t clock = start + 50000 * k;

		if (k % 2 == 0)
			check_report(&world, start, clock - 1, TACHO_OA_REASON_TRIGGER1);
		report = check_report(&world, start, clock, TACHO_OA_REASON_TRIGGER2);
		assert_int_equal(get(&world, &report, "A0"), 50000 * k);
		assert_int_equal(report.context, 0x1000);
	}
	/* The kernel ends. 47001 of report 2's clocks are there, and stay. */
	check_report(&world, start, 2000000, TACHO_OA_REASON_CONTEXT_SWITCH);
	for (uint64_t k = 20; k <= 39; k++) {
		struct tacho_oa_report report = check_report(&world, start, start + 100000 * k - 1,
							     TACHO_OA_REASON_TRIGGER1);

		assert_int_equal(get(&world, &report, "A0"), 1997001);
		assert_int_equal(report.context, TACHO_OA_NO_CONTEXT);
	}
	check_report(&world, start, 4000000, TACHO_OA_REASON_CONTEXT_SWITCH);
	check_report(&world, start, 4002998, TACHO_OA_REASON_TRIGGER1);
	check_report(&world, start, 4002999, TACHO_OA_REASON_TRIGGER2);
	assert_string_equal(tacho_oa_stream_get_note(world.stream), "");
	close_world(&world);
}

/* Every 20000 and every 30000 clocks, and the timer every 524288: what coincides is one report. */
static void test_both(void **state)
{
	struct world world;

	(void)state;
	open_all(&world, TIMER_NS,
		 "2740: 4e20\n2744: 80800000\n" REPORT1("0") "2750: 7530\n2754: 80800000\n" REPORT2(
			 "0"));
	for (uint64_t clock = 10000; clock <= 2000000; clock += 10000) {
		uint32_t reasons = (clock % 20000 ? 0 : TACHO_OA_REASON_TRIGGER1) |
				   (clock % 30000 ? 0 : TACHO_OA_REASON_TRIGGER2) |
				   (clock % 2000000 ? 0 : TACHO_OA_REASON_CONTEXT_SWITCH);

		if (clock / 524288 > (clock - 10000) / 524288)
			check_report(&world, 0, clock / 524288 * 524288, TACHO_OA_REASON_TIMER);
		if (reasons)
			check_report(&world, 0, clock, reasons);
	}
	close_world(&world);
	/* Where the timer's clock is the trigger's: every 16384, the 32nd with the timer. */
	open_all(&world, TIMER_NS, "2740: 4000\n2744: 80800000\n" REPORT1("0"));
	for (uint64_t k = 1; k <= 64; k++)
		check_report(&world, 0, 16384 * k,
			     TACHO_OA_REASON_TRIGGER1 | (k % 32 ? 0 : TACHO_OA_REASON_TIMER));
	close_world(&world);
}

/*
 * The third beginning of a kernel is clock 8000000, at 20 ms: timers and switches before it write
 * nothing, that switch neither, and nothing has counted. The next is the timer's 16th report.
 */
static void test_nothing_before_start(void **state)
{
	struct tacho_oa_report report;
	struct world world;

	(void)state;
	open_all(&world, TIMER_NS, "2710: 3\n2714: f0800000\n" START1("2") "2778: 7\n");
	report = check_report(&world, 8000000, 16 * 524288, TACHO_OA_REASON_TIMER);
	assert_int_equal(report.values[1], 388608);
	assert_int_equal(get(&world, &report, "A0"), 388608);
	assert_int_equal(get(&world, &report, "B1"), 388608);
	check_report(&world, 8000000, 17 * 524288, TACHO_OA_REASON_TIMER);
	close_world(&world);
}

/* Both start triggers are needed: 2000 clocks of one, 5000 of the other. One at 0 is no obstacle.
 */
static void test_two_starts(void **state)
{
	struct world world;

	(void)state;
	open_all(
		&world, TIMER_NS,
		"2710: 2\n2714: f0800000\n" START1("9") "2720: 1388\n2724: 10800000\n" START2("0"));
	check_report(&world, 4999, 524288, TACHO_OA_REASON_TIMER);
	close_world(&world);
	open_all(&world, TIMER_NS, "2710: 0\n2714: f0800000\n2720: 1388\n2724: 800000\n");
	check_report(&world, 0, 524288, TACHO_OA_REASON_TIMER);
	close_world(&world);
}

/* Edges: every second beginning of a kernel; inverted: 50000 clocks without one. */
static void test_conditions(void **state)
{
	struct world world;

	(void)state;
	open_all(&world, LONG_NS,
		 "2740: ffff0002\n2744: 80800000\n" REPORT1(
			 "1") "2750: c350\n2754: 8080ffff\n" REPORT2("1"));
	check_report(&world, 0, 2000000, TACHO_OA_REASON_CONTEXT_SWITCH);
	for (uint64_t k = 1; k <= 39; k++)
		check_report(&world, 0, 2000000 + 50000 * k, TACHO_OA_REASON_TRIGGER2);
	check_report(&world, 0, 4000000, TACHO_OA_REASON_CONTEXT_SWITCH | TACHO_OA_REASON_TRIGGER2);
	check_report(&world, 0, 4000001, TACHO_OA_REASON_TRIGGER1);
	close_world(&world);
}

/* B counters by their comparators, with a start on clock 1999: of n clocks from there on ... */
static void test_comparators(void **state)
{
	const uint64_t start = 1999;
	struct tacho_oa_report report;
	struct world world;

	(void)state;
	open_all(&world, TIMER_NS,
		 "2710: 2\n2714: f0800000\n" START1(
			 "9") "2770: 12\n2774: fffd\n"	   /* 0: NOA & 2 == 2, a kernel runs */
			      "2778: 3\n277c: 0\n"	   /* 1: NOA >= 0, always */
			      "2780: 80000\n2784: 10000\n" /* 2: the previous is 0: never */
			      "2788: 8000a\n278c: 0\n"	   /* 3: the previous == 1: never */
			      "2790: 100081\n2794: ffcf\n" /* 4: events & 0x30 > 0x10: clock % 3 ==
							      2 */
			      "2798: 80005\n279c: 0\n"	   /* 5: the previous != 0: as 4 */
			      "27a0: 0\n27a4: 0200fdff\n"  /* 6: bit 9 of NOA is 0 */
			      "27a8: 1002\n27ac: fdff\n"); /* 7: bit 9 of NOA is 1 */
	for (uint64_t k = 1; k <= 3; k++) {
		/* 524288, 1048576 and 1572864 clocks. */
		uint64_t end = 524288 * k, n = end - start;

		report = check_report(&world, start, end, TACHO_OA_REASON_TIMER);
		assert_int_equal(get(&world, &report, "B0"), n);
		assert_int_equal(get(&world, &report, "B1"), n);
		assert_int_equal(get(&world, &report, "B2"), 0);
		assert_int_equal(get(&world, &report, "B3"), 0);
		assert_int_equal(get(&world, &report, "B4"), end / 3 - start / 3);
		assert_int_equal(get(&world, &report, "B5"), end / 3 - start / 3);
		assert_int_equal(get(&world, &report, "B6"), n - (end / 1000 - start / 1000));
		assert_int_equal(get(&world, &report, "B7"), end / 1000 - start / 1000);
	}
	/* The kernel is over: B0 stands, B1 goes on. */
	report = check_report(&world, start, 2000000, TACHO_OA_REASON_CONTEXT_SWITCH);
	assert_int_equal(get(&world, &report, "B0"), 2000000 - start);
	report = check_report(&world, start, 524288 * 4, TACHO_OA_REASON_TIMER);
	assert_int_equal(get(&world, &report, "B0"), 2000000 - start);
	assert_int_equal(get(&world, &report, "B1"), 524288 * 4 - start);
	close_world(&world);
}

/* Signal 12 is never true: a stream that waits for it is none. */
static void test_never(void **state)
{
	struct tacho_oa_record record;
	const char *note;
	struct world world;

	(void)state;
	open_world(&world, "2720: 1\n2724: 10800000\n" START2("c"));
	assert_int_equal(open_stream(&world, TIMER_NS), TACHO_E_UNSUPPORTED);
	assert_string_equal(tacho_error_last()->message,
			    "start trigger 2 of the set Mine never fires");
	assert_non_null(strstr(tacho_error_last()->cure, "OASTARTTRIG6"));
	close_world(&world);
	/* A kernel cannot run and not run. */
	open_world(&world, "2714: f0000001\n2718: 11111111\n271c: 11111111\n");
	assert_int_equal(open_stream(&world, TIMER_NS), 0);
	close_world(&world);
	open_world(&world, "2714: f0000011\n2718: 11111111\n271c: 11111111\n2710: 0\n");
	assert_int_equal(open_stream(&world, TIMER_NS), TACHO_E_UNSUPPORTED);
	close_world(&world);
	/* The 65535th kernel comes in 11 minutes. */
	open_all(&world, TIMER_NS, "2710: ffff\n2714: f0800000\n" START1("2"));
	assert_int_equal(tacho_oa_stream_next(world.stream, 3, &record), 0);
	note = tacho_oa_stream_get_note(world.stream);
	assert_non_null(strstr(note, "start trigger 1 has not fired, and nothing counts before"));
	assert_non_null(strstr(note, " of 65535 clocks"));
	close_world(&world);
	/* Report triggers keep nothing up. */
	open_all(&world, TIMER_NS, "2740: 1\n2744: 80800000\n" REPORT1("c"));
	check_report(&world, 0, 524288, TACHO_OA_REASON_TIMER);
	assert_string_equal(tacho_oa_stream_get_note(world.stream),
			    "report trigger 1 cannot fire: its logic is true on no clock");
	close_world(&world);
	open_all(&world, TIMER_NS, "2750: ffff\n2754: 80800000\n" REPORT2("8"));
	check_report(&world, 0, 524288, TACHO_OA_REASON_TIMER);
	assert_string_equal(tacho_oa_stream_get_note(world.stream),
			    "report trigger 2 has not fired: its logic was true on 5242 of 65535 "
			    "clocks");
	close_world(&world);
}

/* A range around work of 1 ms that ends after 3 ms, and its values. */
static void count_range(struct world *world, const char *const *names, size_t count,
			uint64_t *out_values)
{
	const struct tacho_sim_work work = {
		.size = sizeof(work), .grid = {1024}, .workgroup = {64}, .duration_ns = 1000000};
	const struct tacho_session_options options = {.size = sizeof(options)};
	struct tacho_config_entry entries[16] = {0};
	struct tacho_session *session;
	struct tacho_config *config;
	struct tacho_result *result;
	struct tacho_plan *plan;
	tacho_range range;

	for (size_t i = 0; i < count; i++)
		entries[i].name = names[i];
	assert_int_equal(tacho_config_create(tacho_device_get_arch(world->device),
					     tacho_device_get_model(world->device), entries, count,
					     &config),
			 0);
	assert_int_equal(tacho_device_plan(world->device, config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(world->device, plan, &options, &session), 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 0, NULL, &range), 0);
	assert_int_equal(tacho_sim_submit(world->device, &work, NULL), 0);
	assert_int_equal(tacho_sim_advance(world->device, 3000000), 0);
	assert_int_equal(tacho_session_end_range(session, range), 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	for (size_t i = 0; i < count; i++) {
		const struct tacho_column *column = tacho_result_find_column(result, names[i]);

		assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_OK);
		out_values[i] = (uint64_t)tacho_column_get_value(column, 0, 0);
	}
	tacho_result_destroy(result);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/*
 * Pairs of MI_REPORT_PERF_COUNT. TestOa on 1200000 clocks gives its ratios exactly; a set whose
 * start trigger is far away counts in pairs as well; and 60 s of sleep change nothing.
 */
static void test_pairs(void **state)
{
	static const char *const tests[] = {"Counter0", "Counter1", "Counter2",
					    "Counter3", "Counter4", "Counter5",
					    "Counter6", "Counter7", "GpuCoreClocks"};
	static const uint64_t expected[] = {0,	    1200000, 1200000, 600000, 400000,
					    400000, 200000,  800000,  1200000};
	static const char *const mine[] = {"Mine.Running", "Mine.All"};
	uint64_t values[9];
	struct world world;

	(void)state;
	open_world(&world, "2710: ffff\n2714: f0800000\n" START1(
				   "2") "2770: 12\n2774: fffd\n2778: 7\n277c: 0\n");
	for (int round = 0; round < 2; round++) {
		count_range(&world, tests, 9, values);
		for (size_t i = 0; i < 9; i++)
			assert_int_equal(values[i], expected[i]);
		count_range(&world, mine, 2, values);
		assert_int_equal(values[0], 400000);
		assert_int_equal(values[1], 1200000);
		assert_int_equal(tacho_sim_advance(world.device, 60000000000), 0);
	}
	close_world(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_both),
		cmocka_unit_test(test_nothing_before_start),
		cmocka_unit_test(test_two_starts),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_comparators),
		cmocka_unit_test(test_never),
		cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
