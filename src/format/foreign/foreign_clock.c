/* SPDX-License-Identifier: MIT */
/* Several files on one clock: that of the first which tells what its time 0 is. */
#include <inttypes.h>
#include <string.h>

#include "format/foreign/foreign.h"

enum { HOSTS_MAX = 8 }; /* that are named */

/* Numbers of files may be anything: what does not fit stays at the end. */
static int64_t add(int64_t left, int64_t right)
{
	int64_t sum;

	if (__builtin_add_overflow(left, right, &sum))
		return left < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

int64_t tacho__foreign_shift(struct tacho__foreign *foreign, int64_t ns)
{
	foreign->clock.has_told = true;
	return add(ns, foreign->clock.shift_ns);
}

void tacho__foreign_begin_file(struct tacho__foreign *foreign)
{
	struct tacho__foreign_clock *clock = &foreign->clock;

	clock->set += clock->has_told && clock->is_set;
	clock->bare += clock->has_told && !clock->is_set;
	clock->has_told = clock->is_set = false;
	clock->shift_ns = 0;
}

void tacho__foreign_set_epoch(struct tacho__foreign *foreign, int64_t ns)
{
	struct tacho__foreign_clock *clock = &foreign->clock;

	if (!clock->has_epoch)
		clock->epoch_ns = ns;
	clock->has_epoch = clock->is_set = true;
	clock->shift_ns = add(ns, clock->epoch_ns == INT64_MIN ? INT64_MAX : -clock->epoch_ns);
	foreign->recording->run.realtime_offset_ns = clock->epoch_ns;
}

void tacho__foreign_set_host(struct tacho__foreign *foreign, const char *host)
{
	struct tacho__foreign_clock *clock = &foreign->clock;
	struct tacho__buf with = {0}, all = {0};

	tacho__buf_printf(&with, ", %s, ", host);
	tacho__buf_printf(&all, ", %s, ", tacho__buf_text(&clock->hosts));
	clock->hosts.failed |= with.failed || all.failed;
	if (*host && clock->host_count < HOSTS_MAX && !clock->hosts.failed &&
	    !strstr(all.text, with.text)) {
		tacho__buf_printf(&clock->hosts, "%s%s", clock->host_count ? ", " : "", host);
		clock->host_count++;
	}
	tacho__buf_finish(&with);
	tacho__buf_finish(&all);
}

void tacho__foreign_note_clocks(struct tacho__foreign *foreign)
{
	const struct tacho__foreign_clock *clock = &foreign->clock;

	tacho__foreign_begin_file(foreign);
	foreign->note.failed |= clock->hosts.failed;
	if (clock->bare && clock->set)
		tacho__foreign_note(
			foreign,
			"%" PRIu64 " of %" PRIu64
			" files do not tell the time of day: when their work ran, beside "
			"that of the others, is not known.",
			clock->bare, clock->bare + clock->set);
	else if (clock->host_count > 1)
		tacho__foreign_note(foreign,
				    "Times count from the start of each host (%s): when the work "
				    "of one ran, beside that of another, is not known.",
				    clock->hosts.text);
	else if (clock->bare > 1)
		tacho__foreign_note(foreign, "The files do not tell the time of day: when the work "
					     "of one ran, beside that of another, is not known.");
}
