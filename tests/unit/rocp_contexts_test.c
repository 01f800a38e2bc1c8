/* SPDX-License-Identifier: MIT */
/* Contexts of the ROCprofiler-SDK face: their states, rivals, and what services hear. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "face/rocprofiler/rocprofiler.h"

/* ---- what contexts ask of others ---- */

static bool is_locked, is_over;
static int finalized;
static uint32_t client = 1;
static char told[256]; /* "+device 3": a call of a service, with the context's handle */
static bool is_telling;
static rocprofiler_status_t device_answer;
static _Thread_local rocprofiler_status_t stopped_within; /* what stopping said within the start */
static atomic_int running, overlaps;

bool tacho__rocp_is_locked(void)
{
	return is_locked;
}

uint32_t tacho__rocp_client(void)
{
	return client;
}

bool tacho__rocp_is_over(void)
{
	return is_over;
}

rocprofiler_status_t rocprofiler_is_finalized(int *status)
{
	*status = finalized;
	return ROCPROFILER_STATUS_SUCCESS;
}

static void tell(const char *what, const struct tacho__rocp_context *context)
{
	size_t length = strlen(told);

	if (is_telling)
		snprintf(told + length, sizeof(told) - length, "%s %d%s;", what,
			 (int)context->handle,
			 tacho__rocp_context_is_active(context) ? " active" : "");
}

void tacho__rocp_dispatch_on_start(struct tacho__rocp_context *context)
{
	tell("+dispatch", context);
	if (atomic_fetch_add(&running, 1))
		atomic_fetch_add(&overlaps, 1);
}

void tacho__rocp_dispatch_on_stop(struct tacho__rocp_context *context)
{
	atomic_fetch_sub(&running, 1);
	tell("-dispatch", context);
}

void tacho__rocp_code_on_start(struct tacho__rocp_context *context)
{
	tell("+code", context);
}

void tacho__rocp_code_on_stop(struct tacho__rocp_context *context)
{
	tell("-code", context);
}

rocprofiler_status_t tacho__rocp_device_on_start(struct tacho__rocp_context *context)
{
	tell("+device", context);
	stopped_within = rocprofiler_stop_context((rocprofiler_context_id_t){context->handle});
	return device_answer;
}

void tacho__rocp_device_on_stop(struct tacho__rocp_context *context)
{
	tell("-device", context);
}

static void *const SOME = &client;

static rocprofiler_context_id_t make(void)
{
	rocprofiler_context_id_t id = {0};

	assert_int_equal(rocprofiler_create_context(&id), 0);
	assert_non_null(tacho__rocp_context_get(id.handle));
	return id;
}

static rocprofiler_context_id_t make_counting(bool dispatch, bool device)
{
	rocprofiler_context_id_t id = make();

	if (dispatch)
		tacho__rocp_context_get(id.handle)->dispatch = SOME;
	if (device)
		tacho__rocp_context_get(id.handle)->devices = SOME;
	return id;
}

static void expect_told(const char *expected)
{
	char text[sizeof(told)];

	snprintf(text, sizeof(text), "%s", told);
	*told = '\0';
	assert_string_equal(text, expected);
}

static int is_active(rocprofiler_context_id_t id)
{
	int status = 5;

	assert_int_equal(rocprofiler_context_is_active(id, &status), 0);
	return status;
}

static int set_up(void **state)
{
	is_telling = true;
	*told = '\0';
	return 0;
}

