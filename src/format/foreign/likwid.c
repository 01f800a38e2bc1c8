/* SPDX-License-Identifier: MIT */
/*
 * What LIKWID measured in regions of a program ("likwid-perfctr -m -O", of processors and of GPUs):
 * a table of events and one of metrics for each region and group, with a column for each device.
 *
 *	TABLE,Region copy,Group 1 Raw,FLOPS_SP,3,...
 *	Region Info,GPU 0,GPU 1,...
 *	RDTSC Runtime [s],3.426146,3.426150,...
 *	call count,1,1,...
 *	Event,Counter,GPU 0,GPU 1,...
 *	SMSP_SASS_...,GPU0,2457600,2457600,...
 *	TABLE,Region copy,Group 1 Metric,FLOPS_SP,4,...
 *	Metric,GPU 0,GPU 1,...
 *
 * All passages through a region are one piece of work of each device, without times, as it took so
 * long in sum. Without regions the program is one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_csv.h"

enum { DEVICES_MAX = 4096 };

/* Which part of a table is read. */
enum part { NOTHING, ABOUT, EVENTS, METRICS };

struct likwid {
	struct tacho__foreign *foreign;
	struct tacho__foreign_csv csv;
	uint32_t process;
	enum part part;
	struct tacho__buf region, group, processor;
	uint64_t values[DEVICES_MAX]; /* of each column: the work that it is of; 0: none */
	double seconds[DEVICES_MAX];  /* it ran; NAN: not known */
	double passes[DEVICES_MAX];   /* through the region; NAN */
	size_t devices;
	bool is_joined;	      /* the columns are those of the table in front, of the same region */
	uint64_t last_values; /* that were given to a piece of work */
	struct tacho__map seen; /* counters -> the last table that has them */
	uint64_t tables, statistics;
};

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const begins[] = {"TABLE,Region ", "TABLE,Group "};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(begins); i++)
		for (const char *at = strstr(file->head, begins[i]); at;
		     at = strstr(at + 1, begins[i]))
			if (at == file->head || at[-1] == '\n')
				return true;
	return false;
}

/* ---- tables ---- */

static bool is_in(const struct tacho__buf *text, const char *region)
{
	return !strcmp(tacho__buf_text(text), region);
}

static void set_text(struct tacho__buf *buf, const char *text)
{
	tacho__buf_clear(buf);
	tacho__buf_put(buf, text);
}

/* "TABLE,Region R,Group 1 Raw,NAME,3", "TABLE,Group 1 Metric STAT,NAME,3". */
static int begin_table(struct likwid *likwid, char *const *cells, size_t count)
{
	static const char begin[] = "Region ";
	bool has_region = !strncmp(cells[1], begin, strlen(begin));
	const char *region = has_region ? cells[1] + strlen(begin) : "(the whole program)";
	const char *group = tacho__foreign_csv_get(cells, count, has_region ? 2 : 1);
	const char *name = tacho__foreign_csv_get(cells, count, has_region ? 3 : 2);
	const char *end = strstr(group, " Raw");
	struct tacho__buf text = {0};

	likwid->part = NOTHING;
	if (tacho__ends_with(group, " STAT")) {
		likwid->statistics++;
		return 0;
	}
	end = end ? end : strstr(group, " Metric");
	tacho__buf_printf(&text, "%.*s %s", end ? (int)(end - group) : 0, group, name);
	if (text.failed)
		return TACHO_E_NOMEM;
	likwid->is_joined = is_in(&likwid->region, region) && is_in(&likwid->group, text.text) &&
			    strstr(group, " Metric");
	set_text(&likwid->region, region);
	set_text(&likwid->group, text.text);
	tacho__buf_finish(&text);
	likwid->part = ABOUT;
	likwid->tables++;
	if (!likwid->is_joined)
		likwid->devices = 0;
	return likwid->region.failed || likwid->group.failed ? TACHO_E_NOMEM : 0;
}

/* ---- work ---- */

static int find_device(struct likwid *likwid, const char *name,
		       struct tacho__foreign_command *command)
{
	bool is_gpu = !strncmp(name, "GPU ", 4);
	struct tacho__buf text = {0};
	uint32_t handle = 0;
	int rc;

	tacho__buf_printf(&text, "type=%s\nname=%s", is_gpu ? "gpu" : "cpu", name);
	if (!is_gpu && likwid->processor.size)
		tacho__buf_printf(&text, " of %s", likwid->processor.text);
	tacho__buf_char(&text, '\n');
	rc = text.failed ? TACHO_E_NOMEM : tacho__foreign_text(likwid->foreign, name, &handle);
	if (!rc)
		rc = tacho__foreign_thing(likwid->foreign, likwid->process, TACHO_OBJECT_DEVICE,
					  handle, &text, &command->device);
	tacho__buf_finish(&text);
	return rc;
}

