/* SPDX-License-Identifier: MIT */
/* Fuzzes the YAML parser and the readers of definitions behind it. */
#include <stdlib.h>

#include "catalog/arch.h"
#include "tacho/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_start(struct tacho_catalog *catalog)
{
	static const struct tacho_entry counter = {
		.name = "SQ_WAVES", .kind = TACHO_ENTRY_COUNTER, .block = "SQ", .event = 4};
	struct tacho_arch info = {.name = "gfx90a", .api = "rocm"};
	struct tacho__arch *arch;

	if (!tacho__catalog_add_arch(catalog, &info, &arch))
		tacho__arch_add_entry(arch, &counter, TACHO__ADD_NEW);
}

static void look_at(const struct tacho_arch *arch)
{
	const struct tacho_entry *entry, **list;
	struct tacho_config_options options = {.size = sizeof(options)};
	struct tacho_config *config;
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	uint32_t dimension_count;
	char *text;
	size_t count;

	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		tacho_arch_find_entry(arch, entry->name);
		if (!tacho_arch_list_inputs(arch, entry, &list, &count))
			free(list);
		if (!tacho_arch_format_expanded(arch, entry, &text))
			free(text);
		for (size_t j = 0; tacho_arch_get_model(arch, j); j++)
			tacho_arch_get_dimensions(arch, entry, tacho_arch_get_model(arch, j),
						  dimensions, &dimension_count);
	}
	for (size_t i = 0; tacho_arch_get_set(arch, i); i++)
		tacho_arch_find_set(arch, tacho_arch_get_set(arch, i)->name);
	options.arch = arch;
	if (!tacho_config_parse("all,*", &options, &config, NULL))
		tacho_config_destroy(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	uint64_t number;
	int rc;

	if (tacho__catalog_create(&catalog))
		return 0;
	add_start(catalog);
	/* the first byte chooses: all, or descriptions alone */
	rc = size ? tacho__catalog_read_text(catalog, "x", (const char *)data + 1, size - 1,
					     data[0] == '#')
		  : 0;
	if (!rc && !tacho__catalog_complete(catalog))
		for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++)
			look_at(arch);
	if (size) {
		const struct tacho__yaml *root;

		if (!tacho__yaml_parse(tacho__catalog_arena(catalog), "x", (const char *)data, size,
				       &root))
			tacho__yaml_number(tacho__yaml_get(root, "a"), &number);
	}
	tacho_catalog_close(catalog);
	return 0;
}
