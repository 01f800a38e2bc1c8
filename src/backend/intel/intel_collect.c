/* SPDX-License-Identifier: MIT */
/*
 * Collections: a thread reads the reports and adds what was counted between them to the window or
 * the ranges. Borders are those of reports.
 */
#include "backend/intel/intel_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/cond.h"
#include "base/error.h"
#include "base/number.h"
#include "oa/accumulate.h"

static const uint64_t NS_PER_S = 1000000000, NS_PER_MS = 1000000;

/* Counters of 32 bits are certain for 0.4 s; a window is made of several reports. */
static const uint64_t PERIOD_MAX_NS = 10000000, PERIOD_MIN_NS = 20000;

enum { REPORTS_PER_WINDOW = 8, POLL_MS = 10 };

struct range {
	struct tacho__device_range base;
	bool has_begun; /* a report came after it began */
	struct tacho_oa_sums sums;
};

struct intel_collection {
	struct tacho__collection base;
	struct tacho__intel_device *device;
	struct tacho__rows *rows; /* one, of the pass */
	int *indices;		  /* of its counters' values in reports; -1: they have it not */
	struct tacho__intel_set set;
	struct tacho__intel_stream stream;
	bool is_open;
	pthread_t thread;

	bool is_stopping; /* under the base's lock */

	/* Of the thread. */
	struct tacho_oa_report reports[2];
	unsigned last_at; /* which of them came last */
	bool has_last, is_lost;
	uint64_t elapsed_ticks, window_end_ticks;
	uint64_t window_number;
	uint64_t begin_ns, origin_ns,
		last_ns; /* counting began, its first report, the last window */
	struct tacho_oa_sums window;
};

/* The set of a pass; one whose counters need none gets any. */
static const struct tacho_set *get_set(const struct tacho__intel_device *device,
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

static uint64_t get_period_ns(const struct intel_collection *collection)
{
	uint64_t period_ns = collection->base.options->window_ns / REPORTS_PER_WINDOW;

	if (!period_ns || period_ns > PERIOD_MAX_NS)
		return PERIOD_MAX_NS;
	return period_ns < PERIOD_MIN_NS ? PERIOD_MIN_NS : period_ns;
}

static int make_row(struct intel_collection *collection, const struct tacho_plan_pass *pass)
{
	const struct tacho_oa_format *format = collection->device->gpu.format;

	collection->rows = tacho__rows_create(pass, 1);
	collection->indices = calloc(pass->counter_count + 1, sizeof(*collection->indices));
	if (!collection->rows || !collection->indices)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a pass");
	for (size_t i = 0; i < pass->counter_count; i++)
		collection->indices[i] =
			tacho_oa_format_find_counter(format, pass->counters[i].entry->name);
	return 0;
}

static void drop_row(struct intel_collection *collection)
{
	free(collection->rows);
	free(collection->indices);
	collection->rows = NULL;
	collection->indices = NULL;
}

static int open_pass(struct intel_collection *collection, uint32_t pass)
{
	struct tacho__intel_device *device = collection->device;
	const struct tacho_plan_pass *info =
		tacho_plan_get_pass(collection->base.options->plan, pass);
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
		rc = make_row(collection, info);
	if (!rc) {
		collection->is_open = true;
		collection->base.pass = pass;
		return 0;
	}
	drop_row(collection);
	if (collection->stream.buffer)
		tacho__intel_stream_close(&collection->stream);
	tacho__intel_set_remove(&device->gpu, &collection->set);
	return rc;
}

static void close_pass(struct intel_collection *collection)
{
	if (!collection->is_open)
		return;
	tacho__intel_stream_close(&collection->stream);
	tacho__intel_set_remove(&collection->device->gpu, &collection->set);
	drop_row(collection);
	collection->is_open = false;
}

/* What can be known before the work runs. */
static int check(struct intel_collection *collection)
{
	int rc;

	if (!collection->device->is_foreign && collection->base.options->pid != -1)
		return tacho__fail(
			TACHO_E_UNSUPPORTED, "the OA unit counts the whole GPU, not one process",
			"count everything: tacho stat -a, or .pid = -1",
			"%s cannot count a process alone", collection->device->gpu.card.name);
	rc = tacho__intel_check_device(collection->device);
	for (uint32_t i = 0; !rc && tacho_plan_get_pass(collection->base.options->plan, i); i++) {
		rc = open_pass(collection, i);
		close_pass(collection);
	}
	return rc;
}

int tacho__intel_begin(struct tacho_device *base, const struct tacho__collection_options *options,
		       struct tacho__collection **out_collection)
{
	struct intel_collection *collection =
		tacho__collection_create(sizeof(*collection), options);
	int rc;

	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = TACHO__OWN(struct tacho__intel_device, base);
	collection->base.range_size = sizeof(struct range);
	rc = check(collection);
	if (rc)
		tacho__collection_destroy(&collection->base);
	else
		*out_collection = &collection->base;
	return rc;
}

static void add_to(const struct intel_collection *collection, const struct tacho_oa_report *from,
		   const struct tacho_oa_report *to, struct tacho_oa_sums *sums)
{
	const struct tacho__intel_device *device = collection->device;

	tacho_oa_sums_add(device->gpu.format, &device->limits, from, to, 0, sums);
	if (collection->is_lost)
		tacho_oa_sums_mark(device->gpu.format, TACHO_STATE_LOST, sums);
}

/* Sums without an interval have no values. */
static int deliver(const struct intel_collection *collection, const uint64_t *key,
		   const struct tacho_row *row, uint64_t lost_rows,
		   const struct tacho_oa_sums *sums)
{
	struct tacho__rows *rows = collection->rows;

	for (size_t i = 0; i < rows->counter_count; i++) {
		int index = collection->indices[i];
		bool is_there = index >= 0 && sums->interval_count;
		uint64_t whole = is_there ? sums->values[index] : 0;

		tacho__rows_put(rows, i, 0, whole, (double)whole,
				is_there ? sums->states[index] : TACHO_STATE_ABSENT);
	}
	return tacho__collection_deliver(&collection->base,
					 &(struct tacho__batch){.pass = collection->base.pass,
								.row_count = 1,
								.keys = key,
								.rows = row,
								.columns = rows->columns,
								.lost_rows = lost_rows});
}

/* The first ones that ended, so many of them. */
static int deliver_ended(struct intel_collection *collection, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count; i++) {
		struct range *range = tacho__collection_get_ended(&collection->base);

		if (!rc)
			rc = deliver(collection, &range->base.key, NULL, 0, &range->sums);
		tacho__collection_drop_ended(&collection->base);
	}
	return rc;
}

