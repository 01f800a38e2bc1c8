/* SPDX-License-Identifier: MIT */
#include "record/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/command_entries.h"
#include "record/launch_counters.h"
#include "record/rows_devices.h"
#include "tacho/sys/counting.h"

enum { FURTHER_RUNS_MAX = 1000 };

static const char not_counted[] = "it was not counted in this launch";
static const char not_told[] = "of which instances its values are was not recorded";
static const char other_turn[] = "this launch had another pass";
static const char lacks[] = "another run of the program lacks this launch";
static const char has_other_size[] = "in another run of the program this launch has another size";
static const char has_other_command[] =
	"in another run of the program another command has this place in its submit";

struct tacho__rows {
	const struct tacho_recording *recording;
	const struct tacho_counting *counting; /* of the recording */
	int *launch_counters;		       /* per column; -1: it is no such one */
	struct tacho__count_shapes shapes;
	struct tacho__written_rows written;
	struct tacho__met_devices met;
	bool needs_rows;    /* a launch without a written row was not selected */
	bool selects_names; /* and nothing but names: what else would be has to be known */
	struct tacho__occurrences occurrences;
	struct tacho__further_run *runs;
	size_t run_count;
	struct tacho_matching matching;
	struct tacho_result *result;
	struct tacho__row row; /* of the result */
	struct tacho_recorded_row told;
};

/* Not in a recording of a further run: a link in there could lead back to the first. */
static bool is_first_run(const struct tacho__rows *rows)
{
	return rows->counting->run_count > 1 && rows->counting->only_pass <= 0 &&
	       !rows->recording->is_further;
}

/* A run that was not made leaves its columns empty. */
static int read_further_runs(struct tacho__rows *rows, const char *folder)
{
	size_t count = rows->counting->run_count - 1;
	int rc = 0;

	if (!is_first_run(rows))
		return 0;
	if (count > FURTHER_RUNS_MAX)
		count = FURTHER_RUNS_MAX;
	rows->runs = calloc(count, sizeof(*rows->runs));
	if (!rows->runs)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu runs", count);
	for (size_t i = 0; i < count && !rc; i++) {
		struct tacho__buf path = {0};

		tacho__buf_printf(&path, "%s/" TACHO_COUNTING_RUN_FORMAT, folder, (unsigned)i + 2);
		rc = tacho__further_run_read(tacho__buf_text(&path), &rows->runs[i]);
		tacho__buf_finish(&path);
		rows->run_count = i + 1;
		if (rc == TACHO_E_NOTFOUND)
			rc = 0;
	}
	return rc;
}

static int prepare(struct tacho__rows *rows)
{
	size_t count = rows->counting->column_count;

	rows->launch_counters = calloc(count + 1, sizeof(*rows->launch_counters));
	if (!rows->launch_counters)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu columns", count);
	for (size_t i = 0; i < count; i++)
		rows->launch_counters[i] =
			rows->counting->columns[i].from == TACHO_FROM_LAUNCH
				? tacho__command_entry_find(rows->counting->columns[i].name)
				: -1;
	rows->matching.run_count = rows->counting->run_count;
	return tacho__count_shapes_init(&rows->shapes, count);
}

/* Which instances there are is known of all runs before the first row. */
static int create_row(struct tacho__rows *rows)
{
	int rc = 0;

	for (size_t i = 0; i < rows->run_count && !rc; i++)
		rc = tacho__count_shapes_join(&rows->shapes, &rows->runs[i].shapes);
	for (size_t i = 0; i < rows->shapes.count; i++) {
		struct tacho_entry *counter = &rows->recording->counters[i];

		/* Once: other threads may look at it by now. */
		if (!counter->has_instances && rows->shapes.columns[i])
			counter->has_instances = true;
	}
	return rc ? rc
		  : tacho__row_create(rows->recording->counters, rows->shapes.columns,
				      rows->counting->column_count, &rows->row, &rows->result);
}

static int read_rows(struct tacho__rows *rows, struct tacho_recording *recording)
{
	int rc = rows->counting->entry_count ? tacho__count_shapes_read(&rows->shapes, recording)
					     : 0;

	rows->written.shapes = &rows->shapes;
	return rc ? rc : tacho__written_rows_read(recording, &rows->written);
}

static bool selects_names_only(const struct tacho_counting_select *select)
{
	return !select->iteration_count && !select->skip && !select->count && !select->delay_ns &&
	       !select->duration_ns && !select->is_paused;
}

int tacho__rows_open(struct tacho_recording *recording, struct tacho__rows **out_rows)
{
	struct tacho__rows *rows;
	int rc;

	*out_rows = NULL;
	if (!recording->counting)
		return 0;
	rows = calloc(1, sizeof(*rows));
	if (!rows)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for rows of values");
	rows->recording = recording;
	rows->counting = recording->counting;
	rc = prepare(rows);
	if (!rc)
		rc = read_rows(rows, recording);
	if (!rc)
		rc = read_further_runs(rows, recording->path);
	if (!rc)
		rc = create_row(rows);
	rows->needs_rows = rows->counting->entry_count || rows->written.count ||
			   tacho_counting_is_selective(rows->counting);
	rows->selects_names = selects_names_only(&rows->counting->select);
	if (rc)
		tacho__rows_close(rows);
	else
		*out_rows = rows;
	return rc;
}

