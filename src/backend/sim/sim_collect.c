/* SPDX-License-Identifier: MIT */
/* Collections on a simulated device: what counts where, and its delivery. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/sim/sim_presence.h"
#include "backend/sim/sim_private.h"
#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

/* A range that is open, with what was counted in it so far. */
struct open_range {
	uint64_t key, parent;
	uint64_t begin_ns, busy_ns;
	struct tacho__sim_presence presence; /* of its work */
	int64_t *sums;
};

/* Work that windows of time have still to share out. */
struct pending {
	uint64_t begin_ns, end_ns, added_ns;
	int64_t *events; /* what does not depend on time: over all of it */
	int64_t *times;	 /* what does: over its last added_ns */
	struct pending *next;
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
	/* The next values to deliver. */
	struct tacho_column *columns;
	uint64_t *values;
	uint8_t *states;
	/* What reports say of them, on devices with an OA unit. */
	uint64_t *report_values;
	uint8_t *report_states;
	uint64_t row; /* number of the next row that the device begins */
	uint64_t lost_rows;
	uint64_t pass_begin_ns, window_begin_ns;
	struct pending *pending;
};

static int fail_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for simulated values");
}

static int64_t *make_sums(const struct tacho__sim_collection *collection)
{
	return calloc(collection->counters.value_count + 1, sizeof(int64_t));
}

static void finish_range(struct open_range *range)
{
	tacho__sim_presence_finish(&range->presence);
	free(range->sums);
}

static struct open_range *find_range(struct tacho__sim_collection *collection, uint64_t key)
{
	for (size_t i = 0; i < collection->range_count; i++)
		if (collection->ranges[i].key == key)
			return &collection->ranges[i];
	return NULL;
}

/* Adds what of totals, spread evenly over begin ... end, lies in from ... to. */
static void add_part(const struct tacho__sim_collection *collection, const int64_t *totals,
		     uint64_t begin, uint64_t end, uint64_t from, uint64_t to, int64_t *sums)
{
	uint64_t low = from > begin ? from - begin : 0, high = to < end ? to - begin : end - begin;

	if (from >= end || to <= begin)
		return;
	for (size_t i = 0; i < collection->counters.value_count; i++)
		tacho__sim_add(&sums[i], tacho__sim_scale(totals[i], high, end - begin) -
						 tacho__sim_scale(totals[i], low, end - begin));
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
	struct tacho__sim_work nothing = {0};
	double *v = nothing.variables, ns = (double)(end_ns - begin_ns);

	v[TACHO__SIM_rows] = 1;
	v[TACHO__SIM_elapsed_ns] = ns;
	v[TACHO__SIM_elapsed_cycles] =
		floor(ns * tacho__sim_spec_get(&device->spec, "clock_mhz") / 1000);
	v[TACHO__SIM_begin_ns] = (double)(presence->has_work ? presence->begin_ns : begin_ns);
	v[TACHO__SIM_end_ns] = (double)(presence->has_work ? presence->end_ns : end_ns);
	v[TACHO__SIM_active_ns] = (double)tacho__sim_presence_get_ns(presence);
	return tacho__sim_counters_add(&collection->counters, device, &nothing, sums);
}

/* The number as its counter has it, and its state. */
static uint64_t finish_value(const struct tacho__sim_collection *collection,
			     const struct tacho__sim_counter *counter, int64_t sum,
			     uint8_t *out_state)
{
	const struct tacho__sim_device *device = collection->device;
	uint64_t value = sum > 0 ? (uint64_t)sum : 0, bits = counter->entry->width_bits;

	*out_state = TACHO_STATE_OK;
	if (counter->rule && *counter->rule->absent) {
		*out_state = TACHO_STATE_ABSENT;
		return 0;
	}
	if (counter->rule && counter->rule->most && value > counter->rule->most)
		value = counter->rule->most;
	if (device->fault == TACHO_SIM_FAULT_OVERFLOW)
		bits = device->fault_number;
	if (bits && bits < 64 && value >> bits) {
		*out_state = TACHO_STATE_OVERFLOW;
		value &= (UINT64_C(1) << bits) - 1;
	}
	return value;
}

/* A value of the row, of the type that its counter has. */
static void put_value(struct tacho__sim_collection *collection,
		      const struct tacho__sim_counter *counter, size_t at, uint64_t value)
{
	double real = (double)value;

	if (counter->column.type == TACHO_TYPE_F64)
		memcpy(&collection->values[at], &real, sizeof(real));
	else
		collection->values[at] = value;
}

