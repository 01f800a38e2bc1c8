/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program that records command buffers and runs them as its arguments say, one after the
 * other, on the first device of a platform. It follows the version of the extension that the device
 * has: from 0.9.5 on commands have properties, mutable dispatch takes arrays from 0.9.2 on.
 *
 *	command_buffer_cl PLATFORM STEP...
 *
 *	buffer:N	records N kernels (scale add scale add add scale ...) into a new buffer
 *	mixed		records a fill, a barrier, three kernels and a copy into a new buffer
 *	empty		records nothing into a new buffer
 *	mutable		records two kernels whose sizes may change into a new buffer
 *	half		the size of the first of them is halved, and put back by the next one
 *	run:N		enqueues the buffer N times, and waits for the last
 *	events:N	the same with an event each, whose times are looked at
 *	chain:N		each waits for the event of the one before
 *	user:N		they wait for an event that the program sets
 *	unordered:N	records one kernel for a queue that does not keep the order, and runs it so
 *	other:N		on another queue of the same device
 *	pair:N		records two kernels for two queues of the device, and runs them N times
 *	remap:N		runs a copy of the buffer for another queue N times
 *	abandon:N	enqueues it N times and releases it before they end
 *	release		releases it
 *	retain		retains it and releases it once
 *	direct:N	launches the kernel "add" N times
 *	pause:MS	does nothing
 *	fork		a child that touches no OpenCL
 *	sum		prints a sum of the results
 *	queries		prints what the driver answers about the buffer and its queue
 *
 * A step whose part of the extension the device does not have does and prints nothing.
 */
#define CL_OTHER_FUNCTIONS(X)                                                                   \
	X(void *, clGetExtensionFunctionAddressForPlatform, (void *, const char *))             \
	X(int32_t, clGetDeviceInfo, (void *, uint32_t, size_t, void *, size_t *))               \
	X(int32_t, clGetEventInfo, (void *, uint32_t, size_t, void *, size_t *))                \
	X(int32_t, clGetEventProfilingInfo, (void *, uint32_t, size_t, void *, size_t *))       \
	X(int32_t, clGetCommandQueueInfo, (void *, uint32_t, size_t, void *, size_t *))         \
	X(int32_t, clEnqueueReadBuffer,                                                         \
	  (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *, void **)) \
	X(int32_t, clEnqueueFillBuffer,                                                         \
	  (void *, void *, const void *, size_t, size_t, size_t, uint32_t, void *const *,       \
	   void **))                                                                            \
	X(int32_t, clWaitForEvents, (uint32_t, void *const *))                                  \
	X(void *, clCreateUserEvent, (void *, int32_t *))                                       \
	X(int32_t, clSetUserEventStatus, (void *, int32_t))                                     \
	X(int32_t, clReleaseEvent, (void *))                                                    \
	X(int32_t, clReleaseMemObject, (void *))                                                \
	X(int32_t, clReleaseKernel, (void *))                                                   \
	X(int32_t, clReleaseProgram, (void *))                                                  \
	X(int32_t, clReleaseCommandQueue, (void *))                                             \
	X(int32_t, clReleaseContext, (void *))                                                  \
	X(int32_t, clFlush, (void *))

#include "cl_program.h"

#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 2048, EXTENSIONS_MAX = 256 };

enum {
	OUT_OF_ORDER = 1,
	SIMULTANEOUS_USE = 1,
	MUTABLE = 2,
	MUTABLE_GLOBAL_SIZE = 2,
	COMMAND_BUFFER_FLAGS = 0x1293,
	UPDATABLE_FIELDS = 0x12b1,
	EXTENSIONS_WITH_VERSION = 0x1060,
};

#define VERSION(major, minor, patch) ((uint32_t)(major) << 22 | (minor) << 12 | (patch))

