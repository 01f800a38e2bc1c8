/* SPDX-License-Identifier: MIT */
/* Metrics of recordings made by hand: intervals, their states, and how they are written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "oa/variables.h"
#include "tacho/error.h"
#include "tacho/sys/oa_metrics.h"

#include "oa_file.h"

enum { TIMER = 1 << 19, SWITCH = 8 << 19, VALID = 1 << 25 };

static struct tacho_catalog *catalog;
static const struct tacho_arch *chv;
static struct tacho_oa_recording *recording;
static struct tacho_oa_metrics *metrics;

static int setup(void **state)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "chv", .api = "oa", .no_environment = 1};

	return tacho_catalog_open(&options, &catalog) ||
	       tacho_catalog_find_arch(catalog, "chv", "oa", &chv);
}

static int teardown(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

/* Of Gen8: the clock, A0 (40 bits) and C6 (of GtiReadThroughput in RenderBasic). */
static void put_gen8(struct file *file, uint32_t id, uint32_t ticks, uint32_t context,
		     uint32_t clock, uint64_t a0, uint32_t c6)
{
	uint32_t body[REPORT_BYTES / 4] = {id, ticks, context, clock, (uint32_t)a0};

	body[160 / 4] = (uint32_t)(a0 >> 32);
	body[(224 + 4 * 6) / 4] = c6;
	put_record(file, 1, body, sizeof(body));
}

static int try_metrics(const struct file *file, const char *set, const char *names,
		       enum tacho_oa_cut cut)
{
	const struct tacho_oa_metrics_options options = {
		.arch = chv, .set = set, .names = names, .cut = cut};

	assert_int_equal(open_file(file, &recording), 0);
	return tacho_oa_metrics_open(recording, &options, &metrics);
}

static void open_metrics(const struct file *file, const char *names, enum tacho_oa_cut cut)
{
	assert_int_equal(try_metrics(file, NULL, names, cut), 0);
}

static void close_metrics(void)
{
	tacho_oa_metrics_close(metrics);
	tacho_oa_recording_close(recording);
	metrics = NULL;
}

static uint8_t state_of(const struct tacho_oa_batch *batch, size_t column, size_t row)
{
	const uint8_t *states = batch->columns[column].states;

	return states ? states[row] : TACHO_STATE_OK;
}

static void test_reports(void **state)
{
	static struct file file;
	struct tacho_oa_batch batch;

	put_head(&file);
	put_pair(&file, 1000000, 1000);
	/* the clock and A0 run over; 12500 ticks are 1 ms */
	put_gen8(&file, TIMER | VALID, 1000, 5, 0xfffffff0, (1ull << 40) - 100000, 0xfffffffe);
	put_gen8(&file, TIMER | VALID, 13500, 5, 399984, 100000, 2);
	put_gen8(&file, TIMER, 26000, 5, 799984, 100000, 2);
	put_pair(&file, 3000000, 26000);
	open_metrics(&file, "GpuTime,GpuCoreClocks,GpuBusy,GtiReadThroughput,A0",
		     TACHO_OA_CUT_REPORT);
	assert_string_equal(tacho_oa_metrics_get_set(metrics)->name, "RenderBasic");
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(batch.count, 2);
	assert_int_equal(batch.column_count, 5);
	assert_string_equal(batch.columns[3].name, "GtiReadThroughput");
	assert_int_equal(batch.intervals[0].gpu_start_ticks, 1000);
	assert_int_equal(batch.intervals[0].gpu_end_ticks, 13500);
	assert_int_equal(batch.intervals[0].cpu_start_ns, 1000000);
	assert_int_equal(batch.intervals[0].cpu_end_ns, 2000000);
	assert_int_equal(batch.intervals[0].context, 5);
	assert_int_equal(batch.intervals[1].context, 5); /* the second report's: from it on */
	assert_int_equal(batch.columns[0].data.u64[0], 1000000);
	assert_int_equal(batch.columns[1].data.u64[0], 400000);
	assert_int_equal(batch.columns[2].data.f64[0], 50); /* 200000 of 400000 */
	assert_int_equal(batch.columns[3].data.u64[0], 4 * 64);
	assert_int_equal(batch.columns[4].data.u64[0], 200000);
	assert_int_equal(batch.columns[2].data.f64[1], 0);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(state_of(&batch, i, 0), TACHO_STATE_OK);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 0);
	close_metrics();
}

