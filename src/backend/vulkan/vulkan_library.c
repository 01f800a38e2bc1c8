/* SPDX-License-Identifier: MIT */
/* Opening Vulkan's loader and making an instance of the newest version that it knows. */
#include "backend/vulkan/vulkan_library.h"

#include "base/array.h"
#include "base/error.h"

static const struct {
	int32_t number;
	const char *name;
} results[] = {
	{-1, "VK_ERROR_OUT_OF_HOST_MEMORY"},	{-2, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
	{-3, "VK_ERROR_INITIALIZATION_FAILED"}, {-4, "VK_ERROR_DEVICE_LOST"},
	{-6, "VK_ERROR_LAYER_NOT_PRESENT"},	{-7, "VK_ERROR_EXTENSION_NOT_PRESENT"},
	{-9, "VK_ERROR_INCOMPATIBLE_DRIVER"},
};

const char *tacho__vulkan_error(int32_t result)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(results); i++)
		if (results[i].number == result)
			return tacho__detail("%s (%d)", results[i].name, result);
	return tacho__detail("result %d", result);
}

int tacho__vulkan_open(struct vulkan *out_vulkan)
{
	static const struct tacho__dl_symbol symbols[] = {
		TACHO__DL_SYMBOL(vulkan_library, get, "vkGetInstanceProcAddr"),
	};
	struct vulkan vulkan = {.version = VULKAN_VERSION(1, 0)};
	int32_t (*get_version)(uint32_t * version);
	int rc = tacho__dl_open(TACHO__VULKAN_LOADER, symbols, TACHO__ARRAY_SIZE(symbols),
				&vulkan.dl, &vulkan.library);

	if (rc)
		return rc;
	get_version =
		(int32_t(*)(uint32_t *))vulkan.library.get(NULL, "vkEnumerateInstanceVersion");
	if (get_version && get_version(&vulkan.version) != VULKAN_SUCCESS)
		vulkan.version = VULKAN_VERSION(1, 0);
	vulkan.enumerate_layers = (int32_t(*)(uint32_t *, struct vulkan_layer *))vulkan.library.get(
		NULL, "vkEnumerateInstanceLayerProperties");
	*out_vulkan = vulkan;
	return 0;
}

static void find_functions(struct vulkan *vulkan)
{
	const struct {
		const char *name;
		void *place;
	} functions[] = {
		{"vkDestroyInstance", &vulkan->destroy_instance},
		{"vkEnumeratePhysicalDevices", &vulkan->enumerate_devices},
		{"vkGetPhysicalDeviceProperties", &vulkan->get_properties},
		{"vkGetPhysicalDeviceFeatures", &vulkan->get_features},
		{"vkGetPhysicalDeviceProperties2", &vulkan->get_properties_2},
		{"vkGetPhysicalDeviceFeatures2", &vulkan->get_features_2},
		{"vkGetPhysicalDeviceQueueFamilyProperties", &vulkan->get_families},
		{"vkEnumerateDeviceExtensionProperties", &vulkan->enumerate_extensions},
		{"vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR",
		 &vulkan->enumerate_counters},
		{"vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR", &vulkan->get_passes},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(functions); i++)
		*(vulkan_function *)functions[i].place =
			vulkan->library.get(vulkan->instance, functions[i].name);
}

void tacho__vulkan_borrow(struct vulkan *out_vulkan,
			  vulkan_function (*get)(vulkan_handle instance, const char *name),
			  vulkan_handle instance)
{
	*out_vulkan = (struct vulkan){.library.get = get, .instance = instance};
	find_functions(out_vulkan);
}

int32_t tacho__vulkan_begin(struct vulkan *vulkan)
{
	const struct vulkan_application_info application = {
		.type = VULKAN_TYPE_APPLICATION_INFO,
		.application = "tacho",
		.engine = "tacho",
		.api_version = vulkan->version,
	};
	const struct vulkan_instance_info info = {.type = VULKAN_TYPE_INSTANCE_CREATE_INFO,
						  .application = &application};
	int32_t (*create)(const struct vulkan_instance_info *, const void *, vulkan_handle *) =
		(int32_t(*)(const struct vulkan_instance_info *, const void *,
			    vulkan_handle *))vulkan->library.get(NULL, "vkCreateInstance");
	int32_t result =
		create ? create(&info, NULL, &vulkan->instance) : VULKAN_ERROR_INCOMPATIBLE_DRIVER;

	if (result)
		vulkan->instance = NULL;
	else
		find_functions(vulkan);
	return result;
}

uint32_t tacho__vulkan_ask_families(const struct vulkan *vulkan, vulkan_handle device,
				    struct vulkan_queue_family *out_families, uint32_t room)
{
	uint32_t count = 0;

	vulkan->get_families(device, &count, NULL);
	if (count > room)
		count = room;
	vulkan->get_families(device, &count, out_families);
	return count < room ? count : room;
}

void tacho__vulkan_close(struct vulkan *vulkan)
{
	if (vulkan->instance)
		vulkan->destroy_instance(vulkan->instance, NULL);
	tacho__dl_close(&vulkan->dl);
}
