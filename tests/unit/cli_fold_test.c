/* SPDX-License-Identifier: MIT */
/* Lists of architectures made short, the same things of several made one, and nearest names. */
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli.h"
#include "fold.h"
#include "items.h"
#include "nearest.h"

#define FOLD(...)                                          \
	cli_fold_names((const char *const[]){__VA_ARGS__}, \
		       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void assert_text(char *owned, const char *expected)
{
	assert_string_equal(owned, expected);
	free(owned);
}

static void folds_runs_of_the_last_digit(void **state)
{
	assert_text(FOLD("gfx908", "gfx90a", "gfx940", "gfx941", "gfx942"),
		    "gfx908 gfx90a gfx940-942");
	assert_text(FOLD("gfx6", "gfx7", "gfx8", "gfx9"), "gfx6-9");
	assert_text(FOLD("gfx1200", "gfx1201"), "gfx1200-1201");
	assert_text(FOLD("tglgt1", "tglgt2"), "tglgt1-2");
}

static void keeps_what_is_no_run(void **state)
{
	assert_text(FOLD("chv"), "chv");
	assert_text(FOLD("bdw", "chv"), "bdw chv");
	assert_text(FOLD("gfx9", "gfx10"), "gfx9 gfx10");
	assert_text(FOLD("gfx909", "gfx910"), "gfx909 gfx910");
	assert_text(FOLD("gfx941", "gfx940"), "gfx941 gfx940");
	assert_text(FOLD("gfx90a", "gfx90b"), "gfx90a gfx90b");
	assert_text(FOLD("6", "7"), "6 7");
	assert_text(cli_fold_names(NULL, 0), "");
}

static void names_each_once(void **state)
{
	assert_text(FOLD("gfx8", "gfx9", "gfx8", "gfx9"), "gfx8-9");
}

static void runs_of_numbers(void **state)
{
	static const char *const names[] = {"TA0_BUSY", "TA1_BUSY", "TA2_BUSY", "TA4_BUSY", "GRBM",
					    "A9",	"A10",	    "B11",	"B12_2"};

	assert_int_equal(cli_fold_get_run(names, 9, 0), 3);
	assert_int_equal(cli_fold_get_run(names, 9, 1), 2);
	assert_int_equal(cli_fold_get_run(names, 9, 3), 1);
	assert_int_equal(cli_fold_get_run(names, 9, 5), 2);
	assert_int_equal(cli_fold_get_run(names, 9, 7), 1);
	assert_int_equal(cli_fold_get_run(names, 9, 8), 1);
	assert_text(cli_fold_format_run("TA0_BUSY", "TA15_BUSY"), "TA[0-15]_BUSY");
	assert_text(cli_fold_format_run("A9", "A10"), "A[9-10]");
	assert_text(cli_fold_format_run("A9", "A9"), "A9");
	assert_text(cli_fold_format_run("GRBM", "GRBM"), "GRBM");
}

/* The same number must count on: 0_0, 0_1, 1_1 is no run. */
static void a_run_counts_in_one_place(void **state)
{
	static const char *const names[] = {"S0_0", "S0_1", "S1_1", "S2_1"};

	assert_int_equal(cli_fold_get_run(names, 4, 0), 2);
	assert_int_equal(cli_fold_get_run(names, 4, 1), 3);
}

static void things_with_one_key_are_one_item(void **state)
{
	static const struct tacho_arch archs[] = {{.name = "gfx8", .api = "cl"},
						  {.name = "gfx9", .api = "cl"},
						  {.name = "gfx9", .api = "gl"}};
	struct cli_items items = {0};

	cli_items_add(&items, &archs[0], "z0", cli_format("z"));
	cli_items_add(&items, &archs[0], "a0", cli_format("a"));
	cli_items_add(&items, &archs[1], "a1", cli_format("a"));
	cli_items_add(&items, &archs[2], "z2", cli_format("z"));
	cli_items_fold(&items);
	assert_int_equal(items.count, 2);
	assert_string_equal(items.items[0].members[0].thing, "z0");
	assert_string_equal(items.items[0].members[1].thing, "z2");
	assert_text(cli_item_format_archs(&items.items[0]), "gfx8-9");
	assert_text(cli_item_format_apis(&items.items[0]), "cl gl");
	assert_int_equal(items.items[1].count, 2);
	assert_text(cli_item_format_apis(&items.items[1]), "cl");
	cli_items_finish(&items);
}

static void nothing_folds_to_nothing(void **state)
{
	struct cli_items items = {0};

	cli_items_fold(&items);
	assert_int_equal(items.count, 0);
	cli_items_finish(&items);
}

static void keeps_the_three_nearest(void **state)
{
	struct cli_nearest nearest = {0};

	assert_text(cli_nearest_format(&nearest), "");
	cli_nearest_offer(&nearest, "gpubusi", "Wavefronts");
	assert_text(cli_nearest_format(&nearest), "did you mean Wavefronts?");
	cli_nearest_offer(&nearest, "gpubusi", "GPUBusy");
	cli_nearest_offer(&nearest, "gpubusi", "GPUBusy");
	assert_text(cli_nearest_format(&nearest), "did you mean GPUBusy or Wavefronts?");
	cli_nearest_offer(&nearest, "gpubusi", "CPUBusy");
	cli_nearest_offer(&nearest, "gpubusi", "TexBusy");
	cli_nearest_offer(&nearest, "gpubusi", "a_name_that_has_nothing_in_common");
	assert_text(cli_nearest_format(&nearest), "did you mean GPUBusy, CPUBusy or TexBusy?");
}

static void a_name_that_holds_the_word_is_near(void **state)
{
	struct cli_nearest nearest = {0};

	cli_nearest_offer(&nearest, "stalled", "stolen");
	cli_nearest_offer(&nearest, "stalled", "MemUnitStalled");
	assert_string_equal(nearest.names[0], "MemUnitStalled");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folds_runs_of_the_last_digit),
		cmocka_unit_test(keeps_what_is_no_run),
		cmocka_unit_test(names_each_once),
		cmocka_unit_test(runs_of_numbers),
		cmocka_unit_test(a_run_counts_in_one_place),
		cmocka_unit_test(things_with_one_key_are_one_item),
		cmocka_unit_test(nothing_folds_to_nothing),
		cmocka_unit_test(keeps_the_three_nearest),
		cmocka_unit_test(a_name_that_holds_the_word_is_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
