/* SPDX-License-Identifier: MIT */
/* Rows of what was counted: each launch of a submit that is selected has one. */
#ifndef TACHO_INJECT_VULKAN_VK_COUNTED_H
#define TACHO_INJECT_VULKAN_VK_COUNTED_H

#include "inject/vulkan/vk_rows.h"

/*
 * The command of the list is about to be told of, one tick later than the one before it: by that
 * rows find their commands. Returns the ticks.
 */
uint32_t tacho__vulkan_counted_add(const struct vk_rows *rows, struct vk_list *list,
				   uint32_t command);

/* The job's submit has ended, and its results are there. On the queue's thread. */
void tacho__vulkan_counted_tell(struct vk_job *job);
/* It was not submitted, or was not seen to end, or its results are not to be believed. */
void tacho__vulkan_counted_miss(struct vk_job *job);

#endif
