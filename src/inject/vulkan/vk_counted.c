/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_counted.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inject/vulkan/vk_counting.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_pipelines.h"
#include "inject/vulkan/vk_queries.h"

enum { ROWS_AT_ONCE = 64 };
#define NO_RESULT UINT64_MAX

/* A row that waits for its values. */
struct vk_counted_row {
	uint64_t start;
	uint32_t thread, pass_number;
	struct tacho__counted_kernel *kernel;
	bool is_whole;	 /* a render pass or a command buffer: nothing else counts these */
	const char *why; /* some of its queries are missing; "" */
	const struct tacho__vulkan_pass *pass;
	uint32_t statistics; /* bits that its query has */
	uint32_t views;	     /* standard queries have so many results, one behind the other */
	/* Of the driver's counters, where the driver does not copy them. */
	struct vk_list *read_from;
	uint32_t query, run;			 /* run: of the list, when it was submitted */
	uint64_t results[TACHO__VULKAN_QUERIES]; /* the first word of each in the job's */
	uint32_t words[TACHO__VULKAN_QUERIES];
};

static const char other_device[] = "it ran on another device than the one that is counted";
static const char no_memory[] = "there was no memory to count it";
static const char not_submitted[] =
	"there was no room for its values, as too many submits were on their way";
static const char not_ended[] = "it was not seen to end before its process did";
static const char not_there[] = "the driver had not written its values, or its command buffer ran "
				"again before they were read";
static const char not_believed[] =
	"its submit was not seen to end, or another queue wrote its queries meanwhile";

/* ---- when it is submitted ---- */

static bool has_any(const struct vk_counted *counted)
{
	for (int kind = 0; counted && kind < TACHO__VULKAN_QUERIES; kind++)
		if (counted->queries[kind] != VK_NO_QUERY)
			return true;
	return false;
}

/* Why the command has no values; NULL: it may have some. */
static const char *find_reason(const struct vk_rows *rows, const struct vk_list *list,
			       const struct vk_counted *counted)
{
	if (!tacho__vulkan_counting_counts())
		return "";
	if (!list->device->passes)
		return other_device;
	if (!counted)
		return no_memory;
	if (!has_any(counted))
		return counted->why;
	return rows->job ? NULL : not_submitted;
}

static bool is_whole(const struct vk_command *command)
{
	return !tacho__vulkan_runs[command->ran.function - TACHO__RUN_FIRST].is_kernel;
}

static bool await_values(const struct vk_rows *rows, struct vk_list *list, uint32_t command,
			 struct tacho__counted_kernel *kernel)
{
	const struct vk_counted *counted = tacho__vulkan_get_counted(list, command);
	struct vk_job *job = rows->job;
	struct vk_counted_row *row;

	if (!tacho__vulkan_job_make_room((void **)&job->counted, job->counted_count,
					 &job->counted_room, sizeof(*row)))
		return false;
	row = &job->counted[job->counted_count++];
	*row = (struct vk_counted_row){.start = rows->tick + 1,
				       .thread = (uint32_t)gettid(),
				       .pass_number = list->counts->pass_number,
				       .kernel = kernel,
				       .is_whole = is_whole(&list->commands[command]),
				       .why = counted->why,
				       .pass = list->counts->pass,
				       .statistics = list->counts->statistics,
				       .views = counted->views};
	if (!list->device->performance.can_copy &&
	    counted->queries[TACHO__VULKAN_PERFORMANCE] != VK_NO_QUERY) {
		row->read_from = list;
		row->query = counted->queries[TACHO__VULKAN_PERFORMANCE];
		row->run = atomic_load(&list->runs);
	}
	for (int kind = 0; kind < TACHO__VULKAN_QUERIES; kind++) {
		row->words[kind] = list->counts->words[kind];
		row->results[kind] =
			counted->queries[kind] == VK_NO_QUERY
				? NO_RESULT
				: list->first_count + tacho__vulkan_find_count(
							      list, kind, counted->queries[kind]);
	}
	return true;
}

uint32_t tacho__vulkan_counted_add(const struct vk_rows *rows, struct vk_list *list,
				   uint32_t command)
{
	const struct vk_command *of = &list->commands[command];
	const struct vk_counted *counted = tacho__vulkan_get_counted(list, command);
	struct tacho__counted_kernel *kernel;
	const char *why;

	if (!tacho__vulkan_counting_is_on())
		return 0;
	if (is_whole(of) && !(counted && counted->is_told))
		return 1;
	kernel = tacho__vulkan_find_kernel(of->pipeline);
	if (!tacho__vulkan_counting_wants(kernel))
		return 1;
	why = find_reason(rows, list, counted);
	if (!why && !await_values(rows, list, command, kernel))
		why = no_memory;
	tacho__vulkan_counting_miss(rows->tick + 1, 0, why ? why : not_ended);
	return 1;
}

/* ---- when it has ended ---- */

/* Of several views a driver may write all into the first result: then some say of the others that
 * they are not there, where they should be 0. */
static bool are_views_there(const struct vk_counted_row *row, const uint64_t *words, uint32_t width)
{
	uint32_t there = 0;

	for (uint32_t i = 0; i < row->views; i++)
		there += words[(i + 1) * width - 1] != 0;
	return there == row->views || (there == 1 && words[width - 1]);
}

