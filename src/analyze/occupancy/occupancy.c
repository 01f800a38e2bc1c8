/* SPDX-License-Identifier: MIT */
/* One formula over every maker's limits. All divisions are of whole numbers. */
#include "analyze/occupancy/occupancy.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/nearest.h"

/* The error for an architecture of no table, with the nearest ones of all. */
static int fail_arch(const char *arch)
{
	const void *things[TACHO__HINT_COUNT];
	unsigned scores[TACHO__HINT_COUNT];
	struct tacho__nearest nearest = {things, scores, TACHO__HINT_COUNT, 0};
	const char *known;

	for (size_t i = 0; (known = tacho_limits_get_arch(i)); i++)
		tacho__nearest_offer(&nearest, known, tacho_nearest_score(arch, known));
	return tacho__fail(TACHO_E_NOTFOUND, "no table has this architecture",
			   tacho__detail("%s; all that are known: tacho occupancy --archs",
					 tacho__nearest_describe(&nearest)),
			   "the limits of \"%s\" are not known", arch);
}

int tacho_limits_find(const char *arch, uint32_t wave_size, enum tacho_unit_mode mode,
		      struct tacho_limits *out_limits)
{
	static const tacho__limits_fn tables[] = {tacho__limits_amd, tacho__limits_nvidia};

	if (!arch || !out_limits)
		return tacho__fail_null(__func__);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables); i++) {
		int rc = tables[i](arch, wave_size, mode, out_limits);

		if (rc <= 0)
			return rc;
	}
	return fail_arch(arch);
}

const char *tacho_limits_get_arch(size_t index)
{
	size_t count = 0;

	while (tacho__limits_amd_name(count))
		count++;
	return index < count ? tacho__limits_amd_name(index)
			     : tacho__limits_nvidia_name(index - count);
}