/* Spans end at the first report of another context; ids without the valid bit are none. */
static void test_contexts(void **state)
{
	static struct file file;
	struct tacho_oa_batch batch;

	put_head(&file);
	put_gen8(&file, TIMER | VALID, 1000, 5, 0, 0, 0);
	put_gen8(&file, TIMER | VALID, 2000, 5, 100, 10, 0);
	put_gen8(&file, SWITCH | VALID, 3000, 6, 200, 30, 0);
	put_gen8(&file, TIMER, 4000, 6, 300, 70, 0);
	put_gen8(&file, 0, 4500, 6, 350, 80, 0);     /* had not landed */
	put_gen8(&file, TIMER, 3500, 6, 250, 60, 0); /* older */
	put_gen8(&file, TIMER, 5000, 9, 400, 150, 0);
	open_metrics(&file, "A0", TACHO_OA_CUT_CONTEXT);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(batch.count, 3);
	assert_int_equal(batch.intervals[0].context, 5);
	assert_int_equal(batch.intervals[0].gpu_end_ticks, 3000);
	assert_int_equal(batch.intervals[0].end_time, TACHO_OA_TIME_UNKNOWN);
	assert_int_equal(batch.columns[0].data.u64[0], 30);
	assert_int_equal(batch.intervals[1].context, 6);
	assert_int_equal(batch.columns[0].data.u64[1], 40);
	assert_int_equal(batch.intervals[2].context, TACHO_OA_NO_CONTEXT);
	assert_int_equal(batch.columns[0].data.u64[2], 80);
	assert_int_equal(tacho_oa_metrics_get_skipped_count(metrics), 2);
	close_metrics();
}

static void test_lost(void **state)
{
	static struct file file;
	struct tacho_oa_batch batch;

	put_head(&file);
	put_record(&file, 2, NULL, 0); /* before the first report: nobody's loss */
	put_gen8(&file, TIMER | VALID, 1000, 5, 0, 0, 0);
	put_gen8(&file, TIMER | VALID, 2000, 5, 100, 10, 0);
	put_record(&file, 3, NULL, 0);
	put_gen8(&file, TIMER | VALID, 9000, 5, 800, 30, 0);
	put_gen8(&file, TIMER | VALID, 9500, 5, 800, 30, 0);
	open_metrics(&file, "GpuBusy,A0", TACHO_OA_CUT_REPORT);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(batch.count, 3);
	assert_int_equal(state_of(&batch, 0, 0), TACHO_STATE_OK);
	assert_int_equal(state_of(&batch, 0, 1), TACHO_STATE_LOST);
	assert_int_equal(state_of(&batch, 1, 1), TACHO_STATE_LOST);
	assert_int_equal(state_of(&batch, 0, 2), TACHO_STATE_OK | TACHO_MARK_DIV0);
	close_metrics();
}

/* 600 MHz for 4 s: the sum over 16 EUs can pass 2^32, A32 has no more bits; A0 has 40. */
static void test_overflow(void **state)
{
	static struct file file;
	struct tacho_oa_batch batch;

	put_head(&file);
	put_gen8(&file, TIMER | VALID, 0, 5, 0, 0, 0);
	put_gen8(&file, TIMER | VALID, 50000000, 5, 2400000000u, 1, 0);
	open_metrics(&file, "ShaderMemoryAccesses,A0", TACHO_OA_CUT_REPORT);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(state_of(&batch, 0, 0), TACHO_STATE_OVERFLOW);
	assert_int_equal(state_of(&batch, 1, 0), TACHO_STATE_OK);
	close_metrics();
}

/* A malformed place: the rows before it first. */
static void test_damage(void **state)
{
	static struct file file;
	struct tacho_oa_batch batch;

	put_head(&file);
	put_gen8(&file, TIMER | VALID, 1000, 5, 0, 0, 0);
	put_gen8(&file, TIMER | VALID, 2000, 5, 100, 10, 0);
	put(&file, "\1", 1);
	open_metrics(&file, NULL, TACHO_OA_CUT_CONTEXT);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(batch.count, 1);
	assert_int_equal(batch.column_count, 50);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), TACHO_E_PARSE);
	close_metrics();

	file.size = 0;
	put_head(&file);
	put_record(&file, 1, file.bytes, 128);
	open_metrics(&file, NULL, TACHO_OA_CUT_CONTEXT);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), TACHO_E_PARSE);
	assert_non_null(strstr(tacho_error_last()->message, "report at byte 392"));
	close_metrics();
}

