/* SPDX-License-Identifier: MIT */
/* One JSON object per line, each understandable by itself; docs/jsonl.md tells the schemas. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/attributes.h"
#include "format/machine_json.h"
#include "format/memory_json.h"
#include "format/estimate.h"
#include "format/format.h"
#include "format/range_text.h"
#include "format/template_runs.h"
#include "format/values_file.h"
#include "record/command.h"
#include "record/whole.h"
#include "tacho/sys/json.h"

struct writer {
	FILE *stream;
	const struct tacho_recording *recording;
	size_t objects; /* that were written already */
	struct tacho__template_numbers templates;
	bool is_import; /* of session files, which tell less of the run */
};

static void begin(struct tacho_json *json, const struct writer *writer, const char *schema)
{
	tacho_json_init(json, writer->stream, false);
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "schema", schema);
}

static void add_handle(struct tacho_json *json, uint64_t handle)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIX64, handle);
	tacho_json_add_string(json, "handle", text);
}

static void put_thread_time(const struct writer *writer, const struct tacho_thread_time *time)
{
	struct tacho_json json;

	begin(&json, writer, "tacho.thread_time/1");
	tacho__json_add_thread_time(&json, time);
	tacho_json_finish(&json);
}

static void put_run(const struct writer *writer, const struct tacho_recording *recording)
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	struct tacho_json json;

	begin(&json, writer, "tacho.run/1");
	tacho_json_add_text(&json, "generator", run->generator);
	tacho_json_add_text(&json, "application", run->application);
	tacho_json_add_string(&json, "arguments", run->arguments);
	tacho_json_add_text(&json, "working_directory", run->working_directory);
	tacho_json_add_text(&json, "host", run->host);
	tacho_json_add_text(&json, "os_name", run->os_name);
	tacho_json_add_text(&json, "os_release", run->os_release);
	tacho_json_add_text(&json, "via", run->via);
	tacho_json_add_known(&json, "start_ns", !writer->is_import, run->start_ns);
	tacho_json_add_known(&json, "end_ns", run->end_ns != 0, run->end_ns);
	if (writer->is_import && !run->realtime_offset_ns)
		tacho_json_add_null(&json, "realtime_offset_ns");
	else
		tacho_json_add_integer(&json, "realtime_offset_ns", run->realtime_offset_ns);
	tacho_json_add_known(&json, "exit_status", run->exit_status >= 0,
			     (uint64_t)run->exit_status);
	tacho_json_add_text(&json, "why_empty", run->why_empty);
	tacho_json_add_text(&json, "why_uncounted", run->why_uncounted);
	if (run->import_note)
		tacho_json_add_text(&json, "import_note", run->import_note);
	tacho_json_add_bool(&json, "unfinished", run->is_unfinished != 0);
	tacho_json_add_known(&json, "max_bytes", run->max_bytes != 0, run->max_bytes);
	tacho_json_add_known(&json, "ring_bytes", run->ring_bytes != 0, run->ring_bytes);
	tacho_json_add_known(&json, "ring_calls", run->ring_bytes != 0, run->ring_calls);
	tacho_json_add_known(&json, "max_calls", run->max_calls != 0, run->max_calls);
	tacho_json_add_known(&json, "max_launches", run->max_launches != 0, run->max_launches);
	tacho__json_add_machine(&json, recording);
	tacho_json_finish(&json);
}

