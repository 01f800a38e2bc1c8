/* SPDX-License-Identifier: MIT */
/* The units of the simulated h200: their clocks, what they count, and how many passes that takes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sim_world.h"
#include "tacho/error.h"

/* A value of the first instance. */
struct expected {
	const char *name;
	double value;
};

static void check(const struct world *world, const struct expected *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double value = world_get(world, expected[i].name, 0, 0);

		if (value != expected[i].value)
			fail_msg("%s is %f, not %f", expected[i].name, value, expected[i].value);
	}
}

/* Runs one work, and checks its values. */
static void run_and_check(struct world *world, const struct tacho_sim_work *work,
			  const struct expected *expected, size_t count)
{
	const char *names[32] = {0};

	for (size_t i = 0; i < count; i++)
		names[i] = expected[i].name;
	world_begin(world, names);
	world_run(world, work, 1);
	check(world, expected, count);
	world_end(world);
}

/* 100 us in each unit's own clock: 1600, 1980, 1800 and 3125 MHz. */
static void test_clocks(void **state)
{
	static const struct expected expected[] = {
		{"gpu__cycles_elapsed", 160000},   {"gpu__cycles_active", 160000},
		{"gpc__cycles_elapsed", 198000},   {"gpc__cycles_active", 198000},
		{"sm__cycles_elapsed", 198000},	   {"sm__cycles_active", 198000},
		{"l1tex__cycles_elapsed", 198000}, {"l1tex__cycles_active", 198000},
		{"tex__cycles_elapsed", 198000},   {"tex__cycles_active", 198000},
		{"lts__cycles_elapsed", 180000},   {"lts__cycles_active", 180000},
		{"dram__cycles_elapsed", 312500},  {"dram__cycles_active", 312500},
	};
	struct world world = {.keeps_instances = 1};

	world_open(&world, "sim:h200");
	run_and_check(&world, &kernel, expected, COUNT(expected));
	world_close(&world);
}

/* Every unit says what it is part of, and counts its cycles. */
static void test_tree(void **state)
{
	static const char *const parents[][2] = {{"gpu", ""},	  {"gpc", "gpu"}, {"sm", "gpc"},
						 {"l1tex", "sm"}, {"tex", "sm"},  {"lts", "gpu"},
						 {"dram", "gpu"}};
	const struct tacho_arch *arch;
	const struct tacho_block *block;
	struct world world = {0};
	char name[64];

	world_open(&world, "sim:h200");
	arch = tacho_device_get_arch(world.device);
	for (size_t i = 0; i < COUNT(parents); i++) {
		block = tacho_arch_get_block(arch, i);
		assert_non_null(block);
		assert_string_equal(block->name, parents[i][0]);
		assert_string_equal(block->parent, parents[i][1]);
		assert_true(*block->clock);
		snprintf(name, sizeof(name), "%s__cycles_elapsed", block->name);
		assert_string_equal(block->elapsed, name);
		snprintf(name, sizeof(name), "%s__cycles_active", block->name);
		assert_string_equal(block->active, name);
	}
	assert_null(tacho_arch_get_block(arch, COUNT(parents)));
	world_close(&world);
}

/*
 * The kernel has 2048 warps of 32, 16384 reads, of which 8192 hit L1 and 2048 of the others L2, and
 * 8192 writes, of which all go to memory.
 */
static void test_kernel(void **state)
{
	static const struct expected expected[] = {
		{"gpc__warps_launched", 2048},	  {"tex__input_requests", 24576},
		{"tex__level_quads", 0},	  {"tex__address_samples", 24576},
		{"tex__tag_lookups", 24576},	  {"tex__tag_misses", 8192},
		{"tex__fetch_bytes", 64 * 8192},  {"tex__data_bytes", 1048576 + 524288},
		{"tex__filter_texels", 0},	  {"tex__output_bytes", 1048576},
		{"tex__write_bytes", 524288},	  {"lts__t_requests", 16384},
		{"lts__dram_requests", 14336},	  {"dram__bytes_read", 64 * 6144},
		{"dram__bytes_write", 64 * 8192},
	};
	struct world world = {0};

	world_open(&world, "sim:h200");
	run_and_check(&world, &kernel, expected, COUNT(expected));
	world_close(&world);
}

/*
 * The draw fetches 40000 pixels, 10000 quads, from 2 levels with 8 samples each, and 1024 requests,
 * of which half hit L1. It rasterizes 10001 pixels of 4 samples, 4 bytes to each of 2 targets.
 */
