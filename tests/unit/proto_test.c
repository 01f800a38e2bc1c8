/* SPDX-License-Identifier: MIT */
/* Messages in Protocol Buffers' encoding, against bytes that were worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/proto.h"
#include "base/proto_read.h"
#include "tacho/tacho.h"

#define CHECK(proto, text)                                                \
	do {                                                              \
		assert_int_equal((proto)->rc, 0);                         \
		assert_int_equal((proto)->size, sizeof(text) - 1);        \
		assert_memory_equal((proto)->bytes, text, (proto)->size); \
		tacho__proto_clear(proto);                                \
	} while (0)

static void test_numbers(void **state)
{
	struct tacho__proto proto = {0};

	tacho__proto_add_unsigned(&proto, 1, 150);
	CHECK(&proto, "\x08\x96\x01");
	tacho__proto_add_unsigned(&proto, 15, 0);
	CHECK(&proto, "\x78\x00");
	tacho__proto_add_unsigned(&proto, 16, 127); /* the first number of two bytes */
	CHECK(&proto, "\x80\x01\x7f");
	tacho__proto_add_unsigned(&proto, 1, UINT64_MAX);
	CHECK(&proto, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	tacho__proto_add_signed(&proto, 4, -2);
	CHECK(&proto, "\x20\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	tacho__proto_add_fixed64(&proto, 47, UINT64_C(0x0102030405060708));
	CHECK(&proto, "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01");
	tacho__proto_add_double(&proto, 5, -1.5); /* 0xBFF8000000000000 */
	CHECK(&proto, "\x29\x00\x00\x00\x00\x00\x00\xf8\xbf");
	tacho__proto_finish(&proto);
}

static void test_texts(void **state)
{
	struct tacho__proto proto = {0};

	tacho__proto_add_string(&proto, 2, "testing");
	CHECK(&proto, "\x12\x07testing");
	tacho__proto_add_string(&proto, 2, "");
	CHECK(&proto, "\x12\x00");
	tacho__proto_add_string(&proto, 2, "\xc3\xa9");
	CHECK(&proto, "\x12\x02\xc3\xa9");
	tacho__proto_add_string(&proto, 2, "a\xff\xc3"); /* none of both is a character */
	CHECK(&proto, "\x12\x09"
		      "a\\xff\\xc3");
	tacho__proto_add_bytes(&proto, 3, "\0\xff", 2);
	CHECK(&proto, "\x1a\x02\x00\xff");
	tacho__proto_add_bytes(&proto, 3, NULL, 0);
	CHECK(&proto, "\x1a\x00");
	tacho__proto_finish(&proto);
}

static void test_nesting(void **state)
{
	struct tacho__proto proto = {0};

	tacho__proto_begin(&proto, 3);
	tacho__proto_add_unsigned(&proto, 1, 150);
	tacho__proto_begin(&proto, 2);
	tacho__proto_end(&proto);
	tacho__proto_end(&proto);
	tacho__proto_add_unsigned(&proto, 1, 1);
	CHECK(&proto, "\x1a\x05\x08\x96\x01\x12\x00\x08\x01");
	tacho__proto_finish(&proto);
}

/* Lengths of one, two and three bytes, one in the other, all in place afterwards. */
static void test_long(void **state)
{
	static const size_t sizes[] = {127, 128, 16383, 16384, 100000};
	struct tacho__proto proto = {0};
	char *text = malloc(100001);

	memset(text, 'x', 100001);
	for (size_t i = 0; i < 5; i++) {
		size_t size = sizes[i], inner, outer;
		size_t width = size < 128 ? 1 : size < 16384 ? 2 : 3, at = 0;

		text[size] = '\0';
		tacho__proto_begin(&proto, 1);
		tacho__proto_begin(&proto, 2);
		tacho__proto_add_string(&proto, 3, text);
		tacho__proto_end(&proto);
		tacho__proto_add_unsigned(&proto, 4, 7);
		tacho__proto_end(&proto);
		text[size] = 'x';

		inner = 1 + width + size;
		outer = 1 + (inner < 128 ? 1 : inner < 16384 ? 2 : 3) + inner + 2;
		assert_int_equal(proto.bytes[at++], 1 << 3 | 2);
		for (size_t rest = outer; rest; rest >>= 7)
			assert_int_equal(proto.bytes[at++], (rest & 127) | (rest > 127 ? 128 : 0));
		assert_int_equal(proto.size, at + outer);
		assert_int_equal(proto.bytes[at++], 2 << 3 | 2);
		for (size_t rest = inner; rest; rest >>= 7)
			assert_int_equal(proto.bytes[at++], (rest & 127) | (rest > 127 ? 128 : 0));
		assert_int_equal(proto.bytes[at], 3 << 3 | 2);
		assert_memory_equal(proto.bytes + at + 1 + width, text, size);
		assert_memory_equal(proto.bytes + proto.size - 2, "\x20\x07", 2);
		tacho__proto_clear(&proto);
	}
	free(text);
	tacho__proto_finish(&proto);
}

/* What was allocated once serves the next message. */
static void test_memory(void **state)
{
	struct tacho__proto proto = {0};
	const uint8_t *bytes;

	for (int i = 0; i < 1000; i++)
		tacho__proto_add_unsigned(&proto, 1, 150);
	bytes = proto.bytes;
	tacho__proto_clear(&proto);
	for (int i = 0; i < 1000; i++)
		tacho__proto_add_unsigned(&proto, 1, 150);
	assert_ptr_equal(proto.bytes, bytes);
	assert_int_equal(proto.size, 3000);
	tacho__proto_finish(&proto);
	assert_null(proto.bytes);
}

static void test_limits(void **state)
{
	struct tacho__proto proto = {0};
	size_t before;

	for (int i = 0; i < TACHO__PROTO_DEPTH_MAX; i++)
		tacho__proto_begin(&proto, 1);
	assert_int_equal(proto.rc, 0);
	before = proto.size;
	tacho__proto_begin(&proto, 1);
	assert_int_equal(proto.rc, TACHO_E_INVAL);
	tacho__proto_add_unsigned(&proto, 1, 1);
	tacho__proto_end(&proto);
	assert_int_equal(proto.size, before);
	tacho__proto_finish(&proto);

	tacho__proto_add_bytes(&proto, 1, "", ((size_t)1 << 28) + 1);
	assert_int_equal(proto.rc, TACHO_E_INVAL);
	assert_int_equal(proto.size, 0);
	tacho__proto_finish(&proto);

	tacho__proto_end(&proto); /* of nothing */
	assert_int_equal(proto.size, 0);
}

/* ---- reading ---- */

#define READER(text)                                                                \
	{                                                                           \
		(const uint8_t *)(text), (const uint8_t *)(text) + sizeof(text) - 1 \
	}

static void test_reading(void **state)
{
	struct tacho__proto_reader inside,
		reader = READER("\x08\x96\x01" /* 1: 150 */
				"\x12\x05\x0a\x03"
				"abc" /* 2: a message with 1: "abc" */
				"\x29\x00\x00\x00\x00\x00\x00\xf8\xbf" /* 5: -1.5 */
				"\x85\x01\x00\x00\x20\x41");	       /* 16: 10 */
	struct tacho__proto_field field;
	double real;

	assert_int_equal(tacho__proto_next(&reader, &field), 1);
	assert_int_equal(field.number, 1);
	assert_int_equal(field.value, 150);
	assert_false(tacho__proto_get_real(&field, &real));
	assert_int_equal(tacho__proto_next(&reader, &field), 1);
	inside = tacho__proto_open(&field);
	assert_int_equal(tacho__proto_next(&inside, &field), 1);
	assert_int_equal(field.size, 3);
	assert_memory_equal(field.bytes, "abc", 3);
	assert_int_equal(tacho__proto_next(&inside, &field), 0);
	assert_int_equal(tacho__proto_next(&reader, &field), 1);
	assert_true(tacho__proto_get_real(&field, &real) && real == -1.5);
	assert_int_equal(tacho__proto_next(&reader, &field), 1);
	assert_int_equal(field.number, 16);
	assert_true(tacho__proto_get_real(&field, &real) && real == 10);
	assert_int_equal(tacho__proto_next(&reader, &field), 0);
	inside = tacho__proto_open(&(struct tacho__proto_field){.number = 1}); /* without bytes */
	assert_null(inside.at);
	assert_int_equal(tacho__proto_next(&inside, &field), 0);
}

static void test_damage(void **state)
{
	struct tacho__proto_reader damaged[] = {
		READER("\x08"),	    /* a number that is not there */
		READER("\x08\x80"), /* or ends early */
		READER("\x12\x04"
		       "abc"), /* bytes behind the end */
		READER("\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
		READER("\x29\x00\x00"),
		READER("\x2d\x00"),
		READER("\x0b"),			    /* a group */
		READER("\x00\x01"),		    /* field 0 */
		READER("\x88\x80\x80\x80\x10\x01"), /* field 2^29 */
	};
	struct tacho__proto_field field;

	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		assert_int_equal(tacho__proto_next(&damaged[i], &field), -1);
		assert_int_equal(tacho__proto_next(&damaged[i], &field), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_texts),
		cmocka_unit_test(test_nesting), cmocka_unit_test(test_long),
		cmocka_unit_test(test_memory),	cmocka_unit_test(test_limits),
		cmocka_unit_test(test_reading), cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
