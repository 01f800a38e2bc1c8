/* SPDX-License-Identifier: MIT */
/*
 * The end of programs, for those who count launches: a program goes with its last reference, which
 * may be that of its last kernel.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/opencl/driver_info.h"
#include "intercept/launches.h"
#include "opencl_api.h"
#include "opencl_constants.h"

/* Whether the next release is the last. */
static bool has_one(tacho__driver_info_fn get_info, void *object, uint32_t name)
{
	uint32_t count = 0;

	return object && !get_info(object, name, sizeof(count), &count, NULL) && count == 1;
}

static bool is_last_of_program(void *program)
{
	return atomic_load_explicit(&tacho__launches.subscriber_count, memory_order_relaxed) &&
	       has_one(tacho__opencl_target.clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT);
}

/* The program that goes with this kernel; NULL: none. */
static void *find_last_program(void *kernel)
{
	void *program;

	if (!atomic_load_explicit(&tacho__launches.subscriber_count, memory_order_relaxed) ||
	    !has_one(tacho__opencl_target.clGetKernelInfo, kernel, CL_KERNEL_REFERENCE_COUNT))
		return NULL;
	program = tacho__driver_get_handle(tacho__opencl_target.clGetKernelInfo, kernel,
					   CL_KERNEL_PROGRAM);
	return is_last_of_program(program) ? program : NULL;
}

int32_t tacho__opencl_release_program(void *program)
{
	bool is_last = is_last_of_program(program);
	int32_t result = tacho__opencl_target.clReleaseProgram(program);

	if (is_last && !result)
		tacho__launch_unload(TACHO__API_ID, (uintptr_t)program);
	return result;
}

int32_t tacho__opencl_release_kernel(void *kernel)
{
	void *program = find_last_program(kernel);
	int32_t result = tacho__opencl_target.clReleaseKernel(kernel);

	if (program && !result)
		tacho__launch_unload(TACHO__API_ID, (uintptr_t)program);
	return result;
}
