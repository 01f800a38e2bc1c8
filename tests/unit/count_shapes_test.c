/* SPDX-License-Identifier: MIT */
/* Records of which instances a counter has: what was packed is read again, and nothing else is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "record/count_shapes.h"
#include "record/pool.h"
#include "tacho/error.h"

static int unpack(const uint8_t *packed, size_t size, struct tacho__arena *arena,
		  uint32_t *out_index, struct tacho_column *out_column)
{
	struct tacho__unpack unpack;

	tacho__unpack_begin(&unpack, packed, size);
	return tacho__count_shape_unpack(&unpack, arena, out_index, out_column);
}

static const uint32_t positions[] = {1, 4, 70000};
static const uint8_t present[] = {0xef, 0x03};
static const struct tacho_column whole = {
	.dimension_count = 3,
	.dimensions = {{.name = "DIMENSION_XCC", .extent = 2},
		       {.name = "DIMENSION_WGP", .extent = 3, .positions = positions},
		       {.name = "x", .extent = 2}},
	.instance_count = 12,
	.present = present,
};

static void shape_comes_back(void **state)
{
	uint8_t packed[TACHO__COUNT_SHAPE_BYTES];
	uint32_t size = tacho__count_shape_pack(UINT32_MAX, &whole, packed), index;
	struct tacho__arena arena = {0};
	struct tacho_column column;

	(void)state;
	assert_int_equal(unpack(packed, size, &arena, &index, &column), 0);
	assert_int_equal(index, UINT32_MAX);
	assert_int_equal(column.instance_count, 12);
	assert_true(tacho__count_shape_is_same(&whole, &column));
	assert_string_equal(column.dimensions[1].name, "DIMENSION_WGP");
	assert_int_equal(column.dimensions[1].positions[2], 70000);
	assert_null(column.dimensions[2].positions);
	assert_int_equal(tacho_column_is_present(&column, 4), 0);
	assert_int_equal(tacho_column_is_present(&column, 9), 1);
	tacho__arena_finish(&arena);
}

static void differences_are_seen(void **state)
{
	static const uint8_t others[] = {0xff, 0x03};
	static const uint32_t elsewhere[] = {1, 4, 5};
	struct tacho_column column = whole;

	(void)state;
	assert_true(tacho__count_shape_is_same(&whole, &column));
	column.present = others;
	assert_false(tacho__count_shape_is_same(&whole, &column));
	column.present = NULL;
	assert_false(tacho__count_shape_is_same(&whole, &column));
	column = whole;
	column.dimensions[1].positions = elsewhere;
	assert_false(tacho__count_shape_is_same(&whole, &column));
	column = whole;
	column.dimensions[0].name = "DIMENSION_AID";
	assert_false(tacho__count_shape_is_same(&whole, &column));
	column = whole;
	column.dimensions[0].extent = 3;
	assert_false(tacho__count_shape_is_same(&whole, &column));
}

/* As many instances as fit, and more: a record is whole or is not written. */
static void large_shapes_are_not_cut(void **state)
{
	uint8_t packed[TACHO__COUNT_SHAPE_BYTES], *bits = calloc(1, 16 * 1024);
	struct tacho_column column = {.dimension_count = 1,
				      .dimensions = {{.name = "D", .extent = 8 * 6000}},
				      .instance_count = 8 * 6000,
				      .present = bits};
	struct tacho__arena arena = {0};
	uint32_t size, index;

	(void)state;
	memset(bits, 0x55, 6000);
	size = tacho__count_shape_pack(3, &column, packed);
	assert_true(size > 6000 && size < TACHO__POOL_RECORD_MAX - 64);
	assert_int_equal(unpack(packed, size, &arena, &index, &column), 0);
	assert_int_equal(column.present[5999], 0x55);
	column.dimensions[0].extent = 8 * 8000;
	column.instance_count = 8 * 8000;
	column.present = bits;
	assert_int_equal(tacho__count_shape_pack(3, &column, packed), 0);
	tacho__arena_finish(&arena);
	free(bits);
}

static void cut_records_are_refused(void **state)
{
	uint8_t packed[TACHO__COUNT_SHAPE_BYTES];
	uint32_t size = tacho__count_shape_pack(1, &whole, packed), index = 77;
	struct tacho__arena arena = {0};
	struct tacho_column column;

	(void)state;
	for (uint32_t cut = 0; cut < size; cut++)
		assert_int_equal(unpack(packed, cut, &arena, &index, &column), TACHO_E_PARSE);
	assert_int_equal(index, 77);
	tacho__arena_finish(&arena);
}

