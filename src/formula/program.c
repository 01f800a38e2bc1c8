/* SPDX-License-Identifier: MIT */
/* Programs: a list of instructions in which equal ones are one, found through a hash table. */
#include "formula/instruction.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "formula/bound.h"

enum { FIRST_SLOTS = 256 };

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0xbf58476d1ce4e5b9);
	return hash ^ (hash >> 29);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return mix(hash, 256);
}

static uint64_t hash_of(const struct tacho__instruction *instruction)
{
	uint64_t hash = mix(instruction->op, instruction->bits);

	for (uint32_t i = 0; i < instruction->operand_count; i++)
		hash = mix(hash, instruction->operands[i]);
	for (size_t i = 0; i < instruction->dimension_count; i++) {
		if (instruction->dimensions)
			hash = mix_text(hash, instruction->dimensions[i]);
		if (instruction->selections)
			hash = mix_text(hash, instruction->selections[i].dimension);
	}
	return mix(hash, instruction->dimension_count);
}

static int same_selection(const struct tacho__selection *a, const struct tacho__selection *b)
{
	return a->count == b->count && a->keeps == b->keeps &&
	       strcmp(a->dimension, b->dimension) == 0 &&
	       memcmp(a->positions, b->positions, a->count * sizeof(*a->positions)) == 0;
}

static int same(const struct tacho__instruction *a, const struct tacho__instruction *b)
{
	if (a->op != b->op || a->bits != b->bits || a->operand_count != b->operand_count ||
	    a->dimension_count != b->dimension_count)
		return 0;
	for (uint32_t i = 0; i < a->operand_count; i++)
		if (a->operands[i] != b->operands[i])
			return 0;
	for (size_t i = 0; i < a->dimension_count; i++) {
		if (a->dimensions && strcmp(a->dimensions[i], b->dimensions[i]))
			return 0;
		if (a->selections && !same_selection(&a->selections[i], &b->selections[i]))
			return 0;
	}
	return 1;
}

/* The slot of an instruction like `wanted`, or the free one where it belongs. */
static uint32_t *find_slot(const struct tacho__program *program,
			   const struct tacho__instruction *wanted)
{
	size_t i = hash_of(wanted) & (program->slot_count - 1);

	while (program->slots[i] && !same(&program->instructions[program->slots[i] - 1], wanted))
		i = (i + 1) & (program->slot_count - 1);
	return &program->slots[i];
}

/* Makes the table anew from the instructions, `count` slots large. */
static int hash_again(struct tacho__program *program, size_t count)
{
	uint32_t *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a program");
	free(program->slots);
	program->slots = slots;
	program->slot_count = count;
	for (size_t i = 0; i < program->instruction_count; i++)
		*find_slot(program, &program->instructions[i]) = (uint32_t)i + 1;
	return 0;
}

static const char *const *copy_names(struct tacho__arena *arena, const char *const *names,
				     size_t count)
{
	const char **copies = tacho__arena_get(arena, count * sizeof(*copies));

	for (size_t i = 0; copies && i < count; i++) {
		copies[i] = tacho__arena_string(arena, names[i]);
		if (!copies[i])
			return NULL;
	}
	return copies;
}

static const struct tacho__selection *
copy_selections(struct tacho__arena *arena, const struct tacho__selection *selections, size_t count)
{
	struct tacho__selection *copies = tacho__arena_get(arena, count * sizeof(*copies));

	for (size_t i = 0; copies && i < count; i++) {
		size_t bytes = selections[i].count * sizeof(*selections[i].positions);

		copies[i] = selections[i];
		copies[i].dimension = tacho__arena_string(arena, selections[i].dimension);
		copies[i].positions = tacho__arena_get(arena, bytes);
		if (!copies[i].dimension || !copies[i].positions)
			return NULL;
		memcpy(copies[i].positions, selections[i].positions, bytes);
	}
	return copies;
}

