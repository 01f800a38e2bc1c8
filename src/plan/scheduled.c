/* SPDX-License-Identifier: MIT */
/* A vendor's plan in the words of tacho: passes, what each collects, where entries get it from. */
#include "plan/scheduled.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "plan/config.h"
#include "plan/order_cache.h"
#include "plan/plan.h"

enum { MODES = TACHO_MODE_COUNT, ADVICE_TRIALS = 4, ADVICE_ENTRIES = 3 };

/* The passes of one mode: entries of different modes never share one. */
struct part {
	struct tacho__ordering ordering;
	struct tacho__map index_of; /* a counter to its place in the order, from 1 */
	struct tacho__schedule schedule;
	size_t first_pass; /* in the whole plan */
	int is_scheduled;
};

struct making {
	struct tacho_plan *plan;
	const struct tacho_config *config;
	const struct tacho__arch_library *library;
	void *user;
	struct part parts[MODES];
};

/* ---- what is asked for ---- */

static int add_counter(struct part *part, size_t *capacity, const struct tacho_entry *counter)
{
	struct tacho__ordering *ordering = &part->ordering;

	if (tacho__map_get(&part->index_of, (uintptr_t)counter))
		return 0;
	if (tacho__map_set(&part->index_of, (uintptr_t)counter, part))
		return TACHO_E_NOMEM;
	return tacho__array_add(&ordering->entries, capacity, &ordering->count, &counter,
				sizeof(counter));
}

static int list_counters(struct making *making)
{
	const struct tacho_config *config = making->config;
	size_t capacities[MODES] = {0};
	int rc = 0;

	for (size_t i = 0; i < config->entry_count && !rc; i++) {
		const struct tacho__wanted *wanted = &config->entries[i];
		uint32_t mode = wanted->entry.mode;

		if (mode == TACHO_MODE_PIPELINED && making->library->no_pipelined)
			return tacho__fail(TACHO_E_UNSUPPORTED, making->library->no_pipelined,
					   "leave :pipelined out",
					   "%s cannot be counted pipelined on %s",
					   wanted->definition->name, config->arch->name);
		for (size_t k = 0; k < wanted->need_count && !rc; k++)
			rc = add_counter(&making->parts[mode], &capacities[mode],
					 wanted->needs[k].counter);
	}
	return rc;
}

/* ---- the library's answer ---- */

static int note_places(struct part *part)
{
	for (size_t i = 0; i < part->ordering.count; i++)
		if (tacho__map_set(&part->index_of, (uintptr_t)part->ordering.entries[i],
				   (void *)(uintptr_t)(i + 1)))
			return TACHO_E_NOMEM;
	return 0;
}

static int schedule_order(struct part *part)
{
	const struct tacho__ordering *ordering = &part->ordering;
	int rc = ordering->library->schedule(ordering->user, ordering->entries, ordering->count,
					     &part->schedule);

	part->is_scheduled = !rc;
	return rc;
}

/* By an order that was found before, while the library still makes as many passes of it. */
static int schedule_kept(struct part *part, const struct tacho__order_key *key, int *out_is_done)
{
	struct tacho__ordering *ordering = &part->ordering;
	size_t size = ordering->count * sizeof(*ordering->entries);
	const struct tacho_entry **given = malloc(size + 1);
	int rc = 0;

	if (!given)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	memcpy(given, ordering->entries, size);
	if (tacho__order_cache_read(key, ordering)) {
		rc = schedule_order(part);
		*out_is_done = !rc && part->schedule.pass_count == ordering->pass_count;
		if (!rc && !*out_is_done) {
			tacho__schedule_finish(&part->schedule);
			part->is_scheduled = 0;
			memcpy(ordering->entries, given, size);
		}
	}
	free(given);
	return rc;
}

static int schedule_part(const struct tacho_arch *arch, struct part *part)
{
	struct tacho__ordering *ordering = &part->ordering;
	struct tacho__order_key key;
	int is_done = 0, rc;

	tacho__order_key_make(arch, ordering, &key);
	rc = schedule_kept(part, &key, &is_done);
	if (!rc && !is_done) {
		rc = tacho__ordering_search(ordering);
		if (!rc)
			rc = schedule_order(part);
		if (!rc)
			tacho__order_cache_write(&key, ordering);
	}
	return rc ? rc : note_places(part);
}

