/* SPDX-License-Identifier: MIT */
/* Files of nvprof, what their readers share: nvprof_csv.c nvprof_cell.c nvprof_db.c. */
#ifndef TACHO_FORMAT_FOREIGN_NVPROF_H
#define TACHO_FORMAT_FOREIGN_NVPROF_H

#include "format/foreign/foreign.h"

/* ---- cells of tables: nvprof_cell.c ---- */

/* Of a unit "s", "ms", "us" or "ns" its nanoseconds; 0: it is no unit of time. */
double tacho__nvprof_time_unit(const char *unit);
/* Of "B", "KB", "MB", "GB" or "TB" its bytes, which nvprof counts in 1024s; 0: none of these. */
double tacho__nvprof_size_unit(const char *unit);

/* A value of a metric or event as it is told: "99.5%", "Low (1)", "12.3GB/s". */
struct tacho__nvprof_value {
	enum tacho_state state; /* ok, or absent: "<OVERFLOW>" has no number */
	const char *unit;	/* of tacho's; "" */
	double real;
};

struct tacho__nvprof_value tacho__nvprof_read_value(const char *cell);

/* ---- things that both have: nvprof_cell.c ---- */

/* A context and its stream. NOMEM. */
int tacho__nvprof_queue(struct tacho__foreign *foreign, uint32_t process, uint64_t context,
			uint64_t stream, uint64_t device, uint32_t *out_queue);

#endif
