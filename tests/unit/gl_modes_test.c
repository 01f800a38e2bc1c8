/* SPDX-License-Identifier: MIT */
/* The backend "gl" serialized and pipelined: when it waits, and what the time stamps say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "gl_fake.h"
#include "tacho/error.h"
#include "tacho/session.h"
#include "gl_bench.h"

static void use_llvmpipe(void)
{
	fake.renderer = "llvmpipe (LLVM 15.0.6, 256 bits)";
	fake.version = "4.6 (Core Profile) Mesa 22.3.6";
}

/* The two ranges of run_all() in the one pass of a list; what the driver was asked to do. */
static const char *trace_of(const char *list)
{
	assert_int_equal(try_plan(list), 0);
	assert_int_equal(run.pass_count, 1);
	begin_session();
	memset(fake.trace, 0, sizeof(fake.trace));
	run_all();
	return fake.trace;
}

/* One wait at each end of a range and none inside, so that it has the GPU for itself. */
static void test_serialized(void **state)
{
	assert_string_equal(trace_of("IAVertices:serialized"), "FBwEFwFBwEF");
	assert_true(get_value("IAVertices", 0) == 5180 && get_value("IAVertices", 1) == 1554);
}

/* The second time stamp is taken before the wait: how long a thread takes to wake is in no time. */
static void test_serialized_times(void **state)
{
	fake.finish_ns = 777;
	assert_string_equal(trace_of("GPUTime:serialized,gpu__time_active:serialized,"
				     "gpu__time_active_sum:serialized"),
			    "FSwSFwFSwSF");
	assert_true(get_value("gpu__time_active_sum", 0) == 10000);
	assert_true(get_value("GPUTime", 0) == 0.01 && get_value("GPUTime", 1) == 0.003);
	assert_true(get_value("gpu__time_active", 1) == 3000);
}

static void test_pipelined(void **state)
{
	assert_string_equal(trace_of("IAVertices:pipelined"), "BwEwBwE");
	assert_true(get_value("IAVertices", 0) == 5180 && get_value("IAVertices", 1) == 1554);
}

static void test_pipelined_times(void **state)
{
	assert_string_equal(trace_of("GPUTime:pipelined,gpu__time_duration:pipelined"), "SwSwSwS");
	assert_true(get_value("GPUTime", 0) == 0.01 && get_value("gpu__time_duration", 1) == 3000);
}

static void test_default(void **state)
{
	assert_string_equal(trace_of("IAVertices"), "BwEwBwE");
}

/* Where time stamps need quiet it is one wait before each, in every mode: never two at one end. */
static void test_quirk(void **state)
{
	static const char *const times[] = {"GPUTime", "GPUTime:serialized", "GPUTime:pipelined"};

	use_llvmpipe();
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(trace_of(times[i]), "FSwFSwFSwFS");
		assert_true(get_value("GPUTime", 0) == 0.01);
		close_session();
	}
	assert_string_equal(trace_of("IAVertices:pipelined"), "BwEwBwE");
	close_session();
	assert_string_equal(trace_of("IAVertices:serialized"), "FBwEFwFBwEF");
}

/* A run of the guide's example: 5 units of work, 3 of range 10 in range 200, 1 behind it. */
static int run_nested(void)
{
	tacho_range outer, inner;
	int more;

	memset(fake.trace, 0, sizeof(fake.trace));
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 200, NULL, &outer), 0);
	fake_work(5);
	assert_int_equal(tacho_session_begin_range(run.session, outer, 10, NULL, &inner), 0);
	fake_work(3);
	assert_int_equal(tacho_session_end_range(run.session, inner), 0);
	fake_work(1);
	assert_int_equal(tacho_session_end_range(run.session, outer), 0);
	assert_int_equal(tacho_session_end_pass(run.session, &more), 0);
	return more;
}

static void take(void)
{
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_int_equal(tacho_result_get_row_count(run.result), 2);
}

/* The outer range's run without a wait where the inner one begins and ends, then its own. */
static void test_serialized_nesting(void **state)
{
	assert_int_equal(try_plan("IAVertices:serialized"), 0);
	begin_session();
	assert_int_equal(run_nested(), 1);
	assert_string_equal(fake.trace, "FBwwwEF");
	assert_int_equal(run_nested(), 0);
	assert_string_equal(fake.trace, "wFBwEFw");
	take();
	assert_true(get_value("IAVertices", 0) == 9 * 518);
	assert_true(get_value("IAVertices", 1) == 3 * 518);
}

