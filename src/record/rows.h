/* SPDX-License-Identifier: MIT */
/*
 * What was counted in a recording, row by row: rows that processes wrote, those of further runs of
 * the program, and what follows from commands.
 */
#ifndef TACHO_RECORD_ROWS_H
#define TACHO_RECORD_ROWS_H

#include "model/row.h"
#include "record/count_shapes.h"
#include "record/reader.h"
#include "record/stream_reader.h"
#include "record/values.h"

struct tacho__rows;

/* *out_rows is NULL when nothing was to be counted. NOMEM, and errors of recordings of further
 * runs but for one that is not there. */
int tacho__rows_open(struct tacho_recording *recording, struct tacho__rows **out_rows);
void tacho__rows_close(struct tacho__rows *rows);

/* The row of the cursor's call, which has a command; once for each, in their order. Borrowed until
 * the next. */
int tacho__rows_take(struct tacho__rows *rows, struct tacho_cursor *cursor,
		     const struct tacho_call *call, uint64_t start_tick,
		     const struct tacho_recorded_row **out_row);

void tacho__rows_get_matching(const struct tacho__rows *rows, struct tacho_matching *out_matching);

/*
 * rows_written.c: the rows that the processes of a recording wrote. All are found before the first
 * call is read; the values of a row that takes several records stay in the files until it is asked
 * for.
 */
struct tacho__written_row {
	struct tacho__written_row *next; /* with the same key */
	uint64_t start;			 /* tick */
	uint64_t tick;			 /* of writing */
	uint32_t process, thread;
	uint64_t seen;
	const char *note;
	const struct tacho__reader_stream *stream; /* that holds its values; NULL: they are here */
	size_t chunk, record;			   /* there: its first record */
	size_t count;
	struct tacho__count values[];
};

struct tacho__written_rows {
	struct tacho_recording *recording;
	const struct tacho__count_shapes *shapes;
	struct tacho__arena arena;
	struct tacho__map map;
	size_t count;
	/* Where the last row was that was read again: the next one most often lies behind it. */
	struct tacho__stream_reader reader;
	struct tacho__count *values;
	size_t value_count, value_capacity;
};

/* All zero before, but for the shapes, which outlive it. */
int tacho__written_rows_read(struct tacho_recording *recording,
			     struct tacho__written_rows *out_rows);
void tacho__written_rows_finish(struct tacho__written_rows *rows);
/* Of several rows of a launch the one that was written last. */
const struct tacho__written_row *tacho__written_rows_find(const struct tacho__written_rows *rows,
							  uint32_t process, uint32_t thread,
							  uint64_t start);
/* The values of a row that was found; borrowed until the next call. NOMEM. */
int tacho__written_rows_load(struct tacho__written_rows *rows, const struct tacho__written_row *row,
			     const struct tacho__count **out_values, size_t *out_count);

/* rows_match.c: names of launches that are the same in every run of a program. */
struct tacho__occurrences {
	struct tacho__arena arena;
	struct tacho__map threads;   /* process and thread or queue -> its number there, plus 1 */
	struct tacho__map processes; /* how many of these have launched so far */
	struct tacho__names counts;  /* of launches so far */
	/* Of the launch that was added last: */
	struct tacho__buf name; /* "process/thread/kernel#occurrence", or, of a command of a submit,
				   "process/queue/submit#occurrence" */
	struct tacho__buf what; /* which command of the submit it is, and how much; "": of none */
};

void tacho__occurrences_finish(struct tacho__occurrences *occurrences);
/* The cursor's call, which is a launch. NOMEM. */
int tacho__occurrences_add(struct tacho__occurrences *occurrences, struct tacho_cursor *cursor,
			   const struct tacho_call *call);

/* The launches of one further run. */
struct tacho__further_run {
	struct tacho__arena arena;
	struct tacho__names launches; /* -> struct tacho__further_launch */
	struct tacho__count_shapes shapes;
	uint64_t count, used; /* of those that were counted */
};

struct tacho__further_launch {
	uint32_t dimensions, has_local;
	uint64_t global[3], local[3];
	uint64_t seen;
	const char *what; /* of struct tacho__occurrences */
	struct tacho__row row;
};

/* NOTFOUND when the recording is not there. */
int tacho__further_run_read(const char *path, struct tacho__further_run *out_run);
void tacho__further_run_finish(struct tacho__further_run *run);
const struct tacho__further_launch *tacho__further_run_find(const struct tacho__further_run *run,
							    const char *name);
/* Whether it is a launch of the same size, or the same command of its submit. */
bool tacho__further_launch_fits(const struct tacho__further_launch *launch,
				const struct tacho_command *command, const char *what);

#endif
