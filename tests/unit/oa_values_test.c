/* SPDX-License-Identifier: MIT */
/* Intel OA metrics from one set of raw values, worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "catalog/arch.h"
#include "model/result.h"
#include "tacho/formula.h"

struct raw {
	const char *name;
	uint64_t value;
};

/*
 * What was counted on 16 EUs in 10 ms at 400 MHz. A7's 15 extra counts are lost in the division by
 * the number of EUs, as in Intel's own evaluation.
 */
static const struct raw deltas[] = {
	{"GPU_TIME", 125000}, /* of 12.5 MHz */
	{"GPU_CLOCK", 4000000},
	{"A0", 3000000},
	{"A1", 101},
	{"A2", 102},
	{"A3", 103},
	{"A4", 104},
	{"A5", 105},
	{"A6", 106},
	{"A7", 32000015},
	{"A8", 16000000},
	{"A9", 3200000},
	{"A10", 6400000},
	{"A11", 9600000},
	{"A12", 1280000},
	{"A13", 7000000},
	{"A14", 0},
	{"A15", 1920000},
	{"A16", 2560000},
	{"A17", 3840000},
	{"A18", 4480000},
	{"A21", 1000},
	{"A22", 1100},
	{"A23", 1200},
	{"A24", 1300},
	{"A25", 1400},
	{"A26", 1500},
	{"A27", 1600},
	{"A28", 1700},
	{"A29", 1800},
	{"A30", 1900},
	{"A31", 2000},
	{"A32", 2100},
	{"A34", 2200},
	{"A35", 2300},
	{"B0", 400000},
	{"B1", 800000},
	{"B2", 1200000},
	{"B3", 1600000},
	{"B4", 2400},
	{"B5", 2500},
	{"B6", 2600},
	{"B7", 2700},
	{"C0", 3000},
	{"C1", 3100},
	{"C2", 3200},
	{"C3", 3300},
	{"C4", 3400},
	{"C5", 3500},
	{"C6", 3600},
	{"C7", 3700},
};

struct expected {
	const char *name; /* of the entry */
	double value;
};

static const struct expected both_sets[] = {
	{"GpuTime", 10000000},			    /* 125000 * 80 ns */
	{"GpuCoreClocks", 4000000},		    /* GPU_CLOCK */
	{"AvgGpuCoreFrequency", 4e8},		    /* 4e6 * 1e9 / 1e7 */
	{"GpuBusy", 75},			    /* 3e6 of 4e6 */
	{"VsThreads", 101},			    /* A1 */
	{"HsThreads", 102},			    /* A2 */
	{"DsThreads", 103},			    /* A3 */
	{"CsThreads", 104},			    /* A4 */
	{"GsThreads", 105},			    /* A5 */
	{"PsThreads", 106},			    /* A6 */
	{"EuActive", 50},			    /* 32000015 / 16 = 2000000 of 4e6 */
	{"EuStall", 25},			    /* 16e6 / 16 = 1e6 of 4e6 */
	{"EuFpuBothActive", 5},			    /* 3.2e6 / 16 = 2e5 of 4e6 */
	{"RasterizedPixels", 4000},		    /* 1000 * 4 */
	{"HiDepthTestFails", 4400},		    /* 1100 * 4 */
	{"EarlyDepthTestFails", 4800},		    /* 1200 * 4 */
	{"SamplesKilledInPs", 5200},		    /* 1300 * 4 */
	{"PixelsFailingPostPsTests", 5600},	    /* 1400 * 4 */
	{"SamplesWritten", 6000},		    /* 1500 * 4 */
	{"SamplesBlended", 6400},		    /* 1600 * 4 */
	{"SamplerTexels", 6800},		    /* 1700 * 4 */
	{"SamplerTexelMisses", 7200},		    /* 1800 * 4 */
	{"SlmBytesRead", 121600},		    /* 1900 * 64 */
	{"SlmBytesWritten", 128000},		    /* 2000 * 64 */
	{"ShaderMemoryAccesses", 2100},		    /* A32 */
	{"ShaderAtomics", 2200},		    /* A34 */
	{"ShaderBarriers", 2300},		    /* A35 */
	{"RenderBasic.L3ShaderThroughput", 384000}, /* (1900 + 2000 + 2100) * 64 */
};

