/* SPDX-License-Identifier: MIT */
/* A trace for Perfetto's viewer and its trace processor; docs/perfetto.md tells what is in it. */
#include "format/perfetto/perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "format/estimate.h"
#include "format/format.h"
#include "format/perfetto/fields.h"
#include "record/whole.h"

/* ---- the run ---- */

static void put_clock(struct tacho__proto *packets, unsigned clock, uint64_t time_ns)
{
	tacho__proto_begin(packets, PF_SNAPSHOT_CLOCKS);
	tacho__proto_add_unsigned(packets, PF_CLOCK_ID, clock);
	tacho__proto_add_unsigned(packets, PF_CLOCK_TIMESTAMP, time_ns);
	tacho__proto_end(packets);
}

/* Readers learn from this packet which clock the times of all others are of. */
static void put_clocks(struct tacho__perfetto *trace, const struct tacho_run *run)
{
	struct tacho__proto *packets = &trace->packets;

	tacho__perfetto_begin(trace, 0);
	tacho__proto_add_unsigned(packets, PF_PACKET_FIRST_ON_SEQUENCE, true);
	tacho__proto_begin(packets, PF_PACKET_DEFAULTS);
	tacho__proto_add_unsigned(packets, PF_DEFAULTS_CLOCK_ID, PF_MONOTONIC);
	tacho__proto_end(packets);
	tacho__proto_begin(packets, PF_PACKET_CLOCK_SNAPSHOT);
	put_clock(packets, PF_MONOTONIC, run->start_ns);
	if (run->realtime_offset_ns)
		put_clock(packets, PF_REALTIME, run->start_ns + (uint64_t)run->realtime_offset_ns);
	tacho__proto_add_unsigned(packets, PF_SNAPSHOT_PRIMARY, PF_MONOTONIC);
	tacho__proto_end(packets);
	tacho__perfetto_end(trace);
}

static void put_system(struct tacho__perfetto *trace, const struct tacho_run *run)
{
	struct tacho__proto *packets = &trace->packets;

	tacho__perfetto_begin(trace, 0);
	tacho__proto_begin(packets, PF_PACKET_SYSTEM_INFO);
	tacho__proto_begin(packets, PF_SYSTEM_UTSNAME);
	tacho__proto_add_string(packets, PF_UTSNAME_SYSNAME, "Linux");
	if (*run->os_release)
		tacho__proto_add_string(packets, PF_UTSNAME_RELEASE, run->os_release);
	tacho__proto_end(packets);
	if (*run->host)
		tacho__proto_add_string(packets, PF_SYSTEM_MACHINE_NAME, run->host);
	tacho__proto_end(packets);
	tacho__perfetto_end(trace);
}

static const char *get_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Events without a time are not read at all. */
static uint64_t get_some_time(const struct tacho__perfetto *trace)
{
	return trace->first_ns ? trace->first_ns : 1;
}

static void note_counting(struct tacho__perfetto *trace)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(trace->recording);

	if (!counting)
		return;
	tacho__perfetto_begin_notes(trace, "counting", false);
	tacho__perfetto_note_text(trace, "device", counting->device);
	tacho__perfetto_note_bool(trace, "simulated", counting->is_simulated);
	tacho__perfetto_note_unsigned(trace, "passes", counting->pass_count);
	tacho__perfetto_note_text(trace, "replay", tacho_replay_to_string(counting->replay));
	tacho__perfetto_end_notes(trace);
}

/* Ends the event that was begun. */
static void note_losses(struct tacho__perfetto *trace, const struct tacho_losses *losses)
{
	struct tacho_loss loss;

	for (size_t i = 0; tacho__losses_get(losses, i, &loss); i++)
		if (loss.count)
			tacho__perfetto_note_unsigned(trace, loss.name, loss.count);
	if (losses->io_error)
		tacho__perfetto_note_signed(trace, "io_error", losses->io_error);
	tacho__perfetto_end_event(trace);
}

