/* SPDX-License-Identifier: MIT */
/*
 * Ranges that the program named, as slices. Those of a thread are begun in front of the first call
 * that lies in them, so that calls nest in them however many they are.
 */
#include <inttypes.h>

#include "base/array.h"
#include "format/perfetto/fields.h"
#include "format/perfetto/perfetto.h"
#include "format/range_text.h"
#include "tacho/error.h"

enum { CHAIN_MAX = 64 }; /* ranges around one that are begun before it */

/* A frame has its number behind its name. */
static void name_event(struct tacho__perfetto *trace, const struct tacho_named_range *range)
{
	bool is_plain = range->kind == TACHO_RANGE_NESTED || range->kind == TACHO_RANGE_PROCESS;
	const char *category = is_plain ? "range" : tacho__range_kind_to_string(range->kind);

	if (!range->number) {
		tacho__perfetto_name_event(trace, category, range->name);
		return;
	}
	tacho__buf_clear(&trace->scratch);
	tacho__buf_printf(&trace->scratch, "%s %" PRIu64, range->name, range->number);
	tacho__perfetto_name_event(trace, category, tacho__buf_text(&trace->scratch));
	trace->rc = trace->scratch.failed ? TACHO_E_NOMEM : trace->rc;
}

static void begin(struct tacho__perfetto *trace, const struct tacho_named_range *range,
		  uint32_t type, uint64_t uuid)
{
	char color[16];

	tacho__perfetto_begin_event(trace, range->start_ns, type, uuid);
	name_event(trace, range);
	tacho__perfetto_note_unsigned(trace, "range_id", range->id);
	tacho__perfetto_note_text(trace, "api", range->api);
	tacho__perfetto_note_text(trace, "domain", range->domain);
	if (range->kind != TACHO_RANGE_NESTED)
		tacho__perfetto_note_unsigned(trace, "thread", range->thread);
	snprintf(color, sizeof(color), "#%08" PRIx32, range->color);
	tacho__perfetto_note_text(trace, "color", range->has_color ? color : NULL);
	if (range->is_open)
		tacho__perfetto_note_text(trace, "end", "not known");
}

static void end(struct tacho__perfetto *trace, const struct tacho_named_range *range,
		uint64_t end_ns, uint64_t uuid)
{
	uint64_t *last_ns = &trace->processes[range->process->index].last_ns;

	if (end_ns > *last_ns)
		*last_ns = end_ns;
	tacho__perfetto_begin_event(trace, end_ns, PF_SLICE_END, uuid);
	tacho__perfetto_end_event(trace);
}

static uint64_t end_of(const struct tacho_named_range *range)
{
	return range->end_ns < range->start_ns ? range->start_ns : range->end_ns;
}

/* ---- those of threads ---- */

/* Its place among the open ones, from 1; 0: it is not open. The last ones are asked for most. */
static size_t find_open(const struct tacho__perfetto_track *track, uint64_t id)
{
	size_t place = track->open_count;

	while (place && track->open[place - 1].id != id)
		place--;
	return place;
}

static int open_range(struct tacho__perfetto *trace, const struct tacho_named_range *range)
{
	struct tacho__perfetto_track *track;
	struct tacho__perfetto_lane *lane;
	size_t number;
	int rc = tacho__perfetto_get_ranges(trace, range, &track);

	if (rc || find_open(track, range->id))
		return rc;
	if (tacho__array_reserve(&track->open, &track->open_capacity, track->open_count,
				 sizeof(*track->open)))
		return TACHO_E_NOMEM;
	rc = tacho__perfetto_open_lane(trace, track, range->start_ns, &number, &lane);
	if (rc || !lane)
		return rc;
	track->open[track->open_count++] =
		(struct tacho__perfetto_open){.id = range->id, .lane = number};
	begin(trace, range, PF_SLICE_BEGIN, lane->uuid);
	tacho__perfetto_end_event(trace);
	return 0;
}

int tacho__perfetto_open_ranges(struct tacho__perfetto *trace, const struct tacho_call *call)
{
	int rc = 0;

	for (size_t i = call->range_count; i-- > 0 && !rc;)
		if (call->ranges[i]->kind == TACHO_RANGE_NESTED)
			rc = open_range(trace, call->ranges[i]);
	return rc;
}

