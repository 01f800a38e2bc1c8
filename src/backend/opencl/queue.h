/* SPDX-License-Identifier: MIT */
/* Counting on a command queue that the program has made. */
#ifndef TACHO_BACKEND_OPENCL_QUEUE_H
#define TACHO_BACKEND_OPENCL_QUEUE_H

#include "backend/backend.h"

/*
 * "opencl_queue": its one device is the queue in the handle of the context, under the API "cl". The
 * architecture is the GPU's where its hardware counters can be counted, else "any". It keeps the
 * queue alive as long as it is open.
 */
extern const struct tacho__backend tacho__backend_opencl_queue;

#endif
