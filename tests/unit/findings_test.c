/* SPDX-License-Identifier: MIT */
/* Rules about calls: waits, references, failures, builds. Both sides of every condition. */
#include "finding_scene.h"

#include <stdio.h>
#include <string.h>

#include "tacho/error.h"

#define ONE UINT64_C(1)

/* ---- waits ---- */

static void test_redundant_sync(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_launch(1024, 64, 5000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000);
	scene_finish(9000);
	scene_launch(1024, 64, 5000);
	scene_finish(100000); /* nothing comes behind it: it is needed */
	findings = scene_look("redundant-sync", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 1);
	finding = tacho_findings_get(findings, 0);
	assert_string_equal(finding->subject, "clFinish");
	assert_int_equal(finding->count, 2);
	assert_int_equal(finding->has_cost, 1);
	assert_int_equal(finding->cost_ns, 16000);
	assert_int_equal(finding->rule->severity, TACHO_SEVERITY_WARNING);
	assert_int_equal(finding->example_count, 2);
	assert_int_equal(finding->examples[0].index, 3); /* the longer one first */
	assert_int_equal(finding->examples[0].cost_ns, 9000);
	assert_int_equal(finding->examples[1].index, 1);
	assert_int_equal(finding->examples[0].thread, 1);
	assert_string_equal(finding->examples[0].function, "clFinish");
	assert_ptr_equal(finding->examples[0].process, &scene_processes[0]);
	assert_null(tacho_findings_get(findings, 1));
	tacho_findings_destroy(findings);
}

static void test_needed_sync(void **state)
{
	/* The host reads what a command left. */
	scene_begin();
	scene_launch(1024, 64, 5000);
	scene_read("CL_FALSE", 64, 1000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);

	/* The memory of a write may be used again; with the threshold it counts. */
	scene_begin();
	scene_write("CL_FALSE", 64, 1000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);
	assert_int_equal(COUNT("redundant-sync", "sync-after-write", ONE), 1);

	/* Another queue goes on with what this one made. */
	scene_begin();
	scene_launch(1024, 64, 5000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000)->queue = &scene_second_queue.object;
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);

	/* Another thread goes on. */
	scene_begin();
	scene_launch(1024, 64, 5000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000);
	scene_call("clFlush", "CL_SUCCESS", "0x90", NULL)->call.thread = 2;
	assert_int_equal(COUNT("redundant-sync"), 1);
	scene_begin();
	scene_launch(1024, 64, 5000);
	scene_call("clFinish", "CL_SUCCESS", "0x90", NULL)->call.thread = 2;
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);

	/* The times of a command are read behind the wait. */
	scene_begin();
	scene_launch(1024, 64, 5000);
	scene_finish(7000);
	scene_call("clGetEventProfilingInfo", "CL_SUCCESS", "0x1", NULL);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);

	/* Memory that the host may touch at any time. */
	scene_begin();
	scene_call("clSVMAlloc", "0x5000", "0x50", "0", "64", "0", NULL);
	scene_launch(1024, 64, 5000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);
}

static void test_sync_needs_order(void **state)
{
	scene_begin();
	scene_queue.attributes[0].value = "0x3"; /* out of order */
	scene_launch(1024, 64, 5000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);

	/* Nobody knows: neither the driver nor the call that made the queue. */
	scene_queue.attributes[0].key = NULL;
	assert_int_equal(COUNT("redundant-sync"), 0);

	scene_begin();
	scene_queue.attributes[0].key = NULL;
	scene_call("clCreateCommandQueue", "0x90", "0x50", "0xD0", "0", "[CL_SUCCESS]", NULL);
	scene_launch(1024, 64, 5000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 1);

	scene_begin();
	scene_queue.attributes[0].key = NULL;
	scene_call("clCreateCommandQueueWithProperties", "0x90", "0x50", "0xD0",
		   "[CL_QUEUE_PROPERTIES,0x3,0]", "[CL_SUCCESS]", NULL);
	scene_launch(1024, 64, 5000);
	scene_finish(7000);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);
}

static void launch_with_event(const char *queue, const char *event, struct fake_object *on)
{
	struct tacho_command *command;

	scene_call("clEnqueueNDRangeKernel", "CL_SUCCESS", queue, "0x70", "1", "NULL", "[1]",
		   "NULL", "0", "NULL", event, NULL);
	command = scene_command(TACHO_COMMAND_KERNEL, on, 400, 1000);
	command->kernel = &scene_kernel.object;
}

