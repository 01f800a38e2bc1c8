/* SPDX-License-Identifier: MIT */
/* Lists of what is in the catalog. */
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "columns.h"
#include "fold.h"
#include "list/list_kinds.h"
#include "list/list_names.h"
#include "nearest.h"
#include "text.h"

static const struct cli_kind *get_kind(const struct cli_listing *listing)
{
	switch (listing->what) {
	case CLI_LIST_COUNTERS: return &cli_kind_counters;
	case CLI_LIST_SETS: return &cli_kind_sets;
	case CLI_LIST_BLOCKS: return &cli_kind_blocks;
	case CLI_LIST_ARCHS: return &cli_kind_archs;
	case CLI_LIST_MODELS: return &cli_kind_models;
	default: return &cli_kind_metrics;
	}
}

static bool has_word(const struct cli_kind *kind, const struct cli_item *item,
		     const struct tacho_pattern *word)
{
	const char *text;

	for (size_t i = 0; i < item->count; i++)
		for (size_t k = 0; (text = kind->get_text(&item->members[i], k)); k++)
			if (tacho_pattern_fits(word, text))
				return true;
	return false;
}

/* The items that have all words, as an array of its own. */
static struct cli_items narrow(const struct cli_items *items, const struct cli_kind *kind,
			       struct tacho_pattern *const *words)
{
	struct cli_items kept = *items;

	kept.items = cli_alloc(items->count * sizeof(*kept.items));
	kept.count = 0;
	for (size_t i = 0; i < items->count; i++) {
		bool good = true;

		for (size_t k = 0; words[k] && good; k++)
			good = has_word(kind, &items->items[i], words[k]);
		if (good)
			kept.items[kept.count++] = items->items[i];
	}
	return kept;
}

/* Of all members that were gathered, whether they are listed or not. */
static void describe_all(const struct cli_items *items, const char *family, char **out_archs,
			 char **out_apis)
{
	struct cli_member *members = cli_alloc(items->member_count * sizeof(*members));
	struct cli_item all = {members, 0};

	for (size_t i = 0; i < items->member_count; i++)
		if (strcmp(cli_catalog_get_family(items->members[i].arch), family) == 0)
			members[all.count++] = items->members[i];
	qsort(members, all.count, sizeof(*members), cli_items_compare_order);
	*out_archs = cli_item_format_archs(&all);
	*out_apis = cli_item_format_apis(&all);
	free(members);
}

static const char *get_cell(const struct cli_table *table, size_t row, size_t column)
{
	return table->cells[row * table->column_count + column];
}

/* Row `row` is the same as the one before but for the number of the instance in its cells. */
static bool continues(const struct cli_table *table, size_t row)
{
	size_t number = 0, own;

	if (!cli_fold_is_next(get_cell(table, row - 1, 0), get_cell(table, row, 0), &number))
		return false;
	for (size_t i = 1; i < table->column_count; i++) {
		const char *before = get_cell(table, row - 1, i), *cell = get_cell(table, row, i);

		if (strcmp(before, cell) != 0 &&
		    (!cli_fold_is_next(before, cell, &own) || own != number))
			return false;
	}
	return true;
}

/* Prints a table in which instances of one thing share a row: "TA[0-15]". */
static void print_folded(const struct cli_table *table, unsigned width)
{
	struct cli_table folded;

	cli_table_init(&folded, table->columns, table->column_count);
	for (size_t row = 0, last; row < table->row_count; row = last + 1) {
		const char *cells[CLI_KIND_COLUMNS_MAX];

		for (last = row; last + 1 < table->row_count && continues(table, last + 1);)
			last++;
		for (size_t i = 0; i < table->column_count; i++)
			cells[i] = cli_fold_format_run(get_cell(table, row, i),
						       get_cell(table, last, i));
		cli_table_add(&folded, cells);
		for (size_t i = 0; i < table->column_count; i++)
			free((char *)cells[i]);
	}
	cli_columns_print(&folded, stdout, width);
	cli_table_finish(&folded);
}

static void print_section(const struct cli_listing *listing, const struct cli_kind *kind,
			  const struct cli_items *items, const char *family, bool is_first)
{
	struct cli_item *own = cli_alloc(items->count * sizeof(*own));
	struct cli_section section = {.items = own};
	char *archs, *apis;
	struct cli_table table;

	describe_all(items, family, &archs, &apis);
	section.all_archs = archs;
	section.all_apis = apis;
	cli_table_init(&table, kind->columns, kind->column_count);
	for (size_t i = 0; i < items->count; i++)
		if (strcmp(cli_catalog_get_family(items->items[i].members->arch), family) == 0)
			own[section.count++] = items->items[i];
	for (size_t i = 0; i < section.count; i++)
		kind->add_row(&table, &section, &own[i]);
	if (!is_first)
		fputc('\n', stdout);
	cli_text_print(stdout, 0, 2, listing->width, "%zu %s%s%s, API %s", section.count,
		       section.count == 1 ? kind->one : kind->many,
		       strchr(archs, ' ') ? "" : " of ", strchr(archs, ' ') ? "" : archs, apis);
	print_folded(&table, listing->width);
	cli_table_finish(&table);
	free(apis);
	free(archs);
	free(own);
}

