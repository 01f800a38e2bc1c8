/* SPDX-License-Identifier: MIT */
#include "record/bounds.h"

#include <stdlib.h>
#include <string.h>

#include <tacho/sys/pattern.h>

#include "units.h"

/* Less is all descriptions and no calls. */
static const uint64_t BYTES_MIN = 1000 * 1000;

/* An expression is alone in its option: commas are part of it. */
static size_t get_name_length(const char *list)
{
	return strncasecmp(list, "regex:", 6) == 0 ? strlen(list) : strcspn(list, ",");
}

static void add_name(struct cli_bounds *bounds, const char *name, size_t length)
{
	bounds->names = cli_grow(bounds->names, bounds->name_count, sizeof(*bounds->names));
	bounds->names[bounds->name_count++] = cli_format("%.*s", (int)length, name);
}

/* All names of all lists; the class of the failure when one is empty, or no pattern. */
static int split_names(struct cli_bounds *bounds)
{
	for (size_t i = 0; i < bounds->calls.count; i++) {
		const char *at = bounds->calls.texts[i];
		bool is_more = true;

		for (; is_more; at++) {
			size_t length = get_name_length(at);

			if (!length) {
				cli_complain("", "name functions: --calls 'clEnqueue*,clFinish'",
					     "a name in --calls is empty");
				return CLI_USAGE;
			}
			add_name(bounds, at, length);
			at += length;
			is_more = *at == ',';
		}
	}
	for (size_t i = 0; i < bounds->name_count; i++) {
		struct tacho_pattern *pattern;

		if (tacho_pattern_create(bounds->names[i], 0, &pattern) != 0)
			return (int)cli_complain_last();
		tacho_pattern_destroy(pattern);
	}
	return CLI_OK;
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

int cli_bounds_check(struct cli_bounds *bounds)
{
	if (is_too_small("max-size", bounds->max_bytes) || is_too_small("ring", bounds->ring_bytes))
		return CLI_USAGE;
	if (bounds->only_work && bounds->calls.count)
		cli_complain("one names the calls, the other says that they are those of work",
			     "leave one of them out", "--calls and --no-calls exclude each other");
	else if (bounds->ring_bytes && bounds->max_bytes &&
		 bounds->ring_bytes / 3 * 4 > bounds->max_bytes)
		cli_complain("at seven eighths of --max-size calls are left out, and what "
			     "describes the run takes its part",
			     "give a smaller ring, or leave --max-size out",
			     "--ring is more than three quarters of --max-size");
	else
		return split_names(bounds);
	return CLI_USAGE;
}

void cli_bounds_apply(const struct cli_bounds *bounds, struct tacho_launch_options *options)
{
	options->max_bytes = bounds->max_bytes;
	options->ring_bytes = bounds->ring_bytes;
	options->max_calls = bounds->max_calls;
	options->max_launches = bounds->max_launches;
	options->only_work = bounds->only_work;
	options->is_synced = bounds->is_synced;
	options->calls = (const char *const *)bounds->names;
	options->call_count = (uint32_t)bounds->name_count;
}

void cli_bounds_finish(struct cli_bounds *bounds)
{
	for (size_t i = 0; i < bounds->name_count; i++)
		free(bounds->names[i]);
	free(bounds->names);
	bounds->names = NULL;
	bounds->name_count = 0;
}
