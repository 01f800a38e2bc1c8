/* SPDX-License-Identifier: MIT */
/*
 * What libcupti calls on the program's threads: before and after each call of the driver and of the
 * runtime, and when contexts, streams and modules come and go. On these threads no lock is taken
 * and nothing allocated, but where a stream or function is met first.
 *
 * A call of the driver that the runtime makes is recorded when it gives work to a device or waits
 * for one: it is then a call of its own inside of the runtime's, and the work is its. All others of
 * these would say nothing that the runtime's call does not say.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_CALLBACKS_H
#define TACHO_INJECT_CUDA_CUDA_CALLBACKS_H

#include <stdint.h>

void tacho__cuda_on_callback(void *user, uint32_t domain, uint32_t id, const void *data);

/* From now on, in this process image and not in its forks, calls are recorded. */
void tacho__cuda_callbacks_start(void);

#endif
