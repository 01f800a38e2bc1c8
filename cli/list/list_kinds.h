/* SPDX-License-Identifier: MIT */
/* The kinds of things in the catalog that can be listed. */
#ifndef TACHO_CLI_LIST_KINDS_H
#define TACHO_CLI_LIST_KINDS_H

#include "items.h"
#include "list/list.h"
#include "table.h"

enum { CLI_KIND_COLUMNS_MAX = 9 };

/* Items of one family, below one heading. */
struct cli_section {
	const struct cli_item *items;
	size_t count;
	const char *all_archs, *all_apis; /* folded, of all that were looked at */
};

struct cli_kind {
	const char *one, *many; /* "metric", "metrics" */
	struct cli_column columns[CLI_KIND_COLUMNS_MAX];
	size_t column_count;
	/* Adds what the architecture has. Things with equal keys become one item. */
	void (*gather)(struct cli_items *items, const struct tacho_arch *arch);
	/* Text number `index` in which words are looked for; the first is the name; NULL: no more.
	 */
	const char *(*get_text)(const struct cli_member *member, size_t index);
	/* Adds the item's row, column_count cells. */
	void (*add_row)(struct cli_table *table, const struct cli_section *section,
			const struct cli_item *item);
	/* Adds members to the item's object; name, archs and apis are there. */
	void (*write)(struct tacho_json *json, const struct cli_item *item);
};

extern const struct cli_kind cli_kind_counters, cli_kind_metrics, cli_kind_sets, cli_kind_blocks,
	cli_kind_archs, cli_kind_models;

/* Numbers of counters and of metrics with different names. */
void cli_item_count_entries(const struct cli_item *item, size_t *out_counters, size_t *out_metrics);

#endif
