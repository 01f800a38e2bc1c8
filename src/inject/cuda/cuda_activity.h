/* SPDX-License-Identifier: MIT */
/*
 * What devices have done: libcupti fills buffers of ours with records and hands them back, on a
 * thread of its own or on whichever asks for them. The buffers are all there is: when none is free
 * libcupti gets none, drops records, and says how many.
 *
 * A thread asks for what is complete a few times a second, so that what a device has done is out of
 * the process soon, should that be killed.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_ACTIVITY_H
#define TACHO_INJECT_CUDA_CUDA_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

/* NULL, or what is missing and what to do: a sentence, static. *out_status: libcupti's, or 0. */
const char *tacho__cuda_activity_start(int *out_status);

/* Asks for what is complete, now. */
void tacho__cuda_activity_flush(void);

/*
 * The program has waited for a device: there is likely something to ask for. `since`: what was
 * given to a device before this tick has ended; 0: that is not known.
 */
void tacho__cuda_activity_wait_ended(uint64_t since);

/* The end: asks for all there is. False: times did not come of work that has ended. */
bool tacho__cuda_activity_finish(void);

#endif