static void test_wait_for_events(void **state)
{
	scene_begin();
	launch_with_event("0x90", "[0x1E0]", &scene_queue);
	scene_call("clWaitForEvents", "CL_SUCCESS", "1", "[0x1E0]", NULL);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 1);

	/* Events of two queues. */
	scene_begin();
	launch_with_event("0x90", "[0x1E0]", &scene_queue);
	launch_with_event("0x91", "[0x1E1]", &scene_second_queue);
	scene_call("clWaitForEvents", "CL_SUCCESS", "2", "[0x1E0,0x1E1]", NULL);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);

	/* An event that no command made. */
	scene_begin();
	launch_with_event("0x90", "[0x1E0]", &scene_queue);
	scene_call("clCreateUserEvent", "0x1E5", "0x50", "[CL_SUCCESS]", NULL);
	scene_call("clWaitForEvents", "CL_SUCCESS", "2", "[0x1E0,0x1E5]", NULL);
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);

	/* A wait that failed has not waited. */
	scene_begin();
	launch_with_event("0x90", "[0x1E0]", &scene_queue);
	scene_call("clWaitForEvents", "CL_INVALID_VALUE", "1", "[0x1E0]", NULL)->call.failed = 1;
	scene_launch(1024, 64, 5000);
	assert_int_equal(COUNT("redundant-sync"), 0);
}

static void test_blocking_write(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_write("CL_TRUE", 4096, 1000);
	scene_take(20000);
	scene_write("CL_FALSE", 4096, 1000);
	scene_read("CL_TRUE", 4096, 1000);
	findings = scene_look("blocking-write", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_non_null(finding);
	assert_int_equal(finding->count, 1);
	assert_int_equal(finding->cost_ns, 20000);
	assert_string_equal(finding->examples[0].text, "4096 bytes");
	tacho_findings_destroy(findings);
	/* What is at stake is a threshold of its own. */
	assert_int_equal(COUNT("blocking-write", "min-cost-ns", (uint64_t)20000), 1);
	assert_int_equal(COUNT("blocking-write", "min-cost-ns", (uint64_t)20001), 0);

	scene_queue.attributes[0].value = "0x1";
	assert_int_equal(COUNT("blocking-write"), 0);
}

/* Functions that take a fifth of the run, which is 100 ms here, and more than they wait. */
static void test_api_time(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 25; i++) {
		scene_call("clGetDeviceInfo", "CL_SUCCESS", "0xD0", NULL);
		scene_take(MS);
	}
	findings = scene_look("api-time", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 1);
	finding = tacho_findings_get(findings, 0);
	assert_string_equal(finding->subject, "clGetDeviceInfo");
	assert_int_equal(finding->count, 25);
	assert_int_equal(finding->cost_ns, 25 * MS);
	assert_int_equal(finding->gain_low_ns,
			 0); /* how much of it can go is the program's secret */
	assert_int_equal(finding->gain_high_ns, 25 * MS);
	assert_non_null(strstr(finding->message, "25.0 ms in 25 calls, 25.0%"));
	tacho_findings_destroy(findings);

	/* The twin: less than a fifth, until less is enough. */
	scene_begin();
	for (int i = 0; i < 19; i++) {
		scene_call("clGetDeviceInfo", "CL_SUCCESS", "0xD0", NULL);
		scene_take(MS);
	}
	assert_int_equal(COUNT("api-time"), 0);
	assert_int_equal(COUNT("api-time", "api-share", (uint64_t)10), 19);

	/* What it waits for would hold the thread up all the same. */
	scene_begin();
	scene_launch(1024, 64, 30 * MS);
	scene_finish(30 * MS);
	assert_int_equal(COUNT("api-time"), 0);

	/* Nobody knows how long the run was. */
	scene_begin();
	scene_run->end_ns = 0;
	scene_call("clGetDeviceInfo", "CL_SUCCESS", "0xD0", NULL);
	scene_take(50 * MS);
	assert_int_equal(COUNT("api-time"), 0);
}

/* ---- references ---- */

