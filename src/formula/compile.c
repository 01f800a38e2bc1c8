/* SPDX-License-Identifier: MIT */
/*
 * From a tree to instructions. A chain of binary operators leans to the left as deep as it is long,
 * so the left operands are walked in a loop; only what is nested calls itself.
 */
#include "formula/instruction.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "tacho/catalog.h"

/* A name that stands for an expression, looked up in one scope. */
struct reference {
	struct reference *next; /* of the same name, in another scope */
	const struct tacho__scope *scope;
	const char *name;
	uint32_t number;
	uint8_t is_open; /* being compiled: to meet it again is a cycle */
};

struct compiler {
	struct tacho__program *program;
	struct tacho__arena arena;
	struct tacho__names references;
	struct reference *open[TACHO__DEPTH_MAX + 1]; /* from the outside in */
	size_t open_count;
	struct tacho_formula_problem *problem;
};

/* Where a node stands. */
struct place {
	const struct tacho__scope *scope;
	const char *metric;
	size_t depth;
};

static int compile_tree(struct compiler *compiler, const struct tacho__node *tree,
			struct place place, uint32_t *out_number);

static int fail_at(struct compiler *compiler, size_t column, const struct place *place,
		   const char *text)
{
	tacho__formula_fail(compiler->problem, TACHO_E_INVAL, "resolve", column, "%s", text);
	snprintf(compiler->problem->metric, sizeof(compiler->problem->metric), "%s", place->metric);
	return TACHO_E_INVAL;
}

static int check_depth(struct compiler *compiler, size_t column, const struct place *place)
{
	char text[96];

	if (place->depth <= TACHO__DEPTH_MAX)
		return 0;
	snprintf(text, sizeof(text), "expressions are nested more than %d deep", TACHO__DEPTH_MAX);
	return fail_at(compiler, column, place, text);
}

/* "the expression refers to itself: N -> M -> N". */
static int fail_cycle(struct compiler *compiler, const struct reference *again, size_t column,
		      const struct place *place)
{
	struct tacho__buf text = {0};
	size_t i = 0;
	int rc;

	while (i < compiler->open_count && compiler->open[i] != again)
		i++;
	tacho__buf_put(&text, "the expression refers to itself: ");
	for (; i < compiler->open_count; i++)
		tacho__buf_printf(&text, "%s -> ", compiler->open[i]->name);
	tacho__buf_put(&text, again->name);
	rc = fail_at(compiler, column, place, tacho__buf_text(&text));
	tacho__buf_finish(&text);
	return rc;
}

/* Keeps the thread's error, which the scope made and which may hold a cure. */
static int fail_unknown(struct compiler *compiler, int code, const struct tacho__node *node,
			const struct place *place)
{
	struct tacho_formula_problem *problem = compiler->problem;
	const char *message = tacho_error_last()->message;

	problem->stage = "resolve";
	problem->column = node->column;
	snprintf(problem->metric, sizeof(problem->metric), "%s", place->metric);
	if (strstr(message, node->name))
		snprintf(problem->message, sizeof(problem->message), "%s", message);
	else
		snprintf(problem->message, sizeof(problem->message), "there is no \"%.200s\"",
			 node->name);
	return code;
}

static struct reference *get_reference(struct compiler *compiler, const char *name,
				       const struct tacho__scope *scope, uint8_t *out_is_new)
{
	struct reference *first = tacho__names_get(&compiler->references, name), *reference;

	for (reference = first; reference; reference = reference->next)
		if (reference->scope == scope)
			break;
	*out_is_new = !reference;
	if (reference)
		return reference;
	reference = tacho__arena_get(&compiler->arena, sizeof(*reference));
	if (!reference)
		return NULL;
	*reference = (struct reference){.next = first, .scope = scope};
	reference->name = tacho__arena_string(&compiler->arena, name);
	if (!reference->name || tacho__names_set(&compiler->references,
						 first ? first->name : reference->name, reference))
		return NULL;
	return reference;
}

static int emit_typed(struct compiler *compiler, int type, uint32_t number, uint32_t *out_number)
{
	struct tacho__instruction wanted = {.operand_count = 1, .operands = {number}};

	if (type < 0) {
		*out_number = number;
		return 0;
	}
	wanted.op = type == TACHO_TYPE_U64 ? TACHO__OP_TO_WHOLE : TACHO__OP_TO_REAL;
	return tacho__program_emit(compiler->program, &wanted, out_number);
}

