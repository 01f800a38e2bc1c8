/* SPDX-License-Identifier: MIT */
/* Counters, metrics, sets, blocks and architectures as rows and as JSON. */
#include "list/list_kinds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Blocks in blocks; what lies deeper is in itself. */
enum { TREE_DEPTH_MAX = 16 };

/* APIs that share definitions have the same key. */
static char *make_key(const struct tacho_arch *arch, const char *name)
{
	return cli_format("%s/%s", cli_catalog_get_family(arch), name);
}

static void gather_entries(struct cli_items *items, const struct tacho_arch *arch,
			   enum tacho_entry_kind kind)
{
	const struct tacho_entry *entry;

	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		if (entry->kind == kind)
			cli_items_add(items, arch, entry, make_key(arch, entry->name));
}

static void gather_counters(struct cli_items *items, const struct tacho_arch *arch)
{
	const struct tacho_entry *entry;

	gather_entries(items, arch, TACHO_ENTRY_COUNTER);
	for (size_t i = 0; (entry = tacho_command_get_entry(i)); i++)
		cli_items_add(items, arch, entry, make_key(arch, entry->name));
}

static void gather_metrics(struct cli_items *items, const struct tacho_arch *arch)
{
	gather_entries(items, arch, TACHO_ENTRY_METRIC);
}

static const char *get_entry_text(const struct cli_member *member, size_t index)
{
	const struct tacho_entry *entry = member->thing;

	switch (index) {
	case 0: return entry->name;
	case 1: return entry->description;
	case 2: return entry->group;
	case 3: return entry->block;
	default: return index - 4 < entry->alias_count ? entry->aliases[index - 4] : NULL;
	}
}

/* "TCC 23"; "TCC" when the architectures number the event differently. Owned. */
static char *format_event(const struct cli_item *item)
{
	const struct tacho_entry *entry = item->members->thing;
	const struct tacho_block *block;

	for (size_t i = 1; i < item->count; i++) {
		const struct tacho_entry *other = item->members[i].thing;

		if (other->event != entry->event || strcmp(other->block, entry->block) != 0)
			return cli_format("%s", entry->block);
	}
	block = tacho_arch_find_block(item->members->arch, entry->block);
	if (block && !cli_catalog_states_slots(block))
		return cli_format("%s", entry->block);
	return cli_format("%s %" PRIu64, entry->block, entry->event & UINT32_MAX);
}

/* The item's architectures for its row: "all" when these are all of its section. */
static const char *format_archs(struct cli_table *table, const struct cli_section *section,
				const struct cli_item *item)
{
	const char *archs = cli_table_take(table, cli_item_format_archs(item));

	if (strcmp(archs, section->all_archs) != 0)
		return archs;
	return strchr(archs, ' ') ? "all" : "";
}

/* Its APIs, "" when the whole section has no others. */
static const char *format_apis(struct cli_table *table, const struct cli_section *section,
			       const struct cli_item *item)
{
	const char *apis = cli_table_take(table, cli_item_format_apis(item));

	return strcmp(apis, section->all_apis) == 0 && !strchr(apis, ' ') ? "" : apis;
}

static void add_entry(struct cli_table *table, const struct cli_section *section,
		      const struct cli_item *item)
{
	const struct tacho_entry *entry = item->members->thing;
	bool counts = entry->kind == TACHO_ENTRY_COUNTER;
	const char *event =
		counts && *entry->block ? cli_table_take(table, format_event(item)) : "";
	const char *cells[] = {entry->name,
			       entry->unit,
			       counts ? event : entry->group,
			       format_apis(table, section, item),
			       format_archs(table, section, item),
			       entry->description};

	cli_table_add(table, cells);
}

