/* SPDX-License-Identifier: MIT */
/*
 * vulkan_traps MODE: what programs of Vulkan do that a layer could get wrong. Prints "MODE: right",
 * when each call returned what it must; exit status 77: no device, or not one that can do this.
 *
 *   families   of each family of queues 3 submits of 2 fills, waited for, and 1 recorded once
 *   transfers  of a queue that only transfers 240 submits of 2 fills and a copy, each waited for
 *              in one of three ways, some recorded anew
 *   queues     a buffer of 2 fills on one queue, then on another one, 3 times each; then one with
 *              SIMULTANEOUS_USE on both at once, twice each; the same of queues that only transfer
 *   chains     submits with masks of devices, values of semaphores, without batches, without
 *              command buffers, with a fence only; 4 fills in all
 *   timeline   2 fills wait for a value that is signalled later, three times
 *   endless    2 fills wait for a value that nobody signals; the program ends
 *   endless_   the same, by _exit
 *   destroy    fills whose fence is waited for, and all destroyed at once, on 10 devices
 *   lost       submits until the device is lost, and what can be done then
 *   full       submits until one fails for want of memory, and then 3 more
 *   aliases    dispatches by all of a function's names, submits by both of vkQueueSubmit2
 *   old        4 fills with an instance of Vulkan 1.0
 *   pairs      2 threads, each with 2 instances of 2 devices, each with 2 submits of 2 fills
 *   fork       after vkCreateInstance; parent and child: 2 submits of 2 fills each
 *   handles    pipelines and command buffers whose handles are another one's soon
 *   draws      each kind of draw, of meshes and of rays, with nothing to do, in a pass and outside
 *   memory     2,000 pieces of 64 KiB of type 1, one at a time; then 1 and 2 MiB of type 2, 4 of
 *              type 1, of which only the first is freed, and the program just ends
 *   sparse     bindings of memory, builds of acceleration structures, rays, a picture of a video
 *   views      30 draws for five views at once; twice
 *   parts      a pass of two parts: a draw, and a secondary with two
 *   nested     secondaries that run others, twice, and ones that continue a pass
 *   suspended  a rendering in three command buffers, between ones that may run several times at
 *              once, twice; one in two of these; and one in two secondaries
 *   protected  a submit of a protected batch and two that are not, with passes of counters, twice
 *   secondaries  of the first family, and of one that only transfers, 3 submits of a buffer with a
 *              fill, two secondaries with two and one, and one with another that may run twice
 *   twice      a secondary with a fill that runs twice in a submit, though it must not; 2 submits
 *   own        the program's own queries, resets and copies of them around 4 fills, three times
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include "vulkan_traps.h"
#include "vulkan_traps_work.h"

/* ---- modes that have one device ---- */

static void run_families(struct device *vk)
{
	for (uint32_t i = 0; i < vk->family_count; i++) {
		VkCommandPool pool = make_pool(vk, i);
		VkCommandBuffer commands = make_fills(vk, pool, 0, 2), once;

		for (int k = 0; k < 3; k++)
			run(vk->queues[i][0], commands);
		once = make_fills(vk, pool, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 2);
		run(vk->queues[i][0], once);
		expect(vk->words[5] == 7, "a fill");
		vkDestroyCommandPool(vk->device, pool, NULL);
	}
}

static uint32_t find_transfers(const struct device *vk)
{
	for (uint32_t i = 0; i < vk->family_count; i++)
		if (vk->families[i].queueFlags == VK_QUEUE_TRANSFER_BIT &&
		    vk->families[i].timestampValidBits)
			return i;
	exit(77);
}

static void record_transfers(const struct device *vk, VkCommandBuffer commands)
{
	const VkBufferCopy half = {.dstOffset = BYTES / 2, .size = BYTES / 2};

	begin(commands, 0);
	fill(vk, commands, 2);
	vkCmdCopyBuffer(commands, vk->buffer, vk->buffer, 1, &half);
	end(commands);
}

/* Where the program waits for its own fence it may be ahead of whoever waits behind that; but never
 * by so many submits that there is no room for their times. */
