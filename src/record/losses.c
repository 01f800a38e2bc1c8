/* SPDX-License-Identifier: MIT */
/* What was lost, in the order in which it is told. */
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/whole.h"

#define LOSS(name, text, member)                                  \
	{                                                         \
		name, text, offsetof(struct tacho_losses, member) \
	}

static const struct {
	const char *name, *text;
	size_t offset;
} kinds[] = {
	LOSS("no_window", "calls not recorded: no window was free for a second", no_window),
	LOSS("no_space", "calls not recorded: the recording could not grow", no_space),
	LOSS("nested", "calls not recorded: made by a signal handler or driver during others",
	     nested),
	LOSS("too_big", "calls not recorded: larger than a record can be", too_big),
	LOSS("no_thread", "calls not recorded: their thread got no stream", no_thread),
	LOSS("unwritten", "calls not recorded: the files took them no more", unwritten),
	LOSS("missing", "calls in parts of files that are missing or damaged", missing),
	LOSS("untimed", "commands whose device times were dropped", untimed),
	LOSS("unreadable_bytes", "bytes that could not be read", unreadable),
	LOSS("unreported",
	     "records of calls, commands or their times that a vendor's library dropped",
	     unreported),
	LOSS("headless_ranges", "ends of named ranges whose beginning is not there",
	     headless_ranges),
	LOSS("deep_ranges", "named ranges too deep, or too many at a time, to be kept",
	     deep_ranges),
	LOSS("windows",
	     "windows of counters that were sampled beside the program and are not there", windows),
};

uint64_t *tacho__losses_count(struct tacho_losses *losses, size_t index)
{
	return (uint64_t *)(void *)((char *)losses + kinds[index].offset);
}

int tacho__losses_get(const struct tacho_losses *losses, size_t index, struct tacho_loss *out_loss)
{
	if (index >= TACHO__ARRAY_SIZE(kinds))
		return 0;
	*out_loss = (struct tacho_loss){.name = kinds[index].name, .text = kinds[index].text};
	memcpy(&out_loss->count, (const char *)losses + kinds[index].offset,
	       sizeof(out_loss->count));
	return 1;
}

int tacho__losses_any(const struct tacho_losses *losses)
{
	struct tacho_loss loss;

	for (size_t i = 0; tacho__losses_get(losses, i, &loss); i++)
		if (loss.count)
			return 1;
	return 0;
}

int tacho__losses_any_but_ranges(const struct tacho_losses *losses)
{
	struct tacho_losses others = *losses;

	others.headless_ranges = others.deep_ranges = 0;
	return tacho__losses_any(&others);
}

static void add(struct tacho_losses *sum, const struct tacho_losses *losses)
{
	struct tacho_loss loss;

	for (size_t i = 0; tacho__losses_get(losses, i, &loss); i++)
		*tacho__losses_count(sum, i) += loss.count;
	sum->waits += losses->waits;
	if (losses->io_error)
		sum->io_error = losses->io_error;
}

int tacho_recording_sum_losses(const struct tacho_recording *recording,
			       struct tacho_losses *out_sum)
{
	size_t count = tacho_recording_get_process_count(recording);
	struct tacho_losses sum = {0};

	if (!recording || !out_sum)
		return tacho__fail_null(__func__);
	for (size_t i = 0; i < count; i++)
		add(&sum, &tacho_recording_get_process(recording, i)->losses);
	add(&sum, tacho_recording_get_losses(recording));
	*out_sum = sum;
	return 0;
}
