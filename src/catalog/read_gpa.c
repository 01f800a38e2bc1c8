/* SPDX-License-Identifier: MIT */
/* GPUPerfAPI's definitions in YAML: architectures, blocks, constants, models. */
#include "catalog/read_gpa.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

enum { SCHEMA = 1, RANGE_MAX = 4096, NAMES_MAX = 1 << 16 };

int tacho__gpa_is(const struct tacho__yaml *root)
{
	return tacho__yaml_get(root, "gpa-definitions") != NULL;
}

static int append_name(const char *name, const char ***names, size_t *count, size_t *capacity)
{
	if (tacho__array_reserve(names, capacity, *count, sizeof(**names)))
		return TACHO_E_NOMEM;
	(*names)[(*count)++] = name;
	return 0;
}

static int fail_range(const char *pattern)
{
	return tacho__fail(TACHO_E_INVAL, "", "write it as TA[0..15]_BUSY, the lower number first",
			   "\"%s\" has a range that is malformed or too large", pattern);
}

/* The first `size` characters of the pattern, the number, the rest; NULL: no memory. */
static const char *format_name(const struct tacho__gpa_reader *reader, const char *pattern,
			       size_t size, unsigned number, const char *rest)
{
	size_t digits = 1, rest_size = strlen(rest) + 1;
	char *name;

	for (unsigned left = number; left >= 10; left /= 10)
		digits++;
	name = tacho__arena_get(tacho__catalog_arena(reader->catalog), size + digits + rest_size);
	if (!name)
		return NULL;
	memcpy(name, pattern, size);
	for (size_t i = digits; i--; number /= 10)
		name[size + i] = (char)('0' + number % 10);
	memcpy(name + size + digits, rest, rest_size);
	return name;
}

int tacho__gpa_expand(const struct tacho__gpa_reader *reader, const char *pattern,
		      const char ***names, size_t *count, size_t *capacity)
{
	const char *open = strchr(pattern, '[');
	unsigned first, last;
	int end = 0, rc = 0;

	if (!open)
		return append_name(pattern, names, count, capacity);
	if (sscanf(open, "[%9u..%9u]%n", &first, &last, &end) != 2 || !end || last < first ||
	    last - first >= RANGE_MAX || *count + (last - first) >= NAMES_MAX ||
	    strchr(open + end, '['))
		return fail_range(pattern);
	for (unsigned i = first; i <= last && !rc; i++) {
		const char *name =
			format_name(reader, pattern, (size_t)(open - pattern), i, open + end);

		rc = name ? append_name(name, names, count, capacity) : TACHO_E_NOMEM;
	}
	return rc;
}

/* The family whose events a block counts: what is said, or its name without the last number. */
static const char *family_of(struct tacho_catalog *catalog, const struct tacho__yaml *yaml,
			     const char *pattern)
{
	size_t size = strcspn(pattern, "[");
	const char *family = tacho__yaml_string(yaml, "events_of", NULL);

	while (size > 1 && pattern[size - 1] >= '0' && pattern[size - 1] <= '9')
		size--;
	return family ? family : tacho__catalog_text(catalog, "%.*s", (int)size, pattern);
}

/*
 * One line of blocks: as many as its name has numbers. *index: of the first event. Blocks that
 * exist stay as they are.
 */
static int read_blocks(struct tacho__gpa_reader *reader, struct tacho__gpa_arch *arch,
		       const struct tacho__yaml *yaml, uint32_t *index)
{
	struct tacho_block block = {.instances = 1,
				    .stage = tacho__yaml_string(yaml, "stage", ""),
				    .attributes = tacho__yaml_string(yaml, "attributes", ""),
				    .description = tacho__yaml_string(yaml, "text", "")};
	const char *pattern = tacho__yaml_string(yaml, "name", ""), **names = NULL;
	const char *family = family_of(reader->catalog, yaml, pattern);
	size_t count = 0, capacity = 0;
	int bad = 0, rc;

	block.event_count = tacho__definitions_number(tacho__yaml_get(yaml, "events"), &bad);
	block.slots = tacho__definitions_number(tacho__yaml_get(yaml, "slots"), &bad);
	block.stage_slots = tacho__definitions_number(tacho__yaml_get(yaml, "stage_slots"), &bad);
	block.family =
		tacho__catalog_text(reader->catalog, "%.*s", (int)strcspn(pattern, "["), pattern);
	if (!family || !block.family)
		return TACHO_E_NOMEM;
	if (!*pattern || bad || !block.slots)
		return tacho__mistake(reader->definitions, yaml->line, pattern,
				      "a block has a name, events, and slots above 0");
	rc = tacho__gpa_expand(reader, pattern, &names, &count, &capacity);
	for (size_t i = 0; i < count && !rc; i++) {
		block.name = names[i];
		block.first_index = *index;
		*index += block.event_count;
		if (!tacho_arch_find_block(tacho__arch_public(arch->arch), names[i]))
			rc = tacho__arch_add_block(arch->arch, &block);
		if (!rc)
			rc = tacho__names_set(&arch->families, names[i], (void *)family);
	}
	free(names);
	if (rc == TACHO_E_INVAL)
		rc = tacho__mistake(reader->definitions, yaml->line, pattern, "%s",
				    tacho_error_last()->message);
	return rc;
}

