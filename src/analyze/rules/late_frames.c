/* SPDX-License-Identifier: MIT */
#include "analyze/rules/late_frames.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/rules/rules.h"
#include "base/array.h"
#include "tacho/sys/units.h"

enum { DURATIONS_MAX = 1 << 18 };

/* What the sums of the finding mean. */
enum { IN_FRAMES = 1, LONGEST_NUMBER, LONGEST_NS };

static bool is_open(const struct tacho__late_frames *frames, const struct tacho__finding *finding,
		    uint64_t id)
{
	for (size_t i = 0; i < frames->open_count; i++)
		if (frames->open[i].id == id && frames->open[i].finding == finding)
			return true;
	return false;
}

void tacho__late_frames_add(struct tacho__late_frames *frames, struct tacho__finding *finding,
			    const struct tacho_call *call)
{
	for (size_t i = 0; i < call->range_count; i++) {
		uint64_t id = call->ranges[i]->id;

		if (call->ranges[i]->kind != TACHO_RANGE_FRAME || is_open(frames, finding, id))
			continue;
		if (frames->open_count == TACHO__LATE_FRAMES_OPEN_MAX)
			frames->unkept++;
		else
			frames->open[frames->open_count++] =
				(struct tacho__late_frame){id, finding};
	}
}

/* The first of a series, in which a program begins, is the longest only where there is no other. */
static void end_in(struct tacho__finding *finding, const struct tacho_named_range *range)
{
	uint64_t duration_ns = range->end_ns - range->start_ns;
	uint64_t longest = finding->sums[LONGEST_NUMBER];

	if (range->is_open)
		return; /* it was never shown */
	finding->sums[IN_FRAMES]++;
	if (longest &&
	    (range->number == 1 || (longest > 1 && duration_ns <= finding->sums[LONGEST_NS])))
		return;
	finding->sums[LONGEST_NUMBER] = range->number;
	finding->sums[LONGEST_NS] = duration_ns;
}

void tacho__late_frames_end(void *user, const struct tacho_named_range *range)
{
	struct tacho__late_frames *frames = user;
	uint64_t duration_ns = range->end_ns - range->start_ns;

	if (range->kind != TACHO_RANGE_FRAME)
		return;
	for (size_t i = 0; i < frames->open_count;) {
		if (frames->open[i].id != range->id) {
			i++;
			continue;
		}
		end_in(frames->open[i].finding, range);
		frames->open[i] = frames->open[--frames->open_count];
	}
	if (range->is_open || range->number == 1 || frames->count == DURATIONS_MAX)
		return;
	if (tacho__array_add(&frames->durations, &frames->capacity, &frames->count, &duration_ns,
			     sizeof(duration_ns)))
		frames->has_failed = true;
}

static int compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* That half of them do not exceed; 0: there is none. */
static uint64_t get_middle(struct tacho__late_frames *frames)
{
	if (!frames->count || frames->has_failed)
		return 0;
	if (!frames->is_sorted)
		qsort(frames->durations, frames->count, sizeof(*frames->durations), compare);
	frames->is_sorted = true;
	return frames->durations[(frames->count + 1) / 2 - 1];
}

void tacho__late_frames_tell(struct tacho__late_frames *frames,
			     const struct tacho__finding *finding, struct tacho__buf *message)
{
	uint64_t count = finding->sums[IN_FRAMES], longest_ns = finding->sums[LONGEST_NS];
	uint64_t middle_ns = get_middle(frames);
	char time[2][TACHO_UNITS_MAX];

	if (!count)
		return;
	tacho__buf_printf(message, ", in %s%" PRIu64 " frame%s: %s %" PRIu64 " took %s",
			  frames->unkept ? "at least " : "", count, count == 1 ? "" : "s",
			  count == 1 ? "number" : "the longest, number",
			  finding->sums[LONGEST_NUMBER], tacho_units_time(time[0], longest_ns, 3));
	if (middle_ns && longest_ns > middle_ns)
		tacho__buf_printf(message, ", %s more than the frame in the middle",
				  tacho_units_time(time[1], longest_ns - middle_ns, 3));
	else if (middle_ns)
		tacho__buf_put(message, ", no longer than the frame in the middle");
}

void tacho__late_frames_finish(struct tacho__late_frames *frames)
{
	free(frames->durations);
}
