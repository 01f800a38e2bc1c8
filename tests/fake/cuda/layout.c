/* SPDX-License-Identifier: MIT */
/*
 * Prints what the fakes take NVIDIA's types to be, one line each; with REAL, what they are in
 * CUDA's own headers, which also have to agree with the fake's prototypes for this to compile.
 */
#include <stddef.h>
#include <stdio.h>

#include "fake_api.h"
#ifdef REAL
#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
/* Types of functions that are no more, which the list of parameters still has. */
typedef unsigned int CUdeviceptr_v1;
typedef struct old_copy CUDA_MEMCPY2D_v1, CUDA_MEMCPY3D_v1, CUDA_ARRAY_DESCRIPTOR_v1,
	CUDA_ARRAY3D_DESCRIPTOR_v1;
#include <generated_cuda_meta.h>
/* Newer names of these are other functions. */
#undef cuDeviceGetUuid
#undef cuEventElapsedTime
#undef cuGetProcAddress_v2
#else
#include "cuda_types.h"

#include "../cupti/cupti_types.h"
#endif

#ifdef REAL
#define FUNCTION(number, name, ...) CUresult name(PARAMETERS(__VA_ARGS__));
#define FUNCTION_VOID(number, name) CUresult name(void);
#define TWICE(number, number2, ending, name, ...) \
	CUresult name(PARAMETERS(__VA_ARGS__));   \
	CUresult name##ending(PARAMETERS(__VA_ARGS__));
#define NUMBER(number, name) CUPTI_DRIVER_TRACE_CBID_##name
#else
#define FUNCTION(number, name, ...) \
	typedef struct {            \
		FIELDS(__VA_ARGS__) \
	} name##_params;
#define FUNCTION_VOID(number, name)
#define TWICE(number, number2, ending, name, ...) \
	FUNCTION(number, name, __VA_ARGS__)       \
	typedef name##_params name##ending##_params;
#define NUMBER(number, name) number
#endif
#include "cuda_functions.h"
#undef FUNCTION
#undef FUNCTION_VOID
#undef TWICE

#define SIZE(type)	   printf("%s %zu\n", #type, sizeof(type));
#define PLACE(type, field) printf("%s.%s %zu\n", #type, #field, offsetof(type, field));
#define VALUE(name)	   printf("%s %d\n", #name, (int)(name));

