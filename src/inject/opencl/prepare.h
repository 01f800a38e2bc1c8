/* SPDX-License-Identifier: MIT */
#ifndef TACHO_INJECT_OPENCL_PREPARE_H
#define TACHO_INJECT_OPENCL_PREPARE_H

#include "inject/inject.h"

/* OpenCL, as the launcher sees it. */
extern const struct tacho__injection tacho__injection_opencl;

#endif
