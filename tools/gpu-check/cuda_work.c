/* SPDX-License-Identifier: MIT */
/*
 * Work for NVIDIA's GPU of which is known what it does: the program of tools/gpu-check.sh. It needs
 * the driver alone, whose functions are declared here anew.
 *
 *	cuda_work devices			prints how many there are, and what the first is
 *	cuda_work KERNELS.ptx MODE SIZE COUNT	does it COUNT times on SIZE items
 *
 * MODE: add, copy (vectors of SIZE), multiply (SIZE x SIZE matrices), graph (SIZE additions of
 * vectors, launched as a whole). It prints "KEY VALUE" lines, and ends with 0 when what was
 *computed is right.
 */
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 256, TILE = 16, GRAPH_ITEMS = 1 << 16, CAPTURE_RELAXED = 2 };
enum { MULTIPROCESSORS = 16, MAJOR = 75, MINOR = 76 }; /* attributes of devices */

typedef uint64_t pointer; /* of the device */

static struct {
	int (*cuInit)(unsigned flags);
	int (*cuDriverGetVersion)(int *version);
	int (*cuDeviceGetCount)(int *count);
	int (*cuDeviceGet)(int *device, int ordinal);
	int (*cuDeviceGetName)(char *name, int size, int device);
	int (*cuDeviceGetAttribute)(int *value, int attribute, int device);
	int (*cuDevicePrimaryCtxRetain)(void **context, int device);
	int (*cuCtxSetCurrent)(void *context);
	int (*cuModuleLoadData)(void **module, const void *text);
	int (*cuModuleGetFunction)(void **function, void *module, const char *name);
	int (*cuMemAlloc_v2)(pointer *out, size_t bytes);
	int (*cuMemFree_v2)(pointer at);
	int (*cuMemcpyHtoD_v2)(pointer to, const void *from, size_t bytes);
	int (*cuMemcpyDtoH_v2)(void *to, pointer from, size_t bytes);
	int (*cuStreamCreate)(void **stream, unsigned flags);
	int (*cuStreamSynchronize)(void *stream);
	int (*cuStreamBeginCapture_v2)(void *stream, int mode);
	int (*cuStreamEndCapture)(void *stream, void **graph);
	int (*cuGraphInstantiateWithFlags)(void **executable, void *graph,
					   unsigned long long flags);
	int (*cuGraphLaunch)(void *executable, void *stream);
	int (*cuEventCreate)(void **event, unsigned flags);
	int (*cuEventRecord)(void *event, void *stream);
	int (*cuEventSynchronize)(void *event);
	int (*cuEventElapsedTime)(float *milliseconds, void *start, void *end);
	int (*cuLaunchKernel)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
			      unsigned block_x, unsigned block_y, unsigned block_z,
			      unsigned shared_bytes, void *stream, void **arguments, void **extra);
} cu;

static const struct {
	const char *name;
	size_t at;
} functions[] = {
#define FUNCTION(name)                                \
	{                                             \
#name, offsetof(__typeof__(cu), name) \
	}
	FUNCTION(cuInit),
	FUNCTION(cuDriverGetVersion),
	FUNCTION(cuDeviceGetCount),
	FUNCTION(cuDeviceGet),
	FUNCTION(cuDeviceGetName),
	FUNCTION(cuDeviceGetAttribute),
	FUNCTION(cuDevicePrimaryCtxRetain),
	FUNCTION(cuCtxSetCurrent),
	FUNCTION(cuModuleLoadData),
	FUNCTION(cuModuleGetFunction),
	FUNCTION(cuMemAlloc_v2),
	FUNCTION(cuMemFree_v2),
	FUNCTION(cuMemcpyHtoD_v2),
	FUNCTION(cuMemcpyDtoH_v2),
	FUNCTION(cuStreamCreate),
	FUNCTION(cuStreamSynchronize),
	FUNCTION(cuStreamBeginCapture_v2),
	FUNCTION(cuStreamEndCapture),
	FUNCTION(cuGraphInstantiateWithFlags),
	FUNCTION(cuGraphLaunch),
	FUNCTION(cuEventCreate),
	FUNCTION(cuEventRecord),
	FUNCTION(cuEventSynchronize),
	FUNCTION(cuEventElapsedTime),
	FUNCTION(cuLaunchKernel),
#undef FUNCTION
};

#define DO(call) check(call, #call)

static void check(int status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "cuda_work: %s: the driver says %d\n", what, status);
	exit(1);
}

static void find_driver(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);

	if (!driver) {
		fprintf(stderr, "cuda_work: %s\n", dlerror());
		exit(3);
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *found = dlsym(driver, functions[i].name);

		if (!found) {
			fprintf(stderr, "cuda_work: the driver has no %s\n", functions[i].name);
			exit(3);
		}
		memcpy((char *)&cu + functions[i].at, &found, sizeof(found));
	}
}

static int tell_devices(void)
{
	int count = 0, version = 0, device, units = 0, major = 0, minor = 0;
	char name[256] = "";

	if (cu.cuInit(0) || cu.cuDeviceGetCount(&count) || !count) {
		puts("devices 0");
		return 3;
	}
	DO(cu.cuDriverGetVersion(&version));
	DO(cu.cuDeviceGet(&device, 0));
	DO(cu.cuDeviceGetName(name, sizeof(name), device));
	DO(cu.cuDeviceGetAttribute(&units, MULTIPROCESSORS, device));
	DO(cu.cuDeviceGetAttribute(&major, MAJOR, device));
	DO(cu.cuDeviceGetAttribute(&minor, MINOR, device));
	printf("devices %d\nname %s\ndriver %d\nunits %d\ncapability %d.%d\n", count, name, version,
	       units, major, minor);
	return 0;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file || getdelim(&text, &size, '\0', file) <= 0) {
		fprintf(stderr, "cuda_work: cannot read %s\n", path);
		exit(2);
	}
	fclose(file);
	return text;
}

