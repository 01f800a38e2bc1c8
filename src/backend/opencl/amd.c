/* SPDX-License-Identifier: MIT */
#include "backend/opencl/amd.h"

#include <stdlib.h>

#include "backend/opencl/parts.h"
#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"
#include "tacho/session.h"

enum { AMD = 0x1002 };

#define ROW(name, member)                                              \
	{                                                              \
		name, offsetof(struct tacho__opencl_amd, member), true \
	}

static const struct tacho__dl_symbol symbols[] = {
	ROW("clGetCommandQueueInfo", get_queue_info),
	ROW("clGetDeviceInfo", get_device_info),
	ROW("clGetEventInfo", get_event_info),
	ROW("clReleaseEvent", release_event),
	ROW("clFlush", flush),
	ROW("clEnqueueBarrierWithWaitList", enqueue_barrier),
	ROW("clGetExtensionFunctionAddressForPlatform", get_function),
};

/* The loader finds these in the driver. */
static const struct tacho__dl_symbol functions[] = {
	ROW("clCreatePerfCounterAMD", create_counter),
	ROW("clReleasePerfCounterAMD", release_counter),
	ROW("clEnqueueBeginPerfCounterAMD", enqueue_begin),
	ROW("clEnqueueEndPerfCounterAMD", enqueue_end),
	ROW("clGetPerfCounterInfoAMD", get_counter_info),
};

static int is_amd(struct tacho__unit *unit)
{
	const struct tacho__opencl_amd *cl = &unit->cl;
	uint64_t type = 0;
	uint32_t vendor = 0;

	return !cl->get_queue_info(unit->queue, CL__QUEUE_DEVICE, sizeof(unit->device),
				   &unit->device, NULL) &&
	       !cl->get_device_info(unit->device, CL__DEVICE_VENDOR_ID, sizeof(vendor), &vendor,
				    NULL) &&
	       !cl->get_device_info(unit->device, CL__DEVICE_TYPE, sizeof(type), &type, NULL) &&
	       vendor == AMD && (type & CL__DEVICE_TYPE_GPU);
}

static void get_text(const struct tacho__unit *unit, uint32_t name, char *out_text, size_t size)
{
	if (unit->cl.get_device_info(unit->device, name, size - 1, out_text, NULL))
		out_text[0] = '\0';
	out_text[size - 1] = '\0';
}

static void find_functions(struct tacho__unit *unit)
{
	struct tacho__opencl_amd *cl = &unit->cl;
	cl_handle platform = NULL;

	if (cl->get_device_info(unit->device, CL__DEVICE_PLATFORM, sizeof(platform), &platform,
				NULL))
		return;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(functions); i++) {
		void **into = (void **)((char *)cl + functions[i].offset);

		*into = cl->get_function(platform, functions[i].name);
	}
}

static void look_at_device(struct tacho__unit *unit)
{
	uint64_t properties = 0;

	get_text(unit, CL__DEVICE_NAME, unit->name, sizeof(unit->name));
	get_text(unit, CL__DEVICE_BOARD_NAME_AMD, unit->board, sizeof(unit->board));
	get_text(unit, CL__DRIVER_VERSION, unit->driver, sizeof(unit->driver));
	unit->cl.get_queue_info(unit->queue, CL__QUEUE_PROPERTIES, sizeof(properties), &properties,
				NULL);
	unit->is_out_of_order = (properties & CL__QUEUE_OUT_OF_ORDER) != 0;
	find_functions(unit);
}

static void close_unit(struct tacho__unit *unit)
{
	tacho__map_finish(&unit->counters);
	tacho_catalog_close(unit->catalog);
	tacho_catalog_close(unit->definitions);
	tacho__dl_close(&unit->cl.dl);
	free(unit);
}

static int open_unit(const struct tacho_probe *probe_, size_t index,
		     const struct tacho_catalog *catalog, struct tacho__unit **out_unit)
{
	struct tacho__unit *unit = calloc(1, sizeof(*unit));
	bool is_here = false;
	int rc;

	if (!unit)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a queue");
	unit->queue = tacho__probe_get_handle(probe_);
	rc = tacho__opencl_load(symbols, TACHO__ARRAY_SIZE(symbols), &unit->cl.dl, &unit->cl);
	if (!rc)
		is_here = is_amd(unit);
	if (is_here) {
		look_at_device(unit);
		rc = tacho__opencl_amd_fill(unit, catalog);
	}
	if (rc || !is_here)
		close_unit(unit);
	else
		*out_unit = unit;
	return rc;
}

static void describe(struct tacho__unit *unit, struct tacho__unit_about *out_about)
{
	*out_about = (struct tacho__unit_about){
		.arch = tacho__arch_public(unit->arch),
		.model = unit->model,
		.replays = 1u << TACHO_REPLAY_CALLER | 1u << TACHO_REPLAY_PROCESS |
			   1u << TACHO_REPLAY_NONE,
		/* a register counts for one range at a time */
		.levels = unit->counters.count ? 1 : 0,
	};
}

const struct tacho__backend tacho__opencl_amd = {
	.size = sizeof(struct tacho__backend),
	.name = "opencl_amd",
	.open = open_unit,
	.close = close_unit,
	.describe = describe,
	.begin = tacho__opencl_amd_begin,
	.pass_begin = tacho__opencl_amd_begin_pass,
	.pass_end = tacho__opencl_amd_end_pass,
	.range_begin = tacho__opencl_amd_begin_range,
	.range_end = tacho__opencl_amd_end_range,
	.drain = tacho__opencl_amd_drain,
	.end = tacho__opencl_amd_end,
};
