/* SPDX-License-Identifier: MIT */
/* The ranges of a collection: open, ended in their order, and gone; and its one failure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "backend/collection.h"
#include "base/clock.h"
#include "base/error.h"

struct range {
	struct tacho__device_range base;
	int number;
};

static struct tacho__collection *collection;

/* What became of ranges: `most` are over at a time, and the one of this number makes trouble. */
static struct {
	uint64_t delivered[8];
	size_t count, released, flushed, most, failed;
	int number, code;
} seen;

static int deliver(const struct range *range)
{
	assert_int_equal(range->number, (int)range->base.key);
	if (range->number == seen.number)
		return TACHO_E_VENDOR;
	if (seen.count < sizeof(seen.delivered) / sizeof(seen.delivered[0]))
		seen.delivered[seen.count] = range->base.key;
	seen.count++;
	return 0;
}

static void release(struct tacho__collection *of, struct tacho__device_range *range)
{
	assert_ptr_equal(of, collection);
	seen.released++;
}

static int sweep(struct tacho__collection *of, bool *out_waits)
{
	struct range *range;
	int rc = 0;

	while (!rc && (range = tacho__collection_get_ended(of))) {
		*out_waits = seen.most <= seen.count;
		if (*out_waits)
			return 0;
		rc = deliver(range);
		release(of, &range->base);
		tacho__collection_drop_ended(of);
	}
	return rc;
}

static void flush(struct tacho__collection *of)
{
	seen.flushed++;
}

static int drain(uint64_t timeout_ns)
{
	static const struct tacho__sweep how = {sweep, flush, "slow", "wait"};

	return tacho__collection_sweep(collection, &how, timeout_ns);
}

static void on_fail(void *user, int code, const char *cause, const char *cure)
{
	assert_string_equal(cause, "a cause");
	assert_string_equal(cure, "a cure");
	seen.code = code;
	seen.failed++;
}

static int setup(void **state)
{
	static const struct tacho__sink sink = {.fail = on_fail};
	static const struct tacho__collection_options options = {.sink = &sink};

	memset(&seen, 0, sizeof(seen));
	seen.most = SIZE_MAX;
	collection = tacho__collection_create(sizeof(*collection), &options);
	assert_non_null(collection);
	collection->range_size = sizeof(struct range);
	return 0;
}

static int teardown(void **state)
{
	tacho__collection_destroy(collection);
	return 0;
}

static struct range *begin(uint64_t key)
{
	struct range *range = tacho__collection_begin_range(collection, key);

	assert_non_null(range);
	assert_int_equal(range->base.key, key);
	assert_int_equal(range->number, 0);
	range->number = (int)key;
	return range;
}

/* All that ended is over, and comes in this order. */
static void expect_drained(size_t count, const uint64_t *keys)
{
	seen.count = seen.released = 0;
	assert_int_equal(drain(0), 0);
	assert_int_equal(seen.count, count);
	assert_int_equal(seen.released, count);
	assert_memory_equal(seen.delivered, keys, count * sizeof(*keys));
}

/* 1 2 3 are open; they end as 2 3 1, and another ends when the list was empty once. */
static void test_order(void **state)
{
	static const uint64_t order[] = {2, 3, 1};
	struct range *open[4];

	expect_drained(0, NULL);
	for (uint64_t key = 1; key <= 3; key++)
		open[key] = begin(key);
	for (size_t i = 0; i < 3; i++)
		assert_ptr_equal(tacho__collection_end_range(collection, order[i]), open[order[i]]);
	assert_null(collection->open);
	expect_drained(3, order);
	begin(4);
	assert_non_null(tacho__collection_end_range(collection, 4));
	expect_drained(1, (uint64_t[]){4});
	expect_drained(0, NULL);
	assert_int_equal(seen.flushed, 0);
}

/* One that is not over holds back those behind it; it stays, and so do those that are open. */
static void test_waits(void **state)
{
	uint64_t begin_ns = tacho__clock_raw_ns();

	for (uint64_t key = 1; key <= 4; key++)
		begin(key);
	for (uint64_t key = 1; key <= 3; key++)
		tacho__collection_end_range(collection, key);
	seen.most = 2;
	assert_int_equal(drain(0), TACHO_E_TIMEOUT);
	assert_int_equal(seen.count, 2);
	assert_int_equal(seen.flushed, 1);
	assert_int_equal(drain(2000000), TACHO_E_TIMEOUT);
	assert_true(tacho__clock_raw_ns() - begin_ns >= 2000000);
	assert_int_equal(seen.count, 2);
	assert_int_equal(seen.released, 2);
	seen.most = SIZE_MAX;
	expect_drained(1, (uint64_t[]){3});
	assert_int_equal(collection->open->key, 4);
}

