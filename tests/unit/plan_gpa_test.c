/* SPDX-License-Identifier: MIT */
/*
 * Plans against AMD's own splitter: its published numbers, and random selections of which none may
 * need more passes than AMD's. TACHO_LONG=1: 10,000 selections of each catalog.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/json.h"
#include "gpa_splitter.h"
#include "rounds.h"
#include "plan/config.h"
#include "tacho/error.h"
#include "tacho/plan.h"

enum { METRICS_MAX = 256, COUNTERS_MAX = 4096, BLOCKS_MAX = 512, LONG_ROUNDS = 10000 };

/* One catalog as the splitter sees it. */
struct world {
	const struct tacho_arch *arch;
	struct gpa_catalog catalog;
	struct gpa_counter counters[COUNTERS_MAX];
	const struct tacho_entry *entries[COUNTERS_MAX]; /* of the counters */
	uint32_t slots[BLOCKS_MAX];
	const struct tacho_entry *metrics[METRICS_MAX];
	struct gpa_metric splits[METRICS_MAX];
	size_t metric_count;
};

static struct tacho_catalog *catalog;
static struct world world;
static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % below;
}

static int open_catalog(void **unused)
{
	struct tacho_catalog_options options = {.size = sizeof(options), .no_environment = 1};

	return tacho_catalog_open(&options, &catalog);
}

static void forget_world(void)
{
	for (size_t i = 0; i < world.metric_count; i++)
		free((void *)world.splits[i].counters);
	memset(&world, 0, sizeof(world));
}

static int close_catalog(void **unused)
{
	forget_world();
	tacho_catalog_close(catalog);
	return 0;
}

static uint32_t index_block(const struct tacho_arch *arch, const char *name)
{
	const struct tacho_block *block;

	for (uint32_t i = 0; (block = tacho_arch_get_block(arch, i)); i++)
		if (!strcmp(block->name, name))
			return i;
	fail_msg("no block %s", name);
	return 0;
}

static uint32_t index_stage(const struct tacho_arch *arch, const char *stage)
{
	const struct tacho_block *block;

	for (uint32_t i = 0; *stage && (block = tacho_arch_get_block(arch, i)); i++)
		if (!strcmp(block->stage, stage))
			return i + 1;
	return 0;
}

static uint32_t index_counter(const struct tacho_entry *entry)
{
	const struct tacho_block *block;
	size_t i = 0;

	while (i < world.catalog.counter_count && world.entries[i] != entry)
		i++;
	if (i < world.catalog.counter_count)
		return (uint32_t)i;
	assert_in_range(i, 0, COUNTERS_MAX - 1);
	block = tacho_arch_find_block(world.arch, entry->block);
	world.entries[i] = entry;
	world.counters[i] = (struct gpa_counter){
		.block = index_block(world.arch, entry->block),
		.event = (uint32_t)entry->event,
		.stage = index_stage(world.arch, block->stage),
		.is_time = strstr(block->attributes, "alone") != NULL,
	};
	world.catalog.counter_count++;
	return (uint32_t)i;
}

/* The metrics over hardware counters; the queries of Direct3D are not the splitter's. */
static void load_world(const char *api, const char *name)
{
	const struct tacho_entry *entry;
	const struct tacho_block *block;
	const struct tacho_arch *arch;

	forget_world();
	assert_int_equal(tacho_catalog_find_arch(catalog, name, api, &arch), 0);
	world.arch = arch;
	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++) {
		assert_in_range(i, 0, BLOCKS_MAX - 1);
		world.slots[i] = block->slots;
		if (block->stage_slots)
			world.catalog.stage_slots = block->stage_slots;
		world.catalog.block_count = i + 1;
	}
	world.catalog.counters = world.counters;
	world.catalog.block_slots = world.slots;
	world.catalog.cap = arch->pass_cap;
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		struct gpa_metric *split = &world.splits[world.metric_count];
		uint32_t *counters;

		if (entry->kind != TACHO_ENTRY_METRIC || !*entry->expression ||
		    !strcmp(entry->group, "D3D11"))
			continue;
		counters = calloc(entry->input_count, sizeof(*counters));
		assert_non_null(counters);
		for (size_t k = 0; k < entry->input_count; k++)
			counters[k] = index_counter(tacho_arch_find_entry(arch, entry->inputs[k]));
		*split = (struct gpa_metric){counters, entry->input_count};
		world.metrics[world.metric_count++] = entry;
	}
}

static size_t find_metric(const char *name)
{
	for (size_t i = 0; i < world.metric_count; i++)
		if (!strcmp(world.metrics[i]->name, name))
			return i;
	fail_msg("%s %s has no %s", world.arch->api, world.arch->name, name);
	return 0;
}

