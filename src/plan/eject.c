/* SPDX-License-Identifier: MIT */
/*
 * One bin less: the pieces of a bin go into a pool, and each is put into another bin, from where it
 * drives out what it has no room beside. Pieces that were often without a bin become hard to drive
 * out. It is the ejection of Nagata and Bräysy (2009), made for vehicles and their routes.
 */
#include "base/error.h"
#include "plan/packing.h"

struct pool {
	struct tacho__pack *pack;
	struct tacho__bins *bins;
	uint32_t *waiting; /* pieces without a bin */
	uint32_t count;
	uint32_t *failures; /* of each piece, from 1 */
	uint32_t *members;  /* of the bin that is looked at */
	uint32_t member_count;
	uint32_t *driven; /* what would leave it */
	uint32_t driven_count;
	uint64_t random;
};

static uint32_t draw(struct pool *pool, uint32_t below)
{
	pool->random = pool->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(pool->random >> 33) % below;
}

/* Any of them: in a fixed order the same few would drive each other out for ever. */
static uint32_t take_waiting(struct pool *pool)
{
	uint32_t at = draw(pool, pool->count), piece = pool->waiting[at];

	pool->waiting[at] = pool->waiting[--pool->count];
	return piece;
}

static int clashes(const struct pool *pool, uint32_t a, uint32_t b)
{
	const uint32_t *x = pool->pack->pieces[a].labels, *y = pool->pack->pieces[b].labels;

	for (size_t d = 0; d < pool->pack->problem->dimension_count; d++)
		if (x[d] != TACHO__NO_LABEL && y[d] != TACHO__NO_LABEL && x[d] != y[d])
			return 1;
	return 0;
}

static int is_too_full(const struct pool *pool, const struct tacho__bin *bin)
{
	for (uint32_t r = 0; r < pool->pack->resource_count; r++)
		if (bin->used[r] > pool->pack->resources[r].capacity)
			return 1;
	return 0;
}

/* How much of its excess a bin would lose with a piece; a shared key counts a little. */
static uint64_t find_relief(struct pool *pool, const struct tacho__bin *bin, uint32_t piece)
{
	const struct tacho__pack *pack = pool->pack;
	const struct tacho__piece *at = &pack->pieces[piece];
	uint64_t relief = 0;

	pool->pack->work += at->key_count;
	for (uint32_t i = 0; i < at->key_count;) {
		uint32_t resource = pack->key_resources[at->keys[i]];
		uint64_t capacity = pack->resources[resource].capacity, own = 0;

		for (; i < at->key_count && pack->key_resources[at->keys[i]] == resource; i++)
			own += (uint64_t)pack->key_weights[at->keys[i]] * 64 /
			       (bin->key_uses[at->keys[i]] == 1 ? 1 : 32);
		if (bin->used[resource] <= capacity)
			continue;
		if (own > 64 * (bin->used[resource] - capacity))
			own = 64 * (bin->used[resource] - capacity);
		relief += own;
	}
	return relief;
}

/* Returns how hard the piece is to place. */
static uint64_t drive_out(struct pool *pool, uint32_t member)
{
	uint32_t piece = pool->members[member];

	tacho__bins_take(pool->pack, pool->bins, piece);
	pool->driven[pool->driven_count++] = piece;
	pool->members[member] = pool->members[--pool->member_count];
	return pool->failures[piece];
}

static void list_members(struct pool *pool, uint32_t bin)
{
	pool->pack->work += pool->pack->piece_count / 4;
	pool->member_count = 0;
	for (uint32_t i = 0; i < pool->pack->piece_count; i++)
		if (pool->bins->place[i] == bin)
			pool->members[pool->member_count++] = i;
	pool->pack->work += pool->member_count;
}

/* The member that gives most room for what it takes to place it; there is one. */
static uint32_t find_victim(struct pool *pool, const struct tacho__bin *bin)
{
	uint32_t best = 0;
	uint64_t best_relief = 0;

	for (uint32_t i = 0; i < pool->member_count; i++) {
		uint64_t relief = find_relief(pool, bin, pool->members[i]);

		if (relief * pool->failures[pool->members[best]] >
		    best_relief * pool->failures[pool->members[i]]) {
			best = i;
			best_relief = relief;
		}
	}
	return best;
}

/*
 * Puts a piece into a bin and drives others out until it fits, or until that is worse than `most`.
 * Returns how hard those are to place together; they are in pool->driven.
 */
