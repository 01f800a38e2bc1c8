/* SPDX-License-Identifier: MIT */
/* Opening a recording: its run, its processes, what their control streams say. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/pack.h"
#include "catalog/catalog.h"
#include "catalog/command_entries.h"
#include "record/reader.h"
#include "record/place.h"
#include "record/kept_source.h"

#define SUFFIX ".tacho"

enum { META_BYTES_MAX = 4 * 1024 * 1024, TABLE_BYTES_MAX = 4 * 1024 * 1024 };

const char *tacho_command_kind_to_string(enum tacho_command_kind kind)
{
	static const char *const names[] = {"unknown", "kernel",	"write", "read",
					    "copy",    "fill",		"map",	 "unmap",
					    "other",   "command buffer"};

	return (unsigned)kind < TACHO__ARRAY_SIZE(names) ? names[kind] : "unknown";
}

const char *tacho__attribute(struct tacho__arena *arena, const char *text, const char *key,
			     const char *otherwise)
{
	size_t length = strlen(key);

	for (const char *line = text; line && *line;) {
		const char *end = strchrnul(line, '\n');

		if (!strncmp(line, key, length) && line[length] == '=') {
			const char *value = line + length + 1;
			char *copy = tacho__arena_text(arena, value, (size_t)(end - value));

			return copy ? copy : otherwise;
		}
		line = *end ? end + 1 : end;
	}
	return otherwise;
}

static int fail_kind(const char *name, mode_t kind)
{
	return tacho__fail(
		TACHO_E_NOTFOUND,
		kind	 ? tacho__detail("%s is %s, and %s" SUFFIX " is no folder", name,
					 tacho__fs_kind_to_string(kind), name)
		: !*name ? "its name is empty"
			 : tacho__detail("neither %s nor %s" SUFFIX " is a folder", name, name),
		"name the recording that `tacho record` printed", "cannot open recording %s", name);
}

/* "NAME" or "NAME.tacho" */
static int find_path(const char *name, char **out_path)
{
	mode_t kind = 0, other = 0;
	char *path = NULL;
	int rc;

	if (asprintf(&path, "%s" SUFFIX, name) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", name);
	rc = tacho__fs_get_kind(name, &kind);
	if (!rc && kind != S_IFDIR)
		rc = tacho__fs_get_kind(path, &other);
	if (!rc && kind != S_IFDIR && other != S_IFDIR)
		rc = fail_kind(name, kind);
	if (rc) {
		free(path);
		return rc;
	}
	if (kind == S_IFDIR)
		path[strlen(name)] = '\0';
	for (size_t length = strlen(path); length > 1 && path[length - 1] == '/';)
		path[--length] = '\0';
	*out_path = path;
	return 0;
}

static int read_json(struct tacho_recording *recording, const char *file,
		     struct tacho__json **out_json)
{
	char *path = NULL;
	struct tacho__buf text = {0};
	int rc;

	if (asprintf(&path, "%s/%s", recording->path, file) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file);
	rc = tacho__fs_read(path, META_BYTES_MAX, &text);
	if (!rc)
		rc = tacho__json_parse(&recording->arena, tacho__buf_text(&text), text.size,
				       out_json);
	tacho__buf_finish(&text);
	free(path);
	return rc;
}

/* A file beside the calls that is there and of no use; NOMEM stays an error. */
static int note_file(struct tacho_recording *recording, const char *file, int rc)
{
	struct tacho_fault fault = {.what = rc == TACHO_E_PARSE ? "makes no sense"
								: "cannot be read",
				    .error = tacho_error_last()->vendor_code};
	char *path;

	if (rc == TACHO_E_NOMEM)
		return rc;
	if (rc == TACHO_E_PERM)
		fault.error = errno;
	if (asprintf(&path, "%s/%s", recording->path, file) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file);
	fault.path = path;
	rc = tacho__fault_add(recording, &fault, 0);
	free(path);
	return rc;
}

/* The arguments behind the program's name, joined by blanks. */
static const char *join_arguments(struct tacho__arena *arena, const struct tacho__json *array)
{
	struct tacho__buf text = {0};
	const char *joined;

	if (array && array->type == TACHO__JSON_ARRAY)
		for (const struct tacho__json *item = array->first; item; item = item->next)
			if (item->type == TACHO__JSON_STRING)
				tacho__buf_printf(&text, "%s%s", text.size ? " " : "",
						  item->string);
	joined = text.failed ? NULL : tacho__arena_string(arena, tacho__buf_text(&text));
	tacho__buf_finish(&text);
	return joined;
}

/* A recording that was saved while it was written is its files, whatever came after. */
static void read_snapshot(struct tacho_recording *recording, const struct tacho__json *end)
{
	int64_t first_piece = tacho__json_integer(end, TACHO__SNAPSHOT_KEY, -1);

	if (first_piece < 0)
		return;
	recording->is_snapshot = true;
	recording->first_piece = first_piece <= UINT32_MAX ? (uint32_t)first_piece : 0;
	recording->pool = "";
}

static int take_end(struct tacho_recording *recording, const struct tacho__json *end)
{
	struct tacho_run *run = &recording->run;

	run->end_ns = (uint64_t)tacho__json_integer(tacho__json_get(end, "end"), "monotonic_ns", 0);
	run->exit_status = (int)tacho__json_integer(end, "exit_status", -1);
	run->why_empty = tacho__json_string(end, "why_empty", "");
	run->keeper_ns = (uint64_t)tacho__json_integer(end, "keeper_ns", 0);
	read_snapshot(recording, end);
	return tacho__machine_facts_read(recording, end, true);
}

static int read_meta(struct tacho_recording *recording)
{
	struct tacho_run *run = &recording->run;
	struct tacho__json *meta = NULL, *end = NULL;
	const struct tacho__json *start;
	int rc = read_json(recording, TACHO__META_FILE, &meta);

	if (rc == TACHO_E_NOTFOUND)
		return tacho__fail(TACHO_E_PARSE, "it has no " TACHO__META_FILE,
				   "where tacho was killed before the program began, record again: "
				   "tacho record -f",
				   "%s is not a recording", recording->path);
	if (rc)
		return rc;
	run->generator = tacho__json_string(meta, "generator", "");
	run->application = tacho__json_string(meta, "application", "");
	run->arguments = join_arguments(&recording->arena, tacho__json_get(meta, "arguments"));
	if (!run->arguments)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", recording->path);
	run->working_directory = tacho__json_string(meta, "working_directory", "");
	run->host = tacho__json_string(meta, "host", "");
	run->os_name = tacho__json_string(meta, "os_name", "");
	run->os_release = tacho__json_string(meta, "os_release", "");
	run->via = tacho__json_string(meta, "via", "");
	recording->stamp = tacho__json_string(meta, TACHO__STAMP_KEY, "");
	recording->pool = tacho__json_string(meta, TACHO__POOL_KEY, "");
	run->why_empty = run->why_uncounted = "";
	run->exit_status = -1;
	rc = tacho__machine_facts_read(recording, meta, false);
	if (rc)
		return rc;
	start = tacho__json_get(meta, "start");
	run->start_ns = (uint64_t)tacho__json_integer(start, "monotonic_ns", 0);
	run->realtime_offset_ns =
		tacho__json_integer(start, "realtime_ns", 0) - (int64_t)run->start_ns;
	rc = read_json(recording, TACHO__END_FILE, &end);
	if (rc && rc != TACHO_E_NOTFOUND)
		return note_file(recording, TACHO__END_FILE, rc);
	return rc ? 0 : take_end(recording, end);
}

/* Calls and times are there all the same. */
static int keep_error(struct tacho_recording *recording)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	recording->run.why_uncounted = tacho__arena_string(
		&recording->arena, tacho__detail("%s%s%s", detail->message,
						 *detail->cause ? ": " : "", detail->cause));
	return recording->run.why_uncounted ? 0 : TACHO_E_NOMEM;
}

