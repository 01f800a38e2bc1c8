/* SPDX-License-Identifier: MIT */
#include "analyze/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "record/command.h"

/* What a command adds to a line. */
struct share {
	uint64_t duration_ns;
	enum tacho_state state; /* of the duration */
	const char *reason;
	bool first_launch;
	uint64_t launches; /* kernels that ran */
	uint64_t bytes;
};

int tacho__lines_add(struct tacho__lines *lines, struct tacho__line *line)
{
	return tacho__array_add(&lines->all, &lines->capacity, &lines->count, &line, sizeof(line));
}

struct tacho__line *tacho__lines_make(struct tacho_summary *summary, struct tacho__lines *lines,
				      const char *name, const char *device)
{
	struct tacho__line *line = tacho__arena_get(&summary->arena, sizeof(*line));

	if (!line)
		return NULL;
	line->line.name = tacho__summary_text(summary, name);
	line->line.device = device ? device : "";
	line->line.reason = line->line.domain = "";
	line->of = lines;
	return line->line.name && !tacho__lines_add(lines, line) ? line : NULL;
}

/* From now on values of the line are kept, when such lines are asked for. */
static int sample_line(struct tacho_summary *summary, enum tacho_summary_key kind,
		       struct tacho__line *line)
{
	if (!summary->samples || summary->samples->key != kind)
		return 0;
	line->sampled = tacho__samples_get(summary->samples, line->line.name, line->line.device);
	return line->sampled ? 0 : TACHO_E_NOMEM;
}

/* The first time that it is met. */
static int add_line(struct tacho_summary *summary, enum tacho_summary_key kind, uint64_t key,
		    const char *name, const char *device, bool shared,
		    struct tacho__line **out_line)
{
	struct tacho__lines *lines = &summary->lines[kind];
	struct tacho__line *line = NULL;
	struct tacho__buf *text = &summary->scratch;
	const char *known;
	int rc = 0;

	tacho__buf_clear(text);
	if (shared) {
		tacho__buf_printf(text, "%s\n%s", name, device ? device : "");
		if (text->failed)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a summary");
		line = tacho__names_get(&lines->by_name, tacho__buf_text(text));
	}
	if (!line) {
		known = shared ? tacho__arena_string(&summary->arena, tacho__buf_text(text)) : "";
		line = known ? tacho__lines_make(summary, lines, name, device) : NULL;
		if (!line || sample_line(summary, kind, line) != 0)
			return TACHO_E_NOMEM;
		if (shared)
			rc = tacho__names_set(&lines->by_name, known, line);
	}
	if (!rc)
		rc = tacho__map_set(&lines->by_key, key, line);
	if (!rc)
		*out_line = line;
	return rc;
}

/*
 * The line of the thing that `key` stands for. Things of one name on one device share a line when
 * `shared`.
 */
static inline int get_line(struct tacho_summary *summary, enum tacho_summary_key kind, uint64_t key,
			   const char *name, const char *device, bool shared,
			   struct tacho__line **out_line)
{
	struct tacho__lines *lines = &summary->lines[kind];
	int rc = 0;

	if (!lines->recent || lines->recent_key != key) {
		lines->recent = tacho__map_get(&lines->by_key, key);
		lines->recent_key = key;
	}
	if (!lines->recent)
		rc = add_line(summary, kind, key, name, device, shared, &lines->recent);
	*out_line = lines->recent;
	return rc;
}

/* Of calls in a row that are equal. Most are alone, and divisions are slow. */
static uint64_t each_of(uint64_t duration_ns, uint64_t repeats)
{
	return repeats ? duration_ns / (1 + repeats) : duration_ns;
}

/* Keeps the value, where those of the line are kept. */
static int sample(struct tacho_summary *summary, const struct tacho__line *line, uint64_t ns)
{
	return line->sampled
		       ? tacho__samples_add(summary->samples, &line->sampled->time, (double)ns)
		       : 0;
}

/* `count` times that are known, of `each_ns`. */
static inline void count_times(struct tacho_summary_line *info, uint64_t count, uint64_t total_ns,
			       uint64_t each_ns)
{
	info->total_ns += total_ns;
	if (!info->measured || each_ns < info->min_ns)
		info->min_ns = each_ns;
	if (each_ns > info->max_ns)
		info->max_ns = each_ns;
	info->measured += count;
}

