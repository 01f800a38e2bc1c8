/* SPDX-License-Identifier: MIT */
/* Sequences beside each other: as many stand together as the longest common subsequence has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/diff/align.h"

enum { LENGTH_MAX = 40 };

struct told {
	const uint32_t *a, *b;
	size_t next_a, next_b; /* what is told comes before these */
	size_t count;
};

static int take(void *user, size_t i, size_t k)
{
	struct told *told = user;

	assert_true(i < told->next_a && k < told->next_b);
	assert_int_equal(told->a[i], told->b[k]);
	told->next_a = i;
	told->next_b = k;
	told->count++;
	return 0;
}

/* By the plain table. */
static size_t longest(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
	size_t best[LENGTH_MAX + 1][LENGTH_MAX + 1] = {{0}};

	for (size_t i = 1; i <= a_count; i++)
		for (size_t k = 1; k <= b_count; k++) {
			size_t left = best[i - 1][k], above = best[i][k - 1];

			best[i][k] = a[i - 1] == b[k - 1] ? best[i - 1][k - 1] + 1
				     : left > above	  ? left
							  : above;
		}
	return best[a_count][b_count];
}

static void test_longest(void **state)
{
	uint32_t a[LENGTH_MAX], b[LENGTH_MAX];

	srand(1);
	for (int round = 0; round < 2000; round++) {
		size_t a_count = (size_t)rand() % LENGTH_MAX, b_count = (size_t)rand() % LENGTH_MAX;
		struct told told = {.a = a, .b = b, .next_a = a_count, .next_b = b_count};
		struct tacho__aligned aligned;
		uint32_t kinds = 1 + (uint32_t)rand() % 6;

		for (size_t i = 0; i < LENGTH_MAX; i++) {
			a[i] = (uint32_t)rand() % kinds;
			b[i] = (uint32_t)rand() % kinds;
		}
		assert_int_equal(tacho__align(a, a_count, b, b_count, take, &told, &aligned), 0);
		assert_int_equal(told.count, longest(a, a_count, b, b_count));
		assert_int_equal(aligned.a, a_count);
		assert_int_equal(aligned.b, b_count);
	}
}

/* Sequences that have nothing in common are given up, where they begin to differ. */
static void test_too_different(void **state)
{
	enum { COUNT = 5000, EQUAL = 100 };
	uint32_t *a = calloc(COUNT, sizeof(*a)), *b = calloc(COUNT, sizeof(*b));
	struct told told = {.a = a, .b = b, .next_a = COUNT, .next_b = COUNT};
	struct tacho__aligned aligned;

	assert_non_null(a);
	assert_non_null(b);
	for (uint32_t i = EQUAL; i < COUNT; i++) {
		a[i] = 2 * i;
		b[i] = 2 * i + 1;
	}
	assert_int_equal(tacho__align(a, COUNT, b, COUNT, take, &told, &aligned), 0);
	assert_int_equal(told.count, EQUAL);
	assert_true(aligned.a < COUNT && aligned.b < COUNT);
	free(a);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_too_different),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