static const char source[] = "kernel void scale(global uint *x) {\n"
			     "	uint v = x[get_global_id(0)];\n"
			     "	for (int i = 0; i < 2000; i++) v = v * 1664525u + 1013904223u;\n"
			     "	x[get_global_id(0)] = v;\n"
			     "}\n"
			     "kernel void add(global uint *x) {\n"
			     "	uint v = x[get_global_id(0)];\n"
			     "	for (int i = 0; i < 2000; i++) v = (v ^ (v >> 7)) + 12345u;\n"
			     "	x[get_global_id(0)] = v;\n"
			     "}\n";

/* The extension's functions, by their places in its versions. */
typedef int32_t plain_fn(void *buffer);
typedef void *create_fn(uint32_t count, void **queues, const uint64_t *properties, int32_t *status);
typedef int32_t kernel_fn(void *buffer, void *queue, const uint64_t *properties, void *kernel,
			  uint32_t dimensions, const size_t *offset, const size_t *global,
			  const size_t *local, uint32_t points, const uint32_t *list,
			  uint32_t *point, void **command);
typedef int32_t enqueue_fn(uint32_t count, void **queues, void *buffer, uint32_t waits,
			   void *const *list, void **event);
typedef int32_t info_fn(void *buffer, uint32_t name, size_t room, void *value, size_t *size);
typedef int32_t old_barrier_fn(void *buffer, void *queue, uint32_t points, const uint32_t *list,
			       uint32_t *point, void **command);
typedef int32_t new_barrier_fn(void *buffer, void *queue, const uint64_t *properties,
			       uint32_t points, const uint32_t *list, uint32_t *point,
			       void **command);
typedef int32_t old_fill_fn(void *buffer, void *queue, void *memory, const void *pattern,
			    size_t pattern_bytes, size_t offset, size_t bytes, uint32_t points,
			    const uint32_t *list, uint32_t *point, void **command);
typedef int32_t new_fill_fn(void *buffer, void *queue, const uint64_t *properties, void *memory,
			    const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes,
			    uint32_t points, const uint32_t *list, uint32_t *point, void **command);
typedef int32_t old_copy_fn(void *buffer, void *queue, void *from, void *to, size_t from_offset,
			    size_t to_offset, size_t bytes, uint32_t points, const uint32_t *list,
			    uint32_t *point, void **command);
typedef int32_t new_copy_fn(void *buffer, void *queue, const uint64_t *properties, void *from,
			    void *to, size_t from_offset, size_t to_offset, size_t bytes,
			    uint32_t points, const uint32_t *list, uint32_t *point, void **command);
typedef void *remap_fn(void *buffer, uint32_t automatic, uint32_t count, void *const *queues,
		       uint32_t commands, void *const *old, void **copied, int32_t *status);
typedef int32_t update_fn(void *buffer, uint32_t count, const uint32_t *types,
			  const void **configs);

struct dispatch_config {
	void *command;
	uint32_t arguments, svm_arguments, infos, dimensions;
	const void *argument_list, *svm_list, *info_list;
	const size_t *offset, *global, *local;
};

static struct {
	uint32_t version, mutable_version;
	create_fn *create;
	plain_fn *finalize, *retain, *release;
	kernel_fn *kernel;
	enqueue_fn *enqueue;
	info_fn *info;
	void *barrier, *fill, *copy;
	update_fn *update;
	remap_fn *remap;
} khr;

static struct {
	void *scale, *add, *memory, *copy;
	void *unordered, *other; /* queues */
	void *buffer;		 /* the command buffer */
	void *command;		 /* the first of it, when it may change */
	size_t items;
} things;

/* ---- set-up ---- */

static uint32_t get_version(const char *name)
{
	static struct {
		uint32_t version;
		char name[64];
	} list[EXTENSIONS_MAX];
	size_t size = 0;

	if (cl.clGetDeviceInfo(device, EXTENSIONS_WITH_VERSION, sizeof(list), list, &size))
		return 0;
	for (size_t i = 0; i < size / sizeof(list[0]); i++)
		if (!strcmp(list[i].name, name))
			return list[i].version;
	return 0;
}

static void *get_function(void *platform, const char *name)
{
	return cl.clGetExtensionFunctionAddressForPlatform(platform, name);
}

