/* SPDX-License-Identifier: MIT */
/*
 * Times from outside: in front of and behind command buffers that may run several times at once, so
 * that no query can stand in them. They are written by command buffers of the job, one for each
 * time, into queries of the job, which stand between those of the program in its batch.
 */
#ifndef TACHO_INJECT_VULKAN_VK_EDGES_H
#define TACHO_INJECT_VULKAN_VK_EDGES_H

#include <stdbool.h>
#include <stdint.h>

struct vk_job;
struct vk_list;
struct vk_queue;

struct vk_edges {
	uint64_t command_pool, queries;
	void **buffers; /* each writes one time; behind them what resets all */
	uint32_t room;	/* so many times */
	bool is_clean;	/* those that will be written were reset */
	/* Of this submit: */
	uint32_t count;	  /* times; 0: none are needed */
	uint32_t first;	  /* of the job's results */
	uint32_t *places; /* of each of its command buffers which time is in front of it, and behind
			     it the next; VK_NO_QUERY: none */
	uint32_t place_count, place_room;
};

/* Whether the list is timed so on this queue. */
bool tacho__vulkan_is_edged(const struct vk_list *list, const struct vk_queue *queue);

/* There is one more command buffer; `is_first`: of its batch. False: no memory. */
bool tacho__vulkan_edges_add(struct vk_job *job, bool is_edged, bool is_first);
/* Which time is in front of the command buffer with this number; VK_NO_QUERY: none. */
uint32_t tacho__vulkan_edges_get(const struct vk_job *job, uint32_t buffer);
/* All were added, and so were the job's lists: makes what is missing. False: it cannot be. */
bool tacho__vulkan_edges_prepare(struct vk_job *job);

/* The command buffer that must be in front of the submit; NULL: none. */
void *tacho__vulkan_edges_get_reset(const struct vk_job *job);
/* Into the job's copy: where their results go. */
void tacho__vulkan_edges_copy(const struct vk_job *job, uint64_t at);

void tacho__vulkan_edges_free(struct vk_job *job);

#endif
