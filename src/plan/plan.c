/* SPDX-License-Identifier: MIT */
/* Plans: a packing in the words of the catalog. */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "plan/scheduled.h"

struct describing {
	struct tacho_plan *plan;
	const struct tacho__constraints *constraints;
	const struct tacho__packing *packing;
	uint64_t *seen;	 /* the pass + 1 in which a key was seen last: [resource][key] */
	uint32_t *used;	 /* of each resource in one pass */
	size_t key_span; /* keys of any resource are below */
};

static int list_counters(struct describing *describing, struct tacho_plan_pass *pass,
			 const uint32_t *items, size_t count)
{
	struct tacho_plan_counter *counters =
		tacho__arena_get(&describing->plan->arena, (count + 1) * sizeof(*counters));

	if (!counters)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct tacho__part *part = &describing->constraints->parts[items[i]];

		counters[i] = (struct tacho_plan_counter){
			part->need.counter, tacho__resolution_names[part->need.resolution]};
		pass->mode = part->mode;
		if (part->set)
			pass->set = part->set;
	}
	pass->counters = counters;
	pass->counter_count = count;
	return 0;
}

static struct tacho_plan_use *find_use(struct tacho_plan_use *uses, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(uses[i].block, name))
			return &uses[i];
	return NULL;
}

/* Slots in use, instances of one family together: the fullest of them. */
static int list_uses(struct describing *describing, struct tacho_plan_pass *pass, size_t number,
		     const uint32_t *items, size_t count)
{
	const struct tacho__problem *problem = &describing->constraints->problem;
	struct tacho_plan_use *uses = tacho__arena_get(
		&describing->plan->arena, (problem->resource_count + 1) * sizeof(*uses));
	size_t use_count = 0;

	if (!uses)
		return TACHO_E_NOMEM;
	memset(describing->used, 0, problem->resource_count * sizeof(*describing->used));
	for (size_t i = 0; i < count; i++) {
		const struct tacho__item *item = &problem->items[items[i]];

		for (size_t k = 0; k < item->use_count; k++) {
			uint64_t *seen =
				&describing->seen[item->uses[k].resource * describing->key_span +
						  item->uses[k].key];

			describing->used[item->uses[k].resource] += *seen != number + 1;
			*seen = number + 1;
		}
	}
	for (size_t i = 0; i < problem->resource_count; i++) {
		const char *family = describing->constraints->families[i];
		struct tacho_plan_use *use = find_use(uses, use_count, family);

		if (!describing->used[i] || (use && use->used >= describing->used[i]))
			continue;
		if (!use)
			use = &uses[use_count++];
		/* Of stages the name is the constraints' own. */
		*use = (struct tacho_plan_use){
			tacho__arena_string(&describing->plan->arena, family), describing->used[i],
			problem->resources[i].capacity};
		if (!use->block)
			return TACHO_E_NOMEM;
	}
	pass->uses = uses;
	pass->use_count = use_count;
	return 0;
}

static int compare_passes(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The passes of each entry, each once and rising. */
static int list_entries(struct describing *describing)
{
	struct tacho_plan *plan = describing->plan;
	const struct tacho__problem *problem = &describing->constraints->problem;

	for (size_t i = 0; i < plan->config->entry_count; i++) {
		struct tacho_plan_entry *entry = &plan->entries[i];
		size_t count = problem->groups[i].item_count, kept = 0;
		uint32_t *passes = tacho__arena_get(&plan->arena, (count + 1) * sizeof(*passes));

		if (!passes)
			return TACHO_E_NOMEM;
		for (size_t k = 0; k < count; k++)
			passes[k] = describing->packing->group_passes[i][k];
		qsort(passes, count, sizeof(*passes), compare_passes);
		for (size_t k = 0; k < count; k++)
			if (!kept || passes[kept - 1] != passes[k])
				passes[kept++] = passes[k];
		entry->entry = plan->config->entries[i].definition;
		entry->passes = passes;
		entry->pass_count = kept;
		entry->is_split = kept > 1;
	}
	return 0;
}

static struct tacho_plan_pass *get_last_pass(struct tacho_plan *plan, size_t index)
{
	const struct tacho_plan_entry *entry = &plan->entries[index];

	return &plan->passes[entry->passes[entry->pass_count - 1]];
}

int tacho__plan_list_complete(struct tacho_plan *plan)
{
	size_t count = plan->config->entry_count, begin = 0;
	const struct tacho_entry **entries =
		tacho__arena_get(&plan->arena, (count + 1) * sizeof(*entries));

	if (!entries)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++)
		if (plan->entries[i].pass_count)
			get_last_pass(plan, i)->entry_count++;
	for (size_t i = 0; i < plan->summary.pass_count; i++) {
		plan->passes[i].entries = entries + begin;
		begin += plan->passes[i].entry_count;
		plan->passes[i].entry_count = 0;
	}
	for (size_t i = 0; i < count; i++)
		if (plan->entries[i].pass_count) {
			struct tacho_plan_pass *pass = get_last_pass(plan, i);

			entries[pass->entries - entries + (ptrdiff_t)pass->entry_count++] =
				plan->entries[i].entry;
		}
	return 0;
}

