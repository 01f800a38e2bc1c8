/* SPDX-License-Identifier: MIT */
/*
 * A program over CUDA's driver API: cuda_program MODE [NUMBER]. It prints what it has computed, and
 * ends with 0 when that is right. Its kernels are those of the fake driver (fake_kernels.c).
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_program.h"

static const char text[] =
	"fake module\n"
	"kernel _Z3addPKfS0_Pfj does=add registers=24 shared=512 local=0 arguments=8,8,8,4\n"
	"kernel _Z5scalePffj does=scale registers=18 shared=0 local=16 arguments=8,4,4\n"
	"kernel _Z4busyy does=busy registers=10 shared=0 local=0 arguments=8\n"
	"kernel _Z5countPj does=count registers=8 shared=0 local=0 arguments=8\n"
	"kernel _Z5awaitPVj does=await registers=6 shared=0 local=0 arguments=8\n"
	"kernel _Z5raisePVj does=raise registers=6 shared=0 local=0 arguments=8\n"
	"kernel nothing does=nothing registers=4 shared=0 local=0\n";

enum { ITEMS = 4096, BYTES = ITEMS * sizeof(float) };

static CUcontext context;
static CUfunction add, scale, busy, count, await, raise_flag, nothing;

void fake_check(CUresult status, const char *what)
{
	const char *name = NULL;

	if (!status)
		return;
	cuGetErrorName(status, &name);
	fprintf(stderr, "cuda_program: %s: %s\n", what, name ? name : "?");
	exit(3);
}

static void load(void)
{
	CUmodule module;

	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&add, module, "_Z3addPKfS0_Pfj"));
	OK(cuModuleGetFunction(&scale, module, "_Z5scalePffj"));
	OK(cuModuleGetFunction(&busy, module, "_Z4busyy"));
	OK(cuModuleGetFunction(&count, module, "_Z5countPj"));
	OK(cuModuleGetFunction(&await, module, "_Z5awaitPVj"));
	OK(cuModuleGetFunction(&raise_flag, module, "_Z5raisePVj"));
	OK(cuModuleGetFunction(&nothing, module, "nothing"));
}

static void begin(void)
{
	CUdevice device;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
	load();
}

static void launch_scale(CUstream stream, CUdeviceptr x, float by)
{
	unsigned int items = ITEMS;
	void *arguments[] = {&x, &by, &items};

	OK(cuLaunchKernel(scale, 16, 2, 1, 128, 1, 1, 256, stream, arguments, NULL));
}

static void launch_add(CUstream stream, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c)
{
	unsigned int items = ITEMS;
	void *arguments[] = {&a, &b, &c, &items};

	OK(cuLaunchKernel(add, 32, 1, 1, 128, 1, 1, 0, stream, arguments, NULL));
}

static void launch_busy(CUstream stream, unsigned long long ns)
{
	void *arguments[] = {&ns};

	OK(cuLaunchKernel(busy, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
}

static int print_sum(const char *name, const float *values, double expected)
{
	double sum = 0;

	for (int i = 0; i < ITEMS; i++)
		sum += (double)values[i];
	printf("%s %.1f\n", name, sum);
	return sum != expected;
}

/* c = 2 * a + 3 * b, each on a stream of its own; b's is waited for by an event. */
static int mode_add(int unused)
{
	static float a[ITEMS], b[ITEMS], c[ITEMS];
	CUdeviceptr at[3];
	CUstream streams[2];
	CUevent ready, begun, done;
	float milliseconds;

	(void)unused;
	begin();
	for (int i = 0; i < ITEMS; i++) {
		a[i] = (float)i;
		b[i] = 1;
	}
	for (int i = 0; i < 3; i++)
		OK(cuMemAlloc_v2(&at[i], BYTES));
	OK(cuStreamCreate(&streams[0], CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreateWithPriority(&streams[1], CU_STREAM_NON_BLOCKING, -1));
	OK(cuEventCreate(&ready, CU_EVENT_DISABLE_TIMING));
	OK(cuEventCreate(&begun, 0));
	OK(cuEventCreate(&done, 0));
	OK(cuMemsetD32_v2(at[2], 0, ITEMS));
	OK(cuMemcpyHtoDAsync_v2(at[0], a, BYTES, streams[0]));
	OK(cuMemcpyHtoDAsync_v2(at[1], b, BYTES, streams[1]));
	OK(cuEventRecord(begun, streams[0]));
	launch_scale(streams[0], at[0], 2);
	launch_scale(streams[1], at[1], 3);
	OK(cuEventRecord(ready, streams[1]));
	OK(cuStreamWaitEvent(streams[0], ready, 0));
	launch_add(streams[0], at[0], at[1], at[2]);
	OK(cuEventRecord(done, streams[0]));
	OK(cuStreamSynchronize(streams[0]));
	OK(cuEventElapsedTime(&milliseconds, begun, done));
	OK(cuMemcpyDtoH_v2(c, at[2], BYTES));
	for (int i = 0; i < 3; i++)
		OK(cuMemFree_v2(at[i]));
	OK(cuStreamDestroy_v2(streams[0]));
	OK(cuStreamDestroy_v2(streams[1]));
	if (milliseconds <= 0)
		return 1;
	return print_sum("sum", c, 2.0 * ITEMS * (ITEMS - 1) / 2 + 3.0 * ITEMS);
}

/* A graph of a set, two kernels and a copy, launched so many times. */
static int mode_graph(int times)
{
	static float c[ITEMS];
	CUdeviceptr at;
	CUgraph graph;
	CUgraphNode nodes[4];
	CUgraphExec exec;
	float by = 2;
	unsigned int items = ITEMS, one;
	void *arguments[] = {&at, &by, &items};
	CUDA_KERNEL_NODE_PARAMS kernel = {.gridDimX = 32,
					  .gridDimY = 1,
					  .gridDimZ = 1,
					  .blockDimX = 128,
					  .blockDimY = 1,
					  .blockDimZ = 1,
					  .kernelParams = arguments};
	CUDA_MEMSET_NODE_PARAMS set = {.elementSize = 4, .width = ITEMS, .height = 1};
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
			      .dstMemoryType = CU_MEMORYTYPE_HOST,
			      .dstHost = c,
			      .WidthInBytes = BYTES,
			      .Height = 1,
			      .Depth = 1};

	begin();
	memcpy(&one, &(float){1}, sizeof(one));
	OK(cuMemAlloc_v2(&at, BYTES));
	set.dst = copy.srcDevice = at;
	set.value = one;
	kernel.func = scale;
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphAddMemsetNode(&nodes[0], graph, NULL, 0, &set, context));
	OK(cuGraphAddKernelNode_v2(&nodes[1], graph, &nodes[0], 1, &kernel));
	OK(cuGraphAddKernelNode_v2(&nodes[2], graph, &nodes[1], 1, &kernel));
	OK(cuGraphAddMemcpyNode(&nodes[3], graph, &nodes[2], 1, &copy, context));
	OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
	for (int i = 0; i < times; i++)
		OK(cuGraphLaunch(exec, NULL));
	OK(cuCtxSynchronize());
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
	return print_sum("graph", c, times ? 4.0 * ITEMS : 0);
}

