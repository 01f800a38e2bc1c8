/* SPDX-License-Identifier: MIT */
/* The formula engine: what every operator does with values and dimensions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "formula/kernels.h"
#include "formula_world.h"

static void test_real_operators(void **state)
{
	static const uint64_t a = 12, b = 5, z = 0;
	struct world world = {0};

	add_column(&world, "A", TACHO_TYPE_U64, "", &a);
	add_column(&world, "B", TACHO_TYPE_U64, "INSTANCE=1", &b);
	add_column(&world, "Z", TACHO_TYPE_U64, "", &z);
	expect_real(&world, "A+B*2", 22);
	expect_real(&world, "A-B-1", 6);
	expect_real(&world, "B-A", -7); /* no wrap */
	expect_real(&world, "A/B*2", 4.8);
	expect_real(&world, "-A+B", -7);
	expect_real(&world, "A*-B", -60);
	expect_real(&world, "A*0.5", 6);
	expect_real(&world, "1+2*3", 7);
	expect_real(&world, "A+4294967297", 4294967309.0);
	expect_real(&world, "WHOLE_7/2", 3.5);
	expect_real(&world, "A*REAL_HALF", 6);
	expect_real(&world, "2/A", 1.0 / 6);
	expect_real(&world, "A/4", 3);
	expect_real(&world, "accumulate(A,HIGH_RES)+accumulate(A,LOW_RES)+A", 36);
	expect_real(&world, "reduce(7,sum)", 7);
	expect_real(&world, "reduce(7,avr)+reduce(A,avr)", 19);
	assert_int_equal(evaluate(&world, "A").shape.type, TACHO_TYPE_U64);
	assert_int_equal(evaluate_typed(&world, "A", TACHO_TYPE_F64).shape.type, TACHO_TYPE_F64);
	assert_true(evaluate_typed(&world, "A", TACHO_TYPE_F64).values[0] == 12);
	assert_int_equal(evaluate_typed(&world, "A/B", TACHO_TYPE_U64).whole[0], 2);
}

static void test_division_by_zero(void **state)
{
	static const uint64_t a[4] = {10, 20, 30, 40}, b[4] = {2, 0, 5, 0};
	static const double real[4] = {1, -0.0, 0.0, 4};
	struct world world = {0};
	struct answer answer;

	add_column(&world, "A", TACHO_TYPE_U64, "INSTANCE=4", a);
	add_column(&world, "B", TACHO_TYPE_U64, "INSTANCE=4", b);
	add_column(&world, "R", TACHO_TYPE_F64, "INSTANCE=4", real);
	answer = evaluate(&world, "A/B");
	assert_true(answer.values[0] == 5 && answer.values[1] == 0 && answer.values[2] == 6);
	assert_int_equal(answer.states[0], OK);
	assert_int_equal(answer.states[1], OK | DIV0);
	assert_int_equal(answer.states[3], OK | DIV0);
	assert_int_equal(answer.has_states, 1);
	answer = evaluate(&world, "1/R");
	assert_int_equal(answer.states[0], OK);
	assert_int_equal(answer.states[1], DIV0);
	assert_int_equal(answer.states[2], DIV0);
	assert_true(answer.values[1] == 0 && answer.values[3] == 0.25);
	/* the mark stays: through +, through a reduction, through constants */
	answer = evaluate(&world, "reduce(A/B+1,sum)");
	assert_true(answer.values[0] == 15);
	assert_int_equal(answer.states[0], DIV0);
	answer = evaluate(&world, "reduce(A,max)*(1/0)+3");
	assert_true(answer.values[0] == 3);
	assert_int_equal(answer.states[0], DIV0);
	answer = evaluate(&world, "select(A/B,[DIMENSION_INSTANCE=[2]])");
	assert_true(answer.values[0] == 6);
	assert_int_equal(answer.states[0], OK);
	assert_int_equal(answer.has_states, 0);
	world.strict = 1;
	answer = evaluate(&world, "A/B");
	assert_int_equal(answer.states[0], OK);
	assert_int_equal(answer.states[1], ABSENT | DIV0);
	assert_true(answer.values[1] == 0);
	assert_int_equal(evaluate(&world, "reduce(A/B+1,sum)").states[0], ABSENT | DIV0);
	assert_true(evaluate(&world, "reduce(A/B+1,sum)").values[0] == 0);
	assert_int_equal(evaluate(&world, "1/0").states[0], ABSENT | DIV0);
}

