/* SPDX-License-Identifier: MIT */
#include "backend/opencl/opencl_amd.h"

#include <stdlib.h>

#include "backend/opencl/parts.h"
#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

enum { AMD = 0x1002 };

/* The loader finds these in the driver. */
static const struct tacho__dl_symbol functions[] = {
	TACHO__DL_SYMBOL(tacho__opencl_amd, create_counter, "clCreatePerfCounterAMD"),
	TACHO__DL_SYMBOL(tacho__opencl_amd, release_counter, "clReleasePerfCounterAMD"),
	TACHO__DL_SYMBOL(tacho__opencl_amd, enqueue_begin, "clEnqueueBeginPerfCounterAMD"),
	TACHO__DL_SYMBOL(tacho__opencl_amd, enqueue_end, "clEnqueueEndPerfCounterAMD"),
	TACHO__DL_SYMBOL(tacho__opencl_amd, get_counter_info, "clGetPerfCounterInfoAMD"),
};

static int is_amd(struct tacho__opencl_amd_device *device)
{
	const struct tacho__opencl_queue *cl = &device->cl.queue;

	device->device = tacho__opencl_get_device(cl, device->queue);
	return device->device &&
	       tacho__opencl_get_number(cl->get_device_info, device->device,
					CL__DEVICE_VENDOR_ID) == AMD &&
	       tacho__opencl_get_number(cl->get_device_info, device->device, CL__DEVICE_TYPE) &
		       CL__DEVICE_TYPE_GPU;
}

static void find_functions(struct tacho__opencl_amd_device *device)
{
	struct tacho__opencl_amd *cl = &device->cl;
	cl_handle platform = NULL;

	if (cl->queue.get_device_info(device->device, CL__DEVICE_PLATFORM, sizeof(platform),
				      &platform, NULL))
		return;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(functions); i++) {
		void **into = (void **)((char *)cl + functions[i].offset);

		*into = cl->queue.get_function(platform, functions[i].name);
	}
}

static void look_at_device(struct tacho__opencl_amd_device *device)
{
	const struct tacho__opencl_queue *cl = &device->cl.queue;
	tacho__opencl_info get = cl->get_device_info;

	tacho__opencl_get_text(get, device->device, CL__DEVICE_NAME, device->name);
	tacho__opencl_get_text(get, device->device, CL__DEVICE_BOARD_NAME_AMD, device->board);
	tacho__opencl_get_text(get, device->device, CL__DRIVER_VERSION, device->driver);
	device->is_out_of_order =
		(tacho__opencl_get_number(cl->get_queue_info, device->queue, CL__QUEUE_PROPERTIES) &
		 CL__QUEUE_OUT_OF_ORDER) != 0;
	find_functions(device);
}

static void close_device(struct tacho_device *base)
{
	struct tacho__opencl_amd_device *device = TACHO__OWN(struct tacho__opencl_amd_device, base);
	tacho__known_finish(&device->own);
	tacho__dl_close(&device->cl.queue.dl);
	free(device);
}

/*
 * A register counts for one range at a time, whatever runs meanwhile. What is between two commands
 * of a queue that runs in order is counted without a wait; on another one it takes barriers, which
 * are waits.
 */
static void set_modes(struct tacho__opencl_amd_device *device)
{
	struct tacho__mode_traits *modes = device->base.traits.modes;

	for (size_t i = 0; i < TACHO_MODE_COUNT; i++)
		modes[i].levels = device->own.counters.count ? 1 : 0;
	if (device->is_out_of_order)
		modes[TACHO_MODE_PIPELINED].cause =
			"the queue runs out of order: without a wait its counters have work of "
			"other ranges, too";
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct tacho__opencl_amd_device *device = calloc(1, sizeof(*device));
	bool is_here = false;
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a queue");
	device->queue = tacho__probe_get_options(probe_)->handle;
	rc = tacho__opencl_queue_load(&device->cl.queue);
	if (!rc)
		is_here = is_amd(device);
	if (is_here) {
		look_at_device(device);
		rc = tacho__opencl_amd_fill(device, catalog);
	}
	if (!rc && is_here)
		device->base.traits = (struct tacho__device_traits){
			.arch = tacho__arch_public(device->own.arch),
			.model = tacho_arch_get_model(tacho__arch_public(device->own.arch), 0),
			.replays = TACHO__REPLAYS_RANGES,
		};
	if (!rc && is_here)
		set_modes(device);
	if (rc || !is_here)
		close_device(&device->base);
	else
		*out_device = &device->base;
	return rc;
}

const struct tacho__backend tacho__opencl_amd = {
	.name = "opencl_amd",
	.open = open_device,
	.close = close_device,
	.begin = tacho__opencl_amd_begin,
	.begin_pass = tacho__collection_begin_pass,
	.end_pass = tacho__collection_end_pass,
	.begin_range = tacho__opencl_amd_begin_range,
	.end_range = tacho__opencl_amd_end_range,
	.drain = tacho__opencl_amd_drain,
	.end = tacho__opencl_amd_end,
};
