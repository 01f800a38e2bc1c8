/* SPDX-License-Identifier: MIT */
/* What the generated wrappers need: whose functions a handle's are, and marks around commands. */
#ifndef TACHO_INJECT_VULKAN_VULKAN_WRAPPED_H
#define TACHO_INJECT_VULKAN_VULKAN_WRAPPED_H

#include <stdint.h>

struct tacho__vulkan_dispatch;
struct vk_buffer;

/*
 * The next one's functions, by the loader's pointer that every handle begins with: instances share
 * it with their physical devices, devices with their queues and command buffers. Without a lock.
 */
const struct tacho__vulkan_dispatch *tacho__vulkan_next(const void *handle);

/* A command that goes into a command buffer, and what is kept of it. */
struct tacho__vulkan_ran {
	uint32_t function; /* TACHO__RUN_... */
	uint64_t counts[3];
	uint64_t bytes; /* UINT64_MAX: not known */
};

/* Where a command is put. `mark` is 0 when nothing is to be done behind it. */
struct tacho__vulkan_at {
	const struct tacho__vulkan_dispatch *next; /* whose functions are called */
	struct vk_buffer *buffer;		   /* NULL: it is not known */
	uint32_t mark;
};

/* Around its call. */
struct tacho__vulkan_at tacho__vulkan_begin_run(void *buffer, const struct tacho__vulkan_ran *ran);
void tacho__vulkan_end_run(const struct tacho__vulkan_at *at);

/* The sizes of all regions together. */
uint64_t tacho__vulkan_copied_bytes(uint32_t count, const void *regions);
uint64_t tacho__vulkan_copied_bytes2(const void *info);
/* Of the stream that is decoded. */
uint64_t tacho__vulkan_decoded_bytes(const void *info);
/* Of buffers and images, by one batch of bindings; UINT64_MAX where those of an image go by tiles.
 */
uint64_t tacho__vulkan_bound_bytes(const void *info);

#endif
