/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_own_queries.h"

#include "backend/vulkan/vulkan.h"
#include "inject/handles.h"
#include "inject/vulkan/vk_buffers.h"
#include "inject/vulkan/vk_devices.h"

/* Of a render pass the views of its first subpasses, so many bits each; the highest says that it
 * has some. */
enum { VIEW_BITS = 6, VIEW_MASK = (1 << VIEW_BITS) - 1, VIEW_PARTS = 10 };
#define HAS_VIEWS (UINT64_C(1) << 63)

static struct {
	struct tacho__handles pools;  /* VkQueryPool to enum tacho__vulkan_query and 1 */
	struct tacho__handles passes; /* VkRenderPass to views; 0: it draws for one */
} known;

static const void *key(uint64_t handle)
{
	return (const void *)(uintptr_t)handle;
}

/* ---- queries ---- */

/* 0: of a kind that gets in nobody's way. */
static uint64_t kind_of(int32_t type)
{
	switch (type) {
	case VK_QUERY_STATISTICS: return TACHO__VULKAN_STATISTICS + 1;
	case VK_QUERY_OCCLUSION: return TACHO__VULKAN_OCCLUSION + 1;
	case VK_QUERY_PERFORMANCE: return TACHO__VULKAN_PERFORMANCE + 1;
	default: return 0;
	}
}

int32_t tacho__vulkan_create_queries(void *device, void const *pCreateInfo, void const *pAllocator,
				     uint64_t *pQueryPool)
{
	const struct vk_query_pool_info *info = pCreateInfo;
	int32_t rc = tacho__vulkan_next(device)->vkCreateQueryPool(device, pCreateInfo, pAllocator,
								   pQueryPool);

	if (!rc && kind_of(info->kind))
		tacho__handles_set(&known.pools, key(*pQueryPool), kind_of(info->kind));
	return rc;
}

/* Forgotten before the driver may give the handle to another one. */
void tacho__vulkan_destroy_queries(void *device, uint64_t queryPool, void const *pAllocator)
{
	if (tacho__handles_get(&known.pools, key(queryPool)))
		tacho__handles_set(&known.pools, key(queryPool), 0);
	tacho__vulkan_next(device)->vkDestroyQueryPool(device, queryPool, pAllocator);
}

static void note(void *handle, uint64_t pool, int change)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(handle);
	uint64_t kind = tacho__handles_get(&known.pools, key(pool));

	if (buffer && kind)
		buffer->own_queries[kind - 1] += (uint8_t)change;
}

void tacho__vulkan_begin_query(void *commandBuffer, uint64_t queryPool, uint32_t query,
			       uint32_t flags)
{
	note(commandBuffer, queryPool, 1);
	tacho__vulkan_next(commandBuffer)->vkCmdBeginQuery(commandBuffer, queryPool, query, flags);
}

void tacho__vulkan_end_query(void *commandBuffer, uint64_t queryPool, uint32_t query)
{
	note(commandBuffer, queryPool, -1);
	tacho__vulkan_next(commandBuffer)->vkCmdEndQuery(commandBuffer, queryPool, query);
}

void tacho__vulkan_begin_query_at(void *commandBuffer, uint64_t queryPool, uint32_t query,
				  uint32_t flags, uint32_t index)
{
	note(commandBuffer, queryPool, 1);
	tacho__vulkan_next(commandBuffer)
		->vkCmdBeginQueryIndexedEXT(commandBuffer, queryPool, query, flags, index);
}

void tacho__vulkan_end_query_at(void *commandBuffer, uint64_t queryPool, uint32_t query,
				uint32_t index)
{
	note(commandBuffer, queryPool, -1);
	tacho__vulkan_next(commandBuffer)
		->vkCmdEndQueryIndexedEXT(commandBuffer, queryPool, query, index);
}

/* ---- render passes ---- */

uint8_t tacho__vulkan_count_views(uint64_t pass, uint32_t subpass)
{
	uint64_t views = tacho__handles_get(&known.passes, key(pass));

	if (!views)
		return 0;
	return subpass < VIEW_PARTS ? views >> (VIEW_BITS * subpass) & VIEW_MASK : VK_VIEWS_UNKNOWN;
}

/* Those of one more subpass. */
static void add_views(uint64_t *views, uint32_t subpass, uint32_t mask)
{
	if (mask)
		*views |= HAS_VIEWS;
	if (subpass < VIEW_PARTS)
		*views |= (uint64_t)__builtin_popcount(mask) << (VIEW_BITS * subpass);
}

static void note_pass(uint64_t pass, uint64_t views)
{
	if (views || tacho__handles_get(&known.passes, key(pass)))
		tacho__handles_set(&known.passes, key(pass), views);
}

int32_t tacho__vulkan_create_render_pass(void *device, void const *pCreateInfo,
					 void const *pAllocator, uint64_t *pRenderPass)
{
	int32_t rc = tacho__vulkan_next(device)->vkCreateRenderPass(device, pCreateInfo, pAllocator,
								    pRenderPass);
	uint64_t counts = 0;

	for (const struct vk_chain *at = ((const struct vk_chain *)pCreateInfo)->next; !rc && at;
	     at = at->next) {
		const struct vk_multiview_info *views = (const void *)at;

		for (uint32_t i = 0; at->type == VK_TYPE_RENDER_PASS_MULTIVIEW && i < views->count;
		     i++)
			add_views(&counts, i, views->view_masks[i]);
	}
	if (!rc)
		note_pass(*pRenderPass, counts);
	return rc;
}

int32_t tacho__vulkan_create_render_pass2(void *device, void const *pCreateInfo,
					  void const *pAllocator, uint64_t *pRenderPass)
{
	const struct vk_pass_info *info = pCreateInfo;
	const char *subpasses = info->subpasses;
	uint64_t counts = 0;
	int32_t rc = tacho__vulkan_next(device)->vkCreateRenderPass2(device, pCreateInfo,
								     pAllocator, pRenderPass);

	for (uint32_t i = 0; !rc && i < info->subpass_count; i++) {
		const void *subpass = subpasses + (size_t)i * VK_SUBPASS_INFO2_BYTES;

		add_views(&counts, i, ((const struct vk_subpass_info2 *)subpass)->view_mask);
	}
	if (!rc)
		note_pass(*pRenderPass, counts);
	return rc;
}
