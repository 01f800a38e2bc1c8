/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program with known faults, or with none, on the first device of a platform.
 *
 *	findings_cl PLATFORM faults|tidy
 */
#define CL_OTHER_FUNCTIONS(X)                                                                   \
	X(void *, clCreateCommandQueueWithProperties,                                           \
	  (void *, void *, const uint64_t *, int32_t *))                                        \
	X(int32_t, clEnqueueWriteBuffer,                                                        \
	  (void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *const *,     \
	   void **))                                                                            \
	X(int32_t, clEnqueueReadBuffer,                                                         \
	  (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *, void **)) \
	X(int32_t, clGetEventInfo, (void *, uint32_t, size_t, void *, size_t *))                \
	X(int32_t, clRetainMemObject, (void *))                                                 \
	X(int32_t, clReleaseMemObject, (void *))                                                \
	X(int32_t, clReleaseKernel, (void *))                                                   \
	X(int32_t, clReleaseProgram, (void *))                                                  \
	X(int32_t, clReleaseCommandQueue, (void *))                                             \
	X(int32_t, clReleaseContext, (void *))

#define CL_MAKE_QUEUE(status) cl.clCreateCommandQueueWithProperties(context, device, NULL, status)

#include "cl_program.h"

#include <string.h>
#include <unistd.h>

enum { ITEMS = 4096, BYTES = ITEMS * sizeof(uint32_t) };
enum { CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3 };

static const char source[] = "kernel void spin(global uint *x)\n"
			     "{\n"
			     "	uint v = x[get_global_id(0)];\n"
			     "	for (int i = 0; i < 2000; i++)\n"
			     "		v = v * 1664525u + 1013904223u;\n"
			     "	x[get_global_id(0)] = v;\n"
			     "}\n";

static uint32_t data[ITEMS];

static void launch(void *kernel, size_t items, size_t group, void **event)
{
	check("clEnqueueNDRangeKernel",
	      cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, event));
}

static void write_data(void *buffer, uint32_t blocking)
{
	check("clEnqueueWriteBuffer",
	      cl.clEnqueueWriteBuffer(queue, buffer, blocking, 0, BYTES, data, 0, NULL, NULL));
}

static void read_data(void *buffer)
{
	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, buffer, 1, 0, BYTES, data, 0, NULL, NULL));
}

static void release(void *kernel, void *of)
{
	check("clReleaseKernel", cl.clReleaseKernel(kernel));
	check("clReleaseProgram", cl.clReleaseProgram(of));
}

/* Two more programs like the first, each built. */
static void build_again(void)
{
	const char *text = source;
	int32_t status;

	for (int i = 0; i < 2; i++) {
		void *other = cl.clCreateProgramWithSource(context, 1, &text, NULL, &status);

		check("clCreateProgramWithSource", status);
		check("clBuildProgram", cl.clBuildProgram(other, 1, &device, "", NULL, NULL));
		release(make_kernel(other, "spin"), other);
	}
}

/* Asks until the command has ended. */
static void poll(void *event)
{
	int32_t status = 1;

	while (status > 0) {
		check("clGetEventInfo", cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
							  sizeof(status), &status, NULL));
		usleep(200); /* else there are millions of questions */
	}
}

static void do_faults(void *kernel, void *buffer)
{
	int32_t status;
	void *events[4], *second = cl.clCreateCommandQueue(context, device, 0, &status);

	/* deprecated-function, unused-queue */
	check("clCreateCommandQueue", status);
	check("clReleaseCommandQueue", cl.clReleaseCommandQueue(second));
	for (int i = 0; i < 3; i++)
		write_data(buffer, 1); /* blocking-write, 3 times */
	for (int i = 0; i < 4; i++)    /* leaked-object: 4 events */
		launch(kernel, ITEMS, 64, &events[i]);
	poll(events[3]); /* busy-wait */
	for (int i = 0; i < 2; i++) {
		launch(kernel, ITEMS, 2, NULL);	       /* small-work-group */
		check("clFinish", cl.clFinish(queue)); /* redundant-sync, 2 times */
	}
	read_data(buffer);
	for (int i = 0; i < 2; i++) /* failed-call, 2 times */
		check("clSetKernelArg", cl.clSetKernelArg(kernel, 9, sizeof(buffer), &buffer) == 0);
	check("clRetainMemObject", cl.clRetainMemObject(buffer)); /* leaked-object: the buffer */
	build_again();						  /* repeated-build: 2 more */
}

static void do_well(void *kernel, void *buffer)
{
	write_data(buffer, 0);
	for (int i = 0; i < 4; i++)
		launch(kernel, ITEMS, 64, NULL);
	read_data(buffer);
}

int main(int argc, char **argv)
{
	int is_tidy = argc == 3 && !strcmp(argv[2], "tidy");
	void *kernel, *buffer;

	if (argc != 3) {
		fprintf(stderr, "usage: findings_cl PLATFORM faults|tidy\n");
		return 2;
	}
	set_up((unsigned)strtoul(argv[1], NULL, 10), source);
	kernel = make_kernel(program, "spin");
	buffer = make_buffer(MEM_READ_WRITE, BYTES, NULL);
	set_buffer(kernel, 0, buffer);
	(is_tidy ? do_well : do_faults)(kernel, buffer);
	check("clReleaseMemObject", cl.clReleaseMemObject(buffer));
	release(kernel, program);
	check("clReleaseCommandQueue", cl.clReleaseCommandQueue(queue));
	check("clReleaseContext", cl.clReleaseContext(context));
	return 0;
}