/* A graph in a graph; the inner one is gone when the outer one is launched. */
static int mode_child(int times)
{
	static float c[ITEMS];
	CUdeviceptr at;
	CUgraph inner, outer;
	CUgraphNode node;
	CUgraphExec exec;
	unsigned int items = ITEMS;
	void *arguments[] = {&at, &at, &at, &items};
	CUDA_KERNEL_NODE_PARAMS kernel = {.gridDimX = 32,
					  .gridDimY = 1,
					  .gridDimZ = 1,
					  .blockDimX = 128,
					  .blockDimY = 1,
					  .blockDimZ = 1,
					  .kernelParams = arguments};

	begin();
	for (int i = 0; i < ITEMS; i++)
		c[i] = 1;
	OK(cuMemAlloc_v2(&at, BYTES));
	OK(cuMemcpyHtoD_v2(at, c, BYTES));
	kernel.func = add;
	OK(cuGraphCreate(&inner, 0));
	OK(cuGraphAddKernelNode_v2(&node, inner, NULL, 0, &kernel));
	OK(cuGraphCreate(&outer, 0));
	OK(cuGraphAddChildGraphNode(&node, outer, NULL, 0, inner));
	OK(cuGraphAddChildGraphNode(&node, outer, &node, 1, inner));
	OK(cuGraphDestroy(inner));
	OK(cuGraphInstantiateWithFlags(&exec, outer, 0));
	for (int i = 0; i < times; i++)
		OK(cuGraphLaunch(exec, NULL));
	OK(cuMemcpyDtoH_v2(c, at, BYTES));
	return print_sum("child", c, (double)(1 << 2 * times) * ITEMS);
}

