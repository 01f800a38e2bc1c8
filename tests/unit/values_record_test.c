/* SPDX-License-Identifier: MIT */
/* Records of counted launches: what was packed is read again, and nothing else is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "record/values.h"
#include "record/pool.h"
#include "tacho/result.h"

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static bool read_head(const uint8_t *packed, uint32_t size, struct tacho__unpack *unpack,
		      struct tacho__values_head *out_head)
{
	tacho__unpack_begin(unpack, packed, size);
	return tacho__values_unpack_head(unpack, out_head);
}

static void row_comes_back(void **state)
{
	const struct tacho__count values[] = {
		{.column = 0, .type = TACHO_TYPE_U64, .bits = 16, .coverage = 1},
		{.column = 3,
		 .instance = 27999,
		 .state = TACHO_STATE_SCALED | TACHO_MARK_DEFAULT,
		 .type = TACHO_TYPE_F64,
		 .bits = bits_of(-2.5),
		 .coverage = 0.25},
		{.column = UINT32_MAX,
		 .state = TACHO_STATE_OVERFLOW | TACHO_MARK_DIV0,
		 .bits = UINT64_MAX,
		 .coverage = 1},
	};
	const struct tacho__counts row = {.thread = 4711,
					  .start = UINT64_C(0x123456789abcdef0),
					  .seen = 5,
					  .note = "it uses a pipe",
					  .counts = values,
					  .count = 3};
	uint8_t packed[TACHO__VALUES_BYTES];
	struct tacho__values_head head;
	struct tacho__unpack unpack;
	uint32_t size;

	(void)state;
	assert_int_equal(tacho__values_record_count(&row), 1);
	size = tacho__values_pack(&row, 0, packed);
	assert_true(read_head(packed, size, &unpack, &head));
	assert_int_equal(head.thread, 4711);
	assert_int_equal(head.start, UINT64_C(0x123456789abcdef0));
	assert_int_equal(head.seen, 5);
	assert_int_equal(head.left, 0);
	assert_int_equal(head.total, 1);
	assert_int_equal(head.count, 3);
	assert_int_equal(head.note_size, 14);
	assert_memory_equal(head.note, "it uses a pipe", 14);
	for (size_t i = 0; i < 3; i++) {
		struct tacho__count count = {0};

		assert_true(tacho__values_unpack(&unpack, &count));
		assert_int_equal(count.column, values[i].column);
		assert_int_equal(count.instance, values[i].instance);
		assert_int_equal(count.state, values[i].state);
		assert_int_equal(count.type, values[i].type);
		assert_int_equal(count.bits, values[i].bits);
		assert_true(count.coverage == values[i].coverage);
	}
	assert_int_equal(unpack.at - packed, size);
}

/* 300 values are records of 128, 128 and 44; each fits whatever the values are. */
static void long_row_is_split(void **state)
{
	struct tacho__count *values = calloc(300, sizeof(*values));
	char note[TACHO__VALUES_NOTE_MAX + 100];
	const struct tacho__counts row = {.thread = UINT32_MAX,
					  .start = UINT64_MAX,
					  .seen = UINT64_MAX,
					  .note = note,
					  .counts = values,
					  .count = 300};
	uint8_t packed[TACHO__VALUES_BYTES];
	struct tacho__values_head head;
	struct tacho__unpack unpack;
	const uint32_t counts[] = {128, 128, 44};

	(void)state;
	memset(note, 'x', sizeof(note));
	note[sizeof(note) - 1] = '\0';
	for (size_t i = 0; i < 300; i++)
		values[i] = (struct tacho__count){.column = UINT32_MAX,
						  .instance = UINT32_MAX,
						  .state = 0xff & ~TACHO_STATE_MASK,
						  .type = TACHO_TYPE_F64,
						  .bits = UINT64_MAX - i,
						  .coverage = 1. / 3};
	assert_int_equal(tacho__values_record_count(&row), 3);
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t size = tacho__values_pack(&row, i, packed);
		struct tacho__count count;

		assert_true(size + 16 <= TACHO__VALUES_BYTES && size < TACHO__POOL_RECORD_MAX);
		assert_true(read_head(packed, size, &unpack, &head));
		assert_int_equal(head.left, 2 - i);
		assert_int_equal(head.total, 3);
		assert_int_equal(head.count, counts[i]);
		assert_int_equal(head.note_size, TACHO__VALUES_NOTE_MAX);
		assert_true(tacho__values_unpack(&unpack, &count));
		assert_int_equal(count.bits, UINT64_MAX - 128 * i);
	}
	free(values);
}

