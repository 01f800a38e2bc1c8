/* SPDX-License-Identifier: MIT */
/* What the parsers of the notations share. */
#include "formula/parser.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

enum { QUOTED_MAX = 32 };

const char *tacho__parser_found(const struct tacho__parser *parser, size_t at, size_t length,
				char out_found[TACHO__FOUND_MAX])
{
	size_t shown = length < QUOTED_MAX ? length : QUOTED_MAX;

	if (!length) {
		snprintf(out_found, TACHO__FOUND_MAX, "the end");
		return out_found;
	}
	for (size_t i = 0; i < shown; i++) {
		unsigned char c = (unsigned char)parser->text[at + i];

		if (c < 0x20 || c > 0x7e) {
			if (!i) {
				snprintf(out_found, TACHO__FOUND_MAX, "byte 0x%02X", c);
				return out_found;
			}
			shown = i;
		}
	}
	snprintf(out_found, TACHO__FOUND_MAX, "\"%.*s%s\"", (int)shown, parser->text + at,
		 shown < length ? "..." : "");
	return out_found;
}

int tacho__parser_fail(const struct tacho__parser *parser, size_t at, const char *format, ...)
{
	char message[TACHO_FORMULA_MESSAGE_MAX];
	va_list list;

	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	return tacho__formula_fail(parser->problem, TACHO_E_PARSE, "parse", at + 1, "%s", message);
}

int tacho__parser_fail_token(const struct tacho__parser *parser, const struct tacho__token *token,
			     const char *what)
{
	char found[TACHO__FOUND_MAX];

	return tacho__parser_fail(parser, token->at, "%s %s",
				  tacho__parser_found(parser, token->at, token->length, found),
				  what);
}

int tacho__parser_fail_expected(const struct tacho__parser *parser,
				const struct tacho__token *token, const char *what)
{
	char found[TACHO__FOUND_MAX];

	return tacho__parser_fail(parser, token->at, "expected %s, found %s", what,
				  tacho__parser_found(parser, token->at, token->length, found));
}

int tacho__parser_nomem(const struct tacho__parser *parser)
{
	return tacho__formula_fail(parser->problem, TACHO_E_NOMEM, "parse", 0,
				   "no memory for an expression of %zu bytes", parser->size);
}

int tacho__parser_count(struct tacho__parser *parser, size_t at, size_t count)
{
	if (count > TACHO__NODE_MAX - parser->nodes)
		return tacho__parser_fail(parser, at, "the expression has more than %d parts",
					  TACHO__NODE_MAX);
	parser->nodes += count;
	return 0;
}

int tacho__parser_node(struct tacho__parser *parser, enum tacho__op op, size_t at,
		       struct tacho__node *const *operands, size_t count,
		       struct tacho__node **out_node)
{
	struct tacho__node *node;
	int rc = tacho__parser_count(parser, at, 1);

	if (rc)
		return rc;
	node = tacho__arena_get(parser->arena, sizeof(*node));
	if (node && count)
		node->operands =
			tacho__arena_get(parser->arena, count * sizeof(struct tacho__node *));
	if (!node || (count && !node->operands))
		return tacho__parser_nomem(parser);
	node->op = op;
	node->column = at + 1;
	node->operand_count = count;
	node->height = 1;
	for (size_t i = 0; i < count; i++) {
		node->operands[i] = operands[i];
		if (node->height <= operands[i]->height)
			node->height = operands[i]->height + 1;
	}
	if (node->height > TACHO__HEIGHT_MAX)
		return tacho__parser_fail(parser, at,
					  "more than %d operations depend on each other in a row",
					  TACHO__HEIGHT_MAX);
	*out_node = node;
	return 0;
}

int tacho__parser_name(struct tacho__parser *parser, size_t at, const char *name, size_t length,
		       struct tacho__node **out_node)
{
	struct tacho__node *node;
	int rc = tacho__parser_node(parser, TACHO__OP_NAME, at, NULL, 0, &node);

	if (rc)
		return rc;
	node->name = tacho__arena_text(parser->arena, name, length);
	if (!node->name)
		return tacho__parser_nomem(parser);
	*out_node = node;
	return 0;
}

static size_t skip_digits(const struct tacho__parser *parser, size_t at)
{
	while (at < parser->size && tacho__is_digit(parser->text[at]))
		at++;
	return at;
}

