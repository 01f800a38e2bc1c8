/* SPDX-License-Identifier: MIT */
#include "analyze/frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/command.h"

enum {
	FRAMES_MAX = 1 << 18, /* that are kept */
	OPEN_MAX = 256,	      /* at a time */
	STUTTER_TIMES = 2,    /* as long as the one in the middle */
};

/* ---- what is in a frame ---- */

static struct tacho_frame *find_open(struct tacho__frames *frames, uint64_t id)
{
	struct tacho__open_frame *open;

	for (size_t i = 0; i < frames->open_count; i++)
		if (frames->open[i].id == id)
			return &frames->open[i].frame;
	if (frames->open_count == OPEN_MAX)
		return NULL;
	if (tacho__array_reserve(&frames->open, &frames->open_capacity, frames->open_count,
				 sizeof(*frames->open))) {
		frames->has_failed = true;
		return NULL;
	}
	open = &frames->open[frames->open_count++];
	*open = (struct tacho__open_frame){.id = id};
	return &open->frame;
}

static void add_command(struct tacho_frame *frame, const struct tacho_command *command)
{
	bool is_transfer = tacho__command_is_transfer(command);

	frame->commands++;
	frame->transfers += is_transfer;
	if (command->draws)
		frame->draws++;
	else
		frame->dispatches += tacho__command_kernels(command);
	if (!command->has_duration && command->state != TACHO_STATE_OK)
		return;
	frame->measured++;
	frame->device_ns +=
		command->has_duration ? command->duration_ns : command->end_ns - command->start_ns;
}

static void add_call(struct tacho_frame *frame, const struct tacho_call *call)
{
	if (call->function->submits)
		frame->submits += 1 + call->repeats;
	if (call->function->shows)
		frame->shown_ns += tacho__call_busy_ns(call);
	if (call->command)
		add_command(frame, call->command);
}

void tacho__frames_add_call(struct tacho__frames *frames, const struct tacho_call *call)
{
	for (size_t i = 0; i < call->range_count; i++) {
		struct tacho_frame *frame = call->ranges[i]->kind == TACHO_RANGE_FRAME
						    ? find_open(frames, call->ranges[i]->id)
						    : NULL;

		if (frame)
			add_call(frame, call);
	}
}

/* ---- frames ---- */

/* What was in it; nothing, where there were too many frames at a time. */
static struct tacho_frame take_open(struct tacho__frames *frames, uint64_t id)
{
	struct tacho_frame frame = {0};

	for (size_t i = 0; i < frames->open_count; i++) {
		if (frames->open[i].id != id)
			continue;
		frame = frames->open[i].frame;
		frames->open[i] = frames->open[--frames->open_count];
	}
	return frame;
}

/* The name of its series, kept once; NULL: no memory. */
static const char *keep_series(struct tacho__frames *frames, struct tacho__arena *arena,
			       const struct tacho_named_range *range)
{
	char key[128];
	const char *kept;
	char *copy;

	snprintf(key, sizeof(key), "%" PRIu32 "/%.100s", range->process->index, range->domain);
	kept = tacho__names_get(&frames->series, key);
	if (kept)
		return kept;
	copy = tacho__arena_string(arena, key);
	kept = tacho__arena_string(arena, range->domain);
	if (!copy || !kept || tacho__names_set(&frames->series, copy, (void *)(uintptr_t)kept))
		return NULL;
	frames->info.series++;
	return kept;
}

void tacho__frames_end(struct tacho__frames *frames, struct tacho__arena *arena,
		       const struct tacho_named_range *range)
{
	struct tacho_frame frame;

	if (range->kind != TACHO_RANGE_FRAME)
		return;
	frame = take_open(frames, range->id);
	if (range->is_open)
		return; /* it was never shown */
	frame.process = range->process;
	frame.number = range->number;
	frame.start_ns = range->start_ns;
	frame.end_ns = range->end_ns;
	frame.is_first = range->number == 1;
	frame.series = keep_series(frames, arena, range);
	frames->info.count++;
	if (frames->count == FRAMES_MAX)
		frames->info.unkept++;
	else if (!frame.series || tacho__array_add(&frames->all, &frames->capacity, &frames->count,
						   &frame, sizeof(frame)))
		frames->has_failed = true;
}

/* ---- how they are spread ---- */

static int compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* The least that so many hundredths do not exceed. */
static uint64_t percentile(const uint64_t *sorted, size_t count, unsigned hundredths)
{
	return sorted[(count * hundredths + 99) / 100 - 1];
}

static void spread(struct tacho_frames *info, uint64_t *durations, size_t count)
{
	qsort(durations, count, sizeof(*durations), compare);
	info->measured = count;
	for (size_t i = 0; i < count; i++)
		info->total_ns += durations[i];
	info->min_ns = durations[0];
	info->max_ns = durations[count - 1];
	info->p50_ns = percentile(durations, count, 50);
	info->p95_ns = percentile(durations, count, 95);
	info->p99_ns = percentile(durations, count, 99);
	info->stutter_ns = STUTTER_TIMES * info->p50_ns;
}

static void find_stutters(struct tacho__frames *frames)
{
	for (size_t i = 0; i < frames->count; i++) {
		struct tacho_frame *frame = &frames->all[i];

		frame->is_stutter = !frame->is_first &&
				    frame->end_ns - frame->start_ns > frames->info.stutter_ns;
		frames->info.stutters += frame->is_stutter;
	}
}

int tacho__frames_complete(struct tacho__frames *frames)
{
	uint64_t *durations;
	size_t count = 0;

	if (frames->has_failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for frames");
	if (!frames->count)
		return 0;
	durations = malloc(frames->count * sizeof(*durations));
	if (!durations)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for frames");
	for (size_t i = 0; i < frames->count; i++)
		if (!frames->all[i].is_first)
			durations[count++] = frames->all[i].end_ns - frames->all[i].start_ns;
	if (count) {
		spread(&frames->info, durations, count);
		find_stutters(frames);
	}
	free(durations);
	return 0;
}

void tacho__frames_finish(struct tacho__frames *frames)
{
	free(frames->all);
	free(frames->open);
	tacho__names_finish(&frames->series);
}
