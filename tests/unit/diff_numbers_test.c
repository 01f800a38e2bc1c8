/* SPDX-License-Identifier: MIT */
/* tacho_diff_compare_numbers() against numbers worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include <tacho/diff.h>
#include <tacho/error.h>

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-6 * (1 + fabs(expected))))
		fail_msg("%.17g is not %.17g", value, expected);
}

static struct tacho_diff_measure compare(const double *a, size_t a_count, const double *b,
					 size_t b_count, double level)
{
	struct tacho_diff_measure measure;

	assert_int_equal(tacho_diff_compare_numbers(a, a_count, b, b_count, level, &measure), 0);
	assert_string_equal(measure.name, "");
	assert_true(measure.has_difference);
	return measure;
}

/* Student's test of the logarithms with 4 degrees of freedom, whose distribution is elementary. */
static void test_times(void **state)
{
	const double a[] = {10, 11, 12}, b[] = {13, 15, 14};
	struct tacho_diff_measure measure = compare(a, 3, b, 3, 0);

	assert_near(measure.sides[0].value, 10.96961310486524);
	assert_near(measure.change, 0.2740786511821599);
	assert_true(measure.has_p && measure.has_interval);
	assert_near(measure.p, 0.022372749679614223);
	assert_near(measure.adjusted_p, measure.p);
	assert_near(measure.low, 0.058025198054088206);
	assert_near(measure.high, 0.5342511807692949);
	assert_int_equal(measure.verdict, TACHO_DIFF_DIFFERS);
	assert_int_equal(measure.sides[1].runs, 3);
	/* a smaller chance to be wrong: the interval holds 0 */
	measure = compare(a, 3, b, 3, 0.01);
	assert_true(measure.low < 0 && measure.high > 0);
	assert_int_equal(measure.verdict, TACHO_DIFF_NOISE);
}

static void test_few(void **state)
{
	const double one[] = {3}, other[] = {4}, same[] = {3, 3}, two[] = {40, 41};
	struct tacho_diff_measure measure = compare(one, 1, other, 1, 0);

	assert_int_equal(measure.verdict, TACHO_DIFF_FEW);
	assert_false(measure.has_p || measure.has_interval);
	assert_near(measure.change, 1. / 3);
	assert_int_equal(compare(same, 2, one, 1, 0).verdict, TACHO_DIFF_SAME);
	/* one run of a side proves nothing */
	measure = compare(one, 1, two, 2, 0);
	assert_int_equal(measure.verdict, TACHO_DIFF_UNSURE);
}

/*
 * Ratios of pairs: 1.1, 1.15 and 1.05, whose logarithms have a t of 3.6027 with 2 degrees of
 * freedom, and tails of 1 - t / sqrt(2 + t^2). As runs they would be lost in what pairs share.
 */
static void test_pairs(void **state)
{
	const double a[] = {10, 20, 40}, b[] = {11, 23, 42}, slower[] = {11, 22.02, 44};
	double mean = log(1.1 * 1.15 * 1.05) / 3;
	double t = mean / sqrt((pow(log(1.1) - mean, 2) + pow(log(1.15) - mean, 2) +
				pow(log(1.05) - mean, 2)) /
			       6);
	struct tacho_diff_measure measure;

	assert_int_equal(tacho_diff_compare_pairs(a, b, 3, 0, &measure), 0);
	assert_near(measure.change, expm1(mean));
	assert_near(measure.p, 1 - t / sqrt(2 + t * t));
	assert_int_equal(measure.verdict, TACHO_DIFF_NOISE);
	assert_true(measure.has_interval && measure.low < 0 && measure.high > 0);
	assert_int_equal(tacho_diff_compare_pairs(a, slower, 3, 0, &measure), 0);
	assert_int_equal(measure.verdict, TACHO_DIFF_DIFFERS);
	assert_true(measure.low > 0.09 && measure.high < 0.11);
	assert_int_equal(compare(a, 3, slower, 3, 0).verdict, TACHO_DIFF_NOISE);
	/* one pair proves nothing */
	assert_int_equal(tacho_diff_compare_pairs(a, b, 1, 0, &measure), 0);
	assert_int_equal(measure.verdict, TACHO_DIFF_FEW);
	assert_int_equal(tacho_diff_compare_pairs(a, b, 0, 0, &measure), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_compare_pairs(a, NULL, 3, 0, &measure), TACHO_E_INVAL);
}

/* Where a value is not above 0 there are no ratios. */
static void test_signs(void **state)
{
	const double a[] = {-1, 1, 0}, b[] = {9, 11, 10};
	struct tacho_diff_measure measure = compare(a, 3, b, 3, 0);

	assert_near(measure.difference, 10);
	assert_false(measure.has_change || measure.has_interval);
	assert_int_equal(measure.verdict, TACHO_DIFF_DIFFERS);
}

static void test_refusals(void **state)
{
	const double good[] = {1, 2}, bad[] = {1, NAN}, endless[] = {INFINITY};
	struct tacho_diff_measure measure = {.together = 77};

	assert_int_equal(tacho_diff_compare_numbers(good, 0, good, 2, 0, &measure), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_compare_numbers(good, 2, good, 0, 0, &measure), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_compare_numbers(good, 2, bad, 2, 0, &measure), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_compare_numbers(endless, 1, good, 2, 0, &measure),
			 TACHO_E_INVAL);
	assert_int_equal(tacho_diff_compare_numbers(good, 2, good, 2, 1, &measure), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_compare_numbers(good, 2, good, 2, NAN, &measure),
			 TACHO_E_INVAL);
	assert_int_equal(tacho_diff_compare_numbers(NULL, 2, good, 2, 0, &measure), TACHO_E_INVAL);
	assert_int_equal(measure.together, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),	 cmocka_unit_test(test_few),
		cmocka_unit_test(test_pairs),	 cmocka_unit_test(test_signs),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
