/* SPDX-License-Identifier: MIT */
/* A call is a slice of its thread, its command a slice of its queue; values stand with the command.
 */
#include <math.h>

#include "format/perfetto/perfetto.h"
#include "format/perfetto/fields.h"
#include "model/shape.h"
#include "model/single.h"

static void note_time(struct tacho__perfetto *trace, const struct tacho_call *call, uint64_t ns)
{
	struct tacho__perfetto_process *process = &trace->processes[call->process->index];

	if (ns > process->last_ns)
		process->last_ns = ns;
}

/* Where a slice begins; without a lane a mark tells that it is not drawn. */
static int begin_slice(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
		       uint64_t start_ns, uint64_t end_ns, struct tacho__perfetto_lane **out_lane)
{
	int rc = tacho__perfetto_get_lane(trace, track, start_ns, end_ns, out_lane);

	if (rc)
		return rc;
	tacho__perfetto_begin_event(trace, start_ns, *out_lane ? PF_SLICE_BEGIN : PF_INSTANT,
				    *out_lane ? (*out_lane)->uuid : track->ids[0].uuid);
	if (!*out_lane) {
		tacho__perfetto_note_text(trace, "not_drawn", "too many overlap here");
		tacho__perfetto_note_unsigned(trace, "end_ns", end_ns);
	}
	return 0;
}

static void end_slice(struct tacho__perfetto *trace, const struct tacho__perfetto_lane *lane,
		      uint64_t end_ns)
{
	if (!lane)
		return;
	tacho__perfetto_begin_event(trace, end_ns, PF_SLICE_END, lane->uuid);
	tacho__perfetto_end_event(trace);
}

/* ---- values ---- */

static void note_number(struct tacho__perfetto *trace, const char *key,
			const struct tacho_column *column)
{
	if (tacho__state_is_absent(tacho_column_get_state(column, 0, 0)))
		return;
	if (column->type == TACHO_TYPE_U64)
		tacho__perfetto_note_unsigned(trace, key, column->data.u64[0]);
	else
		tacho__perfetto_note_real(trace, key, column->data.f64[0]);
}

/* A plain value is a number; any other has members that say what it is. */
static void note_value(struct tacho__perfetto *trace, const struct tacho_column *column)
{
	const char *note = tacho_column_get_note(column, 0, 0);
	double coverage = tacho_column_get_coverage(column, 0, 0);
	uint8_t state = tacho_column_get_state(column, 0, 0);

	if (state == TACHO_STATE_OK && coverage == 1 && !*note) {
		note_number(trace, column->name, column);
		return;
	}
	tacho__perfetto_begin_notes(trace, column->name, false);
	note_number(trace, "value", column);
	tacho__perfetto_note_text(trace, "state", tacho_state_to_string(state));
	if (state & TACHO_MARK_DIV0)
		tacho__perfetto_note_bool(trace, "div0", true);
	if (state & TACHO_MARK_DEFAULT)
		tacho__perfetto_note_bool(trace, "default", true);
	if (coverage != 1)
		tacho__perfetto_note_real(trace, "coverage", coverage);
	tacho__perfetto_note_text(trace, "note", note);
	tacho__perfetto_end_notes(trace);
}

/* A track has one level at a time. */
static const struct tacho_column *get_single(const struct tacho__perfetto *trace, size_t index,
					     const struct tacho_column *column,
					     struct tacho__single *room)
{
	return tacho__single_make(
		column, tacho_recording_get_counter(trace->recording, index)->semantic, room);
}

static void note_values(struct tacho__perfetto *trace, const struct tacho_recorded_row *row)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(trace->recording);
	const struct tacho_column *column;

	if (!row)
		return;
	tacho__perfetto_note_text(trace, "values_note", row->note);
	if (!row->is_counted) {
		tacho__perfetto_note_bool(trace, "counted", false);
		return;
	}
	if (counting && counting->is_simulated)
		tacho__perfetto_note_text(trace, "counted_on", counting->device);
	tacho__perfetto_begin_notes(trace, "values", false);
	for (size_t i = 0; (column = tacho_result_get_column(row->result, i)); i++) {
		struct tacho__single room;
		const struct tacho_column *single = get_single(trace, i, column, &room);

		if (!single)
			tacho__perfetto_note_text(trace, column->name,
						  "it has instances, which do not add up");
		else if (!(tacho_column_get_state(single, 0, 0) & TACHO_MARK_FOREIGN))
			note_value(trace, single);
	}
	tacho__perfetto_end_notes(trace);
}

