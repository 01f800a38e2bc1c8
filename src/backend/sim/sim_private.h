/* SPDX-License-Identifier: MIT */
/* The parts of a simulated device. docs/sim.md has the model. */
#ifndef TACHO_BACKEND_SIM_SIM_PRIVATE_H
#define TACHO_BACKEND_SIM_SIM_PRIVATE_H

#include "backend/sim/sim_spec.h"
#include "backend/sim/oa.h"
#include "backend/sim/sim_rules.h"
#include "backend/sim/sim_work.h"
#include "backend/collection.h"

/* Work on the device's timeline. Times are ns of the device's clock. */
struct tacho__sim_item {
	struct tacho__sim_work work;
	uint64_t handle;
	uint64_t begin_ns, end_ns;
	/* How much longer the device is busy because of it: its end less that of all before. */
	uint64_t added_ns;
	tacho_range range;
};

/* Another process's work, again and again. */
struct tacho__sim_background {
	struct tacho__sim_work work;
	uint64_t begin_ns, end_ns;	    /* UINT64_MAX: it goes on */
	struct tacho__sim_background *next; /* older */
};

enum { TACHO__SIM_TIMES = 1024, TACHO__SIM_QUEUES = 64 };

/* The end of the device's clock: 104 days. */
static const uint64_t tacho__sim_end_ns = UINT64_C(1) << 53;

struct tacho__sim_device {
	struct tacho_device base;
	struct tacho__arena arena;
	struct tacho__sim_spec spec;
	struct tacho_catalog
		*own_catalog; /* of the file's definitions; NULL: the context's is it */
	const struct tacho_arch *arch;
	struct tacho_model model; /* the architecture's, with what the device's file adds */
	struct tacho__sim_rules rules;
	struct tacho__sim_oa *oa; /* of Intel's GPUs; NULL: it has none */

	pthread_mutex_t lock; /* of all below; held while values are delivered */
	uint64_t now_ns;
	uint64_t busy_until_ns; /* the last end of any work */
	uint64_t queue_ends_ns[TACHO__SIM_QUEUES];
	tacho_range last_range; /* of the work that came last */
	uint64_t handle;	/* last one given */
	struct {
		uint64_t begin_ns, end_ns;
	} times[TACHO__SIM_TIMES];		  /* of the last works, by handle */
	struct tacho__sim_background *background; /* the newest first */
	uint32_t fault;
	uint64_t fault_number;
	uint8_t is_gone;
	struct tacho__sim_collection *collection; /* whose pass is open */
};

/* timeline.c: under the lock. */
/* The device's time as ranges see it: when all that was submitted so far is done. */
uint64_t tacho__sim_front(const struct tacho__sim_device *device);
/* Waits until the device is idle. */
void tacho__sim_idle(struct tacho__sim_device *device);
/* Places work. `alone`: not before all others are done. */
void tacho__sim_place(struct tacho__sim_device *device, struct tacho__sim_item *item,
		      uint32_t queue, int alone);
/* All that is not done yet, or has not begun, is later. */
void tacho__sim_delay(struct tacho__sim_device *device, uint64_t by_ns);
/* LOST when the device is gone. */
int tacho__sim_check_gone(const struct tacho__sim_device *device);
/* Makes it so, and says so to the collection whose pass is open. */
void tacho__sim_vanish(struct tacho__sim_device *device);

/* collect.c: under the lock. */
/* The work counts in the ranges and windows of the pass that is open. */
int tacho__sim_collect(struct tacho__sim_collection *collection, const struct tacho__sim_item *item,
		       int is_row);
/* Windows that are over are delivered. */
int tacho__sim_collect_windows(struct tacho__sim_collection *collection);
/* Ranges that were ended, and that the device is done with by then, are delivered. */
int tacho__sim_collect_ranges(struct tacho__sim_collection *collection, uint64_t until_ns);
/* The device is about to stand still. NOMEM: nothing has changed. */
int tacho__sim_collect_delay(struct tacho__sim_collection *collection, uint64_t by_ns);
/* Whether its mode lets work of different ranges overlap. */
int tacho__sim_is_pipelined(const struct tacho__sim_collection *collection);
/* The device is gone. */
void tacho__sim_collect_end(struct tacho__sim_collection *collection);

int tacho__sim_begin(struct tacho_device *device, const struct tacho__collection_options *options,
		     struct tacho__collection **out_collection);
int tacho__sim_pass_begin(struct tacho__collection *collection, uint32_t pass);
int tacho__sim_pass_end(struct tacho__collection *collection);
int tacho__sim_range_begin(struct tacho__collection *collection, uint64_t key, uint64_t parent);
int tacho__sim_range_end(struct tacho__collection *collection, uint64_t key);
int tacho__sim_drain(struct tacho__collection *collection, uint64_t timeout_ns);
void tacho__sim_end(struct tacho__collection *collection);

#endif
