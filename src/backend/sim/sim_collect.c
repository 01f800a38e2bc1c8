/* SPDX-License-Identifier: MIT */
/* Collections on a simulated device: what counts where, and its delivery. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/sim/sim_pending.h"
#include "backend/sim/sim_presence.h"
#include "backend/sim/sim_private.h"
#include "backend/sim/sim_values.h"
#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

/* Ranges that were ended and that the device is not done with; the oldest goes when it is one more.
 */
enum { ENDED_MAX = 256 };

/* A range with what was counted in it so far. */
struct open_range {
	uint64_t key, parent;
	uint64_t begin_ns, busy_ns;
	uint64_t end_ns;		     /* once it was ended; it may be later than now */
	struct tacho__sim_presence presence; /* of its work */
	int64_t *sums;
};

struct tacho__sim_collection {
	struct tacho__collection base;
	struct tacho__sim_device *device;
	uint32_t pass;
	uint8_t is_open, is_pipelined;
	struct tacho__sim_counters counters; /* of the pass */
	struct tacho__sim_boolean *boolean;  /* of its set; NULL: it has no comparators */
	struct open_range *ranges;
	size_t range_count, range_capacity;
	struct open_range ended[ENDED_MAX]; /* in this order */
	size_t ended_count;
	struct tacho__sim_values values; /* the next to deliver */
	uint64_t row;			 /* number of the next row that the device begins */
	uint64_t lost_rows;
	uint64_t pass_begin_ns, window_begin_ns;
	struct tacho__sim_pendings pendings; /* of windows */
	struct tacho__sim_work nothing;	     /* but time that passes */
};

static int fail_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for simulated values");
}

static int64_t *make_sums(const struct tacho__sim_collection *collection)
{
	return calloc(collection->counters.value_count + 1, sizeof(int64_t));
}

static struct open_range *find_range(struct tacho__sim_collection *collection, uint64_t key)
{
	for (size_t i = 0; i < collection->range_count; i++)
		if (collection->ranges[i].key == key)
			return &collection->ranges[i];
	return NULL;
}

static int sees_background(const struct tacho__sim_collection *collection)
{
	return collection->base.options->pid == -1;
}

/* What other processes did between two times, how long, and when. */
static int add_background(struct tacho__sim_collection *collection, uint64_t from, uint64_t to,
			  int64_t *sums, uint64_t *busy_ns, struct tacho__sim_presence *presence)
{
	struct tacho__sim_device *device = collection->device;
	int rc = 0;

	if (!sees_background(collection))
		return 0;
	for (struct tacho__sim_background *each = device->background; each && !rc;
	     each = each->next) {
		uint64_t begin = from > each->begin_ns ? from : each->begin_ns;
		uint64_t end = to < each->end_ns ? to : each->end_ns;
		uint64_t duration = each->work.duration_ns;
		int64_t *once;

		if (begin >= end)
			continue;
		once = make_sums(collection);
		if (!once)
			return fail_memory();
		tacho__sim_work_set_time(&each->work, &device->spec, duration);
		*busy_ns += end - begin;
		rc = tacho__sim_presence_reserve(presence);
		if (!rc) {
			tacho__sim_presence_add(presence, begin, end, 0);
			rc = tacho__sim_counters_add(&collection->counters, device, &each->work,
						     once);
		}
		for (size_t i = 0; !rc && i < collection->counters.value_count; i++)
			tacho__sim_add(&sums[i],
				       tacho__sim_scale(once[i], end - each->begin_ns, duration) -
					       tacho__sim_scale(once[i], begin - each->begin_ns,
								duration));
		free(once);
	}
	return rc;
}

/*
 * What only passes between begin and end of a row, and when its work was there. Without work that
 * is all of the row, with no time in which it was.
 */
static int add_times(struct tacho__sim_collection *collection, uint64_t begin_ns, uint64_t end_ns,
		     const struct tacho__sim_presence *presence, int64_t *sums)
{
	struct tacho__sim_device *device = collection->device;
	double *v = collection->nothing.variables, ns = (double)(end_ns - begin_ns);

	v[TACHO__SIM_rows] = 1;
	v[TACHO__SIM_elapsed_ns] = ns;
	v[TACHO__SIM_elapsed_cycles] = floor(ns * device->spec.clock_mhz / 1000);
	v[TACHO__SIM_begin_ns] = (double)(presence->has_work ? presence->begin_ns : begin_ns);
	v[TACHO__SIM_end_ns] = (double)(presence->has_work ? presence->end_ns : end_ns);
	v[TACHO__SIM_active_ns] = (double)tacho__sim_presence_get_ns(presence);
	return tacho__sim_counters_add(&collection->counters, device, &collection->nothing, sums);
}

