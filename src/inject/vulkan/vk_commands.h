/* SPDX-License-Identifier: MIT */
/* Command buffers: what each holds by now. */
#ifndef TACHO_INJECT_VULKAN_VK_COMMANDS_H
#define TACHO_INJECT_VULKAN_VK_COMMANDS_H

#include "inject/vulkan/vk_lists.h"

/* What the command buffer holds, borrowed; NULL: it is not known. */
struct vk_list *tacho__vulkan_find_list(const void *buffer);

#endif
