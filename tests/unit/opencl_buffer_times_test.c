/* SPDX-License-Identifier: MIT */
/*
 * When command buffers ran, on drivers that tell it, that tell the end only, and that lie. Events
 * are e0, e1, ... in the order in which the driver made them.
 */
#include "buffers_fake.h"

#include <string.h>

#include "record/wire.h"

typedef int32_t enqueue_fn(uint32_t, void **, void *, uint32_t, void *const *, void **);

static void *buffer = HANDLE(0x5000);

static int begin(void **state)
{
	void *queues[] = {HANDLE(0x100)};
	void *(*create)(uint32_t, void *const *, const uint64_t *, int32_t *);

	fake_begin(state);
	*(void **)&create = fake_get("clCreateCommandBufferKHR");
	assert_ptr_equal(create(1, queues, NULL, NULL), buffer);
	return 0;
}

static int32_t run(uint32_t waits, void *const *list, void **event)
{
	enqueue_fn *function = (enqueue_fn *)fake_get("clEnqueueCommandBufferKHR");

	return function(0, NULL, buffer, waits, list, event);
}

static void use_pocl(const char *version)
{
	fake.platform_name = "Portable Computing Language";
	fake.platform_version = version;
}

static void expect(enum tacho__slot_code code, uint64_t submit, uint64_t start, uint64_t end)
{
	assert_int_equal(told.completed, 1);
	assert_int_equal(told.times.code, code);
	assert_int_equal(told.times.submit, submit);
	assert_int_equal(told.times.start, start);
	assert_int_equal(told.times.end, end);
	assert_int_equal(fake_count_references(), 0);
}

/* It is asked for nothing more than the program asked for, but an event. */
static void believes_drivers(void **state)
{
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	assert_string_equal(fake.asked, "run\n");
	fake_end(&fake.events[0], 10, 20, 30);
	expect(TACHO__SLOT_TIMES, 10, 20, 30);
}

/* The marker ends when the execution can start. */
static void puts_markers_in_front(void **state)
{
	use_pocl("OpenCL 3.0 PoCL 3.1+debian  Linux");
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	assert_string_equal(fake.asked, "marker e0\nrun\n");
	fake_end(&fake.events[0], 10, 19, 20);
	fake_end(&fake.events[1], 11, 30, 30);
	expect(TACHO__SLOT_MARKED, 10, 20, 30);
}

/* What the program waits for is waited for in front of the marker. */
static void waits_in_front_of_the_marker(void **state)
{
	void *event = NULL, *list[1];

	use_pocl("OpenCL 3.0 PoCL 6.0");
	assert_int_equal(run(0, NULL, &event), CL_SUCCESS);
	list[0] = event;
	assert_int_equal(run(1, list, NULL), CL_SUCCESS);
	assert_string_equal(fake.asked, "marker e0\nrun\nmarker e2 after e1\nrun after e1\n");
	fake_end(&fake.events[0], 10, 20, 20);
	fake_end(&fake.events[1], 10, 30, 30);
	assert_int_equal(told.times.start, 20);
	told.completed = 0;
	fake_end(&fake.events[2], 10, 30, 31);
	fake_end(&fake.events[3], 10, 40, 40);
	assert_int_equal(tacho__opencl_wrappers.clReleaseEvent(event), CL_SUCCESS);
	expect(TACHO__SLOT_MARKED, 10, 31, 40);
}

/* Where the queue keeps no order, nothing but the marker holds the execution back. */
static void orders_unordered_queues(void **state)
{
	void *list[1];

	use_pocl("OpenCL 3.0 PoCL 3.1");
	fake.queue_flags = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	/* e0 is one that has ended: a marker without a list would wait for all of the queue */
	assert_string_equal(fake.asked, "marker e1 after e0\nrun after e1\n");
	assert_int_equal(fake.events[0].status, CL_COMPLETE);
	fake_end(&fake.events[1], 10, 20, 20);
	fake_end(&fake.events[2], 11, 30, 30);
	expect(TACHO__SLOT_MARKED, 10, 20, 30);

	fake.asked[0] = '\0';
	list[0] = &fake.events[2];
	assert_int_equal(run(1, list, NULL), CL_SUCCESS);
	assert_string_equal(fake.asked, "marker e3 after e2\nrun after e3\n");
}

/* Newer ones of PoCL run them whole on some devices: the event says it. */
static void believes_events_of_command_buffers(void **state)
{
	use_pocl("OpenCL 3.0 PoCL 7.0  Linux");
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	fake_end(&fake.events[0], 10, 15, 15);
	fake_end(&fake.events[1], 11, 20, 30);
	expect(TACHO__SLOT_TIMES, 11, 20, 30);
	told.completed = 0;
	fake.event_type = CL_COMMAND_MARKER;
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	fake_end(&fake.events[2], 10, 15, 15);
	fake_end(&fake.events[3], 11, 30, 30);
	expect(TACHO__SLOT_MARKED, 10, 15, 30);
}

