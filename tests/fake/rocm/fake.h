/* SPDX-License-Identifier: MIT */
/*
 * A librocprofiler-sdk.so.1 for tests, written from the documented behaviour of AMD's 1.0: it loads
 * tools, checks every argument that they give, and serves a machine with one MI210 whose kernels do
 * what the fake program says. What it does not like it counts and prints: "fake: MISUSE: ...".
 *
 * FAKE_ROCM holds faults, blanks between:
 *   fail=FUNCTION:STATUS  the function (without "rocprofiler_") answers with this number
 *   drop=N                buffers drop every N-th record and say so
 *   shuffle               records leave a buffer in the reverse order
 *   late=MS               values and records come so much later
 *   silent=N              no values for every N-th dispatch that is counted
 *   short=NAME            the last instance of this counter has no value
 *   twice=NAME            its first instance has two
 *   beyond=NAME           one of its instances lies outside of its dimensions
 *   negative=NAME         one of its values is negative
 *   foreign               values of a counter that nobody asked for
 *   future                kernels end after their records were made
 *   hide=NAME             there is no such counter
 *   busy=N                a buffer cannot be flushed N times, because it is being delivered
 */
#ifndef TESTS_FAKE_ROCM_FAKE_H
#define TESTS_FAKE_ROCM_FAKE_H

#include <stdint.h>

#define FAKE_API __attribute__((visibility("default")))

enum { FAKE_NODE_CPU = 0, FAKE_NODE_GPU = 1, FAKE_AGENT_BASE = 0x7f000 };

/* What AMD's runtimes do: the program's side. */

/* The runtime comes up and loads the library's tools. */
FAKE_API void fake_start(void);
/* A code object with these kernels is loaded; their ids are 1, 2, ... in the order of all. */
FAKE_API void fake_load(const char *const *names, uint32_t count);

/* A call of an API: kinds and operations of rocprofiler_buffer_tracing_kind_t. */
struct fake_call {
	uint32_t kind;
	int32_t operation;
	uint64_t correlation, start_ns;
};
FAKE_API void fake_call_begin(struct fake_call *call, uint32_t kind, int32_t operation);
FAKE_API void fake_call_end(struct fake_call *call);

struct fake_dispatch {
	uint64_t kernel, queue;
	uint32_t grid[3], workgroup[3];
	uint64_t duration_ns; /* it takes at least so long, in the calling thread */
	/* out */
	uint64_t id, start_ns, end_ns;
};
/* Launches a kernel, runs it and tells of it. */
FAKE_API void fake_dispatch(struct fake_dispatch *dispatch);
/* 2 to the device, 3 from it; it takes no time but that of its record. */
FAKE_API void fake_copy(uint32_t operation, uint64_t bytes);

/* The library ends: tools are finalized. How often it was misused. */
FAKE_API uint32_t fake_finish(void);

/* The value of an instance of the n-th counter (from 0) in the n-th counted dispatch (from 1). */
static inline uint64_t fake_value(uint32_t counter, uint64_t dispatch, uint32_t instance)
{
	return (counter + 1) * UINT64_C(1000) * dispatch + instance;
}

/* ---- inside ---- */

void fake_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Whether FAKE_ROCM has the word; "name=": what stands behind it, else NULL. */
int fake_has(const char *word);
const char *fake_get(const char *name);
/* The status that the environment asks for, 0 for none. */
int fake_fails(const char *function);
uint64_t fake_now(void);

/* Configured and not yet locked; says so when it is not. */
int fake_is_open(const char *function);

/* fake_counters.c: values of a counted dispatch, in `room` records; how many. */
struct fake_record {
	uint64_t id;
	double value;
};
uint32_t fake_count(uint64_t config, uint64_t dispatch, struct fake_record *records, uint32_t room);
int fake_is_config(uint64_t config);

#endif
