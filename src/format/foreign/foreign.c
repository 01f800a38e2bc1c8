/* SPDX-License-Identifier: MIT */
/* What a file of another tool tells, while its reader tells it. */
#include "format/foreign/foreign.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* The kinds of files that are known, looked at in this order. */
static const struct tacho__foreign_reader *const readers[] = {
	&tacho__foreign_rocprof_json, &tacho__foreign_rocprof_db,  &tacho__foreign_likwid,
	&tacho__foreign_nsys,	      &tacho__foreign_clintercept, &tacho__foreign_unitrace_chrome,
	&tacho__foreign_kineto,	      &tacho__foreign_unitrace,	   &tacho__foreign_pftrace,
	&tacho__foreign_apitrace,     &tacho__foreign_tool_sums,   &tacho__foreign_kineto_table,
	&tacho__foreign_amd_summary,  &tacho__foreign_amd_csv,	   &tacho__foreign_amd_json,
	&tacho__foreign_amd_rocpd,    &tacho__foreign_ncu_rep,	   &tacho__foreign_ncu_csv,
	&tacho__foreign_nsys_stats,   &tacho__foreign_nvprof_csv,  &tacho__foreign_nvprof_db,
	&tacho__foreign_xla,
};

const struct tacho__foreign_reader *tacho__foreign_get_reader(size_t index)
{
	return index < TACHO__ARRAY_SIZE(readers) ? readers[index] : NULL;
}

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
	foreign->handles[foreign->handle_count++] =
		(struct tacho__foreign_things){.source = (uint32_t)foreign->source_count};
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

	if (known) {
		*out_process = (uint32_t)(known - 1);
		return 0;
	}
	process = add_process(foreign);
	if (!process)
		return TACHO_E_NOMEM;
	info = &process->process;
	info->index = (uint32_t)recording->process_count - 1;
	info->executable = info->command = info->loader = info->clock = "";
	info->uncounted = info->uncounted_cure = info->unwatched = "";
	if (tacho__foreign_set_pid(foreign, info->index, pid))
		return TACHO_E_NOMEM;
	*out_process = info->index;
	return tacho__map_set(&foreign->processes, key,
			      (void *)(uintptr_t)recording->process_count);
}

int tacho__foreign_set_pid(struct tacho__foreign *foreign, uint32_t process, uint32_t pid)
{
	struct tacho_recording *recording = foreign->recording;
	struct tacho_process *info = &recording->processes[process]->process;
	struct tacho__buf name = {0};

	info->pid = pid;
	tacho__buf_printf(&name, "proc-%" PRIu32 "-%" PRIu32, pid, process);
	info->directory = tacho__buf_keep(&name, &recording->arena);
	return info->directory ? 0 : TACHO_E_NOMEM;
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

int tacho__foreign_word(struct tacho__foreign *foreign, const char *literal, uint32_t *out_text)
{
	uint64_t key = (uintptr_t)literal;
	int rc;

	*out_text = (uint32_t)(uintptr_t)tacho__map_get(&foreign->by_word, key);
	if (*out_text)
		return 0;
	rc = tacho__foreign_text(foreign, literal, out_text);
	return rc ? rc : tacho__map_set(&foreign->by_word, key, (void *)(uintptr_t)*out_text);
}

int tacho__foreign_function(struct tacho__foreign *foreign, const char *api, const char *name,
			    uint32_t *out_function)
{
	struct tacho__arena *arena = &foreign->recording->arena;
	struct tacho__buf *key = &foreign->scratch;
	const char *kept;
	uintptr_t known;
	int rc = 0;

	tacho__buf_clear(key);
	tacho__buf_put(key, api);
	tacho__buf_char(key, ' ');
	tacho__buf_put(key, name);
	known = key->failed ? 0 : (uintptr_t)tacho__names_get(&foreign->by_function, key->text);
	if (!known && !key->failed)
		rc = tacho__array_reserve(&foreign->functions, &foreign->function_capacity,
					  foreign->function_count, sizeof(*foreign->functions));
	kept = known || rc || key->failed ? NULL : tacho__arena_string(arena, key->text);
	if (kept) {
		foreign->functions[foreign->function_count++] =
			(struct tacho_function){.api = tacho__arena_text(arena, kept, strlen(api)),
						.name = kept + strlen(api) + 1,
						.number = -1};
		known = foreign->function_count;
		rc = tacho__names_set(&foreign->by_function, kept, (void *)known);
	}
	if (!known || rc || arena->failed)
		return TACHO_E_NOMEM;
	*out_function = (uint32_t)known;
	return 0;
}

void tacho__foreign_note(struct tacho__foreign *foreign, const char *format, ...)
{
	struct tacho__buf text = {0};
	va_list list;

	va_start(list, format);
	tacho__buf_vprintf(&text, format, list);
	va_end(list);
	if (text.failed)
		foreign->note.failed = true;
	else if (!strstr(tacho__buf_text(&foreign->note), tacho__buf_text(&text)))
		tacho__buf_printf(&foreign->note, "%s%s", foreign->note.size ? " " : "",
				  tacho__buf_text(&text));
	tacho__buf_finish(&text);
}

void tacho__foreign_note_count(struct tacho__foreign *foreign, uint64_t count, const char *one,
			       const char *more)
{
	if (count)
		tacho__foreign_note(foreign, "%" PRIu64 " %s", count, count == 1 ? one : more);
}

int tacho__foreign_lose(struct tacho__foreign *foreign, const char *path, const char *format, ...)
{
	struct tacho__buf what = {0};
	struct tacho_fault fault = {.path = path};
	va_list list;
	int rc = TACHO_E_NOMEM;

	va_start(list, format);
	tacho__buf_vprintf(&what, format, list);
	va_end(list);
	fault.what = tacho__buf_text(&what);
	if (!what.failed)
		rc = tacho__fault_add(foreign->recording, &fault, 0);
	tacho__buf_finish(&what);
	return rc;
}

int tacho__foreign_set_tool(struct tacho__foreign *foreign, const char *tool)
{
	struct tacho_recording *recording = foreign->recording;
	const char *before = recording->run.generator;
	struct tacho__buf both = {0};

	if (strstr(before, tool))
		return 0;
	tacho__buf_printf(&both, "%s%s%s", before, *before ? "; " : "", tool);
	before = tacho__buf_keep(&both, &recording->arena);
	if (!before)
		return TACHO_E_NOMEM;
	recording->run.generator = before;
	return 0;
}

/* ---- closing ---- */

static void close_foreign(struct tacho__foreign *foreign)
{
	for (size_t i = 0; i < foreign->handle_count; i++) {
		tacho__map_finish(&foreign->handles[i].all);
		for (int kind = 0; kind < TACHO__OBJECT_KINDS; kind++)
			tacho__map_finish(&foreign->handles[i].numbers[kind]);
	}
	free(foreign->handles);
	free(foreign->sources);
	tacho__map_finish(&foreign->processes);
	tacho__names_finish(&foreign->by_text);
	tacho__map_finish(&foreign->by_word);
	tacho__map_finish(&foreign->kernels);
	tacho__buf_finish(&foreign->scratch);
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
	tacho__foreign_close_sums(&foreign->sums);
	tacho__buf_finish(&foreign->note);
	tacho__buf_finish(&foreign->clock.hosts);
	free(foreign);
}

void tacho__foreign_close(struct tacho_recording *recording)
{
	close_foreign(recording->source_data);
}
