/* SPDX-License-Identifier: MIT */
/* Configs: names become definitions with their counters, once. */
#include "plan/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"

enum { HINT_COUNT = 3 };

static int fail_name(const struct tacho_arch *arch, const char *name)
{
	const struct tacho_entry *near[HINT_COUNT];
	size_t count = tacho_arch_find_nearest(arch, name, near, HINT_COUNT);
	struct tacho__buf text = {0};
	int rc;

	for (size_t i = 0; i < count; i++)
		tacho__buf_printf(&text, "%s%s", i ? ", " : "the nearest names are ",
				  near[i]->name);
	rc = tacho__fail(TACHO_E_NOTFOUND, "", tacho__buf_text(&text),
			 "%s has no counter or metric \"%s\"", arch->name, name);
	tacho__buf_finish(&text);
	return rc;
}

static struct tacho__wanted *find_same(struct tacho_config *config,
				       const struct tacho_entry *definition, uint32_t mode)
{
	for (size_t i = 0; i < config->entry_count; i++)
		if (config->entries[i].definition == definition &&
		    config->entries[i].entry.mode == mode)
			return &config->entries[i];
	return NULL;
}

static int add_entry(struct tacho_config *config, const struct tacho_config_entry *entry)
{
	const struct tacho_entry *definition;
	struct tacho__wanted *wanted;
	int rc;

	if (!entry->name)
		return tacho__fail(TACHO_E_INVAL, "its name is NULL", "name every entry",
				   "an entry of a config has no name");
	if (entry->mode > TACHO_MODE_PIPELINED)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("its mode is %u", entry->mode),
				   "use a value of enum tacho_mode", "%s has no known mode",
				   entry->name);
	definition = tacho_arch_find_entry(config->arch, entry->name);
	if (!definition)
		return fail_name(config->arch, entry->name);
	wanted = find_same(config, definition, entry->mode);
	if (wanted) {
		wanted->entry.keeps_instances |= entry->keeps_instances;
		return 0;
	}
	wanted = &config->entries[config->entry_count];
	wanted->entry = *entry;
	wanted->entry.name = definition->name;
	wanted->definition = definition;
	rc = tacho__needs_list(&config->arena, config->arch, config->model, definition,
			       &wanted->needs, &wanted->need_count);
	if (!rc)
		config->entry_count++;
	return rc;
}

int tacho_config_create(const struct tacho_arch *arch, const struct tacho_model *model,
			const struct tacho_config_entry *entries, size_t count,
			struct tacho_config **out_config)
{
	struct tacho_config *config;
	int rc = 0;

	if (!out_config)
		return tacho__fail_null(__func__);
	if (!arch || !entries || !count)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("%zu entries", count),
				   "name at least one counter or metric of an architecture",
				   "a config has nothing in it");
	config = calloc(1, sizeof(*config));
	if (!config)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a config");
	config->arch = arch;
	config->model = model;
	config->entries = tacho__arena_get(&config->arena, count * sizeof(*config->entries));
	if (!config->entries)
		rc = TACHO_E_NOMEM;
	for (size_t i = 0; i < count && !rc; i++)
		rc = add_entry(config, &entries[i]);
	if (rc)
		tacho_config_destroy(config);
	else
		*out_config = config;
	return rc;
}

void tacho_config_destroy(struct tacho_config *config)
{
	if (!config)
		return;
	tacho__arena_finish(&config->arena);
	free(config);
}

const struct tacho_config_entry *tacho_config_get_entry(const struct tacho_config *config,
							size_t index)
{
	return config && index < config->entry_count ? &config->entries[index].entry : NULL;
}

const struct tacho_entry *tacho_config_get_definition(const struct tacho_config *config,
						      size_t index)
{
	return config && index < config->entry_count ? config->entries[index].definition : NULL;
}

const struct tacho_arch *tacho_config_get_arch(const struct tacho_config *config)
{
	return config ? config->arch : NULL;
}

const struct tacho_model *tacho_config_get_model(const struct tacho_config *config)
{
	return config ? config->model : NULL;
}

int tacho_config_check_entry(const struct tacho_arch *arch, const struct tacho_model *model,
			     const struct tacho_entry *entry)
{
	struct tacho__arena arena = {0};
	const struct tacho__need *needs;
	size_t count;
	int rc;

	if (!arch || !entry)
		return tacho__fail_null(__func__);
	rc = tacho__needs_list(&arena, arch, model, entry, &needs, &count);
	tacho__arena_finish(&arena);
	return rc;
}
