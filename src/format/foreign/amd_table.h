/* SPDX-License-Identifier: MIT */
/* Tables of AMD's profilers as CSV: what their columns are, in whatever version. */
#ifndef TACHO_FORMAT_FOREIGN_AMD_TABLE_H
#define TACHO_FORMAT_FOREIGN_AMD_TABLE_H

#include "format/foreign/amd.h"
#include "format/foreign/foreign_csv.h"

enum tacho__amd_column {
	TACHO__AMD_GUID,
	TACHO__AMD_DOMAIN,
	TACHO__AMD_FUNCTION,
	TACHO__AMD_OPERATION,
	TACHO__AMD_ALLOCATED,
	TACHO__AMD_FLAGS,
	TACHO__AMD_DIRECTION,
	TACHO__AMD_SOURCE,
	TACHO__AMD_DESTINATION,
	TACHO__AMD_AGENT,
	TACHO__AMD_QUEUE,
	TACHO__AMD_STREAM,
	TACHO__AMD_PROCESS,
	TACHO__AMD_THREAD,
	TACHO__AMD_DISPATCH,
	TACHO__AMD_INDEX, /* of rocprof: which launch of the file */
	TACHO__AMD_KERNEL,
	TACHO__AMD_CORRELATION,
	TACHO__AMD_START,
	TACHO__AMD_END,
	TACHO__AMD_QUEUED, /* on the same clock */
	TACHO__AMD_LOCAL,
	TACHO__AMD_PRIVATE,
	TACHO__AMD_VGPRS,
	TACHO__AMD_ACCUM,
	TACHO__AMD_SGPRS,
	TACHO__AMD_GROUP_X,
	TACHO__AMD_GROUP_Y,
	TACHO__AMD_GROUP_Z,
	TACHO__AMD_GRID_X,
	TACHO__AMD_GRID_Y,
	TACHO__AMD_GRID_Z,
	TACHO__AMD_GROUP, /* of all dimensions */
	TACHO__AMD_GRID,
	TACHO__AMD_COUNTER,
	TACHO__AMD_VALUE,
	TACHO__AMD_NODE_ID,
	TACHO__AMD_LOGICAL_ID,
	TACHO__AMD_TYPE_ID,
	TACHO__AMD_AGENT_TYPE,
	TACHO__AMD_NAME,
	TACHO__AMD_CALLS,
	TACHO__AMD_TOTAL,
	TACHO__AMD_GPU_MODEL,
	TACHO__AMD_GPU_ARCH,
	TACHO__AMD_COMPUTE_UNITS,
	TACHO__AMD_WAVE_SIZE,
	TACHO__AMD_SIMDS,
	TACHO__AMD_MAX_WAVES,
	TACHO__AMD_MAX_GROUP,
	TACHO__AMD_PRODUCT,
	TACHO__AMD_VENDOR,
	TACHO__AMD_LOCATION,
	TACHO__AMD_HOST,
	TACHO__AMD_COMMAND,
	TACHO__AMD_MESSAGE, /* of rocprofv2: a marker's text, and its one time */
	TACHO__AMD_TIME,
	TACHO__AMD_XCC,	       /* which part of the device a row of counters is of */
	TACHO__AMD_OTHER_FACT, /* what is known and not needed: no counter */
	TACHO__AMD_COLUMNS
};

enum tacho__amd_sort {
	TACHO__AMD_UNKNOWN,
	TACHO__AMD_AGENT_INFO,
	TACHO__AMD_SYSINFO,
	TACHO__AMD_API_TRACE,
	TACHO__AMD_COUNTER_ROWS,    /* a row for each counter of a launch */
	TACHO__AMD_COUNTER_COLUMNS, /* a row for each launch, a column for each counter */
	TACHO__AMD_KERNEL_TRACE,
	TACHO__AMD_COPY_TRACE,
	TACHO__AMD_ALLOCATION_TRACE,
	TACHO__AMD_SCRATCH_TRACE,
	TACHO__AMD_MARK_TRACE, /* of rocprofv2 */
	TACHO__AMD_OPS_TRACE,  /* of rocprofv2: kernels and copies */
	TACHO__AMD_SUMS,
	TACHO__AMD_SORTS
};

struct tacho__amd_table {
	const char *path;
	struct tacho__foreign_csv csv;
	char **cells;
	size_t count; /* of the row */
	size_t title_count;
	uint32_t *counters; /* of each column; 0: it is none */
	int places[TACHO__AMD_COLUMNS];
	bool ends_early; /* its last row is not whole */
};

/* What sort of table begins so. */
enum tacho__amd_sort tacho__amd_sort_of(const char *head);

/* Reads the titles; columns that are none of the above become counters of `amd` when it is given.
 * IO, NOMEM, PARSE. */
int tacho__amd_table_open(struct tacho__amd_table *table, const char *path, struct tacho__amd *amd,
			  const char *accumulated);
void tacho__amd_table_close(struct tacho__amd_table *table);
/* 1 and a row; 0 at the end. PARSE: a row within has other columns than there are titles. */
int tacho__amd_table_next(struct tacho__amd_table *table);
/* "" where the table has no such column. */
const char *tacho__amd_cell(const struct tacho__amd_table *table, enum tacho__amd_column column);
struct tacho__amd_number tacho__amd_number_in(const struct tacho__amd_table *table,
					      enum tacho__amd_column column);

#endif
