/* SPDX-License-Identifier: MIT */
/* Modes of vulkan_traps about memory, and about work of which there are sizes. */
#ifndef TACHO_TESTS_VULKAN_TRAPS_WORK_H
#define TACHO_TESTS_VULKAN_TRAPS_WORK_H

#include "vulkan_traps.h"

static VkDeviceMemory allocate(struct device *vk, uint32_t type, VkDeviceSize bytes)
{
	const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
					   .allocationSize = bytes,
					   .memoryTypeIndex = type};
	VkDeviceMemory memory;

	check(vkAllocateMemory(vk->device, &info, NULL, &memory), "vkAllocateMemory");
	return memory;
}

static void run_memory(struct device *vk)
{
	VkDeviceMemory memory;

	for (int i = 0; i < 2000; i++)
		vkFreeMemory(vk->device, allocate(vk, 1, 64 << 10), NULL);
	usleep(100000);
	memory = allocate(vk, 2, 1 << 20);
	allocate(vk, 2, 2 << 20);
	vkFreeMemory(vk->device, memory, NULL);
	allocate(vk, 1, 4 << 20);
	puts("memory: right");
	exit(0);
}

static void bind_sparse(struct device *vk)
{
	const VkSparseMemoryBind binds[] = {{.size = 65536}, {.size = 65536}};
	const VkSparseBufferMemoryBindInfo buffers = {vk->buffer, 2, binds};
	const VkSparseImageOpaqueMemoryBindInfo opaque = {VK_NULL_HANDLE, 1, binds};
	const VkSparseImageMemoryBind tile = {.extent = {1, 1, 1}};
	const VkSparseImageMemoryBindInfo image = {VK_NULL_HANDLE, 1, &tile};
	const VkBindSparseInfo infos[] = {{.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
					   .bufferBindCount = 1,
					   .pBufferBinds = &buffers,
					   .imageOpaqueBindCount = 1,
					   .pImageOpaqueBinds = &opaque},
					  {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
					   .imageBindCount = 1,
					   .pImageBinds = &image}};
	VkFence fence = make_fence(vk);

	check(vkQueueBindSparse(vk->queues[0][0], 2, infos, fence), "vkQueueBindSparse");
	check(vkWaitForFences(vk->device, 1, &fence, VK_TRUE, UINT64_MAX), "a fence");
	vkDestroyFence(vk->device, fence, NULL);
}

static void run_sparse(struct device *vk)
{
	const VkVideoDecodeInfoKHR picture = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
					      .srcBufferRange = 5000};
	const VkAccelerationStructureBuildGeometryInfoKHR geometry[3] = {{.geometryCount = 0}};
	const VkAccelerationStructureBuildRangeInfoKHR *ranges[3] = {NULL};
	const VkStridedDeviceAddressRegionKHR none = {0};
#define FIND(name) PFN_vk##name name = (PFN_vk##name)vkGetDeviceProcAddr(vk->device, "vk" #name)
	FIND(CmdBuildAccelerationStructuresKHR);
	FIND(CmdDecodeVideoKHR);
	FIND(CmdTraceRaysKHR);
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_commands(vk, pool, false);

	if (!CmdBuildAccelerationStructuresKHR || !CmdDecodeVideoKHR || !CmdTraceRaysKHR)
		exit(77);
	bind_sparse(vk);
	begin(commands, 0);
	CmdBuildAccelerationStructuresKHR(commands, 3, geometry, ranges);
	CmdBuildAccelerationStructuresKHR(commands, 3, geometry, ranges);
	CmdTraceRaysKHR(commands, &none, &none, &none, &none, 8, 4, 2);
	CmdDecodeVideoKHR(commands, &picture);
	end(commands);
	run(vk->queues[0][0], commands);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static void run_views(struct device *vk)
{
	const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
				      .renderArea = {{0, 0}, {1, 1}},
				      .layerCount = 1,
				      .viewMask = 31};
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_commands(vk, pool, false);

	begin(commands, 0);
	vkCmdBeginRendering(commands, &info);
	for (int i = 0; i < 30; i++)
		vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRendering(commands);
	end(commands);
	run(vk->queues[0][0], commands);
	run(vk->queues[0][0], commands);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

