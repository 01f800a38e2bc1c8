/* SPDX-License-Identifier: MIT */
/* What the ROCprofiler-SDK face answers without any tool: words for numbers, version, time, thread.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rocprofiler-sdk/rocprofiler.h"

static void every_status_has_its_name_and_a_sentence(void **state)
{
	for (int i = 0; i < ROCPROFILER_STATUS_LAST; i++) {
		const char *name = rocprofiler_get_status_name((rocprofiler_status_t)i);
		const char *text = rocprofiler_get_status_string((rocprofiler_status_t)i);

		assert_non_null(name);
		assert_non_null(text);
		assert_int_equal(strncmp(name, "ROCPROFILER_STATUS_", 19), 0);
		assert_true(strlen(text) > 5);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(
				text, rocprofiler_get_status_string((rocprofiler_status_t)k));
	}
	assert_string_equal(rocprofiler_get_status_name(ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT),
			    "ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT");
	assert_string_equal(
		rocprofiler_get_status_name(ROCPROFILER_STATUS_INTERNAL_NO_AGENT_CONTEXT),
		"ROCPROFILER_STATUS_INTERNAL_NO_AGENT_CONTEXT");
	assert_null(rocprofiler_get_status_name(ROCPROFILER_STATUS_LAST));
	assert_null(rocprofiler_get_status_string((rocprofiler_status_t)-1));
}

static void the_version_is_1_0_0(void **state)
{
	rocprofiler_version_triplet_t triplet = {9, 9, 9};
	uint32_t major = 9, patch = 9;

	assert_int_equal(rocprofiler_get_version(&major, NULL, &patch), 0);
	assert_int_equal(major, 1);
	assert_int_equal(patch, 0);
	assert_int_equal(rocprofiler_get_version_triplet(&triplet), 0);
	assert_int_equal(triplet.major * 10000 + triplet.minor * 100 + triplet.patch,
			 ROCPROFILER_SDK_VERSION);
	assert_int_equal(rocprofiler_get_version_triplet(NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
}

static uint64_t read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void time_and_thread_are_the_systems(void **state)
{
	uint64_t before = read_clock(), now = 0, thread = 0;

	assert_int_equal(rocprofiler_get_timestamp(&now), 0);
	assert_in_range(now, before, read_clock());
	assert_int_equal(rocprofiler_get_thread_id(&thread), 0);
	assert_int_equal(thread, getpid()); /* it is the first */
	assert_int_equal(rocprofiler_get_timestamp(NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(rocprofiler_get_thread_id(NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
}

static int count_operation(rocprofiler_callback_tracing_kind_t kind,
			   rocprofiler_tracing_operation_t operation, void *data)
{
	const char *name = NULL;
	uint64_t length = 0;

	assert_int_equal(rocprofiler_query_callback_tracing_kind_operation_name(kind, operation,
										&name, &length),
			 0);
	assert_int_equal(length, strlen(name));
	++*(int *)data;
	return 0;
}

static int count_kind(rocprofiler_callback_tracing_kind_t kind, void *data)
{
	int *counts = data;
	const char *name = NULL;
	uint64_t length = 0;

	assert_int_equal(rocprofiler_query_callback_tracing_kind_name(kind, &name, &length), 0);
	assert_int_equal(length, strlen(name));
	assert_int_equal(rocprofiler_iterate_callback_tracing_kind_operations(kind, count_operation,
									      &counts[1]),
			 0);
	counts[0]++;
	return 0;
}

static int count_buffer_kind(rocprofiler_buffer_tracing_kind_t kind, void *data)
{
	assert_int_equal(rocprofiler_query_buffer_tracing_kind_name(kind, NULL, NULL), 0);
	return ++*(int *)data == 5;
}

static void kinds_and_operations_have_names(void **state)
{
	int counts[2] = {0}, buffers = 0;
	const char *name = "";
	uint64_t length = 5;

	assert_int_equal(rocprofiler_iterate_callback_tracing_kinds(count_kind, counts), 0);
	assert_int_equal(counts[0], ROCPROFILER_CALLBACK_TRACING_LAST - 1);
	assert_int_equal(counts[1], 3 + 3 + 4 + 4 + 2 + 3 + 6);
	assert_int_equal(rocprofiler_iterate_buffer_tracing_kinds(count_buffer_kind, &buffers), 0);
	assert_int_equal(buffers, 5); /* the callback ended it */
	assert_int_equal(rocprofiler_query_callback_tracing_kind_operation_name(
				 ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
				 ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER, &name,
				 NULL),
			 0);
	assert_string_equal(name, "CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER");
	assert_int_equal(rocprofiler_query_buffer_tracing_kind_operation_name(
				 ROCPROFILER_BUFFER_TRACING_MEMORY_COPY,
				 ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE, &name, &length),
			 0);
	assert_string_equal(name, "MEMORY_COPY_DEVICE_TO_DEVICE");
	assert_int_equal(rocprofiler_query_callback_tracing_kind_name(
				 ROCPROFILER_CALLBACK_TRACING_LAST, &name, &length),
			 ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND);
	assert_null(name);
	assert_int_equal(length, 0);
	assert_int_equal(rocprofiler_query_callback_tracing_kind_operation_name(
				 ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
				 ROCPROFILER_CODE_OBJECT_LAST, &name, NULL),
			 ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND);
	assert_int_equal(rocprofiler_query_callback_tracing_kind_operation_name(
				 ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, -1, &name, NULL),
			 ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND);
}

static void tables_and_requests_have_names(void **state)
{
	const char *name = "";

	assert_int_equal(
		rocprofiler_query_intercept_table_name(ROCPROFILER_ROCJPEG_TABLE, &name, NULL), 0);
	assert_string_equal(name, "rocJPEG");
	assert_int_equal(rocprofiler_query_intercept_table_name((rocprofiler_intercept_table_t)3,
								&name, NULL),
			 ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND);
	assert_int_equal(
		rocprofiler_query_external_correlation_id_request_kind_name(
			ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH, &name, NULL),
		0);
	assert_string_equal(name, "KERNEL_DISPATCH");
	assert_int_equal(rocprofiler_query_external_correlation_id_request_kind_name(
				 ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_LAST, &name, NULL),
			 ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_status_has_its_name_and_a_sentence),
		cmocka_unit_test(the_version_is_1_0_0),
		cmocka_unit_test(time_and_thread_are_the_systems),
		cmocka_unit_test(kinds_and_operations_have_names),
		cmocka_unit_test(tables_and_requests_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
