/* SPDX-License-Identifier: MIT */
/*
 * Making a problem small before it is searched. What moves are pieces, so keys that the same pieces
 * have are one key with a weight, and so are items, which matter for the cap only. After that many
 * resources ask the same: those of a block's instances, which are all programmed alike. One of
 * them is enough, and none whose keys all fit at once.
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "plan/packing.h"

/* A key of a resource, or an item as a key of the cap. */
struct element {
	uint32_t resource, class, number;
};

/* Keys of one resource and one class. */
struct part {
	uint32_t class, weight;
	uint32_t key; /* its number among those that stay, or TACHO__NO_LABEL */
};

struct row {
	struct part *parts; /* by class */
	uint32_t count, total, resource, capacity;
};

struct reducing {
	struct tacho__pack *pack;
	struct element *elements; /* those that pieces have, by resource and class */
	uint32_t element_count, element_max;
	uint32_t *classes;	     /* of each element number; 0: no piece has it */
	uint32_t *next_class, *seen; /* of each class: what becomes of it, and for which piece */
	uint32_t class_count;
	struct part *parts;
	uint32_t *element_parts; /* of each element number */
	struct row *rows;
	uint32_t row_count;
};

static uint32_t number_item(const struct reducing *reducing, uint32_t item)
{
	return reducing->pack->all_keys->count + item;
}

static int get_memory(struct reducing *reducing)
{
	const struct tacho__pack *pack = reducing->pack;
	struct tacho__arena *arena = pack->arena;
	size_t elements = pack->all_keys->count + pack->problem->item_count + 1, classes = 2;

	for (uint32_t i = 0; i < pack->piece_count; i++)
		classes += pack->pieces[i].key_count + pack->pieces[i].item_count;
	reducing->element_max = (uint32_t)elements - 1;
	reducing->elements = tacho__arena_get(arena, elements * sizeof(*reducing->elements));
	reducing->classes = tacho__arena_get(arena, elements * sizeof(uint32_t));
	reducing->next_class = tacho__arena_get(arena, classes * sizeof(uint32_t));
	reducing->seen = tacho__arena_get(arena, classes * sizeof(uint32_t));
	reducing->parts = tacho__arena_get(arena, elements * sizeof(*reducing->parts));
	reducing->element_parts = tacho__arena_get(arena, elements * sizeof(uint32_t));
	reducing->rows = tacho__arena_get(arena, (pack->problem->resource_count + 2) *
							 sizeof(*reducing->rows));
	return reducing->elements && reducing->classes && reducing->next_class && reducing->seen &&
			       reducing->parts && reducing->element_parts && reducing->rows
		       ? 0
		       : -1;
}

static void split_class(struct reducing *reducing, uint32_t number, uint32_t piece)
{
	uint32_t *class = &reducing->classes[number];

	if (reducing->seen[*class] != piece + 1) {
		reducing->seen[*class] = piece + 1;
		reducing->next_class[*class] = reducing->class_count++;
	}
	*class = reducing->next_class[*class];
}

/* Two elements end in one class when the same pieces have them. */
static void classify(struct reducing *reducing)
{
	const struct tacho__pack *pack = reducing->pack;

	reducing->class_count = 1;
	for (uint32_t i = 0; i < pack->piece_count; i++) {
		const struct tacho__piece *piece = &pack->pieces[i];

		for (uint32_t k = 0; k < piece->key_count; k++)
			split_class(reducing, piece->keys[k], i);
		for (uint32_t k = 0; k < piece->item_count; k++)
			split_class(reducing, number_item(reducing, piece->items[k]), i);
	}
}

