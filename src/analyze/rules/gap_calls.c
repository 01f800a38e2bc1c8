/* SPDX-License-Identifier: MIT */
#include "analyze/rules/gap_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { FIRST_CAPACITY = 256 };

void tacho__gap_calls_finish(struct tacho__gap_calls *calls)
{
	free(calls->shares);
	memset(calls, 0, sizeof(*calls));
}

void tacho__gap_calls_expect(struct tacho__gap_calls *calls, const struct tacho__gaps *gaps,
			     uint64_t start_ns, uint64_t end_ns)
{
	size_t i;

	if (start_ns >= calls->done_ns || start_ns > end_ns)
		return;
	if (end_ns > calls->done_ns)
		end_ns = calls->done_ns;
	/* where a piece lies already nothing was shared out */
	i = tacho__intervals_find(gaps->pieces, gaps->count, end_ns);
	calls->is_missed |= i == gaps->count || gaps->pieces[i].start_ns > start_ns;
}

/* Pieces never part again: a gap that begins where none ends any more is gone. */
static bool is_there(const struct tacho__gap_share *share, const struct tacho__gaps *gaps)
{
	size_t i = tacho__intervals_find(gaps->pieces, gaps->count, share->gap_ns);

	return i < gaps->count && gaps->pieces[i].end_ns == share->gap_ns;
}

bool tacho__gap_share_counts(const struct tacho__gap_share *share, const struct tacho__gaps *gaps)
{
	return share->function && is_there(share, gaps) &&
	       share->gap_ns < gaps->pieces[gaps->count - 1].end_ns;
}

/* Where the share is, or where it belongs. */
static struct tacho__gap_share *find(struct tacho__gap_share *shares, size_t capacity,
				     const char *function, uint64_t gap_ns)
{
	uint64_t mix = (gap_ns ^ (uint64_t)(uintptr_t)function << 7) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(mix >> 32) & (capacity - 1);

	while (shares[i].function && (shares[i].function != function || shares[i].gap_ns != gap_ns))
		i = (i + 1) & (capacity - 1);
	return &shares[i];
}

static size_t count_there(const struct tacho__gap_calls *calls, const struct tacho__gaps *gaps)
{
	size_t count = 0;

	for (size_t i = 0; i < calls->capacity; i++)
		count += calls->shares[i].function && is_there(&calls->shares[i], gaps);
	return count;
}

/* Lets go of those whose gaps are gone, and takes more room if need be. */
static int make_room(struct tacho__gap_calls *calls, const struct tacho__gaps *gaps)
{
	size_t count = count_there(calls, gaps), capacity = FIRST_CAPACITY;
	struct tacho__gap_share *shares;

	while (capacity < 2 * count)
		capacity *= 2;
	if (capacity > TACHO__GAP_SHARES_MAX) {
		calls->is_missed = true;
		return 0;
	}
	shares = calloc(capacity, sizeof(*shares));
	if (!shares)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu calls", capacity);
	for (size_t i = 0; i < calls->capacity; i++) {
		const struct tacho__gap_share *share = &calls->shares[i];

		if (share->function && is_there(share, gaps))
			*find(shares, capacity, share->function, share->gap_ns) = *share;
	}
	free(calls->shares);
	calls->shares = shares;
	calls->capacity = capacity;
	calls->count = count;
	return 0;
}

static int add_share(struct tacho__gap_calls *calls, const struct tacho__gaps *gaps,
		     const char *function, uint64_t gap_ns, uint64_t ns)
{
	struct tacho__gap_share *share;

	if (4 * calls->count >= 3 * calls->capacity) {
		int rc = make_room(calls, gaps);

		if (rc || calls->is_missed)
			return rc;
	}
	share = find(calls->shares, calls->capacity, function, gap_ns);
	calls->count += !share->function;
	share->function = function;
	share->gap_ns = gap_ns;
	share->ns += ns;
	return 0;
}

int tacho__gap_calls_add(struct tacho__gap_calls *calls, const struct tacho__gaps *gaps,
			 const char *function, uint64_t start_ns, uint64_t end_ns)
{
	const struct tacho__interval *pieces = gaps->pieces;
	size_t i = calls->near;
	int rc = 0;

	if (i < gaps->count && end_ns <= pieces[i].end_ns) { /* most lie where the one before did */
		if (pieces[i].start_ns <= start_ns)
			return 0;
		if (i && pieces[i - 1].end_ns <= start_ns && start_ns < end_ns &&
		    end_ns <= pieces[i].start_ns && !calls->is_missed)
			return add_share(calls, gaps, function, pieces[i - 1].end_ns,
					 end_ns - start_ns);
	}
	calls->near = i = tacho__intervals_find_near(pieces, gaps->count, start_ns, i);
	/* the gap that it begins in lies behind the piece before */
	for (i -= i != 0; i < gaps->count && pieces[i].end_ns < end_ns; i++) {
		uint64_t from_ns = pieces[i].end_ns > start_ns ? pieces[i].end_ns : start_ns;
		uint64_t to_ns = end_ns;

		if (i + 1 < gaps->count && pieces[i + 1].start_ns < to_ns)
			to_ns = pieces[i + 1].start_ns;
		if (to_ns > from_ns && !calls->is_missed && !rc)
			rc = add_share(calls, gaps, function, pieces[i].end_ns, to_ns - from_ns);
	}
	return rc;
}
