/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "inject/vulkan/vk_counted.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_host.h"
#include "inject/vulkan/vk_queries.h"
#include "inject/vulkan/vk_worker.h"
#include "intercept/intercept.h"
#include "record/wire.h"

enum {
	RESULTS_FIRST = 256,
	RESULTS_MAX = 1 << 20, /* queries of one submit */
	RESULT_BYTES = 2 * sizeof(uint64_t),
	ROOM_FIRST = 16,
};

/* ---- memory ---- */

bool tacho__vulkan_job_make_room(void **list, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t wanted = *room ? 2 * *room : ROOM_FIRST;
	void *grown;

	if (count < *room)
		return true;
	grown = wanted > *room ? realloc(*list, wanted * size) : NULL;
	if (!grown)
		return false;
	*list = grown;
	*room = wanted;
	return true;
}

/* False: its results on another queue were not read yet. Once none are on their way, nothing is
 * mixed any more. */
static bool begin_pending(struct vk_list *list, const void *queue)
{
	if (!atomic_fetch_add(&list->pending, 1))
		atomic_store(&list->is_mixed, false);
	else if (atomic_load(&list->queue) != queue)
		atomic_store(&list->is_mixed, true);
	atomic_store(&list->queue, queue);
	if (!atomic_load(&list->is_mixed))
		return true;
	atomic_fetch_sub(&list->pending, 1);
	return false;
}

void tacho__vulkan_list_pass(struct vk_list *list, const void *queue)
{
	if (atomic_load(&list->pending) && atomic_load(&list->queue) != queue)
		atomic_store(&list->is_mixed, true);
}

bool tacho__vulkan_job_is_mixed(const struct vk_job *job)
{
	bool is_mixed = false;

	for (uint32_t i = 0; i < job->list_count; i++)
		is_mixed |= atomic_load(&job->lists[i]->is_mixed);
	return is_mixed;
}

/* Twice in a submit may be only what is not timed: no program may do otherwise. */
static bool is_in(const struct vk_job *job, const struct vk_list *list)
{
	return list->job == job && list->job_place < job->list_count &&
	       job->lists[list->job_place] == list;
}

bool tacho__vulkan_job_add_list(struct vk_job *job, struct vk_list *list, uint32_t *out_first)
{
	uint64_t counts = (tacho__vulkan_count_words(list) + 1) / 2;

	if (is_in(job, list))
		atomic_store(&list->is_mixed, true);
	if (list->query_count + counts > RESULTS_MAX - job->result_count ||
	    !tacho__vulkan_job_make_room((void **)&job->lists, job->list_count, &job->list_room,
					 sizeof(*job->lists)) ||
	    !begin_pending(list, job->queue->handle))
		return false;
	tacho__vulkan_list_hold(list);
	if (list->is_by_host)
		tacho__vulkan_host_reset(list, job->queue);
	list->job = job;
	list->job_place = job->list_count;
	atomic_fetch_add(&list->runs, 1);
	job->lists[job->list_count++] = list;
	*out_first = job->result_count;
	list->first_count = 2 * (uint64_t)(job->result_count + list->query_count);
	job->result_count += list->query_count + (uint32_t)counts;
	return true;
}

bool tacho__vulkan_job_add_row(struct vk_job *job, const struct vk_row *row)
{
	if (!tacho__vulkan_job_make_room((void **)&job->rows, job->row_count, &job->row_room,
					 sizeof(*job->rows)))
		return false;
	job->rows[job->row_count++] = *row;
	return true;
}

void *tacho__vulkan_job_scratch(struct vk_job *job, size_t bytes)
{
	void *grown;

	if (bytes <= job->scratch_bytes)
		return job->scratch;
	grown = realloc(job->scratch, bytes);
	if (!grown)
		return NULL;
	job->scratch = grown;
	job->scratch_bytes = bytes;
	return grown;
}

static void free_results(struct vk_job *job)
{
	const struct vk_device *device = job->queue->device;

	if (job->queue->is_by_host) {
		tacho__vulkan_host_free(job);
		return;
	}
	device->table.vkDestroyBuffer(device->handle, job->buffer, NULL);
	device->table.vkFreeMemory(device->handle, job->memory, NULL);
	job->buffer = job->memory = 0;
	job->results = NULL;
	job->result_room = job->copied_count = job->copied_edges = 0;
}