static int is_lost(struct tacho__sim_device *device)
{
	if (device->fault != TACHO_SIM_FAULT_LOST || !device->fault_number)
		return 0;
	device->fault_number--;
	return 1;
}

static int deliver(struct tacho__sim_collection *collection, const uint64_t *key,
		   const struct tacho_row *row, const int64_t *sums,
		   const struct tacho__sim_span *span)
{
	int rc;

	if (is_lost(collection->device)) {
		if (row)
			collection->lost_rows++;
		return 0;
	}
	tacho__sim_values_fill(&collection->values, collection->device, collection->boolean,
			       &collection->counters, sums, span);
	rc = tacho__collection_deliver(
		&collection->base,
		&(struct tacho__batch){.pass = collection->pass,
				       .row_count = 1,
				       .keys = key,
				       .rows = row,
				       .columns = collection->values.columns,
				       .lost_rows = row ? collection->lost_rows : 0});
	if (row)
		collection->lost_rows = 0;
	return rc;
}

int tacho__sim_is_pipelined(const struct tacho__sim_collection *collection)
{
	return collection->is_pipelined;
}

/* Whether a range is the one that work names, or lies around it. */
static int is_around(struct tacho__sim_collection *collection, const struct open_range *range,
		     uint64_t key)
{
	for (const struct open_range *at = find_range(collection, key); at;
	     at = find_range(collection, at->parent))
		if (at == range)
			return 1;
	return 0;
}

static int add_pending(struct tacho__sim_collection *collection, const struct tacho__sim_item *item,
		       struct tacho__sim_work *work)
{
	struct tacho__sim_device *device = collection->device;
	int64_t *events = make_sums(collection), *times = make_sums(collection);
	int rc = events && times ? 0 : fail_memory();

	if (!rc)
		rc = tacho__sim_counters_add(&collection->counters, device, work, times);
	tacho__sim_work_set_time(work, &device->spec, 0);
	if (!rc)
		rc = tacho__sim_counters_add(&collection->counters, device, work, events);
	for (size_t i = 0; !rc && i < collection->counters.value_count; i++)
		times[i] -= events[i];
	if (!rc)
		rc = tacho__sim_pendings_add(
			&collection->pendings,
			&(struct tacho__sim_pending){.begin_ns = item->begin_ns,
						     .end_ns = item->end_ns,
						     .added_ns = item->added_ns,
						     .events = events,
						     .times = times});
	if (rc) {
		free(events);
		free(times);
	}
	return rc;
}

static int deliver_launch(struct tacho__sim_collection *collection,
			  const struct tacho__sim_item *item, const int64_t *sums)
{
	const struct tacho_row row = {.id = collection->row, .name = item->work.name};
	const struct tacho__sim_span span = {item->added_ns, item->added_ns};
	struct tacho__sim_part part = {item->begin_ns, item->end_ns};
	const struct tacho__sim_presence presence = {.has_work = 1,
						     .begin_ns = part.begin_ns,
						     .end_ns = part.end_ns,
						     .parts = &part,
						     .count = 1};
	int64_t *own = make_sums(collection);
	int rc;

	if (!own)
		return fail_memory();
	memcpy(own, sums, collection->counters.value_count * sizeof(*own));
	rc = add_times(collection, item->end_ns - item->added_ns, item->end_ns, &presence, own);
	if (!rc)
		rc = deliver(collection, NULL, &row, own, &span);
	collection->row += !rc;
	free(own);
	return rc;
}