/* A launch that could not be counted has a row without values. */
static void empty_row_has_a_record(void **state)
{
	const struct tacho__counts row = {.thread = 1, .start = 2, .note = ""};
	uint8_t packed[TACHO__VALUES_BYTES];
	struct tacho__values_head head;
	struct tacho__unpack unpack;

	(void)state;
	assert_int_equal(tacho__values_record_count(&row), 1);
	assert_true(read_head(packed, tacho__values_pack(&row, 0, packed), &unpack, &head));
	assert_int_equal(head.count, 0);
	assert_int_equal(head.note_size, 0);
}

/* Cut anywhere, it is refused at the value that is cut or before. */
static void cut_records_are_refused(void **state)
{
	const struct tacho__count value = {.column = 1,
					   .state = TACHO_STATE_SCALED,
					   .type = TACHO_TYPE_F64,
					   .bits = bits_of(0.1),
					   .coverage = 0.3};
	const struct tacho__counts row = {
		.thread = 1, .start = 1000, .note = "why", .counts = &value, .count = 1};
	uint8_t packed[TACHO__VALUES_BYTES];
	uint32_t size = tacho__values_pack(&row, 0, packed);

	(void)state;
	for (uint32_t cut = 0; cut < size; cut++) {
		struct tacho__values_head head;
		struct tacho__unpack unpack;
		struct tacho__count count = {.column = 77};

		if (!read_head(packed, cut, &unpack, &head))
			continue;
		assert_false(tacho__values_unpack(&unpack, &count));
		assert_int_equal(count.column, 77);
	}
}

static bool is_read(uint64_t column, uint64_t about, double coverage)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];
	struct tacho__unpack unpack;
	struct tacho__count count;
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, column);
	tacho__pack_u64(&pack, 0);
	tacho__pack_u64(&pack, about);
	tacho__pack_u64(&pack, 1);
	tacho__pack_u64(&pack, bits_of(coverage));
	tacho__unpack_begin(&unpack, packed, (size_t)(pack.at - packed));
	return tacho__values_unpack(&unpack, &count);
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	assert_true(is_read(0, 0x200, 0.5));
	assert_false(is_read(UINT64_C(1) << 32, 0x200, 0.5));
	assert_false(is_read(0, 0x205, 0.5)); /* no such state */
	assert_false(is_read(0, 0x600, 0.5)); /* no such bit */
	assert_false(is_read(0, 0x200, 1.5));
	assert_false(is_read(0, 0x200, -0.5));
	assert_false(is_read(0, 0x200, 0. / 0.));
}

static bool reads_left(uint64_t left, struct tacho__values_head *out_head)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];
	struct tacho__unpack unpack;
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	for (int i = 0; i < 3; i++)
		tacho__pack_u64(&pack, 1);
	tacho__pack_u64(&pack, left);
	tacho__pack_u64(&pack, 0);
	tacho__pack_bytes(&pack, "", 0);
	tacho__pack_u64(&pack, 0);
	return read_head(packed, (uint32_t)(pack.at - packed), &unpack, out_head);
}

/* Older tachos did not tell how many records a row has. */
static void records_of_a_row_are_counted(void **state)
{
	struct tacho__values_head head;

	(void)state;
	assert_true(reads_left(5, &head));
	assert_int_equal(head.left, 5);
	assert_int_equal(head.total, 0);
	assert_true(reads_left(UINT64_C(6) << 32 | 5, &head));
	assert_int_equal(head.total, 6);
	assert_false(reads_left(UINT64_C(5) << 32 | 5, &head));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(row_comes_back),
		cmocka_unit_test(long_row_is_split),
		cmocka_unit_test(empty_row_has_a_record),
		cmocka_unit_test(cut_records_are_refused),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(records_of_a_row_are_counted),
	};

	tacho__clock_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
