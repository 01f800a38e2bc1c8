/* SPDX-License-Identifier: MIT */
/*
 * vulkan_draws MODE: a Vulkan program without a window that draws into a picture of 64 by 64 and
 * whose counts are known. Prints "MODE: right" when the picture is what it must be, or what its
 * own queries say; exit status 77: no device, or none that can do it.
 *
 *   draws      a strip of 4 vertices over all of the picture, one of 3 over half of it, twice the
 *              strip as 2 instances of one draw, and a dispatch of 10 groups of 64
 *   pass       the same draws in a render pass of an older kind
 *   own        as draws; the program's own query of statistics around the first draw, of samples
 *              around the second; prints what they counted
 *   secondary  as draws, the draws in a secondary command buffer
 *   shared     the same, of one that may run several times at once
 *   views      as draws, for two views at once
 *   many       the same for three views, and 50 times the strip behind them
 *   both       as draws, for two views at once and in a secondary command buffer
 *   overlap    as draws, of a command buffer that may be submitted again while it runs
 *   again      as draws, submitted 20 times
 *   once       as draws, recorded 6 times, submitted once each
 *   chained    as draws; the device's features stand behind others in a chain
 *   constant   the same, of structures that cannot be written
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "vulkan_shaders.h"

enum { SIDE = 64, PIXELS = SIDE * SIDE, GROUPS = 10, AGAIN = 20, ONCE = 6, MANY = 50 };

static struct {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkQueue queue;
	VkImage image;
	VkImageView view;
	VkDeviceMemory memory, pixel_memory;
	VkBuffer pixels;
	const uint32_t *words;
	VkPipelineLayout layout;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkPipeline drawing, idling;
	VkCommandPool pool;
	VkQueryPool statistics, samples;
} vk;

static struct {
	bool has_pass, has_own, has_secondary, is_shared, overlaps, is_chained, is_constant;
	uint32_t views; /* 0: it draws for one as usual */
	int further;	/* strips behind the others */
} mode;

static void check(VkResult result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "%s: %d\n", what, result);
	exit(result == VK_ERROR_INCOMPATIBLE_DRIVER || result == VK_ERROR_FEATURE_NOT_PRESENT ? 77
											      : 1);
}

/* ---- the device ---- */

static void make_instance(void)
{
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					       .apiVersion = VK_API_VERSION_1_3};
	const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					   .pApplicationInfo = &application};
	uint32_t count = 1;

	check(vkCreateInstance(&info, NULL, &vk.instance), "vkCreateInstance");
	check(vkEnumeratePhysicalDevices(vk.instance, &count, &vk.physical),
	      "vkEnumeratePhysicalDevices");
	if (!count)
		exit(77);
}

/* The program asks for queries of its own only where it uses them. */
static void make_device(void)
{
	static const float priority = 1;
	static const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority};
	static const VkPhysicalDeviceFeatures2 behind = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
	static const VkPhysicalDeviceVulkan11Features before = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
		.pNext = (void *)&behind};
	static const VkPhysicalDeviceVulkan13Features constant = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.pNext = (void *)&before,
		.dynamicRendering = VK_TRUE};
	VkPhysicalDeviceVulkan11Features views = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
		.pNext = mode.is_chained ? (void *)&behind : NULL,
		.multiview = mode.views > 0};
	VkPhysicalDeviceVulkan13Features rendering = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.pNext = &views,
		.dynamicRendering = VK_TRUE};
	const VkPhysicalDeviceFeatures features = {.pipelineStatisticsQuery = mode.has_own,
						   .occlusionQueryPrecise = mode.has_own};
	const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
					 .pNext = mode.is_constant ? (const void *)&constant
								   : &rendering,
					 .queueCreateInfoCount = 1,
					 .pQueueCreateInfos = &queue,
					 .pEnabledFeatures = mode.has_own ? &features : NULL};

	check(vkCreateDevice(vk.physical, &info, NULL, &vk.device), "vkCreateDevice");
	vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
	if (views.pNext && views.pNext != &behind)
		check(VK_ERROR_UNKNOWN, "a chain that is not the program's any more");
	if (vkGetDeviceProcAddr(vk.device, "vkAcquireProfilingLockKHR"))
		check(VK_ERROR_UNKNOWN, "a function that was not asked for");
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

static VkDeviceMemory allocate(const VkMemoryRequirements *needs)
{
	const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
					   .allocationSize = needs->size,
					   .memoryTypeIndex = find_memory(needs->memoryTypeBits)};
	VkDeviceMemory memory;

	check(vkAllocateMemory(vk.device, &info, NULL, &memory), "vkAllocateMemory");
	return memory;
}

