/* SPDX-License-Identifier: MIT */
/*
 * What counting has in a process: what is to be counted and which launches, the device, and the
 * session that goes on from launch to launch. counting.c and counting_held.c count with it.
 */
#ifndef TACHO_INJECT_COUNTING_ENGINE_H
#define TACHO_INJECT_COUNTING_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "inject/counting_rows.h"
#include "inject/counting_select.h"
#include "tacho/session.h"
#include "tacho/sim.h"
#include "tacho/sys/counting.h"

struct tacho__count_engine {
	atomic_bool is_on;
	atomic_bool is_subscribed; /* launches are held for it */
	pid_t pid;
	struct tacho_counting *counting;
	struct tacho__selection selection;
	uint64_t timeout_ns;
	bool has_begun;
	atomic_int recorded_fork; /* the process of which it was told that it is a fork */

	pthread_mutex_t lock; /* of what follows */
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;	   /* that goes on from launch to launch; NULL: none yet */
	struct tacho_sim_kernels *kernels; /* of a simulated device */
	struct tacho__row_writer writer;
};

extern struct tacho__count_engine tacho__count_engine;

/* Once per process. What goes wrong ends counting. */
void tacho__count_engine_start(void);

/* Else readers work everything out, and need to know which launches were selected. */
bool tacho__count_engine_counts(void);
/* Whether launches will have to be run again. */
bool tacho__count_engine_replays(void);

/* Sessions and what the kernel counts belong to the process that opened them. It is told once. */
bool tacho__count_engine_is_fork(void);

/* No launch of this process is counted any more; readers find out why. Again: nothing. */
void tacho__count_engine_give_up(const char *cure, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same, with the last error. */
void tacho__count_engine_give_up_by_error(void);

/* A row without values, so that rows are launches. `thread` is the one that launched. No lock. */
void tacho__count_engine_tell_empty(uint64_t start, uint32_t thread, const char *why);

/* ---- under the lock ---- */

int tacho__count_engine_create_session(uint32_t replay, struct tacho_session **out_session);
/* Makes the session that goes on, unless it is there. */
int tacho__count_engine_open_session(void);
int tacho__count_engine_begin_range(struct tacho_session *session, const char *name,
				    tacho_range *out_range);
/* Work of the simulated device. */
int tacho__count_engine_simulate(const char *name, const uint64_t grid[3],
				 const uint32_t workgroup[3]);
/* Takes the session's row, and tells it when there is an `info`. */
int tacho__count_engine_take_row(struct tacho_session *session, const struct tacho__row_info *info);

#endif