/* Those around it, the outermost first. */
static int open_parents(struct tacho__perfetto *trace, const struct tacho_named_range *range)
{
	const struct tacho_named_range *chain[CHAIN_MAX];
	size_t count = 0;
	int rc = 0;

	for (range = range->parent; range && count < CHAIN_MAX; range = range->parent)
		chain[count++] = range;
	while (count && !rc)
		rc = open_range(trace, chain[--count]);
	return rc;
}

/* Also ends what was begun in it and did not end: a slice cannot outlast what is around it. */
static void close_range(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
			size_t place, const struct tacho_named_range *range)
{
	size_t lane = track->open[place - 1].lane, kept = place - 1;

	for (size_t i = track->open_count; i >= place; i--) {
		if (track->open[i - 1].lane != lane)
			continue;
		end(trace, range, end_of(range), track->ids[lane].uuid);
		tacho__lanes_close(&track->lanes, lane, end_of(range));
	}
	for (size_t i = place; i < track->open_count; i++)
		if (track->open[i].lane != lane)
			track->open[kept++] = track->open[i];
	track->open_count = kept;
}

static int put_slice(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
		     const struct tacho_named_range *range)
{
	struct tacho__perfetto_lane *lane;
	int rc = tacho__perfetto_get_lane(trace, track, range->start_ns, end_of(range), &lane);

	if (rc)
		return rc;
	begin(trace, range, lane ? PF_SLICE_BEGIN : PF_INSTANT,
	      lane ? lane->uuid
		   : tacho__perfetto_get_marks(trace, range->process, range->start_ns));
	if (!lane) {
		tacho__perfetto_note_text(trace, "not_drawn", "too many overlap here");
		tacho__perfetto_note_unsigned(trace, "end_ns", end_of(range));
	}
	tacho__perfetto_end_event(trace);
	if (lane && !range->is_open)
		end(trace, range, end_of(range), lane->uuid);
	return 0;
}

static int put_nested(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
		      const struct tacho_named_range *range)
{
	size_t place = find_open(track, range->id);
	int rc;

	if (place && !range->is_open)
		close_range(trace, track, place, range);
	if (place)
		return 0;
	rc = open_parents(trace, range);
	if (rc)
		return rc;
	return range->is_open ? open_range(trace, range) : put_slice(trace, track, range);
}

/* ---- those between commands ---- */

/* Where nobody knows how long it took there is a mark. */
static int put_between(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
		       const struct tacho_named_range *range)
{
	struct tacho__perfetto_lane *lane;
	int rc;

	if (range->has_device_times) {
		rc = put_slice(trace, track, range);
		return rc || range->kind != TACHO_RANGE_PASS || trace->is_import
			       ? rc
			       : tacho__perfetto_put_pass(trace, range);
	}
	rc = tacho__perfetto_get_lane(trace, track, range->start_ns, range->start_ns, &lane);
	if (rc || !lane)
		return rc;
	begin(trace, range, PF_INSTANT, lane->uuid);
	tacho__perfetto_note_text(trace, "not_drawn", "no command in it has times");
	tacho__perfetto_end_event(trace);
	return 0;
}

/* ---- all ---- */

static int put(struct tacho__perfetto *trace, const struct tacho_named_range *range)
{
	struct tacho__perfetto_track *track;
	int rc;

	if (range->kind == TACHO_RANGE_MARK) {
		uint64_t uuid = tacho__perfetto_get_marks(trace, range->process, range->start_ns);

		begin(trace, range, PF_INSTANT, uuid);
		tacho__perfetto_end_event(trace);
		return 0;
	}
	rc = tacho__perfetto_get_ranges(trace, range, &track);
	if (rc)
		return rc;
	if (range->kind == TACHO_RANGE_LABEL || range->kind == TACHO_RANGE_PASS)
		return put_between(trace, track, range);
	return range->kind == TACHO_RANGE_NESTED ? put_nested(trace, track, range)
						 : put_slice(trace, track, range);
}

void tacho__perfetto_put_range(void *user, const struct tacho_named_range *range)
{
	struct tacho__perfetto *trace = user;

	if (!trace->rc)
		trace->rc = put(trace, range);
}
