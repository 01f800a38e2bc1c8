/* SPDX-License-Identifier: MIT */
/*
 * Exhaustive search: is there a packing into so many bins? The piece with the fewest bins left is
 * placed next. A branch ends when a resource has not enough room left in all bins together: keys
 * that were put into two bins, and room that no piece can use any more, are lost. Gives up after a
 * bounded amount of work.
 */
#include <string.h>

#include "base/error.h"
#include "plan/packing.h"

enum { PIECES_MAX = 1000 };
enum fit { NO_FIT, FIT, FREE_FIT };

struct exact {
	struct tacho__pack *pack;
	struct tacho__bins *bins;
	const uint32_t *order;
	uint32_t bin_max, used;
	uint8_t *fits;	     /* [bin][piece]: enum fit; only of bins in use */
	uint32_t *choices;   /* of each piece: bins in use that it fits */
	uint32_t *free_fits; /* of each piece: bins in use that have all of it */
	uint32_t *key_bins;  /* bins that have a key */
	int64_t *room;	     /* of each resource in all bins, less what is still to come */
	int64_t *lost;	     /* [bin][resource]: room that nothing can use */
	uint8_t *old_fits;   /* [depth][piece]: of the bin that was changed there */
	int64_t *old_lost;   /* [depth][resource] */
	int32_t *costs;	     /* [depth][bin] */
};

static int get_memory(struct exact *exact)
{
	const struct tacho__pack *pack = exact->pack;
	struct tacho__arena *arena = pack->arena;
	size_t pieces = pack->piece_count + 1, resources = pack->resource_count + 1;
	size_t bins = exact->bin_max + 1;

	exact->fits = tacho__arena_get(arena, bins * pieces);
	exact->choices = tacho__arena_get(arena, pieces * sizeof(*exact->choices));
	exact->free_fits = tacho__arena_get(arena, pieces * sizeof(*exact->free_fits));
	exact->key_bins = tacho__arena_get(arena, (pack->key_count + 1) * sizeof(uint32_t));
	exact->room = tacho__arena_get(arena, resources * sizeof(*exact->room));
	exact->lost = tacho__arena_get(arena, bins * resources * sizeof(*exact->lost));
	exact->old_fits = tacho__arena_get(arena, pieces * pieces);
	exact->old_lost = tacho__arena_get(arena, pieces * resources * sizeof(*exact->old_lost));
	exact->costs = tacho__arena_get(arena, pieces * bins * sizeof(*exact->costs));
	return exact->fits && exact->choices && exact->free_fits && exact->key_bins &&
			       exact->room && exact->lost && exact->old_fits && exact->old_lost &&
			       exact->costs
		       ? 0
		       : TACHO_E_NOMEM;
}

static int has_labels(const struct tacho__pack *pack, const struct tacho__bin *bin,
		      const struct tacho__piece *piece)
{
	for (size_t d = 0; d < pack->problem->dimension_count; d++)
		if (piece->labels[d] != TACHO__NO_LABEL && !bin->label_uses[d])
			return 0;
	return 1;
}

/* What could still come into a bin, of each resource. */
static void add_usable(const struct exact *exact, const struct tacho__bin *bin,
		       const struct tacho__piece *piece, int64_t *lost)
{
	for (uint32_t i = 0; i < piece->key_count; i++)
		if (!bin->key_uses[piece->keys[i]])
			lost[exact->pack->key_resources[piece->keys[i]]] -=
				exact->pack->key_weights[piece->keys[i]];
}

