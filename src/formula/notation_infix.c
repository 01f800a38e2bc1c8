/* SPDX-License-Identifier: MIT */
/* ROCm's infix notation: recursive descent with a bound on its depth. */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "formula/parser.h"

/* Token kinds besides the character itself. */
enum { END = 0, NAME = 'a', QUOTED = '"', NUMBER = '0', OTHER = '?' };

struct token {
	int kind;
	size_t at, length;
};

struct infix {
	struct tacho__parser parser;
	struct token token; /* the one being looked at */
	unsigned depth;
};

/* Names of dimensions, or positions to select, while a list is being read. */
struct list {
	const char **names;
	struct tacho__selection *selections;
	uint32_t *positions;
	size_t count, capacity, position_count, position_capacity;
};

static const char *const functions[] = {"reduce", "select", "accumulate"};

static int parse_sum(struct infix *infix, struct tacho__node **out_node);

/* The size of the name in quotes that begins at `at`, with them; 0: none does. */
static size_t scan_quoted(const struct tacho__parser *parser, size_t at)
{
	const char *text = parser->text + at;
	const char *end = *text == '"' ? memchr(text + 1, '"', parser->size - at - 1) : NULL;

	return end && end > text + 1 ? (size_t)(end - text) + 1 : 0;
}

static void skip_blanks(struct tacho__parser *parser)
{
	const char *text = parser->text;

	while (parser->at < parser->size) {
		char c = text[parser->at];

		if (c == '/' && parser->at + 1 < parser->size && text[parser->at + 1] == '/')
			while (parser->at < parser->size && text[parser->at] != '\n')
				parser->at++;
		else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			parser->at++;
		else
			return;
	}
}

static void next_token(struct infix *infix)
{
	struct tacho__parser *parser = &infix->parser;
	struct token *token = &infix->token;
	size_t length;
	char c;

	skip_blanks(parser);
	*token = (struct token){.kind = END, .at = parser->at};
	if (parser->at >= parser->size)
		return;
	c = parser->text[parser->at];
	length = tacho__parser_scan_number(parser, parser->at);
	token->length = length ? length : 1;
	if (length) {
		token->kind = NUMBER;
	} else if (tacho__is_name_start(c)) {
		token->kind = NAME;
		while (token->at + token->length < parser->size &&
		       tacho__is_name(parser->text[token->at + token->length]))
			token->length++;
	} else if (scan_quoted(parser, token->at)) {
		token->kind = QUOTED;
		token->length = scan_quoted(parser, token->at);
	} else {
		token->kind = c && strchr("+-*/(),=:[]", c) ? c : OTHER;
	}
	parser->at += token->length;
}

static int fail_expected(const struct infix *infix, const char *what)
{
	char found[TACHO__FOUND_MAX];

	return tacho__parser_fail(
		&infix->parser, infix->token.at, "expected %s, found %s", what,
		tacho__parser_found(&infix->parser, infix->token.at, infix->token.length, found));
}

static int fail_unknown(const struct infix *infix, const struct token *token, const char *what,
			const char *known)
{
	char found[TACHO__FOUND_MAX];

	return tacho__parser_fail(
		&infix->parser, token->at, "%s is no %s; there are %s",
		tacho__parser_found(&infix->parser, token->at, token->length, found), what, known);
}

static int expect(struct infix *infix, int kind, const char *what)
{
	if (infix->token.kind != kind)
		return fail_expected(infix, what);
	next_token(infix);
	return 0;
}

static int token_is(const struct infix *infix, const struct token *token, const char *word)
{
	return token->kind == NAME && token->length == strlen(word) &&
	       !memcmp(infix->parser.text + token->at, word, token->length);
}

/* Which of `count` words the token is; `count` when none. */
static size_t find_word(const struct infix *infix, const struct token *token,
			const char *const *words, size_t count)
{
	size_t i = 0;

	while (i < count && !token_is(infix, token, words[i]))
		i++;
	return i;
}

bool tacho__infix_is_name(const char *name)
{
	if (!tacho__is_name_start(*name))
		return false;
	while (tacho__is_name(*name))
		name++;
	return !*name;
}

static int add_name(struct infix *infix, const struct token *token, const char **out_name)
{
	struct tacho__parser *parser = &infix->parser;

	*out_name = tacho__arena_text(parser->arena, parser->text + token->at, token->length);
	return *out_name ? 0 : tacho__parser_nomem(parser);
}

