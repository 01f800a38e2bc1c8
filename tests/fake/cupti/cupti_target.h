/* SPDX-License-Identifier: MIT */
/*
 * libcupti in a program: what the files of the fake share that watch the fake driver.
 *
 * Words of FAKE_CUDA (tests/fake/cuda/fake_cuda.h) that are libcupti's:
 *   subscribed    another tool has subscribed: cuptiSubscribe() is refused with 39
 *   old_driver    the driver is older than CUPTI: calls are refused with 15
 *   late=MS       records come so much later, unless they are asked for with force
 *   order         records come backwards
 *   full=N        there is no room for each Nth record of work: it is dropped, and counted
 *   unknown       records of a kind that nobody knows are in between
 *   torn          a buffer ends in the middle of a record
 *   twice         each record comes twice
 *   own_clock     times are those of CLOCK_REALTIME, whatever clock the tool has registered
 *   slow_clock    after eight readings the clock takes 100 us to read, as when busy
 *   kernel9       records of kernels are those of CUPTI 12, 208 bytes long
 *   no_times      records have no times (0), as those of work that was not done have them
 *   backwards     records end before they begin
 *   device        kernels of graphs say that the device launched them
 */
#ifndef TESTS_FAKE_CUPTI_CUPTI_TARGET_H
#define TESTS_FAKE_CUPTI_CUPTI_TARGET_H

#include "../cuda/fake_cuda.h"
#include "cupti_types.h"

#define EXPORT __attribute__((visibility("default")))

enum {
	CUPTI_INVALID_PARAMETER = 1,
	CUPTI_INVALID_CONTEXT = 3,
	CUPTI_INVALID_OPERATION = 7,
	CUPTI_MAX_LIMIT_REACHED = 12,
	CUPTI_NOT_INITIALIZED = 15,
	CUPTI_QUEUE_EMPTY = 18,
	CUPTI_INVALID_STREAM = 20,
	CUPTI_INVALID_KIND = 21,
	CUPTI_NOT_SUPPORTED = 27,
	CUPTI_MULTIPLE_SUBSCRIBERS = 39,
};

/* The fake driver, with callbacks and activity hung into it; NULL: none, or too old. */
const struct fake_cuda_hooks *fake_cupti_attach(void);
/* The same, whatever its age; nothing is hung in. */
const struct fake_cuda_hooks *fake_cupti_driver(void);
/* cupti_activity.c: its observer, hung in once; ends all that is open. */
void fake_activity_observe(const struct fake_cuda_hooks *hooks);
void fake_activity_finish(void);

#endif