static void put_process(const struct writer *writer, const struct tacho_process *process)
{
	struct tacho_json json;

	begin(&json, writer, "tacho.process/1");
	tacho_json_add_unsigned(&json, "process", process->index);
	tacho_json_add_known(&json, "pid", !writer->is_import || process->pid, process->pid);
	tacho_json_add_known(&json, "parent_pid", !writer->is_import, process->parent_pid);
	tacho_json_add_text(&json, "directory", process->directory);
	tacho_json_add_text(&json, "executable", process->executable);
	tacho_json_add_text(&json, "command", process->command);
	tacho_json_add_text(&json, "loader", process->loader);
	tacho_json_add_known(&json, "start_ns", !writer->is_import, process->start_ns);
	tacho_json_add_text(&json, "clock", process->clock);
	tacho_json_add_known(&json, "clock_uncertainty_ns", !writer->is_import,
			     process->clock_uncertainty_ns);
	tacho_json_add_text(&json, "unwatched", process->unwatched);
	tacho_json_add_bool(&json, "unseen_work", process->has_unseen_work);
	tacho_json_add_text(&json, "uncounted", process->uncounted);
	tacho_json_add_text(&json, "uncounted_cure", process->uncounted_cure);
	tacho_json_add_known(&json, "uncounted_ns", *process->uncounted, process->uncounted_ns);
	tacho_json_finish(&json);
}

/* Of a process, or of none. */
static void put_loss(const struct writer *writer, const struct tacho_process *process,
		     const struct tacho_losses *losses)
{
	struct tacho_loss loss;
	struct tacho_json json;

	begin(&json, writer, "tacho.loss/1");
	tacho_json_add_known(&json, "process", process != NULL, process ? process->index : 0);
	tacho_json_add_known(&json, "pid", process != NULL, process ? process->pid : 0);
	for (size_t i = 0; tacho__losses_get(losses, i, &loss); i++)
		tacho_json_add_unsigned(&json, loss.name, loss.count);
	tacho_json_add_unsigned(&json, "waits", losses->waits);
	tacho_json_add_integer(&json, "io_error", losses->io_error);
	tacho_json_finish(&json);
}

static int put_fault(const struct writer *writer, const struct tacho_fault *fault)
{
	struct tacho_json json;
	char *text;
	int rc = tacho_fault_format(fault, &text);

	if (rc)
		return rc;
	begin(&json, writer, "tacho.fault/1");
	tacho_json_add_string(&json, "text", text);
	tacho_json_add_text(&json, "path", fault->path);
	tacho_json_add_string(&json, "what", fault->what);
	tacho_json_add_known(&json, "error", fault->error != 0, (uint64_t)fault->error);
	tacho_json_add_known(&json, "bytes", fault->bytes != 0, fault->bytes);
	tacho_json_add_known(&json, "calls", fault->calls != 0, fault->calls);
	tacho_json_finish(&json);
	free(text);
	return 0;
}

/* All that is missing, and why. */
static int put_gaps(const struct writer *writer)
{
	const struct tacho_recording *recording = writer->recording;
	const struct tacho_process *process;
	const struct tacho_fault *fault;
	const struct tacho_bound *bound;
	int rc = 0;

	for (size_t i = 0; (process = tacho_recording_get_process(recording, i)); i++)
		put_loss(writer, process, &process->losses);
	put_loss(writer, NULL, tacho_recording_get_losses(recording));
	for (size_t i = 0; !rc && (fault = tacho_recording_get_fault(recording, i)); i++)
		rc = put_fault(writer, fault);
	for (size_t i = 0; !rc && (bound = tacho_recording_get_bound(recording, i)); i++) {
		struct tacho_json json;

		begin(&json, writer, "tacho.left_out/1");
		tacho_json_add_string(&json, "function", bound->function);
		tacho_json_add_unsigned(&json, "calls", bound->calls);
		tacho_json_finish(&json);
	}
	return rc;
}

static void add_id(struct tacho_json *json, const char *key, const struct tacho_object *object)
{
	tacho_json_add_known(json, key, object != NULL, object ? object->id : 0);
}

static void put_object(const struct writer *writer, const struct tacho_object *object)
{
	struct tacho_json json;

	begin(&json, writer, "tacho.object/1");
	tacho_json_add_known(&json, "process", object->process != NULL,
			     object->process ? object->process->index : 0);
	tacho_json_add_string(&json, "kind", tacho__object_kind_to_string(object->kind));
	tacho_json_add_unsigned(&json, "id", object->id);
	if (writer->is_import && !object->handle)
		tacho_json_add_null(&json, "handle");
	else
		add_handle(&json, object->handle);
	tacho_json_add_text(&json, "name", object->name);
	add_id(&json, "context", object->context);
	add_id(&json, "device", object->device);
	add_id(&json, "program", object->program);
	tacho_json_begin_object(&json, "attributes");
	for (size_t i = 0; tacho__attribute_names[i]; i++) {
		const char *value = tacho_object_get(object, tacho__attribute_names[i]);

		if (value)
			tacho_json_add_string(&json, tacho__attribute_names[i], value);
	}
	tacho_json_finish(&json);
}

