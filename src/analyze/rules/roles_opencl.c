/* SPDX-License-Identifier: MIT */
/*
 * OpenCL's functions. Positions are those of the OpenCL 3.0 specification and of its extensions; a
 * test compares them with data/api/opencl.yaml. What is deprecated since when: the specification's
 * appendix "Summary of changes", by version.
 */
#include "analyze/rules/roles.h"

enum { NONE = TACHO__ARGUMENT_NONE, RESULT = TACHO__ARGUMENT_RESULT };

#define EMPTY                                                                           \
	.handle = NONE, .blocking = NONE, .events = NONE, .event = NONE, .flags = NONE, \
	.memory = NONE, .query = NONE, .value = NONE

#define ROLE(name, what, kind) \
	.function = name, .act = TACHO__ACT_##what, .thing = TACHO__THING_##kind

/* Makes one thing and returns it. */
#define CREATE(name, kind, flags_at)                                                          \
	{                                                                                     \
		ROLE(name, CREATE, kind), .handle = RESULT, .blocking = NONE, .events = NONE, \
					  .event = NONE, .flags = flags_at, .memory = NONE,   \
					  .query = NONE, .value = NONE                        \
	}
#define RETAIN(name, kind)                                                               \
	{                                                                                \
		ROLE(name, RETAIN, kind), .handle = 0, .blocking = NONE, .events = NONE, \
					  .event = NONE, .flags = NONE, .memory = NONE,  \
					  .query = NONE, .value = NONE                   \
	}
#define RELEASE(name, kind)                                                               \
	{                                                                                 \
		ROLE(name, RELEASE, kind), .handle = 0, .blocking = NONE, .events = NONE, \
					   .event = NONE, .flags = NONE, .memory = NONE,  \
					   .query = NONE, .value = NONE                   \
	}
/* Gives work to a queue, with the wait list in front of the event. */
#define ENQUEUE(name, blocking_at, event_at)                                              \
	{                                                                                 \
		ROLE(name, ENQUEUE, EVENT), .handle = NONE, .blocking = blocking_at,      \
					    .events = (event_at)-1, .event = event_at,    \
					    .flags = NONE, .memory = NONE, .query = NONE, \
					    .value = NONE                                 \
	}
#define ANSWER(name, blocking_at, event_at)                                               \
	{                                                                                 \
		ROLE(name, ENQUEUE, EVENT), .handle = NONE, .blocking = blocking_at,      \
					    .events = (event_at)-1, .event = event_at,    \
					    .flags = NONE, .memory = NONE, .query = NONE, \
					    .value = NONE, .is_answer = true              \
	}
#define MAP(name, blocking_at, flags_at, memory_at, event_at)                                      \
	{                                                                                          \
		ROLE(name, ENQUEUE, EVENT), .handle = NONE, .blocking = blocking_at,               \
					    .events = (event_at)-1, .event = event_at,             \
					    .flags = flags_at, .memory = memory_at, .query = NONE, \
					    .value = NONE, .is_answer = true                       \
	}
#define BUILD(name)                                                                        \
	{                                                                                  \
		ROLE(name, BUILD, PROGRAM), .handle = 0, .blocking = NONE, .events = NONE, \
					    .event = NONE, .flags = NONE, .memory = NONE,  \
					    .query = NONE, .value = NONE                   \
	}

