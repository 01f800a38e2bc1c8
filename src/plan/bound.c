/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds. Every piece is in some pass, so a resource needs as many passes as its different
 * keys fill; pieces with different labels of a dimension are in different passes, so what their
 * labels demand adds up; pieces of which no two fit together need a pass each.
 */
#include "plan/pack.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 3, CLIQUE_STARTS = 8 };

/* A set of pieces, by their numbers. */
struct set {
	const uint32_t *pieces;
	uint32_t count;
};

struct binding {
	char *text;
	size_t size;
};

static void say(const struct binding *binding, const char *what, uint32_t needed, uint32_t capacity)
{
	if (binding->size)
		snprintf(binding->text, binding->size, "%s: %u counters, %u %s", what, needed,
			 capacity, capacity == 1 ? "slot" : "slots");
}

static size_t divide_up(size_t number, size_t by)
{
	return by ? (number + by - 1) / by : 0;
}

/* Keys and items that the pieces of a set need, each counted once. */
static size_t bound_resources(struct tacho__pack *pack, const struct set *set, uint8_t *seen,
			      const struct binding *binding)
{
	const struct tacho__problem *problem = pack->problem;
	uint8_t *seen_items = seen + pack->key_count;
	uint32_t *needed =
		tacho__arena_get(&pack->arena, (problem->resource_count + 1) * sizeof(*needed));
	uint32_t items = 0;
	size_t best = set->count > 0;

	if (!needed)
		return best;
	memset(seen, 0, pack->key_count + problem->item_count);
	for (uint32_t i = 0; i < set->count; i++) {
		const struct tacho__piece *piece = &pack->pieces[set->pieces[i]];

		for (uint32_t k = 0; k < piece->key_count; k++) {
			needed[pack->key_resource[piece->keys[k]]] += !seen[piece->keys[k]];
			seen[piece->keys[k]] = 1;
		}
		for (uint32_t k = 0; k < piece->item_count; k++) {
			items += !seen_items[piece->items[k]];
			seen_items[piece->items[k]] = 1;
		}
	}
	if (set->count && binding->size)
		snprintf(binding->text, binding->size, "everything fits into one pass");
	for (size_t r = 0; r < problem->resource_count; r++)
		if (divide_up(needed[r], problem->resources[r].capacity) > best) {
			best = divide_up(needed[r], problem->resources[r].capacity);
			say(binding, problem->resources[r].name, needed[r],
			    problem->resources[r].capacity);
		}
	if (pack->cap && divide_up(items, pack->cap) > best) {
		best = divide_up(items, pack->cap);
		if (binding->size)
			snprintf(binding->text, binding->size,
				 "all blocks together: %u counters, %u a pass", items, pack->cap);
	}
	return best;
}

/* Pieces of which no two fit into one pass, found greedily from several beginnings. */
static size_t bound_clique(struct tacho__pack *pack, const struct set *set, struct tacho__bins *one,
			   const struct binding *binding)
{
	uint32_t *clique = tacho__arena_get(&pack->arena, (set->count + 1) * sizeof(*clique));
	size_t best = 0;

	for (uint32_t start = 0; clique && start < set->count && start < CLIQUE_STARTS; start++) {
		uint32_t count = 0;

		for (uint32_t n = 0; n < set->count && pack->work < pack->work_max; n++) {
			uint32_t candidate = set->pieces[(start + n) % set->count], i;

			tacho__bins_put(pack, one, candidate, 0);
			for (i = 0; i < count; i++)
				if (tacho__bin_cost(pack, &one->bins[0],
						    &pack->pieces[clique[i]]) >= 0)
					break;
			tacho__bins_take(pack, one, candidate);
			if (i == count)
				clique[count++] = candidate;
		}
		if (count > best)
			best = count;
	}
	if (binding->size)
		snprintf(binding->text, binding->size,
			 "%zu entries of which no two fit into one pass", best);
	return best;
}

struct bounding {
	struct tacho__pack *pack;
	struct tacho__bins one; /* a bin to try pairs in */
	uint8_t *seen;
};

