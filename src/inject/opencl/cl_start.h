/* SPDX-License-Identifier: MIT */
/* Starting to record OpenCL, or to count, in this process, on whichever way we came in. */
#ifndef TACHO_INJECT_OPENCL_CL_START_H
#define TACHO_INJECT_OPENCL_CL_START_H

#include <stdbool.h>

/*
 * Starts recording when the environment asks for it and tells which loader is in use, by a
 * function of it; has a face started when it asks for that. The target table must be filled.
 * Returns whether this process does either.
 */
bool tacho__opencl_start(const void *loader_function);

/* Whether `function` lies in the loader's own library. */
bool tacho__opencl_is_loaders(const void *function);

/* Whether the user wants build logs and binaries kept. */
bool tacho__opencl_keeps_programs(void);

#endif
