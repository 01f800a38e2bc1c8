/* SPDX-License-Identifier: MIT */
/*
 * Tests of samples against numbers worked out elsewhere: by hand, by listing every way to deal the
 * ranks out, by R and by SciPy 1.10.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "analyze/diff/statistics.h"
#include "base/array.h"
#include "tacho/error.h"

#define COUNT(array) TACHO__ARRAY_SIZE(array)

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * (1 + fabs(expected))))
		fail_msg("%.17g is not %.17g", value, expected);
}

static struct tacho__test rank(const double *a, size_t a_count, const double *b, size_t b_count)
{
	struct tacho__test test;

	assert_int_equal(tacho__rank_test(a, a_count, b, b_count, 0.95, &test), 0);
	return test;
}

static void test_medians(void **state)
{
	double odd[] = {7, -1, 3}, even[] = {4, 1, 9, 2}, ties[] = {5, 2, 2, 9};

	tacho__sort(odd, 3);
	assert_near(odd[0], -1);
	assert_near(tacho__median(odd, 3), 3);
	tacho__sort(even, 4);
	assert_near(tacho__median(even, 4), 3); /* between 2 and 4 */
	tacho__sort(ties, 4);
	assert_near(tacho__smallest_gap(ties, 4), 3); /* 2 to 5; two equal ones are no gap */
	assert_near(tacho__smallest_gap(ties, 2), 0);
	assert_near(tacho__smallest_gap(ties, 1), 0);
}

/* The p of the most extreme of C(6, 3) = 20 and C(8, 4) = 70 ways, on both sides. */
static void test_ranks(void **state)
{
	const double low[] = {1, 2, 3, 4}, high[] = {5, 6, 7, 8};
	struct tacho__test test = rank(low, 3, high, 3);

	assert_near(test.p, 2.0 / 20);
	assert_near(test.smallest_p, 2.0 / 20);
	assert_false(test.has_interval); /* 0.1 is more than 0.05 */
	test = rank(high, 4, low, 4);
	assert_near(test.p, 2.0 / 70);
	assert_true(test.has_interval);
	assert_near(test.low, -7); /* one pair is cut off at each end: the range of all */
	assert_near(test.high, -1);
	test = rank(low, 1, high, 1);
	assert_near(test.p, 1);
	assert_near(test.smallest_p, 1);
	assert_int_equal(tacho__rank_test(low, 0, high, 4, 0.95, &test), TACHO_E_INVAL);
}

