/* SPDX-License-Identifier: MIT */
/*
 * A submit goes to the driver with a batch of ours behind it, and where queries are used for the
 * first time with one in front; the program's own batches are not touched. The queries of a list
 * are reset by the first, read and reset again by the last, so a list that is timed is in no other
 * submit until this one has ended: those that may be are not timed (vk_commands.c). Where its
 * results cannot be kept, the resets go in front all the same, in a submit of their own, which
 * takes nothing that there could be too little of.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inject/vulkan/vk_clock.h"
#include "inject/vulkan/vk_commands.h"
#include "inject/vulkan/vk_buffers.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_host.h"
#include "inject/vulkan/vk_memory.h"
#include "inject/vulkan/vk_queries.h"
#include "inject/vulkan/vk_rows.h"
#include "intercept/intercept.h"
#include "vulkan_constants.h"

/* The two forms of a submit. */
struct form {
	size_t bytes; /* of a batch */
	uint32_t (*count_buffers)(const void *batch);
	void *(*get_buffer)(const void *batch, uint32_t index);
	const void *(*get_items)(const void *batch);
	void (*set_items)(void *batch, const void *items, uint32_t count);
	size_t item_bytes; /* of a command buffer in a batch */
	void (*put_item)(void *items, uint32_t index, void *buffer);
	void (*put_batch)(void *out_batch, const void *items, uint32_t count);
	int32_t (*submit)(const struct tacho__vulkan_dispatch *vk, void *queue, uint32_t count,
			  const void *batches, uint64_t fence);
};

struct submit {
	const struct form *form;
	void *queue;
	uint32_t count;
	const char *batches;
	uint64_t fence;
};

/* ---- vkQueueSubmit ---- */

static uint32_t count_buffers(const void *batch)
{
	return ((const struct vk_submit_info *)batch)->buffer_count;
}

static void *get_buffer(const void *batch, uint32_t index)
{
	return ((const struct vk_submit_info *)batch)->buffers[index];
}

static const void *get_items(const void *batch)
{
	return ((const struct vk_submit_info *)batch)->buffers;
}

static void set_items(void *batch, const void *items, uint32_t count)
{
	((struct vk_submit_info *)batch)->buffers = items;
	((struct vk_submit_info *)batch)->buffer_count = count;
}

static void put_item(void *items, uint32_t index, void *buffer)
{
	((void **)items)[index] = buffer;
}

static void put_batch(void *out_batch, const void *items, uint32_t count)
{
	const struct vk_submit_info own = {
		.type = VK_TYPE_SUBMIT_INFO, .buffer_count = count, .buffers = items};

	memcpy(out_batch, &own, sizeof(own));
}

static int32_t submit_1(const struct tacho__vulkan_dispatch *vk, void *queue, uint32_t count,
			const void *batches, uint64_t fence)
{
	return vk->vkQueueSubmit(queue, count, batches, fence);
}

static const struct form form_1 = {sizeof(struct vk_submit_info),
				   count_buffers,
				   get_buffer,
				   get_items,
				   set_items,
				   sizeof(void *),
				   put_item,
				   put_batch,
				   submit_1};

/* ---- vkQueueSubmit2 ---- */

static uint32_t count_buffers_2(const void *batch)
{
	return ((const struct vk_submit_info2 *)batch)->buffer_count;
}

static void *get_buffer_2(const void *batch, uint32_t index)
{
	return ((const struct vk_submit_info2 *)batch)->buffers[index].buffer;
}

static const void *get_items_2(const void *batch)
{
	return ((const struct vk_submit_info2 *)batch)->buffers;
}

static void set_items_2(void *batch, const void *items, uint32_t count)
{
	((struct vk_submit_info2 *)batch)->buffers = items;
	((struct vk_submit_info2 *)batch)->buffer_count = count;
}

static void put_item_2(void *items, uint32_t index, void *buffer)
{
	((struct vk_buffer_submit *)items)[index] = (struct vk_buffer_submit){
		.type = VK_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .buffer = buffer};
}

static void put_batch_2(void *out_batch, const void *items, uint32_t count)
{
	const struct vk_submit_info2 own = {
		.type = VK_TYPE_SUBMIT_INFO_2, .buffer_count = count, .buffers = items};

	memcpy(out_batch, &own, sizeof(own));
}

static int32_t submit_2(const struct tacho__vulkan_dispatch *vk, void *queue, uint32_t count,
			const void *batches, uint64_t fence)
{
	return vk->vkQueueSubmit2(queue, count, batches, fence);
}

static const struct form form_2 = {
	sizeof(struct vk_submit_info2),	 count_buffers_2, get_buffer_2, get_items_2, set_items_2,
	sizeof(struct vk_buffer_submit), put_item_2,	  put_batch_2,	submit_2};

