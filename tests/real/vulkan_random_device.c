/* SPDX-License-Identifier: MIT */
/* What a program made by chance has before it begins: a device, and of each lane its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vulkan_random.h"
#include "vulkan_shaders.h"

enum { SPINS = 3, SIDE = 16 };

void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, result);
	exit(1);
}

const VkAllocationCallbacks *allocator;

/* ---- the device ---- */

static void find_device(struct device *vk)
{
	static const VkAllocationCallbacks nobodys;
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					       .apiVersion = VK_API_VERSION_1_3};
	const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					   .pApplicationInfo = &application};
	VkPhysicalDeviceProperties properties;
	uint32_t count = 1;

	if (vkCreateInstance(&info, NULL, &vk->instance) ||
	    vkEnumeratePhysicalDevices(vk->instance, &count, &vk->physical) < 0 || !count)
		exit(NO_DEVICE);
	vkGetPhysicalDeviceProperties(vk->physical, &properties);
	if (properties.apiVersion < VK_API_VERSION_1_3)
		exit(NO_DEVICE);
	vk->is_fake = !strncmp(properties.deviceName, "fake", 4);
	if (vk->is_fake)
		allocator = &nobodys;
	vk->draws_by_tile = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
	/* a driver that fills all that there is room for has so many: it is asked */
	vkGetPhysicalDeviceQueueFamilyProperties(vk->physical, &vk->family_count, NULL);
	if (vk->family_count > FAMILIES_MAX)
		vk->family_count = FAMILIES_MAX;
	vkGetPhysicalDeviceQueueFamilyProperties(vk->physical, &vk->family_count, vk->families);
}

static void find_extensions(struct device *vk, const char **names, uint32_t *out_count)
{
	VkExtensionProperties all[512];
	uint32_t count = sizeof(all) / sizeof(*all);

	if (vkEnumerateDeviceExtensionProperties(vk->physical, NULL, &count, all) < 0)
		return;
	for (uint32_t i = 0; i < count; i++) {
		if (!strcmp(all[i].extensionName, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)) {
			vk->has_pushes = true;
			names[(*out_count)++] = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
		}
		if (!strcmp(all[i].extensionName, VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME)) {
			vk->has_conditions = true;
			names[(*out_count)++] = VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME;
		}
	}
}

static void create_device(struct device *vk, const VkDeviceQueueCreateInfo *queues)
{
	const char *names[2];
	VkPhysicalDeviceConditionalRenderingFeaturesEXT conditions = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
		.conditionalRendering = VK_TRUE};
	VkPhysicalDeviceVulkan13Features newer = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE};
	VkPhysicalDeviceVulkan12Features features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = &newer,
		.timelineSemaphore = VK_TRUE};
	VkPhysicalDeviceFeatures there, wanted = {0};
	VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
				   .pNext = &features,
				   .queueCreateInfoCount = vk->family_count,
				   .pQueueCreateInfos = queues,
				   .ppEnabledExtensionNames = names,
				   .pEnabledFeatures = &wanted};

	find_extensions(vk, names, &info.enabledExtensionCount);
	if (vk->has_conditions)
		newer.pNext = &conditions;
	vkGetPhysicalDeviceFeatures(vk->physical, &there);
	wanted.pipelineStatisticsQuery = there.pipelineStatisticsQuery;
	wanted.occlusionQueryPrecise = there.occlusionQueryPrecise;
	vk->has_statistics = there.pipelineStatisticsQuery && there.occlusionQueryPrecise;
	check(vkCreateDevice(vk->physical, &info, NULL, &vk->device), "vkCreateDevice");
}

