/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_lists.h"

#include <stdlib.h>
#include <string.h>

#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_queries.h"
#include "inject/vulkan/vk_resets.h"

enum { COMMANDS_FIRST = 64, HOLE_BITS = 6 };

/* ---- those that nobody holds ---- */

/* What is put around a command buffer is of its family. Those beyond are not timed. */
static struct vk_free_lists *free_of(struct vk_device *device, uint32_t family)
{
	return &device->free_lists[family % VK_FAMILIES_MAX];
}

static void put_free(struct vk_free_lists *free_lists, struct vk_list *first, struct vk_list *last)
{
	last->next_free = atomic_load_explicit(&free_lists->first, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&free_lists->first, &last->next_free, first))
		;
}

/* All are taken out and the rest is put back, so that no list is taken while it changes hands. */
static struct vk_list *take_free(struct vk_free_lists *free_lists)
{
	struct vk_list *all = atomic_exchange(&free_lists->first, NULL), *last;

	if (all && all->next_free) {
		for (last = all->next_free; last->next_free; last = last->next_free)
			;
		put_free(free_lists, all->next_free, last);
	}
	return all;
}

struct vk_list *tacho__vulkan_list_take(struct vk_device *device, uint32_t family)
{
	struct vk_list *list = take_free(free_of(device, family));

	if (!list)
		list = calloc(1, sizeof(*list));
	if (!list)
		return NULL;
	list->device = device;
	list->family = family;
	list->is_by_host = tacho__vulkan_is_family_by_host(device, family);
	list->count = list->query_count = list->query_end = 0;
	list->holes = 0;
	list->dropped = 0;
	list->labels.count = list->labels.text_bytes = 0;
	list->why_untimed = 0;
	list->has_times = list->runs_queries = list->has_graphics = false;
	list->resumes_other = list->is_suspended = list->is_edged = false;
	list->first_result = 0;
	tacho__vulkan_counts_begin(list);
	atomic_store(&list->is_mixed, false);
	atomic_store(&list->holders, 1);
	return list;
}

void tacho__vulkan_list_hold(struct vk_list *list)
{
	atomic_fetch_add(&list->holders, 1);
}

void tacho__vulkan_list_let_go(struct vk_list *list)
{
	if (!list || atomic_fetch_sub(&list->holders, 1) != 1)
		return;
	for (uint32_t i = 0; i < list->count; i++)
		tacho__vulkan_list_let_go(list->commands[i].child);
	list->count = 0;
	put_free(free_of(list->device, list->family), list, list);
}

static void free_list(struct vk_list *list)
{
	const struct vk_device *device = list->device;

	tacho__vulkan_resets_free(list);
	tacho__vulkan_counts_free(list);
	for (uint32_t i = 0; i < list->pool_count; i++)
		device->table.vkDestroyQueryPool(device->handle, list->pools[i], NULL);
	tacho__vulkan_labels_free(&list->labels);
	free(list->commands);
	free(list);
}

void tacho__vulkan_free_lists(struct vk_device *device)
{
	for (uint32_t i = 0; i < VK_FAMILIES_MAX; i++) {
		struct vk_list *list = atomic_exchange(&device->free_lists[i].first, NULL), *next;

		for (; list; list = next) {
			next = list->next_free;
			free_list(list);
		}
	}
}

/* ---- commands ---- */

bool tacho__vulkan_list_make_room(struct vk_list *list, uint32_t more)
{
	uint64_t capacity = list->capacity ? list->capacity : COMMANDS_FIRST;
	struct vk_command *grown;

	while (capacity < (uint64_t)list->count + more)
		capacity *= 2;
	if (capacity == list->capacity)
		return true;
	grown = capacity <= UINT32_MAX ? realloc(list->commands, capacity * sizeof(*grown)) : NULL;
	if (!grown)
		return false;
	list->commands = grown;
	list->capacity = (uint32_t)capacity;
	return true;
}

