/* SPDX-License-Identifier: MIT */
/*
 * vulkan_frames MODE: a Vulkan program without a window that names what it does, known by number.
 * Prints "MODE: right"; exit status 77: no device, or none that has what the mode needs.
 *
 *   frames  12 submits of a draw and a fill that tell of frames: the second to the eleventh end
 *           one each, the fourth and the fifth the same one
 *   labels  3 submits of a buffer whose labels lie in each other, end too often and are colored,
 *           the last two in a label of the queue; then two buffers that a label goes over
 *   passes  2 submits of a pass with two parts and a name, one without, one of a secondary, and a
 *           rendering; the name of a pass that is destroyed is not that of the next one
 *   deep    a submit of 100 labels in each other
 *   parts   4 draws by a pipeline that was made at once, and 2 by one that was put together from
 * two (VK_EXT_graphics_pipeline_library), its code given with one of these
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { SIZE = 16, FRAMES = 12, DEEP = 100, BYTES = 1024 };

/*
 * #version 450
 * void main() { gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1, 0, 1); }
 */
static const uint32_t shader[] = {
	0x7230203,  0x10000,	0x8000b,    0x1e,    0x0,     0x20011, 0x1,	0x6000b,    0x1,
	0x4c534c47, 0x6474732e, 0x3035342e, 0x0,     0x3000e, 0x0,     0x1,	0x7000f,    0x0,
	0x4,	    0x6e69616d, 0x0,	    0xd,     0x11,    0x50048, 0xb,	0x0,	    0xb,
	0x0,	    0x50048,	0xb,	    0x1,     0xb,     0x1,     0x50048, 0xb,	    0x2,
	0xb,	    0x3,	0x50048,    0xb,     0x3,     0xb,     0x4,	0x30047,    0xb,
	0x2,	    0x40047,	0x11,	    0xb,     0x2a,    0x20013, 0x2,	0x30021,    0x3,
	0x2,	    0x30016,	0x6,	    0x20,    0x40017, 0x7,     0x6,	0x4,	    0x40015,
	0x8,	    0x20,	0x0,	    0x4002b, 0x8,     0x9,     0x1,	0x4001c,    0xa,
	0x6,	    0x9,	0x6001e,    0xb,     0x7,     0x6,     0xa,	0xa,	    0x40020,
	0xc,	    0x3,	0xb,	    0x4003b, 0xc,     0xd,     0x3,	0x40015,    0xe,
	0x20,	    0x1,	0x4002b,    0xe,     0xf,     0x0,     0x40020, 0x10,	    0x1,
	0xe,	    0x4003b,	0x10,	    0x11,    0x1,     0x4002b, 0xe,	0x13,	    0x1,
	0x4002b,    0x6,	0x19,	    0x0,     0x4002b, 0x6,     0x1a,	0x3f800000, 0x40020,
	0x1c,	    0x3,	0x7,	    0x50036, 0x2,     0x4,     0x0,	0x3,	    0x200f8,
	0x5,	    0x4003d,	0xe,	    0x12,    0x11,    0x500c7, 0xe,	0x14,	    0x12,
	0x13,	    0x4006f,	0x6,	    0x15,    0x14,    0x4003d, 0xe,	0x16,	    0x11,
	0x500c3,    0xe,	0x17,	    0x16,    0x13,    0x4006f, 0x6,	0x18,	    0x17,
	0x70050,    0x7,	0x1b,	    0x15,    0x18,    0x19,    0x1a,	0x50041,    0x1c,
	0x1d,	    0xd,	0xf,	    0x3003e, 0x1d,    0x1b,    0x100fd, 0x10038,
};

/* As the registry has it since Vulkan 1.3.243; Debian 12's headers lack it. */
struct frame_boundary {
	uint32_t type;
	const void *next;
	uint32_t flags;
	uint64_t frame;
	uint32_t image_count;
	const VkImage *images;
	uint32_t buffer_count;
	const VkBuffer *buffers;
	uint64_t tag_name;
	size_t tag_bytes;
	const void *tag;
};

enum { FRAME_BOUNDARY = 1000375001, FRAME_ENDS = 1 };

