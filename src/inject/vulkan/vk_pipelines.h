/* SPDX-License-Identifier: MIT */
#ifndef TACHO_INJECT_VULKAN_VK_PIPELINES_H
#define TACHO_INJECT_VULKAN_VK_PIPELINES_H

#include <stdint.h>

/* The program has a name for it; "" is none. */
void tacho__vulkan_name_pipeline(const void *device, uint64_t pipeline, const char *name);

#endif
