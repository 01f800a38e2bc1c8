/* SPDX-License-Identifier: MIT */
/* What the PerfWorks face refuses: handles, pointers and metrics that are none, and the order. */
#include "pw_world.h"
#include "sim_world.h"

#define WARPS "sm__warps_launched_sum"

static const struct want warps[] = {{WARPS, false}, {NULL, false}};

static void *open_h200(void)
{
	void *ctx = NULL;

	expect(OK, NVPA_Sim_CreateContext("h200", &ctx));
	return ctx;
}

/* ---- pointers ---- */

/* A pointer that nobody made known is never looked into: this one cannot be. */
static void unknown_pointers_are_never_followed(void **state)
{
	void *wild = (void *)(uintptr_t)0x10;
	size_t index = 77;
	bool is_ready = true;
	NVPA_Results *results = NULL;
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, warps);

	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_GetDeviceIndex(wild, 0, &index));
	expect_text("0x10");
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_BeginSession(wild, config));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_EndSession(wild));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_BeginPass(wild));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_EndPass(wild));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Object_PushRange(wild, 1));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Object_PopRange(wild));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_PredictDataReady(wild, &is_ready));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_Finish(wild));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_ReadResults(wild, &results));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_UnregisterContext(wild));
	expect(NVPA_STATUS_DRIVER_NOT_LOADED, NVPA_GL_RegisterContext(wild));
	expect(NVPA_STATUS_INVALID_THREAD_STATE, NVPA_EGL_PushRange(1));
	expect(NVPA_STATUS_INVALID_THREAD_STATE, NVPA_EGL_PopRange());
	assert_int_equal(index, 77);
	assert_true(is_ready);
	assert_null(results);
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_UnregisterContext(ctx));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_BeginPass(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

/* The handle of something else, of what was destroyed, and no handle at all. */
static void handles_are_checked(void **state)
{
	NVPA_ActivityOptions *options = NULL, *again = NULL;
	NVPA_MetricOptions *metric_options = NULL;
	void *ctx = open_h200();
	NVPA_Activity *activity = make_activity(ctx);
	NVPA_Config *config = make_config(ctx, warps);
	NVPA_Activity *made = NULL;
	size_t count = 5;

	expect(OK, NVPA_ActivityOptions_Create(&options));
	expect(OK, NVPA_MetricOptions_Create(&metric_options));
	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_ActivityOptions_Destroy((NVPA_ActivityOptions *)metric_options));
	expect_text("NVPA_ActivityOptions");
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_ActivityOptions_Destroy(NULL));
	expect(OK, NVPA_ActivityOptions_Destroy(options));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_ActivityOptions_Destroy(options));
	expect(OK, NVPA_ActivityOptions_Create(&again)); /* in the slot of the one before */
	assert_ptr_not_equal(again, options);
	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Activity_CreateForDevice(0, again, &made));
	expect_text("kind");
	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_ActivityOptions_SetActivityKind(again, (NVPA_ActivityKind)2));
	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_ActivityOptions_SetActivityKind(again, NVPA_ACTIVITY_KIND_INVALID));
	expect(OK, NVPA_ActivityOptions_SetActivityKind(again, NVPA_ACTIVITY_KIND_PROFILER));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Activity_CreateForDevice(99, again, &made));
	assert_null(made);
	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_Config_GetMetricCount((NVPA_Config *)activity, &count));
	assert_int_equal(count, 5);
	expect(OK, NVPA_Activity_Destroy(activity));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Activity_Destroy(activity));
	expect(OK, NVPA_Config_Destroy(config));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Config_Destroy(config));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Context_BeginSession(ctx, config));
	expect(OK, NVPA_ActivityOptions_Destroy(again));
	expect(OK, NVPA_MetricOptions_Destroy(metric_options));
	expect(OK, NVPA_UnregisterContext(ctx));
}

/* ---- metrics ---- */

