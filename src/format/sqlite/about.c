/* SPDX-License-Identifier: MIT */
#include "format/sqlite/about.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/map.h"
#include "format/attributes.h"
#include "format/estimate.h"
#include "record/whole.h"

static void put_host(struct tacho__sqlite_file *file, const struct tacho_run *run)
{
	tacho__sqlite_row_begin(file, TACHO__SQLITE_HOST);
	tacho__sqlite_row_id(file, 1);
	tacho__sqlite_row_text(file, run->host);
	tacho__sqlite_row_text(file, run->os_name);
	tacho__sqlite_row_text(file, run->os_release);
	tacho__sqlite_row_end(file);
}

static void put_run(struct tacho__sqlite_file *file, const struct tacho_run *run,
		    const char *why_empty)
{
	tacho__sqlite_row_begin(file, TACHO__SQLITE_RUN);
	tacho__sqlite_row_id(file, 1);
	tacho__sqlite_row_id(file, 1); /* the host */
	tacho__sqlite_row_text(file, "tacho " TACHO_VERSION);
	tacho__sqlite_row_text(file, run->generator);
	tacho__sqlite_row_text(file, run->application);
	tacho__sqlite_row_text(file, run->arguments);
	tacho__sqlite_row_text(file, run->working_directory);
	tacho__sqlite_row_text(file, run->via);
	tacho__sqlite_row_unsigned(file, run->start_ns != 0, run->start_ns);
	tacho__sqlite_row_unsigned(file, run->end_ns != 0, run->end_ns);
	if (run->import_note && !run->realtime_offset_ns)
		tacho__sqlite_row_null(file);
	else
		tacho__sqlite_row_integer(file, run->realtime_offset_ns);
	tacho__sqlite_row_unsigned(file, run->exit_status >= 0, (uint64_t)run->exit_status);
	tacho__sqlite_row_text(file, why_empty);
	tacho__sqlite_row_text(file, run->why_uncounted);
	tacho__sqlite_row_text(file, run->import_note);
	tacho__sqlite_row_integer(file, run->is_unfinished != 0);
	tacho__sqlite_row_unsigned(file, run->max_bytes != 0, run->max_bytes);
	tacho__sqlite_row_unsigned(file, run->ring_bytes != 0, run->ring_bytes);
	tacho__sqlite_row_unsigned(file, run->ring_bytes != 0, run->ring_calls);
	tacho__sqlite_row_unsigned(file, run->max_calls != 0, run->max_calls);
	tacho__sqlite_row_unsigned(file, run->max_launches != 0, run->max_launches);
	tacho__sqlite_row_end(file);
}

static void put_process(struct tacho__sqlite_file *file, const struct tacho_process *process)
{
	tacho__sqlite_row_begin(file, TACHO__SQLITE_PROCESS);
	tacho__sqlite_row_unsigned(file, true, process->index);
	tacho__sqlite_row_unsigned(file, process->pid != 0, process->pid);
	tacho__sqlite_row_unsigned(file, process->pid != 0, process->parent_pid);
	tacho__sqlite_row_text(file, process->directory);
	tacho__sqlite_row_text(file, process->executable);
	tacho__sqlite_row_text(file, process->command);
	tacho__sqlite_row_text(file, process->loader);
	tacho__sqlite_row_unsigned(file, process->start_ns != 0, process->start_ns);
	tacho__sqlite_row_text(file, process->clock);
	tacho__sqlite_row_unsigned(file, true, process->clock_uncertainty_ns);
	tacho__sqlite_row_text(file, process->uncounted);
	tacho__sqlite_row_text(file, process->uncounted_cure);
	tacho__sqlite_row_unsigned(file, *process->uncounted, process->uncounted_ns);
	tacho__sqlite_row_text(file, process->unwatched);
	tacho__sqlite_row_integer(file, process->has_unseen_work != 0);
	tacho__sqlite_row_end(file);
}

static void put_thread_time(struct tacho__sqlite_file *file, const struct tacho_thread_time *time)
{
	tacho__sqlite_row_begin(file, TACHO__SQLITE_THREAD_TIME);
	tacho__sqlite_row_unsigned(file, true, time->process->index);
	tacho__sqlite_row_unsigned(file, true, time->thread);
	tacho__sqlite_row_unsigned(file, true, time->at_ns);
	tacho__sqlite_row_unsigned(file, true, time->run_ns);
	tacho__sqlite_row_unsigned(file, true, time->waited_ns);
	tacho__sqlite_row_end(file);
}

