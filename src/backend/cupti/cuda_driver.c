/* SPDX-License-Identifier: MIT */
#include "backend/cupti/cuda_driver.h"

#include <stdio.h>

#include "base/array.h"
#include "base/dl.h"
#include "base/error.h"

#define SYMBOL(member, name) TACHO__DL_SYMBOL(tacho__cuda_driver, member, name)

static const struct tacho__dl_symbol symbols[] = {
	SYMBOL(init, "cuInit"),
	SYMBOL(get_version, "cuDriverGetVersion"),
	SYMBOL(get_count, "cuDeviceGetCount"),
	SYMBOL(get_device, "cuDeviceGet"),
	SYMBOL(get_name, "cuDeviceGetName"),
	/* of the whole GPU, also where the program has a part of it */
	SYMBOL(get_uuid, "cuDeviceGetUuid"),
	SYMBOL(get_attribute, "cuDeviceGetAttribute"),
	SYMBOL(get_memory, "cuDeviceTotalMem_v2"),
};

static const char name[] = "libcuda.so.1";

int tacho__cuda_driver_load(struct tacho__cuda_driver *out_driver)
{
	struct tacho__dl dl;

	return tacho__dl_open(name, symbols, TACHO__ARRAY_SIZE(symbols), &dl, out_driver);
}

bool tacho__cuda_driver_is_ready(void)
{
	struct tacho__cuda_driver driver;
	struct tacho__dl dl;
	bool is_ready;
	int count;

	if (tacho__dl_open_loaded(name, symbols, TACHO__ARRAY_SIZE(symbols), &dl, &driver))
		return false;
	is_ready = !driver.get_count(&count); /* before cuInit() it fails */
	tacho__dl_close(&dl);
	return is_ready;
}

void tacho__cuda_format_uuid(const struct tacho__cuda_uuid *uuid, char out[TACHO__CUDA_UUID_MAX])
{
	int size = snprintf(out, TACHO__CUDA_UUID_MAX, "GPU-");

	for (size_t i = 0; i < sizeof(uuid->bytes); i++)
		size += snprintf(out + size, (size_t)(TACHO__CUDA_UUID_MAX - size), "%s%02x",
				 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid->bytes[i]);
}

static const struct {
	int status;
	const char *name, *cure;
} statuses[] = {
	{1, "INVALID_VALUE", ""},
	{2, "OUT_OF_MEMORY", "let other programs end that use the GPU"},
	{3, "NOT_INITIALIZED", "ask in another process: this one was forked from a user of CUDA"},
	{34, "STUB_LIBRARY", "take the stub of libcuda.so out of LD_LIBRARY_PATH"},
	{46, "DEVICE_UNAVAILABLE",
	 "let the other program end: the GPU is in exclusive mode (nvidia-smi -c DEFAULT)"},
	{100, "NO_DEVICE", "give this user or container the GPU: its nodes in /dev, docker --gpus"},
	{101, "INVALID_DEVICE", ""},
	{802, "SYSTEM_NOT_READY", "start nvidia-fabricmanager, which GPUs behind switches need"},
	{803, "SYSTEM_DRIVER_MISMATCH",
	 "reboot, or load the kernel module anew: the driver was updated meanwhile"},
	{804, "COMPAT_NOT_SUPPORTED_ON_DEVICE",
	 "take CUDA's folder compat out of LD_LIBRARY_PATH, or update the driver"},
	{999, "UNKNOWN", "look into dmesg for lines with NVRM"},
};

const char *tacho__cuda_status_name(int status)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(statuses); i++)
		if (statuses[i].status == status)
			return statuses[i].name;
	return "";
}

const char *tacho__cuda_status_cure(int status)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(statuses); i++)
		if (statuses[i].status == status && *statuses[i].cure)
			return statuses[i].cure;
	return "look whether nvidia-smi works";
}
