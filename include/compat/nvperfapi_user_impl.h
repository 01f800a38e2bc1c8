/* SPDX-License-Identifier: MIT */
/*
 * The "user" layer of PerfWorks: the definitions of all NVPA_ functions. One source file, C or C++,
 * of each program or shared library that calls them includes it; a second one gives multiple
 * definitions when it is linked. docs/perfworks.md
 *
 * The first call of a function but NVPA_GetStatusText loads the "DLL" layer: the file that
 * NVPERFAPI_LIBRARY names, which privileged programs ignore, else libnvperfapi.so from where
 * dlopen(3) finds it. It stays. Without it every function is NVPA_STATUS_NOT_LOADED, and one that
 * it has not is NVPA_STATUS_FUNCTION_NOT_FOUND; outputs are untouched then. A program and its
 * plugins, each with its own copy of this, share one library and all that it knows.
 */
#ifndef NVPERFAPI_USER_IMPL_H
#define NVPERFAPI_USER_IMPL_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nvperfapi.h"

/* X(name, parameters, arguments): what returns a status. */
#define NVPA_USER_FUNCTIONS(X)                                                                    \
	X(GL_RegisterContext, (void *ctx), (ctx))                                                 \
	X(CL_RegisterCommandQueue, (void *queue), (queue))                                        \
	X(Tacho_RegisterDevice, (void *device), (device))                                         \
	X(Sim_CreateContext, (const char *model, void **pCtx), (model, pCtx))                     \
	X(UnregisterContext, (void *ctx), (ctx))                                                  \
	X(GetDeviceCount, (size_t * pCount), (pCount))                                            \
	X(Device_GetName, (size_t deviceIndex, const char **pName), (deviceIndex, pName))         \
	X(Context_GetDeviceIndex, (void *ctx, size_t sliIndex, size_t *pDeviceIndex),             \
	  (ctx, sliIndex, pDeviceIndex))                                                          \
	X(ActivityOptions_Create, (NVPA_ActivityOptions * *ppOptions), (ppOptions))               \
	X(ActivityOptions_Destroy, (NVPA_ActivityOptions * pOptions), (pOptions))                 \
	X(ActivityOptions_SetActivityKind,                                                        \
	  (NVPA_ActivityOptions * pOptions, NVPA_ActivityKind kind), (pOptions, kind))            \
	X(Activity_CreateForDevice,                                                               \
	  (size_t deviceIndex, const NVPA_ActivityOptions *pOptions, NVPA_Activity **ppActivity), \
	  (deviceIndex, pOptions, ppActivity))                                                    \
	X(Activity_Destroy, (NVPA_Activity * pActivity), (pActivity))                             \
	X(Activity_FindMetricByName,                                                              \
	  (NVPA_Activity * pActivity, const char *name, NVPA_MetricId *pMetricId),                \
	  (pActivity, name, pMetricId))                                                           \
	X(Activity_EnableMetric,                                                                  \
	  (NVPA_Activity * pActivity, NVPA_MetricId metricId, const NVPA_MetricOptions *pOptions, \
	   NVPA_MetricEnableError *pError),                                                       \
	  (pActivity, metricId, pOptions, pError))                                                \
	X(Activity_GetMetricCount, (NVPA_Activity * pActivity, size_t * pCount),                  \
	  (pActivity, pCount))                                                                    \
	X(Activity_GetMetric,                                                                     \
	  (NVPA_Activity * pActivity, size_t index, NVPA_MetricId * pMetricId,                    \
	   const char **pName),                                                                   \
	  (pActivity, index, pMetricId, pName))                                                   \
	X(Activity_GetMetricTexts,                                                                \
	  (NVPA_Activity * pActivity, NVPA_MetricId metricId, const char **pUnit,                 \
	   const char **pDescription),                                                            \
	  (pActivity, metricId, pUnit, pDescription))                                             \
	X(MetricOptions_Create, (NVPA_MetricOptions * *ppOptions), (ppOptions))                   \
	X(MetricOptions_Destroy, (NVPA_MetricOptions * pOptions), (pOptions))                     \
	X(MetricOptions_SetSerialized, (NVPA_MetricOptions * pOptions, bool serialized),          \
	  (pOptions, serialized))                                                                 \
	X(Config_Create, (NVPA_Activity * pActivity, NVPA_Config * *ppConfig),                    \
	  (pActivity, ppConfig))                                                                  \
	X(Config_Destroy, (NVPA_Config * pConfig), (pConfig))                                     \
	X(Config_GetPassCount,                                                                    \
	  (const NVPA_Config *pConfig, size_t nestingLevels, size_t *pPasses),                    \
	  (pConfig, nestingLevels, pPasses))                                                      \
	X(Config_GetPassCounts,                                                                   \
	  (const NVPA_Config *pConfig, size_t *pPipelined, size_t *pSerialized),                  \
	  (pConfig, pPipelined, pSerialized))                                                     \
	X(Config_GetMetricCount, (const NVPA_Config *pConfig, size_t *pCount), (pConfig, pCount)) \
	X(Config_GetMetric,                                                                       \
	  (const NVPA_Config *pConfig, size_t index, NVPA_MetricId *pMetricId, bool *pSerialized, \
	   const char **pName),                                                                   \
	  (pConfig, index, pMetricId, pSerialized, pName))                                        \
	X(Context_BeginSession, (void *ctx, NVPA_Config *pConfig), (ctx, pConfig))                \
	X(Context_BeginSessionWithOptions,                                                        \
	  (void *ctx, NVPA_Config *pConfig, const NVPA_SessionOptions *pOptions),                 \
	  (ctx, pConfig, pOptions))                                                               \
	X(Context_EndSession, (void *ctx), (ctx))                                                 \
	X(Context_BeginPass, (void *ctx), (ctx))                                                  \
	X(Context_EndPass, (void *ctx), (ctx))                                                    \
	X(Context_PredictDataReady, (void *ctx, bool *pReady), (ctx, pReady))                     \
	X(Context_Finish, (void *ctx), (ctx))                                                     \
	X(Context_ReadResults, (void *ctx, NVPA_Results **ppResults), (ctx, ppResults))           \
	X(Object_PushRange, (void *ctx, uint64_t rangeId), (ctx, rangeId))                        \
	X(Object_PushRangeNamed, (void *ctx, uint64_t rangeId, const char *name),                 \
	  (ctx, rangeId, name))                                                                   \
	X(Object_PopRange, (void *ctx), (ctx))                                                    \
	X(EGL_PushRange, (uint64_t rangeId), (rangeId))                                           \
	X(EGL_PopRange, (void), ())                                                               \
	X(Results_Destroy, (NVPA_Results * pResults), (pResults))                                 \
	X(Results_GetLostRangeCount, (const NVPA_Results *pResults, uint64_t *pCount),            \
	  (pResults, pCount))                                                                     \
	X(Results_GetRangeCount, (const NVPA_Results *pResults, size_t *pCount),                  \
	  (pResults, pCount))                                                                     \
	X(Results_GetRange, (const NVPA_Results *pResults, size_t index, NVPA_Range *pRange),     \
	  (pResults, index, pRange))                                                              \
	X(Results_FindRange,                                                                      \
	  (const NVPA_Results *pResults, const uint64_t *pIds, size_t depth, size_t *pIndex),     \
	  (pResults, pIds, depth, pIndex))                                                        \
	X(Results_GetValue,                                                                       \
	  (const NVPA_Results *pResults, size_t rangeIndex, NVPA_MetricId metricId,               \
	   bool serialized, NVPA_Value *pValue),                                                  \
	  (pResults, rangeIndex, metricId, serialized, pValue))