/* Of a process, or of none. */
static void put_loss(struct tacho__sqlite_file *file, const struct tacho_process *process,
		     const struct tacho_losses *losses)
{
	struct tacho_loss loss;

	tacho__sqlite_row_begin(file, TACHO__SQLITE_LOSS);
	tacho__sqlite_row_unsigned(file, process != NULL, process ? process->index : 0);
	for (size_t i = 0; tacho__losses_get(losses, i, &loss); i++)
		tacho__sqlite_row_unsigned(file, true, loss.count);
	tacho__sqlite_row_unsigned(file, true, losses->waits);
	tacho__sqlite_row_integer(file, losses->io_error);
	tacho__sqlite_row_end(file);
}

static void put_fault(struct tacho__sqlite_file *file, const struct tacho_fault *fault,
		      uint64_t number)
{
	char *text;
	int rc = tacho_fault_format(fault, &text);

	if (rc) {
		file->rc = rc;
		return;
	}
	tacho__sqlite_row_begin(file, TACHO__SQLITE_FAULT);
	tacho__sqlite_row_id(file, number);
	tacho__sqlite_row_text(file, fault->path);
	tacho__sqlite_row_text(file, fault->what);
	tacho__sqlite_row_unsigned(file, fault->error != 0, (uint64_t)fault->error);
	tacho__sqlite_row_unsigned(file, fault->bytes != 0, fault->bytes);
	tacho__sqlite_row_unsigned(file, fault->calls != 0, fault->calls);
	tacho__sqlite_row_text(file, text);
	tacho__sqlite_row_end(file);
	free(text);
}

/* All that is missing, and why. */
static void put_gaps(struct tacho__sqlite_file *file, const struct tacho_recording *recording)
{
	const struct tacho_process *process;
	const struct tacho_fault *fault;
	const struct tacho_bound *bound;

	for (size_t i = 0; !file->rc && (process = tacho_recording_get_process(recording, i)); i++)
		put_loss(file, process, &process->losses);
	if (!file->rc)
		put_loss(file, NULL, tacho_recording_get_losses(recording));
	for (size_t i = 0; !file->rc && (fault = tacho_recording_get_fault(recording, i)); i++)
		put_fault(file, fault, i + 1);
	for (size_t i = 0; !file->rc && (bound = tacho_recording_get_bound(recording, i)); i++) {
		tacho__sqlite_row_begin(file, TACHO__SQLITE_LEFT_OUT);
		tacho__sqlite_row_id(file, i + 1);
		tacho__sqlite_row_text(file, bound->function);
		tacho__sqlite_row_unsigned(file, true, bound->calls);
		tacho__sqlite_row_end(file);
	}
}

static void put_sampled_counter(struct tacho__sqlite_file *file, const struct tacho_entry *counter,
				uint64_t sampling, size_t index)
{
	tacho__sqlite_row_begin(file, TACHO__SQLITE_SAMPLED_COUNTER);
	tacho__sqlite_row_id(file, tacho__sqlite_sampled_id(sampling, index));
	tacho__sqlite_row_id(file, sampling);
	tacho__sqlite_row_text(file, counter->name);
	tacho__sqlite_row_text(file, counter->unit);
	tacho__sqlite_row_text(file, counter->type == TACHO_TYPE_F64 ? "f64" : "u64");
	tacho__sqlite_row_text(file, counter->semantic);
	tacho__sqlite_row_text(file, counter->description);
	tacho__sqlite_row_end(file);
}

static void put_sampling(struct tacho__sqlite_file *file, const struct tacho_sampling *sampling,
			 uint64_t id)
{
	tacho__sqlite_row_begin(file, TACHO__SQLITE_SAMPLING);
	tacho__sqlite_row_id(file, id);
	tacho__sqlite_row_text(file, sampling->device);
	tacho__sqlite_row_integer(file, sampling->is_simulated != 0);
	tacho__sqlite_row_unsigned(file, true, sampling->window_ns);
	tacho__sqlite_row_unsigned(file, true, sampling->windows);
	tacho__sqlite_row_unsigned(file, true, sampling->lost);
	tacho__sqlite_row_integer(file, sampling->is_open != 0);
	tacho__sqlite_row_text(file, sampling->ended);
	tacho__sqlite_row_text(file, sampling->ended_cure);
	tacho__sqlite_row_end(file);
	for (size_t i = 0; i < sampling->counter_count && !file->rc; i++)
		put_sampled_counter(file, &sampling->counters[i], id, i);
}

static void put_counter(struct tacho__sqlite_file *file, const struct tacho_entry *counter,
			size_t index)
{
	tacho__sqlite_row_begin(file, TACHO__SQLITE_COUNTER);
	tacho__sqlite_row_id(file, index + 1);
	tacho__sqlite_row_text(file, counter->name);
	tacho__sqlite_row_text(file, counter->unit);
	tacho__sqlite_row_text(file, counter->type == TACHO_TYPE_F64 ? "f64" : "u64");
	tacho__sqlite_row_text(file, counter->semantic);
	tacho__sqlite_row_text(file, counter->description);
	tacho__sqlite_row_text(file, counter->group);
	tacho__sqlite_row_integer(file, counter->is_simulated != 0);
	tacho__sqlite_row_integer(file, counter->is_of_command != 0);
	tacho__sqlite_row_integer(file, counter->is_of_transfers != 0);
	tacho__sqlite_row_end(file);
}

