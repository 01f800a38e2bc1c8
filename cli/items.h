/* SPDX-License-Identifier: MIT */
/*
 * What several architectures have in common: things of one kind, gathered from architectures and
 * folded. Things whose keys are equal are one item.
 */
#ifndef TACHO_CLI_ITEMS_H
#define TACHO_CLI_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

#include <tacho/catalog.h>
#include <tacho/sys/json.h>

/* One thing of one architecture. */
struct cli_member {
	const struct tacho_arch *arch;
	const void *thing; /* entry, block, set or the architecture itself */
	char *key;
	size_t order;
};

struct cli_item {
	const struct cli_member *members; /* in the catalog's order */
	size_t count;
};

struct cli_items {
	struct cli_member *members;
	size_t member_count;
	struct cli_item *items; /* in the order in which their first members were added */
	size_t count;
};

/* `key` is taken over; it was made by cli_format(). */
void cli_items_add(struct cli_items *items, const struct tacho_arch *arch, const void *thing,
		   char *key);
/* Fills items->items. Call it once, after the last addition. */
void cli_items_fold(struct cli_items *items);
/* For qsort: members in the order in which they were added. */
int cli_items_compare_order(const void *a, const void *b);
void cli_items_finish(struct cli_items *items);

/* The architectures of an item, folded, and its APIs: "gfx908 gfx940-942", "cl gl". Owned. */
char *cli_item_format_archs(const struct cli_item *item);
char *cli_item_format_apis(const struct cli_item *item);

/* Adds "apis" and "archs" to the open object. */
void cli_item_write_where(struct tacho_json *json, const struct cli_item *item);

#endif
