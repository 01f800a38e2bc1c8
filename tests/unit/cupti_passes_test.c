/* SPDX-License-Identifier: MIT */
/*
 * How many passes NVIDIA's own library makes, of metrics by the hundred and each alone: what is
 * known of CUPTI 13.0, and of other versions that the numbers fit together. Skipped where CUPTI is
 * not installed. It is the library that takes its time: half a second of some chips here, all of
 * them with TACHO_LONG=1.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cupti/cupti_host.h"
#include "rounds.h"
#include "tacho/error.h"

enum { METRICS_MAX = 1 << 13, PASSES_MAX = 16 };

/* A chip with a whole name for each base, in the library's order. */
struct chip {
	const char *name;
	void *host;
	struct tacho__arena arena;
	const char *metrics[METRICS_MAX];
	size_t count;
};

static const struct tacho__cupti *cupti;

static bool is_long(void)
{
	return rounds_of(0, 0, 1);
}

static bool is_13_0(void)
{
	return !strncmp(cupti->version_text, "13.0.", 5);
}

/* What a base means by itself, if it has that. */
static const char *choose_ending(enum tacho__cupti_type type,
				 const struct tacho__cupti_names *endings)
{
	static const char *const usual[] = {".sum", ".ratio", ".avg.pct_of_peak_sustained_elapsed"};

	for (size_t i = 0; i < endings->count; i++)
		if (!strcmp(endings->names[i], usual[type]))
			return endings->names[i];
	assert_true(endings->count > 0);
	return endings->names[0];
}

static void add_metrics(struct chip *chip, enum tacho__cupti_type type)
{
	struct tacho__cupti_names bases, endings;

	assert_int_equal(tacho__cupti_list_bases(chip->host, type, &chip->arena, &bases), 0);
	for (size_t i = 0; i < bases.count; i++) {
		const char *ending;
		char *whole;

		assert_int_equal(tacho__cupti_list_endings(chip->host, type, bases.names[i],
							   &chip->arena, &endings),
				 0);
		ending = choose_ending(type, &endings);
		whole = tacho__arena_get(&chip->arena, strlen(bases.names[i]) + strlen(ending) + 1);
		assert_non_null(whole);
		assert_true(chip->count < METRICS_MAX);
		sprintf(whole, "%s%s", bases.names[i], ending);
		chip->metrics[chip->count++] = whole;
	}
}

static struct chip *open_chip(const char *name)
{
	struct chip *chip = calloc(1, sizeof(*chip));

	assert_non_null(chip);
	chip->name = name;
	assert_int_equal(tacho__cupti_host_open(TACHO__CUPTI_RANGES, name, NULL, &chip->host), 0);
	for (int type = 0; type < TACHO__CUPTI_TYPE_COUNT; type++)
		add_metrics(chip, (enum tacho__cupti_type)type);
	return chip;
}

static void close_chip(struct chip *chip)
{
	tacho__cupti_host_close(chip->host);
	tacho__arena_finish(&chip->arena);
	free(chip);
}

/* 0: the library does not do it. */
static size_t count_passes(const char *chip, const char *const *metrics, size_t count)
{
	struct tacho__cupti_config config;

	if (tacho__cupti_make_config(TACHO__CUPTI_RANGES, chip, metrics, count, &config))
		return 0;
	free(config.bytes);
	return config.pass_count;
}

/* Counted by what the whole device has, or by another domain than a context's. */
static bool is_of_context(const char *metric)
{
	static const char *const others[] = {"pcie__", "nvlrx__", "nvltx__", "ctc__", "Triage"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strstr(metric, others[i]))
			return false;
	return true;
}

static void expect(const char *chip, const char *what, size_t count, size_t passes,
		   size_t expected_count, size_t expected_passes)
{
	print_message("%s, %s: %zu metrics, %zu passes\n", chip, what, count, passes);
	assert_int_equal(count, expected_count);
	assert_int_equal(passes, expected_passes);
}

/* All of a context at once. Some of GB202's cannot be counted even alone. */
static void expect_all(struct chip *chip, size_t count, size_t passes)
{
	const char *chosen[METRICS_MAX];
	size_t chosen_count = 0;

	for (size_t i = 0; i < chip->count; i++) {
		const char *metric = chip->metrics[i];
		bool is_doubtful = strstr(metric, "lts__") && strstr(metric, "_realtime.");

		if (is_of_context(metric) && (!is_doubtful || count_passes(chip->name, &metric, 1)))
			chosen[chosen_count++] = metric;
	}
	expect(chip->name, "all of a context", chosen_count,
	       count_passes(chip->name, chosen, chosen_count), count, passes);
}

/* Those that begin with one of the prefixes, which have commas between. */
static void expect_units(struct chip *chip, const char *prefixes, size_t count, size_t passes)
{
	const char *chosen[METRICS_MAX];
	size_t chosen_count = 0;

	for (size_t i = 0; i < chip->count; i++)
		for (const char *at = prefixes; *at; at += strcspn(at, ","), at += *at == ',')
			if (!strncmp(chip->metrics[i], at, strcspn(at, ",")))
				chosen[chosen_count++] = chip->metrics[i];
	expect(chip->name, prefixes, chosen_count, count_passes(chip->name, chosen, chosen_count),
	       count, passes);
}

