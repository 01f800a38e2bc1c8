/* SPDX-License-Identifier: MIT */
/* What OpenCL answers: queries, results, callbacks, the order of commands. */
#include "transparent.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	COMPLETE = 0,
	RUNNING = 1,
	SUBMITTED = 2,
	OUT_OF_ORDER = 1,
	PROFILING = 2,
	ITEMS = 64,
	BYTES = ITEMS * sizeof(int32_t),
	SETTLE_US = 30000, /* drivers drop their own references after they woke the waiting */
	PATIENCE = 50,	   /* times that, for a callback */
	NOTES_MAX = 32,
};

enum { EVENT_QUEUE = 0x11D0, EVENT_TYPE, EVENT_REFERENCES, EVENT_STATUS, EVENT_CONTEXT };
enum {
	QUEUE_CONTEXT = 0x1090,
	QUEUE_DEVICE,
	QUEUE_REFERENCES,
	QUEUE_FLAGS,
	QUEUE_SIZE,
	QUEUE_LIST
};

static struct {
	void *device, *context, *program, *kernel, *buffer, *queue;
} all;

/* What callbacks had to tell; printed when they are through. */
static struct {
	atomic_uint begun, count;
	char text[NOTES_MAX][96];
} notes;

/*
 * PoCL 6 holds an event once more while a thread opens its gate or waits for it. So callbacks count
 * its references when the first thread waits for nothing but them; and the others had time to end,
 * since one of them opens the gate that tacho puts before a launch.
 */
static atomic_bool first_rests;

static void note(const char *what, int32_t value, int32_t references)
{
	unsigned at = atomic_fetch_add(&notes.begun, 1);

	if (at < NOTES_MAX)
		snprintf(notes.text[at], sizeof(notes.text[at]), "%s %d, references %d", what,
			 value, references);
	atomic_fetch_add(&notes.count, 1);
}

static void await_notes(unsigned count)
{
	for (int i = 0; i < PATIENCE && atomic_load(&notes.count) < count; i++)
		usleep(SETTLE_US);
}

/* Waits for `count` of them, and for one too many. */
static void print_notes(unsigned count)
{
	unsigned seen;

	atomic_store(&first_rests, true);
	await_notes(count);
	usleep(SETTLE_US);
	seen = atomic_load(&notes.count);
	printf("%u callbacks\n", seen);
	/* Those of the user event come from another thread: at any time between the others. */
	for (int is_user = 0; is_user < 2; is_user++) {
		for (unsigned i = 0; i < seen && i < NOTES_MAX; i++) {
			if (is_user == (strncmp(notes.text[i], "user", 4) == 0))
				printf("callback %s\n", notes.text[i]);
		}
	}
	atomic_store(&notes.count, 0);
	atomic_store(&notes.begun, 0);
	atomic_store(&first_rests, false);
}

static int32_t references(void *event)
{
	uint32_t count = 999;
	int32_t status = cl.clGetEventInfo(event, EVENT_REFERENCES, sizeof(count), &count, NULL);

	return status ? status : (int32_t)count;
}

static void print_bytes(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		printf("%02x", bytes[i]);
}

/* One query with all kinds of room; `secret`: addresses or times, of which only the size shows. */
static void query(const char *what, info_fn *get, void *object, uint32_t name, bool secret)
{
	static const size_t rooms[] = {0, 1, 4, 7, 8, 256};

	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		for (int form = 0; form < 4; form++) {
			unsigned char value[256];
			size_t size = 12345;
			int32_t status;

			memset(value, 0xee, sizeof(value));
			errno = 77;
			status = get(object, name, rooms[i], form & 1 ? value : NULL,
				     form & 2 ? &size : NULL);
			printf("%s %x room %zu form %d = %d size %zu errno %d ", what, name,
			       rooms[i], form, status, size, errno);
			if (!secret)
				print_bytes(value, 24);
			printf("\n");
		}
	}
}

static void print_queue(const char *what, void *queue, int32_t status)
{
	printf("%s: %s, status %d\n", what, queue ? "made" : "not made", status);
	if (!queue)
		return;
	for (uint32_t name = QUEUE_CONTEXT; name <= QUEUE_LIST + 1; name++)
		query(what, cl.clGetCommandQueueInfo, queue, name, name <= QUEUE_DEVICE);
}

static void print_times(const char *what, void *event)
{
	for (uint32_t name = 0x127F; name <= 0x1285; name++)
		query(what, cl.clGetEventProfilingInfo, event, name, true);
}

