/* SPDX-License-Identifier: MIT */
/* One pass of a plan on AMD's library: its counters, a config of them, and a session for its rows.
 */
#ifndef TACHO_INJECT_ROCM_ROCM_PASS_H
#define TACHO_INJECT_ROCM_ROCM_PASS_H

#include <rocprofiler-sdk/rocprofiler.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/rocm/rocm.h"
#include "tacho/plan.h"
#include "tacho/session.h"

enum { TACHO__ROCM_NOTE_MAX = 256 };

/* A counter of the pass, and where its values lie. */
struct tacho__rocm_counter {
	const char *name;
	uint64_t id;				  /* the library's; 0: it does not have it */
	uint64_t dimensions[TACHO_DIMENSION_MAX]; /* the library's numbers, rising */
	size_t first;				  /* of all values of the pass */
	size_t instances;			  /* that exist, of those that the shape has */
	uint8_t *present;			  /* a bit each; NULL: all do */
	bool is_wrong;				  /* what came for this dispatch cannot be */
	size_t came;				  /* values for this dispatch */
};

struct tacho__rocm_count_pass {
	rocprofiler_counter_config_id_t config; /* 0: the library has none of the counters */
	struct tacho_session *session;
	struct tacho__rocm_pass open;
	struct tacho__rocm_counter *counters;
	struct tacho_column *columns; /* one per counter */
	size_t counter_count, value_count;
	uint64_t *values;
	uint8_t *states;
	uint64_t rows;
	char note[TACHO__ROCM_NOTE_MAX]; /* of the dispatch at hand */
};

/* All counters of an agent, by name. */
struct tacho__rocm_names {
	struct tacho__rocm_name {
		const char *name; /* the library's */
		uint64_t id;
	} * list;
	size_t count;
};

/* NOMEM, UNSUPPORTED with the library's status. Owned: free(list). */
int tacho__rocm_names_read(rocprofiler_agent_id_t agent, struct tacho__rocm_names *out_names);

struct tacho__rocm_pass_options {
	struct tacho_device *device;
	struct tacho__rocm_live *live; /* of the device's context */
	const struct tacho_plan *plan;
	uint32_t pass;
	bool is_strict;
	rocprofiler_agent_id_t agent;
	const struct tacho__rocm_names *names;
};

/* Everything stays for the life of the process. UNSUPPORTED, NOMEM; errors of sessions. */
int tacho__rocm_pass_make(const struct tacho__rocm_pass_options *options,
			  struct tacho__rocm_count_pass *out_pass);

/*
 * A dispatch's values as a result of one row; what was wrong with them is in pass->note. Owned.
 * From one thread at a time.
 */
int tacho__rocm_pass_take(struct tacho__rocm_count_pass *pass, const char *kernel,
			  const rocprofiler_counter_record_t *values, size_t count,
			  struct tacho_result **out_result);

#endif
