/* SPDX-License-Identifier: MIT */
/* The files of rocprofv3 out of one pass over the recording; docs/rocprofv3.md tells them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fs.h"
#include "format/estimate.h"
#include "format/format.h"
#include "format/rocprofv3/rocpd.h"
#include "format/rocprofv3/rocprof_csv.h"

enum { AGENTS, COUNTERS, KERNELS, MARKERS, CSV_FILES };
enum { SENTENCES = 5 };

static const char *const csv_suffixes[CSV_FILES] = {"_agent_info.csv", "_counter_collection.csv",
						    "_kernel_trace.csv", "_marker_api_trace.csv"};

/* What these files cannot say. */
struct untold {
	uint64_t values, scaled; /* without a row; with one that looks like any other */
	uint64_t launches;	 /* without times: they are not in the database */
	uint64_t templates;	 /* executions, whose launches nobody knows one by one */
	uint64_t ranges;	 /* without an end: they are not in the database */
};

struct writer {
	struct tacho__rocprof_run run;
	struct tacho_kept *kept;
	struct tacho__fs_new files[CSV_FILES];
	struct tacho__rocprof_csv csv;
	struct tacho__rocpd rocpd;
	uint64_t calls, launches;
	struct untold untold;
	char *sentences[SENTENCES];
	size_t sentence_count;
	int rc; /* of ranges */
};

/* Only a recording that kept binaries has kernels looked up there. */
static void take_blob(void *user, const struct tacho_blob *blob)
{
	struct writer *writer = user;

	if (strcmp(blob->kind, "binary"))
		return;
	tacho_kept_add(writer->kept, blob);
	writer->run.kept = writer->kept;
}

static void count_untold(struct untold *untold, const struct tacho__rocprof_launch *launch)
{
	const struct tacho_column *column;
	struct tacho__rocprof_sum sum;

	untold->launches += launch->command->state != TACHO_STATE_OK;
	if (!launch->values)
		return;
	for (size_t i = 0; (column = tacho_result_get_column(launch->values, i)); i++) {
		if (!tacho__rocprof_has_column(column))
			continue;
		tacho__rocprof_add_up(column, &sum);
		untold->values += !sum.is_known;
		untold->scaled += sum.is_known && sum.is_scaled;
	}
}

static int add_launch(struct writer *writer, struct tacho_cursor *cursor,
		      const struct tacho_call *call)
{
	const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);
	struct tacho__rocprof_launch launch = {
		.run = &writer->run,
		.call = call,
		.command = call->command,
		.values = row && row->is_counted ? row->result : NULL,
		.call_number = writer->calls,
		.dispatch = ++writer->launches,
		.agent = tacho__rocprof_get_agent(&writer->run, call->command->device),
	};
	int rc = tacho__rocprof_get_resources(&writer->run, call->command->kernel,
					      call->command->device, &launch.resources);

	if (rc)
		return rc;
	if (launch.resources.local_bytes.is_known)
		launch.resources.local_bytes.value = tacho_command_get_local_bytes(
			call->command, launch.resources.local_bytes.value);
	tacho__rocprof_csv_add(&writer->csv, &launch);
	count_untold(&writer->untold, &launch);
	return tacho__rocpd_add_launch(&writer->rocpd, &launch);
}

static void add_range(void *user, const struct tacho_named_range *range)
{
	struct writer *writer = user;

	tacho__rocprof_csv_add_range(&writer->csv, range);
	writer->untold.ranges += range->is_open != 0;
	if (!writer->rc)
		writer->rc = tacho__rocpd_add_range(&writer->rocpd, range);
}

static int add(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct writer *writer = user;
	int rc = tacho__rocpd_add_call(&writer->rocpd, call, ++writer->calls);

	if (rc || !call->command)
		return rc;
	writer->untold.templates += call->command->contents != NULL;
	return call->command->kind == TACHO_COMMAND_KERNEL
		       ? add_launch(writer, cursor, call)
		       : tacho__rocpd_add_transfer(&writer->rocpd, call, writer->calls);
}

/* ---- what is told ---- */

