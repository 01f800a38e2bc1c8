/* SPDX-License-Identifier: MIT */
/* Values of simulated devices: what docs/sim.md says, with numbers worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rounds.h"
#include "sim_world.h"
#include "tacho/error.h"

#define NAMES(...)   ((const char *const[]){__VA_ARGS__, NULL})
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const devices[] = {
	"sim:mi100",	   "sim:mi210",	      "sim:mi300x",    "sim:rx480:gl",	"sim:rx480:cl",
	"sim:rx480:hsa",   "sim:rx480:dx11",  "sim:vega64:gl", "sim:vega64:cl", "sim:vega64:hsa",
	"sim:vega64:dx11", "sim:vega64:rocm", "sim:navi31",    "sim:bsw",	"sim:h200",
};

static void test_kernel(void **state)
{
	struct world world = {0};

	world_open(&world, "sim:mi300x");
	world_begin(&world,
		    NAMES("SQ_WAVES", "SQ_INSTS_VALU", "SQ_INSTS_SALU", "SQ_INSTS_VALU_FMA_F32",
			  "SQ_INSTS", "SQ_LDS_BANK_CONFLICT", "GRBM_COUNT", "GRBM_GUI_ACTIVE",
			  "TCC_HIT", "TCC_MISS", "TCP_TOTAL_READ", "TCP_TCC_READ_REQ", "FETCH_SIZE",
			  "WRITE_SIZE", "VALUBusy", "MeanOccupancyPerCU", "TCC_BUBBLE_sum"));
	world_run(&world, &kernel, 1);
	assert_int_equal(world_get(&world, "SQ_WAVES", 0, 0), 1024);
	assert_int_equal(world_get(&world, "SQ_INSTS_VALU", 0, 0), 102400);
	assert_int_equal(world_get(&world, "SQ_INSTS_SALU", 0, 0), 10240);
	assert_int_equal(world_get(&world, "SQ_INSTS_VALU_FMA_F32", 0, 0), 40960);
	/* 100 + 10 + 4 + 2 + 3 + 8 + 5 + 1 = 133 */
	assert_int_equal(world_get(&world, "SQ_INSTS", 0, 0), 136192);
	/* 2 * 8 * 1024 cycles are 80 % of all: 4096 more */
	assert_int_equal(world_get(&world, "SQ_LDS_BANK_CONFLICT", 0, 0), 4096);
	/* 100 us at 2100 MHz, on each of 8 dies */
	assert_int_equal(world_get(&world, "GRBM_GUI_ACTIVE", 0, 0), 8 * 210000);
	assert_int_equal(world_get(&world, "GRBM_COUNT", 0, 0), 8 * 210000);
	/* 16384 reads, half of them to L2, with 8192 writes; a quarter of these 16384 hits */
	assert_int_equal(world_get(&world, "TCP_TOTAL_READ", 0, 0), 4 * 16384);
	assert_int_equal(world_get(&world, "TCP_TCC_READ_REQ", 0, 0), 8192);
	assert_int_equal(world_get(&world, "TCC_HIT", 0, 0), 4096);
	assert_int_equal(world_get(&world, "TCC_MISS", 0, 0), 12288);
	/* 8192 - 2048 reads of 64 bytes from memory, 8192 writes */
	assert_true(world_get(&world, "FETCH_SIZE", 0, 0) == 384);
	assert_true(world_get(&world, "WRITE_SIZE", 0, 0) == 512);
	/* 102400 / 304 / 210000 */
	assert_true(fabs(world_get(&world, "VALUBusy", 0, 0) - 100.0 * 102400 / 304 / 210000) <
		    1e-12);
	assert_true(world_get(&world, "MeanOccupancyPerCU", 0, 0) == 8);
	assert_true(world_get(&world, "TCC_BUBBLE_sum", 0, 0) == 0);
	world_close(&world);
}

