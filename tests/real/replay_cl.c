/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program whose kernels change their inputs in place: run once too often, or without
 * their memory brought back, they give other results. Prints what came out.
 *
 *	replay_cl [-p PLATFORM] inplace ROUNDS	every way of giving memory to kernels
 *	replay_cl [-p PLATFORM] faults PAGES	kernels that touch pages for the first time
 *	replay_cl [-p PLATFORM] endless		a kernel that ends only when the program goes on
 *	replay_cl [-p PLATFORM] copy MIB N	a kernel on a large buffer, and copies: their times
 */
#define CL_OTHER_FUNCTIONS(X)                                                                   \
	X(int32_t, clGetDeviceInfo, (void *, uint32_t, size_t, void *, size_t *))               \
	X(void *, clCreateSubBuffer, (void *, uint64_t, uint32_t, const void *, int32_t *))     \
	X(void *, clCreateImage,                                                                \
	  (void *, uint64_t, const void *, const void *, void *, int32_t *))                    \
	X(int32_t, clReleaseMemObject, (void *))                                                \
	X(int32_t, clEnqueueReadBuffer,                                                         \
	  (void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *const *, void **)) \
	X(int32_t, clEnqueueReadImage,                                                          \
	  (void *, void *, uint32_t, const size_t *, const size_t *, size_t, size_t, void *,    \
	   uint32_t, void *const *, void **))                                                   \
	X(int32_t, clEnqueueCopyBuffer,                                                         \
	  (void *, void *, void *, size_t, size_t, size_t, uint32_t, void *const *, void **))   \
	X(int32_t, clGetEventInfo, (void *, uint32_t, size_t, void *, size_t *))                \
	X(int32_t, clSetEventCallback, (void *, int32_t, void *, void *))                       \
	X(int32_t, clWaitForEvents, (uint32_t, void *const *))                                  \
	X(void *, clCreateUserEvent, (void *, int32_t *))                                       \
	X(int32_t, clSetUserEventStatus, (void *, int32_t))                                     \
	X(int32_t, clReleaseEvent, (void *))                                                    \
	X(int32_t, clFlush, (void *))                                                           \
	X(void *, clSVMAlloc, (void *, uint64_t, size_t, uint32_t))                             \
	X(void, clSVMFree, (void *, void *))                                                    \
	X(int32_t, clSetKernelArgSVMPointer, (void *, uint32_t, const void *))                  \
	X(int32_t, clEnqueueSVMMap,                                                             \
	  (void *, uint32_t, uint64_t, void *, size_t, uint32_t, void *const *, void **))       \
	X(int32_t, clEnqueueSVMUnmap, (void *, void *, uint32_t, void *const *, void **))       \
	X(int32_t, clReleaseKernel, (void *))                                                   \
	X(int32_t, clReleaseProgram, (void *))                                                  \
	X(int32_t, clReleaseCommandQueue, (void *))                                             \
	X(int32_t, clReleaseContext, (void *))

#include "cl_program.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
	ITEMS = 1024,
	DEVICE_SVM_CAPABILITIES = 0x1053,
	DEVICE_IMAGE_SUPPORT = 0x1016,
	MEM_READ_ONLY = 4,
	MEM_USE_HOST_PTR = 8,
	MEM_COPY_HOST_PTR = 32,
	QUEUE_OUT_OF_ORDER = 1,
	BUFFER_REGION = 0x1220,
};

static const char source[] =
	"kernel void scale(global uint *x, uint by) { uint i = get_global_id(0); x[i] = x[i] * by "
	"+ 1; }\n"
	"kernel void blend(global uint *x, global const uint *y) { uint i = get_global_id(0); x[i] "
	"= "
	"x[i] * 5 + y[i]; }\n"
	"kernel void tally(global uint *n, local uint *room) { room[get_local_id(0)] = 1; "
	"barrier(CLK_LOCAL_MEM_FENCE); atomic_add(n, room[get_local_id(0)]); }\n"
	"kernel void touch(global uchar *x, uint step) { x[(size_t)get_global_id(0) * step] = 1; "
	"}\n"
	"kernel void spin(global volatile uint *flag) { while (!flag[0]) ; flag[1] = 2; }\n";
static const char image_source[] =
	"kernel void paint(write_only image2d_t to, global uint *seed) { int2 at = (int2)"
	"(get_global_id(0), get_global_id(1)); write_imageui(to, at, (uint4)(seed[0] + at.x * 7 + "
	"at.y, 0, 0, 1)); if (at.x == 0 && at.y == 0) seed[1]++; }\n";

