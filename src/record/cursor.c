/* SPDX-License-Identifier: MIT */
/* The cursor: turns the records of all streams into struct tacho_call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pack.h"
#include "base/utf8.h"
#include "record/argument.h"
#include "record/cursor.h"
#include "record/unwatched.h"

enum { BLOB_BYTES_MAX = 256 * 1024 * 1024 };

static void close_cursor(struct tacho_cursor *info);

static int open_cursor(struct tacho_recording *recording, struct tacho_cursor **out_cursor)
{
	struct tacho__folder_cursor *cursor;
	int rc = recording->clocks_known ? 0 : tacho__device_clocks_find(recording);

	if (rc)
		return rc;
	cursor = calloc(1, sizeof(*cursor));
	if (!cursor)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a cursor");
	cursor->cursor.source = &tacho__source_folder;
	cursor->recording = recording;
	tacho__window_reader_init(&cursor->windows, recording);
	rc = tacho__merge_open(&cursor->merge, cursor->recording);
	if (!rc)
		rc = tacho__rows_open(recording, &cursor->rows);
	if (rc)
		close_cursor(&cursor->cursor);
	else
		*out_cursor = &cursor->cursor;
	return rc;
}

static void close_cursor(struct tacho_cursor *info)
{
	struct tacho__folder_cursor *cursor = (struct tacho__folder_cursor *)info;

	tacho__merge_close(&cursor->merge);
	tacho__rows_close(cursor->rows);
	tacho__objects_finish(&cursor->objects);
	tacho__templates_finish(&cursor->templates);
	tacho__told_finish(&cursor->told);
	tacho__window_reader_finish(&cursor->windows);
	tacho__names_finish(&cursor->launched);
	tacho__buf_finish(&cursor->result);
	tacho__call_arguments_finish(&cursor->arguments);
	free(cursor);
}

/* ---- structural records ---- */

static int take_thread(struct tacho__merged *source)
{
	struct tacho__unpack *unpack = &source->record.unpack;
	uint64_t tid = tacho__unpack_u64(unpack), size = tacho__unpack_u64(unpack);
	const uint8_t *name = tacho__unpack_bytes(unpack, size);
	struct tacho__merged_thread *thread =
		tacho__merge_find_thread(source->state, (uint32_t)tid);

	if (!thread)
		return TACHO_E_NOMEM;
	if (name)
		snprintf(thread->name, sizeof(thread->name), "%.*s",
			 (int)tacho__utf8_fit((const char *)name, size, sizeof(thread->name) - 1),
			 (const char *)name);
	source->thread = thread;
	return 0;
}

static void deliver_memory(struct tacho__folder_cursor *cursor, const struct tacho_object *device,
			   uint64_t time_ns)
{
	struct tacho_device_memory memory;

	for (size_t i = 0;
	     cursor->cursor.on_memory && device && tacho_object_get_memory(device, i, &memory); i++)
		cursor->cursor.on_memory(cursor->cursor.memory_user, device, time_ns, &memory);
}

static int take_object(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	struct tacho__unpack *unpack = &source->record.unpack;
	uint64_t api = tacho__unpack_u64(unpack), kind = tacho__unpack_u64(unpack);
	uint64_t handle = tacho__unpack_u64(unpack), size = tacho__unpack_u64(unpack);
	const uint8_t *text = tacho__unpack_bytes(unpack, size);
	int rc;

	if (!text || memchr(text, '\0', size) || api >= TACHO__APIS_MAX)
		return 0;
	rc = tacho__objects_add(&cursor->objects, &source->state->handles,
				&source->state->process->process, (uint32_t)api, (uint32_t)kind,
				handle, text, size);
	if (!rc && kind == TACHO_OBJECT_DEVICE)
		deliver_memory(cursor,
			       tacho__objects_find(&source->state->handles, (uint32_t)api,
						   TACHO_OBJECT_DEVICE, handle),
			       source->key_ns);
	return rc;
}

