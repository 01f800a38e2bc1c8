/* SPDX-License-Identifier: MIT */
/* The driver behind the libOpenCL.so.1 of a test: a queue is one of these. */
#ifndef TACHO_TESTS_OPENCL_FAKE_H
#define TACHO_TESTS_OPENCL_FAKE_H

#include <stdint.h>

struct opencl_fake {
	const char *version; /* CL_DEVICE_VERSION */
	uint64_t properties; /* of the queue */
	int32_t info_error, retain_error, enqueue_error;
	uint64_t now_ns; /* when the next marker ends */
	int32_t status;	 /* of all events; 0 is CL_COMPLETE, 1 CL_RUNNING */
	int queue_references, events, markers, barriers, flushes;
};

#endif
