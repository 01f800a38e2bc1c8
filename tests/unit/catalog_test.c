/* SPDX-License-Identifier: MIT */
/* The catalog: how it is built, and how things in it are found. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/error.h"
#include "base/nearest.h"
#include "catalog/arch.h"
#include "test_folder.h"

static struct tacho_catalog *catalog;
static struct tacho__arch *first; /* "alpha" of the API "cl" */
static const struct tacho_arch *alpha;

static void add_arch(const char *name, const char *api, struct tacho__arch **out_arch)
{
	struct tacho_arch arch = {.name = name, .api = api};

	assert_int_equal(tacho__catalog_add_arch(catalog, &arch, out_arch), 0);
}

static void add_counter(const char *name)
{
	struct tacho_entry entry = {.name = name, .kind = TACHO_ENTRY_COUNTER, .block = "SQ"};

	assert_int_equal(tacho__arch_add_entry(first, &entry, TACHO__ADD_NEW), 0);
}

static void add_metric(const char *name, const char *expression)
{
	struct tacho_entry entry = {.name = name,
				    .kind = TACHO_ENTRY_METRIC,
				    .notation = "infix",
				    .expression = expression};

	assert_int_equal(tacho__arch_add_entry(first, &entry, TACHO__ADD_NEW), 0);
}

static int setup(void **state)
{
	assert_int_equal(tacho__catalog_create(&catalog), 0);
	add_arch("alpha", "cl", &first);
	alpha = tacho__arch_public(first);
	return 0;
}

