/* SPDX-License-Identifier: MIT */
/*
 * Traces of Perfetto: render stages, which are what a GPU runs: kernels, and the stages of
 * graphics, each of which is taken for a kernel of its name.
 */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/pftrace.h"

enum { /* GpuRenderStageEvent */
       STAGE_DURATION = 2,
       STAGE_OLD_QUEUE = 3,
       STAGE_OLD_STAGE = 4,
       STAGE_CONTEXT = 5,
       STAGE_OLD_SPECS = 7,
       STAGE_GPU = 11,
       STAGE_QUEUE = 13,
       STAGE_STAGE = 14,
       STAGE_NAME = 17,
       STAGE_KERNEL = 19,
       STAGE_NAME_IID = 20,
       STAGE_LAUNCH = 21
};

/* An event, as far as it was read. */
struct stage {
	bool has_queue, has_old_queue, has_stage, has_old_stage, has_kernel, has_name_iid;
	uint64_t duration, context, gpu, queue, old_queue, stage, old_stage, kernel, name_iid;
	struct tacho__buf name, arguments;
	struct tacho__proto_field launch;
};

static void take_number(struct stage *stage, uint32_t number, uint64_t value)
{
	switch (number) {
	case STAGE_DURATION: stage->duration = value; break;
	case STAGE_CONTEXT: stage->context = value; break;
	case STAGE_GPU: stage->gpu = (uint32_t)value; break;
	case STAGE_QUEUE:
		stage->queue = value;
		stage->has_queue = true;
		break;
	case STAGE_OLD_QUEUE:
		stage->old_queue = (uint32_t)value;
		stage->has_old_queue = true;
		break;
	case STAGE_STAGE:
		stage->stage = value;
		stage->has_stage = true;
		break;
	case STAGE_OLD_STAGE:
		stage->old_stage = value;
		stage->has_old_stage = true;
		break;
	case STAGE_KERNEL:
		stage->kernel = value;
		stage->has_kernel = true;
		break;
	case STAGE_NAME_IID:
		stage->name_iid = value;
		stage->has_name_iid = true;
		break;
	default: break;
	}
}

/* ---- names of early versions ---- */

/* The name of a description becomes the next text of a list. */
static int take_old_name(struct tacho__pftrace *trace, struct tacho__proto_reader reader,
			 uint32_t *into, size_t *count)
{
	struct tacho__proto_field field;
	struct tacho__buf text = {0};
	uint32_t number;
	int rc;

	while (tacho__proto_next(&reader, &field) == 1)
		if (field.number == 1 && field.wire == TACHO__PROTO_BYTES)
			tacho__pftrace_put(&text, &field);
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_text(trace->foreign, tacho__buf_text(&text), &number);
	tacho__buf_finish(&text);
	if (!rc && *count < TACHO__PFTRACE_OLD_SPECS)
		into[(*count)++] = number;
	return rc;
}

static int take_old_specs(struct tacho__pftrace *trace, struct tacho__proto_reader reader)
{
	struct tacho__proto_field field;
	int rc = 0;

	trace->old_queue_count = trace->old_stage_count = 0;
	while (!rc && tacho__proto_next(&reader, &field) == 1) {
		if (field.wire != TACHO__PROTO_BYTES)
			continue;
		if (field.number == 2)
			rc = take_old_name(trace, tacho__proto_open(&field), trace->old_queues,
					   &trace->old_queue_count);
		else if (field.number == 3)
			rc = take_old_name(trace, tacho__proto_open(&field), trace->old_stages,
					   &trace->old_stage_count);
	}
	return rc;
}

static int take_fields(struct tacho__pftrace *trace, struct tacho__proto_reader reader,
		       struct stage *stage)
{
	struct tacho__proto_field field;
	int rc = 0;

	while (!rc && tacho__proto_next(&reader, &field) == 1) {
		if (field.wire == TACHO__PROTO_VARINT)
			take_number(stage, field.number, field.value);
		else if (field.wire != TACHO__PROTO_BYTES)
			continue;
		else if (field.number == STAGE_NAME)
			tacho__pftrace_put(&stage->name, &field);
		else if (field.number == STAGE_LAUNCH)
			stage->launch = field;
		else if (field.number == STAGE_OLD_SPECS)
			rc = take_old_specs(trace, tacho__proto_open(&field));
	}
	return rc;
}

