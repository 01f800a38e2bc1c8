/* SPDX-License-Identifier: MIT */
/*
 * Definitions of no vendor's form: architectures with blocks, counters, constants, metrics in the
 * infix notation, and models. A block's copies are the dimension INSTANCE of its counters.
 */
#include "catalog/read_plain.h"

#include <string.h>

#include "base/error.h"

static const char top_key[] = "plain-definitions";

enum { NUMBER_MAX = 1 << 20 };

struct reader {
	struct tacho_catalog *catalog;
	const struct tacho__definitions *definitions;
	const char *source;
	struct tacho__arch *arch;
};

typedef int (*member_function)(const struct reader *reader, const struct tacho__yaml *node);

int tacho__plain_is(const struct tacho__yaml *root)
{
	return tacho__yaml_get(root, top_key) != NULL;
}

static int mistake(const struct reader *reader, uint32_t line, const char *entry, const char *what)
{
	if (reader->definitions->is_builtin)
		return tacho__fail(TACHO_E_PARSE, what, "report this: it is a defect of tacho",
				   "line %u of the built-in definitions of %s is wrong",
				   (unsigned)line, entry);
	return tacho__catalog_add_problem(reader->catalog, reader->definitions->file, line, entry,
					  "%s", what);
}

static const char *get_text(const struct reader *reader, const struct tacho__yaml *node,
			    const char *key)
{
	return tacho__catalog_text(reader->catalog, "%s", tacho__yaml_string(node, key, ""));
}

/* 0 when it is not there; *out_good: it is no number of a sensible size. */
static uint32_t get_number(const struct tacho__yaml *node, const char *key, int *out_good)
{
	const struct tacho__yaml *scalar = tacho__yaml_get(node, key);
	uint64_t number = 0;

	if (scalar && (tacho__yaml_number(scalar, &number) || number > NUMBER_MAX)) {
		*out_good = 0;
		return 0;
	}
	return (uint32_t)number;
}

static int is_named(const struct reader *reader, const struct tacho__yaml *node, int *out_rc)
{
	if (*tacho__yaml_string(node, "name", ""))
		return 1;
	*out_rc = mistake(reader, node->line, "", "it has no name; add \"name\"");
	return 0;
}

static int read_block(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_block block = {.attributes = "", .stage = ""};
	int good = 1, rc = 0;

	if (!is_named(reader, node, &rc))
		return rc;
	block.name = block.family = get_text(reader, node, "name");
	block.description = get_text(reader, node, "description");
	block.slots = get_number(node, "slots", &good);
	block.instances = get_number(node, "instances", &good);
	block.event_count = get_number(node, "events", &good);
	if (!block.name || !block.description)
		return TACHO_E_NOMEM;
	if (!good)
		return mistake(reader, node->line, block.name,
			       "slots, instances or events is no number; write one");
	if (!block.instances)
		block.instances = 1;
	return tacho__arch_add_block(reader->arch, &block);
}

/* What counters, constants and metrics have in common. */
static int fill_entry(const struct reader *reader, const struct tacho__yaml *node,
		      struct tacho_entry *entry)
{
	entry->name = get_text(reader, node, "name");
	entry->title = get_text(reader, node, "title");
	entry->description = get_text(reader, node, "description");
	entry->unit = get_text(reader, node, "unit");
	entry->group = get_text(reader, node, "group");
	entry->semantic = get_text(reader, node, "semantic");
	entry->source = reader->source;
	return entry->name && entry->title && entry->description && entry->unit && entry->group &&
			       entry->semantic
		       ? 0
		       : TACHO_E_NOMEM;
}

static int read_counter(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_entry entry = {.kind = TACHO_ENTRY_COUNTER, .type = TACHO_TYPE_U64};
	int good = 1, rc = 0;

	if (!is_named(reader, node, &rc))
		return rc;
	rc = fill_entry(reader, node, &entry);
	entry.block = get_text(reader, node, "block");
	entry.event = get_number(node, "event", &good);
	entry.width_bits = get_number(node, "width", &good);
	if (rc || !entry.block)
		return TACHO_E_NOMEM;
	if (!good || entry.width_bits > 64)
		return mistake(reader, node->line, entry.name,
			       "event or width is no number of a sensible size; write one");
	if (!tacho_arch_find_block(tacho__arch_public(reader->arch), entry.block))
		return mistake(reader, node->line, entry.name,
			       "its block is not among \"blocks\"; add it there");
	return tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_OR_REPLACE);
}

static int read_constant(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_entry entry = {.kind = TACHO_ENTRY_CONSTANT, .type = TACHO_TYPE_U64};
	int rc = 0;

	if (!is_named(reader, node, &rc))
		return rc;
	rc = fill_entry(reader, node, &entry);
	return rc ? rc : tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_OR_REPLACE);
}

