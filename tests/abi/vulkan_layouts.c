/* SPDX-License-Identifier: MIT */
/* src/inject/vulkan/vk_abi.h has what Khronos's headers have: compiling this is the test. */
#define VK_NO_PROTOTYPES
#include "inject/vulkan/vk_abi.h"

#include <vulkan/vulkan.h>
#include <vulkan/vk_layer.h>

#define SAME_SIZE(ours, theirs) \
	_Static_assert(sizeof(struct ours) == sizeof(theirs), "the size of " #ours)
#define SAME(ours, member, theirs, their_member)                                          \
	_Static_assert(offsetof(struct ours, member) == offsetof(theirs, their_member) && \
			       sizeof(((struct ours *)0)->member) ==                      \
				       sizeof(((theirs *)0)->their_member),               \
		       #ours "." #member)
#define SAME_NUMBER(ours, theirs) _Static_assert((long)(ours) == (long)(theirs), #ours)

SAME_SIZE(vk_negotiation, VkNegotiateLayerInterface);
SAME(vk_negotiation, version, VkNegotiateLayerInterface, loaderLayerInterfaceVersion);
SAME(vk_negotiation, get_device_function, VkNegotiateLayerInterface, pfnGetDeviceProcAddr);
SAME(vk_instance_link, get_instance_function, VkLayerInstanceLink, pfnNextGetInstanceProcAddr);
SAME(vk_device_link, get_instance_function, VkLayerDeviceLink, pfnNextGetInstanceProcAddr);
SAME(vk_device_link, get_device_function, VkLayerDeviceLink, pfnNextGetDeviceProcAddr);
SAME(vk_loader_info, function, VkLayerInstanceCreateInfo, function);
SAME(vk_loader_info, u.instance, VkLayerInstanceCreateInfo, u.pLayerInfo);
SAME(vk_loader_info, function, VkLayerDeviceCreateInfo, function);
SAME(vk_loader_info, u.set_loader_data, VkLayerDeviceCreateInfo, u.pfnSetDeviceLoaderData);

SAME_SIZE(vk_device_queue_info, VkDeviceQueueCreateInfo);
SAME(vk_device_queue_info, count, VkDeviceQueueCreateInfo, queueCount);
SAME_SIZE(vk_device_info, VkDeviceCreateInfo);
SAME(vk_device_info, queues, VkDeviceCreateInfo, pQueueCreateInfos);
SAME(vk_device_info, extension_count, VkDeviceCreateInfo, enabledExtensionCount);
SAME(vk_device_info, extensions, VkDeviceCreateInfo, ppEnabledExtensionNames);
SAME_SIZE(vk_features, VkPhysicalDeviceFeatures);
SAME(vk_features, has_statistics, VkPhysicalDeviceFeatures, pipelineStatisticsQuery);
SAME(vk_features, has_precise_occlusion, VkPhysicalDeviceFeatures, occlusionQueryPrecise);
SAME_SIZE(vk_features2, VkPhysicalDeviceFeatures2);
SAME_SIZE(vk_application_info, VkApplicationInfo);
SAME(vk_application_info, api_version, VkApplicationInfo, apiVersion);
SAME(vk_instance_info, application, VkInstanceCreateInfo, pApplicationInfo);
SAME_SIZE(vk_features_1_2, VkPhysicalDeviceVulkan12Features);
SAME(vk_features_1_2, has_host_reset, VkPhysicalDeviceVulkan12Features, hostQueryReset);
SAME_SIZE(vk_host_reset_features, VkPhysicalDeviceHostQueryResetFeatures);
SAME(vk_host_reset_features, has_host_reset, VkPhysicalDeviceHostQueryResetFeatures,
     hostQueryReset);
SAME_SIZE(vk_performance_features, VkPhysicalDevicePerformanceQueryFeaturesKHR);
SAME(vk_performance_features, has_pools, VkPhysicalDevicePerformanceQueryFeaturesKHR,
     performanceCounterQueryPools);
SAME_SIZE(vk_performance_properties, VkPhysicalDevicePerformanceQueryPropertiesKHR);
SAME(vk_performance_properties, can_copy, VkPhysicalDevicePerformanceQueryPropertiesKHR,
     allowCommandBufferQueryCopies);
SAME_SIZE(vk_query_pool_performance_info, VkQueryPoolPerformanceCreateInfoKHR);
SAME(vk_query_pool_performance_info, counters, VkQueryPoolPerformanceCreateInfoKHR,
     pCounterIndices);
SAME_SIZE(vk_lock_info, VkAcquireProfilingLockInfoKHR);
SAME(vk_lock_info, timeout_ns, VkAcquireProfilingLockInfoKHR, timeout);
SAME_SIZE(vk_device_properties2, VkPhysicalDeviceProperties2);
SAME(vk_rendering_info, views, VkRenderingInfo, viewMask);
SAME(vk_multiview_info, view_masks, VkRenderPassMultiviewCreateInfo, pViewMasks);
SAME(vk_subpass_info2, view_mask, VkSubpassDescription2, viewMask);
SAME_SIZE(vk_subpass_begin_info, VkSubpassBeginInfo);
SAME(vk_subpass_begin_info, contents, VkSubpassBeginInfo, contents);
SAME_NUMBER(VK_CONTENTS_SECONDARY, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
SAME_NUMBER(VK_RENDERING_SECONDARY, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
SAME_NUMBER(VK_SUBPASS_INFO2_BYTES, sizeof(VkSubpassDescription2));
SAME(vk_pass_info, subpasses, VkRenderPassCreateInfo2, pSubpasses);
SAME(vk_device_group_info, count, VkDeviceGroupDeviceCreateInfo, physicalDeviceCount);
SAME_SIZE(vk_device_queue_info2, VkDeviceQueueInfo2);
SAME(vk_device_queue_info2, family, VkDeviceQueueInfo2, queueFamilyIndex);
SAME_SIZE(vk_device_properties, VkPhysicalDeviceProperties);
SAME(vk_device_properties, name, VkPhysicalDeviceProperties, deviceName);
SAME(vk_device_properties, limits, VkPhysicalDeviceProperties, limits);
SAME_NUMBER(VK_PERIOD_AT, offsetof(VkPhysicalDeviceLimits, timestampPeriod));
SAME_SIZE(vk_family_properties, VkQueueFamilyProperties);
SAME(vk_family_properties, valid_bits, VkQueueFamilyProperties, timestampValidBits);
SAME_SIZE(vk_extension, VkExtensionProperties);
SAME_SIZE(vk_memory_properties, VkPhysicalDeviceMemoryProperties);
SAME_SIZE(vk_sparse_bind, VkSparseMemoryBind);
SAME(vk_sparse_bind, bytes, VkSparseMemoryBind, size);
SAME_SIZE(vk_sparse_binds, VkSparseBufferMemoryBindInfo);
SAME_SIZE(vk_sparse_binds, VkSparseImageOpaqueMemoryBindInfo);
SAME(vk_sparse_binds, binds, VkSparseBufferMemoryBindInfo, pBinds);
SAME_SIZE(vk_bind_sparse_info, VkBindSparseInfo);
SAME(vk_bind_sparse_info, buffers, VkBindSparseInfo, pBufferBinds);
SAME(vk_bind_sparse_info, opaques, VkBindSparseInfo, pImageOpaqueBinds);
SAME(vk_bind_sparse_info, image_count, VkBindSparseInfo, imageBindCount);
SAME(vk_decode_info, source_bytes, VkVideoDecodeInfoKHR, srcBufferRange);
SAME(vk_memory_properties, heaps, VkPhysicalDeviceMemoryProperties, memoryHeaps);
SAME_SIZE(vk_memory_requirements, VkMemoryRequirements);
SAME(vk_memory_requirements, types, VkMemoryRequirements, memoryTypeBits);
SAME_SIZE(vk_memory_info, VkMemoryAllocateInfo);
SAME(vk_memory_info, index, VkMemoryAllocateInfo, memoryTypeIndex);
SAME_SIZE(vk_buffer_info, VkBufferCreateInfo);
SAME(vk_buffer_info, usage, VkBufferCreateInfo, usage);
SAME_SIZE(vk_flags_info, VkFenceCreateInfo);
SAME_SIZE(vk_query_pool_info, VkQueryPoolCreateInfo);
SAME(vk_query_pool_info, count, VkQueryPoolCreateInfo, queryCount);
SAME_SIZE(vk_pool_info, VkCommandPoolCreateInfo);
SAME(vk_pool_info, family, VkCommandPoolCreateInfo, queueFamilyIndex);
SAME_SIZE(vk_buffers_info, VkCommandBufferAllocateInfo);
SAME(vk_buffers_info, level, VkCommandBufferAllocateInfo, level);
SAME(vk_buffers_info, count, VkCommandBufferAllocateInfo, commandBufferCount);
SAME_SIZE(vk_begin_info, VkCommandBufferBeginInfo);
SAME(vk_begin_info, flags, VkCommandBufferBeginInfo, flags);
SAME(vk_begin_info, inheritance, VkCommandBufferBeginInfo, pInheritanceInfo);
SAME_SIZE(vk_inheritance, VkCommandBufferInheritanceInfo);
SAME(vk_inheritance, subpass, VkCommandBufferInheritanceInfo, subpass);
SAME(vk_inheritance, has_occlusion, VkCommandBufferInheritanceInfo, occlusionQueryEnable);
SAME(vk_inheritance, statistics, VkCommandBufferInheritanceInfo, pipelineStatistics);
SAME(vk_inheritance_rendering, views, VkCommandBufferInheritanceRenderingInfo, viewMask);
SAME_SIZE(vk_memory_barrier, VkMemoryBarrier);
SAME(vk_memory_barrier, to, VkMemoryBarrier, dstAccessMask);
SAME_SIZE(vk_name_info, VkDebugUtilsObjectNameInfoEXT);
SAME(vk_name_info, name, VkDebugUtilsObjectNameInfoEXT, pObjectName);
SAME_SIZE(vk_calibrated_info, VkCalibratedTimestampInfoEXT);
SAME(vk_calibrated_info, domain, VkCalibratedTimestampInfoEXT, timeDomain);
SAME_SIZE(vk_stage_info, VkPipelineShaderStageCreateInfo);
SAME(vk_stage_info, name, VkPipelineShaderStageCreateInfo, pName);
SAME_SIZE(vk_compute_info, VkComputePipelineCreateInfo);
SAME(vk_compute_info, stage, VkComputePipelineCreateInfo, stage);
SAME(vk_graphics_info, stages, VkGraphicsPipelineCreateInfo, pStages);
SAME_NUMBER(VK_GRAPHICS_INFO_BYTES, sizeof(VkGraphicsPipelineCreateInfo));
SAME_SIZE(vk_module_info, VkShaderModuleCreateInfo);
SAME(vk_module_info, code, VkShaderModuleCreateInfo, pCode);
SAME_SIZE(vk_library_info, VkPipelineLibraryCreateInfoKHR);
SAME(vk_library_info, pipelines, VkPipelineLibraryCreateInfoKHR, pLibraries);
SAME_NUMBER(VK_PIPELINE_CREATE_LIBRARY, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
SAME_NUMBER(VK_TYPE_SHADER_MODULE_CREATE_INFO, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
SAME_NUMBER(VK_TYPE_PIPELINE_LIBRARY_INFO, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
SAME_SIZE(vk_region, VkBufferCopy);
SAME(vk_region, size, VkBufferCopy, size);
SAME_SIZE(vk_region2, VkBufferCopy2);
SAME(vk_region2, size, VkBufferCopy2, size);
SAME_SIZE(vk_copy_info2, VkCopyBufferInfo2);
SAME(vk_copy_info2, regions, VkCopyBufferInfo2, pRegions);
SAME(vk_rendering_info, flags, VkRenderingInfo, flags);
SAME(vk_rendering_info, area, VkRenderingInfo, renderArea);
SAME(vk_rendering_info, color_count, VkRenderingInfo, colorAttachmentCount);
SAME(vk_rendering_info, colors, VkRenderingInfo, pColorAttachments);
SAME(vk_attachment_info, view, VkRenderingAttachmentInfo, imageView);
SAME_SIZE(vk_area, VkRect2D);
SAME(vk_area, width, VkRect2D, extent.width);
SAME(vk_pass_begin_info, pass, VkRenderPassBeginInfo, renderPass);
SAME(vk_pass_begin_info, framebuffer, VkRenderPassBeginInfo, framebuffer);
SAME(vk_pass_begin_info, area, VkRenderPassBeginInfo, renderArea);
SAME(vk_pass_info, subpass_count, VkRenderPassCreateInfo, subpassCount);
SAME(vk_pass_info, subpass_count, VkRenderPassCreateInfo2, subpassCount);
SAME_SIZE(vk_label_info, VkDebugUtilsLabelEXT);
SAME(vk_label_info, name, VkDebugUtilsLabelEXT, pLabelName);
SAME(vk_label_info, color, VkDebugUtilsLabelEXT, color);
SAME_SIZE(vk_label_info, VkDebugMarkerMarkerInfoEXT);
SAME(vk_label_info, name, VkDebugMarkerMarkerInfoEXT, pMarkerName);
SAME_SIZE(vk_name_info, VkDebugMarkerObjectNameInfoEXT);
SAME(vk_name_info, object, VkDebugMarkerObjectNameInfoEXT, object);
SAME(vk_name_info, name, VkDebugMarkerObjectNameInfoEXT, pObjectName);
SAME(vk_swapchain_info, surface, VkSwapchainCreateInfoKHR, surface);
SAME(vk_present_info, swapchain_count, VkPresentInfoKHR, swapchainCount);
SAME(vk_present_info, swapchains, VkPresentInfoKHR, pSwapchains);
#ifdef VK_EXT_frame_boundary
SAME(vk_frame_boundary, flags, VkFrameBoundaryEXT, flags);
SAME(vk_frame_boundary, frame, VkFrameBoundaryEXT, frameID);
SAME_NUMBER(VK_TYPE_FRAME_BOUNDARY, VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT);
SAME_NUMBER(VK_FRAME_ENDS, VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT);
#endif
SAME_SIZE(vk_submit_info, VkSubmitInfo);
SAME(vk_submit_info, buffer_count, VkSubmitInfo, commandBufferCount);
SAME(vk_submit_info, buffers, VkSubmitInfo, pCommandBuffers);
SAME_SIZE(vk_buffer_submit, VkCommandBufferSubmitInfo);
SAME(vk_buffer_submit, buffer, VkCommandBufferSubmitInfo, commandBuffer);
SAME_SIZE(vk_submit_info2, VkSubmitInfo2);
SAME(vk_submit_info2, buffers, VkSubmitInfo2, pCommandBufferInfos);

SAME_NUMBER(VK_TYPE_SUBMIT_INFO, VK_STRUCTURE_TYPE_SUBMIT_INFO);
SAME_NUMBER(VK_TYPE_MEMORY_ALLOCATE_INFO, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
SAME_NUMBER(VK_TYPE_FENCE_CREATE_INFO, VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
SAME_NUMBER(VK_TYPE_QUERY_POOL_CREATE_INFO, VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
SAME_NUMBER(VK_TYPE_BUFFER_CREATE_INFO, VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
SAME_NUMBER(VK_TYPE_COMMAND_POOL_CREATE_INFO, VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
SAME_NUMBER(VK_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
SAME_NUMBER(VK_TYPE_COMMAND_BUFFER_BEGIN_INFO, VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
SAME_NUMBER(VK_TYPE_MEMORY_BARRIER, VK_STRUCTURE_TYPE_MEMORY_BARRIER);
SAME_NUMBER(VK_TYPE_LOADER_INSTANCE_CREATE_INFO, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
SAME_NUMBER(VK_TYPE_LOADER_DEVICE_CREATE_INFO, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
SAME_NUMBER(VK_TYPE_DEVICE_GROUP_SUBMIT_INFO, VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO);
SAME_NUMBER(VK_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
	    VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO);
SAME_NUMBER(VK_TYPE_CALIBRATED_TIMESTAMP_INFO, VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT);
SAME_NUMBER(VK_TYPE_SUBMIT_INFO_2, VK_STRUCTURE_TYPE_SUBMIT_INFO_2);
SAME_NUMBER(VK_TYPE_COMMAND_BUFFER_SUBMIT_INFO, VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO);
SAME_NUMBER(VK_LOADER_LINK_INFO, VK_LAYER_LINK_INFO);
SAME_NUMBER(VK_LOADER_DATA, VK_LOADER_DATA_CALLBACK);
SAME_NUMBER(VK_NEGOTIATE_INTERFACE, LAYER_NEGOTIATE_INTERFACE_STRUCT);
SAME_NUMBER(VK_BUFFER_USAGE_TRANSFER_DST, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
SAME_NUMBER(VK_MEMORY_HOST_VISIBLE, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
SAME_NUMBER(VK_MEMORY_HOST_COHERENT, VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
SAME_NUMBER(VK_QUERY_TIMESTAMP, VK_QUERY_TYPE_TIMESTAMP);
SAME_NUMBER(VK_QUERY_RESULT_64, VK_QUERY_RESULT_64_BIT);
SAME_NUMBER(VK_QUERY_RESULT_WAIT, VK_QUERY_RESULT_WAIT_BIT);
SAME_NUMBER(VK_QUERY_RESULT_WITH_AVAILABILITY, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
SAME_NUMBER(VK_STAGE_BOTTOM_OF_PIPE, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
SAME_NUMBER(VK_STAGE_TRANSFER, VK_PIPELINE_STAGE_TRANSFER_BIT);
SAME_NUMBER(VK_STAGE_HOST, VK_PIPELINE_STAGE_HOST_BIT);
SAME_NUMBER(VK_ACCESS_TRANSFER_WRITE, VK_ACCESS_TRANSFER_WRITE_BIT);
SAME_NUMBER(VK_ACCESS_HOST_READ, VK_ACCESS_HOST_READ_BIT);
SAME_NUMBER(VK_QUEUE_GRAPHICS, VK_QUEUE_GRAPHICS_BIT);
SAME_NUMBER(VK_QUEUE_COMPUTE, VK_QUEUE_COMPUTE_BIT);
SAME_NUMBER(VK_POOL_CREATE_PROTECTED, VK_COMMAND_POOL_CREATE_PROTECTED_BIT);
SAME_NUMBER(VK_USAGE_ONE_TIME_SUBMIT, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
SAME_NUMBER(VK_USAGE_SIMULTANEOUS_USE, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
SAME_NUMBER(VK_RENDERING_SUSPENDING, VK_RENDERING_SUSPENDING_BIT);
SAME_NUMBER(VK_RENDERING_RESUMING, VK_RENDERING_RESUMING_BIT);
SAME_NUMBER(VK_TYPE_RENDER_PASS_MULTIVIEW, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
SAME_NUMBER(VK_TYPE_FEATURES_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
SAME_NUMBER(VK_TYPE_VULKAN_1_2_FEATURES, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
SAME_NUMBER(VK_TYPE_HOST_QUERY_RESET_FEATURES,
	    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES);
SAME_NUMBER(VK_TYPE_INHERITANCE_RENDERING,
	    VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
SAME_NUMBER(VK_USAGE_CONTINUES_PASS, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
SAME_NUMBER(VK_QUEUE_TRANSFER, VK_QUEUE_TRANSFER_BIT);
SAME_NUMBER(VK_TYPE_PROPERTIES_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
SAME_NUMBER(VK_TYPE_PERFORMANCE_QUERY_FEATURES,
	    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR);
SAME_NUMBER(VK_TYPE_PERFORMANCE_QUERY_PROPERTIES,
	    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_PROPERTIES_KHR);
SAME_NUMBER(VK_TYPE_QUERY_POOL_PERFORMANCE,
	    VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR);
SAME_NUMBER(VK_TYPE_ACQUIRE_PROFILING_LOCK_INFO, VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR);
SAME_NUMBER(VK_QUERY_OCCLUSION, VK_QUERY_TYPE_OCCLUSION);
SAME_NUMBER(VK_QUERY_STATISTICS, VK_QUERY_TYPE_PIPELINE_STATISTICS);
SAME_NUMBER(VK_QUERY_PERFORMANCE, VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR);
SAME_NUMBER(VK_QUERY_PRECISE, VK_QUERY_CONTROL_PRECISE_BIT);
SAME_NUMBER(VK_STATISTICS_OF_COMPUTE, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
SAME_NUMBER(VK_DEVICE_TYPE_CPU, VK_PHYSICAL_DEVICE_TYPE_CPU);
SAME_NUMBER(VK_TIME_DOMAIN_DEVICE, VK_TIME_DOMAIN_DEVICE_EXT);
SAME_NUMBER(VK_TIME_DOMAIN_MONOTONIC, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT);
SAME_NUMBER(VK_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_GRAPHICS);
SAME_NUMBER(VK_BIND_POINT_COMPUTE, VK_PIPELINE_BIND_POINT_COMPUTE);
SAME_NUMBER(VK_BIND_POINT_RAYS, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
SAME_NUMBER(VK_OBJECT_PIPELINE, VK_OBJECT_TYPE_PIPELINE);
SAME_NUMBER(VK_OBJECT_QUEUE, VK_OBJECT_TYPE_QUEUE);
SAME_NUMBER(VK_OBJECT_COMMAND_BUFFER, VK_OBJECT_TYPE_COMMAND_BUFFER);
SAME_NUMBER(VK_OBJECT_VIEW, VK_OBJECT_TYPE_IMAGE_VIEW);
SAME_NUMBER(VK_OBJECT_PASS, VK_OBJECT_TYPE_RENDER_PASS);
SAME_NUMBER(VK_OBJECT_FRAMEBUFFER, VK_OBJECT_TYPE_FRAMEBUFFER);
/* VK_EXT_debug_marker names objects of the first API with the same numbers. */
SAME_NUMBER(VK_OBJECT_QUEUE, VK_DEBUG_REPORT_OBJECT_TYPE_QUEUE_EXT);
SAME_NUMBER(VK_OBJECT_COMMAND_BUFFER, VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_BUFFER_EXT);
SAME_NUMBER(VK_OBJECT_VIEW, VK_DEBUG_REPORT_OBJECT_TYPE_IMAGE_VIEW_EXT);
SAME_NUMBER(VK_OBJECT_PASS, VK_DEBUG_REPORT_OBJECT_TYPE_RENDER_PASS_EXT);
SAME_NUMBER(VK_OBJECT_PIPELINE, VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT);
SAME_NUMBER(VK_OBJECT_FRAMEBUFFER, VK_DEBUG_REPORT_OBJECT_TYPE_FRAMEBUFFER_EXT);
