/* SPDX-License-Identifier: MIT */
#include "record/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "units.h"

/* Less is all descriptions and no calls. */
static const uint64_t BYTES_MIN = 1000 * 1000;

/* Whether each name of each list is there. */
static bool has_empty_name(const struct cli_texts *lists)
{
	for (size_t i = 0; i < lists->count; i++) {
		const char *list = lists->texts[i];
		size_t length = strlen(list);

		if (!length || *list == ',' || list[length - 1] == ',' || strstr(list, ",,"))
			return true;
	}
	return false;
}

static bool is_too_small(const char *name, uint64_t bytes)
{
	struct cli_number number, least;

	if (!bytes || bytes >= BYTES_MIN)
		return false;
	cli_complain("what describes the run takes part of it", "give at least 1M",
		     "--%s is %s, and no recording is of less than %s", name,
		     cli_units_bytes(&number, bytes), cli_units_bytes(&least, BYTES_MIN));
	return true;
}

int cli_bounds_check(const struct cli_bounds *bounds)
{
	if (is_too_small("max-size", bounds->max_bytes) || is_too_small("ring", bounds->ring_bytes))
		return CLI_USAGE;
	if (bounds->only_work && bounds->calls.count)
		cli_complain("one names the calls, the other says that they are those of work",
			     "leave one of them out", "--calls and --no-calls exclude each other");
	else if (has_empty_name(&bounds->calls))
		cli_complain("", "name functions: --calls 'clEnqueue*,clFinish'",
			     "a name in --calls is empty");
	else if (bounds->ring_bytes && bounds->max_bytes &&
		 bounds->ring_bytes / 3 * 4 > bounds->max_bytes)
		cli_complain("at seven eighths of --max-size calls are left out, and what "
			     "describes the run takes its part",
			     "give a smaller ring, or leave --max-size out",
			     "--ring is more than three quarters of --max-size");
	else
		return CLI_OK;
	return CLI_USAGE;
}

static size_t count_names(const struct cli_texts *lists)
{
	size_t count = lists->count;

	for (size_t i = 0; i < lists->count; i++)
		for (const char *at = lists->texts[i]; (at = strchr(at, ',')); at++)
			count++;
	return count;
}

void cli_bounds_apply(struct cli_bounds *bounds, struct tacho_launch_options *options)
{
	uint32_t count = 0;
	char *rest;

	options->max_bytes = bounds->max_bytes;
	options->ring_bytes = bounds->ring_bytes;
	options->only_work = bounds->only_work;
	options->is_synced = bounds->is_synced;
	if (!bounds->calls.count)
		return;
	bounds->names = cli_alloc(count_names(&bounds->calls) * sizeof(*bounds->names));
	bounds->copy = rest = cli_texts_join(&bounds->calls);
	while (rest)
		bounds->names[count++] = strsep(&rest, ",");
	options->calls = bounds->names;
	options->call_count = count;
}

void cli_bounds_finish(struct cli_bounds *bounds)
{
	free(bounds->names);
	free(bounds->copy);
	bounds->names = NULL;
	bounds->copy = NULL;
}
