/* SPDX-License-Identifier: MIT */
/* Expressions compiled into one program that is evaluated over columns, many rows at a time. */
#ifndef TACHO_FORMULA_PROGRAM_H
#define TACHO_FORMULA_PROGRAM_H

#include <stdbool.h>

#include "formula/node.h"
#include "tacho/result.h"

struct tacho_block;

/* What a name in an expression means. */
enum tacho__meaning {
	TACHO__MEANS_COLUMN,	 /* a counter: an input of the program */
	TACHO__MEANS_WHOLE,	 /* a constant */
	TACHO__MEANS_REAL,	 /* a constant */
	TACHO__MEANS_EXPRESSION, /* another expression, compiled in its place */
};

struct tacho__definition {
	enum tacho__meaning meaning;
	const char
		*name; /* of the column: its spelling in the definitions. Outlives the program. */
	uint64_t whole;
	double real;
	struct tacho__expression expression;
	/* The type that an expression's value is turned into: u64 or f64; -1: left as it is. */
	int type;
	const struct tacho__scope *scope; /* for names inside the expression; NULL: the same */
	/* That counts the column, where it is known: whether accumulate() has an event there. */
	const struct tacho_block *block;
};

/*
 * Looks names up. `find` fills out_definition and returns 0, or returns NOTFOUND after
 * tacho__fail(): the program then reports the name with its column.
 */
struct tacho__scope {
	void *user;
	int (*find)(void *user, const char *name, struct tacho__definition *out_definition);
};

/* A column that a program needs. accumulate() makes inputs of their own. */
struct tacho__input {
	const char *name;
	enum tacho__resolution resolution;
};

struct tacho__program;

int tacho__program_create(struct tacho__program **out_program);
void tacho__program_destroy(struct tacho__program *program);

/*
 * Adds an output: parses, looks names up through the scope (cycles and depth are errors) and
 * compiles; what is the same in several outputs exists once. `type` as in tacho__definition.
 * out_output is its number. On failure the program is as it was. PARSE, NOTFOUND, INVAL, NOMEM with
 * the problem.
 */
int tacho__program_add(struct tacho__program *program, const struct tacho__expression *expression,
		       int type, const struct tacho__scope *scope, size_t *out_output,
		       struct tacho_formula_problem *out_problem);

/* The inputs so far, in the order of their first use. Borrowed until the next add. */
size_t tacho__program_get_inputs(const struct tacho__program *program,
				 const struct tacho__input **out_inputs);

/*
 * Fixes the shapes: `columns` has one column per input, in their order; data, states and the rest
 * are borrowed until the program is destroyed or bound again. INVAL with stage "shape" and both
 * lists of dimensions when operands do not fit together, or a selected position does not exist.
 */
int tacho__program_bind(struct tacho__program *program, const struct tacho_column *columns,
			struct tacho_formula_problem *out_problem);

/*
 * Type, dimensions, instance_count and present of an output; valid after binding. Dimensions with
 * extent 1 of the operands are kept when all operands agree, and dropped by a reduction over them.
 */
const struct tacho_column *tacho__program_get_shape(const struct tacho__program *program,
						    size_t output);

/* Where the values of one output go: rows x instances each. */
struct tacho__target {
	void *data;	    /* of the output's type */
	uint8_t *states;    /* written always */
	double *coverage;   /* may be NULL; written when an input has coverage */
	uint8_t has_states; /* out: some value is not plainly ok */
};

/*
 * Evaluates rows first_row ... first_row + row_count - 1 of the bound columns into the targets, one
 * per output, each starting at its own beginning. strict: a division by zero makes a value absent.
 * NOMEM.
 */
int tacho__program_run(struct tacho__program *program, size_t first_row, size_t row_count,
		       int strict, struct tacho__target *targets);

/*
 * Whether a condition over constants is 0. One that is empty, that needs counters or names that the
 * scope does not know, or that is wrong leaves it open: false. NOMEM.
 */
int tacho__condition_judge(const char *text, const char *notation, const struct tacho__scope *scope,
			   bool *out_is_false);

#endif