static void write_entry(struct tacho_json *json, const struct cli_item *item)
{
	const struct tacho_entry *entry = item->members->thing;

	tacho_json_add_string(json, "kind", cli_catalog_kind(entry->kind));
	tacho_json_add_string(json, "unit", entry->unit);
	tacho_json_add_string(json, "type", cli_catalog_type(entry->type));
	tacho_json_add_string(json, "group", entry->group);
	if (entry->kind == TACHO_ENTRY_COUNTER) {
		tacho_json_add_string(json, "block", entry->block);
		tacho_json_add_unsigned(json, "event", entry->event);
	}
	tacho_json_add_string(json, "description", entry->description);
	cli_json_add_names(json, "aliases", entry->aliases, entry->alias_count);
	if (entry->ending_count)
		cli_json_add_names(json, "endings", entry->endings, entry->ending_count);
}

static void gather_sets(struct cli_items *items, const struct tacho_arch *arch)
{
	const struct tacho_set *set;

	for (size_t i = 0; (set = tacho_arch_get_set(arch, i)); i++) {
		char *name = cli_format("%s/%s", set->name, set->guid);

		cli_items_add(items, arch, set, make_key(arch, name));
		free(name);
	}
}

static const char *get_set_text(const struct cli_member *member, size_t index)
{
	const struct tacho_set *set = member->thing;

	switch (index) {
	case 0: return set->name;
	case 1: return set->title;
	case 2: return set->description;
	case 3: return set->guid;
	default: return NULL;
	}
}

static void get_set_range(const struct cli_item *item, size_t *out_least, size_t *out_most)
{
	size_t least = SIZE_MAX, most = 0;

	for (size_t i = 0; i < item->count; i++) {
		const struct tacho_set *set = item->members[i].thing;

		least = set->entry_count < least ? set->entry_count : least;
		most = set->entry_count > most ? set->entry_count : most;
	}
	*out_least = least;
	*out_most = most;
}

static void add_set(struct cli_table *table, const struct cli_section *section,
		    const struct cli_item *item)
{
	const struct tacho_set *set = item->members->thing;
	size_t least, most;

	get_set_range(item, &least, &most);
	cli_table_add(table,
		      (const char *[]){
			      set->name,
			      least == most ? cli_table_format(table, "%zu", most)
					    : cli_table_format(table, "%zu-%zu", least, most),
			      format_apis(table, section, item), format_archs(table, section, item),
			      set->guid, strcmp(set->title, set->name) == 0 ? "" : set->title});
}

static void write_set(struct tacho_json *json, const struct cli_item *item)
{
	const struct tacho_set *set = item->members->thing;
	size_t least, most;

	get_set_range(item, &least, &most);
	tacho_json_add_string(json, "title", set->title);
	tacho_json_add_string(json, "description", set->description);
	tacho_json_add_string(json, "guid", set->guid);
	tacho_json_add_bool(json, "exclusive", set->is_exclusive);
	tacho_json_add_unsigned(json, "entries_min", least);
	tacho_json_add_unsigned(json, "entries_max", most);
}

/* Blocks that differ in a number are different items. */
static void gather_block(struct cli_items *items, const struct tacho_arch *arch,
			 const struct tacho_block *block)
{
	char *name = cli_format("%s/%u/%u/%u/%s/%s/%s", block->name, block->slots, block->instances,
				block->event_count, block->attributes, block->parent, block->clock);

	cli_items_add(items, arch, block, make_key(arch, name));
	free(name);
}

static const struct tacho_block *get_parent(const struct tacho_arch *arch,
					    const struct tacho_block *block)
{
	return *block->parent ? tacho_arch_find_block(arch, block->parent) : NULL;
}

/* How many blocks it is in; those that are in themselves end. */
static unsigned get_depth(const struct tacho_arch *arch, const struct tacho_block *block)
{
	unsigned depth = 0;

	while ((block = get_parent(arch, block)) && depth < TREE_DEPTH_MAX)
		depth++;
	return depth;
}

/* The blocks in `parent`, each followed by those in it. */
static void gather_children(struct cli_items *items, const struct tacho_arch *arch,
			    const struct tacho_block *parent, unsigned depth)
{
	const struct tacho_block *block;

	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++) {
		if (get_parent(arch, block) != parent || get_depth(arch, block) != depth)
			continue;
		gather_block(items, arch, block);
		if (depth + 1 < TREE_DEPTH_MAX)
			gather_children(items, arch, block, depth + 1);
	}
}