static struct {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkQueue queue;
	VkCommandPool pool;
	VkBuffer buffer;
	VkDeviceMemory memory;
	VkPipelineLayout layout;
	VkShaderModule module;
	PFN_vkSetDebugUtilsObjectNameEXT name;
	PFN_vkCmdBeginDebugUtilsLabelEXT begin;
	PFN_vkCmdEndDebugUtilsLabelEXT end;
	PFN_vkCmdInsertDebugUtilsLabelEXT insert;
	PFN_vkQueueBeginDebugUtilsLabelEXT queue_begin;
	PFN_vkQueueEndDebugUtilsLabelEXT queue_end;
	PFN_vkQueueInsertDebugUtilsLabelEXT queue_insert;
} vk;

static bool has_parts;

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, result);
	exit(1);
}

/* ---- making things ---- */

static void make_instance(void)
{
	static const char *const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					       .apiVersion = VK_API_VERSION_1_3};
	const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					   .pApplicationInfo = &application,
					   .enabledExtensionCount = 1,
					   .ppEnabledExtensionNames = &extension};
	uint32_t count = 1;

	if (vkCreateInstance(&info, NULL, &vk.instance) ||
	    vkEnumeratePhysicalDevices(vk.instance, &count, &vk.physical) < 0 || !count)
		exit(77);
}

#define GET(member, function) \
	(vk.member = (PFN_##function)vkGetDeviceProcAddr(vk.device, #function)) != NULL

static void make_device(void)
{
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
					       .queueCount = 1,
					       .pQueuePriorities = &priority};
	const VkPhysicalDeviceVulkan13Features features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.dynamicRendering = VK_TRUE};
	VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT parts = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
		.pNext = (void *)&features,
		.graphicsPipelineLibrary = VK_TRUE};
	static const char *const part_names[] = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
						 VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
	const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
					 .pNext = has_parts ? (const void *)&parts : &features,
					 .queueCreateInfoCount = 1,
					 .pQueueCreateInfos = &queue,
					 .enabledExtensionCount = has_parts ? 2 : 0,
					 .ppEnabledExtensionNames = part_names};
	VkResult result = vkCreateDevice(vk.physical, &info, NULL, &vk.device);

	if (result == VK_ERROR_EXTENSION_NOT_PRESENT || result == VK_ERROR_FEATURE_NOT_PRESENT)
		exit(77);
	check(result, "vkCreateDevice");
	vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
	if (!(GET(name, vkSetDebugUtilsObjectNameEXT) && GET(begin, vkCmdBeginDebugUtilsLabelEXT) &&
	      GET(end, vkCmdEndDebugUtilsLabelEXT) && GET(insert, vkCmdInsertDebugUtilsLabelEXT) &&
	      GET(queue_begin, vkQueueBeginDebugUtilsLabelEXT) &&
	      GET(queue_end, vkQueueEndDebugUtilsLabelEXT) &&
	      GET(queue_insert, vkQueueInsertDebugUtilsLabelEXT)))
		exit(77);
}

static void make_pool(void)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};

	check(vkCreateCommandPool(vk.device, &info, NULL, &vk.pool), "vkCreateCommandPool");
}

static void make_buffer(void)
{
	const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
					 .size = BYTES,
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

static void make_shader(void)
{
	const VkShaderModuleCreateInfo module = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof(shader),
		.pCode = shader};
	const VkPipelineLayoutCreateInfo layout = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};

	check(vkCreateShaderModule(vk.device, &module, NULL, &vk.module), "vkCreateShaderModule");
	check(vkCreatePipelineLayout(vk.device, &layout, NULL, &vk.layout), "pipeline layout");
}

/* Of as many parts, without pictures. */
static VkRenderPass make_pass(uint32_t parts)
{
	const VkSubpassDescription subpasses[2] = {
		{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS},
		{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS}};
	const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
					     .subpassCount = parts,
					     .pSubpasses = subpasses};
	VkRenderPass pass;

	check(vkCreateRenderPass(vk.device, &info, NULL, &pass), "vkCreateRenderPass");
	return pass;
}

