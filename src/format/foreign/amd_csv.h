/* SPDX-License-Identifier: MIT */
/* CSV files of AMD's profilers, what the parts of their reader share: amd_csv.c amd_rows.c
 * amd_sums.c. */
#ifndef TACHO_FORMAT_FOREIGN_AMD_CSV_H
#define TACHO_FORMAT_FOREIGN_AMD_CSV_H

#include "format/foreign/amd_table.h"

struct tacho__amd_csv {
	struct tacho__amd amd;
	struct tacho__map pids;		/* runs -> their one process + 1, or SEVERAL */
	struct tacho__map wholes;	/* runs that have a table of all counters -> any */
	struct tacho__amd_table *table; /* that is read */
	enum tacho__amd_sort sort;
	uint32_t run, folder; /* texts: of the table: those with one's files are one run */
	struct tacho__amd_number named;	    /* the process in its file's name */
	bool is_whole;			    /* it has all counters of its folder */
	uint64_t last_values, last_process; /* of the last row of counters; process + 1 */
	uint64_t calls, copies, allocations, products, rounded, ends, again;
	bool has_indexed, has_second; /* files of rocprof, of rocprofv2 */
	bool has[TACHO__AMD_SORTS];
};

/* amd_rows.c: a row of the table becomes what it tells. IO, NOMEM. */
int tacho__amd_take_row(struct tacho__amd_csv *csv);
/* amd_sums.c: a table of sums. IO, NOMEM, PARSE. */
int tacho__amd_read_sums(struct tacho__amd_csv *csv, const char *path);
/* What a line of a table of sums is of (enum tacho_sums_kind), by the file's name or its own; below
 * 0: of whole kinds of calls and work. */
int tacho__amd_sums_kind(const char *path, const char *name);
/* A row of an API or of counters names its process: other tables of its run need it. NOMEM. */
int tacho__amd_learn_process(struct tacho__amd_csv *csv);

#endif
