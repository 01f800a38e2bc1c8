/* SPDX-License-Identifier: MIT */
/* The formula engine: states, coverage, and positions where no unit is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "formula_world.h"

static void test_states(void **state)
{
	static const uint64_t a[5] = {1, 2, 3, 4, 0}, b[5] = {1, 1, 1, 1, 1};
	static const uint8_t of_a[5] = {OK, SCALED, OVERFLOW, LOST, ABSENT};
	static const uint8_t of_b[5] = {SCALED, OK, LOST, OK, OK};
	struct world world = {0};
	struct answer answer;

	add_column(&world, "A", TACHO_TYPE_U64, "INSTANCE=5", a)->states = of_a;
	add_column(&world, "B", TACHO_TYPE_U64, "INSTANCE=5", b)->states = of_b;
	answer = evaluate(&world, "A+B");
	assert_int_equal(answer.states[0], SCALED);
	assert_int_equal(answer.states[1], SCALED);
	assert_int_equal(answer.states[2], LOST);
	assert_int_equal(answer.states[3], LOST);
	assert_int_equal(answer.states[4], ABSENT);
	assert_true(answer.values[3] == 5 && answer.values[4] == 0); /* not 0 + 1 */
	answer = evaluate(&world, "-A");
	assert_int_equal(answer.states[2], OVERFLOW);
	assert_int_equal(answer.states[0], OK);
	answer = evaluate(&world, "A");
	assert_memory_equal(answer.states, of_a, 5);
	/* the worst of all; an absent divisor is no zero */
	answer = evaluate(&world, "reduce(A,sum)");
	assert_int_equal(answer.states[0], ABSENT);
	assert_true(answer.values[0] == 0);
	assert_int_equal(evaluate(&world, "reduce(A,min)").states[0], ABSENT);
	assert_int_equal(evaluate(&world, "reduce(A,avr)").states[0], ABSENT);
	assert_int_equal(evaluate(&world, "reduce(B,max)").states[0], LOST);
	assert_int_equal(evaluate(&world, "B/A").states[4], ABSENT);
	/* only what is selected counts */
	answer = evaluate(&world, "reduce(select(A,[DIMENSION_INSTANCE=[0,1]]),sum)");
	assert_int_equal(answer.states[0], SCALED);
	assert_true(answer.values[0] == 3);
	assert_int_equal(evaluate(&world, "select(A,[DIMENSION_INSTANCE=[0]])+1").has_states, 0);
	assert_int_equal(evaluate(&world, "select(A,[DIMENSION_INSTANCE=[3]])+B").states[0], LOST);
}

/* What rests on defaults of a simulated device stays marked, beside the mark of a division. */
static void test_default(void **state)
{
	static const uint64_t a[2] = {4, 0}, b[2] = {2, 2};
	static const uint8_t of_a[2] = {OK | DEFAULT, SCALED | DEFAULT};
	static const double huge = 1e308;
	static const uint8_t of_huge = DEFAULT;
	struct world world = {0};
	struct answer answer;

	add_column(&world, "A", TACHO_TYPE_U64, "INSTANCE=2", a)->states = of_a;
	add_column(&world, "B", TACHO_TYPE_U64, "INSTANCE=2", b);
	add_column(&world, "H", TACHO_TYPE_F64, "", &huge)->states = &of_huge;
	answer = evaluate(&world, "B/A");
	assert_true(answer.values[0] == 0.5);
	assert_int_equal(answer.states[0], OK | DEFAULT);
	assert_int_equal(answer.states[1], SCALED | DEFAULT | DIV0);
	assert_int_equal(evaluate(&world, "reduce(A,sum)").states[0], SCALED | DEFAULT);
	assert_int_equal(evaluate(&world, "H*10").states[0], ABSENT | DEFAULT);
	assert_int_equal(evaluate(&world, "B*2").has_states, 0);
}

static void test_choice_states(void **state)
{
	static const char *const inputs[] = {"YES", "NO", "IF"};
	static const uint64_t yes[6] = {1, 2, 3, 4, 5, 6}, no[6] = {10, 20, 30, 40, 50, 60};
	static const uint64_t condition[6] = {1, 0, 1, 0, 0, 9};
	static const uint8_t of_yes[6] = {LOST, LOST, OK, OK, OK, OK};
	static const uint8_t of_no[6] = {OK, OK, LOST, ABSENT, OK, OK};
	static const uint8_t of_if[6] = {OK, OK, LOST, OK, ABSENT, SCALED};
	static const double expected[] = {1, 20, 3, 0, 0, 6};
	static const uint8_t states[] = {LOST, OK, OK, ABSENT, ABSENT, OK};
	struct world world = {.notation = "gpa", .inputs = inputs, .input_count = 3};
	struct answer answer;

	add_column(&world, "YES", TACHO_TYPE_U64, "INSTANCE=6", yes)->states = of_yes;
	add_column(&world, "NO", TACHO_TYPE_U64, "INSTANCE=6", no)->states = of_no;
	add_column(&world, "IF", TACHO_TYPE_U64, "INSTANCE=6", condition)->states = of_if;
	answer = evaluate(&world, "1,0,2,ifnotzero");
	assert_int_equal(answer.rc, 0);
	for (int i = 0; i < 6; i++) {
		assert_true(answer.values[i] == expected[i]);
		assert_int_equal(answer.states[i], states[i]);
	}
}

