/* SPDX-License-Identifier: MIT */
/*
 * Configs and plans: what definitions demand becomes slots, conflicts and passes. The architecture
 * "toy" of tests/data/plan has blocks of 0, 1 and 3 slots, and one whose counters are apart.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/from_passes.h"
#include "tacho/error.h"
#include "tacho/plan.h"

enum { NAMES_MAX = 4096 };

static struct tacho_catalog *catalog;
static const struct tacho_arch *toy;

static int open_catalog(void **unused)
{
	const char *root = getenv("TACHO_SOURCE_ROOT");
	char blocks[4096], counters[4096];
	const char *const files[] = {blocks, counters};
	struct tacho_catalog_options options = {.size = sizeof(options),
						.definitions = files,
						.definition_count = 2,
						.no_environment = 1};

	snprintf(blocks, sizeof(blocks), "%s/tests/data/plan/blocks.yaml", root ? root : ".");
	snprintf(counters, sizeof(counters), "%s/tests/data/plan/counters.yaml", root ? root : ".");
	return tacho_catalog_open(&options, &catalog) ||
	       tacho_catalog_find_arch(catalog, "toy", NULL, &toy);
}

static int close_catalog(void **unused)
{
	tacho_catalog_close(catalog);
	return 0;
}

static const struct tacho_arch *find_arch(const char *name, const char *api)
{
	const struct tacho_arch *arch;

	assert_int_equal(tacho_catalog_find_arch(catalog, name, api, &arch), 0);
	return arch;
}

/* Names with blanks between; "all": what can be counted. */
static struct tacho_config *make_config(const struct tacho_arch *arch, const char *names)
{
	static struct tacho_config_entry entries[NAMES_MAX];
	const struct tacho_entry *entry;
	struct tacho_config *config;
	char *copy = strdup(names), *rest = copy, *word;
	size_t count = 0;

	assert_non_null(copy);
	if (!strcmp(names, "all")) {
		for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
			if (entry->kind != TACHO_ENTRY_CONSTANT &&
			    !tacho_config_check_entry(arch, NULL, entry))
				entries[count++] = (struct tacho_config_entry){.name = entry->name};
	} else {
		while ((word = strsep(&rest, " ")))
			entries[count++] = (struct tacho_config_entry){.name = word};
	}
	if (tacho_config_create(arch, NULL, entries, count, &config))
		fail_msg("%s: %s", tacho_error_last()->message, tacho_error_last()->cause);
	free(copy);
	return config;
}

static struct tacho_plan *make_plan(const struct tacho_config *config,
				    const struct tacho_plan_options *options,
				    struct tacho_plan_summary *out_summary)
{
	struct tacho_plan *plan;

	if (tacho_plan_create(config, options, &plan))
		fail_msg("%s: %s", tacho_error_last()->message, tacho_error_last()->cause);
	tacho_plan_get_summary(plan, out_summary);
	return plan;
}

static size_t count_passes(const struct tacho_arch *arch, const char *names, uint32_t policy)
{
	struct tacho_plan_options options = {.size = sizeof(options), .policy = policy};
	struct tacho_config *config = make_config(arch, names);
	struct tacho_plan_summary summary;

	tacho_plan_destroy(make_plan(config, &options, &summary));
	tacho_config_destroy(config);
	return summary.pass_count;
}

static const struct tacho_plan_use *find_use(const struct tacho_plan_pass *pass, const char *block)
{
	for (size_t i = 0; i < pass->use_count; i++)
		if (!strcmp(pass->uses[i].block, block))
			return &pass->uses[i];
	fail_msg("the pass does not use %s", block);
	return NULL;
}

static void assert_use(const struct tacho_plan_pass *pass, const char *block, uint32_t used,
		       uint32_t slots)
{
	assert_int_equal(find_use(pass, block)->used, used);
	assert_int_equal(find_use(pass, block)->slots, slots);
}