/* 37 waves over 8 dies, then 4 engines: dies 0 to 4 have 5, the others 4. */
static void test_instances(void **state)
{
	struct tacho_sim_work work = {.size = sizeof(work), .grid = {37 * 64}};
	struct world world = {.keeps_instances = 1};
	const struct tacho_column *column;
	uint64_t dies[8] = {0}, engines[4] = {0}, present = 0;

	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("SQ_WAVES", "TA_FLAT_READ_WAVEFRONTS"));
	work.per_wave.flat_read = 1;
	world_run(&world, &work, 1);
	column = tacho_result_find_column(world.result, "SQ_WAVES");
	assert_int_equal(column->dimension_count, 3);
	assert_int_equal(column->instance_count, 32);
	for (size_t i = 0; i < 32; i++) {
		/* XCC 8, INSTANCE 1, SHADER_ENGINE 4: the engine runs fastest */
		dies[i / 4] += column->data.u64[i];
		engines[i % 4] += column->data.u64[i];
		/* turn = die + 8 * engine; the first 5 get a second wave */
		assert_int_equal(column->data.u64[i], i / 4 + 8 * (i % 4) < 5 ? 2 : 1);
	}
	assert_int_equal(dies[4], 5);
	assert_int_equal(dies[5], 4);
	assert_int_equal(engines[0], 13);
	assert_int_equal(engines[3], 8);
	/* 304 units of 8 * 11 * 4 positions exist */
	column = tacho_result_find_column(world.result, "TA_FLAT_READ_WAVEFRONTS");
	assert_int_equal(column->instance_count, 352);
	for (size_t i = 0; i < 352; i++)
		present += (uint64_t)tacho_column_is_present(column, i);
	assert_int_equal(present, 304);
	world_close(&world);
}

/* Requests start at the channel of the address: 256 bytes each, 16 channels. */
static void test_channels(void **state)
{
	struct tacho_sim_work work = {
		.size = sizeof(work), .grid = {64}, .bytes_written = 64 * 18, .address = 15 * 256};
	struct world world = {0};
	char names[16][40];
	const char *list[17] = {0};

	world_open(&world, "sim:rx480:cl");
	for (int i = 0; i < 16; i++) {
		snprintf(names[i], sizeof(names[i]), "TCC%d_TCC_PERF_SEL_MISS", i);
		list[i] = names[i];
	}
	world_begin(&world, list);
	world_run(&world, &work, 1);
	/* 18 requests from channel 15 on: 15 and 0 get two */
	for (int i = 0; i < 16; i++)
		assert_int_equal(world_get(&world, names[i], 0, 0), i == 15 || i == 0 ? 2 : 1);
	world_close(&world);
}

/*
 * 12000 ns at 2100 MHz are 25200 cycles; 304 units at 2 waves each are 608. The ramp takes 8
 * cycles: 0, 76, 152 ... 532 rising, 608 ... 76 falling.
 */
static void test_ramp(void **state)
{
	struct tacho_sim_work work = {.size = sizeof(work),
				      .grid = {608 * 64},
				      .duration_ns = 12000,
				      .occupancy = 2,
				      .ramp_cycles = 8};
	struct world world = {.definitions = "tests/data/sim/ramp.yaml"};

	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("LEVEL_NONE", "LEVEL_LOW", "LEVEL_HIGH"));
	world_run(&world, &work, 1);
	assert_int_equal(world_get(&world, "LEVEL_NONE", 0, 0), 608);
	/* rising 2128, level 25184 * 608, falling 2736 */
	assert_int_equal(world_get(&world, "LEVEL_HIGH", 0, 0), 2128 + 25184 * 608 + 2736);
	/* cycles 0 and 4: 0 + 304; 6296 cycles of 608; 25192 and 25196: 608 + 304 */
	assert_int_equal(world_get(&world, "LEVEL_LOW", 0, 0), 304 + 6296 * 608 + 912);
	world_close(&world);
}

