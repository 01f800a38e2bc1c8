/* SPDX-License-Identifier: MIT */
/*
 * What every plan has, whatever is wanted: random selections of every architecture and API, checked
 * against the definitions without the planner's own constraints. TACHO_LONG=1: many more.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rounds.h"
#include "tacho/error.h"
#include "tacho/plan.h"

enum { ENTRIES_MAX = 4096, USES_MAX = 4096, WORDS_MAX = 64 };

static struct tacho_catalog *catalog;
static uint64_t state;

/* What can be counted on one architecture. */
static struct {
	const struct tacho_arch *arch;
	struct tacho_config_entry entries[ENTRIES_MAX];
	size_t count;
} world;

/* What a pass programs: each slot of each block once. */
struct slots {
	const struct tacho_block *blocks[USES_MAX];
	uint64_t events[USES_MAX];
	const char *words[USES_MAX]; /* "", "LOW_RES", "HIGH_RES" */
	size_t count;
};

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

static int close_catalog(void **unused)
{
	tacho_catalog_close(catalog);
	return 0;
}

/* Not those with more entries than a plan needs to be tried: of RDNA each of many blocks is one. */
static void load(const struct tacho_arch *arch)
{
	const struct tacho_entry *entry;

	world.arch = arch;
	world.count = 0;
	if (tacho_arch_get_entry(arch, ENTRIES_MAX))
		return;
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		if (entry->kind != TACHO_ENTRY_CONSTANT &&
		    !tacho_config_check_entry(arch, NULL, entry))
			world.entries[world.count++] =
				(struct tacho_config_entry){.name = entry->name};
}

/* Some of everything, in an order of its own; sometimes with modes. */
static size_t select_at_random(struct tacho_config_entry *entries)
{
	uint32_t percent = 1 + draw(100), modes = draw(4) ? 1 : 3;
	size_t count = 0;

	for (size_t i = 0; i < world.count; i++) {
		if (draw(100) >= percent)
			continue;
		entries[count] = world.entries[i];
		entries[count++].mode = draw(modes);
	}
	for (size_t i = count; i > 1; i--) {
		size_t k = draw((uint32_t)i);
		struct tacho_config_entry other = entries[k];

		entries[k] = entries[i - 1];
		entries[i - 1] = other;
	}
	return count;
}

static struct tacho_plan *make(const struct tacho_config_entry *entries, size_t count,
			       const struct tacho_plan_options *options,
			       struct tacho_config **out_config,
			       struct tacho_plan_summary *out_summary)
{
	struct tacho_plan *plan;

	if (tacho_config_create(world.arch, NULL, entries, count, out_config) ||
	    tacho_plan_create(*out_config, options, &plan))
		fail_msg("%s: %s", tacho_error_last()->message, tacho_error_last()->cause);
	tacho_plan_get_summary(plan, out_summary);
	return plan;
}

static int has_word(const struct tacho_block *block, const char *word)
{
	return block && strstr(block->attributes, word) != NULL;
}

static void add_slot(struct slots *slots, const struct tacho_block *block, uint64_t event,
		     const char *word)
{
	for (size_t i = 0; i < slots->count; i++)
		if (slots->blocks[i] == block && slots->events[i] == event &&
		    !strcmp(slots->words[i], word))
			return;
	assert_in_range(slots->count, 0, USES_MAX - 1);
	slots->blocks[slots->count] = block;
	slots->events[slots->count] = event;
	slots->words[slots->count++] = word;
}

/* What adds a counter up needs the counter too. */
static void add_counter(struct slots *slots, const struct tacho_plan_counter *counter)
{
	const struct tacho_block *block = tacho_arch_find_block(world.arch, counter->entry->block);

	if (!block)
		return;
	add_slot(slots, block, counter->entry->event, "");
	if (*counter->accumulate)
		add_slot(slots, block, counter->entry->event, counter->accumulate);
}

/* Different events of a family of stages, over all its blocks. */
static uint32_t count_stage(const struct slots *slots, const char *stage)
{
	uint32_t count = 0;

	for (size_t i = 0; i < slots->count; i++) {
		int is_new = !strcmp(slots->blocks[i]->stage, stage);

		for (size_t k = 0; k < i && is_new; k++)
			is_new = slots->events[k] != slots->events[i] ||
				 strcmp(slots->words[k], slots->words[i]) != 0 ||
				 strcmp(slots->blocks[k]->stage, stage) != 0;
		count += (uint32_t)is_new;
	}
	return count;
}

static uint32_t count_block(const struct slots *slots, const struct tacho_block *block)
{
	uint32_t count = 0;

	for (size_t i = 0; i < slots->count; i++)
		count += slots->blocks[i] == block;
	return count;
}

