/* SPDX-License-Identifier: MIT */
/*
 * ROCm's definitions of counters, in both forms: a map of names (with or without "schema-version"),
 * and the list below "rocprofiler-sdk". docs/rocm-definitions.md shows them.
 */
#include "catalog/read_rocm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

static const char list_key[] = "rocprofiler-sdk";
static const char version_key[] = "schema-version";
static const char declarations_key[] = "architectures"; /* a list beside the counters */

const struct tacho__yaml *tacho__rocm_get(const struct tacho__yaml *mapping, const char *key)
{
	const struct tacho__yaml *member = tacho__yaml_get(mapping, key);

	if (!member || member->type != TACHO__YAML_SCALAR || member->is_quoted)
		return member;
	if (!*member->text || !strcmp(member->text, "~") || !strcmp(member->text, "null"))
		return NULL;
	return member;
}

int tacho__rocm_text(const struct tacho__rocm_reader *reader, const char *entry,
		     const struct tacho__yaml *mapping, const char *key, const char **out_text)
{
	const struct tacho__yaml *member = tacho__rocm_get(mapping, key);

	*out_text = "";
	if (!member)
		return 0;
	if (member->type != TACHO__YAML_SCALAR)
		return tacho__mistake(reader->definitions, member->line, entry,
				      "\"%s\" is a list or a mapping; write a text", key);
	if (strlen(member->text) != member->size)
		return tacho__mistake(reader->definitions, member->line, entry,
				      "\"%s\" holds a byte 0; take it out", key);
	*out_text = member->text;
	return 0;
}

/* A number of a range. */
static int read_real(const struct tacho__yaml *scalar, double *out_real)
{
	double real;

	if (scalar->type != TACHO__YAML_SCALAR ||
	    tacho__number_parse(scalar->text, scalar->size, &real) ||
	    !(real > -1e300 && real < 1e300))
		return -1;
	*out_real = real;
	return 0;
}

static int read_range(const struct tacho__rocm_reader *reader, const struct tacho__yaml *mapping,
		      struct tacho_entry *entry)
{
	const struct tacho__yaml *range = tacho__rocm_get(mapping, "range");
	double low, high;

	if (!range)
		return 0;
	if (range->type != TACHO__YAML_SEQUENCE || !range->first || !range->first->next ||
	    range->first->next->next || read_real(range->first, &low) ||
	    read_real(range->first->next, &high) || !(low < high))
		return tacho__mistake(
			reader->definitions, range->line, entry->name,
			"\"range\" is not two rising numbers; write it like [0, 100]");
	entry->range_low = low;
	entry->range_high = high;
	return 0;
}

/* Other spellings of the name; those that the mapping lists take the place of earlier ones. */
static int read_aliases(const struct tacho__rocm_reader *reader, const struct tacho__yaml *mapping,
			struct tacho_entry *entry)
{
	const struct tacho__yaml *list = tacho__rocm_get(mapping, "aliases");
	const char **names;
	size_t count = 0;

	if (!list)
		return 0;
	for (const struct tacho__yaml *each = list->first; each; each = each->next)
		count += each->type == TACHO__YAML_SCALAR;
	if (list->type != TACHO__YAML_SEQUENCE || count != tacho__yaml_count(list))
		return tacho__mistake(reader->definitions, list->line, entry->name,
				      "\"aliases\" is no list of names; write it like [NAME]");
	names = tacho__arena_get(tacho__catalog_arena(reader->catalog), count * sizeof(*names));
	if (!names)
		return TACHO_E_NOMEM;
	count = 0;
	for (const struct tacho__yaml *each = list->first; each; each = each->next)
		names[count++] = each->text;
	entry->aliases = names;
	entry->alias_count = count;
	return 0;
}

int tacho__rocm_describe(const struct tacho__rocm_reader *reader, const struct tacho__yaml *mapping,
			 struct tacho_entry *entry)
{
	const struct {
		const char *key, **text;
	} texts[] = {
		{"description", &entry->description}, {"unit", &entry->unit},
		{"better", &entry->better},	      {"advice", &entry->advice},
		{"caveat", &entry->caveat},	      {"source", &entry->source},
	};
	int rc = read_range(reader, mapping, entry);

	if (!rc)
		rc = read_aliases(reader, mapping, entry);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !rc; i++) {
		const char *text;

		rc = tacho__rocm_text(reader, entry->name, mapping, texts[i].key, &text);
		if (*text)
			*texts[i].text = text;
	}
	if (!rc && entry->better && *entry->better && strcmp(entry->better, "lower") &&
	    strcmp(entry->better, "higher")) {
		rc = tacho__mistake(reader->definitions, mapping->line, entry->name,
				    "\"better\" is \"%.40s\"; write lower or higher",
				    entry->better);
		entry->better = "";
	}
	return rc;
}

static int is_name(const char *name, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!tacho__is_name(name[i]))
			return 0;
	return size > 0 && tacho__is_name_start(*name);
}

static int check_name(const struct tacho__rocm_reader *reader, uint32_t line, const char *name,
		      size_t size, int *out_good)
{
	*out_good = is_name(name, size);
	if (*out_good)
		return 0;
	if (!size)
		return tacho__mistake(reader->definitions, line, "",
				      "the name is missing; add \"name\"");
	return tacho__mistake(reader->definitions, line, "",
			      "\"%.60s\" is no name; use letters, digits and underscores, no "
			      "digit first",
			      name);
}

