/* SPDX-License-Identifier: MIT */
/*
 * Spends nearly all of its time in one function: clFinish() waits for a launch, and the launch for
 * an event that another thread of the program sets after MS milliseconds.
 *
 *	spent_cl PLATFORM MS
 */
#define CL_OTHER_FUNCTIONS(X)                             \
	X(void *, clCreateUserEvent, (void *, int32_t *)) \
	X(int32_t, clSetUserEventStatus, (void *, int32_t))
#include "cl_program.h"

#include <pthread.h>
#include <unistd.h>

static void *event;

static void *set_event(void *user)
{
	usleep((useconds_t)strtoul(user, NULL, 10) * 1000);
	check("clSetUserEventStatus", cl.clSetUserEventStatus(event, 0));
	return NULL;
}

int main(int argc, char **argv)
{
	size_t items = 16;
	pthread_t thread;
	int32_t status;
	void *kernel;

	if (argc != 3) {
		fputs("usage: spent_cl PLATFORM MS\n", stderr);
		return 2;
	}
	set_up((unsigned)strtoul(argv[1], NULL, 10),
	       "kernel void one(global uint *x) { x[get_global_id(0)] = 1; }\n");
	kernel = make_kernel(program, "one");
	set_buffer(kernel, 0, make_buffer(MEM_READ_WRITE, items * sizeof(uint32_t), NULL));
	event = cl.clCreateUserEvent(context, &status);
	check("clCreateUserEvent", status);
	check("clEnqueueNDRangeKernel",
	      cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &event, NULL));
	if (pthread_create(&thread, NULL, set_event, argv[2]) != 0)
		return 1;
	check("clFinish", cl.clFinish(queue));
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
