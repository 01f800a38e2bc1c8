/* SPDX-License-Identifier: MIT */
/* Failures of OpenCL calls that have one usual cause. */
#include "backend/device_advice.h"

const struct tacho__advice tacho__opencl_advice[] = {
	{"clCreateContext", "CL_INVALID_DEVICE",
	 "PoCL answers so (-33) when it cannot write to its cache folder: set POCL_CACHE_DIR to a "
	 "folder that you may write to."},
	{"clCreateContext", "CL_DEVICE_NOT_FOUND",
	 "The driver that was asked has no device of that type that it can use: `tacho list "
	 "devices` "
	 "shows which have."},
	{"clGetPlatformIDs", "CL_PLATFORM_NOT_FOUND_KHR",
	 "The loader found no driver: `tacho doctor` tells where it looked."},
	{"clGetPlatformIDs", "-1001",
	 "The loader found no driver: `tacho doctor` tells where it looked."},
	{"clBuildProgram", "CL_BUILD_PROGRAM_FAILURE",
	 "The compiler's messages are in the build log: record with --keep-programs, then export "
	 "to "
	 "programs."},
	{"clCompileProgram", "CL_COMPILE_PROGRAM_FAILURE",
	 "The compiler's messages are in the build log: record with --keep-programs, then export "
	 "to "
	 "programs."},
	{"clLinkProgram", "CL_LINK_PROGRAM_FAILURE",
	 "The linker's messages are in the build log: record with --keep-programs, then export to "
	 "programs."},
	{"clEnqueue", "CL_MEM_OBJECT_ALLOCATION_FAILURE",
	 "The device had no memory left for the buffers of the command: use smaller ones or "
	 "release "
	 "some earlier."},
	{"clEnqueueNDRangeKernel", "CL_INVALID_WORK_GROUP_SIZE",
	 "The work-group is larger than the kernel allows on this device, or does not divide the "
	 "global size: ask for CL_KERNEL_WORK_GROUP_SIZE, or let the driver choose."},
	{NULL, NULL, NULL},
};