static void make_image(void)
{
	const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
					.imageType = VK_IMAGE_TYPE_2D,
					.format = VK_FORMAT_R8G8B8A8_UNORM,
					.extent = {SIDE, SIDE, 1},
					.mipLevels = 1,
					.arrayLayers = mode.views ? mode.views : 1,
					.samples = VK_SAMPLE_COUNT_1_BIT,
					.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
						 VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
	VkImageViewCreateInfo view = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.viewType = mode.views ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
		.format = info.format,
		.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, info.arrayLayers}};
	VkMemoryRequirements needs;

	check(vkCreateImage(vk.device, &info, NULL, &vk.image), "vkCreateImage");
	vkGetImageMemoryRequirements(vk.device, vk.image, &needs);
	vk.memory = allocate(&needs);
	check(vkBindImageMemory(vk.device, vk.image, vk.memory, 0), "vkBindImageMemory");
	view.image = vk.image;
	check(vkCreateImageView(vk.device, &view, NULL, &vk.view), "vkCreateImageView");
}

static void make_pixels(void)
{
	const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
					 .size = PIXELS * 4,
					 .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
	VkMemoryRequirements needs;

	check(vkCreateBuffer(vk.device, &info, NULL, &vk.pixels), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(vk.device, vk.pixels, &needs);
	vk.pixel_memory = allocate(&needs);
	check(vkBindBufferMemory(vk.device, vk.pixels, vk.pixel_memory, 0), "vkBindBufferMemory");
	check(vkMapMemory(vk.device, vk.pixel_memory, 0, VK_WHOLE_SIZE, 0, (void **)&vk.words),
	      "vkMapMemory");
}

static void make_pass(void)
{
	const VkAttachmentDescription attachment = {
		.format = VK_FORMAT_R8G8B8A8_UNORM,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
		.storeOp = VK_ATTACHMENT_STORE_OP_STORE,
		.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
		.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
	const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
	const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
					      .pColorAttachments = &color};
	const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
					     .attachmentCount = 1,
					     .pAttachments = &attachment,
					     .subpassCount = 1,
					     .pSubpasses = &subpass};
	VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
					       .attachmentCount = 1,
					       .pAttachments = &vk.view,
					       .width = SIDE,
					       .height = SIDE,
					       .layers = 1};

	check(vkCreateRenderPass(vk.device, &info, NULL, &vk.pass), "vkCreateRenderPass");
	framebuffer.renderPass = vk.pass;
	check(vkCreateFramebuffer(vk.device, &framebuffer, NULL, &vk.framebuffer),
	      "vkCreateFramebuffer");
}

/* ---- pipelines ---- */

static VkShaderModule make_module(const uint32_t *words, size_t bytes)
{
	const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
					       .codeSize = bytes,
					       .pCode = words};
	VkShaderModule module;

	check(vkCreateShaderModule(vk.device, &info, NULL, &module), "vkCreateShaderModule");
	return module;
}

static void make_drawing(void)
{
	static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
	const VkPipelineRenderingCreateInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
		.viewMask = (1u << mode.views) - 1,
		.colorAttachmentCount = 1,
		.pColorAttachmentFormats = &format};
	const VkPipelineShaderStageCreateInfo stages[] = {
		{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		 .stage = VK_SHADER_STAGE_VERTEX_BIT,
		 .module = make_module(corner_shader, sizeof(corner_shader)),
		 .pName = "main"},
		{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		 .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
		 .module = make_module(white_shader, sizeof(white_shader)),
		 .pName = "main"}};
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
	const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
	const VkPipelineColorBlendStateCreateInfo blend = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.attachmentCount = 1,
		.pAttachments = &attachment};
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = mode.has_pass ? NULL : &rendering,
		.stageCount = 2,
		.pStages = stages,
		.pVertexInputState = &vertices,
		.pInputAssemblyState = &assembly,
		.pViewportState = &viewport,
		.pRasterizationState = &raster,
		.pMultisampleState = &samples,
		.pColorBlendState = &blend,
		.layout = vk.layout,
		.renderPass = mode.has_pass ? vk.pass : VK_NULL_HANDLE};

	check(vkCreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &vk.drawing),
	      "vkCreateGraphicsPipelines");
	for (int i = 0; i < 2; i++)
		vkDestroyShaderModule(vk.device, stages[i].module, NULL);
}

static void make_pipelines(void)
{
	const VkPipelineLayoutCreateInfo layout = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			  .module = make_module(idle_shader, sizeof(idle_shader)),
			  .pName = "main"}};

	check(vkCreatePipelineLayout(vk.device, &layout, NULL, &vk.layout), "pipeline layout");
	info.layout = vk.layout;
	check(vkCreateComputePipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &vk.idling),
	      "vkCreateComputePipelines");
	vkDestroyShaderModule(vk.device, info.stage.module, NULL);
	make_drawing();
}