static void load_extension(unsigned platform_index)
{
	void *platforms[16];

	check("clGetPlatformIDs", cl.clGetPlatformIDs(16, platforms, NULL));
	khr.version = get_version("cl_khr_command_buffer");
	khr.mutable_version = get_version("cl_khr_command_buffer_mutable_dispatch");
	if (!khr.version) {
		puts("no command buffers");
		exit(77);
	}
#define GET(member, name) \
	*(void **)&khr.member = get_function(platforms[platform_index], "cl" name "KHR")
	GET(create, "CreateCommandBuffer");
	GET(finalize, "FinalizeCommandBuffer");
	GET(retain, "RetainCommandBuffer");
	GET(release, "ReleaseCommandBuffer");
	GET(kernel, "CommandNDRangeKernel");
	GET(enqueue, "EnqueueCommandBuffer");
	GET(info, "GetCommandBufferInfo");
	GET(barrier, "CommandBarrierWithWaitList");
	GET(fill, "CommandFillBuffer");
	GET(copy, "CommandCopyBuffer");
	if (khr.mutable_version >= VERSION(0, 9, 2))
		GET(update, "UpdateMutableCommands");
	if (get_version("cl_khr_command_buffer_multi_device"))
		GET(remap, "RemapCommandBuffer");
#undef GET
}

static void make_memory(void)
{
	const uint32_t seed = 7;

	things.memory = make_buffer(MEM_READ_WRITE, ITEMS * sizeof(uint32_t), NULL);
	things.copy = make_buffer(MEM_READ_WRITE, ITEMS * sizeof(uint32_t), NULL);
	check("clEnqueueFillBuffer",
	      cl.clEnqueueFillBuffer(queue, things.memory, &seed, sizeof(seed), 0,
				     ITEMS * sizeof(seed), 0, NULL, NULL));
	check("clEnqueueFillBuffer",
	      cl.clEnqueueFillBuffer(queue, things.copy, &seed, sizeof(seed), 0,
				     ITEMS * sizeof(seed), 0, NULL, NULL));
	things.scale = make_kernel(program, "scale");
	things.add = make_kernel(program, "add");
	set_buffer(things.scale, 0, things.memory);
	set_buffer(things.add, 0, things.memory);
}

/* ---- recording ---- */

/* All but the mutable ones may run while they run. Drivers that refuse that get none of it. */
static void begin_buffer(void **on, uint64_t flags)
{
	const uint64_t properties[] = {COMMAND_BUFFER_FLAGS, flags, 0};
	int32_t status;

	things.command = NULL;
	things.buffer = khr.create(1, on, properties, &status);
	if (status && !(flags & MUTABLE))
		things.buffer = khr.create(1, on, NULL, &status);
	check("clCreateCommandBufferKHR", status);
}

static void record_kernel(void *kernel, const uint64_t *properties, void **command)
{
	const size_t items = ITEMS;

	check("clCommandNDRangeKernelKHR", khr.kernel(things.buffer, NULL, properties, kernel, 1,
						      NULL, &items, NULL, 0, NULL, NULL, command));
}

static void end_buffer(void)
{
	check("clFinalizeCommandBufferKHR", khr.finalize(things.buffer));
}

static void record_kernels(unsigned long count)
{
	begin_buffer(&queue, SIMULTANEOUS_USE);
	for (unsigned long i = 0; i < count; i++)
		record_kernel(i % 5 == 0 || i % 5 == 2 ? things.scale : things.add, NULL, NULL);
	end_buffer();
}

