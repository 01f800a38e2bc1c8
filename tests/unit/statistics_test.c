/* SPDX-License-Identifier: MIT */
/* Estimates against numbers worked out elsewhere: by hand, and by SciPy 1.10. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "analyze/diff/together.h"
#include "analyze/diff/statistics.h"
#include "analyze/diff/wander.h"

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * (1 + fabs(expected))))
		fail_msg("%.17g is not %.17g", value, expected);
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

/* Of 17 values two are left out on each side, of 3 to 15 one, of less none. */
static void test_middle_means(void **state)
{
	double many[17] = {-1e9, -1e9};

	for (size_t i = 2; i < 17; i++)
		many[i] = i < 15 ? (double)i : 1e9;
	assert_near(tacho__middle_mean(many, 17), 8);
	assert_near(tacho__middle_mean((const double[]){1, 2, 4, 90}, 4), 3);
	assert_near(tacho__middle_mean((const double[]){1, 4, 90}, 3), 4);
	assert_near(tacho__middle_mean((const double[]){1, 4}, 2), 2.5);
	assert_near(tacho__middle_mean((const double[]){7}, 1), 7);
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

static void test_normal(void **state)
{
	assert_near(tacho__t_tails(1.959963984540054, INFINITY), 0.05);
	assert_near(tacho__t_quantile(0.01, INFINITY), 2.5758293035489004);
	/* where the one formula ends and the other begins there is no step to be seen */
	assert_true(fabs(tacho__t_tails(3, 9.9e6) / tacho__t_tails(3, 1.01e7) - 1) < 1e-5);
}

static void assert_interval(const struct tacho__estimate *estimate, double level, double low,
			    double high)
{
	double reach = tacho__estimate_reach(estimate, level);

	assert_near(estimate->difference - reach, low);
	assert_near(estimate->difference + reach, high);
}

static void test_means(void **state)
{
	const double a[] = {1.0, 1.1, 0.9}, b[] = {1.3, 1.5, 1.4, 1.2}, c[] = {12, 13, 14};
	const double one = 10, two[] = {3, 5}, other[] = {9, 13};
	struct tacho__estimate estimate = tacho__estimate_of_means(a, 3, 0, b, 4, 0);

	assert_true(estimate.is_known);
	assert_near(tacho__estimate_p(&estimate), 0.010076943347988893);
	assert_interval(&estimate, 0.05, 0.12682885185520068, 0.5731711481447991);
	/* t is 3 / sqrt(4 / 3) with 2 degrees of freedom, whose tails are 1 - t / sqrt(2 + t^2) */
	estimate = tacho__estimate_of_means(&one, 1, 0, c, 3, 0);
	assert_near(tacho__estimate_p(&estimate), 1 - sqrt(6.75) / sqrt(8.75));
	estimate = tacho__estimate_of_means(c, 3, 0, &one, 1, 0);
	assert_near(estimate.difference, -3);
	assert_near(tacho__estimate_p(&estimate), 1 - sqrt(6.75) / sqrt(8.75));
	/* of two equal sides both variances, 2 and 8, count as one: 7 / sqrt(2 / 2 + 8 / 2) */
	estimate = tacho__estimate_of_means(two, 2, 0, other, 2, 0);
	assert_near(estimate.freedom, 2);
	assert_near(tacho__estimate_p(&estimate), 1 - sqrt(9.8) / sqrt(11.8));
	estimate = tacho__estimate_of_means(&one, 1, 0, c, 1, 0);
	assert_false(estimate.is_known);
	assert_near(tacho__estimate_p(&estimate), 1);
}

/* Differences 0.1, 0.2, 0.3: t is 0.2 / sqrt(0.01 / 3) with 2 degrees of freedom. */
static void test_pairs(void **state)
{
	const double differences[] = {0.1, 0.2, 0.3}, same[] = {0.2, 0.2, 0.2};
	struct tacho__estimate estimate = tacho__estimate_of_pairs(differences, 3, 0);

	assert_true(estimate.is_known);
	assert_near(estimate.difference, 0.2);
	assert_near(estimate.freedom, 2);
	assert_near(tacho__estimate_p(&estimate), 1 - sqrt(12) / sqrt(14));
	estimate = tacho__estimate_of_pairs(same, 3, 0.03);
	assert_near(estimate.error, 0.1);
	assert_false(tacho__estimate_of_pairs(same, 1, 0.03).is_known);
	assert_false(tacho__estimate_of_pairs(same, 0, 0).is_known);
}

/* Values that all agree are believed as far as the clock can tell. */
static void test_floors(void **state)
{
	const double a[] = {100, 100, 100}, b[] = {101, 101, 101};
	struct tacho__estimate estimate = tacho__estimate_of_means(a, 3, 0, b, 3, 0);

	assert_near(tacho__estimate_p(&estimate), 0);
	/* t is 1 / sqrt(2 / 36) = 4.2426 with 4 degrees of freedom */
	estimate = tacho__estimate_of_means(a, 3, 1.0 / 12, b, 3, 1.0 / 12);
	assert_near(tacho__estimate_p(&estimate), tacho__t_tails(sqrt(18), 4));
	assert_true(tacho__estimate_p(&estimate) > 0.01 && tacho__estimate_p(&estimate) < 0.02);
	estimate = tacho__estimate_of_means(a, 3, 0, a, 3, 0);
	assert_near(tacho__estimate_p(&estimate), 1);
}

/* Satterthwaite: (1 + 3 + 4)^2 / (1 / 2 + 9 / 6), where what is assumed adds nothing below. */
static void test_parts(void **state)
{
	const struct tacho__part parts[] = {{1, 2}, {3, 6}, {4, INFINITY}};
	struct tacho__estimate estimate = tacho__estimate_of_parts(5, parts, 3);

	assert_near(estimate.error, sqrt(8));
	assert_near(estimate.freedom, 32);
	estimate = tacho__estimate_of_parts(5, parts + 2, 1);
	assert_true(isinf(estimate.freedom));
	assert_near(tacho__estimate_reach(&estimate, 0.05), 2 * 1.959963984540054);
}

/* ---- what a run does over its length ---- */

enum { LENGTH = 800 };

static double values[LENGTH], room[LENGTH];

static struct tacho__wander measure(size_t count)
{
	struct tacho__wander wander;

	tacho__wander_measure(values, count, room, &wander);
	return wander;
}

/* Eighths of 100 values each; the first does not count. */
static void test_eighths(void **state)
{
	struct tacho__wander wander;

	for (size_t i = 0; i < LENGTH; i++)
		values[i] = i < 100 ? 5000 : 10 + (double)(i / 100) + (i % 10 ? 0 : 1e6);
	wander = measure(LENGTH); /* 11, 12, ..., 17 */
	assert_near(wander.freedom, 6);
	assert_near(wander.variance, 28.0 / 6);
	assert_true(wander.log_variance > 0.02 && wander.log_variance < 0.03);
	values[0] = 3;
	values[1] = 5;
	wander = measure(2);
	assert_near(wander.freedom, 1);
	assert_near(wander.variance, 2);
	values[0] = 0;
	assert_true(isnan(measure(2).log_variance));
	assert_near(measure(1).freedom, 0);
	assert_near(measure(1).drift_p, 1);
}

static double draw(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*seed >> 33) / (double)(UINT64_C(1) << 31);
}

