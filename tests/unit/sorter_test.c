/* SPDX-License-Identifier: MIT */
/* Records that are sorted on disk where memory does not hold them, against a count of all. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "format/foreign/sorter.h"
#include "tacho/error.h"

struct record {
	uint32_t key;	 /* few different ones: the order of addition decides, too */
	uint32_t number; /* of the addition */
	unsigned char rest[200];
};

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(state >> 33) % below;
}

static int compare(const void *left, const void *right)
{
	const struct record *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

static size_t size_of(uint32_t number)
{
	return offsetof(struct record, rest) + number % sizeof(((struct record *)0)->rest);
}

/* Of how they come: by chance; in order; in order but for some; in order, then from the start. */
enum order { MIXED, ORDERED, NEARLY, TWICE };

static uint32_t key_of(enum order order, uint32_t i, uint32_t count, uint32_t keys)
{
	switch (order) {
	case ORDERED: return i / 3;
	case NEARLY: return draw(50) ? i : i / 2;
	case TWICE: return i % (count / 2);
	default: return draw(keys);
	}
}

static void add_all(struct tacho__sorter *sorter, enum order order, uint32_t count, uint32_t keys)
{
	struct record record;

	for (uint32_t i = 0; i < count; i++) {
		record.key = key_of(order, i, count, keys);
		record.number = i;
		memset(record.rest, (int)(i & 0xff), sizeof(record.rest));
		assert_int_equal(tacho__sorter_add(sorter, &record, size_of(i)), 0);
	}
	assert_int_equal(tacho__sorter_seal(sorter), 0);
}

/* All are there, once, in their order, whole. */
static void check_all(const struct tacho__sorter *sorter, uint32_t count)
{
	struct tacho__sorted sorted = {0};
	struct record last = {0};
	const void *bytes;
	size_t size, seen = 0;
	uint64_t numbers = 0;
	int rc;

	assert_int_equal(tacho__sorted_open(&sorted, sorter), 0);
	while ((rc = tacho__sorted_next(&sorted, &bytes, &size)) == 1) {
		const struct record *record = bytes;

		assert_int_equal((uintptr_t)bytes % 8, 0);
		assert_int_equal(size, size_of(record->number));
		for (size_t i = 0; i < size - offsetof(struct record, rest); i++)
			assert_int_equal(record->rest[i], record->number & 0xff);
		if (seen) {
			assert_true(record->key >= last.key);
			assert_true(record->key > last.key || record->number > last.number);
		}
		last.key = record->key;
		last.number = record->number;
		numbers += record->number;
		seen++;
	}
	assert_int_equal(rc, 0);
	assert_int_equal(seen, count);
	assert_int_equal(numbers, (uint64_t)count * (count - 1) / 2);
	tacho__sorted_close(&sorted);
}

static void run(uint32_t count, uint32_t keys, size_t room, int has_file)
{
	struct tacho__sorter sorter = {.compare = compare, .room_bytes = room};

	state = count + keys;
	add_all(&sorter, MIXED, count, keys);
	assert_int_equal(sorter.has_file, has_file);
	check_all(&sorter, count);
	check_all(&sorter, count); /* as often as need be */
	tacho__sorter_finish(&sorter);
}

static void test_in_memory(void **unused)
{
	run(1, 1, 0, 0);
	run(5000, 7, 0, 0);
	run(5000, 1000000, 0, 0);
}

static void test_on_disk(void **unused)
{
	run(5000, 50, 64 * 1024, 1);
	/* so many pieces that they are merged on the way: 64 of them are at most kept apart */
	run(30000, 3000, 16 * 1024, 1);
}

/* What comes in order is one piece, however much it is. */
static void test_in_order(void **unused)
{
	static const struct {
		enum order order;
		size_t runs;
	} cases[] = {{ORDERED, 1}, {TWICE, 3}, {NEARLY, 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tacho__sorter sorter = {.compare = compare, .room_bytes = 16 * 1024};

		state = i;
		add_all(&sorter, cases[i].order, 30000, 0);
		assert_true(!cases[i].runs || sorter.run_count == cases[i].runs);
		check_all(&sorter, 30000);
		tacho__sorter_finish(&sorter);
	}
}

static void test_nothing(void **unused)
{
	struct tacho__sorter sorter = {.compare = compare};
	struct tacho__sorted sorted = {0};
	const void *bytes;
	size_t size;

	assert_int_equal(tacho__sorter_seal(&sorter), 0);
	assert_int_equal(tacho__sorted_open(&sorted, &sorter), 0);
	assert_int_equal(tacho__sorted_next(&sorted, &bytes, &size), 0);
	tacho__sorted_close(&sorted);
	tacho__sorter_finish(&sorter);
}

static void test_too_large(void **unused)
{
	static unsigned char bytes[TACHO__SORTER_RECORD_MAX + 1];
	struct tacho__sorter sorter = {.compare = compare};

	assert_int_equal(tacho__sorter_add(&sorter, bytes, sizeof(bytes)), TACHO_E_INVAL);
	assert_int_equal(tacho__sorter_add(&sorter, bytes, sizeof(bytes) - 1), 0);
	tacho__sorter_finish(&sorter);
}

/* A folder that is not there is told, with what to do. */
static void test_no_folder(void **unused)
{
	struct tacho__sorter sorter = {.compare = compare, .room_bytes = 1024};
	struct record record = {0};
	int rc = 0;

	assert_int_equal(setenv("TMPDIR", "/nowhere/at/all", 1), 0);
	for (int i = 0; i < 10 && !rc; i++)
		rc = tacho__sorter_add(&sorter, &record, sizeof(record));
	assert_int_equal(rc, TACHO_E_IO);
	assert_non_null(strstr(tacho_error_last()->message, "/nowhere/at/all"));
	assert_non_null(strstr(tacho_error_last()->cure, "TMPDIR"));
	unsetenv("TMPDIR");
	tacho__sorter_finish(&sorter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_memory), cmocka_unit_test(test_on_disk),
		cmocka_unit_test(test_in_order),  cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_too_large), cmocka_unit_test(test_no_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
