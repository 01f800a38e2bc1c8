/* SPDX-License-Identifier: MIT */
/* Which values add up over launches: from units and expressions, and as Intel says it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "catalog/arch.h"

static struct tacho_catalog *catalog;
static struct tacho__arch *own;
static const struct tacho_arch *arch;

static void add(const struct tacho_entry *entry)
{
	assert_int_equal(tacho__arch_add_entry(own, entry, TACHO__ADD_NEW), 0);
}

static int setup(void **state)
{
	const struct tacho_arch info = {.name = "alpha", .api = "cl"};

	assert_int_equal(tacho__catalog_create(&catalog), 0);
	assert_int_equal(tacho__catalog_add_arch(catalog, &info, &own), 0);
	arch = tacho__arch_public(own);
	add(&(struct tacho_entry){.name = "WAVES", .unit = "wavefronts"});
	add(&(struct tacho_entry){.name = "INSTS", .unit = "instructions"});
	add(&(struct tacho_entry){.name = "CYCLES", .unit = "cycles"});
	add(&(struct tacho_entry){.name = "TICKS", .unit = "nanoseconds"});
	add(&(struct tacho_entry){.name = "BEGIN", .unit = "nanoseconds", .joins = "first"});
	add(&(struct tacho_entry){.name = "HZ", .unit = "ticks per second"});
	add(&(struct tacho_entry){.name = "LEVEL", .unit = "items", .semantic = "ratio"});
	add(&(struct tacho_entry){.name = "SHARE", .unit = "percent", .semantic = "duration"});
	add(&(struct tacho_entry){.name = "UNITS", .kind = TACHO_ENTRY_CONSTANT});
	add(&(struct tacho_entry){.name = "TS_FREQ", .kind = TACHO_ENTRY_CONSTANT});
	return 0;
}

static int teardown(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

static const char *get(const char *name)
{
	const struct tacho_entry *entry = tacho_arch_find_entry(arch, name);

	assert_non_null(entry);
	return tacho_arch_get_semantic(arch, entry);
}

static void test_counters(void **state)
{
	assert_string_equal(get("WAVES"), "event");
	assert_string_equal(get("TICKS"), "duration");
	assert_string_equal(get("BEGIN"), "ratio");
	assert_string_equal(get("HZ"), "ratio");
	assert_string_equal(get("LEVEL"), "ratio");
	assert_string_equal(get("SHARE"), "ratio");
	assert_string_equal(get("UNITS"), "ratio");
}

static void test_expressions(void **state)
{
	static const struct {
		const char *expression, *unit, *semantic;
	} cases[] = {
		{"WAVES", "wavefronts", "event"},
		{"WAVES+INSTS-2*CYCLES", "items", "event"},
		{"64*WAVES/UNITS", "items", "event"},
		{"TICKS/1000000", "milliseconds", "duration"},
		{"INSTS/WAVES", "items", "ratio"},
		{"INSTS/WAVES*CYCLES", "cycles", "event"},
		{"INSTS*WAVES", "items", "ratio"},
		{"INSTS*WAVES/CYCLES", "items", "event"},
		{"CYCLES-40", "cycles", "ratio"},
		{"CYCLES-0", "cycles", "event"},
		{"WAVES+INSTS/CYCLES", "items", "ratio"},
		{"UNITS", "items", "ratio"},
		{"0", "items", "ratio"},
		{"LEVEL*2", "items", "ratio"},
		{"CYCLES*SHARE/100", "cycles", "event"},
		{"CYCLES/HZ", "seconds", "duration"},
		{"1000*HZ", "items", "ratio"},
		{"reduce(CYCLES,max)", "cycles", "event"},
		{"reduce(CYCLES,avr)*UNITS", "cycles", "event"},
		{"select(WAVES,[DIMENSION_XCC=[0]])", "wavefronts", "event"},
		{"accumulate(WAVES,HIGH_RES)", "cycles", "event"},
		{"accumulate(WAVES,HIGH_RES)/INSTS", "cycles", "ratio"},
		{"100*CYCLES/UNITS", "percent", "ratio"},
		{"WAVES/TICKS", "bytes/second", "throughput"},
		{"WAVES/UNITS", "wavefronts/unit", "ratio"},
		{"NOBODY+WAVES", "items", "ratio"},
		{"WAVES+", "items", "ratio"},
		{"", "items", "ratio"},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(cases); i++) {
		const struct tacho_entry metric = {.name = "M",
						   .kind = TACHO_ENTRY_METRIC,
						   .unit = cases[i].unit,
						   .notation = "infix",
						   .expression = cases[i].expression};

		assert_int_equal(tacho__arch_add_entry(own, &metric, TACHO__ADD_OR_REPLACE), 0);
		if (strcmp(get("M"), cases[i].semantic) != 0)
			fail_msg("%s: %s", cases[i].expression, get("M"));
	}
}

static void test_metrics_of_metrics(void **state)
{
	static const struct {
		const char *name, *expression, *semantic;
	} metrics[] = {
		{"Sum", "WAVES+INSTS", "event"},	  {"Mean", "Sum/WAVES", "ratio"},
		{"Twice", "Sum+Mean*WAVES", "event"},	  {"Wrong", "Sum+Mean", "ratio"},
		{"Circle", "Back+WAVES", "ratio"},	  {"Back", "Circle", "ratio"},
		{"Cancelled", "Circle*0+WAVES", "ratio"},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(metrics); i++)
		add(&(struct tacho_entry){.name = metrics[i].name,
					  .kind = TACHO_ENTRY_METRIC,
					  .unit = "items",
					  .notation = "infix",
					  .expression = metrics[i].expression});
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(metrics); i++)
		assert_string_equal(get(metrics[i].name), metrics[i].semantic);
}

/* A choice asks only whether there was work of a kind; a part of the time that is cut at 1. */
static void test_gpa(void **state)
{
	static const char *const inputs[] = {"CYCLES", "INSTS", "WAVES", "CYCLES"};
	static const struct {
		const char *expression, *unit, *semantic;
	} cases[] = {
		{"0,1,/", "items", "ratio"},
		{"(0),1,2,/,2,ifnotzero", "items", "ratio"},
		{"(0),1,(32),*,2,ifnotzero", "kilobytes", "event"},
		{"(0),1,2,ifnotzero,3,/,(1),min,0,TS_FREQ,/,(1000),*,*", "milliseconds",
		 "duration"},
		{"0..2,sum3", "items", "event"},
		{"0..2,max3", "items", "event"},
		{"(0),(1),2,ifnotzero", "items", "ratio"},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(cases); i++) {
		const struct tacho_entry metric = {.name = "M",
						   .kind = TACHO_ENTRY_METRIC,
						   .unit = cases[i].unit,
						   .notation = "gpa",
						   .inputs = inputs,
						   .input_count = TACHO__ARRAY_SIZE(inputs),
						   .expression = cases[i].expression};

		assert_int_equal(tacho__arch_add_entry(own, &metric, TACHO__ADD_OR_REPLACE), 0);
		if (strcmp(get("M"), cases[i].semantic) != 0)
			fail_msg("%s: %s", cases[i].expression, get("M"));
	}
}