/* After a bin was changed: what fits into it now. */
static void look_at_bin(struct exact *exact, uint32_t number)
{
	struct tacho__pack *pack = exact->pack;
	const struct tacho__bin *bin = &exact->bins->bins[number];
	uint8_t *fits = &exact->fits[(size_t)number * pack->piece_count];
	int64_t *lost = &exact->lost[(size_t)number * pack->resource_count];

	for (uint32_t r = 0; r < pack->resource_count; r++)
		lost[r] = (int64_t)pack->resources[r].capacity - bin->used[r];
	for (uint32_t i = 0; i < pack->piece_count; i++) {
		const struct tacho__piece *piece = &pack->pieces[i];
		enum fit fit = NO_FIT;
		int64_t cost;

		/* A bin that has more than before takes no piece that it did not take. */
		if (exact->bins->place[i] == TACHO__NO_LABEL && fits[i]) {
			cost = tacho__bin_cost(pack, bin, piece);
			if (cost >= 0)
				fit = cost == 0 && has_labels(pack, bin, piece) ? FREE_FIT : FIT;
			if (fit)
				add_usable(exact, bin, piece, lost);
		}
		if (exact->bins->place[i] != TACHO__NO_LABEL)
			continue;
		exact->choices[i] -= fits[i] && !fit;
		exact->free_fits[i] += fit == FREE_FIT && fits[i] != FREE_FIT;
		exact->free_fits[i] -= fit != FREE_FIT && fits[i] == FREE_FIT;
		fits[i] = (uint8_t)fit;
	}
	for (uint32_t r = 0; r < pack->resource_count; r++)
		if (lost[r] < 0)
			lost[r] = 0;
}

static int has_room(const struct exact *exact)
{
	size_t resources = exact->pack->resource_count;

	for (size_t r = 0; r < resources; r++) {
		int64_t room = exact->room[r];

		for (uint32_t bin = 0; bin < exact->used && room >= 0; bin++)
			room -= exact->lost[bin * resources + r];
		if (room < 0)
			return 0;
	}
	return 1;
}

/* A key in one bin more; what was still to come has come the first time. */
static void note_keys(struct exact *exact, uint32_t piece, uint32_t bin)
{
	const struct tacho__pack *pack = exact->pack;
	const struct tacho__piece *at = &pack->pieces[piece];

	for (uint32_t i = 0; i < at->key_count; i++)
		if (!exact->bins->bins[bin].key_uses[at->keys[i]] && exact->key_bins[at->keys[i]]++)
			exact->room[pack->key_resources[at->keys[i]]] -=
				pack->key_weights[at->keys[i]];
}

/* When the piece has left the bin again. */
static void forget_keys(struct exact *exact, uint32_t piece, uint32_t bin)
{
	const struct tacho__pack *pack = exact->pack;
	const struct tacho__piece *at = &pack->pieces[piece];

	for (uint32_t i = 0; i < at->key_count; i++)
		if (!exact->bins->bins[bin].key_uses[at->keys[i]] && --exact->key_bins[at->keys[i]])
			exact->room[pack->key_resources[at->keys[i]]] +=
				pack->key_weights[at->keys[i]];
}

static int place(struct exact *exact, uint32_t depth);

/* What was written at this depth is written back. */
static void restore_bin(struct exact *exact, uint32_t depth, uint32_t bin)
{
	const struct tacho__pack *pack = exact->pack;
	uint8_t *fits = &exact->fits[(size_t)bin * pack->piece_count];
	const uint8_t *old = &exact->old_fits[(size_t)depth * pack->piece_count];

	for (uint32_t i = 0; i < pack->piece_count; i++) {
		if (exact->bins->place[i] != TACHO__NO_LABEL)
			continue;
		exact->choices[i] += old[i] && !fits[i];
		exact->free_fits[i] += old[i] == FREE_FIT && fits[i] != FREE_FIT;
		exact->free_fits[i] -= old[i] != FREE_FIT && fits[i] == FREE_FIT;
	}
	memcpy(fits, old, pack->piece_count);
	memcpy(&exact->lost[(size_t)bin * pack->resource_count],
	       &exact->old_lost[(size_t)depth * pack->resource_count],
	       pack->resource_count * sizeof(*exact->lost));
}

