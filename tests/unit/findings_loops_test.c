/* SPDX-License-Identifier: MIT */
/* Loops of questions: which are told, what they kept busy, and what they may have held up. */
#include "finding_scene.h"

#include <string.h>

static void launch_with_event(const char *queue, const char *event, struct fake_object *on)
{
	struct tacho_command *command;

	scene_call("clEnqueueNDRangeKernel", "CL_SUCCESS", queue, "0x70", "1", "NULL", "[1]",
		   "NULL", "0", "NULL", event, NULL);
	command = scene_command(TACHO_COMMAND_KERNEL, on, 400, 1000);
	command->kernel = &scene_kernel.object;
}

static void poll(const char *answer, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		scene_call("clGetEventInfo", "CL_SUCCESS", "0x1E0",
			   "CL_EVENT_COMMAND_EXECUTION_STATUS", "4", answer, "NULL", NULL);
}

static void test_busy_wait(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	launch_with_event("0x90", "[0x1E0]", &scene_queue);
	poll("[CL_RUNNING]", 15);
	poll("[CL_COMPLETE]", 1);
	scene_launch(1024, 64, 5000);
	findings = scene_look(NULL, NULL);
	finding = scene_find(findings, "busy-wait");
	assert_non_null(finding);
	assert_int_equal(finding->count, 1);
	assert_int_equal(finding->cost_ns, 15500); /* 15 steps of 1000 and a call of 500 */
	assert_int_equal(finding->examples[0].index, 1);
	assert_string_equal(finding->examples[0].text, "16 questions about event 0x1E0");
	/* It is a wait like any other, too. */
	assert_int_equal(scene_find(findings, "redundant-sync")->cost_ns, 15500);
	tacho_findings_destroy(findings);

	assert_int_equal(COUNT("busy-wait", "busy-wait-polls", (uint64_t)17), 0);

	/* Another call between ends a row; what it asks does not matter to others. */
	scene_begin();
	poll("[CL_RUNNING]", 10);
	scene_call("clFlush", "CL_SUCCESS", "0x90", NULL);
	poll("[CL_COMPLETE]", 10);
	assert_int_equal(COUNT("busy-wait"), 0);
	scene_begin();
	for (int i = 0; i < 20; i++)
		scene_call("clGetEventInfo", "CL_SUCCESS", "0x1E0", "CL_EVENT_COMMAND_TYPE", "4",
			   "[CL_COMMAND_NDRANGE_KERNEL]", "NULL", NULL);
	assert_int_equal(COUNT("busy-wait"), 0);

	/* One line of a session file stands for many. */
	scene_begin();
	scene_call("clGetEventInfo", "CL_SUCCESS", "0x1E0", "CL_EVENT_COMMAND_EXECUTION_STATUS",
		   "4", "[CL_RUNNING]", "NULL", NULL)
		->call.repeats = 30;
	assert_int_equal(COUNT("busy-wait"), 1);
}

/* A loop of 20 questions from 1 us to 20.5 us, about a command that runs from 1 us to 19 us. */
static const struct tacho_finding *look_at_loop(struct tacho_findings **out_findings,
						const struct tacho_thread_time *times,
						const char *device_type)
{
	scene_begin();
	scene_gpu.attributes[0].value = device_type;
	scene_thread_times(times);
	launch_with_event("0x90", "[0x1E0]", &scene_queue);
	scene_command(TACHO_COMMAND_KERNEL, &scene_queue, US, 18 * US)->kernel =
		&scene_kernel.object;
	poll("[CL_RUNNING]", 19);
	poll("[CL_COMPLETE]", 1);
	*out_findings = scene_look("busy-wait", NULL);
	return scene_find(*out_findings, "busy-wait");
}

#define AT(us, ran_us)                                                                     \
	{                                                                                  \
		.process = &scene_processes[0], .thread = 1, .at_ns = 1000 * MS + (us)*US, \
		.run_ns = (ran_us)*US                                                      \
	}

