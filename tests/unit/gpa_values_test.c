/* SPDX-License-Identifier: MIT */
/* GPUPerfAPI's metrics from values. Each expected number is worked out beside its case. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "tacho/catalog.h"
#include "tacho/error.h"
#include "tacho/formula.h"
#include "tacho/sys/values.h"

static struct tacho_catalog *catalog;

static int setup(void **state)
{
	struct tacho_catalog_options options = {.size = sizeof(options), .no_environment = 1};

	return tacho_catalog_open(&options, &catalog);
}

static int teardown(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

/* A counter's value: of all whose names match, "#" standing for any number. */
struct given {
	const char *pattern;
	double value;
};

struct example {
	const char *api, *arch, *metric, *model;
	struct given given[10]; /* the last match counts; what none matches is 0 */
	double expected;
	uint8_t state;
};

#define GUI  "GRBM_GRBM_PERF_SEL_GUI_ACTIVE"
#define SQ   "SQ_SQ_PERF_SEL_"
#define TIME "GPUTime_BOTTOM_TO_BOTTOM"
#define CPF  "CPF_PERF_SEL_CPF_STAT_BUSY"

static const struct example examples[] = {
	/* 8 of 8 inputs are 1, so that every engine is busy for 1 of 2 cycles: 1 / 2 * 100 */
	{"dx11", "gfx8", "PSBusy", "rx480", {{"SPI#_*", 1}, {GUI, 2}}, 50},
	/* the busiest of the engines: 3 / 4 * 100; an engine without waves counts 0 */
	{"dx11",
	 "gfx8",
	 "PSBusy",
	 "rx480",
	 {{"SPI#_*", 1}, {"SPI2_*BUSY", 3}, {"SPI1_*BUSY", 9}, {"SPI1_*WAVE", 0}, {GUI, 4}},
	 75},
	/* no waves: 0, whatever is busy */
	{"gl", "gfx9", "PSBusy", "vega64", {{"SPI_*BUSY", 7}, {GUI, 2}}, 0},
	/* x / 0 is 0 */
	{"gl", "gfx8", "GPUBusy", "rx480", {{GUI, 7}}, 0, TACHO_MARK_DIV0},
	/* 120 / 100 * 100 = 120, cut to 100 */
	{"gl", "gfx8", "GPUBusy", "rx480", {{GUI, 120}, {"GRBM_*COUNT", 100}}, 100},
	/* 4000 ticks of 25 MHz: 4000 / 25e6 * 1000 */
	{"gl", "gfx8", "GPUTime", "rx480", {{TIME, 4000}, {"TS_FREQ", 25e6}}, 0.16},
	/* 30 / 60 = 0.5 of 2000 / 1e6 * 1000 = 2 ms */
	{"gl",
	 "gfx9",
	 "CSTime",
	 "vega64",
	 {{TIME, 2000}, {"TS_FREQ", 1e6}, {"SPI_*BUSY", 30}, {"SPI_*WAVE", 1}, {GUI, 60}},
	 1},
	/* 640 / 16 */
	{"cl", "gfx8", "VALUInsts", "rx480", {{SQ "INSTS_VALU", 640}, {SQ "WAVES", 16}}, 40},
	/* (100 - 16 * 2) / 4: the TA's are FLAT loads */
	{"cl",
	 "gfx8",
	 "VFetchInsts",
	 "rx480",
	 {{SQ "INSTS_VMEM_RD", 100}, {"TA#_*READ_WAVEFRONTS", 2}, {SQ "WAVES", 4}},
	 17},
	/* (50 - 30) / 10: all FLAT instructions go */
	{"cl",
	 "gfx8",
	 "LDSInsts",
	 "rx480",
	 {{SQ "INSTS_LDS", 50},
	  {SQ "INSTS_FLAT", 30},
	  {SQ "INSTS_FLAT_LDS_ONLY", 5},
	  {SQ "WAVES", 10}},
	 2},
	/* (50 - 5) / 10: only those to LDS */
	{"cl",
	 "gfx9",
	 "LDSInsts",
	 "vega64",
	 {{SQ "INSTS_LDS", 50},
	  {SQ "INSTS_FLAT", 30},
	  {SQ "INSTS_FLAT_LDS_ONLY", 5},
	  {SQ "WAVES", 10}},
	 4.5},
	/* 50 / 10 */
	{"cl", "gfx6", "LDSInsts", "hd7970", {{SQ "INSTS_LDS", 50}, {SQ "WAVES", 10}}, 5},
	/* 1600 / (50 * 64) * 100 */
	{"cl",
	 "gfx7",
	 "VALUUtilization",
	 "r9-290x",
	 {{SQ "THREAD_CYCLES_VALU", 1600}, {SQ "INST_CYCLES_VALU", 50}},
	 50},
	/* 6400 / (50 * 64) * 100 = 200, cut to 100 */
	{"cl",
	 "gfx7",
	 "VALUUtilization",
	 "r9-290x",
	 {{SQ "THREAD_CYCLES_VALU", 6400}, {SQ "INST_CYCLES_VALU", 50}},
	 100},
	/* 3600 * 4 / 144 / 1000 * 100 */
	{"cl", "gfx8", "VALUBusy", "rx480", {{SQ "INST_CYCLES_VALU", 3600}, {GUI, 1000}}, 10},
	/* 1600 * 4 / (256 / 4) / 1000 * 100 */
	{"hsa", "gfx9", "SALUBusy", "vega64", {{SQ "INST_CYCLES_SALU", 1600}, {GUI, 1000}}, 10},
	/* 16 channels * 64 requests * 32 / 1024 */
	{"cl", "gfx8", "FetchSize", "rx480", {{"TCC#_*RDREQ", 64}}, 32},
	/* 12 channels * 64 * 32 / 1024 */
	{"cl", "gfx6", "FetchSize", "hd7970", {{"TCC#_*RDREQ", 64}}, 24},
	/* ((16 * 10 - 16 * 4) * 64 + 16 * 4 * 32) / 1024 = (6144 + 2048) / 1024 */
	{"cl", "gfx9", "FetchSize", "vega64", {{"TCC#_*RDREQ", 10}, {"TCC#_*RDREQ_32B", 4}}, 8},
	/* ((16 * 10 - 16 * 4) * 32 + 16 * 4 * 64) / 1024 = (3072 + 4096) / 1024 */
	{"hsa", "gfx9", "WriteSize", "vega64", {{"TCC#_*WRREQ", 10}, {"TCC#_*WRREQ_64B", 4}}, 7},
	/* 16 * 3 / (16 * 3 + 16 * 1) * 100 */
	{"cl", "gfx8", "CacheHit", "rx480", {{"TCC#_*HIT", 3}, {"TCC#_*MISS", 1}}, 75},
	/* (1 - 4 * 16 * 1 / (16 * 10)) * 100 */
	{"cl",
	 "gfx9",
	 "L1CacheHit",
	 "vega64",
	 {{"TCP#_*REQ", 1}, {"TCP#_*TOTAL_CACHE_ACCESSES", 10}},
	 60},
	/* no accesses: 0; the division by 0 is not the chosen operand and leaves no mark */
	{"cl", "gfx9", "L1CacheHit", "vega64", {{"TCP#_*REQ", 0}}, 0},
	/* max(30, 80) / 100 / 4 * 100 */
	{"cl",
	 "gfx8",
	 "MemUnitBusy",
	 "rx480",
	 {{"TA#_*BUSY", 30}, {"TA11_*BUSY", 80}, {GUI, 100}},
	 20},
	/* the unit that the published equation leaves out: 40 / 100 / 4 * 100 */
	{"hsa", "gfx7", "MemUnitBusy", "r9-290x", {{"TA3_*BUSY", 40}, {GUI, 100}}, 10},
	/* the channel that the published equation leaves out: 25 / 100 * 100 */
	{"cl", "gfx9", "WriteUnitStalled", "vega64", {{"TCC6_*STALL", 25}, {GUI, 100}}, 25},
	{"gl",
	 "gfx6",
	 "CSWriteUnitStalled",
	 "hd7970",
	 {{"TCC6_*STALL", 25}, {GUI, 100}, {"SPI_*THREADGROUPS", 1}},
	 25},
	/* 16 * 64 * 64 / 1024 with thread groups, though channels 0 to 3 have no 32-byte reads */
	{"dx11",
	 "gfx9",
	 "CSFetchSize",
	 "vega64",
	 {{"TCC#_*RDREQ", 64}, {"SPI0_*THREADGROUPS", 1}},
	 64},
	/* no thread groups: 0 */
	{"dx11", "gfx9", "CSFetchSize", "vega64", {{"TCC#_*RDREQ", 64}}, 0},
	/* 4 * 10 / (4 * 2) = 5; / 100 / 4 * 100 */
	{"dx11",
	 "gfx8",
	 "CSALUStalledByLDS",
	 "rx480",
	 {{"SQ_CS#_*LDS", 10}, {"SQ_CS#_*WAVES", 2}, {GUI, 100}, {"SPI3_*THREADGROUPS", 1}},
	 1.25},
	/* 288 / 100 / 144 * 100 */
	{"cl", "gfx8", "LDSBankConflict", "rx480", {{SQ "LDS_BANK_CONFLICT", 288}, {GUI, 100}}, 2},
	/* what leaves the last stage, when a stage before the geometry shader ran; else 0 */
	{"gl",
	 "gfx8",
	 "GSVerticesOut",
	 "rx480",
	 {{"VGT_*VSVERT_SEND", 12}, {"VGT_*ESVERT_VALID", 3}},
	 12},
	{"gl", "gfx8", "GSVerticesOut", "rx480", {{"VGT_*VSVERT_SEND", 12}}, 0},
	/* 900 - 100 - (100 + 20 + 30 + 25 * 2) * 1 = 600; / 4 = 150; / 300 * 100 */
	{"gl",
	 "gfx8",
	 "PrimitiveAssemblyBusy",
	 "rx480",
	 {{"PA_SU_*CLIP_BUSY", 900},
	  {"PA_SU_*STALLED_SC", 100},
	  {"PA_SU_*OUTPUT_PRIM", 100},
	  {"PA_SU_*OUTPUT_PRIM_DUAL", 20},
	  {"PA_SU_*OUTPUT_CLIP_PRIM", 30},
	  {"PA_SU_*OUTPUT_CLIP_PRIM_DUAL", 25},
	  {GUI, 300}},
	 50},
	/* 4 engines * 4 outputs * 5 */
	{"dx11", "gfx7", "PSPixelsOut", "r9-290x", {{"SX#_*PIXELS", 5}}, 80},
	/* (100 - 40) of 100: 4 * 100 quads, 4 * 40 of them after HiZ */
	{"gl",
	 "gfx8",
	 "HiZQuadsCulled",
	 "rx480",
	 {{"*QUAD_COUNT", 100}, {"*HIZ_QUAD_COUNT", 40}},
	 60},
	/* 16 * 2 * 32 */
	{"dx11", "gfx9", "CBMemRead", "vega64", {{"CB#_*", 2}}, 1024},
	/* (16 units * 3 * 1 + 16 * 1 * 16) / (16 * 3 + 16 * 1) = 19 / 4 */
	{"gl",
	 "gfx8",
	 "TexAveAnisotropy",
	 "rx480",
	 {{"TA#_*ANISO_1_CYCLE_QUADS", 3}, {"TA#_*ANISO_16_CYCLE_QUADS", 1}},
	 4.75},
	/* queries: 5 ms in nanoseconds; 250 ticks of 40 ns = 10 us; 3 / 1000 s */
	{"gl", "any", "D3DGPUTime", NULL, {{"GL_TIME_ELAPSED", 5e6}}, 5},
	{"vulkan", "any", "D3DGPUTime", NULL, {{"VK_*TICKS", 250}, {"VK_*NS", 40}}, 0.01},
	{"dx11", "gfx8", "D3DGPUTime", NULL, {{"D3D11_*TICKS", 3}, {"D3D11_*FREQUENCY", 1000}}, 3},
	/* 10 + 20 of two streams */
	{"gl",
	 "any",
	 "PrimsWritten",
	 NULL,
	 {{"GL_TRANS*WRITTEN_1", 10}, {"GL_TRANS*WRITTEN_3", 20}},
	 30},
	/* 30 - 20 found no room; without an overflow none was to be stored: 0 */
	{"gl",
	 "any",
	 "PrimsNotStored_S1",
	 NULL,
	 {{"GL_PRIM*_1", 30}, {"GL_TRANS*WRITTEN_1", 20}, {"GL_TRANS*OVERFLOW_1", 1}},
	 10},
	{"gl", "any", "PrimsNotStored_S1", NULL, {{"GL_PRIM*_1", 30}}, 0},
	/* (30 - 20) + (40 - 5), and stream 3 drew 7 without transform feedback */
	{"gl",
	 "any",
	 "PrimsNotStored",
	 NULL,
	 {{"GL_PRIM*_0", 30},
	  {"GL_TRANS*WRITTEN_0", 20},
	  {"GL_TRANS*OVERFLOW_0", 1},
	  {"GL_PRIM*_2", 40},
	  {"GL_TRANS*WRITTEN_2", 5},
	  {"GL_TRANS*OVERFLOW_2", 1},
	  {"GL_PRIM*_3", 7}},
	 45},
	/* 12 - 10 */
	{"vulkan", "any", "PrimsNotStored", NULL, {{"*WRITTEN_2", 10}, {"*NEEDED_2", 12}}, 2},
	{"vulkan", "any", "PrimsNotStored_S2", NULL, {{"*WRITTEN_2", 10}, {"*NEEDED_2", 12}}, 2},
	/* needed 12, written 10: overflow, in this stream and in any */
	{"vulkan", "any", "OverflowPred_S2", NULL, {{"*WRITTEN_2", 10}, {"*NEEDED_2", 12}}, 1},
	{"vulkan", "any", "OverflowPred", NULL, {{"*WRITTEN_2", 10}, {"*NEEDED_2", 12}}, 1},
	{"vulkan", "any", "OverflowPred", NULL, {{"*WRITTEN_#", 10}, {"*NEEDED_#", 10}}, 0},
	/* the group queues are busy 60 cycles without a wave, the others 30 with one: 30 / 120 */
	{"gl",
	 "gfx10",
	 "CSBusy",
	 "rx5700xt",
	 {{"SPI#_PERF_CSGN_BUSY", 60},
	  {"SPI#_PERF_CSN_BUSY", 30},
	  {"SPI#_PERF_CSN_WAVE", 1},
	  {CPF, 120}},
	 25},
	/* half of 2000 ticks of a microsecond, in nanoseconds */
	{"gl",
	 "gfx11",
	 "CSTime",
	 "rx7900xtx",
	 {{TIME "_DURATION", 2000},
	  {"TS_FREQ", 1e6},
	  {"SPI#_PERF_CSN_BUSY", 30},
	  {"SPI#_PERF_CSN_WAVE", 1},
	  {CPF, 60}},
	 1e6},
	/* 1000 - 100 - 1 * (10 + 10 + 10 + 2 * 10), alike on six engines */
	{"gl",
	 "gfx11",
	 "PrimitiveAssemblyBusyCycles",
	 "rx7900xtx",
	 {{"PA_SU#_*", 10}, {"PA_SU#_*CLIP_BUSY", 1000}, {"PA_SU#_*STALLED_SC", 100}},
	 850},
	/* 48 * 16 waves on 192 * 16 slots */
	{"dx12", "gfx11", "WaveOccupancyPct", "rx7900xtx", {{"*LEVEL_WAVES", 16}}, 25},
	/* 4 of 10 missed */
	{"vulkan",
	 "gfx1150",
	 "L0CacheHit",
	 "radeon890m",
	 {{"TCP#_PERF_SEL_REQ", 10}, {"TCP#_PERF_SEL_REQ_MISS", 4}},
	 60},
	{"vulkan", "gfx12", "GPUBusy", "rx9070xt", {{CPF, 3}, {"CPF_*ALWAYS_COUNT", 4}}, 75},
	{"vulkan", "any", "OcclusionPredicate", NULL, {{"VK_QUERY_OCCLUSION", 7}}, 1},
};

