/* SPDX-License-Identifier: MIT */
/* The driver's objects: memory, buffers, fences, semaphores, pipelines, and those without a
 * meaning. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake.h"

void *make_object(VkDevice device, size_t bytes)
{
	void *object = calloc(1, bytes);

	if (object)
		__atomic_fetch_add(&((struct device *)device)->objects, 1, __ATOMIC_RELAXED);
	return object;
}

void drop_object(VkDevice device, void *object)
{
	if (object)
		__atomic_fetch_sub(&((struct device *)device)->objects, 1, __ATOMIC_RELAXED);
	free(object);
}

/* ---- without a meaning ---- */

static VkResult fake_make(VkDevice device, const void *info, const void *allocator, void **out)
{
	(void)info;
	(void)allocator;
	*out = make_object(device, 1);
	return *out ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void fake_destroy(VkDevice device, void *object, const void *allocator)
{
	(void)allocator;
	drop_object(device, object);
}

static VkResult fake_vkAllocateDescriptorSets(VkDevice device,
					      const VkDescriptorSetAllocateInfo *info,
					      VkDescriptorSet *out)
{
	(void)device;
	for (uint32_t i = 0; i < info->descriptorSetCount; i++)
		out[i] = (VkDescriptorSet)(uintptr_t)1;
	return VK_SUCCESS;
}

static void fake_nothing(void)
{
}

/* ---- pipelines: the lowest number that is free ---- */

enum { PIPELINES_MAX = 64 };
static bool pipelines[PIPELINES_MAX];

static VkPipeline take_pipeline(void)
{
	for (uintptr_t i = 0; i < PIPELINES_MAX; i++)
		if (!pipelines[i]) {
			pipelines[i] = true;
			return (VkPipeline)(i + 1);
		}
	return VK_NULL_HANDLE;
}

static VkResult take_pipelines(uint32_t count, VkPipeline *out)
{
	pthread_mutex_lock(&driver.lock);
	for (uint32_t i = 0; i < count; i++)
		out[i] = take_pipeline();
	pthread_mutex_unlock(&driver.lock);
	return VK_SUCCESS;
}

static VkResult fake_vkCreateComputePipelines(VkDevice device, VkPipelineCache cache,
					      uint32_t count,
					      const VkComputePipelineCreateInfo *infos,
					      const VkAllocationCallbacks *allocator,
					      VkPipeline *out)
{
	(void)device;
	(void)cache;
	(void)infos;
	(void)allocator;
	return take_pipelines(count, out);
}

static VkResult fake_vkCreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
					       uint32_t count,
					       const VkGraphicsPipelineCreateInfo *infos,
					       const VkAllocationCallbacks *allocator,
					       VkPipeline *out)
{
	(void)device;
	(void)cache;
	(void)infos;
	(void)allocator;
	return take_pipelines(count, out);
}

static void fake_vkDestroyPipeline(VkDevice device, VkPipeline pipeline,
				   const VkAllocationCallbacks *allocator)
{
	(void)device;
	(void)allocator;
	pthread_mutex_lock(&driver.lock);
	if (pipeline)
		pipelines[(uintptr_t)pipeline - 1] = false;
	pthread_mutex_unlock(&driver.lock);
}

/* ---- memory ---- */

static VkResult fake_vkAllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
				      const VkAllocationCallbacks *allocator, VkDeviceMemory *out)
{
	struct memory *memory = is_short(allocator) ? NULL : make_object(device, sizeof(*memory));

	if (!memory)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	memory->bytes = info->allocationSize;
	memory->data = calloc(1, memory->bytes);
	if (!memory->data) {
		drop_object(device, memory);
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	}
	*out = (VkDeviceMemory)memory;
	return VK_SUCCESS;
}

static void fake_vkFreeMemory(VkDevice device, VkDeviceMemory handle,
			      const VkAllocationCallbacks *allocator)
{
	struct memory *memory = (struct memory *)handle;

	(void)allocator;
	if (memory)
		free(memory->data);
	drop_object(device, memory);
}

static VkResult fake_vkMapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize at,
				 VkDeviceSize bytes, VkMemoryMapFlags flags, void **out)
{
	(void)device;
	(void)bytes;
	(void)flags;
	*out = ((struct memory *)memory)->data + at;
	return VK_SUCCESS;
}