/* What was to be counted; a recording without the file counted nothing. */
static int read_counting(struct tacho_recording *recording)
{
	struct tacho_counting *counting = NULL;
	char *path = NULL;
	int rc;

	if (asprintf(&path, "%s/" TACHO_COUNTING_FILE, recording->path) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s",
				   TACHO_COUNTING_FILE);
	rc = tacho_counting_read(path, &counting);
	free(path);
	if (rc == TACHO_E_NOTFOUND)
		return 0;
	if (rc && rc != TACHO_E_NOMEM && keep_error(recording))
		return TACHO_E_NOMEM;
	if (rc)
		return note_file(recording, TACHO_COUNTING_FILE, rc);
	recording->counting = counting;
	recording->is_counted = true;
	recording->counter_count = counting->column_count;
	recording->counters = tacho__arena_get(
		&recording->arena, (counting->column_count + 1) * sizeof(*recording->counters));
	if (!recording->counters)
		return TACHO_E_NOMEM;
	recording->counted = (struct tacho_recorded_counting){
		.device = counting->title,
		.is_simulated = counting->is_simulated,
		.pass_count = counting->pass_count,
		.replay = counting->replay,
		.ranges = counting->select.ranges,
		.range_count = counting->select.range_count,
	};
	for (size_t i = 0; i < counting->column_count; i++) {
		const struct tacho_counting_column *column = &counting->columns[i];
		int of_command = column->from == TACHO_FROM_LAUNCH
					 ? tacho__command_entry_find(column->name)
					 : -1;
		const struct tacho_entry *entry = tacho_command_get_entry((size_t)of_command);

		recording->counters[i] = (struct tacho_entry){
			.name = column->name,
			.unit = column->unit,
			.description = column->description,
			.group = column->group,
			.semantic = column->semantic,
			.type = (enum tacho_type)column->type,
			.is_simulated =
				counting->is_simulated && column->from == TACHO_FROM_SESSION,
			.is_of_command = column->from == TACHO_FROM_LAUNCH,
			.is_of_transfers = entry && entry->is_of_transfers,
		};
		tacho__entry_complete(&recording->counters[i]);
	}
	return 0;
}

