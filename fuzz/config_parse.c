/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes lists of counters. What comes out says where it came from: each entry, written with its
 * options, is a list of this entry alone. Files are another target's (counting).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "tacho/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEFINED_MAX = 64 };

static struct {
	char *names[DEFINED_MAX];
	struct tacho_entry entries[DEFINED_MAX];
	size_t count;
} defined;

static void expect(bool holds)
{
	if (!holds)
		abort();
}

static int define(void *user, const char *text, const struct tacho_entry **out_entry)
{
	(void)user;
	for (size_t i = 0; i < defined.count; i++)
		if (!strcmp(defined.names[i], text)) {
			*out_entry = &defined.entries[i];
			return 0;
		}
	if (defined.count == DEFINED_MAX || *text == '/')
		return tacho__fail(TACHO_E_INVAL, "", "", "%s is not known", text);
	expect((defined.names[defined.count] = strdup(text)) != NULL);
	defined.entries[defined.count] = (struct tacho_entry){.name = defined.names[defined.count],
							      .kind = TACHO_ENTRY_COUNTER,
							      .block = "",
							      .availability = ""};
	*out_entry = &defined.entries[defined.count++];
	return 0;
}

static struct tacho_catalog *make_catalog(void)
{
	static const char text[] =
		"plain-definitions: 1\nsource: x\narchitectures:\n"
		"- name: toy\n  api: toy\n  title: t\n  vendor: v\n"
		"  blocks:\n  - {name: B, slots: 2, description: b}\n"
		"  - {name: N, slots: 0, description: none}\n"
		"  counters:\n"
		"  - {name: SQ_WAVES, block: B, event: 1, description: d}\n"
		"  - {name: SQ_BUSY, block: B, event: 2, description: d}\n"
		"  - {name: NOWHERE, block: N, event: 3, description: d}\n"
		"  metrics:\n  - {name: Busy, expression: \"SQ_BUSY/SQ_WAVES\", description: d}\n";
	struct tacho_catalog *catalog;

	expect(!tacho__catalog_create(&catalog));
	expect(!tacho__catalog_read_text(catalog, "x", text, sizeof(text) - 1, 0));
	expect(!tacho__catalog_complete(catalog));
	return catalog;
}

static void check_entry(const struct tacho_config_entry *entry,
			const struct tacho_config_options *options)
{
	static const char *const modes[] = {"", ":serialized", ":pipelined"};
	const struct tacho_config_entry *again;
	struct tacho_config *config;
	char *list;

	expect(asprintf(&list, "%s%s%s", entry->name, modes[entry->mode],
			entry->keeps_instances ? ":instances" : "") > 0);
	expect(!tacho_config_parse(list, options, &config, NULL));
	again = tacho_config_get_entry(config, 0);
	expect(again && !tacho_config_get_entry(config, 1) && !strcmp(again->name, entry->name));
	expect(again->mode == entry->mode && again->keeps_instances == entry->keeps_instances);
	expect(!again->is_from_pattern);
	tacho_config_destroy(config);
	free(list);
}

static void parse(const char *list, const struct tacho_config_options *options)
{
	struct tacho_config_problem problem = {""};
	const struct tacho_config_entry *entry;
	struct tacho_config *config;

	if (tacho_config_parse(list, options, &config, &problem)) {
		expect(*tacho_error_last()->message);
		expect(memchr(problem.name, '\0', sizeof(problem.name)) != NULL);
		return;
	}
	expect(tacho_config_get_entry(config, 0) != NULL);
	for (size_t i = 0; (entry = tacho_config_get_entry(config, i)); i++)
		check_entry(entry, options);
	tacho_config_destroy(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tacho_catalog *catalog;
	struct tacho_config_options options = {.size = sizeof(options), .define = define};
	char *list;

	if (memchr(data, '@', size))
		return 0;
	if (!catalog)
		catalog = make_catalog();
	list = strndup((const char *)data, size);
	expect(list != NULL);
	options.arch = tacho_catalog_get_arch(catalog, 0);
	parse(list, &options);
	options.has_launches = 1;
	parse(list, &options);
	parse(list, NULL);
	while (defined.count)
		free(defined.names[--defined.count]);
	free(list);
	return 0;
}
