/* SPDX-License-Identifier: MIT */
/* From instructions to steps: shapes and types are worked out once, conversions made explicit. */
#include "formula/bound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "formula/kernels.h"
#include "model/shape.h"

struct binder {
	struct tacho__program *program;
	struct tacho__bound *bound;
	struct tacho_formula_problem *problem;
	uint8_t *is_done;    /* per instruction */
	uint32_t *next_like; /* per instruction: another reduction of the same operand */
};

static const struct tacho__layout single = {.instances = 1};

void tacho__bound_destroy(struct tacho__bound *bound)
{
	if (!bound)
		return;
	free(bound->registers);
	free(bound->steps);
	free(bound->buffers);
	free(bound->memory);
	tacho__arena_finish(&bound->arena);
	free(bound);
}

static int fail_shape(struct binder *binder, const struct tacho__instruction *instruction,
		      const char *text)
{
	struct tacho_formula_problem *problem = binder->problem;
	int rc = tacho__formula_fail(problem, TACHO_E_INVAL, "shape", instruction->column, "%s",
				     text);

	snprintf(problem->metric, sizeof(problem->metric), "%s", instruction->metric);
	return rc;
}

static int fail_buf(struct binder *binder, const struct tacho__instruction *instruction,
		    struct tacho__buf *text)
{
	int rc = text->failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a message")
			      : fail_shape(binder, instruction, tacho__buf_text(text));

	tacho__buf_finish(text);
	return rc;
}

static int add_register(struct binder *binder, struct tacho__register reg, uint32_t *out_number)
{
	struct tacho__bound *bound = binder->bound;

	if (tacho__array_reserve(&bound->registers, &bound->register_capacity,
				 bound->register_count, sizeof(*bound->registers)))
		return TACHO_E_NOMEM;
	reg.buffer = reg.real = reg.whole = TACHO__NO_REGISTER;
	*out_number = (uint32_t)bound->register_count;
	*(reg.type == TACHO_TYPE_U64 ? &reg.whole : &reg.real) = *out_number;
	bound->registers[bound->register_count++] = reg;
	return 0;
}

/* Adds a step; when it makes values, a register for them, uniform when all operands are. */
static int add_step(struct binder *binder, struct tacho__step step, enum tacho_type type,
		    size_t instances, uint32_t *out_number)
{
	struct tacho__bound *bound = binder->bound;
	struct tacho__register reg = {.type = type, .instances = instances, .is_uniform = 1};
	int rc;

	for (uint32_t i = 0; i < step.operand_count; i++)
		reg.is_uniform &= bound->registers[step.operands[i]].is_uniform;
	if (step.op == TACHO__STEP_STORE) {
		step.out = TACHO__NO_REGISTER;
	} else {
		rc = add_register(binder, reg, &step.out);
		if (rc)
			return rc;
		*out_number = step.out;
	}
	return tacho__array_add(&bound->steps, &bound->step_capacity, &bound->step_count, &step,
				sizeof(step));
}

/* The register in another type, made once. */
static int convert(struct binder *binder, enum tacho_type type, uint32_t *number)
{
	struct tacho__register *from = &binder->bound->registers[*number];
	uint32_t known = type == TACHO_TYPE_U64 ? from->whole : from->real, before = *number;
	struct tacho__step step = {.operand_count = 1, .operands = {before}};
	int rc;

	if (known != TACHO__NO_REGISTER) {
		*number = known;
		return 0;
	}
	step.op = type == TACHO_TYPE_U64 ? TACHO__OP_TO_WHOLE : TACHO__OP_TO_REAL;
	rc = add_step(binder, step, type, from->instances, number);
	if (rc)
		return rc;
	from = &binder->bound->registers[before];
	*(type == TACHO_TYPE_U64 ? &from->whole : &from->real) = *number;
	/* Back is not the same: the cut fraction is gone. u64 to f64 may round as well. */
	return 0;
}

