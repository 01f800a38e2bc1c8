/* SPDX-License-Identifier: MIT */
/*
 * Tables of sums: what files of other tools state of all launches of a kernel, all calls of a
 * function, all transfers of a kind together, and of no single one.
 */
#ifndef TACHO_SUMS_H
#define TACHO_SUMS_H

#include <tacho/recording.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the lines of a table stand for. */
enum tacho_sums_kind {
	TACHO_SUMS_KERNELS = 0,	  /* a kernel; times are device times */
	TACHO_SUMS_TRANSFERS = 1, /* copies and fills of a kind; times are device times */
	TACHO_SUMS_COMMANDS = 2,  /* other work of devices: barriers, resets of events */
	TACHO_SUMS_CALLS = 3,	  /* a function; times are host times */
	TACHO_SUMS_RANGES = 4,	  /* ranges of a name; host times, or of a device */
	TACHO_SUMS_KINDS = 5
};

/* The columns of a table, in this order. What a file does not state is absent. */
enum tacho_sums_column {
	TACHO_SUMS_COUNT = 0, /* launches, calls, transfers; whole, as are total, min and max */
	TACHO_SUMS_TOTAL = 1,
	TACHO_SUMS_MEAN = 2, /* this and what follows as the file has it, worked out by its tool */
	TACHO_SUMS_MEDIAN = 3,
	TACHO_SUMS_MIN = 4,
	TACHO_SUMS_MAX = 5,
	TACHO_SUMS_DEVIATION = 6,
	TACHO_SUMS_SHARE = 7, /* percent of what the tool added up to a whole */
	TACHO_SUMS_COLUMNS = 8
};

struct tacho_sums {
	enum tacho_sums_kind kind;
	uint32_t is_of_bytes; /* total to deviation are bytes; 0: nanoseconds */
	const char *file;     /* the name of its file, without folders */
	const char *part;     /* of the file, in its words: "L0 backend", a device; "" */
	/* A row for each line, the largest total first: its name is the line's, with a column for
	 * each of enum tacho_sums_column. */
	const struct tacho_result *lines;
};

/*
 * The tables of a recording that has sums and nothing else, in the order of enum tacho_sums_kind,
 * those of times before those of bytes; NULL past the last, and of all other recordings. Where
 * there are some, nothing of the recording can be read with a cursor (UNSUPPORTED, with what keeps
 * the rows), and why_empty of struct tacho_run says so. Borrowed.
 */
TACHO_API const struct tacho_sums *tacho_recording_get_sums(const struct tacho_recording *recording,
							    size_t index);

#ifdef __cplusplus
}
#endif

#endif
