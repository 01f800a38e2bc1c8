/* SPDX-License-Identifier: MIT */
/* Many ranges, deep ones, and those that are over the limits of a session. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tacho/error.h"
#include "session_bench.h"

enum { DEEP = 80, MANY = 300000 };

static void begin_pass(struct tacho_session *session)
{
	assert_int_equal(tacho_session_begin_pass(session), 0);
}

static int end_pass(struct tacho_session *session)
{
	int more = 0;

	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	return more;
}

/* Row 1 of two is there in both passes; the others are the same ones, and counted once. */
static void test_rows(void **state)
{
	const struct tacho_session_options options = {.size = sizeof(options), .row_max = 2};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range outer, beyond, inner;

	begin(&bench, "T1,T2,T3");
	session = open_session(&bench, &options);
	do {
		begin_pass(session);
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
		run(session, outer, 2, 1);
		run(session, outer, 2, 10); /* its second row would be the third */
		assert_int_equal(tacho_session_begin_range(session, outer, 3, "", &beyond), 0);
		assert_int_equal(tacho_session_begin_range(session, beyond, 4, "", &inner), 0);
		toy_work_in(session, inner, 100); /* in the range around them that counts */
		assert_int_equal(tacho_session_end_range(session, beyond), TACHO_E_INVAL);
		assert_int_equal(tacho_session_end_range(session, inner), 0);
		assert_int_equal(tacho_session_end_range(session, inner), TACHO_E_INVAL);
		assert_int_equal(tacho_session_end_range(session, beyond), 0);
		assert_int_equal(tacho_session_end_range(session, outer), 0);
		assert_int_equal(tacho_session_get_lost_rows(session), 3);
	} while (end_pass(session));
	assert_int_equal(tacho_session_get_lost_rows(session), 3);
	result = take(session, 2);
	assert_true(value_of(result, "T1", 0) == 111);
	assert_true(value_of(result, "T3", 1) == 3);
	finish(&bench, session, result);
}

/* In one pass rows that were taken make room. */
static void test_taken_rows(void **state)
{
	const struct tacho_session_options options = {.size = sizeof(options), .row_max = 2};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	begin(&bench, "T1");
	session = open_session(&bench, &options);
	begin_pass(session);
	for (uint64_t i = 0; i < 3; i++) {
		run(session, 0, 3 * i, 1);
		run(session, 0, 3 * i + 1, 10);
		run(session, 0, 3 * i + 2, 100);
		result = take(session, 2);
		assert_int_equal(tacho_result_get_row(result, 1)->id, 3 * i + 1);
		assert_true(value_of(result, "T1", 1) == 10);
		assert_int_equal(tacho_session_get_lost_rows(session), i + 1);
		tacho_result_destroy(result);
	}
	finish(&bench, session, NULL);
}

/* With one row per stack repetitions need no other. */
static void test_accumulated_rows(void **state)
{
	const struct tacho_session_options options = {
		.size = sizeof(options), .row_max = 1, .accumulates = 1};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range beyond;

	begin(&bench, "T1");
	session = open_session(&bench, &options);
	begin_pass(session);
	for (int i = 0; i < 5; i++) {
		run(session, 0, UINT64_MAX, 1);
		assert_int_equal(tacho_session_begin_range(session, 0, 0, "", &beyond), 0);
		run(session, beyond, UINT64_MAX, 10); /* not the one that has a row */
		assert_int_equal(tacho_session_end_range(session, beyond), 0);
	}
	assert_int_equal(tacho_session_get_lost_rows(session), 10);
	result = take(session, 1);
	assert_true(tacho_result_get_row(result, 0)->id == UINT64_MAX);
	assert_true(value_of(result, "T1", 0) == 5);
	finish(&bench, session, result);
}

/* 80 levels, pushed with the largest ids; work of 1 in each. */
static void dive(struct tacho_session *session)
{
	for (uint64_t i = 0; i < DEEP; i++) {
		assert_int_equal(tacho_session_push_range(session, UINT64_MAX - i, NULL), 0);
		toy_work(session, 1);
	}
	for (int i = 0; i < DEEP; i++)
		assert_int_equal(tacho_session_pop_range(session), 0);
	assert_int_equal(tacho_session_pop_range(session), TACHO_E_INVAL);
}

/* Levels that have no row need no run, and are not told to the device. */
static void test_depth(void **state)
{
	const struct tacho_session_options options = {.size = sizeof(options), .depth_max = 3};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	toy.traits.modes[TACHO_MODE_SERIALIZED].levels = 1;
	begin(&bench, "T1:serialized,T1:pipelined");
	session = open_session(&bench, &options);
	do {
		begin_pass(session);
		dive(session);
	} while (end_pass(session));
	assert_int_equal(tacho_session_get_run_count(session), 4);
	assert_int_equal(tacho_session_get_lost_rows(session), DEEP - 3);
	result = take(session, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_true(tacho_result_get_row(result, i)->id == UINT64_MAX - i);
		assert_int_equal(tacho_result_get_row(result, i)->parent, i);
		assert_true(value_of(result, "T1:serialized", i) == DEEP - (double)i);
		assert_true(value_of(result, "T1:pipelined", i) == (i < 2 ? 1 : DEEP - 2));
	}
	finish(&bench, session, result);
}

/* Without a limit all of them have rows; serialized, each level has a run. */
static void test_deep(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	size_t runs = 0;

	toy.traits.modes[TACHO_MODE_SERIALIZED].levels = 1;
	begin(&bench, "T1:serialized,T1:pipelined");
	session = open_session(&bench, NULL);
	do {
		begin_pass(session);
		dive(session);
		runs++;
	} while (end_pass(session));
	assert_int_equal(runs, DEEP + 1);
	assert_int_equal(tacho_session_get_lost_rows(session), 0);
	result = take(session, DEEP);
	for (size_t i = 0; i < DEEP; i++) {
		assert_true(value_of(result, "T1:serialized", i) == DEEP - (double)i);
		assert_true(value_of(result, "T1:pipelined", i) == 1);
		assert_int_equal(state_of(result, "T1:pipelined", i), TACHO_STATE_OK);
	}
	finish(&bench, session, result);
}

/* 300,000 stacks of which each is a row, in passes that are compared. */
static void test_many(void **state)
{
	const struct tacho_session_options options = {
		.size = sizeof(options), .accumulates = 1, .same_ranges = 1, .row_max = MANY};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range outer;

	begin(&bench, "T1:pipelined,T2");
	session = open_session(&bench, &options);
	do {
		begin_pass(session);
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &outer), 0);
		for (uint64_t i = 1; i <= MANY; i++)
			run(session, outer, i * UINT64_C(0x9e3779b97f4a7c15), 1);
		assert_int_equal(tacho_session_end_range(session, outer), 0);
	} while (end_pass(session));
	assert_int_equal(tacho_session_get_lost_rows(session), 1);
	result = take(session, MANY);
	assert_true(value_of(result, "T1", 0) == 1); /* that of the range without a row */
	assert_true(value_of(result, "T2", 0) == 2.0 * MANY);
	assert_true(value_of(result, "T1", MANY - 1) == 1);
	assert_true(tacho_result_get_row(result, MANY - 1)->id ==
		    (MANY - 1) * UINT64_C(0x9e3779b97f4a7c15));
	finish(&bench, session, result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_taken_rows),
		cmocka_unit_test(test_accumulated_rows),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