static void *launch(void *queue, uint32_t count, void *const *waits)
{
	size_t global = ITEMS;
	void *event = NULL;
	int32_t status = cl.clEnqueueNDRangeKernel(queue, all.kernel, 1, NULL, &global, NULL, count,
						   waits, &event);

	if (status)
		printf("launch = %d\n", status);
	return event;
}

/* When nothing runs any more, the references that a driver's commands hold are gone too. */
static void settle(void *queue)
{
	uint32_t queues = 999, contexts = 999;

	CHECK(cl.clFinish(queue));
	usleep(SETTLE_US);
	cl.clGetCommandQueueInfo(queue, QUEUE_REFERENCES, sizeof(queues), &queues, NULL);
	cl.clGetContextInfo(all.context, 0x1080, sizeof(contexts), &contexts, NULL);
	printf("references of the queue %u, of the context %u\n", queues, contexts);
}

/* A queue, its events' times, its references while it works. */
static void try_queue(const char *what, void *queue, int32_t status)
{
	void *event, *marker = NULL;

	print_queue(what, queue, status);
	if (!queue)
		return;
	event = launch(queue, 0, NULL);
	if (event) {
		CHECK(cl.clWaitForEvents(1, &event));
		print_times(what, event);
		settle(queue);
		printf("event references %d\n", references(event));
		CHECK(cl.clReleaseEvent(event));
	}
	CHECK(cl.clEnqueueMarker(queue, &marker));
	settle(queue);
	if (marker)
		CHECK(cl.clReleaseEvent(marker));
	CHECK(cl.clRetainCommandQueue(queue));
	query(what, cl.clGetCommandQueueInfo, queue, QUEUE_REFERENCES, false);
	CHECK(cl.clReleaseCommandQueue(queue));
	query(what, cl.clGetCommandQueueInfo, queue, QUEUE_REFERENCES, false);
	CHECK(cl.clReleaseCommandQueue(queue));
}

void print_queues(void)
{
	char what[32];
	int32_t status = 99;
	void *queue;

	for (uint64_t flags = 0; flags <= 4; flags++) {
		queue = cl.clCreateCommandQueue(all.context, all.device, flags, &status);
		snprintf(what, sizeof(what), "queue %d", (int)flags);
		try_queue(what, queue, status);
	}
	query("context", cl.clGetContextInfo, all.context, 0x1080, false);
}

void print_lists(void)
{
	static const uint64_t lists[][5] = {{0},
					    {QUEUE_FLAGS, 0, 0},
					    {QUEUE_FLAGS, OUT_OF_ORDER, 0},
					    {QUEUE_FLAGS, PROFILING, 0},
					    {QUEUE_FLAGS, 1 << 20, 0},
					    {0x9999, 1, 0}};
	char what[32];
	int32_t status = 99;
	void *queue;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		queue = cl.clCreateCommandQueueWithProperties(all.context, all.device, lists[i],
							      &status);
		snprintf(what, sizeof(what), "queue of list %zu", i);
		try_queue(what, queue, status);
	}
	queue = cl.clCreateCommandQueueWithProperties(all.context, all.device, NULL, &status);
	try_queue("queue without list", queue, status);
}

static void print_event(const char *what, void *event)
{
	printf("%s: references %d\n", what, references(event));
	query(what, cl.clGetEventInfo, event, EVENT_TYPE, false);
	query(what, cl.clGetEventInfo, event, EVENT_REFERENCES, false);
	query(what, cl.clGetEventInfo, event, EVENT_CONTEXT, true);
	query(what, cl.clGetEventInfo, event, EVENT_QUEUE, true);
	query(what, cl.clGetEventInfo, event, EVENT_STATUS + 99, true);
}

/* Not the first thread: what others did before has to come to its end. */
static void await_rest(void)
{
	for (int i = 0; i < PATIENCE && !atomic_load(&first_rests); i++)
		usleep(SETTLE_US);
	usleep(SETTLE_US);
}

static void on_event(void *event, int32_t status, void *user)
{
	if (gettid() != getpid())
		await_rest();
	note(user, status, references(event));
}

