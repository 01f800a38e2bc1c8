/* SPDX-License-Identifier: MIT */
/*
 * The times of two markers around a range. A marker without a list of events completes after all
 * that was put on the queue before, and on a queue that runs in order nothing behind it starts
 * earlier (OpenCL 1.2, 5.10). The ends of both markers are taken: when a marker starts is up to the
 * driver.
 *
 * Serialized, the queue is waited for before the first marker is made, so that the time until this
 * thread is awake again is in no range, and until the second is done. Pipelined, nothing waits: on
 * a queue that runs out of order a marker, other than a barrier, holds nothing back either, and the
 * time between two of them is what the range added.
 */
#include "backend/opencl/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/opencl.h"
#include "backend/collection.h"
#include "backend/wishes.h"
#include "base/array.h"
#include "base/error.h"

struct times_device {
	struct tacho_device base;
	struct tacho__opencl_queue cl;
	cl_handle queue;
	bool is_out_of_order;
	bool measures;	/* it was made to measure times */
	bool has_clock; /* times of its events are some */
};

struct range {
	struct tacho__device_range base; /* it is ended after `end` is made */
	uint32_t pass;
	cl_handle begin, end; /* events */
};

struct times_collection {
	struct tacho__collection base; /* of struct range */
	struct times_device *device;
};

/* Whether it can be used is looked at when it is opened, where the code says what is wrong. */
static int probe(struct tacho_probe *probe_, struct tacho_probe_backend *backend_info)
{
	cl_handle queue = tacho__probe_get_options(probe_)->handle;
	struct tacho_device_info *info;
	struct tacho__opencl_queue cl;
	char name[TACHO__OPENCL_TEXT] = "";
	cl_handle device;

	if (!queue) {
		backend_info->cause = "the context was given no command queue";
		backend_info->cure = "set .handle of struct tacho_context_options";
		return 0;
	}
	if (!tacho__opencl_queue_load(&cl)) {
		backend_info->library = tacho__probe_text(probe_, "%s", cl.dl.path);
		device = tacho__opencl_get_device(&cl, queue);
		if (device)
			tacho__opencl_get_text(cl.get_device_info, device, CL__DEVICE_NAME, name);
		tacho__dl_close(&cl.dl);
	}
	backend_info->usable = 1;
	info = tacho__probe_add_device_info(probe_);
	if (!info)
		return TACHO_E_NOMEM;
	info->name = tacho__probe_text(probe_, "%s", *name ? name : "OpenCL command queue");
	info->platform = "OpenCL";
	info->kind = "other";
	info->usable = 1;
	return 0;
}

#define GIVE_QUEUE "give a cl_command_queue that has not been released"
#define END_OTHERS "finish or flush the queue, and release events that are not needed"

/* "OpenCL 3.0 ..." as 30; 0 when the driver does not tell. */
static unsigned get_version(const struct tacho__opencl_queue *cl, cl_handle device)
{
	char text[TACHO__OPENCL_TEXT];
	unsigned major = 0, minor = 0;

	tacho__opencl_get_text(cl->get_device_info, device, CL__DEVICE_VERSION, text);
	if (sscanf(text, "OpenCL %2u.%1u", &major, &minor) != 2)
		return 0;
	return major * 10 + minor;
}

static int check_version(const struct tacho__opencl_queue *cl, cl_handle queue)
{
	cl_handle device = NULL;
	unsigned version;
	int32_t error = cl->get_queue_info(queue, CL__QUEUE_DEVICE, sizeof(device), &device, NULL);

	if (error)
		return tacho__opencl_fail("clGetCommandQueueInfo", error,
					  "the queue cannot be asked", GIVE_QUEUE);
	version = get_version(cl, device);
	if (version >= 12)
		return 0;
	return tacho__fail(
		TACHO_E_VERSION,
		tacho__detail("its CL_DEVICE_VERSION is OpenCL %u.%u", version / 10, version % 10),
		"install a driver with OpenCL 1.2 or later",
		"the driver of the queue has no markers");
}

