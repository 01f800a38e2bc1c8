/* SPDX-License-Identifier: MIT */
/* Bins: what a pass in the making holds, kept by counts so that pieces can leave again. */
#include "plan/packing.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"

int tacho__bins_init(struct tacho__pack *pack, struct tacho__bins *out_bins)
{
	memset(out_bins, 0, sizeof(*out_bins));
	out_bins->bin_capacity = pack->piece_count ? pack->piece_count : 1;
	out_bins->bins =
		tacho__arena_get(pack->arena, out_bins->bin_capacity * sizeof(*out_bins->bins));
	out_bins->place =
		tacho__arena_get(pack->arena, out_bins->bin_capacity * sizeof(*out_bins->place));
	if (!out_bins->bins || !out_bins->place)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < pack->piece_count; i++)
		out_bins->place[i] = TACHO__NO_LABEL;
	return 0;
}

int tacho__bins_add(struct tacho__pack *pack, struct tacho__bins *bins)
{
	const struct tacho__problem *problem = pack->problem;
	struct tacho__bin *bin = &bins->bins[bins->bin_count];
	size_t dimensions = problem->dimension_count + 1;

	if (!bin->key_uses) {
		bin->key_uses = tacho__arena_get(pack->arena,
						 (pack->key_count + 1) * sizeof(*bin->key_uses));
		bin->used = tacho__arena_get(pack->arena,
					     (pack->resource_count + 1) * sizeof(*bin->used));
		bin->labels = tacho__arena_get(pack->arena, dimensions * sizeof(*bin->labels));
		bin->label_uses =
			tacho__arena_get(pack->arena, dimensions * sizeof(*bin->label_uses));
		if (!bin->key_uses || !bin->used || !bin->labels || !bin->label_uses)
			return TACHO_E_NOMEM;
	}
	bins->bin_count++;
	return 0;
}

int64_t tacho__bin_cost(struct tacho__pack *pack, const struct tacho__bin *bin,
			const struct tacho__piece *piece)
{
	int64_t cost = 0;

	pack->work += piece->key_count + 1;
	for (size_t d = 0; d < pack->problem->dimension_count; d++)
		if (piece->labels[d] != TACHO__NO_LABEL && bin->label_uses[d] &&
		    bin->labels[d] != piece->labels[d])
			return -1;
	for (uint32_t i = 0; i < piece->key_count;) {
		uint32_t resource = pack->key_resources[piece->keys[i]], added = 0;

		for (; i < piece->key_count && pack->key_resources[piece->keys[i]] == resource; i++)
			if (!bin->key_uses[piece->keys[i]])
				added += pack->key_weights[piece->keys[i]];
		if (bin->used[resource] + added > pack->resources[resource].capacity)
			return -1;
		cost += added;
	}
	return cost;
}

void tacho__bins_put(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t index,
		     uint32_t bin_index)
{
	const struct tacho__piece *piece = &pack->pieces[index];
	struct tacho__bin *bin = &bins->bins[bin_index];

	pack->work += piece->key_count;
	for (uint32_t i = 0; i < piece->key_count; i++)
		if (!bin->key_uses[piece->keys[i]]++) {
			bin->used[pack->key_resources[piece->keys[i]]] +=
				pack->key_weights[piece->keys[i]];
			bin->fill += pack->key_weights[piece->keys[i]];
		}
	for (size_t d = 0; d < pack->problem->dimension_count; d++)
		if (piece->labels[d] != TACHO__NO_LABEL) {
			bin->labels[d] = piece->labels[d];
			bin->label_uses[d]++;
		}
	bin->piece_count++;
	bins->place[index] = bin_index;
}

void tacho__bins_take(struct tacho__pack *pack, struct tacho__bins *bins, uint32_t index)
{
	const struct tacho__piece *piece = &pack->pieces[index];
	struct tacho__bin *bin = &bins->bins[bins->place[index]];

	pack->work += piece->key_count;
	for (uint32_t i = 0; i < piece->key_count; i++)
		if (!--bin->key_uses[piece->keys[i]]) {
			bin->used[pack->key_resources[piece->keys[i]]] -=
				pack->key_weights[piece->keys[i]];
			bin->fill -= pack->key_weights[piece->keys[i]];
		}
	for (size_t d = 0; d < pack->problem->dimension_count; d++)
		bin->label_uses[d] -= piece->labels[d] != TACHO__NO_LABEL;
	bin->piece_count--;
	bins->place[index] = TACHO__NO_LABEL;
}
