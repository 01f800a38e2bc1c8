/* SPDX-License-Identifier: MIT */
/*
 * Where a recording comes from: the folder that `tacho record` made, or files of other tools. Each
 * source is one table of functions; source.c hands the public functions of tacho/recording.h on to
 * them, and their contracts stand there.
 */
#ifndef TACHO_RECORD_KEPT_SOURCE_H
#define TACHO_RECORD_KEPT_SOURCE_H

#include <stdbool.h>

#include "tacho/recording.h"

struct tacho__call_argument;
struct tacho__call_handle;

struct tacho__source {
	/* What the source keeps behind recording->source_data. */
	void (*close)(struct tacho_recording *recording);

	int (*open_cursor)(struct tacho_recording *recording, struct tacho_cursor **out_cursor);
	void (*close_cursor)(struct tacho_cursor *cursor);
	int (*next)(struct tacho_cursor *cursor, const struct tacho_call **out_call);

	/*
	 * All but get_object and get_row may be NULL: the source has nothing of that sort. What
	 * tells arguments sets cursor->failed when memory ran out.
	 */
	const char *(*format_arguments)(struct tacho_cursor *cursor, const char *separator);
	const char *(*get_argument)(struct tacho_cursor *cursor, size_t index,
				    const char **out_name);
	/* NULL: arguments are texts. */
	bool (*read_argument)(struct tacho_cursor *cursor, size_t index,
			      struct tacho__call_argument *out_argument);
	/* The same. */
	bool (*read_handle)(struct tacho_cursor *cursor, size_t index,
			    struct tacho__call_handle *out_handle);
	/* NULL: nothing is recorded but texts. */
	void (*read_recorded)(struct tacho_cursor *cursor, const void **out_bytes,
			      size_t *out_size);
	const struct tacho_object *(*get_object)(const struct tacho_cursor *cursor, size_t index);
	const char *(*get_thread_name)(const struct tacho_cursor *cursor,
				       const struct tacho_process *process, uint32_t thread);
	const struct tacho_recorded_row *(*get_row)(struct tacho_cursor *cursor);
	void (*get_matching)(const struct tacho_cursor *cursor,
			     struct tacho_matching *out_matching);
	void (*on_blob)(struct tacho_cursor *cursor, tacho_blob_fn fn, void *user);
};

/* The first member of every source's cursor. */
struct tacho_cursor {
	const struct tacho__source *source;
	unsigned others; /* who have it besides its first owner: share.h */
	/* Memory ran out where nothing can be returned, as for a text: the next move tells. */
	bool failed;
	bool is_brief;		 /* brief.h: calls may lack what it does not name */
	tacho_range_fn on_range; /* NULL: nobody asks */
	void *range_user;
	tacho_window_fn on_window; /* the same */
	void *window_user;
	tacho_memory_fn on_memory; /* the same */
	void *memory_user;
};

/* cursor.c: folders that `tacho record` made. */
extern const struct tacho__source tacho__source_folder;

/*
 * recording.c: tacho_recording_open() for folders only. NOTFOUND when neither `path` nor `path`
 * with the suffix of a recording is a folder.
 */
int tacho__recording_open_folder(const char *path, struct tacho_recording **out_recording);

#endif
