/* SPDX-License-Identifier: MIT */
/* A format that recordings can be written in. exporter.c lists them all. */
#ifndef TACHO_FORMAT_FORMAT_H
#define TACHO_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/fs.h"
#include "tacho/exporter.h"

/* What was asked for. */
struct tacho__export {
	bool overwrite, is_partial, is_csv_safe;
	void (*warn)(void *user, const char *sentence); /* of what the format cannot say; or NULL */
	void *user;
};

/*
 * For the moment before what was written gets its name: LOST when the recording is not whole and
 * that was not allowed.
 */
int tacho__export_check(const struct tacho_recording *recording, const struct tacho__export *how);

/* tacho__fs_create() of a file of CSV. */
int tacho__export_create_csv(struct tacho__fs_new *out_file, const char *path,
			     const struct tacho__export *how);

/* It has one of the first two functions. */
struct tacho__format {
	struct tacho_format format;
	bool is_csv; /* what `print` writes */
	/*
	 * For one file: prints it. A failure of the stream stays in the stream and is told by who
	 * made it; IO without a word may be returned because of it.
	 */
	int (*print)(struct tacho_recording *recording, FILE *stream);
	/* For others: makes what lies at BASE + suffixes, but not without tacho__export_check(). */
	int (*write)(struct tacho_recording *recording, const char *base,
		     const struct tacho__export *how);
	const char *why_no_stream; /* of these */
	int (*estimate)(struct tacho_recording *recording, uint64_t *out_bytes);
};

extern const struct tacho__format tacho__format_codexl;
extern const struct tacho__format tacho__format_csv;
extern const struct tacho__format tacho__format_html;
extern const struct tacho__format tacho__format_jsonl;
extern const struct tacho__format tacho__format_perfetto;
extern const struct tacho__format tacho__format_programs;
extern const struct tacho__format tacho__format_rocprofv3;
extern const struct tacho__format tacho__format_sqlite;

/* Calls `fn` for each call of the recording until it fails; its failure or the reader's is
 * returned. */
typedef int (*tacho__call_fn)(void *user, struct tacho_cursor *cursor,
			      const struct tacho_call *call);
int tacho__format_each_call(struct tacho_cursor *cursor, tacho__call_fn fn, void *user);
/* The same with a cursor of its own, and with the blobs; each function may be NULL. */
int tacho__format_walk(struct tacho_recording *recording, tacho_blob_fn on_blob, tacho__call_fn fn,
		       void *user);

/* BASE + suffix. Owned; free() it. NULL with the error set when memory ran out. */
char *tacho__format_path(const char *base, const char *suffix);

#endif
