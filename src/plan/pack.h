/* SPDX-License-Identifier: MIT */
/* Inside the packer: pieces that go into bins. */
#ifndef TACHO_PLAN_PACK_H
#define TACHO_PLAN_PACK_H

#include "base/arena.h"
#include "plan/problem.h"

enum { TACHO__NO_LABEL = UINT32_MAX };

/* Items that go into one pass together: a group, or a part of one that fits into no pass. */
struct tacho__piece {
	const uint32_t *items; /* rising */
	uint32_t item_count;
	const uint32_t *keys; /* keys of all resources, numbered through, those of one together */
	uint32_t key_count;
	const uint32_t *labels; /* one per dimension, or TACHO__NO_LABEL */
};

/* What stays the same while pieces move. */
struct tacho__pack {
	const struct tacho__problem *problem;
	struct tacho__arena arena;
	uint32_t *item_keys;	 /* numbers of the keys of all items, one item after the other */
	uint32_t *item_key_ends; /* for each item the index behind its last key */
	uint32_t *key_resource;	 /* keys are numbered resource by resource */
	uint32_t key_count;
	struct tacho__piece *pieces; /* none contains another */
	uint32_t piece_count;
	uint32_t cap;		 /* as honoured; 0: none */
	uint64_t work, work_max; /* keys looked at: what bounds the time */
};

/* A pass in the making. */
struct tacho__bin {
	uint16_t *key_uses;	       /* pieces that use a key */
	uint16_t *item_uses;	       /* pieces that have an item */
	uint32_t *used;		       /* different keys of each resource */
	uint32_t *labels, *label_uses; /* of each dimension */
	uint32_t item_count, piece_count;
};

/* Where every piece is. */
struct tacho__bins {
	struct tacho__bin *bins;
	uint32_t bin_count, bin_capacity;
	uint32_t *place; /* bin of each piece, or TACHO__NO_LABEL */
};

int tacho__bins_init(struct tacho__pack *pack, struct tacho__bins *out_bins);
/* Another empty bin at the end. NOMEM. */
int tacho__bins_add(struct tacho__pack *pack, struct tacho__bins *bins);

/* The keys that a piece would add to a bin, or -1 when it does not fit. */
int64_t tacho__bin_cost(struct tacho__pack *pack, const struct tacho__bin *bin,
			const struct tacho__piece *piece);
void tacho__bins_put(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t piece,
		     uint32_t bin);
void tacho__bins_take(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t piece);

/* A number of bins that no packing of these pieces goes below, and the words for what demands it.
 */
size_t tacho__pack_bound(struct tacho__pack *pack, char *out_binding, size_t size);

/*
 * Finds few bins for all pieces. out_place is one bin per piece, in the arena; *out_proved says
 * that an exhaustive search found no packing with one bin less. NOMEM.
 */
int tacho__pack_search(struct tacho__pack *pack, size_t lower_bound, uint32_t **out_place,
		       size_t *out_bin_count, int *out_proved);

/* The exhaustive part: into at most `bin_count` bins. 1 found, 0 there is none, -1 gave up. */
int tacho__pack_exact(struct tacho__pack *pack, struct tacho__bins *bins, size_t bin_count,
		      const uint32_t *order);

#endif
