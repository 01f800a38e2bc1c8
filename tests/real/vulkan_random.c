/* SPDX-License-Identifier: MIT */
/*
 * vulkan_random SEED ROUNDS [LANES]: a Vulkan program without a window, made by chance, the same
 * for the same numbers. So many threads, with a queue each or sharing one, record command buffers
 * of whatever may stand in one, submit them in all the ways that there are, and record them anew.
 * Prints what the memory holds at the end, and of each command that a device runs how often it did,
 * and how many of these can be timed:
 *
 *   memory NUMBER
 *   NAME COUNT LEAST MOST
 *
 * PROGRESS: a file that holds the same of what has ended, at any time. Exit status 77: no device,
 * or none that can do it.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vulkan_random.h"

enum {
	BATCHES_MAX = 3,
	BUFFERS_MAX = 3,
	UNSEEN_MAX = 40, /* submits on their way */
	LINE_BYTES = 128,
	TEXT_BYTES = (KINDS + 1) * LINE_BYTES,
};

static struct device vk;
static struct lane lanes[LANES_MAX];
static uint32_t lane_count;

/* ---- waiting ---- */

static void lock(const struct lane *lane)
{
	pthread_mutex_lock(&lane->vk->locks[lane->family][lane->queue_number]);
}

static void unlock(const struct lane *lane)
{
	pthread_mutex_unlock(&lane->vk->locks[lane->family][lane->queue_number]);
}

/* What a submit waits for happens now. */
static void let_run(struct lane *lane)
{
	const VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
					    .semaphore = lane->line,
					    .value = lane->line_waited};

	if (lane->line_waited <= lane->line_now)
		return;
	check(vkSignalSemaphore(lane->vk->device, &info), "vkSignalSemaphore");
	lane->line_now = lane->line_waited;
}

static void submit_fence(struct lane *lane)
{
	lock(lane);
	check(vkQueueSubmit(lane->queue, 0, NULL, lane->fence), "a fence alone");
	unlock(lane);
}

/* `has_fence`: the last submit has the lane's. */
static void await_all(struct lane *lane, bool has_fence)
{
	bool is_alone = lane->vk->users[lane->family][lane->queue_number] == 1;

	let_run(lane);
	if (!has_fence && is_alone && happens(lane, 30)) {
		check(vkQueueWaitIdle(lane->queue), "vkQueueWaitIdle");
	} else {
		if (!has_fence)
			submit_fence(lane);
		check(vkWaitForFences(lane->vk->device, 1, &lane->fence, VK_TRUE, UINT64_MAX),
		      "vkWaitForFences");
		check(vkResetFences(lane->vk->device, 1, &lane->fence), "vkResetFences");
	}
	lane->ended = lane->submits;
}

/* ---- telling ---- */

static int print_counts(char *text, const struct counts *counts)
{
	int size = 0;

	for (int i = 0; i < KINDS; i++)
		if (counts->all[i])
			size += snprintf(text + size, LINE_BYTES,
					 "%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", kind_names[i],
					 counts->all[i], counts->least[i], counts->most[i]);
	return size;
}

/* Of a program with one lane: when it is killed, this has ended. */
static void tell_progress(const struct lane *lane)
{
	static int file = -2;
	char text[TEXT_BYTES];
	int size;

	if (file == -2)
		file = getenv("PROGRESS") ? open(getenv("PROGRESS"), O_CREAT | O_WRONLY, 0666) : -1;
	if (file < 0)
		return;
	size = print_counts(text, &lane->counts);
	if (pwrite(file, text, (size_t)size, 0) != size)
		exit(1);
}

/* ---- submitting ---- */

struct batch {
	VkCommandBuffer buffers[BUFFERS_MAX];
	uint32_t count;
	bool has_masks;
};

static void sum(struct counts *all, const struct counts *more)
{
	for (int i = 0; i < KINDS; i++) {
		all->all[i] += more->all[i];
		all->least[i] += more->least[i];
		all->most[i] += more->most[i];
	}
}

static bool repeats(const struct slot *slot)
{
	return slot->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
}

/* Whether it may be submitted once more now. */
static bool is_ready(const struct lane *lane, const struct slot *slot)
{
	if (!slot->is_recorded || (!repeats(slot) && is_on_its_way(lane, slot)))
		return false;
	for (uint32_t i = 0; i < slot->child_count; i++)
		if (!is_ready(lane, slot->children[i]))
			return false;
	return true;
}

