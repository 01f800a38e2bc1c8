/* SPDX-License-Identifier: MIT */
/* Counting on a command queue of a driver that is made here, whose times are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "opencl_bench.h"
#include "tacho/error.h"

static void begin(void)
{
	const struct tacho_config_entry entry = {.name = "GPUTime"};

	assert_int_equal(open_queue(), 0);
	assert_int_equal(fake.queue_references, 1);
	assert_int_equal(
		tacho_config_create(tacho_device_get_arch(device), NULL, &entry, 1, &config), 0);
	assert_int_equal(tacho_device_plan(device, config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(device, plan, NULL, &session), 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
}

static void times_are_between_the_markers(void **state)
{
	const struct tacho_column *column;
	struct tacho_result *result;

	begin();
	add_range(1000, 1501000);
	add_range(2000000, 2000000);
	assert_int_equal(fake.markers, 4);
	assert_int_equal(fake.barriers, 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	column = tacho_result_find_column(result, "GPUTime");
	assert_true(tacho_column_get_value(column, 0, 0) == 1.5);
	assert_true(tacho_column_get_value(column, 1, 0) == 0);
	assert_int_equal(tacho_column_get_state(column, 1, 0), TACHO_STATE_OK);
	tacho_result_destroy(result);
	finish();
}

/* Times that go back, and commands that fail, give no number. */
static void what_is_not_credible_is_absent(void **state)
{
	const struct tacho_column *column;
	struct tacho_result *result;

	begin();
	add_range(1000, 999);
	add_range(0, 1000);
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	add_range(1000, 2000);
	fake.status = -14;
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	column = tacho_result_find_column(result, "GPUTime");
	for (size_t row = 0; row < 3; row++)
		assert_int_equal(tacho_column_get_state(column, row, 0) & TACHO_STATE_MASK,
				 TACHO_STATE_ABSENT);
	tacho_result_destroy(result);
	finish();
}

static void values_come_late(void **state)
{
	size_t ready = 7;

	begin();
	fake.status = 1;
	add_range(1000, 2000);
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_drain(session, 0, &ready), TACHO_E_TIMEOUT);
	assert_int_equal(ready, 0);
	assert_true(fake.flushes > 0);
	assert_int_equal(tacho_session_drain(session, 1000000, &ready), TACHO_E_TIMEOUT);
	fake.status = 0;
	assert_int_equal(tacho_session_drain(session, 0, &ready), 0);
	assert_int_equal(ready, 1);
	finish();
}

static void loose_queues_get_a_barrier(void **state)
{
	fake.properties |= OUT_OF_ORDER;
	begin();
	add_range(1000, 2000);
	assert_int_equal(fake.barriers, 1);
	assert_int_equal(fake.markers, 1);
	finish(); /* with values that nobody took */
}

static void failures_are_told(void **state)
{
	tacho_range range;

	begin();
	fake.enqueue_error = -5;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &range), TACHO_E_VENDOR);
	assert_non_null(strstr(tacho_error_last()->cause, "CL_OUT_OF_RESOURCES"));
	fake.enqueue_error = 0;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &range), 0);
	fake.enqueue_error = -5;
	assert_int_equal(tacho_session_end_range(session, range), TACHO_E_VENDOR);
	finish();
}

static void refusals(void **state)
{
	struct tacho_context_options options = {.size = sizeof(options),
						.backends = "opencl_queue"};

	fake.version = "OpenCL 1.1 old";
	assert_int_equal(open_queue(), TACHO_E_VERSION);
	assert_non_null(strstr(tacho_error_last()->cause, "1.1"));
	fake.version = "nonsense";
	assert_int_equal(open_queue(), TACHO_E_VERSION);
	reset(state);
	fake.properties = OUT_OF_ORDER;
	assert_int_equal(open_queue(), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cure, "CL_QUEUE_PROFILING_ENABLE"));
	assert_int_equal(fake.queue_references, 0);
	/* no queue at all */
	assert_int_equal(tacho_context_create(&options, &context), 0);
	assert_null(tacho_context_get_device_info(context, 0));
	assert_non_null(strstr(tacho_probe_get_backend(tacho_context_get_probe(context), 0)->cause,
			       "queue"));
	tacho_context_destroy(context);
}

static void begin_amd(const char *const *names, size_t count)
{
	struct tacho_config_entry entries[4] = {0};

	for (size_t i = 0; i < count; i++)
		entries[i].name = names[i];
	open_amd();
	assert_string_equal(tacho_device_get_arch(device)->name, "gfx8");
	assert_int_equal(tacho_config_create(tacho_device_get_arch(device),
					     tacho_device_get_model(device), entries, count,
					     &config),
			 0);
	assert_int_equal(tacho_device_plan(device, config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(device, plan, NULL, &session), 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
}

/* What hardware counts as such, with the time: two passes, in one result. */
static void raw_counters_beside_times(void **state)
{
	static const char *const names[] = {"GPUTime", "TCC15_TCC_PERF_SEL_HIT",
					    "SQ_SQ_PERF_SEL_WAVES", "TCC0_TCC_PERF_SEL_MISS"};
	const double values[] = {0.5, 56 * 1000 + 18, 14 * 1000 + 4, 41 * 1000 + 19};
	struct tacho_result *result;
	int more = 0;

	begin_amd(names, 4);
	add_range(1000, 501000);
	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	assert_int_equal(more, 1);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	add_range(2000000, 2500000);
	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	assert_int_equal(more, 0);
	assert_int_equal(fake.most, 3);
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 1);
	for (size_t i = 0; i < 4; i++) {
		const struct tacho_column *column = tacho_result_find_column(result, names[i]);

		assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_OK);
		assert_true(tacho_column_get_value(column, 0, 0) == values[i]);
	}
	tacho_result_destroy(result);
	finish();
	assert_int_equal(fake.counters, 0);
}

/* A register counts for one range at a time: ranges in others are counted in another run. */
static void nested_ranges_take_runs_of_their_own(void **state)
{
	static const char *const names[] = {"SQ_SQ_PERF_SEL_WAVES"};
	tacho_range outer, inner;
	int more = 0;

	begin_amd(names, 1);
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &outer), 0);
	assert_int_equal(tacho_session_begin_range(session, outer, 2, NULL, &inner), 0);
	assert_int_equal(fake.counters, 1);
	assert_int_equal(tacho_session_end_range(session, inner), 0);
	assert_int_equal(tacho_session_end_range(session, outer), 0);
	assert_int_equal(tacho_session_end_pass(session, &more), 0);
	assert_int_equal(more, 1);
	/* two that overlap are not nested */
	assert_int_equal(tacho_session_begin_pass(session), 0);
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &outer), 0);
	assert_int_equal(tacho_session_begin_range(session, outer, 2, NULL, &inner), 0);
	assert_int_equal(fake.counters, 2); /* of the run before, and the inner one's */
	finish();
	assert_int_equal(fake.counters, 0);
	assert_int_equal(fake.counting, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(times_are_between_the_markers, reset),
		cmocka_unit_test_setup(what_is_not_credible_is_absent, reset),
		cmocka_unit_test_setup(values_come_late, reset),
		cmocka_unit_test_setup(loose_queues_get_a_barrier, reset),
		cmocka_unit_test_setup(failures_are_told, reset),
		cmocka_unit_test_setup(refusals, reset),
		cmocka_unit_test_setup(raw_counters_beside_times, reset),
		cmocka_unit_test_setup(nested_ranges_take_runs_of_their_own, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
