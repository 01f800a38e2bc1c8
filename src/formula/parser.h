/* SPDX-License-Identifier: MIT */
/* What the parsers of the notations share: a place in the text, its errors, and making nodes. */
#ifndef TACHO_FORMULA_PARSER_H
#define TACHO_FORMULA_PARSER_H

#include "base/text.h"
#include "formula/node.h"

struct tacho__parser {
	struct tacho__arena *arena;
	struct tacho_formula_problem *problem; /* may be NULL */
	const struct tacho__expression *expression;
	const char *text; /* of the expression */
	size_t size;
	size_t at;    /* the next byte */
	size_t nodes; /* made so far, selected positions included */
	/* values that no operator has taken yet: of notations with operators behind their values */
	struct tacho__node **stack;
	size_t depth, capacity;
};

/* A piece of the text; length 0: the end. */
struct tacho__token {
	size_t at, length;
};

enum { TACHO__FOUND_MAX = 64 };

/* A token as it is quoted in messages: `"abc"`, `byte 0xE2`, `the end` when length is 0. */
const char *tacho__parser_found(const struct tacho__parser *parser, size_t at, size_t length,
				char out_found[TACHO__FOUND_MAX]);

/* PARSE: the token as it is quoted, and what is wrong with it, or what should be there instead. */
int tacho__parser_fail_token(const struct tacho__parser *parser, const struct tacho__token *token,
			     const char *what);
int tacho__parser_fail_expected(const struct tacho__parser *parser,
				const struct tacho__token *token, const char *what);

/* PARSE with stage "parse" and the column of the byte `at` (from 0). */
int tacho__parser_fail(const struct tacho__parser *parser, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* NOMEM with the problem filled. */
int tacho__parser_nomem(const struct tacho__parser *parser);

/* Counts `count` nodes or positions at the byte `at`; PARSE when they become too many. */
int tacho__parser_count(struct tacho__parser *parser, size_t at, size_t count);

/* A node over copies of `count` pointers to operands. PARSE when the tree becomes too high. */
int tacho__parser_node(struct tacho__parser *parser, enum tacho__op op, size_t at,
		       struct tacho__node *const *operands, size_t count,
		       struct tacho__node **out_node);

/* A NAME with a copy of `length` bytes. */
int tacho__parser_name(struct tacho__parser *parser, size_t at, const char *name, size_t length,
		       struct tacho__node **out_node);

/* The bytes of the number without sign that starts at `at`: 12, 0.5, .5, 2., 1e3. 0: none does. */
size_t tacho__parser_scan_number(const struct tacho__parser *parser, size_t at);

/*
 * That number as a leaf: WHOLE when it is one below 2^64, however it is written, else REAL. PARSE
 * when no double is that large.
 */
int tacho__parser_number(struct tacho__parser *parser, size_t at, size_t length,
			 struct tacho__node **out_node);

/* The decimal digits [at, at + length) as a number. 0: it is more than `max`. */
int tacho__parser_digits(const struct tacho__parser *parser, size_t at, size_t length, uint64_t max,
			 uint64_t *out_value);

/* PARSE, naming the operator that the token is, when fewer than `count` values are on the stack. */
int tacho__parser_require(const struct tacho__parser *parser, const struct tacho__token *token,
			  uint64_t count);

int tacho__parser_push(struct tacho__parser *parser, struct tacho__node *node);
int tacho__parser_push_name(struct tacho__parser *parser, size_t at, const char *name,
			    size_t length);

/* Takes `count` values, the last pushed last in the operands, and pushes the operator. */
int tacho__parser_apply(struct tacho__parser *parser, enum tacho__op op,
			const struct tacho__token *token, size_t count);

/* Frees the stack. Unless `rc` says that it failed before: its only value, or PARSE. */
int tacho__parser_finish(struct tacho__parser *parser, int rc, struct tacho__node **out_node);

#endif
