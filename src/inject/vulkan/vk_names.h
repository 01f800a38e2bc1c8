/* SPDX-License-Identifier: MIT */
/*
 * What render passes and what they draw into are called: by the program, or by a number in the
 * order in which they were made. A name goes with its object, so a handle that is given out again
 * has none of it.
 */
#ifndef TACHO_INJECT_VULKAN_VK_NAMES_H
#define TACHO_INJECT_VULKAN_VK_NAMES_H

#include <stdint.h>

#include "inject/vulkan/vk_labels.h"

struct vk_pass_begin_info;
struct vk_rendering_info;

/* "shadows", "render pass 2 on screen". Returns how many parts it has. */
uint32_t tacho__vulkan_name_pass(const struct vk_pass_begin_info *info,
				 char out_name[VK_NAME_BYTES]);
/* "rendering on screen", "rendering 640x480". */
void tacho__vulkan_name_rendering(const struct vk_rendering_info *info,
				  char out_name[VK_NAME_BYTES]);

#endif
