/* SPDX-License-Identifier: MIT */
/* How often each kernel of the process was launched: by its name, whatever objects it had. */
#ifndef TACHO_INJECT_COUNTING_KERNELS_H
#define TACHO_INJECT_COUNTING_KERNELS_H

#include "inject/counting_select.h"

/*
 * Counts a launch of the kernel: its number, from 1. 0: there is no memory for a new kernel. From
 * any thread, without a lock; allocates for a name that is new.
 */
uint64_t tacho__counting_kernels_next(struct tacho__counted_kernel *kernel);

#endif
