/* SPDX-License-Identifier: MIT */
/* Rows of a batch: calls, commands and ranges, each into its struct of arrays. */
#include <stdlib.h>

#include "analyze/columns.h"
#include "base/array.h"
#include "base/error.h"
#include "record/command.h"

enum { FIRST_CAPACITY = 1024 };

/* An array of a struct of arrays: where its pointer is, and the bytes of a row. */
struct array {
	size_t offset, row_bytes;
};

#define ARRAY(columns, member, values)                                                            \
	{                                                                                         \
		offsetof(struct columns, member), sizeof(*((struct columns *)0)->member) * values \
	}
#define CALLS(member)	 ARRAY(tacho_call_columns, member, 1)
#define COMMANDS(member) ARRAY(tacho_command_columns, member, 1)
#define RANGES(member)	 ARRAY(tacho_range_columns, member, 1)

static const struct array call_arrays[] = {
	CALLS(start_ns), CALLS(end_ns), CALLS(busy_ns), CALLS(index),  CALLS(repeats),
	CALLS(command),	 CALLS(range),	CALLS(process), CALLS(thread), CALLS(api),
	CALLS(function), CALLS(result), CALLS(caller),	CALLS(failed), CALLS(is_bare),
};

static const struct array command_arrays[] = {
	COMMANDS(call),
	COMMANDS(id),
	COMMANDS(queued_ns),
	COMMANDS(submit_ns),
	COMMANDS(start_ns),
	COMMANDS(end_ns),
	COMMANDS(duration_ns),
	COMMANDS(not_before_ns),
	COMMANDS(not_after_ns),
	COMMANDS(uncertainty_ns),
	ARRAY(tacho_command_columns, global, 3),
	ARRAY(tacho_command_columns, local, 3),
	COMMANDS(bytes),
	COMMANDS(extra_local_bytes),
	COMMANDS(process),
	COMMANDS(name),
	COMMANDS(kernel_name),
	COMMANDS(device_name),
	COMMANDS(reason),
	COMMANDS(values_note),
	COMMANDS(queue),
	COMMANDS(device),
	COMMANDS(kernel),
	COMMANDS(template_id),
	COMMANDS(dimensions),
	COMMANDS(kind),
	COMMANDS(state),
	COMMANDS(first_launch),
	COMMANDS(is_counted),
};

static const struct array range_arrays[] = {
	RANGES(id),	RANGES(parent),	 RANGES(start_ns), RANGES(end_ns), RANGES(last_ns),
	RANGES(color),	RANGES(process), RANGES(thread),   RANGES(depth),  RANGES(name),
	RANGES(domain), RANGES(api),	 RANGES(kind),
};

static void **array_of(void *columns, const struct array *array)
{
	return (void **)((char *)columns + array->offset);
}

/* Room for row `count` in all arrays. NOMEM. */
static int reserve(void *columns, const struct array *arrays, size_t array_count, size_t *capacity,
		   size_t count)
{
	size_t larger = *capacity ? *capacity * 2 : FIRST_CAPACITY;

	if (count < *capacity)
		return 0;
	for (size_t i = 0; i < array_count; i++) {
		void **array = array_of(columns, &arrays[i]);
		void *memory = reallocarray(*array, larger, arrays[i].row_bytes);

		if (!memory)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu rows", larger);
		*array = memory;
	}
	*capacity = larger;
	return 0;
}

static void free_arrays(void *columns, const struct array *arrays, size_t array_count)
{
	for (size_t i = 0; i < array_count; i++)
		free(*array_of(columns, &arrays[i]));
}

/* The arrays are the batch's own; only its readers may not write. */
static void put64(const uint64_t *array, size_t row, uint64_t value)
{
	((uint64_t *)array)[row] = value;
}

static void put32(const uint32_t *array, size_t row, uint32_t value)
{
	((uint32_t *)array)[row] = value;
}

static void put8(const uint8_t *array, size_t row, int value)
{
	((uint8_t *)array)[row] = (uint8_t)value;
}

static void put_known(const uint64_t *array, size_t row, bool is_known, uint64_t value)
{
	put64(array, row, is_known ? value : TACHO_UNKNOWN);
}

static void put_object(const uint32_t *array, size_t row, const struct tacho_object *object)
{
	put32(array, row, object ? object->id : 0);
}

int tacho__batch_add_call(struct tacho_batch *batch, const struct tacho_call *call,
			  uint64_t command)
{
	struct tacho_call_columns *calls = &batch->calls;
	struct tacho__texts *texts = batch->texts;
	bool is_known = tacho__call_has_time(call);
	size_t row = calls->count;

	if (reserve(calls, call_arrays, TACHO__ARRAY_SIZE(call_arrays), &batch->call_capacity, row))
		return TACHO_E_NOMEM;
	put_known(calls->start_ns, row, is_known, call->start_ns);
	put_known(calls->end_ns, row, is_known, call->end_ns);
	put_known(calls->busy_ns, row, !call->is_bare, tacho__call_busy_ns(call));
	put64(calls->index, row, call->index);
	put64(calls->repeats, row, call->repeats);
	put64(calls->command, row, command);
	put64(calls->range, row, call->range_count ? call->ranges[0]->id : TACHO_UNKNOWN);
	put32(calls->process, row, call->process->index);
	put32(calls->thread, row, call->thread);
	put32(calls->api, row, tacho__texts_add(texts, call->function->api));
	put32(calls->function, row, tacho__texts_add(texts, call->function->name));
	put32(calls->result, row, tacho__texts_add(texts, call->result));
	put32(calls->caller, row, tacho__texts_add(texts, call->caller));
	put8(calls->failed, row, call->failed != 0);
	put8(calls->is_bare, row, call->is_bare != 0);
	calls->count++;
	return 0;
}

