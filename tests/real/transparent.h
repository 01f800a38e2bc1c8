/* SPDX-License-Identifier: MIT */
/* What the two files of the program share: OpenCL's functions without its headers. */
#ifndef TACHO_TESTS_TRANSPARENT_H
#define TACHO_TESTS_TRANSPARENT_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t info_fn(void *, uint32_t, size_t, void *, size_t *);

#define CL_FUNCTIONS(X)                                                                          \
	X(int32_t, clGetPlatformIDs, (uint32_t, void **, uint32_t *))                            \
	X(int32_t, clGetDeviceIDs, (void *, uint64_t, uint32_t, void **, uint32_t *))            \
	X(int32_t, clGetDeviceInfo, (void *, uint32_t, size_t, void *, size_t *))                \
	X(void *, clCreateContext,                                                               \
	  (const intptr_t *, uint32_t, void *const *, void *, void *, int32_t *))                \
	X(int32_t, clGetContextInfo, (void *, uint32_t, size_t, void *, size_t *))               \
	X(int32_t, clReleaseContext, (void *))                                                   \
	X(void *, clCreateCommandQueue, (void *, void *, uint64_t, int32_t *))                   \
	X(void *, clCreateCommandQueueWithProperties,                                            \
	  (void *, void *, const uint64_t *, int32_t *))                                         \
	X(int32_t, clGetCommandQueueInfo, (void *, uint32_t, size_t, void *, size_t *))          \
	X(int32_t, clSetCommandQueueProperty, (void *, uint64_t, uint32_t, uint64_t *))          \
	X(int32_t, clRetainCommandQueue, (void *))                                               \
	X(int32_t, clReleaseCommandQueue, (void *))                                              \
	X(void *, clCreateProgramWithSource,                                                     \
	  (void *, uint32_t, const char **, const size_t *, int32_t *))                          \
	X(int32_t, clBuildProgram,                                                               \
	  (void *, uint32_t, void *const *, const char *, void *, void *))                       \
	X(int32_t, clGetProgramInfo, (void *, uint32_t, size_t, void *, size_t *))               \
	X(int32_t, clReleaseProgram, (void *))                                                   \
	X(void *, clCreateKernel, (void *, const char *, int32_t *))                             \
	X(int32_t, clSetKernelArg, (void *, uint32_t, size_t, const void *))                     \
	X(int32_t, clGetKernelInfo, (void *, uint32_t, size_t, void *, size_t *))                \
	X(int32_t, clReleaseKernel, (void *))                                                    \
	X(void *, clCreateBuffer, (void *, uint64_t, size_t, void *, int32_t *))                 \
	X(void *, clCreateSubBuffer, (void *, uint64_t, uint32_t, const void *, int32_t *))      \
	X(int32_t, clGetMemObjectInfo, (void *, uint32_t, size_t, void *, size_t *))             \
	X(int32_t, clSetMemObjectDestructorCallback, (void *, void *, void *))                   \
	X(int32_t, clReleaseMemObject, (void *))                                                 \
	X(int32_t, clEnqueueNDRangeKernel,                                                       \
	  (void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,   \
	   void *const *, void **))                                                              \
	X(int32_t, clEnqueueReadBuffer,                                                          \
	  (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *, void **))  \
	X(int32_t, clEnqueueWriteBuffer,                                                         \
	  (void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *const *,      \
	   void **))                                                                             \
	X(void *, clEnqueueMapBuffer,                                                            \
	  (void *, void *, uint32_t, uint64_t, size_t, size_t, uint32_t, void *const *, void **, \
	   int32_t *))                                                                           \
	X(int32_t, clEnqueueUnmapMemObject,                                                      \
	  (void *, void *, void *, uint32_t, void *const *, void **))                            \
	X(int32_t, clEnqueueNativeKernel,                                                        \
	  (void *, void *, void *, size_t, uint32_t, void *const *, const void **, uint32_t,     \
	   void *const *, void **))                                                              \
	X(int32_t, clEnqueueMarker, (void *, void **))                                           \
	X(int32_t, clEnqueueBarrier, (void *))                                                   \
	X(int32_t, clEnqueueMarkerWithWaitList, (void *, uint32_t, void *const *, void **))      \
	X(int32_t, clEnqueueBarrierWithWaitList, (void *, uint32_t, void *const *, void **))     \
	X(void *, clCreateUserEvent, (void *, int32_t *))                                        \
	X(int32_t, clSetUserEventStatus, (void *, int32_t))                                      \
	X(int32_t, clSetEventCallback, (void *, int32_t, void *, void *))                        \
	X(int32_t, clGetEventInfo, (void *, uint32_t, size_t, void *, size_t *))                 \
	X(int32_t, clGetEventProfilingInfo, (void *, uint32_t, size_t, void *, size_t *))        \
	X(int32_t, clWaitForEvents, (uint32_t, void *const *))                                   \
	X(int32_t, clRetainEvent, (void *))                                                      \
	X(int32_t, clReleaseEvent, (void *))                                                     \
	X(int32_t, clFlush, (void *))                                                            \
	X(int32_t, clFinish, (void *))

#define CL_MEMBER(result, name, arguments) result(*name) arguments;
extern struct functions {
	CL_FUNCTIONS(CL_MEMBER)
} cl;
#undef CL_MEMBER

/* Prints a call's result and whether it changed errno. */
#define CHECK(call)                                                        \
	do {                                                               \
		errno = 77;                                                \
		int32_t check_status = (call);                             \
		printf("%s = %d, errno %d\n", #call, check_status, errno); \
	} while (0)

/* transparent.c: what a process is: environment, descriptors, signals and so on. */
void print_process(const char *when);

/* transparent_cl.c; drivers die of some of these. */
void prepare(void);
void print_queues(void);
void print_lists(void);
void print_events(void);
void print_callbacks(void);
void print_commands(void);
void print_native(void);
void print_errors(void);
void print_property(void);
void print_references(void);
void release_all(void);
/* Leaves work that has not ended: a kernel that waits for nothing, or for an event of ours. */
void leave_work(void);

#endif
