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
				      .viewMask = 3};
	VkCommandPool pool = make_pool(vk, 0);
	VkCommandBuffer commands = make_commands(vk, pool, false);

	begin(commands, 0);
	vkCmdBeginRendering(commands, &info);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRendering(commands);
	end(commands);
	run(vk->queues[0][0], commands);
	vkDestroyCommandPool(vk->device, pool, NULL);
}

#endif