static void mark(struct lane *lane, struct slot *slot)
{
	slot->last = lane->submits + 1;
	for (uint32_t i = 0; i < slot->child_count; i++)
		mark(lane, slot->children[i]);
	if (slot->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)
		forget(lane, slot);
}

/* Nothing is put beside the command buffers of a batch that has a mask for each of them. */
static void choose_batch(struct lane *lane, struct batch *batch, bool has_masks)
{
	uint32_t wanted = choose(lane, BUFFERS_MAX + 1);

	batch->count = 0;
	batch->has_masks = has_masks;
	for (uint32_t i = 0; i < wanted; i++) {
		struct slot *slot = &lane->slots[choose(lane, PRIMARIES)];

		if (!is_ready(lane, slot))
			continue;
		batch->buffers[batch->count++] = slot->commands;
		sum(&lane->counts, &slot->counts);
		if (has_masks) {
			lane->counts.least[WHOLE] -= slot->counts.least[WHOLE];
			lane->counts.most[WHOLE] -= slot->counts.most[WHOLE];
		}
		mark(lane, slot);
	}
}

/* What a batch waits for, if it does, and signals. */
struct signals {
	bool waits;
	uint64_t waited, signalled;
};

static VkResult submit_1(const struct lane *lane, const struct batch *batches, uint32_t count,
			 const struct signals *signals, VkFence fence)
{
	static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	static const uint32_t masks[BUFFERS_MAX] = {1, 1, 1}, zero = 0;
	VkDeviceGroupSubmitInfo groups[BATCHES_MAX];
	VkTimelineSemaphoreSubmitInfo values = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &signals->waited};
	VkSubmitInfo infos[BATCHES_MAX];

	for (uint32_t i = 0; i < count; i++) {
		bool waits = !i && signals->waits;

		groups[i] = (VkDeviceGroupSubmitInfo){
			.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
			.pNext = waits ? &values : NULL,
			.waitSemaphoreCount = waits,
			.pWaitSemaphoreDeviceIndices = &zero,
			.commandBufferCount = batches[i].count,
			.pCommandBufferDeviceMasks = masks};
		infos[i] = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
					  .pNext = batches[i].has_masks ? (void *)&groups[i]
						   : waits		? (void *)&values
									: NULL,
					  .waitSemaphoreCount = waits,
					  .pWaitSemaphores = &lane->line,
					  .pWaitDstStageMask = &stage,
					  .commandBufferCount = batches[i].count,
					  .pCommandBuffers = batches[i].buffers};
	}
	return vkQueueSubmit(lane->queue, count, infos, fence);
}

static VkResult submit_2(const struct lane *lane, const struct batch *batches, uint32_t count,
			 const struct signals *signals, VkFence fence)
{
	const VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
					    .semaphore = lane->line,
					    .value = signals->waited,
					    .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
	VkCommandBufferSubmitInfo buffers[BATCHES_MAX][BUFFERS_MAX];
	VkSubmitInfo2 infos[BATCHES_MAX];

	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < batches[i].count; k++)
			buffers[i][k] = (VkCommandBufferSubmitInfo){
				.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
				.commandBuffer = batches[i].buffers[k]};
		infos[i] = (VkSubmitInfo2){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
					   .waitSemaphoreInfoCount = !i && signals->waits,
					   .pWaitSemaphoreInfos = &wait,
					   .commandBufferInfoCount = batches[i].count,
					   .pCommandBufferInfos = buffers[i]};
	}
	return vkQueueSubmit2(lane->queue, count, infos, fence);
}

static void submit(struct lane *lane)
{
	struct batch batches[BATCHES_MAX];
	uint32_t count = choose(lane, BATCHES_MAX + 1);
	bool has_fence = happens(lane, 30), is_newer = happens(lane, 50);
	struct signals signals = {.waits = count && happens(lane, 15)};
	VkFence fence = has_fence ? lane->fence : VK_NULL_HANDLE;

	for (uint32_t i = 0; i < count; i++)
		choose_batch(lane, &batches[i], !is_newer && happens(lane, 30));
	if (signals.waits)
		signals.waited = lane->line_waited = lane->line_now + 1;
	lock(lane);
	check((is_newer ? submit_2 : submit_1)(lane, batches, count, &signals, fence), "a submit");
	unlock(lane);
	lane->submits++;
	if (!has_fence && lane->submits - lane->ended < UNSEEN_MAX && happens(lane, 80))
		return;
	await_all(lane, has_fence);
	tell_progress(lane);
}

/* ---- command buffers ---- */

static void make_pool(struct lane *lane)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
		.queueFamilyIndex = lane->family};

	check(vkCreateCommandPool(lane->vk->device, &info, allocator, &lane->pool),
	      "vkCreateCommandPool");
}

