/* SPDX-License-Identifier: MIT */
/* Intel OA's notation: words between blanks, operators behind their values. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "formula/parser.h"

/* The equations pair two values with every operator; which type each works in: formula/node.h. */
static const struct {
	const char *name;
	enum tacho__op op;
} operators[] = {
	{"UADD", TACHO__OP_WHOLE_ADD},
	{"USUB", TACHO__OP_WHOLE_SUBTRACT},
	{"UMUL", TACHO__OP_WHOLE_MULTIPLY},
	{"UDIV", TACHO__OP_WHOLE_DIVIDE},
	{"UMIN", TACHO__OP_WHOLE_MIN},
	{"UMAX", TACHO__OP_WHOLE_MAX},
	{"FADD", TACHO__OP_NATURAL_ADD},
	{"FSUB", TACHO__OP_NATURAL_SUBTRACT},
	{"FMUL", TACHO__OP_NATURAL_MULTIPLY},
	{"FDIV", TACHO__OP_DIVIDE},
	{"FMIN", TACHO__OP_MIN},
	{"FMAX", TACHO__OP_MAX},
	{"AND", TACHO__OP_BIT_AND},
	{"OR", TACHO__OP_BIT_OR},
	{"XOR", TACHO__OP_BIT_XOR},
	{"<<", TACHO__OP_SHIFT_LEFT},
	{">>", TACHO__OP_SHIFT_RIGHT},
	{"&&", TACHO__OP_LOGICAL_AND},
	{"ULT", TACHO__OP_LESS},
	{"ULTE", TACHO__OP_LESS_EQUAL},
	{"UGT", TACHO__OP_GREATER},
	{"UGTE", TACHO__OP_GREATER_EQUAL},
	{"==", TACHO__OP_EQUAL},
};

/* What READ reads: arrays of counters, and two clocks of which there is one each. */
static const struct {
	const char *name;
	int is_clock;
} blocks[] = {
	{"A", 0}, {"B", 0}, {"C", 0}, {"PEC", 0}, {"PERFCNT", 0}, {"GPU_TIME", 1}, {"GPU_CLOCK", 1},
};

static struct tacho__token next_token(struct tacho__parser *parser)
{
	struct tacho__token token;

	while (parser->at < parser->size && tacho__is_blank(parser->text[parser->at]))
		parser->at++;
	token.at = parser->at;
	while (parser->at < parser->size && !tacho__is_blank(parser->text[parser->at]))
		parser->at++;
	token.length = parser->at - token.at;
	return token;
}

static int token_is(const struct tacho__parser *parser, const struct tacho__token *token,
		    const char *word)
{
	return token->length == strlen(word) &&
	       !memcmp(parser->text + token->at, word, token->length);
}

static int push_whole(struct tacho__parser *parser, size_t at, uint64_t whole)
{
	struct tacho__node *node;
	int rc = tacho__parser_node(parser, TACHO__OP_WHOLE, at, NULL, 0, &node);

	if (rc)
		return rc;
	node->whole = whole;
	node->real = (double)whole;
	return tacho__parser_push(parser, node);
}

static int is_decimal(const struct tacho__parser *parser, const struct tacho__token *token)
{
	for (size_t i = 0; i < token->length; i++)
		if (!tacho__is_digit(parser->text[token->at + i]))
			return 0;
	return token->length > 0;
}

/* "A 7 READ" is the name A7, "GPU_TIME 0 READ" the name GPU_TIME. */
static int parse_read(struct tacho__parser *parser, const struct tacho__token *block, int is_clock)
{
	struct tacho__token number = next_token(parser), read;
	char name[32];
	uint64_t index;

	if (!is_decimal(parser, &number))
		return tacho__parser_fail_expected(parser, &number,
						   "the number of a counter to read");
	if (!tacho__parser_digits(parser, number.at, number.length, UINT32_MAX, &index))
		return tacho__parser_fail_token(parser, &number,
						"is more than the number of any counter");
	if (is_clock && index)
		return tacho__parser_fail_token(parser, &number,
						"is no number of a clock: there is only number 0");
	read = next_token(parser);
	if (!token_is(parser, &read, "READ"))
		return tacho__parser_fail_expected(parser, &read, "READ");
	if (is_clock)
		return tacho__parser_push_name(parser, block->at, parser->text + block->at,
					       block->length);
	snprintf(name, sizeof(name), "%.*s%u", (int)block->length, parser->text + block->at,
		 (unsigned)index);
	return tacho__parser_push_name(parser, block->at, name, strlen(name));
}

