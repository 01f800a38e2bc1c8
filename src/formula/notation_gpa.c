/* SPDX-License-Identifier: MIT */
/* GPUPerfAPI's notation: values and operators between commas, operators behind their values. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "formula/parser.h"

struct gpa {
	struct tacho__parser parser;
	const struct tacho__expression *expression;
	struct tacho__node **stack;
	size_t depth, capacity;
};

/* A token between two commas, without the blanks around it. */
struct token {
	size_t at, length;
};

static int push(struct gpa *gpa, struct tacho__node *node)
{
	if (tacho__array_add(&gpa->stack, &gpa->capacity, &gpa->depth, &node, sizeof(node)))
		return tacho__parser_nomem(&gpa->parser);
	return 0;
}

static int fail_token(const struct gpa *gpa, const struct token *token, const char *what)
{
	char found[TACHO__FOUND_MAX];

	return tacho__parser_fail(
		&gpa->parser, token->at, "%s %s",
		tacho__parser_found(&gpa->parser, token->at, token->length, found), what);
}

static int token_is(const struct gpa *gpa, const struct token *token, const char *word)
{
	return token->length == strlen(word) &&
	       !strncasecmp(gpa->parser.text + token->at, word, token->length);
}

static int require(const struct gpa *gpa, const struct token *token, uint64_t count)
{
	char found[TACHO__FOUND_MAX];

	if (count <= gpa->depth)
		return 0;
	return tacho__parser_fail(
		&gpa->parser, token->at, "%s takes %llu value%s, there %s %zu before it",
		tacho__parser_found(&gpa->parser, token->at, token->length, found),
		(unsigned long long)count, count == 1 ? "" : "s", gpa->depth == 1 ? "is" : "are",
		gpa->depth);
}

/* Takes `count` values, the last pushed last in the operands, and pushes the operator. */
static int apply(struct gpa *gpa, enum tacho__op op, const struct token *token, size_t count)
{
	struct tacho__node *node;
	int rc = require(gpa, token, count);

	if (!rc)
		rc = tacho__parser_node(&gpa->parser, op, token->at,
					gpa->stack + gpa->depth - count, count, &node);
	if (rc)
		return rc;
	gpa->depth -= count;
	return push(gpa, node);
}

/* "a,b,c,ifnotzero" is c ? b : a. */
static int apply_if(struct gpa *gpa, const struct token *token)
{
	struct tacho__node **top;
	struct tacho__node *condition;
	int rc = require(gpa, token, 3);

	if (rc)
		return rc;
	top = gpa->stack + gpa->depth - 3;
	condition = top[2];
	top[2] = top[0];
	top[0] = condition;
	return apply(gpa, TACHO__OP_IF_NOT_ZERO, token, 3);
}

/* The least of `count` values: a tree of MIN, each half by itself so that it stays low. */
static int fold_min(struct gpa *gpa, const struct token *token, size_t first, size_t count,
		    struct tacho__node **out_node)
{
	struct tacho__node *halves[2];
	int rc;

	if (count == 1) {
		*out_node = gpa->stack[first];
		return 0;
	}
	rc = fold_min(gpa, token, first, count / 2, &halves[0]);
	if (!rc)
		rc = fold_min(gpa, token, first + count / 2, count - count / 2, &halves[1]);
	return rc ? rc
		  : tacho__parser_node(&gpa->parser, TACHO__OP_MIN, token->at, halves, 2, out_node);
}

static int apply_min(struct gpa *gpa, const struct token *token, size_t count)
{
	struct tacho__node *node;
	int rc = fold_min(gpa, token, gpa->depth - count, count, &node);

	if (rc)
		return rc;
	gpa->depth -= count;
	return push(gpa, node);
}

/* sum16, max32, min4. 0: the token is none of these and nothing happened; 1: done. */
static int parse_fold(struct gpa *gpa, const struct token *token, int *out_rc)
{
	const char *text = gpa->parser.text + token->at;
	uint64_t count = 0;
	int is_sum, is_min;

	if (token->length < 4)
		return 0;
	is_sum = !strncasecmp(text, "sum", 3);
	is_min = !strncasecmp(text, "min", 3);
	if (!is_sum && !is_min && strncasecmp(text, "max", 3) != 0)
		return 0;
	for (size_t i = 3; i < token->length; i++)
		if (!tacho__is_digit(text[i]))
			return 0;
	if (!tacho__parser_digits(&gpa->parser, token->at + 3, token->length - 3, TACHO__NODE_MAX,
				  &count))
		*out_rc = fail_token(gpa, token, "takes more values than there can be");
	else
		*out_rc = count ? require(gpa, token, count)
				: fail_token(gpa, token, "takes no values; it needs at least 1");
	if (*out_rc)
		return 1;
	if (is_min)
		*out_rc = apply_min(gpa, token, (size_t)count);
	else
		*out_rc = apply(gpa, is_sum ? TACHO__OP_SUM_OF : TACHO__OP_MAX_OF, token,
				(size_t)count);
	return 1;
}

/* Bytes of digits in a token from `at`. */
static size_t count_digits(const struct gpa *gpa, const struct token *token, size_t at)
{
	size_t end = token->at + token->length, digits = 0;

	while (at + digits < end && tacho__is_digit(gpa->parser.text[at + digits]))
		digits++;
	return digits;
}

static int read_input(const struct gpa *gpa, size_t at, size_t length, uint64_t *out_input)
{
	const struct tacho__expression *expression = gpa->expression;
	struct token token = {at, length};
	char found[TACHO__FOUND_MAX];

	if (!expression->input_count)
		return fail_token(gpa, &token,
				  "is the number of an input, and this expression has no inputs; "
				  "a constant is written in brackets");
	if (!tacho__parser_digits(&gpa->parser, at, length, expression->input_count - 1, out_input))
		return tacho__parser_fail(&gpa->parser, at,
					  "there is no input %s; they are numbered 0 to %zu",
					  tacho__parser_found(&gpa->parser, at, length, found),
					  expression->input_count - 1);
	return 0;
}

