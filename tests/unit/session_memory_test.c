/* SPDX-License-Identifier: MIT */
/*
 * Every allocation of contexts, configs, plans and sessions fails once, alone or with all after it:
 * the call says NOMEM, and works when it is tried again, or the session has ended as documented.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "memory_faults.h"
#include "tacho/error.h"
#include "toy_device.h"

static struct bench bench;
static const struct tacho_arch *arch; /* of the flow of plans */

static void run_context(void)
{
	static const struct tacho__backend *const table[] = {&toy_backend, NULL};
	const struct tacho_catalog_options catalog = {
		.size = sizeof(catalog), .arch = "any", .api = "cl", .no_environment = 1};
	const struct tacho_context_options options = {
		.size = sizeof(options), .backends = "toy:x", .catalog = &catalog};
	struct tacho_context *context;
	struct tacho_device *device;

	TWICE(tacho__context_create(&options, table, &context));
	TWICE(tacho_device_open(context, tacho_context_get_device_info(context, 0), &device));
	tacho_device_close(device);
	tacho_context_destroy(context);
}

static void run_plan(void)
{
	static const struct tacho_config_entry entries[] = {
		{.name = "MeanOccupancyPerCU"}, {.name = "TA_BUSY_max"},
		{.name = "L2CacheHit"},		{.name = "VALUUtilization"},
		{.name = "WriteUnitStalled"},
	};
	struct tacho_plan_options options = {.size = sizeof(options)};
	struct tacho_config *config;
	struct tacho_plan *plan;

	TWICE(tacho_config_create(arch, NULL, entries, 5, &config));
	for (options.policy = 0; options.policy < 2; options.policy++) {
		TWICE(tacho_plan_create(config, &options, &plan));
		assert_non_null(tacho_plan_get_pass(plan, 0));
		tacho_plan_destroy(plan);
	}
	tacho_config_destroy(config);
}

static struct tacho_session *make_session(const struct tacho_session_options *options)
{
	struct tacho_session *session;

	TWICE(tacho_session_create(bench.device, bench.plan, options, &session));
	return session;
}

/* A range with work in it. True when the session has ended because of it. */
static int run_range(struct tacho_session *session, tacho_range parent, uint64_t id, uint64_t work)
{
	static const char *const names[] = {"one", "two", "three"};
	tacho_range range;

	TWICE(tacho_session_begin_range(session, parent, id, names[work % 3], &range));
	toy_work(session, work);
	return memory_settle(tacho_session_end_range(session, range));
}

/* Every value is right or absent, and right when the session did not end. */
static void check(const struct tacho_result *result, double factor, const char *name, int has_ended)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);

	for (size_t i = 0; i < tacho_result_get_row_count(result); i++) {
		uint8_t state = tacho_column_get_state(column, i, 0);

		if (state == TACHO_STATE_ABSENT)
			assert_true(has_ended);
		else
			assert_true(tacho_column_get_value(column, i, 0) ==
				    factor * (double)tacho_result_get_row(result, i)->id);
	}
}

static struct tacho_result *take(struct tacho_session *session)
{
	struct tacho_result *result;

	TWICE(tacho_session_take(session, &result));
	return result;
}

static void run_caller(void)
{
	struct tacho_session *session = make_session(NULL);
	struct tacho_result *result;
	int more = 1, has_ended = 0;

	while (more && !has_ended) {
		tacho_range outer = 0;

		TWICE(tacho_session_begin_pass(session));
		TWICE(tacho_session_begin_range(session, 0, 60, "outer", &outer));
		for (uint64_t i = 0; i < 20 && !has_ended; i++)
			has_ended = run_range(session, outer, 3, 3) != 0;
		has_ended |= memory_settle(tacho_session_end_range(session, outer)) != 0;
		has_ended |= memory_settle(tacho_session_end_pass(session, &more)) != 0;
	}
	assert_int_equal(tacho_session_drain(session, 0, NULL), has_ended ? TACHO_E_NOMEM : 0);
	result = take(session);
	if (!has_ended)
		assert_int_equal(tacho_result_get_row_count(result), 21);
	if (!has_ended || tacho_result_get_row_count(result) == 21) {
		check(result, 1, "T1", has_ended);
		check(result, 3, "T3", has_ended);
		check(result, 6, "Largest", has_ended);
	}
	tacho_result_destroy(result);
	tacho_session_destroy(session);
}

/* Right; or lost or absent, of a range whose segment could not begin. */
static void check_part(const struct tacho_result *result, const char *name, size_t row,
		       double value)
{
	if (state_of(result, name, row) == TACHO_STATE_OK)
		assert_true(value_of(result, name, row) == value);
	else
		assert_true(memory_has_failed() &&
			    state_of(result, name, row) != TACHO_STATE_OVERFLOW);
}

/* As run_range(); where it begins a segment ends, whose values may have ended the session. */
static int run_in_segment(struct tacho_session *session, tacho_range parent, uint64_t id)
{
	tacho_range range;

	if (memory_settle(tacho_session_begin_range(session, parent, id, "part", &range)) &&
	    tacho_session_begin_range(session, parent, id, "part", &range))
		return session->failed;
	toy_work(session, 1);
	return memory_settle(tacho_session_end_range(session, range)) ? 1 : session->failed;
}

