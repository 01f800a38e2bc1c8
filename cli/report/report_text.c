/* SPDX-License-Identifier: MIT */
/* The report for people, from top to bottom. */
#include "report/report.h"

#include <inttypes.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tacho/exporter.h>

#include "cli.h"
#include "gaps.h"
#include "name.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "units.h"

enum { LABEL = 13 };

struct page {
	const struct cli_report *report;
	FILE *stream;
	unsigned width;
};

/* Cut to the width: for what is long and known anyway. */
static void put_short(const struct page *page, const char *label, const char *text)
{
	char *clean = cli_text_shorten(text, page->width - LABEL);

	fprintf(page->stream, "%-*s%s\n", LABEL, label, clean);
	free(clean);
}

static void __attribute__((format(printf, 3, 4)))
put_line(const struct page *page, const char *label, const char *format, ...)
{
	char *text;
	va_list list;

	va_start(list, format);
	text = cli_format_list(format, list);
	va_end(list);
	fprintf(page->stream, "%-*s", LABEL, label);
	cli_text_wrap(page->stream, text, LABEL, LABEL, page->width);
	free(text);
}

/* "a.atp, a.csv" of "a" and ".atp .csv". Owned. */
static char *join_names(const char *base, const char *suffixes)
{
	char *copy = cli_format("%s", suffixes), *rest = copy, *suffix;
	char *names = cli_format("%s", "");

	while ((suffix = strsep(&rest, " ")))
		cli_append(&names, ", ", "%s%s", base, suffix);
	free(copy);
	return names;
}

/* Tables have this suffix, whoever wrote them. */
static bool is_table(const char *path)
{
	size_t length = strlen(path);

	return length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

/* The files of other formats that lie beside the recording, which may be a table itself. */
static void put_files(const struct page *page, const char *path)
{
	char *base = cli_name_get_base(path);
	const struct tacho_format *format;

	for (size_t i = 0; (format = tacho_format_get(i)); i++) {
		char *found = cli_name_find_export(base, format->name), *names;

		if (found ? is_table(path) && strcmp(found, path) == 0 : !errno) {
			free(found);
			continue;
		}
		names = found ? join_names(base, format->suffixes)
			      : cli_format("- (cannot be looked for: %s)", strerror(errno));
		put_line(page, format->name, "%s", names);
		free(names);
		free(found);
	}
	free(base);
}

static void put_status(const struct page *page, const struct tacho_run *run)
{
	int status = run->exit_status;

	if (run->import_note)
		return; /* session files tell neither this nor when the run ended */
	if (status < 0)
		put_line(page, "exit status",
			 "- (not known: the program runs, or tacho was killed)");
	else if (status > 128 && status <= 128 + SIGRTMAX)
		put_line(page, "exit status", "%d (signal %d, %s)", status, status - 128,
			 strsignal(status - 128));
	else
		put_line(page, "exit status", "%d", status);
}

/* "cpu governor powersave, card0 clock 300 MHz to 1500 MHz"; nothing when nothing is known. */
static void put_machine(const struct page *page)
{
	const struct tacho_machine_fact *fact;
	char *text = NULL;

	for (size_t i = 0; (fact = tacho_recording_get_machine_fact(page->report->recording, i));
	     i++) {
		const char *first = *fact->start ? fact->start : fact->end;
		bool changed = *fact->end && strcmp(first, fact->end) != 0;

		text = text ? text : cli_format("%s", "");
		cli_append(&text, ", ", "%s %s%s%s", fact->name, first, changed ? " to " : "",
			   changed ? fact->end : "");
	}
	if (text)
		put_line(page, "machine", "%s", text);
	free(text);
}

static void put_program(const struct page *page, const struct tacho_run *run)
{
	char *text =
		cli_format("%s%s%s", run->application, *run->arguments ? " " : "", run->arguments);
	int64_t start_ns = (int64_t)run->start_ns + run->realtime_offset_ns;
	const time_t year_s = 365 * 86400; /* a clock that is nearer to 1970 shows no time of day */
	time_t start = (time_t)(start_ns / 1000000000);
	struct tm local;
	char date[64];

	put_short(page, "program", *text ? text : "- (the file does not tell)");
	free(text);
	if (run->import_note && *run->generator)
		put_short(page, "recorded by", run->generator);
	if (run->realtime_offset_ns && start > year_s && localtime_r(&start, &local) &&
	    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &local))
		put_line(page, "started", "%s%s%s", date, *run->host ? " on " : "", run->host);
	put_status(page, run);
	put_machine(page);
}