/* The register of a value with its numbers where the layout has them. */
static int spread(struct binder *binder, const struct tacho__layout *layout,
		  const struct tacho__value *value, uint32_t *out_number)
{
	struct tacho__register *from = &binder->bound->registers[value->number];
	struct tacho__step step = {
		.op = TACHO__STEP_GATHER, .operand_count = 1, .operands = {value->number}};
	int rc;

	*out_number = value->number;
	if (from->is_uniform || layout->instances == 1)
		return 0;
	rc = tacho__layout_map(&binder->bound->arena, value->layout, layout, &step.map);
	if (rc || !step.map)
		return rc;
	return add_step(binder, step, from->type, layout->instances, out_number);
}

/* Present where all operands are. */
static int meet_presence(struct binder *binder, const struct tacho__layout *const *operands,
			 size_t count, struct tacho__layout *layout)
{
	struct tacho__arena *arena = &binder->bound->arena;
	uint8_t *present = NULL;

	for (size_t i = 0; i < count; i++) {
		const uint32_t *map = NULL;
		int rc;

		if (!operands[i]->present)
			continue;
		if (!present) {
			present = tacho__arena_get(arena, (layout->instances + 7) / 8);
			if (!present)
				return TACHO_E_NOMEM;
			memset(present, 0xff, (layout->instances + 7) / 8);
		}
		rc = tacho__layout_map(arena, operands[i], layout, &map);
		if (rc)
			return rc;
		for (size_t j = 0; j < layout->instances; j++)
			if (!tacho__layout_has(operands[i], map ? map[j] : j))
				present[j / 8] &= (uint8_t) ~(1u << (j % 8));
	}
	layout->present = tacho__layout_trim(present, layout->instances);
	return 0;
}

static int fail_align(struct binder *binder, const struct tacho__instruction *instruction,
		      const struct tacho__layout *const *layouts)
{
	struct tacho__buf text = {0};

	tacho__buf_put(&text, "dimensions do not fit together: ");
	for (uint32_t i = 0; i < instruction->operand_count; i++) {
		tacho__buf_put(&text, i ? " against " : "");
		tacho__layout_format(layouts[i], &text);
	}
	return fail_buf(binder, instruction, &text);
}

/* Aligns values to each other: out_numbers are the registers to use. */
static int align(struct binder *binder, const struct tacho__instruction *instruction,
		 const struct tacho__value *values, uint32_t *out_numbers,
		 const struct tacho__layout **out_layout)
{
	const struct tacho__layout *layouts[TACHO__OPERANDS_MAX];
	struct tacho__layout *layout;
	int rc;

	layout = tacho__arena_get(&binder->bound->arena, sizeof(*layout));
	if (!layout)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < instruction->operand_count; i++)
		layouts[i] = values[i].layout;
	if (tacho__layout_align(layouts, instruction->operand_count, layout))
		return fail_align(binder, instruction, layouts);
	rc = meet_presence(binder, layouts, instruction->operand_count, layout);
	for (uint32_t i = 0; !rc && i < instruction->operand_count; i++)
		rc = spread(binder, layout, &values[i], &out_numbers[i]);
	*out_layout = layout;
	return rc;
}

static void get_operands(const struct binder *binder, const struct tacho__instruction *instruction,
			 struct tacho__value *out_values)
{
	for (uint32_t i = 0; i < instruction->operand_count; i++)
		out_values[i] = binder->bound->values[instruction->operands[i]];
}

static enum tacho_type type_of(const struct binder *binder, const struct tacho__value *value)
{
	return binder->bound->registers[value->number].type;
}

static int is_natural(unsigned op)
{
	return op == TACHO__OP_NATURAL_ADD || op == TACHO__OP_NATURAL_SUBTRACT ||
	       op == TACHO__OP_NATURAL_MULTIPLY;
}

