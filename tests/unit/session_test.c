/* SPDX-License-Identifier: MIT */
/* Sessions on a device whose values are known: rows, passes, replay, values, order of calls. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tacho/error.h"
#include "toy_device.h"
#include "session_bench.h"

/* The n-th range of an id is the same row in every pass; one may be missing in a pass. */
static void test_repetitions(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	int more;

	begin(&bench, "T1,T2,T3");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 5, 10);
	run(session, 0, 9, 11);
	run(session, 0, 5, 12);
	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	assert_int_equal(more, 1);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 5, 10);
	run(session, 0, 5, 12);
	run(session, 0, 5, 13);
	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	assert_int_equal(more, 0);
	result = take(session, 4);
	for (size_t i = 0; i < 4; i++) {
		static const uint64_t ids[] = {5, 9, 5, 5}, repetitions[] = {0, 0, 1, 2};
		static const uint64_t seen[] = {3, 1, 3, 2};
		static const double works[] = {10, 11, 12, 13};

		assert_int_equal(tacho_result_get_row(result, i)->id, ids[i]);
		assert_int_equal(tacho_result_get_row(result, i)->repetition, repetitions[i]);
		assert_string_equal(tacho_result_get_row(result, i)->name, "r");
		assert_int_equal(tacho_session_get_seen(session, i), seen[i]);
		assert_int_equal(state_of(result, "T1", i),
				 seen[i] & 1 ? TACHO_STATE_OK : TACHO_STATE_ABSENT);
		assert_int_equal(state_of(result, "T3", i),
				 seen[i] & 2 ? TACHO_STATE_OK : TACHO_STATE_ABSENT);
		if (seen[i] & 1)
			assert_true(value_of(result, "T1", i) == works[i]);
		if (seen[i] & 2)
			assert_true(value_of(result, "T3", i) == 3 * works[i]);
	}
	assert_int_equal(tacho_session_get_seen(session, 4), 0);
	tacho_result_destroy(result);
	finish(&bench, session, take(session, 0));
}

/* Whatever the order of the ids, an id that comes again is the same row in every pass. */
static void test_ids(void **state)
{
	static const uint64_t ids[] = {UINT64_MAX, 0, 3, 1, 2, 3, UINT64_MAX - 1, 4, 0, 7};
	static const uint64_t repetitions[] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0};
	enum { COUNT = sizeof(ids) / sizeof(*ids) };
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	int more = 1;

	begin(&bench, "T1,T3");
	session = open_session(&bench, NULL);
	while (more) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		for (size_t i = 0; i < COUNT; i++)
			run(session, 0, ids[i], 10 + i);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	result = take(session, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		assert_true(tacho_result_get_row(result, i)->id == ids[i]);
		assert_true(tacho_result_get_row(result, i)->repetition == repetitions[i]);
		assert_true(value_of(result, "T1", i) == 10.0 + (double)i);
		assert_true(value_of(result, "T3", i) == 3 * (10.0 + (double)i));
	}
	finish(&bench, session, result);
}

/* Every wrong call says so, and what is right then still works. */
static void test_order(void **state)
{
	tacho_range outer, inner, other;
	struct tacho_session *session;
	struct bench bench;
	int more = 7;

	begin(&bench, "T1");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_end_pass(session, &more), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "none is open");
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "no pass is open");
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_pass(session), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "pass 0 is open");
	assert_int_equal(tacho_session_begin_range(session, 12345, 1, "", &outer), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "the range around it is not open");
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "outer", &outer), 0);
	assert_int_equal(tacho_session_begin_range(session, outer, 2, NULL, &inner), 0);
	assert_int_equal(tacho_session_end_range(session, outer), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "1 range in it is open");
	assert_int_equal(tacho_session_end_pass(session, &more), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "2 ranges are open");
	toy_work(session, 3);
	assert_int_equal(tacho_session_end_range(session, inner), 0);
	assert_int_equal(tacho_session_end_range(session, inner), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->message, "the range is not open");
	assert_int_equal(tacho_session_begin_range(session, inner, 3, "", &other), TACHO_E_INVAL);
	assert_int_equal(tacho_session_end_range(session, 0), TACHO_E_INVAL);
	assert_int_equal(tacho_session_end_range(session, outer), 0);
	assert_int_equal(tacho_session_pop_range(session), TACHO_E_INVAL);
	assert_int_equal(more, 7);
	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	assert_int_equal(more, 0);
	assert_int_equal(tacho_session_begin_pass(session), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "1 pass was needed");
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "all passes are done");
	finish(&bench, session, take(session, 2));
}