static VkFramebuffer make_framebuffer(VkRenderPass pass)
{
	const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
					      .renderPass = pass,
					      .width = SIZE,
					      .height = SIZE,
					      .layers = 1};
	VkFramebuffer framebuffer;

	check(vkCreateFramebuffer(vk.device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
	return framebuffer;
}

/* Draws nothing that could be seen. VK_NULL_HANDLE: outside of a pass object. */
static VkPipeline make_pipeline(VkRenderPass pass, uint32_t part)
{
	const VkPipelineShaderStageCreateInfo stage = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.stage = VK_SHADER_STAGE_VERTEX_BIT,
		.module = vk.module,
		.pName = "main"};
	const VkPipelineVertexInputStateCreateInfo input = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
	const VkPipelineRasterizationStateCreateInfo rasterization = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.rasterizerDiscardEnable = VK_TRUE,
		.lineWidth = 1};
	const VkPipelineRenderingCreateInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = pass ? NULL : &rendering,
		.stageCount = 1,
		.pStages = &stage,
		.pVertexInputState = &input,
		.pInputAssemblyState = &assembly,
		.pRasterizationState = &rasterization,
		.layout = vk.layout,
		.renderPass = pass,
		.subpass = part};
	VkPipeline pipeline;

	check(vkCreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateGraphicsPipelines");
	return pipeline;
}

static void give_name(VkObjectType kind, uint64_t object, const char *name)
{
	const VkDebugUtilsObjectNameInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = kind,
		.objectHandle = object,
		.pObjectName = name};

	check(vk.name(vk.device, &info), "vkSetDebugUtilsObjectNameEXT");
}

static void destroy_all(void)
{
	vkDestroyCommandPool(vk.device, vk.pool, NULL);
	vkDestroyShaderModule(vk.device, vk.module, NULL);
	vkDestroyPipelineLayout(vk.device, vk.layout, NULL);
	vkDestroyBuffer(vk.device, vk.buffer, NULL);
	vkFreeMemory(vk.device, vk.memory, NULL);
	vkDestroyDevice(vk.device, NULL);
	vkDestroyInstance(vk.instance, NULL);
}

/* A part of one: what stands in front of its shader, or the rest. */
static VkPipeline make_part(VkRenderPass pass, VkGraphicsPipelineLibraryFlagsEXT what)
{
	const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
					       .codeSize = sizeof(shader),
					       .pCode = shader};
	const VkPipelineShaderStageCreateInfo stage = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.pNext = &code,
		.stage = VK_SHADER_STAGE_VERTEX_BIT,
		.pName = "main"};
	const VkPipelineVertexInputStateCreateInfo input = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
	const VkPipelineRasterizationStateCreateInfo rasterization = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.rasterizerDiscardEnable = VK_TRUE,
		.lineWidth = 1};
	const VkGraphicsPipelineLibraryCreateInfoEXT library = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
		.flags = what};
	bool has_shader = what & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = &library,
		.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
		.stageCount = has_shader,
		.pStages = &stage,
		.pVertexInputState = &input,
		.pInputAssemblyState = &assembly,
		.pRasterizationState = &rasterization,
		.layout = vk.layout,
		.renderPass = pass};
	VkPipeline pipeline;

	check(vkCreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateGraphicsPipelines of a part");
	return pipeline;
}

static VkPipeline put_together(VkRenderPass pass)
{
	VkPipeline parts[2] = {
		make_part(pass, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT),
		make_part(pass, VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT)};
	const VkPipelineLibraryCreateInfoKHR libraries = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
		.libraryCount = 2,
		.pLibraries = parts};
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = &libraries,
		.layout = vk.layout};
	VkPipeline pipeline;

	check(vkCreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateGraphicsPipelines of parts");
	for (int i = 0; i < 2; i++)
		vkDestroyPipeline(vk.device, parts[i], NULL);
	return pipeline;
}

/* ---- recording and submitting ---- */

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

/* `pass`: that a secondary one is run in; VK_NULL_HANDLE: none. */
static void begin(VkCommandBuffer commands, VkRenderPass pass)
{
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = pass};
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = pass ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0,
		.pInheritanceInfo = &inheritance};

	check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

static void end(VkCommandBuffer commands)
{
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

static void submit(VkCommandBuffer commands, const void *chained)
{
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
				   .pNext = chained,
				   .commandBufferCount = 1,
				   .pCommandBuffers = &commands};

	check(vkQueueSubmit(vk.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	check(vkQueueWaitIdle(vk.queue), "vkQueueWaitIdle");
}

static void fill(VkCommandBuffer commands)
{
	vkCmdFillBuffer(commands, vk.buffer, 0, VK_WHOLE_SIZE, 1);
}

static void begin_label(VkCommandBuffer commands, const char *name)
{
	const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
					    .pLabelName = name};

	vk.begin(commands, &label);
}

static void begin_pass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
		       VkSubpassContents contents)
{
	const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
					    .renderPass = pass,
					    .framebuffer = framebuffer,
					    .renderArea = {{0, 0}, {SIZE, SIZE}}};

	vkCmdBeginRenderPass(commands, &info, contents);
}

