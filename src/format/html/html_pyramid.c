/* SPDX-License-Identifier: MIT */
/* Levels of the timeline's lanes: from what the page knows to what is drawn first. */
#include "format/html/html_timeline.h"

enum {
	TOP_MARKS = 24000, /* of the coarsest levels together: these are read when a page opens */
	TOP_LANE_MAX = 6000,
	TOP_LANE_MIN = 256,
	STEP = 8, /* a level has so many times fewer marks than the one below it */
};

#define CELL_MAX_NS ((uint64_t)1 << (TACHO__HTML_CELLS - 1))

static uint64_t choose_cell(struct tacho__timeline *timeline, uint64_t limit)
{
	uint64_t counts[TACHO__HTML_CELLS] = {0};

	for (size_t i = 0; i < timeline->count; i++)
		tacho__html_lane_count(&timeline->owners[i]->lane, counts);
	return tacho__html_choose_cell(counts, timeline->cell_ns * 2, limit);
}

void tacho__timeline_reduce(struct tacho__timeline *timeline, uint64_t limit)
{
	uint64_t count = timeline->mark_count;

	while (count > limit && timeline->cell_ns < CELL_MAX_NS) {
		timeline->cell_ns = choose_cell(timeline, limit);
		count = 0;
		for (size_t i = 0; i < timeline->count; i++) {
			tacho__html_lane_coarsen(&timeline->owners[i]->lane, timeline->cell_ns);
			count += timeline->owners[i]->lane.count;
		}
	}
	timeline->mark_count = count;
}

static size_t choose_top(const struct tacho__timeline *timeline)
{
	size_t limit = TOP_MARKS / (timeline->count ? timeline->count : 1);

	return limit > TOP_LANE_MAX ? TOP_LANE_MAX : limit < TOP_LANE_MIN ? TOP_LANE_MIN : limit;
}

static int add_level(struct tacho__timeline *timeline, struct tacho__timeline_owner *owner,
		     bool is_packed)
{
	int rc = tacho__html_level_write(&timeline->store, &owner->lane, is_packed,
					 &owner->levels[owner->level_count]);

	if (!rc)
		owner->level_count++;
	return rc;
}

static uint64_t count_merged(const struct tacho__html_lane *lane)
{
	uint64_t count = 0;

	for (size_t i = 0; i < lane->count && lane->cell_ns; i++)
		count += lane->marks[i].is_merged ? lane->marks[i].count : 0;
	return count;
}

/* What the lanes hold, where it is too much to be read at once; not all when it is too much for the
 * page. */
static int add_finest(struct tacho__timeline *timeline, size_t top, size_t most)
{
	int rc = 0;

	for (size_t i = 0; i < timeline->count && !rc; i++) {
		struct tacho__timeline_owner *owner = timeline->owners[i];

		while (owner->level_count)
			tacho__html_level_finish(&owner->levels[--owner->level_count]);
		tacho__html_lane_complete(&owner->lane);
		owner->row_count = tacho__html_lane_place(&owner->lane);
		owner->merged = count_merged(&owner->lane);
		if (owner->lane.count > top && timeline->store.text.size <= most)
			rc = add_level(timeline, owner, true);
	}
	return rc;
}

static int add_coarser(struct tacho__timeline *timeline, struct tacho__timeline_owner *owner,
		       size_t top)
{
	struct tacho__html_lane *lane = &owner->lane;
	int rc = 0;

	while (lane->count > top && !rc) {
		bool is_last = owner->level_count + 2 == TACHO__TIMELINE_HEIGHT_MAX;

		lane->limit = is_last || lane->count / STEP < top ? top : lane->count / STEP;
		tacho__html_lane_complete(lane);
		if (lane->count > top)
			rc = add_level(timeline, owner, true);
	}
	return rc ? rc : add_level(timeline, owner, false);
}

int tacho__timeline_make_levels(struct tacho__timeline *timeline)
{
	/* The coarser levels are small beside the finest one. */
	const size_t before = timeline->store.text.size, top = choose_top(timeline),
		     most = timeline->store_max / 8 * 7;
	int rc = add_finest(timeline, top, most);

	while (!rc && timeline->store.text.size > most && timeline->cell_ns < CELL_MAX_NS) {
		tacho__timeline_reduce(timeline, timeline->mark_count / 4 * 3);
		tacho__html_store_cut(&timeline->store, before);
		rc = add_finest(timeline, top, most);
	}
	for (size_t i = 0; i < timeline->count && !rc; i++)
		rc = add_coarser(timeline, timeline->owners[i], top);
	return rc;
}
