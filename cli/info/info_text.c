/* SPDX-License-Identifier: MIT */
/* Pages about counters and metrics. */
#include "info/info.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "cli.h"
#include "columns.h"
#include "fold.h"
#include "text.h"

enum { INDENT = 2, LABEL = 14, NARROW = 60 };

void cli_info_put_title(const struct cli_info *info, const char *name, const char *kind)
{
	cli_text_print(info->stream, 0, INDENT, info->width, "%s - %s", name, kind);
}

/*
 * Writes the label, on a line of its own where there is little room for a long text. Returns the
 * text's indent.
 */
static unsigned put_label(const struct cli_info *info, const char *label, const char *text)
{
	if (info->width >= NARROW || LABEL + strlen(text) <= info->width) {
		fprintf(info->stream, "%*s%-*s", INDENT, "", LABEL - INDENT, label);
		return LABEL;
	}
	if (*label)
		fprintf(info->stream, "%*s%s\n", INDENT, "", label);
	fprintf(info->stream, "%*s", 2 * INDENT, "");
	return 2 * INDENT;
}

void cli_info_put(const struct cli_info *info, const char *label, const char *format, ...)
{
	unsigned indent;
	char *text;
	va_list list;

	va_start(list, format);
	text = cli_format_list(format, list);
	va_end(list);
	if (*text) {
		indent = put_label(info, label, text);
		cli_text_wrap(info->stream, text, indent, indent, info->width);
	}
	free(text);
}

/*
 * The part of a formula that fits: it ends behind a mark, or it is too long. A bracket is a mark
 * only when there is no other one.
 */
static size_t take_formula(const char *text, size_t room)
{
	size_t taken = 0, bracket = 0;

	for (size_t i = 0; text[i]; i++) {
		if ((taken || bracket) && i >= room)
			return taken > room / 2 || !bracket ? taken : bracket;
		if (strchr(" ,*/", text[i]))
			taken = i + 1;
		if (text[i] == '(')
			bracket = i + 1;
	}
	return strlen(text);
}

/* The same for formulas, which may be broken behind commas too. */
static void put_formula(const struct cli_info *info, const char *label, const char *text)
{
	unsigned indent;
	char *clean, *at;

	if (!*text)
		return;
	indent = put_label(info, label, text);
	clean = cli_text_clean(text);
	for (at = clean; *at;) {
		size_t size = take_formula(at, info->width - indent), shown = size;

		while (shown && at[shown - 1] == ' ')
			shown--;
		fprintf(info->stream, "%*s%.*s\n", at == clean ? 0 : (int)indent, "", (int)shown,
			at);
		at += size;
		at += strspn(at, " ");
	}
	free(clean);
}

static char *describe_values(const struct tacho_entry *entry)
{
	char *range = cli_info_format_range(entry);
	char *text = cli_format("%s%s%s%s%s%s", *entry->unit ? entry->unit : "no unit stated",
				*range ? ", " : "", range, *entry->better ? ", " : "",
				entry->better, *entry->better ? " is better" : "");

	free(range);
	return text;
}

static char *join_aliases(const struct tacho_entry *entry)
{
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < entry->alias_count; i++)
		cli_append(&text, ", ", "%s", entry->aliases[i]);
	return text;
}

/* ".sum, which the name alone means, .sum.per_second, ..."; "" of an entry without any. */
static char *join_endings(const struct tacho_entry *entry)
{
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < entry->ending_count; i++)
		cli_append(&text, ", ", "%s%s", entry->endings[i],
			   i ? "" : " (the name alone means it)");
	return text;
}

/* What the definition before said already is not said again. */
static void put_if_new(const struct cli_info *info, const char *label, const char *text,
		       const char *said)
{
	if (!said || strcmp(text, said) != 0)
		cli_info_put(info, label, "%s", text);
}

/* The vendor's name for people; "" when it is the name itself. */
static const char *get_title(const struct tacho_entry *entry)
{
	return strcmp(entry->title, entry->name) == 0 ? "" : entry->title;
}

