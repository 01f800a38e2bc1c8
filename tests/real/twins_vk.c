/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan program with one fault, or the same work done without it, on the first device.
 *
 *	twins_vk MODE fault|mended [TIMES]
 *
 * Prints the nanoseconds that all of it took, and those that its thread kept a processor busy.
 * TIMES multiplies the rounds. Exit status 77: there is no device.
 */
#include "vk_program.h"

#include <time.h>
#include <unistd.h>

enum { ITEMS = 4096, BYTES = ITEMS * sizeof(uint32_t), GROUP = 64, BUFFERS = 200, LARGE = 1 << 20 };

static VkCommandBuffer commands[BUFFERS];
static struct vk_memory memory, other;
static VkDescriptorSet set;
static VkPipeline spin;
static unsigned times = 1;
static int is_fault;

static uint64_t read_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The host does something that takes no processor: it may be the device that runs the work. */
static void work(unsigned us)
{
	usleep(us);
}

static void bind(VkCommandBuffer to)
{
	vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_COMPUTE, spin);
	vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_COMPUTE, vk.layout, 0, 1, &set, 0, NULL);
}

static void record_dispatch(VkCommandBuffer to, uint32_t items)
{
	begin(to);
	bind(to);
	vkCmdDispatch(to, items / GROUP, 1, 1);
	separate(to);
	end(to);
}

