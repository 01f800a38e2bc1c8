/* SPDX-License-Identifier: MIT */
/*
 * What OpenCL calls cost as a program sees them. Prints lines "name value".
 *
 *	clcost device			names the device that the others use
 *	clcost calls [N]		clGetKernelInfo(CL_KERNEL_NUM_ARGS), N times
 *	clcost enqueues [N [BATCH]]	clEnqueueNDRangeKernel, in-order queue, clFinish per batch
 *	clcost gated [N [BATCH]]	the same; a user event holds back each batch meanwhile
 *	clcost threads [N]		N threads that make one call each and stay
 *	clcost program [N [THREADS]]	N calls of several kinds by several threads, each with its
 *					queue; one of ten calls is a launch whose event is asked
 *for, one of a hundred moves bytes
 *
 * Times are means over all calls of a run, in nanoseconds. Memory is what is resident of the
 * process, in KiB. Needs no OpenCL headers.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	KERNEL_NUM_ARGS = 0x1191,
	EVENT_STATUS = 0x11d3,
	MEM_SIZE = 0x1102,
	DEVICE_NAME = 0x102b,
	PLATFORMS_MAX = 8,
	BUFFERS = 16,
	CALLS = 10000000,
	ENQUEUES = 50000,
	BATCH = 500,
	THREADS = 64,
	WORKERS = 4,
	BLOCK_INTS = 1024,
	ROUND = 10, /* calls of a worker for each launch */
	WARM_UP = 1000,
};

static struct {
	int32_t (*get_platforms)(uint32_t, void **, uint32_t *);
	int32_t (*get_devices)(void *, uint64_t, uint32_t, void **, uint32_t *);
	int32_t (*device_info)(void *, uint32_t, size_t, void *, size_t *);
	void *(*create_context)(const intptr_t *, uint32_t, void *const *, void *, void *,
				int32_t *);
	void *(*create_queue)(void *, void *, uint64_t, int32_t *);
	void *(*create_program)(void *, uint32_t, const char **, const size_t *, int32_t *);
	int32_t (*build_program)(void *, uint32_t, void *const *, const char *, void *, void *);
	void *(*create_kernel)(void *, const char *, int32_t *);
	void *(*create_buffer)(void *, uint64_t, size_t, void *, int32_t *);
	int32_t (*set_arg)(void *, uint32_t, size_t, const void *);
	int32_t (*enqueue)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *,
			   uint32_t, void *const *, void **);
	int32_t (*kernel_info)(void *, uint32_t, size_t, void *, size_t *);
	int32_t (*finish)(void *);
	void *(*create_user_event)(void *, int32_t *);
	int32_t (*set_event_status)(void *, int32_t);
	int32_t (*event_info)(void *, uint32_t, size_t, void *, size_t *);
	int32_t (*release_event)(void *);
	int32_t (*mem_info)(void *, uint32_t, size_t, void *, size_t *);
	int32_t (*write_buffer)(void *, void *, uint32_t, size_t, size_t, const void *, uint32_t,
				void *const *, void **);
	int32_t (*flush)(void *);
} cl;

static struct {
	void *device, *context, *queue, *program, *kernel;
	unsigned long rounds; /* of each worker */
	bool gated;
	char device_name[256];
	pthread_barrier_t called, seen;
} run;

static void check(const char *what, int32_t status)
{
	if (status == 0)
		return;
	fprintf(stderr, "clcost: %s failed: %d\n", what, status);
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_RAW, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Processor time of all threads. */
static uint64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Summed over the mappings, because the counters of /proc/self/status lag behind. */
static unsigned long resident_kib(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "re");
	unsigned long kib = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Rss: %lu kB", &kib) == 1)
			break;
	}
	if (file)
		fclose(file);
	return kib;
}

