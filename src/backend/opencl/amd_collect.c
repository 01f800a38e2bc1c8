/* SPDX-License-Identifier: MIT */
/*
 * A collection: counters are made for a range, counted between two commands, and read when the
 * second one is done. Counter objects serve one range, as GPUPerfAPI has it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/opencl_amd.h"
#include "backend/opencl/opencl_ranges.h"
#include "base/error.h"

/* What is programmed in a pass, in the order of its counters. */
struct pass {
	const struct tacho__opencl_amd_counter **counters;
	uint64_t *registers; /* of the counter's block */
	size_t count;
};

struct range {
	struct tacho__opencl_range link; /* first; it is ended after `end` is made */
	uint32_t pass;
	cl_handle end;	      /* event; NULL: it has not ended */
	cl_handle counters[]; /* as many as the largest pass has; NULL: not made */
};

struct tacho__collection {
	struct tacho__device *device;
	const struct tacho__collection_options *options;
	struct tacho__arena arena; /* of passes */
	struct pass *passes;
	uint32_t pass;
	struct tacho__opencl_ranges ranges; /* of struct range; one is open at most */
	pthread_mutex_t lock;		    /* one range at a time is begun or ended */
};

static int fail_call(const char *function, int32_t error, const char *what)
{
	return tacho__fail_vendor(
		tacho__fail(TACHO_E_VENDOR,
			    tacho__detail("%s said %s", function, tacho__opencl_error(error)),
			    "end other profilers, and let this user open the GPU's devices below "
			    "/dev/dri and /dev/kfd",
			    "%s", what),
		error);
}

/* ---- passes ---- */

static int make_pass(struct tacho__collection *collection, const struct tacho_plan_pass *info,
		     struct pass *pass)
{
	pass->counters = tacho__arena_get(&collection->arena,
					  (info->counter_count + 1) * sizeof(*pass->counters));
	pass->registers = tacho__arena_get(&collection->arena,
					   (info->counter_count + 1) * sizeof(*pass->registers));
	if (!pass->counters || !pass->registers)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < info->counter_count; i++) {
		const struct tacho_entry *entry = info->counters[i].entry;
		const struct tacho__opencl_amd_counter *counter =
			tacho__map_get(&collection->device->counters, (uintptr_t)entry);

		if (!counter)
			return tacho__fail(TACHO_E_INVAL, "", "plan with tacho_device_plan()",
					   "%s is no counter of this device", entry->name);
		for (size_t k = 0; k < i; k++)
			pass->registers[i] += pass->counters[k]->block == counter->block;
		pass->counters[i] = counter;
	}
	pass->count = info->counter_count;
	return 0;
}

/* *out_most: counters of the largest pass. */
static int make_passes(struct tacho__collection *collection, size_t *out_most)
{
	const struct tacho_plan *plan = collection->options->plan;
	size_t count = 0, most = 0;
	int rc = 0;

	while (tacho_plan_get_pass(plan, count))
		count++;
	collection->passes =
		tacho__arena_get(&collection->arena, (count + 1) * sizeof(*collection->passes));
	if (!collection->passes)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count && !rc; i++) {
		rc = make_pass(collection, tacho_plan_get_pass(plan, i), &collection->passes[i]);
		if (most < collection->passes[i].count)
			most = collection->passes[i].count;
	}
	if (!rc)
		*out_most = most;
	return rc;
}

int tacho__opencl_amd_begin_pass(struct tacho__collection *collection, uint32_t pass)
{
	collection->pass = pass;
	return 0;
}

int tacho__opencl_amd_end_pass(struct tacho__collection *collection)
{
	return 0;
}

/* ---- ranges ---- */

static void release(void *user, void *range_)
{
	const struct tacho__collection *collection = user;
	const struct range *range = range_;
	const struct tacho__opencl_amd *cl = &collection->device->cl;

	for (size_t i = 0; i < collection->passes[range->pass].count; i++)
		if (range->counters[i])
			cl->release_counter(range->counters[i]);
	if (range->end)
		cl->release_event(range->end);
}

static int make_counters(const struct tacho__collection *collection, struct range *range)
{
	const struct pass *pass = &collection->passes[range->pass];
	int32_t error;

	for (size_t i = 0; i < pass->count; i++) {
		range->counters[i] = tacho__opencl_amd_create(collection->device, pass->counters[i],
							      pass->registers[i], &error);
		if (!range->counters[i] || error)
			return fail_call("clCreatePerfCounterAMD", error,
					 "the driver denies a hardware counter");
	}
	return 0;
}

/* Where commands may overtake others a barrier keeps them on their side. */
static int enqueue(const struct tacho__device *device, struct range *range, size_t count,
		   bool is_end)
{
	const struct tacho__opencl_amd *cl = &device->cl;
	int32_t error =
		device->is_out_of_order ? cl->enqueue_barrier(device->queue, 0, NULL, NULL) : 0;

	if (error)
		return fail_call("clEnqueueBarrierWithWaitList", error,
				 "the range cannot be counted");
	error = is_end ? cl->enqueue_end(device->queue, (uint32_t)count, range->counters, 0, NULL,
					 &range->end)
		       : cl->enqueue_begin(device->queue, (uint32_t)count, range->counters, 0, NULL,
					   NULL);
	if (!error && !is_end && device->is_out_of_order)
		error = cl->enqueue_barrier(device->queue, 0, NULL, NULL);
	return error ? fail_call(is_end ? "clEnqueueEndPerfCounterAMD"
					: "clEnqueueBeginPerfCounterAMD",
				 error, "the driver does not count the range")
		     : 0;
}

