/* SPDX-License-Identifier: MIT */
/*
 * Few bins for all pieces: greedy packings in several orders, of which bins are emptied by moving
 * their pieces, each perhaps in exchange for another. Then, as long as there may be one bin less: a
 * proof that there is not, a little of an exhaustive search, a longer search near what was found,
 * and more of the exhaustive one. All of it is deterministic, and bounded by the number of keys
 * looked at.
 */
#include "plan/packing.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
	ORDERS = 4,
	ROUNDS = 60,
	PROOF_PART = 2,
	WORK_EMPTY = 100 * 1000,
	WORK_ALL = 800 * 1000,
	WORK_NEAR = 4000 * 1000,
};

/* How hard a piece is to place, in several senses. */
struct weight {
	uint32_t piece;
	double fullest; /* part of a resource that it fills, of the one that it fills most */
	double sum;
	uint32_t labels, items;
	int order;
};

static int compare_real(double a, double b)
{
	return a > b ? -1 : a < b;
}

/* Hard pieces first; what is equally hard stays in the order of the items. */
static int compare(const void *a_pointer, const void *b_pointer)
{
	const struct weight *a = a_pointer, *b = b_pointer;
	int by_label = (a->labels < b->labels) - (a->labels > b->labels);
	int by_items = (a->items < b->items) - (a->items > b->items);
	int by_fullest = compare_real(a->fullest, b->fullest);
	int by_sum = compare_real(a->sum, b->sum);
	const int senses[ORDERS][4] = {
		{by_fullest, by_label, by_sum, by_items},
		{by_label, by_fullest, by_sum, by_items},
		{by_sum, by_fullest, by_label, by_items},
		{by_items, by_fullest, by_label, by_sum},
	};

	for (int i = 0; i < 4; i++)
		if (senses[a->order][i])
			return senses[a->order][i];
	return a->piece < b->piece ? -1 : 1;
}

static void weigh(const struct tacho__pack *pack, uint32_t index, struct weight *out_weight)
{
	const struct tacho__piece *piece = &pack->pieces[index];

	memset(out_weight, 0, sizeof(*out_weight));
	out_weight->piece = index;
	out_weight->items = piece->item_count;
	for (uint32_t i = 0; i < piece->key_count;) {
		uint32_t resource = pack->key_resources[piece->keys[i]], count = 0;
		double part;

		for (; i < piece->key_count && pack->key_resources[piece->keys[i]] == resource; i++)
			count += pack->key_weights[piece->keys[i]];
		part = (double)count / pack->resources[resource].capacity;
		out_weight->sum += part;
		if (part > out_weight->fullest)
			out_weight->fullest = part;
	}
	for (size_t d = 0; d < pack->problem->dimension_count; d++)
		out_weight->labels += piece->labels[d] != TACHO__NO_LABEL;
}

/* The bin to which a piece adds least (or the first where it fits); -1: it fits nowhere. */
static int64_t choose(struct tacho__pack *pack, const struct tacho__bins *bins, uint32_t piece,
		      int is_best, uint32_t except)
{
	int64_t best = -1, best_cost = INT64_MAX;
	uint32_t best_fill = 0;

	for (uint32_t i = 0; i < bins->bin_count; i++) {
		int64_t cost;

		if (i == except)
			continue;
		cost = tacho__bin_cost(pack, &bins->bins[i], &pack->pieces[piece]);
		if (cost < 0)
			continue;
		if (!is_best)
			return i;
		if (cost < best_cost || (cost == best_cost && bins->bins[i].fill > best_fill)) {
			best = i;
			best_cost = cost;
			best_fill = bins->bins[i].fill;
		}
	}
	return best;
}

static void clear(struct tacho__pack *pack, struct tacho__bins *bins)
{
	for (uint32_t i = 0; i < pack->piece_count; i++)
		if (bins->place[i] != TACHO__NO_LABEL)
			tacho__bins_take(pack, bins, i);
	bins->bin_count = 0;
}

static int greedy(struct tacho__pack *pack, struct tacho__bins *bins, const uint32_t *order,
		  int is_best)
{
	clear(pack, bins);
	for (uint32_t i = 0; i < pack->piece_count; i++) {
		int64_t bin = choose(pack, bins, order[i], is_best, TACHO__NO_LABEL);

		if (bin < 0) {
			bin = bins->bin_count;
			if (tacho__bins_add(pack, bins) != 0)
				return TACHO_E_NOMEM;
		}
		tacho__bins_put(pack, bins, order[i], (uint32_t)bin);
	}
	return 0;
}