static void run_transfers(struct device *vk)
{
	uint32_t family = find_transfers(vk);
	VkCommandPool pool = make_pool(vk, family);
	VkCommandBuffer commands[] = {make_commands(vk, pool, false),
				      make_commands(vk, pool, false)};
	VkFence fence = make_fence(vk);
	VkQueue queue = vk->queues[family][0];

	for (int i = 0; i < 240; i++) {
		VkCommandBuffer one = commands[i / 60 % 2];

		if (i % 30 == 0)
			record_transfers(vk, one);
		check(submit(queue, one, i % 3 ? VK_NULL_HANDLE : fence), "vkQueueSubmit");
		if (i % 3 == 1)
			check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
		else if (i % 3 == 2)
			check(vkDeviceWaitIdle(vk->device), "vkDeviceWaitIdle");
		else
			check(vkWaitForFences(vk->device, 1, &fence, VK_TRUE, UINT64_MAX),
			      "a wait");
		if (i % 3 == 0)
			check(vkResetFences(vk->device, 1, &fence), "vkResetFences");
	}
	expect(vk->words[BYTES / 4 - 1] == 7, "a copy");
	vkDestroyFence(vk->device, fence, NULL);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static void run_queues_of(struct device *vk, uint32_t family)
{
	VkCommandPool pool = make_pool(vk, family);
	VkCommandBuffer commands = make_fills(vk, pool, 0, 2);
	VkCommandBuffer shared =
		make_fills(vk, pool, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, 2);

	for (int i = 0; i < 6; i++)
		run(vk->queues[family][i % 2], commands);
	for (int i = 0; i < 4; i++)
		check(submit(vk->queues[family][i % 2], shared, VK_NULL_HANDLE), "vkQueueSubmit");
	check(vkDeviceWaitIdle(vk->device), "vkDeviceWaitIdle");
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static void run_queues(struct device *vk)
{
	for (uint32_t i = 0; i < 2; i++) {
		if (vk->families[i].queueCount < 2)
			exit(77);
		run_queues_of(vk, i);
	}
}

static VkSemaphore make_timeline(const struct device *vk)
{
	const VkSemaphoreTypeCreateInfo kind = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
	const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
					    .pNext = &kind};
	VkSemaphore semaphore;

	check(vkCreateSemaphore(vk->device, &info, NULL, &semaphore), "vkCreateSemaphore");
	return semaphore;
}

/* The second batch waits for what the first one signals. */
static void run_chains(struct device *vk)
{
	static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	static const uint32_t mask = 1, zero = 0;
	static const uint64_t one = 1;
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands[2] = {make_fills(vk, pool, 0, 2), make_fills(vk, pool, 0, 2)};
	VkSemaphore line = make_timeline(vk);
	VkFence fence = make_fence(vk);
	const VkTimelineSemaphoreSubmitInfo values = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &one,
	};
	const VkTimelineSemaphoreSubmitInfo signals = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &one,
	};
	const VkDeviceGroupSubmitInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
					       .pNext = &values,
					       .waitSemaphoreCount = 1,
					       .pWaitSemaphoreDeviceIndices = &zero,
					       .commandBufferCount = 1,
					       .pCommandBufferDeviceMasks = &mask};
	const VkSubmitInfo infos[] = {
		{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		 .pNext = &signals,
		 .commandBufferCount = 1,
		 .pCommandBuffers = &commands[0],
		 .signalSemaphoreCount = 1,
		 .pSignalSemaphores = &line},
		{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO},
		{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		 .pNext = &group,
		 .waitSemaphoreCount = 1,
		 .pWaitSemaphores = &line,
		 .pWaitDstStageMask = &stage,
		 .commandBufferCount = 1,
		 .pCommandBuffers = &commands[1]},
	};
	uint64_t value;

	check(vkQueueSubmit(vk->queues[0][0], 3, infos, fence), "vkQueueSubmit");
	check(vkWaitForFences(vk->device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
	check(vkGetSemaphoreCounterValue(vk->device, line, &value), "vkGetSemaphoreCounterValue");
	expect(value == 1, "the value of a semaphore");
	check(vkResetFences(vk->device, 1, &fence), "vkResetFences");
	check(vkQueueSubmit(vk->queues[0][0], 0, NULL, fence), "vkQueueSubmit of a fence");
	check(vkWaitForFences(vk->device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
	check(vkQueueSubmit(vk->queues[0][0], 0, NULL, VK_NULL_HANDLE), "vkQueueSubmit of nothing");
	check(vkQueueSubmit(vk->queues[0][0], 1, &infos[1], VK_NULL_HANDLE), "an empty batch");
	check(vkDeviceWaitIdle(vk->device), "vkDeviceWaitIdle");
	vkDestroyFence(vk->device, fence, NULL);
	vkDestroySemaphore(vk->device, line, NULL);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

/* What is submitted waits for the value. */
static void submit_waiting(struct device *vk, VkCommandBuffer commands, VkSemaphore line,
			   uint64_t value, VkFence fence)
{
	static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkTimelineSemaphoreSubmitInfo values = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &value};
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
				   .pNext = &values,
				   .waitSemaphoreCount = 1,
				   .pWaitSemaphores = &line,
				   .pWaitDstStageMask = &stage,
				   .commandBufferCount = 1,
				   .pCommandBuffers = &commands};

	check(vkQueueSubmit(vk->queues[0][0], 1, &info, fence), "vkQueueSubmit");
}

static void run_timeline(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_fills(vk, pool, 0, 2);
	VkSemaphore line = make_timeline(vk);
	VkFence fence = make_fence(vk);

	for (uint64_t i = 1; i <= 3; i++) {
		const VkSemaphoreSignalInfo signal = {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
			.semaphore = line,
			.value = i};

		submit_waiting(vk, commands, line, i, fence);
		usleep(20000);
		expect(vkGetFenceStatus(vk->device, fence) == VK_NOT_READY, "a fence too early");
		check(vkSignalSemaphore(vk->device, &signal), "vkSignalSemaphore");
		check(vkWaitForFences(vk->device, 1, &fence, VK_TRUE, UINT64_MAX), "a fence");
		check(vkResetFences(vk->device, 1, &fence), "vkResetFences");
	}
	vkDestroyFence(vk->device, fence, NULL);
	vkDestroySemaphore(vk->device, line, NULL);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static void wait_for_ever(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);

	submit_waiting(vk, make_fills(vk, pool, 0, 2), make_timeline(vk), 1, VK_NULL_HANDLE);
	usleep(20000);
}

static void run_endless(struct device *vk)
{
	wait_for_ever(vk);
	puts("endless: right");
	exit(0);
}

static void run_endless_exit(struct device *vk)
{
	wait_for_ever(vk);
	puts("endless_: right");
	fflush(stdout);
	_exit(0);
}

static void run_lost(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_fills(vk, pool, 0, 2);
	VkResult result = VK_SUCCESS;

	for (int i = 0; i < 100 && !result; i++) {
		result = submit(vk->queues[0][0], commands, VK_NULL_HANDLE);
		if (!result)
			result = vkQueueWaitIdle(vk->queues[0][0]);
	}
	if (!result)
		exit(77);
	expect(result == VK_ERROR_DEVICE_LOST, "a device that is lost");
	expect(vkDeviceWaitIdle(vk->device) == VK_ERROR_DEVICE_LOST, "a wait for such a one");
	vkDestroyCommandPool(vk->device, pool, NULL);
}

/* Tacho submits again what its own things were too much for. */
static void run_full(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_fills(vk, pool, 0, 2);

	for (int i = 0; i < 6; i++) {
		VkResult result = submit(vk->queues[0][0], commands, VK_NULL_HANDLE);

		if (result) {
			expect(result == VK_ERROR_OUT_OF_DEVICE_MEMORY, "a submit that fails");
			check(submit(vk->queues[0][0], commands, VK_NULL_HANDLE), "once more");
		}
		check(vkQueueWaitIdle(vk->queues[0][0]), "vkQueueWaitIdle");
	}
	vkDestroyCommandPool(vk->device, pool, NULL);
}

/* ---- names ---- */

static void dispatch_by(struct device *vk, VkCommandBuffer commands, const char *name,
			bool must_be_there)
{
	PFN_vkCmdDispatchBase function =
		(PFN_vkCmdDispatchBase)vkGetDeviceProcAddr(vk->device, name);

	expect(function || !must_be_there, name);
	if (function)
		function(commands, 0, 0, 0, 1, 1, 1);
}

static void submit_by(struct device *vk, VkCommandBuffer commands, const char *name,
		      bool must_be_there)
{
	PFN_vkQueueSubmit2 function = (PFN_vkQueueSubmit2)vkGetDeviceProcAddr(vk->device, name);
	const VkCommandBufferSubmitInfo each = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = commands};
	const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
				    .commandBufferInfoCount = 1,
				    .pCommandBufferInfos = &each};

	expect(function || !must_be_there, name);
	if (!function)
		return;
	check(function(vk->queues[0][0], 1, &info, VK_NULL_HANDLE), name);
	check(vkQueueWaitIdle(vk->queues[0][0]), "vkQueueWaitIdle");
}