static int schedule_all(struct making *making)
{
	struct tacho_plan_summary *summary = &making->plan->summary;
	const struct tacho_arch *arch = making->config->arch;
	int rc = 0;

	for (size_t i = 0; i < MODES && !rc; i++) {
		struct part *part = &making->parts[i];

		part->ordering.library = making->library;
		part->ordering.user = making->user;
		part->first_pass = summary->pass_count;
		if (!part->ordering.count)
			continue;
		rc = schedule_part(arch, part);
		if (rc)
			break;
		summary->pass_count += part->schedule.pass_count;
		summary->given_pass_count += part->ordering.given_count;
		summary->trial_count += (uint32_t)part->ordering.trial_count;
	}
	return rc;
}

/* ---- where entries come from ---- */

static size_t get_place(const struct part *part, const struct tacho_entry *counter)
{
	return (size_t)(uintptr_t)tacho__map_get(&part->index_of, (uintptr_t)counter) - 1;
}

/* Marks the passes of a counter; all of them when the library does not tell. */
static void mark_passes(const struct part *part, const struct tacho_entry *counter, uint8_t *marks)
{
	const struct tacho__schedule *schedule = &part->schedule;
	const struct tacho__schedule_entry *entry = &schedule->entries[get_place(part, counter)];

	for (size_t i = 0; i < entry->count; i++)
		marks[part->first_pass + schedule->counters[entry->counters[i]].pass] = 1;
	for (size_t i = 0; i < schedule->pass_count && !schedule->tells_counters; i++)
		marks[part->first_pass + i] = 1;
}

static uint32_t *keep_marked(struct tacho_plan *plan, const uint8_t *marks, size_t *out_count)
{
	uint32_t *passes =
		tacho__arena_get(&plan->arena, (plan->summary.pass_count + 1) * sizeof(*passes));

	*out_count = 0;
	for (size_t i = 0; passes && i < plan->summary.pass_count; i++)
		if (marks[i])
			passes[(*out_count)++] = (uint32_t)i;
	return passes;
}

static int place_entries(struct making *making)
{
	struct tacho_plan *plan = making->plan;
	size_t pass_count = plan->summary.pass_count;
	uint8_t *marks = tacho__arena_get(&plan->arena, pass_count + 1);

	plan->entries = tacho__arena_get(&plan->arena, (making->config->entry_count + 1) *
							       sizeof(*plan->entries));
	if (!marks || !plan->entries)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < making->config->entry_count; i++) {
		const struct tacho__wanted *wanted = &making->config->entries[i];
		struct tacho_plan_entry *entry = &plan->entries[i];

		memset(marks, 0, pass_count);
		for (size_t k = 0; k < wanted->need_count; k++)
			mark_passes(&making->parts[wanted->entry.mode], wanted->needs[k].counter,
				    marks);
		entry->entry = wanted->definition;
		entry->passes = keep_marked(plan, marks, &entry->pass_count);
		entry->is_split = entry->pass_count > 1 &&
				  making->parts[wanted->entry.mode].schedule.tells_counters;
		if (!entry->passes)
			return TACHO_E_NOMEM;
	}
	return 0;
}

/* ---- passes ---- */

/* The pass in which the last that a counter is worked out of is collected. */
static size_t get_last_pass(const struct part *part, size_t place)
{
	const struct tacho__schedule_entry *entry = &part->schedule.entries[place];
	size_t last = part->schedule.tells_counters ? 0 : part->schedule.pass_count - 1;

	for (size_t i = 0; i < entry->count; i++)
		if (part->schedule.counters[entry->counters[i]].pass > last)
			last = part->schedule.counters[entry->counters[i]].pass;
	return last;
}

/* A counter is there for the caller when its last pass is over. */
static int fill_counters(struct tacho_plan *plan, const struct part *part)
{
	struct tacho_plan_pass *passes = plan->passes + part->first_pass;
	struct tacho_plan_counter *counters =
		tacho__arena_get(&plan->arena, (part->ordering.count + 1) * sizeof(*counters));

	if (!counters)
		return TACHO_E_NOMEM;
	for (size_t pass = 0; pass < part->schedule.pass_count; pass++) {
		passes[pass].counters = counters;
		for (size_t i = 0; i < part->ordering.count; i++)
			if (get_last_pass(part, i) == pass)
				*counters++ =
					(struct tacho_plan_counter){part->ordering.entries[i], ""};
		passes[pass].counter_count = (size_t)(counters - passes[pass].counters);
	}
	return 0;
}

/* The counters of the order that are worked out of one of the library's. */
static int list_readers(struct tacho_plan *plan, const struct part *part, uint32_t index,
			struct tacho_plan_raw *raw)
{
	const struct tacho_entry **readers;
	size_t count = 0;

