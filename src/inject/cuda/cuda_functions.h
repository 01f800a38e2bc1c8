/* SPDX-License-Identifier: MIT */
/* What is called of libcuda and libcupti: each found by its name, some of them lacking in some. */
#ifndef TACHO_INJECT_CUDA_CUDA_FUNCTIONS_H
#define TACHO_INJECT_CUDA_CUDA_FUNCTIONS_H

#include <limits.h>
#include <stdbool.h>

#include "inject/cuda/cuda_calls.h"

/* Without these of libcupti nothing is recorded. */
#define TACHO__CUPTI_NEEDED(X)                                                                \
	X(cuptiSubscribe, (void **subscriber, tacho__cuda_callback_fn *callback, void *user)) \
	X(cuptiUnsubscribe, (void *subscriber))                                               \
	X(cuptiEnableDomain, (uint32_t enable, void *subscriber, uint32_t domain))            \
	X(cuptiGetCallbackName, (uint32_t domain, uint32_t id, const char **name))

/* Without these of libcupti something is missing. */
#define TACHO__CUPTI_WANTED(X)                                                                  \
	X(cuptiActivityRegisterCallbacks,                                                       \
	  (tacho__cuda_request_fn * request, tacho__cuda_complete_fn * complete))               \
	X(cuptiActivityEnable, (uint32_t kind))                                                 \
	X(cuptiActivityFlushAll, (uint32_t flag))                                               \
	X(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t size, void **record))           \
	X(cuptiActivityGetNumDroppedRecords, (void *context, uint32_t stream, size_t *dropped)) \
	X(cuptiActivityRegisterTimestampCallback, (tacho__cuda_timestamp_fn * read))            \
	X(cuptiGetTimestamp, (uint64_t * timestamp))                                            \
	X(cuptiGetVersion, (uint32_t * version))                                                \
	X(cuptiGetContextId, (void *context, uint32_t *id))                                     \
	X(cuptiGetDeviceId, (void *context, uint32_t *id))                                      \
	X(cuptiGetStreamIdEx, (void *context, void *stream, uint8_t per_thread, uint32_t *id))  \
	X(cuptiGetGraphExecId, (void *executable, uint32_t *id))

/* Of libcuda; without them something is not told. */
#define TACHO__CUDA_WANTED(X)                                              \
	X(cuDriverGetVersion, (int *version))                              \
	X(cuDeviceGetName, (char *name, int size, int device))             \
	X(cuDeviceGetAttribute, (int *value, int attribute, int device))   \
	X(cuDeviceTotalMem_v2, (size_t * bytes, int device))               \
	X(cuDeviceGetUuid, (unsigned char *uuid, int device))              \
	X(cuFuncGetAttribute, (int *value, int attribute, void *function)) \
	X(cuFuncGetModule, (void **module, void *function))                \
	X(cuFuncGetName, (const char **name, void *function))              \
	X(cuKernelGetFunction, (void **function, void *kernel))            \
	X(cuLibraryGetModule, (void **module, void *library))              \
	X(cuKernelGetName, (const char **name, void *kernel))              \
	X(cuStreamGetPriority, (void *stream, int *priority))              \
	X(cuStreamGetFlags, (void *stream, unsigned *flags))               \
	X(cuStreamIsCapturing, (void *stream, int *status))                \
	X(cuThreadExchangeStreamCaptureMode, (int *mode))                  \
	X(cuGraphGetNodes, (void *graph, void **nodes, size_t *count))     \
	X(cuGraphNodeGetType, (void *node, int *type))                     \
	X(cuGraphKernelNodeGetParams_v2, (void *node, void *params))       \
	X(cuGraphChildGraphNodeGetGraph, (void *node, void **graph))

struct tacho__cuda_functions {
#define X(name, parameters) int(*name) parameters;
	TACHO__CUPTI_NEEDED(X)
	TACHO__CUPTI_WANTED(X)
	TACHO__CUDA_WANTED(X)
#undef X
	char cupti_path[PATH_MAX]; /* of the libcupti that is called */
	uint32_t cupti_version;	   /* as cuptiGetVersion() has it; 0: not known */
	int driver_version;	   /* of CUDA, 13000; 0: not known */
};

extern struct tacho__cuda_functions tacho__cuda;

/*
 * Finds them: of libcupti the one that the process has already, else the one of tacho__cupti_
 * locate(), TACHO_CUPTI before all others. NULL, or a sentence, static, that says what is missing.
 */
const char *tacho__cuda_resolve(void);

/* "MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" of a status of libcupti; "". Static. */
const char *tacho__cupti_status(int status);

#endif