static void create_queues(struct device *vk)
{
	static const float priorities[QUEUES_MAX] = {1, 1};
	VkDeviceQueueCreateInfo queues[FAMILIES_MAX];

	for (uint32_t i = 0; i < vk->family_count; i++) {
		uint32_t count = vk->families[i].queueCount;

		queues[i] = (VkDeviceQueueCreateInfo){
			.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
			.queueFamilyIndex = i,
			.queueCount = count < QUEUES_MAX ? count : QUEUES_MAX,
			.pQueuePriorities = priorities};
		for (uint32_t k = 0; k < QUEUES_MAX; k++)
			pthread_mutex_init(&vk->locks[i][k], NULL);
	}
	create_device(vk, queues);
	vk->push = (PFN_vkCmdPushDescriptorSetKHR)vkGetDeviceProcAddr(vk->device,
								      "vkCmdPushDescriptorSetKHR");
	vk->begin_condition = (PFN_vkCmdBeginConditionalRenderingEXT)vkGetDeviceProcAddr(
		vk->device, "vkCmdBeginConditionalRenderingEXT");
	vk->end_condition = (PFN_vkCmdEndConditionalRenderingEXT)vkGetDeviceProcAddr(
		vk->device, "vkCmdEndConditionalRenderingEXT");
	vk->has_pushes &= vk->push != NULL;
	vk->has_conditions &= vk->begin_condition && vk->end_condition;
}

/* ---- memory ---- */

static uint32_t find_memory(const struct device *vk, uint32_t allowed)
{
	const VkMemoryPropertyFlags wanted =
		VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkPhysicalDeviceMemoryProperties memory;

	vkGetPhysicalDeviceMemoryProperties(vk->physical, &memory);
	for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
		if (allowed >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
			return i;
	exit(NO_DEVICE);
}

static VkBuffer make_buffer(const struct device *vk, VkDeviceSize bytes, VkDeviceMemory *out_memory,
			    uint32_t **out_words)
{
	VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = bytes,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
			 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
	VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
	VkMemoryRequirements needs;
	VkBuffer buffer;

	if (vk->has_conditions)
		info.usage |= VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
	check(vkCreateBuffer(vk->device, &info, allocator, &buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(vk->device, buffer, &needs);
	memory.allocationSize = needs.size;
	memory.memoryTypeIndex = find_memory(vk, needs.memoryTypeBits);
	check(vkAllocateMemory(vk->device, &memory, allocator, out_memory), "vkAllocateMemory");
	check(vkBindBufferMemory(vk->device, buffer, *out_memory, 0), "vkBindBufferMemory");
	check(vkMapMemory(vk->device, *out_memory, 0, VK_WHOLE_SIZE, 0, (void **)out_words),
	      "vkMapMemory");
	memset(*out_words, 0, bytes);
	return buffer;
}

static void make_numbers(struct device *vk)
{
	uint32_t *words;

	vk->numbers = make_buffer(vk, 256, &vk->number_memory, &words);
	words[ONE_AT / 4] = 1;
	for (int i = 0; i < 3; i++)
		words[GROUPS_AT / 4 + i] = 1;
	words[NO_GROUPS_AT / 4 + 1] = words[NO_GROUPS_AT / 4 + 2] = 1;
	words[DRAW_AT / 4] = 4;
	words[DRAW_AT / 4 + 1] = 1;
}

/* ---- pipelines ---- */

static VkShaderModule make_module(const struct device *vk, const uint32_t *words, size_t bytes)
{
	const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
					       .codeSize = bytes,
					       .pCode = words};
	VkShaderModule module;

	check(vkCreateShaderModule(vk->device, &info, NULL, &module), "vkCreateShaderModule");
	return module;
}

static VkPipeline make_spin(const struct device *vk, VkPipelineLayout layout)
{
	uint32_t code[sizeof(spin_code) / sizeof(*spin_code)];
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			  .pName = "main"},
		.layout = layout};
	VkPipeline pipeline;

	for (size_t i = 0; i < sizeof(code) / sizeof(*code); i++)
		code[i] = spin_code[i] == SPIN_ROUNDS ? SPINS : spin_code[i];
	info.stage.module = make_module(vk, code, sizeof(code));
	check(vkCreateComputePipelines(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateComputePipelines");
	vkDestroyShaderModule(vk->device, info.stage.module, NULL);
	return pipeline;
}

static void make_layouts(struct device *vk)
{
	const VkDescriptorSetLayoutBinding binding = {.descriptorType =
							      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
						      .descriptorCount = 1,
						      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
	VkDescriptorSetLayoutCreateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1,
		.pBindings = &binding};
	VkPipelineLayoutCreateInfo layout = {.sType =
						     VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};

	check(vkCreatePipelineLayout(vk->device, &layout, NULL, &vk->empty), "a layout");
	check(vkCreateDescriptorSetLayout(vk->device, &set, NULL, &vk->set_layout), "a set layout");
	layout.setLayoutCount = 1;
	layout.pSetLayouts = &vk->set_layout;
	check(vkCreatePipelineLayout(vk->device, &layout, NULL, &vk->layout), "a layout");
	vk->spin = make_spin(vk, vk->layout);
	if (!vk->has_pushes)
		return;
	set.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
	check(vkCreateDescriptorSetLayout(vk->device, &set, NULL, &vk->push_layout),
	      "a layout of pushes");
	layout.pSetLayouts = &vk->push_layout;
	check(vkCreatePipelineLayout(vk->device, &layout, NULL, &vk->pushed), "a layout");
	vk->pushed_spin = make_spin(vk, vk->pushed);
}

/* Without attachments: what is drawn is seen by the program's own queries alone. */
static void make_pass(struct device *vk)
{
	const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
	const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
					     .subpassCount = 1,
					     .pSubpasses = &subpass};
	VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
					       .width = SIDE,
					       .height = SIDE,
					       .layers = 1};

	check(vkCreateRenderPass(vk->device, &info, NULL, &vk->pass), "vkCreateRenderPass");
	framebuffer.renderPass = vk->pass;
	check(vkCreateFramebuffer(vk->device, &framebuffer, NULL, &vk->framebuffer),
	      "vkCreateFramebuffer");
}

