/* SPDX-License-Identifier: MIT */
/*
 * A query that a command buffer writes must have been reset since it was written last. So each
 * pool of queries has a command buffer that resets all of it, recorded before the first of its
 * queries is used: with that nothing is left that could fail between a command buffer with queries
 * and its run.
 */
#ifndef TACHO_INJECT_VULKAN_VK_RESETS_H
#define TACHO_INJECT_VULKAN_VK_RESETS_H

#include <stdbool.h>
#include <stdint.h>

struct vk_list;

/* Of a pool of the list's, which has `count` queries. False: it cannot be made. */
bool tacho__vulkan_reset_make(struct vk_list *list, uint64_t pool, uint32_t count,
			      void **out_buffer);

/* With the list: nothing of it is on its way. */
void tacho__vulkan_resets_free(struct vk_list *list);

#endif
