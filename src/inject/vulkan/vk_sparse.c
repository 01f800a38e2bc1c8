/* SPDX-License-Identifier: MIT */
/*
 * Binding of sparse memory: a command of a queue that no command buffer holds. Nothing orders it
 * with what is submitted beside it but semaphores of the program, so that it cannot be timed.
 */
#include <errno.h>

#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_rows.h"
#include "intercept/intercept.h"

static uint64_t count_bytes(const struct vk_sparse_binds *all, uint32_t count)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < all[i].count; k++)
			bytes += all[i].binds[k].bytes;
	return bytes;
}

uint64_t tacho__vulkan_bound_bytes(const void *batch)
{
	const struct vk_bind_sparse_info *info = batch;

	if (info->image_count)
		return VK_WHOLE;
	return count_bytes(info->buffers, info->buffer_count) +
	       count_bytes(info->opaques, info->opaque_count);
}

static void tell(struct vk_queue *queue, uint32_t count, const struct vk_bind_sparse_info *infos,
		 uint64_t tick)
{
	struct vk_rows rows = {.queue = queue, .tick = tick, .submission = queue->submissions++};

	for (; rows.index < count; rows.index++) {
		const struct tacho__vulkan_ran ran = {
			.function = TACHO__RUN_vkQueueBindSparse,
			.bytes = tacho__vulkan_bound_bytes(&infos[rows.index])};

		tacho__vulkan_tell_alone(&rows, &ran);
	}
}

int32_t tacho__vulkan_bind_sparse(void *handle, uint32_t bindInfoCount, void const *pBindInfo,
				  uint64_t fence)
{
	struct vk_queue *queue = tacho__vulkan_find_queue(handle);
	uint64_t tick = tacho__tick();
	int32_t rc = tacho__vulkan_next(handle)->vkQueueBindSparse(handle, bindInfoCount, pBindInfo,
								   fence);
	int error = errno;

	if (!rc && queue && bindInfoCount && tacho__calls_are_kept())
		tell(queue, bindInfoCount, pBindInfo, tick);
	errno = error;
	return rc;
}
