/* SPDX-License-Identifier: MIT */
/* Command buffers: what is put into them, and running it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

/* ---- pools and buffers ---- */

static VkResult fake_vkCreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo *info,
					 const VkAllocationCallbacks *allocator, VkCommandPool *out)
{
	struct pool *pool = is_short(allocator) ? NULL : make_object(device, sizeof(*pool));

	if (!pool)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	pool->is_stinted = !allocator;
	pool->is_protected = info->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
	pool->device = (struct device *)device;
	pool->family = info->queueFamilyIndex;
	*out = (VkCommandPool)pool;
	return VK_SUCCESS;
}

static void expect_idle(const struct buffer *buffer, const char *what)
{
	pthread_mutex_lock(&driver.lock);
	if (buffer->pending)
		complain("%s of a command buffer that is on its way", what);
	pthread_mutex_unlock(&driver.lock);
}

static void free_buffer(VkDevice device, struct buffer *buffer)
{
	expect_idle(buffer, "the end");
	free(buffer->commands);
	drop_object(device, buffer);
}

static void fake_vkDestroyCommandPool(VkDevice device, VkCommandPool handle,
				      const VkAllocationCallbacks *allocator)
{
	struct pool *pool = (struct pool *)handle;

	(void)allocator;
	if (!pool)
		return;
	while (pool->first) {
		struct buffer *buffer = pool->first;

		pool->first = buffer->next;
		free_buffer(device, buffer);
	}
	drop_object(device, pool);
}

static VkResult fake_vkResetCommandPool(VkDevice device, VkCommandPool pool,
					VkCommandPoolResetFlags flags)
{
	(void)device;
	(void)flags;
	if (((struct pool *)pool)->is_stinted && is_short(NULL))
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	for (struct buffer *at = ((struct pool *)pool)->first; at; at = at->next) {
		expect_idle(at, "the reset");
		at->count = 0;
	}
	return VK_SUCCESS;
}

static VkResult fake_vkAllocateCommandBuffers(VkDevice device,
					      const VkCommandBufferAllocateInfo *info,
					      VkCommandBuffer *out)
{
	struct pool *pool = (struct pool *)info->commandPool;

	if (pool->is_stinted && is_short(NULL))
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	for (uint32_t i = 0; i < info->commandBufferCount; i++) {
		struct buffer *buffer = make_object(device, sizeof(*buffer));

		if (!buffer)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		set_loader_magic_value(buffer);
		buffer->pool = pool;
		buffer->is_secondary = info->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
		buffer->next = pool->first;
		pool->first = buffer;
		out[i] = (VkCommandBuffer)buffer;
	}
	return VK_SUCCESS;
}

static void fake_vkFreeCommandBuffers(VkDevice device, VkCommandPool pool, uint32_t count,
				      const VkCommandBuffer *buffers)
{
	for (uint32_t i = 0; i < count; i++) {
		struct buffer **at = &((struct pool *)pool)->first;

		while (*at && *at != (struct buffer *)buffers[i])
			at = &(*at)->next;
		if (!*at)
			continue;
		*at = (*at)->next;
		free_buffer(device, (struct buffer *)buffers[i]);
	}
}

static uint32_t inherited_views(const VkCommandBufferInheritanceInfo *info)
{
	const VkCommandBufferInheritanceRenderingInfo *rendering = info->pNext;

	return rendering ? (uint32_t)__builtin_popcount(rendering->viewMask) : 0;
}

static VkResult fake_vkBeginCommandBuffer(VkCommandBuffer handle,
					  const VkCommandBufferBeginInfo *info)
{
	struct buffer *buffer = (struct buffer *)handle;

	if (buffer->pool->is_stinted && is_short(NULL))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	expect_idle(buffer, "the beginning");
	buffer->count = 0;
	buffer->usage = info->flags;
	buffer->is_in_pass = buffer->is_secondary &&
			     info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
	buffer->views = buffer->is_in_pass ? inherited_views(info->pInheritanceInfo) : 0;
	return VK_SUCCESS;
}

static VkResult fake_vkEndCommandBuffer(VkCommandBuffer handle)
{
	if (((struct buffer *)handle)->pool->is_stinted && is_short(NULL))
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	((struct buffer *)handle)->is_recorded = true;
	return VK_SUCCESS;
}

static VkResult fake_vkResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags)
{
	(void)flags;
	expect_idle((struct buffer *)handle, "the reset");
	((struct buffer *)handle)->count = 0;
	return VK_SUCCESS;
}

/* ---- commands ---- */

struct command *add_command(VkCommandBuffer handle, enum command_kind kind)
{
	struct buffer *buffer = (struct buffer *)handle;

	if (buffer->count == buffer->room) {
		buffer->room = buffer->room ? 2 * buffer->room : 64;
		buffer->commands =
			realloc(buffer->commands, buffer->room * sizeof(*buffer->commands));
		if (!buffer->commands)
			abort();
	}
	buffer->commands[buffer->count] = (struct command){.kind = kind};
	return &buffer->commands[buffer->count++];
}

static void fake_other(VkCommandBuffer buffer)
{
	add_command(buffer, OTHER);
}

static void fake_vkCmdFillBuffer(VkCommandBuffer buffer, VkBuffer target, VkDeviceSize at,
				 VkDeviceSize bytes, uint32_t word)
{
	struct command *command = add_command(buffer, FILL);

	command->target = (void *)target;
	command->at = at;
	command->bytes = bytes;
	command->first = word;
}