static void test_not_finite(void **state)
{
	static const double huge = 1e308;
	struct world world = {0};
	struct answer answer;

	add_column(&world, "H", TACHO_TYPE_F64, "", &huge);
	answer = evaluate(&world, "H*10");
	assert_int_equal(answer.states[0], ABSENT);
	assert_true(answer.values[0] == 0);
	assert_int_equal(evaluate(&world, "H*10-H*10").states[0], ABSENT);
}

/* Per XCC the numbers 1 to 16 over 4 x 4. */
static void fill_table(uint64_t data[32])
{
	for (uint64_t i = 0; i < 32; i++)
		data[i] = i % 16 + 1;
}

static void test_tables(void **state)
{
	static const double both[] = {56, 64, 72, 80}, third[] = {9, 10, 11, 12};
	double xcc[16], first[16];
	uint64_t data[32];
	struct world world = {0};

	fill_table(data);
	add_column(&world, "X", TACHO_TYPE_U64, "XCC=2 SHADER_ARRAY=4 WGP=4", data);
	add_column(&world, "Y", TACHO_TYPE_U64, "XCC=2 SHADER_ENGINE=4 WGP=4", data);
	for (int i = 0; i < 16; i++) {
		xcc[i] = 2 * (i + 1);
		first[i] = i + 1;
	}
	expect_list(&world, "reduce(X,sum,[DIMENSION_XCC])", "SHADER_ARRAY=4 WGP=4", xcc, 16);
	expect_list(&world, "reduce(X,sum,[DIMENSION_XCC,DIMENSION_SHADER_ARRAY])", "WGP=4", both,
		    4);
	expect_list(&world, "select(Y, [DIMENSION_XCC=[0]])", "SHADER_ENGINE=4 WGP=4", first, 16);
	expect_list(&world, "select(Y, [DIMENSION_XCC=[0],DIMENSION_SHADER_ENGINE=[2]])", "WGP=4",
		    third, 4);
	expect_real(&world, "reduce(X,sum)", 272);
	expect_real(&world, "reduce(X,avr)", 8.5);
	expect_real(&world, "reduce(X,min)+reduce(X,max)", 17);
	expect_real(&world, "reduce(X*0.5,max)-reduce(-X,min)", 24);
}

