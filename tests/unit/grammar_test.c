/* SPDX-License-Identifier: MIT */
/* Names of metrics in the grammar: what they mean, what they come to, and why some cannot be. */
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
#include "catalog/arch.h"
#include "model/result.h"
#include "rounds.h"
#include "tacho/config.h"
#include "tacho/error.h"
#include "tacho/formula.h"

static const char definitions[] =
	"plain-definitions: 1\n"
	"source: a test\n"
	"architectures:\n"
	"- name: mine\n"
	"  api: sim\n"
	"  blocks:\n"
	"  - {name: gpu, slots: 4, elapsed: gpu__cycles_elapsed}\n"
	"  - {name: core, slots: 8, instances: 4, parent: gpu, clock: core, "
	"elapsed: core__cycles_elapsed, active: core__cycles_active}\n"
	"  - {name: pipe, slots: 4, instances: 4, parent: core, "
	"elapsed: core__cycles_elapsed, active: core__cycles_active}\n"
	"  - {name: Bare, slots: 9, instances: 4}\n"
	"  - {name: lost, slots: 1, elapsed: nothing}\n"
	"  counters:\n"
	"  - {name: gpu__cycles_elapsed, block: gpu, unit: cycles, peak: 1}\n"
	"  - {name: gpu__time_duration, block: gpu, unit: nanoseconds}\n"
	"  - {name: gpu__time_start, block: gpu, unit: nanoseconds, joins: first}\n"
	"  - {name: core__cycles_elapsed, block: core, unit: cycles, peak: 1}\n"
	"  - {name: core__cycles_active, block: core, unit: cycles, peak: 1}\n"
	"  - {name: core__insts, block: core, unit: instructions, peak: 2, description: Done.}\n"
	"  - {name: core__insts_sum, block: core, peak: 3}\n"
	"  - {name: core__load_pct, block: core, unit: percent}\n"
	"  - {name: core__x_avg_sum_pct, block: core, peak: 1}\n"
	"  - {name: pipe__quads, block: pipe, unit: quads, peak: 0.5}\n"
	"  - {name: Bare_hits, block: Bare}\n"
	"  - {name: hits, block: Bare}\n"
	"  - {name: misses, block: Bare}\n"
	"  - {name: a__b, block: Bare}\n"
	"  - {name: \"odd/event=0x3c,umask=1/\", block: Bare}\n"
	"  - {name: \"dots.sum\", block: Bare}\n"
	"  - {name: \"with blank\", block: Bare}\n"
	"  - {name: 'has\"quote', block: Bare}\n"
	"  - {name: lost__x, block: lost, peak: 1}\n"
	"  constants: [{name: cores}]\n"
	"  metrics:\n"
	"  - {name: hit_rate, unit: percent, expression: "
	"\"100*reduce(hits,sum)/reduce(misses,sum)\"}\n"
	"  - {name: core__throughput, throughput: [core__insts, pipe__quads]}\n"
	"  - {name: all__throughput, throughput: [core__throughput, hit_rate]}\n"
	"  - {name: bad__throughput, throughput: [core__insts, misses]}\n"
	"  - {name: per_core, unit: instructions/cycle, "
	"expression: \"core__insts/core__cycles_elapsed\"}\n"
	"  - {name: work, unit: things, expression: \"hits+misses\"}\n"
	"  - {name: circle, expression: \"circle_sum+1\"}\n";

static struct tacho_catalog *catalog;
static const struct tacho_arch *arch;

/* A counter without a block is none of the plain form. */
static int setup(void **state)
{
	const struct tacho_entry free_counter = {.name = "ticks", .kind = TACHO_ENTRY_COUNTER};

	assert_int_equal(tacho__catalog_create(&catalog), 0);
	assert_int_equal(tacho__catalog_read_text(catalog, "my.yaml", definitions,
						  sizeof(definitions) - 1, 0),
			 0);
	if (tacho_catalog_get_problem(catalog, 0))
		fail_msg("%s", tacho_catalog_get_problem(catalog, 0)->message);
	assert_int_equal(tacho__arch_add_entry(tacho__catalog_find_arch(catalog, "mine", "sim"),
					       &free_counter, TACHO__ADD_NEW),
			 0);
	assert_int_equal(tacho__catalog_complete(catalog), 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "mine", NULL, &arch), 0);
	return 0;
}