/* The operator that "natural" arithmetic comes down to. */
static unsigned natural_op(unsigned op, int is_whole)
{
	switch (op) {
	case TACHO__OP_NATURAL_ADD: return is_whole ? TACHO__OP_WHOLE_ADD : TACHO__OP_ADD;
	case TACHO__OP_NATURAL_SUBTRACT:
		return is_whole ? TACHO__OP_WHOLE_SUBTRACT : TACHO__OP_SUBTRACT;
	default: return is_whole ? TACHO__OP_WHOLE_MULTIPLY : TACHO__OP_MULTIPLY;
	}
}

/*
 * Whole sums, differences, products, and the smaller or larger one, of a real number: worked out
 * as real ones and then cut, as the C code that IGT and Mesa generate does. Others stay.
 */
static unsigned real_op(unsigned op)
{
	switch (op) {
	case TACHO__OP_WHOLE_ADD: return TACHO__OP_ADD;
	case TACHO__OP_WHOLE_SUBTRACT: return TACHO__OP_SUBTRACT;
	case TACHO__OP_WHOLE_MULTIPLY: return TACHO__OP_MULTIPLY;
	case TACHO__OP_WHOLE_MIN: return TACHO__OP_MIN;
	case TACHO__OP_WHOLE_MAX: return TACHO__OP_MAX;
	default: return op;
	}
}

static int bind_pair(struct binder *binder, const struct tacho__instruction *instruction,
		     struct tacho__value *out)
{
	struct tacho__step step = {.op = instruction->op, .operand_count = 2};
	struct tacho__value operands[TACHO__OPERANDS_MAX];
	enum tacho_type type;
	int are_whole, rc = 0;

	get_operands(binder, instruction, operands);
	are_whole = type_of(binder, &operands[0]) == TACHO_TYPE_U64 &&
		    type_of(binder, &operands[1]) == TACHO_TYPE_U64;
	if (is_natural(step.op))
		step.op = natural_op(step.op, are_whole);
	else if (!are_whole)
		step.op = real_op(step.op);
	type = tacho__kernel_is_whole(step.op) ? TACHO_TYPE_U64 : TACHO_TYPE_F64;
	for (int i = 0; !rc && i < 2; i++)
		rc = convert(binder, type, &operands[i].number);
	if (!rc)
		rc = align(binder, instruction, operands, step.operands, &out->layout);
	if (!rc)
		rc = add_step(binder, step, type, out->layout->instances, &out->number);
	if (!rc && is_natural(instruction->op))
		rc = convert(binder, TACHO_TYPE_F64, &out->number);
	else if (!rc && step.op != instruction->op)
		rc = convert(binder, TACHO_TYPE_U64, &out->number);
	return rc;
}

static int bind_choice(struct binder *binder, const struct tacho__instruction *instruction,
		       struct tacho__value *out)
{
	struct tacho__step step = {.op = instruction->op, .operand_count = 3};
	struct tacho__value operands[TACHO__OPERANDS_MAX];
	enum tacho_type type;
	int rc;

	get_operands(binder, instruction, operands);
	type = type_of(binder, &operands[1]) == type_of(binder, &operands[2])
		       ? type_of(binder, &operands[1])
		       : TACHO_TYPE_F64;
	rc = convert(binder, TACHO_TYPE_F64, &operands[0].number);
	for (int i = 1; !rc && i < 3; i++)
		rc = convert(binder, type, &operands[i].number);
	if (!rc)
		rc = align(binder, instruction, operands, step.operands, &out->layout);
	return rc ? rc : add_step(binder, step, type, out->layout->instances, &out->number);
}

static int bind_reduce(struct binder *binder, const struct tacho__instruction *instruction,
		       struct tacho__value *out)
{
	struct tacho__bound *bound = binder->bound;
	const struct tacho__value *from = &bound->values[instruction->operands[0]];
	struct tacho__step step = {.op = TACHO__OP_REDUCE,
				   .operand_count = 1,
				   .operands = {from->number},
				   .reduction = (enum tacho__reduction)instruction->bits};
	struct tacho__layout *to = tacho__arena_get(&bound->arena, sizeof(*to));
	struct tacho__reduction_plan *plan;
	struct tacho__buf text = {0};
	size_t wrong;
	int rc;

