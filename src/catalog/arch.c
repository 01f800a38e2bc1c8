/* SPDX-License-Identifier: MIT */
/* Filling an architecture. */
#include "catalog/arch.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"

const struct tacho_arch *tacho__arch_public(const struct tacho__arch *arch)
{
	return &arch->arch;
}

static void or_empty(const char **string)
{
	if (!*string)
		*string = "";
}

void tacho__entry_complete(struct tacho_entry *entry)
{
	const char **strings[] = {
		&entry->description, &entry->group,   &entry->unit,	    &entry->block,
		&entry->notation,    &entry->maximum, &entry->availability, &entry->expression,
		&entry->better,	     &entry->advice,  &entry->caveat,	    &entry->source,
		&entry->file,	     &entry->title,   &entry->semantic,	    &entry->joins,
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(strings); i++)
		or_empty(strings[i]);
	if (entry->range_low == 0 && entry->range_high == 0) /* as {0}: nothing is stated */
		entry->range_low = entry->range_high = NAN;
}

static int append_entry(struct tacho__arch *arch, struct tacho_entry **out_entry)
{
	struct tacho_entry *entry;

	if (tacho__array_reserve(&arch->entries, &arch->entry_capacity, arch->entry_count,
				 sizeof(struct tacho_entry *)))
		return TACHO_E_NOMEM;
	entry = tacho__arena_get(&arch->catalog->arena, sizeof(*entry));
	if (!entry)
		return TACHO_E_NOMEM;
	arch->entries[arch->entry_count++] = entry;
	*out_entry = entry;
	return 0;
}

static int add_aliases(struct tacho__arch *arch, struct tacho_entry *entry)
{
	int rc = 0;

	for (size_t i = 0; i < entry->alias_count && !rc; i++)
		if (!tacho__names_get(&arch->by_alias, entry->aliases[i]))
			rc = tacho__names_set(&arch->by_alias, entry->aliases[i], entry);
	return rc;
}

int tacho__arch_add_entry(struct tacho__arch *arch, const struct tacho_entry *entry,
			  enum tacho__add how)
{
	struct tacho_entry *own;
	int rc = 0;

	if (!entry->name || !*entry->name)
		return tacho__fail(TACHO_E_INVAL, "", "give every entry a name",
				   "an entry of %s has no name", arch->arch.name);
	own = tacho__names_get(&arch->by_name, entry->name);
	if (own && how == TACHO__ADD_NEW)
		return tacho__fail(TACHO_E_EXISTS, "", "", "%s has an entry \"%s\" already",
				   arch->arch.name, entry->name);
	if (!own) {
		rc = append_entry(arch, &own);
		if (rc)
			return rc;
		rc = tacho__names_set(&arch->by_name, entry->name, own);
		if (rc) {
			arch->entry_count--; /* one without a name is none */
			return rc;
		}
	}
	*own = *entry;
	tacho__entry_complete(own);
	return add_aliases(arch, own);
}

static int add_to_family(struct tacho__arch *arch, const struct tacho_block *block, size_t index)
{
	struct tacho__family *family = tacho__names_get(&arch->by_family, block->family);
	int rc = 0;

	if (!strcmp(block->family, block->name))
		return 0;
	if (!family) {
		family = tacho__arena_get(&arch->catalog->arena, sizeof(*family));
		if (!family)
			return TACHO_E_NOMEM;
		family->first = index;
		rc = tacho__names_set(&arch->by_family, block->family, family);
	}
	if (index < family->first)
		family->first = index;
	if (index >= family->end)
		family->end = index + 1;
	return rc;
}

int tacho__arch_add_block(struct tacho__arch *arch, const struct tacho_block *block)
{
	uintptr_t known = (uintptr_t)tacho__names_get(&arch->by_block, block->name);
	struct tacho_block own = *block;

	or_empty(&own.description);
	or_empty(&own.stage);
	or_empty(&own.attributes);
	or_empty(&own.parent);
	or_empty(&own.clock);
	or_empty(&own.elapsed);
	or_empty(&own.active);
	if (!own.family)
		own.family = own.name;
	if (own.instances == 0)
		own.instances = 1;
	if (known) {
		arch->blocks[known - 1] = own;
		return add_to_family(arch, &own, known - 1);
	}
	if (tacho__array_add(&arch->blocks, &arch->block_capacity, &arch->block_count, &own,
			     sizeof(own)))
		return TACHO_E_NOMEM;
	if (add_to_family(arch, &own, arch->block_count - 1))
		return TACHO_E_NOMEM;
	return tacho__names_set(&arch->by_block, own.name, (void *)(uintptr_t)arch->block_count);
}

/* The set of this name, or a new one. */
static int place_set(struct tacho__arch *arch, const char *name, size_t *out_index)
{
	for (*out_index = 0; *out_index < arch->set_count; ++*out_index)
		if (!strcmp(arch->sets[*out_index].name, name))
			return 0;
	if (tacho__array_reserve(&arch->sets, &arch->set_capacity, arch->set_count,
				 sizeof(*arch->sets)) ||
	    tacho__array_reserve(&arch->set_names, &arch->set_names_capacity, arch->set_count,
				 sizeof(*arch->set_names)))
		return TACHO_E_NOMEM;
	arch->set_count++;
	return 0;
}

int tacho__arch_add_set(struct tacho__arch *arch, const struct tacho_set *set,
			const char *const *names, size_t name_count)
{
	const char **own_names =
		tacho__arena_get(&arch->catalog->arena, (name_count + 1) * sizeof(*own_names));
	struct tacho_set own = *set;
	size_t index;

	if (!own_names)
		return TACHO_E_NOMEM;
	if (name_count)
		memcpy(own_names, names, name_count * sizeof(*own_names));
	or_empty(&own.title);
	or_empty(&own.description);
	or_empty(&own.guid);
	own.entries = NULL;
	own.entry_count = name_count;
	if (place_set(arch, own.name, &index))
		return TACHO_E_NOMEM;
	arch->sets[index] = own;
	arch->set_names[index] = own_names;
	return 0;
}

int tacho__arch_add_model(struct tacho__arch *arch, const struct tacho_model *model)
{
	struct tacho_model own = *model;

	or_empty(&own.title);
	or_empty(&own.source);
	for (size_t i = 0; i < arch->model_count; i++) {
		if (!strcasecmp(arch->models[i].name, own.name)) {
			arch->models[i] = own;
			return 0;
		}
	}
	return tacho__array_add(&arch->models, &arch->model_capacity, &arch->model_count, &own,
				sizeof(own));
}

void tacho__arch_set_dimensions(struct tacho__arch *arch, tacho__dimensions_function function)
{
	arch->dimensions = function;
}
