/* SPDX-License-Identifier: MIT */
/* A rocpd database, row by row. Memory grows with the functions and threads of the recording. */
#ifndef TACHO_FORMAT_ROCPROFV3_ROCPD_H
#define TACHO_FORMAT_ROCPROFV3_ROCPD_H

#include "base/arena.h"
#include "base/map.h"
#include "format/rocprofv3/rocpd_schema.h"
#include "format/rocprofv3/rocprof_launch.h"

enum { TACHO__ROCPD_GUID_SIZE = 37 };

/* {0} at first. */
struct tacho__rocpd {
	const struct tacho__rocprof_run *run;
	struct tacho__rocpd_schema schema;
	struct tacho__sqlite_file file;
	char guid[TACHO__ROCPD_GUID_SIZE];
	struct tacho__arena arena;
	struct tacho__map strings, thread_ids;
	struct tacho__rocpd_thread {
		const struct tacho_process *process;
		uint32_t tid;
	} * threads; /* their ids are positions, from 1 */
	size_t thread_count, thread_capacity;
	struct tacho__buf text; /* of a value */
	uint64_t last_ids[TACHO__ROCPD_TABLES];
	bool has_unknown_agent, has_unknown_queue, has_unknown_kernel;
};

/* BASE.db is made. As tacho__sqlite_file_create(). */
int tacho__rocpd_create(struct tacho__rocpd *rocpd, const struct tacho__rocprof_run *run,
			const char *path, bool overwrite);
/* Each call but those that are not known is a region. IO, NOMEM. */
int tacho__rocpd_add_call(struct tacho__rocpd *rocpd, const struct tacho_call *call,
			  uint64_t call_number);
/* A range whose end is known, or a mark, is a region, too. */
int tacho__rocpd_add_range(struct tacho__rocpd *rocpd, const struct tacho_named_range *range);
/* A launch whose times are known, and its values; or a transfer with times and a size. */
int tacho__rocpd_add_launch(struct tacho__rocpd *rocpd, const struct tacho__rocprof_launch *launch);
int tacho__rocpd_add_transfer(struct tacho__rocpd *rocpd, const struct tacho_call *call,
			      uint64_t call_number);
/* What is written once; `cursor` is at its end. */
int tacho__rocpd_put_about(struct tacho__rocpd *rocpd, const struct tacho_cursor *cursor);
/* A remark on the database, among its metadata. */
int tacho__rocpd_put_note(struct tacho__rocpd *rocpd, const char *sentence);

/* Frees it, and removes what was not committed. */
void tacho__rocpd_finish(struct tacho__rocpd *rocpd);

#endif