/* What the process said about itself after its start. */
static void take_process(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	uint64_t size = tacho__unpack_u64(&source->record.unpack);
	const uint8_t *bytes = tacho__unpack_bytes(&source->record.unpack, size);
	struct tacho_process *process = &source->state->process->process;
	struct tacho__arena *arena = &cursor->recording->arena;
	const char *text;

	if (!bytes || !cursor->on_evidence)
		return; /* the survey has read it */
	text = tacho__arena_text(arena, (const char *)bytes, size);
	if (!text)
		return;
	if (!*process->loader)
		process->loader = tacho__attribute(arena, text, "loader", "");
	tacho__unwatched_take(arena, text, process);
	if (*tacho__attribute(arena, text, "selects", ""))
		source->state->process->has_selected = true;
	if (*process->uncounted)
		return;
	process->uncounted = tacho__attribute(arena, text, "uncounted", "");
	process->uncounted_cure = tacho__attribute(arena, text, "uncounted_cure", "");
	process->uncounted_ns = *process->uncounted ? source->key_ns : 0;
}

static void take_blob(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	struct tacho__unpack *unpack = &source->record.unpack;
	uint64_t api = tacho__unpack_u64(unpack), handle = tacho__unpack_u64(unpack);
	uint64_t kind_size = tacho__unpack_u64(unpack), offset, total, size;
	const uint8_t *kind = tacho__unpack_bytes(unpack, kind_size), *bytes;
	char kind_text[33] = "";
	struct tacho_blob blob = {.process = &source->state->process->process};

	offset = tacho__unpack_u64(unpack);
	total = tacho__unpack_u64(unpack);
	size = tacho__unpack_u64(unpack);
	bytes = tacho__unpack_bytes(unpack, size);
	if (!cursor->on_blob || !bytes || !kind || kind_size > 32 || total > BLOB_BYTES_MAX)
		return;
	if (!offset)
		tacho__buf_clear(&source->blob);
	if (source->blob.size != offset)
		return; /* a piece before it was lost */
	tacho__buf_add(&source->blob, bytes, size);
	cursor->cursor.failed |= source->blob.failed;
	if (source->blob.size != total)
		return;
	memcpy(kind_text, kind, kind_size);
	blob.program = tacho__objects_find(&source->state->handles, (uint32_t)api,
					   TACHO_OBJECT_PROGRAM, handle);
	blob.kind = kind_text;
	blob.bytes = (const unsigned char *)tacho__buf_text(&source->blob);
	blob.size = source->blob.size;
	cursor->on_blob(cursor->blob_user, &blob);
}

static void deliver_range(struct tacho__folder_cursor *cursor,
			  const struct tacho_named_range *range)
{
	if (cursor->cursor.on_range)
		cursor->cursor.on_range(cursor->cursor.range_user, range);
}

static int take_range(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	const struct tacho_named_range *ended;
	struct tacho__told_place place = {
		.process = &source->state->process->process,
		.handles = &source->state->handles,
		.told_process = &source->state->told,
		.at_ns = source->key_ns,
	};
	int rc = TACHO_E_PARSE;

	if (source->thread) {
		place.told_thread = &source->thread->told;
		place.thread = source->thread->tid;
		rc = tacho__told_take(&cursor->told, &place, &source->record.unpack, &ended);
	}
	if (rc == 1)
		deliver_range(cursor, ended);
	if (rc == TACHO_E_PARSE)
		cursor->unreadable += source->record.size;
	return rc == TACHO_E_NOMEM ? rc : 0;
}

static void close_ranges(struct tacho__folder_cursor *cursor, struct tacho__told_list *open,
			 uint64_t last_ns)
{
	const struct tacho_named_range *range;

	while ((range = tacho__told_close(&cursor->told, open, last_ns)))
		deliver_range(cursor, range);
}

/* Ranges whose end is not there: nothing comes any more. */
static void close_all_ranges(struct tacho__folder_cursor *cursor)
{
	for (size_t i = 0; i < cursor->recording->process_count; i++) {
		struct tacho__merged_process *state = &cursor->merge.states[i];

		for (size_t k = 0; k < state->threads.capacity; k++) {
			struct tacho__merged_thread *thread = state->threads.entries[k].value;

			if (thread)
				close_ranges(cursor, &thread->told.open, state->last_ns);
		}
		close_ranges(cursor, &state->told.open, state->last_ns);
	}
}

