/* SPDX-License-Identifier: MIT */
/*
 * Launches of several runs of a program. The same launch is the one of the same kernel that comes
 * as often before it on the thread that launched as early in its process. Where submits are
 * numbered, it is the one that stands in the same submit of its queue behind as many others.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "record/command.h"
#include "record/rows.h"
#include "record/kept_source.h"

enum { SUBMIT_AT = 1, WHAT_AT = 2 }; /* arguments of a command of a submit, behind its buffer */

void tacho__occurrences_finish(struct tacho__occurrences *occurrences)
{
	tacho__names_finish(&occurrences->counts);
	tacho__map_finish(&occurrences->processes);
	tacho__map_finish(&occurrences->threads);
	tacho__arena_finish(&occurrences->arena);
	tacho__buf_finish(&occurrences->name);
	tacho__buf_finish(&occurrences->what);
}

/* Numbers are kept as pointers; one more, because NULL means that there is none. */
static uintptr_t get_number(const struct tacho__map *map, uint64_t key)
{
	return (uintptr_t)tacho__map_get(map, key);
}

/* Of its thread, or of its queue where submits are numbered. */
static int number_thread(struct tacho__occurrences *occurrences, const struct tacho_call *call,
			 bool has_submit, uintptr_t *out_number)
{
	const struct tacho_object *queue = call->command->queue;
	uint64_t process = call->process->index;
	uint64_t of = has_submit ? UINT64_C(1) << 31 | (queue ? queue->id : 0) : call->thread;
	uint64_t key = process << 32 | of;
	uintptr_t number = get_number(&occurrences->threads, key);
	int rc = 0;

	if (!number) {
		number = get_number(&occurrences->processes, process) + 1;
		rc = tacho__map_set(&occurrences->processes, process, (void *)number);
		if (!rc)
			rc = tacho__map_set(&occurrences->threads, key, (void *)number);
	}
	*out_number = number;
	return rc;
}

/* The number of its submit; NULL: it is of none. */
static const char *find_submit(struct tacho_cursor *cursor)
{
	const char *name, *text = tacho_cursor_get_argument(cursor, SUBMIT_AT, &name);

	return text && !strcmp(name, "submission") ? text : NULL;
}

static void describe(struct tacho__buf *what, struct tacho_cursor *cursor,
		     const struct tacho_call *call)
{
	const struct tacho_object *kernel = call->command->kernel;
	const char *name, *text;

	tacho__buf_printf(what, "%s %s", call->function->name, kernel ? kernel->name : "");
	for (size_t i = WHAT_AT; (text = tacho_cursor_get_argument(cursor, i, &name)); i++)
		tacho__buf_printf(what, " %s", text);
}

/* How many of that name came before. */
static int count_name(struct tacho__occurrences *occurrences, size_t *out_before)
{
	const char *name = tacho__buf_text(&occurrences->name), *kept;
	uintptr_t *count = tacho__names_get(&occurrences->counts, name);
	int rc = 0;

	if (!count) {
		count = tacho__arena_get(&occurrences->arena, sizeof(*count));
		kept = tacho__arena_string(&occurrences->arena, name);
		if (!count || !kept)
			return TACHO_E_NOMEM;
		rc = tacho__names_set(&occurrences->counts, kept, count);
	}
	*out_before = (*count)++;
	return rc;
}

int tacho__occurrences_add(struct tacho__occurrences *occurrences, struct tacho_cursor *cursor,
			   const struct tacho_call *call)
{
	const struct tacho_object *kernel = call->command->kernel;
	bool is_kernel = call->command->kind == TACHO_COMMAND_KERNEL;
	const char *submit = find_submit(cursor);
	struct tacho__buf *name = &occurrences->name, *what = &occurrences->what;
	uintptr_t thread;
	size_t before = 0;
	int rc = number_thread(occurrences, call, submit != NULL, &thread);

	if (rc)
		return rc;
	tacho__buf_clear(name);
	tacho__buf_clear(what);
	/* What is counted as a whole does not change the places of launches. */
	tacho__buf_printf(name, "%" PRIu32 "/%zu/%s%s%s", call->process->index, (size_t)thread,
			  submit   ? submit
			  : kernel ? kernel->name
				   : "",
			  is_kernel ? "" : "/", is_kernel ? "" : call->command->name);
	rc = count_name(occurrences, &before);
	tacho__buf_printf(name, "#%zu", before);
	if (submit)
		describe(what, cursor, call);
	if (!rc && (name->failed || what->failed))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the name of a launch");
	return rc;
}

