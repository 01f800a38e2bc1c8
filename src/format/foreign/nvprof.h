/* SPDX-License-Identifier: MIT */
/* Cells of the tables that nvprof prints. */
#ifndef TACHO_FORMAT_FOREIGN_NVPROF_H
#define TACHO_FORMAT_FOREIGN_NVPROF_H

#include "format/foreign/foreign.h"

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

#endif