static void record_mixed(void)
{
	const size_t bytes = ITEMS * sizeof(uint32_t);
	const uint32_t seed = 9;
	bool is_new = khr.version >= VERSION(0, 9, 5);

	begin_buffer(&queue, SIMULTANEOUS_USE);
	check("clCommandFillBufferKHR",
	      is_new ? ((new_fill_fn *)khr.fill)(things.buffer, NULL, NULL, things.memory, &seed,
						 sizeof(seed), 0, bytes, 0, NULL, NULL, NULL)
		     : ((old_fill_fn *)khr.fill)(things.buffer, NULL, things.memory, &seed,
						 sizeof(seed), 0, bytes, 0, NULL, NULL, NULL));
	check("clCommandBarrierWithWaitListKHR",
	      is_new ? ((new_barrier_fn *)khr.barrier)(things.buffer, NULL, NULL, 0, NULL, NULL,
						       NULL)
		     : ((old_barrier_fn *)khr.barrier)(things.buffer, NULL, 0, NULL, NULL, NULL));
	record_kernel(things.add, NULL, NULL);
	record_kernel(things.add, NULL, NULL);
	record_kernel(things.scale, NULL, NULL);
	check("clCommandCopyBufferKHR",
	      is_new ? ((new_copy_fn *)khr.copy)(things.buffer, NULL, NULL, things.memory,
						 things.copy, 0, 0, bytes, 0, NULL, NULL, NULL)
		     : ((old_copy_fn *)khr.copy)(things.buffer, NULL, things.memory, things.copy, 0,
						 0, bytes, 0, NULL, NULL, NULL));
	end_buffer();
}

static void record_mutable(void)
{
	const uint64_t properties[] = {UPDATABLE_FIELDS, MUTABLE_GLOBAL_SIZE, 0};

	if (!khr.update)
		return;
	begin_buffer(&queue, MUTABLE);
	record_kernel(things.scale, properties, &things.command);
	record_kernel(things.add, NULL, NULL);
	end_buffer();
	things.items = ITEMS;
}

static void change_size(void)
{
	struct dispatch_config config = {.command = things.command, .global = &things.items};
	const void *configs[] = {&config};
	const uint32_t type = 0;

	if (!things.command)
		return;
	things.items = things.items == ITEMS ? ITEMS / 2 : ITEMS;
	check("clUpdateMutableCommandsKHR", khr.update(things.buffer, 1, &type, configs));
	printf("size %zu\n", things.items);
}

/* ---- running ---- */

static void enqueue(void **on, uint32_t waits, void *const *list, void **event)
{
	check("clEnqueueCommandBufferKHR",
	      khr.enqueue(on ? 1 : 0, on, things.buffer, waits, list, event));
}

/* Profiling was not asked for, so there are no times, with tacho or without. */
static void look_at(void *event)
{
	uint64_t time;
	uint32_t type = 0, references = 0;
	int32_t state = 0;

	check("clGetEventInfo", cl.clGetEventInfo(event, 0x11d1, sizeof(type), &type, NULL));
	check("clGetEventInfo",
	      cl.clGetEventInfo(event, 0x11d2, sizeof(references), &references, NULL));
	check("clGetEventInfo", cl.clGetEventInfo(event, 0x11d3, sizeof(state), &state, NULL));
	printf("event: type 0x%x, status %d, profiling %d\n", type, state,
	       cl.clGetEventProfilingInfo(event, 0x1282, sizeof(time), &time, NULL));
	check("references", !references);
}

static void run_with_events(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		void *event = NULL;

		enqueue(NULL, 0, NULL, &event);
		check("clWaitForEvents", cl.clWaitForEvents(1, &event));
		if (!i)
			look_at(event);
		check("clReleaseEvent", cl.clReleaseEvent(event));
	}
}

/* The variable that is waited for is the one that is written. */
static void run_chained(void **on, unsigned long count)
{
	void *event = NULL, *before;

	for (unsigned long i = 0; i < count; i++) {
		before = event;
		enqueue(on, before ? 1 : 0, before ? &event : NULL, &event);
		if (before)
			check("clReleaseEvent", cl.clReleaseEvent(before));
	}
	if (!event)
		return;
	check("clWaitForEvents", cl.clWaitForEvents(1, &event));
	check("clReleaseEvent", cl.clReleaseEvent(event));
}