static void test_leaks(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_call("clCreateBuffer", "0x60", "0x50", "CL_MEM_READ_ONLY", "64", "NULL",
		   "[CL_SUCCESS]", NULL);
	scene_call("clRetainMemObject", "CL_SUCCESS", "0x60", NULL);
	scene_call("clReleaseMemObject", "CL_SUCCESS", "0x60", NULL);
	scene_call("clCreateBuffer", "0x61", "0x50", "CL_MEM_READ_ONLY", "64", "NULL",
		   "[CL_SUCCESS]", NULL);
	scene_call("clRetainMemObject", "CL_SUCCESS", "0x61", NULL);
	findings = scene_look("leaked-object", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 1);
	finding = tacho_findings_get(findings, 0);
	assert_string_equal(finding->subject, "memory object of clCreateBuffer");
	assert_int_equal(finding->count, 2);
	assert_int_equal(finding->has_cost, 0);
	assert_string_equal(finding->examples[0].text, "handle 0x60, 1 reference");
	assert_int_equal(finding->examples[0].index, 0);
	assert_string_equal(finding->examples[1].text, "handle 0x61, 2 references");
	assert_int_equal(finding->examples[1].index, 3);
	assert_string_equal(finding->message,
			    "2 memory objects made by clCreateBuffer are still referenced at the "
			    "end, 3 references in all.");
	tacho_findings_destroy(findings);

	scene_call("clReleaseMemObject", "CL_SUCCESS", "0x60", NULL);
	scene_call("clReleaseMemObject", "CL_SUCCESS", "0x61", NULL);
	assert_int_equal(COUNT("leaked-object"), 1);
	scene_call("clReleaseMemObject", "CL_INVALID_VALUE", "0x61", NULL)->call.failed = 1;
	assert_int_equal(COUNT("leaked-object"), 1);
	scene_call("clReleaseMemObject", "CL_SUCCESS", "0x61", NULL);
	assert_int_equal(COUNT("leaked-object"), 0);
}

/* Copies for other queues are command buffers of their own. */
static void test_leaked_command_buffers(void **state)
{
	struct tacho_findings *findings;

	scene_begin();
	scene_call("clCreateCommandBufferKHR", "0x60", "1", "[0x90]", "NULL", "NULL", NULL);
	scene_call("clRemapCommandBufferKHR", "0x61", "0x60", "0", "1", "[0x91]", "0", "NULL",
		   "NULL", "NULL", NULL);
	scene_call("clRetainCommandBufferKHR", "CL_SUCCESS", "0x60", NULL);
	scene_call("clReleaseCommandBufferKHR", "CL_SUCCESS", "0x60", NULL);
	scene_call("clReleaseCommandBufferKHR", "CL_SUCCESS", "0x61", NULL);
	findings = scene_look("leaked-object", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 1);
	assert_string_equal(tacho_findings_get(findings, 0)->subject,
			    "command buffer of clCreateCommandBufferKHR");
	tacho_findings_destroy(findings);
	scene_call("clReleaseCommandBufferKHR", "CL_SUCCESS", "0x60", NULL);
	assert_int_equal(COUNT("leaked-object"), 0);
}

static void test_leaked_events(void **state)
{
	struct tacho_findings *findings;

	scene_begin();
	launch_with_event("0x90", "[0x1E0]", &scene_queue);
	launch_with_event("0x90", "NULL", &scene_queue);
	scene_call("clEnqueueNDRangeKernel", "CL_INVALID_KERNEL", "0x90", "0x70", "1", "NULL",
		   "[1]", "NULL", "0", "NULL", "0x7FFE1000", NULL)
		->call.failed = 1;
	findings = scene_look("leaked-object", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 1);
	assert_string_equal(tacho_findings_get(findings, 0)->subject,
			    "event of clEnqueueNDRangeKernel");
	assert_int_equal(tacho_findings_get(findings, 0)->count, 1);
	tacho_findings_destroy(findings);
	scene_call("clReleaseEvent", "CL_SUCCESS", "0x1E0", NULL);
	assert_int_equal(COUNT("leaked-object"), 0);

	/* All kernels of a program at once. */
	scene_begin();
	scene_call("clCreateKernelsInProgram", "CL_SUCCESS", "0x65", "2", "[0x71,0x72]", "[2]",
		   NULL);
	scene_call("clReleaseKernel", "CL_SUCCESS", "0x71", NULL);
	assert_int_equal(COUNT("leaked-object"), 1);
	scene_call("clReleaseKernel", "CL_SUCCESS", "0x72", NULL);
	assert_int_equal(COUNT("leaked-object"), 0);
}

