/* SPDX-License-Identifier: MIT */
/*
 * Gates: how a launch is held back. The kernel waits for a user event of ours besides all that the
 * program wants it to wait for; a marker in front of it tells when that has ended. The thread that
 * launches never waits, and the program sees neither.
 */
#ifndef TACHO_INJECT_OPENCL_GATES_H
#define TACHO_INJECT_OPENCL_GATES_H

#include <stdbool.h>
#include <stdint.h>

#include "inject/opencl/cl_launches.h"
#include "intercept/launches.h"

/*
 * Enqueues a launch that somebody counts: true, with what the program is to get. False: nobody
 * does, and nothing was done.
 */
bool tacho__opencl_launch_gated(const struct tacho__opencl_launch *launch,
				const struct tacho__launch *told, int32_t *out_result);

#endif