static int try_bin(struct exact *exact, uint32_t depth, uint32_t piece, uint32_t bin)
{
	struct tacho__pack *pack = exact->pack;
	uint8_t *fits = &exact->fits[(size_t)bin * pack->piece_count];
	int found = 0, is_new = bin == exact->used;

	if (is_new) {
		exact->used++;
		memset(fits, FIT, pack->piece_count);
		for (uint32_t i = 0; i < pack->piece_count; i++)
			exact->choices[i]++;
	}
	memcpy(&exact->old_fits[(size_t)depth * pack->piece_count], fits, pack->piece_count);
	memcpy(&exact->old_lost[(size_t)depth * pack->resource_count],
	       &exact->lost[(size_t)bin * pack->resource_count],
	       pack->resource_count * sizeof(*exact->lost));
	note_keys(exact, piece, bin);
	tacho__bins_put(pack, exact->bins, piece, bin);
	look_at_bin(exact, bin);
	if (has_room(exact))
		found = place(exact, depth + 1);
	if (found == 1)
		return 1;
	restore_bin(exact, depth, bin);
	tacho__bins_take(pack, exact->bins, piece);
	forget_keys(exact, piece, bin);
	if (is_new) {
		exact->used--;
		memset(&exact->lost[(size_t)bin * pack->resource_count], 0,
		       pack->resource_count * sizeof(*exact->lost));
		for (uint32_t i = 0; i < pack->piece_count; i++)
			exact->choices[i]--;
	}
	return found;
}

/* The piece with the fewest bins to go to; what some bin has already goes first. */
static uint32_t choose_piece(const struct exact *exact)
{
	uint32_t best = TACHO__NO_LABEL, fewest = TACHO__NO_LABEL;

	for (uint32_t i = 0; i < exact->pack->piece_count && fewest; i++) {
		uint32_t piece = exact->order[i];
		uint32_t choices = exact->free_fits[piece] ? 0 : exact->choices[piece] + 1;

		if (exact->bins->place[piece] == TACHO__NO_LABEL && choices < fewest) {
			best = piece;
			fewest = choices;
		}
	}
	return best;
}

/* Of the empty bins one is like the other: only the first is tried. Cheap bins come first. */
static int try_bins(struct exact *exact, uint32_t depth, uint32_t piece)
{
	uint32_t used = exact->used, count = used < exact->bin_max ? used + 1 : used;
	int32_t *costs = &exact->costs[(size_t)depth * (exact->bin_max + 1)];
	int found = 0;

	for (uint32_t bin = 0; bin < count; bin++) {
		int fits = bin == used ||
			   exact->fits[(size_t)bin * exact->pack->piece_count + piece] != NO_FIT;

		costs[bin] = fits ? (int32_t)tacho__bin_cost(exact->pack, &exact->bins->bins[bin],
							     &exact->pack->pieces[piece])
				  : -1;
	}
	for (;;) {
		uint32_t best = count;

		for (uint32_t bin = 0; bin < count; bin++)
			if (costs[bin] >= 0 && (best == count || costs[bin] < costs[best]))
				best = bin;
		if (best == count)
			return 0;
		costs[best] = -1;
		found = try_bin(exact, depth, piece, best);
		if (found)
			return found;
	}
}

static int place(struct exact *exact, uint32_t depth)
{
	struct tacho__pack *pack = exact->pack;
	uint32_t piece = choose_piece(exact);

	pack->work += pack->piece_count;
	if (piece == TACHO__NO_LABEL)
		return 1;
	if (pack->work > pack->work_max)
		return -1;
	if (exact->free_fits[piece])
		for (uint32_t bin = 0; bin < exact->used; bin++)
			if (exact->fits[(size_t)bin * pack->piece_count + piece] == FREE_FIT)
				return try_bin(exact, depth, piece, bin);
	return try_bins(exact, depth, piece);
}

int tacho__pack_exact(struct tacho__pack *pack, struct tacho__bins *bins, size_t bin_count,
		      const uint32_t *order)
{
	struct exact exact = {pack, bins, order, (uint32_t)bin_count};

	if (pack->piece_count > PIECES_MAX)
		return -1;
	if (get_memory(&exact) != 0)
		return TACHO_E_NOMEM;
	for (uint32_t r = 0; r < pack->resource_count; r++)
		exact.room[r] = (int64_t)pack->resources[r].capacity * (int64_t)bin_count;
	for (uint32_t key = 0; key < pack->key_count; key++)
		exact.room[pack->key_resources[key]] -= pack->key_weights[key];
	if (!has_room(&exact))
		return 0;
	return place(&exact, 0);
}