void tacho__rows_close(struct tacho__rows *rows)
{
	if (!rows)
		return;
	for (size_t i = 0; i < rows->run_count; i++)
		tacho__further_run_finish(&rows->runs[i]);
	tacho__occurrences_finish(&rows->occurrences);
	tacho__written_rows_finish(&rows->written);
	tacho__met_devices_finish(&rows->met);
	tacho__count_shapes_finish(&rows->shapes);
	free(rows->runs);
	tacho_result_destroy(rows->result);
	free(rows->launch_counters);
	free(rows);
}

/* ---- values ---- */

static bool is_of_session(const struct tacho__rows *rows, size_t column)
{
	return rows->counting->columns[column].from == TACHO_FROM_SESSION;
}

/* Out of the range of whole numbers there is none. */
static void set_whole(struct tacho__row *row, size_t at, double real)
{
	if (real >= 0 && real < 18446744073709551616.0)
		row->numbers[at].u64 = (uint64_t)real;
	else
		tacho__row_miss(row, at, "what was counted is no whole number", 0);
}

/* In the type of the column, whatever the process wrote. */
static void set_value(struct tacho__row *row, size_t at, const struct tacho__count *written,
		      uint32_t type, const char *note)
{
	union tacho__number number = {.u64 = written->bits};
	bool is_real = written->type == TACHO_TYPE_F64;

	row->numbers[at] = number;
	row->states[at] = written->state;
	row->coverage[at] = written->coverage;
	row->notes[at] = !tacho__row_is_absent(row, at) ? "" : *note ? note : not_counted;
	if (type == TACHO_TYPE_F64 && !is_real)
		row->numbers[at].f64 = (double)written->bits;
	else if (type == TACHO_TYPE_U64 && is_real && !tacho__row_is_absent(row, at))
		set_whole(row, at, number.f64);
}

/* What was read was looked at: it is of a column of a session, and of an instance that it has. */
static void place_value(struct tacho__rows *rows, const struct tacho__count *written,
			const char *note)
{
	struct tacho__row *row = &rows->row;
	size_t at = row->firsts[written->column];
	uint32_t instance = written->instance;

	if (instance && !rows->shapes.columns[written->column]) {
		if (row->notes[at] == not_counted)
			row->notes[at] = not_told;
		return;
	}
	set_value(row, instance ? at + instance - 1 : at, written,
		  rows->counting->columns[written->column].type, note);
}

static int set_written(struct tacho__rows *rows, const struct tacho__written_row *row)
{
	const struct tacho__count *values;
	size_t count;
	int rc = tacho__written_rows_load(&rows->written, row, &values, &count);

	for (size_t i = 0; i < count && !rc; i++)
		place_value(rows, &values[i], row->note);
	rows->told.passes = row->seen;
	rows->told.note = row->note;
	if (rc || rows->counting->replay != TACHO_REPLAY_ROTATE || !row->seen)
		return rc;
	for (size_t at = 0; at < rows->row.firsts[rows->row.count]; at++)
		if (rows->row.notes[at] == not_counted)
			rows->row.notes[at] = other_turn;
	return 0;
}

static void take_columns(struct tacho__rows *rows, const struct tacho__further_run *run,
			 const struct tacho__further_launch *launch)
{
	for (size_t i = 0; i < launch->row.count && i < rows->row.count; i++)
		if (is_of_session(rows, i) &&
		    tacho__row_count(&launch->row, i) == tacho__row_count(&rows->row, i) &&
		    !tacho__count_shapes_differ(&run->shapes, 0, i))
			tacho__row_take_missing(&rows->row, &launch->row, i);
}

/* What the first run does not have, from the others. */
static int add_further_runs(struct tacho__rows *rows, struct tacho_cursor *cursor,
			    const struct tacho_call *call)
{
	int rc = tacho__occurrences_add(&rows->occurrences, cursor, call);
	const char *name = tacho__buf_text(&rows->occurrences.name);
	const char *what = tacho__buf_text(&rows->occurrences.what);
	bool is_missing = false, is_different = false;

	if (rc || !rows->told.is_counted)
		return rc;
	for (size_t i = 0; i < rows->run_count; i++) {
		const struct tacho__further_launch *launch =
			tacho__further_run_find(&rows->runs[i], name);

		if (!launch) {
			is_missing = true;
			continue;
		}
		rows->runs[i].used++;
		if (!tacho__further_launch_fits(launch, call->command, what)) {
			is_different = true;
			continue;
		}
		take_columns(rows, &rows->runs[i], launch);
		rows->told.passes |= launch->seen;
	}
	rows->matching.launches++;
	rows->matching.missing += is_missing;
	rows->matching.different += is_different;
	if (is_missing || is_different)
		rows->told.note = is_missing ? lacks : *what ? has_other_command : has_other_size;
	rows->told.is_unmatched = is_missing || is_different;
	return 0;
}

