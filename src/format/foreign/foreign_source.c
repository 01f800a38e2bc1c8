/* SPDX-License-Identifier: MIT */
/* The cursor over what a file of another tool told. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pack.h"
#include "base/utf8.h"
#include "format/foreign/foreign.h"
#include "record/told_ranges.h"

/* A thread of a process that made calls or named ranges. */
struct thread {
	uint64_t calls;
	struct tacho__told_thread told;
};

struct cursor {
	struct tacho_cursor cursor;
	const struct tacho_recording *recording;
	const struct tacho__foreign *foreign;
	struct tacho__sorted rows;
	struct tacho__map threads;	  /* process << 32 | id -> struct thread */
	struct tacho__map launched;	  /* kernel << 32 | device -> itself */
	struct tacho__told_process *told; /* of each process */
	struct tacho__told ranges;
	struct tacho_call call;
	struct tacho_command command;
	struct tacho__row values; /* of the row below; nothing where no counter was counted */
	struct tacho_result *result;
	struct tacho_recorded_row row;
	bool has_row; /* of the current call */
};

static const struct tacho_function unknown = {.api = "", .name = "(no call)", .number = -1};

static uint64_t to_ns(const struct cursor *cursor, int64_t ns)
{
	return (uint64_t)ns - (uint64_t)cursor->foreign->origin_ns;
}

static const char *text_of(const struct cursor *cursor, uint32_t number)
{
	return number ? cursor->foreign->texts[number - 1] : "";
}

static const struct tacho_object *thing_of(const struct cursor *cursor, uint32_t number)
{
	return number ? &cursor->foreign->objects.all[number - 1]->object : NULL;
}

static int get_thread(struct cursor *cursor, uint32_t process, uint32_t id,
		      struct thread **out_thread)
{
	uint64_t key = (uint64_t)process << 32 | id;
	struct thread *thread = tacho__map_get(&cursor->threads, key);

	if (!thread) {
		thread = calloc(1, sizeof(*thread));
		if (!thread)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a thread");
		if (tacho__map_set(&cursor->threads, key, thread)) {
			free(thread);
			return TACHO_E_NOMEM;
		}
	}
	*out_thread = thread;
	return 0;
}

/* ---- ranges ---- */

static void pack_text(struct tacho__pack *pack, const char *text, size_t max)
{
	size_t size = tacho__utf8_fit(text, strnlen(text, max + 1), max);

	tacho__pack_u64(pack, size);
	tacho__pack_bytes(pack, text, size);
}

/* What a program would have told. */
static uint32_t event_of(const struct tacho__foreign_row *row)
{
	bool begins = row->kind == TACHO__FOREIGN_BEGIN;

	switch (row->told.kind) {
	case TACHO_RANGE_MARK: return TACHO__RANGE_MARK;
	case TACHO_RANGE_PROCESS: return begins ? TACHO__RANGE_BEGIN : TACHO__RANGE_END;
	default: return begins ? TACHO__RANGE_PUSH : TACHO__RANGE_POP;
	}
}

static int take_range(struct cursor *cursor, const struct tacho__foreign_row *row)
{
	uint8_t packed[TACHO__RANGE_NAME_MAX + 2 * TACHO__RANGE_DOMAIN_MAX + 128];
	const struct tacho__foreign_range *told = &row->told;
	struct tacho__told_place place = {
		.process = &cursor->recording->processes[told->process]->process,
		.told_process = &cursor->told[told->process],
		.thread = told->thread,
		.at_ns = to_ns(cursor, row->key_ns)};
	const struct tacho_named_range *ended;
	struct tacho__unpack unpack;
	struct tacho__pack pack;
	struct thread *thread = NULL;
	int rc = get_thread(cursor, told->process, told->thread, &thread);

	if (rc)
		return rc;
	place.told_thread = &thread->told;
	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, event_of(row));
	tacho__pack_u64(&pack, told->kind == TACHO_RANGE_PROCESS ? told->number : told->domain);
	tacho__pack_u64(&pack, told->has_color ? (uint64_t)told->color + 1 : 0);
	pack_text(&pack, text_of(cursor, told->api), TACHO__RANGE_DOMAIN_MAX);
	pack_text(&pack, text_of(cursor, told->domain), TACHO__RANGE_DOMAIN_MAX);
	if (row->kind == TACHO__FOREIGN_BEGIN)
		pack_text(&pack, text_of(cursor, told->name), TACHO__RANGE_NAME_MAX);
	tacho__pack_u64(&pack, told->number);
	tacho__unpack_begin(&unpack, packed, (size_t)(pack.at - packed));
	rc = tacho__told_take(&cursor->ranges, &place, &unpack, &ended);
	if (rc == 1 && cursor->cursor.on_range)
		cursor->cursor.on_range(cursor->cursor.range_user, ended);
	return rc < 0 ? rc : 0;
}

