/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_queries.h"

#include <stdlib.h>
#include <string.h>

#include "inject/vulkan/vk_buffers.h"
#include "inject/vulkan/vk_counting.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_features.h"
#include "inject/vulkan/vk_jobs.h"
#include "inject/vulkan/vk_own_queries.h"
#include "inject/vulkan/vk_resets.h"
#include "record/wire.h"

enum { COMMANDS_FIRST = 64, ALONE_FIRST = 512, WORD_BYTES = sizeof(uint64_t) };

static const char in_secondary[] =
	"its secondary command buffer may run several times in one submit (SIMULTANEOUS_USE)";
static const char driver_in_secondary[] =
	"the driver's own counters are not counted in secondary command buffers";
static const char at_once[] = "runs of its command buffer may overlap, and would mix their counts";
static const char no_queue[] = "its queue has no such queries";
static const char own_query[] = "the program had a query of the same kind active";
static const char several_views[] = "it is drawn for several views at once, of which the driver's "
				    "own counters cannot be told apart";
static const char unknown_views[] = "it is not known for how many views at once it is drawn";
static const char no_memory[] = "there was no memory, or no room, for its queries";
static const char other_scope[] = "the driver counts it for more than one command";
static const char other_pass[] = "another pass of the plan was counted when it was recorded";

void tacho__vulkan_wish(const struct tacho__vulkan_pass *passes, struct vk_wishes *wishes)
{
	for (; passes->counters; passes++) {
		wishes->statistics |= passes->statistics != 0;
		wishes->precise_occlusion |= passes->is_precise;
		wishes->performance |= passes->performance_count != 0;
	}
}

/* ---- pools ---- */

static uint32_t size_of_pool(const struct vk_query_pools *pools, uint32_t index)
{
	return pools->first << index;
}

static uint32_t begin_of_pool(const struct vk_query_pools *pools, uint32_t index)
{
	return pools->first * ((1u << index) - 1);
}

static uint32_t count_used(const struct vk_query_pools *pools, uint32_t index)
{
	uint32_t begin = begin_of_pool(pools, index), used;

	if (index >= pools->pool_count || pools->used <= begin)
		return 0;
	used = pools->used - begin;
	return used < size_of_pool(pools, index) ? used
						 : size_of_pool(pools, index) - pools->holes[index];
}

static bool make_pool(const struct vk_list *list, enum tacho__vulkan_query kind, uint32_t count,
		      uint64_t *out_pool)
{
	const struct vk_counts *counts = list->counts;
	const struct vk_query_pool_performance_info performance = {
		.type = VK_TYPE_QUERY_POOL_PERFORMANCE,
		.family = counts->pass->family,
		.count = counts->pass->performance_count,
		.counters = counts->pass->performance,
	};
	struct vk_query_pool_info info = {.type = VK_TYPE_QUERY_POOL_CREATE_INFO, .count = count};

	info.kind = kind == TACHO__VULKAN_STATISTICS  ? VK_QUERY_STATISTICS
		    : kind == TACHO__VULKAN_OCCLUSION ? VK_QUERY_OCCLUSION
						      : VK_QUERY_PERFORMANCE;
	if (kind == TACHO__VULKAN_STATISTICS)
		info.statistics = counts->statistics;
	if (kind == TACHO__VULKAN_PERFORMANCE)
		info.next = &performance;
	return !list->device->table.vkCreateQueryPool(list->device->handle, &info, NULL, out_pool);
}

static bool add_pool(struct vk_list *list, enum tacho__vulkan_query kind)
{
	struct vk_query_pools *pools = &list->counts->pools[kind];
	uint32_t index = pools->pool_count, count = size_of_pool(pools, index);

	if (index == pools->pool_max || !make_pool(list, kind, count, &pools->pools[index]))
		return false;
	if (!tacho__vulkan_reset_make(list, pools->pools[index], count, &pools->resets[index])) {
		list->device->table.vkDestroyQueryPool(list->device->handle, pools->pools[index],
						       NULL);
		return false;
	}
	pools->pool_count++;
	return true;
}

/* Some of one pool that follow one another; VK_NO_QUERY: there are no more. */
static uint32_t take_queries(struct vk_list *list, enum tacho__vulkan_query kind, uint32_t count)
{
	struct vk_query_pools *pools = &list->counts->pools[kind];
	uint32_t index = 0, left;

	while (pools->used >= begin_of_pool(pools, index + 1))
		index++;
	left = begin_of_pool(pools, index + 1) - pools->used;
	if (left < count) {
		if (index + 1 == pools->pool_max)
			return VK_NO_QUERY;
		pools->holes[index++] = left;
		pools->used += left;
	}
	if (index == pools->pool_count && !add_pool(list, kind))
		return VK_NO_QUERY;
	pools->used += count;
	return pools->used - count;
}

