/* SPDX-License-Identifier: MIT */
/* Kernels whose registers and local memory the compiler states. */
__kernel void vadd(__global const float *a, __global const float *b, __global float *c)
{
	size_t i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();

	c[i] = a[i] + b[i];
}

__attribute__((reqd_work_group_size(256, 1, 1))) __kernel void tile(__global float *p)
{
	__local float t[1024];
	unsigned i = __builtin_amdgcn_workitem_id_x();

	t[i] = p[i];
	__builtin_amdgcn_s_barrier();
	p[i] = t[i * 7 & 1023];
}