static VkPipeline make_drawing(const struct device *vk, VkRenderPass pass)
{
	const VkPipelineRenderingCreateInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
	const VkPipelineShaderStageCreateInfo stage = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.stage = VK_SHADER_STAGE_VERTEX_BIT,
		.module = make_module(vk, corner_shader, sizeof(corner_shader)),
		.pName = "main"};
	const VkPipelineVertexInputStateCreateInfo vertices = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
	const VkViewport view = {0, 0, SIDE, SIDE, 0, 1};
	const VkRect2D scissor = {{0, 0}, {SIDE, SIDE}};
	const VkPipelineViewportStateCreateInfo viewport = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
		.viewportCount = 1,
		.pViewports = &view,
		.scissorCount = 1,
		.pScissors = &scissor};
	const VkPipelineRasterizationStateCreateInfo raster = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.lineWidth = 1};
	const VkPipelineMultisampleStateCreateInfo samples = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = pass ? NULL : &rendering,
		.stageCount = 1,
		.pStages = &stage,
		.pVertexInputState = &vertices,
		.pInputAssemblyState = &assembly,
		.pViewportState = &viewport,
		.pRasterizationState = &raster,
		.pMultisampleState = &samples,
		.layout = vk->empty,
		.renderPass = pass};
	VkPipeline pipeline;

	check(vkCreateGraphicsPipelines(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateGraphicsPipelines");
	vkDestroyShaderModule(vk->device, stage.module, NULL);
	return pipeline;
}

void make_device(struct device *vk)
{
	find_device(vk);
	create_queues(vk);
	make_numbers(vk);
	make_layouts(vk);
	make_pass(vk);
	vk->pass_drawing = make_drawing(vk, vk->pass);
	vk->drawing = make_drawing(vk, VK_NULL_HANDLE);
}

static void free_pipelines(const struct device *vk)
{
	vkDestroyPipeline(vk->device, vk->spin, NULL);
	vkDestroyPipeline(vk->device, vk->pass_drawing, NULL);
	vkDestroyPipeline(vk->device, vk->drawing, NULL);
	vkDestroyPipelineLayout(vk->device, vk->layout, NULL);
	vkDestroyPipelineLayout(vk->device, vk->empty, NULL);
	vkDestroyDescriptorSetLayout(vk->device, vk->set_layout, NULL);
	if (!vk->has_pushes)
		return;
	vkDestroyPipeline(vk->device, vk->pushed_spin, NULL);
	vkDestroyPipelineLayout(vk->device, vk->pushed, NULL);
	vkDestroyDescriptorSetLayout(vk->device, vk->push_layout, NULL);
}

void free_device(struct device *vk)
{
	free_pipelines(vk);
	vkDestroyFramebuffer(vk->device, vk->framebuffer, NULL);
	vkDestroyRenderPass(vk->device, vk->pass, NULL);
	vkDestroyBuffer(vk->device, vk->numbers, NULL);
	vkFreeMemory(vk->device, vk->number_memory, NULL);
	vkDestroyDevice(vk->device, NULL);
	vkDestroyInstance(vk->instance, NULL);
}

/* ---- lanes ---- */

static VkQueryPool make_queries(const struct device *vk, VkQueryType kind,
				VkQueryPipelineStatisticFlags statistics)
{
	const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
					    .queryType = kind,
					    .queryCount = QUERIES,
					    .pipelineStatistics = statistics};
	VkQueryPool pool;

	check(vkCreateQueryPool(vk->device, &info, allocator, &pool), "vkCreateQueryPool");
	return pool;
}

