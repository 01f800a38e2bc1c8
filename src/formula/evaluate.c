/* SPDX-License-Identifier: MIT */
/* Running a bound program, tile by tile. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "formula/bound.h"
#include "formula/kernels.h"
#include "model/shape.h"

struct run {
	struct tacho__bound *bound;
	struct tacho__target *targets;
	uint8_t strict;
	size_t done_rows; /* before this tile */
	size_t rows;	  /* of this tile */
};

static struct tacho__span span_of(const struct tacho__register *reg)
{
	return (struct tacho__span){reg->data, !reg->is_uniform};
}

static void load_inputs(const struct run *run, size_t first_row)
{
	struct tacho__bound *bound = run->bound;

	for (size_t i = 0; i < bound->register_count; i++) {
		struct tacho__register *reg = &bound->registers[i];
		const struct tacho_column *column;
		size_t skip, count;

		if (!reg->is_input)
			continue;
		column = &bound->columns[reg->constant];
		skip = first_row * reg->instances;
		count = run->rows * reg->instances;
		reg->data = column->data.u64 + skip;
		reg->states = column->states ? column->states + skip : NULL;
		if (reg->states && !tacho__kernel_or_bytes(count, reg->states))
			reg->states = NULL;
		reg->coverage = column->coverage ? column->coverage + skip : NULL;
	}
}

/* The values alone. Returns whether states must be looked at though no operand has any. */
static unsigned work_out(const struct tacho__step *step, const struct tacho__register *registers,
			 size_t rows, void *out)
{
	const struct tacho__register *first = &registers[step->operands[0]];
	size_t count = rows * registers[step->out].instances;

	switch (step->op) {
	case TACHO__OP_TO_REAL: tacho__kernel_to_real(count, first->data, out); return 0;
	case TACHO__OP_TO_WHOLE: return tacho__kernel_to_whole(count, first->data, out);
	case TACHO__OP_NEGATE: tacho__kernel_negate(count, first->data, out); return 0;
	case TACHO__OP_MEAN: tacho__reduce_mean(step->plan, rows, first->data, out); return 0;
	case TACHO__STEP_GATHER:
		tacho__kernel_gather(rows, first->instances, count / rows, step->map, first->data,
				     out);
		return 0;
	case TACHO__OP_REDUCE:
		if (first->type == TACHO_TYPE_U64)
			tacho__reduce_whole(step->plan, step->reduction, rows, first->data, out);
		else
			tacho__reduce_real(step->plan, step->reduction, rows, first->data, out);
		return 0;
	case TACHO__OP_IF_NOT_ZERO:
		tacho__kernel_choose(count, span_of(first), span_of(&registers[step->operands[1]]),
				     span_of(&registers[step->operands[2]]), out);
		return 0;
	default:
		return tacho__kernel_pair(step->op, count, span_of(first),
					  span_of(&registers[step->operands[1]]), out);
	}
}

static void run_step(const struct run *run, const struct tacho__step *step, size_t rows)
{
	struct tacho__bound *bound = run->bound;
	struct tacho__register *reg = &bound->registers[step->out];
	struct tacho__circumstances circumstances = {.rows = rows, .strict = run->strict};

	circumstances.values = reg->is_uniform ? &reg->constant : bound->buffers[reg->buffer].data;
	reg->data = circumstances.values;
	circumstances.is_worse =
		(uint8_t)work_out(step, bound->registers, rows, circumstances.values);
	tacho__step_judge(bound, step, &circumstances);
}

/* Copies to the target; a constant goes to every row. */
static void put_values(const struct tacho__register *reg, size_t count, tacho__word *data,
		       uint8_t *states, double *coverage)
{
	if (reg->is_uniform)
		for (size_t i = 0; i < count; i++)
			data[i] = reg->constant;
	else
		memcpy(data, reg->data, count * sizeof(*data));
	if (!reg->states)
		memset(states, TACHO_STATE_OK, count);
	else if (reg->is_uniform)
		memset(states, reg->states[0], count);
	else
		memcpy(states, reg->states, count);
	if (coverage && reg->coverage)
		memcpy(coverage, reg->coverage, count * sizeof(*coverage));
	for (size_t i = 0; coverage && !reg->coverage && i < count; i++)
		coverage[i] = 1;
}

