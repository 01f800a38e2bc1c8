/* SPDX-License-Identifier: MIT */
/*
 * Architectures that a file of definitions declares, for those that are not built in:
 * docs/rocm-definitions.md shows the keys. What is not stated comes from the family.
 */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "catalog/arch.h"
#include "catalog/read_rocm.h"

static const char wave_size_key[] = "wave_size", wave_property[] = "wave_front_size";

/* An architecture on its way into the catalog. */
struct declaration {
	struct tacho__rocm_reader *reader;
	const struct tacho__yaml *node;
	const char *name, *title;
	const struct tacho__arch *family;
	struct tacho__arch *arch;
};

/* A mistake that costs the whole declaration: PARSE when it is noted. */
static int refuse(const struct declaration *declaration, const struct tacho__yaml *at,
		  const char *message)
{
	int rc = tacho__mistake(declaration->reader->definitions, at->line, declaration->name, "%s",
				message);

	return rc ? rc : TACHO_E_PARSE;
}

static bool is_name(const char *name)
{
	size_t size = 0;

	while (tacho__is_name(name[size]) || name[size] == '-')
		size++;
	return size > 0 && size < 64 && !name[size] && tacho__is_name_start(*name);
}

static int read_name(struct declaration *declaration)
{
	const struct tacho__yaml *node = declaration->node, *name;
	int rc = 0;

	declaration->name = "";
	if (node->type != TACHO__YAML_MAPPING)
		return refuse(declaration, node,
			      "an item of \"architectures\" is no mapping; write {name: ...}");
	name = tacho__rocm_get(node, "name");
	if (name && name->type != TACHO__YAML_SCALAR)
		return refuse(declaration, name, "\"name\" is a list or a mapping; write a text");
	rc = tacho__rocm_text(declaration->reader, "", node, "name", &declaration->name);
	if (!rc && !is_name(declaration->name))
		rc = refuse(declaration, node,
			    "the architecture's name is missing or none; write one of letters and "
			    "digits, like gfx1151");
	return rc ? rc
		  : tacho__rocm_text(declaration->reader, declaration->name, node, "title",
				     &declaration->title);
}

/* Every device of ROCm's has the constants of the others. */
static const struct tacho__arch *find_any(const struct tacho_catalog *catalog,
					  const struct tacho_arch *info)
{
	for (size_t i = 0; i < catalog->arch_count; i++)
		if (!strcmp(catalog->archs[i]->arch.api, info->api) &&
		    strcmp(catalog->archs[i]->arch.name, info->name))
			return catalog->archs[i];
	return NULL;
}

static int find_family(struct declaration *declaration, const struct tacho_arch *info)
{
	const char *name;
	int rc = tacho__rocm_text(declaration->reader, info->name, declaration->node, "family",
				  &name);

	if (rc || !*name)
		return rc;
	declaration->family =
		tacho__catalog_find_arch(declaration->reader->catalog, name, info->api);
	return declaration->family
		       ? 0
		       : refuse(declaration, tacho__yaml_get(declaration->node, "family"),
				tacho__detail("its family \"%.40s\" is not known; \"tacho list "
					      "archs\" shows architectures that are",
					      name));
}

/* The family's blocks and dimensions; its constants, or those of any other. */
static int inherit(struct declaration *declaration)
{
	const struct tacho__arch *family = declaration->family;
	const struct tacho__arch *from =
		family ? family : find_any(declaration->reader->catalog, &declaration->arch->arch);
	int rc = 0;

	if (family == declaration->arch)
		return 0;
	if (family)
		declaration->arch->generation =
			family->generation ? family->generation : family->arch.name;
	for (size_t i = 0; family && i < family->block_count && !rc; i++)
		rc = tacho__arch_add_block(declaration->arch, &family->blocks[i]);
	for (size_t i = 0; from && i < from->entry_count && !rc; i++)
		if (from->entries[i]->kind == TACHO_ENTRY_CONSTANT)
			rc = tacho__arch_add_entry(declaration->arch, from->entries[i],
						   TACHO__ADD_OR_REPLACE);
	return rc;
}