static void make_rest(void)
{
	const VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
	VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
					 .queryType = VK_QUERY_TYPE_OCCLUSION,
					 .queryCount = 1};

	check(vkCreateCommandPool(vk.device, &pool, NULL, &vk.pool), "vkCreateCommandPool");
	if (!mode.has_own)
		return;
	check(vkCreateQueryPool(vk.device, &queries, NULL, &vk.samples), "vkCreateQueryPool");
	queries.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
	queries.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
				     VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT;
	check(vkCreateQueryPool(vk.device, &queries, NULL, &vk.statistics), "vkCreateQueryPool");
}

static void destroy_all(void)
{
	vkDestroyQueryPool(vk.device, vk.statistics, NULL);
	vkDestroyQueryPool(vk.device, vk.samples, NULL);
	vkDestroyCommandPool(vk.device, vk.pool, NULL);
	vkDestroyPipeline(vk.device, vk.drawing, NULL);
	vkDestroyPipeline(vk.device, vk.idling, NULL);
	vkDestroyPipelineLayout(vk.device, vk.layout, NULL);
	vkDestroyFramebuffer(vk.device, vk.framebuffer, NULL);
	vkDestroyRenderPass(vk.device, vk.pass, NULL);
	vkDestroyImageView(vk.device, vk.view, NULL);
	vkDestroyImage(vk.device, vk.image, NULL);
	vkDestroyBuffer(vk.device, vk.pixels, NULL);
	vkFreeMemory(vk.device, vk.memory, NULL);
	vkFreeMemory(vk.device, vk.pixel_memory, NULL);
	vkDestroyDevice(vk.device, NULL);
	vkDestroyInstance(vk.instance, NULL);
}

/* ---- recording ---- */

static VkCommandBuffer make_commands(VkCommandBufferLevel level)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = vk.pool,
		.level = level,
		.commandBufferCount = 1};
	VkCommandBuffer commands;

	check(vkAllocateCommandBuffers(vk.device, &info, &commands), "vkAllocateCommandBuffers");
	return commands;
}

static void begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags)
{
	static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
	const VkCommandBufferInheritanceRenderingInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
		.viewMask = (1u << mode.views) - 1,
		.colorAttachmentCount = 1,
		.pColorAttachmentFormats = &format,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
	const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
					       .flags = flags,
					       .pInheritanceInfo = &inheritance};

	check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

static void move_image(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to)
{
	const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
					      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
					      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
							       VK_ACCESS_MEMORY_WRITE_BIT,
					      .oldLayout = from,
					      .newLayout = to,
					      .image = vk.image,
					      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
								   0, mode.views ? mode.views : 1}};

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void begin_rendering(VkCommandBuffer commands)
{
	const VkRect2D area = {{0, 0}, {SIDE, SIDE}};
	const VkRenderingAttachmentInfo color = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
		.imageView = vk.view,
		.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
		.storeOp = VK_ATTACHMENT_STORE_OP_STORE};
	const VkRenderingInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
		.flags = mode.has_secondary ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT
					    : 0,
		.renderArea = area,
		.layerCount = 1,
		.viewMask = (1u << mode.views) - 1,
		.colorAttachmentCount = 1,
		.pColorAttachments = &color};
	const VkClearValue clear = {.color = {{0}}};
	const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
					    .renderPass = vk.pass,
					    .framebuffer = vk.framebuffer,
					    .renderArea = area,
					    .clearValueCount = 1,
					    .pClearValues = &clear};

	if (mode.has_pass) {
		vkCmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
		return;
	}
	move_image(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
	vkCmdBeginRendering(commands, &info);
}

/* Each with the program's own query around it, where there is one. */
static void draw(VkCommandBuffer commands)
{
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, vk.drawing);
	if (vk.statistics)
		vkCmdBeginQuery(commands, vk.statistics, 0, 0);
	vkCmdDraw(commands, 4, 1, 0, 0);
	if (vk.statistics)
		vkCmdEndQuery(commands, vk.statistics, 0);
	if (vk.samples)
		vkCmdBeginQuery(commands, vk.samples, 0, VK_QUERY_CONTROL_PRECISE_BIT);
	vkCmdDraw(commands, 3, 1, 0, 0);
	if (vk.samples)
		vkCmdEndQuery(commands, vk.samples, 0);
	vkCmdDraw(commands, 4, 2, 0, 0);
	for (int i = 0; i < mode.further; i++)
		vkCmdDraw(commands, 4, 1, 0, 0);
}