/* Room for one more of `element` bytes in an array in the arena, doubling. */
static int grow(struct infix *infix, void *array, size_t *capacity, size_t count, size_t element)
{
	struct tacho__parser *parser = &infix->parser;
	void *old, *larger;

	if (count < *capacity)
		return 0;
	larger = tacho__arena_get(parser->arena, (*capacity ? 2 * *capacity : 4) * element);
	if (!larger)
		return tacho__parser_nomem(parser);
	memcpy(&old, array, sizeof(old));
	if (count)
		memcpy(larger, old, count * element);
	memcpy(array, &larger, sizeof(larger));
	*capacity = *capacity ? 2 * *capacity : 4;
	return 0;
}

/* ",[D1,D2]": each dimension is kept once. */
static int parse_dimensions(struct infix *infix, struct tacho__node *node)
{
	struct list list = {0};
	int rc = expect(infix, '[', "\"[\" and dimensions");

	while (!rc) {
		struct token name = infix->token;
		size_t i = 0;

		rc = expect(infix, NAME, "a dimension's name");
		if (rc)
			break;
		while (i < list.count && !token_is(infix, &name, list.names[i]))
			i++;
		if (i == list.count) {
			rc = tacho__parser_count(&infix->parser, name.at, 1);
			if (!rc)
				rc = grow(infix, &list.names, &list.capacity, list.count,
					  sizeof(*list.names));
			if (!rc)
				rc = add_name(infix, &name, &list.names[list.count]);
			if (rc)
				break;
			list.count++;
		}
		if (infix->token.kind != ',')
			break;
		next_token(infix);
	}
	if (!rc)
		rc = expect(infix, ']', "\",\" or \"]\" after a dimension");
	node->dimensions = list.names;
	node->dimension_count = list.count;
	return rc;
}

/* Any word is good grammar there, so that this is no fault of the text's form. */
static int fail_reduction(const struct infix *infix, const struct token *word)
{
	char found[TACHO__FOUND_MAX];

	return tacho__formula_fail(
		infix->parser.problem, TACHO_E_PARSE, "resolve", word->at + 1,
		"%s is no reduction; there are sum, avr (or avg), min and max",
		tacho__parser_found(&infix->parser, word->at, word->length, found));
}

/* reduce(x,op) and reduce(x,op,[D,...]); the "(" is the token. */
static int parse_reduce(struct infix *infix, const struct token *name,
			struct tacho__node **out_node)
{
	static const char *const words[] = {"sum", "avr", "min", "max", "avg"};
	static const enum tacho__reduction reductions[] = {TACHO__SUM, TACHO__AVERAGE, TACHO__MIN,
							   TACHO__MAX, TACHO__AVERAGE};
	struct tacho__node *node, *operand;
	struct token word;
	size_t found;
	int rc;

	next_token(infix);
	rc = parse_sum(infix, &operand);
	if (!rc)
		rc = expect(infix, ',', "an operator or \",\" and a reduction");
	if (rc)
		return rc;
	word = infix->token;
	rc = expect(infix, NAME, "a reduction: sum, avr, min or max");
	if (rc)
		return rc;
	found = find_word(infix, &word, words, TACHO__ARRAY_SIZE(words));
	rc = tacho__parser_node(&infix->parser, TACHO__OP_REDUCE, name->at, &operand, 1, &node);
	if (rc)
		return rc;
	if (infix->token.kind == ',') {
		next_token(infix);
		rc = parse_dimensions(infix, node);
		if (!rc)
			rc = expect(infix, ')', "\")\" after the dimensions");
	} else {
		rc = expect(infix, ')', "\",\" and dimensions, or \")\"");
	}
	if (rc)
		return rc;
	if (found == TACHO__ARRAY_SIZE(words))
		return fail_reduction(infix, &word);
	node->reduction = reductions[found];
	*out_node = node;
	return 0;
}

static int parse_position(struct infix *infix, uint32_t *out_position)
{
	const struct tacho__parser *parser = &infix->parser;
	struct token token = infix->token;
	char found[TACHO__FOUND_MAX];
	uint64_t position;

	if (token.kind != NUMBER)
		return fail_expected(infix, "a position: a number from 0");
	for (size_t i = 0; i < token.length; i++)
		if (!tacho__is_digit(parser->text[token.at + i]))
			return fail_expected(infix, "a position: a whole number from 0");
	if (!tacho__parser_digits(parser, token.at, token.length, INT32_MAX, &position))
		return tacho__parser_fail(
			parser, token.at, "position %s is more than %d",
			tacho__parser_found(parser, token.at, token.length, found), INT32_MAX);
	next_token(infix);
	*out_position = (uint32_t)position;
	return 0;
}

