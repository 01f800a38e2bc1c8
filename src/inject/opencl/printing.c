/* SPDX-License-Identifier: MIT */
#include "inject/opencl/printing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inject/counting.h"
#include "inject/handles.h"
#include "inject/opencl/cl_text.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum {
	DEVICES_MAX = 64,
	TEXT_MAX = 64 << 20, /* bytes; what is larger is not read */
	BINARY_MAX = 1 << 30,
};

/* What is known of a program; 0 for one from a binary, or built into the device. */
enum { HAS_SOURCE = 1, IS_SILENT = 2 };

static struct {
	struct tacho__handles programs; /* to these flags */
} printing;

void tacho__printing_new(void *program, bool has_source)
{
	if (program && tacho__counting_replays())
		tacho__handles_set(&printing.programs, program, has_source ? HAS_SOURCE : 0);
}

/* The program's text or intermediate language, with a NUL behind it; owned. NULL: there is none. */
static char *get_text(void *program, uint32_t name, size_t *out_size)
{
	size_t size = 0;
	char *text;

	if (tacho__opencl_target.clGetProgramInfo(program, name, 0, NULL, &size) || size < 2 ||
	    size > TEXT_MAX)
		return NULL;
	text = calloc(size + 1, 1);
	if (text && tacho__opencl_target.clGetProgramInfo(program, name, size, text, NULL)) {
		free(text);
		text = NULL;
	}
	*out_size = size;
	return text;
}

static bool is_source_silent(void *program, const struct tacho__text_build *build)
{
	size_t size;
	char *text = get_text(program, CL_PROGRAM_SOURCE, &size);
	/* compilers go on behind a NUL, and so would have to be searched on */
	bool is_silent = text && strlen(text) + 1 >= size && tacho__text_is_silent(text, build);

	free(text);
	return is_silent;
}

static bool is_il_silent(void *program)
{
	size_t size;
	char *il = get_text(program, CL_PROGRAM_IL, &size);
	bool is_silent = il && tacho__binary_prints(il, size, NULL) == TACHO__PRINTS_NEVER;

	free(il);
	return is_silent;
}

void tacho__printing_built(void *program, const char *options, uint32_t header_count,
			   void *const *headers, const char *const *names)
{
	const struct tacho__text_build build = {
		.options = options, .names = names, .name_count = header_count};
	uint64_t has_source = tacho__handles_get(&printing.programs, program) & HAS_SOURCE;
	int error = errno;
	bool is_silent;

	if (!tacho__counting_replays())
		return;
	is_silent = has_source ? is_source_silent(program, &build) : is_il_silent(program);
	for (uint32_t i = 0; i < header_count && is_silent; i++)
		is_silent = is_source_silent(headers[i], &build);
	tacho__handles_set(&printing.programs, program, has_source | (is_silent ? IS_SILENT : 0));
	errno = error;
}

void tacho__printing_linked(void *program, uint32_t count, void *const *inputs)
{
	uint64_t flags = count ? IS_SILENT : 0;

	if (!tacho__counting_replays())
		return;
	for (uint32_t i = 0; i < count; i++)
		flags &= tacho__handles_get(&printing.programs, inputs[i]);
	tacho__handles_set(&printing.programs, program, flags);
}

/* Where the device is in the program's list; `*out_count` of them. DEVICES_MAX: nowhere. */
static size_t find_device(void *program, const void *device, size_t *out_count)
{
	void *devices[DEVICES_MAX];
	size_t bytes = 0;

	if (tacho__opencl_target.clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof(devices),
						  devices, &bytes))
		return DEVICES_MAX;
	*out_count = bytes / sizeof(void *);
	for (size_t i = 0; i < *out_count; i++)
		if (devices[i] == device)
			return i;
	return DEVICES_MAX;
}

/* Owned; NULL when the driver has none to give. */
static void *get_binary(void *program, const void *device, size_t *out_size)
{
	void *binaries[DEVICES_MAX] = {NULL};
	size_t sizes[DEVICES_MAX] = {0}, count = 0;
	size_t index = find_device(program, device, &count);

	if (index == DEVICES_MAX ||
	    tacho__opencl_target.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
						  count * sizeof(sizes[0]), sizes, NULL) ||
	    !sizes[index] || sizes[index] > BINARY_MAX)
		return NULL;
	/* The driver skips devices whose pointer is NULL. */
	binaries[index] = calloc(sizes[index], 1);
	if (!binaries[index])
		return NULL;
	if (tacho__opencl_target.clGetProgramInfo(program, CL_PROGRAM_BINARIES,
						  count * sizeof(binaries[0]), binaries, NULL)) {
		free(binaries[index]);
		return NULL;
	}
	*out_size = sizes[index];
	return binaries[index];
}

enum tacho__prints tacho__printing_of(void *program, void *device, const char *kernel)
{
	enum tacho__prints prints;
	size_t size;
	void *binary;

	if (tacho__handles_get(&printing.programs, program) & IS_SILENT)
		return TACHO__PRINTS_NEVER;
	binary = get_binary(program, device, &size);
	if (!binary)
		return TACHO__PRINTS_PERHAPS;
	prints = tacho__binary_prints(binary, size, kernel);
	free(binary);
	return prints;
}
