/* SPDX-License-Identifier: MIT */
/* The top of the page: what ran, what was lost, totals and notes. */
#include "base/text.h"
#include "format/html/html.h"

#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tacho/sys/units.h"

/* A line of the list of facts; nothing when there is no text. */
static void put_fact(const struct tacho__html *page, const char *label, const char *text)
{
	if (*text)
		tacho__html_print(page->stream, "<div><dt>%s</dt><dd>%s</dd></div>\n", label, text);
}

static void put_program(const struct tacho__html *page, const struct tacho_run *run)
{
	tacho__html_print(page->stream,
			  "<p class=\"command\"><code>%s%s%s</code></p>\n<dl class=\"facts\">\n",
			  run->application, *run->arguments ? " " : "", run->arguments);
	put_fact(page, "Folder", run->working_directory);
	put_fact(page, "Host", run->host);
	if (*run->os_name || *run->os_release)
		tacho__html_print(page->stream, "<div><dt>System</dt><dd>%s%s%s</dd></div>\n",
				  run->os_name, *run->os_name && *run->os_release ? ", " : "",
				  run->os_release);
}

static void put_start(const struct tacho__html *page, const struct tacho_run *run)
{
	int64_t start_ns = (int64_t)(run->start_ns + (uint64_t)run->realtime_offset_ns);
	time_t start = (time_t)(start_ns / 1000000000);
	struct tm utc;
	char date[64];

	if ((!run->start_ns && !run->import_note) || !run->realtime_offset_ns || start <= 0 ||
	    !gmtime_r(&start, &utc) || !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &utc))
		return;
	tacho__html_print(page->stream, "<div><dt>Started</dt><dd><time>%s UTC</time></dd></div>\n",
			  date);
}

static void put_status(const struct tacho__html *page, const struct tacho_run *run)
{
	int status = run->exit_status;
	const char *class = status ? " class=\"bad\"" : "";
	FILE *stream = page->stream;

	fputs("<div><dt>Exit status</dt>", stream);
	if (status < 0 && run->import_note)
		fputs("<dd>- <small>(session files do not tell)</small></dd>", stream);
	else if (status < 0)
		fputs("<dd>- <small>(not known: the program ran on, or tacho was killed)</small>"
		      "</dd>",
		      stream);
	else if (status > 128 && status <= 128 + SIGRTMAX)
		tacho__html_print(stream,
				  "<dd class=\"bad\">%d <small>(signal %d, %s)</small></dd>",
				  status, status - 128, strsignal(status - 128));
	else
		fprintf(stream, "<dd%s>%d</dd>", class, status);
	fputs("</div>\n", stream);
}

static void put_devices(const struct tacho__html *page)
{
	const struct tacho_summary_device *device;

	for (size_t i = 0; (device = tacho_summary_get_device(page->summary, i)); i++)
		put_fact(page, i ? "and" : "Device",
			 device->device && *device->device->name ? device->device->name
								 : "unknown device");
}

void tacho__html_put_run(const struct tacho__html *page)
{
	const struct tacho_run *run = tacho_recording_get_run(page->recording);

	tacho__html_print(page->stream, "<header>\n<h1>%s</h1>\n",
			  *run->application ? tacho__base_name(run->application) : "A recording");
	put_program(page, run);
	put_devices(page);
	put_start(page, run);
	put_status(page, run);
	if (*run->via)
		put_fact(page, "Seen through",
			 strcmp(run->via, "layer") == 0	    ? "a layer of the API's loader"
			 : strcmp(run->via, "preload") == 0 ? "a preloaded library"
							    : run->via);
	put_fact(page, "Recorded by", run->generator);
	fputs("</dl>\n</header>\n", page->stream);
}

/* ---- what was lost ---- */

