/* SPDX-License-Identifier: MIT */
/* Ranges of one stack as one row: what their values become. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tacho/error.h"
#include "session_bench.h"

static const struct tacho_session_options adds = {.size = sizeof(adds), .accumulates = 1};

static void run_passes(struct tacho_session *session, void (*work)(struct tacho_session *session))
{
	for (int more = 1; more;) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		work(session);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
}

/* 5 three times; 7 in it, 5 in it, and 7 in none. */
static void split(struct tacho_session *session)
{
	tacho_range outer;

	run(session, 0, 5, 7);
	run(session, 0, 7, 1);
	run(session, 0, 5, 8);
	assert_int_equal(tacho_session_begin_range(session, 0, 5, "r", &outer), 0);
	run(session, outer, 7, 100);
	run(session, outer, 5, 1000);
	run(session, outer, 7, 200);
	assert_int_equal(tacho_session_end_range(session, outer), 0);
}

static void check_row(const struct tacho_result *result, size_t row, uint64_t id, uint64_t parent)
{
	assert_int_equal(tacho_result_get_row(result, row)->id, id);
	assert_int_equal(tacho_result_get_row(result, row)->parent, parent);
	assert_int_equal(tacho_result_get_row(result, row)->repetition, 0);
}

/* 7 + 8 + 1300 is 1315; instance 1 has 7, 2 has 8, and 4 has 1300: the largest of sums. */
static void test_values(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	begin(&bench, "T1,T3,S1!,S2!,Peak,Began,Ended,Busy,Vendor,Ratio,Sum12");
	session = open_session(&bench, &adds);
	run_passes(session, split);
	result = take(session, 4);
	check_row(result, 0, 5, 0);
	check_row(result, 1, 7, 0);
	check_row(result, 2, 7, 1);
	check_row(result, 3, 5, 1);
	assert_true(value_of(result, "T1", 0) == 1315);
	assert_true(value_of(result, "T3", 0) == 3 * 1315);
	assert_true(value_of(result, "T1", 1) == 1);
	assert_true(value_of(result, "T1", 2) == 300);
	assert_true(value_of(result, "T1", 3) == 1000);
	assert_true(value_of(result, "Sum12", 0) == 3 * 1315);
	assert_true(value_of(result, "Peak", 0) == 1300);
	assert_true(tacho_column_get_value(tacho_result_find_column(result, "S2"), 0, 1) == 7);
	assert_true(tacho_column_get_value(tacho_result_find_column(result, "S1"), 0, 1) == 2630);
	assert_true(value_of(result, "Began", 0) == 7);
	assert_true(value_of(result, "Ended", 0) == 1300);
	assert_true(value_of(result, "Began", 2) == 100);
	assert_true(value_of(result, "Busy", 0) == 50); /* rates: means */
	assert_true(value_of(result, "Vendor", 2) == 12);
	assert_int_equal(state_of(result, "Busy", 0), TACHO_STATE_OK);
	finish(&bench, session, result);
}

/* Serialized levels in runs of their own, and segments of pipelined ranges, in one session. */
static void test_modes(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	toy.traits.modes[TACHO_MODE_SERIALIZED].levels = 1;
	begin(&bench, "T1:serialized,T1:pipelined,Busy:pipelined,Ended:pipelined");
	session = open_session(&bench, &adds);
	run_passes(session, split);
	result = take(session, 4);
	assert_true(value_of(result, "T1:serialized", 0) == 1315);
	assert_true(value_of(result, "T1:serialized", 2) == 300);
	assert_true(value_of(result, "T1:serialized", 3) == 1000);
	assert_true(value_of(result, "T1:pipelined", 0) == 15);
	assert_true(value_of(result, "T1:pipelined", 2) == 300);
	assert_true(value_of(result, "Ended", 0) == 8);
	assert_true(value_of(result, "Busy", 0) == 50);
	finish(&bench, session, result);
}

static void test_overflow(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	begin(&bench, "T1");
	session = open_session(&bench, &adds);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 1, UINT64_MAX - 1);
	run(session, 0, 1, 2);
	run(session, 0, 2, UINT64_MAX - 1);
	run(session, 0, 2, 1);
	result = take(session, 2);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_OVERFLOW);
	assert_true(tacho_result_find_column(result, "T1")->data.u64[0] == UINT64_MAX);
	assert_int_equal(state_of(result, "T1", 1), TACHO_STATE_OK);
	assert_true(tacho_result_find_column(result, "T1")->data.u64[1] == UINT64_MAX);
	finish(&bench, session, result);
}

