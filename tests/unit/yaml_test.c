/* SPDX-License-Identifier: MIT */
/* YAML as a tree: shape, lines, numbers, and texts that must be refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/yaml.h"
#include "rounds.h"
#include "tacho/error.h"

static struct tacho__arena arena;

static int finish(void **state)
{
	tacho__arena_finish(&arena);
	return 0;
}

static const struct tacho__yaml *parse(const char *text)
{
	const struct tacho__yaml *root = NULL;

	assert_int_equal(tacho__yaml_parse(&arena, "x.yaml", text, strlen(text), &root), 0);
	return root;
}

static void refuse(const char *text, size_t size, const char *where, const char *why)
{
	const struct tacho__yaml *root = (struct tacho__yaml *)&arena;

	assert_int_equal(tacho__yaml_parse(&arena, "x.yaml", text, size, &root), TACHO_E_PARSE);
	assert_ptr_equal(root, &arena); /* untouched */
	assert_non_null(strstr(tacho_error_last()->message, where));
	assert_non_null(strstr(tacho_error_last()->cause, why));
}

static void test_tree(void **state)
{
	const struct tacho__yaml *root = parse("# comment\n"
					       "a: 1\n"
					       "list:\n"
					       "- x\n"
					       "- [y, 'z']\n"
					       "\n"
					       "map: {k: \"v\\n\", empty: }\n"
					       "a: 2\n"
					       "---\n"
					       "second: document\n");
	const struct tacho__yaml *at = root->first;

	assert_int_equal(root->type, TACHO__YAML_MAPPING);
	assert_int_equal(root->line, 2);
	assert_null(root->key);
	assert_string_equal(at->key, "a");
	assert_string_equal(at->text, "1");
	assert_int_equal(at->is_quoted, 0);
	at = at->next;
	assert_int_equal(at->type, TACHO__YAML_SEQUENCE);
	assert_string_equal(at->text, "");
	assert_int_equal(at->key_line, 3);
	assert_int_equal(at->first->line, 4);
	assert_null(at->first->key);
	assert_string_equal(at->first->next->first->next->text, "z");
	assert_int_equal(at->first->next->first->next->is_quoted, 1);
	assert_null(at->first->next->next);
	at = at->next;
	assert_int_equal(at->key_line, 7);
	assert_string_equal(tacho__yaml_string(at, "k", ""), "v\n");
	assert_int_equal(tacho__yaml_get(at, "k")->size, 2);
	assert_string_equal(tacho__yaml_string(at, "empty", "x"), "");
	at = at->next; /* the second "a" is there too; get finds the first */
	assert_string_equal(at->text, "2");
	assert_null(at->next);
	assert_string_equal(tacho__yaml_string(root, "a", ""), "1");
	assert_null(tacho__yaml_get(root, "second"));
	assert_string_equal(tacho__yaml_string(root, "list", "no scalar"), "no scalar");
	assert_null(tacho__yaml_get(NULL, "a"));
	assert_null(tacho__yaml_get(tacho__yaml_get(root, "list"), "a"));
}

static void test_scalar_root(void **state)
{
	const struct tacho__yaml *root = parse("\xef\xbb\xbf just words\n");

	assert_int_equal(root->type, TACHO__YAML_SCALAR);
	assert_string_equal(root->text, "just words");
	assert_null(root->first);
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		int good;
		uint64_t number;
	} cases[] = {
		{"0", 1, 0},
		{"007", 1, 7},
		{"0x1F", 1, 31},
		{"0Xab", 1, 171},
		{"18446744073709551615", 1, UINT64_MAX},
		{"0xffffffffffffffff", 1, UINT64_MAX},
		{"'25'", 1, 25},
		{"18446744073709551616", 0, 0},
		{"0x10000000000000000", 0, 0},
		{"0x", 0, 0},
		{"''", 0, 0},
		{"abc", 0, 0},
		{"12a", 0, 0},
		{"-1", 0, 0},
		{"1.5", 0, 0},
		{"\"1\\0\"", 0, 0}, /* a NUL inside */
		{"[1]", 0, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t number = 99;
		int rc = tacho__yaml_number(parse(cases[i].text), &number);

		assert_int_equal(rc, cases[i].good ? 0 : TACHO_E_INVAL);
		assert_true(number == (cases[i].good ? cases[i].number : 99));
	}
	assert_int_equal(tacho__yaml_number(NULL, &(uint64_t){0}), TACHO_E_INVAL);
}

static void test_malformed(void **state)
{
	static const struct {
		const char *text, *where, *why;
	} cases[] = {
		{"a: [1, 2\nb: 3\n", "x.yaml, line 2", ""},
		{"a: 1\n\tb: 2\n", "line 2, column 1", ""},
		{"a: 'open\n", "x.yaml", ""},
		{"a: &x 1\nb: *x\n", "line 2, column 4", "*x is an alias"},
		{"a: &x [*x]\n", "line 1", "alias"},
		{"? [a, b]\n: 1\n", "line 1, column 3", "a key is a list"},
		{"ok: 1\n{a: b}: 1\n", "line 2", ""},
		{"a: 1\nb: \x01\n", "line 2, column 4", "control characters"},
		{"a: \xff\xfe\xfd\n", "line 1, column 4", ""},
		{"", "x.yaml", "nothing in it"},
		{"# only a comment\n", "x.yaml", "nothing in it"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refuse(cases[i].text, strlen(cases[i].text), cases[i].where, cases[i].why);
}

static void test_depth(void **state)
{
	char text[256];
	const struct tacho__yaml *root;

	memset(text, '[', 65);
	memset(text + 65, ']', 65);
	assert_int_equal(tacho__yaml_parse(&arena, "x.yaml", text + 1, 128, &root), 0); /* 64 */
	refuse(text, 130, "line 1, column 65", "nested deeper than 64");
	memset(text, '[', sizeof(text));
	refuse(text, sizeof(text), "column 65", "nested deeper than 64");
}

static void test_size(void **state)
{
	size_t size = (16 << 20) + 1;
	char *text = malloc(size);
	struct tacho__buf buf = {0};

	assert_non_null(text);
	memset(text, ' ', size);
	refuse(text, size, "x.yaml", "16777217 bytes");
	free(text);
	if (!rounds_of(0, 1, 1))
		return; /* a sanitizer reads for seconds what is no other than a short list */
	tacho__buf_put(&buf, "[");
	for (int i = 0; i < 4000000; i++)
		tacho__buf_put(&buf, "1,");
	tacho__buf_put(&buf, "]");
	assert_false(buf.failed);
	refuse(buf.text, buf.size, "line 1", "more than 4000000 values");
	tacho__buf_finish(&buf);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),	cmocka_unit_test(test_scalar_root),
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_depth),	cmocka_unit_test(test_size),
	};

	return cmocka_run_group_tests(tests, NULL, finish);
}
