/* SPDX-License-Identifier: MIT */
/* Compiled programs, as llvm-readelf --notes and ptxas -v describe them; tests/data/occupancy. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/occupancy/msgpack.h"
#include "base/buf.h"
#include "base/fs.h"
#include "tacho/tacho.h"

static const char *get_path(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/tests/data/occupancy/%s", getenv("TACHO_SOURCE_ROOT"),
		 name);
	return path;
}

static struct tacho_compiled *read_file(const char *name)
{
	struct tacho_compiled *compiled = NULL;

	assert_int_equal(tacho_compiled_read(get_path(name), &compiled), 0);
	return compiled;
}

struct expected {
	const char *name, *arch;
	uint32_t vector, accumulation, scalar, wave_size, group_size, group_size_max;
	uint64_t local_bytes;
	enum tacho_unit_mode mode;
};

static void check(const char *file, const struct expected *expected, size_t count)
{
	struct tacho_compiled *compiled = read_file(file);

	for (size_t i = 0; i < count; i++) {
		const struct tacho_compiled_kernel *kernel = tacho_compiled_get_kernel(compiled, i);

		assert_non_null(kernel);
		assert_string_equal(kernel->name, expected[i].name);
		assert_string_equal(kernel->arch, expected[i].arch);
		assert_string_equal(kernel->why, "");
		assert_int_equal(kernel->vector, expected[i].vector);
		assert_int_equal(kernel->accumulation, expected[i].accumulation);
		assert_int_equal(kernel->scalar, expected[i].scalar);
		assert_int_equal(kernel->wave_size, expected[i].wave_size);
		assert_int_equal(kernel->group_size, expected[i].group_size);
		assert_int_equal(kernel->group_size_max, expected[i].group_size_max);
		assert_int_equal(kernel->local_bytes, expected[i].local_bytes);
		assert_int_equal(kernel->mode, expected[i].mode);
	}
	assert_null(tacho_compiled_get_kernel(compiled, count));
	assert_string_equal(tacho_compiled_get_note(compiled), "");
	tacho_compiled_destroy(compiled);
}

#define CHECK(file, ...)                                                       \
	do {                                                                   \
		const struct expected expected[] = {__VA_ARGS__};              \
		check(file, expected, sizeof(expected) / sizeof(expected[0])); \
	} while (0)

static void test_code_objects(void **state)
{
	CHECK("gfx803-v4.o", {"vadd", "gfx803", 5, 0, 9, 64, 0, 256, 0, TACHO_UNIT_USUAL},
	      {"tile", "gfx803", 5, 0, 8, 64, 256, 256, 4096, TACHO_UNIT_USUAL});
	CHECK("gfx900-v2.o", {"vadd", "gfx900", 5, 0, 12, 64, 0, 256, 0, TACHO_UNIT_USUAL},
	      {"tile", "gfx900", 3, 0, 6, 64, 256, 256, 4096, TACHO_UNIT_USUAL});
	CHECK("gfx900-v3.o", {"vadd", "gfx900", 5, 0, 12, 64, 0, 256, 0, TACHO_UNIT_USUAL},
	      {"tile", "gfx900", 3, 0, 6, 64, 256, 256, 4096, TACHO_UNIT_USUAL});
	/* 9 ordinary registers and 32 others: 44 where they share a file, 32 where not */
	CHECK("gfx90a-v4.o", {"both", "gfx90a", 44, 0, 0, 64, 0, 256, 0, TACHO_UNIT_USUAL});
	CHECK("gfx908-v4.o", {"both", "gfx908", 32, 0, 0, 64, 0, 256, 0, TACHO_UNIT_USUAL});
}

static void test_units_and_waves(void **state)
{
	CHECK("gfx1030-v4.o", {"vadd", "gfx1030", 6, 0, 9, 32, 0, 256, 0, TACHO_UNIT_PAIR},
	      {"tile", "gfx1030", 3, 0, 6, 32, 256, 256, 4096, TACHO_UNIT_PAIR});
	CHECK("gfx1030-cu-v4.o", {"vadd", "gfx1030", 6, 0, 9, 64, 0, 256, 0, TACHO_UNIT_SINGLE},
	      {"tile", "gfx1030", 3, 0, 6, 64, 256, 256, 4096, TACHO_UNIT_SINGLE});
	/* not linked, so its descriptor has no address */
	CHECK("gfx1100-v5.o", {"vadd", "gfx1100", 6, 0, 18, 32, 0, 256, 0, TACHO_UNIT_USUAL},
	      {"tile", "gfx1100", 3, 0, 2, 32, 256, 256, 4096, TACHO_UNIT_USUAL});
}