static size_t count_losses(const struct tacho_summary_totals *totals)
{
	struct tacho_loss loss;
	size_t count = totals->losses.io_error != 0;

	for (size_t i = 0; tacho_summary_totals_get_loss(totals, i, &loss); i++)
		count += loss.count != 0;
	return count;
}

/* What is wrong with the files. */
static int put_faults(const struct tacho__html *page)
{
	const struct tacho_fault *fault;
	char *text;
	int rc = 0;

	for (size_t i = 0; !rc && (fault = tacho_recording_get_fault(page->recording, i)); i++) {
		rc = tacho_fault_format(fault, &text);
		if (rc)
			break;
		tacho__html_print(page->stream, "<li class=\"fault\">%s</li>\n", text);
		free(text);
	}
	return rc;
}

static int put_losses(const struct tacho__html *page, const struct tacho_summary_totals *totals)
{
	struct tacho_loss loss;
	char count[TACHO_UNITS_MAX];
	int rc;

	fputs("<ul>\n", page->stream);
	for (size_t i = 0; tacho_summary_totals_get_loss(totals, i, &loss); i++)
		if (loss.count)
			tacho__html_print(
				page->stream, "<li data-loss=\"%s\"><strong>%s</strong> %s</li>\n",
				loss.name, tacho_units_count(count, loss.count), loss.text);
	if (totals->losses.io_error)
		tacho__html_print(page->stream, "<li>writing the recording failed with: %s</li>\n",
				  strerror(totals->losses.io_error));
	rc = put_faults(page);
	fputs("</ul>\n", page->stream);
	return rc;
}

static void put_warning(const struct tacho__html *page, const char *title, const char *text)
{
	if (*text)
		tacho__html_print(
			page->stream,
			"<div class=\"banner warn\"><p><strong>%s</strong> %s</p></div>\n", title,
			text);
}

static void put_uncounted(const struct tacho__html *page)
{
	const struct tacho_process *process;

	for (size_t i = 0; (process = tacho_recording_get_process(page->recording, i)); i++)
		if (process->uncounted && *process->uncounted)
			tacho__html_print(
				page->stream,
				"<div class=\"banner warn\"><p><strong>Process %u was not "
				"counted, or not to its end:</strong> %s. %s</p></div>\n",
				process->pid, process->uncounted, process->uncounted_cure);
}

static void put_left_out(const struct tacho__html *page)
{
	const struct tacho_run *run = tacho_recording_get_run(page->recording);
	const struct tacho_bound *bound = tacho_recording_get_bound(page->recording, 0);
	char number[TACHO_UNITS_MAX];

	if (!bound && !run->ring_calls)
		return;
	fputs("<section id=\"left-out\" class=\"banner\" aria-labelledby=\"left-out-title\">\n"
	      "<h2 id=\"left-out-title\">Left out as asked</h2>\n<ul>\n",
	      page->stream);
	if (run->ring_calls) {
		char bytes[TACHO_UNITS_MAX];

		tacho__html_print(page->stream,
				  "<li><strong>%s</strong> calls from before the newest %s</li>\n",
				  tacho_units_count(number, run->ring_calls),
				  tacho_units_bytes(bytes, run->ring_bytes));
	} else if (run->max_bytes) {
		tacho_units_bytes(number, run->max_bytes);
		tacho__html_print(page->stream, "<li>the recording was not to exceed %s</li>\n",
				  number);
	}
	if (run->max_calls)
		tacho__html_print(page->stream,
				  "<li>no more than %s calls were to be recorded</li>\n",
				  tacho_units_count(number, run->max_calls));
	if (run->max_launches)
		tacho__html_print(page->stream,
				  "<li>nothing was to be recorded behind launch number %s</li>\n",
				  tacho_units_count(number, run->max_launches));
	for (size_t i = 1; bound; i++) {
		tacho__html_print(page->stream, "<li><strong>%s</strong> calls of %s</li>\n",
				  tacho_units_count(number, bound->calls), bound->function);
		bound = tacho_recording_get_bound(page->recording, i);
	}
	fputs("</ul>\n</section>\n", page->stream);
}