static void put_objects(struct writer *writer, const struct tacho_cursor *cursor)
{
	const struct tacho_object *object;

	for (; (object = tacho_cursor_get_object(cursor, writer->objects)); writer->objects++)
		put_object(writer, object);
}

static void put_memory(const struct writer *writer, const struct tacho_object *device,
		       const struct tacho_device_memory *memory)
{
	struct tacho_json json;

	begin(&json, writer, "tacho.memory/1");
	add_id(&json, "device", device);
	tacho__memory_add_json(&json, memory);
	tacho_json_finish(&json);
}

/* As it was at the end. */
static void put_all_memory(const struct writer *writer, const struct tacho_cursor *cursor)
{
	const struct tacho_object *object;
	struct tacho_device_memory memory;

	for (size_t i = 0; (object = tacho_cursor_get_object(cursor, i)); i++)
		for (size_t k = 0; object->kind == TACHO_OBJECT_DEVICE &&
				   tacho_object_get_memory(object, k, &memory);
		     k++)
			put_memory(writer, object, &memory);
}

static void add_sizes(struct tacho_json *json, const char *key, bool known, const uint64_t *sizes,
		      uint32_t dimensions)
{
	if (!known || !dimensions) {
		tacho_json_add_null(json, key);
		return;
	}
	tacho_json_begin_array(json, key);
	for (uint32_t i = 0; i < dimensions && i < 3; i++)
		tacho_json_add_unsigned(json, NULL, sizes[i]);
	tacho_json_end(json);
}

/* Who did it, with the name, so that the line needs no other one. */
static void add_named(struct tacho_json *json, const char *key, const struct tacho_object *object)
{
	if (!object) {
		tacho_json_add_null(json, key);
		return;
	}
	tacho_json_begin_object(json, key);
	tacho_json_add_unsigned(json, "id", object->id);
	tacho_json_add_text(json, "name", object->name);
	tacho_json_end(json);
}

/* A command of a template. Its times are not known. */
static void add_recorded(struct tacho_json *json, const struct tacho_template_command *command)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "kind", tacho_command_kind_to_string(command->kind));
	tacho_json_add_text(json, "name", command->name);
	add_named(json, "device", command->device);
	if (command->kind == TACHO_COMMAND_KERNEL) {
		add_named(json, "kernel", command->kernel);
		add_sizes(json, "global", true, command->global, command->dimensions);
		add_sizes(json, "local", command->has_local, command->local, command->dimensions);
	} else {
		tacho_json_add_known(json, "bytes", command->has_bytes, command->bytes);
	}
	tacho_json_end(json);
}

/* What an execution runs: a line when it is another than that of the execution before. */
static int put_template(struct writer *writer, const struct tacho_process *process,
			const struct tacho_template *contents, uint64_t *out_number)
{
	struct tacho_json json;
	bool is_new = false;
	int rc = tacho__template_numbers_get(&writer->templates, process, contents, out_number,
					     &is_new);

	if (rc || !is_new)
		return rc;
	begin(&json, writer, "tacho.template/1");
	tacho_json_add_unsigned(&json, "process", process->index);
	tacho_json_add_unsigned(&json, "id", *out_number);
	tacho_json_add_string(&json, "name", contents->name);
	add_handle(&json, contents->handle);
	tacho_json_add_unsigned(&json, "version", contents->version);
	tacho_json_add_bool(&json, "known", contents->is_known);
	tacho_json_add_text(&json, "reason", contents->reason);
	tacho_json_begin_array(&json, "devices");
	for (size_t i = 0; i < contents->device_count; i++)
		add_named(&json, NULL, contents->devices[i]);
	tacho_json_end(&json);
	tacho_json_begin_array(&json, "commands");
	for (size_t i = 0; i < contents->command_count; i++)
		add_recorded(&json, &contents->commands[i]);
	tacho_json_finish(&json);
	return 0;
}