static size_t bound(struct bounding *bounding, const struct set *set, uint32_t dimensions_left,
		    unsigned depth, const struct binding *binding);

/* What binds the label that demands most, and what is added by the others. */
static void say_labels(const struct binding *binding, const char *dimension, size_t labels,
		       const char *largest, size_t most, size_t sum)
{
	if (!binding->size)
		return;
	if (labels < 2)
		snprintf(binding->text, binding->size, "%s", largest);
	else if (most < 2)
		snprintf(binding->text, binding->size, "%s: %zu kinds exclude each other",
			 dimension, labels);
	else
		snprintf(binding->text, binding->size, "%.90s: %zu passes, and %zu by %s", largest,
			 most, sum - most, dimension);
}

/* The sum of what each label of a dimension demands. */
static size_t bound_labels(struct bounding *bounding, const struct set *set, size_t dimension,
			   uint32_t dimensions_left, unsigned depth, const struct binding *binding)
{
	struct tacho__pack *pack = bounding->pack;
	uint32_t *part = tacho__arena_get(&pack->arena, (set->count + 1) * sizeof(*part));
	uint8_t *done = tacho__arena_get(&pack->arena, set->count + 1);
	char text[96] = "", largest[96] = "";
	size_t sum = 0, parts = 0, most = 0;

	if (!part || !done)
		return 0;
	for (uint32_t i = 0; i < set->count; i++) {
		uint32_t label = pack->pieces[set->pieces[i]].labels[dimension];
		struct set same = {part, 0};
		struct binding inner = {text, binding->size ? sizeof(text) : 0};
		size_t one;

		if (done[i] || label == TACHO__NO_LABEL)
			continue;
		for (uint32_t k = i; k < set->count; k++)
			if (pack->pieces[set->pieces[k]].labels[dimension] == label) {
				part[same.count++] = set->pieces[k];
				done[k] = 1;
			}
		one = bound(bounding, &same, dimensions_left, depth + 1, &inner);
		if (one > most) {
			most = one;
			memcpy(largest, text, sizeof(largest));
		}
		sum += one;
		parts++;
	}
	say_labels(binding, pack->problem->dimensions[dimension], parts, largest, most, sum);
	return sum;
}

static size_t bound(struct bounding *bounding, const struct set *set, uint32_t dimensions_left,
		    unsigned depth, const struct binding *binding)
{
	struct tacho__pack *pack = bounding->pack;
	size_t best = bound_resources(pack, set, bounding->seen, binding), other;
	char text[160];
	const struct binding tried = {text, binding->size ? sizeof(text) : 0};

	for (size_t d = 0; depth < DEPTH_MAX && d < pack->problem->dimension_count && d < 32; d++) {
		if (!(dimensions_left >> d & 1))
			continue;
		other = bound_labels(bounding, set, d, dimensions_left & ~(UINT32_C(1) << d), depth,
				     &tried);
		if (other > best) {
			best = other;
			snprintf(binding->text, binding->size, "%s", text);
		}
	}
	other = bound_clique(pack, set, &bounding->one, &tried);
	if (other > best) {
		best = other;
		snprintf(binding->text, binding->size, "%s", text);
	}
	return best;
}

size_t tacho__pack_bound(struct tacho__pack *pack, char *out_binding, size_t size)
{
	struct bounding bounding = {.pack = pack};
	const struct binding binding = {out_binding, size};
	struct set all = {0};
	uint32_t *pieces =
		tacho__arena_get(&pack->arena, (pack->piece_count + 1) * sizeof(*pieces));

	out_binding[0] = '\0';
	bounding.seen =
		tacho__arena_get(&pack->arena, pack->key_count + pack->problem->item_count + 1);
	if (!pieces || !bounding.seen || !pack->piece_count ||
	    tacho__bins_init(pack, &bounding.one) != 0 || tacho__bins_add(pack, &bounding.one) != 0)
		return pack->piece_count > 0;
	for (uint32_t i = 0; i < pack->piece_count; i++)
		pieces[i] = i;
	all.pieces = pieces;
	all.count = pack->piece_count;
	return bound(&bounding, &all, UINT32_MAX, 0, &binding);
}
