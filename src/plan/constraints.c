/* SPDX-License-Identifier: MIT */
/*
 * What the catalog says of blocks becomes resources, conflicts and a cap.
 *
 * A block is a resource with its slots, and an event in it is a key; all instances of a block that
 * the catalog names once are programmed alike. A family of shader stages is a resource too, over
 * all shader engines, and a conflict. What adds up a counter takes a slot of its own next to the
 * counter's, which it shares with all that need the counter.
 */
#include "plan/constraints.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"

enum { USES_MAX = 4, LABELS_MAX = 6 };
enum dimension { STAGE, ALONE, APART, MASK, SET, MODE, DIMENSIONS };

/* An event with what is done with it: what a slot can be programmed to. */
struct key {
	uint64_t event;
	enum tacho__resolution resolution;
};

struct building {
	const struct tacho_config *config;
	struct tacho__constraints *out;
	struct tacho__arena *arena;
	const struct tacho_set **sets; /* one per entry */
	struct tacho__part *parts;
	size_t part_count;
	struct key *keys; /* sorted, each once */
	size_t key_count;
	struct tacho__resource *resources;
	const char **families;
	size_t resource_count;
	struct tacho__map block_resources; /* index + 1 */
	struct tacho__names stage_resources;
	int has_alone, has_apart, has_modes;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Blocks and sets lie in arrays, in the catalog's order. */
static int compare_parts(const void *a_pointer, const void *b_pointer)
{
	const struct tacho__part *a = a_pointer, *b = b_pointer;
	int order = compare_numbers((uintptr_t)a->block, (uintptr_t)b->block);

	if (!order)
		order = compare_numbers(a->need.counter->event, b->need.counter->event);
	if (!order)
		order = compare_numbers(a->need.resolution, b->need.resolution);
	if (!order)
		order = strcmp(a->need.counter->name, b->need.counter->name);
	if (!order)
		order = compare_numbers((uintptr_t)a->set, (uintptr_t)b->set);
	return order ? order : compare_numbers(a->mode, b->mode);
}

static int compare_keys(const void *a_pointer, const void *b_pointer)
{
	const struct key *a = a_pointer, *b = b_pointer;
	int by_event = compare_numbers(a->event, b->event);

	return by_event ? by_event : compare_numbers(a->resolution, b->resolution);
}

static struct tacho__part make_part(const struct building *building, size_t entry,
				    const struct tacho__need *need)
{
	struct tacho__part part = {
		.need = *need,
		.block = *need->counter->block ? tacho_arch_find_block(building->config->arch,
								       need->counter->block)
					       : NULL,
		.mode = building->config->entries[entry].entry.mode,
	};

	if (need->counter->is_programmed)
		part.set = building->sets[entry];
	return part;
}

/* Every different part of all entries, sorted. */
static int list_parts(struct building *building)
{
	const struct tacho_config *config = building->config;
	size_t most = 1, count = 0, kept = 0;

	for (size_t i = 0; i < config->entry_count; i++)
		most += config->entries[i].need_count;
	building->parts = tacho__arena_get(building->arena, most * sizeof(*building->parts));
	building->keys = tacho__arena_get(building->arena, 2 * most * sizeof(*building->keys));
	if (!building->parts || !building->keys)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < config->entry_count; i++)
		for (size_t k = 0; k < config->entries[i].need_count; k++)
			building->parts[count++] =
				make_part(building, i, &config->entries[i].needs[k]);
	qsort(building->parts, count, sizeof(*building->parts), compare_parts);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_parts(&building->parts[kept - 1], &building->parts[i]) != 0)
			building->parts[kept++] = building->parts[i];
	building->part_count = kept;
	return 0;
}

static void list_keys(struct building *building)
{
	struct key *keys = building->keys;
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < building->part_count; i++) {
		const struct tacho__need *need = &building->parts[i].need;

		keys[count++] = (struct key){need->counter->event, TACHO__PLAIN};
		keys[count++] = (struct key){need->counter->event, need->resolution};
	}
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_keys(&keys[kept - 1], &keys[i]) != 0)
			keys[kept++] = keys[i];
	building->key_count = kept;
}

static uint32_t find_key(const struct building *building, uint64_t event,
			 enum tacho__resolution resolution)
{
	const struct key key = {event, resolution};
	const struct key *found =
		bsearch(&key, building->keys, building->key_count, sizeof(key), compare_keys);

	return (uint32_t)(found - building->keys);
}

static uint32_t add_resource(struct building *building, const char *name, const char *family,
			     uint32_t capacity)
{
	building->resources[building->resource_count] = (struct tacho__resource){name, capacity};
	building->families[building->resource_count] = family;
	return (uint32_t)building->resource_count++;
}