static void test_cubins(void **state)
{
	CHECK("sm_75.cubin", {"tile", "sm_75", 10, 0, 0, 32, 0, 256, 8192, TACHO_UNIT_USUAL});
	/* its section holds 1,024 bytes of the driver, too */
	CHECK("sm_90.cubin", {"tile", "sm_90", 10, 0, 0, 32, 0, 256, 8192, TACHO_UNIT_USUAL});
}

static void test_containers(void **state)
{
	CHECK("two.bundle", {"vadd", "gfx900", 5, 0, 12, 64, 0, 256, 0, TACHO_UNIT_USUAL},
	      {"tile", "gfx900", 3, 0, 6, 64, 256, 256, 4096, TACHO_UNIT_USUAL},
	      {"both", "gfx90a", 44, 0, 0, 64, 0, 256, 0, TACHO_UNIT_USUAL});
	CHECK("lz4.fatbin", {"tile", "sm_80", 10, 0, 0, 32, 0, 256, 8192, TACHO_UNIT_USUAL});
}

static void refuse(const char *file, int code, const char *cause)
{
	struct tacho_compiled *compiled;

	assert_int_equal(tacho_compiled_read(get_path(file), &compiled), code);
	assert_non_null(strstr(tacho_error_last()->cause, cause));
}

static void test_refused(void **state)
{
	refuse("zstd.fatbin", TACHO_E_NOTFOUND, "zstd");
	refuse("ptx.fatbin", TACHO_E_NOTFOUND, "PTX");
	refuse("tile.cu", TACHO_E_UNSUPPORTED, "none of the kinds");
	refuse("missing", TACHO_E_NOTFOUND, "");
}

/* Every beginning of a file, and every file with one byte turned: no crash, no endless loop. */
static void test_damaged(void **state)
{
	static const char *const files[] = {"gfx900-v2.o", "gfx1030-cu-v4.o", "sm_90.cubin",
					    "lz4.fatbin", "two.bundle"};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct tacho__buf bytes = {0};
		struct tacho_compiled *compiled;

		assert_int_equal(tacho__fs_read(get_path(files[i]), 1 << 20, &bytes), 0);
		for (size_t size = 0; size < bytes.size; size += size < 512 ? 1 : 7) {
			char *copy = malloc(size ? size : 1);

			memcpy(copy, bytes.text, size);
			if (!tacho_compiled_parse(copy, size, &compiled))
				tacho_compiled_destroy(compiled);
			free(copy);
		}
		for (size_t at = 0; at < bytes.size; at++) {
			bytes.text[at] = (char)~bytes.text[at];
			if (!tacho_compiled_parse(bytes.text, bytes.size, &compiled))
				tacho_compiled_destroy(compiled);
			bytes.text[at] = (char)~bytes.text[at];
		}
		tacho__buf_finish(&bytes);
	}
}

static void test_msgpack(void **state)
{
	/* {"a": [1, -1, nil], "b": 70000, "c": "xyz", "d": 1.5, "e": ext} */
	static const uint8_t bytes[] = {0x85, 0xa1, 'a',  0x93, 1,    0xff, 0xc0, 0xa1, 'b', 0xce,
					0,    1,    0x11, 0x70, 0xa1, 'c',  0xd9, 3,	'x', 'y',
					'z',  0xa1, 'd',  0xcb, 0x3f, 0xf8, 0,	  0,	0,   0,
					0,    0,    0xa1, 'e',	0xc7, 2,    5,	  0,	0};
	struct tacho__msgpack pack = {bytes, bytes + sizeof(bytes)}, whole = pack;
	const char *text;
	uint64_t number;
	uint32_t count;
	size_t size;

	assert_true(tacho__msgpack_skip(&whole));
	assert_ptr_equal(whole.at, bytes + sizeof(bytes));
	assert_false(tacho__msgpack_array(&pack, &count));
	assert_true(tacho__msgpack_map(&pack, &count));
	assert_int_equal(count, 5);
	assert_true(tacho__msgpack_text(&pack, &text, &size));
	assert_true(tacho__msgpack_array(&pack, &count));
	assert_int_equal(count, 3);
	assert_true(tacho__msgpack_number(&pack, &number));
	assert_int_equal(number, 1);
	assert_false(tacho__msgpack_number(&pack, &number)); /* -1 */
	assert_true(tacho__msgpack_skip(&pack) && tacho__msgpack_skip(&pack));
	assert_true(tacho__msgpack_text(&pack, &text, &size));
	assert_true(tacho__msgpack_number(&pack, &number));
	assert_int_equal(number, 70000);
	assert_true(tacho__msgpack_skip(&pack));
	assert_true(tacho__msgpack_text(&pack, &text, &size));
	assert_int_equal(size, 3);
	assert_memory_equal(text, "xyz", 3);
	for (size_t cut = 0; cut < sizeof(bytes); cut++) {
		struct tacho__msgpack part = {bytes, bytes + cut};

		assert_false(tacho__msgpack_skip(&part));
	}
}

