/* SPDX-License-Identifier: MIT */
#ifndef TACHO_INJECT_VULKAN_VK_PIPELINES_H
#define TACHO_INJECT_VULKAN_VK_PIPELINES_H

#include <stdint.h>

struct tacho__counted_kernel;

/* The kernel that a pipeline is, by its newest name; NULL: none is known, or nothing is counted. */
struct tacho__counted_kernel *tacho__vulkan_find_kernel(uint64_t pipeline);
/* The program has a name for it; "" is none. */
void tacho__vulkan_name_pipeline(const void *device, uint64_t pipeline, const char *name);

#endif