/* What a record says, whatever tacho packs. */
struct said {
	uint64_t index, dimensions, extent, positions, first, second, bitmap;
	const char *name;
};

static const struct said good = {
	.dimensions = 1, .extent = 2, .positions = 2, .first = 3, .second = 4, .name = "D"};

static int try(const struct said *said)
{
	uint8_t packed[1024] = {0};
	struct tacho__arena arena = {0};
	struct tacho_column column;
	struct tacho__pack pack;
	uint32_t index;
	int rc;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, said->index);
	tacho__pack_u64(&pack, said->dimensions);
	for (uint64_t i = 0; i < said->dimensions && i < 9; i++) {
		tacho__pack_u64(&pack, strlen(said->name));
		tacho__pack_bytes(&pack, said->name, strlen(said->name));
		tacho__pack_u64(&pack, said->extent);
		tacho__pack_u64(&pack, said->positions);
		for (uint64_t k = 0; k < said->positions && k < 2; k++)
			tacho__pack_u64(&pack, k ? said->second : said->first);
	}
	tacho__pack_u64(&pack, said->bitmap);
	tacho__pack_bytes(&pack, "\xff\xff\xff", 3);
	rc = unpack(packed, (size_t)(pack.at - packed), &arena, &index, &column);
	tacho__arena_finish(&arena);
	return rc;
}

#define TRY(member, value)                \
	({                                \
		struct said said_ = good; \
		said_.member = (value);   \
		try(&said_);              \
	})

static void what_cannot_be_is_refused(void **state)
{
	static char long_name[200];

	(void)state;
	memset(long_name, 'x', sizeof(long_name) - 1);
	assert_int_equal(try(&good), 0);
	assert_int_equal(TRY(dimensions, 8), 0);
	assert_int_equal(TRY(bitmap, 1), 0);
	assert_int_equal(TRY(index, UINT64_C(1) << 32), TACHO_E_PARSE);
	assert_int_equal(TRY(dimensions, 0), TACHO_E_PARSE);
	assert_int_equal(TRY(dimensions, 9), TACHO_E_PARSE);
	assert_int_equal(TRY(dimensions, UINT64_MAX), TACHO_E_PARSE);
	assert_int_equal(TRY(extent, 0), TACHO_E_PARSE);
	assert_int_equal(TRY(extent, 3), TACHO_E_PARSE); /* of which two positions are told */
	assert_int_equal(TRY(positions, UINT64_C(1) << 62), TACHO_E_PARSE);
	assert_int_equal(TRY(second, 3), TACHO_E_PARSE); /* there already */
	assert_int_equal(TRY(second, UINT64_C(1) << 32), TACHO_E_PARSE);
	assert_int_equal(TRY(bitmap, 2), TACHO_E_PARSE);
	assert_int_equal(TRY(bitmap, UINT64_MAX), TACHO_E_PARSE);
	assert_int_equal(TRY(name, ""), TACHO_E_PARSE);
	assert_int_equal(TRY(name, "a b"), TACHO_E_PARSE);
	assert_int_equal(TRY(name, "\033[2J"), TACHO_E_PARSE);
	assert_int_equal(TRY(name, long_name), TACHO_E_PARSE);
}

/* More instances than a row may have, in one dimension or by several. */
static void too_many_are_refused(void **state)
{
	struct said said = {.dimensions = 1, .extent = TACHO__COUNT_VALUES_MAX, .name = "D"};

	(void)state;
	assert_int_equal(try(&said), 0);
	said.extent++;
	assert_int_equal(try(&said), TACHO_E_PARSE);
	said.extent = 1024;
	said.dimensions = 2;
	assert_int_equal(try(&said), 0);
	said.dimensions = 3;
	assert_int_equal(try(&said), TACHO_E_PARSE);
	said.extent = UINT64_C(1) << 32;
	said.dimensions = 8;
	assert_int_equal(try(&said), TACHO_E_PARSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shape_comes_back),
		cmocka_unit_test(differences_are_seen),
		cmocka_unit_test(large_shapes_are_not_cut),
		cmocka_unit_test(cut_records_are_refused),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(too_many_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
