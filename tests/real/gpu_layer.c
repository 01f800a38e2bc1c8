/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL layer that says of each device that it is a GPU: x264 takes no other, and the drivers
 * that tests have are CPUs. It shares no code with the recorder and needs no headers.
 */
#include <stddef.h>
#include <stdint.h>

enum {
	SLOT_DEVICES = 2, /* of clGetDeviceIDs in the loaders' table, CL/cl_icd.h */
	SLOT_INFO = 3,	  /* of clGetDeviceInfo */
	DEVICE_TYPE = 0x1000,
	TYPE_GPU = 1 << 2,
	TYPE_ALL = -1,
	LAYER_INFO_VERSION = 0x4240,
	LAYER_VERSION_100 = 100,
};

typedef int32_t (*devices_fn)(void *platform, uint64_t type, uint32_t room, void **devices,
			      uint32_t *out_count);
typedef int32_t (*info_fn)(void *device, uint32_t name, size_t size, void *value, size_t *out_size);

static struct {
	void *table[SLOT_INFO + 1];
	devices_fn devices;
	info_fn info;
} gpu;

static int32_t get_devices(void *platform, uint64_t type, uint32_t room, void **devices,
			   uint32_t *out_count)
{
	if (type & TYPE_GPU)
		type = (uint32_t)TYPE_ALL;
	return gpu.devices(platform, type, room, devices, out_count);
}

static int32_t get_info(void *device, uint32_t name, size_t size, void *value, size_t *out_size)
{
	int32_t status = gpu.info(device, name, size, value, out_size);

	if (status == 0 && name == DEVICE_TYPE && value)
		*(uint64_t *)value = TYPE_GPU;
	return status;
}

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *out_size);
int32_t clInitLayer(uint32_t count, void *const *target, uint32_t *out_count, void *const **out);

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *out_size)
{
	if (name != LAYER_INFO_VERSION || (value && size < sizeof(uint32_t)))
		return -30;
	if (value)
		*(uint32_t *)value = LAYER_VERSION_100;
	if (out_size)
		*out_size = sizeof(uint32_t);
	return 0;
}

int32_t clInitLayer(uint32_t count, void *const *target, uint32_t *out_count, void *const **out)
{
	if (count <= SLOT_INFO || !target || !out_count || !out)
		return -30;
	gpu.devices = (devices_fn)target[SLOT_DEVICES];
	gpu.info = (info_fn)target[SLOT_INFO];
	gpu.table[SLOT_DEVICES] = (void *)get_devices;
	gpu.table[SLOT_INFO] = (void *)get_info;
	*out_count = SLOT_INFO + 1;
	*out = gpu.table;
	return 0;
}
