/* SPDX-License-Identifier: MIT */
/* Threads with a context each, a config for all, and what they share: handles, devices, names. */
#include <pthread.h>

#include "pw_world.h"
#include "rounds.h"

#define WARPS "sm__warps_launched_sum"

enum { THREADS = 6 };

static const struct want wants[] = {{WARPS, false}, {WARPS, true}, {NULL, false}};

static void run_nested(void *ctx)
{
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	run_warps(ctx, 1);
	expect(OK, NVPA_Object_PushRange(ctx, 2));
	run_warps(ctx, 2);
	expect(OK, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Object_PopRange(ctx));
}

static void count_once(void *ctx, NVPA_Config *config)
{
	NVPA_Results *results = NULL;

	expect(OK, NVPA_Context_BeginSession(ctx, config));
	assert_int_equal(run_passes(ctx, run_nested), 3);
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Context_EndSession(ctx));
	assert_true(get_number(ctx, results, IDS(1), WARPS, true) == 3);
	assert_true(get_number(ctx, results, IDS(1), WARPS, false) == 1);
	expect(OK, NVPA_Results_Destroy(results));
}

static void *count_often(void *config)
{
	for (unsigned i = 0; i < rounds_of(2, 8, 200); i++) {
		void *ctx = NULL, *other = NULL;

		expect(OK, NVPA_Sim_CreateContext("h200", &ctx));
		expect(OK, NVPA_Sim_CreateContext("h200", &other));
		count_once(ctx, config);
		count_once(other, config);
		count_once(ctx, config);
		expect(OK, NVPA_UnregisterContext(ctx));
		expect(OK, NVPA_UnregisterContext(other));
	}
	return NULL;
}

/* Plans on whatever context is there, while their threads count and end them. */
static void *plan_often(void *argument)
{
	for (unsigned i = 0; i < rounds_of(2, 8, 200); i++) {
		NVPA_Config *config = make_config(argument, wants);
		size_t passes = 0, count = 0;

		expect(OK, NVPA_Config_GetPassCount(config, 2, &passes));
		assert_int_equal(passes, 3);
		expect(OK, NVPA_Config_Destroy(config));
		expect(OK, NVPA_GetDeviceCount(&count));
		assert_int_equal(count, 1);
	}
	return NULL;
}

static void threads_have_contexts_of_their_own(void **state)
{
	pthread_t threads[THREADS];
	void *ctx = NULL;
	NVPA_Config *config;

	expect(OK, NVPA_Sim_CreateContext("h200", &ctx));
	config = make_config(ctx, wants);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, i % 3 ? count_often : plan_often,
						i % 3 ? (void *)config : ctx),
				 0);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	expect(OK, NVPA_Config_Destroy(config));
	expect(OK, NVPA_UnregisterContext(ctx));
}

/* A context that goes from thread to thread takes its stack of ranges along. */
static void *pop_on_another_thread(void *ctx)
{
	expect(OK, NVPA_Object_PopRange(ctx));
	expect(NVPA_STATUS_INVALID_OBJECT_STATE, NVPA_Object_PopRange(ctx));
	return NULL;
}

static void contexts_move_between_threads(void **state)
{
	pthread_t thread;
	void *ctx = NULL;
	NVPA_Config *config;

	expect(OK, NVPA_Sim_CreateContext("h200", &ctx));
	config = make_config(ctx, wants);
	expect(OK, NVPA_Context_BeginSession(ctx, config));
	expect(OK, NVPA_Context_BeginPass(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	assert_int_equal(pthread_create(&thread, NULL, pop_on_another_thread, ctx), 0);
	pthread_join(thread, NULL);
	expect(OK, NVPA_Context_EndPass(ctx));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

static void *fail_once(void *argument)
{
	assert_string_equal(NVPA_GetErrorText(), ""); /* the other thread's failure is not here */
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_GetDeviceCount(NULL));
	expect_text("pCount");
	return NULL;
}

static void error_texts_are_the_threads(void **state)
{
	pthread_t thread;

	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_BeginPass((void *)(uintptr_t)16));
	assert_int_equal(pthread_create(&thread, NULL, fail_once, NULL), 0);
	pthread_join(thread, NULL);
	expect_text("0x10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_have_contexts_of_their_own),
		cmocka_unit_test(contexts_move_between_threads),
		cmocka_unit_test(error_texts_are_the_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
