/* SPDX-License-Identifier: MIT */
/* Configs: names become definitions with their counters, once. */
#include "plan/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "catalog/arch.h"

const char *tacho_mode_to_string(uint32_t mode)
{
	static const char *const words[TACHO_MODE_COUNT] = {"default", "serialized", "pipelined"};

	return mode < TACHO_MODE_COUNT ? words[mode] : "unknown";
}

/* Where an entry is there in several modes their columns are named for them. */
static int name_column(struct tacho_config *config, struct tacho__wanted *wanted)
{
	struct tacho__buf text = {0};

	tacho__buf_put(&text, wanted->entry.name);
	if (wanted->entry.mode)
		tacho__buf_printf(&text, ":%s", tacho_mode_to_string(wanted->entry.mode));
	wanted->column = tacho__buf_keep(&text, &config->arena);
	return wanted->column ? 0 : TACHO_E_NOMEM;
}

/* The same entry in this mode, in *out_same; those of other modes get names of their own. */
static int find_same(struct tacho_config *config, struct tacho__wanted *added,
		     struct tacho__wanted **out_same)
{
	int rc = 0;

	*out_same = NULL;
	for (size_t i = 0; i < config->entry_count && !rc && !*out_same; i++) {
		struct tacho__wanted *wanted = &config->entries[i];

		if (wanted->definition != added->definition)
			continue;
		if (wanted->entry.mode == added->entry.mode)
			*out_same = wanted;
		else
			rc = name_column(config, wanted);
		if (!rc && !*out_same)
			rc = name_column(config, added);
	}
	return rc;
}

int tacho__config_create(const struct tacho_arch *arch, const struct tacho_model *model,
			 struct tacho_config **out_config)
{
	struct tacho_config *config = calloc(1, sizeof(*config));

	if (!config)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a config");
	config->arch = arch;
	config->model = model;
	*out_config = config;
	return 0;
}

int tacho__config_add(struct tacho_config *config, const struct tacho_config_entry *wanted,
		      const struct tacho_entry *definition)
{
	struct tacho__wanted added = {
		.entry = *wanted, .column = definition->name, .definition = definition};
	struct tacho__wanted *same;
	int rc;

	if (wanted->mode && definition->is_of_command && !config->is_counted)
		return tacho__fail(
			TACHO_E_UNSUPPORTED,
			"every command has it, and runs as it does without counting",
			tacho__detail("leave :%s out", tacho_mode_to_string(wanted->mode)),
			"%s is counted in no mode", definition->name);
	added.entry.name = definition->name;
	rc = find_same(config, &added, &same);
	if (!rc && same) {
		same->entry.keeps_instances |= wanted->keeps_instances;
		same->entry.is_from_pattern &= wanted->is_from_pattern;
		return 0;
	}
	if (!rc && !config->is_counted)
		rc = tacho__needs_list(&config->arena, config->arch, config->model, definition,
				       &added.needs, &added.need_count);
	if (rc)
		return rc;
	return tacho__array_add(&config->entries, &config->entry_capacity, &config->entry_count,
				&added, sizeof(added));
}

static int add_entry(struct tacho_config *config, const struct tacho_config_entry *entry)
{
	const struct tacho_entry *definition;
	int rc;

	if (!entry->name)
		return tacho__fail(TACHO_E_INVAL, "its name is NULL", "name every entry",
				   "an entry of a config has no name");
	if (entry->mode > TACHO_MODE_PIPELINED)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("its mode is %u", entry->mode),
				   "use a value of enum tacho_mode", "%s has no known mode",
				   entry->name);
	rc = tacho_arch_resolve_entry(config->arch, entry->name, &definition);
	return rc ? rc : tacho__config_add(config, entry, definition);
}

int tacho_config_create(const struct tacho_arch *arch, const struct tacho_model *model,
			const struct tacho_config_entry *entries, size_t count,
			struct tacho_config **out_config)
{
	struct tacho_config *config = NULL;
	int rc;

	if (!out_config)
		return tacho__fail_null(__func__);
	if (!arch || !entries || !count)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("%zu entries", count),
				   "name at least one counter or metric of an architecture",
				   "a config has nothing in it");
	rc = tacho__config_create(arch, model, &config);
	if (rc)
		return rc;
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
	free(config->entries);
	free(config->kernels);
	free(config->excluded);
	free(config->iterations);
	free(config->remarks);
	tacho_catalog_close(config->catalog);
	tacho__arena_finish(&config->arena);
	free(config);
}

const struct tacho_config_entry *tacho_config_get_entry(const struct tacho_config *config,
							size_t index)
{
	return config && index < config->entry_count ? &config->entries[index].entry : NULL;
}

const char *tacho_config_get_column_name(const struct tacho_config *config, size_t index)
{
	return config && index < config->entry_count ? config->entries[index].column : NULL;
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

size_t tacho_config_get_left_out_count(const struct tacho_config *config)
{
	return config ? config->left_out_count : 0;
}

const char *tacho_config_get_kernel(const struct tacho_config *config, size_t index)
{
	return config && index < config->kernel_count ? config->kernels[index] : NULL;
}

const char *tacho_config_get_excluded_kernel(const struct tacho_config *config, size_t index)
{
	return config && index < config->excluded_count ? config->excluded[index] : NULL;
}

const struct tacho_iterations *tacho_config_get_iterations(const struct tacho_config *config,
							   size_t index)
{
	return config && index < config->iteration_count ? &config->iterations[index] : NULL;
}

const char *tacho_config_get_remark(const struct tacho_config *config, size_t index)
{
	return config && index < config->remark_count ? config->remarks[index] : NULL;
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
