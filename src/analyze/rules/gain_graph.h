/* SPDX-License-Identifier: MIT */
/*
 * The part of a recording that decides how long it took: calls that give work to a device or wait
 * for some, the commands, and what waits for what. Rules put marks on it: this time would not be
 * there without the fault. All other calls are the time between two nodes of their thread.
 *
 * It is a window: as many nodes as fit, in the order of the calls. Numbers of threads, queues and
 * devices hold for the whole recording, numbers of nodes too; 0 is none.
 */
#ifndef TACHO_ANALYZE_RULES_GAIN_GRAPH_H
#define TACHO_ANALYZE_RULES_GAIN_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

enum { TACHO__NODES_MAX = 1 << 17, TACHO__MARKS_MAX = 1 << 19, TACHO__PEERS_MAX = 64 };

enum tacho__mark_what {
	TACHO__MARK_BEFORE,  /* the thread spends so much less before the node */
	TACHO__MARK_CALL,    /* the call takes so much less */
	TACHO__MARK_WAIT,    /* the call does not wait; it takes at most what `ns` says */
	TACHO__MARK_COMMAND, /* the command runs so much shorter */
	TACHO__MARK_LAG	     /* the command begins so much sooner when nothing holds it up */
};

enum { TACHO__NO_FINDING = UINT32_MAX };
enum { TACHO__QUIET_NS = 10000 }; /* shorter ones are between any two calls */

struct tacho__mark {
	uint64_t ns;
	uint32_t finding, other; /* numbers; either explains it. The second may be NO_FINDING */
	uint32_t next;		 /* of the same node, from 1; 0: none */
	enum tacho__mark_what what;
};

enum tacho__node_wait {
	TACHO__WAIT_NONE,
	TACHO__WAIT_OWN,   /* for its command */
	TACHO__WAIT_QUEUE, /* for all commands of the queue */
	TACHO__WAIT_LINKS  /* for the commands of nodes */
};

struct tacho__node {
	uint64_t start_ns, end_ns; /* of the call */
	uint64_t run_ns, ran_ns;   /* of its command; when is_timed */
	uint32_t thread;	   /* 0: no call is known for the command */
	uint32_t queue, device;
	uint32_t first_link; /* of the nodes that the command, or else the call, waits for */
	uint32_t first_mark;
	uint32_t slot;	/* from 1: others wait for its command; 0: none does */
	uint32_t waker; /* thread that may have made this one go on; 0: none */
	uint16_t link_count;
	uint8_t wait; /* enum tacho__node_wait */
	bool has_command, is_timed, is_ordered;
};

struct tacho__graph {
	struct tacho__node *nodes;
	size_t count, capacity;
	uint64_t first; /* number of the first node of the window, from 1 */
	uint32_t *links;
	size_t link_count, link_capacity;
	struct tacho__mark *marks;
	size_t mark_count, mark_capacity;
	uint32_t slots;
	struct tacho__map threads; /* process and thread -> struct tacho__graph_thread */
	struct tacho__map newest;  /* process -> the thread of it that was seen first last */
	struct tacho__map numbers; /* queue or device -> its number */
	uint32_t thread_count, queue_count, device_count;
	uint64_t last_end_ns; /* of all calls */
	uint32_t last_thread; /* that made the call that ended last */
};

/* What a thread spends between its nodes and a fault explains. */
struct tacho__graph_thread {
	uint32_t number;
	uint64_t end_ns;		  /* of its last call */
	struct tacho__graph_thread *peer; /* of the same process, seen before it; NULL: none */
	uint64_t quiet_ns;		  /* the longest time without a call since its last node */
	uint32_t waker;			  /* thread whose call ended last in that time; 0: none */
	struct tacho__mark *pending;
	size_t count, capacity;
};

/* {0} is an empty one, but for `first`, which is 1. */
void tacho__graph_finish(struct tacho__graph *graph);
/* The nodes were looked at: room for the next. */
void tacho__graph_clear(struct tacho__graph *graph);
bool tacho__graph_is_full(const struct tacho__graph *graph);

/* The number that the next node will have. */
uint64_t tacho__graph_next(const struct tacho__graph *graph);
/* Of the window; NULL when it is not in it. */
struct tacho__node *tacho__graph_node(const struct tacho__graph *graph, uint64_t number);

/* `process` is any number that is its own. NOMEM. */
int tacho__graph_thread(struct tacho__graph *graph, uint32_t process, uint32_t thread,
			struct tacho__graph_thread **out_thread);
/* A number for a queue or device. NOMEM. */
int tacho__graph_number(struct tacho__graph *graph, const void *object, uint32_t *count,
			uint32_t *out_number);

/* The thread called nothing for long: which one it may have waited for. NOMEM. */
int tacho__graph_find_waker(struct tacho__graph *graph, uint32_t process,
			    struct tacho__graph_thread *thread, uint64_t at_ns);
/*
 * Before a call of the thread that began at `at_ns`: a thread that called nothing for a while may
 * have waited for another one, in ways that are not recorded. NOMEM.
 */
static inline int tacho__graph_wake(struct tacho__graph *graph, uint32_t process,
				    struct tacho__graph_thread *thread, uint64_t at_ns)
{
	uint64_t quiet_ns = at_ns > thread->end_ns ? at_ns - thread->end_ns : 0;

	if (quiet_ns < TACHO__QUIET_NS || quiet_ns <= thread->quiet_ns || !thread->end_ns)
		return 0;
	return tacho__graph_find_waker(graph, process, thread, at_ns);
}

/* Adds a node behind the last one; what its thread has pending is put on it. NOMEM. */
int tacho__graph_add(struct tacho__graph *graph, const struct tacho__node *node,
		     struct tacho__graph_thread *thread);
/* The last node waits for the command of that one, if the window has it. NOMEM. */
int tacho__graph_link(struct tacho__graph *graph, uint64_t number);
/*
 * Puts a mark on a node, without `next`. Of those of one kind the largest holds in a world, but for
 * BEFORE, which add up. Nothing happens when the node is not in the window any more. NOMEM.
 */
int tacho__graph_mark(struct tacho__graph *graph, uint64_t number, const struct tacho__mark *mark);
/* The same, BEFORE the next node of the thread, whatever `what` is. NOMEM. */
int tacho__graph_spend(struct tacho__graph_thread *thread, const struct tacho__mark *mark);
/* What threads have pending becomes a node at the end of each. NOMEM. */
int tacho__graph_close(struct tacho__graph *graph);

#endif
