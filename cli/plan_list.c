/* SPDX-License-Identifier: MIT */
/* What a list of names stands for, and why something in it cannot be counted. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <tacho/error.h>

#include "items.h"
#include "plan.h"

static bool is_pattern(const char *word)
{
	return strncasecmp(word, "set:", 4) == 0 || strcasecmp(word, "all") == 0 ||
	       strpbrk(word, "*?[");
}

static void add(struct cli_plan_list *list, const struct tacho_entry *entry)
{
	struct tacho_config_entry *grown = cli_alloc((list->count + 1) * sizeof(*grown));

	if (list->count)
		memcpy(grown, list->entries, list->count * sizeof(*grown));
	grown[list->count++] = (struct tacho_config_entry){.name = entry->name};
	free(list->entries);
	list->entries = grown;
}

/* The architectures that have a metric of this name without an expression, folded. Owned. */
static char *find_generations(const struct cli_catalog_choice *choice, const char *name,
			      char **out_caveat)
{
	struct tacho_catalog_options options = {
		.size = sizeof(options),
		.definitions = choice->definitions.texts,
		.definition_count = choice->definitions.count,
	};
	const struct tacho_arch *arch;
	struct tacho_catalog *catalog;
	struct cli_items items = {0};
	char *text = NULL;
	bool counts = false;

	if (tacho_catalog_open(&options, &catalog) != 0)
		return NULL;
	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
		const struct tacho_entry *entry = tacho_arch_find_entry(arch, name);

		if (!entry || strcasecmp(entry->name, name) != 0)
			continue;
		if (entry->kind != TACHO_ENTRY_METRIC || *entry->expression) {
			counts = true;
			continue;
		}
		if (!items.member_count)
			*out_caveat = cli_format("%s", entry->caveat);
		cli_items_add(&items, arch, entry, cli_format("%s", ""));
	}
	cli_items_fold(&items);
	if (items.count && !counts)
		text = cli_item_format_archs(&items.items[0]);
	if (items.count && !text) {
		free(*out_caveat);
		*out_caveat = NULL;
	}
	cli_items_finish(&items);
	tacho_catalog_close(catalog);
	return text;
}

/* Complains about a name that cannot be counted with the library's error, or knows better. */
static int refuse(const struct cli_catalog_choice *choice, const struct tacho_arch *arch,
		  const char *name)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	char *message = cli_format("%s", detail->message), *cause = cli_format("%s", detail->cause);
	char *cure = cli_format("%s", detail->cure), *caveat = NULL;
	char *generations = find_generations(choice, name, &caveat);
	int status = CLI_FAILED;

	if (generations) {
		cli_complain(caveat, "choose a counter that has one: tacho list metrics",
			     "%s exists on %s only, without an equation", name, generations);
		status = CLI_NOTHING;
	} else {
		cli_complain(cause, cure, "%s", message);
	}
	free(generations);
	free(caveat);
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

	if (tacho_arch_list_entries(arch, word, &entries, &count) != 0) {
		/* Before GCN "all" is nothing: no metric there has an equation. */
		if (strcasecmp(word, "all") == 0)
			return CLI_OK;
		return is_pattern(word) ? (int)cli_complain_last() : refuse(choice, arch, word);
	}
	for (size_t i = 0; i < count && !status; i++) {
		if (tacho_config_check_entry(arch, model, entries[i]) == 0)
			add(list, entries[i]);
		else if (is_pattern(word))
			list->left_out++;
		else
			status = refuse(choice, arch, entries[i]->name);
	}
	free(entries);
	return status;
}

int cli_plan_add_names(struct cli_plan_list *list, const char *names,
		       const struct cli_catalog_choice *choice, const struct tacho_arch *arch,
		       const struct tacho_model *model)
{
	char *copy = cli_format("%s", names), *rest = copy, *word;
	int status = CLI_OK;

	while (!status && (word = strsep(&rest, ",")) != NULL) {
		size_t size;

		word += strspn(word, " \t\r\n");
		size = strlen(word);
		while (size && strchr(" \t\r\n", word[size - 1]))
			word[--size] = '\0';
		if (size)
			status = add_word(list, word, choice, arch, model);
	}
	free(copy);
	return status;
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
	list->count = 0;
}