static bool map_results(struct vk_job *job, uint32_t room)
{
	const struct vk_device *device = job->queue->device;
	const struct tacho__vulkan_dispatch *vk = &device->table;
	struct vk_memory_requirements needs = {0};
	struct vk_memory_info info = {.type = VK_TYPE_MEMORY_ALLOCATE_INFO,
				      .index = device->memory_index};
	void *results = NULL;

	vk->vkGetBufferMemoryRequirements(device->handle, job->buffer, &needs);
	info.size = needs.size;
	if (!(needs.types >> device->memory_index & 1) ||
	    vk->vkAllocateMemory(device->handle, &info, NULL, &job->memory) ||
	    vk->vkBindBufferMemory(device->handle, job->buffer, job->memory, 0) ||
	    vk->vkMapMemory(device->handle, job->memory, 0, VK_WHOLE, 0, &results))
		return false;
	job->results = results;
	job->result_room = room;
	memset(results, 0, (size_t)room * RESULT_BYTES);
	return true;
}

static bool make_results(struct vk_job *job)
{
	const struct vk_device *device = job->queue->device;
	struct vk_buffer_info info = {.type = VK_TYPE_BUFFER_CREATE_INFO,
				      .usage = VK_BUFFER_USAGE_TRANSFER_DST};
	uint32_t room = RESULTS_FIRST;

	if (job->result_count <= job->result_room)
		return true;
	while (room < job->result_count)
		room *= 2;
	if (job->results)
		free_results(job);
	if (job->queue->is_by_host)
		return tacho__vulkan_host_make(job, room);
	info.size = (uint64_t)room * RESULT_BYTES;
	if (device->table.vkCreateBuffer(device->handle, &info, NULL, &job->buffer))
		return false;
	if (map_results(job, room))
		return true;
	free_results(job);
	return false;
}

/* ---- a job's own objects ---- */

static bool make_copy(struct vk_job *job)
{
	const struct vk_device *device = job->queue->device;
	const struct vk_buffers_info info = {
		.type = VK_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .pool = job->pool, .count = 1};

	return !device->table.vkAllocateCommandBuffers(device->handle, &info, &job->copy) &&
	       !device->set_loader_data(device->handle, job->copy);
}

bool tacho__vulkan_job_make(struct vk_job *job)
{
	const struct vk_device *device = job->queue->device;
	const struct vk_pool_info pool = {.type = VK_TYPE_COMMAND_POOL_CREATE_INFO,
					  .family = job->queue->family};
	const struct vk_flags_info fence = {.type = VK_TYPE_FENCE_CREATE_INFO};

	if (!device->table.vkCreateFence(device->handle, &fence, NULL, &job->fence) &&
	    (job->queue->is_by_host ||
	     (!device->table.vkCreateCommandPool(device->handle, &pool, NULL, &job->pool) &&
	      make_copy(job))))
		return true;
	tacho__vulkan_job_free(job);
	return false;
}

void tacho__vulkan_job_free(struct vk_job *job)
{
	const struct vk_device *device = job->queue->device;

	if (job->results)
		free_results(job);
	tacho__vulkan_edges_free(job);
	if (job->pool)
		device->table.vkDestroyCommandPool(device->handle, job->pool, NULL);
	if (job->fence)
		device->table.vkDestroyFence(device->handle, job->fence, NULL);
	free(job->copied);
	free(job->host_runs);
	free(job->lists);
	free(job->rows);
	free(job->counted);
	free(job->scratch);
	*job = (struct vk_job){.queue = job->queue};
}

/* ---- its command buffer ---- */

/* Where the next list's results go. A reset waits for the copy before it, and what uses the queries
 * later for the reset. */
static uint64_t copy_list(const struct vk_job *job, const struct vk_list *list, uint64_t at)
{
	const struct tacho__vulkan_dispatch *vk = &job->queue->device->table;
	const uint32_t flags =
		VK_QUERY_RESULT_64 | VK_QUERY_RESULT_WAIT | VK_QUERY_RESULT_WITH_AVAILABILITY;

	for (uint32_t k = 0; k < list->pool_count; k++) {
		uint32_t count = tacho__vulkan_list_count_queries(list, k);

		if (!count)
			break;
		vk->vkCmdCopyQueryPoolResults(job->copy, list->pools[k], 0, count, job->buffer,
					      at + (uint64_t)tacho__vulkan_list_begin_of_pool(k) *
							      RESULT_BYTES,
					      RESULT_BYTES, flags);
		vk->vkCmdResetQueryPool(job->copy, list->pools[k], 0, count);
	}
	at += (uint64_t)list->query_count * RESULT_BYTES;
	tacho__vulkan_copy_counts(job, list, at / sizeof(uint64_t));
	return at + (tacho__vulkan_count_words(list) + 1) / 2 * RESULT_BYTES;
}

