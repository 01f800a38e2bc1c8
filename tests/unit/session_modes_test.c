/* SPDX-License-Identifier: MIT */
/* Serialized and pipelined passes: how often work runs, and what nested ranges count in each. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "plan/from_passes.h"
#include "tacho/error.h"
#include "session_bench.h"

/* The device's own plan: a pass for each counter that is asked for, in its mode. */
static int plan_each(struct tacho_device *device, const struct tacho_config *config,
		     const struct tacho_plan_options *options, struct tacho_plan **out_plan)
{
	struct tacho_plan_counter counters[16] = {0};
	struct tacho_plan_pass passes[16] = {0};
	struct tacho_plan_entry entries[16] = {0};
	const struct tacho_config_entry *entry;
	uint32_t numbers[16];
	uint32_t i;

	for (i = 0; (entry = tacho_config_get_entry(config, i)); i++) {
		numbers[i] = i;
		counters[i].entry = tacho_config_get_definition(config, i);
		counters[i].accumulate = "";
		passes[i] = (struct tacho_plan_pass){
			.counters = &counters[i], .counter_count = 1, .mode = entry->mode};
		entries[i] = (struct tacho_plan_entry){
			.entry = counters[i].entry, .passes = &numbers[i], .pass_count = 1};
	}
	return tacho__plan_create_from_passes(config, passes, i, entries, out_plan);
}

/* Three levels of ranges, with the work 1, 10 and 100. */
static void nest(struct tacho_session *session)
{
	tacho_range outer, middle;

	assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
	toy_work(session, 1);
	assert_int_equal(tacho_session_begin_range(session, outer, 2, "", &middle), 0);
	toy_work(session, 10);
	run(session, middle, 3, 100);
	assert_int_equal(tacho_session_end_range(session, middle), 0);
	assert_int_equal(tacho_session_end_range(session, outer), 0);
}

/* 7 passes and 3 levels are 21 runs; a pipelined pass is one more, in whichever place it is. */
static void test_runs(void **state)
{
	/* all of them, then again those that count levels apart */
	static const uint32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2,
					 4, 5, 6, 7, 0, 1, 2, 4, 5, 6, 7};
	struct tacho__backend backend = toy_backend;
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	size_t runs = 0;
	int more = 1;

	backend.plan = plan_each;
	toy.traits = (struct tacho__device_traits){
		.replays = CALLER, .modes = {[TACHO_MODE_SERIALIZED] = {.levels = 1}}};
	bench_open(&bench, &backend);
	assert_int_equal(bench_plan(&bench,
				    "T1:serialized,T2:serialized,T3:serialized,T1:pipelined,"
				    "T4:serialized,S1:serialized,Busy:serialized,Vendor:serialized",
				    NULL),
			 0);
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_get_run_count(session), 8); /* no range was seen */
	for (; more; runs++) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		assert_int_equal(session->pass, order[runs]);
		nest(session);
		assert_int_equal(tacho_session_get_run_count(session), 22);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	assert_int_equal(runs, 22);
	assert_int_equal(tacho_session_begin_pass(session), TACHO_E_INVAL);
	result = take(session, 3);
	assert_true(value_of(result, "T4", 0) == 4 * 111);
	assert_true(value_of(result, "T4", 1) == 4 * 110);
	assert_true(value_of(result, "T4", 2) == 4 * 100);
	finish(&bench, session, result);
}

/* Deeper ranges than those of the first runs: their runs come, too. */
static void test_late_depth(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	size_t runs = 0;
	int more = 1;

	toy.traits = (struct tacho__device_traits){.replays = CALLER, .modes = {{.levels = 1}}};
	begin(&bench, "T1,T2,T3,T4");
	session = open_session(&bench, NULL);
	for (; more; runs++) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		if (runs == 1)
			nest(session);
		else
			run(session, 0, 9, 1);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	assert_int_equal(runs, 2 * 3);
	result = take(session, 4);
	assert_true(value_of(result, "T1", 0) == 1);
	assert_int_equal(state_of(result, "T1", 1), TACHO_STATE_ABSENT);
	finish(&bench, session, result);
}