/* Fails, and says each of these words in message, cause or cure. */
static void assert_refused(const struct tacho_arch *arch, const struct tacho_config_entry *entries,
			   size_t count, int code, const char *first, const char *second)
{
	struct tacho_config *config = NULL;
	const struct tacho_error_detail *detail;
	char text[2048];

	assert_int_equal(tacho_config_create(arch, NULL, entries, count, &config), code);
	assert_null(config);
	detail = tacho_error_last();
	snprintf(text, sizeof(text), "%s|%s|%s", detail->message, detail->cause, detail->cure);
	if (!strstr(text, first) || !strstr(text, second))
		fail_msg("\"%s\" or \"%s\" is missing: %s", first, second, text);
}

static void refuse(const char *name, int code, const char *first, const char *second)
{
	const struct tacho_config_entry entry = {.name = name};

	assert_refused(toy, &entry, 1, code, first, second);
}

static void test_refusals(void **unused)
{
	const struct tacho_config_entry nameless = {0}, odd = {.name = "SQ_A", .mode = 7};
	const struct tacho_config_entry before = {.name = "ALUBusy"};

	refuse("NOWHERE", TACHO_E_UNSUPPORTED, "block NONE", "0 slots");
	refuse("LOST", TACHO_E_UNSUPPORTED, "MISSING", "does not have");
	refuse("OneAdded", TACHO_E_UNSUPPORTED, "block ONE", "accumulate(ONE_A, HIGH_RES)");
	refuse("SQ_a_", TACHO_E_NOTFOUND, "SQ_a_", "SQ_A");
	assert_refused(toy, &nameless, 1, TACHO_E_INVAL, "no name", "NULL");
	assert_refused(toy, &odd, 1, TACHO_E_INVAL, "SQ_A", "7");
	assert_refused(toy, &odd, 0, TACHO_E_INVAL, "nothing", "at least one");
	assert_refused(find_arch("evergreen", "cl"), &before, 1, TACHO_E_UNSUPPORTED, "ALUBusy",
		       "published");
}

static void test_config(void **unused)
{
	const struct tacho_config_entry entries[] = {
		{.name = "sq_a"},
		{.name = "SQ_A", .keeps_instances = 1},
		{.name = "PairAB", .mode = TACHO_MODE_PIPELINED},
	};
	struct tacho_config *config;

	assert_int_equal(tacho_config_create(toy, NULL, entries, 3, &config), 0);
	assert_ptr_equal(tacho_config_get_arch(config), toy);
	assert_null(tacho_config_get_model(config));
	assert_string_equal(tacho_config_get_entry(config, 0)->name, "SQ_A");
	assert_int_equal(tacho_config_get_entry(config, 0)->keeps_instances, 1);
	assert_int_equal(tacho_config_get_entry(config, 1)->mode, TACHO_MODE_PIPELINED);
	assert_string_equal(tacho_config_get_definition(config, 1)->name, "PairAB");
	assert_null(tacho_config_get_entry(config, 2));
	assert_null(tacho_config_get_definition(config, 2));
	tacho_config_destroy(config);
	tacho_config_destroy(NULL);
	tacho_plan_destroy(NULL);
}

/* HIGH_RES, LOW_RES and the plain counter: one base and two that add it up. */
static void test_accumulate(void **unused)
{
	struct tacho_config *config = make_config(toy, "Three");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, NULL, &summary);
	const struct tacho_plan_pass *pass = tacho_plan_get_pass(plan, 0);
	unsigned seen = 0;

	assert_int_equal(summary.pass_count, 1);
	assert_int_equal(pass->counter_count, 3);
	assert_use(pass, "SQ", 3, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(pass->counters[i].entry->name, "SQ_A");
		seen |= !strcmp(pass->counters[i].accumulate, "") ? 1 : 0;
		seen |= !strcmp(pass->counters[i].accumulate, "LOW_RES") ? 2 : 0;
		seen |= !strcmp(pass->counters[i].accumulate, "HIGH_RES") ? 4 : 0;
	}
	assert_int_equal(seen, 7);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	/* The base is there already: accumulate(A) + A + B are three slots, one with C more. */
	assert_int_equal(count_passes(toy, "Mean SQ_A SQ_B", TACHO_POLICY_COHERENT), 1);
	assert_int_equal(count_passes(toy, "Mean SQ_C", TACHO_POLICY_COHERENT), 2);
}

