/* SPDX-License-Identifier: MIT */
/* Values and launches as rocprofv3 writes them: numbers and sums worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <string.h>

#include "format/rocprofv3/rocprof_csv.h"
#include "tacho/result.h"

static void expect_whole(uint64_t value, const char *expected)
{
	struct tacho__rocprof_sum sum = {
		.is_known = true, .is_whole = true, .whole = value, .real = (double)value};
	char text[TACHO__ROCPROF_VALUE_MAX];

	tacho__rocprof_format_value(&sum, text);
	assert_string_equal(text, expected);
}

static void expect_real(double value, const char *expected)
{
	struct tacho__rocprof_sum sum = {.is_known = true, .real = value};
	char text[TACHO__ROCPROF_VALUE_MAX];

	tacho__rocprof_format_value(&sum, text);
	assert_string_equal(text, expected);
}

static void check_numbers(void)
{
	expect_whole(16384, "16384.000000");
	expect_whole(0, "0.00000000e+00");
	expect_whole(1, "1.000000");
	/* 2^53 + 1 is no double */
	expect_whole(UINT64_C(9007199254740993), "9007199254740993.000000");
	expect_whole(UINT64_MAX, "18446744073709551615.000000");
	expect_real(0, "0.00000000e+00");
	expect_real(0.42, "4.20000000e-01");
	expect_real(0.999999999, "9.99999999e-01");
	expect_real(1, "1.000000");
	expect_real(12.490089650545832, "12.490090");
	expect_real(-2, "-2.00000000e+00");
}

static void test_numbers(void **state)
{
	static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8"};

	check_numbers();
	for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]); i++)
		if (setlocale(LC_NUMERIC, locales[i]))
			check_numbers();
	setlocale(LC_NUMERIC, "C");
}

/* A counter of a launch, with four instances of which one does not exist. */
static struct tacho_column make_column(const uint64_t *values, const uint8_t *states)
{
	static const uint8_t present[] = {0x0d};

	return (struct tacho_column){.name = "c",
				     .type = TACHO_TYPE_U64,
				     .instance_count = 4,
				     .data.u64 = values,
				     .states = states,
				     .present = present};
}

static void test_sums(void **state)
{
	static const uint64_t small[] = {1, 100, 20, 300}, large[] = {UINT64_MAX, 0, 1, 0};
	static const uint8_t scaled[] = {TACHO_STATE_OK, TACHO_STATE_ABSENT, TACHO_STATE_SCALED,
					 TACHO_STATE_OK};
	static const uint8_t lost[] = {TACHO_STATE_OK, TACHO_STATE_OK, TACHO_STATE_OK,
				       TACHO_STATE_LOST};
	struct tacho_column column = make_column(small, NULL);
	struct tacho__rocprof_sum sum;

	tacho__rocprof_add_up(&column, &sum);
	assert_true(sum.is_known && sum.is_whole && !sum.is_scaled);
	assert_int_equal(sum.whole, 321);
	column = make_column(small, scaled);
	tacho__rocprof_add_up(&column, &sum);
	assert_true(sum.is_known && sum.is_scaled);
	assert_int_equal(sum.whole, 321);
	column = make_column(small, lost);
	tacho__rocprof_add_up(&column, &sum);
	assert_false(sum.is_known);
	column = make_column(large, NULL);
	tacho__rocprof_add_up(&column, &sum);
	assert_true(sum.is_known && !sum.is_whole);
	assert_true(sum.real == 18446744073709551616.0);
}

static void test_sizes(void **state)
{
	struct tacho_command command = {.dimensions = 2, .global = {64, 3, 9}, .local = {8, 3, 9}};
	uint64_t sizes[3];

	assert_true(tacho__rocprof_get_grid(&command, sizes));
	assert_int_equal(sizes[1], 3);
	assert_int_equal(sizes[2], 1); /* there is no third dimension */
	assert_false(tacho__rocprof_get_workgroup(&command, sizes));
	command.has_local = 1;
	assert_true(tacho__rocprof_get_workgroup(&command, sizes));
	assert_int_equal(sizes[0], 8);
	command.dimensions = 0;
	assert_false(tacho__rocprof_get_grid(&command, sizes));
	assert_false(tacho__rocprof_get_workgroup(&command, sizes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