static int teardown(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

static const struct tacho_entry *find(const char *name)
{
	const struct tacho_entry *entry = tacho_arch_find_entry(arch, name), *resolved = NULL;

	if (!entry)
		fail_msg("%s is nothing: %s", name,
			 tacho_arch_resolve_entry(arch, name, &resolved) ? tacho_error_last()->cause
									 : "and yet it is");
	assert_int_equal(tacho_arch_resolve_entry(arch, name, &resolved), 0);
	assert_ptr_equal(resolved, entry);
	return entry;
}

static void expect_refused(const char *name, int code, const char *reason)
{
	const struct tacho_entry *entry = (const struct tacho_entry *)&code;

	assert_null(tacho_arch_find_entry(arch, name));
	assert_int_equal(tacho_arch_resolve_entry(arch, name, &entry), code);
	assert_ptr_equal(entry, &code); /* left untouched */
	if (!strstr(tacho_error_last()->cause, reason))
		fail_msg("%s: \"%s\" has no \"%s\"", name, tacho_error_last()->cause, reason);
}

static void expect_expression(const char *name, const char *expression, const char *unit)
{
	const struct tacho_entry *entry = find(name);

	assert_string_equal(entry->expression, expression);
	assert_string_equal(entry->unit, unit);
	assert_int_equal(entry->kind, TACHO_ENTRY_METRIC);
}

static void test_expressions(void **state)
{
	expect_expression("core__insts.sum", "reduce(core__insts,sum)", "instructions");
	expect_expression("core__insts_min", "reduce(core__insts,min)", "instructions");
	expect_expression("core__insts.avg.per_second",
			  "1000000000*reduce(core__insts,avg)/reduce(gpu__time_duration,avg)",
			  "instructions/second");
	expect_expression("core__insts.sum.per_cycle_active",
			  "reduce(core__insts,sum)/reduce(core__cycles_active,avg)",
			  "instructions/cycle");
	expect_expression("core__insts_max_pct",
			  "100*reduce(core__insts,max)/(2*reduce(core__cycles_elapsed,max))",
			  "percent");
	expect_expression("pipe__quads.sum.pct_of_peak_sustained_elapsed",
			  "100*reduce(pipe__quads,sum)/(0.5*4*reduce(core__cycles_elapsed,avg))",
			  "percent");
	expect_expression("core__insts.sum.peak_sustained", "8", "instructions/cycle");
	expect_expression("core__insts.max.peak_sustained", "2", "instructions/cycle");
	expect_expression("hit_rate.ratio", "hit_rate/100", "ratio");
	expect_expression("hit_rate.max_rate", "1", "ratio");
	expect_expression("Bare__with blank_max", "reduce(\"with blank\",max)", "");
	assert_string_equal(find("core__insts_sum_max")->expression, "reduce(core__insts_sum,max)");
	assert_string_equal(find("core__insts.sum")->description,
			    "Done. Sum of the instances of unit core.");
	assert_string_equal(find("core__throughput")->unit, "percent");
}

/* The longest base that there is; an entry as it is written before all else. */
static void test_order(void **state)
{
	assert_string_equal(find("core__insts_sum")->name, "core__insts_sum");
	assert_int_equal(find("core__insts_sum")->kind, TACHO_ENTRY_COUNTER);
	expect_expression("core__insts.sum", "reduce(core__insts,sum)", "instructions");
	expect_expression("core__insts_sum_sum", "reduce(core__insts_sum,sum)", "");
	expect_expression("core__insts_sum_pct",
			  "100*reduce(core__insts_sum,avg)/(3*reduce(core__cycles_elapsed,avg))",
			  "percent");
	assert_int_equal(find("core__load_pct")->kind, TACHO_ENTRY_COUNTER);
	expect_expression("core__load_pct_max", "reduce(core__load_pct,max)", "percent");
	assert_int_equal(find("core__x_avg_sum_pct")->kind, TACHO_ENTRY_COUNTER);
	expect_expression("core__x_avg_sum_pct_min", "reduce(core__x_avg_sum_pct,min)", "");
	assert_string_equal(find("dots.sum")->name, "dots.sum");
	expect_expression("dots.sum.sum", "reduce(\"dots.sum\",sum)", "");
	expect_refused("dots", TACHO_E_NOTFOUND, "");
}

/* One entry, however its case is; both grammars are names of their own. */
static void test_spellings(void **state)
{
	const struct tacho_entry *entry = find("core__insts_max");

	assert_ptr_equal(find("CORE__Insts_MAX"), entry);
	assert_string_equal(entry->name, "core__insts_max");
	assert_ptr_equal(find("core__insts.MAX.PER_second"), find("core__insts.max.per_second"));
	assert_string_equal(find("core__insts.max")->name, "core__insts.max");
	assert_ptr_equal(find("ticks_sum"), find("TICKS_SUM"));
	assert_string_equal(find("global__ticks_sum")->name, "global__ticks_sum");
	assert_string_equal(find("core__sol_pct")->name, "core__sol_pct");
	assert_ptr_equal(find("core__sol"), find("core__throughput"));
	assert_string_equal(find("core__sol_pct")->expression,
			    find("core__throughput")->expression);
}

static void test_reasons(void **state)
{
	expect_refused("gpu__time_duration_pct", TACHO_E_UNSUPPORTED,
		       "no peak of gpu__time_duration is stated");
	expect_refused("misses.avg.per_cycle_active", TACHO_E_UNSUPPORTED,
		       "no counter of the cycles active of unit Bare is stated");
	expect_refused("gpu__cycles_elapsed.sum.pct_of_peak_sustained_active", TACHO_E_UNSUPPORTED,
		       "no counter of the cycles active of unit gpu");
	expect_refused("lost__x.sum.per_cycle_elapsed", TACHO_E_UNSUPPORTED,
		       "nothing, which is no counter");
	expect_refused("core__load_pct.avg.per_second", TACHO_E_UNSUPPORTED,
		       "core__load_pct does not add up");
	expect_refused("gpu__time_start.sum.per_second", TACHO_E_UNSUPPORTED, "does not add up");
	expect_refused("core__insts.ratio", TACHO_E_UNSUPPORTED, "core__insts is no ratio");
	expect_refused("hit_rate.avg", TACHO_E_UNSUPPORTED, "hit_rate is a ratio, which has .pct");
	expect_refused("per_core.pct", TACHO_E_UNSUPPORTED,
		       "no largest value of per_core is stated");
	expect_refused("cores.sum", TACHO_E_UNSUPPORTED, "cores is a constant");
	expect_refused("core__throughput.sum", TACHO_E_UNSUPPORTED, "a throughput is in percent");
	expect_refused("bad__sol_pct", TACHO_E_UNSUPPORTED, "no peak of misses is stated");
	expect_refused("has\"quote.sum", TACHO_E_UNSUPPORTED, "its name has a quote");
	expect_refused("work.sum.per_cycle_elapsed", TACHO_E_UNSUPPORTED, "work is worked out");
	expect_refused("core__inst_sum", TACHO_E_NOTFOUND, "");
	expect_refused("core__insts.total", TACHO_E_NOTFOUND, "");
	expect_refused("core__insts.pct.sum", TACHO_E_NOTFOUND, "");
	expect_refused("pipe__insts_sum", TACHO_E_NOTFOUND, "");
	expect_refused("_sum", TACHO_E_NOTFOUND, "");
	expect_refused("core__", TACHO_E_NOTFOUND, "");
	assert_string_equal(tacho_arch_find_entry(arch, "bad__throughput")->caveat,
			    "It cannot be worked out: no peak of misses is stated.");
}

static void expect_name(const char *entry_name, const char *name)
{
	const struct tacho_entry *entry = tacho__arch_get_exact(arch, entry_name);
	char *text;

	assert_non_null(entry);
	assert_int_equal(tacho_arch_format_metric_name(arch, entry, &text), 0);
	assert_string_equal(text, name);
	assert_ptr_equal(find(text), entry);
	free(text);
}

static void test_names(void **state)
{
	char *text = NULL;

	expect_name("core__insts", "core__insts");
	expect_name("core__insts_sum", "core__insts_sum");
	expect_name("Bare_hits", "Bare__hits");
	expect_name("hits", "hits"); /* Bare__hits is the other */
	expect_name("misses", "Bare__misses");
	expect_name("a__b", "a__b"); /* it says a unit, although not its block */
	expect_name("odd/event=0x3c,umask=1/", "Bare__odd/event=0x3c,umask=1/");
	expect_name("dots.sum", "Bare__dots.sum");
	expect_name("ticks", "global__ticks");
	expect_name("hit_rate", "hit_rate");
	assert_int_equal(
		tacho_arch_format_metric_name(arch, tacho__arch_get_exact(arch, "cores"), &text),
		TACHO_E_INVAL);
	assert_null(text);
	expect_expression("Bare__Bare_hits_sum", "reduce(Bare_hits,sum)", "");
}

/* ---- values ---- */

static void add_column(struct tacho_result *values, const char *name, size_t count,
		       const uint64_t *numbers)
{
	struct tacho_column column = {
		.name = name,
		.type = TACHO_TYPE_U64,
		.dimension_count = count > 1,
		.dimensions = {{"DIMENSION_INSTANCE", (uint32_t)count, NULL}}};
	void *to;

	assert_int_equal(tacho__result_add_column(values, &column, &to), 0);
	memcpy(to, numbers, count * sizeof(*numbers));
}

static struct tacho_result *make_values(void)
{
	static const struct {
		const char *name;
		size_t count;
		uint64_t numbers[4];
	} columns[] = {
		{"core__insts", 4, {10, 20, 30, 40}},
		{"core__cycles_elapsed", 4, {100, 100, 200, 400}},
		{"core__cycles_active", 4, {50, 50, 100, 200}},
		{"pipe__quads", 4, {8, 8, 8, 16}},
		{"gpu__time_duration", 1, {1000}},
		{"hits", 4, {1, 2, 3, 4}},
		{"misses", 4, {10, 10, 10, 10}},
	};
	struct tacho_result *values;

	assert_int_equal(tacho__result_create(1, &values), 0);
	assert_int_equal(tacho__result_set_row(values, 0, &(struct tacho_row){.id = 1}), 0);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(columns); i++)
		add_column(values, columns[i].name, columns[i].count, columns[i].numbers);
	return values;
}

