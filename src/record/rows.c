/* SPDX-License-Identifier: MIT */
#include "record/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/command_entries.h"
#include "record/launch_counters.h"
#include "tacho/sys/counting.h"

enum { FURTHER_RUNS_MAX = 1000 };

static const char not_counted[] = "it was not counted in this launch";
static const char other_turn[] = "this launch had another pass";

struct tacho__rows {
	const struct tacho_recording *recording;
	const struct tacho_counting *counting; /* of the recording */
	int *launch_counters;		       /* per column; -1: it is no such one */
	struct tacho__written_rows written;
	bool needs_rows;    /* a launch without a written row was not selected */
	bool selects_names; /* and nothing but names: what else would be has to be known */
	struct tacho__occurrences occurrences;
	struct tacho__further_run *runs;
	size_t run_count;
	struct tacho__buf name;
	struct tacho_matching matching;
	struct tacho_value *values;
	struct tacho_values told;
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
	rows->values = calloc(count + 1, sizeof(*rows->values));
	if (!rows->launch_counters || !rows->values)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu columns", count);
	for (size_t i = 0; i < count; i++)
		rows->launch_counters[i] =
			rows->counting->columns[i].from == TACHO_FROM_LAUNCH
				? tacho__command_entry_find(rows->counting->columns[i].name)
				: -1;
	rows->told.values = rows->values;
	rows->told.count = count;
	rows->matching.run_count = rows->counting->run_count;
	return 0;
}

static bool selects_names_only(const struct tacho_counting_select *select)
{
	return !select->skip && !select->count && !select->delay_ns && !select->duration_ns &&
	       !select->is_paused;
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
		rc = tacho__written_rows_read(recording, &rows->written);
	if (!rc)
		rc = read_further_runs(rows, recording->path);
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
	tacho__buf_finish(&rows->name);
	free(rows->runs);
	free(rows->values);
	free(rows->launch_counters);
	free(rows);
}

/* ---- values ---- */

