/* SPDX-License-Identifier: MIT */
/* Files as text and tables: packed, UTF-16, quoted, longer than any buffer, damaged. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "format/foreign/foreign_csv.h"
#include "tacho/error.h"
#include "test_folder.h"

static struct folder folder;

static int make_folder(void **state)
{
	folder_make(&folder);
	return 0;
}

static int remove_folder(void **state)
{
	folder_remove(&folder);
	return 0;
}

static void write_file(const char *name, const void *bytes, size_t size)
{
	FILE *file = fopen(folder_name(&folder, name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void run(const char *format, const char *name)
{
	char command[512];

	snprintf(command, sizeof(command), format, folder_name(&folder, name));
	assert_int_equal(system(command), 0);
}

/* Reads all, a few bytes at a time; the text ends in a zero. */
static int read_all(const char *name, char *text, size_t room, size_t *out_size)
{
	struct tacho__foreign_bytes *bytes;
	size_t got = 1;
	int rc = tacho__foreign_bytes_open(folder_name(&folder, name), &bytes);

	*out_size = 0;
	if (rc)
		return rc;
	while (!rc && got) {
		size_t left = room - 1 - *out_size;

		assert_true(left >= 4);
		rc = tacho__foreign_bytes_read(bytes, text + *out_size, left < 7 ? left : 7, &got);
		*out_size += got;
	}
	text[*out_size] = '\0';
	tacho__foreign_bytes_close(bytes);
	return rc;
}

static void expect_text(const char *name, const char *wanted)
{
	char text[256];
	size_t size;

	assert_int_equal(read_all(name, text, sizeof(text), &size), 0);
	assert_string_equal(text, wanted);
}

static void test_encodings(void **state)
{
	static const unsigned char little[] = {0xff, 0xfe, 'a',	 0,    0xe9, 0,	   0xac,
					       0x20, 0x3d, 0xd8, 0x00, 0xde, '\n', 0},
				   big[] = {0xfe, 0xff, 0,    'a',  0,	  0xe9, 0x20,
					    0xac, 0xd8, 0x3d, 0xde, 0x00, 0,	'\n'},
				   half[] = {0xff, 0xfe, 0x3d, 0xd8, 'b', 0, 0x00, 0xde};

	write_file("little", little, sizeof(little));
	write_file("big", big, sizeof(big));
	write_file("half", half, sizeof(half));
	write_file("marked", "\xef\xbb\xbfText", 7);
	write_file("empty", "", 0);
	expect_text("little", "a\u00e9\u20ac\U0001f600\n");
	expect_text("big", "a\u00e9\u20ac\U0001f600\n");
	expect_text("half", "b\ufffd");
	expect_text("marked", "Text");
	expect_text("empty", "");
}

static char *make_long(size_t size)
{
	char *text = malloc(size + 1);
	uint32_t state = 1;

	assert_non_null(text);
	for (size_t i = 0; i < size; i++) {
		state = state * 1664525 + 1013904223;
		text[i] = (char)('a' + (state >> 28));
	}
	text[size] = '\0';
	return text;
}

static void expect_packed(const char *command, const char *packed)
{
	enum { SIZE = 300000 };
	char *text = make_long(SIZE), *read = malloc(SIZE + 16);
	size_t size;

	assert_non_null(read);
	write_file("plain", text, SIZE);
	run(command, "plain");
	assert_int_equal(read_all(packed, read, SIZE + 16, &size), 0);
	assert_int_equal(size, SIZE);
	assert_memory_equal(read, text, SIZE);
	run("truncate -s -1000 %s", packed);
	assert_int_equal(read_all(packed, read, SIZE + 16, &size), TACHO_E_PARSE);
	assert_true(size > SIZE / 2 && size < SIZE);
	assert_memory_equal(read, text, size);
	free(text);
	free(read);
}

static void test_packed(void **state)
{
	char command[256], path[128];

	expect_packed("gzip -kf %s", "plain.gz");
	strcpy(path, folder_name(&folder, "two"));
	snprintf(command, sizeof(command), "(echo a | gzip; echo b | gzip) >%s", path);
	assert_int_equal(system(command), 0);
	expect_text("two", "a\nb\n");
	write_file("bad", "\x1f\x8b rest", 7);
	assert_int_equal(read_all("bad", command, sizeof(command), &(size_t){0}), TACHO_E_PARSE);
	if (system("zstd --version >/dev/null 2>&1") == 0)
		expect_packed("zstd -qkf %s", "plain.zst");
}

/* ---- tables ---- */

static void expect_cells(struct tacho__foreign_csv *csv, uint64_t line, size_t count,
			 const char *const *wanted)
{
	char **cells;
	size_t got;

	assert_int_equal(tacho__foreign_csv_next(csv, &cells, &got), 0);
	assert_int_equal(got, count);
	assert_int_equal(csv->line, line);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(cells[i], wanted[i]);
}