static int take_structure(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	switch (TACHO__KIND_FUNCTION(source->record.kind)) {
	case TACHO__RECORD_THREAD: return take_thread(source);
	case TACHO__RECORD_OBJECT: return take_object(cursor, source);
	case TACHO__RECORD_PROCESS: take_process(cursor, source); return 0;
	case TACHO__RECORD_BLOB: take_blob(cursor, source); return 0;
	case TACHO__RECORD_RANGE: return take_range(cursor, source);
	case TACHO__RECORD_TEMPLATE:
		return cursor->on_evidence ? 0
					   : tacho__templates_take(&cursor->templates,
								   &source->state->templates,
								   &source->state->handles,
								   &source->record.unpack);
	default: return 0;
	}
}

/* ---- calls ---- */

static const struct tacho__call_result *find_result(struct tacho__folder_cursor *cursor,
						    const struct tacho__enum *set, int64_t value)
{
	struct tacho__call_result *last = &cursor->last_result;

	if (last->set != set || last->value != value || !set)
		*last = (struct tacho__call_result){.set = set,
						    .value = value,
						    .constant = tacho__enum_find(set, value),
						    .is_failure =
							    tacho__enum_is_failure(set, value)};
	return last;
}

/* Most results are a constant, whose name is there. */
static void take_result(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	const struct tacho__show *show = &cursor->function->result;
	bool is_constant = show->kind == 'e';
	const struct tacho__call_result *result = NULL;
	struct tacho__value value;

	cursor->call.result = "";
	if (!cursor->function->has_result)
		return;
	tacho__buf_clear(&cursor->result);
	if (is_constant)
		result = find_result(cursor, show->set, tacho__unpack_i64(&source->record.unpack));
	else
		tacho__call_decode(show, &source->record.unpack, cursor->function,
				   cursor->arguments.values, &cursor->result, &value);
	if (result)
		cursor->call.failed = result->is_failure;
	if (result && result->constant) {
		cursor->call.result = result->constant->name;
		return;
	}
	if (result)
		tacho__buf_signed(&cursor->result, result->value);
	cursor->cursor.failed |= cursor->result.failed;
	cursor->call.result = tacho__buf_text(&cursor->result);
}

/* Those that the whole call lies in. */
static int find_ranges(struct tacho__folder_cursor *cursor, const struct tacho__merged *source)
{
	struct tacho__merged_process *state = source->state;
	struct tacho_call *call = &cursor->call;

	if (call->command && !call->command->state && call->command->end_ns > state->last_ns)
		state->last_ns = call->command->end_ns;
	if (call->command)
		tacho__told_add_work(&source->thread->told, call->command);
	if (!state->told.open.count && !source->thread->told.open.count)
		return 0; /* most programs name none */
	return tacho__told_find_around(&cursor->told, &state->told, &source->thread->told,
				       call->start_ns, &call->ranges, &call->range_count);
}

/* It has no time of its own, but the ranges of the call that brought it about. */
static void make_bare(struct tacho_call *call)
{
	const struct tacho_command *command = call->command;

	call->is_bare = 1;
	call->start_ns = call->end_ns = command && !command->state ? command->start_ns : 0;
	call->busy_ns = 0;
}

/* Its times are enough, and those of its command. */
static int take_brief(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	if (source->record.has_slot && cursor->function->command)
		tacho__cursor_take_brief_command(cursor, source);
	tacho__unpack_begin(&source->record.unpack, "", 0); /* it has none */
	tacho__call_arguments_begin(&cursor->arguments, cursor->function, &source->record.unpack);
	cursor->call.result = "";
	if (cursor->function->is_bare)
		make_bare(&cursor->call);
	return 1;
}

/* Most calls gave nothing to a device. */
static int survey(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	int rc = source->record.has_slot && cursor->function->command
			 ? tacho__cursor_survey_command(cursor, source)
			 : 0;

	return rc < 0 ? rc : 1;
}

