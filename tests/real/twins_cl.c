/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program with one fault, or the same work done without it, on the first device of a
 * platform.
 *
 *	twins_cl PLATFORM MODE|all fault|mended [TIMES]
 *
 * Prints the nanoseconds that all of it took, and those that its thread kept a processor busy.
 *TIMES multiplies the rounds.
 */
#define CL_OTHER_FUNCTIONS(X)                                                                    \
	X(void *, clCreateCommandQueueWithProperties,                                            \
	  (void *, void *, const uint64_t *, int32_t *))                                         \
	X(int32_t, clEnqueueWriteBuffer,                                                         \
	  (void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *const *,      \
	   void **))                                                                             \
	X(int32_t, clEnqueueReadBuffer,                                                          \
	  (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *, void **))  \
	X(void *, clEnqueueMapBuffer,                                                            \
	  (void *, void *, uint32_t, uint64_t, size_t, size_t, uint32_t, void *const *, void **, \
	   int32_t *))                                                                           \
	X(int32_t, clEnqueueUnmapMemObject,                                                      \
	  (void *, void *, void *, uint32_t, void *const *, void **))                            \
	X(int32_t, clGetEventInfo, (void *, uint32_t, size_t, void *, size_t *))                 \
	X(int32_t, clGetDeviceInfo, (void *, uint32_t, size_t, void *, size_t *))                \
	X(int32_t, clReleaseEvent, (void *))                                                     \
	X(int32_t, clReleaseMemObject, (void *))                                                 \
	X(int32_t, clReleaseKernel, (void *))                                                    \
	X(int32_t, clReleaseProgram, (void *))                                                   \
	X(int32_t, clReleaseCommandQueue, (void *))                                              \
	X(int32_t, clReleaseContext, (void *))

#define CL_MAKE_QUEUE(status) cl.clCreateCommandQueueWithProperties(context, device, NULL, status)

#include "cl_program.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ITEMS = 4096, BYTES = ITEMS * sizeof(uint32_t), LARGE = 1 << 20, LARGEST = 8 << 20 };
enum { GROUP = 256 }; /* every device runs groups of that size */
enum { MEM_USE_PERSISTENT_MEM_AMD = 1 << 6 };
enum { MAP_READ = 1, MAP_WRITE = 2, EVENT_STATUS = 0x11D3, DEVICE_EXTENSIONS = 0x1030 };

static const char source[] = "#ifndef N\n"
			     "#define N 500\n"
			     "#endif\n"
			     "kernel void spin(global uint *x)\n"
			     "{\n"
			     "	uint v = x[get_global_id(0)];\n"
			     "	for (int i = 0; i < N; i++)\n"
			     "		v = v * 1664525u + 1013904223u;\n"
			     "	x[get_global_id(0)] = v;\n"
			     "}\n"
			     "kernel void long_spin(global uint *x)\n"
			     "{\n"
			     "	uint v = x[get_global_id(0)];\n"
			     "	for (int i = 0; i < 16 * N; i++)\n"
			     "		v = v * 1664525u + 1013904223u;\n"
			     "	x[get_global_id(0)] = v;\n"
			     "}\n"
			     "kernel void tiny(global uint *x) { x[get_global_id(0)]++; }\n";

static uint32_t data[LARGEST / sizeof(uint32_t)];
static void *kernel, *buffer, *large;
static unsigned times = 1;
static volatile uint32_t looked_at;
static int is_fault;

static uint64_t read_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The host does something that takes no processor: it may be the device that runs kernels. */
static void work(unsigned us)
{
	usleep(us);
}

static void launch(size_t items, size_t group, void **event)
{
	check("clEnqueueNDRangeKernel",
	      cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, group ? &group : NULL, 0,
					NULL, event));
}

static void finish(void)
{
	check("clFinish", cl.clFinish(queue));
}

static void write_bytes(size_t at, size_t bytes, uint32_t blocking)
{
	check("clEnqueueWriteBuffer",
	      cl.clEnqueueWriteBuffer(queue, large, blocking, at, bytes, data + at / sizeof(*data),
				      0, NULL, NULL));
}

static void read_large(uint32_t blocking)
{
	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, large, blocking, 0, LARGE, data, 0, NULL, NULL));
}

/* Waits for all of the queue, for the sake of a word. */
static void read_word(void)
{
	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, large, 1, 0, sizeof(*data), data, 0, NULL, NULL));
}