static void test_partial_reductions(void **state)
{
	static const uint64_t a[6] = {1, 2, 3, 4, 5, 6};
	static const double sum_se[] = {6, 15}, sum_xcc[] = {5, 7, 9}, min_se[] = {1, 4};
	static const double max_xcc[] = {4, 5, 6}, mean_se[] = {2, 5}, mean_xcc[] = {2.5, 3.5, 4.5};
	static const double same[] = {1, 2, 3, 4, 5, 6}, negative[] = {-6, -15};
	struct world world = {0};

	add_column(&world, "A", TACHO_TYPE_U64, "XCC=2 SHADER_ENGINE=3", a);
	expect_list(&world, "reduce(A,sum,[DIMENSION_SHADER_ENGINE])", "XCC=2", sum_se, 2);
	expect_list(&world, "reduce(A,sum,[DIMENSION_XCC,DIMENSION_XCC])", "SHADER_ENGINE=3",
		    sum_xcc, 3);
	expect_list(&world, "reduce(A,min,[DIMENSION_SHADER_ENGINE])", "XCC=2", min_se, 2);
	expect_list(&world, "reduce(A,max,[DIMENSION_XCC])", "SHADER_ENGINE=3", max_xcc, 3);
	expect_list(&world, "reduce(A*1,max,[DIMENSION_XCC])", "SHADER_ENGINE=3", max_xcc, 3);
	expect_list(&world, "reduce(A*1,sum,[DIMENSION_XCC])", "SHADER_ENGINE=3", sum_xcc, 3);
	expect_list(&world, "reduce(A,avg,[DIMENSION_SHADER_ENGINE])", "XCC=2", mean_se, 2);
	expect_list(&world, "reduce(A,avr,[DIMENSION_XCC])", "SHADER_ENGINE=3", mean_xcc, 3);
	expect_list(&world, "reduce(-A,sum,[DIMENSION_SHADER_ENGINE])", "XCC=2", negative, 2);
	expect_list(&world, "reduce(A,sum,[DIMENSION_WGP])", "XCC=2 SHADER_ENGINE=3", same, 6);
	expect_list(&world, "reduce(A,sum,[DIMENSION_NONE])", "XCC=2 SHADER_ENGINE=3", same, 6);
	expect_real(&world, "reduce(reduce(A,sum,[DIMENSION_SHADER_ENGINE]),max)", 15);
	expect_real(&world, "select(reduce(A,sum,[DIMENSION_SHADER_ENGINE]),[DIMENSION_XCC=[1]])",
		    15);
	expect_real(&world, "reduce(A,sum,[DIMENSION_XCC,DIMENSION_SHADER_ENGINE])", 21);
	expect_failure(&world, "1+reduce(A,sum,[DIMENSION_SQUARE])", "shape", 3,
		       "DIMENSION_SQUARE");
	expect_failure(&world, "1+reduce(A,sum,[DIMENSION_SQUARE])", "shape", 3, "DIMENSION_XCC=2");
}

static void test_alignment(void **state)
{
	static const uint64_t a[6] = {1, 2, 3, 4, 5, 6}, t[6] = {10, 40, 20, 50, 30, 60};
	static const uint64_t e[2] = {100, 200}, h[3] = {7, 8, 9}, one = 1000;
	static const double left[] = {101, 102, 103, 204, 205, 206};
	static const double right[] = {-6, -6, -6, -3, -3, -3};
	static const double turned[] = {11, 22, 33, 44, 55, 66};
	static const double back[] = {11, 44, 22, 55, 33, 66};
	static const double from_most[] = {5, 4, 3, 2, 1, 0}, over[] = {1000, 500};
	struct world world = {0};
	struct answer answer;

	add_column(&world, "A", TACHO_TYPE_U64, "XCC=2 SHADER_ENGINE=3", a);
	add_column(&world, "T", TACHO_TYPE_U64, "SHADER_ENGINE=3 XCC=2", t);
	add_column(&world, "E", TACHO_TYPE_U64, "XCC=2", e);
	add_column(&world, "H", TACHO_TYPE_U64, "SHADER_ENGINE=3 INSTANCE=1", h);
	add_column(&world, "S", TACHO_TYPE_U64, "XCC=1", &one);
	expect_list(&world, "A+E", "XCC=2 SHADER_ENGINE=3", left, 6);
	expect_list(&world, "E+A", "XCC=2 SHADER_ENGINE=3", left, 6);
	expect_list(&world, "A-H", "XCC=2 SHADER_ENGINE=3", right, 6);
	expect_list(&world, "A+T", "XCC=2 SHADER_ENGINE=3", turned, 6);
	expect_list(&world, "T+A", "SHADER_ENGINE=3 XCC=2", back, 6);
	expect_list(&world, "reduce(A,max)-A", "XCC=2 SHADER_ENGINE=3", from_most, 6);
	expect_list(&world, "100*S/E", "XCC=2", over, 0 + 2);
	expect_real(&world, "reduce(S/E,sum)", 15);
	/* dimensions of one position: kept when all have them */
	answer = evaluate(&world, "H*2");
	assert_int_equal(answer.shape.dimension_count, 2);
	answer = evaluate(&world, "H+reduce(A,sum,[DIMENSION_XCC])");
	assert_int_equal(answer.shape.dimension_count, 1);
	answer = evaluate(&world, "S*S");
	assert_int_equal(answer.shape.dimension_count, 1);
	expect_failure(&world, "1+E*H", "shape", 4, "[DIMENSION_XCC=2] against");
	expect_failure(&world, "1+E*H", "shape", 4, "[DIMENSION_SHADER_ENGINE=3, DIMENSION_INST");
	expect_failure(&world, "A+reduce(T,sum,[DIMENSION_XCC])*E", "shape", 32, "do not fit");
}

