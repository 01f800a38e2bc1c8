/* SPDX-License-Identifier: MIT */
#include "format/import/import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/catalog.h"
#include "base/fs.h"
#include "base/text.h"

#define FILE_BYTES_MAX ((size_t)4 << 30)

static const char *const suffixes[TACHO__IMPORT_FILES] = {".atp", ".csv", ".occupancy"};

bool tacho__import_is_file(const char *path, enum tacho__import_file *out_file)
{
	for (size_t i = 0; i < TACHO__IMPORT_FILES; i++) {
		size_t length = strlen(path), size = strlen(suffixes[i]);

		if (length > size && !strcmp(path + length - size, suffixes[i])) {
			*out_file = (enum tacho__import_file)i;
			return true;
		}
	}
	return false;
}

/* Whether there is BASE + suffix, whose path is put into `out_path`. */
static int find_file(const char *base, size_t length, size_t suffix, struct tacho__buf *out_path,
		     bool *out_is_there)
{
	mode_t kind = 0;
	int rc;

	tacho__buf_clear(out_path);
	tacho__buf_printf(out_path, "%.*s%s", (int)length, base, suffixes[suffix]);
	rc = out_path->failed ? TACHO_E_NOMEM : tacho__fs_get_kind(out_path->text, &kind);
	if (!rc)
		*out_is_there = kind != 0;
	return rc;
}

int tacho__import_find_base(const char *base, bool *out_is_there)
{
	struct tacho__buf path = {0};
	bool is_there = false;
	int rc = 0;

	for (size_t i = 0; i < TACHO__IMPORT_FILES && !rc && !is_there; i++)
		rc = find_file(base, strlen(base), i, &path, &is_there);
	tacho__buf_finish(&path);
	if (!rc)
		*out_is_there = is_there;
	return rc;
}

void tacho__import_put_launch(struct tacho__buf *out_text, uint32_t thread,
			      struct tacho__span kernel)
{
	tacho__buf_clear(out_text);
	tacho__buf_printf(out_text, "%" PRIu32 "/", thread);
	if (kernel.at)
		tacho__buf_add(out_text, kernel.at, tacho__span_size(kernel));
}

/* ---- files ---- */

static struct tacho__span text_of(const struct tacho__import *import, enum tacho__import_file file)
{
	const char *text = tacho__buf_text(&import->texts[file]);

	return (struct tacho__span){text, text + import->texts[file].size};
}

static int parse_file(struct tacho__import *import, const char *path, enum tacho__import_file file)
{
	static const char mark[] = "\xef\xbb\xbf"; /* editors put it in front */
	struct tacho__span text = text_of(import, file);

	if (tacho__span_starts(text, mark))
		text.at += strlen(mark);
	if (file == TACHO__IMPORT_ATP)
		return tacho__atp_read(path, text, &import->header, &import->atp);
	return tacho__csv_read(path, text, file == TACHO__IMPORT_OCCUPANCY, &import->header,
			       file == TACHO__IMPORT_CSV ? &import->csv : &import->occupancy);
}

static int read_file(struct tacho__import *import, const char *path, enum tacho__import_file file)
{
	int rc = tacho__fs_read(path, FILE_BYTES_MAX, &import->texts[file]);

	if (!rc)
		rc = parse_file(import, path, file);
	import->has[file] = !rc;
	return rc;
}

/* Those of the base name that are there. */
static int read_base(struct tacho__import *import, const char *base, size_t length)
{
	struct tacho__buf path = {0};
	int rc = 0;

	for (size_t i = 0; i < TACHO__IMPORT_FILES && !rc; i++) {
		bool is_there = false;

		rc = find_file(base, length, i, &path, &is_there);
		if (!rc && is_there)
			rc = read_file(import, path.text, (enum tacho__import_file)i);
	}
	tacho__buf_finish(&path);
	return rc;
}

static int read_files(struct tacho__import *import, const char *path, enum tacho__import_file file)
{
	mode_t kind = 0;
	int rc;

	if (file == TACHO__IMPORT_FILES)
		return read_base(import, path, strlen(path));
	if (file != TACHO__IMPORT_ATP)
		return read_file(import, path, file);
	rc = tacho__fs_get_kind(path, &kind);
	if (rc || !kind)
		return rc ? rc : read_file(import, path, file); /* tells why it is not there */
	return read_base(import, path, strlen(path) - strlen(suffixes[TACHO__IMPORT_ATP]));
}

/* ---- rows ---- */

/* Chains the rows of one thread and kernel, in their order. */
static int chain_occupancies(struct tacho__import *import)
{
	struct tacho__csv_file *file = &import->occupancy;
	struct tacho__span *cells = calloc(file->column_count + 1, sizeof(*cells));
	struct tacho__buf key = {0};
	int rc = cells ? 0 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for rows");

	for (size_t i = file->row_count; i-- > 0 && !rc;) {
		struct tacho__csv_row *row = &file->rows[i];
		const char *kept;

		tacho__csv_split(file, row->line, cells);
		tacho__import_put_launch(&key, row->thread,
					 tacho__csv_get(file, cells, TACHO__CSV_KERNEL));
		if (key.failed) {
			rc = TACHO_E_NOMEM;
			break;
		}
		row->next = (uintptr_t)tacho__names_get(&import->launches, tacho__buf_text(&key));
		kept = tacho__arena_string(import->header.arena, tacho__buf_text(&key));
		rc = kept ? tacho__names_set(&import->launches, kept, (void *)(uintptr_t)(i + 1))
			  : TACHO_E_NOMEM;
	}
	tacho__buf_finish(&key);
	free(cells);
	return rc;
}

