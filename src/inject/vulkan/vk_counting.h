/* SPDX-License-Identifier: MIT */
#ifndef TACHO_INJECT_VULKAN_VK_COUNTING_H
#define TACHO_INJECT_VULKAN_VK_COUNTING_H

/* Where counters of launches were asked for: tells once that those of Vulkan are not counted. */
void tacho__vulkan_tell_uncounted(void);

#endif
