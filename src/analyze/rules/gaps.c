/* SPDX-License-Identifier: MIT */
#include "analyze/rules/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tacho/error.h"

void tacho__gaps_finish(struct tacho__gaps *gaps)
{
	free(gaps->pieces);
	memset(gaps, 0, sizeof(*gaps));
}

/* Twice the distance until half of the pieces are left. */
static void coarsen(struct tacho__gaps *gaps)
{
	while (gaps->count > TACHO__GAPS_PIECES_MAX / 2) {
		size_t last = 0;

		gaps->gap_ns *= 2;
		for (size_t i = 1; i < gaps->count; i++) {
			if (gaps->pieces[i].start_ns - gaps->pieces[last].end_ns < gaps->gap_ns)
				gaps->pieces[last].end_ns = gaps->pieces[i].end_ns;
			else
				gaps->pieces[++last] = gaps->pieces[i];
		}
		gaps->count = last + 1;
	}
}

/* Whether two pieces are too close to be told apart. */
static bool touch(const struct tacho__gaps *gaps, uint64_t end_ns, uint64_t start_ns)
{
	return start_ns <= end_ns || start_ns - end_ns < gaps->gap_ns;
}

int tacho__gaps_add(struct tacho__gaps *gaps, uint64_t start_ns, uint64_t end_ns)
{
	struct tacho__interval piece = {start_ns, end_ns}, *pieces;
	size_t from, to;

	if (start_ns > end_ns)
		return 0;
	if (gaps->count == TACHO__GAPS_PIECES_MAX)
		coarsen(gaps);
	from = tacho__intervals_find(gaps->pieces, gaps->count, start_ns);
	if (from && touch(gaps, gaps->pieces[from - 1].end_ns, start_ns))
		from--;
	for (to = from; to < gaps->count && touch(gaps, piece.end_ns, gaps->pieces[to].start_ns);
	     to++) {
		if (gaps->pieces[to].start_ns < piece.start_ns)
			piece.start_ns = gaps->pieces[to].start_ns;
		if (gaps->pieces[to].end_ns > piece.end_ns)
			piece.end_ns = gaps->pieces[to].end_ns;
	}
	if (tacho__array_reserve(&gaps->pieces, &gaps->capacity, gaps->count, sizeof(piece)))
		return TACHO_E_NOMEM;
	pieces = gaps->pieces;
	memmove(pieces + from + 1, pieces + to, (gaps->count - to) * sizeof(*pieces));
	pieces[from] = piece;
	gaps->count = gaps->count - (to - from) + 1;
	return 0;
}

uint64_t tacho__gaps_sum_ns(const struct tacho__gaps *gaps)
{
	uint64_t sum = 0;

	for (size_t i = 1; i < gaps->count; i++)
		sum += gaps->pieces[i].start_ns - gaps->pieces[i - 1].end_ns;
	return sum;
}

uint64_t tacho__gaps_overlap_ns(struct tacho__gaps *gaps, uint64_t start_ns, uint64_t end_ns)
{
	const struct tacho__interval *pieces = gaps->pieces;
	size_t i = tacho__intervals_find_near(pieces, gaps->count, start_ns, gaps->near);
	uint64_t sum = 0;

	gaps->near = i;
	/* The gap that start_ns lies in begins with the piece before. */
	if (i && i < gaps->count && pieces[i].start_ns > start_ns)
		sum = (pieces[i].start_ns < end_ns ? pieces[i].start_ns : end_ns) - start_ns;
	for (; i + 1 < gaps->count && pieces[i].end_ns < end_ns; i++) {
		uint64_t from = pieces[i].end_ns, to = pieces[i + 1].start_ns;

		from = from > start_ns ? from : start_ns;
		to = to < end_ns ? to : end_ns;
		sum += to > from ? to - from : 0;
	}
	return sum;
}

uint64_t tacho__gaps_before_ns(const struct tacho__gaps *gaps, uint64_t ns)
{
	size_t i = tacho__intervals_find(gaps->pieces, gaps->count, ns);

	if (!i || i >= gaps->count || gaps->pieces[i].start_ns != ns)
		return 0;
	return ns - gaps->pieces[i - 1].end_ns;
}
