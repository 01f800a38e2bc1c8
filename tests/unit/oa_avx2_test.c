/* SPDX-License-Identifier: MIT */
/* The loops for machines with AVX2 do what those for any machine do, for every format. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "oa/avx2.h"

enum { TIMES = 200, GUARD = 8 };

static uint64_t seed = 1;

static void fill(void *bytes, size_t size)
{
	uint8_t *at = bytes;

	for (size_t i = 0; i < size; i++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		at[i] = (uint8_t)(seed >> 56);
	}
}

static void test_decode(void **state)
{
	const struct tacho_oa_format *format;

	(void)state;
	if (!tacho__oa_has_avx2())
		skip();
	for (size_t i = 0; (format = tacho_oa_format_get(i)); i++) {
		const struct tacho__oa_run *runs = tacho__oa_layout(format)->runs;

		for (int time = 0; time < TIMES; time++) {
			uint64_t plain[TACHO_OA_VALUE_MAX + GUARD];
			uint64_t quick[TACHO_OA_VALUE_MAX + GUARD];
			uint8_t *bytes =
				malloc(format->size_bytes); /* ends where the report does */

			assert_non_null(bytes);
			fill(bytes, format->size_bytes);
			fill(plain, sizeof(plain));
			memcpy(quick, plain, sizeof(plain));
			tacho__oa_decode_runs(runs, bytes, plain);
			tacho__oa_decode_runs_avx2(runs, bytes, quick);
			assert_memory_equal(quick, plain, sizeof(plain));
			free(bytes);
		}
	}
}

static void test_add(void **state)
{
	const struct tacho_oa_format *format;

	(void)state;
	if (!tacho__oa_has_avx2())
		skip();
	for (size_t i = 0; (format = tacho_oa_format_get(i)); i++) {
		const struct tacho__oa_run *runs = tacho__oa_layout(format)->runs;

		for (int time = 0; time < TIMES; time++) {
			uint64_t before[TACHO_OA_VALUE_MAX], after[TACHO_OA_VALUE_MAX];
			uint64_t plain[TACHO_OA_VALUE_MAX + GUARD];
			uint64_t quick[TACHO_OA_VALUE_MAX + GUARD];

			fill(before, sizeof(before));
			fill(after, sizeof(after));
			fill(plain, sizeof(plain));
			memcpy(quick, plain, sizeof(plain));
			tacho__oa_add_runs(runs, before, after, plain);
			tacho__oa_add_runs_avx2(runs, before, after, quick);
			assert_memory_equal(quick, plain, sizeof(plain));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decode),
		cmocka_unit_test(test_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
