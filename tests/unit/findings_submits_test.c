/* SPDX-License-Identifier: MIT */
/* Rules about work that is recorded first and submitted later. Both sides of every condition. */
#include "finding_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/roles.h"
#include "base/arena.h"
#include "base/yaml.h"
#include "tacho/error.h"

#define ONE UINT64_C(1)

/* A command of the submit that comes next: it is given now and begins `after_ns` later. */
static struct tacho_command *row(const char *function, enum tacho_command_kind kind,
				 uint64_t after_ns, uint64_t ns)
{
	struct fake_call *call = scene_call(function, "", NULL);
	struct tacho_command *command = scene_command(kind, &scene_queue, after_ns, ns);

	command->not_before_ns = call->call.start_ns;
	command->not_after_ns = UINT64_MAX;
	call->call.is_bare = 1;
	call->call.start_ns = call->call.end_ns = command->start_ns;
	return command;
}

static void dispatch(uint64_t ns)
{
	row("vkCmdDispatch", TACHO_COMMAND_KERNEL, 100, ns)->kernel = &scene_kernel.object;
}

static void submit(const char *fence, uint64_t ns)
{
	scene_call("vkQueueSubmit", "VK_SUCCESS", "0x90", "1", "0x1", fence, NULL);
	scene_take(ns);
}

static void make_fence(const char *fence)
{
	scene_call("vkCreateFence", "VK_SUCCESS", "0x50", "0x1", "NULL", fence, NULL);
}

static struct fake_call *wait_for(const char *result, const char *fences, const char *all,
				  uint64_t ns)
{
	struct fake_call *call =
		scene_call("vkWaitForFences", result, "0x50", "1", fences, all, "1", NULL);

	scene_take(ns);
	return call;
}

/* The thread does something else. */
static void work(uint64_t ns)
{
	scene_call("vkGetDeviceQueue", "", "0x50", "0", "0", "[0x90]", NULL);
	scene_take(ns);
}

/* ---- queues without work ---- */

static void test_drained_queue(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	make_fence("[0xF1]");
	for (int i = 0; i < 4; i++) {
		dispatch(MS);
		submit("0xF1", 1000);
		wait_for("VK_SUCCESS", "[0xF1]", "VK_TRUE", MS + 2000);
		work(2 * MS);
	}
	findings = scene_look(NULL, NULL);
	finding = scene_find(findings, "drained-queue");
	assert_non_null(finding);
	assert_string_equal(finding->subject, "vkWaitForFences");
	assert_int_equal(finding->count, 3); /* nothing comes behind the last */
	assert_in_range(finding->cost_ns, 6 * MS, 6 * MS + 10 * US);
	assert_int_equal(finding->gain_low_ns, 0);
	/* While the host works for 2 ms the device could have worked for one: three times. */
	assert_in_range(finding->gain_high_ns, 3 * MS - 100 * US, 3 * MS + 100 * US);
	tacho_findings_destroy(findings);
}