static void test_leaks_unknown(void **state)
{
	struct tacho_findings *findings;

	scene_begin();
	scene_call("clCreateContext", "0x50", "NULL", "1", "[0xD0]", "NULL", "NULL", "[CL_SUCCESS]",
		   NULL);
	assert_int_equal(COUNT("leaked-object"), 1);
	/* A program that was killed could not release anything. */
	scene_run->exit_status = 137;
	findings = scene_look("leaked-object", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 0);
	assert_non_null(strstr(tacho_findings_get_note(findings, 0), "ended by a signal"));
	assert_null(tacho_findings_get_note(findings, 1));
	tacho_findings_destroy(findings);
	/* Nor is it known of one that still runs. */
	scene_run->exit_status = -1;
	assert_int_equal(COUNT("leaked-object"), 0);
	/* Session files do not tell how a program ended: it ended well. */
	scene_run->via = "";
	assert_int_equal(COUNT("leaked-object"), 1);
	/* They may leave out the very functions that release. */
	scene_run->import_note = "Calls of these were not recorded: clReleaseEvent.";
	assert_int_equal(COUNT("leaked-object"), 1);
	scene_run->import_note = "Calls of these were not recorded: clReleaseContext.";
	assert_int_equal(COUNT("leaked-object"), 0);
	scene_run->import_note = NULL;
	/* The release may be among the calls that were lost. */
	scene_run->exit_status = 0;
	scene_processes[0].losses.no_window = 1;
	findings = scene_look("leaked-object", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 0);
	assert_non_null(strstr(tacho_findings_get_note(findings, 0), "were not recorded"));
	tacho_findings_destroy(findings);
	/* The same handle in another process is another thing. */
	scene_begin();
	scene_call("clCreateContext", "0x50", "NULL", "1", "[0xD0]", "NULL", "NULL", "[CL_SUCCESS]",
		   NULL);
	scene_call("clReleaseContext", "CL_SUCCESS", "0x50", NULL)->call.process =
		&scene_processes[1];
	assert_int_equal(COUNT("leaked-object"), 1);
}

/* ---- failures ---- */

static void test_failures(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_call("clCreateBuffer", "NULL", "0x50", "0", "0", "NULL", "[CL_INVALID_BUFFER_SIZE]",
		   NULL)
		->call.failed = 1;
	scene_call("clSetKernelArg", "CL_INVALID_ARG_INDEX", "0x70", "9", "8", "0x1", NULL)
		->call.failed = 1;
	scene_call("clSetKernelArg", "CL_INVALID_ARG_INDEX", "0x70", "9", "8", "0x1", NULL)
		->call.failed = 1;
	scene_call("clGetDeviceInfo", "CL_INVALID_VALUE", "0xD0", "0x1", NULL)->call.failed = 1;
	scene_call("clSetKernelArg", "CL_SUCCESS", "0x70", "0", "8", "0x1", NULL);
	findings = scene_look(NULL, NULL);
	assert_int_equal(tacho_findings_get_count(findings), 3);
	finding = tacho_findings_get(findings, 0); /* the more frequent one */
	assert_string_equal(finding->subject, "clSetKernelArg with CL_INVALID_ARG_INDEX");
	assert_int_equal(finding->count, 2);
	assert_int_equal(finding->rule->severity, TACHO_SEVERITY_ERROR);
	assert_string_equal(finding->message,
			    "clSetKernelArg with CL_INVALID_ARG_INDEX failed 2 times.");
	assert_string_equal(tacho_findings_get(findings, 1)->subject,
			    "clCreateBuffer with CL_INVALID_BUFFER_SIZE");
	finding = tacho_findings_get(findings, 2); /* programs may ask for anything */
	assert_string_equal(finding->rule->name, "failed-query");
	assert_int_equal(finding->rule->severity, TACHO_SEVERITY_ADVICE);
	tacho_findings_destroy(findings);
}

static void test_deprecated(void **state)
{
	struct tacho_findings *findings;

	scene_begin();
	scene_call("clEnqueueBarrier", "CL_SUCCESS", "0x90", NULL);
	scene_call("clCreateSampler", "0x80", "0x50", NULL);
	scene_call("clReleaseSampler", "CL_SUCCESS", "0x80", NULL);
	scene_launch(1024, 64, 5000);
	findings = scene_look("deprecated-function", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 2);
	assert_string_equal(tacho_findings_get(findings, 0)->message,
			    "clCreateSampler was called 1 time; OpenCL 2.0 deprecated it: call "
			    "clCreateSamplerWithProperties.");
	tacho_findings_destroy(findings);
	/* For a device of 1.2 there is no other sampler. */
	scene_gpu.attributes[2].value = "OpenCL 1.2 test";
	findings = scene_look("deprecated-function", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 1);
	assert_string_equal(tacho_findings_get(findings, 0)->subject, "clEnqueueBarrier");
	tacho_findings_destroy(findings);
}

