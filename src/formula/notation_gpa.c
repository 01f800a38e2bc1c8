/* SPDX-License-Identifier: MIT */
/* GPUPerfAPI's notation: values and operators between commas, operators behind their values. */
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "formula/notation_gpa_vectors.h"
#include "formula/parser.h"

const char tacho__postfix_notation[] = "gpa";

static int token_is(const struct tacho__parser *parser, const struct tacho__token *token,
		    const char *word)
{
	return token->length == strlen(word) &&
	       !strncasecmp(parser->text + token->at, word, token->length);
}

/* "a,b,c,ifnotzero" is c ? b : a. */
static int apply_if(struct tacho__parser *parser, const struct tacho__token *token)
{
	struct tacho__node **top;
	struct tacho__node *condition;
	int rc = tacho__parser_require(parser, token, 3);

	if (rc)
		return rc;
	top = parser->stack + parser->depth - 3;
	condition = top[2];
	top[2] = top[0];
	top[0] = condition;
	return tacho__parser_apply(parser, TACHO__OP_IF_NOT_ZERO, token, 3);
}

/* The least of `count` values: a tree of MIN, each half by itself so that it stays low. */
static int fold_min(struct tacho__parser *parser, const struct tacho__token *token, size_t first,
		    size_t count, struct tacho__node **out_node)
{
	struct tacho__node *halves[2];
	int rc;

	if (count == 1) {
		*out_node = parser->stack[first];
		return 0;
	}
	rc = fold_min(parser, token, first, count / 2, &halves[0]);
	if (!rc)
		rc = fold_min(parser, token, first + count / 2, count - count / 2, &halves[1]);
	return rc ? rc : tacho__parser_node(parser, TACHO__OP_MIN, token->at, halves, 2, out_node);
}

static int apply_min(struct tacho__parser *parser, const struct tacho__token *token, size_t count)
{
	struct tacho__node *node;
	int rc = fold_min(parser, token, parser->depth - count, count, &node);

	if (rc)
		return rc;
	parser->depth -= count;
	return tacho__parser_push(parser, node);
}

/* sum16, max32, min4. 0: the token is none of these and nothing happened; 1: done. */
static int parse_fold(struct tacho__parser *parser, const struct tacho__token *token, int *out_rc)
{
	const char *text = parser->text + token->at;
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
	if (!tacho__parser_digits(parser, token->at + 3, token->length - 3, TACHO__NODE_MAX,
				  &count))
		*out_rc = tacho__parser_fail_token(parser, token,
						   "takes more values than there can be");
	else
		*out_rc = count ? tacho__parser_require(parser, token, count)
				: tacho__parser_fail_token(parser, token,
							   "takes no values; it needs at least 1");
	if (*out_rc)
		return 1;
	if (is_min)
		*out_rc = apply_min(parser, token, (size_t)count);
	else
		*out_rc = tacho__parser_apply(parser, is_sum ? TACHO__OP_SUM_OF : TACHO__OP_MAX_OF,
					      token, (size_t)count);
	return 1;
}

/* Bytes of digits in a token from `at`. */
static size_t count_digits(const struct tacho__parser *parser, const struct tacho__token *token,
			   size_t at)
{
	size_t end = token->at + token->length, digits = 0;

	while (at + digits < end && tacho__is_digit(parser->text[at + digits]))
		digits++;
	return digits;
}

static int read_input(const struct tacho__parser *parser, size_t at, size_t length,
		      uint64_t *out_input)
{
	const struct tacho__expression *expression = parser->expression;
	struct tacho__token token = {at, length};
	char found[TACHO__FOUND_MAX];

	if (!expression->input_count)
		return tacho__parser_fail_token(
			parser, &token,
			"is the number of an input, and this expression has no inputs; "
			"a constant is written in brackets");
	if (!tacho__parser_digits(parser, at, length, expression->input_count - 1, out_input))
		return tacho__parser_fail(parser, at,
					  "there is no input %s; they are numbered 0 to %zu",
					  tacho__parser_found(parser, at, length, found),
					  expression->input_count - 1);
	return 0;
}