static void test_names(void **state)
{
	static struct file file;
	struct tacho_oa_batch batch;

	put_head(&file);
	put_gen8(&file, TIMER | VALID, 1000, 5, 0, 0, 0);
	put_gen8(&file, TIMER | VALID, 2000, 5, 100, 10, 0);
	open_metrics(&file, "Ps*Active,PsThreads,PsThreads", TACHO_OA_CUT_REPORT);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	/* PsFpu0Active PsFpu1Active PsSendActive PsEuBothFpuActive, PsThreads */
	assert_int_equal(batch.column_count, 5);
	assert_string_equal(batch.columns[4].name, "PsThreads");
	close_metrics();
}

static void expect_refusal(const struct file *file, const char *set, const char *names, int code,
			   const char *message)
{
	assert_int_equal(try_metrics(file, set, names, TACHO_OA_CUT_REPORT), code);
	assert_non_null(strstr(tacho_error_last()->message, message));
	tacho_oa_recording_close(recording);
}

static void test_refusals(void **state)
{
	static struct file file, unknown;

	put_head(&file);
	expect_refusal(&file, NULL, "GpuBusi", TACHO_E_NOTFOUND,
		       "RenderBasic has no counter, metric or set \"GpuBusi\"");
	expect_refusal(&file, NULL, "Fpu0Active", TACHO_E_NOTFOUND, "cannot be worked out");
	expect_refusal(&file, NULL, ",", TACHO_E_INVAL, "nothing is named");
	expect_refusal(&file, "NoSet", NULL, TACHO_E_NOTFOUND, "no set \"NoSet\"");
	put_version(&unknown, 65536, 1);
	put_device(&unknown, 65537, 0x22b1, 10, "Mine", "");
	expect_refusal(&unknown, NULL, NULL, TACHO_E_NOTFOUND, "no set \"Mine\"");
}

/* Without a topology what divides by the number of EUs is not known; the rest is. */
static void test_no_topology(void **state)
{
	static struct file file;
	struct tacho_oa_batch batch;

	put_version(&file, 65536, 1);
	put_device(&file, 65537, 0x22b1, 10, "", "9D8A3AF5-c02c-4a4a-b947-f1672469e0fb");
	put_gen8(&file, TIMER | VALID, 1000, 5, 0, 0, 0);
	put_gen8(&file, TIMER | VALID, 2000, 5, 100, 10, 0);
	open_metrics(&file, "EuActive,GpuBusy", TACHO_OA_CUT_REPORT);
	assert_string_equal(tacho_oa_metrics_get_set(metrics)->name, "RenderBasic");
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(state_of(&batch, 0, 0), TACHO_STATE_ABSENT);
	assert_non_null(strstr(batch.columns[0].note, "EuCoresTotalCount"));
	assert_int_equal(batch.columns[1].data.f64[0], 10);
	close_metrics();
}

/* Variables that are given: where the recording has none, and instead of what it says. */
static void test_variables(void **state)
{
	static struct file file, told;
	const struct tacho_property given[] = {{"EuCoresTotalCount", 99}, {"EuCoresTotalCount", 8}};
	const struct tacho_property odd = {"EuCoreTotalCount", 8};
	struct tacho_oa_metrics_options options = {.arch = chv,
						   .names = "EuActive",
						   .cut = TACHO_OA_CUT_REPORT,
						   .variables = given,
						   .variable_count = 2};
	struct file *files[] = {&file, &told};
	struct tacho_oa_batch batch;

	(void)state;
	put_version(&file, 65536, 1);
	put_device(&file, 65537, 0x22b1, 10, "RenderBasic", "");
	put_head(&told); /* 16 EUs */
	for (int i = 0; i < 2; i++) {
		uint32_t body[REPORT_BYTES / 4] = {TIMER | VALID, 1000, 5, 0};

		put_record(files[i], 1, body, sizeof(body));
		body[1] = 2000;
		body[3] = 100;
		body[4 + 7] = 400;
		put_record(files[i], 1, body, sizeof(body));
		assert_int_equal(open_file(files[i], &recording), 0);
		assert_int_equal(tacho_oa_metrics_open(recording, &options, &metrics), 0);
		assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
		assert_int_equal(state_of(&batch, 0, 0), TACHO_STATE_OK);
		/* A7 is 400, 50 for each of 8 EUs, in 100 clocks */
		assert_true(batch.columns[0].data.f64[0] == 50);
		close_metrics();
	}
	options.variables = &odd;
	options.variable_count = 1;
	assert_int_equal(open_file(&told, &recording), 0);
	assert_int_equal(tacho_oa_metrics_open(recording, &options, &metrics), TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cause, "EuCoresTotalCount"));
	tacho_oa_recording_close(recording);
	metrics = NULL;
}

