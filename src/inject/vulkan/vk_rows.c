/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_rows.h"

#include "inject/vulkan/vk_counted.h"
#include "inject/vulkan/vk_devices.h"
#include "intercept/intercept.h"
#include "record/wire.h"

static void pack_list(struct tacho__pack *pack, const uint64_t *values, uint32_t count)
{
	tacho__pack_u64(pack, (uint64_t)count + 1);
	tacho__pack_u64(pack, count);
	for (uint32_t i = 0; i < count; i++)
		tacho__pack_u64(pack, values[i]);
}

/* As tools/apigen writes the table of what a device runs. */
static void pack(const struct vk_rows *rows, const struct vk_command *command,
		 struct tacho__call *call)
{
	const struct tacho__vulkan_run *run =
		&tacho__vulkan_runs[command->ran.function - TACHO__RUN_FIRST];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, call->arguments);
	tacho__pack_u64(&pack, (uintptr_t)rows->buffer);
	tacho__pack_u64(&pack, rows->submission);
	tacho__pack_u64(&pack, rows->index);
	tacho__pack_u64(&pack, (uintptr_t)rows->queue->handle);
	if (run->is_kernel) {
		tacho__pack_u64(&pack, command->pipeline);
		tacho__pack_u64(&pack, 0); /* how many work-items it has is not known */
	}
	if (run->count)
		pack_list(&pack, command->ran.counts, run->count);
	if (run->has_bytes && command->ran.bytes == VK_WHOLE)
		tacho__pack_u64(&pack, 0);
	else if (run->has_bytes)
		pack_list(&pack, &command->ran.bytes, 1);
	call->size = (uint32_t)(pack.at - call->arguments);
}

static uint8_t why_untimed(const struct vk_rows *rows, const struct vk_command *command)
{
	if (command->why)
		return command->why;
	if (rows->is_mixed)
		return TACHO__SLOT_MIXED;
	return rows->queue->is_timed ? TACHO__SLOT_NO_ROOM : TACHO__SLOT_NO_CLOCK;
}

/* A whole command buffer has the times around it, where there are any. */
static void time_from_outside(const struct vk_rows *rows, const struct vk_command *command,
			      struct vk_row *row)
{
	uint32_t edge = tacho__vulkan_edges_get(rows->job, rows->position);

	if (command->ran.function != TACHO__RUN_vkBeginCommandBuffer || edge == VK_NO_QUERY)
		return;
	row->query = rows->job->edges.first + edge;
	row->end = row->query + 1;
	row->views = 1;
	row->why = 0;
}

/* The job has a row more, of a command that may be a part of a rendering. */
static void join_parts(struct vk_rows *rows, const struct vk_command *command, uint32_t first)
{
	struct vk_row *begun;

	if (command->part == VK_FIRST_PART)
		rows->first_part =
			command->query == VK_NO_QUERY ? VK_NO_QUERY : rows->job->row_count - 1;
	if (command->part != VK_LAST_PART || rows->first_part >= rows->job->row_count)
		return;
	begun = &rows->job->rows[rows->first_part];
	rows->first_part = VK_NO_QUERY;
	if (command->query == VK_NO_QUERY)
		return;
	begun->end = first + command->query;
	begun->why = 0;
}

static void tell(struct vk_rows *rows, const struct vk_command *command, uint32_t first)
{
	struct tacho__call call = {
		.kind = TACHO__KIND(TACHO__API_ID, command->ran.function),
		.start = rows->tick,
		.end = rows->tick,
		.has_slot = true,
	};
	const struct tacho__times none = {.code = why_untimed(rows, command), .is_unseen = true};
	struct vk_row row = {.query = first + command->query,
			     .end = first + command->query + command->views,
			     .views = command->views,
			     .why = command->why};

	pack(rows, command, &call);
	tacho__intercept_commit(&call);
	if (!call.token)
		return;
	row.token = call.token;
	time_from_outside(rows, command, &row);
	if (rows->job && tacho__vulkan_job_add_row(rows->job, &row))
		join_parts(rows, command, first);
	else
		tacho__intercept_complete(call.token, &none);
}

void tacho__vulkan_tell_alone(struct vk_rows *rows, const struct tacho__vulkan_ran *ran)
{
	const struct vk_command command = {
		.ran = *ran, .query = VK_NO_QUERY, .why = TACHO__SLOT_NO_CLOCK};

	tell(rows, &command, 0);
}

static void tell_list(struct vk_rows *rows, struct vk_list *list, uint32_t first, int depth)
{
	uint32_t label = 0;

	rows->is_mixed |= atomic_load(&list->is_mixed);
	for (uint32_t i = 0; i < list->count; i++) {
		const struct vk_command *command = &list->commands[i];

		label = tacho__vulkan_labels_tell(rows->queue, &list->labels, label, i, rows->tick);
		if (!command->child) {
			rows->tick += tacho__vulkan_counted_add(rows, list, i);
			tell(rows, command, first);
			rows->index++;
		} else if (depth < VK_DEPTH_MAX) {
			tell_list(rows, command->child, command->child->first_result, depth + 1);
		}
	}
	tacho__vulkan_labels_tell(rows->queue, &list->labels, label, list->count, rows->tick);
	if (list->dropped)
		tacho__intercept_lost(list->dropped);
}

void tacho__vulkan_tell_list(struct vk_rows *rows, struct vk_list *list, uint32_t first)
{
	rows->is_mixed = false;
	tell_list(rows, list, first, 0);
}
