/* SPDX-License-Identifier: MIT */
/* Counters that are sampled beside the program, in this process, as records of the recording. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "inject/launch.h"
#include "record/window_records.h"
#include "tacho/config.h"

static const uint64_t LAST_WAIT_NS = 1000000000;

static bool put(struct tacho_launch *launch, uint16_t kind, const uint8_t *packed, uint32_t size)
{
	return tacho__window_writer_put(&launch->sampler.writer, kind, packed, size);
}

/* ---- the beginning ---- */

static int check_columns(const struct tacho_launch_sampling *sampling, size_t *out_count)
{
	const struct tacho_config_entry *entry;
	size_t count = 0;

	for (; (entry = tacho_config_get_entry(sampling->config, count)); count++)
		if (entry->keeps_instances)
			return tacho__fail(TACHO_E_UNSUPPORTED,
					   tacho__detail("%s asks for the values of instances",
							 tacho_config_get_column_name(
								 sampling->config, count)),
					   "ask for the counter without them",
					   "windows of time keep one value of a counter");
	if (count > TACHO__SAMPLED_COLUMNS_MAX)
		return tacho__fail(TACHO_E_UNSUPPORTED, tacho__detail("these are %zu", count),
				   "name fewer", "windows of time have %d counters at most",
				   TACHO__SAMPLED_COLUMNS_MAX);
	*out_count = count;
	return 0;
}

static bool put_column(struct tacho_launch *launch, uint32_t index)
{
	const struct tacho_config *config = launch->sampler.sampling->config;
	const struct tacho_entry *entry = tacho_config_get_definition(config, index);
	const char *semantic = tacho_arch_get_semantic(tacho_config_get_arch(config), entry);
	const struct tacho__sampled_column column = {
		.column = index,
		.type = entry->type,
		.name = tacho_config_get_column_name(config, index),
		.unit = entry->unit,
		.description = entry->description,
		.semantic = semantic ? semantic : "",
	};
	uint8_t packed[TACHO__SAMPLED_BYTES];

	return put(launch, TACHO__RECORD_SAMPLED_COLUMN, packed,
		   tacho__sampled_pack_column(&column, packed));
}

static int describe(struct tacho_launch *launch, size_t count)
{
	const struct tacho_launch_sampling *sampling = launch->sampler.sampling;
	const struct tacho__sampled sampled = {
		.window_ns = sampling->window_ns,
		.is_simulated = tacho_device_get_info(sampling->device)->is_simulated,
		.column_count = (uint32_t)count,
		.device = sampling->title,
	};
	uint8_t packed[TACHO__SAMPLED_BYTES];
	bool is_there =
		tacho__window_writer_open(launch->keeper.pool, &launch->sampler.writer) &&
		put(launch, TACHO__RECORD_SAMPLED, packed, tacho__sampled_pack(&sampled, packed));

	for (uint32_t i = 0; i < count && is_there; i++)
		is_there = put_column(launch, i);
	return is_there ? 0
			: tacho__fail(TACHO_E_NOMEM, launch->keeper.path,
				      "make room there, or set XDG_RUNTIME_DIR to another folder "
				      "in memory",
				      "there is no room for what is sampled");
}

int tacho__launch_begin_sampling(struct tacho_launch *launch, pid_t pid)
{
	struct tacho__launch_sampler *sampler = &launch->sampler;
	const struct tacho_launch_sampling *sampling = sampler->sampling;
	struct tacho_session_options options = {
		.size = sizeof(options), .replay = TACHO_REPLAY_NONE, .pid = pid, .from_exec = 1};
	size_t count = 0;
	int rc;

	if (!sampling)
		return 0;
	options.window_ns = sampling->window_ns;
	options.strict = sampling->is_strict;
	rc = check_columns(sampling, &count);
	if (!rc)
		rc = describe(launch, count);
	sampler->has_started = !rc;
	if (!rc)
		rc = tacho_session_create(sampling->device, sampling->plan, &options,
					  &sampler->session);
	sampler->cannot = rc;
	return rc;
}

bool tacho_launch_cannot_sample(const struct tacho_launch *launch)
{
	return launch && launch->sampler.cannot;
}

/* ---- while it runs ---- */

static void write_window(struct tacho_launch *launch, const struct tacho_result *result, size_t row)
{
	struct tacho__launch_sampler *sampler = &launch->sampler;
	const struct tacho_row *info = tacho_result_get_row(result, row);
	const struct tacho__window window = {
		.index = sampler->index++,
		.start_ns = info->start_ns,
		.end_ns = info->end_ns,
		.uncertainty_ns = info->uncertainty_ns,
		.count = (uint32_t)tacho_result_get_column_count(result),
	};
	uint8_t packed[TACHO__SAMPLED_BYTES];

	/* where a device cannot say when it was, the window has no place among calls */
	if (info->end_ns && info->start_ns <= info->end_ns &&
	    put(launch, TACHO__RECORD_WINDOW, packed,
		tacho__window_pack(&window, result, row, packed)))
		sampler->written++;
	else
		sampler->lost++;
}

/* Why nothing more comes; the first reason stays. */
static void note_failure(struct tacho__launch_sampler *sampler)
{
	const struct tacho_error_detail *error = tacho_error_last();

	if (*sampler->cause)
		return;
	snprintf(sampler->cause, sizeof(sampler->cause), "%s%s%s", error->message,
		 *error->cause ? ": " : "", error->cause);
	snprintf(sampler->cure, sizeof(sampler->cure), "%s", error->cure);
}

static void write_ready(struct tacho_launch *launch)
{
	struct tacho_result *result;

	if (tacho_session_take(launch->sampler.session, &result)) {
		note_failure(&launch->sampler);
		return;
	}
	for (size_t i = 0; i < tacho_result_get_row_count(result); i++)
		write_window(launch, result, i);
	tacho_result_destroy(result);
}

void tacho__launch_take_windows(struct tacho_launch *launch)
{
	struct tacho__launch_sampler *sampler = &launch->sampler;
	size_t ready = 0;
	int rc;

	if (!sampler->session)
		return;
	rc = tacho_session_drain(sampler->session, 0, &ready);
	if (rc && rc != TACHO_E_TIMEOUT)
		note_failure(sampler);
	if (ready)
		write_ready(launch);
}

/* ---- the end ---- */

static void put_end(struct tacho_launch *launch, uint64_t lost)
{
	const struct tacho__launch_sampler *sampler = &launch->sampler;
	const struct tacho__sampled_end end = {
		.windows = sampler->index,
		.lost = lost,
		.cause = sampler->cause,
		.cure = sampler->cure,
	};
	uint8_t packed[TACHO__SAMPLED_BYTES];

	put(launch, TACHO__RECORD_SAMPLED_END, packed, tacho__sampled_pack_end(&end, packed));
}

void tacho__launch_end_sampling(struct tacho_launch *launch)
{
	struct tacho__launch_sampler *sampler = &launch->sampler;
	uint64_t lost = 0;

	if (sampler->session) {
		if (tacho_session_end_pass(sampler->session, NULL) ||
		    tacho_session_drain(sampler->session, LAST_WAIT_NS, NULL))
			note_failure(sampler);
		write_ready(launch);
		lost = tacho_session_get_lost_rows(sampler->session);
		sampler->lost += lost;
		tacho_session_destroy(sampler->session);
		sampler->session = NULL;
	}
	if (sampler->has_started)
		put_end(launch, lost);
	sampler->has_started = false;
	tacho__window_writer_close(&sampler->writer);
}