/*
 * "PERFCNT1 READ_REG", as gputop's files have it, is what others write "PERFCNT 0 READ": registers
 * are numbered from 1. Returns whether the token is such a register.
 */
static int is_register(const struct tacho__parser *parser, const struct tacho__token *token,
		       uint64_t *out_number)
{
	static const char block[] = "PERFCNT";
	size_t size = sizeof(block) - 1;
	struct tacho__token number = {.at = token->at + size, .length = token->length - size};

	return token->length > size && !memcmp(parser->text + token->at, block, size) &&
	       is_decimal(parser, &number) &&
	       tacho__parser_digits(parser, number.at, number.length, UINT16_MAX, out_number) &&
	       *out_number > 0;
}

static int parse_register(struct tacho__parser *parser, const struct tacho__token *token,
			  uint64_t number)
{
	struct tacho__token read = next_token(parser);
	char name[32];

	if (!token_is(parser, &read, "READ_REG"))
		return tacho__parser_fail_expected(parser, &read, "READ_REG");
	snprintf(name, sizeof(name), "PERFCNT%u", (unsigned)number - 1);
	return tacho__parser_push_name(parser, token->at, name, strlen(name));
}

static int parse_variable(struct tacho__parser *parser, const struct tacho__token *token)
{
	const char *name = parser->text + token->at + 1;
	size_t length = token->length - 1;

	if (!length || !tacho__is_name_start(*name))
		return tacho__parser_fail_token(parser, token,
						"is no variable such as $EuCoresTotalCount");
	/* "$SET.SYMBOL" is what the symbol means in that set */
	for (size_t i = 0; i < length; i++)
		if (!tacho__is_name(name[i]) && name[i] != '.')
			return tacho__parser_fail_token(
				parser, token, "is no variable such as $EuCoresTotalCount");
	return tacho__parser_push_name(parser, token->at, name, length);
}

static int parse_hex(struct tacho__parser *parser, const struct tacho__token *token)
{
	const char *text = parser->text + token->at;
	uint64_t whole = 0;

	if (token->length == 2)
		return tacho__parser_fail_token(parser, token, "is no number: digits are missing");
	for (size_t i = 2; i < token->length; i++) {
		unsigned digit = tacho__hex_digit(text[i]);

		if (digit == 16)
			return tacho__parser_fail_token(parser, token, "is no number in base 16");
		if (whole >> 60)
			return tacho__parser_fail_token(parser, token, "does not fit in 64 bits");
		whole = whole << 4 | digit;
	}
	return push_whole(parser, token->at, whole);
}

static int parse_token(struct tacho__parser *parser, const struct tacho__token *token)
{
	const char *text = parser->text + token->at;
	uint64_t whole;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(operators); i++)
		if (token_is(parser, token, operators[i].name))
			return tacho__parser_apply(parser, operators[i].op, token, 2);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(blocks); i++)
		if (token_is(parser, token, blocks[i].name))
			return parse_read(parser, token, blocks[i].is_clock);
	if (is_register(parser, token, &whole))
		return parse_register(parser, token, whole);
	if (*text == '$')
		return parse_variable(parser, token);
	if (token->length >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return parse_hex(parser, token);
	if (token_is(parser, token, "true"))
		return push_whole(parser, token->at, 1);
	if (!is_decimal(parser, token))
		return tacho__parser_fail_token(parser, token,
						"is neither an operator nor a value");
	if (!tacho__parser_digits(parser, token->at, token->length, UINT64_MAX, &whole))
		return tacho__parser_fail_token(parser, token, "does not fit in 64 bits");
	return push_whole(parser, token->at, whole);
}

int tacho__oa_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
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
	int rc = 0;

	for (token = next_token(&parser); !rc && token.length; token = next_token(&parser))
		rc = parse_token(&parser, &token);
	if (!rc && !parser.depth)
		rc = tacho__parser_fail_expected(&parser, &token, "a value");
	return tacho__parser_finish(&parser, rc, out_node);
}
