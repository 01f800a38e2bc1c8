/* SPDX-License-Identifier: MIT */
#include "format/atp_ranges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/character.h"
#include "format/range_text.h"

/* From this width on a name gets no padding; readers go by blanks. */
enum { NAME_WIDTH = 50 };

void tacho__atp_ranges_finish(struct tacho__atp_ranges *ranges)
{
	tacho__names_finish(&ranges->texts);
	tacho__buf_finish(&ranges->scratch);
	tacho__arena_finish(&ranges->arena);
	free(ranges->all);
}

/* ---- taking ---- */

/* A word without blanks, kept once. NULL: no memory. */
static const char *keep_word(struct tacho__atp_ranges *ranges, const char *prefix, const char *text)
{
	struct tacho__buf line = {0};
	const char *kept = NULL, *word;

	tacho__text_put(&line, text);
	tacho__buf_clear(&ranges->scratch);
	tacho__buf_put(&ranges->scratch, prefix);
	for (const char *c = tacho__buf_text(&line); *c; c++)
		if (*c == ' ')
			tacho__buf_put(&ranges->scratch, "&nbsp;");
		else
			tacho__buf_char(&ranges->scratch, *c);
	word = ranges->scratch.size ? tacho__buf_text(&ranges->scratch) : "&nbsp;";
	if (!line.failed && !ranges->scratch.failed)
		kept = tacho__names_get(&ranges->texts, word);
	if (!kept && !line.failed && !ranges->scratch.failed) {
		char *copy = tacho__arena_string(&ranges->arena, word);

		kept = copy && !tacho__names_set(&ranges->texts, copy, copy) ? copy : NULL;
	}
	tacho__buf_finish(&line);
	return kept;
}

/* What the format has no other place for. */
static const char *keep_group(struct tacho__atp_ranges *ranges,
			      const struct tacho_named_range *range)
{
	char kind[16];

	if (range->kind == TACHO_RANGE_NESTED)
		return keep_word(ranges, "", *range->domain ? range->domain : "Default");
	snprintf(kind, sizeof(kind), "[%s]", tacho__range_kind_to_string(range->kind));
	return keep_word(ranges, kind, range->domain);
}

static int take(struct tacho__atp_ranges *ranges, const struct tacho_named_range *range)
{
	struct tacho__atp_range *own;

	if (tacho__array_reserve(&ranges->all, &ranges->capacity, ranges->count,
				 sizeof(*ranges->all)))
		return TACHO_E_NOMEM;
	own = &ranges->all[ranges->count];
	*own = (struct tacho__atp_range){
		.kind = range->kind,
		.depth = range->depth,
		.id = range->id,
		.start_ns = range->start_ns,
		.end_ns = range->end_ns,
		.is_open = range->is_open != 0,
		.name = keep_word(ranges, "", range->name),
		.group = keep_group(ranges, range),
	};
	snprintf(own->thread, sizeof(own->thread), "%" PRIu32, range->thread);
	if (!own->name || !own->group)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a range");
	ranges->count++;
	return 0;
}

void tacho__atp_ranges_take(void *user, const struct tacho_named_range *range)
{
	struct tacho__atp_ranges *ranges = user;

	if (!ranges->rc)
		ranges->rc = take(ranges, range);
}

/* ---- writing ---- */

/* Threads in the order of their ids as text; in each as they began. */
static int compare(const void *left, const void *right)
{
	const struct tacho__atp_range *a = left, *b = right;
	int threads = strcmp(a->thread, b->thread);

	if (threads)
		return threads;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Ranges of a thread that were begun and not ended, in that order. */
struct open {
	const struct tacho__atp_range **ranges;
	size_t count, capacity;
};

static void put_begin(const struct tacho__atp_range *range, FILE *stream)
{
	if (strlen(range->name) < NAME_WIDTH)
		fprintf(stream, "%-20s%-50s%-20" PRIu64 "   %s\n", "clBeginPerfMarker", range->name,
			range->start_ns, range->group);
	else
		fprintf(stream, "clBeginPerfMarker   %s   %" PRIu64 "   %s\n", range->name,
			range->start_ns, range->group);
}

/* Without a name it ends what was begun last. */
static void put_end(const struct tacho__atp_range *range, bool is_last, FILE *stream)
{
	if (is_last)
		fprintf(stream, "%-20s%-20" PRIu64 "\n", "clEndPerfMarker", range->end_ns);
	else
		fprintf(stream, "%-20s%-20" PRIu64 "%-50s   %s\n", "clEndPerfMarkerEx",
			range->end_ns, range->name, range->group);
}

/* One that ends when the other begins may be around it all the same. */
static bool is_around(const struct tacho__atp_range *outer, const struct tacho__atp_range *inner)
{
	return outer->kind == TACHO_RANGE_NESTED && inner->depth > outer->depth &&
	       (inner->kind == TACHO_RANGE_MARK || inner->group == outer->group);
}

/* The open one that ends first, and before `next` begins; open->count when there is none. */
static size_t find_ended(const struct open *open, const struct tacho__atp_range *next)
{
	size_t found = open->count;

	for (size_t i = open->count; i-- > 0;) {
		const struct tacho__atp_range *range = open->ranges[i];

		if (range->is_open || (next && range->end_ns > next->start_ns))
			continue;
		if (next && range->end_ns == next->start_ns && is_around(range, next))
			continue;
		if (found == open->count || range->end_ns < open->ranges[found]->end_ns)
			found = i;
	}
	return found;
}

/* Ends all that ended before `next` began; with NULL, all. */
static void put_ends(struct open *open, const struct tacho__atp_range *next, FILE *stream)
{
	size_t index;

	while ((index = find_ended(open, next)) < open->count) {
		put_end(open->ranges[index], index + 1 == open->count, stream);
		memmove(&open->ranges[index], &open->ranges[index + 1],
			(--open->count - index) * sizeof(open->ranges[0]));
	}
}

static int put_block(const struct tacho__atp_range *ranges, size_t count, struct open *open,
		     FILE *stream)
{
	size_t lines = 0;
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		lines += ranges[i].is_open ? 1 : 2;
	fprintf(stream, "%s\n%zu\n", ranges->thread, lines);
	open->count = 0;
	for (size_t i = 0; i < count && !rc; i++) {
		const struct tacho__atp_range *range = &ranges[i];

		put_ends(open, range, stream);
		put_begin(range, stream);
		rc = tacho__array_add(&open->ranges, &open->capacity, &open->count, &range,
				      sizeof(open->ranges[0]));
	}
	put_ends(open, NULL, stream);
	return rc;
}

int tacho__atp_ranges_write(struct tacho__atp_ranges *ranges, FILE *stream)
{
	struct open open = {0};
	size_t from = 0, to;
	int rc = ranges->rc;

	if (rc || !ranges->count)
		return rc;
	qsort(ranges->all, ranges->count, sizeof(*ranges->all), compare);
	fputs("=====Perfmarker Output=====\n", stream);
	for (; from < ranges->count && !rc; from = to) {
		to = from;
		while (to < ranges->count &&
		       !strcmp(ranges->all[to].thread, ranges->all[from].thread))
			to++;
		rc = put_block(&ranges->all[from], to - from, &open, stream);
	}
	free(open.ranges);
	return rc;
}