int tacho__html_put_lost(const struct tacho__html *page)
{
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(page->summary);
	const struct tacho_run *run = tacho_recording_get_run(page->recording);
	bool any = count_losses(totals) || tacho_recording_get_fault(page->recording, 0);
	int rc = 0;

	tacho__html_print(
		page->stream,
		"<section id=\"lost\" class=\"banner %s\" aria-labelledby=\"lost-title\">\n"
		"<h2 id=\"lost-title\">%s</h2>\n",
		any ? "warn" : "fine",
		tacho_recording_check(page->recording) ? "The recording is not whole"
		: any				       ? "Not all was recorded"
		: run->import_note		       ? "Nothing is known to be lost"
						       : "Nothing was lost");
	if (any)
		rc = put_losses(page, totals);
	else if (!totals->calls && !totals->commands)
		fputs("<p>No call came, so none could be lost.</p>\n", page->stream);
	else
		fputs(run->import_note
			      ? "<p>So far as session files tell: they were read, and what their "
				"profiler did not write is not known.</p>\n"
			      : "<p>All calls were recorded, and all commands have their "
				"times.</p>\n",
		      page->stream);
	fputs("</section>\n", page->stream);
	if (!totals->calls && !totals->commands)
		put_warning(page, "No calls:",
			    *run->why_empty ? run->why_empty
			    : tacho_recording_get_fault(page->recording, 0)
				    ? "none can be read: the recording is not whole"
				    : "no API call was recorded, and the reason is not known");
	put_warning(page, "No counters:", run->why_uncounted);
	put_warning(page,
		    "Left out of the session files:", run->import_note ? run->import_note : "");
	put_uncounted(page);
	if (run->is_unfinished)
		put_warning(
			page, "Not finished:",
			"the recording was still written, or was cut off; more calls may follow.");
	put_left_out(page);
	return rc;
}

/* ---- totals ---- */

static void begin_tile(const struct tacho__html *page, const char *label)
{
	tacho__html_print(page->stream, "<div class=\"tile\"><dt>%s</dt><dd>", label);
}

/* Behind the value, what it means. */
static void put_tile(const struct tacho__html *page, const char *label, const char *value,
		     const char *below)
{
	begin_tile(page, label);
	tacho__html_print(page->stream,
			  "<span class=\"value\">%s</span> <small>%s</small></dd></div>\n", value,
			  below);
}

static void put_busy(const struct tacho__html *page, const struct tacho_summary_totals *totals)
{
	enum tacho_state state = TACHO_STATE_OK;
	const struct tacho_summary_device *device;
	char time[TACHO_UNITS_MAX], share[TACHO_UNITS_MAX];
	uint64_t busy_ns = 0, unknown_ns = 0;
	size_t count = 0;

	for (; (device = tacho_summary_get_device(page->summary, count)); count++) {
		state = device->state > state ? device->state : state;
		busy_ns += device->busy_ns;
		unknown_ns += device->unknown_ns;
	}
	if (!count || state == TACHO_STATE_ABSENT) {
		put_tile(page, "Device busy", "-",
			 count		    ? "see Devices for the reason"
			 : totals->commands ? "it is not known which device got work"
					    : "no work of a device is recorded");
		return;
	}
	tacho_units_time(time, busy_ns, 4);
	begin_tile(page, "Device busy");
	tacho__html_print(page->stream, "<span class=\"value\">%s</span> <small>%s", time,
			  unknown_ns ? "at least; " : "");
	if (count > 1)
		tacho__html_print(page->stream, "summed over %zu devices", count);
	else if (totals->has_wall)
		tacho__html_print(page->stream, "%s of wall time",
				  tacho_units_share(share, busy_ns, totals->wall_ns));
	fputs(state == TACHO_STATE_OK || unknown_ns ? "</small></dd></div>\n"
						    : ", some of it lost</small></dd></div>\n",
	      page->stream);
}

