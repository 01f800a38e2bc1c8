/* SPDX-License-Identifier: MIT */
/* A simulated device with one session on it, through the public functions. */
#ifndef TACHO_TESTS_SIM_WORLD_H
#define TACHO_TESTS_SIM_WORLD_H

#include "tacho/sim.h"

#define NAMES(...)   ((const char *const[]){__VA_ARGS__, NULL})
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* 1024 waves: 65536 items in groups of 256. And 100 triangles to 2 targets. */
extern const struct tacho_sim_work kernel, draw;

struct world {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *result;
	const char *definitions; /* a file, or NULL */
	struct tacho_session_options options;
	uint32_t mode; /* of all entries */
	uint32_t keeps_instances;
};

/* Fails the test when it does not succeed. */
void world_open(struct world *world, const char *backends);
/* A session for these names, which end with NULL. */
void world_begin(struct world *world, const char *const *names);
/* The same for all counters or metrics; those that cannot be counted are left out. */
size_t world_begin_all(struct world *world, enum tacho_entry_kind kind);
/* Runs the works in one range in every pass; takes the result. */
void world_run(struct world *world, const struct tacho_sim_work *works, size_t count);
/* Ends the session; the unit stays open. */
void world_end(struct world *world);
void world_close(struct world *world);

/* The value of a column, whose state must be ok. */
double world_get(const struct world *world, const char *name, size_t row, size_t instance);
uint8_t world_get_state(const struct world *world, const char *name, size_t row, size_t instance);

#endif
