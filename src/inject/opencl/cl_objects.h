/* SPDX-License-Identifier: MIT */
/* What the files of the layer share. The generated opencl_api.h declares the rest. */
#ifndef TACHO_INJECT_OPENCL_CL_OBJECTS_H
#define TACHO_INJECT_OPENCL_CL_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/* objects.c: the local memory of a work-group of the kernel, as its arguments are; 0: unknown. */
uint64_t tacho__opencl_local_bytes(void *kernel);

/* queues.c: whether the queue has profiling only because of us. */
bool tacho__opencl_queue_is_forced(void *queue);
bool tacho__opencl_any_queue_is_forced(void);

/* programs.c: reports build logs and binaries when the user asked to keep them. */
void tacho__opencl_keep_program(void *program);
/* A handle is a new program's: nothing of it was kept. */
void tacho__opencl_new_program(void *program);
/* Before a kernel of it is made: keeps what a build in the background left. */
void tacho__opencl_keep_program_once(void *program);

#endif
