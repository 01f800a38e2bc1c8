/* SPDX-License-Identifier: MIT */
/* One definition of ROCm's: checked, and added to each of its architectures. */
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "catalog/read_rocm.h"
#include "formula/node.h"

enum { NAME_MAX = 64 };

/* A definition on its way into the catalog. */
struct definition {
	struct tacho__rocm_reader *reader;
	struct tacho_entry entry;
	uint32_t line;
};

static int check_expression(struct definition *definition, const struct tacho__yaml *scalar)
{
	struct tacho__rocm_reader *reader = definition->reader;
	struct tacho__expression expression = {
		.text = scalar->text, .size = scalar->size, .notation = "infix"};
	struct tacho_formula_problem problem = {0};
	struct tacho__node *node;
	int rc;

	/* A test parses everything that is built in. */
	if (reader->definitions->is_builtin || reader->definitions->only_descriptions)
		return 0;
	rc = tacho__expression_parse(&reader->scratch, &expression, &node, &problem);
	tacho__arena_finish(&reader->scratch);
	if (!rc || rc == TACHO_E_NOMEM)
		return rc;
	rc = tacho__mistake(reader->definitions, scalar->line, definition->entry.name,
			    "its expression does not parse: column %zu: %s", problem.column,
			    problem.message);
	return rc ? rc : TACHO_E_PARSE;
}

/* A mistake that costs the definition: PARSE when it is noted. */
static int refuse(const struct definition *definition, const char *message)
{
	int rc = tacho__mistake(definition->reader->definitions, definition->line,
				definition->entry.name, "%s", message);

	return rc ? rc : TACHO_E_PARSE;
}

static int fill_metric(struct definition *definition, const struct tacho__yaml *block,
		       const struct tacho__yaml *event, const struct tacho__yaml *expression)
{
	struct tacho_entry *entry = &definition->entry;

	if (block)
		return refuse(definition, "it has an expression and a block: a metric has no "
					  "block; take one of them out");
	if (event)
		return refuse(definition, "it has an expression and an event: a metric has no "
					  "event; take one of them out");
	if (expression->type != TACHO__YAML_SCALAR)
		return refuse(definition,
			      "\"expression\" is a list or a mapping; write a text in quotes");
	entry->kind = TACHO_ENTRY_METRIC;
	entry->type = TACHO_TYPE_F64;
	entry->notation = "infix";
	entry->expression = expression->text;
	return check_expression(definition, expression);
}

static int fill_counter(struct definition *definition, const struct tacho__yaml *block,
			const struct tacho__yaml *event)
{
	struct tacho_entry *entry = &definition->entry;
	int rc;

	if (!block)
		return refuse(definition, "it has an event without a block; add \"block\"");
	if (!event)
		return refuse(definition, "it has a block without an event; add \"event\"");
	if (block->type != TACHO__YAML_SCALAR || strlen(block->text) != block->size)
		return refuse(definition, "\"block\" is no text; write a name like SQ");
	if (tacho__yaml_number(event, &entry->event)) {
		rc = tacho__mistake(definition->reader->definitions, event->line, entry->name,
				    "its event \"%.40s\" is no number; write it decimal or with "
				    "0x before it",
				    event->type == TACHO__YAML_SCALAR ? event->text : "...");
		return rc ? rc : TACHO_E_PARSE;
	}
	entry->kind = TACHO_ENTRY_COUNTER;
	entry->type = TACHO_TYPE_U64;
	entry->block = block->text;
	return 0;
}

/* PARSE when a mistake was noted: the definition does not count then. */
static int fill(struct definition *definition, const struct tacho__yaml *node)
{
	const struct tacho__yaml *block = tacho__rocm_get(node, "block");
	const struct tacho__yaml *event = tacho__rocm_get(node, "event");
	const struct tacho__yaml *expression = tacho__rocm_get(node, "expression");

	if (node->type != TACHO__YAML_MAPPING)
		return refuse(definition, "the definition is no mapping; write \"block\" and "
					  "\"event\", or \"expression\"");
	if (expression)
		return fill_metric(definition, block, event, expression);
	if (block || event)
		return fill_counter(definition, block, event);
	return refuse(definition, "it has neither block and event nor an expression; write "
				  "\"block\" and \"event\" for a counter, \"expression\" for a "
				  "metric");
}

/* Notes that the file defines this; *out_new: for the first time. */
static int see(struct tacho__rocm_reader *reader, const char *arch, const char *name, int *out_new)
{
	const char *key = tacho__catalog_text(reader->catalog, "%s %s", arch, name);

	if (!key)
		return TACHO_E_NOMEM;
	*out_new = !tacho__names_get(&reader->seen, key);
	return *out_new ? tacho__names_set(&reader->seen, key, reader) : 0;
}

