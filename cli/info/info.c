/* SPDX-License-Identifier: MIT */
/* tacho info: everything that is known of a name. */
#include "info/info.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/error.h>
#include <tacho/sys/pattern.h>

#include "catalog.h"
#include "device_arch.h"
#include "nearest.h"
#include "options/options.h"
#include "text.h"

struct settings {
	struct cli_catalog_choice choice;
	const char *device;
	bool json;
};

/* Where names are looked up, and where what is found goes to. */
struct search {
	struct cli_info info;
	struct tacho_json *json;	 /* NULL: text */
	struct cli_described described;	 /* the device that is asked about */
	const struct tacho_arch **archs; /* that were chosen */
	size_t arch_count;
	bool any; /* a page was printed already */
};

static void begin_page(struct search *search)
{
	if (!search->json && search->any)
		fputc('\n', search->info.stream);
	search->any = true;
}

static bool is_exact(const struct tacho_entry *entry, const char *name)
{
	for (size_t i = 0; i < entry->alias_count; i++)
		if (strcmp(entry->aliases[i], name) == 0)
			return true;
	return strcmp(entry->name, name) == 0;
}

/* The entries of this name; those that are spelled otherwise only when none is spelled so. */
static void find_entries(const struct search *search, const char *name, bool exact,
			 struct cli_items *items)
{
	for (size_t i = 0; i < search->arch_count; i++) {
		const struct tacho_entry *entry = tacho_arch_find_entry(search->archs[i], name);

		if (entry && is_exact(entry, name) == exact)
			cli_items_add(items, search->archs[i], entry,
				      cli_definition_make_key(search->archs[i], entry));
	}
	if (exact && !items->member_count)
		find_entries(search, name, false, items);
}

/* Counters, metrics and constants of this name, one paragraph for each definition. */
static bool show_entries(struct search *search, const char *name)
{
	struct cli_definition *definitions;
	struct cli_items items = {0};

	find_entries(search, name, true, &items);
	cli_items_fold(&items);
	if (!items.count)
		return false;
	definitions = cli_alloc(items.count * sizeof(*definitions));
	for (size_t i = 0; i < items.count; i++)
		cli_definition_init(&definitions[i], &items.items[i]);
	begin_page(search);
	if (!search->json)
		cli_info_print_definitions(&search->info, definitions, items.count);
	for (size_t i = 0; i < items.count && search->json; i++)
		cli_info_write_definition(search->json, &search->info, &definitions[i]);
	for (size_t i = 0; i < items.count; i++)
		cli_definition_finish(&definitions[i]);
	free(definitions);
	cli_items_finish(&items);
	return true;
}

/* Another kind of thing that names stand for. */
struct thing {
	/* NULL: the architecture has none of this name. *out_key: equal for the same thing; owned.
	 */
	const void *(*find)(const struct tacho_arch *arch, const char *name, char **out_key);
	void (*print)(const struct cli_info *info, const struct cli_item *items, size_t count);
	void (*write)(struct tacho_json *json, const struct cli_item *item);
};

static const void *find_set(const struct tacho_arch *arch, const char *name, char **out_key)
{
	const struct tacho_set *set = tacho_arch_find_set(arch, name);
	char *key;

	if (!set)
		return NULL;
	key = cli_format("%s|%s|%s|%s|%zu", cli_catalog_get_family(arch), set->guid, set->title,
			 set->description, set->register_count);
	for (size_t i = 0; i < set->entry_count; i++)
		cli_append(&key, "|", "%s", set->entries[i]->name);
	*out_key = key;
	return set;
}

static const void *find_block(const struct tacho_arch *arch, const char *name, char **out_key)
{
	const struct tacho_block *block = tacho_arch_find_block(arch, name);

	if (block)
		*out_key =
			cli_format("%s|%u|%u|%u|%s|%u|%s|%s", cli_catalog_get_family(arch),
				   block->slots, block->instances, block->event_count, block->stage,
				   block->stage_slots, block->attributes, block->description);
	return block;
}

static const void *find_model(const struct tacho_arch *arch, const char *name, char **out_key)
{
	const struct tacho_model *model = tacho_arch_find_model(arch, name);

	if (model)
		*out_key = cli_format("%s|%s", cli_catalog_get_family(arch), arch->name);
	return model;
}

static const void *find_arch(const struct tacho_arch *arch, const char *name, char **out_key)
{
	if (strcasecmp(arch->name, name) != 0)
		return NULL;
	*out_key = cli_format("%s", cli_catalog_get_family(arch));
	return arch;
}

