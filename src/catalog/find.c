/* SPDX-License-Identifier: MIT */
/* Finding things in the catalog by name. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/nearest.h"
#include "catalog/arch.h"
#include "catalog/command_entries.h"
#include "catalog/grammar.h"
#include "catalog/library.h"

enum { NEAREST_MAX = 64 };

static int is_api(const struct tacho_arch *arch, const char *api)
{
	return !api || !strcasecmp(arch->api, api);
}

/* Offers a name that was not offered yet. */
static void offer_once(struct tacho__nearest *nearest, const char *name, const char *candidate)
{
	for (size_t i = 0; i < nearest->used; i++)
		if (!strcmp(nearest->things[i], candidate))
			return;
	tacho__nearest_offer(nearest, candidate, tacho_nearest_score(name, candidate));
}

/* The nearest names of architectures, or of models where one of these is nearer than all. */
static const char *describe_archs(const struct tacho_catalog *catalog, const char *name,
				  const char *api)
{
	const void *things[TACHO__HINT_COUNT], *model_things[TACHO__HINT_COUNT];
	unsigned scores[TACHO__HINT_COUNT], model_scores[TACHO__HINT_COUNT];
	struct tacho__nearest nearest = {things, scores, TACHO__HINT_COUNT, 0};
	struct tacho__nearest models = {model_things, model_scores, TACHO__HINT_COUNT, 0};

	for (size_t i = 0; i < catalog->arch_count; i++) {
		const struct tacho_arch *arch = &catalog->archs[i]->arch;
		const struct tacho_model *model;

		if (!is_api(arch, api))
			continue;
		offer_once(&nearest, name, arch->name);
		for (size_t j = 0; (model = tacho_arch_get_model(arch, j)); j++)
			offer_once(&models, name, model->name);
	}
	if (!nearest.used)
		return "name a file that defines it with --definitions";
	if (models.used && models.scores[0] < nearest.scores[0])
		return tacho__detail("%s, which are models: --model",
				     tacho__nearest_describe(&models));
	return tacho__nearest_describe(&nearest);
}

/* What defines the architecture of this name, api after api. */
static const char *describe_apis(const struct tacho_catalog *catalog, const char *name)
{
	struct tacho__buf text = {0};
	const char *apis;

	for (size_t i = 0; i < catalog->arch_count; i++)
		if (!strcasecmp(catalog->archs[i]->arch.name, name))
			tacho__buf_printf(&text, "%s%s", text.size ? ", " : "",
					  catalog->archs[i]->arch.api);
	apis = tacho__detail("%s", tacho__buf_text(&text));
	tacho__buf_finish(&text);
	return apis;
}

static int fail_arch(const struct tacho_catalog *catalog, const char *name, const char *api)
{
	const char *apis = api ? describe_apis(catalog, name) : "";

	for (size_t i = 0; i < catalog->arch_count; i++) {
		const struct tacho_arch *arch = &catalog->archs[i]->arch;

		if (tacho_arch_find_model(arch, name))
			return tacho__fail(TACHO_E_NOTFOUND, "it is a model",
					   tacho__detail("name it with --model, or take its "
							 "architecture: %s",
							 arch->name),
					   "no architecture is called \"%s\"", name);
	}
	if (*apis && !catalog->missing_cause)
		return tacho__fail(
			TACHO_E_NOTFOUND, tacho__detail("it is defined for %s only", apis),
			"name one of these APIs", "%s is not defined for the API %s", name, api);
	if (catalog->missing_cause)
		return tacho__fail(TACHO_E_NOTFOUND, catalog->missing_cause, catalog->missing_cure,
				   "no architecture is called \"%s\"%s%s", name,
				   api ? " for the API " : "", api ? api : "");
	return tacho__fail(TACHO_E_NOTFOUND, "", describe_archs(catalog, name, api),
			   "no architecture is called \"%s\"%s%s", name, api ? " for the API " : "",
			   api ? api : "");
}