static const struct expected render_basic[] = {
	{"VsFpu0Active", 10},			    /* 6.4e6 / 16 = 4e5 of 4e6 */
	{"VsFpu1Active", 15},			    /* 9.6e6 / 16 = 6e5 */
	{"VsSendActive", 2},			    /* 1.28e6 / 16 = 8e4 */
	{"PsFpu0Active", 3},			    /* 1.92e6 / 16 = 1.2e5 */
	{"PsFpu1Active", 4},			    /* 2.56e6 / 16 = 1.6e5 */
	{"PsSendActive", 6},			    /* 3.84e6 / 16 = 2.4e5 */
	{"PsEuBothFpuActive", 7},		    /* 4.48e6 / 16 = 2.8e5 */
	{"Sampler0Busy", 10},			    /* 4e5 of 4e6 */
	{"Sampler1Busy", 20},			    /* 8e5 */
	{"SamplersBusy", 15},			    /* (4e5 + 8e5) / 4e6 / 2 * 100 */
	{"Sampler0Bottleneck", 30},		    /* 1.2e6 */
	{"Sampler1Bottleneck", 40},		    /* 1.6e6 */
	{"SamplerBottleneck", 40},		    /* the larger */
	{"L3Misses", 3400},			    /* C4 */
	{"L3SamplerThroughput", 115200},	    /* 1800 * 64 */
	{"GtiVfThroughput", 339200},		    /* (2600 + 2700) * 64 */
	{"GtiDepthThroughput", 390400},		    /* (3000 + 3100) * 64 */
	{"GtiRccThroughput", 416000},		    /* (3200 + 3300) * 64 */
	{"GtiL3Throughput", 217600},		    /* 3400 * 64 */
	{"GtiHdcLookupsThroughput", 224000},	    /* 3500 * 64 */
	{"RenderBasic.GtiReadThroughput", 230400},  /* 3600 * 64 */
	{"RenderBasic.GtiWriteThroughput", 236800}, /* 3700 * 64 */
};

static const struct expected compute_basic[] = {
	{"Fpu0Active", 10}, /* as VsFpu0Active: the set routes another event there */
	{"Fpu1Active", 15},
	{"EuSendActive", 2},
	{"EuAvgIpcRate", 1.25},			     /* 3.2e6 / (6.4e6 + 9.6e6 - 3.2e6) + 1 */
	{"EuThreadOccupancy", 12.5},		     /* 7e6 * 8 / 16 / 7 = 5e5 of 4e6 */
	{"TypedBytesRead", 76800000},		     /* (4e5 + 8e5) * 64 */
	{"TypedBytesWritten", 179200000},	     /* (1.2e6 + 1.6e6) * 64 */
	{"UntypedBytesRead", 313600},		     /* (2400 + 2500) * 64 */
	{"UntypedBytesWritten", 339200},	     /* (2600 + 2700) * 64 * 1 slice */
	{"ComputeBasic.GtiReadThroughput", 192000},  /* 3000 * 64 */
	{"ComputeBasic.GtiWriteThroughput", 198400}, /* 3100 * 64 */
	{"GtiRingThroughput", 409600},		     /* 3200 * 128 */
	{"GtiRoStall", 0.0825},			     /* 3300 of 4e6 */
	{"GtiRwStall", 0.085},			     /* 3400 of 4e6 */
};

static struct tacho_catalog *catalog;
static const struct tacho_arch *chv;
static const struct tacho_model *bsw;

static int setup(void **state)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "chv", .api = "oa", .no_environment = 1};

	if (tacho_catalog_open(&options, &catalog) ||
	    tacho_catalog_find_arch(catalog, "chv", "oa", &chv))
		return -1;
	bsw = tacho_arch_find_model(chv, "bsw");
	return bsw ? 0 : -1;
}