/* A row that was taken gets nothing more; one that is open, or waited for, is not taken. */
static void test_take(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range outer, other;

	begin(&bench, "T1");
	session = open_session(&bench, &adds);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 1, 1);
	run(session, 0, 1, 10);
	assert_int_equal(tacho_session_begin_range(session, 0, 2, "", &outer), 0);
	run(session, outer, 3, 100);
	result = take(session, 2);
	assert_true(value_of(result, "T1", 0) == 11);
	assert_true(value_of(result, "T1", 1) == 100);
	tacho_result_destroy(result);
	run(session, 0, 1, 1000);
	run(session, outer, 3, 10000);
	/* two of one row at the same time */
	assert_int_equal(tacho_session_begin_range(session, outer, 3, "", &other), 0);
	run(session, outer, 3, 100000);
	assert_int_equal(tacho_session_end_range(session, other), 0);
	assert_int_equal(tacho_session_end_range(session, outer), 0);
	result = take(session, 3);
	check_row(result, 0, 2, 0);
	check_row(result, 1, 1, 0);
	check_row(result, 2, 3, 1);
	assert_true(value_of(result, "T1", 0) == 100 + 1000 + 10000 + 100000);
	assert_true(value_of(result, "T1", 1) == 1000);
	assert_true(value_of(result, "T1", 2) == 10000 + 2 * 100000);
	finish(&bench, session, result);
}

/* Of three ranges the values of the second never come. */
static void test_lost(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	toy.loses_every = 2;
	begin(&bench, "T1");
	session = open_session(&bench, &adds);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 1, 1);
	run(session, 0, 1, 10);
	run(session, 0, 1, 100);
	run(session, 0, 2, 5);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	result = take(session, 2);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_LOST);
	assert_true(value_of(result, "T1", 0) == 101);
	assert_int_equal(state_of(result, "T1", 1), TACHO_STATE_ABSENT);
	assert_int_equal(tacho_session_get_lost_rows(session), 2);
	finish(&bench, session, result);
}

/* A range that cannot begin leaves its row as it was, also when it is the first of it. */
static void test_refused(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range range;

	begin(&bench, "T1");
	session = open_session(&bench, &adds);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	for (int i = 0; i < 2; i++) {
		toy.fails_range_begin = TACHO_E_VENDOR;
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &range),
				 TACHO_E_VENDOR);
		toy.fails_range_begin = 0;
		run(session, 0, 1, 10);
	}
	result = take(session, 1);
	assert_true(value_of(result, "T1", 0) == 20);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_OK);
	finish(&bench, session, result);
}

/* With ROTATE the first and the last are not extrapolated, and a range counts once for all of its
 * segments. */
static void test_rotate(void **state)
{
	const struct tacho_session_options options = {.size = sizeof(options),
						      .replay = TACHO_REPLAY_ROTATE};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	toy.traits.replays = 1u << TACHO_REPLAY_ROTATE;
	begin(&bench, "T1:pipelined,Ended:pipelined,Busy:pipelined,T2,Ended");
	session = open_session(&bench, &options);
	for (uint64_t i = 1; i <= 4; i++) {
		tacho_range outer;

		assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
		toy_work(session, i);
		run(session, outer, 2, 100);
		toy_work(session, 10 * i);
		assert_int_equal(tacho_session_end_range(session, outer), 0);
	}
	result = take(session, 2);
	/* Pipelined is the first and the third, 11 and 33, for four; the other passes the others.
	 */
	assert_true(value_of(result, "T1", 0) == 2 * 44 || value_of(result, "T1", 0) == 2 * 66);
	assert_int_equal(state_of(result, "T1", 0), TACHO_STATE_SCALED);
	assert_true(tacho_column_get_coverage(tacho_result_find_column(result, "T1"), 0, 0) == 0.5);
	assert_true(value_of(result, "Busy", 0) == 50);
	assert_true(value_of(result, "T1", 1) == 400);
	assert_true(value_of(result, "Ended:pipelined", 0) == 30 ||
		    value_of(result, "Ended:pipelined", 0) == 40);
	assert_true(value_of(result, "Ended", 1) == 100);
	finish(&bench, session, result);
}

static void test_options(void **state)
{
	const struct tacho_session_options options = {
		.size = sizeof(options), .replay = TACHO_REPLAY_ROTATE, .accumulates = 1};
	struct tacho_session *session;
	struct bench bench;

	toy.traits.replays = 1u << TACHO_REPLAY_ROTATE;
	begin(&bench, "T1,T2,T3");
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_INVAL);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),	 cmocka_unit_test(test_modes),
		cmocka_unit_test(test_overflow), cmocka_unit_test(test_take),
		cmocka_unit_test(test_lost),	 cmocka_unit_test(test_refused),
		cmocka_unit_test(test_rotate),	 cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
