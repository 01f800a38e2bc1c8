/* SPDX-License-Identifier: MIT */
/*
 * What ROCm's own definitions leave out: architectures with their blocks and constants, and models
 * of devices. The file says what its keys mean: data/amd/rocm-blocks.yaml.
 */
#include <string.h>

#include "base/error.h"
#include "catalog/read_rocm.h"

static const char top_key[] = "rocm-blocks";

enum { NUMBER_MAX = 1 << 20 };

int tacho__rocm_blocks_is(const struct tacho__yaml *root)
{
	return tacho__yaml_get(root, top_key) != NULL;
}

/* A number that must be there and be sensible. *out_good: it is. */
static int read_number(const struct tacho__rocm_reader *reader, const char *entry,
		       const struct tacho__yaml *mapping, const char *key, uint32_t *out_number,
		       int *out_good)
{
	const struct tacho__yaml *scalar = tacho__rocm_get(mapping, key);
	uint64_t number;

	if (scalar && !tacho__yaml_number(scalar, &number) && number <= NUMBER_MAX) {
		*out_number = (uint32_t)number;
		return 0;
	}
	*out_good = 0;
	return tacho__mistake(reader->definitions, scalar ? scalar->line : mapping->line, entry,
			      "\"%s\" is no number up to %d; write one", key, NUMBER_MAX);
}

/* The texts of a list with blanks between them, in the arena. */
static int join(const struct tacho__rocm_reader *reader, const struct tacho__yaml *first,
		const char **out_text)
{
	const char *text = "";

	for (const struct tacho__yaml *each = first; each && text; each = each->next)
		if (each->type == TACHO__YAML_SCALAR)
			text = tacho__catalog_text(reader->catalog, "%s%s%s", text,
						   *text ? " " : "", each->text);
	if (!text)
		return TACHO_E_NOMEM;
	*out_text = text;
	return 0;
}

static int read_architecture(struct tacho__rocm_reader *reader, const struct tacho__yaml *node)
{
	struct tacho_arch info = {
		.api = "rocm", .vendor = "AMD", .source = reader->source, .is_own = 1};
	struct tacho__arch *arch;
	int rc = tacho__rocm_text(reader, "", node, "name", &info.name);

	if (!rc)
		rc = tacho__rocm_text(reader, info.name, node, "title", &info.title);
	if (!rc && !*info.name)
		return tacho__mistake(reader->definitions, node->line, "",
				      "an architecture has no name; add \"name\"");
	if (!rc)
		rc = tacho__catalog_add_arch(reader->catalog, &info, &arch);
	if (!rc)
		tacho__arch_set_dimensions(arch, tacho__rocm_dimensions);
	return rc;
}

/* A constant is one of every architecture in the file. */
static int read_constant(struct tacho__rocm_reader *reader, const struct tacho__yaml *node,
			 const struct tacho__yaml *architectures)
{
	struct tacho_entry entry = {
		.kind = TACHO_ENTRY_CONSTANT,
		.type = TACHO_TYPE_U64,
		.source = reader->source,
	};
	int rc = tacho__rocm_text(reader, "", node, "name", &entry.name);

	if (!rc && !*entry.name)
		return tacho__mistake(reader->definitions, node->line, "",
				      "a constant has no name; add \"name\"");
	if (!rc)
		rc = tacho__rocm_describe(reader, node, &entry);
	for (const struct tacho__yaml *each = architectures; each && !rc; each = each->next) {
		struct tacho__arch *arch = tacho__catalog_find_arch(
			reader->catalog, tacho__yaml_string(each, "name", ""), "rocm");

		if (arch)
			rc = tacho__arch_add_entry(arch, &entry, TACHO__ADD_OR_REPLACE);
	}
	return rc;
}

