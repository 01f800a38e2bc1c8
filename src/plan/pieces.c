/* SPDX-License-Identifier: MIT */
/* From groups to pieces: what fits into one pass stays together, the rest is split. */
#include "plan/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static const uint32_t *keys_of(const struct tacho__pack *pack, uint32_t item, uint32_t *out_count)
{
	uint32_t begin = item ? pack->all_keys->ends[item - 1] : 0;

	*out_count = pack->all_keys->ends[item] - begin;
	return pack->all_keys->of_items + begin;
}

/* Keys and labels of the items. *out_clash: two of them have different labels. */
static int describe(struct tacho__pack *pack, struct tacho__piece *piece, int *out_clash)
{
	size_t dimensions = pack->problem->dimension_count;
	uint32_t *keys, *labels, count = 0, n;

	for (uint32_t i = 0; i < piece->item_count; i++) {
		keys_of(pack, piece->items[i], &n);
		count += n;
	}
	keys = tacho__arena_get(pack->arena, (count + 1) * sizeof(*keys));
	labels = tacho__arena_get(pack->arena, (dimensions + 1) * sizeof(*labels));
	if (!keys || !labels)
		return TACHO_E_NOMEM;
	for (size_t d = 0; d < dimensions; d++)
		labels[d] = TACHO__NO_LABEL;
	count = 0;
	*out_clash = 0;
	for (uint32_t i = 0; i < piece->item_count; i++) {
		const struct tacho__item *item = &pack->problem->items[piece->items[i]];
		const uint32_t *own = keys_of(pack, piece->items[i], &n);

		if (n)
			memcpy(keys + count, own, n * sizeof(*keys));
		count += n;
		for (size_t k = 0; k < item->label_count; k++) {
			uint32_t *label = &labels[item->labels[k].dimension];

			*out_clash |= *label != TACHO__NO_LABEL && *label != item->labels[k].label;
			*label = item->labels[k].label;
		}
	}
	piece->keys = keys;
	piece->key_count = (uint32_t)tacho__array_sort_unique(keys, count);
	piece->labels = labels;
	return 0;
}

/* Whether the piece fits into a pass by itself, the cap aside. */
static int fits(const struct tacho__pack *pack, const struct tacho__piece *piece)
{
	for (uint32_t i = 0; i < piece->key_count;) {
		uint32_t resource = pack->all_keys->resources[piece->keys[i]], count = 0;

		while (i < piece->key_count &&
		       pack->all_keys->resources[piece->keys[i]] == resource) {
			count++;
			i++;
		}
		if (count > pack->problem->resources[resource].capacity)
			return 0;
	}
	return 1;
}

static int add(struct tacho__pack *pack, const struct tacho__piece *piece)
{
	pack->pieces[pack->piece_count++] = *piece;
	if (pack->cap && piece->item_count > pack->cap)
		pack->cap = piece->item_count;
	return 0;
}

static int add_single(struct tacho__pack *pack, uint32_t item)
{
	uint32_t *items = tacho__arena_get(pack->arena, sizeof(*items));
	struct tacho__piece piece = {.items = items, .item_count = 1};
	int clash;

	if (!items)
		return TACHO_E_NOMEM;
	items[0] = item;
	if (describe(pack, &piece, &clash) != 0)
		return TACHO_E_NOMEM;
	return add(pack, &piece);
}

static int add_singles(struct tacho__pack *pack, const struct tacho__piece *whole)
{
	for (uint32_t i = 0; i < whole->item_count; i++)
		if (add_single(pack, whole->items[i]) != 0)
			return TACHO_E_NOMEM;
	return 0;
}

/* The items of a group that fits into no pass, in as few parts as can be found. */
static int add_part(struct tacho__pack *pack, const struct tacho__piece *whole,
		    const uint32_t *place, uint32_t bin)
{
	uint32_t *items = tacho__arena_get(pack->arena, whole->item_count * sizeof(*items));
	struct tacho__piece part = {.items = items};
	int clash;

	if (!items)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < whole->item_count; i++)
		if (place[i] == bin)
			items[part.item_count++] = whole->items[i];
	if (describe(pack, &part, &clash) != 0)
		return TACHO_E_NOMEM;
	return add(pack, &part);
}

/* The items of a group that fits into no pass, in as few parts as can be found. */
static int add_parts(struct tacho__pack *pack, const struct tacho__piece *whole)
{
	struct tacho__pack singles = *pack;
	size_t bin_count = 0, bound;
	uint32_t *place;
	char binding[8];
	struct tacho__proof proof;
	int result = 0;

	singles.pieces = tacho__arena_get(pack->arena, whole->item_count * sizeof(*singles.pieces));
	singles.piece_count = 0;
	singles.cap = 0;
	singles.near_part = 8;
	if (!singles.pieces || add_singles(&singles, whole) != 0 ||
	    tacho__pack_reduce(&singles) != 0 ||
	    tacho__pack_bound(&singles, &bound, binding, sizeof(binding)) != 0 ||
	    tacho__pack_search(&singles, bound, &place, &bin_count, &proof) != 0)
		return TACHO_E_NOMEM;
	for (uint32_t bin = 0; result == 0 && bin < bin_count; bin++)
		result = add_part(pack, whole, place, bin);
	return result;
}

