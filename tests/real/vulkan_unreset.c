/* SPDX-License-Identifier: MIT */
/*
 * A layer below tacho's that lets no reset of queries through: what looks at queries must complain
 * then, or it would not complain of a tacho that forgets them either. With UNORDERED in the
 * environment it is barriers that it lets not through; with ASKS_NONE it asks of no instance, as
 * some layers do, for the function that makes a device.
 */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetDeviceProcAddr next_device;
static VkInstance instance;

VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *about);

static void reset(VkCommandBuffer commands, VkQueryPool pool, uint32_t first, uint32_t count)
{
	(void)commands;
	(void)pool;
	(void)first;
	(void)count;
}

static void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
		    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
		    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
		    uint32_t image_count, const VkImageMemoryBarrier *images)
{
	(void)commands;
	(void)from;
	(void)to;
	(void)flags;
	(void)memory_count;
	(void)memory;
	(void)buffer_count;
	(void)buffers;
	(void)image_count;
	(void)images;
}

static void reset_by_host(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count)
{
	(void)device;
	(void)pool;
	(void)first;
	(void)count;
}

static PFN_vkVoidFunction get_device(VkDevice device, const char *name)
{
	if (!strcmp(name, "vkGetDeviceProcAddr"))
		return (PFN_vkVoidFunction)get_device;
	if (!strcmp(name, "vkCmdPipelineBarrier") && getenv("UNORDERED"))
		return (PFN_vkVoidFunction)barrier;
	if (!strcmp(name, "vkCmdResetQueryPool") && !getenv("UNORDERED"))
		return (PFN_vkVoidFunction)reset;
	if (!strcmp(name, "vkResetQueryPool") && !getenv("UNORDERED"))
		return (PFN_vkVoidFunction)reset_by_host;
	return next_device(device, name);
}

static VkResult create_instance(const VkInstanceCreateInfo *info,
				const VkAllocationCallbacks *allocator, VkInstance *out)
{
	VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
	VkResult result;

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (VkLayerInstanceCreateInfo *)link->pNext;
	next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = ((PFN_vkCreateInstance)next_instance(NULL, "vkCreateInstance"))(info, allocator,
										 out);
	instance = *out;
	return result;
}

static VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
			      const VkAllocationCallbacks *allocator, VkDevice *out)
{
	VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
	PFN_vkCreateDevice create;

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (VkLayerDeviceCreateInfo *)link->pNext;
	next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	create = (PFN_vkCreateDevice)next_instance(getenv("ASKS_NONE") ? NULL : instance,
						   "vkCreateDevice");
	return create ? create(physical, info, allocator, out) : VK_ERROR_INITIALIZATION_FAILED;
}

static PFN_vkVoidFunction get_instance(VkInstance handle, const char *name)
{
	if (!strcmp(name, "vkGetInstanceProcAddr"))
		return (PFN_vkVoidFunction)get_instance;
	if (!strcmp(name, "vkGetDeviceProcAddr"))
		return (PFN_vkVoidFunction)get_device;
	if (!strcmp(name, "vkCreateInstance"))
		return (PFN_vkVoidFunction)create_instance;
	if (!strcmp(name, "vkCreateDevice"))
		return (PFN_vkVoidFunction)create_device;
	return next_instance ? next_instance(handle, name) : NULL;
}

VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *about)
{
	about->pfnGetInstanceProcAddr = get_instance;
	about->pfnGetDeviceProcAddr = get_device;
	about->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