/* Processes: the plan was told of 2 levels, and each run is a session of its own. */
static void test_processes(void **state)
{
	static const char *const columns[] = {"T1:serialized", "T1:pipelined", "T1"};
	const struct tacho_plan_options depth = {.size = sizeof(depth), .nesting_depth = 2};
	struct tacho_session_options options = {.size = sizeof(options),
						.replay = TACHO_REPLAY_PROCESS};
	struct tacho_result *results[5], *merged;
	struct tacho_plan_summary summary;
	struct tacho_session *session;
	struct bench bench;

	toy.traits.replays = 1u << TACHO_REPLAY_PROCESS;
	bench_open(&bench, &toy_backend);
	assert_int_equal(bench_plan(&bench, "T1:serialized,T1:pipelined,T1", &depth), 0);
	tacho_plan_get_summary(bench.plan, &summary);
	assert_int_equal(summary.run_count, 5);
	for (options.only_pass = 0; options.only_pass < 5; options.only_pass++) {
		tacho_range outer;

		session = open_session(&bench, &options);
		assert_int_equal(tacho_session_get_run_count(session), 5);
		assert_int_equal(tacho_session_begin_pass(session), 0);
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
		run(session, outer, 2, 5);
		toy_work(session, 3);
		assert_int_equal(tacho_session_end_range(session, outer), 0);
		assert_int_equal(tacho_session_end_pass(session, NULL), 0);
		results[options.only_pass] = take(session, 2);
		tacho_session_destroy(session);
	}
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_INVAL); /* there is no sixth */
	assert_int_equal(tacho_session_merge((const struct tacho_result **)results, 5, &merged), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_true(value_of(merged, columns[i], 0) == (i == 1 ? 3 : 8));
		assert_true(value_of(merged, columns[i], 1) == 5);
		assert_int_equal(state_of(merged, columns[i], 1), TACHO_STATE_OK);
	}
	tacho_result_destroy(merged);
	for (size_t i = 0; i < 5; i++)
		tacho_result_destroy(results[i]);
	bench_close(&bench);
}

/* The nested example of NVIDIA's guide; each draw is a work of its own size. */
static void draw_all(struct tacho_session *session)
{
	run(session, 0, 100, 1);
	toy_work(session, 5); /* in no range */
	assert_int_equal(tacho_session_push_range(session, 200, "outer"), 0);
	toy_work(session, 10); /* DD */
	assert_int_equal(tacho_session_push_range(session, 10, "inner"), 0);
	toy_work(session, 100); /* EE */
	assert_int_equal(tacho_session_pop_range(session), 0);
	toy_work(session, 1000); /* FF */
	assert_int_equal(tacho_session_pop_range(session), 0);
}

static struct tacho_session *open_both(struct bench *bench)
{
	if (!toy.traits.replays)
		toy.traits.replays = CALLER;
	toy.traits.modes[TACHO_MODE_SERIALIZED].levels = 1;
	begin(bench, "T1:serialized,T1:pipelined,Largest:pipelined,S1!:pipelined");
	return open_session(bench, NULL);
}

static size_t draw_passes(struct tacho_session *session)
{
	size_t runs = 0;

	for (int more = 1; more; runs++) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		draw_all(session);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	return runs;
}

static void check_drawn(struct tacho_session *session)
{
	static const double serialized[] = {1, 1110, 100}, pipelined[] = {1, 1010, 100};
	struct tacho_result *result = take(session, 3);
	const struct tacho_column *instances = tacho_result_find_column(result, "S1");

	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(state_of(result, "T1:serialized", i), TACHO_STATE_OK);
		assert_int_equal(state_of(result, "T1:pipelined", i), TACHO_STATE_OK);
		assert_true(value_of(result, "T1:serialized", i) == serialized[i]);
		assert_true(value_of(result, "T1:pipelined", i) == pipelined[i]);
		/* of six instances, the i-th counts i times the work */
		assert_true(value_of(result, "Largest", i) == 6 * pipelined[i]);
		assert_true(tacho_column_get_value(instances, i, 2) == 3 * pipelined[i]);
	}
	assert_int_equal(tacho_result_get_row(result, 2)->parent, 2);
	assert_int_equal(tacho_session_get_lost_rows(session), 0);
	tacho_result_destroy(result);
}

