/* SPDX-License-Identifier: MIT */
/* Work that windows of time have still to share out. */
#ifndef TACHO_BACKEND_SIM_SIM_PENDING_H
#define TACHO_BACKEND_SIM_SIM_PENDING_H

#include "backend/sim/sim_presence.h"

/* A piece of work during which the device did not stand still. Sums are of `value_count`. */
struct tacho__sim_pending {
	uint64_t begin_ns, end_ns, added_ns;
	uint64_t still_ns; /* how long the device stands still behind it, with more to come */
	int64_t *events;   /* what does not depend on time: over all of it */
	int64_t *times;	   /* what does: over its last added_ns */
	uint8_t is_cut;	   /* the next piece is of the same work */
	struct tacho__sim_pending *next;
};

/* Pieces in any order. {0}: none. */
struct tacho__sim_pendings {
	struct tacho__sim_pending *first;
	size_t value_count;
};

/* Adds work; takes the sums over, but not when it fails: NOMEM. */
int tacho__sim_pendings_add(struct tacho__sim_pendings *pendings,
			    const struct tacho__sim_pending *pending);
/* Frees what ended before a time. */
void tacho__sim_pendings_drop(struct tacho__sim_pendings *pendings, uint64_t before_ns);

/* Adds what lies in from ... to. */
void tacho__sim_pendings_share(const struct tacho__sim_pendings *pendings, uint64_t from,
			       uint64_t to, int64_t *sums);
/* For how long it keeps the device busy there. */
uint64_t tacho__sim_pendings_get_busy_ns(const struct tacho__sim_pendings *pendings, uint64_t from,
					 uint64_t to);
/* When it is on the device there, standing still or not. NOMEM. */
int tacho__sim_pendings_find(const struct tacho__sim_pendings *pendings, uint64_t from, uint64_t to,
			     struct tacho__sim_presence *presence);

/* The device stands still for by_ns from at_ns on. NOMEM: nothing has changed. */
int tacho__sim_pendings_delay(struct tacho__sim_pendings *pendings, uint64_t at_ns, uint64_t by_ns);

#endif