static int compile_text(struct compiler *compiler, const struct tacho__expression *expression,
			int type, const struct place *place, uint32_t *out_number)
{
	struct tacho__node *tree;
	uint32_t number;
	int rc;

	rc = tacho__expression_parse(&compiler->arena, expression, &tree, compiler->problem);
	if (rc) {
		snprintf(compiler->problem->metric, sizeof(compiler->problem->metric), "%s",
			 place->metric);
		return rc;
	}
	rc = compile_tree(compiler, tree, *place, &number);
	return rc ? rc : emit_typed(compiler, type, number, out_number);
}

static int compile_reference(struct compiler *compiler, const struct tacho__node *node,
			     const struct tacho__definition *definition, const struct place *place,
			     uint32_t *out_number)
{
	struct place inside = *place;
	struct reference *reference;
	uint8_t is_new;
	int rc;

	if (node->resolution != TACHO__PLAIN)
		return fail_at(compiler, node->column, place,
			       "accumulate() takes a counter, not a metric");
	reference = get_reference(compiler, node->name, place->scope, &is_new);
	if (!reference)
		return TACHO_E_NOMEM;
	if (reference->is_open)
		return fail_cycle(compiler, reference, node->column, place);
	if (is_new) {
		inside.depth++;
		rc = check_depth(compiler, node->column, &inside);
		if (rc)
			return rc;
		inside.metric = reference->name;
		if (definition->scope)
			inside.scope = definition->scope;
		reference->is_open = 1;
		compiler->open[compiler->open_count++] = reference;
		rc = compile_text(compiler, &definition->expression, definition->type, &inside,
				  &reference->number);
		if (rc)
			return rc;
		compiler->open_count--;
		reference->is_open = 0;
	}
	*out_number = reference->number;
	return 0;
}

/* Only some blocks have events that add up the counter before them. */
static int check_accumulate(struct compiler *compiler, const struct tacho__node *node,
			    const struct tacho_block *block, const struct place *place)
{
	char text[256];

	if (node->resolution == TACHO__PLAIN || !block ||
	    (node->resolution == TACHO__LOW_RES ? block->accumulate_low : block->accumulate_high))
		return 0;
	snprintf(text, sizeof(text),
		 "accumulate() takes no counter of block %.40s, as %.60s is: that block has no "
		 "event that adds up another",
		 block->name, node->name);
	return fail_at(compiler, node->column, place, text);
}

static int compile_column(struct compiler *compiler, const struct tacho__node *node,
			  const struct tacho__definition *definition, const struct place *place,
			  uint32_t *out_number)
{
	int rc = check_accumulate(compiler, node, definition->block, place);

	return rc ? rc
		  : tacho__program_emit_input(compiler->program,
					      definition->name ? definition->name : node->name,
					      node->resolution, out_number);
}

static int compile_name(struct compiler *compiler, const struct tacho__node *node,
			const struct place *place, uint32_t *out_number)
{
	struct tacho__instruction wanted = {.column = node->column, .metric = place->metric};
	struct tacho__definition definition = {.type = -1};
	int rc;

	rc = place->scope->find(place->scope->user, node->name, &definition);
	if (rc == TACHO_E_NOMEM)
		return rc;
	if (rc)
		return fail_unknown(compiler, rc, node, place);
	switch (definition.meaning) {
	case TACHO__MEANS_COLUMN:
		return compile_column(compiler, node, &definition, place, out_number);
	case TACHO__MEANS_EXPRESSION:
		return compile_reference(compiler, node, &definition, place, out_number);
	case TACHO__MEANS_WHOLE:
		wanted.op = TACHO__OP_WHOLE;
		wanted.bits = definition.whole;
		break;
	case TACHO__MEANS_REAL:
		wanted.op = TACHO__OP_REAL;
		memcpy(&wanted.bits, &definition.real, sizeof(wanted.bits));
		break;
	}
	if (node->resolution != TACHO__PLAIN)
		return fail_at(compiler, node->column, place,
			       "accumulate() takes a counter, not a constant");
	return tacho__program_emit(compiler->program, &wanted, out_number);
}

