/* SPDX-License-Identifier: MIT */
/* When work was on the device: the union of its times, however much of it ran at once. */
#ifndef TACHO_BACKEND_SIM_SIM_PRESENCE_H
#define TACHO_BACKEND_SIM_SIM_PRESENCE_H

#include <stddef.h>
#include <stdint.h>

struct tacho__sim_part {
	uint64_t begin_ns, end_ns;
};

/* {0}: nothing yet. */
struct tacho__sim_presence {
	uint8_t has_work;
	uint64_t begin_ns, end_ns;     /* the first begin and the last end, when it has work */
	uint64_t past_ns;	       /* in parts that cannot grow any more */
	struct tacho__sim_part *parts; /* in order, with gaps between them */
	size_t count, capacity;
};

/* Makes room for one more work. NOMEM. */
int tacho__sim_presence_reserve(struct tacho__sim_presence *presence);
/* Adds work, for which room was made. What comes later begins at now_ns or later, too. */
void tacho__sim_presence_add(struct tacho__sim_presence *presence, uint64_t begin_ns,
			     uint64_t end_ns, uint64_t now_ns);
/* All that lies behind a moment comes later: what goes on there lasts longer. */
void tacho__sim_presence_delay(struct tacho__sim_presence *presence, uint64_t at_ns,
			       uint64_t by_ns);
/* How long any of it was there. */
uint64_t tacho__sim_presence_get_ns(const struct tacho__sim_presence *presence);
void tacho__sim_presence_finish(struct tacho__sim_presence *presence);

/* A time of a device that stands still for by_ns at at_ns. */
static inline uint64_t tacho__sim_delayed(uint64_t time_ns, uint64_t at_ns, uint64_t by_ns)
{
	return time_ns > at_ns ? time_ns + by_ns : time_ns;
}

#endif
