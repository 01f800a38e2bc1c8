/* SPDX-License-Identifier: MIT */
/*
 * The OpenCL layer between a program and a driver that is made here: what the driver is asked, what
 * the program sees, what is reported.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>

#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"
#include "base/arena.h"
#include "record/call_table.h"
#include "record/wire.h"
#include "record/writer.h"
#include "tacho/recording.h"
#include "record/call_format.h"
#include "layer_driver.h"

static void takes_only_what_the_target_has(void **state)
{
	assert_non_null(cl->clCreateCommandQueue);
	assert_ptr_not_equal(cl->clCreateCommandQueue, create_queue_again);
	assert_null(cl->clCreateBuffer);
	assert_null(cl->clGetDeviceIDsFromD3D10KHR);
}

static void forces_profiling_and_hides_it(void **state)
{
	int32_t rc = -1;
	uint64_t flags = 99;
	void *queue = cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD0), 1, &rc);

	assert_int_equal(rc, CL_SUCCESS);
	assert_int_equal(driver.flags, 1 | CL_QUEUE_PROFILING_ENABLE);
	assert_int_equal(cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 8, &flags, NULL),
			 CL_SUCCESS);
	assert_int_equal(flags, 1);
	driver.queue = queue;
	assert_int_equal(cl->clGetEventProfilingInfo(HANDLE(0xE0), CL_PROFILING_COMMAND_END, 8,
						     &flags, NULL),
			 CL_PROFILING_INFO_NOT_AVAILABLE);
	assert_non_null(strstr(seen.made, "forced_profiling=1\n"));
	assert_non_null(strstr(seen.made, "name=toy box\n"));
}

static void hides_profiling_in_properties_of_before(void **state)
{
	void *queue = cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD0), 1, NULL);
	uint64_t old = 99;

	assert_int_equal(cl->clSetCommandQueueProperty(queue, 1, 0, &old), CL_SUCCESS);
	assert_int_equal(old, 1);
	assert_int_equal(driver.flags, CL_QUEUE_PROFILING_ENABLE);
	/* on is on: the program has asked for it */
	cl->clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, 1, &old);
	assert_int_equal(old, 0);
	cl->clSetCommandQueueProperty(queue, 1, 1, &old);
	assert_int_equal(old, CL_QUEUE_PROFILING_ENABLE);
	assert_int_equal(cl->clSetCommandQueueProperty(queue, 1, 0, NULL), CL_SUCCESS);
	assert_int_equal(driver.flags, CL_QUEUE_PROFILING_ENABLE);
}

/* oclgrind */
static void leaves_properties_that_a_driver_does_not_write(void **state)
{
	void *queue = cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD0), 1, NULL);
	uint64_t old = 99;

	driver.ignores_properties = true;
	assert_int_equal(cl->clSetCommandQueueProperty(queue, 1, 0, &old), CL_SUCCESS);
	assert_int_equal(old, 99);
}

static void leaves_profiling_that_was_wanted(void **state)
{
	uint64_t value = 0;
	void *queue = cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD0), 2, NULL);

	assert_int_equal(cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 8, &value, NULL),
			 CL_SUCCESS);
	assert_int_equal(value, CL_QUEUE_PROFILING_ENABLE);
	driver.queue = queue;
	assert_int_equal(cl->clGetEventProfilingInfo(HANDLE(0xE0), CL_PROFILING_COMMAND_END, 8,
						     &value, NULL),
			 CL_SUCCESS);
	assert_int_equal(value, CL_PROFILING_COMMAND_END);
	assert_non_null(strstr(seen.made, "forced_profiling=0\n"));
}

/* Without us such a driver tells the times of every queue. */
static void leaves_times_that_a_driver_always_tells(void **state)
{
	uint64_t value = 0;

	driver.always_tells = true;
	driver.queue = cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD1), 0, NULL);
	assert_int_equal(driver.flags, CL_QUEUE_PROFILING_ENABLE);
	assert_int_equal(cl->clGetEventProfilingInfo(HANDLE(0xE0), CL_PROFILING_COMMAND_END, 8,
						     &value, NULL),
			 CL_SUCCESS);
	assert_int_equal(value, CL_PROFILING_COMMAND_END);
}

