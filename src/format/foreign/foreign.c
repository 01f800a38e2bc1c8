/* SPDX-License-Identifier: MIT */
/* What a file of another tool tells, while its reader tells it; opening such a file. */
#include "format/foreign/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"
#include "format/foreign/foreign_bytes.h"
#include "format/foreign/foreign_db.h"

/* The kinds of files that are known, looked at in this order. */
static const struct tacho__foreign_reader *const readers[] = {
	&tacho__foreign_nsys,
	&tacho__foreign_ncu_rep,
	&tacho__foreign_ncu_csv,
	&tacho__foreign_nsys_stats,
};

/* ---- what readers say ---- */

static struct tacho__process *add_process(struct tacho__foreign *foreign)
{
	struct tacho_recording *recording = foreign->recording;
	struct tacho__process *process;

	if (tacho__array_reserve(&foreign->handles, &foreign->handle_capacity,
				 foreign->handle_count, sizeof(*foreign->handles)) ||
	    tacho__array_reserve(&recording->processes, &recording->process_capacity,
				 recording->process_count, sizeof(process)))
		return NULL;
	process = calloc(1, sizeof(*process));
	if (!process) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a process");
		return NULL;
	}
	foreign->handles[foreign->handle_count++] = (struct tacho__map){0};
	recording->processes[recording->process_count++] = process;
	return process;
}

int tacho__foreign_process(struct tacho__foreign *foreign, uint64_t key, uint32_t pid,
			   uint32_t *out_process)
{
	struct tacho_recording *recording = foreign->recording;
	uintptr_t known = (uintptr_t)tacho__map_get(&foreign->processes, key);
	struct tacho_process *info;
	struct tacho__process *process;
	struct tacho__buf name = {0};

	if (known) {
		*out_process = (uint32_t)(known - 1);
		return 0;
	}
	process = add_process(foreign);
	if (!process)
		return TACHO_E_NOMEM;
	info = &process->process;
	tacho__buf_printf(&name, "proc-%" PRIu32 "-%zu", pid, recording->process_count - 1);
	info->directory = tacho__buf_keep(&name, &recording->arena);
	info->index = (uint32_t)recording->process_count - 1;
	info->pid = pid;
	info->executable = info->command = info->loader = info->clock = "";
	info->uncounted = info->uncounted_cure = info->unwatched = "";
	if (!info->directory)
		return TACHO_E_NOMEM;
	*out_process = info->index;
	return tacho__map_set(&foreign->processes, key,
			      (void *)(uintptr_t)recording->process_count);
}

int tacho__foreign_name_process(struct tacho__foreign *foreign, uint32_t process, const char *name)
{
	struct tacho_recording *recording = foreign->recording;
	struct tacho_process *info = &recording->processes[process]->process;

	if (*info->executable || !*name)
		return 0;
	info->executable = info->command = tacho__arena_string(&recording->arena, name);
	return info->executable ? 0 : TACHO_E_NOMEM;
}

int tacho__foreign_text(struct tacho__foreign *foreign, const char *text, uint32_t *out_text)
{
	uintptr_t known = (uintptr_t)tacho__names_get(&foreign->by_text, text);
	const char *kept;

	if (!known) {
		if (tacho__array_reserve(&foreign->texts, &foreign->text_capacity,
					 foreign->text_count, sizeof(*foreign->texts)))
			return TACHO_E_NOMEM;
		kept = tacho__arena_string(&foreign->recording->arena, text);
		if (!kept)
			return TACHO_E_NOMEM;
		foreign->texts[foreign->text_count++] = kept;
		known = foreign->text_count;
		if (tacho__names_set(&foreign->by_text, kept, (void *)known))
			return TACHO_E_NOMEM;
	}
	*out_text = (uint32_t)known;
	return 0;
}

