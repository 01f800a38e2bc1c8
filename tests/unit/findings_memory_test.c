/* SPDX-License-Identifier: MIT */
/* Looking for findings while memory runs out at every place: an error, and nothing is left behind.
 */
#include "finding_scene.h"

#include "memory_faults.h"
#include "tacho/error.h"

static void look(void)
{
	struct tacho_findings *findings = NULL;
	struct tacho_findings_options options = {.size = sizeof(options)};
	int rc = tacho_findings_create(scene_recording(), &options, &findings);

	if (memory_settle(rc)) {
		assert_null(findings);
		return;
	}
	assert_true(tacho_findings_get_count(findings) >= 5);
	tacho_findings_destroy(findings);
}

/* Recorded, submitted and waited for. */
static void submit(void)
{
	scene_call("vkBeginCommandBuffer", "VK_SUCCESS", "0xB1", "0x1", NULL);
	for (int i = 0; i < 2; i++)
		scene_call("vkCmdBindPipeline", "", "0xB1", "1", "0x71", NULL);
	scene_call("vkCmdPipelineBarrier", "", "0xB1", "0", "0", "0", "0", "NULL", "0", "NULL", "0",
		   "NULL", NULL);
	scene_call("vkEndCommandBuffer", "VK_SUCCESS", "0xB1", NULL);
	scene_call("vkCmdDispatch", "", NULL)->call.is_bare = 1;
	scene_command(TACHO_COMMAND_KERNEL, &scene_second_queue, 100, MS)->kernel =
		&scene_kernel.object;
	scene_call("vkQueueSubmit", "VK_SUCCESS", "0x91", "1", "0x1", "NULL", NULL);
	scene_call("vkQueueWaitIdle", "VK_SUCCESS", "0x91", NULL);
	scene_take(2 * MS);
	scene_call("vkCreateComputePipelines", "VK_SUCCESS", "0x50", "NULL", "1", "0x1", "NULL",
		   "[0x71]", NULL);
	scene_take(2 * MS);
}

/* Something for every family. */
static void test_faults(void **state)
{
	scene_begin();
	scene_call("clCreateProgramWithSource", "0x65", "0x50", "1", "[0x1]", "NULL",
		   "[CL_SUCCESS]", NULL);
	scene_call("clBuildProgram", "CL_SUCCESS", "0x65", "0", "NULL", "\"\"", "NULL", "NULL",
		   NULL);
	scene_take(40 * MS);
	scene_call("clCreateKernel", "0x70", "0x65", "\"vadd\"", "[CL_SUCCESS]", NULL);
	scene_call("clSetKernelArg", "CL_INVALID_ARG_INDEX", "0x70", "9", "8", "0x1", NULL)
		->call.failed = 1;
	scene_write("CL_TRUE", 64, 1000);
	scene_take(20000);
	scene_launch(1024, 8, 4 * MS)->first_launch = 1;
	scene_finish(5 * MS);
	scene_call("clGetEventInfo", "CL_SUCCESS", "0x1E0", "CL_EVENT_COMMAND_EXECUTION_STATUS",
		   "4", "[CL_RUNNING]", "NULL", NULL)
		->call.repeats = 30;
	scene_take(30 * MS);
	scene_launch(3, 3, 4 * MS);
	for (int i = 0; i < 2; i++)
		submit();
	memory_fail_each(look, 30);
}

static int finish(void **state)
{
	memory_reset();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_faults, finish)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