/* Numbers of kernels that the files give are not given to others. */
static int find_kernel_ids(struct tacho__import *import)
{
	struct tacho__csv_file *file = &import->csv;
	struct tacho__span *cells = calloc(file->column_count + 1, sizeof(*cells));

	if (!cells)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for rows");
	for (size_t i = 0; i < file->row_count; i++) {
		struct tacho__csv_method method;

		tacho__csv_split(file, file->rows[i].line, cells);
		tacho__csv_parse_method(tacho__csv_get(file, cells, TACHO__CSV_METHOD),
					&import->header, &method);
		if (method.number < UINT32_MAX / 2 && method.number > import->kernel_id_max)
			import->kernel_id_max = method.number;
	}
	free(cells);
	return 0;
}

static int add_counters(struct tacho_recording *recording, struct tacho__csv_file *file)
{
	for (size_t i = 0; i < file->column_count; i++) {
		struct tacho__csv_column *column = &file->columns[i];
		const char *name;

		if (column->role != TACHO__CSV_COUNTER)
			continue;
		name = tacho__arena_text(&recording->arena, column->title.at,
					 tacho__span_size(column->title));
		if (!name)
			return TACHO_E_NOMEM;
		column->counter = recording->counter_count++;
		recording->counters[column->counter] = (struct tacho_entry){
			.name = name,
			.unit = column->unit,
			.group = file->is_occupancy ? TACHO__IMPORT_OCCUPANCY_GROUP : "",
			.type = column->type,
			.is_simulated = recording->counted.is_simulated && !file->is_occupancy,
		};
		tacho__entry_complete(&recording->counters[column->counter]);
	}
	return 0;
}

static int find_counters(struct tacho_recording *recording, struct tacho__import *import)
{
	size_t count = import->csv.column_count + import->occupancy.column_count;
	const char *from = import->header.counters_from;
	int rc;

	recording->counters =
		tacho__arena_get(&recording->arena, (count + 1) * sizeof(*recording->counters));
	if (!recording->counters)
		return TACHO_E_NOMEM;
	recording->counted = (struct tacho_recorded_counting){.device = from ? from : "",
							      .is_simulated = from != NULL,
							      .replay = TACHO_REPLAY_NONE};
	rc = add_counters(recording, &import->csv);
	/* Without a row it only says that occupancy was not known. */
	if (!rc && import->occupancy.row_count)
		rc = add_counters(recording, &import->occupancy);
	recording->is_counted = recording->counter_count != 0;
	return rc;
}

/* ---- the recording ---- */

static int make_process(struct tacho_recording *recording, const char *path)
{
	const struct tacho_run *run = &recording->run;
	struct tacho__process *process = calloc(1, sizeof(*process));
	struct tacho__buf command = {0};
	struct tacho_process *info;

	recording->processes = calloc(1, sizeof(struct tacho__process *));
	if (!process || !recording->processes) {
		free(process);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a process");
	}
	recording->processes[recording->process_count++] = process;
	info = &process->process;
	info->directory = tacho__arena_string(&recording->arena, tacho__base_name(path));
	info->executable = run->application;
	tacho__buf_printf(&command, "%s%s%s", run->application, *run->arguments ? " " : "",
			  run->arguments);
	info->command = tacho__buf_keep(&command, &recording->arena);
	info->loader = info->clock = info->uncounted = info->uncounted_cure = "";
	info->unwatched = "";
	return info->directory && info->command ? 0 : TACHO_E_NOMEM;
}

static void put_count(struct tacho__buf *note, uint64_t count, const char *one, const char *many,
		      const char *rest)
{
	if (count)
		tacho__buf_printf(note, "%s%" PRIu64 " %s %s", note->size ? " " : "", count,
				  count == 1 ? one : many, rest);
}

/* What was left out, one sentence each. */
static int make_note(struct tacho_recording *recording, const struct tacho__import *import)
{
	const struct tacho__import_tally *tally = &import->tally;
	struct tacho__buf note = {0};

	if (import->header.excluded)
		tacho__buf_printf(&note, "Calls of these functions were not recorded: %s.",
				  import->header.excluded);
	put_count(&note, tally->packets, "HSA packet without times is",
		  "HSA packets without times are", "left out.");
	if (import->has[TACHO__IMPORT_ATP])
		put_count(&note, import->csv.row_count - tally->rows_matched,
			  "row of the .csv is left out, because it fits",
			  "rows of the .csv are left out, because they fit",
			  "no call of the .atp: the files are of different runs. Give the .csv "
			  "alone to see them.");
	if (import->has[TACHO__IMPORT_ATP] || import->has[TACHO__IMPORT_CSV])
		put_count(&note, import->occupancy.row_count - tally->occupancies_matched,
			  "row of the .occupancy is left out, because it fits",
			  "rows of the .occupancy are left out, because they fit",
			  "no launch. Give the .occupancy alone to see them.");
	recording->run.import_note = tacho__buf_keep(&note, &recording->arena);
	return recording->run.import_note ? 0 : TACHO_E_NOMEM;
}