static void load(void)
{
	static const struct {
		const char *name;
		void **slot;
	} wanted[] = {
		{"clGetPlatformIDs", (void **)&cl.get_platforms},
		{"clGetDeviceIDs", (void **)&cl.get_devices},
		{"clGetDeviceInfo", (void **)&cl.device_info},
		{"clCreateContext", (void **)&cl.create_context},
		{"clCreateCommandQueue", (void **)&cl.create_queue},
		{"clCreateProgramWithSource", (void **)&cl.create_program},
		{"clBuildProgram", (void **)&cl.build_program},
		{"clCreateKernel", (void **)&cl.create_kernel},
		{"clCreateBuffer", (void **)&cl.create_buffer},
		{"clSetKernelArg", (void **)&cl.set_arg},
		{"clEnqueueNDRangeKernel", (void **)&cl.enqueue},
		{"clGetKernelInfo", (void **)&cl.kernel_info},
		{"clFinish", (void **)&cl.finish},
		{"clCreateUserEvent", (void **)&cl.create_user_event},
		{"clSetUserEventStatus", (void **)&cl.set_event_status},
		{"clGetEventInfo", (void **)&cl.event_info},
		{"clReleaseEvent", (void **)&cl.release_event},
		{"clGetMemObjectInfo", (void **)&cl.mem_info},
		{"clEnqueueWriteBuffer", (void **)&cl.write_buffer},
		{"clFlush", (void **)&cl.flush},
	};
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);

	if (!library) {
		fprintf(stderr, "clcost: %s\n", dlerror());
		exit(1);
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		*wanted[i].slot = dlsym(library, wanted[i].name);
		check(wanted[i].name, *wanted[i].slot ? 0 : -1);
	}
}

static void prepare(void)
{
	const char *source = "kernel void touch(global int *a) { a[get_global_id(0)] += 1; }"
			     "kernel void add(global int *a, int b) { a[get_global_id(0)] += b; }";
	void *platforms[PLATFORMS_MAX], *buffer;
	uint32_t count = 0;
	int32_t status = cl.get_platforms(PLATFORMS_MAX, platforms, &count);

	for (uint32_t i = 0; i < count && i < PLATFORMS_MAX && !run.device; i++)
		cl.get_devices(platforms[i], 0xffffffff, 1, &run.device, NULL);
	check("finding a device", run.device ? 0 : status ? status : -1);
	check("clGetDeviceInfo",
	      cl.device_info(run.device, DEVICE_NAME, sizeof(run.device_name) - 1, run.device_name,
			     NULL));
	run.context = cl.create_context(NULL, 1, &run.device, NULL, NULL, &status);
	check("clCreateContext", status);
	run.queue = cl.create_queue(run.context, run.device, 0, &status);
	check("clCreateCommandQueue", status);
	run.program = cl.create_program(run.context, 1, &source, NULL, &status);
	check("clCreateProgramWithSource", status);
	check("clBuildProgram", cl.build_program(run.program, 1, &run.device, "", NULL, NULL));
	run.kernel = cl.create_kernel(run.program, "touch", &status);
	check("clCreateKernel", status);
	buffer = cl.create_buffer(run.context, 1, sizeof(int32_t), NULL, &status);
	check("clCreateBuffer", status);
	check("clSetKernelArg", cl.set_arg(run.kernel, 0, sizeof(buffer), &buffer));
}

static void call_info(unsigned long count)
{
	uint32_t arguments;

	for (unsigned long i = 0; i < count; i++) {
		arguments = 0;
		check("clGetKernelInfo", cl.kernel_info(run.kernel, KERNEL_NUM_ARGS,
							sizeof(arguments), &arguments, NULL));
		if (arguments != 1)
			check("clGetKernelInfo, which counted wrong arguments,", (int)arguments);
	}
}

static void measure_calls(unsigned long count)
{
	unsigned long before_kib, after_kib;
	uint64_t start;

	call_info(WARM_UP);
	before_kib = resident_kib();
	start = now_ns();
	call_info(count);
	printf("calls %lu\ncall_ns %.2f\n", count, (double)(now_ns() - start) / (double)count);
	after_kib = resident_kib();
	printf("before_kib %lu\nafter_kib %lu\n", before_kib, after_kib);
}

