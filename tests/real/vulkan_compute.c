/* SPDX-License-Identifier: MIT */
/*
 * vulkan_compute MODE: a Vulkan program without a window whose commands are known by number.
 * Prints "MODE: right", where what it computed is what it must be; exit status 77: no device.
 *
 *   plain         3 dispatches, 2 copies of 1,024 bytes, a fill and an update, submitted 4 times
 *   submit2       the same by vkQueueSubmit2
 *   secondary     a primary that runs a secondary of 2 dispatches twice, submitted 3 times
 *   simultaneous  3 fills, 3 times in one submit and 3 times more, unwaited
 *   again         a pool that is reset 10 times, each time with 1 dispatch and 1 fill
 *   turns         a command buffer that is a fill and a dispatch by turns, 10 times
 *   empty         submits without batches, and batches without command buffers; then 1 fill
 *   rendering     renderings without pictures, whole and in two parts, and a fill behind each
 *   devices       as plain, on 3 devices of 3 instances, one after the other
 *   flood         a submit of 200 dispatches, and 600 of a fill behind it, unwaited
 *   threads       4 threads with a pool each: 25 submits of 2 fills
 *   many          70,000 fills in a command buffer
 *   endless       as plain, until it is killed
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { WORDS = 4096, BYTES = WORDS * 4, THREADS = 4, SUBMITS = 25, MANY = 70000, FLOOD = 600 };

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
static const uint32_t shader[] = {
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
	VkBuffer buffer;
	VkDeviceMemory memory;
	uint32_t *words;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkDescriptorPool descriptors;
	VkDescriptorSet set;
	VkShaderModule module;
	VkPipeline pipeline;
	VkCommandPool pool;
	pthread_mutex_t lock; /* of the queue */
} vk = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, result);
	exit(1);
}

/* ---- making things ---- */

static void make_device(void)
{
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					       .apiVersion = VK_API_VERSION_1_3};
	const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					       .pApplicationInfo = &application};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
					       .queueCount = 1,
					       .pQueuePriorities = &priority};
	const VkPhysicalDeviceVulkan13Features features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE};
	const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
					   .pNext = &features,
					   .queueCreateInfoCount = 1,
					   .pQueueCreateInfos = &queue};
	uint32_t count = 1;

	if (vkCreateInstance(&instance, NULL, &vk.instance) ||
	    vkEnumeratePhysicalDevices(vk.instance, &count, &vk.physical) < 0 || !count)
		exit(77);
	check(vkCreateDevice(vk.physical, &device, NULL, &vk.device), "vkCreateDevice");
	if (vkGetDeviceProcAddr(vk.device, "vkGetCalibratedTimestampsEXT"))
		check(VK_ERROR_UNKNOWN, "a function that was not asked for");
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
	exit(77);
}

static void make_buffer(void)
{
	const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
					 .size = BYTES,
					 .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
						  VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
						  VK_BUFFER_USAGE_TRANSFER_DST_BIT};
	VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
	VkMemoryRequirements needs;

	check(vkCreateBuffer(vk.device, &info, NULL, &vk.buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(vk.device, vk.buffer, &needs);
	memory.allocationSize = needs.size;
	memory.memoryTypeIndex = find_memory(needs.memoryTypeBits);
	check(vkAllocateMemory(vk.device, &memory, NULL, &vk.memory), "vkAllocateMemory");
	check(vkBindBufferMemory(vk.device, vk.buffer, vk.memory, 0), "vkBindBufferMemory");
	check(vkMapMemory(vk.device, vk.memory, 0, BYTES, 0, (void **)&vk.words), "vkMapMemory");
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
					     .setLayoutCount = 1};
	const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
	const VkDescriptorPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 1,
		.pPoolSizes = &size};

	check(vkCreateDescriptorSetLayout(vk.device, &set, NULL, &vk.set_layout), "set layout");
	layout.pSetLayouts = &vk.set_layout;
	check(vkCreatePipelineLayout(vk.device, &layout, NULL, &vk.layout), "pipeline layout");
	check(vkCreateDescriptorPool(vk.device, &pool, NULL, &vk.descriptors), "descriptor pool");
}

