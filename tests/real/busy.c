/* SPDX-License-Identifier: MIT */
/*
 * A busy OpenCL program with four threads that keeps its own books: after each API call that has
 * returned it adds one to a counter in a file that is mapped shared, so the numbers survive
 * whatever kills it. Its counters say what a recording must hold.
 *
 *	busy FILE ROUNDS [THREADS]	ROUNDS 0: until killed; THREADS: fewer than four
 *
 * FILE becomes struct books. Needs no OpenCL headers.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef LINKED /* with the loader, as programs are that do not open it by themselves */
#define LOADER NULL
#else
#define LOADER "libOpenCL.so.1"
#endif

enum { THREADS = 4, ITEMS = 64 };

/* In the order of the names that tests/real/books.py knows. */
enum { CALL_SET_ARG, CALL_ENQUEUE, CALL_INFO, CALL_WAIT, CALL_RELEASE_EVENT, CALL_FINISH, CALLS };

struct books {
	atomic_uint ready; /* threads that have begun */
	uint32_t reserved;
	struct {
		uint64_t tid;
		atomic_ulong calls[CALLS];
	} threads[THREADS];
};

static struct {
	int32_t (*get_platforms)(uint32_t, void **, uint32_t *);
	int32_t (*get_devices)(void *, uint64_t, uint32_t, void **, uint32_t *);
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
	int32_t (*wait)(uint32_t, void *const *);
	int32_t (*release_event)(void *);
	int32_t (*finish)(void *);
} cl;

static struct books *books;
static void *context, *device, *program;
static unsigned long rounds;

static void die(const char *what, int32_t status)
{
	fprintf(stderr, "busy: %s failed: %d\n", what, status);
	exit(1);
}

static void load(void)
{
	static const struct {
		const char *name;
		void **slot;
	} wanted[] = {
		{"clGetPlatformIDs", (void **)&cl.get_platforms},
		{"clGetDeviceIDs", (void **)&cl.get_devices},
		{"clCreateContext", (void **)&cl.create_context},
		{"clCreateCommandQueue", (void **)&cl.create_queue},
		{"clCreateProgramWithSource", (void **)&cl.create_program},
		{"clBuildProgram", (void **)&cl.build_program},
		{"clCreateKernel", (void **)&cl.create_kernel},
		{"clCreateBuffer", (void **)&cl.create_buffer},
		{"clSetKernelArg", (void **)&cl.set_arg},
		{"clEnqueueNDRangeKernel", (void **)&cl.enqueue},
		{"clGetKernelInfo", (void **)&cl.kernel_info},
		{"clWaitForEvents", (void **)&cl.wait},
		{"clReleaseEvent", (void **)&cl.release_event},
		{"clFinish", (void **)&cl.finish},
	};
	void *library = dlopen(LOADER, RTLD_NOW);

	if (!library) {
		fprintf(stderr, "busy: %s\n", dlerror());
		exit(1);
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		*wanted[i].slot = dlsym(library, wanted[i].name);
		if (!*wanted[i].slot)
			die(wanted[i].name, 0);
	}
}

static void prepare(void)
{
	const char *source = "kernel void touch(global int *a) { a[get_global_id(0)] += 1; }";
	void *platforms[8];
	uint32_t platform_count = 0;
	int32_t status = cl.get_platforms(8, platforms, &platform_count);

	for (uint32_t i = 0; i < platform_count && i < 8 && !device; i++)
		cl.get_devices(platforms[i], 0xffffffff, 1, &device, NULL);
	if (!device)
		die("finding a device", status);
	context = cl.create_context(NULL, 1, &device, NULL, NULL, &status);
	if (!context)
		die("clCreateContext", status);
	program = cl.create_program(context, 1, &source, NULL, &status);
	if (!program || (status = cl.build_program(program, 1, &device, "", NULL, NULL)) != 0)
		die("clBuildProgram", status);
}

static void count(size_t thread, int call, int32_t status)
{
	if (status != 0)
		die("a call", status);
	atomic_fetch_add(&books->threads[thread].calls[call], 1);
}

static void run_round(size_t thread, void *queue, void *kernel, void *buffer)
{
	size_t global = ITEMS;
	uint32_t arguments;
	void *event;

	count(thread, CALL_SET_ARG, cl.set_arg(kernel, 0, sizeof(buffer), &buffer));
	count(thread, CALL_ENQUEUE,
	      cl.enqueue(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
	count(thread, CALL_INFO,
	      cl.kernel_info(kernel, 0x1191, sizeof(arguments), &arguments, NULL));
	count(thread, CALL_WAIT, cl.wait(1, &event));
	count(thread, CALL_RELEASE_EVENT, cl.release_event(event));
	count(thread, CALL_FINISH, cl.finish(queue));
}

static void *work(void *argument)
{
	size_t thread = (size_t)argument;
	int32_t status;
	void *queue = cl.create_queue(context, device, 0, &status);
	void *kernel = cl.create_kernel(program, "touch", &status);
	void *buffer = cl.create_buffer(context, 1, ITEMS * sizeof(int32_t), NULL, &status);

	if (!queue || !kernel || !buffer)
		die("preparing a thread", status);
	books->threads[thread].tid = (uint64_t)gettid();
	atomic_fetch_add(&books->ready, 1);
	for (unsigned long i = 0; rounds == 0 || i < rounds; i++)
		run_round(thread, queue, kernel, buffer);
	return NULL;
}

int main(int argc, char **argv)
{
	size_t thread_count = argc == 4 ? strtoul(argv[3], NULL, 10) : THREADS;
	pthread_t threads[THREADS];
	int fd;

	if (argc < 3 || argc > 4 || thread_count < 1 || thread_count > THREADS) {
		fprintf(stderr, "usage: busy FILE ROUNDS [THREADS]\n");
		return 2;
	}
	rounds = strtoul(argv[2], NULL, 10);
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*books)) != 0) {
		perror(argv[1]);
		return 1;
	}
	books = mmap(NULL, sizeof(*books), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (books == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	load();
	prepare();
	for (size_t i = 0; i < thread_count; i++) {
		if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
			die("pthread_create", 0);
	}
	for (size_t i = 0; i < thread_count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