static void expect_processor(const struct tacho_thread_time *times, int64_t low_ns, int64_t high_ns)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding = look_at_loop(&findings, times, "gpu");

	assert_non_null(finding);
	assert_int_equal(finding->has_processor, low_ns >= 0);
	if (low_ns >= 0) {
		assert_int_equal(finding->processor_low_ns, low_ns);
		assert_int_equal(finding->processor_high_ns, high_ns);
	}
	tacho_findings_destroy(findings);
}

/* The loop goes from 1 us to 20.5 us, and what its thread ran is known at other moments. */
static void test_processor_of_busy_wait(void **state)
{
	const struct tacho_thread_time none[] = {{.process = NULL}};
	/* Of 30 us it ran 25: 5 of them may lie outside of the loop, or in it. */
	const struct tacho_thread_time around[] = {AT(0, 7), AT(30, 32), {.process = NULL}};
	/* It slept: most of the loop did not run. */
	const struct tacho_thread_time asleep[] = {AT(0, 7), AT(30, 9), {.process = NULL}};
	/* It ran all the time, in the loop and around it. */
	const struct tacho_thread_time always[] = {
		AT(0, 0), AT(5, 5), AT(10, 10), AT(40, 40), {.process = NULL}};
	/* Known up to the middle only. */
	const struct tacho_thread_time half[] = {AT(0, 0), AT(11, 11), {.process = NULL}};
	/* From the middle on: what it had run by then is the most it can have run before. */
	const struct tacho_thread_time late[] = {AT(11, 3), AT(30, 22), {.process = NULL}};
	/* Of another thread, and of one that had the number before. */
	const struct tacho_thread_time other[] = {
		{.process = &scene_processes[0], .thread = 2, .at_ns = 1001 * MS, .run_ns = 5},
		{.process = NULL}};
	const struct tacho_thread_time reused[] = {AT(0, 90000), AT(30, 5), {.process = NULL}};

	expect_processor(none, -1, -1);
	expect_processor(other, -1, -1);
	expect_processor(around, 25000 - (30000 - 19500), 19500);
	expect_processor(asleep, 0, 2000);
	expect_processor(always, 19500, 19500);
	expect_processor(half, 10000, 19500);
	expect_processor(late, 9500, 3000 + 9500);
	expect_processor(reused, 0, 19500);
}

/* On a CPU the loop may hold up what it waits for, as long as that ran or was to begin; no other
 * device's. */
static void test_rivals_of_busy_wait(void **state)
{
	const struct tacho_thread_time times[] = {AT(0, 0), AT(30, 6), {.process = NULL}};
	struct tacho_findings *findings;
	const struct tacho_finding *finding = look_at_loop(&findings, times, "gpu");

	assert_int_equal(finding->has_gain, 0);
	assert_non_null(strstr(finding->message, "kept a processor busy for 6.00 us at most"));
	tacho_findings_destroy(findings);
	finding = look_at_loop(&findings, times, "cpu");
	assert_int_equal(finding->has_gain, 1);
	assert_int_equal(finding->gain_low_ns, 0);
	assert_in_range(finding->gain_high_ns, 18 * US, 19 * US);
	tacho_findings_destroy(findings);
}

/* Of a queue all commands that ran meanwhile may have been held up, and none that ended before. */
static void test_rivals_before_the_last(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_gpu.attributes[0].value = "cpu";
	for (uint64_t i = 0; i < 3; i++) { /* until 2 us, then 8 us each */
		launch_with_event("0x90", i == 2 ? "[0x1E0]" : "NULL", &scene_queue);
		scene_command(TACHO_COMMAND_KERNEL, &scene_queue, i ? i * 7 * US - 5 * US : 0,
			      i ? 8 * US : 2 * US)
			->kernel = &scene_kernel.object;
	}
	poll("[CL_RUNNING]", 19);
	poll("[CL_COMPLETE]", 1);
	findings = scene_look("busy-wait", NULL);
	finding = scene_find(findings, "busy-wait");
	assert_non_null(finding);
	/* The loop is from 3 us on: 8 of the second's and 8 of the third's are in it. */
	assert_in_range(finding->gain_high_ns, 15 * US, 17 * US);
	tacho_findings_destroy(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_busy_wait),
		cmocka_unit_test(test_processor_of_busy_wait),
		cmocka_unit_test(test_rivals_of_busy_wait),
		cmocka_unit_test(test_rivals_before_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
