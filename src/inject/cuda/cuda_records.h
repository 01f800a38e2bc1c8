/* SPDX-License-Identifier: MIT */
/*
 * Records of what devices have done, out of libcupti's buffers. They come late, in any order, and
 * larger with each version of CUDA. One that tells of a call's command gives it its times; all
 * others become calls that took no time, where their work was given to the device.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_RECORDS_H
#define TACHO_INJECT_CUDA_CUDA_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False: libcupti does not tell its time. */
bool tacho__cuda_records_start(void);

/* Takes all records of a buffer. From any thread. */
void tacho__cuda_records_take(void *context, uint32_t stream, uint8_t *buffer, size_t size);

/*
 * The end: asks how many records were dropped. What was given to a device before the tick has
 * ended: the times of that will not come. Returns of how many calls they are when libcupti dropped
 * none.
 */
uint32_t tacho__cuda_records_finish(uint64_t ended_before);

/*
 * Another API of this process records work of its own on these devices: what no call of CUDA is
 * known for may be that, and is left out.
 */
void tacho__cuda_records_share(void);

#endif
