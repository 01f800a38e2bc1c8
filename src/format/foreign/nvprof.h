/* SPDX-License-Identifier: MIT */
/* Files of nvprof, what their readers share: nvprof_csv.c nvprof_cell.c nvprof_db.c nvprof_device.c
 * nvprof_markers.c nvprof_names.c nvprof_values.c. */
#ifndef TACHO_FORMAT_FOREIGN_NVPROF_H
#define TACHO_FORMAT_FOREIGN_NVPROF_H

#include "format/foreign/foreign.h"
#include "format/foreign/foreign_db.h"

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

/* "vadd(int) [115]": cuts off and gives the number of the call that gave it, or 0. */
uint64_t tacho__nvprof_cut_link(char *name);
/* The same of "cudaLaunch (vadd(int) [115])", of which the function stays. */
uint64_t tacho__nvprof_cut_call(char *name);

/* ---- databases ---- */

/* One that is read: its process, when that is known, and its strings, each by its id. */
struct tacho__nvprof_file {
	struct tacho__foreign *foreign;
	struct tacho__foreign_db *db;
	struct tacho__foreign_query *strings;
	uint32_t process;
};

/* nvprof_names.c: "cudaLaunch", in `room`; NULL: no function has that number. */
const char *tacho__nvprof_function_name(bool is_driver, int64_t number, char room[64]);
/* "" when the file has no such string; borrowed until the next is looked for. PARSE, NOMEM. */
int tacho__nvprof_find_string(const struct tacho__nvprof_file *file, int64_t id,
			      const char **out_text);
/* nvprof_device.c: appends "key=value" lines of a GPU by its number. PARSE, NOMEM. */
int tacho__nvprof_describe_device(const struct tacho__nvprof_file *file, uint64_t id,
				  struct tacho__buf *text);
/* nvprof_markers.c: named ranges and marks, and how many they are. PARSE, IO, NOMEM. */
int tacho__nvprof_read_markers(const struct tacho__nvprof_file *file, uint64_t *out_count);
/* nvprof_values.c: events and metrics, which are those of the commands with their link. */
bool tacho__nvprof_has_values(struct tacho__foreign_db *db);
/* PARSE, IO, NOMEM. */
int tacho__nvprof_read_values(const struct tacho__nvprof_file *file);

#endif
