/* SPDX-License-Identifier: MIT */
/*
 * Tables of sums of AMD's profilers: "*_stats.csv" of rocprofv3, "results.stats.csv" and the like
 * of rocprof, "*_summary.csv" of rocpd and what it writes of the view top_kernels. What they are
 * of, the names of the files say.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/amd_csv.h"

/* The view has microseconds. */
static const struct {
	const char *title;
	enum tacho_sums_column column;
	double scale;
} titles[] = {
	{"Calls", TACHO_SUMS_COUNT, 1},
	{"Total_Calls", TACHO_SUMS_COUNT, 1},
	{"TotalDurationNs", TACHO_SUMS_TOTAL, 1},
	{"Duration (nsec)", TACHO_SUMS_TOTAL, 1},
	{"Total_Duration", TACHO_SUMS_TOTAL, 1e3},
	{"AverageNs", TACHO_SUMS_MEAN, 1},
	{"Average (nsec)", TACHO_SUMS_MEAN, 1},
	{"Average", TACHO_SUMS_MEAN, 1e3},
	{"Percentage", TACHO_SUMS_SHARE, 1},
	{"Percent (inc)", TACHO_SUMS_SHARE, 1},
	{"MinNs", TACHO_SUMS_MIN, 1},
	{"Min (nsec)", TACHO_SUMS_MIN, 1},
	{"MaxNs", TACHO_SUMS_MAX, 1},
	{"Max (nsec)", TACHO_SUMS_MAX, 1},
	{"StdDev", TACHO_SUMS_DEVIATION, 1},
	{"Std_Dev", TACHO_SUMS_DEVIATION, 1},
};

enum { BY_ROWS = TACHO_SUMS_KINDS, OF_DOMAINS };

/* The first that stands in the name of a file: people put words of their own before it. */
static int kind_of_file(const char *path)
{
	static const struct {
		const char *part;
		int kind;
	} parts[] = {
		{"kernel_stats", TACHO_SUMS_KERNELS},
		{"copy_stats", TACHO_SUMS_TRANSFERS},
		{"domain_stats", OF_DOMAINS},
		{"marker_api_stats", TACHO_SUMS_RANGES},
		{"api_stats", TACHO_SUMS_CALLS},
		{"allocation_stats", TACHO_SUMS_CALLS},
		{"memory_stats", TACHO_SUMS_CALLS},
		{"hip_stats", TACHO_SUMS_CALLS},
		{"hsa_stats", TACHO_SUMS_CALLS},
		{".stats", TACHO_SUMS_KERNELS},
		{"top_kernels", TACHO_SUMS_KERNELS},
		{"domain_summary", OF_DOMAINS},
		{"kernels_summary", TACHO_SUMS_KERNELS},
		{"copies_summary", TACHO_SUMS_TRANSFERS},
		{"allocations_summary", TACHO_SUMS_CALLS},
		{"scratch_memory_summary", TACHO_SUMS_CALLS},
		{"markers_summary", TACHO_SUMS_RANGES},
		{"hip_summary", TACHO_SUMS_CALLS},
		{"hsa_summary", TACHO_SUMS_CALLS},
		{"rccl_summary", TACHO_SUMS_CALLS},
	};
	const char *name = tacho__base_name(path);

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(parts); i++)
		if (strstr(name, parts[i].part))
			return parts[i].kind;
	return BY_ROWS;
}

/* What a row is of, where the file's name does not say it. */
static enum tacho_sums_kind kind_of_row(const char *name)
{
	if (!strncmp(name, "hip", 3) || !strncmp(name, "hsa_", 4) || !strncmp(name, "__hip", 5))
		return TACHO_SUMS_CALLS;
	return !strncmp(name, "MEMORY_COPY_", 12) || !strncmp(name, "Copy", 4)
		       ? TACHO_SUMS_TRANSFERS
		       : TACHO_SUMS_KERNELS;
}

int tacho__amd_sums_kind(const char *path, const char *name)
{
	int kind = kind_of_file(path);

	return kind == OF_DOMAINS ? -1 : kind == BY_ROWS ? (int)kind_of_row(name) : kind;
}

/* A table, and which of its columns say the process that its lines are of; -1. */
struct reading {
	struct tacho__foreign *foreign;
	struct tacho__amd_table *rows;
	struct tacho__foreign_sums_titles places;
	int kind, process, host;
	uint64_t lines, odd;
	char part[128];
};

