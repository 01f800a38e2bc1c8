/* SPDX-License-Identifier: MIT */
/*
 * Recordings as columns: for programs that work on whole arrays, in any language.
 *
 * A batch holds what a cursor would deliver of some calls as structs of arrays: element i of every
 * array of a struct is about the same call, command, range or window. Rows are numbered over the
 * whole recording, in the order of the cursor; a batch begins at `first` and has `count` of them.
 *
 * A number that is not known is the largest of its type, TACHO_UNKNOWN or TACHO_UNKNOWN_32, and
 * never 0. A text is a number, too: tacho_columns_get_text() has the text, and 0 is "". Objects are
 * told by their kind and id; id 0 is none that is known. All times are nanoseconds of the recording
 * host's CLOCK_MONOTONIC.
 */
#ifndef TACHO_COLUMNS_H
#define TACHO_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/export.h>
#include <tacho/recording.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TACHO_UNKNOWN	 UINT64_MAX
#define TACHO_UNKNOWN_32 UINT32_MAX

struct tacho_columns;
struct tacho_batch;

/* Calls, as in struct tacho_call. */
struct tacho_call_columns {
	uint64_t first;
	size_t count;
	const uint64_t *start_ns, *end_ns, *busy_ns;
	const uint64_t *index, *repeats;
	const uint64_t
		*command; /* row of the command that it gave; TACHO_UNKNOWN when it gave none */
	const uint64_t *range; /* id of the innermost range that all of it was made in */
	const uint32_t *process, *thread;
	const uint32_t *api, *function, *result, *caller; /* texts */
	const uint8_t *failed, *is_bare;
};

/* Commands, as in struct tacho_command. */
struct tacho_command_columns {
	uint64_t first;
	size_t count;
	const uint64_t *call; /* row of the call that gave it */
	const uint64_t *id;
	/* By the state: TACHO_UNKNOWN where it is not ok. */
	const uint64_t *queued_ns, *submit_ns, *start_ns, *end_ns;
	const uint64_t *duration_ns; /* may be known where they are not */
	const uint64_t *not_before_ns, *not_after_ns, *uncertainty_ns;
	const uint64_t *global, *local; /* three of each row; beyond its dimensions 1 */
	const uint64_t *bytes, *extra_local_bytes;
	const uint32_t *process;
	const uint32_t *name, *kernel_name, *device_name; /* texts */
	const uint32_t *reason;				  /* text: why the state is not ok */
	const uint32_t *values_note;			  /* text about all its values */
	const uint32_t *queue, *device, *kernel;	  /* ids */
	const uint32_t *template_id; /* what TACHO_COMMAND_BUFFER runs; 0 for others */
	const uint32_t *dimensions;
	const uint8_t *kind;  /* enum tacho_command_kind */
	const uint8_t *state; /* enum tacho_state, of the four times */
	const uint8_t *first_launch;
	const uint8_t *is_counted; /* counters were counted for it; 0 where none were asked for */
};

/* Named ranges that ended while these calls did, as in struct tacho_named_range. */
struct tacho_range_columns {
	uint64_t first;
	size_t count;
	const uint64_t *id, *parent; /* parent: the id of the range around it */
	const uint64_t *start_ns, *end_ns;
	const uint64_t *last_ns; /* its end, or the last that is known of its process */
	const uint64_t *color;	 /* 0xAARRGGBB */
	const uint32_t *process, *thread, *depth;
	const uint32_t *name, *domain, *api; /* texts */
	const uint8_t *kind;		     /* enum tacho_range_kind */
};

/* Windows of sampled counters that ended while these calls did, as in struct tacho_window. */
struct tacho_window_columns {
	uint64_t first;
	size_t count;
	const uint64_t *index;		   /* in its sampling, from 0; those between are lost */
	const uint64_t *start_ns, *end_ns; /* each within uncertainty_ns */
	const uint64_t *uncertainty_ns;
	const uint32_t *sampling; /* of tacho_recording_get_sampling() */
};

/* Begins at the first call. The recording must outlive it. Owned; NOMEM, IO. */
TACHO_API int tacho_columns_open(struct tacho_recording *recording,
				 struct tacho_columns **out_columns);
/* Batches that it gave stay as they are, but nothing tells their texts any more. */
TACHO_API void tacho_columns_close(struct tacho_columns *columns);

/*
 * The next `call_max` calls, 0 for all that are left, with their commands, values and the ranges
 * and windows that ended among them: 1 and *out_batch, 0 at the end, negative on error. Owned:
 * tacho_batch_destroy(). A failed call is the end, too.
 */
TACHO_API int tacho_columns_next(struct tacho_columns *columns, size_t call_max,
				 struct tacho_batch **out_batch);
/* Frees its arrays and its values. NULL does nothing. */
TACHO_API void tacho_batch_destroy(struct tacho_batch *batch);

/* Borrowed from the batch. Arrays without rows may be NULL. */
TACHO_API const struct tacho_call_columns *tacho_batch_get_calls(const struct tacho_batch *batch);
/* The commands that its calls gave to devices. Borrowed from the batch. */
TACHO_API const struct tacho_command_columns *
tacho_batch_get_commands(const struct tacho_batch *batch);
/* The ranges that ended among its calls, and its marks. Borrowed from the batch. */
TACHO_API const struct tacho_range_columns *tacho_batch_get_ranges(const struct tacho_batch *batch);

/*
 * The values that were counted: a row for each command of the batch, a column for each counter or
 * metric that was asked for. NULL when nothing was, or without commands. A command that was not
 * counted has absent values: TACHO_UNKNOWN, or not a number. Borrowed from the batch.
 */
TACHO_API const struct tacho_result *tacho_batch_get_values(const struct tacho_batch *batch);

/* The windows that ended among its calls. Borrowed from the batch. */
TACHO_API const struct tacho_window_columns *
tacho_batch_get_windows(const struct tacho_batch *batch);

/*
 * What was counted in the batch's windows of a sampling: a row for each, in their order, whose id
 * is the window's row among all, and a column for each of the sampling's counters. NULL when it has
 * none of them. Borrowed from the batch.
 */
TACHO_API const struct tacho_result *tacho_batch_get_window_values(const struct tacho_batch *batch,
								   size_t sampling);

/* The text of this number; NULL past the last that batches have. Borrowed until it is closed. */
TACHO_API const char *tacho_columns_get_text(const struct tacho_columns *columns, uint32_t text);

/* The cursor, for objects, names of threads and how runs matched, up to the last batch. Borrowed.
 */
TACHO_API const struct tacho_cursor *tacho_columns_get_cursor(const struct tacho_columns *columns);

#ifdef __cplusplus
}
#endif

#endif