static void put_counting(struct tacho__sqlite_file *file, const struct tacho_recording *recording,
			 const struct tacho_cursor *cursor)
{
	const struct tacho_recorded_counting *counting = tacho_recording_get_counting(recording);
	struct tacho_matching matching;

	if (!counting)
		return;
	tacho_cursor_get_matching(cursor, &matching);
	tacho__sqlite_row_begin(file, TACHO__SQLITE_COUNTING);
	tacho__sqlite_row_id(file, 1);
	tacho__sqlite_row_text(file, counting->device);
	tacho__sqlite_row_integer(file, counting->is_simulated != 0);
	tacho__sqlite_row_unsigned(file, true, counting->pass_count);
	tacho__sqlite_row_text(file, tacho_replay_to_string(counting->replay));
	tacho__sqlite_row_unsigned(file, true, matching.run_count);
	tacho__sqlite_row_unsigned(file, matching.run_count > 1, matching.launches);
	tacho__sqlite_row_unsigned(file, matching.run_count > 1, matching.missing);
	tacho__sqlite_row_unsigned(file, matching.run_count > 1, matching.different);
	tacho__sqlite_row_unsigned(file, matching.run_count > 1, matching.additional);
	tacho__sqlite_row_end(file);
}

/* The columns that all objects have. */
static void begin_object(struct tacho__sqlite_file *file, enum tacho__sqlite_table table,
			 const struct tacho_object *object)
{
	tacho__sqlite_row_begin(file, table);
	tacho__sqlite_row_id(file, object->id);
	tacho__sqlite_row_unsigned(file, object->process != NULL,
				   object->process ? object->process->index : 0);
	tacho__sqlite_row_handle(file, object->handle);
}

static void add_object(struct tacho__sqlite_file *file, const struct tacho_object *object)
{
	tacho__sqlite_row_id(file, object ? object->id : 0);
}

/* The name, numbered from the second device of its process with that name on. */
static void put_device(struct tacho__sqlite_file *file, struct tacho__map *numbers,
		       const struct tacho_object *device)
{
	uint64_t key = tacho__hash_text(device->name) ^
		       (device->process ? (uint64_t)device->process->index << 32 : 0);
	uintptr_t number = (uintptr_t)tacho__map_get(numbers, key) + 1;
	const char *name = *device->name ? device->name : "unknown";
	struct tacho__buf label = {0};

	tacho__buf_put(&label, name);
	if (number > 1)
		tacho__buf_printf(&label, " #%" PRIuPTR, number);
	if ((tacho__map_set(numbers, key, (void *)number) || label.failed) && !file->rc)
		file->rc = TACHO_E_NOMEM;
	begin_object(file, TACHO__SQLITE_DEVICE, device);
	tacho__sqlite_row_text(file, device->name);
	tacho__sqlite_row_text(file, tacho__buf_text(&label));
	tacho__sqlite_row_end(file);
	tacho__buf_finish(&label);
}

static void put_object(struct tacho__sqlite_file *file, struct tacho__map *numbers,
		       const struct tacho_object *object)
{
	switch (object->kind) {
	case TACHO_OBJECT_DEVICE: put_device(file, numbers, object); return;
	case TACHO_OBJECT_CONTEXT: begin_object(file, TACHO__SQLITE_CONTEXT, object); break;
	case TACHO_OBJECT_QUEUE:
		begin_object(file, TACHO__SQLITE_QUEUE, object);
		add_object(file, object->context);
		add_object(file, object->device);
		break;
	case TACHO_OBJECT_PROGRAM:
		begin_object(file, TACHO__SQLITE_PROGRAM, object);
		add_object(file, object->context);
		break;
	case TACHO_OBJECT_KERNEL:
		begin_object(file, TACHO__SQLITE_KERNEL, object);
		tacho__sqlite_row_text(file, object->name);
		add_object(file, object->context);
		add_object(file, object->program);
		break;
	}
	tacho__sqlite_row_end(file);
}

static void put_attribute(struct tacho__sqlite_file *file, const struct tacho_object *object,
			  const char *name)
{
	const char *value = tacho_object_get(object, name);

	if (!value || file->rc)
		return;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_ATTRIBUTE);
	tacho__sqlite_row_text(file, tacho__object_kind_to_string(object->kind));
	tacho__sqlite_row_id(file, object->id);
	tacho__sqlite_row_text(file, name);
	tacho__sqlite_row_text(file, value);
	tacho__sqlite_row_end(file);
}

