/* SPDX-License-Identifier: MIT */
/* On an OpenCL queue with times: kernels of n items, each of the same length. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "nvpa_work.h"
#include "nvperfapi.h"

enum { PLATFORMS_MAX = 16, EVENTS_MAX = 4096, PROFILING = 2, NAME = 0x102b };
enum { COMMAND_START = 0x1282, COMMAND_END = 0x1283 };

const char *const work_metric = NULL;

static struct {
	int32_t (*clGetPlatformIDs)(uint32_t, void **, uint32_t *);
	int32_t (*clGetDeviceIDs)(void *, uint64_t, uint32_t, void **, uint32_t *);
	int32_t (*clGetDeviceInfo)(void *, uint32_t, size_t, void *, size_t *);
	void *(*clCreateContext)(const intptr_t *, uint32_t, void *const *, void *, void *,
				 int32_t *);
	void *(*clCreateCommandQueue)(void *, void *, uint64_t, int32_t *);
	void *(*clCreateBuffer)(void *, uint64_t, size_t, void *, int32_t *);
	void *(*clCreateProgramWithSource)(void *, uint32_t, const char **, const size_t *,
					   int32_t *);
	int32_t (*clBuildProgram)(void *, uint32_t, void *const *, const char *, void *, void *);
	void *(*clCreateKernel)(void *, const char *, int32_t *);
	int32_t (*clSetKernelArg)(void *, uint32_t, size_t, const void *);
	int32_t (*clEnqueueNDRangeKernel)(void *, void *, uint32_t, const size_t *, const size_t *,
					  const size_t *, uint32_t, void *const *, void **);
	int32_t (*clGetEventProfilingInfo)(void *, uint32_t, size_t, void *, size_t *);
	int32_t (*clReleaseEvent)(void *);
	int32_t (*clReleaseCommandQueue)(void *);
	int32_t (*clFinish)(void *);
} cl;

static void *queue, *kernel;
static struct {
	void *event;
	unsigned n;
} launches[EVENTS_MAX];
static unsigned launch_count;

static int load(void)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);

	if (!library)
		return 0;
#define F(name)                                     \
	*(void **)&cl.name = dlsym(library, #name); \
	if (!cl.name)                               \
		return 0;
	F(clGetPlatformIDs)
	F(clGetDeviceIDs)
	F(clGetDeviceInfo)
	F(clCreateContext)
	F(clCreateCommandQueue)
	F(clCreateBuffer)
	F(clCreateProgramWithSource)
	F(clBuildProgram)
	F(clCreateKernel)
	F(clSetKernelArg)
	F(clEnqueueNDRangeKernel)
	F(clGetEventProfilingInfo)
	F(clReleaseEvent)
	F(clReleaseCommandQueue)
	F(clFinish)
#undef F
	return 1;
}

static void *find_device(void)
{
	void *platforms[PLATFORMS_MAX], *device;
	uint32_t count = 0;

	if (!load() || cl.clGetPlatformIDs(PLATFORMS_MAX, platforms, &count))
		return NULL;
	for (uint32_t i = 0; i < count && i < PLATFORMS_MAX; i++)
		if (!cl.clGetDeviceIDs(platforms[i], 0xffffffff, 1, &device, NULL))
			return device;
	return NULL;
}

static int prepare(void *device)
{
	static const char *source = "__kernel void work(__global float *x) {\n"
				    "	float y = x[get_global_id(0)];\n"
				    "	for (int i = 0; i < 1000; i++) y = y * 0.5f + 1.0f;\n"
				    "	x[get_global_id(0)] = y; }\n";
	int32_t error = 0;
	void *context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error), *program, *buffer;

	if (!context)
		return 0;
	queue = cl.clCreateCommandQueue(context, device, PROFILING, &error);
	program = cl.clCreateProgramWithSource(context, 1, &source, NULL, &error);
	if (!queue || !program || cl.clBuildProgram(program, 1, &device, "", NULL, NULL))
		return 0;
	kernel = cl.clCreateKernel(program, "work", &error);
	buffer = cl.clCreateBuffer(context, 1, 65536 * sizeof(float), NULL, &error);
	return kernel && buffer && !cl.clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
}

void *work_open(const char **out_reason)
{
	void *device = find_device();
	char name[256] = "";

	*out_reason = "no OpenCL driver runs kernels here";
	if (!device || !prepare(device))
		return NULL;
	cl.clGetDeviceInfo(device, NAME, sizeof(name) - 1, name, NULL);
	puts(name);
	*out_reason = NULL;
	if (!NVPA_CL_RegisterCommandQueue(queue))
		return queue;
	printf("NVPA_CL_RegisterCommandQueue: %s\n", NVPA_GetErrorText());
	exit(1);
}

void work_do(unsigned n)
{
	size_t size = n;

	launches[launch_count].n = n;
	if (launch_count < EVENTS_MAX - 1 &&
	    !cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL,
				       &launches[launch_count++].event))
		return;
	puts("a kernel cannot be launched");
	exit(1);
}

uint64_t work_get_shortest_ns(unsigned n)
{
	uint64_t shortest_ns = UINT64_MAX;

	cl.clFinish(queue);
	for (unsigned i = 0; i < launch_count; i++) {
		uint64_t begin_ns = 0, end_ns = 0;

		if (launches[i].n != n)
			continue;
		cl.clGetEventProfilingInfo(launches[i].event, COMMAND_START, 8, &begin_ns, NULL);
		cl.clGetEventProfilingInfo(launches[i].event, COMMAND_END, 8, &end_ns, NULL);
		if (end_ns - begin_ns < shortest_ns)
			shortest_ns = end_ns - begin_ns;
	}
	return shortest_ns;
}

void work_close(void)
{
	for (unsigned i = 0; i < launch_count; i++)
		cl.clReleaseEvent(launches[i].event);
	NVPA_UnregisterContext(queue);
	cl.clReleaseCommandQueue(queue);
}
