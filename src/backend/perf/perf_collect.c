/* SPDX-License-Identifier: MIT */
/*
 * A collection: descriptors of a pass, read at the ends of ranges or of windows of time. What
 * happened between two readings is delivered at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/perf/perf.h"
#include "base/clock.h"
#include "base/cond.h"
#include "base/error.h"
#include "base/number.h"

enum { NS_PER_S = 1000000000 };

/* A range with readings of all counters. */
struct range {
	struct tacho__device_range base;
	struct tacho__perf_reading readings[]; /* at its begin, then at its end */
};

struct perf_collection {
	struct tacho__collection base;
	struct tacho__perf_device *device;
	struct tacho__arena arena;
	struct tacho__perf_pass *passes; /* what is open of them: under the base's lock */
	struct tacho__perf_pass *current;
	struct tacho__map followed; /* with wants_thread: the threads that are counted; the same */

	pthread_t thread;
	bool has_thread, is_stopping;
	uint64_t begin_ns;
};

/* Where the threads or CPUs that are to be counted take no group, its events are on their own. */
static int open_alone(struct tacho__perf_opened *event, const struct tacho__perf_target *target)
{
	struct tacho__perf_opened *next;
	int rc = 0;

	for (; event && !rc; event = next) {
		next = event->next;
		event->next = NULL;
		event->is_leader = true;
		rc = tacho__perf_open(event, target);
	}
	return rc;
}

static void close_pass(struct perf_collection *collection)
{
	const struct tacho__perf_pass *pass = collection->current;

	for (size_t i = 0; pass && i < pass->count; i++)
		if (pass->events[i].is_leader)
			tacho__perf_close(&pass->events[i]);
	tacho__map_finish(&collection->followed);
	collection->current = NULL;
}

static int open_pass(struct perf_collection *collection, struct tacho__perf_pass *pass)
{
	const struct tacho__collection_options *options = collection->base.options;
	const struct tacho__perf_target target = {.pid = options->pid,
						  .from_exec = options->from_exec,
						  .wants_thread = options->wants_thread};
	int rc = 0;

	collection->current = pass;
	for (size_t i = 0; i < pass->count && !rc; i++) {
		struct tacho__perf_opened *event = &pass->events[i];

		if (!event->is_leader || event->count)
			continue;
		rc = tacho__perf_open(event, &target);
		if (rc && event->next)
			rc = open_alone(event, &target);
	}
	if (rc)
		close_pass(collection);
	return rc;
}

/* All counters or none: a thread that only some of them count would be missing in the others. */
static int follow_thread(struct perf_collection *collection, int64_t thread)
{
	const struct tacho__perf_pass *pass = collection->current;
	size_t *before = calloc(pass->count + 1, sizeof(*before));
	int rc = 0;

	if (!before)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a thread");
	for (size_t i = 0; i < pass->count; i++)
		before[i] = pass->events[i].count;
	for (size_t i = 0; i < pass->count && !rc; i++) {
		const struct tacho__perf_pmu *pmu = pass->events[i].counter->pmu;

		/* some count everybody already */
		if (pass->events[i].is_leader && (!pmu || !pmu->is_device_wide))
			rc = tacho__perf_open_thread(&pass->events[i], thread);
	}
	if (!rc)
		rc = tacho__map_set(&collection->followed, (uint64_t)thread, collection);
	for (size_t i = 0; i < pass->count && rc; i++)
		if (pass->events[i].is_leader)
			tacho__perf_close_from(&pass->events[i], before[i]);
	free(before);
	return rc;
}

/* Opens the counters for a thread that is wanted and not counted yet. Under the lock. */
static int see_thread(void *user, int64_t thread)
{
	struct perf_collection *collection = user;
	const struct tacho__collection_options *options = collection->base.options;

	if (tacho__map_get(&collection->followed, (uint64_t)thread) ||
	    !options->wants_thread(options->user, thread))
		return 0;
	return follow_thread(collection, thread);
}