/* Between two reports; the first one has none before it. Under the lock. */
static void add_to_range(const struct intel_collection *collection,
			 const struct tacho_oa_report *from, const struct tacho_oa_report *to,
			 struct range *range, bool is_ended)
{
	/* One that lies between two reports has what was counted between them. */
	if (from && (range->has_begun || is_ended))
		add_to(collection, from, to, &range->sums);
	/* The report that it should begin with may be one of the lost ones. */
	else if (collection->is_lost)
		tacho_oa_sums_mark(collection->device->gpu.format, TACHO_STATE_LOST, &range->sums);
	range->has_begun = true;
}

/* Ranges that were ended end at this report, and those that began begin at it. */
static int add_to_ranges(struct intel_collection *collection, const struct tacho_oa_report *from,
			 const struct tacho_oa_report *to)
{
	struct tacho__device_range *each;
	size_t count = 0;

	pthread_mutex_lock(&collection->base.lock);
	for (each = collection->base.open; each; each = each->next)
		add_to_range(collection, from, to, TACHO__OWN(struct range, each), false);
	for (each = collection->base.ended; each; each = each->next, count++)
		add_to_range(collection, from, to, TACHO__OWN(struct range, each), true);
	pthread_mutex_unlock(&collection->base.lock);
	return from ? deliver_ended(collection, count) : 0;
}

static int deliver_window(struct intel_collection *collection, uint64_t lost_rows)
{
	uint64_t hz = collection->device->gpu.device.timestamp_frequency_hz;
	uint64_t end_ns = (uint64_t)((unsigned __int128)collection->elapsed_ticks * NS_PER_S / hz);
	char name[TACHO__NUMBER_MAX];
	const struct tacho_row row = {.id = collection->window_number++,
				      .name = name,
				      .start_ns = collection->last_ns,
				      .end_ns = collection->origin_ns + end_ns,
				      .uncertainty_ns =
					      collection->origin_ns - collection->begin_ns};
	int rc;

	collection->last_ns = row.end_ns;

	tacho__number_format_seconds(end_ns, name);
	rc = deliver(collection, NULL, &row, lost_rows, &collection->window);
	memset(&collection->window, 0, sizeof(collection->window));
	return rc;
}

