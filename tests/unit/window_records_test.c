/* SPDX-License-Identifier: MIT */
/* Records of counters that were sampled: what was packed is read again, and nothing else is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/row.h"
#include "record/window_records.h"

static struct tacho_result *make_row(const struct tacho_entry *counters, size_t count,
				     struct tacho__row *out_row)
{
	struct tacho_result *result;

	assert_int_equal(tacho__row_create(counters, NULL, count, out_row, &result), 0);
	return result;
}

/* Numbers of both types with their states; an absent one has no bits. */
static void test_window(void **state)
{
	static const struct tacho_entry counters[] = {
		{.name = "a", .unit = "", .type = TACHO_TYPE_U64},
		{.name = "b", .unit = "", .type = TACHO_TYPE_F64},
		{.name = "c", .unit = "", .type = TACHO_TYPE_U64},
	};
	const struct tacho__window window = {.number = 7,
					     .index = 41,
					     .start_ns = UINT64_C(1) << 62,
					     .end_ns = (UINT64_C(1) << 62) + 5,
					     .uncertainty_ns = 3,
					     .count = 3};
	uint8_t packed[TACHO__SAMPLED_BYTES];
	struct tacho__window_value values[3];
	struct tacho__window got;
	struct tacho__unpack unpack;
	struct tacho__row row;
	struct tacho_result *result = make_row(counters, 3, &row);
	double real;
	uint32_t size;

	(void)state;
	tacho__row_put(&row, 0, (union tacho__number){.u64 = UINT64_MAX});
	tacho__row_put(&row, 1, (union tacho__number){.f64 = -2.5});
	row.states[1] = TACHO_STATE_SCALED | TACHO_MARK_DIV0;
	row.coverage[1] = 0.25;
	row.numbers[2].u64 = 99; /* nobody may see it */
	size = tacho__window_pack(&window, result, 0, packed);
	tacho__unpack_begin(&unpack, packed, size);
	assert_true(tacho__window_unpack(&unpack, &got));
	assert_int_equal(got.number, 7);
	assert_int_equal(got.index, 41);
	assert_int_equal(got.start_ns, window.start_ns);
	assert_int_equal(got.end_ns, window.end_ns);
	assert_int_equal(got.uncertainty_ns, 3);
	assert_int_equal(got.count, 3);
	for (int i = 0; i < 3; i++)
		assert_true(tacho__window_unpack_value(&unpack, &values[i]));
	assert_true(values[0].bits == UINT64_MAX && !values[0].state && values[0].coverage == 1);
	memcpy(&real, &values[1].bits, sizeof(real));
	assert_true(real == -2.5 && values[1].coverage == 0.25);
	assert_int_equal(values[1].state, TACHO_STATE_SCALED | TACHO_MARK_DIV0);
	assert_int_equal(values[2].state & TACHO_STATE_MASK, TACHO_STATE_ABSENT);
	assert_int_equal(values[2].bits, 0);
	assert_false(tacho__window_unpack_value(&unpack, &values[0]));
	tacho_result_destroy(result);
}