static void expect_end(struct tacho__foreign_csv *csv)
{
	char **cells;
	size_t count;

	assert_int_equal(tacho__foreign_csv_next(csv, &cells, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(tacho__foreign_csv_next(csv, &cells, &count), 0);
	assert_int_equal(count, 0);
	tacho__foreign_csv_close(csv);
}

static void open_table(struct tacho__foreign_csv *csv, const char *text)
{
	write_file("table.csv", text, strlen(text));
	assert_int_equal(tacho__foreign_csv_open(csv, folder_name(&folder, "table.csv")), 0);
}

#define CELLS(...)                                                               \
	sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]) \
	{                                                                        \
		__VA_ARGS__                                                      \
	}

static void test_cells(void **state)
{
	struct tacho__foreign_csv csv;

	open_table(&csv, "Name,Time\r\n\"a, b\",1\n\n\"say \"\"x\"\"\",\n"
			 "\"two\nlines\",2\n\"it \"is\" so\",3\na\"b,\"\"\nlast");
	expect_cells(&csv, 1, CELLS("Name", "Time"));
	expect_cells(&csv, 2, CELLS("a, b", "1"));
	expect_cells(&csv, 3, CELLS(""));
	expect_cells(&csv, 4, CELLS("say \"x\"", ""));
	expect_cells(&csv, 5, CELLS("two\nlines", "2"));
	expect_cells(&csv, 7, CELLS("it \"is\" so", "3"));
	expect_cells(&csv, 8, CELLS("a\"b", ""));
	expect_cells(&csv, 9, CELLS("last"));
	expect_end(&csv);
}

static void test_open_quote(void **state)
{
	struct tacho__foreign_csv csv;

	open_table(&csv, "\"open,1\nnext,2\n");
	expect_cells(&csv, 1, CELLS("\"open", "1"));
	expect_cells(&csv, 2, CELLS("next", "2"));
	expect_end(&csv);
	open_table(&csv, "");
	expect_end(&csv);
}

/* Records at every place relative to the ends of what is read at once. */
static void test_long_table(void **state)
{
	enum { COUNT = 40000 };
	struct tacho__foreign_csv csv;
	char path[128], number[32], quoted[64];
	FILE *file;

	strcpy(path, folder_name(&folder, "long.csv"));
	file = fopen(path, "w");
	assert_non_null(file);
	for (int i = 0; i < COUNT; i++)
		fprintf(file, "%d,\"kernel<%d, \"\"%d\"\">\"%s", i, i, i, i % 3 ? "\n" : "\r\n");
	assert_int_equal(fclose(file), 0);
	assert_int_equal(tacho__foreign_csv_open(&csv, path), 0);
	for (int i = 0; i < COUNT; i++) {
		snprintf(number, sizeof(number), "%d", i);
		snprintf(quoted, sizeof(quoted), "kernel<%d, \"%d\">", i, i);
		expect_cells(&csv, (uint64_t)i + 1, CELLS(number, quoted));
	}
	expect_end(&csv);
}

static void test_endless_line(void **state)
{
	struct tacho__foreign_csv csv;
	size_t size = TACHO__FOREIGN_RECORD_MAX + 200000, count;
	char *text = make_long(size), **cells;

	write_file("endless.csv", text, size);
	free(text);
	assert_int_equal(tacho__foreign_csv_open(&csv, folder_name(&folder, "endless.csv")), 0);
	assert_int_equal(tacho__foreign_csv_next(&csv, &cells, &count), TACHO_E_PARSE);
	assert_non_null(strstr(tacho_error_last()->message, "line 1 "));
	tacho__foreign_csv_close(&csv);
}

static void test_numbers(void **state)
{
	char *cells[] = {"Start (ns)", "DURATION", ""};
	uint64_t whole;
	int64_t number;
	double real;

	assert_int_equal(tacho__foreign_csv_find(cells, 3, "Duration"), 1);
	assert_int_equal(tacho__foreign_csv_find(cells, 3, "Dur"), -1);
	assert_string_equal(tacho__foreign_csv_get(cells, 3, 1), "DURATION");
	assert_string_equal(tacho__foreign_csv_get(cells, 3, -1), "");
	assert_string_equal(tacho__foreign_csv_get(cells, 3, 3), "");
	assert_true(tacho__foreign_csv_unsigned("18446744073709551615", &whole));
	assert_true(whole == UINT64_MAX);
	assert_false(tacho__foreign_csv_unsigned("18446744073709551616", &whole));
	assert_false(tacho__foreign_csv_unsigned("", &whole));
	assert_false(tacho__foreign_csv_unsigned("12 ", &whole));
	assert_true(tacho__foreign_csv_integer("-12", &number));
	assert_int_equal(number, -12);
	assert_false(tacho__foreign_csv_integer("-", &number));
	assert_false(tacho__foreign_csv_integer("9223372036854775808", &number));
	assert_true(tacho__foreign_csv_real("6.29725980e-01", &real));
	assert_true(real == 6.29725980e-01);
	assert_false(tacho__foreign_csv_real("n/a", &real));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_encodings),  cmocka_unit_test(test_packed),
		cmocka_unit_test(test_cells),	   cmocka_unit_test(test_open_quote),
		cmocka_unit_test(test_long_table), cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
