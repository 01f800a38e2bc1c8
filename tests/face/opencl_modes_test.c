/* SPDX-License-Identifier: MIT */
/* Serialized and pipelined ranges on a command queue: where it is waited for, and what times are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "opencl_bench.h"
#include "tacho/error.h"

static const char all_times[] = "gpu__time_start:serialized,gpu__time_end:serialized,"
				"gpu__time_duration:serialized,gpu__time_active:serialized";

static void serialized_ranges_wait_at_both_ends(void **state)
{
	struct tacho_result *result;
	tacho_range range;

	assert_int_equal(open_queue(), 0);
	begin_list(all_times);
	assert_null(tacho_plan_get_pass(plan, 1));
	fake.now_ns = 1000;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &range), 0);
	assert_int_equal(fake.callbacks, 1);
	assert_int_equal(fake.markers, 2); /* what is waited for, and the beginning */
	fake.now_ns = 5000;
	assert_int_equal(fake.callbacks, 1);
	assert_int_equal(tacho_session_end_range(session, range), 0);
	assert_int_equal(fake.callbacks, 2);
	assert_int_equal(fake.markers, 3);
	assert_true(fake.flushes >= 2); /* else the driver may keep what is waited for */
	add_range(7000, 7500);
	assert_int_equal(fake.callbacks, 4);
	result = take_result();
	assert_value(result, "gpu__time_start", 0, 1000);
	assert_value(result, "gpu__time_end", 0, 5000);
	assert_value(result, "gpu__time_duration", 0, 4000);
	assert_value(result, "gpu__time_active", 0, 4000);
	assert_value(result, "gpu__time_start", 1, 7000);
	assert_value(result, "gpu__time_active", 1, 500);
	tacho_result_destroy(result);
	finish();
}

/* A queue that is idle already is not waited for. */
static void idle_queues_cost_no_wait(void **state)
{
	assert_int_equal(open_queue(), 0);
	begin_list(all_times);
	fake.status = 0;
	add_range(1000, 2000);
	assert_int_equal(fake.callbacks, 0);
	tacho_result_destroy(take_result());
	finish();
}

static void pipelined_ranges_wait_nowhere(void **state)
{
	struct tacho_result *result;

	fake.properties |= OUT_OF_ORDER;
	assert_int_equal(open_queue(), 0);
	begin_list("gpu__time_start:pipelined,gpu__time_duration:pipelined");
	add_range(1000, 5000);
	assert_int_equal(fake.callbacks, 0);
	assert_int_equal(fake.flushes, 0);
	assert_int_equal(fake.markers, 2);
	assert_int_equal(fake.barriers, 0); /* which hold back what comes behind them */
	result = take_result();
	assert_value(result, "gpu__time_start", 0, 1000);
	assert_value(result, "gpu__time_duration", 0, 4000);
	tacho_result_destroy(result);
	finish();
}

/* Each mode has its own pass, and they are told apart in one result. */
static void modes_of_one_entry_are_two_passes(void **state)
{
	struct tacho_result *result;
	int more;

	assert_int_equal(open_queue(), 0);
	begin_list("gpu__time_duration:serialized,gpu__time_duration:pipelined,GPUTime");
	for (unsigned i = 0; i < 3; i++) {
		add_range(1000, 2000 + i);
		fake.status = 0;
		if (i == 2)
			break;
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
		assert_int_equal(more, 1);
		assert_int_equal(tacho_session_begin_pass(session), 0);
	}
	assert_int_equal(fake.callbacks, 2);
	result = take_result();
	assert_value(result, "gpu__time_duration:serialized", 0, 1000);
	assert_value(result, "gpu__time_duration:pipelined", 0, 1001);
	assert_value(result, "GPUTime", 0, 1002e-6);
	tacho_result_destroy(result);
	finish();
}

