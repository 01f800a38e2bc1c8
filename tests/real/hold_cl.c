/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program for launches that are held. Prints what came out.
 *
 *	hold_cl [-p PLATFORM] MODE [N]
 *
 *	queues		N launches on each of two queues, at once
 *	cross		two queues that wait for each other by events of the program
 *	callback	a launch inside a callback, waited for by the program
 *	unordered	a queue without order: commands that wait for nothing, for a late event
 *	spin		two kernels that end only together, on two queues; a third one behind
 *	counts		reference counts once all is done
 *	refused		errors of launches that the driver refuses
 *	failed		a launch that waits for an event that fails; then one that does not. Ends
 *			when its input does
 *	leave		exits while launches wait; N 1: releases its queue before
 *	vanish		N launches that end; then a queue each: one that cannot end, and one that
 *			waits for it. Ends without exit()
 *	fork		a child of a process that has launched
 *	time		N launches, one wait: ns per launch of the calls, and until the end
 *	sync		N launches, each waited for: ns per launch
 */
#define CL_OTHER_FUNCTIONS(X)                                                                   \
	X(int32_t, clGetEventInfo, (void *, uint32_t, size_t, void *, size_t *))                \
	X(int32_t, clGetContextInfo, (void *, uint32_t, size_t, void *, size_t *))              \
	X(int32_t, clGetCommandQueueInfo, (void *, uint32_t, size_t, void *, size_t *))         \
	X(int32_t, clEnqueueReadBuffer,                                                         \
	  (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *, void **)) \
	X(int32_t, clSetEventCallback, (void *, int32_t, void *, void *))                       \
	X(int32_t, clWaitForEvents, (uint32_t, void *const *))                                  \
	X(void *, clCreateUserEvent, (void *, int32_t *))                                       \
	X(int32_t, clSetUserEventStatus, (void *, int32_t))                                     \
	X(int32_t, clReleaseEvent, (void *))                                                    \
	X(int32_t, clFlush, (void *))                                                           \
	X(int32_t, clReleaseCommandQueue, (void *))                                             \
	X(int32_t, clReleaseContext, (void *))

#include "cl_program.h"

#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	ITEMS = 1024,
	QUEUE_OUT_OF_ORDER = 1,
	COMPLETE = 0,
	QUEUE_REFERENCES = 0x1092,
	CONTEXT_REFERENCES = 0x1080,
	EVENT_REFERENCES = 0x11D2,
};

static const char source[] =
	"kernel void advance(global uint *x, uint by) { uint i = get_global_id(0); x[i] = x[i] * "
	"by "
	"+ 1; }\n"
	"kernel void nothing(global uint *x) { if (x[0] == 4000000000u) x[1] = 1; }\n"
	"kernel void meet(global volatile uint *x, uint own, uint other) { atomic_xchg(&x[own], "
	"1); while (!atomic_add(&x[other], 0)) ; atomic_inc(&x[2]); }\n";

static void set_word(void *kernel, uint32_t index, uint32_t word)
{
	check("clSetKernelArg", cl.clSetKernelArg(kernel, index, sizeof(word), &word));
}

static void *make_queue(uint64_t properties)
{
	int32_t status;
	void *made = cl.clCreateCommandQueue(context, device, properties, &status);

	check("clCreateCommandQueue", status);
	return made;
}

static void *make_user_event(void)
{
	int32_t status;
	void *event = cl.clCreateUserEvent(context, &status);

	check("clCreateUserEvent", status);
	return event;
}

static void launch(void *on, void *kernel, size_t items, uint32_t waits, void *const *list,
		   void **event)
{
	check("clEnqueueNDRangeKernel",
	      cl.clEnqueueNDRangeKernel(on, kernel, 1, NULL, &items, NULL, waits, list, event));
}

static void *make_zeros(void)
{
	static uint32_t zeros[ITEMS];

	return make_buffer(MEM_READ_WRITE | 32, sizeof(zeros), zeros);
}

static void *make_step(void *buffer, uint32_t by)
{
	void *kernel = make_kernel(program, "advance");

	set_buffer(kernel, 0, buffer);
	set_word(kernel, 1, by);
	return kernel;
}