static void fake_vkCmdCopyBuffer(VkCommandBuffer buffer, VkBuffer source, VkBuffer target,
				 uint32_t count, const VkBufferCopy *regions)
{
	for (uint32_t i = 0; i < count; i++) {
		struct command *command = add_command(buffer, COPY);

		command->object = (void *)source;
		command->target = (void *)target;
		command->stride = regions[i].srcOffset;
		command->at = regions[i].dstOffset;
		command->bytes = regions[i].size;
	}
}

static void begin_pass(VkCommandBuffer handle)
{
	struct buffer *buffer = (struct buffer *)handle;

	if (buffer->is_in_pass)
		complain("a render pass begins in another one");
	buffer->is_in_pass = true;
	buffer->views = 0;
	add_command(handle, OTHER);
}

static void begin_rendering(VkCommandBuffer handle, const VkRenderingInfo *info)
{
	begin_pass(handle);
	add_command(handle, RENDER)->flags = info->flags;
	((struct buffer *)handle)->rendering = info->flags;
	((struct buffer *)handle)->views = (uint32_t)__builtin_popcount(info->viewMask);
}

static void end_pass(VkCommandBuffer handle)
{
	((struct buffer *)handle)->is_in_pass = false;
	add_command(handle, OTHER);
}

static void end_rendering(VkCommandBuffer handle)
{
	end_pass(handle);
	add_command(handle, END_RENDER)->flags = ((struct buffer *)handle)->rendering;
}

static void fake_vkCmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
				      const VkCommandBuffer *buffers)
{
	struct buffer *buffer = (struct buffer *)handle;

	for (uint32_t i = 0; i < count; i++) {
		struct buffer *child = (struct buffer *)buffers[i];
		bool continues = child->usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;

		if (continues != buffer->is_in_pass)
			complain("a secondary command buffer is %s a render pass",
				 continues ? "outside of" : "in");
		add_command(handle, EXECUTE)->object = child;
	}
}

/* ---- running ---- */

static uint8_t *bytes_of(const struct data_buffer *buffer, uint64_t at)
{
	return buffer->memory->data + buffer->at + at;
}

static void run_fill(const struct command *command)
{
	const struct data_buffer *buffer = command->target;
	uint64_t bytes =
		command->bytes == VK_WHOLE_SIZE ? buffer->bytes - command->at : command->bytes;

	for (uint64_t i = 0; i + 4 <= bytes; i += 4)
		memcpy(bytes_of(buffer, command->at + i), &command->first, 4);
}

static void run_rendering(struct queue *queue, const struct command *command)
{
	bool resumes = command->flags & VK_RENDERING_RESUMING_BIT;

	if (command->kind == END_RENDER) {
		queue->is_suspended = command->flags & VK_RENDERING_SUSPENDING_BIT;
		return;
	}
	if (resumes != queue->is_suspended)
		complain("a rendering is %s", resumes ? "resumed that was not suspended"
						      : "not resumed that was suspended");
	queue->is_suspended = false;
}

static bool is_action(enum command_kind kind)
{
	return kind != OTHER && kind != RENDER && kind != END_RENDER && kind != EXECUTE;
}

void run_buffer(struct queue *queue, const struct buffer *buffer)
{
	for (uint32_t i = 0; i < buffer->count; i++) {
		const struct command *command = &buffer->commands[i];

		if (queue->is_suspended && is_action(command->kind))
			complain("something stands where a rendering is suspended");
		switch (command->kind) {
		case RENDER:
		case END_RENDER: run_rendering(queue, command); break;
		case FILL: run_fill(command); break;
		case COPY:
			memmove(bytes_of(command->target, command->at),
				bytes_of(command->object, command->stride), command->bytes);
			break;
		case EXECUTE: run_buffer(queue, command->object); break;
		case TIME:
		case RESET:
		case COPY_RESULTS: run_queries(queue, command); break;
		default: break;
		}
	}
}

static const struct entry entries[] = {
	ENTRY(vkCreateCommandPool),
	ENTRY(vkDestroyCommandPool),
	ENTRY(vkResetCommandPool),
	ENTRY(vkAllocateCommandBuffers),
	ENTRY(vkFreeCommandBuffers),
	ENTRY(vkBeginCommandBuffer),
	ENTRY(vkEndCommandBuffer),
	ENTRY(vkResetCommandBuffer),
	ENTRY(vkCmdFillBuffer),
	ENTRY(vkCmdCopyBuffer),
	ENTRY(vkCmdExecuteCommands),
	{"vkCmdBeginRenderPass", (PFN_vkVoidFunction)begin_pass},
	{"vkCmdBeginRenderPass2", (PFN_vkVoidFunction)begin_pass},
	{"vkCmdBeginRenderPass2KHR", (PFN_vkVoidFunction)begin_pass},
	{"vkCmdBeginRendering", (PFN_vkVoidFunction)begin_rendering},
	{"vkCmdBeginRenderingKHR", (PFN_vkVoidFunction)begin_rendering},
	{"vkCmdEndRenderPass", (PFN_vkVoidFunction)end_pass},
	{"vkCmdEndRenderPass2", (PFN_vkVoidFunction)end_pass},
	{"vkCmdEndRenderPass2KHR", (PFN_vkVoidFunction)end_pass},
	{"vkCmdEndRendering", (PFN_vkVoidFunction)end_rendering},
	{"vkCmdEndRenderingKHR", (PFN_vkVoidFunction)end_rendering},
	{NULL, NULL},
};

/* Of all others it only knows that they are commands. */
PFN_vkVoidFunction find_command_function(const char *name)
{
	PFN_vkVoidFunction function = find_entry(entries, name);

	return function			   ? function
	       : strncmp(name, "vkCmd", 5) ? NULL
					   : (PFN_vkVoidFunction)fake_other;
}