static void test_draw(void **state)
{
	static const struct {
		const char *name;
		double value;
	} expected[] = {
		{"VSVerticesIn", 300},
		{"PrimitivesIn", 100},
		{"CulledPrims", 30},
		{"ClippedPrims", 5},
		{"PSPixelsOut", 20002},
		{"VSVALUInstCount", 30},
		{"PSVALUInstCount", 50},
		{"PSSALUInstCount", 4},
		{"HSPatches", 0},
		{"GSPrimsIn", 0},
		{"PreZSamplesPassing", 0},
		{"PostZSamplesPassing", 38980}, /* 40004 - 1024 */
		{"PostZSamplesFailingZ", 1000},
		{"PostZSamplesFailingS", 24},
		{"HiZTilesAccepted", 25},
		{"PreZTilesDetailCulled", 10},
		/* 2501 quads, 2000 after HiZ, 1750 after early Z */
		{"HiZQuadsCulled", 100.0 * 501 / 2501},
		{"PreZQuadsCulled", 100.0 * 250 / 2501},
		{"PostZQuads", 100.0 * 1750 / 2501},
		{"TexTriFilteringPct", 100},
		{"TexVolFilteringPct", 0},
		{"TexAveAnisotropy", 8},
		{"CBMemWritten", 80032}, /* 80008 bytes in requests of 32 */
		{"CBMemRead", 0},
		{"CSThreadGroups", 0},
		{"GPUTime", 0.2},
		{"GPUBusy", 100},
	};
	struct world world = {0};
	const char *names[COUNT(expected) + 1] = {0};

	world_open(&world, "sim:rx480:gl");
	for (size_t i = 0; i < COUNT(expected); i++)
		names[i] = expected[i].name;
	world_begin(&world, names);
	world_run(&world, &draw, 1);
	for (size_t i = 0; i < COUNT(expected); i++)
		if (fabs(world_get(&world, names[i], 0, 0) - expected[i].value) > 1e-9)
			fail_msg("%s is %.12g, not %.12g", names[i],
				 world_get(&world, names[i], 0, 0), expected[i].value);
	world_close(&world);
}

/* With tessellation and geometry shaders vertices go LS, HS, ES, GS, VS. */
static void test_stages(void **state)
{
	struct tacho_sim_work work = draw;
	struct world world = {0};

	work.draw.patches = 100;
	work.draw.domain_vertices = 1600;
	work.draw.gs_primitives = 800;
	work.draw.gs_vertices = 2400;
	work.draw.ds.valu = 11;
	work.draw.gs.valu = 13;
	work.draw.hs.valu = 17;
	world_open(&world, "sim:rx480:gl");
	world_begin(&world, NAMES("VSVerticesIn", "HSPatches", "DSVerticesIn", "GSPrimsIn",
				  "GSVerticesOut", "VSVALUInstCount", "HSVALUInstCount",
				  "DSVALUInstCount", "GSVALUInstCount"));
	world_run(&world, &work, 1);
	assert_int_equal(world_get(&world, "VSVerticesIn", 0, 0), 300);
	assert_int_equal(world_get(&world, "HSPatches", 0, 0), 100);
	assert_int_equal(world_get(&world, "DSVerticesIn", 0, 0), 1600);
	assert_int_equal(world_get(&world, "GSPrimsIn", 0, 0), 800);
	assert_int_equal(world_get(&world, "GSVerticesOut", 0, 0), 2400);
	assert_true(world_get(&world, "VSVALUInstCount", 0, 0) == 30);
	assert_true(world_get(&world, "HSVALUInstCount", 0, 0) == 17);
	assert_true(world_get(&world, "DSVALUInstCount", 0, 0) == 11);
	assert_true(world_get(&world, "GSVALUInstCount", 0, 0) == 13);
	world_close(&world);
}

static void test_oa(void **state)
{
	struct tacho_sim_work work = {.size = sizeof(work),
				      .grid = {16384},
				      .workgroup = {64},
				      .per_wave = {.valu = 100, .fma_f32 = 25, .barrier = 1},
				      .bytes_read = 640,
				      .duration_ns = 100000,
				      .occupancy = 3.5};
	struct world world = {0};

	world_open(&world, "sim:bsw");
	world_begin(&world, NAMES("GpuTime", "GpuCoreClocks", "GpuBusy", "CsThreads", "EuActive",
				  "Fpu0Active", "Fpu1Active", "EuThreadOccupancy", "ShaderBarriers",
				  "ComputeBasic.GtiReadThroughput"));
	work.duration_ns = 1000000;
	world_run(&world, &work, 1);
	/* 1 ms: 12500 ticks, 400000 clocks */
	assert_int_equal(world_get(&world, "GpuTime", 0, 0), 1000000);
	assert_int_equal(world_get(&world, "GpuCoreClocks", 0, 0), 400000);
	assert_true(world_get(&world, "GpuBusy", 0, 0) == 100);
	assert_int_equal(world_get(&world, "CsThreads", 0, 0), 1024);
	/* 1024 * 100 instructions of 4 cycles on 16 EUs: 25600 of 400000 */
	assert_true(world_get(&world, "EuActive", 0, 0) == 6.4);
	assert_true(fabs(world_get(&world, "Fpu0Active", 0, 0) - 4.8) < 1e-12);
	assert_true(fabs(world_get(&world, "Fpu1Active", 0, 0) - 1.6) < 1e-12);
	assert_true(fabs(world_get(&world, "EuThreadOccupancy", 0, 0) - 50) < 1e-3);
	assert_int_equal(world_get(&world, "ShaderBarriers", 0, 0), 1024);
	assert_int_equal(world_get(&world, "ComputeBasic.GtiReadThroughput", 0, 0), 640);
	world_close(&world);
}

