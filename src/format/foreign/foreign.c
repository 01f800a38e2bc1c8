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
	&tacho__foreign_nsys,	   &tacho__foreign_clintercept, &tacho__foreign_unitrace_chrome,
	&tacho__foreign_kineto,	   &tacho__foreign_unitrace,	&tacho__foreign_pftrace,
	&tacho__foreign_apitrace,  &tacho__foreign_tool_sums,	&tacho__foreign_amd_csv,
	&tacho__foreign_amd_json,  &tacho__foreign_amd_rocpd,	&tacho__foreign_ncu_rep,
	&tacho__foreign_ncu_csv,   &tacho__foreign_nsys_stats,	&tacho__foreign_nvprof_csv,
	&tacho__foreign_nvprof_db,
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
	foreign->handles[foreign->handle_count++] = (struct tacho__foreign_things){0};
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

uint32_t tacho__foreign_find(const struct tacho__foreign *foreign, uint32_t process,
			     enum tacho_object_kind kind, uint64_t handle)
{
	return (uint32_t)(uintptr_t)tacho__map_get(&foreign->handles[process].numbers[kind],
						   handle);
}

int tacho__foreign_thing(struct tacho__foreign *foreign, uint32_t process,
			 enum tacho_object_kind kind, uint64_t handle,
			 const struct tacho__buf *text, uint32_t *out_thing)
{
	uint32_t number = tacho__foreign_find(foreign, process, kind, handle);
	struct tacho__foreign_things *things = &foreign->handles[process];
	int rc = 0;

	if (!number) {
		if (text->failed)
			return TACHO_E_NOMEM;
		rc = tacho__objects_add(&foreign->objects, &things->all,
					&foreign->recording->processes[process]->process, 0, kind,
					handle, (const uint8_t *)tacho__buf_text(text), text->size);
		if (rc)
			return rc;
		number = number_of(foreign, tacho__objects_find(&things->all, 0, kind, handle));
		rc = tacho__map_set(&things->numbers[kind], handle, (void *)(uintptr_t)number);
	}
	if (!rc)
		*out_thing = number;
	return rc;
}

int tacho__foreign_described(struct tacho__foreign *foreign, uint32_t process,
			     enum tacho_object_kind kind, struct tacho__buf *text,
			     uint64_t *out_handle, uint32_t *out_thing)
{
	uint32_t handle = 0;
	int rc = text->failed ? TACHO_E_NOMEM
			      : tacho__foreign_text(foreign, tacho__buf_text(text), &handle);

	if (!rc)
		rc = tacho__foreign_thing(foreign, process, kind, handle, text, out_thing);
	if (out_handle)
		*out_handle = handle;
	tacho__buf_finish(text);
	return rc;
}

bool tacho__foreign_set_groups(struct tacho__foreign_command *command, const uint64_t groups[3],
			       const uint64_t local[3])
{
	uint64_t items;

	for (int i = 0; i < 3; i++)
		if (!groups[i] || !local[i] || __builtin_mul_overflow(groups[i], local[i], &items))
			return false;
	memcpy(command->global, groups, sizeof(command->global));
	memcpy(command->local, local, sizeof(command->local));
	command->sizes = TACHO__FOREIGN_IN_GROUPS;
	command->has_local = 1;
	command->dimensions = 3;
	while (command->dimensions > 1 && groups[command->dimensions - 1] == 1 &&
	       local[command->dimensions - 1] == 1)
		command->dimensions--;
	return true;
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