static int find_block_resource(struct building *building, const struct tacho_block *block,
			       uint32_t *out_resource)
{
	uintptr_t known = (uintptr_t)tacho__map_get(&building->block_resources, (uintptr_t)block);

	if (known) {
		*out_resource = (uint32_t)(known - 1);
		return 0;
	}
	*out_resource = add_resource(building, block->name, block->family, block->slots);
	return tacho__map_set(&building->block_resources, (uintptr_t)block,
			      (void *)((uintptr_t)*out_resource + 1));
}

static int find_stage_resource(struct building *building, const struct tacho_block *block,
			       uint32_t *out_resource)
{
	uintptr_t known = (uintptr_t)tacho__names_get(&building->stage_resources, block->stage);
	size_t size = strlen(block->stage) + sizeof(" stage");
	char *name;

	if (known) {
		*out_resource = (uint32_t)(known - 1);
		return 0;
	}
	name = tacho__arena_get(building->arena, size);
	if (!name)
		return TACHO_E_NOMEM;
	strcat(strcpy(name, block->stage), " stage");
	*out_resource = add_resource(building, name, name,
				     block->stage_slots ? block->stage_slots : block->slots);
	return tacho__names_set(&building->stage_resources, block->stage,
				(void *)((uintptr_t)*out_resource + 1));
}

static int has_word(const char *words, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += size)
		if ((at == words || at[-1] == ' ') && (!at[size] || at[size] == ' '))
			return 1;
	return 0;
}

static void add_use(const struct building *building, const struct tacho__part *part,
		    uint32_t resource, struct tacho__use *uses, size_t *count)
{
	const struct tacho__need *need = &part->need;

	uses[(*count)++] = (struct tacho__use){
		resource, find_key(building, need->counter->event, TACHO__PLAIN)};
	if (need->resolution != TACHO__PLAIN)
		uses[(*count)++] = (struct tacho__use){
			resource, find_key(building, need->counter->event, need->resolution)};
}

static int list_uses(struct building *building, const struct tacho__part *part,
		     struct tacho__item *item)
{
	struct tacho__use *uses = tacho__arena_get(building->arena, USES_MAX * sizeof(*uses));
	uint32_t resource;

	if (!uses)
		return TACHO_E_NOMEM;
	item->uses = uses;
	if (!part->block)
		return 0;
	if (find_block_resource(building, part->block, &resource) != 0)
		return TACHO_E_NOMEM;
	add_use(building, part, resource, uses, &item->use_count);
	if (!*part->block->stage)
		return 0;
	if (find_stage_resource(building, part->block, &resource) != 0)
		return TACHO_E_NOMEM;
	add_use(building, part, resource, uses, &item->use_count);
	return 0;
}

#define KINDS UINT32_C(0x40000000) /* more than there are counters */

/*
 * What a counter must be alone with, from 1; 0: it need not be. "alone" is with no other; "alone:3"
 * with those of its kind, of which three have numbers in a row.
 */
static uint32_t find_kind(const struct tacho__part *part, size_t index)
{
	static const char word[] = "alone";
	const char *words = part->block ? part->block->attributes : NULL;
	const char *kinds = words ? strstr(words, "alone:") : NULL;
	unsigned long size = kinds ? strtoul(kinds + sizeof(word), NULL, 10) : 0;

	if (size)
		return KINDS + (uint32_t)(part->need.counter->event / size) % KINDS;
	return words && has_word(words, word) ? (uint32_t)index + 1 : 0;
}

/*
 * Counters that are alone exclude each other and all that are neither alone nor apart; those that
 * are apart exclude the latter only. So time stamps of several kinds may be in one pass.
 */
static void add_solitude(const struct building *building, size_t index, struct tacho__item *item,
			 struct tacho__label *labels)
{
	const struct tacho_block *block = building->parts[index].block;
	uint32_t kind = find_kind(&building->parts[index], index);
	int is_apart = block && has_word(block->attributes, "apart");

	if (building->has_alone && !is_apart)
		labels[item->label_count++] = (struct tacho__label){ALONE, kind};
	if (building->has_apart && !kind)
		labels[item->label_count++] = (struct tacho__label){APART, (uint32_t)is_apart};
}

/*
 * A block that masks counts one shader stage, and the mask it sets holds for the blocks that are
 * masked, too: what is counted there would be that stage's alone.
 */
static void add_mask(const struct tacho_block *block, struct tacho__item *item,
		     struct tacho__label *labels)
{
	if (block && has_word(block->attributes, "masks"))
		labels[item->label_count++] = (struct tacho__label){MASK, 1};
	else if (block && has_word(block->attributes, "masked"))
		labels[item->label_count++] = (struct tacho__label){MASK, 0};
}

