/* SPDX-License-Identifier: MIT */
/*
 * A driver for CPUs works on threads of this process, which the kernel counts. Which of them are
 * the driver's is not known here, so all are counted; the queue is idle when a range begins and
 * ends, so that the work between is all in it.
 */
#include <stdlib.h>

#include "backend/opencl/opencl.h"
#include "backend/opencl/parts.h"
#include "base/error.h"

/* Its header names things as those here do. */
extern const struct tacho__backend tacho__backend_perf;

struct cpu_device {
	struct tacho_device base;
	struct tacho__opencl_queue cl;
	cl_handle queue; /* held by the part for times */
	struct tacho_device *perf;
	bool is_usable; /* the kernel lets this process count */
};

struct cpu_collection {
	struct tacho__collection base;
	struct cpu_device *device;
	struct tacho__collection *perf;
};

static int is_cpu(const struct tacho__opencl_queue *cl, cl_handle queue)
{
	cl_handle device = tacho__opencl_get_device(cl, queue);

	return device && tacho__opencl_get_number(cl->get_device_info, device, CL__DEVICE_TYPE) &
				 CL__DEVICE_TYPE_CPU;
}

/* The kernel's device with everything: the first that perf tells of. */
static int open_perf(const struct tacho_probe *probe_, const struct tacho_catalog *catalog,
		     struct cpu_device *device)
{
	const struct tacho_device_info *info;
	const struct tacho__probe_options options = {
		.backends = tacho__backend_perf.name,
		.only_counting = 1,
		.sysroot = tacho__probe_get_options(probe_)->sysroot,
	};
	struct tacho_probe *own = NULL;
	int rc = tacho__probe_create(&options, &own);

	if (!rc)
		rc = tacho__backend_perf.open(own, 0, catalog, &device->perf);
	info = rc ? NULL : tacho_probe_get_device_info(own, 0);
	device->is_usable = info && info->usable;
	tacho_probe_destroy(own);
	return rc;
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct cpu_device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a queue");
	device->queue = tacho__probe_get_options(probe_)->handle;
	rc = tacho__opencl_queue_load(&device->cl);
	if (!rc && is_cpu(&device->cl, device->queue))
		rc = open_perf(probe_, catalog, device);
	if (!rc && device->perf) {
		device->base.traits = device->perf->traits;
		device->base.traits.has_windows = 0;
		/* a range that waits for its ends has the queue for itself, but for ranges in it */
		device->base.traits.modes[TACHO_MODE_SERIALIZED] =
			(struct tacho__mode_traits){.levels = 1};
		device->base.traits.modes[TACHO_MODE_PIPELINED] = (struct tacho__mode_traits){
			.cause = "threads are counted, and for which range they work is known only "
				 "while the queue is idle where it begins and ends"};
		*out_device = &device->base;
		return 0;
	}
	tacho__dl_close(&device->cl.dl);
	free(device);
	return rc;
}

static void close_device(struct tacho_device *base)
{
	struct cpu_device *device = TACHO__OWN(struct cpu_device, base);
	tacho__backend_perf.close(device->perf);
	tacho__dl_close(&device->cl.dl);
	free(device);
}

static int begin(struct tacho_device *base, const struct tacho__collection_options *options,
		 struct tacho__collection **out_collection)
{
	struct cpu_device *device = TACHO__OWN(struct cpu_device, base);
	struct cpu_collection *collection = tacho__collection_create(sizeof(*collection), options);
	int rc;

	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = device;
	rc = tacho__backend_perf.begin(device->perf, options, &collection->perf);
	if (rc)
		tacho__collection_destroy(&collection->base);
	else
		*out_collection = &collection->base;
	return rc;
}

static int begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	return tacho__backend_perf.begin_pass(collection->perf, pass);
}

static int end_pass(struct tacho__collection *base)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	return tacho__backend_perf.end_pass(collection->perf);
}

/* ---- ranges ---- */

static int begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	int rc = tacho__opencl_settle(&collection->device->cl, collection->device->queue);

	return rc ? rc : tacho__backend_perf.begin_range(collection->perf, key, parent);
}

/* A range whose work has not ended stays open, and never has values. */
static int end_range(struct tacho__collection *base, uint64_t key)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	int rc = tacho__opencl_settle(&collection->device->cl, collection->device->queue);

	return rc ? rc : tacho__backend_perf.end_range(collection->perf, key);
}

static void end(struct tacho__collection *base)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	tacho__backend_perf.end(collection->perf);
	tacho__collection_destroy(base);
}

const struct tacho__backend tacho__opencl_cpu = {
	.name = "opencl_cpu",
	.open = open_device,
	.close = close_device,
	.begin = begin,
	.begin_pass = begin_pass,
	.end_pass = end_pass,
	.begin_range = begin_range,
	.end_range = end_range,
	.end = end,
};

bool tacho__opencl_cpu_is_refused(const struct tacho_device *part)
{
	return part->backend == &tacho__opencl_cpu &&
	       !TACHO__OWN(const struct cpu_device, part)->is_usable;
}