/* ---- launches ---- */

static bool take_dimensions(struct tacho__proto_reader reader, uint64_t into[3])
{
	struct tacho__proto_field field;

	into[0] = into[1] = into[2] = 1;
	while (tacho__proto_next(&reader, &field) == 1)
		if (field.wire == TACHO__PROTO_VARINT && field.number >= 1 && field.number <= 3)
			into[field.number - 1] = (uint32_t)field.value;
	return into[0] && into[1] && into[2];
}

static void take_launch(struct tacho__pftrace *trace, const struct tacho__pftrace_packet *packet,
			struct stage *stage, struct tacho__foreign_command *command)
{
	struct tacho__proto_reader reader = tacho__proto_open(&stage->launch);
	bool has_grid = false, has_group = false, has_extra = false;
	uint64_t groups[3], sizes[3];
	struct tacho__proto_field field;

	while (tacho__proto_next(&reader, &field) == 1) {
		if (field.wire != TACHO__PROTO_BYTES)
			continue;
		if (field.number == 1)
			has_grid = take_dimensions(tacho__proto_open(&field), groups);
		else if (field.number == 2)
			has_group = take_dimensions(tacho__proto_open(&field), sizes);
		else if (field.number == 3)
			tacho__pftrace_take_argument(trace, packet->sequence,
						     tacho__proto_open(&field), &stage->arguments,
						     &has_extra, &command->extra_local_bytes);
	}
	command->has_extra_local = has_extra;
	if (has_grid && has_group)
		tacho__foreign_set_groups(command, groups, sizes);
}

/* ---- names ---- */

/* The name of a stage: its own, else the kernel's, else that of the sort of stage. */
static void put_attributes(const struct tacho__pftrace *trace,
			   const struct tacho__pftrace_packet *packet, const struct stage *stage,
			   struct tacho__buf *text)
{
	const char *const *texts = trace->foreign->texts;
	uintptr_t kernel =
		tacho__pftrace_find(packet->sequence, TACHO__PFTRACE_KERNEL, stage->kernel);
	uintptr_t name =
		tacho__pftrace_find(packet->sequence, TACHO__PFTRACE_EVENT, stage->name_iid);
	uintptr_t sort = tacho__pftrace_find(packet->sequence, TACHO__PFTRACE_SPEC, stage->stage);

	if (stage->has_kernel && kernel)
		tacho__buf_put(text, texts[kernel - 1]);
	else if (stage->name.size)
		tacho__buf_printf(text, "name=%s\n", stage->name.text);
	else if (stage->has_name_iid && name)
		tacho__buf_printf(text, "name=%s\n", texts[name - 1]);
	else if (stage->has_stage && sort)
		tacho__buf_printf(text, "name=%s\n", texts[sort - 1]);
	else if (!stage->has_stage && stage->old_stage < trace->old_stage_count)
		tacho__buf_printf(text, "name=%s\n",
				  texts[trace->old_stages[stage->old_stage] - 1]);
	else
		tacho__buf_printf(text, "name=render stage(%" PRIu64 ")\n",
				  stage->has_stage ? stage->stage : stage->old_stage);
	tacho__buf_put(text, tacho__buf_text(&stage->arguments));
	text->failed |= stage->arguments.failed;
}

static int take_place(struct tacho__pftrace *trace, const struct tacho__pftrace_packet *packet,
		      const struct stage *stage, struct tacho__foreign_command *command)
{
	const char *const *texts = trace->foreign->texts;
	uintptr_t queue = tacho__pftrace_find(packet->sequence, TACHO__PFTRACE_SPEC, stage->queue);
	struct tacho__buf text = {0};
	uint64_t device;
	int rc;

	tacho__buf_printf(&text, "type=gpu\nnumber=%" PRIu64 "\nname=GPU %" PRIu64 "\n", stage->gpu,
			  stage->gpu);
	rc = tacho__foreign_described(trace->foreign, command->process, TACHO_OBJECT_DEVICE, &text,
				      &device, &command->device);
	if (rc)
		return rc;
	if (stage->has_queue && queue)
		tacho__buf_printf(&text, "name=%s\n", texts[queue - 1]);
	else if (stage->old_queue < trace->old_queue_count)
		tacho__buf_printf(&text, "name=%s\n",
				  texts[trace->old_queues[stage->old_queue] - 1]);
	else
		tacho__buf_printf(&text, "name=queue %" PRIu64 "\n", stage->old_queue);
	tacho__buf_printf(&text, "number=%" PRIu64 "\ndevice=0x%" PRIX64 "\n",
			  stage->has_queue ? stage->queue : stage->old_queue, device);
	return tacho__foreign_described(trace->foreign, command->process, TACHO_OBJECT_QUEUE, &text,
					NULL, &command->queue);
}