static void add_contents(struct tacho_json *json, const struct tacho_command *command,
			 uint64_t template_number)
{
	const struct tacho_template *contents = command->contents;

	tacho_json_begin_object(json, "template");
	tacho_json_add_unsigned(json, "id", template_number);
	tacho_json_add_string(json, "name", contents->name);
	tacho_json_add_known(json, "commands", contents->is_known, contents->command_count);
	tacho_json_add_known(json, "kernels", contents->is_known, contents->kernel_count);
	tacho_json_end(json);
	tacho_json_add_bool(json, "marked_start", command->has_marked_start);
}

static void add_command(struct tacho_json *json, const struct writer *writer,
			const struct tacho_command *command, uint64_t template_number)
{
	bool ok = command->state == TACHO_STATE_OK;

	tacho_json_begin_object(json, "command");
	tacho_json_add_unsigned(json, "id", command->id);
	tacho_json_add_string(json, "kind", tacho_command_kind_to_string(command->kind));
	tacho_json_add_unsigned(json, "code", command->code);
	tacho_json_add_text(json, "name", command->name);
	add_id(json, "queue", command->queue);
	add_id(json, "context", command->queue ? command->queue->context : NULL);
	add_named(json, "device", command->device);
	tacho_json_add_string(json, "state", tacho_state_to_string(command->state));
	tacho_json_add_text(json, "reason", command->reason);
	tacho_json_add_known(json, "queued_ns", ok && !command->lacks_queue_times,
			     command->queued_ns);
	tacho_json_add_known(json, "submit_ns", ok && !command->lacks_queue_times,
			     command->submit_ns);
	tacho_json_add_known(json, "start_ns", ok, command->start_ns);
	tacho_json_add_known(json, "end_ns", ok, command->end_ns);
	tacho_json_add_known(json, "uncertainty_ns", ok && !writer->is_import,
			     command->uncertainty_ns);
	tacho_json_add_text(json, "clock", ok ? command->clock : NULL);
	if (command->has_duration)
		tacho_json_add_unsigned(json, "duration_ns", command->duration_ns);
	if (command->kind == TACHO_COMMAND_KERNEL) {
		add_named(json, "kernel", command->kernel);
		add_sizes(json, "global", true, command->global, command->dimensions);
		add_sizes(json, "local", command->has_local, command->local, command->dimensions);
		tacho_json_add_bool(json, "first_launch", command->first_launch);
	} else if (command->kind == TACHO_COMMAND_BUFFER) {
		add_contents(json, command, template_number);
	} else {
		tacho_json_add_known(json, "bytes", command->has_bytes, command->bytes);
	}
	tacho_json_end(json);
}

/* What was asked for, once. */
static void put_counting(const struct writer *writer, const struct tacho_recording *recording)
{
	const struct tacho_recorded_counting *counting = tacho_recording_get_counting(recording);
	const struct tacho_entry *counter;
	struct tacho_json json;

	if (!counting)
		return;
	begin(&json, writer, "tacho.counters/1");
	tacho_json_add_text(&json, "device", counting->device);
	tacho_json_add_bool(&json, "simulated", counting->is_simulated);
	tacho_json_add_unsigned(&json, "passes", counting->pass_count);
	tacho_json_add_string(&json, "replay", tacho_replay_to_string(counting->replay));
	tacho_json_begin_array(&json, "counters");
	for (size_t i = 0; (counter = tacho_recording_get_counter(recording, i)); i++) {
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_string(&json, "name", counter->name);
		tacho_json_add_text(&json, "unit", counter->unit);
		tacho_json_add_string(&json, "type",
				      counter->type == TACHO_TYPE_F64 ? "f64" : "u64");
		tacho_json_add_text(&json, "description", counter->description);
		tacho_json_add_bool(&json, "simulated", counter->is_simulated);
		tacho_json_end(&json);
	}
	tacho_json_finish(&json);
}