/* ---- what is in it ---- */

typedef bool (*visit_fn)(void *user, const void *buffer, struct vk_list *list);

/* A list, and those that it runs whose commands are timed or counted. */
static bool visit_list(visit_fn fn, void *user, const void *buffer, struct vk_list *list, int depth)
{
	if (!fn(user, buffer, list))
		return false;
	for (uint32_t i = 0; list && list->runs_queries && depth < VK_DEPTH_MAX && i < list->count;
	     i++)
		if (list->commands[i].child &&
		    !visit_list(fn, user, buffer, list->commands[i].child, depth + 1))
			return false;
	return true;
}

enum { WITHOUT_RUN = VK_DEPTH_MAX };

/* Each command buffer in the order of execution, until one visit returns false; `depth` 0: with
 * those that it runs. */
static bool visit(const struct submit *submit, visit_fn fn, void *user, int depth)
{
	for (uint32_t i = 0; i < submit->count; i++) {
		const void *batch = submit->batches + i * submit->form->bytes;

		for (uint32_t k = 0; k < submit->form->count_buffers(batch); k++) {
			const void *buffer = submit->form->get_buffer(batch, k);

			if (!visit_list(fn, user, buffer, tacho__vulkan_find_list(buffer), depth))
				return false;
		}
	}
	return true;
}

static bool is_bare(const struct vk_list *list)
{
	return !list || (!list->query_count && !tacho__vulkan_has_counts(list));
}

static bool add_list(void *user, const void *buffer, struct vk_list *list)
{
	(void)buffer;
	return is_bare(list) || tacho__vulkan_job_add_list(user, list, &list->first_result);
}

static bool tell_list(void *user, const void *buffer, struct vk_list *list)
{
	struct vk_rows *rows = user;
	const char *name;

	if (!list) {
		tacho__intercept_lost(1);
		rows->position++;
		return true;
	}
	rows->buffer = buffer;
	rows->index = 0;
	name = tacho__vulkan_find_buffer(buffer)->name;
	if (name)
		tacho__vulkan_labels_begin_buffer(rows->queue, name, rows->tick);
	tacho__vulkan_tell_list(rows, list, list->first_result);
	if (name)
		tacho__vulkan_labels_end_buffer(rows->queue, rows->tick);
	rows->position++;
	return true;
}

/* As many as are known of. */
static bool lose_list(void *unused, const void *buffer, struct vk_list *list)
{
	(void)unused;
	(void)buffer;
	tacho__intercept_lost(list ? list->count : 1);
	return true;
}

/* ---- submitting ---- */

struct needs {
	const struct vk_queue *queue;
	struct vk_job *job; /* that was good for it the last time; NULL: any */
};

/* Until something is found that is timed. */
static bool find_needs(void *user, const void *buffer, struct vk_list *list)
{
	struct needs *needs = user;

	(void)buffer;
	if (!is_bare(list))
		needs->job = list->job;
	return is_bare(list) && !tacho__vulkan_is_edged(list, needs->queue);
}

/* Where a chain has something for each command buffer, none is added. */
static bool may_have_more(const void *batch)
{
	for (const struct vk_chain *at = batch; at; at = at->next)
		if (at->type == VK_TYPE_DEVICE_GROUP_SUBMIT_INFO)
			return false;
	return true;
}

static bool find_edges(const struct submit *submit, struct vk_job *job)
{
	for (uint32_t i = 0; i < submit->count; i++) {
		const void *batch = submit->batches + i * submit->form->bytes;
		bool may = may_have_more(batch);

		for (uint32_t k = 0; k < submit->form->count_buffers(batch); k++) {
			const struct vk_list *list =
				tacho__vulkan_find_list(submit->form->get_buffer(batch, k));

			if (!tacho__vulkan_edges_add(
				    job, may && tacho__vulkan_is_edged(list, job->queue), !k))
				return false;
		}
	}
	return true;
}

/* NULL: nothing of it is timed, or there is no room for what that needs. */
static struct vk_job *prepare(const struct submit *submit, struct vk_queue *queue)
{
	struct needs needs = {.queue = queue};
	struct vk_job *job;

	if (!queue->is_timed || visit(submit, find_needs, &needs, 0))
		return NULL;
	job = tacho__vulkan_job_take(queue, needs.job);
	if (!job)
		return NULL;
	if (visit(submit, add_list, job, 0) && find_edges(submit, job) &&
	    tacho__vulkan_job_prepare(job))
		return job;
	tacho__vulkan_job_drop(job);
	return NULL;
}

/*
 * What must be in front of a submit to this queue, NULL: of any, to reset the queries of a list:
 * one after the other; NULL past the last.
 */