static int add_arch(struct tacho__gpa_reader *reader, const struct tacho_arch *info,
		    struct tacho__gpa_arch **out_arch)
{
	struct tacho__gpa_arch *arch;
	int rc;

	if (tacho__array_reserve(&reader->archs, &reader->arch_capacity, reader->arch_count,
				 sizeof(struct tacho__gpa_arch)))
		return TACHO_E_NOMEM;
	arch = &reader->archs[reader->arch_count];
	memset(arch, 0, sizeof(*arch));
	arch->tag = tacho__catalog_text(reader->catalog, "%s-%s", info->api, info->name);
	rc = arch->tag ? tacho__catalog_add_arch(reader->catalog, info, &arch->arch)
		       : TACHO_E_NOMEM;
	if (rc)
		return rc;
	reader->arch_count++;
	*out_arch = arch;
	return 0;
}

static int read_arch(struct tacho__gpa_reader *reader, const struct tacho__yaml *yaml,
		     const struct tacho__yaml *events)
{
	const struct tacho__yaml *tables = tacho__yaml_first(yaml, "events");
	const struct tacho__yaml *blocks = tacho__yaml_first(yaml, "blocks");
	struct tacho_arch info = {.name = tacho__yaml_string(yaml, "name", ""),
				  .api = tacho__yaml_string(yaml, "api", ""),
				  .title = tacho__yaml_string(yaml, "title", ""),
				  .vendor = tacho__yaml_string(yaml, "vendor", "AMD"),
				  .source = reader->source};
	struct tacho__gpa_arch *arch;
	uint32_t index = 0;
	int bad = 0, rc;

	info.pass_cap = tacho__definitions_number(tacho__yaml_get(yaml, "pass_cap"), &bad);
	if (!*info.name || !*info.api || bad)
		return tacho__mistake(reader->definitions, yaml->line, info.name,
				      "an architecture has a name, an api, and perhaps "
				      "pass_cap, a whole number");
	if (reader->only && (strcmp(info.name, reader->only->arch.name) != 0 ||
			     strcmp(info.api, reader->only->arch.api) != 0))
		return 0;
	rc = add_arch(reader, &info, &arch);
	if (rc)
		return rc;
	for (; tables; tables = tables->next) {
		const struct tacho__yaml *table = tacho__yaml_get(events, tables->text);

		if (table && arch->table_count < TACHO__GPA_TABLES_MAX)
			arch->tables[arch->table_count++] = table;
		else
			rc = tacho__mistake(reader->definitions, tables->line, info.name,
					    "there is no table \"%s\" under \"events:\", or "
					    "there are more than %d",
					    tables->text, TACHO__GPA_TABLES_MAX);
		if (rc)
			return rc;
	}
	for (; blocks && !rc; blocks = blocks->next)
		rc = read_blocks(reader, arch, blocks, &index);
	return rc;
}

/* Every architecture of the file that has blocks has the constants. */
static int read_constant(const struct tacho__gpa_reader *reader, const struct tacho__yaml *yaml)
{
	struct tacho_entry entry = {.name = yaml->key,
				    .kind = TACHO_ENTRY_CONSTANT,
				    .type = TACHO_TYPE_F64,
				    .unit = tacho__yaml_string(yaml, "unit", ""),
				    .description = tacho__yaml_string(yaml, "text", ""),
				    .source = reader->source};
	int rc = 0;

	for (size_t i = 0; i < reader->arch_count && !rc; i++)
		rc = tacho__definitions_add_entry(reader->definitions, reader->archs[i].arch,
						  yaml->line, &entry);
	return rc;
}

static int read_model(const struct tacho__gpa_reader *reader, const struct tacho__yaml *yaml)
{
	struct tacho_model model = {.name = tacho__yaml_string(yaml, "name", ""),
				    .title = tacho__yaml_string(yaml, "title", ""),
				    .source = tacho__yaml_string(yaml, "source", reader->source)};
	static const char *const besides[] = {"name", "title", "where", "source", NULL};
	const char *on = tacho__yaml_string(yaml, "where", "");
	int rc;

	if (yaml->type != TACHO__YAML_MAPPING || !*model.name)
		return tacho__mistake(reader->definitions, yaml->line, "", "a model has a name");
	rc = tacho__definitions_properties(reader->definitions, yaml->first, besides, &model);
	for (size_t i = 0; i < reader->arch_count && !rc; i++)
		if (!strcmp(tacho__arch_public(reader->archs[i].arch)->name, on))
			rc = tacho__arch_add_model(reader->archs[i].arch, &model);
	return rc;
}

