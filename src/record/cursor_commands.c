/* SPDX-License-Identifier: MIT */
/* What a call gave to a device, out of its arguments and its slot. */
#include "base/error.h"
#include "record/cursor.h"

static const struct tacho__value *role(const struct tacho__folder_cursor *cursor,
				       enum tacho__role role)
{
	int index = cursor->function->command->role[role];

	return index < 0 ? NULL : &cursor->arguments.values[index];
}

static const struct tacho_object *object_of(const struct tacho__folder_cursor *cursor,
					    const struct tacho__merged *source,
					    enum tacho__role which, enum tacho_object_kind kind)
{
	const struct tacho__value *value = role(cursor, which);

	return value ? tacho__objects_find(&source->state->handles,
					   TACHO__KIND_API(source->record.kind), kind,
					   value->scalar)
		     : NULL;
}

static void take_sizes(const struct tacho__folder_cursor *cursor, struct tacho_command *command)
{
	const struct tacho__value *dims = role(cursor, TACHO__ROLE_DIMS);
	const struct tacho__value *global = role(cursor, TACHO__ROLE_GLOBAL);
	const struct tacho__value *local = role(cursor, TACHO__ROLE_LOCAL);

	command->dimensions = dims ? (uint32_t)dims->scalar : 1;
	if (command->dimensions > 3)
		command->dimensions = 3;
	command->has_local = dims ? local && local->present : 1; /* a task is one work-item */
	for (uint32_t i = 0; i < 3; i++) {
		command->global[i] = i >= command->dimensions || !global ? 1 : global->list[i];
		command->local[i] = i >= command->dimensions || !local ? 1 : local->list[i];
	}
}

static void take_bytes(const struct tacho__folder_cursor *cursor, struct tacho_command *command)
{
	const struct tacho__value *bytes = role(cursor, TACHO__ROLE_BYTES);
	const struct tacho__value *scale = role(cursor, TACHO__ROLE_SCALE);
	int index = cursor->function->command->role[TACHO__ROLE_BYTES];

	if (!bytes || !bytes->present)
		return;
	command->bytes = cursor->function->arguments[index].show.kind == 'l' ? bytes->product
									     : bytes->scalar;
	if (scale)
		command->bytes *= scale->scalar;
	command->has_bytes = command->bytes != 0 || !scale || scale->scalar;
}

static void take_extra_local(const struct tacho__folder_cursor *cursor,
			     struct tacho_command *command)
{
	const struct tacho__value *extra = role(cursor, TACHO__ROLE_EXTRA_LOCAL);

	if (!extra)
		return;
	command->extra_local_bytes = extra->scalar;
	command->has_extra_local = 1;
}

/* Whether this is the kernel's first launch on its device in its process. */
static uint32_t is_first_launch(struct tacho__folder_cursor *cursor,
				const struct tacho__merged *source,
				const struct tacho_command *command)
{
	struct tacho__object *kernel = (struct tacho__object *)command->kernel;
	struct tacho__buf key = {0};
	uint32_t first = 0;
	char *kept;

	if (!kernel || kernel->launched_on == command->device)
		return 0;
	kernel->launched_on = command->device;
	tacho__buf_printf(&key, "%u/%u/%s", source->state->process->process.index,
			  command->device ? command->device->id : 0, kernel->object.name);
	if (!tacho__names_get(&cursor->launched, tacho__buf_text(&key))) {
		kept = tacho__arena_string(&cursor->objects.arena, tacho__buf_text(&key));
		first = kept && !tacho__names_set(&cursor->launched, kept, kernel);
		cursor->cursor.failed |= !first;
	}
	cursor->cursor.failed |= key.failed;
	tacho__buf_finish(&key);
	return first;
}

