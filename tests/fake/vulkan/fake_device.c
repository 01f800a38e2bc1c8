/* SPDX-License-Identifier: MIT */
/* The driver's way in, its instances and devices, and what it says of them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake.h"

struct driver driver = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

struct physical {
	VK_LOADER_DATA loader;
};

struct instance {
	VK_LOADER_DATA loader;
	struct physical physical;
};

void complain(const char *format, ...)
{
	va_list arguments;

	fputs("fake vulkan: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

PFN_vkVoidFunction find_entry(const struct entry *entries, const char *name)
{
	for (; entries->name; entries++)
		if (!strcmp(entries->name, name))
			return entries->function;
	return NULL;
}

/* ---- what it is told to say ---- */

static bool says(const char *word, uint32_t *out_number)
{
	const char *text = getenv("FAKE_VULKAN");
	size_t size = strlen(word);

	for (; text && *text; text += strcspn(text, ","), text += *text == ',') {
		if (strncmp(text, word, size))
			continue;
		if (out_number && text[size] == '=')
			*out_number = (uint32_t)strtoul(text + size + 1, NULL, 10);
		else if (text[size] && text[size] != ',')
			continue;
		return true;
	}
	return false;
}

static void read_options(void)
{
	struct options *options = &driver.options;

	*options = (struct options){.bits = 64, .period = 1000, .version = 3};
	says("bits", &options->bits);
	says("period", &options->period);
	says("version", &options->version);
	says("lost", &options->lost);
	says("full", &options->full);
	says("stingy", &options->stingy);
	options->refuse = says("refuse", NULL);
	options->uncalibrated = says("uncalibrated", NULL);
	options->no_reset = says("no_reset", NULL);
	options->bare = says("bare", NULL);
	options->silent = says("silent", NULL);
	options->garbage = says("garbage", NULL);
	options->backwards = says("backwards", NULL);
	options->equal = says("equal", NULL);
	options->each_view = says("each_view", NULL);
	options->late = says("late", NULL);
	options->loud = says("loud", NULL);
}

bool is_short(const void *allocator)
{
	uint32_t wish;

	if (allocator || !driver.options.stingy)
		return false;
	wish = __atomic_add_fetch(&driver.wishes, 1, __ATOMIC_RELAXED);
	return wish % driver.options.stingy == 0;
}

const uint32_t family_flags[FAMILIES] = {
	VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
	VK_QUEUE_TRANSFER_BIT,
	VK_QUEUE_TRANSFER_BIT | 0x20 /* decodes video */,
	VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
	VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
	VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
	VK_QUEUE_TRANSFER_BIT,
};

uint32_t family_bits(uint32_t family)
{
	static const uint32_t bits[FAMILIES] = {0, 64, 64, 16, 0, 36, 0};

	return family ? bits[family] : driver.options.bits;
}

uint32_t family_queues(uint32_t family)
{
	return family < 2 ? QUEUES_MAX : 1;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t read_ticks(void)
{
	uint64_t ns = now_ns();

	if (driver.options.equal || driver.options.backwards) {
		if (!driver.clock_ns)
			driver.clock_ns = ns;
		driver.clock_ns -= driver.options.backwards ? 1000 : 0;
		ns = driver.clock_ns;
	}
	return (uint64_t)((long double)ns * 1000 / driver.options.period);
}

/* ---- of the physical device ---- */

static void fake_vkGetPhysicalDeviceProperties(VkPhysicalDevice physical,
					       VkPhysicalDeviceProperties *out)
{
	(void)physical;
	*out = (VkPhysicalDeviceProperties){
		.apiVersion = VK_MAKE_API_VERSION(0, 1, driver.options.version, 0),
		.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
		.deviceName = "fake device of tacho's tests",
		.limits = {.timestampPeriod = (float)driver.options.period / 1000,
			   .maxMemoryAllocationCount = 4096}};
}

static void fake_vkGetPhysicalDeviceProperties2(VkPhysicalDevice physical,
						VkPhysicalDeviceProperties2 *out)
{
	fake_vkGetPhysicalDeviceProperties(physical, &out->properties);
}

static void fake_vkGetPhysicalDeviceFeatures(VkPhysicalDevice physical,
					     VkPhysicalDeviceFeatures *out)
{
	(void)physical;
	memset(out, 0, sizeof(*out));
}

static void fake_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice physical,
					      VkPhysicalDeviceFeatures2 *out)
{
	fake_vkGetPhysicalDeviceFeatures(physical, &out->features);
	for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
		if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES)
			((VkPhysicalDeviceHostQueryResetFeatures *)(void *)at)->hostQueryReset =
				!driver.options.no_reset;
		if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
			((VkPhysicalDeviceVulkan12Features *)(void *)at)->hostQueryReset =
				!driver.options.no_reset;
	}
}