/* ---- builds ---- */

static void build(const char *program, uint64_t ns)
{
	scene_call("clCreateProgramWithSource", program, "0x50", "1", "[0x1]", "NULL",
		   "[CL_SUCCESS]", NULL);
	scene_call("clBuildProgram", "CL_SUCCESS", program, "0", "NULL", "\"\"", "NULL", "NULL",
		   NULL);
	scene_take(ns);
	scene_call("clCreateKernel", "0x70", program, "\"vadd\"", "[CL_SUCCESS]", NULL);
	scene_call("clCreateKernel", "0x71", program, "\"other\"", "[CL_SUCCESS]", NULL);
}

static void test_builds(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	build("0x65", 5 * MS);
	build("0x66", 6 * MS);
	assert_int_equal(COUNT("repeated-build"), 0);
	build("0x67", 7 * MS);
	findings = scene_look("repeated-build", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 1);
	finding = tacho_findings_get(findings, 0);
	assert_string_equal(finding->subject, "programs with kernel \"vadd\"");
	assert_int_equal(finding->count, 2);
	assert_int_equal(finding->cost_ns, 13 * MS); /* all but the first */
	assert_string_equal(finding->examples[0].function, "clBuildProgram");
	assert_int_equal(finding->examples[0].index, 9);
	tacho_findings_destroy(findings);
	assert_int_equal(COUNT("repeated-build", "repeated-builds", (uint64_t)4), 0);

	/* 18 ms of 100 ms. */
	assert_int_equal(COUNT("build-time"), 0);
	assert_int_equal(COUNT("build-time", "build-share", (uint64_t)18), 3);
	assert_int_equal(COUNT("build-time", "build-share", (uint64_t)19), 0);

	/* The same program built thrice. */
	scene_begin();
	build("0x65", 5 * MS);
	for (int i = 0; i < 2; i++)
		scene_call("clBuildProgram", "CL_SUCCESS", "0x65", "0", "NULL", "\"\"", "NULL",
			   "NULL", NULL);
	assert_int_equal(COUNT("repeated-build"), 2);
}

static void test_churn(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 101; i++) {
		scene_call("clCreateBuffer", "0x60", "0x50", "0", "64", "NULL", "[CL_SUCCESS]",
			   NULL);
		scene_take(50 * US);
		scene_call("clReleaseMemObject", "CL_SUCCESS", "0x60", NULL);
	}
	findings = scene_look(NULL, NULL);
	finding = scene_find(findings, "object-churn");
	assert_int_equal(finding->count, 100);			       /* all but the first */
	assert_int_equal(finding->cost_ns, 100 * 50 * US + 100 * 500); /* and its release */
	assert_int_equal(finding->gain_low_ns, finding->cost_ns);
	assert_int_equal(finding->gain_high_ns, finding->cost_ns);
	tacho_findings_destroy(findings);
	assert_int_equal(COUNT("object-churn", "churn-count", (uint64_t)101), 0);
	assert_int_equal(COUNT("leaked-object"), 0);

	/* As many that all live at once. */
	scene_begin();
	for (int i = 0; i < 101; i++) {
		static char handles[101][16];

		snprintf(handles[i], sizeof(handles[i]), "0x%x", 0x1000 + i);
		scene_call("clCreateBuffer", handles[i], "0x50", "0", "64", "NULL", "[CL_SUCCESS]",
			   NULL);
	}
	assert_int_equal(COUNT("object-churn"), 0);
}

/* ---- the whole ---- */

