/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds. Every piece is in some pass, so a resource needs as many passes as its different
 * keys fill; pieces with different labels of a dimension are in different passes, so what their
 * labels demand adds up; pieces of which no two fit together need a pass each.
 */
#include "plan/packing.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

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

struct bounding {
	struct tacho__pack *pack;
	struct tacho__bins one; /* a bin to try pairs in */
	uint8_t *seen;		/* keys that were counted */
	int has_failed;		/* memory ran out */
};

static void *get(struct bounding *bounding, size_t size)
{
	void *memory = tacho__arena_get(bounding->pack->arena, size);

	bounding->has_failed |= !memory;
	return memory;
}

/* The cap has no name. */
static void say(const struct binding *binding, const struct tacho__resource *resource,
		uint32_t needed)
{
	if (!binding->size)
		return;
	if (resource->name)
		snprintf(binding->text, binding->size, "%s: %u counters, %u %s", resource->name,
			 needed, resource->capacity, resource->capacity == 1 ? "slot" : "slots");
	else
		snprintf(binding->text, binding->size,
			 "all blocks together: %u counters, %u a pass", needed, resource->capacity);
}

static size_t divide_up(size_t number, size_t by)
{
	return by ? (number + by - 1) / by : 0;
}

/* Keys that the pieces of a set need, each counted once. */
static size_t bound_resources(struct bounding *bounding, const struct set *set,
			      const struct binding *binding)
{
	const struct tacho__pack *pack = bounding->pack;
	uint32_t *needed = get(bounding, (pack->resource_count + 1) * sizeof(*needed));
	uint8_t *seen = bounding->seen;
	size_t best = set->count > 0;

	if (!needed)
		return best;
	memset(seen, 0, pack->key_count);
	for (uint32_t i = 0; i < set->count; i++) {
		const struct tacho__piece *piece = &pack->pieces[set->pieces[i]];

		for (uint32_t k = 0; k < piece->key_count; k++) {
			if (!seen[piece->keys[k]])
				needed[pack->key_resources[piece->keys[k]]] +=
					pack->key_weights[piece->keys[k]];
			seen[piece->keys[k]] = 1;
		}
	}
	if (set->count && binding->size)
		snprintf(binding->text, binding->size, "everything fits into one pass");
	for (size_t r = 0; r < pack->resource_count; r++)
		if (divide_up(needed[r], pack->resources[r].capacity) > best) {
			best = divide_up(needed[r], pack->resources[r].capacity);
			say(binding, &pack->resources[r], needed[r]);
		}
	return best;
}

/* Weight of the keys of a resource that either of two pieces has. */
static uint32_t sum_keys(struct bounding *bounding, uint32_t resource, uint32_t a, uint32_t b)
{
	const struct tacho__pack *pack = bounding->pack;
	const struct tacho__piece *x = &pack->pieces[a], *y = &pack->pieces[b];
	uint32_t sum = 0, at = 0;

	for (uint32_t i = 0; i < x->key_count; i++)
		if (pack->key_resources[x->keys[i]] == resource)
			sum += pack->key_weights[x->keys[i]];
	for (uint32_t i = 0; i < y->key_count; i++) {
		while (at < x->key_count && x->keys[at] < y->keys[i])
			at++;
		if (pack->key_resources[y->keys[i]] == resource &&
		    (at == x->key_count || x->keys[at] != y->keys[i]))
			sum += pack->key_weights[y->keys[i]];
	}
	return sum;
}

/* Whether each two of the pieces are too much for a resource. */
static int is_contested(struct bounding *bounding, uint32_t resource, const uint32_t *pieces,
			uint32_t count)
{
	uint32_t capacity = bounding->pack->resources[resource].capacity;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < i; k++)
			if (sum_keys(bounding, resource, pieces[i], pieces[k]) <= capacity)
				return 0;
	return 1;
}

static void say_clique(struct bounding *bounding, const uint32_t *pieces, uint32_t count,
		       const struct binding *binding)
{
	const struct tacho__pack *pack = bounding->pack;

	for (uint32_t r = 0; r < pack->resource_count; r++)
		if (pack->resources[r].name && is_contested(bounding, r, pieces, count)) {
			snprintf(binding->text, binding->size,
				 "%s: %u entries of which no two fit into %u %s",
				 pack->resources[r].name, count, pack->resources[r].capacity,
				 pack->resources[r].capacity == 1 ? "slot" : "slots");
			return;
		}
	snprintf(binding->text, binding->size, "%u entries of which no two fit into one pass",
		 count);
}

/* Pieces of which no two fit into one pass, found greedily from several beginnings. */
static size_t bound_clique(struct bounding *bounding, const struct set *set,
			   const struct binding *binding)
{
	struct tacho__pack *pack = bounding->pack;
	struct tacho__bin *bin = &bounding->one.bins[0];
	uint32_t *clique = get(bounding, (set->count + 1) * sizeof(*clique));
	uint32_t best = 0;

	for (uint32_t start = 0; clique && start < set->count && start < CLIQUE_STARTS; start++) {
		uint32_t count = 0;

		for (uint32_t n = 0; n < set->count && pack->work < pack->work_max; n++) {
			uint32_t candidate = set->pieces[(start + n) % set->count], i;

			tacho__bins_put(pack, &bounding->one, candidate, 0);
			for (i = 0; i < count; i++)
				if (tacho__bin_cost(pack, bin, &pack->pieces[clique[i]]) >= 0)
					break;
			tacho__bins_take(pack, &bounding->one, candidate);
			if (i == count)
				clique[count++] = candidate;
		}
		if (count > best) {
			best = count;
			if (binding->size)
				say_clique(bounding, clique, count, binding);
		}
	}
	return best;
}

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
		snprintf(binding->text, binding->size, "%.126s; %zu more %s for %s", largest,
			 sum - most, sum - most == 1 ? "pass" : "passes", dimension);
}

/* The sum of what each label of a dimension demands. */
static size_t bound_labels(struct bounding *bounding, const struct set *set, size_t dimension,
			   uint32_t dimensions_left, unsigned depth, const struct binding *binding)
{
	struct tacho__pack *pack = bounding->pack;
	uint32_t *part = get(bounding, (set->count + 1) * sizeof(*part));
	uint8_t *done = get(bounding, set->count + 1);
	char text[128] = "", largest[128] = "";
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
	size_t best = bound_resources(bounding, set, binding), other;
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
	other = bound_clique(bounding, set, &tried);
	if (other > best) {
		best = other;
		snprintf(binding->text, binding->size, "%s", text);
	}
	return best;
}

int tacho__pack_bound(struct tacho__pack *pack, size_t *out_bound, char *out_binding, size_t size)
{
	struct bounding bounding = {.pack = pack};
	const struct binding binding = {out_binding, size};
	uint32_t *pieces = get(&bounding, (pack->piece_count + 1) * sizeof(*pieces));
	const struct set all = {pieces, pack->piece_count};

	out_binding[0] = '\0';
	bounding.seen = get(&bounding, pack->key_count + 1);
	if (bounding.has_failed || tacho__bins_init(pack, &bounding.one) != 0 ||
	    tacho__bins_add(pack, &bounding.one) != 0)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < pack->piece_count; i++)
		pieces[i] = i;
	*out_bound = pack->piece_count ? bound(&bounding, &all, UINT32_MAX, 0, &binding) : 0;
	return bounding.has_failed ? TACHO_E_NOMEM : 0;
}