/* As a tree where blocks say what they are part of. */
static void gather_blocks(struct cli_items *items, const struct tacho_arch *arch)
{
	const struct tacho_block *block;

	gather_children(items, arch, NULL, 0);
	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++)
		if (get_depth(arch, block) == TREE_DEPTH_MAX)
			gather_block(items, arch, block);
}

static const char *get_block_text(const struct cli_member *member, size_t index)
{
	const struct tacho_block *block = member->thing;

	switch (index) {
	case 0: return block->name;
	case 1: return block->description;
	case 2: return block->attributes;
	case 3: return block->clock;
	default: return NULL;
	}
}

static void add_block(struct cli_table *table, const struct cli_section *section,
		      const struct cli_item *item)
{
	const struct tacho_block *block = item->members->thing;
	const char *events =
		block->event_count ? cli_table_format(table, "%u", block->event_count) : "-";

	const char *name = cli_table_format(
		table, "%*s%s", 2 * (int)get_depth(item->members->arch, block), "", block->name);
	const char *slots =
		cli_catalog_states_slots(block) ? cli_table_format(table, "%u", block->slots) : "-";

	cli_table_add(table,
		      (const char *[]){name, slots, cli_table_format(table, "%u", block->instances),
				       events, block->clock, block->attributes,
				       format_apis(table, section, item),
				       format_archs(table, section, item), block->description});
}

static void write_block(struct tacho_json *json, const struct cli_item *item)
{
	const struct tacho_block *block = item->members->thing;

	tacho_json_add_string(json, "description", block->description);
	tacho_json_add_known(json, "slots", cli_catalog_states_slots(block), block->slots);
	tacho_json_add_unsigned(json, "instances", block->instances);
	tacho_json_add_known(json, "events", block->event_count != 0, block->event_count);
	tacho_json_add_string(json, "attributes", block->attributes);
	tacho_json_add_text(json, "parent", block->parent);
	tacho_json_add_text(json, "clock", block->clock);
	tacho_json_add_text(json, "elapsed", block->elapsed);
	tacho_json_add_text(json, "active", block->active);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t count_names(const struct cli_item *item, enum tacho_entry_kind kind)
{
	const struct tacho_entry *entry;
	size_t total = 0, count = 0, different = 0;
	const char **names;

	for (size_t i = 0; i < item->count; i++)
		for (size_t k = 0; tacho_arch_get_entry(item->members[i].arch, k); k++)
			total++;
	names = cli_alloc(total * sizeof(*names));
	for (size_t i = 0; i < item->count; i++)
		for (size_t k = 0; (entry = tacho_arch_get_entry(item->members[i].arch, k)); k++)
			if (entry->kind == kind)
				names[count++] = entry->name;
	qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++)
		different += !i || strcmp(names[i], names[i - 1]) != 0;
	free(names);
	return different;
}

void cli_item_count_entries(const struct cli_item *item, size_t *out_counters, size_t *out_metrics)
{
	*out_counters = count_names(item, TACHO_ENTRY_COUNTER);
	*out_metrics = count_names(item, TACHO_ENTRY_METRIC);
}

static void gather_archs(struct cli_items *items, const struct tacho_arch *arch)
{
	cli_items_add(items, arch, arch, make_key(arch, arch->name));
}

static const char *get_arch_text(const struct cli_member *member, size_t index)
{
	const struct tacho_model *model;

	switch (index) {
	case 0: return member->arch->name;
	case 1: return member->arch->api;
	case 2: return member->arch->title;
	case 3: return member->arch->vendor;
	default:
		model = tacho_arch_get_model(member->arch, (index - 4) / 2);
		return !model ? NULL : index % 2 ? model->title : model->name;
	}
}

static void add_arch(struct cli_table *table, const struct cli_section *section,
		     const struct cli_item *item)
{
	const struct tacho_arch *arch = item->members->arch;
	size_t counters, metrics;

	cli_item_count_entries(item, &counters, &metrics);
	cli_table_add(table, (const char *[]){
				     arch->name, cli_table_take(table, cli_item_format_apis(item)),
				     cli_table_format(table, "%zu", counters),
				     cli_table_format(table, "%zu", metrics), arch->title});
}

