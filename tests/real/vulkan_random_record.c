/* SPDX-License-Identifier: MIT */
/*
 * Commands by chance, and what is known of them: how many of each kind a command buffer holds, and
 * which of these can be timed. Each command waits for all before it, so that what is computed is
 * the same each time.
 */
#include <string.h>

#include "vulkan_random.h"

const char *const kind_names[KINDS] = {
	[COPY_BUFFER] = "vkCmdCopyBuffer",
	[COPY_RESULTS] = "vkCmdCopyQueryPoolResults",
	[DISPATCH] = "vkCmdDispatch",
	[DISPATCH_INDIRECT] = "vkCmdDispatchIndirect",
	[DRAW] = "vkCmdDraw",
	[DRAW_INDIRECT] = "vkCmdDrawIndirect",
	[EXECUTE] = "vkCmdExecuteCommands",
	[FILL] = "vkCmdFillBuffer",
	[PASS] = "vkCmdBeginRenderPass",
	[RENDERING] = "vkCmdBeginRendering",
	[UPDATE] = "vkCmdUpdateBuffer",
	[WHOLE] = "vkBeginCommandBuffer",
};

enum { OPERATIONS_MAX = 7, DRAWS_MAX = 4, UPDATE_WORDS = 4, SIDE = 16 };

uint32_t choose(struct lane *lane, uint32_t end)
{
	lane->seed = lane->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((lane->seed >> 33) % end);
}

bool happens(struct lane *lane, uint32_t percent)
{
	return choose(lane, 100) < percent;
}

/* ---- what is known ---- */

static void note(struct slot *slot, enum kind kind, bool is_timed)
{
	slot->counts.all[kind]++;
	slot->counts.least[kind] += is_timed;
	slot->counts.most[kind] += is_timed;
	slot->has_times |= is_timed;
	slot->draws |= kind == DRAW || kind == DRAW_INDIRECT || kind == PASS || kind == RENDERING;
}

static bool may_be_timed(const struct lane *lane, const struct slot *slot)
{
	return lane->is_timed && !(slot->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
}

/* What may run several times at once is timed as a whole, but where only its host could do that. */
static void note_whole(const struct lane *lane, struct slot *slot)
{
	bool by_tile = slot->draws && lane->vk->draws_by_tile;

	if (!slot->is_secondary && lane->is_timed &&
	    slot->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT)
		note(slot, WHOLE, !lane->only_transfers && !by_tile && !slot->has_times);
}

static bool runs(const struct slot *slot, const struct slot *other)
{
	for (uint32_t i = 0; i < slot->child_count; i++)
		if (slot->children[i] == other || runs(slot->children[i], other))
			return true;
	return false;
}

void forget(struct lane *lane, struct slot *slot)
{
	slot->is_recorded = false;
	for (int i = 0; i < SLOTS; i++)
		if (lane->slots[i].is_recorded && runs(&lane->slots[i], slot))
			lane->slots[i].is_recorded = false;
}

bool is_on_its_way(const struct lane *lane, const struct slot *slot)
{
	return slot->last > lane->ended;
}

/* What runs a secondary that may be in one place only is not to be used any more. */
static void adopt(struct lane *lane, struct slot *slot, struct slot *child)
{
	if (!(child->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT))
		for (int i = 0; i < SLOTS; i++)
			if (&lane->slots[i] != slot && runs(&lane->slots[i], child))
				lane->slots[i].is_recorded = false;
	slot->children[slot->child_count++] = child;
	slot->draws |= child->draws;
	for (int i = 0; i < KINDS; i++) {
		slot->counts.all[i] += child->counts.all[i];
		slot->counts.least[i] += child->counts.least[i];
		slot->counts.most[i] += child->counts.most[i];
	}
}

static void separate(VkCommandBuffer commands)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* ---- outside of render passes ---- */

static void fill(struct lane *lane, struct slot *slot)
{
	uint32_t at = choose(lane, HASHED - 64), words = 1 + choose(lane, 64);

	vkCmdFillBuffer(slot->commands, lane->buffer, at * 4, words * 4, choose(lane, 1u << 31));
	note(slot, FILL, may_be_timed(lane, slot));
}

static void copy(struct lane *lane, struct slot *slot)
{
	uint32_t words = 1 + choose(lane, HASHED / 2);
	VkBufferCopy regions[2] = {{0, HASHED * 2, words * 4}, {0, HASHED * 2, words * 4}};

	if (happens(lane, 50))
		regions[0] = (VkBufferCopy){HASHED * 2, 0, words * 4};
	vkCmdCopyBuffer(slot->commands, lane->buffer, lane->buffer, 1, regions);
	note(slot, COPY_BUFFER, may_be_timed(lane, slot));
}

static void update(struct lane *lane, struct slot *slot)
{
	uint32_t words[UPDATE_WORDS];

	for (int i = 0; i < UPDATE_WORDS; i++)
		words[i] = choose(lane, 1u << 31);
	vkCmdUpdateBuffer(slot->commands, lane->buffer, choose(lane, HASHED - UPDATE_WORDS) * 4,
			  sizeof(words), words);
	note(slot, UPDATE, may_be_timed(lane, slot));
}

static void bind_spin(struct lane *lane, struct slot *slot)
{
	const struct device *vk = lane->vk;
	const VkDescriptorBufferInfo whole = {lane->buffer, 0, VK_WHOLE_SIZE};
	const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
					    .descriptorCount = 1,
					    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
					    .pBufferInfo = &whole};

	if (vk->has_pushes && happens(lane, 50)) {
		vkCmdBindPipeline(slot->commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk->pushed_spin);
		vk->push(slot->commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk->pushed, 0, 1, &write);
		return;
	}
	vkCmdBindPipeline(slot->commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk->spin);
	vkCmdBindDescriptorSets(slot->commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1,
				&lane->set, 0, NULL);
}

