/* SPDX-License-Identifier: MIT */
/*
 * Ranges by NVIDIA's profiler, over fakes of the driver and of libcupti, in which all that kernels
 * count follows from their sizes: a__x00 is 1 for each thread, a__x01 is 2, and so on. Four
 * counters of unit a go into a pass.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fake/cuda/fake_program.h"
#include "backend/cupti/cupti_gpu.h"
#include "backend/cupti/cupti_live.h"
#include "tacho/config.h"
#include "tacho/error.h"

static const char text[] = "fake module\n"
			   "kernel nothing does=nothing registers=4 shared=0 local=0\n"
			   "kernel count does=count registers=8 shared=0 local=0 arguments=8\n";

static CUcontext context;
static CUfunction nothing, count;

void fake_check(CUresult status, const char *what)
{
	if (status)
		fail_msg("%s: %d", what, (int)status);
}

static int set_up(void **state)
{
	CUmodule module;

	(void)state;
	OK(cuInit(0));
	OK(cuCtxCreate_v2(&context, 0, 0));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&nothing, module, "nothing"));
	OK(cuModuleGetFunction(&count, module, "count"));
	return 0;
}

/* ---- a device, as the backend opens it ---- */

static const struct tacho__backend backend = {
	.name = "cupti",
	.begin = tacho__cupti_begin,
	.begin_pass = tacho__cupti_begin_pass,
	.end_pass = tacho__cupti_end_pass,
	.begin_range = tacho__cupti_begin_range,
	.end_range = tacho__cupti_end_range,
	.drain = tacho__cupti_drain,
	.end = tacho__cupti_end,
};

struct world {
	struct tacho_catalog *catalog;
	struct tacho__cupti_live live;
	struct tacho_device_info info;
	struct tacho__cupti_device device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
};

static void open_world(struct world *world, const char *list)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "gf100", .api = "cuda"};

	*world = (struct world){.live = {.context = context}};
	assert_int_equal(tacho_catalog_open(&options, &world->catalog), 0);
	assert_int_equal(tacho__cupti_describe_live(&world->live), 0);
	world->info.name = "Fake GPU";
	world->device.live = &world->live;
	snprintf(world->device.gpu.name, sizeof(world->device.gpu.name), "Fake GPU");
	world->device.base.backend = &backend;
	world->device.base.info = &world->info;
	world->device.base.traits.replays =
		TACHO__REPLAYS_RANGES | 1u << TACHO_REPLAY_ROTATE | 1u << TACHO_REPLAY_VENDOR;
	world->device.base.traits.modes[TACHO_MODE_DEFAULT].levels = 1;
	world->device.base.traits.modes[TACHO_MODE_SERIALIZED].levels = 1;
	assert_int_equal(tacho_catalog_find_arch(world->catalog, "gf100", "cuda",
						 &world->device.base.traits.arch),
			 0);
	assert_int_equal(
		tacho_device_parse_config(&world->device.base, list, NULL, &world->config, NULL),
		0);
	assert_int_equal(tacho_device_plan(&world->device.base, world->config, NULL, &world->plan),
			 0);
}

static int try_session(struct world *world, uint32_t replay, uint32_t only_pass)
{
	const struct tacho_session_options options = {
		.size = sizeof(options), .replay = replay, .only_pass = only_pass};

	return tacho_session_create(&world->device.base, world->plan, &options, &world->session);
}

static void open_session(struct world *world, uint32_t replay, uint32_t only_pass)
{
	assert_int_equal(try_session(world, replay, only_pass), 0);
}

/*
 * Has the fake do this from now on; NULL: nothing. Its GPU is a thread that reads the environment
 * while it works, and a launch may be on its way whose range was refused: it comes to its end
 * first.
 */
static void ask(const char *words)
{
	OK(cuCtxSynchronize());
	if (words)
		setenv("FAKE_CUPTI", words, 1);
	else
		unsetenv("FAKE_CUPTI");
}

static void close_world(struct world *world)
{
	tacho_session_destroy(world->session);
	tacho__cupti_close_profiler(&world->device);
	tacho_plan_destroy(world->plan);
	tacho_config_destroy(world->config);
	tacho_catalog_close(world->catalog);
	ask(NULL);
}

