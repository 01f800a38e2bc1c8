/* SPDX-License-Identifier: MIT */
/* Named ranges in databases of nvprof: a row where one begins, and a row of the same id where it
 * ends, which has no name. */
#include <string.h>

#include "base/array.h"
#include "format/foreign/nvprof.h"

enum { INSTANT = 1, BEGIN = 2, END = 4 }; /* bits of flags */
enum { OF_PROCESS = 1, OF_THREAD = 2 };	  /* objectKind */

enum column { FLAGS, TIME, ID, OBJECT_KIND, OBJECT, NAME, DOMAIN };

struct markers {
	const struct tacho__nvprof_file *file;
	struct tacho__foreign_query query;
	struct tacho__foreign_range
		begun; /* that has not ended; its `api` is 0 when there is none */
	int64_t begun_id;
	uint64_t count;
};

static int find_text(const struct markers *markers, enum column column, uint32_t *out_text)
{
	const char *text = "";
	int64_t string = 0;
	int rc = 0;

	*out_text = 0;
	if (tacho__foreign_query_int(&markers->query, column, &string) && string)
		rc = tacho__nvprof_find_string(markers->file, string, &text);
	return rc || !*text ? rc : tacho__foreign_text(markers->file->foreign, text, out_text);
}

/* A process and a thread, as two numbers of 32 bits. */
static uint32_t find_thread(const struct markers *markers)
{
	size_t size;
	const unsigned char *bytes = tacho__foreign_query_bytes(&markers->query, OBJECT, &size);

	if (!bytes || size < 8 ||
	    tacho__foreign_query_get(&markers->query, OBJECT_KIND) != OF_THREAD)
		return 0;
	return (uint32_t)bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16 |
	       (uint32_t)bytes[7] << 24;
}

static int add(struct markers *markers, const struct tacho__foreign_range *range)
{
	markers->count++;
	return tacho__foreign_add_range(markers->file->foreign, range);
}

/* One that does not end in the file is open. */
static int leave_begun(struct markers *markers)
{
	const struct tacho__foreign_range begun = markers->begun;

	markers->begun.api = 0;
	return begun.api ? add(markers, &begun) : 0;
}

static int end_range(struct markers *markers, int64_t ns)
{
	if (!markers->begun.api ||
	    tacho__foreign_query_get(&markers->query, ID) != markers->begun_id)
		return 0;
	markers->begun.end_ns = ns;
	markers->begun.has_end = 1;
	return leave_begun(markers);
}

static int begin_range(struct markers *markers, int64_t ns, bool is_instant)
{
	struct tacho__foreign_range range = {
		.process = markers->file->process,
		.thread = find_thread(markers),
		.kind = is_instant ? TACHO_RANGE_MARK
			: tacho__foreign_query_get(&markers->query, OBJECT_KIND) == OF_PROCESS
				? TACHO_RANGE_PROCESS
				: TACHO_RANGE_NESTED,
		.start_ns = ns,
		.end_ns = ns,
		.has_end = is_instant};
	int rc = leave_begun(markers);

	if (!rc)
		rc = find_text(markers, NAME, &range.name);
	if (!rc)
		rc = find_text(markers, DOMAIN, &range.domain);
	if (!rc)
		rc = tacho__foreign_text(markers->file->foreign, "nvtx", &range.api);
	if (rc || is_instant)
		return rc ? rc : add(markers, &range);
	markers->begun = range;
	markers->begun_id = tacho__foreign_query_get(&markers->query, ID);
	return 0;
}

static int take_row(struct markers *markers)
{
	int64_t flags = tacho__foreign_query_get(&markers->query, FLAGS), ns;

	if (!tacho__foreign_query_int(&markers->query, TIME, &ns) || ns <= 0)
		return 0;
	if (flags & END)
		return end_range(markers, ns);
	return flags & (BEGIN | INSTANT) ? begin_range(markers, ns, (flags & BEGIN) == 0) : 0;
}

int tacho__nvprof_read_markers(const struct tacho__nvprof_file *file, uint64_t *out_count)
{
	static const char *const columns[] = {"flags",	  "timestamp", "id",	"objectKind",
					      "objectId", "name",      "domain"};
	struct markers markers = {.file = file};
	int rc = tacho__foreign_query_open(file->db, "CUPTI_ACTIVITY_KIND_MARKER", columns,
					   TACHO__ARRAY_SIZE(columns),
					   " ORDER BY \"id\", \"timestamp\"", &markers.query);

	while (!rc && (rc = tacho__foreign_query_next(&markers.query)) == 1)
		rc = take_row(&markers);
	tacho__foreign_query_close(&markers.query);
	*out_count = markers.count;
	return rc ? rc : leave_begun(&markers);
}
