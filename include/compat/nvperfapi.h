/* SPDX-License-Identifier: MIT */
/*
 * PerfWorks 0.46: ranges of GPU work, measured in replayed passes. The names, their order of use
 * and their meaning are those of NVIDIA's "PerfWorks Pro User Guide", revision 0.46.170612; no
 * header of that release is public, so types, numbers and everything that the guide leaves open are
 * tacho's own: docs/perfworks.md. Functions that the guide does not have are marked [tacho].
 *
 * The functions are defined by nvperfapi_user_impl.h, which one source file of a program or library
 * includes; it loads libnvperfapi.so when the first of them is called.
 *
 * Every function returns a status but NVPA_GetStatusText and NVPA_GetErrorText. One that fails
 * leaves its outputs untouched. A NULL where an output or an object is needed is INVALID_ARGUMENT.
 * Texts that are handed out are UTF-8 and live as long as the object that they were asked of.
 *
 * Threads: objects of one activity, config or context are used by one thread at a time, as the
 * commands of the context itself; different ones are independent of each other. Configs do not
 * change and are shared freely.
 */
#ifndef NVPERFAPI_H
#define NVPERFAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers as in the successors of this API, where they have the same meaning. */
typedef enum NVPA_Status {
	NVPA_STATUS_SUCCESS = 0,
	NVPA_STATUS_ERROR = 1,		    /* none of the others; NVPA_GetErrorText tells */
	NVPA_STATUS_INTERNAL_ERROR = 2,	    /* a defect of the library */
	NVPA_STATUS_NOT_INITIALIZED = 3,    /* not used */
	NVPA_STATUS_NOT_LOADED = 4,	    /* libnvperfapi.so was not found */
	NVPA_STATUS_FUNCTION_NOT_FOUND = 5, /* libnvperfapi.so is older than the program */
	NVPA_STATUS_NOT_SUPPORTED = 6,	    /* the device cannot do it */
	NVPA_STATUS_NOT_IMPLEMENTED = 7,    /* not used */
	NVPA_STATUS_INVALID_ARGUMENT = 8,
	NVPA_STATUS_INVALID_METRIC_ID = 9,  /* of another activity or config */
	NVPA_STATUS_DRIVER_NOT_LOADED = 10, /* the graphics or compute API is not in the process */
	NVPA_STATUS_OUT_OF_MEMORY = 11,
	NVPA_STATUS_INVALID_THREAD_STATE = 12, /* no context is current, or another one */
	NVPA_STATUS_FAILED_CONTEXT_ALLOC = 13, /* not used */
	NVPA_STATUS_UNSUPPORTED_GPU = 14,      /* nothing can be counted on it */
	NVPA_STATUS_INSUFFICIENT_DRIVER_VERSION = 15,
	NVPA_STATUS_OBJECT_NOT_REGISTERED = 16, /* nobody made this pointer known */
	NVPA_STATUS_INSUFFICIENT_PRIVILEGE = 17,
	NVPA_STATUS_INVALID_CONTEXT_STATE =
		18, /* no session, no pass, one too many, no results yet */
	NVPA_STATUS_INVALID_OBJECT_STATE = 19,	 /* a range that is not open; a config in use */
	NVPA_STATUS_RESOURCE_UNAVAILABLE = 20,	 /* another profiler holds the device */
	NVPA_STATUS_DRIVER_LOADED_TOO_LATE = 21, /* not used */
	NVPA_STATUS_INSUFFICIENT_SPACE = 22,	 /* room for fewer than there are */
	NVPA_STATUS_OBJECT_MISMATCH = 23, /* the config is of another device; passes differ */
	NVPA_STATUS_FORCE_INT = 0x7fffffff
} NVPA_Status;

typedef struct NVPA_ActivityOptions NVPA_ActivityOptions;
typedef struct NVPA_Activity NVPA_Activity;
typedef struct NVPA_MetricOptions NVPA_MetricOptions;
typedef struct NVPA_Config NVPA_Config;
/* [tacho] What a session measured; stands alone. */
typedef struct NVPA_Results NVPA_Results;

/* Of one device, the same in all its activities, configs and results. 0 is none. */
typedef uint64_t NVPA_MetricId;

typedef enum NVPA_ActivityKind {
	NVPA_ACTIVITY_KIND_INVALID = 0,
	NVPA_ACTIVITY_KIND_PROFILER = 1, /* all metrics of a device, by ranges */
	NVPA_ACTIVITY_KIND_FORCE_INT = 0x7fffffff
} NVPA_ActivityKind;

