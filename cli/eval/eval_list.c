/* SPDX-License-Identifier: MIT */
/* What tacho eval is asked for: names, patterns, sets and expressions become formulas. */
#include "eval/eval.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/values.h>

#include "cli.h"

static bool has(const struct cli_eval_list *list, const char *name, bool is_named)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->formulas[i].name, name) != 0)
			continue;
		list->is_named[i] = list->is_named[i] || is_named;
		return true;
	}
	return false;
}

static void *grow(void *array, size_t count, size_t element)
{
	char *grown;

	if (count & (count - 1)) /* room for the next power of two is there */
		return array;
	grown = cli_alloc((count ? count * 2 : 1) * element);
	if (count)
		memcpy(grown, array, count * element);
	free(array);
	return grown;
}

static void add(struct cli_eval_list *list, const struct tacho_formula *formula, bool is_named)
{
	if (has(list, formula->name, is_named))
		return;
	list->formulas = grow(list->formulas, list->count, sizeof(*list->formulas));
	list->is_named = grow(list->is_named, list->count, sizeof(*list->is_named));
	list->is_named[list->count] = is_named;
	list->formulas[list->count++] = *formula;
}

static void add_name(struct cli_eval_list *list, const char *name, bool is_named)
{
	add(list, &(struct tacho_formula){.name = name}, is_named);
}

static bool is_pattern(const char *word)
{
	return strcmp(word, "all") == 0 || strncmp(word, "set:", 4) == 0 || strpbrk(word, "*?[");
}

static int add_entries(struct cli_eval_list *list, const char *word, const struct tacho_arch *arch)
{
	const struct tacho_entry **entries;
	size_t count;

	if (tacho_arch_list_entries(arch, word, &entries, &count) != 0) {
		if (tacho_error_last()->code != TACHO_E_NOTFOUND || is_pattern(word))
			return (int)cli_complain_last();
		add_name(list, word, true); /* perhaps it came with the values */
		return CLI_OK;
	}
	for (size_t i = 0; i < count; i++)
		add_name(list, entries[i]->name, !is_pattern(word));
	free(entries);
	return CLI_OK;
}

static int add_own(struct cli_eval_list *list, const char *word, const struct tacho_result *values)
{
	bool is_all = strcmp(word, "all") == 0;
	const struct tacho_column *column;
	size_t before = list->count;
	const char *name;

	if (!is_pattern(word)) {
		add_name(list, word, true);
		return CLI_OK;
	}
	for (size_t i = 0; (name = tacho_values_get_expression_name(values, i)); i++)
		if (is_all || fnmatch(word, name, 0) == 0)
			add_name(list, name, false);
	for (size_t i = 0; (column = tacho_result_get_column(values, i)); i++)
		if (!is_all && fnmatch(word, column->name, 0) == 0)
			add_name(list, column->name, false);
	if (list->count > before)
		return CLI_OK;
	cli_complain("", "name the architecture: --arch A", "nothing in the values fits \"%s\"",
		     word);
	return CLI_FAILED;
}

int cli_eval_add_names(struct cli_eval_list *list, const char *names, const struct tacho_arch *arch,
		       const struct tacho_result *values)
{
	char *copy = cli_format("%s", names), *save = NULL;
	int status = CLI_OK;

	list->texts = grow(list->texts, list->text_count, sizeof(*list->texts));
	list->texts[list->text_count++] = copy;
	for (char *word = strtok_r(copy, ", ", &save); word && !status;
	     word = strtok_r(NULL, ", ", &save))
		status = arch ? add_entries(list, word, arch) : add_own(list, word, values);
	return status;
}

void cli_eval_add_expression(struct cli_eval_list *list, const char *expression,
			     const char *notation)
{
	add(list,
	    &(struct tacho_formula){
		    .name = expression, .expression = expression, .notation = notation},
	    true);
}

void cli_eval_finish(struct cli_eval_list *list)
{
	for (size_t i = 0; i < list->text_count; i++)
		free(list->texts[i]);
	free(list->texts);
	free(list->formulas);
	free(list->is_named);
}
