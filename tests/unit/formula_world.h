/* SPDX-License-Identifier: MIT */
/* Evaluating one expression over made columns, for the tests of the formula engine. */
#ifndef TACHO_FORMULA_WORLD_H
#define TACHO_FORMULA_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "formula/program.h"

enum { NAMES_MAX = 8, OK = TACHO_STATE_OK, ABSENT = TACHO_STATE_ABSENT, LOST = TACHO_STATE_LOST };
enum { SCALED = TACHO_STATE_SCALED, OVERFLOW = TACHO_STATE_OVERFLOW, DIV0 = TACHO_MARK_DIV0 };
enum { DEFAULT = TACHO_MARK_DEFAULT };

/* What names mean in a test. */
struct world {
	struct tacho_column columns[NAMES_MAX];
	size_t column_count;
	struct {
		const char *name, *text;
		int type;
	} derived[NAMES_MAX];
	size_t derived_count;
	const char *notation; /* of everything; NULL: infix */
	const char *const *inputs;
	size_t input_count;
	size_t rows; /* 0: one */
	int strict;
	char names[NAMES_MAX][TACHO_DIMENSION_MAX][40]; /* of dimensions */
};

/* What came out: of one output. */
struct answer {
	int rc;
	struct tacho_formula_problem problem;
	struct tacho_column shape;
	double values[64]; /* the first ones */
	uint64_t whole[64];
	uint8_t states[64];
	double coverage[64];
	uint8_t has_states;
	size_t instruction_count;
};

/*
 * A column without dimensions, or with those named in `dimensions`: "XCC=2 WGP=4". WHOLE_7 and
 * REAL_HALF are constants of every world.
 */
struct tacho_column *add_column(struct world *world, const char *name, enum tacho_type type,
				const char *dimensions, const void *data);
void set_derived(struct world *world, size_t i, const char *name, const char *text);

int add_text(struct tacho__program *program, struct world *world, const char *text, int type,
	     size_t *out_output, struct tacho_formula_problem *out_problem);
/* The columns that the program wants; accumulated ones are the same column here. */
void pick_columns(const struct tacho__program *program, const struct world *world,
		  struct tacho_column *out_columns);

struct answer evaluate_typed(struct world *world, const char *text, int type);
struct answer evaluate(struct world *world, const char *text);
/* One number, state ok. */
void expect_real(struct world *world, const char *text, double expected);
void expect_whole(struct world *world, const char *text, uint64_t expected);
void expect_list(struct world *world, const char *text, const char *dimensions,
		 const double *expected, size_t count);
void expect_failure(struct world *world, const char *text, const char *stage, size_t column,
		    const char *part);

#endif
