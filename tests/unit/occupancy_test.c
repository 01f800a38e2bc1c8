/* SPDX-License-Identifier: MIT */
/* Occupancy from numbers: every expected value is worked out by hand or AMD's own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tacho/tacho.h"

static struct tacho_limits find(const char *arch, uint32_t wave_size, enum tacho_unit_mode mode)
{
	struct tacho_limits limits;

	assert_int_equal(tacho_limits_find(arch, wave_size, mode, &limits), 0);
	return limits;
}

static struct tacho_occupancy get(const struct tacho_limits *limits, const struct tacho_use *use)
{
	struct tacho_occupancy occupancy;

	assert_int_equal(tacho_occupancy_get(limits, use, &occupancy), 0);
	return occupancy;
}

/* Groups of at most 256 work-items, as the devices of these tables had; "+ 2" is for VCC. */
static void test_gcn(void **state)
{
	static const struct {
		const char *arch;
		uint32_t local_kb, group, vector, scalar;
		uint64_t local;
		uint32_t limits[4]; /* groups, vector, scalar, local */
		double percent;
	} vectors[] = {
		{"gfx601", 32, 256, 11, 20, 4096, {40, 40, 40, 32}, 80}, /* AMD's own */
		{"gfx601", 32, 64, 25, 16, 0, {40, 36, 40, 40}, 90},
		{"gfx601", 32, 256, 84, 16, 0, {40, 12, 40, 40}, 30},
		{"gfx803", 64, 256, 128, 32, 0, {40, 8, 40, 40}, 20},
		{"gfx803", 64, 128, 32, 48, 16384, {32, 32, 32, 8}, 20},
		{"gfx803", 64, 192, 40, 102, 0, {39, 24, 27, 39}, 60},
		{"gfx601", 64, 192, 40, 102, 0, {39, 24, 15, 39}, 37.5},
		{"gfx803", 64, 64, 4, 4, 32768, {40, 40, 40, 2}, 5},
		{"gfx900", 64, 256, 256, 102, 0, {40, 4, 28, 40}, 10},
		{"gfx803", 64, 1, 4, 4, 0, {40, 40, 40, 40}, 100},
	};

	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct tacho_limits limits = find(vectors[i].arch, 0, TACHO_UNIT_USUAL);
		const struct tacho_use use = {.vector = vectors[i].vector,
					      .scalar = vectors[i].scalar,
					      .group_size = vectors[i].group,
					      .local_bytes = vectors[i].local};
		struct tacho_occupancy occupancy;

		limits.group_max = 256;
		limits.local_total = limits.local_group_max = vectors[i].local_kb * 1024;
		occupancy = get(&limits, &use);
		assert_int_equal(occupancy.waves_max, 40);
		for (size_t j = 0; j < 4; j++)
			assert_int_equal(occupancy.limits[j], vectors[i].limits[j]);
		assert_true(occupancy.percent == vectors[i].percent);
	}
}

static void check(const char *arch, uint32_t wave, enum tacho_unit_mode mode, uint32_t group,
		  uint32_t vector, uint64_t local, uint32_t waves, uint32_t waves_max)
{
	struct tacho_limits limits = find(arch, wave, mode);
	const struct tacho_use use = {
		.vector = vector, .group_size = group, .local_bytes = local, .all_scalar = 1};
	struct tacho_occupancy occupancy = get(&limits, &use);

	assert_int_equal(occupancy.waves, waves);
	assert_int_equal(occupancy.waves_max, waves_max);
}

/* 512 registers of a SIMD in steps of 8; 8 waves: 512 / 64 = 8, 512 / 72 = 7. */
static void test_unified(void **state)
{
	struct tacho_limits limits = find("gfx90a", 0, TACHO_UNIT_USUAL);

	check("gfx90a", 0, TACHO_UNIT_USUAL, 64, 64, 0, 32, 32);
	check("gfx90a", 0, TACHO_UNIT_USUAL, 64, 65, 0, 28, 32);
	check("gfx942", 0, TACHO_UNIT_USUAL, 256, 512, 0, 4, 32);
	check("gfx942", 0, TACHO_UNIT_USUAL, 256, 513, 0, 0, 32);
	check("gfx942", 0, TACHO_UNIT_USUAL, 256, 8, 65536, 4, 32);
	check("gfx942", 0, TACHO_UNIT_USUAL, 256, 8, 13108, 16, 32); /* 13,312 with its rounding */
	check("gfx950", 0, TACHO_UNIT_USUAL, 256, 8, 81920, 8, 32);
	/* LLVM's test agpr-register-count: 9 and 32 make 44; 40 and 16 make 56 */
	assert_int_equal(tacho_limits_add_registers(&limits, 9, 32), 44);
	assert_int_equal(tacho_limits_add_registers(&limits, 40, 16), 56);
	assert_int_equal(tacho_limits_add_registers(&limits, 1, 0), 1);
	limits = find("gfx908", 0, TACHO_UNIT_USUAL);
	assert_int_equal(tacho_limits_add_registers(&limits, 9, 32), 32);
	check("gfx908", 0, TACHO_UNIT_USUAL, 64, 40, 0, 24, 40);
}

