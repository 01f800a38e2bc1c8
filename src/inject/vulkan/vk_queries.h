/* SPDX-License-Identifier: MIT */
/*
 * The queries that count, around launches: of pipeline statistics, of samples, and of a driver's
 * own counters. A list has pools of its own for them beside those of its times; they are reset and
 * read as those are. Where a query may not be, the command has none, and the reason is kept.
 */
#ifndef TACHO_INJECT_VULKAN_VK_QUERIES_H
#define TACHO_INJECT_VULKAN_VK_QUERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/vulkan/vulkan.h"
#include "inject/vulkan/vk_lists.h"

struct vk_buffer;
struct vk_job;
struct vk_wishes;

/* Pools of one kind: each has twice as many queries as the one before. */
struct vk_query_pools {
	uint64_t pools[VK_POOLS_MAX];
	void *resets[VK_POOLS_MAX];   /* command buffers, as in struct vk_list */
	uint32_t holes[VK_POOLS_MAX]; /* queries at its end that are not used */
	uint32_t first;		      /* queries of the first */
	uint32_t pool_count, pool_max, used;
};

/* What is counted of a command. */
struct vk_counted {
	uint32_t queries[TACHO__VULKAN_QUERIES]; /* by enum tacho__vulkan_query; VK_NO_QUERY */
	uint32_t views;	 /* of those of standard queries so many follow one another */
	const char *why; /* one of them, or all, is missing; "" */
	bool is_told;	 /* it has a row, though no query may be around it */
};

/* Of a list and a pass of the plan, on a device that is counted on. */
struct vk_counts {
	struct vk_counts *next; /* of the same list, of another pass */
	uint32_t pass_number;
	const struct tacho__vulkan_pass *pass;
	uint32_t words[TACHO__VULKAN_QUERIES]; /* of a result, 64 bits each; 0: no such query */
	uint32_t statistics;		       /* of the pass, that its queues have */
	struct vk_query_pools pools[TACHO__VULKAN_QUERIES];
	struct vk_counted *commands;
	uint32_t count, capacity;
};

/* What a device needs for these passes of the plan. */
void tacho__vulkan_wish(const struct tacho__vulkan_pass *passes, struct vk_wishes *wishes);

/* The list is empty, and its buffer begins. */
void tacho__vulkan_counts_begin(struct vk_list *list);
/* With the list: nothing of it is on its way. */
void tacho__vulkan_counts_free(struct vk_list *list);

/* Whether any pass of the plan counts whole render passes, or whole command buffers. */
bool tacho__vulkan_plans_scope(const struct vk_list *list, enum tacho__vulkan_scope scope);
/*
 * Around the command that was added to the list last: a launch, or what stands for a whole. False:
 * it has no query, so that nothing is to be ended.
 */
bool tacho__vulkan_count_begin(struct vk_buffer *buffer, enum tacho__vulkan_scope scope);
void tacho__vulkan_count_end(const struct vk_buffer *buffer, uint32_t command);

/* What is counted of a command of the list; NULL: it is not known. */
const struct vk_counted *tacho__vulkan_get_counted(const struct vk_list *list, uint32_t command);

/* Whether any query of the list counts. */
bool tacho__vulkan_has_counts(const struct vk_list *list);
/* Resets them from within a command buffer. */
void tacho__vulkan_reset_counts(const struct vk_list *list, void *buffer);
/* The command buffers that reset its queries, one after the other from index 0; NULL past them. */
void *tacho__vulkan_get_count_reset(const struct vk_list *list, uint32_t index);

/* Of its results in the memory of a job, 64 bits each: how many, */
uint64_t tacho__vulkan_count_words(const struct vk_list *list);
/* what copies them there, from word `at` on; */
void tacho__vulkan_copy_counts(const struct vk_job *job, const struct vk_list *list, uint64_t at);
/* how far those of a query are behind the first; */
uint64_t tacho__vulkan_find_count(const struct vk_list *list, enum tacho__vulkan_query kind,
				  uint32_t query);
/*
 * and where a driver cannot copy those of its own counters: reads one, when the submit has ended.
 * False: it is not there.
 */
bool tacho__vulkan_read_performance(const struct vk_list *list, uint32_t query,
				    uint64_t *out_words);

#endif