static void put_calls(const struct tacho__html *page, const struct tacho_summary_totals *totals)
{
	char calls[TACHO_UNITS_MAX];

	if (!totals->calls) {
		put_tile(page, "API calls", "-", "no call is recorded");
		return;
	}
	put_tile(page, "API time", tacho_units_time(calls, totals->api_ns, 4),
		 "inside calls, summed over threads");
	begin_tile(page, "API calls");
	tacho__html_print(page->stream, "<span class=\"value\">%s</span> <small>by ",
			  tacho_units_count(calls, totals->calls));
	tacho__html_put_count(page, totals->threads, "thread", "threads");
	fputs(" of ", page->stream);
	tacho__html_put_count(page, totals->processes, "process", "processes");
	fputs("</small></dd></div>\n", page->stream);
}

/* Maps that copied nothing moved nothing. */
static uint64_t get_moved_bytes(const struct tacho__html *page)
{
	const struct tacho_summary_line *line;
	uint64_t bytes = 0;

	for (size_t i = 0; (line = tacho_summary_get_line(page->summary, TACHO_BY_TRANSFER, i));
	     i++)
		bytes += *line->why_no_rate && line->measured == line->count ? 0 : line->bytes;
	return bytes;
}

void tacho__html_put_totals(const struct tacho__html *page)
{
	const struct tacho_summary_totals *totals = tacho_summary_get_totals(page->summary);
	char value[TACHO_UNITS_MAX], below[TACHO_UNITS_MAX + 64] = "";
	uint64_t bytes = get_moved_bytes(page);

	tacho__html_begin_section(page, "totals", "Totals");
	fputs("<dl class=\"tiles\">\n", page->stream);
	put_tile(page, "Wall time",
		 totals->has_wall ? tacho_units_time(value, totals->wall_ns, 4) : "-",
		 totals->has_wall ? "from start to end of the run"
				  : "the end of the run was not recorded");
	put_busy(page, totals);
	put_calls(page, totals);
	if (totals->failed_calls)
		put_tile(page, "Failed calls", tacho_units_count(value, totals->failed_calls),
			 "the API said so");
	if (totals->templates)
		snprintf(below, sizeof(below),
			 "%" PRIu64 " of them in %" PRIu64 " command buffer%s",
			 totals->template_launches, totals->templates,
			 totals->templates == 1 ? "" : "s");
	put_tile(page, "Kernel launches", tacho_units_count(value, totals->launches), below);
	*below = '\0';
	if (bytes) {
		tacho_units_bytes(value, bytes);
		snprintf(below, sizeof(below), "%s moved", value);
	}
	put_tile(page, "Transfers", tacho_units_count(value, totals->transfers), below);
	fputs("</dl>\n</section>\n", page->stream);
}

/* Why there is no call stands further up already. */
static bool is_told(const struct tacho__html *page, const char *note)
{
	const struct tacho_run *run = tacho_recording_get_run(page->recording);

	return *run->why_empty && strcmp(note, run->why_empty) == 0;
}

bool tacho__html_has_notes(const struct tacho__html *page)
{
	const char *note;

	for (size_t i = 0; (note = tacho_summary_get_note(page->summary, i)); i++)
		if (!is_told(page, note))
			return true;
	return false;
}

void tacho__html_put_notes(const struct tacho__html *page)
{
	const char *note;

	if (!tacho__html_has_notes(page))
		return;
	tacho__html_begin_section(page, "notes", "Notes");
	fputs("<ul>\n", page->stream);
	for (size_t i = 0; (note = tacho_summary_get_note(page->summary, i)); i++)
		if (!is_told(page, note))
			tacho__html_print(page->stream, "<li>%s</li>\n", note);
	fputs("</ul>\n</section>\n", page->stream);
}
