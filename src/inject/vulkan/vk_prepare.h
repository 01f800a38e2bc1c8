/* SPDX-License-Identifier: MIT */
#ifndef TACHO_INJECT_VULKAN_VK_PREPARE_H
#define TACHO_INJECT_VULKAN_VK_PREPARE_H

#include "inject/inject.h"

extern const struct tacho__injection tacho__injection_vulkan;

#endif
