/* SPDX-License-Identifier: MIT */
/*
 * Options of other versions: what is missing is zero, what is not known must be. That each public
 * function asks for it is seen by tests/fault/null_test.c.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "tacho/error.h"

struct own {
	size_t size;
	uint32_t a, b;
};

/* As a later version has it. */
struct later {
	struct own own;
	uint64_t c;
};

static void test_none(void **state)
{
	struct own own = {9, 9, 9};

	assert_int_equal(tacho__options_take(&own, sizeof(own), NULL, "own"), 0);
	assert_int_equal(own.size, sizeof(own));
	assert_true(!own.a && !own.b);
}

static void test_shorter(void **state)
{
	const struct own given = {.size = offsetof(struct own, b), .a = 1, .b = 2};
	struct own own = {9, 9, 9};

	assert_int_equal(tacho__options_take(&own, sizeof(own), &given, "own"), 0);
	assert_int_equal(own.size, sizeof(own));
	assert_int_equal(own.a, 1);
	assert_int_equal(own.b, 0);
}

static void test_longer(void **state)
{
	const struct later given = {.own = {.size = sizeof(given), .a = 1, .b = 2}};
	struct own own = {9, 9, 9};

	assert_int_equal(tacho__options_take(&own, sizeof(own), &given, "own"), 0);
	assert_int_equal(own.size, sizeof(own));
	assert_int_equal(own.a, 1);
	assert_int_equal(own.b, 2);
}

/* Each byte behind the end is looked at, and none of what was there before is changed. */
static void test_unknown(void **state)
{
	for (size_t at = sizeof(struct own); at < sizeof(struct later); at++) {
		struct later given = {.own = {.size = sizeof(given), .a = 1, .b = 2}};
		struct own own = {9, 9, 9};
		char said[32];

		((unsigned char *)&given)[at] = 1;
		memset((unsigned char *)&given + at + 1, 1, sizeof(given) - at - 1);
		assert_int_equal(tacho__options_take(&own, sizeof(own), &given, "own"),
				 TACHO_E_VERSION);
		assert_true(own.size == 9 && own.a == 9 && own.b == 9);
		snprintf(said, sizeof(said), "byte %zu is not 0", at);
		assert_non_null(strstr(tacho_error_last()->cause, said));
		assert_non_null(strstr(tacho_error_last()->message, "struct own"));
	}
}

/* A size that was never set is not believed: nothing behind the struct is read. */
static void test_no_size(void **state)
{
	static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, 4097, (size_t)-1};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct own given = {.size = sizes[i], .a = 1};
		struct own own = {9, 9, 9};

		assert_int_equal(tacho__options_take(&own, sizeof(own), &given, "own"),
				 TACHO_E_INVAL);
		assert_int_equal(own.size, 9);
		assert_string_equal(tacho_error_last()->cure, "set .size = sizeof(struct own)");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),	cmocka_unit_test(test_shorter),
		cmocka_unit_test(test_longer),	cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_no_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