static void *get_reset(const struct vk_list *list, const void *queue, uint32_t index)
{
	uint32_t count = 0;

	if (list->is_by_host)
		return NULL;
	for (uint32_t k = 0; tacho__vulkan_list_count_queries(list, k); k++)
		if ((!queue || tacho__vulkan_list_needs_reset(list, k, queue)) && count++ == index)
			return list->resets[k];
	return tacho__vulkan_get_count_reset(list, index - count);
}

/* What resets queries; returns how many. NULL: it only counts. */
static uint32_t put_resets(const struct vk_job *job, const struct form *form, void *items)
{
	const void *queue = job->queue->handle;
	uint32_t count = 0;
	void *reset;

	for (uint32_t i = 0; i < job->list_count; i++)
		for (uint32_t k = 0; (reset = get_reset(job->lists[i], queue, k)); k++) {
			if (items)
				form->put_item(items, count, reset);
			count++;
		}
	reset = tacho__vulkan_edges_get_reset(job);
	if (reset && items)
		form->put_item(items, count, reset);
	return count + (reset != NULL);
}

/* The program's batch with times around those of its command buffers that have them; `times` were
 * put before. Returns how many command buffers it has now. */
static uint32_t put_edges(const struct form *form, const struct vk_job *job, const void *batch,
			  uint32_t position, uint32_t *times, char *items)
{
	uint32_t count = form->count_buffers(batch), put = 0;

	for (uint32_t k = 0; k < count; k++) {
		uint32_t edge = tacho__vulkan_edges_get(job, position + k);

		if (edge == *times)
			form->put_item(items, put++, job->edges.buffers[(*times)++]);
		memcpy(items + put++ * form->item_bytes,
		       (const char *)form->get_items(batch) + k * form->item_bytes,
		       form->item_bytes);
		if (edge != VK_NO_QUERY)
			form->put_item(items, put++, job->edges.buffers[(*times)++]);
	}
	return put;
}

/* Copies of the program's batches; where there are times, with them, which need the items. */
static void put_batches(const struct submit *submit, const struct vk_job *job, char *batches,
			char *items)
{
	const struct form *form = submit->form;
	uint32_t position = 0, times = 0;

	if (submit->count)
		memcpy(batches, submit->batches, submit->count * form->bytes);
	for (uint32_t i = 0; job->edges.count && i < submit->count; i++) {
		char *batch = batches + i * form->bytes;
		uint32_t before = form->count_buffers(batch);
		uint32_t count = put_edges(form, job, batch, position, &times, items);

		if (count != before)
			form->set_items(batch, items, count);
		items += count * form->item_bytes;
		position += before;
	}
}

/* The program's batches, where they are not to be alone: resets in front, the copy behind. Behind
 * all of them their command buffers, where some are ours. NULL: no memory. */
static void *surround(const struct submit *submit, struct vk_job *job, uint32_t resets,
		      bool has_copy, uint32_t *out_count)
{
	const struct form *form = submit->form;
	uint32_t more = job->edges.count ? job->edges.count + job->edges.place_count : 0;
	size_t items_at = (submit->count + 2) * form->bytes;
	char *batches = tacho__vulkan_job_scratch(job, items_at + ((size_t)resets + 1 + more) *
									  form->item_bytes);
	char *at = batches, *item = batches + items_at;

	if (!batches)
		return NULL;
	if (resets) {
		put_resets(job, form, item);
		form->put_batch(at, item, resets);
		at += form->bytes;
		item += resets * form->item_bytes;
	}
	if (has_copy) {
		form->put_item(item, 0, job->copy);
		form->put_batch(at + submit->count * form->bytes, item, 1);
		item += form->item_bytes;
	}
	put_batches(submit, job, at, item);
	*out_count = submit->count + (resets > 0) + has_copy;
	return batches;
}

static bool submit_copy(const struct submit *submit, const struct vk_job *job)
{
	const struct vk_submit_info info = {
		.type = VK_TYPE_SUBMIT_INFO, .buffer_count = 1, .buffers = &job->copy};

	return !job->queue->device->table.vkQueueSubmit(submit->queue, !job->queue->is_by_host,
							&info, job->fence);
}

/* A submit with a fence of the program's is followed by one with ours: the program's does not wait
 * for what is ours. */
static int32_t submit_timed(const struct submit *submit, struct vk_queue *queue, struct vk_job *job)
{
	uint32_t resets = put_resets(job, submit->form, NULL), count = submit->count;
	bool has_copy = !submit->fence && !queue->is_by_host;
	const void *batches = submit->batches;
	int32_t rc;

	if (resets || has_copy || job->edges.count)
		batches = surround(submit, job, resets, has_copy, &count);
	if (!batches)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	job->submit_ns = tacho__vulkan_clock_now_ns();
	rc = submit->form->submit(&queue->device->table, submit->queue, count, batches,
				  submit->fence ? submit->fence : job->fence);
	if (rc)
		return rc;
	job->is_fenced = !submit->fence || submit_copy(submit, job);
	job->edges.is_clean = job->edges.count ? job->is_fenced : job->edges.is_clean;
	for (uint32_t i = 0; i < job->list_count; i++)
		tacho__vulkan_list_note_reset(job->lists[i], job->is_fenced ? submit->queue : NULL);
	return 0;
}

