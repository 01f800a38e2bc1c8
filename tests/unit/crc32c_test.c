/* SPDX-License-Identifier: MIT */
/* CRC-32C against the examples of RFC 3720 B.4, in both ways to compute it, whole and in parts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"

typedef uint32_t (*crc_fn)(uint32_t crc, const void *bytes, size_t size);

static const crc_fn ways[] = {tacho__crc32c, tacho__crc32c_plain};

enum { WAYS = sizeof(ways) / sizeof(ways[0]), BYTES_MAX = 300 };

static void test_examples(void **state)
{
	static const uint8_t scsi_read[48] = {0x01, 0xc0, 0, 0,	   0,	 0, 0, 0,    0,	   0, 0, 0,
					      0,    0,	  0, 0,	   0x14, 0, 0, 0,    0,	   0, 4, 0,
					      0,    0,	  0, 0x14, 0,	 0, 0, 0x18, 0x28, 0, 0, 0,
					      0,    0,	  0, 0,	   2,	 0, 0, 0,    0,	   0, 0, 0};
	uint8_t zeros[32] = {0}, ones[32], up[32], down[32];

	memset(ones, 0xff, sizeof(ones));
	for (uint8_t i = 0; i < 32; i++) {
		up[i] = i;
		down[i] = (uint8_t)(31 - i);
	}
	for (int i = 0; i < WAYS; i++) {
		assert_int_equal(ways[i](0, zeros, 32), 0x8a9136aa);
		assert_int_equal(ways[i](0, ones, 32), 0x62a8ab43);
		assert_int_equal(ways[i](0, up, 32), 0x46dd794e);
		assert_int_equal(ways[i](0, down, 32), 0x113fdb5c);
		assert_int_equal(ways[i](0, scsi_read, 48), 0xd9963a56);
		assert_int_equal(ways[i](0, "123456789", 9), 0xe3069283);
		assert_int_equal(ways[i](0, "", 0), 0);
		assert_int_equal(ways[i](0x12345678, "", 0), 0x12345678);
	}
}

/* Bit by bit, as the polynomial says it. */
static uint32_t compute_slowly(const uint8_t *bytes, size_t size)
{
	uint32_t crc = ~UINT32_C(0);

	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
	}
	return ~crc;
}

/* Every length at every alignment, and every place to go on from. */
static void test_lengths_and_parts(void **state)
{
	uint8_t bytes[BYTES_MAX];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 167 + 13);
	for (size_t from = 0; from < 9; from++)
		for (size_t size = 0; from + size <= 80; size++) {
			uint32_t expected = compute_slowly(bytes + from, size);

			for (int i = 0; i < WAYS; i++)
				assert_int_equal(ways[i](0, bytes + from, size), expected);
		}
	for (size_t part = 0; part <= sizeof(bytes); part++)
		for (int i = 0; i < WAYS; i++)
			assert_int_equal(ways[i](ways[1 - i](0, bytes, part), bytes + part,
						 sizeof(bytes) - part),
					 compute_slowly(bytes, sizeof(bytes)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_lengths_and_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