/* A window ends with the first report at or behind its end. */
static int add_to_window(struct intel_collection *collection, const struct tacho_oa_report *from,
			 const struct tacho_oa_report *to)
{
	const struct tacho__intel_gpu *gpu = &collection->device->gpu;
	uint64_t length_ticks = (uint64_t)((unsigned __int128)collection->base.options->window_ns *
					   gpu->device.timestamp_frequency_hz / NS_PER_S);
	uint64_t passed = 0;

	if (!length_ticks)
		length_ticks = 1;
	if (!from) { /* made at some time between these, and taken for the middle */
		collection->origin_ns = collection->begin_ns +
					(tacho__clock_monotonic_ns() - collection->begin_ns) / 2;
		collection->last_ns = collection->origin_ns;
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

static int add_record(struct intel_collection *collection, const struct tacho_oa_record *record)
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
	if (!rc && collection->base.options->window_ns)
		rc = add_to_window(collection, from, to);
	collection->last_at = !collection->last_at;
	collection->has_last = true;
	collection->is_lost = false;
	return rc;
}

static bool is_stopping(struct intel_collection *collection, bool *out_has_ended)
{
	bool result;

	pthread_mutex_lock(&collection->base.lock);
	result = collection->is_stopping;
	*out_has_ended = collection->base.ended != NULL;
	pthread_mutex_unlock(&collection->base.lock);
	return result;
}

/* Ranges that wait for a report after their end get what there is: it is missing their last part.
 */
static int finish_ranges(struct intel_collection *collection)
{
	struct tacho__device_range *each;
	size_t count = 0;

	pthread_mutex_lock(&collection->base.lock);
	for (each = collection->base.ended; each; each = each->next, count++)
		tacho_oa_sums_mark(collection->device->gpu.format, TACHO_STATE_LOST,
				   &TACHO__OWN(struct range, each)->sums);
	pthread_mutex_unlock(&collection->base.lock);
	return deliver_ended(collection, count);
}

/*
 * Until the pass ends, and then until all that was written is read. A range that was ended waits
 * for one more report.
 */
static void *run(void *user)
{
	struct intel_collection *collection = user;
	int patience_ms = (int)(2 * collection->stream.period_ns / NS_PER_MS) + 2 * POLL_MS;
	struct tacho_oa_record record;
	bool has_ended;
	int rc = 0, ending = 0;

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
	/* what there is, also when there is no more */
	if (collection->window.interval_count)
		ending = deliver_window(collection, 0);
	if (!ending)
		ending = finish_ranges(collection);
	if (rc || ending)
		tacho__collection_fail(&collection->base, rc ? rc : ending);
	return NULL;
}

int tacho__intel_begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct intel_collection *collection = TACHO__OWN(struct intel_collection, base);
	int rc = open_pass(collection, pass);

	collection->begin_ns = tacho__clock_monotonic_ns();
	if (!rc)
		rc = tacho__intel_stream_enable(&collection->stream);
	collection->is_stopping = base->has_failed = false;
	collection->has_last = collection->is_lost = false;
	collection->elapsed_ticks = collection->window_number = 0;
	memset(&collection->window, 0, sizeof(collection->window));
	if (!rc)
		rc = tacho__collection_start_thread(base, run, &collection->thread);
	if (rc)
		close_pass(collection);
	return rc;
}

int tacho__intel_end_pass(struct tacho__collection *base)
{
	struct intel_collection *collection = TACHO__OWN(struct intel_collection, base);

	if (!collection->is_open)
		return 0;
	pthread_mutex_lock(&base->lock);
	collection->is_stopping = true;
	pthread_mutex_unlock(&base->lock);
	pthread_join(collection->thread, NULL);
	tacho__collection_clear(base, NULL);
	close_pass(collection);
	return 0;
}

static int check_failed(struct intel_collection *collection)
{
	bool has_failed;

	pthread_mutex_lock(&collection->base.lock);
	has_failed = collection->base.has_failed;
	pthread_mutex_unlock(&collection->base.lock);
	return has_failed ? tacho__fail(TACHO_E_LOST, "its reports ended", "begin anew",
					"%s counts no more", collection->device->gpu.card.name)
			  : 0;
}

int tacho__intel_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	int rc = check_failed(TACHO__OWN(struct intel_collection, base));

	if (rc)
		return rc;
	return tacho__collection_begin_range(base, key) ? 0 : TACHO_E_NOMEM;
}

int tacho__intel_end_range(struct tacho__collection *base, uint64_t key)
{
	int rc = check_failed(TACHO__OWN(struct intel_collection, base));

	if (rc)
		return rc;
	return tacho__collection_end_range(base, key) ? 0 : TACHO_E_INVAL;
}

int tacho__intel_drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	struct intel_collection *collection = TACHO__OWN(struct intel_collection, base);
	uint64_t end_ns = tacho__clock_monotonic_ns();
	bool in_time = timeout_ns > 0, waits;

	if (__builtin_add_overflow(end_ns, timeout_ns, &end_ns))
		end_ns = INT64_MAX;
	pthread_mutex_lock(&base->lock);
	while (collection->is_open && base->ended && !base->has_failed && in_time)
		in_time = tacho__cond_wait(&base->changed, &base->lock, end_ns);
	waits = base->ended && !base->has_failed;
	pthread_mutex_unlock(&base->lock);
	return waits ? tacho__fail(TACHO_E_TIMEOUT, "no report came since a range ended",
				   "wait longer", "values of %s are not there yet",
				   collection->device->gpu.card.name)
		     : 0;
}

void tacho__intel_end(struct tacho__collection *base)
{
	tacho__intel_end_pass(base);
	tacho__collection_destroy(base);
}