static int compare_elements(const void *a_pointer, const void *b_pointer)
{
	const struct element *a = a_pointer, *b = b_pointer;

	if (a->resource != b->resource)
		return a->resource < b->resource ? -1 : 1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* The cap is one resource more. */
static void list_elements(struct reducing *reducing)
{
	const struct tacho__pack *pack = reducing->pack;
	uint32_t keys = pack->all_keys->count;

	for (uint32_t i = 0; i < reducing->element_max; i++) {
		uint32_t resource = i < keys ? pack->all_keys->resources[i]
					     : (uint32_t)pack->problem->resource_count;

		if (reducing->classes[i] && (i < keys || pack->cap))
			reducing->elements[reducing->element_count++] =
				(struct element){resource, reducing->classes[i], i};
	}
	qsort(reducing->elements, reducing->element_count, sizeof(*reducing->elements),
	      compare_elements);
}

static void list_rows(struct reducing *reducing)
{
	const struct tacho__problem *problem = reducing->pack->problem;
	struct part *part = reducing->parts - 1;
	struct row *row = reducing->rows - 1;

	for (uint32_t i = 0; i < reducing->element_count; i++) {
		const struct element *element = &reducing->elements[i];
		int is_new = !i || element[-1].resource != element->resource;

		if (is_new) {
			row++;
			row->parts = part + 1;
			row->resource = element->resource;
			row->capacity = element->resource < problem->resource_count
						? problem->resources[element->resource].capacity
						: reducing->pack->cap;
		}
		if (is_new || element[-1].class != element->class) {
			*++part = (struct part){element->class, 0, TACHO__NO_LABEL};
			row->count++;
		}
		part->weight++;
		row->total++;
		reducing->element_parts[element->number] = (uint32_t)(part - reducing->parts);
	}
	reducing->row_count = (uint32_t)(row + 1 - reducing->rows);
}

/* Rows that ask the same follow each other, the one with the least capacity first. */
static int compare_rows(const void *a_pointer, const void *b_pointer)
{
	const struct row *a = *(const struct row *const *)a_pointer;
	const struct row *b = *(const struct row *const *)b_pointer;

	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (uint32_t i = 0; i < a->count; i++) {
		if (a->parts[i].class != b->parts[i].class)
			return a->parts[i].class < b->parts[i].class ? -1 : 1;
		if (a->parts[i].weight != b->parts[i].weight)
			return a->parts[i].weight < b->parts[i].weight ? -1 : 1;
	}
	if (a->capacity != b->capacity)
		return a->capacity < b->capacity ? -1 : 1;
	return a->resource < b->resource ? -1 : a->resource > b->resource;
}

static int asks_same(const struct row *a, const struct row *b)
{
	if (a->count != b->count)
		return 0;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->parts[i].class != b->parts[i].class ||
		    a->parts[i].weight != b->parts[i].weight)
			return 0;
	return 1;
}

/* Rows that say nothing new, or nothing at all, get the capacity for everything. */
static int drop_rows(struct reducing *reducing)
{
	struct row **order = tacho__arena_get(reducing->pack->arena,
					      (reducing->row_count + 1) * sizeof(struct row *));

	if (!order)
		return -1;
	for (uint32_t i = 0; i < reducing->row_count; i++)
		order[i] = &reducing->rows[i];
	qsort(order, reducing->row_count, sizeof(*order), compare_rows);
	for (uint32_t i = 1; i < reducing->row_count; i++)
		if (asks_same(order[i - 1], order[i]))
			order[i]->capacity = order[i]->total;
	return 0;
}

/* The resources that stay, and the numbers of their keys. */
static int number_rows(struct reducing *reducing)
{
	struct tacho__pack *pack = reducing->pack;
	const struct tacho__problem *problem = pack->problem;
	size_t keys = reducing->element_count + 1;

	pack->resources =
		tacho__arena_get(pack->arena, (reducing->row_count + 1) * sizeof(*pack->resources));
	pack->key_resources = tacho__arena_get(pack->arena, keys * sizeof(uint32_t));
	pack->key_weights = tacho__arena_get(pack->arena, keys * sizeof(uint32_t));
	if (!pack->resources || !pack->key_resources || !pack->key_weights)
		return -1;
	pack->key_count = pack->resource_count = 0;
	for (uint32_t i = 0; i < reducing->row_count; i++) {
		const struct row *row = &reducing->rows[i];

		if (row->total <= row->capacity)
			continue;
		for (uint32_t k = 0; k < row->count; k++) {
			pack->key_resources[pack->key_count] = pack->resource_count;
			pack->key_weights[pack->key_count] = row->parts[k].weight;
			row->parts[k].key = pack->key_count++;
		}
		pack->resources[pack->resource_count++] =
			(struct tacho__resource){row->resource < problem->resource_count
							 ? problem->resources[row->resource].name
							 : NULL,
						 row->capacity};
	}
	return 0;
}

static void add_key(const struct reducing *reducing, uint32_t number, uint32_t *keys,
		    uint32_t *count)
{
	uint32_t key = reducing->parts[reducing->element_parts[number]].key;

	if (key != TACHO__NO_LABEL)
		keys[(*count)++] = key;
}

static int renumber(const struct reducing *reducing, struct tacho__piece *piece)
{
	uint32_t *keys = tacho__arena_get(
		reducing->pack->arena, (piece->key_count + piece->item_count + 1) * sizeof(*keys));
	uint32_t count = 0;

	if (!keys)
		return -1;
	for (uint32_t i = 0; i < piece->key_count; i++)
		add_key(reducing, piece->keys[i], keys, &count);
	for (uint32_t i = 0; i < piece->item_count && reducing->pack->cap; i++)
		add_key(reducing, number_item(reducing, piece->items[i]), keys, &count);
	piece->keys = keys;
	piece->key_count = (uint32_t)tacho__array_sort_unique(keys, count);
	return 0;
}

int tacho__pack_reduce(struct tacho__pack *pack)
{
	struct reducing reducing = {.pack = pack};

	if (get_memory(&reducing) != 0)
		return TACHO_E_NOMEM;
	classify(&reducing);
	list_elements(&reducing);
	list_rows(&reducing);
	if (drop_rows(&reducing) != 0 || number_rows(&reducing) != 0)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < pack->piece_count; i++)
		if (renumber(&reducing, &pack->pieces[i]) != 0)
			return TACHO_E_NOMEM;
	return 0;
}