/* Makes room for a piece: another one leaves a bin for a third. */
static int exchange(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t piece,
		    uint32_t from, const uint32_t *order)
{
	for (uint32_t i = pack->piece_count; i-- && pack->work < pack->work_max;) {
		uint32_t other = order[i], home = bins->place[other];
		int64_t bin;

		if (home == from || home == TACHO__NO_LABEL)
			continue;
		tacho__bins_take(pack, bins, other);
		if (tacho__bin_cost(pack, &bins->bins[home], &pack->pieces[piece]) >= 0) {
			tacho__bins_put(pack, bins, piece, home);
			bin = choose(pack, bins, other, 1, from);
			if (bin >= 0) {
				tacho__bins_put(pack, bins, other, (uint32_t)bin);
				return 1;
			}
			tacho__bins_take(pack, bins, piece);
		}
		tacho__bins_put(pack, bins, other, home);
	}
	return 0;
}

/* Tries to move everything out of a bin. What could be moved stays moved. */
static int empty_bin(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t target,
		     const uint32_t *order)
{
	for (uint32_t i = 0; i < pack->piece_count; i++) {
		uint32_t piece = order[i];
		int64_t bin;

		if (bins->place[piece] != target)
			continue;
		tacho__bins_take(pack, bins, piece);
		bin = choose(pack, bins, piece, 1, target);
		if (bin >= 0)
			tacho__bins_put(pack, bins, piece, (uint32_t)bin);
		else if (!exchange(pack, bins, piece, target, order))
			tacho__bins_put(pack, bins, piece, target);
	}
	return bins->bins[target].piece_count == 0;
}

/* The last bin takes the place of an empty one. */
static void drop_bin(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t empty)
{
	uint32_t last = bins->bin_count - 1;
	struct tacho__bin spare = bins->bins[empty];

	bins->bins[empty] = bins->bins[last];
	bins->bins[last] = spare;
	for (uint32_t i = 0; i < pack->piece_count; i++)
		if (bins->place[i] == last)
			bins->place[i] = empty;
	bins->bin_count--;
}

/* A few pieces change their bins, always the same ones, so that emptying begins from elsewhere. */
static void shake(struct tacho__pack *pack, struct tacho__bins *bins, uint64_t *random)
{
	for (unsigned n = 0; n < 4; n++) {
		uint32_t piece, home, bin;

		*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		piece = (uint32_t)(*random >> 33) % pack->piece_count;
		bin = (uint32_t)(*random >> 13) % bins->bin_count;
		home = bins->place[piece];
		if (tacho__bin_cost(pack, &bins->bins[bin], &pack->pieces[piece]) < 0 ||
		    bin == home)
			continue;
		tacho__bins_take(pack, bins, piece);
		tacho__bins_put(pack, bins, piece, bin);
	}
}

/* Empties bins until there are as few as the bound, or the work is done. */
static void improve(struct tacho__pack *pack, struct tacho__bins *bins, size_t lower_bound,
		    const uint32_t *order)
{
	uint64_t random = 1;

	for (unsigned round = 0; round < ROUNDS && bins->bin_count > lower_bound; round++) {
		uint32_t bin;

		for (bin = 0; bin < bins->bin_count; bin++)
			if (pack->work >= pack->work_max || empty_bin(pack, bins, bin, order))
				break;
		if (pack->work >= pack->work_max)
			break;
		if (bin < bins->bin_count)
			drop_bin(pack, bins, bin);
		else
			shake(pack, bins, &random);
	}
}

/* By how much the work allowed is less than what would be well spent. */
static unsigned haste(const struct tacho__pack *pack)
{
	return pack->problem->is_quick ? 10 : 1;
}

/* The best packing so far. */
struct best {
	uint32_t *place;
	size_t count;
};

static void keep(struct tacho__pack *pack, struct tacho__bins *bins, struct best *best)
{
	for (uint32_t bin = bins->bin_count; bin-- > 0;)
		if (!bins->bins[bin].piece_count)
			drop_bin(pack, bins, bin);
	if (bins->bin_count >= best->count)
		return;
	best->count = bins->bin_count;
	memcpy(best->place, bins->place, pack->piece_count * sizeof(*best->place));
}

static void sort(const struct tacho__pack *pack, struct weight *weights, int order,
		 uint32_t *out_order)
{
	for (uint32_t i = 0; i < pack->piece_count; i++)
		weights[i].order = order;
	qsort(weights, pack->piece_count, sizeof(*weights), compare);
	for (uint32_t i = 0; i < pack->piece_count; i++)
		out_order[i] = weights[i].piece;
}