static VkResult fake_vkCreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
				    const VkAllocationCallbacks *allocator, VkBuffer *out)
{
	struct data_buffer *buffer =
		is_short(allocator) ? NULL : make_object(device, sizeof(*buffer));

	if (!buffer)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	buffer->bytes = info->size;
	*out = (VkBuffer)buffer;
	return VK_SUCCESS;
}

static void fake_vkGetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
					       VkMemoryRequirements *out)
{
	(void)device;
	*out = (VkMemoryRequirements){.size = ((struct data_buffer *)buffer)->bytes,
				      .alignment = 16,
				      .memoryTypeBits = 1};
}

static VkResult fake_vkBindBufferMemory(VkDevice device, VkBuffer handle, VkDeviceMemory memory,
					VkDeviceSize at)
{
	struct data_buffer *buffer = (struct data_buffer *)handle;

	(void)device;
	buffer->memory = (struct memory *)memory;
	buffer->at = at;
	return VK_SUCCESS;
}

static void fake_vkGetBufferMemoryRequirements2(VkDevice device,
						const VkBufferMemoryRequirementsInfo2 *info,
						VkMemoryRequirements2 *out)
{
	fake_vkGetBufferMemoryRequirements(device, info->buffer, &out->memoryRequirements);
}

static VkResult fake_vkBindBufferMemory2(VkDevice device, uint32_t count,
					 const VkBindBufferMemoryInfo *infos)
{
	for (uint32_t i = 0; i < count; i++)
		fake_vkBindBufferMemory(device, infos[i].buffer, infos[i].memory,
					infos[i].memoryOffset);
	return VK_SUCCESS;
}

/* ---- fences and semaphores ---- */

static VkResult fake_vkCreateFence(VkDevice device, const VkFenceCreateInfo *info,
				   const VkAllocationCallbacks *allocator, VkFence *out)
{
	struct fence *fence = is_short(allocator) ? NULL : make_object(device, sizeof(*fence));

	if (!fence)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	pthread_cond_init(&fence->signalled, NULL);
	fence->is_signalled = info->flags & VK_FENCE_CREATE_SIGNALED_BIT;
	*out = (VkFence)fence;
	return VK_SUCCESS;
}

static VkResult fake_vkResetFences(VkDevice device, uint32_t count, const VkFence *fences)
{
	(void)device;
	pthread_mutex_lock(&driver.lock);
	for (uint32_t i = 0; i < count; i++) {
		struct fence *fence = (struct fence *)fences[i];

		if (fence->is_pending)
			complain("a fence is reset while it is waited for");
		fence->is_signalled = false;
	}
	pthread_mutex_unlock(&driver.lock);
	return VK_SUCCESS;
}

static VkResult fake_vkGetFenceStatus(VkDevice device, VkFence fence)
{
	VkResult result;

	pthread_mutex_lock(&driver.lock);
	result = ((struct device *)device)->is_lost	 ? VK_ERROR_DEVICE_LOST
		 : ((struct fence *)fence)->is_signalled ? VK_SUCCESS
							 : VK_NOT_READY;
	pthread_mutex_unlock(&driver.lock);
	return result;
}

/* When `ns` from now is; a wait of centuries is one without an end. */
static struct timespec end_of_wait(uint64_t ns)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	if (ns > UINT64_C(1000000000000))
		ns = UINT64_C(1000000000000);
	end.tv_sec += (time_t)((ns + (uint64_t)end.tv_nsec) / 1000000000);
	end.tv_nsec = (long)((ns + (uint64_t)end.tv_nsec) % 1000000000);
	return end;
}

static VkResult fake_vkWaitForFences(VkDevice handle, uint32_t count, const VkFence *fences,
				     VkBool32 all, uint64_t ns)
{
	struct device *device = (struct device *)handle;
	struct timespec end = end_of_wait(ns);
	VkResult result = VK_SUCCESS;

	(void)all;
	pthread_mutex_lock(&driver.lock);
	for (uint32_t i = 0; i < count && !result; i++)
		while (!((struct fence *)fences[i])->is_signalled && !device->is_lost && !result)
			if (pthread_cond_timedwait(&((struct fence *)fences[i])->signalled,
						   &driver.lock, &end) == ETIMEDOUT)
				result = VK_TIMEOUT;
	if (device->is_lost)
		result = VK_ERROR_DEVICE_LOST;
	pthread_mutex_unlock(&driver.lock);
	return result;
}

