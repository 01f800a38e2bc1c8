/* SPDX-License-Identifier: MIT */
/*
 * A collection: descriptors of a pass, read at the ends of ranges or of windows of time. What
 * happened between two readings is delivered at once.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backend/perf/perf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"

enum { NS_PER_S = 1000000000 };

/* A range that is open, with the readings at its begin. */
struct range {
	struct range *next;
	uint64_t key;
	struct tacho__perf_reading *begin;
};

struct tacho__collection {
	struct tacho__device *device;
	const struct tacho__collection_options *options;
	uint32_t pass;
	const struct tacho__perf_counter **counters; /* of the pass */
	struct tacho__perf_opened *opened;
	size_t counter_count;

	pthread_mutex_t lock;	    /* of what follows */
	struct tacho__map followed; /* with wants_thread: the threads that are counted */
	struct range *ranges;
	pthread_cond_t stop; /* by CLOCK_MONOTONIC */
	int is_stopping;

	pthread_t thread;
	int has_thread;
	uint64_t begin_ns;
};

static int open_counters(struct tacho__collection *collection, uint32_t pass)
{
	const struct tacho_plan_pass *info = tacho_plan_get_pass(collection->options->plan, pass);
	struct tacho__perf_target target = {.pid = collection->options->pid,
					    .from_exec = collection->options->from_exec,
					    .wants_thread = collection->options->wants_thread};
	int rc = 0;

	collection->counters = calloc(info->counter_count + 1, sizeof(*collection->counters));
	collection->opened = calloc(info->counter_count + 1, sizeof(*collection->opened));
	if (!collection->counters || !collection->opened)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a pass");
	for (size_t i = 0; i < info->counter_count && !rc; i++) {
		const struct tacho__perf_counter *counter =
			tacho__perf_find_counter(collection->device, info->counters[i].entry);

		if (!counter)
			return tacho__fail(TACHO_E_INVAL, "", "plan with tacho_device_plan()",
					   "%s is no counter of this device",
					   info->counters[i].entry->name);
		rc = tacho__perf_open(counter, &target, &collection->opened[i]);
		collection->counters[i] = counter;
		collection->counter_count += !rc;
	}
	return rc;
}

static void close_counters(struct tacho__collection *collection)
{
	for (size_t i = 0; i < collection->counter_count; i++)
		tacho__perf_close(&collection->opened[i]);
	free(collection->opened);
	free(collection->counters);
	collection->opened = NULL;
	collection->counters = NULL;
	collection->counter_count = 0;
	tacho__map_finish(&collection->followed);
}

/* All counters or none: a thread that only some of them count would be missing in the others. */
static int follow_thread(struct tacho__collection *collection, int64_t thread)
{
	size_t *before = calloc(collection->counter_count + 1, sizeof(*before));
	int rc = 0;

	if (!before)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a thread");
	for (size_t i = 0; i < collection->counter_count; i++)
		before[i] = collection->opened[i].count;
	for (size_t i = 0; i < collection->counter_count && !rc; i++) {
		const struct tacho__perf_pmu *pmu = collection->counters[i]->pmu;

		if (!pmu || !pmu->is_device_wide) /* it counts everybody already */
			rc = tacho__perf_open_thread(collection->counters[i], thread,
						     &collection->opened[i]);
	}
	if (!rc)
		rc = tacho__map_set(&collection->followed, (uint64_t)thread, collection);
	for (size_t i = 0; i < collection->counter_count && rc; i++)
		tacho__perf_close_from(&collection->opened[i], before[i]);
	free(before);
	return rc;
}

/* Opens the counters for threads that are wanted and not counted yet. Under the lock. */
static int follow_threads(struct tacho__collection *collection)
{
	const struct tacho__collection_options *options = collection->options;
	char path[64];
	struct dirent *entry;
	DIR *folder;
	int rc = 0;

	snprintf(path, sizeof(path), "/proc/%lld/task",
		 (long long)(options->pid ? options->pid : getpid()));
	folder = opendir(path);
	if (!folder)
		return tacho__perf_fail(errno == ENOENT ? ESRCH : errno, "threads",
					TACHO__PERF_PROCESS);
	while (!rc && (entry = readdir(folder)) != NULL) {
		long thread = strtol(entry->d_name, NULL, 10);

		if (thread > 0 && !tacho__map_get(&collection->followed, (uint64_t)thread) &&
		    options->wants_thread(options->user, thread))
			rc = follow_thread(collection, thread);
	}
	closedir(folder);
	return rc;
}

/* Everything that the kernel could refuse is tried before work runs. */
static int try_passes(struct tacho__collection *collection)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && tacho_plan_get_pass(collection->options->plan, i); i++) {
		rc = open_counters(collection, i);
		close_counters(collection);
	}
	return rc;
}