int tacho__plan_set_order(struct tacho_plan *plan, uint32_t mode,
			  const struct tacho__plan_order *order)
{
	size_t size = order->count * sizeof(*order->entries);
	const struct tacho_entry **own = tacho__arena_get(&plan->arena, size + 1);

	if (!own)
		return TACHO_E_NOMEM;
	if (size)
		memcpy(own, order->entries, size);
	plan->orders[mode] = (struct tacho__plan_order){.entries = own, .count = order->count};
	return 0;
}

const struct tacho__plan_order *tacho__plan_get_order(const struct tacho_plan *plan, uint32_t mode)
{
	return &plan->orders[mode];
}

static int describe_passes(struct describing *describing)
{
	const struct tacho__packing *packing = describing->packing;
	struct tacho_plan *plan = describing->plan;
	int rc = list_entries(describing);

	plan->summary.pass_count = packing->pass_count;
	for (size_t pass = 0; pass < packing->pass_count && !rc; pass++) {
		size_t begin = pass ? packing->pass_ends[pass - 1] : 0;
		const uint32_t *items = packing->pass_items + begin;
		size_t count = packing->pass_ends[pass] - begin;

		rc = list_counters(describing, &plan->passes[pass], items, count);
		if (!rc)
			rc = list_uses(describing, &plan->passes[pass], pass, items, count);
	}
	return rc ? rc : tacho__plan_list_complete(plan);
}

static int describe(struct tacho_plan *plan, const struct tacho__constraints *constraints,
		    const struct tacho__packing *packing)
{
	struct describing describing = {plan, constraints, packing, NULL, NULL, 1};
	const struct tacho__problem *problem = &constraints->problem;
	int rc = TACHO_E_NOMEM;

	for (size_t i = 0; i < problem->item_count; i++)
		for (size_t k = 0; k < problem->items[i].use_count; k++)
			if (problem->items[i].uses[k].key >= describing.key_span)
				describing.key_span = problem->items[i].uses[k].key + 1;
	plan->passes =
		tacho__arena_get(&plan->arena, (packing->pass_count + 1) * sizeof(*plan->passes));
	plan->entries = tacho__arena_get(&plan->arena,
					 (plan->config->entry_count + 1) * sizeof(*plan->entries));
	describing.seen =
		calloc(problem->resource_count * describing.key_span + 1, sizeof(*describing.seen));
	describing.used = calloc(problem->resource_count + 1, sizeof(*describing.used));
	if (!describing.seen || !describing.used)
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	else if (plan->passes && plan->entries)
		rc = describe_passes(&describing);
	free(describing.seen);
	free(describing.used);
	return rc;
}

/* How often the work runs: pipelined passes are those of all levels of ranges. */
static size_t count_runs(const struct tacho_plan *plan, uint32_t depth)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->summary.pass_count; i++)
		count += depth && plan->passes[i].mode != TACHO_MODE_PIPELINED ? depth : 1;
	return count;
}

/* The packing's bound is that of the problem, in which sets are chosen already. */
static int conclude(struct tacho_plan *plan, const struct tacho__constraints *constraints,
		    const struct tacho__packing *packing, uint32_t depth)
{
	struct tacho_plan_summary *summary = &plan->summary;
	const char *binding = packing->binding;

	summary->run_count = count_runs(plan, depth);
	summary->lower_bound = packing->lower_bound;
	summary->is_optimal = packing->is_optimal;
	summary->cap = packing->cap;
	if (constraints->has_choice) {
		summary->lower_bound = constraints->choice_bound;
		summary->is_optimal = packing->pass_count == constraints->choice_bound;
		if (summary->lower_bound > 1)
			binding = "metric sets: no fewer of them have everything";
	}
	summary->binding = tacho__arena_string(&plan->arena, binding);
	summary->advice = tacho__plan_advise(plan->config, constraints, packing, &plan->arena);
	return summary->binding && summary->advice ? 0 : TACHO_E_NOMEM;
}

