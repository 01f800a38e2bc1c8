/* SPDX-License-Identifier: MIT */
/* Tables of sums among those that "nvprof --csv" prints. */
#ifndef TACHO_FORMAT_FOREIGN_NVPROF_SUMS_H
#define TACHO_FORMAT_FOREIGN_NVPROF_SUMS_H

#include "format/foreign/foreign.h"
#include "format/foreign/foreign_csv.h"

/* The table that is read. {0} but for `foreign` at first. */
struct tacho__nvprof_sums {
	struct tacho__foreign *foreign;
	struct tacho__foreign_sums_titles times, sizes; /* a line of migrations has both */
	int type, device;				/* places of what says more; -1 */
	bool is_of_calls;				/* where no column tells it */
	char part[32];					/* whose it is: "process 12"; "" */
	char last_type[32];				/* of the line before */
	uint64_t lines, odd;
};

/* A line between tables: it may say what the next one is of. */
void tacho__nvprof_sums_take_line(struct tacho__nvprof_sums *sums, const char *line);
/* Whether a record is the titles of such a table, which begins then. */
bool tacho__nvprof_sums_begin(struct tacho__nvprof_sums *sums, const struct tacho__foreign_csv *csv,
			      const char *path);
/* The line of units below the titles; false: it is none, and times have no unit. */
bool tacho__nvprof_sums_take_units(struct tacho__nvprof_sums *sums,
				   const struct tacho__foreign_csv *csv);
/* A record of the table. NOMEM, PARSE. */
int tacho__nvprof_sums_take_row(struct tacho__nvprof_sums *sums,
				const struct tacho__foreign_csv *csv, const char *path);

#endif