static void put_common(const struct cli_info *info, const struct cli_definition *definition,
		       const struct cli_definition *before)
{
	const struct tacho_entry *entry = definition->entry;
	const struct tacho_entry *said = before ? before->entry : NULL;
	char *values = describe_values(entry), *said_values = said ? describe_values(said) : NULL;
	char *aliases = join_aliases(entry), *said_aliases = said ? join_aliases(said) : NULL;
	char *endings = join_endings(entry), *said_endings = said ? join_endings(said) : NULL;
	char *sources = cli_definition_format_sources(definition);
	char *said_sources = before ? cli_definition_format_sources(before) : NULL;

	put_if_new(info, "title", get_title(entry), said ? get_title(said) : NULL);
	put_if_new(info, "description", entry->description, said ? said->description : NULL);
	put_if_new(info, "unit", values, said_values);
	put_if_new(info, "type", cli_catalog_type(entry->type),
		   said ? cli_catalog_type(said->type) : NULL);
	put_if_new(info, "semantic", entry->semantic, said ? said->semantic : NULL);
	put_if_new(info, "group", entry->group, said ? said->group : NULL);
	put_if_new(info, "also called", aliases, said_aliases);
	put_if_new(info, "endings", endings, said_endings);
	put_if_new(info, "advice", entry->advice, said ? said->advice : NULL);
	put_if_new(info, "caveat", entry->caveat, said ? said->caveat : NULL);
	put_if_new(info, "source", sources, said_sources);
	free(said_sources);
	free(sources);
	free(said_endings);
	free(endings);
	free(said_aliases);
	free(aliases);
	free(said_values);
	free(values);
}

/* What the numbers in an expression stand for: "0-15 = TA[0-15]_BUSY, 16 = GRBM_ACTIVE". */
static void put_operands(const struct cli_info *info, const struct tacho_entry *entry)
{
	char *text = cli_format("%s", "");

	for (size_t i = 0, length; i < entry->input_count; i += length) {
		char *names;

		length = cli_fold_get_run(entry->inputs, entry->input_count, i);
		names = cli_fold_format_run(entry->inputs[i], entry->inputs[i + length - 1]);
		if (length == 1)
			cli_append(&text, ", ", "%zu = %s", i, names);
		else
			cli_append(&text, ", ", "%zu-%zu = %s", i, i + length - 1, names);
		free(names);
	}
	cli_info_put(info, "operands", "%s", text);
	free(text);
}

/* The model whose dimensions are shown for all inputs: the chosen one, or the only arch's first. */
static const struct tacho_model *get_model(const struct cli_info *info,
					   const struct cli_definition *definition,
					   const struct tacho_arch **out_arch)
{
	for (size_t i = 0; i < definition->item.count; i++) {
		const struct tacho_arch *arch = definition->item.members[i].arch;
		const struct tacho_model *model;

		*out_arch = arch;
		if (!info->model && definition->item.count > 1)
			return NULL;
		model = info->model ? tacho_arch_find_model(arch, info->model)
				    : tacho_arch_get_model(arch, 0);
		if (model || !info->model)
			return model;
	}
	return NULL;
}

/* Where the inputs `index` to `last` are counted. Owned. */
static char *format_events(const struct cli_definition *definition, size_t index, size_t last)
{
	const struct tacho_entry *input = definition->inputs[index];

	if (input->kind == TACHO_ENTRY_CONSTANT)
		return cli_format("the device");
	return cli_definition_format_event(definition, input, definition->inputs[last]);
}

static void add_input(struct cli_table *table, const struct cli_definition *definition,
		      size_t index, size_t last, const char *name, const struct tacho_arch *arch,
		      const struct tacho_model *model)
{
	const struct tacho_entry *input = definition->inputs[index];
	const struct tacho_block *block =
		*input->block ? tacho_arch_find_block(definition->arch, input->block) : NULL;
	const char *dimensions =
		model ? cli_table_take(table, cli_info_format_dimensions(arch, input, model)) : "";

	cli_table_add(
		table,
		(const char *[]){name,
				 input->peak > 0 ? cli_table_format(table, "%g", input->peak) : "",
				 block ? block->clock : "",
				 /* at the same time in each instance of the block */
				 block ? cli_table_format(table, "%u", block->slots) : "",
				 cli_table_take(table, format_events(definition, index, last)),
				 strcmp(dimensions, "one value") == 0 ? "" : dimensions,
				 input->description});
}

static void put_inputs(const struct cli_info *info, const struct cli_definition *definition)
{
	const struct tacho_arch *arch = definition->arch;
	const struct tacho_model *model = get_model(info, definition, &arch);
	char *heading = model ? cli_format("dimensions on %s", model->name) : cli_format("about");
	struct cli_column columns[] = {{"input", false},      {"peak", true},  {"clock", false},
				       {"slots", true},	      {"from", false}, {heading, false},
				       {"description", false}};
	const char **names = cli_alloc((definition->input_count + 1) * sizeof(*names));
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < definition->input_count; i++)
		names[i] = definition->inputs[i]->name;
	for (size_t i = 0, length; i < definition->input_count; i += length) {
		char *name;
		length = cli_fold_get_run(names, definition->input_count, i);
		name = cli_fold_format_run(names[i], names[i + length - 1]);
		add_input(&table, definition, i, i + length - 1, name, arch, model);
		free(name);
	}
	if (table.row_count)
		cli_columns_print(&table, info->stream, info->width);
	cli_table_finish(&table);
	free(names);
	free(heading);
}