static void put_busy(const struct page *page, const struct tacho_summary_totals *totals)
{
	struct cli_use use = cli_report_get_use(page->report->summary);
	const char *least = use.unknown_ns ? "at least " : "";
	struct cli_number busy, share;

	if (use.state == TACHO_STATE_ABSENT) {
		put_line(page, "device busy", "%s",
			 use.devices	    ? "- (see devices)"
			 : totals->commands ? "- (it is not known which device got work)"
					    : "- (no work of a device is recorded)");
		return;
	}
	cli_units_time(&busy, use.busy_ns, 4);
	cli_units_share(&share, use.busy_ns, totals->has_wall ? totals->wall_ns : 0);
	if (use.devices > 1)
		put_line(page, "device busy", "%s%s, summed over %zu devices", least, busy.text,
			 use.devices);
	else if (totals->has_wall)
		put_line(page, "device busy", "%s%s, %s of wall time", least, busy.text,
			 share.text);
	else
		put_line(page, "device busy", "%s%s", least, busy.text);
}

static void put_wall(const struct page *page, const struct tacho_summary_totals *totals)
{
	struct cli_number time;

	put_line(page, "wall time", "%s",
		 totals->has_wall ? cli_units_time(&time, totals->wall_ns, 4)
				  : "- (the end of the run was not recorded)");
}

/* What recording took of the program's threads; session files do not tell. */
static void put_cost(const struct page *page, const struct tacho_summary_totals *totals)
{
	const struct tacho_run *run = tacho_recording_get_run(page->report->recording);
	uint64_t wall_ns = totals->has_wall ? totals->wall_ns : 0;
	struct cli_number times[2], each[2], share, keeper, bytes;
	struct tacho_extent extent;
	char *text;

	if (run->import_note)
		return;
	tacho_recording_get_extent(page->report->recording, &extent);
	if (totals->cost_calls)
		text = cli_format(
			"%s to %s in the program's threads, at most %s of wall time, %s to %s a "
			"call",
			cli_units_time(&times[0], totals->cost_ns, 3),
			cli_units_time(&times[1], totals->cost_most_ns, 3),
			cli_units_share(&share, totals->cost_most_ns, wall_ns),
			cli_units_time(&each[0], totals->cost_ns / totals->calls, 3),
			cli_units_time(&each[1], totals->cost_most_ns / totals->calls, 3));
	else
		text = cli_format("- (no call was timed)");
	if (run->keeper_ns)
		cli_append(&text, "; ", "%s beside it", cli_units_time(&keeper, run->keeper_ns, 3));
	cli_append(&text, "; ", "%s", cli_units_bytes(&bytes, extent.bytes));
	put_line(page, "cost", "%s", text);
	free(text);
}

static const char *get_ending(uint64_t count, const char *ending)
{
	return count == 1 ? "" : ending;
}

/* How the launches were made: some by command buffers that were recorded before. */
static char *format_buffers(const struct tacho_summary_totals *totals)
{
	struct cli_number inside, templates;
	const char *buffers = cli_units_count(&templates, totals->templates);
	const char *ending = get_ending(totals->templates, "s");

	if (!totals->templates)
		return cli_format("%s", "");
	if (!totals->template_launches)
		return cli_format(", %s command buffer%s", buffers, ending);
	return cli_format(", %s of them in %s command buffer%s",
			  cli_units_count(&inside, totals->template_launches), buffers, ending);
}

/* "100 kernel launches, 90 of them in 18 command buffers, 2 transfers". */
static void put_work(const struct page *page, const struct tacho_summary_totals *totals)
{
	struct cli_number launches, transfers;
	char *buffers = format_buffers(totals);

	put_line(page, "work", "%s kernel launch%s%s, %s transfer%s",
		 cli_units_count(&launches, totals->launches), get_ending(totals->launches, "es"),
		 buffers, cli_units_count(&transfers, totals->transfers),
		 get_ending(totals->transfers, "s"));
	free(buffers);
}

/* No call in the recording is no program without calls. */
static void put_calls(const struct page *page, const struct tacho_summary_totals *totals)
{
	struct cli_number time, calls, failed, threads, processes;

	if (!totals->calls) {
		put_line(page, "API calls", "- (no call is recorded)");
		return;
	}
	put_line(page, "API time", "%s, summed over threads",
		 cli_units_time(&time, totals->api_ns, 4));
	put_line(page, "API calls", "%s by %s thread%s of %s process%s",
		 cli_units_count(&calls, totals->calls), cli_units_count(&threads, totals->threads),
		 get_ending(totals->threads, "s"), cli_units_count(&processes, totals->processes),
		 get_ending(totals->processes, "es"));
	if (totals->failed_calls)
		put_line(page, "failed calls", "%s",
			 cli_units_count(&failed, totals->failed_calls));
}

