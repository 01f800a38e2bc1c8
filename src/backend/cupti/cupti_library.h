/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's libraries libcupti and libnvperf_host. What is called of them here needs neither a GPU
 * nor a driver. They stay loaded until the process ends.
 */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_LIBRARY_H
#define TACHO_BACKEND_CUPTI_CUPTI_LIBRARY_H

#include <limits.h>

#include "backend/cupti/cupti_calls.h"
#include "tacho/export.h"

#define TACHO__CUPTI_VARIABLE "TACHO_CUPTI"

/* The functions with a struct, in the order of the table in cupti_library.c. */
enum tacho__cupti_call {
	TACHO__CUPTI_GET_CHIPS,
	TACHO__CUPTI_OPEN,
	TACHO__CUPTI_CLOSE,
	TACHO__CUPTI_GET_BASES,
	TACHO__CUPTI_GET_ENDINGS,
	TACHO__CUPTI_GET_PROPERTIES,
	TACHO__CUPTI_ADD_METRICS,
	TACHO__CUPTI_GET_IMAGE_SIZE,
	TACHO__CUPTI_GET_IMAGE,
	TACHO__CUPTI_GET_PASSES,
	TACHO__CUPTI_EVALUATE,
	/* On a GPU; older versions lack some. */
	TACHO__CUPTI_INITIALIZE,
	TACHO__CUPTI_GET_SUPPORTED,
	TACHO__CUPTI_GET_CHIP_NAME,
	TACHO__CUPTI_GET_AVAILABILITY,
	TACHO__CUPTI_RANGE_ENABLE,
	TACHO__CUPTI_RANGE_DISABLE,
	TACHO__CUPTI_RANGE_SET_CONFIG,
	TACHO__CUPTI_RANGE_START,
	TACHO__CUPTI_RANGE_STOP,
	TACHO__CUPTI_RANGE_PUSH,
	TACHO__CUPTI_RANGE_POP,
	TACHO__CUPTI_RANGE_DECODE,
	TACHO__CUPTI_RANGE_GET_SIZE,
	TACHO__CUPTI_RANGE_MAKE_DATA,
	TACHO__CUPTI_RANGE_GET_COUNT,
	TACHO__CUPTI_RANGE_GET_NAME,
	TACHO__CUPTI_SAMPLES_GET_AVAILABILITY,
	TACHO__CUPTI_SAMPLES_ENABLE,
	TACHO__CUPTI_SAMPLES_SET_CONFIG,
	TACHO__CUPTI_SAMPLES_GET_SIZE,
	TACHO__CUPTI_SAMPLES_MAKE_DATA,
	TACHO__CUPTI_SAMPLES_START,
	TACHO__CUPTI_SAMPLES_STOP,
	TACHO__CUPTI_SAMPLES_DECODE,
	TACHO__CUPTI_SAMPLES_GET_COUNT,
	TACHO__CUPTI_SAMPLES_GET_SAMPLE,
	TACHO__CUPTI_SAMPLES_DISABLE,
	TACHO__NVPW_INITIALIZE,
	TACHO__NVPW_GET_COUNTERS,
	TACHO__NVPW_GET_SCRATCH,
	TACHO__NVPW_OPEN,
	TACHO__NVPW_CLOSE,
	TACHO__NVPW_CONVERT,
	TACHO__NVPW_GET_NEEDS,
	TACHO__CUPTI_CALL_COUNT
};

struct tacho__cupti {
	char path[PATH_MAX];	  /* of libcupti, links followed */
	char host_path[PATH_MAX]; /* of libnvperf_host */
	uint32_t version;	  /* as cuptiGetVersion() has it */
	char version_text[32];	  /* "13.0.1"; "interface 18" of an old one */
	char build[128];	  /* another one for each build of the two */
	int tells_counters;	  /* libnvperf_host can say what each pass collects */
};

/*
 * The libraries, loaded on the first call: from TACHO_CUPTI, the dynamic linker's paths, or a
 * folder of CUDA. From any thread. NOTFOUND, VERSION, with a cause and a cure; a failure is found
 * out once, too.
 */
int tacho__cupti_load(const struct tacho__cupti **out_cupti);

/*
 * Calls with `params`, whose head it fills, in the size that this version wants. Returns the
 * library's status, 0 is good; TACHO__CUPTI_NOT_SUPPORTED for a function that it lacks. The
 * libraries must be loaded.
 */
int tacho__cupti_call(enum tacho__cupti_call call, void *params);

/* "cuptiProfilerInitialize". */
const char *tacho__cupti_call_name(enum tacho__cupti_call call);
/* UNSUPPORTED, what failed and the status. */
int tacho__cupti_fail(enum tacho__cupti_call call, int status);

/* Where libcupti would be loaded from, without loading it; "" for nowhere known. */
TACHO_API void tacho__cupti_locate(char out_path[PATH_MAX]);

#endif