/* One run for both, in which the outer range is what lies around the inner one. */
static void test_pipelined_nesting(void **state)
{
	assert_int_equal(try_plan("IAVertices:pipelined"), 0);
	begin_session();
	assert_int_equal(run_nested(), 0);
	assert_string_equal(fake.trace, "BwEBwEBwE");
	take();
	assert_true(get_value("IAVertices", 0) == 6 * 518);
	assert_true(get_value("IAVertices", 1) == 3 * 518);
}

/* It lasts 6000 ns, not the 9000 from its start to its end. */
static void test_pipelined_nested_times(void **state)
{
	assert_int_equal(try_plan("gpu__time_start:pipelined,gpu__time_end:pipelined,"
				  "gpu__time_duration:pipelined"),
			 0);
	begin_session();
	assert_int_equal(run_nested(), 0);
	assert_string_equal(fake.trace, "SwSSwSSwS");
	take();
	assert_true(get_value("gpu__time_start", 0) == 5000);
	assert_true(get_value("gpu__time_end", 0) == 14000);
	assert_true(get_value("gpu__time_duration", 0) == 6000);
	assert_true(get_value("gpu__time_start", 1) == 10000);
	assert_true(get_value("gpu__time_end", 1) == 13000);
	assert_true(get_value("gpu__time_duration", 1) == 3000);
}

/* The same id again, 7 units of other work between: 13 units of its own in 20. */
static void test_split_range(void **state)
{
	const struct tacho_session_options options = {.size = sizeof(options), .accumulates = 1};

	assert_int_equal(try_plan("gpu__time_start:serialized,gpu__time_end:serialized,"
				  "gpu__time_duration:serialized,gpu__time_active:serialized"),
			 0);
	assert_int_equal(tacho_session_create(run.device, run.plan, &options, &run.session), 0);
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	run_range(1, 10);
	fake_work(7);
	run_range(1, 3);
	run_range(2, 1);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	take();
	assert_true(get_value("gpu__time_start", 0) == 5000);
	assert_true(get_value("gpu__time_end", 0) == 25000);
	assert_true(get_value("gpu__time_duration", 0) == 13000);
	assert_true(get_value("gpu__time_active", 0) == 13000);
	assert_true(get_value("gpu__time_start", 1) == 25000);
}

/* A driver that has to wait says so with its pipelined values, and with no others. */
static void test_note(void **state)
{
	use_llvmpipe();
	assert_int_equal(try_plan("GPUTime:pipelined,GPUTime:serialized"), 0);
	begin_session();
	run_all();
	assert_non_null(strstr(tacho_result_find_column(run.result, "GPUTime:pipelined")->note,
			       "this driver takes time stamps rightly only"));
	assert_string_equal(tacho_result_find_column(run.result, "GPUTime:serialized")->note, "");
	close_session();
	tacho_device_close(run.device);
	tacho_context_destroy(run.context);
	run.device = NULL;
	run.context = NULL;
	fake.renderer = "Fake Renderer";
	assert_int_equal(try_plan("GPUTime:pipelined"), 0);
	begin_session();
	run_all();
	assert_string_equal(tacho_result_find_column(run.result, "GPUTime")->note, "");
}

/* Times may overlap, but not where a range has the GPU for itself. */
static void test_serialized_overlap(void **state)
{
	tacho_range first, second;

	assert_int_equal(try_plan("GPUTime:serialized"), 0);
	begin_session();
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &first), 0);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 2, NULL, &second), TACHO_E_BUSY);
	assert_non_null(strstr(tacho_error_last()->cause, "another range is open"));
	assert_int_equal(fake.finishes, 1);
	assert_int_equal(tacho_session_end_range(run.session, first), 0);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
}