/* One in a hundred runs of independent values may be said to drift; a slope of its spread is. */
static void test_drift(void **state)
{
	uint64_t seed = 1;
	size_t claimed = 0, found = 0;

	for (size_t trial = 0; trial < 400; trial++) {
		for (size_t i = 0; i < LENGTH; i++)
			values[i] = 100 + draw(&seed);
		claimed += measure(LENGTH).drift_p < 0.01;
		for (size_t i = 0; i < LENGTH; i++)
			values[i] += 0.5 * (double)i / LENGTH;
		found += measure(LENGTH).drift_p < 0.01;
	}
	assert_true(claimed <= 10); /* more than ten of 400 at 1 % is an accident of 1 in 400 */
	assert_true(found >= 396);
	for (size_t i = 0; i < LENGTH; i++)
		values[i] = 7;
	assert_near(measure(LENGTH).drift_p, 1);
}

/* ---- families ---- */

enum { RUNS = 10, LINES = 20 };

/* Of lines that are one and the same there is one test; of others as many as there are. */
static void test_families(void **state)
{
	double numbers[LINES * RUNS], one[LINES * RUNS];
	struct tacho__family family;
	uint64_t seed = 7;

	for (size_t i = 0; i < LINES * RUNS; i++) {
		numbers[i] = draw(&seed) + draw(&seed) + draw(&seed) + draw(&seed);
		one[i] = numbers[i % RUNS] * (1 + (double)(i / RUNS));
	}
	numbers[3] = NAN;
	assert_int_equal(
		tacho__family_make(TACHO__FAMILY_OF_RUNS, numbers, LINES, RUNS, 0.05, &family), 0);
	assert_true(family.level > 0.0025 && family.level < 0.0035);
	assert_true(tacho__family_adjust(&family, family.level) >= 0.05);
	assert_true(tacho__family_adjust(&family, family.level * 0.999) < 0.05);
	assert_near(tacho__family_adjust(&family, 1e-9), 1 / 2000.0); /* none of 1,999 draws */
	tacho__family_finish(&family);
	assert_int_equal(tacho__family_make(TACHO__FAMILY_OF_RUNS, one, LINES, RUNS, 0.05, &family),
			 0);
	assert_true(family.level > 0.044 && family.level <= 0.05);
	assert_true(tacho__family_adjust(&family, 0.2) < 0.23);
	tacho__family_finish(&family);
	assert_int_equal(
		tacho__family_make(TACHO__FAMILY_OF_RUNS, one, LINES, RUNS, 0.0001, &family), 0);
	assert_near(family.level, 0.0001 / LINES); /* too small for draws to tell */
	assert_int_equal(tacho__family_make(TACHO__FAMILY_OF_RUNS, one, 1, RUNS, 0.05, &family), 0);
	assert_near(family.level, 0.05);
	assert_near(tacho__family_adjust(&family, 0.03), 0.03);
	tacho__family_finish(&family);
}