static int teardown(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

/* One row of raw values; `change` wins over `deltas`. */
static struct tacho_result *make_values(const struct raw *change, size_t change_count)
{
	struct tacho_result *values;
	void *data;

	assert_int_equal(tacho__result_create(1, &values), 0);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(deltas); i++) {
		const struct tacho_column column = {.name = deltas[i].name, .type = TACHO_TYPE_U64};

		assert_int_equal(tacho__result_add_column(values, &column, &data), 0);
		*(uint64_t *)data = deltas[i].value;
		for (size_t j = 0; j < change_count; j++)
			if (!strcmp(change[j].name, deltas[i].name))
				*(uint64_t *)data = change[j].value;
	}
	return values;
}

/* One metric from the changed values. Destroy the result. */
static struct tacho_result *derive(const struct tacho_arch *arch, const struct tacho_model *model,
				   const char *name, const struct raw *change, size_t change_count)
{
	const struct tacho_formula formula = {.name = name};
	const struct tacho_derive_options options = {
		.size = sizeof(options), .arch = arch, .model = model};
	struct tacho_result *values = make_values(change, change_count), *result;
	struct tacho_formula_problem problem = {0};

	if (tacho_result_derive(values, &formula, 1, &options, &result, &problem))
		fail_msg("%s: %s", name, problem.message);
	tacho_result_destroy(values);
	return result;
}

static const struct expected *find(const struct expected *table, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

/* Every counter of the set is in one of the tables, and every number is right. */
static void check_set(const char *name, const struct expected *own, size_t own_count)
{
	const struct tacho_set *set = tacho_arch_find_set(chv, name);
	struct tacho_result *values = make_values(NULL, 0), *result;
	const struct tacho_derive_options options = {
		.size = sizeof(options), .arch = chv, .model = bsw};
	struct tacho_formula formulas[64] = {0};

	assert_non_null(set);
	assert_int_equal(set->entry_count, own_count + TACHO__ARRAY_SIZE(both_sets));
	for (size_t i = 0; i < set->entry_count; i++)
		formulas[i].name = set->entries[i]->name;
	assert_int_equal(
		tacho_result_derive(values, formulas, set->entry_count, &options, &result, NULL),
		0);
	for (size_t i = 0; i < set->entry_count; i++) {
		const struct expected *expected = find(own, own_count, formulas[i].name);
		const struct tacho_column *column =
			tacho_result_find_column(result, formulas[i].name);
		double value;

		if (!expected)
			expected = find(both_sets, TACHO__ARRAY_SIZE(both_sets), formulas[i].name);
		if (!expected || !column)
			fail_msg("%s of %s is not in the table", formulas[i].name, name);
		value = tacho_column_get_value(column, 0, 0);
		if (fabs(value - expected->value) > 1e-12 * expected->value)
			fail_msg("%s is %.17g, not %.17g", expected->name, value, expected->value);
		assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_OK);
		assert_int_equal(column->type, set->entries[i]->type);
		assert_string_equal(column->unit, set->entries[i]->unit);
	}
	tacho_result_destroy(values);
	tacho_result_destroy(result);
}

static void test_render_basic(void **state)
{
	check_set("RenderBasic", render_basic, TACHO__ARRAY_SIZE(render_basic));
}

static void test_compute_basic(void **state)
{
	check_set("ComputeBasic", compute_basic, TACHO__ARRAY_SIZE(compute_basic));
}

static void expect_u64(const char *name, const struct raw *change, size_t count, uint64_t expected)
{
	struct tacho_result *result = derive(chv, bsw, name, change, count);
	const struct tacho_column *column = tacho_result_get_column(result, 0);

	assert_int_equal(column->type, TACHO_TYPE_U64);
	assert_true(column->data.u64[0] == expected);
	tacho_result_destroy(result);
}

