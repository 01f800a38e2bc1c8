/* SPDX-License-Identifier: MIT */
#include "backend/sim/oa.h"

#include <math.h>
#include <string.h>

#include "backend/sim/sim_private.h"
#include "tacho/error.h"

static uint64_t get_property(const struct tacho__sim_device *device, const char *name)
{
	for (size_t i = 0; i < device->model.property_count; i++)
		if (!strcmp(device->model.properties[i].name, name))
			return device->model.properties[i].value;
	return 0;
}

int tacho__sim_oa_create(struct tacho__arena *arena, const struct tacho__sim_device *device,
			 struct tacho__sim_oa **out_oa)
{
	struct tacho__sim_oa *oa;
	enum tacho_oa_gen gen;

	*out_oa = NULL;
	if (strcmp(device->arch->api, "oa") != 0 || tacho_oa_gen_find(device->arch->name, &gen))
		return 0;
	oa = tacho__arena_get(arena, sizeof(*oa));
	if (!oa)
		return TACHO_E_NOMEM;
	oa->gen = gen;
	oa->format = tacho_oa_format_get_usual(gen);
	/* The core runs at one clock. */
	oa->limits = (struct tacho_oa_limits){
		.timestamp_hz = get_property(device, "GpuTimestampFrequency"),
		.clock_max_hz =
			(uint64_t)(tacho__sim_spec_get(&device->spec, "clock_mhz") * 1000000),
		.eu_count = get_property(device, "EuCoresTotalCount"),
	};
	*out_oa = oa;
	return 0;
}

/* A report as the command writes it: both halves of a counter are of one moment. */
static void write_report(struct tacho__sim_oa *oa, uint8_t *out_bytes)
{
	struct tacho_oa_report report = {.id = oa->report_number++, .context = TACHO_OA_NO_CONTEXT};

	memcpy(report.values, oa->totals, sizeof(report.values));
	tacho__oa_report_encode(oa->format, &report, out_bytes);
}

/* Where B counter 0 is in reports; -1: they have none. */
static int find_first_b(const struct tacho__sim_oa *oa)
{
	return tacho_oa_format_find_counter(oa->format, "B0");
}

/* Whether a comparator decides this value. */
static bool is_compared(const struct tacho__sim_oa *oa, const struct tacho__sim_boolean *boolean,
			int index)
{
	int first = find_first_b(oa), number = index - first;

	return boolean && first >= 0 && number >= 0 && number < TACHO__OA_COMPARATORS &&
	       (boolean->comparators >> number & 1);
}

static uint64_t get_clocks(const struct tacho__sim_oa *oa, uint64_t ns)
{
	return (uint64_t)tacho__sim_scale((int64_t)ns, oa->limits.clock_max_hz, 1000000000);
}

/* The comparators over a row's own clocks: those with a kernel, then those without. */
static void compare(struct tacho__sim_oa *oa, const struct tacho__sim_boolean *boolean,
		    uint64_t clocks, const struct tacho__sim_span *span)
{
	struct tacho__sim_boolean copy = *boolean;
	uint64_t busy = get_clocks(oa, span->busy_ns);
	int first = find_first_b(oa);

	for (size_t i = 0; i < 2; i++)
		copy.unit.start[i].is_enabled = copy.unit.report[i].is_enabled = false;
	tacho__sim_boolean_advance(&copy, true, busy < clocks ? busy : clocks);
	tacho__sim_boolean_advance(&copy, false, clocks);
	for (int i = 0; i < TACHO__OA_COMPARATORS; i++)
		if (is_compared(oa, boolean, first + i))
			oa->totals[first + i] += copy.unit.b[i];
}

void tacho__sim_oa_count(struct tacho__sim_oa *oa, const struct tacho__sim_boolean *boolean,
			 const struct tacho__sim_counters *counters, const int64_t *sums,
			 const struct tacho__sim_span *span, uint64_t *out_values,
			 uint8_t *out_states)
{
	uint8_t begin_bytes[1024], end_bytes[1024];
	struct tacho_oa_report begin, end;
	struct tacho_oa_sums difference = {0};
	double seconds = (double)span->elapsed_ns / 1e9;
	uint64_t ticks = (uint64_t)llround(seconds * (double)oa->limits.timestamp_hz);
	uint64_t clocks = get_clocks(oa, span->elapsed_ns);
	uint8_t has_time = 0;

	write_report(oa, begin_bytes);
	for (size_t i = 0; i < counters->count; i++) {
		const struct tacho__sim_counter *counter = &counters->counters[i];
		int index = tacho_oa_format_find_counter(oa->format, counter->entry->name);

		if (index < 0 || sums[counter->offset] <= 0 || is_compared(oa, boolean, index))
			continue;
		oa->totals[index] += (uint64_t)sums[counter->offset];
		has_time |= (uint8_t)(index < 2 ? 1u << index : 0);
	}
	if (boolean)
		compare(oa, boolean, clocks, span);
	/* Time and clock are in every report, wanted or not. */
	oa->totals[0] += has_time & 1 ? 0 : ticks;
	oa->totals[1] += has_time & 2 ? 0 : clocks;
	write_report(oa, end_bytes);
	tacho__oa_report_decode(oa->format, begin_bytes, &begin);
	tacho__oa_report_decode(oa->format, end_bytes, &end);
	tacho_oa_sums_add(oa->format, &oa->limits, &begin, &end, ticks, &difference);
	for (size_t i = 0; i < counters->count; i++) {
		const struct tacho__sim_counter *counter = &counters->counters[i];
		int index = tacho_oa_format_find_counter(oa->format, counter->entry->name);

		if (index < 0)
			continue;
		out_values[counter->offset] = difference.values[index];
		out_states[counter->offset] = difference.states[index];
	}
}