/* Markers tell when work ends, not when it begins beside other work. */
static void active_time_is_serialized_only(void **state)
{
	static const char *const lists[] = {"gpu__time_active:pipelined", "gpu__time_active",
					    "gpu__time_duration:pipelined,"
					    "gpu__time_active:pipelined"};

	assert_int_equal(open_queue(), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(plan_list(lists[i]), TACHO_E_UNSUPPORTED);
		assert_non_null(strstr(tacho_error_last()->message, "gpu__time_active"));
		assert_non_null(strstr(tacho_error_last()->cure, "gpu__time_duration"));
	}
	tacho_device_close(device);
	tacho_context_destroy(context);
}

/* A range from 1000 to 9000 with one in it, from 3000 to 5000. */
static int run_nested(void)
{
	static const uint64_t times[] = {1000, 3000, 5000, 9000};
	int more = 0;

	for (uint64_t i = 0; i < 4; i++) {
		fake.now_ns = times[i];
		assert_int_equal(i < 2 ? tacho_session_push_range(session, i + 1, NULL)
				       : tacho_session_pop_range(session),
				 0);
	}
	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	return more;
}

/* Nothing waits where the inner one begins and ends: it is counted in another run. */
static void nested_ranges_wait_at_their_own_ends(void **state)
{
	struct tacho_result *result;

	assert_int_equal(open_queue(), 0);
	begin_list(all_times);
	assert_int_equal(run_nested(), 1);
	assert_int_equal(fake.callbacks, 2);
	assert_int_equal(fake.markers, 3);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(run_nested(), 0);
	assert_int_equal(fake.callbacks, 4);
	assert_int_equal(fake.markers, 6);
	fake.status = 0;
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_value(result, "gpu__time_duration", 0, 8000);
	assert_value(result, "gpu__time_duration", 1, 2000);
	tacho_result_destroy(result);
	finish();
}

/* One run: the outer range is from 1000 to 3000 and from 5000 to 9000. */
static void nested_ranges_are_pipelined_in_pieces(void **state)
{
	struct tacho_result *result;

	assert_int_equal(open_queue(), 0);
	begin_list("gpu__time_start:pipelined,gpu__time_end:pipelined,"
		   "gpu__time_duration:pipelined");
	assert_int_equal(run_nested(), 0);
	assert_int_equal(fake.callbacks, 0);
	assert_int_equal(fake.markers, 6);
	fake.status = 0;
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_value(result, "gpu__time_start", 0, 1000);
	assert_value(result, "gpu__time_end", 0, 9000);
	assert_value(result, "gpu__time_duration", 0, 6000);
	assert_value(result, "gpu__time_start", 1, 3000);
	assert_value(result, "gpu__time_duration", 1, 2000);
	tacho_result_destroy(result);
	finish();
}

/* The guide's second diagram: a range in two parts, with another one between. */
static void split_ranges_are_added_up(void **state)
{
	const struct tacho_session_options options = {.size = sizeof(options), .accumulates = 1};
	struct tacho_result *result;

	assert_int_equal(open_queue(), 0);
	fake.calls_back = 1;
	assert_int_equal(plan_list(all_times), 0);
	assert_int_equal(tacho_session_create(device, plan, &options, &session), 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	add_range(1000, 1300);
	fake.now_ns = 1300;
	assert_int_equal(tacho_session_push_range(session, 2, NULL), 0);
	fake.now_ns = 1700;
	assert_int_equal(tacho_session_pop_range(session), 0);
	add_range(1700, 2200);
	result = take_result();
	assert_int_equal(tacho_result_get_row_count(result), 2);
	assert_value(result, "gpu__time_start", 0, 1000);
	assert_value(result, "gpu__time_end", 0, 2200);
	assert_value(result, "gpu__time_duration", 0, 800);
	assert_value(result, "gpu__time_active", 0, 800);
	assert_value(result, "gpu__time_duration", 1, 400);
	tacho_result_destroy(result);
	finish();
}

/* What a pattern brings is no error: there is no value. */
static void patterns_bring_what_is_absent(void **state)
{
	struct tacho_result *result;

	assert_int_equal(open_queue(), 0);
	begin_list("gpu__time_*:pipelined");
	add_range(1000, 3000);
	result = take_result();
	assert_value(result, "gpu__time_duration", 0, 2000);
	assert_int_equal(
		tacho_column_get_state(tacho_result_find_column(result, "gpu__time_active"), 0, 0) &
			TACHO_STATE_MASK,
		TACHO_STATE_ABSENT);
	assert_non_null(strstr(tacho_result_find_column(result, "gpu__time_active")->note,
			       "while other work is under way"));
	assert_string_equal(tacho_result_find_column(result, "gpu__time_duration")->note, "");
	tacho_result_destroy(result);
	finish();
	assert_int_equal(open_queue(), 0);
	begin_list("gpu__time_*_sum:pipelined");
	add_range(1000, 3000);
	result = take_result();
	assert_value(result, "gpu__time_duration_sum", 0, 2000);
	tacho_result_destroy(result);
	finish();
}

static void serialized_ranges_do_not_overlap(void **state)
{
	struct tacho_result *result;
	tacho_range one, two;

	assert_int_equal(open_queue(), 0);
	begin_list(all_times);
	fake.now_ns = 1000;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &one), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 2, NULL, &two), TACHO_E_BUSY);
	assert_int_equal(fake.callbacks, 1);
	fake.now_ns = 3000;
	assert_int_equal(tacho_session_end_range(session, one), 0);
	result = take_result();
	assert_value(result, "gpu__time_duration", 0, 2000);
	tacho_result_destroy(result);
	finish();
}

