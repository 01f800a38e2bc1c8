/* SPDX-License-Identifier: MIT */
/* GPUPerfAPI's metrics, and the counters that they need. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "catalog/arch.h"
#include "catalog/read_gpa.h"

enum { BLOCK_NAME_MAX = 64 };

/* An event's number, unit and text: "NAME: 15" or "NAME: [0x8914, samples, Samples that ...]". */
static int read_event(const struct tacho__yaml *yaml, struct tacho_entry *counter)
{
	const struct tacho__yaml *unit = NULL, *text = NULL;

	if (yaml->type == TACHO__YAML_SEQUENCE) {
		yaml = yaml->first;
		unit = yaml ? yaml->next : NULL;
		text = unit ? unit->next : NULL;
	}
	counter->unit = unit ? unit->text : "";
	counter->description = text ? text->text : "";
	return tacho__yaml_number(yaml, &counter->event);
}

static const struct tacho__yaml *find_event(const struct tacho__gpa_arch *arch, const char *family,
					    const char *name)
{
	const struct tacho__yaml *event = NULL;

	for (size_t i = 0; i < arch->table_count && !event; i++)
		event = tacho__yaml_get(tacho__yaml_get(arch->tables[i], family), name);
	return event;
}

/*
 * The counter behind a name, which begins with the name of its block and "_": the longest such
 * block that has the event. 0 when there is none.
 */
static int find_counter(const struct tacho__gpa_arch *arch, const char *name,
			struct tacho_entry *out_counter)
{
	char block[BLOCK_NAME_MAX];

	for (size_t size = strnlen(name, sizeof(block) - 1); size > 0; size--) {
		const struct tacho__yaml *event;
		const char *family;

		if (name[size] != '_')
			continue;
		memcpy(block, name, size);
		block[size] = '\0';
		family = tacho__names_get(&arch->families, block);
		event = family ? find_event(arch, family, name + size + 1) : NULL;
		if (!event || read_event(event, out_counter))
			continue;
		out_counter->name = name;
		out_counter->block =
			tacho_arch_find_block(tacho__arch_public(arch->arch), block)->name;
		return 1;
	}
	return 0;
}

/* Makes the input known to the architecture. NOTFOUND, NOMEM. */
static int add_input(const struct tacho__gpa_reader *reader, struct tacho__gpa_arch *arch,
		     const char *name)
{
	struct tacho_entry counter = {.kind = TACHO_ENTRY_COUNTER,
				      .type = TACHO_TYPE_U64,
				      .source = reader->source,
				      .group = ""};

	if (tacho__names_get(&arch->known, name))
		return 0;
	if (tacho__arch_get_exact(tacho__arch_public(arch->arch), name))
		return tacho__names_set(&arch->known, name, arch);
	if (!find_counter(arch, name, &counter))
		return tacho__fail(TACHO_E_NOTFOUND, "",
				   "write the block's name, \"_\" and an event of \"events:\"",
				   "no block of %s counts \"%s\"", arch->tag, name);
	if (tacho__array_add(&arch->counters, &arch->counter_capacity, &arch->counter_count,
			     &counter, sizeof(counter)))
		return TACHO_E_NOMEM;
	return tacho__names_set(&arch->known, name, arch);
}

static int add_to_group(struct tacho__gpa_arch *arch, const struct tacho_entry *entry)
{
	struct tacho__gpa_group *group = NULL;

	for (size_t i = 0; i < arch->group_count && !group; i++)
		if (!strcmp(arch->groups[i].name, entry->group))
			group = &arch->groups[i];
	if (!group) {
		if (tacho__array_reserve(&arch->groups, &arch->group_capacity, arch->group_count,
					 sizeof(*group)))
			return TACHO_E_NOMEM;
		group = &arch->groups[arch->group_count++];
		*group = (struct tacho__gpa_group){.name = entry->group};
	}
	return tacho__array_add(&group->names, &group->capacity, &group->count, &entry->name,
				sizeof(entry->name));
}

