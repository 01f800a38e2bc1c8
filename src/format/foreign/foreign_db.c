/* SPDX-License-Identifier: MIT */
#include "format/foreign/foreign_db.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/scratch.h"
#include "base/sqlite_library.h"
#include "format/foreign/foreign_bytes.h"

enum {
	TABLES_MAX = 4096,
	COLUMNS_MAX = 256,
	STEPS = 100000,	     /* of SQLite's machine between two looks at the bound */
	STEPS_OF_BYTE = 200, /* what reading and sorting a file may take */
	LOOKS_LEAST = 10000, /* of a small one */
	TEXT_MAX = 1 << 24,  /* of a text or row */
	STATEMENT_MAX = 1 << 16,
	UNPACKED_OF_BYTE = 100, /* more than databases of many equal rows are packed by */
	UNPACKED_LEAST = 64 << 20,
};

struct tacho__foreign_db {
	struct tacho__sqlite_library library;
	struct tacho__sqlite_db *db;
	char *path;
	int scratch_fd; /* what was packed; -1: it was not */
	uint64_t size;
	uint64_t looks_left;
	bool is_short; /* memory ran out, */
	int error;     /* or the system did not give what is in the file: its errno */
};

bool tacho__foreign_db_is(const char *head, size_t size)
{
	static const char magic[16] = "SQLite format 3";

	return size >= sizeof(magic) && !memcmp(head, magic, sizeof(magic));
}

/* What the system said when SQLite could not read; 0: that was not why. Some failures to read it
 * tells as damage: of these its file knows. */
static int errno_of(const struct tacho__foreign_db *db, int code)
{
	const struct tacho__sqlite_calls *calls = &db->library.calls;
	bool is_io =
		(code & 0xff) == TACHO__SQLITE_IOERR || (code & 0xff) == TACHO__SQLITE_CANTOPEN;
	int error = is_io && db->db ? calls->system_errno(db->db) : 0;

	if (!error && db->db)
		calls->file_control(db->db, "main", TACHO__SQLITE_FCNTL_LAST_ERRNO, &error);
	return error || !is_io ? error : EIO;
}

static int fail_memory(const struct tacho__foreign_db *db)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", db->path);
}

/* What has nothing to do with what is in the database is kept for tacho__foreign_db_check(). */
static int fail(struct tacho__foreign_db *db, int code, const char *what)
{
	const char *cause = tacho__detail("SQLite says: %s",
					  db->db ? db->library.calls.errmsg(db->db) : "no memory");
	int error = errno_of(db, code);

	if (error) {
		db->error = error;
		return tacho__fs_fail(error, "read", db->path);
	}
	switch (code & 0xff) {
	case TACHO__SQLITE_NOMEM: db->is_short = true; return fail_memory(db);
	case TACHO__SQLITE_INTERRUPT:
		return tacho__fail(TACHO_E_PARSE,
				   "it takes longer than a database of this size can", "",
				   "gave up reading %s of %s", what, db->path);
	default:
		return tacho__fail(TACHO_E_PARSE, cause, "export it again", "cannot read %s of %s",
				   what, db->path);
	}
}

/* What is not 0 ends the statement. */
static int look(void *user)
{
	struct tacho__foreign_db *db = user;

	return db->looks_left ? (db->looks_left--, 0) : 1;
}

