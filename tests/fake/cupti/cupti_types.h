/* SPDX-License-Identifier: MIT */
/*
 * What libcupti tells the process that it watches, as CUPTI 13.0 lays it out: written anew, under
 * CUPTI's names, so that tests/fake/cuda/layout.c compares them with CUPTI's headers where these
 * are installed.
 */
#ifndef TESTS_FAKE_CUPTI_CUPTI_TYPES_H
#define TESTS_FAKE_CUPTI_CUPTI_TYPES_H

#include <stddef.h>
#include <stdint.h>

enum {
	CUPTI_CB_DOMAIN_DRIVER_API = 1,
	CUPTI_CB_DOMAIN_RUNTIME_API = 2,
	CUPTI_CB_DOMAIN_RESOURCE = 3,
	CUPTI_CB_DOMAIN_SYNCHRONIZE = 4,
	CUPTI_CB_DOMAIN_NVTX = 5,
	CUPTI_CB_DOMAIN_STATE = 6,
};

typedef struct {
	int callbackSite; /* 0: enter, 1: exit */
	const char *functionName;
	const void *functionParams;
	void *functionReturnValue;
	const char *symbolName;
	CUcontext context;
	uint32_t contextUid;
	uint64_t *correlationData;
	uint32_t correlationId;
} CUpti_CallbackData;

typedef struct {
	CUcontext context;
	union {
		CUstream stream;
	} resourceHandle;
	void *resourceDescriptor;
} CUpti_ResourceData;

typedef struct {
	uint32_t moduleId;
	size_t cubinSize;
	const char *pCubin;
} CUpti_ModuleResourceData;

typedef struct {
	CUgraph graph, originalGraph;
	CUgraphNode node, originalNode;
	CUgraphNodeType nodeType;
	CUgraphNode dependency;
	CUgraphExec graphExec;
} CUpti_GraphData;

typedef struct {
	CUcontext context;
	CUstream stream;
} CUpti_SynchronizeData;

typedef struct {
	size_t structSize;
	const char *subscriberName;
	char *oldSubscriberName;
	size_t oldSubscriberSize;
} CUpti_SubscriberParams;

enum {
	CUPTI_ACTIVITY_KIND_MEMCPY = 1,
	CUPTI_ACTIVITY_KIND_MEMSET = 2,
	CUPTI_ACTIVITY_KIND_KERNEL = 3,
	CUPTI_ACTIVITY_KIND_DRIVER = 4,
	CUPTI_ACTIVITY_KIND_RUNTIME = 5,
	CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL = 10,
	CUPTI_ACTIVITY_KIND_SYNCHRONIZATION = 38,
	CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION = 39,
	CUPTI_ACTIVITY_KIND_GRAPH_TRACE = 51,
	KINDS_MAX = 64,
};

typedef struct {
	uint32_t kind;
} CUpti_Activity;

/* Records are aligned to 8 bytes, and have no other gaps. */
#define RECORD __attribute__((packed, aligned(8)))

typedef struct RECORD {
	uint32_t kind;
	uint8_t cacheConfig, sharedMemoryConfig;
	uint16_t registersPerThread;
	uint32_t partitionedGlobalCacheRequested, partitionedGlobalCacheExecuted;
	uint64_t start, end, completed;
	uint32_t deviceId, contextId, streamId;
	int32_t gridX, gridY, gridZ, blockX, blockY, blockZ;
	int32_t staticSharedMemory, dynamicSharedMemory;
	uint32_t localMemoryPerThread, localMemoryTotal, correlationId;
	int64_t gridId;
	const char *name;
	void *reserved0;
	uint64_t queued, submitted;
	uint8_t launchType, isSharedMemoryCarveoutRequested, sharedMemoryCarveoutRequested, padding;
	uint32_t sharedMemoryExecuted;
	uint64_t graphNodeId;
	uint32_t shmemLimitConfig, graphId;
	void *pAccessPolicyWindow;
	uint32_t channelID, channelType, clusterX, clusterY, clusterZ, clusterSchedulingPolicy;
	uint64_t localMemoryTotal_v2;
	/* version 9 of 12.x ends behind the first of these */
	uint32_t maxPotentialClusterSize, maxActiveClusters;
	uint8_t isDeviceLaunched, padding3[7];
} CUpti_ActivityKernel10;

enum { KERNEL9_BYTES = 208 };

typedef struct RECORD {
	uint32_t kind;
	uint8_t copyKind, srcKind, dstKind, flags;
	uint64_t bytes, start, end;
	uint32_t deviceId, contextId, streamId, correlationId, runtimeCorrelationId, pad;
	void *reserved0;
	uint64_t graphNodeId;
	uint32_t graphId, channelID, channelType;
	uint8_t isDeviceLaunched, pad2[3];
	uint64_t copyCount;
} CUpti_ActivityMemcpy6;

typedef struct RECORD {
	uint32_t kind, value;
	uint64_t bytes, start, end;
	uint32_t deviceId, contextId, streamId, correlationId;
	uint16_t flags, memoryKind;
	uint32_t pad;
	void *reserved0;
	uint64_t graphNodeId;
	uint32_t graphId, channelID, channelType;
	uint8_t isDeviceLaunched, pad2[3];
} CUpti_ActivityMemset4;

typedef struct RECORD {
	uint32_t kind, cbid;
	uint64_t start, end;
	uint32_t processId, threadId, correlationId, returnValue;
} CUpti_ActivityAPI;

typedef struct RECORD {
	uint32_t kind, type;
	uint64_t start, end;
	uint32_t correlationId, contextId, streamId, cudaEventId;
	uint64_t cudaEventSyncId;
	uint32_t returnValue, pad;
} CUpti_ActivitySynchronization2;

typedef struct RECORD {
	uint32_t kind, externalKind;
	uint64_t externalId;
	uint32_t correlationId, reserved;
} CUpti_ActivityExternalCorrelation;

typedef struct RECORD {
	uint32_t kind, correlationId;
	uint64_t start, end;
	uint32_t deviceId, graphId, contextId, streamId;
	void *reserved;
	uint32_t endDeviceId, endContextId;
} CUpti_ActivityGraphTrace2;

#endif
