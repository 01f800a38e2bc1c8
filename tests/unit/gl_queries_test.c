/* SPDX-License-Identifier: MIT */
/* Queries of the backend "gl": with those of the program, side by side, late, and in other
 * contexts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "gl_fake.h"
#include "tacho/error.h"
#include "tacho/session.h"
#include "backend/gl/gl_private.h"
#include "gl_bench.h"

static void test_refusals(void **state)
{
	fake.version = "1.4 Fake";
	assert_int_equal(try_device(), TACHO_E_VERSION);
	assert_non_null(strstr(tacho_error_last()->cause, "1.4 Fake"));
	assert_non_null(strstr(tacho_error_last()->cure, "OpenGL 1.5"));
	tacho_context_destroy(run.context);
	fake.version = "OpenGL ES 2.0 Fake";
	assert_int_equal(try_device(), TACHO_E_VERSION);
	tacho_context_destroy(run.context);
	fake.version = "3.3 Fake";
	fake.counter_bits = 0;
	assert_int_equal(try_device(), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "3.3 Fake"));
}

/* A query that the program has active is left alone. */
static void test_program_queries(void **state)
{
	tacho_range range;

	make_session("Occlusion|PrimsWritten_S1");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	fake_program_begins(GL__ANY_SAMPLES_PASSED, 0);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &range), TACHO_E_BUSY);
	assert_non_null(strstr(tacho_error_last()->cause, "0x8c2f"));
	fake_program_ends(GL__ANY_SAMPLES_PASSED, 0);
	fake_program_begins(0x8c88, 1);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &range), TACHO_E_BUSY);
	assert_non_null(strstr(tacho_error_last()->cause, "stream 1"));
	fake_program_ends(0x8c88, 1);
	fake_program_begins(0x82ee, 0); /* another target is no matter */
	run_range(1, 4);
	fake_program_ends(0x82ee, 0);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_true(get_value("Occlusion", 0) == 4 * 92);
}

/* Ranges side by side at once are refused; nested ones are of different runs. */
static void test_overlap(void **state)
{
	tacho_range first, second;

	make_session("IAVertices");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &first), 0);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 2, NULL, &second), TACHO_E_BUSY);
	assert_non_null(strstr(tacho_error_last()->cause, "another range is open"));
	fake_work(2);
	assert_int_equal(tacho_session_end_range(run.session, first), 0);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
}

static void test_overlap_of_times(void **state)
{
	tacho_range first, second;

	make_session("GPUTime");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &first), 0);
	fake_work(2);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 2, NULL, &second), 0);
	fake_work(3);
	assert_int_equal(tacho_session_end_range(run.session, first), 0);
	fake_work(4);
	assert_int_equal(tacho_session_end_range(run.session, second), 0);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_true(get_value("GPUTime", 0) == 0.005);
	assert_true(get_value("GPUTime", 1) == 0.007);
}

static void test_nesting(void **state)
{
	tacho_range outer, inner;
	int more = 1;
	unsigned runs = 0;

	make_session("IAVertices");
	while (more) {
		assert_int_equal(tacho_session_begin_pass(run.session), 0);
		assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &outer), 0);
		fake_work(5);
		assert_int_equal(tacho_session_begin_range(run.session, outer, 2, NULL, &inner), 0);
		fake_work(1);
		assert_int_equal(tacho_session_end_range(run.session, inner), 0);
		assert_int_equal(tacho_session_end_range(run.session, outer), 0);
		assert_int_equal(tacho_session_end_pass(run.session, &more), 0);
		runs++;
	}
	assert_int_equal(runs, 2);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_true(get_value("IAVertices", 0) == 6 * 518);
	assert_true(get_value("IAVertices", 1) == 518);
}

/* Results come late: nothing waits for them but drain, and objects are used again. */
static void test_late(void **state)
{
	size_t ready = 9;

	fake.delay = 3;
	make_session("IAVertices");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	run_range(1, 1);
	run_range(2, 2);
	assert_int_equal(fake.generated, 2);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, 0, &ready), TACHO_E_TIMEOUT);
	assert_int_equal(ready, 0);
	assert_int_equal(fake.flushes, 1);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, &ready), 0);
	assert_int_equal(ready, 2);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_true(get_value("IAVertices", 1) == 2 * 518);
}