static int teardown(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

static void test_arch_once(void **state)
{
	struct tacho_arch arch = {.name = "alpha", .api = "cl", .title = "Alpha 1"};
	struct tacho__arch *again, *other;

	assert_string_equal(alpha->title, "");
	assert_int_equal(tacho__catalog_add_arch(catalog, &arch, &again), 0);
	assert_ptr_equal(again, first);
	assert_string_equal(alpha->title, "Alpha 1");
	arch.title = "Alpha 2"; /* what is filled stays */
	assert_int_equal(tacho__catalog_add_arch(catalog, &arch, &again), 0);
	assert_string_equal(alpha->title, "Alpha 1");
	arch.api = "gl";
	assert_int_equal(tacho__catalog_add_arch(catalog, &arch, &other), 0);
	assert_ptr_not_equal(other, first);
	assert_ptr_equal(tacho_catalog_get_arch(catalog, 0), alpha);
	assert_ptr_equal(tacho_catalog_get_arch(catalog, 1), tacho__arch_public(other));
	assert_null(tacho_catalog_get_arch(catalog, 2));
	assert_ptr_equal(tacho__catalog_find_arch(catalog, "alpha", "gl"), other);
	assert_null(tacho__catalog_find_arch(catalog, "alpha", "hsa"));
}

static void test_entries(void **state)
{
	static const char *const aliases[] = {"Wave", "BETA"};
	struct tacho_entry entry = {
		.name = "Waves", .kind = TACHO_ENTRY_COUNTER, .aliases = aliases, .alias_count = 2};
	const struct tacho_entry *waves;

	assert_int_equal(tacho__arch_add_entry(first, &entry, TACHO__ADD_NEW), 0);
	add_counter("Beta");
	waves = tacho_arch_get_entry(alpha, 0);
	assert_string_equal(waves->description, "");
	assert_string_equal(waves->caveat, "");
	assert_true(isnan(waves->range_low) && isnan(waves->range_high));
	assert_ptr_equal(tacho_arch_find_entry(alpha, "Waves"), waves);
	assert_ptr_equal(tacho_arch_find_entry(alpha, "Wave"), waves);
	assert_ptr_equal(tacho_arch_find_entry(alpha, "WAVES"), waves);
	assert_ptr_equal(tacho_arch_find_entry(alpha, "wave"), waves); /* alias, case ignored */
	assert_ptr_equal(tacho_arch_find_entry(alpha, "BETA"), waves); /* alias before case */
	assert_string_equal(tacho_arch_find_entry(alpha, "beta")->name, "Beta");
	assert_null(tacho_arch_find_entry(alpha, "Gamma"));
	assert_null(tacho__arch_get_exact(alpha, "waves"));

	entry.description = "new";
	entry.range_high = 100;
	assert_int_equal(tacho__arch_add_entry(first, &entry, TACHO__ADD_NEW), TACHO_E_EXISTS);
	assert_string_equal(waves->description, "");
	assert_int_equal(tacho__arch_add_entry(first, &entry, TACHO__ADD_OR_REPLACE), 0);
	assert_ptr_equal(tacho_arch_get_entry(alpha, 0), waves);
	assert_string_equal(waves->description, "new");
	assert_true(waves->range_low == 0 && waves->range_high == 100);
	assert_null(tacho_arch_get_entry(alpha, 2));
	entry.name = "";
	assert_int_equal(tacho__arch_add_entry(first, &entry, TACHO__ADD_NEW), TACHO_E_INVAL);
}

static void test_sets(void **state)
{
	static const char *const names[] = {"B", "nobody", "A"};
	struct tacho_set set = {.name = "Group", .guid = "9d8a-x"};
	const struct tacho_set *found;

	add_counter("A");
	assert_int_equal(tacho__arch_add_set(first, &set, names, 3), 0);
	add_counter("B"); /* after the set that names it */
	set.title = "again";
	assert_int_equal(tacho__arch_add_set(first, &set, names, 3), 0); /* replaced */
	assert_int_equal(tacho__catalog_complete(catalog), 0);
	found = tacho_arch_find_set(alpha, "GROUP");
	assert_non_null(found);
	assert_ptr_equal(tacho_arch_find_set(alpha, "9D8A-X"), found);
	assert_null(tacho_arch_find_set(alpha, ""));
	assert_string_equal(found->title, "again");
	assert_int_equal(found->entry_count, 2);
	assert_string_equal(found->entries[0]->name, "B");
	assert_string_equal(found->entries[1]->name, "A");
	assert_null(tacho_arch_get_set(alpha, 1));
	assert_string_equal(tacho_catalog_get_problem(catalog, 0)->entry, "Group");
	assert_non_null(strstr(tacho_catalog_get_problem(catalog, 0)->message, "\"nobody\""));
	assert_null(tacho_catalog_get_problem(catalog, 1));
}

static int two_dimensions(const struct tacho_arch *arch, const struct tacho_block *block,
			  const struct tacho_model *model, struct tacho_dimension *out_dimensions,
			  uint32_t *out_count)
{
	out_dimensions[0] = (struct tacho_dimension){.name = "DIMENSION_XCC", .extent = 2};
	out_dimensions[1] =
		(struct tacho_dimension){.name = "DIMENSION_INSTANCE", .extent = block->instances};
	*out_count = 2;
	return 0;
}

/* Of A, which has 2 x 3 values. */
static void check_metric_dimensions(const struct tacho_model *model)
{
	static const struct {
		const char *name, *expression;
		int code;
		uint32_t count, extents[2];
	} cases[] = {
		{"M", NULL, 0, 2, {2, 3}},
		{"Scaled", "100 * M / 7", 0, 2, {2, 3}},
		{"Whole", "reduce(A,sum)", 0, 0, {0}},
		{"Part", "reduce(M,max,[DIMENSION_XCC])", 0, 1, {3}},
		{"One", "select(A,[DIMENSION_INSTANCE=[1]])", 0, 1, {2}},
		{"Ratio", "A / Part", 0, 2, {2, 3}},
		{"Some", "select(A,[DIMENSION_INSTANCE=[0,2]])", TACHO_E_UNSUPPORTED, 0, {0}},
		{"Mixed", "Part + One", TACHO_E_INVAL, 0, {0}},
		{"Wrong", "A +", TACHO_E_PARSE, 0, {0}},
	};
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t count = 9;

		if (cases[i].expression)
			add_metric(cases[i].name, cases[i].expression);
		assert_int_equal(tacho_arch_get_dimensions(
					 alpha, tacho_arch_find_entry(alpha, cases[i].name), model,
					 dimensions, &count),
				 cases[i].code);
		assert_int_equal(count, cases[i].code ? 9 : cases[i].count);
		for (uint32_t k = 0; k < cases[i].count; k++)
			assert_int_equal(dimensions[k].extent, cases[i].extents[k]);
	}
}

