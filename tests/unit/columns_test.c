/* SPDX-License-Identifier: MIT */
/* Columns hold what a cursor delivers, in batches of any size. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tacho/tacho.h"

static const char *const files[] = {
	"tests/data/codexl/mixed.atp",
	"tests/data/codexl/ranges.atp",
	"tests/data/codexl/buffers.atp",
	"tests/data/codexl/import/stream.csv",
};

/* A recording's rows beside its cursor. */
struct pair {
	struct tacho_recording *recording, *other;
	struct tacho_cursor *cursor;
	struct tacho_columns *columns;
	uint64_t calls, commands, values, ranges, range_at;
};

static void open_pair(struct pair *pair, const char *name)
{
	char file[4096];

	snprintf(file, sizeof(file), "%s/%s", getenv("TACHO_SOURCE_ROOT"), name);
	memset(pair, 0, sizeof(*pair));
	assert_int_equal(tacho_recording_open(file, &pair->recording), 0);
	assert_int_equal(tacho_recording_open(file, &pair->other), 0);
	assert_int_equal(tacho_cursor_open(pair->recording, &pair->cursor), 0);
	assert_int_equal(tacho_columns_open(pair->other, &pair->columns), 0);
}

static void close_pair(struct pair *pair)
{
	tacho_columns_close(pair->columns);
	tacho_cursor_close(pair->cursor);
	tacho_recording_close(pair->other);
	tacho_recording_close(pair->recording);
}

static void same_text(const struct pair *pair, uint32_t text, const char *expected)
{
	assert_string_equal(tacho_columns_get_text(pair->columns, text), expected ? expected : "");
}

static uint64_t known(bool is_known, uint64_t value)
{
	return is_known ? value : TACHO_UNKNOWN;
}

static void same_command(struct pair *pair, const struct tacho_batch *batch, size_t row,
			 const struct tacho_call *call)
{
	const struct tacho_command_columns *commands = tacho_batch_get_commands(batch);
	const struct tacho_command *command = call->command;
	bool is_ok = command->state == TACHO_STATE_OK;
	bool has_local = command->has_local && command->dimensions;

	assert_int_equal(commands->call[row], pair->calls);
	assert_int_equal(commands->id[row], command->id);
	assert_int_equal(commands->kind[row], command->kind);
	assert_int_equal(commands->state[row], command->state);
	assert_int_equal(commands->start_ns[row], known(is_ok, command->start_ns));
	assert_int_equal(commands->end_ns[row], known(is_ok, command->end_ns));
	assert_int_equal(commands->queued_ns[row],
			 known(is_ok && !command->lacks_queue_times, command->queued_ns));
	assert_int_equal(commands->duration_ns[row],
			 is_ok ? command->end_ns - command->start_ns
			       : known(command->has_duration, command->duration_ns));
	assert_int_equal(commands->bytes[row], known(command->has_bytes, command->bytes));
	for (uint32_t i = 0; i < 3; i++) {
		bool is_used = i < command->dimensions;

		assert_int_equal(commands->global[3 * row + i],
				 known(command->dimensions, is_used ? command->global[i] : 1));
		assert_int_equal(commands->local[3 * row + i],
				 known(has_local, is_used ? command->local[i] : 1));
	}
	assert_int_equal(commands->device[row], command->device ? command->device->id : 0);
	same_text(pair, commands->kernel_name[row], command->kernel ? command->kernel->name : "");
	same_text(pair, commands->name[row], command->name);
	same_text(pair, commands->reason[row], command->reason);
}

static void same_values(struct pair *pair, const struct tacho_batch *batch, size_t row,
			const struct tacho_recorded_row *expected)
{
	const struct tacho_result *values = tacho_batch_get_values(batch);
	const struct tacho_column *one, *all;

	if (!expected) {
		assert_null(values);
		return;
	}
	assert_int_equal(tacho_result_get_row_count(values),
			 tacho_batch_get_commands(batch)->count);
	for (size_t i = 0; (one = tacho_result_get_column(expected->result, i)); i++) {
		uint8_t state = expected->is_counted ? tacho_column_get_state(one, 0, 0)
						     : TACHO_STATE_ABSENT;

		all = tacho_result_get_column(values, i);
		assert_string_equal(all->name, one->name);
		assert_int_equal(tacho_column_get_state(all, row, 0), state);
		if ((state & TACHO_STATE_MASK) != TACHO_STATE_ABSENT)
			assert_true(tacho_column_get_value(all, row, 0) ==
				    tacho_column_get_value(one, 0, 0));
		else if (all->type == TACHO_TYPE_F64)
			assert_true(isnan(all->data.f64[row]));
		else
			assert_true(all->data.u64[row] == TACHO_UNKNOWN);
		assert_string_equal(tacho_column_get_note(all, row, 0),
				    expected->is_counted ? tacho_column_get_note(one, 0, 0) : "");
		pair->values++;
	}
}