static void test_select(void **state)
{
	static const double some[] = {2, 3, 4, 6, 7, 8}, two[] = {2, 4, 6, 8}, last[] = {6, 8};
	static const double all[] = {1, 2, 3, 4, 5, 6, 7, 8};
	uint64_t data[8], wide[48];
	struct world world = {0};
	struct answer answer;

	for (uint64_t i = 0; i < 48; i++)
		wide[i] = i + 1;
	memcpy(data, wide, sizeof(data));
	add_column(&world, "A", TACHO_TYPE_U64, "XCC=2 INSTANCE=4", data);
	add_column(&world, "W", TACHO_TYPE_U64, "INSTANCE=48", wide);
	expect_list(&world, "select(A,[DIMENSION_INSTANCE=[1:3]])", "XCC=2 INSTANCE=3", some, 6);
	expect_list(&world, "select(A,[DIMENSION_INSTANCE=[1,3]])", "XCC=2 INSTANCE=2", two, 4);
	expect_list(&world, "select(A,[DIMENSION_INSTANCE=[0:3]])", "XCC=2 INSTANCE=4", all, 8);
	expect_list(&world, "select(A,[DIMENSION_WGP=[0]])", "XCC=2 INSTANCE=4", all, 8);
	expect_list(&world, "select(select(A,[DIMENSION_INSTANCE=[1,3]]),[DIMENSION_XCC=[1]])",
		    "INSTANCE=2", last, 2);
	answer = evaluate(&world, "select(W,[DIMENSION_INSTANCE=[32]])");
	assert_int_equal(answer.shape.type, TACHO_TYPE_U64);
	assert_int_equal(answer.shape.dimension_count, 0);
	assert_int_equal(answer.whole[0], 33);
	answer = evaluate(&world, "select(select(W,[DIMENSION_INSTANCE=[7,9]]),"
				  "[DIMENSION_INSTANCE=[9]])");
	assert_int_equal(answer.whole[0], 10); /* by its first position, not by its place */
	expect_failure(&world, "select(A,[DIMENSION_XCC=[7]])", "shape", 1, "position 7");
	expect_failure(&world, "reduce(select(A,[DIMENSION_XCC=[2]]),sum)", "shape", 8,
		       "DIMENSION_INSTANCE=4");
	expect_failure(&world, "select(A,[DIMENSION_WGP=[1]])", "shape", 1, "DIMENSION_WGP");
	expect_failure(&world, "select(A,[DIMENSION_SQUARE=[0]])", "shape", 1, "DIMENSION_SQUARE");
	expect_failure(&world,
		       "select(W,[DIMENSION_INSTANCE=[1,2]])+select(W,[DIMENSION_INSTANCE=[2,3]])",
		       "shape", 37, "do not fit");
	expect_failure(&world,
		       "select(select(W,[DIMENSION_INSTANCE=[7,9]]),"
		       "[DIMENSION_INSTANCE=[8]])",
		       "shape", 1, "position 8");
}

/* Positions in the result name what was selected. */
static void test_selected_positions(void **state)
{
	uint64_t wide[48] = {0};
	struct world world = {0};
	struct tacho__program *program;
	const struct tacho_column *shape;
	struct tacho_column columns[1];
	struct tacho_formula_problem problem;
	size_t output;

	add_column(&world, "W", TACHO_TYPE_U64, "INSTANCE=48", wide);
	assert_int_equal(tacho__program_create(&program), 0);
	assert_null(tacho__program_get_shape(program, 0));
	assert_int_equal(add_text(program, &world, "select(W,[DIMENSION_INSTANCE=[40,47]])*2", -1,
				  &output, &problem),
			 0);
	pick_columns(program, &world, columns);
	assert_int_equal(tacho__program_bind(program, columns, &problem), 0);
	shape = tacho__program_get_shape(program, output);
	assert_int_equal(shape->dimensions[0].extent, 2);
	assert_int_equal(shape->dimensions[0].positions[0], 40);
	assert_int_equal(shape->dimensions[0].positions[1], 47);
	tacho__program_destroy(program);
}

