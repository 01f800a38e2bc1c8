/* SPDX-License-Identifier: MIT */
/* Results: rows of values with their states, one column per counter or metric. */
#ifndef TACHO_RESULT_H
#define TACHO_RESULT_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tacho_type {
	TACHO_TYPE_U64 = 0,
	TACHO_TYPE_F64 = 1,
};

/*
 * What is known about a value. A value worked out from several has the worst state of them, in
 * this order. TACHO_MARK_DIV0 is or-ed to the state of a value in whose making something was
 * divided by zero, which gives 0; TACHO_MARK_DEFAULT to one that a simulated device worked out from
 * defaults because the launch did not tell what it does (docs/replay.md); TACHO_MARK_FOREIGN to
 * ABSENT where such a row can never have the value: it is not missing, and not shown;
 * TACHO_MARK_BELOW0 to ABSENT where a difference of whole numbers fell below 0, which they cannot.
 */
enum tacho_state {
	TACHO_STATE_OK = 0,
	TACHO_STATE_SCALED = 1,	  /* measured for a part of the time and extrapolated */
	TACHO_STATE_OVERFLOW = 2, /* the counter ran over: the number is wrong */
	TACHO_STATE_LOST = 3,	  /* something that it should contain was lost */
	TACHO_STATE_ABSENT = 4,	  /* there is no number; it is never shown as 0 */
	TACHO_STATE_MASK = 0x0f,
	TACHO_MARK_BELOW0 = 0x10,  /* a difference in its formula fell below 0 */
	TACHO_MARK_FOREIGN = 0x20, /* a transfer has no work-items */
	TACHO_MARK_DEFAULT = 0x40, /* rests on what a simulated device takes for unknown work */
	TACHO_MARK_DIV0 = 0x80,
};

/* "ok", "scaled", "overflow", "lost", "absent" of the low bits of a state byte. Static. */
TACHO_API const char *tacho_state_to_string(uint8_t state);

enum { TACHO_DIMENSION_MAX = 8 };

/* One of the dimensions that say which copy of a block a value comes from. */
struct tacho_dimension {
	const char *name; /* as in the definitions: "DIMENSION_XCC" */
	uint32_t extent;  /* at least 1 */
	/* The positions that were selected, `extent` of them, rising; NULL: 0 ... extent - 1. */
	const uint32_t *positions;
};

/*
 * The values of one counter or metric, rows x instances, row by row; within a row the last
 * dimension runs fastest. No dimensions: one value a row. Everything is borrowed and lives as long
 * as the result.
 */
struct tacho_column {
	const char *name;
	const char *unit;	 /* "percent", "bytes", ...; "" when not stated */
	const char *description; /* what a value says; "" when not stated */
	enum tacho_type type;
	uint32_t dimension_count;
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	size_t instance_count; /* product of the extents; 1 without dimensions */
	union {
		const uint64_t *u64;
		const double *f64;
	} data;
	const uint8_t *states; /* one byte a value; NULL: all are ok */
	/* For scaled values the part that was measured, 0 to 1, one a value; NULL: all are 1. */
	const double *coverage;
	/*
	 * One bit an instance, the lowest bit of byte 0 first; 0: no unit exists at this position,
	 * in any row: such a value takes part in nothing and is not shown. NULL: all exist.
	 */
	const uint8_t *present;
	/* Why a value is absent, or what it rests on, "" when there is nothing to say, one a value;
	 * NULL: there is nothing to say of any alone. */
	const char *const *notes;
	const char *note; /* why a whole column is absent, "" when there is nothing to say */
};

/* What the values of a row belong to. */
enum tacho_row_kind {
	TACHO_ROW_LAUNCH = 0,
	TACHO_ROW_RANGE = 1,
	TACHO_ROW_WINDOW = 2,	   /* of time; its name is its end, in seconds after the begin */
	TACHO_ROW_MEASUREMENT = 3, /* none of these: values of a file, without rows */
	TACHO_ROW_KERNEL = 4,	   /* all launches of a kernel on a device */
	TACHO_ROW_TRANSFER = 5,	   /* all transfers of a kind on a device */
};

/* "launch", "range", ... Static. */
TACHO_API const char *tacho_row_kind_to_string(enum tacho_row_kind kind);

struct tacho_row {
	enum tacho_row_kind kind;
	uint64_t id; /* the caller's, or the launch's number; rising from 0 when nobody gave one */
	const char *name;    /* of the kernel or range; "" when there is none */
	const char *device;  /* that it ran on; "" where nothing but one device is in question */
	uint64_t parent;     /* index of the row of the range around it, plus 1; 0: none here */
	uint64_t repetition; /* rows of the same id in the same parent before it */
	/* Of windows that a device of this machine counted: from when to when, on CLOCK_MONOTONIC,
	 * each within uncertainty_ns; end_ns is 0 where that is not known. */
	uint64_t start_ns, end_ns, uncertainty_ns;
};

struct tacho_result;

/* Frees it with its rows and columns. NULL does nothing. */
TACHO_API void tacho_result_destroy(struct tacho_result *result);

/* How many rows it has. */
TACHO_API size_t tacho_result_get_row_count(const struct tacho_result *result);
/* How many columns it has; each has a value, or why not, for every row. */
TACHO_API size_t tacho_result_get_column_count(const struct tacho_result *result);
/*
 * Why rows may be missing, in words: the file that they were read from was cut, "a.ncu-rep ends
 * early: ..."; NULL when none is, as far as is known. Borrowed.
 */
TACHO_API const char *tacho_result_get_gap(const struct tacho_result *result);
/* NULL past the last. Borrowed. */
TACHO_API const struct tacho_row *tacho_result_get_row(const struct tacho_result *result,
						       size_t row);
/* NULL past the last. Borrowed. */
TACHO_API const struct tacho_column *tacho_result_get_column(const struct tacho_result *result,
							     size_t index);
/* By its exact name; NULL when there is none. */
TACHO_API const struct tacho_column *tacho_result_find_column(const struct tacho_result *result,
							      const char *name);
/* True for values that are there: the state at [row][instance] of a column; it may be ABSENT. */
TACHO_API uint8_t tacho_column_get_state(const struct tacho_column *column, size_t row,
					 size_t instance);
/* The value as a real number, whatever the type; 0 when absent: look at the state first. */
TACHO_API double tacho_column_get_value(const struct tacho_column *column, size_t row,
					size_t instance);
/* The part of a value that was measured, 0 to 1; what is said of it alone, "" when nothing is. */
TACHO_API double tacho_column_get_coverage(const struct tacho_column *column, size_t row,
					   size_t instance);
/* What is said of a value alone, "" when nothing is. Borrowed. */
TACHO_API const char *tacho_column_get_note(const struct tacho_column *column, size_t row,
					    size_t instance);
/* 0 when no unit exists at this position. */
TACHO_API int tacho_column_is_present(const struct tacho_column *column, size_t instance);

#ifdef __cplusplus
}
#endif

#endif