/*
 * insts: sum 100, average 25. elapsed: sum 800, average 200; active: half of it. quads: sum 40,
 * average 10. 1000 ns.
 */
static const struct {
	const char *name;
	double value;
} worked_out[] = {
	{"core__insts.sum", 100},
	{"core__insts.avg", 25},
	{"core__insts_min", 10},
	{"core__insts_max", 40},
	{"core__insts_pct", 100. * 25 / (2 * 200)},
	{"core__insts_avg_pct", 6.25},
	{"core__insts.sum.pct_of_peak_sustained_elapsed", 100. * 100 / (2 * 800)},
	{"core__insts_min_pct", 100. * 10 / (2 * 100)},
	{"core__insts_max_pct", 100. * 40 / (2 * 400)},
	{"core__insts.avg.pct_of_peak_sustained_active", 12.5},
	{"core__insts.sum.peak_sustained", 4 * 2},
	{"core__insts.min.peak_sustained", 2},
	{"core__insts.sum.peak_sustained_active", 2 * 400},
	{"core__insts.avg.peak_sustained_active", 2 * 100},
	{"core__insts.max.peak_sustained_elapsed", 2 * 400},
	{"core__insts.avg.peak_sustained_elapsed.per_second", 1e9 * 2 * 200 / 1000},
	{"core__insts.sum.peak_sustained_active.per_second", 1e9 * 2 * 400 / 1000},
	{"core__insts.sum.per_cycle_elapsed", 100. / 200},
	{"core__insts.avg.per_cycle_elapsed", 25. / 200},
	{"core__insts.max.per_cycle_active", 40. / 200},
	{"core__insts.sum.per_second", 1e9 * 100 / 1000},
	{"pipe__quads.avg.pct_of_peak_sustained_elapsed", 100. * 10 / (0.5 * 200)},
	{"pipe__quads.sum.pct_of_peak_sustained_elapsed", 100. * 40 / (0.5 * 4 * 200)},
	{"pipe__quads.sum.peak_sustained_elapsed", 0.5 * 4 * 200},
	/* the larger of 6.25 and 10, of 12.5 and 20, of 5 and 100 * 16 / (0.5 * 400) */
	{"core__throughput", 10},
	{"core__sol_pct", 10},
	{"core__throughput.avg.pct_of_peak_sustained_active", 20},
	{"core__sol_max_pct", 8},
	/* 100 * 10 / 40 */
	{"hit_rate.pct", 25},
	{"hit_rate_pct", 25},
	{"hit_rate.ratio", 0.25},
	{"all__throughput", 25},
	{"work.sum", 50},
	{"work.max.per_second", 1e9 * 14 / 1000},
};