static void test_all(void **state)
{
	static const struct {
		const char *chip;
		size_t count, passes, sm_count, sm_passes;
	} rows[] = {{"GV100", 1698, 642, 160, 28}, {"TU102", 1763, 204, 182, 14},
		    {"GA100", 3029, 489, 233, 20}, {"GA102", 3003, 470, 242, 22},
		    {"AD102", 2994, 470, 252, 23}, {"GB100", 3867, 200, 378, 28},
		    {"GB202", 3830, 389, 365, 35}};

	if (!cupti || !is_13_0())
		skip();
	for (size_t i = 0; i < rounds_of(0, 3, sizeof(rows) / sizeof(rows[0])); i++) {
		struct chip *chip = open_chip(rows[i].chip);

		expect_all(chip, rows[i].count, rows[i].passes);
		expect_units(chip, "sm__", rows[i].sm_count, rows[i].sm_passes);
		close_chip(chip);
	}
}

static void test_units(void **state)
{
	struct chip *chip;

	if (!cupti || !is_13_0())
		skip();
	chip = open_chip("GH100");
	assert_int_equal(chip->count, 3650);
	expect_units(chip, "sm__", 283, 23);
	expect_units(chip, "smsp__", 449, 50);
	expect_units(chip, "dram__", 13, 1);
	expect_units(chip, "gpu__", 16, 5);
	expect_units(chip, "gcc", 34, 6);
	expect_units(chip, "smsp__,dram__", 462, 50);
	if (is_long()) {
		expect_all(chip, 3482, 273);
		expect_units(chip, "l1tex__", 442, 52);
		expect_units(chip, "lts__", 2140, 269);
		expect_units(chip, "sm__,smsp__,l1tex__,dram__", 1187, 55);
	}
	close_chip(chip);
}

/* How many metrics need so many passes when they are alone; at 0: how many cannot be counted. */
static void test_each_alone(void **state)
{
	static const size_t expected[PASSES_MAX] = {
		[0] = 1, [1] = 3568, [2] = 56, [3] = 8, [4] = 14, [5] = 1, [8] = 2};
	size_t found[PASSES_MAX] = {0};
	struct chip *chip;

	if (!cupti || !is_13_0() || !is_long())
		skip();
	chip = open_chip("GH100");
	for (size_t i = 0; i < chip->count; i++) {
		size_t passes = count_passes("GH100", &chip->metrics[i], 1);

		assert_true(passes < PASSES_MAX);
		found[passes]++;
	}
	for (size_t i = 0; i < PASSES_MAX; i++) {
		print_message("%zu passes alone: %zu metrics\n", i, found[i]);
		assert_int_equal(found[i], expected[i]);
	}
	close_chip(chip);
}

/* A plan of many has no fewer passes than that of one of them, and no more than all of them. */
static void check_together(const char *name)
{
	const char *chosen[METRICS_MAX];
	size_t count = 0, most = 0, sum = 0, together;
	struct chip *chip = open_chip(name);

	for (size_t i = 0; i < chip->count; i++) {
		size_t passes;

		if (strncmp(chip->metrics[i], "sm__", 4))
			continue;
		passes = count_passes(name, &chip->metrics[i], 1);
		if (!passes)
			continue;
		chosen[count++] = chip->metrics[i];
		most = passes > most ? passes : most;
		sum += passes;
	}
	together = count_passes(name, chosen, count);
	print_message("%s: %zu metrics of the SM, %zu passes\n", name, count, together);
	assert_in_range(together, most, sum);
	close_chip(chip);
}

/* Whatever the version: each chip says what it has, or that nothing can be planned for it. */
static void test_chips(void **state)
{
	struct tacho__arena arena = {0};
	struct tacho__cupti_names chips;

	if (!cupti)
		skip();
	assert_int_equal(tacho__cupti_list_chips(&arena, &chips), 0);
	assert_true(chips.count > 0);
	for (size_t i = 0; i < chips.count; i++) {
		const char *const metric = "gpu__time_duration.sum";
		void *host;
		int rc = tacho__cupti_host_open(TACHO__CUPTI_RANGES, chips.names[i], NULL, &host);

		if (rc) {
			assert_int_equal(rc, TACHO_E_UNSUPPORTED);
			continue;
		}
		tacho__cupti_host_close(host);
		assert_int_equal(count_passes(chips.names[i], &metric, 1), 1);
		if (!strcmp(chips.names[i], "TU102") || !strcmp(chips.names[i], "GA100"))
			check_together(chips.names[i]);
	}
	tacho__arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chips),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_each_alone),
	};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	puts("libcupti loads its other library in a way that sanitizers refuse: skipped");
	return 77;
#endif
	if (tacho__cupti_load(&cupti))
		printf("CUPTI is not there: %s\n", tacho_error_last()->cause);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
