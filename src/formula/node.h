/* SPDX-License-Identifier: MIT */
/* An expression as a tree: what the three notations become before they are compiled. */
#ifndef TACHO_FORMULA_NODE_H
#define TACHO_FORMULA_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "tacho/formula.h"

/*
 * Operators and the types they work in. "real": the operands become f64 first, the result is f64.
 * "whole": the operands are u64 (an f64 operand is cut to one; out of range: state overflow), the
 * result is u64; sums, differences, products, minimum and maximum with an f64 operand are f64
 * first, and then cut. "natural": as C does it: two u64 give u64 arithmetic modulo 2^64, else f64;
 * the result is always stored as f64.
 */
enum tacho__op {
	/* Leaves. */
	TACHO__OP_WHOLE, /* .whole */
	TACHO__OP_REAL,	 /* .real */
	TACHO__OP_NAME,	 /* .name, and .resolution for accumulate() */

	/* One operand. */
	TACHO__OP_NEGATE, /* real */
	TACHO__OP_REDUCE, /* real; .reduction over .dimensions, none: over all */
	TACHO__OP_SELECT, /* keeps the type; .selections */

	/* Two operands, element by element over aligned dimensions. x/0 is 0 with the mark div0. */
	TACHO__OP_ADD, /* real */
	TACHO__OP_SUBTRACT,
	TACHO__OP_MULTIPLY,
	TACHO__OP_DIVIDE,
	TACHO__OP_MIN,
	TACHO__OP_MAX,
	TACHO__OP_WHOLE_ADD, /* whole */
	TACHO__OP_WHOLE_SUBTRACT,
	TACHO__OP_WHOLE_MULTIPLY,
	TACHO__OP_WHOLE_DIVIDE,
	TACHO__OP_WHOLE_MIN,
	TACHO__OP_WHOLE_MAX,
	TACHO__OP_BIT_AND,
	TACHO__OP_BIT_OR,
	TACHO__OP_BIT_XOR,
	TACHO__OP_SHIFT_LEFT, /* by 64 or more: 0 */
	TACHO__OP_SHIFT_RIGHT,
	TACHO__OP_LESS, /* whole; 0 or 1 */
	TACHO__OP_LESS_EQUAL,
	TACHO__OP_GREATER,
	TACHO__OP_GREATER_EQUAL,
	TACHO__OP_EQUAL,
	TACHO__OP_LOGICAL_AND,
	TACHO__OP_LOGICAL_OR,
	TACHO__OP_NATURAL_ADD, /* natural */
	TACHO__OP_NATURAL_SUBTRACT,
	TACHO__OP_NATURAL_MULTIPLY,

	/* Any number of operands. */
	TACHO__OP_SUM_OF, /* real */
	TACHO__OP_MAX_OF, /* real */

	/* Three: condition, value when it is not 0, value when it is 0. State: the chosen one's. */
	TACHO__OP_IF_NOT_ZERO,
};

enum tacho__reduction { TACHO__SUM, TACHO__AVERAGE, TACHO__MIN, TACHO__MAX };

enum tacho__resolution { TACHO__PLAIN, TACHO__LOW_RES, TACHO__HIGH_RES, TACHO__RESOLUTIONS };

/* "", "LOW_RES", "HIGH_RES" */
extern const char *const tacho__resolution_names[TACHO__RESOLUTIONS];

/* One dimension of a select(): the positions to keep. */
struct tacho__selection {
	const char *dimension;
	uint32_t *positions; /* rising, each once */
	size_t count;
	uint8_t keeps; /* a list or a range: the dimension stays; one index: it goes */
};

struct tacho__node {
	enum tacho__op op;
	size_t column; /* in the text, from 1 */
	uint64_t whole;
	double real;
	const char *name; /* "SQ_WAVES"; without the "$" of a variable */
	enum tacho__resolution resolution;
	struct tacho__node **operands;
	size_t operand_count;
	enum tacho__reduction reduction;
	const char **dimensions;
	struct tacho__selection *selections;
	size_t dimension_count; /* of dimensions or selections */
	uint32_t height;	/* of the tree: 1 for a leaf; at most TACHO__HEIGHT_MAX */
};

enum {
	TACHO__DEPTH_MAX = 200, /* of nested expressions, brackets and references together */
	/* Of one tree: the longest chain such as a+b+c+..., which leans to the left. */
	TACHO__HEIGHT_MAX = 1000,
	TACHO__NODE_MAX = 1 << 16, /* nodes and selected positions of one text */
};

/* A text in a notation. */
struct tacho__expression {
	const char *text;
	size_t size;
	const char *notation;	   /* "infix", "gpa", "oa"; NULL: "infix" */
	const char *const *inputs; /* "gpa": what its numbers stand for */
	size_t input_count;
};

/*
 * Parses all of the text into a tree in the arena. PARSE with the problem filled (stage "parse",
 * or "resolve" for a reduction that does not exist; column, a message that says what was found and
 * what was expected), NOMEM, INVAL for an unknown
 * notation. Never crashes, whatever the text.
 */
int tacho__expression_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
			    struct tacho__node **out_node,
			    struct tacho_formula_problem *out_problem);

/* Whether the notation's results are of the type that their entry states; else all are real. */
bool tacho__notation_has_types(const char *notation);

/* Whether the infix notation reads it as a name without quotes. */
bool tacho__infix_is_name(const char *name);

/* The notation whose operators stand behind values, any number of them: the largest of several. */
extern const char tacho__postfix_notation[];

/* The three parsers behind it, each in its file notation_NAME.c. */
int tacho__infix_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
		       struct tacho__node **out_node, struct tacho_formula_problem *out_problem);
int tacho__gpa_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
		     struct tacho__node **out_node, struct tacho_formula_problem *out_problem);
int tacho__oa_parse(struct tacho__arena *arena, const struct tacho__expression *expression,
		    struct tacho__node **out_node, struct tacho_formula_problem *out_problem);

/*
 * The tree as infix text, with as few brackets as its meaning allows; min(a,b), max(a,b),
 * if(c,a,b), sum(a,b,c...) and the like for operators that the infix notation does not have. Owned:
 * free(). NOMEM, INVAL when it would be longer than 1 MiB.
 */
int tacho__node_format(const struct tacho__node *node, char **out_text);

/* Fills the problem, when there is one to fill, and the thread's error; returns `code`. */
int tacho__formula_fail(struct tacho_formula_problem *out_problem, int code, const char *stage,
			size_t column, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
