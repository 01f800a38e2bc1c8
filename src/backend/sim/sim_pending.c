/* SPDX-License-Identifier: MIT */
#include "backend/sim/sim_pending.h"

#include <stdlib.h>

#include "backend/sim/sim_rules.h"
#include "base/error.h"

static int fail_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for simulated work");
}

static void free_pending(struct tacho__sim_pending *pending)
{
	if (!pending)
		return;
	free(pending->events);
	free(pending->times);
	free(pending);
}

int tacho__sim_pendings_add(struct tacho__sim_pendings *pendings,
			    const struct tacho__sim_pending *pending)
{
	struct tacho__sim_pending *own = malloc(sizeof(*own));

	if (!own)
		return fail_memory();
	*own = *pending;
	own->next = pendings->first;
	pendings->first = own;
	return 0;
}

void tacho__sim_pendings_drop(struct tacho__sim_pendings *pendings, uint64_t before_ns)
{
	struct tacho__sim_pending **link = &pendings->first;

	while (*link) {
		struct tacho__sim_pending *pending = *link;

		if (pending->end_ns + pending->still_ns > before_ns) {
			link = &pending->next;
			continue;
		}
		*link = pending->next;
		free_pending(pending);
	}
}

/* Adds what of totals, spread evenly over begin ... end, lies in from ... to. */
static void add_part(const struct tacho__sim_pendings *pendings, const int64_t *totals,
		     uint64_t begin, uint64_t end, uint64_t from, uint64_t to, int64_t *sums)
{
	uint64_t low = from > begin ? from - begin : 0, high = to < end ? to - begin : end - begin;

	if (from >= end || to <= begin || begin >= end)
		return;
	for (size_t i = 0; i < pendings->value_count; i++)
		tacho__sim_add(&sums[i], tacho__sim_scale(totals[i], high, end - begin) -
						 tacho__sim_scale(totals[i], low, end - begin));
}

void tacho__sim_pendings_share(const struct tacho__sim_pendings *pendings, uint64_t from,
			       uint64_t to, int64_t *sums)
{
	for (const struct tacho__sim_pending *each = pendings->first; each; each = each->next) {
		add_part(pendings, each->events, each->begin_ns, each->end_ns, from, to, sums);
		add_part(pendings, each->times, each->end_ns - each->added_ns, each->end_ns, from,
			 to, sums);
	}
}

uint64_t tacho__sim_pendings_get_busy_ns(const struct tacho__sim_pendings *pendings, uint64_t from,
					 uint64_t to)
{
	uint64_t busy_ns = 0;

	for (const struct tacho__sim_pending *each = pendings->first; each; each = each->next) {
		uint64_t begin = each->end_ns - each->added_ns, end = each->end_ns;

		begin = begin > from ? begin : from;
		end = end < to ? end : to;
		busy_ns += begin < end ? end - begin : 0;
	}
	return busy_ns;
}

int tacho__sim_pendings_find(const struct tacho__sim_pendings *pendings, uint64_t from, uint64_t to,
			     struct tacho__sim_presence *presence)
{
	int rc = 0;

	for (const struct tacho__sim_pending *each = pendings->first; each && !rc;
	     each = each->next) {
		uint64_t begin = each->begin_ns > from ? each->begin_ns : from;
		uint64_t end = each->end_ns + each->still_ns;

		end = end < to ? end : to;
		if (begin >= end)
			continue;
		rc = tacho__sim_presence_reserve(presence);
		if (!rc)
			tacho__sim_presence_add(presence, begin, end, 0);
	}
	return rc;
}

/* What is left of totals behind a part of the whole. NULL: there is no memory. */
static int64_t *make_rest(const int64_t *totals, size_t count, uint64_t part, uint64_t whole)
{
	int64_t *rest = malloc((count + 1) * sizeof(*rest));

	for (size_t i = 0; rest && i < count; i++)
		rest[i] = totals[i] - (whole ? tacho__sim_scale(totals[i], part, whole) : 0);
	return rest;
}

/* Cuts a piece in two. Together they share out what it did. */
static int cut(const struct tacho__sim_pendings *pendings, struct tacho__sim_pending *piece,
	       uint64_t at_ns)
{
	size_t count = pendings->value_count;
	uint64_t rest_ns = piece->end_ns - at_ns;
	uint64_t rest_added_ns = piece->added_ns < rest_ns ? piece->added_ns : rest_ns;
	uint64_t part_added_ns = piece->added_ns - rest_added_ns;
	struct tacho__sim_pending *rest = calloc(1, sizeof(*rest));

	if (!rest)
		return fail_memory();
	*rest = *piece;
	rest->begin_ns = at_ns;
	rest->added_ns = rest_added_ns;
	rest->events = make_rest(piece->events, count, at_ns - piece->begin_ns,
				 piece->end_ns - piece->begin_ns);
	rest->times = make_rest(piece->times, count, part_added_ns, piece->added_ns);
	if (!rest->events || !rest->times) {
		free_pending(rest);
		return fail_memory();
	}
	for (size_t i = 0; i < count; i++) {
		piece->events[i] -= rest->events[i];
		piece->times[i] -= rest->times[i];
	}
	piece->end_ns = at_ns;
	piece->added_ns = part_added_ns;
	piece->is_cut = 1;
	piece->next = rest;
	return 0;
}

int tacho__sim_pendings_delay(struct tacho__sim_pendings *pendings, uint64_t at_ns, uint64_t by_ns)
{
	struct tacho__sim_pending *next;
	int rc = 0;

	for (struct tacho__sim_pending *each = pendings->first; each && !rc; each = next) {
		next = each->next;
		if (each->begin_ns <= at_ns && each->end_ns > at_ns)
			rc = cut(pendings, each, at_ns);
	}
	if (rc)
		return rc;
	/* nothing reaches over at_ns now */
	for (struct tacho__sim_pending *each = pendings->first; each; each = each->next) {
		if (each->end_ns > at_ns) {
			each->begin_ns += by_ns;
			each->end_ns += by_ns;
		} else if (each->is_cut && each->end_ns == at_ns) {
			each->still_ns = by_ns;
		}
	}
	return 0;
}