static void make_slot(const struct lane *lane, struct slot *slot)
{
	VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
					    .commandPool = lane->pool,
					    .commandBufferCount = 1};
	ptrdiff_t index = slot - lane->slots;

	*slot = (struct slot){.is_secondary = index >= PRIMARIES,
			      .continues = index >= PRIMARIES + SECONDARIES};
	info.level = slot->is_secondary ? VK_COMMAND_BUFFER_LEVEL_SECONDARY
					: VK_COMMAND_BUFFER_LEVEL_PRIMARY;
	check(vkAllocateCommandBuffers(lane->vk->device, &info, &slot->commands),
	      "vkAllocateCommandBuffers");
}

static void make_slots(struct lane *lane)
{
	for (int i = 0; i < SLOTS; i++)
		make_slot(lane, &lane->slots[i]);
}

static struct slot *choose_slot(struct lane *lane)
{
	bool draws = lane->vk->families[lane->family].queueFlags & VK_QUEUE_GRAPHICS_BIT;

	return &lane->slots[choose(lane, draws ? SLOTS : PRIMARIES + SECONDARIES)];
}

/* What its pool does to all of them. */
static void change_pool(struct lane *lane)
{
	await_all(lane, false);
	if (happens(lane, 50)) {
		check(vkResetCommandPool(lane->vk->device, lane->pool, 0), "vkResetCommandPool");
		for (int i = 0; i < SLOTS; i++)
			lane->slots[i].is_recorded = false;
		return;
	}
	vkDestroyCommandPool(lane->vk->device, lane->pool, NULL);
	make_pool(lane);
	make_slots(lane);
}

static void change_slot(struct lane *lane)
{
	struct slot *slot = choose_slot(lane);

	if (is_on_its_way(lane, slot))
		return;
	forget(lane, slot);
	if (happens(lane, 50)) {
		check(vkResetCommandBuffer(slot->commands, 0), "vkResetCommandBuffer");
		return;
	}
	vkFreeCommandBuffers(lane->vk->device, lane->pool, 1, &slot->commands);
	make_slot(lane, slot);
}

static void *run(void *user)
{
	struct lane *lane = user;

	make_pool(lane);
	make_slots(lane);
	for (uint32_t i = 0; i < lane->rounds; i++) {
		uint32_t what = choose(lane, 100);
		struct slot *slot = choose_slot(lane);

		if (what < 45 && !is_on_its_way(lane, slot))
			record(lane, slot);
		else if (what < 90)
			submit(lane);
		else if (what < 93)
			let_run(lane);
		else if (what < 98)
			change_slot(lane);
		else
			change_pool(lane);
	}
	await_all(lane, false);
	return NULL;
}

/* ---- all ---- */

/* A queue of each kind in turn; only those with queues of their own wait for them. */
static void make_lanes(uint64_t seed, uint32_t rounds)
{
	uint32_t family = 0, number = 0;

	for (uint32_t i = 0; i < lane_count; i++) {
		lanes[i].seed = seed * 1000003 + i;
		lanes[i].rounds = rounds;
		make_lane(&lanes[i], &vk, family, number % vk.families[family].queueCount);
		if (++family < vk.family_count)
			continue;
		family = 0;
		number = (number + 1) % QUEUES_MAX;
	}
}

static uint64_t add_words(uint64_t hash, const struct lane *lane)
{
	for (int i = 0; i < HASHED; i++)
		hash = (hash ^ lane->words[i]) * 1099511628211u;
	return hash;
}

int main(int argc, char **argv)
{
	uint64_t hash = 14695981039346656037u;
	struct counts counts = {0};
	char text[TEXT_BYTES];

	if (argc < 3)
		return 2;
	lane_count = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1;
	make_device(&vk);
	make_lanes(strtoull(argv[1], NULL, 10), (uint32_t)strtoul(argv[2], NULL, 10));
	for (uint32_t i = 0; i < lane_count; i++)
		if (pthread_create(&lanes[i].thread, NULL, run, &lanes[i]))
			return 1;
	for (uint32_t i = 0; i < lane_count; i++)
		pthread_join(lanes[i].thread, NULL);
	for (uint32_t i = 0; i < lane_count; i++) {
		hash = add_words(hash, &lanes[i]);
		sum(&counts, &lanes[i].counts);
		free_lane(&lanes[i]);
	}
	free_device(&vk);
	print_counts(text, &counts);
	printf("memory %016" PRIx64 "\n%s", hash, text);
	return 0;
}
