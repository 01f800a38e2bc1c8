/* SPDX-License-Identifier: MIT */
/* Rules about what is recorded to be submitted later. Both sides of every condition. */
#include "finding_scene.h"

#define ONE UINT64_C(1)

static void begin(void)
{
	scene_call("vkBeginCommandBuffer", "VK_SUCCESS", "0xB1", "0x7FFE", NULL);
}

static void end(void)
{
	scene_call("vkEndCommandBuffer", "VK_SUCCESS", "0xB1", NULL);
}

static void bind(const char *pipeline)
{
	scene_call("vkCmdBindPipeline", "", "0xB1", "VK_PIPELINE_BIND_POINT_COMPUTE", pipeline,
		   NULL);
}

static void bind_sets(const char *layout, const char *first, const char *count, const char *sets,
		      const char *offsets)
{
	scene_call("vkCmdBindDescriptorSets", "", "0xB1", "VK_PIPELINE_BIND_POINT_COMPUTE", layout,
		   first, count, sets, offsets, "NULL", NULL);
}

static void set_cull(const char *mode)
{
	scene_call("vkCmdSetCullMode", "", "0xB1", mode, NULL);
}

#define BINDS() COUNT("redundant-bind", "bind-count", ONE)

static void test_redundant_bind(void **state)
{
	scene_begin();
	bind("0x71"); /* where it begins is not known */
	bind("0x71");
	assert_int_equal(BINDS(), 0);
	begin();
	bind("0x71");
	bind("0x72");
	bind("0x71");
	scene_call("vkCmdBindPipeline", "", "0xB1", "VK_PIPELINE_BIND_POINT_GRAPHICS", "0x71",
		   NULL);
	assert_int_equal(BINDS(), 0);
	bind("0x71");
	assert_int_equal(BINDS(), 1);
	assert_int_equal(COUNT("redundant-bind"), 0); /* 100 of them */
	scene_call("vkCmdExecuteCommands", "", "0xB1", "1", "[0xB2]", NULL);
	bind("0x71");
	end();
	begin();
	bind("0x71");
	assert_int_equal(BINDS(), 1);
}

static void test_redundant_sets(void **state)
{
	scene_begin();
	begin();
	bind_sets("0xE1", "0", "1", "[0x51]", "0");
	bind_sets("0xE1", "1", "1", "[0x52]", "0");
	assert_int_equal(BINDS(), 0);
	bind_sets("0xE1", "0", "1", "[0x51]", "0"); /* the other place did not touch it */
	assert_int_equal(BINDS(), 1);
	bind_sets("0xE2", "1", "1", "[0x52]", "0"); /* another layout may */
	bind_sets("0xE1", "0", "1", "[0x51]", "0");
	assert_int_equal(BINDS(), 1);

	/* Offsets are behind a pointer, long lists are cut, and wide ones reach further. */
	scene_begin();
	begin();
	for (int i = 0; i < 2; i++) {
		bind_sets("0xE1", "0", "1", "[0x51]", "1");
		bind_sets("0xE1", "0", "9", "[0x51,0x52,...]", "0");
	}
	assert_int_equal(BINDS(), 0);
	bind_sets("0xE1", "1", "1", "[0x52]", "0");
	bind_sets("0xE1", "0", "2", "[0x51,0x53]", "0");
	bind_sets("0xE1", "1", "1", "[0x52]", "0");
	bind_sets("0xE1", "0", "2", "[0x51,0x53]", "0");
	assert_int_equal(BINDS(), 0);
}

static void test_redundant_state(void **state)
{
	scene_begin();
	begin();
	bind("0x71");
	set_cull("VK_CULL_MODE_NONE");
	bind("0x71");
	assert_int_equal(BINDS(), 1);
	set_cull("VK_CULL_MODE_NONE");
	assert_int_equal(COUNT("redundant-bind", "bind-count", ONE, "min-cost-ns", ONE), 1);
	bind("0x72"); /* may bring a mode of its own */
	set_cull("VK_CULL_MODE_NONE");
	assert_int_equal(BINDS(), 1);
}

static void barrier(const char *from, const char *to, const char *images)
{
	scene_call("vkCmdPipelineBarrier", "", "0xB1", from, to, "0", "1", "0x7FFE", "0", "NULL",
		   images, "NULL", NULL);
}

static void full_barrier(void)
{
	barrier("VK_PIPELINE_STAGE_ALL_COMMANDS_BIT", "VK_PIPELINE_STAGE_ALL_COMMANDS_BIT", "0");
}

static void fill(const char *buffer)
{
	scene_call("vkCmdFillBuffer", "", "0xB1", buffer, "0", "4", "1", NULL);
}

#define BARRIERS() COUNT("draining-barrier", "barrier-count", ONE)

/* What stands between the barriers of a command buffer. */
static uint64_t count_barriers(void (*first)(void), void (*second)(void))
{
	scene_begin();
	begin();
	full_barrier();
	first();
	full_barrier();
	second();
	full_barrier();
	end();
	return BARRIERS();
}