static void make_set(void)
{
	const VkDescriptorSetAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = vk.descriptors,
		.descriptorSetCount = 1,
		.pSetLayouts = &vk.set_layout};
	const VkDescriptorBufferInfo buffer = {vk.buffer, 0, BYTES};
	VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
				      .descriptorCount = 1,
				      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
				      .pBufferInfo = &buffer};

	check(vkAllocateDescriptorSets(vk.device, &info, &vk.set), "descriptor set");
	write.dstSet = vk.set;
	vkUpdateDescriptorSets(vk.device, 1, &write, 0, NULL);
}

static void make_pipeline(void)
{
	const VkShaderModuleCreateInfo module = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof(shader),
		.pCode = shader};
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			  .pName = "main"},
		.layout = vk.layout};

	check(vkCreateShaderModule(vk.device, &module, NULL, &vk.module), "vkCreateShaderModule");
	info.stage.module = vk.module;
	check(vkCreateComputePipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &vk.pipeline),
	      "vkCreateComputePipelines");
}

static VkCommandPool make_pool(void)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
	VkCommandPool pool;

	check(vkCreateCommandPool(vk.device, &info, NULL, &pool), "vkCreateCommandPool");
	return pool;
}

static void destroy_all(void)
{
	vkDestroyCommandPool(vk.device, vk.pool, NULL);
	vkDestroyPipeline(vk.device, vk.pipeline, NULL);
	vkDestroyShaderModule(vk.device, vk.module, NULL);
	vkDestroyDescriptorPool(vk.device, vk.descriptors, NULL);
	vkDestroyPipelineLayout(vk.device, vk.layout, NULL);
	vkDestroyDescriptorSetLayout(vk.device, vk.set_layout, NULL);
	vkDestroyBuffer(vk.device, vk.buffer, NULL);
	vkFreeMemory(vk.device, vk.memory, NULL);
	vkDestroyDevice(vk.device, NULL);
	vkDestroyInstance(vk.instance, NULL);
}

/* ---- recording and submitting ---- */

static VkCommandBuffer make_commands(VkCommandPool pool, VkCommandBufferLevel level)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = pool,
		.level = level,
		.commandBufferCount = 1};
	VkCommandBuffer commands;

	check(vkAllocateCommandBuffers(vk.device, &info, &commands), "vkAllocateCommandBuffers");
	return commands;
}

static void begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags)
{
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
	const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
					       .flags = flags,
					       .pInheritanceInfo = &inheritance};

	check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

/* What is behind it sees what is in front of it. */
static void separate(VkCommandBuffer commands)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void dispatch(VkCommandBuffer commands, int count)
{
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk.pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk.layout, 0, 1, &vk.set,
				0, NULL);
	for (int i = 0; i < count; i++) {
		vkCmdDispatch(commands, WORDS / 64, 1, 1);
		separate(commands);
	}
}

static void fill(VkCommandBuffer commands, int count)
{
	for (int i = 0; i < count; i++) {
		vkCmdFillBuffer(commands, vk.buffer, 0, VK_WHOLE_SIZE, 1);
		separate(commands);
	}
}

