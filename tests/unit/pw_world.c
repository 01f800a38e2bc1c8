/* SPDX-License-Identifier: MIT */
#include "pw_world.h"

void pw_expect(const char *file, int line, NVPA_Status status, NVPA_Status wanted)
{
	if (status == wanted)
		return;
	print_error("%s:%d: %s (%d), not %s (%d): %s\n", file, line, NVPA_GetStatusText(status),
		    status, NVPA_GetStatusText(wanted), wanted, NVPA_GetErrorText());
	_fail(file, line);
}

void expect_text(const char *part)
{
	if (!strstr(NVPA_GetErrorText(), part))
		fail_msg("\"%s\" is not in \"%s\"", part, NVPA_GetErrorText());
}

NVPA_Activity *make_activity(void *ctx)
{
	NVPA_ActivityOptions *options = NULL;
	NVPA_Activity *activity = NULL;
	size_t device = ~(size_t)0;

	expect(OK, NVPA_Context_GetDeviceIndex(ctx, 0, &device));
	expect(OK, NVPA_ActivityOptions_Create(&options));
	expect(OK, NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	expect(OK, NVPA_Activity_CreateForDevice(device, options, &activity));
	expect(OK, NVPA_ActivityOptions_Destroy(options));
	return activity;
}

NVPA_Config *make_config(void *ctx, const struct want *wants)
{
	NVPA_Activity *activity = make_activity(ctx);
	NVPA_MetricOptions *options = NULL;
	NVPA_Config *config = NULL;

	expect(OK, NVPA_MetricOptions_Create(&options));
	for (; wants->name; wants++) {
		NVPA_MetricEnableError error = NVPA_METRIC_ENABLE_ERROR_FORCE_INT;
		NVPA_MetricId id = 0;

		expect(OK, NVPA_MetricOptions_SetSerialized(options, !wants->is_pipelined));
		expect(OK, NVPA_Activity_FindMetricByName(activity, wants->name, &id));
		expect(OK, NVPA_Activity_EnableMetric(activity, id, options, &error));
		assert_int_equal(error, NVPA_METRIC_ENABLE_ERROR_NONE);
	}
	expect(OK, NVPA_MetricOptions_Destroy(options));
	expect(OK, NVPA_Config_Create(activity, &config));
	expect(OK, NVPA_Activity_Destroy(activity));
	return config;
}

NVPA_MetricId find_id(void *ctx, const char *name)
{
	NVPA_Activity *activity = make_activity(ctx);
	NVPA_MetricId id = 0;

	expect(OK, NVPA_Activity_FindMetricByName(activity, name, &id));
	expect(OK, NVPA_Activity_Destroy(activity));
	return id;
}

void run_warps(void *ctx, uint64_t warps)
{
	const struct tacho_sim_work work = {
		.size = sizeof(work),
		.name = "warps",
		.grid = {32 * warps},
		.workgroup = {32},
		.per_wave = {.valu = 10},
		.duration_ns = 1000,
	};

	if (tacho_sim_submit(ctx, &work, NULL))
		fail_msg("%s: %s", tacho_error_last()->message, tacho_error_last()->cause);
}

size_t run_passes(void *ctx, void (*work)(void *ctx))
{
	bool is_ready = true;
	size_t passes = 0;

	expect(OK, NVPA_Context_PredictDataReady(ctx, &is_ready));
	assert_false(is_ready);
	while (!is_ready) {
		expect(OK, NVPA_Context_BeginPass(ctx));
		work(ctx);
		expect(OK, NVPA_Context_EndPass(ctx));
		expect(OK, NVPA_Context_PredictDataReady(ctx, &is_ready));
		passes++;
	}
	expect(OK, NVPA_Context_Finish(ctx));
	return passes;
}

NVPA_Value get_value(void *ctx, const NVPA_Results *results, const uint64_t *ids, size_t depth,
		     const char *name, bool is_serialized)
{
	NVPA_Value value;
	size_t index = 0;

	expect(OK, NVPA_Results_FindRange(results, ids, depth, &index));
	expect(OK,
	       NVPA_Results_GetValue(results, index, find_id(ctx, name), is_serialized, &value));
	return value;
}

double get_number(void *ctx, const NVPA_Results *results, const uint64_t *ids, size_t depth,
		  const char *name, bool is_serialized)
{
	NVPA_Value value = get_value(ctx, results, ids, depth, name, is_serialized);

	if (value.state != NVPA_VALUE_OK)
		fail_msg("%s has the state %d: %s", name, value.state, value.note);
	return value.number;
}