static int add_metric(struct tacho__gpa_reader *reader, struct tacho__gpa_arch *arch,
		      const struct tacho_entry *entry)
{
	int rc = 0;

	for (size_t i = 0; i < entry->input_count && !rc; i++)
		rc = add_input(reader, arch, entry->inputs[i]);
	if (!rc)
		rc = tacho__arch_add_entry(arch->arch, entry,
					   reader->definitions->is_builtin ? TACHO__ADD_NEW
									   : TACHO__ADD_OR_REPLACE);
	return !rc && *entry->group ? add_to_group(arch, entry) : rc;
}

static struct tacho__gpa_arch *find_tag(struct tacho__gpa_reader *reader, const char *tag)
{
	for (size_t i = 0; i < reader->arch_count; i++)
		if (!strcmp(reader->archs[i].tag, tag))
			return &reader->archs[i];
	return NULL;
}

/* A list of words, each perhaps with a range, in the arena. */
static int read_names(const struct tacho__gpa_reader *reader, const struct tacho__yaml *list,
		      const char *const **out_names, size_t *out_count)
{
	const char **names = NULL, **kept;
	size_t count = 0, capacity = 0;
	int rc = 0;

	for (const struct tacho__yaml *at = list ? list->first : NULL; at && !rc; at = at->next)
		rc = tacho__gpa_expand(reader, at->text, &names, &count, &capacity);
	if (!rc && count) {
		kept = tacho__arena_get(tacho__catalog_arena(reader->catalog),
					count * sizeof(*kept));
		if (kept) {
			memcpy(kept, names, count * sizeof(*kept));
			*out_names = kept;
			*out_count = count;
		} else {
			rc = TACHO_E_NOMEM;
		}
	}
	free(names);
	return rc;
}

/* An equation of a user is tried at once; those that are built in are tried by a test. */
static int check_equation(const struct tacho__gpa_reader *reader, const struct tacho_entry *entry)
{
	struct tacho__expression expression = {.text = entry->expression,
					       .size = strlen(entry->expression),
					       .notation = "gpa",
					       .inputs = entry->inputs,
					       .input_count = entry->input_count};
	struct tacho_formula_problem problem = {0};
	struct tacho__arena arena = {0};
	struct tacho__node *node;
	int rc = 0;

	if (!reader->definitions->is_builtin && *entry->expression)
		rc = tacho__expression_parse(&arena, &expression, &node, &problem);
	tacho__arena_finish(&arena);
	if (rc && rc != TACHO_E_NOMEM)
		rc = tacho__fail(TACHO_E_INVAL, "", "", "its equation, column %zu: %s",
				 problem.column, problem.message);
	return rc;
}

/* What is said about a metric on all architectures, and then on these. */
static const char *join_caveats(const struct tacho__gpa_reader *reader, const char *first,
				const char *second)
{
	if (!*first || !*second)
		return *first ? first : second;
	return tacho__catalog_text(reader->catalog, "%s %s", first, second);
}

/* Is the variant one of the architectures that are read? Else nothing of it need be. */
static int is_wanted(struct tacho__gpa_reader *reader, const struct tacho__yaml *on)
{
	while (on && reader->only && !find_tag(reader, on->text))
		on = on->next;
	return on != NULL;
}