static void test_values(void **state)
{
	struct tacho_derive_options options = {.size = sizeof(options), .arch = arch};
	struct tacho_result *values = make_values(), *result;
	struct tacho_formula_problem problem;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(worked_out); i++) {
		const struct tacho_formula formula = {.name = worked_out[i].name};
		double value;

		if (tacho_result_derive(values, &formula, 1, &options, &result, &problem))
			fail_msg("%s: %s", formula.name, problem.message);
		value = tacho_column_get_value(tacho_result_get_column(result, 0), 0, 0);
		if (tacho_column_get_state(tacho_result_get_column(result, 0), 0, 0) ||
		    fabs(value - worked_out[i].value) > 1e-9 * fabs(value))
			fail_msg("%s is %g", formula.name, value);
		tacho_result_destroy(result);
	}
	tacho_result_destroy(values);
}

/* In a formula, as it is written: with quotes where there are points. */
static void test_formulas(void **state)
{
	static const struct tacho_formula formulas[] = {
		{.name = "a", .expression = "core__insts_max-core__insts_min"},
		{.name = "b", .expression = "\"core__insts.sum.per_second\"*2"},
	};
	struct tacho_derive_options options = {.size = sizeof(options), .arch = arch};
	struct tacho_result *values = make_values(), *result;
	const struct tacho_formula wrong = {.name = "c", .expression = "CORE__insts_max"};

	assert_int_equal(tacho_result_derive(values, formulas, 2, &options, &result, NULL), 0);
	assert_true(tacho_column_get_value(tacho_result_get_column(result, 0), 0, 0) == 30);
	assert_true(tacho_column_get_value(tacho_result_get_column(result, 1), 0, 0) == 2e8);
	tacho_result_destroy(result);
	assert_int_equal(tacho_result_derive(values, &wrong, 1, &options, &result, NULL),
			 TACHO_E_NOTFOUND);
	tacho_result_destroy(values);
}