void tacho__perfetto_put_sample(struct tacho__perfetto *trace, uint64_t time_ns, uint64_t uuid,
				const struct tacho_column *column)
{
	tacho__perfetto_begin_event(trace, time_ns, PF_COUNTER, uuid);
	if (!column)
		tacho__proto_add_signed(&trace->packets, PF_EVENT_COUNTER_VALUE, 0);
	else if (column->type == TACHO_TYPE_F64)
		tacho__proto_add_double(&trace->packets, PF_EVENT_DOUBLE_VALUE,
					column->data.f64[0]);
	else if (column->data.u64[0] <= INT64_MAX)
		tacho__proto_add_unsigned(&trace->packets, PF_EVENT_COUNTER_VALUE,
					  column->data.u64[0]);
	else
		tacho__proto_add_double(&trace->packets, PF_EVENT_DOUBLE_VALUE,
					(double)column->data.u64[0]);
	tacho__perfetto_end_event(trace);
}

/*
 * A counter track keeps its level until the next sample and knows no gaps, so one of 0 marks where
 * the command ends. What is absent, or no number, has no sample at all.
 */
static void put_samples(struct tacho__perfetto *trace, const struct tacho__perfetto_track *track,
			struct tacho__perfetto_lane *lane, const struct tacho_command *command,
			const struct tacho_recorded_row *row)
{
	const struct tacho_column *column;

	if (!row || !row->is_counted || !lane)
		return;
	for (size_t i = 0; (column = tacho_result_get_column(row->result, i)); i++) {
		struct tacho__single room;
		const struct tacho_column *single = get_single(trace, i, column, &room);

		if (!single || tacho__state_is_absent(tacho_column_get_state(single, 0, 0)) ||
		    !isfinite(tacho_column_get_value(single, 0, 0)))
			continue;
		tacho__perfetto_describe_counters(trace, track, lane);
		tacho__perfetto_put_sample(trace, command->start_ns, lane->counter_uuid + i,
					   single);
		tacho__perfetto_put_sample(trace, command->end_ns, lane->counter_uuid + i, NULL);
	}
}

/* ---- commands ---- */

static void note_sizes(struct tacho__perfetto *trace, const char *key, const uint64_t *sizes,
		       uint32_t dimensions)
{
	if (!dimensions)
		return;
	tacho__perfetto_begin_notes(trace, key, true);
	for (uint32_t i = 0; i < dimensions && i < 3; i++)
		tacho__perfetto_note_unsigned(trace, NULL, sizes[i]);
	tacho__perfetto_end_notes(trace);
}

/* Its kernels by name, as many as a person reads. */
static void note_contents(struct tacho__perfetto *trace, const struct tacho_command *command)
{
	enum { KERNELS_SHOWN = 64 };
	const struct tacho_template *contents = command->contents;
	size_t shown = 0;

	tacho__perfetto_note_text(trace, "not_known", contents->reason);
	if (command->has_marked_start)
		tacho__perfetto_note_text(trace, "start", "when all in front of it had ended");
	if (!contents->kernel_count)
		return;
	tacho__perfetto_note_unsigned(trace, "kernel_count", contents->kernel_count);
	tacho__perfetto_begin_notes(trace, "kernels", true);
	for (size_t i = 0; i < contents->command_count && shown < KERNELS_SHOWN; i++) {
		const struct tacho_template_command *recorded = &contents->commands[i];

		if (recorded->kind != TACHO_COMMAND_KERNEL)
			continue;
		tacho__perfetto_note_text(trace, NULL,
					  recorded->kernel && *recorded->kernel->name
						  ? recorded->kernel->name
						  : "unknown");
		shown++;
	}
	tacho__perfetto_end_notes(trace);
}

static void note_work(struct tacho__perfetto *trace, const struct tacho_command *command)
{
	tacho__perfetto_note_text(trace, "command", command->name);
	if (command->kind == TACHO_COMMAND_KERNEL) {
		note_sizes(trace, "global", command->global, command->dimensions);
		if (command->has_local)
			note_sizes(trace, "local", command->local, command->dimensions);
		if (command->first_launch)
			tacho__perfetto_note_bool(trace, "first_launch", true);
	} else if (command->has_bytes) {
		tacho__perfetto_note_unsigned(trace, "bytes", command->bytes);
	}
	if (command->contents)
		note_contents(trace, command);
}

static const char *get_command_name(const struct tacho_command *command)
{
	if (command->kind == TACHO_COMMAND_KERNEL && command->kernel && *command->kernel->name)
		return command->kernel->name;
	if (command->contents)
		return command->contents->name;
	return *command->name ? command->name : tacho_command_kind_to_string(command->kind);
}

static bool has_slice(const struct tacho_command *command)
{
	return command->state == TACHO_STATE_OK && command->start_ns <= command->end_ns;
}

/* An arrow to something earlier would point the other way round. */
static bool has_flow(const struct tacho_call *call)
{
	return has_slice(call->command) && !call->is_bare &&
	       call->command->start_ns >= call->start_ns;
}

static void note_times(struct tacho__perfetto *trace, const struct tacho_command *command)
{
	if (!command->lacks_queue_times) {
		tacho__perfetto_note_unsigned(trace, "queued_ns", command->queued_ns);
		tacho__perfetto_note_unsigned(trace, "submit_ns", command->submit_ns);
	}
	if (!trace->is_import)
		tacho__perfetto_note_unsigned(trace, "uncertainty_ns", command->uncertainty_ns);
	tacho__perfetto_note_text(trace, "clock", command->clock);
}

