/* SPDX-License-Identifier: MIT */
/* Set cover: greedily first, then by trying all, as far as the work allowed goes. */
#include "plan/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { NODES_MAX = 100 * 1000 };

struct cover {
	struct tacho__cover_element *elements;
	size_t count, option_count;
	const uint32_t **members; /* for each option the elements that it would do for */
	size_t *member_counts;
	uint32_t *covered; /* for each element by how many chosen options */
	uint8_t *chosen, *best;
	size_t used, best_used, uncovered;
	size_t nodes;
};

static int index_options(struct tacho__arena *arena, struct cover *cover)
{
	for (size_t i = 0; i < cover->count; i++)
		for (size_t k = 0; k < cover->elements[i].count; k++)
			cover->member_counts[cover->elements[i].options[k]]++;
	for (size_t option = 0; option < cover->option_count; option++) {
		cover->members[option] = tacho__arena_get(
			arena, (cover->member_counts[option] + 1) * sizeof(uint32_t));
		if (!cover->members[option])
			return TACHO_E_NOMEM;
		cover->member_counts[option] = 0;
	}
	for (size_t i = 0; i < cover->count; i++)
		for (size_t k = 0; k < cover->elements[i].count; k++) {
			uint32_t option = cover->elements[i].options[k];
			uint32_t *members = (uint32_t *)cover->members[option];

			members[cover->member_counts[option]++] = (uint32_t)i;
		}
	return 0;
}

static int prepare(struct tacho__arena *arena, struct cover *cover)
{
	size_t options = cover->option_count + 1;

	cover->members = tacho__arena_get(arena, options * sizeof(*cover->members));
	cover->member_counts = tacho__arena_get(arena, options * sizeof(*cover->member_counts));
	cover->covered = tacho__arena_get(arena, (cover->count + 1) * sizeof(*cover->covered));
	cover->chosen = tacho__arena_get(arena, options);
	cover->best = tacho__arena_get(arena, options);
	if (!cover->members || !cover->member_counts || !cover->covered || !cover->chosen ||
	    !cover->best)
		return TACHO_E_NOMEM;
	cover->uncovered = cover->count;
	return index_options(arena, cover);
}

static void choose(struct cover *cover, uint32_t option)
{
	cover->chosen[option] = 1;
	cover->used++;
	for (size_t i = 0; i < cover->member_counts[option]; i++)
		cover->uncovered -= !cover->covered[cover->members[option][i]]++;
}

static void unchoose(struct cover *cover, uint32_t option)
{
	cover->chosen[option] = 0;
	cover->used--;
	for (size_t i = 0; i < cover->member_counts[option]; i++)
		cover->uncovered += !--cover->covered[cover->members[option][i]];
}

static size_t count_new(const struct cover *cover, uint32_t option)
{
	size_t count = 0;

	for (size_t i = 0; i < cover->member_counts[option]; i++)
		count += !cover->covered[cover->members[option][i]];
	return count;
}

static void keep(struct cover *cover)
{
	cover->best_used = cover->used;
	memcpy(cover->best, cover->chosen, cover->option_count);
}

static void search_greedily(struct cover *cover)
{
	while (cover->uncovered) {
		uint32_t best = 0;
		size_t most = 0;

		for (uint32_t option = 0; option < cover->option_count; option++) {
			size_t gain = count_new(cover, option);

			if (gain > most) {
				most = gain;
				best = option;
			}
		}
		choose(cover, best);
	}
	keep(cover);
	for (uint32_t option = 0; option < cover->option_count; option++)
		if (cover->chosen[option])
			unchoose(cover, option);
}

/* The uncovered element with the fewest options is decided first. */
static const struct tacho__cover_element *find_hardest(const struct cover *cover)
{
	const struct tacho__cover_element *hardest = NULL;

	for (size_t i = 0; i < cover->count; i++)
		if (!cover->covered[i] && (!hardest || cover->elements[i].count < hardest->count))
			hardest = &cover->elements[i];
	return hardest;
}

/* Options that the uncovered elements need at least. */
static size_t bound_rest(const struct cover *cover)
{
	size_t most = 1;

	for (uint32_t option = 0; option < cover->option_count; option++) {
		size_t gain = count_new(cover, option);

		if (gain > most)
			most = gain;
	}
	return (cover->uncovered + most - 1) / most;
}

/* 0: all was tried; -1: the work allowed ran out. */
static int search_all(struct cover *cover)
{
	const struct tacho__cover_element *element;
	int rc = 0;

	if (!cover->uncovered) {
		if (cover->used < cover->best_used)
			keep(cover);
		return 0;
	}
	if (++cover->nodes > NODES_MAX / (1 + cover->count / 64))
		return -1;
	if (cover->used + bound_rest(cover) >= cover->best_used)
		return 0;
	element = find_hardest(cover);
	for (size_t i = 0; i < element->count && !rc; i++) {
		choose(cover, element->options[i]);
		rc = search_all(cover);
		unchoose(cover, element->options[i]);
	}
	return rc;
}

int tacho__cover_find(struct tacho__arena *arena, struct tacho__cover_element *elements,
		      size_t count, size_t option_count, size_t *out_used, size_t *out_bound)
{
	struct cover cover = {.elements = elements, .count = count, .option_count = option_count};
	size_t bound;

	if (prepare(arena, &cover) != 0)
		return TACHO_E_NOMEM;
	bound = bound_rest(&cover);
	search_greedily(&cover);
	if (cover.best_used > bound && search_all(&cover) == 0)
		bound = cover.best_used;
	for (size_t i = 0; i < count; i++)
		for (size_t k = elements[i].count; k-- > 0;)
			if (cover.best[elements[i].options[k]])
				elements[i].choice = elements[i].options[k];
	*out_used = cover.best_used;
	*out_bound = bound;
	return 0;
}
