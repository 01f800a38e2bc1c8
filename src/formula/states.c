/* SPDX-License-Identifier: MIT */
/* What is known about the values of a step. Nothing here runs while all values are plainly ok. */
#include <string.h>

#include "formula/bound.h"
#include "formula/kernels.h"
#include "model/shape.h"

/* The state of value i of a register. */
static uint8_t state_of(const struct tacho__register *reg, size_t i)
{
	return reg->states ? reg->states[reg->is_uniform ? 0 : i] : TACHO_STATE_OK;
}

static double coverage_of(const struct tacho__register *reg, size_t i)
{
	return reg->coverage ? reg->coverage[reg->is_uniform ? 0 : i] : 1;
}

static uint64_t bits_of(const struct tacho__register *reg, size_t i)
{
	return ((const tacho__word *)reg->data)[reg->is_uniform ? 0 : i];
}

static double real_of(const struct tacho__register *reg, size_t i)
{
	uint64_t bits = bits_of(reg, i);
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* An absent divisor holds 0, but nobody knows that it is one. */
static uint8_t judge_division(const struct tacho__register *divisor, size_t i, uint8_t state,
			      uint8_t strict)
{
	int is_zero = divisor->type == TACHO_TYPE_U64 ? bits_of(divisor, i) == 0
						      : real_of(divisor, i) == 0;

	if (!is_zero || tacho__state_is_absent(state_of(divisor, i)))
		return state;
	return tacho__state_worse(state,
				  strict ? TACHO_STATE_ABSENT | TACHO_MARK_DIV0 : TACHO_MARK_DIV0);
}

/* Which of two operands a choice took; -1: nobody knows, for the condition is absent. */
static int chosen(const struct tacho__register *condition, size_t i)
{
	if (tacho__state_is_absent(state_of(condition, i)))
		return -1;
	return real_of(condition, i) != 0 ? 1 : 2;
}

/*
 * Whole numbers are unsigned. A difference below 0 is marked, and holds 2^64 too much; sums,
 * differences and products of it are right again once they are above 0, and then lose the mark.
 * Nothing else can be made of it: that is absent.
 */
static int is_modular(unsigned op)
{
	return op == TACHO__OP_WHOLE_ADD || op == TACHO__OP_WHOLE_SUBTRACT ||
	       op == TACHO__OP_WHOLE_MULTIPLY;
}

static uint8_t judge_below(const struct tacho__step *step,
			   const struct tacho__register *const *operands, size_t i, uint8_t state,
			   uint64_t result)
{
	if (tacho__state_is_absent(state))
		return state;
	if (!is_modular(step->op))
		return tacho__state_drop_below(state);
	if (step->op == TACHO__OP_WHOLE_SUBTRACT &&
	    bits_of(operands[0], i) < bits_of(operands[1], i))
		state |= TACHO_MARK_BELOW0;
	return result >> 63 ? state : (uint8_t)(state & ~TACHO_MARK_BELOW0);
}

static uint8_t judge_value(const struct tacho__step *step,
			   const struct tacho__register *const *operands, size_t i, uint8_t strict)
{
	uint8_t state = state_of(operands[0], i);
	int which;

	switch (step->op) {
	case TACHO__OP_IF_NOT_ZERO:
		which = chosen(operands[0], i);
		return which < 0 ? (uint8_t)TACHO_STATE_ABSENT : state_of(operands[which], i);
	case TACHO__OP_TO_WHOLE:
		if (tacho__kernel_is_out(real_of(operands[0], i)))
			state = tacho__state_worse(state,
						   real_of(operands[0], i) < 0
							   ? TACHO_STATE_ABSENT | TACHO_MARK_BELOW0
							   : TACHO_STATE_OVERFLOW);
		return state;
	case TACHO__OP_DIVIDE:
	case TACHO__OP_WHOLE_DIVIDE:
		state = tacho__state_worse(state, state_of(operands[1], i));
		return judge_division(operands[1], i, state, strict);
	default:
		for (uint32_t k = 1; k < step->operand_count; k++)
			state = tacho__state_worse(state, state_of(operands[k], i));
		return state;
	}
}

static void judge_states(const struct tacho__step *step,
			 const struct tacho__register *const *operands, size_t count,
			 const struct tacho__circumstances *circumstances, uint8_t *out)
{
	if (step->op == TACHO__STEP_GATHER)
		tacho__kernel_gather_bytes(circumstances->rows, operands[0]->instances,
					   count / circumstances->rows, step->map,
					   operands[0]->states, out);
	else if (step->op == TACHO__OP_REDUCE)
		tacho__reduce_states(step->plan, circumstances->rows, operands[0]->states, out);
	else
		for (size_t i = 0; i < count; i++)
			out[i] = judge_below(step, operands, i,
					     judge_value(step, operands, i, circumstances->strict),
					     ((const tacho__word *)circumstances->values)[i]);
}

static double cover_value(const struct tacho__step *step,
			  const struct tacho__register *const *operands, size_t i)
{
	double least = coverage_of(operands[0], i);
	int which;

	if (step->op == TACHO__OP_IF_NOT_ZERO) {
		which = chosen(operands[0], i);
		return which < 0 ? 1 : coverage_of(operands[which], i);
	}
	for (uint32_t k = 1; k < step->operand_count; k++)
		if (coverage_of(operands[k], i) < least)
			least = coverage_of(operands[k], i);
	return least;
}

static void judge_coverage(const struct tacho__step *step,
			   const struct tacho__register *const *operands, size_t count, size_t rows,
			   double *out)
{
	if (step->op == TACHO__STEP_GATHER)
		tacho__kernel_gather(rows, operands[0]->instances, count / rows, step->map,
				     (const tacho__word *)operands[0]->coverage,
				     (tacho__word *)out);
	else if (step->op == TACHO__OP_REDUCE)
		tacho__reduce_coverage(step->plan, rows, operands[0]->coverage, out);
	else
		for (size_t i = 0; i < count; i++)
			out[i] = cover_value(step, operands, i);
}

void tacho__step_judge(struct tacho__bound *bound, const struct tacho__step *step,
		       const struct tacho__circumstances *circumstances)
{
	struct tacho__register *reg = &bound->registers[step->out];
	const struct tacho__register *operands[TACHO__OPERANDS_MAX] = {NULL};
	size_t count = circumstances->rows * reg->instances;
	uint8_t has_states = circumstances->is_worse || (step->plan && step->plan->has_empty);
	uint8_t has_coverage = 0, *states;

	for (uint32_t i = 0; i < step->operand_count; i++) {
		operands[i] = &bound->registers[step->operands[i]];
		has_states |= operands[i]->states != NULL;
		has_coverage |= operands[i]->coverage != NULL;
	}
	reg->states = NULL;
	reg->coverage = NULL;
	if (has_states) {
		states =
			reg->is_uniform ? &reg->constant_state : bound->buffers[reg->buffer].states;
		judge_states(step, operands, count, circumstances, states);
		for (size_t i = 0; i < count; i++)
			if (tacho__state_is_absent(states[i]))
				((tacho__word *)circumstances->values)[i] = 0;
		if (tacho__kernel_or_bytes(count, states))
			reg->states = states;
	}
	if (has_coverage) {
		judge_coverage(step, operands, count, circumstances->rows,
			       bound->buffers[reg->buffer].coverage);
		reg->coverage = bound->buffers[reg->buffer].coverage;
	}
}
