/* SPDX-License-Identifier: MIT */
/* What a list of names stands for, and why something in it cannot be counted. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <tacho/error.h>
#include <tacho/sys/counting.h>

#include "items.h"
#include "plan/plan.h"

static const char blanks[] = " \t\r\n";

static bool is_pattern(const char *word)
{
	return strncasecmp(word, "set:", 4) == 0 || strcasecmp(word, "all") == 0 ||
	       strpbrk(word, "*?[");
}

void cli_plan_add_name(struct cli_plan_list *list, const char *name)
{
	struct tacho_config_entry *grown;

	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 16;
		grown = cli_alloc(list->capacity * sizeof(*grown));
		if (list->count)
			memcpy(grown, list->entries, list->count * sizeof(*grown));
		free(list->entries);
		list->entries = grown;
	}
	list->entries[list->count++] = (struct tacho_config_entry){.name = name};
}

/* Where a name is known, as something that can be counted and as what has no expression. */
struct places {
	char *counted, *uncounted; /* NULL: nowhere */
	char *caveat;		   /* why there is no expression */
};

static char *format_places(struct cli_items *items)
{
	char *archs, *apis, *text = NULL;

	cli_items_fold(items);
	if (items->count) {
		archs = cli_item_format_archs(&items->items[0]);
		apis = cli_item_format_apis(&items->items[0]);
		text = cli_format("%s (API %s)", archs, apis);
		free(archs);
		free(apis);
	}
	cli_items_finish(items);
	return text;
}

/* On all architectures of the vendor. */
static void find_places(const struct cli_catalog_choice *choice, const char *vendor,
			const char *name, struct places *out_places)
{
	struct tacho_catalog_options options = {
		.size = sizeof(options),
		.definitions = choice->definitions.texts,
		.definition_count = choice->definitions.count,
	};
	struct cli_items counted = {0}, uncounted = {0};
	struct places places = {0};
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;

	if (cli_succeeded(tacho_catalog_open(&options, &catalog))) {
		for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
			const struct tacho_entry *entry = tacho_arch_find_entry(arch, name);
			bool counts =
				entry && (entry->kind != TACHO_ENTRY_METRIC || *entry->expression);

			if (!entry || strcasecmp(entry->name, name) || strcmp(arch->vendor, vendor))
				continue;
			if (!counts && !places.caveat)
				places.caveat = cli_format("%s", entry->caveat);
			cli_items_add(counts ? &counted : &uncounted, arch, entry,
				      cli_format("%s", ""));
		}
		places.counted = format_places(&counted);
		places.uncounted = format_places(&uncounted);
		tacho_catalog_close(catalog);
	}
	*out_places = places;
}

static int complain_uncounted(const struct places *places, const char *name)
{
	char *cure = places->counted ? cli_format("count it on %s", places->counted)
				     : cli_format("choose what can be counted: tacho list metrics");

	cli_complain(places->caveat, cure, "%s has no equation on %s", name, places->uncounted);
	free(cure);
	return CLI_NOTHING;
}

/* Complains about a name that cannot be counted with the library's error, or knows better. */
static int refuse(const struct cli_catalog_choice *choice, const struct tacho_arch *arch,
		  const char *name)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	char *message = cli_format("%s", detail->message), *cure = cli_format("%s", detail->cure);
	char *cause = cli_format("%s", detail->cause), *where;
	const struct tacho_entry *entry = tacho_arch_find_entry(arch, name);
	struct places places;
	int status = CLI_FAILED;

	find_places(choice, arch->vendor, name, &places);
	if (places.uncounted && (entry ? !*entry->expression : !places.counted)) {
		status = complain_uncounted(&places, name);
	} else {
		where = !entry && places.counted ? cli_format("it is known on %s", places.counted)
						 : cli_format("%s", cause);
		cli_complain(where, cure, "%s", message);
		free(where);
	}
	free(places.counted);
	free(places.uncounted);
	free(places.caveat);
	free(message);
	free(cause);
	free(cure);
	return status;
}