/* Without a rule: from the work and the name, never over the cycles that the device was busy. */
static void test_hash_rule(void **state)
{
	const struct tacho_sim_work works[] = {kernel, draw};
	struct world world = {0};
	double values[2][3];

	world_open(&world, "sim:bsw");
	for (size_t i = 0; i < 2; i++) {
		world_begin(&world, NAMES("A14", "A19", "GPU_CLOCK"));
		world_run(&world, &works[i], 1);
		values[i][0] = world_get(&world, "A14", 0, 0);
		values[i][1] = world_get(&world, "A19", 0, 0);
		values[i][2] = world_get(&world, "GPU_CLOCK", 0, 0);
		assert_true(values[i][0] != values[i][1]);
		assert_true(values[i][0] <= values[i][2] && values[i][1] <= values[i][2]);
		world_end(&world);
	}
	assert_true(values[0][0] != values[1][0]);
	world_close(&world);
}

/* A kernel and a draw; every counter has a value but for those that say why not. */
static void check_counters(const char *device)
{
	const struct tacho_sim_work works[] = {kernel, draw};
	struct world world = {.keeps_instances = 1};
	const struct tacho_column *column;
	size_t count, found = 0;

	world_open(&world, device);
	count = world_begin_all(&world, TACHO_ENTRY_COUNTER);
	world_run(&world, works, 2);
	for (size_t i = 0; (column = tacho_result_get_column(world.result, i)); i++) {
		uint8_t value = tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK;

		if (value != TACHO_STATE_OK && !strstr(column->name, "ACCUM_PREV"))
			fail_msg("%s: %s is %s: %s", device, column->name,
				 tacho_state_to_string(value), column->note);
		found++;
	}
	assert_true(count > 0);
	assert_int_equal(found, count);
	world_close(&world);
}

static void test_all_counters(void **state)
{
	for (size_t i = 0; i < COUNT(devices); i++)
		check_counters(devices[i]);
}

/* Metrics in percent of a kernel that fills the device moderately, and of a draw. */
static void check_percent(const char *device, const struct tacho_sim_work *work)
{
	struct world world = {0};
	const struct tacho_column *column;
	const struct tacho_entry *entry;

	world_open(&world, device);
	world_begin_all(&world, TACHO_ENTRY_METRIC);
	world_run(&world, work, 1);
	for (size_t i = 0; (column = tacho_result_get_column(world.result, i)); i++) {
		uint8_t value = tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK;
		double number = tacho_column_get_value(column, 0, 0);

		entry = tacho_arch_find_entry(tacho_device_get_arch(world.device), column->name);
		if (strcmp(column->unit, "percent") != 0)
			continue;
		/* a model of other slices than the metric's */
		if (value == TACHO_STATE_ABSENT && *entry->availability)
			continue;
		if (value != TACHO_STATE_OK)
			fail_msg("%s: %s is %s: %s", device, column->name,
				 tacho_state_to_string(value), column->note);
		if (!(number >= 0 && number <= 100))
			fail_msg("%s: %s is %g percent", device, column->name, number);
	}
	world_close(&world);
}

static void test_percentages(void **state)
{
	struct tacho_sim_work works[] = {kernel, draw};

	works[0].duration_ns = works[1].duration_ns = 0;
	works[0].occupancy = works[1].occupancy = 0;
	/* a sanitizer sees one of both, on one device */
	for (size_t i = 0; i < (rounds_of(0, 1, 1) ? COUNT(devices) : 1); i++)
		for (size_t k = 0; k < rounds_of(1, 2, 2); k++)
			check_percent(devices[i], &works[(i + k) % 2]);
}

