/* SPDX-License-Identifier: MIT */
/* Traces of rocprof and rocprofv2, what their readers share: rocprof_json.c rocprof_db.c
 * rocprof_rows.c. */
#ifndef TACHO_FORMAT_FOREIGN_ROCPROF_H
#define TACHO_FORMAT_FOREIGN_ROCPROF_H

#include "format/foreign/amd.h"

struct tacho__rocprof {
	struct tacho__amd amd;
	uint64_t file; /* its number, from 1: each has processes of its own */
	uint64_t calls, work, markers;
};

/* What a row of a trace says; texts are borrowed, "" where it has none. */
struct tacho__rocprof_row {
	int64_t start_ns, end_ns;
	uint32_t pid, tid;
	uint64_t link;	 /* of the call and its work; 0: the file has none */
	uint64_t values; /* what names its values in its process; 0: it has none */
	const char *name;
	const char *arguments; /* of a call: "( dst(0x7f) src(0x7e) sizeBytes(4096) kind(1))" */
	const char *device, *queue;
};

/* All: IO, NOMEM. */
int tacho__rocprof_add_call(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row,
			    const char *api);
/* What began and ended within a nanosecond is a mark, as the tool writes them. */
int tacho__rocprof_add_marker(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row);
/* A copy, a fill, a barrier or else a kernel, by its name. */
int tacho__rocprof_add_work(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row);
/* A launch of which the file tells more than others do: its process is that of the row. */
int tacho__rocprof_add_launch(struct tacho__rocprof *rocprof, const struct tacho__rocprof_row *row,
			      const struct tacho__amd_kernel *kernel,
			      struct tacho__foreign_command *launch);
/* Whether the work is a kernel. */
bool tacho__rocprof_is_kernel(const char *name);
/* Whether a column of the table of launches says what a launch is: others are counters. */
bool tacho__rocprof_is_fact(const char *column);
int tacho__rocprof_process(struct tacho__rocprof *rocprof, uint32_t pid, uint32_t *out_process);

#endif
