/* SPDX-License-Identifier: MIT */
#include "inject/opencl/cl_identity.h"

#include <string.h>

#include "inject/counting.h"
#include "inject/opencl/driver_info.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum { DEVICES_MAX = 64 };

static void get_name(void *device, char out_name[256])
{
	if (!tacho__driver_get_text(tacho__opencl_target.clGetDeviceInfo, device, CL_DEVICE_NAME,
				    out_name, 256))
		out_name[0] = '\0';
}

/* As many devices of its platform with the same name come before it. */
static uint32_t find_number(void *platform, void *root, const char *name)
{
	void *devices[DEVICES_MAX];
	char other[256];
	uint32_t count = 0, number = 0;

	if (!platform || !tacho__opencl_target.clGetDeviceIDs ||
	    tacho__opencl_target.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices,
						&count))
		return TACHO_COUNTING_NUMBER_UNKNOWN;
	for (uint32_t i = 0; i < count && i < DEVICES_MAX; i++) {
		if (devices[i] == root)
			return number;
		get_name(devices[i], other);
		number += strcmp(other, name) == 0;
	}
	return TACHO_COUNTING_NUMBER_UNKNOWN;
}

void tacho__opencl_identify(void *root, struct tacho__opencl_identity *out_identity)
{
	void *platform = tacho__driver_get_handle(tacho__opencl_target.clGetDeviceInfo, root,
						  CL_DEVICE_PLATFORM);

	get_name(root, out_identity->name);
	if (!platform || !tacho__driver_get_text(tacho__opencl_target.clGetPlatformInfo, platform,
						 CL_PLATFORM_NAME, out_identity->platform,
						 sizeof(out_identity->platform)))
		out_identity->platform[0] = '\0';
	tacho__opencl_find_place(tacho__opencl_target.clGetDeviceInfo, root, &out_identity->place);
	out_identity->device = (struct tacho_counting_device){
		.name = out_identity->name,
		.platform = out_identity->platform,
		.id = out_identity->place.uuid,
		.pci = out_identity->place.pci,
		.number = find_number(platform, root, out_identity->name),
	};
}

bool tacho__opencl_is_selected(void *root)
{
	struct tacho__opencl_identity identity;

	if (!tacho__counting_chooses_devices())
		return true;
	tacho__opencl_identify(root, &identity);
	return tacho__counting_selects_device(&identity.device);
}