static void test_blocks_and_models(void **state)
{
	static const struct tacho_property properties[] = {{"num_xcc", 2}};
	struct tacho_model model = {.name = "m1", .properties = properties, .property_count = 1};
	struct tacho_block block = {.name = "SQ", .slots = 8};
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	const struct tacho_model *found;
	uint32_t count = 9;

	add_counter("A");
	add_metric("M", "A");
	assert_int_equal(tacho__arch_add_model(first, &model), 0);
	found = tacho_arch_find_model(alpha, "M1");
	assert_ptr_equal(found, tacho_arch_get_model(alpha, 0));
	assert_null(tacho_arch_get_model(alpha, 1));
	assert_null(tacho_arch_find_model(alpha, "m2"));
	assert_string_equal(found->title, "");
	/* no rule: no dimensions */
	assert_int_equal(tacho_arch_get_dimensions(alpha, tacho_arch_find_entry(alpha, "A"), found,
						   dimensions, &count),
			 0);
	assert_int_equal(count, 0);
	tacho__arch_set_dimensions(first, two_dimensions);
	assert_int_equal(tacho_arch_get_dimensions(alpha, tacho_arch_find_entry(alpha, "A"), found,
						   dimensions, &count),
			 TACHO_E_UNSUPPORTED); /* no such block */
	assert_int_equal(tacho__arch_add_block(first, &block), 0);
	block.slots = 4;
	block.instances = 3;
	assert_int_equal(tacho__arch_add_block(first, &block), 0); /* replaced */
	assert_int_equal(tacho_arch_find_block(alpha, "sq")->slots, 4);
	assert_null(tacho_arch_find_block(alpha, "TA"));
	assert_null(tacho_arch_get_block(alpha, 1));
	assert_int_equal(tacho_arch_get_dimensions(alpha, tacho_arch_find_entry(alpha, "A"), found,
						   dimensions, &count),
			 0);
	assert_int_equal(count, 2);
	assert_int_equal(dimensions[1].extent, 3);
	check_metric_dimensions(found);
}

static void test_find_arch(void **state)
{
	const struct tacho_arch *found = NULL;
	struct tacho__arch *gl, *own;

	assert_int_equal(tacho_catalog_find_arch(catalog, "ALPHA", NULL, &found), 0);
	assert_ptr_equal(found, alpha);
	add_arch("alpha", "gl", &gl);
	assert_int_equal(tacho_catalog_find_arch(catalog, "alpha", "GL", &found), 0);
	assert_ptr_equal(found, tacho__arch_public(gl));
	found = NULL;
	assert_int_equal(tacho_catalog_find_arch(catalog, "alpha", NULL, &found),
			 TACHO_E_AMBIGUOUS);
	assert_null(found);
	assert_non_null(strstr(tacho_error_last()->cause, "cl, gl"));
	assert_int_equal(tacho_catalog_find_arch(catalog, "alpha", "oa", &found), TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cause, "cl, gl"));
	assert_int_equal(tacho__catalog_add_arch(
				 catalog,
				 &(struct tacho_arch){.name = "alpha", .api = "whole", .is_own = 1},
				 &own),
			 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "alpha", NULL, &found), 0);
	assert_ptr_equal(found, tacho__arch_public(own));
	add_arch("beta", "cl", &gl);
	add_arch("alpine", "cl", &gl);
	assert_int_equal(tacho_catalog_find_arch(catalog, "alfa", NULL, &found), TACHO_E_NOTFOUND);
	assert_string_equal(tacho_error_last()->cure, "the nearest names are alpha, beta, alpine");
}