static void tries_again_without_profiling(void **state)
{
	int32_t rc = -1;

	driver.refuses_profiling = true;
	assert_non_null(cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD0), 1, &rc));
	assert_int_equal(rc, CL_SUCCESS);
	assert_int_equal(driver.flags, 1);
	assert_null(cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD0), 2, &rc));
	assert_int_equal(rc, CL_INVALID_QUEUE_PROPERTIES);
}

/* A queue of this list has profiling, and reads back as this list. */
static void check_list(const uint64_t *list, size_t words)
{
	uint64_t back[16] = {0};
	size_t size = 99;
	void *queue =
		cl->clCreateCommandQueueWithProperties(HANDLE(0xC0), HANDLE(0xD0), list, NULL);

	assert_non_null(queue);
	assert_true(driver.flags & CL_QUEUE_PROFILING_ENABLE);
	assert_int_equal(cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(back),
						   back, &size),
			 CL_SUCCESS);
	assert_int_equal(size, words * sizeof(uint64_t));
	if (!words)
		return;
	assert_memory_equal(back, list, size);
	assert_int_equal(
		cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, size - 8, back, NULL),
		CL_INVALID_VALUE);
}

static void hides_profiling_in_lists(void **state)
{
	const uint64_t other[] = {CL_QUEUE_PRIORITY_KHR, 1, 0};
	const uint64_t flags[] = {CL_QUEUE_PROPERTIES, 1, CL_QUEUE_PRIORITY_KHR, 1, 0};
	const uint64_t empty[] = {0};

	check_list(NULL, 0);
	check_list(empty, 1);
	check_list(other, 3);
	check_list(flags, 5);
}

static void watches_with_an_event_of_its_own(void **state)
{
	size_t global = 8;

	driver.always_tells = true;
	assert_int_equal(cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0,
						    NULL, NULL),
			 CL_SUCCESS);
	assert_true(seen.call.has_slot);
	assert_int_equal(driver.references, 1);
	driver.callback(HANDLE(0xE0), CL_COMPLETE, driver.callback_user);
	assert_int_equal(driver.references, 0);
	assert_int_equal(seen.times.code, TACHO__SLOT_TIMES);
	assert_int_equal(seen.times.queued, CL_PROFILING_COMMAND_QUEUED);
	assert_int_equal(seen.times.end, CL_PROFILING_COMMAND_END);
}

static void leaves_the_programs_event_to_it(void **state)
{
	size_t global = 8;
	void *event = NULL;

	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0, NULL, &event);
	assert_non_null(event);
	assert_int_equal(driver.references, 2);
	driver.has_no_times = true;
	driver.callback(event, CL_COMPLETE, driver.callback_user);
	assert_int_equal(driver.references, 1);
	assert_int_equal(seen.times.code, TACHO__SLOT_NO_PROFILING);
	assert_int_equal(seen.times.vendor_code, CL_PROFILING_INFO_NOT_AVAILABLE);

	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0, NULL, &event);
	driver.callback(event, CL_OUT_OF_RESOURCES, driver.callback_user);
	assert_int_equal(seen.times.code, TACHO__SLOT_FAILED);
	assert_int_equal(driver.references, 1);
}

static void assert_references(void *event, uint32_t expected)
{
	uint32_t count = 99;
	size_t size = 0;

	assert_int_equal(cl->clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, 3, &count, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(count, 99);
	assert_int_equal(cl->clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, 0, NULL, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(count));
	assert_int_equal(
		cl->clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(count), &count, NULL),
		CL_SUCCESS);
	assert_int_equal(count, expected);
}