static int put_command(struct tacho__perfetto *trace, const struct tacho_call *call)
{
	const struct tacho_command *command = call->command;
	const struct tacho_recorded_row *row = tacho_cursor_get_row(trace->cursor);
	struct tacho__perfetto_track *track;
	struct tacho__perfetto_lane *lane;
	int rc = tacho__perfetto_get_queue(trace, call, &track);

	if (!rc)
		rc = begin_slice(trace, track, command->start_ns, command->end_ns, &lane);
	if (rc)
		return rc;
	tacho__perfetto_name_event(trace, tacho_command_kind_to_string(command->kind),
				   get_command_name(command));
	if (has_flow(call))
		tacho__proto_add_fixed64(&trace->packets, PF_EVENT_TERMINATING_FLOW_IDS,
					 command->id);
	note_work(trace, command);
	tacho__perfetto_note_unsigned(trace, "command_id", command->id);
	note_times(trace, command);
	note_values(trace, row);
	tacho__perfetto_end_event(trace);
	end_slice(trace, lane, command->end_ns);
	put_samples(trace, track, lane, command, row);
	note_time(trace, call, command->end_ns);
	return call->is_bare && !trace->is_import ? tacho__perfetto_put_stage(trace, call) : 0;
}

/* ---- calls ---- */

/* A command without times has no slice of its own: the call tells what is known of it. */
static void note_undrawn(struct tacho__perfetto *trace, const struct tacho_command *command)
{
	tacho__perfetto_begin_notes(trace, "command_not_drawn", false);
	tacho__perfetto_note_text(trace, "state", tacho_state_to_string(command->state));
	tacho__perfetto_note_text(trace, "reason", command->reason);
	tacho__perfetto_note_text(trace, "kind", tacho_command_kind_to_string(command->kind));
	tacho__perfetto_note_text(trace, "name", get_command_name(command));
	if (command->has_duration)
		tacho__perfetto_note_unsigned(trace, "duration_ns", command->duration_ns);
	note_work(trace, command);
	note_values(trace, tacho_cursor_get_row(trace->cursor));
	tacho__perfetto_end_notes(trace);
}

static void note_arguments(struct tacho__perfetto *trace)
{
	const char *name, *text = tacho_cursor_get_argument(trace->cursor, 0, &name);

	if (!text)
		return;
	tacho__perfetto_begin_notes(trace, "arguments", false);
	for (size_t i = 1; text; i++) {
		tacho__perfetto_note_printed(trace, name, text);
		text = tacho_cursor_get_argument(trace->cursor, i, &name);
	}
	tacho__perfetto_end_notes(trace);
}

static int put_slice(struct tacho__perfetto *trace, const struct tacho_call *call)
{
	const struct tacho_command *command = call->command;
	uint64_t end_ns = call->end_ns < call->start_ns ? call->start_ns : call->end_ns;
	struct tacho__perfetto_track *track;
	struct tacho__perfetto_lane *lane;
	int rc = tacho__perfetto_open_ranges(trace, call);

	if (!rc)
		rc = tacho__perfetto_get_thread(trace, call->process, call->thread, &track);
	if (!rc)
		rc = begin_slice(trace, track, call->start_ns, end_ns, &lane);
	if (rc)
		return rc;
	tacho__perfetto_name_event(trace, call->function->api, call->function->name);
	if (command && has_flow(call))
		tacho__proto_add_fixed64(&trace->packets, PF_EVENT_FLOW_IDS, command->id);
	note_arguments(trace);
	if (*call->result)
		tacho__perfetto_note_printed(trace, "result", call->result);
	if (call->failed)
		tacho__perfetto_note_bool(trace, "failed", true);
	tacho__perfetto_note_unsigned(trace, "index", call->index);
	if (call->repeats) {
		tacho__perfetto_note_unsigned(trace, "repeats", call->repeats);
		tacho__perfetto_note_unsigned(trace, "busy_ns", call->busy_ns);
	}
	tacho__perfetto_note_text(trace, "caller", call->caller);
	if (command && has_slice(command))
		tacho__perfetto_note_unsigned(trace, "command_id", command->id);
	else if (command)
		note_undrawn(trace, command);
	tacho__perfetto_end_event(trace);
	end_slice(trace, lane, end_ns);
	note_time(trace, call, end_ns);
	return 0;
}

int tacho__perfetto_put_call(struct tacho__perfetto *trace, const struct tacho_call *call)
{
	bool is_drawn = call->command && has_slice(call->command);
	int rc = call->is_bare ? 0 : put_slice(trace, call);

	if (call->is_bare && !is_drawn)
		trace->processes[call->process->index].undrawn++;
	if (!rc && is_drawn)
		rc = put_command(trace, call);
	return rc		   ? rc
	       : trace->rc	   ? trace->rc
	       : trace->packets.rc ? trace->packets.rc
				   : trace->interned.rc;
}
