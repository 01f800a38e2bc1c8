/* SPDX-License-Identifier: MIT */
/* Watching commands end. */
#ifndef TACHO_INJECT_OPENCL_EVENTS_H
#define TACHO_INJECT_OPENCL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "intercept/intercept.h"

/*
 * Has the device times of the command behind `event` told to `token` when it ends. `owned`: the
 * event is ours, because the program wanted none; it is released in any case. token NULL: nobody
 * wants the times.
 */
void tacho__opencl_watch(void *token, void *event, bool owned);

/* Whether the driver says so now; then *out_status is 0, or below it the command's error. */
bool tacho__opencl_has_ended(void *event, int32_t *out_status);

/* The device times of a command that has ended with this status. */
struct tacho__times tacho__opencl_times_of(void *event, int32_t status);

#endif