static void test_oa_operators(void **state)
{
	static const uint64_t a0 = 5, a1 = 7, big = UINT64_MAX, one = UINT64_C(1) << 63;
	struct world world = {.notation = "oa"};

	add_column(&world, "A0", TACHO_TYPE_U64, "", &a0);
	add_column(&world, "A1", TACHO_TYPE_U64, "", &a1);
	add_column(&world, "A2", TACHO_TYPE_U64, "", &big);
	add_column(&world, "A3", TACHO_TYPE_U64, "", &one);
	expect_whole(&world, "A 0 READ A 1 READ UADD", 12);
	expect_whole(&world, "A 2 READ 2 UADD", 1);
	expect_whole(&world, "A 3 READ 2 UMUL", 0);
	expect_whole(&world, "A 1 READ A 0 READ UDIV", 1);
	expect_whole(&world, "A 2 READ 3 UDIV", UINT64_MAX / 3);
	expect_whole(&world, "A 0 READ A 1 READ UMIN", 5);
	expect_whole(&world, "A 0 READ 2 FDIV 100 UMUL", 250); /* 2.5 * 100, then cut */
	expect_whole(&world, "A 0 READ 2 FDIV 2 UDIV", 1);     /* 2 / 2: cut first */
	expect_whole(&world, "A 0 READ A 1 READ UMAX", 7);
	expect_whole(&world, "A 0 READ A 1 READ AND", 5);
	expect_whole(&world, "A 0 READ 8 OR", 13);
	expect_whole(&world, "A 0 READ 1 XOR", 4);
	expect_whole(&world, "A 0 READ 2 <<", 20);
	expect_whole(&world, "A 2 READ 63 >>", 1);
	expect_whole(&world, "A 2 READ 64 >>", 0);
	expect_whole(&world, "A 2 READ A 1 READ 60 UADD <<", 0);
	expect_whole(&world, "A 0 READ A 1 READ ULT", 1);
	expect_whole(&world, "A 0 READ 5 ULTE", 1);
	expect_whole(&world, "A 0 READ A 1 READ UGT", 0);
	expect_whole(&world, "A 0 READ 5 UGTE", 1);
	expect_whole(&world, "A 0 READ 5 ==", 1);
	expect_whole(&world, "A 0 READ 2 &&", 1);
	expect_whole(&world, "A 0 READ 0 &&", 0);
	expect_whole(&world, "$WHOLE_7", 7);
}

static void expect_below(struct world *world, const char *text)
{
	struct answer answer = evaluate(world, text);

	assert_int_equal(answer.rc, 0);
	if (answer.states[0] != (TACHO_STATE_ABSENT | TACHO_MARK_BELOW0))
		fail_msg("%s has the state 0x%x", text, answer.states[0]);
	assert_int_equal(answer.whole[0], 0);
}