/* A driver that knows no times makes them up, and says that its timer has a resolution of 0. */
static bool has_clock(const struct tacho__opencl_queue *cl, cl_handle queue)
{
	size_t resolution_ns = 1;
	cl_handle device = tacho__opencl_get_device(cl, queue);

	return !device ||
	       cl->get_device_info(device, CL__DEVICE_PROFILING_TIMER_RESOLUTION,
				   sizeof(resolution_ns), &resolution_ns, NULL) ||
	       resolution_ns;
}

static int check_queue(struct times_device *device)
{
	uint64_t properties = 0;
	int rc = check_version(&device->cl, device->queue);
	int32_t error;

	if (rc)
		return rc;
	error = device->cl.get_queue_info(device->queue, CL__QUEUE_PROPERTIES, sizeof(properties),
					  &properties, NULL);
	if (error)
		return tacho__opencl_fail("clGetCommandQueueInfo", error,
					  "the queue cannot be asked", GIVE_QUEUE);
	device->measures = (properties & CL__QUEUE_PROFILING) != 0;
	device->is_out_of_order = (properties & CL__QUEUE_OUT_OF_ORDER) != 0;
	device->has_clock = has_clock(&device->cl, device->queue);
	error = device->cl.retain_queue(device->queue);
	return error ? tacho__opencl_fail("clRetainCommandQueue", error, "the queue cannot be held",
					  GIVE_QUEUE)
		     : 0;
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct times_device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a queue");
	rc = tacho__opencl_queue_load(&device->cl);
	if (rc) {
		free(device);
		return rc;
	}
	device->queue = tacho__probe_get_options(probe_)->handle;
	rc = tacho_catalog_find_arch(catalog, "any", "cl", &device->base.traits.arch);
	if (!rc)
		rc = check_queue(device);
	if (rc) {
		tacho__dl_close(&device->cl.dl);
		free(device);
		return rc;
	}
	device->base.traits.replays = TACHO__REPLAYS_RANGES;
	/* nothing waits inside a range, nor at the ends of ranges in it */
	device->base.traits.modes[TACHO_MODE_SERIALIZED].levels = 1;
	*out_device = &device->base;
	return 0;
}

static void close_device(struct tacho_device *base)
{
	struct times_device *device = TACHO__OWN(struct times_device, base);
	device->cl.release_queue(device->queue);
	tacho__dl_close(&device->cl.dl);
	free(device);
}

static void release(struct tacho__collection *base, struct tacho__device_range *each)
{
	const struct tacho__opencl_queue *cl =
		&TACHO__OWN(struct times_collection, base)->device->cl;
	const struct range *range = TACHO__OWN(struct range, each);

	if (range->begin)
		cl->release_event(range->begin);
	if (range->end)
		cl->release_event(range->end);
}

static enum tacho_mode get_mode(const struct tacho__collection *base)
{
	return tacho_plan_get_pass(base->options->plan, base->pass)->mode;
}

/* Where commands may overtake others a barrier holds those back that come behind it. */
static int32_t enqueue_begin(const struct times_device *device, bool holds_back,
			     cl_handle *out_event)
{
	bool is_barrier = holds_back && device->is_out_of_order;

	return (is_barrier ? device->cl.enqueue_barrier
			   : device->cl.enqueue_marker)(device->queue, 0, NULL, out_event);
}

/* The first of ranges that overlap has the queue for itself; ranges in others do not come here. */
static int settle(struct tacho__collection *base, const struct range *range)
{
	const struct times_device *device = TACHO__OWN(struct times_collection, base)->device;
	bool is_first;

	pthread_mutex_lock(&base->lock);
	is_first = !range->base.next;
	pthread_mutex_unlock(&base->lock);
	if (!is_first)
		return tacho__fail(
			TACHO_E_BUSY, "another range is open, which has the queue for itself",
			"end it before, or count pipelined", "serialized ranges cannot overlap");
	return tacho__opencl_settle(&device->cl, device->queue);
}

