/* SPDX-License-Identifier: MIT */
/* The union of intervals, against a bitmap of the same instants. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "analyze/busy.h"

enum { INSTANTS = 4096 };

static void test_by_hand(void **state)
{
	struct tacho__busy busy = {0};

	assert_int_equal(tacho__busy_sum_ns(&busy), 0);
	assert_int_equal(tacho__busy_add(&busy, 10, 20), 0);
	assert_int_equal(tacho__busy_add(&busy, 30, 40), 0);
	assert_int_equal(tacho__busy_sum_ns(&busy), 20);
	assert_int_equal(tacho__busy_add(&busy, 20, 30), 0); /* closes the gap */
	assert_int_equal(busy.count, 1);
	assert_int_equal(tacho__busy_sum_ns(&busy), 30);
	assert_int_equal(tacho__busy_add(&busy, 5, 5), 0); /* no length, but it was there */
	assert_int_equal(tacho__busy_sum_ns(&busy), 30);
	assert_int_equal(busy.first_ns, 5);
	assert_int_equal(busy.last_ns, 40);
	assert_int_equal(tacho__busy_add(&busy, 50, 45), 0); /* none */
	assert_int_equal(busy.last_ns, 40);
	assert_int_equal(tacho__busy_add(&busy, 0, 100), 0);
	assert_int_equal(tacho__busy_sum_ns(&busy), 100);
	assert_int_equal(busy.late_ns, 0);
	tacho__busy_finish(&busy);
}

static void test_random(void **state)
{
	srand(1);
	for (int round = 0; round < 50; round++) {
		unsigned char bitmap[INSTANTS] = {0};
		struct tacho__busy busy = {0};
		uint64_t expected = 0;

		for (int i = 0; i < 200; i++) {
			uint64_t start = (uint64_t)rand() % (INSTANTS - 40);
			uint64_t end = start + (uint64_t)rand() % 40;

			memset(bitmap + start, 1, end - start);
			assert_int_equal(tacho__busy_add(&busy, start, end), 0);
		}
		for (int i = 0; i < INSTANTS; i++)
			expected += bitmap[i];
		assert_int_equal(tacho__busy_sum_ns(&busy), expected);
		tacho__busy_finish(&busy);
	}
}

/* A million separate intervals in bounded memory; the sum stays exact while they come in order. */
static void test_bounded(void **state)
{
	struct tacho__busy busy = {0};

	for (uint64_t i = 0; i < 1000000; i++)
		assert_int_equal(tacho__busy_add(&busy, 10 * i, 10 * i + 4), 0);
	assert_int_equal(tacho__busy_sum_ns(&busy), 4000000);
	assert_int_equal(busy.late_ns, 0);
	assert_true(busy.count <= TACHO__BUSY_INTERVALS_MAX);
	/* something that comes a million others late cannot be placed, and says how much it was */
	assert_int_equal(tacho__busy_add(&busy, 5, 9), 0);
	assert_int_equal(tacho__busy_sum_ns(&busy), 4000000);
	assert_int_equal(busy.late_ns, 4);
	tacho__busy_finish(&busy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
