/* SPDX-License-Identifier: MIT */
/* Each call is told as CUPTI tells it, and the driver's calls that it is made of inside of it. */
#include "fake_runtime.h"

#include <pthread.h>
#include <string.h>

#include "fake_cuda.h"
#include "fake_program.h"

#define EXPORT __attribute__((visibility("default")))

enum { KERNELS_MAX = 64 };

static struct {
	pthread_once_t once;
	const struct fake_cuda_hooks *hooks;
	CUcontext context;
	const void *module_text;
	CUmodule module;
	const void *addresses[KERNELS_MAX];
	const char *names[KERNELS_MAX];
	size_t count;
} runtime = {.once = PTHREAD_ONCE_INIT};

/* At the first call that needs a context. */
static void begin(void)
{
	if (cuInit(0) || cuDevicePrimaryCtxRetain(&runtime.context, 0))
		return;
	cuCtxSetCurrent(runtime.context);
	if (runtime.module_text)
		cuModuleLoadData(&runtime.module, runtime.module_text);
}

static int use_context(void)
{
	CUcontext current = NULL;

	pthread_once(&runtime.once, begin);
	if (!runtime.context)
		return 100; /* no device */
	cuCtxGetCurrent(&current);
	return current ? 0 : (int)cuCtxSetCurrent(runtime.context);
}

EXPORT void **__cudaRegisterFatBinary(void *module)
{
	runtime.module_text = module;
	return (void **)&runtime.module_text;
}

EXPORT void __cudaRegisterFunction(void **handle, const char *host_function, char *device_function,
				   const char *name, int limit, void *tid, void *bid, void *block,
				   void *grid, int *warp_size)
{
	(void)handle, (void)device_function, (void)limit, (void)tid, (void)bid, (void)block;
	(void)grid, (void)warp_size;
	if (runtime.count == KERNELS_MAX)
		return;
	runtime.addresses[runtime.count] = host_function;
	runtime.names[runtime.count++] = name;
}

static CUfunction find_function(const void *address, const char **out_name)
{
	CUfunction function = NULL;

	for (size_t i = 0; i < runtime.count; i++)
		if (runtime.addresses[i] == address) {
			*out_name = runtime.names[i];
			cuModuleGetFunction(&function, runtime.module, runtime.names[i]);
		}
	return function;
}

/* A call: its parameters as CUPTI has them, then what is done, which sets `status`. */
#define BEGIN(number_, name_, params_)                               \
	struct fake_cuda_call call_ = {.api = FAKE_CUDA_RUNTIME_API, \
				       .number = number_,            \
				       .name = name_,                \
				       .params = params_};           \
	int status = 999;                                            \
	call_.result = &status;                                      \
	begin_call(&call_);
#define END()                                    \
	if (runtime.hooks)                       \
		runtime.hooks->call_end(&call_); \
	return status;

static void begin_call(struct fake_cuda_call *call)
{
	if (!runtime.hooks)
		runtime.hooks = fake_cuda_find();
	/* what is launched is known without a module being loaded */
	for (size_t i = 0; !strncmp(call->name, "cudaLaunch", 10) && i < runtime.count; i++)
		if (runtime.addresses[i] == *(const void *const *)call->params)
			call->symbol = runtime.names[i];
	runtime.hooks->call_begin(call);
}

EXPORT int cudaGetDeviceCount(int *count)
{
	struct {
		int *count;
	} params = {count};
	BEGIN(3, "cudaGetDeviceCount_v3020", &params)

	status = use_context();
	if (!status)
		status = (int)cuDeviceGetCount(count);
	END()
}

EXPORT int cudaMalloc(void **out, size_t bytes)
{
	struct {
		void **out;
		size_t bytes;
	} params = {out, bytes};
	CUdeviceptr pointer = 0;
	BEGIN(20, "cudaMalloc_v3020", &params)

	status = use_context();
	if (!status)
		status = (int)cuMemAlloc_v2(&pointer, bytes);
	if (!status)
		*out = (void *)(uintptr_t)pointer;
	END()
}

EXPORT int cudaFree(void *pointer)
{
	struct {
		void *pointer;
	} params = {pointer};
	BEGIN(22, "cudaFree_v3020", &params)

	status = use_context();
	if (!status)
		status = (int)cuMemFree_v2((CUdeviceptr)(uintptr_t)pointer);
	END()
}

static int copy(void *to, const void *from, size_t bytes, int kind)
{
	CUdeviceptr to_device = (CUdeviceptr)(uintptr_t)to;
	CUdeviceptr from_device = (CUdeviceptr)(uintptr_t)from;

	switch (kind) {
	case cudaMemcpyHostToDevice: return (int)cuMemcpyHtoD_v2(to_device, from, bytes);
	case cudaMemcpyDeviceToHost: return (int)cuMemcpyDtoH_v2(to, from_device, bytes);
	case cudaMemcpyDeviceToDevice: return (int)cuMemcpyDtoD_v2(to_device, from_device, bytes);
	default: return 21; /* invalid direction */
	}
}