static void fill_1(void)
{
	fill("0x61");
}

static void fill_2(void)
{
	fill("0x62");
}

static void copy_1_to_2(void)
{
	scene_call("vkCmdCopyBuffer", "", "0xB1", "0x61", "0x62", "1", "0x7FFE", NULL);
}

static void copy_1_to_3(void)
{
	scene_call("vkCmdCopyBuffer", "", "0xB1", "0x61", "0x63", "1", "0x7FFE", NULL);
}

static void compute(void)
{
	scene_call("vkCmdDispatch", "", "0xB1", "1", "1", "1", NULL);
}

static void blit(void)
{
	scene_call("vkCmdBlitImage", "", "0xB1", "0x65", "1", "0x66", "1", "1", "0x7FFE", "0",
		   NULL);
}

static void do_nothing(void)
{
}

static void test_draining_barrier(void **state)
{
	assert_int_equal(count_barriers(fill_1, fill_2), 1);
	assert_int_equal(COUNT("draining-barrier"), 0);		       /* 10 of them */
	assert_int_equal(count_barriers(copy_1_to_2, copy_1_to_3), 1); /* both only read one */
	assert_int_equal(count_barriers(fill_1, fill_1), 0);
	assert_int_equal(count_barriers(fill_1, copy_1_to_2), 0);
	assert_int_equal(count_barriers(copy_1_to_2, fill_1), 0);
	assert_int_equal(count_barriers(compute, fill_1), 0);
	assert_int_equal(count_barriers(fill_1, compute), 0);
	assert_int_equal(count_barriers(fill_1, blit), 0);
	/* Two in a row. */
	assert_int_equal(count_barriers(fill_1, do_nothing), 1);
}

static void test_needed_barrier(void **state)
{
	/* What runs before a command buffer, and behind it, is not known. */
	scene_begin();
	begin();
	fill("0x61");
	full_barrier();
	fill("0x62");
	full_barrier();
	fill("0x63");
	end();
	assert_int_equal(BARRIERS(), 0);

	/* Images change their layout; some stages only; nothing waits. */
	scene_begin();
	begin();
	full_barrier();
	fill("0x61");
	barrier("VK_PIPELINE_STAGE_ALL_COMMANDS_BIT", "VK_PIPELINE_STAGE_ALL_COMMANDS_BIT", "1");
	fill("0x62");
	full_barrier();
	full_barrier();
	end();
	assert_int_equal(BARRIERS(), 1);
	scene_begin();
	begin();
	for (int i = 0; i < 3; i++) {
		barrier("VK_PIPELINE_STAGE_TRANSFER_BIT", "VK_PIPELINE_STAGE_TRANSFER_BIT", "0");
		barrier("VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT", "VK_PIPELINE_STAGE_ALL_COMMANDS_BIT",
			"0");
		fill(i % 2 ? "0x61" : "0x62");
	}
	end();
	assert_int_equal(BARRIERS(), 0);

	/* The end of the pipe waits for all, and its top holds up all. */
	scene_begin();
	begin();
	for (int i = 0; i < 3; i++) {
		barrier("VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT", "VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT",
			"0");
		fill(i % 2 ? "0x61" : "0x62");
	}
	end();
	assert_int_equal(BARRIERS(), 1);
}

static void record(const char *buffer)
{
	begin();
	bind("0x71");
	compute();
	full_barrier();
	fill(buffer);
	end();
}

#define RECORDINGS() COUNT("repeated-recording", "recording-count", ONE)

static void test_repeated_recording(void **state)
{
	scene_begin();
	record("0x61");
	assert_int_equal(RECORDINGS(), 0);
	record("0x62");
	assert_int_equal(RECORDINGS(), 0);
	record("0x62");
	record("0x62");
	assert_int_equal(RECORDINGS(), 2);
	assert_int_equal(COUNT("repeated-recording"), 0); /* 10 of them */

	/* What it refers to may be another, or be changed. */
	scene_call("vkDestroyBuffer", "", "0x50", "0x62", "NULL", NULL);
	record("0x62");
	scene_call("vkUpdateDescriptorSets", "", "0x50", "1", "0x1", "0", "NULL", NULL);
	record("0x62");
	assert_int_equal(RECORDINGS(), 2);
	scene_call("vkDestroyFence", "", "0x50", "0xF1", "NULL", NULL);
	record("0x62");
	assert_int_equal(RECORDINGS(), 3);

	/* What is behind a pointer is not known. */
	scene_begin();
	for (int i = 0; i < 3; i++) {
		begin();
		compute();
		scene_call("vkCmdPushConstants", "", "0xB1", "0xE1", "1", "0", "4", "0x7FFE", NULL);
		end();
		begin();
		copy_1_to_2();
		end();
		begin();
		end();
	}
	assert_int_equal(RECORDINGS(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_redundant_bind),	cmocka_unit_test(test_redundant_sets),
		cmocka_unit_test(test_redundant_state), cmocka_unit_test(test_draining_barrier),
		cmocka_unit_test(test_needed_barrier),	cmocka_unit_test(test_repeated_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
