/* SPDX-License-Identifier: MIT */
/* Numbers of one to ten bytes: each bit, each length, each place where one may be cut. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/varint.h"

static size_t length_of(uint64_t value)
{
	size_t length = 1;

	while (value >>= 7)
		length++;
	return length;
}

static void check(uint64_t value)
{
	uint8_t bytes[TACHO__VARINT_MAX];
	size_t size = (size_t)(tacho__varint_put(bytes, value) - bytes);
	uint64_t got = ~value;

	assert_int_equal(size, length_of(value));
	for (size_t cut = 0; cut < size; cut++) {
		const uint8_t *at = bytes;

		assert_false(tacho__varint_get(&at, bytes + cut, &got));
		assert_ptr_equal(at, bytes);
		assert_true(got == ~value);
	}
	for (size_t more = 0; size + more <= sizeof(bytes); more++) {
		const uint8_t *at = bytes;

		assert_true(tacho__varint_get(&at, bytes + size + more, &got));
		assert_ptr_equal(at, bytes + size);
		assert_true(got == value);
	}
}

static void test_values(void **state)
{
	for (int bit = 0; bit < 64; bit++) {
		uint64_t value = UINT64_C(1) << bit;

		check(value - 1);
		check(value);
		check(value + 1);
		check(~value);
		check(value * UINT64_C(0x9e3779b97f4a7c15));
	}
}

static void test_known_bytes(void **state)
{
	static const uint8_t expected[] = {0xe5, 0x8e, 0x26};
	uint8_t bytes[TACHO__VARINT_MAX];

	assert_ptr_equal(tacho__varint_put(bytes, 624485), bytes + 3);
	assert_memory_equal(bytes, expected, 3);
	assert_ptr_equal(tacho__varint_put(bytes, UINT64_MAX), bytes + TACHO__VARINT_MAX);
}

static void test_endless(void **state)
{
	uint8_t bytes[32];
	const uint8_t *at = bytes;
	uint64_t value;

	memset(bytes, 0x80, sizeof(bytes));
	assert_false(tacho__varint_get(&at, bytes + sizeof(bytes), &value));
}

static void test_folded(void **state)
{
	static const int64_t values[] = {0, -1, 1, -2, 2};

	for (uint64_t i = 0; i < 5; i++) {
		assert_int_equal(tacho__varint_fold(values[i]), i);
		assert_int_equal(tacho__varint_unfold(i), values[i]);
	}
	for (int bit = 0; bit < 64; bit++) {
		int64_t value = (int64_t)(UINT64_C(1) << bit);

		assert_int_equal(tacho__varint_unfold(tacho__varint_fold(value)), value);
		assert_int_equal(tacho__varint_unfold(tacho__varint_fold(~value)), ~value);
	}
	assert_true(tacho__varint_fold(INT64_MIN) == UINT64_MAX);
	assert_true(tacho__varint_fold(INT64_MAX) == UINT64_MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_known_bytes),
		cmocka_unit_test(test_endless),
		cmocka_unit_test(test_folded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
