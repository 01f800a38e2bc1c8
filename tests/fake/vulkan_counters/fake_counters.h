/* SPDX-License-Identifier: MIT */
/*
 * A layer that makes of any driver one with VK_KHR_performance_query: counters of each scope, unit
 * and storage, which need three passes together. What a query counts follows a rule from what was
 * recorded between its begin and its end, and every rule of the extension that a user can break is
 * looked at: each breach is a line on standard error that begins with "fake counters: ".
 *
 * FAKE_COUNTERS has words: "refuse" the lock, "direct": command buffers cannot copy results,
 * "pools": a command buffer may use several pools.
 */
#ifndef TACHO_TESTS_FAKE_VULKAN_FAKE_COUNTERS_H
#define TACHO_TESTS_FAKE_VULKAN_FAKE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>
#include <vulkan/vk_layer.h>

bool fake_is(const char *word);
/* Prints a breach. */
void fake_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- fake_list.c: the counters ---- */

uint32_t fake_list_count(void);
VkPerformanceCounterScopeKHR fake_list_scope(uint32_t counter);
/* The rule: what `commands` draws and dispatches, of `items` vertices or groups in all, come to. */
VkPerformanceCounterResultKHR fake_list_value(uint32_t counter, uint32_t commands, uint32_t items);

VKAPI_ATTR VkResult VKAPI_CALL fake_enumerate(VkPhysicalDevice physical, uint32_t family,
					      uint32_t *count, VkPerformanceCounterKHR *counters,
					      VkPerformanceCounterDescriptionKHR *texts);
VKAPI_ATTR void VKAPI_CALL fake_get_passes(VkPhysicalDevice physical,
					   const VkQueryPoolPerformanceCreateInfoKHR *info,
					   uint32_t *passes);

/* ---- fake_counted.c: queries and the commands between them ---- */

/* The next one's functions, of the one device that there is at a time. */
struct fake_next {
	PFN_vkGetDeviceProcAddr get;
#define FAKE_FUNCTIONS(X)          \
	X(DestroyDevice)           \
	X(CreateQueryPool)         \
	X(DestroyQueryPool)        \
	X(GetQueryPoolResults)     \
	X(BeginCommandBuffer)      \
	X(EndCommandBuffer)        \
	X(QueueSubmit)             \
	X(CmdBeginQuery)           \
	X(CmdEndQuery)             \
	X(CmdResetQueryPool)       \
	X(CmdCopyQueryPoolResults) \
	X(CmdWriteTimestamp)       \
	X(CmdPipelineBarrier)      \
	X(CmdBindPipeline)         \
	X(CmdDraw)                 \
	X(CmdDispatch)             \
	X(CmdExecuteCommands)      \
	X(CmdBeginRenderPass)      \
	X(CmdEndRenderPass)        \
	X(CmdBeginRendering)       \
	X(CmdEndRendering)         \
	X(CmdCopyImageToBuffer)    \
	X(CmdUpdateBuffer)
#define FAKE_MEMBER(name) PFN_vk##name name;
	FAKE_FUNCTIONS(FAKE_MEMBER)
#undef FAKE_MEMBER
};

extern struct fake_next fake_next;

/* A device was made: `has_queries` when the extension and its feature were switched on. */
void fake_queries_begin(bool has_queries);
/* NULL: the next one's is to be used. */
PFN_vkVoidFunction fake_queries_find(const char *name);

#endif