/* The mode runs another kernel until it gives this back. */
static void *use_kernel(const char *name)
{
	void *before = kernel;

	kernel = make_kernel(program, name);
	set_buffer(kernel, 0, buffer);
	return before;
}

static void go_back(void *before)
{
	check("clReleaseKernel", cl.clReleaseKernel(kernel));
	kernel = before;
}

static void *make_program(void)
{
	const char *text = source;
	int32_t status;
	void *made = cl.clCreateProgramWithSource(context, 1, &text, NULL, &status);

	check("clCreateProgramWithSource", status);
	return made;
}

static void build(void *of, unsigned number)
{
	char options[32];

	snprintf(options, sizeof(options), "-DN=%u", number);
	check("clBuildProgram", cl.clBuildProgram(of, 1, &device, options, NULL, NULL));
}

static uint32_t *map(void *memory, uint64_t flags)
{
	int32_t status;
	void *at = cl.clEnqueueMapBuffer(queue, memory, 1, flags, 0, LARGE, 0, NULL, NULL, &status);

	check("clEnqueueMapBuffer", status);
	return at;
}

static void unmap(void *memory, void *at)
{
	check("clEnqueueUnmapMemObject",
	      cl.clEnqueueUnmapMemObject(queue, memory, at, 0, NULL, NULL));
}

/* ---- modes ---- */

static void redundant_sync(void)
{
	for (unsigned i = 0; i < 20 * times; i++) {
		launch(ITEMS, 64, NULL);
		if (is_fault)
			finish();
		work(300);
	}
	read_word();
}

static void blocking_write(void)
{
	for (unsigned i = 0; i < 20 * times; i++) {
		launch(ITEMS, 64, NULL);
		write_bytes(0, 65536, (uint32_t)is_fault);
		work(300);
	}
	read_word();
}

static void blocking_read(void)
{
	for (unsigned i = 0; i < 20 * times; i++) {
		launch(ITEMS, 64, NULL);
		read_large((uint32_t)is_fault);
		launch(ITEMS, 64, NULL);
		work(3000);
	}
	read_word();
}

static void busy_wait(void)
{
	for (unsigned i = 0; i < 5 * times; i++) {
		int32_t status = 1;
		void *event;

		for (int k = 0; k < 20; k++)
			launch(ITEMS, 64, NULL);
		launch(ITEMS, 64, &event);
		while (is_fault && status > 0) {
			check("clGetEventInfo", cl.clGetEventInfo(event, EVENT_STATUS,
								  sizeof(status), &status, NULL));
		}
		check("clReleaseEvent", cl.clReleaseEvent(event));
		read_word();
	}
}

static void small_transfers(void)
{
	unsigned count = 200 * times;

	for (unsigned i = 0; is_fault && i < count; i++)
		write_bytes(i % 1000 * 64, 64, 0);
	if (!is_fault)
		write_bytes(0, count * 64 < LARGE ? count * 64 : LARGE, 0);
	read_word();
}

/* One queue: what it writes and what it runs never overlap. The kernels leave room for it. */
static void serial_transfers(void)
{
	int32_t status = 0;
	void *spin = use_kernel("long_spin"), *huge = make_buffer(MEM_READ_WRITE, LARGEST, NULL);
	void *writes =
		is_fault ? queue
			 : cl.clCreateCommandQueueWithProperties(context, device, NULL, &status);

	check("the second queue", status);
	for (unsigned i = 0; i < 20 * times; i++) {
		check("clEnqueueWriteBuffer",
		      cl.clEnqueueWriteBuffer(writes, huge, 0, 0, LARGEST, data, 0, NULL, NULL));
		launch(GROUP, GROUP, NULL);
	}
	if (!is_fault) {
		check("clFinish", cl.clFinish(writes));
		check("clReleaseCommandQueue", cl.clReleaseCommandQueue(writes));
	}
	read_word();
	check("clReleaseMemObject", cl.clReleaseMemObject(huge));
	go_back(spin);
}

static void tiny_launches(void)
{
	void *spin = use_kernel("tiny");

	for (unsigned i = 0; i < (is_fault ? 200 * times : 1); i++)
		launch(is_fault ? 2 : ITEMS, is_fault ? 2 : 64, NULL);
	read_word();
	go_back(spin);
}

