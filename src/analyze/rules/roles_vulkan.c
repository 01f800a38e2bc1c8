/* SPDX-License-Identifier: MIT */
/*
 * Vulkan's functions. Positions are those of data/api/vulkan.yaml; a test compares them with it. Of
 * what lies behind pointers nothing is recorded: a call whose pointers say what it does is told of
 * only where that does not matter.
 */
#include "analyze/rules/roles.h"

enum { RESULT = TACHO__ARGUMENT_RESULT };

/* Handles of two kinds may be the same number. */
enum {
	INSTANCE = TACHO__THING_OTHER,
	MEMORY,
	BUFFER,
	IMAGE,
	VIEW,
	BUFFER_VIEW,
	SAMPLER,
	SEMAPHORE,
	EVENT,
	QUERY_POOL,
	SHADER,
	CACHE,
	PIPELINE,
	PIPELINE_LAYOUT,
	SET_LAYOUT,
	SET_POOL,
	FRAMEBUFFER,
	PASS,
	COMMAND_POOL,
	SURFACE,
	SWAPCHAIN,
	CONVERSION,
	SET_TEMPLATE,
	STRUCTURE
};

#define ROLE(name, what) .function = name, .act = TACHO__ACT_##what
/* One thing behind the last argument, and where it is given to what destroys it. */
#define MAKES(name, kind, text, at) \
	ROLE(name, CREATE), .thing = (enum tacho__thing)(kind), .word = text, .handle = at
#define DESTROYS(name, kind, text, at) \
	ROLE(name, RELEASE), .thing = (enum tacho__thing)(kind), .word = text, .handle = at
#define PAIR(suffix, kind, text)                            \
	{MAKES("vkCreate" suffix, kind, text, 4)},          \
	{                                                   \
		DESTROYS("vkDestroy" suffix, kind, text, 2) \
	}
#define BUILD(name, cache_at, handles_at)                                            \
	ROLE(name, BUILD), .thing = (enum tacho__thing)PIPELINE, .word = "pipeline", \
			   .cache = cache_at, .handle = handles_at
#define SUBMIT(name, fence_at) ROLE(name, SUBMIT), .handle = 1, .event = fence_at
/* What holds until it is set again, or until another pipeline is bound. */
#define STATE(name)	   ROLE(name, SET), .is_whole = true, .falls = true
#define STATE_OF(name, at) STATE(name), .place = at
#define WORK(name)	   ROLE(name, WORK), .is_whole = true