static void test_distance(void **state)
{
	assert_int_equal(tacho_nearest_distance("kitten", "sitting", 0), 3);
	assert_int_equal(tacho_nearest_distance("record", "record", 0), 0);
	assert_int_equal(tacho_nearest_distance("ab", "ba", 0), 1); /* a swap */
	assert_int_equal(tacho_nearest_distance("Waves", "wAVES", 0), 5);
	assert_int_equal(tacho_nearest_distance("Waves", "wAVES", 1), 0);
	assert_int_equal(tacho_nearest_distance("", "abc", 0), 3);
}

/* Whatever the bound, a score below it is the whole score, and no other is below it. */
static void test_bounded_score(void **state)
{
	static const char *const words[] = {
		"",	 "a",	     "ba",	"ab",	    "kitten",	"sitting", "tacho",
		"atcho", "SQ_WAVES", "sq_wave", "WAVES_SQ", "VALUBusy", "GPUBusy", "MemUnitBusy"};
	const size_t count = sizeof(words) / sizeof(words[0]);

	for (size_t i = 0; i < count * count; i++) {
		const char *word = words[i / count], *name = words[i % count];
		unsigned score = tacho_nearest_score(word, name);

		for (unsigned below = 0; below < 150; below++) {
			unsigned bounded = tacho_nearest_score_below(word, name, below);

			if (score < below)
				assert_int_equal(bounded, score);
			else
				assert_true(bounded >= below);
		}
	}
	assert_int_equal(tacho_nearest_score("ab", "ba"), 10);
	assert_int_equal(tacho_nearest_score("kitten", "sitting"), 30);
}

static void test_nearest(void **state)
{
	static const char *const aliases[] = {"Occupancy"};
	struct tacho_entry aliased = {.name = "X", .aliases = aliases, .alias_count = 1};
	const struct tacho_entry *near[8];

	add_counter("SQ_BUSY_CYCLES");
	add_counter("SQ_WAVES_sum");
	add_counter("SQ_WAVES");
	add_counter("TA_SQ_WAVES_X");
	add_counter("SQ_WAVE32");
	assert_int_equal(tacho__arch_add_entry(first, &aliased, TACHO__ADD_NEW), 0);
	assert_int_equal(tacho_arch_find_nearest(alpha, "sq_waves", near, 4), 4);
	assert_string_equal(near[0]->name, "SQ_WAVES");	    /* 0 */
	assert_string_equal(near[1]->name, "SQ_WAVES_sum"); /* begins with it: 9 + 4 / 4 */
	/* contains it: 19 + 5 / 4; as near as one with two other letters, and before it in the list
	 */
	assert_string_equal(near[2]->name, "TA_SQ_WAVES_X");
	assert_string_equal(near[3]->name, "SQ_WAVE32");
	assert_int_equal(tacho_arch_find_nearest(alpha, "Ocupancy", near, 1), 1);
	assert_string_equal(near[0]->name, "X");
	assert_int_equal(tacho_arch_find_nearest(alpha, "Ocupancy", near, 8),
			 8); /* and of commands */
	assert_int_equal(tacho_arch_find_nearest(alpha, "Ocupancy", near, 0), 0);
}

static void test_of_commands(void **state)
{
	add_counter("TA1");
	assert_true(tacho_arch_find_entry(alpha, "work_items")->is_of_command);
	assert_true(tacho_arch_find_entry(alpha, "Work_Items")->is_of_command);
	assert_false(tacho_arch_find_entry(alpha, "ta1")->is_of_command);
	assert_null(tacho_arch_get_entry(alpha, 1)); /* they are behind its own */
}

/* The inputs of a metric, blanks between; NULL when it fails. */
static const char *inputs(const char *name)
{
	static char names[256];
	const struct tacho_entry **entries = NULL;
	size_t count, size = 0;

	names[0] = '\0';
	if (tacho_arch_list_inputs(alpha, tacho_arch_find_entry(alpha, name), &entries, &count))
		return NULL;
	for (size_t i = 0; i < count; i++)
		size += (size_t)snprintf(names + size, sizeof(names) - size, "%s%s", i ? " " : "",
					 entries[i]->name);
	free(entries);
	return names;
}