/* Everything that the kernel could refuse is tried before work runs. */
static int make_passes(struct perf_collection *collection)
{
	const struct tacho_plan *plan = collection->base.options->plan;
	uint32_t count = 0;
	size_t most = 0;
	int rc = 0;

	while (tacho_plan_get_pass(plan, count))
		count++;
	collection->passes =
		tacho__arena_get(&collection->arena, (count + 1) * sizeof(*collection->passes));
	if (!collection->passes)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < count && !rc; i++) {
		struct tacho__perf_pass *pass = &collection->passes[i];

		rc = tacho__perf_make_pass(collection->device, plan, i, &collection->arena, pass);
		if (!rc)
			rc = open_pass(collection, pass);
		close_pass(collection);
		most = pass->count > most ? pass->count : most;
	}
	collection->base.range_size =
		sizeof(struct range) + 2 * most * sizeof(struct tacho__perf_reading);
	return rc;
}

int tacho__perf_begin(struct tacho_device *base, const struct tacho__collection_options *options,
		      struct tacho__collection **out_collection)
{
	struct tacho__perf_device *device = TACHO__OWN(struct tacho__perf_device, base);
	struct perf_collection *collection;
	int rc;

	if (device->is_foreign)
		return tacho__fail(TACHO_E_UNSUPPORTED, "its tree is not that of /sys",
				   "make the context without a sysroot",
				   "units of another machine cannot count");
	collection = tacho__collection_create(sizeof(*collection), options);
	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = device;
	rc = make_passes(collection);
	if (rc)
		tacho__perf_end(&collection->base);
	else
		*out_collection = &collection->base;
	return rc;
}

/* Readings of all counters. When one is gone, the session ends, not only the call. */
static int read_all(struct perf_collection *collection, struct tacho__perf_reading *out_readings)
{
	const struct tacho__perf_pass *pass = collection->current;
	int rc = 0;

	pthread_mutex_lock(&collection->base.lock); /* threads may be added meanwhile */
	for (size_t i = 0; i < pass->count && !rc; i++)
		rc = tacho__perf_read(&pass->events[i], &out_readings[i]);
	pthread_mutex_unlock(&collection->base.lock);
	return rc ? tacho__collection_fail(&collection->base, rc) : 0;
}

/* One row of all counters. */
static int deliver(const struct perf_collection *collection,
		   const struct tacho__perf_reading *begin, const struct tacho__perf_reading *end,
		   const uint64_t *key, const struct tacho_row *row)
{
	uint32_t pass = (uint32_t)(collection->current - collection->passes);
	struct tacho__rows *rows =
		tacho__rows_create(tacho_plan_get_pass(collection->base.options->plan, pass), 1);
	int rc;

	if (!rows)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < rows->counter_count; i++) {
		double scale = collection->current->events[i].counter->scale;
		struct tacho__perf_value value;

		tacho__perf_difference(&begin[i], &end[i], scale, &value);
		tacho__rows_put(rows, i, 0, value.whole, value.real, value.state);
		rows->coverage[i] = value.coverage;
		rows->columns[i].coverage = &rows->coverage[i];
	}
	rc = tacho__collection_deliver(&collection->base,
				       &(struct tacho__batch){.pass = pass,
							      .row_count = 1,
							      .keys = key,
							      .rows = row,
							      .columns = rows->columns});
	free(rows);
	return rc;
}

/* Waits until then; true when the pass ends before. */
static bool wait_until(struct perf_collection *collection, uint64_t time_ns)
{
	struct tacho__collection *base = &collection->base;
	bool in_time = true, stopping;

	pthread_mutex_lock(&base->lock);
	while (!collection->is_stopping && in_time)
		in_time = tacho__cond_wait(&base->changed, &base->lock, time_ns);
	stopping = collection->is_stopping;
	pthread_mutex_unlock(&base->lock);
	return stopping;
}

/*
 * Windows begin at multiples of their length; one that was missed is part of the next. The first
 * begins with the counters, which were 0.
 */
static int deliver_windows(struct perf_collection *collection, struct tacho__perf_reading *last,
			   struct tacho__perf_reading *now)
{
	uint64_t length_ns = collection->base.options->window_ns, end_ns = collection->begin_ns;
	uint64_t last_ns = collection->begin_ns;
	bool stopping = false;
	int rc = 0;

