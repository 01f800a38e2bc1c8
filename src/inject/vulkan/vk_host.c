/* SPDX-License-Identifier: MIT */
/*
 * The queue's thread and the program's may both want the results of a run. Each reads into memory
 * of its own; which of the two counts is decided by the state of the run: the program's thread
 * never waits, and where it has begun to read the queue's takes what it has read.
 */
#include "inject/vulkan/vk_host.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_features.h"
#include "inject/vulkan/vk_jobs.h"

enum {
	RESULT_WORDS = 2,
	RESULT_BYTES = RESULT_WORDS * sizeof(uint64_t),
	LOOK_NS = 50000,
	LOOKS_MAX = 20000, /* a second */
};

/* Whether the results of a run were read. */
enum { UNREAD, IS_READ_LATE, READ_LATE, IS_READ_EARLY, READ_EARLY };

struct vk_host_run {
	atomic_int state;
	uint32_t first; /* of the job's results */
};

/* ---- whether a device can ---- */

static bool needs_host(const struct vk_instance *instance, void *physical,
		       const struct vk_device_info *info)
{
	struct vk_family_properties families[VK_FAMILIES_MAX] = {{0}};
	uint32_t count = VK_FAMILIES_MAX;
	bool needs = false;

	instance->table.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
	for (uint32_t i = 0; i < info->queue_count; i++)
		needs |= info->queues[i].family < count &&
			 info->queues[i].family < VK_FAMILIES_MAX &&
			 !(families[info->queues[i].family].flags & VK_RESETTING);
	return needs;
}

enum vk_host_reset tacho__vulkan_host_find(const struct vk_instance *instance, void *physical,
					   const struct vk_device_info *info)
{
	struct vk_host_reset_features features = {.type = VK_TYPE_HOST_QUERY_RESET_FEATURES};
	struct vk_features2 all = {.type = VK_TYPE_FEATURES_2, .next = &features};
	struct vk_device_properties properties = {0};
	uint32_t version;

	instance->table.vkGetPhysicalDeviceProperties(physical, &properties);
	version = properties.api_version < instance->version ? properties.api_version
							     : instance->version;
	if (version < VK_VERSION(1, 1) || !instance->table.vkGetPhysicalDeviceFeatures2 ||
	    !needs_host(instance, physical, info))
		return VK_HOST_RESET_NONE;
	instance->table.vkGetPhysicalDeviceFeatures2(physical, &all);
	if (!features.has_host_reset)
		return VK_HOST_RESET_NONE;
	return version < VK_VERSION(1, 2) ? VK_HOST_RESET_BY_EXTENSION : VK_HOST_RESET_BY_VERSION;
}

/* ---- reading and resetting ---- */

/* What is not there is 0, and is said to be: a run whose results nobody has written has no times.
 */
static void read_results(const struct vk_list *list, uint64_t *out_words)
{
	const struct vk_device *device = list->device;
	uint32_t count;

	memset(out_words, 0, list->query_count * (size_t)RESULT_BYTES);
	for (uint32_t k = 0; (count = tacho__vulkan_list_count_queries(list, k)); k++) {
		device->table.vkGetQueryPoolResults(
			device->handle, list->pools[k], 0, count, count * (size_t)RESULT_BYTES,
			out_words + tacho__vulkan_list_begin_of_pool(k) * (size_t)RESULT_WORDS,
			RESULT_BYTES, VK_QUERY_RESULT_64 | VK_QUERY_RESULT_WITH_AVAILABILITY);
	}
}

/* The second half of the memory is the program's thread's. */
static uint64_t *get_early(const struct vk_job *job, const struct vk_host_run *run)
{
	return job->results + ((size_t)job->result_room + run->first) * RESULT_WORDS;
}

static bool change(struct vk_host_run *run, int from, int to)
{
	return atomic_compare_exchange_strong(&run->state, &from, to);
}

/* A job is free for other lists once it was told, but only to who has its queue. */
static void keep_results(struct vk_list *list, const struct vk_queue *queue)
{
	struct vk_job *job = list->job;
	struct vk_host_run *run;

	if (!job || job->queue != queue || !atomic_load(&job->is_busy) ||
	    job->lists[list->job_place] != list)
		return;
	run = &job->host_runs[list->job_place];
	if (!change(run, UNREAD, IS_READ_EARLY) && !change(run, IS_READ_LATE, IS_READ_EARLY))
		return;
	read_results(list, get_early(job, run));
	atomic_store(&run->state, READ_EARLY);
}

void tacho__vulkan_host_reset(struct vk_list *list, const struct vk_queue *queue)
{
	const struct vk_device *device = list->device;
	uint32_t count;

	keep_results(list, queue);
	for (uint32_t k = 0; (count = tacho__vulkan_list_count_queries(list, k)); k++)
		device->table.vkResetQueryPool(device->handle, list->pools[k], 0, count);
}

/* ---- of a job ---- */

bool tacho__vulkan_host_make(struct vk_job *job, uint32_t room)
{
	job->results = calloc(room, 2 * (size_t)RESULT_BYTES);
	job->result_room = job->results ? room : 0;
	return job->results;
}

void tacho__vulkan_host_free(struct vk_job *job)
{
	free(job->results);
	job->results = NULL;
	job->result_room = 0;
}

bool tacho__vulkan_host_begin(struct vk_job *job)
{
	uint32_t first = 0;

	while (job->host_room < job->list_count)
		if (!tacho__vulkan_job_make_room((void **)&job->host_runs, job->host_room,
						 &job->host_room, sizeof(*job->host_runs)))
			return false;
	for (uint32_t i = 0; i < job->list_count; i++) {
		job->host_runs[i].first = first;
		atomic_store(&job->host_runs[i].state, UNREAD);
		first += job->lists[i]->query_count;
	}
	return true;
}

/* False: the program's thread was not seen to finish. */
static bool await_early(struct vk_host_run *run)
{
	const struct timespec look = {.tv_nsec = LOOK_NS};

	for (int i = 0; i < LOOKS_MAX && atomic_load(&run->state) != READ_EARLY; i++)
		nanosleep(&look, NULL);
	return atomic_load(&run->state) == READ_EARLY;
}

static void read_run(const struct vk_job *job, const struct vk_list *list, struct vk_host_run *run)
{
	uint64_t *words = job->results + (size_t)run->first * RESULT_WORDS;
	size_t bytes = list->query_count * (size_t)RESULT_BYTES;

	if (change(run, UNREAD, IS_READ_LATE))
		read_results(list, words);
	if (change(run, IS_READ_LATE, READ_LATE))
		return;
	if (await_early(run))
		memcpy(words, get_early(job, run), bytes);
	else
		memset(words, 0, bytes);
}

void tacho__vulkan_host_read(struct vk_job *job)
{
	for (uint32_t i = 0; i < job->list_count; i++)
		read_run(job, job->lists[i], &job->host_runs[i]);
}