struct vk_command *tacho__vulkan_list_add(struct vk_list *list, const struct tacho__vulkan_ran *ran)
{
	struct vk_command *command;

	if (!tacho__vulkan_list_make_room(list, 1)) {
		list->dropped++;
		return NULL;
	}
	command = &list->commands[list->count++];
	*command = (struct vk_command){.ran = *ran, .query = VK_NO_QUERY};
	return command;
}

/* ---- queries ---- */

static uint32_t size_of_pool(uint32_t index)
{
	return VK_POOL_FIRST << index;
}

uint32_t tacho__vulkan_list_begin_of_pool(uint32_t index)
{
	return VK_POOL_FIRST * ((1u << index) - 1);
}

static bool add_pool(struct vk_list *list)
{
	const struct vk_query_pool_info info = {.type = VK_TYPE_QUERY_POOL_CREATE_INFO,
						.kind = VK_QUERY_TIMESTAMP,
						.count = size_of_pool(list->pool_count)};
	const struct vk_device *device = list->device;
	uint64_t *pool = &list->pools[list->pool_count];

	if (list->pool_count == VK_POOLS_MAX ||
	    device->table.vkCreateQueryPool(device->handle, &info, NULL, pool))
		return false;
	if (!list->is_by_host &&
	    !tacho__vulkan_reset_make(list, *pool, info.count, &list->resets[list->pool_count])) {
		device->table.vkDestroyQueryPool(device->handle, *pool, NULL);
		return false;
	}
	list->pool_count++;
	return true;
}

/* Which of the pools, of 1, 2, 4 ... times as many as the first: by the highest bit that is set. */
static uint32_t find_pool(uint32_t query)
{
	return 31u - (uint32_t)__builtin_clz(query / VK_POOL_FIRST + 1);
}

/* What is left of a pool and too little stays unused: one that nobody writes must not be copied. */
static bool begin_pool(struct vk_list *list)
{
	uint32_t index = find_pool(list->query_end), left = list->query_end - list->query_count;

	if (index == list->pool_count && !add_pool(list))
		return false;
	if (left)
		list->holes |= (uint64_t)left << (HOLE_BITS * (index - 1));
	list->query_count = list->query_end;
	list->query_end = tacho__vulkan_list_begin_of_pool(index + 1);
	return true;
}

uint32_t tacho__vulkan_list_take_queries(struct vk_list *list, uint32_t views)
{
	uint32_t query;

	if (list->query_end - list->query_count < 2 * views && !begin_pool(list))
		return VK_NO_QUERY;
	query = list->query_count;
	list->query_count += 2 * views;
	return query;
}

uint64_t tacho__vulkan_list_find_query(const struct vk_list *list, uint32_t query,
				       uint32_t *out_number)
{
	uint32_t index = find_pool(query);

	*out_number = query - tacho__vulkan_list_begin_of_pool(index);
	return list->pools[index];
}

uint32_t tacho__vulkan_list_count_queries(const struct vk_list *list, uint32_t index)
{
	uint32_t begin = tacho__vulkan_list_begin_of_pool(index), used;

	if (index >= list->pool_count || list->query_count <= begin)
		return 0;
	used = list->query_count - begin;
	if (used < size_of_pool(index))
		return used;
	return size_of_pool(index) -
	       (uint32_t)(list->holes >> (HOLE_BITS * index) & ((1u << HOLE_BITS) - 1));
}

/* ---- resets ---- */

bool tacho__vulkan_list_needs_reset(const struct vk_list *list, uint32_t index, const void *queue)
{
	return tacho__vulkan_list_count_queries(list, index) &&
	       (list->clean_queue != queue || index >= list->clean_pools);
}

void tacho__vulkan_list_note_reset(struct vk_list *list, const void *queue)
{
	uint32_t used = 0;

	while (tacho__vulkan_list_count_queries(list, used))
		used++;
	if (queue && (list->clean_queue != queue || used > list->clean_pools))
		list->clean_pools = used;
	list->clean_queue = queue;
}
