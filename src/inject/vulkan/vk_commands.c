/* SPDX-License-Identifier: MIT */
/*
 * Times are taken in front of a command and behind it, when all that was in front of each of the
 * two has ended: so a command's time is what it adds. Commands in a render pass are parts of a
 * whole, which is timed: nothing of ours is put inside, but around draws where these are asked for,
 * and then the pass has no time of its own. A secondary command buffer that runs once in a submit
 * has queries as its primary has, and then what runs it has no time of its own.
 */
#include "inject/vulkan/vk_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inject/handles.h"
#include "inject/vulkan/vk_buffers.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_names.h"
#include "inject/vulkan/vk_own_queries.h"
#include "inject/vulkan/vk_queries.h"
#include "record/wire.h"

struct vk_list *tacho__vulkan_find_list(const void *buffer)
{
	const struct vk_buffer *known = tacho__vulkan_find_buffer(buffer);
	return known ? known->list : NULL;
}

/* ---- what a command is given to ---- */

static uint8_t why_untimed(const struct vk_buffer *buffer, uint32_t flags)
{
	if (buffer->pool->is_protected ||
	    !tacho__vulkan_is_family_timed(buffer->pool->device, buffer->pool->family))
		return TACHO__SLOT_NO_CLOCK;
	return flags & VK_USAGE_SIMULTANEOUS_USE ? TACHO__SLOT_AT_ONCE : 0;
}

static uint8_t why_untimed_inside(const struct vk_buffer *buffer)
{
	const struct vk_device *device = buffer->pool->device;

	if (!device->wants_draws || buffer->views == VK_VIEWS_UNKNOWN)
		return TACHO__SLOT_INSIDE;
	return device->draws_by_tile ? TACHO__SLOT_BY_TILE : 0;
}

/* What a secondary command buffer continues: the pass, and queries that are active around it. */
static void inherit(struct vk_buffer *buffer, uint32_t flags, const struct vk_inheritance *from)
{
	buffer->own_queries[TACHO__VULKAN_OCCLUSION] = from->has_occlusion != 0;
	buffer->own_queries[TACHO__VULKAN_STATISTICS] = from->statistics != 0;
	if (!(flags & VK_USAGE_CONTINUES_PASS))
		return;
	buffer->is_in_pass = true;
	buffer->pass = from->pass;
	buffer->subpass = from->subpass;
	buffer->views = from->pass ? tacho__vulkan_count_views(from->pass, from->subpass) : 0;
	for (const struct vk_chain *at = from->next; at && !from->pass; at = at->next)
		if (at->type == VK_TYPE_INHERITANCE_RENDERING)
			buffer->views = (uint8_t)__builtin_popcount(
				((const struct vk_inheritance_rendering *)(const void *)at)->views);
	buffer->why_inside = why_untimed_inside(buffer);
}

static void begin_list(struct vk_buffer *buffer, const struct vk_begin_info *info)
{
	uint32_t flags = info->flags;

	tacho__vulkan_list_let_go(buffer->list);
	buffer->list = tacho__vulkan_list_take(buffer->pool->device, buffer->pool->family);
	buffer->is_in_pass = buffer->runs_others = false;
	buffer->continues = buffer->is_secondary && flags & VK_USAGE_CONTINUES_PASS;
	buffer->may_overlap = flags & VK_USAGE_SIMULTANEOUS_USE;
	buffer->pass_mark = buffer->part_mark = 0;
	memset(buffer->own_queries, 0, sizeof(buffer->own_queries));
	if (buffer->is_secondary && info->inheritance)
		inherit(buffer, flags, info->inheritance);
	for (int i = 0; i < VK_BIND_POINTS; i++)
		buffer->pipelines[i] = 0;
	if (buffer->list)
		buffer->list->why_untimed = why_untimed(buffer, flags);
}

int32_t tacho__vulkan_reset_buffer(void *commandBuffer, uint32_t flags)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(commandBuffer);

	if (buffer) {
		tacho__vulkan_list_let_go(buffer->list);
		buffer->list = NULL;
	}
	return tacho__vulkan_next(commandBuffer)->vkResetCommandBuffer(commandBuffer, flags);
}

void tacho__vulkan_bind_pipeline(void *commandBuffer, int32_t pipelineBindPoint, uint64_t pipeline)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(commandBuffer);

	tacho__vulkan_next(commandBuffer)
		->vkCmdBindPipeline(commandBuffer, pipelineBindPoint, pipeline);
	if (!buffer)
		return;
	if (pipelineBindPoint == VK_BIND_POINT_RAYS)
		buffer->pipelines[VK_BIND_RAYS] = pipeline;
	else if (pipelineBindPoint == VK_BIND_POINT_GRAPHICS ||
		 pipelineBindPoint == VK_BIND_POINT_COMPUTE)
		buffer->pipelines[pipelineBindPoint] = pipeline;
}