/* "5" and "0..15". */
static int parse_inputs(struct tacho__parser *parser, const struct tacho__token *token)
{
	const char *text = parser->text;
	size_t at = token->at, end = token->at + token->length;
	size_t digits = count_digits(parser, token, at);
	uint64_t first, last;
	int rc;

	if (at + digits != end &&
	    !(end - at - digits > 2 && text[at + digits] == '.' && text[at + digits + 1] == '.' &&
	      count_digits(parser, token, at + digits + 2) == end - at - digits - 2))
		return tacho__parser_fail_token(
			parser, token, "is neither an input such as 5 nor a range such as 0..15");
	rc = read_input(parser, at, digits, &first);
	last = first;
	if (!rc && at + digits != end)
		rc = read_input(parser, at + digits + 2, end - at - digits - 2, &last);
	if (!rc && last < first)
		rc = tacho__parser_fail_token(parser, token, "ends before it begins");
	for (uint64_t i = first; !rc && i <= last; i++) {
		const char *name = parser->expression->inputs[i];

		rc = tacho__parser_push_name(parser, at, name, strlen(name));
	}
	return rc;
}

/* "(100)", "(-0.5)". */
static int parse_constant(struct tacho__parser *parser, const struct tacho__token *token)
{
	const char *text = parser->text;
	size_t at = token->at + 1, end = token->at + token->length - 1;
	struct tacho__node *node;
	int rc, negative;

	if (token->length < 2 || text[end] != ')')
		return tacho__parser_fail_token(parser, token, "does not end with \")\"");
	while (at < end && tacho__is_blank(text[at]))
		at++;
	while (at < end && tacho__is_blank(text[end - 1]))
		end--;
	negative = at < end && text[at] == '-';
	at += at < end && (text[at] == '-' || text[at] == '+');
	if (at == end || tacho__parser_scan_number(parser, at) != end - at)
		return tacho__parser_fail_token(parser, token, "is no constant such as (100)");
	rc = tacho__parser_number(parser, at, end - at, &node);
	if (rc)
		return rc;
	node->op = TACHO__OP_REAL;
	node->real = negative ? -node->real : node->real;
	node->whole = 0;
	node->column = token->at + 1;
	return tacho__parser_push(parser, node);
}

/* A number of the device. */
static int parse_word(struct tacho__parser *parser, const struct tacho__token *token)
{
	static const char *const numbers[] = {"NUM_SHADER_ENGINES", "NUM_SIMDS", "SU_CLOCKS_PRIM",
					      "NUM_PRIM_PIPES",	    "TS_FREQ",	 "NUM_CUS",
					      "NUM_SHADER_ARRAYS",  "MAX_WAVES"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(numbers); i++)
		if (token_is(parser, token, numbers[i]))
			return tacho__parser_push_name(parser, token->at, numbers[i],
						       token->length);
	return tacho__parser_fail_token(parser, token, "is neither an operator nor a value");
}

static int parse_token(struct tacho__parser *parser, const struct tacho__token *token)
{
	static const struct {
		const char *name;
		enum tacho__op op;
	} operators[] = {
		{"+", TACHO__OP_ADD},	 {"-", TACHO__OP_SUBTRACT}, {"*", TACHO__OP_MULTIPLY},
		{"/", TACHO__OP_DIVIDE}, {"min", TACHO__OP_MIN},    {"max", TACHO__OP_MAX},
	};
	const char *text = parser->text + token->at;
	int rc;

	if (!token->length)
		return tacho__parser_fail(parser, token->at,
					  "expected a value or an operator, found %s",
					  token->at < parser->size ? "\",\"" : "the end");
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(operators); i++)
		if (token_is(parser, token, operators[i].name))
			return tacho__parser_apply(parser, operators[i].op, token, 2);
	if (token_is(parser, token, "ifnotzero"))
		return apply_if(parser, token);
	if (parse_fold(parser, token, &rc) || tacho__gpa_parse_vector(parser, token, &rc))
		return rc;
	if (tacho__is_digit(*text))
		return parse_inputs(parser, token);
	if (*text == '(')
		return parse_constant(parser, token);
	return parse_word(parser, token);
}

/* The token up to the next comma, without the blanks around it; the place moves behind that comma.
 * 0: it was the last. */
static int next_token(struct tacho__parser *parser, struct tacho__token *out_token)
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
	struct tacho__parser parser = {
		.arena = arena,
		.problem = out_problem,
		.expression = expression,
		.text = expression->text,
		.size = expression->size,
	};
	struct tacho__token token;
	int rc, more;

	do {
		more = next_token(&parser, &token);
		rc = parse_token(&parser, &token);
	} while (!rc && more);
	return tacho__parser_finish(&parser, rc, out_node);
}