static void metrics_are_checked(void **state)
{
	NVPA_MetricEnableError error = NVPA_METRIC_ENABLE_ERROR_MODE;
	NVPA_MetricId id = 11, same = 12;
	void *ctx = open_h200(), *other = NULL;
	NVPA_Activity *activity = make_activity(ctx);
	NVPA_Config *config = NULL;
	size_t count = 0;
	const char *name = NULL;
	bool is_serialized = false;

	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_Activity_FindMetricByName(activity, "sm__warp_launched_sum", &id));
	expect_text("sm__warps_launched");
	expect(NVPA_STATUS_NOT_SUPPORTED,
	       NVPA_Activity_FindMetricByName(activity, "device_time", &id));
	assert_int_equal(id, 11);
	expect(NVPA_STATUS_INVALID_OBJECT_STATE, NVPA_Config_Create(activity, &config));
	assert_null(config);
	expect(OK, NVPA_Activity_FindMetricByName(activity, WARPS, &id));
	expect(OK, NVPA_Activity_FindMetricByName(activity, WARPS, &same));
	assert_int_equal(id, same);
	expect(NVPA_STATUS_INVALID_METRIC_ID,
	       NVPA_Activity_EnableMetric(activity, id + 1000, NULL, &error));
	assert_int_equal(error, NVPA_METRIC_ENABLE_ERROR_INVALID_ID);
	expect(OK, NVPA_Activity_EnableMetric(activity, id, NULL, NULL));
	expect(OK, NVPA_Activity_EnableMetric(activity, id, NULL, &error)); /* again */
	assert_int_equal(error, NVPA_METRIC_ENABLE_ERROR_NONE);
	/* of another device */
	expect(OK, NVPA_Sim_CreateContext("mi300x", &other));
	same = find_id(other, "SQ_WAVES");
	expect(NVPA_STATUS_INVALID_METRIC_ID,
	       NVPA_Activity_EnableMetric(activity, same, NULL, &error));
	expect(OK, NVPA_Config_Create(activity, &config));
	expect(NVPA_STATUS_OBJECT_MISMATCH, NVPA_Context_BeginSession(other, config));
	expect(OK, NVPA_Activity_Destroy(activity));
	expect(OK, NVPA_Config_GetMetricCount(config, &count));
	assert_int_equal(count, 1);
	expect(OK, NVPA_Config_GetMetric(config, 0, &same, &is_serialized, &name));
	assert_string_equal(name, WARPS);
	assert_int_equal(same, id);
	assert_true(is_serialized);
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Config_GetMetric(config, 1, &same, NULL, NULL));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Config_GetPassCount(config, 0, &count));
	expect(OK, NVPA_Config_Destroy(config));
	expect(OK, NVPA_UnregisterContext(other));
	expect(OK, NVPA_UnregisterContext(ctx));
}

/* Values that were counted elsewhere: nobody knows in which mode. */
static void modes_are_refused_with_the_reason(void **state)
{
	struct world world = {0};
	struct tacho_context_options options = {.size = sizeof(options), .backends = "replay"};
	NVPA_MetricEnableError error = NVPA_METRIC_ENABLE_ERROR_NONE;
	struct tacho_context *core = NULL;
	struct tacho_device *device = NULL;
	NVPA_Activity *activity;
	NVPA_MetricId id = 0;

	world_open(&world, "sim:h200");
	world_begin(&world, NAMES("sm__warps_launched"));
	world_run(&world, &kernel, 1);
	options.values = world.result;
	assert_int_equal(tacho_context_create(&options, &core), 0);
	assert_int_equal(tacho_device_open(core, tacho_context_get_device_info(core, 0), &device),
			 0);
	expect(OK, NVPA_Tacho_RegisterDevice(device));
	activity = make_activity(device);
	expect(OK, NVPA_Activity_FindMetricByName(activity, "sm__warps_launched", &id));
	expect(NVPA_STATUS_ERROR, NVPA_Activity_EnableMetric(activity, id, NULL, &error));
	assert_int_equal(error, NVPA_METRIC_ENABLE_ERROR_MODE);
	expect_text("counted elsewhere");
	expect(OK, NVPA_Activity_Destroy(activity));
	expect(OK, NVPA_UnregisterContext(device));
	tacho_device_close(device);
	tacho_context_destroy(core);
	world_close(&world);
}

