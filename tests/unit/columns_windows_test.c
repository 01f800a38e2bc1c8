/* SPDX-License-Identifier: MIT */
/* Windows of counters in batches: two samplings in turns, in pieces of any size. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/row.h"
#include "sample_recording.h"
#include "tacho/columns.h"

enum { WINDOWS = 5, OFTEN = 700 };

static const struct tacho_entry power[] = {{.name = "power", .type = TACHO_TYPE_F64}};
static const struct tacho_entry reads[] = {{.name = "reads", .type = TACHO_TYPE_U64},
					   {.name = "writes", .type = TACHO_TYPE_U64}};
static const struct tacho_sampling samplings[] = {
	{.device = "a", .counters = power, .counter_count = 1, .ended = "", .ended_cure = ""},
	{.device = "b", .counters = reads, .counter_count = 2, .ended = "", .ended_cure = ""},
	{0},
};

/* Whose the windows are, their numbers there, and the calls before which they are delivered. */
static const struct {
	size_t sampling;
	uint64_t index;
	size_t before;
} told[WINDOWS] = {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {1, 2, 2}, {0, 2, SIZE_MAX}};

static struct tacho_result *make_row(size_t sampling, uint64_t index)
{
	struct tacho_result *result;
	struct tacho__row row;

	assert_int_equal(tacho__row_create(samplings[sampling].counters, NULL,
					   samplings[sampling].counter_count, &row, &result),
			 0);
	if (!sampling)
		tacho__row_put(&row, 0, (union tacho__number){.f64 = 0.5 + (double)index});
	else
		tacho__row_put(&row, 1, (union tacho__number){.u64 = 100 + index});
	return result;
}

struct world {
	struct fake_recording recording;
	struct tacho_window windows[WINDOWS];
	struct fake_window delivered[WINDOWS];
};

static struct tacho_recording *begin(struct world *world)
{
	world->recording = *sample_vadd();
	for (size_t i = 0; i < WINDOWS; i++) {
		world->windows[i] = (struct tacho_window){
			.sampling = &samplings[told[i].sampling],
			.index = told[i].index,
			.start_ns = 1000 * i,
			.end_ns = 1000 * i + 900,
			.uncertainty_ns = 10 + i,
			.result = make_row(told[i].sampling, told[i].index),
		};
		world->delivered[i] = (struct fake_window){
			&world->windows[i], told[i].before < world->recording.call_count
						    ? told[i].before
						    : world->recording.call_count};
	}
	world->recording.samplings = samplings;
	world->recording.windows = world->delivered;
	world->recording.window_count = WINDOWS;
	return fake_recording(&world->recording);
}

static void end(struct world *world)
{
	for (size_t i = 0; i < WINDOWS; i++)
		tacho_result_destroy((struct tacho_result *)world->windows[i].result);
}

static void check_values(const struct tacho_batch *batch, size_t sampling)
{
	const struct tacho_window_columns *windows = tacho_batch_get_windows(batch);
	const struct tacho_result *values = tacho_batch_get_window_values(batch, sampling);
	size_t row = 0;

	for (size_t i = 0; i < windows->count; i++) {
		const struct tacho_row *about;

		if (windows->sampling[i] != sampling)
			continue;
		about = tacho_result_get_row(values, row);
		assert_int_equal(about->kind, TACHO_ROW_WINDOW);
		assert_int_equal(about->id, windows->first + i);
		assert_int_equal(about->end_ns, windows->end_ns[i]);
		if (!sampling) {
			assert_true(tacho_result_get_column(values, 0)->data.f64[row] ==
				    0.5 + (double)windows->index[i]);
		} else {
			assert_true(tacho_result_get_column(values, 0)->data.u64[row] ==
				    TACHO_UNKNOWN);
			assert_int_equal(
				tacho_column_get_state(tacho_result_get_column(values, 0), row, 0),
				TACHO_STATE_ABSENT);
			assert_true(tacho_result_get_column(values, 1)->data.u64[row] ==
				    100 + windows->index[i]);
		}
		row++;
	}
	assert_int_equal(values ? tacho_result_get_row_count(values) : 0, row);
}

static void check_batch(const struct tacho_batch *batch, size_t *done)
{
	const struct tacho_window_columns *windows = tacho_batch_get_windows(batch);

	assert_int_equal(windows->first, *done);
	for (size_t i = 0; i < windows->count; i++, (*done)++) {
		assert_int_equal(windows->sampling[i], told[*done].sampling);
		assert_int_equal(windows->index[i], told[*done].index);
		assert_int_equal(windows->start_ns[i], 1000 * *done);
		assert_int_equal(windows->end_ns[i], 1000 * *done + 900);
		assert_int_equal(windows->uncertainty_ns[i], 10 + *done);
	}
	check_values(batch, 0);
	check_values(batch, 1);
	assert_null(tacho_batch_get_window_values(batch, 2));
}

static void test_batches(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 1000};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct tacho_columns *columns;
		struct tacho_batch *batch;
		struct world world;
		size_t done = 0;
		int rc;

		assert_int_equal(tacho_columns_open(begin(&world), &columns), 0);
		while ((rc = tacho_columns_next(columns, sizes[i], &batch)) == 1) {
			check_batch(batch, &done);
			tacho_batch_destroy(batch);
		}
		assert_int_equal(rc, 0);
		assert_int_equal(done, WINDOWS);
		tacho_columns_close(columns);
		end(&world);
	}
}

/* Arrays grow. */
static void test_many(void **state)
{
	static struct tacho_window windows[OFTEN];
	static struct fake_window delivered[OFTEN];
	struct tacho_columns *columns;
	struct tacho_batch *batch;
	const struct tacho_result *values;
	struct world world;
	struct tacho_recording *recording = begin(&world);

	for (size_t i = 0; i < OFTEN; i++) {
		windows[i] = world.windows[0];
		windows[i].index = i;
		delivered[i] = (struct fake_window){&windows[i], 0};
	}
	world.recording.windows = delivered;
	world.recording.window_count = OFTEN;
	assert_int_equal(tacho_columns_open(recording, &columns), 0);
	assert_int_equal(tacho_columns_next(columns, 0, &batch), 1);
	assert_int_equal(tacho_batch_get_windows(batch)->count, OFTEN);
	assert_int_equal(tacho_batch_get_windows(batch)->index[OFTEN - 1], OFTEN - 1);
	values = tacho_batch_get_window_values(batch, 0);
	assert_int_equal(tacho_result_get_row_count(values), OFTEN);
	assert_true(tacho_result_get_column(values, 0)->data.f64[OFTEN - 1] == 0.5);
	assert_null(tacho_batch_get_window_values(batch, 1));
	tacho_batch_destroy(batch);
	tacho_columns_close(columns);
	end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