static void put_metric(const struct cli_info *info, const struct cli_definition *definition)
{
	const struct tacho_entry *entry = definition->entry;

	if (*entry->expression) {
		put_formula(info, "formula", entry->expression);
		cli_info_put(info, "notation", "%s", entry->notation);
		put_operands(info, entry);
	}
	if (definition->expanded)
		put_formula(info, "expanded", definition->expanded);
	else
		cli_info_put(info, *entry->expression ? "expanded" : "formula", "%s",
			     definition->why_not);
	put_formula(info, "maximum", entry->maximum);
	put_formula(info, "available if", entry->availability);
	put_inputs(info, definition);
}

static void put_extents(const struct cli_info *info, const char **label, const char *names,
			const char *extents)
{
	cli_info_put(info, *label, "%s on %s", extents, names);
	*label = "";
}

/* Models with the same extents share a line. */
static void put_models(const struct cli_info *info, const struct cli_definition *definition)
{
	const struct tacho_model *model;
	char *names = NULL, *last = cli_format("%s", "");
	const char *label = "dimensions";

	for (size_t i = 0; i < definition->item.count; i++) {
		const struct tacho_arch *arch = definition->item.members[i].arch;

		for (size_t k = 0; (model = tacho_arch_get_model(arch, k)); k++) {
			char *dimensions;

			if (info->model && tacho_arch_find_model(arch, info->model) != model)
				continue;
			dimensions = cli_info_format_dimensions(arch, definition->entry, model);
			if (names && strcmp(dimensions, last) != 0) {
				put_extents(info, &label, names, last);
				free(names);
				names = NULL;
			}
			cli_append(&names, ", ", "%s", model->name);
			free(last);
			last = dimensions;
		}
	}
	if (names)
		put_extents(info, &label, names, last);
	free(names);
	free(last);
}

static void put_cycles(const struct cli_info *info, const struct tacho_block *block)
{
	char *text = cli_format("%s", block->clock);

	if (*block->elapsed)
		cli_append(&text, ", ", "cycles in %s", block->elapsed);
	if (*block->active)
		cli_append(&text, ", ", "those with work in %s", block->active);
	cli_info_put(info, "clock", "%s", text);
	free(text);
}

static void put_counter(const struct cli_info *info, const struct cli_definition *definition)
{
	const struct tacho_entry *entry = definition->entry;
	const struct tacho_block *block =
		*entry->block ? tacho_arch_find_block(definition->arch, entry->block) : NULL;
	char *event = cli_definition_format_event(definition, entry, entry);
	char *name = NULL;

	if (block && !cli_catalog_states_slots(block))
		cli_info_put(info, "block", "%s", entry->block);
	else
		cli_info_put(info, "block event", "%s", event);
	if (block && cli_catalog_states_slots(block) && !info->device)
		cli_info_put(info, "slots", "%u at the same time in each instance of the block",
			     block->slots);
	if (block && info->device)
		cli_info_put(info, "counted by", "%s", block->description);
	if (entry->width_bits)
		cli_info_put(info, "width", "%u bits", entry->width_bits);
	if (entry->peak > 0)
		cli_info_put(info, "peak", "%g in a cycle of each instance", entry->peak);
	if (block)
		put_cycles(info, block);
	if (*entry->joins)
		cli_info_put(info, "joins", "of several ranges the %s counts", entry->joins);
	if (cli_succeeded(tacho_arch_format_metric_name(definition->arch, entry, &name)))
		cli_info_put(info, "grammar", "%s, and _sum, .avg.per_second ... behind it", name);
	free(name);
	put_models(info, definition);
	free(event);
}

static void put_definition(const struct cli_info *info, const struct cli_definition *definition,
			   const struct cli_definition *said)
{
	char *where = cli_info_format_where(&definition->item);

	if (definition->entry->is_of_command) {
		cli_info_put(info, "counted",
			     "of every command, on any device and under any API; "
			     "recordings have it");
		goto out;
	}
	fputc('\n', info->stream);
	cli_text_print(info->stream, 0, INDENT, info->width, "On %s",
		       info->device ? info->device : where);
	if (said != definition)
		put_common(info, definition, said);
	if (definition->entry->kind == TACHO_ENTRY_METRIC)
		put_metric(info, definition);
	else if (definition->entry->kind == TACHO_ENTRY_COUNTER)
		put_counter(info, definition);
out:
	free(where);
}

void cli_info_print_definitions(const struct cli_info *info,
				const struct cli_definition *definitions, size_t count)
{
	const struct tacho_entry *first = definitions->entry;

	cli_info_put_title(info, first->name, cli_catalog_kind(first->kind));
	put_common(info, definitions, NULL);
	for (size_t i = 0; i < count; i++)
		put_definition(info, &definitions[i], &definitions[i ? i - 1 : 0]);
}