static int take_titles(struct reading *reading)
{
	const struct tacho__amd_table *rows = reading->rows;
	struct tacho__foreign_sums_titles *places = &reading->places;

	tacho__foreign_sums_clear(places);
	places->name = rows->places[TACHO__AMD_NAME];
	if (places->name < 0)
		return tacho__fail(TACHO_E_PARSE, "its titles lack Name", "export it again",
				   "%s is no table of sums", rows->path);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(titles); i++) {
		int place =
			tacho__foreign_csv_find(rows->cells, rows->title_count, titles[i].title);

		if (place < 0 || places->places[titles[i].column] >= 0)
			continue;
		places->places[titles[i].column] = place;
		places->scales[titles[i].column] = titles[i].scale;
	}
	reading->process = tacho__foreign_csv_find(rows->cells, rows->title_count, "ProcessID");
	reading->host = tacho__foreign_csv_find(rows->cells, rows->title_count, "Hostname");
	if (places->scales[TACHO_SUMS_TOTAL] > 1)
		tacho__foreign_note(reading->foreign, "Times in %s are told in microseconds.",
				    tacho__base_name(rows->path));
	return 0;
}

static const char *tool_of(const struct reading *reading)
{
	const char *total = tacho__foreign_csv_get(reading->rows->cells, reading->rows->title_count,
						   reading->places.places[TACHO_SUMS_TOTAL]);

	if (strcasecmp(total, "TotalDurationNs"))
		return "rocpd, tables of sums";
	return reading->places.places[TACHO_SUMS_MIN] < 0 ? "rocprof, tables of sums"
							  : "rocprofv3, tables of sums";
}

/* The shares of each process are of a whole of its own. */
static void take_process(struct reading *reading)
{
	const struct tacho__amd_table *rows = reading->rows;
	const char *process = tacho__foreign_csv_get(rows->cells, rows->count, reading->process);
	const char *host = tacho__foreign_csv_get(rows->cells, rows->count, reading->host);
	char part[sizeof(reading->part)];

	if (!*process)
		return;
	snprintf(part, sizeof(part), "process %.20s%s%.80s", process, *host ? ", " : "", host);
	if (strcmp(part, reading->part))
		tacho__foreign_begin_shares(reading->foreign, rows->path);
	strcpy(reading->part, part);
}

static int take_row(struct reading *reading)
{
	struct tacho__amd_table *rows = reading->rows;
	struct tacho__foreign_sums_table table = {.path = rows->path, .part = reading->part};
	char *name = rows->cells[reading->places.name];
	bool is_one;
	int rc;

	table.kind =
		reading->kind == BY_ROWS ? kind_of_row(name) : (enum tacho_sums_kind)reading->kind;
	if (table.kind == TACHO_SUMS_KERNELS)
		name[tacho__amd_name_size(name)] = '\0';
	take_process(reading);
	rc = tacho__foreign_add_sums(reading->foreign, &table, &reading->places, rows->cells,
				     rows->count, &is_one);
	reading->odd += !rc && !is_one;
	reading->lines += !rc && is_one;
	return rc;
}

static int take_rows(struct tacho__foreign *foreign, struct tacho__amd_table *rows, int kind)
{
	struct reading reading = {.foreign = foreign, .rows = rows, .kind = kind};
	int rc = take_titles(&reading);

	if (!rc)
		rc = tacho__foreign_set_tool(foreign, tool_of(&reading));
	tacho__foreign_begin_shares(foreign, rows->path);
	while (!rc && (rc = tacho__amd_table_next(rows)) == 1)
		rc = take_row(&reading);
	if (!rc)
		rc = tacho__foreign_end_lines(
			foreign, rows->path,
			rows->csv.is_open || (rows->ends_early && !reading.lines), reading.lines);
	if (reading.odd)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " line%s without a name or numbers %s left out of "
				    "%s.",
				    reading.odd, tacho__plural(reading.odd),
				    reading.odd == 1 ? "is" : "are", tacho__base_name(rows->path));
	return rc;
}

int tacho__amd_read_sums(struct tacho__amd_csv *csv, const char *path)
{
	int kind = kind_of_file(path), rc;
	struct tacho__amd_table rows;

	if (kind == OF_DOMAINS) {
		tacho__foreign_note(csv->amd.foreign,
				    "%s adds up whole kinds of calls and work, and is left out.",
				    tacho__base_name(path));
		return 0;
	}
	rc = tacho__amd_table_open(&rows, path, NULL, "");
	if (!rc)
		rc = take_rows(csv->amd.foreign, &rows, kind);
	if (!rc && rows.ends_early)
		rc = tacho__foreign_lose(csv->amd.foreign, path,
					 "ends early: its last line is not whole and is left out");
	tacho__amd_table_close(&rows);
	tacho__foreign_explain_sums(
		csv->amd.foreign,
		"it has sums of AMD's profiler over all launches of a kernel or calls of a "
		"function, and no row of a single one",
		"open the traces that rocprofv3 --output-format csv (rocprof --hip-trace) writes "
		"beside it; of rocpd the database that it read");
	return rc;
}
