/* SPDX-License-Identifier: MIT */
/* Registers that are named: v0 to v8, and accumulation registers a0 to a31. */
__kernel void both(void)
{
	__asm__ volatile("" ::: "v8");
	__asm__ volatile("" ::: "a31");
}
