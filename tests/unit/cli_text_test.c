/* SPDX-License-Identifier: MIT */
/* Cleaning, shortening, wrapping, and tables that keep to the width. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "table.h"
#include "text.h"

static void assert_text(char *owned, const char *expected)
{
	assert_string_equal(owned, expected);
	free(owned);
}

static void use_locale(const char *locale)
{
	setenv("LC_ALL", locale, 1);
	cli_text_init();
}

static void cleans_control_characters(void **state)
{
	use_locale("C");
	assert_text(cli_text_clean("a\033[31mb\x7f"), "a\\x1b[31mb\\x7f");
	assert_text(cli_text_clean("a\tb\nc"), "a b c");
	assert_text(cli_text_clean("\xc3\xa4"), "\\u00e4");
}

static void quotes_for_shells(void **state)
{
	use_locale("C");
	assert_text(cli_text_quote("runs/one-1.tacho"), "runs/one-1.tacho");
	assert_text(cli_text_quote("a b"), "'a b'");
	assert_text(cli_text_quote("$(id)'s"), "'$(id)'\\''s'");
	assert_text(cli_text_quote("-f"), "./-f");
	assert_text(cli_text_quote("-f x"), "./'-f x'");
	assert_text(cli_text_quote(""), "''");
}

static void keeps_utf8_in_a_utf8_locale(void **state)
{
	use_locale("C.UTF-8");
	if (strcmp(setlocale(LC_CTYPE, NULL), "C") == 0)
		skip();
	assert_text(cli_text_clean("\xc3\xa4\xff"), "\xc3\xa4\\xff");
	assert_int_equal(cli_text_width("\xc3\xa4\xe4\xb8\xad"), 3);
	assert_text(cli_text_clean("\xc2\x9b"), "\\u009b"); /* a C1 control character */
	/* turns the direction; nothing to see; a tag */
	assert_text(cli_text_clean("a\xe2\x80\xae"
				   "b\xe2\x80\x8b\xf3\xa0\x81\x81"),
		    "a\\u202eb\\u200b\\U000e0041");
}

/* A locale that is not installed still says what the terminal shows. */
static void takes_the_name_of_a_missing_locale(void **state)
{
	use_locale("xx_XX.utf8");
	assert_text(cli_text_clean("\xc3\xa4\xff\xe4\xb8\xad"), "\xc3\xa4\\xff\xe4\xb8\xad");
	assert_int_equal(cli_text_width("\xc3\xa4\xe4\xb8\xad"), 3);
	assert_text(cli_text_clean("\xc2\x9b"), "\\u009b");
	assert_text(cli_text_clean("\xc0\xaf\xe0\x80\xaf\xed\xa0\x80"),
		    "\\xc0\\xaf\\xe0\\x80\\xaf\\xed\\xa0\\x80");
	assert_text(cli_text_clean("\xf0\x9f\x98\x80\xf4\x90\x80\x80"),
		    "\xf0\x9f\x98\x80\\xf4\\x90\\x80\\x80");
	assert_text(cli_text_clean("\xe4\xb8"), "\\xe4\\xb8");
	use_locale("xx_XX");
	assert_text(cli_text_clean("\xc3\xa4"), "\\u00e4");
}

static void shortens_in_the_middle(void **state)
{
	use_locale("C");
	assert_text(cli_text_shorten("abcdefghij", 10), "abcdefghij");
	assert_text(cli_text_shorten("abcdefghijk", 10), "abcd...ijk");
	assert_text(cli_text_shorten("abcdefghijk", 9), "abc...ijk");
	assert_text(cli_text_shorten("abcdefghijk", 1), "a...k");
}

static void shortens_wide_characters_whole(void **state)
{
	use_locale("C.UTF-8");
	if (strcmp(setlocale(LC_CTYPE, NULL), "C") == 0)
		skip();
	for (unsigned columns = 5; columns < 20; columns++) {
		char *text = cli_text_shorten("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
					      "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad",
					      columns);

		assert_true(cli_text_width(text) <= columns);
		assert_null(strchr(text, '?'));
		free(text);
	}
}