/* A command is held back by an event of ours, which then ends with `status`. */
static void hold_back(int32_t status)
{
	int32_t rc = 0, state = 99;
	void *gate = cl.clCreateUserEvent(all.context, &rc), *event;

	printf("-- user event that ends with %d: %d\n", status, rc);
	if (!gate)
		return;
	event = launch(all.queue, 1, &gate);
	CHECK(cl.clFlush(all.queue));
	if (event) {
		print_event("event that waits", event);
		CHECK(cl.clRetainEvent(event));
		printf("retained: references %d\n", references(event));
		CHECK(cl.clReleaseEvent(event));
		printf("released: references %d\n", references(event));
		print_times("event that waits", event);
		CHECK(cl.clSetEventCallback(event, COMPLETE, (void *)on_event, "event"));
	}
	CHECK(cl.clSetUserEventStatus(gate, status));
	CHECK(cl.clSetUserEventStatus(gate, status));
	if (event) {
		print_notes(1);
		CHECK(cl.clWaitForEvents(1, &event));
		settle(all.queue);
		CHECK(cl.clGetEventInfo(event, EVENT_STATUS, sizeof(state), &state, NULL));
		printf("state %d\n", state);
		print_event("event that ended", event);
		CHECK(cl.clReleaseEvent(event));
	}
	print_event("user event", gate);
	print_times("user event", gate);
	CHECK(cl.clReleaseEvent(gate));
}

void print_events(void)
{
	hold_back(COMPLETE);
	hold_back(-5);
	settle(all.queue);
}

static void on_destroy(void *object, void *user)
{
	note(user, object != NULL, 0);
}

static void on_build(void *program, void *user)
{
	note(user, program != NULL, 0);
}

void print_callbacks(void)
{
	static const int32_t states[] = {COMPLETE, RUNNING, SUBMITTED, 3, -5};
	int32_t status = 0;
	void *gate = cl.clCreateUserEvent(all.context, &status), *event, *buffer;

	event = gate ? launch(all.queue, 1, &gate) : NULL;
	for (size_t i = 0; event && i < sizeof(states) / sizeof(states[0]); i++)
		CHECK(cl.clSetEventCallback(event, states[i], (void *)on_event, "event"));
	if (gate) {
		CHECK(cl.clSetEventCallback(gate, COMPLETE, (void *)on_event, "user event"));
		CHECK(cl.clSetUserEventStatus(gate, COMPLETE));
	}
	if (event)
		CHECK(cl.clFlush(all.queue));
	print_notes(4);
	if (event) {
		settle(all.queue);
		CHECK(cl.clSetEventCallback(event, COMPLETE, (void *)on_event, "late"));
		print_notes(1);
		CHECK(cl.clReleaseEvent(event));
	}
	if (gate)
		CHECK(cl.clReleaseEvent(gate));

	buffer = cl.clCreateBuffer(all.context, 1, BYTES, NULL, &status);
	CHECK(cl.clSetMemObjectDestructorCallback(buffer, (void *)on_destroy, "destroyed 1"));
	CHECK(cl.clSetMemObjectDestructorCallback(buffer, (void *)on_destroy, "destroyed 2"));
	CHECK(cl.clSetKernelArg(all.kernel, 0, sizeof(buffer), &buffer));
	event = launch(all.queue, 0, NULL);
	settle(all.queue);
	if (event)
		CHECK(cl.clReleaseEvent(event));
	CHECK(cl.clSetKernelArg(all.kernel, 0, sizeof(all.buffer), &all.buffer));
	CHECK(cl.clReleaseMemObject(buffer));
	print_notes(2);
	CHECK(cl.clBuildProgram(all.program, 1, &all.device, "-no-such-option", (void *)on_build,
				"built"));
	print_notes(1);
}

static void native(void *arguments)
{
	note("native kernel", *(int *)arguments, 0);
}

static void print_out_of_order(void)
{
	int32_t status = 0, values[ITEMS];
	void *queue = cl.clCreateCommandQueue(all.context, all.device, OUT_OF_ORDER, &status);
	void *events[3] = {NULL};

	printf("out of order %d\n", status);
	if (!queue)
		return;
	memset(values, 0, sizeof(values));
	CHECK(cl.clEnqueueWriteBuffer(queue, all.buffer, 0, 0, BYTES, values, 0, NULL, &events[0]));
	events[1] = launch(queue, 1, &events[0]);
	events[2] = launch(queue, 1, &events[1]);
	CHECK(cl.clEnqueueReadBuffer(queue, all.buffer, 1, 0, BYTES, values, 1, &events[2], NULL));
	printf("values %d %d\n", values[0], values[ITEMS - 1]);
	for (int i = 0; i < 3; i++) {
		if (events[i])
			CHECK(cl.clReleaseEvent(events[i]));
	}
	settle(queue);
	CHECK(cl.clReleaseCommandQueue(queue));
}