/* LLVM's test occupancy-levels: waves per SIMD for these registers; here times four or two. */
static void test_rdna(void **state)
{
	check("gfx1010", 0, TACHO_UNIT_USUAL, 32, 48, 0, 80, 80);
	check("gfx1010", 0, TACHO_UNIT_SINGLE, 32, 48, 0, 40, 40);
	check("gfx1010", 0, TACHO_UNIT_USUAL, 32, 56, 0, 72, 80);  /* 1024 / 56 = 18 */
	check("gfx1010", 64, TACHO_UNIT_USUAL, 64, 56, 0, 36, 80); /* 512 / 56 = 9 */
	check("gfx1030", 0, TACHO_UNIT_USUAL, 32, 64, 0, 64, 64);
	check("gfx1030", 0, TACHO_UNIT_USUAL, 32, 65, 0, 48, 64);  /* 1024 / 80 = 12 */
	check("gfx1030", 64, TACHO_UNIT_USUAL, 64, 84, 0, 20, 64); /* 512 / 88 = 5 */
	check("gfx1100", 0, TACHO_UNIT_USUAL, 32, 96, 0, 64, 64);
	check("gfx1100", 0, TACHO_UNIT_USUAL, 32, 97, 0, 48, 64); /* 1536 / 120 = 12 */
	check("gfx1102", 0, TACHO_UNIT_USUAL, 32, 97, 0, 36, 64); /* 1024 / 112 = 9 */
	check("gfx1030", 0, TACHO_UNIT_PAIR, 256, 8, 65536, 16, 64);
	check("gfx1030", 0, TACHO_UNIT_SINGLE, 256, 8, 65536, 8, 32);
	check("gfx1030", 0, TACHO_UNIT_PAIR, 64, 8, 0, 64, 64);	    /* 32 barriers of 2 waves */
	check("gfx1201", 0, TACHO_UNIT_USUAL, 1024, 256, 0, 0, 64); /* 5 a SIMD are 20 of 32 */
}

/* 65,536 registers, allocated by warp in 256s, in four parts. */
static void test_nvidia(void **state)
{
	const struct tacho_use barriers = {.vector = 16, .group_size = 32, .barriers = 8};
	struct tacho_limits limits;

	check("sm_90", 0, TACHO_UNIT_USUAL, 256, 32, 0, 64, 64);
	check("sm_90a", 0, TACHO_UNIT_USUAL, 256, 72, 8192, 24, 64); /* 512 / 72 = 7: 28 */
	check("sm_90", 0, TACHO_UNIT_USUAL, 256, 32, 227 * 1024, 8, 64);
	check("sm_90", 0, TACHO_UNIT_USUAL, 256, 32, 227 * 1024 + 1, 0, 64);
	check("sm_86", 0, TACHO_UNIT_USUAL, 32, 32, 0, 16, 48); /* 16 blocks */
	check("SM_75", 0, TACHO_UNIT_USUAL, 1024, 64, 0, 32, 32);
	check("sm_80", 0, TACHO_UNIT_USUAL, 1024, 65, 0, 0, 64); /* 512 / 72 = 7: 28 of 32 */
	limits = find("sm_90", 32, TACHO_UNIT_USUAL);
	assert_int_equal(get(&limits, &barriers).waves, 8); /* 64 barriers, 8 a block */
}