/* Hollander and Wolfe (1973), page 69; R's wilcox.test(): p 0.2544, interval -0.15 to 0.76. */
static void test_ranks_of_r(void **state)
{
	const double x[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
	const double y[] = {1.15, 0.88, 0.90, 0.74, 1.21};
	struct tacho__test test = rank(x, COUNT(x), y, COUNT(y));

	assert_near(test.p, 0.25441225441225441);
	assert_near(test.smallest_p, 2.0 / 3003); /* C(15, 5) */
	assert_true(test.has_interval);
	assert_near(test.low, -0.76);
	assert_near(test.high, 0.15);
}

/* All ways listed: 126, 20 and 462 of them. */
static void test_ties(void **state)
{
	const double a[] = {1, 2, 2, 3}, b[] = {2, 3, 3, 4, 5};
	const double c[] = {5, 5, 5, 6, 7, 9}, d[] = {1, 5, 6, 6, 8};
	const double same[] = {1, 1, 1}, one[] = {1, 1, 2};
	struct tacho__test test = rank(a, COUNT(a), b, COUNT(b));

	assert_near(test.p, 14.0 / 126);
	assert_near(test.smallest_p, 1.0 / 126); /* the other end is not as far */
	test = rank(c, COUNT(c), d, COUNT(d));
	assert_near(test.p, 387.0 / 462);
	assert_near(test.smallest_p, 1.0 / 462);
	test = rank(same, 3, one, 3);
	assert_near(test.p, 1);
	assert_near(test.smallest_p, 1);
	test = rank(same, 3, same, 3);
	assert_near(test.p, 1);
}

/* The most values that there can be: 2 of C(64, 32) = 1832624140942590534 ways. */
static void test_many(void **state)
{
	double a[TACHO__RANKED_MAX], b[TACHO__RANKED_MAX];
	struct tacho__test test;

	for (int i = 0; i < TACHO__RANKED_MAX; i++) {
		a[i] = i;
		b[i] = 1000 + i;
	}
	test = rank(a, TACHO__RANKED_MAX, b, TACHO__RANKED_MAX);
	assert_true(fabs(test.p / (2 / 1832624140942590534.0) - 1) < 1e-9);
	assert_int_equal(tacho__rank_test(a, TACHO__RANKED_MAX + 1, b, 1, 0.95, &test),
			 TACHO_E_INVAL);
	for (int i = 0; i < TACHO__RANKED_MAX; i++)
		b[i] = i + 0.5; /* one after the other */
	test = rank(a, TACHO__RANKED_MAX, b, TACHO__RANKED_MAX);
	assert_true(test.p > 0.8 && test.p < 0.9); /* U is 496 of 1024, 0.21 deviations off */
	assert_true(test.low < 0 && test.high > 0);
}

static void test_t(void **state)
{
	assert_near(tacho__t_tails(2, 5), 0.10193947882985828);
	assert_near(tacho__t_tails(-2, 5), 0.10193947882985828);
	assert_near(tacho__t_tails(0.5, 1), 1 - 2 * atan(0.5) / acos(-1)); /* Cauchy's */
	assert_near(tacho__t_tails(3.3, 30.5), 0.002467514284180895);
	assert_near(tacho__t_tails(40, 3), 3.438068078915854e-05);
	assert_near(tacho__t_tails(0, 7), 1);
	assert_near(tacho__t_quantile(0.05, 1), 12.706204736432102);
	assert_near(tacho__t_quantile(0.05, 10), 2.2281388519649385);
	assert_near(tacho__t_quantile(0.01, 4.5), 4.272823993022849);
}

static void test_means(void **state)
{
	const double a[] = {1.0, 1.1, 0.9}, b[] = {1.3, 1.5, 1.4, 1.2}, c[] = {12, 13, 14};
	const double one = 10;
	struct tacho__test test;

	tacho__mean_test(a, 3, 0, b, 4, 0, 0.95, &test);
	assert_near(test.p, 0.010076943347988893);
	assert_true(test.has_interval);
	assert_near(test.low, 0.12682885185520068);
	assert_near(test.high, 0.5731711481447991);
	/* t is 3 / sqrt(4 / 3) with 2 degrees of freedom, whose tails are 1 - t / sqrt(2 + t^2) */
	tacho__mean_test(&one, 1, 0, c, 3, 0, 0.95, &test);
	assert_near(test.p, 1 - sqrt(6.75) / sqrt(8.75));
	assert_near(test.smallest_p, 0);
	tacho__mean_test(&one, 1, 0, c, 1, 0, 0.95, &test);
	assert_near(test.p, 1);
	assert_near(test.smallest_p, 1);
	assert_false(test.has_interval);
}

/* Values that all agree are believed as far as the clock can tell. */
static void test_floors(void **state)
{
	const double a[] = {100, 100, 100}, b[] = {101, 101, 101};
	struct tacho__test test;

	tacho__mean_test(a, 3, 0, b, 3, 0, 0.95, &test);
	assert_near(test.p, 0);
	/* t is 1 / sqrt(2 / 36) = 4.2426 with 4 degrees of freedom */
	tacho__mean_test(a, 3, 1.0 / 12, b, 3, 1.0 / 12, 0.95, &test);
	assert_near(test.p, tacho__t_tails(sqrt(18), 4));
	assert_true(test.p > 0.01 && test.p < 0.02);
	tacho__mean_test(a, 3, 0, a, 3, 0, 0.95, &test);
	assert_near(test.p, 1);
}

/* Holm (1979): the smallest times 4, the next times 3, never falling, never above 1. */
static void test_holm(void **state)
{
	double p[] = {0.04, 0.01, 0.9, 0.012}, one = 0.03;

	assert_int_equal(tacho__holm(p, 4), 0);
	assert_near(p[1], 0.04);
	assert_near(p[3], 0.04); /* 0.036 would be below the one before */
	assert_near(p[0], 0.08);
	assert_near(p[2], 0.9);
	assert_int_equal(tacho__holm(&one, 1), 0);
	assert_near(one, 0.03);
	assert_int_equal(tacho__holm(NULL, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_medians),	   cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_ranks_of_r), cmocka_unit_test(test_ties),
		cmocka_unit_test(test_many),	   cmocka_unit_test(test_t),
		cmocka_unit_test(test_means),	   cmocka_unit_test(test_floors),
		cmocka_unit_test(test_holm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