/* As what is not credible in milliseconds. */
static void times_that_a_driver_lacks_are_absent(void **state)
{
	static const char *const names[] = {"gpu__time_start", "gpu__time_end",
					    "gpu__time_duration", "gpu__time_active"};
	struct tacho_result *result;

	assert_int_equal(open_queue(), 0);
	begin_list(all_times);
	add_range(0, 0);
	add_range(2000, 1000);
	result = take_result();
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(tacho_column_get_state(
					 tacho_result_find_column(result, names[i / 2]), i % 2, 0) &
					 TACHO_STATE_MASK,
				 TACHO_STATE_ABSENT);
	tacho_result_destroy(result);
	finish();
}

/* They are refused before the work runs; milliseconds are absent, and never 0. */
static void drivers_without_a_clock_have_no_times(void **state)
{
	struct tacho_result *result;

	fake.has_no_clock = 1;
	assert_int_equal(open_queue(), 0);
	assert_int_equal(plan_list("gpu__time_duration:pipelined"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->message, "no gpu__time_duration"));
	assert_non_null(strstr(tacho_error_last()->cause, "TIMER_RESOLUTION is 0"));
	begin_list("GPUTime,gpu__time_*");
	add_range(3, 3);
	result = take_result();
	assert_int_equal(tacho_result_get_column_count(result), 5);
	for (size_t i = 0; i < 5; i++) {
		const struct tacho_column *column = tacho_result_get_column(result, i);

		assert_int_equal(tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK,
				 TACHO_STATE_ABSENT);
		assert_non_null(strstr(column->note, "TIMER_RESOLUTION is 0"));
	}
	tacho_result_destroy(result);
	finish();
}

/* Nobody waits for ever: a program may do later what its work waits for. */
static void waiting_ends(void **state)
{
	tacho_range range;

	assert_int_equal(open_queue(), 0);
	begin_list(all_times);
	fake.calls_back = 0;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &range), TACHO_E_TIMEOUT);
	assert_non_null(strstr(tacho_error_last()->cause, "not idle after 10 s"));
	fake.late(NULL, 0, fake.late_user);
	fake.callback_error = -5;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &range), TACHO_E_VENDOR);
	fake.status = 0;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &range), 0);
	fake.status = 1;
	assert_int_equal(tacho_session_end_range(session, range), TACHO_E_VENDOR);
	assert_non_null(strstr(tacho_error_last()->cause, "clSetEventCallback"));
	finish();
}

/* Times share passes with times, and with nothing else. */
static void times_are_apart_from_counters(void **state)
{
	open_amd();
	assert_int_equal(plan_list("GPUTime,gpu__time_start,SQ_SQ_PERF_SEL_WAVES,"
				   "gpu__time_duration,TCC0_TCC_PERF_SEL_MISS"),
			 0);
	assert_non_null(tacho_plan_get_pass(plan, 1));
	assert_null(tacho_plan_get_pass(plan, 2));
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
}

