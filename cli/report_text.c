/* SPDX-License-Identifier: MIT */
/* The report for people, from top to bottom. */
#include "report.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tacho/exporter.h>

#include "cli.h"
#include "name.h"
#include "table.h"
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

static void put_line(const struct page *page, const char *label, const char *text)
{
	fprintf(page->stream, "%-*s", LABEL, label);
	cli_text_wrap(page->stream, text, LABEL, LABEL, page->width);
}

/* "a.atp, a.csv" of "a" and ".atp .csv". Owned. */
static char *join_names(const char *base, const char *suffixes)
{
	char *copy = cli_format("%s", suffixes), *rest = copy, *suffix;
	char *names = cli_format("%s", "");

	while ((suffix = strsep(&rest, " "))) {
		char *longer = cli_format("%s%s%s%s", names, *names ? ", " : "", base, suffix);

		free(names);
		names = longer;
	}
	free(copy);
	return names;
}

/* The files of other formats that lie beside the recording. */
static void put_files(const struct page *page, const char *path)
{
	char *base = cli_name_get_base(path);
	const struct tacho_format *format;

	for (size_t i = 0; (format = tacho_format_get(i)); i++) {
		char *found = cli_name_find_export(base, format->name), *names;

		if (!found)
			continue;
		names = join_names(base, format->suffixes);
		put_line(page, format->name, names);
		free(names);
		free(found);
	}
	free(base);
}

static void put_status(const struct page *page, const struct tacho_run *run)
{
	int status = run->exit_status;
	char *text;

	if (run->import_note)
		return; /* session files tell neither this nor when the run ended */
	if (status < 0)
		text = cli_format("- (not known: the program runs, or tacho was killed)");
	else if (status > 128 && status <= 128 + SIGRTMAX)
		text = cli_format("%d (signal %d, %s)", status, status - 128,
				  strsignal(status - 128));
	else
		text = cli_format("%d", status);
	put_line(page, "exit status", text);
	free(text);
}

static void put_program(const struct page *page, const struct tacho_run *run)
{
	char *text =
		cli_format("%s%s%s", run->application, *run->arguments ? " " : "", run->arguments);
	int64_t start_ns = (int64_t)run->start_ns + run->realtime_offset_ns;
	time_t start = (time_t)(start_ns / 1000000000);
	struct tm local;
	char date[64];

	put_short(page, "program", text);
	free(text);
	if (run->start_ns && localtime_r(&start, &local) &&
	    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &local)) {
		text = cli_format("%s%s%s", date, *run->host ? " on " : "", run->host);
		put_line(page, "started", text);
		free(text);
	}
	put_status(page, run);
}

static void put_busy(const struct page *page, const struct tacho_summary_totals *totals)
{
	struct cli_use use = cli_report_get_use(page->report->summary);
	struct cli_number busy, share;
	char *text;

	if (use.state == TACHO_STATE_ABSENT) {
		put_line(page, "device busy",
			 use.devices	    ? "- (see devices)"
			 : totals->commands ? "- (it is not known which device got work)"
					    : "- (no device got work)");
		return;
	}
	cli_units_time(&busy, use.busy_ns, 4);
	cli_units_share(&share, use.busy_ns, totals->has_wall ? totals->wall_ns : 0);
	if (use.devices > 1)
		text = cli_format("%s, summed over %zu devices", busy.text, use.devices);
	else if (totals->has_wall)
		text = cli_format("%s, %s of wall time", busy.text, share.text);
	else
		text = cli_format("%s", busy.text);
	put_line(page, "device busy", text);
	free(text);
}

static void put_wall(const struct page *page, const struct tacho_summary_totals *totals)
{
	struct cli_number time;

	put_line(page, "wall time",
		 totals->has_wall ? cli_units_time(&time, totals->wall_ns, 4)
				  : "- (the end of the run was not recorded)");
}

static void put_totals(const struct page *page, const struct tacho_summary_totals *totals)
{
	struct cli_number time, calls, failed, launches, transfers, threads, processes;
	char *text;

	put_busy(page, totals);
	text = cli_format("%s, summed over threads", cli_units_time(&time, totals->api_ns, 4));
	put_line(page, "API time", text);
	free(text);
	cli_units_count(&calls, totals->calls);
	cli_units_count(&failed, totals->failed_calls);
	text = cli_format(
		"%s by %s thread%s of %s process%s", calls.text,
		cli_units_count(&threads, totals->threads), totals->threads == 1 ? "" : "s",
		cli_units_count(&processes, totals->processes), totals->processes == 1 ? "" : "es");
	put_line(page, "API calls", text);
	free(text);
	if (totals->failed_calls)
		put_line(page, "failed calls", failed.text);
	text = cli_format(
		"%s kernel launch%s, %s transfer%s", cli_units_count(&launches, totals->launches),
		totals->launches == 1 ? "" : "es", cli_units_count(&transfers, totals->transfers),
		totals->transfers == 1 ? "" : "s");
	put_line(page, "work", text);
	free(text);
}

