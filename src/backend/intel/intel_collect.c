/* SPDX-License-Identifier: MIT */
/*
 * Collections: a thread reads the reports and adds what was counted between them to the window or
 * the ranges. Borders are those of reports.
 */
#include "backend/intel/intel_private.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/intel/intel_rows.h"
#include "base/clock.h"
#include "base/error.h"
#include "oa/accumulate.h"

static const uint64_t NS_PER_S = 1000000000, NS_PER_MS = 1000000;

/* Counters of 32 bits are certain for 0.4 s; a window is made of several reports. */
static const uint64_t PERIOD_MAX_NS = 10000000, PERIOD_MIN_NS = 20000;

enum { REPORTS_PER_WINDOW = 8, POLL_MS = 10 };

struct range {
	uint64_t key;
	bool has_begun; /* a report came after it began */
	bool is_ended;
	struct tacho_oa_sums sums;
	struct range *next;
};

struct tacho__collection {
	struct tacho__device *device;
	const struct tacho__collection_options *options;
	struct tacho__intel_rows rows; /* of the pass */
	struct tacho__intel_set set;
	struct tacho__intel_stream stream;
	bool is_open;
	pthread_t thread;

	pthread_mutex_t lock; /* of the rest up to the thread's own */
	pthread_cond_t changed;
	struct range *ranges;
	bool is_stopping, has_failed;

	/* Of the thread. */
	struct tacho_oa_report reports[2];
	unsigned last_at; /* which of them came last */
	bool has_last, is_lost;
	uint64_t elapsed_ticks, window_end_ticks;
	uint64_t window_number;
	struct tacho_oa_sums window;
};

/* The set of a pass; one whose counters need none gets any. */
static const struct tacho_set *get_set(const struct tacho__device *device,
				       const struct tacho_plan_pass *pass)
{
	const struct tacho_set *set = pass->set;

	if (!set)
		set = tacho_arch_find_set(device->arch, "TestOa");
	for (size_t i = 0; !set && tacho_arch_get_set(device->arch, i); i++)
		if (tacho_arch_get_set(device->arch, i)->is_exclusive)
			set = tacho_arch_get_set(device->arch, i);
	return set;
}

static uint64_t get_period_ns(const struct tacho__collection *collection)
{
	uint64_t period_ns = collection->options->window_ns / REPORTS_PER_WINDOW;

	if (!period_ns || period_ns > PERIOD_MAX_NS)
		return PERIOD_MAX_NS;
	return period_ns < PERIOD_MIN_NS ? PERIOD_MIN_NS : period_ns;
}

static int open_pass(struct tacho__collection *collection, uint32_t pass)
{
	struct tacho__device *device = collection->device;
	const struct tacho_plan_pass *info = tacho_plan_get_pass(collection->options->plan, pass);
	const struct tacho_set *set = get_set(device, info);
	int rc;

	if (!set)
		return tacho__fail(TACHO_E_UNSUPPORTED, "", "give definitions that have one",
				   "%s has no metric set to program", device->arch->name);
	rc = tacho__intel_set_add(&device->gpu, device->arch, &device->model, set,
				  &collection->set);
	if (rc)
		return rc;
	rc = tacho__intel_stream_open(&device->gpu, collection->set.config,
				      get_period_ns(collection), &collection->stream);
	if (!rc)
		rc = tacho__intel_rows_init(&collection->rows, device->gpu.format, info, pass,
					    collection->options->sink);
	if (!rc)
		collection->is_open = true;
	else if (collection->stream.buffer)
		tacho__intel_stream_close(&collection->stream);
	if (rc)
		tacho__intel_set_remove(&device->gpu, &collection->set);
	return rc;
}

static void close_pass(struct tacho__collection *collection)
{
	if (!collection->is_open)
		return;
	tacho__intel_stream_close(&collection->stream);
	tacho__intel_set_remove(&collection->device->gpu, &collection->set);
	tacho__intel_rows_finish(&collection->rows);
	collection->is_open = false;
}