/* 1: cursor->call is a call; 0: the record is none that can be read. */
static int take_call(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	static const struct tacho_call nothing;
	struct tacho_call *call = &cursor->call;
	const struct tacho__process *process = source->state->process;
	struct tacho__time_lines *times = &source->state->times;
	int rc = 0;

	cursor->function = tacho__merged_function(source);
	if (!cursor->function || !source->thread || source->record.unpack.bad) {
		cursor->unreadable += source->record.size;
		return 0;
	}
	if (cursor->on_evidence)
		return survey(cursor, source);
	*call = nothing;
	cursor->row = NULL;
	call->process = &process->process;
	call->function = &cursor->function->function;
	call->thread = source->thread->tid;
	call->index = source->thread->calls;
	source->thread->calls += 1 + source->record.more;
	call->start_ns = tacho__time_lines_host_ns(times, source->record.start);
	call->end_ns = source->key_ns;
	call->repeats = source->record.more;
	call->busy_ns = call->end_ns - call->start_ns;
	if (call->repeats)
		call->busy_ns = tacho__time_lines_host_ns(times, source->record.start +
									 source->record.sum) -
				call->start_ns;
	if (cursor->cursor.is_brief)
		return take_brief(cursor, source);
	cursor->recorded = source->record.unpack.at;
	cursor->recorded_size = (size_t)(source->record.unpack.end - source->record.unpack.at);
	take_result(cursor, source);
	tacho__call_arguments_begin(&cursor->arguments, cursor->function, &source->record.unpack);
	if (cursor->function->errcode >= 0 || source->record.has_slot)
		tacho__call_arguments_decode(&cursor->arguments, cursor->function->count);
	if (cursor->function->errcode >= 0)
		call->failed |=
			(int64_t)cursor->arguments.values[cursor->function->errcode].scalar < 0;
	if (source->record.has_slot && cursor->function->command)
		rc = tacho__cursor_take_command(cursor, source);
	if (rc >= 0)
		rc = find_ranges(cursor, source);
	if (cursor->function->is_bare)
		make_bare(call);
	return rc < 0 ? rc : 1;
}

/* Those that ended up to then. */
static int deliver_windows(struct tacho__folder_cursor *cursor, uint64_t until_ns)
{
	const struct tacho_window *window;
	int rc = 0;

	while (cursor->cursor.on_window && !cursor->windows.is_over &&
	       (rc = tacho__window_reader_next(&cursor->windows, until_ns, &window)) == 1)
		cursor->cursor.on_window(cursor->cursor.window_user, window);
	return rc;
}

static int find_next(struct tacho__folder_cursor *cursor, const struct tacho_call **out_call)
{
	struct tacho__merged *source;
	int rc;

	while ((rc = tacho__merge_next(&cursor->merge, &source)) == 1) {
		rc = deliver_windows(cursor, source->key_ns);
		if (rc)
			return rc;
		if (source->key_ns > source->state->last_ns)
			source->state->last_ns = source->key_ns;
		if (!TACHO__KIND_API(source->record.kind)) {
			rc = take_structure(cursor, source);
			if (rc)
				return rc;
			continue;
		}
		rc = take_call(cursor, source);
		if (rc > 0 && out_call)
			*out_call = &cursor->call;
		if (rc)
			return rc;
	}
	if (!rc)
		rc = deliver_windows(cursor, UINT64_MAX);
	if (!rc)
		close_all_ranges(cursor);
	return rc;
}

static int next(struct tacho_cursor *info, const struct tacho_call **out_call)
{
	struct tacho__folder_cursor *cursor = (struct tacho__folder_cursor *)info;
	int rc = find_next(cursor, out_call);

	info->failed |= cursor->objects.arena.failed;
	return rc;
}

static const char *format_arguments(struct tacho_cursor *info, const char *separator)
{
	struct tacho__folder_cursor *cursor = (struct tacho__folder_cursor *)info;
	const char *text = tacho__call_arguments_format(&cursor->arguments, separator);

	info->failed |= cursor->arguments.failed;
	return text;
}

static const char *get_argument(struct tacho_cursor *info, size_t index, const char **out_name)
{
	struct tacho__folder_cursor *cursor = (struct tacho__folder_cursor *)info;
	const char *text = tacho__call_arguments_get(&cursor->arguments, index, out_name);

	info->failed |= cursor->arguments.failed;
	return text;
}