static void test_coverage(void **state)
{
	static const uint64_t a[4] = {1, 2, 3, 4}, b[4] = {1, 1, 1, 1};
	static const double of_a[4] = {0.5, 1, 0.25, 1}, of_b[4] = {0.75, 0.5, 1, 1};
	static const uint8_t scaled[4] = {SCALED, OK, SCALED, OK};
	struct world world = {0};
	struct tacho_column *column;
	struct answer answer;

	column = add_column(&world, "A", TACHO_TYPE_U64, "INSTANCE=4", a);
	column->states = scaled;
	column->coverage = of_a;
	add_column(&world, "B", TACHO_TYPE_U64, "INSTANCE=4", b)->coverage = of_b;
	add_column(&world, "C", TACHO_TYPE_U64, "INSTANCE=4", b);
	answer = evaluate(&world, "A+B*2");
	assert_true(answer.coverage[0] == 0.5 && answer.coverage[1] == 0.5);
	assert_true(answer.coverage[2] == 0.25 && answer.coverage[3] == 1);
	assert_int_equal(answer.states[0], SCALED);
	assert_true(evaluate(&world, "reduce(A,sum)").coverage[0] == 0.25);
	assert_true(evaluate(&world, "reduce(A,avr)*1").coverage[0] == 0.25);
	assert_true(evaluate(&world, "select(A,[DIMENSION_INSTANCE=[0]])").coverage[0] == 0.5);
	assert_true(evaluate(&world, "reduce(A,max)+C").coverage[3] == 0.25);
	assert_true(evaluate(&world, "C").coverage[0] == 0); /* nobody has any: not written */
	assert_true(evaluate(&world, "C+0*A").coverage[3] == 1);
}

enum { ENGINES = 32, SLOTS = 10, UNITS = 304 };

/* 304 units over 32 engines: of 10 positions 9 exist in the first 16 engines, all in the others. */
static void fill_units(uint64_t values[ENGINES * SLOTS], uint8_t present[ENGINES * SLOTS / 8])
{
	memset(present, 0, ENGINES * SLOTS / 8);
	for (size_t i = 0; i < ENGINES * SLOTS; i++) {
		int is_there = i / SLOTS >= 16 || i % SLOTS != 3;

		present[i / 8] |= (uint8_t)(is_there << (i % 8));
		values[i] = is_there ? 1 : 1000000;
	}
}

static void test_presence(void **state)
{
	uint64_t values[ENGINES * SLOTS], engines[ENGINES];
	uint8_t present[ENGINES * SLOTS / 8], states[ENGINES * SLOTS] = {0};
	struct world world = {0};
	struct tacho_column *column;
	struct answer answer;

	fill_units(values, present);
	states[3] = LOST; /* nothing is there to be lost */
	for (int i = 0; i < ENGINES; i++)
		engines[i] = 2;
	column = add_column(&world, "X", TACHO_TYPE_U64, "SHADER_ENGINE=32 INSTANCE=10", values);
	column->present = present;
	column->states = states;
	add_column(&world, "E", TACHO_TYPE_U64, "SHADER_ENGINE=32", engines);
	expect_real(&world, "reduce(X,sum)", UNITS);
	expect_real(&world, "reduce(X,max)", 1);
	expect_real(&world, "reduce(X,avr)", 1);
	expect_real(&world, "reduce(X*E,sum)", 2 * UNITS);
	expect_real(&world, "reduce(E*X,avr)", 2);
	answer = evaluate(&world, "reduce(X,sum,[DIMENSION_INSTANCE])");
	assert_int_equal(answer.shape.instance_count, 32);
	for (int i = 0; i < ENGINES; i++)
		assert_true(answer.values[i] == (i < 16 ? 9 : 10));
	answer = evaluate(&world, "reduce(X,sum,[DIMENSION_SHADER_ENGINE])");
	for (int i = 0; i < SLOTS; i++)
		assert_true(answer.values[i] == (i == 3 ? 16 : 32));
	answer = evaluate(&world, "X");
	assert_true(answer.values[3] == 0); /* what is not there is not told */
	assert_int_equal(answer.states[3], OK);
	assert_int_equal(answer.has_states, 0);
}

static void test_presence_of_results(void **state)
{
	static const uint64_t data[6] = {1, 2, 3, 4, 5, 6};
	static const uint8_t second_row_missing[1] = {0x07}, none[1] = {0};
	struct world world = {0};
	struct tacho__program *program;
	struct tacho_column columns[1];
	struct answer answer;
	size_t output;

	add_column(&world, "A", TACHO_TYPE_U64, "XCC=2 SHADER_ENGINE=3", data)->present =
		second_row_missing;
	assert_int_equal(tacho__program_create(&program), 0);
	add_text(program, &world, "reduce(A,sum,[DIMENSION_SHADER_ENGINE])*2", -1, &output, NULL);
	add_text(program, &world, "select(A,[DIMENSION_XCC=[0]])", -1, &output, NULL);
	add_text(program, &world, "select(A,[DIMENSION_XCC=[1]])", -1, &output, NULL);
	pick_columns(program, &world, columns);
	assert_int_equal(tacho__program_bind(program, columns, NULL), 0);
	assert_int_equal(tacho__program_get_shape(program, 0)->present[0] & 3, 1);
	assert_null(tacho__program_get_shape(program, 1)->present);
	assert_int_equal(tacho__program_get_shape(program, 2)->present[0] & 7, 0);
	tacho__program_destroy(program);
	/* a reduction over no unit at all has no number */
	world.columns[0].present = none;
	answer = evaluate(&world, "reduce(A,sum)+1");
	assert_int_equal(answer.states[0], ABSENT);
	assert_true(answer.values[0] == 0);
	answer = evaluate(&world, "reduce(A,min)");
	assert_int_equal(answer.states[0], ABSENT);
	assert_true(answer.values[0] == 0);
	assert_int_equal(evaluate(&world, "reduce(A,avr)").states[0], ABSENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),	      cmocka_unit_test(test_default),
		cmocka_unit_test(test_choice_states), cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_presence),      cmocka_unit_test(test_presence_of_results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
