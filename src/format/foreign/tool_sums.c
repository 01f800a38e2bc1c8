/* SPDX-License-Identifier: MIT */
/*
 * Sums as Intel's tracers and the OpenCL intercept layer print them, between lines of the program:
 *
 *	=== Device Timing Summary ===          Device Performance Timing Results for DEVICE:
 *	== L0 Backend ==
 *	Kernel, Calls, Time (ns), Time (%), Average (ns), Min (ns), Max (ns)
 *
 * Older tracers have further columns in between, and names with commas that no quotes enclose.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/unitrace.h"

enum { CELLS_MAX = 16 };

/* What a line begins with, the tool that prints it, and what of that keeps rows. */
static const struct {
	const char *begin, *tool;
	const char *what, *cure;
	bool is_refused; /* it has no sums of kernels or functions */
} known[] = {
	{"=== Device Timing Summary", "unitrace, tables of sums",
	 "it has sums of unitrace over all launches of a kernel",
	 "open what unitrace --chrome-call-logging --chrome-kernel-logging writes, or what "
	 "unitrace --device-timeline prints",
	 false},
	{"=== API Timing Summary", "unitrace, tables of sums",
	 "it has sums of unitrace over all calls of a function",
	 "open what unitrace --chrome-call-logging --chrome-kernel-logging writes", false},
	{"Kernel, GlobalInstanceId, ", "unitrace",
	 "it has samples of unitrace, of a device and not of launches",
	 "open what unitrace --metric-query writes: metrics of each launch", true},
	{"=== Device Timing Results", "onetrace, tables of sums",
	 "it has sums of onetrace over all launches of a kernel",
	 "open what onetrace --device-timeline prints", false},
	{"=== API Timing Results", "onetrace, tables of sums",
	 "it has sums of onetrace over all calls of a function",
	 "open what onetrace --device-timeline prints", false},
	{"Device Performance Timing Results", "OpenCL intercept layer, report",
	 "it is a report of the OpenCL intercept layer: sums over all launches of a kernel",
	 "open its clintercept_trace.json, which ChromeCallLogging=1 and "
	 "ChromePerformanceTiming=1 write",
	 false},
	{"Host Performance Timing Results", "OpenCL intercept layer, report",
	 "it is a report of the OpenCL intercept layer: sums over all calls of a function",
	 "open its clintercept_trace.json, which ChromeCallLogging=1 and "
	 "ChromePerformanceTiming=1 write",
	 false},
	{"Total Enqueues: ", "OpenCL intercept layer, report",
	 "it is the report of the OpenCL intercept layer: sums over all calls",
	 "open its clintercept_trace.json, which ChromeCallLogging=1 and "
	 "ChromePerformanceTiming=1 write",
	 false},
};

static const struct {
	const char *title;
	enum tacho_sums_column column;
} titles[] = {
	{"Calls", TACHO_SUMS_COUNT},	{"Time (ns)", TACHO_SUMS_TOTAL},
	{"Time (%)", TACHO_SUMS_SHARE}, {"Average (ns)", TACHO_SUMS_MEAN},
	{"Min (ns)", TACHO_SUMS_MIN},	{"Max (ns)", TACHO_SUMS_MAX},
};

/* Where in a file it is read. */
enum section { NO_SECTION, OF_DEVICE, OF_HOST };

struct reading {
	struct tacho__foreign *foreign;
	const char *path;
	enum section section;
	struct tacho__buf part; /* backend or device that the section is of */
	struct tacho__foreign_sums_titles places;
	size_t cell_count; /* of the titles; 0: no table */
	uint64_t lines, odd;
};

/* The first that a line of the file begins with; the count when there is none. */
static size_t find(const struct tacho__foreign_file *file)
{
	for (const char *line = file->head; line; line = strchr(line, '\n')) {
		line += strspn(line, "\r\n");
		for (size_t i = 0; i < TACHO__ARRAY_SIZE(known); i++)
			if (!strncmp(line, known[i].begin, strlen(known[i].begin)))
				return i;
		if (!*line)
			break;
	}
	return TACHO__ARRAY_SIZE(known);
}

static bool fits(const struct tacho__foreign_file *file)
{
	return find(file) < TACHO__ARRAY_SIZE(known);
}

/* ---- sections ---- */

static bool begins(const char *line, const char *text)
{
	return !strncmp(line, text, strlen(text));
}

static void begin_section(struct reading *reading, enum section section)
{
	reading->section = section;
	tacho__buf_clear(&reading->part);
}

/* "Device Performance Timing Results for DEVICE:", and no device where there is one only. */
static void begin_device(struct reading *reading, const char *line)
{
	static const char before[] = " Results for ";
	const char *name = strstr(line, before);

	begin_section(reading, OF_DEVICE);
	if (!name)
		return;
	name += strlen(before);
	tacho__buf_add(&reading->part, name, strlen(name) - tacho__ends_with(name, ":"));
}

/* "== L0 Backend ==", in older tracers "== L0 Backend: ==". */
static bool begin_backend(struct reading *reading, const char *line)
{
	const char *name = line + 3;
	const char *end = begins(line, "== ") ? strstr(name, " Backend") : NULL;

	if (!end)
		return false;
	tacho__buf_clear(&reading->part);
	tacho__buf_add(&reading->part, name, (size_t)(end - name));
	tacho__buf_put(&reading->part, " backend");
	return true;
}

