/* SPDX-License-Identifier: MIT */
/*
 * A layer below tacho's that lets no reset of queries through: what looks at queries must complain
 * then, or it would not complain of a tacho that forgets them either.
 */
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
	if (!strcmp(name, "vkCmdResetQueryPool"))
		return (PFN_vkVoidFunction)reset;
	if (!strcmp(name, "vkResetQueryPool"))
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

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (VkLayerDeviceCreateInfo *)link->pNext;
	next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	return ((PFN_vkCreateDevice)next_instance(instance, "vkCreateDevice"))(physical, info,
									       allocator, out);
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