static void set_word(void *kernel, uint32_t index, uint32_t word)
{
	check("clSetKernelArg", cl.clSetKernelArg(kernel, index, sizeof(word), &word));
}

static void launch(void *on, void *kernel, size_t items, size_t group, uint32_t waits,
		   void *const *list, void **event)
{
	check("clEnqueueNDRangeKernel",
	      cl.clEnqueueNDRangeKernel(on, kernel, 1, NULL, &items, group ? &group : NULL, waits,
					list, event));
}

static void tell(const char *what, const uint32_t *values, size_t count)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ values[i]) * UINT64_C(0x100000001b3);
	printf("%s %016" PRIx64 "\n", what, hash);
}

static void tell_buffer(const char *what, void *buffer, size_t count)
{
	uint32_t *values = calloc(count, sizeof(*values));

	check("clEnqueueReadBuffer",
	      cl.clEnqueueReadBuffer(queue, buffer, 1, 0, count * sizeof(*values), values, 0, NULL,
				     NULL));
	tell(what, values, count);
	free(values);
}

static void fill(uint32_t *values)
{
	for (uint32_t i = 0; i < ITEMS; i++)
		values[i] = i * 2654435761u;
}

/* A plain buffer, a constant one, one that the kernel does not write, and local memory. */
static void run_buffers(unsigned rounds)
{
	static uint32_t values[ITEMS];
	void *scale = make_kernel(program, "scale"), *blend = make_kernel(program, "blend");
	void *tally = make_kernel(program, "tally"), *x, *y, *n, *event = NULL, *before = NULL;
	uint32_t zero = 0;

	fill(values);
	x = make_buffer(MEM_READ_WRITE | MEM_COPY_HOST_PTR, sizeof(values), values);
	y = make_buffer(MEM_READ_ONLY | MEM_COPY_HOST_PTR, sizeof(values), values);
	n = make_buffer(MEM_READ_WRITE | MEM_COPY_HOST_PTR, sizeof(zero), &zero);
	set_buffer(scale, 0, x);
	set_buffer(blend, 0, x);
	set_buffer(blend, 1, y);
	set_buffer(tally, 0, n);
	check("clSetKernelArg", cl.clSetKernelArg(tally, 1, 64 * sizeof(uint32_t), NULL));
	for (unsigned i = 0; i < rounds; i++) {
		set_word(scale, 1, i + 3);
		launch(queue, scale, ITEMS, 64, 0, NULL, NULL);
		launch(queue, blend, ITEMS, 0, before != NULL, before ? &before : NULL, &event);
		if (before)
			check("clReleaseEvent", cl.clReleaseEvent(before));
		before = event;
		launch(queue, tally, ITEMS, 64, 0, NULL, NULL);
	}
	check("clWaitForEvents", cl.clWaitForEvents(1, &event));
	tell_buffer("buffer", x, ITEMS);
	tell_buffer("constant", y, ITEMS);
	tell_buffer("tally", n, 1);
}

/* Parts of a buffer, memory of the host, and a queue whose commands run in any order. */
static void run_parts(unsigned rounds)
{
	static uint32_t values[ITEMS] __attribute__((aligned(4096)));
	struct {
		size_t origin, size;
	} region = {ITEMS / 2 * sizeof(uint32_t), ITEMS / 2 * sizeof(uint32_t)};
	void *scale = make_kernel(program, "scale"), *any_order, *x, *half, *events[2] = {0};
	int32_t status;

	fill(values);
	x = make_buffer(MEM_READ_WRITE | MEM_USE_HOST_PTR, sizeof(values), values);
	half = cl.clCreateSubBuffer(x, MEM_READ_WRITE, BUFFER_REGION, &region, &status);
	check("clCreateSubBuffer", status);
	any_order = cl.clCreateCommandQueue(context, device, QUEUE_OUT_OF_ORDER, &status);
	if (status)
		any_order = queue;
	set_word(scale, 1, 7);
	for (unsigned i = 0; i < rounds; i++) {
		set_buffer(scale, 0, x);
		launch(any_order, scale, ITEMS, 0, i ? 1 : 0, i ? &events[1] : NULL, &events[0]);
		set_buffer(scale, 0, half);
		launch(any_order, scale, ITEMS / 2, 0, 1, &events[0], &events[1]);
	}
	check("clFinish", cl.clFinish(any_order));
	tell_buffer("parts", x, ITEMS);
}