static int mode_capture(int times)
{
	static float c[ITEMS];
	CUdeviceptr at;
	CUstream stream;
	CUgraph graph;
	CUgraphExec exec;
	CUstreamCaptureStatus status;

	begin();
	OK(cuMemAlloc_v2(&at, BYTES));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(cuMemsetD32Async(at, 0, ITEMS, stream));
	launch_scale(stream, at, 2);
	launch_add(stream, at, at, at);
	OK(cuStreamIsCapturing(stream, &status));
	OK(cuStreamEndCapture(stream, &graph));
	OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
	for (int i = 0; i < times; i++)
		OK(cuGraphLaunch(exec, stream));
	OK(cuStreamSynchronize(stream));
	OK(cuMemcpyDtoH_v2(c, at, BYTES));
	return print_sum("captured", c, 0) || status != CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

/* Every other way to launch. */
static int mode_ways(int unused)
{
	CUdeviceptr at;
	unsigned int counted = 0;
	size_t packed_bytes = sizeof(at);
	void *arguments[] = {&at};
	void *packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &at, CU_LAUNCH_PARAM_BUFFER_SIZE,
			  &packed_bytes, CU_LAUNCH_PARAM_END};
	CUlaunchAttribute attributes[] = {
		{.id = CU_LAUNCH_ATTRIBUTE_PRIORITY, .value.priority = 0},
		{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {2, 1, 1}}};
	CUlaunchConfig config = {4, 1, 1, 64, 1, 1, 128, NULL, attributes, 2};

	(void)unused;
	begin();
	OK(cuMemAlloc_v2(&at, sizeof(counted)));
	OK(cuMemsetD8_v2(at, 0, sizeof(counted)));
	OK(cuLaunchKernel(count, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
	OK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, packed));
	OK(cuLaunchKernel(count, 1, 1, 1, 2, 1, 1, 0, CU_STREAM_PER_THREAD, arguments, NULL));
	OK(cuLaunchCooperativeKernel(count, 1, 2, 1, 512, 1, 1, 0, NULL, arguments));
	OK(cuLaunchKernelEx(&config, count, arguments, NULL));
	OK(cuMemcpyDtoH_v2(&counted, at, sizeof(counted)));
	printf("counted %u\n", counted);
	if (cuLaunchKernel(count, 0, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL) !=
	    CUDA_ERROR_INVALID_VALUE)
		return 1;
	return counted != 32 + 1 + 2 + 1024 + 256;
}

static int launches_each;

static void *launch_many(void *user)
{
	CUdeviceptr at = (CUdeviceptr)(uintptr_t)user;
	void *arguments[] = {&at};
	CUstream stream;

	OK(cuCtxSetCurrent(context));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	for (int i = 0; i < launches_each; i++)
		OK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
	OK(cuStreamSynchronize(stream));
	OK(cuStreamDestroy_v2(stream));
	return NULL;
}

static int mode_threads(int each)
{
	pthread_t threads[16];
	CUdeviceptr at;
	unsigned int counted = 0;

	begin();
	launches_each = each;
	OK(cuMemAlloc_v2(&at, sizeof(counted)));
	OK(cuMemsetD8_v2(at, 0, sizeof(counted)));
	for (int i = 0; i < 16; i++)
		pthread_create(&threads[i], NULL, launch_many, (void *)(uintptr_t)at);
	for (int i = 0; i < 16; i++)
		pthread_join(threads[i], NULL);
	OK(cuMemcpyDtoH_v2(&counted, at, sizeof(counted)));
	printf("threads %u\n", counted);
	return counted != 16u * (unsigned int)each;
}

