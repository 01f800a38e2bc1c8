/* SPDX-License-Identifier: MIT */
/* Devices whose memory the program took, whether anything ran on them or not. */
#include "analyze/summary.h"

#include "base/array.h"
#include "base/error.h"
#include "tacho/sys/report.h"

static bool was_taken(const struct tacho_object *device)
{
	struct tacho_device_memory memory;

	for (size_t i = 0; tacho_object_get_memory(device, i, &memory); i++)
		if (memory.allocations || memory.peak_bytes)
			return true;
	return false;
}

static int add(struct tacho__devices *devices, const struct tacho_object *device)
{
	return tacho__array_add(&devices->holding, &devices->holding_capacity,
				&devices->holding_count, &device, sizeof(device))
		       ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a list of devices")
		       : 0;
}

static bool is_listed(const struct tacho__devices *devices, const struct tacho_object *device)
{
	for (size_t i = 0; i < devices->count; i++)
		if (devices->all[i]->device.device == device)
			return true;
	return false;
}

int tacho__memory_devices_find(struct tacho_summary *summary)
{
	struct tacho__devices *devices = &summary->devices;
	const struct tacho_object *object;
	struct tacho_device_memory any;
	int rc = 0;

	for (size_t i = 0; i < devices->count && !rc; i++)
		if (tacho_object_get_memory(devices->all[i]->device.device, 0, &any))
			rc = add(devices, devices->all[i]->device.device);
	for (size_t i = 0; !rc && (object = tacho_cursor_get_object(summary->cursor, i)); i++)
		if (object->kind == TACHO_OBJECT_DEVICE && was_taken(object) &&
		    !is_listed(devices, object))
			rc = add(devices, object);
	return rc;
}

const struct tacho_object *tacho_report_get_memory_device(const struct tacho_summary *summary,
							  size_t index)
{
	return summary && index < summary->devices.holding_count ? summary->devices.holding[index]
								 : NULL;
}