static void test_binding_and_steps(void **state)
{
	struct tacho_limits limits = find("gfx803", 0, TACHO_UNIT_USUAL);
	struct tacho_use use = {.vector = 84, .scalar = 16, .group_size = 256};
	struct tacho_occupancy_step step;

	assert_int_equal(get(&limits, &use).binding, 1 << TACHO_OCCUPANCY_VECTOR);
	assert_int_equal(tacho_occupancy_get_step(&limits, &use, TACHO_OCCUPANCY_VECTOR, &step), 0);
	assert_int_equal(step.use, 64); /* 256 / 64 = 4: 16 waves */
	assert_int_equal(step.limit, 16);
	assert_int_equal(step.waves, 16);
	assert_int_equal(tacho_occupancy_get_step(&limits, &use, TACHO_OCCUPANCY_SCALAR, &step),
			 TACHO_E_NOTFOUND);

	/* 65,536 / 20,000 = 3 groups of 4 waves, as many as 84 registers allow */
	use.local_bytes = 20000;
	assert_int_equal(get(&limits, &use).binding,
			 1 << TACHO_OCCUPANCY_VECTOR | 1 << TACHO_OCCUPANCY_LOCAL);
	assert_int_equal(tacho_occupancy_get_step(&limits, &use, TACHO_OCCUPANCY_LOCAL, &step), 0);
	assert_int_equal(step.use, 16384);
	assert_int_equal(step.limit, 16);
	assert_int_equal(step.waves, 12); /* the registers still say so */

	/* 27 waves of 192 work-items fit, 28 of 64: the group's size alone matters */
	use = (struct tacho_use){.vector = 4, .scalar = 102, .group_size = 192};
	assert_int_equal(get(&limits, &use).waves, 27);
	assert_int_equal(tacho_occupancy_get_step(&limits, &use, TACHO_OCCUPANCY_GROUPS, &step), 0);
	assert_int_equal(step.use, 128);
	assert_int_equal(step.waves, 28);
}

static void test_ranges(void **state)
{
	struct tacho_limits limits = find("gfx90a", 0, TACHO_UNIT_USUAL);
	const struct tacho_use use = {.vector = 1, .group_size = 64, .all_scalar = 1};
	struct tacho_occupancy_range *ranges;
	size_t count;

	assert_int_equal(
		tacho_occupancy_list(&limits, &use, TACHO_OCCUPANCY_VECTOR, &ranges, &count), 0);
	assert_int_equal(count, 8); /* 8 waves of a SIMD to 1 */
	assert_int_equal(ranges[0].first, 0);
	assert_int_equal(ranges[0].last, 64);
	assert_int_equal(ranges[0].waves, 32);
	assert_int_equal(ranges[1].first, 65);
	assert_int_equal(ranges[1].last, 72); /* 512 / 7 in steps of 8 */
	assert_int_equal(ranges[1].waves, 28);
	assert_int_equal(ranges[7].first, 257);
	assert_int_equal(ranges[7].last, 512);
	assert_int_equal(ranges[7].waves, 4);
	free(ranges);
	limits = find("gfx1030", 0, TACHO_UNIT_USUAL);
	assert_int_equal(
		tacho_occupancy_list(&limits, &use, TACHO_OCCUPANCY_SCALAR, &ranges, &count),
		TACHO_E_NOTFOUND);
}

static void test_refused(void **state)
{
	struct tacho_limits limits = find("gfx906:sramecc+:xnack-", 0, TACHO_UNIT_USUAL);
	struct tacho_use use = {0};
	struct tacho_occupancy occupancy;

	assert_string_equal(limits.arch, "gfx906");
	assert_int_equal(tacho_occupancy_get(&limits, &use, &occupancy), TACHO_E_INVAL);
	use.group_size = 1025;
	assert_int_equal(tacho_occupancy_get(&limits, &use, &occupancy), TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->cause, "1024"));
	assert_int_equal(tacho_limits_find("gfx1250", 0, TACHO_UNIT_USUAL, &limits),
			 TACHO_E_NOTFOUND);
	assert_int_equal(tacho_limits_find("", 0, TACHO_UNIT_USUAL, &limits), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_limits_find("sm_", 0, TACHO_UNIT_USUAL, &limits), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_limits_find("sm_90b", 0, TACHO_UNIT_USUAL, &limits),
			 TACHO_E_NOTFOUND);
	assert_int_equal(tacho_limits_find("gfx906", 32, TACHO_UNIT_USUAL, &limits),
			 TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->message, "waves of 32"));
	assert_int_equal(tacho_limits_find("gfx906", 0, TACHO_UNIT_PAIR, &limits),
			 TACHO_E_NOTFOUND);
}

/* Every table is whole: nothing divides by zero, and an empty kernel fills the unit or nearly. */
static void test_tables(void **state)
{
	const char *arch;
	size_t count = 0;

	for (; (arch = tacho_limits_get_arch(count)); count++) {
		struct tacho_limits limits = find(arch, 0, TACHO_UNIT_USUAL);
		const struct tacho_use use = {.group_size = 256, .all_scalar = 1};

		assert_string_equal(limits.arch, arch);
		assert_true(get(&limits, &use).percent == 100);
	}
	assert_true(count > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gcn),
		cmocka_unit_test(test_unified),
		cmocka_unit_test(test_rdna),
		cmocka_unit_test(test_nvidia),
		cmocka_unit_test(test_binding_and_steps),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