static void fake_vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physical,
							  uint32_t *count,
							  VkQueueFamilyProperties *out)
{
	(void)physical;
	for (uint32_t i = 0; out && i < *count && i < FAMILIES; i++)
		out[i] = (VkQueueFamilyProperties){.queueFlags = family_flags[i],
						   .queueCount = family_queues(i),
						   .timestampValidBits = family_bits(i),
						   .minImageTransferGranularity = {1, 1, 1}};
	if (!out || *count > FAMILIES)
		*count = FAMILIES;
}

static void fake_vkGetPhysicalDeviceMemoryProperties(VkPhysicalDevice physical,
						     VkPhysicalDeviceMemoryProperties *out)
{
	(void)physical;
	*out = (VkPhysicalDeviceMemoryProperties){
		.memoryTypeCount = 3,
		.memoryTypes = {{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
					 VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
					 VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
				 0},
				{VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, 1},
				{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}},
		.memoryHeapCount = 2,
		.memoryHeaps = {{UINT64_C(1) << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
				{UINT64_C(1) << 32, 0}}};
}

static void fake_vkGetPhysicalDeviceFormatProperties(VkPhysicalDevice physical, VkFormat format,
						     VkFormatProperties *out)
{
	(void)physical;
	(void)format;
	memset(out, 0, sizeof(*out));
}

static VkResult fake_vkGetPhysicalDeviceImageFormatProperties(VkPhysicalDevice physical,
							      VkFormat format)
{
	(void)physical;
	(void)format;
	return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

static void fake_vkGetPhysicalDeviceSparseImageFormatProperties(
	VkPhysicalDevice physical, VkFormat format, VkImageType type, VkSampleCountFlagBits samples,
	VkImageUsageFlags usage, VkImageTiling tiling, uint32_t *count,
	VkSparseImageFormatProperties *out)
{
	(void)physical;
	(void)format;
	(void)type;
	(void)samples;
	(void)usage;
	(void)tiling;
	(void)out;
	*count = 0;
}

static uint32_t list_extensions(const char *names[3])
{
	uint32_t count = 0;

	names[count++] = "VK_KHR_swapchain";
	names[count++] = "VK_EXT_host_query_reset";
	if (!driver.options.uncalibrated)
		names[count++] = "VK_EXT_calibrated_timestamps";
	return count;
}

static VkResult fake_vkEnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
							  const char *layer, uint32_t *count,
							  VkExtensionProperties *out)
{
	const char *names[3];
	uint32_t total = list_extensions(names), room = out ? *count : 0;

	(void)physical;
	(void)layer;
	*count = out && room < total ? room : total;
	for (uint32_t i = 0; out && i < *count; i++) {
		out[i] = (VkExtensionProperties){.specVersion = 1};
		snprintf(out[i].extensionName, sizeof(out[i].extensionName), "%s", names[i]);
	}
	return out && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static VkResult fake_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice physical,
								    uint32_t *count,
								    VkTimeDomainEXT *out)
{
	(void)physical;
	if (out && *count >= 2) {
		out[0] = VK_TIME_DOMAIN_DEVICE_EXT;
		out[1] = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
	}
	*count = 2;
	return VK_SUCCESS;
}

/* ---- instances ---- */

static VkResult fake_vkCreateInstance(const VkInstanceCreateInfo *info,
				      const VkAllocationCallbacks *allocator, VkInstance *out)
{
	struct instance *instance = calloc(1, sizeof(*instance));

	(void)info;
	(void)allocator;
	if (!instance)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	read_options();
	set_loader_magic_value(instance);
	set_loader_magic_value(&instance->physical);
	*out = (VkInstance)instance;
	return VK_SUCCESS;
}

static void fake_vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks *allocator)
{
	(void)allocator;
	free(instance);
}

