/* SPDX-License-Identifier: MIT */
/* Numbers of `tacho diff --run`: wall times of the programs, and how narrow intervals are. */
#include <math.h>
#include <stdlib.h>

#include "diff/turns.h"

/* Of the time of all lines, what those have that the intervals are looked at of. */
static const double SHARE = 0.9;

void cli_turns_get_wall(const struct cli_turns *turns, unsigned side,
			struct cli_turns_wall *out_wall)
{
	struct cli_turns_wall wall = {.min_ns = INFINITY, .deviation_ns = NAN};
	double squares = 0;

	for (size_t i = 0; i < turns->run_count; i++) {
		double ns = (double)turns->runs[i].wall_ns, away = ns - wall.mean_ns;

		if (turns->runs[i].side != side)
			continue;
		wall.count++;
		wall.mean_ns += away / (double)wall.count;
		squares += away * (ns - wall.mean_ns);
		wall.min_ns = fmin(wall.min_ns, ns);
		wall.max_ns = fmax(wall.max_ns, ns);
	}
	if (wall.count > 1)
		wall.deviation_ns = sqrt(squares / (double)(wall.count - 1));
	*out_wall = wall;
}

static void list_walls(const struct cli_turns *turns, unsigned side, double *out_walls)
{
	for (size_t i = 0; i < turns->run_count; i++)
		if (turns->runs[i].side == side)
			*out_walls++ = (double)turns->runs[i].wall_ns;
}

/* Runs of a side are in the order of their pairs; the last may lack its partner. */
int cli_turns_compare_wall(const struct cli_turns *turns, double level,
			   struct tacho_diff_measure *out_measure)
{
	double *walls = cli_alloc(2 * turns->run_count * sizeof(*walls));
	double *others = walls + turns->run_count;
	int status = CLI_OK;

	list_walls(turns, 0, walls);
	list_walls(turns, 1, others);
	if (tacho_diff_compare_pairs(walls, others, turns->pair_count, level, out_measure) != 0)
		status = (int)cli_complain_last();
	free(walls);
	return status;
}

struct part {
	double total, half;
};

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return (a->total < b->total) - (a->total > b->total);
}

/* Of both sides. A line whose values are all the same number has no interval, and needs none. */
static struct part measure(const struct tacho_diff_line *line)
{
	const struct tacho_diff_measure *time = &line->measures[0], *total = &line->measures[1];
	struct part part = {.half = -1};

	for (int side = 0; side < 2; side++)
		if (total->sides[side].has_value)
			part.total += total->sides[side].value;
	if (time->has_interval)
		part.half = (time->high - time->low) / 2;
	else if (time->verdict == TACHO_DIFF_SAME)
		part.half = 0;
	return part;
}

double cli_turns_get_half(const struct tacho_diff *diff)
{
	const struct tacho_diff_line *line;
	struct part *parts = NULL;
	double all = 0, seen = 0, half = -1;
	size_t count = 0;

	for (size_t i = 0; (line = tacho_diff_get_line(diff, i)); i++) {
		if (!line->is_in[0] || !line->is_in[1])
			continue;
		parts = cli_grow(parts, count, sizeof(*parts));
		parts[count] = measure(line);
		all += parts[count++].total;
	}
	if (count)
		qsort(parts, count, sizeof(*parts), compare_parts);
	for (size_t i = 0; i < count && (!i || seen < SHARE * all); i++) {
		if (parts[i].half < 0) {
			half = -1;
			break;
		}
		half = fmax(half, parts[i].half);
		seen += parts[i].total;
	}
	free(parts);
	return half;
}
