/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_resets.h"

#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_lists.h"

/* Each list has a command pool of its own, as a pool is one thread's at a time. */
static bool make_pool(struct vk_list *list)
{
	const struct vk_pool_info info = {.type = VK_TYPE_COMMAND_POOL_CREATE_INFO,
					  .family = list->family};
	const struct vk_device *device = list->device;

	return list->reset_pool ||
	       !device->table.vkCreateCommandPool(device->handle, &info, NULL, &list->reset_pool);
}

static bool record(const struct vk_list *list, void *buffer, uint64_t pool, uint32_t count)
{
	const struct vk_begin_info info = {.type = VK_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	const struct tacho__vulkan_dispatch *vk = &list->device->table;

	if (vk->vkBeginCommandBuffer(buffer, &info))
		return false;
	vk->vkCmdResetQueryPool(buffer, pool, 0, count);
	return !vk->vkEndCommandBuffer(buffer);
}

bool tacho__vulkan_reset_make(struct vk_list *list, uint64_t pool, uint32_t count,
			      void **out_buffer)
{
	const struct vk_device *device = list->device;
	struct vk_buffers_info info = {.type = VK_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .count = 1};

	if (!make_pool(list))
		return false;
	info.pool = list->reset_pool;
	if (device->table.vkAllocateCommandBuffers(device->handle, &info, out_buffer))
		return false;
	if (!device->set_loader_data(device->handle, *out_buffer) &&
	    record(list, *out_buffer, pool, count))
		return true;
	device->table.vkFreeCommandBuffers(device->handle, list->reset_pool, 1, out_buffer);
	return false;
}

void tacho__vulkan_resets_free(struct vk_list *list)
{
	const struct vk_device *device = list->device;

	if (list->reset_pool)
		device->table.vkDestroyCommandPool(device->handle, list->reset_pool, NULL);
}