static int add_launch(struct tacho__further_run *run, const struct tacho__occurrences *occurrences,
		      const struct tacho_command *command, const struct tacho_recorded_row *row)
{
	struct tacho__further_launch *launch = tacho__arena_get(&run->arena, sizeof(*launch));
	const char *kept = tacho__arena_string(&run->arena, tacho__buf_text(&occurrences->name));

	if (!launch || !kept || tacho__row_copy(row->result, &run->arena, &launch->row))
		return TACHO_E_NOMEM;
	launch->what = tacho__arena_string(&run->arena, tacho__buf_text(&occurrences->what));
	if (!launch->what)
		return TACHO_E_NOMEM;
	launch->dimensions = command->dimensions;
	launch->has_local = command->has_local;
	memcpy(launch->global, command->global, sizeof(launch->global));
	memcpy(launch->local, command->local, sizeof(launch->local));
	launch->seen = row->passes;
	run->count++;
	return tacho__names_set(&run->launches, kept, launch);
}

static int take_shapes(struct tacho__further_run *run, const struct tacho_result *result)
{
	int rc = tacho__count_shapes_init(&run->shapes, tacho_result_get_column_count(result));

	return rc ? rc : tacho__count_shapes_take(&run->shapes, result);
}

/* Whether something of it was to be counted: a launch, or what is counted as a whole. */
static bool is_launch(const struct tacho_call *call, const struct tacho_recorded_row *row)
{
	if (!call->command)
		return false;
	return call->command->kind == TACHO_COMMAND_KERNEL ||
	       tacho__row_is_of_whole(row, call->command);
}

static int read_launches(struct tacho__further_run *run, struct tacho_cursor *cursor)
{
	struct tacho__occurrences occurrences = {0};
	const struct tacho_recorded_row *row;
	const struct tacho_call *call;
	int rc = 0, more;

	while (!rc && (more = tacho_cursor_next(cursor, &call)) != 0) {
		if (more < 0)
			rc = more;
		row = rc ? NULL : tacho_cursor_get_row(cursor);
		if (rc || !is_launch(call, row))
			continue;
		rc = tacho__occurrences_add(&occurrences, cursor, call);
		if (!rc && row && !run->shapes.columns)
			rc = take_shapes(run, row->result);
		if (!rc && row && row->is_counted)
			rc = add_launch(run, &occurrences, call->command, row);
	}
	tacho__occurrences_finish(&occurrences);
	return rc;
}

int tacho__further_run_read(const char *path, struct tacho__further_run *out_run)
{
	struct tacho_recording *recording;
	struct tacho_cursor *cursor = NULL;
	int rc = tacho__recording_open_folder(path, &recording);

	if (rc)
		return rc;
	recording->is_further = true;
	rc = tacho_cursor_open(recording, &cursor);
	if (!rc)
		rc = read_launches(out_run, cursor);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	return rc;
}

void tacho__further_run_finish(struct tacho__further_run *run)
{
	tacho__names_finish(&run->launches);
	tacho__count_shapes_finish(&run->shapes);
	tacho__arena_finish(&run->arena);
}

const struct tacho__further_launch *tacho__further_run_find(const struct tacho__further_run *run,
							    const char *name)
{
	return tacho__names_get(&run->launches, name);
}

bool tacho__further_launch_fits(const struct tacho__further_launch *launch,
				const struct tacho_command *command, const char *what)
{
	return !strcmp(launch->what, what) && launch->dimensions == command->dimensions &&
	       launch->has_local == command->has_local &&
	       !memcmp(launch->global, command->global, sizeof(launch->global)) &&
	       (!launch->has_local ||
		!memcmp(launch->local, command->local, sizeof(launch->local)));
}
