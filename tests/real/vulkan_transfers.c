/* SPDX-License-Identifier: MIT */
/*
 * A layer below tacho's that says of every family of queues that it only transfers: so a driver
 * that has no such queue is timed as if it had.
 */
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetPhysicalDeviceQueueFamilyProperties next_families;

VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *about);

static void get_families(VkPhysicalDevice physical, uint32_t *count, VkQueueFamilyProperties *out)
{
	next_families(physical, count, out);
	for (uint32_t i = 0; out && i < *count; i++)
		out[i].queueFlags = VK_QUEUE_TRANSFER_BIT;
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
	if (result >= 0)
		next_families = (PFN_vkGetPhysicalDeviceQueueFamilyProperties)next_instance(
			*out, "vkGetPhysicalDeviceQueueFamilyProperties");
	return result;
}

static PFN_vkVoidFunction get_instance(VkInstance handle, const char *name)
{
	if (!strcmp(name, "vkGetInstanceProcAddr"))
		return (PFN_vkVoidFunction)get_instance;
	if (!strcmp(name, "vkCreateInstance"))
		return (PFN_vkVoidFunction)create_instance;
	if (!strcmp(name, "vkGetPhysicalDeviceQueueFamilyProperties"))
		return (PFN_vkVoidFunction)get_families;
	return next_instance ? next_instance(handle, name) : NULL;
}

/* Of devices it gives out nothing. */
VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *about)
{
	about->pfnGetInstanceProcAddr = get_instance;
	about->pfnGetDeviceProcAddr = NULL;
	about->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