static int begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	const struct times_device *device = TACHO__OWN(struct times_collection, base)->device;
	struct range *range = tacho__collection_begin_range(base, key);
	enum tacho_mode mode = get_mode(base);
	int32_t error = 0;
	int rc = 0;

	if (!range)
		return TACHO_E_NOMEM;
	range->pass = base->pass;
	if (mode == TACHO_MODE_SERIALIZED)
		rc = settle(base, range);
	if (!rc)
		error = enqueue_begin(device, mode != TACHO_MODE_PIPELINED, &range->begin);
	if (error)
		rc = tacho__opencl_fail("clEnqueueMarkerWithWaitList", error,
					"the range cannot begin", END_OTHERS);
	if (rc)
		tacho__collection_drop_range(base, &range->base);
	return rc;
}

static int end_range(struct tacho__collection *base, uint64_t key)
{
	const struct times_device *device = TACHO__OWN(struct times_collection, base)->device;
	struct range *range = tacho__collection_find_range(base, key);
	int32_t error;
	int rc = 0;

	if (!range)
		return TACHO_E_INVAL;
	error = device->cl.enqueue_marker(device->queue, 0, NULL, &range->end);
	if (error)
		rc = tacho__opencl_fail("clEnqueueMarkerWithWaitList", error,
					"the range cannot end", END_OTHERS);
	else if (get_mode(base) == TACHO_MODE_SERIALIZED)
		rc = tacho__opencl_await(&device->cl, device->queue, range->end);
	if (!rc) {
		tacho__collection_end_range(base, key);
		return 0;
	}
	release(base, &range->base);
	tacho__collection_drop_range(base, &range->base);
	return rc;
}

/* ---- values ---- */

/* Of the device's clock. */
struct span {
	uint64_t begin_ns, end_ns;
};

/* Times that cannot be true, or that the driver does not have, give no value. */
static bool get_span(const struct tacho__opencl_queue *cl, const struct range *range,
		     struct span *out_span)
{
	struct span span = {0};

	if (cl->get_profiling(range->begin, CL__COMMAND_END, sizeof(span.begin_ns), &span.begin_ns,
			      NULL) ||
	    cl->get_profiling(range->end, CL__COMMAND_END, sizeof(span.end_ns), &span.end_ns, NULL))
		return false;
	*out_span = span;
	return span.begin_ns && span.end_ns >= span.begin_ns;
}

/*
 * Markers tell when all work before a point was done, and not when work begins while other work is
 * under way: how long a range was on the device is known when it has the queue for itself.
 */
static bool has_value(const struct tacho_entry *entry, uint32_t mode)
{
	return mode == TACHO_MODE_SERIALIZED || strcmp(entry->name, "gpu__time_active") != 0;
}

static uint64_t get_value(const struct span *span, const struct tacho_entry *entry)
{
	if (!strcmp(entry->name, "gpu__time_start"))
		return span->begin_ns;
	if (!strcmp(entry->name, "gpu__time_end"))
		return span->end_ns;
	return span->end_ns - span->begin_ns;
}

static int deliver(const struct times_collection *collection, const struct range *range)
{
	const struct tacho_plan_pass *pass =
		tacho_plan_get_pass(collection->base.options->plan, range->pass);
	struct tacho__rows *rows = tacho__rows_create(pass, 1);
	struct span span;
	bool is_good;
	int rc;

	if (!rows)
		return TACHO_E_NOMEM;
	is_good = collection->device->has_clock && get_span(&collection->device->cl, range, &span);
	for (size_t i = 0; i < pass->counter_count && is_good; i++)
		if (has_value(pass->counters[i].entry, pass->mode))
			tacho__rows_put(rows, i, 0, get_value(&span, pass->counters[i].entry), 0,
					TACHO_STATE_OK);
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
	const struct times_collection *collection = TACHO__OWN(struct times_collection, base);
	struct range *range;
	int rc = 0;

	while (!rc && (range = tacho__collection_get_ended(base))) {
		*out_waits = !tacho__opencl_is_over(&collection->device->cl, range->end);
		if (*out_waits)
			return 0;
		rc = deliver(collection, range);
		release(base, &range->base);
		tacho__collection_drop_ended(base);
	}
	return rc;
}