/* 2^64 is 18446744073709551616, which is not a multiple of 1e9. */
static void test_gpu_time_overflows_after_24_minutes(void **state)
{
	static const struct raw last[] = {{"GPU_TIME", 18446744073}};
	static const struct raw over[] = {{"GPU_TIME", 18446744074}};

	/* 18446744073e9 / 12.5e6, fraction .84 dropped by hand: 18446744073 * 80 */
	expect_u64("GpuTime", last, 1, UINT64_C(1475739525840));
	/* 18446744074e9 - 2^64 = 290448384; / 12.5e6 = 23.2 */
	expect_u64("GpuTime", over, 1, 23);
}

static void test_whole_numbers_stay_exact(void **state)
{
	/* 2^60 + 1 has no f64; times 4 */
	static const struct raw large[] = {{"A28", (UINT64_C(1) << 60) + 1}};

	expect_u64("SamplerTexels", large, 1, (UINT64_C(1) << 62) + 4);
}

static void test_division_by_no_clocks_is_0_and_marked(void **state)
{
	static const struct raw none[] = {{"GPU_CLOCK", 0}};
	struct tacho_result *result = derive(chv, bsw, "GpuBusy", none, 1);
	const struct tacho_column *column = tacho_result_get_column(result, 0);

	assert_int_equal(column->type, TACHO_TYPE_F64);
	assert_true(tacho_column_get_value(column, 0, 0) == 0);
	assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_OK | TACHO_MARK_DIV0);
	tacho_result_destroy(result);
}

static void test_occupancy_drops_fractions_early(void **state)
{
	/* 27 * 8 = 216, / 16 = 13 (not 13.5), / 7 = 1 (not 1.9), * 100 / 4e6 */
	static const struct raw few[] = {{"A13", 27}};
	struct tacho_result *result = derive(chv, bsw, "EuThreadOccupancy", few, 1);

	assert_true(tacho_column_get_value(tacho_result_get_column(result, 0), 0, 0) ==
		    100.0 / 4e6);
	tacho_result_destroy(result);
}

static void test_what_the_device_lacks_is_absent(void **state)
{
	static const struct raw stepped_back[] = {{"C4", 4000}};
	/* the mask of 16 EUs has no third subslice */
	struct tacho_result *result =
		derive(chv, bsw, "NonSamplerShader02AccessStalledOnL3", NULL, 0);

	assert_int_equal(tacho_column_get_state(tacho_result_get_column(result, 0), 0, 0),
			 TACHO_STATE_ABSENT);
	tacho_result_destroy(result);
	/* (C5 - C4) of 4e6 clocks */
	result = derive(chv, bsw, "NonSamplerShader01AccessStalledOnL3", NULL, 0);
	assert_true(tacho_column_get_value(tacho_result_get_column(result, 0), 0, 0) ==
		    100.0 * 100 / 4e6);
	tacho_result_destroy(result);
	/* C4 above C5: nobody knows the share, which is not 4.6e14 percent */
	result = derive(chv, bsw, "NonSamplerShader01AccessStalledOnL3", stepped_back, 1);
	assert_int_equal(tacho_column_get_state(tacho_result_get_column(result, 0), 0, 0),
			 TACHO_STATE_ABSENT | TACHO_MARK_BELOW0);
	assert_non_null(strstr(tacho_column_get_note(tacho_result_get_column(result, 0), 0, 0),
			       "fell below 0"));
	tacho_result_destroy(result);
}

