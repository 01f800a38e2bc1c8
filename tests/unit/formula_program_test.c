/* SPDX-License-Identifier: MIT */
/* Programs: equal parts once, failures, references, rollups, tiles. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "formula/bound.h"
#include "formula_world.h"

static void test_common_subexpressions(void **state)
{
	static const uint64_t a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
	struct world world = {0};
	struct tacho__program *program;
	const struct tacho__input *inputs;
	size_t output, count;

	add_column(&world, "A", TACHO_TYPE_U64, "INSTANCE=4", a);
	add_column(&world, "B", TACHO_TYPE_U64, "INSTANCE=4", b);
	world.derived[0].name = "RATE";
	world.derived[0].text = "reduce(A,sum)/reduce(B,sum)";
	world.derived[0].type = -1;
	world.derived_count = 1;
	assert_int_equal(tacho__program_create(&program), 0);
	add_text(program, &world, "RATE", -1, &output, NULL);
	assert_int_equal(program->instruction_count, 5); /* A, sum, B, sum, / */
	add_text(program, &world, "100*RATE", -1, &output, NULL);
	assert_int_equal(program->instruction_count, 7); /* 100, * */
	add_text(program, &world, " 100 * ( reduce(A, sum)/reduce(B,sum) )", -1, &output, NULL);
	assert_int_equal(program->instruction_count, 7);
	assert_int_equal(output, 2);
	add_text(program, &world, "reduce(A,avr)", -1, &output, NULL);
	assert_int_equal(program->instruction_count, 8); /* the mean of the sum that is there */
	add_text(program, &world, "accumulate(A,HIGH_RES)+A", -1, &output, NULL);
	assert_int_equal(program->instruction_count, 10); /* an input of its own, + */
	add_text(program, &world, "accumulate(A,NONE)+reduce(A,sum,[DIMENSION_INSTANCE])", -1,
		 &output, NULL);
	assert_int_equal(program->instruction_count, 12); /* another reduction, + */
	count = tacho__program_get_inputs(program, &inputs);
	assert_int_equal(count, 3);
	assert_string_equal(inputs[0].name, "A");
	assert_string_equal(inputs[1].name, "B");
	assert_string_equal(inputs[2].name, "A");
	assert_int_equal(inputs[2].resolution, TACHO__HIGH_RES);
	tacho__program_destroy(program);
}

static void test_failed_add(void **state)
{
	static const uint64_t a = 1, b = 2;
	struct world world = {0};
	struct tacho__program *program;
	const struct tacho__input *inputs;
	struct tacho_formula_problem problem;
	size_t output = 77;

	add_column(&world, "A", TACHO_TYPE_U64, "", &a);
	add_column(&world, "B", TACHO_TYPE_U64, "", &b);
	assert_int_equal(tacho__program_create(&program), 0);
	add_text(program, &world, "A*2", -1, &output, NULL);
	output = 77;
	assert_int_equal(add_text(program, &world, "A*3+B*5+NOPE", -1, &output, &problem),
			 TACHO_E_NOTFOUND);
	assert_string_equal(problem.stage, "resolve");
	assert_int_equal(problem.column, 9);
	assert_non_null(strstr(problem.message, "NOPE"));
	assert_string_equal(tacho_error_last()->cure, "Write another name.");
	assert_int_equal(output, 77);
	assert_int_equal(program->instruction_count, 3);
	assert_int_equal(tacho__program_get_inputs(program, &inputs), 1);
	assert_int_equal(add_text(program, &world, "A*", -1, &output, &problem), TACHO_E_PARSE);
	assert_string_equal(problem.stage, "parse");
	/* what was taken back is not found again by its hash */
	assert_int_equal(add_text(program, &world, "B*5", -1, &output, &problem), 0);
	assert_int_equal(output, 1);
	assert_int_equal(program->instruction_count, 6);
	assert_int_equal(tacho__program_run(program, 0, 1, 0, NULL), TACHO_E_INVAL);
	tacho__program_destroy(program);
	tacho__program_destroy(NULL);
}

