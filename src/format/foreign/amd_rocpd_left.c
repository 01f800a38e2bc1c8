/* SPDX-License-Identifier: MIT */
/*
 * What rocpd databases have and tacho does not read: tables are counted and told.
 */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/amd_rocpd.h"

/* Tables that are read, that name what others hold, or that say more of rows that are read. */
static bool is_known(const char *name)
{
	static const char *const names[] = {
		"metadata",  "string",		"event",       "arg",	    "track",
		"region",    "kernel_dispatch", "memory_copy", "pmc_event", "memory_allocate",
		"line_info", "call_stack",	"timestamp",
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strncmp(name, "info_", strlen("info_"));
}

static int count_row(void *user, const struct tacho__foreign_query *query)
{
	uint64_t *count = user;

	(void)query;
	(*count)++;
	return 0;
}

/* "rocpd_hip_event_12ab": what is between the two is the name, when it ends as the set's do. */
static int look_at(struct tacho__rocpd_set *set, const char *table)
{
	static const char *const columns[] = {"id"};
	static const char begin[] = "rocpd_";
	const char *suffix = tacho__buf_text(&set->suffix);
	size_t size = strlen(table), end = strlen(suffix);
	char name[64] = "";
	uint64_t count = 0;
	int rc;

	if (size <= strlen(begin) + end || strcmp(table + size - end, suffix))
		return 0;
	size -= strlen(begin) + end;
	memcpy(name, table + strlen(begin), size < sizeof(name) ? size : sizeof(name) - 1);
	/* without an end all tables of other sets fit, too, whose ends have digits */
	if (is_known(name) || (!end && strpbrk(name, "0123456789")))
		return 0;
	rc = tacho__foreign_db_each_row(set->db, table, columns, 1, count_row, &count);
	if (count)
		tacho__foreign_note(set->amd.foreign, "%" PRIu64 " row%s of rocpd_%s %s left out.",
				    count, tacho__plural(count), name, count == 1 ? "is" : "are");
	return rc;
}

int tacho__rocpd_note_left(struct tacho__rocpd_set *set)
{
	struct tacho__buf name = {0};
	int rc = tacho__foreign_db_find(set->db, "rocpd_", "", &name);

	while (!rc && name.size) {
		rc = look_at(set, name.text);
		if (!rc)
			rc = tacho__foreign_db_find(set->db, "rocpd_", name.text, &name);
	}
	tacho__buf_finish(&name);
	return rc;
}

struct columns {
	bool has_process, has_track, has_start, has_stamp;
};

static int take_column(void *user, const char *name)
{
	struct columns *columns = user;

	columns->has_process |= !strcasecmp(name, "pid");
	columns->has_track |= !strcasecmp(name, "track_id");
	columns->has_start |= !strcasecmp(name, "start");
	columns->has_stamp |= !strcasecmp(name, "start_id");
	return 0;
}

int tacho__rocpd_check_schema(struct tacho__rocpd_set *set)
{
	struct columns columns = {0};
	struct tacho__buf buf = {0};
	const char *table = tacho__rocpd_table(set, "kernel_dispatch", &buf);
	int rc = table ? tacho__foreign_db_each_column(set->db, table, take_column, &columns)
		       : TACHO_E_NOMEM;

	tacho__buf_finish(&buf);
	set->has_tracks = columns.has_track && !columns.has_process;
	set->has_stamps = columns.has_stamp && !columns.has_start;
	return rc;
}
