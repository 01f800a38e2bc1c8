/* SPDX-License-Identifier: MIT */
/*
 * Replays a graph in several worlds at once. A world lacks the faults of some findings: what their
 * marks stand on is shorter there, or waits for less, and all that hangs on it comes earlier. A
 * world that lacks nothing ends when the run did, to the nanosecond.
 *
 * What is kept of the run: a thread's calls follow one another with the same time between them. A
 * command begins behind its call, what its queue and its wait list put in front of it, and what ran
 * on the device before it. A wait ends behind what it waits for. How long a command takes to begin
 * when something else than in the run holds it up is not recorded: a careful world takes it for as
 * long as in the run, an eager one for no time.
 */
#ifndef TACHO_ANALYZE_RULES_GAIN_REPLAY_H
#define TACHO_ANALYZE_RULES_GAIN_REPLAY_H

#include "analyze/rules/gain_graph.h"

enum { TACHO__WORLDS_MAX = 16, TACHO__CLASS_BITS = 32 };

struct tacho__world {
	uint32_t without; /* bits of classes */
	bool is_eager;
};

/* A moment of the run, and when it is in each world. */
struct tacho__moment {
	int64_t at_ns;
	int64_t in_ns[TACHO__WORLDS_MAX];
	bool is_set;
};

enum { TACHO__RECENT_MAX = 8, TACHO__BEGUN_MAX = 256 };

struct tacho__replay_device {
	struct tacho__moment recent[TACHO__RECENT_MAX]; /* ends of commands */
	unsigned next;
	struct tacho__moment first, last;
	int64_t cut_ns[TACHO__WORLDS_MAX]; /* that commands ran shorter */
};

/* {0}, with the worlds, is one at the beginning. */
struct tacho__replay {
	struct tacho__world worlds[TACHO__WORLDS_MAX];
	size_t count;
	uint32_t lacking[TACHO__CLASS_BITS]; /* by class: the worlds that lack it, as bits */
	struct tacho__moment *threads, *queues, *slots;
	struct tacho__replay_device *devices;
	size_t thread_count, queue_count, device_count, slot_count;
	uint32_t begun[TACHO__BEGUN_MAX]; /* threads that new ones are compared with */
	size_t begun_count;
};

void tacho__replay_finish(struct tacho__replay *replay);
/*
 * Goes on through the nodes of the window. class_of has the bit of each finding's class, 0 where it
 * has none. NOMEM.
 */
int tacho__replay_run(struct tacho__replay *replay, const struct tacho__graph *graph,
		      const uint32_t *class_of);
/* By how much the run ends earlier in a world. */
uint64_t tacho__replay_gain_ns(const struct tacho__replay *replay, const struct tacho__graph *graph,
			       size_t world);
/* By how much a device has less idle time in a world, between its first and its last command. */
uint64_t tacho__replay_filled_ns(const struct tacho__replay *replay, uint32_t device, size_t world);

#endif