static const struct tacho__function_role roles[] = {
	{MAKES("vkCreateInstance", INSTANCE, "instance", 3)},
	{DESTROYS("vkDestroyInstance", INSTANCE, "instance", 1)},
	{MAKES("vkCreateDevice", TACHO__THING_CONTEXT, "device", 4)},
	{DESTROYS("vkDestroyDevice", TACHO__THING_CONTEXT, "device", 1)},
	{MAKES("vkAllocateMemory", MEMORY, "memory allocation", 4)},
	{DESTROYS("vkFreeMemory", MEMORY, "memory allocation", 2)},
	PAIR("Fence", TACHO__THING_EVENT, "fence"),
	PAIR("Semaphore", SEMAPHORE, "semaphore"),
	PAIR("Event", EVENT, "event"),
	PAIR("QueryPool", QUERY_POOL, "query pool"),
	PAIR("Buffer", BUFFER, "buffer"),
	PAIR("BufferView", BUFFER_VIEW, "buffer view"),
	PAIR("Image", IMAGE, "image"),
	PAIR("ImageView", VIEW, "image view"),
	PAIR("Sampler", SAMPLER, "sampler"),
	PAIR("ShaderModule", SHADER, "shader module"),
	PAIR("PipelineCache", CACHE, "pipeline cache"),
	PAIR("PipelineLayout", PIPELINE_LAYOUT, "pipeline layout"),
	PAIR("DescriptorSetLayout", SET_LAYOUT, "descriptor set layout"),
	PAIR("DescriptorPool", SET_POOL, "descriptor pool"),
	PAIR("Framebuffer", FRAMEBUFFER, "framebuffer"),
	PAIR("RenderPass", PASS, "render pass"),
	{MAKES("vkCreateRenderPass2", PASS, "render pass", 4)},
	{MAKES("vkCreateRenderPass2KHR", PASS, "render pass", 4)},
	PAIR("CommandPool", COMMAND_POOL, "command pool"),
	PAIR("SwapchainKHR", SWAPCHAIN, "swapchain"),
	{MAKES("vkCreateXlibSurfaceKHR", SURFACE, "surface", 4)},
	{MAKES("vkCreateXcbSurfaceKHR", SURFACE, "surface", 4)},
	{MAKES("vkCreateWaylandSurfaceKHR", SURFACE, "surface", 4)},
	{MAKES("vkCreateHeadlessSurfaceEXT", SURFACE, "surface", 4)},
	{MAKES("vkCreateDisplayPlaneSurfaceKHR", SURFACE, "surface", 4)},
	{DESTROYS("vkDestroySurfaceKHR", SURFACE, "surface", 2)},
	PAIR("SamplerYcbcrConversion", CONVERSION, "sample conversion"),
	PAIR("SamplerYcbcrConversionKHR", CONVERSION, "sample conversion"),
	PAIR("DescriptorUpdateTemplate", SET_TEMPLATE, "update template"),
	PAIR("DescriptorUpdateTemplateKHR", SET_TEMPLATE, "update template"),
	PAIR("AccelerationStructureKHR", STRUCTURE, "acceleration structure"),
	{BUILD("vkCreateGraphicsPipelines", 2, 6)},
	{BUILD("vkCreateComputePipelines", 2, 6)},
	{BUILD("vkCreateRayTracingPipelinesKHR", 3, 7)},
	{BUILD("vkCreateRayTracingPipelinesNV", 2, 6)},
	{DESTROYS("vkDestroyPipeline", PIPELINE, "pipeline", 2)},
	{SUBMIT("vkQueueSubmit", 4)},
	{SUBMIT("vkQueueSubmit2", 4)},
	{SUBMIT("vkQueueSubmit2KHR", 4)},
	{ROLE("vkQueueWaitIdle", WAIT_QUEUE), .handle = 1},
	{ROLE("vkDeviceWaitIdle", WAIT_ALL)},
	{ROLE("vkWaitForFences", WAIT_EVENTS), .events = 3, .all = 4},
	{ROLE("vkWaitSemaphores", WAIT_SOME)},
	{ROLE("vkWaitSemaphoresKHR", WAIT_SOME)},
	{ROLE("vkAcquireNextImageKHR", WAIT_SOME)},
	{ROLE("vkAcquireNextImage2KHR", WAIT_SOME)},
	{ROLE("vkWaitForPresentKHR", WAIT_SOME)},
	{ROLE("vkQueuePresentKHR", WAIT_SOME)},
	{ROLE("vkGetFenceStatus", POLL), .events = 2, .value = RESULT},
	{ROLE("vkUpdateDescriptorSets", UPDATE)},
	{ROLE("vkUpdateDescriptorSetWithTemplate", UPDATE)},
	{ROLE("vkUpdateDescriptorSetWithTemplateKHR", UPDATE)},
	{ROLE("vkBeginCommandBuffer", BEGIN)},
	{ROLE("vkEndCommandBuffer", END)},
	{ROLE("vkCmdBindPipeline", SET), .thing = (enum tacho__thing)PIPELINE, .is_whole = true,
	 .place = 2},
	{ROLE("vkCmdBindDescriptorSets", SET), .is_whole = true, .place = 2, .second_place = 4,
	 .frame = 3, .count = 5, .none = 7},
	{ROLE("vkCmdBindIndexBuffer", SET), .is_whole = true},
	{STATE_OF("vkCmdSetStencilCompareMask", 2)},
	{STATE_OF("vkCmdSetStencilWriteMask", 2)},
	{STATE_OF("vkCmdSetStencilReference", 2)},
	{STATE("vkCmdSetCullMode")},
	{STATE("vkCmdSetCullModeEXT")},
	{STATE("vkCmdSetFrontFace")},
	{STATE("vkCmdSetFrontFaceEXT")},
	{STATE("vkCmdSetPrimitiveTopology")},
	{STATE("vkCmdSetPrimitiveTopologyEXT")},
	{STATE("vkCmdSetDepthTestEnable")},
	{STATE("vkCmdSetDepthTestEnableEXT")},
	{STATE("vkCmdSetDepthWriteEnable")},
	{STATE("vkCmdSetDepthWriteEnableEXT")},
	{STATE("vkCmdSetDepthCompareOp")},
	{STATE("vkCmdSetDepthCompareOpEXT")},
	{STATE("vkCmdSetStencilTestEnable")},
	{STATE("vkCmdSetStencilTestEnableEXT")},
	{STATE("vkCmdSetRasterizerDiscardEnable")},
	{STATE("vkCmdSetRasterizerDiscardEnableEXT")},
	{STATE("vkCmdSetPrimitiveRestartEnable")},
	{STATE("vkCmdSetPrimitiveRestartEnableEXT")},
	{ROLE("vkCmdExecuteCommands", UNSET)},
	{ROLE("vkCmdPushDescriptorSetKHR", UNSET)},
	{ROLE("vkCmdPushDescriptorSetWithTemplateKHR", UNSET)},
	{ROLE("vkCmdBindDescriptorBuffersEXT", UNSET)},
	{ROLE("vkCmdBindDescriptorBufferEmbeddedSamplersEXT", UNSET)},
	{ROLE("vkCmdSetDescriptorBufferOffsetsEXT", UNSET)},
	{ROLE("vkCmdBindPipelineShaderGroupNV", UNSET)},
	{ROLE("vkCmdExecuteGeneratedCommandsNV", UNSET)},
	{ROLE("vkCmdPipelineBarrier", BARRIER), .flags = 2, .to = 3, .narrow = {7, 9}},
	{WORK("vkCmdFillBuffer"), .memory = 2},
	{ROLE("vkCmdUpdateBuffer", WORK), .memory = 2},
	{ROLE("vkCmdCopyBuffer", WORK), .memory = 3, .read = 2},
	{WORK("vkCmdDispatch")},
	{WORK("vkCmdDispatchIndirect")},
	{WORK("vkCmdDispatchBase")},
	{WORK("vkCmdDispatchBaseKHR")},
	{0},
};

static const struct tacho__deprecated deprecated[] = {{0}};

const struct tacho__api_roles tacho__vulkan_roles = {
	.api = "vulkan",
	.title = "Vulkan",
	.roles = roles,
	.deprecated = deprecated,
	.query_prefixes = {"vkGet", "vkEnumerate"},
	.poll_done = "VK_SUCCESS",
	.is_submitted = true,
	.wait_done = "VK_SUCCESS",
	.after_all = {"VK_PIPELINE_STAGE_ALL_COMMANDS_BIT", "VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT"},
	.before_all = {"VK_PIPELINE_STAGE_ALL_COMMANDS_BIT", "VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT"},
	.record_prefix = "vkCmd",
	.expected_errors = {"VK_ERROR_OUT_OF_DATE_KHR"},
};
