/* SPDX-License-Identifier: MIT */
/* Packing from end to end: number the keys, make pieces, bound, search, put the passes in order. */
#include "plan/packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/pieces.h"

enum { WORK_BOUND = 10 * 1000 * 1000 };

static int compare_uses(const void *a_pointer, const void *b_pointer)
{
	const struct tacho__use *a = a_pointer, *b = b_pointer;

	if (a->resource != b->resource)
		return a->resource < b->resource ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

/* One item must fit into a pass that it has for itself. */
static int check_item(const struct tacho__problem *problem, const struct tacho__use *uses,
		      size_t count)
{
	for (size_t i = 0; i < count;) {
		const struct tacho__resource *resource = &problem->resources[uses[i].resource];
		size_t first = i, different = 0;

		for (; i < count && uses[i].resource == uses[first].resource; i++)
			different += i == first || uses[i].key != uses[i - 1].key;
		if (different > resource->capacity)
			return tacho__fail(TACHO_E_UNSUPPORTED,
					   tacho__detail("%s has %u slots, a counter needs %zu",
							 resource->name, resource->capacity,
							 different),
					   "leave out what is counted there",
					   "a counter of %s fits into no pass", resource->name);
	}
	return 0;
}

static int check_items(const struct tacho__problem *problem, struct tacho__use *uses)
{
	for (size_t i = 0; i < problem->item_count; i++) {
		const struct tacho__item *item = &problem->items[i];
		int error;

		if (item->use_count)
			memcpy(uses, item->uses, item->use_count * sizeof(*uses));
		qsort(uses, item->use_count, sizeof(*uses), compare_uses);
		error = check_item(problem, uses, item->use_count);
		if (error)
			return error;
	}
	return 0;
}

static size_t count_uses(const struct tacho__problem *problem)
{
	size_t count = 0;

	for (size_t i = 0; i < problem->item_count; i++)
		count += problem->items[i].use_count;
	return count;
}

static int get_keys(const struct tacho__problem *problem, struct tacho__arena *arena, size_t count,
		    struct tacho__keys *keys)
{
	keys->of_items = tacho__arena_get(arena, (count + 1) * sizeof(uint32_t));
	keys->ends = tacho__arena_get(arena, (problem->item_count + 1) * sizeof(uint32_t));
	keys->resources = tacho__arena_get(arena, (count + 1) * sizeof(uint32_t));
	return keys->of_items && keys->ends && keys->resources ? 0 : TACHO_E_NOMEM;
}

/* Keys of all resources get numbers, resource by resource. */
static int number_keys(const struct tacho__problem *problem, struct tacho__arena *arena,
		       struct tacho__keys *keys)
{
	size_t count = count_uses(problem), at = 0, kept = 0;
	struct tacho__use *all = tacho__arena_get(arena, (count + 1) * sizeof(*all));
	int error;

	if (!all || get_keys(problem, arena, count, keys) != 0)
		return TACHO_E_NOMEM;
	error = check_items(problem, all);
	if (error)
		return error;
	for (size_t i = 0; i < problem->item_count; i++)
		for (size_t k = 0; k < problem->items[i].use_count; k++)
			all[at++] = problem->items[i].uses[k];
	qsort(all, count, sizeof(*all), compare_uses);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_uses(&all[kept - 1], &all[i]) != 0)
			all[kept++] = all[i];
	for (size_t i = 0; i < kept; i++)
		keys->resources[i] = all[i].resource;
	keys->count = (uint32_t)kept;
	at = 0;
	for (size_t i = 0; i < problem->item_count; i++) {
		for (size_t k = 0; k < problem->items[i].use_count; k++) {
			const struct tacho__use *found = bsearch(&problem->items[i].uses[k], all,
								 kept, sizeof(*all), compare_uses);

			keys->of_items[at++] = (uint32_t)(found - all);
		}
		keys->ends[i] = (uint32_t)at;
	}
	return 0;
}

