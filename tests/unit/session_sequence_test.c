/* SPDX-License-Identifier: MIT */
/* Passes that must have the same ranges. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tacho/error.h"
#include "session_bench.h"

static const struct tacho_session_options same = {.size = sizeof(same), .same_ranges = 1};

/* "5(7)": a range 5 in which is a range 7. */
static void follow(struct tacho_session *session, const char *script)
{
	while (*script) {
		char *end = (char *)script;

		if (*script == '(') {
			script++;
			continue;
		}
		if (*script == ')') {
			assert_int_equal(tacho_session_pop_range(session), 0);
			script++;
			continue;
		}
		assert_int_equal(
			tacho_session_push_range(session, strtoull(script, &end, 10), NULL), 0);
		script = end;
	}
}

static const struct {
	const char *first, *second, *difference; /* NULL: none */
} passes[] = {
	{"", "", NULL},
	{"5()", "5()", NULL},
	{"5(7())9()", "5(7())9()", NULL},
	{"18446744073709551615()0()", "18446744073709551615()0()", NULL},
	{"5()", "7()", "pass 2 began range 7 where pass 1 began range 5 (position 1)"},
	{"5()5()5()5()5()5()", "5()5()5()5()5()7()",
	 "pass 2 began range 7 where pass 1 began range 5 (position 11)"},
	{"5()7()", "5(7())", "pass 2 began range 7 where pass 1 ended range 5 (position 2)"},
	{"5(7())", "5()7()", "pass 2 ended range 5 where pass 1 began range 7 (position 2)"},
	{"5(7())", "5()", "pass 2 ended range 5 where pass 1 began range 7 (position 2)"},
	{"5()7()", "5()", "pass 2 ended where pass 1 began range 7 (position 3)"},
	{"5()", "5()7()", "pass 2 began range 7 where pass 1 ended (position 3)"},
	{"", "0()", "pass 2 began range 0 where pass 1 ended (position 1)"},
	{"1()", "18446744073709551615()",
	 "pass 2 began range 18446744073709551615 where pass 1 began range 1 (position 1)"},
};

static void test_differences(void **state)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(passes); i++) {
		struct tacho_session *session;
		struct tacho_result *result;
		const struct tacho_column *column;
		struct bench bench;
		int more = 7;

		begin(&bench, "T1,T2,T3");
		session = open_session(&bench, &same);
		assert_int_equal(tacho_session_begin_pass(session), 0);
		follow(session, passes[i].first);
		assert_int_equal(tacho_session_end_pass(session, NULL), 0);
		assert_int_equal(tacho_session_begin_pass(session), 0);
		follow(session, passes[i].second);
		assert_int_equal(tacho_session_end_pass(session, &more),
				 passes[i].difference ? TACHO_E_INVAL : 0);
		assert_int_equal(more, passes[i].difference ? 7 : 0);
		if (passes[i].difference)
			assert_string_equal(tacho_error_last()->cause, passes[i].difference);
		assert_int_equal(tacho_session_begin_pass(session), TACHO_E_INVAL); /* all done */
		assert_int_equal(tacho_session_take(session, &result), 0);
		column = tacho_result_find_column(result, "T3");
		assert_string_equal(column->note, passes[i].difference ? passes[i].difference : "");
		for (size_t row = 0; row < tacho_result_get_row_count(result); row++)
			assert_int_equal(tacho_column_get_state(column, row, 0),
					 passes[i].difference ? TACHO_STATE_ABSENT
							      : TACHO_STATE_OK);
		finish(&bench, session, result);
	}
}

/* The same ranges in another one; and two that are open at a time, in another order of their ends.
 */
static void test_places(void **state)
{
	for (int which = 0; which < 4; which++) {
		struct tacho_session *session;
		struct bench bench;
		int rc = 0, more = 1;

		begin(&bench, "T1,T2,T3");
		session = open_session(&bench, &same);
		for (int pass = 0; pass < 2; pass++) {
			int swaps = pass == (which & 1);
			tacho_range one, two, in;

			assert_int_equal(tacho_session_begin_pass(session), 0);
			assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &one), 0);
			assert_int_equal(tacho_session_begin_range(session, 0, 2, "", &two), 0);
			assert_int_equal(tacho_session_begin_range(session,
								   which >= 2 ? 0
								   : swaps    ? two
									      : one,
								   3, "", &in),
					 0);
			assert_int_equal(tacho_session_end_range(session, in), 0);
			assert_int_equal(
				tacho_session_end_range(session, which >= 2 && swaps ? two : one),
				0);
			assert_int_equal(
				tacho_session_end_range(session, which >= 2 && swaps ? one : two),
				0);
			rc = tacho_session_end_pass(session, &more);
		}
		assert_int_equal(rc, TACHO_E_INVAL);
		if (which == 0)
			assert_string_equal(tacho_error_last()->cause,
					    "pass 2 began range 3 in range 1 where pass 1 began it "
					    "in range 2 (position 3)");
		if (which == 3)
			assert_string_equal(tacho_error_last()->cause,
					    "pass 2 ended range 2 where pass 1 ended range 1 "
					    "(position 5)");
		finish(&bench, session, NULL);
	}
}

/* The first difference stays, and each pass that has one says so. */
static void test_later(void **state)
{
	static const char *const scripts[] = {"1()", "1()", "2()", "1()", "3()", "1()"};
	struct tacho_session *session;
	struct tacho_result *result;
	struct bench bench;

	toy.traits = (struct tacho__device_traits){.replays = CALLER,
						   .modes = {[TACHO_MODE_SERIALIZED] = {1}}};
	begin(&bench, "T1,T2,T3,T1:serialized,T3:serialized,T4:serialized,T1:pipelined,"
		      "T3:pipelined,T4:pipelined");
	session = open_session(&bench, &same);
	assert_int_equal(tacho_session_get_run_count(session), 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		follow(session, scripts[i]);
		assert_int_equal(tacho_session_end_pass(session, NULL),
				 i == 2 || i == 4 ? TACHO_E_INVAL : 0);
	}
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_string_equal(tacho_result_find_column(result, "T2")->note,
			    "pass 3 began range 2 where pass 1 began range 1 (position 1)");
	finish(&bench, session, result);
}

/* Without the option, and where one run is all, nothing is compared. */
static void test_not_asked(void **state)
{
	struct tacho_session *session;
	struct bench bench;

	begin(&bench, "T1,T2,T3");
	session = open_session(&bench, NULL);
	for (int more = 1, i = 0; more; i++) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		follow(session, i ? "1()" : "2()");
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	finish(&bench, session, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
