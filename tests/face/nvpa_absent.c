/* SPDX-License-Identifier: MIT */
/*
 * nvpa_absent STATUS WORDS...: without libnvperfapi.so, or with one that has NVPA_GetDeviceCount
 * alone, every function returns this status, leaves its outputs untouched, and NVPA_GetErrorText
 * says the words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvperfapi_user_impl.h"

/* What no function may write to. */
static union outputs {
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
} out[3];

static char **words;
static int wanted, bad, calls;

static void check(const char *function, NVPA_Status status)
{
	union outputs untouched;
	int is_ok = (int)status == wanted;

	calls++;
	memset(&untouched, 0x5a, sizeof(untouched));
	for (size_t i = 0; i < sizeof(out) / sizeof(*out); i++)
		is_ok = is_ok && !memcmp(&out[i], &untouched, sizeof(untouched));
	for (char **word = words; *word; word++)
		is_ok = is_ok && strstr(NVPA_GetErrorText(), *word);
	if (wanted == NVPA_STATUS_FUNCTION_NOT_FOUND)
		is_ok = is_ok && strstr(NVPA_GetErrorText(), function);
	if (!is_ok)
		printf("%s: %d, %s\n", function, (int)status, NVPA_GetErrorText());
	bad += !is_ok;
}

#define CHECK(function, arguments) check(#function, function arguments)

static void call_objects(NVPA_Activity *activity, NVPA_Config *config, NVPA_Results *results)
{
	CHECK(NVPA_ActivityOptions_Create, (&out[0].activity_options));
	CHECK(NVPA_ActivityOptions_Destroy, (NULL));
	CHECK(NVPA_ActivityOptions_SetActivityKind, (NULL, NVPA_ACTIVITY_KIND_PROFILER));
	CHECK(NVPA_Activity_CreateForDevice, (0, NULL, &out[0].activity));
	CHECK(NVPA_Activity_Destroy, (activity));
	CHECK(NVPA_Activity_FindMetricByName, (activity, "", &out[0].number));
	CHECK(NVPA_Activity_EnableMetric, (activity, 1, NULL, &out[0].error));
	CHECK(NVPA_Activity_GetMetricCount, (activity, &out[0].size));
	CHECK(NVPA_Activity_GetMetric, (activity, 0, &out[0].number, &out[1].text));
	CHECK(NVPA_Activity_GetMetricTexts, (activity, 1, &out[0].text, &out[1].text));
	CHECK(NVPA_MetricOptions_Create, (&out[0].metric_options));
	CHECK(NVPA_MetricOptions_Destroy, (NULL));
	CHECK(NVPA_MetricOptions_SetSerialized, (NULL, true));
	CHECK(NVPA_Config_Create, (activity, &out[0].config));
	CHECK(NVPA_Config_Destroy, (config));
	CHECK(NVPA_Config_GetPassCount, (config, 1, &out[0].size));
	CHECK(NVPA_Config_GetPassCounts, (config, &out[0].size, &out[1].size));
	CHECK(NVPA_Config_GetMetricCount, (config, &out[0].size));
	CHECK(NVPA_Config_GetMetric, (config, 0, &out[0].number, &out[1].flag, &out[2].text));
	CHECK(NVPA_Results_Destroy, (results));
	CHECK(NVPA_Results_GetLostRangeCount, (results, &out[0].number));
	CHECK(NVPA_Results_GetRangeCount, (results, &out[0].size));
	CHECK(NVPA_Results_GetRange, (results, 0, &out[0].range));
	CHECK(NVPA_Results_FindRange, (results, NULL, 0, &out[0].size));
	CHECK(NVPA_Results_GetValue, (results, 0, 1, true, &out[0].value));
}

static void call_contexts(void *ctx, NVPA_Config *config)
{
	CHECK(NVPA_GL_RegisterContext, (ctx));
	CHECK(NVPA_CL_RegisterCommandQueue, (ctx));
	CHECK(NVPA_Tacho_RegisterDevice, (ctx));
	CHECK(NVPA_Sim_CreateContext, ("h200", &out[0].pointer));
	CHECK(NVPA_UnregisterContext, (ctx));
	CHECK(NVPA_Device_GetName, (0, &out[0].text));
	CHECK(NVPA_Context_GetDeviceIndex, (ctx, 0, &out[0].size));
	CHECK(NVPA_Context_BeginSession, (ctx, config));
	CHECK(NVPA_Context_BeginSessionWithOptions, (ctx, config, NULL));
	CHECK(NVPA_Context_EndSession, (ctx));
	CHECK(NVPA_Context_BeginPass, (ctx));
	CHECK(NVPA_Context_EndPass, (ctx));
	CHECK(NVPA_Context_PredictDataReady, (ctx, &out[0].flag));
	CHECK(NVPA_Context_Finish, (ctx));
	CHECK(NVPA_Context_ReadResults, (ctx, &out[0].results));
	CHECK(NVPA_Object_PushRange, (ctx, 1));
	CHECK(NVPA_Object_PushRangeNamed, (ctx, 1, "name"));
	CHECK(NVPA_Object_PopRange, (ctx));
	CHECK(NVPA_EGL_PushRange, (1));
	CHECK(NVPA_EGL_PopRange, ());
}

/* A function that is there works, and takes the text of the one before away. */
static void call_present(void)
{
	size_t count = 7;

	bad += NVPA_GetDeviceCount(&count) != NVPA_STATUS_SUCCESS || count != 3;
	bad += *NVPA_GetErrorText() != '\0';
}

int main(int count, char **arguments)
{
	int here;

	if (count < 3)
		return 2;
	wanted = atoi(arguments[1]);
	words = arguments + 2;
	memset(out, 0x5a, sizeof(out));
	call_objects(NULL, NULL, NULL);
	call_contexts(&here, NULL);
	if (wanted == NVPA_STATUS_NOT_LOADED)
		CHECK(NVPA_GetDeviceCount, (&out[0].size));
	else
		call_present();
	bad += strcmp(NVPA_GetStatusText(NVPA_STATUS_NOT_LOADED),
		      "libnvperfapi.so was not found") != 0;
	bad += strcmp(NVPA_GetStatusText((NVPA_Status)99), "unknown status") != 0;
	printf("%d calls, %d bad\n", calls, bad);
	return bad || calls < 45;
}