/* The range that this thread pushed last. */
static tacho_range get_top(struct tacho_session *session)
{
	const struct tacho__stack *stack =
		tacho__map_get(&session->stacks, (uint64_t)(uintptr_t)pthread_self());

	return stack->ranges[stack->count - 1];
}

static void test_stack(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range range;

	begin(&bench, "T1");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_push_range(session, 1, "a"), TACHO_E_INVAL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_push_range(session, 1, "a"), 0);
	toy_work(session, 1);
	assert_int_equal(tacho_session_push_range(session, 2, "b"), 0);
	toy_work(session, 2);
	/* A range in the pushed one keeps it open. */
	assert_int_equal(tacho_session_begin_range(session, get_top(session), 3, "c", &range), 0);
	assert_int_equal(tacho_session_pop_range(session), TACHO_E_INVAL);
	assert_int_equal(tacho_session_end_range(session, range), 0);
	assert_int_equal(tacho_session_pop_range(session), 0);
	/* The device fails: the range is over all the same. */
	toy.fails_range_end = TACHO_E_INVAL;
	assert_int_equal(tacho_session_pop_range(session), TACHO_E_INVAL);
	toy.fails_range_end = 0;
	assert_int_equal(tacho_session_pop_range(session), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->message, "there is no range to pop");
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	result = take(session, 3);
	assert_int_equal(tacho_result_get_row(result, 1)->parent, 1);
	assert_int_equal(tacho_result_get_row(result, 2)->parent, 2);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_ABSENT);
	assert_true(value_of(result, "T1", 1) == 2);
	assert_int_equal(tacho_session_get_lost_rows(session), 1);
	finish(&bench, session, result);
}

/* Sums, kept instances and formulas of the six values w, 2w ... 6w of S1. */
static void check_values(int sums_itself)
{
	const struct tacho_column *column;
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	toy.sums_itself = sums_itself;
	begin(&bench, "S1!,Largest,Doubled!,Busy,ByNone,Misfit,T1");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 1, 5);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	result = take(session, 1);
	column = tacho_result_find_column(result, "S1");
	assert_int_equal(column->instance_count, 6);
	assert_string_equal(column->dimensions[0].name, "DIMENSION_XCC");
	assert_int_equal(column->dimensions[1].extent, 3);
	assert_true(tacho_column_get_value(column, 0, 5) == 30);
	assert_true(value_of(result, "Largest", 0) == 30);
	column = tacho_result_find_column(result, "Doubled");
	assert_int_equal(column->instance_count, 6);
	assert_true(tacho_column_get_value(column, 0, 4) == 50);
	assert_true(value_of(result, "Busy", 0) == 50);
	assert_string_equal(tacho_result_find_column(result, "Busy")->unit, "percent");
	assert_int_equal(state_of(result, "ByNone", 0), TACHO_STATE_OK | TACHO_MARK_DIV0);
	assert_int_equal(state_of(result, "Misfit", 0), TACHO_STATE_ABSENT);
	assert_non_null(strstr(tacho_result_find_column(result, "Misfit")->note, "XCC"));
	assert_true(value_of(result, "T1", 0) == 5);
	assert_null(tacho_result_find_column(result, "T1")->states);
	finish(&bench, session, result);
}

static void test_values(void **state)
{
	check_values(0);
	check_values(1);
}

/* What nobody keeps is one number, whoever adds it up. */
static void test_sums(void **state)
{
	for (int sums_itself = 0; sums_itself < 2; sums_itself++) {
		struct tacho_session *session;
		struct tacho_result *result;
		struct bench bench;

		toy.sums_itself = sums_itself;
		begin(&bench, "S1");
		session = open_session(&bench, &(struct tacho_session_options){.strict = 1});
		assert_int_equal(tacho_session_begin_pass(session), 0);
		run(session, 0, 1, 2);
		run(session, 0, 2, 3);
		assert_int_equal(tacho_session_end_pass(session, NULL), 0);
		result = take(session, 2);
		assert_int_equal(tacho_result_get_column(result, 0)->instance_count, 1);
		assert_true(value_of(result, "S1", 0) == 42);
		assert_true(value_of(result, "S1", 1) == 63);
		finish(&bench, session, result);
	}
}

