/* SPDX-License-Identifier: MIT */
/* From an entry of a config down to the counters that have to be programmed for it. */
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "catalog/library.h"
#include "formula/program.h"
#include "plan/config.h"

/* By its condition over the model's constants. */
static int check_available(const struct tacho_arch *arch, const struct tacho_model *model,
			   const struct tacho_entry *entry)
{
	struct tacho__arch_scope scope;
	bool is_false;
	int rc;

	if (!model)
		return 0;
	tacho__arch_scope_init(&scope, arch, model);
	rc = tacho__condition_judge(entry->availability, entry->notation, &scope.scope, &is_false);
	if (rc || !is_false)
		return rc;
	return tacho__fail(
		TACHO_E_UNSUPPORTED,
		tacho__detail("the condition of its definition is 0: %s", entry->availability),
		"leave it out", "%s does not exist on %s", entry->name, model->name);
}

static const char *describe_resolution(const struct tacho__need *need)
{
	if (need->resolution == TACHO__PLAIN)
		return need->counter->name;
	return tacho__detail("accumulate(%s, %s)", need->counter->name,
			     tacho__resolution_names[need->resolution]);
}

static int check_need(const struct tacho_arch *arch, const struct tacho_entry *entry,
		      const struct tacho__need *need)
{
	const struct tacho_block *block = tacho_arch_find_block(arch, need->counter->block);
	uint32_t needed = need->resolution == TACHO__PLAIN ? 1 : 2;
	void *user;

	/* where a library plans it knows what has room */
	if (!*need->counter->block ||
	    (need->resolution == TACHO__PLAIN && tacho__arch_get_library(arch, &user)))
		return 0;
	if (!block)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("%s counts in block %s, which %s does not have",
						 need->counter->name, need->counter->block,
						 arch->name),
				   "correct the block of its definition",
				   "%s cannot be counted on %s", entry->name, arch->name);
	if (need->resolution != TACHO__PLAIN &&
	    !(need->resolution == TACHO__LOW_RES ? block->accumulate_low : block->accumulate_high))
		return tacho__fail(TACHO_E_UNSUPPORTED, describe_resolution(need),
				   "count the plain counter instead",
				   "%s cannot be counted: block %s of %s has no event that adds up "
				   "another",
				   entry->name, block->name, arch->name);
	if (block->slots < needed)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("block %s of %s has %u slots, %s needs %u",
						 block->name, arch->name, block->slots,
						 need->counter->name, needed),
				   "leave out what is counted there",
				   "%s fits into no pass: there is no room in block %s",
				   entry->name, block->name);
	return 0;
}

static void add_need(struct tacho__need *needs, size_t *count, const struct tacho_entry *entry,
		     enum tacho__resolution resolution)
{
	if (!entry || entry->kind != TACHO_ENTRY_COUNTER)
		return;
	for (size_t i = 0; i < *count; i++)
		if (needs[i].counter == entry && needs[i].resolution == resolution)
			return;
	needs[(*count)++] = (struct tacho__need){entry, resolution};
}

/*
 * What the program reads, and what the definition lists as its inputs: some of AMD's list one that
 * their equation does not use, and AMD's library counts it all the same.
 */
static int take_inputs(struct tacho__arena *arena, const struct tacho_arch *arch,
		       const struct tacho_entry *entry, const struct tacho__program *program,
		       const struct tacho__need **out_needs, size_t *out_count)
{
	const struct tacho__input *inputs;
	size_t count = tacho__program_get_inputs(program, &inputs), kept = 0;
	struct tacho__need *needs =
		tacho__arena_get(arena, (count + entry->input_count + 1) * sizeof(*needs));

	if (!needs)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++)
		add_need(needs, &kept, tacho__arch_get_exact(arch, inputs[i].name),
			 inputs[i].resolution);
	for (size_t i = 0; i < entry->input_count; i++)
		add_need(needs, &kept, tacho__arch_get_exact(arch, entry->inputs[i]), TACHO__PLAIN);
	*out_needs = needs;
	*out_count = kept;
	return 0;
}

static int fail_formula(const struct tacho_entry *entry, int code,
			const struct tacho_formula_problem *problem)
{
	if (code == TACHO_E_NOMEM)
		return code;
	return tacho__fail(code, tacho__detail("%s", problem->message), "correct its definition",
			   "the formula of %s%s%s is not usable", entry->name,
			   problem->metric[0] ? ", by way of " : "", problem->metric);
}

static int list_inputs(struct tacho__arena *arena, const struct tacho_arch *arch,
		       const struct tacho_entry *entry, const struct tacho__need **out_needs,
		       size_t *out_count)
{
	struct tacho__expression expression = tacho__entry_expression(entry);
	struct tacho_formula_problem problem = {0};
	struct tacho__arch_scope scope;
	struct tacho__program *program;
	size_t output;
	int rc;

	if (!*entry->expression)
		return tacho__fail(TACHO_E_UNSUPPORTED, entry->caveat, "", "%s cannot be counted%s",
				   entry->name,
				   *entry->caveat ? "" : ": no expression of it is published");
	tacho__arch_scope_init(&scope, arch, NULL);
	rc = tacho__program_create(&program);
	if (rc)
		return rc;
	rc = tacho__program_add(program, &expression, -1, &scope.scope, &output, &problem);
	if (rc)
		rc = fail_formula(entry, rc, &problem);
	else
		rc = take_inputs(arena, arch, entry, program, out_needs, out_count);
	tacho__program_destroy(program);
	return rc;
}

int tacho__needs_list(struct tacho__arena *arena, const struct tacho_arch *arch,
		      const struct tacho_model *model, const struct tacho_entry *entry,
		      const struct tacho__need **out_needs, size_t *out_count)
{
	const struct tacho__need *needs = NULL;
	struct tacho__need *own;
	size_t count = 0;
	int rc = check_available(arch, model, entry);

	if (rc)
		return rc;
	if (entry->is_of_command) {
		/* readers of a recording work it out: no pass counts it */
	} else if (entry->kind == TACHO_ENTRY_METRIC) {
		rc = list_inputs(arena, arch, entry, &needs, &count);
	} else if (entry->kind == TACHO_ENTRY_COUNTER) {
		own = tacho__arena_get(arena, sizeof(*own));
		if (!own)
			return TACHO_E_NOMEM;
		own->counter = entry;
		needs = own;
		count = 1;
	}
	for (size_t i = 0; i < count && !rc; i++)
		rc = check_need(arch, entry, &needs[i]);
	if (rc)
		return rc;
	*out_needs = needs;
	*out_count = count;
	return 0;
}
