/* SPDX-License-Identifier: MIT */
/* Results and shapes: columns, states, positions, what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "model/result.h"
#include "model/row.h"
#include "model/shape.h"
#include "tacho/error.h"

static const struct tacho_dimension two_by_three[] = {{"DIMENSION_XCC", 2, NULL},
						      {"DIMENSION_INSTANCE", 3, NULL}};

static void test_shape(void **state)
{
	static const uint32_t kept[] = {1, 4, 6};
	struct tacho_dimension selected[] = {two_by_three[0], {"WGP", 3, kept}};
	struct tacho_dimension big[] = {{"A", 65536, NULL}, {"B", 32768, NULL}, {"C", 2, NULL}};
	uint32_t at[2];

	assert_int_equal(tacho__shape_count(NULL, 0), 1);
	assert_int_equal(tacho__shape_count(two_by_three, 2), 6);
	assert_true(tacho__shape_count(big, 2) == (size_t)1 << 31);
	assert_int_equal(tacho__shape_count(big, 3), 0);
	big[1].extent = 0;
	assert_int_equal(tacho__shape_count(big, 3), 0);
	assert_int_equal(tacho__shape_find(two_by_three, 2, "DIMENSION_INSTANCE"), 1);
	assert_int_equal(tacho__shape_find(two_by_three, 2, "DIMENSION_AID"), -1);
	/* the last dimension runs fastest: 0,0 0,1 0,2 1,0 1,1 */
	tacho__shape_position(two_by_three, 2, 4, at);
	assert_int_equal(at[0], 1);
	assert_int_equal(at[1], 1);
	tacho__shape_position(selected, 2, 5, at);
	assert_int_equal(at[0], 1);
	assert_int_equal(at[1], 6);
}

static void test_states_worsen(void **state)
{
	assert_int_equal(tacho__state_worse(TACHO_STATE_LOST, TACHO_STATE_SCALED),
			 TACHO_STATE_LOST);
	assert_int_equal(tacho__state_worse(TACHO_STATE_OK | TACHO_MARK_DIV0, TACHO_STATE_ABSENT),
			 TACHO_STATE_ABSENT | TACHO_MARK_DIV0);
	assert_string_equal(tacho_state_to_string(TACHO_STATE_SCALED | TACHO_MARK_DIV0), "scaled");
	assert_string_equal(tacho_state_to_string(TACHO_STATE_ABSENT), "absent");
	assert_string_equal(tacho_state_to_string(9), "unknown");
}

static void test_columns(void **state)
{
	char name[] = "TCC_HIT";
	struct tacho_column info = {.name = name,
				    .type = TACHO_TYPE_U64,
				    .dimension_count = 2,
				    .dimensions = {two_by_three[0], two_by_three[1]}};
	struct tacho_result *result = NULL;
	const struct tacho_column *column;
	const uint8_t present = 0x2f; /* all but number 4 */
	const struct tacho_row row = {.id = 77, .name = "copy"};
	uint8_t *states, *again;
	uint64_t *values;
	double *coverage;
	void *data = NULL;

	assert_int_equal(tacho__result_create(2, &result), 0);
	assert_int_equal(tacho_result_get_row(result, 1)->id, 1);
	assert_string_equal(tacho_result_get_row(result, 1)->name, "");
	assert_null(tacho_result_get_row(result, 2));
	assert_int_equal(tacho__result_set_row(result, 1, &row), 0);
	assert_int_equal(tacho__result_set_row(result, 2, &row), TACHO_E_INVAL);
	assert_int_equal(tacho_result_get_row(result, 1)->id, 77);
	assert_string_equal(tacho_result_get_row(result, 1)->name, "copy");
	assert_string_equal(tacho_result_get_row(result, 1)->device, "");
	assert_string_equal(tacho_row_kind_to_string(TACHO_ROW_WINDOW), "window");
	assert_string_equal(tacho_row_kind_to_string(TACHO_ROW_TRANSFER), "transfer");

	assert_int_equal(tacho__result_add_column(result, &info, &data), 0);
	name[0] = 'X'; /* it was copied */
	values = data;
	assert_int_equal(values[11], 0);
	values[11] = UINT64_MAX;
	column = tacho_result_find_column(result, "TCC_HIT");
	assert_non_null(column);
	assert_ptr_equal(column, tacho_result_get_column(result, 0));
	assert_null(tacho_result_get_column(result, 1));
	assert_null(tacho_result_find_column(result, "XCC_HIT"));
	assert_int_equal(column->instance_count, 6);
	assert_string_equal(column->unit, "");
	assert_int_equal(tacho_column_get_state(column, 1, 5), TACHO_STATE_OK);
	assert_true(tacho_column_get_value(column, 1, 5) == 18446744073709551616.0);
	assert_true(tacho_column_is_present(column, 4));

	assert_int_equal(tacho__result_add_states(result, &states), 0);
	states[11] = TACHO_STATE_ABSENT;
	assert_int_equal(tacho__result_add_states(result, &again), 0);
	assert_ptr_equal(states, again);
	assert_true(tacho_column_get_value(column, 1, 5) == 0);
	assert_int_equal(tacho_column_get_state(column, 1, 5), TACHO_STATE_ABSENT);
	assert_int_equal(tacho__result_add_coverage(result, &coverage), 0);
	assert_true(coverage[11] == 1);
	assert_int_equal(tacho__result_set_present(result, &present), 0);
	assert_false(tacho_column_is_present(column, 4));
	assert_true(tacho_column_is_present(column, 5));
	tacho_result_destroy(result);
	tacho_result_destroy(NULL);
}