static void test_description(void **state)
{
	char long_text[TACHO__SAMPLED_TEXT_MAX + 100];
	const struct tacho__sampled sampled = {.number = 3,
					       .window_ns = 20000000,
					       .is_simulated = true,
					       .column_count = 2,
					       .device = "nvml:X"};
	const struct tacho__sampled_column column = {.number = 3,
						     .column = 1,
						     .type = TACHO_TYPE_F64,
						     .name = long_text,
						     .unit = "watts",
						     .description = "",
						     .semantic = "state"};
	const struct tacho__sampled_end end = {
		.number = 3, .windows = 12, .lost = 4, .cause = "gone", .cure = ""};
	uint8_t packed[TACHO__SAMPLED_BYTES];
	struct tacho__sampled got;
	struct tacho__sampled_column got_column;
	struct tacho__sampled_end got_end;
	struct tacho__sampled_text text;
	struct tacho__unpack unpack;
	struct tacho__pack pack;

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	tacho__unpack_begin(&unpack, packed, tacho__sampled_pack(&sampled, packed));
	assert_true(tacho__sampled_unpack(&unpack, &got));
	assert_true(tacho__sampled_unpack_text(&unpack, &text));
	assert_true(got.number == 3 && got.window_ns == 20000000 && got.is_simulated &&
		    got.column_count == 2 && text.size == 6);
	tacho__unpack_begin(&unpack, packed, tacho__sampled_pack_column(&column, packed));
	assert_true(tacho__sampled_unpack_column(&unpack, &got_column));
	assert_true(got_column.column == 1 && got_column.type == TACHO_TYPE_F64);
	assert_true(tacho__sampled_unpack_text(&unpack, &text));
	assert_int_equal(text.size, TACHO__SAMPLED_TEXT_MAX);
	assert_true(tacho__sampled_unpack_text(&unpack, &text));
	assert_memory_equal(text.text, "watts", 5);
	tacho__unpack_begin(&unpack, packed, tacho__sampled_pack_end(&end, packed));
	assert_true(tacho__sampled_unpack_end(&unpack, &got_end));
	assert_true(got_end.windows == 12 && got_end.lost == 4);
	tacho__pack_begin(&pack, packed);
	for (int i = 0; i < 3; i++) /* a number of 33 bits is none of a sampling */
		tacho__pack_u64(&pack, UINT64_C(1) << 32);
	tacho__unpack_begin(&unpack, packed, (size_t)(pack.at - packed));
	assert_false(tacho__sampled_unpack_end(&unpack, &got_end));
}

/* The numbers of a record, each refused where it cannot be. */
static bool takes_window(uint64_t number, uint64_t index, uint64_t start, uint64_t end,
			 uint64_t count)
{
	const uint64_t numbers[] = {number, index, start, end, 0, count};
	uint8_t packed[128];
	struct tacho__window window;
	struct tacho__unpack unpack;
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		tacho__pack_u64(&pack, numbers[i]);
	tacho__unpack_begin(&unpack, packed, (size_t)(pack.at - packed));
	return tacho__window_unpack(&unpack, &window);
}

static bool takes_value(uint64_t flags, double coverage)
{
	uint8_t packed[64];
	struct tacho__window_value value;
	struct tacho__unpack unpack;
	struct tacho__pack pack;
	uint64_t bits;

	memcpy(&bits, &coverage, sizeof(bits));
	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, flags);
	tacho__pack_u64(&pack, 1);
	tacho__pack_u64(&pack, bits);
	tacho__unpack_begin(&unpack, packed, (size_t)(pack.at - packed));
	return tacho__window_unpack_value(&unpack, &value);
}

static void test_hostile(void **state)
{
	uint8_t packed[64];
	struct tacho__window window;
	struct tacho__unpack unpack;

	(void)state;
	assert_true(takes_window(0, 0, 1, 1, TACHO__SAMPLED_COLUMNS_MAX));
	assert_false(takes_window(UINT64_C(1) << 32, 0, 1, 2, 1));
	assert_false(takes_window(0, UINT64_MAX, 1, 2, 1));
	assert_false(takes_window(0, 0, 2, 1, 1));
	assert_false(takes_window(0, 0, 1, 2, TACHO__SAMPLED_COLUMNS_MAX + 1));
	assert_true(takes_value(1 << 9 | TACHO_STATE_SCALED, 0.5));
	assert_false(takes_value(1 << 9, 1.5));
	assert_false(takes_value(1 << 9, -1));
	assert_false(takes_value(1 << 8, 1));
	assert_false(takes_value(TACHO_STATE_ABSENT + 1, 1));
	for (size_t size = 0; size < 3; size++) {
		memset(packed, 0x88, sizeof(packed));
		tacho__unpack_begin(&unpack, packed, size);
		assert_false(tacho__window_unpack(&unpack, &window));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_description),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