static int read_blocks(struct declaration *declaration)
{
	const struct tacho__yaml *node = declaration->node;
	const struct tacho__yaml *blocks = tacho__rocm_get(node, "blocks");
	int rc = 0;

	if (blocks && blocks->type != TACHO__YAML_SEQUENCE)
		return refuse(declaration, blocks,
			      "\"blocks\" is no list; write [{name: SQ, slots: 8, ...}]");
	for (const struct tacho__yaml *each = blocks ? blocks->first : NULL; each && !rc;
	     each = each->next) {
		struct tacho_block block = {0};
		int good;

		rc = tacho__rocm_block(declaration->reader, each,
				       tacho__yaml_get(node, "accumulate"), &block, &good);
		if (!rc && good)
			rc = tacho__arch_add_block(declaration->arch, &block);
	}
	return rc;
}

/* Formulas may use each of them, also those that no device before had. */
static int add_constants(struct declaration *declaration, const struct tacho_model *model)
{
	struct tacho_entry entry = {
		.kind = TACHO_ENTRY_CONSTANT, .type = TACHO_TYPE_U64, .source = model->source};
	int rc = 0;

	for (size_t i = 0; i < model->property_count && !rc; i++) {
		entry.name = model->properties[i].name;
		if (!tacho__arch_get_exact(&declaration->arch->arch, entry.name))
			rc = tacho__arch_add_entry(declaration->arch, &entry, TACHO__ADD_NEW);
	}
	return rc;
}

/* The constant of the size of a wavefront behind the others, unless it is one of them. */
static int add_wave_size(struct declaration *declaration, struct tacho_model *model)
{
	const struct tacho__yaml *scalar = tacho__rocm_get(declaration->node, wave_size_key);
	struct tacho_property *properties;
	uint64_t size, known;

	if (!scalar || tacho__model_get(model, wave_property, &known))
		return 0;
	if (tacho__yaml_number(scalar, &size) || size == 0 || size > 1024)
		return refuse(declaration, scalar,
			      "\"wave_size\" is no number from 1 to 1024; write 32 or 64");
	properties = tacho__arena_get(tacho__catalog_arena(declaration->reader->catalog),
				      (model->property_count + 1) * sizeof(*properties));
	if (!properties)
		return TACHO_E_NOMEM;
	if (model->property_count)
		memcpy(properties, model->properties, model->property_count * sizeof(*properties));
	properties[model->property_count++] =
		(struct tacho_property){.name = wave_property, .value = size};
	model->properties = properties;
	return 0;
}

/* A device with the constants that are stated, by the architecture's name. */
static int read_constants(struct declaration *declaration)
{
	const struct tacho__yaml *constants = tacho__rocm_get(declaration->node, "constants");
	struct tacho_model model = {.name = declaration->name,
				    .title = declaration->title,
				    .source = declaration->reader->source};
	int rc;

	if (constants && constants->type != TACHO__YAML_MAPPING)
		return refuse(declaration, constants,
			      "\"constants\" is no mapping; write {simd_count: 80, ...}");
	rc = tacho__definitions_properties(declaration->reader->definitions,
					   constants ? constants->first : NULL, NULL, &model);
	if (!rc)
		rc = add_wave_size(declaration, &model);
	if (!rc)
		rc = add_constants(declaration, &model);
	return rc || !model.property_count ? rc : tacho__arch_add_model(declaration->arch, &model);
}

static int declare(struct tacho__rocm_reader *reader, const struct tacho__yaml *node)
{
	struct declaration declaration = {.reader = reader, .node = node};
	struct tacho_arch info = {
		.api = "rocm", .vendor = "AMD", .source = reader->source, .is_own = 1};
	int rc = read_name(&declaration);

	info.name = declaration.name;
	info.title = declaration.title;
	if (!rc)
		rc = find_family(&declaration, &info);
	if (!rc)
		rc = tacho__catalog_add_arch(reader->catalog, &info, &declaration.arch);
	if (rc)
		return rc;
	tacho__arch_set_dimensions(declaration.arch, tacho__rocm_dimensions);
	rc = inherit(&declaration);
	if (!rc)
		rc = read_blocks(&declaration);
	return rc ? rc : read_constants(&declaration);
}

int tacho__rocm_declare(struct tacho__rocm_reader *reader, const struct tacho__yaml *list)
{
	int rc = 0;

	if (!list || reader->definitions->only_descriptions)
		return 0;
	if (list->type != TACHO__YAML_SEQUENCE)
		return tacho__mistake(
			reader->definitions, list->line, "",
			"\"architectures\" is no list; write [{name: gfx1151, family: "
			"gfx11}]");
	for (const struct tacho__yaml *each = list->first; each && !rc; each = each->next) {
		rc = declare(reader, each);
		if (rc == TACHO_E_PARSE && !reader->definitions->is_builtin)
			rc = 0;
	}
	return rc;
}
