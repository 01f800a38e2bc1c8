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
	assert_int_equal(tacho__busy_sum_ns(&busy), 30);
	assert_int_equal(busy.count, 1);
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

/* One added after the other, as they come: what waits must not be seen. */
static void add_plainly(struct tacho__interval *all, size_t *count, struct tacho__interval one)
{
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		if (all[i].start_ns > one.end_ns || all[i].end_ns < one.start_ns) {
			all[kept++] = all[i];
			continue;
		}
		one.start_ns = all[i].start_ns < one.start_ns ? all[i].start_ns : one.start_ns;
		one.end_ns = all[i].end_ns > one.end_ns ? all[i].end_ns : one.end_ns;
	}
	for (*count = kept + 1; kept && all[kept - 1].start_ns > one.start_ns; kept--)
		all[kept] = all[kept - 1];
	all[kept] = one;
}

/* Four queues, each in its order, some far behind the others; looked at now and then. */
static void test_waiting(void **state)
{
	struct tacho__interval plain[2048];
	struct tacho__busy busy = {0};
	uint64_t at[4] = {1, 1, 1, 1};
	size_t count = 0;

	srand(2);
	for (int i = 0; i < 2000; i++) {
		int queue = rand() % (1 + rand() % 4);
		uint64_t end = at[queue] + 1 + (uint64_t)rand() % 20;

		add_plainly(plain, &count, (struct tacho__interval){at[queue], end});
		assert_int_equal(tacho__busy_add(&busy, at[queue], end), 0);
		at[queue] = end + (uint64_t)rand() % 30;
		if (rand() % 97)
			continue;
		tacho__busy_settle(&busy);
		assert_int_equal(busy.count, count);
		assert_memory_equal(busy.intervals, plain, count * sizeof(*plain));
	}
	tacho__busy_finish(&busy);
}

/* The half that is given up is the one that would be if none had waited. */
static void test_horizon(void **state)
{
	struct tacho__busy busy = {0};
	uint64_t count = 0;

	for (uint64_t i = 0; i < 3 * TACHO__BUSY_INTERVALS_MAX; i++) {
		bool is_full = count == TACHO__BUSY_INTERVALS_MAX;

		assert_int_equal(tacho__busy_add(&busy, 10 * i + 1, 10 * i + 5), 0);
		count = is_full ? count / 2 + 1 : count + 1;
		assert_int_equal(busy.count + busy.waiting.count, count);
		if (is_full)
			assert_int_equal(busy.horizon_ns, 10 * (i - count) + 5);
	}
	tacho__busy_finish(&busy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand), cmocka_unit_test(test_random),
		cmocka_unit_test(test_bounded), cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_horizon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
