/* SPDX-License-Identifier: MIT */
/* Numbers as text: the shortest that is read back, the same as printf finds it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"

static void check(double value, const char *expected)
{
	char text[TACHO__NUMBER_MAX];

	tacho__number_format(value, text);
	assert_string_equal(text, expected);
}

static void test_by_hand(void **state)
{
	check(0, "0");
	check(1, "1");
	check(-2.5, "-2.5");
	check(0.1, "0.1");
	check(0.25, "0.25");
	check(0.01, "0.01");
	check(0.07, "0.07");
	check(0.0825, "0.0825");
	check(100.0 / 3, "33.333333333333336");
	check(2.0 / 3, "0.6666666666666666");
	check(9.999999999999998, "9.999999999999998");
	check(99999999999999.98, "99999999999999.98");
	check(123456789012345, "123456789012345");
	check(1e15, "1e+15");
	check(1e300, "1e+300");
	check(1e-5, "1e-05");
}

static void test_whole(void **state)
{
	char text[TACHO__NUMBER_MAX];

	assert_int_equal(tacho__number_format_whole(0, text), 1);
	assert_string_equal(text, "0");
	assert_int_equal(tacho__number_format_whole(UINT64_MAX, text), 20);
	assert_string_equal(text, "18446744073709551615");
}

static void format_slowly(double value, char *text)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, TACHO__NUMBER_MAX, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			return;
	}
}

/* Quotients, and neighbours of powers of two and ten, against printf. */
static void test_against_printf(void **state)
{
	char text[TACHO__NUMBER_MAX], expected[TACHO__NUMBER_MAX];
	uint64_t seed = 1;

	for (int i = 0; i < 300000; i++) {
		double value;

		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		value = (double)(seed >> 40) / (double)((seed >> 20 & 0xfffff) + 1);
		if (i % 4 == 1)
			value = ldexp(1, (int)(seed >> 58) - 8);
		else if (i % 4 == 2)
			value = ldexp((double)(seed >> 11), -(int)(seed & 63));
		else if (i % 4 == 3)
			value = (double)(seed >> 44) / 1000;
		if (seed & 1 << 13)
			value = nextafter(value, seed & 1 << 14 ? 0 : INFINITY);
		format_slowly(value, expected);
		tacho__number_format(value, text);
		assert_string_equal(text, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_against_printf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
