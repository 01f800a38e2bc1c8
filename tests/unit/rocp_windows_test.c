/* SPDX-License-Identifier: MIT */
/* Device counting while threads launch, sample, start, stop, make configs and counters. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rocp_source.h"
#include "rocp_tool.h"
#include "rocprofiler-sdk/experimental/counters.h"
#include "rocprofiler-sdk/registration.h"

#define OK ROCPROFILER_STATUS_SUCCESS

enum { THREADS = 4, LAUNCHES = 200, WAVES = 16 /* of a launch */, ROOM = 256, CREATED = 20 };

static struct {
	rocprofiler_agent_id_t agent;
	rocprofiler_context_id_t context;
	rocprofiler_counter_config_id_t config;
	atomic_bool is_over;
	atomic_uint failures;
} tool;

static void choose(rocprofiler_context_id_t context, rocprofiler_agent_id_t agent,
		   rocprofiler_device_counting_agent_cb_t set_config, void *user_data)
{
	(void)agent;
	(void)user_data;
	if (set_config(context, tool.config))
		atomic_fetch_add(&tool.failures, 1);
}

static void choose_nothing(rocprofiler_dispatch_counting_service_data_t data,
			   rocprofiler_counter_config_id_t *config, rocprofiler_user_data_t *user,
			   void *callback_data)
{
}

static void drop_values(rocprofiler_dispatch_counting_service_data_t data,
			rocprofiler_counter_record_t *records, size_t count,
			rocprofiler_user_data_t user, void *callback_data)
{
}

/* A context counts launches or devices. */
static bool is_conflict(void)
{
	rocprofiler_context_id_t context = {0};

	return !rocprofiler_create_context(&context) &&
	       !rocprofiler_configure_callback_dispatch_counting_service(context, choose_nothing,
									 NULL, drop_values, NULL) &&
	       rocprofiler_configure_device_counting_service(context, (rocprofiler_buffer_id_t){0},
							     tool.agent, choose, NULL) ==
		       ROCPROFILER_STATUS_ERROR_AGENT_DISPATCH_CONFLICT;
}

static int initialize(rocprofiler_client_finalize_t finalize, void *data)
{
	rocprofiler_agent_id_t gpus[1];

	(void)finalize;
	(void)data;
	if (tool_list_gpus(gpus, 1) != 1 || rocprofiler_create_context(&tool.context))
		return 1;
	tool.agent = gpus[0];
	if (!is_conflict())
		return 1;
	return rocprofiler_configure_device_counting_service(
		tool.context, (rocprofiler_buffer_id_t){0}, tool.agent, choose, NULL);
}

static rocprofiler_tool_configure_result_t *
configure(uint32_t version, const char *text, uint32_t priority, rocprofiler_client_id_t *client)
{
	static rocprofiler_tool_configure_result_t result = {.size = sizeof(result),
							     .initialize = initialize};

	(void)version;
	(void)text;
	(void)priority;
	client->name = "test";
	return &result;
}

static int set_up(void **state)
{
	static const char *const names[] = {"SQ_WAVES"};

	(void)state;
	setenv("TACHO_SIM", "mi300x", 1);
	if (rocprofiler_force_configure(configure) || !tool.agent.handle)
		return -1;
	tool.config = tool_make_config(tool.agent, names, 1);
	return tool.config.handle ? 0 : -1;
}

/* All waves that a sample has; what is going on with the context otherwise is its status. */
static rocprofiler_status_t sum_waves(double *out_sum)
{
	rocprofiler_counter_record_t records[ROOM];
	size_t count = ROOM;
	rocprofiler_status_t status = rocprofiler_sample_device_counting_service(
		tool.context, (rocprofiler_user_data_t){.value = 0}, 0, records, &count);
	double sum = 0;

	for (size_t i = 0; !status && i < count; i++)
		sum += records[i].counter_value;
	*out_sum = sum;
	return status;
}

static void *launch_all(void *unused)
{
	for (unsigned i = 0; i < LAUNCHES; i++) {
		struct tacho__launch launch = source_launch();

		source_run(&launch, NULL);
	}
	return unused;
}

static void run_threads(pthread_t *threads)
{
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, launch_all, NULL), 0);
}

