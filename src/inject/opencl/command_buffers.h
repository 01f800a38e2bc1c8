/* SPDX-License-Identifier: MIT */
/*
 * Command buffers: what is recorded into them is told as templates (intercept.h), each state with a
 * version of its own. Nothing of a command buffer is kept here but that and its number of commands.
 */
#ifndef TACHO_INJECT_OPENCL_COMMAND_BUFFERS_H
#define TACHO_INJECT_OPENCL_COMMAND_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

/* The queue that an execution is given to first, NULL when it is not known. */
void *tacho__opencl_find_buffer_queue(uint32_t num_queues, void *const *queues,
				      void *command_buffer);

/* False when an execution runs on several queues, or on how many is not known. */
bool tacho__opencl_buffer_has_one_queue(uint32_t num_queues, void *command_buffer);

#endif