/* Segments, rows of several ranges, a sequence, and ranges that are beyond the limits. */
static void run_modes(void)
{
	const struct tacho_session_options options = {.size = sizeof(options),
						      .accumulates = 1,
						      .same_ranges = 1,
						      .row_max = 12,
						      .depth_max = 2};
	struct tacho_session *session = make_session(&options);
	struct tacho_result *result;
	int more = 1, has_ended = 0;

	while (more && !has_ended) {
		tacho_range outer = 0;

		TWICE(tacho_session_begin_pass(session));
		TWICE(tacho_session_begin_range(session, 0, 60, "outer", &outer));
		for (uint64_t i = 0; i < 40 && !has_ended; i++)
			has_ended = run_in_segment(session, outer, i % 20) != 0;
		toy_work(session, 5);
		has_ended |= memory_settle(tacho_session_end_range(session, outer)) != 0;
		has_ended |= memory_settle(tacho_session_end_pass(session, &more)) != 0;
	}
	assert_int_equal(tacho_session_drain(session, 0, NULL), has_ended ? TACHO_E_NOMEM : 0);
	result = take(session);
	assert_true(has_ended || !tacho_result_find_column(result, "T3")->note[0]);
	if (!has_ended) {
		assert_int_equal(tacho_result_get_row_count(result), 12);
		check_part(result, "T1", 0, 45);
		check_part(result, "T1:pipelined", 0, 5 + 18);
		check_part(result, "T3", 11, 6);
		assert_true(tacho_session_get_lost_rows(session) >= 18);
	}
	tacho_result_destroy(result);
	tacho_session_destroy(session);
}

static void run_rotate(void)
{
	const struct tacho_session_options options = {.size = sizeof(options),
						      .replay = TACHO_REPLAY_ROTATE};
	struct tacho_session *session = make_session(&options);
	int has_ended = 0;

	for (unsigned round = 0; round < 2 && !has_ended; round++) {
		for (uint64_t i = 0; i < 40 && !has_ended; i++)
			has_ended = run_range(session, 0, i % 20, i % 20) != 0;
		tacho_result_destroy(take(session));
	}
	if (!has_ended)
		TWICE(tacho_session_push_range(session, 1, "pushed"));
	tacho_session_destroy(session);
}

/* Rows that the device begins, taken now and then. */
static void run_stream(void)
{
	struct tacho_session *session = make_session(NULL);
	int has_ended = 0;

	TWICE(tacho_session_begin_pass(session));
	for (uint64_t i = 1; i < 60 && !has_ended; i++) {
		const struct tacho_row row = {.id = i, .name = i % 2 ? "odd" : ""};
		struct tacho_result *result;

		has_ended = memory_settle(toy_deliver(session->collection, 0,
						      &(struct toy_row){.work = i, .row = &row}, 1,
						      i % 7 == 0)) != 0;
		if (i % 25)
			continue;
		result = take(session);
		check(result, 1, "T1", has_ended);
		tacho_result_destroy(result);
	}
	tacho_session_destroy(session);
}

static void run_merge(void)
{
	struct tacho_result *results[2], *merged;
	struct tacho_session_options options = {.size = sizeof(options),
						.replay = TACHO_REPLAY_PROCESS};
	int has_ended = 0;

	for (uint32_t i = 0; i < 2; i++) {
		struct tacho_session *session;

		options.only_pass = i;
		session = make_session(&options);
		TWICE(tacho_session_begin_pass(session));
		has_ended |= run_range(session, 0, 9, 9) != 0;
		results[i] = take(session);
		tacho_session_destroy(session);
	}
	TWICE(tacho_session_merge((const struct tacho_result **)results, 2, &merged));
	check(merged, 1, "T1", has_ended);
	check(merged, 3, "T3", has_ended);
	tacho_result_destroy(merged);
	tacho_result_destroy(results[0]);
	tacho_result_destroy(results[1]);
}

static void test_context(void **state)
{
	memory_fail_each(run_context, 3);
}

static void test_plan(void **state)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "gfx90a", .no_environment = 1};
	struct tacho_catalog *catalog;

	assert_int_equal(tacho_catalog_open(&options, &catalog), 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx90a", NULL, &arch), 0);
	memory_fail_each(run_plan, 3);
	tacho_catalog_close(catalog);
}

static void run_session(void (*flow)(void), const char *names)
{
	toy.traits.replays =
		1u << TACHO_REPLAY_CALLER | 1u << TACHO_REPLAY_ROTATE | 1u << TACHO_REPLAY_PROCESS;
	bench_open(&bench, &toy_backend);
	assert_int_equal(bench_plan(&bench, names, NULL), 0);
	memory_fail_each(flow, 3);
	bench_close(&bench);
}

static void test_caller(void **state)
{
	run_session(run_caller, "T1,T2,T3,Largest,S1!,Misfit,Ratio");
}

static void test_rotate(void **state)
{
	run_session(run_rotate, "T1,T2,T3,Largest");
}

static void test_modes(void **state)
{
	run_session(run_modes, "T1,T1:pipelined,T3");
}

static void test_stream(void **state)
{
	run_session(run_stream, "T1,Sum12");
}

static void test_merge(void **state)
{
	run_session(run_merge, "T1,T2,T3,S1!");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_context), cmocka_unit_test(test_plan),
		cmocka_unit_test(test_caller),	cmocka_unit_test(test_rotate),
		cmocka_unit_test(test_stream),	cmocka_unit_test(test_merge),
		cmocka_unit_test(test_modes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