/* Whole numbers are unsigned: below 0 there is none, unless more is added than is missing. */
static void test_below_zero(void **state)
{
	static const uint64_t a0 = 5, a1 = 7, a2 = 600000;
	struct world world = {.notation = "oa"};

	add_column(&world, "A0", TACHO_TYPE_U64, "", &a0);
	add_column(&world, "A1", TACHO_TYPE_U64, "", &a1);
	add_column(&world, "A2", TACHO_TYPE_U64, "", &a2);
	expect_below(&world, "A 0 READ A 1 READ USUB");
	expect_below(&world, "A 0 READ A 1 READ USUB 100 UMUL A 2 READ FDIV");
	expect_below(&world, "A 0 READ A 1 READ FSUB 100 UMUL A 2 READ FDIV");
	expect_below(&world, "A 0 READ A 1 READ USUB A 2 READ UDIV");
	expect_below(&world, "A 0 READ A 1 READ USUB 9 UMIN");
	expect_below(&world, "A 0 READ A 1 READ USUB 1 >>");
	expect_below(&world, "A 0 READ A 1 READ USUB 1 UADD");
	expect_below(&world, "9 A 0 READ A 1 READ USUB USUB 20 USUB");
	expect_below(&world, "A 0 READ 2 FDIV A 1 READ FSUB 1 UADD");
	expect_whole(&world, "A 0 READ A 1 READ USUB 2 UADD", 0);
	expect_whole(&world, "A 0 READ A 1 READ USUB 3 UMUL 7 UADD", 1);
	expect_whole(&world, "9 A 0 READ A 1 READ USUB USUB", 11);
	expect_whole(&world, "A 0 READ A 1 READ USUB 0 UMUL", 0);
	expect_whole(&world, "A 1 READ A 0 READ USUB", 2);
}

static void test_oa_types(void **state)
{
	static const uint64_t a0 = 5, a1 = 7, z = 0;
	static const double half = 2.5;
	struct world world = {.notation = "oa"};
	struct answer answer;

	add_column(&world, "A0", TACHO_TYPE_U64, "", &a0);
	add_column(&world, "A1", TACHO_TYPE_U64, "", &a1);
	add_column(&world, "A2", TACHO_TYPE_U64, "", &z);
	add_column(&world, "B0", TACHO_TYPE_F64, "", &half);
	expect_real(&world, "A 0 READ A 1 READ FADD", 12);
	expect_real(&world, "B 0 READ A 1 READ FSUB", -4.5);
	expect_real(&world, "A 0 READ A 1 READ FMUL", 35);
	expect_real(&world, "A 0 READ A 1 READ FDIV", 5.0 / 7);
	expect_real(&world, "A 0 READ B 0 READ FMAX", 5);
	expect_real(&world, "A 0 READ B 0 READ FMIN", 2.5);
	expect_whole(&world, "B 0 READ A 1 READ UADD", 9);
	expect_whole(&world, "A 0 READ 1000000000 UMUL A 1 READ UDIV", 714285714);
	answer = evaluate(&world, "A 0 READ A 2 READ UDIV");
	assert_int_equal(answer.states[0], DIV0);
	assert_int_equal(answer.whole[0], 0);
	answer = evaluate(&world, "A 0 READ A 2 READ FDIV");
	assert_int_equal(answer.states[0], DIV0);
	/* out of range: 5e18 times 5 */
	answer = evaluate(&world, "B 0 READ 2000000000000000000 FMUL A 0 READ FMUL 1 UADD");
	assert_int_equal(answer.states[0], OVERFLOW);
	answer = evaluate_typed(&world, "B 0 READ 3 FSUB", TACHO_TYPE_U64);
	assert_int_equal(answer.states[0], OK); /* -0.5 is cut to 0 */
	assert_int_equal(answer.whole[0], 0);
}

static void test_exact_sums(void **state)
{
	uint64_t data[64];
	static const uint64_t few[3] = {UINT64_C(1) << 53, 1, 1};
	struct world world = {0};
	static const double per_xcc[] = {0x1p64, 0x1p64, 0x1p64, 0x1p64};

	add_column(&world, "F", TACHO_TYPE_U64, "INSTANCE=3", few);
	add_column(&world, "X", TACHO_TYPE_U64, "XCC=4 INSTANCE=16", data);
	/* in f64 each 1 would be lost: 2^53 + 1 = 2^53 */
	expect_real(&world, "reduce(F,sum)-9007199254740992", 2);
	for (int i = 0; i < 64; i++)
		data[i] = UINT64_MAX;
	/* 64 (2^64 - 1) = 2^70 - 64, which rounds to 2^70 */
	expect_real(&world, "reduce(X,sum)", 0x1p70);
	expect_real(&world, "reduce(X,max)", 0x1p64);
	for (int i = 0; i < 64; i++)
		data[i] = UINT64_C(1) << 60; /* 16 of them: 2^64 */
	expect_list(&world, "reduce(X,sum,[DIMENSION_INSTANCE])", "XCC=4", per_xcc, 4);
	expect_real(&world, "reduce(reduce(X,sum,[DIMENSION_XCC]),max)", 0x1p62);
	/* 2^64 + 2^12 is a number of 53 bits, of which an inexact sum would lose the last */
	data[0] += 4096;
	expect_real(&world, "select(reduce(X,sum,[DIMENSION_INSTANCE]),[DIMENSION_XCC=[0]])",
		    18446744073709555712.0);
}