static void draw(VkCommandBuffer commands, VkPipeline pipeline, int count)
{
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	for (int i = 0; i < count; i++)
		vkCmdDraw(commands, 3, 1, 0, 0);
}

/* ---- modes ---- */

static void run_frames(void)
{
	VkCommandBuffer commands = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	VkRenderPass pass = make_pass(1);
	VkFramebuffer framebuffer = make_framebuffer(pass);
	VkPipeline pipeline = make_pipeline(pass, 0);

	begin(commands, VK_NULL_HANDLE);
	begin_pass(commands, pass, framebuffer, VK_SUBPASS_CONTENTS_INLINE);
	draw(commands, pipeline, 1);
	vkCmdEndRenderPass(commands);
	fill(commands);
	end(commands);
	for (uint64_t i = 0; i < FRAMES; i++) {
		const struct frame_boundary boundary = {.type = FRAME_BOUNDARY,
							.flags = i + 1 < FRAMES ? FRAME_ENDS : 0,
							.frame = i == 4 ? 3 : i};

		submit(commands, &boundary);
	}
	vkDestroyPipeline(vk.device, pipeline, NULL);
	vkDestroyFramebuffer(vk.device, framebuffer, NULL);
	vkDestroyRenderPass(vk.device, pass, NULL);
}

/* The second of two ends what the first began. */
static void run_open_labels(void)
{
	VkCommandBuffer first = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	VkCommandBuffer second = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	begin(first, VK_NULL_HANDLE);
	begin_label(first, "over");
	fill(first);
	end(first);
	begin(second, VK_NULL_HANDLE);
	fill(second);
	vk.end(second);
	fill(second);
	end(second);
	submit(first, NULL);
	check(vkResetCommandBuffer(first, 0), "vkResetCommandBuffer");
	submit(second, NULL);
}

static void run_labels(void)
{
	const VkDebugUtilsLabelEXT red = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
					  .pLabelName = "red",
					  .color = {1, 0, 0, 1}};
	const VkDebugUtilsLabelEXT queue = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
					    .pLabelName = "of the queue"};
	VkCommandBuffer commands = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	VkCommandBuffer secondary = make_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
	char name[] = "outer";

	begin(secondary, VK_NULL_HANDLE);
	begin_label(secondary, "in a secondary");
	fill(secondary);
	vk.end(secondary);
	end(secondary);
	begin(commands, VK_NULL_HANDLE);
	begin_label(commands, name);
	memset(name, 'x', 5); /* it was copied */
	fill(commands);
	vk.begin(commands, &red);
	fill(commands);
	fill(commands);
	vk.insert(commands, &red);
	vkCmdExecuteCommands(commands, 1, &secondary);
	vk.end(commands);
	vk.end(commands);
	vk.end(commands); /* of nothing */
	fill(commands);
	end(commands);
	give_name(VK_OBJECT_TYPE_QUEUE, (uintptr_t)vk.queue, "main queue");
	submit(commands, NULL);
	vk.queue_insert(vk.queue, &queue);
	vk.queue_begin(vk.queue, &queue);
	submit(commands, NULL);
	submit(commands, NULL);
	vk.queue_end(vk.queue);
	vk.queue_end(vk.queue); /* of nothing */
	run_open_labels();
}

/* A name goes with its object, though the handle may come again. */
static void run_renamed(VkCommandBuffer commands)
{
	VkRenderPass pass = make_pass(1);
	VkFramebuffer framebuffer;

	give_name(VK_OBJECT_TYPE_RENDER_PASS, (uint64_t)(uintptr_t)pass, "gone");
	vkDestroyRenderPass(vk.device, pass, NULL);
	pass = make_pass(1);
	framebuffer = make_framebuffer(pass);
	begin(commands, VK_NULL_HANDLE);
	begin_pass(commands, pass, framebuffer, VK_SUBPASS_CONTENTS_INLINE);
	vkCmdEndRenderPass(commands);
	end(commands);
	submit(commands, NULL);
	vkDestroyFramebuffer(vk.device, framebuffer, NULL);
	vkDestroyRenderPass(vk.device, pass, NULL);
}

