/* SPDX-License-Identifier: MIT */
/*
 * The SQLite library, found when a database is to be written or read: tacho's own library needs
 * none. Declarations of what is used of it (https://www.sqlite.org/c3ref/intro.html).
 */
#ifndef TACHO_BASE_SQLITE_LIBRARY_H
#define TACHO_BASE_SQLITE_LIBRARY_H

#include <stdint.h>

#include "base/dl.h"

enum {
	TACHO__SQLITE_OK = 0,
	TACHO__SQLITE_NOMEM = 7,
	TACHO__SQLITE_INTERRUPT = 9,
	TACHO__SQLITE_IOERR = 10,
	TACHO__SQLITE_CORRUPT = 11,
	TACHO__SQLITE_FULL = 13,
	TACHO__SQLITE_CANTOPEN = 14,
	TACHO__SQLITE_ROW = 100,
	TACHO__SQLITE_DONE = 101,
	TACHO__SQLITE_OPEN_READONLY = 0x1,
	TACHO__SQLITE_OPEN_READWRITE = 0x2,
	TACHO__SQLITE_OPEN_URI = 0x40,
	TACHO__SQLITE_OPEN_NOMUTEX = 0x8000,
	TACHO__SQLITE_NEEDED = 3025000, /* window functions, which views use */
	TACHO__SQLITE_DBCONFIG_DEFENSIVE = 1010,
	TACHO__SQLITE_DBCONFIG_TRUSTED_SCHEMA = 1017,
	TACHO__SQLITE_FCNTL_LAST_ERRNO = 4,
	TACHO__SQLITE_LIMIT_LENGTH = 0,
	TACHO__SQLITE_LIMIT_SQL_LENGTH = 1,
	TACHO__SQLITE_LIMIT_ATTACHED = 7,
	TACHO__SQLITE_INTEGER = 1, /* types of columns */
	TACHO__SQLITE_FLOAT = 2,
	TACHO__SQLITE_TEXT_TYPE = 3,
	TACHO__SQLITE_BLOB = 4,
	TACHO__SQLITE_STRICT_SINCE = 3037000, /* STRICT tables */
};

/* How long a bound text stays where it is: until the row is done, or not even that. */
#define TACHO__SQLITE_STATIC	((void (*)(void *))0)
#define TACHO__SQLITE_TRANSIENT ((void (*)(void *))(intptr_t)-1)

struct tacho__sqlite_db;
struct tacho__sqlite_statement;
struct tacho__sqlite_value;

struct tacho__sqlite_library {
	struct tacho__dl dl;
	struct tacho__sqlite_calls {
		int (*libversion_number)(void);
		int (*open_v2)(const char *path, struct tacho__sqlite_db **out_db, int flags,
			       const char *vfs);
		int (*close)(struct tacho__sqlite_db *db);
		int (*exec)(struct tacho__sqlite_db *db, const char *sql, void *callback,
			    void *user, char **out_message);
		const char *(*errmsg)(struct tacho__sqlite_db *db);
		int (*system_errno)(struct tacho__sqlite_db *db);
		int (*file_control)(struct tacho__sqlite_db *db, const char *name, int what,
				    void *value);
		int (*prepare_v2)(struct tacho__sqlite_db *db, const char *sql, int size,
				  struct tacho__sqlite_statement **out_statement,
				  const char **out_rest);
		int (*bind_null)(struct tacho__sqlite_statement *statement, int index);
		int (*bind_int64)(struct tacho__sqlite_statement *statement, int index,
				  int64_t value);
		int (*bind_double)(struct tacho__sqlite_statement *statement, int index,
				   double value);
		int (*bind_text)(struct tacho__sqlite_statement *statement, int index,
				 const char *text, int size, void (*destroy)(void *));
		int (*step)(struct tacho__sqlite_statement *statement);
		int (*reset)(struct tacho__sqlite_statement *statement);
		int (*finalize)(struct tacho__sqlite_statement *statement);
		int (*column_type)(struct tacho__sqlite_statement *statement, int column);
		int64_t (*column_int64)(struct tacho__sqlite_statement *statement, int column);
		/* The cell, for one question after another: until the next step. */
		struct tacho__sqlite_value *(*column_value)(
			struct tacho__sqlite_statement *statement, int column);
		int (*value_type)(struct tacho__sqlite_value *value);
		int64_t (*value_int64)(struct tacho__sqlite_value *value);
		double (*column_double)(struct tacho__sqlite_statement *statement, int column);
		const unsigned char *(*column_text)(struct tacho__sqlite_statement *statement,
						    int column);
		const void *(*column_blob)(struct tacho__sqlite_statement *statement, int column);
		int (*column_bytes)(struct tacho__sqlite_statement *statement, int column);
		int (*limit)(struct tacho__sqlite_db *db, int which, int most);
		int (*db_config)(struct tacho__sqlite_db *db, int which, ...);
		void (*progress_handler)(struct tacho__sqlite_db *db, int steps,
					 int (*fn)(void *user), void *user);
	} calls;
};

/* UNSUPPORTED: it is not installed; the cure names packages. Undone by tacho__dl_close(). */
int tacho__sqlite_library_open(struct tacho__sqlite_library *out_library);

#endif