static void hardware_counters_wait_when_serialized(void **state)
{
	struct tacho_result *result;

	open_amd();
	begin_list("SQ_SQ_PERF_SEL_WAVES:serialized");
	add_range(1000, 2000);
	assert_int_equal(fake.callbacks, 2);
	result = take_result();
	assert_value(result, "SQ_SQ_PERF_SEL_WAVES", 0, 14 * 1000 + 4);
	tacho_result_destroy(result);
	finish();
	assert_int_equal(fake.counters, 0);
}

/* Without a wait they count between commands, which stay in order only where all others do. */
static void hardware_counters_are_pipelined_in_order(void **state)
{
	open_amd();
	begin_list("SQ_SQ_PERF_SEL_WAVES:pipelined");
	add_range(1000, 2000);
	assert_int_equal(fake.callbacks, 0);
	assert_int_equal(fake.barriers, 0);
	tacho_result_destroy(take_result());
	finish();
	assert_int_equal(fake.counters, 0);
	fake.properties |= OUT_OF_ORDER;
	open_amd();
	assert_int_equal(plan_list("SQ_SQ_PERF_SEL_WAVES:pipelined"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->message, "SQ_SQ_PERF_SEL_WAVES"));
	assert_non_null(strstr(tacho_error_last()->cause, "out of order"));
	/* which says nothing of times */
	assert_int_equal(plan_list("gpu__time_duration:pipelined,SQ_SQ_PERF_SEL_WAVES:serialized"),
			 0);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
}

/* What a CPU does is counted while the queue is idle, which it is not without a wait. */
static void processors_are_not_pipelined(void **state)
{
	fake.type = 2;	/* CL_DEVICE_TYPE_CPU */
	session = NULL; /* not those of the test before */
	plan = NULL;
	config = NULL;
	assert_int_equal(open_queue(), 0);
	if (tacho_device_parse_config(device, "context-switches", NULL, &config, NULL)) {
		finish();
		print_message("the kernel counts nothing here (qemu-user): not run\n");
		skip();
	}
	tacho_config_destroy(config);
	config = NULL;
	assert_int_equal(plan_list("context-switches:pipelined"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->message, "context-switches"));
	assert_int_equal(plan_list("context-switches:serialized"), 0);
	if (tacho_session_create(device, plan, NULL, &session)) {
		print_message("this machine does not let programs count: not run\n");
	} else {
		fake.status = 1;
		fake.calls_back = 1;
		assert_int_equal(tacho_session_begin_pass(session), 0);
		add_range(1000, 2000);
		assert_int_equal(fake.callbacks, 2);
		tacho_result_destroy(take_result());
	}
	finish();
	session = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(serialized_ranges_wait_at_both_ends, reset),
		cmocka_unit_test_setup(idle_queues_cost_no_wait, reset),
		cmocka_unit_test_setup(pipelined_ranges_wait_nowhere, reset),
		cmocka_unit_test_setup(modes_of_one_entry_are_two_passes, reset),
		cmocka_unit_test_setup(active_time_is_serialized_only, reset),
		cmocka_unit_test_setup(nested_ranges_wait_at_their_own_ends, reset),
		cmocka_unit_test_setup(nested_ranges_are_pipelined_in_pieces, reset),
		cmocka_unit_test_setup(split_ranges_are_added_up, reset),
		cmocka_unit_test_setup(patterns_bring_what_is_absent, reset),
		cmocka_unit_test_setup(serialized_ranges_do_not_overlap, reset),
		cmocka_unit_test_setup(times_that_a_driver_lacks_are_absent, reset),
		cmocka_unit_test_setup(drivers_without_a_clock_have_no_times, reset),
		cmocka_unit_test_setup(waiting_ends, reset),
		cmocka_unit_test_setup(times_are_apart_from_counters, reset),
		cmocka_unit_test_setup(hardware_counters_wait_when_serialized, reset),
		cmocka_unit_test_setup(hardware_counters_are_pipelined_in_order, reset),
		cmocka_unit_test_setup(processors_are_not_pipelined, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
