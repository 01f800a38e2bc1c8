/* SPDX-License-Identifier: MIT */
#include "backend/known.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"

void tacho__known_finish(struct tacho__known *known)
{
	tacho__map_finish(&known->counters);
	tacho_catalog_close(known->catalog);
	tacho_catalog_close(known->definitions);
}

int tacho__known_find_definition(struct tacho__known *known, const struct tacho_catalog *catalog,
				 const char *name, const char *api,
				 const struct tacho_arch **out_arch)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .api = api, .no_environment = 1};
	int rc;

	if (!tacho_catalog_find_arch(catalog, name, api, out_arch))
		return 0;
	rc = tacho_catalog_open(&options, &known->definitions);
	return rc ? rc : tacho_catalog_find_arch(known->definitions, name, api, out_arch);
}

int tacho__known_add_counter(struct tacho__known *known, const struct tacho_entry *entry,
			     const void *how, size_t size)
{
	void *copy = tacho__arena_get(tacho__catalog_arena(known->catalog), size);
	const struct tacho_entry *added;
	int rc = copy ? tacho__arch_add_entry(known->arch, entry, TACHO__ADD_NEW) : TACHO_E_NOMEM;

	if (rc)
		return rc;
	memcpy(copy, how, size);
	added = tacho__arch_get_exact(tacho__arch_public(known->arch), entry->name);
	return tacho__map_set(&known->counters, (uintptr_t)added, copy);
}

int tacho__known_refuse(struct tacho__arch *arch, const struct tacho_entry *entry,
			const char *reason)
{
	struct tacho_entry refused = *entry;

	refused.kind = TACHO_ENTRY_METRIC;
	refused.notation = "infix";
	refused.expression = "";
	refused.block = "";
	refused.inputs = NULL;
	refused.input_count = 0;
	refused.caveat = reason;
	return tacho__arch_add_entry(arch, &refused, TACHO__ADD_NEW);
}

/* The caveats that a metric inherits from a counter that it is a plain copy of. */
static const char *inherit_caveat(const struct tacho__known *known,
				  const struct tacho_entry *metric)
{
	const struct tacho_arch *arch = tacho__arch_public(known->arch);
	const struct tacho_entry *input =
		metric->input_count ? tacho__arch_get_exact(arch, metric->inputs[0]) : NULL;

	if (!input || !*input->caveat)
		return metric->caveat;
	return tacho__catalog_text(known->catalog, "%s%s%s", metric->caveat,
				   *metric->caveat ? " " : "", input->caveat);
}

int tacho__known_add_metric(const struct tacho__known *known, const struct tacho_entry *definition)
{
	const struct tacho_arch *arch = tacho__arch_public(known->arch);
	struct tacho_entry metric = *definition;

	if (tacho__arch_get_exact(arch, definition->name))
		return 0;
	for (size_t i = 0; i < definition->input_count; i++) {
		const char *name = definition->inputs[i], *reason;
		const struct tacho_entry *input = tacho__arch_get_exact(arch, name);

		if (input && (input->kind != TACHO_ENTRY_METRIC || *input->expression))
			continue;
		reason = input ? tacho__catalog_text(known->catalog, "%s", input->caveat)
			       : tacho__catalog_text(known->catalog,
						     "the driver has no counter %s that it needs",
						     name);
		return reason ? tacho__known_refuse(known->arch, definition, reason)
			      : TACHO_E_NOMEM;
	}
	metric.caveat = inherit_caveat(known, definition);
	return metric.caveat ? tacho__arch_add_entry(known->arch, &metric, TACHO__ADD_NEW)
			     : TACHO_E_NOMEM;
}

int tacho__known_add_metrics(const struct tacho__known *known, const struct tacho_arch *from)
{
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(from, i)); i++) {
		if (entry->kind == TACHO_ENTRY_METRIC)
			rc = tacho__known_add_metric(known, entry);
		else if (entry->kind == TACHO_ENTRY_CONSTANT &&
			 !tacho__arch_get_exact(tacho__arch_public(known->arch), entry->name))
			rc = tacho__arch_add_entry(known->arch, entry, TACHO__ADD_NEW);
	}
	return rc;
}

int tacho__known_add_sets(const struct tacho__known *known, const struct tacho_arch *from)
{
	const struct tacho_set *set;
	int rc = 0;

	for (size_t i = 0; !rc && (set = tacho_arch_get_set(from, i)); i++) {
		const char **names = tacho__arena_get(tacho__catalog_arena(known->catalog),
						      (set->entry_count + 1) * sizeof(*names));
		size_t count = 0;

		if (!names)
			return TACHO_E_NOMEM;
		for (size_t k = 0; k < set->entry_count; k++)
			if (tacho__arch_get_exact(tacho__arch_public(known->arch),
						  set->entries[k]->name))
				names[count++] = set->entries[k]->name;
		if (count)
			rc = tacho__arch_add_set(known->arch, set, names, count);
	}
	return rc;
}

/* The card that the driver names, when the definition has its constants; else NULL. */
static const struct tacho_model *find_card(const struct tacho_arch *from, const char *name)
{
	const struct tacho_model *model;

	for (size_t i = 0; (model = tacho_arch_get_model(from, i)); i++) {
		const char *words = strchr(model->title, ' '); /* without "AMD" */

		if (words && strcasestr(name, words + 1))
			return model;
	}
	return NULL;
}

static bool has_property(const struct tacho_model *model, const char *name)
{
	for (size_t i = 0; i < model->property_count; i++)
		if (!strcmp(model->properties[i].name, name))
			return true;
	return false;
}

int tacho__known_add_model(struct tacho__known *known, const struct tacho_arch *from,
			   const char *title, const struct tacho_property *own, size_t own_count)
{
	const struct tacho_model *card = find_card(from, title);
	size_t count = card ? card->property_count : 0;
	struct tacho_property *properties =
		tacho__arena_get(tacho__catalog_arena(known->catalog),
				 (count + own_count + 1) * sizeof(*properties));
	struct tacho_model model = {.name = card ? card->name : "driver",
				    .title = title,
				    .properties = properties,
				    .property_count = count,
				    .source = card ? card->source : "the driver"};

	if (!properties)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++)
		properties[i] = card->properties[i];
	for (size_t i = 0; i < own_count; i++)
		if (own[i].value && !has_property(&model, own[i].name))
			properties[model.property_count++] = own[i];
	return tacho__arch_add_model(known->arch, &model);
}
