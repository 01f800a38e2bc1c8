/* SPDX-License-Identifier: MIT */
/*
 * CSV files of AMD's profilers: rocprofv3, rocprof, rocprofiler-compute. Each says a part of a run;
 * those whose names begin alike, or that lie in one folder, are of the same one.
 */
#include "format/foreign/amd_csv.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/amd_rocpd.h"

static bool fits(const struct tacho__foreign_file *file)
{
	return tacho__amd_sort_of(file->head) != TACHO__AMD_UNKNOWN;
}

/* ---- names of files ---- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Where the part begins that says what is in a file of a run; NULL: the name does not say. */
static const char *find_suffix(const char *base)
{
	static const char *const suffixes[] = {"kernel_trace",
					       "counter_collection",
					       "memory_copy_trace",
					       "memory_allocation_trace",
					       "scratch_memory",
					       "agent_info",
					       "hip_",
					       "hsa_",
					       "marker_",
					       "rccl_",
					       "hcc_ops_trace",
					       "async_copy_trace",
					       "roctx_trace",
					       "rocdecode_",
					       "rocjpeg_"};

	for (const char *at = base; *at; at++)
		for (size_t i = 0; i < TACHO__ARRAY_SIZE(suffixes); i++)
			if ((at == base || at[-1] == '_') &&
			    !strncmp(at, suffixes[i], strlen(suffixes[i])))
				return at;
	return NULL;
}

/* What rocprofv2 writes ends in its process: "hip_api_trace_12.csv", "results_12.csv". */
static const char *find_last_digits(const char *base)
{
	static const char *const begins[] = {"hip_api_trace_", "hsa_api_trace_",
					     "hcc_ops_trace_", "async_copy_trace_",
					     "roctx_trace_",   "results_"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(begins); i++)
		if (!strncmp(base, begins[i], strlen(begins[i])) &&
		    isdigit((unsigned char)base[strlen(begins[i])]))
			return base + strlen(begins[i]);
	return "";
}

/* "FOLDER/12_kernel_trace.csv" is of the run "FOLDER/12_", and of process 12. */
static int name_run(struct tacho__amd_csv *csv, const char *path)
{
	const char *base = base_of(path), *suffix = find_suffix(base), *digits = base;
	struct tacho__arena *arena = &csv->amd.foreign->recording->arena;
	size_t size = (size_t)((suffix ? suffix : base) - path);
	char *run = tacho__arena_text(arena, path, size), number[16] = "";

	while (isdigit((unsigned char)*digits))
		digits++;
	if (suffix && *digits == '_' && digits + 1 == suffix && digits - base < 11)
		memcpy(number, base, (size_t)(digits - base));
	digits = find_last_digits(base);
	if (strspn(digits, "0123456789") < sizeof(number))
		memcpy(number, digits, *digits ? strspn(digits, "0123456789") : 0);
	csv->named = (struct tacho__amd_number){0};
	csv->named.is_known = tacho__foreign_csv_unsigned(number, &csv->named.value) &&
			      csv->named.value <= UINT32_MAX;
	return run ? tacho__foreign_text(csv->amd.foreign, run, &csv->run) : TACHO_E_NOMEM;
}

/* All counters of a folder, in one file or one for each run: "pmc_perf.csv", "pmc_perf_3.csv",
 * since 2026 "results_pmc_perf_3.csv". */
static bool is_whole(const char *path)
{
	static const char result[] = "results_";
	const char *base = base_of(path);

	if (!strncmp(base, result, strlen(result)))
		base += strlen(result);
	return !strncmp(base, "pmc_perf", strlen("pmc_perf"));
}

/* What rocprofiler-compute made of its databases, which have the processes that it does not tell.
 */
static size_t find_database(const struct tacho__foreign_file *files, size_t count, size_t file)
{
	const char *base = base_of(files[file].path);
	enum tacho__amd_sort sort = tacho__amd_sort_of(files[file].head);
	bool is_of_runs = is_whole(base) || strstr(base, "SQ_") == base ||
			  strstr(base, "results_SQ_") == base;

	return is_of_runs && (sort == TACHO__AMD_COUNTER_ROWS || sort == TACHO__AMD_COUNTER_COLUMNS)
		       ? tacho__rocpd_beside(files, count, file)
		       : count;
}