static void put_device_remarks(const struct page *page)
{
	const struct tacho_summary_device *device;

	for (size_t i = 0; (device = tacho_summary_get_device(page->report->summary, i)); i++) {
		struct cli_number uncertainty;
		const char *name = device->device && *device->device->name ? device->device->name
									   : "unknown device";
		char *text = NULL;

		if (device->reason && *device->reason)
			text = cli_format("%s: %s", name, device->reason);
		else if (device->clock && *device->clock)
			text = cli_format(
				"%s: its times are placed on the host's clock within %s (%s)", name,
				cli_units_time(&uncertainty, device->uncertainty_ns, 3),
				device->clock);
		if (!text)
			continue;
		fputs("  ", page->stream);
		cli_text_wrap(page->stream, text, 2, 4, page->width);
		free(text);
	}
}

static void put_devices(const struct page *page)
{
	static const struct cli_column columns[] = {{"device", false},
						    {"commands", true},
						    {"busy", true},
						    {"idle", true},
						    {"use", true}};
	const struct tacho_summary_device *device;
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; (device = tacho_summary_get_device(page->report->summary, i)); i++) {
		struct cli_number commands, busy, idle, share;
		bool known = device->state != TACHO_STATE_ABSENT;
		const char *cells[] = {device->device && *device->device->name
					       ? device->device->name
					       : "unknown device",
				       cli_units_count(&commands, device->commands),
				       known ? cli_units_time(&busy, device->busy_ns, 3) : "-",
				       known ? cli_units_time(&idle, device->idle_ns, 3) : "-",
				       known ? cli_units_share(&share, device->busy_ns,
							       device->busy_ns + device->idle_ns)
					     : "-"};

		cli_table_add(&table, cells);
	}
	if (table.row_count) {
		fputs("\nDevices, between first and last command\n", page->stream);
		cli_table_print(&table, page->stream, page->width);
		put_device_remarks(page);
	}
	cli_table_finish(&table);
}

static void put_losses(const struct page *page)
{
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(page->report->summary);
	struct tacho_loss loss;
	bool any = false;

	fputs("\nLost\n", page->stream);
	for (size_t i = 0; tacho_summary_totals_get_loss(totals, i, &loss); i++) {
		struct cli_number count;
		char *text;

		if (!loss.count)
			continue;
		any = true;
		text = cli_format("%s %s", cli_units_count(&count, loss.count), loss.text);
		fputs("  ", page->stream);
		cli_text_wrap(page->stream, text, 2, 4, page->width);
		free(text);
	}
	if (totals->losses.io_error) {
		char *text =
			cli_format("growing failed with: %s", strerror(totals->losses.io_error));

		any = true;
		fputs("  ", page->stream);
		cli_text_wrap(page->stream, text, 2, 4, page->width);
		free(text);
	}
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
		fputs("  ", page->stream);
		cli_text_wrap(page->stream, note, 2, 4, page->width);
	}
}

void cli_report_print(const struct cli_report *report, FILE *stream, unsigned width)
{
	const struct tacho_run *run = tacho_recording_get_run(report->recording);
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(report->summary);
	const char *path = tacho_recording_get_path(report->recording);
	const struct page page = {report, stream, width};

	put_line(&page, "recording", path);
	if (report->findings_only) {
		cli_report_print_findings(report, stream, width);
		return;
	}
	put_files(&page, path);
	put_program(&page, run);
	if (!run->import_note)
		put_wall(&page, totals);
	if (totals->calls || totals->commands) {
		put_totals(&page, totals);
		if (!report->key_only)
			put_devices(&page);
		cli_report_print_lines(report, stream, width);
		if (!report->key_only)
			cli_report_print_transfers(report, stream, width);
		if (!report->key_only || report->key == TACHO_BY_KERNEL)
			cli_report_print_values(report, stream, width);
	} else {
		put_line(&page, "no calls",
			 *run->why_empty ? run->why_empty
					 : "no API call was recorded, and the reason is not known");
	}
	put_losses(&page);
	put_notes(&page, totals->calls || totals->commands ? "" : run->why_empty);
	cli_report_print_findings(report, stream, width);
}