	if (!to)
		return TACHO_E_NOMEM;
	wrong = tacho__layout_reduce(from->layout, instruction->dimensions,
				     instruction->dimension_count, to);
	if (wrong) {
		tacho__buf_printf(&text, "reduce(): the operand has no dimension %s: it is ",
				  instruction->dimensions[wrong - 1]);
		tacho__layout_format(from->layout, &text);
		return fail_buf(binder, instruction, &text);
	}
	out->layout = to;
	if (to->instances == from->layout->instances && !from->layout->present) {
		out->number = from->number; /* every value is a group of its own */
		return convert(binder, TACHO_TYPE_F64, &out->number);
	}
	rc = tacho__reduction_plan(&bound->arena, from->layout, to, &plan, &to->present);
	step.plan = plan;
	return rc ? rc : add_step(binder, step, TACHO_TYPE_F64, to->instances, &out->number);
}

static int bind_mean(struct binder *binder, const struct tacho__instruction *instruction,
		     struct tacho__value *out)
{
	struct tacho__bound *bound = binder->bound;
	const struct tacho__value *sum = &bound->values[instruction->operands[0]];
	const struct tacho__instruction *reduce =
		&binder->program->instructions[instruction->operands[0]];
	struct tacho__step step = {
		.op = TACHO__OP_MEAN, .operand_count = 1, .operands = {sum->number}};

	*out = *sum;
	if (sum->layout->instances == bound->values[reduce->operands[0]].layout->instances &&
	    !bound->values[reduce->operands[0]].layout->present)
		return 0; /* of one value each */
	for (size_t i = bound->step_count; i-- > 0 && !step.plan;)
		if (bound->steps[i].out == sum->number)
			step.plan = bound->steps[i].plan;
	return add_step(binder, step, TACHO_TYPE_F64, sum->layout->instances, &out->number);
}

/* Presence of what was selected. */
static int pick_presence(struct binder *binder, const struct tacho__layout *from,
			 const uint32_t *map, struct tacho__layout *to)
{
	uint8_t *present;

	if (!from->present)
		return 0;
	present = tacho__arena_get(&binder->bound->arena, (to->instances + 7) / 8);
	if (!present)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < to->instances; i++)
		present[i / 8] |= (uint8_t)(tacho__layout_has(from, map[i]) << (i % 8));
	to->present = tacho__layout_trim(present, to->instances);
	return 0;
}

static int bind_select(struct binder *binder, const struct tacho__instruction *instruction,
		       struct tacho__value *out)
{
	struct tacho__bound *bound = binder->bound;
	const struct tacho__value from = bound->values[instruction->operands[0]];
	struct tacho__layout *to = tacho__arena_get(&bound->arena, sizeof(*to));
	struct tacho__step step = {
		.op = TACHO__STEP_GATHER, .operand_count = 1, .operands = {from.number}};
	struct tacho__buf why = {0};
	int rc;

	if (!to)
		return TACHO_E_NOMEM;
	rc = tacho__layout_select(&bound->arena, from.layout, instruction->selections,
				  instruction->dimension_count, to, &step.map, &why);
	if (rc == TACHO_E_INVAL)
		return fail_buf(binder, instruction, &why);
	tacho__buf_finish(&why);
	*out = from;
	if (rc || !step.map) /* NULL: nothing was taken away */
		return rc;
	out->layout = to;
	rc = pick_presence(binder, from.layout, step.map, to);
	if (rc || bound->registers[from.number].is_uniform)
		return rc;
	return add_step(binder, step, type_of(binder, &from), to->instances, &out->number);
}

static int bind_input(struct binder *binder, const struct tacho__instruction *instruction,
		      struct tacho__value *out)
{
	struct tacho__bound *bound = binder->bound;
	const struct tacho_column *column = &bound->columns[instruction->bits];
	struct tacho__register reg = {
		.type = column->type, .is_input = 1, .constant = instruction->bits};
	struct tacho__layout *layout = tacho__arena_get(&bound->arena, sizeof(*layout));
	struct tacho__buf text = {0};