/* ---- marks around commands ---- */

static void write_time(void *handle, const struct vk_list *list, uint32_t query)
{
	uint32_t number;
	uint64_t pool = tacho__vulkan_list_find_query(list, query, &number);

	list->device->table.vkCmdWriteTimestamp(handle, VK_STAGE_BOTTOM_OF_PIPE, pool, number);
}

/* 0: it can be timed. */
static uint8_t why_not(const struct vk_buffer *buffer, uint32_t function)
{
	const struct tacho__vulkan_run *run = &tacho__vulkan_runs[function - TACHO__RUN_FIRST];

	if (buffer->list->why_untimed)
		return buffer->list->why_untimed;
	if (buffer->is_in_pass && function == TACHO__RUN_vkCmdExecuteCommands)
		return TACHO__SLOT_INSIDE;
	if (buffer->is_in_pass)
		return buffer->why_inside;
	return run->by_graphics && buffer->list->device->draws_by_tile ? TACHO__SLOT_BY_TILE : 0;
}

/*
 * `why`: not 0 when it cannot be timed. `scope`: as what it can be counted; -1: it cannot be. The
 * mark is the command's number plus 1.
 */
static uint32_t begin(struct vk_buffer *buffer, const struct tacho__vulkan_ran *ran, uint8_t why,
		      int scope)
{
	const struct tacho__vulkan_run *run = &tacho__vulkan_runs[ran->function - TACHO__RUN_FIRST];
	struct vk_list *list = buffer->list;
	struct vk_command *command = list ? tacho__vulkan_list_add(list, ran) : NULL;
	bool is_counted;

	if (!command)
		return 0;
	command->pipeline = run->is_kernel ? buffer->pipelines[run->bind_point] : 0;
	command->why = why ? why : why_not(buffer, ran->function);
	command->views = buffer->is_in_pass && buffer->views ? buffer->views : 1;
	if (!command->why)
		command->query = tacho__vulkan_list_take_queries(list, command->views);
	if (!command->why && command->query == VK_NO_QUERY)
		command->why = TACHO__SLOT_NO_ROOM;
	list->has_times |= !command->why;
	list->has_graphics |= run->by_graphics;
	buffer->has_timed_parts |= buffer->is_in_pass && !command->why;
	is_counted = scope >= 0 && tacho__vulkan_count_begin(buffer, scope);
	if (!command->why)
		write_time(buffer->handle, list, command->query);
	return !command->why || is_counted ? list->count : 0;
}

static void end(const struct vk_buffer *buffer, uint32_t mark)
{
	const struct vk_list *list = buffer->list;
	const struct vk_command *command;

	if (!mark || !list || mark > list->count)
		return;
	command = &list->commands[mark - 1];
	if (command->query != VK_NO_QUERY)
		write_time(buffer->handle, list, command->query + command->views);
	tacho__vulkan_count_end(buffer, mark - 1);
}

struct tacho__vulkan_at tacho__vulkan_begin_run(void *buffer, const struct tacho__vulkan_ran *ran)
{
	struct vk_buffer *known = tacho__vulkan_find_buffer(buffer);
	bool is_kernel = tacho__vulkan_runs[ran->function - TACHO__RUN_FIRST].is_kernel;

	if (!known)
		return (struct tacho__vulkan_at){.next = tacho__vulkan_next(buffer)};
	return (struct tacho__vulkan_at){
		.next = &known->pool->device->table,
		.buffer = known,
		.mark = begin(known, ran, 0, is_kernel ? TACHO__VULKAN_COMMAND : -1)};
}

void tacho__vulkan_end_run(const struct tacho__vulkan_at *at)
{
	if (at->mark)
		end(at->buffer, at->mark);
}

uint64_t tacho__vulkan_copied_bytes(uint32_t count, const void *regions)
{
	const struct vk_region *region = regions;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < count; i++)
		bytes += region[i].size;
	return bytes;
}

uint64_t tacho__vulkan_copied_bytes2(const void *info)
{
	const struct vk_copy_info2 *copy = info;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < copy->count; i++)
		bytes += copy->regions[i].size;
	return bytes;
}

uint64_t tacho__vulkan_decoded_bytes(const void *info)
{
	return ((const struct vk_decode_info *)info)->source_bytes;
}