static uint64_t push(struct pool *pool, uint32_t piece, uint32_t number, uint64_t most)
{
	struct tacho__bin *bin = &pool->bins->bins[number];
	uint64_t sum = 0;

	pool->driven_count = 0;
	list_members(pool, number);
	for (uint32_t i = pool->member_count; i-- > 0;)
		if (clashes(pool, pool->members[i], piece))
			sum += drive_out(pool, i);
	tacho__bins_put(pool->pack, pool->bins, piece, number);
	while (sum <= most && is_too_full(pool, bin))
		sum += drive_out(pool, find_victim(pool, bin));
	return sum;
}

static void pull(struct pool *pool, uint32_t piece, uint32_t number)
{
	tacho__bins_take(pool->pack, pool->bins, piece);
	while (pool->driven_count)
		tacho__bins_put(pool->pack, pool->bins, pool->driven[--pool->driven_count], number);
}

/* The bin that has the piece at the least cost, or none. */
static uint32_t find_bin(struct pool *pool, uint32_t piece)
{
	uint32_t best = TACHO__NO_LABEL;
	int64_t best_cost = INT64_MAX;

	for (uint32_t i = 0; i < pool->bins->bin_count; i++) {
		int64_t cost = tacho__bin_cost(pool->pack, &pool->bins->bins[i],
					       &pool->pack->pieces[piece]);

		if (cost >= 0 && cost < best_cost) {
			best = i;
			best_cost = cost;
		}
	}
	return best;
}

/* The bin where least is driven out; what is as good is chosen at random. */
static void push_best(struct pool *pool, uint32_t piece)
{
	uint64_t least = UINT64_MAX;
	uint32_t best = 0, equal = 0;

	for (uint32_t bin = 0; bin < pool->bins->bin_count; bin++) {
		uint64_t sum = push(pool, piece, bin, least);

		pull(pool, piece, bin);
		equal = sum < least ? 1 : equal + (sum == least);
		if (sum < least || (sum == least && draw(pool, equal) == 0))
			best = bin;
		least = sum < least ? sum : least;
	}
	push(pool, piece, best, UINT64_MAX);
	while (pool->driven_count)
		pool->waiting[pool->count++] = pool->driven[--pool->driven_count];
}

static int get_memory(struct pool *pool)
{
	size_t size = (pool->pack->piece_count + 1) * sizeof(uint32_t);

	pool->waiting = tacho__arena_get(pool->pack->arena, size);
	pool->failures = tacho__arena_get(pool->pack->arena, size);
	pool->members = tacho__arena_get(pool->pack->arena, size);
	pool->driven = tacho__arena_get(pool->pack->arena, size);
	return pool->waiting && pool->failures && pool->members && pool->driven ? 0 : TACHO_E_NOMEM;
}

/* The bin of a packing that has fewest pieces. */
static uint32_t find_smallest(const struct pool *pool, const uint32_t *place, size_t bin_count)
{
	uint32_t smallest = 0, fewest = UINT32_MAX;

	for (uint32_t bin = 0; bin < bin_count; bin++) {
		uint32_t count = 0;

		for (uint32_t i = 0; i < pool->pack->piece_count; i++)
			count += place[i] == bin;
		if (count < fewest) {
			fewest = count;
			smallest = bin;
		}
	}
	return smallest;
}

/* All pieces where they were, but for those of one bin; the last bin takes its place. */
static int begin(struct pool *pool, const uint32_t *place, size_t bin_count, const uint32_t *order)
{
	uint32_t gone = find_smallest(pool, place, bin_count);

	while (pool->bins->bin_count < bin_count - 1)
		if (tacho__bins_add(pool->pack, pool->bins) != 0)
			return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < pool->pack->piece_count; i++) {
		uint32_t piece = order[i], bin = place[piece];

		pool->failures[piece] = 1;
		if (bin == gone)
			pool->waiting[pool->count++] = piece;
		else
			tacho__bins_put(pool->pack, pool->bins, piece,
					bin == bin_count - 1 ? gone : bin);
	}
	return 0;
}

int tacho__pack_eject(struct tacho__pack *pack, struct tacho__bins *bins, const uint32_t *place,
		      size_t bin_count, const uint32_t *order)
{
	struct pool pool = {.pack = pack, .bins = bins, .random = 1};

	if (get_memory(&pool) != 0 || begin(&pool, place, bin_count, order) != 0)
		return TACHO_E_NOMEM;
	while (pool.count && pack->work < pack->work_max) {
		uint32_t piece = take_waiting(&pool), bin = find_bin(&pool, piece);

		if (bin != TACHO__NO_LABEL) {
			tacho__bins_put(pack, bins, piece, bin);
			continue;
		}
		pool.failures[piece]++;
		push_best(&pool, piece);
	}
	return pool.count == 0;
}