/* A definition that names what would be made of it. */
static void test_circle(void **state)
{
	const struct tacho_entry *circle = find("circle");
	struct tacho_config *config;

	assert_non_null(tacho_arch_get_semantic(arch, circle));
	assert_int_not_equal(tacho_config_create(arch, NULL,
						 &(struct tacho_config_entry){.name = "circle"}, 1,
						 &config),
			     0);
	tacho_arch_find_entry(arch, "circle.sum.per_second");
}

/* Configs know the names, and say why not. */
static void test_configs(void **state)
{
	struct tacho_config_options options = {.size = sizeof(options), .arch = arch};
	struct tacho_config *config;

	assert_int_equal(tacho_config_parse("core__insts_sum_sum,Bare__odd/event=0x3c,umask=1/.max,"
					    "core__sol_pct",
					    &options, &config, NULL),
			 0);
	assert_string_equal(tacho_config_get_column_name(config, 1),
			    "Bare__odd/event=0x3c,umask=1/.max");
	assert_string_equal(tacho_config_get_column_name(config, 2), "core__sol_pct");
	tacho_config_destroy(config);
	assert_int_equal(tacho_config_parse("core__insts.sum,misses_pct", &options, &config, NULL),
			 TACHO_E_UNSUPPORTED);
	assert_string_equal(tacho_error_last()->cause, "no peak of misses is stated");
	assert_int_equal(tacho_config_create(arch, NULL,
					     &(struct tacho_config_entry){.name = "misses_pct"}, 1,
					     &config),
			 TACHO_E_UNSUPPORTED);
	assert_string_equal(tacho_error_last()->cause, "no peak of misses is stated");
}

