/* SPDX-License-Identifier: MIT */
/* Metrics from values. All expected numbers are worked out by hand beside the case. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "catalog/arch.h"
#include "model/result.h"
#include "tacho/error.h"
#include "tacho/formula.h"

static struct tacho_catalog *catalog;
static const struct tacho_arch *arch;
static struct tacho_model model;
static struct tacho_result *values, *result;
static struct tacho_formula_problem problem;

static void add_entry(struct tacho__arch *own, const struct tacho_entry *entry)
{
	assert_int_equal(tacho__arch_add_entry(own, entry, TACHO__ADD_NEW), 0);
}

static const char *const aliases[] = {"Busy"}, *const rpn_inputs[] = {"GUI", "WAVES"};
static const struct tacho_property properties[] = {{"CUS", 4}, {"mask", 2}};
static const struct tacho_entry entries[] = {
	{.name = "GUI", .kind = TACHO_ENTRY_COUNTER, .unit = "cycles"},
	{.name = "WAVES", .kind = TACHO_ENTRY_COUNTER, .unit = "wavefronts"},
	{.name = "OTHER", .kind = TACHO_ENTRY_COUNTER},
	{.name = "ANOTHER", .kind = TACHO_ENTRY_COUNTER},
	{.name = "CUS", .kind = TACHO_ENTRY_CONSTANT},
	{.name = "mask", .kind = TACHO_ENTRY_CONSTANT},
	{.name = "unset", .kind = TACHO_ENTRY_CONSTANT},
	{.name = "BusyRate",
	 .kind = TACHO_ENTRY_METRIC,
	 .unit = "percent",
	 .notation = "infix",
	 .expression = "100*Total/(GUI*CUS)",
	 .aliases = aliases,
	 .alias_count = 1},
	{.name = "Total", .kind = TACHO_ENTRY_METRIC, .expression = "reduce(WAVES,sum)"},
	{.name = "Needy",
	 .kind = TACHO_ENTRY_METRIC,
	 .expression = "OTHER/(Total+ANOTHER)+OTHER+unset"},
	{.name = "Unfit", .kind = TACHO_ENTRY_METRIC, .expression = "WAVES+SHAPED"},
	{.name = "SHAPED", .kind = TACHO_ENTRY_COUNTER},
	{.name = "Secret", .kind = TACHO_ENTRY_METRIC, .caveat = "The maker keeps it."},
	{.name = "Rpn",
	 .kind = TACHO_ENTRY_METRIC,
	 .notation = "gpa",
	 .expression = "0,(2),*",
	 .inputs = rpn_inputs,
	 .input_count = 2},
	{.name = "Cut",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_U64,
	 .notation = "oa",
	 .expression = "$GUI 4 FDIV"},
	{.name = "Negative",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_U64,
	 .notation = "oa",
	 .expression = "$GUI $Half FSUB"},
	{.name = "Half",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_F64,
	 .notation = "oa",
	 .expression = "$GUI 2 FMUL 1 2 FDIV FADD"},
	{.name = "There",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_U64,
	 .notation = "oa",
	 .expression = "$GUI",
	 .availability = "$mask 2 AND"},
	{.name = "NotThere",
	 .kind = TACHO_ENTRY_METRIC,
	 .type = TACHO_TYPE_U64,
	 .notation = "oa",
	 .expression = "$GUI",
	 .availability = "$mask 1 AND"},
};

/* Two units with two instances each, the shape of "WAVES" below. */
static int setup(void **state)
{
	struct tacho_arch info = {.name = "alpha", .api = "cl"};
	struct tacho__arch *own;

	assert_int_equal(tacho__catalog_create(&catalog), 0);
	assert_int_equal(tacho__catalog_add_arch(catalog, &info, &own), 0);
	arch = tacho__arch_public(own);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(entries); i++)
		add_entry(own, &entries[i]);
	model = (struct tacho_model){.name = "m", .properties = properties, .property_count = 2};
	return 0;
}

