/* SPDX-License-Identifier: MIT */
/* The report for programs: base units; what is not known is null and has a state. */
#include "report/report.h"

#include <string.h>

#include <tacho/sys/json.h>
#include <tacho/sys/report.h>

#include "report/findings.h"
#include "gaps.h"
#include "options/options.h"

void cli_report_add_run(struct tacho_json *json, const struct tacho_run *run)
{
	tacho_json_begin_object(json, "run");
	tacho_json_add_string(json, "generator", run->generator);
	tacho_json_add_string(json, "application", run->application);
	tacho_json_add_string(json, "arguments", run->arguments);
	tacho_json_add_string(json, "working_directory", run->working_directory);
	tacho_json_add_string(json, "host", run->host);
	tacho_json_add_string(json, "os_name", run->os_name);
	tacho_json_add_string(json, "os_release", run->os_release);
	tacho_json_add_string(json, "via", run->via);
	tacho_json_add_known(json, "start_ns", !run->import_note, run->start_ns);
	tacho_json_add_known(json, "end_ns", run->end_ns != 0, run->end_ns);
	if (run->import_note && !run->realtime_offset_ns)
		tacho_json_add_null(json, "realtime_offset_ns");
	else
		tacho_json_add_integer(json, "realtime_offset_ns", run->realtime_offset_ns);
	tacho_json_add_known(json, "exit_status", run->exit_status >= 0,
			     (uint64_t)run->exit_status);
	tacho_json_add_string(json, "why_empty", run->why_empty);
	tacho_json_add_string(json, "why_uncounted", run->why_uncounted);
	tacho_json_add_bool(json, "unfinished", run->is_unfinished != 0);
	tacho_json_end(json);
}

static void add_totals(struct tacho_json *json, const struct tacho_summary *summary)
{
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(summary);
	struct cli_use use = cli_report_get_use(summary);
	bool known = use.state != TACHO_STATE_ABSENT;

	tacho_json_begin_object(json, "totals");
	tacho_json_add_known(json, "wall_ns", totals->has_wall, totals->wall_ns);
	tacho_json_add_known(json, "device_busy_ns", known, use.busy_ns);
	tacho_json_add_known(json, "device_idle_ns", known, use.idle_ns);
	tacho_json_add_known(json, "device_unknown_ns", known, use.unknown_ns);
	tacho_json_add_string(json, "device_state", tacho_state_to_string(use.state));
	tacho_json_add_known(json, "api_ns", totals->calls != 0, totals->api_ns);
	tacho_json_add_unsigned(json, "calls", totals->calls);
	tacho_json_add_unsigned(json, "failed_calls", totals->failed_calls);
	tacho_json_add_unsigned(json, "commands", totals->commands);
	tacho_json_add_unsigned(json, "launches", totals->launches);
	tacho_json_add_unsigned(json, "command_buffers", totals->templates);
	tacho_json_add_unsigned(json, "command_buffer_launches", totals->template_launches);
	tacho_json_add_unsigned(json, "transfers", totals->transfers);
	tacho_json_add_unsigned(json, "processes", totals->processes);
	tacho_json_add_unsigned(json, "threads", totals->threads);
	tacho_json_end(json);
}

/* What the recording took: docs/recording.md says how that is known. */
static void add_cost(struct tacho_json *json, const struct cli_report *report)
{
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(report->summary);
	const struct tacho_run *run = tacho_recording_get_run(report->recording);
	struct tacho_extent extent;

	tacho_recording_get_extent(report->recording, &extent);
	tacho_json_begin_object(json, "cost");
	tacho_json_add_known(json, "program_ns", totals->cost_calls, totals->cost_ns);
	tacho_json_add_known(json, "program_most_ns", totals->cost_calls, totals->cost_most_ns);
	tacho_json_add_unsigned(json, "timed_calls", totals->cost_calls);
	tacho_json_add_known(json, "keeper_ns", run->keeper_ns, run->keeper_ns);
	tacho_json_add_unsigned(json, "bytes", extent.bytes);
	tacho_json_add_unsigned(json, "files", extent.files);
	tacho_json_end(json);
}