/* Xe2: spans go on over reports of the MMIO trigger, whose context is the caller's number. */
static void test_markers(void **state)
{
	static struct file file;
	static const uint32_t switched = 8u << 19 | 1u << 16, trigger = 0x40u << 19, timer = TIMER;
	const struct {
		uint64_t id, time, context, clock;
	} heads[] = {{trigger, 500, 0xabcd, 0},
		     {switched, 1000, 5, 0},
		     {trigger, 2000, 0xabcd, 0},
		     {timer, 3000, 5, 0},
		     {switched, 4000, 6, 0}};
	const char *root = getenv("TACHO_SOURCE_ROOT");
	struct tacho_catalog_options options = {
		.size = sizeof(options), .api = "oa", .no_environment = 1, .definition_count = 1};
	struct tacho_oa_metrics_options wanted = {.names = "EventsPerEu"};
	struct tacho_catalog *own;
	struct tacho_oa_batch batch;
	char path[4096];
	const char *paths[] = {path};

	snprintf(path, sizeof(path), "%s/tests/data/intel/lnl.xml", root ? root : ".");
	options.definitions = paths;
	assert_int_equal(tacho_catalog_open(&options, &own), 0);
	assert_int_equal(tacho_catalog_find_arch(own, "lnl", "oa", &wanted.arch), 0);
	put_version(&file, 4, 1);
	put_device(&file, 5, 0x64a0, 11, "Tiny", "");
	put_topology(&file, 6);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(heads); i++) {
		uint64_t report[576 / 8] = {0};

		memcpy(report, &heads[i], sizeof(heads[i]));
		report[4 + 3] = 1600 * i; /* PEC3 */
		put_record(&file, 1, report, sizeof(report));
	}
	assert_int_equal(open_file(&file, &recording), 0);
	assert_int_equal(tacho_oa_metrics_open(recording, &wanted, &metrics), 0);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(batch.count, 2);
	assert_int_equal(batch.intervals[0].context, TACHO_OA_NO_CONTEXT); /* none is known yet */
	assert_int_equal(batch.intervals[0].gpu_end_ticks, 1000);
	assert_int_equal(batch.intervals[1].context, 5);
	assert_int_equal(batch.intervals[1].gpu_end_ticks, 4000);
	assert_int_equal(batch.columns[0].data.u64[1], 300); /* 3 * 1600 on 16 EUs */
	close_metrics();
	tacho_catalog_close(own);
}

static void test_writing(void **state)
{
	static struct file file;
	struct tacho_oa_batch batch;
	size_t size;
	char *text;
	FILE *stream = open_memstream(&text, &size);

	put_head(&file);
	put_pair(&file, 1000000, 1000);
	put_gen8(&file, TIMER | VALID, 1000, 5, 0, 0, 0);
	put_gen8(&file, TIMER, 13500, 5, 300, 100, 7);
	put_gen8(&file, TIMER, 26000, 5, 300, 100, 7);
	put_pair(&file, 3000000, 26000);
	open_metrics(&file, "GpuBusy,GtiReadThroughput", TACHO_OA_CUT_REPORT);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	tacho_oa_batch_write_json(&batch, stream);
	tacho_oa_batch_write_csv_header(&batch, stream);
	tacho_oa_batch_write_csv(&batch, stream);
	fclose(stream);
	assert_string_equal(
		text,
		"{\"cpu_start_ns\": 1000000, \"cpu_end_ns\": 2000000, \"gpu_start\": 1000, "
		"\"gpu_end\": 13500, \"context\": 5, \"values\": {\"GpuBusy\": {\"value\": "
		"33.333333333333336, \"state\": \"ok\"}, \"GtiReadThroughput\": {\"value\": 448, "
		"\"state\": \"ok\"}}}\n"
		"{\"cpu_start_ns\": 2000000, \"cpu_end_ns\": 3000000, \"gpu_start\": 13500, "
		"\"gpu_end\": 26000, \"context\": null, \"values\": {\"GpuBusy\": {\"value\": 0, "
		"\"state\": \"ok\", \"div0\": true}, \"GtiReadThroughput\": {\"value\": 0, "
		"\"state\": \"ok\"}}}\n"
		"cpu_start_ns,cpu_end_ns,gpu_start,gpu_end,context,state,GpuBusy,"
		"GtiReadThroughput\r\n"
		"1000000,2000000,1000,13500,5,ok,33.333333333333336,448\r\n"
		"2000000,3000000,13500,26000,,ok,0,0\r\n");
	free(text);
	close_metrics();
}

