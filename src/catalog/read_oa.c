/* SPDX-License-Identifier: MIT */
/* Intel OA definitions in YAML: docs/intel-oa.md has the schema. */
#include "catalog/read_oa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

enum { SCHEMA = 1 };

int tacho__oa_is(const struct tacho__yaml *root)
{
	return tacho__yaml_get(root, "oa-definitions") != NULL;
}

/* The text of a member; what is no text there is as if it was not. */
static const char *text_of(const struct tacho__yaml *mapping, const char *key)
{
	return tacho__yaml_string(mapping, key, "");
}

static int read_block(const struct tacho__oa_reader *reader, const struct tacho__yaml *yaml)
{
	struct tacho_block block = {.name = yaml->key, .description = text_of(yaml, "description")};
	int bad = 0;

	block.slots = tacho__definitions_number(tacho__yaml_get(yaml, "slots"), &bad);
	block.event_count = tacho__definitions_number(tacho__yaml_get(yaml, "events"), &bad);
	if (bad || !block.slots)
		return tacho__mistake(reader->definitions, yaml->line, yaml->key,
				      "a block has slots: a whole number above 0");
	return tacho__arch_add_block(reader->arch, &block);
}

/* "A12": block A, event 12. The clocks, without a number, belong to no block. */
static void split_counter(const struct tacho__oa_reader *reader, struct tacho_entry *entry)
{
	size_t size = strcspn(entry->name, "0123456789");
	const struct tacho_arch *arch = tacho__arch_public(reader->arch);
	const struct tacho_block *block;

	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++) {
		if (strlen(block->name) == size && !strncmp(block->name, entry->name, size)) {
			entry->block = block->name;
			entry->event = strtoul(entry->name + size, NULL, 10);
		}
	}
}

static int read_counter(const struct tacho__oa_reader *reader, const struct tacho__yaml *yaml)
{
	struct tacho_entry entry = {
		.name = yaml->key,
		.kind = TACHO_ENTRY_COUNTER,
		.title = text_of(yaml, "title"),
		.unit = text_of(yaml, "unit"),
		.description = text_of(yaml, "description"),
		.caveat = text_of(yaml, "caveat"),
		.source = reader->source,
	};
	int bad = 0;

	entry.width_bits = tacho__definitions_number(tacho__yaml_get(yaml, "width"), &bad);
	if (bad || entry.width_bits > 64)
		return tacho__mistake(reader->definitions, yaml->line, yaml->key,
				      "the width of a counter is a number of bits, at most 64");
	split_counter(reader, &entry);
	entry.is_programmed = (uint32_t)tacho__oa_is_programmed(entry.block, entry.event);
	if (!reader->definitions->is_builtin) {
		entry.file = tacho__catalog_text(reader->catalog, "%s:%u",
						 reader->definitions->file, yaml->key_line);
		if (!entry.file)
			return TACHO_E_NOMEM;
	}
	return tacho__definitions_add_entry(reader->definitions, reader->arch, yaml->key_line,
					    &entry);
}

static int read_aliases(const struct tacho__oa_reader *reader, const struct tacho__yaml *yaml,
			struct tacho_entry *entry)
{
	size_t count = tacho__yaml_count(tacho__yaml_get(yaml, "aliases"));
	const char **aliases;

	if (!count)
		return 0;
	aliases = tacho__arena_get(tacho__catalog_arena(reader->catalog), count * sizeof(*aliases));
	if (!aliases)
		return TACHO_E_NOMEM;
	for (const struct tacho__yaml *item = tacho__yaml_first(yaml, "aliases"); item;
	     item = item->next)
		if (*item->text)
			aliases[entry->alias_count++] = item->text;
	entry->aliases = aliases;
	return 0;
}

/* What is wrong with a metric's expressions, said as a mistake; *out_bad tells. */
static int check_metric(const struct tacho__oa_reader *reader, uint32_t line,
			const struct tacho_entry *metric, int *out_bad)
{
	const char *texts[] = {metric->expression, metric->maximum, metric->availability};
	static const char *const keys[] = {"equation", "maximum", "availability"};
	struct tacho_formula_problem problem = {0};
	int rc;

	*out_bad = 1;
	if (!*metric->expression)
		return tacho__mistake(reader->definitions, line, metric->name,
				      "a metric has an equation");
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(texts) && !reader->definitions->is_builtin; i++) {
		rc = tacho__oa_check(texts[i], &problem);
		if (rc == TACHO_E_NOMEM)
			return rc;
		if (rc)
			return tacho__mistake(reader->definitions, line, metric->name,
					      "%s, column %zu: %s", keys[i], problem.column,
					      problem.message);
	}
	*out_bad = 0;
	return 0;
}

