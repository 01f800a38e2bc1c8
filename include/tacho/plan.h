/* SPDX-License-Identifier: MIT */
/* Plans: the passes that a config needs, and why. */
#ifndef TACHO_PLAN_H
#define TACHO_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/catalog.h>
#include <tacho/config.h>
#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tacho_policy {
	/* All inputs of a metric come from one pass whenever they fit into one. */
	TACHO_POLICY_COHERENT = 0,
	/* As few passes as possible; a metric may take its inputs from several. */
	TACHO_POLICY_FEWEST,
};

struct tacho_plan_options {
	size_t size; /* sizeof(struct tacho_plan_options) */
	uint32_t policy;
	uint32_t no_cap; /* not the vendor's limit of counters per pass, only what hardware demands
			  */
	/* Levels of nested ranges, each measured apart but in pipelined passes; 0: one. */
	uint32_t nesting_depth;
	uint32_t passes_max; /* PASSES when more are needed; 0: any number */
};

/* A counter as it is programmed in a pass. */
struct tacho_plan_counter {
	const struct tacho_entry *entry;
	const char *accumulate; /* "", "LOW_RES", "HIGH_RES" */
};

struct tacho_plan_use {
	const char *block;    /* without the number of its instance; or "SQ_VS stage" */
	uint32_t used, slots; /* of its fullest instance */
};

/* A counter that a vendor's library collects for entries, where it makes the plan. */
struct tacho_plan_raw {
	const char *id;	  /* the library's name for it */
	const char *name; /* of a counter that is this one and no more; "": there is none */
	/* The entries that are worked out of it, and others perhaps. */
	const struct tacho_entry *const *entries;
	size_t entry_count;
};

struct tacho_plan_pass {
	const struct tacho_plan_counter *counters;
	size_t counter_count;
	const struct tacho_plan_use *uses;
	size_t use_count;
	/* Entries of the config whose last inputs come from this pass. */
	const struct tacho_entry *const *entries;
	size_t entry_count;
	uint32_t mode;			   /* enum tacho_mode of all of it */
	const struct tacho_set *set;	   /* to program as a whole; NULL: none in particular */
	const struct tacho_plan_raw *raws; /* of a vendor's plan that tells them */
	size_t raw_count;
};

/* Where an entry of the config gets its inputs. */
struct tacho_plan_entry {
	const struct tacho_entry *entry;
	const uint32_t *passes; /* rising */
	size_t pass_count;
	uint32_t is_split; /* inputs from several passes: they are of different runs of the work */
};

struct tacho_plan;

/*
 * Finds the passes for a config. The result does not depend on the order of the entries but for
 * the order of what is in it, and where a vendor's library plans, whose best order is looked for.
 * UNSUPPORTED when something fits into no pass, naming the block and its slots; PASSES; NOMEM. It
 * takes milliseconds, a vendor's library seconds, and a bounded time always. Immutable. Owned; the
 * config must outlive it.
 */
TACHO_API int tacho_plan_create(const struct tacho_config *config,
				const struct tacho_plan_options *options,
				struct tacho_plan **out_plan);
/* Sessions that use it must be gone. NULL does nothing. */
TACHO_API void tacho_plan_destroy(struct tacho_plan *plan);

/* The config that it was made of. Borrowed. */
TACHO_API const struct tacho_config *tacho_plan_get_config(const struct tacho_plan *plan);
/* NULL past the last. */
TACHO_API const struct tacho_plan_pass *tacho_plan_get_pass(const struct tacho_plan *plan,
							    size_t index);
/* One per entry of the config, in its order; NULL past the last. */
TACHO_API const struct tacho_plan_entry *tacho_plan_get_entry(const struct tacho_plan *plan,
							      size_t index);

/* What is known about the number of passes. */
struct tacho_plan_summary {
	size_t pass_count; /* without nesting */
	/* How often the work has to run: pipelined passes once, others once for each level. */
	size_t run_count;
	size_t lower_bound;  /* no plan has fewer passes; 0: not known (a vendor made the plan) */
	int is_optimal;	     /* 1: proved, 0: perhaps not, -1: not known */
	const char *binding; /* what the lower bound comes from: "SQ_VS: 17 counters, 8 slots" */
	const char *advice;  /* what to leave out to save a pass; "" when nothing simple does */
	uint32_t cap;	     /* the limit of counters per pass that was honoured; 0: none */
	/*
	 * Where a vendor's library makes the plan, the order of the entries decides how many passes
	 * it makes: orders that were tried, and the passes of the one that was given. 0: tacho made
	 * the plan.
	 */
	uint32_t trial_count;
	size_t given_pass_count;
};

/* Writes what is known of the plan as a whole. */
TACHO_API void tacho_plan_get_summary(const struct tacho_plan *plan,
				      struct tacho_plan_summary *out_summary);

#ifdef __cplusplus
}
#endif

#endif