static void record_passes(VkCommandBuffer commands, VkCommandBuffer secondary,
			  const VkRenderPass *passes, const VkFramebuffer *framebuffers,
			  const VkPipeline *pipelines)
{
	const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
					   .renderArea = {{0, 0}, {SIZE, 2 * SIZE}},
					   .layerCount = 1};

	begin(secondary, passes[1]);
	draw(secondary, pipelines[2], 4);
	end(secondary);
	begin(commands, VK_NULL_HANDLE);
	begin_label(commands, "scene");
	begin_pass(commands, passes[0], framebuffers[0], VK_SUBPASS_CONTENTS_INLINE);
	draw(commands, pipelines[0], 3);
	vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
	begin_label(commands, "lights");
	draw(commands, pipelines[1], 2);
	vkCmdEndRenderPass(commands);
	vk.end(commands);
	begin_pass(commands, passes[1], framebuffers[1],
		   VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
	vkCmdExecuteCommands(commands, 1, &secondary);
	vkCmdEndRenderPass(commands);
	vk.end(commands);
	vkCmdBeginRendering(commands, &rendering);
	draw(commands, pipelines[3], 1);
	vkCmdEndRendering(commands);
	end(commands);
}

static void run_passes(void)
{
	VkRenderPass passes[2] = {make_pass(2), make_pass(1)};
	VkFramebuffer framebuffers[2] = {make_framebuffer(passes[0]), make_framebuffer(passes[1])};
	VkPipeline pipelines[4] = {make_pipeline(passes[0], 0), make_pipeline(passes[0], 1),
				   make_pipeline(passes[1], 0), make_pipeline(VK_NULL_HANDLE, 0)};
	VkCommandBuffer commands = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	VkCommandBuffer secondary = make_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);

	give_name(VK_OBJECT_TYPE_RENDER_PASS, (uint64_t)(uintptr_t)passes[0], "shadows");
	give_name(VK_OBJECT_TYPE_FRAMEBUFFER, (uint64_t)(uintptr_t)framebuffers[1], "the screen");
	give_name(VK_OBJECT_TYPE_COMMAND_BUFFER, (uintptr_t)commands, "all of it");
	record_passes(commands, secondary, passes, framebuffers, pipelines);
	submit(commands, NULL);
	submit(commands, NULL);
	for (int i = 0; i < 4; i++)
		vkDestroyPipeline(vk.device, pipelines[i], NULL);
	for (int i = 0; i < 2; i++) {
		vkDestroyFramebuffer(vk.device, framebuffers[i], NULL);
		vkDestroyRenderPass(vk.device, passes[i], NULL);
	}
	run_renamed(make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY));
}

static void run_deep(void)
{
	VkCommandBuffer commands = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	char name[300];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	begin(commands, VK_NULL_HANDLE);
	for (int i = 0; i < DEEP; i++)
		begin_label(commands, name);
	fill(commands);
	for (int i = 0; i < DEEP; i++)
		vk.end(commands);
	begin_label(commands, "behind");
	fill(commands);
	vk.end(commands);
	end(commands);
	submit(commands, NULL);
}

static void run_parts(void)
{
	VkCommandBuffer commands = make_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
	VkRenderPass pass = make_pass(1);
	VkFramebuffer framebuffer = make_framebuffer(pass);
	VkPipeline pipelines[2] = {make_pipeline(pass, 0), put_together(pass)};

	begin(commands, VK_NULL_HANDLE);
	begin_pass(commands, pass, framebuffer, VK_SUBPASS_CONTENTS_INLINE);
	draw(commands, pipelines[0], 4);
	draw(commands, pipelines[1], 2);
	vkCmdEndRenderPass(commands);
	end(commands);
	submit(commands, NULL);
	for (int i = 0; i < 2; i++)
		vkDestroyPipeline(vk.device, pipelines[i], NULL);
	vkDestroyFramebuffer(vk.device, framebuffer, NULL);
	vkDestroyRenderPass(vk.device, pass, NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{"frames", run_frames}, {"labels", run_labels}, {"passes", run_passes},
	{"deep", run_deep},	{"parts", run_parts},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		has_parts = modes[i].run == run_parts;
		make_instance();
		make_device();
		make_pool();
		make_buffer();
		make_shader();
		modes[i].run();
		destroy_all();
		printf("%s: right\n", argv[1]);
		return 0;
	}
	fprintf(stderr, "usage: vulkan_frames MODE\n");
	return 2;
}