/* Counters that were sampled beside the program, once. */
static void put_sampling(const struct writer *writer, size_t index,
			 const struct tacho_sampling *sampling)
{
	struct tacho_json json;

	begin(&json, writer, "tacho.sampling/1");
	tacho_json_add_unsigned(&json, "sampling", index);
	tacho_json_add_text(&json, "device", sampling->device);
	tacho_json_add_bool(&json, "simulated", sampling->is_simulated);
	tacho_json_add_unsigned(&json, "window_ns", sampling->window_ns);
	tacho_json_begin_array(&json, "counters");
	for (size_t i = 0; i < sampling->counter_count; i++) {
		const struct tacho_entry *counter = &sampling->counters[i];

		tacho_json_begin_object(&json, NULL);
		tacho_json_add_string(&json, "name", counter->name);
		tacho_json_add_text(&json, "unit", counter->unit);
		tacho_json_add_string(&json, "type",
				      counter->type == TACHO_TYPE_F64 ? "f64" : "u64");
		tacho_json_add_text(&json, "semantic", counter->semantic);
		tacho_json_add_text(&json, "description", counter->description);
		tacho_json_end(&json);
	}
	tacho_json_end(&json);
	tacho_json_add_unsigned(&json, "windows", sampling->windows);
	tacho_json_add_unsigned(&json, "lost", sampling->lost);
	tacho_json_add_bool(&json, "open", sampling->is_open);
	tacho_json_add_text(&json, "ended", sampling->ended);
	tacho_json_add_text(&json, "ended_cure", sampling->ended_cure);
	tacho_json_finish(&json);
}

