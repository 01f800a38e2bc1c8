/* SPDX-License-Identifier: MIT */
/* What every command tells by itself: its times, sizes and bytes. The same for every API. */
#include "catalog/command_entries.h"

#include <math.h>
#include <strings.h>

#include "base/array.h"

static const char source[] = "tacho, docs/counters.md";

#define NOT_STATED                                                                          \
	.notation = "", .expression = "", .maximum = "", .availability = "", .better = "",  \
	.advice = "", .caveat = "", .file = "", .title = "", .joins = "", .range_low = NAN, \
	.range_high = NAN
#define ENTRY(position, its_name, its_type, its_unit, its_group, its_semantic, transfers, text) \
	[TACHO__COMMAND_##position] = {NOT_STATED,                                              \
				       .name = its_name,                                        \
				       .kind = TACHO_ENTRY_COUNTER,                             \
				       .type = TACHO_TYPE_##its_type,                           \
				       .unit = its_unit,                                        \
				       .group = its_group,                                      \
				       .semantic = its_semantic,                                \
				       .description = text,                                     \
				       .source = source,                                        \
				       .block = "command",                                      \
				       .event = TACHO__COMMAND_##position + 1,                  \
				       .is_of_command = 1,                                      \
				       .is_of_transfers = transfers}

static const struct tacho_entry entries[] = {
	ENTRY(DEVICE_TIME, "device_time", U64, "nanoseconds", "Time", "duration", 0,
	      "Time on the device, from the command's start to its end."),
	ENTRY(QUEUED_DELAY, "queued_delay", U64, "nanoseconds", "Time", "duration", 0,
	      "Time in the queue on the host, until the command was submitted to the device."),
	ENTRY(SUBMIT_DELAY, "submit_delay", U64, "nanoseconds", "Time", "duration", 0,
	      "Time between submission and start: the device was busy, or waited for an event."),
	ENTRY(START_DELAY, "start_delay", U64, "nanoseconds", "Time", "duration", 0,
	      "Time between queueing and start: queued_delay and submit_delay."),
	ENTRY(TRANSFER_BYTES, "transfer_bytes", U64, "bytes", "Transfer", "event", 1,
	      "Bytes that a transfer moves or fills."),
	ENTRY(TRANSFER_RATE, "transfer_rate", F64, "bytes/second", "Transfer", "throughput", 1,
	      "Bytes per second of a transfer while it was on the device."),
	ENTRY(WORK_ITEMS, "work_items", U64, "items", "Kernel", "event", 0,
	      "Work-items of a launch."),
	ENTRY(WORK_GROUPS, "work_groups", U64, "groups", "Kernel", "event", 0,
	      "Work-groups of a launch."),
	ENTRY(WAVEFRONTS, "wavefronts", U64, "wavefronts", "Kernel", "event", 0,
	      "Work-items of each group in units of the preferred multiple that the driver states "
	      "for the kernel, rounded up, over all groups."),
	ENTRY(LOCAL_MEMORY, "local_memory", U64, "bytes", "Kernel", "level", 0,
	      "Local memory of a work-group, as the driver states it for the kernel."),
	ENTRY(PRIVATE_MEMORY, "private_memory", U64, "bytes", "Kernel", "level", 0,
	      "Private memory of a work-item, as the driver states it for the kernel."),
};

_Static_assert(TACHO__ARRAY_SIZE(entries) == TACHO__COMMAND_ENTRY_COUNT, "one for each position");

const struct tacho_entry *tacho_command_get_entry(size_t index)
{
	return index < TACHO__ARRAY_SIZE(entries) ? &entries[index] : NULL;
}

int tacho__command_entry_find(const char *name)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(entries); i++)
		if (!strcasecmp(entries[i].name, name))
			return (int)i;
	return -1;
}
