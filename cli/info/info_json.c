/* SPDX-License-Identifier: MIT */
/* What info knows, as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "catalog.h"
#include "cli.h"
#include "info/info.h"
#include "list/list_kinds.h"

static void begin(struct tacho_json *json, const char *name, const char *kind)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", name);
	tacho_json_add_string(json, "kind", kind);
}

static void add_range(struct tacho_json *json, const struct tacho_entry *entry)
{
	char *range = cli_info_format_range(entry);

	if (*range) {
		tacho_json_begin_array(json, "range");
		tacho_json_add_real(json, NULL, entry->range_low);
		tacho_json_add_real(json, NULL, entry->range_high);
		tacho_json_end(json);
	} else {
		tacho_json_add_null(json, "range");
	}
	free(range);
}

/* Extents on each model of each architecture, or only on the one that was chosen. */
static void add_dimensions(struct tacho_json *json, const struct cli_info *info,
			   const struct cli_definition *definition,
			   const struct tacho_entry *counter)
{
	const struct tacho_model *model;

	tacho_json_begin_array(json, "dimensions");
	for (size_t i = 0; i < definition->item.count; i++) {
		const struct cli_member *member = &definition->item.members[i];
		const struct tacho_entry *own = cli_definition_get_input(member, counter);

		for (size_t k = 0; own && (model = tacho_arch_get_model(member->arch, k)); k++) {
			struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
			uint32_t count;

			if ((info->model &&
			     tacho_arch_find_model(member->arch, info->model) != model) ||
			    !cli_succeeded(tacho_arch_get_dimensions(member->arch, own, model,
								     dimensions, &count)))
				continue;
			tacho_json_begin_object(json, NULL);
			tacho_json_add_string(json, "model", model->name);
			tacho_json_add_string(json, "arch", member->arch->name);
			tacho_json_begin_array(json, "dims");
			for (uint32_t d = 0; d < count; d++) {
				tacho_json_begin_array(json, NULL);
				tacho_json_add_string(json, NULL, dimensions[d].name);
				tacho_json_add_unsigned(json, NULL, dimensions[d].extent);
				tacho_json_end(json);
			}
			tacho_json_end(json);
			tacho_json_end(json);
		}
	}
	tacho_json_end(json);
}

