/* SPDX-License-Identifier: MIT */
/* Everything from the context of tacho to a session of the backend "gl" on gl_fake. */
#ifndef GL_BENCH_H
#define GL_BENCH_H

#include "gl_fake.h"
#include "tacho/session.h"

#define SECOND_NS UINT64_C(1000000000)

/* Everything from the context of tacho to a session. */
struct gl_bench {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *result;
	size_t pass_count;
};

extern struct gl_bench run;
int setup(void **state);
void close_session(void);

/* Nothing of ours remains, and the driver had no reason to complain. */
int teardown(void **state);

int try_device(void);

/* A list as the command takes it, "IAVertices:serialized"; 0 or why it cannot be planned. */
int try_plan(const char *list);

/* Names with a bar between. */
void make_plan(const char *names);

void make_session(const char *names);
/* Of what try_plan() planned. */
void begin_session(void);
void run_range(uint64_t id, uint64_t amount);

/* Two ranges in every pass, 10 and 3 units of work, with other work between. */
void run_all(void);

double get_value(const char *name, size_t row);

#endif
