/* SPDX-License-Identifier: MIT */
/* What a program consists of before it is bound: instructions, each of them once. */
#ifndef TACHO_FORMULA_INSTRUCTION_H
#define TACHO_FORMULA_INSTRUCTION_H

#include "formula/program.h"

/* Operators that only instructions have, beyond enum tacho__op. */
enum tacho__inner_op {
	TACHO__OP_INPUT = TACHO__OP_IF_NOT_ZERO + 1, /* .bits: which input */
	TACHO__OP_TO_REAL,
	TACHO__OP_TO_WHOLE,
	TACHO__OP_MEAN, /* of a sum, the operand: by the number of values in it */
};

enum {
	TACHO__OPERANDS_MAX = 3,
	TACHO__INSTRUCTION_MAX = 1 << 20, /* of one program */
};

/*
 * An expression without its operands' own. SUM_OF and MAX_OF are chains of ADD and MAX here, an
 * average is MEAN of a sum, names are inputs or constants.
 */
struct tacho__instruction {
	unsigned op;
	uint32_t operand_count;
	uint32_t operands[TACHO__OPERANDS_MAX]; /* instructions before this one */
	uint64_t bits; /* of a literal its bits, of a reduction which, of an input its index */
	const char *const *dimensions;
	const struct tacho__selection *selections;
	size_t dimension_count;
	size_t column;	    /* in the text where it came up first */
	const char *metric; /* whose text that is; "": the one that was added */
};

struct tacho__bound;

struct tacho__program {
	struct tacho__arena arena;
	struct tacho__instruction *instructions;
	size_t instruction_count, instruction_capacity;
	uint32_t *slots; /* hash table of instruction numbers plus one */
	size_t slot_count;
	struct tacho__input *inputs;
	size_t input_count, input_capacity;
	uint32_t *outputs; /* instruction numbers */
	size_t output_count, output_capacity;
	struct tacho__bound *bound; /* NULL before binding */
};

/*
 * The instruction that is like `wanted`, added when there is none. Names in it are copied. NOMEM;
 * INVAL when the program is too long.
 */
int tacho__program_emit(struct tacho__program *program, const struct tacho__instruction *wanted,
			uint32_t *out_number);
/* The instruction that stands for a column; the name is copied. */
int tacho__program_emit_input(struct tacho__program *program, const char *name,
			      enum tacho__resolution resolution, uint32_t *out_number);

/* Compiles a text; `type` as in tacho__definition. On failure the caller takes back what it did. */
int tacho__compile(struct tacho__program *program, const struct tacho__expression *expression,
		   int type, const struct tacho__scope *scope, uint32_t *out_number,
		   struct tacho_formula_problem *out_problem);

#endif