	for (uint64_t i = 0; !rc && !stopping; i++) {
		struct tacho__perf_reading *free = last;
		char name[TACHO__NUMBER_MAX];
		struct tacho_row row = {.id = i, .name = name, .start_ns = last_ns};
		uint64_t time_ns;

		end_ns += length_ns;
		stopping = wait_until(collection, end_ns);
		time_ns = tacho__clock_monotonic_ns();
		rc = read_all(collection, now);
		if (rc)
			break;
		row.end_ns = last_ns = time_ns;
		row.uncertainty_ns = tacho__clock_monotonic_ns() - time_ns;
		tacho__number_format_seconds(time_ns - collection->begin_ns, name);
		rc = deliver(collection, last, now, NULL, &row);
		last = now;
		now = free;
		while (end_ns + length_ns <= time_ns)
			end_ns += length_ns;
	}
	return rc;
}

static void *run_windows(void *user)
{
	struct perf_collection *collection = user;
	size_t count = collection->current->count;
	struct tacho__perf_reading *readings = calloc(2 * count + 1, sizeof(*readings));
	int rc = readings ? deliver_windows(collection, readings, readings + count)
			  : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for readings");

	if (rc)
		tacho__collection_fail(&collection->base, rc);
	free(readings);
	return NULL;
}

static int start_thread(struct perf_collection *collection)
{
	int rc;

	collection->is_stopping = false;
	collection->begin_ns = tacho__clock_monotonic_ns();
	rc = tacho__collection_start_thread(&collection->base, run_windows, &collection->thread);
	collection->has_thread = !rc;
	return rc;
}

static void stop_thread(struct perf_collection *collection)
{
	if (!collection->has_thread)
		return;
	pthread_mutex_lock(&collection->base.lock);
	collection->is_stopping = true;
	pthread_cond_broadcast(&collection->base.changed);
	pthread_mutex_unlock(&collection->base.lock);
	pthread_join(collection->thread, NULL);
	collection->has_thread = false;
}

int tacho__perf_begin_pass(struct tacho__collection *base, uint32_t index)
{
	struct perf_collection *collection = TACHO__OWN(struct perf_collection, base);
	struct tacho__perf_pass *pass = &collection->passes[index];
	int rc = open_pass(collection, pass);

	for (size_t i = 0; i < pass->count && !rc; i++) {
		const struct tacho__perf_opened *event = &pass->events[i];
		const struct tacho__perf_pmu *pmu = event->counter->pmu;

		/* enabled by the kernel at execve otherwise */
		if (event->is_leader && (!base->options->from_exec || base->options->pid == -1 ||
					 (pmu && pmu->is_device_wide)))
			tacho__perf_enable(event);
	}
	if (!rc && base->options->window_ns)
		rc = start_thread(collection);
	if (rc)
		close_pass(collection);
	return rc;
}

int tacho__perf_end_pass(struct tacho__collection *base)
{
	struct perf_collection *collection = TACHO__OWN(struct perf_collection, base);

	stop_thread(collection);
	close_pass(collection);
	tacho__collection_clear(base, NULL);
	return 0;
}

int tacho__perf_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct perf_collection *collection = TACHO__OWN(struct perf_collection, base);
	struct range *range = tacho__collection_begin_range(base, key);
	int rc = range ? 0 : TACHO_E_NOMEM;

	if (!rc && base->options->wants_thread) {
		pthread_mutex_lock(&base->lock);
		rc = tacho__perf_each_thread(base->options->pid, "threads", see_thread, collection);
		pthread_mutex_unlock(&base->lock);
	}
	if (!rc)
		rc = read_all(collection, range->readings);
	if (rc && range)
		tacho__collection_drop_range(base, &range->base);
	return rc;
}

int tacho__perf_end_range(struct tacho__collection *base, uint64_t key)
{
	struct perf_collection *collection = TACHO__OWN(struct perf_collection, base);
	size_t count = collection->current->count;
	struct range *range = tacho__collection_find_range(base, key);
	int rc = range ? read_all(collection, range->readings + count) : TACHO_E_INVAL;

	if (!rc)
		rc = deliver(collection, range->readings, range->readings + count, &key, NULL);
	if (range)
		tacho__collection_drop_range(base, &range->base);
	return rc;
}

void tacho__perf_end(struct tacho__collection *base)
{
	tacho__perf_end_pass(base);
	tacho__arena_finish(&TACHO__OWN(struct perf_collection, base)->arena);
	tacho__collection_destroy(base);
}