/* A section for each family, in the order in which they come. Families are few, items many. */
static void print_text(const struct cli_listing *listing, const struct cli_kind *kind,
		       const struct cli_items *items)
{
	const char **printed = cli_alloc(items->count * sizeof(*printed));
	size_t count = 0;

	for (size_t i = 0; i < items->count; i++) {
		const char *family = cli_catalog_get_family(items->items[i].members->arch);
		size_t k = 0;

		while (k < count && strcmp(printed[k], family) != 0)
			k++;
		if (k < count)
			continue;
		print_section(listing, kind, items, family, i == 0);
		printed[count++] = family;
	}
	free(printed);
}

static void print_names(const struct cli_kind *kind, const struct cli_items *items)
{
	for (size_t i = 0; i < items->count; i++) {
		char *clean = cli_text_clean(kind->get_text(items->items[i].members, 0));

		printf("%s\n", clean);
		free(clean);
	}
}

/* Names of the grammar are told of one architecture: all together they are millions. */
static bool tells_bases(const struct cli_listing *listing)
{
	return listing->what == CLI_LIST_METRICS && listing->choice.arch;
}

static bool print_json(const struct cli_listing *listing, const struct cli_kind *kind,
		       const struct cli_items *items, const struct tacho_arch *const *archs)
{
	bool found = items->count > 0;
	struct cli_list_document document;
	struct tacho_json *json = &document.json;

	cli_list_begin(&document, listing);
	tacho_json_begin_array(json, "entries");
	for (size_t i = 0; i < items->count; i++) {
		const struct cli_item *item = &items->items[i];

		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", kind->get_text(item->members, 0));
		kind->write(json, item);
		cli_item_write_where(json, item);
		tacho_json_end(json);
	}
	tacho_json_end(json);
	if (tells_bases(listing)) {
		tacho_json_begin_array(json, "bases");
		for (; *archs; archs++)
			found = cli_list_write_bases(json, listing, *archs) || found;
	}
	cli_list_end(&document, listing);
	return found;
}

/* Nothing was found: the names of this kind that are nearest to the word that nothing has. */
static void complain(const struct cli_listing *listing, const struct cli_kind *kind,
		     const struct cli_items *items)
{
	char *const *words = listing->words;
	struct cli_nearest nearest = {0};
	const char *missing = NULL;
	char *cure;

	for (size_t i = 0; words[i] && !missing; i++) {
		bool found = false;

		for (size_t k = 0; k < items->count && !found; k++)
			found = has_word(kind, &items->items[k], listing->patterns[i]);
		missing = found ? NULL : words[i];
	}
	for (size_t k = 0; missing && k < items->count; k++)
		cli_nearest_offer(&nearest, missing, kind->get_text(items->items[k].members, 0));
	cure = cli_nearest_format(&nearest);
	if (!items->count)
		cli_complain("", "", "there are no %s here", kind->many);
	else if (missing)
		cli_complain("", cure,
			     tacho_pattern_is_one(missing)
				     ? "\"%2$s\" fits no %1$s's name, group or description"
				     : "no %s has \"%s\" in its name, group or description",
			     kind->one, missing);
	else
		cli_complain("", "leave a word out", "no %s has all of these words", kind->one);
	free(cure);
}

static int print(const struct cli_listing *listing, const struct cli_kind *kind,
		 const struct cli_items *items, const struct tacho_arch *const *archs)
{
	struct cli_items kept = narrow(items, kind, listing->patterns);
	bool found = kept.count > 0;

	if (listing->json || listing->csv)
		found = print_json(listing, kind, &kept, archs);
	else if (listing->names)
		print_names(kind, &kept);
	else
		print_text(listing, kind, &kept);
	for (; !listing->json && !listing->csv && !listing->names && tells_bases(listing) && *archs;
	     archs++)
		found = cli_list_print_bases(listing, *archs, !found) || found;
	if (!found)
		complain(listing, kind, items);
	free(kept.items);
	return found ? CLI_OK : CLI_FAILED;
}

int cli_list_catalog(const struct cli_listing *listing)
{
	const struct cli_kind *kind = get_kind(listing);
	const struct tacho_arch **archs = NULL;
	struct tacho_catalog *catalog = NULL;
	struct cli_items items = {0};
	size_t count;
	int status;

	status = cli_catalog_open_archs(&listing->choice, &catalog, &archs, &count);
	if (status)
		return status;
	for (size_t i = 0; i < count; i++)
		kind->gather(&items, archs[i]);
	cli_items_fold(&items);
	status = print(listing, kind, &items, archs);
	/* What is read when it is asked for has no status of its own. */
	if (!status && tacho_error_last()->code == TACHO_E_NOMEM)
		status = cli_complain_last();
	cli_items_finish(&items);
	free(archs);
	tacho_catalog_close(catalog);
	return status;
}
