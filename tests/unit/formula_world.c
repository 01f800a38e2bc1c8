/* SPDX-License-Identifier: MIT */
#include "formula_world.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "formula/instruction.h"

static int find(void *user, const char *name, struct tacho__definition *out_definition)
{
	const struct world *world = user;

	for (size_t i = 0; i < world->derived_count; i++) {
		if (strcmp(world->derived[i].name, name))
			continue;
		*out_definition = (struct tacho__definition){
			.meaning = TACHO__MEANS_EXPRESSION,
			.name = world->derived[i].name,
			.expression = {world->derived[i].text, strlen(world->derived[i].text),
				       world->notation, world->inputs, world->input_count},
			.type = world->derived[i].type};
		return 0;
	}
	if (!strcmp(name, "WHOLE_7") || !strcmp(name, "REAL_HALF")) {
		*out_definition = (struct tacho__definition){
			.meaning = name[0] == 'W' ? TACHO__MEANS_WHOLE : TACHO__MEANS_REAL,
			.name = name,
			.whole = 7,
			.real = 0.5};
		return 0;
	}
	for (size_t i = 0; i < world->column_count; i++)
		if (!strcmp(world->columns[i].name, name)) {
			*out_definition = (struct tacho__definition){
				.meaning = TACHO__MEANS_COLUMN, .name = world->columns[i].name};
			return 0;
		}
	return tacho__fail(TACHO_E_NOTFOUND, "", "Write another name.", "there is no name \"%s\"",
			   name);
}

struct tacho_column *add_column(struct world *world, const char *name, enum tacho_type type,
				const char *dimensions, const void *data)
{
	struct tacho_column *column = &world->columns[world->column_count];
	char word[24];
	int used;

	memset(column, 0, sizeof(*column));
	column->name = name;
	column->unit = column->note = "";
	column->type = type;
	column->instance_count = 1;
	column->data.u64 = data;
	for (; sscanf(dimensions, " %23[^=]=%u%n", word,
		      &column->dimensions[column->dimension_count].extent, &used) == 2;
	     dimensions += used) {
		uint32_t i = column->dimension_count++;
		char *text = world->names[world->column_count][i];

		snprintf(text, sizeof(world->names[0][0]), "DIMENSION_%s", word);
		column->dimensions[i].name = text;
		column->instance_count *= column->dimensions[i].extent;
	}
	world->column_count++;
	return column;
}

int add_text(struct tacho__program *program, struct world *world, const char *text, int type,
	     size_t *out_output, struct tacho_formula_problem *out_problem)
{
	struct tacho__expression expression = {text, strlen(text), world->notation, world->inputs,
					       world->input_count};
	struct tacho__scope scope = {world, find};

	return tacho__program_add(program, &expression, type, &scope, out_output, out_problem);
}

void pick_columns(const struct tacho__program *program, const struct world *world,
		  struct tacho_column *out_columns)
{
	const struct tacho__input *inputs;
	size_t count = tacho__program_get_inputs(program, &inputs);

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < world->column_count; k++)
			if (!strcmp(world->columns[k].name, inputs[i].name))
				out_columns[i] = world->columns[k];
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void keep_answer(struct answer *answer, const struct tacho__target *target, size_t count)
{
	for (size_t i = 0; i < least(count, TACHO__ARRAY_SIZE(answer->values)); i++) {
		answer->whole[i] = ((uint64_t *)target->data)[i];
		answer->values[i] = answer->shape.type == TACHO_TYPE_U64
					    ? (double)answer->whole[i]
					    : ((double *)target->data)[i];
		answer->states[i] = target->states[i];
		answer->coverage[i] = target->coverage[i];
	}
	answer->has_states = target->has_states;
}

struct answer evaluate_typed(struct world *world, const char *text, int type)
{
	struct answer answer = {0};
	struct tacho_column columns[NAMES_MAX * 3];
	struct tacho__target target = {0};
	struct tacho__program *program;
	size_t rows = world->rows ? world->rows : 1, output = 99, count;

