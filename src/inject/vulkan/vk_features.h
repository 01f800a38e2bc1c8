/* SPDX-License-Identifier: MIT */
/*
 * What is added to a program's device, in a copy of what the program asked for: extensions by their
 * names, and features. The program is not told of any.
 */
#ifndef TACHO_INJECT_VULKAN_VK_FEATURES_H
#define TACHO_INJECT_VULKAN_VK_FEATURES_H

#include <stdbool.h>

#include "inject/vulkan/vk_abi.h"

#define VK_PERFORMANCE_EXTENSION "VK_KHR_performance_query"
#define VK_HOST_RESET_EXTENSION	 "VK_EXT_host_query_reset"

enum { VK_ADDED_EXTENSIONS_MAX = 3, VK_DETOURS_MAX = 2 };

/* What is to be added; features that the program has switched on itself are so by then. */
struct vk_wishes {
	const char *extensions[VK_ADDED_EXTENSIONS_MAX];
	uint32_t extension_count;
	bool statistics, precise_occlusion, performance, performance_pools, host_reset;
};

/* In the program's chain, a structure that is led around another. */
struct vk_detour {
	const struct vk_chain *before, *skipped;
};

struct vk_changed_info {
	struct vk_device_info info; /* to make the device with */
	const char **names;
	struct vk_features features;
	struct vk_features2 features2;
	struct vk_features_1_2 features_1_2;
	struct vk_host_reset_features host_reset;
	struct vk_performance_features performance;
	struct vk_detour detours[VK_DETOURS_MAX];
	uint32_t detour_count;
};

/* The program's info with the wishes. False: they cannot be added, and nothing was changed. */
bool tacho__vulkan_change_info(struct vk_changed_info *changed, const struct vk_device_info *info,
			       const struct vk_wishes *wishes);
/* The program's structures are as they were. */
void tacho__vulkan_restore_info(struct vk_changed_info *changed);

#endif