static void run_behind_user_event(unsigned long count)
{
	int32_t status;
	void *event = cl.clCreateUserEvent(context, &status);

	check("clCreateUserEvent", status);
	for (unsigned long i = 0; i < count; i++)
		enqueue(NULL, 1, &event, NULL);
	check("clFlush", cl.clFlush(queue));
	usleep(20000);
	check("clSetUserEventStatus", cl.clSetUserEventStatus(event, 0));
	check("clFinish", cl.clFinish(queue));
	check("clReleaseEvent", cl.clReleaseEvent(event));
}

/* A buffer that may change must not run twice at a time. */
static void run(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		enqueue(NULL, 0, NULL, NULL);
		if (things.command)
			check("clFinish", cl.clFinish(queue));
	}
	check("clFinish", cl.clFinish(queue));
}

static void release(void)
{
	check("clReleaseCommandBufferKHR", khr.release(things.buffer));
	things.buffer = things.command = NULL;
}

static void run_unordered(unsigned long count)
{
	begin_buffer(&things.unordered, SIMULTANEOUS_USE);
	record_kernel(things.add, NULL, NULL);
	end_buffer();
	run_chained(NULL, count);
	release();
}

/* The second kernel waits for the first one's point. */
static void run_pair(unsigned long count)
{
	void *queues[] = {queue, things.other};
	const size_t items = ITEMS;
	uint32_t point = 0;
	int32_t status;

	if (!khr.remap)
		return;
	things.buffer = khr.create(2, queues, NULL, &status);
	check("clCreateCommandBufferKHR", status);
	check("clCommandNDRangeKernelKHR",
	      khr.kernel(things.buffer, queues[0], NULL, things.scale, 1, NULL, &items, NULL, 0,
			 NULL, &point, NULL));
	check("clCommandNDRangeKernelKHR", khr.kernel(things.buffer, queues[1], NULL, things.add, 1,
						      NULL, &items, NULL, 1, &point, NULL, NULL));
	end_buffer();
	for (unsigned long i = 0; i < count; i++) {
		run_chained(NULL, 1);
		check("clFinish", cl.clFinish(things.other));
	}
	release();
}

static void run_copy(unsigned long count)
{
	void *buffer = things.buffer;
	int32_t status;

	if (!khr.remap)
		return;
	things.buffer = khr.remap(buffer, 0, 1, &things.other, 0, NULL, NULL, &status);
	check("clRemapCommandBufferKHR", status);
	puts("copy");
	run_chained(NULL, count);
	release();
	things.buffer = buffer;
}

static void abandon(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		enqueue(NULL, 0, NULL, NULL);
	check("clFlush", cl.clFlush(queue));
	release();
	check("clFinish", cl.clFinish(queue));
}

static void launch(unsigned long count)
{
	const size_t items = ITEMS;

	for (unsigned long i = 0; i < count; i++)
		check("clEnqueueNDRangeKernel",
		      cl.clEnqueueNDRangeKernel(queue, things.add, 1, NULL, &items, NULL, 0, NULL,
						NULL));
	check("clFinish", cl.clFinish(queue));
}

/* ---- looking ---- */

static void print_sum(void)
{
	static uint32_t values[2][ITEMS];
	uint32_t sum = 0;

	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, things.memory, 1, 0, sizeof(values[0]), values[0], 0,
				     NULL, NULL));
	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, things.copy, 1, 0, sizeof(values[1]), values[1], 0,
				     NULL, NULL));
	for (size_t i = 0; i < ITEMS; i++)
		sum = sum * 31 + values[0][i] + values[1][i];
	printf("sum %u\n", sum);
}

static void print_queries(void)
{
	uint32_t queues = 0, references = 0, state = 0;
	uint64_t properties = 0;

	check("queries", khr.info(things.buffer, 0x1295, sizeof(queues), &queues, NULL));
	check("queries", khr.info(things.buffer, 0x1296, sizeof(references), &references, NULL));
	check("queries", khr.info(things.buffer, 0x1297, sizeof(state), &state, NULL));
	check("clGetCommandQueueInfo",
	      cl.clGetCommandQueueInfo(queue, 0x1093, sizeof(properties), &properties, NULL));
	printf("buffer: %u queue, %u references, state %u; queue: properties %u\n", queues,
	       references, state, (unsigned)properties);
}

