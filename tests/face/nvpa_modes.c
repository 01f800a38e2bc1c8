/* SPDX-License-Identifier: MIT */
/*
 * nvpa_modes [NOTE]: which modes a metric of time can be had in, on a context of nvpa_work.h: one
 * that cannot be is refused with the reason, and the note of pipelined times has NOTE in it. Exits
 * with 77 without a driver.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvpa_work.h"
#include "nvperfapi_user_impl.h"

static void *ctx;

#define EXPECT(condition)                                                         \
	do {                                                                      \
		if (!(condition)) {                                               \
			printf("line %d: not so: %s; %s\n", __LINE__, #condition, \
			       NVPA_GetErrorText());                              \
			exit(1);                                                  \
		}                                                                 \
	} while (0)

static NVPA_Activity *make_activity(void)
{
	NVPA_ActivityOptions *options = NULL;
	NVPA_Activity *activity = NULL;
	size_t device = 0;

	EXPECT(!NVPA_Context_GetDeviceIndex(ctx, 0, &device));
	EXPECT(!NVPA_ActivityOptions_Create(&options));
	EXPECT(!NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	EXPECT(!NVPA_Activity_CreateForDevice(device, options, &activity));
	EXPECT(!NVPA_ActivityOptions_Destroy(options));
	return activity;
}

static NVPA_Status enable(NVPA_Activity *activity, const char *name, bool is_serialized,
			  NVPA_MetricId *out_metric, NVPA_MetricEnableError *out_error)
{
	NVPA_MetricOptions *mode = NULL;
	NVPA_Status status;

	EXPECT(!NVPA_MetricOptions_Create(&mode));
	EXPECT(!NVPA_MetricOptions_SetSerialized(mode, is_serialized));
	EXPECT(!NVPA_Activity_FindMetricByName(activity, name, out_metric));
	status = NVPA_Activity_EnableMetric(activity, *out_metric, mode, out_error);
	EXPECT(!NVPA_MetricOptions_Destroy(mode));
	return status;
}

/* Simulated devices have it in both modes; time stamps and markers do not tell it pipelined. */
static void try_active(void)
{
	NVPA_Activity *activity = make_activity();
	NVPA_MetricEnableError error = NVPA_METRIC_ENABLE_ERROR_FORCE_INT;
	NVPA_MetricId metric = 0;
	NVPA_Status status;

	EXPECT(!enable(activity, "gpu__time_active", true, &metric, &error));
	EXPECT(error == NVPA_METRIC_ENABLE_ERROR_NONE ||
	       error == NVPA_METRIC_ENABLE_ERROR_FORCE_INT);
	status = enable(activity, "gpu__time_active", false, &metric, &error);
	printf("pipelined gpu__time_active: %s; %s\n", NVPA_GetStatusText(status),
	       status ? NVPA_GetErrorText() : "");
	if (strstr(work_metric ? work_metric : "", "sm__"))
		EXPECT(!status);
	else
		EXPECT(status == NVPA_STATUS_ERROR && error == NVPA_METRIC_ENABLE_ERROR_MODE &&
		       strstr(NVPA_GetErrorText(), "gpu__time_active"));
	EXPECT(!NVPA_Activity_Destroy(activity));
}

static NVPA_Value measure(const char *name, bool is_serialized)
{
	static const uint64_t id = 1;
	NVPA_Activity *activity = make_activity();
	NVPA_Config *config = NULL;
	static NVPA_Results *results; /* the note is theirs */
	NVPA_MetricId metric = 0;
	NVPA_Value value;
	size_t range = 0;

	EXPECT(!enable(activity, name, is_serialized, &metric, NULL));
	EXPECT(!NVPA_Config_Create(activity, &config));
	EXPECT(!NVPA_Activity_Destroy(activity));
	EXPECT(!NVPA_Context_BeginSession(ctx, config));
	EXPECT(!NVPA_Context_BeginPass(ctx));
	EXPECT(!NVPA_Object_PushRange(ctx, id));
	work_do(100);
	EXPECT(!NVPA_Context_EndPass(ctx));
	if (results)
		EXPECT(!NVPA_Results_Destroy(results));
	EXPECT(!NVPA_Context_ReadResults(ctx, &results));
	EXPECT(!NVPA_Context_EndSession(ctx));
	EXPECT(!NVPA_Config_Destroy(config));
	EXPECT(!NVPA_Results_FindRange(results, &id, 1, &range));
	EXPECT(!NVPA_Results_GetValue(results, range, metric, is_serialized, &value));
	EXPECT(value.state == NVPA_VALUE_OK && value.number > 0);
	return value;
}

int main(int count, char **arguments)
{
	const char *reason = "", *wanted = count > 1 ? arguments[1] : "";
	NVPA_Value value;

	ctx = work_open(&reason);
	if (!ctx) {
		printf("SKIP: %s\n", reason);
		return 77;
	}
	try_active();
	value = measure("gpu__time_duration", true);
	printf("serialized: %.0f ns \"%s\"\n", value.number, value.note);
	EXPECT(!*value.note);
	value = measure("gpu__time_duration", false);
	printf("pipelined: %.0f ns \"%s\"\n", value.number, value.note);
	EXPECT(*wanted ? strstr(value.note, wanted) != NULL : !*value.note);
	work_close();
	return 0;
}