/* Each call differs from the one before it, and from the last one of its function. */
static void measure_mixed(unsigned long count)
{
	void *buffers[BUFFERS];
	int32_t status = 0;
	uint64_t start;

	for (int i = 0; i < BUFFERS; i++) {
		buffers[i] = cl.create_buffer(run.context, 1, sizeof(int32_t), NULL, &status);
		check("clCreateBuffer", status);
	}
	start = now_ns();
	for (unsigned long i = 0; i < count; i += 2) {
		check("clSetKernelArg",
		      cl.set_arg(run.kernel, 0, sizeof(buffers[0]), &buffers[i / 2 % BUFFERS]));
		call_info(1);
	}
	printf("calls %lu\ncall_ns %.2f\n", count, (double)(now_ns() - start) / (double)count);
}

static void enqueue_batch(unsigned long count, uint64_t *enqueue_ns, uint64_t *all_ns)
{
	size_t one = 1;
	uint64_t start, enqueued;
	uint32_t waits = run.gated;
	void *gate = NULL;
	int32_t status = 0;

	if (run.gated)
		gate = cl.create_user_event(run.context, &status);
	check("clCreateUserEvent", status);
	start = now_ns();
	for (unsigned long i = 0; i < count; i++, waits = 0)
		check("clEnqueueNDRangeKernel",
		      cl.enqueue(run.queue, run.kernel, 1, NULL, &one, &one, waits,
				 waits ? &gate : NULL, NULL));
	enqueued = now_ns();
	if (gate)
		check("clSetUserEventStatus", cl.set_event_status(gate, 0));
	check("clFinish", cl.finish(run.queue));
	*enqueue_ns += enqueued - start;
	*all_ns += now_ns() - start;
	if (gate)
		check("clReleaseEvent", cl.release_event(gate));
}

static void measure_enqueues(unsigned long count, unsigned long batch)
{
	uint64_t enqueue_ns = 0, all_ns = 0, start_cpu_ns;
	unsigned long done;

	enqueue_batch(WARM_UP, &enqueue_ns, &all_ns);
	enqueue_ns = all_ns = 0;
	start_cpu_ns = cpu_ns();
	for (done = 0; done < count; done += batch)
		enqueue_batch(batch, &enqueue_ns, &all_ns);
	printf("enqueues %lu\nenqueue_ns %.1f\nall_ns %.1f\ncpu_ns %.1f\n", done,
	       (double)enqueue_ns / (double)done, (double)all_ns / (double)done,
	       (double)(cpu_ns() - start_cpu_ns) / (double)done);
}

static void *call_and_stay(void *unused)
{
	call_info(1);
	pthread_barrier_wait(&run.called);
	pthread_barrier_wait(&run.seen);
	return NULL;
}