/* A launch that would have been counted if its process had not stopped counting. */
static bool came_too_late(const struct tacho__rows *rows, const struct tacho_call *call)
{
	const struct tacho_object *kernel = call->command->kernel;

	return *call->process->uncounted && call->end_ns >= call->process->uncounted_ns &&
	       rows->selects_names &&
	       tacho_counting_selects(rows->counting, kernel ? kernel->name : "");
}

/* What is about the row says why, where the value itself does not. */
static void explain_absence(struct tacho__rows *rows)
{
	struct tacho__row *row = &rows->row;

	for (size_t i = 0; *rows->told.note && i < row->count; i++)
		for (size_t at = row->firsts[i]; is_of_session(rows, i) && at < row->firsts[i + 1];
		     at++)
			if (tacho__row_is_absent(row, at) && row->notes[at] == not_counted)
				row->notes[at] = rows->told.note;
}

/* Counting takes hold of single launches; what follows from the command itself is there. */
static void set_uncounted_template(struct tacho__rows *rows)
{
	tacho__row_miss_all(&rows->row, not_counted, 0);
	if (rows->counting->entry_count)
		rows->told.note = "its kernels run as a whole, and only launches are counted";
}

/* What is no launch, but may be counted as a whole: then it has a row, be it without values. */
static void set_no_launch(struct tacho__rows *rows, const struct tacho__written_row *row)
{
	if (row && !row->seen)
		tacho__row_miss_all(&rows->row, not_counted, 0);
	else
		tacho__row_miss_all(&rows->row, "the command is no kernel", TACHO_MARK_FOREIGN);
}

static bool is_selected_launch(const struct tacho__rows *rows, const struct tacho_command *command)
{
	const struct tacho_object *kernel = command->kernel;

	return command->kind == TACHO_COMMAND_KERNEL &&
	       tacho_counting_selects(rows->counting, kernel ? kernel->name : "");
}

/* Its launches are told of, so that nobody takes them for forgotten ones. */
static int take_other_device(struct tacho__rows *rows, struct tacho_cursor *cursor,
			     const struct tacho_call *call, const char *why,
			     const struct tacho_recorded_row **out_row)
{
	const struct tacho_command *command = call->command;
	bool is_told = is_selected_launch(rows, command);

	rows->told = (struct tacho_recorded_row){
		.result = rows->result, .is_counted = is_told, .note = is_told ? why : ""};
	tacho__row_miss_all(&rows->row, why, 0);
	*out_row = &rows->told;
	return command->kind == TACHO_COMMAND_KERNEL && is_first_run(rows)
		       ? tacho__occurrences_add(&rows->occurrences, cursor, call)
		       : 0;
}

int tacho__rows_take(struct tacho__rows *rows, struct tacho_cursor *cursor,
		     const struct tacho_call *call, uint64_t start_tick,
		     const struct tacho_recorded_row **out_row)
{
	const struct tacho_command *command = call->command;
	bool is_kernel = command->kind == TACHO_COMMAND_KERNEL;
	const struct tacho__written_row *row = tacho__written_rows_find(
		&rows->written, call->process->index, call->thread, start_tick);
	bool needs_row =
		rows->needs_rows || rows->recording->processes[call->process->index]->has_selected;
	bool is_late = is_kernel && !row && needs_row && came_too_late(rows, call);
	const char *other_device;
	int rc = tacho__met_devices_judge(&rows->met, rows->counting, command->device,
					  &other_device);

	if (rc || *other_device)
		return rc ? rc : take_other_device(rows, cursor, call, other_device, out_row);
	rows->told = (struct tacho_recorded_row){
		.result = rows->result,
		.is_counted = is_kernel ? row || is_late || !needs_row
					: row || !rows->counting->select.kernel_count,
		.note = is_late ? "its process had stopped counting" : "",
	};
	if (!rows->told.is_counted)
		tacho__row_miss_all(&rows->row, "this command was not selected", 0);
	else if (is_kernel)
		tacho__row_miss_all(&rows->row, not_counted, 0);
	else if (command->kind == TACHO_COMMAND_BUFFER)
		set_uncounted_template(rows);
	else
		set_no_launch(rows, row);
	if (row)
		rc = set_written(rows, row);
	if (!rc && (is_kernel || (row && command->kind == TACHO_COMMAND_OTHER)) &&
	    is_first_run(rows))
		rc = add_further_runs(rows, cursor, call);
	explain_absence(rows);
	for (size_t i = 0; rows->told.is_counted && i < rows->row.count; i++)
		if (!is_of_session(rows, i))
			tacho__launch_counter_get(rows->launch_counters[i], command,
						  rows->counting->is_strict, &rows->row,
						  rows->row.firsts[i]);
	*out_row = &rows->told;
	return rc;
}

void tacho__rows_get_matching(const struct tacho__rows *rows, struct tacho_matching *out_matching)
{
	*out_matching = rows->matching;
	for (size_t i = 0; i < rows->run_count; i++)
		out_matching->additional += rows->runs[i].count - rows->runs[i].used;
}
