/* SPDX-License-Identifier: MIT */
/* The counters of commands, from the times and sizes of launches. */
#include "face/rocprofiler/rocprofiler.h"
#include "intercept/launches.h"
#include "record/wire.h"

/* Adds a number; NULL: it is not known of this launch. */
static void add(struct tacho__rocp_numbers *numbers, size_t position, const uint64_t *number)
{
	if (!number ||
	    __builtin_add_overflow(numbers->values[position], *number, &numbers->values[position]))
		numbers->unknown |= 1u << position;
}

static void add_time(struct tacho__rocp_numbers *numbers, size_t position, bool has_times,
		     uint64_t from_ns, uint64_t to_ns)
{
	uint64_t time_ns = to_ns - from_ns;

	add(numbers, position, has_times && from_ns <= to_ns ? &time_ns : NULL);
}

static void add_times(struct tacho__rocp_numbers *numbers,
		      const struct tacho__launch_outcome *outcome)
{
	const struct tacho__times *times = &outcome->times;
	bool has_times = times->code == TACHO__SLOT_TIMES;

	add_time(numbers, TACHO__COMMAND_DEVICE_TIME, has_times, times->start, times->end);
	add_time(numbers, TACHO__COMMAND_QUEUED_DELAY, has_times, times->queued, times->submit);
	add_time(numbers, TACHO__COMMAND_SUBMIT_DELAY, has_times, times->submit, times->start);
	add_time(numbers, TACHO__COMMAND_START_DELAY, has_times, times->queued, times->start);
}

/* Groups that are cut short are groups. */
static void add_sizes(struct tacho__rocp_numbers *numbers, const struct tacho__launch *launch)
{
	uint64_t items = 1, groups = 1;
	bool has_items = true, has_groups = true;

	for (int i = 0; i < 3; i++) {
		uint64_t size = launch->grid[i], group = launch->workgroup[i];

		has_items = has_items && size && !__builtin_mul_overflow(items, size, &items);
		has_groups = has_groups && size && group &&
			     !__builtin_mul_overflow(groups, (size - 1) / group + 1, &groups);
	}
	add(numbers, TACHO__COMMAND_WORK_ITEMS, has_items ? &items : NULL);
	add(numbers, TACHO__COMMAND_WORK_GROUPS, has_groups ? &groups : NULL);
}

/* A level, of which a sum says nothing: known as long as all launches have the same. */
static void set_level(struct tacho__rocp_numbers *numbers, size_t position, uint64_t level)
{
	if (numbers->launches && numbers->values[position] != level)
		numbers->unknown |= 1u << position;
	numbers->values[position] = level;
}

void tacho__rocp_numbers_add(struct tacho__rocp_numbers *numbers,
			     const struct tacho__launch *launch,
			     const struct tacho__launch_outcome *outcome)
{
	add_times(numbers, outcome);
	add_sizes(numbers, launch);
	set_level(numbers, TACHO__COMMAND_LOCAL_MEMORY, launch->local_bytes);
	set_level(numbers, TACHO__COMMAND_PRIVATE_MEMORY, launch->private_bytes);
	numbers->launches++;
}
