/* SPDX-License-Identifier: MIT */
/* Whether a module of SPIR-V prints (the SPIR-V specification 1.6, OpenCL.std). Trusts no byte. */
#ifndef TACHO_INJECT_OPENCL_SPIRV_H
#define TACHO_INJECT_OPENCL_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tacho__spirv {
	bool prints;	 /* some function of it does */
	bool has_kernel; /* of the name that was asked for */
	size_t size;	 /* bytes */
};

/* Whether a module in this machine's byte order begins there. */
bool tacho__spirv_is(const uint8_t *bytes, size_t size);

/* Reads the module that `bytes` begin with; other things may follow it. False: it is malformed. */
bool tacho__spirv_read(const uint8_t *bytes, size_t size, const char *kernel,
		       struct tacho__spirv *out_spirv);

#endif