static void tell(const char *what, void *buffer)
{
	uint32_t values[ITEMS], sum = 0;

	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, buffer, 1, 0, sizeof(values), values, 0, NULL, NULL));
	for (size_t i = 0; i < ITEMS; i++)
		sum = sum * 31 + values[i];
	printf("%s %08x\n", what, sum);
}

static void run_queues(unsigned count)
{
	void *other = make_queue(0), *x = make_zeros(), *y = make_zeros();
	void *on_x = make_step(x, 3), *on_y = make_step(y, 5);

	for (unsigned i = 0; i < count; i++) {
		launch(queue, on_x, ITEMS, 0, NULL, NULL);
		launch(other, on_y, ITEMS, 0, NULL, NULL);
	}
	check("clFlush", cl.clFlush(other));
	check("clFinish", cl.clFinish(queue));
	check("clFinish", cl.clFinish(other));
	tell("x", x);
	tell("y", y);
}

/* Each queue's second launch waits for the other's first, and all for the program. */
static void run_cross(unsigned count)
{
	void *other = make_queue(0), *x = make_zeros(), *kernel = make_step(x, 3);

	for (unsigned i = 0; i < count; i++) {
		void *late[2] = {make_user_event(), make_user_event()}, *first[2], *second[2];

		launch(queue, kernel, ITEMS, 1, &late[0], &first[0]);
		launch(other, kernel, ITEMS, 1, &late[1], &first[1]);
		launch(queue, kernel, ITEMS, 1, &first[1], &second[0]);
		launch(other, kernel, ITEMS, 1, &second[0], &second[1]);
		check("clFlush", cl.clFlush(queue));
		check("clFlush", cl.clFlush(other));
		check("clSetUserEventStatus", cl.clSetUserEventStatus(late[1], COMPLETE));
		check("clWaitForEvents", cl.clWaitForEvents(1, &first[1]));
		check("clSetUserEventStatus", cl.clSetUserEventStatus(late[0], COMPLETE));
		check("clWaitForEvents", cl.clWaitForEvents(2, second));
		for (int k = 0; k < 2; k++) {
			cl.clReleaseEvent(late[k]);
			cl.clReleaseEvent(first[k]);
			cl.clReleaseEvent(second[k]);
		}
	}
	tell("x", x);
}

static struct {
	void *kernel, *done;
} in_callback;

static void on_first(void *event, int32_t status, void *user)
{
	void *last = NULL;

	(void)event;
	(void)status;
	(void)user;
	launch(queue, in_callback.kernel, ITEMS, 0, NULL, &last);
	cl.clFlush(queue);
	cl.clSetUserEventStatus(in_callback.done, COMPLETE);
	cl.clReleaseEvent(last);
}

static void run_callback(unsigned count)
{
	void *x = make_zeros(), *first;

	in_callback.kernel = make_step(x, 7);
	for (unsigned i = 0; i < count; i++) {
		in_callback.done = make_user_event();
		launch(queue, in_callback.kernel, ITEMS, 0, NULL, &first);
		check("clSetEventCallback",
		      cl.clSetEventCallback(first, COMPLETE, (void *)on_first, NULL));
		check("clFlush", cl.clFlush(queue));
		check("clWaitForEvents", cl.clWaitForEvents(1, &in_callback.done));
		check("clFinish", cl.clFinish(queue));
		cl.clReleaseEvent(in_callback.done);
		cl.clReleaseEvent(first);
	}
	tell("x", x);
}

static void run_unordered(unsigned count)
{
	void *on = make_queue(QUEUE_OUT_OF_ORDER), *x = make_zeros(), *y = make_zeros();
	void *on_x = make_step(x, 3), *on_y = make_step(y, 5);

	for (unsigned i = 0; i < count; i++) {
		void *late = make_user_event(), *event, *free_one;

		launch(on, on_x, ITEMS, 1, &late, &event);
		launch(on, on_y, ITEMS, 0, NULL, &free_one);
		check("clFlush", cl.clFlush(on));
		check("clWaitForEvents", cl.clWaitForEvents(1, &free_one)); /* not behind `late` */
		check("clSetUserEventStatus", cl.clSetUserEventStatus(late, COMPLETE));
		check("clWaitForEvents", cl.clWaitForEvents(1, &event));
		cl.clReleaseEvent(late);
		cl.clReleaseEvent(event);
		cl.clReleaseEvent(free_one);
	}
	tell("x", x);
	tell("y", y);
}