static VkResult fake_vkCreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo *info,
				       const VkAllocationCallbacks *allocator, VkSemaphore *out)
{
	struct semaphore *semaphore = make_object(device, sizeof(*semaphore));
	const VkSemaphoreTypeCreateInfo *kind = info->pNext;

	(void)allocator;
	if (!semaphore)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	semaphore->is_timeline = kind && kind->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
	semaphore->value = semaphore->is_timeline ? kind->initialValue : 0;
	*out = (VkSemaphore)semaphore;
	return VK_SUCCESS;
}

static VkResult fake_vkSignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo *info)
{
	(void)device;
	pthread_mutex_lock(&driver.lock);
	((struct semaphore *)info->semaphore)->value = info->value;
	pthread_cond_broadcast(&driver.changed);
	pthread_mutex_unlock(&driver.lock);
	return VK_SUCCESS;
}

static VkResult fake_vkGetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore,
						uint64_t *out)
{
	(void)device;
	pthread_mutex_lock(&driver.lock);
	*out = ((struct semaphore *)semaphore)->value;
	pthread_mutex_unlock(&driver.lock);
	return VK_SUCCESS;
}

static const struct entry entries[] = {
	ENTRY(vkAllocateDescriptorSets),
	ENTRY(vkCreateComputePipelines),
	ENTRY(vkCreateGraphicsPipelines),
	ENTRY(vkDestroyPipeline),
	ENTRY(vkAllocateMemory),
	ENTRY(vkFreeMemory),
	ENTRY(vkMapMemory),
	ENTRY(vkCreateBuffer),
	ENTRY(vkGetBufferMemoryRequirements),
	ENTRY(vkBindBufferMemory),
	ENTRY(vkGetBufferMemoryRequirements2),
	ENTRY(vkBindBufferMemory2),
	ENTRY(vkCreateFence),
	ENTRY(vkResetFences),
	ENTRY(vkGetFenceStatus),
	ENTRY(vkWaitForFences),
	ENTRY(vkCreateSemaphore),
	ENTRY(vkSignalSemaphore),
	ENTRY(vkGetSemaphoreCounterValue),
	{"vkUpdateDescriptorSets", fake_nothing},
	{"vkUnmapMemory", fake_nothing},
	{"vkSetDebugUtilsObjectNameEXT", fake_nothing},
	{"vkCreateShaderModule", (PFN_vkVoidFunction)fake_make},
	{"vkCreatePipelineLayout", (PFN_vkVoidFunction)fake_make},
	{"vkCreateDescriptorSetLayout", (PFN_vkVoidFunction)fake_make},
	{"vkCreateDescriptorPool", (PFN_vkVoidFunction)fake_make},
	{"vkCreateRenderPass", (PFN_vkVoidFunction)fake_make},
	{"vkCreateFramebuffer", (PFN_vkVoidFunction)fake_make},
	{"vkDestroyShaderModule", (PFN_vkVoidFunction)fake_destroy},
	{"vkDestroyPipelineLayout", (PFN_vkVoidFunction)fake_destroy},
	{"vkDestroyDescriptorSetLayout", (PFN_vkVoidFunction)fake_destroy},
	{"vkDestroyDescriptorPool", (PFN_vkVoidFunction)fake_destroy},
	{"vkDestroyRenderPass", (PFN_vkVoidFunction)fake_destroy},
	{"vkDestroyFramebuffer", (PFN_vkVoidFunction)fake_destroy},
	{"vkDestroyBuffer", (PFN_vkVoidFunction)fake_destroy},
	{"vkDestroyFence", (PFN_vkVoidFunction)fake_destroy},
	{"vkDestroySemaphore", (PFN_vkVoidFunction)fake_destroy},
	{NULL, NULL},
};

PFN_vkVoidFunction find_object_function(const char *name)
{
	return find_entry(entries, name);
}