static int add_positions(struct infix *infix, struct list *list, size_t at, uint32_t first,
			 uint32_t last)
{
	int rc = tacho__parser_count(&infix->parser, at, (size_t)last - first + 1);

	for (uint32_t position = first; !rc && position <= last; position++) {
		rc = grow(infix, &list->positions, &list->position_capacity, list->position_count,
			  sizeof(*list->positions));
		if (!rc)
			list->positions[list->position_count++] = position;
	}
	return rc;
}

/* "[0]", "[1,3]", "[0:2]", "[0:2,5]". */
static int parse_positions(struct infix *infix, struct tacho__selection *selection)
{
	struct list list = {0};
	uint32_t first, last;
	int rc = expect(infix, '[', "\"[\" and positions");

	while (!rc) {
		size_t at = infix->token.at;

		rc = parse_position(infix, &first);
		last = first;
		if (!rc && infix->token.kind == ':') {
			selection->keeps = 1;
			next_token(infix);
			rc = parse_position(infix, &last);
			if (!rc && last < first)
				rc = tacho__parser_fail(&infix->parser, at,
							"the range %u:%u ends before it begins",
							first, last);
		}
		if (!rc)
			rc = add_positions(infix, &list, at, first, last);
		if (rc || infix->token.kind != ',')
			break;
		selection->keeps = 1;
		next_token(infix);
	}
	if (!rc)
		rc = expect(infix, ']', "\",\", \":\" or \"]\" after a position");
	if (rc)
		return rc;
	selection->positions = list.positions;
	selection->count = tacho__array_sort_unique(list.positions, list.position_count);
	return 0;
}

static int parse_selection(struct infix *infix, struct list *list)
{
	struct tacho__selection *selection;
	struct token name = infix->token;
	int rc = expect(infix, NAME, "a dimension's name");

	for (size_t i = 0; !rc && i < list->count; i++)
		if (token_is(infix, &name, list->selections[i].dimension))
			return tacho__parser_fail(&infix->parser, name.at,
						  "%s is selected from twice",
						  list->selections[i].dimension);
	if (!rc)
		rc = expect(infix, '=', "\"=\" after a dimension");
	if (!rc)
		rc = grow(infix, &list->selections, &list->capacity, list->count,
			  sizeof(*list->selections));
	if (rc)
		return rc;
	selection = &list->selections[list->count++];
	rc = add_name(infix, &name, &selection->dimension);
	return rc ? rc : parse_positions(infix, selection);
}

/* select(x,[D=[0],D2=[1,3]]); the "(" is the token. */
static int parse_select(struct infix *infix, const struct token *name,
			struct tacho__node **out_node)
{
	struct tacho__node *node, *operand;
	struct list list = {0};
	int rc;

	next_token(infix);
	rc = parse_sum(infix, &operand);
	if (!rc)
		rc = expect(infix, ',', "an operator or \",\" and a selection");
	if (!rc)
		rc = expect(infix, '[', "\"[\" and a selection");
	while (!rc) {
		rc = parse_selection(infix, &list);
		if (rc || infix->token.kind != ',')
			break;
		next_token(infix);
	}
	if (!rc)
		rc = expect(infix, ']', "\",\" or \"]\" after a selection");
	if (!rc)
		rc = expect(infix, ')', "\")\" after the selections");
	if (!rc)
		rc = tacho__parser_node(&infix->parser, TACHO__OP_SELECT, name->at, &operand, 1,
					&node);
	if (rc)
		return rc;
	node->selections = list.selections;
	node->dimension_count = list.count;
	*out_node = node;
	return 0;
}

/* accumulate(NAME,NONE|LOW_RES|HIGH_RES); the "(" is the token. */
static int parse_accumulate(struct infix *infix, const struct token *name,
			    struct tacho__node **out_node)
{
	static const char *const words[] = {"NONE", "LOW_RES", "HIGH_RES"};
	struct tacho__parser *parser = &infix->parser;
	struct tacho__node *node;
	struct token counter, word;
	size_t found;
	int rc;

	next_token(infix);
	counter = infix->token;
	if (find_word(infix, &counter, functions, TACHO__ARRAY_SIZE(functions)) <
	    TACHO__ARRAY_SIZE(functions))
		return fail_expected(infix, "a counter's name: only a counter can accumulate");
	rc = expect(infix, NAME, "a counter's name");
	if (!rc)
		rc = expect(infix, ',', "\",\" and a resolution after the counter");
	word = infix->token;
	if (!rc)
		rc = expect(infix, NAME, "a resolution: NONE, LOW_RES or HIGH_RES");
	if (rc)
		return rc;
	found = find_word(infix, &word, words, TACHO__ARRAY_SIZE(words));
	if (found == TACHO__ARRAY_SIZE(words))
		return fail_unknown(infix, &word, "resolution", "NONE, LOW_RES and HIGH_RES");
	rc = expect(infix, ')', "\")\" after the resolution");
	if (!rc)
		rc = tacho__parser_name(parser, name->at, parser->text + counter.at, counter.length,
					&node);
	if (rc)
		return rc;
	node->resolution = (enum tacho__resolution)found;
	*out_node = node;
	return 0;
}

