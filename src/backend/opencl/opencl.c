/* SPDX-License-Identifier: MIT */
/* The table of OpenCL functions and what is asked through it again and again. */
#include "backend/opencl/opencl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static const struct tacho__dl_symbol symbols[] = {
	TACHO__DL_SYMBOL(tacho__opencl, get_platforms, "clGetPlatformIDs"),
	TACHO__DL_SYMBOL(tacho__opencl, get_platform_info, "clGetPlatformInfo"),
	TACHO__DL_SYMBOL(tacho__opencl, get_devices, "clGetDeviceIDs"),
	TACHO__DL_SYMBOL(tacho__opencl, get_device_info, "clGetDeviceInfo"),
	TACHO__DL_SYMBOL(tacho__opencl, create_context, "clCreateContext"),
	TACHO__DL_SYMBOL(tacho__opencl, create_queue, "clCreateCommandQueue"),
	TACHO__DL_SYMBOL(tacho__opencl, create_buffer, "clCreateBuffer"),
	TACHO__DL_SYMBOL(tacho__opencl, create_program, "clCreateProgramWithSource"),
	TACHO__DL_SYMBOL(tacho__opencl, build_program, "clBuildProgram"),
	TACHO__DL_SYMBOL(tacho__opencl, get_build_info, "clGetProgramBuildInfo"),
	TACHO__DL_SYMBOL(tacho__opencl, create_kernel, "clCreateKernel"),
	TACHO__DL_SYMBOL(tacho__opencl, set_argument, "clSetKernelArg"),
	TACHO__DL_SYMBOL(tacho__opencl, enqueue_kernel, "clEnqueueNDRangeKernel"),
	TACHO__DL_SYMBOL(tacho__opencl, enqueue_read, "clEnqueueReadBuffer"),
	TACHO__DL_SYMBOL(tacho__opencl, release_kernel, "clReleaseKernel"),
	TACHO__DL_SYMBOL(tacho__opencl, release_program, "clReleaseProgram"),
	TACHO__DL_SYMBOL(tacho__opencl, release_buffer, "clReleaseMemObject"),
	TACHO__DL_SYMBOL(tacho__opencl, release_queue, "clReleaseCommandQueue"),
	TACHO__DL_SYMBOL(tacho__opencl, release_context, "clReleaseContext"),
};

static const struct {
	int32_t number;
	const char *name;
} errors[] = {
	{-1, "CL_DEVICE_NOT_FOUND"},
	{-2, "CL_DEVICE_NOT_AVAILABLE"},
	{-3, "CL_COMPILER_NOT_AVAILABLE"},
	{-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
	{-5, "CL_OUT_OF_RESOURCES"},
	{-6, "CL_OUT_OF_HOST_MEMORY"},
	{-11, "CL_BUILD_PROGRAM_FAILURE"},
	{-15, "CL_COMPILE_PROGRAM_FAILURE"},
	{-17, "CL_LINK_PROGRAM_FAILURE"},
	{-30, "CL_INVALID_VALUE"},
	{-32, "CL_INVALID_PLATFORM"},
	{-33, "CL_INVALID_DEVICE"},
	{-34, "CL_INVALID_CONTEXT"},
	{-36, "CL_INVALID_COMMAND_QUEUE"},
	{-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
	{-46, "CL_INVALID_KERNEL_NAME"},
	{-54, "CL_INVALID_WORK_GROUP_SIZE"},
	{-59, "CL_INVALID_OPERATION"},
	{-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

int tacho__opencl_load(const struct tacho__dl_symbol *wanted, size_t count, struct tacho__dl *dl,
		       void *table)
{
	int rc = tacho__dl_open(TACHO__OPENCL_LOADER, wanted, count, dl, table);

	if (rc == TACHO_E_NOTFOUND)
		return tacho__fail(rc, tacho__detail("%s", tacho_error_last()->cause),
				   "install an OpenCL loader: ocl-icd-libopencl1 (apt), ocl-icd "
				   "(dnf, pacman, apk), libOpenCL1 (zypper)",
				   "cannot load " TACHO__OPENCL_LOADER);
	return rc;
}

int tacho__opencl_open(struct tacho__opencl *out_cl)
{
	struct tacho__opencl cl = {0};
	int rc = tacho__opencl_load(symbols, TACHO__ARRAY_SIZE(symbols), &cl.dl, &cl);

	if (!rc)
		*out_cl = cl;
	return rc;
}

const char *tacho__opencl_error(int32_t error)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(errors); i++)
		if (errors[i].number == error)
			return tacho__detail("%s (%d)", errors[i].name, error);
	return tacho__detail("error %d", error);
}

uint32_t tacho__opencl_get_platforms(const struct tacho__opencl *cl,
				     cl_handle out_platforms[TACHO__OPENCL_HANDLES],
				     int32_t *out_error)
{
	uint32_t count = 0;

	*out_error = cl->get_platforms(TACHO__OPENCL_HANDLES, out_platforms, &count);
	return *out_error || count > TACHO__OPENCL_HANDLES ? 0 : count;
}

uint32_t tacho__opencl_get_devices(const struct tacho__opencl *cl, cl_handle platform,
				   cl_handle out_devices[TACHO__OPENCL_HANDLES], int32_t *out_error)
{
	uint32_t count = 0;

	*out_error = cl->get_devices(platform, CL__DEVICE_TYPE_ALL, TACHO__OPENCL_HANDLES,
				     out_devices, &count);
	return *out_error || count > TACHO__OPENCL_HANDLES ? 0 : count;
}

/* Drivers' names come with blanks around them; control characters would break a line. */
static void tidy(char *text)
{
	size_t from = 0, size;

	while (isspace((unsigned char)text[from]))
		from++;
	size = strlen(text + from);
	memmove(text, text + from, size + 1);
	while (size && isspace((unsigned char)text[size - 1]))
		text[--size] = '\0';
	for (size_t i = 0; i < size; i++)
		if (iscntrl((unsigned char)text[i]))
			text[i] = ' ';
}

void tacho__opencl_get_text(tacho__opencl_info info, cl_handle object, uint32_t name,
			    char out_text[TACHO__OPENCL_TEXT])
{
	memset(out_text, 0, TACHO__OPENCL_TEXT);
	if (info(object, name, TACHO__OPENCL_TEXT - 1, out_text, NULL))
		out_text[0] = '\0';
	tidy(out_text);
}

uint64_t tacho__opencl_get_number(tacho__opencl_info info, cl_handle object, uint32_t name)
{
	union {
		uint8_t bytes[8];
		uint32_t small;
		uint64_t large;
	} value = {.large = 0};
	size_t size = 0;

	if (info(object, name, sizeof(value), &value, &size))
		return 0;
	return size == sizeof(value.small) ? value.small : size == 8 ? value.large : 0;
}
