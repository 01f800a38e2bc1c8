/* SPDX-License-Identifier: MIT */
/*
 * A driver's own counters, VK_KHR_performance_query: what a device needs for them, and the lock
 * that a process holds as long as command buffers with such queries are there.
 */
#ifndef TACHO_INJECT_VULKAN_VK_PERFORMANCE_H
#define TACHO_INJECT_VULKAN_VK_PERFORMANCE_H

#include <stdbool.h>

struct vk_device;
struct vk_wishes;

/* Before the device is made: what else it needs, or why its counters cannot be counted. */
void tacho__vulkan_performance_wish(struct vk_device *device, bool program_has_it,
				    struct vk_wishes *wishes);
/* The device was made with it: takes the lock. */
void tacho__vulkan_performance_begin(struct vk_device *device);
/* Before the device goes. */
void tacho__vulkan_performance_end(struct vk_device *device);

#endif
