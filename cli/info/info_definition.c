/* SPDX-License-Identifier: MIT */
/* What is worked out for a definition, and when two are the same. */
#include "info/info.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "catalog.h"
#include "cli.h"
#include "fold.h"

static char *get_expanded(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	char *text = NULL;

	if (entry->kind != TACHO_ENTRY_METRIC || !*entry->expression)
		return NULL;
	return cli_succeeded(tacho_arch_format_expanded(arch, entry, &text)) ? text : NULL;
}

char *cli_definition_make_key(const struct tacho_arch *arch, const struct tacho_entry *entry)
{
	char *expanded = get_expanded(arch, entry);
	const char *family = entry->is_of_command ? "" : cli_catalog_get_family(arch);
	char *key = cli_format("%s|%d|%d|%s|%s|%s|%s|%" PRIu64 "|%u", family, entry->kind,
			       entry->type, entry->description, entry->group, entry->unit,
			       entry->block, entry->event, entry->width_bits);

	cli_append(&key, "|", "%s|%s|%s|%s|%s", entry->notation, entry->expression, entry->maximum,
		   entry->availability, expanded ? expanded : "");
	cli_append(&key, "|", "%g|%g|%s|%s|%s|%s|%s", entry->range_low, entry->range_high,
		   entry->better, entry->advice, entry->caveat, entry->title, entry->semantic);
	for (size_t i = 0; i < entry->input_count; i++)
		cli_append(&key, "|", "%s", entry->inputs[i]);
	free(expanded);
	return key;
}

void cli_definition_init(struct cli_definition *definition, const struct cli_item *item)
{
	memset(definition, 0, sizeof(*definition));
	definition->item = *item;
	definition->entry = item->members->thing;
	definition->arch = item->members->arch;
	if (definition->entry->kind != TACHO_ENTRY_METRIC)
		return;
	if (!*definition->entry->expression) {
		definition->why_not = cli_format("no equation is published");
		return;
	}
	definition->expanded = get_expanded(definition->arch, definition->entry);
	if (!definition->expanded)
		definition->why_not = cli_format("%s", tacho_error_last()->message);
	if (!cli_succeeded(tacho_arch_list_inputs(definition->arch, definition->entry,
						  &definition->inputs, &definition->input_count))) {
		definition->inputs = NULL;
		definition->input_count = 0;
	}
}

void cli_definition_finish(struct cli_definition *definition)
{
	free(definition->expanded);
	free(definition->why_not);
	free(definition->inputs);
	memset(definition, 0, sizeof(*definition));
}

const struct tacho_entry *cli_definition_get_input(const struct cli_member *member,
						   const struct tacho_entry *input)
{
	const struct tacho_entry *other = tacho_arch_find_entry(member->arch, input->name);

	return other && other->kind == input->kind ? other : NULL;
}

char *cli_definition_format_sources(const struct cli_definition *definition)
{
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < definition->item.count; i++) {
		const struct tacho_entry *entry = definition->item.members[i].thing;
		char *source = cli_format("%s%s%s", entry->source,
					  *entry->source && *entry->file ? ", " : "", entry->file);

		if (*source && !strstr(text, source))
			cli_append(&text, "; ", "%s", source);
		free(source);
	}
	return text;
}

/* A run of counters on one architecture; "" when it lacks the first. */
static char *format_event(const struct cli_member *member, const struct tacho_entry *first,
			  const struct tacho_entry *last)
{
	const struct tacho_entry *from = cli_definition_get_input(member, first);
	const struct tacho_entry *to = cli_definition_get_input(member, last);
	char *block, *text;

	if (!from || !*from->block)
		return cli_format("%s", "");
	block = cli_fold_format_run(from->block, to && *to->block ? to->block : from->block);
	text = cli_format("%s %" PRIu32, block, (uint32_t)from->event);
	if (from->event >> 32)
		cli_append(&text, "", " with flags 0x%" PRIx64, from->event >> 32);
	free(block);
	return text;
}

/* Adds the architectures on which the text reads `event`, from member `first` on. */
static void add_event(const struct cli_definition *definition, char *const *events, size_t first,
		      char **text)
{
	size_t total = definition->item.count;
	struct cli_member *members = cli_alloc(total * sizeof(*members));
	struct cli_item item = {members, 0};
	char *archs;

	for (size_t i = first; i < total; i++)
		if (strcmp(events[i], events[first]) == 0)
			members[item.count++] = definition->item.members[i];
	archs = item.count == total ? NULL : cli_item_format_archs(&item);
	cli_append(text, ", ", "%s%s%s", events[first], archs ? " on " : "", archs ? archs : "");
	free(archs);
	free(members);
}

char *cli_definition_format_event(const struct cli_definition *definition,
				  const struct tacho_entry *first, const struct tacho_entry *last)
{
	size_t count = definition->item.count;
	char **events = cli_alloc(count * sizeof(*events));
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < count; i++)
		events[i] = format_event(&definition->item.members[i], first, last);
	for (size_t i = 0; i < count; i++) {
		bool is_new = *events[i];

		for (size_t k = 0; k < i && is_new; k++)
			is_new = strcmp(events[k], events[i]) != 0;
		if (is_new)
			add_event(definition, events, i, &text);
	}
	for (size_t i = 0; i < count; i++)
		free(events[i]);
	free(events);
	return text;
}

char *cli_info_format_dimensions(const struct tacho_arch *arch, const struct tacho_entry *counter,
				 const struct tacho_model *model)
{
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	char *text = cli_format("%s", "");
	uint32_t count;

	if (counter->kind != TACHO_ENTRY_COUNTER)
		return text;
	if (!cli_succeeded(tacho_arch_get_dimensions(arch, counter, model, dimensions, &count))) {
		cli_append(&text, "", "- (%s)", tacho_error_last()->message);
		return text;
	}
	for (uint32_t i = 0; i < count; i++)
		cli_append(&text, " x ", "%s %u", dimensions[i].name, dimensions[i].extent);
	if (!count)
		cli_append(&text, "", "one value");
	return text;
}

char *cli_info_format_where(const struct cli_item *item)
{
	char *archs = cli_item_format_archs(item), *apis = cli_item_format_apis(item);
	char *text = cli_format("%s (API %s)", archs, apis);

	free(apis);
	free(archs);
	return text;
}

char *cli_info_format_range(const struct tacho_entry *entry)
{
	bool low = isfinite(entry->range_low), high = isfinite(entry->range_high);

	if (low && high && entry->range_low >= entry->range_high)
		return cli_format("%s", "");
	if (low && high)
		return cli_format("%g to %g", entry->range_low, entry->range_high);
	if (low)
		return cli_format("%g and more", entry->range_low);
	if (high)
		return cli_format("up to %g", entry->range_high);
	return cli_format("%s", "");
}