/* Whether a line begins a section, or a part of one. */
static bool take_section(struct reading *reading, const char *line)
{
	if (begins(line, "=== "))
		begin_section(reading, begins(line + 4, "Device Timing ") ? OF_DEVICE
				       : begins(line + 4, "API Timing ")  ? OF_HOST
									  : NO_SECTION);
	else if (begins(line, "Host Performance Timing Results"))
		begin_section(reading, OF_HOST);
	else if (begins(line, "Device Performance Timing Results"))
		begin_device(reading, line);
	else
		return begin_backend(reading, line);
	return true;
}

/* ---- tables ---- */

static bool take_titles(struct reading *reading, char *line)
{
	char *title, *rest = NULL;
	size_t count = 0;

	if (!begins(line, "Kernel,") && !begins(line, "Function,") &&
	    !begins(line, "Function Name,"))
		return false;
	tacho__foreign_begin_shares(reading->foreign, reading->path);
	tacho__foreign_sums_clear(&reading->places);
	reading->places.name = 0;
	for (title = strtok_r(line, ",", &rest); title && count < CELLS_MAX;
	     title = strtok_r(NULL, ",", &rest), count++)
		for (size_t i = 0; i < TACHO__ARRAY_SIZE(titles); i++)
			if (!strcmp(tacho__trim(title), titles[i].title))
				reading->places.places[titles[i].column] = (int)count;
	reading->cell_count = reading->places.places[TACHO_SUMS_TOTAL] > 0 && !title ? count : 0;
	return true;
}

/* Names may have commas, numbers have none: cells are cut off at the end. False: too few. */
static bool cut_cells(const struct reading *reading, char *line, char *cells[CELLS_MAX])
{
	size_t size;

	for (size_t i = reading->cell_count; i-- > 1;) {
		char *comma = strrchr(line, ',');

		if (!comma)
			return false;
		*comma = '\0';
		cells[i] = tacho__trim(comma + 1);
	}
	cells[0] = tacho__trim(line);
	size = strlen(cells[0]);
	if (size >= 2 && *cells[0] == '"' && cells[0][size - 1] == '"') {
		cells[0][size - 1] = '\0';
		cells[0]++;
	}
	return true;
}

static enum tacho_sums_kind kind_of(const struct reading *reading, const char *name)
{
	if (reading->section == OF_HOST)
		return TACHO_SUMS_CALLS;
	switch (tacho__unitrace_kind_of(name)) {
	case TACHO_COMMAND_KERNEL: return TACHO_SUMS_KERNELS;
	case TACHO_COMMAND_OTHER: return TACHO_SUMS_COMMANDS;
	default: return TACHO_SUMS_TRANSFERS;
	}
}

static int take_row(struct reading *reading, char *line)
{
	struct tacho__foreign_sums_table table = {.path = reading->path,
						  .part = tacho__buf_text(&reading->part)};
	char *cells[CELLS_MAX];
	bool is_one = false;
	int rc = 0;

	if (cut_cells(reading, line, cells)) {
		table.kind = kind_of(reading, cells[0]);
		rc = tacho__foreign_add_sums(reading->foreign, &table, &reading->places, cells,
					     reading->cell_count, &is_one);
	}
	reading->lines += is_one;
	reading->odd += !is_one;
	return rc;
}

/* A table ends with an empty line; what stands outside of tables is the program's. */
static int take_line(void *user, char *line)
{
	struct reading *reading = user;
	line = tacho__trim(line);
	if (!*line || take_section(reading, line)) {
		reading->cell_count = 0;
		return reading->part.failed ? TACHO_E_NOMEM : 0;
	}
	if (reading->section == NO_SECTION || take_titles(reading, line) || !reading->cell_count)
		return 0;
	return take_row(reading, line);
}

/* ---- the file ---- */

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct reading reading = {.foreign = foreign, .path = file->path};
	size_t which = find(file);
	int rc;

	if (which == TACHO__ARRAY_SIZE(known))
		return tacho__fail(TACHO_E_PARSE, "it has no table of sums of such a tool", "",
				   "%s cannot be read", file->path);
	if (known[which].is_refused)
		return tacho__fail(TACHO_E_UNSUPPORTED, known[which].what, known[which].cure,
				   "%s is no recording", file->path);
	rc = tacho__foreign_read_lines(foreign, file->path, take_line, &reading, &reading.lines);
	tacho__buf_finish(&reading.part);
	if (rc)
		return rc;
	tacho__foreign_explain_sums(foreign, known[which].what, known[which].cure);
	if (!reading.lines)
		foreign->recording->run.why_empty = "The tables have no rows.";
	if (reading.odd)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " line%s of tables without a name or numbers %s "
				    "left out.",
				    reading.odd, tacho__plural(reading.odd),
				    reading.odd == 1 ? "is" : "are");
	return tacho__foreign_set_tool(foreign, known[which].tool);
}

const struct tacho__foreign_reader tacho__foreign_tool_sums = {
	.name = "sums",
	.title = "unitrace, onetrace, OpenCL intercept layer: tables of sums",
	.fits = fits,
	.read_file = read_file,
};