static void repeated_build(void)
{
	for (unsigned i = 0; i < (is_fault ? 3 * times : 1); i++) {
		void *other = make_program(), *made;

		build(other, 600 + i);
		made = make_kernel(other, "spin");
		check("clReleaseKernel", cl.clReleaseKernel(made));
		check("clReleaseProgram", cl.clReleaseProgram(other));
	}
}

/* The same program, with other options each time. */
static void changing_options(void)
{
	void *other = make_program();

	for (unsigned i = 0; i < (is_fault ? 3 * times : 1); i++)
		build(other, 700 + i);
	check("clReleaseProgram", cl.clReleaseProgram(other));
}

static void object_churn(void)
{
	void *one = is_fault ? NULL : make_buffer(MEM_READ_WRITE, LARGE, NULL);

	for (unsigned i = 0; i < 200 * times; i++) {
		if (is_fault)
			one = make_buffer(MEM_READ_WRITE, LARGE, NULL);
		set_buffer(kernel, 0, one);
		if (is_fault)
			check("clReleaseMemObject", cl.clReleaseMemObject(one));
	}
	set_buffer(kernel, 0, buffer);
	if (!is_fault)
		check("clReleaseMemObject", cl.clReleaseMemObject(one));
}

static void map_rounds(void)
{
	for (unsigned i = 0; i < (is_fault ? 50 * times : 1); i++) {
		uint32_t *at = map(large, MAP_WRITE);

		at[i % 1000] = i;
		unmap(large, at);
		if (is_fault)
			finish();
	}
	read_word();
}

/* Memory of AMD's that stays on the device: the host reads it there, or copies it. */
static void persistent_map(void)
{
	int32_t status;
	void *memory = cl.clCreateBuffer(context, MEM_READ_WRITE | MEM_USE_PERSISTENT_MEM_AMD,
					 LARGE, NULL, &status);

	if (status) {
		fprintf(stderr, "twins_cl: the driver has no persistent memory\n");
		return;
	}
	for (unsigned i = 0; i < 5 * times; i++) {
		uint32_t *at = is_fault ? map(memory, MAP_READ) : data;

		if (!is_fault)
			check("clEnqueueReadBuffer",
			      cl.clEnqueueReadBuffer(queue, memory, 1, 0, LARGE, at, 0, NULL,
						     NULL));
		looked_at = at[i];
		work(100);
		if (is_fault)
			unmap(memory, at);
	}
	read_word();
	check("clReleaseMemObject", cl.clReleaseMemObject(memory));
}

static void api_time(void)
{
	static char text[65536];

	for (unsigned i = 0; i < (is_fault ? 2000 * times : 1); i++)
		check("clGetDeviceInfo",
		      cl.clGetDeviceInfo(device, DEVICE_EXTENSIONS, sizeof(text), text, NULL));
}

/* A fault or not, the drivers' cache decides. */
static void some_launches(void)
{
	for (unsigned i = 0; i < 5 * times; i++) {
		launch(ITEMS, 64, NULL);
		read_word();
	}
}

/* The same, of so much that it is no small transfer. */
static void read_some(void)
{
	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, buffer, 1, 0, BYTES, data, 0, NULL, NULL));
}

/* The host works after the device, or at the same time. */
static void idle_device(void)
{
	for (unsigned i = 0; i < 10 * times; i++) {
		launch(ITEMS, 64, NULL);
		if (is_fault)
			read_some();
		if (is_fault)
			work(2000);
	}
	for (unsigned i = 0; i < 10 * times && !is_fault; i++)
		work(2000);
	read_word();
}

static void unused_queue(void)
{
	int32_t status;
	void *second =
		is_fault ? cl.clCreateCommandQueueWithProperties(context, device, NULL, &status)
			 : NULL;

	launch(ITEMS, 64, NULL);
	read_word();
	if (second)
		check("clReleaseCommandQueue", cl.clReleaseCommandQueue(second));
}

static void never_unmapped(void)
{
	uint32_t *at = map(large, MAP_WRITE);

	at[0] = 1;
	if (!is_fault)
		unmap(large, at);
	read_word();
}

static void leaked_object(void)
{
	void *event;

	launch(ITEMS, 64, &event);
	read_word();
	if (!is_fault)
		check("clReleaseEvent", cl.clReleaseEvent(event));
}