int tacho__foreign_function(struct tacho__foreign *foreign, const char *api, const char *name,
			    uint32_t *out_function)
{
	struct tacho__arena *arena = &foreign->recording->arena;
	struct tacho__buf key = {0};
	const char *kept;
	uintptr_t known;
	int rc = 0;

	tacho__buf_printf(&key, "%s %s", api, name);
	known = key.failed ? 0 : (uintptr_t)tacho__names_get(&foreign->by_function, key.text);
	if (!known && !key.failed)
		rc = tacho__array_reserve(&foreign->functions, &foreign->function_capacity,
					  foreign->function_count, sizeof(*foreign->functions));
	kept = known || rc ? NULL : tacho__buf_keep(&key, arena);
	if (kept) {
		foreign->functions[foreign->function_count++] =
			(struct tacho_function){.api = tacho__arena_text(arena, kept, strlen(api)),
						.name = kept + strlen(api) + 1,
						.number = -1};
		known = foreign->function_count;
		rc = tacho__names_set(&foreign->by_function, kept, (void *)known);
	}
	tacho__buf_finish(&key);
	if (!known || rc || arena->failed)
		return TACHO_E_NOMEM;
	*out_function = (uint32_t)known;
	return 0;
}

/* Things are numbered as they came. */
static uint32_t number_of(const struct tacho__foreign *foreign, const struct tacho_object *object)
{
	size_t i = foreign->objects.count;

	while (i && &foreign->objects.all[i - 1]->object != object)
		i--;
	return (uint32_t)i;
}

/* Where the maps have their numbers: beside the things, under a kind that there is not. */
static uint64_t number_key(enum tacho_object_kind kind, uint64_t handle)
{
	return UINT64_C(1) << 63 | handle << 3 | kind;
}

uint32_t tacho__foreign_find(const struct tacho__foreign *foreign, uint32_t process,
			     enum tacho_object_kind kind, uint64_t handle)
{
	return (uint32_t)(uintptr_t)tacho__map_get(&foreign->handles[process],
						   number_key(kind, handle));
}

int tacho__foreign_thing(struct tacho__foreign *foreign, uint32_t process,
			 enum tacho_object_kind kind, uint64_t handle,
			 const struct tacho__buf *text, uint32_t *out_thing)
{
	uint32_t number = tacho__foreign_find(foreign, process, kind, handle);
	struct tacho__map *handles = &foreign->handles[process];
	int rc = 0;

	if (!number) {
		if (text->failed)
			return TACHO_E_NOMEM;
		rc = tacho__objects_add(&foreign->objects, handles,
					&foreign->recording->processes[process]->process, 0, kind,
					handle, (const uint8_t *)tacho__buf_text(text), text->size);
		if (rc)
			return rc;
		number = number_of(foreign, tacho__objects_find(handles, 0, kind, handle));
		rc = tacho__map_set(handles, number_key(kind, handle), (void *)(uintptr_t)number);
	}
	if (!rc)
		*out_thing = number;
	return rc;
}

void tacho__foreign_note(struct tacho__foreign *foreign, const char *format, ...)
{
	va_list list;

	if (foreign->note.size)
		tacho__buf_char(&foreign->note, ' ');
	va_start(list, format);
	tacho__buf_vprintf(&foreign->note, format, list);
	va_end(list);
}

void tacho__foreign_set_epoch(struct tacho__foreign *foreign, int64_t ns)
{
	foreign->recording->run.realtime_offset_ns = ns;
}

/* ---- opening ---- */

static void close_foreign(struct tacho__foreign *foreign)
{
	for (size_t i = 0; i < foreign->handle_count; i++)
		tacho__map_finish(&foreign->handles[i]);
	free(foreign->handles);
	tacho__map_finish(&foreign->processes);
	tacho__names_finish(&foreign->by_text);
	tacho__names_finish(&foreign->by_function);
	tacho__names_finish(&foreign->by_counter);
	free(foreign->counters);
	free(foreign->texts);
	free(foreign->functions);
	tacho__objects_finish(&foreign->objects);
	tacho__sorter_finish(&foreign->values);
	tacho__sorter_finish(&foreign->counted);
	tacho__sorter_finish(&foreign->calls);
	tacho__sorter_finish(&foreign->commands);
	tacho__sorter_finish(&foreign->rows);
	tacho__buf_finish(&foreign->note);
	free(foreign);
}

void tacho__foreign_close(struct tacho_recording *recording)
{
	close_foreign(recording->source_data);
}