int tacho__program_emit(struct tacho__program *program, const struct tacho__instruction *wanted,
			uint32_t *out_number)
{
	struct tacho__instruction copy = *wanted;
	uint32_t *slot;

	if (2 * (program->instruction_count + 1) > program->slot_count) {
		int rc = hash_again(program,
				    program->slot_count ? 2 * program->slot_count : FIRST_SLOTS);

		if (rc)
			return rc;
	}
	slot = find_slot(program, wanted);
	if (*slot) {
		*out_number = *slot - 1;
		return 0;
	}
	if (program->instruction_count >= TACHO__INSTRUCTION_MAX)
		return tacho__fail(TACHO_E_INVAL, "", "Evaluate fewer metrics at once.",
				   "more than %d operations in one program",
				   TACHO__INSTRUCTION_MAX);
	if (wanted->dimensions)
		copy.dimensions =
			copy_names(&program->arena, wanted->dimensions, wanted->dimension_count);
	if (wanted->selections)
		copy.selections = copy_selections(&program->arena, wanted->selections,
						  wanted->dimension_count);
	copy.metric = wanted->metric && *wanted->metric
			      ? tacho__arena_string(&program->arena, wanted->metric)
			      : "";
	if ((wanted->dimensions && !copy.dimensions) || (wanted->selections && !copy.selections) ||
	    !copy.metric)
		return TACHO_E_NOMEM;
	if (tacho__array_reserve(&program->instructions, &program->instruction_capacity,
				 program->instruction_count, sizeof(*program->instructions)))
		return TACHO_E_NOMEM;
	program->instructions[program->instruction_count] = copy;
	*out_number = (uint32_t)program->instruction_count++;
	*slot = *out_number + 1;
	return 0;
}

int tacho__program_emit_input(struct tacho__program *program, const char *name,
			      enum tacho__resolution resolution, uint32_t *out_number)
{
	struct tacho__instruction wanted = {.op = TACHO__OP_INPUT};
	size_t i = 0;
	int rc;

	while (i < program->input_count && (program->inputs[i].resolution != resolution ||
					    strcmp(program->inputs[i].name, name)))
		i++;
	wanted.bits = i;
	if (i == program->input_count) {
		if (tacho__array_reserve(&program->inputs, &program->input_capacity, i,
					 sizeof(*program->inputs)))
			return TACHO_E_NOMEM;
		program->inputs[i].resolution = resolution;
		program->inputs[i].name = tacho__arena_string(&program->arena, name);
		if (!program->inputs[i].name)
			return TACHO_E_NOMEM;
	}
	rc = tacho__program_emit(program, &wanted, out_number);
	if (!rc && i == program->input_count)
		program->input_count++;
	return rc;
}

int tacho__program_create(struct tacho__program **out_program)
{
	struct tacho__program *program = calloc(1, sizeof(*program));

	if (!program)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a program");
	*out_program = program;
	return 0;
}

void tacho__program_destroy(struct tacho__program *program)
{
	if (!program)
		return;
	tacho__bound_destroy(program->bound);
	free(program->instructions);
	free(program->slots);
	free(program->inputs);
	free(program->outputs);
	tacho__arena_finish(&program->arena);
	free(program);
}

static int add_output(struct tacho__program *program, uint32_t number, size_t *out_output)
{
	if (tacho__array_reserve(&program->outputs, &program->output_capacity,
				 program->output_count, sizeof(*program->outputs)))
		return TACHO_E_NOMEM;
	program->outputs[program->output_count] = number;
	*out_output = program->output_count++;
	return 0;
}

/* Ends an add: a failed one is taken back, a good one makes what was bound out of date. */
static int end_add(struct tacho__program *program, int rc, size_t instruction_count,
		   size_t input_count)
{
	if (!rc) {
		tacho__bound_destroy(program->bound);
		program->bound = NULL;
	} else if (program->instruction_count > instruction_count) {
		program->instruction_count = instruction_count;
		program->input_count = input_count;
		memset(program->slots, 0, program->slot_count * sizeof(*program->slots));
		for (size_t i = 0; i < instruction_count; i++)
			*find_slot(program, &program->instructions[i]) = (uint32_t)i + 1;
	}
	return rc;
}

int tacho__program_add(struct tacho__program *program, const struct tacho__expression *expression,
		       int type, const struct tacho__scope *scope, size_t *out_output,
		       struct tacho_formula_problem *out_problem)
{
	size_t instructions = program->instruction_count, inputs = program->input_count;
	struct tacho_formula_problem unwanted = {0};
	uint32_t number;
	int rc;

	rc = tacho__compile(program, expression, type, scope, &number,
			    out_problem ? out_problem : &unwanted);
	if (!rc)
		rc = add_output(program, number, out_output);
	return end_add(program, rc, instructions, inputs);
}

size_t tacho__program_get_inputs(const struct tacho__program *program,
				 const struct tacho__input **out_inputs)
{
	*out_inputs = program->inputs;
	return program->input_count;
}
