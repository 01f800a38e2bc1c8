/* SPDX-License-Identifier: MIT */
/* What each mode of vulkan_traps needs: a device with all of its queues, and fills to submit. */
#ifndef TACHO_TESTS_REAL_VULKAN_TRAPS_H
#define TACHO_TESTS_REAL_VULKAN_TRAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { BYTES = 4096, FAMILIES_MAX = 16, QUEUES_MAX = 2 };

struct device {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	uint32_t family_count;
	VkQueueFamilyProperties families[FAMILIES_MAX];
	VkQueue queues[FAMILIES_MAX][QUEUES_MAX];
	VkBuffer buffer;
	VkDeviceMemory memory;
	const uint32_t *words;
};

static uint32_t api_version = VK_API_VERSION_1_3;

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, result);
	exit(1);
}

static void expect(bool is_right, const char *what)
{
	if (is_right)
		return;
	fprintf(stderr, "not right: %s\n", what);
	exit(1);
}

/* ---- making things ---- */

static VkInstance make_instance(void)
{
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					       .apiVersion = api_version};
	const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					   .pApplicationInfo = &application};
	VkInstance instance;

	if (vkCreateInstance(&info, NULL, &instance))
		exit(77);
	return instance;
}

static VkResult make_queues(struct device *vk)
{
	static const float priorities[QUEUES_MAX] = {1, 1};
	VkDeviceQueueCreateInfo queues[FAMILIES_MAX];
	VkPhysicalDeviceVulkan13Features newer = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE};
	VkPhysicalDeviceVulkan12Features features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = &newer,
		.timelineSemaphore = VK_TRUE};
	VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
				   .pNext = api_version < VK_API_VERSION_1_3 ? NULL : &features,
				   .pQueueCreateInfos = queues};

	for (uint32_t i = 0; i < vk->family_count; i++) {
		uint32_t count = vk->families[i].queueCount;

		queues[info.queueCreateInfoCount++] = (VkDeviceQueueCreateInfo){
			.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
			.queueFamilyIndex = i,
			.queueCount = count < QUEUES_MAX ? count : QUEUES_MAX,
			.pQueuePriorities = priorities};
	}
	return vkCreateDevice(vk->physical, &info, NULL, &vk->device);
}

static void make_memory(struct device *vk)
{
	const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
					 .size = BYTES,
					 .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
						  VK_BUFFER_USAGE_TRANSFER_DST_BIT |
						  VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
	VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
	VkMemoryRequirements needs;

	check(vkCreateBuffer(vk->device, &info, NULL, &vk->buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(vk->device, vk->buffer, &needs);
	memory.allocationSize = needs.size;
	while (!(needs.memoryTypeBits >> memory.memoryTypeIndex & 1))
		memory.memoryTypeIndex++;
	check(vkAllocateMemory(vk->device, &memory, NULL, &vk->memory), "vkAllocateMemory");
	check(vkBindBufferMemory(vk->device, vk->buffer, vk->memory, 0), "vkBindBufferMemory");
	check(vkMapMemory(vk->device, vk->memory, 0, BYTES, 0, (void **)&vk->words), "vkMapMemory");
}

static void make_device(struct device *vk, VkInstance instance)
{
	uint32_t count = 1;

	vk->instance = instance;
	if (vkEnumeratePhysicalDevices(instance, &count, &vk->physical) < 0 || !count)
		exit(77);
	vk->family_count = FAMILIES_MAX;
	vkGetPhysicalDeviceQueueFamilyProperties(vk->physical, &vk->family_count, vk->families);
	check(make_queues(vk), "vkCreateDevice");
	for (uint32_t i = 0; i < vk->family_count; i++)
		for (uint32_t k = 0; k < vk->families[i].queueCount && k < QUEUES_MAX; k++)
			vkGetDeviceQueue(vk->device, i, k, &vk->queues[i][k]);
	make_memory(vk);
}

static void destroy_device(struct device *vk)
{
	vkDestroyBuffer(vk->device, vk->buffer, NULL);
	vkFreeMemory(vk->device, vk->memory, NULL);
	vkDestroyDevice(vk->device, NULL);
}

static VkCommandPool make_pool(const struct device *vk, uint32_t family)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
		.queueFamilyIndex = family};
	VkCommandPool pool;

	check(vkCreateCommandPool(vk->device, &info, NULL, &pool), "vkCreateCommandPool");
	return pool;
}

static VkCommandBuffer make_commands(const struct device *vk, VkCommandPool pool, bool is_secondary)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = pool,
		.level = is_secondary ? VK_COMMAND_BUFFER_LEVEL_SECONDARY
				      : VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1};
	VkCommandBuffer commands;

	check(vkAllocateCommandBuffers(vk->device, &info, &commands), "vkAllocateCommandBuffers");
	return commands;
}

static void begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags)
{
	const VkCommandBufferInheritanceRenderingInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
	const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
					       .flags = flags,
					       .pInheritanceInfo = &inheritance};

	check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

static void end(VkCommandBuffer commands)
{
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

static void fill(const struct device *vk, VkCommandBuffer commands, int count)
{
	const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
					 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
					 .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};

	for (int i = 0; i < count; i++) {
		vkCmdFillBuffer(commands, vk->buffer, 0, VK_WHOLE_SIZE, 7);
		vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
				     VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0,
				     NULL);
	}
}

static VkCommandBuffer make_fills(const struct device *vk, VkCommandPool pool,
				  VkCommandBufferUsageFlags flags, int count)
{
	VkCommandBuffer commands = make_commands(vk, pool, false);

	begin(commands, flags);
	fill(vk, commands, count);
	end(commands);
	return commands;
}

static VkResult submit(VkQueue queue, VkCommandBuffer commands, VkFence fence)
{
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
				   .commandBufferCount = 1,
				   .pCommandBuffers = &commands};

	return vkQueueSubmit(queue, 1, &info, fence);
}

static void run(VkQueue queue, VkCommandBuffer commands)
{
	check(submit(queue, commands, VK_NULL_HANDLE), "vkQueueSubmit");
	check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

static VkFence make_fence(const struct device *vk)
{
	const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	VkFence fence;

	check(vkCreateFence(vk->device, &info, NULL, &fence), "vkCreateFence");
	return fence;
}

#endif