size_t tacho__parser_scan_number(const struct tacho__parser *parser, size_t at)
{
	size_t end = skip_digits(parser, at), digits = end - at, exponent;

	if (end < parser->size && parser->text[end] == '.') {
		size_t fraction = skip_digits(parser, end + 1);

		digits += fraction - end - 1;
		end = fraction;
	}
	if (!digits)
		return 0;
	if (end < parser->size && (parser->text[end] == 'e' || parser->text[end] == 'E')) {
		exponent = end + 1;
		if (exponent < parser->size &&
		    (parser->text[exponent] == '+' || parser->text[exponent] == '-'))
			exponent++;
		if (exponent < parser->size && tacho__is_digit(parser->text[exponent]))
			end = skip_digits(parser, exponent);
	}
	return end - at;
}

int tacho__parser_digits(const struct tacho__parser *parser, size_t at, size_t length, uint64_t max,
			 uint64_t *out_value)
{
	uint64_t value = 0;

	for (size_t i = 0; i < length; i++) {
		unsigned digit = (unsigned)(parser->text[at + i] - '0');

		if (value > (max - digit) / 10 || digit > max)
			return 0;
		value = value * 10 + digit;
	}
	*out_value = value;
	return 1;
}

int tacho__parser_number(struct tacho__parser *parser, size_t at, size_t length,
			 struct tacho__node **out_node)
{
	char found[TACHO__FOUND_MAX];
	struct tacho__node *node;
	uint64_t whole = 0;
	double real = 0;
	int rc, is_whole = skip_digits(parser, at) == at + length;

	if (is_whole)
		is_whole = tacho__parser_digits(parser, at, length, UINT64_MAX, &whole);
	if (!is_whole) {
		if (tacho__number_parse(parser->text + at, length, &real))
			return tacho__parser_fail(parser, at, "%s is no number",
						  tacho__parser_found(parser, at, length, found));
		if (!isfinite(real))
			return tacho__parser_fail(parser, at, "%s is larger than any number can be",
						  tacho__parser_found(parser, at, length, found));
		if (real < 0x1p64 && real == floor(real)) {
			is_whole = 1;
			whole = (uint64_t)real;
		}
	}
	rc = tacho__parser_node(parser, is_whole ? TACHO__OP_WHOLE : TACHO__OP_REAL, at, NULL, 0,
				&node);
	if (rc)
		return rc;
	node->whole = whole;
	node->real = is_whole ? (double)whole : real;
	*out_node = node;
	return 0;
}

int tacho__parser_require(const struct tacho__parser *parser, const struct tacho__token *token,
			  uint64_t count)
{
	char found[TACHO__FOUND_MAX];

	if (count <= parser->depth)
		return 0;
	return tacho__parser_fail(parser, token->at,
				  "%s takes %llu value%s, there %s %zu before it",
				  tacho__parser_found(parser, token->at, token->length, found),
				  (unsigned long long)count, count == 1 ? "" : "s",
				  parser->depth == 1 ? "is" : "are", parser->depth);
}

int tacho__parser_push(struct tacho__parser *parser, struct tacho__node *node)
{
	if (tacho__array_add(&parser->stack, &parser->capacity, &parser->depth, &node,
			     sizeof(node)))
		return tacho__parser_nomem(parser);
	return 0;
}

int tacho__parser_push_name(struct tacho__parser *parser, size_t at, const char *name,
			    size_t length)
{
	struct tacho__node *node = NULL;
	int rc = tacho__parser_name(parser, at, name, length, &node);

	return rc ? rc : tacho__parser_push(parser, node);
}

int tacho__parser_apply(struct tacho__parser *parser, enum tacho__op op,
			const struct tacho__token *token, size_t count)
{
	struct tacho__node *node = NULL;
	int rc = tacho__parser_require(parser, token, count);

	if (!rc)
		rc = tacho__parser_node(parser, op, token->at,
					parser->stack + parser->depth - count, count, &node);
	if (rc)
		return rc;
	parser->depth -= count;
	return tacho__parser_push(parser, node);
}

int tacho__parser_finish(struct tacho__parser *parser, int rc, struct tacho__node **out_node)
{
	if (!rc && parser->depth != 1)
		rc = tacho__parser_fail(parser, parser->size,
					"%zu values are left at the end where one should be",
					parser->depth);
	if (!rc)
		*out_node = parser->stack[0];
	free(parser->stack);
	return rc;
}
