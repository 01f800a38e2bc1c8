/* SPDX-License-Identifier: MIT */
/* Callbacks of the program: what they launch must not wait for the device that calls them. */
#ifndef TACHO_INJECT_OPENCL_CALLBACKS_H
#define TACHO_INJECT_OPENCL_CALLBACKS_H

#include <stdbool.h>

/* Whether this thread is inside a callback for an event. */
bool tacho__opencl_is_in_callback(void);

#endif
