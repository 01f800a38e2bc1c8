/* SPDX-License-Identifier: MIT */
/*
 * Definitions of no vendor's form: architectures with blocks, counters, constants, metrics in the
 * infix notation, and models. A block's copies are the dimension INSTANCE of its counters.
 */
#include "catalog/read_plain.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "catalog/arch.h"

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

/* A number that may have a fraction, above 0. */
static double get_peak(const struct tacho__yaml *node, int *out_good)
{
	const char *text = tacho__yaml_string(node, "peak", NULL);
	double peak = 0;

	if (text &&
	    (tacho__number_parse(text, strlen(text), &peak) || !(peak > 0) || peak > NUMBER_MAX))
		*out_good = 0;
	return peak;
}

/* Everything here is. What has no name is a mistake, and left out. */
static int is_named(const struct reader *reader, const struct tacho__yaml *node, int *out_rc)
{
	if (*tacho__yaml_string(node, "name", ""))
		return 1;
	*out_rc =
		tacho__mistake(reader->definitions, node->line, "", "it has no name; add \"name\"");
	return 0;
}

static int read_block(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_block block = {.attributes = "", .stage = ""};
	int good = 1;

	block.name = block.family = tacho__yaml_string(node, "name", "");
	block.description = tacho__yaml_string(node, "description", "");
	block.slots = get_number(node, "slots", &good);
	block.instances = get_number(node, "instances", &good);
	block.event_count = get_number(node, "events", &good);
	block.parent = tacho__yaml_string(node, "parent", "");
	block.clock = tacho__yaml_string(node, "clock", "");
	block.elapsed = tacho__yaml_string(node, "elapsed", "");
	block.active = tacho__yaml_string(node, "active", "");
	if (!good)
		return tacho__mistake(reader->definitions, node->line, block.name,
				      "slots, instances or events is no number; write one");
	if (!block.instances)
		block.instances = 1;
	return tacho__arch_add_block(reader->arch, &block);
}

/* What counters, constants and metrics have in common. */
static void fill_entry(const struct reader *reader, const struct tacho__yaml *node,
		       struct tacho_entry *entry)
{
	entry->name = tacho__yaml_string(node, "name", "");
	entry->title = tacho__yaml_string(node, "title", "");
	entry->description = tacho__yaml_string(node, "description", "");
	entry->unit = tacho__yaml_string(node, "unit", "");
	entry->group = tacho__yaml_string(node, "group", "");
	entry->semantic = tacho__yaml_string(node, "semantic", "");
	entry->caveat = tacho__yaml_string(node, "caveat", "");
	entry->source = reader->source;
}

static int read_counter(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_entry entry = {.kind = TACHO_ENTRY_COUNTER, .type = TACHO_TYPE_U64};
	int good = 1;

	fill_entry(reader, node, &entry);
	entry.block = tacho__yaml_string(node, "block", "");
	entry.event = get_number(node, "event", &good);
	entry.width_bits = get_number(node, "width", &good);
	entry.peak = get_peak(node, &good);
	entry.joins = tacho__yaml_string(node, "joins", "");
	if (!strcmp(tacho__yaml_string(node, "type", "u64"), "f64"))
		entry.type = TACHO_TYPE_F64;
	if (!good || entry.width_bits > 64)
		return tacho__mistake(
			reader->definitions, node->line, entry.name,
			"event, width or peak is no number of a sensible size; write one");
	if (*entry.joins && strcmp(entry.joins, "first") != 0 && strcmp(entry.joins, "last") != 0)
		return tacho__mistake(reader->definitions, node->line, entry.name,
				      "its values join as \"%.40s\"; write first or last, or "
				      "nothing for their sum",
				      entry.joins);
	if (!tacho_arch_find_block(tacho__arch_public(reader->arch), entry.block))
		return tacho__mistake(reader->definitions, node->line, entry.name,
				      "its block is not among \"blocks\"; add it there");
	return tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_OR_REPLACE);
}

static int read_constant(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_entry entry = {.kind = TACHO_ENTRY_CONSTANT, .type = TACHO_TYPE_U64};

	fill_entry(reader, node, &entry);
	return tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_OR_REPLACE);
}

