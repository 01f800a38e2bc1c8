/* SPDX-License-Identifier: MIT */
#include "fake_recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/row.h"
#include "record/argument.h"
#include "record/brief.h"
#include "record/share.h"
#include "record/whole.h"
#include "tacho/sums.h"

struct tacho_cursor {
	const struct fake_recording *recording;
	unsigned others; /* owners */
	uint64_t next;
	const struct fake_call *current;
	struct tacho_call call;
	struct tacho_command command;
	char joined[4096];
	struct tacho_result *result;
	struct tacho__row row; /* of the result */
	struct tacho_recorded_row recorded;
	tacho_blob_fn on_blob;
	void *user;
	tacho_range_fn on_range;
	void *range_user;
	size_t next_range;
	tacho_window_fn on_window;
	void *window_user;
	size_t next_window;
	tacho_memory_fn on_memory;
	void *memory_user;
	size_t next_memory;
};

static const struct fake_recording *real(const struct tacho_recording *recording)
{
	return (const void *)recording;
}

struct tacho_recording *fake_recording(struct fake_recording *recording)
{
	return (void *)recording;
}

const char *tacho_command_kind_to_string(enum tacho_command_kind kind)
{
	static const char *const names[] = {"unknown", "kernel",	"write", "read",
					    "copy",    "fill",		"map",	 "unmap",
					    "other",   "command buffer"};

	return (unsigned)kind < 10 ? names[kind] : "unknown";
}

const char *tacho_object_get(const struct tacho_object *object, const char *key)
{
	const struct fake_object *full = (const void *)object;

	for (size_t i = 0; i < FAKE_ATTRIBUTES_MAX && full->attributes[i].key; i++)
		if (!strcmp(full->attributes[i].key, key))
			return full->attributes[i].value;
	return NULL;
}

const struct tacho_run *tacho_recording_get_run(const struct tacho_recording *recording)
{
	return &real(recording)->run;
}

const char *tacho_recording_get_path(const struct tacho_recording *recording)
{
	return "sample.tacho";
}

size_t tacho_recording_get_process_count(const struct tacho_recording *recording)
{
	return real(recording)->process_count;
}

const struct tacho_process *tacho_recording_get_process(const struct tacho_recording *recording,
							size_t index)
{
	return index < real(recording)->process_count ? &real(recording)->processes[index] : NULL;
}

/* It has rows. */
const struct tacho_sums *tacho_recording_get_sums(const struct tacho_recording *recording,
						  size_t index)
{
	(void)recording;
	(void)index;
	return NULL;
}

const struct tacho_losses *tacho_recording_get_losses(const struct tacho_recording *recording)
{
	return &real(recording)->losses;
}

const struct tacho_fault *tacho_recording_get_fault(const struct tacho_recording *recording,
						    size_t index)
{
	const struct tacho_fault *faults = real(recording)->faults;

	for (size_t i = 0; faults && i < index; i++)
		if (!faults[i].what)
			return NULL;
	return faults && faults[index].what ? &faults[index] : NULL;
}

const struct tacho_machine_fact *
tacho_recording_get_machine_fact(const struct tacho_recording *recording, size_t index)
{
	const struct tacho_machine_fact *facts = real(recording)->facts;

	for (size_t i = 0; facts && i < index; i++)
		if (!facts[i].name)
			return NULL;
	return facts && facts[index].name ? &facts[index] : NULL;
}

const struct tacho_thread_time *
tacho_recording_get_thread_time(const struct tacho_recording *recording, size_t index)
{
	const struct tacho_thread_time *times = real(recording)->thread_times;

	for (size_t i = 0; times && i < index; i++)
		if (!times[i].process)
			return NULL;
	return times && times[index].process ? &times[index] : NULL;
}

const struct tacho_bound *tacho_recording_get_bound(const struct tacho_recording *recording,
						    size_t index)
{
	const struct tacho_bound *bounds = real(recording)->bounds;

	for (size_t i = 0; bounds && i < index; i++)
		if (!bounds[i].function)
			return NULL;
	return bounds && bounds[index].function ? &bounds[index] : NULL;
}

/* None of its parts states any. */
uint64_t tacho__recording_count_stated(const struct tacho_recording *recording)
{
	return 0;
}

