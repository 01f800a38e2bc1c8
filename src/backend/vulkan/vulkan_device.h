/* SPDX-License-Identifier: MIT */
/* Inside this folder: a device that is open for counting. */
#ifndef TACHO_BACKEND_VULKAN_VULKAN_DEVICE_H
#define TACHO_BACKEND_VULKAN_VULKAN_DEVICE_H

#include "backend/known.h"
#include "backend/vulkan/vulkan.h"
#include "backend/vulkan/vulkan_library.h"

/* What a device is asked. Its extensions are an array of VULKAN_EXTENSIONS_MAX, owned. */
struct vulkan_facts {
	struct vulkan_properties properties;
	char driver[300]; /* its name and version; "" where it tells none */
	char id[40];	  /* of the device, as other APIs have it; "" */
	bool has_statistics, has_precise_occlusion, has_performance;
	bool has_graphics, has_compute;
	uint32_t family; /* with the most counters of the driver */
	uint32_t counter_count;
	const char *why_no_counters; /* static; "" when there are some */
};

struct vulkan_device {
	struct tacho_device base;
	struct tacho__known own;
	struct vulkan vulkan;
	bool is_borrowed; /* the instance is a program's */
	vulkan_handle physical;
	struct vulkan_facts facts;
	const uint64_t *values; /* offered, and not taken yet */
	const uint8_t *states;
};

/* The device's facts; 0 or NOMEM. */
int tacho__vulkan_ask(const struct vulkan *vulkan, vulkan_handle physical,
		      struct vulkan_facts *out_facts);

/* Fills the device's architecture: what it can count, and why not the rest. */
int tacho__vulkan_fill_catalog(struct vulkan_device *device, const struct tacho_arch *standard);
/* vulkan_counters.c: the driver's own counters. */
int tacho__vulkan_add_counters(struct vulkan_device *device);

/* How a counter of the device's architecture is counted; NULL: it is none. */
const struct tacho__vulkan_counter *tacho__vulkan_get_counter(const struct vulkan_device *device,
							      const struct tacho_entry *entry);

/* vulkan_plan.c, vulkan_collect.c: as in struct tacho__backend. */
int tacho__vulkan_plan(struct tacho_device *device, const struct tacho_config *config,
		       const struct tacho_plan_options *options, struct tacho_plan **out_plan);
int tacho__vulkan_begin_collection(struct tacho_device *device,
				   const struct tacho__collection_options *options,
				   struct tacho__collection **out_collection);
int tacho__vulkan_begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent);
int tacho__vulkan_end_range(struct tacho__collection *collection, uint64_t key);
void tacho__vulkan_end_collection(struct tacho__collection *collection);

#endif
