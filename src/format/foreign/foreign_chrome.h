/* SPDX-License-Identifier: MIT */
/*
 * Events as Chrome's tracing has them, which many tools write: objects in an array, each with a
 * phase, a name, a process, a thread and a time in microseconds. What their categories and
 * arguments mean is the reader's matter.
 */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_CHROME_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_CHROME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_json.h"

/* Of members that an event lacks the texts are "", and the flags are not set. */
struct tacho__foreign_chrome_event {
	char phase;
	struct tacho__buf name, category, pid, tid, id; /* numbers as they are written */
	int64_t start_ns, duration_ns;
	bool has_start, has_duration;
};

struct tacho__foreign_chrome {
	struct tacho__foreign_json *json; /* inside the array of events */
	struct tacho__foreign_chrome_event event;
	void *user;
	const char *phases; /* of the events that matter; NULL: all do */
	/* Whether the arguments of the event are needed, as far as it is known when they come. */
	bool (*wants)(void *user, const struct tacho__foreign_chrome_event *event);
	/* An argument: the last piece is its key, and its value is to be read or skipped. */
	int (*take)(void *user, const struct tacho__foreign_chrome_event *event);
};

void tacho__foreign_chrome_finish(struct tacho__foreign_chrome *chrome);
/*
 * The next event, in chrome->event until the next call; *out_is_one is false behind the last.
 * What is no object among them is skipped. Those of tacho__foreign_json_next() and of take().
 */
int tacho__foreign_chrome_next(struct tacho__foreign_chrome *chrome, bool *out_is_one);

/*
 * What reading ended with: of a file that ends early, what it has is shown, when that is anything
 * (`has_any`: calls or commands), and the rest is lost. NOMEM.
 */
int tacho__foreign_chrome_end(struct tacho__foreign *foreign,
			      const struct tacho__foreign_json *json, int rc, bool has_any);

/* Where an event ends: where it begins, when it does not say how long it took. */
int64_t tacho__foreign_chrome_end_ns(const struct tacho__foreign_chrome_event *event);
/* Microseconds as they are written, in nanoseconds, to the last digit. False: they are no number,
 * or so large that no time is. */
bool tacho__foreign_chrome_ns(const char *text, int64_t *out_ns);
/* The first whole number in a text: 7 of "stream 7". False: it has none. */
bool tacho__foreign_chrome_number(const char *text, uint64_t *out_number);

#endif
