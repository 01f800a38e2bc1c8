/* SPDX-License-Identifier: MIT */
/*
 * rocpd databases, which rocprofv3 writes: a set of tables for each process, told apart by what
 * their names end with. The views over them are not run.
 */
#include "format/foreign/amd_rocpd.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

/* A set has one of each; by this one it is found. */
#define STRINGS "rocpd_string"

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const tables[] = {"rocpd_info_process", "rocpd_kernel_dispatch",
					     "rocpd_region"};
	struct tacho__buf name = {0};
	bool is_all = file->db != NULL;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables) && is_all; i++)
		is_all = !tacho__foreign_db_find(file->db, tables[i], "", &name) && name.size;
	tacho__buf_finish(&name);
	return is_all;
}

/* ---- a set ---- */

/* A query for one row by its id. */
static int open_by_id(struct tacho__rocpd_set *set, const char *table, const char *const *columns,
		      size_t count, struct tacho__foreign_query *out_query)
{
	struct tacho__buf buf = {0};
	const char *name = tacho__rocpd_table(set, table, &buf);
	int rc = name ? tacho__foreign_query_open(set->db, name, columns, count,
						  " WHERE \"id\" = ?", out_query)
		      : TACHO_E_NOMEM;

	/* names in errors are of the format, not of the set */
	out_query->table = "a table";
	tacho__buf_finish(&buf);
	return rc;
}

/* What sorts events is a text, and a table of its own since schema 4.1. */
static int open_categories(struct tacho__rocpd_set *set)
{
	static const char *const text[] = {"string"}, *const name[] = {"name"};

	return open_by_id(set, set->has_tracks ? "info_category" : "string",
			  set->has_tracks ? name : text, 1, &set->categories);
}

static int open_set(struct tacho__rocpd_set *set)
{
	static const char *const columns[][7] = {
		{"string"},
		{"stack_id", "category_id"},
		{"pid", "command"},
		{"tid"},
		{"type", "name", "product_name", "vendor_name", "absolute_index"},
		{"name"},
		{"display_name", "kernel_name", "group_segment_size", "private_segment_size",
		 "arch_vgpr_count", "accum_vgpr_count", "sgpr_count"},
		{"name", "units"},
		{"pid", "tid", "queue_id", "agent_id"},
	};
	const struct {
		const char *table;
		size_t count;
		struct tacho__foreign_query *query;
	} all[] = {
		{"string", 1, &set->strings},
		{"event", 2, &set->events},
		{"info_process", 2, &set->processes},
		{"info_thread", 1, &set->threads},
		{"info_agent", 5, &set->agents},
		{"info_queue", 1, &set->queues},
		{"info_kernel_symbol", 7, &set->kernels},
		{"info_pmc", 2, &set->counters},
		{"track", 4, &set->tracks},
	};
	static const char *const value[] = {"value"};
	int rc = 0;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(all) && !rc; i++)
		rc = open_by_id(set, all[i].table, columns[i], all[i].count, all[i].query);
	if (!rc && set->has_stamps)
		rc = open_by_id(set, "timestamp", value, 1, &set->stamps);
	return rc ? rc : open_categories(set);
}

static void close_set(struct tacho__rocpd_set *set)
{
	struct tacho__foreign_query *queries[] = {&set->strings,    &set->events,   &set->processes,
						  &set->threads,    &set->agents,   &set->queues,
						  &set->kernels,    &set->counters, &set->tracks,
						  &set->categories, &set->stamps};
	struct tacho__map *maps[] = {&set->texts,      &set->category_texts, &set->process_map,
				     &set->thread_map, &set->kernel_map,     &set->counter_map};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(queries); i++)
		tacho__foreign_query_close(queries[i]);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(maps); i++)
		tacho__map_finish(maps[i]);
	tacho__amd_finish(&set->amd);
	tacho__buf_finish(&set->suffix);
}

/* ---- what is told of it ---- */

