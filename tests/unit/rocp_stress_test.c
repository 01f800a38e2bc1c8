/* SPDX-License-Identifier: MIT */
/*
 * Many threads whose launches are counted, while others start and stop the context and flush its
 * buffer: nothing is lost, or what is lost is counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "face/rocprofiler/rocprofiler.h"
#include "rocp_source.h"
#include "rocp_tool.h"
#include "rounds.h"

#define OK(call) assert_int_equal(call, ROCPROFILER_STATUS_SUCCESS)

enum { PASSED = 42, THREADS = 16, RECORDS = TOOL_VALUES + 1 };

static struct {
	rocprofiler_context_id_t context;
	rocprofiler_buffer_id_t buffer;
	rocprofiler_buffer_policy_t policy;
	size_t buffer_bytes;
	rocprofiler_agent_id_t gpu;
	rocprofiler_counter_config_id_t config;
	size_t dispatches; /* of a thread that are to be counted */
	atomic_size_t asked;
	atomic_bool is_over;

	/* Of the thread that delivers: */
	size_t headers, values;
	uint64_t dropped; /* records, in all */
	size_t mistakes;
	uint8_t *seen; /* by dispatch id */
	size_t seen_max;
} stress;

static void on_launch(rocprofiler_dispatch_counting_service_data_t data,
		      rocprofiler_counter_config_id_t *config, rocprofiler_user_data_t *user_data,
		      void *unused)
{
	atomic_fetch_add(&stress.asked, 1);
	user_data->value = ~data.dispatch_info.dispatch_id;
	*config = stress.config;
}

/* A header and its values, which lie behind it. */
static size_t check_dispatch(rocprofiler_record_header_t **records, size_t count)
{
	const rocprofiler_dispatch_counting_service_record_t *header = records[0]->payload;
	uint64_t id = header->dispatch_info.dispatch_id;

	stress.mistakes += header->num_records != TOOL_VALUES || count < RECORDS;
	stress.mistakes += id > stress.seen_max || stress.seen[id]++;
	stress.headers++;
	for (size_t i = 1; i < RECORDS && i < count; i++) {
		const rocprofiler_counter_record_t *value = records[i]->payload;

		stress.mistakes += records[i]->kind != ROCPROFILER_COUNTER_RECORD_VALUE ||
				   value->dispatch_id != id || value->user_data.value != ~id;
		stress.values++;
	}
	return count < RECORDS ? count : RECORDS;
}

static void on_records(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
		       rocprofiler_record_header_t **records, size_t count, void *unused,
		       uint64_t dropped)
{
	for (size_t at = 0; at < count;)
		at += check_dispatch(&records[at], count - at);
	stress.dropped = dropped;
}

static int initialize(rocprofiler_client_finalize_t finalize, void *unused)
{
	assert_int_equal(tool_list_gpus(&stress.gpu, 1), 1);
	OK(rocprofiler_create_context(&stress.context));
	OK(rocprofiler_create_buffer(stress.context, stress.buffer_bytes, stress.buffer_bytes / 2,
				     stress.policy, on_records, NULL, &stress.buffer));
	OK(rocprofiler_configure_buffer_dispatch_counting_service(stress.context, stress.buffer,
								  on_launch, NULL));
	return 0;
}

static rocprofiler_tool_configure_result_t *configure_tool(uint32_t version, const char *runtime,
							   uint32_t priority,
							   rocprofiler_client_id_t *id)
{
	static rocprofiler_tool_configure_result_t result = {sizeof(result), initialize, NULL,
							     NULL};

	return &result;
}

/* ---- threads ---- */

static void *launch_many(void *unused)
{
	struct tacho__launch launch = source_launch();

	for (size_t counted = 0; counted < stress.dispatches;)
		if (source_run(&launch, NULL))
			counted++;
		else
			sched_yield(); /* the context is stopped */
	return NULL;
}

static void *start_and_stop(void *unused)
{
	while (!atomic_load(&stress.is_over)) {
		rocprofiler_stop_context(stress.context);
		sched_yield();
		rocprofiler_start_context(stress.context);
		usleep(1000);
	}
	return NULL;
}

static void *flush_often(void *unused)
{
	while (!atomic_load(&stress.is_over)) {
		rocprofiler_flush_buffer(stress.buffer);
		usleep(500);
	}
	return NULL;
}

static void run_all(void)
{
	pthread_t launchers[THREADS], starters[2], flushers[2];

	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&launchers[i], NULL, launch_many, NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(pthread_create(&starters[i], NULL, start_and_stop, NULL), 0);
		assert_int_equal(pthread_create(&flushers[i], NULL, flush_often, NULL), 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(launchers[i], NULL);
	atomic_store(&stress.is_over, true);
	for (size_t i = 0; i < 2; i++) {
		pthread_join(starters[i], NULL);
		pthread_join(flushers[i], NULL);
	}
}

/* ---- cases ---- */

static void run_case(rocprofiler_buffer_policy_t policy, size_t buffer_bytes)
{
	stress.policy = policy;
	stress.buffer_bytes = buffer_bytes;
	stress.dispatches = rounds_of(150, 600, 10000);
	stress.seen_max = THREADS * stress.dispatches;
	stress.seen = calloc(stress.seen_max + 1, 1);
	assert_non_null(stress.seen);
	OK(rocprofiler_force_configure(configure_tool));
	stress.config = tool_make_config(stress.gpu, tool_counters, TOOL_COUNTERS);
	assert_int_not_equal(stress.config.handle, 0);
	OK(rocprofiler_start_context(stress.context));
	run_all();
	OK(rocprofiler_flush_buffer(stress.buffer));
	assert_int_equal(stress.mistakes, 0);
	assert_int_equal(atomic_load(&stress.asked), stress.seen_max);
}

static void case_lossless(void)
{
	run_case(ROCPROFILER_BUFFER_POLICY_LOSSLESS, 1 << 16);
	assert_int_equal(stress.dropped, 0);
	assert_int_equal(stress.headers, stress.seen_max);
	assert_int_equal(stress.values, stress.seen_max * TOOL_VALUES);
}

static void case_discard(void)
{
	run_case(ROCPROFILER_BUFFER_POLICY_DISCARD, 1 << 14);
	assert_int_equal(stress.headers + stress.values + stress.dropped,
			 stress.seen_max * RECORDS);
	assert_true(stress.headers > 0);
}

static void in_a_process(void (*body)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		tacho__clock_init();
		setenv("TACHO_SIM", "mi300x", 1);
		body();
		_exit(PASSED);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), PASSED);
}

static void test_lossless(void **state)
{
	in_a_process(case_lossless);
}

static void test_discard(void **state)
{
	in_a_process(case_discard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lossless),
		cmocka_unit_test(test_discard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