static int read_watermarks(const struct tacho__yaml *yaml, uint32_t *out_low, uint32_t *out_high)
{
	const struct tacho__yaml *list = tacho__yaml_get(yaml, "watermarks");
	int bad = 0;

	*out_low = *out_high = 0;
	if (!list)
		return 0;
	*out_low = tacho__definitions_number(list->first, &bad);
	*out_high = tacho__definitions_number(list->first ? list->first->next : NULL, &bad);
	return bad || *out_low > *out_high;
}

static int read_metric(const struct tacho__oa_reader *reader, const struct tacho__yaml *yaml)
{
	struct tacho_entry entry = {
		.name = yaml->key,
		.title = text_of(yaml, "title"),
		.unit = text_of(yaml, "unit"),
		.semantic = text_of(yaml, "semantic"),
		.group = text_of(yaml, "group"),
		.expression = text_of(yaml, "equation"),
		.maximum = text_of(yaml, "maximum"),
		.availability = text_of(yaml, "availability"),
		.description = text_of(yaml, "description"),
		.caveat = text_of(yaml, "caveat"),
		.better = text_of(yaml, "better"),
		.advice = tacho__yaml_string(yaml, "advice", NULL),
	};
	const char *type = text_of(yaml, "type");
	uint32_t low = 0, high = 0;
	int bad, rc;

	if (strcmp(type, "u64") && strcmp(type, "f64"))
		return tacho__mistake(reader->definitions, yaml->line, yaml->key,
				      "type is \"%.40s\"; write u64 or f64", type);
	entry.type = type[0] == 'u' ? TACHO_TYPE_U64 : TACHO_TYPE_F64;
	if (read_watermarks(yaml, &low, &high))
		return tacho__mistake(reader->definitions, yaml->line, yaml->key,
				      "watermarks are two whole numbers, the lower one first");
	rc = check_metric(reader, yaml->key_line, &entry, &bad);
	if (rc || bad)
		return rc;
	rc = read_aliases(reader, yaml, &entry);
	if (!rc)
		rc = tacho__oa_finish_metric(reader, yaml->key_line, low, high, &entry);
	return rc ? rc
		  : tacho__definitions_add_entry(reader->definitions, reader->arch, yaml->key_line,
						 &entry);
}

static int hex_of(const char *word, size_t size, uint32_t *out_number)
{
	char text[9] = "", *end;

	if (!size || size > 8 || word[0] == '-' || word[0] == '+')
		return -1;
	memcpy(text, word, size);
	*out_number = (uint32_t)strtoul(text, &end, 16);
	return *end ? -1 : 0;
}

/* What is being read of a set. */
struct writes {
	const struct tacho__oa_reader *reader;
	const char *set;
	struct tacho_register *registers;
	size_t count, capacity;
};

static int add_register(struct writes *writes, const char *kind, const char *availability,
			uint32_t address, uint32_t value)
{
	if (tacho__array_reserve(&writes->registers, &writes->capacity, writes->count,
				 sizeof(*writes->registers)))
		return TACHO_E_NOMEM;
	writes->registers[writes->count++] =
		(struct tacho_register){kind, address, value, availability};
	return 0;
}

/* "9888: 143f0000 14110000": an address, then what is written to it, one value after another. */
static int read_writes(struct writes *writes, const char *kind, const char *availability,
		       const struct tacho__yaml *scalar)
{
	uint32_t line = scalar->line + 1, address = 0, value;
	int has_address = 0, rc = 0;
	const char *at = scalar->text, *before = at;
	size_t size;

	for (at = tacho__oa_word(at, &size); size && !rc; at = tacho__oa_word(at + size, &size)) {
		for (; before < at; before++)
			line += *before == '\n';
		if (at[size - 1] == ':' && !hex_of(at, size - 1, &address))
			has_address = 1;
		else if (has_address && !hex_of(at, size, &value))
			rc = add_register(writes, kind, availability, address, value);
		else
			rc = tacho__mistake(writes->reader->definitions, line, writes->set,
					    "\"%.*s\" is neither \"ADDRESS:\" nor a value after "
					    "one: write hexadecimal numbers of at most 8 digits",
					    size > 40 ? 40 : (int)size, at);
	}
	return rc;
}

