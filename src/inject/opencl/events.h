/* SPDX-License-Identifier: MIT */
/* Watching commands end. */
#ifndef TACHO_INJECT_OPENCL_EVENTS_H
#define TACHO_INJECT_OPENCL_EVENTS_H

#include <stdbool.h>

/*
 * Has the device times of the command behind `event` told to `token` when it ends. `owned`: the
 * event is ours, because the program wanted none; it is released in any case. token NULL: nobody
 * wants the times.
 */
void tacho__opencl_watch(void *token, void *event, bool owned);

#endif