static void test_draw(void **state)
{
	static const struct expected expected[] = {
		{"gpc__primitives", 100},
		{"gpc__samples", 40004},
		{"tex__input_requests", 11024},
		{"tex__level_quads", 20000},
		{"tex__address_samples", 1024 + 80000},
		{"tex__tag_lookups", 21024},
		{"tex__tag_misses", 512},
		{"tex__fetch_bytes", 32768},
		{"tex__data_bytes", 65536 + 640000},
		{"tex__filter_texels", 160000},
		{"tex__output_bytes", 65536 + 160000},
		{"tex__write_bytes", 0},
		{"dram__bytes_read", 64 * 256},
		{"dram__bytes_write", 80008},
	};
	struct world world = {0};

	world_open(&world, "sim:h200");
	run_and_check(&world, &draw, expected, COUNT(expected));
	world_close(&world);
}

/*
 * Work for programs that give none. 64 groups of 2 warps; of 16384 reads half hit L2, the others
 * and 8192 writes are 1 MiB, which takes 219 ns at 4800 bytes in a ns.
 */
static void test_sample(void **state)
{
	static const struct expected of_kernel[] = {{"gpu__time_duration", 219},
						    {"sm__warps_launched", 128},
						    {"dram__bytes_read", 524288}},
				     of_draw[] = {{"gpc__primitives", 100},
						  {"gpc__samples", 10000}};
	struct world world = {0};

	world_open(&world, "sim:h200");
	run_and_check(&world, tacho_sim_get_sample_work(TACHO_SIM_KERNEL), of_kernel,
		      COUNT(of_kernel));
	run_and_check(&world, tacho_sim_get_sample_work(TACHO_SIM_DRAW), of_draw, COUNT(of_draw));
	assert_null(tacho_sim_get_sample_work(2));
	world_close(&world);
}

/*
 * No duration is given: 528 warps with 1000 vector instructions at 4 cycles on 528 SIMDs are 4000
 * cycles, 2021 ns and so 4001 cycles, with 4 warps on each of 132 multiprocessors all the time.
 */
static void test_level(void **state)
{
	static const struct expected expected[] = {{"gpu__time_duration", 2021},
						   {"sm__warps_active", 132 * 4 * 4001},
						   {"achieved_occupancy", 100 * 4 / 64.0}};
	const struct tacho_sim_work work = {
		.size = sizeof(work), .grid = {528 * 32}, .per_wave = {.valu = 1000}};
	struct world world = {0};

	world_open(&world, "sim:h200");
	run_and_check(&world, &work, expected, COUNT(expected));
	world_close(&world);
}

/*
 * One metric that takes three passes: 10 stages and the cycles, 4 counters at a time. Of the draw's
 * stages the one that is the busiest works out 81024 addresses, of one in each of 396000 cycles in
 * 132 instances.
 */
static void test_throughput(void **state)
{
	static const char *const names[] = {"tex__throughput", "tex__sol_pct"};
	struct tacho_plan_summary summary;
	struct world world = {0};

	world_open(&world, "sim:h200");
	for (size_t i = 0; i < COUNT(names); i++) {
		world_begin(&world, NAMES(names[i]));
		tacho_plan_get_summary(world.plan, &summary);
		assert_int_equal(summary.pass_count, 3);
		assert_int_equal(summary.lower_bound, 3);
		assert_int_equal(summary.is_optimal, 1);
		assert_non_null(strstr(summary.binding, "tex: 11 counters, 4 slots"));
		world_run(&world, &draw, 1);
		assert_float_equal(world_get(&world, names[i], 0, 0),
				   100.0 * 81024 / (132.0 * 396000), 1e-9);
		world_end(&world);
	}
	world_close(&world);
}

/* The kernel moves 393216 and 524288 bytes; 12 channels could have moved 128 in 312500 cycles. */
static void test_memory_throughput(void **state)
{
	struct world world = {0};

	world_open(&world, "sim:h200");
	world_begin(&world, NAMES("dram__throughput", "dram__bytes_read.avg.per_cycle_elapsed"));
	world_run(&world, &kernel, 1);
	assert_float_equal(world_get(&world, "dram__throughput", 0, 0),
			   100 * 524288 / (12 * 128 * 312500.0), 1e-9);
	assert_float_equal(world_get(&world, "dram__bytes_read.avg.per_cycle_elapsed", 0, 0),
			   393216 / (12 * 312500.0), 1e-9);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clocks),	   cmocka_unit_test(test_tree),
		cmocka_unit_test(test_kernel),	   cmocka_unit_test(test_draw),
		cmocka_unit_test(test_throughput), cmocka_unit_test(test_memory_throughput),
		cmocka_unit_test(test_sample),	   cmocka_unit_test(test_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