static int count_share(struct tacho_summary *summary, struct tacho__line *line,
		       const struct share *share)
{
	struct tacho_summary_line *info = &line->line;

	info->count++;
	info->launches += share->launches;
	info->bytes += share->bytes;
	if (share->state != TACHO_STATE_OK) {
		line->lost += share->state == TACHO_STATE_LOST;
		if (!*info->reason && *share->reason)
			info->reason = tacho__summary_text(summary, share->reason);
		return info->reason ? 0 : TACHO_E_NOMEM;
	}
	count_times(info, 1, share->duration_ns, share->duration_ns);
	if (share->first_launch && !info->has_first) {
		info->has_first = 1;
		info->first_ns = share->duration_ns;
	}
	return sample(summary, line, share->duration_ns);
}

int tacho__lines_get(struct tacho_summary *summary, enum tacho_summary_key kind, uint64_t key,
		     const char *name, const char *device, struct tacho__line **out_line)
{
	return get_line(summary, kind, key, name, device, true, out_line);
}

int tacho__lines_count(struct tacho_summary *summary, struct tacho__line *line, uint64_t time_ns,
		       const char *why_not_known)
{
	struct share share = {
		.duration_ns = time_ns,
		.state = why_not_known ? TACHO_STATE_ABSENT : TACHO_STATE_OK,
		.reason = why_not_known ? why_not_known : "",
	};

	return count_share(summary, line, &share);
}

static int get_process_line(struct tacho_summary *summary, const struct tacho_process *process,
			    struct tacho__line **out_line)
{
	int rc = get_line(summary, TACHO_BY_PROCESS, process->index,
			  tacho__base_name(process->executable), NULL, false, out_line);

	if (!rc)
		(*out_line)->line.pid = process->pid;
	return rc;
}

/* The line of the thread that made the call. */
static int get_thread_line(struct tacho_summary *summary, const struct tacho_call *call,
			   struct tacho__line **out_line)
{
	const struct tacho_process *process = call->process;
	struct tacho__line *line;
	int rc = get_line(summary, TACHO_BY_THREAD, (uint64_t)process->index << 32 | call->thread,
			  "", NULL, false, &line);

	if (rc)
		return rc;
	*out_line = line;
	if (line->whole)
		return 0;
	line->process = process;
	line->line.pid = process->pid;
	line->line.thread = call->thread;
	return get_process_line(summary, process, &line->whole);
}

/* Calls always have a duration. */
static inline int count_calls(struct tacho_summary *summary, struct tacho__line *line,
			      const struct tacho_call *call, uint64_t each_ns)
{
	struct tacho_summary_line *info = &line->line;
	uint64_t count = 1 + call->repeats;

	info->count += count;
	if (call->failed)
		info->failed += count;
	if (call->command)
		info->launches += tacho__command_kernels(call->command);
	count_times(info, count, tacho__call_busy_ns(call), each_ns);
	return sample(summary, line, each_ns);
}

static int add_host_lines(struct tacho_summary *summary, const struct tacho_call *call)
{
	uint64_t each_ns = each_of(tacho__call_busy_ns(call), call->repeats);
	struct tacho__line *line = NULL;
	int rc = get_line(summary, TACHO_BY_API, (uintptr_t)call->function, call->function->name,
			  NULL, true, &line);

	if (!rc)
		rc = count_calls(summary, line, call, each_ns);
	if (!rc)
		rc = tacho__durations_add(summary, line, each_ns);
	if (!rc)
		rc = get_thread_line(summary, call, &line);
	if (!rc)
		rc = count_calls(summary, line, call, each_ns);
	return rc ? rc : sample(summary, line->whole, each_ns);
}

/* What the threads of a process did is what it did. */
static void add_threads(struct tacho_summary *summary)
{
	const struct tacho__lines *threads = &summary->lines[TACHO_BY_THREAD];

	for (size_t i = 0; i < threads->count; i++) {
		const struct tacho_summary_line *thread = &threads->all[i]->line;
		struct tacho_summary_line *process = &threads->all[i]->whole->line;

		process->count += thread->count;
		process->failed += thread->failed;
		process->launches += thread->launches;
		process->total_ns += thread->total_ns;
		if (!process->measured || thread->min_ns < process->min_ns)
			process->min_ns = thread->min_ns;
		if (thread->max_ns > process->max_ns)
			process->max_ns = thread->max_ns;
		process->measured += thread->measured;
	}
}