static void test_strict(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	begin(&bench, "ByNone");
	session = open_session(&bench, &(struct tacho_session_options){.strict = 1});
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 1, 2);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	result = take(session, 1);
	assert_int_equal(state_of(result, "ByNone", 0) & TACHO_STATE_MASK, TACHO_STATE_ABSENT);
	finish(&bench, session, result);
}

/* A metric that fits into no pass takes its inputs from two. */
static void test_split(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	int more;

	begin(&bench, "Split");
	assert_int_equal(tacho_plan_get_entry(bench.plan, 0)->is_split, 1);
	session = open_session(&bench, NULL);
	for (more = 1; more;) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		run(session, 0, 1, 7);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	result = take(session, 1);
	assert_true(value_of(result, "Split", 0) == 6 * 7);
	finish(&bench, session, result);
}

/* One entry in two modes is measured in passes of their own. */
static void test_modes(void **state)
{
	const struct tacho_config_entry entries[] = {
		{.name = "T1", .mode = TACHO_MODE_SERIALIZED},
		{.name = "Sum12", .mode = TACHO_MODE_PIPELINED},
		{.name = "T1", .mode = TACHO_MODE_PIPELINED},
	};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	uint64_t work = 1;
	int more;

	begin(&bench, "T1");
	tacho_plan_destroy(bench.plan);
	tacho_config_destroy(bench.config);
	assert_int_equal(tacho_config_create(tacho_device_get_arch(bench.device), NULL, entries, 3,
					     &bench.config),
			 0);
	assert_int_equal(tacho_device_plan(bench.device, bench.config, NULL, &bench.plan), 0);
	session = open_session(&bench, NULL);
	for (more = 1; more; work++) {
		uint32_t mode = tacho_plan_get_pass(bench.plan, work - 1)->mode;

		assert_int_equal(tacho_session_begin_pass(session), 0);
		run(session, 0, 1, mode == TACHO_MODE_SERIALIZED ? 100 : 10);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	assert_int_equal(work, 3);
	result = take(session, 1);
	assert_true(value_of(result, "T1:serialized", 0) == 100);
	assert_true(value_of(result, "T1:pipelined", 0) == 10);
	assert_true(value_of(result, "Sum12", 0) == 30);
	finish(&bench, session, result);
}

/*
 * Five repetitions with the work 1 ... 5 in turns: T1 is there in the first, third and fifth, T3 in
 * the others; each is extrapolated to all five.
 */
static void test_rotate(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range outer;

	toy.traits.replays = 1u << TACHO_REPLAY_ROTATE;
	begin(&bench, "T1,T2,T3,T4,Busy");
	session = open_session(&bench,
			       &(struct tacho_session_options){.replay = TACHO_REPLAY_ROTATE});
	assert_int_equal(tacho_session_begin_pass(session), TACHO_E_INVAL);
	for (uint64_t i = 1; i <= 5; i++)
		run(session, 0, 1, i);
	run(session, 0, 2, 8);
	result = take(session, 2);
	assert_true(value_of(result, "T1", 0) == (1 + 3 + 5) * 5.0 / 3);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_SCALED);
	assert_true(tacho_result_find_column(result, "T1")->coverage[0] == 3.0 / 5);
	assert_true(value_of(result, "T3", 0) == 3 * (2 + 4) * 5.0 / 2);
	assert_true(tacho_result_find_column(result, "T3")->coverage[0] == 2.0 / 5);
	assert_true(value_of(result, "Busy", 0) == 50); /* a rate is averaged */
	assert_int_equal(state_of(result, "T1", 1), TACHO_STATE_OK);
	assert_int_equal(state_of(result, "T3", 1), TACHO_STATE_ABSENT);
	assert_int_equal(tacho_session_get_seen(session, 0), 3);
	assert_int_equal(tacho_session_get_seen(session, 1), 1);
	tacho_result_destroy(result);

	/* What comes then is a row of its own; inner ranges go with the outer one. */
	run(session, 0, 1, 2); /* sixth turn: pass 1 */
	assert_int_equal(tacho_session_begin_range(session, 0, 7, "outer", &outer), 0);
	run(session, outer, 1, 4);
	run(session, outer, 1, 6);
	assert_int_equal(tacho_session_end_range(session, outer), 0);
	result = take(session, 3);
	assert_true(value_of(result, "T3", 0) == 6);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_ABSENT);
	assert_true(value_of(result, "T2", 1) == 20);
	assert_true(value_of(result, "T2", 2) == 20);
	assert_int_equal(tacho_result_get_row(result, 2)->parent, 2);
	tacho_result_destroy(result);
	/* A device that cannot change the pass ends the session. */
	toy.fails_pass_begin = TACHO_E_BUSY;
	assert_int_equal(tacho_session_begin_range(session, 0, 7, "", &outer), TACHO_E_BUSY);
	toy.fails_pass_begin = 0;
	assert_int_equal(tacho_session_begin_range(session, 0, 7, "", &outer), TACHO_E_BUSY);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 0);
	finish(&bench, session, result);
}

