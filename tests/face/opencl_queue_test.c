/* SPDX-License-Identifier: MIT */
/* Counting on a command queue of a driver that is made here, whose times are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "opencl_fake.h"
#include "tacho/error.h"
#include "tacho/session.h"

enum { PROFILING = 2, OUT_OF_ORDER = 1 };

static struct opencl_fake fake;
static struct tacho_context *context;
static struct tacho_device *device;
static struct tacho_config *config;
static struct tacho_plan *plan;
static struct tacho_session *session;

static int reset(void **state)
{
	fake = (struct opencl_fake){.version = "OpenCL 1.2 fake", .properties = PROFILING};
	return 0;
}

static int open_queue(void)
{
	struct tacho_context_options options = {
		.size = sizeof(options), .backends = "opencl_queue", .handle = &fake};
	const struct tacho_device_info *info;
	int rc;

	assert_int_equal(tacho_context_create(&options, &context), 0);
	info = tacho_context_get_device_info(context, 0);
	assert_non_null(info);
	assert_string_equal(info->name, fake.name ? fake.name : "Fake");
	rc = tacho_device_open(context, info, &device);
	if (rc)
		tacho_context_destroy(context);
	return rc;
}

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

/* A range between two moments of the driver's clock. */
static void add_range(uint64_t begin_ns, uint64_t end_ns)
{
	tacho_range range;

	fake.now_ns = begin_ns;
	assert_int_equal(tacho_session_begin_range(session, 0, 1, NULL, &range), 0);
	fake.now_ns = end_ns;
	assert_int_equal(tacho_session_end_range(session, range), 0);
}

/* Nothing of ours remains at the driver. */
static void finish(void)
{
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
	assert_int_equal(fake.events, 0);
	assert_int_equal(fake.queue_references, 0);
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

static uint32_t get_slots(uint64_t block)
{
	return 4;
}

/* A block and an event, so that each value is another one. */
static uint64_t get_value(uint64_t block, uint64_t event)
{
	return block * 1000 + event;
}

static void begin_amd(const char *const *names, size_t count)
{
	struct tacho_config_entry entries[4] = {0};

	fake.type = 4; /* CL_DEVICE_TYPE_GPU */
	fake.vendor = 0x1002;
	fake.name = "gfx803";
	fake.has_counters = 1;
	fake.get_slots = get_slots;
	fake.get_value = get_value;
	for (size_t i = 0; i < count; i++)
		entries[i].name = names[i];
	assert_int_equal(open_queue(), 0);
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

/* ---- modes ---- */

/* The plan of a list on the queue that is open. */
static int plan_list(const char *list)
{
	int rc;

	assert_int_equal(tacho_device_parse_config(device, list, NULL, &config, NULL), 0);
	rc = tacho_device_plan(device, config, NULL, &plan);
	if (rc) {
		tacho_config_destroy(config);
		config = NULL;
	}
	return rc;
}

/* A session in its first pass, on a device whose commands are under way until it is waited. */
static void begin_list(const char *list)
{
	fake.status = 1;
	fake.calls_back = 1;
	assert_int_equal(plan_list(list), 0);
	assert_int_equal(tacho_session_create(device, plan, NULL, &session), 0);
	assert_int_equal(tacho_session_begin_pass(session), 0);
}

/* The result of a pass whose commands are done. */
static struct tacho_result *take_result(void)
{
	struct tacho_result *result;

	fake.status = 0;
	assert_int_equal(tacho_session_end_pass(session, NULL), 0);
	assert_int_equal(tacho_session_drain(session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	return result;
}

static void assert_value(const struct tacho_result *result, const char *name, size_t row,
			 double value)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);

	assert_non_null(column);
	assert_int_equal(tacho_column_get_state(column, row, 0), TACHO_STATE_OK);
	assert_true(tacho_column_get_value(column, row, 0) == value);
}

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
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(tacho_column_get_state(tacho_result_get_column(result, i), 0, 0) &
					 TACHO_STATE_MASK,
				 TACHO_STATE_ABSENT);
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

static void open_amd(void)
{
	fake.type = 4; /* CL_DEVICE_TYPE_GPU */
	fake.vendor = 0x1002;
	fake.name = "gfx803";
	fake.has_counters = 1;
	fake.get_slots = get_slots;
	fake.get_value = get_value;
	assert_int_equal(open_queue(), 0);
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
	fake.type = 2; /* CL_DEVICE_TYPE_CPU */
	assert_int_equal(open_queue(), 0);
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
		cmocka_unit_test_setup(times_are_between_the_markers, reset),
		cmocka_unit_test_setup(what_is_not_credible_is_absent, reset),
		cmocka_unit_test_setup(values_come_late, reset),
		cmocka_unit_test_setup(loose_queues_get_a_barrier, reset),
		cmocka_unit_test_setup(failures_are_told, reset),
		cmocka_unit_test_setup(refusals, reset),
		cmocka_unit_test_setup(raw_counters_beside_times, reset),
		cmocka_unit_test_setup(nested_ranges_take_runs_of_their_own, reset),
		cmocka_unit_test_setup(serialized_ranges_wait_at_both_ends, reset),
		cmocka_unit_test_setup(idle_queues_cost_no_wait, reset),
		cmocka_unit_test_setup(pipelined_ranges_wait_nowhere, reset),
		cmocka_unit_test_setup(modes_of_one_entry_are_two_passes, reset),
		cmocka_unit_test_setup(active_time_is_serialized_only, reset),
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