/* A tree as high as a text makes it, and metrics inside of metrics deeper than is read. */
static void test_bounds(void **state)
{
	static char text[8 * 1000], names[300][8], expressions[300][16];
	struct tacho_entry metric = {
		.name = "M", .kind = TACHO_ENTRY_METRIC, .unit = "items", .notation = "infix"};

	strcpy(text, "WAVES");
	for (size_t i = 0; i < 990; i++)
		strcat(text, "+WAVES");
	metric.expression = text;
	add(&metric);
	assert_string_equal(get("M"), "event");
	for (int i = 0; i < 300; i++) {
		snprintf(names[i], sizeof(names[i]), "N%d", i);
		snprintf(expressions[i], sizeof(expressions[i]), "N%d+WAVES", i + 1);
		metric.name = names[i];
		metric.expression = i == 299 ? "WAVES" : expressions[i];
		add(&metric);
	}
	assert_string_equal(get("N150"), "event");
	assert_string_equal(get("N0"), "ratio");
}

static const struct tacho_arch *open_builtin(const char *name, const char *api,
					     struct tacho_catalog **out_catalog)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = name, .api = api, .no_environment = 1};
	const struct tacho_arch *found;

	assert_int_equal(tacho_catalog_open(&options, out_catalog), 0);
	assert_int_equal(tacho_catalog_find_arch(*out_catalog, name, api, &found), 0);
	return found;
}

