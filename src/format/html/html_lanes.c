/* SPDX-License-Identifier: MIT */
#include "format/html/html_lanes.h"

#include <stdlib.h>

#include "base/array.h"
#include "tacho/error.h"

enum { CELL_MIN_BITS = 6 }; /* of the smallest cell */

/* Larger than all that can be told apart. */
#define CELL_MAX_NS ((uint64_t)1 << (TACHO__HTML_CELLS - 1))

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

static void merge_cells(struct tacho__html_lane *lane, uint64_t cell_ns)
{
	struct tacho__html_mark *marks = lane->marks;
	size_t kept = 0;

	lane->cell_ns = cell_ns;
	for (size_t i = 0; i < lane->count; i++) {
		struct tacho__html_mark *last = kept ? &marks[kept - 1] : NULL;

		if (last && last->start_ns / cell_ns == marks[i].start_ns / cell_ns &&
		    can_merge(last, cell_ns) && can_merge(&marks[i], cell_ns))
			merge(last, &marks[i]);
		else if (kept++ != i)
			marks[kept - 1] = marks[i];
	}
	lane->count = kept;
	lane->last_ns = kept ? marks[kept - 1].start_ns : 0;
}

/* How many bits a number has: it is less than 2 to the power of that. */
static unsigned count_bits(uint64_t number)
{
	return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

static unsigned get_bits(const struct tacho__html_mark *mark)
{
	return mark->is_merged ? 0 : count_bits(mark->end_ns - mark->start_ns);
}

void tacho__html_lane_count(struct tacho__html_lane *lane, uint64_t counts[TACHO__HTML_CELLS])
{
	uint64_t apart[TACHO__HTML_CELLS + 1] = {0}; /* until cells have so many bits */
	uint64_t left = 0;

	sort(lane);
	for (size_t i = 1; i < lane->count; i++) {
		const struct tacho__html_mark *mark = &lane->marks[i], *before = mark - 1;
		unsigned bits = count_bits(mark->start_ns ^ before->start_ns);

		bits = get_bits(mark) > bits ? get_bits(mark) : bits;
		bits = get_bits(before) > bits ? get_bits(before) : bits;
		apart[bits < TACHO__HTML_CELLS ? bits : TACHO__HTML_CELLS]++;
	}
	for (unsigned bits = TACHO__HTML_CELLS; bits--;) {
		left += apart[bits + 1];
		counts[bits] += left + (lane->count != 0);
	}
}

uint64_t tacho__html_choose_cell(const uint64_t counts[TACHO__HTML_CELLS], uint64_t least_ns,
				 uint64_t limit)
{
	unsigned bits = CELL_MIN_BITS;

	while (bits < TACHO__HTML_CELLS - 1 &&
	       ((uint64_t)1 << bits < least_ns || counts[bits] > limit))
		bits++;
	return (uint64_t)1 << bits;
}

/* With the cells that there are first: perhaps they do for what came since. */
static void reduce(struct tacho__html_lane *lane)
{
	uint64_t counts[TACHO__HTML_CELLS] = {0};

	tacho__html_lane_count(lane, counts);
	merge_cells(lane, tacho__html_choose_cell(counts, lane->cell_ns, lane->limit));
}

void tacho__html_lane_coarsen(struct tacho__html_lane *lane, uint64_t cell_ns)
{
	sort(lane);
	if (lane->cell_ns < cell_ns)
		merge_cells(lane, cell_ns);
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