static const struct tacho__function_role roles[] = {
	CREATE("clCreateContext", CONTEXT, NONE),
	CREATE("clCreateContextFromType", CONTEXT, NONE),
	CREATE("clCreateCommandQueue", QUEUE, 2),
	CREATE("clCreateCommandQueueWithProperties", QUEUE, 2),
	CREATE("clCreateCommandQueueWithPropertiesKHR", QUEUE, 2),
	CREATE("clCreateBuffer", MEMORY, 1),
	CREATE("clCreateBufferWithProperties", MEMORY, 2),
	CREATE("clCreateBufferWithPropertiesINTEL", MEMORY, 2),
	CREATE("clCreateSubBuffer", MEMORY, 1),
	CREATE("clCreateImage", MEMORY, 1),
	CREATE("clCreateImageWithProperties", MEMORY, 2),
	CREATE("clCreateImage2D", MEMORY, 1),
	CREATE("clCreateImage3D", MEMORY, 1),
	CREATE("clCreatePipe", MEMORY, 1),
	CREATE("clCreateFromGLBuffer", MEMORY, 1),
	CREATE("clCreateFromGLTexture", MEMORY, 1),
	CREATE("clCreateFromGLTexture2D", MEMORY, 1),
	CREATE("clCreateFromGLTexture3D", MEMORY, 1),
	CREATE("clCreateFromGLRenderbuffer", MEMORY, 1),
	CREATE("clCreateFromEGLImageKHR", MEMORY, 3),
	CREATE("clCreateFromVA_APIMediaSurfaceINTEL", MEMORY, 1),
	CREATE("clCreateSampler", SAMPLER, NONE),
	CREATE("clCreateSamplerWithProperties", SAMPLER, NONE),
	CREATE("clCreateProgramWithSource", PROGRAM, NONE),
	CREATE("clCreateProgramWithBinary", PROGRAM, NONE),
	CREATE("clCreateProgramWithBuiltInKernels", PROGRAM, NONE),
	CREATE("clCreateProgramWithIL", PROGRAM, NONE),
	CREATE("clCreateProgramWithILKHR", PROGRAM, NONE),
	CREATE("clCreateCommandBufferKHR", TEMPLATE, NONE),
	CREATE("clRemapCommandBufferKHR", TEMPLATE, NONE),
	CREATE("clCreateUserEvent", EVENT, NONE),
	CREATE("clCreateEventFromGLsyncKHR", EVENT, NONE),
	CREATE("clCreateEventFromEGLSyncKHR", EVENT, NONE),
	{ROLE("clCreateKernel", CREATE, KERNEL), .handle = RESULT, .blocking = NONE, .events = NONE,
	 .event = NONE, .flags = NONE, .memory = 0, .query = NONE, .value = 1},
	{ROLE("clCreateKernelsInProgram", CREATE, KERNEL), .handle = 2, .blocking = NONE,
	 .events = NONE, .event = NONE, .flags = NONE, .memory = NONE, .query = NONE,
	 .value = NONE},
	{ROLE("clLinkProgram", BUILD, PROGRAM), .handle = RESULT, .blocking = NONE, .events = NONE,
	 .event = NONE, .flags = NONE, .memory = NONE, .query = NONE, .value = NONE},
	BUILD("clBuildProgram"),
	BUILD("clCompileProgram"),
	RETAIN("clRetainContext", CONTEXT),
	RELEASE("clReleaseContext", CONTEXT),
	RETAIN("clRetainCommandQueue", QUEUE),
	RELEASE("clReleaseCommandQueue", QUEUE),
	RETAIN("clRetainMemObject", MEMORY),
	RELEASE("clReleaseMemObject", MEMORY),
	RETAIN("clRetainSampler", SAMPLER),
	RELEASE("clReleaseSampler", SAMPLER),
	RETAIN("clRetainProgram", PROGRAM),
	RELEASE("clReleaseProgram", PROGRAM),
	RETAIN("clRetainKernel", KERNEL),
	RELEASE("clReleaseKernel", KERNEL),
	RETAIN("clRetainCommandBufferKHR", TEMPLATE),
	RELEASE("clReleaseCommandBufferKHR", TEMPLATE),
	RETAIN("clRetainEvent", EVENT),
	RELEASE("clReleaseEvent", EVENT),
	{ROLE("clSVMAlloc", SHARED_MEMORY, POINTER), EMPTY},
	{ROLE("clSVMAllocAMD", SHARED_MEMORY, POINTER), EMPTY},
	{ROLE("clSVMAllocARM", SHARED_MEMORY, POINTER), EMPTY},
	{ROLE("clHostMemAllocINTEL", SHARED_MEMORY, POINTER), EMPTY},
	{ROLE("clSharedMemAllocINTEL", SHARED_MEMORY, POINTER), EMPTY},
	ENQUEUE("clEnqueueWriteBuffer", 2, 8),
	ENQUEUE("clEnqueueWriteBufferRect", 2, 13),
	ENQUEUE("clEnqueueWriteImage", 2, 10),
	ANSWER("clEnqueueReadBuffer", 2, 8),
	ANSWER("clEnqueueReadBufferRect", 2, 13),
	ANSWER("clEnqueueReadImage", 2, 10),
	MAP("clEnqueueMapBuffer", 2, 3, 1, 8),
	MAP("clEnqueueMapImage", 2, 3, 1, 10),
	ANSWER("clEnqueueUnmapMemObject", NONE, 5),
	ENQUEUE("clEnqueueCopyBuffer", NONE, 8),
	ENQUEUE("clEnqueueCopyBufferRect", NONE, 12),
	ENQUEUE("clEnqueueCopyImage", NONE, 8),
	ENQUEUE("clEnqueueCopyImageToBuffer", NONE, 8),
	ENQUEUE("clEnqueueCopyBufferToImage", NONE, 8),
	ENQUEUE("clEnqueueFillBuffer", NONE, 8),
	ENQUEUE("clEnqueueFillImage", NONE, 7),
	ENQUEUE("clEnqueueMigrateMemObjects", NONE, 6),
	ENQUEUE("clEnqueueNDRangeKernel", NONE, 8),
	ENQUEUE("clEnqueueTask", NONE, 4),
	ANSWER("clEnqueueNativeKernel", NONE, 9),
	{ROLE("clEnqueueMarker", ENQUEUE, EVENT), .handle = NONE, .blocking = NONE, .events = NONE,
	 .event = 1, .flags = NONE, .memory = NONE, .query = NONE, .value = NONE},
	ENQUEUE("clEnqueueMarkerWithWaitList", NONE, 3),
	ENQUEUE("clEnqueueBarrierWithWaitList", NONE, 3),
	ANSWER("clEnqueueAcquireGLObjects", NONE, 5),
	ANSWER("clEnqueueReleaseGLObjects", NONE, 5),
	ANSWER("clEnqueueAcquireEGLObjectsKHR", NONE, 5),
	ANSWER("clEnqueueReleaseEGLObjectsKHR", NONE, 5),
	ANSWER("clEnqueueAcquireExternalMemObjectsKHR", NONE, 5),
	ANSWER("clEnqueueReleaseExternalMemObjectsKHR", NONE, 5),
	ANSWER("clEnqueueAcquireVA_APIMediaSurfacesINTEL", NONE, 5),
	ANSWER("clEnqueueReleaseVA_APIMediaSurfacesINTEL", NONE, 5),
	ANSWER("clEnqueueCommandBufferKHR", NONE, 5),
	ANSWER("clEnqueueSignalSemaphoresKHR", NONE, 6),
	ANSWER("clEnqueueWaitSemaphoresKHR", NONE, 6),
	ANSWER("clEnqueueSVMFree", NONE, 7),
	ANSWER("clEnqueueSVMMemcpy", 1, 7),
	ENQUEUE("clEnqueueSVMMemFill", NONE, 7),
	ANSWER("clEnqueueSVMMap", 1, 7),
	ANSWER("clEnqueueSVMUnmap", NONE, 4),
	ENQUEUE("clEnqueueSVMMigrateMem", NONE, 7),
	ANSWER("clEnqueueMemcpyINTEL", 1, 7),
	ENQUEUE("clEnqueueMemFillINTEL", NONE, 7),
	{ROLE("clFinish", WAIT_QUEUE, NONE), .handle = 0, .blocking = NONE, .events = NONE,
	 .event = NONE, .flags = NONE, .memory = NONE, .query = NONE, .value = NONE},
	{ROLE("clWaitForEvents", WAIT_EVENTS, NONE), .handle = NONE, .blocking = NONE, .events = 1,
	 .event = NONE, .flags = NONE, .memory = NONE, .query = NONE, .value = NONE},
	{ROLE("clGetEventInfo", POLL, NONE), .handle = NONE, .blocking = NONE, .events = 0,
	 .event = NONE, .flags = NONE, .memory = NONE, .query = 1, .value = 3},
	{ROLE("clGetEventProfilingInfo", READ_TIMES, NONE), EMPTY},
	{0},
};