static void dispatch(struct lane *lane, struct slot *slot)
{
	bool has_condition = lane->vk->has_conditions && happens(lane, 25);
	const VkConditionalRenderingBeginInfoEXT condition = {
		.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
		.buffer = lane->vk->numbers,
		.offset = happens(lane, 50) ? ONE_AT : ZERO_AT};

	bind_spin(lane, slot);
	if (has_condition)
		lane->vk->begin_condition(slot->commands, &condition);
	if (happens(lane, 70)) {
		vkCmdDispatch(slot->commands, choose(lane, HASHED / 64), 1, 1);
		note(slot, DISPATCH, may_be_timed(lane, slot));
	} else {
		vkCmdDispatchIndirect(slot->commands, lane->vk->numbers,
				      happens(lane, 50) ? GROUPS_AT : NO_GROUPS_AT);
		note(slot, DISPATCH_INDIRECT, may_be_timed(lane, slot));
	}
	if (has_condition)
		lane->vk->end_condition(slot->commands);
}

/* Its result goes where nobody looks. */
static void tell_time(struct lane *lane, struct slot *slot)
{
	uint32_t query = choose(lane, QUERIES);

	vkCmdResetQueryPool(slot->commands, lane->times, query, 1);
	vkCmdWriteTimestamp(slot->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, lane->times, query);
	vkCmdCopyQueryPoolResults(slot->commands, lane->times, query, 1, lane->buffer, HASHED * 4,
				  16, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
	note(slot, COPY_RESULTS, may_be_timed(lane, slot));
}

static void set_event(struct lane *lane, struct slot *slot)
{
	const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
					 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
					 .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
							  VK_ACCESS_MEMORY_WRITE_BIT};

	vkCmdSetEvent(slot->commands, lane->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
	if (happens(lane, 60))
		fill(lane, slot);
	vkCmdWaitEvents(slot->commands, 1, &lane->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 1, &barrier, 0, NULL, 0, NULL);
	vkCmdResetEvent(slot->commands, lane->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

/* ---- render passes ---- */

static void draw(struct lane *lane, struct slot *slot, bool by_rendering)
{
	uint32_t count = choose(lane, DRAWS_MAX + 1);

	vkCmdBindPipeline(slot->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
			  by_rendering ? lane->vk->drawing : lane->vk->pass_drawing);
	for (uint32_t i = 0; i < count; i++)
		if (happens(lane, 80)) {
			vkCmdDraw(slot->commands, choose(lane, 5), 1 + choose(lane, 2), 0, 0);
			note(slot, DRAW, false);
		} else {
			vkCmdDrawIndirect(slot->commands, lane->vk->numbers,
					  happens(lane, 50) ? DRAW_AT : NO_DRAW_AT, 1, 16);
			note(slot, DRAW_INDIRECT, false);
		}
}

static bool is_free_child(const struct lane *lane, const struct slot *slot,
			  const struct slot *child)
{
	bool repeats = child->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
	bool is_repeated = slot->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;

	if (child <= slot || !child->is_recorded || slot->child_count == CHILDREN_MAX ||
	    (slot->is_secondary && is_repeated && !repeats))
		return false;
	return repeats || (!is_on_its_way(lane, child) && !runs(slot, child));
}

/* Some of the secondaries from `first` on that fit; false: none does. */
static bool execute(struct lane *lane, struct slot *slot, bool continues, bool by_rendering)
{
	VkCommandBuffer chosen[3];
	uint32_t count = 0;
	bool has_times = false;

	for (int i = PRIMARIES; i < SLOTS && count < 3; i++) {
		struct slot *child = &lane->slots[i];

		if (child->continues != continues || !is_free_child(lane, slot, child) ||
		    (continues && child->by_rendering != by_rendering) || happens(lane, 40))
			continue;
		chosen[count++] = child->commands;
		has_times |= child->has_times;
		adopt(lane, slot, child);
	}
	if (!count)
		return false;
	vkCmdExecuteCommands(slot->commands, count, chosen);
	note(slot, EXECUTE, may_be_timed(lane, slot) && !has_times && !continues);
	slot->has_times |= has_times;
	return true;
}

static void begin_rendering(struct lane *lane, struct slot *slot, VkRenderingFlags flags)
{
	const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
				      .flags = flags,
				      .renderArea = {{0, 0}, {SIDE, SIDE}},
				      .layerCount = 1};
	bool is_part = flags & VK_RENDERING_RESUMING_BIT;

	vkCmdBeginRendering(slot->commands, &info);
	note(slot, RENDERING, may_be_timed(lane, slot) && !lane->vk->draws_by_tile && !is_part);
}

static void begin_pass(struct lane *lane, struct slot *slot, bool by_rendering, bool runs_others)
{
	const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
					    .renderPass = lane->vk->pass,
					    .framebuffer = lane->vk->framebuffer,
					    .renderArea = {{0, 0}, {SIDE, SIDE}}};

	if (by_rendering) {
		begin_rendering(lane, slot,
				runs_others ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT
					    : 0);
		return;
	}
	vkCmdBeginRenderPass(slot->commands, &info,
			     runs_others ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
					 : VK_SUBPASS_CONTENTS_INLINE);
	note(slot, PASS, may_be_timed(lane, slot) && !lane->vk->draws_by_tile);
}

/* A rendering in parts, between which nothing may stand. */
static void render_in_parts(struct lane *lane, struct slot *slot)
{
	uint32_t parts = 2 + choose(lane, 2);

	for (uint32_t i = 0; i < parts; i++) {
		VkRenderingFlags flags = (i ? VK_RENDERING_RESUMING_BIT : 0) |
					 (i + 1 < parts ? VK_RENDERING_SUSPENDING_BIT : 0);

		begin_rendering(lane, slot, flags);
		draw(lane, slot, true);
		vkCmdEndRendering(slot->commands);
	}
}

static void render(struct lane *lane, struct slot *slot)
{
	bool may_run = !slot->is_secondary || lane->vk->is_fake;
	bool by_rendering = slot->is_secondary || happens(lane, 50);
	bool runs_others = may_run && happens(lane, 30);
	uint32_t query = choose(lane, QUERIES);
	bool has_own = lane->samples && !runs_others && happens(lane, 30);

	if (happens(lane, 15)) {
		render_in_parts(lane, slot);
		return;
	}
	if (has_own)
		vkCmdResetQueryPool(slot->commands, lane->samples, query, 1);
	begin_pass(lane, slot, by_rendering, runs_others);
	if (has_own)
		vkCmdBeginQuery(slot->commands, lane->samples, query, VK_QUERY_CONTROL_PRECISE_BIT);
	if (runs_others)
		execute(lane, slot, true, by_rendering);
	else
		draw(lane, slot, by_rendering);
	if (has_own)
		vkCmdEndQuery(slot->commands, lane->samples, query);
	if (by_rendering)
		vkCmdEndRendering(slot->commands);
	else
		vkCmdEndRenderPass(slot->commands);
	if (!has_own)
		return;
	vkCmdCopyQueryPoolResults(slot->commands, lane->samples, query, 1, lane->buffer,
				  choose(lane, HASHED / 2) * 8, 8,
				  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
	note(slot, COPY_RESULTS, may_be_timed(lane, slot));
}

/* ---- the whole ---- */

static void operate(struct lane *lane, struct slot *slot);

/* The program's own statistics around others of its commands, and what they were. */
static void measure(struct lane *lane, struct slot *slot)
{
	uint32_t query = choose(lane, QUERIES);

	vkCmdResetQueryPool(slot->commands, lane->statistics, query, 1);
	vkCmdBeginQuery(slot->commands, lane->statistics, query, 0);
	for (uint32_t i = choose(lane, 3); i; i--) {
		dispatch(lane, slot);
		separate(slot->commands);
	}
	vkCmdEndQuery(slot->commands, lane->statistics, query);
	vkCmdCopyQueryPoolResults(slot->commands, lane->statistics, query, 1, lane->buffer,
				  choose(lane, HASHED / 2 - 1) * 8, 16,
				  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
	note(slot, COPY_RESULTS, may_be_timed(lane, slot));
}

static void operate(struct lane *lane, struct slot *slot)
{
	bool is_graphics = lane->vk->families[lane->family].queueFlags & VK_QUEUE_GRAPHICS_BIT;
	uint32_t what = choose(lane, lane->only_transfers ? 40 : 100);

	if (what < 15)
		fill(lane, slot);
	else if (what < 27)
		copy(lane, slot);
	else if (what < 33)
		update(lane, slot);
	else if (what < 45 && (!slot->is_secondary || lane->vk->is_fake))
		execute(lane, slot, false, false);
	else if (what < 60 && !lane->only_transfers)
		dispatch(lane, slot);
	else if (what < 66 && lane->times)
		tell_time(lane, slot);
	else if (what < 74 && lane->event && !slot->is_secondary)
		set_event(lane, slot);
	else if (what < 82 && lane->statistics)
		measure(lane, slot);
	else if (is_graphics)
		render(lane, slot);
}

static void begin(struct lane *lane, struct slot *slot)
{
	const VkCommandBufferInheritanceRenderingInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
	const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
					       .flags = slot->flags,
					       .pInheritanceInfo = &inheritance};

	if (slot->continues && slot->by_rendering)
		inheritance.pNext = &rendering;
	else if (slot->continues)
		inheritance.renderPass = lane->vk->pass;
	check(vkBeginCommandBuffer(slot->commands, &info), "vkBeginCommandBuffer");
}

void record(struct lane *lane, struct slot *slot)
{
	static const VkCommandBufferUsageFlags usages[] = {
		0, 0, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
		VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};

	forget(lane, slot);
	memset(&slot->counts, 0, sizeof(slot->counts));
	slot->child_count = 0;
	slot->has_times = slot->draws = false;
	slot->by_rendering = happens(lane, 50);
	slot->flags = usages[choose(lane, 4)] |
		      (slot->continues ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0u);
	begin(lane, slot);
	if (slot->continues)
		draw(lane, slot, slot->by_rendering);
	for (uint32_t i = choose(lane, OPERATIONS_MAX); i && !slot->continues; i--) {
		operate(lane, slot);
		separate(slot->commands);
	}
	check(vkEndCommandBuffer(slot->commands), "vkEndCommandBuffer");
	slot->is_recorded = true;
	note_whole(lane, slot);
}