/* Functions of which calls were left out as asked. */
static void note_left_out(struct tacho__perfetto *trace)
{
	const struct tacho_bound *bound = tacho_recording_get_bound(trace->recording, 0);

	if (!bound)
		return;
	tacho__perfetto_begin_notes(trace, "left_out", false);
	for (size_t i = 1; bound; i++) {
		tacho__perfetto_note_unsigned(trace, bound->function, bound->calls);
		bound = tacho_recording_get_bound(trace->recording, i);
	}
	tacho__perfetto_end_notes(trace);
}

/* Marks on the track of the run: what is wrong with the files, and losses of no process. */
static int put_gaps(struct tacho__perfetto *trace, uint64_t time_ns, uint64_t track)
{
	const struct tacho_losses *losses = tacho_recording_get_losses(trace->recording);
	const struct tacho_fault *fault;
	char *text;
	int rc;

	for (size_t i = 0; (fault = tacho_recording_get_fault(trace->recording, i)); i++) {
		rc = tacho_fault_format(fault, &text);
		if (rc)
			return rc;
		tacho__perfetto_begin_event(trace, time_ns, PF_INSTANT, track);
		tacho__perfetto_name_event(trace, "lost", "not whole");
		tacho__perfetto_note_text(trace, "fault", text);
		if (fault->bytes)
			tacho__perfetto_note_unsigned(trace, "bytes", fault->bytes);
		if (fault->calls)
			tacho__perfetto_note_unsigned(trace, "calls", fault->calls);
		tacho__perfetto_end_event(trace);
		free(text);
	}
	if (!tacho__losses_any(losses))
		return 0;
	tacho__perfetto_begin_event(trace, time_ns, PF_INSTANT, track);
	tacho__perfetto_name_event(trace, "lost", "lost calls");
	note_losses(trace, losses);
	return 0;
}

/*
 * A run whose end is not known is a slice without an end; one whose start is not known is a mark,
 * as early as anything. Written when all events are.
 */
static int put_run(struct tacho__perfetto *trace, const struct tacho_run *run)
{
	struct tacho__proto *packets = &trace->packets;
	uint64_t uuid = ++trace->uuid;
	bool has_start = tacho__run_has_start(run);
	int rc;

	tacho__perfetto_begin(trace, 0);
	tacho__proto_begin(packets, PF_PACKET_TRACK_DESCRIPTOR);
	tacho__proto_add_unsigned(packets, PF_TRACK_UUID, uuid);
	tacho__proto_add_string(packets, PF_TRACK_NAME, "run");
	tacho__perfetto_end_event(trace);

	tacho__perfetto_begin_event(trace, has_start ? run->start_ns : get_some_time(trace),
				    has_start ? PF_SLICE_BEGIN : PF_INSTANT, uuid);
	tacho__perfetto_name_event(trace, "run",
				   *run->application ? get_file_name(run->application) : "run");
	tacho__perfetto_note_text(trace, "generator", run->generator);
	tacho__perfetto_note_text(trace, "application", run->application);
	tacho__perfetto_note_text(trace, "arguments", run->arguments);
	tacho__perfetto_note_text(trace, "working_directory", run->working_directory);
	tacho__perfetto_note_text(trace, "host", run->host);
	tacho__perfetto_note_text(trace, "os_name", run->os_name);
	tacho__perfetto_note_text(trace, "os_release", run->os_release);
	tacho__perfetto_note_text(trace, "via", run->via);
	if (run->exit_status >= 0)
		tacho__perfetto_note_signed(trace, "exit_status", run->exit_status);
	tacho__perfetto_note_text(trace, "why_empty", run->why_empty);
	tacho__perfetto_note_text(trace, "why_uncounted", run->why_uncounted);
	tacho__perfetto_note_text(trace, "import_note", run->import_note);
	if (run->is_unfinished)
		tacho__perfetto_note_bool(trace, "unfinished", true);
	if (run->max_bytes)
		tacho__perfetto_note_unsigned(trace, "max_bytes", run->max_bytes);
	if (run->ring_bytes)
		tacho__perfetto_note_unsigned(trace, "ring_bytes", run->ring_bytes);
	if (run->ring_calls)
		tacho__perfetto_note_unsigned(trace, "ring_calls", run->ring_calls);
	if (run->max_calls)
		tacho__perfetto_note_unsigned(trace, "max_calls", run->max_calls);
	if (run->max_launches)
		tacho__perfetto_note_unsigned(trace, "max_launches", run->max_launches);
	note_left_out(trace);
	note_counting(trace);
	tacho__perfetto_end_event(trace);
	rc = put_gaps(trace, has_start ? run->start_ns : get_some_time(trace), uuid);
	if (rc || !has_start || run->end_ns < run->start_ns)
		return rc;
	tacho__perfetto_begin_event(trace, run->end_ns, PF_SLICE_END, uuid);
	tacho__perfetto_end_event(trace);
	return 0;
}

