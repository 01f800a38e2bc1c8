/* SPDX-License-Identifier: MIT */
/*
 * CUDA's runtime as a fake over the driver's fake: what programs that nvcc builds call, a few
 * functions of it. A kernel is known by the address of a function of the host.
 */
#ifndef TESTS_FAKE_CUDA_FAKE_RUNTIME_H
#define TESTS_FAKE_CUDA_FAKE_RUNTIME_H

#include <stddef.h>

typedef struct CUstream_st *cudaStream_t;
typedef struct {
	unsigned int x, y, z;
} dim3;

enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };

/* As the code of nvcc does it before main(): a module, and the kernels in it. */
void **__cudaRegisterFatBinary(void *module);
void __cudaRegisterFunction(void **handle, const char *host_function, char *device_function,
			    const char *name, int limit, void *tid, void *bid, void *block,
			    void *grid, int *warp_size);

int cudaGetDeviceCount(int *count);
int cudaMalloc(void **out, size_t bytes);
int cudaFree(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream);
int cudaMemset(void *to, int value, size_t bytes);
int cudaStreamCreate(cudaStream_t *stream);
int cudaStreamSynchronize(cudaStream_t stream);
int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
		     size_t shared_bytes, cudaStream_t stream);
int cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block, void **arguments,
			  size_t shared_bytes, cudaStream_t stream);
int cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
				size_t shared_bytes, cudaStream_t stream);
int cudaDeviceSynchronize(void);

#endif
