/* SPDX-License-Identifier: MIT */
/*
 * What a program made and has not released, by process, kind and handle. Memory grows with what is
 * alive, to TACHO__TRACKED_MAX; what was made beyond that is counted.
 */
#ifndef TACHO_ANALYZE_RULES_TRACKED_H
#define TACHO_ANALYZE_RULES_TRACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/rules/roles.h"

enum { TACHO__TRACKED_MAX = 1 << 18 };

struct tacho_process;
struct tacho__function_facts;

struct tacho__tracked {
	uint64_t handle;
	const struct tacho_process *process;
	const char *function; /* that made it */
	struct tacho__function_facts *maker;
	uint64_t index, start_ns; /* the call that made it */
	uint32_t thread;
	uint32_t refs; /* 0: free */
	enum tacho__thing thing;
	bool is_persistent;		/* memory */
	bool is_answer;			/* events: the host needs what the command leaves behind */
	bool is_named;			/* programs: the first kernel of it was made */
	uint32_t builds;		/* programs */
	uint64_t build_ns, unmarked_ns; /* of the latter it is not known whose fault it is */
	uint32_t maps;			/* memory: more than it was unmapped */
	struct {
		const char *function;
		uint64_t index, start_ns;
		uint32_t thread;
	} map;			    /* memory: the last one */
	const char *build_function; /* the last call that built it */
	uint64_t build_index, build_start_ns;
	uint32_t build_thread;
	uint64_t node;	 /* events: of the command, in the graph */
	uint64_t parent; /* events: handle of the queue; programs: of the context */
};

/* {0} is empty. */
struct tacho__tracked_table {
	struct tacho__tracked *entries;
	size_t capacity, count;
	uint64_t untracked; /* found no place */
};

void tacho__tracked_finish(struct tacho__tracked_table *table);

/* NULL when it is not known. Valid until the next addition or removal. */
struct tacho__tracked *tacho__tracked_find(const struct tacho__tracked_table *table,
					   const struct tacho_process *process,
					   enum tacho__thing thing, uint64_t handle);

/*
 * Adds a thing with one reference, in place of one of that handle: the reuse of a handle means that
 * the old thing is gone. *out_tracked is NULL when the table is full. NOMEM.
 */
int tacho__tracked_add(struct tacho__tracked_table *table, const struct tacho_process *process,
		       enum tacho__thing thing, uint64_t handle,
		       struct tacho__tracked **out_tracked);

void tacho__tracked_remove(struct tacho__tracked_table *table, struct tacho__tracked *tracked);

#endif