static int read_variant(struct tacho__gpa_reader *reader, const struct tacho__yaml *yaml,
			const struct tacho_entry *info)
{
	const struct tacho__yaml *on = tacho__yaml_first(yaml, "where");
	struct tacho_entry entry = *info;
	int rc;

	if (reader->only && !is_wanted(reader, on))
		return 0;
	rc = read_names(reader, tacho__yaml_get(yaml, "inputs"), &entry.inputs, &entry.input_count);
	if (rc)
		return rc;
	entry.expression = tacho__yaml_string(yaml, "equation", "");
	entry.caveat = join_caveats(reader, entry.caveat, tacho__yaml_string(yaml, "caveat", ""));
	if (!*entry.expression)
		entry.caveat = join_caveats(reader, entry.caveat, reader->no_equation);
	if (!entry.caveat)
		return TACHO_E_NOMEM;
	if (!*entry.expression && !*entry.caveat)
		return tacho__fail(TACHO_E_INVAL, "", "", "it has neither equation nor caveat");
	rc = check_equation(reader, &entry);
	for (; on && !rc; on = on->next) {
		struct tacho__gpa_arch *arch = find_tag(reader, on->text);

		if (!arch && reader->only)
			continue;
		rc = arch ? add_metric(reader, arch, &entry)
			  : tacho__fail(TACHO_E_INVAL, "", "",
					"\"%s\" is none of \"architectures:\"", on->text);
	}
	return rc;
}

/* "range: [0, 100]"; with one number there is no highest value. */
static int read_range(const struct tacho__yaml *yaml, struct tacho_entry *entry)
{
	const struct tacho__yaml *range = tacho__yaml_get(yaml, "range");
	const struct tacho__yaml *at = range ? range->first : NULL;
	double ends[2] = {NAN, NAN};

	entry->range_low = entry->range_high = NAN;
	for (size_t i = 0; at && i < 2; i++, at = at->next) {
		if (tacho__number_parse(at->text, at->size, &ends[i]) || !isfinite(ends[i]))
			return tacho__fail(TACHO_E_INVAL, "", "", "its range has \"%.60s\"",
					   at->text);
	}
	if (range && (at || isnan(ends[0]) || ends[1] < ends[0]))
		return tacho__fail(TACHO_E_INVAL, "", "",
				   "its range is not one number, or two with the lower first");
	entry->range_low = ends[0];
	entry->range_high = ends[1];
	return 0;
}

static int read_metric(struct tacho__gpa_reader *reader, const struct tacho__yaml *yaml)
{
	const struct tacho__yaml *variants = tacho__yaml_get(yaml, "variants");
	struct tacho_entry entry = {
		.name = tacho__yaml_string(yaml, "name", ""),
		.kind = TACHO_ENTRY_METRIC,
		.type = TACHO_TYPE_F64,
		.notation = "gpa",
		.group = tacho__yaml_string(yaml, "group", ""),
		.unit = tacho__yaml_string(yaml, "unit", ""),
		.description = tacho__yaml_string(yaml, "text", ""),
		.better = tacho__yaml_string(yaml, "better", ""),
		.advice = tacho__yaml_string(yaml, "advice", ""),
		.caveat = tacho__yaml_string(yaml, "caveat", ""),
		.source = reader->source,
	};
	int rc;

	if (!*entry.name || !variants || variants->type != TACHO__YAML_SEQUENCE)
		return tacho__fail(TACHO_E_INVAL, "", "", "a metric has a name and variants");
	if (!reader->definitions->is_builtin) {
		entry.file = tacho__catalog_text(reader->catalog, "%s:%u",
						 reader->definitions->file, yaml->line);
		if (!entry.file)
			return TACHO_E_NOMEM;
	}
	rc = read_range(yaml, &entry);
	if (!rc)
		rc = read_names(reader, tacho__yaml_get(yaml, "aliases"), &entry.aliases,
				&entry.alias_count);
	for (variants = variants->first; variants && !rc; variants = variants->next)
		rc = read_variant(reader, variants, &entry);
	return rc;
}

int tacho__gpa_read_metrics(struct tacho__gpa_reader *reader, const struct tacho__yaml *metrics)
{
	int rc = 0;

	for (metrics = metrics ? metrics->first : NULL; metrics && !rc; metrics = metrics->next) {
		rc = read_metric(reader, metrics);
		if (rc == TACHO_E_INVAL || rc == TACHO_E_NOTFOUND || rc == TACHO_E_EXISTS)
			rc = tacho__mistake(reader->definitions, metrics->line,
					    tacho__yaml_string(metrics, "name", ""), "%s",
					    tacho_error_last()->message);
	}
	return rc;
}