static void failed_call(void)
{
	int32_t status = cl.clSetKernelArg(kernel, is_fault ? 9 : 0, sizeof(buffer), &buffer);

	check("clSetKernelArg", is_fault ? status == 0 : status);
	launch(ITEMS, 64, NULL);
	read_word();
}

/* Groups of 2, where the device runs more at once. */
static void small_work_group(void)
{
	for (unsigned i = 0; i < 5 * times; i++)
		launch(ITEMS, is_fault ? 2 : 64, NULL);
	read_word();
}

static void odd_work_group(void)
{
	size_t group = is_fault ? 96 : 64, items = 4032; /* 42 or 63 groups */

	for (unsigned i = 0; i < 5 * times; i++)
		launch(items, group, NULL);
	read_word();
}

/* One group at a time, or the same work-items in one launch. */
static void idle_units(void)
{
	unsigned rounds = is_fault ? ITEMS / GROUP : 1;
	void *spin = use_kernel("long_spin");

	for (unsigned i = 0; i < times * rounds; i++)
		launch(is_fault ? GROUP : ITEMS, is_fault ? GROUP : 64, NULL);
	read_word();
	go_back(spin);
}

/* ---- the whole ---- */

static const struct {
	const char *name;
	void (*run)(void);
	int is_alone; /* not among all: it has other faults, for the sake of its own */
} modes[] = {
	{"redundant-sync", redundant_sync},
	{"blocking-write", blocking_write},
	{"blocking-read", blocking_read},
	{"busy-wait", busy_wait},
	{"small-transfers", small_transfers},
	{"serial-transfers", serial_transfers, 1},
	{"tiny-launches", tiny_launches},
	{"repeated-build", repeated_build},
	{"changing-options", changing_options},
	{"object-churn", object_churn},
	{"map-rounds", map_rounds},
	{"persistent-map", persistent_map},
	{"api-time", api_time},
	{"cold-cache", some_launches},
	{"idle-device", idle_device},
	{"unused-queue", unused_queue},
	{"never-unmapped", never_unmapped},
	{"leaked-object", leaked_object},
	{"failed-call", failed_call},
	{"small-work-group", small_work_group},
	{"odd-work-group", odd_work_group},
	{"idle-units", idle_units},
};

enum { MODES = sizeof(modes) / sizeof(modes[0]) };

static void tidy_up(void)
{
	check("clReleaseMemObject", cl.clReleaseMemObject(buffer));
	check("clReleaseMemObject", cl.clReleaseMemObject(large));
	check("clReleaseKernel", cl.clReleaseKernel(kernel));
	check("clReleaseProgram", cl.clReleaseProgram(program));
	check("clReleaseCommandQueue", cl.clReleaseCommandQueue(queue));
	check("clReleaseContext", cl.clReleaseContext(context));
}

/* What all modes work with, and all that drivers make on first use. */
static void prepare(int is_first)
{
	kernel = make_kernel(program, "spin");
	buffer = make_buffer(MEM_READ_WRITE, BYTES, NULL);
	large = make_buffer(MEM_READ_WRITE, LARGE, NULL);
	set_buffer(kernel, 0, buffer);
	if (is_first)
		return;
	write_bytes(0, LARGE, 0);
	launch(ITEMS, 64, NULL);
	read_word();
}

int main(int argc, char **argv)
{
	size_t mode = 0;
	uint64_t start;

	while (argc >= 4 && mode < MODES && strcmp(modes[mode].name, argv[2]) != 0)
		mode++;
	if (argc < 4 || (mode == MODES && strcmp(argv[2], "all") != 0)) {
		fprintf(stderr, "usage: twins_cl PLATFORM MODE|all fault|mended [TIMES]\n");
		return 2;
	}
	is_fault = !strcmp(argv[3], "fault");
	times = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1;
	start = read_ns(CLOCK_MONOTONIC);
	set_up((unsigned)strtoul(argv[1], NULL, 10), source);
	prepare(mode < MODES && modes[mode].run == some_launches);
	for (size_t i = 0; i < MODES; i++)
		if (i == mode || (mode == MODES && !modes[i].is_alone))
			modes[i].run();
	printf("%llu %llu\n", (unsigned long long)(read_ns(CLOCK_MONOTONIC) - start),
	       (unsigned long long)read_ns(CLOCK_THREAD_CPUTIME_ID));
	tidy_up();
	return 0;
}