/* Why a metric was not enabled; NVPA_GetErrorText has the particulars. */
typedef enum NVPA_MetricEnableError {
	NVPA_METRIC_ENABLE_ERROR_NONE = 0,
	NVPA_METRIC_ENABLE_ERROR_INVALID_ID = 1,    /* it belongs to another activity */
	NVPA_METRIC_ENABLE_ERROR_NOT_COUNTABLE = 2, /* not on this device, driver or machine */
	NVPA_METRIC_ENABLE_ERROR_MODE = 3, /* serialized or pipelined is what cannot be had */
	NVPA_METRIC_ENABLE_ERROR_OUT_OF_MEMORY = 4,
	NVPA_METRIC_ENABLE_ERROR_FORCE_INT = 0x7fffffff
} NVPA_MetricEnableError;

/*
 * [tacho] A status in words: "libnvperfapi.so was not found". Static. Needs no libnvperfapi.so.
 */
const char *NVPA_GetStatusText(NVPA_Status status);
/*
 * [tacho] What the last function that failed on this thread said: what failed, the cause with the
 * value that was read, the cure. "" when none failed. Valid until the thread's next call of a
 * function. Without libnvperfapi.so it says where that was looked for.
 */
const char *NVPA_GetErrorText(void);

/*
 * [tacho] Contexts. A ctx is one of these, and only once it was made known; any other pointer is
 * OBJECT_NOT_REGISTERED, and never looked into:
 *
 * - the EGLContext or GLXContext that is current on the calling thread: it is made known by its
 *   first use, or by NVPA_GL_RegisterContext;
 * - a cl_command_queue with CL_QUEUE_PROFILING_ENABLE, by NVPA_CL_RegisterCommandQueue;
 * - a struct tacho_device that the program opened with tacho's library, by
 *   NVPA_Tacho_RegisterDevice;
 * - a simulated device, by NVPA_Sim_CreateContext.
 *
 * With TACHO_SIM=MODEL in the environment the two functions for them take any pointer but NULL, and
 * a simulated device counts in its place: each range that lies in no other has a work of fixed size
 * in it. A pointer that is known as one of these is so until it is forgotten: to register it again
 * does nothing, to register it as something else is INVALID_ARGUMENT.
 */
/*
 * INVALID_THREAD_STATE when it is not current, DRIVER_NOT_LOADED when the process has neither
 * libEGL.so.1 nor libGLX.so.0.
 */
NVPA_Status NVPA_GL_RegisterContext(void *ctx);
/* NOT_SUPPORTED when it measures no times. */
NVPA_Status NVPA_CL_RegisterCommandQueue(void *queue);
NVPA_Status NVPA_Tacho_RegisterDevice(void *device);
/*
 * Makes a simulated device, "h200"; *pCtx is its struct tacho_device, to which <tacho/sim.h> gives
 * work. NVPA_UnregisterContext ends it.
 */
NVPA_Status NVPA_Sim_CreateContext(const char *model, void **pCtx);
/*
 * Forgets a context, and ends its session. Before the context itself is destroyed; of OpenGL while
 * it is current, else its query objects stay until it goes.
 */
NVPA_Status NVPA_UnregisterContext(void *ctx);

/* [tacho] Devices of the contexts that were made known so far; a number stays. */
NVPA_Status NVPA_GetDeviceCount(size_t *pCount);
NVPA_Status NVPA_Device_GetName(size_t deviceIndex, const char **pName);
/* Of a context; sliIndex counts its GPUs, and is 0: contexts have one each. */
NVPA_Status NVPA_Context_GetDeviceIndex(void *ctx, size_t sliIndex, size_t *pDeviceIndex);

NVPA_Status NVPA_ActivityOptions_Create(NVPA_ActivityOptions **ppOptions);
NVPA_Status NVPA_ActivityOptions_Destroy(NVPA_ActivityOptions *pOptions);
/* INVALID_ARGUMENT for all kinds but PROFILER. */
NVPA_Status NVPA_ActivityOptions_SetActivityKind(NVPA_ActivityOptions *pOptions,
						 NVPA_ActivityKind kind);

/*
 * INVALID_ARGUMENT without a kind. The options are copied. The activity asks whatever context of
 * the device is known when a function is called: OBJECT_NOT_REGISTERED when all were forgotten.
 */
NVPA_Status NVPA_Activity_CreateForDevice(size_t deviceIndex, const NVPA_ActivityOptions *pOptions,
					  NVPA_Activity **ppActivity);