/* "5" and "0..15". */
static int parse_inputs(struct gpa *gpa, const struct token *token)
{
	const char *text = gpa->parser.text;
	size_t at = token->at, end = token->at + token->length;
	size_t digits = count_digits(gpa, token, at);
	uint64_t first, last;
	int rc;

	if (at + digits != end &&
	    !(end - at - digits > 2 && text[at + digits] == '.' && text[at + digits + 1] == '.' &&
	      count_digits(gpa, token, at + digits + 2) == end - at - digits - 2))
		return fail_token(gpa, token,
				  "is neither an input such as 5 nor a range such as 0..15");
	rc = read_input(gpa, at, digits, &first);
	last = first;
	if (!rc && at + digits != end)
		rc = read_input(gpa, at + digits + 2, end - at - digits - 2, &last);
	if (!rc && last < first)
		rc = fail_token(gpa, token, "ends before it begins");
	for (uint64_t i = first; !rc && i <= last; i++) {
		const char *name = gpa->expression->inputs[i];
		struct tacho__node *node;

		rc = tacho__parser_name(&gpa->parser, at, name, strlen(name), &node);
		if (!rc)
			rc = push(gpa, node);
	}
	return rc;
}

/* "(100)", "(-0.5)". */
static int parse_constant(struct gpa *gpa, const struct token *token)
{
	const char *text = gpa->parser.text;
	size_t at = token->at + 1, end = token->at + token->length - 1;
	struct tacho__node *node;
	int rc, negative;

	if (token->length < 2 || text[end] != ')')
		return fail_token(gpa, token, "does not end with \")\"");
	while (at < end && tacho__is_blank(text[at]))
		at++;
	while (at < end && tacho__is_blank(text[end - 1]))
		end--;
	negative = at < end && text[at] == '-';
	at += at < end && (text[at] == '-' || text[at] == '+');
	if (at == end || tacho__parser_scan_number(&gpa->parser, at) != end - at)
		return fail_token(gpa, token, "is no constant such as (100)");
	rc = tacho__parser_number(&gpa->parser, at, end - at, &node);
	if (rc)
		return rc;
	node->op = TACHO__OP_REAL;
	node->real = negative ? -node->real : node->real;
	node->whole = 0;
	node->column = token->at + 1;
	return push(gpa, node);
}

/* A number of the device. */
static int parse_word(struct gpa *gpa, const struct token *token)
{
	static const char *const numbers[] = {"NUM_SHADER_ENGINES", "NUM_SIMDS", "SU_CLOCKS_PRIM",
					      "NUM_PRIM_PIPES", "TS_FREQ"};
	struct tacho__node *node;
	int rc;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(numbers); i++) {
		if (!token_is(gpa, token, numbers[i]))
			continue;
		rc = tacho__parser_name(&gpa->parser, token->at, numbers[i], token->length, &node);
		return rc ? rc : push(gpa, node);
	}
	return fail_token(gpa, token, "is neither an operator nor a value");
}

static int parse_token(struct gpa *gpa, const struct token *token)
{
	static const struct {
		const char *name;
		enum tacho__op op;
	} operators[] = {
		{"+", TACHO__OP_ADD},	 {"-", TACHO__OP_SUBTRACT}, {"*", TACHO__OP_MULTIPLY},
		{"/", TACHO__OP_DIVIDE}, {"min", TACHO__OP_MIN},    {"max", TACHO__OP_MAX},
	};
	const char *text = gpa->parser.text + token->at;
	int rc;

	if (!token->length)
		return tacho__parser_fail(&gpa->parser, token->at,
					  "expected a value or an operator, found %s",
					  token->at < gpa->parser.size ? "\",\"" : "the end");
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(operators); i++)
		if (token_is(gpa, token, operators[i].name))
			return apply(gpa, operators[i].op, token, 2);
	if (token_is(gpa, token, "ifnotzero"))
		return apply_if(gpa, token);
	if (parse_fold(gpa, token, &rc))
		return rc;
	if (tacho__is_digit(*text))
		return parse_inputs(gpa, token);
	if (*text == '(')
		return parse_constant(gpa, token);
	return parse_word(gpa, token);
}

/* The token up to the next comma; the place moves behind that comma. 0: it was the last. */
static int next_token(struct tacho__parser *parser, struct token *out_token)
{
	const char *text = parser->text;
	size_t at = parser->at, end = at;

	while (end < parser->size && text[end] != ',')
		end++;
	parser->at = end + 1;
	while (at < end && tacho__is_blank(text[at]))
		at++;
	out_token->at = at;
	while (end > at && tacho__is_blank(text[end - 1]))
		end--;
	out_token->length = end - at;
	return parser->at <= parser->size;
}

int tacho__gpa_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
		     struct tacho__node **out_node, struct tacho_formula_problem *out_problem)
{
	struct gpa gpa = {
		.parser =
			{
				.arena = arena,
				.problem = out_problem,
				.text = expression->text,
				.size = expression->size,
			},
		.expression = expression,
	};
	struct token token;
	int rc, more;

	do {
		more = next_token(&gpa.parser, &token);
		rc = parse_token(&gpa, &token);
	} while (!rc && more);
	if (!rc && gpa.depth != 1)
		rc = tacho__parser_fail(&gpa.parser, gpa.parser.size,
					"%zu values are left at the end where one should be",
					gpa.depth);
	if (!rc)
		*out_node = gpa.stack[0];
	free(gpa.stack);
	return rc;
}