static bool show_things(struct search *search, const struct thing *thing, const char *name)
{
	struct cli_items items = {0};
	bool found;

	for (size_t i = 0; i < search->arch_count; i++) {
		char *key;
		const void *one = thing->find(search->archs[i], name, &key);

		if (one)
			cli_items_add(&items, search->archs[i], one, key);
	}
	cli_items_fold(&items);
	found = items.count > 0;
	if (found)
		begin_page(search);
	if (found && !search->json)
		thing->print(&search->info, items.items, items.count);
	for (size_t i = 0; i < items.count && search->json; i++)
		thing->write(search->json, &items.items[i]);
	cli_items_finish(&items);
	return found;
}

/* The architectures that do have the name, although they were not chosen. Owned. */
static char *find_elsewhere(const char *name)
{
	struct tacho_catalog *catalog = NULL;
	const struct tacho_arch *arch;
	struct cli_items items = {0};
	char *archs = NULL, *text;

	if (cli_succeeded(tacho_catalog_open(NULL, &catalog)))
		for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++)
			if (tacho_arch_find_entry(arch, name) || tacho_arch_find_set(arch, name) ||
			    tacho_arch_find_block(arch, name) || tacho_arch_find_model(arch, name))
				cli_items_add(&items, arch, arch, cli_format("%s", ""));
	cli_items_fold(&items);
	if (items.count)
		archs = cli_info_format_where(items.items);
	text = archs ? cli_format("it exists on %s", archs) : cli_format("%s", "");
	free(archs);
	cli_items_finish(&items);
	tacho_catalog_close(catalog);
	return text;
}

/* A name that means something in the grammar, and the reason why there is no such metric. */
static bool complain_of_grammar(const struct search *search, const char *name)
{
	const struct tacho_entry *entry;

	for (size_t i = 0; i < search->arch_count; i++) {
		const struct tacho_error_detail *last;

		if (tacho_arch_resolve_entry(search->archs[i], name, &entry) != TACHO_E_UNSUPPORTED)
			continue;
		last = tacho_error_last();
		cli_complain(last->cause, last->cure, "%s", last->message);
		return true;
	}
	return false;
}

/* "gfx942, API gl: ", or the device; "" when nothing was chosen. Owned. */
static char *format_chosen(const struct search *search, const struct cli_catalog_choice *choice)
{
	const char *arch = search->described.device ? search->described.name : choice->arch;
	const char *api = search->described.device ? NULL : choice->api;

	return cli_format("%s%s%s%s",
			  arch	? arch
			  : api ? "API "
				: "",
			  arch && api ? ", API " : "", api ? api : "", arch || api ? ": " : "");
}

static void complain(const struct search *search, const struct cli_catalog_choice *choice,
		     const char *name)
{
	char *cause = find_elsewhere(name), *chosen = format_chosen(search, choice), *cure;
	struct cli_nearest nearest;

	cli_nearest_find(search->archs, search->arch_count, name, &nearest);
	cure = cli_nearest_format(&nearest);
	if (search->described.device)
		cli_append(&cause, *cause ? "; " : "", "%s",
			   cli_device_get_lack(search->described.device));
	cli_complain(cause, cure, "%snothing is called \"%s\"", chosen, name);
	free(chosen);
	free(cure);
	free(cause);
}

static bool show(struct search *search, const char *name)
{
	static const struct thing things[] = {
		{find_set, cli_info_print_sets, cli_info_write_set},
		{find_block, cli_info_print_blocks, cli_info_write_block},
		{find_model, cli_info_print_models, cli_info_write_model},
		{find_arch, cli_info_print_archs, cli_info_write_arch},
	};
	bool found;

	if (strncmp(name, "set:", 4) == 0)
		return show_things(search, &things[0], name + 4);
	found = show_entries(search, name);
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++)
		found = show_things(search, &things[i], name) || found;
	return found;
}

/* Names that were found. */
struct names {
	const char **names;
	size_t count;
};

static void add_name(struct names *names, const struct tacho_pattern *pattern, const char *name)
{
	if (!tacho_pattern_fits(pattern, name))
		return;
	names->names = cli_grow(names->names, names->count, sizeof(*names->names));
	names->names[names->count++] = name;
}

