/* SPDX-License-Identifier: MIT */
/* What databases of nvprof say of GPUs. */
#include <inttypes.h>

#include "base/array.h"
#include "format/foreign/nvprof.h"

static void put_number(struct tacho__buf *text, const char *key,
		       const struct tacho__foreign_query *query, int column)
{
	int64_t value;

	if (tacho__foreign_query_int(query, column, &value) && value > 0)
		tacho__buf_printf(text, "%s=%" PRIi64 "\n", key, value);
}

/* Its name is a text of the file's table of strings; elder ones have it themselves. */
static int put_name(const struct tacho__nvprof_file *file, const struct tacho__foreign_query *query,
		    uint64_t id, struct tacho__buf *text)
{
	const char *name = tacho__foreign_query_text(query, 0);
	int64_t string;
	int rc = 0;

	if (tacho__foreign_query_int(query, 0, &string)) {
		rc = tacho__nvprof_find_string(file, string, &name);
		if (rc)
			return rc;
	}
	if (*name && !strpbrk(name, "\r\n"))
		tacho__buf_printf(text, "name=%s\n", name);
	else
		tacho__buf_printf(text, "name=GPU %" PRIu64 "\n", id);
	return 0;
}

static int put_all(const struct tacho__nvprof_file *file, const struct tacho__foreign_query *query,
		   uint64_t id, struct tacho__buf *text)
{
	int64_t minor = 0;

	put_number(text, "compute_units", query, 1);
	put_number(text, "memory_bytes", query, 2);
	put_number(text, "clock_khz", query, 3);
	put_number(text, "wave_size", query, 4);
	tacho__foreign_query_int(query, 6, &minor);
	if (tacho__foreign_query_get(query, 5) > 0)
		tacho__buf_printf(text, "compute_capability=%" PRIi64 ".%" PRIi64 "\n",
				  tacho__foreign_query_get(query, 5), minor);
	return put_name(file, query, id, text);
}

int tacho__nvprof_describe_device(const struct tacho__nvprof_file *file, uint64_t id,
				  struct tacho__buf *text)
{
	static const char *const columns[] = {"name",
					      "numMultiprocessors",
					      "globalMemorySize",
					      "coreClockRate",
					      "numThreadsPerWarp",
					      "computeCapabilityMajor",
					      "computeCapabilityMinor"};
	struct tacho__foreign_query query;
	int rc;

	tacho__buf_printf(text, "type=gpu\nvendor=NVIDIA\nnumber=%" PRIu64 "\n", id);
	rc = tacho__foreign_query_open(file->db, "CUPTI_ACTIVITY_KIND_DEVICE", columns,
				       TACHO__ARRAY_SIZE(columns), " WHERE \"id\" = ?", &query);
	if (!rc)
		rc = tacho__foreign_query_again(&query, (int64_t)id);
	if (!rc)
		rc = tacho__foreign_query_next(&query);
	if (rc == 1)
		rc = put_all(file, &query, id, text);
	else if (!rc)
		tacho__buf_printf(text, "name=GPU %" PRIu64 "\n", id);
	tacho__foreign_query_close(&query);
	return rc;
}