/* The conversions are made by hand so that they are vectorized: they must round as the CPU does. */
static void test_conversions(void **state)
{
	static const uint64_t whole[9] = {0,
					  1,
					  UINT32_MAX,
					  (UINT64_C(1) << 32) + 1,
					  (UINT64_C(1) << 53) + 1,
					  (UINT64_C(1) << 54) + 3,
					  UINT64_C(1) << 63,
					  UINT64_MAX - 1024,
					  UINT64_MAX};
	static const double real[9] = {0.75,  -0.75,	    -1,	  0x1p64, 0x1p63,
				       1e300, 4294967296.5, -0.0, 3};
	static const uint64_t cut[9] = {
		0, 0, 0, UINT64_MAX, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(1) << 32, 0, 3};
	double made[9];
	uint64_t back[9];

	tacho__kernel_to_real(9, whole, made);
	for (int i = 0; i < 9; i++)
		assert_true(made[i] == (double)whole[i]);
	assert_int_equal(tacho__kernel_to_whole(9, real, back), 1);
	assert_memory_equal(back, cut, sizeof(cut));
	assert_int_equal(tacho__kernel_to_whole(2, real, back), 0);
	assert_int_equal(tacho__kernel_has_infinite(9, real), 0);
	made[8] = strtod("inf", NULL);
	assert_int_equal(tacho__kernel_has_infinite(9, made), 1);
	made[8] = strtod("nan", NULL);
	assert_int_equal(tacho__kernel_has_infinite(9, made), 1);
	assert_int_equal(tacho__kernel_to_whole(1, &made[8], back), 1);
	assert_int_equal(back[0], 0);
}

static void test_gpa(void **state)
{
	static const char *const inputs[] = {"A", "B", "C", "D"};
	static const uint64_t a = 3, b = 4, c = 5, d = 0;
	struct world world = {.notation = "gpa", .inputs = inputs, .input_count = 4};
	struct answer answer;

	add_column(&world, "A", TACHO_TYPE_U64, "", &a);
	add_column(&world, "B", TACHO_TYPE_U64, "", &b);
	add_column(&world, "C", TACHO_TYPE_U64, "", &c);
	add_column(&world, "D", TACHO_TYPE_U64, "", &d);
	expect_real(&world, "0..3,sum4", 12);
	expect_real(&world, "0..3,max4", 5);
	expect_real(&world, "0,1,-", -1);
	expect_real(&world, "0,1,/,(100),*,(60),min", 60);
	expect_real(&world, "0,1,max", 4);
	expect_real(&world, "(1),(2),3,ifnotzero", 1);
	expect_real(&world, "(1),(2),0,ifnotzero", 2);
	expect_real(&world, "0,sum1", 3);
	answer = evaluate(&world, "0,3,/");
	assert_int_equal(answer.states[0], DIV0);
	assert_true(answer.values[0] == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_operators),
		cmocka_unit_test(test_division_by_zero),
		cmocka_unit_test(test_not_finite),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_partial_reductions),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_select),
		cmocka_unit_test(test_selected_positions),
		cmocka_unit_test(test_oa_operators),
		cmocka_unit_test(test_below_zero),
		cmocka_unit_test(test_oa_types),
		cmocka_unit_test(test_exact_sums),
		cmocka_unit_test(test_conversions),
		cmocka_unit_test(test_gpa),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