static bool read_argument(struct tacho_cursor *info, size_t index,
			  struct tacho__call_argument *out_argument)
{
	struct tacho__folder_cursor *cursor = (struct tacho__folder_cursor *)info;
	bool is_there = tacho__call_arguments_read(&cursor->arguments, index, out_argument);

	info->failed |= cursor->arguments.failed;
	return is_there;
}

static bool read_handle(struct tacho_cursor *info, size_t index,
			struct tacho__call_handle *out_handle)
{
	return tacho__call_arguments_read_handle(&((struct tacho__folder_cursor *)info)->arguments,
						 index, out_handle);
}

static void read_recorded(struct tacho_cursor *info, const void **out_bytes, size_t *out_size)
{
	const struct tacho__folder_cursor *cursor = (struct tacho__folder_cursor *)info;

	*out_bytes = cursor->recorded;
	*out_size = cursor->recorded_size;
}

static const struct tacho_object *get_object(const struct tacho_cursor *info, size_t index)
{
	const struct tacho__folder_cursor *cursor = (const struct tacho__folder_cursor *)info;

	return index < cursor->objects.count ? &cursor->objects.all[index]->object : NULL;
}

static const char *get_thread_name(const struct tacho_cursor *info,
				   const struct tacho_process *process, uint32_t thread)
{
	const struct tacho__folder_cursor *cursor = (const struct tacho__folder_cursor *)info;
	const struct tacho__merged_thread *known =
		tacho__map_get(&cursor->merge.states[process->index].threads, thread);

	return known ? known->name : "";
}

static void on_blob(struct tacho_cursor *info, tacho_blob_fn fn, void *user)
{
	struct tacho__folder_cursor *cursor = (struct tacho__folder_cursor *)info;

	cursor->on_blob = fn;
	cursor->blob_user = user;
}

static const struct tacho_recorded_row *get_row(struct tacho_cursor *cursor)
{
	return ((struct tacho__folder_cursor *)cursor)->row;
}

static void get_matching(const struct tacho_cursor *info, struct tacho_matching *out_matching)
{
	const struct tacho__folder_cursor *cursor = (const struct tacho__folder_cursor *)info;

	if (cursor->rows)
		tacho__rows_get_matching(cursor->rows, out_matching);
	else
		*out_matching = (struct tacho_matching){.run_count = 1};
}

/* What a ring let go of is no loss. */
static void count_lost_ranges(const struct tacho_recording *recording,
			      const struct tacho__merged_process *state)
{
	struct tacho_losses *losses = &state->process->process.losses;

	losses->deep_ranges += state->told.beyond;
	if (!recording->run.ring_bytes)
		losses->headless_ranges += state->told.headless;
}

int tacho__cursor_survey(struct tacho_recording *recording, tacho__evidence_fn fn, void *user)
{
	struct tacho__folder_cursor *cursor = calloc(1, sizeof(*cursor));
	int rc;

	if (!cursor)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a cursor");
	cursor->recording = recording;
	cursor->on_evidence = fn;
	cursor->evidence_user = user;
	cursor->merge.skips_calls = true;
	rc = tacho__merge_open(&cursor->merge, cursor->recording);
	while (!rc && (rc = next(&cursor->cursor, NULL)) == 1)
		rc = 0;
	if (!rc)
		rc = tacho__windows_survey(recording);
	if (!rc)
		recording->losses.unreadable += cursor->unreadable;
	for (size_t i = 0; i < recording->process_count && !rc; i++)
		count_lost_ranges(recording, &cursor->merge.states[i]);
	close_cursor(&cursor->cursor);
	return rc;
}

const struct tacho__source tacho__source_folder = {
	.close = tacho__recording_close_folder,
	.open_cursor = open_cursor,
	.close_cursor = close_cursor,
	.next = next,
	.format_arguments = format_arguments,
	.get_argument = get_argument,
	.read_argument = read_argument,
	.read_handle = read_handle,
	.read_recorded = read_recorded,
	.get_object = get_object,
	.get_thread_name = get_thread_name,
	.get_row = get_row,
	.get_matching = get_matching,
	.on_blob = on_blob,
};