static int add_passes(struct likwid *likwid, size_t column)
{
	struct tacho__foreign_value value = {.process = likwid->process,
					     .values = likwid->values[column],
					     .state = TACHO_STATE_OK,
					     .number = {.f64 = likwid->passes[column]}};
	int rc;

	if (isnan(likwid->passes[column]))
		return 0;
	rc = tacho__foreign_counter(likwid->foreign, "call count", "", TACHO_TYPE_F64,
				    &value.counter);
	return rc ? rc : tacho__foreign_add_value(likwid->foreign, &value);
}

/* Two groups of one region were counted in two passages through it: they are two. */
static int add_work(struct likwid *likwid, size_t column, const char *device)
{
	struct tacho__foreign_command command = {.process = likwid->process,
						 .kind = TACHO_COMMAND_KERNEL,
						 .state = TACHO_STATE_ABSENT};
	struct tacho__buf text = {0};
	double ns = likwid->seconds[column] * 1e9;
	uint32_t number = 0;
	int rc;

	tacho__buf_printf(&text, "name=%s\n", tacho__buf_text(&likwid->region));
	rc = text.failed ? TACHO_E_NOMEM : tacho__foreign_text(likwid->foreign, text.text, &number);
	if (!rc)
		rc = tacho__foreign_thing(likwid->foreign, likwid->process, TACHO_OBJECT_KERNEL,
					  number, &text, &command.kernel);
	tacho__buf_finish(&text);
	if (!rc)
		rc = find_device(likwid, device, &command);
	if (!rc)
		rc = tacho__foreign_text(likwid->foreign, "region", &command.name);
	if (!rc)
		rc = tacho__foreign_text(likwid->foreign,
					 "LIKWID says how long regions took, not when",
					 &command.reason);
	command.values = likwid->values[column] = ++likwid->last_values;
	command.has_duration = ns >= 0 && ns < 9e18;
	command.duration_ns = command.has_duration ? (uint64_t)llround(ns) : 0;
	if (!rc)
		rc = tacho__foreign_add_command(likwid->foreign, &command);
	return rc ? rc : add_passes(likwid, column);
}

/* Titles end where a line is padded with commas. */
static int begin_columns(struct likwid *likwid, char *const *cells, size_t count, size_t first)
{
	size_t devices = 0;
	int rc = 0;

	while (first + devices < count && *cells[first + devices] && devices < DEVICES_MAX)
		devices++;
	if (likwid->is_joined && devices == likwid->devices)
		return 0;
	for (size_t i = 0; i < devices && !rc; i++) {
		if (i >= likwid->devices)
			likwid->seconds[i] = likwid->passes[i] = NAN;
		rc = add_work(likwid, i, cells[first + i]);
	}
	likwid->devices = devices;
	return rc;
}

/* ---- values ---- */

/* "Runtime (RDTSC) [s]": units that are tacho's own are told apart from the name. */
static int find_counter(struct likwid *likwid, const char *title, uint32_t *out_counter)
{
	bool is_share = tacho__ends_with(title, " [%]");
	struct tacho__buf name = {0};
	int rc;

	tacho__buf_add(&name, title, strlen(title) - (is_share ? strlen(" [%]") : 0));
	rc = name.failed ? TACHO_E_NOMEM
			 : tacho__foreign_counter(likwid->foreign, tacho__buf_text(&name),
						  is_share ? "percent" : "", TACHO_TYPE_F64,
						  out_counter);
	tacho__buf_finish(&name);
	return rc;
}

/* An event that two registers of a group count: the second is "EVENT:REGISTER". */
static int find_event(struct likwid *likwid, const char *event, const char *at,
		      uint32_t *out_counter)
{
	void *table = (void *)(uintptr_t)likwid->tables;
	struct tacho__buf name = {0};
	int rc = find_counter(likwid, event, out_counter);

	if (!rc && tacho__map_get(&likwid->seen, *out_counter) == table) {
		tacho__buf_printf(&name, "%s:%s", event, at);
		rc = name.failed ? TACHO_E_NOMEM : find_counter(likwid, name.text, out_counter);
		tacho__buf_finish(&name);
	}
	return rc ? rc : tacho__map_set(&likwid->seen, *out_counter, table);
}

/* "nan" and "-" are no numbers. */
static int add_values(struct likwid *likwid, uint32_t counter, char *const *cells, size_t count,
		      size_t first)
{
	struct tacho__foreign_value value = {.process = likwid->process, .counter = counter};
	int rc = 0;

	for (size_t i = 0; i < likwid->devices && !rc; i++) {
		const char *cell = tacho__foreign_csv_get(cells, count, (int)(first + i));

		value.values = likwid->values[i];
		value.note = 0;
		value.state = TACHO_STATE_OK;
		if (!tacho__foreign_csv_real(cell, &value.number.f64)) {
			value.state = TACHO_STATE_ABSENT;
			rc = tacho__foreign_text(likwid->foreign, "the file has no number for it",
						 &value.note);
		}
		if (!rc)
			rc = tacho__foreign_add_value(likwid->foreign, &value);
	}
	return rc;
}