int tacho__perf_begin(struct tacho__device *device, const struct tacho__collection_options *options,
		      struct tacho__collection **out_collection)
{
	struct tacho__collection *collection;
	pthread_condattr_t attributes;
	int rc;

	if (device->is_foreign)
		return tacho__fail(TACHO_E_UNSUPPORTED, "its tree is not that of /sys",
				   "make the context without a sysroot",
				   "units of another machine cannot count");
	collection = calloc(1, sizeof(*collection));
	if (!collection)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a collection");
	collection->device = device;
	collection->options = options;
	rc = try_passes(collection);
	if (rc) {
		free(collection);
		return rc;
	}
	pthread_mutex_init(&collection->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&collection->stop, &attributes);
	pthread_condattr_destroy(&attributes);
	*out_collection = collection;
	return 0;
}

static int fail_readings(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for readings");
}

/* Readings of all counters. Owned. */
static int read_all(struct tacho__collection *collection, struct tacho__perf_reading **out_readings)
{
	struct tacho__perf_reading *readings =
		calloc(collection->counter_count + 1, sizeof(*readings));
	int rc = readings ? 0 : fail_readings();

	pthread_mutex_lock(&collection->lock); /* threads may be added meanwhile */
	for (size_t i = 0; i < collection->counter_count && !rc; i++)
		rc = tacho__perf_read(&collection->opened[i], &readings[i]);
	pthread_mutex_unlock(&collection->lock);
	if (rc)
		free(readings);
	else
		*out_readings = readings;
	return rc;
}

/* The session ends, with the last error. */
static void give_up(const struct tacho__collection *collection, int rc)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	const struct tacho__sink *sink = collection->options->sink;

	sink->fail(sink->user, rc, detail->cause, detail->cure);
}

/* A device that is gone ends the session, not only the call. */
static int tell(const struct tacho__collection *collection, int rc)
{
	if (rc == TACHO_E_LOST)
		give_up(collection, rc);
	return rc;
}

/* One row of all counters. */
static int deliver(const struct tacho__collection *collection,
		   const struct tacho__perf_reading *begin, const struct tacho__perf_reading *end,
		   const uint64_t *key, const struct tacho_row *row)
{
	const struct tacho__sink *sink = collection->options->sink;
	size_t count = collection->counter_count;
	struct tacho_column *columns = calloc(count + 1, sizeof(*columns));
	struct tacho__perf_value *values = calloc(count + 1, sizeof(*values));
	struct tacho__batch batch = {.pass = collection->pass,
				     .row_count = 1,
				     .keys = key,
				     .rows = row,
				     .columns = columns};
	int rc;

	for (size_t i = 0; columns && values && i < count; i++) {
		const struct tacho__perf_counter *counter = collection->counters[i];

		tacho__perf_difference(&begin[i], &end[i], counter->scale, &values[i]);
		columns[i] = (struct tacho_column){.name = counter->entry->name,
						   .unit = counter->entry->unit,
						   .type = counter->entry->type,
						   .instance_count = 1,
						   .states = &values[i].state,
						   .coverage = &values[i].coverage,
						   .note = ""};
		if (counter->entry->type == TACHO_TYPE_U64)
			columns[i].data.u64 = &values[i].whole;
		else
			columns[i].data.f64 = &values[i].real;
	}
	rc = columns && values ? sink->deliver(sink->user, &batch)
			       : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a row");
	free(values);
	free(columns);
	return rc;
}

/* Waits until then; true when the pass ends before. */
static int wait_until(struct tacho__collection *collection, uint64_t time_ns)
{
	struct timespec at = {.tv_sec = (time_t)(time_ns / NS_PER_S),
			      .tv_nsec = (long)(time_ns % NS_PER_S)};
	int stopping, rc = 0;

	pthread_mutex_lock(&collection->lock);
	while (!collection->is_stopping && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&collection->stop, &collection->lock, &at);
	stopping = collection->is_stopping;
	pthread_mutex_unlock(&collection->lock);
	return stopping;
}

/*
 * Windows begin at multiples of their length; one that was missed is part of the next. The first
 * begins with the counters, which were 0.
 */