	for (size_t i = 0; i < part->ordering.count; i++)
		for (size_t k = 0; k < part->schedule.entries[i].count; k++)
			count += part->schedule.entries[i].counters[k] == index;
	readers = tacho__arena_get(&plan->arena, (count + 1) * sizeof(*readers));
	if (!readers)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < part->ordering.count; i++)
		for (size_t k = 0; k < part->schedule.entries[i].count; k++)
			if (part->schedule.entries[i].counters[k] == index)
				readers[raw->entry_count++] = part->ordering.entries[i];
	raw->entries = readers;
	return 0;
}

static int fill_raws(struct tacho_plan *plan, const struct part *part)
{
	const struct tacho__schedule *schedule = &part->schedule;
	struct tacho_plan_raw *raws =
		tacho__arena_get(&plan->arena, (schedule->counter_count + 1) * sizeof(*raws));
	int rc = raws ? 0 : TACHO_E_NOMEM;

	for (size_t pass = 0; pass < schedule->pass_count && !rc; pass++) {
		struct tacho_plan_pass *own = &plan->passes[part->first_pass + pass];

		own->raws = raws;
		for (uint32_t i = 0; i < schedule->counter_count && !rc; i++) {
			if (schedule->counters[i].pass != pass)
				continue;
			raws->id = tacho__arena_string(&plan->arena, schedule->counters[i].id);
			raws->name = tacho__arena_string(&plan->arena, schedule->counters[i].name);
			rc = raws->id && raws->name ? list_readers(plan, part, i, raws)
						    : TACHO_E_NOMEM;
			raws++;
		}
		own->raw_count = (size_t)(raws - own->raws);
	}
	return rc;
}

static int set_order(struct tacho_plan *plan, uint32_t mode, const struct part *part)
{
	const struct tacho__plan_order order = {.entries = part->ordering.entries,
						.count = part->ordering.count};

	return tacho__plan_set_order(plan, mode, &order);
}

static int fill_passes(struct making *making)
{
	struct tacho_plan *plan = making->plan;
	int rc = 0;

	plan->passes = tacho__arena_get(&plan->arena,
					(plan->summary.pass_count + 1) * sizeof(*plan->passes));
	if (!plan->passes)
		return TACHO_E_NOMEM;
	for (uint32_t mode = 0; mode < MODES && !rc; mode++) {
		const struct part *part = &making->parts[mode];

		if (!part->is_scheduled)
			continue;
		for (size_t i = 0; i < part->schedule.pass_count; i++)
			plan->passes[part->first_pass + i].mode = mode;
		rc = fill_counters(plan, part);
		if (!rc)
			rc = set_order(plan, mode, part);
		if (!rc && part->schedule.tells_counters)
			rc = fill_raws(plan, part);
	}
	return rc;
}

/* ---- what could be left out ---- */

/* How many counters of the order the pass has alone something of, the first few noted. */
static size_t list_of_pass(const struct part *part, size_t pass, size_t *places)
{
	size_t count = 0;

	for (size_t i = 0; i < part->ordering.count; i++) {
		const struct tacho__schedule_entry *entry = &part->schedule.entries[i];
		int is_there = 0;

		for (size_t k = 0; k < entry->count; k++)
			is_there |= part->schedule.counters[entry->counters[k]].pass == pass;
		if (is_there && count < ADVICE_ENTRIES)
			places[count] = i;
		count += (size_t)is_there;
	}
	return count;
}

/* Passes of the order without these. */
static int count_without(const struct part *part, const size_t *places, size_t count,
			 size_t *out_passes)
{
	const struct tacho__ordering *ordering = &part->ordering;
	const struct tacho_entry **rest = malloc((ordering->count + 1) * sizeof(*rest));
	size_t kept = 0;
	int rc;

	if (!rest)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	for (size_t i = 0; i < ordering->count; i++) {
		size_t k = 0;

		while (k < count && places[k] != i)
			k++;
		if (k == count)
			rest[kept++] = ordering->entries[i];
	}
	rc = ordering->library->count_passes(ordering->user, rest, kept, out_passes);
	free(rest);
	return rc;
}

static const char *write_advice(struct tacho__arena *arena, const struct part *part,
				const size_t *places, size_t count, size_t fewer)
{
	struct tacho__buf text = {0};

	tacho__buf_put(&text, "leave out ");
	for (size_t i = 0; i < count; i++)
		tacho__buf_printf(&text, "%s%s",
				  !i		   ? ""
				  : i + 1 == count ? " and "
						   : ", ",
				  part->ordering.entries[places[i]]->name);
	if (fewer == 1)
		tacho__buf_put(&text, " to need one pass less");
	else
		tacho__buf_printf(&text, " to need %zu passes less", fewer);
	return tacho__buf_keep(&text, arena);
}