static void launch(uint32_t blocks)
{
	OK(cuLaunchKernel(nothing, blocks, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
}

static int try_range(struct world *world, uint64_t id, uint32_t blocks)
{
	tacho_range range;
	int rc = tacho_session_begin_range(world->session, 0, id, "range", &range);

	if (rc)
		return rc;
	launch(blocks);
	return tacho_session_end_range(world->session, range);
}

static void run_range(struct world *world, uint64_t id, uint32_t blocks)
{
	assert_int_equal(try_range(world, id, blocks), 0);
}

static struct tacho_result *take(struct world *world, size_t rows)
{
	struct tacho_result *result;

	assert_int_equal(tacho_session_drain(world->session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(world->session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), rows);
	return result;
}

/* A value; -1: absent. */
static double get(const struct tacho_result *result, const char *name, size_t row)
{
	const struct tacho_column *column;

	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++) {
		if (strcmp(column->name, name) != 0)
			continue;
		if (tacho_column_get_state(column, row, 0) == TACHO_STATE_ABSENT)
			return -1;
		assert_int_equal(tacho_column_get_state(column, row, 0), TACHO_STATE_OK);
		return column->data.f64[row];
	}
	fail_msg("no column %s", name);
	return 0;
}

static void expect_(double value, double wanted, int line)
{
	if (value != wanted)
		fail_msg("line %d: %.17g instead of %.17g", line, value, wanted);
}

#define expect(value, wanted) expect_(value, wanted, __LINE__)

/* ---- replay by the caller ---- */

static const char three_passes[] =
	"a__x00.sum,a__x01.sum,a__x02.sum,a__x03.sum,a__x04.sum,a__x05.sum,"
	"a__x06.sum,a__x07.sum,a__x08.avg,b__y1.sum";

static void count_in_passes(struct world *world, uint32_t range_count)
{
	int more = 1;
	uint32_t passes = 0;

	for (; more; passes++) {
		assert_int_equal(tacho_session_begin_pass(world->session), 0);
		launch(1000); /* of no range */
		for (uint32_t i = 0; i < range_count; i++)
			run_range(world, i, i + 1);
		launch(1000);
		assert_int_equal(tacho_session_end_pass(world->session, &more), 0);
	}
	assert_int_equal(passes, 3);
}

static void check_row(const struct tacho_result *result, size_t row, uint32_t blocks)
{
	expect(get(result, "a__x00.sum", row), 32.0 * blocks);
	expect(get(result, "a__x03.sum", row), 4 * 32.0 * blocks);
	expect(get(result, "a__x07.sum", row), 8 * 32.0 * blocks);
	expect(get(result, "a__x08.avg", row), 9 * 8.0 * blocks);
	expect(get(result, "b__y1.sum", row), 2.0 * blocks);
}

static void test_caller(void **state)
{
	struct world world;
	struct tacho_result *result;

	(void)state;
	open_world(&world, three_passes);
	open_session(&world, TACHO_REPLAY_CALLER, 0);
	count_in_passes(&world, 2);
	result = take(&world, 2);
	check_row(result, 0, 1);
	check_row(result, 1, 2);
	tacho_result_destroy(result);
	close_world(&world);
}

/* Images hold 8 ranges, 16, 32 ... */
static void test_many_ranges(void **state)
{
	enum { RANGES = 300 };
	struct world world;
	struct tacho_result *result;

	(void)state;
	open_world(&world, three_passes);
	open_session(&world, TACHO_REPLAY_CALLER, 0);
	count_in_passes(&world, RANGES);
	result = take(&world, RANGES);
	for (uint32_t i = 0; i < RANGES; i++)
		check_row(result, i, i + 1);
	assert_int_equal(tacho_session_get_lost_rows(world.session), 0);
	tacho_result_destroy(result);
	close_world(&world);
}

/* Several sessions use what the context has. */
static void test_sessions(void **state)
{
	struct world world;

	(void)state;
	open_world(&world, three_passes);
	for (uint32_t i = 0; i < 3; i++) {
		struct tacho_result *result;

		open_session(&world, TACHO_REPLAY_CALLER, 0);
		count_in_passes(&world, 1);
		result = take(&world, 1);
		check_row(result, 0, 1);
		tacho_result_destroy(result);
		tacho_session_destroy(world.session);
		world.session = NULL;
	}
	close_world(&world);
}

/* A metric that is worked out of two passes needs both in one session. */
static void test_split(void **state)
{
	struct world world;
	struct tacho_result *result;
	int more = 1;

	(void)state;
	open_world(&world, "a__x04.sum,a__throughput");
	open_session(&world, TACHO_REPLAY_CALLER, 0);
	while (more) {
		assert_int_equal(tacho_session_begin_pass(world.session), 0);
		run_range(&world, 1, 4);
		assert_int_equal(tacho_session_end_pass(world.session, &more), 0);
	}
	result = take(&world, 1);
	expect(get(result, "a__x04.sum", 0), 5 * 128);
	expect(get(result, "a__throughput", 0), 25);
	tacho_result_destroy(result);
	tacho_session_destroy(world.session);
	for (uint32_t pass = 0; pass < 2; pass++) {
		open_session(&world, TACHO_REPLAY_PROCESS, pass);
		assert_int_equal(tacho_session_begin_pass(world.session), 0);
		run_range(&world, 1, 4);
		assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
		result = take(&world, 1);
		expect(get(result, "a__throughput", 0), -1);
		tacho_result_destroy(result);
		tacho_session_destroy(world.session);
		world.session = NULL;
	}
	close_world(&world);
}

/* ---- other replays ---- */

static void test_process(void **state)
{
	static const char *const names[] = {"a__x00.sum", "a__x04.sum", "a__x08.avg"};
	static const double values[] = {96, 5 * 96, 9 * 24};

	(void)state;
	for (uint32_t pass = 0; pass < 3; pass++) {
		struct world world;
		struct tacho_result *result;

		open_world(&world, three_passes);
		open_session(&world, TACHO_REPLAY_PROCESS, pass);
		assert_int_equal(tacho_session_begin_pass(world.session), 0);
		run_range(&world, 1, 3);
		assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
		result = take(&world, 1);
		for (uint32_t i = 0; i < 3; i++)
			expect(get(result, names[i], 0), i == pass ? values[i] : -1);
		tacho_result_destroy(result);
		close_world(&world);
	}
}

/* The pass stays open from range to range, and each is taken as soon as it has ended. */
static void test_goes_on(void **state)
{
	struct world world;

	(void)state;
	open_world(&world, "a__x00.sum,b__y0.sum");
	open_session(&world, TACHO_REPLAY_NONE, 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	for (uint32_t i = 1; i < 50; i++) {
		struct tacho_result *result;

		run_range(&world, 1, i);
		result = take(&world, 1);
		expect(get(result, "a__x00.sum", 0), 32.0 * i);
		expect(get(result, "b__y0.sum", 0), i);
		tacho_result_destroy(result);
	}
	close_world(&world);
}

static void test_rotate(void **state)
{
	static const char *const names[] = {"a__x00.sum", "a__x04.sum", "a__x08.avg"};
	struct world world;

	(void)state;
	open_world(&world, three_passes);
	open_session(&world, TACHO_REPLAY_ROTATE, 0);
	for (uint32_t i = 0; i < 6; i++) {
		struct tacho_result *result;

		run_range(&world, 1, 2);
		result = take(&world, 1);
		for (uint32_t k = 0; k < 3; k++)
			assert_int_equal(get(result, names[k], 0) >= 0, k == i % 3);
		tacho_result_destroy(result);
	}
	close_world(&world);
}

/* The library runs the kernel for each pass, with memory as it was. */
static void test_vendor(void **state)
{
	struct world world;
	CUdeviceptr counter;
	uint32_t counted = 0;
	void *arguments[] = {&counter};

	(void)state;
	OK(cuMemAlloc_v2(&counter, sizeof(counted)));
	OK(cuMemsetD32_v2(counter, 0, 1));
	open_world(&world, three_passes);
	open_session(&world, TACHO_REPLAY_VENDOR, 0);
	for (uint32_t i = 1; i <= 3; i++) {
		struct tacho_result *result;
		tacho_range range;

		assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "count", &range),
				 0);
		OK(cuLaunchKernel(count, i, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
		assert_int_equal(tacho_session_end_range(world.session, range), 0);
		result = take(&world, 1);
		check_row(result, 0, i);
		tacho_result_destroy(result);
	}
	OK(cuMemcpyDtoH_v2(&counted, counter, sizeof(counted)));
	assert_int_equal(counted, 32 * (1 + 2 + 3));
	OK(cuMemFree_v2(counter));
	close_world(&world);
}

/* What is not one kernel has no values that belong together. */
static void test_vendor_not_one(void **state)
{
	struct world world;

	(void)state;
	open_world(&world, three_passes);
	open_session(&world, TACHO_REPLAY_VENDOR, 0);
	for (int kernels = 0; kernels <= 2; kernels += 2) {
		struct tacho_result *result;
		tacho_range range;

		assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "two", &range), 0);
		for (int i = 0; i < kernels; i++)
			launch(1);
		assert_int_equal(tacho_session_end_range(world.session, range), 0);
		result = take(&world, 1);
		expect(get(result, "a__x00.sum", 0), -1);
		tacho_result_destroy(result);
	}
	close_world(&world);
}

/* ---- ranges and each other ---- */

static void test_overlap(void **state)
{
	struct world world;
	tacho_range one, other;

	(void)state;
	open_world(&world, "a__x00.sum");
	open_session(&world, TACHO_REPLAY_NONE, 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "one", &one), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 2, "other", &other),
			 TACHO_E_BUSY);
	launch(1);
	assert_int_equal(tacho_session_end_range(world.session, one), 0);
	tacho_result_destroy(take(&world, 1));
	close_world(&world);
}