/* ---- processes ---- */

static void describe_process(struct tacho__proto *packets, const struct tacho_process *process)
{
	tacho__proto_begin(packets, PF_TRACK_PROCESS);
	tacho__proto_add_signed(packets, PF_PROCESS_PID, (int32_t)process->pid);
	if (*process->command)
		tacho__proto_add_string(packets, PF_PROCESS_CMDLINE, process->command);
	if (*process->executable)
		tacho__proto_add_string(packets, PF_PROCESS_NAME,
					get_file_name(process->executable));
	tacho__proto_end(packets);
}

static void put_process(struct tacho__perfetto *trace, const struct tacho_process *process)
{
	struct tacho__proto *packets = &trace->packets;
	struct tacho__perfetto_process *own = &trace->processes[process->index];

	own->uuid = ++trace->uuid;
	own->last_ns = process->start_ns;
	tacho__perfetto_begin(trace, process->start_ns);
	tacho__proto_begin(packets, PF_PACKET_TRACK_DESCRIPTOR);
	tacho__proto_add_unsigned(packets, PF_TRACK_UUID, own->uuid);
	if (trace->is_import)
		tacho__proto_add_string(packets, PF_TRACK_NAME,
					*process->executable ? get_file_name(process->executable)
							     : "session files");
	else
		describe_process(packets, process);
	tacho__perfetto_end_event(trace);
}

static void begin_mark(struct tacho__perfetto *trace, const struct tacho_process *process,
		       uint64_t time_ns, const char *name)
{
	tacho__perfetto_begin_event(trace, time_ns ? time_ns : get_some_time(trace), PF_INSTANT,
				    trace->processes[process->index].uuid);
	tacho__perfetto_name_event(trace, "lost", name);
}

static void put_losses(struct tacho__perfetto *trace, const struct tacho_process *process)
{
	if (!tacho__losses_any(&process->losses))
		return;
	begin_mark(trace, process, trace->processes[process->index].last_ns, "lost calls");
	tacho__perfetto_note_text(trace, "when", "not known; shown at the end of the process");
	note_losses(trace, &process->losses);
}

static void put_uncounted(struct tacho__perfetto *trace, const struct tacho_process *process)
{
	if (!*process->uncounted)
		return;
	begin_mark(trace, process,
		   process->uncounted_ns ? process->uncounted_ns : process->start_ns,
		   "not counted from here on");
	tacho__perfetto_note_text(trace, "cause", process->uncounted);
	tacho__perfetto_note_text(trace, "cure", process->uncounted_cure);
	tacho__perfetto_end_event(trace);
}

static void put_undrawn(struct tacho__perfetto *trace, const struct tacho_process *process)
{
	const struct tacho__perfetto_process *own = &trace->processes[process->index];

	if (!own->undrawn)
		return;
	begin_mark(trace, process, own->last_ns, "commands that are not drawn");
	tacho__perfetto_note_text(trace, "cause", "neither their times nor their calls are known");
	tacho__perfetto_note_unsigned(trace, "count", own->undrawn);
	tacho__perfetto_end_event(trace);
}