static int list_labels(struct building *building, size_t index, struct tacho__item *item)
{
	const struct tacho__part *part = &building->parts[index];
	struct tacho__label *labels =
		tacho__arena_get(building->arena, LABELS_MAX * sizeof(*labels));
	uintptr_t stage;

	if (!labels)
		return TACHO_E_NOMEM;
	item->labels = labels;
	if (part->block && *part->block->stage) {
		stage = (uintptr_t)tacho__names_get(&building->stage_resources, part->block->stage);
		labels[item->label_count++] = (struct tacho__label){STAGE, (uint32_t)stage};
	}
	add_solitude(building, index, item, labels);
	add_mask(part->block, item, labels);
	if (part->set)
		for (uint32_t i = 0; tacho_arch_get_set(building->config->arch, i); i++)
			if (tacho_arch_get_set(building->config->arch, i) == part->set)
				labels[item->label_count++] = (struct tacho__label){SET, i};
	if (building->has_modes)
		labels[item->label_count++] = (struct tacho__label){MODE, part->mode};
	return 0;
}

static int make_items(struct building *building)
{
	static const char *const names[DIMENSIONS] = {
		[STAGE] = "shader stages",
		[ALONE] = "counters that must be alone",
		[APART] = "counters apart from others",
		[MASK] = "blocks that a shader stage is masked for",
		[SET] = "metric sets",
		[MODE] = "modes",
	};
	struct tacho__problem *problem = &building->out->problem;
	struct tacho__item *items;

	building->resources = tacho__arena_get(
		building->arena, (2 * building->part_count + 1) * sizeof(*building->resources));
	building->families = tacho__arena_get(building->arena, (2 * building->part_count + 1) *
								       sizeof(*building->families));
	items = tacho__arena_get(building->arena, (building->part_count + 1) * sizeof(*items));
	if (!building->resources || !building->families || !items)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < building->part_count; i++) {
		const struct tacho_block *block = building->parts[i].block;

		building->has_alone |= find_kind(&building->parts[i], i) != 0;
		building->has_apart |= block && has_word(block->attributes, "apart");
		building->has_modes |= building->parts[i].mode != TACHO_MODE_DEFAULT;
	}
	for (size_t i = 0; i < building->part_count; i++)
		if (list_uses(building, &building->parts[i], &items[i]) != 0 ||
		    list_labels(building, i, &items[i]) != 0)
			return TACHO_E_NOMEM;
	problem->items = items;
	problem->item_count = building->part_count;
	problem->resources = building->resources;
	problem->resource_count = building->resource_count;
	problem->dimensions = names;
	problem->dimension_count = DIMENSIONS;
	return 0;
}

static int make_groups(struct building *building)
{
	const struct tacho_config *config = building->config;
	struct tacho__problem *problem = &building->out->problem;
	struct tacho__group *groups =
		tacho__arena_get(building->arena, (config->entry_count + 1) * sizeof(*groups));

	if (!groups)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < config->entry_count; i++) {
		const struct tacho__wanted *wanted = &config->entries[i];
		uint32_t *items = tacho__arena_get(building->arena,
						   (wanted->need_count + 1) * sizeof(*items));

		if (!items)
			return TACHO_E_NOMEM;
		for (size_t k = 0; k < wanted->need_count; k++) {
			struct tacho__part part = make_part(building, i, &wanted->needs[k]);
			const struct tacho__part *found =
				bsearch(&part, building->parts, building->part_count, sizeof(part),
					compare_parts);

			items[k] = (uint32_t)(found - building->parts);
		}
		groups[i] = (struct tacho__group){items, wanted->need_count};
	}
	problem->groups = groups;
	problem->group_count = config->entry_count;
	return 0;
}

int tacho__constraints_make(const struct tacho_config *config, uint32_t policy, int no_cap,
			    struct tacho__constraints *out_constraints)
{
	struct tacho__constraints constraints = {0};
	struct building building = {
		.config = config, .out = &constraints, .arena = &constraints.arena};
	int rc = tacho__sets_choose(config, building.arena, &building.sets, &constraints.has_choice,
				    &constraints.choice_bound);

	if (!rc)
		rc = list_parts(&building);
	if (!rc) {
		list_keys(&building);
		rc = make_items(&building);
	}
	if (!rc)
		rc = make_groups(&building);
	tacho__map_finish(&building.block_resources);
	tacho__names_finish(&building.stage_resources);
	if (rc) {
		tacho__arena_finish(&constraints.arena);
		return rc;
	}
	constraints.parts = building.parts;
	constraints.families = building.families;
	constraints.problem.cap = no_cap ? 0 : config->arch->pass_cap;
	constraints.problem.splits = policy == TACHO_POLICY_FEWEST;
	*out_constraints = constraints;
	return 0;
}

void tacho__constraints_finish(struct tacho__constraints *constraints)
{
	tacho__arena_finish(&constraints->arena);
}