/* Of a region both are known before its work is told. */
static void take_numbers(struct likwid *likwid, char *const *cells, size_t count, double *into)
{
	size_t i = 0;

	for (; i < DEVICES_MAX && i + 1 < count && *cells[i + 1]; i++) {
		if (i >= likwid->devices)
			likwid->seconds[i] = likwid->passes[i] = NAN;
		if (!tacho__foreign_csv_real(cells[i + 1], &into[i]))
			into[i] = NAN;
	}
	likwid->devices = i;
}

static int take_about(struct likwid *likwid, char *const *cells, size_t count)
{
	if (!strcmp(cells[0], "RDTSC Runtime [s]"))
		take_numbers(likwid, cells, count, likwid->seconds);
	if (!strcmp(cells[0], "call count"))
		take_numbers(likwid, cells, count, likwid->passes);
	if (!strcmp(cells[0], "Event")) {
		likwid->part = EVENTS;
		return begin_columns(likwid, cells, count, 2);
	}
	if (!strcmp(cells[0], "Metric")) {
		likwid->part = METRICS;
		return begin_columns(likwid, cells, count, 1);
	}
	return 0;
}

/* Behind its name stands the register that counted it. */
static int take_event(struct likwid *likwid, char *const *cells, size_t count)
{
	uint32_t counter;
	int rc;

	if (count < 3)
		return 0;
	rc = find_event(likwid, cells[0], cells[1], &counter);
	return rc ? rc : add_values(likwid, counter, cells, count, 2);
}

static int take_metric(struct likwid *likwid, char *const *cells, size_t count)
{
	uint32_t counter;
	int rc = find_counter(likwid, cells[0], &counter);

	return rc ? rc : add_values(likwid, counter, cells, count, 1);
}

/* ---- the file ---- */

static int take_processor(struct likwid *likwid, char *const *cells, size_t count)
{
	const char *name = tacho__foreign_csv_get(cells, count, 1);

	if (!likwid->processor.size && *name)
		set_text(&likwid->processor, name);
	return likwid->processor.failed ? TACHO_E_NOMEM : 0;
}

static int take_record(struct likwid *likwid, char *const *cells, size_t count)
{
	if (!strcmp(cells[0], "TABLE") && count > 2)
		return begin_table(likwid, cells, count);
	if (!strcmp(cells[0], "STRUCT")) {
		likwid->part = NOTHING;
		return 0;
	}
	if (!strcmp(cells[0], "CPU name:"))
		return take_processor(likwid, cells, count);
	if (!*cells[0])
		return 0;
	switch (likwid->part) {
	case ABOUT: return take_about(likwid, cells, count);
	case EVENTS: return take_event(likwid, cells, count);
	case METRICS: return take_metric(likwid, cells, count);
	default: return 0;
	}
}

static void note_what_lacks(const struct likwid *likwid)
{
	struct tacho__foreign *foreign = likwid->foreign;

	tacho__foreign_note(foreign, "Each line is a region of the program on one device, all "
				     "passages through it together: LIKWID counts no launches and "
				     "keeps no times of day.");
	tacho__foreign_note_count(
		foreign, likwid->statistics,
		"table of sums over devices (STAT) comes out of the others and is left out.",
		"tables of sums over devices (STAT) come out of the others and are left out.");
	if (!likwid->tables)
		foreign->recording->run.why_empty = "The file holds no table of a region.";
}

static int read_file(struct tacho__foreign *foreign, const char *path, uint64_t number)
{
	struct likwid *likwid = calloc(1, sizeof(*likwid));
	char **cells;
	size_t count;
	int rc;

	if (!likwid)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	likwid->foreign = foreign;
	tacho__foreign_begin_file(foreign);
	rc = tacho__foreign_process(foreign, number, 0, &likwid->process);
	if (!rc)
		rc = tacho__foreign_csv_open(&likwid->csv, path);
	while (!rc && !(rc = tacho__foreign_csv_next(&likwid->csv, &cells, &count)) && count)
		rc = take_record(likwid, cells, count);
	if (!rc)
		note_what_lacks(likwid);
	tacho__foreign_note_end(foreign, path, likwid->csv.is_open);
	tacho__foreign_csv_close(&likwid->csv);
	tacho__buf_finish(&likwid->region);
	tacho__buf_finish(&likwid->group);
	tacho__buf_finish(&likwid->processor);
	tacho__map_finish(&likwid->seen);
	free(likwid);
	return rc;
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++)
		rc = read_file(foreign, files[i].path, i + 1);
	return rc ? rc : tacho__foreign_set_tool(foreign, "LIKWID, CSV");
}

const struct tacho__foreign_reader tacho__foreign_likwid = {
	.name = "likwid-csv",
	.title = "LIKWID, regions",
	.fits = fits,
	.read = read_files,
};