static void print_mapped(void)
{
	const size_t region[2] = {0, BYTES / 2};
	int32_t status = 0, *values;
	void *part = cl.clCreateSubBuffer(all.buffer, 1, 0x1220, region, &status), *event = NULL;

	printf("sub-buffer %d\n", status);
	if (part) {
		query("sub-buffer", cl.clGetMemObjectInfo, part, 0x1102, false);
		query("sub-buffer", cl.clGetMemObjectInfo, part, 0x1105, false);
		CHECK(cl.clReleaseMemObject(part));
	}
	values = cl.clEnqueueMapBuffer(all.queue, all.buffer, 1, 1, 0, BYTES, 0, NULL, &event,
				       &status);
	printf("map %d\n", status);
	if (values) {
		printf("mapped %d %d\n", values[0], values[ITEMS - 1]);
		settle(all.queue);
		print_event("map", event);
		CHECK(cl.clReleaseEvent(event));
		CHECK(cl.clEnqueueUnmapMemObject(all.queue, all.buffer, values, 0, NULL, NULL));
	}
	settle(all.queue);
	query("buffer", cl.clGetMemObjectInfo, all.buffer, 0x1104, false);
	query("buffer", cl.clGetMemObjectInfo, all.buffer, 0x1105, false);
}

void print_native(void)
{
	int number = 4711;

	CHECK(cl.clEnqueueNativeKernel(all.queue, (void *)native, &number, sizeof(number), 0, NULL,
				       NULL, 0, NULL, NULL));
	settle(all.queue);
	print_notes(1);
}

void print_commands(void)
{
	void *marker = NULL;

	print_out_of_order();
	print_mapped();
	CHECK(cl.clEnqueueBarrier(all.queue));
	CHECK(cl.clEnqueueBarrierWithWaitList(all.queue, 0, NULL, NULL));
	CHECK(cl.clEnqueueMarkerWithWaitList(all.queue, 0, NULL, &marker));
	settle(all.queue);
	if (marker) {
		print_event("marker", marker);
		CHECK(cl.clReleaseEvent(marker));
	}
	query("queue", cl.clGetCommandQueueInfo, all.queue, QUEUE_REFERENCES, false);
	query("context", cl.clGetContextInfo, all.context, 0x1080, false);
}

