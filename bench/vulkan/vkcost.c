/* SPDX-License-Identifier: MIT */
/*
 * What a command costs that is recorded into a command buffer, and what a submit does, in the
 * program's thread: the least of many rounds, in nanoseconds.
 *
 *   vkcost commands COUNT ROUNDS   fills of 4 bytes, COUNT in a command buffer; not submitted
 *   vkcost stamped COUNT ROUNDS    the same, each between two time stamps of the program's
 *   vkcost submits COUNT ROUNDS    submits of one command buffer with a fill, recorded once
 *   vkcost fenced COUNT ROUNDS     the same with a fence of the program's
 *   vkcost fresh COUNT ROUNDS      the same, recorded anew each time; the submit alone is measured
 *
 * Between rounds nothing is on its way.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

enum { BUFFER_BYTES = 256, WAYS = 64 };

static struct {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkQueue queue;
	VkBuffer buffer;
	VkDeviceMemory memory;
	VkCommandPool pool;
	VkQueryPool queries;
	VkCommandBuffer commands[WAYS];
	VkFence fences[WAYS];
} vk;

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "vkcost: %s: %d\n", what, result);
	exit(1);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- making things ---- */

static void make_device(void)
{
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					       .apiVersion = VK_API_VERSION_1_1};
	const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					       .pApplicationInfo = &application};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
					       .queueCount = 1,
					       .pQueuePriorities = &priority};
	const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
					   .queueCreateInfoCount = 1,
					   .pQueueCreateInfos = &queue};
	uint32_t count = 1;

	if (vkCreateInstance(&instance, NULL, &vk.instance) ||
	    vkEnumeratePhysicalDevices(vk.instance, &count, &vk.physical) < 0 || !count)
		exit(77);
	check(vkCreateDevice(vk.physical, &device, NULL, &vk.device), "vkCreateDevice");
	vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
}

static void make_buffer(void)
{
	const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
					 .size = BUFFER_BYTES,
					 .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
	VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
	VkMemoryRequirements needs;

	check(vkCreateBuffer(vk.device, &info, NULL, &vk.buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(vk.device, vk.buffer, &needs);
	memory.allocationSize = needs.size;
	while (!(needs.memoryTypeBits >> memory.memoryTypeIndex & 1))
		memory.memoryTypeIndex++;
	check(vkAllocateMemory(vk.device, &memory, NULL, &vk.memory), "vkAllocateMemory");
	check(vkBindBufferMemory(vk.device, vk.buffer, vk.memory, 0), "vkBindBufferMemory");
}

static void make_commands(uint32_t queries)
{
	const VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
	VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
					    .commandBufferCount = WAYS};
	const VkQueryPoolCreateInfo own = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
					   .queryType = VK_QUERY_TYPE_TIMESTAMP,
					   .queryCount = queries};
	const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};

	check(vkCreateCommandPool(vk.device, &pool, NULL, &vk.pool), "vkCreateCommandPool");
	info.commandPool = vk.pool;
	check(vkAllocateCommandBuffers(vk.device, &info, vk.commands), "command buffers");
	check(vkCreateQueryPool(vk.device, &own, NULL, &vk.queries), "vkCreateQueryPool");
	for (int i = 0; i < WAYS; i++)
		check(vkCreateFence(vk.device, &fence, NULL, &vk.fences[i]), "vkCreateFence");
}

static void destroy_all(void)
{
	for (int i = 0; i < WAYS; i++)
		vkDestroyFence(vk.device, vk.fences[i], NULL);
	vkDestroyQueryPool(vk.device, vk.queries, NULL);
	vkDestroyCommandPool(vk.device, vk.pool, NULL);
	vkDestroyBuffer(vk.device, vk.buffer, NULL);
	vkFreeMemory(vk.device, vk.memory, NULL);
	vkDestroyDevice(vk.device, NULL);
	vkDestroyInstance(vk.instance, NULL);
}

static void begin(VkCommandBuffer commands)
{
	const VkCommandBufferBeginInfo info = {.sType =
						       VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};

	check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

static void record(VkCommandBuffer commands)
{
	begin(commands);
	vkCmdFillBuffer(commands, vk.buffer, 0, 4, 1);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

/* ---- what is measured ---- */

/* The time of a round; commands are a program's own, so a round's first ones touch no new memory.
 */
static double record_many(uint32_t count, int is_stamped)
{
	VkCommandBuffer commands = vk.commands[0];
	double from;

	begin(commands);
	from = now_ns();
	for (uint32_t i = 0; i < count; i++) {
		if (is_stamped)
			vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
					    vk.queries, 2 * i);
		vkCmdFillBuffer(commands, vk.buffer, 0, 4, i);
		if (is_stamped)
			vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
					    vk.queries, 2 * i + 1);
	}
	from = now_ns() - from;
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	return from;
}

static double measure_commands(uint32_t count)
{
	return record_many(count, 0);
}

static double measure_stamped(uint32_t count)
{
	return record_many(count, 1);
}

/* WAYS of them without a wait in between. */
static double submit_many(uint32_t count, int is_fenced, int is_fresh)
{
	VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1};
	double total = 0;

	for (uint32_t i = 0; i < count; i++) {
		VkFence fence = is_fenced ? vk.fences[i % WAYS] : VK_NULL_HANDLE;
		double from;

		if (is_fresh)
			record(vk.commands[i % WAYS]);
		info.pCommandBuffers = &vk.commands[i % WAYS];
		from = now_ns();
		check(vkQueueSubmit(vk.queue, 1, &info, fence), "vkQueueSubmit");
		total += now_ns() - from;
		if (i % WAYS != WAYS - 1 && i + 1 != count)
			continue;
		check(vkQueueWaitIdle(vk.queue), "vkQueueWaitIdle");
		if (is_fenced)
			check(vkResetFences(vk.device, i % WAYS + 1, vk.fences), "vkResetFences");
	}
	return total;
}

static double measure_submits(uint32_t count)
{
	return submit_many(count, 0, 0);
}

static double measure_fenced(uint32_t count)
{
	return submit_many(count, 1, 0);
}

static double measure_fresh(uint32_t count)
{
	return submit_many(count, 0, 1);
}

static const struct {
	const char *name;
	double (*measure)(uint32_t count);
} modes[] = {
	{"commands", measure_commands}, {"stamped", measure_stamped}, {"submits", measure_submits},
	{"fenced", measure_fenced},	{"fresh", measure_fresh},
};

static void measure(double (*fn)(uint32_t), uint32_t count, int rounds)
{
	double least = 0;

	for (int i = 0; i < WAYS; i++)
		record(vk.commands[i]);
	for (int i = 0; i < rounds; i++) {
		double took = fn(count) / count;

		if (!i || took < least)
			least = took;
	}
	printf("least_ns %.1f\n", least);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 4 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);

		if (strcmp(argv[1], modes[i].name) || !count)
			continue;
		make_device();
		make_buffer();
		make_commands(2 * count);
		measure(modes[i].measure, count, atoi(argv[3]));
		destroy_all();
		return 0;
	}
	fputs("usage: vkcost commands|stamped|submits|fenced|fresh COUNT ROUNDS\n", stderr);
	return 2;
}
