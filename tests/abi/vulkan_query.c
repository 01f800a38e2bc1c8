/* SPDX-License-Identifier: MIT */
/* What tacho asks of Vulkan, against Khronos's own header: this file compiles, or does not. */
#include <stddef.h>
#include <vulkan/vulkan.h>

#include "backend/vulkan/vulkan_library.h"

#define SAME(ours, theirs) _Static_assert((long long)(ours) == (long long)(theirs), #theirs)
#define PLACE(ours, member, theirs, name) \
	SAME(offsetof(struct ours, member), offsetof(theirs, name))

SAME(VULKAN_SUCCESS, VK_SUCCESS);
SAME(VULKAN_INCOMPLETE, VK_INCOMPLETE);
SAME(VULKAN_ERROR_INCOMPATIBLE_DRIVER, VK_ERROR_INCOMPATIBLE_DRIVER);
SAME(VULKAN_TYPE_APPLICATION_INFO, VK_STRUCTURE_TYPE_APPLICATION_INFO);
SAME(VULKAN_TYPE_INSTANCE_CREATE_INFO, VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
SAME(VULKAN_TYPE_FEATURES_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
SAME(VULKAN_TYPE_PROPERTIES_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
SAME(VULKAN_TYPE_PERFORMANCE_QUERY_FEATURES,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR);
SAME(VULKAN_TYPE_DRIVER_PROPERTIES, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
SAME(VULKAN_TYPE_HOST_QUERY_RESET_FEATURES,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES);
SAME(VULKAN_QUEUE_GRAPHICS, VK_QUEUE_GRAPHICS_BIT);
SAME(VULKAN_QUEUE_COMPUTE, VK_QUEUE_COMPUTE_BIT);
SAME(VULKAN_QUEUE_TRANSFER, VK_QUEUE_TRANSFER_BIT);
SAME(VULKAN_QUEUE_SPARSE, VK_QUEUE_SPARSE_BINDING_BIT);
SAME(VULKAN_QUEUE_PROTECTED, VK_QUEUE_PROTECTED_BIT);
SAME(VULKAN_QUEUE_VIDEO_DECODE, VK_QUEUE_VIDEO_DECODE_BIT_KHR);
SAME(VULKAN_VERSION(1, 3), VK_MAKE_API_VERSION(0, 1, 3, 0));

SAME(sizeof(struct vulkan_application_info), sizeof(VkApplicationInfo));
PLACE(vulkan_application_info, api_version, VkApplicationInfo, apiVersion);
SAME(sizeof(struct vulkan_instance_info), sizeof(VkInstanceCreateInfo));
PLACE(vulkan_instance_info, application, VkInstanceCreateInfo, pApplicationInfo);
PLACE(vulkan_instance_info, extension_count, VkInstanceCreateInfo, enabledExtensionCount);
SAME(sizeof(struct vulkan_layer), sizeof(VkLayerProperties));
PLACE(vulkan_layer, description, VkLayerProperties, description);
SAME(sizeof(struct vulkan_extension), sizeof(VkExtensionProperties));
SAME(sizeof(struct vulkan_properties), sizeof(VkPhysicalDeviceProperties));
PLACE(vulkan_properties, name, VkPhysicalDeviceProperties, deviceName);
PLACE(vulkan_properties, limits.has_timestamps, VkPhysicalDeviceProperties,
      limits.timestampComputeAndGraphics);
PLACE(vulkan_properties, limits.timestamp_ns, VkPhysicalDeviceProperties, limits.timestampPeriod);
SAME(sizeof(struct vulkan_properties_2), sizeof(VkPhysicalDeviceProperties2));
PLACE(vulkan_properties_2, properties, VkPhysicalDeviceProperties2, properties);
SAME(sizeof(struct vulkan_driver_properties), sizeof(VkPhysicalDeviceDriverProperties));
PLACE(vulkan_driver_properties, info, VkPhysicalDeviceDriverProperties, driverInfo);
SAME(sizeof(struct vulkan_features_2), sizeof(VkPhysicalDeviceFeatures2));
PLACE(vulkan_features_2, features, VkPhysicalDeviceFeatures2, features);
SAME(sizeof(struct vulkan_features), sizeof(VkPhysicalDeviceFeatures));
PLACE(vulkan_features, has_statistics, VkPhysicalDeviceFeatures, pipelineStatisticsQuery);
PLACE(vulkan_features, has_precise_occlusion, VkPhysicalDeviceFeatures, occlusionQueryPrecise);
SAME(VULKAN_TYPE_ID_PROPERTIES, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
SAME(sizeof(struct vulkan_id_properties), sizeof(VkPhysicalDeviceIDProperties));
PLACE(vulkan_id_properties, device_uuid, VkPhysicalDeviceIDProperties, deviceUUID);
SAME(VULKAN_TYPE_QUERY_POOL_PERFORMANCE, VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR);
SAME(sizeof(struct vulkan_performance_info), sizeof(VkQueryPoolPerformanceCreateInfoKHR));
PLACE(vulkan_performance_info, counters, VkQueryPoolPerformanceCreateInfoKHR, pCounterIndices);
SAME(VULKAN_TYPE_PERFORMANCE_COUNTER, VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR);
SAME(sizeof(struct vulkan_counter), sizeof(VkPerformanceCounterKHR));
PLACE(vulkan_counter, unit, VkPerformanceCounterKHR, unit);
PLACE(vulkan_counter, scope, VkPerformanceCounterKHR, scope);
PLACE(vulkan_counter, storage, VkPerformanceCounterKHR, storage);
SAME(VULKAN_TYPE_PERFORMANCE_COUNTER_TEXT, VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR);
SAME(sizeof(struct vulkan_counter_text), sizeof(VkPerformanceCounterDescriptionKHR));
PLACE(vulkan_counter_text, category, VkPerformanceCounterDescriptionKHR, category);
SAME(VULKAN_STORAGE_INT32, VK_PERFORMANCE_COUNTER_STORAGE_INT32_KHR);
SAME(VULKAN_STORAGE_FLOAT64, VK_PERFORMANCE_COUNTER_STORAGE_FLOAT64_KHR);
SAME(VULKAN_DEVICE_CPU, VK_PHYSICAL_DEVICE_TYPE_CPU);
SAME(sizeof(struct vulkan_feature_pair), sizeof(VkPhysicalDevicePerformanceQueryFeaturesKHR));
PLACE(vulkan_feature_pair, first, VkPhysicalDevicePerformanceQueryFeaturesKHR,
      performanceCounterQueryPools);
PLACE(vulkan_feature_pair, first, VkPhysicalDeviceHostQueryResetFeatures, hostQueryReset);
SAME(sizeof(struct vulkan_queue_family), sizeof(VkQueueFamilyProperties));
PLACE(vulkan_queue_family, valid_bits, VkQueueFamilyProperties, timestampValidBits);

int main(void)
{
	return 0;
}
