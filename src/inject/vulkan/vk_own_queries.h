/* SPDX-License-Identifier: MIT */
/*
 * The program's own queries, and its render passes of several views: while a query of the program
 * is active, none of ours of the same kind may be.
 */
#ifndef TACHO_INJECT_VULKAN_VK_OWN_QUERIES_H
#define TACHO_INJECT_VULKAN_VK_OWN_QUERIES_H

#include <stdint.h>

enum { VK_VIEWS_UNKNOWN = 255 };

/* For how many views at once a subpass draws; 0: for one; or VK_VIEWS_UNKNOWN. */
uint8_t tacho__vulkan_count_views(uint64_t pass, uint32_t subpass);

#endif
