/* SPDX-License-Identifier: MIT */
/*
 * Tables of sums of AMD's profilers: "*_stats.csv" of rocprofv3, "results.stats.csv" and the like
 * of rocprof. What they are of, the names of the files say.
 */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/amd_csv.h"

static const struct {
	const char *title;
	enum tacho_sums_column column;
} titles[] = {
	{"Calls", TACHO_SUMS_COUNT},	  {"TotalDurationNs", TACHO_SUMS_TOTAL},
	{"AverageNs", TACHO_SUMS_MEAN},	  {"Percentage", TACHO_SUMS_SHARE},
	{"MinNs", TACHO_SUMS_MIN},	  {"MaxNs", TACHO_SUMS_MAX},
	{"StdDev", TACHO_SUMS_DEVIATION},
};

enum { BY_ROWS = TACHO_SUMS_KINDS, OF_DOMAINS };

/* The first that stands in the name of a file: people put words of their own before it. */
static int kind_of_file(const char *path)
{
	static const struct {
		const char *part;
		int kind;
	} parts[] = {
		{"kernel_stats", TACHO_SUMS_KERNELS}, {"copy_stats", TACHO_SUMS_TRANSFERS},
		{"domain_stats", OF_DOMAINS},	      {"marker_api_stats", TACHO_SUMS_RANGES},
		{"api_stats", TACHO_SUMS_CALLS},      {"allocation_stats", TACHO_SUMS_CALLS},
		{"memory_stats", TACHO_SUMS_CALLS},   {"hip_stats", TACHO_SUMS_CALLS},
		{"hsa_stats", TACHO_SUMS_CALLS},      {".stats", TACHO_SUMS_KERNELS},
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

static int take_rows(struct tacho__amd_csv *csv, struct tacho__amd_table *rows, int kind)
{
	struct tacho__foreign_sums_table table = {.path = rows->path, .part = ""};
	struct tacho__foreign_sums_titles places;
	uint64_t odd = 0, lines = 0;
	bool is_one;
	int rc;

	tacho__foreign_sums_clear(&places);
	places.name = rows->places[TACHO__AMD_NAME];
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(titles); i++)
		places.places[titles[i].column] =
			tacho__foreign_csv_find(rows->cells, rows->title_count, titles[i].title);
	if (places.name < 0)
		return tacho__fail(TACHO_E_PARSE, "its titles lack Name", "export it again",
				   "%s is no table of sums", rows->path);
	tacho__foreign_begin_shares(csv->amd.foreign, rows->path);
	rc = tacho__foreign_set_tool(csv->amd.foreign, places.places[TACHO_SUMS_MIN] < 0
							       ? "rocprof, tables of sums"
							       : "rocprofv3, tables of sums");
	while (!rc && (rc = tacho__amd_table_next(rows)) == 1) {
		char *name = rows->cells[places.name];

		table.kind = kind == BY_ROWS ? kind_of_row(name) : (enum tacho_sums_kind)kind;
		if (table.kind == TACHO_SUMS_KERNELS)
			name[tacho__amd_name_size(name)] = '\0';
		rc = tacho__foreign_add_sums(csv->amd.foreign, &table, &places, rows->cells,
					     rows->count, &is_one);
		odd += !rc && !is_one;
		lines += !rc && is_one;
	}
	if (!rc)
		rc = tacho__foreign_end_lines(csv->amd.foreign, rows->path,
					      rows->csv.is_open || (rows->ends_early && !lines),
					      lines);
	if (odd)
		tacho__foreign_note(csv->amd.foreign,
				    "%" PRIu64 " line%s without a name or numbers %s left out of "
				    "%s.",
				    odd, tacho__plural(odd), odd == 1 ? "is" : "are",
				    tacho__base_name(rows->path));
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
		rc = take_rows(csv, &rows, kind);
	if (!rc && rows.ends_early)
		tacho__foreign_note(csv->amd.foreign,
				    "%s ends early: its last line is not whole and is left out.",
				    tacho__base_name(path));
	tacho__amd_table_close(&rows);
	tacho__foreign_explain_sums(
		csv->amd.foreign,
		"it has sums of AMD's profiler over all launches of a kernel or calls of a "
		"function, and no row of a single one",
		"open the traces that rocprofv3 --output-format csv (rocprof --hip-trace) writes "
		"beside it");
	return rc;
}
