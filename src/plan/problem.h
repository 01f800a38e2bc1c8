/* SPDX-License-Identifier: MIT */
/*
 * The packing problem behind a plan, without any word of a vendor: items (counters) go into passes.
 * Three primitives say what fits together.
 *
 * - resource: a capacity. An item uses keys of it; what counts is how many different keys all items
 *   of a pass use. Slots of a block instance are a resource and an event is a key, so counters that
 *   share a base event share its slot.
 * - conflict: a dimension in which a pass can have one label. Items with different labels never
 *   meet; items without a label fit any. Stage families, whole sets, modes and counters that must
 *   be alone (a label of their own each) are such dimensions.
 * - cap: the number of items in a pass.
 */
#ifndef TACHO_PLAN_PROBLEM_H
#define TACHO_PLAN_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct tacho__resource {
	const char *name;
	uint32_t capacity;
};

struct tacho__use {
	uint32_t resource;
	uint32_t key; /* within the resource */
};

struct tacho__label {
	uint32_t dimension;
	uint32_t label;
};

struct tacho__item {
	const struct tacho__use *uses;
	size_t use_count;
	const struct tacho__label *labels; /* at most one per dimension */
	size_t label_count;
};

/* Items that must be in one pass together when they can. */
struct tacho__group {
	const uint32_t *items;
	size_t item_count;
};

struct tacho__problem {
	const struct tacho__resource *resources;
	size_t resource_count;
	const char *const *dimensions; /* in the plural: "shader stages" */
	size_t dimension_count;
	const struct tacho__item *items;
	size_t item_count;
	const struct tacho__group *groups;
	size_t group_count;
	uint32_t cap; /* 0: none. A group that is larger raises it. */
	int splits;   /* groups may be split freely: fewest passes */
	int is_quick; /* a tenth of the work: a plan that is thrown away */
};

struct tacho__packing {
	struct tacho__arena arena; /* owns the arrays */
	uint32_t *pass_items;	   /* items of all passes, one pass after the other */
	size_t *pass_ends;	   /* for each pass the index behind its last item */
	size_t pass_count;
	/* For each group the passes that its items come from, and for each of its items which. */
	uint32_t **group_passes; /* [group][item of the group]: pass */
	size_t lower_bound;
	int is_optimal;
	uint32_t cap; /* as honoured */
	char binding[160];
};

/*
 * Packs. The order of the groups changes nothing but the order of the passes; items and resources
 * should come in an order of their own, such as by name, for the same to hold for them.
 * Deterministic; bounded in work, not by a clock. UNSUPPORTED when an item fits into no pass
 * (the resource and its capacity are in the cause); NOMEM. Free with tacho__packing_finish().
 */
int tacho__problem_pack(const struct tacho__problem *problem, struct tacho__packing *out_packing);
void tacho__packing_finish(struct tacho__packing *packing);

#endif
