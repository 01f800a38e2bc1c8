/* SPDX-License-Identifier: MIT */
/* Reading what was sampled beside a program: window_records.h. */
#ifndef TACHO_RECORD_WINDOW_READER_H
#define TACHO_RECORD_WINDOW_READER_H

#include "model/row.h"
#include "record/reader.h"
#include "record/stream_reader.h"

/* A sampling of a recording. */
struct tacho__sampling {
	struct tacho_sampling sampling;
	uint32_t number;	      /* in the records */
	struct tacho_entry *counters; /* what `sampling` shows, all there from the beginning */
	uint64_t told;		      /* windows that there were, as its end says */
	uint64_t dropped;	      /* by the device */
};

/* Takes a record of control.bin; the tick was not packed. What makes no sense is left. NOMEM. */
int tacho__sampling_take(struct tacho_recording *recording, uint16_t kind,
			 struct tacho__unpack *unpack);
/* Counts the windows that are there and those that are not. Once per recording. NOMEM. */
int tacho__windows_survey(struct tacho_recording *recording);

/* One row for the windows of each sampling, written again and again. */
struct tacho__window_row {
	struct tacho__row row;
	struct tacho_result *result; /* NULL before the first window */
};

struct tacho__window_reader {
	struct tacho_recording *recording;
	struct tacho__stream_reader reader;
	struct tacho__window_row *rows; /* by sampling; NULL before the first window */
	struct tacho_window window;
	bool is_waiting; /* `window` was read, and its time had not come */
	bool is_over;	 /* nothing follows */
	uint64_t unreadable;
};

/* Reads nothing yet. */
void tacho__window_reader_init(struct tacho__window_reader *reader,
			       struct tacho_recording *recording);
void tacho__window_reader_finish(struct tacho__window_reader *reader);
/*
 * The next window if it ended by then: 1, else 0, or NOMEM. Borrowed until the next call.
 */
int tacho__window_reader_next(struct tacho__window_reader *reader, uint64_t until_ns,
			      const struct tacho_window **out_window);

#endif