/* What a driver has not written is as it was filled before. */
static bool is_there(const struct vk_job *job, const struct vk_counted_row *row, int kind)
{
	const uint64_t *words = job->results + row->results[kind];
	uint32_t last = row->words[kind] - 1;

	if (kind != TACHO__VULKAN_PERFORMANCE)
		return are_views_there(row, words, row->words[kind]);
	for (uint32_t i = 0; i < last; i++)
		if (words[i] != UINT64_MAX)
			return true;
	return false;
}

/* The word of the query's result that is the counter's; -1: it has none. `driver`: counters of the
 * driver in front of it. */
static int find_word(const struct vk_counted_row *row, const struct tacho__vulkan_counter *counter,
		     int driver)
{
	if (!counter || row->results[counter->query] == NO_RESULT)
		return -1;
	switch (counter->query) {
	case TACHO__VULKAN_STATISTICS:
		return row->statistics >> counter->index & 1
			       ? __builtin_popcount(row->statistics & ((1u << counter->index) - 1))
			       : -1;
	case TACHO__VULKAN_PERFORMANCE: return driver;
	default: return 0;
	}
}

/* Of several views, all together. */
static uint64_t read_word(const struct vk_job *job, const struct vk_counted_row *row, int kind,
			  unsigned word)
{
	const uint64_t *words = job->results + row->results[kind];
	uint32_t width = row->words[kind];
	uint64_t sum = words[word];

	for (uint32_t i = 1; kind != TACHO__VULKAN_PERFORMANCE && i < row->views; i++)
		sum += words[(i + 1) * width - 1] ? words[i * width + word] : 0;
	return sum;
}

/* The list may be on its way again by now: then what is read may be that run's. */
static void read_directly(const struct vk_job *job, const struct vk_counted_row *row)
{
	uint64_t *words = job->results + row->results[TACHO__VULKAN_PERFORMANCE];
	size_t bytes = row->words[TACHO__VULKAN_PERFORMANCE] * sizeof(*words);

	if (!row->read_from)
		return;
	if (!tacho__vulkan_read_performance(row->read_from, row->query, words) ||
	    atomic_load(&row->read_from->runs) != row->run)
		memset(words, 0xff, bytes);
}

/* Returns why some are missing; "": none is that should be there. */
static const char *read_values(const struct vk_job *job, const struct vk_counted_row *row,
			       uint64_t *values, uint8_t *states)
{
	const char *why = row->why;
	int driver = 0;

	read_directly(job, row);
	for (size_t i = 0; i < row->pass->counter_count; i++) {
		const struct tacho__vulkan_counter *counter = row->pass->counters[i];
		bool is_driver = counter && counter->query == TACHO__VULKAN_PERFORMANCE;
		int word = find_word(row, counter, driver);

		driver += is_driver;
		values[i] = 0;
		states[i] = TACHO_STATE_ABSENT;
		if (row->is_whole && !is_driver)
			states[i] |= TACHO_MARK_FOREIGN;
		if (word < 0)
			continue;
		if (!is_there(job, row, counter->query)) {
			why = not_there;
			continue;
		}
		states[i] = TACHO_STATE_OK;
		values[i] = tacho__vulkan_convert(
			counter, read_word(job, row, counter->query, (unsigned)word));
	}
	return why;
}

static void read_row(const struct vk_job *job, const struct vk_counted_row *row, uint64_t *values,
		     uint8_t *states, struct vk_told *out_told)
{
	*out_told = (struct vk_told){.start = row->start,
				     .thread = row->thread,
				     .kernel = row->kernel,
				     .note = read_values(job, row, values, states),
				     .values = values,
				     .states = states};
}

/* Rows of one pass that follow one another: returns how many. */
static uint32_t tell_some(const struct vk_job *job, const struct vk_counted_row *rows,
			  uint32_t count)
{
	size_t width = rows->pass->counter_count;
	uint64_t *values = malloc(ROWS_AT_ONCE * width * (sizeof(*values) + 1));
	uint8_t *states = (uint8_t *)(values + ROWS_AT_ONCE * width);
	struct vk_told told[ROWS_AT_ONCE];
	uint32_t some = 0;

	if (!values) {
		tacho__vulkan_counting_miss(rows->start, rows->thread, no_memory);
		return 1;
	}
	for (; some < count && some < ROWS_AT_ONCE && rows[some].pass == rows->pass; some++)
		read_row(job, &rows[some], values + some * width, states + some * width,
			 &told[some]);
	tacho__vulkan_counting_tell(rows->pass_number, told, some);
	free(values);
	return some;
}

void tacho__vulkan_counted_tell(struct vk_job *job)
{
	for (uint32_t i = 0; i < job->counted_count;)
		i += tell_some(job, &job->counted[i], job->counted_count - i);
	job->counted_count = 0;
}

void tacho__vulkan_counted_miss(struct vk_job *job)
{
	for (uint32_t i = 0; i < job->counted_count; i++)
		tacho__vulkan_counting_miss(job->counted[i].start, job->counted[i].thread,
					    not_believed);
	job->counted_count = 0;
}