/* What the library has; the rest is NULL. */
static struct nvpa_user {
#define NVPA_USER_MEMBER(name, parameters, arguments) NVPA_Status(*name) parameters;
	NVPA_USER_FUNCTIONS(NVPA_USER_MEMBER)
#undef NVPA_USER_MEMBER
	const char *(*GetErrorText)(void);
	char unloaded_text[4096]; /* where the library is not; "" when it is there */
} nvpa_user;
static pthread_once_t nvpa_user_once = PTHREAD_ONCE_INIT;
/* Of this thread's last call, when the library has no such function; else NULL. */
static __thread const char *nvpa_user_missing_text;

static void nvpa_user_note_absence(const char *variable)
{
	const char *reason = dlerror(), *folders = getenv("LD_LIBRARY_PATH");

	snprintf(nvpa_user.unloaded_text, sizeof(nvpa_user.unloaded_text),
		 "there is no libnvperfapi.so: %s; NVPERFAPI_LIBRARY is \"%s\", LD_LIBRARY_PATH is "
		 "\"%s\"; export what tacho env perfworks prints",
		 reason ? reason : "", variable ? variable : "", folders ? folders : "");
}

/* Not `own`, the layer's: a function that calls itself never returns. */
static void nvpa_user_find(void *library, const char *name, const void *own, void *out_function)
{
	void *found = dlsym(library, name);

	if (found && memcmp(&found, own, sizeof(found)) != 0)
		memcpy(out_function, &found, sizeof(found));
}

