/* SPDX-License-Identifier: MIT */
/* Queues: each has a thread, which runs one batch after the other when its semaphores allow it. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake.h"

enum { MANY = 8 }; /* of each of a batch's things */

struct batch {
	uint32_t wait_count, signal_count, count;
	struct semaphore *waits[MANY], *signals[MANY];
	uint64_t wait_values[MANY], signal_values[MANY];
	struct buffer **buffers;
};

struct work {
	struct work *next;
	struct fence *fence;
	uint32_t count;
	struct batch batches[];
};

/* ---- what a submit is made of ---- */

static const void *find_link(const void *next, VkStructureType type)
{
	for (const VkBaseInStructure *at = next; at; at = at->pNext)
		if (at->sType == type)
			return at;
	return NULL;
}

static void check_protection(const VkSubmitInfo *info)
{
	const VkProtectedSubmitInfo *told =
		find_link(info->pNext, VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO);
	bool is_protected = told && told->protectedSubmit;

	for (uint32_t i = 0; i < info->commandBufferCount; i++)
		if (((struct buffer *)info->pCommandBuffers[i])->pool->is_protected != is_protected)
			complain("a batch is %sprotected, and what is in it is otherwise",
				 is_protected ? "" : "not ");
}

static void check_chain(const VkSubmitInfo *info)
{
	const VkDeviceGroupSubmitInfo *group =
		find_link(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO);
	const VkTimelineSemaphoreSubmitInfo *line =
		find_link(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);

	if (group && (group->commandBufferCount != info->commandBufferCount ||
		      group->waitSemaphoreCount != info->waitSemaphoreCount ||
		      group->signalSemaphoreCount != info->signalSemaphoreCount))
		complain("masks of devices do not match what they are of");
	if (line && line->signalSemaphoreValueCount &&
	    line->signalSemaphoreValueCount != info->signalSemaphoreCount)
		complain("values of semaphores do not match what they are of");
}

static void take_buffers(struct batch *batch, uint32_t count)
{
	batch->count = count;
	batch->buffers = calloc(count + 1, sizeof(*batch->buffers));
	if (!batch->buffers)
		abort();
}

static void take_batch(struct batch *batch, const VkSubmitInfo *info)
{
	const VkTimelineSemaphoreSubmitInfo *line =
		find_link(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);

	check_chain(info);
	check_protection(info);
	take_buffers(batch, info->commandBufferCount);
	for (uint32_t i = 0; i < batch->count; i++)
		batch->buffers[i] = (struct buffer *)info->pCommandBuffers[i];
	for (uint32_t i = 0; i < info->waitSemaphoreCount && i < MANY; i++) {
		batch->waits[batch->wait_count] = (struct semaphore *)info->pWaitSemaphores[i];
		batch->wait_values[batch->wait_count++] = line && i < line->waitSemaphoreValueCount
								  ? line->pWaitSemaphoreValues[i]
								  : 1;
	}
	for (uint32_t i = 0; i < info->signalSemaphoreCount && i < MANY; i++) {
		batch->signals[batch->signal_count] =
			(struct semaphore *)info->pSignalSemaphores[i];
		batch->signal_values[batch->signal_count++] =
			line && i < line->signalSemaphoreValueCount
				? line->pSignalSemaphoreValues[i]
				: 1;
	}
}

static void take_batch_2(struct batch *batch, const VkSubmitInfo2 *info)
{
	take_buffers(batch, info->commandBufferInfoCount);
	for (uint32_t i = 0; i < batch->count; i++)
		batch->buffers[i] = (struct buffer *)info->pCommandBufferInfos[i].commandBuffer;
	for (uint32_t i = 0; i < info->waitSemaphoreInfoCount && i < MANY; i++) {
		const VkSemaphoreSubmitInfo *wait = &info->pWaitSemaphoreInfos[i];

		batch->waits[batch->wait_count] = (struct semaphore *)wait->semaphore;
		batch->wait_values[batch->wait_count++] = wait->value ? wait->value : 1;
	}
	for (uint32_t i = 0; i < info->signalSemaphoreInfoCount && i < MANY; i++) {
		const VkSemaphoreSubmitInfo *signal = &info->pSignalSemaphoreInfos[i];

		batch->signals[batch->signal_count] = (struct semaphore *)signal->semaphore;
		batch->signal_values[batch->signal_count++] = signal->value ? signal->value : 1;
	}
}

/* ---- queries that are on their way ---- */