/* {200} has DD and FF, and EE only where it is serialized: one metric in both modes. */
static void test_nested(void **state)
{
	for (toy.is_async = 0; toy.is_async < 2; toy.is_async++) {
		int is_async = toy.is_async;
		struct bench bench;
		struct tacho_session *session = open_both(&bench);

		assert_int_equal(draw_passes(session), 3);
		check_drawn(session);
		finish(&bench, session, NULL);
		toy.is_async = is_async;
	}
	toy.is_async = 0;
}

/* Where the program names a range to the device it is its present segment that is meant. */
static void test_named(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range outer, inner;

	begin(&bench, "T1:pipelined");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
	toy_work_in(session, outer, 1);
	assert_int_equal(tacho_session_begin_range(session, outer, 2, "", &inner), 0);
	toy_work_in(session, inner, 10);
	toy_work_in(session, outer, 100); /* it does not count now */
	assert_int_equal(tacho_session_end_range(session, inner), 0);
	toy_work_in(session, inner, 1000); /* nor does this one */
	toy_work_in(session, outer, 10000);
	assert_int_equal(tacho_session_end_range(session, outer), 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	result = take(session, 2);
	assert_true(value_of(result, "T1", 0) == 10001);
	assert_true(value_of(result, "T1", 1) == 10);
	finish(&bench, session, result);
}

/* A segment has a key of its own, which is no range of the caller's. */
static void test_segment_keys(void **state)
{
	struct tacho_session *session;
	struct bench bench;
	tacho_range outer, inner;
	uint64_t segment;

	begin(&bench, "T1:pipelined");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
	segment = tacho__session_find_key(session, outer);
	assert_true(segment && segment != outer);
	assert_int_equal(tacho_session_end_range(session, segment), TACHO_E_INVAL);
	assert_int_equal(tacho_session_begin_range(session, segment, 2, "", &inner), TACHO_E_INVAL);
	assert_int_equal(tacho_session_begin_range(session, outer, 2, "", &inner), 0);
	assert_int_equal(tacho_session_end_range(session, outer), TACHO_E_INVAL);
	finish(&bench, session, NULL); /* with ranges and segments that are open */
}

/* The device cannot end or begin a segment: the outer range lacks values, the inner has its own. */
static void test_segment_faults(void **state)
{
	for (int which = 0; which < 3; which++) {
		struct tacho_session *session;
		struct tacho_result *result;
		struct bench bench;
		tacho_range outer, inner;

		begin(&bench, "T1:pipelined");
		session = open_session(&bench, NULL);
		assert_int_equal(tacho_session_begin_pass(session), 0);
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
		toy_work(session, 1);
		toy.fails_range_end = which == 0 ? TACHO_E_VENDOR : 0;
		assert_int_equal(tacho_session_begin_range(session, outer, 2, "", &inner), 0);
		toy_work(session, 10);
		toy.fails_range_end = 0;
		toy.fails_range_begin = which == 1 ? TACHO_E_VENDOR : 0;
		assert_int_equal(tacho_session_end_range(session, inner), 0);
		toy_work(session, 100);
		toy.fails_range_begin = 0;
		toy.fails_range_end = which == 2 ? TACHO_E_VENDOR : 0;
		assert_int_equal(tacho_session_end_range(session, outer),
				 which == 2 ? TACHO_E_VENDOR : 0);
		assert_int_equal(tacho_session_end_pass(session, NULL), 0);
		result = take(session, 2);
		assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_LOST);
		assert_true(value_of(result, "T1", 0) == (which == 0 ? 100 : 1));
		assert_int_equal(state_of(result, "T1", 1), TACHO_STATE_OK);
		assert_true(value_of(result, "T1", 1) == 10);
		assert_int_equal(tacho_session_get_lost_rows(session), 1);
		finish(&bench, session, result);
	}
}