static void write_arch(struct tacho_json *json, const struct cli_item *item)
{
	const struct tacho_arch *arch = item->members->arch;
	const struct tacho_model *model;
	size_t counters, metrics;

	cli_item_count_entries(item, &counters, &metrics);
	tacho_json_add_string(json, "title", arch->title);
	tacho_json_add_string(json, "vendor", arch->vendor);
	tacho_json_add_string(json, "source", arch->source);
	tacho_json_add_unsigned(json, "counters", counters);
	tacho_json_add_unsigned(json, "metrics", metrics);
	tacho_json_begin_array(json, "models");
	for (size_t i = 0; (model = tacho_arch_get_model(arch, i)); i++)
		tacho_json_add_string(json, NULL, model->name);
	tacho_json_end(json);
}

static void gather_models(struct cli_items *items, const struct tacho_arch *arch)
{
	const struct tacho_model *model;

	for (size_t i = 0; (model = tacho_arch_get_model(arch, i)); i++)
		cli_items_add(items, arch, model, make_key(arch, model->name));
}

static const char *get_model_text(const struct cli_member *member, size_t index)
{
	const struct tacho_model *model = member->thing;

	switch (index) {
	case 0: return model->name;
	case 1: return model->title;
	case 2: return member->arch->name;
	default: return NULL;
	}
}

static void add_model(struct cli_table *table, const struct cli_section *section,
		      const struct cli_item *item)
{
	const struct tacho_model *model = item->members->thing;

	cli_table_add(table, (const char *[]){model->name,
					      cli_table_take(table, cli_item_format_archs(item)),
					      format_apis(table, section, item), model->title});
}

static void write_model(struct tacho_json *json, const struct cli_item *item)
{
	const struct tacho_model *model = item->members->thing;

	tacho_json_add_string(json, "title", model->title);
	tacho_json_begin_object(json, "properties");
	for (size_t i = 0; i < model->property_count; i++)
		tacho_json_add_unsigned(json, model->properties[i].name,
					model->properties[i].value);
	tacho_json_end(json);
}

const struct cli_kind cli_kind_counters = {"counter",
					   "counters",
					   {{"counter", false},
					    {"unit", false},
					    {"event", false},
					    {"APIs", false},
					    {"archs", false},
					    {"description", false}},
					   6,
					   gather_counters,
					   get_entry_text,
					   add_entry,
					   write_entry};

const struct cli_kind cli_kind_metrics = {"metric",
					  "metrics",
					  {{"metric", false},
					   {"unit", false},
					   {"group", false},
					   {"APIs", false},
					   {"archs", false},
					   {"description", false}},
					  6,
					  gather_metrics,
					  get_entry_text,
					  add_entry,
					  write_entry};

const struct cli_kind cli_kind_sets = {"set",
				       "sets",
				       {{"set", false},
					{"entries", true},
					{"APIs", false},
					{"archs", false},
					{"GUID", false},
					{"title", false}},
				       6,
				       gather_sets,
				       get_set_text,
				       add_set,
				       write_set};

const struct cli_kind cli_kind_blocks = {"block",
					 "blocks",
					 {{"block", false},
					  {"slots", true},
					  {"instances", true},
					  {"events", true},
					  {"clock", false},
					  {"attributes", false},
					  {"APIs", false},
					  {"archs", false},
					  {"description", false}},
					 9,
					 gather_blocks,
					 get_block_text,
					 add_block,
					 write_block};

const struct cli_kind cli_kind_archs = {
	"architecture",
	"architectures",
	{{"arch", false}, {"APIs", false}, {"counters", true}, {"metrics", true}, {"title", false}},
	5,
	gather_archs,
	get_arch_text,
	add_arch,
	write_arch};

const struct cli_kind cli_kind_models = {
	"model",
	"models",
	{{"model", false}, {"arch", false}, {"APIs", false}, {"device", false}},
	4,
	gather_models,
	get_model_text,
	add_model,
	write_model};