static void record_plain(VkCommandBuffer commands)
{
	const VkBufferCopy halves = {0, BYTES / 2, 1024};
	const uint32_t words[] = {7, 8};

	begin(commands, 0);
	fill(commands, 1);
	dispatch(commands, 3);
	vkCmdCopyBuffer(commands, vk.buffer, vk.buffer, 1, &halves);
	separate(commands);
	vkCmdCopyBuffer(commands, vk.buffer, vk.buffer, 1, &halves);
	separate(commands);
	vkCmdUpdateBuffer(commands, vk.buffer, 0, sizeof(words), words);
	separate(commands);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

static void submit(uint32_t count, const VkCommandBuffer *commands)
{
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
				   .commandBufferCount = count,
				   .pCommandBuffers = commands};

	pthread_mutex_lock(&vk.lock);
	check(vkQueueSubmit(vk.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	pthread_mutex_unlock(&vk.lock);
}

static void wait(void)
{
	pthread_mutex_lock(&vk.lock);
	check(vkQueueWaitIdle(vk.queue), "vkQueueWaitIdle");
	pthread_mutex_unlock(&vk.lock);
}

/* ---- what is right ---- */

static uint32_t step(uint32_t word, int dispatches)
{
	for (int i = 0; i < dispatches * 1000; i++)
		word = word * 1664525u + 1013904223u;
	return word;
}

static void expect(uint32_t at, uint32_t word)
{
	if (vk.words[at] == word)
		return;
	fprintf(stderr, "word %u is %u, not %u\n", at, vk.words[at], word);
	exit(1);
}

static void expect_plain(void)
{
	expect(0, 7);
	expect(1, 8);
	expect(WORDS / 2, step(1, 3));
	expect(WORDS - 1, step(1, 3));
}

/* ---- modes ---- */

static void run_plain(void)
{
	VkCommandBuffer commands = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	record_plain(commands);
	for (int i = 0; i < 4; i++) {
		submit(1, &commands);
		wait();
		expect_plain();
	}
}

static void run_submit2(void)
{
	VkCommandBuffer commands = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	const VkCommandBufferSubmitInfo each = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = commands};
	const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
				    .commandBufferInfoCount = 1,
				    .pCommandBufferInfos = &each};

	record_plain(commands);
	for (int i = 0; i < 4; i++) {
		check(vkQueueSubmit2(vk.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
		wait();
		expect_plain();
	}
}

static void run_secondary(void)
{
	VkCommandBuffer primary = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	VkCommandBuffer twice[2];

	twice[0] = twice[1] = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
	begin(twice[0], VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
	dispatch(twice[0], 2);
	check(vkEndCommandBuffer(twice[0]), "vkEndCommandBuffer");
	begin(primary, 0);
	fill(primary, 1);
	vkCmdExecuteCommands(primary, 2, twice);
	check(vkEndCommandBuffer(primary), "vkEndCommandBuffer");
	for (int i = 0; i < 3; i++) {
		submit(1, &primary);
		wait();
		expect(0, step(1, 4));
	}
}

static void run_simultaneous(void)
{
	VkCommandBuffer thrice[3];

	thrice[0] = thrice[1] = thrice[2] = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	begin(thrice[0], VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
	fill(thrice[0], 3);
	check(vkEndCommandBuffer(thrice[0]), "vkEndCommandBuffer");
	submit(3, thrice);
	for (int i = 0; i < 3; i++)
		submit(1, thrice);
	wait();
	expect(WORDS - 1, 1);
}

/* The pool is destroyed while nothing but ours may still be on its way. */
static void run_again(void)
{
	VkCommandPool pool = make_pool();
	VkCommandBuffer commands = make_commands(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	for (int i = 0; i < 10; i++) {
		begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
		fill(commands, 1);
		dispatch(commands, 1);
		check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
		submit(1, &commands);
		wait();
		expect(5, step(1, 1));
		if (i % 2)
			check(vkResetCommandPool(vk.device, pool, 0), "vkResetCommandPool");
	}
	vkDestroyCommandPool(vk.device, pool, NULL);
}

/* As many queries of times each time, and those that count only every second time. */
static void run_turns(void)
{
	VkCommandBuffer commands = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	for (int i = 0; i < 10; i++) {
		begin(commands, 0);
		if (i % 2)
			dispatch(commands, 1);
		else
			fill(commands, 1);
		check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
		submit(1, &commands);
		wait();
		expect(5, step(1, i % 2));
	}
}

static void run_empty(void)
{
	const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	VkCommandBuffer commands = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	VkFence fence;

	check(vkCreateFence(vk.device, &info, NULL, &fence), "vkCreateFence");
	check(vkQueueSubmit(vk.queue, 0, NULL, fence), "vkQueueSubmit");
	check(vkWaitForFences(vk.device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
	submit(0, NULL);
	begin(commands, 0);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	submit(1, &commands);
	wait();
	begin(commands, 0);
	fill(commands, 1);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	submit(1, &commands);
	wait();
	vkDestroyFence(vk.device, fence, NULL);
}

static void *run_thread(void *unused)
{
	VkCommandPool pool = make_pool();
	VkCommandBuffer commands[SUBMITS];

	for (int i = 0; i < SUBMITS; i++) {
		commands[i] = make_commands(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
		begin(commands[i], 0);
		fill(commands[i], 2);
		check(vkEndCommandBuffer(commands[i]), "vkEndCommandBuffer");
		submit(1, &commands[i]);
	}
	wait();
	vkFreeCommandBuffers(vk.device, pool, SUBMITS, commands);
	vkDestroyCommandPool(vk.device, pool, NULL);
	return unused;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run_thread, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void render(VkCommandBuffer commands, VkRenderingFlags flags)
{
	const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
				      .flags = flags,
				      .renderArea = {{0, 0}, {1, 1}},
				      .layerCount = 1};

	vkCmdBeginRendering(commands, &info);
	vkCmdEndRendering(commands);
}

static void run_rendering(void)
{
	VkCommandBuffer commands = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	begin(commands, 0);
	render(commands, 0);
	fill(commands, 1);
	render(commands, VK_RENDERING_SUSPENDING_BIT);
	render(commands, VK_RENDERING_RESUMING_BIT);
	fill(commands, 1);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	submit(1, &commands);
	wait();
}

static void run_flood(void)
{
	VkCommandBuffer commands[FLOOD + 1];

	for (int i = 0; i <= FLOOD; i++) {
		commands[i] = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
		begin(commands[i], 0);
		if (i)
			fill(commands[i], 1);
		else
			dispatch(commands[i], 200);
		check(vkEndCommandBuffer(commands[i]), "vkEndCommandBuffer");
	}
	for (int i = 0; i <= FLOOD; i++)
		submit(1, &commands[i]);
	wait();
	expect(3, 1);
}

static void run_many(void)
{
	VkCommandBuffer commands = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	begin(commands, 0);
	for (int i = 0; i < MANY; i++)
		vkCmdFillBuffer(commands, vk.buffer, 0, 4, 1);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	submit(1, &commands);
	wait();
}

static void run_endless(void)
{
	VkCommandBuffer commands = make_commands(vk.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	record_plain(commands);
	puts("begun");
	fflush(stdout);
	for (;;) {
		submit(1, &commands);
		wait();
	}
}

static void make_all(void)
{
	make_device();
	make_buffer();
	make_layouts();
	make_set();
	make_pipeline();
	vk.pool = make_pool();
}

static void run_devices(void)
{
	for (int i = 0; i < 3; i++) {
		run_plain();
		if (i == 2)
			break;
		destroy_all();
		make_all();
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{"plain", run_plain},	      {"submit2", run_submit2},
	{"secondary", run_secondary}, {"simultaneous", run_simultaneous},
	{"again", run_again},	      {"empty", run_empty},
	{"turns", run_turns},	      {"rendering", run_rendering},
	{"devices", run_devices},     {"flood", run_flood},
	{"threads", run_threads},     {"many", run_many},
	{"endless", run_endless},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		make_all();
		modes[i].run();
		destroy_all();
		printf("%s: right\n", argv[1]);
		return 0;
	}
	fprintf(stderr, "usage: vulkan_compute MODE\n");
	return 2;
}