static void same_call(struct pair *pair, const struct tacho_batch *batch, size_t row)
{
	const struct tacho_call_columns *calls = tacho_batch_get_calls(batch);
	const struct tacho_call *call;
	size_t command;

	assert_int_equal(tacho_cursor_next(pair->cursor, &call), 1);
	assert_int_equal(calls->start_ns[row],
			 known(!call->is_bare || call->start_ns, call->start_ns));
	assert_int_equal(calls->end_ns[row], known(!call->is_bare || call->end_ns, call->end_ns));
	assert_int_equal(calls->index[row], call->index);
	assert_int_equal(calls->thread[row], call->thread);
	assert_int_equal(calls->failed[row], call->failed);
	assert_int_equal(calls->range[row],
			 known(call->range_count, call->range_count ? call->ranges[0]->id : 0));
	same_text(pair, calls->function[row], call->function->name);
	same_text(pair, calls->result[row], call->result);
	assert_int_equal(calls->command[row], known(call->command, pair->commands));
	if (call->command) {
		command = pair->commands++ - tacho_batch_get_commands(batch)->first;
		same_command(pair, batch, command, call);
		same_values(pair, batch, command, tacho_cursor_get_row(pair->cursor));
	}
	pair->calls++;
}

static void same_batch(struct pair *pair, const struct tacho_batch *batch)
{
	const struct tacho_call_columns *calls = tacho_batch_get_calls(batch);
	const struct tacho_range_columns *ranges = tacho_batch_get_ranges(batch);

	assert_int_equal(calls->first, pair->calls);
	assert_int_equal(tacho_batch_get_commands(batch)->first, pair->commands);
	assert_int_equal(ranges->first, pair->ranges);
	for (size_t i = 0; i < calls->count; i++)
		same_call(pair, batch, i);
	pair->ranges += ranges->count;
}

static void test_batches(void **state)
{
	static const size_t sizes[] = {0, 1, 3, 1000};
	uint64_t calls = 0, commands = 0, values = 0, ranges = 0;

	for (size_t i = 0; i < 16; i++) {
		struct tacho_batch *batch;
		const struct tacho_call *call;
		struct pair pair;
		int rc;

		open_pair(&pair, files[i % 4]);
		while ((rc = tacho_columns_next(pair.columns, sizes[i / 4], &batch)) == 1) {
			same_batch(&pair, batch);
			tacho_batch_destroy(batch);
		}
		assert_int_equal(rc, 0);
		assert_int_equal(tacho_columns_next(pair.columns, 0, &batch), 0);
		assert_int_equal(tacho_cursor_next(pair.cursor, &call), 0);
		assert_true(pair.calls > 0);
		calls += pair.calls;
		commands += pair.commands;
		values += pair.values;
		ranges += pair.ranges;
		close_pair(&pair);
	}
	assert_true(calls > commands && commands > 0 && values > 0 && ranges > 0);
	assert_int_equal(ranges % 4, 0);
}

/* What a batch holds does not hang on the reader, nor on the recording. */
static void test_batch_outlives(void **state)
{
	const struct tacho_result *values;
	struct tacho_batch *batch;
	struct pair pair;

	open_pair(&pair, files[3]);
	assert_int_equal(tacho_columns_next(pair.columns, 0, &batch), 1);
	close_pair(&pair);
	values = tacho_batch_get_values(batch);
	assert_non_null(values);
	assert_true(strlen(tacho_result_get_row(values, 0)->name) > 0);
	assert_true(strlen(tacho_result_get_column(values, 0)->name) > 0);
	tacho_batch_destroy(batch);
}

/* What was counted can be worked on as any result. */
static void test_derive(void **state)
{
	struct tacho_formula formula = {.name = "doubled"};
	struct tacho_result *derived;
	const struct tacho_result *values;
	struct tacho_batch *batch;
	struct pair pair;
	char expression[256];
	double counted;

	open_pair(&pair, files[3]);
	assert_int_equal(tacho_columns_next(pair.columns, 0, &batch), 1);
	values = tacho_batch_get_values(batch);
	snprintf(expression, sizeof(expression), "2 * %s",
		 tacho_result_get_column(values, 0)->name);
	formula.expression = expression;
	assert_int_equal(tacho_result_derive(values, &formula, 1, NULL, &derived, NULL), 0);
	counted = tacho_column_get_value(tacho_result_get_column(values, 0), 0, 0);
	assert_true(tacho_column_get_value(tacho_result_get_column(derived, 0), 0, 0) ==
		    2 * counted);
	tacho_result_destroy(derived);
	tacho_batch_destroy(batch);
	close_pair(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_batch_outlives),
		cmocka_unit_test(test_derive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
