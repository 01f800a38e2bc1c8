/* SPDX-License-Identifier: MIT */
/*
 * Operators of GPUPerfAPI's notation that work on several values at once, with their number behind
 * the name: "vecsub6" takes twelve values and leaves six. They came with GPUPerfAPI 3; what they do
 * is what its evaluator does, but that comparemax is never below 0.
 */
#include "formula/notation_gpa_vectors.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"

enum shape {
	PAIRS,	      /* a1..aN,b1..bN: ai op bi */
	SCALAR_FIRST, /* s,a1..aN: s op ai */
	SCALAR_LAST,  /* a1..aN,s: ai op s */
	COMPARED,     /* a1..aN,b1..bN: bi is not 0 ? ai : 0, and op over them */
	MEAN,	      /* a1..aN: op over them, through N */
};

static const struct vector_operator {
	const char *name;
	enum shape shape;
	enum tacho__op op;
} operators[] = {
	{"vecsum", PAIRS, TACHO__OP_ADD},
	{"vecsub", PAIRS, TACHO__OP_SUBTRACT},
	{"vecdiv", PAIRS, TACHO__OP_DIVIDE},
	{"scalarmul", SCALAR_FIRST, TACHO__OP_MULTIPLY},
	{"scalardiv", SCALAR_LAST, TACHO__OP_DIVIDE},
	{"comparemax", COMPARED, TACHO__OP_MAX_OF},
	{"avg", MEAN, TACHO__OP_SUM_OF},
};

static size_t operand_count(enum shape shape, size_t count)
{
	switch (shape) {
	case PAIRS:
	case COMPARED: return 2 * count;
	case SCALAR_FIRST:
	case SCALAR_LAST: return count + 1;
	case MEAN: break;
	}
	return count;
}

/* A tree of its own, so that what is used N times counts N times against the bound on nodes. */
static int copy_tree(struct tacho__parser *parser, const struct tacho__node *tree,
		     struct tacho__node **out_node)
{
	struct tacho__node *node;
	int rc = tacho__parser_node(parser, tree->op, tree->column - 1, tree->operands,
				    tree->operand_count, &node);

	if (rc)
		return rc;
	node->whole = tree->whole;
	node->real = tree->real;
	node->name = tree->name;
	for (size_t i = 0; !rc && i < tree->operand_count; i++)
		rc = copy_tree(parser, tree->operands[i], &node->operands[i]);
	*out_node = node;
	return rc;
}

static int push_number(struct tacho__parser *parser, size_t at, double value)
{
	struct tacho__node *node = NULL;
	int rc = tacho__parser_node(parser, TACHO__OP_REAL, at, NULL, 0, &node);

	if (rc)
		return rc;
	node->real = value;
	return tacho__parser_push(parser, node);
}

/* Pushes element `i` of the result; the operands begin at `start` of the stack. */
static int push_element(struct tacho__parser *parser, const struct vector_operator *vector,
			const struct tacho__token *token, size_t start, size_t count, size_t i)
{
	struct tacho__node **first = parser->stack + start;
	size_t second = vector->shape == SCALAR_FIRST ? i + 1 : count + i;
	struct tacho__node *pair[2] = {first[i], NULL};
	struct tacho__node *node = NULL;
	int rc = 0;

	if (vector->shape == SCALAR_LAST) {
		rc = copy_tree(parser, first[count], &pair[1]);
	} else {
		pair[1] = first[second];
		if (vector->shape == SCALAR_FIRST)
			rc = copy_tree(parser, first[0], &pair[0]);
	}
	if (!rc)
		rc = tacho__parser_node(parser, vector->op, token->at, pair, 2, &node);
	return rc ? rc : tacho__parser_push(parser, node);
}

static int push_compared(struct tacho__parser *parser, const struct tacho__token *token,
			 size_t start, size_t count, size_t i)
{
	struct tacho__node *choice[3] = {parser->stack[start + count + i], parser->stack[start + i],
					 NULL};
	struct tacho__node *node = NULL;
	int rc = push_number(parser, token->at, 0);

	if (rc)
		return rc;
	choice[2] = parser->stack[--parser->depth];
	rc = tacho__parser_node(parser, TACHO__OP_IF_NOT_ZERO, token->at, choice, 3, &node);
	return rc ? rc : tacho__parser_push(parser, node);
}

/* The elements come behind the operands, and then take their place. */
static int apply_elements(struct tacho__parser *parser, const struct vector_operator *vector,
			  const struct tacho__token *token, size_t count)
{
	size_t taken = operand_count(vector->shape, count);
	size_t start = parser->depth - taken;
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++)
		rc = vector->shape == COMPARED
			     ? push_compared(parser, token, start, count, i)
			     : push_element(parser, vector, token, start, count, i);
	if (rc)
		return rc;
	memmove(parser->stack + start, parser->stack + start + taken,
		count * sizeof(*parser->stack));
	parser->depth = start + count;
	return 0;
}

static int apply(struct tacho__parser *parser, const struct vector_operator *vector,
		 const struct tacho__token *token, size_t count)
{
	int rc = tacho__parser_require(parser, token, operand_count(vector->shape, count));

	if (!rc && vector->shape != MEAN)
		rc = apply_elements(parser, vector, token, count);
	if (!rc && (vector->shape == MEAN || vector->shape == COMPARED))
		rc = tacho__parser_apply(parser, vector->op, token, count);
	if (rc || vector->shape != MEAN)
		return rc;
	rc = push_number(parser, token->at, (double)count);
	return rc ? rc : tacho__parser_apply(parser, TACHO__OP_DIVIDE, token, 2);
}

static int is_number(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!tacho__is_digit(text[i]))
			return 0;
	return size > 0;
}

int tacho__gpa_parse_vector(struct tacho__parser *parser, const struct tacho__token *token,
			    int *out_rc)
{
	const char *text = parser->text + token->at;
	uint64_t count = 0;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(operators); i++) {
		size_t size = strlen(operators[i].name);

		if (token->length <= size || strncasecmp(text, operators[i].name, size) != 0 ||
		    !is_number(text + size, token->length - size))
			continue;
		if (!tacho__parser_digits(parser, token->at + size, token->length - size,
					  TACHO__NODE_MAX, &count))
			*out_rc = tacho__parser_fail_token(parser, token,
							   "takes more values than there can be");
		else
			*out_rc = count ? apply(parser, &operators[i], token, (size_t)count)
					: tacho__parser_fail_token(
						  parser, token,
						  "takes no values; it needs at least 1");
		return 1;
	}
	return 0;
}