static void run_aliases(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_commands(vk, pool, false);

	begin(commands, 0);
	dispatch_by(vk, commands, "vkCmdDispatchBase", true);
	dispatch_by(vk, commands, "vkCmdDispatchBaseKHR", false);
	end(commands);
	submit_by(vk, commands, "vkQueueSubmit2", true);
	submit_by(vk, commands, "vkQueueSubmit2KHR", false);
	expect(!vkGetDeviceProcAddr(vk->device, "vkGetCalibratedTimestampsEXT"), "what is hidden");
	expect(!vkGetDeviceProcAddr(vk->device, "vkNobodyKnowsThis"), "a name of nothing");
	printf("names: %d\n",
	       (vkGetDeviceProcAddr(vk->device, "vkCmdDispatchBaseKHR") != NULL) +
		       (vkGetDeviceProcAddr(vk->device, "vkQueueSubmit2KHR") != NULL));
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static void run_old(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);

	run(vk->queues[0][0], make_fills(vk, pool, 0, 4));
	vkDestroyCommandPool(vk->device, pool, NULL);
}

/* ---- what is in command buffers ---- */

static VkPipeline make_pipeline(const struct device *vk, uint32_t word)
{
	const VkShaderModuleCreateInfo module_info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof(word),
		.pCode = &word};
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			  .pName = "main"}};
	VkPipeline pipeline;

	check(vkCreateShaderModule(vk->device, &module_info, NULL, &info.stage.module), "module");
	check(vkCreateComputePipelines(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateComputePipelines");
	vkDestroyShaderModule(vk->device, info.stage.module, NULL);
	return pipeline;
}

/* Of a driver without a device: its shaders are not read. */
static void run_handles(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);

	for (uint32_t i = 1; i <= 5; i++) {
		VkPipeline pipeline = make_pipeline(vk, i);
		VkCommandBuffer commands = make_commands(vk, pool, false);

		begin(commands, 0);
		vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
		vkCmdDispatch(commands, i, 1, 1);
		end(commands);
		run(vk->queues[0][0], commands);
		vkFreeCommandBuffers(vk->device, pool, 1, &commands);
		vkDestroyPipeline(vk->device, pipeline, NULL);
	}
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static void begin_pass(VkCommandBuffer commands, VkRenderingFlags flags)
{
	const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
				      .flags = flags,
				      .renderArea = {{0, 0}, {1, 1}},
				      .layerCount = 1};

	vkCmdBeginRendering(commands, &info);
}