static void test_queue_with_work(void **state)
{
	/* The wait is for the submit before the last. */
	scene_begin();
	make_fence("[0xF1]");
	make_fence("[0xF2]");
	for (int i = 0; i < 4; i++) {
		dispatch(MS);
		submit(i % 2 ? "0xF2" : "0xF1", 1000);
		if (i)
			wait_for("VK_SUCCESS", i % 2 ? "[0xF1]" : "[0xF2]", "VK_TRUE", 1000);
		work(2 * MS);
	}
	assert_int_equal(COUNT("drained-queue"), 0);

	/* It gave up. */
	scene_begin();
	make_fence("[0xF1]");
	dispatch(MS);
	submit("0xF1", 1000);
	wait_for("VK_TIMEOUT", "[0xF1]", "VK_TRUE", 1000);
	work(2 * MS);
	dispatch(MS);
	submit("NULL", 1000);
	assert_int_equal(COUNT("drained-queue"), 0);

	/* Any of several fences. */
	scene_begin();
	make_fence("[0xF1]");
	dispatch(MS);
	submit("0xF1", 1000);
	wait_for("VK_SUCCESS", "[0xF1,0xF3]", "VK_FALSE", 2 * MS);
	work(2 * MS);
	dispatch(MS);
	submit("NULL", 1000);
	assert_int_equal(COUNT("drained-queue"), 0);

	/* What comes next was ready, or another thread submits it. */
	for (uint32_t thread = 1; thread <= 2; thread++) {
		scene_begin();
		dispatch(MS);
		submit("NULL", 1000);
		scene_call("vkQueueWaitIdle", "VK_SUCCESS", "0x90", NULL);
		scene_take(2 * MS);
		work(thread == 1 ? 1000 : 2 * MS);
		dispatch(MS);
		scene_call("vkQueueSubmit", "VK_SUCCESS", "0x90", "1", "0x1", "NULL", NULL)
			->call.thread = thread;
		assert_int_equal(COUNT("drained-queue"), 0);
	}
}

static void test_other_waits(void **state)
{
	static const char *const functions[] = {"vkQueueWaitIdle", "vkDeviceWaitIdle"};

	for (int i = 0; i < 2; i++) {
		scene_begin();
		dispatch(MS);
		submit("NULL", 1000);
		scene_call(functions[i], "VK_SUCCESS", i ? "0x50" : "0x90", NULL);
		scene_take(2 * MS);
		work(2 * MS);
		dispatch(MS);
		submit("NULL", 1000);
		assert_int_equal(COUNT("drained-queue"), 1);
	}

	/* A loop of questions; work that nobody has submitted yet is not waited for. */
	scene_begin();
	make_fence("[0xF1]");
	dispatch(MS);
	submit("0xF1", 1000);
	for (int i = 0; i < 40; i++)
		scene_call("vkGetFenceStatus", i < 39 ? "VK_NOT_READY" : "VK_SUCCESS", "0x50",
			   "0xF1", NULL);
	work(2 * MS);
	dispatch(MS);
	submit("NULL", 1000);
	assert_int_equal(COUNT("busy-wait"), 1);
	assert_int_equal(COUNT("drained-queue"), 1);
}

/* Of another device nothing was submitted yet, whatever its queue's handle is. */
static void test_next_device(void **state)
{
	for (int is_gone = 0; is_gone < 2; is_gone++) {
		scene_begin();
		dispatch(MS);
		submit("NULL", 1000);
		scene_call("vkQueueWaitIdle", "VK_SUCCESS", "0x90", NULL);
		scene_take(2 * MS);
		if (is_gone)
			scene_call("vkDestroyDevice", "", "0x50", "NULL", NULL);
		scene_call("vkCreateComputePipelines", "VK_SUCCESS", "0x50", "NULL", "1", "0x1",
			   "NULL", "[0x71]", NULL);
		scene_take(5 * MS);
		dispatch(MS);
		submit("NULL", 1000);
		assert_int_equal(COUNT("drained-queue"), !is_gone);
		assert_int_equal(COUNT("late-build"), !is_gone);
	}
}

/* Between commands of one submit the device is not idle for want of work. */
static void test_gap_within_submit(void **state)
{
	for (int submits = 1; submits <= 2; submits++) {
		scene_begin();
		for (int i = 0; i < 40; i++) {
			row("vkCmdFillBuffer", TACHO_COMMAND_FILL,
			    1000 + (submits == 1 ? (uint64_t)i * MS : 0), 100 * US);
			if (submits == 2)
				submit("NULL", 1000 * US);
		}
		submit("NULL", 1000);
		assert_int_equal(COUNT("idle-device") != 0, submits == 2);
	}
}

/* ---- submits ---- */

