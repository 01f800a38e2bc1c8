/* SPDX-License-Identifier: MIT */
/* Cells of CSV whose quotes are closed late, never, or not escaped, and what finding that costs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/csv.h"

enum { MIB = 1 << 20, KIB = 1 << 10 };

/* Reads a text of `count` records of these cells, all in one list. */
static void expect(const char *text, const char *const *cells, const size_t *counts, size_t records)
{
	struct tacho__csv_reader csv;
	char copy[256], **read;
	size_t count;

	strcpy(copy, text);
	tacho__csv_reader_begin(&csv, "test", copy, strlen(copy));
	for (size_t i = 0; i < records; i++) {
		assert_int_equal(tacho__csv_reader_next(&csv, &read, &count), 0);
		assert_int_equal(count, counts[i]);
		for (size_t at = 0; at < count; at++)
			assert_string_equal(read[at], *cells++);
	}
	assert_int_equal(tacho__csv_reader_next(&csv, &read, &count), 0);
	assert_int_equal(count, 0);
	tacho__csv_reader_finish(&csv);
}

static void test_quotes(void **state)
{
	/* a cell begins inside what an earlier one searched in vain: empty, of a quote, open too */
	expect("\"a,\"\"\n", (const char *[]){"\"a", ""}, (size_t[]){2}, 1);
	expect("\"a,\"\"\"\"\n", (const char *[]){"\"a", "\""}, (size_t[]){2}, 1);
	expect("\"a,\"b,\"\"c\n", (const char *[]){"\"a", "\"b", "\"\"c"}, (size_t[]){3}, 1);
	expect("\"a,\"b,c\"\n", (const char *[]){"a,\"b,c"}, (size_t[]){1}, 1);
	/* a line's end in quotes is part of the cell */
	expect("x,y\n\"1\n2\",3\n", (const char *[]){"x", "y", "1\n2", "3"}, (size_t[]){2, 2}, 2);
}

/* The first line with unescaped quotes shows what the file is: its later lines end at their ends.
 */
static void test_unescaped(void **state)
{
	expect("x,y\n\"1,2\n3,4\"\n\"\"\"\",5\n",
	       (const char *[]){"x", "y", "\"1", "2", "3", "4\"", "\"\"", "5"},
	       (size_t[]){2, 2, 2, 2}, 4);
}

static char *repeat(const char *part, size_t size)
{
	char *text = malloc(size + 1);
	size_t part_size = strlen(part);

	assert_non_null(text);
	for (size_t i = 0; i < size; i++)
		text[i] = part[i % part_size];
	return text;
}

/* Reads all, and how long that took. */
static double read_all(char *text, size_t size, size_t *out_records, size_t *out_cells)
{
	clock_t begin = clock();
	struct tacho__csv_reader csv;
	char **cells;
	size_t count = 1;

	*out_records = *out_cells = 0;
	tacho__csv_reader_begin(&csv, "test", text, size);
	while (count) {
		assert_int_equal(tacho__csv_reader_next(&csv, &cells, &count), 0);
		*out_records += count > 0;
		*out_cells += count;
	}
	tacho__csv_reader_finish(&csv);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* 64 KiB for each of these cells or lines would take half a minute. */
static void test_cost(void **state)
{
	size_t records, cells, size = 3 * MIB;
	char *text = repeat("\"a,", size);

	/* one line of cells that nothing closes */
	assert_true(read_all(text, size, &records, &cells) < 5);
	assert_int_equal(records, 1);
	assert_int_equal(cells, MIB + 1);
	free(text);
	/* lines whose quote is closed 60 KiB behind, where it leaves a line with too few cells */
	text = repeat("\"a,b\n", size);
	memcpy(text, "xx,y\n", 5);
	for (size_t at = 60 * KIB - 60 * KIB % 5; at + 5 < size; at += 60 * KIB - 60 * KIB % 5)
		memcpy(text + at, "a,b\"\n", 5);
	text[size - size % 5] = '\0';
	assert_true(read_all(text, size - size % 5, &records, &cells) < 5);
	assert_int_equal(records, size / 5);
	assert_int_equal(cells, size / 5 * 2);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quotes),
		cmocka_unit_test(test_unescaped),
		cmocka_unit_test(test_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
