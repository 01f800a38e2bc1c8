/* SPDX-License-Identifier: MIT */
/* Devices that lose values, fail, vanish or deliver what they must not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tacho/error.h"
#include "toy_device.h"
#include "session_bench.h"

/* Values of every second range never come; draining tells so. */
static void test_lost(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	size_t ready;

	toy.loses_every = 2;
	toy.is_async = 1;
	begin(&bench, "T1");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	for (uint64_t i = 0; i < 4; i++)
		run(session, 0, i, i);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	/* Taken before they came, there is nothing. */
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 0);
	tacho_result_destroy(result);
	assert_int_equal(tacho_session_drain(session, 0, &ready), 0);
	assert_int_equal(ready, 4);
	assert_int_equal(tacho_session_get_lost_rows(session), 2);
	assert_int_equal(tacho_session_take(session, &result), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(state_of(result, "T1", i),
				 i % 2 ? TACHO_STATE_ABSENT : TACHO_STATE_OK);
	finish(&bench, session, result);
}

/* Errors of the device, at each of its functions. */
static void test_device_errors(void **state)
{
	struct tacho_session_options options = {.size = sizeof(options)};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range range;
	int more = 1;

	begin(&bench, "T1");
	toy.fails_check = TACHO_E_PERM;
	assert_int_equal(tacho_session_create(bench.device, bench.plan, &options, &session),
			 TACHO_E_PERM);
	toy.fails_check = 0;
	session = open_session(&bench, NULL);
	toy.fails_pass_begin = TACHO_E_BUSY;
	assert_int_equal(tacho_session_begin_pass(session), TACHO_E_BUSY);
	toy.fails_pass_begin = 0;
	assert_int_equal(tacho_session_begin_pass(session), 0);
	toy.fails_range_begin = TACHO_E_VENDOR;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &range), TACHO_E_VENDOR);
	assert_int_equal(tacho_session_push_range(session, 1, ""), TACHO_E_VENDOR);
	toy.fails_range_begin = 0;
	run(session, 0, 1, 3);
	toy.fails_pass_end = TACHO_E_VENDOR;
	assert_int_equal(tacho_session_end_pass(session, &more), TACHO_E_VENDOR);
	toy.fails_pass_end = 0;
	assert_int_equal(more, 1);
	result = take(session, 1);
	assert_int_equal(tacho_result_get_row(result, 0)->repetition, 0);
	assert_true(value_of(result, "T1", 0) == 3);
	finish(&bench, session, result);
}

/* The device vanishes in the second pass: what was complete is there, the rest is absent. */
static void test_vanishing(void **state)
{
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;
	tacho_range range;
	size_t ready;

	toy.is_async = 1;
	begin(&bench, "T1,T2,T3");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 1, 1);
	run(session, 0, 2, 2);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 1, 1);
	toy_flush(session->collection);
	assert_int_equal(tacho_session_begin_range(session, 0, 2, "r", &range), 0);
	(session->sink.fail)(session->sink.user, TACHO_E_LOST, "it fell off the bus", "plug it in");
	(session->sink.fail)(session->sink.user, TACHO_E_VENDOR, "a second error", "");
	assert_int_equal(tacho_session_begin_range(session, 0, 3, "", &range), TACHO_E_LOST);
	assert_string_equal(tacho_error_last()->cause, "it fell off the bus");
	assert_int_equal(tacho_session_end_pass(session, NULL), TACHO_E_INVAL);
	assert_int_equal(tacho_session_end_range(session, range), 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), TACHO_E_LOST);
	assert_int_equal(tacho_session_begin_pass(session), TACHO_E_LOST);
	assert_int_equal(tacho_session_drain(session, UINT64_MAX, &ready), TACHO_E_LOST);
	assert_int_equal(ready, 2);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_true(value_of(result, "T3", 0) == 3);
	assert_true(value_of(result, "T2", 1) == 4);
	assert_int_equal(state_of(result, "T3", 1), TACHO_STATE_ABSENT);
	assert_int_equal(tacho_session_get_lost_rows(session), 1);
	finish(&bench, session, result);
}

/* A session may be destroyed in the middle of everything. */
static void test_abandon(void **state)
{
	struct tacho_session *session;
	struct bench bench;
	tacho_range outer, inner;

	toy.is_async = 1;
	begin(&bench, "T1,T2,T3");
	session = open_session(&bench, NULL);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 1, "outer", &outer), 0);
	assert_int_equal(tacho_session_begin_range(session, outer, 1, "a name", &inner), 0);
	assert_int_equal(tacho_session_push_range(session, 2, "another"), 0);
	run(session, inner, 4, 1);
	tacho_session_destroy(session);
	session = open_session(&bench, NULL);
	tacho_session_destroy(session);
	tacho_session_destroy(NULL);
	bench_close(&bench);
}

/* What a backend must not deliver is refused, and harms nothing. */
static void test_bad_batches(void **state)
{
	struct tacho_dimension two = {.name = "DIMENSION_XCC", .extent = 2};
	uint64_t data[] = {1, 2};
	struct tacho_column column = {.instance_count = 1, .data.u64 = data};
	struct tacho__batch batch = {.row_count = 1, .columns = &column};
	const struct tacho__sink *sink;
	struct tacho_session *session;
	struct bench bench;
	uint64_t key = 77;

	begin(&bench, "T1");
	session = open_session(&bench, NULL);
	sink = &session->sink;
	assert_int_equal(tacho_session_begin_pass(session), 0);
	run(session, 0, 1, 1);
	assert_int_equal(sink->deliver(sink->user, &batch), TACHO_E_INVAL);
	batch.keys = &key;
	assert_int_equal(sink->deliver(sink->user, &batch), TACHO_E_INVAL);
	assert_string_equal(tacho_error_last()->cause, "key 77");
	batch.pass = 1;
	assert_int_equal(sink->deliver(sink->user, &batch), TACHO_E_INVAL);
	batch.pass = 0;
	column.type = TACHO_TYPE_F64;
	assert_int_equal(sink->deliver(sink->user, &batch), TACHO_E_INVAL);
	column.type = TACHO_TYPE_U64;
	column.dimensions[0] = two;
	column.dimension_count = 1;
	assert_int_equal(sink->deliver(sink->user, &batch), TACHO_E_INVAL);
	column.dimension_count = TACHO_DIMENSION_MAX + 1;
	assert_int_equal(sink->deliver(sink->user, &batch), TACHO_E_INVAL);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	finish(&bench, session, take(session, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lost),	    cmocka_unit_test(test_device_errors),
		cmocka_unit_test(test_vanishing),   cmocka_unit_test(test_abandon),
		cmocka_unit_test(test_bad_batches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
