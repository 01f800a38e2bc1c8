/* SPDX-License-Identifier: MIT */
/*
 * A new SQLite database that is written once, row by row, and appears under its name when it is
 * whole. Failures stay: after the first one nothing more is done, and every call that returns
 * something returns it.
 */
#ifndef TACHO_FORMAT_SQLITE_SQLITE_FILE_H
#define TACHO_FORMAT_SQLITE_SQLITE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/sqlite_library.h"

/* The tables of tacho's own databases. */
enum tacho__sqlite_table {
	TACHO__SQLITE_TEXT,
	TACHO__SQLITE_HOST,
	TACHO__SQLITE_RUN,
	TACHO__SQLITE_PROCESS,
	TACHO__SQLITE_LOSS,
	TACHO__SQLITE_FAULT,
	TACHO__SQLITE_LEFT_OUT,
	TACHO__SQLITE_THREAD,
	TACHO__SQLITE_THREAD_TIME,
	TACHO__SQLITE_DEVICE,
	TACHO__SQLITE_CONTEXT,
	TACHO__SQLITE_QUEUE,
	TACHO__SQLITE_PROGRAM,
	TACHO__SQLITE_KERNEL,
	TACHO__SQLITE_ATTRIBUTE,
	TACHO__SQLITE_FUNCTION,
	TACHO__SQLITE_CALL,
	TACHO__SQLITE_CALL_SUM,
	TACHO__SQLITE_RANGE,
	TACHO__SQLITE_CALL_RANGE,
	TACHO__SQLITE_COMMAND_TYPE,
	TACHO__SQLITE_TEMPLATE,
	TACHO__SQLITE_TEMPLATE_COMMAND,
	TACHO__SQLITE_COMMAND,
	TACHO__SQLITE_COUNTING,
	TACHO__SQLITE_COUNTER,
	TACHO__SQLITE_INSTANCE,
	TACHO__SQLITE_VALUE,
	TACHO__SQLITE_SAMPLING,
	TACHO__SQLITE_SAMPLED_COUNTER,
	TACHO__SQLITE_WINDOW,
	TACHO__SQLITE_WINDOW_VALUE,
	TACHO__SQLITE_NOTE,
	TACHO__SQLITE_TABLES
};

enum { TACHO__SQLITE_TABLES_MAX = 40 };

/* What is in a database: SQL that makes it, and the tables that rows go to. */
struct tacho__sqlite_schema {
	const char *marks; /* PRAGMA, what tells that it is one; "" */
	const char *begin; /* makes the tables */
	const char *end;   /* makes what is over them when they are full */
	const struct tacho__sqlite_rows {
		const char *table;
		unsigned columns;
	} * tables; /* TACHO__SQLITE_TABLES_MAX at most */
	size_t table_count;
};

/* tacho's own, with the tables of the enum. */
void tacho__sqlite_get_own(struct tacho__sqlite_schema *out_schema);

/* {0} at first. */
struct tacho__sqlite_file {
	struct tacho__sqlite_library library;
	struct tacho__fs_new file;
	struct tacho__sqlite_db *db;
	const struct tacho__sqlite_schema *schema;
	struct tacho__sqlite_statement *inserts[TACHO__SQLITE_TABLES_MAX];
	struct tacho__sqlite_statement *row; /* that is being filled */
	int column;			     /* of it, the last one that was filled */
	struct tacho__buf clean;
	uint64_t beyond; /* numbers that do not fit a column and are NULL */
	int rc;
};

/* Makes the tables of the schema, which outlives it. UNSUPPORTED, EXISTS, IO, PERM, NOMEM. */
int tacho__sqlite_file_create(struct tacho__sqlite_file *file, const char *path, bool overwrite,
			      const struct tacho__sqlite_schema *schema);
/* Makes the rest of the schema and writes all to the disk: what is left is to name the file. */
int tacho__sqlite_file_complete(struct tacho__sqlite_file *file);
/* Completes the file, unless that was done, and gives it its name. */
int tacho__sqlite_file_commit(struct tacho__sqlite_file *file);
/* Removes what was not committed; always to be called. */
void tacho__sqlite_file_finish(struct tacho__sqlite_file *file);

/* A row of the schema's n-th table: its columns are added in their order between begin and end. */
void tacho__sqlite_row_begin(struct tacho__sqlite_file *file, unsigned table);
/* The text "" itself. */
void tacho__sqlite_row_empty(struct tacho__sqlite_file *file);
/* NULL for NULL and "". Bytes that are not UTF-8 become U+FFFD. Borrowed until the row ends. */
void tacho__sqlite_row_text(struct tacho__sqlite_file *file, const char *text);
/* A text that is not "" and known to be UTF-8. */
void tacho__sqlite_row_clean_text(struct tacho__sqlite_file *file, const char *text);
/* NULL when it is not `known`, or larger than the largest signed number: `beyond` counts those. */
void tacho__sqlite_row_unsigned(struct tacho__sqlite_file *file, bool known, uint64_t value);
void tacho__sqlite_row_integer(struct tacho__sqlite_file *file, int64_t value);
/* NULL for a number that is none. */
void tacho__sqlite_row_real(struct tacho__sqlite_file *file, double value);
/* A key: NULL for 0. */
void tacho__sqlite_row_id(struct tacho__sqlite_file *file, uint64_t id);
void tacho__sqlite_row_null(struct tacho__sqlite_file *file);
/* "0x1C5F2A0" */
void tacho__sqlite_row_handle(struct tacho__sqlite_file *file, uint64_t handle);
int tacho__sqlite_row_end(struct tacho__sqlite_file *file);

#endif