/* Of a block that is alone with its kind ("alone:3": three events in a row are one), else 0. */
static size_t size_of_kind(const struct tacho_block *block)
{
	const char *word = strstr(block->attributes, "alone:");

	return word ? strtoul(word + strlen("alone:"), NULL, 10) : 0;
}

/* One more that has to be alone, unless one of its kind is there. */
static int is_new_kind(const struct slots *slots, size_t index)
{
	size_t size = size_of_kind(slots->blocks[index]);

	for (size_t k = 0; k < index && size; k++)
		if (size_of_kind(slots->blocks[k]) == size &&
		    slots->events[k] / size == slots->events[index] / size)
			return 0;
	return size || has_word(slots->blocks[index], "alone");
}

/* Whether hardware can count all this at once. */
static int fits(const struct slots *slots)
{
	const char *stage = "";
	size_t alone = 0, apart = 0, kinds = 0;
	uint32_t stage_slots = 0; /* the least of all blocks; 0: nothing is said */

	for (size_t i = 0; i < slots->count; i++) {
		const struct tacho_block *block = slots->blocks[i];

		if (count_block(slots, block) > block->slots)
			return 0;
		alone += has_word(block, "alone") || size_of_kind(block);
		kinds += (size_t)is_new_kind(slots, i);
		apart += (size_t)has_word(block, "apart");
		if (!*block->stage)
			continue;
		if (*stage && strcmp(stage, block->stage) != 0)
			return 0;
		stage = block->stage;
		if (!stage_slots || (block->stage_slots && block->stage_slots < stage_slots))
			stage_slots = block->stage_slots;
	}
	if (stage_slots && count_stage(slots, stage) > stage_slots)
		return 0;
	return kinds <= 1 && (!(alone + apart) || alone + apart == slots->count);
}

static void check_pass(const struct tacho_plan_pass *pass, uint32_t cap)
{
	static struct slots slots;

	slots.count = 0;
	assert_in_range(pass->counter_count, 1, cap ? cap : UINT32_MAX);
	for (size_t i = 0; i < pass->counter_count; i++) {
		add_counter(&slots, &pass->counters[i]);
		assert_true(!pass->counters[i].entry->is_programmed || pass->set);
	}
	assert_true(fits(&slots));
	for (size_t i = 0; i < pass->use_count; i++) {
		const struct tacho_plan_use *use = &pass->uses[i];
		uint32_t most = 0;

		assert_in_range(use->used, 1, use->slots);
		for (size_t k = 0; k < slots.count; k++)
			if (!strcmp(slots.blocks[k]->family, use->block) &&
			    count_block(&slots, slots.blocks[k]) > most)
				most = count_block(&slots, slots.blocks[k]);
		if (!strstr(use->block, " stage"))
			assert_int_equal(use->used, most);
	}
}

/* Whether a counter is an input of an entry. Metrics of metrics come down to counters. */
static int has_input(const struct tacho_entry *const *inputs, size_t count,
		     const struct tacho_entry *counter)
{
	for (size_t i = 0; i < count; i++)
		if (inputs[i] == counter)
			return 1;
	return 0;
}

/* What the formula reads, and what the definition names as its inputs. */
static size_t list_inputs(const struct tacho_entry *entry, const struct tacho_entry **inputs)
{
	const struct tacho_entry **read;
	size_t count;

	if (entry->kind != TACHO_ENTRY_METRIC) {
		inputs[0] = entry;
		return 1;
	}
	if (tacho_arch_list_inputs(world.arch, entry, &read, &count))
		fail_msg("%s", tacho_error_last()->message);
	assert_in_range(count + entry->input_count, 0, USES_MAX);
	memcpy(inputs, read, count * sizeof(*read));
	free(read);
	for (size_t i = 0; i < entry->input_count; i++)
		inputs[count++] = tacho_arch_find_entry(world.arch, entry->inputs[i]);
	return count;
}

/* Every input is in one of the entry's passes; together, unless that cannot be. */
static void check_entry(const struct tacho_plan *plan, size_t index, uint32_t policy)
{
	static struct slots slots;
	const struct tacho_plan_entry *entry = tacho_plan_get_entry(plan, index);
	const struct tacho_config *config = tacho_plan_get_config(plan);
	static const struct tacho_entry *inputs[USES_MAX];
	size_t count = list_inputs(entry->entry, inputs), found = 0;

	slots.count = 0;
	assert_int_equal(entry->is_split, entry->pass_count > 1);
	for (size_t i = 0; i < count; i++) {
		int is_counted = inputs[i]->kind != TACHO_ENTRY_COUNTER;

		for (size_t k = 0; k < entry->pass_count; k++) {
			const struct tacho_plan_pass *pass =
				tacho_plan_get_pass(plan, entry->passes[k]);

			assert_int_equal(pass->mode, tacho_config_get_entry(config, index)->mode);
			for (size_t c = 0; c < pass->counter_count; c++)
				is_counted |= pass->counters[c].entry == inputs[i];
		}
		assert_true(is_counted);
		found += inputs[i]->kind == TACHO_ENTRY_COUNTER;
	}
	assert_int_equal(entry->pass_count > 0, found > 0);
	for (size_t k = 0; k < entry->pass_count; k++) {
		const struct tacho_plan_pass *pass = tacho_plan_get_pass(plan, entry->passes[k]);

		assert_true(!k || entry->passes[k - 1] < entry->passes[k]);
		for (size_t c = 0; c < pass->counter_count; c++)
			if (has_input(inputs, count, pass->counters[c].entry))
				add_counter(&slots, &pass->counters[c]);
	}
	if (policy == TACHO_POLICY_COHERENT && entry->is_split)
		assert_false(fits(&slots));
}

