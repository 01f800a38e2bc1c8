/* SPDX-License-Identifier: MIT */
/*
 * How much memory of each heap and type of a physical device the program holds, and held at most.
 * It is told as attributes of the device. What tacho allocates is not in it.
 */
#ifndef TACHO_INJECT_VULKAN_VK_MEMORY_H
#define TACHO_INJECT_VULKAN_VK_MEMORY_H

#include <stdbool.h>

struct tacho__attributes;
struct vk_device;

/* Adds "memory_heap_0", ... of what the device's program has allocated so far; nothing before. */
void tacho__vulkan_memory_put(const struct vk_device *device, struct tacho__attributes *attributes);

/* What changed since it was told is told now, unless much was just before and it is not `is_last`.
 */
void tacho__vulkan_memory_tell(const struct vk_device *device, bool is_last);

#endif