int tacho__sim_collect(struct tacho__sim_collection *collection, const struct tacho__sim_item *item,
		       int is_row)
{
	struct tacho__sim_device *device = collection->device;
	struct tacho__sim_work work = item->work;
	int is_busy_anyway = sees_background(collection) && device->background &&
			     device->background->end_ns == UINT64_MAX;
	uint64_t key = item->range ? tacho__collection_find_key(&collection->base, item->range) : 0;
	int64_t *sums;
	int rc;

	tacho__sim_work_set_time(&work, &device->spec, is_busy_anyway ? 0 : item->added_ns);
	if (collection->base.options->window_ns)
		return add_pending(collection, item, &work);
	sums = make_sums(collection);
	rc = sums ? tacho__sim_counters_add(&collection->counters, device, &work, sums)
		  : fail_memory();
	for (size_t i = 0; !rc && i < collection->range_count; i++)
		rc = tacho__sim_presence_reserve(&collection->ranges[i].presence);
	/* ranges last: work that fails is in none */
	if (!rc && is_row)
		rc = deliver_launch(collection, item, sums);
	for (size_t i = 0; !rc && i < collection->range_count; i++) {
		struct open_range *range = &collection->ranges[i];

		if (item->range && !is_around(collection, range, key))
			continue;
		range->busy_ns += item->added_ns;
		tacho__sim_presence_add(&range->presence, item->begin_ns, item->end_ns,
					device->now_ns);
		for (size_t k = 0; k < collection->counters.value_count; k++)
			tacho__sim_add(&range->sums[k], sums[k]);
	}
	free(sums);
	return rc;
}

static int deliver_window(struct tacho__sim_collection *collection, uint64_t end_ns)
{
	uint64_t begin_ns = collection->window_begin_ns;
	char name[TACHO__NUMBER_MAX];
	const struct tacho_row row = {.id = collection->row, .name = name};
	struct tacho__sim_span span = {
		end_ns - begin_ns,
		tacho__sim_pendings_get_busy_ns(&collection->pendings, begin_ns, end_ns)};
	struct tacho__sim_presence presence = {0};
	int64_t *sums = make_sums(collection);
	int rc = sums ? tacho__sim_pendings_find(&collection->pendings, begin_ns, end_ns, &presence)
		      : fail_memory();

	tacho__number_format_seconds(end_ns - collection->pass_begin_ns, name);
	if (!rc)
		rc = add_background(collection, begin_ns, end_ns, sums, &span.busy_ns, &presence);
	if (!rc)
		rc = add_times(collection, begin_ns, end_ns, &presence, sums);
	tacho__sim_presence_finish(&presence);
	if (!rc) {
		tacho__sim_pendings_share(&collection->pendings, begin_ns, end_ns, sums);
		rc = deliver(collection, NULL, &row, sums, &span);
	}
	free(sums);
	if (rc) /* it is still to come */
		return rc;
	collection->row++;
	collection->window_begin_ns = end_ns;
	tacho__sim_pendings_drop(&collection->pendings, end_ns);
	return 0;
}

int tacho__sim_collect_windows(struct tacho__sim_collection *collection)
{
	uint64_t length = collection->base.options->window_ns;
	int rc = 0;

	while (length && !rc && collection->device->now_ns - collection->window_begin_ns >= length)
		rc = deliver_window(collection, collection->window_begin_ns + length);
	return rc;
}

static void finish_range(struct open_range *range)
{
	tacho__sim_presence_finish(&range->presence);
	free(range->sums);
}

static int deliver_range(struct tacho__sim_collection *collection, struct open_range *range)
{
	uint64_t begin_ns = range->begin_ns, end_ns = range->end_ns;
	int rc = add_background(collection, begin_ns, end_ns, range->sums, &range->busy_ns,
				&range->presence);

	if (!rc)
		rc = add_times(collection, begin_ns, end_ns, &range->presence, range->sums);
	if (!rc)
		rc = deliver(collection, &range->key, NULL, range->sums,
			     &(struct tacho__sim_span){end_ns - begin_ns, range->busy_ns});
	return rc;
}

/* Delivers one of those that were ended. */
static int deliver_ended(struct tacho__sim_collection *collection, size_t index)
{
	struct open_range *range = &collection->ended[index];
	int rc = deliver_range(collection, range);

	finish_range(range);
	collection->ended_count--;
	memmove(range, range + 1, (collection->ended_count - index) * sizeof(*range));
	return rc;
}

int tacho__sim_collect_ranges(struct tacho__sim_collection *collection, uint64_t until_ns)
{
	size_t index = 0;
	int rc = 0;

	while (index < collection->ended_count) {
		int failed;

		if (collection->ended[index].end_ns > until_ns) {
			index++;
			continue;
		}
		failed = deliver_ended(collection, index);
		rc = rc ? rc : failed;
	}
	return rc;
}

static void delay_range(struct open_range *range, uint64_t at_ns, uint64_t by_ns)
{
	range->begin_ns = tacho__sim_delayed(range->begin_ns, at_ns, by_ns);
	range->end_ns = tacho__sim_delayed(range->end_ns, at_ns, by_ns);
	tacho__sim_presence_delay(&range->presence, at_ns, by_ns);
}