static int read_registers(struct writes *writes, const struct tacho__yaml *yaml)
{
	static const char *const kinds[] = {"NOA", "OA", "FLEX"};
	const struct tacho__yaml *scalar = tacho__yaml_get(yaml, "writes");
	const char *word = text_of(yaml, "kind"), *availability = text_of(yaml, "availability");
	struct tacho_formula_problem problem = {0};
	const char *kind = NULL;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(kinds); i++)
		if (!strcmp(word, kinds[i]))
			kind = kinds[i];
	if (!kind || !scalar || scalar->type != TACHO__YAML_SCALAR)
		return tacho__mistake(writes->reader->definitions, yaml->line, writes->set,
				      "registers have a kind (NOA, OA or FLEX) and writes");
	if (tacho__oa_check(availability, &problem))
		return tacho__mistake(writes->reader->definitions, yaml->line, writes->set,
				      "availability, column %zu: %s", problem.column,
				      problem.message);
	return read_writes(writes, kind, availability, scalar);
}

static int read_set_metrics(const struct tacho__oa_reader *reader, const struct tacho__yaml *yaml,
			    const char ***out_names, size_t *out_count)
{
	const struct tacho__yaml *list = tacho__yaml_first(yaml, "metrics");
	const struct tacho_arch *arch = tacho__arch_public(reader->arch);
	const char **names;
	size_t count = 0;
	int rc = 0;

	names = tacho__arena_get(tacho__catalog_arena(reader->catalog),
				 (tacho__yaml_count(tacho__yaml_get(yaml, "metrics")) + 1) *
					 sizeof(*names));
	if (!names)
		return TACHO_E_NOMEM;
	for (const struct tacho__yaml *item = list; item && !rc; item = item->next) {
		if (tacho__arch_get_exact(arch, item->text))
			names[count++] = item->text;
		else
			rc = tacho__mistake(reader->definitions, item->line, yaml->key,
					    "it has the metric \"%.100s\", which %s does not "
					    "have: define it under metrics",
					    item->text, arch->name);
	}
	*out_names = names;
	*out_count = count;
	return rc;
}

static int read_set(const struct tacho__oa_reader *reader, const struct tacho__yaml *yaml)
{
	struct tacho_set set = {
		.name = yaml->key,
		.title = text_of(yaml, "title"),
		.description = text_of(yaml, "description"),
		.guid = text_of(yaml, "guid"),
		.is_exclusive = 1,
	};
	struct writes writes = {.reader = reader, .set = yaml->key};
	const struct tacho__yaml *list = tacho__yaml_first(yaml, "registers");
	struct tacho_register *registers = NULL;
	const char **names;
	size_t name_count;
	int rc = read_set_metrics(reader, yaml, &names, &name_count);

	for (const struct tacho__yaml *item = list; item && !rc; item = item->next)
		rc = read_registers(&writes, item);
	if (!rc && writes.count) {
		registers = tacho__arena_get(tacho__catalog_arena(reader->catalog),
					     writes.count * sizeof(*registers));
		if (registers)
			memcpy(registers, writes.registers, writes.count * sizeof(*registers));
		else
			rc = TACHO_E_NOMEM;
	}
	set.registers = registers;
	set.register_count = writes.count;
	free(writes.registers);
	return rc ? rc : tacho__arch_add_set(reader->arch, &set, names, name_count);
}

static int read_model(const struct tacho__oa_reader *reader, const struct tacho__yaml *yaml)
{
	const char *arch = text_of(yaml, "architecture");
	struct tacho_model model = {
		.name = yaml->key, .title = text_of(yaml, "title"), .source = reader->source};
	int rc;

	if (*arch && strcmp(arch, tacho__arch_public(reader->arch)->name))
		return 0;
	rc = tacho__definitions_properties(reader->definitions,
					   tacho__yaml_first(yaml, "properties"), NULL, &model);
	return rc ? rc : tacho__arch_add_model(reader->arch, &model);
}

/* Every member of a section with its reader. What is no mapping is a mistake of this member. */
static int
read_section(const struct tacho__oa_reader *reader, const struct tacho__yaml *root, const char *key,
	     int (*read)(const struct tacho__oa_reader *reader, const struct tacho__yaml *yaml))
{
	const struct tacho__yaml *section = tacho__yaml_get(root, key);
	struct tacho__names seen = {0};
	int rc = 0;

	if (section && section->type != TACHO__YAML_MAPPING)
		return tacho__mistake(reader->definitions, section->line, key,
				      "this section is a mapping: NAME: {...}");
	for (const struct tacho__yaml *item = section ? section->first : NULL; item && !rc;
	     item = item->next) {
		if (tacho__names_get(&seen, item->key))
			rc = tacho__mistake(reader->definitions, item->key_line, item->key,
					    "it is there twice under %s: the first one holds", key);
		else if (item->type != TACHO__YAML_MAPPING)
			rc = tacho__mistake(reader->definitions, item->line, item->key,
					    "write it as a mapping of its fields");
		else
			rc = read(reader, item);
		if (!rc)
			rc = tacho__names_set(&seen, item->key, (void *)(uintptr_t)item);
	}
	tacho__names_finish(&seen);
	return rc;
}