/* Each result has the whole, worked out anew: metrics of rows that go on are not added up. */
static void test_kept_rows(void **state)
{
	const struct tacho_session_options options = {.replay = TACHO_REPLAY_ROTATE,
						      .keeps_rows = 1};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	begin(&bench, "T1,T2,Busy");
	session = open_session(&bench, &options);
	for (uint64_t i = 1; i <= 3; i++) {
		run(session, 0, 1, i);
		result = take(session, 1);
		assert_true(value_of(result, "T1", 0) == (double)(i * (i + 1)) / 2);
		assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_OK);
		assert_true(value_of(result, "Busy", 0) == 50);
		tacho_result_destroy(result);
	}
	finish(&bench, session, NULL);
	(void)state;
}

/* The program runs once for each pass; its results are joined. */
static void test_process(void **state)
{
	struct tacho_result *results[2], *result;
	struct tacho_session_options options = {.replay = TACHO_REPLAY_PROCESS};
	struct tacho_session *session;
	struct bench bench;
	tacho_range outer;
	int more;

	toy.traits.replays = 1u << TACHO_REPLAY_PROCESS;
	begin(&bench, "T1,T2,T3,Split,S1");
	options.only_pass = 2;
	options.size = sizeof(options);
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_INVAL);
	for (uint32_t i = 0; i < 2; i++) {
		options.only_pass = i;
		session = open_session(&bench, &options);
		assert_int_equal(tacho_session_begin_pass(session), 0);
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "outer", &outer), 0);
		run(session, outer, 4, 10);
		if (!i)
			run(session, outer, 4, 20);
		assert_int_equal(tacho_session_end_range(session, outer), 0);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
		assert_int_equal(more, 0);
		assert_int_equal(tacho_session_take(session, &results[i]), 0);
		tacho_session_destroy(session);
	}
	assert_int_equal(tacho_session_merge((const struct tacho_result **)results, 2, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 3);
	assert_true(value_of(result, "T1", 0) == 30);
	assert_true(value_of(result, "T1", 1) == 10);
	assert_true(value_of(result, "T3", 0) == 30);
	assert_true(value_of(result, "T3", 1) == 30);
	assert_true(value_of(result, "T1", 2) == 20);
	assert_int_equal(state_of(result, "T3", 2), TACHO_STATE_ABSENT);
	assert_int_equal(tacho_result_get_row(result, 1)->parent, 1);
	assert_int_equal(tacho_result_get_row(result, 2)->repetition, 1);
	/* Its inputs are of different runs. */
	assert_int_equal(state_of(result, "Split", 0), TACHO_STATE_ABSENT);
	assert_int_equal(tacho_session_merge(NULL, 0, &result), TACHO_E_INVAL);
	tacho_result_destroy(results[1]);
	tacho_result_destroy(result);
	assert_int_equal(tacho_session_merge((const struct tacho_result **)results, 1, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 3);
	tacho_result_destroy(results[0]);
	tacho_result_destroy(result);
	bench_close(&bench);
}

static void test_merge_misfit(void **state)
{
	struct tacho_result *results[2], *result;
	struct bench bench;

	for (unsigned i = 0; i < 2; i++) {
		struct tacho_session *session;

		begin(&bench, i ? "S1!" : "S1");
		session = open_session(&bench, NULL);
		assert_int_equal(tacho_session_begin_pass(session), 0);
		run(session, 0, 1, 1);
		assert_int_equal(tacho_session_end_pass(session, NULL), 0);
		assert_int_equal(tacho_session_take(session, &results[i]), 0);
		tacho_session_destroy(session);
		bench_close(&bench);
	}
	assert_int_equal(tacho_session_merge((const struct tacho_result **)results, 2, &result),
			 TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->cause, "other dimensions"));
	tacho_result_destroy(results[0]);
	tacho_result_destroy(results[1]);
}