static uint64_t count_tiny(int submits, uint64_t host_ns, uint64_t device_ns)
{
	scene_begin();
	for (int i = 0; i < submits; i++) {
		dispatch(device_ns);
		submit("NULL", host_ns);
	}
	return COUNT("tiny-submits");
}

static void test_tiny_submits(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	assert_int_equal(count_tiny(100, 20000, 5000), 100);
	assert_int_equal(count_tiny(99, 20000, 5000), 0);
	assert_int_equal(count_tiny(100, 5000, 20000), 0);

	findings = scene_look("tiny-submits", "tiny-submit-count", ONE * 50, NULL);
	assert_int_equal(tacho_findings_get_count(findings), 0);
	tacho_findings_destroy(findings);

	count_tiny(100, 20000, 5000);
	findings = scene_look("tiny-submits", NULL);
	finding = scene_find(findings, "tiny-submits");
	assert_non_null(strstr(finding->message, "100 submits took the host 20.0 us each"));
	assert_int_equal(finding->cost_ns, 100 * 15000);
	assert_int_equal(finding->gain_low_ns, 0);
	assert_in_range(finding->gain_high_ns, 95 * 20000, 100 * 21000);
	tacho_findings_destroy(findings);

	/* A command without times may have taken long. */
	scene_begin();
	for (int i = 0; i < 100; i++) {
		dispatch(5000);
		row("vkCmdDraw", TACHO_COMMAND_KERNEL, 100, 0)->state = TACHO_STATE_ABSENT;
		submit("NULL", 20000);
	}
	assert_int_equal(COUNT("tiny-submits"), 0);
}

static void test_small_copies(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 200; i++) {
		struct tacho_command *copy = row("vkCmdCopyBuffer", TACHO_COMMAND_COPY, 100, 10000);

		copy->has_bytes = 1;
		copy->bytes = i < 100 ? 64 : 1 << 20;
	}
	submit("NULL", 1000);
	findings = scene_look("small-transfers", NULL);
	finding = scene_find(findings, "small-transfers");
	assert_int_equal(finding->count, 100);
	assert_int_equal(finding->cost_ns, 100 * 10000);
	assert_non_null(strstr(finding->message, "held the device for 1.00 ms"));
	assert_int_equal(finding->gain_low_ns, 0); /* taking times was a part of it */
	tacho_findings_destroy(findings);
}

/* Copies of 10 us with so much between them, in which their times are taken. */
static struct tacho_findings *look_at_copies(uint64_t between_ns)
{
	scene_begin();
	for (uint64_t i = 0; i < 200; i++) {
		/* Each call of the scene begins 1 us behind the one before. */
		struct tacho_command *copy = row("vkCmdCopyBuffer", TACHO_COMMAND_COPY,
						 i * (10000 + between_ns - 1000), 10000);

		copy->has_bytes = 1;
		copy->bytes = 64;
	}
	submit("NULL", 1000);
	scene_call("vkQueueWaitIdle", "VK_SUCCESS", "0x90", NULL);
	scene_take(200 * (10000 + between_ns));
	return scene_look("small-transfers", "min-cost-ns", (uint64_t)0, NULL);
}

/* A copy that was held up by others, as one between two is elsewhere, does not decide. */
static void test_copy_held_up(void **state)
{
	struct tacho_findings *findings;

	scene_begin();
	for (uint64_t i = 0, at = 0; i < 200; i++) {
		uint64_t ns = i == 100 ? 5 * MS : 10000;
		struct tacho_command *copy =
			row("vkCmdCopyBuffer", TACHO_COMMAND_COPY, at - i * 1000, ns);

		at += ns + 10000;
		copy->has_bytes = 1;
		copy->bytes = 64;
	}
	submit("NULL", 1000);
	findings = scene_look("small-transfers", "min-cost-ns", (uint64_t)0, NULL);
	assert_in_range(scene_find(findings, "small-transfers")->cost_ns, 0, 40000);
	tacho_findings_destroy(findings);
}

