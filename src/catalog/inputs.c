/* SPDX-License-Identifier: MIT */
/* What a metric is made of, as a list and as one expression. */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

struct inputs {
	const struct tacho_entry **entries;
	size_t count, capacity;
};

static int on_leaf(void *user, const struct tacho_entry *entry)
{
	struct inputs *inputs = user;

	return tacho__array_add(&inputs->entries, &inputs->capacity, &inputs->count, &entry,
				sizeof(entry));
}

int tacho_arch_list_inputs(const struct tacho_arch *arch, const struct tacho_entry *entry,
			   const struct tacho_entry ***out_entries, size_t *out_count)
{
	struct inputs inputs = {0};
	struct tacho__walk walk = {.arch = arch, .user = &inputs, .on_leaf = on_leaf};
	int rc;

	if (!arch || !entry || !out_entries || !out_count)
		return tacho__fail_null(__func__);
	rc = tacho__arch_walk(&walk, entry);
	if (rc) {
		free(inputs.entries);
		return rc;
	}
	*out_entries = inputs.entries;
	*out_count = inputs.count;
	return 0;
}

/* A metric's tree with those of its metrics put in, and its size as text would have it. */
struct expanded {
	struct tacho__node *tree;
	size_t size;
};

struct expander {
	const struct tacho_arch *arch;
	struct tacho__arena arena;
	struct tacho__map done; /* entry to struct expanded */
	size_t depth;
};

static int expand(struct expander *expander, const struct tacho_entry *metric,
		  struct expanded **out_expanded);

static int fail_size(const struct tacho_entry *metric)
{
	return tacho__fail(TACHO_E_INVAL,
			   tacho__detail("it would have more than %d parts, be nested deeper than "
					 "%d, or have more than %d operations in a row",
					 TACHO__NODE_MAX, TACHO__DEPTH_MAX, TACHO__HEIGHT_MAX),
			   "", "%s cannot be written as one expression", metric->name);
}

/* Puts the tree of a name's metric where the name stands. */
static int replace_name(struct expander *expander, struct tacho__node *node, size_t *inout_size)
{
	const struct tacho_entry *entry = tacho__arch_get_name(expander->arch, node->name);
	struct expanded *expanded;
	int rc;

	if (!entry || entry->kind != TACHO_ENTRY_METRIC || !*entry->expression ||
	    node->resolution != TACHO__PLAIN)
		return 0;
	if (expander->depth == TACHO__DEPTH_MAX)
		return fail_size(entry);
	expander->depth++;
	rc = expand(expander, entry, &expanded);
	expander->depth--;
	if (rc)
		return rc;
	*node = *expanded->tree;
	*inout_size += expanded->size;
	return 0;
}

static int replace_names(struct expander *expander, struct tacho__node *tree, size_t *out_size)
{
	struct tacho__node **waiting = NULL;
	size_t capacity = 0, count = 0, size = 0;
	int rc = 0;

	for (; tree && !rc; tree = count ? waiting[--count] : NULL) {
		size++;
		for (size_t i = 0; i < tree->operand_count && !rc; i++)
			rc = tacho__array_add(&waiting, &capacity, &count, &tree->operands[i],
					      sizeof(*waiting));
		if (!rc && tree->op == TACHO__OP_NAME)
			rc = replace_name(expander, tree, &size);
	}
	free(waiting);
	*out_size = size;
	return rc;
}

static int expand(struct expander *expander, const struct tacho_entry *metric,
		  struct expanded **out_expanded)
{
	struct tacho__expression expression = tacho__entry_expression(metric);
	struct expanded *expanded = tacho__map_get(&expander->done, (uintptr_t)metric);
	struct tacho_formula_problem problem = {0};
	int rc;

	if (expanded) {
		*out_expanded = expanded;
		return 0;
	}
	expanded = tacho__arena_get(&expander->arena, sizeof(*expanded));
	if (!expanded)
		return TACHO_E_NOMEM;
	rc = tacho__expression_parse(&expander->arena, &expression, &expanded->tree, &problem);
	if (!rc)
		rc = replace_names(expander, expanded->tree, &expanded->size);
	if (!rc && expanded->size > TACHO__NODE_MAX)
		rc = fail_size(metric);
	if (!rc)
		rc = tacho__map_set(&expander->done, (uintptr_t)metric, expanded);
	if (!rc)
		*out_expanded = expanded;
	return rc;
}

/*
 * Is it no deeper than one text may be? A chain that leans to the left is not nested, but long:
 * what formats a tree calls itself for each of its operations.
 */
static int is_flat(const struct tacho__node *node, size_t depth, size_t height)
{
	if (depth > TACHO__DEPTH_MAX)
		return 0;
	for (; node->operand_count; node = node->operands[0]) {
		if (++height >= TACHO__HEIGHT_MAX)
			return 0;
		for (size_t i = 1; i < node->operand_count; i++)
			if (!is_flat(node->operands[i], depth + 1, height))
				return 0;
		depth += node->operand_count == 1;
		if (depth > TACHO__DEPTH_MAX)
			return 0;
	}
	return 1;
}

static int ignore_leaf(void *user, const struct tacho_entry *entry)
{
	return 0;
}

int tacho_arch_format_expanded(const struct tacho_arch *arch, const struct tacho_entry *entry,
			       char **out_text)
{
	struct tacho__walk walk = {.arch = arch, .on_leaf = ignore_leaf};
	struct expander expander = {.arch = arch};
	struct expanded *expanded;
	int rc;

	if (!arch || !entry || !out_text)
		return tacho__fail_null(__func__);
	rc = tacho__arch_walk(&walk, entry); /* finds what would not end */
	if (!rc)
		rc = expand(&expander, entry, &expanded);
	if (!rc && !is_flat(expanded->tree, 0, 0))
		rc = fail_size(entry);
	if (!rc)
		rc = tacho__node_format(expanded->tree, out_text);
	tacho__map_finish(&expander.done);
	tacho__arena_finish(&expander.arena);
	return rc;
}