int tacho__sim_collect_delay(struct tacho__sim_collection *collection, uint64_t by_ns)
{
	uint64_t at_ns = collection->device->now_ns;
	int rc = tacho__sim_pendings_delay(&collection->pendings, at_ns, by_ns);

	for (size_t i = 0; !rc && i < collection->range_count; i++)
		delay_range(&collection->ranges[i], at_ns, by_ns);
	for (size_t i = 0; !rc && i < collection->ended_count; i++)
		delay_range(&collection->ended[i], at_ns, by_ns);
	return rc;
}

void tacho__sim_collect_end(struct tacho__sim_collection *collection)
{
	tacho__sim_collect_ranges(collection, UINT64_MAX);
	tacho__collection_fail(
		&collection->base,
		tacho__fail(TACHO_E_LOST, "the simulated device vanished, as it was told to",
			    "open the device again", "the simulated device %s is gone",
			    collection->device->spec.name));
}

int tacho__sim_begin(struct tacho_device *base, const struct tacho__collection_options *options,
		     struct tacho__collection **out_collection)
{
	struct tacho__sim_device *device = TACHO__OWN(struct tacho__sim_device, base);
	struct tacho__sim_collection *collection;
	uint32_t fault;

	pthread_mutex_lock(&device->lock);
	fault = device->fault;
	pthread_mutex_unlock(&device->lock);
	if (fault == TACHO_SIM_FAULT_PERMISSION)
		return tacho__fail(TACHO_E_PERM, "the fault \"permission\" is set on it",
				   "take the fault away with tacho_sim_set_fault()",
				   "no permission to count on the simulated device %s",
				   device->spec.name);
	if (fault == TACHO_SIM_FAULT_BUSY)
		return tacho__fail(TACHO_E_BUSY, "the fault \"busy\" is set on it",
				   "take the fault away with tacho_sim_set_fault()",
				   "another profiler holds the counters of the simulated device %s",
				   device->spec.name);
	collection = tacho__collection_create(sizeof(*collection), options);
	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = device;
	*out_collection = &collection->base;
	return 0;
}

/* Comparators as the set programs them. */
static int make_boolean(struct tacho__sim_collection *collection, const struct tacho_set *set)
{
	const struct tacho__sim_device *device = collection->device;
	struct tacho__sim_boolean *boolean = malloc(sizeof(*boolean));
	int rc = boolean ? tacho__sim_boolean_init(boolean, device->arch, &device->model, set)
			 : fail_memory();

	if (rc || !boolean->comparators) {
		if (!rc)
			tacho__sim_boolean_finish(boolean);
		free(boolean);
		boolean = NULL;
	}
	collection->boolean = boolean;
	return rc;
}

static void drop_boolean(struct tacho__sim_collection *collection)
{
	if (collection->boolean)
		tacho__sim_boolean_finish(collection->boolean);
	free(collection->boolean);
	collection->boolean = NULL;
}

int tacho__sim_pass_begin(struct tacho__collection *base, uint32_t pass)
{
	struct tacho__sim_collection *collection = TACHO__OWN(struct tacho__sim_collection, base);
	struct tacho__sim_device *device = collection->device;
	const struct tacho_plan_pass *info =
		tacho_plan_get_pass(collection->base.options->plan, pass);
	int rc;

	pthread_mutex_lock(&device->lock);
	rc = tacho__sim_check_gone(device);
	if (!rc && device->collection)
		rc = tacho__fail(TACHO_E_BUSY, "a pass of another session is open on it",
				 "end that pass before",
				 "no pass can begin on the simulated device %s", device->spec.name);
	if (!rc)
		rc = tacho__sim_counters_init(&collection->counters, device, info);
	if (!rc) {
		rc = tacho__sim_values_init(&collection->values, &collection->counters);
		if (!rc && device->oa)
			rc = make_boolean(collection, info->set);
		if (rc)
			tacho__sim_counters_finish(&collection->counters);
	}
	if (!rc) {
		collection->pass = pass;
		collection->is_open = 1;
		collection->is_pipelined = info->mode == TACHO_MODE_PIPELINED;
		collection->row = 0;
		collection->pendings.value_count = collection->counters.value_count;
		collection->pass_begin_ns = device->now_ns;
		collection->window_begin_ns = device->now_ns;
		device->collection = collection;
	}
	pthread_mutex_unlock(&device->lock);
	return rc;
}