	if (!layout)
		return TACHO_E_NOMEM;
	layout->instances =
		column->dimension_count > TACHO_DIMENSION_MAX
			? 0
			: tacho__shape_count(column->dimensions, column->dimension_count);
	if (!layout->instances || layout->instances != column->instance_count) {
		tacho__buf_printf(&text,
				  "%s has %zu values a row, which its dimensions do not make",
				  column->name, column->instance_count);
		return fail_buf(binder, instruction, &text);
	}
	layout->count = column->dimension_count;
	memcpy(layout->dimensions, column->dimensions, layout->count * sizeof(*layout->dimensions));
	layout->present = tacho__layout_trim(column->present, layout->instances);
	out->layout = layout;
	reg.instances = layout->instances;
	return add_register(binder, reg, &out->number);
}

static int bind_unary(struct binder *binder, const struct tacho__instruction *instruction,
		      struct tacho__value *out)
{
	struct tacho__step step = {.op = instruction->op, .operand_count = 1};
	int rc;

	*out = binder->bound->values[instruction->operands[0]];
	rc = convert(binder,
		     instruction->op == TACHO__OP_TO_WHOLE ? TACHO_TYPE_U64 : TACHO_TYPE_F64,
		     &out->number);
	if (rc || instruction->op != TACHO__OP_NEGATE)
		return rc;
	step.operands[0] = out->number;
	return add_step(binder, step, TACHO_TYPE_F64, out->layout->instances, &out->number);
}

static int bind_constant(struct binder *binder, const struct tacho__instruction *instruction,
			 struct tacho__value *out)
{
	struct tacho__register reg = {
		.is_uniform = 1, .instances = 1, .constant = instruction->bits};

	reg.type = instruction->op == TACHO__OP_WHOLE ? TACHO_TYPE_U64 : TACHO_TYPE_F64;
	out->layout = &single;
	return add_register(binder, reg, &out->number);
}

static int bind_instruction(struct binder *binder, uint32_t number)
{
	const struct tacho__instruction *instruction = &binder->program->instructions[number];
	struct tacho__value *out = &binder->bound->values[number];

	binder->is_done[number] = 1;
	switch (instruction->op) {
	case TACHO__OP_WHOLE:
	case TACHO__OP_REAL: return bind_constant(binder, instruction, out);
	case TACHO__OP_INPUT: return bind_input(binder, instruction, out);
	case TACHO__OP_NEGATE:
	case TACHO__OP_TO_REAL:
	case TACHO__OP_TO_WHOLE: return bind_unary(binder, instruction, out);
	case TACHO__OP_REDUCE: return bind_reduce(binder, instruction, out);
	case TACHO__OP_MEAN: return bind_mean(binder, instruction, out);
	case TACHO__OP_SELECT: return bind_select(binder, instruction, out);
	case TACHO__OP_IF_NOT_ZERO: return bind_choice(binder, instruction, out);
	default: return bind_pair(binder, instruction, out);
	}
}

/* Links the reductions of each operand, so that they can read it one after the other. */
static void link_reductions(struct binder *binder, uint32_t *last)
{
	const struct tacho__program *program = binder->program;

	for (size_t i = 0; i < program->instruction_count; i++)
		binder->next_like[i] = last[i] = TACHO__NO_REGISTER;
	for (uint32_t i = 0; i < program->instruction_count; i++) {
		uint32_t operand = program->instructions[i].operands[0];

		if (program->instructions[i].op != TACHO__OP_REDUCE)
			continue;
		if (last[operand] != TACHO__NO_REGISTER)
			binder->next_like[last[operand]] = i;
		last[operand] = i;
	}
}