static void run_spin(unsigned count)
{
	void *other = make_queue(0);

	for (unsigned i = 0; i < count; i++) {
		void *x = make_zeros(), *here = make_kernel(program, "meet");
		void *there = make_kernel(program, "meet");

		for (uint32_t k = 0; k < 2; k++) {
			void *kernel = k ? there : here;

			set_buffer(kernel, 0, x);
			set_word(kernel, 1, k);
			set_word(kernel, 2, 1 - k);
		}
		launch(queue, here, 1, 0, NULL, NULL);
		launch(other, there, 1, 0, NULL, NULL);
		check("clFlush", cl.clFlush(queue));
		check("clFinish", cl.clFinish(other));
		check("clFinish", cl.clFinish(queue));
		tell("met", x);
	}
	run_queues(2);
}

static uint32_t get_number(int32_t (*get)(void *, uint32_t, size_t, void *, size_t *), void *object,
			   uint32_t name)
{
	uint32_t value = 0;

	check("a reference count", get(object, name, sizeof(value), &value, NULL));
	return value;
}

/* The fewest that are seen: drivers let go of what has ended when they come to it. */
static void keep_least(uint32_t *least, uint32_t value)
{
	if (value < *least)
		*least = value;
}

static void run_counts(unsigned count)
{
	void *x = make_zeros(), *kernel = make_step(x, 3);

	for (unsigned i = 0; i < count; i++) {
		uint32_t of_event = ~0u, of_queue = ~0u, of_context = ~0u;
		void *event;

		launch(queue, kernel, ITEMS, 0, NULL, NULL);
		launch(queue, kernel, ITEMS, 0, NULL, &event);
		check("clFinish", cl.clFinish(queue));
		for (int turn = 0; turn < 100; turn++) {
			keep_least(&of_event,
				   get_number(cl.clGetEventInfo, event, EVENT_REFERENCES));
			keep_least(&of_queue,
				   get_number(cl.clGetCommandQueueInfo, queue, QUEUE_REFERENCES));
			keep_least(&of_context,
				   get_number(cl.clGetContextInfo, context, CONTEXT_REFERENCES));
			sched_yield();
		}
		printf("%u %u %u\n", (unsigned)of_event, (unsigned)of_queue, (unsigned)of_context);
		cl.clReleaseEvent(event);
	}
	tell("x", x);
}

static void run_refused(unsigned count)
{
	void *x = make_zeros(), *kernel = make_step(x, 3), *unset = make_kernel(program, "advance");
	size_t items = ITEMS, group = 7;
	void *event = NULL;

	(void)count;
	printf("%d\n",
	       cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, &event, &event));
	printf("%d\n",
	       cl.clEnqueueNDRangeKernel(queue, kernel, 0, NULL, &items, NULL, 0, NULL, &event));
	printf("%d\n",
	       cl.clEnqueueNDRangeKernel(queue, kernel, 4, NULL, &items, NULL, 0, NULL, &event));
	printf("%d\n",
	       cl.clEnqueueNDRangeKernel(queue, unset, 1, NULL, &items, NULL, 0, NULL, &event));
	printf("%d\n",
	       cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
	printf("%d\n", event != NULL);
	check("clFinish", cl.clFinish(queue));
	tell("x", x);
}

static void run_failed(unsigned count)
{
	void *other = make_queue(0), *x = make_zeros(), *y = make_zeros();
	void *on_x = make_step(x, 3), *on_y = make_step(y, 5);
	int32_t status = 1;

	for (unsigned i = 0; i < count; i++) {
		void *late = make_user_event(), *event;

		launch(other, on_x, ITEMS, 1, &late, &event);
		check("clFlush", cl.clFlush(other));
		check("clSetUserEventStatus", cl.clSetUserEventStatus(late, -5));
		for (status = 1; status > 0;)
			check("clGetEventInfo",
			      cl.clGetEventInfo(event, 0x11D3, sizeof(status), &status, NULL));
		printf("failed %d\n", status < 0);
		cl.clReleaseEvent(event);
		cl.clReleaseEvent(late);
		launch(queue, on_y, ITEMS, 0, NULL, NULL);
		check("clFinish", cl.clFinish(queue));
	}
	tell("x", x);
	tell("y", y);
	fflush(stdout);
	while (getchar() != EOF)
		;
}

