/* SPDX-License-Identifier: MIT */
/*
 * What the OpenCL programs here begin with: the loader's functions, without OpenCL's headers, and
 * a program on the first device of a platform. Who needs other functions names them first:
 *
 *	#define CL_OTHER_FUNCTIONS(X) X(type, name, (arguments)) ...
 */
#ifndef TACHO_TESTS_CL_PROGRAM_H
#define TACHO_TESTS_CL_PROGRAM_H

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef CL_OTHER_FUNCTIONS
#define CL_OTHER_FUNCTIONS(X)
#endif

#define CL_FUNCTIONS(X)                                                                        \
	X(int32_t, clGetPlatformIDs, (uint32_t, void **, uint32_t *))                          \
	X(int32_t, clGetDeviceIDs, (void *, uint64_t, uint32_t, void **, uint32_t *))          \
	X(void *, clCreateContext,                                                             \
	  (const intptr_t *, uint32_t, void *const *, void *, void *, int32_t *))              \
	X(void *, clCreateCommandQueue, (void *, void *, uint64_t, int32_t *))                 \
	X(void *, clCreateProgramWithSource,                                                   \
	  (void *, uint32_t, const char **, const size_t *, int32_t *))                        \
	X(int32_t, clBuildProgram,                                                             \
	  (void *, uint32_t, void *const *, const char *, void *, void *))                     \
	X(void *, clCreateKernel, (void *, const char *, int32_t *))                           \
	X(int32_t, clSetKernelArg, (void *, uint32_t, size_t, const void *))                   \
	X(void *, clCreateBuffer, (void *, uint64_t, size_t, void *, int32_t *))               \
	X(int32_t, clEnqueueNDRangeKernel,                                                     \
	  (void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, \
	   void *const *, void **))                                                            \
	X(int32_t, clFinish, (void *))                                                         \
	CL_OTHER_FUNCTIONS(X)

static struct {
#define X(type, name, arguments) type(*name) arguments;
	CL_FUNCTIONS(X)
#undef X
} cl;

/* Who wants no function that is deprecated names another before. */
#ifndef CL_MAKE_QUEUE
#define CL_MAKE_QUEUE(status) cl.clCreateCommandQueue(context, device, 0, status)
#endif

enum { MEM_READ_WRITE = 1 };

static void *context, *device, *queue, *program;

/* Ends the program when it is not 0. */
static void check(const char *what, int32_t status)
{
	if (!status)
		return;
	fprintf(stderr, "%s: %s failed: %d\n", program_invocation_short_name, what, status);
	exit(1);
}

static void load(void)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);

	if (!library) {
		fprintf(stderr, "%s: %s\n", program_invocation_short_name, dlerror());
		exit(1);
	}
#define X(type, name, arguments) *(void **)&cl.name = dlsym(library, #name);
	CL_FUNCTIONS(X)
#undef X
}

/* Context, queue and program on the device. */
static void make_things(const char *source)
{
	int32_t status;

	context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check("clCreateContext", status);
	queue = CL_MAKE_QUEUE(&status);
	check("the queue", status);
	program = cl.clCreateProgramWithSource(context, 1, &source, NULL, &status);
	check("clCreateProgramWithSource", status);
	check("clBuildProgram", cl.clBuildProgram(program, 1, &device, "", NULL, NULL));
}

static void set_up(unsigned platform_index, const char *source)
{
	void *platforms[16];
	uint32_t count = 0;

	load();
	check("clGetPlatformIDs", cl.clGetPlatformIDs(16, platforms, &count));
	check("the platform", platform_index >= count || platform_index >= 16);
	check("clGetDeviceIDs",
	      cl.clGetDeviceIDs(platforms[platform_index], 0xffffffff, 1, &device, NULL));
	make_things(source);
}

static void *make_kernel(void *of, const char *name)
{
	int32_t status;
	void *kernel = cl.clCreateKernel(of, name, &status);

	check(name, status);
	return kernel;
}

static void *make_buffer(uint64_t flags, size_t bytes, void *host)
{
	int32_t status;
	void *buffer = cl.clCreateBuffer(context, flags, bytes, host, &status);

	check("clCreateBuffer", status);
	return buffer;
}

static void set_buffer(void *kernel, uint32_t index, void *buffer)
{
	check("clSetKernelArg", cl.clSetKernelArg(kernel, index, sizeof(buffer), &buffer));
}

#endif