static void hides_its_own_reference(void **state)
{
	size_t global = 8;
	void *event = NULL;

	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0, NULL, &event);
	assert_int_equal(driver.references, 2);
	assert_references(event, 1);
	cl->clRetainEvent(event);
	assert_references(event, 2);
	cl->clReleaseEvent(event);
	assert_references(event, 1);
	driver.callback(event, CL_COMPLETE, driver.callback_user);
	assert_int_equal(driver.references, 1);
	assert_references(event, 1);
}

/* PoCL does not call back for commands that fail with what they waited for. */
static void lets_go_of_an_event_that_failed_unseen(void **state)
{
	size_t global = 8;
	void *event = NULL;

	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0, NULL, &event);
	driver.status = CL_OUT_OF_RESOURCES;
	assert_int_equal(driver.references, 2);
	cl->clReleaseEvent(event);
	assert_int_equal(driver.references, 0);
	assert_int_equal(seen.completed, 1);
	assert_int_equal(seen.times.code, TACHO__SLOT_FAILED);
	/* should the driver call back after all, it is too late */
	driver.callback(event, CL_OUT_OF_RESOURCES, driver.callback_user);
	assert_int_equal(seen.completed, 1);
	assert_int_equal(driver.references, 0);
}

/* oclgrind never calls back for a command that was complete before the callback was set. */
static void asks_for_no_callback_when_the_command_has_ended(void **state)
{
	size_t global = 8;

	driver.always_tells = true;
	driver.status = CL_COMPLETE;
	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0, NULL, NULL);
	assert_true(driver.callback == NULL);
	assert_int_equal(seen.completed, 1);
	assert_int_equal(seen.times.code, TACHO__SLOT_TIMES);
	assert_int_equal(driver.references, 0);
	driver.status = CL_OUT_OF_RESOURCES;
	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0, NULL, NULL);
	assert_int_equal(seen.times.code, TACHO__SLOT_FAILED);
}

static void gives_events_back_that_nobody_watches(void **state)
{
	size_t global = 8;

	driver.refuses_callbacks = true;
	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0, NULL, NULL);
	assert_int_equal(seen.completed, 1);
	assert_int_equal(seen.times.code, TACHO__SLOT_NO_CALLBACK);
	assert_int_equal(seen.times.vendor_code, CL_OUT_OF_RESOURCES);
	assert_int_equal(driver.references, 0);

	seen.wants_times = false;
	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, &global, NULL, 0, NULL, NULL);
	assert_int_equal(driver.references, 0);
	assert_int_equal(seen.completed, 1);
}

/* The last call as the reader prints it: result and arguments. */
static void assert_call(const char *expected)
{
	struct tacho__arena arena = {0};
	struct tacho__call_table *table;
	struct tacho__value values[TACHO__ARGUMENTS_COUNT_MAX], result;
	struct tacho__buf buf = {0};
	const struct tacho__function *function;
	struct tacho__unpack unpack;

	assert_int_equal(tacho__call_table_parse(&arena, tacho__opencl_table,
						 tacho__opencl_table_size, &table),
			 0);
	function = &table->functions[TACHO__KIND_FUNCTION(seen.call.kind)];
	tacho__unpack_begin(&unpack, seen.packed, seen.packed_bytes);
	tacho__call_decode(&function->result, &unpack, function, values, &buf, &result);
	for (size_t i = 0; i < function->count; i++) {
		tacho__buf_put(&buf, i ? ";" : " ");
		tacho__call_decode(&function->arguments[i].show, &unpack, function, values, &buf,
				   &values[i]);
	}
	assert_string_equal(tacho__buf_text(&buf), expected);
	assert_false(unpack.bad);
	assert_ptr_equal(unpack.at, unpack.end);
	tacho__buf_finish(&buf);
	tacho__arena_finish(&arena);
}