static void count_pending(struct buffer *buffer, int difference)
{
	buffer->pending += difference;
	for (uint32_t i = 0; i < buffer->count; i++) {
		const struct command *command = &buffer->commands[i];

		if (command->kind == TIME || command->kind == RESET ||
		    command->kind == COPY_RESULTS)
			((struct queries *)command->object)->pending += difference;
		else if (command->kind == EXECUTE)
			count_pending(command->object, difference);
	}
}

static void count_batch(const struct queue *queue, struct batch *batch, int difference)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		struct buffer *buffer = batch->buffers[i];

		if (difference > 0 && buffer->pool->family != queue->family)
			complain("a command buffer of family %u on a queue of family %u",
				 buffer->pool->family, queue->family);
		if (difference > 0 && buffer->pending &&
		    !(buffer->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT))
			complain("a command buffer is submitted while it is on its way");
		count_pending(buffer, difference);
	}
}

/* ---- running ---- */

static bool may_begin(const struct batch *batch)
{
	for (uint32_t i = 0; i < batch->wait_count; i++)
		if (batch->waits[i]->value < batch->wait_values[i])
			return false;
	return true;
}

static void run_batch(struct queue *queue, struct batch *batch)
{
	while (!may_begin(batch) && !queue->device->ends && !queue->device->is_lost)
		pthread_cond_wait(&driver.changed, &driver.lock);
	for (uint32_t i = 0; i < batch->wait_count; i++)
		if (!batch->waits[i]->is_timeline)
			batch->waits[i]->value = 0;
	pthread_mutex_unlock(&driver.lock);
	for (uint32_t i = 0; i < batch->count && !queue->device->is_lost; i++)
		run_buffer(queue, batch->buffers[i]);
	pthread_mutex_lock(&driver.lock);
	count_batch(queue, batch, -1);
	for (uint32_t i = 0; i < batch->signal_count; i++)
		batch->signals[i]->value = batch->signal_values[i];
	pthread_cond_broadcast(&driver.changed);
}

static void free_work(struct work *work)
{
	for (uint32_t i = 0; i < work->count; i++)
		free(work->batches[i].buffers);
	free(work);
}

static void end_late(void)
{
	const struct timespec late = {.tv_nsec = 2000000};

	pthread_mutex_unlock(&driver.lock);
	nanosleep(&late, NULL);
	pthread_mutex_lock(&driver.lock);
}

static void *run_queue(void *user)
{
	struct queue *queue = user;

	pthread_mutex_lock(&driver.lock);
	while (!queue->device->ends) {
		struct work *work = queue->first;

		if (!work) {
			pthread_cond_wait(&queue->has_work, &driver.lock);
			continue;
		}
		for (uint32_t i = 0; i < work->count; i++)
			run_batch(queue, &work->batches[i]);
		if (driver.options.late && !work->count)
			end_late();
		queue->first = work->next;
		if (!queue->first)
			queue->last = NULL;
		if (work->fence) {
			work->fence->is_pending = false;
			work->fence->is_signalled = true;
			pthread_cond_broadcast(&work->fence->signalled);
		}
		free_work(work);
		pthread_cond_broadcast(&driver.changed);
	}
	pthread_mutex_unlock(&driver.lock);
	return NULL;
}

void begin_queue(struct device *device, uint32_t family, uint32_t index)
{
	struct queue *queue = &device->queues[family][index];

	set_loader_magic_value(queue);
	queue->device = device;
	queue->family = family;
	pthread_cond_init(&queue->has_work, NULL);
	queue->has_thread = !pthread_create(&queue->thread, NULL, run_queue, queue);
}

/* Whoever waits looks whether the device is lost, or ends. */
static void wake_all(struct device *device)
{
	pthread_cond_broadcast(&driver.changed);
	for (uint32_t i = 0; i < FAMILIES; i++)
		for (uint32_t k = 0; k < QUEUES_MAX; k++) {
			struct queue *queue = &device->queues[i][k];

			if (!queue->has_thread)
				continue;
			pthread_cond_broadcast(&queue->has_work);
			for (struct work *work = queue->first; work; work = work->next)
				if (work->fence)
					pthread_cond_broadcast(&work->fence->signalled);
		}
}

static void end_queue(struct queue *queue)
{
	if (!queue->has_thread)
		return;
	pthread_join(queue->thread, NULL);
	if (queue->first && !queue->device->is_lost)
		complain("a device ends while a queue of it has work");
	while (queue->first) {
		struct work *work = queue->first;

		queue->first = work->next;
		free_work(work);
	}
}

