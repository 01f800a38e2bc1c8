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

enum { NO_DEVICE = 77, SPIN_ROUNDS = 1000 };

/*
 * #version 450
 * layout(local_size_x = 64) in;
 * layout(set = 0, binding = 0) buffer B { uint v[]; };
 * void main() {
 *     uint x = v[gl_GlobalInvocationID.x];
 *     for (uint i = 0; i < 1000; i++) x = x * 1664525u + 1013904223u;
 *     v[gl_GlobalInvocationID.x] = x;
 * }
 */
static const uint32_t spin_code[] = {
	0x7230203, 0x10000,    0x8000b,	   0x34,       0x0,	   0x20011, 0x1,     0x6000b,
	0x1,	   0x4c534c47, 0x6474732e, 0x3035342e, 0x0,	   0x3000e, 0x0,     0x1,
	0x6000f,   0x5,	       0x4,	   0x6e69616d, 0x0,	   0x11,    0x60010, 0x4,
	0x11,	   0x40,       0x1,	   0x1,	       0x40047,	   0x9,	    0x6,     0x4,
	0x50048,   0xa,	       0x0,	   0x23,       0x0,	   0x30047, 0xa,     0x3,
	0x40047,   0xc,	       0x22,	   0x0,	       0x40047,	   0xc,	    0x21,    0x0,
	0x40047,   0x11,       0xb,	   0x1c,       0x40047,	   0x31,    0xb,     0x19,
	0x20013,   0x2,	       0x30021,	   0x3,	       0x2,	   0x40015, 0x6,     0x20,
	0x0,	   0x3001d,    0x9,	   0x6,	       0x3001e,	   0xa,	    0x9,     0x40020,
	0xb,	   0x2,	       0xa,	   0x4003b,    0xb,	   0xc,	    0x2,     0x40015,
	0xd,	   0x20,       0x1,	   0x4002b,    0xd,	   0xe,	    0x0,     0x40017,
	0xf,	   0x6,	       0x3,	   0x40020,    0x10,	   0x1,	    0xf,     0x4003b,
	0x10,	   0x11,       0x1,	   0x4002b,    0x6,	   0x12,    0x0,     0x40020,
	0x13,	   0x1,	       0x6,	   0x40020,    0x16,	   0x2,	    0x6,     0x4002b,
	0x6,	   0x20,       0x3e8,	   0x20014,    0x21,	   0x4002b, 0x6,     0x24,
	0x19660d,  0x4002b,    0x6,	   0x26,       0x3c6ef35f, 0x4002b, 0xd,     0x29,
	0x1,	   0x4002b,    0x6,	   0x2f,       0x40,	   0x4002b, 0x6,     0x30,
	0x1,	   0x6002c,    0xf,	   0x31,       0x2f,	   0x30,    0x30,    0x50036,
	0x2,	   0x4,	       0x0,	   0x3,	       0x200f8,	   0x5,	    0x50041, 0x13,
	0x14,	   0x11,       0x12,	   0x4003d,    0x6,	   0x15,    0x14,    0x60041,
	0x16,	   0x17,       0xc,	   0xe,	       0x15,	   0x4003d, 0x6,     0x18,
	0x17,	   0x200f9,    0x1a,	   0x200f8,    0x1a,	   0x700f5, 0x6,     0x33,
	0x18,	   0x5,	       0x27,	   0x1b,       0x700f5,	   0x6,	    0x32,    0x12,
	0x5,	   0x2a,       0x1b,	   0x500b0,    0x21,	   0x22,    0x32,    0x20,
	0x400f6,   0x1c,       0x1b,	   0x0,	       0x400fa,	   0x22,    0x1b,    0x1c,
	0x200f8,   0x1b,       0x50084,	   0x6,	       0x25,	   0x33,    0x24,    0x50080,
	0x6,	   0x27,       0x25,	   0x26,       0x50080,	   0x6,	    0x2a,    0x32,
	0x29,	   0x200f9,    0x1a,	   0x200f8,    0x1c,	   0x3003e, 0x17,    0x33,
	0x100fd,   0x10038,
};

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