/* ---- render passes ---- */

static void begin_whole(struct vk_buffer *buffer, uint32_t function, uint8_t why, uint8_t views,
			const char *name)
{
	const struct tacho__vulkan_ran ran = {.function = function};
	bool is_counted = why != TACHO__SLOT_INSIDE && buffer->list &&
			  tacho__vulkan_plans_scope(buffer->list, TACHO__VULKAN_PASS);

	if (buffer->list)
		tacho__vulkan_labels_add(buffer->list, VK_PASS_BEGIN, name, 0);
	buffer->pass_mark = begin(buffer, &ran, why, is_counted ? TACHO__VULKAN_PASS : -1);
	buffer->is_in_pass = true;
	buffer->views = views;
	buffer->why_inside = why_untimed_inside(buffer);
	buffer->has_timed_parts = false;
}

/*
 * Nothing may stand between the parts of a rendering, which may be in several command buffers: so
 * there is one time in front of the first and one behind the last. Queries come in pairs, of which
 * none may stay unwritten.
 */
static void time_part(struct vk_buffer *buffer, uint32_t mark, enum vk_part part)
{
	struct vk_list *list = buffer->list;
	struct vk_command *command;

	if (!list || !mark || mark > list->count || list->why_untimed ||
	    list->device->wants_draws || list->device->draws_by_tile)
		return;
	command = &list->commands[mark - 1];
	command->part = part;
	command->query = tacho__vulkan_list_take_queries(list, 1);
	if (command->query == VK_NO_QUERY)
		return;
	list->has_times = true;
	write_time(buffer->handle, list, command->query);
	write_time(buffer->handle, list, command->query + 1);
}

/* What it did beside them is not known then. */
static void leave_to_parts(const struct vk_buffer *buffer)
{
	const struct vk_list *list = buffer->list;

	if (buffer->has_timed_parts && list && buffer->pass_mark &&
	    buffer->pass_mark <= list->count && !list->commands[buffer->pass_mark - 1].why)
		list->commands[buffer->pass_mark - 1].why = TACHO__SLOT_BY_PARTS;
}

static void end_whole(void *handle)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(handle);

	if (!buffer)
		return;
	buffer->is_in_pass = buffer->runs_others = false;
	end(buffer, buffer->pass_mark);
	leave_to_parts(buffer);
	if (buffer->part_mark)
		time_part(buffer, buffer->part_mark, VK_LAST_PART);
	buffer->pass_mark = buffer->part_mark = 0;
	if (buffer->list)
		tacho__vulkan_labels_add(buffer->list, VK_PASS_END, NULL, 0);
}

/* A pass of one part is that part. */
static void begin_part(struct vk_buffer *buffer)
{
	char name[32];

	if (buffer->pass_parts < 2 || !buffer->list)
		return;
	snprintf(name, sizeof(name), "subpass %" PRIu32, buffer->pass_part++);
	tacho__vulkan_labels_add(buffer->list, VK_PASS_PART, name, 0);
}

static void begin_render_pass(void *handle, uint32_t function,
			      const struct vk_pass_begin_info *info, int32_t contents)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(handle);
	char name[VK_NAME_BYTES];

	if (!buffer)
		return;
	buffer->pass_parts = tacho__vulkan_name_pass(info, name);
	buffer->pass_part = 0;
	buffer->pass = info->pass;
	buffer->subpass = 0;
	buffer->runs_others = contents == VK_CONTENTS_SECONDARY;
	begin_whole(buffer, function, 0, tacho__vulkan_count_views(info->pass, 0), name);
	begin_part(buffer);
}

void tacho__vulkan_next_subpass(void *commandBuffer)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(commandBuffer);

	if (!buffer)
		return;
	buffer->views = tacho__vulkan_count_views(buffer->pass, ++buffer->subpass);
	buffer->why_inside = why_untimed_inside(buffer);
	begin_part(buffer);
}

void tacho__vulkan_begin_pass(void *commandBuffer, void const *pRenderPassBegin, int32_t contents)
{
	begin_render_pass(commandBuffer, TACHO__RUN_vkCmdBeginRenderPass, pRenderPassBegin,
			  contents);
	tacho__vulkan_next(commandBuffer)
		->vkCmdBeginRenderPass(commandBuffer, pRenderPassBegin, contents);
}