static void expect_expanded(const char *name, const char *expected)
{
	char *text = NULL;

	assert_int_equal(
		tacho_arch_format_expanded(alpha, tacho_arch_find_entry(alpha, name), &text), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void test_inputs(void **state)
{
	struct tacho_entry constant = {.name = "CUS", .kind = TACHO_ENTRY_CONSTANT};
	static const char *const rpn_inputs[] = {"B", "A"};
	struct tacho_entry rpn = {.name = "Rpn",
				  .kind = TACHO_ENTRY_METRIC,
				  .notation = "gpa",
				  .expression = "0,1,/,(3),*",
				  .inputs = rpn_inputs,
				  .input_count = 2};

	add_counter("A");
	add_counter("B");
	assert_int_equal(tacho__arch_add_entry(first, &constant, TACHO__ADD_NEW), 0);
	add_metric("Sum", "A+B");
	add_metric("Twice", "2*Sum/(Sum-CUS)");
	assert_int_equal(tacho__arch_add_entry(first, &rpn, TACHO__ADD_NEW), 0);
	assert_string_equal(inputs("Sum"), "A B");
	assert_string_equal(inputs("Twice"), "A B CUS");
	assert_string_equal(inputs("Rpn"), "B A");
	assert_null(inputs("A"));
	assert_int_equal(tacho_error_last()->code, TACHO_E_INVAL);
	expect_expanded("Sum", "A + B");
	expect_expanded("Twice", "2*(A + B)/(A + B - CUS)");
	expect_expanded("Rpn", "B/A*3");
}

static void expect_no_expansion(const char *name, int code, const char *words)
{
	char *text = NULL;

	assert_int_equal(
		tacho_arch_format_expanded(alpha, tacho_arch_find_entry(alpha, name), &text), code);
	assert_null(text);
	assert_non_null(strstr(tacho_error_last()->message, words));
}

static void test_bad_metrics(void **state)
{
	char names[300][8], texts[300][24];

	add_counter("A");
	add_metric("Self", "Self+1");
	add_metric("Ping", "A+Pong");
	add_metric("Pong", "Ping*2");
	add_metric("Lost", "A+Nobody");
	add_metric("Secret", "");
	add_metric("Garbled", "A+");
	assert_null(inputs("Self"));
	assert_int_equal(tacho_error_last()->code, TACHO_E_INVAL);
	expect_no_expansion("Self", TACHO_E_INVAL, "Self");
	expect_no_expansion("Ping", TACHO_E_INVAL, "Pong leads back to Ping");
	expect_no_expansion("Lost", TACHO_E_NOTFOUND, "\"Nobody\"");
	expect_no_expansion("Secret", TACHO_E_UNSUPPORTED, "Secret");
	assert_null(inputs("Garbled"));
	assert_int_equal(tacho_error_last()->code, TACHO_E_PARSE);
	/* metrics inside metrics, 299 deep, each twice: neither too deep nor too large may hang */
	for (int i = 0; i < 300; i++) {
		snprintf(names[i], sizeof(names[i]), "D%d", i);
		snprintf(texts[i], sizeof(texts[i]), i == 299 ? "A" : "D%d+D%d", i + 1, i + 1);
		add_metric(names[i], texts[i]);
	}
	assert_null(inputs("D0"));
	assert_int_equal(tacho_error_last()->code, TACHO_E_INVAL);
	assert_string_equal(inputs("D250"), "A");
	expect_no_expansion("D250", TACHO_E_INVAL, "as one expression"); /* 2^49 parts */
	expect_expanded("D297", "A + A + (A + A)");
}

/* Chains of chains: each is short enough, but nothing may call itself for all of them together. */
static void test_long_chains(void **state)
{
	static char texts[3][1024];
	char *text = NULL;

	add_counter("A");
	for (int i = 0; i < 3; i++) {
		size_t at = (size_t)snprintf(texts[i], sizeof(texts[i]), "%s",
					     (const char *[]){"A", "Chain0", "Chain1"}[i]);

		for (int k = 0; k < 400; k++)
			at += (size_t)snprintf(texts[i] + at, sizeof(texts[i]) - at, "+A");
	}
	add_metric("Chain0", texts[0]);
	add_metric("Chain1", texts[1]);
	add_metric("Chain2", texts[2]);
	assert_int_equal(
		tacho_arch_format_expanded(alpha, tacho_arch_find_entry(alpha, "Chain1"), &text),
		0);
	assert_int_equal(strlen(text), 1 + 800 * 4); /* "A" and 800 times " + A" */
	free(text);
	expect_no_expansion("Chain2", TACHO_E_INVAL, "as one expression");
	assert_string_equal(inputs("Chain2"), "A");
}

static void open_with(const char *file, const char *arch, const char *api, int code)
{
	struct tacho_catalog_options options = {.size = sizeof(options),
						.arch = arch,
						.api = api,
						.definitions = &file,
						.definition_count = file ? 1 : 0,
						.no_environment = 1};

	tacho_catalog_close(catalog);
	catalog = NULL;
	assert_int_equal(tacho_catalog_open(&options, &catalog), code);
	assert_int_equal(catalog != NULL, code == 0);
}

static char *data(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/tests/data/catalog/%s", getenv("TACHO_SOURCE_ROOT"), name);
	return path;
}

static void test_open(void **state)
{
	const struct tacho_arch *arch;

	open_with(NULL, NULL, NULL, 0);
	assert_null(tacho_catalog_get_problem(catalog, 0)); /* what is built in is sound */
	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx90a", NULL, &arch), 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "chv", NULL, &arch), 0);
	open_with(NULL, "gfx90a", "rocm", 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx90a", NULL, &arch), 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "chv", NULL, &arch), TACHO_E_NOTFOUND);
	open_with(NULL, "gfx90b", NULL, 0); /* nobody's: all are there to compare with */
	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx90b", NULL, &arch), TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cure, "gfx900, gfx906"));
	tacho_catalog_close(catalog);
	catalog = NULL;
	assert_int_equal(tacho_catalog_open(NULL, &catalog), 0);
	tacho_catalog_close(catalog);
	catalog = NULL;
	assert_int_equal(tacho_catalog_open(&(struct tacho_catalog_options){0}, &catalog),
			 TACHO_E_INVAL);
}

/* What an architecture has of each kind of thing. */
struct counts {
	size_t entries, blocks, sets, set_entries, models;
};

static struct counts count_things(const struct tacho_arch *arch)
{
	struct counts counts = {0};
	const struct tacho_set *set;

	while (tacho_arch_get_entry(arch, counts.entries))
		counts.entries++;
	while (tacho_arch_get_block(arch, counts.blocks))
		counts.blocks++;
	for (; (set = tacho_arch_get_set(arch, counts.sets)); counts.sets++)
		counts.set_entries += set->entry_count;
	while (tacho_arch_get_model(arch, counts.models))
		counts.models++;
	return counts;
}

/* One architecture of many in a file: it alone is there, and nothing of it is missing. */
static void test_open_one(void **state)
{
	static const char *const names[] = {"chv",  "bdw", "gfx942", "gfx9",
					    "r600", "any", "GFX90A"};
	struct tacho_catalog *all = NULL;
	struct tacho_catalog_options options = {.size = sizeof(options), .no_environment = 1};
	const struct tacho_arch *arch, *whole;

	assert_int_equal(tacho_catalog_open(&options, &all), 0);
	for (size_t n = 0; n < TACHO__ARRAY_SIZE(names); n++) {
		size_t count = 0, expected = 0;

		open_with(NULL, names[n], NULL, 0);
		for (; (arch = tacho_catalog_get_arch(catalog, count)); count++) {
			struct counts some = count_things(arch), full;

			assert_int_equal(strcasecmp(arch->name, names[n]), 0);
			assert_int_equal(
				tacho_catalog_find_arch(all, arch->name, arch->api, &whole), 0);
			full = count_things(whole);
			assert_true(full.entries > 0);
			assert_memory_equal(&some, &full, sizeof(full));
		}
		for (size_t i = 0; (whole = tacho_catalog_get_arch(all, i)); i++)
			expected += !strcasecmp(whole->name, names[n]);
		assert_true(expected > 0);
		assert_int_equal(count, expected);
	}
	tacho_catalog_close(all);
}

static void test_open_file(void **state)
{
	const struct tacho_problem *problem;
	const struct tacho_entry *entry;
	const struct tacho_arch *arch;

	open_with(data("extra.yaml"), NULL, NULL, 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "gfx90a", "rocm", &arch), 0);
	entry = tacho_arch_find_entry(arch, "WavesPerCycle");
	assert_non_null(entry);
	assert_string_equal(entry->unit, "wavefronts");
	assert_non_null(strstr(entry->file, "extra.yaml:"));
	assert_null(tacho_arch_find_entry(arch, "Broken"));
	assert_non_null(tacho_arch_find_entry(arch, "SQ_WAVES")); /* added, not instead */
	problem = tacho_catalog_get_problem(catalog, 0);
	assert_non_null(problem);
	assert_string_equal(problem->entry, "Broken");
	assert_int_equal(problem->line, 14);
	assert_non_null(strstr(problem->file, "extra.yaml"));
	assert_null(tacho_catalog_get_problem(catalog, 1));
}

static void test_open_wrong_file(void **state)
{
	struct folder folder;
	const char *path;

	open_with(data("unknown.yaml"), NULL, NULL, TACHO_E_PARSE);
	assert_non_null(strstr(tacho_error_last()->message, "unknown.yaml"));
	assert_non_null(strstr(tacho_error_last()->cause, "\"oa-definitions:\""));
	open_with(data("unknown.xml"), NULL, NULL, TACHO_E_PARSE);
	open_with(data("not there"), NULL, NULL, TACHO_E_NOTFOUND);
	folder_make(&folder);
	open_with(folder.path, NULL, NULL, TACHO_E_IO);
	path = folder_name(&folder, "fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	open_with(path, NULL, NULL, TACHO_E_IO); /* and does not wait for a writer */
	folder_remove(&folder);
}

static void test_environment(void **state)
{
	struct folder folder;
	const char *path;
	FILE *file;

	folder_make(&folder);
	path = folder_name(&folder, "counter_defs.yaml");
	setenv("ROCPROFILER_METRICS_PATH", folder.path, 1);
	tacho_catalog_close(catalog);
	assert_int_equal(tacho_catalog_open(NULL, &catalog), 0); /* no such file: nothing */
	assert_null(tacho_catalog_get_problem(catalog, 0));
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("a: [1\n", file);
	fclose(file);
	tacho_catalog_close(catalog);
	assert_int_equal(tacho_catalog_open(NULL, &catalog), 0); /* what is wrong costs nothing */
	assert_non_null(tacho_catalog_get_problem(catalog, 0));
	assert_string_equal(tacho_catalog_get_problem(catalog, 0)->file, path);
	unsetenv("ROCPROFILER_METRICS_PATH");
	folder_remove(&folder);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	static const struct CMUnitTest tests[] = {
		TEST(test_arch_once),	  TEST(test_entries),		TEST(test_sets),
		TEST(test_find_arch),	  TEST(test_blocks_and_models), TEST(test_distance),
		TEST(test_bounded_score), TEST(test_nearest),		TEST(test_of_commands),
		TEST(test_inputs),	  TEST(test_bad_metrics),	TEST(test_long_chains),
		TEST(test_open),	  TEST(test_open_one),		TEST(test_open_file),
		TEST(test_environment),	  TEST(test_open_wrong_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