static uint64_t round_up(uint64_t value, uint64_t granule)
{
	return granule > 1 ? (value + granule - 1) / granule * granule : value;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint32_t tacho_limits_add_registers(const struct tacho_limits *limits, uint32_t vector,
				    uint32_t accumulation)
{
	if (!limits)
		return 0;
	if (!limits->accumulation_granule)
		return vector > accumulation ? vector : accumulation;
	if (!accumulation)
		return vector;
	return (uint32_t)least(round_up(vector, limits->accumulation_granule) + accumulation,
			       UINT32_MAX);
}

static uint32_t count_group_waves(const struct tacho_limits *limits, uint32_t group_size)
{
	return (uint32_t)(round_up(group_size, limits->wave_size) / limits->wave_size);
}

/* The waves of whole groups among `waves`. */
static uint32_t whole(uint64_t waves, uint32_t per_group)
{
	return (uint32_t)(waves / per_group * per_group);
}

/* Waves that a file of registers has room for. */
static uint64_t divide_registers(const struct tacho_limits *limits, uint64_t total, uint64_t used,
				 uint64_t granule)
{
	return total / round_up(used ? used : 1, granule) * limits->simd_count;
}

static uint64_t divide_local(const struct tacho_limits *limits, uint64_t bytes, uint32_t per_group)
{
	uint64_t taken;

	if (bytes > limits->local_group_max)
		return 0;
	taken = round_up(bytes + limits->local_reserved, limits->local_granule);
	return limits->local_total / (taken ? taken : 1) * per_group;
}

static uint64_t count_groups(const struct tacho_limits *limits, const struct tacho_use *use,
			     uint32_t per_group)
{
	uint64_t groups = per_group == 1 ? limits->groups_of_one : limits->groups_max;

	if (limits->barriers_total && use->barriers)
		groups = least(groups, limits->barriers_total / use->barriers);
	return groups;
}

static int check(const struct tacho_limits *limits, const struct tacho_use *use)
{
	if (use->group_size && use->group_size <= limits->group_max)
		return 0;
	return tacho__fail(
		TACHO_E_INVAL,
		tacho__detail("%s takes 1 to %u work-items", limits->arch, limits->group_max),
		"give another work-group size", "there are no groups of %u work-items",
		use->group_size);
}

static void limit(const struct tacho_limits *limits, const struct tacho_use *use,
		  struct tacho_occupancy *out_occupancy)
{
	uint32_t per_group = count_group_waves(limits, use->group_size);
	uint64_t groups = per_group == 1 ? limits->groups_of_one : limits->groups_max;
	uint64_t scalar = (uint64_t)use->scalar + (use->all_scalar ? 0 : limits->scalar_extra);
	struct tacho_occupancy occupancy = {.waves_per_group = per_group};
	uint64_t raw[TACHO_OCCUPANCY_RESOURCES];

	/* More groups than waves of the largest groups would fill are never resident. */
	occupancy.waves_max = (uint32_t)least(
		limits->waves_max, groups * count_group_waves(limits, limits->group_max));
	raw[TACHO_OCCUPANCY_GROUPS] =
		least(count_groups(limits, use, per_group) * per_group, occupancy.waves_max);
	raw[TACHO_OCCUPANCY_VECTOR] =
		use->vector > limits->vector_max
			? 0
			: divide_registers(limits, limits->vector_total, use->vector,
					   limits->vector_granule);
	raw[TACHO_OCCUPANCY_SCALAR] = UINT32_MAX;
	if (limits->scalar_total)
		raw[TACHO_OCCUPANCY_SCALAR] = divide_registers(limits, limits->scalar_total, scalar,
							       limits->scalar_granule);
	raw[TACHO_OCCUPANCY_LOCAL] = divide_local(limits, use->local_bytes, per_group);
	occupancy.waves = UINT32_MAX;
	for (size_t i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++) {
		occupancy.limits[i] = whole(least(raw[i], raw[TACHO_OCCUPANCY_GROUPS]), per_group);
		occupancy.waves = (uint32_t)least(occupancy.waves, occupancy.limits[i]);
	}
	for (unsigned i = 0; i < TACHO_OCCUPANCY_RESOURCES; i++)
		if (whole(least(raw[i], UINT32_MAX), per_group) == occupancy.waves)
			occupancy.binding |= 1u << i;
	occupancy.groups = occupancy.waves / per_group;
	occupancy.percent = 100.0 * occupancy.waves / occupancy.waves_max;
	*out_occupancy = occupancy;
}

int tacho_occupancy_get(const struct tacho_limits *limits, const struct tacho_use *use,
			struct tacho_occupancy *out_occupancy)
{
	int rc;

	if (!limits || !use || !out_occupancy)
		return tacho__fail_null(__func__);
	rc = check(limits, use);
	if (!rc)
		limit(limits, use, out_occupancy);
	return rc;
}

static uint64_t get_use(const struct tacho_use *use, enum tacho_occupancy_resource resource)
{
	switch (resource) {
	case TACHO_OCCUPANCY_GROUPS: return use->group_size;
	case TACHO_OCCUPANCY_VECTOR: return use->vector;
	case TACHO_OCCUPANCY_SCALAR: return use->scalar;
	default: return use->local_bytes;
	}
}

static void set_use(struct tacho_use *use, enum tacho_occupancy_resource resource, uint64_t value)
{
	switch (resource) {
	case TACHO_OCCUPANCY_GROUPS: use->group_size = (uint32_t)value; break;
	case TACHO_OCCUPANCY_VECTOR: use->vector = (uint32_t)value; break;
	case TACHO_OCCUPANCY_SCALAR: use->scalar = (uint32_t)value; break;
	default: use->local_bytes = value;
	}
}

static struct tacho_occupancy try_use(const struct tacho_limits *limits,
				      const struct tacho_use *use,
				      enum tacho_occupancy_resource resource, uint64_t value)
{
	struct tacho_use changed = *use;
	struct tacho_occupancy occupancy;

	set_use(&changed, resource, value);
	limit(limits, &changed, &occupancy);
	return occupancy;
}

/* The nearest size of whole waves, smaller first, that all resources together prefer. */
static bool step_group(const struct tacho_limits *limits, const struct tacho_use *use,
		       uint32_t waves, struct tacho_occupancy_step *out_step)
{
	uint32_t size = limits->wave_size, now = count_group_waves(limits, use->group_size);

	for (uint32_t distance = 1; distance <= limits->group_max / size; distance++) {
		const uint32_t sizes[] = {distance < now ? (now - distance) * size : 0,
					  (now + distance) * size};

		for (size_t i = 0; i < TACHO__ARRAY_SIZE(sizes); i++) {
			struct tacho_occupancy found;

			if (!sizes[i] || sizes[i] > limits->group_max)
				continue;
			found = try_use(limits, use, TACHO_OCCUPANCY_GROUPS, sizes[i]);
			if (found.waves <= waves)
				continue;
			*out_step =
				(struct tacho_occupancy_step){sizes[i], found.waves, found.waves};
			return true;
		}
	}
	return false;
}

/* The largest smaller use with a higher limit: limits never fall when a use does. */
static bool step_down(const struct tacho_limits *limits, const struct tacho_use *use,
		      enum tacho_occupancy_resource resource, uint32_t old,
		      struct tacho_occupancy_step *out_step)
{
	uint64_t low = 0, high = get_use(use, resource);
	struct tacho_occupancy found = try_use(limits, use, resource, low);

	if (!high || found.limits[resource] <= old)
		return false;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		found = try_use(limits, use, resource, middle);
		if (found.limits[resource] > old)
			low = middle;
		else
			high = middle;
	}
	found = try_use(limits, use, resource, low);
	*out_step = (struct tacho_occupancy_step){low, found.limits[resource], found.waves};
	return true;
}