EXPORT int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
	struct {
		void *to;
		const void *from;
		size_t bytes;
		int kind;
	} params = {to, from, bytes, kind};
	BEGIN(31, "cudaMemcpy_v3020", &params)

	status = use_context();
	if (!status)
		status = copy(to, from, bytes, kind);
	END()
}

EXPORT int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream)
{
	struct {
		void *to;
		const void *from;
		size_t bytes;
		int kind;
		cudaStream_t stream;
	} params = {to, from, bytes, kind, stream};
	BEGIN(41, "cudaMemcpyAsync_v3020", &params)

	status = use_context();
	if (!status)
		status = (int)cuMemcpyAsync((CUdeviceptr)(uintptr_t)to,
					    (CUdeviceptr)(uintptr_t)from, bytes, stream);
	END()
}

EXPORT int cudaMemset(void *to, int value, size_t bytes)
{
	struct {
		void *to;
		int value;
		size_t bytes;
	} params = {to, value, bytes};
	BEGIN(49, "cudaMemset_v3020", &params)

	status = use_context();
	if (!status)
		status =
			(int)cuMemsetD8_v2((CUdeviceptr)(uintptr_t)to, (unsigned char)value, bytes);
	END()
}

EXPORT int cudaStreamCreate(cudaStream_t *stream)
{
	struct {
		cudaStream_t *stream;
	} params = {stream};
	BEGIN(129, "cudaStreamCreate_v3020", &params)

	status = use_context();
	if (!status)
		status = (int)cuStreamCreate(stream, 0);
	END()
}

EXPORT int cudaStreamSynchronize(cudaStream_t stream)
{
	struct {
		cudaStream_t stream;
	} params = {stream};
	BEGIN(131, "cudaStreamSynchronize_v3020", &params)

	status = use_context();
	if (!status)
		status = (int)cuStreamSynchronize(stream);
	END()
}

EXPORT int cudaDeviceSynchronize(void)
{
	BEGIN(165, "cudaDeviceSynchronize_v3020", NULL)

	status = use_context();
	if (!status)
		status = (int)cuCtxSynchronize();
	END()
}

struct launch_params {
	const void *function;
	dim3 grid, block;
	void **arguments;
	size_t shared_bytes;
	cudaStream_t stream;
};

enum way { PLAIN, OWN_STREAM, COOPERATIVE };

static int launch(const struct launch_params *launch, enum way way)
{
	const char *name = NULL;
	const dim3 *grid = &launch->grid, *block = &launch->block;
	unsigned int shared = (unsigned int)launch->shared_bytes;
	CUfunction function;
	int status = use_context();

	if (status)
		return status;
	function = find_function(launch->function, &name);
	if (!function)
		return 98; /* invalid device function */
	switch (way) {
	case OWN_STREAM:
		return (int)cuLaunchKernel_ptsz(function, grid->x, grid->y, grid->z, block->x,
						block->y, block->z, shared, launch->stream,
						launch->arguments, NULL);
	case COOPERATIVE:
		return (int)cuLaunchCooperativeKernel(function, grid->x, grid->y, grid->z, block->x,
						      block->y, block->z, shared, launch->stream,
						      launch->arguments);
	default:
		return (int)cuLaunchKernel(function, grid->x, grid->y, grid->z, block->x, block->y,
					   block->z, shared, launch->stream, launch->arguments,
					   NULL);
	}
}

EXPORT int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
			    size_t shared_bytes, cudaStream_t stream)
{
	struct launch_params params = {function, grid, block, arguments, shared_bytes, stream};
	BEGIN(211, "cudaLaunchKernel_v7000", &params)

	status = launch(&params, PLAIN);
	END()
}

EXPORT int cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block, void **arguments,
				 size_t shared_bytes, cudaStream_t stream)
{
	struct launch_params params = {function, grid, block, arguments, shared_bytes, stream};
	BEGIN(214, "cudaLaunchKernel_ptsz_v7000", &params)

	status = launch(&params, OWN_STREAM);
	END()
}

EXPORT int cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
				       void **arguments, size_t shared_bytes, cudaStream_t stream)
{
	struct launch_params params = {function, grid, block, arguments, shared_bytes, stream};
	BEGIN(269, "cudaLaunchCooperativeKernel_v9000", &params)

	status = launch(&params, COOPERATIVE);
	END()
}

/* For libcupti's fake. */
const char *fake_cudart_name(uint32_t number);
EXPORT const char *fake_cudart_name(uint32_t number)
{
	static const struct {
		uint32_t number;
		const char *name;
	} names[] = {{3, "cudaGetDeviceCount_v3020"},
		     {20, "cudaMalloc_v3020"},
		     {22, "cudaFree_v3020"},
		     {31, "cudaMemcpy_v3020"},
		     {41, "cudaMemcpyAsync_v3020"},
		     {49, "cudaMemset_v3020"},
		     {129, "cudaStreamCreate_v3020"},
		     {131, "cudaStreamSynchronize_v3020"},
		     {165, "cudaDeviceSynchronize_v3020"},
		     {211, "cudaLaunchKernel_v7000"},
		     {214, "cudaLaunchKernel_ptsz_v7000"},
		     {269, "cudaLaunchCooperativeKernel_v9000"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == number)
			return names[i].name;
	return NULL;
}