static int mode_many(int launches)
{
	CUdeviceptr at;
	unsigned int counted = 0;
	void *arguments[] = {&at};

	begin();
	OK(cuMemAlloc_v2(&at, sizeof(counted)));
	OK(cuMemsetD8_v2(at, 0, sizeof(counted)));
	for (int i = 0; i < launches; i++)
		OK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH_v2(&counted, at, sizeof(counted)));
	printf("many %u\n", counted);
	return counted != (unsigned int)launches;
}

/*
 * As many, of which every second lies in the range "odd", and all in "all": as a program names them
 * that has libtacho, whose file FAKE_RANGES names.
 */
static int mode_ranges(int launches)
{
	const char *path = getenv("FAKE_RANGES");
	void *library = path ? dlopen(path, RTLD_NOW) : NULL;
	void (*push)(const char *name) = NULL;
	void (*pop)(void) = NULL;
	CUdeviceptr at;
	void *arguments[] = {&at};

	if (library) {
		*(void **)&push = dlsym(library, "tacho_profile_push");
		*(void **)&pop = dlsym(library, "tacho_profile_pop");
	}
	if (!push || !pop)
		return 1;
	begin();
	OK(cuMemAlloc_v2(&at, sizeof(int)));
	push("all");
	for (int i = 0; i < launches; i++) {
		if (i & 1)
			push("odd");
		OK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
		if (i & 1)
			pop();
	}
	pop();
	OK(cuCtxSynchronize());
	printf("ranges %d\n", launches);
	return 0;
}

/* Until it is killed: kernels of some 200 us on two streams, 8 in flight. */
static int mode_endless(int ns)
{
	CUstream streams[2];

	begin();
	for (int i = 0; i < 2; i++)
		OK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
	do {
		for (int i = 0; i < 8; i++)
			launch_busy(streams[i % 2], (unsigned long long)ns);
	} while (!cuCtxSynchronize());
	return 1;
}

/* A child before CUDA is used, which uses it, and one afterwards, which cannot. */
static int mode_fork(int launches)
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		exit(mode_many(launches));
	waitpid(child, &status, 0);
	if (status || mode_many(launches))
		return 1;
	fflush(stdout);
	child = fork();
	if (!child) {
		CUdeviceptr at;

		status = (int)cuMemAlloc_v2(&at, 4);
		printf("child %d\n", status);
		fflush(stdout);
		_exit(status == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
	}
	waitpid(child, &status, 0);
	return status != 0;
}

static int mode_exec(int launches)
{
	char number[16];
	int status = 0;
	pid_t child;

	if (mode_many(launches))
		return 1;
	fflush(stdout);
	snprintf(number, sizeof(number), "%d", launches);
	child = fork();
	if (!child) {
		execl("/proc/self/exe", "cuda_program", "many", number, (char *)NULL);
		_exit(9);
	}
	waitpid(child, &status, 0);
	return status != 0;
}

/* Contexts that go while their work runs. */
static int mode_contexts(int times)
{
	OK(cuInit(0));
	for (int i = 0; i < times; i++) {
		CUcontext own;
		CUstream stream;

		OK(cuCtxCreate_v2(&own, 0, 0));
		load();
		OK(cuStreamCreate(&stream, 0));
		launch_busy(stream, 2000000);
		launch_busy(stream, 1000000);
		launch_busy(NULL, 1000000);
		OK(cuCtxDestroy_v2(own));
	}
	printf("contexts %d\n", times);
	return 0;
}

/* The first kernel ends when the second has run, which is launched behind it on another stream. */
static int mode_spin(int unused)
{
	CUdeviceptr at;
	CUstream streams[2];
	void *arguments[] = {&at};

	(void)unused;
	begin();
	OK(cuMemAlloc_v2(&at, 4));
	OK(cuMemsetD32_v2(at, 0, 1));
	for (int i = 0; i < 2; i++)
		OK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
	OK(cuLaunchKernel(await, 1, 1, 1, 1, 1, 1, 0, streams[0], arguments, NULL));
	OK(cuLaunchKernel(raise_flag, 1, 1, 1, 1, 1, 1, 0, streams[1], arguments, NULL));
	OK(cuCtxSynchronize());
	puts("spin done");
	return 0;
}