int tacho_catalog_find_arch(const struct tacho_catalog *catalog, const char *name, const char *api,
			    const struct tacho_arch **out_arch)
{
	const struct tacho_arch *found = NULL, *own = NULL;
	size_t count = 0;

	if (!catalog || !name || !out_arch)
		return tacho__fail_null(__func__);
	for (size_t i = 0; i < catalog->arch_count; i++) {
		const struct tacho_arch *arch = &catalog->archs[i]->arch;

		if (strcasecmp(arch->name, name) || !is_api(arch, api))
			continue;
		found = arch;
		count++;
		if (arch->is_own)
			own = arch;
	}
	if (!count)
		return fail_arch(catalog, name, api);
	if (count > 1 && !own)
		return tacho__fail(
			TACHO_E_AMBIGUOUS,
			tacho__detail("it is defined for %s", describe_apis(catalog, name)),
			"name the API too", "\"%s\" is not one architecture", name);
	*out_arch = count > 1 ? own : found;
	return 0;
}

const struct tacho_entry *tacho_arch_get_entry(const struct tacho_arch *arch, size_t index)
{
	const struct tacho__arch *own = tacho__arch_whole(arch);

	return arch && index < own->entry_count ? own->entries[index] : NULL;
}

const struct tacho_entry *tacho__arch_get_exact(const struct tacho_arch *arch, const char *name)
{
	const struct tacho__arch *own = tacho__arch_whole(arch);
	const struct tacho_entry *entry = tacho__names_get(&own->by_name, name);

	if (!entry)
		entry = tacho__names_get(&own->by_alias, name);
	return entry ? entry : tacho__arch_ask_library(arch, name);
}

const struct tacho_entry *tacho__arch_find_own(const struct tacho_arch *arch, const char *name,
					       bool ignores_case)
{
	const struct tacho__arch *own = tacho__arch_whole(arch);
	const struct tacho_entry *entry = tacho__arch_get_exact(arch, name);

	if (!entry && ignores_case)
		entry = tacho__names_get_folded(&own->by_name, name);
	if (!entry && ignores_case)
		entry = tacho__names_get_folded(&own->by_alias, name);
	return entry;
}

/*
 * NOTFOUND and UNSUPPORTED, with the reason, are not the thread's error. What is written exactly
 * comes before what is meant with the case ignored.
 */
static int find_entry(const struct tacho_arch *arch, const char *name,
		      char reason[TACHO__REASON_MAX], const struct tacho_entry **out_entry)
{
	const struct tacho_entry *entry = tacho__arch_get_exact(arch, name);
	int rc = entry ? 0 : tacho__grammar_find(arch, name, false, reason, &entry);

	if (rc == TACHO_E_NOTFOUND || rc == TACHO_E_UNSUPPORTED) {
		entry = tacho__arch_find_own(arch, name, true);
		if (!entry) /* past the last when it is none */
			entry = tacho_command_get_entry((size_t)tacho__command_entry_find(name));
		rc = entry ? 0 : rc;
	}
	if (rc == TACHO_E_NOTFOUND)
		rc = tacho__grammar_find(arch, name, true, reason, &entry);
	if (!rc)
		*out_entry = entry;
	return rc;
}

const struct tacho_entry *tacho_arch_find_entry(const struct tacho_arch *arch, const char *name)
{
	const struct tacho_entry *entry = NULL;
	char reason[TACHO__REASON_MAX];

	if (!arch || !name)
		return NULL;
	return find_entry(arch, name, reason, &entry) ? NULL : entry;
}

const struct tacho_entry *tacho__arch_get_name(const struct tacho_arch *arch, const char *name)
{
	const struct tacho_entry *entry = tacho__arch_get_exact(arch, name);
	char reason[TACHO__REASON_MAX];

	if (!entry && tacho__grammar_find(arch, name, false, reason, &entry))
		return NULL;
	return entry;
}

int tacho_arch_resolve_entry(const struct tacho_arch *arch, const char *name,
			     const struct tacho_entry **out_entry)
{
	char reason[TACHO__REASON_MAX] = "";
	int rc;

	if (!arch || !name || !out_entry)
		return tacho__fail_null(__func__);
	rc = find_entry(arch, name, reason, out_entry);
	if (rc == TACHO_E_UNSUPPORTED)
		return tacho__fail(
			rc, reason,
			tacho__detail("see what can be: tacho list metrics --arch %s --api %s",
				      arch->name, arch->api),
			"%.200s cannot be worked out on %s", name, arch->name);
	if (rc == TACHO_E_NOTFOUND)
		return tacho__fail(rc, "", tacho__arch_describe_nearest(arch, name),
				   "%s has no counter or metric \"%.200s\"", arch->name, name);
	return rc;
}