int tacho__rocm_block(struct tacho__rocm_reader *reader, const struct tacho__yaml *node,
		      const struct tacho__yaml *accumulate, struct tacho_block *block,
		      int *out_good)
{
	int rc = tacho__rocm_text(reader, "", node, "name", &block->name);

	*out_good = !rc && *block->name;
	if (rc || !*out_good)
		return rc ? rc
			  : tacho__mistake(reader->definitions, node->line, "",
					   "a block has no name; add \"name\"");
	rc = tacho__rocm_text(reader, block->name, node, "description", &block->description);
	if (!rc)
		rc = read_number(reader, block->name, node, "slots", &block->slots, out_good);
	if (!rc && tacho__rocm_get(node, "instances"))
		rc = read_number(reader, block->name, node, "instances", &block->instances,
				 out_good);
	if (!rc && tacho__rocm_get(node, "events"))
		rc = read_number(reader, block->name, node, "events", &block->event_count,
				 out_good);
	if (!rc)
		rc = join(reader, tacho__yaml_first(node, "attributes"), &block->attributes);
	if (rc || strcmp(tacho__yaml_string(accumulate, "block", ""), block->name))
		return rc;
	if (tacho__yaml_number(tacho__yaml_get(accumulate, "low_res"), &block->accumulate_low) ||
	    tacho__yaml_number(tacho__yaml_get(accumulate, "high_res"), &block->accumulate_high)) {
		*out_good = 0;
		rc = tacho__mistake(reader->definitions, accumulate->line, block->name,
				    "\"accumulate\" lacks a number; write low_res and "
				    "high_res");
	}
	return rc;
}

static int read_family(struct tacho__rocm_reader *reader, const struct tacho__yaml *node)
{
	const struct tacho__yaml *architectures = tacho__yaml_first(node, "architectures");
	const struct tacho__yaml *accumulate = tacho__yaml_get(node, "accumulate");
	int rc = 0;

	for (const struct tacho__yaml *each = tacho__yaml_first(node, "blocks"); each && !rc;
	     each = each->next) {
		struct tacho_block block = {0};
		const struct tacho__yaml *name;
		int good;

		rc = tacho__rocm_block(reader, each, accumulate, &block, &good);
		for (name = architectures; name && good && !rc; name = name->next) {
			struct tacho__arch *arch =
				tacho__catalog_find_arch(reader->catalog, name->text, "rocm");

			if (arch)
				rc = tacho__arch_add_block(arch, &block);
			else
				rc = tacho__mistake(reader->definitions, name->line, block.name,
						    "architecture \"%.40s\" is not known; "
						    "list it in \"architectures\"",
						    name->text);
		}
	}
	return rc;
}

static int read_model(struct tacho__rocm_reader *reader, const struct tacho__yaml *node)
{
	struct tacho_model model = {.source = reader->source};
	struct tacho__arch *arch;
	const char *arch_name;
	int rc = tacho__rocm_text(reader, "", node, "name", &model.name);

	if (!rc)
		rc = tacho__rocm_text(reader, model.name, node, "title", &model.title);
	if (!rc)
		rc = tacho__rocm_text(reader, model.name, node, "architecture", &arch_name);
	if (rc)
		return rc;
	arch = tacho__catalog_find_arch(reader->catalog, arch_name, "rocm");
	if (!*model.name || !arch)
		return tacho__mistake(reader->definitions, node->line, model.name,
				      "a model needs a name and a known architecture, not "
				      "\"%.40s\"",
				      arch_name);
	rc = tacho__definitions_properties(reader->definitions,
					   tacho__yaml_first(node, "properties"), NULL, &model);
	return rc ? rc : tacho__arch_add_model(arch, &model);
}

int tacho__rocm_blocks_read(const struct tacho__definitions *definitions)
{
	const struct tacho__yaml *top = tacho__yaml_get(definitions->root, top_key);
	const struct tacho__yaml *architectures = tacho__yaml_first(top, "architectures");
	struct tacho__rocm_reader reader = {.catalog = definitions->catalog,
					    .definitions = definitions};
	const struct tacho__yaml *each;
	int rc = 0;

	if (definitions->only_descriptions)
		return 0;
	rc = tacho__rocm_text(&reader, top_key, top, "source", &reader.source);
	if (!*reader.source)
		reader.source = definitions->file;
	for (each = architectures; each && !rc; each = each->next)
		rc = read_architecture(&reader, each);
	each = architectures ? tacho__yaml_first(top, "constants") : NULL;
	for (; each && !rc; each = each->next)
		rc = read_constant(&reader, each, architectures);
	for (each = tacho__yaml_first(top, "families"); each && !rc; each = each->next)
		rc = read_family(&reader, each);
	for (each = tacho__yaml_first(top, "models"); each && !rc; each = each->next)
		rc = read_model(&reader, each);
	return rc;
}