static size_t split(const size_t *selection, size_t count, enum gpa_splitter how)
{
	const struct gpa_metric *metrics[METRICS_MAX];

	for (size_t i = 0; i < count; i++)
		metrics[i] = &world.splits[selection[i]];
	return gpa_splitter_count(&world.catalog, metrics, count, how);
}

static struct tacho_plan_summary plan(const size_t *selection, size_t count, int no_cap)
{
	struct tacho_config_entry entries[METRICS_MAX];
	struct tacho_plan_options options = {.size = sizeof(options), .no_cap = (uint32_t)no_cap};
	struct tacho_plan_summary summary;
	struct tacho_config *config;
	struct tacho_plan *made;

	for (size_t i = 0; i < count; i++)
		entries[i] = (struct tacho_config_entry){.name = world.metrics[selection[i]]->name};
	if (tacho_config_create(world.arch, NULL, entries, count, &config) ||
	    tacho_plan_create(config, &options, &made))
		fail_msg("%s: %s", tacho_error_last()->message, tacho_error_last()->cause);
	tacho_plan_get_summary(made, &summary);
	tacho_plan_destroy(made);
	tacho_config_destroy(config);
	return summary; /* its texts are gone */
}

static size_t plan_names(const char *const *names, size_t count)
{
	size_t selection[METRICS_MAX];

	for (size_t i = 0; i < count; i++)
		selection[i] = find_metric(names[i]);
	return plan(selection, count, 0).pass_count;
}

static size_t split_names(const char *const *names, size_t count)
{
	size_t selection[METRICS_MAX];

	for (size_t i = 0; i < count; i++)
		selection[i] = find_metric(names[i]);
	return split(selection, count, GPA_CONSOLIDATED);
}

#define COUNT(...)                                     \
	plan_names((const char *const[]){__VA_ARGS__}, \
		   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define SPLIT(...)                                      \
	split_names((const char *const[]){__VA_ARGS__}, \
		    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* The numbers that AMD's tests assert. */
static void test_asserted(void **unused)
{
	static const char *const gcn[] = {"gfx6", "gfx7", "gfx8"};

	for (size_t i = 0; i < 3; i++) {
		load_world("cl", gcn[i]);
		assert_int_equal(COUNT("Wavefronts", "VALUInsts", "SALUInsts"), 1);
		assert_int_equal(SPLIT("Wavefronts", "VALUInsts", "SALUInsts"), 1);
		for (size_t dx = 0; dx < 2; dx++) {
			load_world(dx ? "dx11" : "gl", gcn[i]);
			assert_int_equal(COUNT("GPUTime", "GPUBusy", "TessellatorBusy"), 2);
			assert_int_equal(SPLIT("GPUTime", "GPUBusy", "TessellatorBusy"), 2);
		}
		assert_int_equal(COUNT("GPUTime", "VSBusy", "VSTime"), 3);
		assert_int_equal(COUNT("GPUTime", "VSTime", "VSBusy"), 3);
		assert_int_equal(COUNT("VSTime", "VSBusy", "GPUTime"), 3);
		assert_int_equal(COUNT("VSBusy", "GPUTime"), 3);
		assert_int_equal(COUNT("VSTime", "GPUTime"), 3);
		assert_int_equal(COUNT("VSTime", "VSBusy"), 3);
		assert_int_equal(SPLIT("GPUTime", "VSBusy", "VSTime"), 3);
		assert_int_equal(SPLIT("VSTime", "VSBusy", "GPUTime"), 3);
		assert_int_equal(SPLIT("VSBusy", "GPUTime"), 3);
	}
	load_world("dx11", "gfx7");
	assert_in_range(COUNT("VSBusy", "HSBusy", "DSBusy", "GSBusy", "PSBusy", "CSBusy"), 1, 4);
	assert_int_equal(SPLIT("VSBusy", "HSBusy", "DSBusy", "GSBusy", "PSBusy", "CSBusy"), 4);
}

/* The order in which AMD's library lists its counters, in which "all" enables them. */
static size_t list_in_order(size_t *selection)
{
	const char *root = getenv("TACHO_SOURCE_ROOT");
	struct tacho__arena arena = {0};
	struct tacho__json *json;
	struct tacho__buf text = {0};
	char path[4096];
	size_t count = 0;

	snprintf(path, sizeof(path), "%s/../shared/data/gpa/%s-%s.json", root ? root : ".",
		 world.arch->api, world.arch->name);
	if (access(path, R_OK) != 0)
		return 0;
	assert_int_equal(tacho__fs_read(path, 64 << 20, &text), 0);
	assert_int_equal(tacho__json_parse(&arena, text.text, text.size, &json), 0);
	for (const struct tacho__json *each = tacho__json_get(json, "counters")->first; each;
	     each = each->next)
		selection[count++] = find_metric(tacho__json_string(each, "name", ""));
	assert_int_equal(count, world.metric_count);
	tacho__arena_finish(&arena);
	tacho__buf_finish(&text);
	return count;
}

struct full {
	const char *api, *arch;
	size_t consolidated, one_per_pass, max_per_pass; /* AMD's; 0: not known */
	size_t capped, uncapped;			 /* tacho's, at most */
};

static const struct full fulls[] = {
	{"cl", "gfx6", 2, 18, 0, 2, 2},	     {"cl", "gfx7", 2, 20, 0, 2, 2},
	{"cl", "gfx8", 2, 20, 0, 2, 2},	     {"cl", "gfx9", 3, 22, 0, 3, 3},
	{"hsa", "gfx7", 2, 0, 0, 2, 2},	     {"hsa", "gfx8", 2, 0, 0, 2, 2},
	{"hsa", "gfx9", 2, 0, 0, 2, 2},	     {"gl", "gfx6", 9, 0, 8, 8, 8},
	{"gl", "gfx7", 10, 0, 10, 10, 10},   {"gl", "gfx8", 14, 0, 10, 10, 10},
	{"gl", "gfx9", 12, 0, 9, 9, 9},	     {"dx11", "gfx6", 12, 0, 8, 9, 8},
	{"dx11", "gfx7", 15, 0, 10, 14, 10}, {"dx11", "gfx8", 17, 0, 10, 16, 10},
	{"dx11", "gfx9", 14, 0, 11, 10, 9},
};

/* Everything of a catalog at once: what AMD's splitter is known to need, and what tacho does. */
static void test_everything(void **unused)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(fulls); i++) {
		const struct full *full = &fulls[i];
		size_t selection[METRICS_MAX], count;
		struct tacho_plan_summary summary;

		load_world(full->api, full->arch);
		for (count = 0; count < world.metric_count; count++)
			selection[count] = count;
		summary = plan(selection, count, 1);
		assert_in_range(summary.pass_count, 1, full->uncapped);
		assert_int_equal(summary.is_optimal, 1);
		summary = plan(selection, count, 0);
		assert_in_range(summary.pass_count, 1, full->capped);
		count = list_in_order(selection);
		if (!count) {
			print_message("../shared/data/gpa is absent: AMD's order is not known\n");
			continue;
		}
		assert_int_equal(split(selection, count, GPA_CONSOLIDATED), full->consolidated);
		if (full->one_per_pass)
			assert_int_equal(split(selection, count, GPA_ONE_PER_PASS),
					 full->one_per_pass);
		if (full->max_per_pass)
			assert_int_equal(split(selection, count, GPA_MAX_PER_PASS),
					 full->max_per_pass);
	}
}

