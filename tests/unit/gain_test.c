/* SPDX-License-Identifier: MIT */
/* What findings gain: numbers that were worked out by hand, and what must hold for any run. */
#include "finding_scene.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/gain_replay.h"

/* A launch of 100 us that begins 400 ns behind its call, and a wait that ends 600 ns behind it. */
static void launch_and_wait(void)
{
	scene_launch(1024, 64, 100 * US);
	scene_finish(100 * US);
}

/*
 * The device has nothing to do for 1,500 ns between two launches: 600 until the wait ends, 500
 * until the next call, 400 until that begins. Without nine waits of 100 us it runs on at once, or
 * the 400 ns stay.
 */
static void test_waits_gain_idle_time(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 10; i++)
		launch_and_wait();
	findings = scene_look("redundant-sync", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_int_equal(finding->count, 9);
	assert_int_equal(finding->cost_ns, 9 * 100 * US);
	assert_int_equal(finding->has_gain, 1);
	assert_int_equal(finding->gain_low_ns, 9 * 1100);
	assert_int_equal(finding->gain_high_ns, 9 * 1500);
	assert_int_equal(finding->is_remark, 1);
	tacho_findings_destroy(findings);

	/* 13.5 us of 100 ms, and of 1 ms. */
	findings = scene_look("redundant-sync", "remark-share", (uint64_t)0, NULL);
	assert_int_equal(tacho_findings_get(findings, 0)->is_remark, 0);
	tacho_findings_destroy(findings);
	findings = scene_look("redundant-sync", "remark-ns", (uint64_t)13500, NULL);
	assert_int_equal(tacho_findings_get(findings, 0)->is_remark, 0);
	tacho_findings_destroy(findings);
	findings = scene_look("redundant-sync", "remark-ns", (uint64_t)13501, NULL);
	assert_int_equal(tacho_findings_get(findings, 0)->is_remark, 1);
	tacho_findings_destroy(findings);
	scene_run->end_ns = scene_run->start_ns + 1 * MS;
	findings = scene_look("redundant-sync", NULL);
	assert_int_equal(tacho_findings_get(findings, 0)->is_remark, 0);
	tacho_findings_destroy(findings);
}

/*
 * The host works for 50 us behind each wait while the device has nothing to do: that is what the
 * waits gain, for the host's work is hidden behind the device's then.
 */
static void test_wait_gains_what_comes_behind_it(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 3; i++) {
		launch_and_wait();
		scene_call("clSetKernelArg", "CL_SUCCESS", "0x70", "0", "8", "[0x60]", NULL);
		scene_take(50 * US);
	}
	launch_and_wait();
	findings = scene_look("redundant-sync", NULL);
	finding = tacho_findings_get(findings, 0);
	/* 600 + 500 + 50,000 + 500 + 400 idle; 400 of it may stay. */
	assert_int_equal(finding->gain_low_ns, 3 * 51600);
	assert_int_equal(finding->gain_high_ns, 3 * 52000);
	tacho_findings_destroy(findings);
}