static void add_names_of(struct names *names, const struct tacho_pattern *pattern,
			 const struct tacho_arch *arch)
{
	const struct tacho_entry *entry;
	const struct tacho_set *set;
	const struct tacho_block *block;
	const struct tacho_model *model;

	add_name(names, pattern, arch->name);
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		add_name(names, pattern, entry->name);
	for (size_t i = 0; (set = tacho_arch_get_set(arch, i)); i++)
		add_name(names, pattern, set->name);
	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++)
		add_name(names, pattern, block->name);
	for (size_t i = 0; (model = tacho_arch_get_model(arch, i)); i++)
		add_name(names, pattern, model->name);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Everything whose name fits the glob or the expression. */
static int show_pattern(struct search *search, const char *text)
{
	struct tacho_pattern *pattern;
	struct names names = {0};
	int status = CLI_OK;

	if (tacho_pattern_create(text, TACHO_PATTERN_IGNORE_CASE, &pattern) != 0)
		return (int)cli_complain_last();
	for (size_t i = 0; i < search->arch_count; i++)
		add_names_of(&names, pattern, search->archs[i]);
	if (names.count)
		qsort(names.names, names.count, sizeof(*names.names), compare_names);
	for (size_t i = 0; i < names.count; i++)
		if (!i || strcmp(names.names[i], names.names[i - 1]) != 0)
			show(search, names.names[i]);
	if (!names.count) {
		cli_complain("", "look for a part of the name: tacho list metrics WORD",
			     "no name fits \"%s\"", text);
		status = CLI_FAILED;
	}
	free(names.names);
	tacho_pattern_destroy(pattern);
	return status;
}

/* What is spelled like a pattern may be a name. */
static int show_word(struct search *search, const struct cli_catalog_choice *choice,
		     const char *word)
{
	if (show(search, word))
		return CLI_OK;
	if (tacho_pattern_is_one(word))
		return show_pattern(search, word);
	if (!complain_of_grammar(search, word))
		complain(search, choice, word);
	return CLI_FAILED;
}

static int show_all(struct search *search, const struct cli_catalog_choice *choice,
		    char *const *names)
{
	int status = CLI_OK;

	if (search->json) {
		cli_json_begin(search->json, stdout, "tacho.info/1");
		tacho_json_begin_array(search->json, "entries");
	}
	for (; *names; names++) {
		int own = show_word(search, choice, *names);

		status = status ? status : own;
	}
	if (search->json)
		tacho_json_finish(search->json);
	return status;
}

/* What -d, --arch and --model say. */
static int choose(struct settings *settings, struct search *search,
		  struct tacho_catalog **out_catalog)
{
	int status = cli_device_describe(settings->device, &settings->choice, &search->described);

	if (status)
		return status;
	if (!search->described.device)
		return cli_catalog_open_archs(&settings->choice, out_catalog, &search->archs,
					      &search->arch_count);
	search->archs = cli_alloc(sizeof(const struct tacho_arch *));
	search->archs[search->arch_count++] = tacho_device_get_arch(search->described.device);
	search->info.device = search->described.name;
	return CLI_OK;
}

static int info_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct search search = {0};
	struct tacho_catalog *catalog = NULL;
	struct tacho_json json;
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	status = choose(&settings, &search, &catalog);
	if (status)
		goto out;
	search.json = settings.json ? &json : NULL;
	search.info.model = settings.choice.model;
	search.info.stream = stdout;
	search.info.width = cli_page_width();
	status = show_all(&search, &settings.choice, argv + operand);
out:
	free(search.archs);
	tacho_catalog_close(catalog);
	cli_described_finish(&search.described);
	cli_options_finish(command, &settings);
	return status;
}

static const struct cli_option options[] = {
	CLI_OPTION_OF_DEVICE(struct settings),
	CLI_OPTION_ARCH(struct settings),
	CLI_OPTION_API(struct settings),
	CLI_OPTION_MODEL(struct settings),
	CLI_OPTION_DEFINITIONS(struct settings),
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON with all fields"),
};

const struct cli_command cli_info = {
	.name = "info",
	.summary = "explain counters, metrics, sets, blocks and architectures",
	.operands = "NAME...",
	.description =
		"Explains what a NAME stands for: a counter, metric, set, block, architecture or "
		"device model; NAME may be a glob or regex:RE. For a metric: its formula, as "
		"written and down to hardware "
		"counters, where these are counted, what the value says and what it does not. "
		"Architectures that define it alike share a paragraph.",
	.examples = {"tacho info VALUBusy", "tacho info 'regex:^TCC_' --model mi300x"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.words = CLI_WORDS_ENTRY,
	.first_operand = "NAME",
	.operand_min = 1,
	.operand_max = 1000,
	.run = info_run,
};