/* Greedy packings, each improved. */
static int search_greedily(struct tacho__pack *pack, struct tacho__bins *bins,
			   struct weight *weights, uint32_t *order, size_t lower_bound,
			   struct best *best)
{
	for (int way = 0; way < 2 * ORDERS && best->count > lower_bound; way++) {
		sort(pack, weights, way / 2, order);
		if (greedy(pack, bins, order, way % 2 == 0) != 0)
			return TACHO_E_NOMEM;
		keep(pack, bins, best);
		pack->work = 0;
		pack->work_max = WORK_EMPTY / haste(pack);
		improve(pack, bins, lower_bound, order);
		keep(pack, bins, best);
	}
	return 0;
}

/* Whether one bin less can be: 1 and it is kept, 0 it cannot, -1 perhaps. NOMEM. */
static int try_all(struct tacho__pack *pack, struct tacho__bins *bins, const uint32_t *order,
		   uint64_t work, struct best *best, struct tacho__proof *proof)
{
	int found = -1;

	pack->work_max = work / PROOF_PART / haste(pack);
	for (uint32_t r = 0; r < pack->resource_count && !pack->proves_nothing; r++) {
		found = tacho__pack_prove(pack, r, best->count - 1);
		if (found == 0)
			*proof = (struct tacho__proof){1, &pack->resources[r]};
		if (found == 0 || found == TACHO_E_NOMEM)
			return found;
	}
	clear(pack, bins);
	while (bins->bin_count < best->count - 1)
		if (tacho__bins_add(pack, bins) != 0)
			return TACHO_E_NOMEM;
	pack->work_max = work / haste(pack);
	pack->work = 0;
	found = tacho__pack_exact(pack, bins, best->count - 1, order);
	if (found == 1)
		keep(pack, bins, best);
	proof->is_proved = found == 0;
	return found;
}

static int try_near(struct tacho__pack *pack, struct tacho__bins *bins, const uint32_t *order,
		    struct best *best)
{
	int found;

	clear(pack, bins);
	pack->work = 0;
	pack->work_max = WORK_NEAR / pack->near_part / haste(pack);
	found = tacho__pack_eject(pack, bins, best->place, best->count, order);
	if (found == 1)
		keep(pack, bins, best);
	return found;
}

/*
 * One bin less, as long as that can be. Under a cap the exhaustive search seldom comes to an end:
 * most of it waits until the search nearby has failed.
 */
static int search_less(struct tacho__pack *pack, struct tacho__bins *bins, const uint32_t *order,
		       size_t lower_bound, struct best *best, struct tacho__proof *proof)
{
	uint64_t first = pack->cap ? WORK_ALL / 4 : WORK_ALL, rest = WORK_ALL - first;

	while (best->count > lower_bound && best->count > 1) {
		int found = try_all(pack, bins, order, first, best, proof);

		if (found == -1)
			found = try_near(pack, bins, order, best);
		if (found == 0 && rest && !proof->is_proved && !pack->proves_nothing)
			found = try_all(pack, bins, order, rest, best, proof);
		if (found == TACHO_E_NOMEM)
			return found;
		if (found != 1)
			break;
	}
	return 0;
}

int tacho__pack_search(struct tacho__pack *pack, size_t lower_bound, uint32_t **out_place,
		       size_t *out_bin_count, struct tacho__proof *out_proof)
{
	size_t count = pack->piece_count + 1;
	struct weight *weights = tacho__arena_get(pack->arena, count * sizeof(*weights));
	uint32_t *order = tacho__arena_get(pack->arena, count * sizeof(*order));
	struct best best = {tacho__arena_get(pack->arena, count * sizeof(uint32_t)), count};
	struct tacho__bins bins;
	struct tacho__proof proof = {0};

	if (!weights || !order || !best.place || tacho__bins_init(pack, &bins) != 0)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < pack->piece_count; i++)
		weigh(pack, i, &weights[i]);
	if (search_greedily(pack, &bins, weights, order, lower_bound, &best) != 0)
		return TACHO_E_NOMEM;
	sort(pack, weights, 0, order);
	if (search_less(pack, &bins, order, lower_bound, &best, &proof) != 0)
		return TACHO_E_NOMEM;
	*out_place = best.place;
	*out_bin_count = best.count;
	*out_proof = proof;
	return 0;
}
