/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_buffers.h"

#include <stdlib.h>
#include <string.h>

#include "inject/handles.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_lists.h"
#include "intercept/intercept.h"

static struct {
	struct tacho__handles pools, buffers; /* handles to struct vk_pool, struct vk_buffer */
} kept;

static const void *key(uint64_t handle)
{
	return (const void *)(uintptr_t)handle;
}

struct vk_buffer *tacho__vulkan_find_buffer(const void *handle)
{
	return (struct vk_buffer *)(uintptr_t)tacho__handles_get(&kept.buffers, handle);
}

static struct vk_pool *find_pool(uint64_t handle)
{
	return handle ? (struct vk_pool *)(uintptr_t)tacho__handles_get(&kept.pools, key(handle))
		      : NULL;
}

/* ---- command buffers ---- */

/* What is given to a command buffer that nobody knows is lost, and that is told. */
static void add_buffer(struct vk_pool *pool, void *handle, bool is_secondary)
{
	struct vk_buffer *buffer = calloc(1, sizeof(*buffer));

	if (!buffer || !tacho__handles_set(&kept.buffers, handle, (uintptr_t)buffer)) {
		free(buffer);
		tacho__intercept_lost(1);
		return;
	}
	buffer->handle = handle;
	buffer->pool = pool;
	buffer->is_secondary = is_secondary;
	buffer->next = pool->first;
	if (pool->first)
		pool->first->previous = buffer;
	pool->first = buffer;
}

static void remove_buffer(struct vk_buffer *buffer)
{
	tacho__handles_set(&kept.buffers, buffer->handle, 0);
	if (buffer->next)
		buffer->next->previous = buffer->previous;
	if (buffer->previous)
		buffer->previous->next = buffer->next;
	else
		buffer->pool->first = buffer->next;
	tacho__vulkan_list_let_go(buffer->list);
	free(buffer->name);
	free(buffer);
}

void tacho__vulkan_name_buffer(uint64_t handle, const char *name)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(key(handle));

	if (!buffer)
		return;
	free(buffer->name);
	buffer->name = *name ? strndup(name, VK_NAME_BYTES - 1) : NULL;
}

int32_t tacho__vulkan_allocate_buffers(void *device, void const *pAllocateInfo,
				       void **pCommandBuffers)
{
	const struct vk_buffers_info *info = pAllocateInfo;
	int32_t rc = tacho__vulkan_next(device)->vkAllocateCommandBuffers(device, pAllocateInfo,
									  pCommandBuffers);
	struct vk_pool *pool = rc ? NULL : find_pool(info->pool);

	for (uint32_t i = 0; pool && i < info->count; i++)
		add_buffer(pool, pCommandBuffers[i], info->level != 0);
	return rc;
}

/* Forgotten before the driver may give the handles to new ones. */
void tacho__vulkan_free_buffers(void *device, uint64_t commandPool, uint32_t commandBufferCount,
				void *const *pCommandBuffers)
{
	for (uint32_t i = 0; i < commandBufferCount; i++) {
		struct vk_buffer *buffer =
			pCommandBuffers[i] ? tacho__vulkan_find_buffer(pCommandBuffers[i]) : NULL;

		if (buffer)
			remove_buffer(buffer);
	}
	tacho__vulkan_next(device)->vkFreeCommandBuffers(device, commandPool, commandBufferCount,
							 pCommandBuffers);
}

/* ---- pools ---- */

int32_t tacho__vulkan_create_pool(void *device, void const *pCreateInfo, void const *pAllocator,
				  uint64_t *pCommandPool)
{
	const struct vk_pool_info *info = pCreateInfo;
	int32_t rc = tacho__vulkan_next(device)->vkCreateCommandPool(device, pCreateInfo,
								     pAllocator, pCommandPool);
	struct vk_pool *pool = rc ? NULL : calloc(1, sizeof(*pool));

	if (!pool)
		return rc;
	pool->handle = *pCommandPool;
	pool->device = tacho__vulkan_device_of(device);
	pool->family = info->family;
	pool->is_protected = info->flags & VK_POOL_CREATE_PROTECTED;
	if (!tacho__handles_set(&kept.pools, key(pool->handle), (uintptr_t)pool))
		free(pool);
	return rc;
}

void tacho__vulkan_destroy_pool(void *device, uint64_t commandPool, void const *pAllocator)
{
	struct vk_pool *pool = find_pool(commandPool);

	if (pool) {
		tacho__handles_set(&kept.pools, key(commandPool), 0);
		while (pool->first)
			remove_buffer(pool->first);
		free(pool);
	}
	tacho__vulkan_next(device)->vkDestroyCommandPool(device, commandPool, pAllocator);
}

int32_t tacho__vulkan_reset_pool(void *device, uint64_t commandPool, uint32_t flags)
{
	struct vk_pool *pool = find_pool(commandPool);

	for (struct vk_buffer *buffer = pool ? pool->first : NULL; buffer; buffer = buffer->next) {
		tacho__vulkan_list_let_go(buffer->list);
		buffer->list = NULL;
	}
	return tacho__vulkan_next(device)->vkResetCommandPool(device, commandPool, flags);
}