static void test_references(void **state)
{
	static const uint64_t a[6] = {1, 2, 3, 4, 5, 6};
	static const double xcc[] = {5, 7, 9};
	struct world world = {0};
	struct answer answer;

	add_column(&world, "A", TACHO_TYPE_U64, "XCC=2 SHADER_ENGINE=3", a);
	set_derived(&world, 0, "N", "M");
	set_derived(&world, 1, "M", "1+N");
	set_derived(&world, 2, "P", "reduce(A,sum,[DIMENSION_XCC])");
	set_derived(&world, 3, "Q", "P"); /* an alias keeps the arguments */
	set_derived(&world, 4, "BAD", "A*reduce(A,");
	set_derived(&world, 5, "LOST_NAME", "A+  NOPE");
	set_derived(&world, 6, "SELF", "2*SELF");
	set_derived(&world, 7, "MISFIT", "select(A,[DIMENSION_XCC=[9]])");
	expect_list(&world, "Q", "SHADER_ENGINE=3", xcc, 3);
	expect_failure(&world, "A+N", "resolve", 3, "N -> M -> N");
	expect_failure(&world, "SELF", "resolve", 3, "SELF -> SELF");
	answer = evaluate(&world, "A+N");
	assert_string_equal(answer.problem.metric, "M");
	answer = evaluate(&world, "1+BAD");
	assert_int_equal(answer.rc, TACHO_E_PARSE);
	assert_string_equal(answer.problem.metric, "BAD");
	answer = evaluate(&world, "1+LOST_NAME");
	assert_int_equal(answer.rc, TACHO_E_NOTFOUND);
	assert_string_equal(answer.problem.metric, "LOST_NAME");
	assert_int_equal(answer.problem.column, 5);
	answer = evaluate(&world, "1+MISFIT");
	assert_string_equal(answer.problem.stage, "shape");
	assert_string_equal(answer.problem.metric, "MISFIT");
	expect_failure(&world, "1+accumulate(P,LOW_RES)", "resolve", 3, "accumulate");
	expect_failure(&world, "accumulate(WHOLE_7,LOW_RES)", "resolve", 1, "accumulate");
}

/* N0 = N1+N1, N1 = N2+N2, ...: each is compiled once, or this would take 2^150 steps. */
static int find_tower(void *user, const char *name, struct tacho__definition *out_definition)
{
	static char texts[512][32];
	int i = atoi(name + 1), last = *(int *)user;

	if (i == last) {
		*out_definition = (struct tacho__definition){
			.meaning = TACHO__MEANS_REAL, .name = "LAST", .real = 1};
		return 0;
	}
	snprintf(texts[i], sizeof(texts[i]), "N%d+N%d", i + 1, i + 1);
	*out_definition = (struct tacho__definition){
		.meaning = TACHO__MEANS_EXPRESSION,
		.name = "tower",
		.expression = {texts[i], strlen(texts[i]), "infix", NULL, 0},
		.type = -1};
	return 0;
}

static void test_depth(void **state)
{
	struct tacho__expression top = {"N0", 2, "infix", NULL, 0};
	struct tacho_formula_problem problem;
	struct tacho__program *program;
	struct tacho__target target = {0};
	struct tacho__scope scope;
	double value;
	uint8_t byte;
	int last = 60;
	size_t output;

	scope = (struct tacho__scope){&last, find_tower};
	assert_int_equal(tacho__program_create(&program), 0);
	assert_int_equal(tacho__program_add(program, &top, -1, &scope, &output, &problem), 0);
	assert_int_equal(program->instruction_count, 61);
	assert_int_equal(tacho__program_bind(program, NULL, &problem), 0);
	target.data = &value;
	target.states = &byte;
	assert_int_equal(tacho__program_run(program, 0, 1, 0, &target), 0);
	assert_true(value == 0x1p60);
	last = 500;
	assert_int_equal(tacho__program_add(program, &top, -1, &scope, &output, &problem),
			 TACHO_E_INVAL);
	assert_string_equal(problem.stage, "resolve");
	assert_non_null(strstr(problem.message, "200"));
	tacho__program_destroy(program);
}

