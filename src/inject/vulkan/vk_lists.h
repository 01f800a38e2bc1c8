/* SPDX-License-Identifier: MIT */
/*
 * What was recorded into a command buffer since it began, and the queries around it. A list is
 * written by who records and never changes once it is submitted; who still needs it holds it, so
 * that the command buffer may be recorded anew or freed meanwhile.
 */
#ifndef TACHO_INJECT_VULKAN_VK_LISTS_H
#define TACHO_INJECT_VULKAN_VK_LISTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "inject/vulkan/vk_labels.h"
#include "inject/vulkan/vulkan_wrapped.h"

struct vk_counts;
struct vk_device;
struct vk_job;

enum {
	VK_POOLS_MAX = 10, /* of a list: each has twice as many queries as the one before */
	VK_POOL_FIRST = 128,
	VK_DEPTH_MAX = 8, /* of command buffers within command buffers */
};
/* Alone: since gcc 13 it makes unsigned what stands beside it. */
enum { VK_NO_QUERY = UINT32_MAX };

struct vk_command {
	struct tacho__vulkan_ran ran;
	uint64_t pipeline;
	struct vk_list *child; /* of a command that runs another command buffer: held */
	uint32_t query;	       /* of its begin, and behind it of its end; VK_NO_QUERY: none */
	uint8_t views;	       /* so many queries each of the two is */
	uint8_t why;	       /* it is not timed: enum tacho__slot_code */
	uint8_t part;	       /* of a rendering: enum vk_part */
};

/* Of a rendering that is suspended and resumed, the first part has the time of all, from its query
 * to that of the last one. */
enum vk_part { VK_NO_PART, VK_FIRST_PART, VK_LAST_PART };

struct vk_list {
	struct vk_device *device;
	struct vk_list *next_free;
	atomic_uint holders;
	uint8_t why_untimed; /* enum tacho__slot_code; 0: commands of it are timed */
	bool has_times;	     /* some of it, or of what it runs in others, is timed */
	bool runs_queries;   /* some of what it runs in others is timed or counted */
	bool is_edged;	     /* a primary one that is timed from outside (vk_edges.c) */
	bool has_graphics;   /* some of all that draws, or is done as drawing is */
	/* Renderings: it begins with the rest of one that another command buffer began; the last
	 * one is to be resumed in another one. */
	bool resumes_other, is_suspended;
	bool is_by_host; /* its queries are reset and read by the host (vk_host.c) */
	struct vk_command *commands;
	uint32_t count, capacity;
	uint64_t dropped; /* commands and labels that there was no memory for */
	struct vk_labels labels;
	uint64_t pools[VK_POOLS_MAX];
	void *resets[VK_POOLS_MAX]; /* command buffers, each resets the whole of its pool, before
				     * its first use */
	uint64_t reset_pool;	    /* of these */
	uint32_t family;	    /* of queues that may run it: it never changes */
	uint32_t pool_count, query_count;
	uint32_t query_end; /* of the pool that the next query is of */
	uint64_t holes;	    /* HOLE_BITS for each pool: queries at its end that are not used */
	/* Submits of it whose results were not read yet, and their queue. On two queues at a time
	 * one's reset may come before the other's copy: then none of its times are believed. */
	atomic_uint pending;
	_Atomic(const void *) queue; /* the program's handle */
	atomic_bool is_mixed;
	uint32_t first_result; /* of the submit that it is in: where its results are */
	/* vk_queries.c: what is counted, in the present pass of the plan and in all; NULL: nothing
	 */
	struct vk_counts *counts, *all_counts;
	uint64_t first_count; /* as first_result, in words */
	/* Whose copies reset the queries that they have read: so many pools are ready for the next
	 * submit to that queue. */
	const void *clean_queue;
	uint32_t clean_pools;
	struct vk_job *job; /* that it was last in, which may be about another one by now, */
	uint32_t job_place; /* and its place there */
	atomic_uint runs;   /* submits of it */
};

/* An empty one, held by the caller; NULL: no memory. From any thread. */
struct vk_list *tacho__vulkan_list_take(struct vk_device *device, uint32_t family);
void tacho__vulkan_list_hold(struct vk_list *list);
/* From any thread; NULL is none. */
void tacho__vulkan_list_let_go(struct vk_list *list);

/* NULL: no memory; it is counted. */
struct vk_command *tacho__vulkan_list_add(struct vk_list *list,
					  const struct tacho__vulkan_ran *ran);

/* So many more can be added; false: no memory. */
bool tacho__vulkan_list_make_room(struct vk_list *list, uint32_t more);

/* Two times so many queries of one pool that follow one another; VK_NO_QUERY: there are no more. */
uint32_t tacho__vulkan_list_take_queries(struct vk_list *list, uint32_t views);
/* The pool that a query of the list is in, and its number there. */
uint64_t tacho__vulkan_list_find_query(const struct vk_list *list, uint32_t query,
				       uint32_t *out_number);
/* How many queries of its pool `index` are used, and the number in the list of the first. */
uint32_t tacho__vulkan_list_count_queries(const struct vk_list *list, uint32_t index);
uint32_t tacho__vulkan_list_begin_of_pool(uint32_t index);

/* Whether pool `index` must be reset in front of what is submitted to this queue. */
bool tacho__vulkan_list_needs_reset(const struct vk_list *list, uint32_t index, const void *queue);
/* It was submitted to this queue, with a copy behind it; NULL: without. */
void tacho__vulkan_list_note_reset(struct vk_list *list, const void *queue);

/* With the device: all that nobody holds. */
void tacho__vulkan_free_lists(struct vk_device *device);

#endif