static int store_outputs(struct binder *binder, uint32_t number, const uint32_t *first_output,
			 const uint32_t *next_output)
{
	for (uint32_t o = first_output[number]; o != TACHO__NO_REGISTER; o = next_output[o]) {
		struct tacho__step step = {.op = TACHO__STEP_STORE,
					   .operand_count = 1,
					   .operands = {binder->bound->values[number].number},
					   .output = o,
					   .layout = binder->bound->values[number].layout};
		int rc = add_step(binder, step, TACHO_TYPE_F64, 0, NULL);

		if (rc)
			return rc;
	}
	return 0;
}

static int bind_all(struct binder *binder)
{
	const struct tacho__program *program = binder->program;
	struct tacho__arena *arena = &binder->bound->arena;
	size_t count = program->instruction_count;
	uint32_t *scratch = tacho__arena_get(arena, (2 * count + 1) * sizeof(*scratch));
	uint32_t *next_output =
		tacho__arena_get(arena, (program->output_count + 1) * sizeof(*next_output));
	int rc = 0;

	binder->bound->values =
		tacho__arena_get(arena, (count + 1) * sizeof(*binder->bound->values));
	binder->is_done = tacho__arena_get(arena, count + 1);
	binder->next_like = scratch;
	if (!scratch || !next_output || !binder->bound->values || !binder->is_done)
		return TACHO_E_NOMEM;
	link_reductions(binder, scratch + count);
	for (size_t i = 0; i < count; i++)
		scratch[count + i] = TACHO__NO_REGISTER;
	for (size_t o = program->output_count; o-- > 0;) {
		next_output[o] = scratch[count + program->outputs[o]];
		scratch[count + program->outputs[o]] = (uint32_t)o;
	}
	for (uint32_t i = 0; !rc && i < count; i++)
		for (uint32_t k = i; !rc && k != TACHO__NO_REGISTER && !binder->is_done[k];
		     k = binder->next_like[k]) {
			rc = bind_instruction(binder, k);
			if (!rc)
				rc = store_outputs(binder, k, scratch + count, next_output);
		}
	return rc;
}

static int note_shapes(struct binder *binder)
{
	const struct tacho__program *program = binder->program;
	struct tacho__bound *bound = binder->bound;

	bound->shapes = tacho__arena_get(&bound->arena,
					 (program->output_count + 1) * sizeof(*bound->shapes));
	if (!bound->shapes)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < program->output_count; i++) {
		const struct tacho__value *made = &bound->values[program->outputs[i]];
		struct tacho_column *shape = &bound->shapes[i];

		shape->name = shape->unit = shape->note = "";
		shape->type = bound->registers[made->number].type;
		shape->dimension_count = made->layout->count;
		memcpy(shape->dimensions, made->layout->dimensions, sizeof(shape->dimensions));
		shape->instance_count = made->layout->instances;
		shape->present = made->layout->present;
	}
	return 0;
}

int tacho__program_bind(struct tacho__program *program, const struct tacho_column *columns,
			struct tacho_formula_problem *out_problem)
{
	struct tacho_formula_problem unwanted = {0};
	struct binder binder = {.program = program,
				.problem = out_problem ? out_problem : &unwanted};
	struct tacho__bound *bound = calloc(1, sizeof(*bound));
	int rc;

	memset(binder.problem, 0, sizeof(*binder.problem));
	if (!bound)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to bind a program");
	binder.bound = bound;
	bound->columns = columns;
	for (size_t i = 0; i < program->input_count; i++)
		bound->has_coverage |= columns[i].coverage != NULL;
	rc = bind_all(&binder);
	if (!rc)
		rc = note_shapes(&binder);
	if (!rc)
		rc = tacho__bound_allot(bound);
	if (rc) {
		tacho__bound_destroy(bound);
		return rc;
	}
	tacho__bound_destroy(program->bound);
	program->bound = bound;
	return 0;
}

const struct tacho_column *tacho__program_get_shape(const struct tacho__program *program,
						    size_t output)
{
	return program->bound && output < program->output_count ? &program->bound->shapes[output]
								: NULL;
}