int tacho__opencl_check_times(const struct tacho_device *base)
{
	const struct times_device *device = TACHO__OWN(const struct times_device, base);
	uint64_t properties = 0;

	if (device->measures)
		return 0;
	device->cl.get_queue_info(device->queue, CL__QUEUE_PROPERTIES, sizeof(properties),
				  &properties, NULL);
	return tacho__fail(
		TACHO_E_UNSUPPORTED,
		tacho__detail("its CL_QUEUE_PROPERTIES are 0x%llx", (unsigned long long)properties),
		"make it with CL_QUEUE_PROFILING_ENABLE", "the queue does not measure times");
}

static const char *explain(const struct tacho_device *base, const struct tacho_entry *entry,
			   uint32_t mode)
{
	const struct times_device *device = TACHO__OWN(const struct times_device, base);

	if (!device->measures)
		return "the queue was made without CL_QUEUE_PROFILING_ENABLE";
	if (!device->has_clock)
		return "its CL_DEVICE_PROFILING_TIMER_RESOLUTION is 0 ns";
	return strcmp(entry->block, "gpu") != 0 || has_value(entry, mode)
		       ? ""
		       : "markers tell when all work before a point was done, and not when work "
			 "begins while other work is under way";
}

static int refuse(const struct times_device *device, const struct tacho_entry *entry,
		  const char *cause)
{
	if (!device->has_clock)
		return tacho__fail(TACHO_E_UNSUPPORTED, cause, "take another driver of the device",
				   "the driver of the queue has no times, and so no %s",
				   entry->name);
	return tacho__fail(TACHO_E_UNSUPPORTED, cause,
			   "count it serialized, or count gpu__time_duration",
			   "%s can be had serialized only", entry->name);
}

static int check_pass(struct tacho_device *base, const struct tacho_plan *plan, size_t pass)
{
	const struct times_device *device = TACHO__OWN(struct times_device, base);
	const struct tacho_plan_pass *info = tacho_plan_get_pass(plan, pass);
	int rc = tacho__opencl_check_times(base);

	for (size_t i = 0; i < info->counter_count && !rc; i++) {
		const struct tacho_entry *entry = info->counters[i].entry;
		const char *cause = explain(base, entry, info->mode);
		bool insists = false;

		if (*cause && !strcmp(entry->block, "gpu"))
			rc = tacho__plan_insists(plan, info->mode, entry, &insists);
		if (insists)
			rc = refuse(device, entry, cause);
	}
	return rc;
}

static void flush(struct tacho__collection *base)
{
	const struct times_device *device = TACHO__OWN(struct times_collection, base)->device;

	device->cl.flush(device->queue);
}

static int begin(struct tacho_device *device, const struct tacho__collection_options *options,
		 struct tacho__collection **out_collection)
{
	struct times_collection *collection =
		tacho__collection_create(sizeof(*collection), options);

	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = TACHO__OWN(struct times_device, device);
	collection->base.range_size = sizeof(struct range);
	*out_collection = &collection->base;
	return 0;
}

static int drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	static const struct tacho__sweep how = {sweep_ranges, flush, TACHO__OPENCL_TIMEOUT};

	return tacho__collection_sweep(base, &how, timeout_ns);
}

static void end(struct tacho__collection *base)
{
	tacho__collection_clear(base, release);
	tacho__collection_destroy(base);
}

const struct tacho__backend tacho__opencl_times = {
	.name = "opencl_times",
	.probe = probe,
	.open = open_device,
	.close = close_device,
	.check_pass = check_pass,
	.explain = explain,
	.begin = begin,
	.begin_pass = tacho__collection_begin_pass,
	.end_pass = tacho__collection_end_pass,
	.begin_range = begin_range,
	.end_range = end_range,
	.drain = drain,
	.end = end,
};