/* The counters of a throughput, which must be there. */
static int read_parts(const struct reader *reader, const struct tacho__yaml *node,
		      struct tacho_entry *entry)
{
	const struct tacho__yaml *list = tacho__yaml_get(node, "throughput");
	size_t count = tacho__yaml_count(list);
	const char **parts = tacho__arena_get(tacho__catalog_arena(reader->catalog),
					      (count + 1) * sizeof(*parts));

	if (!parts)
		return TACHO_E_NOMEM;
	for (const struct tacho__yaml *each = list->first; each; each = each->next) {
		if (!tacho__arch_get_exact(tacho__arch_public(reader->arch), each->text))
			return tacho__mistake(reader->definitions, each->line, entry->name,
					      "its part %.80s is no counter above; write one",
					      each->text);
		parts[entry->part_count++] = each->text;
	}
	entry->parts = parts;
	if (!entry->part_count)
		return tacho__mistake(reader->definitions, node->line, entry->name,
				      "its throughput has no parts; list counters");
	return tacho__arch_add_entry(reader->arch, entry, TACHO__ADD_OR_REPLACE);
}

static int read_metric(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_entry entry = {
		.kind = TACHO_ENTRY_METRIC, .type = TACHO_TYPE_F64, .notation = "infix"};
	struct tacho__expression expression = {.notation = "infix"};
	struct tacho_formula_problem problem;
	struct tacho__arena arena = {0};
	struct tacho__node *tree;
	int rc;

	fill_entry(reader, node, &entry);
	entry.expression = tacho__yaml_string(node, "expression", "");
	expression.text = entry.expression;
	expression.size = strlen(entry.expression);
	if (!strcmp(entry.unit, "percent")) {
		entry.range_low = 0;
		entry.range_high = 100;
	}
	if (tacho__yaml_get(node, "throughput"))
		return read_parts(reader, node, &entry);
	rc = tacho__expression_parse(&arena, &expression, &tree, &problem);
	tacho__arena_finish(&arena);
	if (rc == TACHO_E_PARSE)
		return tacho__mistake(reader->definitions, node->line, entry.name, "%s",
				      problem.message);
	return rc ? rc : tacho__arch_add_entry(reader->arch, &entry, TACHO__ADD_OR_REPLACE);
}

static int read_model(const struct reader *reader, const struct tacho__yaml *node)
{
	struct tacho_model model = {.source = reader->source};
	int rc;

	model.name = tacho__yaml_string(node, "name", "");
	model.title = tacho__yaml_string(node, "title", "");
	rc = tacho__definitions_properties(reader->definitions,
					   tacho__yaml_first(node, "properties"), NULL, &model);
	return rc ? rc : tacho__arch_add_model(reader->arch, &model);
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
	arch.name = tacho__yaml_string(node, "name", "");
	arch.api = tacho__yaml_string(node, "api", "");
	arch.title = tacho__yaml_string(node, "title", "");
	arch.vendor = tacho__yaml_string(node, "vendor", "");
	if (!*arch.api)
		return tacho__mistake(reader->definitions, node->line, arch.name,
				      "it has no API; add \"api\"");
	rc = tacho__catalog_add_arch(reader->catalog, &arch, &reader->arch);
	if (!rc)
		tacho__arch_set_dimensions(reader->arch, get_dimensions);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		for (const struct tacho__yaml *each = tacho__yaml_first(node, members[i].key);
		     each && !rc; each = each->next)
			if (is_named(reader, each, &rc))
				rc = members[i].read(reader, each);
	}
	return rc;
}

int tacho__plain_read(const struct tacho__definitions *definitions)
{
	const struct tacho__yaml *list = tacho__yaml_first(definitions->root, "architectures");
	struct reader reader = {.catalog = definitions->catalog, .definitions = definitions};
	int rc = 0;

	if (definitions->only_descriptions)
		return 0;
	reader.source = tacho__yaml_string(definitions->root, "source", "");
	for (const struct tacho__yaml *each = list; each && !rc; each = each->next)
		rc = read_architecture(&reader, each);
	return rc;
}