static void test_refused(void **state)
{
	struct tacho_column column = {.name = "A", .dimension_count = 1};
	struct tacho_result *result = NULL;
	void *data = &column;

	assert_int_equal(tacho__result_create(1, &result), 0);
	column.dimensions[0] = (struct tacho_dimension){"D", 0, NULL};
	assert_int_equal(tacho__result_add_column(result, &column, &data), TACHO_E_INVAL);
	column.dimension_count = TACHO_DIMENSION_MAX + 1;
	assert_int_equal(tacho__result_add_column(result, &column, &data), TACHO_E_INVAL);
	assert_ptr_equal(data, &column); /* untouched */
	column.dimension_count = 0;
	assert_int_equal(tacho__result_add_column(result, &column, &data), 0);
	assert_int_equal(tacho__result_add_column(result, &column, &data), TACHO_E_EXISTS);
	assert_non_null(strstr(tacho_error_last()->message, "name A"));
	assert_int_equal(result->column_count, 1);
	tacho_result_destroy(result);
}

static void test_many_columns(void **state)
{
	struct tacho_result *result = NULL;
	char name[16];
	void *data;

	assert_int_equal(tacho__result_create(1, &result), 0);
	for (int i = 0; i < 500; i++) {
		struct tacho_column info = {.name = name, .type = TACHO_TYPE_F64};

		snprintf(name, sizeof(name), "C%d", i);
		assert_int_equal(tacho__result_add_column(result, &info, &data), 0);
		*(double *)data = i;
	}
	for (int i = 0; i < 500; i++) {
		const struct tacho_column *column;

		snprintf(name, sizeof(name), "C%d", i);
		column = tacho_result_find_column(result, name);
		assert_non_null(column);
		assert_true(tacho_column_get_value(column, 0, 0) == i);
	}
	tacho_result_destroy(result);
}

static void test_constants(void **state)
{
	struct tacho_result *result = NULL;

	assert_int_equal(tacho__result_create(1, &result), 0);
	assert_int_equal(tacho__result_set_constant(result, "CU_NUM", 104), 0);
	assert_int_equal(tacho__result_set_constant(result, "SE_NUM", 8), 0);
	assert_int_equal(tacho__result_set_constant(result, "CU_NUM", 110), 0);
	assert_int_equal(result->constant_count, 2);
	assert_true(result->constants[0].value == 110);
	assert_int_equal(tacho__result_add_expression(result, "M", "A+B"), 0);
	assert_int_equal(tacho__result_add_expression(result, "M", "A-B"), TACHO_E_EXISTS);
	assert_string_equal(result->expressions[0].expression, "A+B");
	tacho_result_destroy(result);
}