/* What the level of "SQ_LEVEL_WAVES.csv" was added up to. */
static void name_level(const char *path, char out_name[64])
{
	const char *base = base_of(path);
	size_t size = strcspn(base, ".");

	*out_name = '\0';
	if (!strncmp(base, "SQ_", 3) && size < 48) {
		memcpy(out_name, base, size);
		strcpy(out_name + size, "_ACCUM");
	}
}

/* ---- files ---- */

static int read_rows(struct tacho__amd_csv *csv)
{
	int rc;

	while ((rc = tacho__amd_table_next(csv->table)) == 1) {
		rc = csv->sort == TACHO__AMD_API_TRACE || csv->sort == TACHO__AMD_COUNTER_ROWS
			     ? tacho__amd_learn_process(csv)
			     : 0;
		if (!rc)
			rc = tacho__amd_take_row(csv);
		if (rc)
			return rc;
	}
	tacho__foreign_note_end(csv->amd.foreign, csv->table->path,
				csv->table->csv.is_open && !csv->table->ends_early);
	if (!rc && csv->table->ends_early)
		rc = tacho__foreign_lose(csv->amd.foreign, csv->table->path,
					 "ends early: its last line is not whole and is left out");
	return rc;
}

static int read_file(struct tacho__amd_csv *csv, const struct tacho__foreign_file *file)
{
	struct tacho__amd_table table = {0};
	char level[64];
	int rc = name_run(csv, file->path);

	if (!rc && csv->named.is_known)
		rc = tacho__amd_tell_host(&csv->amd, file->path);
	if (csv->sort == TACHO__AMD_SUMS)
		return rc ? rc : tacho__amd_read_sums(csv, file->path);
	name_level(file->path, level);
	csv->table = &table;
	csv->last_process = 0;
	csv->is_whole = is_whole(file->path);
	if (!rc)
		rc = tacho__amd_table_open(
			&table, file->path,
			csv->sort == TACHO__AMD_COUNTER_COLUMNS ? &csv->amd : NULL, level);
	csv->has_indexed |= table.places[TACHO__AMD_INDEX] >= 0;
	csv->has_second |=
		*find_last_digits(base_of(file->path)) && table.places[TACHO__AMD_INDEX] < 0;
	if (!rc)
		rc = read_rows(csv);
	tacho__amd_table_close(&table);
	return rc;
}

static int read_sort(struct tacho__amd_csv *csv, enum tacho__amd_sort sort, bool wholes,
		     const struct tacho__foreign_file *files, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		csv->sort = tacho__amd_sort_of(files[i].head);
		if (csv->sort != sort || is_whole(files[i].path) != wholes)
			continue;
		csv->has[sort] = true;
		rc = read_file(csv, &files[i]);
	}
	return rc;
}

/* First what others need: agents, the processes of runs, and values that are believed. */
static int read_sorts(struct tacho__amd_csv *csv, const struct tacho__foreign_file *files,
		      size_t count)
{
	int rc = 0;

	for (int sort = TACHO__AMD_UNKNOWN + 1; sort < TACHO__AMD_SORTS && !rc; sort++) {
		rc = read_sort(csv, (enum tacho__amd_sort)sort, true, files, count);
		if (!rc)
			rc = read_sort(csv, (enum tacho__amd_sort)sort, false, files, count);
	}
	return rc;
}

/* Folders with a table of all counters. */
static int find_wholes(struct tacho__amd_csv *csv, const struct tacho__foreign_file *files,
		       size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		if (!is_whole(files[i].path))
			continue;
		rc = name_run(csv, files[i].path);
		if (!rc)
			rc = tacho__map_set(&csv->wholes, csv->run, csv);
	}
	return rc;
}

/* ---- what is told of them ---- */