/* The process of the context that an event has, or the one that nothing is known of. */
static int find_process(struct tacho__pftrace *trace, const struct tacho__pftrace_packet *packet,
			const struct stage *stage, uint32_t *out_process)
{
	uintptr_t context =
		tacho__pftrace_find(packet->sequence, TACHO__PFTRACE_CONTEXT, stage->context);
	uint32_t pid = context ? (uint32_t)(context - 1) : 0;

	return tacho__foreign_process(trace->foreign, trace->file << 40 | pid, pid, out_process);
}

/* On the clock of the trace; false: how its own differs from that is not known. */
static bool convert(const struct tacho__pftrace *trace, const struct tacho__pftrace_packet *packet,
		    uint64_t duration, struct tacho__foreign_command *command)
{
	uint32_t clock = packet->clock ? packet->clock : trace->base;
	uint64_t ns = packet->timestamp;

	if (clock != trace->base && (clock >= TACHO__PFTRACE_CLOCKS || !trace->clocks[clock] ||
				     !trace->clocks[trace->base]))
		return false;
	if (clock != trace->base)
		ns += trace->clocks[trace->base] - trace->clocks[clock];
	if (ns > INT64_MAX || duration > INT64_MAX - ns)
		return false;
	command->start_ns = (int64_t)ns;
	command->end_ns = (int64_t)(ns + duration);
	return true;
}

static int add(struct tacho__pftrace *trace, const struct tacho__pftrace_packet *packet,
	       struct stage *stage)
{
	struct tacho__foreign_command command = {.kind = TACHO_COMMAND_KERNEL,
						 .state = TACHO_STATE_OK};
	struct tacho__buf text = {0};
	int rc = find_process(trace, packet, stage, &command.process);

	if (rc)
		return rc;
	if (!convert(trace, packet, stage->duration, &command)) {
		trace->clockless++;
		command.state = TACHO_STATE_ABSENT;
		rc = tacho__foreign_text(trace->foreign, "its clock is not known", &command.reason);
	}
	take_launch(trace, packet, stage, &command);
	put_attributes(trace, packet, stage, &text);
	if (!rc)
		rc = tacho__foreign_described(trace->foreign, command.process, TACHO_OBJECT_KERNEL,
					      &text, NULL, &command.kernel);
	else
		tacho__buf_finish(&text);
	if (!rc)
		rc = take_place(trace, packet, stage, &command);
	if (!rc)
		rc = tacho__foreign_text(trace->foreign, "kernel", &command.name);
	trace->stages++;
	return rc ? rc : tacho__foreign_add_command(trace->foreign, &command);
}

int tacho__pftrace_take_stage(struct tacho__pftrace *trace,
			      const struct tacho__pftrace_packet *packet,
			      struct tacho__proto_reader reader)
{
	struct stage stage = {0};
	int rc = take_fields(trace, reader, &stage);

	if (!rc && stage.name.failed)
		rc = TACHO_E_NOMEM;
	if (stage.has_queue &&
	    !tacho__pftrace_find(packet->sequence, TACHO__PFTRACE_SPEC, stage.queue))
		trace->unnamed++; /* numbers of what was lost: it is not known whose they are */
	else if (!rc && (stage.has_queue || stage.has_old_queue || stage.has_stage ||
			 stage.has_old_stage || stage.has_kernel))
		rc = add(trace, packet, &stage);
	tacho__buf_finish(&stage.name);
	tacho__buf_finish(&stage.arguments);
	return rc;
}