/* Which items each pass has: has[pass * items + item]. */
static uint8_t *fill_passes(struct tacho__pack *pack, const uint32_t *place, size_t pass_count)
{
	size_t items = pack->problem->item_count;
	uint8_t *has = tacho__arena_get(pack->arena, pass_count * items + 1);

	for (uint32_t i = 0; has && i < pack->piece_count; i++)
		for (uint32_t k = 0; k < pack->pieces[i].item_count; k++)
			has[place[i] * items + pack->pieces[i].items[k]] = 1;
	return has;
}

static size_t count_covered(const struct tacho__group *group, const uint8_t *has,
			    const uint32_t *passes)
{
	size_t count = 0;

	for (size_t i = 0; i < group->item_count; i++)
		count += passes[i] == TACHO__NO_LABEL && has[group->items[i]];
	return count;
}

/* Takes a group's items from as few passes as it can: always from the one that has most of them. */
static void assign(const struct tacho__problem *problem, const struct tacho__group *group,
		   const uint8_t *has, size_t pass_count, uint32_t *passes)
{
	size_t left = group->item_count;

	for (size_t i = 0; i < group->item_count; i++)
		passes[i] = TACHO__NO_LABEL;
	while (left) {
		size_t best = 0, best_count = 0;

		for (size_t pass = 0; pass < pass_count; pass++) {
			size_t count =
				count_covered(group, has + pass * problem->item_count, passes);

			if (count > best_count) {
				best = pass;
				best_count = count;
			}
		}
		for (size_t i = 0; i < group->item_count; i++)
			if (passes[i] == TACHO__NO_LABEL &&
			    has[best * problem->item_count + group->items[i]])
				passes[i] = (uint32_t)best;
		left -= best_count;
	}
}

/* Passes are shown in the order in which the groups first need them. */
static void order_passes(const struct tacho__problem *problem, uint32_t *const *group_passes,
			 size_t pass_count, uint32_t *out_rank)
{
	uint32_t next = 0;

	for (size_t pass = 0; pass < pass_count; pass++)
		out_rank[pass] = TACHO__NO_LABEL;
	for (size_t g = 0; g < problem->group_count; g++)
		for (size_t i = 0; i < problem->groups[g].item_count; i++)
			if (out_rank[group_passes[g][i]] == TACHO__NO_LABEL)
				out_rank[group_passes[g][i]] = next++;
	for (size_t pass = 0; pass < pass_count; pass++)
		if (out_rank[pass] == TACHO__NO_LABEL)
			out_rank[pass] = next++;
}

/* The items of the passes, in the passes' order; only what some group takes from there. */
static int list_items(const struct tacho__problem *problem, struct tacho__packing *packing)
{
	size_t items = problem->item_count, at = 0;
	uint8_t *needed = tacho__arena_get(&packing->arena, packing->pass_count * items + 1);

	packing->pass_items = tacho__arena_get(
		&packing->arena, (packing->pass_count * items + 1) * sizeof(*packing->pass_items));
	packing->pass_ends = tacho__arena_get(&packing->arena, (packing->pass_count + 1) *
								       sizeof(*packing->pass_ends));
	if (!needed || !packing->pass_items || !packing->pass_ends)
		return TACHO_E_NOMEM;
	for (size_t g = 0; g < problem->group_count; g++)
		for (size_t i = 0; i < problem->groups[g].item_count; i++)
			needed[packing->group_passes[g][i] * items + problem->groups[g].items[i]] =
				1;
	for (size_t pass = 0; pass < packing->pass_count; pass++) {
		for (size_t item = 0; item < items; item++)
			if (needed[pass * items + item])
				packing->pass_items[at++] = (uint32_t)item;
		packing->pass_ends[pass] = at;
	}
	return 0;
}

