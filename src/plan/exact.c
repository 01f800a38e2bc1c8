/* SPDX-License-Identifier: MIT */
/* Exhaustive search: is there a packing into so many bins? Gives up after a bounded amount of work.
 */
#include "plan/pack.h"

struct exact {
	struct tacho__pack *pack;
	struct tacho__bins *bins;
	const uint32_t *order;
	size_t bin_max;
};

/* A bin that already has all of the piece takes it without any choice being lost. */
static int free_bin(struct exact *exact, const struct tacho__piece *piece)
{
	for (uint32_t bin = 0; bin < exact->bins->bin_count; bin++) {
		const struct tacho__bin *at = &exact->bins->bins[bin];
		int has = at->piece_count && tacho__bin_cost(exact->pack, at, piece) == 0;

		for (uint32_t i = 0; has && i < piece->item_count; i++)
			has = at->item_uses[piece->items[i]] != 0;
		for (size_t d = 0; has && d < exact->pack->problem->dimension_count; d++)
			has = piece->labels[d] == TACHO__NO_LABEL || at->label_uses[d];
		if (has)
			return (int)bin;
	}
	return -1;
}

static int place(struct exact *exact, uint32_t next, uint32_t used)
{
	struct tacho__pack *pack = exact->pack;
	uint32_t piece;
	int bin, found;

	if (next == pack->piece_count)
		return 1;
	if (pack->work > pack->work_max)
		return -1;
	piece = exact->order[next];
	bin = free_bin(exact, &pack->pieces[piece]);
	if (bin >= 0) {
		tacho__bins_put(pack, exact->bins, piece, (uint32_t)bin);
		found = place(exact, next + 1, used);
		if (found != 1)
			tacho__bins_take(pack, exact->bins, piece);
		return found;
	}
	/* Of the empty bins one is like the other: only the first is tried. */
	for (uint32_t i = 0; i <= used && i < exact->bin_max; i++) {
		if (tacho__bin_cost(pack, &exact->bins->bins[i], &pack->pieces[piece]) < 0)
			continue;
		tacho__bins_put(pack, exact->bins, piece, i);
		found = place(exact, next + 1, i == used ? used + 1 : used);
		if (found == 1)
			return 1;
		tacho__bins_take(pack, exact->bins, piece);
		if (found < 0)
			return -1;
	}
	return 0;
}

int tacho__pack_exact(struct tacho__pack *pack, struct tacho__bins *bins, size_t bin_count,
		      const uint32_t *order)
{
	struct exact exact = {pack, bins, order, bin_count};

	return place(&exact, 0, 0);
}
