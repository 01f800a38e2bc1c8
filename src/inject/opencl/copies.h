/* SPDX-License-Identifier: MIT */
/* Copying what a launch may change, on its queue, and bringing it back. All wait for their end. */
#ifndef TACHO_INJECT_OPENCL_COPIES_H
#define TACHO_INJECT_OPENCL_COPIES_H

#include "inject/opencl/cl_replay.h"

/* Fills all copies; false when the device refused. */
bool tacho__copies_keep(struct tacho__replay *replay);
/*
 * Brings each copy back that its memory has never taken before, while both are the same: what fails
 * here does no harm. False when one fails.
 */
bool tacho__copies_try(const struct tacho__replay *replay);
/*
 * Brings all back, after a run. What the device refuses is tried once more, and then through the
 * host's memory, where it is no shared virtual memory; and when other memory is back already, again
 * and again for replay->patience_ns.
 */
enum tacho__restored tacho__copies_bring_back(const struct tacho__replay *replay);

#endif