static int compile_leaf(struct compiler *compiler, const struct tacho__node *node,
			const struct place *place, uint32_t *out_number)
{
	struct tacho__instruction wanted = {
		.op = node->op, .column = node->column, .metric = place->metric};

	if (node->op == TACHO__OP_NAME)
		return compile_name(compiler, node, place, out_number);
	if (node->op == TACHO__OP_WHOLE)
		wanted.bits = node->whole;
	else if (node->op == TACHO__OP_REAL)
		memcpy(&wanted.bits, &node->real, sizeof(wanted.bits));
	else
		return fail_at(compiler, node->column, place, "an operator without operands");
	return tacho__program_emit(compiler->program, &wanted, out_number);
}

/* The operator of a node whose first operand is `first`; the others are compiled here. */
static int compile_operator(struct compiler *compiler, const struct tacho__node *node,
			    const struct place *place, uint32_t first, uint32_t *out_number)
{
	struct tacho__instruction wanted = {.op = node->op,
					    .operand_count = 1,
					    .operands = {first},
					    .column = node->column,
					    .metric = place->metric};
	uint8_t is_chain = node->op == TACHO__OP_SUM_OF || node->op == TACHO__OP_MAX_OF;
	struct place inside = *place;
	uint32_t number;
	int rc = 0;

	inside.depth++;
	if (!is_chain && node->operand_count > TACHO__OPERANDS_MAX)
		return fail_at(compiler, node->column, place, "too many operands");
	if (is_chain)
		wanted.op = node->operand_count == 1	   ? (unsigned)TACHO__OP_TO_REAL
			    : node->op == TACHO__OP_SUM_OF ? TACHO__OP_ADD
							   : TACHO__OP_MAX;
	for (size_t i = 1; i < node->operand_count; i++) {
		rc = compile_tree(compiler, node->operands[i], inside, &number);
		if (rc)
			return rc;
		wanted.operands[wanted.operand_count++] = number;
		if (!is_chain)
			continue;
		rc = tacho__program_emit(compiler->program, &wanted, &wanted.operands[0]);
		if (rc)
			return rc;
		wanted.operand_count = 1;
	}
	if (is_chain && node->operand_count > 1) {
		*out_number = wanted.operands[0];
		return 0;
	}
	wanted.dimension_count = node->dimension_count;
	wanted.dimensions = node->op == TACHO__OP_REDUCE ? node->dimensions : NULL;
	wanted.selections = node->op == TACHO__OP_SELECT ? node->selections : NULL;
	if (node->op == TACHO__OP_REDUCE)
		wanted.bits = node->reduction == TACHO__AVERAGE ? TACHO__SUM : node->reduction;
	rc = tacho__program_emit(compiler->program, &wanted, out_number);
	if (rc || node->op != TACHO__OP_REDUCE || node->reduction != TACHO__AVERAGE)
		return rc;
	wanted = (struct tacho__instruction){.op = TACHO__OP_MEAN,
					     .operand_count = 1,
					     .operands = {*out_number},
					     .column = node->column,
					     .metric = place->metric};
	return tacho__program_emit(compiler->program, &wanted, out_number);
}

static int compile_tree(struct compiler *compiler, const struct tacho__node *tree,
			struct place place, uint32_t *out_number)
{
	const struct tacho__node *node, **spine;
	size_t length = 0, depth = place.depth;
	uint32_t number;
	int rc;

	for (node = tree; node->operand_count; node = node->operands[0])
		length++;
	spine = tacho__arena_get(&compiler->arena, (length + 1) * sizeof(*spine));
	if (!spine)
		return TACHO_E_NOMEM;
	length = 0;
	for (node = tree; node->operand_count; node = node->operands[0]) {
		spine[length++] = node;
		place.depth += node->operand_count == 1;
	}
	rc = check_depth(compiler, node->column, &place);
	if (!rc)
		rc = compile_leaf(compiler, node, &place, &number);
	place.depth = depth;
	while (!rc && length)
		rc = compile_operator(compiler, spine[--length], &place, number, &number);
	if (!rc)
		*out_number = number;
	return rc;
}

int tacho__compile(struct tacho__program *program, const struct tacho__expression *expression,
		   int type, const struct tacho__scope *scope, uint32_t *out_number,
		   struct tacho_formula_problem *out_problem)
{
	struct compiler compiler = {.program = program, .problem = out_problem};
	struct place place = {.scope = scope, .metric = ""};
	int rc;

	memset(out_problem, 0, sizeof(*out_problem));
	rc = compile_text(&compiler, expression, type, &place, out_number);
	tacho__names_finish(&compiler.references);
	tacho__arena_finish(&compiler.arena);
	return rc;
}
