/* SPDX-License-Identifier: MIT */
/*
 * What is put around a submit to get its times out: behind it a command buffer that copies the
 * results of its queries into memory of this submit and resets them for the next one, and a fence;
 * in front, before queries are used for the first time, what resets them. A thread for each queue
 * waits for the fence and tells the times. All of it is used again.
 */
#ifndef TACHO_INJECT_VULKAN_VK_JOBS_H
#define TACHO_INJECT_VULKAN_VK_JOBS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "inject/vulkan/vk_abi.h"
#include "inject/vulkan/vk_edges.h"
#include "inject/vulkan/vk_lists.h"

struct vk_queue;

struct vk_counted_row;

/* A row that waits for its times. */
struct vk_row {
	void *token;
	uint32_t query; /* of the job's results: of its begin, */
	uint32_t end;	/* and of its end */
	uint8_t views;	/* as of its command */
	uint8_t why;	/* enum tacho__slot_code: it has none; 0: it has */
};

/* A list as it was when a copy of its results was recorded. */
struct vk_copied {
	const struct vk_list *list;
	uint64_t holes;
	uint32_t query_count;
};

struct vk_job {
	struct vk_queue *queue;
	atomic_bool is_busy; /* submitted and not seen to have ended */
	uint64_t pool, fence, buffer, memory;
	void *copy;		  /* the command buffer that copies */
	struct vk_copied *copied; /* what it copies, now */
	uint32_t copied_count, copied_room;
	uint32_t copied_edges;
	struct vk_edges edges;
	uint64_t *results; /* of each query two: its ticks, and whether there are any; at first 0 */
	struct vk_host_run *host_runs; /* of each list, where the host reads its results */
	uint32_t host_room;
	uint32_t result_room, result_count;
	struct vk_list **lists; /* held */
	uint32_t list_count, list_room;
	struct vk_row *rows;
	uint32_t row_count, row_room;
	struct vk_counted_row *counted; /* vk_counted.c */
	uint32_t counted_count, counted_room;
	void *scratch; /* of who submits */
	size_t scratch_bytes;
	uint64_t submit_ns;
	bool is_fenced; /* its fence will tell that it has ended */
};

/* One of the queue's that is free, empty; `wanted` if that is one. NULL: there is none, or no
 * memory. Who has the queue. */
struct vk_job *tacho__vulkan_job_take(struct vk_queue *queue, struct vk_job *wanted);

/* The list's queries are this job's: results from *out_first on. False: no memory. */
bool tacho__vulkan_job_add_list(struct vk_job *job, struct vk_list *list, uint32_t *out_first);
/* A list with room for one more; false: no memory. */
bool tacho__vulkan_job_make_room(void **list, uint32_t count, uint32_t *room, size_t size);
bool tacho__vulkan_job_add_row(struct vk_job *job, const struct vk_row *row);

/* Memory that stays until the next call; NULL: there is none. */
void *tacho__vulkan_job_scratch(struct vk_job *job, size_t bytes);

/* Records what copies the results of the lists that were added. False: it cannot be. */
bool tacho__vulkan_job_prepare(struct vk_job *job);

/* It was submitted: its thread waits for the fence. */
void tacho__vulkan_job_watch(struct vk_job *job);
/* It was not, or its end was not seen: its rows have no times. */
void tacho__vulkan_job_drop(struct vk_job *job);
/* As that; and as it may still be on its way, it is not used again. */
void tacho__vulkan_job_give_up(struct vk_job *job);

/* The list is submitted to this queue without a job: its reset may meet another queue's copy. */
void tacho__vulkan_list_pass(struct vk_list *list, const void *queue);

/* Waits for what was submitted, at most a second, and frees everything. */
void tacho__vulkan_stop_worker(struct vk_queue *queue);

#endif
