/* SPDX-License-Identifier: MIT */
/*
 * A device for tests of sessions, whose values can be worked out by hand: a range in which n was
 * worked counts e x n of the counter with the event e, (i + 1) x n at instance i of S1, and n at
 * instance n % 6 of S2. Began and Ended count n. Fakes take what they need of it.
 */
#ifndef TACHO_TOY_DEVICE_H
#define TACHO_TOY_DEVICE_H

#include "backend/collection.h"
#include "catalog/arch.h"
#include "session/session.h"

enum { TOY_RANGES = 4096, TOY_BATCH = 32, TOY_COUNTERS = 8, TOY_INSTANCES = 6 };

struct toy_range {
	uint64_t key, parent, work;
	uint32_t pass;
	uint8_t is_open, is_due; /* ended and not delivered */
};

/* How the device is and behaves; tests set it before they open it. */
struct toy {
	struct tacho__device_traits traits; /* without the architecture */
	int is_shared;	 /* ranges of several threads: those of pipelined passes may overlap */
	int is_async;	 /* values come when toy_flush() or drain() is called */
	int sums_itself; /* instances that nobody keeps are added up by the device */
	int loses_every; /* values of every n-th range never come; 0: none */
	int fails_pass_begin, fails_pass_end; /* codes to return; 0: all is well */
	int fails_range_begin, fails_range_end, fails_check;
};

extern struct toy toy;

struct toy_device {
	struct tacho_device base;
	struct tacho_catalog *catalog;
};

struct toy_collection {
	struct tacho__collection base; /* its lock is that of all below */
	uint32_t pass;
	uint32_t passes_begun, passes_ended;
	int has_pass, is_over;
	struct toy_range ranges[TOY_RANGES];
	size_t range_count;
	uint64_t ended;
	pthread_t thread; /* of fakes that deliver on one */
};

/* A row to deliver. `about`: the device began it, and there is no key. */
struct toy_row {
	uint64_t key, work;
	const struct tacho_row *row;
};

/* The functions of a backend; a fake takes them or its own. */
int toy_probe(struct tacho_probe *probe, struct tacho_probe_backend *backend_info);
int toy_open(const struct tacho_probe *probe, size_t index, const struct tacho_catalog *catalog,
	     struct tacho_device **out_device);
void toy_close(struct tacho_device *device);
int toy_check_pass(struct tacho_device *device, const struct tacho_plan *plan, size_t pass);
int toy_begin(struct tacho_device *device, const struct tacho__collection_options *options,
	      struct tacho__collection **out_collection);
int toy_pass_begin(struct tacho__collection *collection, uint32_t pass);
int toy_pass_end(struct tacho__collection *collection);
int toy_range_begin(struct tacho__collection *collection, uint64_t key, uint64_t parent);
int toy_range_end(struct tacho__collection *collection, uint64_t key);
int toy_drain(struct tacho__collection *collection, uint64_t timeout_ns);
void toy_end(struct tacho__collection *collection);

/* All of these. */
extern const struct tacho__backend toy_backend;

/* Delivers up to TOY_BATCH rows of a pass. */
int toy_deliver(struct tacho__collection *collection, uint32_t pass, const struct toy_row *rows,
		size_t count, uint64_t lost_rows);
/* Delivers what is due, one batch each. */
int toy_flush(struct tacho__collection *collection);
/* Work in all ranges that are open, or in one and those around it. */
void toy_work(struct tacho_session *session, uint64_t amount);
void toy_work_in(struct tacho_session *session, uint64_t key, uint64_t amount);

/* A device that is open, with a plan for a list of names. */
struct bench {
	const struct tacho__backend *table[2];
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
};

/* Opens the first device of a backend. Fails the test when it cannot. */
void bench_open(struct bench *bench, const struct tacho__backend *backend);
/*
 * Plans names with commas between; "NAME!" keeps instances, "NAME:serialized" and "NAME:pipelined"
 * are in these modes. Returns what planning said.
 */
int bench_plan(struct bench *bench, const char *names, const struct tacho_plan_options *options);
void bench_close(struct bench *bench);

/* The value and state at a row of a column; fails the test when there is no such column. */
double value_of(const struct tacho_result *result, const char *column, size_t row);
uint8_t state_of(const struct tacho_result *result, const char *column, size_t row);

#endif