static void add_machine(struct tacho_json *json, const struct tacho_recording *recording)
{
	const struct tacho_machine_fact *fact;

	tacho_json_begin_array(json, "machine");
	for (size_t i = 0; (fact = tacho_recording_get_machine_fact(recording, i)); i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", fact->name);
		tacho_json_add_text(json, "start", fact->start);
		tacho_json_add_text(json, "end", fact->end);
		tacho_json_add_bool(json, "setting", fact->is_setting != 0);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

/* Of each thread what it had taken by its last reading. */
static void add_thread_times(struct tacho_json *json, const struct tacho_recording *recording)
{
	const struct tacho_thread_time *time, *next;

	tacho_json_begin_array(json, "thread_times");
	for (size_t i = 0; (time = tacho_recording_get_thread_time(recording, i)); i++) {
		next = tacho_recording_get_thread_time(recording, i + 1);
		if (next && next->process == time->process && next->thread == time->thread)
			continue;
		tacho_json_begin_object(json, NULL);
		tacho_json_add_unsigned(json, "pid", time->process->pid);
		tacho_json_add_unsigned(json, "thread", time->thread);
		tacho_json_add_unsigned(json, "at_ns", time->at_ns);
		tacho_json_add_unsigned(json, "run_ns", time->run_ns);
		tacho_json_add_unsigned(json, "waited_ns", time->waited_ns);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void add_lost(struct tacho_json *json, const struct tacho_summary_totals *totals)
{
	struct tacho_loss loss;

	tacho_json_begin_object(json, "lost");
	for (size_t i = 0; tacho_summary_totals_get_loss(totals, i, &loss); i++)
		tacho_json_add_unsigned(json, loss.name, loss.count);
	tacho_json_add_string(json, "growth_error",
			      totals->losses.io_error ? strerror(totals->losses.io_error) : "");
	tacho_json_add_unsigned(json, "waits", totals->losses.waits);
	tacho_json_end(json);
}

static void add_devices(struct tacho_json *json, const struct tacho_summary *summary)
{
	const struct tacho_summary_device *device;

	tacho_json_begin_array(json, "devices");
	for (size_t i = 0; (device = tacho_summary_get_device(summary, i)); i++) {
		bool known = device->state != TACHO_STATE_ABSENT;

		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", device->device ? device->device->name : NULL);
		tacho_json_add_unsigned(json, "commands", device->commands);
		tacho_json_add_unsigned(json, "measured", device->measured);
		tacho_json_add_known(json, "busy_ns", known, device->busy_ns);
		tacho_json_add_known(json, "idle_ns", known, device->idle_ns);
		tacho_json_add_known(json, "unknown_ns", known, device->unknown_ns);
		tacho_json_add_string(json, "state", tacho_state_to_string(device->state));
		tacho_json_add_string(json, "reason", device->reason);
		tacho_json_add_string(json, "clock", device->clock);
		tacho_json_add_known(json, "clock_uncertainty_ns", known, device->uncertainty_ns);
		cli_report_add_memory(json, device->device);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static bool has_commands(const struct tacho_summary *summary, const struct tacho_object *object)
{
	const struct tacho_summary_device *device;

	for (size_t i = 0; (device = tacho_summary_get_device(summary, i)); i++)
		if (device->device == object)
			return true;
	return false;
}

/* Memory of theirs was taken, and nothing given to them. */
static void add_idle_devices(struct tacho_json *json, const struct tacho_summary *summary)
{
	const struct tacho_object *device;

	tacho_json_begin_array(json, "devices_without_commands");
	for (size_t i = 0; (device = tacho_report_get_memory_device(summary, i)); i++) {
		if (has_commands(summary, device))
			continue;
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", device->name);
		tacho_json_add_unsigned(json, "pid", device->process->pid);
		cli_report_add_memory(json, device);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

/* The kernels of a template: how often each ran. When it did is known of all together only. */
static void add_parts(struct tacho_json *json, const struct cli_report *report,
		      enum tacho_summary_key key, size_t index)
{
	const struct tacho_summary_part *part =
		tacho_summary_get_part(report->summary, key, index, 0);

	if (tacho_summary_get_line(report->summary, key, index)->is_template)
		tacho_json_add_bool(json, "command_buffer", true);
	if (!part)
		return;
	tacho_json_begin_array(json, "kernels");
	for (size_t i = 1; part; i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", part->name);
		tacho_json_add_unsigned(json, "count", part->count);
		tacho_json_add_null(json, "total_ns");
		tacho_json_add_string(json, "reason", CLI_PART_REASON);
		tacho_json_end(json);
		part = tacho_summary_get_part(report->summary, key, index, i);
	}
	tacho_json_end(json);
}

/* What is known of a range besides its host times. */
static void add_range(struct tacho_json *json, const struct tacho_summary_line *line)
{
	static const char *const kinds[] = {
		[TACHO_RANGE_NESTED] = "nested", [TACHO_RANGE_PROCESS] = "process",
		[TACHO_RANGE_MARK] = "mark",	 [TACHO_RANGE_FRAME] = "frame",
		[TACHO_RANGE_LABEL] = "label",	 [TACHO_RANGE_PASS] = "pass",
	};

	tacho_json_add_string(json, "kind", line->range_kind ? kinds[line->range_kind] : NULL);
	tacho_json_add_string(json, "domain", line->domain);
	tacho_json_add_bool(json, "outside", line->is_outside != 0);
	tacho_json_add_known(json, "own_ns", line->measured != 0, line->own_ns);
	tacho_json_add_unsigned(json, "launches", line->launches);
	tacho_json_add_unsigned(json, "commands", line->commands);
	tacho_json_add_unsigned(json, "device_measured", line->device_measured);
	tacho_json_add_known(json, "device_ns", line->device_measured || !line->commands,
			     line->device_ns);
}

static void add_line(struct tacho_json *json, const struct cli_report *report,
		     enum tacho_summary_key key, size_t index)
{
	const struct tacho_summary_line *line = tacho_summary_get_line(report->summary, key, index);
	bool known = line->measured != 0;

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", line->name);
	if (*line->device)
		tacho_json_add_string(json, "device", line->device);
	if (key == TACHO_BY_THREAD || key == TACHO_BY_PROCESS)
		tacho_json_add_unsigned(json, "pid", line->pid);
	if (key == TACHO_BY_THREAD)
		tacho_json_add_unsigned(json, "thread", line->thread);
	tacho_json_add_unsigned(json, "count", line->count);
	tacho_json_add_unsigned(json, "measured", line->measured);
	if (key == TACHO_BY_API || key == TACHO_BY_THREAD || key == TACHO_BY_PROCESS)
		tacho_json_add_unsigned(json, "failed", line->failed);
	if (key == TACHO_BY_QUEUE || key == TACHO_BY_THREAD || key == TACHO_BY_PROCESS)
		tacho_json_add_unsigned(json, "launches", line->launches);
	tacho_json_add_known(json, "total_ns", known, line->total_ns);
	tacho_json_add_known(json, "min_ns", known, line->min_ns);
	tacho_json_add_known(json, "max_ns", known, line->max_ns);
	if (key == TACHO_BY_KERNEL)
		tacho_json_add_known(json, "first_ns", line->has_first != 0, line->first_ns);
	if (key == TACHO_BY_RANGE || key == TACHO_BY_PASS)
		add_range(json, line);
	if (key == TACHO_BY_TRANSFER || key == TACHO_BY_RANGE || key == TACHO_BY_COMMAND)
		tacho_json_add_unsigned(json, "bytes", line->bytes);
	if (key == TACHO_BY_TRANSFER)
		tacho_json_add_string(json, "why_no_rate", line->why_no_rate);
	tacho_json_add_string(json, "state", tacho_state_to_string(line->state));
	tacho_json_add_string(json, "reason", line->reason);
	add_parts(json, report, key, index);
	cli_report_add_values(json, report, key, index);
	tacho_json_end(json);
}

static void add_lines(struct tacho_json *json, const char *name, const struct cli_report *report,
		      enum tacho_summary_key key)
{
	size_t count = tacho_summary_get_line_count(report->summary, key);

	tacho_json_begin_array(json, name);
	for (size_t i = 0, shown = 0; i < count && (!report->top || shown < report->top); i++) {
		if (!cli_report_shows(report, key, i))
			continue;
		add_line(json, report, key, i);
		shown++;
	}
	tacho_json_end(json);
}

void cli_report_add_notes(struct tacho_json *json, const struct tacho_summary *summary)
{
	const char *note;

	tacho_json_begin_array(json, "notes");
	for (size_t i = 0; (note = tacho_summary_get_note(summary, i)); i++)
		tacho_json_add_string(json, NULL, note);
	tacho_json_end(json);
}

void cli_report_print_json(const struct cli_report *report, FILE *stream)
{
	struct tacho_json json;

	cli_json_begin(&json, stream, "tacho.report/1");
	tacho_json_add_string(&json, "recording", tacho_recording_get_path(report->recording));
	cli_report_add_run(&json, tacho_recording_get_run(report->recording));
	cli_report_add_spent(&json, report->summary);
	add_totals(&json, report->summary);
	add_cost(&json, report);
	add_machine(&json, report->recording);
	add_thread_times(&json, report->recording);
	add_lost(&json, tacho_summary_get_totals(report->summary));
	cli_gaps_add(&json, report->recording);
	add_devices(&json, report->summary);
	add_idle_devices(&json, report->summary);
	cli_report_add_counting(&json, report);
	tacho_json_add_string(&json, "by", cli_words_get(CLI_WORDS_KEY, report->key));
	add_lines(&json, "lines", report, report->key);
	add_lines(&json, "transfers", report, TACHO_BY_TRANSFER);
	add_lines(&json, "ranges", report, TACHO_BY_RANGE);
	cli_report_add_frames(&json, report);
	cli_report_add_windows(&json, report);
	cli_report_add_instances(&json, report);
	cli_report_add_notes(&json, report->summary);
	cli_findings_add(&json, report->findings);
	tacho_json_finish(&json);
}
