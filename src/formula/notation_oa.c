/* SPDX-License-Identifier: MIT */
/* Intel OA's notation: words between blanks, operators behind their values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "formula/parser.h"

struct oa {
	struct tacho__parser parser;
	struct tacho__node **stack;
	size_t depth, capacity;
};

struct token {
	size_t at, length; /* length 0: the end */
};

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

static struct token next_token(struct tacho__parser *parser)
{
	struct token token;

	while (parser->at < parser->size && tacho__is_blank(parser->text[parser->at]))
		parser->at++;
	token.at = parser->at;
	while (parser->at < parser->size && !tacho__is_blank(parser->text[parser->at]))
		parser->at++;
	token.length = parser->at - token.at;
	return token;
}

static int token_is(const struct oa *oa, const struct token *token, const char *word)
{
	return token->length == strlen(word) &&
	       !memcmp(oa->parser.text + token->at, word, token->length);
}

static int fail_expected(const struct oa *oa, const struct token *token, const char *what)
{
	char found[TACHO__FOUND_MAX];

	return tacho__parser_fail(
		&oa->parser, token->at, "expected %s, found %s", what,
		tacho__parser_found(&oa->parser, token->at, token->length, found));
}

static int fail_token(const struct oa *oa, const struct token *token, const char *what)
{
	char found[TACHO__FOUND_MAX];

	return tacho__parser_fail(&oa->parser, token->at, "%s %s",
				  tacho__parser_found(&oa->parser, token->at, token->length, found),
				  what);
}

static int push(struct oa *oa, struct tacho__node *node)
{
	if (tacho__array_add(&oa->stack, &oa->capacity, &oa->depth, &node, sizeof(node)))
		return tacho__parser_nomem(&oa->parser);
	return 0;
}

static int push_name(struct oa *oa, size_t at, const char *name, size_t length)
{
	struct tacho__node *node;
	int rc = tacho__parser_name(&oa->parser, at, name, length, &node);

	return rc ? rc : push(oa, node);
}

static int push_whole(struct oa *oa, size_t at, uint64_t whole)
{
	struct tacho__node *node;
	int rc = tacho__parser_node(&oa->parser, TACHO__OP_WHOLE, at, NULL, 0, &node);

	if (rc)
		return rc;
	node->whole = whole;
	node->real = (double)whole;
	return push(oa, node);
}

static int apply(struct oa *oa, enum tacho__op op, const struct token *token)
{
	struct tacho__node *node;
	char found[TACHO__FOUND_MAX];
	int rc;

	if (oa->depth < 2)
		return tacho__parser_fail(
			&oa->parser, token->at, "%s takes 2 values, there %s %zu before it",
			tacho__parser_found(&oa->parser, token->at, token->length, found),
			oa->depth == 1 ? "is" : "are", oa->depth);
	rc = tacho__parser_node(&oa->parser, op, token->at, oa->stack + oa->depth - 2, 2, &node);
	if (rc)
		return rc;
	oa->depth -= 2;
	return push(oa, node);
}

static int is_decimal(const struct oa *oa, const struct token *token)
{
	for (size_t i = 0; i < token->length; i++)
		if (!tacho__is_digit(oa->parser.text[token->at + i]))
			return 0;
	return token->length > 0;
}

/* "A 7 READ" is the name A7, "GPU_TIME 0 READ" the name GPU_TIME. */
static int parse_read(struct oa *oa, const struct token *block, int is_clock)
{
	struct token number = next_token(&oa->parser), read;
	char name[32];
	uint64_t index;

	if (!is_decimal(oa, &number))
		return fail_expected(oa, &number, "the number of a counter to read");
	if (!tacho__parser_digits(&oa->parser, number.at, number.length, UINT32_MAX, &index))
		return fail_token(oa, &number, "is more than the number of any counter");
	if (is_clock && index)
		return fail_token(oa, &number, "is no number of a clock: there is only number 0");
	read = next_token(&oa->parser);
	if (!token_is(oa, &read, "READ"))
		return fail_expected(oa, &read, "READ");
	if (is_clock)
		return push_name(oa, block->at, oa->parser.text + block->at, block->length);
	snprintf(name, sizeof(name), "%.*s%u", (int)block->length, oa->parser.text + block->at,
		 (unsigned)index);
	return push_name(oa, block->at, name, strlen(name));
}

static int parse_variable(struct oa *oa, const struct token *token)
{
	const char *name = oa->parser.text + token->at + 1;
	size_t length = token->length - 1;

	if (!length || !tacho__is_name_start(*name))
		return fail_token(oa, token, "is no variable such as $EuCoresTotalCount");
	/* "$SET.SYMBOL" is what the symbol means in that set */
	for (size_t i = 0; i < length; i++)
		if (!tacho__is_name(name[i]) && name[i] != '.')
			return fail_token(oa, token, "is no variable such as $EuCoresTotalCount");
	return push_name(oa, token->at, name, length);
}

static int parse_hex(struct oa *oa, const struct token *token)
{
	const char *text = oa->parser.text + token->at;
	uint64_t whole = 0;

	if (token->length == 2)
		return fail_token(oa, token, "is no number: digits are missing");
	for (size_t i = 2; i < token->length; i++) {
		char c = text[i];
		unsigned digit = c >= '0' && c <= '9'	? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
				 : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
							: 16;

		if (digit == 16)
			return fail_token(oa, token, "is no number in base 16");
		if (whole >> 60)
			return fail_token(oa, token, "does not fit in 64 bits");
		whole = whole << 4 | digit;
	}
	return push_whole(oa, token->at, whole);
}

static int parse_token(struct oa *oa, const struct token *token)
{
	const char *text = oa->parser.text + token->at;
	uint64_t whole;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(operators); i++)
		if (token_is(oa, token, operators[i].name))
			return apply(oa, operators[i].op, token);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(blocks); i++)
		if (token_is(oa, token, blocks[i].name))
			return parse_read(oa, token, blocks[i].is_clock);
	if (*text == '$')
		return parse_variable(oa, token);
	if (token->length >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return parse_hex(oa, token);
	if (token_is(oa, token, "true"))
		return push_whole(oa, token->at, 1);
	if (!is_decimal(oa, token))
		return fail_token(oa, token, "is neither an operator nor a value");
	if (!tacho__parser_digits(&oa->parser, token->at, token->length, UINT64_MAX, &whole))
		return fail_token(oa, token, "does not fit in 64 bits");
	return push_whole(oa, token->at, whole);
}

int tacho__oa_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
		    struct tacho__node **out_node, struct tacho_formula_problem *out_problem)
{
	struct oa oa = {.parser = {
				.arena = arena,
				.problem = out_problem,
				.text = expression->text,
				.size = expression->size,
			}};
	struct token token;
	int rc = 0;

	for (token = next_token(&oa.parser); !rc && token.length; token = next_token(&oa.parser))
		rc = parse_token(&oa, &token);
	if (!rc && !oa.depth)
		rc = fail_expected(&oa, &token, "a value");
	if (!rc && oa.depth != 1)
		rc = tacho__parser_fail(&oa.parser, oa.parser.size,
					"%zu values are left at the end where one should be",
					oa.depth);
	if (!rc)
		*out_node = oa.stack[0];
	free(oa.stack);
	return rc;
}
