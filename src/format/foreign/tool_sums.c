/* SPDX-License-Identifier: MIT */
/*
 * Files of tools that have sums where a recording has calls and launches: they are known, and it is
 * said what keeps the rows.
 */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign.h"

static const struct {
	const char *begin; /* of a line */
	const char *what, *cure;
} sums[] = {
	{"=== Device Timing Summary", "it has sums of unitrace over all launches of a kernel",
	 "open what unitrace --chrome-call-logging --chrome-kernel-logging writes, or what "
	 "unitrace --device-timeline prints"},
	{"=== API Timing Summary", "it has sums of unitrace over all calls of a function",
	 "open what unitrace --chrome-call-logging --chrome-kernel-logging writes"},
	{"Kernel, GlobalInstanceId, ",
	 "it has samples of unitrace, of a device and not of launches",
	 "open what unitrace --metric-query writes: metrics of each launch"},
	{"=== Device Timing Results", "it has sums of onetrace over all launches of a kernel",
	 "open what onetrace --device-timeline prints"},
	{"=== API Timing Results", "it has sums of onetrace over all calls of a function",
	 "open what onetrace --device-timeline prints"},
	{"Total Enqueues: ", "it is the report of the OpenCL intercept layer: sums over all calls",
	 "open its clintercept_trace.json, which ChromeCallLogging=1 and "
	 "ChromePerformanceTiming=1 write"},
	{"Function Name,", "it is a report of the OpenCL intercept layer: sums over all calls",
	 "open its clintercept_trace.json, which ChromeCallLogging=1 and "
	 "ChromePerformanceTiming=1 write"},
};

/* The first that a line of the file begins with; the count when there is none. */
static size_t find(const struct tacho__foreign_file *file)
{
	for (const char *line = file->head; line; line = strchr(line, '\n')) {
		line += strspn(line, "\r\n");
		for (size_t i = 0; i < TACHO__ARRAY_SIZE(sums); i++)
			if (!strncmp(line, sums[i].begin, strlen(sums[i].begin)))
				return i;
		if (!*line)
			break;
	}
	return TACHO__ARRAY_SIZE(sums);
}

static bool fits(const struct tacho__foreign_file *file)
{
	return find(file) < TACHO__ARRAY_SIZE(sums);
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	size_t which = find(file);
	bool is_one = which < TACHO__ARRAY_SIZE(sums);

	return tacho__fail(TACHO_E_UNSUPPORTED, is_one ? sums[which].what : "it has no rows",
			   is_one ? sums[which].cure : "", "%s is no recording", file->path);
}

const struct tacho__foreign_reader tacho__foreign_tool_sums = {
	.name = "sums",
	.title = "tables of sums, which are no recordings",
	.fits = fits,
	.read_file = read_file,
};