static void put_attributes(struct tacho__sqlite_file *file, const struct tacho_object *object)
{
	struct tacho_device_memory memory;
	char name[32];

	for (size_t i = 0; tacho__attribute_names[i]; i++)
		put_attribute(file, object, tacho__attribute_names[i]);
	for (size_t i = 0; tacho_object_get_memory(object, i, &memory); i++) {
		if (memory.type < 0)
			snprintf(name, sizeof(name), "memory_heap_%" PRIu32, memory.heap);
		else
			snprintf(name, sizeof(name), "memory_type_%" PRIi32, memory.type);
		put_attribute(file, object, name);
	}
	put_attribute(file, object, "memory_unknown");
}

static void put_objects(struct tacho__sqlite_file *file, const struct tacho_cursor *cursor)
{
	const struct tacho_object *object;
	struct tacho__map numbers = {0};

	for (size_t i = 0; !file->rc && (object = tacho_cursor_get_object(cursor, i)); i++) {
		if (!object->id)
			continue; /* nothing can refer to it */
		put_object(file, &numbers, object);
		put_attributes(file, object);
	}
	tacho__map_finish(&numbers);
}

static void put_note(struct tacho__sqlite_file *file, uint64_t *count, const char *subject,
		     const char *text)
{
	if (!*text)
		return;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_NOTE);
	tacho__sqlite_row_id(file, ++*count);
	tacho__sqlite_row_text(file, subject);
	tacho__sqlite_row_text(file, text);
	tacho__sqlite_row_end(file);
}

/* What a reader should know before it trusts a sum. */
static void put_notes(struct tacho__sqlite_file *file, const struct tacho_recording *recording,
		      const char *why_empty)
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	const struct tacho_process *process;
	uint64_t count = 0, beyond = file->beyond;
	char subject[32], text[160];

	put_note(file, &count, "run", why_empty);
	put_note(file, &count, "run", run->why_uncounted);
	put_note(file, &count, "run", run->import_note ? run->import_note : "");
	for (size_t i = 0; (process = tacho_recording_get_process(recording, i)); i++) {
		snprintf(subject, sizeof(subject), "process %" PRIu32, process->index);
		put_note(file, &count, subject, process->uncounted);
		put_note(file, &count, subject,
			 process->has_unseen_work
				 ? "functions gave work to devices that is not recorded: v_process "
				   "names them"
				 : "");
		put_note(file, &count, subject,
			 tacho__losses_any(&process->losses)
				 ? "calls or records are missing: v_process counts them"
				 : "");
	}
	put_note(file, &count, "run",
		 tacho_recording_get_fault(recording, 0) ||
				 tacho__losses_any(tacho_recording_get_losses(recording))
			 ? "parts of the recording are missing or cannot be read: v_fault and "
			   "v_lost tell which"
			 : "");
	put_note(file, &count, "run",
		 run->is_unfinished
			 ? "the recording is not finished: it was still written, or its end is lost"
			 : "");
	put_note(file, &count, "run",
		 tacho_recording_get_bound(recording, 0)
			 ? "calls were left out as asked, which is no loss: v_left_out counts them"
			 : "");
	if (!beyond)
		return;
	snprintf(text, sizeof(text),
		 "%" PRIu64 " numbers are larger than 9223372036854775807, the largest that a "
		 "column holds, and are NULL",
		 beyond);
	put_note(file, &count, "export", text);
}

int tacho__sqlite_put_about(struct tacho__sqlite_file *file,
			    const struct tacho_recording *recording,
			    const struct tacho_cursor *cursor, uint64_t calls)
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	const struct tacho_process *process;
	const struct tacho_thread_time *time;
	const char *why_empty = calls ? "" : run->why_empty;
	const struct tacho_sampling *sampling;
	const struct tacho_entry *counter;

	put_host(file, run);
	put_run(file, run, why_empty);
	for (size_t i = 0; !file->rc && (process = tacho_recording_get_process(recording, i)); i++)
		put_process(file, process);
	for (size_t i = 0; !file->rc && (time = tacho_recording_get_thread_time(recording, i)); i++)
		put_thread_time(file, time);
	if (!file->rc)
		put_gaps(file, recording);
	put_counting(file, recording, cursor);
	for (size_t i = 0; !file->rc && (counter = tacho_recording_get_counter(recording, i)); i++)
		put_counter(file, counter, i);
	for (size_t i = 0; !file->rc && (sampling = tacho_recording_get_sampling(recording, i));
	     i++)
		put_sampling(file, sampling, i + 1);
	put_objects(file, cursor);
	put_notes(file, recording, why_empty);
	return file->rc;
}