static void join_threads(pthread_t *threads)
{
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Samples never go back, and in the end all is there. */
static void test_all_is_counted(void **state)
{
	pthread_t threads[THREADS];
	double last = 0, sum;

	(void)state;
	assert_int_equal(rocprofiler_start_context(tool.context), OK);
	run_threads(threads);
	for (unsigned i = 0; i < 50; i++) {
		assert_int_equal(sum_waves(&sum), OK);
		assert_true(sum >= last);
		last = sum;
		sched_yield();
	}
	join_threads(threads);
	assert_int_equal(sum_waves(&sum), OK);
	assert_true(sum == (double)THREADS * LAUNCHES * WAVES);
	assert_int_equal(rocprofiler_stop_context(tool.context), OK);
	assert_int_equal(atomic_load(&tool.failures), 0);
}

static void *create_counters(void *unused)
{
	for (unsigned i = 0; i < CREATED; i++) {
		char name[32];
		int size = snprintf(name, sizeof(name), "Mine%u", i);
		rocprofiler_counter_id_t counter;
		rocprofiler_counter_config_id_t config = {0};

		if (rocprofiler_create_counter(name, (size_t)size, "SQ_WAVES*2", 10, NULL, 0,
					       tool.agent, &counter) ||
		    rocprofiler_create_counter_config(tool.agent, &counter, 1, &config) ||
		    rocprofiler_destroy_counter_config(config))
			atomic_fetch_add(&tool.failures, 1);
	}
	atomic_store(&tool.is_over, true);
	return unused;
}

static bool may_be(rocprofiler_status_t status)
{
	return status == OK || status == ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED ||
	       status == ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR;
}

static void *sample_all(void *unused)
{
	double sum;

	while (!atomic_load(&tool.is_over))
		if (!may_be(sum_waves(&sum)) || sum > (double)THREADS * LAUNCHES * WAVES)
			atomic_fetch_add(&tool.failures, 1);
	return unused;
}

static void test_all_at_once(void **state)
{
	pthread_t threads[THREADS], creator, sampler;

	(void)state;
	atomic_store(&tool.is_over, false);
	run_threads(threads);
	assert_int_equal(pthread_create(&creator, NULL, create_counters, NULL), 0);
	assert_int_equal(pthread_create(&sampler, NULL, sample_all, NULL), 0);
	while (!atomic_load(&tool.is_over)) {
		assert_int_equal(rocprofiler_start_context(tool.context), OK);
		assert_int_equal(rocprofiler_stop_context(tool.context), OK);
	}
	join_threads(threads);
	pthread_join(creator, NULL);
	pthread_join(sampler, NULL);
	assert_int_equal(atomic_load(&tool.failures), 0);
}

/* Of nine counters of a block with eight registers: launches take turns, sums are scaled. */
static void test_split(void **state)
{
	static const char *const names[] = {"SQ_WAVES",	     "SQ_BUSY_CYCLES", "SQ_WAVE_CYCLES",
					    "SQ_INSTS_VALU", "SQ_INSTS_SALU",  "SQ_INSTS_SMEM",
					    "SQ_INSTS_LDS",  "SQ_INSTS_FLAT",  "SQ_INSTS_GDS"};
	const rocprofiler_counter_config_id_t before = tool.config;
	rocprofiler_counter_record_t records[9 * 32];
	size_t count = 9 * 32;
	double waves = 0;

	(void)state;
	assert_int_equal(tool_make_config(tool.agent, names, 9).handle, 0);
	setenv("TACHO_ROCPROFILER_SPLIT", "1", 1);
	tool.config = tool_make_config(tool.agent, names, 9);
	unsetenv("TACHO_ROCPROFILER_SPLIT");
	assert_true(tool.config.handle != 0);
	assert_int_equal(rocprofiler_start_context(tool.context), OK);
	for (unsigned i = 0; i < 4; i++) {
		struct tacho__launch launch = source_launch();

		assert_true(source_run(&launch, NULL));
	}
	assert_int_equal(
		rocprofiler_sample_device_counting_service(
			tool.context, (rocprofiler_user_data_t){.value = 0}, 0, records, &count),
		OK);
	assert_int_equal(count, 9 * 32);
	for (size_t i = 0; i < count; i++)
		if (tool_is_of(&records[i], "SQ_WAVES"))
			waves += records[i].counter_value;
	assert_true(waves == 4 * WAVES);
	assert_int_equal(rocprofiler_stop_context(tool.context), OK);
	tool.config = before;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_is_counted),
		cmocka_unit_test(test_all_at_once),
		cmocka_unit_test(test_split),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