/* Nothing hangs on the thread that is held up longest, but on the device, which is always busy. */
static void test_hidden_host_work_gains_nothing(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_launch(1024, 64, 20 * MS);
	for (int i = 0; i < 101; i++) {
		scene_call("clCreateBuffer", "0x60", "0x50", "0", "64", "NULL", "[CL_SUCCESS]",
			   NULL);
		scene_take(50 * US);
		scene_call("clReleaseMemObject", "CL_SUCCESS", "0x60", NULL);
	}
	scene_finish(40 * MS);
	findings = scene_look("object-churn", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_int_equal(finding->cost_ns, 100 * 50 * US + 100 * 500);
	assert_int_equal(finding->gain_high_ns, 0);
	assert_int_equal(finding->is_remark, 1);
	tacho_findings_destroy(findings);
}

/* A part of it is hidden: the device ends 2 ms before the host comes to wait for it. */
static void test_partly_hidden_host_work(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;
	uint64_t calls =
		101 * (50 * US + 500 + 1000); /* of a round: create, a gap, release, a gap */

	scene_begin();
	scene_launch(1024, 64, calls - 2 * MS);
	for (int i = 0; i < 101; i++) {
		scene_call("clCreateBuffer", "0x60", "0x50", "0", "64", "NULL", "[CL_SUCCESS]",
			   NULL);
		scene_take(50 * US);
		scene_call("clReleaseMemObject", "CL_SUCCESS", "0x60", NULL);
	}
	scene_finish(1 * US);
	findings = scene_look("object-churn", NULL);
	finding = tacho_findings_get(findings, 0);
	/*
	 * The command began at 400 ns of the run and the first round at 1000, so that the device
	 * was idle for 2 ms + 600 ns when the wait began; this took 1 us more, which is its own.
	 */
	assert_int_equal(finding->gain_low_ns, 2 * MS + 600 + 1 * US);
	assert_int_equal(finding->gain_high_ns, 2 * MS + 600 + 1 * US);
	tacho_findings_destroy(findings);
}

/* Two findings explain the time of one build: what one gains the other does not. */
static void test_findings_share(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *again, *time;
	static const char *const programs[] = {"0x65", "0x66", "0x67", "0x68"};

	scene_begin();
	for (int i = 0; i < 4; i++) {
		scene_call("clCreateProgramWithSource", programs[i], "0x50", "1", "[0x1]", "NULL",
			   "[CL_SUCCESS]", NULL);
		scene_call("clBuildProgram", "CL_SUCCESS", programs[i], "0", "NULL", "\"\"", "NULL",
			   "NULL", NULL);
		scene_take(10 * MS);
		scene_call("clCreateKernel", "0x70", programs[i], "\"vadd\"", "[CL_SUCCESS]", NULL);
	}
	findings = scene_look(NULL, NULL);
	again = scene_find(findings, "repeated-build");
	time = scene_find(findings, "build-time");
	assert_int_equal(again->cost_ns, 30 * MS);
	assert_int_equal(time->cost_ns, 40 * MS);
	/* What is said best comes first, and the other has what is left. */
	assert_int_equal(again->gain_low_ns, 30 * MS);
	assert_int_equal(again->gain_high_ns, 30 * MS);
	assert_int_equal(time->gain_high_ns, 10 * MS);
	assert_ptr_equal(tacho_findings_get(findings, 0), again);
	/* The function has nothing to add. */
	assert_null(scene_find(findings, "api-time"));
	tacho_findings_destroy(findings);
	findings = scene_look("repeated-build", NULL);
	assert_int_equal(tacho_findings_get(findings, 0)->gain_low_ns, 30 * MS);
	assert_int_equal(tacho_findings_get(findings, 0)->gain_high_ns, 30 * MS);
	tacho_findings_destroy(findings);
}

/* An event of another queue holds the second command up: without the wait it still does. */
static void test_events_hold_up(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;
	struct tacho_command *command;

	scene_begin();
	/* 100 us on the other queue, with an event. */
	scene_call("clEnqueueNDRangeKernel", "CL_SUCCESS", "0x91", "0x70", "1", "NULL", "[1]",
		   "NULL", "0", "NULL", "[0xE1]", NULL);
	scene_command(TACHO_COMMAND_KERNEL, &scene_second_queue, 400, 100 * US)->device = NULL;
	/* 10 us on this one, waited for, to 13 us. */
	scene_launch(1024, 64, 10 * US)->device = NULL;
	scene_finish(11 * US);
	/* Called at 13.5 us, begins when the event is there, at 100.4 us. */
	scene_call("clEnqueueNDRangeKernel", "CL_SUCCESS", "0x90", "0x70", "1", "NULL", "[1]",
		   "NULL", "1", "[0xE1]", "NULL", NULL);
	command = scene_command(TACHO_COMMAND_KERNEL, &scene_queue, 0, 10 * US);
	command->device = NULL;
	command->start_ns = scene_run->start_ns + 100 * US + 400;
	command->end_ns = command->start_ns + 10 * US;
	scene_finish(100 * US);
	findings = scene_look("redundant-sync", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_int_equal(finding->count, 1);
	assert_int_equal(finding->cost_ns, 11 * US);
	assert_int_equal(finding->gain_high_ns, 0);
	tacho_findings_destroy(findings);
}

/* Another thread is held up by a lock that nobody sees: what the run gains is a range. */
static void test_threads_make_a_range(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 101; i++) {
		scene_call("clCreateBuffer", "0x60", "0x50", "0", "64", "NULL", "[CL_SUCCESS]",
			   NULL)
			->call.thread = 2;
		scene_take(50 * US);
		scene_call("clReleaseMemObject", "CL_SUCCESS", "0x60", NULL)->call.thread = 2;
	}
	scene_call("clFlush", "CL_SUCCESS", "0x90", NULL);
	findings = scene_look("object-churn", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_int_equal(finding->gain_low_ns, 0);
	assert_int_equal(finding->gain_high_ns, 100 * 50 * US + 100 * 500);
	tacho_findings_destroy(findings);
}

/*
 * Two threads take turns: one builds a program for 10 ms and launches, then the other does. What
 * makes one go on when the other is done is not recorded; the upper number takes it for a wait.
 */
static void test_threads_take_turns(void **state)
{
	static const char *const programs[] = {"0x65", "0x66", "0x67", "0x68"};
	const uint64_t build = 10 * MS;
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 4; i++) {
		uint32_t thread = 1 + i % 2;

		scene_call("clBuildProgram", "CL_SUCCESS", programs[i], "1", "[0x20]", "NULL",
			   "NULL", "NULL", NULL);
		scene_by(thread);
		scene_take(build);
		scene_launch(1024, 64, 100 * US);
		scene_by(thread);
		scene_finish(100 * US);
		scene_by(thread);
	}
	findings = scene_look("build-time", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_int_equal(finding->cost_ns, 4 * build);
	/* Thread 2 made the last call: its own two builds, and that of thread 1 before it began. */
	assert_true(finding->gain_low_ns <= 3 * build);
	assert_true(finding->gain_high_ns > 4 * build - 10 * US);
	assert_true(finding->gain_high_ns <= 4 * build);
	tacho_findings_destroy(findings);
}

/* ---- the replay by itself ---- */

/* Launches, each with a wait that finding 0 explains; the window is cut behind every `cut`. */
static uint64_t replay_windows(unsigned launches, unsigned cut, bool is_eager)
{
	struct tacho__replay replay = {.worlds = {{1, is_eager}}, .count = 1};
	struct tacho__mark mark = {.other = TACHO__NO_FINDING, .what = TACHO__MARK_WAIT};
	struct tacho__graph graph = {.first = 1, .last_thread = 1};
	const uint32_t class_of[] = {1};
	struct tacho__graph_thread *thread;
	uint64_t now = 1000, gain;

	assert_int_equal(tacho__graph_thread(&graph, 0, 7, &thread), 0);
	graph.queue_count = graph.device_count = 1;
	for (unsigned i = 0; i < launches; i++) {
		struct tacho__node launch = {.start_ns = now,
					     .end_ns = now + 100,
					     .thread = 1,
					     .queue = 1,
					     .device = 1,
					     .has_command = true,
					     .is_timed = true,
					     .is_ordered = true,
					     .run_ns = now + 300,
					     .ran_ns = now + 1300};
		struct tacho__node wait = {.start_ns = now + 200,
					   .end_ns = now + 1400,
					   .thread = 1,
					   .queue = 1,
					   .wait = TACHO__WAIT_QUEUE};

		assert_int_equal(tacho__graph_add(&graph, &launch, thread), 0);
		assert_int_equal(tacho__graph_add(&graph, &wait, thread), 0);
		/* The last one is needed. */
		if (i + 1 < launches)
			assert_int_equal(
				tacho__graph_mark(&graph, tacho__graph_next(&graph) - 1, &mark), 0);
		now += 2000;
		if ((i + 1) % cut)
			continue;
		assert_int_equal(tacho__replay_run(&replay, &graph, class_of), 0);
		tacho__graph_clear(&graph);
	}
	assert_int_equal(tacho__replay_run(&replay, &graph, class_of), 0);
	gain = tacho__replay_gain_ns(&replay, &graph, 0);
	tacho__replay_finish(&replay);
	tacho__graph_finish(&graph);
	return gain;
}

/* Of 2,000 ns a round the device works for 1,000; a careful world keeps 300 until it begins. */
static void test_windows(void **state)
{
	for (unsigned cut = 1; cut <= 100; cut += 33) {
		assert_int_equal(replay_windows(100, cut, true), 99 * 1000);
		assert_int_equal(replay_windows(100, cut, false), 99 * 700);
	}
}

/* Threads of one call each, one behind the other, and each made by the one before. */
static uint64_t replay_threads(unsigned count, bool is_eager)
{
	struct tacho__replay replay = {.worlds = {{1, is_eager}}, .count = 1};
	struct tacho__mark mark = {.other = TACHO__NO_FINDING, .what = TACHO__MARK_CALL, .ns = 100};
	struct tacho__graph graph = {.first = 1, .last_thread = count};
	const uint32_t class_of[] = {1};
	uint64_t gain;

	for (unsigned i = 0; i < count; i++) {
		struct tacho__graph_thread *thread;
		struct tacho__node node = {
			.start_ns = 1000 + 200 * i, .end_ns = 1100 + 200 * i, .thread = i + 1};

		assert_int_equal(tacho__graph_thread(&graph, i, 7, &thread), 0);
		assert_int_equal(tacho__graph_add(&graph, &node, thread), 0);
		assert_int_equal(tacho__graph_mark(&graph, tacho__graph_next(&graph) - 1, &mark),
				 0);
	}
	assert_int_equal(tacho__replay_run(&replay, &graph, class_of), 0);
	gain = tacho__replay_gain_ns(&replay, &graph, 0);
	tacho__replay_finish(&replay);
	tacho__graph_finish(&graph);
	return gain;
}

/* With very many not all that are there are looked at, but those at both ends are: the first made
 * all of them, or each the next. */
static void test_very_many_threads(void **state)
{
	for (unsigned count = 2; count <= 2000; count *= 10) {
		assert_int_equal(replay_threads(count, true), count * 100);
		assert_int_equal(replay_threads(count, false), 200);
	}
}

/* ---- what holds for any run ---- */

static uint64_t random_state;

static uint64_t roll(uint64_t below)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (random_state >> 33) % below;
}

/* When a queue of one device ran what it was given, one after the other. */
static uint64_t device_end;

static void roll_command(uint64_t ns)
{
	struct tacho_recording *recording = scene_recording();
	const struct fake_recording *fake = (const struct fake_recording *)(void *)recording;
	const struct tacho_call *call = &fake->calls[fake->call_count - 1].call;
	struct tacho_command *command = (struct tacho_command *)(uintptr_t)call->command;
	uint64_t from = call->start_ns + 200 + roll(20 * US);

	command->start_ns = from > device_end ? from : device_end + roll(2 * US);
	command->end_ns = device_end = command->start_ns + ns;
}

static void roll_wait(void)
{
	struct tacho_recording *recording = scene_recording();
	const struct fake_recording *fake = (const struct fake_recording *)(void *)recording;
	const struct tacho_call *call = &fake->calls[fake->call_count - 1].call;
	uint64_t end = call->start_ns + 1 * US;

	end = device_end > end ? device_end : end;
	scene_take(end - call->start_ns + roll(30 * US));
}

static void roll_call(void)
{
	switch (roll(6)) {
	case 0:
	case 1:
		scene_launch(1 + roll(4096), 16, 0);
		roll_command(roll(300 * US));
		scene_take(500 + roll(20 * US));
		break;
	case 2:
		scene_call("clFinish", "CL_SUCCESS", "0x90", NULL);
		roll_wait();
		break;
	case 3:
		scene_write(roll(2) ? "CL_TRUE" : "CL_FALSE", roll(1 << 16), 0);
		roll_command(roll(50 * US));
		roll_wait();
		break;
	case 4:
		scene_read("CL_TRUE", roll(1 << 20), 0);
		roll_command(roll(50 * US));
		roll_wait();
		break;
	default:
		scene_call("clCreateBuffer", "0x60", "0x50", "0", "64", "NULL", "[CL_SUCCESS]",
			   NULL);
		scene_take(500 + roll(100 * US));
		scene_call("clReleaseMemObject", "CL_SUCCESS", "0x60", NULL);
	}
}

/* Between the first command and the end of the last, on the one device. */
static uint64_t idle_time(void)
{
	struct tacho_recording *recording = scene_recording();
	const struct fake_recording *fake = (const struct fake_recording *)(void *)recording;
	uint64_t idle = 0, last = 0;

	for (size_t i = 0; i < fake->call_count; i++) {
		const struct tacho_command *command = fake->calls[i].call.command;

		if (!command)
			continue;
		if (last && command->start_ns > last)
			idle += command->start_ns - last;
		last = command->end_ns;
	}
	return idle;
}

static void check_sums(uint64_t wall, uint64_t idle)
{
	struct tacho_findings *findings =
		scene_look(NULL, "tiny-launch-count", (uint64_t)10, "small-transfer-count",
			   (uint64_t)5, "churn-count", (uint64_t)5, "idle-ns", (uint64_t)1, NULL);
	const struct tacho_finding *finding;
	uint64_t high = 0, low = 0;

	for (size_t i = 0; (finding = tacho_findings_get(findings, i)); i++) {
		if (!finding->has_gain)
			continue;
		assert_true(finding->gain_low_ns <= finding->gain_high_ns);
		if (!strcmp(finding->rule->name, "redundant-sync") ||
		    !strcmp(finding->rule->name, "idle-device"))
			assert_true(finding->gain_high_ns <= idle);
		high += finding->gain_high_ns;
		low += finding->gain_low_ns;
	}
	assert_true(high <= wall);
	assert_true(low <= high);
	tacho_findings_destroy(findings);
}

static void test_sums(void **state)
{
	for (uint64_t seed = 1; seed <= 200; seed++) {
		random_state = seed;
		device_end = 0;
		scene_begin();
		for (int i = 0; i < 300; i++)
			roll_call();
		scene_call("clFinish", "CL_SUCCESS", "0x90", NULL);
		roll_wait();
		scene_run->end_ns = scene_run->start_ns + 1000 * MS;
		check_sums(1000 * MS, idle_time());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits_gain_idle_time),
		cmocka_unit_test(test_wait_gains_what_comes_behind_it),
		cmocka_unit_test(test_hidden_host_work_gains_nothing),
		cmocka_unit_test(test_partly_hidden_host_work),
		cmocka_unit_test(test_findings_share),
		cmocka_unit_test(test_events_hold_up),
		cmocka_unit_test(test_threads_make_a_range),
		cmocka_unit_test(test_threads_take_turns),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_very_many_threads),
		cmocka_unit_test(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
