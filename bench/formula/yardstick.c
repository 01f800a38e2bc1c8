/* SPDX-License-Identifier: MIT */
#include "yardstick.h"

#include <stdlib.h>
#include <string.h>

struct yardstick {
	enum tacho__op op;
	enum tacho__reduction reduction;
	double constant;
	size_t input;
	struct yardstick *left, *right;
};

static struct yardstick *create_name(struct tacho__arena *arena, const struct tacho__node *node,
				     const struct tacho__scope *scope,
				     const struct tacho__input *inputs, size_t input_count)
{
	struct yardstick *made = tacho__arena_get(arena, sizeof(*made));
	struct tacho__definition definition = {0};
	struct tacho__node *tree;

	if (!made || scope->find(scope->user, node->name, &definition))
		return NULL;
	if (definition.meaning == TACHO__MEANS_EXPRESSION)
		return tacho__expression_parse(arena, &definition.expression, &tree, NULL)
			       ? NULL
			       : yardstick_create(arena, tree, scope, inputs, input_count);
	made->op = TACHO__OP_REAL;
	made->constant = definition.meaning == TACHO__MEANS_WHOLE ? (double)definition.whole
								  : definition.real;
	if (definition.meaning != TACHO__MEANS_COLUMN)
		return made;
	made->op = TACHO__OP_NAME;
	while (made->input < input_count && (inputs[made->input].resolution != node->resolution ||
					     strcmp(inputs[made->input].name, definition.name)))
		made->input++;
	return made->input < input_count ? made : NULL;
}

struct yardstick *yardstick_create(struct tacho__arena *arena, const struct tacho__node *node,
				   const struct tacho__scope *scope,
				   const struct tacho__input *inputs, size_t input_count)
{
	struct yardstick *made;

	if (node->op == TACHO__OP_NAME)
		return create_name(arena, node, scope, inputs, input_count);
	made = tacho__arena_get(arena, sizeof(*made));
	if (!made)
		return NULL;
	made->op = node->op;
	made->reduction = node->reduction;
	if (node->op == TACHO__OP_WHOLE || node->op == TACHO__OP_REAL) {
		made->op = TACHO__OP_REAL;
		made->constant = node->op == TACHO__OP_WHOLE ? (double)node->whole : node->real;
		return made;
	}
	made->left = yardstick_create(arena, node->operands[0], scope, inputs, input_count);
	if (!made->left)
		return NULL;
	if (node->op == TACHO__OP_REDUCE)
		return node->dimension_count ? NULL : made;
	if (node->op < TACHO__OP_ADD || node->op > TACHO__OP_DIVIDE)
		return NULL;
	made->right = yardstick_create(arena, node->operands[1], scope, inputs, input_count);
	return made->right ? made : NULL;
}

void yardstick_list_destroy(struct yardstick_list *list)
{
	free(list->records);
	free(list);
}

static struct yardstick_list *make_list(size_t count)
{
	struct yardstick_list *list = malloc(sizeof(*list));

	if (!list)
		abort();
	list->count = count;
	list->records = malloc(count * sizeof(*list->records));
	if (!list->records)
		abort();
	return list;
}

static struct yardstick_list *read_input(const struct yardstick *tree,
					 const struct tacho_column *column, size_t row)
{
	struct yardstick_list *list = make_list(column->instance_count);

	for (size_t i = 0; i < list->count; i++)
		list->records[i] = (struct yardstick_record){
			(uint64_t)tree->input << 48 | i,
			(double)column->data.u64[row * column->instance_count + i]};
	return list;
}

static double apply(enum tacho__op op, double a, double b)
{
	switch (op) {
	case TACHO__OP_ADD: return a + b;
	case TACHO__OP_SUBTRACT: return a - b;
	case TACHO__OP_MULTIPLY: return a * b;
	default: return b == 0 ? 0 : a / b;
	}
}

static struct yardstick_list *combine(enum tacho__op op, struct yardstick_list *a,
				      struct yardstick_list *b)
{
	struct yardstick_list *list = make_list(a->count > b->count ? a->count : b->count);

	for (size_t i = 0; i < list->count; i++) {
		const struct yardstick_record *x = &a->records[a->count == 1 ? 0 : i];
		const struct yardstick_record *y = &b->records[b->count == 1 ? 0 : i];

		list->records[i] = (struct yardstick_record){a->count == 1 ? y->id : x->id,
							     apply(op, x->value, y->value)};
	}
	yardstick_list_destroy(a);
	yardstick_list_destroy(b);
	return list;
}

static struct yardstick_list *reduce(enum tacho__reduction reduction, struct yardstick_list *from)
{
	struct yardstick_list *list = make_list(1);
	double value = reduction < TACHO__MIN ? 0 : from->records[0].value;

	for (size_t i = 0; i < from->count; i++) {
		double v = from->records[i].value;

		if (reduction < TACHO__MIN)
			value += v;
		else if (reduction == TACHO__MIN ? v < value : v > value)
			value = v;
	}
	list->records[0] = (struct yardstick_record){
		from->records[0].id & ~UINT64_C(0xffffffffffff),
		reduction == TACHO__AVERAGE ? value / (double)from->count : value};
	yardstick_list_destroy(from);
	return list;
}

struct yardstick_list *yardstick_evaluate(const struct yardstick *tree,
					  const struct tacho_column *columns, size_t row)
{
	struct yardstick_list *list;

	switch (tree->op) {
	case TACHO__OP_REAL:
		list = make_list(1);
		list->records[0] = (struct yardstick_record){0, tree->constant};
		return list;
	case TACHO__OP_NAME: return read_input(tree, &columns[tree->input], row);
	case TACHO__OP_REDUCE:
		return reduce(tree->reduction, yardstick_evaluate(tree->left, columns, row));
	default:
		list = yardstick_evaluate(tree->left, columns, row);
		return combine(tree->op, list, yardstick_evaluate(tree->right, columns, row));
	}
}