static unsigned count_maximum(uint32_t hz)
{
	const struct tacho_oa_device device = {.timestamp_frequency_hz = 12500000,
					       .max_frequency_hz = hz};
	struct tacho__arena arena = {0};
	struct tacho_model model;
	unsigned count = 0;

	assert_int_equal(
		tacho__oa_variables_make(&arena, &device, NULL, chv, TACHO_OA_GEN8, &model), 0);
	for (size_t i = 0; i < model.property_count; i++) {
		if (strcmp(model.properties[i].name, "GpuMaxFrequency") != 0)
			continue;
		assert_int_equal(model.properties[i].value, hz);
		count++;
	}
	tacho__arena_finish(&arena);
	return count;
}

/* A frequency that nobody tells is not 0. */
static void test_unknown_frequency(void **state)
{
	assert_int_equal(count_maximum(600000000), 1);
	assert_int_equal(count_maximum(0), 0);
}

static void test_devices(void **state)
{
	struct tacho_oa_device device = {.device_id = 0x22b3, .format = 10};

	assert_string_equal(tacho_oa_device_get_arch(&device), "chv");
	device.device_id = 0x9a49;
	assert_string_equal(tacho_oa_device_get_arch(&device), "tglgt2");
	device.device_id = 0x1234;
	assert_string_equal(tacho_oa_device_get_arch(&device), "");
	assert_string_equal(tacho_oa_device_get_format(&device, TACHO_OA_GEN8)->name,
			    "A32u40_A4u32_B8_C8");
	device.format = 5; /* Haswell's: the usual one */
	assert_string_equal(tacho_oa_device_get_format(&device, TACHO_OA_GEN8)->name,
			    "A32u40_A4u32_B8_C8");
	assert_string_equal(tacho_oa_device_get_format(&device, TACHO_OA_GEN7_5)->name,
			    "A45_B8_C8");
	device.driver = TACHO_OA_XE;
	device.format = 11;
	assert_string_equal(tacho_oa_device_get_format(&device, TACHO_OA_XE2)->name, "PEC64u64");
}

/* Every id of the public list, and none that is not in it. */
static void test_device_ids(void **state)
{
	char path[512], line[256];
	static char families[65536][16];
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/data/intel/pci-ids.txt",
		 getenv("TACHO_SOURCE_ROOT"));
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char *rest, *family = strtok_r(line, " \n", &rest), *id;

		while (*family != '#' && (id = strtok_r(NULL, " \n", &rest)))
			snprintf(families[strtoul(id, NULL, 16)], sizeof(families[0]), "%s",
				 family);
	}
	fclose(file);
	for (uint32_t id = 0; id < 65536; id++) {
		const struct tacho_oa_device device = {.device_id = id};
		const char *arch = tacho_oa_device_get_arch(&device);
		enum tacho_oa_gen gen;

		if (!*families[id] != !*arch ||
		    strncmp(arch, families[id], strlen(families[id])) != 0)
			fail_msg("0x%04x is \"%s\", not \"%s\"", id, arch, families[id]);
		if (*arch)
			assert_int_equal(tacho_oa_gen_find(arch, &gen), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reports),	   cmocka_unit_test(test_contexts),
		cmocka_unit_test(test_lost),	   cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_damage),	   cmocka_unit_test(test_names),
		cmocka_unit_test(test_refusals),   cmocka_unit_test(test_no_topology),
		cmocka_unit_test(test_variables),  cmocka_unit_test(test_markers),
		cmocka_unit_test(test_writing),	   cmocka_unit_test(test_devices),
		cmocka_unit_test(test_device_ids), cmocka_unit_test(test_unknown_frequency),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
