/* SPDX-License-Identifier: MIT */
/* Recordings as databases, read back with SQL. */
#ifndef SQLITE_DATABASE_H
#define SQLITE_DATABASE_H

#include "base/buf.h"
#include "base/sqlite_library.h"
#include "sample_recording.h"
#include "test_folder.h"

struct database {
	struct folder folder;
	struct tacho__sqlite_db *db;
	struct tacho__buf found;
};

extern struct tacho__sqlite_library library;
void expect_export(struct fake_recording *recording, const char *base, int expected);
void export_to(struct database *database, struct fake_recording *recording);
void finish(struct database *database);

/* Rows as lines, columns with | between them. */
const char *query(struct database *database, const char *sql);

#define EXPECT(database, sql, expected) assert_string_equal(query(database, sql), expected)

#endif