/* Differences of pairs: what they have in common is a change, and no part of what goes away. */
static void test_families_of_pairs(void **state)
{
	double numbers[LINES * RUNS], one[LINES * RUNS];
	struct tacho__family family;
	uint64_t seed = 7;

	for (size_t i = 0; i < LINES * RUNS; i++) {
		numbers[i] = draw(&seed) + draw(&seed) - draw(&seed) - draw(&seed);
		one[i] = numbers[i % RUNS] * (1 + (double)(i / RUNS));
	}
	numbers[3] = NAN;
	assert_int_equal(
		tacho__family_make(TACHO__FAMILY_OF_PAIRS, numbers, LINES, RUNS, 0.05, &family), 0);
	assert_true(family.level > 0.002 && family.level < 0.0035);
	tacho__family_finish(&family);
	assert_int_equal(
		tacho__family_make(TACHO__FAMILY_OF_PAIRS, one, LINES, RUNS, 0.05, &family), 0);
	/* one line: as it is alone, but for what 1,999 draws leave to chance */
	assert_true(family.level > 0.03 && family.level <= 0.05);
	tacho__family_finish(&family);
	/* two pairs have one degree of freedom: enough for draws */
	assert_int_equal(tacho__family_make(TACHO__FAMILY_OF_PAIRS, one, LINES, 2, 0.05, &family),
			 0);
	assert_true(family.draws && family.smallest);
	tacho__family_finish(&family);
	assert_int_equal(tacho__family_make(TACHO__FAMILY_OF_PAIRS, one, LINES, 1, 0.05, &family),
			 0);
	assert_null(family.smallest);
}

static void test_plain_family(void **state)
{
	struct tacho__family family = tacho__family_plain(4, 0.05);

	assert_near(family.level, 0.0125);
	assert_near(tacho__family_adjust(&family, 0.02), 0.08);
	assert_near(tacho__family_adjust(&family, 0.5), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_medians),
		cmocka_unit_test(test_middle_means),
		cmocka_unit_test(test_t),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_families_of_pairs),
		cmocka_unit_test(test_plain_family),
		cmocka_unit_test(test_means),
		cmocka_unit_test(test_floors),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_eighths),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_families),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
