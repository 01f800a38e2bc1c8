/* SPDX-License-Identifier: MIT */
#include "format/sqlite/sqlite_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/character.h"

/* Nobody else sees the file before it is whole, so nothing is to be rolled back. */
#define SETTINGS                                                                                \
	"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;" \
	"PRAGMA encoding = 'UTF-8'; PRAGMA foreign_keys = OFF;"

/* Keeps the first failure, told by the library's code for it. */
static int keep_failure(struct tacho__sqlite_file *file, int code)
{
	const struct tacho__sqlite_calls *calls = &file->library.calls;
	const char *path = file->file.path;
	int error;

	if (file->rc || code == TACHO__SQLITE_OK || code == TACHO__SQLITE_DONE)
		return file->rc;
	error = file->db ? calls->system_errno(file->db) : 0;
	switch (code & 0xff) { /* above are details */
	case TACHO__SQLITE_NOMEM:
		file->rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to write %s", path);
		break;
	case TACHO__SQLITE_FULL: file->rc = tacho__fs_fail(ENOSPC, "write", path); break;
	case TACHO__SQLITE_IOERR:
	case TACHO__SQLITE_CANTOPEN:
	case TACHO__SQLITE_CORRUPT: /* what it wrote itself: it could not read it */
		file->rc = tacho__fs_fail(error ? error : EIO, "write", path);
		break;
	default:
		file->rc = tacho__fail_vendor(
			tacho__fail(TACHO_E_VENDOR,
				    tacho__detail("%s", file->db ? calls->errmsg(file->db) : ""),
				    "", "SQLite cannot write %s", path),
			code);
	}
	return file->rc;
}

/* Databases of libraries that do not know STRICT tables do without: types are then not checked. */
static void hide_strict(char *sql)
{
	static const char *const words[] = {"STRICT,", "STRICT"};

	for (size_t i = 0; i < 2; i++)
		for (char *at = sql; (at = strstr(at, words[i]));)
			memset(at, ' ', strlen(words[i]));
}

static int run_script(struct tacho__sqlite_file *file, const char *script)
{
	char *sql = strdup(script);

	if (!sql) {
		file->rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for SQL");
		return file->rc;
	}
	if (file->library.calls.libversion_number() < TACHO__SQLITE_STRICT_SINCE)
		hide_strict(sql);
	keep_failure(file, file->library.calls.exec(file->db, sql, NULL, NULL, NULL));
	free(sql);
	return file->rc;
}

static int prepare_inserts(struct tacho__sqlite_file *file)
{
	struct tacho__buf sql = {0};

	for (size_t i = 0; i < file->schema->table_count && !file->rc; i++) {
		const struct tacho__sqlite_rows *rows = &file->schema->tables[i];

		tacho__buf_clear(&sql);
		tacho__buf_printf(&sql, "INSERT INTO %s VALUES (?", rows->table);
		for (unsigned k = 1; k < rows->columns; k++)
			tacho__buf_put(&sql, ", ?");
		tacho__buf_put(&sql, ")");
		if (sql.failed)
			file->rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for SQL");
		else
			keep_failure(file,
				     file->library.calls.prepare_v2(file->db, tacho__buf_text(&sql),
								    -1, &file->inserts[i], NULL));
	}
	tacho__buf_finish(&sql);
	return file->rc;
}

static int open_db(struct tacho__sqlite_file *file)
{
	char *path; /* never one that SQLite takes for a URI */

	if (asprintf(&path, "%s%s", *file->file.temporary == '/' ? "" : "./",
		     file->file.temporary) < 0) {
		file->rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to create %s",
				       file->file.path);
		return file->rc;
	}
	keep_failure(file, file->library.calls.open_v2(path, &file->db,
						       TACHO__SQLITE_OPEN_READWRITE |
							       TACHO__SQLITE_OPEN_NOMUTEX,
						       NULL));
	free(path);
	if (!file->rc)
		keep_failure(file, file->library.calls.exec(file->db, SETTINGS, NULL, NULL, NULL));
	if (!file->rc)
		run_script(file, file->schema->marks);
	if (!file->rc)
		keep_failure(file, file->library.calls.exec(file->db, "BEGIN", NULL, NULL, NULL));
	return file->rc;
}

int tacho__sqlite_file_create(struct tacho__sqlite_file *file, const char *path, bool overwrite,
			      const struct tacho__sqlite_schema *schema)
{
	file->schema = schema;
	file->rc = tacho__sqlite_library_open(&file->library);
	if (!file->rc)
		file->rc = tacho__fs_create(&file->file, path, overwrite);
	if (!file->rc)
		open_db(file);
	if (!file->rc)
		run_script(file, schema->begin);
	return file->rc ? file->rc : prepare_inserts(file);
}

