/* SPDX-License-Identifier: MIT */
/*
 * Every allocation of the PerfWorks face and of the grammar fails once, and with all behind it: the
 * call says so and can be made again, and what is there in the end is right.
 */
#include "pw_world.h"

#include <math.h>

#include "memory_faults.h"
#include "tacho/catalog.h"
#include "tacho/device.h"

enum { INNER = 3, OUTER = 4, METRICS = 3, PASSES_MAX = 32 };

static void *ctx;
static size_t base_count, ending_count; /* of the device's names */

/* OUT_OF_MEMORY with a text, or success. */
static NVPA_Status settle(NVPA_Status status)
{
	if (!status)
		return status;
	expect(NVPA_STATUS_OUT_OF_MEMORY, status);
	assert_string_not_equal(NVPA_GetErrorText(), "");
	memory_settle(TACHO_E_NOMEM);
	return status;
}

#define AGAIN(call)                       \
	do {                              \
		if (settle(call))         \
			expect(OK, call); \
	} while (0)

static const struct {
	const char *name;
	double inner, outer_pipelined;
} metrics[METRICS] = {
	{"sm__warps_launched_sum", INNER, OUTER},
	{"sm__inst_executed.sum", 10 * INNER, 10 * OUTER},
	{"gpu__time_duration", 1000, 1000},
};

static void enable(NVPA_Activity *activity, NVPA_MetricId ids[METRICS])
{
	NVPA_MetricOptions *options = NULL;

	AGAIN(NVPA_MetricOptions_Create(&options));
	for (int i = 0; i < METRICS; i++) {
		AGAIN(NVPA_Activity_FindMetricByName(activity, metrics[i].name, &ids[i]));
		for (int mode = 0; mode < 2; mode++) {
			AGAIN(NVPA_MetricOptions_SetSerialized(options, mode));
			AGAIN(NVPA_Activity_EnableMetric(activity, ids[i], options, NULL));
		}
	}
	AGAIN(NVPA_MetricOptions_Destroy(options));
}