struct tacho__process *tacho__recording_add_process(struct tacho_recording *recording,
						    const char *name)
{
	struct tacho__process *process = calloc(1, sizeof(*process));
	struct tacho_process *info;

	if (!process || tacho__array_add(&recording->processes, &recording->process_capacity,
					 &recording->process_count, &process, sizeof(process))) {
		free(process);
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for process %s", name);
		return NULL;
	}
	info = &process->process;
	info->executable = info->command = info->loader = info->clock = "";
	info->uncounted = info->uncounted_cure = info->unwatched = "";
	info->directory = tacho__arena_string(&recording->arena, name);
	return info->directory ? process : NULL;
}

struct tacho__reader_stream *tacho__process_add_stream(struct tacho__process *process)
{
	if (tacho__array_reserve(&process->streams, &process->stream_capacity,
				 process->stream_count, sizeof(*process->streams)))
		return NULL;
	memset(&process->streams[process->stream_count], 0, sizeof(*process->streams));
	return &process->streams[process->stream_count++];
}

void tacho__process_describe(struct tacho_recording *recording, struct tacho__process *process,
			     const char *text)
{
	struct tacho_process *info = &process->process;
	struct tacho__arena *arena = &recording->arena;

	info->pid = (uint32_t)strtoul(tacho__attribute(arena, text, "pid", "0"), NULL, 10);
	info->parent_pid =
		(uint32_t)strtoul(tacho__attribute(arena, text, "parent", "0"), NULL, 10);
	info->clock = tacho__attribute(arena, text, "clock", "");
	info->executable = tacho__attribute(arena, text, "executable", "");
	info->command = tacho__attribute(arena, text, "command", "");
}

void tacho__tables_take(struct tacho__buf *texts, struct tacho__unpack *unpack)
{
	uint64_t api = tacho__unpack_u64(unpack), offset = tacho__unpack_u64(unpack);
	uint64_t total = tacho__unpack_u64(unpack), size = tacho__unpack_u64(unpack);
	const uint8_t *bytes = tacho__unpack_bytes(unpack, size);

	if (!bytes || api >= TACHO__APIS_MAX || total > TABLE_BYTES_MAX)
		return;
	if (texts[api].size == offset && offset + size <= total)
		tacho__buf_add(&texts[api], bytes, size);
}

int tacho__tables_parse(struct tacho__arena *arena, struct tacho__buf *texts,
			struct tacho__call_table **tables)
{
	int rc = 0;

	for (int api = 0; api < TACHO__APIS_MAX && !rc; api++) {
		if (texts[api].failed)
			rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a call table");
		else if (texts[api].size)
			rc = tacho__call_table_parse(arena, tacho__buf_text(&texts[api]),
						     texts[api].size, &tables[api]);
		if (rc == TACHO_E_PARSE)
			rc = 0; /* a cut table: its calls are counted as unreadable */
	}
	return rc;
}

static int compare_processes(const void *left, const void *right)
{
	const struct tacho__process *a = *(struct tacho__process *const *)left;
	const struct tacho__process *b = *(struct tacho__process *const *)right;

	if (a->process.start_ns != b->process.start_ns)
		return a->process.start_ns < b->process.start_ns ? -1 : 1;
	return strcmp(a->process.directory, b->process.directory);
}

static void sort_processes(struct tacho_recording *recording)
{
	if (recording->process_count)
		qsort(recording->processes, recording->process_count, sizeof(*recording->processes),
		      compare_processes);
	for (size_t i = 0; i < recording->process_count; i++)
		recording->processes[i]->process.index = (uint32_t)i;
}

