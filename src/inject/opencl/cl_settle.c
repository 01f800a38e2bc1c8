/* SPDX-License-Identifier: MIT */
#include "inject/opencl/cl_settle.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

enum { YIELDS_MAX = 10000 };

static atomic_uint in_flight;

void tacho__opencl_take_off(void)
{
	atomic_fetch_add(&in_flight, 1);
}

void tacho__opencl_land(void)
{
	atomic_fetch_sub(&in_flight, 1);
}

void tacho__opencl_settle(void)
{
	int error = errno;

	for (int i = 0; i < YIELDS_MAX && atomic_load(&in_flight); i++)
		sched_yield();
	errno = error;
}