static void test_options(void **state)
{
	struct tacho_session_options options = {.size = sizeof(options),
						.replay = TACHO_REPLAY_NONE};
	struct tacho_session *session;
	struct bench bench;

	begin(&bench, "T1,T2,T3");
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_PASSES);
	assert_string_equal(tacho_error_last()->cause, "the plan has 2 passes");
	options.keeps_rows = 1;
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_INVAL);
	options.keeps_rows = 0;
	options.replay = TACHO_REPLAY_ROTATE;
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_UNSUPPORTED);
	options.replay = 9;
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_INVAL);
	options.replay = TACHO_REPLAY_KERNEL; /* no word of sessions */
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_INVAL);
	options.replay = TACHO_REPLAY_CALLER;
	options.window_ns = 1;
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_UNSUPPORTED);
	options.size = 0;
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_INVAL);
	assert_int_equal(tacho_session_create(bench.device, bench.plan, NULL, &session), 0);
	tacho_session_destroy(session);
	bench_close(&bench);
}

static void test_replay_names(void **state)
{
	uint32_t replay = 77;

	for (uint32_t i = TACHO_REPLAY_CALLER; i <= TACHO_REPLAY_VENDOR; i++) {
		assert_int_equal(tacho_replay_parse(tacho_replay_to_string(i), &replay), 0);
		assert_int_equal(replay, i);
	}
	assert_string_equal(tacho_replay_to_string(TACHO_REPLAY_KERNEL), "kernel");
	assert_string_equal(tacho_replay_to_string(TACHO_REPLAY_VENDOR + 1), "unknown");
	assert_int_equal(tacho_replay_parse("unknown", &replay), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_replay_parse("", &replay), TACHO_E_NOTFOUND);
	assert_int_equal(replay, TACHO_REPLAY_VENDOR);
}

/* Two levels of ranges that are measured apart: twice the passes. */
static void test_depth(void **state)
{
	struct tacho_plan_options options = {.size = sizeof(options), .nesting_depth = 2};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range outer;
	unsigned runs = 0;
	int more = 1;

	toy.traits = (struct tacho__device_traits){.replays = CALLER, .modes = {{.levels = 1}}};
	bench_open(&bench, &toy_backend);
	assert_int_equal(bench_plan(&bench, "T1", &options), 0);
	session = open_session(&bench, NULL);
	for (; more; runs++) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
		run(session, outer, 2, 5);
		assert_int_equal(tacho_session_end_range(session, outer), 0);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	assert_int_equal(runs, 2);
	result = take(session, 2);
	assert_true(value_of(result, "T1", 0) == 5);
	assert_true(value_of(result, "T1", 1) == 5);
	finish(&bench, session, result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_repetitions),  cmocka_unit_test(test_ids),
		cmocka_unit_test(test_order),	     cmocka_unit_test(test_stack),
		cmocka_unit_test(test_values),	     cmocka_unit_test(test_sums),
		cmocka_unit_test(test_strict),	     cmocka_unit_test(test_split),
		cmocka_unit_test(test_modes),	     cmocka_unit_test(test_rotate),
		cmocka_unit_test(test_kept_rows),    cmocka_unit_test(test_process),
		cmocka_unit_test(test_merge_misfit), cmocka_unit_test(test_options),
		cmocka_unit_test(test_depth),	     cmocka_unit_test(test_replay_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