/* Draws by functions that only some devices have. */
static void draw_others(struct device *vk, VkCommandBuffer commands, bool in_pass)
{
	static const char *const draws[] = {"vkCmdDrawMeshTasksEXT", "vkCmdDrawMeshTasksNV"};
	PFN_vkCmdTraceRaysKHR trace =
		(PFN_vkCmdTraceRaysKHR)vkGetDeviceProcAddr(vk->device, "vkCmdTraceRaysKHR");
	const VkStridedDeviceAddressRegionKHR none = {0};

	for (size_t i = 0; in_pass && i < 2; i++) {
		PFN_vkCmdDrawMeshTasksEXT draw =
			(PFN_vkCmdDrawMeshTasksEXT)vkGetDeviceProcAddr(vk->device, draws[i]);

		if (draw)
			draw(commands, 0, 0, 0);
	}
	if (!in_pass && trace)
		trace(commands, &none, &none, &none, &none, 0, 0, 0);
}

static void run_draws(struct device *vk)
{
	PFN_vkCmdBeginConditionalRenderingEXT begin_if =
		(PFN_vkCmdBeginConditionalRenderingEXT)vkGetDeviceProcAddr(
			vk->device, "vkCmdBeginConditionalRenderingEXT");
	PFN_vkCmdEndConditionalRenderingEXT end_if =
		(PFN_vkCmdEndConditionalRenderingEXT)vkGetDeviceProcAddr(
			vk->device, "vkCmdEndConditionalRenderingEXT");
	const VkConditionalRenderingBeginInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
		.buffer = vk->buffer};
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_commands(vk, pool, false);

	if (!begin_if || !end_if)
		exit(77);
	begin(commands, 0);
	begin_if(commands, &info);
	vkCmdDispatch(commands, 0, 0, 0);
	end_if(commands);
	draw_others(vk, commands, false);
	begin_pass(commands, 0);
	vkCmdDraw(commands, 0, 0, 0, 0);
	vkCmdDrawIndexed(commands, 0, 1, 0, 0, 0);
	vkCmdDrawIndirect(commands, vk->buffer, 0, 0, 0);
	vkCmdDrawIndexedIndirect(commands, vk->buffer, 0, 0, 0);
	vkCmdDrawIndirectCount(commands, vk->buffer, 0, vk->buffer, 64, 0, 0);
	draw_others(vk, commands, true);
	vkCmdEndRendering(commands);
	vkCmdDispatchIndirect(commands, vk->buffer, 0);
	end(commands);
	run(vk->queues[0][0], commands);
	run(vk->queues[0][0], commands);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static void run_nested(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer primary = make_commands(vk, pool, false);
	VkCommandBuffer inner = make_commands(vk, pool, true), outer[2];
	VkCommandBuffer inside = make_commands(vk, pool, true);

	begin(inner, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
	fill(vk, inner, 1);
	end(inner);
	outer[0] = outer[1] = make_commands(vk, pool, true);
	begin(outer[0], VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
	fill(vk, outer[0], 1);
	vkCmdExecuteCommands(outer[0], 1, &inner);
	end(outer[0]);
	begin(inside, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
	vkCmdDraw(inside, 3, 1, 0, 0);
	end(inside);
	begin(primary, 0);
	vkCmdExecuteCommands(primary, 2, outer);
	begin_pass(primary, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
	vkCmdExecuteCommands(primary, 1, &inside);
	vkCmdEndRendering(primary);
	fill(vk, primary, 1);
	end(primary);
	run(vk->queues[0][0], primary);
	run(vk->queues[0][0], primary);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

/* Its own time stamps are there, in their order, and so is what they were copied to. */
static void run_own(struct device *vk)
{
	const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
					    .queryType = VK_QUERY_TYPE_TIMESTAMP,
					    .queryCount = 8};
	const uint32_t flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_commands(vk, pool, false);
	uint64_t times[8], copied[8];
	VkQueryPool queries;

	check(vkCreateQueryPool(vk->device, &info, NULL, &queries), "vkCreateQueryPool");
	begin(commands, 0);
	vkCmdResetQueryPool(commands, queries, 0, 8);
	for (uint32_t i = 0; i < 4; i++) {
		vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 2 * i);
		fill(vk, commands, 1);
		vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries,
				    2 * i + 1);
	}
	vkCmdCopyQueryPoolResults(commands, queries, 0, 8, vk->buffer, 64, 8, flags);
	end(commands);
	for (int k = 0; k < 3; k++) {
		run(vk->queues[0][0], commands);
		check(vkGetQueryPoolResults(vk->device, queries, 0, 8, sizeof(times), times, 8,
					    flags),
		      "vkGetQueryPoolResults");
		memcpy(copied, vk->words + 16, sizeof(copied));
		for (int i = 0; i < 8; i++) {
			expect(!i || times[i] >= times[i - 1], "the order of the program's times");
			expect(copied[i] == times[i], "a copy of the program's times");
		}
	}
	vkDestroyQueryPool(vk->device, queries, NULL);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

/* ---- modes that have several devices ---- */

static void use_device(VkInstance instance)
{
	struct device vk = {0};
	VkCommandPool pool;
	VkCommandBuffer commands;

	make_device(&vk, instance);
	pool = make_pool(&vk, 0);
	commands = make_fills(&vk, pool, 0, 2);
	run(vk.queues[0][0], commands);
	run(vk.queues[0][0], commands);
	vkDestroyCommandPool(vk.device, pool, NULL);
	destroy_device(&vk);
}

static void *use_instances(void *unused)
{
	for (int i = 0; i < 2; i++) {
		VkInstance instance = make_instance();

		use_device(instance);
		use_device(instance);
		vkDestroyInstance(instance, NULL);
	}
	return unused;
}

static void run_pairs(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, use_instances, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void run_fork(void)
{
	VkInstance instance = make_instance();
	pid_t child = fork();
	int status = 0;

	if (!child)
		instance = make_instance();
	use_device(instance);
	vkDestroyInstance(instance, NULL);
	if (!child)
		_exit(0);
	expect(child > 0 && waitpid(child, &status, 0) == child && !status, "the child");
}

/* The fence is the program's: what is tacho's may still be on its way. */
static void run_destroy(void)
{
	for (int i = 0; i < 10; i++) {
		struct device vk = {0};
		VkCommandPool pool;
		VkFence fence;

		make_device(&vk, make_instance());
		pool = make_pool(&vk, 0);
		fence = make_fence(&vk);
		for (int k = 0; k < 3; k++) {
			check(submit(vk.queues[0][0], make_fills(&vk, pool, 0, 2), fence),
			      "submit");
			check(vkWaitForFences(vk.device, 1, &fence, VK_TRUE, UINT64_MAX),
			      "a fence");
			check(vkResetFences(vk.device, 1, &fence), "vkResetFences");
		}
		vkDestroyFence(vk.device, fence, NULL);
		vkDestroyCommandPool(vk.device, pool, NULL);
		destroy_device(&vk);
		vkDestroyInstance(vk.instance, NULL);
	}
}

static const struct {
	const char *name;
	void (*run)(struct device *vk);
	void (*run_alone)(void);
} modes[] = {
	{"families", run_families, NULL},
	{"transfers", run_transfers, NULL},
	{"queues", run_queues, NULL},
	{"chains", run_chains, NULL},
	{"timeline", run_timeline, NULL},
	{"endless", run_endless, NULL},
	{"endless_", run_endless_exit, NULL},
	{"destroy", NULL, run_destroy},
	{"lost", run_lost, NULL},
	{"full", run_full, NULL},
	{"aliases", run_aliases, NULL},
	{"old", run_old, NULL},
	{"pairs", NULL, run_pairs},
	{"fork", NULL, run_fork},
	{"handles", run_handles, NULL},
	{"draws", run_draws, NULL},
	{"nested", run_nested, NULL},
	{"own", run_own, NULL},
	{"views", run_views, NULL},
	{"parts", run_parts, NULL},
	{"secondaries", run_secondaries, NULL},
	{"suspended", run_suspended, NULL},
	{"protected", run_protected, NULL},
	{"twice", run_twice, NULL},
	{"memory", run_memory, NULL},
	{"sparse", run_sparse, NULL},
};

static void run_with_device(void (*fn)(struct device *vk))
{
	static struct device vk;

	make_device(&vk, make_instance());
	fn(&vk);
	destroy_device(&vk);
	vkDestroyInstance(vk.instance, NULL);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		if (!strcmp(argv[1], "old"))
			api_version = VK_API_VERSION_1_0;
		if (modes[i].run_alone)
			modes[i].run_alone();
		else
			run_with_device(modes[i].run);
		printf("%s: right\n", argv[1]);
		return 0;
	}
	fputs("usage: vulkan_traps MODE\n", stderr);
	return 2;
}
