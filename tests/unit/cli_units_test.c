/* SPDX-License-Identifier: MIT */
/* Numbers for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "units.h"

static struct cli_number number;

static void times(void **state)
{
	assert_string_equal(cli_units_time(&number, 0, 3), "0 ns");
	assert_string_equal(cli_units_time(&number, 999, 3), "999 ns");
	assert_string_equal(cli_units_time(&number, 1000, 3), "1.00 us");
	assert_string_equal(cli_units_time(&number, 1234567, 3), "1.23 ms");
	assert_string_equal(cli_units_time(&number, 1234567, 4), "1.235 ms");
	assert_string_equal(cli_units_time(&number, 12345678, 3), "12.3 ms");
	assert_string_equal(cli_units_time(&number, 99960000, 3), "100 ms");
	assert_string_equal(cli_units_time(&number, 999400000, 3), "999 ms");
	assert_string_equal(cli_units_time(&number, 999600000, 3), "1.00 s");
	assert_string_equal(cli_units_time(&number, 86400000000000, 3), "86400 s");
}

static void counts(void **state)
{
	assert_string_equal(cli_units_count(&number, 0), "0");
	assert_string_equal(cli_units_count(&number, 999), "999");
	assert_string_equal(cli_units_count(&number, 1000), "1,000");
	assert_string_equal(cli_units_count(&number, 1234567), "1,234,567");
	assert_string_equal(cli_units_count(&number, UINT64_MAX), "18,446,744,073,709,551,615");
}

static void bytes_and_rates(void **state)
{
	assert_string_equal(cli_units_bytes(&number, 0), "0 B");
	assert_string_equal(cli_units_bytes(&number, 64000000), "64.0 MB");
	assert_string_equal(cli_units_bytes(&number, UINT64_MAX), "18.4 EB");
	assert_string_equal(cli_units_rate(&number, 1000000, 1000000), "1.00 GB/s");
	assert_string_equal(cli_units_rate(&number, 1000000, 0), "-");
}

static void shares(void **state)
{
	assert_string_equal(cli_units_share(&number, 1, 3), "33.3%");
	assert_string_equal(cli_units_share(&number, 0, 3), "0.0%");
	assert_string_equal(cli_units_share(&number, 1, 100000), "<0.1%");
	assert_string_equal(cli_units_share(&number, 0, 0), "-");
}

static void values(void **state)
{
	char text[TACHO_UNITS_MAX];

	assert_string_equal(tacho_units_value(text, 1234.4, ""), "1,234");
	assert_string_equal(tacho_units_value(text, 33.333333, "percent"), "33.33");
	assert_string_equal(tacho_units_value(text, 1500, "nanoseconds"), "1.50 us");
	assert_string_equal(tacho_units_value(text, 4096, "bytes"), "4.10 kB");
	assert_string_equal(tacho_units_value(text, 2e9, "bytes/second"), "2.00 GB/s");
	assert_string_equal(tacho_units_value(text, -5, "bytes"), "-5 B");
	assert_string_equal(tacho_units_value(text, -300000, "items"), "-300,000");
	assert_string_equal(tacho_units_value(text, -0.25, "items"), "-0.25");
	assert_string_equal(tacho_units_value(text, -1500, "nanoseconds"), "-1.50 us");
	assert_string_equal(tacho_units_value(text, -1.7e19, ""), "-17,000,000,000,000,000,000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),	   cmocka_unit_test(counts),
		cmocka_unit_test(bytes_and_rates), cmocka_unit_test(shares),
		cmocka_unit_test(values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