int tacho_occupancy_get_step(const struct tacho_limits *limits, const struct tacho_use *use,
			     enum tacho_occupancy_resource resource,
			     struct tacho_occupancy_step *out_step)
{
	struct tacho_occupancy now;
	bool found;
	int rc;

	if (!limits || !use || !out_step)
		return tacho__fail_null(__func__);
	rc = tacho_occupancy_get(limits, use, &now);
	if (rc)
		return rc;
	if (resource == TACHO_OCCUPANCY_GROUPS)
		found = step_group(limits, use, now.waves, out_step);
	else
		found = step_down(limits, use, resource, now.limits[resource], out_step);
	if (found)
		return 0;
	return tacho__fail(TACHO_E_NOTFOUND, "another resource limits the waves", "",
			   "no other use of this resource raises occupancy");
}

/* The most of a resource that a kernel can use. False: it never limits. */
static bool get_last(const struct tacho_limits *limits, enum tacho_occupancy_resource resource,
		     uint64_t *out_last)
{
	switch (resource) {
	case TACHO_OCCUPANCY_GROUPS: *out_last = limits->group_max; return true;
	case TACHO_OCCUPANCY_VECTOR: *out_last = limits->vector_max; return true;
	case TACHO_OCCUPANCY_SCALAR:
		*out_last = limits->scalar_max;
		return limits->scalar_total != 0;
	default: *out_last = limits->local_group_max; return true;
	}
}

int tacho_occupancy_list(const struct tacho_limits *limits, const struct tacho_use *use,
			 enum tacho_occupancy_resource resource,
			 struct tacho_occupancy_range **out_ranges, size_t *out_count)
{
	struct tacho_occupancy_range *ranges = NULL;
	uint64_t last, first = resource == TACHO_OCCUPANCY_GROUPS;
	size_t count = 0, capacity = 0;
	int rc;

	if (!limits || !use || !out_ranges || !out_count)
		return tacho__fail_null(__func__);
	rc = check(limits, use);
	if (rc)
		return rc;
	if (!get_last(limits, resource, &last))
		return tacho__fail(TACHO_E_NOTFOUND, "every wave has as many", "",
				   "these registers never limit on %s", limits->arch);
	for (uint64_t value = first; value <= last; value++) {
		uint32_t waves = try_use(limits, use, resource, value).waves;

		if (count && ranges[count - 1].waves == waves) {
			ranges[count - 1].last = value;
			continue;
		}
		if (tacho__array_reserve(&ranges, &capacity, count, sizeof(*ranges))) {
			free(ranges);
			return TACHO_E_NOMEM;
		}
		ranges[count++] = (struct tacho_occupancy_range){value, value, waves};
	}
	*out_ranges = ranges;
	*out_count = count;
	return 0;
}
