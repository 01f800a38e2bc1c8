/* SPDX-License-Identifier: MIT */
/* Queries: where each is in its life is looked at, as no driver does. */
#include <stdlib.h>
#include <string.h>

#include "fake.h"

static VkResult fake_vkCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info,
				       const VkAllocationCallbacks *allocator, VkQueryPool *out)
{
	struct queries *queries =
		is_short(allocator) ? NULL : make_object(device, sizeof(*queries));

	if (!queries)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	queries->count = info->queryCount;
	queries->states = calloc(info->queryCount, sizeof(*queries->states));
	queries->values = calloc(info->queryCount, sizeof(*queries->values));
	*out = (VkQueryPool)queries;
	if (queries->states && queries->values)
		return VK_SUCCESS;
	free(queries->states);
	free(queries->values);
	drop_object(device, queries);
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void fake_vkDestroyQueryPool(VkDevice device, VkQueryPool handle,
				    const VkAllocationCallbacks *allocator)
{
	struct queries *queries = (struct queries *)handle;

	(void)allocator;
	if (!queries)
		return;
	free(queries->states);
	free(queries->values);
	drop_object(device, queries);
}

/* ---- into command buffers ---- */

static bool is_right(VkCommandBuffer handle, const struct queries *queries, uint64_t end,
		     uint32_t flags, const char *what)
{
	const struct buffer *buffer = (const struct buffer *)handle;

	if (end > queries->count)
		complain("%s of queries that there are not", what);
	if (flags && !(family_flags[buffer->pool->family] & flags))
		complain("%s on queues of family %u", what, buffer->pool->family);
	return end <= queries->count;
}

static void put_time(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query)
{
	const struct buffer *into = (const struct buffer *)buffer;
	uint32_t count = into->is_in_pass && into->views ? into->views : 1;
	struct command *command;

	if (!is_right(buffer, (struct queries *)pool, (uint64_t)query + count, 0, "a time"))
		return;
	if (!family_bits(into->pool->family))
		complain("a time on a queue without any");
	command = add_command(buffer, TIME);
	command->object = (void *)pool;
	command->first = query;
	command->count = count;
}

static void fake_vkCmdWriteTimestamp(VkCommandBuffer buffer, VkPipelineStageFlagBits stage,
				     VkQueryPool pool, uint32_t query)
{
	(void)stage;
	put_time(buffer, pool, query);
}

static void fake_vkCmdWriteTimestamp2(VkCommandBuffer buffer, VkPipelineStageFlags2 stage,
				      VkQueryPool pool, uint32_t query)
{
	(void)stage;
	put_time(buffer, pool, query);
}

static void fake_vkCmdResetQueryPool(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first,
				     uint32_t count)
{
	struct command *command;

	if (((struct buffer *)buffer)->is_in_pass)
		complain("queries are reset in a render pass");
	if (!is_right(buffer, (struct queries *)pool, (uint64_t)first + count,
		      VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | 0x20, "a reset"))
		return;
	command = add_command(buffer, RESET);
	command->object = (void *)pool;
	command->first = first;
	command->count = count;
}

static void fake_vkCmdCopyQueryPoolResults(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first,
					   uint32_t count, VkBuffer target, VkDeviceSize at,
					   VkDeviceSize stride, VkQueryResultFlags flags)
{
	struct command *command;

	if (((struct buffer *)buffer)->is_in_pass)
		complain("queries are copied in a render pass");
	if (!is_right(buffer, (struct queries *)pool, (uint64_t)first + count,
		      VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, "a copy"))
		return;
	command = add_command(buffer, COPY_RESULTS);
	command->object = (void *)pool;
	command->target = (void *)target;
	command->first = first;
	command->count = count;
	command->at = at;
	command->stride = stride;
	command->flags = flags;
}

/* ---- on their queue; with the driver's lock ---- */

static void run_time(const struct queue *queue, struct queries *queries, uint32_t query,
		     uint64_t ticks)
{
	uint32_t bits = family_bits(queue->family);

	if (queries->states[query] != IS_RESET)
		complain("a time is written where no reset was");
	queries->states[query] = IS_WRITTEN;
	queries->values[query] = bits < 64 ? ticks & ((UINT64_C(1) << bits) - 1) : ticks;
}

/* For several views a time is as many queries. */
static void run_times(const struct queue *queue, const struct command *command)
{
	uint64_t ticks = read_ticks();

	run_time(queue, command->object, command->first, ticks);
	if (command->count > 1)
		driver.views_ticks += 50000;
	for (uint32_t i = 1; i < command->count; i++)
		run_time(queue, command->object, command->first + i,
			 driver.options.each_view ? ticks + driver.views_ticks : 0);
}

/* Where a result goes, with all of what was asked for beside it. */
static bool put_result(uint8_t *to, const struct queries *queries, uint32_t query, uint32_t flags)
{
	bool is_there = queries->states[query] == IS_WRITTEN;
	uint64_t words[2] = {queries->values[query], is_there};
	size_t size = flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT ? 2 : 1;

	if (driver.options.silent)
		return is_there;
	if (driver.options.garbage)
		words[0] = (uint64_t)random() << 33 ^ (uint64_t)random() << 5 ^ (uint64_t)random();
	if (!(flags & VK_QUERY_RESULT_64_BIT))
		complain("results of 32 bits");
	if (!is_there)
		memcpy(to + 8, words + 1, 8 * (size - 1));
	else
		memcpy(to, words, 8 * size);
	return is_there;
}

static void run_copy(const struct command *command)
{
	const struct queries *queries = command->object;
	const struct data_buffer *buffer = command->target;
	uint8_t *to = buffer->memory->data + buffer->at + command->at;

	if (command->at + (command->count - 1) * command->stride + 8 > buffer->bytes)
		complain("results are copied behind the end of a buffer");
	for (uint32_t i = 0; i < command->count; i++)
		if (!put_result(to + i * command->stride, queries, command->first + i,
				command->flags) &&
		    command->flags & VK_QUERY_RESULT_WAIT_BIT)
			complain("a wait for a query that nobody writes: it would hang");
}

void run_queries(const struct queue *queue, const struct command *command)
{
	struct queries *queries = command->object;

	pthread_mutex_lock(&driver.lock);
	if (command->kind == TIME)
		run_times(queue, command);
	else if (command->kind == RESET)
		memset(queries->states + command->first, IS_RESET, command->count);
	else
		run_copy(command);
	pthread_mutex_unlock(&driver.lock);
}

/* ---- on the host ---- */

static void fake_vkResetQueryPool(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count)
{
	struct queries *queries = (struct queries *)pool;

	pthread_mutex_lock(&driver.lock);
	if (!((struct device *)handle)->has_host_reset)
		complain("the host resets queries, which was not asked for");
	if (queries->pending)
		complain("the host resets queries of a command buffer that is on its way");
	if ((uint64_t)first + count > queries->count)
		complain("the host resets queries that there are not");
	else
		memset(queries->states + first, IS_RESET, count);
	pthread_mutex_unlock(&driver.lock);
}

static VkResult fake_vkGetQueryPoolResults(VkDevice handle, VkQueryPool pool, uint32_t first,
					   uint32_t count, size_t bytes, void *out,
					   VkDeviceSize stride, VkQueryResultFlags flags)
{
	struct queries *queries = (struct queries *)pool;
	bool is_ready = true;

	pthread_mutex_lock(&driver.lock);
	for (uint32_t i = 0; i < count && i * stride + 8 <= bytes; i++)
		is_ready &= put_result((uint8_t *)out + i * stride, queries, first + i, flags);
	pthread_mutex_unlock(&driver.lock);
	if (((struct device *)handle)->is_lost)
		return VK_ERROR_DEVICE_LOST;
	return is_ready ? VK_SUCCESS : VK_NOT_READY;
}

static const struct entry entries[] = {
	ENTRY(vkCreateQueryPool),
	ENTRY(vkDestroyQueryPool),
	ENTRY(vkCmdWriteTimestamp),
	ENTRY(vkCmdWriteTimestamp2),
	ENTRY(vkCmdResetQueryPool),
	ENTRY(vkCmdCopyQueryPoolResults),
	ENTRY(vkResetQueryPool),
	{"vkResetQueryPoolEXT", (PFN_vkVoidFunction)fake_vkResetQueryPool},
	ENTRY(vkGetQueryPoolResults),
	{NULL, NULL},
};

PFN_vkVoidFunction find_query_function(const char *name)
{
	return find_entry(entries, name);
}