static int begin_range(struct tacho__collection *collection, uint64_t key)
{
	size_t count = collection->passes[collection->pass].count;
	struct range *range;
	int rc;

	if (collection->ranges.open)
		return tacho__fail(TACHO_E_BUSY, "its registers count for another range",
				   "end it before, or count times alone",
				   "ranges that overlap cannot be counted in one pass");
	range = tacho__opencl_ranges_begin(&collection->ranges, key);
	if (!range)
		return TACHO_E_NOMEM;
	range->pass = collection->pass;
	rc = make_counters(collection, range);
	if (!rc)
		rc = enqueue(collection->device, range, count, false);
	if (!rc)
		return 0;
	release(collection, range);
	tacho__opencl_ranges_drop_open(&collection->ranges, key);
	return rc;
}

int tacho__opencl_amd_begin_range(struct tacho__collection *collection, uint64_t key,
				  uint64_t parent)
{
	int rc;

	pthread_mutex_lock(&collection->lock);
	rc = begin_range(collection, key);
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

static int end_range(struct tacho__collection *collection, uint64_t key)
{
	struct range *range = (struct range *)collection->ranges.open;
	int rc;

	if (!range || range->link.key != key)
		return tacho__fail(TACHO_E_INVAL, "", "", "a range ends that did not begin");
	rc = enqueue(collection->device, range, collection->passes[range->pass].count, true);
	if (!rc) {
		tacho__opencl_ranges_end(&collection->ranges, key);
		return 0;
	}
	release(collection, range);
	tacho__opencl_ranges_drop_open(&collection->ranges, key);
	return rc;
}

int tacho__opencl_amd_end_range(struct tacho__collection *collection, uint64_t key)
{
	int rc;

	pthread_mutex_lock(&collection->lock);
	rc = end_range(collection, key);
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

/* ---- values ---- */

/* A counter that cannot be read has none. */
static int deliver(void *user, const void *range_)
{
	const struct tacho__collection *collection = user;
	const struct range *range = range_;
	const struct tacho__sink *sink = collection->options->sink;
	const struct tacho__opencl_amd *cl = &collection->device->cl;
	size_t count = collection->passes[range->pass].count;
	struct tacho_column *columns = calloc(count + 1, sizeof(*columns));
	uint64_t *values = calloc(count + 1, sizeof(*values));
	uint8_t *states = calloc(count + 1, 1);
	int rc = columns && values && states
			 ? 0
			 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a row");

	for (size_t i = 0; i < count && !rc; i++) {
		states[i] = cl->get_counter_info(range->counters[i], CL__PERFCOUNTER_DATA,
						 sizeof(values[i]), &values[i], NULL)
				    ? TACHO_STATE_ABSENT
				    : TACHO_STATE_OK;
		columns[i] = (struct tacho_column){.type = TACHO_TYPE_U64,
						   .instance_count = 1,
						   .data.u64 = &values[i],
						   .states = &states[i]};
	}
	if (!rc)
		rc = sink->deliver(sink->user, &(struct tacho__batch){.pass = range->pass,
								      .row_count = 1,
								      .keys = &range->link.key,
								      .columns = columns});
	free(states);
	free(values);
	free(columns);
	return rc;
}

static bool is_over(void *user, const void *range_)
{
	const struct tacho__collection *collection = user;
	const struct range *range = range_;
	int32_t status = CL__COMPLETE;

	return collection->device->cl.get_event_info(range->end, CL__EVENT_STATUS, sizeof(status),
						     &status, NULL) ||
	       status <= CL__COMPLETE;
}

static void flush(void *user)
{
	const struct tacho__collection *collection = user;

	collection->device->cl.flush(collection->device->queue);
}

/* ---- the collection ---- */

int tacho__opencl_amd_begin(struct tacho__device *device,
			    const struct tacho__collection_options *options,
			    struct tacho__collection **out_collection)
{
	struct tacho__collection *collection = calloc(1, sizeof(*collection));
	struct tacho__opencl_range_kind kind = {
		.size = sizeof(struct range),
		.is_over = is_over,
		.deliver = deliver,
		.release = release,
		.flush = flush,
	};
	size_t most = 0;
	int rc;

	if (!collection)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a collection");
	collection->device = device;
	collection->options = options;
	pthread_mutex_init(&collection->lock, NULL);
	rc = make_passes(collection, &most);
	kind.size += most * sizeof(cl_handle);
	tacho__opencl_ranges_init(&collection->ranges, &kind, collection);
	if (rc)
		tacho__opencl_amd_end(collection);
	else
		*out_collection = collection;
	return rc;
}

int tacho__opencl_amd_drain(struct tacho__collection *collection, uint64_t timeout_ns)
{
	return tacho__opencl_ranges_drain(&collection->ranges, timeout_ns);
}

/* What was begun at the driver is ended there too. */
void tacho__opencl_amd_end(struct tacho__collection *collection)
{
	struct range *open = (struct range *)collection->ranges.open;

	if (open)
		enqueue(collection->device, open, collection->passes[open->pass].count, true);
	tacho__opencl_ranges_finish(&collection->ranges);
	tacho__arena_finish(&collection->arena);
	pthread_mutex_destroy(&collection->lock);
	free(collection);
}