static void test_reuse(void **state)
{
	make_session("IAVertices");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	for (unsigned i = 0; i < 200; i++) {
		run_range(i, i);
		assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	}
	assert_int_equal(fake.generated, 1);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_int_equal(tacho_result_get_row_count(run.result), 200);
	for (unsigned i = 0; i < 200; i++)
		assert_true(get_value("IAVertices", i) == i * 518.0);
}

/* Many ranges before the first is read. */
static void test_many(void **state)
{
	make_session("GPUTime");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	for (unsigned i = 0; i < 150; i++)
		run_range(i, i + 1);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	for (unsigned i = 0; i < 150; i++)
		assert_true(get_value("GPUTime", i) == (i + 1) * 1000 / 1e6);
}

/* A buffer that the program bound for its own results stays bound and is not written to. */
static void test_query_buffer(void **state)
{
	make_session("IAVertices|GPUTime");
	fake.query_buffer = 7;
	run_all();
	assert_true(get_value("IAVertices", 0) == 5180);
	assert_int_equal(fake.query_buffer, 7);
	fake.query_buffer = 0;
}

static void test_other_context(void **state)
{
	void *own = fake.current;
	tacho_range range;
	int other;

	make_session("IAVertices");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	fake.current = &other;
	assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &range), TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->cause, "another context is current"));
	fake.current = own;
	assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &range), 0);
	fake.current = NULL;
	assert_int_equal(tacho_session_end_range(run.session, range), TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->cause, "no context is current"));
	fake.current = own;
	run_range(2, 6); /* ends what is left of the first */
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	fake.current = NULL;
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), TACHO_E_INVAL);
	fake.current = own;
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_int_equal(tacho_result_get_row_count(run.result), 2);
	assert_true(get_value("IAVertices", 1) == 6 * 518);
	assert_int_equal(tacho_result_get_column(run.result, 0)->states[0], TACHO_STATE_ABSENT);
}

/* A driver that names its own context is asked in place of the slow library. */
static void test_own_context(void **state)
{
	void *current = fake.current;
	tacho_range range;
	unsigned asked;
	int own, other;

	fake.own = &own;
	make_session("IAVertices");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	asked = fake.asked;
	run_range(1, 1);
	run_range(2, 2);
	assert_int_equal(fake.asked, asked);
	fake.own = &other;
	fake.current = &other;
	assert_int_equal(tacho_session_begin_range(run.session, 0, 3, NULL, &range), TACHO_E_INVAL);
	fake.own = &own;
	fake.current = current;
	assert_int_equal(tacho_session_begin_range(run.session, 0, 4, NULL, &range), 0);
	fake.own = fake.current = NULL;
	assert_int_equal(tacho_session_end_range(run.session, range), TACHO_E_INVAL);
	fake.current = current;
	fake.own = &other; /* another thread's name for it: the library has the word */
	run_range(5, 5);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_true(get_value("IAVertices", 3) == 5 * 518);
}

/* Objects are made for several ranges at once, but not for more than twice those that there are. */
static void test_objects(void **state)
{
	make_session("IAVertices");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	for (unsigned i = 1; i <= 40; i++) {
		run_range(i, i);
		assert_in_range(fake.generated, i, 2 * i);
	}
	assert_int_equal(fake.generated, 48); /* 1, 1, 2, 4, 8, 16, 16 */
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_true(get_value("IAVertices", 39) == 40 * 518);
}

/* What was made in a context that is gone is not deleted in the next. */
static void test_stale(void **state)
{
	make_session("IAVertices");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	run_range(1, 1);
	fake_replace_context();
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), TACHO_E_LOST);
	close_session();
	assert_int_equal(fake.deleted, 0);
	fake.generated = 0;
}

/* A session that is destroyed in the middle leaves no query active. */
static void test_cut_off(void **state)
{
	tacho_range range;

	make_session("IAVertices|Occlusion");
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	run_range(1, 1);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 2, NULL, &range), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_program_queries, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overlap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overlap_of_times, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nesting, setup, teardown),
		cmocka_unit_test_setup_teardown(test_late, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reuse, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_query_buffer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_context, setup, teardown),
		cmocka_unit_test_setup_teardown(test_own_context, setup, teardown),
		cmocka_unit_test_setup_teardown(test_objects, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stale, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cut_off, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