static int teardown(void **state)
{
	tacho_result_destroy(values);
	tacho_result_destroy(result);
	values = result = NULL;
	tacho_catalog_close(catalog);
	return 0;
}

/* Two launches: GUI 10 and 0, WAVES 1 2 3 4 and 5 6 7 8 over 2 x 2. */
static void make_values(void)
{
	static const uint64_t gui[] = {10, 0}, waves[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct tacho_column column = {.name = "GUI", .type = TACHO_TYPE_U64, .unit = "cycles"};
	void *to;

	assert_int_equal(tacho__result_create(2, &values), 0);
	assert_int_equal(
		tacho__result_set_row(values, 0, &(struct tacho_row){.id = 7, .name = "first"}), 0);
	assert_int_equal(
		tacho__result_set_row(values, 1, &(struct tacho_row){.id = 9, .name = "second"}),
		0);
	assert_int_equal(tacho__result_add_column(values, &column, &to), 0);
	memcpy(to, gui, sizeof(gui));
	column = (struct tacho_column){
		.name = "WAVES",
		.dimension_count = 2,
		.dimensions = {{"DIMENSION_XCC", 2, NULL}, {"DIMENSION_INSTANCE", 2, NULL}}};
	assert_int_equal(tacho__result_add_column(values, &column, &to), 0);
	memcpy(to, waves, sizeof(waves));
}

static void add_shaped(void)
{
	struct tacho_column column = {
		.name = "SHAPED", .dimension_count = 1, .dimensions = {{"DIMENSION_XCC", 3, NULL}}};
	void *to;

	assert_int_equal(tacho__result_add_column(values, &column, &to), 0);
}

static int derive(const struct tacho_formula *formulas, size_t count, int with_model, int strict)
{
	struct tacho_derive_options options = {.size = sizeof(options),
					       .arch = arch,
					       .model = with_model ? &model : NULL,
					       .strict = (uint32_t)strict};

	tacho_result_destroy(result);
	result = NULL;
	return tacho_result_derive(values, formulas, count, &options, &result, &problem);
}

static int derive_one(const char *name, const char *expression)
{
	return derive(&(struct tacho_formula){.name = name, .expression = expression}, 1, 1, 0);
}

static const struct tacho_column *column_of(size_t index)
{
	const struct tacho_column *column = tacho_result_get_column(result, index);

	assert_non_null(column);
	return column;
}

static void test_metric(void **state)
{
	const struct tacho_column *column;

	make_values();
	assert_int_equal(derive_one("BusyRate", NULL), 0);
	column = column_of(0);
	assert_null(tacho_result_get_column(result, 1));
	assert_string_equal(column->name, "BusyRate");
	assert_string_equal(column->unit, "percent");
	assert_int_equal(column->dimension_count, 0);
	/* 100 * (1 + 2 + 3 + 4) / (10 * 4) */
	assert_true(tacho_column_get_value(column, 0, 0) == 25);
	assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_OK);
	/* 100 * 26 / (0 * 4): 0, marked */
	assert_true(tacho_column_get_value(column, 1, 0) == 0);
	assert_int_equal(tacho_column_get_state(column, 1, 0), TACHO_MARK_DIV0);
	assert_int_equal(tacho_result_get_row_count(result), 2);
	assert_int_equal(tacho_result_get_row(result, 1)->id, 9);
	assert_string_equal(tacho_result_get_row(result, 0)->name, "first");
	/* by its alias and with another unit; strict */
	assert_int_equal(derive(&(struct tacho_formula){.name = "Busy", .unit = "%"}, 1, 1, 1), 0);
	assert_string_equal(column_of(0)->name, "Busy");
	assert_string_equal(column_of(0)->unit, "%");
	assert_int_equal(tacho_column_get_state(column_of(0), 1, 0) & TACHO_STATE_MASK,
			 TACHO_STATE_ABSENT);
}