static void make_child(void)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		_exit(0);
	check("waitpid", waitpid(child, NULL, 0) != child);
}

static void retain(void)
{
	check("clRetainCommandBufferKHR", khr.retain(things.buffer));
	check("clReleaseCommandBufferKHR", khr.release(things.buffer));
}

/* ---- steps ---- */

static bool is(const char *step, const char *name)
{
	size_t size = strlen(name);

	return !strncmp(step, name, size) && (!step[size] || step[size] == ':');
}

/* Steps about a buffer that the device could not make. */
static bool is_passed_over(const char *step)
{
	static const char *const names[] = {"half",    "run",	 "events", "chain",
					    "user",    "other",	 "remap",  "abandon",
					    "release", "retain", "queries"};

	for (size_t i = 0; !things.buffer && i < sizeof(names) / sizeof(names[0]); i++)
		if (is(step, names[i]))
			return true;
	return false;
}

static void take(const char *step)
{
	const char *colon = strchr(step, ':');
	unsigned long number = colon ? strtoul(colon + 1, NULL, 10) : 1;

	if (is_passed_over(step))
		return;
	if (is(step, "buffer"))
		record_kernels(number);
	else if (is(step, "mixed"))
		record_mixed();
	else if (is(step, "empty"))
		record_kernels(0);
	else if (is(step, "mutable"))
		record_mutable();
	else if (is(step, "half"))
		change_size();
	else if (is(step, "run"))
		run(number);
	else if (is(step, "events"))
		run_with_events(number);
	else if (is(step, "chain"))
		run_chained(NULL, number);
	else if (is(step, "user"))
		run_behind_user_event(number);
	else if (is(step, "unordered"))
		run_unordered(number);
	else if (is(step, "other"))
		run_chained(&things.other, number);
	else if (is(step, "pair"))
		run_pair(number);
	else if (is(step, "remap"))
		run_copy(number);
	else if (is(step, "abandon"))
		abandon(number);
	else if (is(step, "release"))
		release();
	else if (is(step, "retain"))
		retain();
	else if (is(step, "direct"))
		launch(number);
	else if (is(step, "pause"))
		usleep((useconds_t)number * 1000);
	else if (is(step, "fork"))
		make_child();
	else if (is(step, "sum"))
		print_sum();
	else if (is(step, "queries"))
		print_queries();
	else
		check(step, 2);
}

static void clean_up(void)
{
	void *queues[] = {things.unordered, things.other, queue};

	if (things.buffer)
		release();
	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
		check("clFinish", cl.clFinish(queues[i]));
		check("clReleaseCommandQueue", cl.clReleaseCommandQueue(queues[i]));
	}
	check("clReleaseKernel", cl.clReleaseKernel(things.scale));
	check("clReleaseKernel", cl.clReleaseKernel(things.add));
	check("clReleaseMemObject", cl.clReleaseMemObject(things.memory));
	check("clReleaseMemObject", cl.clReleaseMemObject(things.copy));
	check("clReleaseProgram", cl.clReleaseProgram(program));
	check("clReleaseContext", cl.clReleaseContext(context));
}

int main(int argc, char **argv)
{
	unsigned platform;
	int32_t status;

	if (argc < 2) {
		fprintf(stderr, "usage: command_buffer_cl PLATFORM STEP...\n");
		return 2;
	}
	platform = (unsigned)strtoul(argv[1], NULL, 10);
	set_up(platform, source);
	load_extension(platform);
	things.unordered = cl.clCreateCommandQueue(context, device, OUT_OF_ORDER, &status);
	check("clCreateCommandQueue", status);
	things.other = cl.clCreateCommandQueue(context, device, 0, &status);
	check("clCreateCommandQueue", status);
	make_memory();
	for (int i = 2; i < argc; i++)
		take(argv[i]);
	clean_up();
	return 0;
}
