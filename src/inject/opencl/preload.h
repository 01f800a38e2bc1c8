/* SPDX-License-Identifier: MIT */
/* The way in before the loader: entry points under OpenCL's own names (opencl_preload.c). */
#ifndef TACHO_INJECT_OPENCL_PRELOAD_H
#define TACHO_INJECT_OPENCL_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the loader's functions when that was not done; whether function `index` is there. */
bool tacho__opencl_preload_target(size_t index);

/* Whether this process was entered this way. */
bool tacho__opencl_is_preloaded(void);

/* Names of the dispatch table's slots, NULL for placeholders. */
extern const char *const tacho__opencl_dispatch_names[];

#endif
