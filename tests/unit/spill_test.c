/* SPDX-License-Identifier: MIT */
/* Texts that grow side by side come out whole, and in little memory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <sys/stat.h>

#include "format/spill.h"
#include "tacho/error.h"
#include "test_folder.h"

static char *copy_of(struct tacho__spill *spill, const struct tacho__spill_text *text,
		     size_t *out_size)
{
	char *copy = NULL;
	FILE *stream = open_memstream(&copy, out_size);

	assert_non_null(stream);
	assert_int_equal(tacho__spill_copy(spill, text, stream), 0);
	fclose(stream);
	return copy;
}

static void test_small_texts_need_no_file(void **state)
{
	struct tacho__spill_text text = {0};
	struct tacho__spill spill;
	size_t size;
	char *copy;

	/* a folder that is not there: whoever opens a file fails */
	assert_int_equal(tacho__spill_init(&spill, "/nonexistent/folder/x"), 0);
	assert_int_equal(tacho__spill_add(&spill, &text, "abc", 3), 0);
	assert_int_equal(tacho__spill_add(&spill, &text, "def", 3), 0);
	copy = copy_of(&spill, &text, &size);
	assert_int_equal(size, 6);
	assert_memory_equal(copy, "abcdef", 6);
	free(copy);
	tacho__spill_text_finish(&text);
	tacho__spill_finish(&spill);
}

static void test_no_place_for_the_file(void **state)
{
	static char block[100000];
	struct tacho__spill_text text = {0};
	struct tacho__spill spill;

	assert_int_equal(tacho__spill_init(&spill, "/nonexistent/folder/x"), 0);
	assert_int_equal(tacho__spill_add(&spill, &text, block, sizeof(block)), TACHO_E_NOTFOUND);
	tacho__spill_text_finish(&text);
	tacho__spill_finish(&spill);
}

/* Three texts of different letters and uneven pieces, each several chunks long. */
static void test_interleaved(void **state)
{
	enum { TEXTS = 3, PIECES = 2000 };
	struct tacho__spill_text texts[TEXTS] = {0};
	size_t expected[TEXTS] = {0}, size;
	struct tacho__spill spill;
	struct folder folder;
	char piece[977], *copy;

	folder_make(&folder);
	assert_int_equal(tacho__spill_init(&spill, folder_name(&folder, "out")), 0);
	for (unsigned i = 0; i < PIECES; i++) {
		unsigned which = i * 7 % TEXTS;

		size = i * 131 % sizeof(piece);
		memset(piece, 'a' + (int)which, size);
		assert_int_equal(tacho__spill_add(&spill, &texts[which], piece, size), 0);
		expected[which] += size;
	}
	assert_int_equal(folder_count(&folder), 0); /* the file has no name */
	for (unsigned which = 0; which < TEXTS; which++) {
		assert_true(texts[which].chunks > 3);
		assert_true(texts[which].capacity <= 16384);
		copy = copy_of(&spill, &texts[which], &size);
		assert_int_equal(size, expected[which]);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(copy[i], 'a' + (int)which);
		free(copy);
		tacho__spill_text_finish(&texts[which]);
	}
	tacho__spill_finish(&spill);
	folder_remove(&folder);
}

/* Order within a text, over the ends of chunks. */
static void test_order(void **state)
{
	struct tacho__spill_text text = {0};
	struct tacho__spill spill;
	struct folder folder;
	char line[16], *copy, *at;
	size_t size;

	folder_make(&folder);
	assert_int_equal(tacho__spill_init(&spill, folder_name(&folder, "out")), 0);
	for (int i = 0; i < 20000; i++) {
		snprintf(line, sizeof(line), "%d\n", i);
		assert_int_equal(tacho__spill_add(&spill, &text, line, strlen(line)), 0);
	}
	at = copy = copy_of(&spill, &text, &size);
	for (int i = 0; i < 20000; i++)
		assert_int_equal(strtol(at, &at, 10), i);
	assert_ptr_equal(at, copy + size - 1);
	free(copy);
	tacho__spill_text_finish(&text);
	tacho__spill_finish(&spill);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_texts_need_no_file),
		cmocka_unit_test(test_no_place_for_the_file),
		cmocka_unit_test(test_interleaved),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