static void close_db(struct tacho__sqlite_file *file)
{
	if (!file->db)
		return;
	for (size_t i = 0; i < file->schema->table_count; i++)
		file->library.calls.finalize(file->inserts[i]);
	file->library.calls.close(file->db);
	file->db = NULL;
}

int tacho__sqlite_file_complete(struct tacho__sqlite_file *file)
{
	if (!file->db)
		return file->rc;
	if (!file->rc)
		run_script(file, file->schema->end);
	if (!file->rc)
		keep_failure(file, file->library.calls.exec(file->db, "COMMIT", NULL, NULL, NULL));
	close_db(file);
	return file->rc;
}

int tacho__sqlite_file_commit(struct tacho__sqlite_file *file)
{
	if (!tacho__sqlite_file_complete(file))
		file->rc = tacho__fs_commit(&file->file);
	return file->rc;
}

void tacho__sqlite_file_finish(struct tacho__sqlite_file *file)
{
	close_db(file);
	tacho__fs_discard(&file->file);
	tacho__dl_close(&file->library.dl);
	tacho__buf_finish(&file->clean);
}

/* ---- rows ---- */

void tacho__sqlite_row_begin(struct tacho__sqlite_file *file, unsigned table)
{
	file->row = file->inserts[table];
	file->column = 0;
}

static const char *clean(struct tacho__sqlite_file *file, const char *text)
{
	tacho__buf_clear(&file->clean);
	tacho__text_put_utf8(&file->clean, text);
	if (file->clean.failed)
		file->rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to write %s",
				       file->file.path);
	return tacho__buf_text(&file->clean);
}

static void bind_text(struct tacho__sqlite_file *file, const char *text, size_t size,
		      void (*destroy)(void *))
{
	if (size > INT32_MAX)
		file->rc =
			tacho__fail(TACHO_E_UNSUPPORTED, tacho__detail("it has %zu bytes", size),
				    "export jsonl", "a text is too long for %s", file->file.path);
	if (!file->rc)
		keep_failure(file, file->library.calls.bind_text(file->row, file->column, text,
								 (int)size, destroy));
}

void tacho__sqlite_row_text(struct tacho__sqlite_file *file, const char *text)
{
	size_t good;

	if (!text || !*text) {
		tacho__sqlite_row_null(file);
		return;
	}
	file->column++;
	if (file->rc)
		return;
	good = tacho__text_find_bad(text);
	if (!text[good]) {
		bind_text(file, text, good, TACHO__SQLITE_STATIC);
		return;
	}
	text = clean(file, text);
	bind_text(file, text, file->clean.size, TACHO__SQLITE_TRANSIENT);
}

void tacho__sqlite_row_clean_text(struct tacho__sqlite_file *file, const char *text)
{
	file->column++;
	if (!file->rc)
		bind_text(file, text, strlen(text), TACHO__SQLITE_STATIC);
}

void tacho__sqlite_row_empty(struct tacho__sqlite_file *file)
{
	file->column++;
	if (!file->rc)
		bind_text(file, "", 0, TACHO__SQLITE_STATIC);
}

void tacho__sqlite_row_integer(struct tacho__sqlite_file *file, int64_t value)
{
	file->column++;
	if (!file->rc)
		keep_failure(file, file->library.calls.bind_int64(file->row, file->column, value));
}

void tacho__sqlite_row_unsigned(struct tacho__sqlite_file *file, bool known, uint64_t value)
{
	if (known && value <= INT64_MAX) {
		tacho__sqlite_row_integer(file, (int64_t)value);
		return;
	}
	file->beyond += known;
	tacho__sqlite_row_null(file);
}

void tacho__sqlite_row_real(struct tacho__sqlite_file *file, double value)
{
	if (isnan(value)) {
		tacho__sqlite_row_null(file);
		return;
	}
	file->column++;
	if (!file->rc)
		keep_failure(file, file->library.calls.bind_double(file->row, file->column, value));
}

void tacho__sqlite_row_id(struct tacho__sqlite_file *file, uint64_t id)
{
	tacho__sqlite_row_unsigned(file, id != 0, id);
}

void tacho__sqlite_row_null(struct tacho__sqlite_file *file)
{
	file->column++;
	if (!file->rc)
		keep_failure(file, file->library.calls.bind_null(file->row, file->column));
}

void tacho__sqlite_row_handle(struct tacho__sqlite_file *file, uint64_t handle)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIX64, handle);
	file->column++;
	if (!file->rc)
		bind_text(file, text, strlen(text), TACHO__SQLITE_TRANSIENT);
}

int tacho__sqlite_row_end(struct tacho__sqlite_file *file)
{
	if (file->rc)
		return file->rc;
	keep_failure(file, file->library.calls.step(file->row));
	file->library.calls.reset(file->row);
	return file->rc;
}
