/* SPDX-License-Identifier: MIT */
/*
 * SQLite databases of others, read only: nothing of them is trusted. Tables alone are read, what a
 * query may take is bounded by the size of the file, and no function of the schema runs.
 */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_DB_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct tacho__foreign_db;

/* Whether a file that begins so is a database. */
bool tacho__foreign_db_is(const char *head, size_t size);
/* Owned. UNSUPPORTED: SQLite is not installed. IO, PARSE, NOMEM. */
int tacho__foreign_db_open(const char *path, struct tacho__foreign_db **out_db);
/* NULL does nothing. */
void tacho__foreign_db_close(struct tacho__foreign_db *db);
/* What fails while it looks, tacho__foreign_db_check() says. */
bool tacho__foreign_db_has(struct tacho__foreign_db *db, const char *table);
/* IO, NOMEM: a table that is there was perhaps not found. */
int tacho__foreign_db_check(const struct tacho__foreign_db *db);
/*
 * The first table behind `after` in the order of names that begins so and has no other characters
 * than letters, digits and "_"; "" when there is none. The text is made anew. PARSE, NOMEM.
 */
int tacho__foreign_db_find(struct tacho__foreign_db *db, const char *begins, const char *after,
			   struct tacho__buf *out_name);

/*
 * Gives each column's name to `take`, until it fails; there is none where the table is not. Names
 * are the file's, in UTF-8 or not, and may hold anything. PARSE, IO, NOMEM.
 */
int tacho__foreign_db_each_column(struct tacho__foreign_db *db, const char *table,
				  int (*take)(void *user, const char *name), void *user);

/* Rows of a table. {0} at first. */
struct tacho__foreign_query {
	struct tacho__foreign_db *db;
	struct tacho__sqlite_statement
		*statement; /* NULL: the table is not there, it has no rows */
	const char *table;
};

/*
 * Reads these columns of a table: those that it does not have are NULL. `rest` is SQL behind it,
 * " WHERE id = ?" with its parameter bound by tacho__foreign_query_again(), or "". PARSE, NOMEM.
 */
int tacho__foreign_query_open(struct tacho__foreign_db *db, const char *table,
			      const char *const *columns, size_t count, const char *rest,
			      struct tacho__foreign_query *out_query);
/* Begins anew with this parameter. */
int tacho__foreign_query_again(struct tacho__foreign_query *query, int64_t parameter);
/* 1: there is a row; 0: no more; PARSE: the database is damaged; or it takes too long; IO, NOMEM.
 */
int tacho__foreign_query_next(struct tacho__foreign_query *query);
void tacho__foreign_query_close(struct tacho__foreign_query *query);
/* All of these at once: each row is given to `take`, until it fails. */
int tacho__foreign_db_each_row(struct tacho__foreign_db *db, const char *table,
			       const char *const *columns, size_t count,
			       int (*take)(void *user, const struct tacho__foreign_query *query),
			       void *user);

/* A column of the row, by its place among the columns; false when it is no whole number. */
bool tacho__foreign_query_int(const struct tacho__foreign_query *query, int column,
			      int64_t *out_value);
/* A number of any sort. */
bool tacho__foreign_query_real(const struct tacho__foreign_query *query, int column,
			       double *out_value);
/* The whole number, or 0. */
int64_t tacho__foreign_query_get(const struct tacho__foreign_query *query, int column);
/* "" when it is no text; borrowed until the next row. */
const char *tacho__foreign_query_text(const struct tacho__foreign_query *query, int column);
/* Bytes as they are, and how many; NULL when it is something else. Borrowed until the next row. */
const unsigned char *tacho__foreign_query_bytes(const struct tacho__foreign_query *query,
						int column, size_t *out_size);

#endif
