/* SPDX-License-Identifier: MIT */
/* A session on a command queue of the driver that is made here, for one test at a time. */
#ifndef TACHO_TESTS_OPENCL_BENCH_H
#define TACHO_TESTS_OPENCL_BENCH_H

#include "opencl_fake.h"
#include "tacho/session.h"

enum { PROFILING = 2, OUT_OF_ORDER = 1 }; /* properties of queues */

extern struct opencl_fake fake;
extern struct tacho_context *context;
extern struct tacho_device *device;
extern struct tacho_config *config;
extern struct tacho_plan *plan;
extern struct tacho_session *session;

/* A set-up of cmocka's: a driver as most are. */
int reset(void **state);
/* What opening the device says; when it is not 0, nothing remains. */
int open_queue(void);
/* A device of AMD's with counters, four of each block. */
void open_amd(void);
/* The plan of a list on the queue that is open; what making it says. */
int plan_list(const char *list);
/* A session in its first pass, on a device whose commands are under way until they are waited for.
 */
void begin_list(const char *list);
/* A range between two moments of the driver's clock. */
void add_range(uint64_t begin_ns, uint64_t end_ns);
/* The result of a pass whose commands are done. */
struct tacho_result *take_result(void);
void assert_value(const struct tacho_result *result, const char *name, size_t row, double value);
/* Closes all, and nothing of ours remains at the driver. */
void finish(void);

#endif