/* Times that do not fit unsigned numbers, or count from 1970, begin at 0 with the first one. */
static void set_origin(struct tacho__foreign *foreign)
{
	struct tacho_run *run = &foreign->recording->run;
	const int64_t day_ns = INT64_C(86400000000000);

	if (foreign->has_time && (foreign->first_ns < 0 || foreign->first_ns > 365 * day_ns))
		foreign->origin_ns = foreign->first_ns;
	run->realtime_offset_ns += foreign->origin_ns;
	run->start_ns = (uint64_t)(foreign->first_ns - foreign->origin_ns);
	run->end_ns = (uint64_t)(foreign->last_ns - foreign->origin_ns);
	for (size_t i = 0; i < foreign->recording->process_count; i++)
		foreign->recording->processes[i]->process.start_ns = run->start_ns;
}

/* The recording has the counters that files told. */
static void set_counters(struct tacho__foreign *foreign)
{
	struct tacho_recording *recording = foreign->recording;

	recording->counters = foreign->counters;
	recording->counter_count = foreign->counter_count;
	recording->counted =
		(struct tacho_recorded_counting){.device = "", .replay = TACHO_REPLAY_NONE};
	recording->is_counted = recording->counter_count != 0;
}

static int fill(struct tacho__foreign *foreign, const struct tacho__foreign_reader *reader,
		const struct tacho__foreign_file *file)
{
	struct tacho_recording *recording = foreign->recording;
	struct tacho_run *run = &recording->run;
	uint32_t process;
	int rc;

	run->generator = reader->title;
	run->application = run->arguments = run->working_directory = run->host = "";
	run->os_name = run->os_release = run->via = run->why_empty = run->why_uncounted = "";
	run->exit_status = -1;
	tacho__foreign_begin_sorters(foreign);
	rc = reader->read(foreign, file, 1);
	if (!rc && !recording->process_count)
		rc = tacho__foreign_process(foreign, 0, 0, &process);
	if (!rc)
		rc = tacho__foreign_join(foreign);
	if (rc)
		return rc;
	set_origin(foreign);
	set_counters(foreign);
	tacho__foreign_note_values(foreign);
	run->import_note = tacho__buf_keep(&foreign->note, &recording->arena);
	return run->import_note ? 0 : TACHO_E_NOMEM;
}

static int open_with(const struct tacho__foreign_reader *reader,
		     const struct tacho__foreign_file *file, struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = calloc(1, sizeof(*recording));
	struct tacho__foreign *foreign = calloc(1, sizeof(*foreign));
	int rc;

	if (!recording || !foreign) {
		free(recording);
		free(foreign);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", file->path);
	}
	recording->source = &tacho__source_foreign;
	recording->source_data = foreign;
	foreign->recording = recording;
	recording->path = strdup(file->path);
	rc = recording->path
		     ? fill(foreign, reader, file)
		     : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", file->path);
	if (rc)
		tacho_recording_close(recording);
	else
		*out_recording = recording;
	return rc;
}

/* What a packed file begins with is inside; of a damaged one what can be had. */
static int read_head(struct tacho__foreign_file *file)
{
	struct tacho__foreign_bytes *bytes;
	size_t got = 1;
	int rc = tacho__foreign_bytes_open(file->path, &bytes);

	if (rc)
		return rc;
	while (!rc && got && TACHO__FOREIGN_HEAD - file->head_size >= 4) {
		rc = tacho__foreign_bytes_read(bytes, file->head + file->head_size,
					       TACHO__FOREIGN_HEAD - file->head_size, &got);
		file->head_size += got;
	}
	tacho__foreign_bytes_close(bytes);
	return file->head_size ? 0 : rc;
}

int tacho__foreign_open(const char *path, struct tacho_recording **out_recording)
{
	struct tacho__foreign_file file = {.path = path};
	int rc = read_head(&file);

	*out_recording = NULL;
	if (!rc && tacho__foreign_db_is(file.head, file.head_size))
		rc = tacho__foreign_db_open(path, &file.db);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(readers) && !rc && !*out_recording; i++)
		if (readers[i]->fits(&file))
			rc = open_with(readers[i], &file, out_recording);
	tacho__foreign_db_close(file.db);
	return rc;
}