/* Of two parts, without pictures. */
static VkRenderPass make_parts(struct device *vk)
{
	const VkSubpassDescription parts[2] = {{.pipelineBindPoint = 0}};
	const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
					     .subpassCount = 2,
					     .pSubpasses = parts};
	VkRenderPass pass;

	check(vkCreateRenderPass(vk->device, &info, NULL, &pass), "vkCreateRenderPass");
	return pass;
}

static VkCommandBuffer make_second_part(struct device *vk, VkCommandPool pool, VkRenderPass pass)
{
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
		.renderPass = pass,
		.subpass = 1};
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
		.pInheritanceInfo = &inheritance};
	VkCommandBuffer commands = make_commands(vk, pool, true);

	check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdDraw(commands, 3, 1, 0, 0);
	end(commands);
	return commands;
}

static void run_parts(struct device *vk)
{
	const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
					    .renderPass = make_parts(vk),
					    .renderArea = {{0, 0}, {1, 1}}};
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer primary = make_commands(vk, pool, false);
	VkCommandBuffer second = make_second_part(vk, pool, info.renderPass);

	begin(primary, 0);
	vkCmdBeginRenderPass(primary, &info, VK_SUBPASS_CONTENTS_INLINE);
	vkCmdDraw(primary, 3, 1, 0, 0);
	vkCmdNextSubpass(primary, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
	vkCmdExecuteCommands(primary, 1, &second);
	vkCmdEndRenderPass(primary);
	end(primary);
	run(vk->queues[0][0], primary);
	vkDestroyCommandPool(vk->device, pool, NULL);
	vkDestroyRenderPass(vk->device, info.renderPass, NULL);
}

static VkCommandBuffer make_secondary(struct device *vk, VkCommandPool pool,
				      VkCommandBufferUsageFlags flags, int count)
{
	VkCommandBuffer commands = make_commands(vk, pool, true);

	begin(commands, flags);
	fill(vk, commands, count);
	end(commands);
	return commands;
}

