/* SPDX-License-Identifier: MIT */
/* A recording made of C tables: reading functions for tests that know every value beforehand. */
#ifndef FAKE_RECORDING_H
#define FAKE_RECORDING_H

#include "tacho/recording.h"

enum { FAKE_ARGUMENTS_MAX = 12, FAKE_ATTRIBUTES_MAX = 12 };

struct fake_value {
	union {
		uint64_t u64;
		double f64;
	} data;
	uint8_t state;
	const char *note;
	double coverage;
};

/* The row of a command: a value for each of the first counters, or of their instances. */
struct fake_row {
	const struct fake_value *values;
	size_t count;
	uint32_t is_counted, is_unmatched;
	uint64_t passes;
	const char *note;
};

/* A call; the reading functions fill in what it points to. */
struct fake_call {
	struct tacho_call call;
	const char *names[FAKE_ARGUMENTS_MAX]; /* of arguments, NULL at the end */
	const char *arguments[FAKE_ARGUMENTS_MAX];
	size_t objects; /* that are known when it is read; 0: all */
	const struct fake_row *values;
};

struct fake_object {
	struct tacho_object object;
	struct {
		const char *key, *value;
	} attributes[FAKE_ATTRIBUTES_MAX];
};

/* A range that ended before that call did: it is delivered with it; behind the last call else. */
struct fake_range {
	const struct tacho_named_range *range;
	size_t before;
};

/* The same for a window. */
struct fake_window {
	const struct tacho_window *window;
	size_t before;
};

/* The same for what a process told of a device's memory. */
struct fake_memory {
	const struct tacho_object *device;
	uint64_t time_ns;
	struct tacho_device_memory memory;
	size_t before;
};

struct fake_thread {
	uint32_t id;
	const char *name;
};

/* What tacho_cursor_open() gives out; a recording pointer is one of these. */
struct fake_recording {
	struct tacho_run run;
	const struct tacho_process *processes;
	size_t process_count;
	const struct fake_call *calls;
	size_t call_count;
	const struct fake_object *const *objects;
	size_t object_count;
	const struct fake_thread *threads; /* ends with id 0; may be NULL */
	const struct tacho_blob *blobs;
	size_t blob_count;
	const struct fake_range *ranges; /* in the order in which they are delivered */
	size_t range_count;
	const struct tacho_sampling *samplings; /* ends without a device; may be NULL */
	const struct fake_window *windows;	/* in the order in which they are delivered */
	size_t window_count;
	const struct fake_memory *memory; /* the same */
	size_t memory_count;
	const struct tacho_entry *counters;	  /* ends without a name; may be NULL */
	const struct tacho_column *const *shapes; /* of counters; may be NULL */
	const struct tacho_recorded_counting *counting;
	struct tacho_matching matching;
	struct tacho_losses losses;
	const struct tacho_fault *faults;	      /* ends without a text; may be NULL */
	const struct tacho_machine_fact *facts;	      /* ends without a name; may be NULL */
	const struct tacho_thread_time *thread_times; /* ends without a process; may be NULL */
	const struct tacho_bound *bounds;	      /* ends without a function; may be NULL */
	uint64_t repeat; /* read the calls that many times, shifted by shift_ns each; 0: once */
	uint64_t shift_ns;
};

struct tacho_recording *fake_recording(struct fake_recording *recording);

#endif