static int lay_out(struct tacho__pack *pack, const uint32_t *place, struct tacho__packing *packing)
{
	const struct tacho__problem *problem = pack->problem;
	uint8_t *has = fill_passes(pack, place, packing->pass_count);
	uint32_t *rank = tacho__arena_get(pack->arena, (packing->pass_count + 1) * sizeof(*rank));

	packing->group_passes = tacho__arena_get(
		&packing->arena, (problem->group_count + 1) * sizeof(*packing->group_passes));
	if (!has || !rank || !packing->group_passes)
		return TACHO_E_NOMEM;
	for (size_t g = 0; g < problem->group_count; g++) {
		packing->group_passes[g] =
			tacho__arena_get(&packing->arena, (problem->groups[g].item_count + 1) *
								  sizeof(**packing->group_passes));
		if (!packing->group_passes[g])
			return TACHO_E_NOMEM;
		assign(problem, &problem->groups[g], has, packing->pass_count,
		       packing->group_passes[g]);
	}
	order_passes(problem, packing->group_passes, packing->pass_count, rank);
	for (size_t g = 0; g < problem->group_count; g++)
		for (size_t i = 0; i < problem->groups[g].item_count; i++)
			packing->group_passes[g][i] = rank[packing->group_passes[g][i]];
	return list_items(problem, packing);
}

/* Searches with one kind of pieces and keeps what is better than before. */
static int try_pieces(struct tacho__pack *pack, struct tacho__packing *packing,
		      struct tacho__proof *out_proof)
{
	uint32_t *place;
	size_t count;
	int result = tacho__pack_search(pack, packing->lower_bound, &place, &count, out_proof);

	if (result || (packing->pass_count && count >= packing->pass_count))
		return result;
	packing->pass_count = count;
	packing->cap = pack->cap;
	return lay_out(pack, place, packing);
}

/* A proof is a bound that is reached. */
static void conclude(struct tacho__packing *packing, const struct tacho__proof *proof)
{
	size_t less = packing->pass_count - 1;

	if (proof->is_proved && packing->pass_count > packing->lower_bound) {
		packing->lower_bound = packing->pass_count;
		if (proof->by)
			snprintf(packing->binding, sizeof(packing->binding),
				 "%s: what belongs together does not go into %zu %s",
				 proof->by->name ? proof->by->name : "all blocks together", less,
				 less == 1 ? "pass" : "passes");
		else
			snprintf(packing->binding, sizeof(packing->binding),
				 "all ways to put what belongs together into %zu %s were tried",
				 less, less == 1 ? "pass" : "passes");
	}
	packing->is_optimal = packing->pass_count == packing->lower_bound;
}

/* Groups that fit into no pass in few parts first; if that needs more passes, item by item. */
static int search(const struct tacho__pack *pack, struct tacho__packing *packing)
{
	struct tacho__pack whole = *pack, loose;
	struct tacho__proof none, proof = {0};
	size_t unfit = 0;
	int result = tacho__pieces_make(&whole, 0, &unfit);

	loose = whole;
	loose.near_part = unfit ? 8 : 1;
	whole.near_part = 2;
	whole.proves_nothing = 1;
	if (result == 0 && unfit)
		result = tacho__pieces_make(&loose, 1, &unfit);
	if (result || (unfit && tacho__pack_reduce(&whole) != 0) || tacho__pack_reduce(&loose) != 0)
		return TACHO_E_NOMEM;
	loose.work_max = WORK_BOUND;
	result = tacho__pack_bound(&loose, &packing->lower_bound, packing->binding,
				   sizeof(packing->binding));
	if (result)
		return result;
	if (!loose.piece_count) {
		packing->is_optimal = 1;
		return lay_out(&loose, NULL, packing);
	}
	if (unfit)
		result = try_pieces(&whole, packing, &none);
	if (result == 0 && packing->pass_count != packing->lower_bound)
		result = try_pieces(&loose, packing, &proof);
	if (result == 0)
		conclude(packing, &proof);
	return result;
}

int tacho__problem_pack(const struct tacho__problem *problem, struct tacho__packing *out_packing)
{
	struct tacho__packing packing = {0};
	struct tacho__arena arena = {0};
	struct tacho__keys keys = {0};
	struct tacho__pack pack = {.problem = problem, .arena = &arena, .all_keys = &keys};
	int result;

	result = number_keys(problem, &arena, &keys);
	if (result == 0)
		result = search(&pack, &packing);
	tacho__arena_finish(&arena);
	if (result)
		tacho__packing_finish(&packing);
	else
		*out_packing = packing;
	return result;
}

void tacho__packing_finish(struct tacho__packing *packing)
{
	tacho__arena_finish(&packing->arena);
}