static void tell_open(struct cursor *cursor, struct tacho__told_list *open)
{
	const struct tacho_named_range *range;

	while ((range = tacho__told_close(&cursor->ranges, open,
					  to_ns(cursor, cursor->foreign->last_ns))))
		if (cursor->cursor.on_range)
			cursor->cursor.on_range(cursor->cursor.range_user, range);
}

/* Those that have not ended. */
static void close_ranges(struct cursor *cursor)
{
	for (size_t i = 0; i < cursor->threads.capacity; i++) {
		struct thread *thread = cursor->threads.entries[i].value;

		if (thread)
			tell_open(cursor, &thread->told.open);
	}
	for (size_t i = 0; i < cursor->recording->process_count; i++)
		tell_open(cursor, &cursor->told[i].open);
}

/* ---- values ---- */

static void take_values(struct cursor *cursor, const struct tacho__foreign_kept *kept, size_t count)
{
	tacho__row_miss_all(&cursor->values, "the file has no value of it for this launch", 0);
	for (size_t i = 0; i < count; i++) {
		size_t at = kept[i].counter - 1;

		if (kept[i].state == TACHO_STATE_ABSENT) {
			tacho__row_miss(&cursor->values, at, text_of(cursor, kept[i].note), 0);
			continue;
		}
		tacho__row_put(&cursor->values, at, kept[i].number);
		cursor->values.states[at] = (uint8_t)kept[i].state;
		cursor->values.notes[at] = text_of(cursor, kept[i].note);
	}
	cursor->row.is_counted = count != 0;
	cursor->has_row = true;
}

/* ---- calls ---- */

static int is_first(struct cursor *cursor, const struct tacho__foreign_command *told,
		    uint32_t *out_is_first)
{
	uint64_t key = (uint64_t)told->kernel << 32 | told->device;

	*out_is_first = told->kernel && !tacho__map_get(&cursor->launched, key);
	return *out_is_first ? tacho__map_set(&cursor->launched, key, &cursor->launched) : 0;
}

static void take_times(struct cursor *cursor, const struct tacho__foreign_command *told)
{
	struct tacho_command *command = &cursor->command;

	command->state = (enum tacho_state)told->state;
	command->reason = text_of(cursor, told->reason);
	command->clock = "";
	command->not_after_ns = UINT64_MAX;
	command->has_duration = told->has_duration;
	command->duration_ns = told->duration_ns;
	if (told->state != TACHO_STATE_OK)
		return;
	command->start_ns = command->not_before_ns = to_ns(cursor, told->start_ns);
	command->end_ns = command->not_after_ns = to_ns(cursor, told->end_ns);
	command->lacks_queue_times = !told->has_queue_times;
	command->queued_ns = command->submit_ns = command->start_ns;
	if (told->has_queue_times) {
		command->queued_ns = to_ns(cursor, told->queued_ns);
		command->submit_ns = to_ns(cursor, told->submit_ns);
	}
	command->has_duration = 1;
	command->duration_ns = command->end_ns - command->start_ns;
}

static int take_command(struct cursor *cursor, const struct tacho__foreign_command *told)
{
	struct tacho_command *command = &cursor->command;
	uint64_t id = command->id + 1;

	*command = (struct tacho_command){
		.kind = (enum tacho_command_kind)told->kind,
		.name = text_of(cursor, told->name),
		.id = id,
		.queue = thing_of(cursor, told->queue),
		.device = thing_of(cursor, told->device),
		.kernel = thing_of(cursor, told->kernel),
		.dimensions = told->dimensions,
		.has_local = told->has_local,
		.bytes = told->bytes,
		.has_bytes = told->has_bytes,
		.extra_local_bytes = told->extra_local_bytes,
		.has_extra_local = told->has_extra_local,
	};
	memcpy(command->global, told->global, sizeof(command->global));
	memcpy(command->local, told->local, sizeof(command->local));
	take_times(cursor, told);
	cursor->call.command = command;
	return is_first(cursor, told, &command->first_launch);
}