/* NAME: {architectures: {gfxA/gfxB: {...}}, description: ...}. */
static int read_map_entry(struct tacho__rocm_reader *reader, const struct tacho__yaml *node)
{
	struct tacho_entry general = {.name = node->key, .source = reader->source};
	const struct tacho__yaml *architectures = tacho__rocm_get(node, "architectures");
	int good, rc;

	rc = check_name(reader, node->key_line, node->key, strlen(node->key), &good);
	if (rc || !good)
		return rc;
	if (node->type != TACHO__YAML_MAPPING)
		return tacho__mistake(reader->definitions, node->key_line, general.name,
				      "it is no mapping; write \"architectures:\" and "
				      "\"description:\" below the name");
	if (!architectures || architectures->type != TACHO__YAML_MAPPING)
		return tacho__mistake(reader->definitions, node->key_line, general.name,
				      "it has no mapping \"architectures\"; name each architecture "
				      "there, like \"gfx90a/gfx942:\"");
	rc = tacho__rocm_describe(reader, node, &general);
	for (const struct tacho__yaml *each = architectures->first; each && !rc; each = each->next)
		rc = tacho__rocm_define_for(reader, &general, each, each->key);
	return rc;
}

/* {name: NAME, description: ..., definitions: [{architectures: [...], ...}]}. */
static int read_list_entry(struct tacho__rocm_reader *reader, const struct tacho__yaml *node)
{
	const struct tacho__yaml *name = tacho__rocm_get(node, "name");
	const struct tacho__yaml *list = tacho__rocm_get(node, "definitions");
	struct tacho_entry general = {.source = reader->source};
	int good, rc;

	if (node->type != TACHO__YAML_MAPPING)
		return tacho__mistake(reader->definitions, node->line, "",
				      "an item of \"counters\" is no mapping; write \"- name: "
				      "...\"");
	if (name && name->type != TACHO__YAML_SCALAR)
		return tacho__mistake(reader->definitions, name->line, "",
				      "\"name\" is a list or a mapping; write a text");
	rc = check_name(reader, name ? name->line : node->line, name ? name->text : "",
			name ? name->size : 0, &good);
	if (rc || !good)
		return rc;
	general.name = name->text;
	if (!list || list->type != TACHO__YAML_SEQUENCE || !list->first)
		return tacho__mistake(reader->definitions, node->line, general.name,
				      "it has no list \"definitions\"; write one item for each "
				      "group of architectures");
	rc = tacho__rocm_describe(reader, node, &general);
	for (const struct tacho__yaml *each = list->first; each && !rc; each = each->next)
		rc = tacho__rocm_define(reader, &general, each,
					tacho__rocm_get(each, "architectures"));
	return rc;
}

/* An entry of the map, a wrong one perhaps. Other schemas have a "-" in their keys. */
static int is_map_entry(const struct tacho__yaml *node)
{
	static const char *const keys[] = {"architectures", "expression", "block", "event"};

	if (!is_name(node->key, strlen(node->key)))
		return 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (tacho__yaml_get(node, keys[i]))
			return 1;
	return 0;
}

int tacho__rocm_is(const struct tacho__yaml *root)
{
	if (!root || root->type != TACHO__YAML_MAPPING)
		return 0;
	if (tacho__yaml_get(root, list_key) || tacho__yaml_get(root, version_key))
		return 1;
	for (const struct tacho__yaml *each = root->first; each; each = each->next)
		if (is_map_entry(each))
			return 1;
	return 0;
}

/* A counter of that name has a mapping. */
static const struct tacho__yaml *get_declarations(const struct tacho__yaml *root)
{
	const struct tacho__yaml *member = tacho__yaml_get(root, declarations_key);

	return member && member->type == TACHO__YAML_SEQUENCE ? member : NULL;
}

static int read_list(struct tacho__rocm_reader *reader, const struct tacho__yaml *top)
{
	const struct tacho__yaml *counters = tacho__yaml_get(top, "counters");
	const char *source;
	int rc;

	if ((!counters && !tacho__yaml_get(top, declarations_key)) ||
	    (counters && counters->type != TACHO__YAML_SEQUENCE))
		return tacho__fail(TACHO_E_PARSE, "it has no list \"counters\"",
				   "write the counters as docs/rocm-definitions.md shows",
				   "no definitions below \"%s\" in %s, line %u", list_key,
				   reader->definitions->file, top->line);
	rc = tacho__rocm_text(reader, list_key, top, "source", &source);
	if (*source)
		reader->source = source;
	if (!rc)
		rc = tacho__rocm_declare(reader, tacho__yaml_get(top, declarations_key));
	for (const struct tacho__yaml *each = counters ? counters->first : NULL; each && !rc;
	     each = each->next)
		rc = read_list_entry(reader, each);
	return rc;
}

int tacho__rocm_read(const struct tacho__definitions *definitions)
{
	const struct tacho__yaml *top = tacho__yaml_get(definitions->root, list_key);
	struct tacho__rocm_reader reader = {.catalog = definitions->catalog,
					    .definitions = definitions,
					    .source = definitions->file};
	int rc = 0;

	if (top)
		rc = read_list(&reader, top);
	else
		rc = tacho__rocm_declare(&reader, get_declarations(definitions->root));
	for (const struct tacho__yaml *each = top ? NULL : definitions->root->first; each && !rc;
	     each = each->next)
		if (strcmp(each->key, version_key) && each != get_declarations(definitions->root))
			rc = read_map_entry(&reader, each);
	tacho__names_finish(&reader.seen);
	tacho__arena_finish(&reader.scratch);
	return rc;
}

const char *tacho__rocm_environment_file(struct tacho_catalog *catalog)
{
	const char *folder = getenv("ROCPROFILER_METRICS_PATH");

	if (!folder || !*folder)
		return NULL;
	return tacho__catalog_text(catalog, "%s/counter_defs.yaml", folder);
}
