/* SPDX-License-Identifier: MIT */
/* The tables of a database that its reader does not read, by name: what is in them may be missed.
 */
#include <inttypes.h>
#include <string.h>

#include "format/foreign/foreign.h"
#include "format/foreign/foreign_db.h"

enum { TOLD_MAX = 12 };

static bool is_known(const char *table, const char *const *known, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(table, known[i], strlen(known[i])))
			return true;
	return false;
}

/* 1: the table has a row. */
static int has_row(struct tacho__foreign_db *db, const char *table)
{
	static const char *const none[] = {"start"};
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(db, table, none, 1, " LIMIT 1", &query);

	if (!rc)
		rc = tacho__foreign_query_next(&query);
	tacho__foreign_query_close(&query);
	return rc;
}

int tacho__foreign_note_tables(struct tacho__foreign *foreign, struct tacho__foreign_db *db,
			       const char *const *known, size_t known_count)
{
	struct tacho__buf name = {0}, names = {0};
	uint64_t count = 0;
	int rc = tacho__foreign_db_find(db, "", "", &name);

	while (!rc && name.size) {
		rc = is_known(name.text, known, known_count) ? 0 : has_row(db, name.text);
		if (rc == 1 && ++count <= TOLD_MAX)
			tacho__buf_printf(&names, "%s%.80s", count > 1 ? ", " : "", name.text);
		if (rc >= 0)
			rc = tacho__foreign_db_find(db, "", name.text, &name);
	}
	if (count > TOLD_MAX)
		tacho__buf_printf(&names, " and %" PRIu64 " more", count - TOLD_MAX);
	foreign->note.failed |= names.failed;
	if (count)
		tacho__foreign_note(foreign, "Tables of the file that are not read: %s.",
				    tacho__buf_text(&names));
	tacho__buf_finish(&name);
	tacho__buf_finish(&names);
	return rc;
}
