/* SPDX-License-Identifier: MIT */
/* Command pools and their command buffers: they live as long as the program's. */
#ifndef TACHO_INJECT_VULKAN_VK_BUFFERS_H
#define TACHO_INJECT_VULKAN_VK_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

struct vk_device;
struct vk_list;

enum { VK_BIND_GRAPHICS, VK_BIND_COMPUTE, VK_BIND_RAYS, VK_BIND_POINTS };

struct vk_pool {
	uint64_t handle;
	struct vk_device *device;
	uint32_t family;
	bool is_protected;
	struct vk_buffer *first;
};

/* Used by whoever records into it, one thread at a time, as the API demands. */
struct vk_buffer {
	void *handle;
	struct vk_pool *pool;
	struct vk_buffer *next, *previous; /* in its pool */
	struct vk_list *list;		   /* NULL: nothing was recorded, or there is no memory */
	uint64_t pipelines[VK_BIND_POINTS];
	char *name; /* that the program gave it; NULL: none */
	bool is_secondary, is_in_pass;
	uint8_t why_inside;		/* what is in that pass has no times; 0: it may */
	bool has_timed_parts;		/* and some of it has */
	bool runs_others;		/* secondaries draw the pass that it is in */
	bool continues;			/* secondary: the pass of what runs it */
	bool may_overlap;		/* several runs of it may be on their way */
	uint8_t views;			/* what it draws now is drawn for so many at once; 0: one */
	uint64_t pass;			/* that it is in, where that is an object, */
	uint32_t subpass;		/* and the part of it */
	uint8_t own_queries[3];		/* of the program's, active: by enum tacho__vulkan_query */
	uint32_t pass_mark;		/* of the pass that it is in */
	uint32_t part_mark;		/* of that where it is the last part of a rendering; 0 */
	uint32_t whole_mark;		/* of what is counted of all of it */
	uint32_t pass_part, pass_parts; /* of that: which one, of how many */
};

/* The program calls it so; "" is no name. */
void tacho__vulkan_name_buffer(uint64_t handle, const char *name);

/* NULL: it is not known. Without a lock. */
struct vk_buffer *tacho__vulkan_find_buffer(const void *handle);

#endif