int tacho__sim_pass_end(struct tacho__collection *base)
{
	struct tacho__sim_collection *collection = TACHO__OWN(struct tacho__sim_collection, base);
	struct tacho__sim_device *device = collection->device;
	int rc = 0;

	pthread_mutex_lock(&device->lock);
	if (collection->is_open) {
		tacho__sim_idle(device);
		if (!device->is_gone)
			rc = tacho__sim_collect_windows(collection);
		if (!rc && !device->is_gone)
			rc = tacho__sim_collect_ranges(collection, device->now_ns);
		if (!rc && !device->is_gone && collection->base.options->window_ns &&
		    collection->window_begin_ns < device->now_ns)
			rc = deliver_window(collection, device->now_ns);
		tacho__sim_pendings_drop(&collection->pendings, UINT64_MAX);
		tacho__sim_counters_finish(&collection->counters);
		drop_boolean(collection);
		while (collection->range_count)
			finish_range(&collection->ranges[--collection->range_count]);
		while (collection->ended_count)
			finish_range(&collection->ended[--collection->ended_count]);
		collection->is_open = 0;
		device->collection = NULL;
	}
	pthread_mutex_unlock(&device->lock);
	return rc;
}

int tacho__sim_range_begin(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct tacho__sim_collection *collection = TACHO__OWN(struct tacho__sim_collection, base);
	struct tacho__sim_device *device = collection->device;
	int64_t *sums = NULL;
	int rc;

	pthread_mutex_lock(&device->lock);
	rc = tacho__sim_check_gone(device);
	if (!rc) {
		sums = make_sums(collection);
		if (!sums ||
		    tacho__array_reserve(&collection->ranges, &collection->range_capacity,
					 collection->range_count, sizeof(*collection->ranges)))
			rc = fail_memory();
	}
	if (!rc) {
		if (!collection->is_pipelined)
			tacho__sim_idle(device);
		collection->ranges[collection->range_count++] =
			(struct open_range){.key = key,
					    .parent = parent,
					    .begin_ns = tacho__sim_front(device),
					    .sums = sums};
	} else {
		free(sums);
	}
	pthread_mutex_unlock(&device->lock);
	return rc;
}

/* It is delivered at once when the device is idle, and when others must make room. */
static int end_range(struct tacho__sim_collection *collection, struct open_range *range)
{
	struct tacho__sim_device *device = collection->device;

	if (!collection->is_pipelined)
		tacho__sim_idle(device);
	range->end_ns = tacho__sim_front(device);
	/* an older one that fails is not this one's failure; the session misses its values */
	if (collection->ended_count == ENDED_MAX)
		deliver_ended(collection, 0);
	collection->ended[collection->ended_count++] = *range;
	return range->end_ns > device->now_ns
		       ? 0
		       : deliver_ended(collection, collection->ended_count - 1);
}

int tacho__sim_range_end(struct tacho__collection *base, uint64_t key)
{
	struct tacho__sim_collection *collection = TACHO__OWN(struct tacho__sim_collection, base);
	struct tacho__sim_device *device = collection->device;
	struct open_range *range;
	int rc;

	pthread_mutex_lock(&device->lock);
	rc = tacho__sim_check_gone(device);
	range = find_range(collection, key);
	if (range && rc)
		finish_range(range);
	else if (range)
		rc = end_range(collection, range);
	if (range)
		*range = collection->ranges[--collection->range_count];
	pthread_mutex_unlock(&device->lock);
	return rc;
}

/* What was asked for is delivered when the device is done with it. */
int tacho__sim_drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	struct tacho__sim_collection *collection = TACHO__OWN(struct tacho__sim_collection, base);
	struct tacho__sim_device *device = collection->device;
	int rc = 0;

	pthread_mutex_lock(&device->lock);
	if (collection->is_open && !device->is_gone) {
		if (timeout_ns && collection->is_pipelined)
			tacho__sim_idle(device);
		rc = tacho__sim_collect_windows(collection);
		if (!rc)
			rc = tacho__sim_collect_ranges(collection, device->now_ns);
	}
	pthread_mutex_unlock(&device->lock);
	return rc;
}

void tacho__sim_end(struct tacho__collection *base)
{
	struct tacho__sim_collection *collection = TACHO__OWN(struct tacho__sim_collection, base);
	tacho__sim_pass_end(base);
	free(collection->ranges);
	tacho__collection_destroy(base);
}