static uint64_t find_query(const struct vk_query_pools *pools, uint32_t query, uint32_t *out_number)
{
	uint32_t index = 0;

	while (query >= begin_of_pool(pools, index + 1))
		index++;
	*out_number = query - begin_of_pool(pools, index);
	return pools->pools[index];
}

/* ---- lists ---- */

static uint32_t mask_statistics(const struct vk_list *list, uint32_t statistics)
{
	uint32_t flags = list->device->families[list->family].flags;

	if (!(flags & VK_QUEUE_GRAPHICS))
		statistics &= ~(uint32_t)VK_STATISTICS_OF_GRAPHICS;
	if (!(flags & VK_QUEUE_COMPUTE))
		statistics &= ~(uint32_t)VK_STATISTICS_OF_COMPUTE;
	return statistics;
}

/* In a command buffer a driver may allow one pool of its own counters: it is made larger. */
static void set_pools(const struct vk_device *device, struct vk_counts *counts)
{
	for (int kind = 0; kind < TACHO__VULKAN_QUERIES; kind++) {
		counts->pools[kind].first = VK_POOL_FIRST;
		counts->pools[kind].pool_max = VK_POOLS_MAX;
	}
	if (device->performance.has_many_pools)
		return;
	counts->pools[TACHO__VULKAN_PERFORMANCE].first = ALONE_FIRST;
	counts->pools[TACHO__VULKAN_PERFORMANCE].pool_max = 1;
}

/* A result has one word more, which says whether it is there; that of the driver's own counters
 * is not written. */
static struct vk_counts *make_counts(const struct vk_list *list, uint32_t pass_number)
{
	const struct vk_device *device = list->device;
	const struct tacho__vulkan_pass *pass = &device->passes[pass_number];
	struct vk_counts *counts = calloc(1, sizeof(*counts));

	if (!counts)
		return NULL;
	counts->pass_number = pass_number;
	counts->pass = pass;
	counts->statistics = mask_statistics(list, pass->statistics);
	if (counts->statistics)
		counts->words[TACHO__VULKAN_STATISTICS] =
			1 + (uint32_t)__builtin_popcount(counts->statistics);
	if (pass->has_occlusion && device->families[list->family].flags & VK_QUEUE_GRAPHICS)
		counts->words[TACHO__VULKAN_OCCLUSION] = 2;
	if (pass->performance_count && device->performance.is_on && list->family == pass->family)
		counts->words[TACHO__VULKAN_PERFORMANCE] = 1 + pass->performance_count;
	set_pools(device, counts);
	return counts;
}

void tacho__vulkan_counts_begin(struct vk_list *list)
{
	struct vk_counts **place = &list->all_counts;
	uint32_t pass_number;

	list->counts = NULL;
	if (!list->device->passes || list->family >= list->device->family_count)
		return;
	pass_number = tacho__vulkan_counting_choose_pass();
	while (*place && (*place)->pass_number != pass_number)
		place = &(*place)->next;
	if (!*place)
		*place = make_counts(list, pass_number);
	list->counts = *place;
	if (!list->counts)
		return;
	list->counts->count = 0;
	for (int kind = 0; kind < TACHO__VULKAN_QUERIES; kind++) {
		list->counts->pools[kind].used = 0;
		memset(list->counts->pools[kind].holes, 0, sizeof(list->counts->pools[kind].holes));
	}
}

void tacho__vulkan_counts_free(struct vk_list *list)
{
	const struct vk_device *device = list->device;
	struct vk_counts *counts = list->all_counts, *next;

	for (; counts; counts = next) {
		next = counts->next;
		for (int kind = 0; kind < TACHO__VULKAN_QUERIES; kind++)
			for (uint32_t i = 0; i < counts->pools[kind].pool_count; i++)
				device->table.vkDestroyQueryPool(
					device->handle, counts->pools[kind].pools[i], NULL);
		free(counts->commands);
		free(counts);
	}
}

static struct vk_counted *add_counted(struct vk_counts *counts, uint32_t command)
{
	struct vk_counted *counted;

	while (counts->capacity <= command) {
		uint32_t capacity = counts->capacity ? 2 * counts->capacity : COMMANDS_FIRST;
		void *grown = capacity > counts->capacity
				      ? realloc(counts->commands, capacity * sizeof(*counted))
				      : NULL;

		if (!grown)
			return NULL;
		counts->commands = grown;
		counts->capacity = capacity;
	}
	for (; counts->count <= command; counts->count++)
		counts->commands[counts->count] =
			(struct vk_counted){{VK_NO_QUERY, VK_NO_QUERY, VK_NO_QUERY}, 1, .why = ""};
	return &counts->commands[command];
}

const struct vk_counted *tacho__vulkan_get_counted(const struct vk_list *list, uint32_t command)
{
	return list->counts && command < list->counts->count ? &list->counts->commands[command]
							     : NULL;
}

