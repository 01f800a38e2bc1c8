/* SPDX-License-Identifier: MIT */
/*
 * Windows of time: a thread reads the samples of the GPU, each of which is a row. The hardware ends
 * a window by its own clock; a row's name is when, after the first window began.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "backend/collection.h"
#include "backend/cupti/cupti_sampler.h"
#include "backend/window_clock.h"
#include "base/clock.h"
#include "base/cond.h"
#include "base/error.h"
#include "base/number.h"

static const uint64_t POLL_NS = 20000000;

struct windows {
	struct tacho__collection base;
	struct tacho__cupti_device *device;
	struct tacho__cupti_sampler sampler;
	bool is_open, is_stopping; /* the latter under the base's lock */
	pthread_t thread;

	/* Of the thread. */
	struct tacho__rows *rows;
	bool is_warm; /* the first sample, which began before sampling did, is over */
	bool is_lost; /* the buffer was full, and what is missing was not seen yet */
	uint64_t origin_ns, end_ns, number;
	struct tacho__window_clock clock;
};

static int fail_kind(const struct tacho__cupti_device *device, const char *cause, const char *cure)
{
	return tacho__fail(TACHO_E_UNSUPPORTED, cause, cure, "%s is not sampled", device->gpu.name);
}

int tacho__cupti_begin_windows(struct tacho_device *base,
			       const struct tacho__collection_options *options,
			       struct tacho__collection **out_collection)
{
	struct tacho__cupti_device *device = TACHO__OWN(struct tacho__cupti_device, base);
	struct windows *windows;
	int rc;

	if (!options->window_ns)
		return fail_kind(device, "its samples are windows of time",
				 "say how long they are: tacho stat -I 10");
	if (device->live)
		return fail_kind(device, "it would count what this program does with itself",
				 "sample from another process: tacho stat -I 10");
	windows = tacho__collection_create(sizeof(*windows), options);
	if (!windows)
		return TACHO_E_NOMEM;
	windows->device = device;
	rc = tacho__cupti_sampler_open(device, options->plan, &windows->sampler);
	if (rc)
		tacho__collection_destroy(&windows->base);
	else
		*out_collection = &windows->base;
	return rc;
}

/* ---- rows ---- */

static int deliver(struct windows *windows, const struct tacho__cupti_sample_values *sample,
		   uint64_t lost)
{
	struct tacho__rows *rows = windows->rows;
	char name[TACHO__NUMBER_MAX];
	struct tacho_row row = {.id = windows->number, .name = name};

	tacho__window_clock_place(&windows->clock, sample->start_ns, sample->end_ns, &row);
	tacho__number_format_seconds(sample->end_ns - windows->origin_ns, name);
	for (size_t i = 0; i < rows->counter_count; i++) {
		double value = sample->values[i];
		bool is_there = isfinite(value);
		bool is_whole = is_there && value >= 0 && value < 0x1p64;

		tacho__rows_put(rows, i, 0, is_whole ? (uint64_t)value : 0, is_there ? value : 0,
				is_there ? TACHO_STATE_OK : TACHO_STATE_ABSENT);
	}
	return tacho__collection_deliver(&windows->base,
					 &(struct tacho__batch){.pass = windows->base.pass,
								.row_count = 1,
								.rows = &row,
								.columns = rows->columns,
								.lost_rows = lost});
}

/* A window begins where the one before ended: what is missing has left a gap. */
static uint64_t count_lost(const struct windows *windows,
			   const struct tacho__cupti_sample_values *sample)
{
	uint64_t window_ns = windows->base.options->window_ns;

	if (sample->start_ns <= windows->end_ns)
		return 0;
	return (sample->start_ns - windows->end_ns + window_ns / 2) / window_ns;
}

