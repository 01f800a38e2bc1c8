/* SPDX-License-Identifier: MIT */
/* The events of a pass, and which of them are groups. */
#include <linux/perf_event.h>
#include <stdlib.h>

#include "backend/perf/perf.h"
#include "base/error.h"

/* It counts on threads, beside whatever else its group has. */
static bool is_software(const struct tacho__perf_opened *event)
{
	return event->counter->code.type == PERF_TYPE_SOFTWARE;
}

/* NULL: the CPU's usual one, whatever named it. */
static const struct tacho__perf_pmu *get_unit(const struct tacho__perf_opened *event)
{
	const struct tacho__perf_pmu *pmu = event->counter->pmu;

	return pmu && (pmu->type != PERF_TYPE_RAW || pmu->cpu_count) ? pmu : NULL;
}

/* Of one unit; software joins all but those that count whole devices. */
static bool fits(const struct tacho__perf_opened *one, const struct tacho__perf_opened *other)
{
	if (is_software(one))
		return !other->counter->pmu || !other->counter->pmu->is_device_wide;
	return is_software(other) ? fits(other, one) : get_unit(one) == get_unit(other);
}

/*
 * Adds a lone event to a group, where they count together then. What is no software leads: it says
 * on which CPUs they can be.
 */
static bool join(struct tacho__perf_opened *leader, struct tacho__perf_opened *event)
{
	bool leads = is_software(leader) && !is_software(event);
	struct tacho__perf_opened *first = leads ? event : leader, *second = leads ? leader : event;
	struct tacho__perf_opened *last = first;

	if (!fits(leader, event))
		return false;
	while (last->next)
		last = last->next;
	last->next = second;
	second->is_leader = !tacho__perf_try_group(first);
	if (second->is_leader)
		last->next = NULL;
	return !second->is_leader;
}

static struct tacho__perf_opened *find_event(const struct tacho__perf_pass *pass,
					     const struct tacho_entry *entry)
{
	for (size_t i = 0; i < pass->count; i++)
		if (pass->events[i].counter->entry == entry)
			return &pass->events[i];
	return NULL;
}

static struct tacho__perf_opened *find_leader(const struct tacho__perf_pass *pass,
					      const struct tacho__perf_opened *event)
{
	for (size_t i = 0; i < pass->count; i++)
		for (const struct tacho__perf_opened *each = &pass->events[i];
		     pass->events[i].is_leader && each; each = each->next)
			if (each == event)
				return &pass->events[i];
	return NULL;
}

/* Each input that is in no group joins that of another. Some may be of other passes. */
static void group_inputs(const struct tacho__perf_pass *pass,
			 const struct tacho_entry *const *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct tacho__perf_opened *event = find_event(pass, inputs[i]), *other;
		bool is_lone = event && event->is_leader && !event->next;

		for (size_t k = 0; k < count && is_lone; k++) {
			other = find_event(pass, inputs[k]);
			if (other && other != event)
				is_lone = !join(find_leader(pass, other), event);
		}
	}
}

static int make_groups(const struct tacho__perf_device *device, const struct tacho_plan *plan,
		       const struct tacho__perf_pass *pass)
{
	const struct tacho_config *config = tacho_plan_get_config(plan);
	const struct tacho_entry *entry, **inputs;
	size_t count;

	for (size_t i = 0; (entry = tacho_config_get_definition(config, i)); i++) {
		int rc = TACHO_E_UNSUPPORTED;

		if (entry->kind == TACHO_ENTRY_METRIC)
			rc = tacho_arch_list_inputs(device->base.traits.arch, entry, &inputs,
						    &count);
		if (rc == TACHO_E_NOMEM)
			return rc;
		if (rc)
			continue;
		group_inputs(pass, inputs, count);
		free(inputs);
	}
	return 0;
}

int tacho__perf_make_pass(const struct tacho__perf_device *device, const struct tacho_plan *plan,
			  uint32_t index, struct tacho__arena *arena,
			  struct tacho__perf_pass *out_pass)
{
	const struct tacho_plan_pass *info = tacho_plan_get_pass(plan, index);
	struct tacho__perf_pass pass = {.count = info->counter_count};
	int rc;

	pass.events = tacho__arena_get(arena, (pass.count + 1) * sizeof(*pass.events));
	if (!pass.events)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < pass.count; i++) {
		const struct tacho_entry *entry = info->counters[i].entry;

		pass.events[i] = (struct tacho__perf_opened){
			.counter = tacho__perf_find_counter(device, entry), .is_leader = true};
		if (!pass.events[i].counter)
			return tacho__fail(TACHO_E_INVAL, "", "plan with tacho_device_plan()",
					   "%s is no counter of this device", entry->name);
	}
	rc = make_groups(device, plan, &pass);
	if (!rc)
		*out_pass = pass;
	return rc;
}