/* Ends while work is in flight, without waiting for it. */
static int mode_leave(int status)
{
	begin();
	launch_busy(NULL, 1000000);
	launch_busy(NULL, 1000000000);
	puts("left");
	return status;
}

/* A context on each device, used in turns. */
static int mode_devices(int times)
{
	CUcontext contexts[8];
	CUdeviceptr at[8];
	unsigned int counted = 0, sum = 0;
	int devices;

	OK(cuInit(0));
	OK(cuDeviceGetCount(&devices));
	for (int i = 0; i < devices; i++) {
		OK(cuCtxCreate_v2(&contexts[i], 0, i));
		OK(cuMemAlloc_v2(&at[i], sizeof(counted)));
		OK(cuMemsetD32_v2(at[i], 0, 1));
	}
	for (int i = 0; i < devices * times; i++) {
		void *arguments[] = {&at[i % devices]};

		OK(cuCtxSetCurrent(contexts[i % devices]));
		load();
		OK(cuLaunchKernel(count, 1, 1, 1, 1 + i % devices, 1, 1, 0, NULL, arguments, NULL));
	}
	for (int i = 0; i < devices; i++) {
		OK(cuCtxPushCurrent_v2(contexts[i]));
		OK(cuMemcpyDtoH_v2(&counted, at[i], sizeof(counted)));
		OK(cuCtxPopCurrent_v2(NULL));
		sum += counted;
	}
	printf("devices %d counted %u\n", devices, sum);
	return sum != (unsigned int)(times * devices * (devices + 1) / 2);
}

static void host_function(void *user)
{
	*(int *)user += 1;
}

/* Two-dimensional copies, pinned memory, functions of the host, memory of a stream's. */
static int mode_memory(int unused)
{
	CUdeviceptr at, own;
	char *pinned, back[64] = {0};
	int called = 0;
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
			      .srcPitch = 32,
			      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			      .dstPitch = 64,
			      .WidthInBytes = 16,
			      .Height = 4};

	(void)unused;
	begin();
	OK(cuMemAlloc_v2(&at, 256));
	OK(cuMemAllocHost_v2((void **)&pinned, 128));
	memset(pinned, 7, 128);
	copy.srcHost = pinned;
	copy.dstDevice = at;
	OK(cuMemsetD8_v2(at, 1, 256));
	OK(cuMemcpy2D_v2(&copy));
	OK(cuMemAllocAsync(&own, 64, NULL));
	OK(cuMemcpyDtoDAsync_v2(own, at + 64, 64, NULL));
	OK(cuLaunchHostFunc(NULL, host_function, &called));
	OK(cuMemcpyDtoH_v2(back, own, 64));
	OK(cuMemFreeAsync(own, NULL));
	OK(cuMemFreeHost(pinned));
	OK(cuMemFree_v2(at));
	OK(cuCtxSynchronize());
	printf("memory %d %d %d\n", back[0], back[16], called);
	return back[0] != 7 || back[16] != 1 || called != 1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int number);
		int number;
	} modes[] = {{"add", mode_add, 0},	     {"graph", mode_graph, 3},
		     {"capture", mode_capture, 2},   {"child", mode_child, 2},
		     {"ways", mode_ways, 0},	     {"threads", mode_threads, 100},
		     {"many", mode_many, 1000},	     {"endless", mode_endless, 200000},
		     {"fork", mode_fork, 5},	     {"exec", mode_exec, 5},
		     {"contexts", mode_contexts, 3}, {"spin", mode_spin, 0},
		     {"leave", mode_leave, 7},	     {"memory", mode_memory, 0},
		     {"devices", mode_devices, 2},   {"ranges", mode_ranges, 6}};

	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(modes[i].name, argv[1]))
			return modes[i].run(argc > 2 ? atoi(argv[2]) : modes[i].number);
	fprintf(stderr, "cuda_program: no such mode\n");
	return 2;
}
