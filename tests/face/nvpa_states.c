/* SPDX-License-Identifier: MIT */
/*
 * nvpa_states calls|arguments: every call of PerfWorks in every state of a context, and with what
 * it cannot take, on a simulated device. Prints the table of docs/perfworks.md; a call that fails
 * and writes to an output all the same has a "!" behind its status.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvperfapi_user_impl.h"

enum state { UNKNOWN, IDLE, SESSION, PASS, RANGE, BETWEEN, DONE, ENDED, GONE, STATES };

/* Outputs of a call. */
union outputs {
	unsigned char bytes[64];
	void *pointer;
	const char *text;
	size_t size;
	uint64_t number;
	bool flag;
	NVPA_MetricEnableError error;
	NVPA_ActivityOptions *activity_options;
	NVPA_Activity *activity;
	NVPA_MetricOptions *metric_options;
	NVPA_Config *config;
	NVPA_Results *results;
	NVPA_Range range;
	NVPA_Value value;
};

static struct {
	void *ctx;
	size_t device, other_device;
	NVPA_ActivityOptions *options; /* with a kind */
	NVPA_Activity *activity, *empty;
	NVPA_MetricOptions *metric_options;
	NVPA_MetricId metric, unused, others; /* unused: it is not enabled */
	NVPA_Config *config, *other_config;   /* a serialized and a pipelined pass */
	NVPA_Results *results;		      /* of range 1 */
	union outputs out, second, third;
} w;

static void need(NVPA_Status status, const char *what)
{
	if (!status)
		return;
	printf("%s: %d, %s\n", what, (int)status, NVPA_GetErrorText());
	exit(1);
}

#define NEED(call) need(call, #call)

/* ---- getting there ---- */

static void enable(NVPA_Activity *activity, NVPA_MetricId metric, bool is_serialized)
{
	NVPA_MetricOptions *options = NULL;

	NEED(NVPA_MetricOptions_Create(&options));
	NEED(NVPA_MetricOptions_SetSerialized(options, is_serialized));
	NEED(NVPA_Activity_EnableMetric(activity, metric, options, NULL));
	NEED(NVPA_MetricOptions_Destroy(options));
}

static void make_objects(void)
{
	NVPA_Activity *other = NULL;

	NEED(NVPA_ActivityOptions_Create(&w.options));
	NEED(NVPA_ActivityOptions_SetActivityKind(w.options, NVPA_ACTIVITY_KIND_PROFILER));
	NEED(NVPA_Activity_CreateForDevice(w.device, w.options, &w.activity));
	NEED(NVPA_Activity_CreateForDevice(w.device, w.options, &w.empty));
	NEED(NVPA_MetricOptions_Create(&w.metric_options));
	NEED(NVPA_Activity_FindMetricByName(w.activity, "sm__warps_launched_sum", &w.metric));
	NEED(NVPA_Activity_FindMetricByName(w.activity, "sm__ctas_launched_sum", &w.unused));
	enable(w.activity, w.metric, true);
	enable(w.activity, w.metric, false);
	NEED(NVPA_Config_Create(w.activity, &w.config));

	NEED(NVPA_Activity_CreateForDevice(w.other_device, w.options, &other));
	NEED(NVPA_Activity_FindMetricByName(other, "SQ_WAVES", &w.others));
	enable(other, w.others, true);
	NEED(NVPA_Config_Create(other, &w.other_config));
	NEED(NVPA_Activity_Destroy(other));
}

static void run_pass(void)
{
	NEED(NVPA_Context_BeginPass(w.ctx));
	NEED(NVPA_Object_PushRange(w.ctx, 1));
	NEED(NVPA_Object_PopRange(w.ctx));
	NEED(NVPA_Context_EndPass(w.ctx));
}

/* Contexts are made anew only when they were given up: each reads all definitions. */
static void open_contexts(void)
{
	static void *ctx, *other_ctx;

	memset(&w, 0, sizeof(w));
	if (!other_ctx)
		NEED(NVPA_Sim_CreateContext("mi300x", &other_ctx));
	if (!ctx || NVPA_Context_GetDeviceIndex(ctx, 0, &w.device))
		NEED(NVPA_Sim_CreateContext("h200", &ctx));
	w.ctx = ctx;
	NEED(NVPA_Context_GetDeviceIndex(ctx, 0, &w.device));
	NEED(NVPA_Context_GetDeviceIndex(other_ctx, 0, &w.other_device));
	make_objects();
	NEED(NVPA_Context_BeginSession(w.ctx, w.config));
	run_pass();
	run_pass();
	NEED(NVPA_Context_ReadResults(w.ctx, &w.results));
	NEED(NVPA_Context_EndSession(w.ctx));
	memset(&w.out, 0x5a, sizeof(w.out));
	memset(&w.second, 0x5a, sizeof(w.second));
	memset(&w.third, 0x5a, sizeof(w.third));
}

