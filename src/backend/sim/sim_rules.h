/* SPDX-License-Identifier: MIT */
/* Rules: how a counter's value follows from work, and how it spreads over the instances. */
#ifndef TACHO_BACKEND_SIM_SIM_RULES_H
#define TACHO_BACKEND_SIM_SIM_RULES_H

#include "backend/sim/sim_work.h"
#include "formula/program.h"
#include "tacho/plan.h"

enum tacho__sim_spread {
	TACHO__SIM_WAVES,   /* as the waves are dealt out */
	TACHO__SIM_CHANNEL, /* as the addresses are, from the first one's channel on */
	TACHO__SIM_EACH,    /* the same for every instance */
	TACHO__SIM_USED,    /* the same for every instance that has a wave */
};

struct tacho__sim_rule {
	const char *const *globs; /* of names, without the number of the instance; ends with NULL */
	const char *set;	  /* glob of the set that is programmed; "": any */
	const char *value;	  /* infix, over the variables; "": there is no value */
	const char *high, *low;	  /* of accumulate(); "": half of the value in each cycle */
	const char *absent;	  /* why there is no value */
	int spread;		  /* enum tacho__sim_spread; -1: as its block */
	uint32_t part, parts;	  /* the value is this part of a whole that several names share */
	uint64_t most;		  /* the value is no more than this; 0: no limit */
};

/* How values of a block spread when their rule does not say it. */
struct tacho__sim_block_spread {
	const char *glob; /* of the family's name */
	int spread;
};

struct tacho__sim_rules {
	struct tacho__arena arena;
	const struct tacho__sim_rule *rules;
	size_t rule_count;
	const struct tacho__sim_block_spread *spreads;
	size_t spread_count;
};

/* Reads data/sim/NAME.yaml or, with a slash in it, a file. PARSE, NOTFOUND, IO, NOMEM. */
int tacho__sim_rules_read(const char *name, struct tacho__sim_rules *out_rules);
void tacho__sim_rules_finish(struct tacho__sim_rules *rules);

/* A counter of a pass, ready to be counted. */
struct tacho__sim_counter {
	const struct tacho_entry *entry;
	const struct tacho__sim_rule *rule; /* NULL: the hash rule */
	struct tacho_column column;	    /* shape and type */
	uint64_t name_hash;
	uint32_t *ranks; /* per instance: its turn when waves are dealt out; UINT32_MAX: no unit */
	uint32_t rank_count;
	uint32_t offset; /* of its first value in a row of all values */
	uint32_t output; /* of the program */
	uint8_t spread;
};

/* All counters of a pass. */
struct tacho__sim_counters {
	struct tacho__arena arena;
	struct tacho__sim_counter *counters;
	size_t count;
	size_t value_count; /* of a row: all instances of all counters */
	struct tacho__program *program;
	double variables[TACHO__SIM_VARIABLE_COUNT]; /* what the program is bound to */
	double *outputs;
	struct tacho__target *targets; /* these */
};

struct tacho__sim_device;

/* total * part / whole, rounded down. All or nothing, as most often, is told without dividing. */
static inline int64_t tacho__sim_scale(int64_t total, uint64_t part, uint64_t whole)
{
	__int128 product, quotient;

	if (part == whole || !part)
		return part ? total : 0;
	product = (__int128)total * part;
	quotient = product / whole - (product % whole < 0);
	return quotient > INT64_MAX ? INT64_MAX : (int64_t)quotient;
}

/* Adds without running over. */
static inline void tacho__sim_add(int64_t *sum, int64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = value < 0 ? INT64_MIN : INT64_MAX;
}

int tacho__sim_counters_init(struct tacho__sim_counters *counters,
			     const struct tacho__sim_device *device,
			     const struct tacho_plan_pass *pass);
void tacho__sim_counters_finish(struct tacho__sim_counters *counters);

/* Adds what work with these variables counts: value_count sums. NOMEM. */
int tacho__sim_counters_add(struct tacho__sim_counters *counters,
			    const struct tacho__sim_device *device,
			    const struct tacho__sim_work *work, int64_t *sums);

#endif