/* ---- the format ---- */

static int put_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct tacho__perfetto *trace = user;
	int rc = tacho__perfetto_put_call(trace, call);

	return rc ? rc : ferror(trace->stream) ? TACHO_E_IO : 0;
}

static int write_trace(struct tacho__perfetto *trace)
{
	const struct tacho_run *run = tacho_recording_get_run(trace->recording);
	int rc = tacho__perfetto_tracks_init(trace);

	if (!rc)
		rc = tacho__perfetto_windows_init(trace);
	if (rc)
		return rc;
	trace->is_import = run->import_note != NULL;
	put_clocks(trace, run);
	put_system(trace, run);
	for (size_t i = 0; i < trace->process_count; i++)
		put_process(trace, tacho_recording_get_process(trace->recording, i));
	tacho_cursor_on_range(trace->cursor, tacho__perfetto_put_range, trace);
	tacho_cursor_on_window(trace->cursor, tacho__perfetto_put_window, trace);
	tacho_cursor_on_memory(trace->cursor, tacho__perfetto_put_memory, trace);
	rc = tacho__format_each_call(trace->cursor, put_call, trace);
	if (rc)
		return rc;
	tacho__perfetto_end_windows(trace);
	tacho__perfetto_tracks_complete(trace);
	rc = put_run(trace, run);
	if (rc)
		return rc;
	for (size_t i = 0; i < trace->process_count; i++) {
		put_uncounted(trace, tacho_recording_get_process(trace->recording, i));
		put_losses(trace, tacho_recording_get_process(trace->recording, i));
		put_undrawn(trace, tacho_recording_get_process(trace->recording, i));
	}
	tacho__perfetto_flush(trace);
	return trace->rc ? trace->rc : trace->packets.rc ? trace->packets.rc : trace->interned.rc;
}

static void finish(struct tacho__perfetto *trace)
{
	tacho__perfetto_tracks_finish(trace);
	tacho__perfetto_stages_finish(trace);
	for (int i = 0; i < TACHO__PERFETTO_TEXTS; i++)
		tacho__names_finish(&trace->texts[i]);
	tacho__proto_finish(&trace->packets);
	tacho__proto_finish(&trace->interned);
	tacho__buf_finish(&trace->scratch);
	tacho__arena_finish(&trace->arena);
	tacho_cursor_close(trace->cursor);
}

static int print_perfetto(struct tacho_recording *recording, FILE *stream)
{
	struct tacho__perfetto trace = {.recording = recording, .stream = stream};
	int rc = tacho_cursor_open(recording, &trace.cursor);

	if (!rc)
		rc = write_trace(&trace);
	finish(&trace);
	return rc;
}

/* ---- how much it will be ---- */

enum {
	RUN_BYTES = 500,
	PROCESS_BYTES = 150,
	CALL_BYTES = 70,
	COMMAND_BYTES = 130,
	STAGE_BYTES = 80
};
/* A sample is 25 bytes, and each value has two; with its annotation. */
enum { VALUE_BYTES = 65 };

static int estimate_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct tacho__estimate *estimate = user;
	const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);

	estimate->bytes += CALL_BYTES + tacho__sampler_add(&estimate->arguments, cursor);
	if (call->command)
		estimate->bytes += COMMAND_BYTES + (call->is_bare ? STAGE_BYTES : 0);
	if (row)
		estimate->bytes += VALUE_BYTES * tacho_result_get_column_count(row->result);
	return 0;
}

static int estimate_perfetto(struct tacho_recording *recording, uint64_t *out_bytes)
{
	return tacho__estimate(recording, RUN_BYTES, PROCESS_BYTES, estimate_call, out_bytes);
}

const struct tacho__format tacho__format_perfetto = {
	.format = {.name = "perfetto",
		   .summary = "a trace for ui.perfetto.dev (docs/perfetto.md)",
		   .suffixes = ".pftrace",
		   .is_stream = 1},
	.print = print_perfetto,
	.estimate = estimate_perfetto,
};