static int fail_passes(const struct tacho_plan *plan, uint32_t passes_max)
{
	const struct tacho_plan_summary *summary = &plan->summary;

	return tacho__fail(
		TACHO_E_PASSES,
		tacho__detail("%u %s allowed; %s", passes_max,
			      passes_max == 1 ? "pass is" : "passes are", summary->binding),
		*summary->advice ? summary->advice : "leave out entries, or allow more passes",
		"%zu passes are needed", summary->pass_count);
}

/* Fewest passes: nothing is split for its own sake, when it saves no pass. */
static int pack(const struct tacho__problem *problem, struct tacho__packing *out_packing)
{
	struct tacho__problem whole = *problem;
	struct tacho__packing split, together;
	int rc = tacho__problem_pack(problem, &split);

	if (rc)
		return rc;
	whole.splits = 0;
	whole.is_quick = 1;
	if (problem->splits) {
		rc = tacho__problem_pack(&whole, &together);
		if (rc) {
			tacho__packing_finish(&split);
			return rc;
		}
		if (together.pass_count > split.pass_count || together.cap > split.cap) {
			tacho__packing_finish(&together);
		} else {
			together.lower_bound = split.lower_bound;
			together.is_optimal = together.pass_count == split.lower_bound;
			memcpy(together.binding, split.binding, sizeof(together.binding));
			tacho__packing_finish(&split);
			split = together;
		}
	}
	*out_packing = split;
	return 0;
}

static int make(struct tacho_plan *plan, const struct tacho_plan_options *options)
{
	struct tacho__constraints constraints;
	struct tacho__packing packing;
	int rc = tacho__constraints_make(plan->config, options->policy, (int)options->no_cap,
					 &constraints);

	if (rc)
		return rc;
	rc = pack(&constraints.problem, &packing);
	if (!rc) {
		rc = describe(plan, &constraints, &packing);
		if (!rc)
			rc = conclude(plan, &constraints, &packing, options->nesting_depth);
		tacho__packing_finish(&packing);
	}
	if (!rc && options->passes_max && plan->summary.pass_count > options->passes_max)
		rc = fail_passes(plan, options->passes_max);
	tacho__constraints_finish(&constraints);
	return rc;
}

int tacho_plan_create(const struct tacho_config *config, const struct tacho_plan_options *options,
		      struct tacho_plan **out_plan)
{
	struct tacho_plan_options own;
	struct tacho_plan *plan;
	void *user;
	int rc;

	if (!config || !out_plan)
		return tacho__fail_null(__func__);
	rc = tacho__options_take(&own, sizeof(own), options, "tacho_plan_options");
	if (rc)
		return rc;
	if (!config->arch || config->is_counted)
		return tacho__fail(TACHO_E_INVAL, "no device is to count its entries",
				   "make it of an architecture, without is_counted",
				   "there is no plan for this config");
	if (own.policy > TACHO_POLICY_FEWEST)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("the policy is %u", own.policy),
				   "use a value of enum tacho_policy", "no such policy for a plan");
	if (tacho__arch_get_library(config->arch, &user))
		return tacho__plan_create_scheduled(config, &own, out_plan);
	plan = calloc(1, sizeof(*plan));
	if (!plan)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	plan->config = config;
	rc = make(plan, &own);
	if (rc)
		tacho_plan_destroy(plan);
	else
		*out_plan = plan;
	return rc;
}

void tacho_plan_destroy(struct tacho_plan *plan)
{
	if (!plan)
		return;
	tacho__arena_finish(&plan->arena);
	free(plan);
}

const struct tacho_config *tacho_plan_get_config(const struct tacho_plan *plan)
{
	return plan ? plan->config : NULL;
}

const struct tacho_plan_pass *tacho_plan_get_pass(const struct tacho_plan *plan, size_t index)
{
	return plan && index < plan->summary.pass_count ? &plan->passes[index] : NULL;
}

const struct tacho_plan_entry *tacho_plan_get_entry(const struct tacho_plan *plan, size_t index)
{
	return plan && index < plan->config->entry_count ? &plan->entries[index] : NULL;
}

void tacho_plan_get_summary(const struct tacho_plan *plan, struct tacho_plan_summary *out_summary)
{
	if (!plan || !out_summary)
		return;
	*out_summary = plan->summary;
}