/* "#": digits, "*": anything. */
static int matches(const char *pattern, const char *name)
{
	for (; *pattern && *pattern != '*'; pattern++) {
		size_t digits = strspn(name, "0123456789");

		if (*pattern == '#' && digits)
			name += digits;
		else if (*pattern == *name)
			name++;
		else
			return 0;
	}
	if (!*pattern)
		return !*name;
	for (;; name++) {
		if (matches(pattern + 1, name))
			return 1;
		if (!*name)
			return 0;
	}
}

static double value_of(const struct example *example, const char *name, int *out_used)
{
	double value = 0;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(example->given); i++) {
		if (example->given[i].pattern && matches(example->given[i].pattern, name)) {
			value = example->given[i].value;
			*out_used |= 1 << i;
		}
	}
	return value;
}

/* The counters of the metric as JSON, what is given as their values. */
static void write_values(const struct example *example, const struct tacho_entry *entry,
			 struct tacho__buf *out)
{
	int used = 0, is_used;

	tacho__buf_put(out, "{\"counters\":{");
	for (size_t i = 0; i < entry->input_count; i++)
		tacho__buf_printf(out, "%s\"%s\":{\"values\":[%.17g]}", i ? "," : "",
				  entry->inputs[i], value_of(example, entry->inputs[i], &used));
	tacho__buf_put(out, "},\"constants\":{");
	is_used = used;
	if (value_of(example, "TS_FREQ", &is_used) > 0)
		tacho__buf_printf(out, "\"TS_FREQ\":%.17g", value_of(example, "TS_FREQ", &used));
	tacho__buf_put(out, "}}");
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(example->given); i++) {
		const char *pattern = example->given[i].pattern;

		/* that it is no input is what some examples are about */
		if (pattern && !(used >> i & 1) && !strstr(pattern, "FLAT"))
			fail_msg("%s has no input %s", example->metric, pattern);
	}
}