static int add_queue(struct tacho_summary *summary, const struct tacho_call *call,
		     const char *device, const struct share *share)
{
	const struct tacho_object *queue = call->command->queue;
	struct tacho__line *line;
	char name[TACHO__QUEUE_TEXT_MAX] = "unknown";
	int rc;

	if (queue && !tacho__map_get(&summary->lines[TACHO_BY_QUEUE].by_key, (uintptr_t)queue))
		tacho__queue_format(name, queue);
	rc = get_line(summary, TACHO_BY_QUEUE, (uintptr_t)queue, name, device, false, &line);
	if (rc)
		return rc;
	line->line.pid = queue ? call->process->pid : 0;
	return count_share(summary, line, share);
}

/* Pointers leave the upper 16 bits free, enough for the devices that a run can have. */
static uint64_t kernel_key(const struct tacho_object *kernel,
			   const struct tacho__device_use *device)
{
	return (uintptr_t)kernel ^ (device ? (uint64_t)(device->index + 1) << 48 : 0);
}

/* Names may lie in memory that is used again: not where one lies tells them apart. */
static uint64_t command_key(const struct tacho_command *command,
			    const struct tacho__device_use *device)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	for (const char *at = command->name; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211u;
	return (hash ^ (uint64_t)command->kind) * 1099511628211u ^
	       (device ? (uint64_t)(device->index + 1) << 48 : 0);
}

static void count_items(struct tacho__sampled *line, const struct tacho_command *command)
{
	double items = 1;

	if (!command->dimensions)
		return;
	for (uint32_t i = 0; i < command->dimensions && i < 3; i++)
		items *= (double)command->global[i];
	line->items += items;
	line->sized++;
}

/* The line of a kernel, or of a template that runs kernels. */
static int get_kernel_line(struct tacho_summary *summary, const struct tacho_command *command,
			   const struct tacho__device_use *device, const char *label,
			   struct tacho__line **out_line)
{
	const struct tacho_template *contents = command->contents;
	const char *name = "unknown";
	uint64_t key = kernel_key(command->kernel, device);
	int rc;

	if (command->kind == TACHO_COMMAND_BUFFER) {
		name = contents->name;
		key = kernel_key(NULL, device) ^ (UINT64_C(1) << 63 | contents->id);
	} else if (command->kernel && *command->kernel->name) {
		name = command->kernel->name;
	}
	rc = get_line(summary, TACHO_BY_KERNEL, key, name, label, true, out_line);
	return rc || command->kind != TACHO_COMMAND_BUFFER
		       ? rc
		       : tacho__line_parts_add(summary, *out_line, contents);
}

static int add_device_lines(struct tacho_summary *summary, const struct tacho_call *call,
			    const struct tacho__device_use *device)
{
	const struct tacho_command *command = call->command;
	const char *label = device ? device->label : "unknown";
	struct share share = {
		.duration_ns = command->has_duration ? command->duration_ns
						     : command->end_ns - command->start_ns,
		.state = command->has_duration ? TACHO_STATE_OK : command->state,
		.reason = command->reason,
		.launches = tacho__command_kernels(command),
		.first_launch = command->first_launch != 0,
		.bytes = command->has_bytes ? command->bytes : 0,
	};
	struct tacho__line *line;
	int rc = add_queue(summary, call, label, &share);

	if (!rc)
		rc = get_line(summary, TACHO_BY_COMMAND, command_key(command, device),
			      *command->name ? command->name
					     : tacho_command_kind_to_string(command->kind),
			      label, true, &line);
	if (!rc)
		rc = count_share(summary, line, &share);
	if (rc || command->kind == TACHO_COMMAND_OTHER)
		return rc ? rc : tacho__line_values_add(summary, line, command);
	if (tacho__command_is_transfer(command))
		rc = get_line(summary, TACHO_BY_TRANSFER,
			      (uint64_t)command->kind << 48 | (device ? device->index + 1 : 0),
			      tacho_command_kind_to_string(command->kind), label, true, &line);
	else
		rc = get_kernel_line(summary, command, device, label, &line);
	if (!rc) {
		line->kind = command->kind;
		line->device = command->device;
		rc = count_share(summary, line, &share);
	}
	if (!rc && line->sampled && command->kind == TACHO_COMMAND_KERNEL)
		count_items(line->sampled, command);
	if (!rc && share.state == TACHO_STATE_OK)
		rc = tacho__durations_add(summary, line, share.duration_ns);
	return rc ? rc : tacho__line_values_add(summary, line, command);
}

