/* SPDX-License-Identifier: MIT */
/*
 * Which exclusive set is programmed for which entry. An entry needs one when a counter of it counts
 * what the set chooses; any set that has the entry would do. A raw counter, and a metric that no
 * set has, do with any set in which something reads each of these counters.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "plan/constraints.h"
#include "plan/cover.h"

enum { MODES = TACHO_MODE_PIPELINED + 1 };

struct named {
	const char *name;
	size_t index;
};

struct choosing {
	const struct tacho_config *config;
	struct tacho__arena *arena;
	const struct tacho_set **sets; /* the exclusive ones */
	size_t set_count;
	struct tacho__map *reads; /* for each of them the counters that something reads; lazily */
	uint8_t *is_read;	  /* reads[] is filled */
	struct named *order; /* the config's entries by name: the order given changes nothing */
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static int list_sets(struct choosing *choosing)
{
	const struct tacho_arch *arch = choosing->config->arch;
	const struct tacho_set *set;
	size_t count = 0;

	while (tacho_arch_get_set(arch, count))
		count++;
	choosing->sets = tacho__arena_get(choosing->arena, (count + 1) * sizeof(set));
	choosing->reads =
		tacho__arena_get(choosing->arena, (count + 1) * sizeof(struct tacho__map));
	choosing->is_read = tacho__arena_get(choosing->arena, count + 1);
	if (!choosing->sets || !choosing->reads || !choosing->is_read)
		return TACHO_E_NOMEM;
	for (size_t i = 0; (set = tacho_arch_get_set(arch, i)); i++)
		if (set->is_exclusive)
			choosing->sets[choosing->set_count++] = set;
	return 0;
}

static int has_programmed(const struct tacho__wanted *wanted)
{
	for (size_t i = 0; i < wanted->need_count; i++)
		if (wanted->needs[i].counter->is_programmed)
			return 1;
	return 0;
}

static int has_entry(const struct tacho_set *set, const struct tacho_entry *entry)
{
	for (size_t i = 0; i < set->entry_count; i++)
		if (set->entries[i] == entry)
			return 1;
	return 0;
}

/* Notes the counters that the entries of a set read. */
static int fill_reads(struct choosing *choosing, size_t index)
{
	const struct tacho_set *set = choosing->sets[index];
	int rc = 0;

	choosing->is_read[index] = 1;
	for (size_t i = 0; i < set->entry_count && !rc; i++) {
		const struct tacho_entry **inputs;
		size_t count;

		if (set->entries[i]->kind != TACHO_ENTRY_METRIC)
			continue;
		rc = tacho_arch_list_inputs(choosing->config->arch, set->entries[i], &inputs,
					    &count);
		if (rc) {
			rc = rc == TACHO_E_NOMEM ? rc : 0;
			continue;
		}
		for (size_t k = 0; k < count && !rc; k++)
			rc = tacho__map_set(&choosing->reads[index], (uintptr_t)inputs[k],
					    choosing);
		free(inputs);
	}
	return rc;
}

static int reads_all(struct choosing *choosing, size_t index, const struct tacho__wanted *wanted,
		     int *out_does)
{
	if (!choosing->is_read[index] && fill_reads(choosing, index) != 0)
		return TACHO_E_NOMEM;
	*out_does = 1;
	for (size_t i = 0; i < wanted->need_count; i++)
		if (wanted->needs[i].counter->is_programmed &&
		    !tacho__map_get(&choosing->reads[index], (uintptr_t)wanted->needs[i].counter))
			*out_does = 0;
	return 0;
}

/* The sets that would do for an entry; none: it is free. */
static int list_options(struct choosing *choosing, const struct tacho__wanted *wanted,
			struct tacho__cover_element *element)
{
	uint32_t *options =
		tacho__arena_get(choosing->arena, (choosing->set_count + 1) * sizeof(*options));

	if (!options)
		return TACHO_E_NOMEM;
	element->options = options;
	if (!has_programmed(wanted))
		return 0;
	for (size_t i = 0; i < choosing->set_count; i++)
		if (has_entry(choosing->sets[i], wanted->definition))
			options[element->count++] = (uint32_t)i;
	if (element->count)
		return 0;
	for (size_t i = 0; i < choosing->set_count; i++) {
		int does;

		if (reads_all(choosing, i, wanted, &does) != 0)
			return TACHO_E_NOMEM;
		if (does)
			options[element->count++] = (uint32_t)i;
	}
	return 0;
}

/* One mode: its passes have sets of their own. */
static int choose_mode(struct choosing *choosing, uint32_t mode, const struct tacho_set **out_sets,
		       int *has_choice, size_t *bound)
{
	const struct tacho_config *config = choosing->config;
	size_t capacity = config->entry_count + 1, count = 0, members = 0, used, least = 0;
	struct tacho__cover_element *elements =
		tacho__arena_get(choosing->arena, capacity * sizeof(*elements));
	size_t *of_entry = tacho__arena_get(choosing->arena, capacity * sizeof(*of_entry));

	if (!elements || !of_entry)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < config->entry_count; i++) {
		const struct tacho__wanted *wanted = &config->entries[choosing->order[i].index];
		struct tacho__cover_element *element = &elements[count];

		if (wanted->entry.mode != mode)
			continue;
		members += wanted->need_count > 0;
		if (list_options(choosing, wanted, element) != 0)
			return TACHO_E_NOMEM;
		*has_choice |= element->count > 1;
		of_entry[count] = choosing->order[i].index;
		count += element->count > 0;
	}
	if (count && tacho__cover_find(choosing->arena, elements, count, choosing->set_count, &used,
				       &least) != 0)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++)
		out_sets[of_entry[i]] = choosing->sets[elements[i].choice];
	*bound += members && !least ? 1 : least;
	return 0;
}

int tacho__sets_choose(const struct tacho_config *config, struct tacho__arena *arena,
		       const struct tacho_set ***out_sets, int *out_has_choice, size_t *out_bound)
{
	struct choosing choosing = {.config = config, .arena = arena};
	const struct tacho_set **sets =
		tacho__arena_get(arena, (config->entry_count + 1) * sizeof(*sets));
	int has_choice = 0, rc;
	size_t bound = 0;

	choosing.order =
		tacho__arena_get(arena, (config->entry_count + 1) * sizeof(*choosing.order));
	if (!sets || !choosing.order)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < config->entry_count; i++)
		choosing.order[i] = (struct named){config->entries[i].entry.name, i};
	qsort(choosing.order, config->entry_count, sizeof(*choosing.order), compare_names);
	rc = list_sets(&choosing);
	for (uint32_t mode = 0; mode < MODES && !rc && choosing.set_count; mode++)
		rc = choose_mode(&choosing, mode, sets, &has_choice, &bound);
	for (size_t i = 0; i < choosing.set_count; i++)
		tacho__map_finish(&choosing.reads[i]);
	if (rc)
		return rc;
	*out_sets = sets;
	*out_has_choice = has_choice;
	*out_bound = bound;
	return 0;
}