/* Where the library does not say what a pass is for: one after the other, the last ones first. */
static int advise_blindly(struct making *making, const struct part *part, const char **out_advice)
{
	size_t pass_count = part->schedule.pass_count, passes = 0, trials = 0;

	for (size_t i = part->ordering.count; i-- > 0 && trials < ADVICE_TRIALS;) {
		int rc;

		if (part->ordering.count == 1)
			return 0;
		trials++;
		rc = count_without(part, &i, 1, &passes);
		if (rc)
			return rc;
		if (passes >= pass_count)
			continue;
		*out_advice = write_advice(&making->plan->arena, part, &i, 1, pass_count - passes);
		return *out_advice ? 0 : TACHO_E_NOMEM;
	}
	return 0;
}

/* Tries to leave out those few that a pass is for; the library says what that saves. */
static int advise_part(struct making *making, const struct part *part, const char **out_advice)
{
	size_t pass_count = part->schedule.pass_count, trials = 0;

	if (!part->schedule.tells_counters)
		return advise_blindly(making, part, out_advice);
	for (size_t want = 1; want <= ADVICE_ENTRIES && !**out_advice; want++) {
		for (size_t pass = pass_count; pass-- > 0 && trials < ADVICE_TRIALS;) {
			size_t places[ADVICE_ENTRIES], passes = 0;
			int rc;

			if (list_of_pass(part, pass, places) != want ||
			    want == part->ordering.count)
				continue;
			trials++;
			rc = count_without(part, places, want, &passes);
			if (rc)
				return rc;
			if (passes >= pass_count)
				continue;
			*out_advice = write_advice(&making->plan->arena, part, places, want,
						   pass_count - passes);
			return *out_advice ? 0 : TACHO_E_NOMEM;
		}
	}
	return 0;
}

/* ---- the whole ---- */

static int conclude(struct making *making, const struct tacho_plan_options *options)
{
	struct tacho_plan_summary *summary = &making->plan->summary;
	uint32_t depth = options->nesting_depth ? options->nesting_depth : 1;
	int rc = 0;

	summary->run_count = summary->pass_count * depth;
	summary->is_optimal = summary->pass_count <= 1 ? 1 : -1;
	summary->lower_bound = summary->pass_count <= 1 ? summary->pass_count : 0;
	summary->binding = summary->pass_count == 1 ? "everything fits into one pass" : "";
	summary->advice = "";
	for (size_t i = 0; i < MODES && !rc; i++)
		if (making->parts[i].is_scheduled && making->parts[i].schedule.pass_count > 1 &&
		    !*summary->advice)
			rc = advise_part(making, &making->parts[i], &summary->advice);
	if (!rc && options->passes_max && summary->pass_count > options->passes_max)
		rc = tacho__fail(TACHO_E_PASSES,
				 tacho__detail("%u %s allowed", options->passes_max,
					       options->passes_max == 1 ? "pass is" : "passes are"),
				 *summary->advice ? summary->advice
						  : "leave out entries, or allow more passes",
				 "%zu passes are needed", summary->pass_count);
	return rc;
}

static int make(struct making *making, const struct tacho_plan_options *options)
{
	int rc = list_counters(making);

	if (!rc)
		rc = schedule_all(making);
	if (!rc)
		rc = place_entries(making);
	if (!rc)
		rc = fill_passes(making);
	if (!rc)
		rc = tacho__plan_list_complete(making->plan);
	return rc ? rc : conclude(making, options);
}

int tacho__plan_create_scheduled(const struct tacho_config *config,
				 const struct tacho_plan_options *options,
				 struct tacho_plan **out_plan)
{
	struct making making = {.config = config, .plan = calloc(1, sizeof(struct tacho_plan))};
	int rc;

	if (!making.plan)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	making.plan->config = config;
	making.library = tacho__arch_get_library(config->arch, &making.user);
	rc = make(&making, options);
	for (size_t i = 0; i < MODES; i++) {
		free(making.parts[i].ordering.entries);
		tacho__map_finish(&making.parts[i].index_of);
		if (making.parts[i].is_scheduled)
			tacho__schedule_finish(&making.parts[i].schedule);
	}
	if (rc)
		tacho_plan_destroy(making.plan);
	else
		*out_plan = making.plan;
	return rc;
}