static void put_totals(const struct page *page, const struct tacho_summary_totals *totals)
{
	char *frames = cli_report_format_frames(page->report->summary);

	put_busy(page, totals);
	put_calls(page, totals);
	put_work(page, totals);
	if (frames)
		put_line(page, "frames", "%s", frames);
	free(frames);
	put_cost(page, totals);
}

/* What a person should know about the numbers of a device. Owned; NULL: nothing. */
static char *format_remark(const struct tacho_summary_device *device, const char *name)
{
	uint64_t missing = device->commands - device->measured;
	const char *reason = device->reason ? device->reason : "";
	struct cli_number numbers[3];

	if (missing && device->unknown_ns)
		return cli_format("%s: %s of %s commands have no times, so for %s it is not known "
				  "whether it was busy: %s",
				  name, cli_units_count(&numbers[0], missing),
				  cli_units_count(&numbers[1], device->commands),
				  cli_units_time(&numbers[2], device->unknown_ns, 3), reason);
	if (missing)
		return cli_format("%s: %s of %s commands have no times: %s", name,
				  cli_units_count(&numbers[0], missing),
				  cli_units_count(&numbers[1], device->commands), reason);
	if (*reason)
		return cli_format("%s: %s", name, reason);
	if (device->clock && *device->clock)
		return cli_format("%s: its times are placed on the host's clock within %s (%s)",
				  name, cli_units_time(&numbers[0], device->uncertainty_ns, 3),
				  device->clock);
	return NULL;
}

static void put_device_remarks(const struct page *page)
{
	const struct tacho_summary_device *device;

	for (size_t i = 0; (device = tacho_summary_get_device(page->report->summary, i)); i++) {
		const char *name = device->device && *device->device->name ? device->device->name
									   : "unknown device";
		char *text = format_remark(device, name);

		if (text)
			cli_text_print(page->stream, 2, 4, page->width, "%s", text);
		free(text);
	}
}

static void add_device(struct cli_table *table, const struct tacho_summary_device *device,
		       bool has_unknown)
{
	struct cli_number commands, busy, idle, unknown, share;
	bool known = device->state != TACHO_STATE_ABSENT;
	const char *use = "-", *cells[6];
	size_t count = 0;

	if (known && !device->unknown_ns)
		use = cli_units_share(&share, device->busy_ns, device->busy_ns + device->idle_ns);
	cells[count++] =
		device->device && *device->device->name ? device->device->name : "unknown device";
	cells[count++] = cli_units_count(&commands, device->commands);
	cells[count++] = known ? cli_units_time(&busy, device->busy_ns, 3) : "-";
	cells[count++] = known ? cli_units_time(&idle, device->idle_ns, 3) : "-";
	if (has_unknown)
		cells[count++] = known ? cli_units_time(&unknown, device->unknown_ns, 3) : "-";
	cells[count++] = use;
	cli_table_add(table, cells);
}

static void put_devices(const struct page *page)
{
	const struct tacho_summary *summary = page->report->summary;
	bool has_unknown = cli_report_get_use(summary).unknown_ns != 0;
	struct cli_column columns[6] = {
		{"device", false}, {"commands", true}, {"busy", true}, {"idle", true}};
	const struct tacho_summary_device *device;
	struct cli_table table;
	size_t count = 4;

	if (has_unknown)
		columns[count++] = (struct cli_column){"not known", true};
	columns[count++] = (struct cli_column){"use", true};
	cli_table_init(&table, columns, count);
	for (size_t i = 0; (device = tacho_summary_get_device(summary, i)); i++)
		add_device(&table, device, has_unknown);
	if (table.row_count) {
		cli_put_heading(page->stream, "Devices, between first and last command");
		cli_table_print(&table, page->stream, page->width);
		put_device_remarks(page);
	}
	cli_table_finish(&table);
}

/* Which recording it is, and what is wrong with it. */
static void put_recording(const struct page *page)
{
	const struct tacho_recording *recording = page->report->recording;
	bool is_unfinished = tacho_recording_get_run(recording)->is_unfinished;
	char *cause = cli_gaps_format(recording);

	put_line(page, "recording", "%s", tacho_recording_get_path(recording));
	if (cause)
		put_line(page, "NOT WHOLE", "%s", cause);
	free(cause);
	if (is_unfinished)
		put_line(page, "unfinished",
			 "it is still written, or it was cut off; more calls may follow");
}