static pointer upload(const float *values, size_t count)
{
	pointer at;

	DO(cu.cuMemAlloc_v2(&at, count * sizeof(*values)));
	DO(cu.cuMemcpyHtoD_v2(at, values, count * sizeof(*values)));
	return at;
}

static float *make_values(size_t count)
{
	float *values = malloc(count * sizeof(*values));

	if (!values) {
		fputs("cuda_work: no memory\n", stderr);
		exit(1);
	}
	for (size_t i = 0; i < count; i++)
		values[i] = (float)(i * 7 % 32);
	return values;
}

struct work {
	void *function, *stream;
	unsigned grid[2], block[2];
	void **arguments;
};

static void launch(const struct work *work)
{
	DO(cu.cuLaunchKernel(work->function, work->grid[0], work->grid[1], 1, work->block[0],
			     work->block[1], 1, 0, work->stream, work->arguments, NULL));
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1000;
}

/* Launches it so often; prints how long that took the host for each, and the device in all. */
static void repeat(const struct work *work, void *graph, unsigned count)
{
	void *from, *to;
	float device_ms;
	double begun;

	DO(cu.cuEventCreate(&from, 0));
	DO(cu.cuEventCreate(&to, 0));
	DO(cu.cuEventRecord(from, work->stream));
	begun = now();
	for (unsigned i = 0; i < count; i++)
		if (graph)
			DO(cu.cuGraphLaunch(graph, work->stream));
		else
			launch(work);
	printf("launches %u\nhost_us %.4f\n", count, (now() - begun) / count);
	DO(cu.cuEventRecord(to, work->stream));
	DO(cu.cuEventSynchronize(to));
	DO(cu.cuEventElapsedTime(&device_ms, from, to));
	printf("device_us %.3f\nall_us %.3f\n", device_ms * 1000 / (float)count,
	       (now() - begun) / count);
}

/* So many additions as a graph. */
static void *capture(const struct work *work, unsigned nodes)
{
	void *graph, *executable;

	DO(cu.cuStreamBeginCapture_v2(work->stream, CAPTURE_RELAXED));
	for (unsigned i = 0; i < nodes; i++)
		launch(work);
	DO(cu.cuStreamEndCapture(work->stream, &graph));
	DO(cu.cuGraphInstantiateWithFlags(&executable, graph, 0));
	return executable;
}

static int is_right(const char *mode, const float *in, const float *out, unsigned side,
		    size_t count)
{
	for (size_t i = 0; i < count; i += count / 1000 + 1) {
		float expected = strcmp(mode, "copy") ? in[i] + in[i] : in[i];

		if (!strcmp(mode, "multiply")) {
			expected = 0;
			for (size_t k = 0; k < side; k++)
				expected += in[i / side * side + k] * in[k * side + i % side];
		}
		if (fabsf(out[i] - expected) > 1e-3F * fabsf(expected)) {
			fprintf(stderr, "cuda_work: item %zu is %g, not %g\n", i, out[i], expected);
			return 0;
		}
	}
	return 1;
}

static const char *get_kernel(const char *mode)
{
	return !strcmp(mode, "multiply") ? "matrix_multiply"
	       : !strcmp(mode, "copy")	 ? "vector_copy"
					 : "vector_add";
}

static int work(const char *path, const char *mode, unsigned size, unsigned count)
{
	int is_matrix = !strcmp(mode, "multiply"), is_graph = !strcmp(mode, "graph"), device;
	unsigned items = is_graph ? GRAPH_ITEMS : size;
	size_t all = is_matrix ? (size_t)size * size : items;
	float *in = make_values(all), *out = make_values(all);
	pointer a, b, c;
	void *three[] = {&a, &b, &c, &items}, *two[] = {&a, &c, &items}, *context, *module;
	struct work it = {.arguments = strcmp(mode, "copy") ? three : two,
			  .grid = {(unsigned)((all + BLOCK - 1) / BLOCK), 1},
			  .block = {BLOCK, 1}};

	if (is_matrix)
		it = (struct work){.arguments = three,
				   .grid = {size / TILE, size / TILE},
				   .block = {TILE, TILE}};
	DO(cu.cuInit(0));
	DO(cu.cuDeviceGet(&device, 0));
	DO(cu.cuDevicePrimaryCtxRetain(&context, device));
	DO(cu.cuCtxSetCurrent(context));
	DO(cu.cuModuleLoadData(&module, read_file(path)));
	DO(cu.cuModuleGetFunction(&it.function, module, get_kernel(mode)));
	DO(cu.cuStreamCreate(&it.stream, 0));
	a = upload(in, all);
	b = upload(in, all);
	c = upload(out, all);
	repeat(&it, is_graph ? capture(&it, size) : NULL, count);
	DO(cu.cuMemcpyDtoH_v2(out, c, all * sizeof(*out)));
	if (!is_right(mode, in, out, size, all))
		return 1;
	printf("result %.3f\n", out[all - 1]);
	return 0;
}

int main(int argc, char **argv)
{
	long size = argc == 5 ? atol(argv[3]) : 0, count = argc == 5 ? atol(argv[4]) : 0;

	if (argc == 2 && !strcmp(argv[1], "devices")) {
		find_driver();
		return tell_devices();
	}
	if (size < TILE || size > 1 << 28 || count < 1 || count > 1 << 20) {
		fputs("cuda_work devices, or KERNELS.ptx add|copy|multiply|graph SIZE COUNT\n",
		      stderr);
		return 2;
	}
	find_driver();
	return work(argv[1], argv[2], (unsigned)size, (unsigned)count);
}