/* What fits into no pass comes from several, and says so. */
static void test_split(void **unused)
{
	struct tacho_config *config = make_config(toy, "SQ_A Wide");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, NULL, &summary);
	const struct tacho_plan_entry *wide = tacho_plan_get_entry(plan, 1);

	assert_int_equal(summary.pass_count, 2);
	assert_int_equal(summary.is_optimal, 1);
	assert_string_equal(summary.binding, "SQ: 4 counters, 3 slots");
	assert_int_equal(tacho_plan_get_entry(plan, 0)->is_split, 0);
	assert_int_equal(wide->is_split, 1);
	assert_int_equal(wide->pass_count, 2);
	assert_int_equal(wide->passes[0], 0);
	assert_int_equal(wide->passes[1], 1);
	assert_null(tacho_plan_get_entry(plan, 2));
	assert_null(tacho_plan_get_pass(plan, 2));
	assert_ptr_equal(tacho_plan_get_config(plan), config);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	/* Two counters and one slot in each of four instances: all of them are programmed alike. */
	assert_int_equal(count_passes(toy, "Both", TACHO_POLICY_COHERENT), 2);
}

/* Three pairs in three slots: a pass each, or two when pairs may be torn. */
static void test_fewest(void **unused)
{
	struct tacho_plan_options options = {.size = sizeof(options),
					     .policy = TACHO_POLICY_FEWEST};
	struct tacho_config *config = make_config(toy, "PairAB PairCD PairEF");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, &options, &summary);
	size_t split = 0;

	assert_int_equal(summary.pass_count, 2);
	assert_int_equal(summary.lower_bound, 2);
	for (size_t i = 0; i < 3; i++)
		split += tacho_plan_get_entry(plan, i)->is_split;
	assert_int_equal(split, 1);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	assert_int_equal(count_passes(toy, "PairAB PairCD PairEF", TACHO_POLICY_COHERENT), 3);
}

/* Nothing is split where that saves no pass. */
static void test_fewest_keeps_together(void **unused)
{
	struct tacho_plan_options options = {.size = sizeof(options),
					     .policy = TACHO_POLICY_FEWEST};
	struct tacho_config *config = make_config(find_arch("gfx908", NULL), "all");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, &options, &summary);
	const struct tacho_plan_entry *entry;

	assert_int_equal(summary.pass_count, 13);
	for (size_t i = 0; (entry = tacho_plan_get_entry(plan, i)); i++)
		assert_int_equal(entry->is_split, 0);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

static void test_apart(void **unused)
{
	struct tacho_config *config = make_config(toy, "SOLO_A SOLO_B SQ_A");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, NULL, &summary);

	assert_int_equal(summary.pass_count, 2);
	assert_string_equal(summary.binding,
			    "counters apart from others: 2 kinds exclude each other");
	assert_use(tacho_plan_get_pass(plan, 0), "SOLO", 2, 2);
	assert_use(tacho_plan_get_pass(plan, 1), "SQ", 1, 3);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/* GPUTime shares its pass with Direct3D's time and with nothing else. */