/* What lies between commands of a submit is what taking times costs: it is in their times, too. */
static void test_cost_of_times(void **state)
{
	struct tacho_findings *findings = look_at_copies(2000);
	const struct tacho_finding *finding = scene_find(findings, "small-transfers");

	assert_non_null(finding);
	assert_int_equal(finding->cost_ns, 200 * 8000);
	assert_int_equal(finding->gain_low_ns, 0);
	assert_in_range(finding->gain_high_ns, 190 * 8000, 200 * 8000);
	assert_int_equal(finding->is_remark, 0);
	assert_non_null(strstr(finding->message, "besides what taking their times took"));
	tacho_findings_destroy(findings);

	/* Nothing is left: that is a remark. */
	findings = look_at_copies(10000);
	finding = scene_find(findings, "small-transfers");
	assert_non_null(finding);
	assert_int_equal(finding->count, 200);
	assert_int_equal(finding->has_cost, 1);
	assert_int_equal(finding->cost_ns, 0);
	assert_int_equal(finding->has_gain, 1);
	assert_int_equal(finding->gain_high_ns, 0);
	assert_int_equal(finding->is_remark, 1);
	tacho_findings_destroy(findings);
}

/* ---- pipelines ---- */

static void make_pipeline(const char *cache, const char *handle)
{
	scene_call("vkCreateComputePipelines", "VK_SUCCESS", "0x50", cache, "1", "0x1", "NULL",
		   handle, NULL);
	scene_take(5 * MS);
}

static void test_late_build(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	make_pipeline("NULL", "[0x71]");
	dispatch(MS);
	assert_int_equal(COUNT("late-build"), 0);
	submit("NULL", 1000);
	assert_int_equal(COUNT("late-build"), 0);
	make_pipeline("NULL", "[0x72]");
	make_pipeline("0xC1", "[0x73]");
	dispatch(MS);
	submit("NULL", 1000);
	findings = scene_look("late-build", NULL);
	finding = scene_find(findings, "late-build");
	assert_int_equal(finding->count, 2);
	assert_int_equal(finding->cost_ns, 10 * MS);
	assert_in_range(finding->gain_high_ns, 9 * MS, 10 * MS);
	assert_non_null(strstr(finding->message, "took 10.0 ms, 1 times without a cache."));
	tacho_findings_destroy(findings);
}

/* Frames of 10 ms but for the first, of 90, and the third, of 35; pipelines in these and one more.
 */
static void test_late_build_in_frames(void **state)
{
	enum { FRAMES = 6 };
	static struct tacho_named_range frames[FRAMES];
	static const struct tacho_named_range *in[FRAMES];
	static struct fake_range ends[FRAMES];
	static const uint64_t durations[FRAMES] = {90 * MS, 10 * MS, 35 * MS,
						   10 * MS, 12 * MS, 80 * MS};
	struct fake_recording *recording;
	struct tacho_findings *findings;
	const char *message;

	scene_begin();
	recording = (struct fake_recording *)(void *)scene_recording();
	dispatch(MS);
	submit("NULL", 1000);
	for (size_t i = 0; i < FRAMES; i++) {
		frames[i] = (struct tacho_named_range){.kind = TACHO_RANGE_FRAME,
						       .name = "frame",
						       .domain = "",
						       .api = "tacho",
						       .process = &scene_processes[0],
						       .id = i + 1,
						       .number = i + 1,
						       .end_ns = durations[i],
						       .is_open = i == FRAMES - 1};
		in[i] = &frames[i];
		if (i != 1 && i != 4) {
			struct fake_call *call =
				scene_call("vkCreateComputePipelines", "VK_SUCCESS", "0x50", "0xC1",
					   "1", "0x1", "NULL", "[0x71]", NULL);

			call->call.ranges = &in[i];
			call->call.range_count = 1;
		}
		ends[i] = (struct fake_range){&frames[i], recording->call_count};
	}
	recording->ranges = ends;
	recording->range_count = FRAMES;
	findings = scene_look("late-build", "min-cost-ns", UINT64_C(0), NULL);
	message = scene_find(findings, "late-build")->message;
	assert_non_null(strstr(message, ", in 3 frames: the longest, number 3 took 35.0 ms, "
					"25.0 ms more than the frame in the middle."));
	tacho_findings_destroy(findings);
}