static size_t count_entries(const char *list)
{
	struct tacho_config_options options = {.size = sizeof(options), .arch = arch};
	struct tacho_config *config;
	size_t count = 0;

	assert_int_equal(tacho_config_parse(list, &options, &config, NULL), 0);
	while (tacho_config_get_entry(config, count))
		count++;
	tacho_config_destroy(config);
	return count;
}

/* Entries that fit, else bases, else names with endings. */
static void test_patterns(void **state)
{
	struct tacho_config_options options = {.size = sizeof(options), .arch = arch};
	struct tacho_config *config;

	assert_int_equal(count_entries("core__i*"), 2);
	assert_int_equal(count_entries("*_sum"), 1); /* core__insts_sum, and not all sums */
	/* Bare__hits of Bare_hits; misses, a line, points, a blank */
	assert_int_equal(count_entries("Bare__?*"), 5 + 1);
	assert_int_equal(count_entries("core__cycles_*_max"), 2);
	assert_int_equal(count_entries("CORE__cycles_*.avg.pct*active"), 2);
	assert_int_equal(count_entries("regex:^pipe__quads_(min|max)_pct$"), 2);
	assert_int_equal(tacho_config_parse("core__cycles_*_total", &options, &config, NULL),
			 TACHO_E_NOTFOUND);
}

/* Nothing of this is found, or takes long. */
static void test_hostile(void **state)
{
	enum { SIZE = 100000 };
	char *name = malloc(SIZE + 1);

	for (const char *filler = "_.a"; *filler; filler++) {
		memset(name, *filler, SIZE);
		for (size_t size = SIZE; size; size /= 3) {
			name[size] = '\0';
			expect_refused(name, TACHO_E_NOTFOUND, "");
		}
	}
	for (size_t i = 0; i < SIZE; i++)
		name[i] = "core__insts_sum.sum.per_second_pct"[i % 34];
	for (size_t size = 1023; size < 1027; size++) {
		name[size] = '\0';
		assert_null(tacho_arch_find_entry(arch, name));
		name[size] = '_';
	}
	free(name);
	assert_int_equal(tacho_arch_resolve_entry(arch, NULL, &(const struct tacho_entry *){NULL}),
			 TACHO_E_INVAL);
}

/* ---- every architecture that is built in ---- */

/* What is in the list resolves to a metric of this base, what is not says why. */
static void check_ending(const struct tacho_arch *own, const struct tacho_metric_base *base,
			 size_t index)
{
	const struct tacho_entry *entry = NULL;
	char name[600];
	int rc;

	snprintf(name, sizeof(name), "%s%s", base->name, tacho_metric_get_ending(index));
	if (tacho__arch_get_exact(own, name))
		return; /* an entry of its own */
	rc = tacho_arch_resolve_entry(own, name, &entry);
	if (base->endings >> index & 1) {
		if (rc || strcmp(entry->name, name) || !*entry->expression)
			fail_msg("%s of %s: %d", name, own->name, rc);
	} else if (rc != TACHO_E_UNSUPPORTED || !*tacho_error_last()->cause) {
		fail_msg("%s of %s: %d without a reason", name, own->name, rc);
	}
}

static void check_inputs(const struct tacho_arch *own, const struct tacho_metric_base *base)
{
	const struct tacho_entry **inputs;
	const struct tacho_entry *entry;
	char name[600];
	size_t count;

	snprintf(name, sizeof(name), "%s.max", base->name);
	entry = tacho_arch_find_entry(own, name);
	if (!entry || base->entry->kind != TACHO_ENTRY_COUNTER)
		return;
	assert_int_equal(tacho_arch_list_inputs(own, entry, &inputs, &count), 0);
	if (!base->is_of_family) {
		assert_int_equal(count, 1);
		assert_ptr_equal(inputs[0], base->entry);
	}
	free(inputs);
}