/* All that is listed is found under its name, and has texts. */
static void lists_metrics(void **state)
{
	void *ctx = open_h200();
	NVPA_Activity *activity = make_activity(ctx);
	size_t count = 0;

	expect(OK, NVPA_Activity_GetMetricCount(activity, &count));
	assert_true(count > 1000);
	for (size_t i = 0; i < count; i++) {
		const char *name = NULL, *unit = NULL, *description = NULL;
		NVPA_MetricId id = 0, found = 0;

		expect(OK, NVPA_Activity_GetMetric(activity, i, &id, &name));
		expect(OK, NVPA_Activity_FindMetricByName(activity, name, &found));
		assert_int_equal(id, found);
		expect(OK, NVPA_Activity_GetMetricTexts(activity, id, &unit, &description));
		assert_non_null(unit);
		assert_true(*description != '\0');
	}
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Activity_GetMetric(activity, count, NULL, NULL));
	expect(OK, NVPA_Activity_Destroy(activity));
	expect(OK, NVPA_UnregisterContext(ctx));
}

/* ---- order ---- */

static void calls_have_an_order(void **state)
{
	const NVPA_SessionOptions unset = {.maxRanges = 1};
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, warps);
	NVPA_Results *results = NULL;
	bool is_ready = true;

	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_BeginPass(ctx));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_PredictDataReady(ctx, &is_ready));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Object_PushRange(ctx, 1));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_Finish(ctx));
	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_Context_BeginSessionWithOptions(ctx, config, &unset));
	expect(OK, NVPA_Context_BeginSession(ctx, config));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_BeginSession(ctx, config));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Object_PushRange(ctx, 1));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_EndPass(ctx));
	expect(OK, NVPA_Context_BeginPass(ctx));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_BeginPass(ctx));
	expect(NVPA_STATUS_INVALID_OBJECT_STATE, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_Finish(ctx));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Context_EndPass(ctx));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_BeginPass(ctx));
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_Context_EndSession(ctx));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_EndSession(ctx));
	/* in the middle of a pass */
	expect(OK, NVPA_Context_BeginSession(ctx, config));
	expect(OK, NVPA_Context_BeginPass(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	expect(OK, NVPA_Context_EndSession(ctx));
	expect(OK, NVPA_Context_BeginSession(ctx, config));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

/* ---- what the device refuses ---- */

static void devices_refuse_sessions(void **state)
{
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, warps);

	assert_int_equal(tacho_sim_set_fault(ctx, TACHO_SIM_FAULT_PERMISSION, 0), 0);
	expect(NVPA_STATUS_INSUFFICIENT_PRIVILEGE, NVPA_Context_BeginSession(ctx, config));
	assert_int_equal(tacho_sim_set_fault(ctx, TACHO_SIM_FAULT_BUSY, 0), 0);
	expect(NVPA_STATUS_RESOURCE_UNAVAILABLE, NVPA_Context_BeginSession(ctx, config));
	assert_int_equal(tacho_sim_set_fault(ctx, TACHO_SIM_FAULT_NONE, 0), 0);
	expect(OK, NVPA_Context_BeginSession(ctx, config));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

/* ---- a simulated device in the place of a real one ---- */

static void simulated_contexts_have_work_of_their_own(void **state)
{
	int queue = 0, graphics = 0;
	NVPA_Results *results = NULL;
	NVPA_Config *config;
	void *ctx = &queue;

	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_BeginPass(ctx));
	setenv("TACHO_SIM", "h200", 1);
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_BeginPass(ctx));
	expect(OK, NVPA_CL_RegisterCommandQueue(ctx));
	expect(OK, NVPA_CL_RegisterCommandQueue(ctx));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_GL_RegisterContext(ctx));
	expect(OK, NVPA_GL_RegisterContext(&graphics));
	setenv("TACHO_SIM", "h2000", 1);
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_GL_RegisterContext(&results));
	unsetenv("TACHO_SIM");
	config = make_config(ctx, warps);
	expect(OK, NVPA_Context_BeginSession(ctx, config));
	expect(OK, NVPA_Context_BeginPass(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	expect(OK, NVPA_Context_EndPass(ctx));
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	/* 4096 items of docs/gpa.md in warps of 32 */
	assert_true(get_number(ctx, results, IDS(1), WARPS, true) == 4096 / 32);
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_UnregisterContext(&graphics));
	expect(OK, NVPA_Config_Destroy(config));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_pointers_are_never_followed),
		cmocka_unit_test(handles_are_checked),
		cmocka_unit_test(metrics_are_checked),
		cmocka_unit_test(modes_are_refused_with_the_reason),
		cmocka_unit_test(lists_metrics),
		cmocka_unit_test(calls_have_an_order),
		cmocka_unit_test(devices_refuse_sessions),
		cmocka_unit_test(simulated_contexts_have_work_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
