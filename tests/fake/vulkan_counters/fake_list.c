/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "fake_counters.h"

enum { SPLIT = 1 << 8 }; /* a group that needs two passes by itself */

#define COMMAND	 VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR
#define PASS	 VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR
#define BUFFER	 VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR
#define UNIT(x)	 VK_PERFORMANCE_COUNTER_UNIT_##x##_KHR
#define STORE(x) VK_PERFORMANCE_COUNTER_STORAGE_##x##_KHR

static const struct {
	VkPerformanceCounterUnitKHR unit;
	VkPerformanceCounterScopeKHR scope;
	VkPerformanceCounterStorageKHR storage;
	uint32_t group; /* those of one group go together */
	uint32_t flags;
	const char *name, *category;
} list[] = {
	{UNIT(GENERIC), COMMAND, STORE(UINT32), 0, 0, "Waves started", "Shaders"},
	{UNIT(CYCLES), COMMAND, STORE(UINT64), 0, 0, "GPU Core Clocks", "GPU"},
	{UNIT(PERCENTAGE), COMMAND, STORE(FLOAT32), 1, 2, "Busy, all units", "GPU"},
	{UNIT(BYTES), COMMAND, STORE(UINT64), 1, 0, "Bytes read", "Memory"},
	{UNIT(GENERIC), COMMAND, STORE(INT32), 2, 1, "Drift", "Other"},
	{UNIT(HERTZ), COMMAND, STORE(FLOAT64), 2, 0, "Frequency", "GPU"},
	{UNIT(GENERIC), COMMAND, STORE(INT64), 2, 0, "Balance", "Other"},
	{UNIT(BYTES), PASS, STORE(UINT64), 0, 0, "Tile bytes", "Memory"},
	{UNIT(NANOSECONDS), BUFFER, STORE(UINT64), 0, 0, "Buffer time", "GPU"},
	{UNIT(GENERIC), COMMAND, STORE(UINT32), 1, 0, "Waves started", "Other"},
	{UNIT(WATTS), COMMAND, STORE(FLOAT32), SPLIT, 0, "Power", "GPU"},
};

enum { COUNT = sizeof(list) / sizeof(list[0]) };

uint32_t fake_list_count(void)
{
	return COUNT;
}

VkPerformanceCounterScopeKHR fake_list_scope(uint32_t counter)
{
	return list[counter].scope;
}

VkPerformanceCounterResultKHR fake_list_value(uint32_t counter, uint32_t commands, uint32_t items)
{
	uint32_t value = 1000 * (counter + 1) + 100 * commands + items;
	VkPerformanceCounterResultKHR result = {.uint64 = 0};

	switch (list[counter].storage) {
	case STORE(INT32): result.int32 = -(int32_t)value; break;
	case STORE(INT64): result.int64 = -(int64_t)value; break;
	case STORE(UINT32): result.uint32 = value; break;
	case STORE(UINT64): result.uint64 = value + (UINT64_C(1) << 40); break;
	case STORE(FLOAT32): result.float32 = (float)value + 0.5f; break;
	default: result.float64 = value + 0.25; break;
	}
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_enumerate(VkPhysicalDevice physical, uint32_t family,
					      uint32_t *count, VkPerformanceCounterKHR *counters,
					      VkPerformanceCounterDescriptionKHR *texts)
{
	uint32_t room = *count;

	(void)physical;
	(void)family;
	*count = COUNT;
	if (!counters && !texts)
		return VK_SUCCESS;
	*count = room < COUNT ? room : COUNT;
	for (uint32_t i = 0; i < *count; i++) {
		counters[i].unit = list[i].unit;
		counters[i].scope = list[i].scope;
		counters[i].storage = list[i].storage;
		texts[i].flags = list[i].flags;
		snprintf(texts[i].name, sizeof(texts[i].name), "%s", list[i].name);
		snprintf(texts[i].category, sizeof(texts[i].category), "%s", list[i].category);
		snprintf(texts[i].description, sizeof(texts[i].description),
			 "Counter %u of the test.", (unsigned)i);
	}
	return room < COUNT ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL fake_get_passes(VkPhysicalDevice physical,
					   const VkQueryPoolPerformanceCreateInfoKHR *info,
					   uint32_t *passes)
{
	uint32_t groups = 0;

	(void)physical;
	*passes = 0;
	for (uint32_t i = 0; i < info->counterIndexCount; i++) {
		uint32_t group = list[info->pCounterIndices[i]].group;

		if (group == SPLIT)
			*passes = 1;
		groups |= group == SPLIT ? 8 : 1u << group;
	}
	*passes += (uint32_t)__builtin_popcount(groups);
}