/* What can be known before the work runs. */
static int check(struct tacho__collection *collection)
{
	const struct tacho__device *device = collection->device;
	struct tacho__intel_rights rights;
	int rc;

	if (device->is_foreign)
		return tacho__fail(TACHO_E_UNSUPPORTED, "its tree is not that of /sys",
				   "make the context without a sysroot",
				   "GPUs of another machine cannot count");
	if (collection->options->pid != -1)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "the OA unit counts the whole GPU, not one process",
				   "count everything: tacho stat -a, or .pid = -1",
				   "%s cannot count a process alone", device->gpu.card.name);
	tacho__intel_get_rights(device->gpu.sysroot, device->gpu.card.driver, device->gpu.system,
				&rights);
	rc = tacho__intel_check_rights(&rights, device->gpu.card.name);
	for (uint32_t i = 0; !rc && tacho_plan_get_pass(collection->options->plan, i); i++) {
		rc = open_pass(collection, i);
		close_pass(collection);
	}
	return rc;
}

int tacho__intel_begin(struct tacho__device *device,
		       const struct tacho__collection_options *options,
		       struct tacho__collection **out_collection)
{
	struct tacho__collection *collection = calloc(1, sizeof(*collection));
	pthread_condattr_t attributes;
	int rc;

	if (!collection)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a collection");
	collection->device = device;
	collection->options = options;
	rc = check(collection);
	if (rc) {
		free(collection);
		return rc;
	}
	pthread_mutex_init(&collection->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&collection->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	*out_collection = collection;
	return 0;
}

static void add_to(const struct tacho__collection *collection, const struct tacho_oa_report *from,
		   const struct tacho_oa_report *to, struct tacho_oa_sums *sums)
{
	const struct tacho__device *device = collection->device;

	tacho_oa_sums_add(device->gpu.format, &device->limits, from, to, 0, sums);
	if (collection->is_lost)
		tacho_oa_sums_mark(device->gpu.format, TACHO_STATE_LOST, sums);
}

/* Takes those that are over out of the list; all that were ended when there is no more to come. */
static struct range *take_ended(struct tacho__collection *collection)
{
	struct range *ended = NULL, **link = &collection->ranges;