/* A range that cannot begin ends the segment around it, which goes on at once. */
static void test_inner_fault(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range outer, inner = 77;

	begin(&bench, "T1:pipelined");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
	toy_work(session, 1);
	toy.fails_range_begin = TACHO_E_VENDOR;
	assert_int_equal(tacho_session_begin_range(session, outer, 2, "", &inner), TACHO_E_VENDOR);
	assert_int_equal(inner, 77);
	toy.fails_range_begin = 0; /* that it could not go on is in its state */
	toy_work(session, 10);
	run(session, outer, 3, 100);
	toy_work(session, 1000);
	assert_int_equal(tacho_session_end_range(session, outer), 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	result = take(session, 2);
	assert_true(value_of(result, "T1", 0) == 1001);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_LOST);
	assert_true(value_of(result, "T1", 1) == 100);
	finish(&bench, session, result);
}

/* Values of segments that never come: all of them, or every second one. */
static void test_lost_segments(void **state)
{
	for (int every = 1; every < 3; every++) {
		struct tacho_session *session;
		struct tacho_result *result;
		struct bench bench;

		toy.loses_every = every;
		begin(&bench, "T1:pipelined");
		session = open_session(&bench, NULL);
		assert_int_equal(tacho_session_begin_pass(session), 0);
		draw_all(session); /* the device ends 100, a segment of 200, 10, 200 */
		assert_int_equal(tacho_session_end_pass(session, NULL), 0);
		result = take(session, 3);
		assert_int_equal(tacho_session_get_lost_rows(session), every == 1 ? 4 : 2);
		if (every == 1) {
			for (size_t i = 0; i < 3; i++)
				assert_int_equal(state_of(result, "T1", i), TACHO_STATE_ABSENT);
		} else {
			assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_OK);
			assert_int_equal(state_of(result, "T1", 1), TACHO_STATE_ABSENT);
			assert_int_equal(state_of(result, "T1", 2), TACHO_STATE_OK);
		}
		finish(&bench, session, result);
	}
}

/* A mode that the device cannot count in, before a plan is made or when a session is to use one. */
static void test_cause(void **state)
{
	struct tacho_session *session;
	struct tacho_plan *plan;
	struct bench bench;

	toy.traits.replays = CALLER;
	toy.traits.modes[TACHO_MODE_PIPELINED].cause = "it waits at every end";
	bench_open(&bench, &toy_backend);
	assert_int_equal(bench_plan(&bench, "T1:serialized", NULL), 0);
	assert_int_equal(bench_plan(&bench, "T1,T1:pipelined", NULL), TACHO_E_UNSUPPORTED);
	assert_string_equal(tacho_error_last()->cause, "it waits at every end");
	assert_string_equal(tacho_error_last()->message, "toy cannot count pipelined");
	assert_int_equal(tacho_plan_create(bench.config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(bench.device, plan, NULL, &session),
			 TACHO_E_UNSUPPORTED);
	tacho_plan_destroy(plan);
	bench_close(&bench);
}

/* What all values of a mode rest on stands at their columns, and at no others. */
static void test_note(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	toy.traits.modes[TACHO_MODE_PIPELINED].note = "the driver waits by itself";
	begin(&bench, "T1,Sum12,T1:pipelined,Sum12:pipelined,S1!:pipelined,Misfit:pipelined");
	session = open_session(&bench, NULL);
	for (int more = 1; more;) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		run(session, 0, 1, 1);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	result = take(session, 1);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(tacho_result_get_column(result, i)->note,
				    i < 2 ? "" : "the driver waits by itself");
	/* why there is none says more */
	assert_non_null(strstr(tacho_result_find_column(result, "Misfit")->note, "7"));
	finish(&bench, session, result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),	       cmocka_unit_test(test_late_depth),
		cmocka_unit_test(test_processes),      cmocka_unit_test(test_nested),
		cmocka_unit_test(test_named),	       cmocka_unit_test(test_segment_keys),
		cmocka_unit_test(test_segment_faults), cmocka_unit_test(test_inner_fault),
		cmocka_unit_test(test_lost_segments),  cmocka_unit_test(test_cause),
		cmocka_unit_test(test_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
