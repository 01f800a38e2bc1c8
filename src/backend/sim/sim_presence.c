/* SPDX-License-Identifier: MIT */
#include "backend/sim/sim_presence.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

int tacho__sim_presence_reserve(struct tacho__sim_presence *presence)
{
	if (tacho__array_reserve(&presence->parts, &presence->capacity, presence->count,
				 sizeof(*presence->parts)))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for times of simulated work");
	return 0;
}

/* Parts that are over are only a sum, so that long ranges stay small. */
static void settle(struct tacho__sim_presence *presence, uint64_t now_ns)
{
	size_t over = 0;

	while (over < presence->count && presence->parts[over].end_ns <= now_ns) {
		presence->past_ns += presence->parts[over].end_ns - presence->parts[over].begin_ns;
		over++;
	}
	presence->count -= over;
	if (over && presence->count)
		memmove(presence->parts, presence->parts + over,
			presence->count * sizeof(*presence->parts));
}

void tacho__sim_presence_add(struct tacho__sim_presence *presence, uint64_t begin_ns,
			     uint64_t end_ns, uint64_t now_ns)
{
	struct tacho__sim_part *parts = presence->parts;
	size_t first, last;

	if (!presence->has_work || begin_ns < presence->begin_ns)
		presence->begin_ns = begin_ns;
	if (!presence->has_work || end_ns > presence->end_ns)
		presence->end_ns = end_ns;
	presence->has_work = 1;
	settle(presence, now_ns);
	last = presence->count;
	while (last && parts[last - 1].begin_ns > end_ns)
		last--;
	first = last;
	/* those that it touches become one with it */
	while (first && parts[first - 1].end_ns >= begin_ns) {
		first--;
		begin_ns = parts[first].begin_ns < begin_ns ? parts[first].begin_ns : begin_ns;
		end_ns = parts[first].end_ns > end_ns ? parts[first].end_ns : end_ns;
	}
	memmove(parts + first + 1, parts + last, (presence->count - last) * sizeof(*parts));
	parts[first] = (struct tacho__sim_part){begin_ns, end_ns};
	presence->count = presence->count - (last - first) + 1;
}

void tacho__sim_presence_delay(struct tacho__sim_presence *presence, uint64_t at_ns, uint64_t by_ns)
{
	for (size_t i = 0; i < presence->count; i++) {
		struct tacho__sim_part *part = &presence->parts[i];

		part->begin_ns = tacho__sim_delayed(part->begin_ns, at_ns, by_ns);
		part->end_ns = tacho__sim_delayed(part->end_ns, at_ns, by_ns);
	}
	presence->begin_ns = tacho__sim_delayed(presence->begin_ns, at_ns, by_ns);
	presence->end_ns = tacho__sim_delayed(presence->end_ns, at_ns, by_ns);
}

uint64_t tacho__sim_presence_get_ns(const struct tacho__sim_presence *presence)
{
	uint64_t sum_ns = presence->past_ns;

	for (size_t i = 0; i < presence->count; i++)
		sum_ns += presence->parts[i].end_ns - presence->parts[i].begin_ns;
	return sum_ns;
}

void tacho__sim_presence_finish(struct tacho__sim_presence *presence)
{
	free(presence->parts);
	*presence = (struct tacho__sim_presence){0};
}