int tacho__lines_add_call(struct tacho_summary *summary, const struct tacho_call *call,
			  const struct tacho__device_use *device)
{
	int rc = call->is_bare ? 0 : add_host_lines(summary, call);

	if (!rc && call->command)
		rc = add_device_lines(summary, call, device);
	return rc ? rc : tacho__range_lines_add_call(summary, call);
}

static int add_silent_processes(struct tacho_summary *summary)
{
	const struct tacho_process *process;
	int rc = 0;

	for (size_t i = 0; !rc && (process = tacho_recording_get_process(summary->recording, i));
	     i++) {
		struct tacho__line *line;

		rc = get_process_line(summary, process, &line);
	}
	return rc;
}

static int name_threads(struct tacho_summary *summary)
{
	struct tacho__lines *lines = &summary->lines[TACHO_BY_THREAD];

	for (size_t i = 0; i < lines->count; i++) {
		struct tacho_summary_line *line = &lines->all[i]->line;

		line->name = tacho__summary_text(
			summary, tacho_cursor_get_thread_name(
					 summary->cursor, lines->all[i]->process, line->thread));
		if (!line->name)
			return TACHO_E_NOMEM;
	}
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct tacho_summary_line *a = &(*(struct tacho__line *const *)left)->line;
	const struct tacho_summary_line *b = &(*(struct tacho__line *const *)right)->line;
	int order;

	if (a->is_outside != b->is_outside)
		return a->is_outside ? 1 : -1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->device, b->device);
	if (!order)
		order = (a->pid > b->pid) - (a->pid < b->pid);
	return order ? order : (a->thread > b->thread) - (a->thread < b->thread);
}

static void set_state(struct tacho__line *line)
{
	if (line->line.count && !line->line.measured)
		line->line.state = TACHO_STATE_ABSENT;
	else if (line->lost)
		line->line.state = TACHO_STATE_LOST;
}

/* Faster than any way between host and device. */
enum { COPIED_BYTES_PER_NS_MAX = 1000 };

/* Maps of memory that host and device share move nothing, whatever their size. */
static const char *why_no_rate(const struct tacho__line *line)
{
	const struct tacho_summary_line *info = &line->line;
	bool is_map = line->kind == TACHO_COMMAND_MAP || line->kind == TACHO_COMMAND_UNMAP;
	const char *type = line->device ? tacho_object_get(line->device, "type") : NULL;

	if (!tacho__kind_is_transfer(line->kind))
		return "";
	if (!info->bytes)
		return "no size is known";
	if (info->measured != info->count)
		return "some have no times";
	if (is_map && type && !strcmp(type, "cpu"))
		return "nothing is copied: a CPU's memory is the host's";
	if (!info->total_ns || (is_map && info->bytes / info->total_ns >= COPIED_BYTES_PER_NS_MAX))
		return "nothing can have been copied in so short a time";
	return "";
}

int tacho__lines_complete(struct tacho_summary *summary)
{
	static const bool has_values[TACHO__SUMMARY_KEYS] = {
		[TACHO_BY_KERNEL] = true, [TACHO_BY_TRANSFER] = true, [TACHO_BY_RANGE] = true,
		[TACHO_BY_PASS] = true,	  [TACHO_BY_COMMAND] = true,
	};
	int rc = add_silent_processes(summary);

	add_threads(summary);
	if (!rc)
		rc = tacho__gap_lines_complete(summary);
	if (!rc)
		rc = name_threads(summary);
	if (!rc)
		rc = tacho__range_lines_complete(summary);
	for (int key = 0; key < TACHO__SUMMARY_KEYS && !rc; key++) {
		struct tacho__lines *lines = &summary->lines[key];

		for (size_t i = 0; i < lines->count; i++) {
			set_state(lines->all[i]);
			lines->all[i]->line.why_no_rate = why_no_rate(lines->all[i]);
			tacho__line_parts_complete(lines->all[i]);
		}
		if (lines->count)
			qsort(lines->all, lines->count, sizeof(*lines->all), compare);
		if (has_values[key])
			rc = tacho__line_values_complete(summary, lines);
	}
	return rc;
}

void tacho__lines_finish(struct tacho__lines *lines)
{
	tacho__map_finish(&lines->by_key);
	tacho__names_finish(&lines->by_name);
	free(lines->all);
	free(lines->reasons);
	tacho_result_destroy(lines->values);
}