/* Another driver's event is a marker's: its start is not told, and the next one has a marker. */
static void finds_out_drivers(void **state)
{
	fake.event_type = CL_COMMAND_MARKER;
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	fake_end(&fake.events[0], 11, 30, 30);
	assert_int_equal(told.times.code, TACHO__SLOT_NO_START);
	assert_string_equal(fake.asked, "run\n");
	told.completed = 0;
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	assert_string_equal(fake.asked, "run\nmarker e1\nrun\n");
	fake_end(&fake.events[1], 40, 50, 50);
	fake_end(&fake.events[2], 41, 60, 60);
	expect(TACHO__SLOT_MARKED, 40, 50, 60);
}

/* No marker, one without times, one that ends too late: then the start is not told. */
static void tells_no_wrong_starts(void **state)
{
	use_pocl("OpenCL 3.0 PoCL 3.1");
	fake.marker_result = CL_OUT_OF_RESOURCES;
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	fake.marker_result = CL_SUCCESS;
	assert_string_equal(fake.asked, "run\n");
	fake_end(&fake.events[0], 10, 30, 30);
	assert_int_equal(told.times.code, TACHO__SLOT_NO_START);
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	fake_end(&fake.events[2], 10, 30, 30);
	assert_int_equal(told.times.code, TACHO__SLOT_NO_START);
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	fake_end(&fake.events[3], 10, 40, 40);
	fake_end(&fake.events[4], 10, 30, 30);
	assert_int_equal(told.times.code, TACHO__SLOT_NO_START);
	assert_int_equal(fake_count_references(), 0);
}

/* On several queues a marker in front of one holds nothing back. */
static void puts_no_marker_on_one_of_several_queues(void **state)
{
	enqueue_fn *function = (enqueue_fn *)fake_get("clEnqueueCommandBufferKHR");
	void *queues[] = {HANDLE(0x100), HANDLE(0x101)};

	use_pocl("OpenCL 3.0 PoCL 3.1");
	assert_int_equal(function(2, queues, buffer, 0, NULL, NULL), CL_SUCCESS);
	assert_string_equal(fake.asked, "run\n");
	fake_end(&fake.events[0], 10, 30, 30);
	assert_int_equal(told.times.code, TACHO__SLOT_NO_START);
	assert_int_equal(fake_count_references(), 0);
}

/* Of a command buffer that was not seen to be made the event tells the device. */
static void knows_drivers_of_unknown_buffers(void **state)
{
	enqueue_fn *function = (enqueue_fn *)fake_get("clEnqueueCommandBufferKHR");

	assert_int_equal(function(0, NULL, HANDLE(0x5abc), 0, NULL, NULL), CL_SUCCESS);
	assert_string_equal(fake.asked, "run\n");
	fake_end(&fake.events[0], 10, 20, 30);
	expect(TACHO__SLOT_TIMES, 10, 20, 30);
	fake.device++;
	use_pocl("OpenCL 3.0 PoCL 3.1");
	assert_int_equal(function(0, NULL, HANDLE(0x5abc), 0, NULL, NULL), CL_SUCCESS);
	fake_end(&fake.events[1], 10, 30, 30);
	assert_int_equal(told.times.code, TACHO__SLOT_NO_START);
}

/* An execution that the driver refused leaves nothing behind, and the program sees why. */
static void leaves_nothing_of_failures(void **state)
{
	use_pocl("OpenCL 3.0 PoCL 3.1");
	fake.result = CL_INVALID_VALUE;
	assert_int_equal(run(0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(fake_count_references(), 0);
	assert_int_equal(told.completed, 0);
	fake.result = CL_SUCCESS;
	assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
	fake_end(&fake.events[1], 10, 20, 20);
	fake_end(&fake.events[2], 10, 30, 30);
	expect(TACHO__SLOT_MARKED, 10, 20, 30);
}

/* More at a time than there is room for: the rest have no times. */
static void has_room_for_many(void **state)
{
	unsigned with_times = 0;

	use_pocl("OpenCL 3.0 PoCL 3.1");
	/* events at few addresses, as their window is small */
	for (int round = 0; round < 400; round++) {
		size_t first = fake.event_count = (size_t)(round % 20);

		assert_int_equal(run(0, NULL, NULL), CL_SUCCESS);
		assert_int_equal(fake.event_count, first + 2);
		if (told.completed) {
			assert_int_equal(told.times.code, TACHO__SLOT_NO_START);
			told.completed = 0;
		} else {
			with_times++;
		}
	}
	assert_in_range(with_times, 16, 399);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(believes_drivers, begin),
		cmocka_unit_test_setup(puts_markers_in_front, begin),
		cmocka_unit_test_setup(waits_in_front_of_the_marker, begin),
		cmocka_unit_test_setup(orders_unordered_queues, begin),
		cmocka_unit_test_setup(believes_events_of_command_buffers, begin),
		cmocka_unit_test_setup(finds_out_drivers, begin),
		cmocka_unit_test_setup(tells_no_wrong_starts, begin),
		cmocka_unit_test_setup(puts_no_marker_on_one_of_several_queues, begin),
		cmocka_unit_test_setup(knows_drivers_of_unknown_buffers, begin),
		cmocka_unit_test_setup(leaves_nothing_of_failures, begin),
		cmocka_unit_test_setup(has_room_for_many, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
