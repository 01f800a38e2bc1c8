/* SPDX-License-Identifier: MIT */
/* Tables whose cells are wrapped. */
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "columns.h"
#include "text.h"

static const struct cli_column columns[] = {
	{"name", false}, {"slots", true}, {"group", false}, {"archs", false}, {"about", false}};

/* Prints two rows into a text. Owned. */
static char *print(unsigned width)
{
	struct cli_table table;
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	cli_table_init(&table, columns, 5);
	cli_table_add(&table, (const char *[]){"First", "4", "", "a1 a2 a3 a4 a5 a6",
					       "one two three four five six seven eight nine"});
	cli_table_add(&table,
		      (const char *[]){"TheSecondOneHasALongName", "16", "", "all", "none"});
	cli_columns_print(&table, stream, width);
	cli_table_finish(&table);
	fclose(stream);
	return text;
}

static void assert_page(unsigned width, const char *expected)
{
	char *text = print(width);

	assert_string_equal(text, expected);
	free(text);
}

static void one_line_a_row_when_there_is_room(void **state)
{
	assert_page(
		CLI_TEXT_UNLIMITED,
		"  name                      slots  archs              about\n"
		"  First                         4  a1 a2 a3 a4 a5 a6  one two three four five six "
		"seven eight nine\n"
		"  TheSecondOneHasALongName     16  all                none\n");
}

static void cells_wrap_inside_their_columns(void **state)
{
	assert_page(88, "  name                      slots  archs        about\n"
			"  First                         4  a1 a2 a3 a4  one two three four five "
			"six seven eight\n"
			"                                   a5 a6        nine\n"
			"  TheSecondOneHasALongName     16  all          none\n");
}

static void the_last_column_goes_below_the_others(void **state)
{
	assert_page(80, "  name                      slots  archs\n"
			"  First                         4  a1 a2 a3 a4 a5 a6\n"
			"      one two three four five six seven eight nine\n"
			"  TheSecondOneHasALongName     16  all\n"
			"      none\n");
	assert_page(46, "  name                      slots  archs\n"
			"  First                         4  a1 a2 a3 a4\n"
			"                                   a5 a6\n"
			"      one two three four five six seven eight\n"
			"      nine\n"
			"  TheSecondOneHasALongName     16  all\n"
			"      none\n");
}

static void too_narrow_tables_become_records(void **state)
{
	assert_page(36, "  First\n"
			"    slots 4, archs a1 a2 a3 a4 a5 a6\n"
			"    one two three four five six\n"
			"    seven eight nine\n"
			"  TheSecondOneHasALongName\n"
			"    slots 16, archs all\n"
			"    none\n");
}

static void never_wider_than_asked(void **state)
{
	for (unsigned width = 30; width <= 200; width++) {
		char *text = print(width), *rest = text, *line;

		while ((line = strsep(&rest, "\n")))
			assert_true(cli_text_width(line) <= width);
		free(text);
	}
}

static void nothing_to_print(void **state)
{
	struct cli_table table;
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	cli_table_init(&table, columns, 5);
	cli_columns_print(&table, stream, 80);
	cli_table_finish(&table);
	fclose(stream);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line_a_row_when_there_is_room),
		cmocka_unit_test(cells_wrap_inside_their_columns),
		cmocka_unit_test(the_last_column_goes_below_the_others),
		cmocka_unit_test(too_narrow_tables_become_records),
		cmocka_unit_test(never_wider_than_asked),
		cmocka_unit_test(nothing_to_print),
	};

	cli_text_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
