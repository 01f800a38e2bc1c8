/* SPDX-License-Identifier: MIT */
/* Inside the packer: pieces that go into bins. */
#ifndef TACHO_PLAN_PACKING_H
#define TACHO_PLAN_PACKING_H

#include "base/arena.h"
#include "plan/problem.h"

enum { TACHO__NO_LABEL = UINT32_MAX };

/* Items that go into one pass together: a group, or a part of one that fits into no pass. */
struct tacho__piece {
	const uint32_t *items; /* rising */
	uint32_t item_count;
	const uint32_t *keys; /* rising, so that those of one resource are together */
	uint32_t key_count;
	const uint32_t *labels; /* one per dimension, or TACHO__NO_LABEL */
};

/* The keys of the problem's resources, numbered through, resource by resource. */
struct tacho__keys {
	uint32_t *of_items;  /* of all items, one item after the other */
	uint32_t *ends;	     /* for each item the index behind its last key */
	uint32_t *resources; /* of each key */
	uint32_t count;
};

/*
 * What stays the same while pieces move. Keys and resources are those that matter (see reduce.c): a
 * key stands for `key_weights` of the problem's keys, and the cap is a resource without a name.
 */
struct tacho__pack {
	const struct tacho__problem *problem;
	struct tacho__arena *arena;
	const struct tacho__keys *all_keys;
	struct tacho__piece *pieces; /* none contains another */
	uint32_t piece_count;
	uint32_t cap; /* as honoured; 0: none */
	struct tacho__resource *resources;
	uint32_t resource_count;
	uint32_t *key_resources, *key_weights;
	uint32_t key_count;
	uint64_t work, work_max; /* keys looked at: what bounds the time */
	int proves_nothing;	 /* other pieces might do with fewer bins */
	unsigned near_part;	 /* of the work of a search near the best: this part of it */
};

/* A pass in the making. */
struct tacho__bin {
	uint16_t *key_uses;	       /* pieces that use a key */
	uint32_t *used;		       /* weight of the keys in use, of each resource */
	uint32_t *labels, *label_uses; /* of each dimension */
	uint32_t fill;		       /* weight of all keys in use */
	uint32_t piece_count;
};

/* Where every piece is. */
struct tacho__bins {
	struct tacho__bin *bins;
	uint32_t bin_count, bin_capacity;
	uint32_t *place; /* bin of each piece, or TACHO__NO_LABEL */
};

/*
 * Replaces the pieces' keys, which are those of pack->all_keys, by as few as say the same: keys and
 * items that the same pieces have are one, of resources that ask the same one stays, and what can
 * never be full goes. NOMEM.
 */
int tacho__pack_reduce(struct tacho__pack *pack);

int tacho__bins_init(struct tacho__pack *pack, struct tacho__bins *out_bins);
/* Another empty bin at the end. NOMEM. */
int tacho__bins_add(struct tacho__pack *pack, struct tacho__bins *bins);

/* The weight that a piece would add to a bin, or -1 when it does not fit. */
int64_t tacho__bin_cost(struct tacho__pack *pack, const struct tacho__bin *bin,
			const struct tacho__piece *piece);
/* Without regard to what fits. */
void tacho__bins_put(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t piece,
		     uint32_t bin);
void tacho__bins_take(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t piece);

/*
 * A number of bins that no packing of these pieces goes below, and the words for what demands it.
 * NOMEM.
 */
int tacho__pack_bound(struct tacho__pack *pack, size_t *out_bound, char *out_binding, size_t size);

/* What is known of one bin less than was found. */
struct tacho__proof {
	int is_proved;			  /* there is no packing into so few */
	const struct tacho__resource *by; /* because of this one; NULL: everything was tried */
};

/*
 * Finds few bins for all pieces. out_place is one bin per piece, in the arena. The search stops at
 * `lower_bound`. NOMEM.
 */
int tacho__pack_search(struct tacho__pack *pack, size_t lower_bound, uint32_t **out_place,
		       size_t *out_bin_count, struct tacho__proof *out_proof);

/*
 * The exhaustive part: into at most `bin_count` bins, which are there and empty. 1 found, 0 there
 * is none, -1 gave up. NOMEM.
 */
int tacho__pack_exact(struct tacho__pack *pack, struct tacho__bins *bins, size_t bin_count,
		      const uint32_t *order);

/*
 * Whether what the pieces need of one resource goes into so many bins; the answers are those of
 * tacho__pack_exact().
 */
int tacho__pack_prove(struct tacho__pack *pack, uint32_t resource, size_t bin_count);

/*
 * From a packing into `bin_count` bins, at least 2, to one into less by one: 1 found, in `bins`,
 * which are empty before; 0 not found with the work allowed. NOMEM.
 */
int tacho__pack_eject(struct tacho__pack *pack, struct tacho__bins *bins, const uint32_t *place,
		      size_t bin_count, const uint32_t *order);

#endif