/* No pass is shared, and an entry may be there in each mode. */
static void test_passes(void **state)
{
	assert_int_equal(try_plan("IAVertices,IAVertices:serialized,IAVertices:pipelined"), 0);
	assert_int_equal(run.pass_count, 3);
	begin_session();
	run_all();
	assert_true(get_value("IAVertices", 0) == 5180);
	assert_true(get_value("IAVertices:serialized", 0) == 5180);
	assert_true(get_value("IAVertices:pipelined", 1) == 1554);
	assert_int_equal(fake.finishes, 4);
}

/* The fake's clock is at 5000 ns, and a unit of work takes 1000: 10 units, 7 in no range, 3. */
static void test_times(void **state)
{
	assert_int_equal(try_plan("gpu__time_start,gpu__time_end,gpu__time_duration,GPUTime"), 0);
	assert_int_equal(run.pass_count, 1);
	begin_session();
	run_all();
	assert_true(get_value("gpu__time_start", 0) == 5000);
	assert_true(get_value("gpu__time_end", 0) == 15000);
	assert_true(get_value("gpu__time_duration", 0) == 10000);
	assert_true(get_value("gpu__time_start", 1) == 22000);
	assert_true(get_value("gpu__time_end", 1) == 25000);
	assert_true(get_value("GPUTime", 1) == 0.003);
	/* one pair for all, each read once */
	assert_int_equal(fake.reads, 4);
	assert_in_range(fake.generated, 2, 4);
	close_session();
	assert_int_equal(try_plan("gpu__time_duration,IAVertices"), 0);
	assert_int_equal(run.pass_count, 2);
}

static void test_entries(void **state)
{
	static const struct {
		const char *name, *joins, *caveat;
	} entries[] = {{"gpu__time_start", "first", ""},
		       {"gpu__time_end", "last", ""},
		       {"gpu__time_duration", "", "waited for the program"},
		       {"gpu__time_active", "", "Serialized only"}};

	use_llvmpipe();
	assert_int_equal(try_device(), 0);
	for (size_t i = 0; i < 4; i++) {
		const struct tacho_entry *entry =
			tacho_arch_find_entry(tacho_device_get_arch(run.device), entries[i].name);

		assert_non_null(entry);
		assert_string_equal(entry->joins, entries[i].joins);
		assert_string_equal(entry->unit, "nanoseconds");
		assert_string_equal(entry->block, "gpu");
		assert_non_null(strstr(entry->caveat, entries[i].caveat));
		assert_non_null(strstr(entry->caveat, "llvmpipe"));
	}
}

/* What a range does beside others no time stamp tells. */
static void test_active(void **state)
{
	static const char *const refused[] = {"gpu__time_active", "gpu__time_active:pipelined",
					      "gpu__time_active_sum:pipelined"};

	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(try_plan(refused[i]), TACHO_E_UNSUPPORTED);
		assert_non_null(strstr(tacho_error_last()->message, "gpu__time_active"));
		assert_non_null(strstr(tacho_error_last()->cause, "while other work is under way"));
		assert_non_null(strstr(tacho_error_last()->cure, "serialized"));
		close_session();
	}
}

/* A pattern brings it along: it has no values, and the others have theirs. */
static void test_active_of_pattern(void **state)
{
	static const struct {
		const char *list, *absent, *present;
	} lists[] = {
		{"gpu__time_*:pipelined", "gpu__time_active", "gpu__time_duration"},
		{"gpu__time_ac*:pipelined", "gpu__time_active", NULL},
		{"gpu__time_*_sum:pipelined", "gpu__time_active_sum", "gpu__time_duration_sum"},
	};

	for (size_t i = 0; i < 3; i++) {
		const struct tacho_column *column;

		assert_int_equal(try_plan(lists[i].list), 0);
		begin_session();
		run_all();
		column = tacho_result_find_column(run.result, lists[i].absent);
		assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_ABSENT);
		assert_int_equal(tacho_column_get_state(column, 1, 0), TACHO_STATE_ABSENT);
		assert_non_null(strstr(column->note, "while other work is under way"));
		if (lists[i].present) {
			assert_true(get_value(lists[i].present, 1) == 3000);
			column = tacho_result_find_column(run.result, lists[i].present);
			assert_string_equal(column->note, "");
		}
		close_session();
	}
	assert_int_equal(try_plan("gpu__time_*:pipelined,gpu__time_active_max:pipelined"),
			 TACHO_E_UNSUPPORTED);
}

