/* SPDX-License-Identifier: MIT */
/*
 * Render stages: what Perfetto's own tracks of GPUs are made of. They are of work that was recorded
 * to be run later, and so stands below no call of its own: its commands, and render passes, which
 * stand for the command that begins them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "format/perfetto/fields.h"
#include "format/perfetto/perfetto.h"
#include "record/command.h"

/* What a stage is on and of. */
struct stage {
	const struct tacho_process *process;
	const struct tacho_object *queue;
	const char *api, *sort, *name;
	unsigned category;
	uint64_t id, start_ns, end_ns;
};

/* ---- what packets call by numbers ---- */

/* The number of a queue or a sort of work, which the open packet describes when it is new. */
static uint64_t specify(struct tacho__perfetto *trace, const char *name, const char *key,
			unsigned category)
{
	uint64_t iid = (uintptr_t)tacho__names_get(&trace->stages, key);
	struct tacho__proto *interned = &trace->interned;
	char *copy;

	if (iid)
		return iid;
	iid = trace->stages.count + 1;
	copy = tacho__arena_string(&trace->arena, key);
	if (!copy || tacho__names_set(&trace->stages, copy, (void *)(uintptr_t)iid))
		trace->rc = TACHO_E_NOMEM;
	tacho__proto_begin(interned, PF_INTERNED_SPECIFICATIONS);
	tacho__proto_add_unsigned(interned, PF_SPECIFICATION_IID, iid);
	tacho__proto_add_string(interned, PF_SPECIFICATION_NAME, name);
	tacho__proto_add_unsigned(interned, PF_SPECIFICATION_CATEGORY, category);
	tacho__proto_end(interned);
	return iid;
}

static uint64_t specify_queue(struct tacho__perfetto *trace, const struct stage *stage)
{
	char name[TACHO__QUEUE_TEXT_MAX], key[TACHO__QUEUE_TEXT_MAX + 8];

	tacho__queue_format(name, stage->queue);
	snprintf(key, sizeof(key), "queue %" PRIu32, stage->queue->id);
	return specify(trace, name, key, PF_CATEGORY_OTHER);
}

static uint64_t specify_sort(struct tacho__perfetto *trace, const struct stage *stage)
{
	char key[64];

	snprintf(key, sizeof(key), "sort %s", stage->sort);
	return specify(trace, stage->sort, key, stage->category);
}

static unsigned number_api(const char *api)
{
	return !strcmp(api, "vulkan") ? PF_API_VULKAN : !strcmp(api, "gl") ? PF_API_OPEN_GL : 0;
}

static uint64_t specify_context(struct tacho__perfetto *trace, const struct stage *stage)
{
	uint64_t iid = (uint64_t)stage->process->index + 1;
	struct tacho__proto *interned = &trace->interned;

	if (tacho__map_get(&trace->contexts, iid))
		return iid;
	if (tacho__map_set(&trace->contexts, iid, trace))
		trace->rc = TACHO_E_NOMEM;
	tacho__proto_begin(interned, PF_INTERNED_CONTEXTS);
	tacho__proto_add_unsigned(interned, PF_CONTEXT_IID, iid);
	tacho__proto_add_unsigned(interned, PF_CONTEXT_PID, stage->process->pid);
	tacho__proto_add_unsigned(interned, PF_CONTEXT_API, number_api(stage->api));
	tacho__proto_end(interned);
	return iid;
}

/* ---- stages ---- */

/* It is open: end it with tacho__perfetto_end_event(). */
static void begin_stage(struct tacho__perfetto *trace, const struct stage *stage)
{
	const struct tacho_object *device = stage->queue->device;
	struct tacho__proto *packets = &trace->packets;

	tacho__perfetto_begin(trace, stage->start_ns);
	tacho__proto_begin(packets, PF_PACKET_RENDER_STAGE);
	tacho__proto_add_unsigned(packets, PF_STAGE_EVENT_ID, stage->id);
	tacho__proto_add_unsigned(packets, PF_STAGE_DURATION, stage->end_ns - stage->start_ns);
	tacho__proto_add_unsigned(packets, PF_STAGE_CONTEXT, specify_context(trace, stage));
	tacho__proto_add_signed(packets, PF_STAGE_GPU, device ? (int32_t)device->id - 1 : 0);
	tacho__proto_add_unsigned(packets, PF_STAGE_QUEUE, specify_queue(trace, stage));
	tacho__proto_add_unsigned(packets, PF_STAGE_STAGE, specify_sort(trace, stage));
	tacho__proto_add_string(packets, PF_STAGE_NAME, stage->name);
}

