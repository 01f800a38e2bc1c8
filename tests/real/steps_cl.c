/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program that does what its arguments say, one after the other, on the first device of
 * a platform. Needs no OpenCL headers.
 *
 *	steps_cl PLATFORM STEP...
 *
 *	one:N two:N	launches that kernel N times, and waits for the last
 *	pause resume	calls tacho_profile_pause() or tacho_profile_resume()
 *	sleep:MS
 *	line		prints "line" and waits for a line on standard input
 *	signals		prints which signals have handlers, are ignored and are blocked
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/profile.h>

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
	X(int32_t, clFinish, (void *))

static struct {
#define X(type, name, arguments) type(*name) arguments;
	CL_FUNCTIONS(X)
#undef X
} cl;

enum { ITEMS = 256, MEM_READ_WRITE = 1 };

static const char source[] = "kernel void one(global uint *x) { x[get_global_id(0)] += 1; }\n"
			     "kernel void two(global uint *x) { x[get_global_id(0)] *= 3; }\n";

static struct {
	void *queue, *one, *two;
} things;

static void check(const char *what, int32_t status)
{
	if (!status)
		return;
	fprintf(stderr, "steps_cl: %s failed: %d\n", what, status);
	exit(1);
}

static void load(void)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);

	if (!library) {
		fprintf(stderr, "steps_cl: %s\n", dlerror());
		exit(1);
	}
#define X(type, name, arguments) *(void **)&cl.name = dlsym(library, #name);
	CL_FUNCTIONS(X)
#undef X
}

static void *make_kernel(void *program, const char *name, void *buffer)
{
	int32_t status;
	void *kernel = cl.clCreateKernel(program, name, &status);

	check(name, status);
	check("clSetKernelArg", cl.clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
	return kernel;
}

static void set_up(unsigned long number)
{
	void *platforms[16], *device, *context, *program, *buffer;
	const char *text = source;
	uint32_t count = 0;
	int32_t status;

	load();
	check("clGetPlatformIDs", cl.clGetPlatformIDs(16, platforms, &count));
	check("the platform", number >= count);
	check("clGetDeviceIDs", cl.clGetDeviceIDs(platforms[number], 0xffffffff, 1, &device, NULL));
	context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check("clCreateContext", status);
	things.queue = cl.clCreateCommandQueue(context, device, 0, &status);
	check("clCreateCommandQueue", status);
	program = cl.clCreateProgramWithSource(context, 1, &text, NULL, &status);
	check("clCreateProgramWithSource", status);
	check("clBuildProgram", cl.clBuildProgram(program, 1, &device, "", NULL, NULL));
	buffer = cl.clCreateBuffer(context, MEM_READ_WRITE, ITEMS * 4, NULL, &status);
	check("clCreateBuffer", status);
	things.one = make_kernel(program, "one", buffer);
	things.two = make_kernel(program, "two", buffer);
}

static void launch(void *kernel, unsigned long count)
{
	size_t items = ITEMS;

	for (unsigned long i = 0; i < count; i++)
		check("clEnqueueNDRangeKernel",
		      cl.clEnqueueNDRangeKernel(things.queue, kernel, 1, NULL, &items, NULL, 0,
						NULL, NULL));
	check("clFinish", cl.clFinish(things.queue));
}

static void print_signals(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];

	check("/proc/self/status", !status);
	while (fgets(line, sizeof(line), status))
		if (!strncmp(line, "SigCgt", 6) || !strncmp(line, "SigIgn", 6) ||
		    !strncmp(line, "SigBlk", 6))
			fputs(line, stdout);
	fclose(status);
}

static void await_line(void)
{
	char line[64];

	puts("line");
	fflush(stdout);
	check("reading a line", !fgets(line, sizeof(line), stdin));
}

static void take(const char *step)
{
	const char *colon = strchr(step, ':');
	unsigned long number = colon ? strtoul(colon + 1, NULL, 10) : 1;

	if (!strncmp(step, "one", 3))
		launch(things.one, number);
	else if (!strncmp(step, "two", 3))
		launch(things.two, number);
	else if (!strncmp(step, "sleep", 5))
		usleep((useconds_t)number * 1000);
	else if (!strcmp(step, "pause"))
		tacho_profile_pause();
	else if (!strcmp(step, "resume"))
		tacho_profile_resume();
	else if (!strcmp(step, "line"))
		await_line();
	else if (!strcmp(step, "signals"))
		print_signals();
	else
		check(step, 2);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: steps_cl PLATFORM STEP...\n");
		return 2;
	}
	set_up(strtoul(argv[1], NULL, 10));
	for (int i = 2; i < argc; i++)
		take(argv[i]);
	return 0;
}
