/* SPDX-License-Identifier: MIT */
/*
 * A program over CUDA's runtime, as nvcc would build it from three launches of two kernels:
 * runtime_program [TIMES].
 */
#include <stdio.h>
#include <stdlib.h>

#include "fake_runtime.h"

static char text[] =
	"fake module\n"
	"kernel _Z5scalePffj does=scale registers=18 shared=0 local=16 arguments=8,4,4\n"
	"kernel _Z5countPj does=count registers=8 shared=64 local=0 arguments=8\n";

/* Stand for kernels, by their addresses. */
static const char scale, count;

static void check(int status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "runtime_program: %s: %d\n", what, status);
	exit(3);
}
#define OK(call) check((call), #call)

int main(int argc, char **argv)
{
	static float values[1024];
	int times = argc > 1 ? atoi(argv[1]) : 1, devices;
	unsigned int items = 1024, counted = 0;
	float by = 2, *on_device;
	unsigned int *counter;
	void *scaled[] = {&on_device, &by, &items}, *counts[] = {&counter};
	void **handle = __cudaRegisterFatBinary(text);

	__cudaRegisterFunction(handle, &scale, NULL, "_Z5scalePffj", -1, NULL, NULL, NULL, NULL,
			       NULL);
	__cudaRegisterFunction(handle, &count, NULL, "_Z5countPj", -1, NULL, NULL, NULL, NULL,
			       NULL);
	for (int i = 0; i < 1024; i++)
		values[i] = 1;
	OK(cudaGetDeviceCount(&devices));
	OK(cudaMalloc((void **)&on_device, sizeof(values)));
	OK(cudaMalloc((void **)&counter, sizeof(*counter)));
	OK(cudaMemset(counter, 0, sizeof(*counter)));
	OK(cudaMemcpy(on_device, values, sizeof(values), cudaMemcpyHostToDevice));
	for (int i = 0; i < times; i++) {
		OK(cudaLaunchKernel(&scale, (dim3){8, 1, 1}, (dim3){128, 1, 1}, scaled, 32, NULL));
		OK(cudaLaunchKernel_ptsz(&count, (dim3){1, 1, 1}, (dim3){4, 1, 1}, counts, 0,
					 NULL));
		OK(cudaLaunchCooperativeKernel(&count, (dim3){2, 1, 1}, (dim3){8, 1, 1}, counts, 0,
					       NULL));
	}
	OK(cudaDeviceSynchronize());
	OK(cudaMemcpy(values, on_device, sizeof(values), cudaMemcpyDeviceToHost));
	OK(cudaMemcpy(&counted, counter, sizeof(counted), cudaMemcpyDeviceToHost));
	OK(cudaFree(on_device));
	OK(cudaFree(counter));
	printf("scaled %.0f counted %u\n", (double)values[1023], counted);
	return counted != 20u * (unsigned int)times;
}