/* Time stamps that begin again at 0 go on: in a range, between two, and after the largest. */
static void test_narrow_stamps(void **state)
{
	static const uint64_t begins[] = {UINT64_C(1) << 32, UINT64_C(10) << 32};
	static const uint64_t until[] = {4000, 12000};

	fake.counter_bits = 32;
	for (size_t i = 0; i < 2; i++) {
		double first = (double)(UINT32_MAX - until[i] + 1);

		fake.stamp_ns = begins[i] - until[i];
		assert_int_equal(
			try_plan("gpu__time_start,gpu__time_end,gpu__time_duration,GPUTime"), 0);
		begin_session();
		run_all();
		assert_true(get_value("gpu__time_start", 0) == first);
		assert_true(get_value("gpu__time_end", 0) == first + 10000);
		assert_true(get_value("gpu__time_start", 1) == first + 17000);
		assert_true(get_value("gpu__time_end", 1) == first + 20000);
		assert_true(get_value("gpu__time_duration", 0) == 10000);
		assert_true(get_value("GPUTime", 1) == 0.003);
		close_session();
	}
}

/* The range that began first may be the one that is read last. */
static void test_narrow_overlap(void **state)
{
	tacho_range first, second;

	fake.counter_bits = 32;
	fake.stamp_ns = (UINT64_C(1) << 32) - 2500;
	assert_int_equal(try_plan("gpu__time_start,gpu__time_end"), 0);
	begin_session();
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 1, NULL, &first), 0);
	fake_work(2);
	assert_int_equal(tacho_session_begin_range(run.session, 0, 2, NULL, &second), 0);
	fake_work(1);
	assert_int_equal(tacho_session_end_range(run.session, second), 0);
	assert_int_equal(tacho_session_end_range(run.session, first), 0);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
	assert_true(get_value("gpu__time_start", 0) == 4294967296.0 - 2500);
	assert_true(get_value("gpu__time_start", 1) == 4294967296.0 - 500);
	assert_true(get_value("gpu__time_end", 0) == 4294967296.0 + 500);
	assert_true(get_value("gpu__time_end", 1) == 4294967296.0 + 500);
}

static int check_entry(const char *name)
{
	const struct tacho_arch *arch = tacho_device_get_arch(run.device);

	return tacho_config_check_entry(arch, tacho_device_get_model(run.device),
					tacho_arch_find_entry(arch, name));
}

/* Without time stamps there is a time, but nothing tells when it was. */
static void test_no_stamps(void **state)
{
	fake.is_without_functions = true;
	assert_int_equal(try_plan("gpu__time_duration,gpu__time_duration:pipelined"), 0);
	begin_session();
	run_all();
	assert_true(get_value("gpu__time_duration", 0) == 10 * (35007 % 1000));
	assert_int_equal(check_entry("gpu__time_start"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "glQueryCounter"));
	assert_int_equal(check_entry("gpu__time_end"), TACHO_E_UNSUPPORTED);
}

/* Nor is there any without a timer at all. */
static void test_no_times(void **state)
{
	fake.version = "3.0 Fake 1.0";
	assert_int_equal(try_device(), 0);
	assert_int_equal(check_entry("gpu__time_duration"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "GL_ARB_timer_query"));
	assert_int_equal(check_entry("gpu__time_start"), TACHO_E_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_serialized, setup, teardown),
		cmocka_unit_test_setup_teardown(test_serialized_times, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pipelined, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pipelined_times, setup, teardown),
		cmocka_unit_test_setup_teardown(test_default, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quirk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_serialized_nesting, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pipelined_nesting, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pipelined_nested_times, setup, teardown),
		cmocka_unit_test_setup_teardown(test_split_range, setup, teardown),
		cmocka_unit_test_setup_teardown(test_note, setup, teardown),
		cmocka_unit_test_setup_teardown(test_serialized_overlap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_passes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_times, setup, teardown),
		cmocka_unit_test_setup_teardown(test_entries, setup, teardown),
		cmocka_unit_test_setup_teardown(test_active, setup, teardown),
		cmocka_unit_test_setup_teardown(test_active_of_pattern, setup, teardown),
		cmocka_unit_test_setup_teardown(test_narrow_stamps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_narrow_overlap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_stamps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_times, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