static void tells_what_was_passed(void **state)
{
	const size_t global[3] = {640, 360, 1}, local[3] = {16, 8, 1};
	void *waits[] = {HANDLE(0x51), HANDLE(0x52)}, *event;

	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 2, NULL, global, local, 0, NULL, NULL);
	assert_call("CL_SUCCESS 0x1;0x2;2;NULL;[640,360];[16,8];0;NULL;NULL");
	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, local, global, NULL, 2, waits, &event);
	assert_ptr_equal(event, HANDLE(0xE0));
	assert_call("CL_SUCCESS 0x1;0x2;1;[16];[640];NULL;2;[0x51,0x52];[0xE0]");
	/* one variable for both events, as programs have it */
	event = HANDLE(0x53);
	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 1, NULL, global, NULL, 1, &event, &event);
	assert_call("CL_SUCCESS 0x1;0x2;1;NULL;[640];NULL;1;[0x53];[0xE0]");
	cl->clEnqueueNDRangeKernel(HANDLE(1), HANDLE(2), 9, NULL, global, NULL, 0, NULL, NULL);
	assert_false(seen.call.has_slot);
	assert_call("CL_INVALID_WORK_DIMENSION 0x1;0x2;9;NULL;[640,360,1,...];NULL;0;NULL;NULL");
	cl->clSetKernelArg(HANDLE(0x70), 3, 4, HANDLE(0xFFF0));
	assert_call("CL_SUCCESS 0x70;3;4;0xFFF0");
}

static void tells_what_was_answered(void **state)
{
	void *platforms[8];
	uint32_t count;

	memset(platforms, 0xff, sizeof(platforms));
	assert_int_equal(cl->clGetPlatformIDs(8, platforms, NULL), CL_SUCCESS);
	assert_call("CL_SUCCESS 8;[0xA,0xB];NULL");
	assert_int_equal((uintptr_t)platforms[2], UINTPTR_MAX);
	cl->clGetPlatformIDs(0, NULL, &count);
	assert_call("CL_SUCCESS 0;NULL;[2]");
	cl->clGetPlatformIDs(1, platforms, &count);
	assert_call("CL_SUCCESS 1;[0xA];[2]");
}

static void reports_a_kernel_again_when_it_needs_more(void **state)
{
	assert_int_equal(cl->clSetKernelArg(HANDLE(0x70), 0, 64, NULL), CL_SUCCESS);
	assert_non_null(strstr(seen.made, "name=add\n"));
	assert_non_null(strstr(seen.made, "local_bytes=64\n"));
	seen.made[0] = '\0';
	driver.local_bytes = 0;
	cl->clSetKernelArg(HANDLE(0x70), 0, 64, NULL);
	cl->clSetKernelArg(HANDLE(0x70), 0, 4, &driver);
	assert_string_equal(seen.made, "");
}

static int32_t own_retain(void *semaphore)
{
	return -7;
}

/*
 * The "loader" is this program, so a function of it comes back to the layer by itself. Two of the C
 * library's take the place of two drivers' clRetainSemaphoreKHR.
 */
static void wraps_what_drivers_give_out(void **state)
{
	const char *name = "clRetainSemaphoreKHR";
	int32_t (*function)(void *);

	driver.extension = (void *)own_retain;
	assert_ptr_equal(cl->clGetExtensionFunctionAddressForPlatform(HANDLE(1), name), own_retain);
	driver.extension = (void *)atoi;
	function = cl->clGetExtensionFunctionAddressForPlatform(HANDLE(1), name);
	assert_ptr_not_equal(function, atoi);
	assert_int_equal(function((void *)"-42"), -42);
	assert_int_equal(seen.call.kind,
			 TACHO__KIND(TACHO__API_ID, TACHO__INDEX_clRetainSemaphoreKHR));
	assert_ptr_equal(cl->clGetExtensionFunctionAddressForPlatform(HANDLE(1), name), function);
	assert_ptr_equal(cl->clGetExtensionFunctionAddressForPlatform(HANDLE(1), "clNoSuch"), atoi);
	assert_string_equal(seen.process, "unwatched=clNoSuch (its arguments are not known)\n");

	driver.extension = (void *)atol;
	assert_ptr_equal(cl->clGetExtensionFunctionAddressForPlatform(HANDLE(2), name), atol);
	assert_ptr_equal(cl->clGetExtensionFunctionAddressForPlatform(HANDLE(2), name), atol);
	assert_string_equal(seen.process, "unwatched=clNoSuch (its arguments are not known)\n"
					  "unwatched=clRetainSemaphoreKHR (of a second driver)\n");
}

