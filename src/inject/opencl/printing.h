/* SPDX-License-Identifier: MIT */
/*
 * Whether kernels print: by the text that their program was built from, with what was included,
 * given as options and linked in, and else by the driver's binary of it. Kept while launches may
 * have to run again.
 */
#ifndef TACHO_INJECT_OPENCL_PRINTING_H
#define TACHO_INJECT_OPENCL_PRINTING_H

#include <stdbool.h>
#include <stdint.h>

#include "inject/opencl/binary.h"

/* A program came to be, perhaps with the handle of another one that is gone. */
void tacho__printing_new(void *program, bool has_source);
/* It was built or compiled, and may have included these headers by these names. */
void tacho__printing_built(void *program, const char *options, uint32_t header_count,
			   void *const *headers, const char *const *names);
/* It was linked from these. */
void tacho__printing_linked(void *program, uint32_t count, void *const *inputs);

/* Of a built program; may ask the driver for its binary. */
enum tacho__prints tacho__printing_of(void *program, void *device, const char *kernel);

#endif