static void reach(enum state state)
{
	static int nobody;

	open_contexts();
	if (state == UNKNOWN)
		w.ctx = &nobody;
	if (state == GONE)
		NEED(NVPA_UnregisterContext(w.ctx));
	if (state < SESSION || state == GONE)
		return;
	NEED(NVPA_Context_BeginSession(w.ctx, w.config));
	if (state == PASS || state == RANGE)
		NEED(NVPA_Context_BeginPass(w.ctx));
	if (state == RANGE)
		NEED(NVPA_Object_PushRange(w.ctx, 1));
	if (state >= BETWEEN)
		run_pass();
	if (state >= DONE)
		run_pass();
	if (state == ENDED)
		NEED(NVPA_Context_EndSession(w.ctx));
}

/* What a call has destroyed is destroyed. */
static void leave(void)
{
	NVPA_Context_EndSession(w.ctx);
	NEED(NVPA_Results_Destroy(w.results));
	if (w.config)
		NEED(NVPA_Config_Destroy(w.config));
	NEED(NVPA_Config_Destroy(w.other_config));
	NEED(NVPA_MetricOptions_Destroy(w.metric_options));
	NEED(NVPA_ActivityOptions_Destroy(w.options));
	NEED(NVPA_Activity_Destroy(w.activity));
	NEED(NVPA_Activity_Destroy(w.empty));
}

/* ---- what is called ---- */

struct row {
	const char *name;
	NVPA_Status (*call)(void);
};