static void *run_windows(void *user)
{
	struct tacho__collection *collection = user;
	uint64_t length_ns = collection->options->window_ns, end_ns = collection->begin_ns;
	struct tacho__perf_reading *last = calloc(collection->counter_count + 1, sizeof(*last));
	struct tacho__perf_reading *now;
	int stopping = 0, rc = last ? 0 : fail_readings();

	for (uint64_t i = 0; !rc && !stopping; i++) {
		char name[TACHO__NUMBER_MAX];
		struct tacho_row row = {.id = i, .name = name};
		uint64_t time_ns;

		end_ns += length_ns;
		stopping = wait_until(collection, end_ns);
		time_ns = tacho__clock_monotonic_ns();
		rc = read_all(collection, &now);
		if (rc)
			break;
		tacho__number_format_seconds(time_ns - collection->begin_ns, name);
		rc = deliver(collection, last, now, NULL, &row);
		free(last);
		last = now;
		while (end_ns + length_ns <= time_ns)
			end_ns += length_ns;
	}
	if (rc)
		give_up(collection, rc);
	free(last);
	return NULL;
}

static int start_thread(struct tacho__collection *collection)
{
	sigset_t all, old;
	int error;

	collection->is_stopping = 0;
	collection->begin_ns = tacho__clock_monotonic_ns();
	sigfillset(&all); /* signals are the program's */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&collection->thread, NULL, run_windows, collection);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	collection->has_thread = !error;
	if (!error)
		return 0;
	return tacho__fail_vendor(
		tacho__fail(TACHO_E_NOMEM, tacho__detail("%s (errno %d)", strerror(error), error),
			    "allow more threads: ulimit -u", "no thread for windows of time"),
		error);
}

static void stop_thread(struct tacho__collection *collection)
{
	if (!collection->has_thread)
		return;
	pthread_mutex_lock(&collection->lock);
	collection->is_stopping = 1;
	pthread_cond_signal(&collection->stop);
	pthread_mutex_unlock(&collection->lock);
	pthread_join(collection->thread, NULL);
	collection->has_thread = 0;
}

int tacho__perf_begin_pass(struct tacho__collection *collection, uint32_t pass)
{
	int rc = open_counters(collection, pass);

	collection->pass = pass;
	for (size_t i = 0; i < collection->counter_count && !rc; i++) {
		const struct tacho__perf_pmu *pmu = collection->counters[i]->pmu;

		/* enabled by the kernel at execve otherwise */
		if (!collection->options->from_exec || collection->options->pid == -1 ||
		    (pmu && pmu->is_device_wide))
			tacho__perf_enable(&collection->opened[i], true);
	}
	if (!rc && collection->options->window_ns)
		rc = start_thread(collection);
	if (rc)
		close_counters(collection);
	return rc;
}

static void drop_ranges(struct tacho__collection *collection)
{
	while (collection->ranges) {
		struct range *range = collection->ranges;

		collection->ranges = range->next;
		free(range->begin);
		free(range);
	}
}

int tacho__perf_end_pass(struct tacho__collection *collection)
{
	stop_thread(collection);
	close_counters(collection);
	drop_ranges(collection);
	return 0;
}

int tacho__perf_begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent)
{
	struct range *range = calloc(1, sizeof(*range));
	int rc = range ? 0 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a range");

	if (!rc && collection->options->wants_thread) {
		pthread_mutex_lock(&collection->lock);
		rc = follow_threads(collection);
		pthread_mutex_unlock(&collection->lock);
	}
	if (!rc)
		rc = tell(collection, read_all(collection, &range->begin));
	if (rc) {
		free(range);
		return rc;
	}
	range->key = key;
	pthread_mutex_lock(&collection->lock);
	range->next = collection->ranges;
	collection->ranges = range;
	pthread_mutex_unlock(&collection->lock);
	return 0;
}

/* Takes it out of the list; NULL when it is not in it. */
static struct range *take_range(struct tacho__collection *collection, uint64_t key)
{
	struct range **link, *range;

	pthread_mutex_lock(&collection->lock);
	for (link = &collection->ranges; *link && (*link)->key != key; link = &(*link)->next)
		;
	range = *link;
	if (range)
		*link = range->next;
	pthread_mutex_unlock(&collection->lock);
	return range;
}

int tacho__perf_end_range(struct tacho__collection *collection, uint64_t key)
{
	struct tacho__perf_reading *end = NULL;
	int rc = tell(collection, read_all(collection, &end));
	struct range *range = take_range(collection, key);

	if (!rc)
		rc = range ? deliver(collection, range->begin, end, &key, NULL)
			   : tacho__fail(TACHO_E_INVAL, "", "", "a range ends that did not begin");
	if (range)
		free(range->begin);
	free(range);
	free(end);
	return rc;
}

int tacho__perf_drain(struct tacho__collection *collection, uint64_t timeout_ns)
{
	return 0; /* everything was delivered when it was read */
}

void tacho__perf_end(struct tacho__collection *collection)
{
	tacho__perf_end_pass(collection);
	pthread_cond_destroy(&collection->stop);
	pthread_mutex_destroy(&collection->lock);
	free(collection);
}
