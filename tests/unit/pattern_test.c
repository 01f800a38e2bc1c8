/* SPDX-License-Identifier: MIT */
/* Names, globs and expressions: what fits, and what is refused before it costs anything. */
#include "base/pattern.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static void test_fits(void **state)
{
	static const struct {
		const char *text;
		unsigned flags;
		const char *name;
		bool expected;
	} cases[] = {
		{"TCC_HIT", 0, "TCC_HIT", true},
		{"TCC_HIT", 0, "TCC_HITS", false},
		{"tcc_hit", 0, "TCC_HIT", false},
		{"tcc_hit", TACHO_PATTERN_IGNORE_CASE, "TCC_HIT", true},
		{"hit", TACHO_PATTERN_PART, "tcc_hits", true},
		{"HIT", TACHO_PATTERN_PART, "tcc_hits", false},
		{"HIT", TACHO_PATTERN_PART | TACHO_PATTERN_IGNORE_CASE, "tcc_hits", true},
		{"TCC_*", 0, "TCC_HIT", true},
		{"TCC_*", 0, "A_TCC_HIT", false},
		{"tcc_?it", TACHO_PATTERN_IGNORE_CASE, "TCC_HIT", true},
		{"TA[0-3]", 0, "TA2", true},
		{"TCC_HIT[0]", 0, "TCC_HIT[0]", true},
		{"TCC_HIT[0]", 0, "TCC_HIT0", true},
		{"add(float*, int)", 0, "add(float*, int)", true},
		{"regex:C_H", 0, "TCC_HIT", true},
		{"regex:^C_H", 0, "TCC_HIT", false},
		{"REGEX:c_h", TACHO_PATTERN_IGNORE_CASE, "TCC_HIT", true},
		{"regex:a{1,2}$", 0, "baa", true},
		{"regex:", 0, "anything", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tacho_pattern *pattern = NULL;

		assert_int_equal(tacho_pattern_create(cases[i].text, cases[i].flags, &pattern), 0);
		if (tacho_pattern_fits(pattern, cases[i].name) != cases[i].expected)
			fail_msg("%s and %s", cases[i].text, cases[i].name);
		tacho_pattern_destroy(pattern);
	}
}

/* The message has the bad pattern, or as much of it as says which one it is. */
static void test_refused(void **state)
{
	static const struct {
		const char *text, *message, *cause;
	} cases[] = {
		{"regex:(", "\"(\" is no regular expression", ""},
		{"regex:[[:nosuch:]]", "\"[[:nosuch:]]\" is no regular expression", ""},
		{"regex:(a)\\1", "the regular expression \"(a)\\1\" is not taken",
		 "it has a back-reference"},
		{"regex:a{1001}", "the regular expression \"a{1001}\" is not taken",
		 "it repeats more than 1000 times"},
		{"regex:((a{40}){40})", "the regular expression \"((a{40}){40})\" is not taken",
		 "it repeats more than 1000 times"},
	};
	struct tacho_pattern *pattern = (void *)(uintptr_t)1;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(tacho_pattern_create(cases[i].text, 0, &pattern), TACHO_E_INVAL);
		assert_string_equal(tacho_error_last()->message, cases[i].message);
		if (*cases[i].cause)
			assert_string_equal(tacho_error_last()->cause, cases[i].cause);
	}
	assert_ptr_equal(pattern, (void *)(uintptr_t)1);
}

static void test_too_long(void **state)
{
	char glob[1202], expression[1210] = "regex:";
	struct tacho_pattern *pattern;

	(void)state;
	memset(glob, '*', sizeof(glob) - 1);
	glob[sizeof(glob) - 1] = '\0';
	memset(expression + 6, 'a', 1001);
	assert_int_equal(tacho_pattern_create(glob, 0, &pattern), TACHO_E_INVAL);
	assert_int_equal(tacho_pattern_create(expression, 0, &pattern), TACHO_E_INVAL);
	expression[6 + 1000] = '\0';
	assert_int_equal(tacho_pattern_create(expression, 0, &pattern), 0);
	tacho_pattern_destroy(pattern);
}

/* A glob that naive matchers try for longer than the test may run. */
static void test_hostile_glob(void **state)
{
	char glob[500], name[2000];
	struct tacho_pattern *pattern;

	(void)state;
	for (size_t i = 0; i + 2 < sizeof(glob); i += 2)
		memcpy(glob + i, "*a", 2);
	strcpy(glob + sizeof(glob) - 4, "*b");
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(tacho_pattern_create(glob, 0, &pattern), 0);
	assert_false(tacho_pattern_fits(pattern, name));
	tacho_pattern_destroy(pattern);
}

static void test_is_one(void **state)
{
	(void)state;
	assert_true(tacho_pattern_is_one("a*"));
	assert_true(tacho_pattern_is_one("a?") && tacho_pattern_is_one("a[0]"));
	assert_true(tacho_pattern_is_one("regex:a") && tacho_pattern_is_one("Regex:"));
	assert_false(tacho_pattern_is_one("a") || tacho_pattern_is_one("a.b|c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fits),	 cmocka_unit_test(test_refused),
		cmocka_unit_test(test_too_long), cmocka_unit_test(test_hostile_glob),
		cmocka_unit_test(test_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
