/* SPDX-License-Identifier: MIT */
/* What a driver's binary of a program tells of its printing. Trusts no byte. */
#ifndef TACHO_INJECT_OPENCL_BINARY_H
#define TACHO_INJECT_OPENCL_BINARY_H

#include <stddef.h>
#include <stdint.h>

enum tacho__prints {
	TACHO__PRINTS_PERHAPS, /* nobody can tell */
	TACHO__PRINTS_NEVER,
	TACHO__PRINTS,
};

/*
 * Whether some kernel of the program can print. Read are LLVM bitcode (PoCL, oclgrind; also inside
 * of containers), SPIR-V (rusticl, Intel, clCreateProgramWithIL), PTX (NVIDIA) and AMD's code
 * objects. That it never prints is only said of a binary that has `kernel`; NULL: of any.
 */
enum tacho__prints tacho__binary_prints(const void *bytes, size_t size, const char *kernel);

#endif