void tacho__vulkan_begin_pass2(void *commandBuffer, void const *pRenderPassBegin,
			       void const *pSubpassBeginInfo)
{
	begin_render_pass(commandBuffer, TACHO__RUN_vkCmdBeginRenderPass2, pRenderPassBegin,
			  ((const struct vk_subpass_begin_info *)pSubpassBeginInfo)->contents);
	tacho__vulkan_next(commandBuffer)
		->vkCmdBeginRenderPass2(commandBuffer, pRenderPassBegin, pSubpassBeginInfo);
}

/* `count` commands were there before that of the rendering was added. */
static void begin_parts(struct vk_buffer *buffer, uint32_t flags, uint32_t count)
{
	struct vk_list *list = buffer->list;
	uint32_t mark = list->count > count ? list->count : 0;

	list->resumes_other |= flags & VK_RENDERING_RESUMING && !list->is_suspended;
	list->is_suspended = flags & VK_RENDERING_SUSPENDING;
	if (flags & VK_RENDERING_RESUMING)
		buffer->part_mark = list->is_suspended ? 0 : mark;
	else if (list->is_suspended)
		time_part(buffer, mark, VK_FIRST_PART);
}

/* Nothing may stand between a rendering that is suspended and where it is resumed. */
void tacho__vulkan_begin_rendering(void *commandBuffer, void const *pRenderingInfo)
{
	const struct vk_rendering_info *info = pRenderingInfo;
	bool is_part = info->flags & (VK_RENDERING_SUSPENDING | VK_RENDERING_RESUMING);
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(commandBuffer);
	uint32_t count = buffer && buffer->list ? buffer->list->count : 0;
	char name[VK_NAME_BYTES];

	if (buffer) {
		buffer->pass_parts = 1;
		tacho__vulkan_name_rendering(info, name);
		buffer->runs_others = info->flags & VK_RENDERING_SECONDARY;
		begin_whole(buffer, TACHO__RUN_vkCmdBeginRendering,
			    is_part ? TACHO__SLOT_INSIDE : 0,
			    (uint8_t)__builtin_popcount(info->views), name);
		if (buffer->list)
			begin_parts(buffer, info->flags, count);
	}
	tacho__vulkan_next(commandBuffer)->vkCmdBeginRendering(commandBuffer, pRenderingInfo);
}

void tacho__vulkan_end_pass(void *commandBuffer)
{
	tacho__vulkan_next(commandBuffer)->vkCmdEndRenderPass(commandBuffer);
	end_whole(commandBuffer);
}

void tacho__vulkan_end_pass2(void *commandBuffer, void const *pSubpassEndInfo)
{
	tacho__vulkan_next(commandBuffer)->vkCmdEndRenderPass2(commandBuffer, pSubpassEndInfo);
	end_whole(commandBuffer);
}

void tacho__vulkan_end_rendering(void *commandBuffer)
{
	tacho__vulkan_next(commandBuffer)->vkCmdEndRendering(commandBuffer);
	end_whole(commandBuffer);
}

/* ---- whole command buffers ---- */

/* What is counted of the whole is begun before anything else is recorded, and ended last. One that
 * may run several times at once is timed as a whole, from outside (vk_edges.c). */
static void begin_whole_buffer(struct vk_buffer *buffer)
{
	const struct tacho__vulkan_ran ran = {.function = TACHO__RUN_vkBeginCommandBuffer};

	bool is_counted =
		buffer->list && tacho__vulkan_plans_scope(buffer->list, TACHO__VULKAN_BUFFER);
	bool is_at_once = buffer->list && !buffer->is_secondary &&
			  buffer->list->why_untimed == TACHO__SLOT_AT_ONCE;

	buffer->whole_mark = 0;
	if (!is_counted && !is_at_once)
		return;
	buffer->whole_mark = begin(buffer, &ran, 0, is_counted ? TACHO__VULKAN_BUFFER : -1);
	buffer->list->is_edged = is_at_once && buffer->list->count;
}

int32_t tacho__vulkan_begin_buffer(void *commandBuffer, void const *pBeginInfo)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(commandBuffer);
	int32_t rc =
		tacho__vulkan_next(commandBuffer)->vkBeginCommandBuffer(commandBuffer, pBeginInfo);

	if (!rc && buffer) {
		begin_list(buffer, pBeginInfo);
		begin_whole_buffer(buffer);
	}
	return rc;
}

/* It runs others that have times: then it has none of its own. */
static void leave_whole_to_parts(struct vk_list *list)
{
	if (!list || !list->is_edged || !list->has_times)
		return;
	list->is_edged = false;
	list->commands[0].why = TACHO__SLOT_BY_PARTS;
}

