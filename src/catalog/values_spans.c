/* SPDX-License-Identifier: MIT */
/*
 * What values of a file cannot tell apart. A counter of several instances often comes as one
 * number, their sum; the largest, smallest or mean instance, which a formula asks for, is then the
 * sum itself, and what is divided by it is too small by as many times as there are instances.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "catalog/derive.h"

struct search {
	const struct tacho__values_scope *scope;
	struct tacho__arena *arena;
	struct tacho__names seen;	 /* names that were looked at */
	struct tacho__buf text, caveats; /* of counters */
	const char *caveat;		 /* the last of these */
	size_t depth;
};

/* Instances that the values do not tell apart; from the fewest of the models to the most. */
struct instances {
	const struct tacho_model *model; /* one of them */
	uint64_t least, most;
};

static int search_expression(struct search *search, const struct tacho__expression *expression);

static bool has_dimension(const struct tacho_column *column, const char *name)
{
	for (uint32_t i = 0; i < column->dimension_count; i++)
		if (!strcmp(column->dimensions[i].name, name))
			return true;
	return false;
}

static void add_model(const struct tacho_arch *arch, const struct tacho_entry *counter,
		      const struct tacho_column *column, const struct tacho_model *model,
		      struct instances *instances)
{
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	uint64_t product = 1;
	uint32_t count;

	if (tacho_arch_get_dimensions(arch, counter, model, dimensions, &count))
		return;
	for (uint32_t i = 0; i < count; i++)
		if (!has_dimension(column, dimensions[i].name))
			product *= dimensions[i].extent;
	if (!instances->model || product < instances->least)
		instances->least = product;
	if (!instances->model || product > instances->most)
		instances->most = product;
	instances->model = model;
}

/* On the model, else on all models of the architecture. */
static struct instances find_instances(const struct tacho__values_scope *scope,
				       const struct tacho_entry *counter,
				       const struct tacho_column *column)
{
	struct instances instances = {0};
	const struct tacho_model *model;

	if (scope->model) {
		add_model(scope->arch, counter, column, scope->model, &instances);
		return instances;
	}
	for (size_t i = 0; (model = tacho_arch_get_model(scope->arch, i)); i++)
		add_model(scope->arch, counter, column, model, &instances);
	return instances;
}

static void tell(struct search *search, const struct tacho_entry *counter,
		 const struct instances *instances)
{
	bool is_sure = instances->least == instances->most;
	struct tacho__buf *text = &search->text;

	tacho__buf_put(text,
		       text->size ? ", " : "the values have one number for all instances of ");
	tacho__buf_printf(text, "%s (", counter->name);
	if (!is_sure)
		tacho__buf_printf(text, "%" PRIu64 " to ", instances->least);
	tacho__buf_printf(text, "%" PRIu64 " on %s)", instances->most,
			  is_sure ? instances->model->name : search->scope->arch->name);
	if (*counter->caveat && search->caveat != counter->caveat)
		tacho__buf_printf(&search->caveats, " %s", counter->caveat);
	search->caveat = counter->caveat;
}

static int judge_reduce(struct search *search, const struct tacho__node *reduce)
{
	const struct tacho__values_scope *scope = search->scope;
	const struct tacho__node *leaf = reduce->operands[0];
	const struct tacho_entry *counter;
	const struct tacho_column *column;
	struct instances instances;

	if (reduce->reduction == TACHO__SUM || leaf->op != TACHO__OP_NAME)
		return 0;
	counter = tacho__arch_get_exact(scope->arch, leaf->name);
	column = tacho_result_find_column(scope->values, leaf->name);
	if (!counter || !column || counter->kind != TACHO_ENTRY_COUNTER ||
	    tacho__names_get(&search->seen, counter->name))
		return 0;
	instances = find_instances(scope, counter, column);
	if (!instances.model || instances.most == 1)
		return 0;
	tell(search, counter, &instances);
	return tacho__names_set(&search->seen, counter->name, search);
}

/* A metric, when the values do not have it themselves. */
static int search_name(struct search *search, const char *name)
{
	const struct tacho_entry *entry = tacho__arch_get_exact(search->scope->arch, name);
	struct tacho__expression expression;
	int rc;

	if (!entry || entry->kind != TACHO_ENTRY_METRIC || !*entry->expression ||
	    tacho__names_get(&search->seen, entry->name) ||
	    tacho_result_find_column(search->scope->values, entry->name) ||
	    search->depth == TACHO__DEPTH_MAX)
		return 0;
	rc = tacho__names_set(&search->seen, entry->name, search);
	if (rc)
		return rc;
	expression = tacho__entry_expression(entry);
	search->depth++;
	rc = search_expression(search, &expression);
	search->depth--;
	return rc;
}

/* A tree that leans to the left is walked in a loop. */
static int search_tree(struct search *search, const struct tacho__node *node)
{
	int rc = 0;

	for (; !rc && node->operand_count; node = node->operands[0]) {
		if (node->op == TACHO__OP_REDUCE)
			rc = judge_reduce(search, node);
		for (size_t i = 1; !rc && i < node->operand_count; i++)
			rc = search_tree(search, node->operands[i]);
	}
	return !rc && node->op == TACHO__OP_NAME ? search_name(search, node->name) : rc;
}

/* What does not parse is told elsewhere. */
static int search_expression(struct search *search, const struct tacho__expression *expression)
{
	struct tacho_formula_problem problem = {0};
	struct tacho__node *tree;
	int rc = tacho__expression_parse(search->arena, expression, &tree, &problem);

	if (rc)
		return rc == TACHO_E_NOMEM ? rc : 0;
	return search_tree(search, tree);
}

const char *tacho__values_describe_spans(const struct tacho__values_scope *scope,
					 const struct tacho__expression *expression,
					 struct tacho__arena *arena)
{
	struct search search = {.scope = scope, .arena = arena};
	const char *note = NULL;
	int rc;

	if (!scope->arch)
		return "";
	rc = search_expression(&search, expression);
	if (search.text.size)
		tacho__buf_printf(&search.text,
				  ", where the formula wants the largest, smallest or mean one: if "
				  "that number is their sum, the value is off by as many times.%s",
				  tacho__buf_text(&search.caveats));
	if (!rc && !search.text.failed && !search.caveats.failed)
		note = tacho__arena_string(arena, tacho__buf_text(&search.text));
	tacho__names_finish(&search.seen);
	tacho__buf_finish(&search.text);
	tacho__buf_finish(&search.caveats);
	return note;
}