/* Names in an expression that nobody defines are mistakes. */
static int check_names(const struct tacho__oa_reader *reader, const struct tacho__yaml *metric,
		       const char *expression)
{
	const struct tacho_arch *arch = tacho__arch_public(reader->arch);
	char name[128];
	size_t size;
	int rc = 0;

	for (const char *at = tacho__oa_word(expression, &size); size && !rc;
	     at = tacho__oa_word(at + size, &size)) {
		if (*at != '$')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(size > 127 ? 127 : size) - 1, at + 1);
		if (!tacho__arch_get_exact(arch, name))
			rc = tacho__mistake(reader->definitions, metric->key_line, metric->key,
					    "it needs $%s, which is neither a metric nor a "
					    "known variable",
					    name);
	}
	return rc;
}

/* The raw counters and constants that the file's metrics and sets read. */
static int add_inputs(const struct tacho__oa_reader *reader, const struct tacho__yaml *root)
{
	static const char *const keys[] = {"equation", "maximum", "availability"};
	int rc = 0;

	for (const struct tacho__yaml *item = tacho__yaml_first(root, "metrics"); item && !rc;
	     item = item->next) {
		for (size_t i = 0; i < TACHO__ARRAY_SIZE(keys) && !rc; i++) {
			rc = tacho__oa_add_inputs(reader, text_of(item, keys[i]));
			if (!rc)
				rc = check_names(reader, item, text_of(item, keys[i]));
		}
		if (rc == TACHO_E_PARSE)
			rc = tacho__mistake(reader->definitions, item->key_line, item->key, "%s",
					    tacho_error_last()->message);
	}
	return rc;
}

static int read_arch(struct tacho__oa_reader *reader, const struct tacho__yaml *root,
		     const char *name, const char *title)
{
	struct tacho_arch arch = {
		.name = name,
		.api = "oa",
		.is_own = 1,
		.title = title,
		.vendor = tacho__yaml_string(root, "vendor", "Intel"),
		.source = reader->source,
	};
	struct tacho__oa_reader models = *reader;
	int rc = tacho__catalog_add_arch(reader->catalog, &arch, &reader->arch);

	if (!rc)
		rc = read_section(reader, root, "blocks", read_block);
	if (!rc)
		rc = read_section(reader, root, "counters", read_counter);
	if (!rc)
		rc = read_section(reader, root, "metrics", read_metric);
	if (!rc)
		rc = add_inputs(reader, root);
	if (!rc)
		rc = read_section(reader, root, "sets", read_set);
	models.arch = reader->arch;
	models.source = tacho__yaml_string(root, "models-source", reader->source);
	return rc ? rc : read_section(&models, root, "models", read_model);
}

int tacho__oa_read(const struct tacho__definitions *definitions)
{
	const struct tacho__yaml *root = definitions->root;
	const struct tacho__yaml *archs = tacho__yaml_get(root, "architectures");
	const char *name = text_of(root, "architecture");
	struct tacho__oa_reader reader = {
		.catalog = definitions->catalog,
		.definitions = definitions,
		.source = tacho__yaml_string(root, "source", definitions->file),
	};
	uint64_t schema = 0;
	int rc = 0;

	if (tacho__yaml_number(tacho__yaml_get(root, "oa-definitions"), &schema) ||
	    schema != SCHEMA)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("oa-definitions is \"%.40s\"",
						 text_of(root, "oa-definitions")),
				   "write oa-definitions: 1", "no schema of %s is known",
				   definitions->file);
	if (definitions->only_descriptions)
		return 0;
	if (archs && archs->type == TACHO__YAML_MAPPING) {
		for (const struct tacho__yaml *arch = archs->first; arch && !rc; arch = arch->next)
			rc = read_arch(&reader, root, arch->key, text_of(arch, "title"));
		return rc;
	}
	if (!*name)
		return tacho__fail(TACHO_E_PARSE, "", "write architecture: NAME",
				   "%s does not say which architecture it is about",
				   definitions->file);
	return read_arch(&reader, root, name, text_of(root, "title"));
}