static void show_functions(void)
{
#define FUNCTION(number, name, ...) \
	printf("%s %d %zu\n", #name, (int)NUMBER(number, name), sizeof(name##_params));
#define FUNCTION_VOID(number, name) printf("%s %d\n", #name, (int)NUMBER(number, name));
#define TWICE(number, number2, ending, name, ...) \
	FUNCTION(number, name, __VA_ARGS__)       \
	FUNCTION(number2, name##ending, __VA_ARGS__)
#include "cuda_functions.h"
#undef FUNCTION
#undef FUNCTION_VOID
#undef TWICE
}

static void show_driver(void)
{
	SIZE(CUuuid)
	SIZE(CUlaunchAttribute)
	PLACE(CUlaunchAttribute, value)
	PLACE(CUlaunchAttribute, value.clusterDim)
	SIZE(CUlaunchConfig)
	PLACE(CUlaunchConfig, hStream)
	PLACE(CUlaunchConfig, numAttrs)
	SIZE(CUDA_KERNEL_NODE_PARAMS)
	PLACE(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes)
	PLACE(CUDA_KERNEL_NODE_PARAMS, kern)
	SIZE(CUDA_MEMSET_NODE_PARAMS)
	PLACE(CUDA_MEMSET_NODE_PARAMS, width)
	SIZE(CUDA_MEMCPY2D)
	PLACE(CUDA_MEMCPY2D, dstMemoryType)
	PLACE(CUDA_MEMCPY2D, Height)
	SIZE(CUDA_MEMCPY3D)
	PLACE(CUDA_MEMCPY3D, dstMemoryType)
	PLACE(CUDA_MEMCPY3D, Depth)
	VALUE(CUDA_ERROR_NOT_READY)
	VALUE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
	VALUE(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
	VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
	VALUE(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)
	VALUE(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID)
	VALUE(CU_FUNC_ATTRIBUTE_NUM_REGS)
	VALUE(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
	VALUE(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
	VALUE(CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
	VALUE(CU_GRAPH_NODE_TYPE_GRAPH)
	VALUE(CU_STREAM_CAPTURE_MODE_RELAXED)
}

static void show_callbacks(void)
{
	SIZE(CUpti_CallbackData)
	PLACE(CUpti_CallbackData, functionReturnValue)
	PLACE(CUpti_CallbackData, correlationId)
	SIZE(CUpti_ResourceData)
	PLACE(CUpti_ResourceData, resourceDescriptor)
	SIZE(CUpti_ModuleResourceData)
	PLACE(CUpti_ModuleResourceData, pCubin)
	SIZE(CUpti_GraphData)
	PLACE(CUpti_GraphData, originalNode)
	PLACE(CUpti_GraphData, graphExec)
	SIZE(CUpti_SynchronizeData)
	SIZE(CUpti_SubscriberParams)
	VALUE(CUPTI_CB_DOMAIN_RESOURCE)
	VALUE(CUPTI_CB_DOMAIN_STATE)
}

static void show_records(void)
{
	VALUE(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
	VALUE(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)
	VALUE(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)
	VALUE(CUPTI_ACTIVITY_KIND_GRAPH_TRACE)
	SIZE(CUpti_ActivityKernel10)
	PLACE(CUpti_ActivityKernel10, registersPerThread)
	PLACE(CUpti_ActivityKernel10, start)
	PLACE(CUpti_ActivityKernel10, staticSharedMemory)
	PLACE(CUpti_ActivityKernel10, correlationId)
	PLACE(CUpti_ActivityKernel10, name)
	PLACE(CUpti_ActivityKernel10, launchType)
	PLACE(CUpti_ActivityKernel10, graphNodeId)
	PLACE(CUpti_ActivityKernel10, graphId)
	PLACE(CUpti_ActivityKernel10, clusterX)
	PLACE(CUpti_ActivityKernel10, localMemoryTotal_v2)
	PLACE(CUpti_ActivityKernel10, isDeviceLaunched)
	SIZE(CUpti_ActivityMemcpy6)
	PLACE(CUpti_ActivityMemcpy6, flags)
	PLACE(CUpti_ActivityMemcpy6, bytes)
	PLACE(CUpti_ActivityMemcpy6, runtimeCorrelationId)
	PLACE(CUpti_ActivityMemcpy6, graphNodeId)
	PLACE(CUpti_ActivityMemcpy6, isDeviceLaunched)
	PLACE(CUpti_ActivityMemcpy6, copyCount)
	SIZE(CUpti_ActivityMemset4)
	PLACE(CUpti_ActivityMemset4, memoryKind)
	PLACE(CUpti_ActivityMemset4, graphNodeId)
	PLACE(CUpti_ActivityMemset4, isDeviceLaunched)
	SIZE(CUpti_ActivityAPI)
	PLACE(CUpti_ActivityAPI, returnValue)
	SIZE(CUpti_ActivitySynchronization2)
	PLACE(CUpti_ActivitySynchronization2, streamId)
	PLACE(CUpti_ActivitySynchronization2, returnValue)
	SIZE(CUpti_ActivityExternalCorrelation)
	PLACE(CUpti_ActivityExternalCorrelation, correlationId)
	SIZE(CUpti_ActivityGraphTrace2)
	PLACE(CUpti_ActivityGraphTrace2, streamId)
	PLACE(CUpti_ActivityGraphTrace2, endContextId)
}

int main(void)
{
	show_functions();
	show_driver();
	show_callbacks();
	show_records();
	return 0;
}