static void evaluate(const struct example *example)
{
	struct tacho_derive_options options = {.size = sizeof(options)};
	struct tacho_formula formula = {.name = example->metric};
	struct tacho_formula_problem problem = {0};
	struct tacho_result *values, *result;
	const struct tacho_column *column;
	const struct tacho_entry *entry;
	struct tacho__buf text = {0};
	double value;

	assert_int_equal(
		tacho_catalog_find_arch(catalog, example->arch, example->api, &options.arch), 0);
	if (example->model) {
		options.model = tacho_arch_find_model(options.arch, example->model);
		assert_non_null(options.model);
	}
	entry = tacho_arch_find_entry(options.arch, example->metric);
	assert_non_null(entry);
	write_values(example, entry, &text);
	assert_int_equal(tacho_values_parse("values", text.text, text.size, &values), 0);
	if (tacho_result_derive(values, &formula, 1, &options, &result, &problem))
		fail_msg("%s: %s", example->metric, problem.message);
	column = tacho_result_get_column(result, 0);
	value = tacho_column_get_value(column, 0, 0);
	if (fabs(value - example->expected) > 1e-9 * fabs(example->expected))
		fail_msg("%s %s %s is %.17g, not %.17g (%s)", example->api, example->arch,
			 example->metric, value, example->expected, column->note);
	assert_int_equal(tacho_column_get_state(column, 0, 0), example->state);
	assert_string_equal(column->unit, entry->unit);
	tacho_result_destroy(result);
	tacho_result_destroy(values);
	tacho__buf_finish(&text);
}

static void test_examples(void **state)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(examples); i++)
		evaluate(&examples[i]);
}

/* Without the frequency of the time stamps, which no model has, there is no number. */
static void test_absent(void **state)
{
	static const char text[] = "{\"counters\":{\"" TIME "\":{\"values\":[5]}}}";
	struct tacho_derive_options options = {.size = sizeof(options)};
	struct tacho_formula formulas[] = {{.name = "GPUTime"}, {.name = "GPUBusy"}};
	struct tacho_result *values, *result;
	const struct tacho_column *column;

	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx8", "gl", &options.arch), 0);
	assert_int_equal(tacho_values_parse("values", text, strlen(text), &values), 0);
	assert_int_equal(tacho_result_derive(values, formulas, 2, &options, &result, NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		column = tacho_result_get_column(result, i);
		assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_ABSENT);
		assert_non_null(strstr(column->note, i ? "GRBM" : "TS_FREQ"));
	}
	tacho_result_destroy(result);
	tacho_result_destroy(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_absent),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