static void wait_for(VkFence fence)
{
	check(vkWaitForFences(vk.device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
	check(vkResetFences(vk.device, 1, &fence), "vkResetFences");
}

static void finish(void)
{
	check(vkQueueWaitIdle(vk.queue), "vkQueueWaitIdle");
}

/* ---- modes ---- */

/* The host prepares when the device has ended, or while it works. */
static void drained_queue(void)
{
	VkFence fences[2] = {make_fence(), make_fence()};
	unsigned count = 10 * times;

	record_dispatch(commands[0], ITEMS);
	record_dispatch(commands[1], ITEMS);
	for (unsigned i = 0; i < count; i++) {
		if (i && is_fault)
			wait_for(fences[(i - 1) % 2]);
		else if (i > 1)
			wait_for(fences[i % 2]);
		work(1000);
		submit(1, &commands[i % 2], fences[i % 2]);
	}
	finish();
	vkDestroyFence(vk.device, fences[0], NULL);
	vkDestroyFence(vk.device, fences[1], NULL);
}

static void tiny_submits(void)
{
	for (unsigned i = 0; i < BUFFERS; i++) {
		begin(commands[i]);
		vkCmdFillBuffer(commands[i], memory.buffer, 0, 4, i);
		end(commands[i]);
	}
	for (unsigned i = 0; i < times; i++) {
		for (unsigned k = 0; is_fault && k < BUFFERS; k++)
			submit(1, &commands[k], VK_NULL_HANDLE);
		if (!is_fault)
			submit(BUFFERS, commands, VK_NULL_HANDLE);
		finish();
	}
}

/* The same pipeline, made for each round of work or once before all. */
static void late_build(void)
{
	for (unsigned i = 0; i < 5 * times; i++) {
		VkPipeline before = spin;

		if (is_fault)
			spin = make_pipeline(900);
		record_dispatch(commands[0], ITEMS);
		submit(1, commands, VK_NULL_HANDLE);
		finish();
		if (is_fault)
			vkDestroyPipeline(vk.device, spin, NULL);
		spin = before;
	}
}

static void redundant_bind(void)
{
	begin(commands[0]);
	for (unsigned i = 0; i < 1000 * times; i++) {
		if (is_fault || !i)
			bind(commands[0]);
		if (i % 100 == 0)
			vkCmdDispatch(commands[0], 1, 1, 1);
	}
	end(commands[0]);
	submit(1, commands, VK_NULL_HANDLE);
	finish();
}

/* Fills of two buffers, each behind a barrier, or all of them between two. */
static void draining_barrier(void)
{
	begin(commands[0]);
	separate(commands[0]);
	for (unsigned i = 0; i < 100 * times; i++) {
		vkCmdFillBuffer(commands[0], i % 2 ? memory.buffer : other.buffer, 0, BYTES, i);
		if (is_fault)
			separate(commands[0]);
	}
	separate(commands[0]);
	end(commands[0]);
	submit(1, commands, VK_NULL_HANDLE);
	finish();
}

static void record_fills(void)
{
	begin(commands[0]);
	for (unsigned i = 0; i < 200; i++)
		vkCmdFillBuffer(commands[0], memory.buffer, i * 4, 4, i);
	end(commands[0]);
}

static void repeated_recording(void)
{
	for (unsigned i = 0; i < 20 * times; i++) {
		if (is_fault || !i)
			record_fills();
		submit(1, commands, VK_NULL_HANDLE);
		finish();
	}
}

static void object_churn(void)
{
	VkDeviceMemory one = is_fault ? VK_NULL_HANDLE : allocate(LARGE);

	for (unsigned i = 0; i < 200 * times; i++) {
		void *at;

		if (is_fault)
			one = allocate(LARGE);
		check(vkMapMemory(vk.device, one, 0, LARGE, 0, &at), "vkMapMemory");
		*(volatile uint32_t *)at = i;
		vkUnmapMemory(vk.device, one);
		if (is_fault)
			vkFreeMemory(vk.device, one, NULL);
	}
	if (!is_fault)
		vkFreeMemory(vk.device, one, NULL);
}

static void small_transfers(void)
{
	unsigned count = 200 * times;

	begin(commands[0]);
	for (unsigned i = 0; is_fault && i < count; i++) {
		const VkBufferCopy piece = {i % 1000 * 64, i % 1000 * 64, 64};

		vkCmdCopyBuffer(commands[0], memory.buffer, other.buffer, 1, &piece);
	}
	if (!is_fault) {
		const VkBufferCopy whole = {0, 0, count * 64 < LARGE ? count * 64 : LARGE};

		vkCmdCopyBuffer(commands[0], memory.buffer, other.buffer, 1, &whole);
	}
	end(commands[0]);
	submit(1, commands, VK_NULL_HANDLE);
	finish();
}

static void busy_wait(void)
{
	VkFence fence = make_fence();

	record_dispatch(commands[0], 16 * ITEMS);
	for (unsigned i = 0; i < 5 * times; i++) {
		submit(1, commands, fence);
		while (is_fault && vkGetFenceStatus(vk.device, fence) == VK_NOT_READY)
			continue;
		wait_for(fence);
	}
	vkDestroyFence(vk.device, fence, NULL);
}

static void leaked_object(void)
{
	VkFence fence = make_fence();

	if (!is_fault)
		vkDestroyFence(vk.device, fence, NULL);
}

/* ---- the whole ---- */

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{"drained-queue", drained_queue},
	{"tiny-submits", tiny_submits},
	{"late-build", late_build},
	{"redundant-bind", redundant_bind},
	{"draining-barrier", draining_barrier},
	{"repeated-recording", repeated_recording},
	{"object-churn", object_churn},
	{"small-transfers", small_transfers},
	{"busy-wait", busy_wait},
	{"leaked-object", leaked_object},
};

enum { MODES = sizeof(modes) / sizeof(modes[0]) };

static void prepare(void)
{
	memory = make_memory(LARGE);
	other = make_memory(LARGE);
	set = make_set(memory.buffer);
	spin = make_pipeline(SPIN_ROUNDS);
	make_commands(commands, BUFFERS);
}

static void tidy_up(void)
{
	vkDestroyPipeline(vk.device, spin, NULL);
	free_memory(memory);
	free_memory(other);
	tear_down();
}

int main(int argc, char **argv)
{
	size_t mode = 0;
	uint64_t start;

	while (argc >= 3 && mode < MODES && strcmp(modes[mode].name, argv[1]) != 0)
		mode++;
	if (argc < 3 || mode == MODES) {
		fprintf(stderr, "usage: twins_vk MODE fault|mended [TIMES]\n");
		return 2;
	}
	is_fault = !strcmp(argv[2], "fault");
	times = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
	start = read_ns(CLOCK_MONOTONIC);
	set_up();
	prepare();
	modes[mode].run();
	printf("%llu %llu\n", (unsigned long long)(read_ns(CLOCK_MONOTONIC) - start),
	       (unsigned long long)read_ns(CLOCK_THREAD_CPUTIME_ID));
	tidy_up();
	return 0;
}