/* The four of Elkhart Lake that showed 7.4e11 percent, of 2.5e7 clocks. */
static void test_four_of_ehl(void **state)
{
	static const struct {
		const char *name, *more, *less;
	} metrics[] = {
		{"NonSamplerShader00AccessStalledOnL3", "C0", "B7"},
		{"NonSamplerShader01AccessStalledOnL3", "C2", "C1"},
		{"NonSamplerShader02AccessStalledOnL3", "C4", "C3"},
		{"NonSamplerShader03AccessStalledOnL3", "C6", "C5"},
	};
	static const struct tacho_property properties[] = {{"SubsliceMask", 0xff}};
	const struct tacho_model model = {
		.name = "ehl", .properties = properties, .property_count = 1};
	struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "ehl", .api = "oa", .no_environment = 1};
	const struct tacho_arch *ehl;
	struct tacho_catalog *own;

	assert_int_equal(tacho_catalog_open(&options, &own), 0);
	assert_int_equal(tacho_catalog_find_arch(own, "ehl", "oa", &ehl), 0);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(metrics); i++) {
		for (uint64_t less = 100; less <= 300; less += 200) {
			const struct raw change[] = {{metrics[i].more, 200},
						     {metrics[i].less, less},
						     {"GPU_CLOCK", 25000000}};
			struct tacho_result *result =
				derive(ehl, &model, metrics[i].name, change, 3);
			const struct tacho_column *column = tacho_result_get_column(result, 0);
			uint8_t is = tacho_column_get_state(column, 0, 0);

			if (less > 200)
				assert_int_equal(is, TACHO_STATE_ABSENT | TACHO_MARK_BELOW0);
			else
				assert_true(tacho_column_get_value(column, 0, 0) == 4e-4);
			tacho_result_destroy(result);
		}
	}
	tacho_catalog_close(own);
}

/* The symbol Part means two things, and Sum, written the same in both sets, follows its set. */
static const char two_meanings[] =
	"<metrics version='7'>\n"
	"<set symbol_name='First' chipset='TWO' name='1'>\n"
	" <counter symbol_name='Part' data_type='uint64' units='x' equation='C 0 READ'/>\n"
	" <counter symbol_name='Sum' data_type='uint64' units='x' equation='$Part 1 UADD'/>\n"
	"</set>\n"
	"<set symbol_name='Second' chipset='TWO' name='2'>\n"
	" <counter symbol_name='Part' data_type='uint64' units='x' equation='C 1 READ'/>\n"
	" <counter symbol_name='Sum' data_type='uint64' units='x' equation='$Part 1 UADD'/>\n"
	" <counter symbol_name='Only' data_type='uint64' units='x' equation='$Part 2 UMUL'/>\n"
	"</set>\n"
	"</metrics>\n";

static void test_symbols_mean_what_their_set_says(void **state)
{
	static const struct expected expected[] = {
		{"Part", 3000}, {"First.Part", 3000}, {"Second.Part", 3100},
		{"Sum", 3001},	{"Second.Sum", 3101}, {"Only", 6200},
	};
	struct tacho_catalog *own;
	const struct tacho_arch *two;

	assert_int_equal(tacho__catalog_create(&own), 0);
	assert_int_equal(
		tacho__catalog_read_text(own, "two.xml", two_meanings, sizeof(two_meanings) - 1, 0),
		0);
	assert_int_equal(tacho__catalog_complete(own), 0);
	assert_int_equal(tacho_catalog_find_arch(own, "two", "oa", &two), 0);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(expected); i++) {
		const struct tacho_entry *entry = tacho_arch_find_entry(two, expected[i].name);
		struct tacho_result *result;

		assert_non_null(entry);
		result = derive(two, NULL, entry->name, NULL, 0);
		assert_true(tacho_column_get_value(tacho_result_get_column(result, 0), 0, 0) ==
			    expected[i].value);
		tacho_result_destroy(result);
	}
	assert_string_equal(tacho_arch_find_entry(two, "Only")->expression, "$Second.Part 2 UMUL");
	tacho_catalog_close(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_four_of_ehl),
		cmocka_unit_test(test_render_basic),
		cmocka_unit_test(test_compute_basic),
		cmocka_unit_test(test_gpu_time_overflows_after_24_minutes),
		cmocka_unit_test(test_whole_numbers_stay_exact),
		cmocka_unit_test(test_division_by_no_clocks_is_0_and_marked),
		cmocka_unit_test(test_occupancy_drops_fractions_early),
		cmocka_unit_test(test_what_the_device_lacks_is_absent),
		cmocka_unit_test(test_symbols_mean_what_their_set_says),
	};

	return cmocka_run_group_tests_name("oa_values", tests, setup, teardown);
}