static void nvpa_user_load(void)
{
	const bool is_privileged = getuid() != geteuid() || getgid() != getegid();
	const char *variable = is_privileged ? NULL : getenv("NVPERFAPI_LIBRARY");
	const char *(*own_text)(void) = NVPA_GetErrorText;
	void *library =
		dlopen(variable && *variable ? variable : "libnvperfapi.so", RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		nvpa_user_note_absence(variable);
		return;
	}
#define NVPA_USER_FIND(name, parameters, arguments)                            \
	{                                                                      \
		NVPA_Status(*own) parameters = NVPA_##name;                    \
		nvpa_user_find(library, "NVPA_" #name, &own, &nvpa_user.name); \
	}
	NVPA_USER_FUNCTIONS(NVPA_USER_FIND)
#undef NVPA_USER_FIND
	nvpa_user_find(library, "NVPA_GetErrorText", &own_text, &nvpa_user.GetErrorText);
}

static NVPA_Status nvpa_user_miss(const char *text)
{
	const bool is_loaded = !*nvpa_user.unloaded_text;

	nvpa_user_missing_text = is_loaded ? text : nvpa_user.unloaded_text;
	return is_loaded ? NVPA_STATUS_FUNCTION_NOT_FOUND : NVPA_STATUS_NOT_LOADED;
}

#ifdef __cplusplus
extern "C" {
#endif

#define NVPA_USER_DEFINE(name, parameters, arguments)                                             \
	NVPA_Status NVPA_##name parameters                                                        \
	{                                                                                         \
		pthread_once(&nvpa_user_once, nvpa_user_load);                                    \
		if (!nvpa_user.name)                                                              \
			return nvpa_user_miss("libnvperfapi.so has no NVPA_" #name                \
					      "; it is older than this program: install a newer " \
					      "tacho");                                           \
		nvpa_user_missing_text = NULL;                                                    \
		return nvpa_user.name arguments;                                                  \
	}
NVPA_USER_FUNCTIONS(NVPA_USER_DEFINE)
#undef NVPA_USER_DEFINE
#undef NVPA_USER_FUNCTIONS

const char *NVPA_GetErrorText(void)
{
	pthread_once(&nvpa_user_once, nvpa_user_load);
	if (nvpa_user_missing_text)
		return nvpa_user_missing_text;
	return nvpa_user.GetErrorText ? nvpa_user.GetErrorText() : nvpa_user.unloaded_text;
}

const char *NVPA_GetStatusText(NVPA_Status status)
{
	static const char *const texts[] = {
		"success",
		"an error",
		"a defect of the library",
		"not initialized",
		"libnvperfapi.so was not found",
		"libnvperfapi.so has no such function",
		"the device cannot do it",
		"not implemented",
		"invalid argument",
		"the metric belongs to another activity or config",
		"the graphics or compute API is not in the process",
		"out of memory",
		"this context is not current on the thread",
		"no context could be made",
		"nothing can be counted on this GPU",
		"the driver is too old",
		"the object was not registered",
		"a permission is missing",
		"not in this state of the context",
		"not in this state of the object",
		"another profiler holds the device",
		"the driver was loaded too late",
		"too little room",
		"the objects do not belong together",
	};

	return (size_t)status < sizeof(texts) / sizeof(*texts) ? texts[status] : "unknown status";
}

#ifdef __cplusplus
}
#endif

#endif
