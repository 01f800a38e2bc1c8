/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/sqlite_library.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"
#include "sqlite_database.h"

struct tacho__sqlite_library library;

void expect_export(struct fake_recording *recording, const char *base, int expected)
{
	static const struct tacho_export_options options = {.size = sizeof(options), .partial = 1};
	int rc = tacho_recording_export(fake_recording(recording), "sqlite", base, &options);

	if (rc != expected)
		print_error("%s: %s\n", tacho_error_last()->message, tacho_error_last()->cause);
	assert_int_equal(rc, expected);
}

void export_to(struct database *database, struct fake_recording *recording)
{
	memset(database, 0, sizeof(*database));
	folder_make(&database->folder);
	expect_export(recording, folder_name(&database->folder, "x"), 0);
	assert_int_equal(library.calls.open_v2(folder_name(&database->folder, "x.sqlite"),
					       &database->db, 1, NULL),
			 0);
}

void finish(struct database *database)
{
	tacho__buf_finish(&database->found);
	library.calls.close(database->db);
	assert_int_equal(folder_count(&database->folder), 1); /* no journal, no half file */
	folder_remove(&database->folder);
}

static int take_row(void *user, int count, char **values, char **names)
{
	struct tacho__buf *found = user;

	for (int i = 0; i < count; i++)
		tacho__buf_printf(found, "%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
	tacho__buf_char(found, '\n');
	return 0;
}

const char *query(struct database *database, const char *sql)
{
	int rc;

	tacho__buf_clear(&database->found);
	rc = library.calls.exec(database->db, sql, (void *)take_row, &database->found, NULL);
	if (rc)
		print_error("%s: %s\n", sql, library.calls.errmsg(database->db));
	assert_int_equal(rc, 0);
	return tacho__buf_text(&database->found);
}