/* Ranges in others are counted in passes of their own. */
static void test_nested(void **state)
{
	struct world world;
	struct tacho_result *result;
	int more = 1, runs = 0;

	(void)state;
	open_world(&world, "a__x00.sum,a__x01.sum,a__x02.sum,a__x03.sum,a__x04.sum");
	open_session(&world, TACHO_REPLAY_CALLER, 0);
	for (; more; runs++) {
		tacho_range outer, inner;

		assert_int_equal(tacho_session_begin_pass(world.session), 0);
		assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "outer", &outer),
				 0);
		launch(1);
		assert_int_equal(
			tacho_session_begin_range(world.session, outer, 2, "inner", &inner), 0);
		launch(2);
		assert_int_equal(tacho_session_end_range(world.session, inner), 0);
		assert_int_equal(tacho_session_end_range(world.session, outer), 0);
		assert_int_equal(tacho_session_end_pass(world.session, &more), 0);
	}
	assert_int_equal(runs, 4); /* two passes, two levels */
	result = take(&world, 2);
	expect(get(result, "a__x00.sum", 0), 96);
	expect(get(result, "a__x04.sum", 0), 5 * 96);
	expect(get(result, "a__x00.sum", 1), 64);
	expect(get(result, "a__x04.sum", 1), 5 * 64);
	tacho_result_destroy(result);
	close_world(&world);
}

