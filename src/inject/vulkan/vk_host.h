/* SPDX-License-Identifier: MIT */
/*
 * Times on queues that write them but cannot reset queries, or copy their results: those that only
 * transfer, and those of video. There the host does both (hostQueryReset): it resets the queries of
 * a list in front of each submit, as what ran before has ended by then, or the program could not
 * submit it again; and it reads them when the submit has ended, on the queue's thread, or in front
 * of the list's next submit where that comes first.
 */
#ifndef TACHO_INJECT_VULKAN_VK_HOST_H
#define TACHO_INJECT_VULKAN_VK_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct vk_device_info;
struct vk_instance;
struct vk_job;
struct vk_list;
struct vk_queue;

enum vk_host_reset {
	VK_HOST_RESET_NONE, /* there is none, or no queue of the program needs it */
	VK_HOST_RESET_BY_VERSION,
	VK_HOST_RESET_BY_EXTENSION, /* which has to be there, too */
};

/* What a device that is to be made so has to be made with. */
enum vk_host_reset tacho__vulkan_host_find(const struct vk_instance *instance, void *physical,
					   const struct vk_device_info *info);

/*
 * In front of a submit of the list to this queue, NULL: one that is not known. What its last run
 * has written is kept for that one's job. Neither waits nor allocates.
 */
void tacho__vulkan_host_reset(struct vk_list *list, const struct vk_queue *queue);

/* Of a job: memory for results; false: there is none. */
bool tacho__vulkan_host_make(struct vk_job *job, uint32_t room);
void tacho__vulkan_host_free(struct vk_job *job);
/* Its lists are all there, and none has run. False: no memory. */
bool tacho__vulkan_host_begin(struct vk_job *job);
/* It has ended: its results are read. On the queue's thread. */
void tacho__vulkan_host_read(struct vk_job *job);

#endif