static int take_call(struct cursor *cursor, const struct tacho__foreign_row *row, size_t size)
{
	const struct tacho__foreign_call *told = &row->call;
	struct tacho_call *call = &cursor->call;
	struct thread *thread = NULL;
	int rc = get_thread(cursor, told->process, told->thread, &thread);

	if (rc)
		return rc;
	*call = (struct tacho_call){
		.process = &cursor->recording->processes[told->process]->process,
		.function =
			told->function ? &cursor->foreign->functions[told->function - 1] : &unknown,
		.thread = told->thread,
		.index = thread->calls++,
		.result = text_of(cursor, told->result),
		.failed = told->failed != 0,
		.is_bare = row->is_bare,
	};
	if (!row->is_bare || row->command.state == TACHO_STATE_OK) {
		call->start_ns = to_ns(cursor, told->start_ns);
		call->end_ns = to_ns(cursor, told->end_ns);
	}
	call->busy_ns = call->end_ns - call->start_ns;
	cursor->has_row = false;
	if (row->has_command)
		rc = take_command(cursor, &row->command);
	if (row->has_command && cursor->result)
		take_values(cursor, (const struct tacho__foreign_kept *)(row + 1),
			    (size - sizeof(*row)) / sizeof(struct tacho__foreign_kept));
	return rc ? rc
		  : tacho__told_find_around(&cursor->ranges, &cursor->told[told->process],
					    &thread->told, call->start_ns, &call->ranges,
					    &call->range_count);
}

/* 1 and the next row that is a call; 0 behind all. */
static int next(struct tacho_cursor *info, const struct tacho_call **out_call)
{
	struct cursor *cursor = (struct cursor *)info;
	const void *record;
	size_t size;
	int rc;

	while ((rc = tacho__sorted_next(&cursor->rows, &record, &size)) == 1) {
		const struct tacho__foreign_row *row = record;

		if (row->kind == TACHO__FOREIGN_CALL) {
			rc = take_call(cursor, row, size);
			if (!rc && out_call)
				*out_call = &cursor->call;
			return rc ? rc : 1;
		}
		rc = take_range(cursor, row);
		if (rc)
			return rc;
	}
	if (!rc)
		close_ranges(cursor);
	return rc;
}

/* ---- the cursor ---- */

static void close_cursor(struct tacho_cursor *info)
{
	struct cursor *cursor = (struct cursor *)info;

	for (size_t i = 0; i < cursor->threads.capacity; i++) {
		struct thread *thread = cursor->threads.entries[i].value;

		if (thread)
			tacho__told_finish_thread(&thread->told);
		free(thread);
	}
	tacho__map_finish(&cursor->threads);
	tacho__map_finish(&cursor->launched);
	for (size_t i = 0; cursor->told && i < cursor->recording->process_count; i++)
		tacho__told_finish_process(&cursor->told[i]);
	free(cursor->told);
	tacho__told_finish(&cursor->ranges);
	tacho__sorted_close(&cursor->rows);
	tacho_result_destroy(cursor->result);
	free(cursor);
}

static int open_row(struct cursor *cursor)
{
	const struct tacho_recording *recording = cursor->recording;

	cursor->row.note = "";
	if (!recording->counter_count)
		return 0;
	if (tacho__row_create(recording->counters, NULL, recording->counter_count, &cursor->values,
			      &cursor->result))
		return TACHO_E_NOMEM;
	cursor->row.result = cursor->result;
	return 0;
}

static int open_cursor(struct tacho_recording *recording, struct tacho_cursor **out_cursor)
{
	struct cursor *cursor = calloc(1, sizeof(*cursor));
	int rc;

	if (!cursor)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a cursor");
	cursor->cursor.source = &tacho__source_foreign;
	cursor->recording = recording;
	cursor->foreign = recording->source_data;
	cursor->told = calloc(recording->process_count, sizeof(*cursor->told));
	rc = cursor->told ? tacho__sorted_open(&cursor->rows, &cursor->foreign->rows)
			  : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a cursor");
	if (!rc)
		rc = open_row(cursor);
	if (rc)
		close_cursor(&cursor->cursor);
	else
		*out_cursor = &cursor->cursor;
	return rc;
}

static const struct tacho_object *get_object(const struct tacho_cursor *info, size_t index)
{
	const struct tacho__objects *objects = &((const struct cursor *)info)->foreign->objects;

	return index < objects->count ? &objects->all[index]->object : NULL;
}

static const struct tacho_recorded_row *get_row(struct tacho_cursor *info)
{
	const struct cursor *cursor = (const struct cursor *)info;

	return cursor->has_row ? &cursor->row : NULL;
}

/* Arguments, names of threads and programs are in none of these files. */
const struct tacho__source tacho__source_foreign = {
	.close = tacho__foreign_close,
	.open_cursor = open_cursor,
	.close_cursor = close_cursor,
	.next = next,
	.get_object = get_object,
	.get_row = get_row,
};