int tacho_cursor_open(struct tacho_recording *recording, struct tacho_cursor **out_cursor)
{
	struct tacho_cursor *cursor = calloc(1, sizeof(*cursor));
	size_t count = 0;

	if (!cursor)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a cursor");
	cursor->recording = real(recording);
	while (tacho_recording_get_counter(recording, count))
		count++;
	if (tacho__row_create(cursor->recording->counters, cursor->recording->shapes, count,
			      &cursor->row, &cursor->result)) {
		free(cursor);
		return TACHO_E_NOMEM;
	}
	*out_cursor = cursor;
	return 0;
}

/* It tells all the same. */
void tacho__cursor_be_brief(struct tacho_cursor *cursor)
{
	(void)cursor;
}

void tacho_cursor_close(struct tacho_cursor *cursor)
{
	if (!cursor || cursor->others--)
		return;
	tacho_result_destroy(cursor->result);
	free(cursor);
}

struct tacho_cursor *tacho__cursor_share(struct tacho_cursor *cursor)
{
	cursor->others++;
	return cursor;
}

static void shift(struct tacho_cursor *cursor, uint64_t by_ns)
{
	struct tacho_command *command = &cursor->command;

	cursor->call.start_ns += by_ns;
	cursor->call.end_ns += by_ns;
	if (!cursor->call.command)
		return;
	*command = *cursor->call.command;
	command->queued_ns += by_ns;
	command->submit_ns += by_ns;
	command->start_ns += by_ns;
	command->end_ns += by_ns;
	cursor->call.command = command;
}

static void deliver_ranges(struct tacho_cursor *cursor)
{
	const struct fake_recording *recording = cursor->recording;
	bool is_over = cursor->next >= recording->call_count;

	for (; cursor->next_range < recording->range_count; cursor->next_range++) {
		const struct fake_range *range = &recording->ranges[cursor->next_range];

		if (!is_over && range->before > cursor->next)
			return;
		if (cursor->on_range)
			cursor->on_range(cursor->range_user, range->range);
	}
}

static void deliver_windows(struct tacho_cursor *cursor)
{
	const struct fake_recording *recording = cursor->recording;
	bool is_over = cursor->next >= recording->call_count;

	for (; cursor->next_window < recording->window_count; cursor->next_window++) {
		const struct fake_window *window = &recording->windows[cursor->next_window];

		if (!is_over && window->before > cursor->next)
			return;
		if (cursor->on_window)
			cursor->on_window(cursor->window_user, window->window);
	}
}

static void deliver_memory(struct tacho_cursor *cursor)
{
	const struct fake_recording *recording = cursor->recording;
	bool is_over = cursor->next >= recording->call_count;

	for (; cursor->next_memory < recording->memory_count; cursor->next_memory++) {
		const struct fake_memory *memory = &recording->memory[cursor->next_memory];

		if (!is_over && memory->before > cursor->next)
			return;
		if (cursor->on_memory)
			cursor->on_memory(cursor->memory_user, memory->device, memory->time_ns,
					  &memory->memory);
	}
}

int tacho_cursor_next(struct tacho_cursor *cursor, const struct tacho_call **out_call)
{
	const struct fake_recording *recording = cursor->recording;
	uint64_t repeat = recording->repeat ? recording->repeat : 1;

	if (!cursor->next && cursor->on_blob)
		for (size_t i = 0; i < recording->blob_count; i++)
			cursor->on_blob(cursor->user, &recording->blobs[i]);
	deliver_ranges(cursor);
	deliver_windows(cursor);
	deliver_memory(cursor);
	if (cursor->next >= recording->call_count * repeat) {
		cursor->current = NULL;
		return 0;
	}
	cursor->current = &recording->calls[cursor->next % recording->call_count];
	cursor->call = cursor->current->call;
	shift(cursor, cursor->next / recording->call_count * recording->shift_ns);
	cursor->next++;
	*out_call = &cursor->call;
	return 1;
}

const char *tacho_cursor_format_arguments(struct tacho_cursor *cursor, const char *separator)
{
	size_t used = 0;

	cursor->joined[0] = '\0';
	for (size_t i = 0; i < FAKE_ARGUMENTS_MAX && cursor->current->names[i]; i++)
		used += (size_t)snprintf(cursor->joined + used, sizeof(cursor->joined) - used,
					 "%s%s", i ? separator : "", cursor->current->arguments[i]);
	return cursor->joined;
}

