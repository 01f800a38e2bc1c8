/* SPDX-License-Identifier: MIT */
/*
 * Passes. Standard queries go together, and are in the first one. Counters of the driver go
 * together when the driver says that one pass does for all of them, and when they are counted for
 * the same whole: a query of whole command buffers is begun elsewhere than one of a command. One
 * after the other is put where it fits first: a program's command buffers are never submitted
 * again, so that each pass has to be whole by itself.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/vulkan/vulkan_device.h"
#include "base/array.h"
#include "base/error.h"
#include "plan/from_passes.h"

struct pass {
	struct tacho_plan_counter *counters;
	size_t count, capacity;
	uint32_t *performance;
	size_t performance_count, performance_capacity;
	uint8_t scope; /* of performance */
};

struct planning {
	struct vulkan_device *device;
	struct pass *passes;
	size_t count, capacity;
	struct tacho__map seen; /* counters that have a pass */
};

static int add_pass(struct planning *planning)
{
	const struct pass none = {0};

	return tacho__array_add(&planning->passes, &planning->capacity, &planning->count, &none,
				sizeof(none));
}

static int add_to(struct pass *pass, const struct tacho_entry *entry)
{
	const struct tacho_plan_counter counter = {.entry = entry, .accumulate = ""};

	return tacho__array_add(&pass->counters, &pass->capacity, &pass->count, &counter,
				sizeof(counter));
}

static uint32_t ask_driver(const struct vulkan_device *device, const struct pass *pass)
{
	const struct vulkan_performance_info info = {
		.type = VULKAN_TYPE_QUERY_POOL_PERFORMANCE,
		.family = device->facts.family,
		.count = (uint32_t)pass->performance_count,
		.counters = pass->performance,
	};
	uint32_t passes = 0;

	device->vulkan.get_passes(device->physical, &info, &passes);
	return passes;
}

/* *out_passes: how many the driver needs for all of them; 0: they do not go together. */
static int try_pass(const struct planning *planning, struct pass *pass,
		    const struct tacho__vulkan_counter *counter, uint32_t *out_passes)
{
	int rc;

	*out_passes = 0;
	if (pass->performance_count && pass->scope != counter->scope)
		return 0;
	rc = tacho__array_add(&pass->performance, &pass->performance_capacity,
			      &pass->performance_count, &counter->index, sizeof(counter->index));
	if (rc)
		return rc;
	*out_passes = ask_driver(planning->device, pass);
	if (*out_passes == 1)
		pass->scope = counter->scope;
	else
		pass->performance_count--;
	return 0;
}

static int place_performance(struct planning *planning, const struct tacho_entry *entry,
			     const struct tacho__vulkan_counter *counter)
{
	uint32_t passes = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < planning->count; i++) {
		rc = try_pass(planning, &planning->passes[i], counter, &passes);
		if (!rc && passes == 1)
			return add_to(&planning->passes[i], entry);
	}
	if (!rc)
		rc = add_pass(planning);
	if (!rc)
		rc = try_pass(planning, &planning->passes[planning->count - 1], counter, &passes);
	if (!rc && passes != 1)
		rc = tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("its driver needs %u passes for it alone", passes),
			"leave it out: a program's command buffers are not submitted again",
			"%s cannot be counted in a program as it is", entry->name);
	return rc ? rc : add_to(&planning->passes[planning->count - 1], entry);
}

static int place(struct planning *planning, const struct tacho_entry *entry)
{
	const struct tacho__vulkan_counter *counter =
		tacho__vulkan_get_counter(planning->device, entry);
	int rc = 0;

	if (!counter || tacho__map_get(&planning->seen, (uintptr_t)entry))
		return 0;
	rc = tacho__map_set(&planning->seen, (uintptr_t)entry, planning);
	if (!rc && counter->query == TACHO__VULKAN_PERFORMANCE)
		return place_performance(planning, entry, counter);
	if (!rc && !planning->count)
		rc = add_pass(planning);
	return rc ? rc : add_to(&planning->passes[0], entry);
}