/* ---- objects and errors ---- */

static void test_objects(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	make_fence("[0xF1]");
	make_pipeline("NULL", "[0x71,0x72]");
	scene_call("vkAllocateMemory", "VK_SUCCESS", "0x50", "0x1", "NULL", "[0xF1]", NULL);
	scene_call("vkFreeMemory", "", "0x50", "0xF1", "NULL", NULL); /* another kind */
	scene_call("vkDestroyPipeline", "", "0x50", "0x71", "NULL", NULL);
	findings = scene_look("leaked-object", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 2);
	for (size_t i = 0; (finding = tacho_findings_get(findings, i)); i++)
		assert_string_equal(finding->message,
				    finding->subject[0] == 'f'
					    ? "1 fence made by vkCreateFence is still there at the "
					      "end."
					    : "1 pipeline made by vkCreateComputePipelines is "
					      "still there at the end.");
	tacho_findings_destroy(findings);

	scene_begin();
	for (int i = 0; i < 200; i++) {
		scene_call("vkAllocateMemory", "VK_SUCCESS", "0x50", "0x1", "NULL", "[0x99]", NULL);
		scene_call("vkFreeMemory", "", "0x50", "0x99", "NULL", NULL);
	}
	assert_int_equal(COUNT("object-churn"), 199);
	assert_int_equal(COUNT("leaked-object"), 0);
}

static void test_errors(void **state)
{
	scene_begin();
	scene_call("vkQueuePresentKHR", "VK_ERROR_OUT_OF_DATE_KHR", "0x90", "0x1", NULL)
		->call.failed = 1;
	assert_int_equal(COUNT("failed-call"), 0);
	scene_call("vkAllocateMemory", "VK_ERROR_OUT_OF_DEVICE_MEMORY", "0x50", "0x1", "NULL",
		   "0x7FFE", NULL)
		->call.failed = 1;
	assert_int_equal(COUNT("failed-call"), 1);
	scene_call("vkEnumerateInstanceExtensionProperties", "VK_ERROR_LAYER_NOT_PRESENT", "NULL",
		   NULL)
		->call.failed = 1;
	assert_int_equal(COUNT("failed-call"), 1);
	assert_int_equal(COUNT("failed-query"), 1);
}

/* ---- the table ---- */

static const struct tacho__yaml *argument_of(const struct tacho__yaml *function, int position)
{
	const struct tacho__yaml *argument = tacho__yaml_get(function, "args")->first;

	for (int i = 1; argument && i < position; i++)
		argument = argument->next;
	return argument;
}

/* "const VkFence *pFences: l:x[fenceCount<=8]" has the word "VkFence". */
static void check_argument(const struct tacho__yaml *root, const char *name, int position,
			   const char *word)
{
	const struct tacho__yaml *function =
					 tacho__yaml_get(tacho__yaml_get(root, "dispatch"), name),
				 *argument;
	const char *text;

	if (!function)
		fail_msg("there is no function %s", name);
	if (position <= 0)
		return;
	argument = argument_of(function, position);
	if (!argument)
		fail_msg("%s has no argument %d", name, position);
	if (argument->first)
		argument = argument->first;
	text = argument->key ? argument->key : argument->text;
	if (!strstr(text, word))
		fail_msg("argument %d of %s is %s: no %s", position, name, text, word);
}