/* Its configs stay. */
NVPA_Status NVPA_Activity_Destroy(NVPA_Activity *pActivity);
/*
 * A name in the grammar of docs/grammar.md, "sm__inst_executed_sum", or any that the device itself
 * has. INVALID_ARGUMENT with the nearest names; NOT_SUPPORTED for one that is known and cannot be
 * worked out, with the reason.
 */
NVPA_Status NVPA_Activity_FindMetricByName(NVPA_Activity *pActivity, const char *name,
					   NVPA_MetricId *pMetricId);
/*
 * Adds it to what is enabled, serialized or pipelined as the options say, serialized without
 * options. It may be enabled in both; twice in the same is no error. When it cannot be, *pError
 * says why: ERROR, but INVALID_METRIC_ID for one of another device and OUT_OF_MEMORY. *pError is
 * NONE after success; pError may be NULL.
 */
NVPA_Status NVPA_Activity_EnableMetric(NVPA_Activity *pActivity, NVPA_MetricId metricId,
				       const NVPA_MetricOptions *pOptions,
				       NVPA_MetricEnableError *pError);
/* [tacho] All names of the device, those of the grammar too; the order stays. */
NVPA_Status NVPA_Activity_GetMetricCount(NVPA_Activity *pActivity, size_t *pCount);
NVPA_Status NVPA_Activity_GetMetric(NVPA_Activity *pActivity, size_t index,
				    NVPA_MetricId *pMetricId, const char **pName);
/* [tacho] Either may be NULL; "" when nothing is stated. */
NVPA_Status NVPA_Activity_GetMetricTexts(NVPA_Activity *pActivity, NVPA_MetricId metricId,
					 const char **pUnit, const char **pDescription);

NVPA_Status NVPA_MetricOptions_Create(NVPA_MetricOptions **ppOptions);
NVPA_Status NVPA_MetricOptions_Destroy(NVPA_MetricOptions *pOptions);
NVPA_Status NVPA_MetricOptions_SetSerialized(NVPA_MetricOptions *pOptions, bool serialized);

/*
 * What is enabled, for good: neither the activity nor anything that is done to it later matters.
 * INVALID_OBJECT_STATE when nothing is enabled; NOT_SUPPORTED when it fits into no passes.
 */
NVPA_Status NVPA_Config_Create(NVPA_Activity *pActivity, NVPA_Config **ppConfig);
/* INVALID_OBJECT_STATE while a session uses it. */
NVPA_Status NVPA_Config_Destroy(NVPA_Config *pConfig);
/*
 * [tacho] How often the work runs when ranges nest this deep (1: they do not; 0 is
 * INVALID_ARGUMENT): pipelined passes once, serialized ones once for each level. Pointers that are
 * NULL are left out.
 */
NVPA_Status NVPA_Config_GetPassCount(const NVPA_Config *pConfig, size_t nestingLevels,
				     size_t *pPasses);
NVPA_Status NVPA_Config_GetPassCounts(const NVPA_Config *pConfig, size_t *pPipelined,
				      size_t *pSerialized);
/* [tacho] In the order of enabling. Pointers that are NULL are left out. */
NVPA_Status NVPA_Config_GetMetricCount(const NVPA_Config *pConfig, size_t *pCount);
NVPA_Status NVPA_Config_GetMetric(const NVPA_Config *pConfig, size_t index,
				  NVPA_MetricId *pMetricId, bool *pSerialized, const char **pName);

/* [tacho] What of a session can be chosen. structSize = sizeof(NVPA_SessionOptions). */
typedef struct NVPA_SessionOptions {
	size_t structSize;
	uint64_t maxRanges; /* unique range stacks; 0: 1048576. More are lost, and counted */
	size_t maxNesting;  /* levels of ranges; 0: 64. Deeper ones are lost, and counted */
	/*
	 * Each launch or draw is a range of its own, with its number as id; push and pop are
	 * INVALID_CONTEXT_STATE. NOT_SUPPORTED on devices that do not report them: all but
	 * simulated ones, whose work says so (is_row).
	 */
	bool autoRanges;
} NVPA_SessionOptions;

/*
 * A session is a series of passes, each the same work with the same ranges. INVALID_CONTEXT_STATE
 * when one is open; OBJECT_MISMATCH for a config of another device.
 */
NVPA_Status NVPA_Context_BeginSession(void *ctx, NVPA_Config *pConfig);
NVPA_Status NVPA_Context_BeginSessionWithOptions(void *ctx, NVPA_Config *pConfig,
						 const NVPA_SessionOptions *pOptions); /* [tacho] */
