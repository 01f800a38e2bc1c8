/* SPDX-License-Identifier: MIT */
/*
 * Counters of Vulkan: its standard queries, and those of a driver through VK_KHR_performance_query.
 * Nothing is put into a program from here: the layer in the program has the queries around its
 * commands and hands over what they counted, range by range.
 */
#ifndef TACHO_BACKEND_VULKAN_VULKAN_H
#define TACHO_BACKEND_VULKAN_VULKAN_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/backend.h"
#include "backend/vulkan/vulkan_library.h"

extern const struct tacho__backend tacho__backend_vulkan;

/*
 * A program's own physical device, to be counted on where it is: the handle of a context's options.
 * `get` gives functions of the instance; no loader is asked.
 */
struct tacho__vulkan_handle {
	vulkan_function (*get)(vulkan_handle instance, const char *name);
	vulkan_handle instance, physical;
};

enum tacho__vulkan_query {
	TACHO__VULKAN_STATISTICS,
	TACHO__VULKAN_OCCLUSION,
	TACHO__VULKAN_PERFORMANCE,
	TACHO__VULKAN_QUERIES,
};

/* VkPerformanceCounterScopeKHR */
enum tacho__vulkan_scope {
	TACHO__VULKAN_BUFFER,
	TACHO__VULKAN_PASS,
	TACHO__VULKAN_COMMAND,
};

/* How a counter is counted. */
struct tacho__vulkan_counter {
	uint8_t query;	 /* enum tacho__vulkan_query */
	uint8_t scope;	 /* enum tacho__vulkan_scope */
	uint8_t storage; /* VkPerformanceCounterStorageKHR; of the others UINT64 */
	uint8_t type;	 /* enum tacho_type of its values */
	bool is_precise; /* of an occlusion query: every sample is counted */
	uint32_t index;	 /* the bit of a statistic; the driver's number of a counter */
};

/* What the queries of a pass of a plan count. The driver's counters are those of one family. */
struct tacho__vulkan_pass {
	uint32_t statistics; /* VkQueryPipelineStatisticFlagBits; 0: no such query */
	bool has_occlusion, is_precise;
	uint8_t scope;	 /* of the driver's counters, enum tacho__vulkan_scope */
	uint32_t family; /* of their queues */
	uint32_t performance_count;
	const uint32_t *performance; /* the driver's numbers, in the order of the plan */
	/* Of each counter of the pass. */
	size_t counter_count;
	const struct tacho__vulkan_counter *const *counters;
};

/* One for each pass of the plan; they live as long as the device. NULL: no memory. */
TACHO_API const struct tacho__vulkan_pass *tacho__vulkan_list_passes(struct tacho_device *device,
								     const struct tacho_plan *plan);

/* A result of a query, as 64 bits of the counter's type. */
TACHO_API uint64_t tacho__vulkan_convert(const struct tacho__vulkan_counter *counter,
					 uint64_t result);

/*
 * What the next range of a collection on the device counted: for each counter of its pass the value
 * as 64 bits of the counter's type, and its state. Borrowed until that range has begun.
 */
TACHO_API void tacho__vulkan_offer(struct tacho_device *device, const uint64_t *values,
				   const uint8_t *states);

#endif