static void draw_all(VkCommandBuffer commands)
{
	VkCommandBuffer secondary;

	if (!mode.has_secondary) {
		draw(commands);
		return;
	}
	secondary = make_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
	begin(secondary,
	      VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
		      (mode.is_shared ? VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT : 0));
	draw(secondary);
	check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
	vkCmdExecuteCommands(commands, 1, &secondary);
}

static void copy_pixels(VkCommandBuffer commands)
{
	const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
					.imageExtent = {SIDE, SIDE, 1}};

	move_image(commands, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
		   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vkCmdCopyImageToBuffer(commands, vk.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, vk.pixels,
			       1, &copy);
}

static VkCommandBuffer record(void)
{
	VkCommandBuffer commands = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	begin(commands, mode.overlaps ? VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT : 0);
	if (vk.statistics)
		vkCmdResetQueryPool(commands, vk.statistics, 0, 1);
	if (vk.samples)
		vkCmdResetQueryPool(commands, vk.samples, 0, 1);
	begin_rendering(commands);
	draw_all(commands);
	if (mode.has_pass)
		vkCmdEndRenderPass(commands);
	else
		vkCmdEndRendering(commands);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk.idling);
	vkCmdDispatch(commands, GROUPS, 1, 1);
	copy_pixels(commands);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	return commands;
}

static void submit(VkCommandBuffer commands)
{
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
				   .commandBufferCount = 1,
				   .pCommandBuffers = &commands};

	check(vkQueueSubmit(vk.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	check(vkQueueWaitIdle(vk.queue), "vkQueueWaitIdle");
}

/* ---- what is right ---- */

static void look(void)
{
	for (int i = 0; i < PIXELS; i++)
		if (vk.words[i] != UINT32_MAX) {
			fprintf(stderr, "pixel %d is 0x%x\n", i, vk.words[i]);
			exit(1);
		}
}

static void print_own(void)
{
	uint64_t statistics[2] = {0}, samples = 0;

	check(vkGetQueryPoolResults(vk.device, vk.statistics, 0, 1, sizeof(statistics), statistics,
				    sizeof(statistics), VK_QUERY_RESULT_64_BIT),
	      "vkGetQueryPoolResults");
	check(vkGetQueryPoolResults(vk.device, vk.samples, 0, 1, sizeof(samples), &samples,
				    sizeof(samples), VK_QUERY_RESULT_64_BIT),
	      "vkGetQueryPoolResults");
	printf("own: %u vertices, %u primitives, %u samples\n", (unsigned)statistics[0],
	       (unsigned)statistics[1], (unsigned)samples);
}

static int set_mode(const char *name)
{
	int records = 1;

	mode.has_secondary = strcmp(name, "secondary") == 0 || strcmp(name, "shared") == 0 ||
			     strcmp(name, "both") == 0;
	mode.is_shared = strcmp(name, "shared") == 0;
	if (strcmp(name, "pass") == 0)
		mode.has_pass = true;
	else if (strcmp(name, "own") == 0)
		mode.has_own = true;
	else if (strcmp(name, "views") == 0 || strcmp(name, "both") == 0)
		mode.views = 2;
	else if (strcmp(name, "many") == 0)
		mode.views = 3;
	else if (strcmp(name, "overlap") == 0)
		mode.overlaps = true;
	else if (strcmp(name, "once") == 0)
		records = ONCE;
	else if (strcmp(name, "chained") == 0)
		mode.is_chained = true;
	else if (strcmp(name, "constant") == 0)
		mode.is_constant = true;
	else if (!mode.has_secondary && strcmp(name, "draws") != 0 && strcmp(name, "again") != 0)
		records = 0;
	return records;
}

int main(int argc, char **argv)
{
	int records = argc == 2 ? set_mode(argv[1]) : 0;
	int submits = argc == 2 && strcmp(argv[1], "again") == 0 ? AGAIN : 1;

	mode.further = mode.views == 3 ? MANY : 0;
	if (!records) {
		fprintf(stderr, "usage: vulkan_draws MODE\n");
		return 2;
	}
	make_instance();
	make_device();
	make_image();
	make_pixels();
	if (mode.has_pass)
		make_pass();
	make_pipelines();
	make_rest();
	for (int i = 0; i < records; i++) {
		VkCommandBuffer commands = record();

		for (int k = 0; k < submits; k++)
			submit(commands);
	}
	look();
	if (mode.has_own)
		print_own();
	else
		printf("%s: right\n", argv[1]);
	destroy_all();
	return 0;
}
