/* SPDX-License-Identifier: MIT */
/* The CSV files of rocprofv3: launches, their counters, and the agents. */
#ifndef TACHO_FORMAT_ROCPROFV3_ROCPROF_CSV_H
#define TACHO_FORMAT_ROCPROFV3_ROCPROF_CSV_H

#include <stdio.h>

#include "format/rocprofv3/rocprof_launch.h"

/* Failures of the streams stay in them. */
struct tacho__rocprof_csv {
	FILE *agents, *counters, *kernels, *markers;
};

/* The lines of titles. */
void tacho__rocprof_csv_begin(const struct tacho__rocprof_csv *csv);
/* A launch: one line among the kernels, and one for each counter with a value. */
void tacho__rocprof_csv_add(const struct tacho__rocprof_csv *csv,
			    const struct tacho__rocprof_launch *launch);
/* A range that the program named, or a mark: a line among the markers. */
void tacho__rocprof_csv_add_range(const struct tacho__rocprof_csv *csv,
				  const struct tacho_named_range *range);
/* What the files call the sort of marker: of a mark, and of a range. */
#define TACHO__ROCPROF_MARK  "MARKER_CORE_API"
#define TACHO__ROCPROF_RANGE "MARKER_CORE_RANGE_API"
/* `cursor` is at its end. */
void tacho__rocprof_csv_put_agents(const struct tacho__rocprof_csv *csv,
				   const struct tacho__rocprof_run *run,
				   const struct tacho_cursor *cursor);

enum { TACHO__ROCPROF_VALUE_MAX = 400 };
/* "16384.000000", "4.20000000e-01", with a point whatever the locale. */
void tacho__rocprof_format_value(const struct tacho__rocprof_sum *sum,
				 char out_text[TACHO__ROCPROF_VALUE_MAX]);

#endif
