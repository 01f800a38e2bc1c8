/* SPDX-License-Identifier: MIT */
#ifndef TACHO_INJECT_VULKAN_VK_PIPELINES_H
#define TACHO_INJECT_VULKAN_VK_PIPELINES_H

#include <stdint.h>

struct tacho__counted_kernel;

/* The kernel that a pipeline is, by its newest name; NULL: none is known, or nothing is counted. */
struct tacho__counted_kernel *tacho__vulkan_find_kernel(uint64_t pipeline);

#endif