static int add_word(struct cli_plan_list *list, const char *word,
		    const struct cli_catalog_choice *choice, const struct tacho_arch *arch,
		    const struct tacho_model *model)
{
	const struct tacho_entry **entries;
	size_t count;
	int status = CLI_OK;

	if (!cli_succeeded(tacho_arch_list_entries(arch, word, &entries, &count))) {
		/* Before GCN "all" is nothing: no metric there has an equation. */
		if (strcasecmp(word, "all") == 0)
			return CLI_OK;
		return is_pattern(word) ? (int)cli_complain_last() : refuse(choice, arch, word);
	}
	for (size_t i = 0; i < count && !status; i++) {
		if (cli_succeeded(tacho_config_check_entry(arch, model, entries[i])))
			cli_plan_add_name(list, entries[i]->name);
		else if (is_pattern(word))
			list->left_out++;
		else
			status = refuse(choice, arch, entries[i]->name);
	}
	free(entries);
	return status;
}

/* Cuts off ":serialized" or ":pipelined". */
static uint32_t take_mode(char *word)
{
	static const struct {
		const char *suffix;
		uint32_t mode;
	} modes[] = {{":serialized", TACHO_MODE_SERIALIZED}, {":pipelined", TACHO_MODE_PIPELINED}};
	size_t size = strlen(word);

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		size_t length = strlen(modes[i].suffix);

		if (size > length && strcasecmp(word + size - length, modes[i].suffix) == 0) {
			word[size - length] = '\0';
			return modes[i].mode;
		}
	}
	return TACHO_MODE_DEFAULT;
}

static int add_words(struct cli_plan_list *list, const char *words,
		     const struct cli_catalog_choice *choice, const struct tacho_arch *arch,
		     const struct tacho_model *model)
{
	char *copy = cli_format("%s", words), *rest = copy, *word;
	int status = CLI_OK;

	while (!status && (word = strsep(&rest, ",")) != NULL) {
		size_t size, first = list->count;
		uint32_t mode;

		word += strspn(word, blanks);
		size = strlen(word);
		while (size && strchr(blanks, word[size - 1]))
			word[--size] = '\0';
		if (!size)
			continue;
		mode = take_mode(word);
		status = add_word(list, word, choice, arch, model);
		for (size_t i = first; i < list->count; i++)
			list->entries[i].mode = mode;
	}
	free(copy);
	return status;
}

static int add_file(struct cli_plan_list *list, const char *path,
		    const struct cli_catalog_choice *choice, const struct tacho_arch *arch,
		    const struct tacho_model *model)
{
	struct tacho_counter_list *names;
	int status = CLI_OK;

	if (tacho_counter_list_read(path, &names) != 0)
		return (int)cli_complain_last();
	for (size_t i = 0; i < names->name_count && !status; i++)
		status = add_word(list, names->names[i], choice, arch, model);
	tacho_counter_list_destroy(names);
	return status;
}

int cli_plan_add_names(struct cli_plan_list *list, const char *names,
		       const struct cli_catalog_choice *choice, const struct tacho_arch *arch,
		       const struct tacho_model *model)
{
	if (*names == '@')
		return add_file(list, names + 1, choice, arch, model);
	return add_words(list, names, choice, arch, model);
}

void cli_plan_warn_left_out(const struct cli_plan_list *list, const struct tacho_arch *arch)
{
	char *text;

	if (!list->left_out)
		return;
	text = cli_format("%zu of the list cannot be counted on %s and %s left out; named alone "
			  "with -m, each says why",
			  list->left_out, arch->name, list->left_out == 1 ? "is" : "are");
	cli_warn(text);
	free(text);
}

void cli_plan_finish(struct cli_plan_list *list)
{
	free(list->entries);
	list->entries = NULL;
	list->count = list->capacity = 0;
}