/* ---- around a command ---- */

/* Of all its queries: "": they can be. */
static const char *find_hindrance(const struct vk_buffer *buffer)
{
	if (buffer->pool->is_protected ||
	    !tacho__vulkan_is_family_timed(buffer->list->device, buffer->list->family))
		return no_queue;
	if (!buffer->may_overlap)
		return "";
	return buffer->is_secondary ? in_secondary : at_once;
}

/* For several views a query is several, and the count is their sum. The driver's own counters may
 * be of a kind that does not add up, and have one pool of queries in all that is run together. */
static const char *find_own_hindrance(const struct vk_buffer *buffer, enum tacho__vulkan_query kind)
{
	uint32_t views = buffer->is_in_pass ? buffer->views : 0;

	if (buffer->own_queries[kind])
		return own_query;
	if (kind != TACHO__VULKAN_PERFORMANCE)
		return views == VK_VIEWS_UNKNOWN ? unknown_views : "";
	if (buffer->is_secondary || buffer->runs_others)
		return driver_in_secondary;
	return views ? several_views : "";
}

static void begin_query(const struct vk_buffer *buffer, enum tacho__vulkan_query kind,
			struct vk_counted *counted)
{
	struct vk_counts *counts = buffer->list->counts;
	uint32_t flags =
		kind == TACHO__VULKAN_OCCLUSION && counts->pass->is_precise ? VK_QUERY_PRECISE : 0;
	uint32_t count = kind == TACHO__VULKAN_PERFORMANCE ? 1 : counted->views, query, number;
	const char *why = find_own_hindrance(buffer, kind);
	uint64_t pool;

	if (*why) {
		counted->why = why;
		return;
	}
	query = take_queries(buffer->list, kind, count);
	if (query == VK_NO_QUERY) {
		counted->why = no_memory;
		return;
	}
	counted->queries[kind] = query;
	pool = find_query(&counts->pools[kind], query, &number);
	buffer->list->device->table.vkCmdBeginQuery(buffer->handle, pool, number, flags);
}

static bool has_any(const struct vk_counted *counted)
{
	for (int kind = 0; kind < TACHO__VULKAN_QUERIES; kind++)
		if (counted->queries[kind] != VK_NO_QUERY)
			return true;
	return false;
}

/* Whether a query of the driver's counters is begun around such a command. */
static bool fits_scope(const struct vk_buffer *buffer, enum tacho__vulkan_scope scope)
{
	enum tacho__vulkan_scope of_pass = buffer->list->counts->pass->scope;

	return of_pass == scope || (of_pass == TACHO__VULKAN_PASS &&
				    scope == TACHO__VULKAN_COMMAND && !buffer->is_in_pass);
}

/* What is not counted of the pass of the plan. */
static const char *find_lack(const struct vk_buffer *buffer, enum tacho__vulkan_scope scope)
{
	const struct vk_counts *counts = buffer->list->counts;
	const struct tacho__vulkan_pass *pass = counts->pass;
	const struct vk_device *device = buffer->list->device;
	bool is_whole = scope != TACHO__VULKAN_COMMAND;

	if (is_whole && (!pass->performance_count || pass->scope != scope))
		return other_pass;
	if (!is_whole && (counts->statistics != pass->statistics ||
			  (pass->has_occlusion && !counts->words[TACHO__VULKAN_OCCLUSION])))
		return no_queue;
	if (!pass->performance_count)
		return "";
	if (!counts->words[TACHO__VULKAN_PERFORMANCE])
		return device->performance.is_on ? no_queue : device->performance.why;
	return fits_scope(buffer, scope) ? "" : other_scope;
}

bool tacho__vulkan_plans_scope(const struct vk_list *list, enum tacho__vulkan_scope scope)
{
	const struct tacho__vulkan_pass *pass = list->device->passes;

	for (; pass && pass->counters; pass++)
		if (pass->performance_count && pass->scope == scope)
			return true;
	return false;
}

bool tacho__vulkan_count_begin(struct vk_buffer *buffer, enum tacho__vulkan_scope scope)
{
	struct vk_counts *counts = buffer->list->counts;
	struct vk_counted *counted = counts ? add_counted(counts, buffer->list->count - 1) : NULL;

	if (!counted)
		return false;
	counted->is_told = true;
	counted->why = find_hindrance(buffer);
	if (*counted->why)
		return false;
	counted->why = find_lack(buffer, scope);
	if (buffer->is_in_pass && buffer->views)
		counted->views = buffer->views;
	for (int kind = 0; kind < TACHO__VULKAN_QUERIES; kind++)
		if (counts->words[kind] &&
		    (kind == TACHO__VULKAN_PERFORMANCE ? fits_scope(buffer, scope)
						       : scope == TACHO__VULKAN_COMMAND))
			begin_query(buffer, kind, counted);
	return has_any(counted);
}

