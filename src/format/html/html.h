/* SPDX-License-Identifier: MIT */
/* A page while it is written, shared by its files: html.c and html_*.c, a section or two each. */
#ifndef TACHO_FORMAT_HTML_HTML_H
#define TACHO_FORMAT_HTML_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "base/map.h"
#include "format/html/html_text.h"
#include "tacho/finding.h"
#include "tacho/summary.h"

enum {
	TACHO__HTML_COLORS = 10,     /* things that have a color of their own; the rest share one */
	TACHO__HTML_ROWS_MAX = 1000, /* of a table */
	TACHO__HTML_STORE_MAX = 9300000, /* characters of timelines on a page */
};

struct tacho__timeline;
struct tacho__groups;

struct tacho__html {
	FILE *stream;
	struct tacho_recording *recording;
	const struct tacho_summary *summary;
	const struct tacho_cursor *cursor; /* at the end: it knows all objects */
	const struct tacho__timeline *timeline;
	const struct tacho__groups *groups;
	const struct tacho_findings *findings;
};

/* frame.c: up to <body>, and from the scripts on. */
void tacho__html_put_head(FILE *stream, const char *title);
void tacho__html_put_scripts(FILE *stream);

/* run.c: what ran, what was lost, totals, notes; and devices. */
void tacho__html_put_run(const struct tacho__html *page);
int tacho__html_put_lost(const struct tacho__html *page); /* NOMEM */
void tacho__html_put_spent(const struct tacho__html *page);
void tacho__html_put_totals(const struct tacho__html *page);
bool tacho__html_has_notes(const struct tacho__html *page);
void tacho__html_put_notes(const struct tacho__html *page);

/* findings.c */
void tacho__html_put_findings(const struct tacho__html *page);

/* lines.c: a ranked table; devices.c: devices. */
void tacho__html_put_lines(const struct tacho__html *page, enum tacho_summary_key key);
void tacho__html_put_devices(const struct tacho__html *page);

/* spread.c: how a line's durations are spread, small for a cell and large for the top ones. */
void tacho__html_put_spread(const struct tacho__html *page, enum tacho_summary_key key,
			    size_t index);
void tacho__html_put_spreads(const struct tacho__html *page);

/* frames.c: nothing where the program showed none. NOMEM. */
int tacho__html_put_frames(const struct tacho__html *page);

/* values.c: a value in a cell; why values are missing; and the table of all of them. */
void tacho__html_put_value(const struct tacho__html *page, const struct tacho_column *columns,
			   size_t line);
void tacho__html_put_value_reasons(const struct tacho__html *page, enum tacho_summary_key key);
void tacho__html_put_values(const struct tacho__html *page);

/* sampled.c: counters that were sampled beside the program. */
bool tacho__html_has_sampled(const struct tacho__html *page);
void tacho__html_put_sampled(const struct tacho__html *page);

/* memory.c: what was allocated of devices. */
bool tacho__html_has_memory(const struct tacho__html *page);
void tacho__html_put_memory(const struct tacho__html *page);

/* source.c: where the numbers come from, and commands that show them again. */
void tacho__html_put_source(const struct tacho__html *page);
void tacho__html_put_commands(const struct tacho__html *page);

/*
 * timeline.c: takes all calls and ranges one by one, then is complete. There will be at least so
 * many calls; it fills the page with about `store_max` characters at most. Owned. NOMEM.
 */
int tacho__timeline_create(struct tacho_recording *recording, uint64_t calls, size_t store_max,
			   struct tacho__timeline **out_timeline);
/* Whether it met more calls and commands than it was made for: one must be made for many. */
bool tacho__timeline_is_crowded(const struct tacho__timeline *timeline);
int tacho__timeline_add(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
			const struct tacho_call *call);
/* For tacho_cursor_on_range(), with the timeline: a failure is returned by what is next. */
void tacho__timeline_add_range(void *user, const struct tacho_named_range *range);
/* For tacho_cursor_on_window(), likewise. */
void tacho__timeline_add_window(void *user, const struct tacho_window *window);
/* For tacho_cursor_on_memory(), likewise. */
void tacho__timeline_add_memory(void *user, const struct tacho_object *device, uint64_t time_ns,
				const struct tacho_device_memory *memory);
int tacho__timeline_complete(struct tacho__timeline *timeline);
/* Names get the colors of their ranks in the summary: once, when it is complete. NOMEM. */
int tacho__timeline_color(struct tacho__timeline *timeline, const struct tacho_summary *summary);
void tacho__timeline_destroy(struct tacho__timeline *timeline);
/* The section, what it says of what is drawn, and its data for the script. */
void tacho__html_put_exactness(const struct tacho__html *page);
void tacho__html_put_timeline(const struct tacho__html *page);
void tacho__html_put_timeline_data(const struct tacho__html *page);

/*
 * occupancy.c: takes all calls one by one, of a cursor that was not moved before. Owned.
 * NOMEM, IO.
 */
int tacho__groups_create(struct tacho_cursor *cursor, struct tacho__groups **out_groups);
int tacho__groups_add(struct tacho__groups *groups, const struct tacho_command *command);
void tacho__groups_destroy(struct tacho__groups *groups);
bool tacho__groups_are_known(const struct tacho__groups *groups);
void tacho__html_put_occupancy(const struct tacho__html *page);

/* A count with a word behind it in the right number: "1 call", "2,000 calls". */
void tacho__html_put_count(const struct tacho__html *page, uint64_t count, const char *one,
			   const char *many);
/* Heading and opening of a section; it ends with </section>. */
void tacho__html_begin_section(const struct tacho__html *page, const char *id, const char *title);

#endif
