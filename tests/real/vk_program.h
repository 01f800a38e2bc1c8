/* SPDX-License-Identifier: MIT */
/* What small Vulkan programs without a window need: a device, a queue, buffers, one compute shader.
 */
#ifndef VK_PROGRAM_H
#define VK_PROGRAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "vulkan_shaders.h"

enum { NO_DEVICE = 77 };

static struct {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkQueue queue;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkDescriptorPool descriptors;
	VkCommandPool pool;
} vk;

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, result);
	exit(1);
}

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
		exit(NO_DEVICE);
	check(vkCreateDevice(vk.physical, &device, NULL, &vk.device), "vkCreateDevice");
	vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
}

static uint32_t find_memory(uint32_t allowed)
{
	const VkMemoryPropertyFlags wanted =
		VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkPhysicalDeviceMemoryProperties memory;

	vkGetPhysicalDeviceMemoryProperties(vk.physical, &memory);
	for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
		if (allowed >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
			return i;
	exit(NO_DEVICE);
}

static VkDeviceMemory allocate(VkDeviceSize bytes)
{
	const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
					   .allocationSize = bytes,
					   .memoryTypeIndex = find_memory(UINT32_MAX)};
	VkDeviceMemory memory;

	check(vkAllocateMemory(vk.device, &info, NULL, &memory), "vkAllocateMemory");
	return memory;
}

struct vk_memory {
	VkBuffer buffer;
	VkDeviceMemory memory;
};

static struct vk_memory make_memory(VkDeviceSize bytes)
{
	const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
					 .size = bytes,
					 .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
						  VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
						  VK_BUFFER_USAGE_TRANSFER_DST_BIT};
	VkMemoryRequirements needs;
	struct vk_memory made;

	check(vkCreateBuffer(vk.device, &info, NULL, &made.buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(vk.device, made.buffer, &needs);
	made.memory = allocate(needs.size);
	check(vkBindBufferMemory(vk.device, made.buffer, made.memory, 0), "vkBindBufferMemory");
	return made;
}

static void free_memory(struct vk_memory memory)
{
	vkDestroyBuffer(vk.device, memory.buffer, NULL);
	vkFreeMemory(vk.device, memory.memory, NULL);
}

static void make_layouts(void)
{
	const VkDescriptorSetLayoutBinding binding = {.descriptorType =
							      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
						      .descriptorCount = 1,
						      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
	const VkDescriptorSetLayoutCreateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1,
		.pBindings = &binding};
	VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
					     .setLayoutCount = 1,
					     .pSetLayouts = &vk.set_layout};
	const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
	const VkDescriptorPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 1,
		.pPoolSizes = &size};

	check(vkCreateDescriptorSetLayout(vk.device, &set, NULL, &vk.set_layout), "set layout");
	check(vkCreatePipelineLayout(vk.device, &layout, NULL, &vk.layout), "pipeline layout");
	check(vkCreateDescriptorPool(vk.device, &pool, NULL, &vk.descriptors), "descriptor pool");
}

static VkDescriptorSet make_set(VkBuffer buffer)
{
	const VkDescriptorSetAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = vk.descriptors,
		.descriptorSetCount = 1,
		.pSetLayouts = &vk.set_layout};
	const VkDescriptorBufferInfo whole = {buffer, 0, VK_WHOLE_SIZE};
	VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
				      .descriptorCount = 1,
				      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
				      .pBufferInfo = &whole};

	check(vkAllocateDescriptorSets(vk.device, &info, &write.dstSet), "descriptor set");
	vkUpdateDescriptorSets(vk.device, 1, &write, 0, NULL);
	return write.dstSet;
}

/* Its work-items go round so many times. */
static VkPipeline make_pipeline(uint32_t rounds)
{
	uint32_t code[sizeof(spin_code) / sizeof(*spin_code)];
	const VkShaderModuleCreateInfo module = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof(code),
		.pCode = code};
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			  .pName = "main"},
		.layout = vk.layout};
	VkPipeline pipeline;

	for (size_t i = 0; i < sizeof(code) / sizeof(*code); i++)
		code[i] = spin_code[i] == SPIN_ROUNDS ? rounds : spin_code[i];
	check(vkCreateShaderModule(vk.device, &module, NULL, &info.stage.module), "shader module");
	check(vkCreateComputePipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateComputePipelines");
	vkDestroyShaderModule(vk.device, info.stage.module, NULL);
	return pipeline;
}

static void make_pool(void)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};

	check(vkCreateCommandPool(vk.device, &info, NULL, &vk.pool), "vkCreateCommandPool");
}

static void make_commands(VkCommandBuffer *commands, uint32_t count)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = vk.pool,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = count};

	check(vkAllocateCommandBuffers(vk.device, &info, commands), "vkAllocateCommandBuffers");
}

static VkFence make_fence(void)
{
	const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	VkFence fence;

	check(vkCreateFence(vk.device, &info, NULL, &fence), "vkCreateFence");
	return fence;
}

static void begin(VkCommandBuffer commands)
{
	const VkCommandBufferBeginInfo info = {.sType =
						       VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};

	check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

static void end(VkCommandBuffer commands)
{
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

/* All behind it waits for all before it, and sees what that wrote. */
static void separate(VkCommandBuffer commands)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void submit(uint32_t count, const VkCommandBuffer *commands, VkFence fence)
{
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
				   .commandBufferCount = count,
				   .pCommandBuffers = commands};

	check(vkQueueSubmit(vk.queue, 1, &info, fence), "vkQueueSubmit");
}

static void set_up(void)
{
	make_device();
	make_layouts();
	make_pool();
}

static void tear_down(void)
{
	vkDestroyCommandPool(vk.device, vk.pool, NULL);
	vkDestroyDescriptorPool(vk.device, vk.descriptors, NULL);
	vkDestroyPipelineLayout(vk.device, vk.layout, NULL);
	vkDestroyDescriptorSetLayout(vk.device, vk.set_layout, NULL);
	vkDestroyDevice(vk.device, NULL);
	vkDestroyInstance(vk.instance, NULL);
}

#endif