static bool record_copy(const struct vk_job *job)
{
	const struct tacho__vulkan_dispatch *vk = &job->queue->device->table;
	const struct vk_begin_info info = {.type = VK_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	const struct vk_memory_barrier barrier = {.type = VK_TYPE_MEMORY_BARRIER,
						  .from = VK_ACCESS_TRANSFER_WRITE,
						  .to = VK_ACCESS_HOST_READ};
	uint64_t at = 0;

	if (vk->vkResetCommandPool(job->queue->device->handle, job->pool, 0) ||
	    vk->vkBeginCommandBuffer(job->copy, &info))
		return false;
	for (uint32_t i = 0; i < job->list_count; i++)
		at = copy_list(job, job->lists[i], at);
	tacho__vulkan_edges_copy(job, at);
	vk->vkCmdPipelineBarrier(job->copy, VK_STAGE_TRANSFER, VK_STAGE_HOST, 0, 1, &barrier, 0,
				 NULL, 0, NULL);
	return !vk->vkEndCommandBuffer(job->copy);
}

/* Programs submit the same again and again: then the command buffer is there. */
static bool is_copied(const struct vk_job *job)
{
	if (!(job->copied_count || job->copied_edges) || job->copied_count != job->list_count ||
	    job->copied_edges != job->edges.count)
		return false;
	for (uint32_t i = 0; i < job->list_count; i++)
		if (tacho__vulkan_has_counts(job->lists[i]) ||
		    job->copied[i].list != job->lists[i] ||
		    job->copied[i].holes != job->lists[i]->holes ||
		    job->copied[i].query_count != job->lists[i]->query_count)
			return false;
	return true;
}

/* What is counted changes from submit to submit: then nothing is noted. */
static void note_copied(struct vk_job *job)
{
	job->copied_edges = job->edges.count;
	for (uint32_t i = 0; i < job->list_count; i++) {
		if (tacho__vulkan_has_counts(job->lists[i]) ||
		    !tacho__vulkan_job_make_room((void **)&job->copied, job->copied_count,
						 &job->copied_room, sizeof(*job->copied))) {
			job->copied_count = job->copied_edges = 0;
			return;
		}
		job->copied[job->copied_count++] =
			(struct vk_copied){.list = job->lists[i],
					   .holes = job->lists[i]->holes,
					   .query_count = job->lists[i]->query_count};
	}
}

bool tacho__vulkan_job_prepare(struct vk_job *job)
{
	if (!tacho__vulkan_edges_prepare(job) || !make_results(job))
		return false;
	if (job->queue->is_by_host)
		return tacho__vulkan_host_begin(job);
	if (is_copied(job))
		return true;
	job->copied_count = job->copied_edges = 0;
	if (!record_copy(job))
		return false;
	note_copied(job);
	return true;
}

/* ---- its end ---- */

/* What the driver does not write the next time is 0: then there is no time. */
static void let_go(struct vk_job *job)
{
	if (job->results)
		memset(job->results, 0, (size_t)job->result_count * RESULT_BYTES);
	for (uint32_t i = 0; i < job->list_count; i++) {
		atomic_fetch_sub(&job->lists[i]->pending, 1);
		tacho__vulkan_list_let_go(job->lists[i]);
	}
	job->list_count = job->row_count = job->counted_count = job->result_count = 0;
	job->edges.count = job->edges.place_count = 0;
}

void tacho__vulkan_job_empty(struct vk_job *job)
{
	let_go(job);
	atomic_store_explicit(&job->is_busy, false, memory_order_release);
}

void tacho__vulkan_job_give_up(struct vk_job *job)
{
	uint32_t code =
		tacho__vulkan_job_is_mixed(job) ? TACHO__SLOT_MIXED : TACHO__SLOT_NO_PROFILING;

	for (uint32_t i = 0; i < job->row_count; i++) {
		const struct vk_row *row = &job->rows[i];
		const struct tacho__times none = {.code = row->why ? row->why : code,
						  .is_unseen = true};

		tacho__intercept_complete(row->token, &none);
	}
	tacho__vulkan_counted_miss(job);
	let_go(job);
	atomic_store(&job->is_busy, true);
}

void tacho__vulkan_job_drop(struct vk_job *job)
{
	tacho__vulkan_job_give_up(job);
	atomic_store_explicit(&job->is_busy, false, memory_order_release);
}