static void run_leave(unsigned count)
{
	void *x = make_zeros(), *kernel = make_step(x, 3);

	for (unsigned i = 0; i < 50; i++)
		launch(queue, kernel, ITEMS, 0, NULL, NULL);
	if (count == 1)
		check("clReleaseCommandQueue", cl.clReleaseCommandQueue(queue));
	puts("left");
	exit(0);
}

static void run_vanish(unsigned count)
{
	void *x = make_zeros(), *kernel = make_step(x, 3), *late = make_user_event(), *event;
	void *other = make_queue(0);

	for (unsigned i = 0; i < count; i++) {
		launch(queue, kernel, ITEMS, 0, NULL, NULL);
		check("clFinish", cl.clFinish(queue));
	}
	usleep(200000); /* a driver may tell ends late */
	launch(queue, kernel, ITEMS, 1, &late, &event);
	launch(other, kernel, ITEMS, 1, &event, NULL);
	check("clFlush", cl.clFlush(queue));
	check("clFlush", cl.clFlush(other));
	_exit(0);
}

static void run_fork(unsigned count)
{
	void *x = make_zeros(), *kernel = make_step(x, 3);
	int status = 0;
	pid_t child;

	for (unsigned i = 0; i < count; i++)
		launch(queue, kernel, ITEMS, 0, NULL, NULL);
	fflush(stdout);
	child = fork();
	if (!child)
		_exit(7);
	check("waitpid", waitpid(child, &status, 0) != child);
	printf("child %d\n", WEXITSTATUS(status));
	tell("x", x);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void run_time(unsigned count)
{
	void *x = make_zeros(), *kernel = make_kernel(program, "nothing");
	uint64_t start, enqueued, end;

	set_buffer(kernel, 0, x);
	launch(queue, kernel, 1, 0, NULL, NULL);
	check("clFinish", cl.clFinish(queue));
	start = now_ns();
	for (unsigned i = 0; i < count; i++)
		launch(queue, kernel, 1, 0, NULL, NULL);
	enqueued = now_ns();
	check("clFinish", cl.clFinish(queue));
	end = now_ns();
	printf("calls %.0f all %.0f\n", (double)(enqueued - start) / count,
	       (double)(end - start) / count);
}

static void run_sync(unsigned count)
{
	void *x = make_zeros(), *kernel = make_kernel(program, "nothing");
	uint64_t start, in_calls = 0;

	set_buffer(kernel, 0, x);
	launch(queue, kernel, 1, 0, NULL, NULL);
	check("clFinish", cl.clFinish(queue));
	start = now_ns();
	for (unsigned i = 0; i < count; i++) {
		uint64_t before = now_ns();

		launch(queue, kernel, 1, 0, NULL, NULL);
		in_calls += now_ns() - before;
		check("clFinish", cl.clFinish(queue));
	}
	printf("calls %.0f all %.0f\n", (double)in_calls / count,
	       (double)(now_ns() - start) / count);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(unsigned count);
	} modes[] = {
		{"queues", run_queues},	      {"cross", run_cross},   {"callback", run_callback},
		{"unordered", run_unordered}, {"spin", run_spin},     {"counts", run_counts},
		{"refused", run_refused},     {"failed", run_failed}, {"leave", run_leave},
		{"vanish", run_vanish},	      {"fork", run_fork},     {"time", run_time},
		{"sync", run_sync},
	};
	unsigned platform = 0;

	if (argc > 2 && !strcmp(argv[1], "-p")) {
		platform = (unsigned)atoi(argv[2]);
		argc -= 2;
		argv += 2;
	}
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name) != 0)
			continue;
		set_up(platform, source);
		modes[i].run(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
		return 0;
	}
	fprintf(stderr, "usage: %s [-p PLATFORM] MODE [N]\n", program_invocation_short_name);
	return 2;
}