/* Where the compiler makes no jumps of calls in the end, the driver needs stack without us too. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
enum { ROUNDS = 1000000 };
#else
enum { ROUNDS = 1000 };
#endif

/* The first four calls of a thread are recorded; all of them make one queue, as without us. */
static void needs_no_stack_for_a_driver_that_calls_itself(void **state)
{
	const uint64_t list[] = {CL_QUEUE_PROPERTIES, 1, 0};
	int32_t rc = -1;
	uint64_t flags = 99;
	void *queue;

	driver.created = 0;
	driver.rounds = ROUNDS;
	queue = cl->clCreateCommandQueueWithProperties(HANDLE(0xC0), HANDLE(0xD0), list, &rc);
	assert_non_null(queue);
	assert_int_equal(rc, CL_SUCCESS);
	assert_int_equal(driver.rounds, 0);
	assert_int_equal(driver.created, 1);
	assert_int_equal(driver.flags, 1 | CL_QUEUE_PROFILING_ENABLE);
	assert_int_equal(seen.calls, 4);
	assert_int_equal(seen.nested, ROUNDS - 3);
	assert_int_equal(cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 8, &flags, NULL),
			 CL_SUCCESS);
	assert_int_equal(flags, 1);

	/* and it is over: the next one is recorded */
	seen.calls = seen.nested = 0;
	driver.rounds = 3;
	assert_non_null(cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD0), 0, &rc));
	assert_int_equal(seen.calls, 4);
	assert_int_equal(seen.nested, 0);
	driver.rounds = ROUNDS;
	assert_non_null(cl->clCreateCommandQueue(HANDLE(0xC0), HANDLE(0xD0), 0, &rc));
	assert_int_equal(driver.created, 3);
	assert_int_equal(seen.nested, ROUNDS - 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(takes_only_what_the_target_has, reset),
		cmocka_unit_test_setup(forces_profiling_and_hides_it, reset),
		cmocka_unit_test_setup(hides_profiling_in_properties_of_before, reset),
		cmocka_unit_test_setup(leaves_properties_that_a_driver_does_not_write, reset),
		cmocka_unit_test_setup(leaves_profiling_that_was_wanted, reset),
		cmocka_unit_test_setup(leaves_times_that_a_driver_always_tells, reset),
		cmocka_unit_test_setup(tries_again_without_profiling, reset),
		cmocka_unit_test_setup(hides_profiling_in_lists, reset),
		cmocka_unit_test_setup(watches_with_an_event_of_its_own, reset),
		cmocka_unit_test_setup(leaves_the_programs_event_to_it, reset),
		cmocka_unit_test_setup(hides_its_own_reference, reset),
		cmocka_unit_test_setup(lets_go_of_an_event_that_failed_unseen, reset),
		cmocka_unit_test_setup(asks_for_no_callback_when_the_command_has_ended, reset),
		cmocka_unit_test_setup(gives_events_back_that_nobody_watches, reset),
		cmocka_unit_test_setup(tells_what_was_passed, reset),
		cmocka_unit_test_setup(tells_what_was_answered, reset),
		cmocka_unit_test_setup(reports_a_kernel_again_when_it_needs_more, reset),
		cmocka_unit_test_setup(wraps_what_drivers_give_out, reset),
		cmocka_unit_test_setup(needs_no_stack_for_a_driver_that_calls_itself, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