/* A group becomes a set, or is added to the set of its name. */
static int add_group(const struct tacho__gpa_arch *arch, const struct tacho__gpa_group *group)
{
	struct tacho_set set = {.name = group->name, .title = group->name};
	const struct tacho__arch *to = arch->arch;
	const char **names = NULL;
	size_t count = 0, capacity = 0;
	int rc = 0;

	for (size_t i = 0; i < to->set_count; i++)
		for (size_t j = 0; j < to->sets[i].entry_count && !rc; j++)
			if (!strcmp(to->sets[i].name, group->name))
				rc = append_name(to->set_names[i][j], &names, &count, &capacity);
	for (size_t i = 0; i < group->count && !rc; i++) {
		int is_new = 1;

		for (size_t j = 0; j < count; j++)
			is_new &= strcmp(names[j], group->names[i]) != 0;
		if (is_new)
			rc = append_name(group->names[i], &names, &count, &capacity);
	}
	if (!rc)
		rc = tacho__arch_add_set(arch->arch, &set, names, count);
	free(names);
	return rc;
}

static int add_counters(const struct tacho__gpa_reader *reader, const struct tacho__gpa_arch *arch)
{
	int rc = 0;

	for (size_t i = 0; i < arch->counter_count && !rc; i++)
		rc = tacho__arch_add_entry(arch->arch, &arch->counters[i],
					   reader->definitions->is_builtin ? TACHO__ADD_NEW
									   : TACHO__ADD_OR_REPLACE);
	for (size_t i = 0; i < arch->group_count && !rc; i++)
		rc = add_group(arch, &arch->groups[i]);
	return rc;
}

static int read_all(struct tacho__gpa_reader *reader, const struct tacho__yaml *root)
{
	const struct tacho__yaml *events = tacho__yaml_get(root, "events");
	const struct tacho__yaml *archs = tacho__yaml_first(root, "architectures");
	const struct tacho__yaml *constants = tacho__yaml_get(root, "constants");
	const struct tacho__yaml *models = tacho__yaml_first(root, "models");
	int rc = 0;

	for (; archs && !rc; archs = archs->next)
		rc = read_arch(reader, archs, events);
	if (!rc)
		rc = tacho__gpa_read_metrics(reader, tacho__yaml_get(root, "metrics"));
	if (constants && constants->type == TACHO__YAML_MAPPING)
		for (constants = constants->first; constants && !rc; constants = constants->next)
			rc = read_constant(reader, constants);
	for (; models && !rc; models = models->next)
		rc = read_model(reader, models);
	for (size_t i = 0; i < reader->arch_count && !rc; i++)
		rc = add_counters(reader, &reader->archs[i]);
	return rc;
}

static void finish(struct tacho__gpa_reader *reader)
{
	for (size_t i = 0; i < reader->arch_count; i++) {
		struct tacho__gpa_arch *arch = &reader->archs[i];

		for (size_t j = 0; j < arch->group_count; j++)
			free(arch->groups[j].names);
		free(arch->groups);
		free(arch->counters);
		tacho__names_finish(&arch->families);
		tacho__names_finish(&arch->known);
	}
	free(reader->archs);
}

int tacho__gpa_read(const struct tacho__definitions *definitions)
{
	return tacho__gpa_read_only(definitions, NULL);
}

int tacho__gpa_read_only(const struct tacho__definitions *definitions,
			 const struct tacho__arch *only)
{
	struct tacho__gpa_reader reader = {
		.catalog = definitions->catalog, .definitions = definitions, .only = only};
	const struct tacho__yaml *schema = tacho__yaml_get(definitions->root, "gpa-definitions");
	uint64_t version;
	int rc;

	if (definitions->only_descriptions)
		return 0;
	if (tacho__yaml_number(schema, &version) || version != SCHEMA)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("\"gpa-definitions:\" is \"%.60s\"", schema->text),
				   "write \"gpa-definitions: 1\"", "cannot read %s",
				   definitions->file);
	reader.source = tacho__yaml_string(definitions->root, "source", definitions->file);
	reader.no_equation = tacho__yaml_string(definitions->root, "no_equation", "");
	rc = read_all(&reader, definitions->root);
	finish(&reader);
	return rc;
}