	while (*link) {
		struct range *range = *link;

		if (!range->is_ended) {
			link = &range->next;
			continue;
		}
		*link = range->next;
		range->next = ended;
		ended = range;
	}
	return ended;
}

static int deliver_ranges(struct tacho__collection *collection, struct range *ranges)
{
	int rc = 0;

	while (ranges) {
		struct range *range = ranges;

		ranges = range->next;
		if (!rc)
			rc = tacho__intel_rows_deliver_range(&collection->rows, range->key,
							     &range->sums);
		free(range);
	}
	return rc;
}

/* Ranges that were ended end at this report, and those that began begin at it. */
static int add_to_ranges(struct tacho__collection *collection, const struct tacho_oa_report *from,
			 const struct tacho_oa_report *to)
{
	struct range *ended;
	int rc;

	pthread_mutex_lock(&collection->lock);
	for (struct range *range = collection->ranges; range; range = range->next) {
		/* One that lies between two reports has what was counted between them. */
		if (from && (range->has_begun || range->is_ended))
			add_to(collection, from, to, &range->sums);
		/* The report that it should begin with may be one of the lost ones. */
		else if (collection->is_lost)
			tacho_oa_sums_mark(collection->device->gpu.format, TACHO_STATE_LOST,
					   &range->sums);
		range->has_begun = true;
	}
	ended = from ? take_ended(collection) : NULL;
	pthread_mutex_unlock(&collection->lock);
	rc = deliver_ranges(collection, ended);
	if (ended) {
		pthread_mutex_lock(&collection->lock);
		pthread_cond_broadcast(&collection->changed);
		pthread_mutex_unlock(&collection->lock);
	}
	return rc;
}

static int deliver_window(struct tacho__collection *collection, uint64_t lost_rows)
{
	uint64_t hz = collection->device->gpu.device.timestamp_frequency_hz;
	uint64_t end_ns = (uint64_t)((unsigned __int128)collection->elapsed_ticks * NS_PER_S / hz);
	int rc = tacho__intel_rows_deliver_window(&collection->rows, collection->window_number++,
						  end_ns, lost_rows, &collection->window);

	memset(&collection->window, 0, sizeof(collection->window));
	return rc;
}

/* A window ends with the first report at or behind its end. */
static int add_to_window(struct tacho__collection *collection, const struct tacho_oa_report *from,
			 const struct tacho_oa_report *to)
{
	const struct tacho__intel_gpu *gpu = &collection->device->gpu;
	uint64_t length_ticks = (uint64_t)((unsigned __int128)collection->options->window_ns *
					   gpu->device.timestamp_frequency_hz / NS_PER_S);
	uint64_t passed = 0;

	if (!length_ticks)
		length_ticks = 1;
	if (!from) {
		collection->window_end_ticks = length_ticks;
		return 0;
	}
	add_to(collection, from, to, &collection->window);
	collection->elapsed_ticks += tacho__oa_elapsed(gpu->format, from, to);
	if (collection->elapsed_ticks < collection->window_end_ticks)
		return 0;
	passed = (collection->elapsed_ticks - collection->window_end_ticks) / length_ticks;
	collection->window_end_ticks += (passed + 1) * length_ticks;
	return deliver_window(collection, collection->is_lost ? passed : 0);
}

static int add_record(struct tacho__collection *collection,
		      const struct tacho__intel_record *record)
{
	struct tacho_oa_report *to = &collection->reports[!collection->last_at], *from = NULL;
	int rc;

	if (record->kind != TACHO_OA_REPORT) {
		collection->is_lost = true;
		return 0;
	}
	tacho__oa_report_decode(collection->device->gpu.format, record->bytes, to);
	/* Haswell's ids say nothing. */
	if (collection->device->gpu.gen > TACHO_OA_GEN7_5 && tacho_oa_report_is_empty(to))
		return 0;
	if (collection->has_last)
		from = &collection->reports[collection->last_at];
	rc = add_to_ranges(collection, from, to);
	if (!rc && collection->options->window_ns)
		rc = add_to_window(collection, from, to);
	collection->last_at = !collection->last_at;
	collection->has_last = true;
	collection->is_lost = false;
	return rc;
}

static bool is_stopping(struct tacho__collection *collection, bool *out_has_ended)
{
	bool result;

	*out_has_ended = false;
	pthread_mutex_lock(&collection->lock);
	result = collection->is_stopping;
	for (struct range *range = collection->ranges; range; range = range->next)
		*out_has_ended |= range->is_ended;
	pthread_mutex_unlock(&collection->lock);
	return result;
}

/* Ranges that wait for a report after their end get what there is: it is missing their last part.
 */
static int finish_ranges(struct tacho__collection *collection)
{
	struct range *ended;
	int rc;

	pthread_mutex_lock(&collection->lock);
	ended = take_ended(collection);
	pthread_mutex_unlock(&collection->lock);
	for (struct range *range = ended; range; range = range->next)
		tacho_oa_sums_mark(collection->device->gpu.format, TACHO_STATE_LOST, &range->sums);
	rc = deliver_ranges(collection, ended);
	pthread_mutex_lock(&collection->lock);
	pthread_cond_broadcast(&collection->changed);
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

/* The session ends, with the last error. */
static void give_up(struct tacho__collection *collection, int rc)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	const struct tacho__sink *sink = collection->options->sink;
	char cause[512], cure[512];

	strncpy(cause, detail->cause, sizeof(cause) - 1);
	strncpy(cure, detail->cure, sizeof(cure) - 1);
	cause[sizeof(cause) - 1] = cure[sizeof(cure) - 1] = '\0';
	finish_ranges(collection);
	pthread_mutex_lock(&collection->lock);
	collection->has_failed = true;
	pthread_cond_broadcast(&collection->changed);
	pthread_mutex_unlock(&collection->lock);
	sink->fail(sink->user, rc, cause, cure);
}

/*
 * Until the pass ends, and then until all that was written is read. A range that was ended waits
 * for one more report.
 */
static void *run(void *user)
{
	struct tacho__collection *collection = user;
	int patience_ms = (int)(2 * collection->stream.period_ns / NS_PER_MS) + 2 * POLL_MS;
	struct tacho__intel_record record;
	bool has_ended;
	int rc = 0;

	for (;;) {
		bool stopping = is_stopping(collection, &has_ended);
		int timeout_ms = !stopping ? POLL_MS : has_ended ? patience_ms : 0;

		rc = tacho__intel_stream_next(&collection->stream, timeout_ms, &record);
		if (rc > 0)
			rc = add_record(collection, &record);
		else if (!rc && stopping)
			break;
		if (rc)
			break;
	}
	if (!rc && collection->window.interval_count)
		rc = deliver_window(collection, 0);
	else if (rc && collection->window.interval_count)
		deliver_window(collection, 0);
	if (rc)
		give_up(collection, rc);
	else
		finish_ranges(collection);
	return NULL;
}

int tacho__intel_begin_pass(struct tacho__collection *collection, uint32_t pass)
{
	sigset_t all, old;
	int error, rc = open_pass(collection, pass);

	if (!rc)
		rc = tacho__intel_stream_enable(&collection->stream);
	if (rc) {
		close_pass(collection);
		return rc;
	}
	collection->is_stopping = collection->has_failed = false;
	collection->has_last = collection->is_lost = false;
	collection->elapsed_ticks = collection->window_number = 0;
	memset(&collection->window, 0, sizeof(collection->window));
	sigfillset(&all); /* signals are the program's */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&collection->thread, NULL, run, collection);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!error)
		return 0;
	close_pass(collection);
	return tacho__fail_vendor(
		tacho__fail(TACHO_E_NOMEM, tacho__detail("%s (errno %d)", strerror(error), error),
			    "allow more threads: ulimit -u", "no thread to read reports"),
		error);
}