static void expect(const struct tacho_arch *of, const char *name, const char *semantic)
{
	const struct tacho_entry *entry = tacho_arch_find_entry(of, name);

	assert_non_null(entry);
	assert_string_equal(tacho_arch_get_semantic(of, entry), semantic);
}

/* Of metrics with the same unit some add up and some are for each instruction or wavefront. */
static void test_amd(void **state)
{
	struct tacho_catalog *rocm, *gpa;
	const struct tacho_arch *gfx942 = open_builtin("gfx942", "rocm", &rocm);
	const struct tacho_arch *gfx9 = open_builtin("gfx9", "gl", &gpa);

	expect(gfx942, "SQ_WAVES", "event");
	expect(gfx942, "GRBM_GUI_ACTIVE", "event");
	expect(gfx942, "FETCH_SIZE", "event");
	expect(gfx942, "LdsLatency", "ratio");
	expect(gfx942, "TCC_HIT_sum", "event");
	expect(gfx942, "TCC_BUSY_avr", "event");
	expect(gfx942, "MeanOccupancyPerCU", "ratio");
	expect(gfx942, "VALUUtilization", "ratio");
	expect(gfx9, "CSVALUInsts", "ratio");
	expect(gfx9, "GPUTime", "duration");
	expect(gfx9, "PSTime", "duration");
	expect(gfx9, "CSFetchSize", "event");
	tacho_catalog_close(rocm);
	tacho_catalog_close(gpa);
}

/*
 * Intel's word for each of its metrics: of percentages it means what they are shares of, a
 * frequency is an event, and bytes, which are those of the interval, it calls throughput.
 */
static const char *translate(const struct tacho_entry *entry)
{
	if (!strcmp(entry->unit, "percent") || !strcmp(entry->unit, "hz"))
		return "ratio";
	return !strcmp(entry->unit, "bytes") ? "event" : entry->semantic;
}

/* The equations say the same, without the words. */
static void test_intel(void **state)
{
	struct tacho_catalog *intel;
	const struct tacho_arch *chv = open_builtin("chv", "oa", &intel);
	const struct tacho_entry *entry;
	size_t compared = 0;

	for (size_t i = 0; (entry = tacho_arch_get_entry(chv, i)); i++) {
		struct tacho_entry copy = *entry;

		copy.semantic = "";
		add(&copy);
	}
	for (size_t i = 0; (entry = tacho_arch_get_entry(chv, i)); i++) {
		if (!*entry->semantic)
			continue;
		if (strcmp(get(entry->name), translate(entry)) != 0)
			fail_msg("%s [%s] %s: %s", entry->name, entry->unit, entry->expression,
				 get(entry->name));
		expect(chv, entry->name, translate(entry));
		compared++;
	}
	assert_in_range(compared, 100, 1000);
	tacho_catalog_close(intel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_counters, setup, teardown),
		cmocka_unit_test_setup_teardown(test_expressions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_metrics_of_metrics, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gpa, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bounds, setup, teardown),
		cmocka_unit_test(test_amd),
		cmocka_unit_test_setup_teardown(test_intel, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
