/* SPDX-License-Identifier: MIT */
/* Instances, devices and queues as the layer keeps them, and what the recording is told of them. */
#ifndef TACHO_INJECT_VULKAN_VK_DEVICES_H
#define TACHO_INJECT_VULKAN_VK_DEVICES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "inject/vulkan/vk_dispatch.h"

enum {
	VK_FAMILIES_MAX = 32,
	/* Flags of queues that reset queries and copy their results. */
	VK_RESETTING = VK_QUEUE_GRAPHICS | VK_QUEUE_COMPUTE,
};

struct tacho__vulkan_pass;
struct vk_list;
struct vk_open_labels;
struct vk_worker;

/* That nobody holds. */
struct vk_free_lists {
	_Atomic(struct vk_list *) first;
};

struct vk_instance {
	struct tacho__vulkan_dispatch table; /* first: a table of this level is an instance */
	void *handle;
	uint32_t version; /* of Vulkan, that the program uses */
};

struct vk_device {
	struct tacho__vulkan_dispatch table; /* first, as above */
	void *handle, *physical;
	const struct vk_instance *instance;
	vk_set_loader_data set_loader_data; /* NULL: no command buffers of our own */
	bool draws_by_tile;		    /* what graphics does has no times one by one */
	bool wants_draws;		    /* they are asked for nevertheless */
	bool is_calibrated;		    /* its clock can be read together with the host's */
	bool hides_calibration;		    /* the program did not ask for that */
	bool can_time;			    /* whether any of its queues can */
	bool hides_performance;		    /* the program did not ask for its extension */
	bool resets_by_host;		    /* the host can reset queries */
	bool hides_host_reset;		    /* the program did not ask for its extension */
	const struct tacho__vulkan_pass *passes; /* that are counted; NULL: nothing is */
	struct {
		bool is_on;	     /* the driver's own counters can be counted, */
		const char *why;     /* and why not: NULL: nobody asked for them */
		bool can_copy;	     /* a command buffer can read their results */
		bool has_many_pools; /* a command buffer may use several pools of them */
	} performance;
	float period_ns;	 /* of a tick */
	uint64_t uncertainty_ns; /* of is_calibrated */
	uint32_t memory_index;	 /* of memory that the host can read */
	struct vk_memory_properties memory;
	char *facts;	      /* attributes that do not change; NULL: not told yet, or no memory */
	uint32_t queue_total; /* that the program asked for */
	uint32_t family_count;
	struct vk_family_properties families[VK_FAMILIES_MAX];
	_Atomic(struct vk_queue *) queues;
	struct vk_free_lists free_lists[VK_FAMILIES_MAX]; /* of each family */
};

struct vk_queue {
	struct vk_queue *next;
	struct vk_device *device;
	void *handle;
	uint32_t family;
	bool is_timed, is_by_host; /* by_host: it resets no queries itself (vk_host.c) */
	uint64_t submissions;	   /* of the thread that has the queue */
	struct vk_worker *worker;
	struct vk_open_labels *labels; /* NULL: there was none */
};

/* That a handle belongs to. */
struct vk_device *tacho__vulkan_device_of(const void *handle);

/* What a device will need: NULL: no memory. To be freed as long as it was not added. */
struct vk_device *tacho__vulkan_make_device(const struct vk_instance *instance, void *physical,
					    const struct vk_device_info *info);
/* The program's device has this handle. False: there is no room for another one. */
bool tacho__vulkan_add_device(struct vk_device *device, void *handle, vk_get_function get);
/* Asks the driver for its facts and tells them; behind what the caller knows of it itself. */
void tacho__vulkan_describe_device(struct vk_device *device, const struct vk_device_info *info);
void tacho__vulkan_remove_device(struct vk_device *device);
/* Once more, with what changes: memory. */
void tacho__vulkan_tell_device(const struct vk_device *device);

/* The program calls it so; "" is no name. */
void tacho__vulkan_name_queue(uint64_t handle, const char *name);

/* NULL: it is not known. */
struct vk_queue *tacho__vulkan_find_queue(const void *handle);

/* Whether commands of this family's queues can be timed by queries. */
bool tacho__vulkan_is_family_timed(const struct vk_device *device, uint32_t family);
/* Whether these are reset and read by the host, as its queues cannot. */
bool tacho__vulkan_is_family_by_host(const struct vk_device *device, uint32_t family);

#endif