static VkResult fake_vkEnumeratePhysicalDevices(VkInstance instance, uint32_t *count,
						VkPhysicalDevice *out)
{
	if (out && *count)
		out[0] = (VkPhysicalDevice)(void *)&((struct instance *)instance)->physical;
	*count = 1;
	return VK_SUCCESS;
}

static VkResult fake_vkEnumeratePhysicalDeviceGroups(VkInstance instance, uint32_t *count,
						     VkPhysicalDeviceGroupProperties *out)
{
	if (out && *count) {
		out->physicalDeviceCount = 1;
		out->physicalDevices[0] =
			(VkPhysicalDevice)(void *)&((struct instance *)instance)->physical;
	}
	*count = 1;
	return VK_SUCCESS;
}

static VkResult fake_vkEnumerateInstanceVersion(uint32_t *out)
{
	read_options();
	*out = VK_MAKE_API_VERSION(0, 1, driver.options.version, 0);
	return VK_SUCCESS;
}

static VkResult fake_vkEnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
							    VkExtensionProperties *out)
{
	(void)layer;
	if (out && *count) {
		*out = (VkExtensionProperties){.specVersion = 2};
		snprintf(out->extensionName, sizeof(out->extensionName), "%s",
			 VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
	}
	*count = 1;
	return VK_SUCCESS;
}

/* ---- devices ---- */

static bool is_extension_right(const char *name)
{
	const char *names[3];
	uint32_t count = list_extensions(names);

	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return !driver.options.refuse || !i;
	return false;
}

static bool is_chain_right(struct device *device, const VkDeviceCreateInfo *info)
{
	bool has_small = false, has_whole = false, has_all = false;

	for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
		const void *whole = at;

		if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES) {
			has_small = true;
			device->has_host_reset |=
				((const VkPhysicalDeviceHostQueryResetFeatures *)whole)
					->hostQueryReset;
		} else if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
			has_whole = true;
			device->has_host_reset |=
				((const VkPhysicalDeviceVulkan12Features *)whole)->hostQueryReset;
		} else if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
			has_all = true;
		} else if (at->sType == VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO) {
			device->group_size =
				((const VkDeviceGroupDeviceCreateInfo *)whole)->physicalDeviceCount;
		}
	}
	if (has_small && has_whole)
		complain("a feature is in two structures of a device");
	if (has_all && info->pEnabledFeatures)
		complain("a device's features are told twice");
	return !device->has_host_reset || (!driver.options.no_reset && !driver.options.refuse);
}

static VkResult fake_vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
				    const VkAllocationCallbacks *allocator, VkDevice *out)
{
	struct device *device = calloc(1, sizeof(*device));
	bool is_right = device && is_chain_right(device, info);

	(void)physical;
	(void)allocator;
	for (uint32_t i = 0; is_right && i < info->enabledExtensionCount; i++) {
		const char *name = info->ppEnabledExtensionNames[i];

		is_right = is_extension_right(name);
		device->is_calibrated |= !strcmp(name, "VK_EXT_calibrated_timestamps");
	}
	if (!is_right) {
		free(device);
		return VK_ERROR_EXTENSION_NOT_PRESENT;
	}
	set_loader_magic_value(device);
	for (uint32_t i = 0; i < info->queueCreateInfoCount; i++)
		for (uint32_t k = 0; k < info->pQueueCreateInfos[i].queueCount; k++)
			begin_queue(device, info->pQueueCreateInfos[i].queueFamilyIndex, k);
	*out = (VkDevice)device;
	return VK_SUCCESS;
}

