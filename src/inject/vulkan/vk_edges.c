/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_edges.h"

#include <stdlib.h>

#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_jobs.h"

enum { ROOM_FIRST = 8, ROOM_MAX = 1024, RESULT_BYTES = 2 * sizeof(uint64_t) };

/* Nothing may stand between a rendering that is suspended and where it is resumed. */
bool tacho__vulkan_is_edged(const struct vk_list *list, const struct vk_queue *queue)
{
	return list && list->is_edged && queue->is_timed && !queue->is_by_host &&
	       !list->resumes_other && !list->is_suspended &&
	       !(list->has_graphics && list->device->draws_by_tile);
}

bool tacho__vulkan_edges_add(struct vk_job *job, bool is_edged, bool is_first)
{
	struct vk_edges *edges = &job->edges;
	bool is_behind = !is_first && edges->place_count &&
			 edges->places[edges->place_count - 1] != VK_NO_QUERY;
	uint32_t place = VK_NO_QUERY;

	if (!tacho__vulkan_job_make_room((void **)&edges->places, edges->place_count,
					 &edges->place_room, sizeof(*edges->places)))
		return false;
	if (is_edged) {
		place = is_behind ? edges->count - 1 : edges->count;
		edges->count = place + 2;
	}
	edges->places[edges->place_count++] = place;
	return true;
}

uint32_t tacho__vulkan_edges_get(const struct vk_job *job, uint32_t buffer)
{
	return job && job->edges.count && buffer < job->edges.place_count
		       ? job->edges.places[buffer]
		       : VK_NO_QUERY;
}

/* ---- their objects ---- */

void tacho__vulkan_edges_free(struct vk_job *job)
{
	const struct vk_device *device = job->queue->device;
	struct vk_edges *edges = &job->edges;

	if (edges->command_pool)
		device->table.vkDestroyCommandPool(device->handle, edges->command_pool, NULL);
	if (edges->queries)
		device->table.vkDestroyQueryPool(device->handle, edges->queries, NULL);
	free(edges->buffers);
	free(edges->places);
	*edges = (struct vk_edges){0};
}

static bool record(const struct vk_job *job, uint32_t index)
{
	const struct vk_begin_info info = {.type = VK_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	const struct vk_device *device = job->queue->device;
	const struct tacho__vulkan_dispatch *vk = &device->table;
	const struct vk_edges *edges = &job->edges;
	void *buffer = edges->buffers[index];

	if (device->set_loader_data(device->handle, buffer) ||
	    vk->vkBeginCommandBuffer(buffer, &info))
		return false;
	if (index < edges->room)
		vk->vkCmdWriteTimestamp(buffer, VK_STAGE_BOTTOM_OF_PIPE, edges->queries, index);
	else
		vk->vkCmdResetQueryPool(buffer, edges->queries, 0, edges->room);
	return !vk->vkEndCommandBuffer(buffer);
}

static bool make(struct vk_job *job, uint32_t room)
{
	const struct vk_device *device = job->queue->device;
	const struct tacho__vulkan_dispatch *vk = &device->table;
	const struct vk_query_pool_info queries = {
		.type = VK_TYPE_QUERY_POOL_CREATE_INFO, .kind = VK_QUERY_TIMESTAMP, .count = room};
	const struct vk_pool_info pool = {.type = VK_TYPE_COMMAND_POOL_CREATE_INFO,
					  .family = job->queue->family};
	struct vk_buffers_info info = {.type = VK_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
				       .count = room + 1};
	struct vk_edges *edges = &job->edges;
	bool is_right;

	edges->buffers = calloc(room + 1, sizeof(*edges->buffers));
	is_right = edges->buffers &&
		   !vk->vkCreateQueryPool(device->handle, &queries, NULL, &edges->queries) &&
		   !vk->vkCreateCommandPool(device->handle, &pool, NULL, &edges->command_pool);
	info.pool = edges->command_pool;
	is_right = is_right && !vk->vkAllocateCommandBuffers(device->handle, &info, edges->buffers);
	edges->room = room;
	for (uint32_t i = 0; i <= room && is_right; i++)
		is_right = record(job, i);
	return is_right;
}

/* More than there are: all anew, but what is known of the submit. */
static bool grow(struct vk_job *job)
{
	struct vk_edges known = job->edges;
	uint32_t room = known.room ? known.room : ROOM_FIRST;

	while (room < known.count)
		room *= 2;
	if (room > ROOM_MAX)
		return false;
	job->edges.places = NULL;
	tacho__vulkan_edges_free(job);
	job->copied_count = job->copied_edges = 0;
	if (!make(job, room)) {
		tacho__vulkan_edges_free(job);
		free(known.places);
		return false;
	}
	job->edges.count = known.count;
	job->edges.places = known.places;
	job->edges.place_count = known.place_count;
	job->edges.place_room = known.place_room;
	return true;
}

bool tacho__vulkan_edges_prepare(struct vk_job *job)
{
	struct vk_edges *edges = &job->edges;

	if (edges->count > edges->room && !grow(job))
		return false;
	edges->first = job->result_count;
	job->result_count += edges->count;
	return true;
}

/* ---- around a submit ---- */

void *tacho__vulkan_edges_get_reset(const struct vk_job *job)
{
	const struct vk_edges *edges = &job->edges;

	return edges->count && !edges->is_clean ? edges->buffers[edges->room] : NULL;
}

void tacho__vulkan_edges_copy(const struct vk_job *job, uint64_t at)
{
	const uint32_t flags =
		VK_QUERY_RESULT_64 | VK_QUERY_RESULT_WAIT | VK_QUERY_RESULT_WITH_AVAILABILITY;
	const struct tacho__vulkan_dispatch *vk = &job->queue->device->table;
	const struct vk_edges *edges = &job->edges;

	if (!edges->count)
		return;
	vk->vkCmdCopyQueryPoolResults(job->copy, edges->queries, 0, edges->count, job->buffer, at,
				      RESULT_BYTES, flags);
	vk->vkCmdResetQueryPool(job->copy, edges->queries, 0, edges->count);
}
