/* SPDX-License-Identifier: MIT */
/* The way in through the loader. One instance and one device at a time. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_counters.h"

enum { NAMES_MAX = 256 };

/* Asked for as soon as the instance is there: later the next one would lead back to us. */
static struct {
	PFN_vkGetInstanceProcAddr get;
	VkInstance instance;
	PFN_vkEnumerateDeviceExtensionProperties enumerate_extensions;
	PFN_vkGetPhysicalDeviceFeatures2 get_features;
	PFN_vkGetPhysicalDeviceProperties2 get_properties;
} next;

bool fake_is(const char *word)
{
	const char *words = getenv("FAKE_COUNTERS");

	return words && strstr(words, word);
}

void fake_complain(const char *format, ...)
{
	va_list list;

	fputs("fake counters: ", stderr);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
}

/* ---- what a device has ---- */

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice physical,
							   const char *layer, uint32_t *count,
							   VkExtensionProperties *extensions)
{
	uint32_t room = *count;
	VkResult result = next.enumerate_extensions(physical, layer, count, extensions);

	if (layer || result < 0)
		return result;
	if (extensions && *count >= room)
		return VK_INCOMPLETE;
	if (extensions) {
		memset(&extensions[*count], 0, sizeof(*extensions));
		strcpy(extensions[*count].extensionName, VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME);
		extensions[*count].specVersion = 1;
	}
	++*count;
	return result;
}

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physical,
					       VkPhysicalDeviceFeatures2 *features)
{
	next.get_features(physical, features);
	for (VkBaseOutStructure *at = features->pNext; at; at = at->pNext) {
		VkPhysicalDevicePerformanceQueryFeaturesKHR *own = (void *)at;

		if (at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR)
			continue;
		own->performanceCounterQueryPools = VK_TRUE;
		own->performanceCounterMultipleQueryPools = fake_is("pools");
	}
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical,
						 VkPhysicalDeviceProperties2 *properties)
{
	next.get_properties(physical, properties);
	for (VkBaseOutStructure *at = properties->pNext; at; at = at->pNext)
		if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_PROPERTIES_KHR)
			((VkPhysicalDevicePerformanceQueryPropertiesKHR *)(void *)at)
				->allowCommandBufferQueryCopies = !fake_is("direct");
}

/* ---- instances and devices ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
						      const VkAllocationCallbacks *allocator,
						      VkInstance *out_instance)
{
	VkLayerInstanceCreateInfo *link = (void *)(uintptr_t)info->pNext;
	VkResult result;

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (void *)(uintptr_t)link->pNext;
	next.get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = ((PFN_vkCreateInstance)next.get(NULL, "vkCreateInstance"))(info, allocator,
									    out_instance);
	if (result < 0)
		return result;
	next.instance = *out_instance;
	next.enumerate_extensions = (PFN_vkEnumerateDeviceExtensionProperties)next.get(
		*out_instance, "vkEnumerateDeviceExtensionProperties");
	next.get_features = (PFN_vkGetPhysicalDeviceFeatures2)next.get(
		*out_instance, "vkGetPhysicalDeviceFeatures2");
	next.get_properties = (PFN_vkGetPhysicalDeviceProperties2)next.get(
		*out_instance, "vkGetPhysicalDeviceProperties2");
	return result;
}

static bool has_feature(const VkDeviceCreateInfo *info)
{
	for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext)
		if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR)
			return ((const VkPhysicalDevicePerformanceQueryFeaturesKHR *)(const void *)
					at)
				->performanceCounterQueryPools;
	return false;
}

/* The one below does not know the extension. */
static bool strip(VkDeviceCreateInfo *info, const char *names[NAMES_MAX])
{
	uint32_t kept = 0;
	bool is_there = false;

	for (uint32_t i = 0; i < info->enabledExtensionCount && kept < NAMES_MAX; i++) {
		names[kept] = info->ppEnabledExtensionNames[i];
		if (strcmp(names[kept], VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME) == 0)
			is_there = true;
		else
			kept++;
	}
	info->enabledExtensionCount = kept;
	info->ppEnabledExtensionNames = names;
	return is_there;
}

/* Nor its features, which it would refuse. Whoever put them there put them in front. */
static void strip_features(VkDeviceCreateInfo *info)
{
	const VkBaseInStructure *first = info->pNext;

	if (first &&
	    first->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR)
		info->pNext = first->pNext;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
						    const VkDeviceCreateInfo *theirs,
						    const VkAllocationCallbacks *allocator,
						    VkDevice *out_device)
{
	VkLayerDeviceCreateInfo *link = (void *)(uintptr_t)theirs->pNext;
	VkDeviceCreateInfo info = *theirs;
	const char *names[NAMES_MAX];
	bool has_extension = strip(&info, names);
	PFN_vkCreateDevice create;
	VkResult result;

	strip_features(&info);
	if (fake_is("fail") && has_extension)
		return VK_ERROR_INITIALIZATION_FAILED;
	while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (void *)(uintptr_t)link->pNext;
	create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
		next.instance, "vkCreateDevice");
	fake_next.get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = create(physical, &info, allocator, out_device);
	if (result < 0)
		return result;
#define FAKE_FILL(name) fake_next.name = (PFN_vk##name)fake_next.get(*out_device, "vk" #name);
	FAKE_FUNCTIONS(FAKE_FILL)
	fake_queries_begin(has_extension && has_feature(theirs));
	return result;
}

/* ---- giving out functions ---- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice device,
								    const char *name)
{
	PFN_vkVoidFunction own = strcmp(name, "vkGetDeviceProcAddr") == 0
					 ? (PFN_vkVoidFunction)get_device_function
					 : fake_queries_find(name);

	return own ? own : fake_next.get(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_function(VkInstance instance,
								      const char *name)
{
	const struct {
		const char *name;
		PFN_vkVoidFunction function;
	} own[] = {
		{"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_function},
		{"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_function},
		{"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
		{"vkCreateDevice", (PFN_vkVoidFunction)create_device},
		{"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)enumerate_extensions},
		{"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)get_features},
		{"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)get_properties},
		{"vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR",
		 (PFN_vkVoidFunction)fake_enumerate},
		{"vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR",
		 (PFN_vkVoidFunction)fake_get_passes},
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(name, own[i].name) == 0)
			return own[i].function;
	if (!instance)
		return NULL;
	return fake_queries_find(name) ? fake_queries_find(name) : next.get(instance, name);
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiation);

VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiation)
{
	negotiation->loaderLayerInterfaceVersion = 2;
	negotiation->pfnGetInstanceProcAddr = get_instance_function;
	negotiation->pfnGetDeviceProcAddr = get_device_function;
	negotiation->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
