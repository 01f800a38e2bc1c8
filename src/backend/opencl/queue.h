/* SPDX-License-Identifier: MIT */
/* Counting on a command queue that the program has made: how long its work takes. */
#ifndef TACHO_BACKEND_OPENCL_QUEUE_H
#define TACHO_BACKEND_OPENCL_QUEUE_H

#include "backend/backend.h"

/*
 * "opencl_queue": its one device is the queue in the handle of the context, with the architecture
 * "any" under the API "cl". It keeps the queue alive as long as it is open.
 */
extern const struct tacho__backend tacho__backend_opencl_queue;

#endif
