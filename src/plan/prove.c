/* SPDX-License-Identifier: MIT */
/*
 * Proofs by one resource: when what the pieces need of it does not go into so many bins, whatever
 * else they need does not matter. Of one resource most pieces are contained in others, so that an
 * exhaustive search comes to an end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/packing.h"

static int is_within(const struct tacho__pack *pack, const struct tacho__piece *small,
		     const struct tacho__piece *large)
{
	uint32_t at = 0;

	for (size_t d = 0; d < pack->problem->dimension_count; d++)
		if (small->labels[d] != TACHO__NO_LABEL && small->labels[d] != large->labels[d])
			return 0;
	for (uint32_t i = 0; i < small->key_count; i++) {
		while (at < large->key_count && large->keys[at] < small->keys[i])
			at++;
		if (at == large->key_count || large->keys[at] != small->keys[i])
			return 0;
	}
	return 1;
}

/* The keys from `begin` to `end` of a piece, numbered anew. */
static int cut(const struct tacho__pack *pack, const struct tacho__piece *whole, uint32_t begin,
	       uint32_t end, struct tacho__piece *out_piece)
{
	uint32_t *keys = tacho__arena_get(pack->arena, (whole->key_count + 1) * sizeof(*keys));
	uint32_t count = 0;

	if (!keys)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < whole->key_count; i++)
		if (whole->keys[i] >= begin && whole->keys[i] < end)
			keys[count++] = whole->keys[i] - begin;
	*out_piece = *whole;
	out_piece->keys = keys;
	out_piece->key_count = count;
	return 0;
}

/* Large pieces first; equal ones in the order in which they were. */
static void sort(struct tacho__piece *pieces, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct tacho__piece piece = pieces[i];
		uint32_t k = i;

		for (; k > 0 && pieces[k - 1].key_count < piece.key_count; k--)
			pieces[k] = pieces[k - 1];
		pieces[k] = piece;
	}
}

static int project(const struct tacho__pack *pack, uint32_t resource, struct tacho__pack *out_pack)
{
	struct tacho__piece *pieces =
		tacho__arena_get(pack->arena, (pack->piece_count + 1) * sizeof(*pieces));
	uint32_t kept = 0, begin = 0, end;

	while (begin < pack->key_count && pack->key_resources[begin] != resource)
		begin++;
	for (end = begin; end < pack->key_count && pack->key_resources[end] == resource;)
		end++;
	if (!pieces)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < pack->piece_count; i++)
		if (cut(pack, &pack->pieces[i], begin, end, &pieces[i]) != 0)
			return TACHO_E_NOMEM;
	sort(pieces, pack->piece_count);
	for (uint32_t i = 0; i < pack->piece_count; i++) {
		uint32_t k = 0;

		while (k < kept && !is_within(pack, &pieces[i], &pieces[k]))
			k++;
		if (k == kept)
			pieces[kept++] = pieces[i];
	}
	*out_pack = *pack;
	out_pack->pieces = pieces;
	out_pack->piece_count = kept;
	out_pack->resources = &pack->resources[resource];
	out_pack->resource_count = 1;
	out_pack->key_resources =
		tacho__arena_get(pack->arena, (end - begin + 1) * sizeof(uint32_t));
	out_pack->key_weights += begin;
	out_pack->key_count = end - begin;
	return out_pack->key_resources ? 0 : TACHO_E_NOMEM;
}

int tacho__pack_prove(struct tacho__pack *pack, uint32_t resource, size_t bin_count)
{
	struct tacho__pack part;
	struct tacho__bins bins;
	uint32_t *order;

	if (project(pack, resource, &part) != 0)
		return TACHO_E_NOMEM;
	order = tacho__arena_get(pack->arena, (part.piece_count + 1) * sizeof(*order));
	if (!order || tacho__bins_init(&part, &bins) != 0)
		return TACHO_E_NOMEM;
	if (part.piece_count <= bin_count)
		return 1;
	for (uint32_t i = 0; i < part.piece_count; i++)
		order[i] = i;
	while (bins.bin_count < bin_count)
		if (tacho__bins_add(&part, &bins) != 0)
			return TACHO_E_NOMEM;
	part.work = 0;
	return tacho__pack_exact(&part, &bins, bin_count, order);
}
