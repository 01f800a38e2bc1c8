/* SPDX-License-Identifier: MIT */
/* A program bound to columns: steps over registers, each a tile of rows. */
#ifndef TACHO_FORMULA_BOUND_H
#define TACHO_FORMULA_BOUND_H

#include "formula/instruction.h"
#include "formula/layout.h"
#include "formula/reduce.h"

enum { TACHO__NO_REGISTER = UINT32_MAX };

/* Steps beyond the operators; operands are of the right type and layout by then. */
enum tacho__step_op {
	TACHO__STEP_GATHER = TACHO__OP_MEAN + 1, /* .map */
	TACHO__STEP_STORE,			 /* .output */
};

/* Values of one instruction for a tile of rows, or of an input column, or one constant. */
struct tacho__register {
	enum tacho_type type;
	uint8_t is_uniform; /* one value for all rows: `constant` */
	uint8_t is_input;
	size_t instances;     /* values a row */
	uint32_t buffer;      /* where its values go; NO_REGISTER for constants and inputs */
	uint32_t last_use;    /* the step after which its buffer is free */
	uint32_t real, whole; /* the same values in the other type; NO_REGISTER: not made yet */
	uint64_t constant;    /* its bits; of an input its number */
	uint8_t constant_state;

	/* While running: of this tile. */
	const void *data;
	const uint8_t *states;	/* NULL: all ok */
	const double *coverage; /* NULL: all 1 */
};

/* What an instruction has become. Several may share a register: their values lie the same way. */
struct tacho__value {
	uint32_t number; /* of the register */
	const struct tacho__layout *layout;
};

struct tacho__step {
	unsigned op;
	uint32_t operand_count;
	uint32_t operands[TACHO__OPERANDS_MAX];
	uint32_t out;
	const uint32_t *map;
	const struct tacho__reduction_plan *plan;
	enum tacho__reduction reduction;
	size_t output;
	const struct tacho__layout *layout; /* of an output */
};

struct tacho__buffer {
	size_t instances;
	uint8_t is_free; /* while the steps are planned */
	void *data;
	uint8_t *states;
	double *coverage;
};

struct tacho__bound {
	struct tacho__arena arena;
	const struct tacho_column *columns;
	uint8_t has_coverage; /* some input has */

	struct tacho__register *registers;
	size_t register_count, register_capacity;
	struct tacho__step *steps;
	size_t step_count, step_capacity;
	struct tacho__value *values; /* of each instruction */

	struct tacho__buffer *buffers;
	size_t buffer_count, buffer_capacity;
	size_t tile_rows;
	void *memory; /* of the buffers; made at the first run */

	struct tacho_column *shapes; /* of the outputs */
};

void tacho__bound_destroy(struct tacho__bound *bound);

/* Gives registers buffers, used again when their last reader is done, and sizes the tile. NOMEM. */
int tacho__bound_allot(struct tacho__bound *bound);
/* Makes the memory of the buffers. NOMEM. */
int tacho__bound_prepare(struct tacho__bound *bound);

/* What the states of a step's values depend on, but for the operands. */
struct tacho__circumstances {
	size_t rows;
	uint8_t strict;
	uint8_t is_worse; /* the loop met a divisor 0, or a value out of range */
	void *values;	  /* that the step has worked out; absent ones become 0 */
};

/*
 * Works out the states and the coverage of a step's values. Its register is left without either
 * where there is nothing to say.
 */
void tacho__step_judge(struct tacho__bound *bound, const struct tacho__step *step,
		       const struct tacho__circumstances *circumstances);

#endif