static void run_secondaries_of(struct device *vk, uint32_t family)
{
	VkCommandPool pool = make_pool(vk, family);
	VkCommandBuffer primary = make_commands(vk, pool, false);
	VkCommandBuffer once[] = {make_secondary(vk, pool, 0, 2), make_secondary(vk, pool, 0, 1)};
	VkCommandBuffer often =
		make_secondary(vk, pool, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, 1);

	begin(primary, 0);
	fill(vk, primary, 1);
	vkCmdExecuteCommands(primary, 2, once);
	vkCmdExecuteCommands(primary, 1, &often);
	end(primary);
	for (int i = 0; i < 3; i++)
		run(vk->queues[family][0], primary);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static void run_secondaries(struct device *vk)
{
	run_secondaries_of(vk, 0);
	for (uint32_t i = 1; i < vk->family_count; i++)
		if (vk->families[i].queueFlags == VK_QUEUE_TRANSFER_BIT &&
		    vk->families[i].timestampValidBits)
			run_secondaries_of(vk, i);
}

static void run_twice(struct device *vk)
{
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer primary = make_commands(vk, pool, false);
	VkCommandBuffer once = make_secondary(vk, pool, 0, 1), both[] = {once, once};

	begin(primary, 0);
	vkCmdExecuteCommands(primary, 2, both);
	end(primary);
	for (int i = 0; i < 2; i++)
		run(vk->queues[0][0], primary);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

/* A part of a rendering, with a draw. */
static void render_part(VkCommandBuffer commands, VkRenderingFlags flags)
{
	const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
				      .flags = flags,
				      .renderArea = {{0, 0}, {1, 1}},
				      .layerCount = 1};

	vkCmdBeginRendering(commands, &info);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRendering(commands);
}

static VkCommandBuffer make_part(struct device *vk, VkCommandPool pool, bool is_secondary,
				 VkCommandBufferUsageFlags usage, VkRenderingFlags flags)
{
	VkCommandBuffer commands = make_commands(vk, pool, is_secondary);

	begin(commands, usage);
	if (flags == VK_RENDERING_SUSPENDING_BIT && !usage)
		fill(vk, commands, !is_secondary);
	render_part(commands, flags);
	if (flags == VK_RENDERING_RESUMING_BIT && !usage)
		fill(vk, commands, !is_secondary);
	end(commands);
	return commands;
}

static void submit_all(VkQueue queue, uint32_t count, const VkCommandBuffer *buffers)
{
	const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
				   .commandBufferCount = count,
				   .pCommandBuffers = buffers};

	check(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

static void run_suspended(struct device *vk)
{
	const VkRenderingFlags first = VK_RENDERING_SUSPENDING_BIT;
	const VkRenderingFlags last = VK_RENDERING_RESUMING_BIT;
	const VkCommandBufferUsageFlags often = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer other = make_fills(vk, pool, often, 1);
	VkCommandBuffer buffers[] = {other, make_part(vk, pool, false, 0, first),
				     make_part(vk, pool, false, 0, first | last),
				     make_part(vk, pool, false, 0, last), other};
	VkCommandBuffer shared[] = {make_part(vk, pool, false, often, first),
				    make_part(vk, pool, false, often, last)};
	VkCommandBuffer parts[] = {make_part(vk, pool, true, 0, first),
				   make_part(vk, pool, true, 0, last)};
	VkCommandBuffer primary = make_commands(vk, pool, false);

	begin(primary, 0);
	vkCmdExecuteCommands(primary, 2, parts);
	end(primary);
	for (int i = 0; i < 2; i++)
		submit_all(vk->queues[0][0], 5, buffers);
	submit_all(vk->queues[0][0], 2, shared);
	submit_all(vk->queues[0][0], 1, &primary);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

static VkCommandBuffer make_protected(struct device *vk, VkCommandPool *out_pool)
{
	const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
					      .flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT};

	check(vkCreateCommandPool(vk->device, &info, NULL, out_pool), "vkCreateCommandPool");
	return make_fills(vk, *out_pool, 0, 2);
}

/* Three batches, each with whether it is protected and with a pass of the driver's counters. */
static void run_protected(struct device *vk)
{
	const VkDeviceQueueInfo2 queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
					       .flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT};
	VkCommandPool pool = make_pool(vk, 0), protected_pool;
	VkCommandBuffer buffers[] = {
		make_protected(vk, &protected_pool), make_fills(vk, pool, 0, 2),
		make_fills(vk, pool, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, 1)};
	VkPerformanceQuerySubmitInfoKHR passes[3];
	VkProtectedSubmitInfo protections[3];
	VkSubmitInfo infos[3];
	VkQueue queue;

	for (uint32_t i = 0; i < 3; i++) {
		passes[i] = (VkPerformanceQuerySubmitInfoKHR){
			.sType = VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR,
			.counterPassIndex = i};
		protections[i] =
			(VkProtectedSubmitInfo){.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO,
						.pNext = &passes[i],
						.protectedSubmit = !i};
		infos[i] = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
					  .pNext = i == 1 ? (void *)&passes[i] : &protections[i],
					  .commandBufferCount = 1,
					  .pCommandBuffers = &buffers[i]};
	}
	vkGetDeviceQueue2(vk->device, &queue_info, &queue);
	for (int i = 0; i < 2; i++) {
		check(vkQueueSubmit(queue, 3, infos, VK_NULL_HANDLE), "vkQueueSubmit");
		check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
	}
	vkDestroyCommandPool(vk->device, protected_pool, NULL);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

#endif