static void only_tools_that_configure_make_contexts(void **state)
{
	rocprofiler_context_id_t id = {9};

	assert_int_equal(rocprofiler_create_context(&id),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO);
	id.handle = 0;
	is_locked = true;
	assert_int_equal(rocprofiler_create_context(&id),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
	is_locked = false;
	assert_int_equal(id.handle, 0);
	assert_int_equal(rocprofiler_create_context(NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
}

static void unknown_contexts_are_not_found(void **state)
{
	static const uint64_t handles[] = {0, 500, 100000, UINT64_MAX};

	for (int i = 0; i < 4; i++) {
		rocprofiler_context_id_t id = {handles[i]};
		int status = 5;

		assert_int_equal(rocprofiler_start_context(id),
				 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
		assert_int_equal(rocprofiler_stop_context(id),
				 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
		assert_int_equal(rocprofiler_context_is_active(id, &status),
				 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
		assert_int_equal(status, 0);
		status = 5;
		assert_int_equal(rocprofiler_context_is_valid(id, &status),
				 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
		assert_int_equal(status, 0);
		assert_null(tacho__rocp_context_get(handles[i]));
	}
}

static void services_hear_of_start_and_stop(void **state)
{
	rocprofiler_context_id_t id = make_counting(true, true);
	char expected[64];
	int valid = 0, number = (int)id.handle;

	assert_int_equal(rocprofiler_context_is_valid(id, &valid), 0);
	assert_int_equal(valid, 1);
	assert_int_equal(is_active(id), 0);
	assert_int_equal(rocprofiler_stop_context(id), ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
	assert_int_equal(rocprofiler_start_context(id), 0);
	assert_int_equal(stopped_within, ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR);
	snprintf(expected, sizeof(expected), "+device %d;+dispatch %d;", number, number);
	expect_told(expected);
	assert_int_equal(is_active(id), 1);
	assert_ptr_equal(tacho__rocp_context_get_active(0), tacho__rocp_context_get(id.handle));
	assert_null(tacho__rocp_context_get_active(1));
	assert_int_equal(rocprofiler_start_context(id), 0);
	expect_told("");
	assert_int_equal(rocprofiler_stop_context(id), 0);
	snprintf(expected, sizeof(expected), "-dispatch %d;-device %d;", number, number);
	expect_told(expected);
	assert_null(tacho__rocp_context_get_active(0));
	assert_int_equal(rocprofiler_start_context(id), 0);
	assert_int_equal(rocprofiler_stop_context(id), 0);
}

static void a_start_that_fails_leaves_it_stopped(void **state)
{
	rocprofiler_context_id_t id = make_counting(true, true);

	device_answer = ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND;
	assert_int_equal(rocprofiler_start_context(id), ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND);
	device_answer = ROCPROFILER_STATUS_SUCCESS;
	assert_null(strstr(told, "dispatch"));
	assert_int_equal(is_active(id), 0);
	assert_int_equal(rocprofiler_start_context(id), 0);
	assert_int_equal(rocprofiler_stop_context(id), 0);
}

static void launches_are_counted_for_one_context(void **state)
{
	rocprofiler_context_id_t one = make_counting(true, false),
				 other = make_counting(true, false), none = make();

	assert_int_equal(rocprofiler_start_context(one), 0);
	assert_int_equal(rocprofiler_start_context(other),
			 ROCPROFILER_STATUS_ERROR_CONTEXT_CONFLICT);
	assert_int_equal(rocprofiler_start_context(none), 0);
	assert_ptr_equal(tacho__rocp_context_get_active(0), tacho__rocp_context_get(one.handle));
	assert_ptr_equal(tacho__rocp_context_get_active(1), tacho__rocp_context_get(none.handle));
	assert_int_equal(rocprofiler_stop_context(one), 0);
	assert_int_equal(rocprofiler_start_context(other), 0);
	assert_int_equal(rocprofiler_stop_context(other), 0);
	assert_int_equal(rocprofiler_stop_context(none), 0);
}

static void contexts_of_a_tool_go_together(void **state)
{
	rocprofiler_context_id_t kept = make_counting(false, true), gone[2];
	int status;

	client = 2;
	gone[0] = make_counting(true, false);
	gone[1] = make();
	client = 1;
	assert_int_equal(rocprofiler_start_context(kept), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(rocprofiler_start_context(gone[i]), 0);
	tacho__rocp_contexts_stop(2);
	assert_int_equal(is_active(gone[0]) + is_active(gone[1]), 0);
	assert_int_equal(rocprofiler_start_context(gone[0]), 0);
	tacho__rocp_contexts_discard(2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(rocprofiler_context_is_valid(gone[i], &status),
				 ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
	assert_int_equal(atomic_load(&running), 0);
	assert_int_equal(is_active(kept), 1);
	assert_int_equal(rocprofiler_stop_context(kept), 0);
}

static void nothing_starts_once_tools_are_finalized(void **state)
{
	rocprofiler_context_id_t id = make_counting(true, false);

	finalized = -1;
	assert_int_equal(rocprofiler_start_context(id),
			 ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
	finalized = 0;
	assert_int_equal(rocprofiler_start_context(id), 0);
	is_over = true;
	assert_null(tacho__rocp_context_get_active(0));
	assert_int_equal(rocprofiler_stop_context(id), 0);
	is_over = false;
	assert_int_equal(rocprofiler_stop_context(id), 0);
}

/* Threads that start and stop rivals: one runs at most, and each start has its stop. */
static rocprofiler_context_id_t rivals[2];

static void *start_and_stop(void *user)
{
	for (int i = 0; i < 20000; i++) {
		rocprofiler_context_id_t id = rivals[(i + *(int *)user) % 2];

		if (i % 3)
			rocprofiler_start_context(id);
		else
			rocprofiler_stop_context(id);
	}
	return NULL;
}

static void threads_start_and_stop_one_at_a_time(void **state)
{
	pthread_t threads[4];
	int numbers[4];

	is_telling = false;
	rivals[0] = make_counting(true, true);
	rivals[1] = make_counting(true, true);
	for (int i = 0; i < 4; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, start_and_stop, &numbers[i]);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++)
		rocprofiler_stop_context(rivals[i]);
	assert_int_equal(atomic_load(&overlaps), 0);
	assert_int_equal(atomic_load(&running), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(only_tools_that_configure_make_contexts, set_up),
		cmocka_unit_test_setup(unknown_contexts_are_not_found, set_up),
		cmocka_unit_test_setup(services_hear_of_start_and_stop, set_up),
		cmocka_unit_test_setup(a_start_that_fails_leaves_it_stopped, set_up),
		cmocka_unit_test_setup(launches_are_counted_for_one_context, set_up),
		cmocka_unit_test_setup(contexts_of_a_tool_go_together, set_up),
		cmocka_unit_test_setup(nothing_starts_once_tools_are_finalized, set_up),
		cmocka_unit_test_setup(threads_start_and_stop_one_at_a_time, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