/* Ends an open pass, too. Results that were read stay. */
NVPA_Status NVPA_Context_EndSession(void *ctx);
/* INVALID_CONTEXT_STATE without a session, in a pass, and when no other pass is needed. */
NVPA_Status NVPA_Context_BeginPass(void *ctx);
/*
 * Pops all ranges that are open. OBJECT_MISMATCH when the pass had other ranges than the first one:
 * what differed is told, and the session has no values any more.
 */
NVPA_Status NVPA_Context_EndPass(void *ctx);
/*
 * A range of this id inside those that are open. Ranges of the same stack of ids are one range
 * whose values are added up. INVALID_CONTEXT_STATE outside of a pass. The name may be NULL.
 */
NVPA_Status NVPA_Object_PushRange(void *ctx, uint64_t rangeId);
NVPA_Status NVPA_Object_PushRangeNamed(void *ctx, uint64_t rangeId, const char *name); /* [tacho] */
/* INVALID_OBJECT_STATE when none is open. */
NVPA_Status NVPA_Object_PopRange(void *ctx);
/* In the EGL or GLX context that is current; INVALID_THREAD_STATE without one. */
NVPA_Status NVPA_EGL_PushRange(uint64_t rangeId);
NVPA_Status NVPA_EGL_PopRange(void);
/*
 * [tacho] Whether the passes that are needed have all been ended: the guide's placeholder of the
 * same name. False before the first one and in a pass. True, too, when the device is gone: no pass
 * helps any more, and what is lacking is absent.
 */
NVPA_Status NVPA_Context_PredictDataReady(void *ctx, bool *pReady);
/* Waits until the device has done what was asked of it. In a pass: INVALID_CONTEXT_STATE. */
NVPA_Status NVPA_Context_Finish(void *ctx);

/*
 * [tacho] The values of the session, the guide's placeholder of the same name; as often as one
 * likes until the session ends, and results stay behind it. INVALID_CONTEXT_STATE before the last
 * pass.
 */
NVPA_Status NVPA_Context_ReadResults(void *ctx, NVPA_Results **ppResults);
NVPA_Status NVPA_Results_Destroy(NVPA_Results *pResults);
/* [tacho] Ranges that were lost: over the limits of the session, or by the device. */
NVPA_Status NVPA_Results_GetLostRangeCount(const NVPA_Results *pResults, uint64_t *pCount);

/* [tacho] A unique range stack. */
typedef struct NVPA_Range {
	const uint64_t *pIds; /* depth of them, the outermost first */
	size_t depth;
	const char *name; /* of the innermost; "" without one */
} NVPA_Range;

/* [tacho] In the order in which they were first begun. */
NVPA_Status NVPA_Results_GetRangeCount(const NVPA_Results *pResults, size_t *pCount);
NVPA_Status NVPA_Results_GetRange(const NVPA_Results *pResults, size_t index, NVPA_Range *pRange);
/* INVALID_ARGUMENT when there is none. */
NVPA_Status NVPA_Results_FindRange(const NVPA_Results *pResults, const uint64_t *pIds, size_t depth,
				   size_t *pIndex);

/* [tacho] What is known about a value; an absent one is no 0. */
typedef enum NVPA_ValueState {
	NVPA_VALUE_OK = 0,
	NVPA_VALUE_SCALED = 1,	 /* measured for a part of the time, and extrapolated */
	NVPA_VALUE_OVERFLOW = 2, /* a counter ran over */
	NVPA_VALUE_LOST = 3,	 /* something that it should contain was lost */
	NVPA_VALUE_ABSENT = 4,	 /* there is none; `note` says why */
	NVPA_VALUE_FORCE_INT = 0x7fffffff
} NVPA_ValueState;

typedef struct NVPA_Value {
	double number;	/* NaN when absent */
	uint64_t whole; /* the same of whole numbers, exact above 2^53 too; 0 when absent */
	bool isWhole;
	NVPA_ValueState state;
	double coverage;  /* the part that was measured, 0 to 1 */
	const char *note; /* "" when nothing is to be said */
} NVPA_Value;

/* INVALID_METRIC_ID for a metric that the config has not, or not in this mode. */
NVPA_Status NVPA_Results_GetValue(const NVPA_Results *pResults, size_t rangeIndex,
				  NVPA_MetricId metricId, bool serialized, NVPA_Value *pValue);

#ifdef __cplusplus
}
#endif

#endif