static void fake_vkDestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator)
{
	struct device *device = (struct device *)handle;

	(void)allocator;
	if (!device)
		return;
	end_queues(device);
	if (device->objects)
		complain("%lld objects outlive their device", (long long)device->objects);
	free(device);
}

static void fake_vkGetDeviceQueue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *out)
{
	*out = (VkQueue)(void *)&((struct device *)handle)->queues[family][index];
}

static void fake_vkGetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2 *info, VkQueue *out)
{
	fake_vkGetDeviceQueue(device, info->queueFamilyIndex, info->queueIndex, out);
}

static VkResult fake_vkGetCalibratedTimestampsEXT(VkDevice handle, uint32_t count,
						  const VkCalibratedTimestampInfoEXT *infos,
						  uint64_t *out, uint64_t *out_deviation)
{
	if (!((struct device *)handle)->is_calibrated)
		complain("clocks are read together, which was not asked for");
	for (uint32_t i = 0; i < count; i++)
		out[i] = infos[i].timeDomain == VK_TIME_DOMAIN_DEVICE_EXT ? read_ticks() : now_ns();
	*out_deviation = 1000;
	return VK_SUCCESS;
}

/* ---- finding functions ---- */

static PFN_vkVoidFunction fake_vkGetDeviceProcAddr(VkDevice device, const char *name)
{
	if (!strcmp(name, "vkGetCalibratedTimestampsEXT") &&
	    !((struct device *)device)->is_calibrated)
		return NULL;
	return find_function(name);
}

static const struct entry device_entries[] = {
	ENTRY(vkDestroyDevice),
	ENTRY(vkGetDeviceQueue),
	ENTRY(vkGetDeviceQueue2),
	ENTRY(vkGetDeviceProcAddr),
	ENTRY(vkGetCalibratedTimestampsEXT),
	{NULL, NULL},
};

static const struct entry instance_entries[] = {
	ENTRY(vkCreateInstance),
	ENTRY(vkDestroyInstance),
	ENTRY(vkEnumerateInstanceVersion),
	ENTRY(vkEnumerateInstanceExtensionProperties),
	ENTRY(vkEnumeratePhysicalDevices),
	ENTRY(vkEnumeratePhysicalDeviceGroups),
	ENTRY(vkGetPhysicalDeviceProperties),
	ENTRY(vkGetPhysicalDeviceProperties2),
	ENTRY(vkGetPhysicalDeviceFeatures),
	ENTRY(vkGetPhysicalDeviceFeatures2),
	ENTRY(vkGetPhysicalDeviceQueueFamilyProperties),
	ENTRY(vkGetPhysicalDeviceMemoryProperties),
	ENTRY(vkGetPhysicalDeviceFormatProperties),
	ENTRY(vkGetPhysicalDeviceImageFormatProperties),
	ENTRY(vkGetPhysicalDeviceSparseImageFormatProperties),
	ENTRY(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT),
	ENTRY(vkEnumerateDeviceExtensionProperties),
	ENTRY(vkCreateDevice),
	{NULL, NULL},
};

/* Extensions' names end in their makers'. */
static bool has_maker(const char *name)
{
	size_t size = strlen(name);

	return size > 2 && name[size - 1] >= 'A' && name[size - 1] <= 'Z' &&
	       name[size - 2] >= 'A' && name[size - 2] <= 'Z';
}

PFN_vkVoidFunction find_function(const char *name)
{
	PFN_vkVoidFunction function = find_entry(device_entries, name);

	if (!function)
		function = find_object_function(name);
	if (!function)
		function = find_query_function(name);
	if (!function)
		function = find_queue_function(name);
	if (!function)
		function = find_command_function(name);
	return driver.options.bare && has_maker(name) && strstr(name, "Calibrat") == NULL
		       ? NULL
		       : function;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
								   const char *name);
VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
								   const char *name)
{
	PFN_vkVoidFunction function = find_entry(instance_entries, name);

	(void)instance;
	return function ? function : find_function(name);
}

VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
	if (*version > 5)
		*version = 5;
	return VK_SUCCESS;
}