void print_errors(void)
{
	size_t global = ITEMS, odd = 7;
	uint64_t old = 99;
	int32_t status = 0, byte;

	CHECK(cl.clGetPlatformIDs(0, NULL, NULL));
	CHECK(cl.clGetDeviceIDs(NULL, 0, 0, NULL, NULL));
	printf("%d ", cl.clCreateContext(NULL, 0, NULL, NULL, NULL, &status) != NULL);
	printf("context %d\n", status);
	printf("%d ", cl.clCreateBuffer(all.context, 1, 0, NULL, &status) != NULL);
	printf("buffer %d\n", status);
	printf("%d ", cl.clCreateCommandQueue(NULL, all.device, 0, &status) != NULL);
	printf("queue %d\n", status);
	printf("%d ", cl.clCreateKernel(all.program, "none", &status) != NULL);
	printf("kernel %d\n", status);
	CHECK(cl.clSetKernelArg(all.kernel, 9, 4, &byte));
	CHECK(cl.clEnqueueNDRangeKernel(all.queue, all.kernel, 9, NULL, &global, NULL, 0, NULL,
					NULL));
	CHECK(cl.clEnqueueNDRangeKernel(all.queue, all.kernel, 1, NULL, &global, &odd, 0, NULL,
					NULL));
	CHECK(cl.clEnqueueNDRangeKernel(NULL, all.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
	CHECK(cl.clEnqueueReadBuffer(all.queue, all.buffer, 1, BYTES, 4, &byte, 0, NULL, NULL));
	CHECK(cl.clWaitForEvents(0, NULL));
	CHECK(cl.clReleaseEvent(NULL));
	CHECK(cl.clGetEventInfo(NULL, EVENT_REFERENCES, 4, &byte, NULL));
	CHECK(cl.clGetEventProfilingInfo(NULL, 0x1280, 8, &old, NULL));
	CHECK(cl.clGetCommandQueueInfo(NULL, QUEUE_FLAGS, 8, &old, NULL));
	settle(all.queue);
}

void print_property(void)
{
	uint64_t old = 99;

	CHECK(cl.clSetCommandQueueProperty(all.queue, OUT_OF_ORDER, 0, &old));
	printf("properties before %d\n", (int)old);
}

/* The lowest that are read for a while: drivers drop their own references in their own time. */
static void print_counts(const char *when, void *queue)
{
	const struct {
		const char *what;
		info_fn *get;
		void *object;
		uint32_t name;
	} counts[] = {
		{"context", cl.clGetContextInfo, all.context, 0x1080},
		{"queue", cl.clGetCommandQueueInfo, queue, QUEUE_REFERENCES},
		{"program", cl.clGetProgramInfo, all.program, 0x1160},
		{"kernel", cl.clGetKernelInfo, all.kernel, 0x1192},
		{"buffer", cl.clGetMemObjectInfo, all.buffer, 0x1105},
	};
	enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };
	uint32_t lowest[COUNTS], count;

	memset(lowest, 0xff, sizeof(lowest));
	for (int turn = 0; turn < PATIENCE; turn++) {
		for (size_t i = 0; i < COUNTS; i++)
			if (!counts[i].get(counts[i].object, counts[i].name, sizeof(count), &count,
					   NULL) &&
			    count < lowest[i])
				lowest[i] = count;
		usleep(SETTLE_US / 10);
	}
	printf("%s:", when);
	for (size_t i = 0; i < COUNTS; i++)
		printf(" %s %u", counts[i].what, lowest[i]);
	printf("\n");
}

static void release(void *event)
{
	if (event)
		cl.clReleaseEvent(event);
}

/* What holds what, while commands wait for an event of ours, run, and have run. */
void print_references(void)
{
	int32_t status = 0, values[ITEMS] = {0};
	void *queue = cl.clCreateCommandQueue(all.context, all.device, 0, &status), *events[3];

	cl.clEnqueueWriteBuffer(queue, all.buffer, 1, 0, BYTES, values, 0, NULL, NULL);
	print_counts("at first", queue);
	events[0] = launch(queue, 0, NULL);
	cl.clFinish(queue);
	print_counts("after a launch", queue);
	events[1] = launch(queue, 1, &events[0]);
	release(launch(queue, 0, NULL));
	cl.clFinish(queue);
	print_counts("after three", queue);
	release(events[0]);
	print_counts("one event less", queue);
	cl.clEnqueueReadBuffer(queue, all.buffer, 1, 0, BYTES, values, 0, NULL, &events[2]);
	print_counts("after a transfer", queue);
	release(events[1]);
	release(events[2]);
	print_counts("no events", queue);
	printf("values %d %d\n", values[0], values[ITEMS - 1]);
	cl.clReleaseCommandQueue(queue);
	print_counts("no queue", all.queue);
}

static void build(void)
{
	const char *source = "kernel void add(global int *a) { a[get_global_id(0)] += 1; }";
	int32_t status = 0;

	all.program = cl.clCreateProgramWithSource(all.context, 1, &source, NULL, &status);
	status = cl.clBuildProgram(all.program, 1, &all.device, "", NULL, NULL);
	if (!status)
		all.kernel = cl.clCreateKernel(all.program, "add", &status);
	all.buffer = cl.clCreateBuffer(all.context, 1, BYTES, NULL, NULL);
	if (!all.kernel || !all.buffer) {
		fprintf(stderr, "transparent: no kernel: %d\n", status);
		exit(1);
	}
	CHECK(cl.clSetKernelArg(all.kernel, 0, sizeof(all.buffer), &all.buffer));
}

void prepare(void)
{
	void *platforms[8];
	uint32_t count = 0;
	int32_t status = cl.clGetPlatformIDs(8, platforms, &count);

	for (uint32_t i = 0; i < count && i < 8 && !all.device; i++)
		status = cl.clGetDeviceIDs(platforms[i], 0xffffffff, 1, &all.device, NULL);
	if (all.device)
		all.context = cl.clCreateContext(NULL, 1, &all.device, NULL, NULL, &status);
	if (all.context)
		all.queue = cl.clCreateCommandQueue(all.context, all.device, 0, &status);
	if (!all.queue) {
		fprintf(stderr, "transparent: no queue: %d\n", status);
		exit(1);
	}
	build();
}

void leave_work(void)
{
	for (int i = 0; i < 20; i++)
		launch(all.queue, 0, NULL);
	CHECK(cl.clFlush(all.queue));
}

void release_all(void)
{
	printf("-- the end\n");
	CHECK(cl.clReleaseKernel(all.kernel));
	CHECK(cl.clReleaseProgram(all.program));
	CHECK(cl.clReleaseMemObject(all.buffer));
	CHECK(cl.clReleaseCommandQueue(all.queue));
	CHECK(cl.clReleaseContext(all.context));
}