/* What is no finite number is no number. Returns whether there was any. */
static int drop_infinite(size_t count, double *data, uint8_t *states)
{
	if (!tacho__kernel_has_infinite(count, data))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (isfinite(data[i]))
			continue;
		data[i] = 0;
		states[i] = (uint8_t)((states[i] & TACHO__STATE_MARKS) | TACHO_STATE_ABSENT);
	}
	return 1;
}

/* A whole number that is still below 0 at the end has no value. */
static void drop_below(size_t count, tacho__word *data, uint8_t *states)
{
	for (size_t i = 0; i < count; i++) {
		states[i] = tacho__state_drop_below(states[i]);
		if (tacho__state_is_absent(states[i]))
			data[i] = 0;
	}
}

/* Positions where no unit is hold 0 and have nothing to say. */
static void clear_missing(const struct tacho__layout *layout, size_t count, tacho__word *data,
			  uint8_t *states)
{
	for (size_t i = 0; i < count; i++)
		if (!tacho__layout_has(layout, i % layout->instances)) {
			data[i] = 0;
			states[i] = TACHO_STATE_OK;
		}
}

static void store(const struct run *run, const struct tacho__step *step)
{
	const struct tacho__register *reg = &run->bound->registers[step->operands[0]];
	struct tacho__target *target = &run->targets[step->output];
	size_t skip = run->done_rows * reg->instances;
	size_t count = run->rows * reg->instances;
	double *coverage =
		run->bound->has_coverage && target->coverage ? target->coverage + skip : NULL;
	tacho__word *data = (tacho__word *)target->data + skip;
	uint8_t *states = target->states + skip;
	int has_states;

	put_values(reg, count, data, states, coverage);
	has_states = reg->states != NULL;
	if (has_states)
		drop_below(count, data, states);
	if (reg->type == TACHO_TYPE_F64)
		has_states |= drop_infinite(count, (double *)target->data + skip, states);
	if (step->layout->present)
		clear_missing(step->layout, count, data, states);
	if (has_states && tacho__kernel_or_bytes(count, states))
		target->has_states = 1;
}

/* Constants, and what is worked out from nothing else, once. */
static void run_uniform(const struct run *run)
{
	struct tacho__bound *bound = run->bound;

	for (size_t i = 0; i < bound->register_count; i++) {
		struct tacho__register *reg = &bound->registers[i];

		if (!reg->is_uniform)
			continue;
		reg->data = &reg->constant;
		reg->states = NULL;
		reg->coverage = NULL;
	}
	for (size_t i = 0; i < bound->step_count; i++) {
		const struct tacho__step *step = &bound->steps[i];

		if (step->op != TACHO__STEP_STORE && bound->registers[step->out].is_uniform)
			run_step(run, step, 1);
	}
}

static void run_tile(const struct run *run)
{
	const struct tacho__bound *bound = run->bound;

	for (size_t i = 0; i < bound->step_count; i++) {
		const struct tacho__step *step = &bound->steps[i];

		if (step->op == TACHO__STEP_STORE)
			store(run, step);
		else if (!bound->registers[step->out].is_uniform)
			run_step(run, step, run->rows);
	}
}

int tacho__program_run(struct tacho__program *program, size_t first_row, size_t row_count,
		       int strict, struct tacho__target *targets)
{
	struct run run = {.bound = program->bound, .targets = targets, .strict = strict != 0};
	int rc;

	if (!run.bound)
		return tacho__fail(TACHO_E_INVAL, "", "", "the program is not bound to columns");
	rc = tacho__bound_prepare(run.bound);
	if (rc)
		return rc;
	for (size_t i = 0; i < program->output_count; i++)
		targets[i].has_states = 0;
	run_uniform(&run);
	while (run.done_rows < row_count) {
		run.rows = row_count - run.done_rows;
		if (run.rows > run.bound->tile_rows)
			run.rows = run.bound->tile_rows;
		load_inputs(&run, first_row + run.done_rows);
		run_tile(&run);
		run.done_rows += run.rows;
	}
	return 0;
}