static int read_metric(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_entry entry = {
		.kind = TACHO_ENTRY_METRIC, .type = TACHO_TYPE_F64, .notation = "infix"};
	struct tacho__expression expression = {.notation = "infix"};
	struct tacho_formula_problem problem;
	struct tacho__arena arena = {0};
	struct tacho__node *tree;
	int rc = 0;

	if (!is_named(reader, node, &rc))
		return rc;
	rc = fill_entry(reader, node, &entry);
	entry.expression = get_text(reader, node, "expression");
	if (rc || !entry.expression)
		return TACHO_E_NOMEM;
	expression.text = entry.expression;
	expression.size = strlen(entry.expression);
	if (!strcmp(entry.unit, "percent")) {
		entry.range_low = 0;
		entry.range_high = 100;
	}
	rc = tacho__expression_parse(&arena, &expression, &tree, &problem);
	tacho__arena_finish(&arena);
	if (rc == TACHO_E_PARSE)
		return mistake(reader, node->line, entry.name, problem.message);
	return rc ? rc : tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_OR_REPLACE);
}

static int read_model(const struct reader *reader, const struct tacho__yaml *node)
{
	const struct tacho__yaml *properties = tacho__yaml_get(node, "properties");
	struct tacho_model model = {.source = reader->source};
	struct tacho_property *list;
	size_t count = 0;
	int rc = 0;

	if (!is_named(reader, node, &rc))
		return rc;
	model.name = get_text(reader, node, "name");
	model.title = get_text(reader, node, "title");
	for (const struct tacho__yaml *each = properties ? properties->first : NULL; each;
	     each = each->next)
		count++;
	list = tacho__arena_get(tacho__catalog_arena(reader->catalog), (count + 1) * sizeof(*list));
	if (!model.name || !model.title || !list)
		return TACHO_E_NOMEM;
	model.properties = list;
	for (const struct tacho__yaml *each = properties ? properties->first : NULL; each;
	     each = each->next) {
		struct tacho_property *property = &list[model.property_count];

		if (!each->key || tacho__yaml_number(each, &property->value))
			return mistake(reader, each->line, model.name,
				       "a property is no number; write one");
		property->name = tacho__catalog_text(reader->catalog, "%s", each->key);
		if (!property->name)
			return TACHO_E_NOMEM;
		model.property_count++;
	}
	return tacho__arch_add_model(reader->arch, &model);
}

static int get_dimensions(const struct tacho_arch *arch, const struct tacho_block *block,
			  const struct tacho_model *model, struct tacho_dimension *out_dimensions,
			  uint32_t *out_count)
{
	*out_count = block->instances > 1;
	if (*out_count)
		out_dimensions[0] = (struct tacho_dimension){.name = "DIMENSION_INSTANCE",
							     .extent = block->instances};
	return 0;
}

static int read_architecture(struct reader *reader, const struct tacho__yaml *node)
{
	static const struct {
		const char *key;
		member_function read;
	} members[] = {
		{"blocks", read_block},	  {"counters", read_counter}, {"constants", read_constant},
		{"metrics", read_metric}, {"models", read_model},
	};
	struct tacho_arch arch = {.source = reader->source};
	int rc = 0;

	if (!is_named(reader, node, &rc))
		return rc;
	arch.name = get_text(reader, node, "name");
	arch.api = get_text(reader, node, "api");
	arch.title = get_text(reader, node, "title");
	arch.vendor = get_text(reader, node, "vendor");
	if (!arch.name || !arch.api || !arch.title || !arch.vendor)
		return TACHO_E_NOMEM;
	if (!*arch.api)
		return mistake(reader, node->line, arch.name, "it has no API; add \"api\"");
	rc = tacho__catalog_add_arch(reader->catalog, &arch, &reader->arch);
	if (!rc)
		tacho__arch_set_dimensions(reader->arch, get_dimensions);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const struct tacho__yaml *list = rc ? NULL : tacho__yaml_get(node, members[i].key);

		for (const struct tacho__yaml *each = list ? list->first : NULL; each && !rc;
		     each = each->next)
			rc = members[i].read(reader, each);
	}
	return rc;
}

int tacho__plain_read(struct tacho_catalog *catalog, const struct tacho__definitions *definitions)
{
	const struct tacho__yaml *list = tacho__yaml_get(definitions->root, "architectures");
	struct reader reader = {.catalog = catalog, .definitions = definitions};
	int rc = 0;

	if (definitions->only_descriptions)
		return 0;
	reader.source = get_text(&reader, definitions->root, "source");
	if (!reader.source)
		return TACHO_E_NOMEM;
	for (const struct tacho__yaml *each = list ? list->first : NULL; each && !rc;
	     each = each->next)
		rc = read_architecture(&reader, each);
	return rc;
}
