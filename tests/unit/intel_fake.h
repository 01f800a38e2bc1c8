/* SPDX-License-Identifier: MIT */
/*
 * Intel's kernel drivers for tests: every argument is checked as Linux checks it (i915_perf.c,
 * xe_oa.c), and streams give the reports that a test puts into them.
 */
#ifndef INTEL_FAKE_H
#define INTEL_FAKE_H

#include <pthread.h>
#include <stdbool.h>

#include "backend/intel/intel_private.h"

enum { FAKE_QUEUE = 1 << 20, FAKE_CONFIGS = 8, FAKE_REGISTERS = 512 };

struct intel_fake {
	/* What it is; a test sets it before anything is opened. */
	enum tacho_oa_driver driver;
	bool is_paranoid, is_privileged;
	uint64_t max_rate_hz; /* of i915; 0: no limit */
	uint64_t timestamp_hz;
	int revision;		   /* of i915's interface */
	bool has_no_unit, is_held; /* by another program */
	int open_error;		   /* of the node */
	uint64_t clock_ticks;
	bool lies; /* answers are said to be longer than the room that was given */

	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool has_node, has_stream, is_enabled, is_gone;
	bool is_idle; /* the reader waits for more than was put */

	/* Sets that are known: the first is built in. */
	struct {
		bool is_there;
		char guid[37];
		uint32_t register_count;
	} configs[FAKE_CONFIGS];
	int configs_added, configs_removed;

	/* The stream. */
	uint64_t config, exponent;
	uint64_t format; /* of xe's */
	uint32_t report_size;
	uint8_t queue[FAKE_QUEUE];
	size_t at, size;
	size_t read_max;     /* at most so many bytes in a read; 0: as they fit */
	int read_error;	     /* of the next read, once */
	uint32_t xe_status;  /* bits that the next read reports by EIO */
	uint32_t properties; /* of i915's, bit n: number n was given */
	int opened, read_count;
	char complaint[128]; /* why an argument was refused last */
};

/* i915 on a Braswell with 16 EUs, or xe on a Lunar Lake with 2 cores of 8 EUs. */
void intel_fake_init(struct intel_fake *fake, enum tacho_oa_driver driver);
void intel_fake_finish(struct intel_fake *fake);

/* Its table. */
struct tacho__intel_system intel_fake_system(struct intel_fake *fake);

/* The table that these two functions of a backend open GPUs with. */
extern struct tacho__intel_system intel_fake_served;
int intel_fake_probe(struct tacho_probe *probe, struct tacho_probe_backend *backend_info);
int intel_fake_open(const struct tacho_probe *probe, size_t index,
		    const struct tacho_catalog *catalog, struct tacho_device **out_device);

/* A file of tests/data/intel. Valid until the next call. */
char *intel_fake_path(const char *name);

/* A report into the stream's buffer. */
void intel_fake_put(struct intel_fake *fake, const struct tacho_oa_format *format,
		    const struct tacho_oa_report *report);
/* A record of i915, with this body. */
void intel_fake_put_record(struct intel_fake *fake, uint32_t type, const void *bytes, size_t size);
/* Waits until all that was put was read and worked on: the reader waits for more. */
void intel_fake_wait(struct intel_fake *fake);
/* The GPU is pulled out. */
void intel_fake_unplug(struct intel_fake *fake);

#endif
