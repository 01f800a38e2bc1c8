/* SPDX-License-Identifier: MIT */
/* The ranges of a collection on a queue: open, ended in their order, and gone. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "backend/opencl/opencl_ranges.h"
#include "base/clock.h"
#include "tacho/error.h"

struct range {
	struct tacho__opencl_range link;
	int number;
};

static struct tacho__opencl_ranges ranges;

/* What became of ranges: `most` are over at a time, and the one of this number makes trouble. */
static struct {
	uint64_t delivered[8];
	size_t count, released, flushed, most;
	int number;
} seen;

static bool is_over(void *collection, const void *range)
{
	assert_ptr_equal(collection, &seen);
	return seen.most > seen.count;
}

static int deliver(void *collection, const void *range_)
{
	const struct range *range = range_;

	assert_int_equal(range->number, (int)range->link.key);
	if (range->number == seen.number)
		return TACHO_E_VENDOR;
	if (seen.count < sizeof(seen.delivered) / sizeof(seen.delivered[0]))
		seen.delivered[seen.count] = range->link.key;
	seen.count++;
	return 0;
}

static void release(void *collection, void *range)
{
	seen.released++;
}

static void flush(void *collection)
{
	seen.flushed++;
}

static int setup(void **state)
{
	static const struct tacho__opencl_range_kind kind = {
		.size = sizeof(struct range),
		.is_over = is_over,
		.deliver = deliver,
		.release = release,
		.flush = flush,
	};

	memset(&seen, 0, sizeof(seen));
	seen.most = SIZE_MAX;
	tacho__opencl_ranges_init(&ranges, &kind, &seen);
	return 0;
}

static int teardown(void **state)
{
	tacho__opencl_ranges_finish(&ranges);
	return 0;
}

static struct range *begin(uint64_t key)
{
	struct range *range = tacho__opencl_ranges_begin(&ranges, key);

	assert_non_null(range);
	assert_int_equal(range->link.key, key);
	assert_int_equal(range->number, 0);
	range->number = (int)key;
	return range;
}

/* All that ended is over, and comes in this order. */
static void expect_drained(size_t count, const uint64_t *keys)
{
	seen.count = seen.released = 0;
	assert_int_equal(tacho__opencl_ranges_drain(&ranges, 0), 0);
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
		assert_ptr_equal(tacho__opencl_ranges_end(&ranges, order[i]), open[order[i]]);
	assert_null(ranges.open);
	expect_drained(3, order);
	begin(4);
	assert_non_null(tacho__opencl_ranges_end(&ranges, 4));
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
		tacho__opencl_ranges_end(&ranges, key);
	seen.most = 2;
	assert_int_equal(tacho__opencl_ranges_drain(&ranges, 0), TACHO_E_TIMEOUT);
	assert_int_equal(seen.count, 2);
	assert_int_equal(seen.flushed, 1);
	assert_int_equal(tacho__opencl_ranges_drain(&ranges, 2000000), TACHO_E_TIMEOUT);
	assert_true(tacho__clock_raw_ns() - begin_ns >= 2000000);
	assert_int_equal(seen.count, 2);
	assert_int_equal(seen.released, 2);
	seen.most = SIZE_MAX;
	expect_drained(1, (uint64_t[]){3});
	assert_int_equal(ranges.open->key, 4);
}

/* One that cannot be delivered is told once, and gone. */
static void test_failure(void **state)
{
	for (uint64_t key = 1; key <= 3; key++) {
		begin(key);
		tacho__opencl_ranges_end(&ranges, key);
	}
	seen.number = 2;
	assert_int_equal(tacho__opencl_ranges_drain(&ranges, 1000), TACHO_E_VENDOR);
	assert_int_equal(seen.count, 1);
	assert_int_equal(seen.released, 2);
	expect_drained(1, (uint64_t[]){3});
}

/* What is left at the end is released, not delivered. */
static void test_finish(void **state)
{
	begin(1);
	begin(2);
	tacho__opencl_ranges_end(&ranges, 1);
	tacho__opencl_ranges_finish(&ranges);
	assert_int_equal(seen.count, 0);
	assert_int_equal(seen.released, 2);
}

/* Only what is open ends, once. */
static void test_unknown(void **state)
{
	assert_null(tacho__opencl_ranges_end(&ranges, 1));
	begin(1);
	begin(2);
	assert_null(tacho__opencl_ranges_end(&ranges, 3));
	tacho__opencl_ranges_drop_open(&ranges, 3);
	tacho__opencl_ranges_drop_open(&ranges, 1);
	assert_null(tacho__opencl_ranges_end(&ranges, 1));
	assert_non_null(tacho__opencl_ranges_end(&ranges, 2));
	assert_null(tacho__opencl_ranges_end(&ranges, 2));
	tacho__opencl_ranges_drop_open(&ranges, 2);
	expect_drained(1, (uint64_t[]){2});
}

/* Memory of ranges that are gone is taken again, cleared. */
static void test_reuse(void **state)
{
	struct range *first = begin(1), *second = begin(2);

	tacho__opencl_ranges_drop_open(&ranges, 1);
	assert_ptr_equal(begin(3), first);
	tacho__opencl_ranges_end(&ranges, 2);
	expect_drained(1, (uint64_t[]){2});
	assert_ptr_equal(begin(4), second);
}

enum { THREADS = 4, ROUNDS = 2000 };

static void *hammer(void *argument)
{
	uint64_t key = (uint64_t)(uintptr_t)argument;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct range *range = tacho__opencl_ranges_begin(&ranges, key + i);

		if (range)
			range->number = (int)(key + i);
		if (i % 4)
			tacho__opencl_ranges_end(&ranges, key + i);
		else
			tacho__opencl_ranges_drop_open(&ranges, key + i);
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
		assert_int_equal(tacho__opencl_ranges_drain(&ranges, 0), 0);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_null(ranges.open);
	assert_null(ranges.first);
	assert_int_equal(seen.released, seen.count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reuse, setup, teardown),
		cmocka_unit_test_setup_teardown(test_waits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failure, setup, teardown),
		cmocka_unit_test_setup(test_finish, setup),
		cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
