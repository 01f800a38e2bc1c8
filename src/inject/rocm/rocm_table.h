/* SPDX-License-Identifier: MIT */
/*
 * The call table of a process that uses ROCm (record/calls.h): functions have the names that AMD's
 * library tells, so those of any version are recorded. What the GPU does of itself is in it as
 * functions that take no time.
 */
#ifndef TACHO_INJECT_ROCM_ROCM_TABLE_H
#define TACHO_INJECT_ROCM_ROCM_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { TACHO__ROCM_API = 2 };

/* What a device does; their functions are the first of the table, by these numbers. */
enum tacho__rocm_command {
	TACHO__ROCM_DISPATCH = 0,
	TACHO__ROCM_COPY, /* host to host; the next ones in the order of AMD's operations */
	TACHO__ROCM_COPY_TO_DEVICE,
	TACHO__ROCM_COPY_FROM_DEVICE,
	TACHO__ROCM_COPY_ON_DEVICE,
	TACHO__ROCM_COMMANDS,
};

/* Asks the library for its functions' names and makes the table. False: no memory. Once. */
bool tacho__rocm_table_make(void);

/* The number of a function; -1 when the table lacks it. */
int tacho__rocm_table_find(uint32_t kind, int32_t operation);

#endif
