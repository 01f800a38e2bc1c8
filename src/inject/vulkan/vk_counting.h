/* SPDX-License-Identifier: MIT */
/*
 * Counting commands of Vulkan programs: what of the plan the queries around a command count
 * (vk_queries.c), and the rows of what they counted. Each pass of the plan has a session of its
 * own, as values come when a submit has ended, in any order of passes. Nothing here ever fails for
 * the program.
 */
#ifndef TACHO_INJECT_VULKAN_VK_COUNTING_H
#define TACHO_INJECT_VULKAN_VK_COUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/vulkan/vulkan.h"

struct vk_instance;
struct tacho__counted_kernel;

/* A row that is to be written. */
struct vk_told {
	uint64_t start;	 /* tick of the command's record, which with the thread names it */
	uint32_t thread; /* that submitted */
	const struct tacho__counted_kernel *kernel;
	const char *note;	/* why some values are missing; "" */
	const uint64_t *values; /* of the counters of the pass, */
	const uint8_t *states;	/* and their states */
};

/* Reads what is to be counted, when the environment names it. Once, before any device is made. */
void tacho__vulkan_counting_start(void);

/* Whether commands are selected and rows are written, though perhaps none with values. */
bool tacho__vulkan_counting_is_on(void);
/* Whether values are counted at all: else readers work out what was asked for. */
bool tacho__vulkan_counting_counts(void);

/*
 * The passes of the plan, when this physical device is the one that is to be counted on, and the
 * first of it that the program makes a device of; else NULL.
 */
const struct tacho__vulkan_pass *tacho__vulkan_counting_open(const struct vk_instance *instance,
							     void *physical);
/* No command of the process is counted any more; readers find out why. */
void tacho__vulkan_counting_give_up(const char *why, const char *cure);

/* Of the command buffer that is begun now: its commands are counted in this pass of the plan. */
uint32_t tacho__vulkan_counting_choose_pass(void);

/* Whether this launch is selected; on the thread that submits it. NULL: it has no kernel. */
bool tacho__vulkan_counting_wants(struct tacho__counted_kernel *kernel);
/* A row without values. No lock. `thread` 0: the calling one. */
void tacho__vulkan_counting_miss(uint64_t start, uint32_t thread, const char *why);
/* Rows of one pass. From a thread of tacho's. */
void tacho__vulkan_counting_tell(uint32_t pass, const struct vk_told *rows, size_t count);

#endif
