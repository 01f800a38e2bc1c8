/* SPDX-License-Identifier: MIT */
/*
 * From a metric down to its counters. A tree may be as deep as its text is long (a sum leans to the
 * left), so its nodes wait in an array; only metrics inside metrics call themselves.
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

struct walker {
	const struct tacho__walk *walk;
	struct tacho__map seen; /* entry to `open` or `done` */
	size_t depth;
};

static char open_mark, done_mark;

static int visit(struct walker *walker, const struct tacho_entry *metric);

static int visit_name(struct walker *walker, const struct tacho_entry *metric, const char *name)
{
	const struct tacho__walk *walk = walker->walk;
	const struct tacho_entry *entry;
	void *mark;

	if (walk->is_known && walk->is_known(walk->user, name))
		return 0;
	entry = tacho__arch_get_name(walk->arch, name);
	if (!entry)
		return tacho__fail(TACHO_E_NOTFOUND, "", "correct its definition",
				   "the expression of %s names \"%s\", which %s does not have",
				   metric->name, name, walk->arch->name);
	mark = tacho__map_get(&walker->seen, (uintptr_t)entry);
	if (mark == &done_mark)
		return 0;
	if (mark == &open_mark)
		return tacho__fail(TACHO_E_INVAL, "", "correct one of their definitions",
				   "the expression of %s leads back to %s itself", metric->name,
				   entry->name);
	if (entry->kind == TACHO_ENTRY_METRIC)
		return visit(walker, entry);
	if (tacho__map_set(&walker->seen, (uintptr_t)entry, &done_mark))
		return TACHO_E_NOMEM;
	return walk->on_leaf(walk->user, entry);
}

/* The names in a tree from left to right. */
static int visit_tree(struct walker *walker, const struct tacho_entry *metric,
		      const struct tacho__node *tree)
{
	const struct tacho__node **waiting = NULL;
	size_t capacity = 0, count = 0;
	int rc = 0;

	do {
		for (size_t i = tree->operand_count; i > 0 && !rc; i--)
			rc = tacho__array_add(&waiting, &capacity, &count, &tree->operands[i - 1],
					      sizeof(*waiting));
		if (!rc && tree->op == TACHO__OP_NAME)
			rc = visit_name(walker, metric, tree->name);
		if (count)
			tree = waiting[--count];
		else
			tree = NULL;
	} while (tree && !rc);
	free(waiting);
	return rc;
}

static int visit(struct walker *walker, const struct tacho_entry *metric)
{
	struct tacho__expression expression = tacho__entry_expression(metric);
	struct tacho_formula_problem problem = {0};
	struct tacho__arena arena = {0};
	struct tacho__node *tree;
	int rc;

	if (!*metric->expression)
		return tacho__fail(TACHO_E_UNSUPPORTED, metric->caveat, "",
				   "no expression of %s is published", metric->name);
	if (walker->depth == TACHO__DEPTH_MAX)
		return tacho__fail(TACHO_E_INVAL, "", "",
				   "%s is nested deeper than %d metrics inside metrics",
				   metric->name, TACHO__DEPTH_MAX);
	if (tacho__map_set(&walker->seen, (uintptr_t)metric, &open_mark))
		return TACHO_E_NOMEM;
	walker->depth++;
	rc = tacho__expression_parse(&arena, &expression, &tree, &problem);
	if (!rc)
		rc = visit_tree(walker, metric, tree);
	walker->depth--;
	tacho__arena_finish(&arena);
	if (!rc && tacho__map_set(&walker->seen, (uintptr_t)metric, &done_mark))
		rc = TACHO_E_NOMEM;
	return rc;
}

int tacho__arch_walk(const struct tacho__walk *walk, const struct tacho_entry *metric)
{
	struct walker walker = {.walk = walk};
	int rc;

	if (metric->kind != TACHO_ENTRY_METRIC)
		return tacho__fail(TACHO_E_INVAL, "it is no metric", "", "%s has no expression",
				   metric->name);
	rc = visit(&walker, metric);
	tacho__map_finish(&walker.seen);
	return rc;
}
