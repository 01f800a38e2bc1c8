/* SPDX-License-Identifier: MIT */
#include "format/html/html_lanes.h"

#include <stdlib.h>

#include "base/array.h"
#include "tacho/error.h"

/* The smallest cell, and one that is larger than all that can be told apart. */
#define CELL_MIN_NS ((uint64_t)64)
#define CELL_MAX_NS ((uint64_t)1 << 62)

void tacho__html_lane_finish(struct tacho__html_lane *lane)
{
	free(lane->marks);
	*lane = (struct tacho__html_lane){.limit = lane->limit};
}

static int compare(const void *left, const void *right)
{
	const struct tacho__html_mark *a = left, *b = right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	if (a->end_ns != b->end_ns) /* what contains the other one comes first */
		return a->end_ns > b->end_ns ? -1 : 1;
	return (a->call > b->call) - (a->call < b->call);
}

static void sort(struct tacho__html_lane *lane)
{
	if (lane->unsorted)
		qsort(lane->marks, lane->count, sizeof(*lane->marks), compare);
	lane->unsorted = false;
	lane->last_ns = lane->count ? lane->marks[lane->count - 1].start_ns : 0;
}

static bool can_merge(const struct tacho__html_mark *mark, uint64_t cell_ns)
{
	return mark->is_merged || mark->end_ns - mark->start_ns < cell_ns || cell_ns == CELL_MAX_NS;
}

static void merge(struct tacho__html_mark *into, const struct tacho__html_mark *mark)
{
	if (mark->end_ns > into->end_ns)
		into->end_ns = mark->end_ns;
	if (mark->longest_ns > into->longest_ns) {
		into->longest_ns = mark->longest_ns;
		into->name = mark->name;
	}
	into->busy_ns += mark->busy_ns;
	into->count += mark->count;
	into->failed += mark->failed;
	into->detail = 0;
	into->bytes = 0;
	into->row = 0;
	into->flags |= mark->flags | TACHO__MARK_MANY;
	into->is_merged = true;
}

static void merge_cells(struct tacho__html_lane *lane)
{
	struct tacho__html_mark *marks = lane->marks;
	uint64_t cell_ns = lane->cell_ns;
	size_t kept = 0;

	for (size_t i = 0; i < lane->count; i++) {
		struct tacho__html_mark *last = kept ? &marks[kept - 1] : NULL;

		if (last && last->start_ns / cell_ns == marks[i].start_ns / cell_ns &&
		    can_merge(last, cell_ns) && can_merge(&marks[i], cell_ns))
			merge(last, &marks[i]);
		else
			marks[kept++] = marks[i];
	}
	lane->count = kept;
}

/* With the cells that there are first: perhaps they do for what came since. */
static void reduce(struct tacho__html_lane *lane)
{
	sort(lane);
	if (lane->cell_ns)
		merge_cells(lane);
	while (lane->count > lane->limit && lane->cell_ns < CELL_MAX_NS) {
		lane->cell_ns = lane->cell_ns ? lane->cell_ns * 2 : CELL_MIN_NS;
		merge_cells(lane);
	}
	lane->last_ns = lane->count ? lane->marks[lane->count - 1].start_ns : 0;
}

void tacho__html_lane_coarsen(struct tacho__html_lane *lane, uint64_t cell_ns)
{
	sort(lane);
	if (lane->cell_ns >= cell_ns)
		return;
	lane->cell_ns = cell_ns;
	merge_cells(lane);
	lane->last_ns = lane->count ? lane->marks[lane->count - 1].start_ns : 0;
}

int tacho__html_lane_add(struct tacho__html_lane *lane, const struct tacho__html_mark *mark)
{
	if (lane->count >= 2 * lane->limit)
		reduce(lane);
	if (tacho__array_reserve(&lane->marks, &lane->capacity, lane->count, sizeof(*lane->marks)))
		return TACHO_E_NOMEM;
	if (lane->count && mark->start_ns < lane->last_ns)
		lane->unsorted = true;
	lane->last_ns = mark->start_ns;
	lane->marks[lane->count++] = *mark;
	lane->total++;
	return 0;
}

void tacho__html_lane_complete(struct tacho__html_lane *lane)
{
	sort(lane);
	if (lane->count > lane->limit)
		reduce(lane);
}