static const struct tacho__deprecated deprecated[] = {
	{"clSetCommandQueueProperty", 110,
	 "give the properties when the queue is made, and make another queue for others"},
	{"clCreateImage2D", 120, "call clCreateImage"},
	{"clCreateImage3D", 120, "call clCreateImage"},
	{"clEnqueueMarker", 120, "call clEnqueueMarkerWithWaitList"},
	{"clEnqueueWaitForEvents", 120, "call clEnqueueBarrierWithWaitList"},
	{"clEnqueueBarrier", 120, "call clEnqueueBarrierWithWaitList"},
	{"clUnloadCompiler", 120, "call clUnloadPlatformCompiler"},
	{"clGetExtensionFunctionAddress", 120, "call clGetExtensionFunctionAddressForPlatform"},
	{"clCreateFromGLTexture2D", 120, "call clCreateFromGLTexture"},
	{"clCreateFromGLTexture3D", 120, "call clCreateFromGLTexture"},
	{"clCreateCommandQueue", 200, "call clCreateCommandQueueWithProperties"},
	{"clCreateSampler", 200, "call clCreateSamplerWithProperties"},
	{"clEnqueueTask", 200, "call clEnqueueNDRangeKernel with one work-item"},
	{"clSetProgramReleaseCallback", 220,
	 "free what the program used where clReleaseProgram is called"},
	{0},
};

const struct tacho__api_roles tacho__opencl_roles = {
	.api = "opencl",
	.title = "OpenCL",
	.roles = roles,
	.deprecated = deprecated,
	.query_prefix = "clGet",
	.poll_query = "CL_EVENT_COMMAND_EXECUTION_STATUS",
	.poll_done = "[CL_COMPLETE]",
	.version_key = "version",
	.version_prefix = "OpenCL ",
	.order_key = "properties",
	.order_bit = 1,
	.order_flag = "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE",
	.persistent = "CL_MEM_USE_PERSISTENT_MEM_AMD",
	.persistent_bit = 1 << 6,
	.map_for_read = "CL_MAP_READ",
};