static void run_image(unsigned rounds)
{
	static const uint32_t format[2] = {0x10B0, 0x10DC}; /* CL_R, CL_UNSIGNED_INT32 */
	struct {
		uint32_t type;
		size_t width, height, depth, layers, row, slice;
		uint32_t levels, samples;
		void *buffer;
	} about = {.type = 0x10F1, .width = 32, .height = 16};
	static const size_t origin[3], region[3] = {32, 16, 1};
	static uint32_t pixels[32 * 16], seeds[2];
	const char *text = image_source;
	uint32_t has_images = 0;
	void *made, *paint, *image, *seed;
	int32_t status;

	cl.clGetDeviceInfo(device, DEVICE_IMAGE_SUPPORT, sizeof(has_images), &has_images, NULL);
	if (!has_images || !cl.clCreateImage)
		return;
	made = cl.clCreateProgramWithSource(context, 1, &text, NULL, &status);
	check("clCreateProgramWithSource", status);
	if (cl.clBuildProgram(made, 1, &device, "", NULL, NULL))
		return;
	image = cl.clCreateImage(context, MEM_READ_WRITE | MEM_COPY_HOST_PTR, format, &about,
				 pixels, &status);
	if (status)
		return;
	paint = make_kernel(made, "paint");
	seed = make_buffer(MEM_READ_WRITE | MEM_COPY_HOST_PTR, sizeof(seeds), seeds);
	set_buffer(paint, 0, image);
	set_buffer(paint, 1, seed);
	for (unsigned i = 0; i < rounds; i++)
		check("clEnqueueNDRangeKernel",
		      cl.clEnqueueNDRangeKernel(queue, paint, 2, NULL, region, NULL, 0, NULL,
						NULL));
	check("clEnqueueReadImage",
	      cl.clEnqueueReadImage(queue, image, 1, origin, region, 0, 0, pixels, 0, NULL, NULL));
	tell("image", pixels, 32 * 16);
	tell_buffer("seed", seed, 2);
}

static void scale_svm(uint32_t *values, unsigned rounds)
{
	const size_t bytes = ITEMS * sizeof(*values);
	void *scale = make_kernel(program, "scale");

	check("clEnqueueSVMMap", cl.clEnqueueSVMMap(queue, 1, 2, values, bytes, 0, NULL, NULL));
	fill(values);
	check("clEnqueueSVMUnmap", cl.clEnqueueSVMUnmap(queue, values, 0, NULL, NULL));
	check("clSetKernelArgSVMPointer", cl.clSetKernelArgSVMPointer(scale, 0, values));
	set_word(scale, 1, 9);
	for (unsigned i = 0; i < rounds; i++)
		launch(queue, scale, ITEMS, 0, 0, NULL, NULL);
	check("clEnqueueSVMMap", cl.clEnqueueSVMMap(queue, 1, 1, values, bytes, 0, NULL, NULL));
	tell("svm", values, ITEMS);
	check("clEnqueueSVMUnmap", cl.clEnqueueSVMUnmap(queue, values, 0, NULL, NULL));
	check("clFinish", cl.clFinish(queue));
	check("clReleaseKernel", cl.clReleaseKernel(scale));
}

/* In a context of its own, of which nothing is left in the end. */
static void run_svm(unsigned rounds)
{
	void *const others[] = {context, queue, program};
	uint64_t capabilities = 0;
	uint32_t *values;

	cl.clGetDeviceInfo(device, DEVICE_SVM_CAPABILITIES, sizeof(capabilities), &capabilities,
			   NULL);
	if (!(capabilities & 1) || !cl.clSVMAlloc)
		return;
	make_things(source);
	values = cl.clSVMAlloc(context, MEM_READ_WRITE, ITEMS * sizeof(*values), 0);
	if (values) {
		scale_svm(values, rounds);
		cl.clSVMFree(context, values);
	}
	check("clReleaseProgram", cl.clReleaseProgram(program));
	check("clReleaseCommandQueue", cl.clReleaseCommandQueue(queue));
	check("clReleaseContext", cl.clReleaseContext(context));
	context = others[0];
	queue = others[1];
	program = others[2];
}

static struct {
	atomic_bool done;
} again;

static void launch_again(void *event, int32_t status, void *user)
{
	(void)event;
	check("the launch before", status);
	launch(queue, user, ITEMS, 0, 0, NULL, NULL);
	check("clFlush", cl.clFlush(queue));
	atomic_store(&again.done, true);
}