static int add_sentence(struct writer *writer, uint64_t count, const char *sentence)
{
	char **text = &writer->sentences[writer->sentence_count];

	if (!count)
		return 0;
	if (asprintf(text, "%" PRIu64 " %s", count, sentence) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a text");
	return tacho__rocpd_put_note(&writer->rocpd, writer->sentences[writer->sentence_count++]);
}

static int add_sentences(struct writer *writer)
{
	const struct untold *untold = &writer->untold;
	int rc = add_sentence(
		writer, untold->values,
		"values of counters are not known, lost or overflowed: they have no row");

	if (!rc)
		rc = add_sentence(writer, untold->scaled,
				  "values were counted in a part of the time and scaled up: their "
				  "rows in the CSV do not say so");
	if (!rc)
		rc = add_sentence(writer, untold->launches,
				  "launches without times are in the CSV, and not in the "
				  "database, which demands times");
	if (!rc)
		rc = add_sentence(writer, untold->templates,
				  "executions of command buffers are left out: their launches "
				  "are not known one by one");
	if (!rc)
		rc = add_sentence(writer, untold->ranges,
				  "ranges without an end are in the CSV, and not in the database, "
				  "which demands one");
	if (!rc && tacho_recording_check(writer->run.recording))
		rc = tacho__rocpd_put_note(&writer->rocpd, "the recording is not whole");
	return rc;
}

/* When the files are there: who is told may never come back. */
static void tell(const struct writer *writer, const struct tacho__export *how)
{
	for (size_t i = 0; how->warn && i < writer->sentence_count; i++)
		how->warn(how->user, writer->sentences[i]);
}

/* ---- the files ---- */

static int create_files(struct writer *writer, const char *base, const struct tacho__export *how)
{
	char *path;
	int rc = 0;

	for (size_t i = 0; i < CSV_FILES && !rc; i++) {
		path = tacho__format_path(base, csv_suffixes[i]);
		rc = path ? tacho__export_create_csv(&writer->files[i], path, how) : TACHO_E_NOMEM;
		free(path);
	}
	if (rc)
		return rc;
	writer->csv = (struct tacho__rocprof_csv){.agents = writer->files[AGENTS].stream,
						  .counters = writer->files[COUNTERS].stream,
						  .kernels = writer->files[KERNELS].stream,
						  .markers = writer->files[MARKERS].stream};
	path = tacho__format_path(base, "_results.db");
	rc = path ? tacho__rocpd_create(&writer->rocpd, &writer->run, path, how->overwrite)
		  : TACHO_E_NOMEM;
	free(path);
	return rc;
}

static int write_all(struct writer *writer, struct tacho_recording *recording)
{
	struct tacho_cursor *cursor = NULL;
	int rc = tacho_cursor_open(recording, &cursor);

	if (!rc) {
		tacho_cursor_on_blob(cursor, take_blob, writer);
		tacho_cursor_on_range(cursor, add_range, writer);
		tacho__rocprof_csv_begin(&writer->csv);
		rc = tacho__format_each_call(cursor, add, writer);
	}
	if (!rc)
		rc = writer->rc;
	if (!rc) {
		tacho__rocprof_csv_put_agents(&writer->csv, &writer->run, cursor);
		rc = tacho__rocpd_put_about(&writer->rocpd, cursor);
	}
	if (!rc)
		rc = add_sentences(writer);
	tacho_cursor_close(cursor);
	return rc;
}

/* All that can fail is done before the first file gets its name. */
static int commit(struct writer *writer)
{
	int rc = 0;

	for (size_t i = 0; i < CSV_FILES && !rc; i++)
		if (ferror(writer->files[i].stream) || fflush(writer->files[i].stream))
			rc = tacho__fs_fail(errno ? errno : EIO, "write", writer->files[i].path);
	if (!rc)
		rc = tacho__sqlite_file_complete(&writer->rocpd.file);
	for (size_t i = 0; i < CSV_FILES && !rc; i++)
		rc = tacho__fs_commit(&writer->files[i]);
	return rc ? rc : tacho__sqlite_file_commit(&writer->rocpd.file);
}

static int write_rocprofv3(struct tacho_recording *recording, const char *base,
			   const struct tacho__export *how)
{
	struct writer writer = {.run = {.recording = recording}};
	int rc = tacho_kept_create(&writer.kept);

	if (!rc)
		rc = create_files(&writer, base, how);
	if (!rc)
		rc = write_all(&writer, recording);
	if (!rc)
		rc = tacho__export_check(recording, how);
	if (!rc)
		rc = commit(&writer);
	if (!rc)
		tell(&writer, how);
	for (size_t i = 0; i < writer.sentence_count; i++)
		free(writer.sentences[i]);
	for (size_t i = 0; i < CSV_FILES; i++)
		tacho__fs_discard(&writer.files[i]);
	tacho__rocpd_finish(&writer.rocpd);
	tacho_kept_destroy(writer.kept);
	return rc;
}

/* What lines and rows take. */
enum {
	EMPTY_BYTES = 240000, /* a page for each table, and views */
	PROCESS_BYTES = 1500,
	CALL_BYTES = 200, /* a region and its event */
	LAUNCH_BYTES = 140 + 250,
	VALUE_BYTES = 160 + 70,
};

static int estimate_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);
	struct tacho__estimate *estimate = user;

	estimate->bytes += CALL_BYTES;
	if (!call->command || call->command->kind != TACHO_COMMAND_KERNEL)
		return 0;
	estimate->bytes += LAUNCH_BYTES;
	if (row && row->is_counted)
		estimate->bytes += VALUE_BYTES * tacho_result_get_column_count(row->result);
	return 0;
}

static int estimate_rocprofv3(struct tacho_recording *recording, uint64_t *out_bytes)
{
	return tacho__estimate(recording, EMPTY_BYTES, PROCESS_BYTES, estimate_call, out_bytes);
}

const struct tacho__format tacho__format_rocprofv3 = {
	.format = {.name = "rocprofv3",
		   .summary = "the CSV files and the rocpd database of rocprofv3 "
			      "(docs/rocprofv3.md)",
		   .suffixes = "_agent_info.csv _counter_collection.csv _kernel_trace.csv "
			       "_marker_api_trace.csv _results.db"},
	.write = write_rocprofv3,
	.why_no_stream = "it is five files: four of CSV and a database",
	.estimate = estimate_rocprofv3,
};
