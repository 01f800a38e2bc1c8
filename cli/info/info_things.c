/* SPDX-License-Identifier: MIT */
/* Pages about sets, blocks, architectures and models. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "cli.h"
#include "columns.h"
#include "info/info.h"
#include "list/list_kinds.h"

static void put_where(const struct cli_info *info, const struct cli_item *item)
{
	char *where = cli_info_format_where(item);

	cli_info_put(info, "on", "%s", where);
	free(where);
}

static void put_registers(const struct cli_info *info, const struct tacho_set *set)
{
	if (set->register_count)
		cli_info_put(info, "registers", "%zu are programmed", set->register_count);
}

static void print_set(const struct cli_info *info, const struct cli_item *item)
{
	static const struct cli_column columns[] = {
		{"entry", false}, {"kind", false}, {"unit", false}, {"description", false}};
	const struct tacho_set *set = item->members->thing;
	struct cli_table table;

	cli_info_put_title(info, set->name, "set");
	cli_info_put(info, "title", "%s", strcmp(set->title, set->name) == 0 ? "" : set->title);
	cli_info_put(info, "description", "%s", set->description);
	put_where(info, item);
	cli_info_put(info, "GUID", "%s", set->guid);
	cli_info_put(info, "programming", "%s",
		     set->is_exclusive ? "as a whole: no other set counts in the same pass" : "");
	put_registers(info, set);
	cli_info_put(info, "entries", "%zu", set->entry_count);
	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < set->entry_count; i++)
		cli_table_add(&table, (const char *[]){set->entries[i]->name,
						       cli_catalog_kind(set->entries[i]->kind),
						       set->entries[i]->unit,
						       set->entries[i]->description});
	if (table.row_count)
		cli_columns_print(&table, info->stream, info->width);
	cli_table_finish(&table);
}

static void put_number(const struct cli_info *info, const char *label, uint64_t number)
{
	if (number)
		cli_info_put(info, label, "%" PRIu64, number);
}

static size_t count_counters(const struct cli_member *member)
{
	const struct tacho_block *block = member->thing;
	const struct tacho_entry *entry;
	size_t count = 0;

	for (size_t i = 0; (entry = tacho_arch_get_entry(member->arch, i)); i++)
		count += entry->kind == TACHO_ENTRY_COUNTER &&
			 strcmp(entry->block, block->name) == 0;
	return count;
}

static void add_block(struct cli_table *table, const struct cli_item *item)
{
	const struct tacho_block *block = item->members->thing;
	const char *slots = block->stage_slots ? cli_table_format(table, "%u, %u a stage family",
								  block->slots, block->stage_slots)
					       : cli_table_format(table, "%u", block->slots);
	const char *events =
		block->event_count ? cli_table_format(table, "%u", block->event_count) : "-";

	cli_table_add(table, (const char *[]){
				     slots, cli_table_format(table, "%u", block->instances), events,
				     cli_table_format(table, "%zu", count_counters(item->members)),
				     block->stage, block->attributes,
				     cli_table_take(table, cli_info_format_where(item))});
}

void cli_info_print_blocks(const struct cli_info *info, const struct cli_item *items, size_t count)
{
	static const struct cli_column columns[] = {
		{"slots", false}, {"instances", true},	 {"events", true}, {"catalogued", true},
		{"stage", false}, {"attributes", false}, {"on", false}};
	const struct tacho_block *block = items->members->thing;
	struct cli_table table;

	cli_info_put_title(info, block->name, "block");
	cli_info_put(info, "description", "%s", block->description);
	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < count; i++)
		add_block(&table, &items[i]);
	cli_columns_print(&table, info->stream, info->width);
	cli_table_finish(&table);
}

static size_t count_sets(const struct tacho_arch *arch)
{
	size_t count = 0;

	while (tacho_arch_get_set(arch, count))
		count++;
	return count;
}

static size_t count_blocks(const struct tacho_arch *arch)
{
	size_t count = 0;

	while (tacho_arch_get_block(arch, count))
		count++;
	return count;
}

static void put_constants(const struct cli_info *info, const struct tacho_arch *arch)
{
	static const struct cli_column columns[] = {
		{"constant", false}, {"unit", false}, {"description", false}};
	const struct tacho_entry *entry;
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		if (entry->kind == TACHO_ENTRY_CONSTANT)
			cli_table_add(&table, (const char *[]){entry->name, entry->unit,
							       entry->description});
	if (table.row_count) {
		fputs("\nWhat its formulas take from the device\n", info->stream);
		cli_columns_print(&table, info->stream, info->width);
	}
	cli_table_finish(&table);
}

static void print_arch(const struct cli_info *info, const struct cli_item *item)
{
	const struct tacho_arch *arch = item->members->arch;
	const struct tacho_model *model;
	char *apis = cli_item_format_apis(item);
	size_t counters, metrics;

	cli_item_count_entries(item, &counters, &metrics);
	cli_info_put_title(info, arch->name, "architecture");
	cli_info_put(info, "devices", "%s", arch->title);
	cli_info_put(info, "vendor", "%s", arch->vendor);
	cli_info_put(info, "API", "%s", apis);
	put_number(info, "counters", counters);
	put_number(info, "metrics", metrics);
	put_number(info, "sets", count_sets(arch));
	put_number(info, "blocks", count_blocks(arch));
	for (size_t i = 0; (model = tacho_arch_get_model(arch, i)); i++)
		cli_info_put(info, i ? "" : "models", "%s, %s", model->name, model->title);
	cli_info_put(info, "source", "%s", arch->source);
	put_constants(info, arch);
	free(apis);
}

static void print_model(const struct cli_info *info, const struct cli_item *item)
{
	static const struct cli_column columns[] = {{"property", false}, {"value", true}};
	const struct tacho_model *model = item->members->thing;
	struct cli_table table;

	cli_info_put_title(info, model->name, "model");
	cli_info_put(info, "device", "%s", model->title);
	put_where(info, item);
	cli_info_put(info, "source", "%s", model->source);
	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < model->property_count; i++)
		cli_table_add(&table,
			      (const char *[]){model->properties[i].name,
					       cli_table_format(&table, "%" PRIu64,
								model->properties[i].value)});
	if (table.row_count)
		cli_columns_print(&table, info->stream, info->width);
	cli_table_finish(&table);
}

static void print_each(const struct cli_info *info, const struct cli_item *items, size_t count,
		       void (*print)(const struct cli_info *info, const struct cli_item *item))
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc('\n', info->stream);
		print(info, &items[i]);
	}
}

void cli_info_print_sets(const struct cli_info *info, const struct cli_item *items, size_t count)
{
	print_each(info, items, count, print_set);
}

void cli_info_print_archs(const struct cli_info *info, const struct cli_item *items, size_t count)
{
	print_each(info, items, count, print_arch);
}

void cli_info_print_models(const struct cli_info *info, const struct cli_item *items, size_t count)
{
	print_each(info, items, count, print_model);
}
