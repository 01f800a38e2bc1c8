/* SPDX-License-Identifier: MIT */
/*
 * Keys of what rows share: functions, command types, threads and texts are written once and then
 * referred to. Memory grows with their number, for texts up to a limit.
 */
#ifndef TACHO_FORMAT_SQLITE_KEYS_H
#define TACHO_FORMAT_SQLITE_KEYS_H

#include "base/arena.h"
#include "base/map.h"
#include "format/sqlite/sqlite_file.h"
#include "tacho/recording.h"

struct tacho__sqlite_thread {
	const struct tacho_process *process;
	uint32_t tid;
};

/* {0} at first, but for `file`. */
struct tacho__sqlite_keys {
	struct tacho__sqlite_file *file;
	struct tacho__arena arena;
	struct tacho__map functions, types, texts; /* hash -> struct known */
	struct tacho__map shared, shared_ids;	   /* likewise; device -> id */
	uint64_t function_count, type_count, text_count;
	struct tacho__map thread_ids;
	struct tacho__sqlite_thread *threads; /* their ids are positions, from 1 */
	size_t thread_count, thread_capacity;
};

void tacho__sqlite_keys_finish(struct tacho__sqlite_keys *keys);

/* Each gives an id from 1 on, and writes the row when it is new. IO, NOMEM. Between rows only. */
int tacho__sqlite_get_function(struct tacho__sqlite_keys *keys,
			       const struct tacho_function *function, uint64_t *out_id);
int tacho__sqlite_get_type(struct tacho__sqlite_keys *keys, const struct tacho_command *command,
			   uint64_t *out_id);
/* 0 for "". */
int tacho__sqlite_get_text(struct tacho__sqlite_keys *keys, const char *text, uint64_t *out_id);

/*
 * The id of the first device with this one's label: the same device in all processes. 0 for NULL.
 * NOMEM.
 */
int tacho__sqlite_get_shared(struct tacho__sqlite_keys *keys, const struct tacho_cursor *cursor,
			     const struct tacho_object *device, uint64_t *out_id);

/* The same, but rows are written at the end, when names are known. NOMEM. */
int tacho__sqlite_get_thread(struct tacho__sqlite_keys *keys, const struct tacho_process *process,
			     uint32_t tid, uint64_t *out_id);
/* IO, NOMEM. */
int tacho__sqlite_put_threads(struct tacho__sqlite_keys *keys, const struct tacho_cursor *cursor);

#endif
