// SPDX-License-Identifier: MIT
extern "C" __global__ void __launch_bounds__(256) tile(float *p)
{
	__shared__ float t[2048];

	t[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = t[threadIdx.x * 7 & 2047];
}