void end_queues(struct device *device)
{
	pthread_mutex_lock(&driver.lock);
	device->ends = true;
	wake_all(device);
	pthread_mutex_unlock(&driver.lock);
	for (uint32_t i = 0; i < FAMILIES; i++)
		for (uint32_t k = 0; k < QUEUES_MAX; k++)
			end_queue(&device->queues[i][k]);
}

/* ---- submitting ---- */

static VkResult refuse(struct device *device)
{
	driver.submits++;
	if (driver.options.lost && driver.submits >= driver.options.lost) {
		device->is_lost = true;
		wake_all(device);
	}
	if (device->is_lost)
		return VK_ERROR_DEVICE_LOST;
	return driver.submits == driver.options.full ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

static VkResult put_work(struct queue *queue, struct work *work, VkFence fence)
{
	VkResult result;

	work->fence = (struct fence *)fence;
	pthread_mutex_lock(&driver.lock);
	result = refuse(queue->device);
	if (result) {
		pthread_mutex_unlock(&driver.lock);
		free_work(work);
		return result;
	}
	if (work->fence && (work->fence->is_pending || work->fence->is_signalled))
		complain("a fence is submitted that is not reset");
	if (work->fence)
		work->fence->is_pending = true;
	for (uint32_t i = 0; i < work->count; i++)
		count_batch(queue, &work->batches[i], 1);
	if (queue->last)
		queue->last->next = work;
	else
		queue->first = work;
	queue->last = work;
	pthread_cond_signal(&queue->has_work);
	pthread_mutex_unlock(&driver.lock);
	return VK_SUCCESS;
}

static struct work *make_work(uint32_t count)
{
	struct work *work = calloc(1, sizeof(*work) + count * sizeof(work->batches[0]));

	if (!work)
		abort();
	work->count = count;
	return work;
}

static VkResult fake_vkQueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
				   VkFence fence)
{
	struct work *work = make_work(count);

	for (uint32_t i = 0; i < count; i++)
		take_batch(&work->batches[i], &infos[i]);
	return put_work((struct queue *)queue, work, fence);
}

static VkResult fake_vkQueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos,
				    VkFence fence)
{
	struct work *work = make_work(count);

	for (uint32_t i = 0; i < count; i++)
		take_batch_2(&work->batches[i], &infos[i]);
	return put_work((struct queue *)queue, work, fence);
}

/* Nothing is bound: it ends as a submit of nothing. */
static VkResult fake_vkQueueBindSparse(VkQueue queue, uint32_t count, const VkBindSparseInfo *infos,
				       VkFence fence)
{
	(void)count;
	(void)infos;
	return put_work((struct queue *)queue, make_work(0), fence);
}

static VkResult wait_for(struct queue *queue)
{
	while (queue->first && !queue->device->is_lost)
		pthread_cond_wait(&driver.changed, &driver.lock);
	return queue->device->is_lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

static VkResult fake_vkQueueWaitIdle(VkQueue queue)
{
	VkResult result;

	pthread_mutex_lock(&driver.lock);
	result = wait_for((struct queue *)queue);
	pthread_mutex_unlock(&driver.lock);
	return result;
}

static VkResult fake_vkDeviceWaitIdle(VkDevice handle)
{
	struct device *device = (struct device *)handle;

	pthread_mutex_lock(&driver.lock);
	for (uint32_t i = 0; i < FAMILIES; i++)
		for (uint32_t k = 0; k < QUEUES_MAX; k++)
			if (device->queues[i][k].has_thread)
				wait_for(&device->queues[i][k]);
	pthread_mutex_unlock(&driver.lock);
	return device->is_lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

static VkResult fake_vkWaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t ns)
{
	const struct device *device = (const struct device *)handle;

	(void)ns;
	pthread_mutex_lock(&driver.lock);
	for (uint32_t i = 0; i < info->semaphoreCount; i++)
		while (((struct semaphore *)info->pSemaphores[i])->value < info->pValues[i] &&
		       !device->is_lost)
			pthread_cond_wait(&driver.changed, &driver.lock);
	pthread_mutex_unlock(&driver.lock);
	return device->is_lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

static const struct entry entries[] = {
	ENTRY(vkQueueSubmit),	  ENTRY(vkQueueSubmit2),
	ENTRY(vkQueueBindSparse), {"vkQueueSubmit2KHR", (PFN_vkVoidFunction)fake_vkQueueSubmit2},
	ENTRY(vkQueueWaitIdle),	  ENTRY(vkDeviceWaitIdle),
	ENTRY(vkWaitSemaphores),  {NULL, NULL},
};

PFN_vkVoidFunction find_queue_function(const char *name)
{
	return find_entry(entries, name);
}
