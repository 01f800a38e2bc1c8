/* SPDX-License-Identifier: MIT */
/* Rows of the recording: a row is a recorded command of one submit. */
#ifndef TACHO_INJECT_VULKAN_VK_ROWS_H
#define TACHO_INJECT_VULKAN_VK_ROWS_H

#include <stdint.h>

#include "inject/vulkan/vk_jobs.h"

struct vk_rows {
	struct vk_queue *queue;
	struct vk_job *job; /* NULL: nothing of the submit is timed */
	uint64_t tick;	    /* when the submit began */
	uint64_t submission;
	const void *buffer;  /* whose commands are told */
	uint64_t index;	     /* of the next one in it */
	uint32_t position;   /* of that buffer in the submit */
	uint32_t first_part; /* the job's row that a rendering in parts began with; VK_NO_QUERY */
	bool is_mixed;	     /* that buffer, or one that it runs, is on another queue, too */
};

/* Tells of a command of the queue itself, which nothing times. */
void tacho__vulkan_tell_alone(struct vk_rows *rows, const struct tacho__vulkan_ran *ran);
/* Tells of each command of a list; results of its queries are the job's from `first` on. */
void tacho__vulkan_tell_list(struct vk_rows *rows, struct vk_list *list, uint32_t first);

#endif