static void test_options(void **state)
{
	const char *const wrong = "no-such-rule";
	const struct tacho_threshold_setting setting = {"no-such-threshold", 1};
	struct tacho_findings_options options = {.size = sizeof(options)};
	struct tacho_findings *findings = NULL;
	struct fake_recording empty = {.processes = scene_processes};

	empty.run = *scene_run;
	assert_int_equal(tacho_findings_create(fake_recording(&empty), NULL, &findings), 0);
	assert_int_equal(tacho_findings_get_count(findings), 0);
	assert_null(tacho_findings_get(findings, 0));
	assert_null(tacho_findings_get_note(findings, 0));
	tacho_findings_destroy(findings);
	tacho_findings_destroy(NULL);
	findings = NULL;
	options.rules = &wrong;
	options.rule_count = 1;
	assert_int_equal(tacho_findings_create(fake_recording(&empty), &options, &findings),
			 TACHO_E_NOTFOUND);
	options.rule_count = 0;
	options.settings = &setting;
	options.setting_count = 1;
	assert_int_equal(tacho_findings_create(fake_recording(&empty), &options, &findings),
			 TACHO_E_NOTFOUND);
	assert_int_equal(tacho_findings_create(NULL, NULL, &findings), TACHO_E_INVAL);
	options.size = 1;
	assert_int_equal(tacho_findings_create(fake_recording(&empty), &options, &findings),
			 TACHO_E_INVAL);
	assert_null(findings);
	assert_null(tacho_rule_get(1000));
	assert_null(tacho_threshold_get(1000));
	assert_string_equal(tacho_severity_to_string(TACHO_SEVERITY_WARNING), "warning");
	assert_string_equal(tacho_severity_to_string((enum tacho_severity)77), "unknown");
	for (size_t i = 0; tacho_rule_get(i); i++) {
		const struct tacho_rule *rule = tacho_rule_get(i);

		assert_true(*rule->name && *rule->summary && *rule->cure && rule->codexl);
		assert_true(rule->severity >= TACHO_SEVERITY_ADVICE);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(tacho_rule_get(k)->name, rule->name);
	}
	for (size_t i = 0; tacho_threshold_get(i); i++)
		assert_true(*tacho_threshold_get(i)->name && *tacho_threshold_get(i)->unit);
}

/* All cases are counted, few are kept. */
static void test_examples(void **state)
{
	struct tacho_findings_options options = {.size = sizeof(options), .examples = 100};
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (unsigned i = 0; i < 40; i++) {
		scene_write("CL_TRUE", 64, 100);
		scene_take(1000 + i * 10);
	}
	findings = scene_look("blocking-write", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_int_equal(finding->count, 40);
	assert_int_equal(finding->example_count, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(finding->examples[i].index, 39 - i);
	/* 40 times 1000, and 10 times 0 to 39 */
	assert_int_equal(finding->cost_ns, 40000 + 10 * 780);
	tacho_findings_destroy(findings);
	(void)options;
}

/* A program that does all as it should. */
static void test_tidy(void **state)
{
	struct tacho_findings *findings;

	scene_begin();
	scene_call("clCreateContext", "0x50", "NULL", "1", "[0xD0]", "NULL", "NULL", "[CL_SUCCESS]",
		   NULL);
	scene_call("clCreateCommandQueueWithProperties", "0x90", "0x50", "0xD0", "NULL",
		   "[CL_SUCCESS]", NULL);
	scene_call("clCreateBuffer", "0x60", "0x50", "CL_MEM_READ_WRITE", "65536", "NULL",
		   "[CL_SUCCESS]", NULL);
	build("0x65", 2 * MS);
	scene_write("CL_FALSE", 65536, 20000);
	scene_launch(65536, 64, 400000)->first_launch = 1;
	for (int i = 0; i < 9; i++)
		scene_launch(65536, 64, 400000);
	scene_read("CL_TRUE", 65536, 20000);
	scene_take(4 * MS);
	scene_call("clReleaseKernel", "CL_SUCCESS", "0x70", NULL);
	scene_call("clReleaseKernel", "CL_SUCCESS", "0x71", NULL);
	scene_call("clReleaseProgram", "CL_SUCCESS", "0x65", NULL);
	scene_call("clReleaseMemObject", "CL_SUCCESS", "0x60", NULL);
	scene_call("clReleaseCommandQueue", "CL_SUCCESS", "0x90", NULL);
	scene_call("clReleaseContext", "CL_SUCCESS", "0x50", NULL);
	findings = scene_look(NULL, NULL);
	for (size_t i = 0; i < tacho_findings_get_count(findings); i++)
		print_message("%s\n", tacho_findings_get(findings, i)->message);
	assert_int_equal(tacho_findings_get_count(findings), 0);
	assert_null(tacho_findings_get_note(findings, 0));
	tacho_findings_destroy(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_redundant_sync),
		cmocka_unit_test(test_needed_sync),
		cmocka_unit_test(test_sync_needs_order),
		cmocka_unit_test(test_wait_for_events),
		cmocka_unit_test(test_blocking_write),
		cmocka_unit_test(test_leaks),
		cmocka_unit_test(test_leaked_command_buffers),
		cmocka_unit_test(test_leaked_events),
		cmocka_unit_test(test_leaks_unknown),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_deprecated),
		cmocka_unit_test(test_builds),
		cmocka_unit_test(test_churn),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_api_time),
		cmocka_unit_test(test_tidy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