static void test_expression(void **state)
{
	static const struct tacho_formula formulas[] = {
		{.name = "a", .expression = "reduce(WAVES,max,[DIMENSION_INSTANCE])*BusyRate"},
		{.name = "b", .expression = "1,0,-", .notation = "gpa", .unit = "x"},
		{.name = "WAVES"},
	};

	make_values();
	assert_int_equal(derive(formulas, 3, 1, 0), 0);
	assert_int_equal(column_of(0)->instance_count, 2);
	assert_string_equal(column_of(0)->dimensions[0].name, "DIMENSION_XCC");
	assert_true(tacho_column_get_value(column_of(0), 0, 0) == 50); /* 2 * 25 */
	assert_true(tacho_column_get_value(column_of(0), 0, 1) == 100);
	/* inputs are the columns in their order: WAVES - GUI */
	assert_int_equal(column_of(1)->instance_count, 4);
	assert_true(tacho_column_get_value(column_of(1), 0, 3) == -6);
	assert_true(tacho_column_get_value(column_of(1), 1, 0) == 5);
	assert_string_equal(column_of(1)->unit, "x");
	/* a counter is copied, with the unit of its definition */
	assert_int_equal(column_of(2)->type, TACHO_TYPE_U64);
	assert_int_equal(column_of(2)->data.u64[7], 8);
	assert_string_equal(column_of(2)->unit, "wavefronts");
	assert_null(column_of(2)->states);
}

static void test_order_of_names(void **state)
{
	struct tacho_column column = {.name = "Total", .type = TACHO_TYPE_F64};
	void *to;

	make_values();
	/* a constant of the values goes before the model's: 100 * 10 / (10 * 2) */
	assert_int_equal(tacho__result_set_constant(values, "CUS", 2), 0);
	assert_int_equal(derive_one("BusyRate", NULL), 0);
	assert_true(tacho_column_get_value(column_of(0), 0, 0) == 50);
	/* a column goes before the architecture's metric: 100 * 40 / 20 */
	assert_int_equal(tacho__result_add_column(values, &column, &to), 0);
	((double *)to)[0] = 40;
	assert_int_equal(derive_one("BusyRate", NULL), 0);
	assert_true(tacho_column_get_value(column_of(0), 0, 0) == 200);
	assert_int_equal(derive_one("Total", NULL), 0);
	assert_true(tacho_column_get_value(column_of(0), 0, 0) == 40);
	/* an expression of the values goes before the architecture's: 10 + 4 */
	assert_int_equal(tacho__result_add_expression(values, "BusyRate", "GUI+4"), 0);
	assert_int_equal(derive_one("BusyRate", NULL), 0);
	assert_true(tacho_column_get_value(column_of(0), 0, 0) == 14);
	assert_int_equal(derive_one("x", "BusyRate+Total"), 0);
	assert_true(tacho_column_get_value(column_of(0), 0, 0) == 54);
	/* constants by their names: the values', the model's */
	assert_int_equal(derive_one("CUS", NULL), 0);
	assert_true(tacho_column_get_value(column_of(0), 1, 0) == 2);
	assert_int_equal(derive_one("mask", NULL), 0);
	assert_true(tacho_column_get_value(column_of(0), 1, 0) == 2);
}

static void expect_absent(size_t index, const char *note)
{
	const struct tacho_column *column = column_of(index);

	assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_ABSENT);
	assert_int_equal(tacho_column_get_state(column, 1, 0), TACHO_STATE_ABSENT);
	assert_string_equal(column->note, note);
}

static void test_missing(void **state)
{
	static const struct tacho_formula formulas[] = {
		{.name = "Needy"}, {.name = "Total"}, {.name = "OTHER"}, {.name = "Secret"}};

	make_values();
	assert_int_equal(derive(formulas, 4, 1, 0), 0);
	expect_absent(0, "the values lack OTHER, ANOTHER, unset");
	assert_true(tacho_column_get_value(column_of(1), 1, 0) == 26);
	expect_absent(2, "the values lack OTHER");
	expect_absent(3, "no expression of Secret is published");
	/* without a model the constant is missing too */
	assert_int_equal(derive(&(struct tacho_formula){.name = "BusyRate"}, 1, 0, 0), 0);
	expect_absent(0, "the values lack CUS");
	/* in an expression it is an error */
	assert_int_equal(derive_one("x", "GUI+Needy"), TACHO_E_NOTFOUND);
	assert_null(result);
	assert_string_equal(problem.stage, "resolve");
	assert_string_equal(problem.metric, "Needy");
	assert_int_equal(problem.column, 1);
	assert_non_null(strstr(problem.message, "OTHER"));
}