/* An array of 2^32 - 1 arrays of as many: said in few bytes, believed never. */
static void test_msgpack_bomb(void **state)
{
	static const uint8_t bytes[] = {0xdd, 0xff, 0xff, 0xff, 0xff, 0xdd, 0xff, 0xff, 0xff, 0xff};
	struct tacho__msgpack pack = {bytes, bytes + sizeof(bytes)};

	assert_false(tacho__msgpack_skip(&pack));
}

/* Chips that the reader has no number for are called as the metadata calls them. */
static void test_unknown_chip(void **state)
{
	struct tacho__buf bytes = {0};
	struct tacho_compiled *compiled;
	const struct tacho_compiled_kernel *kernel;
	struct tacho_limits limits;
	struct tacho_use use;
	char *target;

	assert_int_equal(tacho__fs_read(get_path("gfx803-v4.o"), 1 << 20, &bytes), 0);
	bytes.text[48] = (char)0x51; /* e_flags */
	target = memmem(bytes.text, bytes.size, "--gfx803", 8);
	assert_non_null(target);
	memcpy(target, "--gfx9-q", 8);
	assert_int_equal(tacho_compiled_parse(bytes.text, bytes.size, &compiled), 0);
	kernel = tacho_compiled_get_kernel(compiled, 1);
	assert_string_equal(kernel->arch, "gfx9-q");
	assert_int_equal(kernel->vector, 5);
	assert_int_equal(tacho_compiled_get_use(kernel, 0, &limits, &use), TACHO_E_NOTFOUND);
	tacho_compiled_destroy(compiled);
	tacho__buf_finish(&bytes);
}

static void test_use(void **state)
{
	struct tacho_compiled *compiled = read_file("gfx803-v4.o");
	const struct tacho_compiled_kernel *vadd = tacho_compiled_get_kernel(compiled, 0);
	const struct tacho_compiled_kernel *tile = tacho_compiled_get_kernel(compiled, 1);
	struct tacho_compiled_kernel other = *tile;
	struct tacho_occupancy occupancy;
	struct tacho_limits limits;
	struct tacho_use use;

	assert_int_equal(tacho_compiled_get_use(vadd, 0, &limits, &use), TACHO_E_INVAL);
	assert_int_equal(tacho_compiled_get_use(vadd, 128, &limits, &use), 0);
	assert_int_equal(use.group_size, 128);
	assert_int_equal(tacho_compiled_get_use(tile, 0, &limits, &use), 0);
	assert_int_equal(use.group_size, 256);
	assert_int_equal(use.scalar, 8);
	assert_int_equal(use.all_scalar, 1);
	assert_int_equal(tacho_occupancy_get(&limits, &use, &occupancy), 0);
	assert_int_equal(occupancy.waves, 40);
	other.arch = "gfx1250";
	assert_int_equal(tacho_compiled_get_use(&other, 0, &limits, &use), TACHO_E_NOTFOUND);
	other = *tile;
	other.has_scalar = 0;
	assert_int_equal(tacho_compiled_get_use(&other, 0, &limits, &use), TACHO_E_UNSUPPORTED);
	other.why = "because";
	assert_int_equal(tacho_compiled_get_use(&other, 0, &limits, &use), TACHO_E_UNSUPPORTED);
	assert_string_equal(tacho_error_last()->cause, "because");
	tacho_compiled_destroy(compiled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_objects), cmocka_unit_test(test_units_and_waves),
		cmocka_unit_test(test_cubins),	     cmocka_unit_test(test_containers),
		cmocka_unit_test(test_refused),	     cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_msgpack),	     cmocka_unit_test(test_msgpack_bomb),
		cmocka_unit_test(test_unknown_chip), cmocka_unit_test(test_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