/* The value of a counter, or those of its instances. */
static void add_counter(struct tacho_json *json, const struct tacho_column *column)
{
	tacho_json_begin_object(json, column->name);
	tacho_values_add_dimensions(json, column);
	if (!column->dimension_count) {
		tacho__values_add(json, column, 0, 0);
	} else {
		tacho_json_begin_array(json, "instances");
		for (size_t i = 0; i < column->instance_count; i++) {
			if (!tacho_column_is_present(column, i))
				continue;
			tacho_json_begin_object(json, NULL);
			tacho_values_add_position(json, column, i);
			tacho__values_add(json, column, 0, i);
			tacho_json_end(json);
		}
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

/* Counters that such a command cannot have are left out. */
static void add_values(struct tacho_json *json, const struct tacho_recorded_row *row)
{
	const struct tacho_column *column;

	if (!row)
		return;
	if (!row->is_counted) {
		tacho_json_add_null(json, "values");
		return;
	}
	tacho_json_begin_object(json, "values");
	for (size_t i = 0; (column = tacho_result_get_column(row->result, i)); i++)
		if (!(tacho_column_get_state(column, 0, 0) & TACHO_MARK_FOREIGN))
			add_counter(json, column);
	tacho_json_end(json);
	if (*row->note)
		tacho_json_add_string(json, "values_note", row->note);
}

static void add_color(struct tacho_json *json, const struct tacho_named_range *range)
{
	char text[16];

	snprintf(text, sizeof(text), "#%08" PRIx32, range->color);
	tacho_json_add_text(json, "color", range->has_color ? text : NULL);
}

static bool is_of_device(const struct tacho_named_range *range)
{
	return range->kind == TACHO_RANGE_LABEL || range->kind == TACHO_RANGE_PASS;
}

static void put_range(void *user, const struct tacho_named_range *range)
{
	const struct writer *writer = user;
	struct tacho_json json;

	begin(&json, writer, "tacho.range/1");
	tacho_json_add_unsigned(&json, "id", range->id);
	tacho_json_add_string(&json, "kind", tacho__range_kind_to_string(range->kind));
	tacho_json_add_string(&json, "name", range->name);
	tacho_json_add_text(&json, "domain", range->domain);
	tacho_json_add_text(&json, "api", range->api);
	tacho_json_add_unsigned(&json, "process", range->process->index);
	tacho_json_add_known(&json, "pid", !writer->is_import || range->process->pid,
			     range->process->pid);
	tacho_json_add_unsigned(&json, "thread", range->thread);
	tacho_json_add_unsigned(&json, "depth", range->depth);
	if (range->number)
		tacho_json_add_unsigned(&json, "number", range->number);
	if (range->queue)
		tacho_json_add_unsigned(&json, "queue", range->queue->id);
	if (is_of_device(range))
		tacho_json_add_bool(&json, "device_times", range->has_device_times != 0);
	tacho_json_add_known(&json, "parent", range->parent != NULL,
			     range->parent ? range->parent->id : 0);
	tacho_json_add_unsigned(&json, "start_ns", range->start_ns);
	tacho_json_add_known(&json, "end_ns", !range->is_open, range->end_ns);
	tacho_json_add_known(&json, "last_ns", range->is_open, range->end_ns);
	add_color(&json, range);
	tacho_json_finish(&json);
}

static size_t find_sampling(const struct writer *writer, const struct tacho_sampling *wanted)
{
	size_t index = 0;

	while (tacho_recording_get_sampling(writer->recording, index) != wanted)
		index++;
	return index;
}

static void put_window(void *user, const struct tacho_window *window)
{
	const struct writer *writer = user;
	const struct tacho_column *column;
	struct tacho_json json;

	begin(&json, writer, "tacho.window/1");
	tacho_json_add_unsigned(&json, "sampling", find_sampling(writer, window->sampling));
	tacho_json_add_text(&json, "device", window->sampling->device);
	tacho_json_add_unsigned(&json, "index", window->index);
	tacho_json_add_unsigned(&json, "start_ns", window->start_ns);
	tacho_json_add_unsigned(&json, "end_ns", window->end_ns);
	tacho_json_add_unsigned(&json, "uncertainty_ns", window->uncertainty_ns);
	tacho_json_begin_object(&json, "values");
	for (size_t i = 0; (column = tacho_result_get_column(window->result, i)); i++)
		add_counter(&json, column);
	tacho_json_end(&json);
	tacho_json_finish(&json);
}

/* The ids of those that it was made in. */
static void add_ranges(struct tacho_json *json, const struct tacho_call *call)
{
	if (!call->range_count)
		return;
	tacho_json_begin_array(json, "ranges");
	for (size_t i = 0; i < call->range_count; i++)
		tacho_json_add_unsigned(json, NULL, call->ranges[i]->id);
	tacho_json_end(json);
}

static void add_repeats(struct tacho_json *json, const struct tacho_call *call)
{
	tacho_json_add_unsigned(json, "repeats", call->repeats);
	tacho_json_add_unsigned(json, "busy_ns", tacho__call_busy_ns(call));
}

static int put_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct writer *writer = user;
	struct tacho_json json;
	const char *name, *text;
	uint64_t template_number = 0;
	int rc = 0;

	put_objects(writer, cursor);
	if (call->command && call->command->contents)
		rc = put_template(writer, call->process, call->command->contents, &template_number);
	if (rc)
		return rc;
	begin(&json, writer, "tacho.call/1");
	tacho_json_add_unsigned(&json, "process", call->process->index);
	tacho_json_add_known(&json, "pid", !writer->is_import || call->process->pid,
			     call->process->pid);
	tacho_json_add_unsigned(&json, "thread", call->thread);
	tacho_json_add_unsigned(&json, "index", call->index);
	tacho_json_add_string(&json, "api", call->function->api);
	tacho_json_add_string(&json, "function", call->function->name);
	tacho_json_add_known(&json, "start_ns", tacho__call_has_time(call), call->start_ns);
	tacho_json_add_known(&json, "end_ns", tacho__call_has_time(call), call->end_ns);
	tacho_json_add_text(&json, "result", call->result);
	tacho_json_add_bool(&json, "failed", call->failed);
	if (call->repeats)
		add_repeats(&json, call);
	if (call->is_bare)
		tacho_json_add_bool(&json, "bare", true);
	if (call->caller)
		tacho_json_add_string(&json, "caller", call->caller);
	add_ranges(&json, call);
	tacho_json_begin_object(&json, "arguments");
	for (size_t i = 0; (text = tacho_cursor_get_argument(cursor, i, &name)); i++)
		tacho_json_add_string(&json, name, text);
	tacho_json_end(&json);
	if (call->command)
		add_command(&json, writer, call->command, template_number);
	else
		tacho_json_add_null(&json, "command");
	add_values(&json, tacho_cursor_get_row(cursor));
	tacho_json_finish(&json);
	return ferror(writer->stream) ? TACHO_E_IO : 0;
}

static int write_lines(struct tacho_recording *recording, struct tacho_cursor *cursor,
		       struct writer *writer)
{
	const struct tacho_process *process;
	const struct tacho_thread_time *time;
	const struct tacho_sampling *sampling;
	int rc;

	put_run(writer, recording);
	for (size_t i = 0; (process = tacho_recording_get_process(recording, i)); i++)
		put_process(writer, process);
	for (size_t i = 0; (time = tacho_recording_get_thread_time(recording, i)); i++)
		put_thread_time(writer, time);
	put_counting(writer, recording);
	for (size_t i = 0; (sampling = tacho_recording_get_sampling(recording, i)); i++)
		put_sampling(writer, i, sampling);
	tacho_cursor_on_range(cursor, put_range, writer);
	tacho_cursor_on_window(cursor, put_window, writer);
	rc = tacho__format_each_call(cursor, put_call, writer);
	if (rc)
		return rc;
	put_objects(writer, cursor);
	put_all_memory(writer, cursor);
	return put_gaps(writer);
}

static int print_jsonl(struct tacho_recording *recording, FILE *stream)
{
	struct writer writer = {.stream = stream,
				.recording = recording,
				.is_import =
					tacho_recording_get_run(recording)->import_note != NULL};
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(recording, &cursor);

	if (rc)
		return rc;
	rc = write_lines(recording, cursor, &writer);
	tacho__template_numbers_finish(&writer.templates);
	tacho_cursor_close(cursor);
	return rc;
}

/* What the keys of the schemas make of a call. */
enum {
	CALL_BYTES = 230,
	COMMAND_BYTES = 480,
	KERNEL_BYTES = 100,
	PER_ARGUMENT_BYTE = 3,
	VALUE_BYTES = 45,
	TEMPLATE_BYTES = 120,
	RECORDED_BYTES = 170, /* a command of a template */
	RANGE_BYTES = 6	      /* its id, with a call */
};

static int estimate_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct tacho__estimate *estimate = user;
	const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);
	uint64_t commands;
	int rc = tacho__estimate_template(estimate, call, &commands);

	if (rc)
		return rc;
	if (commands)
		estimate->bytes += TEMPLATE_BYTES + RECORDED_BYTES * commands;
	estimate->bytes += CALL_BYTES + strlen(call->function->name) + strlen(call->result) +
			   PER_ARGUMENT_BYTE * tacho__sampler_add(&estimate->arguments, cursor);
	estimate->bytes += RANGE_BYTES * call->range_count;
	if (call->command)
		estimate->bytes += COMMAND_BYTES;
	if (call->command && call->command->kind == TACHO_COMMAND_KERNEL)
		estimate->bytes += KERNEL_BYTES;
	if (row)
		estimate->bytes += VALUE_BYTES * tacho__estimate_values(row->result);
	return 0;
}

static int estimate_jsonl(struct tacho_recording *recording, uint64_t *out_bytes)
{
	enum { RUN_BYTES = 1000, PROCESS_BYTES = 700 };

	return tacho__estimate(recording, RUN_BYTES, PROCESS_BYTES, estimate_call, out_bytes);
}

const struct tacho__format tacho__format_jsonl = {
	.format = {.name = "jsonl",
		   .summary = "one JSON object per line (docs/jsonl.md)",
		   .suffixes = ".jsonl",
		   .is_stream = 1},
	.print = print_jsonl,
	.estimate = estimate_jsonl,
};
