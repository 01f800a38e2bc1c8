/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_performance.h"

#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_features.h"

#define LOCK_NS UINT64_C(200000000) /* that another process may need to give it up */

static const char own_use[] = "the program uses VK_KHR_performance_query itself";
static const char no_lock[] =
	"the driver's profiling lock was refused: end other profilers, and see tacho doctor";

static void ask(struct vk_device *device, struct vk_performance_features *features)
{
	const struct tacho__vulkan_dispatch *vk = &device->instance->table;
	struct vk_features2 all = {.type = VK_TYPE_FEATURES_2, .next = features};
	struct vk_performance_properties properties = {
		.type = VK_TYPE_PERFORMANCE_QUERY_PROPERTIES};
	struct vk_device_properties2 every = {.type = VK_TYPE_PROPERTIES_2, .next = &properties};

	if (!vk->vkGetPhysicalDeviceFeatures2 || !vk->vkGetPhysicalDeviceProperties2)
		return;
	vk->vkGetPhysicalDeviceFeatures2(device->physical, &all);
	vk->vkGetPhysicalDeviceProperties2(device->physical, &every);
	device->performance.can_copy = properties.can_copy;
}

void tacho__vulkan_performance_wish(struct vk_device *device, bool program_has_it,
				    struct vk_wishes *wishes)
{
	struct vk_performance_features features = {.type = VK_TYPE_PERFORMANCE_QUERY_FEATURES};

	if (!wishes->performance)
		return;
	if (program_has_it) {
		device->performance.why = own_use;
		wishes->performance = false;
		return;
	}
	ask(device, &features);
	device->performance.has_many_pools = features.has_multiple_pools;
	wishes->performance_pools = features.has_multiple_pools;
}

void tacho__vulkan_performance_begin(struct vk_device *device)
{
	const struct vk_lock_info info = {.type = VK_TYPE_ACQUIRE_PROFILING_LOCK_INFO,
					  .timeout_ns = LOCK_NS};

	device->performance.is_on = device->table.vkAcquireProfilingLockKHR &&
				    !device->table.vkAcquireProfilingLockKHR(device->handle, &info);
	if (!device->performance.is_on)
		device->performance.why = no_lock;
}

void tacho__vulkan_performance_end(struct vk_device *device)
{
	if (device->performance.is_on)
		device->table.vkReleaseProfilingLockKHR(device->handle);
}
