/* SPDX-License-Identifier: MIT */
/* A tree as infix text. */
#include <inttypes.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/number.h"
#include "formula/node.h"

enum { TEXT_MAX = 1 << 20 };

/*
 * How tightly an operator binds. Operands of FREE ones that are operators are always in brackets:
 * nobody knows by heart how << and & bind.
 */
enum binding { FREE, SUM, PRODUCT, SIGN, CALL };

struct operator
{
	enum binding binding;
	const char *text; /* between two operands, or the function's name */
};

static const struct operator operators[] = {
	[TACHO__OP_NEGATE] = {SIGN, "-"},
	[TACHO__OP_REDUCE] = {CALL, "reduce"},
	[TACHO__OP_SELECT] = {CALL, "select"},
	[TACHO__OP_ADD] = {SUM, " + "},
	[TACHO__OP_SUBTRACT] = {SUM, " - "},
	[TACHO__OP_MULTIPLY] = {PRODUCT, "*"},
	[TACHO__OP_DIVIDE] = {PRODUCT, "/"},
	[TACHO__OP_MIN] = {CALL, "min"},
	[TACHO__OP_MAX] = {CALL, "max"},
	[TACHO__OP_WHOLE_ADD] = {SUM, " + "},
	[TACHO__OP_WHOLE_SUBTRACT] = {SUM, " - "},
	[TACHO__OP_WHOLE_MULTIPLY] = {PRODUCT, "*"},
	[TACHO__OP_WHOLE_DIVIDE] = {CALL, "div"}, /* it cuts the fraction off, unlike "/" */
	[TACHO__OP_WHOLE_MIN] = {CALL, "min"},
	[TACHO__OP_WHOLE_MAX] = {CALL, "max"},
	[TACHO__OP_BIT_AND] = {FREE, " & "},
	[TACHO__OP_BIT_OR] = {FREE, " | "},
	[TACHO__OP_BIT_XOR] = {FREE, " ^ "},
	[TACHO__OP_SHIFT_LEFT] = {FREE, " << "},
	[TACHO__OP_SHIFT_RIGHT] = {FREE, " >> "},
	[TACHO__OP_LESS] = {FREE, " < "},
	[TACHO__OP_LESS_EQUAL] = {FREE, " <= "},
	[TACHO__OP_GREATER] = {FREE, " > "},
	[TACHO__OP_GREATER_EQUAL] = {FREE, " >= "},
	[TACHO__OP_EQUAL] = {FREE, " == "},
	[TACHO__OP_LOGICAL_AND] = {FREE, " && "},
	[TACHO__OP_LOGICAL_OR] = {FREE, " || "},
	[TACHO__OP_NATURAL_ADD] = {SUM, " + "},
	[TACHO__OP_NATURAL_SUBTRACT] = {SUM, " - "},
	[TACHO__OP_NATURAL_MULTIPLY] = {PRODUCT, "*"},
	[TACHO__OP_SUM_OF] = {CALL, "sum"},
	[TACHO__OP_MAX_OF] = {CALL, "max"},
	[TACHO__OP_IF_NOT_ZERO] = {CALL, "if"},
};

static void put_node(struct tacho__buf *buf, const struct tacho__node *node);

static enum binding get_binding(const struct tacho__node *node)
{
	if (node->op == TACHO__OP_REAL && node->real < 0)
		return SIGN;
	return node->operand_count ? operators[node->op].binding : CALL;
}

static void put_bracketed(struct tacho__buf *buf, const struct tacho__node *node, int bracketed)
{
	if (bracketed)
		tacho__buf_char(buf, '(');
	put_node(buf, node);
	if (bracketed)
		tacho__buf_char(buf, ')');
}

/* Names that the notation does not have as such stand in quotes, which it reads. */
static void put_name(struct tacho__buf *buf, const char *name)
{
	const char *quote = tacho__infix_is_name(name) ? "" : "\"";

	tacho__buf_printf(buf, "%s%s%s", quote, name, quote);
}