/* A launch by a thread of the driver, and one that waits for the program itself. */
static void run_callback(void)
{
	static uint32_t values[ITEMS];
	void *scale = make_kernel(program, "scale"), *x, *event, *own;
	int32_t status;

	fill(values);
	x = make_buffer(MEM_READ_WRITE | MEM_COPY_HOST_PTR, sizeof(values), values);
	set_buffer(scale, 0, x);
	set_word(scale, 1, 11);
	launch(queue, scale, ITEMS, 0, 0, NULL, &event);
	check("clSetEventCallback", cl.clSetEventCallback(event, 0, (void *)launch_again, scale));
	check("clFlush", cl.clFlush(queue));
	while (!atomic_load(&again.done))
		usleep(1000);
	check("clFinish", cl.clFinish(queue));
	own = cl.clCreateUserEvent(context, &status);
	check("clCreateUserEvent", status);
	launch(queue, scale, ITEMS, 0, 1, &own, NULL);
	check("clSetUserEventStatus", cl.clSetUserEventStatus(own, 0));
	check("clFinish", cl.clFinish(queue));
	tell_buffer("callback", x, ITEMS);
}

/* Each launch touches pages that nobody did before; the first one warms the driver up. */
static void run_faults(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = pages * page;
	void *touch = make_kernel(program, "touch");

	set_word(touch, 1, (uint32_t)page);
	for (int i = 0; i < 4; i++) {
		void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		void *buffer;

		check("mmap", memory == MAP_FAILED);
		madvise(memory, bytes, MADV_NOHUGEPAGE);
		buffer = make_buffer(MEM_READ_WRITE | MEM_USE_HOST_PTR, bytes, memory);
		set_buffer(touch, 0, buffer);
		launch(queue, touch, pages, 0, 0, NULL, NULL);
		check("clFinish", cl.clFinish(queue));
	}
	printf("touched %zu pages four times\n", pages);
}

/* Ends when the host says so, which it does only after the launch has returned. */
static void run_endless(void)
{
	static volatile uint32_t flag[1024] __attribute__((aligned(4096)));
	void *spin = make_kernel(program, "spin"), *scale = make_kernel(program, "scale");
	void *buffer = make_buffer(MEM_READ_WRITE | MEM_USE_HOST_PTR, sizeof(flag), (void *)flag);
	void *other = make_buffer(MEM_READ_WRITE, ITEMS * sizeof(uint32_t), NULL);

	set_buffer(spin, 0, buffer);
	set_buffer(scale, 0, other);
	set_word(scale, 1, 1);
	launch(queue, spin, 1, 1, 0, NULL, NULL);
	check("clFlush", cl.clFlush(queue));
	flag[0] = 1;
	launch(queue, scale, ITEMS, 0, 0, NULL, NULL);
	check("clFinish", cl.clFinish(queue));
	printf("ended with %u\n", flag[1]);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* A kernel that may write all of a buffer but does next to nothing, and the time to copy it. */
static void run_copy(size_t mib, unsigned count)
{
	size_t bytes = mib << 20;
	void *touch = make_kernel(program, "touch");
	void *x = make_buffer(MEM_READ_WRITE, bytes, NULL);
	void *y = make_buffer(MEM_READ_WRITE, bytes, NULL);

	set_buffer(touch, 0, x);
	set_word(touch, 1, 4096);
	for (unsigned i = 0; i < count; i++) {
		double begin = now_ms(), launched;

		check("clEnqueueCopyBuffer",
		      cl.clEnqueueCopyBuffer(queue, x, y, 0, 0, bytes, 0, NULL, NULL));
		check("clFinish", cl.clFinish(queue));
		launched = now_ms();
		launch(queue, touch, bytes / 4096, 64, 0, NULL, NULL);
		check("clFinish", cl.clFinish(queue));
		printf("copy_ms %.3f launch_ms %.3f\n", launched - begin, now_ms() - launched);
	}
}

int main(int argc, char **argv)
{
	unsigned platform = 0;
	const char *what;
	unsigned number;

	if (argc > 2 && !strcmp(argv[1], "-p")) {
		platform = (unsigned)strtoul(argv[2], NULL, 10);
		argc -= 2;
		argv += 2;
	}
	what = argc > 1 ? argv[1] : "";
	number = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
	set_up(platform, source);
	if (!strcmp(what, "inplace")) {
		run_buffers(number);
		run_parts(number);
		run_image(number);
		run_svm(number);
		if (number > 2) /* not every driver bears it */
			run_callback();
	} else if (!strcmp(what, "faults")) {
		run_faults(number);
	} else if (!strcmp(what, "endless")) {
		run_endless();
	} else if (!strcmp(what, "copy")) {
		run_copy(number, argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 3);
	} else {
		fprintf(stderr, "replay_cl: say inplace, faults, endless or copy\n");
		return 2;
	}
	return 0;
}