static void check(const struct tacho_plan *plan, const struct tacho_plan_summary *summary,
		  const struct tacho_plan_options *options)
{
	size_t completed = 0, wanted = 0;

	assert_in_range(summary->lower_bound, summary->pass_count > 0, summary->pass_count);
	assert_int_equal(summary->is_optimal, summary->lower_bound == summary->pass_count);
	for (size_t i = 0; i < summary->pass_count; i++) {
		check_pass(tacho_plan_get_pass(plan, i), summary->cap);
		completed += tacho_plan_get_pass(plan, i)->entry_count;
	}
	for (size_t i = 0; tacho_plan_get_entry(plan, i); i++) {
		check_entry(plan, i, options->policy);
		wanted += tacho_plan_get_entry(plan, i)->pass_count > 0;
	}
	assert_int_equal(completed, wanted);
}

/* The same in another order needs as many passes; with one entry less not more. */
static void check_relations(struct tacho_config_entry *entries, size_t count,
			    const struct tacho_plan_options *options,
			    const struct tacho_plan_summary *summary)
{
	struct tacho_plan_summary other;
	struct tacho_config_entry last;
	struct tacho_config *config;

	for (size_t i = 0, k = count - 1; i < k; i++, k--) {
		last = entries[i];
		entries[i] = entries[k];
		entries[k] = last;
	}
	tacho_plan_destroy(make(entries, count, options, &config, &other));
	tacho_config_destroy(config);
	assert_int_equal(other.pass_count, summary->pass_count);
	assert_int_equal(other.lower_bound, summary->lower_bound);
	if (count < 2)
		return;
	tacho_plan_destroy(make(entries, count - 1, options, &config, &other));
	tacho_config_destroy(config);
	if (other.cap != summary->cap)
		return; /* the one that is left out had raised the limit */
	assert_in_range(other.lower_bound, 0, summary->pass_count);
	if (other.is_optimal)
		assert_in_range(other.pass_count, 0, summary->pass_count);
}

/*
 * Of one architecture; how many plans without the cap there were, and how many were proved. One
 * plan in four has its relations looked at, over all architectures: of a single round, those of
 * some.
 */
static void run_arch(unsigned rounds, unsigned *tried, unsigned *proved)
{
	static struct tacho_config_entry entries[ENTRIES_MAX];
	static unsigned turn;
	struct tacho_plan_summary summary;
	struct tacho_config *config;
	struct tacho_plan *plan;

	for (unsigned round = 0; round < rounds; round++) {
		struct tacho_plan_options options = {
			.size = sizeof(options), .policy = draw(4) == 0, .no_cap = draw(2)};
		size_t count = select_at_random(entries);

		if (!count)
			continue;
		plan = make(entries, count, &options, &config, &summary);
		check(plan, &summary, &options);
		tacho_plan_destroy(plan);
		tacho_config_destroy(config);
		if (turn++ % 4 == 0)
			check_relations(entries, count, &options, &summary);
		*tried += !summary.cap;
		*proved += !summary.cap && summary.is_optimal == 1;
	}
}

static void test_every_architecture(void **unused)
{
	unsigned rounds = rounds_of(1, 4, 400), all_tried = 0, all_proved = 0;
	const struct tacho_arch *arch;

	for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++) {
		unsigned tried = 0, proved = 0;

		state = i + 1;
		load(arch);
		if (!world.count)
			continue;
		run_arch(rounds, &tried, &proved);
		if (proved < tried)
			print_message("%s %s: %u of %u proved\n", arch->api, arch->name, proved,
				      tried);
		if (tried >= 100)
			assert_in_range(proved * 100, tried * 90, UINT32_MAX);
		all_tried += tried;
		all_proved += proved;
	}
	print_message("%u plans without a limit of counters, %u proved to be the best\n", all_tried,
		      all_proved);
	assert_in_range(all_proved * 100, all_tried * 95, UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_architecture),
	};

	return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