/* The same work gives the same, whatever ran before. */
static void test_determinism(void **state)
{
	struct world first = {0}, second = {0};
	const struct tacho_column *column;

	world_open(&first, "sim:mi300x");
	world_begin_all(&first, TACHO_ENTRY_COUNTER);
	world_run(&first, &kernel, 1);
	world_open(&second, "sim:mi300x");
	assert_int_equal(tacho_sim_submit(second.device, &draw, NULL), 0);
	assert_int_equal(tacho_sim_advance(second.device, 12345), 0);
	world_begin_all(&second, TACHO_ENTRY_COUNTER);
	world_run(&second, &kernel, 1);
	for (size_t i = 0; (column = tacho_result_get_column(first.result, i)); i++)
		assert_true(
			tacho_column_get_value(column, 0, 0) ==
			tacho_column_get_value(tacho_result_get_column(second.result, i), 0, 0));
	world_close(&first);
	world_close(&second);
}

static void test_times(void **state)
{
	struct world world = {0};
	uint64_t first, second, begin, end, now;

	world_open(&world, "sim:mi300x");
	assert_int_equal(tacho_sim_submit(world.device, &kernel, &first), 0);
	assert_int_equal(tacho_sim_submit(world.device, &kernel, &second), 0);
	assert_int_equal(first, 1);
	assert_int_equal(second, 2);
	assert_int_equal(tacho_sim_get_times(world.device, second, &begin, &end), 0);
	assert_int_equal(begin, 100000);
	assert_int_equal(end, 200000);
	assert_int_equal(tacho_sim_wait(world.device, &now), 0);
	assert_int_equal(now, 200000);
	assert_int_equal(tacho_sim_get_times(world.device, 3, &begin, &end), TACHO_E_NOTFOUND);
	/* the clock does not run over */
	assert_int_equal(tacho_sim_advance(world.device, UINT64_MAX), TACHO_E_INVAL);
	assert_int_equal(tacho_sim_advance(world.device, (UINT64_C(1) << 53) - 200000), 0);
	assert_int_equal(tacho_sim_advance(world.device, 1), TACHO_E_INVAL);
	assert_int_equal(tacho_sim_submit(world.device, &kernel, NULL), TACHO_E_INVAL);
	world_close(&world);
}

/* Without a fixed duration the slowest of memory and arithmetic decides. */
static void test_duration(void **state)
{
	struct tacho_sim_work work = {
		.size = sizeof(work), .grid = {64}, .bytes_read = 530000 * 64, .bytes_per_ns = 64};
	struct world world = {0};
	uint64_t handle, begin, end;

	world_open(&world, "sim:mi300x");
	assert_int_equal(tacho_sim_submit(world.device, &work, &handle), 0);
	assert_int_equal(tacho_sim_get_times(world.device, handle, &begin, &end), 0);
	assert_int_equal(end - begin, 530000);
	/* 304 waves of 1000 vector instructions at 4 cycles on 1216 SIMDs: 1000 cycles, 476.2 ns */
	work = (struct tacho_sim_work){
		.size = sizeof(work), .grid = {304 * 64}, .per_wave = {.valu = 1000}};
	assert_int_equal(tacho_sim_submit(world.device, &work, &handle), 0);
	assert_int_equal(tacho_sim_get_times(world.device, handle, &begin, &end), 0);
	assert_int_equal(end - begin, 477);
	world_close(&world);
}

static void test_wrong_work(void **state)
{
	static const struct tacho_sim_work wrong[] = {
		{.size = 0},
		{.size = sizeof(kernel), .kind = 7},
		{.size = sizeof(kernel), .l1_hit = 1.5},
		{.size = sizeof(kernel), .l2_hit = -0.5},
		{.size = sizeof(kernel), .lds_conflict = 1},
		{.size = sizeof(kernel), .occupancy = -1},
		{.size = sizeof(kernel), .grid = {UINT64_MAX, UINT64_MAX}},
		{.size = sizeof(kernel), .duration_ns = UINT64_MAX},
		{.size = sizeof(kernel), .kind = TACHO_SIM_DRAW, .draw = {.culled_back = 1}},
	};
	struct world world = {0};
	uint64_t handle = 77;

	world_open(&world, "sim:mi300x");
	for (size_t i = 0; i < COUNT(wrong); i++) {
		assert_int_equal(tacho_sim_submit(world.device, &wrong[i], &handle), TACHO_E_INVAL);
		assert_int_equal(tacho_sim_set_background(world.device, &wrong[i]), TACHO_E_INVAL);
	}
	assert_int_equal(tacho_sim_submit(world.device, NULL, NULL), TACHO_E_INVAL);
	assert_int_equal(handle, 77);
	world_close(&world);
}