/* Who wrote it, and what tacho said of what it could not write. */
static int read_metadata(struct tacho__rocpd_set *set)
{
	static const char *const columns[] = {"tag", "value"};
	struct tacho__buf name = {0}, tool = {0}, schema = {0};
	struct tacho__foreign_query query = {0};
	const char *table = tacho__rocpd_table(set, "metadata", &name);
	int rc = table ? tacho__foreign_query_open(set->db, table, columns, 2, "", &query)
		       : TACHO_E_NOMEM;

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1) {
		const char *tag = tacho__foreign_query_text(&query, 0);
		const char *value = tacho__foreign_query_text(&query, 1);

		if (!strcmp(tag, "tacho_note"))
			tacho__foreign_note(set->amd.foreign, "%.300s.", value);
		else if (!strcmp(tag, "generator") && !tool.size)
			tacho__buf_put(&tool, value);
		else if (!strcmp(tag, "schema_version") && !schema.size)
			tacho__buf_put(&schema, value);
		rc = 0;
	}
	tacho__foreign_query_close(&query);
	if (!tool.size)
		tacho__buf_put(&tool, "rocprofv3");
	tacho__buf_put(&tool, ", rocpd database");
	if (schema.size)
		tacho__buf_printf(&tool, " of schema %s", schema.text);
	if (!rc)
		rc = tool.failed || schema.failed
			     ? TACHO_E_NOMEM
			     : tacho__foreign_set_tool(set->amd.foreign, tool.text);
	tacho__buf_finish(&name);
	tacho__buf_finish(&tool);
	tacho__buf_finish(&schema);
	return rc;
}

/* What all sets lack is said once. */
struct told {
	uint64_t sets, launches, summed, lonely, samples, allocations, copies, calls;
	uint64_t again; /* databases of runs that only counted */
};

static void add_told(struct told *told, const struct tacho__rocpd_set *set)
{
	told->launches += set->launches;
	told->summed += set->summed;
	told->lonely += set->lonely;
	told->samples += set->samples;
	told->allocations += set->allocations;
	told->copies += set->copies;
	told->calls += set->calls;
}

static void note_what_lacks(struct tacho__foreign *foreign, const struct told *told)
{
	if (told->launches)
		tacho__foreign_note(foreign, "When work was queued and submitted is not in such "
					     "files.");
	if (told->calls)
		tacho__foreign_note(foreign, "What calls were given and answered is left out.");
	tacho__foreign_note_count(foreign, told->summed,
				  "value is a sum over the instances of a counter.",
				  "values are sums over the instances of a counter.");
	tacho__foreign_note_count(foreign, told->lonely,
				  "value is of no launch, such as samples, and is left out.",
				  "values are of no launch, such as samples, and are left out.");
	tacho__foreign_note_count(
		foreign, told->samples,
		"value is a sample while kernels ran, of a unit of the device, and is left out.",
		"values are samples while kernels ran, of units of the device, and are left out.");
	if (told->again)
		tacho__foreign_note(foreign,
				    "The counters of a launch were counted in several runs of the "
				    "program, in %" PRIu64 " more database%s: times and calls are "
				    "those of the first run.",
				    told->again, tacho__plural(told->again));
	tacho__foreign_note_count(
		foreign, told->allocations,
		"allocation of memory is a call here; how much it gave is left out.",
		"allocations of memory are calls here; how much they gave is left out.");
	if (!told->launches && !told->calls && !told->copies && !told->allocations)
		foreign->recording->run.why_empty = "The file holds no call and no work.";
}

/* ---- files ---- */

/* Whose clock the times are of. */
static int read_host(struct tacho__rocpd_set *set)
{
	static const char *const columns[] = {"hostname"};
	struct tacho__buf name = {0};
	struct tacho__foreign_query query = {0};
	const char *table = tacho__rocpd_table(set, "info_node", &name);
	int rc = table ? tacho__foreign_query_open(set->db, table, columns, 1, "", &query)
		       : TACHO_E_NOMEM;

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1) {
		tacho__foreign_set_host(set->amd.foreign, tacho__foreign_query_text(&query, 0));
		rc = 0;
	}
	tacho__foreign_query_close(&query);
	tacho__buf_finish(&name);
	return rc;
}