static int place_inputs(struct planning *planning, const struct tacho_config *config,
			const struct tacho_entry *entry)
{
	const struct tacho_entry **inputs = NULL;
	size_t count = 0;
	int rc;

	if (entry->kind == TACHO_ENTRY_COUNTER)
		return place(planning, entry);
	if (entry->kind != TACHO_ENTRY_METRIC || entry->is_of_command)
		return 0;
	rc = tacho_arch_list_inputs(tacho_config_get_arch(config), entry, &inputs, &count);
	for (size_t i = 0; i < count && !rc; i++)
		rc = place(planning, inputs[i]);
	free(inputs);
	return rc;
}

/* Standard queries first, so that they share the first pass whatever the order. */
static int place_all(struct planning *planning, const struct tacho_config *config)
{
	const struct tacho_entry *entry;
	int rc = 0;

	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; !rc && (entry = tacho_config_get_definition(config, i)); i++) {
			const struct tacho__vulkan_counter *counter =
				tacho__vulkan_get_counter(planning->device, entry);
			bool is_driver = counter && counter->query == TACHO__VULKAN_PERFORMANCE;

			if (is_driver == (turn == 1))
				rc = place_inputs(planning, config, entry);
		}
	return rc;
}

static int make(const struct planning *planning, const struct tacho_config *config,
		struct tacho_plan **out_plan)
{
	struct tacho_plan_pass *passes = calloc(planning->count + 1, sizeof(*passes));
	int rc;

	if (!passes)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	for (size_t i = 0; i < planning->count; i++) {
		passes[i].counters = planning->passes[i].counters;
		passes[i].counter_count = planning->passes[i].count;
	}
	rc = tacho__plan_create_from_passes(config, passes, planning->count, NULL, out_plan);
	free(passes);
	return rc;
}

int tacho__vulkan_plan(struct tacho_device *device, const struct tacho_config *config,
		       const struct tacho_plan_options *options, struct tacho_plan **out_plan)
{
	struct planning planning = {.device = TACHO__OWN(struct vulkan_device, device)};
	int rc = place_all(&planning, config);

	(void)options;
	if (!rc)
		rc = make(&planning, config, out_plan);
	for (size_t i = 0; i < planning.count; i++) {
		free(planning.passes[i].counters);
		free(planning.passes[i].performance);
	}
	free(planning.passes);
	tacho__map_finish(&planning.seen);
	return rc;
}

/* ---- what a layer does for a plan ---- */

static int describe(struct vulkan_device *device, const struct tacho_plan_pass *from,
		    struct tacho__vulkan_pass *pass)
{
	struct tacho__arena *arena = tacho__catalog_arena(device->own.catalog);
	size_t count = from->counter_count;
	const struct tacho__vulkan_counter **counters =
		tacho__arena_get(arena, (count + 1) * sizeof(*counters));
	uint32_t *performance = tacho__arena_get(arena, (count + 1) * sizeof(*performance));

	if (!counters || !performance)
		return TACHO_E_NOMEM;
	*pass = (struct tacho__vulkan_pass){.scope = TACHO__VULKAN_COMMAND,
					    .family = device->facts.family,
					    .performance = performance,
					    .counter_count = count,
					    .counters = counters};
	for (size_t i = 0; i < count; i++) {
		const struct tacho__vulkan_counter *counter =
			tacho__vulkan_get_counter(device, from->counters[i].entry);

		counters[i] = counter;
		if (!counter)
			continue;
		if (counter->query == TACHO__VULKAN_STATISTICS)
			pass->statistics |= 1u << counter->index;
		pass->has_occlusion |= counter->query == TACHO__VULKAN_OCCLUSION;
		pass->is_precise |= counter->is_precise;
		if (counter->query != TACHO__VULKAN_PERFORMANCE)
			continue;
		performance[pass->performance_count++] = counter->index;
		pass->scope = counter->scope;
	}
	return 0;
}

const struct tacho__vulkan_pass *tacho__vulkan_list_passes(struct tacho_device *base,
							   const struct tacho_plan *plan)
{
	struct vulkan_device *device = TACHO__OWN(struct vulkan_device, base);
	const struct tacho_plan_pass *pass;
	struct tacho__vulkan_pass *passes;
	size_t count = 0;

	while (tacho_plan_get_pass(plan, count))
		count++;
	passes = tacho__arena_get(tacho__catalog_arena(device->own.catalog),
				  (count + 1) * sizeof(*passes));
	for (size_t i = 0; passes && (pass = tacho_plan_get_pass(plan, i)); i++)
		if (describe(device, pass, &passes[i]))
			return NULL;
	return passes;
}