/* A row is written in place, also where two columns have the same name; a copy stays as it was. */
static void test_row(void **state)
{
	static const struct tacho_entry entries[] = {
		{.name = "a", .unit = "bytes", .type = TACHO_TYPE_U64},
		{.name = "b", .unit = "", .type = TACHO_TYPE_F64},
		{.name = "a", .unit = "items", .type = TACHO_TYPE_U64},
	};
	struct tacho__arena arena = {0};
	const struct tacho_column *first, *last;
	struct tacho__row row, copy;
	struct tacho_result *result;

	assert_int_equal(tacho__row_create(entries, NULL, 3, &row, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 1);
	assert_int_equal(tacho_result_get_column_count(result), 3);
	first = tacho_result_find_column(result, "a");
	last = tacho_result_get_column(result, 2);
	assert_ptr_equal(first, tacho_result_get_column(result, 0));
	assert_string_equal(last->unit, "items");
	assert_int_equal(tacho_column_get_state(last, 0, 0), TACHO_STATE_ABSENT);

	tacho__row_put(&row, 0, (union tacho__number){.u64 = 5});
	tacho__row_put(&row, 1, (union tacho__number){.f64 = 0.5});
	tacho__row_miss(&row, 2, "no transfer", TACHO_MARK_FOREIGN);
	row.coverage[1] = 0.25;
	assert_true(first->data.u64[0] == 5);
	assert_true(tacho_column_get_value(tacho_result_get_column(result, 1), 0, 0) == 0.5);
	assert_true(tacho_column_get_coverage(tacho_result_get_column(result, 1), 0, 0) == 0.25);
	assert_int_equal(last->states[0], TACHO_STATE_ABSENT | TACHO_MARK_FOREIGN);
	assert_string_equal(tacho_column_get_note(last, 0, 0), "no transfer");

	assert_int_equal(tacho__row_copy(result, &arena, &copy), 0);
	tacho__row_miss_all(&row, "later", 0);
	assert_true(copy.numbers[0].u64 == 5 && copy.coverage[1] == 0.25);
	assert_int_equal(tacho__row_count(&copy, 1), 1);
	assert_int_equal(tacho__row_count(&copy, 2), 0); /* nothing is there */
	tacho__row_take_missing(&row, &copy, 0);
	assert_int_equal(tacho_column_get_state(first, 0, 0), TACHO_STATE_OK);
	assert_string_equal(tacho_column_get_note(first, 0, 0), "");
	assert_int_equal(tacho_column_get_state(last, 0, 0), TACHO_STATE_ABSENT);
	tacho__arena_finish(&arena);
	tacho_result_destroy(result);
}

/* Instances lie behind each other; one that another row lacks too stays missing. */
static void test_row_of_instances(void **state)
{
	static const struct tacho_entry entries[] = {
		{.name = "one", .unit = "", .type = TACHO_TYPE_U64},
		{.name = "each", .unit = "", .type = TACHO_TYPE_F64},
		{.name = "last", .unit = "", .type = TACHO_TYPE_U64},
	};
	static const uint8_t present[] = {0x0b};
	static const struct tacho_column shape = {
		.dimension_count = 2,
		.dimensions = {{.name = "X", .extent = 2}, {.name = "Y", .extent = 2}},
		.instance_count = 4,
		.present = present,
	};
	static const struct tacho_column *const shapes[] = {NULL, &shape, NULL};
	struct tacho__arena arena = {0};
	const struct tacho_column *each;
	struct tacho__row row, copy;
	struct tacho_result *result;

	(void)state;
	assert_int_equal(tacho__row_create(entries, shapes, 3, &row, &result), 0);
	each = tacho_result_get_column(result, 1);
	assert_string_equal(each->name, "each");
	assert_int_equal(each->instance_count, 4);
	assert_int_equal(each->type, TACHO_TYPE_F64);
	assert_int_equal(tacho_column_is_present(each, 2), 0);
	assert_int_equal(row.firsts[2], 5);
	tacho__row_put(&row, row.firsts[1] + 3, (union tacho__number){.f64 = 3.5});
	tacho__row_put(&row, row.firsts[2], (union tacho__number){.u64 = 9});
	assert_true(tacho_column_get_value(each, 0, 3) == 3.5);
	assert_int_equal(tacho_column_get_state(each, 0, 0), TACHO_STATE_ABSENT);
	assert_true(tacho_result_get_column(result, 2)->data.u64[0] == 9);

	assert_int_equal(tacho__row_copy(result, &arena, &copy), 0);
	assert_int_equal(tacho__row_count(&copy, 0), 0);
	assert_int_equal(tacho__row_count(&copy, 1), 4);
	tacho__row_miss_all(&row, "later", 0);
	tacho__row_put(&row, row.firsts[1], (union tacho__number){.f64 = 7});
	tacho__row_take_missing(&row, &copy, 1);
	assert_true(tacho_column_get_value(each, 0, 0) == 7);
	assert_true(tacho_column_get_value(each, 0, 3) == 3.5);
	assert_int_equal(tacho_column_get_state(each, 0, 1), TACHO_STATE_ABSENT);
	assert_string_equal(tacho_column_get_note(each, 0, 1), "later");
	tacho__arena_finish(&arena);
	tacho_result_destroy(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shape),	     cmocka_unit_test(test_states_worsen),
		cmocka_unit_test(test_columns),	     cmocka_unit_test(test_refused),
		cmocka_unit_test(test_many_columns), cmocka_unit_test(test_constants),
		cmocka_unit_test(test_row),	     cmocka_unit_test(test_row_of_instances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