/* A file, and what is known of it before it is read. */
struct file {
	struct tacho__foreign_db *db;
	struct tacho__amd *passes;
	const char *level;
	uint32_t process; /* of the run that told its launches, + 1; read: its own */
};

static int read_set(struct tacho__foreign *foreign, struct file *file, const char *suffix,
		    struct told *told)
{
	struct tacho__rocpd_set set = {.db = file->db,
				       .number = ++told->sets,
				       .passes = file->passes,
				       .level = file->level,
				       .is_again = file->process != 0,
				       .process = file->process - 1};
	int rc;

	tacho__amd_begin(&set.amd, foreign);
	tacho__buf_put(&set.suffix, suffix);
	rc = set.suffix.failed ? TACHO_E_NOMEM : tacho__foreign_text(foreign, suffix, &set.run);
	if (!rc)
		rc = tacho__rocpd_check_schema(&set);
	if (!rc)
		rc = open_set(&set);
	if (!rc)
		rc = read_metadata(&set);
	if (!rc)
		rc = read_host(&set);
	if (!rc)
		rc = tacho__rocpd_read_rows(&set);
	if (!rc && !set.is_again)
		rc = tacho__rocpd_note_left(&set);
	file->process = set.process + 1;
	add_told(told, &set);
	close_set(&set);
	return rc;
}

static int read_file(struct tacho__foreign *foreign, struct file *file, struct told *told)
{
	const uint32_t process = file->process;
	struct tacho__buf name = {0};
	int rc = tacho__foreign_db_find(file->db, STRINGS, "", &name);

	while (!rc && name.size) {
		file->process = process;
		rc = read_set(foreign, file, name.text + strlen(STRINGS), told);
		if (!rc)
			rc = tacho__foreign_db_find(file->db, STRINGS, name.text, &name);
	}
	tacho__buf_finish(&name);
	return rc;
}

/* Those that tell their launches, or those that tell them again. */
static int read_runs(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		     size_t count, struct tacho__amd *passes, uint32_t *processes,
		     struct told *told, bool is_again)
{
	char level[64];
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		size_t first = tacho__rocpd_first_run(files, count, i);
		bool is_run = tacho__rocpd_is_run(files[i].path, level);
		struct file file = {.db = files[i].db,
				    .passes = is_run ? passes : NULL,
				    .level = is_run ? level : NULL,
				    .process = processes[first]};

		if (!files[i].db || (first != i) != is_again)
			continue;
		told->again += file.process != 0;
		rc = read_file(foreign, &file, told);
		if (first == i)
			processes[i] = file.process;
	}
	return rc;
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	struct told told = {0};
	struct tacho__amd passes;
	uint32_t *processes = calloc(count + 1, sizeof(*processes));
	int rc = processes ? 0 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for files");

	tacho__amd_begin(&passes, foreign);
	if (!rc)
		rc = read_runs(foreign, files, count, &passes, processes, &told, false);
	if (!rc)
		rc = read_runs(foreign, files, count, &passes, processes, &told, true);
	if (!rc)
		rc = tacho__amd_end_launches(&passes);
	if (!rc && passes.counted_alone)
		tacho__foreign_note_count(
			foreign, passes.counted_alone,
			"launch is not in the first run of the program, or of another kernel "
			"there: it has what its own run counted.",
			"launches are not in the first run of the program, or of another kernel "
			"there: they have what their own run counted.");
	tacho__amd_finish(&passes);
	free(processes);
	if (!rc && foreign->recording->process_count)
		foreign->recording->run.application =
			foreign->recording->processes[0]->process.executable;
	if (!rc)
		note_what_lacks(foreign, &told);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_amd_rocpd = {
	.name = "rocpd",
	.title = "rocprofv3, rocpd database",
	.fits = fits,
	.read = read_files,
};