	assert_int_equal(tacho__program_create(&program), 0);
	answer.rc = add_text(program, world, text, type, &output, &answer.problem);
	if (answer.rc)
		goto out;
	assert_int_equal(output, 0);
	answer.instruction_count = program->instruction_count;
	pick_columns(program, world, columns);
	answer.rc = tacho__program_bind(program, columns, &answer.problem);
	if (answer.rc)
		goto out;
	answer.shape = *tacho__program_get_shape(program, 0);
	count = rows * answer.shape.instance_count;
	target.data = malloc(count * 8);
	target.states = malloc(count);
	target.coverage = calloc(count, sizeof(double));
	memset(target.states, 0x55, count);
	answer.rc = tacho__program_run(program, 0, rows, world->strict, &target);
	assert_int_equal(answer.rc, 0);
	keep_answer(&answer, &target, count);
	answer.shape.present = NULL; /* goes with the program */
	free(target.data);
	free(target.states);
	free(target.coverage);
out:
	tacho__program_destroy(program);
	return answer;
}

struct answer evaluate(struct world *world, const char *text)
{
	return evaluate_typed(world, text, -1);
}

void expect_real(struct world *world, const char *text, double expected)
{
	struct answer answer = evaluate(world, text);

	if (answer.rc)
		print_error("%s: %s\n", text, answer.problem.message);
	assert_int_equal(answer.rc, 0);
	assert_int_equal(answer.shape.type, TACHO_TYPE_F64);
	assert_int_equal(answer.shape.instance_count, 1);
	if (fabs(answer.values[0] - expected) > 1e-12 * fabs(expected))
		print_error("%s = %.17g, not %.17g\n", text, answer.values[0], expected);
	assert_true(fabs(answer.values[0] - expected) <= 1e-12 * fabs(expected));
	assert_int_equal(answer.states[0], OK);
	assert_int_equal(answer.has_states, 0);
}

void expect_list(struct world *world, const char *text, const char *dimensions,
		 const double *expected, size_t count)
{
	struct answer answer = evaluate(world, text);
	struct world other = {0};
	struct tacho_column *shape = add_column(&other, "", TACHO_TYPE_F64, dimensions, NULL);

	if (answer.rc)
		print_error("%s: %s\n", text, answer.problem.message);
	assert_int_equal(answer.rc, 0);
	assert_int_equal(answer.shape.instance_count, count);
	assert_int_equal(answer.shape.dimension_count, shape->dimension_count);
	for (uint32_t i = 0; i < shape->dimension_count; i++) {
		assert_string_equal(answer.shape.dimensions[i].name, shape->dimensions[i].name);
		assert_int_equal(answer.shape.dimensions[i].extent, shape->dimensions[i].extent);
	}
	for (size_t i = 0; i < count; i++) {
		if (answer.values[i] != expected[i])
			print_error("%s [%zu] = %.17g, not %.17g\n", text, i, answer.values[i],
				    expected[i]);
		assert_true(answer.values[i] == expected[i]);
		assert_int_equal(answer.states[i], OK);
	}
}

void expect_failure(struct world *world, const char *text, const char *stage, size_t column,
		    const char *part)
{
	struct answer answer = evaluate(world, text);

	assert_int_not_equal(answer.rc, 0);
	assert_string_equal(answer.problem.stage, stage);
	if (!strstr(answer.problem.message, part))
		print_error("%s: \"%s\" lacks \"%s\"\n", text, answer.problem.message, part);
	assert_non_null(strstr(answer.problem.message, part));
	assert_int_equal(answer.problem.column, column);
}

void expect_whole(struct world *world, const char *text, uint64_t expected)
{
	struct answer answer = evaluate(world, text);

	if (answer.rc)
		print_error("%s: %s\n", text, answer.problem.message);
	assert_int_equal(answer.rc, 0);
	assert_int_equal(answer.shape.type, TACHO_TYPE_U64);
	if (answer.whole[0] != expected)
		print_error("%s = %llu\n", text, (unsigned long long)answer.whole[0]);
	assert_true(answer.whole[0] == expected);
	assert_int_equal(answer.states[0], OK);
}

void set_derived(struct world *world, size_t i, const char *name, const char *text)
{
	world->derived[i].name = name;
	world->derived[i].text = text;
	world->derived[i].type = -1;
	if (world->derived_count <= i)
		world->derived_count = i + 1;
}
