/* SPDX-License-Identifier: MIT */
/* Calls and the commands that they gave, told apart from each other, as rows in the order of time.
 */
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign.h"

#define ROW_BYTES offsetof(struct tacho__foreign_row, command)

/* A row with as many values as a command can have. */
union wide_row {
	struct tacho__foreign_row row;
	unsigned char bytes[sizeof(struct tacho__foreign_row) +
			    TACHO__FOREIGN_VALUES_MAX * sizeof(struct tacho__foreign_kept)];
};

_Static_assert(sizeof(union wide_row) <= TACHO__SORTER_RECORD_MAX, "a row is one record");

static int compare(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int compare_times(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

/* By what joins them, then by time. */
static int compare_calls(const void *left, const void *right)
{
	const struct tacho__foreign_call *a = left, *b = right;
	int order = compare(a->process, b->process);

	order = order ? order : compare(a->link, b->link);
	return order ? order : compare_times(a->start_ns, b->start_ns);
}

static int compare_commands(const void *left, const void *right)
{
	const struct tacho__foreign_command *a = left, *b = right;
	int order = compare(a->process, b->process);

	order = order ? order : compare(a->link, b->link);
	return order ? order : compare_times(a->start_ns, b->start_ns);
}

/*
 * Ranges begin before the calls of the same instant and end behind them; of those that begin at one
 * instant the outer one is first, of those that end it is last.
 */
static int compare_rows(const void *left, const void *right)
{
	const struct tacho__foreign_row *a = left, *b = right;
	int order = compare_times(a->key_ns, b->key_ns);

	order = order ? order : compare(a->kind, b->kind);
	if (!order && a->kind == TACHO__FOREIGN_BEGIN)
		order = compare_times(b->told.end_ns, a->told.end_ns);
	if (!order && a->kind == TACHO__FOREIGN_END)
		order = compare_times(b->told.start_ns, a->told.start_ns);
	return order;
}

void tacho__foreign_begin_sorters(struct tacho__foreign *foreign)
{
	foreign->values.compare = tacho__foreign_compare_values;
	foreign->counted.compare = tacho__foreign_compare_counted;
	foreign->calls.compare = compare_calls;
	foreign->commands.compare = compare_commands;
	foreign->rows.compare = compare_rows;
}

/* A command and its values, as they lie in a sorter; nothing: no command. */
struct told {
	const struct tacho__foreign_command *command;
	size_t size;
	const struct tacho__foreign_call *call; /* that gave it; NULL: it is not known */
};

static void count_items(struct tacho__foreign_command *command)
{
	for (uint32_t i = 0; i < command->dimensions; i++)
		if (__builtin_mul_overflow(command->global[i], command->local[i],
					   &command->global[i]))
			command->dimensions = command->has_local = 0;
}

/* What only its call says of a command. */
static void settle(struct tacho__foreign *foreign, const struct tacho__foreign_call *call,
		   struct tacho__foreign_command *command)
{
	if (call && call->has_bytes && command->kind != TACHO_COMMAND_KERNEL &&
	    !command->has_bytes) {
		command->has_bytes = 1;
		command->bytes = call->bytes;
	}
	if (command->sizes == TACHO__FOREIGN_IN_GROUPS ||
	    (command->sizes == TACHO__FOREIGN_AS_CALLED && call && !call->counts_items))
		count_items(command);
	if (command->sizes == TACHO__FOREIGN_AS_CALLED && !call) {
		command->dimensions = command->has_local = 0;
		foreign->lost_sizes++;
	}
}

static int add_row(struct tacho__foreign *foreign, const struct tacho__foreign_row *row,
		   struct told told)
{
	union wide_row wide;

	if (!told.command)
		return tacho__sorter_add(&foreign->rows, row, ROW_BYTES);
	memcpy(wide.bytes, row, ROW_BYTES);
	memcpy(wide.bytes + ROW_BYTES, told.command, told.size);
	settle(foreign, told.call, &wide.row.command);
	return tacho__sorter_add(&foreign->rows, wide.bytes, ROW_BYTES + told.size);
}

static int add_call_row(struct tacho__foreign *foreign, const struct tacho__foreign_call *call,
			struct told told)
{
	struct tacho__foreign_row row = {.key_ns = call->end_ns,
					 .kind = TACHO__FOREIGN_CALL,
					 .call = *call,
					 .has_command = told.command != NULL};

	return add_row(foreign, &row, told);
}

/* Work whose call is not known, or that is not the first of its call: then its call names it. */
static int add_bare_row(struct tacho__foreign *foreign, const struct tacho__foreign_call *call,
			struct told told)
{
	const struct tacho__foreign_command *command = told.command;
	struct tacho__foreign_row row = {
		.kind = TACHO__FOREIGN_CALL, .is_bare = 1, .has_command = 1};

	row.key_ns = command->state == TACHO_STATE_OK ? command->start_ns : foreign->last_ns;
	row.call.process = command->process;
	row.call.thread = call ? call->thread : command->thread;
	row.call.function = call ? call->function : 0;
	row.call.start_ns = row.call.end_ns =
		command->state == TACHO_STATE_OK ? command->start_ns : 0;
	return add_row(foreign, &row, told);
}

/* Both are read in the order of what joins them. */
struct join {
	struct tacho__foreign *foreign;
	struct tacho__sorted calls, commands;
	const struct tacho__foreign_call *call; /* NULL: no more */
	struct told told;			/* nothing: no more */
};

static int next_call(struct join *join)
{
	const void *record = NULL;
	size_t size;
	int rc = tacho__sorted_next(&join->calls, &record, &size);

	join->call = rc == 1 ? record : NULL;
	return rc < 0 ? rc : 0;
}

static int next_command(struct join *join)
{
	const void *record = NULL;
	size_t size;
	int rc = tacho__sorted_next(&join->commands, &record, &size);

	join->told = rc == 1 ? (struct told){.command = record, .size = size} : (struct told){0};
	return rc < 0 ? rc : 0;
}

static int compare_links(const struct tacho__foreign_call *call,
			 const struct tacho__foreign_command *command)
{
	int order = compare(call->process, command->process);

	return order ? order : compare(call->link, command->link);
}

/* The call with its commands: the first is its own, the others are bare. */
static int join_call(struct join *join)
{
	const struct tacho__foreign_call call = *join->call;
	int rc;

	join->told.call = &call;
	rc = add_call_row(join->foreign, &call, join->told);

	if (!rc)
		rc = next_command(join);
	while (!rc && join->told.command && !compare_links(&call, join->told.command)) {
		join->told.call = &call;
		rc = add_bare_row(join->foreign, &call, join->told);
		if (!rc)
			rc = next_command(join);
	}
	return rc ? rc : next_call(join);
}

static int join_next(struct join *join)
{
	int order = !join->call		  ? 1
		    : !join->told.command ? -1
					  : compare_links(join->call, join->told.command);
	int rc;

	if (!order)
		return join_call(join);
	if (order < 0) {
		rc = add_call_row(join->foreign, join->call, (struct told){0});
		return rc ? rc : next_call(join);
	}
	rc = add_bare_row(join->foreign, NULL, join->told);
	return rc ? rc : next_command(join);
}

int tacho__foreign_join(struct tacho__foreign *foreign)
{
	struct join join = {.foreign = foreign};
	int rc = tacho__foreign_join_values(foreign);

	if (!rc)
		rc = tacho__sorter_seal(&foreign->calls);
	if (!rc)
		rc = tacho__sorter_seal(&foreign->commands);
	if (!rc)
		rc = tacho__sorted_open(&join.calls, &foreign->calls);
	if (!rc)
		rc = tacho__sorted_open(&join.commands, &foreign->commands);
	if (!rc)
		rc = next_call(&join);
	if (!rc)
		rc = next_command(&join);
	while (!rc && (join.call || join.told.command))
		rc = join_next(&join);
	tacho__sorted_close(&join.calls);
	tacho__sorted_close(&join.commands);
	tacho__sorter_finish(&foreign->calls);
	tacho__sorter_finish(&foreign->commands);
	return rc ? rc : tacho__sorter_seal(&foreign->rows);
}

/* ---- what needs no joining ---- */

static void see(struct tacho__foreign *foreign, int64_t ns)
{
	if (!foreign->has_time || ns < foreign->first_ns)
		foreign->first_ns = ns;
	if (!foreign->has_time || ns > foreign->last_ns)
		foreign->last_ns = ns;
	foreign->has_time = true;
}

int tacho__foreign_add_call(struct tacho__foreign *foreign, const struct tacho__foreign_call *call)
{
	struct tacho__foreign_call known = *call;

	tacho__foreign_tally(foreign);
	known.start_ns = tacho__foreign_shift(foreign, known.start_ns);
	known.end_ns = tacho__foreign_shift(foreign, known.end_ns);
	if (known.end_ns < known.start_ns)
		known.end_ns = known.start_ns;
	see(foreign, known.start_ns);
	see(foreign, known.end_ns);
	return known.link ? tacho__sorter_add(&foreign->calls, &known, sizeof(known))
			  : add_call_row(foreign, &known, (struct told){0});
}

static void shift_command(struct tacho__foreign *foreign, struct tacho__foreign_command *command)
{
	int64_t *const times[] = {&command->queued_ns, &command->submit_ns, &command->start_ns,
				  &command->end_ns};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(times); i++)
		*times[i] = tacho__foreign_shift(foreign, *times[i]);
}

int tacho__foreign_add_command(struct tacho__foreign *foreign,
			       const struct tacho__foreign_command *command)
{
	struct tacho__foreign_command known = *command;
	int rc = 0;

	if (known.state == TACHO_STATE_OK)
		shift_command(foreign, &known);
	tacho__foreign_tally_command(foreign, &known);
	if (known.state == TACHO_STATE_OK && known.end_ns < known.start_ns) {
		known.state = TACHO_STATE_ABSENT;
		rc = tacho__foreign_text(foreign, "the file says that it ended before it began",
					 &known.reason);
	}
	if (rc)
		return rc;
	if (known.state == TACHO_STATE_OK) {
		see(foreign, known.start_ns);
		see(foreign, known.end_ns);
	}
	return known.values ? tacho__sorter_add(&foreign->counted, &known, sizeof(known))
			    : tacho__foreign_put_command(foreign, &known, sizeof(known));
}

int tacho__foreign_put_command(struct tacho__foreign *foreign,
			       const struct tacho__foreign_command *command, size_t size)
{
	return command->link ? tacho__sorter_add(&foreign->commands, command, size)
			     : add_bare_row(foreign, NULL,
					    (struct told){.command = command, .size = size});
}

int tacho__foreign_add_range(struct tacho__foreign *foreign,
			     const struct tacho__foreign_range *range)
{
	struct tacho__foreign_row row = {.kind = TACHO__FOREIGN_BEGIN, .told = *range};
	int rc;

	tacho__foreign_tally(foreign);
	row.told.number = ++foreign->range_count;
	row.key_ns = row.told.start_ns = tacho__foreign_shift(foreign, range->start_ns);
	row.told.end_ns = tacho__foreign_shift(foreign, range->end_ns);
	if (range->kind == TACHO_RANGE_MARK || !range->has_end ||
	    row.told.end_ns < row.told.start_ns)
		row.told.end_ns = range->has_end ? row.told.start_ns : INT64_MAX;
	see(foreign, row.told.start_ns);
	rc = add_row(foreign, &row, (struct told){0});
	if (rc || range->kind == TACHO_RANGE_MARK || !range->has_end)
		return rc;
	see(foreign, row.told.end_ns);
	row.kind = TACHO__FOREIGN_END;
	row.key_ns = row.told.end_ns;
	return add_row(foreign, &row, (struct told){0});
}
