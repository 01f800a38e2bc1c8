/* SPDX-License-Identifier: MIT */
#include "backend/cupti/nvml_library.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/array.h"
#include "base/dl.h"
#include "base/error.h"

#define REQUIRED(member, name) TACHO__DL_SYMBOL(tacho__nvml, member, name)
#define OPTIONAL(member, name)                                    \
	{                                                         \
		name, offsetof(struct tacho__nvml, member), false \
	}

static const struct tacho__dl_symbol symbols[] = {
	REQUIRED(init, "nvmlInit_v2"),
	REQUIRED(get_error, "nvmlErrorString"),
	OPTIONAL(get_driver_version, "nvmlSystemGetDriverVersion"),
	OPTIONAL(get_cuda_version, "nvmlSystemGetCudaDriverVersion_v2"),
	OPTIONAL(get_confidential, "nvmlSystemGetConfComputeState"),
	REQUIRED(get_count, "nvmlDeviceGetCount_v2"),
	REQUIRED(get_device, "nvmlDeviceGetHandleByIndex_v2"),
	REQUIRED(get_name, "nvmlDeviceGetName"),
	REQUIRED(get_uuid, "nvmlDeviceGetUUID"),
	REQUIRED(get_pci, "nvmlDeviceGetPciInfo_v3"),
	OPTIONAL(get_capability, "nvmlDeviceGetCudaComputeCapability"),
	OPTIONAL(get_memory, "nvmlDeviceGetMemoryInfo"),
	OPTIONAL(get_clock_max, "nvmlDeviceGetMaxClockInfo"),
	OPTIONAL(get_mig, "nvmlDeviceGetMigMode"),
	OPTIONAL(get_virtualization, "nvmlDeviceGetVirtualizationMode"),
	OPTIONAL(get_persistence, "nvmlDeviceGetPersistenceMode"),
	OPTIONAL(get_clock, "nvmlDeviceGetClockInfo"),
	OPTIONAL(get_power, "nvmlDeviceGetPowerUsage"),
	OPTIONAL(get_utilization, "nvmlDeviceGetUtilizationRates"),
	OPTIONAL(get_temperature, "nvmlDeviceGetTemperature"),
	OPTIONAL(gpm_ask, "nvmlGpmQueryDeviceSupport"),
	OPTIONAL(gpm_make, "nvmlGpmSampleAlloc"),
	OPTIONAL(gpm_drop, "nvmlGpmSampleFree"),
	OPTIONAL(gpm_take, "nvmlGpmSampleGet"),
	OPTIONAL(gpm_get, "nvmlGpmMetricsGet"),
};

/* What the process has loaded. A failure is tried again: a driver may come. */
static struct process {
	pthread_mutex_t lock;
	bool is_ready;
	struct tacho__nvml nvml;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

int tacho__nvml_fail(const struct tacho__nvml *nvml, int status, const char *what)
{
	int code = status == TACHO__NVML_NO_PERMISSION ? TACHO_E_PERM
		   : status == TACHO__NVML_GPU_IS_LOST ? TACHO_E_LOST
						       : TACHO_E_UNSUPPORTED;
	const char *text = nvml->get_error(status);

	return tacho__fail_vendor(
		tacho__fail(code, tacho__detail("NVML says %d: %.200s", status, text ? text : ""),
			    status == TACHO__NVML_DRIVER_NOT_LOADED
				    ? "load NVIDIA's kernel driver: modprobe nvidia"
				    : "look whether nvidia-smi works",
			    "%s", what),
		status);
}

static int load(void)
{
	struct tacho__dl dl;
	int status, rc = tacho__dl_open(TACHO__NVML_LIBRARY, symbols, TACHO__ARRAY_SIZE(symbols),
					&dl, &process.nvml);

	if (rc)
		return rc;
	status = process.nvml.init();
	if (!status)
		return 0;
	rc = tacho__nvml_fail(&process.nvml, status, "NVML does not start");
	tacho__dl_close(&dl);
	return rc;
}

int tacho__nvml_load(const struct tacho__nvml **out_nvml)
{
	int rc = 0;

	pthread_mutex_lock(&process.lock);
	if (!process.is_ready)
		rc = load();
	process.is_ready = !rc;
	pthread_mutex_unlock(&process.lock);
	if (!rc)
		*out_nvml = &process.nvml;
	return rc;
}
