/* SPDX-License-Identifier: MIT */
/* Numbers read: as strtod() does in the C locale, and the same in any other. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/json.h"
#include "base/number.h"
#include "test_folder.h"

static double number_of(const char *text)
{
	double value = NAN;

	if (tacho__number_parse(text, strlen(text), &value))
		fail_msg("\"%s\" is refused", text);
	return value;
}

static void expect_same(const char *text)
{
	double value = number_of(text), expected = strtod(text, NULL);

	if (memcmp(&value, &expected, sizeof(value)) != 0)
		fail_msg("%.60s is %a, not %a", text, value, expected);
}

static void test_numbers(void **state)
{
	static const char *const texts[] = {
		"0",
		"-0",
		"7",
		"+7",
		"12.5",
		"-12.5e3",
		".5",
		"2.",
		"000.00100",
		"1e3",
		"1E-3",
		"0e5",
		"0.1",
		"123456.789",
		"1e308",
		"4.9e-324",
		"2.4e-324",
		"2.2250738585072011e-308",
		"9007199254740993",
		"1e22",
		"1e23",
		"1e400",
		"-1e400",
		"18446744073709551616",
		"1e-999999999999",
		"0.000000000000000000000000000001e30",
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(texts); i++)
		expect_same(texts[i]);
	assert_true(number_of("12.5") == 12.5 && number_of("-.25e1") == -2.5);
	assert_true(isinf(number_of("1e999999999999999999999")));
}

static void test_other_texts(void **state)
{
	static const char *const texts[] = {"",	   ".",	    "-",     "e5", "1e",  "1e+",
					    "1,5", "1.2.3", " 1",    "1 ", "0x1", "inf",
					    "nan", "--1",   "1e5.0", "1f", "1e 5"};
	double value = 77;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(texts); i++)
		if (!tacho__number_parse(texts[i], strlen(texts[i]), &value))
			fail_msg("\"%s\" is read", texts[i]);
	assert_int_equal(tacho__number_parse("1\0"
					     "2",
					     3, &value),
			 -1);
	assert_true(value == 77);
}

/* Random digits, a point somewhere, an exponent. */
static void test_many(void **state)
{
	uint64_t seed = 12345;
	char text[64];

	for (int i = 0; i < 200000; i++) {
		unsigned digits[3];

		for (int k = 0; k < 3; k++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			digits[k] = (unsigned)(seed >> 33);
		}
		snprintf(text, sizeof(text), "%u.%u%ue%d", digits[0], digits[1], digits[2],
			 (int)(digits[2] % 640) - 330);
		expect_same(text);
	}
}

/* 2^53 + 1 lies halfway between two doubles: what is far behind it decides, or the even one. */
static void test_long_texts(void **state)
{
	size_t size = 5000;
	char *text = malloc(size + 1);

	assert_non_null(text);
	memset(text, '0', size);
	text[size] = '\0';
	memcpy(text, "9007199254740993.", 17);
	assert_true(number_of(text) == 9007199254740992.0);
	text[size - 1] = '1';
	assert_true(number_of(text) == 9007199254740994.0);
	/* the same without a point: 10^4978 times as much is too large, but not with the exponent
	 */
	memmove(text + 16, text + 17, size - 16);
	memcpy(text + size - 7, "1e-4978", 8);
	expect_same(text);
	assert_true(number_of(text) == 9007199254740994.0);
	memset(text, '0', size);
	memcpy(text + size - 3, "125", 3);
	assert_true(number_of(text) == 125);
	text[1] = '.';
	assert_true(number_of(text) == 0); /* 10^-4998 */
	free(text);
}

/* A program may have chosen a locale that writes 1,5. */
static void test_locale(void **state)
{
	static const char json_text[] = "{\"a\":-1.5e1}";
	struct tacho__arena arena = {0};
	struct tacho__json *json;
	struct folder folder;
	char command[160];
	int is_there;

	folder_make(&folder);
	snprintf(command, sizeof(command),
		 "localedef -f UTF-8 -i de_DE %s/de_DE.UTF-8 >/dev/null 2>&1", folder.path);
	setenv("LOCPATH", folder.path, 1);
	is_there = system(command) >= 0 && setlocale(LC_ALL, "de_DE.UTF-8");
	folder_remove(&folder);
	if (!is_there) {
		print_message("skipped: localedef makes no locale here\n");
		skip();
	}
	assert_true(strtod("1,5", NULL) == 1.5); /* it is in effect */
	assert_true(number_of("1.5") == 1.5 && number_of("0.001e-2") == 1e-5);
	assert_int_equal(tacho__json_parse(&arena, json_text, strlen(json_text), &json), 0);
	assert_true(json->first->number == -15);
	tacho__arena_finish(&arena);
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_other_texts),
		cmocka_unit_test(test_many),	cmocka_unit_test(test_long_texts),
		cmocka_unit_test(test_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