static void add_extra(struct tacho__perfetto *trace, const char *name, const char *value)
{
	tacho__proto_begin(&trace->packets, PF_STAGE_EXTRA);
	tacho__proto_add_string(&trace->packets, PF_EXTRA_NAME, name);
	tacho__proto_add_string(&trace->packets, PF_EXTRA_VALUE, value);
	tacho__proto_end(&trace->packets);
}

/* Which submit it is of and which buffer, and how large it is. */
static void add_arguments(struct tacho__perfetto *trace)
{
	const char *name, *text = tacho_cursor_get_argument(trace->cursor, 0, &name);

	for (size_t i = 1; text; i++) {
		if (!strcmp(name, "submission"))
			tacho__proto_add_unsigned(&trace->packets, PF_STAGE_SUBMISSION,
						  (uint32_t)strtoull(text, NULL, 0));
		else if (!strcmp(name, "buffer"))
			tacho__proto_add_unsigned(&trace->packets, PF_STAGE_BUFFER,
						  strtoull(text, NULL, 0));
		else
			add_extra(trace, name, text);
		text = tacho_cursor_get_argument(trace->cursor, i, &name);
	}
}

static bool is_in_pass(const struct tacho_call *call)
{
	for (size_t i = 0; i < call->range_count; i++)
		if (call->ranges[i]->kind == TACHO_RANGE_PASS)
			return true;
	return false;
}

static const char *name_command(const struct tacho_command *command)
{
	return command->kernel && *command->kernel->name ? command->kernel->name : command->name;
}

int tacho__perfetto_put_stage(struct tacho__perfetto *trace, const struct tacho_call *call)
{
	const struct tacho_command *command = call->command;
	bool is_kernel = command->kind == TACHO_COMMAND_KERNEL;
	const struct stage stage = {
		.process = call->process,
		.queue = command->queue,
		.api = call->function->api,
		.sort = is_kernel && command->draws ? "draw"
			: is_kernel		    ? "dispatch"
						    : tacho_command_kind_to_string(command->kind),
		.name = name_command(command),
		.category = !is_kernel	     ? PF_CATEGORY_OTHER
			    : command->draws ? PF_CATEGORY_GRAPHICS
					     : PF_CATEGORY_COMPUTE,
		.id = command->id,
		.start_ns = command->start_ns,
		.end_ns = command->end_ns,
	};

	if (!stage.queue || (command->kind == TACHO_COMMAND_OTHER && is_in_pass(call)))
		return 0;
	begin_stage(trace, &stage);
	add_arguments(trace);
	tacho__perfetto_end_event(trace);
	return trace->rc;
}

int tacho__perfetto_put_pass(struct tacho__perfetto *trace, const struct tacho_named_range *range)
{
	const struct stage stage = {
		.process = range->process,
		.queue = range->queue,
		.api = range->api,
		.sort = "render pass",
		.name = range->name,
		.category = PF_CATEGORY_GRAPHICS,
		.id = UINT64_C(1) << 63 | range->id, /* no command's number */
		.start_ns = range->start_ns,
		.end_ns = range->end_ns,
	};

	if (!stage.queue || !range->has_device_times)
		return 0;
	begin_stage(trace, &stage);
	tacho__perfetto_end_event(trace);
	return trace->rc;
}

void tacho__perfetto_stages_finish(struct tacho__perfetto *trace)
{
	tacho__names_finish(&trace->stages);
	tacho__map_finish(&trace->contexts);
}