static int add_group(struct tacho__pack *pack, const struct tacho__group *group, int is_loose,
		     size_t *unfit)
{
	uint32_t *items = tacho__arena_get(pack->arena, (group->item_count + 1) * sizeof(*items));
	struct tacho__piece piece = {.items = items};
	int clash;

	if (!items)
		return TACHO_E_NOMEM;
	if (group->item_count)
		memcpy(items, group->items, group->item_count * sizeof(*items));
	piece.item_count = (uint32_t)tacho__array_sort_unique(items, group->item_count);
	if (!piece.item_count)
		return 0;
	if (pack->problem->splits)
		return add_singles(pack, &piece);
	if (describe(pack, &piece, &clash) != 0)
		return TACHO_E_NOMEM;
	if (!clash && fits(pack, &piece))
		return add(pack, &piece);
	++*unfit;
	return is_loose ? add_singles(pack, &piece) : add_parts(pack, &piece);
}

/* Large pieces first, so that what a piece contains comes behind it. */
static int compare_pieces(const void *a_pointer, const void *b_pointer)
{
	const struct tacho__piece *a = a_pointer, *b = b_pointer;

	if (a->item_count != b->item_count)
		return a->item_count > b->item_count ? -1 : 1;
	for (uint32_t i = 0; i < a->item_count; i++)
		if (a->items[i] != b->items[i])
			return a->items[i] < b->items[i] ? -1 : 1;
	return 0;
}

static int contains(const struct tacho__piece *large, const struct tacho__piece *small)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < small->item_count; i++) {
		while (at < large->item_count && large->items[at] < small->items[i])
			at++;
		if (at == large->item_count || large->items[at] != small->items[i])
			return 0;
	}
	return 1;
}

/* The pieces that have an item, as lists in arrays: an index + 1, 0 at the end. */
struct lists {
	uint32_t *first; /* of each item: in the two below */
	uint32_t *pieces, *next;
	uint32_t count;
};

static int get_lists(struct tacho__pack *pack, struct lists *lists)
{
	size_t count = 2;

	for (uint32_t i = 0; i < pack->piece_count; i++)
		count += pack->pieces[i].item_count;
	lists->first =
		tacho__arena_get(pack->arena, (pack->problem->item_count + 1) * sizeof(uint32_t));
	lists->pieces = tacho__arena_get(pack->arena, count * sizeof(uint32_t));
	lists->next = tacho__arena_get(pack->arena, count * sizeof(uint32_t));
	return lists->first && lists->pieces && lists->next ? 0 : TACHO_E_NOMEM;
}

static void note_items(struct lists *lists, const struct tacho__piece *piece, uint32_t number)
{
	for (uint32_t i = 0; i < piece->item_count; i++) {
		lists->pieces[++lists->count] = number;
		lists->next[lists->count] = lists->first[piece->items[i]];
		lists->first[piece->items[i]] = lists->count;
	}
}

static int drop_contained(struct tacho__pack *pack)
{
	struct lists lists = {0};
	uint32_t kept = 0;

	if (get_lists(pack, &lists) != 0)
		return TACHO_E_NOMEM;
	qsort(pack->pieces, pack->piece_count, sizeof(*pack->pieces), compare_pieces);
	for (uint32_t i = 0; i < pack->piece_count; i++) {
		uint32_t at = lists.first[pack->pieces[i].items[0]];

		while (at && !contains(&pack->pieces[lists.pieces[at]], &pack->pieces[i]))
			at = lists.next[at];
		if (at)
			continue;
		pack->pieces[kept] = pack->pieces[i];
		note_items(&lists, &pack->pieces[kept], kept);
		kept++;
	}
	pack->piece_count = kept;
	return 0;
}

int tacho__pieces_make(struct tacho__pack *pack, int is_loose, size_t *out_unfit)
{
	const struct tacho__problem *problem = pack->problem;
	size_t most = 1;

	*out_unfit = 0;
	pack->piece_count = 0;
	if (!is_loose)
		pack->cap = problem->cap;
	/* A group ends as itself, or as parts of at least one item each. */
	for (size_t i = 0; i < problem->group_count; i++)
		most += problem->groups[i].item_count + 1;
	pack->pieces = tacho__arena_get(pack->arena, most * sizeof(*pack->pieces));
	if (!pack->pieces)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < problem->group_count; i++)
		if (add_group(pack, &problem->groups[i], is_loose, out_unfit) != 0)
			return TACHO_E_NOMEM;
	return drop_contained(pack);
}