/* ---- what the library lacks or loses ---- */

static void test_drops(void **state)
{
	struct world world;
	struct tacho_result *result;

	(void)state;
	ask("drops");
	open_world(&world, "a__x00.sum");
	open_session(&world, TACHO_REPLAY_NONE, 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	for (uint32_t i = 0; i < 7; i++)
		run_range(&world, i, i + 1);
	result = take(&world, 7);
	for (uint32_t i = 0; i < 7; i++)
		expect(get(result, "a__x00.sum", i), i % 3 == 2 ? -1 : 32.0 * (i + 1));
	assert_int_equal(tacho_session_get_lost_rows(world.session), 2);
	tacho_result_destroy(result);
	close_world(&world);
}

static void test_unavailable(void **state)
{
	struct world world;
	struct tacho_result *result;

	(void)state;
	ask("lacks_b");
	open_world(&world, "a__x00.sum,b__y0.sum");
	open_session(&world, TACHO_REPLAY_NONE, 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	run_range(&world, 1, 1);
	result = take(&world, 1);
	expect(get(result, "a__x00.sum", 0), 32);
	expect(get(result, "b__y0.sum", 0), -1);
	tacho_result_destroy(result);
	close_world(&world);

	ask("lacks_b");
	open_world(&world, "b__y0.sum,b__y1.sum,b__y2.sum");
	assert_int_equal(try_session(&world, TACHO_REPLAY_CALLER, 0), TACHO_E_PASSES);
	assert_non_null(strstr(tacho_error_last()->cause, "makes 1 passes"));
	assert_non_null(strstr(tacho_error_last()->cause, "the plan has 2"));
	close_world(&world);
}

static void test_other_passes(void **state)
{
	struct world world;
	int more = 0;

	(void)state;
	ask("short");
	open_world(&world, three_passes);
	open_session(&world, TACHO_REPLAY_CALLER, 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	run_range(&world, 1, 1);
	assert_int_equal(tacho_session_end_pass(world.session, &more), 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	run_range(&world, 1, 1);
	assert_int_equal(tacho_session_end_pass(world.session, &more), TACHO_E_PASSES);
	assert_non_null(strstr(tacho_error_last()->cause, "behind pass 2 of 3"));
	close_world(&world);
}

static void test_newer(void **state)
{
	struct world world;
	struct tacho_result *result;

	(void)state;
	ask("newer");
	open_world(&world, "a__x00.sum");
	open_session(&world, TACHO_REPLAY_NONE, 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	run_range(&world, 1, 1);
	result = take(&world, 1);
	expect(get(result, "a__x00.sum", 0), 32);
	tacho_result_destroy(result);
	close_world(&world);
}

/* ---- each status ---- */

/* Whatever fails, the code is the one of the status, and it says which call it was. */
static int count_once(struct world *world)
{
	struct tacho_result *result = NULL;
	int rc = try_session(world, TACHO_REPLAY_CALLER, 0);

	if (!rc)
		rc = tacho_session_begin_pass(world->session);
	if (!rc)
		rc = try_range(world, 1, 1);
	if (!rc)
		rc = tacho_session_end_pass(world->session, NULL);
	if (!rc)
		rc = tacho_session_take(world->session, &result);
	tacho_result_destroy(result);
	return rc;
}

static void test_status(void **state)
{
	static const struct {
		const char *call, *function;
	} calls[] = {
		{"initialize", "cuptiProfilerInitialize"},
		{"supported", "cuptiProfilerDeviceSupported"},
		{"availability", "cuptiProfilerGetCounterAvailability"},
		{"enable", "cuptiRangeProfilerEnable"},
		{"size", "cuptiRangeProfilerGetCounterDataSize"},
		{"data", "cuptiRangeProfilerCounterDataImageInitialize"},
		{"config", "cuptiRangeProfilerSetConfig"},
		{"start", "cuptiRangeProfilerStart"},
		{"push", "cuptiRangeProfilerPushRange"},
		{"pop", "cuptiRangeProfilerPopRange"},
		{"stop", "cuptiRangeProfilerStop"},
		{"decode", "cuptiRangeProfilerDecodeData"},
		{"evaluate", "cuptiProfilerHostEvaluateToGpuValues"},
	};
	static const struct {
		int status, code;
		const char *cause;
	} statuses[] = {
		{7, TACHO_E_BUSY, "INVALID_OPERATION"},
		{15, TACHO_E_VERSION, "older than CUPTI"},
		{26, TACHO_E_BUSY, "holds the GPU's counters"},
		{33, TACHO_E_UNSUPPORTED, "virtual"},
		{35, TACHO_E_PERM, "administrators"},
		{40, TACHO_E_PERM, "virtual machine"},
		{41, TACHO_E_UNSUPPORTED, "confidential"},
		{42, TACHO_E_UNSUPPORTED, "mining"},
		{43, TACHO_E_UNSUPPORTED, "MIG"},
		{44, TACHO_E_UNSUPPORTED, "SLI"},
		{45, TACHO_E_UNSUPPORTED, "WSL"},
		{999, TACHO_E_VENDOR, "no reason"},
	};
	struct world world;
	char words[64];

	(void)state;
	open_world(&world, "a__x00.sum");
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		for (size_t k = 0; k < sizeof(statuses) / sizeof(statuses[0]); k++) {
			snprintf(words, sizeof(words), "%s=%d", calls[i].call, statuses[k].status);
			ask(words);
			assert_int_equal(count_once(&world), statuses[k].code);
			assert_non_null(strstr(tacho_error_last()->cause, calls[i].function));
			assert_non_null(strstr(tacho_error_last()->cause, statuses[k].cause));
			assert_true(*tacho_error_last()->cure);
			assert_int_equal(tacho_error_last()->vendor_code, statuses[k].status);
			ask(NULL);
			tacho_session_destroy(world.session);
			world.session = NULL;
			tacho__cupti_close_profiler(&world.device);
		}
	close_world(&world);
}

/* What the library says of the device's kind comes before anything is tried. */
static void test_support(void **state)
{
	static const struct {
		const char *word;
		int code;
		const char *cause;
	} kinds[] = {
		{"sli", TACHO_E_UNSUPPORTED, "SLI"},
		{"vgpu_off", TACHO_E_PERM, "virtual machine"},
		{"confidential", TACHO_E_UNSUPPORTED, "confidential"},
		{"mining", TACHO_E_UNSUPPORTED, "mining"},
		{"wsl", TACHO_E_UNSUPPORTED, "WSL"},
		{"old_chip", TACHO_E_UNSUPPORTED, "INVALID_DEVICE"},
	};
	struct world world;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		open_world(&world, "a__x00.sum");
		ask(kinds[i].word);
		assert_int_equal(try_session(&world, TACHO_REPLAY_NONE, 0), kinds[i].code);
		assert_non_null(strstr(tacho_error_last()->cause, kinds[i].cause));
		close_world(&world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_newer), /* the first: then the sizes of before are looked for
					       */
		cmocka_unit_test(test_caller),	       cmocka_unit_test(test_many_ranges),
		cmocka_unit_test(test_sessions),       cmocka_unit_test(test_split),
		cmocka_unit_test(test_process),	       cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_rotate),	       cmocka_unit_test(test_vendor),
		cmocka_unit_test(test_vendor_not_one), cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_nested),	       cmocka_unit_test(test_drops),
		cmocka_unit_test(test_unavailable),    cmocka_unit_test(test_other_passes),
		cmocka_unit_test(test_status),	       cmocka_unit_test(test_support),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