static size_t select_at_random(size_t *selection)
{
	uint32_t percent = 1 + draw(100);
	size_t count = 0;

	for (size_t i = 0; i < world.metric_count; i++)
		if (draw(100) < percent)
			selection[count++] = i;
	for (size_t i = count; i > 1; i--) {
		size_t k = draw((uint32_t)i), other = selection[k];

		selection[k] = selection[i - 1];
		selection[i - 1] = other;
	}
	return count;
}

/* Never worse than AMD's splitter, and without the cap proved to be the best nearly always. */
static void test_random(void **unused)
{
	unsigned rounds = rounds_of(6, 30, LONG_ROUNDS);

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(fulls); i++) {
		unsigned proved = 0, capped_proved = 0, tried = 0, better = 0;

		load_world(fulls[i].api, fulls[i].arch);
		state = i + 1;
		for (unsigned round = 0; round < rounds; round++) {
			size_t selection[METRICS_MAX], count = select_at_random(selection), amd;
			struct tacho_plan_summary capped, uncapped;

			if (!count)
				continue;
			tried++;
			amd = split(selection, count, GPA_CONSOLIDATED);
			capped = plan(selection, count, 0);
			uncapped = plan(selection, count, 1);
			assert_in_range(capped.pass_count, capped.lower_bound, amd);
			assert_in_range(uncapped.pass_count, uncapped.lower_bound,
					capped.pass_count);
			better += capped.pass_count < amd;
			proved += uncapped.is_optimal == 1;
			capped_proved += capped.is_optimal == 1;
		}
		print_message("%s %s: %u selections, better than AMD's splitter %u, proved optimal "
			      "%u (with the cap %u)\n",
			      fulls[i].api, fulls[i].arch, tried, better, proved, capped_proved);
		assert_in_range(proved * 100, tried * 95, UINT32_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_asserted),
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