/* ---- submitting without times ---- */

enum { RESETS_AT_ONCE = 64 };

struct resets {
	void *queue;
	void *buffers[RESETS_AT_ONCE];
	uint32_t count;
	int32_t rc;
};

static bool flush_resets(struct resets *resets)
{
	const struct vk_submit_info info = {.type = VK_TYPE_SUBMIT_INFO,
					    .buffer_count = resets->count,
					    .buffers = resets->buffers};

	if (resets->count)
		resets->rc = tacho__vulkan_next(resets->queue)
				     ->vkQueueSubmit(resets->queue, 1, &info, 0);
	resets->count = 0;
	return !resets->rc;
}

static bool reset_list(void *user, const void *buffer, struct vk_list *list)
{
	struct resets *resets = user;
	void *reset;

	(void)buffer;
	if (!list)
		return true;
	tacho__vulkan_list_pass(list, resets->queue);
	atomic_fetch_add(&list->runs, 1);
	if (list->is_by_host)
		tacho__vulkan_host_reset(list, tacho__vulkan_find_queue(resets->queue));
	for (uint32_t k = 0; (reset = get_reset(list, NULL, k)); k++) {
		if (resets->count == RESETS_AT_ONCE && !flush_resets(resets))
			return false;
		resets->buffers[resets->count++] = reset;
	}
	tacho__vulkan_list_note_reset(list, NULL);
	return true;
}

/* Where the driver has not the memory to submit the resets, that is what the program is told. */
static int32_t submit_plain(const struct submit *submit)
{
	struct resets resets = {.queue = submit->queue};

	if (!visit(submit, reset_list, &resets, 0) || !flush_resets(&resets))
		return resets.rc;
	return submit->form->submit(tacho__vulkan_next(submit->queue), submit->queue, submit->count,
				    submit->batches, submit->fence);
}

/* Where it fails for want of memory, ours may have been what was too much. */
static int32_t submit_or_again(const struct submit *submit, struct vk_queue *queue,
			       struct vk_job **job)
{
	int32_t rc = submit_timed(submit, queue, *job);

	if (!rc)
		return 0;
	tacho__vulkan_job_drop(*job);
	*job = NULL;
	return rc == VK_ERROR_OUT_OF_HOST_MEMORY || rc == VK_ERROR_OUT_OF_DEVICE_MEMORY
		       ? submit_plain(submit)
		       : rc;
}

static void tell(const struct submit *submit, struct vk_queue *queue, struct vk_job *job,
		 uint64_t tick)
{
	struct vk_rows rows = {.queue = queue,
			       .job = job,
			       .tick = tick,
			       .submission = queue->submissions++,
			       .first_part = VK_NO_QUERY};

	tacho__vulkan_labels_begin_submit(queue, tick);
	visit(submit, tell_list, &rows, WITHOUT_RUN);
	tacho__vulkan_labels_end_submit(queue, tick);
	if (job && job->is_fenced)
		tacho__vulkan_job_watch(job);
	else if (job)
		tacho__vulkan_job_give_up(job);
}

static int32_t run(const struct submit *submit)
{
	struct vk_queue *queue = tacho__vulkan_find_queue(submit->queue);
	struct vk_job *job;
	uint64_t tick = tacho__tick();
	int32_t rc;
	int error = errno;

	if (!tacho__calls_are_kept())
		return submit_plain(submit);
	job = queue ? prepare(submit, queue) : NULL;
	rc = job ? submit_or_again(submit, queue, &job) : submit_plain(submit);
	if (!rc && queue)
		tell(submit, queue, job, tick);
	else if (!rc)
		visit(submit, lose_list, NULL, WITHOUT_RUN);
	if (queue)
		tacho__vulkan_memory_tell(queue->device, false);
	errno = error;
	return rc;
}

int32_t tacho__vulkan_submit(void *queue, uint32_t submitCount, void const *pSubmits,
			     uint64_t fence)
{
	const struct submit submit = {&form_1, queue, submitCount, pSubmits, fence};

	return run(&submit);
}

int32_t tacho__vulkan_submit2(void *queue, uint32_t submitCount, void const *pSubmits,
			      uint64_t fence)
{
	const struct submit submit = {&form_2, queue, submitCount, pSubmits, fence};

	return run(&submit);
}