void tacho__vulkan_count_end(const struct vk_buffer *buffer, uint32_t command)
{
	const struct vk_counted *counted = tacho__vulkan_get_counted(buffer->list, command);
	uint32_t number;

	for (int kind = TACHO__VULKAN_QUERIES - 1; counted && kind >= 0; kind--) {
		const struct vk_query_pools *pools = &buffer->list->counts->pools[kind];
		uint64_t pool;

		if (counted->queries[kind] == VK_NO_QUERY)
			continue;
		pool = find_query(pools, counted->queries[kind], &number);
		buffer->list->device->table.vkCmdEndQuery(buffer->handle, pool, number);
	}
}

/* ---- around a submit ---- */

bool tacho__vulkan_has_counts(const struct vk_list *list)
{
	for (int kind = 0; list->counts && kind < TACHO__VULKAN_QUERIES; kind++)
		if (list->counts->pools[kind].used)
			return true;
	return false;
}

void *tacho__vulkan_get_count_reset(const struct vk_list *list, uint32_t index)
{
	for (int kind = 0; list->counts && kind < TACHO__VULKAN_QUERIES; kind++) {
		const struct vk_query_pools *pools = &list->counts->pools[kind];

		for (uint32_t i = 0; count_used(pools, i); i++)
			if (!index--)
				return pools->resets[i];
	}
	return NULL;
}

void tacho__vulkan_reset_counts(const struct vk_list *list, void *buffer)
{
	uint32_t count;

	for (int kind = 0; list->counts && kind < TACHO__VULKAN_QUERIES; kind++)
		for (uint32_t i = 0; (count = count_used(&list->counts->pools[kind], i)); i++)
			list->device->table.vkCmdResetQueryPool(
				buffer, list->counts->pools[kind].pools[i], 0, count);
}

static uint64_t count_kind(const struct vk_counts *counts, int kind)
{
	return (uint64_t)counts->pools[kind].used * counts->words[kind];
}

uint64_t tacho__vulkan_count_words(const struct vk_list *list)
{
	uint64_t words = 0;

	for (int kind = 0; list->counts && kind < TACHO__VULKAN_QUERIES; kind++)
		words += count_kind(list->counts, kind);
	return words;
}

uint64_t tacho__vulkan_find_count(const struct vk_list *list, enum tacho__vulkan_query kind,
				  uint32_t query)
{
	uint64_t at = (uint64_t)query * list->counts->words[kind];

	for (int before = 0; before < (int)kind; before++)
		at += count_kind(list->counts, before);
	return at;
}

/* The flags that the driver's own counters forbid would say whether a result is there: so it is
 * seen by what stood in its place before. */
static uint32_t prepare_copy(const struct vk_job *job, const struct vk_counts *counts, int kind,
			     uint64_t at)
{
	if (kind != TACHO__VULKAN_PERFORMANCE)
		return VK_QUERY_RESULT_64 | VK_QUERY_RESULT_WAIT |
		       VK_QUERY_RESULT_WITH_AVAILABILITY;
	memset(job->results + at, 0xff, count_kind(counts, kind) * WORD_BYTES);
	return VK_QUERY_RESULT_WAIT;
}

static void copy_pools(const struct vk_job *job, const struct vk_counts *counts, int kind,
		       uint64_t at)
{
	const struct vk_device *device = job->queue->device;
	const struct vk_query_pools *pools = &counts->pools[kind];
	uint64_t stride = counts->words[kind] * WORD_BYTES;
	uint32_t count, flags = prepare_copy(job, counts, kind, at);

	if (kind == TACHO__VULKAN_PERFORMANCE && !device->performance.can_copy)
		return;
	for (uint32_t i = 0; (count = count_used(pools, i)); i++)
		device->table.vkCmdCopyQueryPoolResults(
			job->copy, pools->pools[i], 0, count, job->buffer,
			at * WORD_BYTES + begin_of_pool(pools, i) * stride, stride, flags);
}

void tacho__vulkan_copy_counts(const struct vk_job *job, const struct vk_list *list, uint64_t at)
{
	for (int kind = 0; list->counts && kind < TACHO__VULKAN_QUERIES; kind++) {
		copy_pools(job, list->counts, kind, at);
		at += count_kind(list->counts, kind);
	}
}

bool tacho__vulkan_read_performance(const struct vk_list *list, uint32_t query, uint64_t *out_words)
{
	const struct vk_device *device = list->device;
	size_t bytes = list->counts->pass->performance_count * WORD_BYTES;
	uint32_t number;
	uint64_t pool = find_query(&list->counts->pools[TACHO__VULKAN_PERFORMANCE], query, &number);

	return !device->table.vkGetQueryPoolResults(device->handle, pool, number, 1, bytes,
						    out_words, bytes, 0);
}
