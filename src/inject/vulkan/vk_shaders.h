/* SPDX-License-Identifier: MIT */
/*
 * Shaders of pipelines, each as a number of its code. A pipeline may be put together from others
 * (libraries): it has their shaders, and so the name of one that was made of the same at once.
 */
#ifndef TACHO_INJECT_VULKAN_VK_SHADERS_H
#define TACHO_INJECT_VULKAN_VK_SHADERS_H

#include <stdint.h>

#include "inject/vulkan/vk_abi.h"

enum { VK_SHADERS_MAX = 16, VK_ENTRY_BYTES = 96 };

struct vk_shaders {
	uint32_t count; /* 0: it has none that is known */
	uint64_t numbers[VK_SHADERS_MAX];
	char entry[VK_ENTRY_BYTES]; /* of the first */
};

/* 0: its code is not known. */
uint64_t tacho__vulkan_number_shader(const struct vk_stage_info *stage);

/* Those of a pipeline that was made with that; of a library they are kept for the pipelines that it
 * becomes a part of. */
void tacho__vulkan_take_shaders(uint64_t pipeline, const struct vk_graphics_info *info,
				struct vk_shaders *out_shaders);

#endif