static void put_times(const struct tacho_batch *batch, size_t row,
		      const struct tacho_command *command)
{
	const struct tacho_command_columns *commands = &batch->commands;
	bool is_ok = command->state == TACHO_STATE_OK;
	bool has_queue_times = is_ok && !command->lacks_queue_times;
	uint64_t duration_ns = is_ok ? command->end_ns - command->start_ns : command->duration_ns;

	put_known(commands->queued_ns, row, has_queue_times, command->queued_ns);
	put_known(commands->submit_ns, row, has_queue_times, command->submit_ns);
	put_known(commands->start_ns, row, is_ok, command->start_ns);
	put_known(commands->end_ns, row, is_ok, command->end_ns);
	put_known(commands->duration_ns, row, is_ok || command->has_duration, duration_ns);
	put_known(commands->not_before_ns, row, command->not_before_ns != 0,
		  command->not_before_ns);
	put64(commands->not_after_ns, row, command->not_after_ns);
	put_known(commands->uncertainty_ns, row, is_ok && !batch->is_import,
		  command->uncertainty_ns);
	put8(commands->state, row, (int)command->state);
}

static void put_sizes(const struct tacho_command_columns *commands, size_t row,
		      const struct tacho_command *command)
{
	for (uint32_t i = 0; i < 3; i++) {
		bool is_used = i < command->dimensions;
		bool is_known = command->has_local && command->dimensions;

		put_known(commands->global, 3 * row + i, command->dimensions != 0,
			  is_used ? command->global[i] : 1);
		put_known(commands->local, 3 * row + i, is_known, is_used ? command->local[i] : 1);
	}
	put32(commands->dimensions, row, command->dimensions);
	put_known(commands->bytes, row, command->has_bytes, command->bytes);
	put_known(commands->extra_local_bytes, row, command->has_extra_local,
		  command->extra_local_bytes);
}

int tacho__batch_add_command(struct tacho_batch *batch, const struct tacho_call *call,
			     uint64_t call_row, const struct tacho_recorded_row *values)
{
	struct tacho_command_columns *commands = &batch->commands;
	const struct tacho_command *command = call->command;
	const struct tacho_object *kernel = command->kernel, *device = command->device;
	struct tacho__texts *texts = batch->texts;
	size_t row = commands->count;

	if (reserve(commands, command_arrays, TACHO__ARRAY_SIZE(command_arrays),
		    &batch->command_capacity, row))
		return TACHO_E_NOMEM;
	put64(commands->call, row, call_row);
	put64(commands->id, row, command->id);
	put_times(batch, row, command);
	put_sizes(commands, row, command);
	put32(commands->process, row, call->process->index);
	put32(commands->name, row, tacho__texts_add(texts, command->name));
	put32(commands->kernel_name, row, tacho__texts_add(texts, kernel ? kernel->name : NULL));
	put32(commands->device_name, row, tacho__texts_add(texts, device ? device->name : NULL));
	put32(commands->reason, row, tacho__texts_add(texts, command->reason));
	put32(commands->values_note, row, tacho__texts_add(texts, values ? values->note : NULL));
	put_object(commands->queue, row, command->queue);
	put_object(commands->device, row, device);
	put_object(commands->kernel, row, kernel);
	put32(commands->template_id, row, command->contents ? command->contents->id : 0);
	put8(commands->kind, row, (int)command->kind);
	put8(commands->first_launch, row, command->first_launch != 0);
	put8(commands->is_counted, row, values && values->is_counted);
	commands->count++;
	return 0;
}

int tacho__batch_add_range(struct tacho_batch *batch, const struct tacho_named_range *range)
{
	struct tacho_range_columns *ranges = &batch->ranges;
	struct tacho__texts *texts = batch->texts;
	size_t row = ranges->count;

	if (reserve(ranges, range_arrays, TACHO__ARRAY_SIZE(range_arrays), &batch->range_capacity,
		    row))
		return TACHO_E_NOMEM;
	put64(ranges->id, row, range->id);
	put_known(ranges->parent, row, range->parent, range->parent ? range->parent->id : 0);
	put64(ranges->start_ns, row, range->start_ns);
	put_known(ranges->end_ns, row, !range->is_open, range->end_ns);
	put64(ranges->last_ns, row, range->end_ns);
	put_known(ranges->color, row, range->has_color, range->color);
	put32(ranges->process, row, range->process->index);
	put32(ranges->thread, row, range->thread);
	put32(ranges->depth, row, range->depth);
	put32(ranges->name, row, tacho__texts_add(texts, range->name));
	put32(ranges->domain, row, tacho__texts_add(texts, range->domain));
	put32(ranges->api, row, tacho__texts_add(texts, range->api));
	put8(ranges->kind, row, (int)range->kind);
	ranges->count++;
	return 0;
}

void tacho__batch_free_rows(struct tacho_batch *batch)
{
	free_arrays(&batch->calls, call_arrays, TACHO__ARRAY_SIZE(call_arrays));
	free_arrays(&batch->commands, command_arrays, TACHO__ARRAY_SIZE(command_arrays));
	free_arrays(&batch->ranges, range_arrays, TACHO__ARRAY_SIZE(range_arrays));
}