/* What exists and has no description gets this one. */
static int add_description(struct tacho__arch *arch, const struct tacho_entry *from)
{
	const struct tacho_entry *old = tacho__arch_get_exact(tacho__arch_public(arch), from->name);
	struct tacho_entry entry;

	if (!old || strcmp(old->name, from->name) || *old->description || !from->description)
		return 0;
	entry = *old;
	entry.description = from->description;
	return tacho__arch_add_entry(arch, &entry, TACHO__ADD_OR_REPLACE);
}

static int add_to(struct definition *definition, const char *name)
{
	struct tacho__rocm_reader *reader = definition->reader;
	struct tacho__arch *arch = tacho__catalog_find_arch(reader->catalog, name, "rocm");
	int is_new, rc;

	if (!arch)
		return tacho__mistake(reader->definitions, definition->line, definition->entry.name,
				      "architecture \"%.40s\" is not known; \"tacho list "
				      "archs\" shows those that are",
				      name);
	if (reader->definitions->only_descriptions)
		return add_description(arch, &definition->entry);
	if (reader->definitions->is_builtin)
		return tacho__arch_add_entry(arch, &definition->entry, TACHO__ADD_NEW);
	rc = see(reader, name, definition->entry.name, &is_new);
	if (rc)
		return rc;
	if (!is_new)
		return tacho__mistake(reader->definitions, definition->line, definition->entry.name,
				      "%s defines it a second time; the first one holds, take "
				      "this one out",
				      name);
	return tacho__arch_add_entry(arch, &definition->entry, TACHO__ADD_OR_REPLACE);
}

/* "gfx90a/gfx942". */
static int add_to_all(struct definition *definition, const char *names)
{
	int rc = 0;

	while (!rc) {
		size_t size = strcspn(names, "/");
		char name[NAME_MAX];

		if (size >= sizeof(name))
			size = sizeof(name) - 1;
		memcpy(name, names, size);
		name[size] = '\0';
		rc = add_to(definition, name);
		names += strcspn(names, "/");
		if (!*names++)
			break;
	}
	return rc;
}

static int prepare(struct tacho__rocm_reader *reader, const struct tacho_entry *general,
		   const struct tacho__yaml *node, struct definition *out_definition)
{
	int rc;

	*out_definition = (struct definition){
		.reader = reader,
		.entry = *general,
		.line = node->key ? node->key_line : node->line,
	};
	rc = fill(out_definition, node);
	if (!rc)
		rc = tacho__rocm_describe(reader, node, &out_definition->entry);
	if (!rc && !reader->definitions->is_builtin) {
		out_definition->entry.file = tacho__catalog_text(
			reader->catalog, "%s:%u", reader->definitions->file, out_definition->line);
		if (!out_definition->entry.file)
			rc = TACHO_E_NOMEM;
	}
	return rc;
}

/* A definition that was refused costs itself only, unless it is built in. */
static int forgive(const struct tacho__rocm_reader *reader, int rc)
{
	return rc == TACHO_E_PARSE && !reader->definitions->is_builtin ? 0 : rc;
}

int tacho__rocm_define_for(struct tacho__rocm_reader *reader, const struct tacho_entry *general,
			   const struct tacho__yaml *node, const char *architectures)
{
	struct definition definition;
	int rc = prepare(reader, general, node, &definition);

	if (!rc)
		rc = add_to_all(&definition, architectures);
	return forgive(reader, rc);
}

int tacho__rocm_define(struct tacho__rocm_reader *reader, const struct tacho_entry *general,
		       const struct tacho__yaml *node, const struct tacho__yaml *architectures)
{
	const struct tacho__yaml *each;
	struct definition definition;
	int rc = prepare(reader, general, node, &definition);

	if (rc)
		return forgive(reader, rc);
	if (!architectures || architectures->type == TACHO__YAML_MAPPING ||
	    (architectures->type == TACHO__YAML_SEQUENCE && !architectures->first))
		return tacho__mistake(reader->definitions, definition.line, general->name,
				      "it has no list \"architectures\"; write one like "
				      "[gfx90a, gfx942]");
	if (architectures->type == TACHO__YAML_SCALAR)
		return add_to_all(&definition, architectures->text);
	for (each = architectures->first; each && !rc; each = each->next) {
		if (each->type != TACHO__YAML_SCALAR)
			rc = tacho__mistake(
				reader->definitions, each->line, general->name,
				"an item of \"architectures\" is no text; write a name like "
				"gfx942");
		else
			rc = add_to_all(&definition, each->text);
	}
	return rc;
}