static bool is_absent(const struct tacho_value *value)
{
	return (value->state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT;
}

static double to_double(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Out of the range of whole numbers there is none. */
static void set_whole(struct tacho_value *value, double real)
{
	if (real >= 0 && real < 18446744073709551616.0) {
		value->data.u64 = (uint64_t)real;
		return;
	}
	value->data.u64 = 0;
	value->state = TACHO_STATE_ABSENT;
	value->note = "what was counted is no whole number";
}

/* In the type of the column, whatever the process wrote. */
static void set_value(struct tacho_value *value, const struct tacho__written *written,
		      uint32_t type, const char *note)
{
	bool is_real = written->type == TACHO_TYPE_F64;

	value->state = written->state;
	value->coverage = written->coverage;
	value->note = !is_absent(value) ? "" : *note ? note : not_counted;
	if (type == TACHO_TYPE_F64) {
		value->data.f64 = is_real ? to_double(written->bits) : (double)written->bits;
	} else if (is_real && !is_absent(value)) {
		set_whole(value, to_double(written->bits));
	} else {
		value->data.u64 = written->bits;
	}
}

static void set_written(struct tacho__rows *rows, const struct tacho__written_row *row)
{
	const struct tacho_counting *counting = rows->counting;

	for (size_t i = 0; i < row->count; i++) {
		const struct tacho__written *written = &row->values[i];

		if (written->column < counting->column_count &&
		    counting->columns[written->column].from == TACHO_FROM_SESSION)
			set_value(&rows->values[written->column], written,
				  counting->columns[written->column].type, row->note);
	}
	rows->told.passes = row->seen;
	rows->told.note = row->note;
	if (rows->counting->replay != TACHO_COUNTING_ROTATE || !row->seen)
		return;
	for (size_t i = 0; i < rows->told.count; i++)
		if (rows->values[i].note == not_counted)
			rows->values[i].note = other_turn;
}

/* What the first run does not have, from the others. */
static int add_further_runs(struct tacho__rows *rows, const struct tacho_call *call)
{
	bool is_missing = false, is_different = false;
	int rc = tacho__occurrences_add(&rows->occurrences, call, &rows->name);

	if (rc || !rows->told.is_counted)
		return rc;
	for (size_t i = 0; i < rows->run_count; i++) {
		const struct tacho__further_launch *launch =
			tacho__further_run_find(&rows->runs[i], tacho__buf_text(&rows->name));

		if (!launch) {
			is_missing = true;
			continue;
		}
		rows->runs[i].used++;
		if (!tacho__further_launch_fits(launch, call->command)) {
			is_different = true;
			continue;
		}
		for (size_t k = 0; k < launch->count && k < rows->told.count; k++)
			if (rows->counting->columns[k].from == TACHO_FROM_SESSION &&
			    is_absent(&rows->values[k]) && !is_absent(&launch->values[k]))
				rows->values[k] = launch->values[k];
		rows->told.passes |= launch->seen;
	}
	rows->matching.launches++;
	rows->matching.missing += is_missing;
	rows->matching.different += is_different;
	if (is_missing || is_different)
		rows->told.note = is_missing ? "another run of the program lacks this launch"
					     : "in another run of the program this launch has "
					       "another size";
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
	for (size_t i = 0; *rows->told.note && i < rows->told.count; i++)
		if (rows->counting->columns[i].from == TACHO_FROM_SESSION &&
		    is_absent(&rows->values[i]) && rows->values[i].note == not_counted)
			rows->values[i].note = rows->told.note;
}

static void set_absent(struct tacho__rows *rows, const char *note, bool is_foreign)
{
	for (size_t i = 0; i < rows->told.count; i++)
		rows->values[i] = (struct tacho_value){.state = TACHO_STATE_ABSENT,
						       .note = note,
						       .coverage = 1,
						       .is_foreign = is_foreign};
}

/* Counting takes hold of single launches; what follows from the command itself is there. */
static void set_uncounted_template(struct tacho__rows *rows)
{
	set_absent(rows, not_counted, false);
	if (rows->counting->entry_count)
		rows->told.note = "its kernels run as a whole, and only launches are counted";
}

int tacho__rows_take(struct tacho__rows *rows, const struct tacho_call *call, uint64_t start_tick,
		     const struct tacho_values **out_values)
{
	const struct tacho_command *command = call->command;
	bool is_kernel = command->kind == TACHO_COMMAND_KERNEL;
	const struct tacho__written_row *row =
		is_kernel ? tacho__written_rows_find(&rows->written, call->process->index,
						     call->thread, start_tick)
			  : NULL;
	bool needs_row =
		rows->needs_rows || rows->recording->processes[call->process->index]->has_selected;
	bool is_late = is_kernel && !row && needs_row && came_too_late(rows, call);
	int rc = 0;

	rows->told.is_counted =
		is_kernel ? row || is_late || !needs_row : !rows->counting->select.kernel_count;
	rows->told.passes = 0;
	rows->told.note = is_late ? "its process had stopped counting" : "";
	rows->told.is_unmatched = 0;
	if (!rows->told.is_counted)
		set_absent(rows, "this command was not selected", false);
	else if (is_kernel)
		set_absent(rows, not_counted, false);
	else if (command->kind == TACHO_COMMAND_BUFFER)
		set_uncounted_template(rows);
	else
		set_absent(rows, "the command is no kernel", true);
	if (row)
		set_written(rows, row);
	if (is_kernel && is_first_run(rows))
		rc = add_further_runs(rows, call);
	explain_absence(rows);
	for (size_t i = 0; rows->told.is_counted && i < rows->told.count; i++)
		if (rows->counting->columns[i].from == TACHO_FROM_LAUNCH)
			tacho__launch_counter_get(rows->launch_counters[i], command,
						  rows->counting->is_strict, &rows->values[i]);
	*out_values = &rows->told;
	return rc;
}

void tacho__rows_get_matching(const struct tacho__rows *rows, struct tacho_matching *out_matching)
{
	*out_matching = rows->matching;
	for (size_t i = 0; i < rows->run_count; i++)
		out_matching->additional += rows->runs[i].count - rows->runs[i].used;
}
