/* SPDX-License-Identifier: MIT */
#include "analyze/counted.h"

#include <stdlib.h>

#include "base/error.h"

enum {
	SERIES_START = 16, /* values that every series may keep, whatever the others keep */
	BUDGET = 4u << 20, /* values of all series beyond that: 64 MiB */
};

static int fail_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compare recordings");
}

void tacho__samples_init(struct tacho__samples *samples, enum tacho_summary_key key, bool by_name,
			 size_t limit)
{
	*samples = (struct tacho__samples){.key = key, .by_name = by_name, .limit = limit};
	samples->budget = BUDGET;
}

static void finish_series(struct tacho__series *series)
{
	free(series->samples);
	series->samples = NULL;
}

void tacho__samples_finish(struct tacho__samples *samples)
{
	for (struct tacho__sampled *line = samples->all; line; line = line->next) {
		finish_series(&line->time);
		for (size_t i = 0; i < line->value_count; i++)
			finish_series(&line->values[i]);
	}
	tacho__names_finish(&samples->by_text);
	tacho__buf_finish(&samples->scratch);
	tacho__arena_finish(&samples->arena);
}

struct tacho__sampled *tacho__samples_get(struct tacho__samples *samples, const char *name,
					  const char *device)
{
	struct tacho__buf *text = &samples->scratch;
	struct tacho__sampled *line;
	const char *known;

	if (samples->rename)
		name = samples->rename(samples->rename_user, name);
	if (!name)
		return NULL;
	tacho__buf_clear(text);
	tacho__buf_printf(text, "%s\n%s", name, samples->by_name ? "" : device);
	if (text->failed) {
		fail_memory();
		return NULL;
	}
	line = tacho__names_get(&samples->by_text, tacho__buf_text(text));
	if (line)
		return line;
	known = tacho__arena_string(&samples->arena, tacho__buf_text(text));
	line = tacho__arena_get(&samples->arena, sizeof(*line));
	if (!known || !line || tacho__names_set(&samples->by_text, known, line))
		return NULL;
	line->next = samples->all;
	samples->all = line;
	return line;
}

/* Room for one value more; false: from now on there is none. */
static int make_room(struct tacho__samples *samples, struct tacho__series *series)
{
	size_t capacity = series->capacity ? 2 * series->capacity : SERIES_START;
	struct tacho__sample *grown;

	if (capacity > samples->limit)
		capacity = samples->limit;
	if (series->capacity == samples->limit ||
	    (series->capacity && capacity - series->capacity > samples->budget)) {
		series->is_full = true;
		return 0;
	}
	grown = realloc(series->samples, capacity * sizeof(*grown));
	if (!grown)
		return fail_memory();
	if (series->capacity)
		samples->budget -= capacity - series->capacity;
	series->samples = grown;
	series->capacity = capacity;
	return 0;
}

/* Marsaglia's xorshift with a multiplier; begins the same for every series. */
static uint64_t next_random(struct tacho__series *series)
{
	uint64_t x = series->random ? series->random : 0x9e3779b97f4a7c15;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	series->random = x;
	return x * 0x2545f4914f6cdd1d;
}

int tacho__samples_add(struct tacho__samples *samples, struct tacho__series *series, double value)
{
	uint64_t index = series->seen, place;
	int rc = 0;

	if (!series->is_full && series->count == series->capacity)
		rc = make_room(samples, series);
	if (rc)
		return rc;
	series->seen++;
	if (!series->is_full) {
		series->samples[series->count++] = (struct tacho__sample){index, value};
		return 0;
	}
	place = next_random(series) % series->seen;
	if (place < series->count)
		series->samples[place] = (struct tacho__sample){index, value};
	return 0;
}

int tacho__samples_add_value(struct tacho__samples *samples, struct tacho__sampled *line,
			     size_t index, size_t count, double value)
{
	if (!line->values) {
		line->values =
			tacho__arena_get(&samples->arena, (count + 1) * sizeof(*line->values));
		if (!line->values)
			return TACHO_E_NOMEM;
		line->value_count = count;
	}
	if (index >= line->value_count)
		return 0;
	return tacho__samples_add(samples, &line->values[index], value);
}

static int compare(const void *left, const void *right)
{
	const struct tacho__sample *a = left, *b = right;

	return (a->index > b->index) - (a->index < b->index);
}

void tacho__series_sort(struct tacho__series *series)
{
	if (series->count > 1)
		qsort(series->samples, series->count, sizeof(*series->samples), compare);
}
