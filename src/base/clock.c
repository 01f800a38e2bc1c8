/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/fs.h"

bool tacho__tick_is_tsc;

enum { ANCHOR_TRIES = 8 };

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t tacho__clock_raw_ns(void)
{
	return now_ns(CLOCK_MONOTONIC_RAW);
}

uint64_t tacho__clock_monotonic_ns(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

static uint64_t realtime_ns(void)
{
	return now_ns(CLOCK_REALTIME);
}

struct tacho__clock_table tacho__clock_table = {
	.raw_ns = tacho__clock_raw_ns,
	.monotonic_ns = tacho__clock_monotonic_ns,
	.realtime_ns = realtime_ns,
};

#if defined(__x86_64__)
/* Whether `word` stands by itself in the file, looking at its first 16 KiB. */
static bool file_has_word(const char *path, const char *word)
{
	static char text[16384]; /* init runs once; the stacks of profiled programs may be small */
	size_t length = strlen(word);

	tacho__fs_read_start(path, text, sizeof(text));
	for (const char *at = text; (at = strstr(at, word)); at += length) {
		bool starts = at == text || at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\n';

		if (starts && (at[length] == ' ' || at[length] == '\n' || !at[length]))
			return true;
	}
	return false;
}

static bool tsc_is_even(void)
{
	return file_has_word("/proc/cpuinfo", "constant_tsc") &&
	       file_has_word("/proc/cpuinfo", "nonstop_tsc") &&
	       file_has_word("/sys/devices/system/clocksource/clocksource0/current_clocksource",
			     "tsc");
}
#endif

static bool is_chosen; /* a second thread can only find the same answer */

void tacho__clock_init(void)
{
#if defined(__x86_64__)
	if (!is_chosen)
		tacho__tick_is_tsc = tsc_is_even();
	is_chosen = true;
#endif
}

void tacho__clock_choose(bool is_tsc)
{
	tacho__tick_is_tsc = is_tsc;
	is_chosen = true;
}

const char *tacho__clock_name(void)
{
	return tacho__tick_is_tsc ? "tsc" : "clock_gettime";
}

void tacho__clock_anchor(struct tacho__anchor *out_anchor)
{
	const struct tacho__clock_table *clocks = &tacho__clock_table;
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < ANCHOR_TRIES; i++) {
		uint64_t before = clocks->raw_ns(), first = tacho__tick();
		uint64_t raw = clocks->raw_ns(), mono = clocks->monotonic_ns();
		uint64_t real = clocks->realtime_ns(), last = tacho__tick();
		uint64_t after = clocks->raw_ns();

		if (after - before >= best)
			continue;
		best = after - before;
		out_anchor->tick = first + (last - first) / 2;
		out_anchor->raw_ns = raw;
		out_anchor->monotonic_ns = mono;
		out_anchor->realtime_ns = real;
		out_anchor->uncertainty_ns = best / 2 + 1;
	}
}
