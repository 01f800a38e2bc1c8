/* SPDX-License-Identifier: MIT */
/*
 * The least that a layer of Vulkan can cost: of one device it forwards the functions that vkcost
 * measures, and does nothing else. All others go to the driver by themselves.
 */
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetDeviceProcAddr next_device;
static PFN_vkCmdFillBuffer next_fill;
static PFN_vkQueueSubmit next_submit;
static VkInstance instance;

VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *about);

static void fill(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize at, VkDeviceSize size,
		 uint32_t word)
{
	next_fill(commands, buffer, at, size, word);
}

static VkResult submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
	return next_submit(queue, count, infos, fence);
}

static PFN_vkVoidFunction get_device(VkDevice device, const char *name)
{
	if (!strcmp(name, "vkGetDeviceProcAddr"))
		return (PFN_vkVoidFunction)get_device;
	if (!strcmp(name, "vkCmdFillBuffer"))
		return (PFN_vkVoidFunction)fill;
	if (!strcmp(name, "vkQueueSubmit"))
		return (PFN_vkVoidFunction)submit;
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
	VkResult result;

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (VkLayerDeviceCreateInfo *)link->pNext;
	next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = ((PFN_vkCreateDevice)next_instance(instance, "vkCreateDevice"))(physical, info,
										 allocator, out);
	if (result)
		return result;
	next_fill = (PFN_vkCmdFillBuffer)next_device(*out, "vkCmdFillBuffer");
	next_submit = (PFN_vkQueueSubmit)next_device(*out, "vkQueueSubmit");
	return result;
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
