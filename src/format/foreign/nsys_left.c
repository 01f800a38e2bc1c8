/* SPDX-License-Identifier: MIT */
/*
 * What a file of Nsight Systems has and tacho does not read, by the names of its tables, and what
 * the tool itself warns of: that it missed events, or that it does not know the driver.
 */
#include <string.h>

#include "base/array.h"
#include "format/foreign/nsys.h"

enum { TOLD_MAX = 12, TEXT_MAX = 300 };

/* Tables that are read, that describe others, and those of the tool's own work. */
static const char *const known[] = {
	"CUPTI_ACTIVITY_KIND_KERNEL",
	"CUPTI_ACTIVITY_KIND_MEMCPY",
	"CUPTI_ACTIVITY_KIND_MEMSET",
	"CUPTI_ACTIVITY_KIND_RUNTIME",
	"CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
	"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", /* they are calls, too */
	"CUDA_GRAPH_",
	"NVTX_",
	"StringIds",
	"ANALYSIS_",
	"DIAGNOSTIC_",
	"ENUM_",
	"EXPORT_META_DATA",
	"META_DATA_",
	"PROCESSES",
	"PROFILER_OVERHEAD",
	"ProcessStreams",
	"TARGET_INFO_",
	"ThreadNames",
	"UnifiedStrings",
	"sqlite_",
};

/* Of what is read; that a program used no API of some sort is no loss. */
static bool is_of_interest(const char *text)
{
	static const char *const words[] = {"CUDA", "CUPTI", "NVTX", "GPU", "dropped", "lost"};

	if (!strncmp(text, "No ", 3) && strstr(text, " events collected"))
		return false;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

static int note_warnings(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {"text"};
	struct tacho__foreign_query query;
	uint64_t count = 0;
	int rc = tacho__foreign_query_open(
		nsys->db, "DIAGNOSTIC_EVENT", columns, 1,
		" WHERE \"severity\" IN (2, 3) GROUP BY \"text\" ORDER BY \"severity\" DESC",
		&query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1) {
		const char *text = tacho__foreign_query_text(&query, 0);
		size_t size = strcspn(text, "\r\n"); /* advice follows */

		rc = 0;
		if (is_of_interest(text) && ++count <= TOLD_MAX)
			tacho__foreign_note(nsys->foreign, "Nsight Systems warned: %.*s%s",
					    size < TEXT_MAX ? (int)size : TEXT_MAX, text,
					    size && text[size - 1] == '.' ? "" : ".");
	}
	tacho__foreign_query_close(&query);
	return rc;
}

int tacho__nsys_note_left(struct tacho__nsys *nsys)
{
	int rc = note_warnings(nsys);

	return rc ? rc
		  : tacho__foreign_note_tables(nsys->foreign, nsys->db, known,
					       TACHO__ARRAY_SIZE(known));
}
