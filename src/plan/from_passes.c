/* SPDX-License-Identifier: MIT */
#include "plan/from_passes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/config.h"
#include "plan/plan.h"

static int copy_pass(struct tacho_plan *plan, const struct tacho_plan_pass *from,
		     struct tacho_plan_pass *pass)
{
	struct tacho_plan_counter *counters =
		tacho__arena_get(&plan->arena, (from->counter_count + 1) * sizeof(*counters));

	if (!counters)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < from->counter_count; i++) {
		const char *accumulate = from->counters[i].accumulate;

		counters[i].entry = from->counters[i].entry;
		counters[i].accumulate =
			tacho__arena_string(&plan->arena, accumulate ? accumulate : "");
		if (!counters[i].accumulate)
			return TACHO_E_NOMEM;
	}
	*pass = (struct tacho_plan_pass){.counters = counters,
					 .counter_count = from->counter_count,
					 .mode = from->mode,
					 .set = from->set};
	return 0;
}

static int has_counter(const struct tacho_plan_pass *pass, const struct tacho_entry *entry,
		       const char *accumulate)
{
	for (size_t i = 0; i < pass->counter_count; i++)
		if (pass->counters[i].entry == entry &&
		    !strcmp(pass->counters[i].accumulate, accumulate))
			return 1;
	return 0;
}

/* How many of an entry's inputs a pass has; all of them when it has the entry itself. */
static size_t count_inputs(const struct tacho_plan_pass *pass, const struct tacho__wanted *wanted)
{
	size_t count = 0;

	if (has_counter(pass, wanted->definition, ""))
		return wanted->need_count ? wanted->need_count : 1;
	for (size_t i = 0; i < wanted->need_count; i++)
		count += (size_t)has_counter(pass, wanted->needs[i].counter,
					     tacho__resolution_names[wanted->needs[i].resolution]);
	return count;
}

static int place_entry(struct tacho_plan *plan, const struct tacho__wanted *wanted,
		       struct tacho_plan_entry *entry)
{
	size_t all = wanted->need_count ? wanted->need_count : 1;
	uint32_t *passes =
		tacho__arena_get(&plan->arena, (plan->summary.pass_count + 1) * sizeof(*passes));

	if (!passes)
		return TACHO_E_NOMEM;
	entry->entry = wanted->definition;
	entry->passes = passes;
	for (uint32_t i = 0; i < plan->summary.pass_count; i++) {
		size_t count = count_inputs(&plan->passes[i], wanted);

		if (count == all) {
			passes[0] = i;
			entry->pass_count = 1;
			break;
		}
		if (count)
			passes[entry->pass_count++] = i;
	}
	entry->is_split = entry->pass_count > 1;
	return 0;
}

static int copy_entry(struct tacho_plan *plan, const struct tacho_plan_entry *from,
		      struct tacho_plan_entry *entry)
{
	uint32_t *passes = tacho__arena_get(&plan->arena, (from->pass_count + 1) * sizeof(*passes));

	if (!passes)
		return TACHO_E_NOMEM;
	if (from->pass_count)
		memcpy(passes, from->passes, from->pass_count * sizeof(*passes));
	*entry = (struct tacho_plan_entry){.entry = from->entry,
					   .passes = passes,
					   .pass_count = from->pass_count,
					   .is_split = from->pass_count > 1};
	return 0;
}

static int fill(struct tacho_plan *plan, const struct tacho_plan_pass *passes,
		const struct tacho_plan_entry *entries)
{
	size_t count = plan->summary.pass_count;
	int rc = 0;

	plan->passes = tacho__arena_get(&plan->arena, (count + 1) * sizeof(*plan->passes));
	plan->entries = tacho__arena_get(&plan->arena,
					 (plan->config->entry_count + 1) * sizeof(*plan->entries));
	if (!plan->passes || !plan->entries)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count && !rc; i++)
		rc = copy_pass(plan, &passes[i], &plan->passes[i]);
	for (size_t i = 0; i < plan->config->entry_count && !rc; i++)
		rc = entries ? copy_entry(plan, &entries[i], &plan->entries[i])
			     : place_entry(plan, &plan->config->entries[i], &plan->entries[i]);
	return rc ? rc : tacho__plan_list_complete(plan);
}

int tacho__plan_create_from_passes(const struct tacho_config *config,
				   const struct tacho_plan_pass *passes, size_t count,
				   const struct tacho_plan_entry *entries,
				   struct tacho_plan **out_plan)
{
	struct tacho_plan *plan = calloc(1, sizeof(*plan));
	int rc;

	if (!plan)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	plan->config = config;
	plan->summary = (struct tacho_plan_summary){.pass_count = count,
						    .run_count = count,
						    .is_optimal = -1,
						    .binding = "",
						    .advice = ""};
	rc = fill(plan, passes, entries);
	if (rc)
		tacho_plan_destroy(plan);
	else
		*out_plan = plan;
	return rc;
}