static int parse_name(struct infix *infix, struct tacho__node **out_node)
{
	static int (*const parsers[])(struct infix * infix, const struct token *name,
				      struct tacho__node **out_node) = {parse_reduce, parse_select,
									parse_accumulate};
	struct token name = infix->token;
	size_t found = find_word(infix, &name, functions, TACHO__ARRAY_SIZE(functions));

	next_token(infix);
	if (found < TACHO__ARRAY_SIZE(functions))
		return infix->token.kind == '(' ? parsers[found](infix, &name, out_node)
						: fail_expected(infix, "\"(\" after a function");
	if (infix->token.kind == '(')
		return fail_unknown(infix, &name, "function", "reduce, select and accumulate");
	return tacho__parser_name(&infix->parser, name.at, infix->parser.text + name.at,
				  name.length, out_node);
}

static int parse_bracket(struct infix *infix, struct tacho__node **out_node)
{
	int rc;

	next_token(infix);
	rc = parse_sum(infix, out_node);
	return rc ? rc : expect(infix, ')', "an operator or \")\"");
}

/* A number, a name, a function, brackets, or one of them with signs before it. */
static int parse_operand(struct infix *infix, struct tacho__node **out_node)
{
	struct token token = infix->token;
	struct tacho__node *operand;
	int rc;

	if (infix->depth >= TACHO__DEPTH_MAX)
		return tacho__parser_fail(&infix->parser, token.at,
					  "brackets, functions and signs are more than %d deep",
					  TACHO__DEPTH_MAX);
	infix->depth++;
	switch (token.kind) {
	case NUMBER:
		next_token(infix);
		rc = tacho__parser_number(&infix->parser, token.at, token.length, out_node);
		break;
	case NAME: rc = parse_name(infix, out_node); break;
	case QUOTED:
		next_token(infix);
		rc = tacho__parser_name(&infix->parser, token.at, infix->parser.text + token.at + 1,
					token.length - 2, out_node);
		break;
	case '(': rc = parse_bracket(infix, out_node); break;
	case '+':
	case '-':
		next_token(infix);
		rc = parse_operand(infix, &operand);
		if (!rc && token.kind == '-')
			rc = tacho__parser_node(&infix->parser, TACHO__OP_NEGATE, token.at,
						&operand, 1, out_node);
		else if (!rc)
			*out_node = operand;
		break;
	default: rc = fail_expected(infix, "a number, a name or \"(\"");
	}
	infix->depth--;
	return rc;
}

/* The operator that the token is at this level of binding; -1: none. */
static int find_operator(int kind, int binds_tightly)
{
	if (binds_tightly)
		return kind == '*' ? TACHO__OP_MULTIPLY : kind == '/' ? TACHO__OP_DIVIDE : -1;
	return kind == '+' ? TACHO__OP_ADD : kind == '-' ? TACHO__OP_SUBTRACT : -1;
}

/* Operands joined by operators of one level, from left to right. */
static int parse_level(struct infix *infix, int binds_tightly, struct tacho__node **out_node)
{
	struct tacho__node *operands[2];
	int rc = binds_tightly ? parse_operand(infix, &operands[0])
			       : parse_level(infix, 1, &operands[0]);

	while (!rc) {
		int op = find_operator(infix->token.kind, binds_tightly);
		size_t at = infix->token.at;

		if (op < 0) {
			*out_node = operands[0];
			return 0;
		}
		next_token(infix);
		rc = binds_tightly ? parse_operand(infix, &operands[1])
				   : parse_level(infix, 1, &operands[1]);
		if (!rc)
			rc = tacho__parser_node(&infix->parser, (enum tacho__op)op, at, operands, 2,
						&operands[0]);
	}
	return rc;
}

static int parse_sum(struct infix *infix, struct tacho__node **out_node)
{
	return parse_level(infix, 0, out_node);
}

int tacho__infix_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
		       struct tacho__node **out_node, struct tacho_formula_problem *out_problem)
{
	struct infix infix = {.parser = {
				      .arena = arena,
				      .problem = out_problem,
				      .text = expression->text,
				      .size = expression->size,
			      }};
	struct tacho__node *node;
	int rc;

	next_token(&infix);
	rc = parse_sum(&infix, &node);
	if (!rc && infix.token.kind != END)
		rc = fail_expected(&infix, "an operator or the end");
	if (!rc)
		*out_node = node;
	return rc;
}