static void test_time_stamps(void **unused)
{
	const struct tacho_arch *arch = find_arch("gfx8", "dx11");

	assert_int_equal(count_passes(arch, "GPUTime D3DGPUTime", TACHO_POLICY_COHERENT), 1);
	assert_int_equal(count_passes(arch, "GPUTime GPUBusy", TACHO_POLICY_COHERENT), 2);
	assert_int_equal(count_passes(arch, "D3DGPUTime GPUBusy", TACHO_POLICY_COHERENT), 2);
	assert_int_equal(count_passes(arch, "GPUTime D3DGPUTime GPUBusy CSInvocations",
				      TACHO_POLICY_COHERENT),
			 2);
}

/* The 29 counters of the group D3D11: the time is not with the queries. */
static void test_queries(void **unused)
{
	const struct tacho_arch *arch = find_arch("gfx8", "dx11");
	const struct tacho_set *set = tacho_arch_find_set(arch, "D3D11");
	char names[4096] = "";

	assert_int_equal(set->entry_count, 29);
	for (size_t i = 0; i < set->entry_count; i++)
		strcat(strcat(names, i ? " " : ""), set->entries[i]->name);
	assert_int_equal(count_passes(arch, names, TACHO_POLICY_COHERENT), 2);
}

/* Serialized, pipelined and neither: three kinds of passes, and the plan says why. */
static void test_modes(void **unused)
{
	const struct tacho_config_entry entries[] = {
		{.name = "SQ_A", .mode = TACHO_MODE_SERIALIZED},
		{.name = "SQ_A", .mode = TACHO_MODE_PIPELINED},
		{.name = "SQ_B", .mode = TACHO_MODE_PIPELINED},
		{.name = "SQ_C"},
	};
	const struct tacho_plan_options options = {.size = sizeof(options), .nesting_depth = 3};
	struct tacho_plan_summary summary;
	struct tacho_config *config;
	struct tacho_plan *plan;

	assert_int_equal(tacho_config_create(toy, NULL, entries, 4, &config), 0);
	plan = make_plan(config, &options, &summary);
	assert_int_equal(summary.pass_count, 3);
	assert_int_equal(summary.run_count, 3 + 3 + 1); /* pipelined levels are not apart */
	assert_int_equal(summary.is_optimal, 1);
	assert_string_equal(summary.binding, "modes: 3 kinds exclude each other");
	for (size_t i = 0; i < 4; i++) {
		uint32_t pass = tacho_plan_get_entry(plan, i)->passes[0];

		assert_int_equal(tacho_plan_get_pass(plan, pass)->mode, entries[i].mode);
	}
	assert_int_equal(tacho_plan_get_entry(plan, 1)->passes[0],
			 tacho_plan_get_entry(plan, 2)->passes[0]);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/* 7 passes, 3 levels of ranges: the work runs 21 times. */
static void test_nesting(void **unused)
{
	struct tacho_plan_options options = {.size = sizeof(options), .nesting_depth = 3};
	struct tacho_config *config = make_config(find_arch("gfx1030", NULL), "all");
	struct tacho_plan_summary summary;

	tacho_plan_destroy(make_plan(config, &options, &summary));
	assert_int_equal(summary.pass_count, 7);
	assert_int_equal(summary.run_count, 21);
	options.nesting_depth = 0;
	tacho_plan_destroy(make_plan(config, &options, &summary));
	assert_int_equal(summary.run_count, 7);
	tacho_config_destroy(config);
}

static void test_limit(void **unused)
{
	struct tacho_plan_options options = {.size = sizeof(options), .passes_max = 1};
	struct tacho_config *config = make_config(toy, "SQ_A SQ_B SQ_C SQ_D");
	struct tacho_plan *plan = NULL;

	assert_int_equal(tacho_plan_create(config, &options, &plan), TACHO_E_PASSES);
	assert_null(plan);
	assert_non_null(strstr(tacho_error_last()->message, "2 passes"));
	assert_non_null(strstr(tacho_error_last()->cause, "SQ: 4 counters, 3 slots"));
	assert_non_null(strstr(tacho_error_last()->cure, "leave out SQ_"));
	options.passes_max = 2;
	assert_int_equal(tacho_plan_create(config, &options, &plan), 0);
	tacho_plan_destroy(plan);
	options.policy = 9;
	assert_int_equal(tacho_plan_create(config, &options, &plan), TACHO_E_INVAL);
	options.size = offsetof(struct tacho_plan_options, policy); /* of a caller that has none */
	assert_int_equal(tacho_plan_create(config, &options, &plan), 0);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/* Each of the four saves the pass alone; of one entry nothing is advised. */
static void test_advice(void **unused)
{
	struct tacho_config *config = make_config(toy, "SQ_A SQ_B SQ_C SQ_D");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, NULL, &summary);

	assert_string_equal(summary.advice, "leave out SQ_A or SQ_B or SQ_C to need one pass less");
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	config = make_config(toy, "Wide");
	plan = make_plan(config, NULL, &summary);
	assert_string_equal(summary.advice, "");
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/* Constants need no pass. */
static void test_constants(void **unused)
{
	struct tacho_config *config = make_config(find_arch("gfx90a", NULL), "CU_NUM");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, NULL, &summary);

	assert_int_equal(summary.pass_count, 0);
	assert_int_equal(summary.lower_bound, 0);
	assert_int_equal(summary.is_optimal, 1);
	assert_int_equal(tacho_plan_get_entry(plan, 0)->pass_count, 0);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/* RDNA 4's tables grant 16 slots, but its sequencer has 8 registers. */
static void test_real_slots(void **unused)
{
	struct tacho_config *config = make_config(find_arch("gfx1201", NULL), "all");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, NULL, &summary);
	const struct tacho_plan_pass *pass;

	for (size_t i = 0; (pass = tacho_plan_get_pass(plan, i)); i++)
		for (size_t k = 0; k < pass->use_count; k++)
			if (!strcmp(pass->uses[k].block, "SQ")) {
				assert_int_equal(pass->uses[k].slots, 8);
				assert_in_range(pass->uses[k].used, 1, 8);
			}
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/* A set is programmed as a whole; what every set counts joins any. */
static void test_sets(void **unused)
{
	const struct tacho_arch *arch = find_arch("chv", NULL);
	struct tacho_config *config = make_config(arch, "Sampler0Busy GpuTime EuActive");
	struct tacho_plan_summary summary;
	struct tacho_plan *plan = make_plan(config, NULL, &summary);

	assert_int_equal(summary.pass_count, 1);
	assert_non_null(tacho_plan_get_pass(plan, 0)->set);
	assert_int_equal(tacho_plan_get_pass(plan, 0)->set->is_exclusive, 1);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	/* One of the set L3_1, one of TestOa. */
	config = make_config(arch, "L30Bank0Active Counter0 GpuTime");
	plan = make_plan(config, NULL, &summary);
	assert_int_equal(summary.pass_count, 2);
	assert_int_equal(summary.is_optimal, 1);
	assert_ptr_not_equal(tacho_plan_get_pass(plan, 0)->set, tacho_plan_get_pass(plan, 1)->set);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

/* The limit of counters per pass is AMD's, raised to the largest metric, and can be dropped. */
static void test_cap(void **unused)
{
	const struct tacho_arch *arch = find_arch("gfx8", "dx11");
	struct tacho_plan_options options = {.size = sizeof(options)};
	struct tacho_config *config = make_config(arch, "VSBusy GPUBusy");
	struct tacho_plan_summary summary;

	tacho_plan_destroy(make_plan(config, &options, &summary));
	assert_int_equal(summary.cap, 120);
	options.no_cap = 1;
	tacho_plan_destroy(make_plan(config, &options, &summary));
	assert_int_equal(summary.cap, 0);
	tacho_config_destroy(config);
	config = make_config(arch, "all");
	options.no_cap = 0;
	tacho_plan_destroy(make_plan(config, &options, &summary));
	assert_int_equal(summary.cap, 128);
	tacho_config_destroy(config);
}

/* A vendor's plan: what it is made of is known, whether fewer passes would do is not. */
static void test_given(void **unused)
{
	struct tacho_config *config = make_config(toy, "PairAB PairCD SQ_E");
	const struct tacho_plan_counter first[] = {
		{tacho_arch_find_entry(toy, "SQ_A"), ""},
		{tacho_arch_find_entry(toy, "SQ_B"), ""},
		{tacho_arch_find_entry(toy, "SQ_C"), ""},
	};
	const struct tacho_plan_counter second[] = {{tacho_arch_find_entry(toy, "SQ_D"), ""}};
	const struct tacho_plan_pass passes[] = {
		{.counters = first, .counter_count = 3},
		{.counters = second, .counter_count = 1, .mode = TACHO_MODE_SERIALIZED},
	};
	struct tacho_plan_summary summary;
	struct tacho_plan *plan;

	assert_int_equal(tacho__plan_create_from_passes(config, passes, 2, NULL, &plan), 0);
	tacho_plan_get_summary(plan, &summary);
	assert_int_equal(summary.pass_count, 2);
	assert_int_equal(summary.lower_bound, 0);
	assert_int_equal(summary.is_optimal, -1);
	assert_int_equal(tacho_plan_get_entry(plan, 0)->pass_count, 1);
	assert_int_equal(tacho_plan_get_entry(plan, 1)->is_split, 1);
	assert_int_equal(tacho_plan_get_entry(plan, 2)->pass_count, 0);
	assert_int_equal(tacho_plan_get_pass(plan, 1)->mode, TACHO_MODE_SERIALIZED);
	assert_string_equal(tacho_plan_get_pass(plan, 1)->entries[0]->name, "PairCD");
	tacho_plan_destroy(plan);

	/* or it says itself which passes an entry takes its inputs from */
	const uint32_t both[] = {0, 1};
	const struct tacho_plan_entry entries[] = {
		{.entry = tacho_config_get_definition(config, 0), .passes = both, .pass_count = 2},
		{.entry = tacho_config_get_definition(config, 1), .passes = both, .pass_count = 1},
		{.entry = tacho_config_get_definition(config, 2)},
	};

	assert_int_equal(tacho__plan_create_from_passes(config, passes, 2, entries, &plan), 0);
	assert_int_equal(tacho_plan_get_entry(plan, 0)->is_split, 1);
	assert_int_equal(tacho_plan_get_entry(plan, 0)->passes[1], 1);
	assert_int_equal(tacho_plan_get_entry(plan, 1)->is_split, 0);
	assert_int_equal(tacho_plan_get_entry(plan, 1)->pass_count, 1);
	assert_int_equal(tacho_plan_get_entry(plan, 2)->pass_count, 0);
	assert_int_equal(tacho_plan_get_pass(plan, 0)->entry_count, 1);
	assert_string_equal(tacho_plan_get_pass(plan, 0)->entries[0]->name, "PairCD");
	assert_int_equal(tacho_plan_get_pass(plan, 1)->entry_count, 1);
	assert_string_equal(tacho_plan_get_pass(plan, 1)->entries[0]->name, "PairAB");
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),   cmocka_unit_test(test_config),
		cmocka_unit_test(test_accumulate), cmocka_unit_test(test_split),
		cmocka_unit_test(test_fewest),	   cmocka_unit_test(test_fewest_keeps_together),
		cmocka_unit_test(test_apart),	   cmocka_unit_test(test_time_stamps),
		cmocka_unit_test(test_queries),	   cmocka_unit_test(test_modes),
		cmocka_unit_test(test_nesting),	   cmocka_unit_test(test_limit),
		cmocka_unit_test(test_advice),	   cmocka_unit_test(test_constants),
		cmocka_unit_test(test_real_slots), cmocka_unit_test(test_sets),
		cmocka_unit_test(test_cap),	   cmocka_unit_test(test_given),
	};

	return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
