/* SPDX-License-Identifier: MIT */
/* Names of kernels, and the kernels that have them. */
#ifndef TACHO_INJECT_CUDA_CUDA_NAMES_H
#define TACHO_INJECT_CUDA_CUDA_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The name as its author wrote it, where the program has a C++ library that can tell: this one
 * needs none. Owned: free(). NULL: it stays as it is.
 */
char *tacho__cuda_demangle(const char *symbol);

/* Mangled names -> handles in the recording; without locks. What does not fit is not known. */
void tacho__cuda_name_set(const char *symbol, uint64_t handle);
/* 0: none. */
uint64_t tacho__cuda_name_get(const char *symbol);

#endif