int32_t tacho__vulkan_end_buffer(void *commandBuffer)
{
	const struct vk_buffer *buffer = tacho__vulkan_find_buffer(commandBuffer);

	if (buffer) {
		end(buffer, buffer->whole_mark);
		leave_whole_to_parts(buffer->list);
	}
	return tacho__vulkan_next(commandBuffer)->vkEndCommandBuffer(commandBuffer);
}

/* ---- secondary command buffers ---- */

/* Behind the command that runs them, one for each, which stands for what it holds. */
static void add_children(struct vk_list *list, uint32_t count, void *const *buffers)
{
	const struct tacho__vulkan_ran none = {.function = 0};

	for (uint32_t i = 0; i < count; i++) {
		struct vk_list *child = tacho__vulkan_find_list(buffers[i]);
		struct vk_command *command = child ? tacho__vulkan_list_add(list, &none) : NULL;

		if (!child)
			list->dropped++; /* what it holds is not known */
		if (!command)
			continue;
		tacho__vulkan_list_hold(child);
		command->child = child;
		list->has_graphics |= child->has_graphics;
		list->resumes_other |= child->resumes_other && !list->is_suspended;
		if (child->resumes_other || child->is_suspended)
			list->is_suspended = child->is_suspended;
		list->runs_queries |= child->runs_queries || child->query_count ||
				      tacho__vulkan_has_counts(child);
	}
}

/* Of a rendering that goes on in front of them, or behind. */
static bool have_parts(uint32_t count, void *const *buffers)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct vk_list *child = tacho__vulkan_find_list(buffers[i]);

		if (child && (child->resumes_other || child->is_suspended))
			return true;
	}
	return false;
}

static bool have_times(uint32_t count, void *const *buffers)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct vk_list *child = tacho__vulkan_find_list(buffers[i]);

		if (child && child->has_times)
			return true;
	}
	return false;
}

/* Around a command that runs others, of which some may have times. */
static uint32_t begin_others(struct vk_buffer *buffer, uint32_t count, void *const *buffers)
{
	const struct tacho__vulkan_ran ran = {.function = TACHO__RUN_vkCmdExecuteCommands};
	bool have = have_times(count, buffers);
	uint8_t why = have_parts(count, buffers) ? TACHO__SLOT_INSIDE
		      : have			 ? TACHO__SLOT_BY_PARTS
						 : 0;
	uint32_t mark = begin(buffer, &ran, why, -1);

	buffer->has_timed_parts |= buffer->is_in_pass && have;
	buffer->list->has_times |= have;
	add_children(buffer->list, count, buffers);
	return mark;
}

/* ---- where there is no memory to know what runs them ---- */

static void reset_list(void *handle, struct vk_list *list, int depth)
{
	const struct vk_device *device = list->device;
	uint32_t count;

	for (uint32_t k = 0; (count = tacho__vulkan_list_count_queries(list, k)); k++)
		if (list->is_by_host)
			device->table.vkResetQueryPool(device->handle, list->pools[k], 0, count);
		else
			device->table.vkCmdResetQueryPool(handle, list->pools[k], 0, count);
	tacho__vulkan_reset_counts(list, handle);
	tacho__vulkan_list_note_reset(list, NULL);
	for (uint32_t i = 0; list->runs_queries && depth < VK_DEPTH_MAX && i < list->count; i++)
		if (list->commands[i].child)
			reset_list(handle, list->commands[i].child, depth + 1);
}

/* Their queries are reset where they run, as nobody will know that they do; where only the host
 * can, for the first run. In a render pass that may not be. */
static void reset_others(void *handle, uint32_t count, void *const *buffers)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct vk_buffer *child = tacho__vulkan_find_buffer(buffers[i]);

		if (child && child->list && !child->continues)
			reset_list(handle, child->list, 0);
	}
}

void tacho__vulkan_execute_buffers(void *commandBuffer, uint32_t commandBufferCount,
				   void *const *pCommandBuffers)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(commandBuffer);
	struct vk_list *list = buffer ? buffer->list : NULL;
	uint32_t mark = 0;

	if (list && tacho__vulkan_list_make_room(list, commandBufferCount + 1)) {
		mark = begin_others(buffer, commandBufferCount, pCommandBuffers);
	} else {
		reset_others(commandBuffer, commandBufferCount, pCommandBuffers);
		if (list)
			list->dropped += (uint64_t)commandBufferCount + 1;
	}
	tacho__vulkan_next(commandBuffer)
		->vkCmdExecuteCommands(commandBuffer, commandBufferCount, pCommandBuffers);
	if (buffer)
		end(buffer, mark);
}