/* Tables of sums name their tool themselves. */
static bool has_rows(const struct tacho__amd_csv *csv)
{
	for (int sort = 0; sort < TACHO__AMD_SORTS; sort++)
		if (csv->has[sort] && sort != TACHO__AMD_SUMS)
			return true;
	return false;
}

static int name_tool(const struct tacho__amd_csv *csv)
{
	struct tacho__foreign *foreign = csv->amd.foreign;
	bool is_workload = csv->has[TACHO__AMD_SYSINFO] || csv->wholes.count;
	int rc = 0;

	bool is_second = csv->has[TACHO__AMD_OPS_TRACE] || csv->has[TACHO__AMD_MARK_TRACE] ||
			 csv->has_second;

	if (csv->has_indexed)
		rc = tacho__foreign_set_tool(foreign, "rocprof, CSV");
	if (!rc && is_second)
		rc = tacho__foreign_set_tool(foreign, "rocprofv2, CSV");
	is_workload |= csv->has[TACHO__AMD_COUNTER_COLUMNS] && !csv->has_indexed && !is_second;
	if (!rc && is_workload)
		rc = tacho__foreign_set_tool(foreign, "rocprofiler-compute, CSV of a workload");
	if (!rc && !is_workload && !csv->has_indexed && !is_second && has_rows(csv))
		rc = tacho__foreign_set_tool(foreign, "rocprofv3, CSV");
	return rc;
}

static void note_what_lacks(const struct tacho__amd_csv *csv)
{
	struct tacho__foreign *foreign = csv->amd.foreign;

	if (csv->amd.launch_count && !csv->amd.has_queue_times)
		tacho__foreign_note(foreign, "When work was queued and submitted, and what calls "
					     "were given, is not in such files.");
	if (csv->copies)
		tacho__foreign_note(foreign, "How much was copied is not in such files: "
					     "databases and JSON of rocprofv3 have it.");
	if (csv->products)
		tacho__foreign_note(foreign, "Sizes of launches are told of all dimensions "
					     "together.");
	tacho__foreign_note_count(
		foreign, csv->allocations,
		"allocation of memory is a call here; how much it gave is left out.",
		"allocations of memory are calls here; how much they gave is left out.");
	tacho__foreign_note_count(foreign, csv->ends,
				  "marker without a text is left out: in such files ends of ranges "
				  "do not say what they end, and those with one are marks.",
				  "markers without a text are left out: in such files ends of "
				  "ranges do not say what they end, and those with one are marks.");
	tacho__foreign_note_count(
		foreign, csv->again,
		"kernel of the trace of operations is left out: it is in the table of launches.",
		"kernels of the trace of operations are left out: they are in the table of "
		"launches.");
	if (csv->rounded)
		tacho__foreign_note(foreign, "The file's times were rounded to a few digits, as a "
					     "spreadsheet does: they are not known.");
	if (csv->wholes.count &&
	    (csv->has[TACHO__AMD_COUNTER_COLUMNS] || csv->has[TACHO__AMD_COUNTER_ROWS]))
		tacho__foreign_note(foreign, "The counters of a launch were counted in several "
					     "runs of the program.");
	if (!csv->amd.launch_count && !csv->copies && !csv->calls)
		foreign->recording->run.why_empty = "The files hold no call and no work.";
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	struct tacho__amd_csv csv = {0};
	int rc;

	tacho__amd_begin(&csv.amd, foreign);
	rc = find_wholes(&csv, files, count);
	if (!rc)
		rc = read_sorts(&csv, files, count);
	if (!rc)
		rc = tacho__amd_end_launches(&csv.amd);
	if (!rc)
		rc = name_tool(&csv);
	if (!rc)
		note_what_lacks(&csv);
	tacho__amd_finish(&csv.amd);
	tacho__map_finish(&csv.pids);
	tacho__map_finish(&csv.wholes);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_amd_csv = {
	.name = "rocprof-csv",
	.title = "rocprofv3, rocprof, rocprofiler-compute: CSV",
	.fits = fits,
	.read = read_files,
	.find_database = find_database,
};
