/* SPDX-License-Identifier: MIT */
/* Gathering and folding. */
#include "items.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fold.h"

void cli_items_add(struct cli_items *items, const struct tacho_arch *arch, const void *thing,
		   char *key)
{
	struct cli_member *member;

	items->members = cli_grow(items->members, items->member_count, sizeof(*member));
	member = &items->members[items->member_count];
	member->arch = arch;
	member->thing = thing;
	member->key = key;
	member->order = items->member_count++;
}

static int compare_members(const void *a, const void *b)
{
	const struct cli_member *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

int cli_items_compare_order(const void *a, const void *b)
{
	const struct cli_member *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

static int compare_items(const void *a, const void *b)
{
	const struct cli_item *x = a, *y = b;

	return cli_items_compare_order(x->members, y->members);
}

void cli_items_fold(struct cli_items *items)
{
	if (!items->member_count)
		return;
	qsort(items->members, items->member_count, sizeof(*items->members), compare_members);
	items->items = cli_alloc(items->member_count * sizeof(*items->items));
	for (size_t i = 0; i < items->member_count; i++) {
		const struct cli_member *member = &items->members[i];

		if (i && strcmp(member->key, member[-1].key) == 0) {
			items->items[items->count - 1].count++;
			continue;
		}
		items->items[items->count].members = member;
		items->items[items->count++].count = 1;
	}
	qsort(items->items, items->count, sizeof(*items->items), compare_items);
}

void cli_items_finish(struct cli_items *items)
{
	for (size_t i = 0; i < items->member_count; i++)
		free(items->members[i].key);
	free(items->members);
	free(items->items);
	memset(items, 0, sizeof(*items));
}

static const char **list_once(const struct cli_item *item, bool apis, size_t *out_count)
{
	const char **names = cli_alloc(item->count * sizeof(*names));
	size_t count = 0;

	for (size_t i = 0; i < item->count; i++) {
		const struct tacho_arch *arch = item->members[i].arch;
		const char *name = apis ? arch->api : arch->name;
		bool is_new = true;

		for (size_t k = 0; k < count && is_new; k++)
			is_new = strcmp(names[k], name) != 0;
		if (is_new)
			names[count++] = name;
	}
	*out_count = count;
	return names;
}

char *cli_item_format_archs(const struct cli_item *item)
{
	size_t count;
	const char **names = list_once(item, false, &count);
	char *text = cli_fold_names(names, count);

	free(names);
	return text;
}

char *cli_item_format_apis(const struct cli_item *item)
{
	size_t count;
	const char **names = list_once(item, true, &count);
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < count; i++)
		cli_append(&text, " ", "%s", names[i]);
	free(names);
	return text;
}

static void write_names(struct tacho_json *json, const char *key, const struct cli_item *item,
			bool apis)
{
	size_t count;
	const char **names = list_once(item, apis, &count);

	cli_json_add_names(json, key, names, count);
	free(names);
}

void cli_item_write_where(struct tacho_json *json, const struct cli_item *item)
{
	write_names(json, "apis", item, true);
	write_names(json, "archs", item, false);
}