static int read_processes(struct tacho_recording *recording)
{
	bool is_v2 = *recording->pool || tacho__recording_is_v2(recording);
	int rc = is_v2 ? tacho__recording_read_v2(recording) : tacho__recording_read_v1(recording);

	sort_processes(recording);
	return rc;
}

char *tacho__recording_name_folder(const char *name)
{
	size_t length = strlen(name), suffix = strlen(SUFFIX);
	char *path;

	while (length > 1 && name[length - 1] == '/')
		length--;
	if (length > suffix && !strncmp(name + length - suffix, SUFFIX, suffix))
		return strndup(name, length);
	return asprintf(&path, "%.*s" SUFFIX, (int)length, name) < 0 ? NULL : path;
}

int tacho__recording_find(const char *path, struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = calloc(1, sizeof(*recording));
	int rc;

	if (!recording)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	tacho__recording_init(recording);
	recording->source = &tacho__source_folder;
	rc = find_path(path, &recording->path);
	if (!rc)
		rc = read_meta(recording);
	if (rc)
		tacho_recording_close(recording);
	else
		*out_recording = recording;
	return rc;
}

int tacho__recording_open_folder(const char *path, struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = NULL;
	int rc = tacho__recording_find(path, &recording);

	if (rc)
		return rc;
	rc = read_counting(recording);
	if (!rc)
		rc = tacho__recording_settle(recording);
	if (!rc)
		rc = read_processes(recording);
	if (!rc && recording->arena.failed)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	if (rc)
		tacho_recording_close(recording);
	else
		*out_recording = recording;
	return rc;
}

static void destroy_process(struct tacho__process *process)
{
	for (size_t i = 0; i < process->stream_count; i++)
		free(process->streams[i].chunks);
	tacho__clock_map_finish(&process->own_clocks);
	tacho__map_finish(&process->device_clocks);
	free(process->streams);
	free(process);
}

void tacho__recording_init(struct tacho_recording *recording)
{
	pthread_mutex_init(&recording->opening, NULL);
	pthread_mutex_init(&recording->noting, NULL);
}

void tacho__recording_close_folder(struct tacho_recording *recording)
{
	tacho_counting_destroy(recording->counting);
}

void tacho_recording_close(struct tacho_recording *recording)
{
	if (!recording)
		return;
	recording->source->close(recording);
	tacho__recording_finish_sums(recording);
	for (size_t i = 0; i < recording->process_count; i++)
		destroy_process(recording->processes[i]);
	tacho__clock_map_finish(&recording->clocks);
	free(recording->processes);
	free(recording->faults);
	free(recording->bounded);
	free(recording->facts);
	free(recording->bounds);
	free(recording->samplings);
	free(recording->thread_times);
	free(recording->windows.chunks);
	free(recording->path);
	tacho__arena_finish(&recording->arena);
	pthread_mutex_destroy(&recording->opening);
	pthread_mutex_destroy(&recording->noting);
	free(recording);
}

const struct tacho_run *tacho_recording_get_run(const struct tacho_recording *recording)
{
	return recording ? &recording->run : NULL;
}

size_t tacho_recording_get_process_count(const struct tacho_recording *recording)
{
	return recording ? recording->process_count : 0;
}

const struct tacho_process *tacho_recording_get_process(const struct tacho_recording *recording,
							size_t index)
{
	return recording && index < recording->process_count ? &recording->processes[index]->process
							     : NULL;
}

const struct tacho_recorded_counting *
tacho_recording_get_counting(const struct tacho_recording *recording)
{
	return recording && recording->is_counted ? &recording->counted : NULL;
}

const struct tacho_entry *tacho_recording_get_counter(const struct tacho_recording *recording,
						      size_t index)
{
	return recording && index < recording->counter_count ? &recording->counters[index] : NULL;
}

const char *tacho_recording_get_path(const struct tacho_recording *recording)
{
	return recording ? recording->path : NULL;
}

void tacho_recording_get_extent(const struct tacho_recording *recording,
				struct tacho_extent *out_extent)
{
	if (recording && out_extent)
		*out_extent = recording->extent;
}

void tacho_recording_get_reading(struct tacho_recording *recording,
				 struct tacho_reading *out_reading)
{
	if (!recording || !out_reading)
		return;
	out_reading->bytes = atomic_load(&recording->read_bytes);
	out_reading->all_bytes = recording->extent.bytes;
	out_reading->times = (uint32_t)atomic_load(&recording->readings);
}