static VkDescriptorSet make_set(struct lane *lane)
{
	const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
	const VkDescriptorPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 1,
		.pPoolSizes = &size};
	VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
					    .descriptorSetCount = 1,
					    .pSetLayouts = &lane->vk->set_layout};
	const VkDescriptorBufferInfo whole = {lane->buffer, 0, VK_WHOLE_SIZE};
	VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
				      .descriptorCount = 1,
				      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
				      .pBufferInfo = &whole};

	check(vkCreateDescriptorPool(lane->vk->device, &pool, NULL, &lane->descriptors),
	      "vkCreateDescriptorPool");
	info.descriptorPool = lane->descriptors;
	check(vkAllocateDescriptorSets(lane->vk->device, &info, &write.dstSet),
	      "vkAllocateDescriptorSets");
	vkUpdateDescriptorSets(lane->vk->device, 1, &write, 0, NULL);
	return write.dstSet;
}

static void make_signals(struct lane *lane)
{
	const VkSemaphoreTypeCreateInfo kind = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
	const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
						 .pNext = &kind};
	const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
	const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
	VkDevice device = lane->vk->device;

	check(vkCreateSemaphore(device, &semaphore, NULL, &lane->line), "vkCreateSemaphore");
	check(vkCreateFence(device, &fence, allocator, &lane->fence), "vkCreateFence");
	if (!lane->vk->is_fake)
		check(vkCreateEvent(device, &event, NULL, &lane->event), "vkCreateEvent");
}

void make_lane(struct lane *lane, struct device *vk, uint32_t family, uint32_t number)
{
	const VkQueueFamilyProperties *queues = &vk->families[family];
	const VkQueryPipelineStatisticFlags statistics =
		VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT |
		VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT;

	lane->vk = vk;
	lane->family = family;
	lane->queue_number = number;
	vk->users[family][number]++;
	vkGetDeviceQueue(vk->device, family, number, &lane->queue);
	lane->only_transfers =
		!(queues->queueFlags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT));
	lane->is_timed = queues->timestampValidBits >= 32;
	lane->buffer = make_buffer(vk, WORDS * 4, &lane->memory, &lane->words);
	lane->set = make_set(lane);
	make_signals(lane);
	if (queues->timestampValidBits && !lane->only_transfers)
		lane->times = make_queries(vk, VK_QUERY_TYPE_TIMESTAMP, 0);
	if (!vk->has_statistics)
		return;
	lane->samples = make_queries(vk, VK_QUERY_TYPE_OCCLUSION, 0);
	lane->statistics = make_queries(vk, VK_QUERY_TYPE_PIPELINE_STATISTICS, statistics);
}

void free_lane(struct lane *lane)
{
	VkDevice device = lane->vk->device;

	vkDestroyCommandPool(device, lane->pool, NULL);
	vkDestroySemaphore(device, lane->line, NULL);
	vkDestroyFence(device, lane->fence, NULL);
	vkDestroyBuffer(device, lane->buffer, NULL);
	vkFreeMemory(device, lane->memory, NULL);
	vkDestroyDescriptorPool(device, lane->descriptors, NULL);
	if (lane->event)
		vkDestroyEvent(device, lane->event, NULL);
	if (lane->times)
		vkDestroyQueryPool(device, lane->times, NULL);
	if (!lane->samples)
		return;
	vkDestroyQueryPool(device, lane->samples, NULL);
	vkDestroyQueryPool(device, lane->statistics, NULL);
}
