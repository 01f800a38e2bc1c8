/* SPDX-License-Identifier: MIT */
#include "inject/opencl/cl_devices.h"

#include <errno.h>

#include "inject/opencl/driver_info.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum {
	PLATFORMS_MAX = 32,
	DEVICES_MAX = 64,
	PARENTS_MAX = 16, /* parts of parts */
};

/* Of 32 or 64 bits; 0 when the driver does not tell. */
static uint64_t get_number(void *device, uint32_t name)
{
	uint64_t value = 0;

	return tacho__opencl_target.clGetDeviceInfo(device, name, sizeof(value), &value, NULL)
		       ? 0
		       : value;
}

static void get_text(void *device, uint32_t name, char out_text[TACHO__LAUNCH_DEVICE_TEXT])
{
	if (!tacho__driver_get_text(tacho__opencl_target.clGetDeviceInfo, device, name, out_text,
				    TACHO__LAUNCH_DEVICE_TEXT))
		out_text[0] = '\0';
}

static uint32_t kind_of(uint64_t type)
{
	if (type & CL_DEVICE_TYPE_GPU)
		return TACHO__LAUNCH_DEVICE_GPU;
	return type & CL_DEVICE_TYPE_CPU ? TACHO__LAUNCH_DEVICE_CPU : TACHO__LAUNCH_DEVICE_OTHER;
}

static void describe(void *device, struct tacho__launch_device *out_device)
{
	*out_device = (struct tacho__launch_device){
		.api = TACHO__API_ID,
		.handle = (uintptr_t)device,
		.kind = kind_of(get_number(device, CL_DEVICE_TYPE)),
		.memory_bytes = get_number(device, CL_DEVICE_GLOBAL_MEM_SIZE),
		.local_bytes = get_number(device, CL_DEVICE_LOCAL_MEM_SIZE),
		.workgroup_max = get_number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE),
		.compute_units = (uint32_t)get_number(device, CL_DEVICE_MAX_COMPUTE_UNITS),
		.clock_mhz = (uint32_t)get_number(device, CL_DEVICE_MAX_CLOCK_FREQUENCY),
		.vendor_id = (uint32_t)get_number(device, CL_DEVICE_VENDOR_ID),
	};
	get_text(device, CL_DEVICE_NAME, out_device->name);
	get_text(device, CL_DEVICE_VENDOR, out_device->vendor);
	get_text(device, CL_DRIVER_VERSION, out_device->driver);
}

size_t tacho__opencl_list_devices(struct tacho__launch_device *devices, size_t room)
{
	void *platforms[PLATFORMS_MAX], *handles[DEVICES_MAX];
	uint32_t platform_count = 0, count;
	size_t total = 0;
	int error = errno;

	if (tacho__opencl_target.clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count))
		platform_count = 0;
	for (uint32_t i = 0; i < platform_count && i < PLATFORMS_MAX; i++) {
		count = 0;
		if (tacho__opencl_target.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL,
							DEVICES_MAX, handles, &count))
			continue;
		for (uint32_t k = 0; k < count && k < DEVICES_MAX; k++, total++)
			if (total < room)
				describe(handles[k], &devices[total]);
	}
	errno = error;
	return total;
}

void *tacho__opencl_root_device(void *device)
{
	void *parent = device;

	for (int depth = 0; parent && depth < PARENTS_MAX; depth++) {
		device = parent;
		parent = tacho__driver_get_handle(tacho__opencl_target.clGetDeviceInfo, device,
						  CL_DEVICE_PARENT_DEVICE);
	}
	return device;
}