static NVPA_Config *create(NVPA_MetricId ids[METRICS])
{
	NVPA_ActivityOptions *options = NULL;
	NVPA_Activity *activity = NULL;
	NVPA_Config *config = NULL;
	size_t device = 0, count = 0;

	AGAIN(NVPA_Context_GetDeviceIndex(ctx, 0, &device));
	AGAIN(NVPA_ActivityOptions_Create(&options));
	AGAIN(NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	AGAIN(NVPA_Activity_CreateForDevice(device, options, &activity));
	AGAIN(NVPA_ActivityOptions_Destroy(options));
	enable(activity, ids);
	AGAIN(NVPA_Config_Create(activity, &config));
	AGAIN(NVPA_Config_GetMetricCount(config, &count));
	assert_int_equal(count, 2 * METRICS);
	AGAIN(NVPA_Activity_Destroy(activity));
	return config;
}

static void work(uint64_t warps)
{
	const struct tacho_sim_work kernel = {.size = sizeof(kernel),
					      .grid = {32 * warps},
					      .workgroup = {32},
					      .per_wave = {.valu = 10},
					      .duration_ns = 1000};

	TWICE(tacho_sim_submit(ctx, &kernel, NULL));
}

/* A pass that fails in its end is over all the same. */
static void run(void)
{
	bool is_ready = false;
	int passes = 0;

	for (; !is_ready && passes < PASSES_MAX; passes++) {
		AGAIN(NVPA_Context_BeginPass(ctx));
		AGAIN(NVPA_Object_PushRangeNamed(ctx, 200, "outer"));
		work(OUTER);
		AGAIN(NVPA_Object_PushRange(ctx, 10));
		work(INNER);
		settle(NVPA_Context_EndPass(ctx));
		AGAIN(NVPA_Context_PredictDataReady(ctx, &is_ready));
	}
	assert_true(is_ready);
}

/* What has a value has the right one; without a failure all have. */
static void check(const NVPA_Results *results, size_t range, const NVPA_MetricId ids[METRICS],
		  bool is_inner)
{
	for (int i = 0; i < 2 * METRICS; i++) {
		double wanted = metrics[i / 2].inner;
		NVPA_Value value;

		if (!is_inner)
			wanted = metrics[i / 2].outer_pipelined + (i % 2 ? wanted : 0);
		AGAIN(NVPA_Results_GetValue(results, range, ids[i / 2], i % 2, &value));
		if (value.state == NVPA_VALUE_OK)
			assert_true(value.number == wanted);
		else
			assert_true(memory_has_failed());
		if (value.state == NVPA_VALUE_ABSENT)
			assert_true(isnan(value.number));
	}
}

static void use_face(void)
{
	NVPA_MetricId ids[METRICS] = {0};
	NVPA_Results *results = NULL;
	NVPA_Config *config;
	size_t outer = 0, inner = 0;

	AGAIN(NVPA_Tacho_RegisterDevice(ctx));
	config = create(ids);
	AGAIN(NVPA_Context_BeginSession(ctx, config));
	run();
	AGAIN(NVPA_Context_ReadResults(ctx, &results));
	AGAIN(NVPA_Context_EndSession(ctx));
	AGAIN(NVPA_Config_Destroy(config));
	AGAIN(NVPA_UnregisterContext(ctx));
	AGAIN(NVPA_Results_FindRange(results, IDS(200), &outer));
	AGAIN(NVPA_Results_FindRange(results, IDS(200, 10), &inner));
	check(results, outer, ids, false);
	check(results, inner, ids, true);
	AGAIN(NVPA_Results_Destroy(results));
}

static void test_face(void **state)
{
	memory_fail_each(use_face, 100);
}

/* Not one ending is left out because there is no memory to look at it. */
static void list_names(void)
{
	struct tacho_metric_base *bases = NULL;
	size_t count = 0, endings = 0;

	TWICE(tacho_arch_list_metric_bases(tacho_device_get_arch(ctx), &bases, &count));
	assert_int_equal(count, base_count);
	for (size_t i = 0; i < count; i++)
		endings += (size_t)__builtin_popcountll(bases[i].endings);
	assert_int_equal(endings, ending_count);
	free(bases);
}

static void test_list(void **state)
{
	struct tacho_metric_base *bases = NULL;

	assert_int_equal(
		tacho_arch_list_metric_bases(tacho_device_get_arch(ctx), &bases, &base_count), 0);
	for (size_t i = 0; i < base_count; i++)
		ending_count += (size_t)__builtin_popcountll(bases[i].endings);
	free(bases);
	assert_true(ending_count > 2000);
	memory_fail_each(list_names, 3);
}

/* A name is made once: each time another one, of which there are many. */
static void make_name(void)
{
	static const char *const endings[] = {"_sum", "_avg_pct", ".max.per_second",
					      ".min.per_cycle_active"};
	static size_t next;
	const struct tacho_arch *arch = tacho_device_get_arch(ctx);
	const struct tacho_entry *base, *made = NULL;
	char name[128];

	do {
		base = tacho_arch_get_entry(arch, next / 4);
		assert_non_null(base);
		snprintf(name, sizeof(name), "%s%s", base->name, endings[next++ % 4]);
	} while (base->kind != TACHO_ENTRY_COUNTER || strncmp(base->name, "sm__", 4) != 0);
	TWICE(tacho_arch_resolve_entry(arch, name, &made));
	assert_string_equal(made->name, name);
}

static void test_name(void **state)
{
	memory_fail_each(make_name, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_face),
	};
	struct tacho_context_options options = {.size = sizeof(options), .backends = "sim:h200"};
	struct tacho_context *context = NULL;
	struct tacho_device *device = NULL;
	int failed;

	if (tacho_context_create(&options, &context) ||
	    tacho_device_open(context, tacho_context_get_device_info(context, 0), &device))
		return 1;
	ctx = device;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	memory_reset();
	tacho_device_close(device);
	tacho_context_destroy(context);
	return failed;
}