static void check_role(const struct tacho__yaml *root, const struct tacho__function_role *role)
{
	const char *name = role->function;
	/* vkCreateFence makes, and vkDestroyFence destroys, a VkFence. */
	bool is_pair = !strncmp(name, "vkCreate", 8) || !strncmp(name, "vkDestroy", 9);
	char made[64] = "Vk";

	check_argument(root, name, 1, "Vk");
	if (is_pair && role->act != TACHO__ACT_BUILD && !strstr(name, "Surface")) {
		snprintf(made, sizeof(made), "Vk%.4s", name + (name[2] == 'C' ? 8 : 9));
	}
	if (role->act == TACHO__ACT_BUILD)
		snprintf(made, sizeof(made), "VkPipeline ");
	check_argument(root, name, role->handle, role->act == TACHO__ACT_SUBMIT ? "VkQueue" : made);
	check_argument(root, name, role->cache, "VkPipelineCache");
	check_argument(root, name, role->event, "VkFence");
	check_argument(root, name, role->events, "VkFence");
	check_argument(root, name, role->all, "waitAll");
	check_argument(root, name, role->none, "dynamicOffsetCount");
	check_argument(root, name, role->count, "Count");
	check_argument(root, name, role->second_place, "firstSet");
	check_argument(root, name, role->frame, "layout");
	check_argument(root, name, role->flags, "srcStageMask");
	check_argument(root, name, role->to, "dstStageMask");
	check_argument(root, name, role->narrow[0], "bufferMemoryBarrierCount");
	check_argument(root, name, role->narrow[1], "imageMemoryBarrierCount");
	check_argument(root, name, role->memory, "dstBuffer");
	check_argument(root, name, role->read, "srcBuffer");
}

/* Of a function that a rule compares by its arguments all have to be there. */
static void check_whole(const struct tacho__yaml *root, const struct tacho__function_role *role)
{
	const struct tacho__yaml *function =
		tacho__yaml_get(tacho__yaml_get(root, "dispatch"), role->function);

	for (int i = 2; role->is_whole && argument_of(function, i); i++) {
		const struct tacho__yaml *argument = argument_of(function, i);
		const char *text;

		argument = argument->first ? argument->first : argument;
		text = argument->key ? argument->key : argument->text;
		if (strchr(text, '*') && !strstr(text, "pDescriptorSets") &&
		    !strstr(text, "pDynamicOffsets"))
			fail_msg("%s of %s is not known", text, role->function);
		if (strstr(text, "float"))
			fail_msg("%s of %s is cut", text, role->function);
	}
}

static void test_roles(void **state)
{
	const char *source = getenv("TACHO_SOURCE_ROOT");
	struct tacho__arena arena = {0};
	const struct tacho__yaml *root;
	char path[512], *text = calloc(1, 1 << 20);
	FILE *file;
	size_t size;

	if (!source)
		skip();
	snprintf(path, sizeof(path), "%s/data/api/vulkan.yaml", source);
	file = fopen(path, "r");
	assert_non_null(file);
	size = fread(text, 1, (1 << 20) - 1, file);
	fclose(file);
	assert_int_equal(tacho__yaml_parse(&arena, path, text, size, &root), 0);
	for (const struct tacho__function_role *role = tacho__vulkan_roles.roles; role->function;
	     role++) {
		check_role(root, role);
		check_whole(root, role);
		assert_true(role->thing < TACHO__THINGS);
	}
	free(text);
	tacho__arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drained_queue),
		cmocka_unit_test(test_queue_with_work),
		cmocka_unit_test(test_other_waits),
		cmocka_unit_test(test_gap_within_submit),
		cmocka_unit_test(test_next_device),
		cmocka_unit_test(test_tiny_submits),
		cmocka_unit_test(test_small_copies),
		cmocka_unit_test(test_cost_of_times),
		cmocka_unit_test(test_copy_held_up),
		cmocka_unit_test(test_late_build),
		cmocka_unit_test(test_late_build_in_frames),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_roles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