static char *wrap(const char *text, unsigned used, unsigned indent, unsigned width)
{
	char *result = NULL;
	size_t size;
	FILE *stream = open_memstream(&result, &size);

	assert_non_null(stream);
	cli_text_wrap(stream, text, used, indent, width);
	fclose(stream);
	return result;
}

static void wraps_at_blanks(void **state)
{
	use_locale("C");
	assert_text(wrap("aa bb cc", 0, 2, 5), "aa bb\n  cc\n");
	assert_text(wrap("aa bb cc", 3, 0, 5), "aa\nbb cc\n");
	assert_text(wrap("a  b", 0, 0, 80), "a b\n");
	assert_text(wrap("", 0, 0, 80), "\n");
	assert_text(wrap("longer-than-the-line b", 0, 1, 6), "longer-than-the-line\n b\n");
}

static const struct cli_column columns[] = {
	{"kernel", false}, {"calls", true}, {"total", true}, {"average", true}, {"share", true}};

static char *print_table(unsigned width)
{
	const char *long_row[] = {
		"a_kernel_with_a_name_that_is_much_longer_than_a_terminal_is_wide", "1,234,567",
		"123 ms", "1.23 us", "100.0%"};
	const char *short_row[] = {"b", "1", "-", "-", "-"};
	struct cli_table table;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	cli_table_add(&table, long_row);
	cli_table_add(&table, short_row);
	cli_table_print(&table, stream, width);
	cli_table_finish(&table);
	fclose(stream);
	return text;
}

static void tables_keep_to_the_width(void **state)
{
	use_locale("C");
	for (unsigned width = 40; width <= 200; width++) {
		char *text = print_table(width), *rest = text, *line;

		assert_non_null(strstr(text, "1,234,567"));
		assert_non_null(strstr(text, "100.0%"));
		while ((line = strsep(&rest, "\n"))) {
			if (strlen(line) > width)
				fail_msg("%zu columns at width %u: %s", strlen(line), width, line);
		}
		free(text);
	}
}

static void names_that_look_alike_are_not_cut(void **state)
{
	static const struct cli_column two[] = {{"kernel", false}, {"calls", true}};
	const char *first[] = {"a_long_kernel_v1_long_ending", "1"};
	const char *second[] = {"a_long_kernel_v2_long_ending", "2"};
	const char *third[] = {"short", "3"};
	struct cli_table table;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	cli_table_init(&table, two, 2);
	cli_table_add(&table, first);
	cli_table_add(&table, second);
	cli_table_add(&table, third);
	cli_table_print(&table, stream, 30);
	cli_table_finish(&table);
	fclose(stream);
	assert_text(text, "  kernel                 calls\n"
			  "  a_long_kernel_v1_long_ending\n"
			  "                             1\n"
			  "  a_long_kernel_v2_long_ending\n"
			  "                             2\n"
			  "  short                      3\n");
}

/* Seventeen columns would be left of the name. */
static void names_of_which_little_is_left_are_not_cut(void **state)
{
	use_locale("C");
	assert_text(print_table(51), "  kernel                calls  total average  share\n"
				     "  a_kernel_with_a_name_th...than_a_terminal_is_wide\n"
				     "                    1,234,567 123 ms 1.23 us 100.0%\n"
				     "  b                         1      -       -      -\n");
}

static void narrow_tables_become_records(void **state)
{
	use_locale("C");
	assert_text(print_table(40), "  a_kernel_with_a_na..._terminal_is_wide\n"
				     "    calls 1,234,567  total 123 ms\n"
				     "    average 1.23 us  share 100.0%\n"
				     "  b\n"
				     "    calls 1  total -  average -  share -\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cleans_control_characters),
		cmocka_unit_test(quotes_for_shells),
		cmocka_unit_test(keeps_utf8_in_a_utf8_locale),
		cmocka_unit_test(takes_the_name_of_a_missing_locale),
		cmocka_unit_test(shortens_in_the_middle),
		cmocka_unit_test(shortens_wide_characters_whole),
		cmocka_unit_test(wraps_at_blanks),
		cmocka_unit_test(tables_keep_to_the_width),
		cmocka_unit_test(names_that_look_alike_are_not_cut),
		cmocka_unit_test(names_of_which_little_is_left_are_not_cut),
		cmocka_unit_test(narrow_tables_become_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