/* What two reports around the row say, where nothing else is wrong with a value. */
static void read_reports(struct tacho__sim_collection *collection, const int64_t *sums,
			 const struct tacho__sim_span *span)
{
	struct tacho__sim_device *device = collection->device;
	size_t count = collection->counters.value_count;
	uint64_t *values = collection->report_values;
	uint8_t *states = collection->report_states;

	memset(values, 0, count * sizeof(*values));
	memset(states, 0, count);
	tacho__sim_oa_count(device->oa, collection->boolean, &collection->counters, sums, span,
			    values, states);
	for (size_t i = 0; i < collection->counters.count; i++) {
		const struct tacho__sim_counter *counter = &collection->counters.counters[i];

		if (collection->states[counter->offset] == TACHO_STATE_ABSENT ||
		    device->fault == TACHO_SIM_FAULT_OVERFLOW ||
		    (counter->rule && counter->rule->most))
			continue;
		if (collection->states[counter->offset] < states[counter->offset])
			collection->states[counter->offset] = states[counter->offset];
		put_value(collection, counter, counter->offset, values[counter->offset]);
	}
}

static void fill_values(struct tacho__sim_collection *collection, const int64_t *sums,
			const struct tacho__sim_span *span)
{
	for (size_t i = 0; i < collection->counters.count; i++) {
		const struct tacho__sim_counter *counter = &collection->counters.counters[i];

		for (size_t k = 0; k < counter->column.instance_count; k++) {
			size_t at = counter->offset + k;

			put_value(collection, counter, at,
				  finish_value(collection, counter, sums[at],
					       &collection->states[at]));
		}
	}
	if (collection->device->oa)
		read_reports(collection, sums, span);
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
	fill_values(collection, sums, span);
	rc = tacho__collection_deliver(
		&collection->base,
		&(struct tacho__batch){.pass = collection->pass,
				       .row_count = 1,
				       .keys = key,
				       .rows = row,
				       .columns = collection->columns,
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
	struct pending *pending = calloc(1, sizeof(*pending));
	int64_t *events = make_sums(collection), *times = make_sums(collection);
	int rc = pending && events && times ? 0 : fail_memory();

	if (!rc)
		rc = tacho__sim_counters_add(&collection->counters, device, work, times);
	tacho__sim_work_set_time(work, &device->spec, 0);
	if (!rc)
		rc = tacho__sim_counters_add(&collection->counters, device, work, events);
	if (rc) {
		free(events);
		free(times);
		free(pending);
		return rc;
	}
	for (size_t i = 0; i < collection->counters.value_count; i++)
		times[i] -= events[i];
	*pending = (struct pending){.begin_ns = item->begin_ns,
				    .end_ns = item->end_ns,
				    .added_ns = item->added_ns,
				    .events = events,
				    .times = times,
				    .next = collection->pending};
	collection->pending = pending;
	return 0;
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

static void drop_pending(struct tacho__sim_collection *collection, uint64_t before_ns)
{
	struct pending **link = &collection->pending;

	while (*link) {
		struct pending *pending = *link;

		if (pending->end_ns > before_ns) {
			link = &pending->next;
			continue;
		}
		*link = pending->next;
		free(pending->events);
		free(pending->times);
		free(pending);
	}
}

/* What of the busy times of work lies in a window. */
static uint64_t get_busy_ns(const struct tacho__sim_collection *collection, uint64_t from,
			    uint64_t to)
{
	uint64_t busy_ns = 0;

	for (const struct pending *each = collection->pending; each; each = each->next) {
		uint64_t begin = each->end_ns - each->added_ns, end = each->end_ns;

		begin = begin > from ? begin : from;
		end = end < to ? end : to;
		busy_ns += begin < end ? end - begin : 0;
	}
	return busy_ns;
}

/* When work was on the device within a window. */
static int add_presence(const struct tacho__sim_collection *collection, uint64_t from, uint64_t to,
			struct tacho__sim_presence *presence)
{
	int rc = 0;

	for (const struct pending *each = collection->pending; each && !rc; each = each->next) {
		uint64_t begin = each->begin_ns > from ? each->begin_ns : from;
		uint64_t end = each->end_ns < to ? each->end_ns : to;

		if (begin >= end)
			continue;
		rc = tacho__sim_presence_reserve(presence);
		if (!rc)
			tacho__sim_presence_add(presence, begin, end, 0);
	}
	return rc;
}

static int deliver_window(struct tacho__sim_collection *collection, uint64_t end_ns)
{
	uint64_t begin_ns = collection->window_begin_ns;
	char name[TACHO__NUMBER_MAX];
	const struct tacho_row row = {.id = collection->row, .name = name};
	struct tacho__sim_span span = {end_ns - begin_ns,
				       get_busy_ns(collection, begin_ns, end_ns)};
	struct tacho__sim_presence presence = {0};
	int64_t *sums = make_sums(collection);
	int rc = sums ? add_presence(collection, begin_ns, end_ns, &presence) : fail_memory();

	tacho__number_format_seconds(end_ns - collection->pass_begin_ns, name);
	if (!rc)
		rc = add_background(collection, begin_ns, end_ns, sums, &span.busy_ns, &presence);
	if (!rc)
		rc = add_times(collection, begin_ns, end_ns, &presence, sums);
	tacho__sim_presence_finish(&presence);
	for (struct pending *each = collection->pending; each && !rc; each = each->next) {
		add_part(collection, each->events, each->begin_ns, each->end_ns, begin_ns, end_ns,
			 sums);
		if (each->added_ns)
			add_part(collection, each->times, each->end_ns - each->added_ns,
				 each->end_ns, begin_ns, end_ns, sums);
	}
	if (!rc)
		rc = deliver(collection, NULL, &row, sums, &span);
	free(sums);
	if (rc) /* it is still to come */
		return rc;
	collection->row++;
	collection->window_begin_ns = end_ns;
	drop_pending(collection, end_ns);
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

void tacho__sim_collect_end(struct tacho__sim_collection *collection)
{
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

/* Columns and values of one row. */
static int make_columns(struct tacho__sim_collection *collection)
{
	struct tacho__sim_counters *counters = &collection->counters;
	struct tacho__arena *arena = &counters->arena;

	collection->columns =
		tacho__arena_get(arena, (counters->count + 1) * sizeof(*collection->columns));
	collection->values =
		tacho__arena_get(arena, (counters->value_count + 1) * sizeof(uint64_t));
	collection->states = tacho__arena_get(arena, counters->value_count + 1);
	collection->report_values =
		tacho__arena_get(arena, (counters->value_count + 1) * sizeof(uint64_t));
	collection->report_states = tacho__arena_get(arena, counters->value_count + 1);
	if (!collection->columns || !collection->values || !collection->states ||
	    !collection->report_values || !collection->report_states)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < counters->count; i++) {
		const struct tacho__sim_counter *counter = &counters->counters[i];

		collection->columns[i] = counter->column;
		collection->columns[i].data.u64 = collection->values + counter->offset;
		collection->columns[i].states = collection->states + counter->offset;
	}
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
		rc = make_columns(collection);
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
		if (!rc && !device->is_gone && collection->base.options->window_ns &&
		    collection->window_begin_ns < device->now_ns)
			rc = deliver_window(collection, device->now_ns);
		drop_pending(collection, UINT64_MAX);
		tacho__sim_counters_finish(&collection->counters);
		drop_boolean(collection);
		for (size_t i = 0; i < collection->range_count; i++)
			finish_range(&collection->ranges[i]);
		collection->range_count = 0;
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

int tacho__sim_range_end(struct tacho__collection *base, uint64_t key)
{
	struct tacho__sim_collection *collection = TACHO__OWN(struct tacho__sim_collection, base);
	struct tacho__sim_device *device = collection->device;
	struct open_range *range;
	uint64_t front;
	int rc;

	pthread_mutex_lock(&device->lock);
	rc = tacho__sim_check_gone(device);
	range = find_range(collection, key);
	if (!rc && range) {
		if (!collection->is_pipelined)
			tacho__sim_idle(device);
		front = tacho__sim_front(device);
		rc = add_background(collection, range->begin_ns, front, range->sums,
				    &range->busy_ns, &range->presence);
		if (!rc)
			rc = add_times(collection, range->begin_ns, front, &range->presence,
				       range->sums);
		if (!rc)
			rc = deliver(
				collection, &key, NULL, range->sums,
				&(struct tacho__sim_span){front - range->begin_ns, range->busy_ns});
	}
	if (range) {
		finish_range(range);
		*range = collection->ranges[--collection->range_count];
	}
	pthread_mutex_unlock(&device->lock);
	return rc;
}

/* Everything was delivered when its range ended. */
int tacho__sim_drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	struct tacho__sim_collection *collection = TACHO__OWN(struct tacho__sim_collection, base);
	struct tacho__sim_device *device = collection->device;
	int rc = 0;

	pthread_mutex_lock(&device->lock);
	if (collection->is_open && !device->is_gone)
		rc = tacho__sim_collect_windows(collection);
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