const char *tacho_cursor_get_argument(struct tacho_cursor *cursor, size_t index,
				      const char **out_name)
{
	if (index >= FAKE_ARGUMENTS_MAX || !cursor->current->names[index])
		return NULL;
	*out_name = cursor->current->names[index];
	return cursor->current->arguments[index];
}

bool tacho__cursor_read_argument(struct tacho_cursor *cursor, size_t index,
				 struct tacho__call_argument *out_argument)
{
	*out_argument = (struct tacho__call_argument){0};
	out_argument->text = tacho_cursor_get_argument(cursor, index, &out_argument->name);
	return out_argument->text != NULL;
}

/* Those of samples are texts. */
bool tacho__cursor_read_handle(struct tacho_cursor *cursor, size_t index,
			       struct tacho__call_handle *out_handle)
{
	return false;
}

bool tacho__cursor_read_recorded(struct tacho_cursor *cursor, const void **out_bytes,
				 size_t *out_size)
{
	return false;
}

const struct tacho_object *tacho_cursor_get_object(const struct tacho_cursor *cursor, size_t index)
{
	size_t count = cursor->recording->object_count;

	if (cursor->current && cursor->current->objects && cursor->current->objects < count)
		count = cursor->current->objects;
	return index < count ? &cursor->recording->objects[index]->object : NULL;
}

const char *tacho_cursor_get_thread_name(const struct tacho_cursor *cursor,
					 const struct tacho_process *process, uint32_t thread)
{
	const struct fake_thread *known = cursor->recording->threads;

	for (; known && known->id; known++)
		if (known->id == thread)
			return known->name;
	return "";
}

void tacho_cursor_on_blob(struct tacho_cursor *cursor, tacho_blob_fn fn, void *user)
{
	cursor->on_blob = fn;
	cursor->user = user;
}

void tacho_cursor_on_range(struct tacho_cursor *cursor, tacho_range_fn fn, void *user)
{
	cursor->on_range = fn;
	cursor->range_user = user;
}

void tacho_cursor_on_window(struct tacho_cursor *cursor, tacho_window_fn fn, void *user)
{
	cursor->on_window = fn;
	cursor->window_user = user;
}

void tacho_cursor_on_memory(struct tacho_cursor *cursor, tacho_memory_fn fn, void *user)
{
	cursor->on_memory = fn;
	cursor->memory_user = user;
}

const struct tacho_sampling *tacho_recording_get_sampling(const struct tacho_recording *recording,
							  size_t index)
{
	const struct tacho_sampling *samplings = real(recording)->samplings;

	for (size_t i = 0; samplings && samplings[i].device; i++)
		if (i == index)
			return &samplings[i];
	return NULL;
}

const struct tacho_recorded_counting *
tacho_recording_get_counting(const struct tacho_recording *recording)
{
	return real(recording)->counting;
}

const struct tacho_entry *tacho_recording_get_counter(const struct tacho_recording *recording,
						      size_t index)
{
	const struct tacho_entry *counters = real(recording)->counters;

	for (size_t i = 0; counters && counters[i].name; i++)
		if (i == index)
			return &counters[i];
	return NULL;
}

const struct tacho_recorded_row *tacho_cursor_get_row(struct tacho_cursor *cursor)
{
	const struct fake_row *row = cursor->current ? cursor->current->values : NULL;

	if (!row)
		return NULL;
	tacho__row_miss_all(&cursor->row, "", TACHO_MARK_FOREIGN);
	for (size_t i = 0; i < row->count && i < cursor->row.firsts[cursor->row.count]; i++) {
		cursor->row.numbers[i].u64 = row->values[i].data.u64;
		cursor->row.states[i] = row->values[i].state;
		cursor->row.coverage[i] = row->values[i].coverage;
		cursor->row.notes[i] = row->values[i].note;
	}
	cursor->recorded = (struct tacho_recorded_row){.result = cursor->result,
						       .is_counted = row->is_counted,
						       .is_unmatched = row->is_unmatched,
						       .passes = row->passes,
						       .note = row->note};
	return &cursor->recorded;
}

void tacho_cursor_get_matching(const struct tacho_cursor *cursor,
			       struct tacho_matching *out_matching)
{
	*out_matching = cursor->recording->matching;
}