static int take_sample(void *user, const struct tacho__cupti_sample_values *sample)
{
	struct windows *windows = user;
	uint64_t lost;
	int rc;

	tacho__window_clock_note(&windows->clock, sample->end_ns);
	if (!windows->is_warm || sample->end_ns <= sample->start_ns) {
		windows->is_warm = true;
		windows->origin_ns = windows->end_ns = sample->end_ns;
		return 0;
	}
	lost = count_lost(windows, sample);
	windows->number += lost;
	rc = deliver(windows, sample, lost);
	windows->number++;
	windows->end_ns = sample->end_ns;
	if (lost)
		windows->is_lost = false;
	return rc;
}

/* The buffer was full, and nothing came behind that could tell how much is missing. */
static int tell_lost(struct windows *windows)
{
	return tacho__collection_deliver(&windows->base,
					 &(struct tacho__batch){.pass = windows->base.pass,
								.columns = windows->rows->columns,
								.lost_rows = 1});
}

/* ---- the thread ---- */

/* Until it is time to read again. False: sampling ends. */
static bool await_samples(struct windows *windows)
{
	uint64_t window_ns = windows->base.options->window_ns;
	uint64_t until_ns =
		tacho__clock_monotonic_ns() + (window_ns < POLL_NS ? POLL_NS : window_ns);
	bool in_time = true, is_stopping;

	pthread_mutex_lock(&windows->base.lock);
	while (!windows->is_stopping && in_time)
		in_time = tacho__cond_wait(&windows->base.changed, &windows->base.lock, until_ns);
	is_stopping = windows->is_stopping;
	pthread_mutex_unlock(&windows->base.lock);
	return !is_stopping;
}

/* Twice the period is the longest that a row waits for being read. */
static void *run(void *user)
{
	struct windows *windows = user;
	bool goes_on = true;
	int rc = 0;

	while (goes_on && !rc) {
		goes_on = await_samples(windows);
		if (!goes_on)
			rc = tacho__cupti_sampler_stop(&windows->sampler);
		if (!rc)
			rc = tacho__cupti_sampler_read(&windows->sampler, take_sample, windows,
						       &windows->is_lost);
	}
	if (!rc && windows->is_lost)
		rc = tell_lost(windows);
	if (rc)
		tacho__collection_fail(&windows->base, rc);
	return NULL;
}

int tacho__cupti_begin_sampling(struct tacho__collection *base, uint32_t pass)
{
	struct windows *windows = TACHO__OWN(struct windows, base);
	int rc;

	windows->rows = tacho__rows_create(tacho_plan_get_pass(base->options->plan, pass), 1);
	if (!windows->rows)
		return TACHO_E_NOMEM;
	base->pass = pass;
	base->has_failed = windows->is_stopping = windows->is_warm = windows->is_lost = false;
	windows->number = 0;
	tacho__window_clock_begin(&windows->clock);
	rc = tacho__cupti_sampler_start(&windows->sampler, base->options->window_ns);
	if (!rc) {
		rc = tacho__collection_start_thread(base, run, &windows->thread);
		if (rc)
			tacho__cupti_sampler_disable(&windows->sampler);
	}
	windows->is_open = !rc;
	if (rc) {
		free(windows->rows);
		windows->rows = NULL;
	}
	return rc;
}

int tacho__cupti_end_sampling(struct tacho__collection *base)
{
	struct windows *windows = TACHO__OWN(struct windows, base);

	if (!windows->is_open)
		return 0;
	pthread_mutex_lock(&base->lock);
	windows->is_stopping = true;
	pthread_cond_broadcast(&base->changed);
	pthread_mutex_unlock(&base->lock);
	pthread_join(windows->thread, NULL);
	tacho__cupti_sampler_disable(&windows->sampler);
	free(windows->rows);
	windows->rows = NULL;
	windows->is_open = false;
	return 0;
}

void tacho__cupti_end_windows(struct tacho__collection *base)
{
	struct windows *windows = TACHO__OWN(struct windows, base);

	tacho__cupti_end_sampling(base);
	tacho__cupti_sampler_close(&windows->sampler);
	tacho__collection_destroy(base);
}
