/* SPDX-License-Identifier: MIT */
/*
 * What can be counted on a command queue of the program: three ways, each of which is a backend's
 * part of its own. They take the queue from the handle of the probe. Where a part has nothing to do
 * with the queue's device, open() gives 0 and no unit.
 */
#ifndef TACHO_BACKEND_OPENCL_PARTS_H
#define TACHO_BACKEND_OPENCL_PARTS_H

#include "backend/backend.h"

/* queue.c: times between markers, on every device. */
extern const struct tacho__backend tacho__opencl_times;
/*
 * cpu.c: what Linux counts of this process while the queue works, on a CPU. A range begins and ends
 * when the queue has done all that was put on it.
 */
extern const struct tacho__backend tacho__opencl_cpu;
/* amd.c: hardware counters of AMD's GPUs, through functions of AMD's own runtime. */
extern const struct tacho__backend tacho__opencl_amd;

#endif