static void put_leaf(struct tacho__buf *buf, const struct tacho__node *node)
{
	char number[TACHO__NUMBER_MAX];

	if (node->op == TACHO__OP_REAL) {
		tacho__number_format(node->real, number);
		tacho__buf_put(buf, number);
	} else if (node->op == TACHO__OP_WHOLE) {
		tacho__buf_printf(buf, "%" PRIu64, node->whole);
	} else if (node->resolution == TACHO__PLAIN) {
		put_name(buf, node->name);
	} else {
		tacho__buf_printf(buf, "accumulate(%s, %s)", node->name,
				  tacho__resolution_names[node->resolution]);
	}
}

static void put_reduce(struct tacho__buf *buf, const struct tacho__node *node)
{
	static const char *const names[] = {
		[TACHO__SUM] = "sum",
		[TACHO__AVERAGE] = "avr",
		[TACHO__MIN] = "min",
		[TACHO__MAX] = "max",
	};

	tacho__buf_printf(buf, ", %s", names[node->reduction]);
	for (size_t i = 0; i < node->dimension_count; i++)
		tacho__buf_printf(buf, "%s%s", i ? ", " : ", [", node->dimensions[i]);
	tacho__buf_put(buf, node->dimension_count ? "]" : "");
}

static void put_select(struct tacho__buf *buf, const struct tacho__node *node)
{
	for (size_t i = 0; i < node->dimension_count; i++) {
		const struct tacho__selection *selection = &node->selections[i];

		tacho__buf_printf(buf, "%s%s=[", i ? ", " : ", [", selection->dimension);
		for (size_t j = 0, end; j < selection->count; j = end) {
			const uint32_t *positions = selection->positions;

			end = j + 1;
			while (end < selection->count && positions[end] == positions[end - 1] + 1)
				end++;
			tacho__buf_printf(buf, "%s%" PRIu32, j ? "," : "", positions[j]);
			/* a single position that stays is a range */
			if (end > j + 1 || (selection->keeps && selection->count == 1))
				tacho__buf_printf(buf, ":%" PRIu32, positions[end - 1]);
		}
		tacho__buf_char(buf, ']');
	}
	tacho__buf_char(buf, ']');
}

static void put_call(struct tacho__buf *buf, const struct tacho__node *node)
{
	tacho__buf_printf(buf, "%s(", operators[node->op].text);
	for (size_t i = 0; i < node->operand_count; i++) {
		tacho__buf_put(buf, i ? ", " : "");
		put_node(buf, node->operands[i]);
	}
	if (node->op == TACHO__OP_REDUCE)
		put_reduce(buf, node);
	else if (node->op == TACHO__OP_SELECT)
		put_select(buf, node);
	tacho__buf_char(buf, ')');
}

static void put_node(struct tacho__buf *buf, const struct tacho__node *node)
{
	enum binding binding = get_binding(node);

	if (buf->size > TEXT_MAX)
		return;
	if (!node->operand_count) {
		put_leaf(buf, node);
	} else if (binding == CALL) {
		put_call(buf, node);
	} else if (binding == SIGN) {
		tacho__buf_char(buf, '-');
		put_bracketed(buf, node->operands[0], get_binding(node->operands[0]) < SIGN);
	} else {
		enum binding left = get_binding(node->operands[0]);
		enum binding right = get_binding(node->operands[1]);
		int is_free = binding == FREE;

		/* Operators of one level go from left to right: a - (b - c) keeps its brackets. */
		put_bracketed(buf, node->operands[0], is_free ? left < SIGN : left < binding);
		tacho__buf_put(buf, operators[node->op].text);
		put_bracketed(buf, node->operands[1], is_free ? right < SIGN : right <= binding);
	}
}

int tacho__node_format(const struct tacho__node *node, char **out_text)
{
	struct tacho__buf buf = {0};
	int rc = 0;

	put_node(&buf, node);
	if (buf.failed)
		rc = tacho__fail(TACHO_E_NOMEM, "", "end other programs or work out fewer metrics",
				 "no memory for the text of an expression");
	else if (buf.size > TEXT_MAX)
		rc = tacho__fail(TACHO_E_INVAL,
				 tacho__detail("it would have more than %d bytes", TEXT_MAX),
				 "shorten the expression", "the expression is too long to print");
	if (rc)
		tacho__buf_finish(&buf);
	else
		*out_text = buf.text;
	return rc;
}