static void measure_threads(unsigned long count)
{
	pthread_t *threads = calloc(count, sizeof(*threads));
	unsigned long before_kib, after_kib;

	check("calloc", threads ? 0 : -1);
	pthread_barrier_init(&run.called, NULL, (unsigned)count + 1);
	pthread_barrier_init(&run.seen, NULL, (unsigned)count + 1);
	call_info(WARM_UP);
	before_kib = resident_kib();
	for (unsigned long i = 0; i < count; i++)
		check("pthread_create", pthread_create(&threads[i], NULL, call_and_stay, NULL));
	pthread_barrier_wait(&run.called);
	after_kib = resident_kib();
	pthread_barrier_wait(&run.seen);
	for (unsigned long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	printf("threads %lu\nbefore_kib %lu\nafter_kib %lu\n", count, before_kib, after_kib);
}

/* What a worker calls for each launch: ROUND calls, the launch among them. */
static void play_round(void *queue, void *kernel, void *const *buffers, unsigned long round)
{
	static const int32_t block[BLOCK_INTS];
	int32_t value = (int32_t)round, status;
	void *event = NULL;
	size_t one = 1, size;

	check("clSetKernelArg", cl.set_arg(kernel, 0, sizeof(void *), &buffers[round % BUFFERS]));
	check("clSetKernelArg", cl.set_arg(kernel, 1, sizeof(value), &value));
	check("clGetMemObjectInfo",
	      cl.mem_info(buffers[round % BUFFERS], MEM_SIZE, sizeof(size), &size, NULL));
	check("clEnqueueNDRangeKernel",
	      cl.enqueue(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
	check("clGetEventInfo", cl.event_info(event, EVENT_STATUS, sizeof(status), &status, NULL));
	check("clSetKernelArg",
	      cl.set_arg(kernel, 0, sizeof(void *), &buffers[(round + 1) % BUFFERS]));
	check("clGetMemObjectInfo",
	      cl.mem_info(buffers[(round + 1) % BUFFERS], MEM_SIZE, sizeof(size), &size, NULL));
	if (round % ROUND == 0)
		check("clEnqueueWriteBuffer", cl.write_buffer(queue, buffers[0], 0, 0,
							      sizeof(block), block, 0, NULL, NULL));
	else
		check("clSetKernelArg", cl.set_arg(kernel, 1, sizeof(value), &status));
	check("clReleaseEvent", cl.release_event(event));
	check("clFlush or clFinish", round % BATCH ? cl.flush(queue) : cl.finish(queue));
}

static void *work(void *unused)
{
	void *buffers[BUFFERS], *queue, *kernel;
	int32_t status = 0;

	queue = cl.create_queue(run.context, run.device, 0, &status);
	check("clCreateCommandQueue", status);
	kernel = cl.create_kernel(run.program, "add", &status);
	check("clCreateKernel", status);
	for (int i = 0; i < BUFFERS; i++) {
		buffers[i] = cl.create_buffer(run.context, 1, BLOCK_INTS * sizeof(int32_t), NULL,
					      &status);
		check("clCreateBuffer", status);
	}
	for (unsigned long i = 0; i < run.rounds; i++)
		play_round(queue, kernel, buffers, i);
	check("clFinish", cl.finish(queue));
	return unused;
}

static void measure_program(unsigned long count, unsigned long workers)
{
	pthread_t *threads = calloc(workers, sizeof(*threads));
	uint64_t start = now_ns();

	check("calloc", threads ? 0 : -1);
	run.rounds = count / workers / ROUND;
	for (unsigned long i = 0; i < workers; i++)
		check("pthread_create", pthread_create(&threads[i], NULL, work, NULL));
	for (unsigned long i = 0; i < workers; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	printf("calls %lu\nlaunches %lu\nall_ns %.1f\n", run.rounds * workers * ROUND,
	       run.rounds * workers, (double)(now_ns() - start) / (double)count);
}

static unsigned long number(int argc, char **argv, int position, unsigned long standard)
{
	unsigned long value = argc > position ? strtoul(argv[position], NULL, 10) : standard;

	if (value == 0) {
		fprintf(stderr, "clcost: %s is not a number above 0\n", argv[position]);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned long batch = number(argc, argv, 3, BATCH);

	if (strcmp(what, "device") != 0 && strcmp(what, "calls") != 0 &&
	    strcmp(what, "enqueues") != 0 && strcmp(what, "gated") != 0 &&
	    strcmp(what, "threads") != 0 && strcmp(what, "mixed") != 0 &&
	    strcmp(what, "program") != 0) {
		fprintf(stderr,
			"usage: clcost device | calls [N] | mixed [N] | enqueues [N "
			"[BATCH]] | gated [N [BATCH]] | threads [N] | program [N [THREADS]]\n");
		return 2;
	}
	run.gated = strcmp(what, "gated") == 0;
	load();
	prepare();
	if (strcmp(what, "device") == 0)
		printf("device %s\n", run.device_name);
	else if (strcmp(what, "calls") == 0)
		measure_calls(number(argc, argv, 2, CALLS));
	else if (strcmp(what, "mixed") == 0)
		measure_mixed(number(argc, argv, 2, CALLS));
	else if (strcmp(what, "program") == 0)
		measure_program(number(argc, argv, 2, CALLS), number(argc, argv, 3, WORKERS));
	else if (strcmp(what, "enqueues") == 0 || run.gated)
		measure_enqueues(number(argc, argv, 2, ENQUEUES), batch);
	else
		measure_threads(number(argc, argv, 2, THREADS));
	return 0;
}
