/* SPDX-License-Identifier: MIT */
/*
 * A collection: counters are made for a range, counted between two commands, and read when the
 * second one is done. Counter objects serve one range, as GPUPerfAPI has it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/opencl_amd.h"
#include "backend/opencl/parts.h"
#include "base/error.h"

/* What is programmed in a pass, in the order of its counters. */
struct pass {
	const struct tacho__opencl_amd_counter **counters;
	uint64_t *registers; /* of the counter's block */
	size_t count;
};

struct range {
	struct tacho__device_range base; /* it is ended after `end` is made */
	uint32_t pass;
	cl_handle end;	      /* event; NULL: it has not ended */
	cl_handle counters[]; /* as many as the largest pass has; NULL: not made */
};

struct amd_collection {
	struct tacho__collection base; /* of struct range; one is open at most */
	struct tacho__opencl_amd_device *device;
	struct tacho__arena arena; /* of passes */
	struct pass *passes;
	pthread_mutex_t lock; /* one range at a time is begun or ended */
};

#define END_OTHERS                                                             \
	"end other profilers, and let this user open the GPU's devices below " \
	"/dev/dri and /dev/kfd"

/* ---- passes ---- */

static int make_pass(struct amd_collection *collection, const struct tacho_plan_pass *info,
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
			tacho__map_get(&collection->device->own.counters, (uintptr_t)entry);

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
static int make_passes(struct amd_collection *collection, size_t *out_most)
{
	const struct tacho_plan *plan = collection->base.options->plan;
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

/* ---- ranges ---- */

static void release(struct tacho__collection *base, struct tacho__device_range *each)
{
	const struct amd_collection *collection = TACHO__OWN(struct amd_collection, base);
	const struct range *range = TACHO__OWN(struct range, each);
	const struct tacho__opencl_amd *cl = &collection->device->cl;

	for (size_t i = 0; i < collection->passes[range->pass].count; i++)
		if (range->counters[i])
			cl->release_counter(range->counters[i]);
	if (range->end)
		cl->queue.release_event(range->end);
}

static int make_counters(const struct amd_collection *collection, struct range *range)
{
	const struct pass *pass = &collection->passes[range->pass];
	int32_t error;

	for (size_t i = 0; i < pass->count; i++) {
		range->counters[i] = tacho__opencl_amd_create(collection->device, pass->counters[i],
							      pass->registers[i], &error);
		if (!range->counters[i] || error)
			return tacho__opencl_fail("clCreatePerfCounterAMD", error,
						  "the driver denies a hardware counter",
						  END_OTHERS);
	}
	return 0;
}

/* Where commands may overtake others a barrier keeps them on their side. */
static int enqueue(const struct tacho__opencl_amd_device *device, struct range *range, size_t count,
		   bool is_end)
{
	const struct tacho__opencl_amd *cl = &device->cl;
	int32_t error = device->is_out_of_order
				? cl->queue.enqueue_barrier(device->queue, 0, NULL, NULL)
				: 0;

	if (error)
		return tacho__opencl_fail("clEnqueueBarrierWithWaitList", error,
					  "the range cannot be counted", END_OTHERS);
	error = is_end ? cl->enqueue_end(device->queue, (uint32_t)count, range->counters, 0, NULL,
					 &range->end)
		       : cl->enqueue_begin(device->queue, (uint32_t)count, range->counters, 0, NULL,
					   NULL);
	if (!error && !is_end && device->is_out_of_order)
		error = cl->queue.enqueue_barrier(device->queue, 0, NULL, NULL);
	return error ? tacho__opencl_fail(is_end ? "clEnqueueEndPerfCounterAMD"
						 : "clEnqueueBeginPerfCounterAMD",
					  error, "the driver does not count the range", END_OTHERS)
		     : 0;
}

static bool is_serialized(const struct amd_collection *collection)
{
	return tacho_plan_get_pass(collection->base.options->plan, collection->base.pass)->mode ==
	       TACHO_MODE_SERIALIZED;
}

static int begin_range(struct tacho__collection *base, uint64_t key)
{
	struct amd_collection *collection = TACHO__OWN(struct amd_collection, base);
	size_t count = collection->passes[base->pass].count;
	struct range *range;
	int rc;

	if (base->open)
		return tacho__fail(TACHO_E_BUSY, "its registers count for another range",
				   "end it before, or count times alone",
				   "ranges that overlap cannot be counted in one pass");
	rc = is_serialized(collection) ? tacho__opencl_settle(&collection->device->cl.queue,
							      collection->device->queue)
				       : 0;
	if (rc)
		return rc;
	range = tacho__collection_begin_range(base, key);
	if (!range)
		return TACHO_E_NOMEM;
	range->pass = base->pass;
	rc = make_counters(collection, range);
	if (!rc)
		rc = enqueue(collection->device, range, count, false);
	if (!rc)
		return 0;
	release(base, &range->base);
	tacho__collection_drop_range(base, &range->base);
	return rc;
}

int tacho__opencl_amd_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct amd_collection *collection = TACHO__OWN(struct amd_collection, base);
	int rc;

	pthread_mutex_lock(&collection->lock);
	rc = begin_range(base, key);
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

static int end_range(struct tacho__collection *base, uint64_t key)
{
	struct amd_collection *collection = TACHO__OWN(struct amd_collection, base);
	struct range *range = tacho__collection_find_range(base, key);
	int rc;

	if (!range)
		return TACHO_E_INVAL;
	rc = enqueue(collection->device, range, collection->passes[range->pass].count, true);
	if (!rc && is_serialized(collection))
		rc = tacho__opencl_await(&collection->device->cl.queue, collection->device->queue,
					 range->end);
	if (!rc) {
		tacho__collection_end_range(base, key);
		return 0;
	}
	release(base, &range->base);
	tacho__collection_drop_range(base, &range->base);
	return rc;
}

int tacho__opencl_amd_end_range(struct tacho__collection *base, uint64_t key)
{
	struct amd_collection *collection = TACHO__OWN(struct amd_collection, base);
	int rc;

	pthread_mutex_lock(&collection->lock);
	rc = end_range(base, key);
	pthread_mutex_unlock(&collection->lock);
	return rc;
}

/* ---- values ---- */

/* A counter that cannot be read has none. */
static int deliver(const struct amd_collection *collection, const struct range *range)
{
	const struct tacho__opencl_amd *cl = &collection->device->cl;
	struct tacho__rows *rows = tacho__rows_create(
		tacho_plan_get_pass(collection->base.options->plan, range->pass), 1);
	int rc;

	if (!rows)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < rows->counter_count; i++)
		if (!cl->get_counter_info(range->counters[i], CL__PERFCOUNTER_DATA,
					  sizeof(rows->values[i]), &rows->values[i], NULL))
			rows->states[i] = TACHO_STATE_OK;
	rc = tacho__collection_deliver(&collection->base,
				       &(struct tacho__batch){.pass = range->pass,
							      .row_count = 1,
							      .keys = &range->base.key,
							      .columns = rows->columns});
	free(rows);
	return rc;
}

static int sweep_ranges(struct tacho__collection *base, bool *out_waits)
{
	const struct amd_collection *collection = TACHO__OWN(struct amd_collection, base);
	struct range *range;
	int rc = 0;

	while (!rc && (range = tacho__collection_get_ended(base))) {
		*out_waits = !tacho__opencl_is_over(&collection->device->cl.queue, range->end);
		if (*out_waits)
			return 0;
		rc = deliver(collection, range);
		release(base, &range->base);
		tacho__collection_drop_ended(base);
	}
	return rc;
}

static void flush(struct tacho__collection *base)
{
	const struct tacho__opencl_amd_device *device =
		TACHO__OWN(struct amd_collection, base)->device;

	device->cl.queue.flush(device->queue);
}

/* ---- the collection ---- */

int tacho__opencl_amd_begin(struct tacho_device *device,
			    const struct tacho__collection_options *options,
			    struct tacho__collection **out_collection)
{
	struct amd_collection *collection = tacho__collection_create(sizeof(*collection), options);
	size_t most = 0;
	int rc;

	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = TACHO__OWN(struct tacho__opencl_amd_device, device);
	pthread_mutex_init(&collection->lock, NULL);
	rc = make_passes(collection, &most);
	collection->base.range_size = sizeof(struct range) + most * sizeof(cl_handle);
	if (rc)
		tacho__opencl_amd_end(&collection->base);
	else
		*out_collection = &collection->base;
	return rc;
}

int tacho__opencl_amd_drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	static const struct tacho__sweep how = {sweep_ranges, flush, TACHO__OPENCL_TIMEOUT};

	return tacho__collection_sweep(base, &how, timeout_ns);
}

/* What was begun at the driver is ended there too. */
void tacho__opencl_amd_end(struct tacho__collection *base)
{
	struct amd_collection *collection = TACHO__OWN(struct amd_collection, base);

	if (base->open) {
		struct range *open = TACHO__OWN(struct range, base->open);

		enqueue(collection->device, open, collection->passes[open->pass].count, true);
	}
	tacho__collection_clear(base, release);
	tacho__arena_finish(&collection->arena);
	pthread_mutex_destroy(&collection->lock);
	tacho__collection_destroy(base);
}