static void test_unknown(void **state)
{
	make_values();
	assert_int_equal(derive_one("Totl", NULL), TACHO_E_NOTFOUND);
	assert_string_equal(problem.stage, "resolve");
	assert_non_null(strstr(problem.message, "\"Totl\""));
	assert_non_null(strstr(tacho_error_last()->cure, "Total"));
	assert_int_equal(derive_one("x", "1 + Totl"), TACHO_E_NOTFOUND);
	assert_int_equal(problem.column, 5);
	assert_string_equal(problem.metric, "");
	assert_int_equal(derive_one("x", "1 +"), TACHO_E_PARSE);
	assert_string_equal(problem.stage, "parse");
	/* the problem may be unwanted, and there may be no architecture */
	assert_int_equal(
		tacho_result_derive(values, &(struct tacho_formula){.name = "x", .expression = "y"},
				    1, NULL, &result, NULL),
		TACHO_E_NOTFOUND);
	assert_int_equal(tacho_result_derive(values, &(struct tacho_formula){.name = "GUI"}, 1,
					     &(struct tacho_derive_options){0}, &result, NULL),
			 TACHO_E_INVAL);
	assert_null(result);
}

static void test_shapes(void **state)
{
	static const struct tacho_formula formulas[] = {{.name = "Unfit"}, {.name = "Total"}};

	make_values();
	add_shaped();
	/* one metric whose operands do not fit does not cost the others */
	assert_int_equal(derive(formulas, 2, 1, 0), 0);
	assert_int_equal(tacho_column_get_state(column_of(0), 0, 0), TACHO_STATE_ABSENT);
	assert_non_null(strstr(column_of(0)->note, "DIMENSION_XCC"));
	assert_true(tacho_column_get_value(column_of(1), 0, 0) == 10);
	/* an expression does */
	assert_int_equal(derive_one("x", "WAVES+SHAPED"), TACHO_E_INVAL);
	assert_string_equal(problem.stage, "shape");
	assert_int_equal(problem.column, 6);
}

static void test_types(void **state)
{
	static const struct tacho_formula formulas[] = {
		{.name = "Cut"}, {.name = "Negative"}, {.name = "Half"}, {.name = "Rpn"}};

	make_values();
	assert_int_equal(derive(formulas, 4, 1, 0), 0);
	assert_int_equal(column_of(0)->type, TACHO_TYPE_U64);
	assert_int_equal(column_of(0)->data.u64[0], 2); /* 10 / 4 = 2.5, cut */
	assert_int_equal(tacho_column_get_state(column_of(1), 0, 0),
			 TACHO_STATE_ABSENT | TACHO_MARK_BELOW0);
	assert_int_equal(column_of(2)->type, TACHO_TYPE_F64);
	assert_true(column_of(2)->data.f64[0] == 20.5);
	assert_int_equal(column_of(3)->type, TACHO_TYPE_F64);
	assert_true(column_of(3)->data.f64[0] == 20);
}

static void test_availability(void **state)
{
	static const struct tacho_formula formulas[] = {{.name = "There"}, {.name = "NotThere"}};

	make_values();
	assert_int_equal(derive(formulas, 2, 1, 0), 0); /* mask is 2 */
	assert_int_equal(column_of(0)->data.u64[0], 10);
	assert_int_equal(tacho_column_get_state(column_of(1), 0, 0), TACHO_STATE_ABSENT);
	assert_non_null(strstr(column_of(1)->note, "device"));
	/* nobody knows the mask: the values speak */
	assert_int_equal(derive(formulas, 2, 0, 0), 0);
	assert_int_equal(column_of(1)->data.u64[0], 10);
}