static void bound(struct tacho__foreign_db *db, uint64_t bytes)
{
	const struct tacho__sqlite_calls *calls = &db->library.calls;

	db->looks_left = LOOKS_LEAST + bytes * STEPS_OF_BYTE / STEPS;
	calls->progress_handler(db->db, STEPS, look, db);
	calls->db_config(db->db, TACHO__SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
	calls->db_config(db->db, TACHO__SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
	calls->limit(db->db, TACHO__SQLITE_LIMIT_LENGTH, TEXT_MAX);
	calls->limit(db->db, TACHO__SQLITE_LIMIT_SQL_LENGTH, STATEMENT_MAX);
	calls->limit(db->db, TACHO__SQLITE_LIMIT_ATTACHED, 0);
}

/* ---- packed files ---- */

enum { HEAD = 18 }; /* the name of the format, and the size of a page */

/* Whether the file itself begins as what is in it. */
static int is_packed(struct tacho__foreign_db *db, unsigned char head[HEAD], bool *out_is_packed)
{
	int fd = open(db->path, O_RDONLY | O_CLOEXEC), error = fd < 0 ? errno : 0;
	struct stat status = {0};
	size_t got = 0;

	if (!error)
		error = tacho__fs_read_at(fd, head, HEAD, 0, &got);
	if (!error && fstat(fd, &status))
		error = errno;
	if (fd >= 0)
		close(fd);
	db->size = (uint64_t)status.st_size;
	*out_is_packed = !tacho__foreign_db_is((const char *)head, got);
	return error ? tacho__fs_fail(error, "read", db->path) : 0;
}

static int fail_room(const struct tacho__foreign_db *db, uint64_t most)
{
	return tacho__fail(TACHO_E_PARSE, tacho__detail("it is more than %" PRIu64 " bytes", most),
			   "unpack it yourself, and open what comes out", "gave up unpacking %s",
			   db->path);
}

/* SQLite reads files only: what is in a packed one goes to a file without a name. */
static int unpack(struct tacho__foreign_db *db, unsigned char head[HEAD])
{
	uint64_t most = UNPACKED_LEAST + db->size * UNPACKED_OF_BYTE, size = 0;
	struct tacho__foreign_bytes *bytes = NULL;
	char part[16 * 1024];
	size_t got = 1;
	int rc = tacho__foreign_bytes_open(db->path, &bytes);

	if (!rc)
		rc = tacho__scratch_open(&db->scratch_fd);
	while (!rc && got) {
		rc = tacho__foreign_bytes_read(bytes, part, sizeof(part), &got);
		if (!rc && size + got > most)
			rc = fail_room(db, most);
		if (!rc)
			rc = tacho__scratch_write(db->scratch_fd, part, got, size);
		size += got;
	}
	tacho__foreign_bytes_close(bytes);
	db->size = size;
	if (!rc && tacho__fs_read_at(db->scratch_fd, head, HEAD, 0, &got))
		rc = tacho__fs_fail(EIO, "read", db->path);
	return rc;
}

/* SQLite misses whole pages at the end, and takes what lacks of the last one for zeros. */
static int check_end(const struct tacho__foreign_db *db, const unsigned char head[HEAD])
{
	unsigned page = (unsigned)head[16] << 8 | head[17];

	if (page == 1) /* which stands for what two bytes cannot hold */
		page = 1 << 16;
	if (!page || !(db->size % page))
		return 0;
	return tacho__fail(TACHO_E_PARSE,
			   tacho__detail("it has %" PRIu64 " bytes, which are no whole pages of %u",
					 db->size, page),
			   "copy it again, or export it again", "%s was cut", db->path);
}

/* ---- opening ---- */

static void put_path(struct tacho__buf *name, const char *path)
{
	for (const char *at = path; *at; at++)
		if (strchr("?#%", *at))
			tacho__buf_printf(name, "%%%02X", (unsigned char)*at);
		else
			tacho__buf_char(name, *at);
}

/* "file:PATH?immutable=1": no journal of somebody else's is played back into it. */
static int open_path(struct tacho__foreign_db *db, const char *path)
{
	struct tacho__buf name = {0};
	int code = TACHO__SQLITE_NOMEM;

	tacho__buf_put(&name, "file:");
	put_path(&name, path);
	tacho__buf_put(&name, "?immutable=1");
	if (!name.failed)
		code = db->library.calls.open_v2(name.text, &db->db,
						 TACHO__SQLITE_OPEN_READONLY |
							 TACHO__SQLITE_OPEN_URI |
							 TACHO__SQLITE_OPEN_NOMUTEX,
						 NULL);
	tacho__buf_finish(&name);
	return code == TACHO__SQLITE_OK ? 0 : fail(db, code, "the tables");
}

/* SQLite opens what has a name. */
static int open_unpacked(struct tacho__foreign_db *db)
{
	char *path = NULL;
	int rc = tacho__scratch_name(db->scratch_fd, &path);

	if (rc)
		return rc;
	rc = open_path(db, path);
	unlink(path);
	free(path);
	return rc;
}

int tacho__foreign_db_open(const char *path, struct tacho__foreign_db **out_db)
{
	struct tacho__foreign_db *db = calloc(1, sizeof(*db));
	unsigned char head[HEAD] = "";
	bool packed = false;
	int rc;

	if (db) {
		db->scratch_fd = -1;
		db->path = strdup(path);
	}
	if (!db || !db->path) {
		free(db);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", path);
	}
	rc = tacho__sqlite_library_open(&db->library);
	if (!rc)
		rc = is_packed(db, head, &packed);
	if (!rc && packed)
		rc = unpack(db, head);
	if (!rc)
		rc = check_end(db, head);
	if (!rc)
		rc = packed ? open_unpacked(db) : open_path(db, db->path);
	if (!rc)
		bound(db, db->size);
	if (rc)
		tacho__foreign_db_close(db);
	else
		*out_db = db;
	return rc;
}

void tacho__foreign_db_close(struct tacho__foreign_db *db)
{
	if (!db)
		return;
	if (db->db)
		db->library.calls.close(db->db);
	tacho__dl_close(&db->library.dl);
	if (db->scratch_fd >= 0)
		close(db->scratch_fd);
	free(db->path);
	free(db);
}

/* ---- queries ---- */

static int prepare(struct tacho__foreign_db *db, const char *sql,
		   struct tacho__foreign_query *query)
{
	int code = db->library.calls.prepare_v2(db->db, sql, -1, &query->statement, NULL);

	query->db = db;
	return code == TACHO__SQLITE_OK ? 0 : fail(db, code, query->table);
}

int tacho__foreign_query_next(struct tacho__foreign_query *query)
{
	int code;

	if (!query->statement)
		return 0;
	code = query->db->library.calls.step(query->statement);
	if (code == TACHO__SQLITE_ROW)
		return 1;
	return code == TACHO__SQLITE_DONE ? 0 : fail(query->db, code, query->table);
}

void tacho__foreign_query_close(struct tacho__foreign_query *query)
{
	if (query->statement)
		query->db->library.calls.finalize(query->statement);
	query->statement = NULL;
}

int tacho__foreign_db_each_row(struct tacho__foreign_db *db, const char *table,
			       const char *const *columns, size_t count,
			       int (*take)(void *user, const struct tacho__foreign_query *query),
			       void *user)
{
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(db, table, columns, count, "", &query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1)
		rc = take(user, &query);
	tacho__foreign_query_close(&query);
	return rc;
}

int tacho__foreign_query_again(struct tacho__foreign_query *query, int64_t parameter)
{
	const struct tacho__sqlite_calls *calls = &query->db->library.calls;
	int code;

	if (!query->statement)
		return 0;
	calls->reset(query->statement);
	code = calls->bind_int64(query->statement, 1, parameter);
	return code == TACHO__SQLITE_OK ? 0 : fail(query->db, code, query->table);
}

/* Real tables have pages of their own; views and virtual tables, which run code, do not. */
bool tacho__foreign_db_has(struct tacho__foreign_db *db, const char *table)
{
	struct tacho__foreign_query query = {.table = "the list of tables"};
	int rc = prepare(db,
			 "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND "
			 "lower(name) = lower(?)",
			 &query);
	int code;

	if (!rc) {
		code = db->library.calls.bind_text(query.statement, 1, table, -1,
						   TACHO__SQLITE_STATIC);
		rc = code == TACHO__SQLITE_OK ? tacho__foreign_query_next(&query)
					      : fail(db, code, query.table);
	}
	tacho__foreign_query_close(&query);
	return rc == 1;
}

int tacho__foreign_db_check(const struct tacho__foreign_db *db)
{
	if (db->is_short)
		return fail_memory(db);
	return db->error ? tacho__fs_fail(db->error, "read", db->path) : 0;
}

static bool is_plain(const char *name, const char *begins)
{
	return !strncmp(name, begins, strlen(begins)) &&
	       name[strspn(name, "0123456789_abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

int tacho__foreign_db_find(struct tacho__foreign_db *db, const char *begins, const char *after,
			   struct tacho__buf *out_name)
{
	struct tacho__foreign_query query = {.table = "the list of tables"};
	struct tacho__buf found = {0};
	int rc = prepare(db,
			 "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
			 "AND name > ? ORDER BY name",
			 &query);

	if (!rc && db->library.calls.bind_text(query.statement, 1, after, -1,
					       TACHO__SQLITE_STATIC) != TACHO__SQLITE_OK)
		rc = fail(db, TACHO__SQLITE_NOMEM, query.table);
	while (!rc && !found.size && (rc = tacho__foreign_query_next(&query)) == 1) {
		const char *name = tacho__foreign_query_text(&query, 0);

		if (is_plain(name, begins))
			tacho__buf_put(&found, name);
		rc = 0;
	}
	if (!rc && found.failed) {
		db->is_short = true;
		rc = TACHO_E_NOMEM;
	}
	tacho__foreign_query_close(&query);
	tacho__buf_finish(out_name); /* perhaps `after` is this text */
	*out_name = found;
	return rc;
}

static int each_column(struct tacho__foreign_db *db, const char *table,
		       int (*take)(void *user, const char *name), void *user)
{
	struct tacho__foreign_query query = {.table = table};
	struct tacho__buf sql = {0};
	int rc;

	tacho__buf_printf(&sql, "PRAGMA table_info(\"%s\")", table);
	rc = sql.failed ? TACHO_E_NOMEM : prepare(db, sql.text, &query);
	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1)
		rc = take(user, tacho__foreign_query_text(&query, 1));
	tacho__foreign_query_close(&query);
	tacho__buf_finish(&sql);
	return rc;
}

int tacho__foreign_db_each_column(struct tacho__foreign_db *db, const char *table,
				  int (*take)(void *user, const char *name), void *user)
{
	return tacho__foreign_db_has(db, table) ? each_column(db, table, take, user)
						: tacho__foreign_db_check(db);
}

/* Columns that are looked for, and which of them there are, a bit each. */
struct wanted {
	const char *const *columns;
	size_t count;
	uint64_t has;
};

static int find_column(void *user, const char *name)
{
	struct wanted *wanted = user;

	for (size_t i = 0; i < wanted->count; i++)
		if (!strcasecmp(wanted->columns[i], name))
			wanted->has |= UINT64_C(1) << i;
	return 0;
}

int tacho__foreign_query_open(struct tacho__foreign_db *db, const char *table,
			      const char *const *columns, size_t count, const char *rest,
			      struct tacho__foreign_query *out_query)
{
	struct wanted wanted = {.columns = columns, .count = count};
	struct tacho__buf sql = {0};
	int rc;

	*out_query = (struct tacho__foreign_query){.db = db, .table = table};
	if (!tacho__foreign_db_has(db, table))
		return tacho__foreign_db_check(db);
	rc = each_column(db, table, find_column, &wanted);
	tacho__buf_put(&sql, "SELECT");
	for (size_t i = 0; i < count; i++)
		if (wanted.has & UINT64_C(1) << i)
			tacho__buf_printf(&sql, "%s \"%s\"", i ? "," : "", columns[i]);
		else
			tacho__buf_printf(&sql, "%s NULL", i ? "," : "");
	tacho__buf_printf(&sql, " FROM \"%s\"%s", table, rest);
	if (!rc)
		rc = sql.failed ? TACHO_E_NOMEM : prepare(db, sql.text, out_query);
	tacho__buf_finish(&sql);
	return rc;
}

bool tacho__foreign_query_int(const struct tacho__foreign_query *query, int column,
			      int64_t *out_value)
{
	const struct tacho__sqlite_calls *calls = &query->db->library.calls;

	struct tacho__sqlite_value *value = calls->column_value(query->statement, column);

	if (calls->value_type(value) != TACHO__SQLITE_INTEGER)
		return false;
	*out_value = calls->value_int64(value);
	return true;
}

bool tacho__foreign_query_real(const struct tacho__foreign_query *query, int column,
			       double *out_value)
{
	const struct tacho__sqlite_calls *calls = &query->db->library.calls;
	int type = calls->column_type(query->statement, column);

	if (type != TACHO__SQLITE_INTEGER && type != TACHO__SQLITE_FLOAT)
		return false;
	*out_value = calls->column_double(query->statement, column);
	return true;
}

int64_t tacho__foreign_query_get(const struct tacho__foreign_query *query, int column)
{
	int64_t value = 0;

	tacho__foreign_query_int(query, column, &value);
	return value;
}

const char *tacho__foreign_query_text(const struct tacho__foreign_query *query, int column)
{
	const struct tacho__sqlite_calls *calls = &query->db->library.calls;
	const char *text = NULL;

	if (calls->column_type(query->statement, column) == TACHO__SQLITE_TEXT_TYPE)
		text = (const char *)calls->column_text(query->statement, column);
	return text ? text : "";
}

const unsigned char *tacho__foreign_query_bytes(const struct tacho__foreign_query *query,
						int column, size_t *out_size)
{
	const struct tacho__sqlite_calls *calls = &query->db->library.calls;
	const unsigned char *bytes = NULL;
	int size = 0;

	if (calls->column_type(query->statement, column) == TACHO__SQLITE_BLOB) {
		bytes = calls->column_blob(query->statement, column);
		size = calls->column_bytes(query->statement, column);
	}
	*out_size = bytes && size > 0 ? (size_t)size : 0;
	return *out_size ? bytes : NULL;
}