/* A fault of the session, in words that are finished here, by which so many calls are missing. */
static int add_fault(struct tacho_recording *recording, struct tacho__buf *what, uint64_t calls)
{
	const struct tacho_fault fault = {.path = recording->processes[0]->process.directory,
					  .what = tacho__buf_text(what),
					  .calls = calls};
	int rc = what->failed ? TACHO_E_NOMEM : tacho__fault_add(recording, &fault, 0);

	tacho__buf_finish(what);
	return rc;
}

/* Calls of which a file that was cut has one half, or less. */
static int tell_cut(struct tacho_recording *recording, const struct tacho__import *import)
{
	const struct tacho__import_tally *tally = &import->tally;
	struct tacho__buf what = {0};
	int rc = 0;

	if (import->atp.is_cut) {
		tacho__buf_put(&what, "ends early: a part of it has fewer lines than it says");
		rc = add_fault(recording, &what, 0);
	}
	if (!rc && tally->untimed) {
		tacho__buf_put(&what, "has calls without times, which are left out");
		rc = add_fault(recording, &what, tally->untimed);
	}
	if (!rc && tally->cut) {
		tacho__buf_printf(&what,
				  "has %" PRIu64 " line%s of times that end%s early: what the "
				  "device did is not known there",
				  tally->cut, tacho__plural(tally->cut),
				  tally->cut == 1 ? "s" : "");
		rc = add_fault(recording, &what, 0);
	}
	return rc;
}

/* Calls that are there, and cannot be told from each other. */
static int tell_misplaced(struct tacho_recording *recording, const struct tacho__import *import)
{
	const struct tacho__import_tally *tally = &import->tally;
	const struct tacho__span *call = &tally->misplaced_call, *times = &tally->misplaced_times;
	struct tacho__buf what = {0};

	if (!tally->misplaced)
		return 0;
	tacho__buf_printf(&what,
			  "has times of %.*s for a call of %.*s by thread %" PRIu32
			  ": from there on its times belong to other calls",
			  (int)tacho__span_size(*times), times->at, (int)tacho__span_size(*call),
			  call->at, tally->misplaced_thread);
	return add_fault(recording, &what, tally->misplaced);
}

static int fill(struct tacho_recording *recording, struct tacho__import *import, const char *path)
{
	struct tacho_losses *losses;
	int rc = tacho__import_header_fill(&import->header, &recording->run);

	if (!rc)
		rc = tacho__import_header_tell(&import->header, recording);
	if (!rc)
		rc = make_process(recording, path);
	if (!rc)
		rc = find_counters(recording, import);
	if (!rc)
		rc = find_kernel_ids(import);
	if (!rc)
		rc = chain_occupancies(import);
	if (!rc)
		rc = tacho__import_survey(recording, &import->tally);
	if (rc)
		return rc;
	losses = &recording->processes[0]->process.losses;
	losses->unreadable = import->tally.unreadable + import->atp.unreadable +
			     import->csv.unreadable + import->occupancy.unreadable;
	losses->headless_ranges = import->tally.headless_ranges;
	losses->deep_ranges = import->tally.deep_ranges;
	rc = tell_misplaced(recording, import);
	if (!rc)
		rc = tell_cut(recording, import);
	if (rc)
		return rc;
	recording->run.why_empty = "The session files hold no call and no launch.";
	return make_note(recording, import);
}

int tacho__import_open(const char *path, enum tacho__import_file file,
		       struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = calloc(1, sizeof(*recording));
	struct tacho__import *import = calloc(1, sizeof(*import));
	int rc;

	if (!recording || !import) {
		free(recording);
		free(import);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	}
	tacho__recording_init(recording);
	recording->source = &tacho__source_import;
	recording->source_data = import;
	import->header.arena = &recording->arena;
	recording->path = strdup(path);
	rc = recording->path ? read_files(import, path, file)
			     : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	import->column_max = import->csv.column_count > import->occupancy.column_count
				     ? import->csv.column_count
				     : import->occupancy.column_count;
	if (!rc)
		rc = fill(recording, import, path);
	if (rc)
		tacho_recording_close(recording);
	else
		*out_recording = recording;
	return rc;
}

void tacho__import_close(struct tacho_recording *recording)
{
	struct tacho__import *import = recording->source_data;

	for (size_t i = 0; i < TACHO__IMPORT_FILES; i++)
		tacho__buf_finish(&import->texts[i]);
	tacho__atp_file_finish(&import->atp);
	tacho__csv_file_finish(&import->csv);
	tacho__csv_file_finish(&import->occupancy);
	tacho__names_finish(&import->launches);
	free(import);
}
