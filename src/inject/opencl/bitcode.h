/* SPDX-License-Identifier: MIT */
/*
 * The functions that LLVM bitcode defines or calls, by name, as LLVM 5 and newer write it
 * (llvm.org/docs/BitCodeFormat.html). Trusts no byte.
 */
#ifndef TACHO_INJECT_OPENCL_BITCODE_H
#define TACHO_INJECT_OPENCL_BITCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name, not ended by NUL. */
typedef void tacho__bitcode_fn(const char *name, size_t size, void *user);

/* Whether bitcode begins there. */
bool tacho__bitcode_is(const uint8_t *bytes, size_t size);

/*
 * Tells each function and alias of the bitcode that `bytes` begin with; other things may follow it.
 * False when it cannot be read: then some were not told. `*out_size`: the bytes that it takes.
 */
bool tacho__bitcode_functions(const uint8_t *bytes, size_t size, tacho__bitcode_fn *fn, void *user,
			      size_t *out_size);

#endif