/* One that cannot be delivered is told once, and gone. */
static void test_failure(void **state)
{
	for (uint64_t key = 1; key <= 3; key++) {
		begin(key);
		tacho__collection_end_range(collection, key);
	}
	seen.number = 2;
	assert_int_equal(drain(1000), TACHO_E_VENDOR);
	assert_int_equal(seen.count, 1);
	assert_int_equal(seen.released, 2);
	expect_drained(1, (uint64_t[]){3});
}

/* What is left at the end is released, not delivered. */
static void test_finish(void **state)
{
	begin(1);
	begin(2);
	tacho__collection_end_range(collection, 1);
	tacho__collection_clear(collection, release);
	assert_int_equal(seen.count, 0);
	assert_int_equal(seen.released, 2);
}

static void drop(uint64_t key)
{
	struct tacho__device_range *range = tacho__collection_find_range(collection, key);

	assert_non_null(range);
	tacho__collection_drop_range(collection, range);
}

/* Only what is open ends, once. */
static void test_unknown(void **state)
{
	assert_null(tacho__collection_end_range(collection, 1));
	begin(1);
	begin(2);
	assert_null(tacho__collection_end_range(collection, 3));
	assert_null(tacho__collection_find_range(collection, 3));
	assert_int_equal(tacho_error_last()->code, TACHO_E_INVAL);
	drop(1);
	assert_null(tacho__collection_end_range(collection, 1));
	assert_non_null(tacho__collection_end_range(collection, 2));
	assert_null(tacho__collection_end_range(collection, 2));
	assert_null(tacho__collection_find_range(collection, 2));
	expect_drained(1, (uint64_t[]){2});
}

/* Memory of ranges that are gone is taken again, cleared. */
static void test_reuse(void **state)
{
	struct range *first = begin(1), *second = begin(2);

	drop(1);
	assert_ptr_equal(begin(3), first);
	tacho__collection_end_range(collection, 2);
	expect_drained(1, (uint64_t[]){2});
	assert_ptr_equal(begin(4), second);
}

/* The sink hears of the first failure only, and whoever waits is woken by it. */
static void test_fail_once(void **state)
{
	for (int i = 0; i < 2; i++) {
		tacho__fail(TACHO_E_LOST, "a cause", "a cure", "it is gone");
		assert_int_equal(tacho__collection_fail(collection, TACHO_E_LOST), TACHO_E_LOST);
	}
	assert_int_equal(seen.failed, 1);
	assert_int_equal(seen.code, TACHO_E_LOST);
	assert_true(collection->has_failed);
}

enum { THREADS = 4, ROUNDS = 2000 };

static void *hammer(void *argument)
{
	uint64_t key = (uint64_t)(uintptr_t)argument;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct range *range = tacho__collection_begin_range(collection, key + i);

		if (range)
			range->number = (int)(key + i);
		if (i % 4)
			tacho__collection_end_range(collection, key + i);
		else
			tacho__collection_drop_range(collection, &range->base);
	}
	return NULL;
}

/* One thread takes out what others end. */
static void test_threads(void **state)
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hammer, (void *)((i + 1) << 32)),
				 0);
	while (seen.count < THREADS * ROUNDS / 4 * 3)
		assert_int_equal(drain(0), 0);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_null(collection->open);
	assert_null(collection->ended);
	assert_int_equal(seen.released, seen.count);
}

/* Two counters over three rows: each value in its place, in its counter's type, else absent. */
static void test_rows(void **state)
{
	const struct tacho_entry whole = {.name = "w", .type = TACHO_TYPE_U64};
	const struct tacho_entry real = {.name = "r", .type = TACHO_TYPE_F64};
	const struct tacho_plan_counter counters[] = {{.entry = &whole}, {.entry = &real}};
	const struct tacho_plan_pass pass = {.counters = counters, .counter_count = 2};
	struct tacho__rows *rows = tacho__rows_create(&pass, 3);

	assert_non_null(rows);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(rows->columns[1].states[i], TACHO_STATE_ABSENT);
	tacho__rows_put(rows, 0, 2, UINT64_MAX, 0.5, TACHO_STATE_SCALED);
	tacho__rows_put(rows, 1, 0, 7, -0.25, TACHO_STATE_OK);
	tacho__rows_put(rows, 1, 2, 7, 1e300, TACHO_STATE_OVERFLOW);
	assert_true(rows->columns[0].data.u64[2] == UINT64_MAX);
	assert_int_equal(rows->columns[0].states[2], TACHO_STATE_SCALED);
	assert_true(rows->columns[0].data.u64[0] == 0 && rows->columns[0].data.u64[1] == 0);
	assert_true(rows->columns[1].data.f64[0] == -0.25);
	assert_int_equal(rows->columns[1].states[0], TACHO_STATE_OK);
	assert_int_equal(rows->columns[1].states[1], TACHO_STATE_ABSENT);
	assert_true(rows->columns[1].data.f64[2] == 1e300);
	free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reuse, setup, teardown),
		cmocka_unit_test_setup_teardown(test_waits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failure, setup, teardown),
		cmocka_unit_test_setup_teardown(test_finish, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fail_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