/* A chain of 900 additions is long, not deep. */
static void test_long_chain(void **state)
{
	static const uint64_t a = 3;
	struct world world = {0};
	char *text = malloc(900 * 2 + 2);

	add_column(&world, "A", TACHO_TYPE_U64, "", &a);
	for (int i = 0; i <= 900; i++)
		memcpy(text + (size_t)i * 2, i < 900 ? "A+" : "A", 2);
	expect_real(&world, text, 2703);
	free(text);
}

enum { TILE_ROWS = 5000, TILE_INSTANCES = 12 };

struct table {
	uint64_t x[TILE_ROWS * TILE_INSTANCES];
	double y[TILE_ROWS];
	uint8_t states[TILE_ROWS];
	double ratio[TILE_ROWS];
	double vector[TILE_ROWS * TILE_INSTANCES];
	uint8_t ratio_states[TILE_ROWS], vector_states[TILE_ROWS * TILE_INSTANCES];
};

static void check_rows(const struct table *table, size_t first, size_t rows)
{
	for (size_t r = 0; r < rows; r++) {
		const uint64_t *x = &table->x[(first + r) * TILE_INSTANCES];
		double sum = 0, y = table->y[first + r];

		for (int i = 0; i < TILE_INSTANCES; i++)
			sum += (double)x[i];
		assert_true(table->ratio[r] == (y == 0 ? 0 : sum / y));
		assert_int_equal(table->ratio_states[r],
				 table->states[first + r] | (y == 0 ? DIV0 : 0));
		for (int i = 0; i < TILE_INSTANCES; i++) {
			size_t at = r * TILE_INSTANCES + (size_t)i;

			assert_true(table->vector[at] == (double)x[i] * y - 1);
			assert_int_equal(table->vector_states[at], table->states[first + r]);
		}
	}
}

static void test_tiles(void **state)
{
	static const struct {
		size_t first, rows;
	} parts[] = {{0, 1}, {3, 7}, {11, 1000}, {0, TILE_ROWS}, {TILE_ROWS, 0}, {4999, 1}};
	struct table *table = calloc(1, sizeof(*table));
	struct world world = {.rows = TILE_ROWS};
	struct tacho__target targets[2] = {0};
	struct tacho__program *program;
	struct tacho_column columns[2];
	size_t output;

	for (size_t i = 0; i < TILE_ROWS * TILE_INSTANCES; i++)
		table->x[i] = i * 7919 % 1009;
	for (size_t i = 0; i < TILE_ROWS; i++) {
		table->y[i] = (double)(i % 101) / 4;
		table->states[i] = i % 977 == 5 ? LOST : OK;
	}
	add_column(&world, "X", TACHO_TYPE_U64, "INSTANCE=12", table->x);
	add_column(&world, "Y", TACHO_TYPE_F64, "", table->y)->states = table->states;
	assert_int_equal(tacho__program_create(&program), 0);
	add_text(program, &world, "reduce(X,sum)/Y", -1, &output, NULL);
	add_text(program, &world, "X*Y-1", -1, &output, NULL);
	pick_columns(program, &world, columns);
	assert_int_equal(tacho__program_bind(program, columns, NULL), 0);
	assert_true(program->bound->tile_rows < TILE_ROWS);
	targets[0].data = table->ratio;
	targets[0].states = table->ratio_states;
	targets[1].data = table->vector;
	targets[1].states = table->vector_states;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(parts); i++) {
		memset(table->ratio, 0xee, sizeof(table->ratio));
		assert_int_equal(
			tacho__program_run(program, parts[i].first, parts[i].rows, 0, targets), 0);
		check_rows(table, parts[i].first, parts[i].rows);
		if (parts[i].rows < TILE_ROWS) { /* nothing behind the end was written */
			uint64_t behind;

			memcpy(&behind, &table->ratio[parts[i].rows], sizeof(behind));
			assert_true(behind == UINT64_C(0xeeeeeeeeeeeeeeee));
		}
	}
	tacho__program_destroy(program);
	free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_common_subexpressions),
		cmocka_unit_test(test_failed_add),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_long_chain),
		cmocka_unit_test(test_tiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
