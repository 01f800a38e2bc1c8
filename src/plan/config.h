/* SPDX-License-Identifier: MIT */
/* Inside a config: its entries with the counters that they come down to. */
#ifndef TACHO_PLAN_CONFIG_H
#define TACHO_PLAN_CONFIG_H

#include "base/arena.h"
#include "formula/node.h"
#include "tacho/config.h"

/* A counter that something needs: plainly, or added up step by step. */
struct tacho__need {
	const struct tacho_entry *counter;
	enum tacho__resolution resolution;
};

struct tacho__wanted {
	struct tacho_config_entry entry; /* the name is the definition's */
	const char *column;		 /* the name of its values */
	const struct tacho_entry *definition;
	const struct tacho__need *needs; /* each once */
	size_t need_count;
};

struct tacho_config {
	struct tacho__arena arena;
	const struct tacho_arch *arch;
	const struct tacho_model *model; /* may be NULL */
	struct tacho__wanted *entries;	 /* outside of the arena */
	size_t entry_count, entry_capacity;
	struct tacho_catalog *catalog; /* of what no other one has; may be NULL */
	int is_counted;		       /* elsewhere: nothing is known of what entries need */
	size_t left_out_count;
	const char **kernels, **excluded; /* outside of the arena; their texts are in it */
	size_t kernel_count, kernel_capacity, excluded_count, excluded_capacity;
	struct tacho_iterations *iterations; /* outside of the arena */
	size_t iteration_count, iteration_capacity;
	const char **remarks; /* as `kernels` */
	size_t remark_count, remark_capacity;
};

/* An empty config. Owned; NOMEM. */
int tacho__config_create(const struct tacho_arch *arch, const struct tacho_model *model,
			 struct tacho_config **out_config);
/* Adds an entry as `wanted` has it, whose name may be NULL; in the same mode it is there once. */
int tacho__config_add(struct tacho_config *config, const struct tacho_config_entry *wanted,
		      const struct tacho_entry *definition);

/*
 * The counters that an entry comes down to; constants cost nothing and are left out. UNSUPPORTED
 * for what cannot be counted: no published expression, not there on the model, a block without
 * slots, a counter that the block cannot add up. NOTFOUND, INVAL, PARSE for faults of definitions.
 */
int tacho__needs_list(struct tacho__arena *arena, const struct tacho_arch *arch,
		      const struct tacho_model *model, const struct tacho_entry *entry,
		      const struct tacho__need **out_needs, size_t *out_count);

#endif