int tacho__intel_end_pass(struct tacho__collection *collection)
{
	if (!collection->is_open)
		return 0;
	pthread_mutex_lock(&collection->lock);
	collection->is_stopping = true;
	pthread_mutex_unlock(&collection->lock);
	pthread_join(collection->thread, NULL);
	while (collection->ranges) {
		struct range *range = collection->ranges;

		collection->ranges = range->next;
		free(range);
	}
	close_pass(collection);
	return 0;
}

static int fail_gone(const struct tacho__collection *collection)
{
	return tacho__fail(TACHO_E_LOST, "its reports ended", "begin anew", "%s counts no more",
			   collection->device->gpu.card.name);
}

int tacho__intel_begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent)
{
	struct range *range = calloc(1, sizeof(*range));
	bool has_failed;

	(void)parent;
	if (!range)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a range");
	range->key = key;
	pthread_mutex_lock(&collection->lock);
	has_failed = collection->has_failed;
	if (!has_failed) {
		range->next = collection->ranges;
		collection->ranges = range;
	}
	pthread_mutex_unlock(&collection->lock);
	if (!has_failed)
		return 0;
	free(range);
	return fail_gone(collection);
}

int tacho__intel_end_range(struct tacho__collection *collection, uint64_t key)
{
	struct range *range;
	int rc = 0;

	pthread_mutex_lock(&collection->lock);
	for (range = collection->ranges; range && range->key != key; range = range->next)
		;
	if (collection->has_failed)
		rc = fail_gone(collection);
	else if (range)
		range->is_ended = true;
	else
		rc = tacho__fail(TACHO_E_INVAL, "", "", "a range ends that did not begin");
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

static bool has_ended_range(const struct tacho__collection *collection)
{
	for (const struct range *range = collection->ranges; range; range = range->next)
		if (range->is_ended)
			return true;
	return false;
}

int tacho__intel_drain(struct tacho__collection *collection, uint64_t timeout_ns)
{
	uint64_t end_ns = tacho__clock_monotonic_ns();
	struct timespec end;
	int error = 0, rc = 0;

	if (__builtin_add_overflow(end_ns, timeout_ns, &end_ns))
		end_ns = INT64_MAX;
	end.tv_sec = (time_t)(end_ns / NS_PER_S);
	end.tv_nsec = (long)(end_ns % NS_PER_S);
	pthread_mutex_lock(&collection->lock);
	while (collection->is_open && has_ended_range(collection) && !collection->has_failed &&
	       timeout_ns && error != ETIMEDOUT)
		error = pthread_cond_timedwait(&collection->changed, &collection->lock, &end);
	if (has_ended_range(collection) && !collection->has_failed)
		rc = TACHO_E_TIMEOUT;
	pthread_mutex_unlock(&collection->lock);
	if (!rc)
		return 0;
	return tacho__fail(rc, "no report came since a range ended", "wait longer",
			   "values of %s are not there yet", collection->device->gpu.card.name);
}

void tacho__intel_end(struct tacho__collection *collection)
{
	tacho__intel_end_pass(collection);
	pthread_cond_destroy(&collection->changed);
	pthread_mutex_destroy(&collection->lock);
	free(collection);
}