static void test_states(void **state)
{
	uint8_t present = 0x7, *states; /* the last of four does not exist */
	double *coverage;

	make_values();
	assert_int_equal(tacho__result_add_states(values, &states), 0);
	states[1] = TACHO_STATE_SCALED;
	assert_int_equal(tacho__result_add_coverage(values, &coverage), 0);
	for (int i = 0; i < 8; i++)
		coverage[i] = i == 1 ? 0.25 : 1;
	assert_int_equal(tacho__result_set_present(values, &present), 0);
	assert_int_equal(derive((struct tacho_formula[]){{.name = "Total"},
							 {.name = "WAVES"},
							 {.name = "GUI"}},
				3, 1, 0),
			 0);
	assert_true(tacho_column_get_value(column_of(0), 0, 0) == 6); /* 1 + 2 + 3 */
	assert_int_equal(tacho_column_get_state(column_of(0), 0, 0), TACHO_STATE_SCALED);
	assert_int_equal(tacho_column_get_state(column_of(0), 1, 0), TACHO_STATE_OK);
	assert_true(column_of(0)->coverage[0] == 0.25);
	assert_int_equal(tacho_column_get_state(column_of(1), 0, 1), TACHO_STATE_SCALED);
	assert_true(column_of(1)->coverage[1] == 0.25);
	assert_int_equal(tacho_column_is_present(column_of(1), 3), 0);
	assert_int_equal(tacho_column_is_present(column_of(1), 2), 1);
}

static void test_nothing(void **state)
{
	assert_int_equal(tacho__result_create(0, &values), 0); /* no rows, no columns */
	assert_int_equal(derive_one("x", "1+1"), 0);
	assert_int_equal(tacho_result_get_row_count(result), 0);
	assert_int_equal(derive(NULL, 0, 1, 0), 0);
	assert_null(tacho_result_get_column(result, 0));
	assert_int_equal(derive((struct tacho_formula[]){{.name = "x", .expression = "1"},
							 {.name = "x", .expression = "2"}},
				2, 1, 0),
			 TACHO_E_EXISTS);
}

static void test_scope(void **state)
{
	struct tacho__arch_scope scope;
	struct tacho__definition found;

	tacho__arch_scope_init(&scope, arch, &model);
	assert_int_equal(scope.scope.find(scope.scope.user, "GUI", &found), 0);
	assert_int_equal(found.meaning, TACHO__MEANS_COLUMN);
	assert_int_equal(scope.scope.find(scope.scope.user, "Busy", &found), 0);
	assert_int_equal(found.meaning, TACHO__MEANS_EXPRESSION);
	assert_string_equal(found.name, "BusyRate");
	assert_int_equal(found.type, -1);
	assert_int_equal(scope.scope.find(scope.scope.user, "Cut", &found), 0);
	assert_int_equal(found.type, TACHO_TYPE_U64);
	assert_int_equal(scope.scope.find(scope.scope.user, "CUS", &found), 0);
	assert_int_equal(found.meaning, TACHO__MEANS_WHOLE);
	assert_int_equal(found.whole, 4);
	assert_int_equal(scope.scope.find(scope.scope.user, "unset", &found), TACHO_E_NOTFOUND);
	assert_int_equal(scope.scope.find(scope.scope.user, "gui", &found), TACHO_E_NOTFOUND);
	assert_int_equal(scope.scope.find(scope.scope.user, "Secret", &found), TACHO_E_NOTFOUND);
	tacho__arch_scope_init(&scope, arch, NULL);
	assert_int_equal(scope.scope.find(scope.scope.user, "unset", &found), 0);
	assert_int_equal(found.meaning, TACHO__MEANS_COLUMN);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	static const struct CMUnitTest tests[] = {
		TEST(test_metric),  TEST(test_expression),   TEST(test_order_of_names),
		TEST(test_missing), TEST(test_unknown),	     TEST(test_shapes),
		TEST(test_types),   TEST(test_availability), TEST(test_states),
		TEST(test_nothing), TEST(test_scope),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
