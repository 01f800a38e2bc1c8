/* SPDX-License-Identifier: MIT */
#include "format/estimate.h"

#include <string.h>

enum {
	SAMPLE_ALL = 1024, /* calls at the start that are all looked at */
	SAMPLE_EVERY = 13, /* one of that many later; odd, as programs repeat themselves */
};

uint64_t tacho__sampler_add(struct tacho__sampler *sampler, struct tacho_cursor *cursor)
{
	uint64_t bytes;

	if (sampler->calls++ >= SAMPLE_ALL && sampler->calls % SAMPLE_EVERY)
		return sampler->bytes / sampler->sampled;
	bytes = strlen(tacho_cursor_format_arguments(cursor, ";"));
	sampler->sampled++;
	sampler->bytes += bytes;
	return bytes;
}

int tacho__estimate_template(struct tacho__estimate *estimate, const struct tacho_call *call,
			     uint64_t *out_commands)
{
	const struct tacho_template *contents = call->command ? call->command->contents : NULL;
	bool is_new = false;
	uint64_t number;
	int rc = 0;

	if (contents)
		rc = tacho__template_numbers_get(&estimate->templates, call->process, contents,
						 &number, &is_new);
	*out_commands = is_new ? contents->command_count + 1 : 0;
	return rc;
}

/* About what a range takes in any format, its name with it. */
enum { RANGE_BYTES = 200 };

static void add_range(void *user, const struct tacho_named_range *range)
{
	struct tacho__estimate *estimate = user;

	estimate->bytes += RANGE_BYTES;
}

int tacho__estimate(struct tacho_recording *recording, uint64_t run_bytes, uint64_t process_bytes,
		    tacho__call_fn fn, uint64_t *out_bytes)
{
	struct tacho__estimate estimate = {.bytes = run_bytes};
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(recording, &cursor);

	if (rc)
		return rc;
	tacho_cursor_on_range(cursor, add_range, &estimate);
	rc = tacho__format_each_call(cursor, fn, &estimate);
	tacho_cursor_close(cursor);

	estimate.bytes += process_bytes * tacho_recording_get_process_count(recording);
	tacho__template_numbers_finish(&estimate.templates);
	if (!rc)
		*out_bytes = estimate.bytes;
	return rc;
}

uint64_t tacho__estimate_values(const struct tacho_result *result)
{
	const struct tacho_column *column;
	uint64_t count = 0;

	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		count += column->instance_count;
	return count;
}

uint64_t tacho__hash_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}