/* What dominates stands first, but of a recording that is not whole that it is not. */
static void put_beginning(const struct page *page)
{
	const struct tacho_recording *recording = page->report->recording;
	char *cause = cli_gaps_format(recording);
	bool is_bad = cause || tacho_recording_get_run(recording)->is_unfinished;
	bool has_spent = !page->report->findings_only && !page->report->per_instance &&
			 tacho_summary_get_breakdown(page->report->summary);

	free(cause);
	if (is_bad && has_spent) {
		put_recording(page);
		fputc('\n', page->stream);
	}
	if (has_spent)
		cli_report_print_spent(page->report, page->stream, page->width);
	if (!is_bad || !has_spent)
		put_recording(page);
}

static void put_losses(const struct page *page)
{
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(page->report->summary);
	struct tacho_loss loss;
	bool any = false;

	cli_put_heading(page->stream, "Lost");
	for (size_t i = 0; tacho_summary_totals_get_loss(totals, i, &loss); i++) {
		struct cli_number count;

		if (!loss.count)
			continue;
		any = true;
		cli_text_print(page->stream, 2, 4, page->width, "%s %s",
			       cli_units_count(&count, loss.count), loss.text);
	}
	if (totals->losses.io_error) {
		any = true;
		cli_text_print(page->stream, 2, 4, page->width, "writing failed with: %s",
			       strerror(totals->losses.io_error));
	}
	any |= cli_gaps_print_faults(page->report->recording, page->stream, page->width);
	if (!any)
		fputs("  nothing\n", page->stream);
}

/* Why there is no call stands further up already. */
static void put_notes(const struct page *page, const char *why_empty)
{
	const char *note;
	bool any = false;

	for (size_t i = 0; (note = tacho_summary_get_note(page->report->summary, i)); i++) {
		if (strcmp(note, why_empty) == 0)
			continue;
		fputs(any ? "" : "\nNotes\n", page->stream);
		any = true;
		cli_text_print(page->stream, 2, 4, page->width, "%s", note);
	}
}

void cli_report_print(const struct cli_report *report, FILE *stream, unsigned width)
{
	const struct tacho_run *run = tacho_recording_get_run(report->recording);
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(report->summary);
	const char *path = tacho_recording_get_path(report->recording);
	const struct page page = {report, stream, width};

	put_beginning(&page);
	if (report->findings_only) {
		cli_report_print_findings(report, stream, width);
		return;
	}
	if (report->per_instance) {
		put_program(&page, run);
		cli_report_print_instances(report, stream, width);
		put_losses(&page);
		put_notes(&page, "");
		return;
	}
	put_files(&page, path);
	put_program(&page, run);
	if (!run->import_note)
		put_wall(&page, totals);
	if (totals->calls || totals->commands) {
		put_totals(&page, totals);
		if (!report->key_only) {
			put_devices(&page);
			cli_report_print_memory(report, stream, width);
		}
		if (!report->key_only && cli_report_is_of_api(report->summary))
			cli_report_print_api(report, stream, width);
		if (report->key == TACHO_BY_FRAME)
			cli_report_print_frames(report, stream, width);
		else
			cli_report_print_lines(report, stream, width);
		if (!report->key_only)
			cli_report_print_transfers(report, stream, width);
		if (!report->key_only)
			cli_report_print_ranges(report, stream, width);
		if (!report->key_only || report->key == TACHO_BY_KERNEL ||
		    report->key == TACHO_BY_RANGE || report->key == TACHO_BY_PASS ||
		    report->key == TACHO_BY_TRANSFER || report->key == TACHO_BY_COMMAND)
			cli_report_print_values(report, stream, width);
	} else {
		put_line(&page, "no calls", "%s",
			 *run->why_empty ? run->why_empty
			 : tacho_recording_get_fault(report->recording, 0)
				 ? "none can be read: the recording is not whole"
				 : "no API call was recorded, and the reason is not known");
		if (!report->key_only || report->key == TACHO_BY_RANGE)
			cli_report_print_ranges(report, stream, width);
	}
	if (!report->key_only)
		cli_report_print_windows(report, stream, width);
	put_losses(&page);
	cli_gaps_print_left_out(report->recording, stream, width);
	put_notes(&page, totals->calls || totals->commands ? "" : run->why_empty);
	cli_report_print_findings(report, stream, width);
}