/* Where a counter is selected on each architecture of the definition. */
static void add_events(struct tacho_json *json, const struct cli_definition *definition,
		       const struct tacho_entry *counter)
{
	tacho_json_begin_array(json, "events");
	for (size_t i = 0; i < definition->item.count; i++) {
		const struct cli_member *member = &definition->item.members[i];
		const struct tacho_entry *own = cli_definition_get_input(member, counter);
		const struct tacho_block *block;

		if (!own || !*own->block)
			continue;
		block = tacho_arch_find_block(member->arch, own->block);
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "arch", member->arch->name);
		tacho_json_add_string(json, "api", member->arch->api);
		tacho_json_add_string(json, "block", own->block);
		tacho_json_add_unsigned(json, "event", own->event);
		tacho_json_add_known(json, "slots", block && cli_catalog_states_slots(block),
				     block ? block->slots : 0);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void add_inputs(struct tacho_json *json, const struct cli_info *info,
		       const struct cli_definition *definition)
{
	tacho_json_begin_array(json, "inputs");
	for (size_t i = 0; i < definition->input_count; i++) {
		const struct tacho_entry *input = definition->inputs[i];

		begin(json, input->name, cli_catalog_kind(input->kind));
		tacho_json_add_string(json, "description", input->description);
		if (input->kind == TACHO_ENTRY_COUNTER) {
			add_events(json, definition, input);
			if (info->model)
				add_dimensions(json, info, definition, input);
		}
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void add_metric(struct tacho_json *json, const struct cli_info *info,
		       const struct cli_definition *definition)
{
	const struct tacho_entry *entry = definition->entry;

	tacho_json_add_text(json, "notation", entry->notation);
	tacho_json_add_text(json, "expression", entry->expression);
	cli_json_add_names(json, "operands", entry->inputs, entry->input_count);
	tacho_json_add_text(json, "expanded", definition->expanded);
	tacho_json_add_text(json, "why_not_expanded", definition->why_not);
	tacho_json_add_text(json, "maximum", entry->maximum);
	tacho_json_add_text(json, "availability", entry->availability);
	add_inputs(json, info, definition);
}

/* The device that says of itself what it has, and its way of counting. */
static void add_device(struct tacho_json *json, const struct cli_info *info,
		       const struct cli_definition *definition)
{
	const struct tacho_block *block =
		tacho_arch_find_block(definition->arch, definition->entry->block);

	tacho_json_add_string(json, "device", info->device);
	tacho_json_add_text(json, "counted_by", block ? block->description : NULL);
}

static void add_counter(struct tacho_json *json, const struct cli_info *info,
			const struct cli_definition *definition)
{
	const struct tacho_entry *entry = definition->entry;

	tacho_json_add_text(json, "block", entry->block);
	tacho_json_add_unsigned(json, "event", entry->event);
	tacho_json_add_known(json, "width_bits", entry->width_bits != 0, entry->width_bits);
	tacho_json_add_bool(json, "programmed", entry->is_programmed);
	if (info->device)
		add_device(json, info, definition);
	add_events(json, definition, entry);
	add_dimensions(json, info, definition, entry);
}

void cli_info_write_definition(struct tacho_json *json, const struct cli_info *info,
			       const struct cli_definition *definition)
{
	const struct tacho_entry *entry = definition->entry;
	char *sources = cli_definition_format_sources(definition);

	begin(json, entry->name, cli_catalog_kind(entry->kind));
	tacho_json_add_string(json, "title", entry->title);
	tacho_json_add_string(json, "description", entry->description);
	tacho_json_add_string(json, "unit", entry->unit);
	tacho_json_add_string(json, "type", cli_catalog_type(entry->type));
	tacho_json_add_string(json, "semantic", entry->semantic);
	tacho_json_add_string(json, "group", entry->group);
	cli_json_add_names(json, "aliases", entry->aliases, entry->alias_count);
	cli_json_add_names(json, "endings", entry->endings, entry->ending_count);
	add_range(json, entry);
	tacho_json_add_text(json, "better", entry->better);
	tacho_json_add_text(json, "advice", entry->advice);
	tacho_json_add_text(json, "caveat", entry->caveat);
	tacho_json_add_text(json, "source", sources);
	tacho_json_add_text(json, "file", entry->file);
	free(sources);
	if (entry->kind == TACHO_ENTRY_METRIC)
		add_metric(json, info, definition);
	else if (entry->kind == TACHO_ENTRY_COUNTER)
		add_counter(json, info, definition);
	cli_item_write_where(json, &definition->item);
	tacho_json_end(json);
}

static void add_registers(struct tacho_json *json, const struct tacho_set *set)
{
	tacho_json_begin_array(json, "registers");
	for (size_t i = 0; i < set->register_count; i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "kind", set->registers[i].kind);
		tacho_json_add_unsigned(json, "address", set->registers[i].address);
		tacho_json_add_unsigned(json, "value", set->registers[i].value);
		tacho_json_add_text(json, "availability", set->registers[i].availability);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

void cli_info_write_set(struct tacho_json *json, const struct cli_item *item)
{
	const struct tacho_set *set = item->members->thing;

	begin(json, set->name, "set");
	tacho_json_add_string(json, "title", set->title);
	tacho_json_add_string(json, "description", set->description);
	tacho_json_add_text(json, "guid", set->guid);
	tacho_json_add_bool(json, "exclusive", set->is_exclusive);
	tacho_json_begin_array(json, "entries");
	for (size_t i = 0; i < set->entry_count; i++)
		tacho_json_add_string(json, NULL, set->entries[i]->name);
	tacho_json_end(json);
	add_registers(json, set);
	cli_item_write_where(json, item);
	tacho_json_end(json);
}

void cli_info_write_block(struct tacho_json *json, const struct cli_item *item)
{
	begin(json, ((const struct tacho_block *)item->members->thing)->name, "block");
	cli_kind_blocks.write(json, item);
	cli_item_write_where(json, item);
	tacho_json_end(json);
}

void cli_info_write_arch(struct tacho_json *json, const struct cli_item *item)
{
	const struct tacho_arch *arch = item->members->arch;
	const struct tacho_entry *entry;

	begin(json, arch->name, "architecture");
	cli_kind_archs.write(json, item);
	tacho_json_begin_array(json, "constants");
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		if (entry->kind != TACHO_ENTRY_CONSTANT)
			continue;
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", entry->name);
		tacho_json_add_string(json, "unit", entry->unit);
		tacho_json_add_string(json, "description", entry->description);
		tacho_json_end(json);
	}
	tacho_json_end(json);
	cli_item_write_where(json, item);
	tacho_json_end(json);
}

void cli_info_write_model(struct tacho_json *json, const struct cli_item *item)
{
	const struct tacho_model *model = item->members->thing;

	begin(json, model->name, "model");
	cli_kind_models.write(json, item);
	tacho_json_add_text(json, "source", model->source);
	cli_item_write_where(json, item);
	tacho_json_end(json);
}