static void check_arch(const struct tacho_arch *own)
{
	struct tacho_metric_base *bases;
	size_t count, counters = 0, found = 0;
	const struct tacho_entry *entry;

	assert_int_equal(tacho_arch_list_metric_bases(own, &bases, &count), 0);
	for (size_t i = 0; (entry = tacho_arch_get_entry(own, i)); i++)
		counters += entry->kind == TACHO_ENTRY_COUNTER;
	for (size_t i = 0; i < count; i++) {
		const struct tacho_metric_base *base = &bases[i];
		/* the old endings and two rollups of some hundreds, all of fewer; of a few of
		 * them with a sanitizer */
		size_t stride = (1 + count / 512) * rounds_of(16, 1, 1);
		size_t past = i % stride ? 0 : i % (32 * stride) ? 11 : SIZE_MAX;

		entry = tacho_arch_find_entry(own, base->name);
		if (base->is_of_family) {
			assert_int_equal(entry->kind, TACHO_ENTRY_METRIC);
		} else {
			assert_ptr_equal(entry, base->entry);
			found += entry->kind == TACHO_ENTRY_COUNTER;
		}
		for (size_t k = 0; k < past && tacho_metric_get_ending(k); k++)
			check_ending(own, base, k);
		if (past)
			check_inputs(own, base);
	}
	assert_int_equal(found, counters);
	free(bases);
}

static void test_architectures(void **state)
{
	const struct tacho_catalog_options options = {.size = sizeof(options), .no_environment = 1};
	const struct tacho_arch *own;
	struct tacho_catalog *all;
	size_t count = 0;

	assert_int_equal(tacho_catalog_open(&options, &all), 0);
	for (; (own = tacho_catalog_get_arch(all, count)); count++)
		check_arch(own);
	assert_true(count > 40);
	tacho_catalog_close(all);
	check_arch(arch);
}

/* Units of AMD's GPUs are several blocks, of which each counts for one instance. */
static void test_families(void **state)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "gfx8", .no_environment = 1};
	const struct tacho_arch *own;
	const struct tacho_entry *entry;
	struct tacho_catalog *all;
	char *text;

	assert_int_equal(tacho_catalog_open(&options, &all), 0);
	assert_int_equal(tacho_catalog_find_arch(all, "gfx8", "gl", &own), 0);
	entry = tacho_arch_find_entry(own, "CB__CB_PERF_SEL_DRAWN_QUAD_FRAGMENT_max");
	assert_non_null(entry);
	assert_string_equal(entry->expression, "0,1,2,3,max4");
	assert_string_equal(entry->inputs[3], "CB3_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT.max");
	assert_int_equal(tacho_arch_format_expanded(own, entry, &text), 0);
	assert_string_equal(text, "max(reduce(CB0_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT, max), "
				  "reduce(CB1_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT, max), "
				  "reduce(CB2_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT, max), "
				  "reduce(CB3_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT, max))");
	free(text);
	entry = tacho_arch_find_entry(own, "cb__cb_perf_sel_drawn_quad_fragment.AVG");
	assert_non_null(entry);
	assert_string_equal(entry->name, "CB__CB_PERF_SEL_DRAWN_QUAD_FRAGMENT.avg");
	assert_string_equal(entry->expression,
			    "(reduce(CB0_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT,avg)+"
			    "reduce(CB1_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT,avg)+"
			    "reduce(CB2_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT,avg)+"
			    "reduce(CB3_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT,avg))/4");
	/* one block of it, of which there is one */
	entry = tacho_arch_find_entry(own, "CB2__CB_PERF_SEL_DRAWN_QUAD_FRAGMENT");
	assert_non_null(entry);
	assert_string_equal(entry->name, "CB2_CB_PERF_SEL_DRAWN_QUAD_FRAGMENT");
	tacho_catalog_close(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),   cmocka_unit_test(test_order),
		cmocka_unit_test(test_spellings),     cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_names),	      cmocka_unit_test(test_values),
		cmocka_unit_test(test_formulas),      cmocka_unit_test(test_circle),
		cmocka_unit_test(test_configs),	      cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_hostile),	      cmocka_unit_test(test_families),
		cmocka_unit_test(test_architectures),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