#define CALL(function, expression)          \
	static NVPA_Status function(void)   \
	{                                   \
		return (NVPA_##expression); \
	}

CALL(get_device_index, Context_GetDeviceIndex(w.ctx, 0, &w.out.size))
CALL(begin_session, Context_BeginSession(w.ctx, w.config))
CALL(begin_with_options, Context_BeginSessionWithOptions(w.ctx, w.config, NULL))
CALL(end_session, Context_EndSession(w.ctx))
CALL(begin_pass, Context_BeginPass(w.ctx))
CALL(end_pass, Context_EndPass(w.ctx))
CALL(push, Object_PushRange(w.ctx, 1))
CALL(push_named, Object_PushRangeNamed(w.ctx, 1, "name"))
CALL(pop, Object_PopRange(w.ctx))
CALL(egl_push, EGL_PushRange(1))
CALL(egl_pop, EGL_PopRange())
CALL(predict, Context_PredictDataReady(w.ctx, &w.out.flag))
CALL(finish, Context_Finish(w.ctx))
CALL(read_results, Context_ReadResults(w.ctx, &w.out.results))
CALL(unregister, UnregisterContext(w.ctx))
CALL(register_gl, GL_RegisterContext(w.ctx))
static NVPA_Status destroy_config(void)
{
	NVPA_Status status = NVPA_Config_Destroy(w.config);

	if (!status)
		w.config = NULL;
	return status;
}

static const struct row calls[] = {
	{"Context_GetDeviceIndex", get_device_index},
	{"Context_BeginSession", begin_session},
	{"Context_BeginSessionWithOptions", begin_with_options},
	{"Context_EndSession", end_session},
	{"Context_BeginPass", begin_pass},
	{"Context_EndPass", end_pass},
	{"Object_PushRange", push},
	{"Object_PushRangeNamed", push_named},
	{"Object_PopRange", pop},
	{"EGL_PushRange, none current", egl_push},
	{"EGL_PopRange, none current", egl_pop},
	{"Context_PredictDataReady", predict},
	{"Context_Finish", finish},
	{"Context_ReadResults", read_results},
	{"UnregisterContext", unregister},
	{"GL_RegisterContext, not current", register_gl},
	{"Config_Destroy, of its config", destroy_config},
	{0},
};

/* ---- what calls cannot take ---- */

static uint64_t one = 1, nine = 9, ids[2] = {1, 1};
static NVPA_SessionOptions bad_size = {1, 0, 0, false};
static NVPA_SessionOptions automatic = {sizeof(NVPA_SessionOptions), 0, 0, true};

CALL(device_name, Device_GetName(99, &w.out.text))
CALL(device_name_null, Device_GetName(w.device, NULL))
CALL(device_count_null, GetDeviceCount(NULL))
CALL(sim_null, Sim_CreateContext(NULL, &w.out.pointer))
CALL(sim_out_null, Sim_CreateContext("h200", NULL))
CALL(sim_unknown, Sim_CreateContext("h999", &w.out.pointer))
CALL(index_null, Context_GetDeviceIndex(NULL, 0, &w.out.size))
CALL(index_sli, Context_GetDeviceIndex(w.ctx, 1, &w.out.size))
CALL(index_out_null, Context_GetDeviceIndex(w.ctx, 0, NULL))
CALL(options_null, ActivityOptions_Create(NULL))
CALL(options_destroy_null, ActivityOptions_Destroy(NULL))
CALL(kind_none, ActivityOptions_SetActivityKind(w.options, NVPA_ACTIVITY_KIND_INVALID))
CALL(kind_unknown, ActivityOptions_SetActivityKind(w.options, (NVPA_ActivityKind)2))
CALL(kind_null, ActivityOptions_SetActivityKind(NULL, NVPA_ACTIVITY_KIND_PROFILER))
CALL(activity_device, Activity_CreateForDevice(99, w.options, &w.out.activity))
CALL(activity_options, Activity_CreateForDevice(w.device, NULL, &w.out.activity))
CALL(activity_null, Activity_CreateForDevice(w.device, w.options, NULL))
CALL(activity_destroy, Activity_Destroy(NULL))
static NVPA_Status activity_without_kind(void)
{
	NVPA_ActivityOptions *options = NULL;
	NVPA_Status status;

	NEED(NVPA_ActivityOptions_Create(&options));
	status = NVPA_Activity_CreateForDevice(w.device, options, &w.out.activity);
	NEED(NVPA_ActivityOptions_Destroy(options));
	return status;
}
CALL(find_null, Activity_FindMetricByName(w.activity, NULL, &w.out.number))
CALL(find_activity_null, Activity_FindMetricByName(NULL, "sm__warps_launched_sum", &w.out.number))
CALL(find_out_null, Activity_FindMetricByName(w.activity, "sm__warps_launched_sum", NULL))
CALL(find_unknown, Activity_FindMetricByName(w.activity, "sm__warps_lunched_sum", &w.out.number))
CALL(find_no_peak,
     Activity_FindMetricByName(w.activity, "gpu__time_duration_sum_pct", &w.out.number))
CALL(enable_null, Activity_EnableMetric(NULL, w.metric, w.metric_options, &w.out.error))
CALL(enable_zero, Activity_EnableMetric(w.activity, 0, w.metric_options, NULL))
CALL(enable_others, Activity_EnableMetric(w.activity, w.others, w.metric_options, NULL))
CALL(metric_count_null, Activity_GetMetricCount(w.activity, NULL))
CALL(metric_past, Activity_GetMetric(w.activity, SIZE_MAX, &w.out.number, &w.second.text))
CALL(metric_null, Activity_GetMetric(NULL, 0, &w.out.number, &w.second.text))
CALL(texts_zero, Activity_GetMetricTexts(w.activity, 0, &w.out.text, &w.second.text))
CALL(metric_options_null, MetricOptions_Create(NULL))
CALL(metric_options_destroy, MetricOptions_Destroy(NULL))
CALL(serialized_null, MetricOptions_SetSerialized(NULL, true))
CALL(config_empty, Config_Create(w.empty, &w.out.config))
CALL(config_null, Config_Create(NULL, &w.out.config))
CALL(config_out_null, Config_Create(w.activity, NULL))
CALL(config_destroy, Config_Destroy(NULL))
CALL(passes_null, Config_GetPassCount(NULL, 1, &w.out.size))
CALL(passes_zero, Config_GetPassCount(w.config, 0, &w.out.size))
CALL(config_metric_past,
     Config_GetMetric(w.config, 2, &w.out.number, &w.second.flag, &w.third.text))
CALL(session_null, Context_BeginSession(w.ctx, NULL))
CALL(session_ctx_null, Context_BeginSession(NULL, w.config))
CALL(session_other, Context_BeginSession(w.ctx, w.other_config))
CALL(session_size, Context_BeginSessionWithOptions(w.ctx, w.config, &bad_size))
static NVPA_Status push_automatic(void)
{
	NEED(NVPA_Context_BeginSessionWithOptions(w.ctx, w.config, &automatic));
	NEED(NVPA_Context_BeginPass(w.ctx));
	return NVPA_Object_PushRange(w.ctx, 1);
}
/* The second pass has range 9 in place of 1. */
static NVPA_Status end_other_pass(void)
{
	NEED(NVPA_Context_BeginSession(w.ctx, w.config));
	run_pass();
	NEED(NVPA_Context_BeginPass(w.ctx));
	NEED(NVPA_Object_PushRange(w.ctx, 9));
	return NVPA_Context_EndPass(w.ctx);
}
static NVPA_Status predict_null(void)
{
	NEED(NVPA_Context_BeginSession(w.ctx, w.config));
	return NVPA_Context_PredictDataReady(w.ctx, NULL);
}
static NVPA_Status read_null(void)
{
	NEED(NVPA_Context_BeginSession(w.ctx, w.config));
	run_pass();
	run_pass();
	return NVPA_Context_ReadResults(w.ctx, NULL);
}
CALL(results_null, Results_Destroy(NULL))
CALL(lost_null, Results_GetLostRangeCount(w.results, NULL))
CALL(ranges_null, Results_GetRangeCount(NULL, &w.out.size))
CALL(range_past, Results_GetRange(w.results, 1, &w.out.range))
CALL(range_null, Results_GetRange(w.results, 0, NULL))
CALL(find_range_none, Results_FindRange(w.results, &nine, 1, &w.out.size))
CALL(find_range_deep, Results_FindRange(w.results, ids, 2, &w.out.size))
CALL(find_range_zero, Results_FindRange(w.results, &one, 0, &w.out.size))
CALL(find_range_null, Results_FindRange(w.results, NULL, 1, &w.out.size))
CALL(value_range, Results_GetValue(w.results, 1, w.metric, true, &w.out.value))
CALL(value_unused, Results_GetValue(w.results, 0, w.unused, true, &w.out.value))
CALL(value_zero, Results_GetValue(w.results, 0, 0, true, &w.out.value))
CALL(value_null, Results_GetValue(w.results, 0, w.metric, true, NULL))
static NVPA_Status value_mode(void)
{
	NVPA_Activity *activity = NULL;
	NVPA_Config *config = NULL;
	NVPA_Results *results = NULL;
	NVPA_Status status;

	NEED(NVPA_Activity_CreateForDevice(w.device, w.options, &activity));
	enable(activity, w.metric, true);
	NEED(NVPA_Config_Create(activity, &config));
	NEED(NVPA_Activity_Destroy(activity));
	NEED(NVPA_Context_BeginSession(w.ctx, config));
	run_pass();
	NEED(NVPA_Context_ReadResults(w.ctx, &results));
	NEED(NVPA_Context_EndSession(w.ctx));
	NEED(NVPA_Config_Destroy(config));
	status = NVPA_Results_GetValue(results, 0, w.metric, false, &w.out.value);
	NEED(NVPA_Results_Destroy(results));
	return status;
}

static const struct row arguments[] = {
	{"GetDeviceCount: no output", device_count_null},
	{"Device_GetName: no such device", device_name},
	{"Device_GetName: no output", device_name_null},
	{"Sim_CreateContext: no model", sim_null},
	{"Sim_CreateContext: no output", sim_out_null},
	{"Sim_CreateContext: an unknown model", sim_unknown},
	{"Context_GetDeviceIndex: no ctx", index_null},
	{"Context_GetDeviceIndex: sliIndex 1", index_sli},
	{"Context_GetDeviceIndex: no output", index_out_null},
	{"ActivityOptions_Create: no output", options_null},
	{"ActivityOptions_Destroy: nothing", options_destroy_null},
	{"ActivityOptions_SetActivityKind: INVALID", kind_none},
	{"ActivityOptions_SetActivityKind: an unknown kind", kind_unknown},
	{"ActivityOptions_SetActivityKind: no options", kind_null},
	{"Activity_CreateForDevice: no such device", activity_device},
	{"Activity_CreateForDevice: no options", activity_options},
	{"Activity_CreateForDevice: options without a kind", activity_without_kind},
	{"Activity_CreateForDevice: no output", activity_null},
	{"Activity_Destroy: nothing", activity_destroy},
	{"Activity_FindMetricByName: no name", find_null},
	{"Activity_FindMetricByName: no activity", find_activity_null},
	{"Activity_FindMetricByName: no output", find_out_null},
	{"Activity_FindMetricByName: an unknown name", find_unknown},
	{"Activity_FindMetricByName: `_pct` without a stated peak", find_no_peak},
	{"Activity_EnableMetric: no activity", enable_null},
	{"Activity_EnableMetric: metric 0", enable_zero},
	{"Activity_EnableMetric: a metric of another device", enable_others},
	{"Activity_GetMetricCount: no output", metric_count_null},
	{"Activity_GetMetric: past the last", metric_past},
	{"Activity_GetMetric: no activity", metric_null},
	{"Activity_GetMetricTexts: metric 0", texts_zero},
	{"MetricOptions_Create: no output", metric_options_null},
	{"MetricOptions_Destroy: nothing", metric_options_destroy},
	{"MetricOptions_SetSerialized: no options", serialized_null},
	{"Config_Create: nothing is enabled", config_empty},
	{"Config_Create: no activity", config_null},
	{"Config_Create: no output", config_out_null},
	{"Config_Destroy: nothing", config_destroy},
	{"Config_GetPassCount: no config", passes_null},
	{"Config_GetPassCount: 0 levels", passes_zero},
	{"Config_GetMetric: past the last", config_metric_past},
	{"Context_BeginSession: no config", session_null},
	{"Context_BeginSession: no ctx", session_ctx_null},
	{"Context_BeginSession: a config of another device", session_other},
	{"Context_BeginSessionWithOptions: a structSize of 1", session_size},
	{"Object_PushRange: with autoRanges", push_automatic},
	{"Context_EndPass: other ranges than in the first pass", end_other_pass},
	{"Context_PredictDataReady: no output", predict_null},
	{"Context_ReadResults: no output", read_null},
	{"Results_Destroy: nothing", results_null},
	{"Results_GetLostRangeCount: no output", lost_null},
	{"Results_GetRangeCount: no results", ranges_null},
	{"Results_GetRange: past the last", range_past},
	{"Results_GetRange: no output", range_null},
	{"Results_FindRange: not there", find_range_none},
	{"Results_FindRange: deeper than any", find_range_deep},
	{"Results_FindRange: depth 0", find_range_zero},
	{"Results_FindRange: no ids", find_range_null},
	{"Results_GetValue: past the last range", value_range},
	{"Results_GetValue: a metric that was not enabled", value_unused},
	{"Results_GetValue: a metric of the other mode", value_mode},
	{"Results_GetValue: metric 0", value_zero},
	{"Results_GetValue: no output", value_null},
	{0},
};

/* ---- the tables ---- */

/* " 18 |", in a state of its own. */
static void print_call(enum state state, NVPA_Status (*call)(void))
{
	union outputs untouched;
	NVPA_Status status;
	bool wrote;

	memset(&untouched, 0x5a, sizeof(untouched));
	reach(state);
	status = call();
	wrote = memcmp(&w.out, &untouched, sizeof(untouched)) != 0 ||
		memcmp(&w.second, &untouched, sizeof(untouched)) != 0 ||
		memcmp(&w.third, &untouched, sizeof(untouched)) != 0;
	printf(" %d%s |", (int)status, status && wrote ? "!" : "");
	if (call == read_results && !status)
		NEED(NVPA_Results_Destroy(w.out.results));
	leave();
}

static void print_calls(void)
{
	puts("| | unknown | idle | session | pass | range | between | done | ended | gone |");
	puts("|---|---|---|---|---|---|---|---|---|---|");
	for (const struct row *row = calls; row->name; row++) {
		printf("| %s |", row->name);
		for (int state = UNKNOWN; state < STATES; state++)
			print_call((enum state)state, row->call);
		putchar('\n');
	}
}

static void print_arguments(void)
{
	puts("| call | status |");
	puts("|---|---|");
	for (const struct row *row = arguments; row->name; row++) {
		printf("| %s |", row->name);
		print_call(IDLE, row->call);
		putchar('\n');
	}
}

int main(int count, char **words)
{
	if (count != 2)
		return 2;
	if (!strcmp(words[1], "calls"))
		print_calls();
	else
		print_arguments();
	return 0;
}