size_t tacho_arch_find_nearest(const struct tacho_arch *arch, const char *name,
			       const struct tacho_entry **out_entries, size_t count)
{
	const struct tacho__arch *own = tacho__arch_whole(arch);
	unsigned scores[NEAREST_MAX];
	const void *things[NEAREST_MAX];
	const struct tacho_entry *of_command;
	struct tacho__nearest nearest = {things, scores, count < NEAREST_MAX ? count : NEAREST_MAX,
					 0};

	if (!arch || !name || !out_entries)
		return 0;
	for (size_t i = 0; i < own->entry_count; i++) {
		const struct tacho_entry *entry = own->entries[i];
		unsigned worst = tacho__nearest_worst(&nearest),
			 score = tacho_nearest_score_below(name, entry->name, worst);

		for (size_t j = 0; j < entry->alias_count; j++) {
			unsigned alias = tacho_nearest_score_below(name, entry->aliases[j], worst);

			score = alias < score ? alias : score;
		}
		tacho__nearest_offer(&nearest, entry, score);
	}
	for (size_t i = 0; (of_command = tacho_command_get_entry(i)); i++)
		tacho__nearest_offer(&nearest, of_command,
				     tacho_nearest_score(name, of_command->name));
	for (size_t i = 0; i < nearest.used; i++)
		out_entries[i] = things[i];
	return nearest.used;
}

const char *tacho__arch_describe_nearest(const struct tacho_arch *arch, const char *name)
{
	const struct tacho_entry *entries[TACHO__HINT_COUNT];
	const void *names[TACHO__HINT_COUNT];
	struct tacho__nearest nearest = {names, NULL, TACHO__HINT_COUNT, 0};

	nearest.used = tacho_arch_find_nearest(arch, name, entries, TACHO__HINT_COUNT);
	for (size_t i = 0; i < nearest.used; i++)
		names[i] = entries[i]->name;
	return tacho__nearest_describe(&nearest);
}

const struct tacho_block *tacho_arch_get_block(const struct tacho_arch *arch, size_t index)
{
	const struct tacho__arch *own = tacho__arch_whole(arch);

	return arch && index < own->block_count ? &own->blocks[index] : NULL;
}

const struct tacho_block *tacho_arch_find_block(const struct tacho_arch *arch, const char *name)
{
	const struct tacho__arch *own = tacho__arch_whole(arch);
	uintptr_t known;

	if (!arch || !name)
		return NULL;
	known = (uintptr_t)tacho__names_get(&own->by_block, name);
	if (!known)
		known = (uintptr_t)tacho__names_get_folded(&own->by_block, name);
	return known ? &own->blocks[known - 1] : NULL;
}

const struct tacho_set *tacho_arch_get_set(const struct tacho_arch *arch, size_t index)
{
	const struct tacho__arch *own = tacho__arch_whole(arch);

	return arch && index < own->set_count ? &own->sets[index] : NULL;
}

const struct tacho_set *tacho_arch_find_set(const struct tacho_arch *arch, const char *name)
{
	const struct tacho__arch *own = tacho__arch_whole(arch);

	if (!arch || !name)
		return NULL;
	for (size_t i = 0; i < own->set_count; i++)
		if (!strcasecmp(own->sets[i].name, name) ||
		    (*own->sets[i].guid && !strcasecmp(own->sets[i].guid, name)))
			return &own->sets[i];
	return NULL;
}

const struct tacho_model *tacho_arch_get_model(const struct tacho_arch *arch, size_t index)
{
	const struct tacho__arch *own = tacho__arch_of(arch);

	return arch && index < own->model_count ? &own->models[index] : NULL;
}

const struct tacho_model *tacho_arch_find_model(const struct tacho_arch *arch, const char *name)
{
	const struct tacho__arch *own = tacho__arch_of(arch);

	if (!arch || !name)
		return NULL;
	for (size_t i = 0; i < own->model_count; i++)
		if (!strcasecmp(own->models[i].name, name))
			return &own->models[i];
	return NULL;
}
