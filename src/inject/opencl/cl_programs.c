/* SPDX-License-Identifier: MIT */
/* Keeping sources, build logs and binaries of programs, when the user asked for it. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "inject/handles.h"
#include "inject/opencl/cl_objects.h"
#include "inject/opencl/printing.h"
#include "inject/opencl/cl_start.h"
#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum {
	DEVICES_MAX = 64,
	BLOB_MAX = 1 << 30, /* bytes; a size beyond is not believed */
};

static struct {
	struct tacho__handles kept; /* program to 1 when it was kept */
} programs;

static void report(void *program, const char *kind, const void *bytes, size_t size)
{
	const struct tacho__blob_note note = {
		.api = TACHO__API_ID,
		.handle = (uintptr_t)program,
		.kind = kind,
		.bytes = bytes,
		.size = size,
	};

	tacho__intercept_blob(&note);
}

/* The build log for a device, or the source when there is none. */
static int32_t get_text(void *program, void *device, size_t size, char *text, size_t *size_ret)
{
	if (device)
		return tacho__opencl_target.clGetProgramBuildInfo(
			program, device, CL_PROGRAM_BUILD_LOG, size, text, size_ret);
	return tacho__opencl_target.clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, text,
						     size_ret);
}

/* The source is empty for a program that was made from a binary. */
static void keep_text(void *program, void *device)
{
	size_t size = 0;
	char *text;

	if (get_text(program, device, 0, NULL, &size) || size < 2 || size > BLOB_MAX)
		return;
	text = malloc(size);
	if (text && !get_text(program, device, size, text, NULL))
		report(program, device ? "build_log" : "source", text, strnlen(text, size));
	free(text);
}

static void keep_binaries(void *program, size_t devices)
{
	unsigned char *binaries[DEVICES_MAX] = {NULL};
	size_t sizes[DEVICES_MAX] = {0};

	if (tacho__opencl_target.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
						  devices * sizeof(size_t), sizes, NULL))
		return;
	/* The driver skips devices whose pointer is NULL. */
	for (size_t i = 0; i < devices; i++)
		if (sizes[i] && sizes[i] <= BLOB_MAX)
			binaries[i] = malloc(sizes[i]);
	if (!tacho__opencl_target.clGetProgramInfo(program, CL_PROGRAM_BINARIES,
						   devices * sizeof(void *), binaries, NULL))
		for (size_t i = 0; i < devices; i++)
			if (binaries[i])
				report(program, "binary", binaries[i], sizes[i]);
	for (size_t i = 0; i < devices; i++)
		free(binaries[i]);
}

static bool is_building(void *program, void *const *devices, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int32_t status = CL_BUILD_NONE;

		if (!tacho__opencl_target.clGetProgramBuildInfo(program, devices[i],
								CL_PROGRAM_BUILD_STATUS,
								sizeof(status), &status, NULL) &&
		    status == CL_BUILD_IN_PROGRESS)
			return true;
	}
	return false;
}

void tacho__opencl_keep_program(void *program)
{
	void *devices[DEVICES_MAX];
	size_t bytes = 0, count;
	int error = errno;

	if (!tacho__opencl_keeps_programs())
		return;
	if (tacho__opencl_target.clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof(devices),
						  devices, &bytes))
		bytes = 0;
	count = bytes / sizeof(void *);
	if (count && !is_building(program, devices, count)) {
		for (size_t i = 0; i < count; i++)
			keep_text(program, devices[i]);
		keep_binaries(program, count);
		keep_text(program, NULL);
		tacho__handles_set(&programs.kept, program, 1);
	}
	errno = error;
}

void tacho__opencl_keep_program_once(void *program)
{
	if (program && tacho__opencl_keeps_programs() &&
	    !tacho__handles_get(&programs.kept, program))
		tacho__opencl_keep_program(program);
}

void tacho__opencl_new_program(void *program)
{
	tacho__printing_new(program, false);
	if (tacho__opencl_keeps_programs())
		tacho__handles_set(&programs.kept, program, 0);
}

void tacho__opencl_made_source_program(void *result, void *context)
{
	tacho__opencl_made_program(result, context);
	tacho__printing_new(result, true);
}

void tacho__opencl_built_program(int32_t result, void *program, const char *options)
{
	tacho__opencl_compiled_program(result, program, options, 0, NULL, NULL);
}

/* Nobody can make kernels of what was not built. */
void tacho__opencl_compiled_program(int32_t result, void *program, const char *options,
				    uint32_t num_input_headers, void *const *input_headers,
				    const char **header_include_names)
{
	if (!program)
		return;
	tacho__opencl_keep_program(program);
	if (result == CL_SUCCESS)
		tacho__printing_built(program, options, num_input_headers, input_headers,
				      header_include_names);
}

void tacho__opencl_linked_program(void *result, void *context, uint32_t num_input_programs,
				  void *const *input_programs)
{
	if (!result)
		return;
	tacho__opencl_made_program(result, context);
	tacho__printing_linked(result, num_input_programs, input_programs);
	tacho__opencl_keep_program(result);
}
