/* SPDX-License-Identifier: MIT */
/*
 * What was counted of each kernel launch, out of a recording that `tacho record -m LIST` made.
 *
 *	cc launch_values.c $(pkg-config --cflags --libs tacho)
 *	tacho record -o first -m device_time,work_items PROGRAM
 *	./a.out first
 */
#include <stdio.h>
#include <stdlib.h>

#include <tacho/tacho.h>

static void check(int rc)
{
	const struct tacho_error_detail *error = tacho_error_last();

	if (rc >= 0)
		return;
	fprintf(stderr, "%s\n  cause: %s\n  cure:  %s\n", error->message, error->cause,
		error->cure);
	exit(EXIT_FAILURE);
}

/* A value is a number only when its state says so; else its note may say why not. */
static void print_value(const struct tacho_entry *counter, const struct tacho_column *column,
			size_t instance)
{
	uint8_t state = tacho_column_get_state(column, 0, instance);

	printf("  %s", column->name);
	if (column->dimension_count)
		printf("[%zu]", instance);
	if ((state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT)
		printf(" - %s\n", tacho_column_get_note(column, 0, instance));
	else
		printf(" %.0f %s (%s)%s\n", tacho_column_get_value(column, 0, instance),
		       column->unit, tacho_state_to_string(state),
		       counter->is_simulated ? " [simulated]" : "");
}

/* One value, or those of the instances that were asked for: SQ_WAVES:instances. */
static void print(const struct tacho_entry *counter, const struct tacho_column *column)
{
	for (size_t i = 0; i < column->instance_count; i++)
		if (tacho_column_is_present(column, i))
			print_value(counter, column, i);
}

int main(int argc, char **argv)
{
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	int rc;

	if (argc != 2) {
		fprintf(stderr, "usage: %s RECORDING\n", argv[0]);
		return EXIT_FAILURE;
	}
	check(tacho_recording_open(argv[1], &recording));
	check(tacho_cursor_open(recording, &cursor));
	while ((rc = tacho_cursor_next(cursor, &call)) == 1) {
		const struct tacho_command *command = call->command;
		const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);
		const struct tacho_column *column;

		if (!command || command->kind != TACHO_COMMAND_KERNEL || !row || !row->is_counted)
			continue;
		printf("%s\n", command->kernel ? command->kernel->name : command->name);
		for (size_t i = 0; (column = tacho_result_get_column(row->result, i)); i++)
			print(tacho_recording_get_counter(recording, i), column);
	}
	check(rc);
	/* What is missing from the files is known when all was read. */
	check(tacho_recording_check(recording));
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	return EXIT_SUCCESS;
}