/* What an execution of a template runs. */
static int take_contents(struct tacho__folder_cursor *cursor, const struct tacho__merged *source)
{
	const struct tacho__value *handle = role(cursor, TACHO__ROLE_TEMPLATE);
	const struct tacho__value *version = role(cursor, TACHO__ROLE_VERSION);

	cursor->command.contents = tacho__templates_find(
		&cursor->templates, &source->state->templates, TACHO__KIND_API(source->record.kind),
		handle ? handle->scalar : 0, version ? version->scalar : 0);
	return cursor->command.contents ? 0 : TACHO_E_NOMEM;
}

static struct tacho__evidence get_evidence(const struct tacho__merged *source,
					   const struct tacho_object *device)
{
	return (struct tacho__evidence){
		.process = source->state->process,
		.times = &source->state->times,
		.device = device,
		.call_start = source->record.start,
		.slot = &source->record.slot,
	};
}

/* The queue of the current call, of which nothing is decoded yet; NULL: it is not known. */
static const struct tacho_object *find_queue(struct tacho__folder_cursor *cursor,
					     struct tacho__merged *source)
{
	const struct tacho__function *function = cursor->function;
	struct tacho__call_arguments *arguments = &cursor->arguments;
	struct tacho__value result;

	if (function->has_result)
		tacho__call_decode(&function->result, &source->record.unpack, function,
				   arguments->values, NULL, &result);
	tacho__call_arguments_begin(arguments, function, &source->record.unpack);
	tacho__call_arguments_decode(arguments,
				     (size_t)(function->command->role[TACHO__ROLE_QUEUE] + 1));
	return object_of(cursor, source, TACHO__ROLE_QUEUE, TACHO_OBJECT_QUEUE);
}

int tacho__cursor_survey_command(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	const struct tacho_object *queue = find_queue(cursor, source);
	struct tacho__evidence evidence = get_evidence(source, queue ? queue->device : NULL);

	return cursor->on_evidence(cursor->evidence_user, &evidence);
}

/* What a command is before its arguments are looked at. */
static struct tacho_command *begin_command(struct tacho__folder_cursor *cursor,
					   const struct tacho_object *queue)
{
	static const struct tacho_command nothing;
	const struct tacho__command_form *form = cursor->function->command;
	struct tacho_command *command = &cursor->command;

	*command = nothing;
	command->kind = form->kind;
	command->code = form->code;
	command->name = form->name;
	command->draws = cursor->function->draws;
	command->queue = queue;
	command->device = queue ? queue->device : NULL;
	command->reason = command->clock = "";
	cursor->call.command = command;
	return command;
}

void tacho__cursor_take_brief_command(struct tacho__folder_cursor *cursor,
				      struct tacho__merged *source)
{
	struct tacho_command *command = begin_command(cursor, find_queue(cursor, source));
	struct tacho__evidence evidence = get_evidence(source, command->device);

	tacho__device_clock_apply(&evidence, command);
}

int tacho__cursor_take_command(struct tacho__folder_cursor *cursor, struct tacho__merged *source)
{
	const struct tacho_object *queue =
		object_of(cursor, source, TACHO__ROLE_QUEUE, TACHO_OBJECT_QUEUE);
	struct tacho_command *command = begin_command(cursor, queue);
	struct tacho__evidence evidence;

	command->id = (uint64_t)(source - cursor->merge.streams) << 40 | ++source->commands;
	if (command->kind == TACHO_COMMAND_KERNEL) {
		command->kernel =
			object_of(cursor, source, TACHO__ROLE_KERNEL, TACHO_OBJECT_KERNEL);
		take_sizes(cursor, command);
		take_extra_local(cursor, command);
		command->first_launch = is_first_launch(cursor, source, command);
	}
	take_bytes(cursor, command);
	if (command->kind == TACHO_COMMAND_BUFFER && take_contents(cursor, source))
		return TACHO_E_NOMEM;
	evidence = get_evidence(source, command->device);
	tacho__device_clock_apply(&evidence, command);
	return cursor->rows ? tacho__rows_take(cursor->rows, &cursor->cursor, &cursor->call,
					       source->record.start, &cursor->row)
			    : 0;
}
