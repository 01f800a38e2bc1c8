/* SPDX-License-Identifier: MIT */
/* The ranges of a collection on a queue: open, ended in their order, and gone. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "backend/opencl/ranges.h"

struct range {
	struct tacho__opencl_range link;
	int number;
};

static struct tacho__opencl_ranges ranges;

static int setup(void **state)
{
	tacho__opencl_ranges_init(&ranges, sizeof(struct range));
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

static void drop_first(uint64_t key)
{
	const struct range *range = tacho__opencl_ranges_get_first(&ranges);

	assert_non_null(range);
	assert_int_equal(range->number, key);
	tacho__opencl_ranges_drop_first(&ranges);
}

/* 1 2 3 are open; they end as 2 3 1, and another ends when the list was empty once. */
static void test_order(void **state)
{
	static const uint64_t order[] = {2, 3, 1};
	struct range *open[4];

	assert_null(tacho__opencl_ranges_get_first(&ranges));
	for (uint64_t key = 1; key <= 3; key++)
		open[key] = begin(key);
	for (size_t i = 0; i < 3; i++)
		assert_ptr_equal(tacho__opencl_ranges_end(&ranges, order[i]), open[order[i]]);
	assert_null(ranges.open);
	for (size_t i = 0; i < 3; i++)
		drop_first(order[i]);
	assert_null(tacho__opencl_ranges_get_first(&ranges));
	begin(4);
	assert_non_null(tacho__opencl_ranges_end(&ranges, 4));
	drop_first(4);
	assert_null(tacho__opencl_ranges_get_first(&ranges));
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
	drop_first(2);
}

/* Memory of ranges that are gone is taken again, cleared. */
static void test_reuse(void **state)
{
	struct range *first = begin(1), *second = begin(2);

	tacho__opencl_ranges_drop_open(&ranges, 1);
	assert_ptr_equal(begin(3), first);
	tacho__opencl_ranges_end(&ranges, 2);
	tacho__opencl_ranges_drop_first(&ranges);
	assert_ptr_equal(begin(4), second);
}

enum { THREADS = 4, ROUNDS = 2000 };

static void *hammer(void *argument)
{
	uint64_t key = (uint64_t)(uintptr_t)argument;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct range *range = tacho__opencl_ranges_begin(&ranges, key + i);

		if (range)
			range->number = 1;
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
	unsigned count = 0;

	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hammer, (void *)((i + 1) << 32)),
				 0);
	while (count < THREADS * ROUNDS / 4 * 3) {
		const struct range *range = tacho__opencl_ranges_get_first(&ranges);

		if (!range)
			continue;
		assert_int_equal(range->number, 1);
		tacho__opencl_ranges_drop_first(&ranges);
		count++;
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_null(ranges.open);
	assert_null(tacho__opencl_ranges_get_first(&ranges));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reuse, setup, teardown),
		cmocka_unit_test_setup_teardown(test_threads, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