static void test_names(void **state)
{
	static const struct {
		const char *backends, *text;
		int code;
	} wrong[] = {
		{"sim:nothing", "mi300x", TACHO_E_NOTFOUND},
		{"sim:rules-rocm", "mi300x", TACHO_E_NOTFOUND},
		{"sim:rx480:vulkan", "dx11", TACHO_E_NOTFOUND},
		{"sim:tests/data/sim/none.yaml", "", TACHO_E_NOTFOUND},
		{"sim:tests/data/sim/ramp.yaml", "docs/sim.md", TACHO_E_PARSE},
	};
	struct tacho_context *context = NULL;
	struct world world = {0};

	for (size_t i = 0; i < COUNT(wrong); i++) {
		const struct tacho_context_options options = {.size = sizeof(options),
							      .backends = wrong[i].backends};

		assert_int_equal(tacho_context_create(&options, &context), wrong[i].code);
		assert_null(context);
		assert_non_null(strstr(tacho_error_last()->cure, wrong[i].text));
	}
	world_open(&world, "sim:mi300x,sim:rx480:cl");
	assert_string_equal(tacho_context_get_device_info(world.context, 0)->name,
			    "mi300x [simulated]");
	assert_string_equal(tacho_context_get_device_info(world.context, 1)->name,
			    "rx480 [simulated]");
	assert_string_equal(tacho_context_get_device_info(world.context, 0)->kind, "gpu");
	assert_int_equal(tacho_context_get_device_info(world.context, 0)->compute_units, 304);
	assert_null(tacho_context_get_device_info(world.context, 2));
	world_close(&world);
}

/* A device of a file: 2 engines, whose waves take turns. */
static void test_file(void **state)
{
	struct tacho_sim_work work = {.size = sizeof(work), .grid = {3 * 64}};
	struct world world = {.keeps_instances = 1};

	world_open(&world, "sim:tests/data/sim/tiny.yaml");
	assert_string_equal(tacho_device_get_info(world.device)->name, "tiny [simulated]");
	world_begin(&world, NAMES("SQ_WAVES", "CU_NUM"));
	world_run(&world, &work, 1);
	assert_int_equal(world_get(&world, "SQ_WAVES", 0, 0), 2);
	assert_int_equal(world_get(&world, "SQ_WAVES", 0, 1), 1);
	assert_true(world_get(&world, "CU_NUM", 0, 0) == 4);
	world_close(&world);
}

static void test_not_simulated(void **state)
{
	const struct tacho_context_options options = {.size = sizeof(options), .backends = "perf"};
	struct tacho_context *context;
	struct tacho_device *device = NULL;
	const struct tacho_device_info *info;
	uint64_t number;

	assert_int_equal(tacho_context_create(&options, &context), 0);
	for (size_t i = 0; !device && (info = tacho_context_get_device_info(context, i)); i++)
		tacho_device_open(context, info, &device);
	if (device) {
		assert_int_equal(tacho_sim_submit(device, &kernel, NULL), TACHO_E_UNSUPPORTED);
		assert_int_equal(tacho_sim_advance(device, 1), TACHO_E_UNSUPPORTED);
		assert_int_equal(tacho_sim_wait(device, &number), TACHO_E_UNSUPPORTED);
		assert_int_equal(tacho_sim_set_fault(device, 0, 0), TACHO_E_UNSUPPORTED);
		assert_int_equal(tacho_sim_set_background(device, NULL), TACHO_E_UNSUPPORTED);
		assert_int_equal(tacho_sim_get_times(device, 1, &number, &number),
				 TACHO_E_UNSUPPORTED);
		tacho_device_close(device);
	}
	tacho_context_destroy(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_channels),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_draw),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_oa),
		cmocka_unit_test(test_hash_rule),
		cmocka_unit_test(test_all_counters),
		cmocka_unit_test(test_percentages),
		cmocka_unit_test(test_determinism),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_wrong_work),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_not_simulated),
	};

	if (chdir(getenv("TACHO_SOURCE_ROOT") ? getenv("TACHO_SOURCE_ROOT") : "."))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
