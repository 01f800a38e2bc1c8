/* SPDX-License-Identifier: MIT */
/* The driver behind the libOpenCL.so.1 of a test: a queue is one of these. */
#ifndef TACHO_TESTS_OPENCL_FAKE_H
#define TACHO_TESTS_OPENCL_FAKE_H

#include <stdint.h>

/* A hardware counter, as AMD's functions make it. */
struct opencl_fake_counter {
	struct opencl_fake *fake;
	uint64_t block, event, register_;
	int is_begun, is_ended;
};

struct opencl_fake {
	const char *version; /* CL_DEVICE_VERSION */
	uint64_t properties; /* of the queue */
	int32_t info_error, retain_error, enqueue_error;
	uint64_t now_ns; /* when the next marker ends */
	int32_t status;	 /* of all events; 0 is CL_COMPLETE, 1 CL_RUNNING */
	int queue_references, events, markers, barriers, flushes;

	uint64_t type;		  /* CL_DEVICE_TYPE */
	uint32_t vendor;	  /* CL_DEVICE_VENDOR_ID */
	const char *name, *board; /* NULL: "Fake", none */
	uint32_t units;		  /* compute units */
	int has_no_clock;	  /* it says that its timer has a resolution of 0 */
	uint32_t gfxip;		  /* CL_DEVICE_GFXIP_MAJOR_AMD; 0: not known */
	int calls_back; /* events call who asked to be called, though they are under way */
	int callbacks;	/* that were asked for */
	int32_t callback_error;
	void (*late)(void *event, int32_t status, void *user); /* that was not called */
	void *late_user;
	int has_counters;      /* AMD's functions are there */
	uint64_t denied_block; /* plus 1; 0: none */
	int32_t create_error, begin_error, end_error, data_error;
	uint32_t (*get_slots)(uint64_t block);
	uint64_t (*get_value)(uint64_t block, uint64_t event);
	int counters, created;	    /* objects that are alive; that were made in all */
	int begins, most, counting; /* commands; counters of the largest; of those that are begun */
};

#endif
